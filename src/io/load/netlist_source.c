/* SPDX-License-Identifier: GPL-3.0-or-later */
/* netlist_source.c -- sources as SPICE writes them: DC x, SIN(...), PULSE(...), EXP(...), PWL(...).
 *
 * Each is put as a formula of t with the same value at every time (Nagel 1975, appendix A; where
 * decks leave a time out that SPICE takes from .tran, edges are jumps and there is no period). What
 * is meant is told by the blanks between the numbers: SIN(0 10 50) is a source, sin(2*pi*50*t) a
 * function, and so is a call with commas that functions take. */
#include "io/load/netlist.h"

#include "base/suggest.h"
#include "expression/interpolant.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NUMBERS = 8, FORMULA = 3000 };

typedef struct ns_spice_form {
  const char *word, *usage;
  int min, max; /* numbers */
  /* The formula of t to buf [FORMULA]; x [max], n of them given. NULL, or what is wrong with the
   * numbers. */
  const char *(*write)(const double *x, int n, char *buf);
} form;

#define N "%.17g"

/* VO VA FREQ [TD THETA PHASE]. SPICE has one period in the time of .tran where FREQ is 0 or
 * missing; a netlist does not know that time. */
static const char *sine(const double *x, int n, char *buf)
{
  double phase = n > 5 ? x[5] * 3.14159265358979323846 / 180 : 0;
  if (n < 3 || x[2] == 0)
    return "a frequency other than 0 in the third place; for one period in a run of length T as "
           "ngspice has it write 1/T";
  snprintf(buf, FORMULA,
           N "+" N "*if(t<" N ",sin(" N "),exp(-(t-" N ")*" N ")*sin(2*pi*" N "*(t-" N ")+" N "))",
           x[0], x[1], x[3], phase, x[3], x[4], x[2], x[3], phase);
  return NULL;
}

/* V1 V2 [TD TR TF PW PER NP]. Between the edges of a pulse: `u`, the time in it, against their
 * ends. A period that ends before the pulse does begins the next one there. */
static const char *pulse(const double *x, int n, char *buf)
{
  double low = x[0], high = x[1], delay = x[2], rise = x[3], fall = x[4], width = x[5],
         period = x[6], number = x[7];
  double up = rise, top = rise + width, down = rise + width + fall;
  char u[160], tail[1400] = "", edge[600], falls[800], end[80] = "";
  if (rise < 0 || fall < 0 || width < 0) return "times of 0 or more for rise, fall and width";
  if (period < 0) return "a period of 0, for none, or more";
  if (number < 0 || (number > 0 && period == 0))
    return "a period, and as the number of pulses 0, for no end, or more";
  if (period > 0) snprintf(u, sizeof u, "mod(t-" N "," N ")", delay, period);
  else snprintf(u, sizeof u, "(t-" N ")", delay);
  /* An edge of no length is a jump, and has no formula that divides by its length. */
  if (rise > 0)
    snprintf(edge, sizeof edge, "if(%s<" N "," N "+" N "*%s,", u, up, low, (high - low) / rise, u);
  else edge[0] = 0;
  if (fall > 0)
    snprintf(falls, sizeof falls, "if(%s<" N "," N "+" N "*(%s-" N "),", u, down, high,
             (low - high) / fall, u, top);
  else falls[0] = 0;
  if (n > 5)
    snprintf(tail, sizeof tail, "if(%s<" N "," N ",%s" N "%s)", u, top, high, falls, low,
             fall > 0 ? ")" : "");
  else snprintf(tail, sizeof tail, N, high); /* without a width it stays */
  if (number > 0) snprintf(end, sizeof end, "t>=" N "||", delay + number * period);
  snprintf(buf, FORMULA, "if(%st<" N "," N ",%s%s%s)", end, delay, low, edge, tail,
           rise > 0 ? ")" : "");
  return NULL;
}

/* V1 V2 TD1 TAU1 TD2 TAU2. Before TD1 it rests, also where TD2 is before that: then it jumps at TD1
 * to what both have come to. */
static const char *exponential(const double *x, int n, char *buf)
{
  (void)n;
  if (!(x[3] > 0) || !(x[5] > 0)) return "time constants above 0";
  snprintf(buf, FORMULA,
           N "+if(t<" N ",0," N "*(if(t<" N ",0,exp(-(t-" N ")/" N ")-1)+1-exp(-(t-" N ")/" N ")))",
           x[0], x[2], x[1] - x[0], x[4], x[4], x[5], x[2], x[3]);
  return NULL;
}

