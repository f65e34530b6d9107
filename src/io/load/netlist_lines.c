/* SPDX-License-Identifier: GPL-3.0-or-later */
/* netlist_lines.c -- from the text of a netlist to its lines, with the indices of .repeat and
 * parameters put in, and subcircuits in the place of the lines X that call them.
 *
 * An index i with value 3 turns {i+1} in names and nodes into 4, and the name i in a value into
 * (3); so do parameters of .param and of subcircuits. In a subcircuit that X1 calls, element R1 is
 * R1_X1, node a, where it is none of the nodes that X1 gives, a_X1; node 0 is that of all. */
#include "base/text.h"
#include "io/load/netlist.h"

#include "base/grow.h"
#include "base/suggest.h"
#include "expression/quote.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  WORDS = 100, /* of a line X or .subckt */
  CALLS = 20   /* subcircuits in subcircuits */
};

/* The subcircuit in hand. */
typedef struct frame {
  const struct frame *outer;
  const char *suffix;                        /* _X1 */
  int nnodes, line;                          /* line: that of its .subckt */
  const char *formal[WORDS], *actual[WORDS]; /* nodes [nnodes] */
  const ns_indices *index; /* its parameters: the first `known`, with those that it can see */
  int known;
} frame;

typedef struct lines {
  ns_netlist *k;
  ns_netlist_line *line; /* malloced [n] */
  int n;
  long turns;
  char *buf; /* malloced: the line in hand */
  size_t cap;
  frame *in;   /* NULL: the netlist itself */
  int globals; /* parameters of the netlist itself: the first ones of every list of indices */
  ns_elem_place place; /* of the line in hand, while lines are put together */
} lines;

