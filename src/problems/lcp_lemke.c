/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lemke's method with the lexicographic rule (Cottle, Pang & Stone 1992, algorithm 4.4.5, section 4.9).
 *
 *   w = q + M z + d z0,  d = 1;  z0 enters at the lexicographically smallest row, then always the complement
 *   of what left, until z0 leaves (solution) or nothing blocks (ray).
 *
 * Kept as a dictionary  basic = T nonbasic + t,  one row a basic variable. Column j of the inverse of the
 * basis is -T(.,j) where w_j is nonbasic and a unit vector where it is basic, so ties are broken without
 * storing that inverse; the rule excludes cycling where ties are seen as such. Where two ratios, or a pivot and zero, are neither
 * equal to rounding nor clearly apart, the problem is pivoted again from the start with twice the digits. The problem is first scaled by powers of two (rows, columns and q to
 * about 1), which changes no digit. The support found is solved again by LU or Cholesky, which
 * removes what the pivots have rounded. Worst case 2^n pivots, usually about n. */
#include "problems/lcp_lemke.h"
#include "problems/strip.h"

#include <math.h>

#define TIE 1e-12  /* relative: ratios and keys closer than this are equal */
#define PIVOT 1e-11 /* smallest pivot relative to the largest entry of its column */
/* Relative as well: less than NOISE is rounding, more than CLEAR is none. */
#define NOISE 1e-14
#define CLEAR 1e-9

int ns_lemke_create(ns_lcp_work *k, ns_ctx *c, ns_lemke **out)
{
  size_t n = (size_t)k->ndense, few = n < NS_LEMKE_TWOFOLD ? n : NS_LEMKE_TWOFOLD;
  ns_lemke *l = NULL;
  int rc = ns_lcp_work_get(k, c, 1, sizeof *l, &l);
  if (rc) return rc;
  if ((rc = ns_lcp_work_get(k, c, n * (n + 2), sizeof(double), &l->T)) ||
      (rc = ns_lcp_work_get(k, c, few * (few + 2), sizeof(double), &l->low)) ||
      (rc = ns_lcp_work_get(k, c, n, sizeof(double), &l->colscale)) ||
      (rc = ns_lcp_work_get(k, c, n, sizeof(int), &l->basic)) ||
      (rc = ns_lcp_work_get(k, c, n + 1, sizeof(int), &l->nonbasic)) ||
      (rc = ns_lcp_work_get(k, c, n, sizeof(int), &l->where)))
    return rc;
  *out = l;
  return NS_OK;
}

static double *row_of(const ns_lemke *l, int i) { return l->T + (size_t)i * (size_t)l->ld; }

/* Largest entries of rows, or of columns, to about 1 by powers of two; by one common power where they differ by less
 * than 1000, so that ordinary problems keep their own d. */
static void scales(int n, double *scale)
{
  double least = INFINITY, most = 0;
  for (int i = 0; i < n; i++) {
    double m = scale[i];
    most = ns_lcp_larger(m, most);
    if (m > 0) least = m < least ? m : least;
  }
  for (int i = 0; i < n; i++) scale[i] = ns_lcp_power(most < 1000 * least || scale[i] == 0 ? most : scale[i]);
}

/* T and the largest entry of each row. */
static void fill(ns_lemke *l, const ns_lcp *p, double *restrict most)
{
  int n = p->n, ld = l->ld;
  double *restrict T = l->T;
  if (!p->dense) ns_lcp_fill(p, T, (size_t)ld, 1);
  for (int i = 0; i < n; i++, T += ld) {
    const double *m = p->dense ? p->dense + i : NULL;
    double largest = 0;
    for (int j = 0; j < n; j++) {
      if (m) T[j] = m[(size_t)j * (size_t)p->ld];
      largest = ns_lcp_larger(fabs(T[j]), largest);
    }
    most[i] = largest;
  }
}

static void column_sizes(const ns_lemke *l, double *restrict most)
{
  const double *t = l->T;
  for (int j = 0; j < l->n; j++) most[j] = 0;
  for (int i = 0; i < l->n; i++, t += l->ld)
    for (int j = 0; j < l->n; j++) most[j] = ns_lcp_larger(fabs(t[j]), most[j]);
}

static void load(ns_lemke *l, const ns_lcp *p)
{
  int n = p->n;
  l->n = n;
  l->ld = n + 2;
  double qmax = 0;
  fill(l, p, l->colscale);
  scales(n, l->colscale);
  for (int i = 0; i < n; i++) {
    double *t = row_of(l, i), r = l->colscale[i];
    for (int j = 0; j < n; j++) t[j] *= r;
    t[n] = 1;
    t[n + 1] = r * p->q[i];
    qmax = ns_lcp_larger(fabs(t[n + 1]), qmax);
    l->basic[i] = l->where[i] = i;
    l->nonbasic[i] = n + i;
  }
  l->nonbasic[n] = 2 * n;
  column_sizes(l, l->colscale);
  scales(n, l->colscale);
  l->qscale = ns_lcp_power(qmax);
  for (int i = 0; i < n; i++) {
    double *t = row_of(l, i);
    for (int j = 0; j < n; j++) t[j] *= l->colscale[j];
    t[n + 1] *= l->qscale;
  }
}

