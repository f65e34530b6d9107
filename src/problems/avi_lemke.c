/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lemke's method for boxes (Cao & Ferris 1996, at a vertex of the box), lexicographic.
 *
 * Unknowns are measured from a finite bound, with the sign that makes them positive inside:
 * x_i = z_i - lb_i, or ub_i - z_i where only ub_i is finite; 0 <= x_i <= U_i. With y_i = +-w_i the problem is
 *
 *   y = T x + t + d z0;   x_i = 0 and y_i >= 0,  or y_i = 0,  or x_i = U_i and y_i <= 0.
 *
 * That is Lemke's method on the LCP [M, I; -I, 0] of twice the size with covering vector (1, 0), without the
 * rows of the upper bounds: whenever x_i reaches U_i, it is replaced by U_i - x_i and y_i by -y_i, so that what is
 * nonbasic is always 0. Free unknowns (and their rows y_i = 0) are eliminated first, see eliminate(). Kept as a dictionary
 * basic = T nonbasic + t, ties are broken by the inverse of the basis as in lcp_lemke.c; scaled by powers of two. A bounded box has a
 * solution for any M and this method finds it; a ray means that there is none where M is copositive-plus. */
#include "problems/avi_work.h"

#include <limits.h>
#include <string.h>

#define TIE 1e-12     /* relative: ratios and keys closer than this are equal */
#define PIVOT 1e-11   /* smallest pivot relative to the largest entry of its column */
#define NOTHING 1e-11 /* z0, the largest constant being 1: the candidate is tried from there on, at every half of it */
#define DEPENDENT 1e-12 /* an entry below this, relative to what was subtracted, is 0 */
#define INCONSISTENT 1e-9 /* a constant above this, relative to the largest, is not 0 */

struct ns_avi_pivots {
  double *E;         /* the elimination: n rows of n+1, columns x_j and the constant */
  double *T;         /* m rows of m+2: nonbasic columns, z0's among them, then the constant */
  double *colscale, *start, *bound; /* of x_j: z_j = start_j + sign_j colscale_j x_j; U_j [n] */
  double *value;     /* of y_j and x_j at the end [2n] */
  double *unit;      /* of y_j and x_j in T [2n] */
  double *range;     /* U_j in T [n] */
  signed char *sign; /* +1, -1: start is the upper bound [n] */
  signed char *flip; /* 1: x_j stands for U_j - x_j [n] */
  /* elimination */
  int *row, *col;    /* what row i and column j of E hold; y_j is j, x_j is n+j [n] */
  int *top, *count;  /* of a row: the free column of its largest entry, -1: none; its entries [n] */
  int *order, done;  /* rows eliminated, in order [n] */
  int *since;        /* the rows eliminated before the column was exchanged [n] */
  unsigned char *gone_row, *gone_col, *open; /* open: column of a free unknown that is not yet basic [n] */
  double largest;    /* constant */
  /* pivoting */
  int *basic;     /* variable of row i; z0 is 2n [n] */
  int *nonbasic;  /* variable of column j [n+1] */
  int *where;     /* of a variable: its row, or -1 - its column [2n+1] */
  int *first;     /* basic variable of row i at the start [n] */
  signed char *sigma; /* the sign it has taken since [n] */
  int n, m, ld;
  double qscale, small; /* small: z0 at which a candidate is tried next */
  int enters, leaving, limit, more; /* the next pivot; pivots left; more: there is a next one */
};

int ns_avi_lemke_create(ns_avi_work *k, ns_ctx *c, ns_avi_pivots **out)
{
  size_t n = (size_t)k->ndense;
  ns_avi_pivots *l = NULL;
  int rc = ns_avi_work_get(k, c, 1, sizeof *l, &l);
  if (rc) return rc;
  const struct {
    void *at;
    size_t count, size;
  } want[] = {
      {&l->E, n * (n + 1), sizeof(double)}, {&l->T, n * (n + 2), sizeof(double)}, {&l->colscale, n, sizeof(double)},
      {&l->start, n, sizeof(double)},       {&l->bound, n, sizeof(double)},       {&l->value, 2 * n, sizeof(double)},
      {&l->since, n, sizeof(int)},          {&l->top, n, sizeof(int)},            {&l->count, n, sizeof(int)},
      {&l->row, n, sizeof(int)},            {&l->col, n, sizeof(int)},            {&l->order, n, sizeof(int)},
      {&l->basic, n, sizeof(int)},          {&l->nonbasic, n + 1, sizeof(int)},   {&l->where, 2 * n + 1, sizeof(int)},
      {&l->first, n, sizeof(int)},          {&l->sign, n, 1},                     {&l->flip, n, 1},
      {&l->gone_row, n, 1},                 {&l->gone_col, n, 1},                 {&l->sigma, n, 1},
      {&l->open, n, 1},                     {&l->unit, 2 * n, sizeof(double)},    {&l->range, n, sizeof(double)},
  };
  for (size_t i = 0; i < sizeof want / sizeof *want && !rc; i++)
    rc = ns_avi_work_get(k, c, want[i].count, want[i].size, want[i].at);
  if (!rc) *out = l;
  return rc;
}

