/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deck.c -- decks of ngspice: a netlist with devices by .model, and .tran.
 *
 * Lines keep their order; names are in small letters, as ngspice reads them. Lines of included
 * files stand where they are included: models and subcircuits of a library are those of the deck.
 * Devices become ideal ones, by what their models say of thresholds and resistances:
 *
 *   D  (BV)             D vf=VFWD ron=RON or RS, with BV or VREV a Z of that voltage
 *   S  SW(VT VH RON ROFF)   S v(c,d) on=VT+VH off=VT-VH;   W  CSW(IT IH ...)   S i(V)
 *   S  VSWITCH(VON VOFF)    S v(c,d) on=VON off=VOFF
 *   M  NMOS, PMOS, VDMOS(VTO RON)   M d g s VTO ron=RON, or RD + RS and that of the channel of
 *      level 1 near v(d,s) = 0, 1/(KP W/L (drive - VTO)), at the largest voltage of a source
 *   Q  NPN, PNP   Q c b e 0.6, -0.6
 *
 * .func becomes a <function>; nodes of .global are further nodes of each .subckt and of its calls.
 * (Vogt, Atkinson, Nenzi: ngspice user's manual, ch. 2 to 7.) What became of each model stands in
 * the head of the result; analyses that it has no use for are named there. A device that it cannot
 * say is an error at its line: without it the circuit would be another one. The result is loaded:
 * what it then has of errors is told at the lines of the deck. */
#include "io/import/import.h"

#include "base/suggest.h"
#include "base/text_stream.h"
#include "io/load/load.h"
#include "io/load/load_files.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(item) ((item)->lost = 1)
#include <uthash.h>

enum { WORDS = 4000, PARAMETERS = 60 }; /* of a line, of a model */
enum { INCLUDES = 20 };                 /* files in files */

typedef struct deck_line {
  char *text; /* continuations joined, comments gone, in small letters */
  const char *file;
  int number; /* in its file */
} deck_line;

typedef struct deck_model {
  const char *name, *type;
  const char *key[PARAMETERS], *value[PARAMETERS];
  const char *file;
  int n, line, used;
} deck_model;

/* The lines of the deck that lines of the result come from. */
typedef struct deck_origins {
  struct {
    const char *file;
    int line;
  } * of; /* malloced [n] */
  int n;
  size_t size; /* bytes of the result so far */
} deck_origins;

typedef struct deck {
  ns_ctx *c;
  const ns_import_source *source;
  ns_files files;
  ns_arena *a;
  deck_line *line; /* [nlines] */
  int nlines;
  deck_model *model; /* [nmodels] */
  int nmodels;
  char **global; /* nodes of .global [nglobals], malloced */
  int nglobals;
  char **word; /* of the line in hand [nwords], in `words` */
  int nwords;
  char *words;
  FILE *body, *functions, *notes;
  ns_text_stream netlist_stream, function_stream; /* of body and functions */
  char *netlist, *function;                       /* what these have been given, malloced */
  deck_origins in_netlist, in_functions;
  char *title;
  char *step, *stop, *max; /* of .tran; NULL: not given */
  double drive;            /* V, the largest number of a voltage source; 0: there is none */
  struct deck_name *names; /* uthash */
  const char *file;        /* in hand: as shown in messages */
  int at, depth, uic, bad; /* at: line of it; depth: of files in files */
  int has_section;         /* the file read last has the section of .lib */
} deck;

static int fail(deck *d, const char *fmt, ...) NS_PRINTF(2, 3);
static int fail(deck *d, const char *fmt, ...)
{
  char what[600];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(what, sizeof what, fmt, ap);
  va_end(ap);
  d->bad = 1;
  return ns_fail(d->c, NS_MODEL, "%.200s:%d: %s", d->file, d->at, what);
}

static void note(deck *d, const char *fmt, ...) NS_PRINTF(2, 3);
static void note(deck *d, const char *fmt, ...)
{
  char what[600];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(what, sizeof what, fmt, ap);
  va_end(ap);
  for (char *p = what; *p; p++)
    if (p[0] == '-' && p[1] == '-') *p = '~'; /* no comment of XML holds two of them */
  if (d->file == d->source->path) fprintf(d->notes, "  line %d: %s\n", d->at, what);
  else fprintf(d->notes, "  %.200s, line %d: %s\n", d->file, d->at, what);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Comments behind an element: from ; or from $ after a blank. */
static void cut_comment(char *s)
{
  for (char *p = s; *p; p++)
    if (*p == ';' || (*p == '$' && (p == s || isspace((unsigned char)p[-1])))) {
      *p = 0;
      return;
    }
}

static char *trimmed(char *s)
{
  while (isspace((unsigned char)*s)) s++;
  for (char *end = s + strlen(s); end > s && isspace((unsigned char)end[-1]);) *--end = 0;
  return s;
}

static int is_directive(const char *s, const char *name)
{
  size_t n = strlen(name);
  return !strncasecmp(s, name, n) && (!s[n] || isspace((unsigned char)s[n]));
}

/* In small letters; not what stands in quotes, which may be a file. */
static void fold(char *s)
{
  int quoted = 0;
  for (; *s; s++) {
    if (*s == '"') quoted = !quoted;
    if (!quoted) *s = (char)tolower((unsigned char)*s);
  }
}

static int add_line(deck *d, const char *text, int number)
{
  deck_line *last = d->nlines ? &d->line[d->nlines - 1] : NULL;
  if (*text == '+' && last) {
    size_t n = strlen(last->text) + strlen(text) + 2;
    char *longer = malloc(n);
    if (!longer) return ns_nomem(d->c, "deck");
    snprintf(longer, n, "%s %s", last->text, text + 1);
    free(last->text);
    last->text = longer;
    return NS_OK;
  }
  if (d->nlines % 256 == 0) {
    deck_line *more = realloc(d->line, (size_t)(d->nlines + 256) * sizeof *more);
    if (!more) return ns_nomem(d->c, "deck");
    d->line = more;
  }
  d->line[d->nlines] = (deck_line){strdup(text), d->file, number};
  return d->line[d->nlines++].text ? NS_OK : ns_nomem(d->c, "deck");
}

static int split(deck *d, const char *text, const char *dir, const char *section);

/* A word at s, without quotes, or what stands in them; the rest to *s. */
static char *file_word(char **s)
{
  char *p = *s + strspn(*s, " \t"), quote = *p == '"' || *p == '\'' ? *p : 0;
  char *begin = quote ? p + 1 : p;
  const char end[] = {quote, 0};
  p = begin + strcspn(begin, quote ? end : " \t");
  *s = *p ? p + 1 : p;
  *p = 0;
  return begin;
}

/* The lines of a file that .include F, or .lib F SECTION, names, from the folder of its file. */
static int include(deck *d, char *s, const char *dir, int is_lib)
{
  char at[300];
  const char *file = d->file, *shown, *real;
  char *name = file_word(&s), *section = is_lib ? trimmed(s) : NULL;
  ns_text t;
  if (!*name || (section && !*section)) {
    fail(d, "%s names no %s, expected `.include FILE` or `.lib FILE SECTION`",
         is_lib ? ".lib" : ".include", *name ? "section" : "file");
    return NS_OK;
  }
  if (d->depth == INCLUDES) {
    fail(d, "files include each other more than %d deep, expected fewer: does one include itself?",
         INCLUDES);
    return NS_OK;
  }
  if (section) fold(section);
  snprintf(at, sizeof at, "%.200s:%d: %s", file, d->at, is_lib ? ".lib" : ".include");
  int rc = ns_files_read_named(&d->files, d->c, at, dir, name, &t, &shown, &real), number = d->at;
  if (rc) {
    d->bad = 1;
    return rc == NS_NOMEM ? rc : NS_OK;
  }
  if (strlen(t.text) != t.n) {
    fail(d, "%.200s contains a NUL byte, expected text", shown);
    return NS_OK;
  }
  const char *inner = ns_files_dir(d->a, shown);
  if (!inner) return ns_nomem(d->c, "deck");
  d->file = shown;
  d->depth++;
  rc = split(d, t.text, inner, section);
  d->depth--;
  d->file = file;
  d->at = number;
  if (!rc && section && !d->has_section)
    fail(d, "%.200s has no section %.60s, expected a line `.lib %.60s`", shown, section, section);
  return rc;
}

/* Which lines of a file are read. */
typedef struct reading {
  const char *section; /* of .lib; NULL: all */
  int is_open;         /* within that section */
  int control;         /* within .control */
  int found;
} reading;

/* One line without blanks at its ends: 1 where it belongs to the deck. */
static int take(deck *d, reading *r, char *s)
{
  if (!*s || *s == '*' || *s == '#') return 0;
  cut_comment(s);
  s = trimmed(s);
  if (is_directive(s, ".endl")) {
    r->is_open = 0;
    return 0;
  }
  if (r->section && !r->is_open && is_directive(s, ".lib")) {
    char *name = trimmed(s + strlen(".lib"));
    r->is_open = !strcasecmp(name, r->section);
    r->found |= r->is_open;
    return 0;
  }
  if (r->section && !r->is_open) return 0;
  if (is_directive(s, ".control")) {
    note(d, "the commands of .control are ignored");
    r->control = 1;
  }
  int taken = *s && !r->control;
  if (is_directive(s, ".endc")) r->control = 0;
  return taken;
}

/* The lines of a text up to .end: of the deck itself the first is the title, of a library those of
 * a section. */
static int split(deck *d, const char *text, const char *dir, const char *section)
{
  char *copy = strdup(text), *next = copy;
  reading r = {.section = section};
  int rc = copy ? NS_OK : ns_nomem(d->c, "deck"), number = 0;
  while (next && !rc) {
    char *s = next;
    next = strchr(s, '\n');
    if (next) *next++ = 0;
    d->at = ++number;
    if (number == 1 && !d->depth) {
      d->title = strdup(trimmed(*s == '*' ? s + 1 : s));
      if (!d->title) rc = ns_nomem(d->c, "deck");
      continue;
    }
    s = trimmed(s);
    if (!take(d, &r, s)) continue;
    s = trimmed(s);
    int with = is_directive(s, ".include") ? 8 : is_directive(s, ".inc") ? 4 : 0;
    if (is_directive(s, ".end")) break;
    if (with) rc = include(d, s + with, dir, 0);
    else if (is_directive(s, ".lib")) rc = include(d, s + strlen(".lib"), dir, 1);
    else {
      fold(s);
      rc = add_line(d, s, number);
    }
  }
  d->has_section = r.found;
  free(copy);
  return rc;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* A word ends at a blank outside of parentheses, braces and quotes; blanks about = go, and those
 * before (. */
static int cut_words(deck *d, const char *s)
{
  size_t n = strlen(s);
  free(d->words);
  d->words = malloc(2 * n + 2);
  d->nwords = 0;
  if (!d->words) return ns_nomem(d->c, "deck");
  char *to = d->words;
  while (*s) {
    int depth = 0, quoted = 0;
    while (isspace((unsigned char)*s)) s++;
    if (!*s) break;
    if (d->nwords == WORDS)
      return fail(d, "the line has more than %d words, expected fewer", WORDS);
    d->word[d->nwords++] = to;
    for (; *s; s++) {
      const char *after = s + strspn(s, " \t");
      int joins = *after == '=' || (to > d->word[d->nwords - 1] && to[-1] == '=');
      int opens = *after == '(' && d->nwords > 2 && isalpha((unsigned char)to[-1]);
      if (isspace((unsigned char)*s) && !depth && !quoted) {
        if (!*after || (!joins && !opens)) break;
        s = after;
      }
      if (*s == '\'') quoted = !quoted;
      if (*s == '(' || *s == '{') depth++;
      if (*s == ')' || *s == '}') depth--;
      *to++ = *s == '\'' ? (quoted ? '{' : '}') : *s;
    }
    *to++ = 0;
  }
  return NS_OK;
}

/* Commas and parentheses about the nodes of an element become blanks: R1 (a,b) 1k. */
static void open_nodes(char *s)
{
  int nodes = strchr("egs", *s) ? 4 : strchr("mqx", *s) ? WORDS : 2, open = 0;
  s += strcspn(s, " \t(,");
  for (int k = 0; k < nodes && *s; k++) {
    for (; *s && (isspace((unsigned char)*s) || strchr("(),", *s)); s++) {
      if (*s == ')' && !open) return;
      if (*s == '(') open++;
      if (*s == ')') open--;
      *s = ' ';
    }
    size_t n = strcspn(s, " \t(),={'");
    const char *then = s + n + strspn(s + n, " \t");
    int is_option = *then && strchr("={'", *then);
    int is_function = s[n] == '(' || (*then == '(' && !open && k > 1); /* POLY(1) */
    if (is_option || is_function) return;
    s += n;
  }
  for (; *s && (isspace((unsigned char)*s) || strchr("),", *s)) && (open || *s != ')'); s++) {
    if (*s == ')') open--;
    *s = ' ';
  }
}

/* Value of key= among the words from `first` on; NULL: it is not there. */
static const char *option(const deck *d, int first, const char *key)
{
  size_t n = strlen(key);
  for (int k = first; k < d->nwords; k++)
    if (!strncmp(d->word[k], key, n) && d->word[k][n] == '=') return d->word[k] + n + 1;
  return NULL;
}

/* Words that are no options, from the first on. */
static int plain_words(const deck *d)
{
  int n = 0;
  while (n < d->nwords && !strchr(d->word[n], '=')) n++;
  return n;
}

static int is_one_of(const char *const *list, const char *s, size_t n)
{
  for (; list && *list; list++)
    if (strlen(*list) == n && !strncmp(*list, s, n)) return 1;
  return 0;
}

/* Options that nobody has read: those of neither list, which may be NULL. */
static void note_rest(deck *d, int first, const char *const *known, const char *const *more)
{
  for (int k = first; k < d->nwords; k++) {
    size_t n = strcspn(d->word[k], "=");
    if (!is_one_of(known, d->word[k], n) && !is_one_of(more, d->word[k], n))
      note(d, "%s: \"%s\" is ignored", d->word[0], d->word[k]);
  }
}

/* ---- names and numbers ----------------------------------------------------------------------- */

typedef struct deck_name {
  char *given; /* as the deck has it */
  int lost;
  UT_hash_handle hh;
  char put[]; /* as the netlist has it: the key */
} deck_name;

/* Two names of the deck may not become one. Names that stay as they are differ, unless they look
 * like one that was changed: they have a _. */
static void keep_apart(deck *d, const char *given, size_t n, const char *put)
{
  deck_name *known;
  size_t size = strlen(put);
  if (!strchr(put, '_')) return;
  HASH_FIND(hh, d->names, put, size, known);
  if (known && (strlen(known->given) != n || strncmp(known->given, given, n)))
    fail(d,
         "%.60s and %.*s are both %.60s in a netlist, whose names consist of letters, digits and "
         "_, expected names that differ by more; rename one",
         known->given, (int)(n < 60 ? n : 60), given, put);
  if (known) return;
  deck_name *more = malloc(sizeof *more + size + 1);
  char *copy = more ? strndup(given, n) : NULL;
  if (!copy) {
    free(more);
    ns_nomem(d->c, "deck");
    return;
  }
  more->given = copy;
  more->lost = 0;
  memcpy(more->put, put, size + 1);
  HASH_ADD(hh, d->names, put, size, more);
  if (!more->lost) return;
  free(copy);
  free(more);
  ns_nomem(d->c, "deck");
}

/* A name of a netlist: letters, digits, _. Ground is 0. */
static void put_name_of(deck *d, const char *s, size_t n)
{
  ns_text_stream written;
  FILE *f = ns_text_stream_open(&written);
  if (!f) {
    ns_nomem(d->c, "deck");
    return;
  }
  if (n == 3 && !strncmp(s, "gnd", n)) fputc('0', f);
  else
    for (size_t k = 0; k < n; k++) {
      int good = isalnum((unsigned char)s[k]) || strchr("_{}", s[k]);
      if (good) fputc(s[k], f);
      else fputs(s[k] == '+' ? "_p" : s[k] == '-' ? "_m" : "_", f);
    }
  char *name = ns_text_stream_close(&written);
  if (!name) ns_nomem(d->c, "deck");
  else {
    keep_apart(d, s, n, name);
    fputs(name, d->body);
  }
  free(name);
}

static void put_name(deck *d, const char *s)
{
  fputc(' ', d->body);
  put_name_of(d, s, strlen(s));
}

/* A node or an element that a formula names: x1.x2.n, and r.x1.x2.r1, stand in subcircuits, where
 * a netlist calls them n_x2_x1 and r1_x2_x1. */
static void put_probed(deck *d, const char *s, size_t n)
{
  if (n > 2 && s[1] == '.' && s[2] == 'x' && *s != 'x') s += 2, n -= 2;
  if (*s != 'x' || !memchr(s, '.', n)) {
    put_name_of(d, s, n);
    return;
  }
  for (size_t end = n; end > 0;) {
    size_t begin = end;
    while (begin > 0 && s[begin - 1] != '.') begin--;
    if (end < n) fputc('_', d->body);
    put_name_of(d, s + begin, end - begin);
    end = begin ? begin - 1 : 0;
  }
}

static const struct {
  const char *suffix;
  double by;
  const char *put; /* as nssim has it */
} suffixes[] = {{"meg", 1e6, "meg"}, {"mil", 25.4e-6, "mil"}, {"t", 1e12, "T"}, {"g", 1e9, "G"},
                {"k", 1e3, "k"},     {"m", 1e-3, "m"},        {"u", 1e-6, "u"}, {"n", 1e-9, "n"},
                {"p", 1e-12, "p"},   {"f", 1e-15, "f"}};

/* Bytes of a number at s without its suffix, and its suffix in *k, -1: none. What follows is a
 * unit, which nobody reads. */
static size_t number_at(const char *s, int *k)
{
  size_t n = strspn(s, "0123456789."), sign = 0;
  if ((s[n] == 'e' || s[n] == 'd') && (s[n + 1] == '+' || s[n + 1] == '-')) sign = 1;
  if ((s[n] == 'e' || s[n] == 'd') && isdigit((unsigned char)s[n + 1 + sign]))
    n += 1 + sign + strspn(s + n + 1 + sign, "0123456789");
  *k = -1;
  for (int i = 0; i < (int)(sizeof suffixes / sizeof *suffixes) && *k < 0; i++)
    if (!strncmp(s + n, suffixes[i].suffix, strlen(suffixes[i].suffix))) *k = i;
  return n;
}

/* SPICE's number in s; NAN: it is none. */
static double number(const char *s)
{
  int k;
  char digits[60];
  if (!isdigit((unsigned char)s[strspn(s, "+-.")])) return NAN;
  size_t sign = strspn(s, "+-"), n = sign + number_at(s + sign, &k);
  snprintf(digits, sizeof digits, "%.*s", (int)n, s);
  for (char *p = digits; *p; p++)
    if (*p == 'd') *p = 'e';
  return strtod(digits, NULL) * (k < 0 ? 1 : suffixes[k].by);
}

/* A number of a formula at s, without its unit: bytes read. */
static size_t put_number(deck *d, const char *s)
{
  int k;
  size_t n = number_at(s, &k), end = n;
  for (size_t i = 0; i < n; i++) fputc(s[i] == 'd' ? 'e' : s[i], d->body);
  if (k >= 0) {
    fputs(suffixes[k].put, d->body);
    end += strlen(suffixes[k].suffix);
  }
  while (isalpha((unsigned char)s[end])) end++;
  if (isdigit((unsigned char)s[end])) {
    size_t all = end + strspn(s + end, "0123456789");
    fail(d,
         "%.*s has digits after a letter, which ngspice 39 ignores and later releases read as a "
         "decimal point, expected the number as 4.7k",
         (int)(all < 40 ? all : 40), s);
  }
  return end;
}

/* v(a,b) and i(r1) at s: bytes read, 0: it is none of them. */
static size_t put_probe(deck *d, const char *s)
{
  const char *open = s + 1 + strspn(s + 1, " \t"), *close = strchr(s, ')');
  if ((*s != 'v' && *s != 'i') || *open != '(' || !close) return 0;
  fprintf(d->body, "%c(", *s);
  for (const char *p = open + 1; p < close;) {
    p += strspn(p, " \t");
    size_t n = strcspn(p, " \t,)");
    put_probed(d, p, n);
    p += n + strspn(p + n, " \t");
    if (*p == ',') fputc(*p++, d->body);
  }
  fputc(')', d->body);
  return (size_t)(close - s) + 1;
}

/* A word of a formula: n bytes at s. Functions that another one computes have its beginning. */
static size_t put_word(deck *d, const char *s, size_t n)
{
  static const char *const other[][2] = {
      {"time", "t"},        {"ln", "log"},      {"sgn", "sign"},       {"u(", "step("},
      {"uramp(", "max(0,"}, {"arctan", "atan"}, {"ternary_fcn", "if"}, {"limit", "sat"}};
  for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
    size_t m = strlen(other[k][0]);
    int opens = other[k][0][m - 1] == '(';
    if (m != n + (size_t)opens || strncmp(s, other[k][0], m)) continue;
    fputs(other[k][1], d->body);
    return m;
  }
  fwrite(s, 1, n, d->body);
  return n;
}

static void put_xml(FILE *f, char c)
{
  if (c == '<') fputs("&lt;", f);
  else if (c == '>') fputs("&gt;", f);
  else if (c == '&') fputs("&amp;", f);
  else fputc(c, f);
}

/* A formula in XML, as nssim writes it. */
static void put_text(deck *d, const char *s)
{
  while (*s) {
    size_t n = 0, probe = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_') n++;
    if (n == 1 && (probe = put_probe(d, s))) s += probe;
    else if (isdigit((unsigned char)*s) || (*s == '.' && isdigit((unsigned char)s[1])))
      s += put_number(d, s);
    else if (n) s += put_word(d, s, n);
    else if (!strncmp(s, "**", 2)) fputc('^', d->body), s += 2;
    else put_xml(d->body, *s++);
  }
}

/* key=value of the result. */
static void put_option(deck *d, const char *key, const char *value)
{
  fprintf(d->body, " %s=", key);
  put_text(d, value);
}

static void put_nodes(deck *d, int from, int n)
{
  for (int k = from; k < from + n; k++) put_name(d, d->word[k]);
}

/* ---- models ---------------------------------------------------------------------------------- */

/* .model NAME TYPE(key=value ...), whose text stays as long as the deck. */
static int read_model(deck *d, char *s)
{
  deck_model *more = realloc(d->model, (size_t)(d->nmodels + 1) * sizeof *more);
  if (!more) return ns_nomem(d->c, "deck");
  d->model = more;
  deck_model *m = &d->model[d->nmodels];
  char *save, *p = s + strlen(".model");
  *m = (deck_model){.line = d->at, .file = d->file};
  for (char *q = p; *q; q++)
    if (*q == '(' || *q == ')' || *q == ',') *q = ' ';
  for (char *q = p, *to = p; *to; q++) { /* blanks about = go */
    while (isspace((unsigned char)*q) && q[strspn(q, " \t")] == '=') q++;
    *to = *q;
    if (*q == '=') q += strspn(q + 1, " \t");
    if (*to) to++;
  }
  m->name = strtok_r(p, " \t", &save);
  m->type = m->name ? strtok_r(NULL, " \t", &save) : NULL;
  if (!m->type)
    return fail(d, ".model has no name and type, expected `.model NAME TYPE(key=value ...)`");
  for (char *word; (word = strtok_r(NULL, " \t", &save)) && m->n < PARAMETERS;) {
    char *eq = strchr(word, '=');
    if (eq) *eq = 0;
    m->key[m->n] = word;
    m->value[m->n++] = eq ? eq + 1 : "1";
  }
  d->nmodels++;
  return NS_OK;
}

static int is_model(const deck *d, const char *name)
{
  for (int k = 0; k < d->nmodels; k++)
    if (!strcmp(d->model[k].name, name)) return 1;
  return 0;
}

static deck_model *find_model(deck *d, const char *name)
{
  ns_suggest s;
  ns_suggest_init(&s, name, strlen(name));
  for (int k = 0; k < d->nmodels; k++) {
    if (!strcmp(d->model[k].name, name)) {
      d->model[k].used = 1;
      return &d->model[k];
    }
    ns_suggest_offer(&s, d->model[k].name);
  }
  fail(d, "%.60s: there is no .model %.60s, expected one in the deck%s%.60s%s", d->word[0], name,
       s.best ? "; did you mean " : "", s.best ? s.best : "", s.best ? "?" : "");
  return NULL;
}

static const char *value_of(const deck_model *m, const char *key)
{
  for (int k = 0; k < m->n; k++)
    if (!strcmp(m->key[k], key)) return m->value[k];
  return NULL;
}

/* The model of a device and its type; NULL: reported. */
static deck_model *model_of(deck *d, int word, const char *const *types, const char *expected)
{
  if (word >= plain_words(d)) {
    fail(d, "%.60s names no model, expected `%s`", d->word[0], expected);
    return NULL;
  }
  deck_model *m = find_model(d, d->word[word]);
  if (!m) return NULL;
  for (const char *const *t = types; *t; t++)
    if (!strcmp(m->type, *t)) return m;
  fail(d, "%.60s: the model %.60s is of type %.30s, expected `%s`", d->word[0], m->name, m->type,
       expected);
  return NULL;
}

/* ---- elements -------------------------------------------------------------------------------- */

static void too_few(deck *d, const char *expected)
{
  fail(d, "%.60s has %d words after its name, expected `%s`", d->word[0], d->nwords - 1, expected);
}

static void put_head(deck *d, const char *prefix, int nodes)
{
  fprintf(d->body, "    %s%s", prefix, d->word[0]);
  put_nodes(d, 1, nodes);
}

/* The model of a resistor by its sheet or by its value; NULL: reported. */
static const deck_model *sheet_of(deck *d, const char *name)
{
  const deck_model *m = find_model(d, name);
  int has_sheet = m && value_of(m, "rsh") && option(d, 3, "l") &&
                  (option(d, 3, "w") || value_of(m, "defw"));
  if (m && !has_sheet && !value_of(m, "r")) {
    fail(d,
         "%.60s has the model %.60s and no value, expected `%.60s a b value`, or L= and W= with "
         "`.model %.60s R(RSH=)`",
         d->word[0], name, d->word[0], name);
    return NULL;
  }
  return m;
}

/* length - 2 less */
static void put_less(deck *d, const char *length, const char *less)
{
  fputs("((", d->body);
  put_text(d, length);
  fputs(")-2*(", d->body);
  put_text(d, less ? less : "0");
  fputs("))", d->body);
}

/* RSH (L - 2 SHORT)/(W - 2 NARROW), as ngspice 39 computes it, or R of the model. */
static void put_sheet(deck *d, const deck_model *m)
{
  const char *rsh = value_of(m, "rsh"), *l = option(d, 3, "l"), *w = option(d, 3, "w");
  if (!rsh || !l) {
    put_text(d, value_of(m, "r"));
    return;
  }
  fputc('(', d->body);
  put_text(d, rsh);
  fputs(")*", d->body);
  put_less(d, l, value_of(m, "short"));
  fputc('/', d->body);
  put_less(d, w ? w : value_of(m, "defw"), value_of(m, "narrow"));
}

/* R, C, L: value by itself or by its letter. */
static void passive(deck *d)
{
  static const char *const known[] = {"ic", "m", "r", "c", "l", "scale", NULL};
  static const char *const of_length[] = {"l", "w", "ac", NULL};
  const char key[] = {*d->word[0], 0}, *ic = option(d, 3, "ic"), *value = option(d, 3, key),
             *many = option(d, 3, "m"), /* so many in parallel */
                 *scale = option(d, 3, "scale");
  int plain = plain_words(d), given = 3, by_model = 0;
  if (!value && plain > 3) value = d->word[3], given = 4;
  if (given == 4 && is_model(d, value)) { /* a value may stand behind its model */
    by_model = *key == 'r' && plain == 4;
    given = plain > 4 ? 5 : 4;
    if (plain > 4) value = d->word[4];
  } else if (given == 4 && plain > 4 && is_model(d, d->word[4])) {
    find_model(d, d->word[4]);
    given = 5;
  }
  if (!value) {
    too_few(d, "Rname a b value");
    return;
  }
  const deck_model *m = by_model ? sheet_of(d, value) : NULL;
  if (by_model && !m) return;
  put_head(d, "", 2);
  fputc(' ', d->body);
  if (m) put_sheet(d, m);
  else put_text(d, value);
  if (many) {
    fputs(*key == 'c' ? "*(" : "/(", d->body);
    put_text(d, many);
    fputc(')', d->body);
  }
  if (scale) {
    fputs("*(", d->body);
    put_text(d, scale);
    fputc(')', d->body);
  }
  if (ic && *key != 'r') put_option(d, "ic", ic);
  fputc('\n', d->body);
  note_rest(d, given, known, m ? of_length : NULL);
}

/* The numbers of a waveform as words, in place: at most `max` of them. A formula in braces is one
 * word. */
static int wave_words(char *wave, const char **word, int max)
{
  int n = 0, braces = 0;
  char *to = wave;
  for (const char *p = wave; *p; p++) {
    braces += (*p == '{') - (*p == '}');
    if (!braces) *to++ = strchr(",()", *p) ? ' ' : *p;
    else if (!isspace((unsigned char)*p)) *to++ = *p;
  }
  *to = 0;
  char *save, *p = strtok_r(wave, " \t", &save); /* its name */
  while (n < max && p && (p = strtok_r(NULL, " \t", &save))) word[n++] = p;
  return n;
}

/* Number k of a waveform, `missing` where it is not there or 0. */
static void put_time(deck *d, const char *const *word, int n, int k, const char *missing)
{
  int is_missing = k >= n || (missing && number(word[k]) == 0);
  put_text(d, is_missing ? missing ? missing : "0" : word[k]);
}

/* PULSE(V1 V2 TD TR TF PW PER NP), whose times are those of .tran where they are missing or 0. A
 * period that is the end of the run, or longer, is no period. */
static void put_pulse(deck *d, char *wave)
{
  enum { FROM = 3, PERIOD = 6, MAX = 8 };
  const char *given[MAX], *const missing[] = {d->step, d->step, d->stop};
  int n = wave_words(wave, given, MAX);
  int has_period = n > PERIOD && !(number(given[PERIOD]) == 0) &&
                   !(d->stop && number(given[PERIOD]) >= number(d->stop));
  fputs("pulse(", d->body);
  for (int k = 0; k < (has_period ? n : PERIOD); k++) {
    if (k) fputc(' ', d->body);
    put_time(d, given, n, k, k >= FROM && k < PERIOD ? missing[k - FROM] : NULL);
  }
  fputc(')', d->body);
}

/* SIN(VO VA FREQ TD THETA PHASE): one period in the time of .tran where FREQ is missing or 0. */
static void put_sine(deck *d, char *wave)
{
  enum { FREQUENCY = 2, MAX = 6 };
  const char *given[MAX];
  int n = wave_words(wave, given, MAX);
  fputs("sin(", d->body);
  for (int k = 0; k < n || k <= FREQUENCY; k++) {
    int is_missing = k == FREQUENCY && (k >= n || number(given[k]) == 0) && d->stop;
    if (k) fputc(' ', d->body);
    if (is_missing) fputs("1/", d->body);
    put_time(d, given, n, k, is_missing ? d->stop : NULL);
  }
  fputc(')', d->body);
}

/* EXP(V1 V2 TD1 TAU1 TD2 TAU2): constants of time are steps of .tran where they are missing or 0,
 * and TD2 one after TD1. */
static void put_exponential(deck *d, char *wave)
{
  enum { FIRST = 2, SECOND = 4, MAX = 6 };
  const char *given[MAX];
  int n = wave_words(wave, given, MAX);
  fputs("exp(", d->body);
  for (int k = 0; k < MAX; k++) {
    if (k) fputc(' ', d->body);
    if (k == SECOND && (k >= n || number(given[k]) == 0)) {
      put_time(d, given, n, FIRST, NULL);
      fputc('+', d->body);
    }
    put_time(d, given, n, k, k > FIRST ? d->step : NULL);
  }
  fputc(')', d->body);
}

/* SIN 0 1 50, from word *k on to the end, as sin(0 1 50), malloced. */
static char *join_wave(deck *d, int *k)
{
  ns_text_stream joined;
  FILE *f = ns_text_stream_open(&joined);
  if (!f) {
    ns_nomem(d->c, "deck");
    return NULL;
  }
  fprintf(f, "%s(", d->word[*k]);
  while (*k + 1 < d->nwords && !strchr(d->word[*k + 1], '=')) fprintf(f, " %s", d->word[++*k]);
  fputc(')', f);
  char *text = ns_text_stream_close(&joined);
  if (!text) ns_nomem(d->c, "deck");
  return text;
}

/* (SIN 0 1 50) as SIN(0 1 50), in place. */
static char *open_wave(char *s)
{
  size_t n = strcspn(s + 1, " \t");
  if (!s[1 + n]) return s;
  memmove(s, s + 1, n);
  s[n] = '(';
  return s;
}

/* DC x AC y z SIN(...): what is of .tran. */
static void source(deck *d)
{
  static const char *const waves[] = {"sin", "pulse",   "exp",      "pwl",     "sffm",
                                      "am",  "trnoise", "trrandom", "external"};
  const char *dc = NULL, *wave = NULL, *repeat = option(d, 3, "r"), *delay = option(d, 3, "td");
  char *joined = NULL;
  for (int k = 3; k < d->nwords; k++) {
    const char *w = d->word[k];
    int is_wave = 0;
    if (*w == '(' && isalpha((unsigned char)w[1])) w = d->word[k] = open_wave(d->word[k]);
    for (size_t i = 0; i < sizeof waves / sizeof *waves; i++)
      is_wave |= !strncmp(w, waves[i], strlen(waves[i])) &&
                 !isalnum((unsigned char)w[strlen(waves[i])]);
    if (is_wave && !strchr(w, '(')) wave = joined = join_wave(d, &k);
    else if (is_wave) wave = w;
    else if (!strcmp(w, "dc") && k + 1 < d->nwords) dc = d->word[++k];
    else if (!strcmp(w, "ac")) {
      while (k + 1 < d->nwords &&
             (isdigit((unsigned char)*d->word[k + 1]) || *d->word[k + 1] == '.'))
        k++;
      note(d, "%s: AC is for another analysis and is ignored", d->word[0]);
    } else if (!dc && !strchr(w, '=')) dc = w;
    else if (strncmp(w, "r=", 2) && strncmp(w, "td=", 3))
      note(d, "%s: \"%s\" is ignored", d->word[0], w);
  }
  int known = wave && (!strncmp(wave, "sin", 3) || !strncmp(wave, "pulse", 5) ||
                       !strncmp(wave, "exp", 3) || !strncmp(wave, "pwl", 3));
  if (wave && (!known || !strchr(wave, '('))) {
    fail(d,
         "%.60s: %.60s is not a waveform of nssim netlists, expected SIN(...), PULSE(...), "
         "EXP(...) or PWL(...)",
         d->word[0], wave);
    free(joined);
    return;
  }
  if (d->c->rc == NS_NOMEM) return;
  put_head(d, "", 2);
  fputc(' ', d->body);
  char *blanks = wave ? strdup(wave) : NULL;
  for (char *p = blanks; p && *p; p++)
    if (*p == ',') *p = ' ';
  if (blanks && !strncmp(blanks, "pulse", 5)) put_pulse(d, blanks);
  else if (blanks && !strncmp(blanks, "sin", 3)) put_sine(d, blanks);
  else if (blanks && !strncmp(blanks, "exp", 3)) put_exponential(d, blanks);
  else put_text(d, blanks ? blanks : wave ? wave : dc ? dc : "0");
  if (repeat) put_option(d, "r", repeat);
  if (delay) put_option(d, "td", delay);
  free(blanks);
  free(joined);
  fputc('\n', d->body);
}

/* B1 a b v=...; E1 a b value={...}, vol=...; G1 a b cur=... */
static void behaviour(deck *d, const char *line)
{
  static const struct {
    const char *key;
    char as;
  } keys[] = {{"v", 'v'}, {"i", 'i'}, {"value", 0}, {"vol", 'v'}, {"cur", 'i'}};
  const char *eq = strchr(line, '='), *name = d->nwords > 3 ? d->word[3] : "";
  size_t n = strcspn(name, "=");
  for (size_t k = 0; k < sizeof keys / sizeof *keys && eq; k++) {
    if (strlen(keys[k].key) != n || strncmp(name, keys[k].key, n)) continue;
    char as = keys[k].as ? keys[k].as : *d->word[0] == 'e' ? 'v' : 'i';
    put_head(d, *d->word[0] == 'b' ? "" : "b", 2);
    fprintf(d->body, " %c=", as);
    char *quotes = strdup(eq + 1);
    for (char *p = quotes; p && *p; p++)
      if (*p == '\'') *p = ' ';
    put_text(d, quotes ? quotes : eq + 1);
    free(quotes);
    fputc('\n', d->body);
    if (*d->word[0] != 'b') note(d, "%s is the source b%s", d->word[0], d->word[0]);
    return;
  }
  fail(d,
       "%.60s is not a source of nssim netlists, expected `Bname a b v=FORMULA` or `Ename a b c d "
       "gain`",
       d->word[0]);
}

static void diode(deck *d)
{
  static const char *const types[] = {"d", NULL};
  const deck_model *m = model_of(d, 3, types, "Dname a b MODEL with `.model MODEL D(...)`");
  if (!m) return;
  const char *bv = value_of(m, "bv"), *vf = value_of(m, "vfwd"), *ron = value_of(m, "ron"),
             *roff = value_of(m, "roff");
  if (!bv) bv = value_of(m, "vrev");
  if (!ron) ron = value_of(m, "rs");
  put_head(d, bv ? "z" : "", 2);
  if (bv) fputc(' ', d->body), put_text(d, bv);
  if (vf) put_option(d, "vf", vf);
  if (ron) put_option(d, "ron", ron);
  if (roff) put_option(d, "roff", roff);
  fputc('\n', d->body);
  if (bv) note(d, "%s is the Zener diode z%s", d->word[0], d->word[0]);
}

/* key=(a)+(b) of the result. */
static void put_sum(deck *d, const char *key, const char *a, char sign, const char *b)
{
  fprintf(d->body, " %s=(", key);
  put_text(d, a);
  fprintf(d->body, ")%c(", sign);
  put_text(d, b);
  fputc(')', d->body);
}

/* Thresholds t + h and t - h of a formula, or those of VSWITCH. */
static void put_switch(deck *d, const deck_model *m, const char *formula, const char *t,
                       const char *h, const char *state)
{
  const char *vt = value_of(m, t), *vh = value_of(m, h), *ron = value_of(m, "ron"),
             *roff = value_of(m, "roff");
  if (!vt) vt = "0";
  if (!vh) vh = "0";
  fputc(' ', d->body);
  put_text(d, formula);
  if (!strcmp(m->type, "vswitch")) {
    const char *von = value_of(m, "von"), *voff = value_of(m, "voff");
    put_option(d, "on", von ? von : "1");
    put_option(d, "off", voff ? voff : "0");
  } else {
    put_sum(d, "on", vt, '+', vh);
    put_sum(d, "off", vt, '-', vh);
  }
  put_option(d, "ron", ron ? ron : "1");
  if (roff) put_option(d, "roff", roff);
  if (state && !strcmp(state, "on")) fputs(" ic=1", d->body);
  fputc('\n', d->body);
}

static void voltage_switch(deck *d)
{
  static const char *const types[] = {"sw", "vswitch", NULL};
  char formula[400];
  const deck_model *m = model_of(d, 5, types,
                                 "Sname a b c d MODEL with `.model MODEL SW(VT= VH= RON= ROFF=)`");
  if (!m) return;
  snprintf(formula, sizeof formula, "v(%.150s,%.150s)", d->word[3], d->word[4]);
  put_head(d, "", 2);
  put_switch(d, m, formula, "vt", "vh", d->nwords > 6 ? d->word[6] : NULL);
}

static void current_switch(deck *d)
{
  static const char *const types[] = {"csw", NULL};
  char formula[200];
  const deck_model *m = model_of(
      d, 4, types, "Wname a b VNAME MODEL with `.model MODEL CSW(IT= IH= RON= ROFF=)`");
  if (!m) return;
  snprintf(formula, sizeof formula, "i(%.150s)", d->word[3]);
  put_head(d, "s", 2);
  put_switch(d, m, formula, "it", "ih", d->nwords > 5 ? d->word[5] : NULL);
  note(d, "%s is the switch s%s", d->word[0], d->word[0]);
}

/* A dimension of a transistor: on its line, in its model, or what SPICE takes. */
static const char *dimension(const deck *d, const deck_model *m, int options, const char *key)
{
  const char *on_line = option(d, options, key), *in_model = value_of(m, key);
  if (on_line) return on_line;
  return in_model ? in_model : "100u";
}

/* " ron=" of a transistor with the channel of level 1 at the gate drive of the deck. 0: there is no
 * such resistance, and nothing is written. */
static int put_channel(deck *d, const deck_model *m, int options, int negative)
{
  const char *level = value_of(m, "level"), *vto = value_of(m, "vto"), *kp = value_of(m, "kp"),
             *tox = value_of(m, "tox"), *uo = value_of(m, "uo");
  const char *const series[] = {value_of(m, "rd"), value_of(m, "rs")};
  int vertical = !strcmp(m->type, "vdmos");
  double oxide = 3.9 * 8.8541878e-12, above = d->drive - fabs(vto ? number(vto) : 0);
  if ((level && !(number(level) <= 3)) || above <= 0) return 0; /* not finite: a formula */
  fputs(" ron=", d->body);
  for (int k = 0; k < 2; k++) {
    if (!series[k]) continue;
    put_text(d, series[k]);
    fputc('+', d->body);
  }
  fputs("1/((", d->body);
  if (kp) put_text(d, kp);
  else if (vertical) fputc('1', d->body);
  else if (tox) {
    fprintf(d->body, "%.9g*(", oxide * 1e-4);
    put_text(d, uo ? uo : "600");
    fputs(")/(", d->body);
    put_text(d, tox);
    fputc(')', d->body);
  } else fputs("2e-5", d->body);
  if (!vertical) {
    fputs(")*(", d->body);
    put_text(d, dimension(d, m, options, "w"));
    fputs(")/(", d->body);
    put_text(d, dimension(d, m, options, "l"));
  }
  fprintf(d->body, ")*(%.9g%c(", d->drive, negative ? '+' : '-');
  put_text(d, vto ? vto : "0");
  fputs(")))", d->body);
  note(d,
       "%s: ron is that of its channel at a gate of %.4g V, the largest voltage of a source; RON= "
       "in its .model replaces it",
       d->word[0], d->drive);
  return 1;
}

/* A bulk or substrate may stand before the model; an area, off behind it are ignored. */
static void transistor(deck *d, int mos)
{
  static const char *const of_m[] = {"nmos", "pmos", "vdmos", NULL}, *const of_q[] = {"npn", "pnp",
                                                                                      NULL};
  const char *usage = mos ? "Mname d g s [b] MODEL with `.model MODEL NMOS(VTO= RON=)`"
                          : "Qname c b e [s] MODEL with `.model MODEL NPN(...)`";
  int last = plain_words(d) - 1, at = 4;
  if (last < 4) {
    too_few(d, usage);
    return;
  }
  while (at < last && !is_model(d, d->word[at])) at++;
  if (at == last && !is_model(d, d->word[at])) at = last > 5 ? 5 : last; /* told to be none */
  const deck_model *m = model_of(d, at, mos ? of_m : of_q, usage);
  if (!m) return;
  for (int k = at + 1; k <= last; k++) note(d, "%s: \"%s\" is ignored", d->word[0], d->word[k]);
  int negative = !strcmp(m->type, "pmos") || !strcmp(m->type, "pnp") || value_of(m, "pchan");
  const char *vto = mos ? value_of(m, "vto") : NULL, *ron = value_of(m, "ron");
  put_head(d, "", 3);
  if (vto) fputc(' ', d->body), put_text(d, vto);
  else fputs(mos ? (negative ? " -1e-9" : " 0") : negative ? " -0.6" : " 0.6", d->body);
  int has_channel = mos && !ron && put_channel(d, m, at + 1, negative);
  if (!ron && mos) ron = value_of(m, "rd");
  if (!ron && !has_channel && mos)
    note(d,
         "%s has no resistance while it conducts; two that conduct in series short-circuit their "
         "supply: give RON= in its .model",
         d->word[0]);
  if (ron && !has_channel) put_option(d, "ron", ron);
  fputc('\n', d->body);
}

/* E1 a b POLY(2) c d e f 0 1 2: as it stands, but for what nodes and elements are called. */
static void polynomial(deck *d, const char *line, int current)
{
  static const char apart[] = " \t,()";
  const char *s = strstr(line, "poly") + strlen("poly");
  int n = (int)strtol(s + strspn(s, apart), NULL, 10), names = current ? n : 2 * n;
  s += strspn(s, apart);
  s += strcspn(s, apart);
  put_head(d, "", 2);
  fprintf(d->body, " POLY(%d)", n);
  for (int k = 0; *(s += strspn(s, apart)); k++) {
    size_t size = strcspn(s, apart);
    char *w = strndup(s, size);
    if (k < names) put_name(d, w ? w : "");
    else fputc(' ', d->body), put_text(d, w ? w : "");
    free(w);
    s += size;
  }
  fputc('\n', d->body);
}

/* E1 a b TABLE {v(c)} = (0,0) (1,1) */
static void table(deck *d, const char *line)
{
  put_head(d, "", 2);
  fputc(' ', d->body);
  put_text(d, strstr(line, "table"));
  fputc('\n', d->body);
}

static int is_third(const deck *d, const char *word)
{
  return d->nwords > 3 && !strncmp(d->word[3], word, strlen(word));
}

static void four_nodes(deck *d, const char *line)
{
  if (is_third(d, "poly")) {
    polynomial(d, line, 0);
    return;
  }
  if (is_third(d, "table")) {
    table(d, line);
    return;
  }
  if (plain_words(d) < 6) {
    behaviour(d, line);
    return;
  }
  put_head(d, "", 4);
  fputc(' ', d->body);
  put_text(d, d->word[5]);
  fputc('\n', d->body);
}

static void by_current(deck *d, const char *line)
{
  if (is_third(d, "poly")) {
    polynomial(d, line, 1);
    return;
  }
  if (plain_words(d) < 5) {
    fail(d, "%.60s is not a source of nssim netlists, expected `Fname a b VNAME gain`", d->word[0]);
    return;
  }
  put_head(d, "", 2);
  put_name(d, d->word[3]);
  fputc(' ', d->body);
  put_text(d, d->word[4]);
  fputc('\n', d->body);
}

static void coupling(deck *d)
{
  if (d->nwords != 4) {
    too_few(d, "Kname L1 L2 coupling; write a separate K for each pair of inductors");
    return;
  }
  if (fabs(number(d->word[3])) > 1) {
    fail(d, "%.60s: the coupling is %.40s, expected a number from -1 to 1", d->word[0], d->word[3]);
    return;
  }
  put_head(d, "", 2);
  fputc(' ', d->body);
  put_text(d, d->word[3]);
  fputc('\n', d->body);
}

/* Words from..to-1 of X or .subckt: names, and key=value. */
static void put_words(deck *d, int from, int to)
{
  for (int k = from; k < to; k++) {
    if (!strcmp(d->word[k], "params:")) continue;
    if (!strchr(d->word[k], '=')) put_name(d, d->word[k]);
    else fputc(' ', d->body), put_text(d, d->word[k]);
  }
}

static void put_globals(deck *d)
{
  for (int k = 0; k < d->nglobals; k++) put_name(d, d->global[k]);
}

/* X1 a b NAME params: p=1 */
static void call(deck *d)
{
  fprintf(d->body, "    %s", d->word[0]);
  int name = plain_words(d) - 1;
  if (name > 0 && !strcmp(d->word[name], "params:")) name--;
  put_words(d, 1, name);
  put_globals(d);
  put_words(d, name, d->nwords);
  fputc('\n', d->body);
}

/* Whether a device of two ends has both at one node, where it carries nothing that any other device
 * can see. */
static int is_joined(const deck *d)
{
  const char *one = d->word[1], *other = d->word[2];
  return strchr("rcdswmqig", *d->word[0]) && d->nwords > 3 &&
         (!strcmp(one, other) || (!strcmp(one, "gnd") && !strcmp(other, "0")) ||
          (!strcmp(one, "0") && !strcmp(other, "gnd")));
}

static void element(deck *d, const char *line)
{
  if (d->nwords < 3 && *line != 'x') {
    too_few(d, "its nodes and its value");
    return;
  }
  if (is_joined(d)) {
    note(d, "%s has both ends at node %s and is omitted", d->word[0], d->word[1]);
    return;
  }
  switch (*line) {
  case 'r':
  case 'c':
  case 'l': passive(d); break;
  case 'v':
  case 'i': source(d); break;
  case 'b': behaviour(d, line); break;
  case 'e':
  case 'g': four_nodes(d, line); break;
  case 'f':
  case 'h': by_current(d, line); break;
  case 'k': coupling(d); break;
  case 'd': diode(d); break;
  case 's': voltage_switch(d); break;
  case 'w': current_switch(d); break;
  case 'm': transistor(d, 1); break;
  case 'q': transistor(d, 0); break;
  case 'x': call(d); break;
  default:
    fail(d,
         "%.60s: nssim netlists have no such device (%c), expected one of R C L K V I B E F G H D "
         "S W M Q X; replace it",
         d->word[0], toupper((unsigned char)*line));
  }
}

/* ---- directives ------------------------------------------------------------------------------ */

static void transient(deck *d)
{
  if (d->nwords < 3) {
    too_few(d, ".tran STEP STOP [START [MOST]] [UIC]");
    return;
  }
  int n = plain_words(d);
  d->uic = !strcmp(d->word[n - 1], "uic");
  n -= d->uic;
  free(d->step);
  free(d->stop);
  free(d->max);
  d->step = strdup(d->word[1]);
  d->stop = strdup(d->word[2]);
  d->max = n > 4 ? strdup(d->word[4]) : NULL;
  if (n > 3 && strcmp(d->word[3], "0"))
    note(d, ".tran: rows before %s are recorded, too", d->word[3]);
}

/* .param and .ic: names and formulas, with commas or quotes about them. */
static void values(deck *d, const char *line)
{
  char *text = strdup(line);
  int depth = 0, quoted = 0;
  size_t n = strcspn(line, " \t");
  if (!text) {
    ns_nomem(d->c, "deck");
    return;
  }
  for (char *p = text; *p; p++) {
    if (*p == '\'') *p = (quoted = !quoted) ? '{' : '}';
    depth += (*p == '(' || *p == '{') - (*p == ')' || *p == '}');
    if (*p == ',' && !depth) *p = ' ';
  }
  fprintf(d->body, "    %.*s", (int)n, text);
  put_text(d, text + n);
  fputc('\n', d->body);
  free(text);
}

/* .subckt NAME a b params: p=1 */
static void subcircuit(deck *d)
{
  fputs("    .subckt", d->body);
  int nodes = plain_words(d);
  if (nodes > 0 && !strcmp(d->word[nodes - 1], "params:")) nodes--;
  put_words(d, 1, nodes);
  put_globals(d);
  put_words(d, nodes, d->nwords);
  fputc('\n', d->body);
}

/* .func name(a,b) {formula}, in quotes, or behind = */
static void function(deck *d, const char *line)
{
  const char *s = line + strlen(".func"), *open = strchr(s, '('), *close = strchr(s, ')');
  s += strspn(s, " \t");
  size_t n = strcspn(s, " \t(");
  if (!open || !close || close < open || !n) {
    fail(d, ".func has no name and arguments, expected `.func name(a,b) {formula}`");
    return;
  }
  FILE *body = d->body;
  fprintf(d->functions, "    <function name=\"%.*s\" of=\"", (int)n, s);
  for (const char *p = open + 1; p < close; p++) fputc(*p == ',' ? ' ' : *p, d->functions);
  fputs("\">", d->functions);
  char *formula = strdup(close + 1);
  if (!formula) {
    ns_nomem(d->c, "deck");
    return;
  }
  for (char *p = formula; *p; p++)
    if (strchr("{}'=", *p) && (*p != '=' || !strchr("=<>!", p[1])) &&
        (*p != '=' || p == formula || !strchr("=<>!", p[-1])))
      *p = ' ';
  d->body = d->functions;
  put_text(d, trimmed(formula));
  d->body = body;
  free(formula);
  fputs("</function>\n", d->functions);
}

/* The nodes of .global, of which 0 is one that every netlist has. */
static int read_globals(deck *d)
{
  for (int k = 1; k < d->nwords; k++) {
    if (!strcmp(d->word[k], "0") || !strcmp(d->word[k], "gnd")) continue;
    char **more = realloc(d->global, (size_t)(d->nglobals + 1) * sizeof *more);
    if (!more) return ns_nomem(d->c, "deck");
    d->global = more;
    if (!(d->global[d->nglobals] = strdup(d->word[k]))) return ns_nomem(d->c, "deck");
    d->nglobals++;
  }
  return NS_OK;
}

static void directive(deck *d, const char *line)
{
  static const char *const other[] = {".if", ".else", ".elseif", ".endif", NULL};
  for (const char *const *o = other; *o; o++)
    if (is_directive(line, *o)) {
      fail(d,
           "%s is not supported in nssim netlists, expected elements, .param, .func, .subckt, "
           ".global, .include, .lib and .ic; write it out",
           *o);
      return;
    }
  if (is_directive(line, ".tran") || is_directive(line, ".global"))
    return; /* read before the elements */
  if (is_directive(line, ".subckt")) subcircuit(d);
  else if (is_directive(line, ".ends")) fputs("    .ends\n", d->body);
  else if (is_directive(line, ".param") || is_directive(line, ".ic")) values(d, line);
  else if (is_directive(line, ".func")) function(d, line);
  else if (!is_directive(line, ".model")) note(d, "%.60s is ignored", d->word[0]);
}

/* ---- the model ------------------------------------------------------------------------------- */

/* The largest number of a voltage source that is one of its levels: those of DC and PULSE. */
static void see_drive(deck *d)
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
      d->drive = fmax(d->drive, fabs(number(levels)));
      s += n + strspn(s + n, " ,");
    }
    if (pulse || k > 4) return;
  }
}

