/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_list.c -- nssim list: what there is, from the tables themselves. */
#include "base/suggest.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "expression/expression.h"
#include "integrators/flow.h"
#include "integrators/integrator.h"
#include "integrators/theta.h"
#include "io/json.h"
#include "io/problemfile/problem_file.h"
#include "io/results/sinks.h"
#include "model/controls/control.h"
#include "model/language/language.h"
#include "model/measure.h"
#include "model/model.h"
#include "problems/avi.h"
#include "problems/mechanical.h"
#include "problems/multibody.h"
#include "simulation/record/sink.h"
#include "simulation/step/strategy.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Receives the rows of a topic: as lines, or as JSON where `array` is set; or one row is sought, or
 * those whose help holds a word. */
typedef struct rows {
  ns_json *array;
  const char *sought, *word, *topic; /* NULL: all rows are wanted */
  int found;
} rows;

int ns_list_has_word(const char *text, const char *word)
{
  size_t n = strlen(word);
  for (const char *p = text; p && *p; p++)
    if (!strncasecmp(p, word, n) && (p == text || !isalnum((unsigned char)p[-1]))) return 1;
  return 0;
}

void ns_list_mention(const char *word, int before, const char *name, const char *help)
{
  if (!before)
    printf("'%s' is in these names and texts; `nssim explain NAME` describes an element, "
           "`nssim list TOPIC` a topic:\n",
           word);
  printf("  %-40s %s\n", name, help);
}

static void row(rows *r, const char *name, const char *help)
{
  if (r->sought) {
    if (!strcasecmp(name, r->sought))
      printf("%s%s, one of `nssim list %s`: %s\n", r->found++ ? "\n" : "", name, r->topic, help);
    return;
  }
  if (r->word) {
    char place[80];
    /* elements are explained themselves */
    if (ns_lang_find(name) || !ns_list_has_word(help, r->word)) return;
    snprintf(place, sizeof place, "%s: %s", r->topic, name);
    ns_list_mention(r->word, r->found++, place, help);
    return;
  }
  if (!r->array) {
    printf("  %-28s %s\n", name, help);
    return;
  }
  ns_json_add(r->array, ns_json_of(NS_JSON_TEXT("name", name), NS_JSON_TEXT("help", help)));
}

static void systems(rows *r)
{
  for (const ns_system_kind *const *k = ns_system_kinds; *k; k++) row(r, (*k)->name, (*k)->help);
}

static void relations(rows *r)
{
  for (const ns_relation_kind *const *k = ns_relation_kinds; *k; k++)
    row(r, (*k)->name, (*k)->help);
}

static void laws(rows *r)
{
  for (const ns_law_ops *const *k = ns_law_kinds; *k; k++) row(r, (*k)->name, (*k)->help);
}

static void controls(rows *r)
{
  for (const ns_control_kind *const *k = ns_control_kinds; *k; k++) row(r, (*k)->name, (*k)->help);
}

static void measures(rows *r)
{
  for (const ns_measure_kind *const *k = ns_measure_kinds; *k; k++) row(r, (*k)->name, (*k)->help);
}

static void schemes(rows *r)
{
  for (const ns_integrator_ops *const *k = ns_integrators; *k; k++) row(r, (*k)->name, (*k)->help);
  for (const ns_strategy_ops *const *k = ns_strategies; *k; k++)
    if ((*k)->integrator) row(r, (*k)->integrator, (*k)->help);
  for (const ns_theta_scheme *k = ns_theta_schemes; k->name; k++) row(r, k->name, k->help);
  for (const ns_flow_ops *const *k = ns_flows; *k; k++) row(r, (*k)->name, (*k)->help);
}

static void solvers(rows *r)
{
  for (const ns_lcp_solver_ops *const *k = ns_lcp_solvers; *k; k++) row(r, (*k)->name, (*k)->help);
  for (const ns_avi_solver_ops *const *k = ns_avi_solvers; *k; k++)
    if (!ns_lcp_solver_find((*k)->name)) row(r, (*k)->name, (*k)->help);
  for (const ns_mechanical_solver_ops *const *k = ns_mechanical_solvers; *k; k++)
    if (!ns_lcp_solver_find((*k)->name) && !ns_avi_solver_find((*k)->name))
      row(r, (*k)->name, (*k)->help);
  for (const ns_multibody_method *const *k = ns_multibody_solvers; *k; k++)
    if (!ns_lcp_solver_find((*k)->name) && !ns_mechanical_solver_find((*k)->name))
      row(r, (*k)->name, (*k)->help);
}

