/* SPDX-License-Identifier: GPL-3.0-or-later */
/* netlist_lines.c -- from the text of a netlist to its lines, with the indices of .repeat put in.
 *
 * An index i with value 3 turns {i+1} in names and nodes into 4, and the name i in a value into (3). */
#include "io/netlist.h"

#include "base/suggest.h"
#include "expression/quote.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct line {
  char *text; /* without comment, continuations joined */
  int number; /* in its file */
  int end;    /* of a .repeat: index of its .endrepeat */
} line;

typedef struct lines {
  ns_netlist *k;
  line *line;
  int n;
  long turns;
  char *buf;  /* malloced: the line in hand */
  size_t cap;
} lines;

int ns_netlist_fail(ns_netlist *k, const char *fmt, ...)
{
  char what[700];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(what, sizeof what, fmt, ap);
  va_end(ap);
  k->bad = 1;
  return ns_elem_fail(&k->l->msg, &k->here, NULL, "%s", what);
}

/* ---- lines ------------------------------------------------------------------------------------------- */

static int count_lines(const char *s)
{
  int n = 1;
  for (; *s; s++) n += *s == '\n';
  return n;
}

static char *strip(char *s)
{
  char *end = strchr(s, ';');
  if (end) *end = 0;
  while (isspace((unsigned char)*s)) s++;
  for (end = s + strlen(s); end > s && isspace((unsigned char)end[-1]);) *--end = 0;
  return s;
}

/* Join a line that begins with + to the one before. */
static char *joined(ns_arena *a, const char *before, const char *more)
{
  size_t n = strlen(before), m = strlen(more);
  char *s = ns_arena_get(a, n + m + 2, 1);
  if (!s) return NULL;
  memcpy(s, before, n);
  s[n] = ' ';
  memcpy(s + n + 1, more, m + 1);
  return s;
}

static int split(lines *x, const char *text, int number)
{
  ns_arena *a = x->k->l->scratch;
  char *copy = ns_arena_text(a, text);
  x->line = ns_arena_get(a, (size_t)count_lines(text), sizeof *x->line);
  if (!copy || !x->line) return ns_nomem(&x->k->l->msg.c, "netlist");
  for (char *next; copy; copy = next, number++) {
    next = strchr(copy, '\n');
    if (next) *next++ = 0;
    char *s = strip(copy);
    if (!*s || *s == '*' || *s == '#') continue;
    if (*s == '+') {
      x->k->here.line = number;
      if (x->n == 0) ns_netlist_fail(x->k, "the line begins with +, which goes on with a line before, expected an element first");
      else if (!(x->line[x->n - 1].text = joined(a, x->line[x->n - 1].text, s + 1))) return ns_nomem(&x->k->l->msg.c, "netlist");
      continue;
    }
    if (!strcmp(s, ".end") || !strcmp(s, ".END")) break;
    x->line[x->n++] = (line){.text = s, .number = number};
  }
  return NS_OK;
}

static int is_directive(const char *s, const char *name)
{
  size_t n = strlen(name);
  return !strncmp(s, name, n) && (!s[n] || isspace((unsigned char)s[n]));
}

static void unknown_directive(ns_netlist *k, const char *s)
{
  static const struct { const char *name, *remedy; } meant[] = {
      {".param", "parameters are <parameter> elements of the model"},
      {".tran", "the run is described in <simulation>"},
      {".subckt", "write the elements, with .repeat where they return"},
      {".include", "one file= holds the whole netlist"},
      {".model", "elements are ideal and need no model"}};
  char quoted[NS_QUOTE_BYTES];
  const char *remedy = "remove the line";
  ns_quote(quoted, s, strcspn(s, " \t"), 0);
  for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
    if (is_directive(s, meant[i].name)) remedy = meant[i].remedy;
  ns_netlist_fail(k, "unknown directive %s, expected .repeat, .endrepeat or .end; %s", quoted, remedy);
}

/* Which .endrepeat belongs to which .repeat. */
static void pair(lines *x)
{
  int open[NS_REPEAT_DEPTH], depth = 0;
  for (int i = 0; i < x->n; i++) {
    x->k->here.line = x->line[i].number;
    if (is_directive(x->line[i].text, ".repeat")) {
      if (depth == NS_REPEAT_DEPTH) ns_netlist_fail(x->k, ".repeat is nested more than %d deep, expected fewer", NS_REPEAT_DEPTH);
      else open[depth++] = i;
    } else if (is_directive(x->line[i].text, ".endrepeat")) {
      if (depth) x->line[open[--depth]].end = i;
      else ns_netlist_fail(x->k, ".endrepeat has no .repeat before it, expected one; remove it");
    } else if (*x->line[i].text == '.')
      unknown_directive(x->k, x->line[i].text);
  }
  while (depth) {
    x->k->here.line = x->line[open[--depth]].number;
    ns_netlist_fail(x->k, ".repeat has no .endrepeat, expected one behind the lines that it repeats");
  }
}

