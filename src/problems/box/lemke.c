/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lemke's method with the lexicographic rule (Cottle, Pang & Stone 1992, algorithm 4.4.5, section
 * 4.9), for boxes that of Cao & Ferris (1996) at a vertex of the box.
 *
 *   w = q + M z + d z0,  d = 1;  z0 enters at the lexicographically smallest row, then always the
 *   complement of what left, until z0 leaves (solution) or nothing blocks (ray).
 *
 * With bounds, unknowns are measured from a finite one, with the sign that makes them positive
 * inside: x_i = z_i - lb_i, or ub_i - z_i where only ub_i is finite; 0 <= x_i <= U_i. With y_i =
 * +-w_i the problem is
 *
 *   y = T x + t + d z0;   x_i = 0 and y_i >= 0,  or y_i = 0,  or x_i = U_i and y_i <= 0.
 *
 * That is Lemke's method on the LCP [M, I; -I, 0] of twice the size with covering vector (1, 0),
 * without the rows of the upper bounds: whenever x_i reaches U_i, it is replaced by U_i - x_i and
 * y_i by -y_i, so that what is nonbasic is always 0. Free unknowns and their rows y_i = 0 are
 * eliminated first (lemke_free.c).
 *
 * Kept as a dictionary  basic = T nonbasic + t,  one row a basic variable. Column j of the inverse
 * of the basis is -T(.,j) where y_j is nonbasic and a unit vector where it is basic, so ties are
 * broken without storing that inverse; the rule excludes cycling where ties are seen as such.
 * Where, in an LCP, two ratios, or a pivot and zero, are neither equal to rounding nor clearly
 * apart, it is pivoted again from the start with twice the digits (lemke_twofold.c). The problem is
 * first scaled by powers of two (rows, columns and q to about 1), which changes no digit. The
 * support found is solved again by LU or Cholesky, which removes what the pivots have rounded.
 * Worst case 2^n pivots, usually about n. A bounded box has a solution for any M and this method
 * finds it; a ray means that there is none where M is copositive-plus.
 *
 * A problem with bounds and several solutions, such as that of a comparator with positive feedback,
 * is also solved from the state of a guess: what is free there is basic at the start, d = 1 in the
 * rows that the state does not meet and 0 in the others. The path then begins at a state that holds
 * for a q nearby, and rows that have nothing to do with those that fail keep their own. */
#include "problems/box/lemke.h"
#include "algebra/vector.h"
#include "problems/strip.h"

#include <string.h>

#define TIE 1e-12   /* relative: ratios and keys closer than this are equal */
#define PIVOT 1e-11 /* smallest pivot relative to the largest entry of its column */
/* Relative as well: less than NOISE is rounding, more than CLEAR is none. */
#define NOISE 1e-14
#define CLEAR 1e-9
/* z0, the largest constant being 1: the candidate is tried from there on, at every half of it. */
#define NOTHING 1e-11

static int get_boxed(ns_lemke *l, ns_box_work *k, ns_ctx *c, size_t n)
{
  size_t item = sizeof(double);
  const ns_array want[] = {
      {&l->E, n * (n + 1), item},
      {&l->start, n, item},
      {&l->bound, n, item},
      {&l->colscale, n, item},
      {&l->range, n, item},
      {&l->since, n, sizeof(int)},
      {&l->top, n, sizeof(int)},
      {&l->count, n, sizeof(int)},
      {&l->row, n, sizeof(int)},
      {&l->col, n, sizeof(int)},
      {&l->order, n, sizeof(int)},
      {&l->first, n, sizeof(int)},
      {&l->list, n + 2, sizeof(int)},
      {&l->sign, n, 1},
      {&l->flip, n, 1},
      {&l->gone_row, n, 1},
      {&l->gone_col, n, 1},
      {&l->sigma, n, 1},
      {&l->open, n, 1},
  };
  return NS_BOX_GET(k, c, want);
}