static void families(rows *r)
{
  for (const ns_problem_family *k = ns_problem_families; k->name; k++) row(r, k->name, k->help);
}

static void sinks(rows *r)
{
  for (const ns_sink_kind *k = ns_sink_kinds; k->name; k++) row(r, k->suffix, k->help);
}

static void functions(rows *r)
{
#define X(name, nargs, help) row(r, #name, help);
  NS_FUNCTION_LIST(X)
  NS_BLOCK_LIST(X)
#undef X
}

/* All codes of the library that a process can end with: a rejected step is never the end. */
static void statuses(rows *r)
{
  static const struct {
    int code, exit;
    const char *text;
  } status[] = {
#define X(name, code, exit, text) {code, exit, text},
      NS_STATUS_LIST(X)
#undef X
  };
  char number[16];
  for (size_t k = 0; k < sizeof status / sizeof *status; k++) {
    if (status[k].code == NS_RETRY) continue;
    snprintf(number, sizeof number, "%d", status[k].exit);
    row(r, number, status[k].text);
  }
}

/* What `nssim info`, tables of sweeps, and `nssim solve` print as the status. */
static void results(rows *r)
{
  static const struct {
    const char *word, *help;
  } status[] = {
      {"complete",
       "status of a run: it reached T or a <stop>, exit status 0; of a sweep: all of its "
       "runs are complete"},
      {"failed", "status of a run: an error, stated by its message and its exit status, ended it; "
                 "rows up to the last good state are kept"},
      {"interrupted", "status of a run: a signal or a limit ended it, exit status 75; rows so far "
                      "are kept, and with a checkpoint the same command continues it; of a sweep: "
                      "the same command does the missing runs"},
      {"running", "status of a run that has not ended, or was killed: its file has the rows of the "
                  "last flush"},
      {"missing", "status of a run in the table of a sweep: it has not been done, or was killed; "
                  "the same command does it"},
      {"killed", "of a run in a sweep: its process was ended by a user, by a limit or for lack of "
                 "memory; it counts as missing"},
      {"solved", "status of a problem of nssim solve: its residual is within the tolerance"},
      {"not solved", "status of a problem of nssim solve: the message states why, exit status 70; "
                     "the best iterate is shown if a limit ended the search"},
  };
  for (size_t k = 0; k < sizeof status / sizeof *status; k++)
    row(r, status[k].word, status[k].help);
}

/* Kinds of the table of events, and what formulas read of one. */
static void events(rows *r)
{
  static const char *const kind[NS_EVENT_KINDS] = {
      [NS_EVENT_IMPACT] = "kind of event: an impulse at an approaching contact",
      [NS_EVENT_CONTACT] = "kind of event: a lasting contact begins",
      [NS_EVENT_RELEASE] = "kind of event: a lasting contact ends",
      [NS_EVENT_SWITCH] = "kind of event: a multiplier reaches or leaves a bound of its law",
      [NS_EVENT_ACCUMULATION] = "kind of event: impacts accumulate, the contact closes",
      [NS_EVENT_USER] = "kind of event: the condition of an <event>",
      [NS_EVENT_STICK] = "kind of event: a sliding contact comes to rest along its plane",
      [NS_EVENT_SLIP] = "kind of event: a contact at rest begins to slide",
      [NS_EVENT_BRANCH] = "kind of event: several motions are possible, one was selected",
      [NS_EVENT_JAM] = "kind of event: friction alone stops a contact (paradox of Painleve)",
      [NS_EVENT_FORMULA] = "kind of event: a formula jumps or has a corner",
      [NS_EVENT_BIRTH] = "kind of event: a body appears",
      [NS_EVENT_DEATH] = "kind of event: a body is removed",
      [NS_EVENT_VELOCITY] = "kind of event: a prescribed velocity jumps"};
  static const char *const of[NS_OF_EVENT] = {
      [NS_OF_EVENT_BEFORE] =
          "in formulas with event=: velocity, or multiplier of a switch, before it",
      [NS_OF_EVENT_AFTER] = "in formulas with event=: the same after the event",
      [NS_OF_EVENT_IMPULSE] = "in formulas with event=: normal impulse of the event",
      [NS_OF_EVENT_LOST] = "in formulas with event=: kinetic energy that the event dissipates, J"};
  char name[40];
  for (int k = 0; k < NS_EVENT_KINDS; k++) row(r, ns_event_text((ns_event_kind)k), kind[k]);
  for (int k = 0; k < NS_OF_EVENT; k++) {
    snprintf(name, sizeof name, "event.%s", ns_of_event_names[k]);
    row(r, name, of[k]);
  }
}

