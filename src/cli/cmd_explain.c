/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_explain.c -- nssim explain: the model language, from its table. */
#include "base/suggest.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "model/language/language.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct explain {
  const char *topic;    /* NULL: overview */
  int json, man, study; /* study: the page of studies */
} explain;

enum { KEY_JSON = 0x200, KEY_MAN };

static const struct argp_option options[] = {
    {"json", KEY_JSON, 0, 0, "Print JSON", 0},
    {"man", KEY_MAN, "PAGE", OPTION_ARG_OPTIONAL,
     "Print a manual page as roff: model (default) for nssim-model(5), study for nssim-study(5)",
     0},
    {0},
};

static const char doc[] = "Describe the elements of model and study files. Without an argument, "
                          "list all elements, one per line.\n"
                          "Any other word is looked up as an attribute or value of any element "
                          "and as the name of a solver, function, law, ..., or else in all "
                          "texts.\n\n"
                          "Examples:\n"
                          "  nssim explain\n"
                          "  nssim explain LagrangianDS\n"
                          "  nssim explain LagrangianDS.fInt\n"
                          "  nssim explain restitution\n"
                          "  nssim explain MoreauJeanOSI --json\n"
                          "  nssim explain --man | man -l -\n";

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  explain *x = state->input;
  switch (key) {
  case KEY_JSON: x->json = 1; return 0;
  case KEY_MAN:
    x->man = 1;
    x->study = arg && !strcmp(arg, "study");
    if (arg && !x->study && strcmp(arg, "model"))
      ns_console_refuse(state, "--man '%s': expected model or study", arg);
    return 0;
  case ARGP_KEY_ARG:
    if (x->topic)
      ns_console_refuse(state, "two elements, '%s' and '%s': expected one", x->topic, arg);
    x->topic = arg;
    return 0;
  case ARGP_KEY_END:
    if (x->man && (x->topic || x->json))
      ns_console_refuse(state,
                        "--man prints the whole page: expected neither an element nor --json");
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp explain_argp = {options, parse_option, "[ELEMENT[.ATTRIBUTE]]", doc, 0, 0,
                                         0};

/* Shells and readers write <ball> and Include: be lenient about brackets. */
static const ns_lang_element *find_element(const char *topic, char *name, size_t size,
                                           const char **rest)
{
  if (*topic == '<') topic++;
  size_t n = strcspn(topic, ".>");
  snprintf(name, size, "%.*s", (int)(n < size ? n : size - 1), topic);
  *rest = topic[n] == '.' ? topic + n + 1 : NULL;
  return strcmp(name, "include") ? ns_lang_find(name) : ns_lang_find("xi:include");
}

static void mention(const char *word, int *n, const char *element, const char *item,
                    const char *help)
{
  char name[80];
  snprintf(name, sizeof name, "%s%s%s", element, item ? "." : "", item ? item : "");
  ns_list_mention(word, (*n)++, name, help);
}

/* Elements whose names hold the word, then elements, attributes and values whose texts do, and
 * what is listed: how many. */
static int mentions(const char *word)
{
  const ns_lang_element *e;
  int n = 0;
  for (int k = 0; (e = ns_lang_at(k)); k++)
    if (strcasestr(e->name, word)) mention(word, &n, e->name, NULL, e->help);
  for (int k = 0; (e = ns_lang_at(k)); k++) {
    const ns_lang_item *const lists[] = {e->attributes, e->values};
    int in_text = ns_list_has_word(e->help, word) || ns_list_has_word(e->text, word) ||
                  ns_list_has_word(e->more, word);
    if (in_text && !strcasestr(e->name, word)) mention(word, &n, e->name, NULL, e->help);
    for (int j = 0; j < 2; j++)
      for (const ns_lang_item *i = lists[j]; i && i->name; i++)
        if (ns_list_has_word(i->help, word)) mention(word, &n, e->name, i->name, i->help);
  }
  return ns_list_mentions(word, n);
}

static int done(int failed);

/* An attribute without its element; a name of a list; a word of the texts. */
static int explain_word(const char *name)
{
  int items = ns_lang_print_items(stdout, name);
  if (items + ns_list_find(name) || (strlen(name) > 2 && mentions(name))) return done(0);
  const char *near = ns_lang_suggest(name);
  if (near)
    return ns_console_usage("nssim explain", "unknown element '%s'; did you mean '%s'?", name,
                            near);
  return ns_console_usage("nssim explain", "unknown element '%s'; `nssim explain` lists them",
                          name);
}

static int unknown_item(const ns_lang_element *e, const char *name)
{
  ns_suggest s = ns_suggest_for(name, strlen(name));
  for (const ns_lang_item *i = e->attributes; i && i->name; i++) ns_suggest_offer(&s, i->name);
  for (const ns_lang_item *i = e->values; i && i->name; i++) ns_suggest_offer(&s, i->name);
  if (s.best)
    return ns_console_usage("nssim explain", "<%s> has no '%s'; did you mean '%s.%s'?", e->name,
                            name, e->name, s.best);
  return ns_console_usage("nssim explain", "<%s> has no '%s'; `nssim explain %s` lists what it has",
                          e->name, name, e->name);
}

static int done(int failed)
{
  ns_ctx c = ns_cli_context();
  if (failed) ns_nomem(&c, "JSON");
  else if (fflush(stdout) || ferror(stdout))
    ns_fail(&c, NS_OUTPUT, "standard output: %s", strerror(errno));
  return ns_cli_exit(&c);
}

int ns_cmd_explain(int argc, char **argv)
{
  explain x = {0};
  int status = ns_console_parse(&explain_argp, argc, argv, &x), failed = 0;
  if (status) return status;
  const ns_lang_element *e = NULL;
  const ns_lang_item *item = NULL;
  if (x.topic) {
    char name[80];
    const char *rest;
    e = find_element(x.topic, name, sizeof name, &rest);
    if (!e) return explain_word(name);
    if (rest && !(item = ns_lang_attribute(e, rest)) && !(item = ns_lang_value(e, rest))) {
      if (ns_list_find(x.topic)) return done(0); /* event.impulse */
      return unknown_item(e, rest);
    }
  }
  if (x.study) ns_lang_print_study_man(stdout, NS_VERSION, NS_RELEASED);
  else if (x.man) ns_lang_print_man(stdout, NS_VERSION, NS_RELEASED);
  else if (x.json) failed = ns_lang_print_json(stdout, e, item);
  else if (e) ns_lang_print_element(stdout, e, item);
  else ns_lang_print_overview(stdout);
  return done(failed);
}
