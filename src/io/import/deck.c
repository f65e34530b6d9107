/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/grow.h"
#include "io/import/deck_parts.h"
#include "io/import/import.h"
#include "io/import/import_text.h"
#include "io/load/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- directives ------------------------------------------------------------------------------ */

static void transient(ns_deck *d)
{
  if (d->nwords < 3) {
    ns_deck_too_few(d, ".tran STEP STOP [START [MOST]] [UIC]");
    return;
  }
  int n = ns_deck_plain_words(d);
  d->uic = !strcmp(d->word[n - 1], "uic");
  n -= d->uic;
  d->step = ns_arena_text(d->a, d->word[1]);
  d->stop = ns_arena_text(d->a, d->word[2]);
  d->max = n > 4 ? ns_arena_text(d->a, d->word[4]) : NULL;
  if (n > 3 && strcmp(d->word[3], "0"))
    ns_deck_note(d, ".tran: rows before %s are recorded, too", d->word[3]);
}

/* .param and .ic: names and formulas, with commas or quotes about them. */
static void values(ns_deck *d, const char *line)
{
  char *text = ns_arena_text(d->a, line);
  int depth = 0, quoted = 0;
  size_t n = strcspn(line, " \t");
  if (!text) ns_nomem(d->c, "deck");
  if (!text) return;
  for (char *p = text; *p; p++) {
    if (*p == '\'') *p = (quoted = !quoted) ? '{' : '}';
    depth += (*p == '(' || *p == '{') - (*p == ')' || *p == '}');
    if (*p == ',' && !depth) *p = ' ';
  }
  fprintf(d->body, "    %.*s", (int)n, text);
  ns_deck_put(d, "%s\n", text + n);
}

/* .func name(a,b) {formula}, in quotes, or behind = */
static void function(ns_deck *d, const char *line)
{
  const char *s = line + strlen(".func"), *open = strchr(s, '('), *close = strchr(s, ')');
  s += strspn(s, " \t");
  size_t n = strcspn(s, " \t(");
  if (!open || !close || close < open || !n) {
    ns_deck_fail(d, ".func has no name and arguments, expected `.func name(a,b) {formula}`");
    return;
  }
  FILE *body = d->body;
  fprintf(d->functions, "    <function name=\"%.*s\" of=\"", (int)n, s);
  for (const char *p = open + 1; p < close; p++) fputc(*p == ',' ? ' ' : *p, d->functions);
  fputs("\">", d->functions);
  char *formula = ns_arena_text(d->a, close + 1);
  if (!formula) ns_nomem(d->c, "deck");
  if (!formula) return;
  for (char *p = formula; *p; p++)
    if (strchr("{}'=", *p) && (*p != '=' || !strchr("=<>!", p[1])) &&
        (*p != '=' || p == formula || !strchr("=<>!", p[-1])))
      *p = ' ';
  d->body = d->functions;
  ns_deck_put(d, "%s</function>\n", ns_netlist_trimmed(formula));
  d->body = body;
}

/* The nodes of .global, of which 0 is one that every netlist has. */
static int read_globals(ns_deck *d)
{
  for (int k = 1; k < d->nwords; k++) {
    if (!strcmp(d->word[k], "0") || !strcmp(d->word[k], "gnd")) continue;
    const char *name = ns_arena_text(d->a, d->word[k]);
    if (!name || ns_append(&d->global, &d->nglobals, &name) < 0) return ns_nomem(d->c, "deck");
  }
  return NS_OK;
}

