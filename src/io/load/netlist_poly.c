/* SPDX-License-Identifier: GPL-3.0-or-later */
/* netlist_poly.c -- controlled sources as SPICE writes them: POLY(n), TABLE, VALUE, and pwl() in
 * formulas.
 *
 * The line is written anew as one with a formula, before its names and nodes are looked at: v(a,b)
 * and i(V1) in it have their places in subcircuits and .repeat as those of B have.
 *
 *   E1 a b POLY(2) c d e f p0 p1 p2 p11 p12 p22 ...   E1 a b v=p0 + p1*v(c,d) + p2*v(e,f) +
 *   p11*v(c,d)*v(c,d) + ...
 *   F1 a b POLY(1) V1 p0 p1 p2                        F1 a b i=p0 + p1*i(V1) + p2*i(V1)*i(V1)
 *   E1 a b TABLE {v(c)} = (x1,y1) (x2,y2) ...         E1 a b v=pwl(v(c), x1,y1, x2,y2, ...)
 *   E1 a b {K*rotor.v_phi}                            E1 a b v={K*rotor.v_phi}
 *   pwl(x, x1,y1, x2,y2, ...)                         y1 + (y2-y1)*ramp(x, x1, x2) + ...
 *
 * Products of k inputs stand in the order of SPICE2 (Nagel 1975, appendix A): by their number, then
 * as 11 12 .. 1n 22 23 ..; a polynomial of one input with one number has that for p1. A table is
 * held beyond its ends; two points with one x are a jump. */
#include "io/load/netlist.h"

#include "base/text_stream.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { INPUTS = 16, DEGREE = 32 };

typedef struct token {
  const char *s;
  size_t n;
} token;

/* ---- words ----------------------------------------------------------------------------------- */

/* The next word: what stands in braces or parentheses behind its begin belongs to it; `apart`:
 * commas and parentheses part. */
static int next_token(const char **s, int apart, token *w)
{
  const char *p = *s;
  int depth = 0;
  while (isspace((unsigned char)*p) || (apart && *p && strchr(",()", *p))) p++;
  w->s = p;
  for (; *p && (depth || !isspace((unsigned char)*p)); p++) {
    if (apart && !depth && strchr(",()", *p)) break;
    depth += (*p == '{' || (!apart && *p == '(')) - (*p == '}' || (!apart && *p == ')'));
  }
  w->n = (size_t)(p - w->s);
  *s = p;
  return w->n > 0;
}

static int is_word(token w, const char *word)
{
  return w.n == strlen(word) && !strncasecmp(w.s, word, w.n);
}

/* A number that stands there as such; 0: it is an expression. */
static int plain(token w, double *x)
{
  char *end;
  *x = strtod(w.s, &end);
  return end == w.s + w.n;
}

static void put(FILE *to, token w) { fprintf(to, "(%.*s)", (int)w.n, w.s); }

/* ---- tables ---------------------------------------------------------------------------------- */

/* y1 + (y2-y1)*ramp(x, x1, x2) + ... of points p [2 n]. NULL, or what is wrong. */
static const char *write_points(FILE *to, token x, const token *p, int n)
{
  if (n < 1) return "expected points x, y";
  put(to, p[1]);
  for (int i = 0; i + 1 < n; i++) {
    double a, b;
    int plainly = plain(p[2 * i], &a) && plain(p[2 * i + 2], &b);
    if (plainly && b < a) return "expected points with ascending x";
    fputs(" + (", to);
    put(to, p[2 * i + 3]), fputc('-', to), put(to, p[2 * i + 1]);
    fputs(plainly && a == b ? ")*step(" : ")*ramp(", to);
    put(to, x), fputs(plainly && a == b ? "-" : ", ", to);
    put(to, p[2 * i]);
    if (!plainly || a != b) fputs(", ", to), put(to, p[2 * i + 2]);
    fputc(')', to);
  }
  return NULL;
}

/* Arguments of a call from behind its parenthesis on, up to that which closes it: their number, -1:
 * it is not closed, or has more than `max`. */