int ns_lemke_create(ns_box_work *k, ns_ctx *c, ns_lemke **out)
{
  size_t n = (size_t)k->ndense, few = n < NS_LEMKE_TWOFOLD ? n : NS_LEMKE_TWOFOLD,
         item = sizeof(double);
  ns_lemke own = {.boxed = k->boxed}, *l = NULL;
  const ns_array want[] = {{&l, 1, sizeof *l},
                           {&own.T, n * (n + 2), item},
                           {&own.low, k->boxed ? 0 : few * (few + 2), item},
                           {&own.value, 2 * n, item},
                           {&own.unit, 2 * n, item},
                           {&own.basic, n, sizeof(int)},
                           {&own.nonbasic, n + 1, sizeof(int)},
                           {&own.where, 2 * n + 1, sizeof(int)}};
  int rc = NS_BOX_GET(k, c, want);
  if (!rc && k->boxed) rc = get_boxed(&own, k, c, n);
  if (rc) return rc;
  *l = own;
  *out = l;
  return NS_OK;
}

/* ---- the dictionary -------------------------------------------------------------------------- */

/* Of an LCP: its rows and columns as they are. */
static void copy_problem(ns_lemke *l, const ns_box *p)
{
  int n = p->n;
  l->n = l->m = n;
  l->ld = n + 2;
  if (p->blocks) ns_box_fill(p, l->T, (size_t)l->ld, 1);
  for (int i = 0; i < n; i++) {
    double *restrict t = ns_lemke_row(l, i);
    for (int j = 0; p->dense && j < n; j++) t[j] = p->dense[(size_t)i + (size_t)j * (size_t)p->ld];
    t[n + 1] = p->q[i];
    l->basic[i] = l->where[i] = i;
    l->nonbasic[i] = n + i;
    l->where[n + i] = -1 - i;
  }
  l->nonbasic[n] = 2 * n;
  l->where[2 * n] = -1 - n;
}

/* With bounds: what is left of E. */
static void copy_rest(ns_lemke *l)
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
    double *t = ns_lemke_row(l, m);
    for (int j = 0, c = 0; j < n; j++)
      if (!l->gone_col[j]) t[c++] = ns_lemke_line(l, i)[j];
    t[cols + 1] = ns_lemke_line(l, i)[n];
    l->basic[m] = l->first[m] = l->row[i];
    l->sigma[m] = 1;
    l->where[l->row[i]] = m++;
  }
  l->nonbasic[cols] = 2 * n;
  l->m = m;
}

/* Rows, then columns to about 1, the elimination having changed their size. A variable is its value
 * in T times unit. */
static void scale(ns_lemke *l)
{
  int m = l->m, cols = l->ld - 2;
  double *restrict row = l->value, *restrict col = l->value + l->n;
  for (int i = 0; i < m; i++) {
    const double *t = ns_lemke_row(l, i);
    double max = 0;
    for (int j = 0; j < cols; j++) max = ns_box_larger(fabs(t[j]), max);
    row[i] = max;
  }
  ns_lemke_scales(m, row);
  memset(col, 0, (size_t)cols * sizeof *col);
  for (int i = 0; i < m; i++) {
    double *restrict t = ns_lemke_row(l, i);
    for (int j = 0; j < cols; j++) {
      t[j] *= row[i];
      col[j] = ns_box_larger(fabs(t[j]), col[j]);
    }
    t[cols + 1] *= row[i];
    l->unit[l->basic[i]] = 1 / row[i];
  }
  ns_lemke_scales(cols, col);
  ns_scatter((size_t)cols, col, l->nonbasic, l->unit);
  for (int i = 0; i < m; i++) {
    double *restrict t = ns_lemke_row(l, i);
    for (int j = 0; j < cols; j++) t[j] *= col[j];
  }
}