static void set_where(ns_lemke *l, int variable, int place)
{
  if (variable < l->n) l->where[variable] = place;
}

void ns_lemke_exchange(ns_lemke *l, int r, int c)
{
  int leaves = l->basic[r];
  l->basic[r] = l->nonbasic[c];
  l->nonbasic[c] = leaves;
  set_where(l, l->basic[r], r);
  set_where(l, leaves, -1 - c);
}

/* Exchange the basic variable of row r and the nonbasic one of column c. */
static void pivot(ns_lemke *l, int r, int c)
{
  int n = l->n, cols = n + 2;
  double *restrict pr = row_of(l, r);
  double f = 1 / pr[c];
  for (int j = 0; j < cols; j++) pr[j] *= -f;
  pr[c] = f;
  for (int i = 0; i < n; i++) {
    if (i == r) continue;
    double *restrict t = row_of(l, i);
    double a = t[c];
    if (a == 0) continue;
    t[c] = 0;
    int j = 0;
    for (; j + 1 < cols; j += 2) ns_pair_add(t + j, a, pr + j);
    if (j < cols) t[j] += a * pr[j];
  }
  ns_lemke_exchange(l, r, c);
}

/* Entry (i,j) of the inverse of the basis. */
static double inverse(const ns_lemke *l, int i, int j)
{
  int at = l->where[j];
  return at >= 0 ? (double)(at == i) : -row_of(l, i)[-1 - at];
}

double ns_lemke_inverse_size(const ns_lemke *l, int i)
{
  double most = 0;
  for (int j = 0; j < l->n; j++) most = ns_lcp_larger(fabs(inverse(l, i, j)), most);
  return most;
}

/* Neither equal to rounding nor clearly apart. */
static inline int is_doubtful(double apart, double size) { return apart > NOISE * size && apart < CLEAR * size; }

/* Is row i, divided by -T(i,c), lexicographically below row k? Their ratios are equal. Rounding is by the largest
 * entries, not by those compared: where these are zero they are nothing but rounding. */
static int below(ns_lemke *l, int i, int k, int c)
{
  double di = -row_of(l, i)[c], dk = -row_of(l, k)[c];
  double size = ns_lemke_inverse_size(l, i) / di + ns_lemke_inverse_size(l, k) / dk;
  for (int j = 0; j < l->n; j++) {
    double a = inverse(l, i, j) / di, b = inverse(l, k, j) / dk;
    double apart = fabs(a - b);
    l->doubtful |= is_doubtful(apart, size);
    if (apart > TIE * size) return a < b;
  }
  return 0;
}

/* Row that blocks the increase of column c; -1: none, a ray. */
static int blocking(ns_lemke *l, int c)
{
  int n = l->n, best = -1;
  double most = 0, ratio = INFINITY;
  for (int i = 0; i < n; i++) most = ns_lcp_larger(fabs(row_of(l, i)[c]), most);
  for (int i = 0; i < n; i++) {
    double a = -row_of(l, i)[c];
    if (!(a > PIVOT * most)) continue;
    double v = row_of(l, i)[n + 1] / a, size = 1 + fabs(ratio), near = TIE * size;
    if (best >= 0) l->doubtful |= is_doubtful(fabs(v - ratio), size);
    l->doubtful |= v <= ratio + near && is_doubtful(a, most);
    if (best < 0 || v < ratio - near) {
      best = i;
      ratio = v;
    } else if (v <= ratio + near) { /* a tie: z0 leaves if it can */
      if (l->basic[best] == 2 * n) continue;
      if (l->basic[i] == 2 * n || below(l, i, best, c)) best = i;
      if (v < ratio) ratio = v;
    }
  }
  return best;
}

/* z0 enters at the smallest q; among equals the last row is lexicographically smallest. */
int ns_lemke_first_row(const ns_lemke *l)
{
  int r = 0;
  for (int i = 1; i < l->n; i++)
    if (row_of(l, i)[l->n + 1] <= row_of(l, r)[l->n + 1]) r = i;
  return r;
}

int ns_lemke_column(const ns_lemke *l, int variable)
{
  int c = 0;
  while (l->nonbasic[c] != variable) c++;
  return c;
}

static void read_z(const ns_lemke *l, double *z)
{
  int n = l->n;
  for (int i = 0; i < n; i++) z[i] = 0;
  for (int i = 0; i < n; i++) {
    int j = l->basic[i] - n;
    if (j >= 0 && j < n) z[j] = row_of(l, i)[n + 1] * l->colscale[j] / l->qscale;
  }
}