static const form forms[] = {{"SIN", "SIN(VO VA FREQ [TD THETA PHASE])", 2, 6, sine},
                             {"PULSE", "PULSE(V1 V2 [TD TR TF PW PER NP])", 2, 8, pulse},
                             {"EXP", "EXP(V1 V2 TD1 TAU1 TD2 TAU2)", 6, 6, exponential},
                             {"PWL", "PWL(T1 V1 T2 V2 ...) [r=T td=T]", 4, NS_NETLIST_MAX, NULL}};

/* ---- numbers --------------------------------------------------------------------------------- */

typedef struct reader {
  ns_netlist *k;
  const char *who;
  double *x;
  int n, cap, commas, rc;
} reader;

static int on_number(void *to, int row, int col, const char *text, size_t len)
{
  reader *r = to;
  (void)row, (void)col;
  if (r->n == r->cap) {
    int cap = r->cap ? 2 * r->cap : NUMBERS;
    double *more = realloc(r->x, (size_t)cap * sizeof *more);
    if (!more) return r->rc = ns_nomem(&r->k->l->msg.c, "netlist");
    memset(more + r->cap, 0, (size_t)(cap - r->cap) * sizeof *more);
    r->x = more;
    r->cap = cap;
  }
  r->rc = ns_netlist_number(r->k, r->who, text, len, &r->x[r->n]);
  r->n += !r->rc;
  return r->rc;
}

static int on_entry(void *to, int row, int col, const char *text, size_t len)
{
  (void)row, (void)col, (void)text, (void)len;
  ++*(int *)to;
  return NS_OK;
}

/* Entries of a text as of a vector; 0 where it is none. */
static int entries(const char *text)
{
  ns_ctx quiet = {0};
  int n = 0, rows, cols;
  return ns_split_entries(&quiet, "", text, on_entry, &n, &rows, &cols) || quiet.rc || rows != 1
             ? 0
             : n;
}

/* A comma outside of parentheses. */
static int has_comma(const char *s)
{
  int depth = 0;
  for (; *s; s++) {
    depth += (*s == '(') - (*s == ')');
    if (*s == ',' && depth == 0) return 1;
  }
  return 0;
}

/* ---- sources --------------------------------------------------------------------------------- */

/* Points [n] of rising times, as a function of `time`. */
static ns_node linear_between(ns_netlist *k, ns_node time, int n, const double *t, const double *v)
{
  if (n == 1) return ns_graph_constant(k->g, *v);
  const ns_interpolant *table = ns_interpolant_create(k->a, "PWL", NS_INTERPOLATION_LINEAR,
                                                      NS_OUTSIDE_HOLD, n, t, v);
  return table ? ns_interpolant_node(table, k->g, &time) : -1;
}

/* Two points of one time are a jump: what is before them holds until then. */
static int join_jumps(ns_netlist *k, ns_node time, int n, const double *t, const double *v,
                      ns_node *f)
{
  int end = n, rc = NS_OK;
  for (int i = n - 1; i >= 0 && !rc; i--) {
    if (i > 0 && t[i] > t[i - 1]) continue;
    ns_node piece = linear_between(k, time, end - i, t + i, v + i);
    if (end < n && piece >= 0) {
      ns_node before = ns_graph_less(k->g, time, ns_graph_constant(k->g, t[end]));
      piece = ns_graph_select(k->g, before, piece, *f);
    }
    *f = piece;
    end = i;
    if (piece < 0) rc = ns_nomem(&k->l->msg.c, "netlist");
  }
  return rc;
}

/* r= and td= behind the points of PWL: it begins td later, and at its last point goes on from its
 * time r, for ever. */
typedef struct repetition {
  int repeats;
  double from, delay;
} repetition;

