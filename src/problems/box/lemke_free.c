/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The problem of lemke.c in its own units, and the elimination of its free unknowns: they become
 * basic in the rows y_i = 0 of free rows, whichever fits, and these rows are then done with. Where
 * the free block is singular (an ideal source in series with a diode), a free unknown enters
 * together with the unknown of a complementary pair. */
#include "problems/box/lemke.h"

#include "algebra/vector.h"

#include <limits.h>
#include <string.h>

#define DEPENDENT 1e-12   /* an entry below this, relative to what was subtracted, is 0 */
#define INCONSISTENT 1e-9 /* a constant above this, relative to the largest, is not 0 */

/* ---- the problem in x and y, scaled ---------------------------------------------------------- */

void ns_lemke_scales(int n, double *size)
{
  double min = INFINITY, max = 0;
  for (int i = 0; i < n; i++) {
    max = ns_box_larger(size[i], max);
    if (size[i] > 0 && size[i] < min) min = size[i];
  }
  for (int i = 0; i < n; i++)
    size[i] = ns_box_power(max < 1000 * min || size[i] == 0 ? max : size[i]);
}

static int is_free(const ns_box *p, int i) { return p->lb[i] == -INFINITY && p->ub[i] == INFINITY; }

/* Where x starts: lower bounds, upper ones where there is no lower one or x is there, the guess of
 * free unknowns. */
static void set_start(ns_lemke *l, const ns_box *p, const signed char *at, const double *z)
{
  for (int i = 0; i < p->n; i++) {
    int up = p->lb[i] == -INFINITY || (at && at[i] == NS_BOX_UPPER);
    l->sign[i] = up && p->ub[i] < INFINITY ? -1 : 1;
    l->flip[i] = 0;
    l->start[i] = !up                     ? p->lb[i]
                  : p->ub[i] < INFINITY   ? p->ub[i]
                  : fabs(z[i]) <= DBL_MAX ? z[i]
                                          : 0;
    l->bound[i] = p->ub[i] - p->lb[i];
  }
}

void ns_lemke_load(ns_lemke *l, ns_box_work *k, const ns_box *p, const signed char *at,
                   const double *z)
{
  int n = p->n;
  l->n = n;
  l->largest = 0;
  ns_box_scales(k, p);
  set_start(l, p, at, z);
  for (int i = 0; i < n; i++) l->value[i] = 1 / k->r[i];
  ns_lemke_scales(n, l->value);
  memset(l->colscale, 0, (size_t)n * sizeof *l->colscale);
  for (int i = 0; i < n; i++) {
    double *e = ns_lemke_line(l, i), r = l->value[i], t = p->q[i];
    for (int j = 0; j < n; j++) {
      double m = p->dense[(size_t)i + (size_t)j * (size_t)p->ld];
      t += m * l->start[j];
      e[j] = l->sign[i] * l->sign[j] * r * m;
      l->colscale[j] = ns_box_larger(l->colscale[j], fabs(e[j]));
    }
    e[n] = l->sign[i] * r * t;
    l->largest = ns_box_larger(l->largest, fabs(e[n]));
    l->row[i] = i;
    l->col[i] = n + i;
    l->since[i] = INT_MAX;
    l->gone_row[i] = l->gone_col[i] = 0;
  }
  ns_lemke_scales(n, l->colscale);
  for (int j = 0; j < n; j++) l->bound[j] /= l->colscale[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) ns_lemke_line(l, i)[j] *= l->colscale[j];
}

/* ---- free unknowns --------------------------------------------------------------------------- */

/* The largest entry of row i in a column of a free unknown, and how many entries there are. */
static void find_top(ns_lemke *l, int i)
{
  const double *e = ns_lemke_line(l, i);
  double top = 0;
  int at = -1, count = 0;
  for (int j = 0; j < l->n; j++) {
    double a = fabs(e[j]);
    count += a > 0;
    if (a > top && l->open[j]) {
      top = a;
      at = j;
    }
  }
  l->top[i] = at;
  l->count[i] = count;
}

/* Exchange row r and column c. gone: the column is then that of a y that stays 0, and no more
 * computed. The row keeps what its basic variable is, for back substitution; l->since tells it what
 * the columns were. */