/* The tableau without the column of z0. */
static void set_tableau(ns_lemke *l, const ns_box *p)
{
  double max = 0;
  if (l->boxed) copy_rest(l);
  else copy_problem(l, p);
  scale(l);
  int last = l->ld - 1;
  for (int i = 0; i < l->m; i++) max = ns_box_larger(max, fabs(ns_lemke_row(l, i)[last]));
  l->qscale = ns_box_power(max);
  for (int i = 0; i < l->m; i++) {
    double *t = ns_lemke_row(l, i);
    t[last] *= l->qscale;
    t[last - 1] = 0;
  }
  for (int j = 0; l->boxed && j < l->n; j++)
    l->range[j] = l->bound[j] / l->unit[l->n + j] * l->qscale; /* infinite ones stay so */
}

/* The column of z0: rows that are not met, and those of cover (NULL: all). */
static void cover_rows(ns_lemke *l, const unsigned char *cover)
{
  int last = l->ld - 1;
  for (int i = 0; i < l->m; i++) {
    double *t = ns_lemke_row(l, i);
    t[last - 1] = !cover || cover[l->basic[i] % l->n] || t[last] < 0;
  }
}

/* ---- pivots in doubles ----------------------------------------------------------------------- */

/* Columns in which row r is not 0 into l->list; their number. */
static int entries(const ns_lemke *l, int r)
{
  const double *t = ns_lemke_row(l, r);
  int count = 0;
  for (int j = 0; j < l->ld; j++) {
    l->list[count] = j;
    count += t[j] != 0;
  }
  return count;
}

/* Exchange the basic variable of row r and the nonbasic one of column c. */
static void pivot(ns_lemke *l, int r, int c)
{
  int m = l->m, cols = l->ld, count = l->boxed ? entries(l, r) : cols, few = 3 * count < cols;
  double *restrict pr = ns_lemke_row(l, r);
  double f = 1 / pr[c];
  ns_scale((size_t)cols, -f, pr);
  pr[c] = f;
  for (int i = 0; i < m; i++) {
    if (i == r) continue;
    double *restrict t = ns_lemke_row(l, i);
    double a = t[c];
    if (a == 0) continue;
    t[c] = 0;
    int j = 0;
    for (int e = 0; few && e < count; e++) t[l->list[e]] += a * pr[l->list[e]];
    for (; !few && j + 1 < cols; j += 2) ns_pair_add(t + j, a, pr + j);
    if (!few && j < cols) t[j] += a * pr[j];
  }
  ns_lemke_exchange(l, r, c);
}

/* Entry (i,j) of the inverse of the basis: derivative of row i by the constant of row j at the
 * start. */
static inline double inverse(const ns_lemke *l, int i, int j)
{
  int at = l->where[l->boxed ? l->first[j] : j];
  double entry = at >= 0 ? (double)(at == i) : -ns_lemke_row(l, i)[-1 - at];
  return l->boxed ? l->sigma[j] * entry : entry;
}

double ns_lemke_inverse_size(const ns_lemke *l, int i)
{
  double max = 0;
  for (int j = 0; j < l->m; j++) max = ns_box_larger(fabs(inverse(l, i, j)), max);
  return max;
}

/* Neither equal to rounding nor clearly apart. */
static inline int is_doubtful(double apart, double size)
{
  return apart > NOISE * size && apart < CLEAR * size;
}

/* Is row i, divided by di, lexicographically below row k, divided by dk? Their ratios are equal. k
 * < 0: below 0? Rounding is by the largest entries, not by those compared: where these are zero
 * they are nothing but rounding. */
static int below(ns_lemke *l, int i, double di, int k, double dk)
{
  double size = ns_lemke_inverse_size(l, i) / fabs(di) +
                (k < 0 ? 0 : ns_lemke_inverse_size(l, k) / fabs(dk));
  for (int j = 0; j < l->m; j++) {
    double a = inverse(l, i, j) / di, b = k < 0 ? 0 : inverse(l, k, j) / dk;
    double apart = fabs(a - b);
    l->doubtful |= is_doubtful(apart, size);
    if (apart > TIE * size) return a < b;
  }
  return 0;
}