static int read_repetition(ns_netlist *k, const char *who, const char *options, repetition *r)
{
  ns_netlist_pair p;
  while (options && ns_netlist_next_pair(&options, &p)) {
    int is_from = p.n == 1 && tolower((unsigned char)*p.key) == 'r';
    if (!is_from && (p.n != 2 || strncasecmp(p.key, "td", p.n)))
      return ns_netlist_fail(k, "%.64s: unknown option %.*s=, expected r=, td=", who,
                             (int)(p.n < 40 ? p.n : 40), p.key);
    if (p.length == 0)
      return ns_netlist_fail(k, "%.64s: %s= has no value, expected a number", who,
                             is_from ? "r" : "td");
    int rc = ns_netlist_number(k, who, p.value, p.length, is_from ? &r->from : &r->delay);
    if (rc) return rc;
    if (is_from) r->repeats = r->from >= 0; /* -1 of SPICE: it does not */
  }
  return NS_OK;
}

/* The time at which points of PWL are looked up. */
static int repeated_time(ns_netlist *k, const char *who, const repetition *r, double last,
                         ns_node *time)
{
  char text[FORMULA];
  double period = last - r->from;
  if (r->repeats && !(period > 0))
    return ns_netlist_fail(k,
                           "%.64s: r is %.10g, expected a time before the last point of PWL, "
                           "%.10g, from which on it repeats",
                           who, r->from, last);
  if (r->repeats)
    snprintf(text, sizeof text, "if(t<" N ",t-" N "," N "+mod(t-" N "," N "))", last + r->delay,
             r->delay, r->from, r->delay + r->from, period);
  else snprintf(text, sizeof text, "t-" N, r->delay);
  return ns_netlist_formula(k, who, text, strlen(text), 1u << NS_BANK_T, time);
}

static int piecewise_linear(ns_netlist *k, const char *who, const reader *r, const char *options,
                            ns_node *f)
{
  int n = r->n / 2;
  double *t = malloc(2 * (size_t)n * sizeof *t), *v = t ? t + n : NULL;
  if (!t) return ns_nomem(&k->l->msg.c, "netlist");
  for (int i = 0; i < n; i++) t[i] = r->x[2 * i];
  for (int i = 0; i < n; i++) v[i] = r->x[2 * i + 1];
  int rc = r->n % 2
               ? ns_netlist_fail(k,
                                 "%.64s: PWL has %d numbers, expected pairs of a time and a value",
                                 who, r->n)
               : NS_OK;
  for (int i = 1; i < n && !rc; i++)
    if (!(t[i] >= t[i - 1]) || (i > 1 && t[i] == t[i - 2]))
      rc = ns_netlist_fail(
          k,
          "%.64s: time %d of PWL is %.10g, expected a time after %.10g; two points "
          "of one time are a jump",
          who, i + 1, t[i], t[i - 1]);
  repetition repeat = {0};
  ns_node time = 0;
  if (!rc) rc = read_repetition(k, who, options, &repeat);
  if (!rc) rc = repeated_time(k, who, &repeat, t[n - 1], &time);
  if (!rc) rc = join_jumps(k, time, n, t, v, f);
  free(t);
  return rc;
}

/* *options: what stands behind it; NULL afterwards where it is of the source. */
static int source(ns_netlist *k, const char *who, const form *s, reader *r, const char **options,
                  ns_node *f)
{
  char text[FORMULA];
  if (r->n < s->min || r->n > s->max)
    return ns_netlist_fail(k, "%.64s: %s has %d number%s, expected `%s`", who, s->word, r->n,
                           r->n == 1 ? "" : "s", s->usage);
  if (!s->write) {
    const char *own = *options;
    *options = NULL;
    return piecewise_linear(k, who, r, own, f);
  }
  const char *wrong = s->write(r->x, r->n, text);
  if (wrong)
    return ns_netlist_fail(k, "%.64s: %s: expected %s: `%s`", who, s->word, wrong, s->usage);
  return ns_netlist_formula(k, who, text, strlen(text), 1u << NS_BANK_T, f);
}

static const form *form_of(const char *text, size_t n)
{
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (strlen(forms[i].word) == n && !strncasecmp(text, forms[i].word, n)) return &forms[i];
  return NULL;
}

static int is_function(const ns_load *l, const char *name, size_t n)
{
#define NAME(f, nargs, help) #f,
  static const char *const known[] = {NS_FUNCTION_LIST(NAME) NS_BLOCK_LIST(NAME)};
#undef NAME
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strlen(known[i]) == n && !strncmp(known[i], name, n)) return 1;
  return ns_load_function_arguments(l, name, n) != 0;
}

