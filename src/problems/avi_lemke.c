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
 * nonbasic is always 0. Free unknowns and their rows y_i = 0 are eliminated first (avi_lemke_free.c). Kept as a dictionary
 * basic = T nonbasic + t, ties are broken by the inverse of the basis as in lcp_lemke.c; scaled by powers of two.
 * A bounded box has a solution for any M and this method finds it; a ray means that there is none where M is
 * copositive-plus. */
#include "problems/avi_lemke.h"

#define TIE 1e-12     /* relative: ratios and keys closer than this are equal */
#define PIVOT 1e-11   /* smallest pivot relative to the largest entry of its column */
#define NOTHING 1e-11 /* z0, the largest constant being 1: the candidate is tried from there on, at every half of it */

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
      {&l->list, n + 2, sizeof(int)},
  };
  for (size_t i = 0; i < sizeof want / sizeof *want && !rc; i++)
    rc = ns_avi_work_get(k, c, want[i].count, want[i].size, want[i].at);
  if (!rc) *out = l;
  return rc;
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
      if (!l->gone_col[j]) t[c++] = ns_avi_lemke_line(l, i)[j];
    t[cols + 1] = ns_avi_lemke_line(l, i)[n];
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
    for (int j = 0; j < cols; j++) row[i] = ns_lcp_larger(fabs(row_of(l, i)[j]), row[i]);
  }
  ns_avi_lemke_scales(m, row);
  for (int j = 0; j < cols; j++) col[j] = 0;
  for (int i = 0; i < m; i++) {
    double *t = row_of(l, i);
    for (int j = 0; j < cols; j++) {
      t[j] *= row[i];
      col[j] = ns_lcp_larger(fabs(t[j]), col[j]);
    }
    t[cols + 1] *= row[i];
    l->unit[l->basic[i]] = 1 / row[i];
  }
  ns_avi_lemke_scales(cols, col);
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
  for (int i = 0; i < l->m; i++) most = ns_lcp_larger(most, fabs(row_of(l, i)[last]));
  l->qscale = ns_lcp_power(most);
  for (int i = 0; i < l->m; i++) {
    double *t = row_of(l, i);
    int v = l->basic[i] % l->n;
    t[last] *= l->qscale;
    t[last - 1] = !cover || cover[v] || t[last] < 0;
    ready &= t[last] >= 0;
  }
  for (int j = 0; j < l->n; j++) l->range[j] = l->bound[j] / l->unit[l->n + j] * l->qscale; /* infinite ones stay so */
  return ready;
}

/* Columns in which row r is not 0 into l->list; their number. */
static int entries(const ns_avi_pivots *l, int r)
{
  const double *t = row_of(l, r);
  int count = 0;
  for (int j = 0; j < l->ld; j++) {
    l->list[count] = j;
    count += t[j] != 0;
  }
  return count;
}

/* Exchange the basic variable of row r and the nonbasic one of column c. */
static void pivot(ns_avi_pivots *l, int r, int c)
{
  int m = l->m, cols = l->ld, count = entries(l, r), few = 3 * count < cols;
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
    if (few)
      for (int j = 0; j < count; j++) t[l->list[j]] += a * pr[l->list[j]];
    else
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

/* Its largest entry in row i: what rounding is measured by, as entries that are zero are nothing but rounding. */
static double inverse_size(const ns_avi_pivots *l, int i)
{
  double most = 0;
  for (int j = 0; j < l->m; j++) most = fmax(most, fabs(inverse(l, i, j)));
  return most;
}

/* Is row i, divided by di, lexicographically below row k, divided by dk? Their ratios are equal. k = -1: below 0? */
static int below(const ns_avi_pivots *l, int i, double di, int k, double dk)
{
  double size = inverse_size(l, i) / fabs(di) + (k < 0 ? 0 : inverse_size(l, k) / fabs(dk));
  for (int j = 0; j < l->m; j++) {
    double a = inverse(l, i, j) / di, b = k < 0 ? 0 : inverse(l, k, j) / dk;
    if (fabs(a - b) > TIE * size) return a < b;
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
  for (int i = 0; i < l->m; i++) most = ns_lcp_larger(most, fabs(row_of(l, i)[c]));
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
  while (l->limit-- > 0 && !ns_solve_over(l->watch)) {
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

/* Usually about n pivots; for matrices of no class many more, as long as they are cheap. */
static int default_limit(int n)
{
  double cheap = 2e8 / (1 + (double)n * n);
  int many = cheap < 50000 ? (int)cheap : 50000, few = 1000 + 20 * n;
  return many > few ? many : few;
}

static ns_outcome_kind begin(ns_avi_pivots *l, ns_avi_work *k, const ns_avi *p, const unsigned char *cover, const double *z)
{
  ns_avi_lemke_load(l, k, p, z);
  ns_outcome_kind kind = ns_avi_lemke_eliminate(l, p);
  l->more = 0;
  if (kind != NS_SOLVED) return kind;
  if (set_tableau(l, cover)) return NS_SOLVED;
  l->more = 1;
  l->small = NOTHING;
  l->watch = p->watch;
  l->limit = k->opt.max_iterations > 0 ? k->opt.max_iterations : default_limit(p->n);
  l->enters = l->ld - 2;
  l->leaving = first_row(l);
  return NS_SOLVED;
}

static void read_z(const ns_avi_pivots *l, const ns_avi *p, double *z)
{
  read_values(l);
  read_bounded(l, p, z);
  ns_avi_lemke_substitute(l, z);
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
  if (kind != NS_SOLVED && l->small == NOTHING && !p->watch) return kind;
  read_z(l, p, k->z);
  return ns_avi_accept(k, p, w, residual) ? NS_SOLVED : kind == NS_SOLVED ? NS_SINGULAR : kind;
}

/* ---- as a solver of its own ---- */

static int create_own(ns_avi_work *k, ns_ctx *c, void **own)
{
  ns_avi_pivots *a = NULL;
  int rc = ns_avi_lemke_create(k, c, &a);
  *own = a;
  return rc;
}

static ns_outcome_kind run(void *own, ns_avi_work *k, const ns_avi *p, const double *z, double *w, int *iterations, double *residual)
{
  return ns_avi_finite(p) ? ns_avi_lemke_run(own, k, p, NULL, z, w, iterations, residual) : NS_NOT_FINITE;
}

static const ns_avi_method method = {"lemke", &ns_lcp_lemke, create_own, run};

static int create(ns_ctx *c, const ns_avi_capacity *cap, const ns_lcp_options *opt, void **self)
{
  return ns_avi_method_create(c, cap, opt, &method, self);
}

const ns_avi_solver_ops ns_avi_lemke = {
    .size = sizeof(ns_avi_solver_ops),
    .name = "lemke",
    .help = "Lemke's complementary pivoting, lexicographic; boxes and equalities included; dense",
    .create = create,
    .solve = ns_avi_method_solve,
    .destroy = ns_avi_object_destroy,
    .memory = &ns_memory_none,
};