int ns_netlist_fail(ns_netlist *k, const char *fmt, ...)
{
  char what[700];
  NS_FORMAT(what, fmt);
  k->bad = 1;
  return ns_elem_fail(&k->l->msg, &k->here, NULL, "%s", what);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* The line in hand, for messages. */
static void stand(lines *x, const char *file, int number)
{
  x->k->here.file = file;
  x->k->here.line = number;
}

static void stand_at(lines *x, int line) { stand(x, x->line[line].file, x->line[line].number); }

static const char *place(void *of, const char *file, int number)
{
  lines *x = of;
  stand(x, file, number);
  x->place = ns_elem_at(&x->k->here, NULL);
  return x->place.text;
}

static void unknown_directive(ns_netlist *k, const char *s)
{
  static const struct {
    const char *name, *remedy;
  } meant[] = {{".tran", "the run is described in <simulation>"},
               {".lib", ".include takes a file"},
               {".model", "elements are ideal and need no model"}};
  const char *remedy = "remove the line";
  for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
    if (ns_netlist_is_directive(s, meant[i].name)) remedy = meant[i].remedy;
  ns_netlist_fail(k,
                  "unknown directive %s, expected .repeat, .endrepeat, .subckt, .ends, .param, "
                  ".ic, .include or .end; %s",
                  ns_quote(s, strcspn(s, " \t"), 0).text, remedy);
}

/* Which .endrepeat belongs to which .repeat, which .ends to which .subckt. */
static void pair(lines *x)
{
  static const char *const begin[] = {".repeat", ".subckt"}, *const end[] = {".endrepeat", ".ends"};
  int open[NS_REPEAT_DEPTH], kind[NS_REPEAT_DEPTH], depth = 0;
  for (int i = 0; i < x->n; i++) {
    for (int k = 0; k < depth; k++)
      if (kind[k] == 1) x->line[i].inside = open[k];
    const char *s = x->line[i].text;
    stand_at(x, i);
    for (int k = 0; k < 2; k++) {
      if (ns_netlist_is_directive(s, begin[k]) && depth == NS_REPEAT_DEPTH)
        ns_netlist_fail(x->k, "%s is nested more than %d deep, expected fewer", begin[k],
                        NS_REPEAT_DEPTH);
      else if (ns_netlist_is_directive(s, begin[k])) kind[depth] = k, open[depth++] = i;
      else if (ns_netlist_is_directive(s, end[k]) && depth && kind[depth - 1] == k)
        x->line[open[--depth]].end = i;
      else if (ns_netlist_is_directive(s, end[k]))
        ns_netlist_fail(x->k, "%s has no %s before it, expected one; remove it", end[k], begin[k]);
    }
    int known = ns_netlist_is_directive(s, ".param") || ns_netlist_is_directive(s, ".ic") ||
                ns_netlist_is_directive(s, begin[0]) || ns_netlist_is_directive(s, begin[1]) ||
                ns_netlist_is_directive(s, end[0]) || ns_netlist_is_directive(s, end[1]);
    if (*s == '.' && !known) unknown_directive(x->k, s);
  }
  while (depth) {
    stand_at(x, open[--depth]);
    ns_netlist_fail(x->k, "%s has no %s, expected one after its lines", begin[kind[depth]],
                    end[kind[depth]]);
  }
}

/* ---- indices put in -------------------------------------------------------------------------- */

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
  if (d != floor(d) || fabs(d) > 1e15)
    return ns_netlist_fail(x->k, "the braces {%.*s} contain %.10g, expected a whole number", (int)n,
                           s, d);
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

/* Behind so many words of s; braces hold one together. */
static size_t behind(const char *s, int words)
{
  size_t at = 0;
  while (words-- > 0 && s[at]) {
    for (int braces = 0; s[at] && (braces || !isspace((unsigned char)s[at])); at++)
      braces = s[at] == '{' || (braces && s[at] != '}');
    while (isspace((unsigned char)s[at])) at++;
  }
  return at;
}

/* Where the value of an element begins: behind its name, nodes and elements that it names. */
static size_t value_begins(const char *s)
{
  int words = 3;
  const char *after,
      *option = toupper((unsigned char)*s) == 'X' ? ns_netlist_option(s, &after) : NULL;
  if (toupper((unsigned char)*s) == 'X') return option ? (size_t)(option - s) : strlen(s);
  for (int k = 0; k < NS_CIRCUIT_KINDS; k++)
    if (toupper((unsigned char)*s) == ns_circuit_forms[k].letter)
      words = 1 + ns_circuit_forms[k].nodes + ns_circuit_forms[k].of;
  if (words > 3 && strchr("EFGH", toupper((unsigned char)*s)) &&
      ns_netlist_formula_begins(s + behind(s, 3)))
    words = 3;
  return behind(s, words);
}

/* What a node of the subcircuit in hand is called outside; NULL: out of memory. */
static const char *node_outside(lines *x, const char *node)
{
  const frame *f = x->in;
  if (!f || !strcmp(node, "0")) return node;
  int k = ns_word_index(f->formal, (size_t)f->nnodes, node);
  if (k >= 0) return f->actual[k];
  return ns_arena_format(x->k->a, "%s%s", node, f->suffix);
}

/* v(a,b) and i(R1) at s, n bytes, as v.a.b and i.R1, with the names that they have outside. */
static int put_probe(lines *x, size_t *at, const char *s, size_t n, const ns_indices *index)
{
  int current = tolower((unsigned char)*s) == 'i', rc = put(x, at, current ? "i" : "v", 1);
  const char *end = s + n - 1, *p = strchr(s, '(') + 1;
  while (p < end && !rc) {
    size_t begin = *at;
    for (; p < end && *p != ',' && !rc; p++) {
      const char *close = *p == '{' ? strchr(p, '}') : NULL;
      if (close && close < end) {
        rc = put_whole(x, at, p + 1, (size_t)(close - p) - 1, index);
        p = close;
      } else if (!isspace((unsigned char)*p)) rc = put(x, at, p, 1);
    }
    if (rc) return rc;
    char *inner = strdup(x->buf + begin);
    const char *name = !inner    ? NULL
                       : !x->in  ? inner
                       : current ? ns_arena_format(x->k->a, "%s%s", inner, x->in->suffix)
                                 : node_outside(x, inner);
    *at = begin;
    rc = name ? put(x, at, ".", 1) : ns_nomem(&x->k->l->msg.c, "netlist");
    if (!rc && !*name)
      rc = ns_netlist_fail(x->k, "%.*s has no name, expected %s", (int)(n < 60 ? n : 60), s,
                           current ? "an element: i(R1)" : "nodes: v(a) or v(a,b)");
    if (!rc) rc = put(x, at, name, strlen(name));
    free(inner);
    p += p < end;
  }
  return rc;
}

/* The line with its indices put in, to x->buf; names and nodes stand before `value`. A formula of
 * it may stand in braces or in quotes. */
static int expand(lines *x, const char *s, size_t value, const ns_indices *index)
{
  size_t at = 0;
  int rc = put(x, &at, "", 0), quoted = 0;
  for (size_t i = 0; s[i] && !rc;) {
    if (i < value) {
      const char *open = s[i] == '{' ? s + i + 1 : NULL, *close = open ? strchr(open, '}') : NULL;
      if (open && !close)
        return ns_netlist_fail(x->k, "a { has no }, expected one on the same line");
      rc = open ? put_whole(x, &at, open, (size_t)(close - open), index) : put(x, &at, s + i, 1);
      i = close ? (size_t)(close - s) + 1 : i + 1;
      continue;
    }
    size_t probe = ns_netlist_probe_at(s + i);
    if (probe && !ns_load_function_arguments(x->k->l, s + i, 1)) {
      rc = put_probe(x, &at, s + i, probe, index);
      i += probe;
      continue;
    }
    size_t n = word(s + i), eq = i + n + strspn(s + i + n, " \t");
    /* c.v(a): its names are those of netlist c */
    probe = n > 2 && s[i + n - 2] == '.' ? ns_netlist_probe_at(s + i + n - 1) : 0;
    if (probe) {
      frame *in = x->in;
      x->in = NULL;
      rc = put(x, &at, s + i, n - 1);
      if (!rc) rc = put_probe(x, &at, s + i + n - 1, probe, index);
      x->in = in;
      i += n - 1 + probe;
      continue;
    }
    /* the name of an option */
    if (n && s[eq] == '=' && s[eq + 1] != '=') rc = put(x, &at, s + i, n);
    else if (n == 0) {
      int opens = s[i] == '{' || (s[i] == '\'' && !quoted);
      int closes = s[i] == '}' || (s[i] == '\'' && quoted);
      quoted ^= s[i] == '\'';
      if (opens) rc = put(x, &at, "(", 1);
      else rc = put(x, &at, closes ? ")" : s + i, 1);
    } else rc = put_word(x, &at, s + i, n, index);
    i += n ? n : 1;
  }
  return rc;
}

struct parameter;
static int visit(lines *x, int from, int to, struct parameter *given, ns_indices *index);

/* ---- visits ---------------------------------------------------------------------------------- */

typedef struct range {
  char name[NS_NETLIST_NAME + 1];
  double from, to, step;
} range;

static int check_index(lines *x, const range *r, const ns_indices *index)
{
  const char *wrong = ns_load_bad_name(r->name, strlen(r->name));
  if (wrong) return ns_netlist_fail(x->k, "the index \"%s\" %s", r->name, wrong);
  if (ns_load_parameter(x->k->l, r->name, strlen(r->name)))
    return ns_netlist_fail(
        x->k, "the index %s has the name of a parameter, expected a new name; rename one", r->name);
  if (index_named(index, r->name, strlen(r->name)))
    return ns_netlist_fail(x->k, "the index %s is that of a .repeat around it, expected a new name",
                           r->name);
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
  if (n == 0 || n > NS_NETLIST_NAME)
    return ns_netlist_fail(x->k, ".repeat has no index, %s", usage);
  memcpy(r->name, s, n);
  r->name[n] = 0;
  int rc = check_index(x, r, index);
  if (rc) return rc;
  ns_split_entries(&quiet, "", s + n, on_bound, &b, &rows, &cols);
  if (b.rc) {
    x->k->bad = 1;
    return b.rc;
  }
  if (b.n < 2 || b.n > 3 || quiet.rc)
    return ns_netlist_fail(x->k, ".repeat has %d number%s, %s", b.n, b.n == 1 ? "" : "s", usage);
  r->from = b.value[0], r->to = b.value[1], r->step = b.n == 3 ? b.value[2] : 1;
  for (int i = 0; i < b.n; i++)
    if (!(b.value[i] == floor(b.value[i]) && fabs(b.value[i]) <= 1e9)) {
      if (isnan(b.value[i]) && x->k->l->nan_said) return NS_MODEL;
      return ns_netlist_fail(
          x->k, ".repeat has the number %.10g, expected whole ones of at most 1e9", b.value[i]);
    }
  return r->step == 0
             ? ns_netlist_fail(x->k, ".repeat has the step 0, expected a distance of the values")
             : NS_OK;
}

static int repeat(lines *x, int at, ns_indices *index)
{
  range r;
  int rc = read_range(x, x->line[at].text, index, &r);
  if (rc) return rc;
  double turns = floor((r.to - r.from) / r.step) + 1;
  int here = index->n++;
  index->depth++;
  index->name[here] = r.name;
  for (double k = 0; k < turns && !rc && !ns_messages_full(&x->k->l->msg); k++) {
    if (x->turns++ >= 4L * NS_NETLIST_MAX) {
      stand_at(x, at);
      rc = ns_netlist_fail(
          x->k, ".repeat makes more than %d repetitions together with all others, expected fewer",
          4 * NS_NETLIST_MAX);
      break;
    }
    index->value[here] = r.from + k * r.step;
    rc = visit(x, at + 1, x->line[at].end, NULL, index);
  }
  index->n--;
  index->depth--;
  return rc;
}

/* ---- subcircuits and parameters -------------------------------------------------------------- */

/* Words of s before `end`, of the arena that lives as long as the netlist is read: their number,
 * -1: reported or out of memory. */
static int words(lines *x, const char *s, const char *end, const char **w)
{
  int n = 0;
  for (; s < end;) {
    while (s < end && isspace((unsigned char)*s)) s++;
    const char *begin = s;
    while (s < end && !isspace((unsigned char)*s)) s++;
    if (s == begin) break;
    if (n == WORDS)
      return ns_netlist_fail(x->k, "the line has more than %d words, expected fewer", WORDS), -1;
    if (!(w[n++] = ns_arena_part(x->k->a, begin, (size_t)(s - begin))))
      return ns_nomem(&x->k->l->msg.c, "netlist"), -1;
  }
  return n;
}

/* name=value of .param or of a subcircuit. Those of one netlist, .repeat or subcircuit stand
 * in any order: each is computed when another needs it, or last of all. */
typedef struct parameter {
  const char *name, *text; /* of l->scratch: the text with names as they stand */
  const char *file;
  int line;
  double value;
  enum { PENDING, IN_HAND, KNOWN } state;
  struct parameter *for_whom; /* in hand: the one that needs it, or NULL */
  struct parameter *next;
} parameter;

#define TOO_MANY "there are more than %d parameters and indices, expected fewer"

static parameter *parameter_named(parameter *list, const char *s, size_t n)
{
  for (; list; list = list->next)
    if (!strncmp(list->name, s, n) && !list->name[n]) return list;
  return NULL;
}

/* May name n bytes at s be one more of the list? Those of a subcircuit hide the model's. */
static int is_good_parameter(lines *x, parameter *list, const char *s, size_t n, int of_netlist)
{
  const parameter *before = parameter_named(list, s, n);
  const char *wrong = ns_load_bad_name(s, n);
  int shown = (int)(n < 40 ? n : 40);
  if (of_netlist && ns_load_parameter(x->k->l, s, n))
    ns_netlist_fail(x->k, "the parameter %.*s is one of the model, expected another name", shown,
                    s);
  else if (wrong) ns_netlist_fail(x->k, "the parameter \"%.*s\" %s", shown, s, wrong);
  else if (before)
    ns_netlist_fail(x->k, "the parameter %.*s is given twice (first in line %d), expected once",
                    shown, s, before->line);
  else return 1;
  return 0;
}

/* name=value ... of s to the end of the list; those at fault are reported and left out. */
static int add_parameters(lines *x, const char *s, parameter **list, int of_netlist)
{
  parameter **last = list;
  ns_netlist_pair given;
  int n_list = 0;
  for (; *last; last = &(*last)->next) n_list++;
  while (ns_netlist_next_pair(&s, &given)) {
    if (!is_good_parameter(x, *list, given.key, given.n, of_netlist)) continue;
    if (n_list++ == NS_REPEAT_NAMES) return ns_netlist_fail(x->k, TOO_MANY, NS_REPEAT_NAMES);
    parameter *p = ns_arena_zero(x->k->l->scratch, 1, sizeof *p);
    if (!p || !(p->name = ns_arena_part(x->k->l->scratch, given.key, given.n)) ||
        !(p->text = ns_arena_part(x->k->l->scratch, given.value, given.length)))
      return ns_nomem(&x->k->l->msg.c, "netlist");
    p->file = x->k->here.file;
    p->line = x->k->here.line;
    *last = p;
    last = &p->next;
  }
  return NS_OK;
}

/* All .param of lines from..to-1 that are in no .repeat or .subckt among them. */
static int gather_parameters(lines *x, int from, int to, parameter **list)
{
  int rc = NS_OK;
  for (int i = from; i < to && !rc; i++) {
    const char *s = x->line[i].text, *after;
    if (ns_netlist_is_directive(s, ".repeat") || ns_netlist_is_directive(s, ".subckt"))
      i = x->line[i].end;
    if (!ns_netlist_is_directive(s, ".param")) continue;
    s += strlen(".param");
    stand_at(x, i);
    if (!ns_netlist_option(s, &after))
      ns_netlist_fail(x->k, ".param gives no value, expected `.param R=1k`");
    rc = add_parameters(x, s, list, 1);
  }
  return rc;
}

/* p needs itself: the parameters on the way, the last one first. */
static int report_cycle(lines *x, const parameter *p, const parameter *asks)
{
  char way[300] = "";
  size_t at = 0;
  for (const parameter *q = asks; q && q != p; q = q->for_whom) {
    int n = snprintf(way + at, sizeof way - at, "%s%.40s (line %d)", at ? ", " : " through ",
                     q->name, q->line);
    if (n < 0 || (size_t)n >= sizeof way - at) break;
    at += (size_t)n;
  }
  return ns_netlist_fail(x->k,
                         "the parameter %.40s depends on itself%s, expected a number or a formula "
                         "of others; rename one or give a number",
                         p->name, way);
}

/* p as a further index. */
static int set_parameter(lines *x, const parameter *p, ns_indices *index)
{
  if (index->n == NS_REPEAT_NAMES) return ns_netlist_fail(x->k, TOO_MANY, NS_REPEAT_NAMES);
  index->name[index->n] = p->name;
  index->value[index->n++] = p->value;
  return NS_OK;
}

static int evaluate(lines *x, parameter *p, parameter *list, ns_indices *index);

/* The parameters of the list that are named in p's text. */
static int evaluate_needed(lines *x, parameter *p, parameter *list, ns_indices *index)
{
  int rc = NS_OK;
  for (const char *s = p->text; *s && !rc;) {
    size_t n = word(s);
    parameter *q = n ? parameter_named(list, s, n) : NULL;
    if (q && q->state == IN_HAND) {
      stand(x, p->file, p->line);
      return report_cycle(x, q, p);
    }
    if (q && q->state == PENDING) {
      q->for_whom = p;
      rc = evaluate(x, q, list, index);
    }
    s += n ? n : 1;
  }
  return rc;
}

/* The value of p, after those it needs. Where it has none, that is reported, and it is 1, so that
 * those who need it say nothing more. */
static int evaluate(lines *x, parameter *p, parameter *list, ns_indices *index)
{
  p->state = IN_HAND;
  int rc = evaluate_needed(x, p, list, index);
  stand(x, p->file, p->line);
  if (!rc) rc = expand(x, p->text, 0, index);
  if (!rc) rc = ns_netlist_number(x->k, "the parameter", x->buf, strlen(x->buf), &p->value);
  p->state = KNOWN;
  if (rc) p->value = 1;
  int full = set_parameter(x, p, index);
  return full ? full : rc;
}

static int evaluate_all(lines *x, parameter *list, ns_indices *index)
{
  int bad = NS_OK;
  for (const parameter *p = list; p && !bad; p = p->next)
    if (p->state == KNOWN) bad = set_parameter(x, p, index);
  for (parameter *p = list; p && bad != NS_NOMEM && index->n < NS_REPEAT_NAMES; p = p->next) {
    int rc = p->state == PENDING ? evaluate(x, p, list, index) : NS_OK;
    if (rc) bad = rc;
  }
  return bad;
}

/* Does line i define the subcircuit of this name? Names differ by more than case. */
static int defines(const lines *x, int i, const char *name)
{
  if (!ns_netlist_is_directive(x->line[i].text, ".subckt")) return 0;
  const char *s = x->line[i].text + strlen(".subckt");
  s += strspn(s, " \t");
  size_t n = strcspn(s, " \t");
  return strlen(name) == n && !strncasecmp(s, name, n);
}

/* The .subckt line of this name that can be called from the subcircuit in hand: one inside it, then
 * one inside the next around it, at last one of the netlist itself. -1: there is none. */
static int subcircuit_named(const lines *x, const char *name)
{
  for (int around = x->in ? x->in->line : -1;; around = x->line[around].inside) {
    for (int i = around + 1; i < x->n && (around < 0 || i < x->line[around].end); i++)
      if (x->line[i].inside == around && defines(x, i, name)) return i;
    if (around < 0) return -1;
  }
}

/* The parameters that the lines of .subckt line `at` can see, before their own: those of the
 * subcircuit in hand that it stands in, or those of the netlist. */
static ns_indices seen_inside(const lines *x, int at, const ns_indices *index)
{
  const frame *f = x->in;
  while (f && f->line != x->line[at].inside) f = f->outer;
  ns_indices inside = f ? *f->index : *index;
  inside.n = f ? f->known : x->globals;
  inside.depth = 0;
  return inside;
}

/* The frame of the line X in x->buf: `w`, its n words before options. */
static int enter(lines *x, const char *const *w, int n, int at, frame *f)
{
  const char *s = x->line[at].text + strlen(".subckt"), *after,
             *option = ns_netlist_option(s, &after);
  const char *formal[WORDS];
  int m = words(x, s, option ? option : s + strlen(s), formal);
  if (m < 0) return NS_MODEL;
  if (m > 1 && !strcasecmp(formal[m - 1], "params:")) m--;
  *f = (frame){.outer = x->in, .line = at, .nnodes = m - 1};
  if (m - 1 != n - 2)
    return ns_netlist_fail(x->k, "%.64s gives %d node%s, expected %d: those of .subckt %.64s", w[0],
                           n - 2, n == 3 ? "" : "s", m - 1, formal[0]);
  int depth = 0;
  for (const frame *o = x->in; o; o = o->outer, depth++)
    if (o->line == at)
      return ns_netlist_fail(
          x->k, "%.64s calls the subcircuit %.64s from inside itself, expected another one", w[0],
          formal[0]);
  if (depth >= CALLS)
    return ns_netlist_fail(
        x->k, "%.64s calls the subcircuit %.64s more than %d deep, expected fewer; flatten some",
        w[0], formal[0], CALLS);
  const char *own = ns_arena_format(x->k->a, "%s%s", "_", w[0]);
  f->suffix = own && x->in ? ns_arena_format(x->k->a, "%s%s", own, x->in->suffix) : own;
  if (!f->suffix) return ns_nomem(&x->k->l->msg.c, "netlist");
  for (int k = 0; k < f->nnodes; k++) {
    f->formal[k] = formal[k + 1];
    if (!(f->actual[k] = node_outside(x, w[k + 1]))) return ns_nomem(&x->k->l->msg.c, "netlist");
  }
  return NS_OK;
}

/* name=value ... of the line X, whose names have their values put in, to the list of its .subckt
 * line. */
static int give_parameters(lines *x, const char *s, parameter *list)
{
  ns_netlist_pair given;
  int rc = NS_OK;
  while (!rc && ns_netlist_next_pair(&s, &given)) {
    parameter *p = parameter_named(list, given.key, given.n);
    if (!p)
      return ns_netlist_fail(
          x->k, "the subcircuit has no parameter %.*s, expected one of its .subckt line",
          (int)(given.n < 40 ? given.n : 40), given.key);
    if (p->state == KNOWN)
      return ns_netlist_fail(x->k, "the parameter %.40s is given twice, expected once", p->name);
    rc = ns_netlist_number(x->k, "the parameter", given.value, given.length, &p->value);
    p->state = KNOWN;
  }
  return rc;
}

/* The parameters of .subckt line `at`, with the values that the line X gives in `given`. */
static int parameters_of_call(lines *x, int at, const char *given, parameter **list)
{
  const char *after, *own = ns_netlist_option(x->line[at].text + strlen(".subckt"), &after);
  const ns_elem caller = x->k->here;
  stand_at(x, at);
  int rc = own ? add_parameters(x, own, list, 0) : NS_OK;
  x->k->here = caller;
  return rc ? rc : give_parameters(x, given, *list);
}

/* X1 a b NAME [p=1]: the lines of the subcircuit, which know its parameters and those of what it
 * stands in, not those of the caller. */
static int call(lines *x, ns_indices *index)
{
  const char *after, *option = ns_netlist_option(x->buf, &after), *w[WORDS];
  int n = words(x, x->buf, option ? option : x->buf + strlen(x->buf), w),
      rc = n < 0 ? NS_MODEL : NS_OK;
  if (n > 2 && !strcasecmp(w[n - 1], "params:")) n--;
  if (!rc && n < 2)
    rc = ns_netlist_fail(x->k,
                         "%.64s names no subcircuit, expected `Xname NODES SUBCIRCUIT [p=value]`",
                         n ? w[0] : "X");
  int at = rc ? -1 : subcircuit_named(x, w[n - 1]);
  if (!rc && at < 0)
    rc = ns_netlist_fail(
        x->k,
        "%.64s: there is no .subckt %.64s, expected one in the netlist or a file that it includes",
        w[0], w[n - 1]);
  if (rc) return rc;
  frame *f = ns_arena_zero(x->k->a, 1, sizeof *f);
  parameter *own = NULL;
  ns_indices inside = seen_inside(x, at, index);
  rc = f ? enter(x, w, n, at, f) : ns_nomem(&x->k->l->msg.c, "netlist");
  if (!rc) rc = parameters_of_call(x, at, option ? option : "", &own);
  frame *outer = x->in;
  if (!rc) {
    f->index = &inside;
    x->in = f;
    rc = visit(x, at + 1, x->line[at].end, own, &inside);
    x->in = outer;
  }
  return rc;
}

/* The element in x->buf with the names that it has outside of the subcircuit in hand, to x->buf. */
static int rename_outside(lines *x)
{
  const char *w[WORDS], *s = x->buf;
  size_t value = value_begins(s), at = 0;
  char *rest = strdup(s + value);
  int n = words(x, s, s + value, w), nodes = 0,
      rc = rest && n >= 0 ? NS_OK
           : n < 0        ? NS_MODEL
                          : ns_nomem(&x->k->l->msg.c, "netlist");
  for (int k = 0; k < NS_CIRCUIT_KINDS && n > 0; k++)
    if (toupper((unsigned char)*w[0]) == ns_circuit_forms[k].letter)
      nodes = ns_circuit_forms[k].nodes;
  for (int k = 0; k < n && !rc; k++) {
    const char *name = k >= 1 && k <= nodes ? node_outside(x, w[k])
                                            : ns_arena_format(x->k->a, "%s%s", w[k], x->in->suffix);
    if (!name) rc = ns_nomem(&x->k->l->msg.c, "netlist");
    if (!rc) rc = put(x, &at, name, strlen(name));
    if (!rc) rc = put(x, &at, " ", 1);
  }
  if (!rc) rc = put(x, &at, rest, strlen(rest));
  free(rest);
  return rc;
}

static int element(lines *x, const char *s, ns_indices *index)
{
  int rc = ns_netlist_spice(x->k, s, &s);
  if (!rc) rc = expand(x, s, value_begins(s), index);
  if (!rc && toupper((unsigned char)*s) == 'X') return call(x, index);
  if (!rc && x->in) rc = rename_outside(x);
  x->k->inside = x->in != NULL;
  return rc ? rc : ns_netlist_element(x->k, x->buf);
}

/* .ic v(a)=5 i(L1)=0.1 */
static int initial(lines *x, const char *s, const ns_indices *index)
{
  size_t skip = strlen(".ic");
  ns_netlist_pair p;
  int rc = expand(x, s, skip, index), any = 0;
  char *text = rc ? NULL : strdup(x->buf + skip);
  if (!rc && !text) return ns_nomem(&x->k->l->msg.c, "netlist");
  for (const char *rest = text; !rc && ns_netlist_next_pair(&rest, &p);) {
    double v = 0;
    any = 1;
    rc = ns_netlist_number(x->k, ".ic", p.value, p.length, &v);
    if (!rc) rc = ns_netlist_initial_add(x->k, p.key, p.n, v);
  }
  free(text);
  return rc || any ? rc : ns_netlist_fail(x->k, ".ic is empty, expected `.ic v(a)=5 i(L1)=0.1`");
}

/* Lines from..to-1, with the parameters that they define and those of a subcircuit's call. An error
 * in a line outside of .repeat and of subcircuits does not keep the others from being read. */
static int visit(lines *x, int from, int to, parameter *list, ns_indices *index)
{
  int outside = !x->in && !index->depth, names = index->n;
  ns_mark all = ns_arena_mark(x->k->l->scratch);
  int rc = gather_parameters(x, from, to, &list), complete = !rc;
  if (complete) rc = evaluate_all(x, list, index);
  if (outside) x->globals = index->n;
  if (x->in && index == x->in->index && !index->depth) x->in->known = index->n;
  for (int i = from; complete && i < to && !ns_messages_full(&x->k->l->msg); i++) {
    if (rc == NS_NOMEM || (rc && !outside)) break;
    const char *s = x->line[i].text;
    stand_at(x, i);
    ns_mark mark = ns_arena_mark(x->k->l->scratch);
    if (ns_netlist_is_directive(s, ".repeat")) {
      rc = repeat(x, i, index);
      i = x->line[i].end;
    } else if (ns_netlist_is_directive(s, ".subckt")) i = x->line[i].end;
    else if (ns_netlist_is_directive(s, ".ic")) rc = initial(x, s, index);
    else if (!ns_netlist_is_directive(s, ".param")) rc = element(x, s, index);
    ns_arena_release(x->k->l->scratch, mark);
  }
  index->n = names; /* parameters of these lines are theirs */
  ns_arena_release(x->k->l->scratch, all);
  return rc == NS_NOMEM || !outside ? rc : NS_OK;
}

int ns_netlist_read(ns_netlist *k, const char *text, int number)
{
  lines x = {.k = k};
  ns_netlist_text t = {.c = &k->l->msg.c,
                       .files = &k->l->files,
                       .a = k->l->scratch,
                       .folder = k->here.dir,
                       .place = place,
                       .of = &x,
                       .file = k->here.file};
  ns_indices index = {0};
  int rc = ns_netlist_text_read(&t, text, number, k->here.dir);
  x.line = t.line;
  x.n = t.n;
  k->here.file = t.file;
  k->bad |= t.bad;
  if (!rc) pair(&x);
  if (!rc && !k->bad) rc = visit(&x, 0, x.n, NULL, &index);
  free(x.buf);
  free(x.line);
  return rc == NS_NOMEM ? rc : NS_OK;
}