/* In doubles. careful: ends early where rounding may have decided a pivot. */
static ns_outcome_kind run(ns_lemke *l, const ns_lcp *p, int careful, int limit, int *iterations)
{
  int n = l->n, c = n, r = ns_lemke_first_row(l);
  for (int it = 0; it < limit && !ns_solve_over(p->watch); it++) {
    int leaves = l->basic[r];
    pivot(l, r, c);
    ++*iterations;
    if (leaves == 2 * n) return NS_SOLVED;
    c = ns_lemke_column(l, leaves < n ? leaves + n : leaves - n);
    r = blocking(l, c);
    if (l->doubtful && careful) return NS_LIMIT;
    if (r < 0) return NS_RAY;
  }
  return NS_LIMIT;
}

/* With twice the digits; where that does not end with a solution, in doubles in spite of all: data that are rounded themselves, of
 * a singular matrix say, mean what they are near to. Pivots are those of the path that counts. */
static ns_outcome_kind run_again(ns_lemke *l, const ns_lcp *p, int limit, int *iterations)
{
  int exact = 0, rounded = 0;
  load(l, p);
  ns_outcome_kind kind = ns_lemke_twofold(l, p, limit, &exact);
  if (kind != NS_SOLVED && !ns_solve_over(p->watch)) {
    load(l, p);
    if (run(l, p, 0, limit, &rounded) == NS_SOLVED) {
      *iterations += rounded;
      return NS_SOLVED;
    }
  }
  *iterations += exact;
  return kind;
}

ns_outcome_kind ns_lemke_run(ns_lemke *l, ns_lcp_work *k, const ns_lcp *p, int *iterations)
{
  int n = p->n, limit = k->opt.max_iterations > 0 ? k->opt.max_iterations : 1000 + 50 * n, first = 0;
  load(l, p);
  if (n == 0 || row_of(l, ns_lemke_first_row(l))[n + 1] >= 0) { /* q >= 0 */
    for (int i = 0; i < n; i++) k->z[i] = 0;
    return NS_SOLVED;
  }
  l->doubtful = 0;
  ns_outcome_kind kind = run(l, p, n <= NS_LEMKE_TWOFOLD, limit, &first);
  if (l->doubtful && n <= NS_LEMKE_TWOFOLD) kind = run_again(l, p, limit, iterations);
  else *iterations += first;
  if (kind == NS_SOLVED || p->watch) read_z(l, k->z);
  if (kind == NS_LIMIT && p->watch) ns_lcp_work_residual(k, p, k->z, k->w);
  return kind;
}

/* ---- as a solver of its own ---- */

typedef struct lemke {
  ns_lcp_work *work;
  ns_lemke *method;
} lemke;

static void destroy(void *self)
{
  lemke *s = self;
  if (s) ns_lcp_work_destroy(s->work);
}

static int create(ns_ctx *c, const ns_lcp_capacity *cap, const ns_lcp_options *opt, void **self)
{
  *self = NULL;
  ns_lcp_work *k = NULL;
  lemke *s = NULL;
  int rc = ns_lcp_work_create(c, cap, opt, 1, &k);
  if (rc) return rc;
  if ((rc = ns_lcp_work_get(k, c, 1, sizeof *s, &s)) || (rc = ns_lemke_create(k, c, &s->method))) {
    ns_lcp_work_destroy(k);
    return rc;
  }
  s->work = k;
  *self = s;
  return NS_OK;
}

static int solve(void *self, ns_ctx *c, const ns_lcp *p, const int *row, double *z, double *w, ns_outcome *out)
{
  lemke *s = self;
  ns_lcp_work *k = s->work;
  int rc = ns_lcp_work_fits(k, c, p), iterations = 0;
  if (rc) return rc;
  if (p->n > k->ndense)
    return ns_fail(c, NS_NUMERIC, "LCP of size %d: Lemke's method is dense, at most %d here; use solver=\"auto\"", p->n,
                   k->ndense);
  double residual = INFINITY;
  ns_outcome_kind kind = ns_lcp_finite(p) ? ns_lemke_run(s->method, k, p, &iterations) : NS_NOT_FINITE;
  if (kind == NS_SOLVED && ns_lcp_accept(k, p, row, w, &residual))
    ns_lcp_solved(k, p, z, residual, iterations, "lemke", out);
  else
    ns_lcp_failed(p, z, w, kind == NS_SOLVED ? NS_SINGULAR : kind, iterations, "lemke", out);
  return NS_OK;
}

const ns_lcp_solver_ops ns_lcp_lemke = {
    .size = sizeof(ns_lcp_solver_ops),
    .name = "lemke",
    .help = "Lemke's complementary pivoting, lexicographic; dense, exact on the support it finds",
    .create = create,
    .solve = solve,
    .destroy = destroy,
    .memory = &ns_memory_none,
};