static void directive(ns_deck *d, const char *line)
{
  static const char *const other[] = {".if", ".else", ".elseif", ".endif", NULL};
  for (const char *const *o = other; *o; o++)
    if (ns_netlist_is_directive(line, *o)) {
      ns_deck_fail(
          d,
          "%s is not supported in nssim netlists, expected elements, .param, .func, .subckt, "
          ".global, .include, .lib and .ic; write it out",
          *o);
      return;
    }
  if (ns_netlist_is_directive(line, ".tran") || ns_netlist_is_directive(line, ".global"))
    return; /* read before the elements */
  if (ns_netlist_is_directive(line, ".subckt"))
    ns_deck_put_call(d, ".subckt", 0); /* NAME a b params: p=1 */
  else if (ns_netlist_is_directive(line, ".ends")) fputs("    .ends\n", d->body);
  else if (ns_netlist_is_directive(line, ".param") || ns_netlist_is_directive(line, ".ic"))
    values(d, line);
  else if (ns_netlist_is_directive(line, ".func")) function(d, line);
  else if (!ns_netlist_is_directive(line, ".model"))
    ns_deck_note(d, "%.60s is ignored", d->word[0]);
}

/* ---- the model ------------------------------------------------------------------------------- */

/* The largest number of a voltage source that is one of its levels: those of DC and PULSE. */
static void see_drive(ns_deck *d)
{
  for (int k = 3; k < d->nwords; k++) {
    char levels[60];
    const char *s = d->word[k];
    int pulse = !strncmp(s, "pulse", 5);
    if (*s == '(') s++;
    if (pulse) s += 5, s += strspn(s, " (");
    for (int level = 0; level < 1 + pulse; level++) {
      size_t n = strcspn(s, " ,)");
      snprintf(levels, sizeof levels, "%.*s", (int)(n < sizeof levels ? n : 0), s);
      d->drive = fmax(d->drive, fabs(ns_deck_number(levels)));
      s += n + strspn(s + n, " ,");
    }
    if (pulse || k > 4) return;
  }
}

/* What elements refer to, wherever it stands: .model, .tran and .global, and how far gates go. */
static int read_models(ns_deck *d)
{
  int rc = NS_OK;
  for (int k = 0; k < d->text.n && rc != NS_NOMEM; k++) {
    char *s = d->text.line[k].text;
    int is_tran = ns_netlist_is_directive(s, ".tran"), is_source = *s == 'v',
        is_global = ns_netlist_is_directive(s, ".global");
    ns_deck_place(d, d->text.line[k].file, d->text.line[k].number);
    rc = is_tran || is_source || is_global ? ns_deck_cut_words(d, s) : NS_OK;
    if (rc) continue;
    if (is_tran) transient(d);
    if (is_source) see_drive(d);
    if (is_global) rc = read_globals(d);
    if (ns_netlist_is_directive(s, ".model")) rc = ns_deck_read_model(d, s);
  }
  return rc == NS_NOMEM ? rc : NS_OK;
}

/* A line that was written since the last call comes from the line in hand. */
static int keep_origin(ns_deck *d, ns_deck_origins *o, const ns_text_stream *s)
{
  if (fflush(s->to)) return ns_nomem(d->c, "deck");
  if (s->n == o->size) return NS_OK;
  o->size = s->n;
  if (ns_grow(&o->of, o->n)) return ns_nomem(d->c, "deck");
  o->of[o->n].file = d->file;
  o->of[o->n++].line = d->at;
  return NS_OK;
}

static int translate(ns_deck *d)
{
  int rc = read_models(d);
  for (int k = 0; k < d->text.n && rc != NS_NOMEM; k++) {
    char *s = d->text.line[k].text;
    ns_deck_place(d, d->text.line[k].file, d->text.line[k].number);
    if (ns_netlist_is_directive(s, ".model")) continue;
    if (*s != '.') ns_deck_open_nodes(s);
    rc = ns_deck_cut_words(d, s);
    if (rc || !d->nwords) continue;
    if (*s == '.') directive(d, s);
    else ns_deck_element(d, s);
    rc = keep_origin(d, &d->in_netlist, &d->netlist_stream);
    if (!rc) rc = keep_origin(d, &d->in_functions, &d->function_stream);
  }
  for (int k = 0; k < d->nmodels && rc != NS_NOMEM; k++) {
    ns_deck_place(d, d->model[k].file, d->model[k].line);
    ns_deck_note(d, "the model %s, %s, %s", d->model[k].name, d->model[k].type,
                 d->model[k].used
                     ? "is made ideal: only thresholds, ron, roff and breakdown are kept"
                     : "is not used");
  }
  return rc == NS_NOMEM ? rc : NS_OK;
}