static void commands(rows *r)
{
  for (const ns_command *k = ns_commands; k->name; k++) row(r, k->name, k->help);
}

static const struct topic {
  const char *name, *help;
  void (*rows)(rows *r);
} topics[] = {
    {"systems", "dynamical systems: elements of <systems>", systems},
    {"relations", "between systems and contact variables: elements of <interaction>", relations},
    {"laws", "nonsmooth laws: elements of <interaction>", laws},
    {"controls", "sampled blocks: elements of <control>", controls},
    {"measures", "numbers computed from a run: kinds of <measure>", measures},
    {"schemes", "one-step integrators: elements of <TimeStepping> and <EventDriven>", schemes},
    {"solvers", "of one-step problems: values of solver=\"...\"", solvers},
    {"families", "of problem files: values of nssim solve --family", families},
    {"sinks", "outputs: suffixes of -o", sinks},
    {"functions", "in the formulas of a model", functions},
    {"events", "of a run: kinds in the table of events, and names in formulas with event=", events},
    {"statuses", "exit statuses of nssim", statuses},
    {"results", "words for the status of a run, a sweep or a solved problem", results},
    {"commands", "of nssim", commands},
};
enum { NTOPICS = sizeof topics / sizeof *topics };

/* ---- options --------------------------------------------------------------------------------- */

typedef struct list {
  const char *topic;
  int json;
} list;

enum { KEY_JSON = 0x200 };

static const struct argp_option options[] = {
    {"json", KEY_JSON, 0, 0, "Print a JSON object of arrays of {name, help}", 0},
    {0},
};

static const char doc[] = "List what is built into nssim. Without a topic, list all topics.\n\n"
                          "Examples:\n"
                          "  nssim list systems\n"
                          "  nssim list solvers --json\n"
                          "\vTopics: systems, relations, laws, controls, measures, schemes, "
                          "solvers, families, sinks, functions, events, statuses, results, "
                          "commands.";

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  list *l = state->input;
  switch (key) {
  case KEY_JSON: l->json = 1; return 0;
  case ARGP_KEY_ARG:
    if (l->topic)
      ns_console_refuse(state, "two topics, '%s' and '%s': expected one", l->topic, arg);
    l->topic = arg;
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp list_argp = {options, parse_option, "[TOPIC]", doc, 0, 0, 0};

static void overview(void)
{
  rows r = {0};
  for (size_t k = 0; k < NTOPICS; k++) {
    printf("%s%s (%s)\n", k ? "\n" : "", topics[k].name, topics[k].help);
    topics[k].rows(&r);
  }
}

static int as_json(const char *topic)
{
  ns_json j = ns_json_object();
  for (size_t k = 0; k < NTOPICS; k++) {
    if (topic && strcmp(topics[k].name, topic) != 0) continue;
    ns_json array = ns_json_array();
    rows r = {.array = &array};
    topics[k].rows(&r);
    ns_json_member(&j, topics[k].name, array);
  }
  if (ns_json_page(j, 15, stdout) == 0) return 0;
  ns_ctx c = ns_cli_context();
  return ns_status_exit(ns_nomem(&c, "JSON"));
}

static int found_in_all(rows *r)
{
  for (size_t k = 0; k < NTOPICS; k++) {
    r->topic = topics[k].name;
    topics[k].rows(r);
  }
  return r->found;
}

int ns_list_find(const char *name) { return found_in_all(&(rows){.sought = name}); }

int ns_list_mentions(const char *word, int before)
{
  return found_in_all(&(rows){.word = word, .found = before});
}

static const struct topic *find(const char *name)
{
  for (size_t k = 0; k < NTOPICS; k++)
    if (strcmp(topics[k].name, name) == 0) return &topics[k];
  return NULL;
}

static int unknown_topic(const char *name)
{
  ns_suggest s = ns_suggest_for(name, strlen(name));
  for (size_t k = 0; k < NTOPICS; k++) ns_suggest_offer(&s, topics[k].name);
  if (s.best)
    return ns_console_usage("nssim list", "unknown topic '%s'; did you mean '%s'?", name, s.best);
  return ns_console_usage("nssim list", "unknown topic '%s'; `nssim list --help` lists them", name);
}

int ns_cmd_list(int argc, char **argv)
{
  list l = {0};
  int status = ns_console_parse(&list_argp, argc, argv, &l);
  if (status) return status;
  const struct topic *t = l.topic ? find(l.topic) : NULL;
  if (l.topic && !t) return unknown_topic(l.topic);
  if (l.json) return as_json(l.topic);
  rows r = {0};
  if (t) t->rows(&r);
  else overview();
  return 0;
}