static int arguments(const char **s, token *w, int max)
{
  int n = 0, depth = 0;
  const char *begin = *s, *p = begin;
  for (; *p; p++) {
    int ends = depth == 0 && (*p == ',' || *p == ')');
    if (ends && n == max) return -1;
    if (ends) w[n++] = (token){begin, (size_t)(p - begin)}, begin = p + 1;
    if (ends && *p == ')') {
      *s = p + 1;
      return n;
    }
    depth += (*p == '(' || *p == '{') - (*p == ')' || *p == '}');
  }
  return -1;
}

/* pwl(x, x1, y1, ...) at the begin of s. */
static size_t call_at(const char *s, const char *text)
{
  int inside = s > text && (isalnum((unsigned char)s[-1]) || s[-1] == '_' || s[-1] == '.');
  size_t n = strlen("pwl");
  if (inside || strncasecmp(s, "pwl", n)) return 0;
  n += strspn(s + n, " \t");
  return s[n] == '(' ? n + 1 : 0;
}

enum { POINTS = 4096 };

/* The text with each pwl() as a sum. */
static const char *write_calls(FILE *to, const char *text)
{
  token *w = malloc((2 * POINTS + 1) * sizeof *w);
  const char *fault = w ? NULL : "out of memory";
  for (const char *s = text; *s && !fault;) {
    size_t skip = call_at(s, text);
    if (!skip) {
      fputc(*s++, to);
      continue;
    }
    s += skip;
    int n = arguments(&s, w, 2 * POINTS + 1);
    if (n < 3 || n % 2 == 0) fault = "expected pwl(x, x1,y1, x2,y2, ...)";
    if (fault) break;
    fputc('(', to);
    fault = write_points(to, w[0], w + 1, n / 2);
    fputc(')', to);
  }
  free(w);
  return fault;
}

/* TABLE {x} = (x1,y1) (x2,y2), or TABLE {x} ((x1,y1) ...) */
static const char *write_table(FILE *to, const char *s)
{
  token x, *w = malloc(2 * POINTS * sizeof *w);
  const char *fault = w ? NULL : "out of memory";
  int n = 0;
  if (!fault && !next_token(&s, 0, &x)) fault = "expected TABLE {x} = (x1,y1) (x2,y2) ...";
  s += fault ? 0 : strspn(s, " \t=");
  while (!fault && next_token(&s, 1, &w[n]))
    if (++n == 2 * POINTS) fault = "expected at most 4096 points";
  if (!fault && (n < 2 || n % 2)) fault = "expected TABLE {x} = (x1,y1) (x2,y2) ...";
  if (!fault) fault = write_points(to, x, w, n / 2);
  free(w);
  return fault;
}

/* ---- polynomials ----------------------------------------------------------------------------- */

/* The next product in the order of SPICE2: of indices of n inputs that do not fall. */
static void next_product(int *index, int *degree, int n)
{
  int k = *degree - 1;
  while (k >= 0 && index[k] == n - 1) k--;
  int from = k >= 0 ? index[k] + 1 : 0;
  if (k < 0) k = 0, (*degree)++;
  for (; k < *degree; k++) index[k] = from;
}