/* What elements refer to, wherever it stands: .model, .tran and .global, and how far gates go. */
static int read_models(deck *d)
{
  int rc = NS_OK;
  for (int k = 0; k < d->nlines && rc != NS_NOMEM; k++) {
    d->at = d->line[k].number;
    d->file = d->line[k].file;
    if (is_directive(d->line[k].text, ".tran")) {
      rc = cut_words(d, d->line[k].text);
      if (!rc) transient(d);
    }
    if (*d->line[k].text == 'v') {
      rc = cut_words(d, d->line[k].text);
      if (!rc) see_drive(d);
    }
    if (is_directive(d->line[k].text, ".global")) {
      rc = cut_words(d, d->line[k].text);
      if (!rc) rc = read_globals(d);
    }
    if (!is_directive(d->line[k].text, ".model")) continue;
    char *copy = strdup(d->line[k].text);
    if (!copy) return ns_nomem(d->c, "deck");
    free(d->line[k].text);
    d->line[k].text = copy;
    rc = read_model(d, copy);
  }
  return rc == NS_NOMEM ? rc : NS_OK;
}

/* A line that was written since the last call comes from the line in hand. */
static int keep_origin(deck *d, deck_origins *o, const ns_text_stream *s)
{
  if (fflush(s->to)) return ns_nomem(d->c, "deck");
  if (s->n == o->size) return NS_OK;
  o->size = s->n;
  void *more = realloc(o->of, (size_t)(o->n + 1) * sizeof *o->of);
  if (!more) return ns_nomem(d->c, "deck");
  o->of = more;
  o->of[o->n].file = d->file;
  o->of[o->n++].line = d->at;
  return NS_OK;
}