static int simulation(ns_deck *d, FILE *f)
{
  double h = d->max    ? ns_deck_number(d->max)
             : d->step ? ns_deck_number(d->step)
                       : NAN,
         T = d->stop ? ns_deck_number(d->stop) : NAN;
  const ns_netlist_line *last = d->text.n ? &d->text.line[d->text.n - 1] : NULL;
  ns_deck_place(d, last ? last->file : d->source->path, last ? last->number : 1);
  if (!d->stop)
    return ns_deck_fail(
        d,
        "the deck has no .tran, expected `.tran STEP STOP`, which becomes the simulation; add one");
  if (!(h > 0) || !(T > h))
    return ns_deck_fail(d, ".tran goes to %.40s in steps of %.40s, expected numbers above 0",
                        d->stop, d->max ? d->max : d->step);
  fprintf(f,
          "  <simulation T=\"%.15g\">\n    <TimeStepping h=\"%.15g\"><EulerMoreauOSI "
          "theta=\"1\"/></TimeStepping>\n  </simulation>\n",
          T, h);
  return NS_OK;
}

static const char functions_begin[] = "  <parameters>\n";
static const char netlist_begin[] = "  <netlist id=\"circuit\">\n";

static int write_model(ns_deck *d, const char *notes, char **out)
{
  ns_text_stream model;
  FILE *f = ns_text_stream_open(&model);
  if (!f) return ns_nomem(d->c, "text of the model");
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!--\n  Imported from ", f);
  ns_import_put_comment(f, d->source->path);
  fputs(", a deck of ngspice. Names are in small letters, devices ideal.\n", f);
  if (!d->uic)
    fputs("  It starts from ic= and .ic, otherwise from 0; ngspice starts from the operating "
          "point.\n",
          f);
  fprintf(f, "%s-->\n<model xmlns=\"urn:nssim:model:1\">\n", notes);
  ns_import_put_title(f, *d->text.title ? d->text.title : "no title");
  if (*d->function) fprintf(f, "%s%s  </parameters>\n", functions_begin, d->function);
  fprintf(f, "%s%s  </netlist>\n", netlist_begin, d->netlist);
  int rc = simulation(d, f);
  fputs("</model>\n", f);
  char *text = ns_text_stream_close(&model);
  if (!text) return ns_nomem(d->c, "text of the model");
  if (!rc && !d->bad) {
    *out = text;
    return NS_OK;
  }
  free(text);
  return NS_MODEL;
}

static void deck_fini(ns_deck *d)
{
  NS_FREE(d->text.line, d->model, d->global, d->word, d->words, d->netlist, d->function,
          d->in_netlist.of, d->in_functions.of);
  ns_deck_forget_names(d);
  ns_files_fini(&d->files);
  ns_arena_destroy(d->a);
}

/* A deck and the model that became of it. */
typedef struct written {
  const ns_deck *d;
  const char *model;
} written;

/* The line of the deck that line `line` of the model comes from: its index in `o`; -1: it is not
 * one of those that follow `begin`. */
static int origin(const ns_deck_origins *o, const char *model, const char *begin, int line)
{
  const char *at = strstr(model, begin);
  if (!at) return -1;
  at += strlen(begin);
  for (; model < at; model++) line -= *model == '\n';
  return line >= 1 && line <= o->n ? line - 1 : -1;
}