static void exchange(ns_lemke *l, int r, int c, int gone)
{
  int n = l->n;
  double *restrict pr = ns_lemke_line(l, r), f = 1 / pr[c];
  for (int j = 0; j <= n; j++) pr[j] *= -f;
  pr[c] = gone ? 0 : f;
  l->open[c] = 0;
  l->gone_col[c] = (unsigned char)gone;
  l->since[c] = l->done;
  for (int i = 0; i < n; i++) {
    double *restrict e = ns_lemke_line(l, i), a = e[c];
    if (i == r || l->gone_row[i] || a == 0) continue;
    e[c] = 0;
    for (int j = 0; j <= n; j++) {
      double d = a * pr[j], sum = e[j] + d;
      e[j] = fabs(sum) < DEPENDENT * fabs(d) ? 0 : sum;
    }
    find_top(l, i);
  }
  ns_swap_ints(&l->row[r], &l->col[c]);
}

static int equation(const ns_lemke *l, const ns_box *p, int i)
{
  return !l->gone_row[i] && l->row[i] < l->n && is_free(p, l->row[i]);
}

/* The free row with the fewest entries that has one in a free column; -1: none. Pivoting within the
 * row keeps this stable in any order of rows. */
static int next_row(const ns_lemke *l, const ns_box *p)
{
  int best = -1;
  for (int i = 0; i < l->n; i++)
    if (equation(l, p, i) && l->top[i] >= 0 && (best < 0 || l->count[i] < l->count[best])) best = i;
  return best;
}

static void retire(ns_lemke *l, int r)
{
  l->gone_row[r] = 1;
  l->order[l->done++] = r;
}

/* The free block is singular: y_i of the rest is brought to 0 through a complementary pair, x_j
 * into row i and the free unknown into the row of y_j. 0 where there is none. */
static int exchange_through_pair(ns_lemke *l, int i)
{
  int n = l->n, row = -1, bj = -1, bf = -1;
  double best = 0;
  for (int j = 0; j < n; j++) {
    int v = l->col[j] - n, r = 0;
    if (l->gone_col[j] || l->open[j] || v < 0 || l->bound[v] < INFINITY ||
        ns_lemke_line(l, i)[j] == 0)
      continue;
    while (r < n && l->row[r] != v) r++;
    for (int f = 0; r < n && f < n; f++) {
      double both = l->open[f] ? -ns_box_larger(-fabs(ns_lemke_line(l, i)[j]),
                                                -fabs(ns_lemke_line(l, r)[f]))
                               : 0;
      if (both > best) {
        best = both;
        row = r;
        bj = j;
        bf = f;
      }
    }
  }
  if (row < 0) return 0;
  exchange(l, i, bj, 1);
  exchange(l, row, bf, 0);
  retire(l, row);
  return 1;
}

/* A row of a free unknown that has no free column to exchange with. */
static ns_outcome_kind resolve(ns_lemke *l, int i)
{
  if (l->count[i] > 0) return exchange_through_pair(l, i) ? NS_SOLVED : NS_SINGULAR;
  l->gone_row[i] = 1;
  return fabs(ns_lemke_line(l, i)[l->n]) > INCONSISTENT * l->largest
             ? NS_RAY
             : NS_SOLVED; /* 0 z = a constant */
}

ns_outcome_kind ns_lemke_eliminate(ns_lemke *l, const ns_box *p)
{
  int n = l->n;
  l->done = 0;
  for (int j = 0; j < n; j++) l->open[j] = (unsigned char)is_free(p, j);
  for (int i = 0; i < n; i++) find_top(l, i);
  for (int r; (r = next_row(l, p)) >= 0;) {
    exchange(l, r, l->top[r], 1);
    retire(l, r);
  }
  for (int i = 0; i < n; i++) {
    ns_outcome_kind e = equation(l, p, i) ? resolve(l, i) : NS_SOLVED;
    if (e != NS_SOLVED) return e;
  }
  for (int j = 0; j < n; j++) l->gone_col[j] |= l->open[j]; /* it stays at the guess */
  return NS_SOLVED;
}

/* ---- the answer ------------------------------------------------------------------------------ */

/* The last one eliminated comes first. */
void ns_lemke_substitute(const ns_lemke *l, double *z)
{
  int n = l->n;
  for (int k = l->done - 1; k >= 0; k--) {
    const double *e = ns_lemke_line(l, l->order[k]);
    int x = l->row[l->order[k]];
    double s = e[n];
    for (int j = 0; j < n; j++)
      if (e[j] != 0) s += e[j] * l->value[k >= l->since[j] ? l->col[j] : n + j];
    l->value[x] = s;
    z[x - n] = l->start[x - n] + l->colscale[x - n] * s;
  }
}