/* Upper bound of a variable. */
static double range_of(const ns_lemke *l, int v)
{
  return v >= l->n && v < 2 * l->n ? l->range[v - l->n] : INFINITY;
}

/* boxed, a constant: with bounds. */
NS_BOX_INLINE ns_lemke_block blocking_row(ns_lemke *l, int c, int boxed)
{
  int last = l->ld - 1;
  double max = 0, range = boxed ? range_of(l, l->nonbasic[c]) : INFINITY;
  ns_lemke_block b = {.row = range < INFINITY ? -1 : -2, .ratio = range, .d = 1};
  for (int i = 0; i < l->m; i++) max = ns_box_larger(fabs(ns_lemke_row(l, i)[c]), max);
  for (int i = 0; i < l->m; i++) {
    double a = -ns_lemke_row(l, i)[c], t = ns_lemke_row(l, i)[last];
    if (!((boxed ? fabs(a) : a) > PIVOT * max)) continue;
    double upper = boxed && a < 0 ? range_of(l, l->basic[i]) : 0;
    if (boxed && !(upper < INFINITY)) continue;
    double v = boxed && a < 0 ? (upper - t) / -a : t / a, size = 1 + fabs(b.ratio),
           near = TIE * size;
    if (b.row != -2) l->doubtful |= is_doubtful(fabs(v - b.ratio), size);
    l->doubtful |= v <= b.ratio + near && is_doubtful(fabs(a), max);
    if (b.row == -2 || v < b.ratio - near) b = (ns_lemke_block){.row = i, .ratio = v, .d = a};
    else if (v <= b.ratio + near) { /* a tie: z0 leaves if it can */
      double ratio = v < b.ratio ? v : b.ratio;
      if (b.row >= 0 && l->basic[b.row] == 2 * l->n) continue;
      if (l->basic[i] == 2 * l->n || below(l, i, a, b.row, b.d))
        b = (ns_lemke_block){.row = i, .d = a};
      b.ratio = ratio;
    }
  }
  return b;
}

static ns_lemke_block blocking(ns_lemke *l, int c)
{
  return l->boxed ? blocking_row(l, c, 1) : blocking_row(l, c, 0);
}

static const ns_lemke_digits in_doubles = {.pivot = pivot, .blocking = blocking};

/* z0 enters at the smallest constant; among equals the last row is lexicographically smallest. */
static int first_row(const ns_lemke *l)
{
  int r = -1, last = l->ld - 1;
  for (int i = 0; i < l->m; i++)
    if (ns_lemke_row(l, i)[last - 1] > 0 &&
        (r < 0 || ns_lemke_row(l, i)[last] <= ns_lemke_row(l, r)[last]))
      r = i;
  return r;
}

static void negate_column(ns_lemke *l, int c)
{
  for (int i = 0; i < l->m; i++) ns_lemke_row(l, i)[c] = -ns_lemke_row(l, i)[c];
}

/* x_j now counts from its other bound, y_j changes its sign. */
static void turn(ns_lemke *l, int j)
{
  int x = l->where[l->n + j], y = l->where[j], last = l->ld - 1;
  double range = l->range[j];
  if (x >= 0) {
    double *t = ns_lemke_row(l, x);
    for (int c = 0; c <= last; c++) t[c] = -t[c];
    t[last] += range;
  } else {
    for (int i = 0; i < l->m; i++) ns_lemke_row(l, i)[last] += range * ns_lemke_row(l, i)[-1 - x];
    negate_column(l, -1 - x);
  }
  if (y >= 0)
    for (int c = 0; c <= last; c++) ns_lemke_row(l, y)[c] = -ns_lemke_row(l, y)[c];
  else negate_column(l, -1 - y);
  l->flip[j] ^= 1;
  for (int i = 0; i < l->m; i++)
    if (l->first[i] == j) l->sigma[i] = (signed char)-l->sigma[i];
}