static int translate(deck *d)
{
  int rc = read_models(d);
  for (int k = 0; k < d->nlines && rc != NS_NOMEM; k++) {
    const char *s = d->line[k].text;
    d->at = d->line[k].number;
    d->file = d->line[k].file;
    if (is_directive(s, ".model")) continue;
    if (*s != '.') open_nodes(d->line[k].text);
    rc = cut_words(d, s);
    if (rc || !d->nwords) continue;
    if (*s == '.') directive(d, s);
    else element(d, s);
    rc = keep_origin(d, &d->in_netlist, &d->netlist_stream);
    if (!rc) rc = keep_origin(d, &d->in_functions, &d->function_stream);
  }
  for (int k = 0; k < d->nmodels && rc != NS_NOMEM; k++) {
    d->at = d->model[k].line;
    d->file = d->model[k].file;
    note(d, "the model %s, %s, %s", d->model[k].name, d->model[k].type,
         d->model[k].used ? "is made ideal: only thresholds, ron, roff and breakdown are kept"
                          : "is not used");
  }
  return rc == NS_NOMEM ? rc : NS_OK;
}

/* Text of a comment or an element. */
static void put_escaped(FILE *f, const char *s)
{
  for (; s && *s; s++) {
    if (*s == '-' && s[1] == '-') continue;
    fputs(*s == '<' ? "&lt;" : *s == '&' ? "&amp;" : (char[]){*s, 0}, f);
  }
}