/* POLY(n) inputs numbers; by a current or by a voltage each. */
static const char *write_polynomial(FILE *to, const char *s, int n, int current)
{
  token in[2 * INPUTS], w, after;
  int index[DEGREE] = {0}, degree = 0, terms = 0;
  for (int k = 0; k < (current ? n : 2 * n); k++)
    if (!next_token(&s, 1, &in[k]))
      return current ? "expected the elements whose currents it reads"
                     : "expected two nodes for each input";
  const char *rest = s;
  if (!next_token(&s, 1, &w)) return "expected numbers after its inputs";
  if (n == 1 && !next_token(&s, 1, &after)) degree = 1;
  s = rest;
  for (; next_token(&s, 1, &w); next_product(index, &degree, n)) {
    double x;
    if (degree == DEGREE) return "expected fewer numbers";
    if (plain(w, &x) && x == 0) continue;
    if (terms++) fputs(" + ", to);
    put(to, w);
    for (int k = 0; k < degree; k++) {
      const token *a = in + (current ? 1 : 2) * index[k];
      if (current) fprintf(to, "*i(%.*s)", (int)a->n, a->s);
      else fprintf(to, "*v(%.*s,%.*s)", (int)a->n, a->s, (int)a[1].n, a[1].s);
    }
  }
  if (!terms) fputc('0', to);
  return NULL;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* POLY(n) or POLY (n) at s: n, 0: it is none, -1: without a good number; *end behind it. */
static int inputs_at(const char *s, const char **end)
{
  size_t n = strlen("POLY");
  if (strncasecmp(s, "POLY", n)) return 0;
  n += strspn(s + n, " \t");
  if (s[n] != '(') return 0;
  char *stop;
  long count = strtol(s + n + 1, &stop, 10);
  stop += strspn(stop, " \t");
  if (*stop != ')' || count < 1 || count > INPUTS) return -1;
  *end = stop + 1;
  return (int)count;
}

/* In braces or quotes, and nothing else: {K*rotor.v_phi}. A name with an index, {i}a, has more
 * behind the brace; a line of nodes and elements has more words. */
static int is_enclosed(const char *s)
{
  size_t n = strlen(s);
  while (n && isspace((unsigned char)s[n - 1])) n--;
  char close = *s == '{' ? '}' : '\'';
  if (n < 3 || (*s != '{' && *s != '\'')) return 0;
  return memchr(s + 1, close, n - 1) == s + n - 1;
}

/* One word that is no name: K*rotor.v_phi. */
static int is_bare_formula(const char *s)
{
  const char *end = s;
  token w, more;
  if (!next_token(&end, 0, &w) || next_token(&end, 0, &more) || *s == '{') return 0;
  for (size_t i = 0; i < w.n; i++)
    if (strchr("*/()", w.s[i])) return 1;
  return isalpha((unsigned char)*s) && memchr(w.s, '.', w.n);
}

/* What stands behind name and nodes of E, F, G, H as a formula. */
static const char *write_source(FILE *to, int letter, const char *s, int *is)
{
  int current = letter == 'F' || letter == 'H', n;
  const char *end = s;
  token w;
  *is = 1;
  if ((n = inputs_at(s, &end)) < 0) return "expected POLY(n), n from 1 to 16";
  fputs(letter == 'E' || letter == 'H' ? "v=" : "i=", to);
  if (n) return write_polynomial(to, end, n, current);
  if (!current && next_token(&end, 1, &w) && is_word(w, "TABLE")) return write_table(to, end);
  size_t value = strlen("VALUE"),
         blank = strspn(s + value * !strncasecmp(s, "VALUE", value), " \t");
  if (!current && !strncasecmp(s, "VALUE", value)) {
    const char *formula = s + value + blank + (s[value + blank] == '=');
    formula += strspn(formula, " \t");
    if (s[value + blank] == '=' || is_enclosed(formula)) return write_calls(to, formula);
  }
  if (is_enclosed(s) || (is_bare_formula(s) && !ns_netlist_formula_begins(s)))
    return write_calls(to, s);
  *is = 0;
  return NULL;
}

int ns_netlist_formula_begins(const char *s)
{
  int letter = tolower((unsigned char)*s);
  return (letter == 'v' || letter == 'i') && s[1 + strspn(s + 1, " \t")] == '=';
}

int ns_netlist_spice(ns_netlist *k, const char *line, const char **out)
{
  int letter = toupper((unsigned char)*line), is = letter == 'B';
  const char *s = line, *fault = NULL;
  token name, node;
  *out = line;
  if (!strchr("BEFGH", letter) || !next_token(&s, 0, &name) || !next_token(&s, 0, &node) ||
      !next_token(&s, 0, &node))
    return NS_OK;
  s += strspn(s, " \t");
  ns_text_stream rewritten;
  if (!ns_text_stream_open(&rewritten)) return ns_nomem(&k->l->msg.c, "netlist");
  fprintf(rewritten.to, "%.*s", (int)(s - line), line);
  if (is) fault = write_calls(rewritten.to, s);
  else fault = write_source(rewritten.to, letter, s, &is);
  char *text = ns_text_stream_close(&rewritten);
  if (text && !fault && is) *out = ns_arena_text(k->l->scratch, text);
  free(text);
  if (!text || !*out) return ns_nomem(&k->l->msg.c, "netlist");
  return fault ? ns_netlist_fail(k, "%.*s: %s", (int)(name.n < 64 ? name.n : 64), name.s, fault)
               : NS_OK;
}