/* A bound that is reached on the way; 1 where z0 is so small that a candidate is worth trying. */
static int bounds_reached(ns_lemke *l, const ns_lemke_block *b)
{
  int n = l->n;
  if (b->row < 0) turn(l, l->nonbasic[l->enters] - n);
  else if (b->d < 0) turn(l, l->basic[b->row] - n);
  double z0 = ns_lemke_row(l, l->where[2 * n])[l->ld - 1];
  if (!(z0 <= l->small)) return 0;
  l->small = 0.5 * z0;
  return 1;
}

/* From l->enters, l->leaving on. careful: ends early where rounding may have decided a pivot. */
static ns_outcome_kind pivots(ns_lemke *l, const ns_lemke_digits *digits, int careful,
                              int *iterations)
{
  int n = l->n;
  while (l->limit-- > 0 && !ns_solve_over(l->watch)) {
    int r = l->leaving, leaves = r < 0 ? l->nonbasic[l->enters] : l->basic[r];
    if (r >= 0) digits->pivot(l, r, l->enters);
    ++*iterations;
    if (leaves == 2 * n) {
      l->more = 0;
      return NS_SOLVED;
    }
    l->enters = -1 - l->where[leaves < n ? leaves + n : leaves - n];
    ns_lemke_block b = digits->blocking(l, l->enters);
    if (l->doubtful && careful) return NS_LIMIT;
    if (b.row == -2) return NS_RAY;
    l->leaving = b.row;
    if (l->boxed && bounds_reached(l, &b)) return NS_SOLVED;
  }
  return NS_LIMIT;
}

/* ---- a problem ------------------------------------------------------------------------------- */

/* Values of x and y in the units of E. */
static void read_values(const ns_lemke *l)
{
  int n = l->n;
  memset(l->value, 0, 2 * (size_t)n * sizeof *l->value);
  for (int i = 0; i < l->m; i++)
    if (l->basic[i] < 2 * n)
      l->value[l->basic[i]] = ns_lemke_row(l, i)[l->ld - 1] * l->unit[l->basic[i]] / l->qscale;
}

/* x_j = U_j - v where it is turned. What is nonbasic is at its bound exactly. */
static void read_bounded(const ns_lemke *l, const ns_box *p, double *z)
{
  for (int j = 0; j < l->n; j++) {
    double *v = &l->value[l->n + j];
    z[j] = l->start[j];
    if (*v == 0 && l->flip[j]) z[j] = l->sign[j] < 0 ? p->lb[j] : p->ub[j];
    int at_bound = *v == 0;
    if (l->flip[j]) *v = l->bound[j] - *v;
    if (!at_bound) z[j] = l->start[j] + l->sign[j] * l->colscale[j] * *v;
  }
}

static void read_z(const ns_lemke *l, const ns_box *p, double *z)
{
  read_values(l);
  if (!l->boxed) memcpy(z, l->value + l->n, (size_t)l->n * sizeof *z);
  else {
    read_bounded(l, p, z);
    ns_lemke_substitute(l, z);
  }
}

/* Usually about n pivots; for matrices of no class many more, with bounds as long as they are
 * cheap. */
static int default_limit(const ns_lemke *l, int n)
{
  double cheap = 2e8 / (1 + (double)n * n);
  int many = cheap < 50000 ? (int)cheap : 50000, few = 1000 + 20 * n;
  if (!l->boxed) return 1000 + 50 * n;
  return many > few ? many : few;
}

/* l->more: z0 has to enter. */
static void enter(ns_lemke *l, const ns_box_work *k, const ns_box *p)
{
  l->small = NOTHING;
  l->watch = p->watch;
  l->limit = k->opt.max_iterations > 0 ? k->opt.max_iterations : default_limit(l, p->n);
  l->enters = l->ld - 2;
  l->leaving = first_row(l);
  l->doubtful = 0;
}