static int simulation(deck *d, FILE *f)
{
  double h = d->max    ? number(d->max)
             : d->step ? number(d->step)
                       : NAN,
         T = d->stop ? number(d->stop) : NAN;
  d->at = d->nlines ? d->line[d->nlines - 1].number : 1;
  d->file = d->nlines ? d->line[d->nlines - 1].file : d->source->path;
  if (!d->stop)
    return fail(
        d,
        "the deck has no .tran, expected `.tran STEP STOP`, which becomes the simulation; add one");
  if (!(h > 0) || !(T > h))
    return fail(d, ".tran goes to %.40s in steps of %.40s, expected numbers above 0", d->stop,
                d->max ? d->max : d->step);
  fprintf(f,
          "  <simulation T=\"%.15g\">\n    <TimeStepping h=\"%.15g\"><EulerMoreauOSI "
          "theta=\"1\"/></TimeStepping>\n  </simulation>\n",
          T, h);
  return NS_OK;
}

static const char functions_begin[] = "  <parameters>\n";
static const char netlist_begin[] = "  <netlist id=\"circuit\">\n";

static int write_model(deck *d, const char *notes, char **out)
{
  ns_text_stream model;
  FILE *f = ns_text_stream_open(&model);
  if (!f) return ns_nomem(d->c, "text of the model");
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!--\n  Imported from ", f);
  put_escaped(f, d->source->path);
  fputs(", a deck of ngspice. Names are in small letters, devices ideal.\n", f);
  if (!d->uic)
    fputs("  It starts from ic= and .ic, otherwise from 0; ngspice starts from the operating "
          "point.\n",
          f);
  fprintf(f, "%s-->\n<model xmlns=\"urn:nssim:model:1\">\n  <title>", notes);
  put_escaped(f, *d->title ? d->title : "no title");
  fputs("</title>\n", f);
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

static void deck_fini(deck *d)
{
  for (int k = 0; k < d->nlines; k++) free(d->line[k].text);
  free(d->line);
  free(d->model);
  for (int k = 0; k < d->nglobals; k++) free(d->global[k]);
  free(d->global);
  free(d->word);
  free(d->words);
  free(d->title);
  free(d->step);
  free(d->stop);
  free(d->max);
  free(d->netlist);
  free(d->function);
  free(d->in_netlist.of);
  free(d->in_functions.of);
  deck_name *name, *next;
  HASH_ITER(hh, d->names, name, next)
  {
    HASH_DEL(d->names, name);
    free(name->given);
    free(name);
  }
  ns_files_fini(&d->files);
  ns_arena_destroy(d->a);
}

/* A deck and the model that became of it. */
typedef struct written {
  const deck *d;
  const char *model;
} written;

/* The line of the deck that line `line` of the model comes from: its index in `o`; -1: it is not
 * one of those that follow `begin`. */
static int origin(const deck_origins *o, const char *model, const char *begin, int line)
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
  const deck *d = w->d;
  size_t n = strlen(d->source->path);
  if (severity != NS_SEV_ERROR) return; /* whoever loads the model is told */
  char *end = NULL;
  int has_line = !strncmp(msg, d->source->path, n) && msg[n] == ':';
  int line = has_line ? (int)strtol(msg + n + 1, &end, 10) : 0;
  const deck_origins *o = &d->in_netlist;
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

static int load(const deck *d, const char *model)
{
  written w = {.d = d, .model = model};
  ns_ctx c = {.report = tell, .to = &w};
  ns_load_options opt = {0};
  ns_model *m = NULL;
  int rc = ns_load_memory(&c, d->source->path, model, strlen(model), &opt, NULL, &m);
  ns_model_destroy(m);
  return rc;
}

static int convert(ns_ctx *c, const ns_import_source *s, const ns_import_options *opt, char **out)
{
  deck d = {.c = c,
            .source = s,
            .file = s->path,
            .a = ns_arena_create(0, 1),
            .word = malloc(WORDS * sizeof *d.word)};
  ns_text_stream notes_stream;
  (void)opt;
  *out = NULL;
  d.body = ns_text_stream_open(&d.netlist_stream);
  d.functions = ns_text_stream_open(&d.function_stream);
  d.notes = ns_text_stream_open(&notes_stream);
  d.files = (ns_files){.arena = d.a, .scratch = d.a};
  int rc = d.word && d.a && d.body && d.functions && d.notes ? NS_OK : ns_nomem(c, "deck");
  if (!rc) rc = ns_files_init(&d.files, c, s->path, NULL, 0);
  if (!rc) rc = split(&d, s->text, d.files.dir, NULL);
  int complete = !d.bad; /* all files are there: their lines can be understood */
  if (!rc && complete) rc = translate(&d);
  d.netlist = ns_text_stream_close(&d.netlist_stream);
  d.function = ns_text_stream_close(&d.function_stream);
  char *notes = ns_text_stream_close(&notes_stream);
  if (!rc && !(d.netlist && d.function && notes)) rc = ns_nomem(c, "deck");
  if (!rc) rc = complete ? write_model(&d, notes, out) : NS_MODEL;
  if (!rc && c->rc) rc = c->rc; /* memory ended in one of the lines */
  else if (!rc) rc = load(&d, *out);
  if (rc) {
    free(*out);
    *out = NULL;
  }
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
    if (is_directive(p, ".tran")) return 1;
  return 0;
}

extern const ns_importer ns_import_deck;
const ns_importer ns_import_deck = {
    .name = "deck", .what = "a deck of ngspice", .recognises = recognises, .convert = convert};