/* ---- the problem in x and y, scaled ---- */

static double *line(const ns_avi_pivots *l, int i) { return l->E + (size_t)i * (size_t)(l->n + 1); }

/* Sizes become scales, powers of two that bring them to about 1: one for all where they differ by less than 1000, so that
 * ordinary problems keep their own covering vector. */
static void scales(int n, double *size)
{
  double least = INFINITY, most = 0;
  for (int i = 0; i < n; i++) {
    most = ns_avi_larger(size[i], most);
    if (size[i] > 0 && size[i] < least) least = size[i];
  }
  for (int i = 0; i < n; i++) size[i] = ns_avi_power(most < 1000 * least || size[i] == 0 ? most : size[i]);
}

static int is_free(const ns_avi *p, int i) { return p->lb[i] == -INFINITY && p->ub[i] == INFINITY; }

/* Where x starts: lower bounds, upper ones where there is no lower one, the guess of free unknowns. */
static void set_start(ns_avi_pivots *l, const ns_avi *p, const double *z)
{
  for (int i = 0; i < p->n; i++) {
    int up = p->lb[i] == -INFINITY;
    l->sign[i] = up && p->ub[i] < INFINITY ? -1 : 1;
    l->flip[i] = 0;
    l->start[i] = !up ? p->lb[i] : p->ub[i] < INFINITY ? p->ub[i] : fabs(z[i]) <= DBL_MAX ? z[i] : 0;
    l->bound[i] = p->ub[i] - p->lb[i];
  }
}

static void load(ns_avi_pivots *l, const ns_avi_work *k, const ns_avi *p, const double *z)
{
  int n = p->n;
  l->n = n;
  l->largest = 0;
  set_start(l, p, z);
  for (int i = 0; i < n; i++) l->value[i] = 1 / k->r[i];
  scales(n, l->value);
  for (int j = 0; j < n; j++) l->colscale[j] = 0;
  for (int i = 0; i < n; i++) {
    double *e = line(l, i), r = l->value[i], t = p->q[i];
    for (int j = 0; j < n; j++) {
      double m = k->M[(size_t)i + (size_t)j * (size_t)k->ld];
      t += m * l->start[j];
      e[j] = l->sign[i] * l->sign[j] * r * m;
      l->colscale[j] = ns_avi_larger(l->colscale[j], fabs(e[j]));
    }
    e[n] = l->sign[i] * r * t;
    l->largest = ns_avi_larger(l->largest, fabs(e[n]));
    l->row[i] = i;
    l->col[i] = n + i;
    l->since[i] = INT_MAX;
    l->gone_row[i] = l->gone_col[i] = 0;
  }
  scales(n, l->colscale);
  for (int j = 0; j < n; j++) l->bound[j] /= l->colscale[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) line(l, i)[j] *= l->colscale[j];
}

/* ---- free unknowns ---- */