/* ---- indices put in ------------------------------------------------------------------------------------- */

static int put(lines *x, size_t *at, const char *s, size_t n)
{
  if (*at + n + 1 > x->cap) {
    size_t cap = 2 * (*at + n + 128);
    char *p = realloc(x->buf, cap);
    if (!p) return ns_nomem(&x->k->l->msg.c, "netlist");
    x->buf = p;
    x->cap = cap;
  }
  memcpy(x->buf + *at, s, n);
  *at += n;
  x->buf[*at] = 0;
  return NS_OK;
}

/* Value of the index with this name; NULL: there is none. */
static const double *index_named(const ns_indices *index, const char *s, size_t n)
{
  for (int i = index->n - 1; i >= 0; i--)
    if (!strncmp(index->name[i], s, n) && !index->name[i][n]) return &index->value[i];
  return NULL;
}

/* {i+1} in front of position `value` of the line, where names and nodes stand: a whole number. */
static int put_whole(lines *x, size_t *at, const char *s, size_t n, const ns_indices *index)
{
  ns_scalar v;
  const ns_where where = {.e = &x->k->here};
  char number[32];
  int rc = ns_scalar_make(x->k->l, &where, s, n, index, &v);
  if (rc) {
    x->k->bad = 1;
    return rc;
  }
  double d = ns_scalar_get(&v, index);
  if (isnan(d) && x->k->l->nan_said) return NS_MODEL;
  if (d != floor(d) || fabs(d) > 1e15) return ns_netlist_fail(x->k, "the braces {%.*s} hold %.10g, expected a whole number", (int)n, s, d);
  snprintf(number, sizeof number, "%.0f", d);
  return put(x, at, number, strlen(number));
}

/* A name in the text: an index is put in as (value), anything else stays. */
static int put_word(lines *x, size_t *at, const char *s, size_t n, const ns_indices *index)
{
  const double *v = index_named(index, s, n);
  char number[40];
  if (!v) return put(x, at, s, n);
  snprintf(number, sizeof number, "(%.17g)", *v);
  return put(x, at, number, strlen(number));
}

/* Bytes of s that are a word: a name, or a number with what hangs on it. */
static size_t word(const char *s)
{
  size_t n = 0;
  while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '.') n++;
  return n;
}

/* Where the value of an element begins: behind its name, nodes and elements that it names. */
static size_t value_begins(const char *s)
{
  int words = 3;
  size_t at = 0;
  for (int k = 0; k < NS_CIRCUIT_KINDS; k++)
    if (toupper((unsigned char)*s) == ns_circuit_forms[k].letter) words = 1 + ns_circuit_forms[k].nodes + ns_circuit_forms[k].of;
  while (words-- > 0 && s[at]) {
    for (int braces = 0; s[at] && (braces || !isspace((unsigned char)s[at])); at++) braces = s[at] == '{' || (braces && s[at] != '}');
    while (isspace((unsigned char)s[at])) at++;
  }
  return at;
}

/* The line with its indices put in, to x->buf. */
static int expand(lines *x, const char *s, const ns_indices *index)
{
  size_t value = *s == '.' ? 0 : value_begins(s), at = 0;
  int rc = put(x, &at, "", 0);
  for (size_t i = 0; s[i] && !rc;) {
    if (i < value) {
      const char *open = s[i] == '{' ? s + i + 1 : NULL, *close = open ? strchr(open, '}') : NULL;
      if (open && !close) return ns_netlist_fail(x->k, "a { has no }, expected one on the same line");
      rc = open ? put_whole(x, &at, open, (size_t)(close - open), index) : put(x, &at, s + i, 1);
      i = close ? (size_t)(close - s) + 1 : i + 1;
      continue;
    }
    size_t n = word(s + i);
    if (n == 0) rc = put(x, &at, s[i] == '{' ? "(" : s[i] == '}' ? ")" : s + i, 1);
    else rc = put_word(x, &at, s + i, n, index);
    i += n ? n : 1;
  }
  return rc;
}

/* ---- visits ----------------------------------------------------------------------------------------------- */

typedef struct range {
  char name[NS_NETLIST_NAME + 1];
  double from, to, step;
} range;

static int check_index(lines *x, const range *r, const ns_indices *index)
{
  const char *wrong = ns_load_bad_name(r->name, strlen(r->name));
  if (wrong) return ns_netlist_fail(x->k, "the index \"%s\" %s", r->name, wrong);
  if (ns_load_parameter(x->k->l, r->name, strlen(r->name)))
    return ns_netlist_fail(x->k, "the index %s has the name of a parameter, expected a new name; rename one", r->name);
  if (index_named(index, r->name, strlen(r->name)))
    return ns_netlist_fail(x->k, "the index %s is that of a .repeat around it, expected a new name", r->name);
  return NS_OK;
}