static int is_ready(const ns_lemke *l)
{
  int ready = 1;
  for (int i = 0; i < l->m; i++) ready &= ns_lemke_row(l, i)[l->ld - 1] >= 0;
  return ready;
}

/* ---- from a state ---------------------------------------------------------------------------- */

/* The largest entry of the rows y_i and columns x_j that are free on the state; 0: there is
 * none. */
static int free_pivot(const ns_lemke *l, const signed char *at, int *row, int *col)
{
  double best = 0;
  for (int i = 0; i < l->m; i++) {
    int y = l->basic[i];
    if (y >= l->n || at[y] != NS_BOX_FREE) continue;
    for (int c = 0; c < l->ld - 2; c++) {
      int x = l->nonbasic[c] - l->n;
      double a = fabs(ns_lemke_row(l, i)[c]);
      if (x < 0 || at[x] != NS_BOX_FREE || !(a > PIVOT) || !(a > best)) continue;
      best = a;
      *row = i;
      *col = c;
    }
  }
  return best > 0;
}

/* What is free on the state `at` becomes basic; what is then above its upper bound is measured from
 * that. The dictionary is the one that the lexicographic rule counts from, and z0 covers the rows
 * that are not met. 0: the block is singular. */
static int set_state(ns_lemke *l, const signed char *at)
{
  int last = l->ld - 1;
  for (int r, c; free_pivot(l, at, &r, &c);) pivot(l, r, c);
  for (int i = 0; i < l->m; i++) {
    int v = l->basic[i];
    if (v < l->n && at[v] == NS_BOX_FREE) return 0;
    if (v >= l->n && ns_lemke_row(l, i)[last] > range_of(l, v)) turn(l, v - l->n);
  }
  for (int i = 0; i < l->m; i++) {
    l->first[i] = l->basic[i];
    l->sigma[i] = 1;
    ns_lemke_row(l, i)[last - 1] = ns_lemke_row(l, i)[last] < 0;
  }
  return 1;
}

/* The dictionary at the bounds, or on the state `at`. */
static ns_outcome_kind set_dictionary(ns_lemke *l, ns_box_work *k, const ns_box *p,
                                      const signed char *at, const double *z)
{
  ns_outcome_kind kind = NS_SOLVED;
  l->more = 0;
  if (l->boxed) {
    ns_lemke_load(l, k, p, at, z);
    kind = ns_lemke_eliminate(l, p);
  }
  if (kind != NS_SOLVED) return kind;
  set_tableau(l, p);
  return at && !set_state(l, at) ? NS_SINGULAR : NS_SOLVED;
}

static void begin(ns_lemke *l, const ns_box_work *k, const ns_box *p)
{
  l->more = !is_ready(l);
  if (l->more) enter(l, k, p);
}

/* An LCP with twice the digits; where that does not end with a solution, in doubles in spite of
 * all: data that are rounded themselves, of a singular matrix say, mean what they are near to.
 * Pivots are those of the path that counts. */
static ns_outcome_kind again(ns_lemke *l, ns_box_work *k, const ns_box *p, int *iterations)
{
  int exact = 0, rounded = 0;
  set_tableau(l, p);
  cover_rows(l, NULL);
  enter(l, k, p);
  memset(l->low, 0, (size_t)l->n * (size_t)l->ld * sizeof *l->low);
  ns_outcome_kind kind = pivots(l, &ns_lemke_twofold, 0, &exact);
  if (kind != NS_SOLVED && !ns_solve_over(p->watch)) {
    set_tableau(l, p);
    cover_rows(l, NULL);
    enter(l, k, p);
    if (pivots(l, &in_doubles, 0, &rounded) == NS_SOLVED) {
      *iterations += rounded;
      return NS_SOLVED;
    }
  }
  *iterations += exact;
  return kind;
}