/* SINE(0 10 50): the word of no source nor function, before several numbers between blanks. */
static int unknown_source(ns_netlist *k, const char *who, const char *text, size_t w,
                          const char *numbers, int *rc)
{
  char word[16];
  if (!numbers || w >= sizeof word || entries(numbers) < 2) return 0;
  if (is_function(k->l, text, w)) return 0;
  for (size_t i = 0; i < w; i++) word[i] = (char)toupper((unsigned char)text[i]);
  word[w] = 0;
  ns_suggest near = ns_suggest_for(word, w);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) ns_suggest_offer(&near, forms[i].word);
  const form *s = near.best ? form_of(near.best, strlen(near.best)) : NULL;
  int is_sine = !strcmp(word, "SINE"); /* which no function is called */
  if (!s || (has_comma(numbers) && !is_sine)) return 0;
  *rc = ns_netlist_fail(k, "%.64s: unknown source %.*s, did you mean %s? expected `%s`", who,
                        (int)w, text, s->word, s->usage);
  return 1;
}

/* What stands in the parentheses that begin at text and end it; malloced. NULL: they do not, or out
 * of memory. */
static char *inside(const char *text, size_t n)
{
  int depth = 0;
  if (n < 2 || *text != '(') return NULL;
  for (size_t i = 0; i < n; i++) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (depth == 0) return i == n - 1 ? strndup(text + 1, n - 2) : NULL;
  }
  return NULL;
}

/* What looks like a source and is none, nor a function: PULSE(0 5, SIN 0 5 50, 2 behind EXP(...).
 * The words of functions, sin(x), are left to the formula. */
static int misspelt(ns_netlist *k, const char *who, const form *s, const char *text, size_t n,
                    int *rc)
{
  size_t at = strlen(s->word);
  int depth = 0, capital = isupper((unsigned char)*text), blank = 0;
  if (!capital) return 0;
  while (at < n && isspace((unsigned char)text[at])) at++, blank = 1;
  if (at < n && text[at] != '(') {
    if (!blank) return 0;
    *rc = ns_netlist_fail(k, "%.64s: %s has no parentheses, expected `%s`", who, s->word, s->usage);
    return 1;
  }
  for (; at < n; at++) {
    depth += (text[at] == '(') - (text[at] == ')');
    if (!depth) break;
  }
  if (depth)
    *rc = ns_netlist_fail(k, "%.64s: %s( is not closed by ), expected `%s`", who, s->word,
                          s->usage);
  else if (at + 1 < n && text[at + 1] == ')')
    *rc = ns_netlist_fail(k, "%.64s: %s(...) has one ) too many, expected `%s`", who, s->word,
                          s->usage);
  else if (at + 1 < n)
    *rc = ns_netlist_fail(k,
                          "%.64s: %s(...) is a part of a formula, expected it alone; a sum of "
                          "sources is several of them in series or in parallel",
                          who, s->word);
  else return 0;
  return 1;
}

int ns_netlist_source(ns_netlist *k, const char *who, const char *text, size_t n,
                      const char **options, ns_node *f, int *rc)
{
  size_t w = 0;
  while (w < n && isalpha((unsigned char)text[w])) w++;
  size_t open = w;
  while (open < n && isspace((unsigned char)text[open])) open++;
  if (w == 2 && !strncasecmp(text, "DC", 2) && open > w && open < n) {
    *rc = ns_netlist_formula(k, who, text + open, n - open, 1u << NS_BANK_T, f);
    return 1;
  }
  const form *s = form_of(text, w);
  if (s && misspelt(k, who, s, text, n, rc)) return 1;
  char *numbers = w ? inside(text + open, n - open) : NULL;
  if (!s && unknown_source(k, who, text, w, numbers, rc)) {
    free(numbers);
    return 1;
  }
  /* sin(x) and exp(x) are functions, pulse(x) is not */
  int min = s && !strcmp(s->word, "PULSE") ? 0 : 1, count = s && numbers ? entries(numbers) : 0,
      is_source = s && numbers &&
                  (s->write == NULL || (count > min && !has_comma(numbers)) || count > 3);
  if (is_source) {
    reader r = {.k = k, .who = who};
    ns_ctx quiet = {0};
    int rows, cols;
    ns_split_entries(&quiet, "", numbers, on_number, &r, &rows, &cols);
    *rc = r.rc ? r.rc : source(k, who, s, &r, options, f);
    free(r.x);
  }
  free(numbers);
  return is_source;
}