/* .repeat i FROM TO [STEP]: its entries are split as those of a vector. */
typedef struct reader {
  lines *x;
  const ns_indices *index;
  double value[3];
  int n, rc;
} reader;

static int on_bound(void *to, int row, int col, const char *text, size_t len)
{
  reader *r = to;
  ns_scalar v;
  const ns_where where = {.e = &r->x->k->here};
  (void)row, (void)col;
  if (r->n == 3) {
    r->n++;
    return NS_MODEL;
  }
  r->rc = ns_scalar_make(r->x->k->l, &where, text, len, r->index, &v);
  if (r->rc) return r->rc;
  r->value[r->n++] = ns_scalar_get(&v, r->index);
  return NS_OK;
}

static int read_range(lines *x, const char *s, const ns_indices *index, range *r)
{
  static const char usage[] = "expected `.repeat i FROM TO [STEP]`, such as `.repeat i 1 100`";
  reader b = {.x = x, .index = index};
  ns_ctx quiet = {0};
  int rows, cols;
  s += strlen(".repeat");
  while (isspace((unsigned char)*s)) s++;
  size_t n = strcspn(s, " \t");
  if (n == 0 || n > NS_NETLIST_NAME) return ns_netlist_fail(x->k, ".repeat has no index, %s", usage);
  memcpy(r->name, s, n);
  r->name[n] = 0;
  int rc = check_index(x, r, index);
  if (rc) return rc;
  ns_split_entries(&quiet, "", s + n, on_bound, &b, &rows, &cols);
  if (b.rc) {
    x->k->bad = 1;
    return b.rc;
  }
  if (b.n < 2 || b.n > 3 || quiet.rc) return ns_netlist_fail(x->k, ".repeat has %d number%s, %s", b.n, b.n == 1 ? "" : "s", usage);
  r->from = b.value[0], r->to = b.value[1], r->step = b.n == 3 ? b.value[2] : 1;
  for (int i = 0; i < b.n; i++)
    if (!(b.value[i] == floor(b.value[i]) && fabs(b.value[i]) <= 1e9)) {
      if (isnan(b.value[i]) && x->k->l->nan_said) return NS_MODEL;
      return ns_netlist_fail(x->k, ".repeat has the number %.10g, expected whole ones of at most 1e9", b.value[i]);
    }
  return r->step == 0 ? ns_netlist_fail(x->k, ".repeat has the step 0, expected a distance of the values") : NS_OK;
}

static int visit(lines *x, int from, int to, ns_indices *index);

static int repeat(lines *x, int at, ns_indices *index)
{
  range r;
  int rc = read_range(x, x->line[at].text, index, &r);
  if (rc) return rc;
  double turns = floor((r.to - r.from) / r.step) + 1;
  int here = index->n++;
  index->name[here] = r.name;
  for (double k = 0; k < turns && !rc && !ns_messages_full(&x->k->l->msg); k++) {
    if (x->turns++ >= 4L * NS_NETLIST_MAX) {
      x->k->here.line = x->line[at].number;
      rc = ns_netlist_fail(x->k, ".repeat makes more than %d turns with all others, expected fewer", 4 * NS_NETLIST_MAX);
      break;
    }
    index->value[here] = r.from + k * r.step;
    rc = visit(x, at + 1, x->line[at].end, index);
  }
  index->n--;
  return rc;
}

/* Lines from..to-1. An error in a line outside of .repeat does not keep the others from being read. */
static int visit(lines *x, int from, int to, ns_indices *index)
{
  int rc = NS_OK;
  for (int i = from; i < to && !ns_messages_full(&x->k->l->msg); i++) {
    x->k->here.line = x->line[i].number;
    ns_mark mark = ns_arena_mark(x->k->l->scratch);
    if (is_directive(x->line[i].text, ".repeat")) {
      rc = repeat(x, i, index);
      i = x->line[i].end;
    } else {
      rc = expand(x, x->line[i].text, index);
      if (!rc) rc = ns_netlist_element(x->k, x->buf);
    }
    ns_arena_release(x->k->l->scratch, mark);
    if (rc == NS_NOMEM || (rc && index->n)) return rc;
  }
  return rc == NS_NOMEM ? rc : NS_OK;
}

int ns_netlist_read(ns_netlist *k, const char *text, int number)
{
  lines x = {.k = k};
  ns_indices index = {0};
  int rc = split(&x, text, number);
  if (!rc) pair(&x);
  if (!rc && !k->bad) rc = visit(&x, 0, x.n, &index);
  free(x.buf);
  return rc == NS_NOMEM ? rc : NS_OK;
}