static ns_outcome_kind pivots_of_lcp(ns_lemke *l, ns_box_work *k, const ns_box *p, int *iterations)
{
  int first = 0, careful = p->n <= NS_LEMKE_TWOFOLD;
  ns_outcome_kind kind = pivots(l, &in_doubles, careful, &first);
  if (l->doubtful && careful) return again(l, k, p, iterations);
  *iterations += first;
  return kind;
}

/* From the dictionary to the answer. */
static ns_outcome_kind follow(ns_lemke *l, ns_box_work *k, const ns_box *p, const int *row,
                              double *w, int *iterations, double *residual)
{
  ns_outcome_kind kind = NS_SOLVED;
  begin(l, k, p);
  if (l->more && !l->boxed) {
    kind = pivots_of_lcp(l, k, p, iterations);
    l->more = 0;
  }
  while (l->more && (kind = pivots(l, &in_doubles, 0, iterations)) == NS_SOLVED && l->more) {
    read_z(l, p, k->z);
    if (ns_box_try(k, p, row, w, residual)) return NS_SOLVED;
  }
  if (kind != NS_SOLVED && l->small == NOTHING && !p->watch) return kind;
  read_z(l, p, k->z);
  if (ns_box_accept(k, p, row, w, residual)) return NS_SOLVED;
  return kind == NS_SOLVED ? NS_SINGULAR : kind;
}

ns_outcome_kind ns_lemke_run(ns_lemke *l, ns_box_work *k, const ns_box *p, const int *row,
                             const unsigned char *cover, const double *z, double *w,
                             int *iterations, double *residual)
{
  ns_outcome_kind kind = set_dictionary(l, k, p, NULL, z);
  if (kind != NS_SOLVED) return kind;
  cover_rows(l, cover);
  return follow(l, k, p, row, w, iterations, residual);
}

ns_outcome_kind ns_lemke_run_from(ns_lemke *l, ns_box_work *k, const ns_box *p, const int *row,
                                  const double *z, double *w, int *iterations, double *residual)
{
  ns_box_state_of(k, p, z, k->at);
  ns_outcome_kind kind = set_dictionary(l, k, p, k->at, z);
  if (kind != NS_SOLVED) return kind;
  return follow(l, k, p, row, w, iterations, residual);
}

/* ---- as a solver of its own ------------------------------------------------------------------ */

static int create_own(ns_box_work *k, ns_ctx *c, const ns_box_capacity *cap, void **own)
{
  (void)cap;
  ns_lemke *l = NULL;
  int rc = ns_lemke_create(k, c, &l);
  *own = l;
  return rc;
}

static ns_outcome_kind run(void *own, ns_box_work *k, const ns_box *p, const int *row,
                           const double *z, double *w, int *iterations, double *residual)
{
  return ns_lemke_run(own, k, p, row, NULL, z, w, iterations, residual);
}

static int refuses(const ns_box_work *k, ns_ctx *c, const ns_box *p)
{
  if (p->n <= k->ndense) return NS_OK;
  return ns_fail_below(
      c, NS_NUMERIC,
      "LCP of size %d: Lemke's method is dense, at most %d here; use solver=\"auto\"", p->n,
      k->ndense);
}

static const ns_box_method method = {
    .name = "lemke", .direct = 1, .create = create_own, .refuses = refuses, .run = run};

static int create(ns_ctx *c, const ns_box_capacity *cap, const ns_lcp_options *opt, void **self)
{
  return ns_box_method_create(c, cap, opt, &method, self);
}

const ns_box_solver_ops ns_box_lemke = {
    .name = "lemke",
    .help = "Lemke's complementary pivoting, lexicographic; dense, exact on the support it finds",
    .create = create,
    .solve = ns_box_method_solve,
    .destroy = ns_box_method_destroy,
    .memory = &ns_memory_none,
};