/* An error of the model, at the line of the deck. */
static void tell(void *to, ns_severity severity, const char *msg)
{
  const written *w = to;
  const ns_deck *d = w->d;
  size_t n = strlen(d->source->path);
  if (severity != NS_SEV_ERROR) return; /* whoever loads the model is told */
  char *end = NULL;
  int has_line = !strncmp(msg, d->source->path, n) && msg[n] == ':';
  int line = has_line ? (int)strtol(msg + n + 1, &end, 10) : 0;
  const ns_deck_origins *o = &d->in_netlist;
  int k = has_line ? origin(o, w->model, netlist_begin, line) : -1;
  if (k < 0) o = &d->in_functions, k = has_line ? origin(o, w->model, functions_begin, line) : -1;
  if (k < 0 || strncmp(end, ": ", 2)) {
    ns_fail(d->c, NS_MODEL, "%s", msg);
    return;
  }
  const char *rest = end + 2, *element = "<netlist id=\"circuit\">: ";
  if (!strncmp(rest, element, strlen(element))) rest += strlen(element);
  ns_fail(d->c, NS_MODEL, "%.200s:%d: %s", o->of[k].file, o->of[k].line, rest);
}

static int load(const ns_deck *d, const char *model)
{
  written w = {.d = d, .model = model};
  ns_ctx c = {.report = tell, .to = &w};
  ns_load_options opt = {0};
  ns_model *m = NULL;
  int rc = ns_load_memory(&c, d->source->path, model, strlen(model), &opt, NULL, &m);
  ns_model_destroy(m);
  return rc;
}

static const char *place(void *of, const char *file, int line)
{
  return ns_deck_place(of, file, line);
}

static void note(void *of, const char *what) { ns_deck_note(of, "%s", what); }

static int convert(ns_ctx *c, const ns_import_source *s, const ns_import_options *opt, char **out)
{
  ns_deck d = {.c = c,
               .source = s,
               .a = ns_arena_create(0, 1),
               .word = malloc(NS_DECK_WORDS * sizeof *d.word)};
  ns_text_stream notes_stream;
  (void)opt;
  d.body = ns_text_stream_open(&d.netlist_stream);
  d.functions = ns_text_stream_open(&d.function_stream);
  d.notes = ns_text_stream_open(&notes_stream);
  d.files = (ns_files){.arena = d.a, .scratch = d.a};
  int rc = d.word && d.a && d.body && d.functions && d.notes ? NS_OK : ns_nomem(c, "deck");
  if (!rc) rc = ns_files_init(&d.files, c, s->path, NULL, 0);
  d.text = (ns_netlist_text){.c = c,
                             .files = &d.files,
                             .a = d.a,
                             .is_deck = 1,
                             .place = place,
                             .note = note,
                             .of = &d,
                             .file = s->path};
  if (!rc) rc = ns_netlist_text_read(&d.text, s->text, 1, d.files.dir);
  d.bad = d.text.bad;
  int complete = !d.bad; /* all files are there: their lines can be understood */
  if (!rc && complete) rc = translate(&d);
  d.netlist = ns_text_stream_close(&d.netlist_stream);
  d.function = ns_text_stream_close(&d.function_stream);
  char *notes = ns_text_stream_close(&notes_stream);
  if (!rc && !(d.netlist && d.function && notes)) rc = ns_nomem(c, "deck");
  if (!rc) rc = complete ? write_model(&d, notes, out) : NS_MODEL;
  if (!rc && c->rc) rc = c->rc; /* memory ended in one of the lines */
  else if (!rc) rc = load(&d, *out);
  free(notes);
  deck_fini(&d);
  return rc;
}

/* A text that is no XML, in a file of such a name or with a line .tran. */
static int recognises(const ns_import_source *s)
{
  static const char *const suffix[] = {".cir", ".ckt", ".sp", ".net", ".spice"};
  const char *p = s->text;
  size_t n = strlen(s->path);
  if (strlen(s->text) != s->n || p[strspn(p, " \t\r\n")] == '<') return 0;
  for (size_t k = 0; k < sizeof suffix / sizeof *suffix; k++)
    if (n > strlen(suffix[k]) && !strcasecmp(s->path + n - strlen(suffix[k]), suffix[k])) return 1;
  for (; p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL)
    if (ns_netlist_is_directive(p, ".tran")) return 1;
  return 0;
}

extern const ns_importer ns_import_deck;
const ns_importer ns_import_deck = {
    .name = "deck", .what = "a deck of ngspice", .recognises = recognises, .convert = convert};