/* The largest entry of row i in a column of a free unknown, and how many entries there are. */
static void find_top(ns_avi_pivots *l, int i)
{
  const double *e = line(l, i);
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

/* Exchange row r and column c. gone: the column is then that of a y that stays 0, and no more computed. The row keeps
 * what its basic variable is, for back substitution; l->since tells it what the columns were. */
static void exchange(ns_avi_pivots *l, int r, int c, int gone)
{
  int n = l->n;
  double *restrict pr = line(l, r), f = 1 / pr[c];
  for (int j = 0; j <= n; j++) pr[j] *= -f;
  pr[c] = gone ? 0 : f;
  l->open[c] = 0;
  l->gone_col[c] = (unsigned char)gone;
  l->since[c] = l->done;
  for (int i = 0; i < n; i++) {
    double *restrict e = line(l, i), a = e[c];
    if (i == r || l->gone_row[i] || a == 0) continue;
    e[c] = 0;
    for (int j = 0; j <= n; j++) {
      double d = a * pr[j], sum = e[j] + d;
      e[j] = fabs(sum) < DEPENDENT * fabs(d) ? 0 : sum;
    }
    find_top(l, i);
  }
  int leaves = l->row[r];
  l->row[r] = l->col[c];
  l->col[c] = leaves;
}

static int equation(const ns_avi_pivots *l, const ns_avi *p, int i)
{
  return !l->gone_row[i] && l->row[i] < l->n && is_free(p, l->row[i]);
}

/* The free row with the fewest entries that has one in a free column; -1: none. Pivoting within the row keeps this stable
 * in any order of rows. */
static int next_row(const ns_avi_pivots *l, const ns_avi *p)
{
  int best = -1;
  for (int i = 0; i < l->n; i++)
    if (equation(l, p, i) && l->top[i] >= 0 && (best < 0 || l->count[i] < l->count[best])) best = i;
  return best;
}

static void retire(ns_avi_pivots *l, int r)
{
  l->gone_row[r] = 1;
  l->order[l->done++] = r;
}

/* The free block is singular: y_i of the rest is brought to 0 through a complementary pair, x_j into row i and the free
 * unknown into the row of y_j. 0 where there is none. */
static int exchange_through_pair(ns_avi_pivots *l, int i)
{
  int n = l->n, row = -1, bj = -1, bf = -1;
  double best = 0;
  for (int j = 0; j < n; j++) {
    int v = l->col[j] - n, r = 0;
    if (l->gone_col[j] || l->open[j] || v < 0 || l->bound[v] < INFINITY || line(l, i)[j] == 0) continue;
    while (r < n && l->row[r] != v) r++;
    for (int f = 0; r < n && f < n; f++) {
      double both = l->open[f] ? -ns_avi_larger(-fabs(line(l, i)[j]), -fabs(line(l, r)[f])) : 0;
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
static ns_outcome_kind resolve(ns_avi_pivots *l, int i)
{
  if (l->count[i] > 0) return exchange_through_pair(l, i) ? NS_SOLVED : NS_SINGULAR;
  l->gone_row[i] = 1;
  return fabs(line(l, i)[l->n]) > INCONSISTENT * l->largest ? NS_RAY : NS_SOLVED; /* 0 z = a constant */
}

/* Free unknowns become basic in the rows y_i = 0 of free rows, whichever: these rows are then done with. */
static ns_outcome_kind eliminate(ns_avi_pivots *l, const ns_avi *p)
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

/* ---- pivoting ---- */

static double *row_of(const ns_avi_pivots *l, int i) { return l->T + (size_t)i * (size_t)l->ld; }

/* What is left of E. */
static void copy_rest(ns_avi_pivots *l)
{
  int n = l->n, m = 0, cols = 0;
  for (int j = 0; j < n; j++)
    if (!l->gone_col[j]) {
      l->nonbasic[cols] = l->col[j];
      l->where[l->col[j]] = -1 - cols++;
    }
  l->ld = cols + 2;
  for (int i = 0; i < n; i++) {
    if (l->gone_row[i]) continue;
    double *t = row_of(l, m);
    for (int j = 0, c = 0; j < n; j++)
      if (!l->gone_col[j]) t[c++] = line(l, i)[j];
    t[cols + 1] = line(l, i)[n];
    l->basic[m] = l->first[m] = l->row[i];
    l->sigma[m] = 1;
    l->where[l->row[i]] = m++;
  }
  l->nonbasic[cols] = 2 * n;
  l->m = m;
}

/* Rows, then columns to about 1: the elimination may have changed their size. A variable is its value in T times unit. */
static void scale_rest(ns_avi_pivots *l)
{
  int m = l->m, cols = l->ld - 2;
  double *row = l->value, *col = l->value + l->n;
  for (int i = 0; i < m; i++) {
    row[i] = 0;
    for (int j = 0; j < cols; j++) row[i] = ns_avi_larger(fabs(row_of(l, i)[j]), row[i]);
  }
  scales(m, row);
  for (int j = 0; j < cols; j++) col[j] = 0;
  for (int i = 0; i < m; i++) {
    double *t = row_of(l, i);
    for (int j = 0; j < cols; j++) {
      t[j] *= row[i];
      col[j] = ns_avi_larger(fabs(t[j]), col[j]);
    }
    t[cols + 1] *= row[i];
    l->unit[l->basic[i]] = 1 / row[i];
  }
  scales(cols, col);
  for (int j = 0; j < cols; j++) l->unit[l->nonbasic[j]] = col[j];
  for (int i = 0; i < m; i++)
    for (int j = 0; j < cols; j++) row_of(l, i)[j] *= col[j];
}

/* The tableau with the column of z0. 1: all constants are >= 0. */
static int set_tableau(ns_avi_pivots *l, const unsigned char *cover)
{
  copy_rest(l);
  scale_rest(l);
  double most = 0;
  int ready = 1, last = l->ld - 1;
  for (int i = 0; i < l->m; i++) most = ns_avi_larger(most, fabs(row_of(l, i)[last]));
  l->qscale = ns_avi_power(most);
  for (int i = 0; i < l->m; i++) {
    double *t = row_of(l, i);
    int v = l->basic[i] % l->n;
    t[last] *= l->qscale;
    t[last - 1] = !cover || cover[v] || t[last] < 0;
    ready &= t[last] >= 0;
  }
  for (int j = 0; j < l->n; j++) l->range[j] = l->bound[j] < INFINITY ? l->bound[j] / l->unit[l->n + j] * l->qscale : INFINITY;
  return ready;
}

/* Exchange the basic variable of row r and the nonbasic one of column c. */
static void pivot(ns_avi_pivots *l, int r, int c)
{
  int m = l->m, cols = l->ld;
  double *restrict pr = row_of(l, r);
  double f = 1 / pr[c];
  for (int j = 0; j < cols; j++) pr[j] *= -f;
  pr[c] = f;
  for (int i = 0; i < m; i++) {
    if (i == r) continue;
    double *restrict t = row_of(l, i);
    double a = t[c];
    if (a == 0) continue;
    t[c] = 0;
    for (int j = 0; j < cols; j++) t[j] += a * pr[j];
  }
  int leaves = l->basic[r];
  l->basic[r] = l->nonbasic[c];
  l->nonbasic[c] = leaves;
  l->where[l->basic[r]] = r;
  l->where[leaves] = -1 - c;
}

/* Derivative of row i by the constant of row j at the start. */
static double inverse(const ns_avi_pivots *l, int i, int j)
{
  int at = l->where[l->first[j]];
  return l->sigma[j] * (at >= 0 ? (double)(at == i) : -row_of(l, i)[-1 - at]);
}

/* Is row i, divided by di, lexicographically below row k, divided by dk? Their ratios are equal. k = -1: below 0? */
static int below(const ns_avi_pivots *l, int i, double di, int k, double dk)
{
  for (int j = 0; j < l->m; j++) {
    double a = inverse(l, i, j) / di, b = k < 0 ? 0 : inverse(l, k, j) / dk;
    if (fabs(a - b) > TIE * (fabs(a) + fabs(b))) return a < b;
  }
  return 0;
}

/* Upper bound of a variable. */
static double range_of(const ns_avi_pivots *l, int v) { return v >= l->n && v < 2 * l->n ? l->range[v - l->n] : INFINITY; }

typedef struct block {
  int row;      /* -1: the entering variable reaches its own bound; -2: nothing blocks, a ray */
  double ratio, d; /* d < 0: the basic variable of the row reaches its upper bound */
} block;

/* What stops the increase of column c. */
static block blocking(const ns_avi_pivots *l, int c)
{
  int last = l->ld - 1;
  double most = 0, range = range_of(l, l->nonbasic[c]);
  block b = {.row = range < INFINITY ? -1 : -2, .ratio = range, .d = 1};
  for (int i = 0; i < l->m; i++) most = ns_avi_larger(most, fabs(row_of(l, i)[c]));
  for (int i = 0; i < l->m; i++) {
    double a = -row_of(l, i)[c], t = row_of(l, i)[last];
    if (!(fabs(a) > PIVOT * most)) continue;
    double upper = a > 0 ? 0 : range_of(l, l->basic[i]);
    if (a < 0 && !(upper < INFINITY)) continue;
    double v = a > 0 ? t / a : (upper - t) / -a, near = TIE * (1 + fabs(b.ratio));
    if (b.row == -2 || v < b.ratio - near) b = (block){.row = i, .ratio = v, .d = a};
    else if (v <= b.ratio + near) { /* a tie: z0 leaves if it can */
      double ratio = v < b.ratio ? v : b.ratio;
      if (b.row >= 0 && l->basic[b.row] == 2 * l->n) continue;
      if (l->basic[i] == 2 * l->n || below(l, i, a, b.row, b.d)) b = (block){.row = i, .d = a};
      b.ratio = ratio;
    }
  }
  return b;
}

/* z0 enters at the smallest constant; among equals the last row is lexicographically smallest. */
static int first_row(const ns_avi_pivots *l)
{
  int r = -1, last = l->ld - 1;
  for (int i = 0; i < l->m; i++)
    if (row_of(l, i)[last - 1] > 0 && (r < 0 || row_of(l, i)[last] <= row_of(l, r)[last])) r = i;
  return r;
}

static void negate_column(ns_avi_pivots *l, int c)
{
  for (int i = 0; i < l->m; i++) row_of(l, i)[c] = -row_of(l, i)[c];
}

/* x_j now counts from its other bound, y_j changes its sign. */
static void turn(ns_avi_pivots *l, int j)
{
  int x = l->where[l->n + j], y = l->where[j], last = l->ld - 1;
  double range = l->range[j];
  if (x >= 0) {
    double *t = row_of(l, x);
    for (int c = 0; c <= last; c++) t[c] = -t[c];
    t[last] += range;
  } else {
    for (int i = 0; i < l->m; i++) row_of(l, i)[last] += range * row_of(l, i)[-1 - x];
    negate_column(l, -1 - x);
  }
  if (y >= 0)
    for (int c = 0; c <= last; c++) row_of(l, y)[c] = -row_of(l, y)[c];
  else negate_column(l, -1 - y);
  l->flip[j] ^= 1;
  for (int i = 0; i < l->m; i++)
    if (l->first[i] == j) l->sigma[i] = (signed char)-l->sigma[i];
}

/* From l->enters, l->leaving on. */
static ns_outcome_kind pivots(ns_avi_pivots *l, int *iterations)
{
  int n = l->n;
  while (l->limit-- > 0) {
    int c = l->enters, r = l->leaving, leaves = r < 0 ? l->nonbasic[c] : l->basic[r];
    if (r >= 0) pivot(l, r, c);
    ++*iterations;
    if (leaves == 2 * n) {
      l->more = 0;
      return NS_SOLVED;
    }
    l->enters = c = -1 - l->where[leaves < n ? leaves + n : leaves - n];
    block b = blocking(l, c);
    if (b.row == -2) return NS_RAY;
    l->leaving = r = b.row;
    if (r < 0) turn(l, l->nonbasic[c] - n);
    else if (b.d < 0) turn(l, l->basic[r] - n);
    double z0 = row_of(l, l->where[2 * n])[l->ld - 1];
    if (z0 <= l->small) {
      l->small = 0.5 * z0;
      return NS_SOLVED;
    }
  }
  return NS_LIMIT;
}

/* ---- the answer ---- */

/* Values of x and y in the units of E. */
static void read_values(const ns_avi_pivots *l)
{
  int n = l->n;
  memset(l->value, 0, 2 * (size_t)n * sizeof *l->value);
  for (int i = 0; i < l->m; i++)
    if (l->basic[i] < 2 * n) l->value[l->basic[i]] = row_of(l, i)[l->ld - 1] * l->unit[l->basic[i]] / l->qscale;
}

/* x_j = U_j - v where it is turned. What is nonbasic is at its bound exactly. */
static void read_bounded(const ns_avi_pivots *l, const ns_avi *p, double *z)
{
  for (int j = 0; j < l->n; j++) {
    double *v = &l->value[l->n + j];
    if (*v == 0 && (l->flip[j] != 0) != (l->sign[j] < 0)) z[j] = p->ub[j];
    else z[j] = l->start[j];
    int at_bound = *v == 0;
    if (l->flip[j]) *v = l->bound[j] - *v;
    if (!at_bound) z[j] = l->start[j] + l->sign[j] * l->colscale[j] * *v;
  }
}

/* The eliminated unknowns, last one first. */
static void read_free(const ns_avi_pivots *l, double *z)
{
  int n = l->n;
  for (int k = l->done - 1; k >= 0; k--) {
    const double *e = line(l, l->order[k]);
    int x = l->row[l->order[k]];
    double s = e[n];
    for (int j = 0; j < n; j++)
      if (e[j] != 0) s += e[j] * l->value[k >= l->since[j] ? l->col[j] : n + j];
    l->value[x] = s;
    z[x - n] = l->start[x - n] + l->colscale[x - n] * s;
  }
}

static ns_outcome_kind begin(ns_avi_pivots *l, ns_avi_work *k, const ns_avi *p, const unsigned char *cover, const double *z)
{
  load(l, k, p, z);
  ns_outcome_kind kind = eliminate(l, p);
  l->more = 0;
  if (kind != NS_SOLVED) return kind;
  if (set_tableau(l, cover)) return NS_SOLVED;
  l->more = 1;
  l->small = NOTHING;
  l->limit = k->opt.max_iterations > 0 ? k->opt.max_iterations : 1000 + 20 * p->n;
  l->enters = l->ld - 2;
  l->leaving = first_row(l);
  return NS_SOLVED;
}

static void read_z(const ns_avi_pivots *l, const ns_avi *p, double *z)
{
  read_values(l);
  read_bounded(l, p, z);
  read_free(l, z);
}

ns_outcome_kind ns_avi_lemke_run(ns_avi_pivots *l, ns_avi_work *k, const ns_avi *p, const unsigned char *cover,
                                 const double *z, double *w, int *iterations, double *residual)
{
  ns_outcome_kind kind = begin(l, k, p, cover, z);
  if (kind != NS_SOLVED) return kind;
  while (l->more && (kind = pivots(l, iterations)) == NS_SOLVED && l->more) {
    read_z(l, p, k->z);
    if (ns_avi_try(k, p, w, residual)) return NS_SOLVED;
  }
  if (kind != NS_SOLVED && l->small == NOTHING) return kind;
  read_z(l, p, k->z);
  return ns_avi_accept(k, p, w, residual) ? NS_SOLVED : kind == NS_SOLVED ? NS_SINGULAR : kind;
}

/* ---- as a solver of its own ---- */

typedef struct lemke {
  ns_avi_object base;
  ns_avi_pivots *method;
} lemke;

static int create(ns_ctx *c, const ns_avi_capacity *cap, const ns_lcp_options *opt, void **self)
{
  lemke *s = NULL;
  *self = NULL;
  int rc = ns_avi_object_create(c, cap, opt, &ns_lcp_lemke, sizeof *s, &s);
  if (!rc && s->base.work && (rc = ns_avi_lemke_create(s->base.work, c, &s->method))) ns_avi_object_destroy(s);
  if (!rc) *self = s;
  return rc;
}

static int solve(void *self, ns_ctx *c, const ns_avi *p, const int *row, double *z, double *w, ns_outcome *out)
{
  lemke *s = self;
  ns_avi_work *k = s->base.work;
  if (!k) return ns_avi_as_lcp(&s->base, c, p, row, z, w, out);
  int rc = ns_avi_work_fits(k, c, p), iterations = 0;
  if (rc) return rc;
  double residual = INFINITY;
  ns_outcome_kind kind = NS_NOT_FINITE;
  if (ns_avi_finite(p)) {
    ns_avi_begin(k, p);
    kind = ns_avi_lemke_run(s->method, k, p, NULL, z, w, &iterations, &residual);
  }
  if (kind == NS_SOLVED) ns_avi_solved(k, p, z, residual, iterations, "lemke", out);
  else ns_avi_failed(p, z, w, kind, iterations, "lemke", out);
  return NS_OK;
}

const ns_avi_solver_ops ns_avi_lemke = {
    .size = sizeof(ns_avi_solver_ops),
    .name = "lemke",
    .help = "Lemke's complementary pivoting, lexicographic; boxes and equalities included; dense",
    .create = create,
    .solve = solve,
    .destroy = ns_avi_object_destroy,
};
