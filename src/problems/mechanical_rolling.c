/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/mechanical_rolling.h"

#include "algebra/dense.h"
#include "algebra/vector.h"
#include "problems/mechanical_work.h"

#include <float.h>
#include <string.h>

enum { ROWS = NS_ROLLING_ROWS, ROOT = 100, NEWTON = 30, CUTS = 10, PROJECTIONS = 1000 };

/* What is worth less is tried otherwise. */
static const double good = 1e-13;

/* ---- the cone -------------------------------------------------------------------------------- */

/* r_N of the projection is the root of  n - r_N = mu max(0, t - mu n) + mu_r max(0, w - mu_r n),  t
 *     = |r_T|, w = |r_R|: which of the
 * two terms are there follows from where they end, at t / mu and w / mu_r. */
static double nearest_normal(double mu, double mu_r, double n, double t, double w)
{
  int t_last = t * mu_r >= w * mu;
  double c = t_last ? mu : mu_r, x = t_last ? t : w, c1 = t_last ? mu_r : mu, x1 = t_last ? w : t;
  double one = (n + c * x) / (1 + c * c);
  if (x1 > c1 * one) return (n + c * x + c1 * x1) / (1 + c * c + c1 * c1);
  return x > c * one ? one : n;
}

static void shrink(int n, double radius, double size, double *x)
{
  for (int i = 0; i < n && size > radius; i++) x[i] *= radius / size;
}

void ns_mechanical_rolling_cone(int d, double mu, double mu_r, double *r)
{
  double t = ns_rolling_slip(d, r), w = ns_rolling_turn(d, r),
         n = nearest_normal(mu, mu_r, r[0], t, w);
  if (!(n > 0)) n = 0;
  r[0] = n;
  shrink(d / 2, mu * n, t, r + 1);
  shrink(d / 2, mu_r * n, w, r + 1 + d / 2);
}

double ns_rolling_defect(int d, double mu, double mu_r, const double *u, const double *r)
{
  double z[ROWS] = {0}, s = 0;
  for (int i = 0; i < d; i++) z[i] = r[i] - u[i];
  z[0] -= ns_rolling_lift(d, mu, mu_r, u);
  ns_mechanical_rolling_cone(d, mu, mu_r, z);
  for (int i = 0; i < d; i++) s += (r[i] - z[i]) * (r[i] - z[i]);
  return s;
}

/* ---- the map --------------------------------------------------------------------------------- */

void ns_rolling_map(const ns_rolling_steps *k, int kind, const double *r, const double *u,
                    double *F, double *A, double *B)
{
  int d = k->d, n = d / 2;
  ns_disc slip = {1, n, k->mu, k->rho_t, k->rho_n}, turn = {1 + n, n, k->mu_r, k->rho_r, k->rho_n};
  ns_contact_normal_map(d, k->rho_n, r, u, F, A, B);
  ns_contact_disc_map(d, &slip, kind, r, u, F, A, B);
  ns_contact_disc_map(d, &turn, kind, r, u, F, A, B);
}

/* ---- preparation ----------------------------------------------------------------------------- */

/* Largest eigenvalue of the n x n part of W from row `at`, as far as it is symmetric. */
static double largest(int d, const double *W, int at, int n)
{
  const double *D = W + at + at * d;
  if (n == 1) return fabs(D[0]);
  double trace = D[0] + D[1 + d], det = D[0] * D[1 + d] - D[1] * D[d];
  return (fabs(trace) + sqrt(ns_larger(trace * trace - 4 * det, 0))) / 2;
}

int ns_rolling_prepare(int d, const double *W, double mu, double mu_r, ns_rolling *k)
{
  int n = d / 2;
  double max = 0, t = largest(d, W, 1, n), w = largest(d, W, 1 + n, n);
  for (int i = 0; i < d * d; i++) max = ns_larger(fabs(W[i]), max);
  *k = (ns_rolling){.steps = {d, mu, mu_r, 0, 0, 0}};
  if (!(W[0] > 0) || !(max <= DBL_MAX) || !(t <= DBL_MAX) || !(w <= DBL_MAX)) return -1;
  ns_rolling_steps *s = &k->steps;
  s->rho_n = 1 / W[0];
  s->rho_t = t > DBL_MIN ? 1 / t : s->rho_n;
  s->rho_r = w > DBL_MIN ? 1 / w : s->rho_n;
  double unit_t = sqrt(s->rho_t * W[0]), unit_r = sqrt(s->rho_r * W[0]);
  for (int i = 0; i < d; i++) k->unit[i] = i == 0 ? 1 : i <= n ? unit_t : unit_r;
  for (int j = 0; j < d; j++)
    for (int i = 0; i < d; i++) k->W[i + j * d] = k->unit[i] * W[i + j * d] * k->unit[j] * s->rho_n;
  k->own = (ns_rolling_steps){d, mu / unit_t, mu_r / unit_r, 1, 1, 1};
  return 0;
}

/* ---- one contact, in its units --------------------------------------------------------------- */

static void velocity(const ns_rolling *k, const double *q, const double *x, double *u)
{
  int d = k->own.d;
  for (int i = 0; i < d; i++) {
    double s = q[i];
    for (int j = 0; j < d; j++) s += k->W[i + j * d] * x[j];
    u[i] = s;
  }
}

static double worth(const ns_rolling *k, const double *q, const double *x)
{
  int d = k->own.d;
  double u[ROWS];
  velocity(k, q, x, u);
  double e = sqrt(ns_rolling_defect(d, k->own.mu, k->own.mu_r, u, x)),
         size = fmax(ns_norm((size_t)d, q), fmax(ns_norm((size_t)d, x), ns_norm((size_t)d, u)));
  e = size > DBL_MIN ? e / size : e;
  return e <= DBL_MAX ? e : INFINITY;
}

/* V = (W_RR + beta)^-1 [n x n]; 0 where singular to rounding. */
static int invert_turn(const ns_rolling *k, double beta, double *V)
{
  int d = k->own.d, n = d / 2;
  const double *D = k->W + (1 + n) * (d + 1);
  if (n == 1) {
    V[0] = 1 / (D[0] + beta);
    return D[0] + beta > 16 * DBL_EPSILON;
  }
  double a = D[0] + beta, b = D[d], c = D[1], e = D[1 + d] + beta, det = a * e - b * c;
  if (!(fabs(det) > 16 * DBL_EPSILON * (fabs(a * e) + fabs(b * c)))) return 0;
  V[0] = e / det;
  V[1] = -c / det;
  V[2] = -b / det;
  V[3] = a / det;
  return 1;
}

/* The contact of the rows N and T alone, m of them. */
static int solve_slip(int m, const double *A, double mu, const double *q, double *x)
{
  ns_contact c;
  memset(x, 0, (size_t)m * sizeof *x);
  if (ns_contact_prepare(m, A, mu, &c)) return 0;
  if (m == 2 ? ns_contact_cases_plane(&c, q, x) : ns_contact_cases_space(&c, q, x)) return 1;
  return (m == 2 ? ns_contact_solve_plane(&c, q, x) : ns_contact_solve_space(&c, q, x)) < 1e-10;
}

/* x where u_R = -beta x_R, d rows. */
static inline int turn_rows(const int d, const ns_rolling *k, const double *q, double beta,
                            double *x)
{
  const int n = d / 2, m = d - n;
  double V[4], Z[6], A[9], p[3];
  if (!invert_turn(k, beta, V)) return 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      Z[i + j * m] = 0;
      for (int l = 0; l < n; l++) Z[i + j * m] += k->W[i + (m + l) * d] * V[l + j * n];
    }
  for (int i = 0; i < m; i++) {
    p[i] = q[i];
    for (int l = 0; l < n; l++) p[i] -= Z[i + l * m] * q[m + l];
    for (int j = 0; j < m; j++) {
      A[i + j * m] = k->W[i + j * d];
      for (int l = 0; l < n; l++) A[i + j * m] -= Z[i + l * m] * k->W[m + l + j * d];
    }
  }
  if (!solve_slip(m, A, k->own.mu, p, x)) return 0;
  double u[2];
  for (int i = 0; i < n; i++) {
    u[i] = q[m + i];
    for (int j = 0; j < m; j++) u[i] += k->W[m + i + j * d] * x[j];
  }
  for (int i = 0; i < n; i++) {
    x[m + i] = -V[i] * u[0];
    if (n == 2) x[m + i] -= V[i + n] * u[1];
  }
  return 1;
}

static int solve_turning(const ns_rolling *k, const double *q, double beta, double *x)
{
  return k->own.d == 5 ? turn_rows(5, k, q, beta, x) : turn_rows(3, k, q, beta, x);
}

/* No moment at all. */
static int solve_free(const ns_rolling *k, const double *q, double *x)
{
  int d = k->own.d, m = d - d / 2;
  double A[9];
  for (int j = 0; j < m; j++)
    for (int i = 0; i < m; i++) A[i + j * m] = k->W[i + j * d];
  memset(x, 0, (size_t)d * sizeof *x);
  return solve_slip(m, A, k->own.mu, q, x);
}

/* mu_r x_N / |x_R| - 1 at beta: nearly linear, as secular equations are. NaN where there is no such
 * x. */
static double excess(const ns_rolling *k, const double *q, double beta, double *x)
{
  if (!solve_turning(k, q, beta, x)) return NAN;
  double w = ns_rolling_turn(k->own.d, x);
  return w > 0 ? k->own.mu_r * x[0] / w - 1 : INFINITY;
}

/* Its root between `left`, where it is `low`, and right, where it is `high`: secants, each side
 * halved that stays (Illinois; Dowell & Jarratt 1971). */
static void find_root(const ns_rolling *k, const double *q, double left, double low, double right,
                      double high, double *x)
{
  for (int it = 0, side = 0; it < ROOT; it++) {
    double beta = high <= DBL_MAX ? left - low * (right - left) / (high - low) : (left + right) / 2;
    if (!(beta > left && beta < right)) beta = (left + right) / 2;
    double e = excess(k, q, beta, x);
    if (!(fabs(e) > 2 * DBL_EPSILON) || beta == left || beta == right) return;
    if (e < 0) {
      left = beta;
      low = e;
      if (side < 0) high /= 2;
      side = -1;
    } else {
      right = beta;
      high = e;
      if (side > 0) low /= 2;
      side = 1;
    }
  }
}

/* By the cases of R. */
static void cases(const ns_rolling *k, const double *q, double *x)
{
  if (k->own.mu_r == 0) {
    solve_free(k, q, x);
    return;
  }
  double left = 0, low = excess(k, q, 0, x), right, high;
  if (low >= 0) return;
  if (isnan(low)) low = excess(k, q, left = 16 * DBL_EPSILON, x);
  if (!(low < 0)) return;
  right = low > -1 ? fmin(-low / (1 + low), 1e3) : 1;
  for (int it = 0; it < ROOT && (high = excess(k, q, right, x)) < 0; it++) {
    left = right;
    low = high;
    right *= 8;
  }
  if (high > 0) find_root(k, q, left, low, right, high, x);
}

/* ---- where no case fits ---------------------------------------------------------------------- */

/* Keeps the better one of x and best. */
static double keep(const ns_rolling *k, const double *q, const double *x, double min, double *best)
{
  double e = worth(k, q, x);
  if (!(e < min)) return min;
  memcpy(best, x, (size_t)k->own.d * sizeof *x);
  return e;
}

/* The map with u = W x + q, and J = A W + B where wanted. */
static inline double map_rows(const int d, const ns_rolling *k, int kind, const double *q,
                              const double *x, double *F, double *J)
{
  double u[ROWS], A[ROWS * ROWS], B[ROWS * ROWS];
  velocity(k, q, x, u);
  ns_rolling_map(&k->own, kind, x, u, F, J ? A : NULL, B);
  for (int j = 0; j < d && J; j++)
    for (int i = 0; i < d; i++) {
      double s = B[i + j * d];
      for (int l = 0; l < d; l++) s += A[i + l * d] * k->W[l + j * d];
      J[i + j * d] = s;
    }
  return ns_norm((size_t)d, F);
}

static double map(const ns_rolling *k, int kind, const double *q, const double *x, double *F,
                  double *J)
{
  return k->own.d == 5 ? map_rows(5, k, kind, q, x, F, J) : map_rows(3, k, kind, q, x, F, J);
}

static double newton(const ns_rolling *k, int kind, const double *q, double *x, double min,
                     double *best)
{
  int d = k->own.d;
  for (int it = 0; it < NEWTON && min > good; it++) {
    double F[ROWS], G[ROWS], J[ROWS * ROWS], next[ROWS], t = 1, now = map(k, kind, q, x, F, J);
    if (!ns_dense_eliminate(d, J, d, 1e-300, F)) return min;
    for (int cut = 0; cut < CUTS; cut++, t /= 2) {
      for (int i = 0; i < d; i++) next[i] = x[i] - t * F[i];
      if (map(k, kind, q, next, G, NULL) <= (1 - 0.1 * t) * now) break;
    }
    if (!(ns_norm((size_t)d, next) <= DBL_MAX)) return min;
    memcpy(x, next, (size_t)d * sizeof *x);
    min = keep(k, q, x, min, best);
  }
  return min;
}

/* u + g at x. */
static void force(const ns_rolling *k, const double *q, const double *x, double *f)
{
  velocity(k, q, x, f);
  f[0] += ns_rolling_lift(k->own.d, k->own.mu, k->own.mu_r, f);
}

/* Projections with a step that adapts itself (Khobotov 1987), corrected: what is returned never
 * grows. */
static double projections(const ns_rolling *k, const double *q, double *x, double min, double *best)
{
  int d = k->own.d;
  double rho = 1;
  for (int it = 0; it < PROJECTIONS && min > good; it++) {
    double f[ROWS], g[ROWS], y[ROWS], ratio = 0;
    force(k, q, x, f);
    for (int cut = 0; cut < 4 * CUTS; cut++, rho *= 2.0 / 3) {
      double df[ROWS], dx[ROWS];
      for (int i = 0; i < d; i++) y[i] = x[i] - rho * f[i];
      ns_mechanical_rolling_cone(d, k->own.mu, k->own.mu_r, y);
      force(k, q, y, g);
      for (int i = 0; i < d; i++) df[i] = f[i] - g[i], dx[i] = x[i] - y[i];
      double step = ns_norm((size_t)d, dx);
      ratio = step > 0 ? rho * ns_norm((size_t)d, df) / step : 0;
      if (ratio <= 0.9) break;
    }
    for (int i = 0; i < d; i++) x[i] -= rho * g[i];
    ns_mechanical_rolling_cone(d, k->own.mu, k->own.mu_r, x);
    if (ratio < 0.3) rho *= 1.5;
    min = keep(k, q, x, min, best);
  }
  return min;
}

static double by_turns(const ns_rolling *k, const double *q, double min, double *best)
{
  double x[ROWS];
  size_t bytes = (size_t)k->own.d * sizeof *x;
  for (int turn = 0; turn < 4 && min > good; turn++) {
    memcpy(x, best, bytes);
    min = newton(k, turn & 1, q, x, min, best);
    if (min <= good) break;
    memcpy(x, best, bytes);
    min = projections(k, q, x, min, best);
  }
  return min;
}

/* From a guess whose moment is at the rim, steps of Newton where they are few: a sweep that is
 * about to end changes little. *enough: what is then worth no more is taken, `share` of what the
 * guess is worth. */
static double warm(const ns_rolling *k, const double *q, const double *guess, double share,
                   double *x, double *enough)
{
  enum { STEPS = 3 };
  int d = k->own.d;
  double F[ROWS], J[ROWS * ROWS];
  if (!(guess[0] > 0) || ns_rolling_turn(d, guess) < (1 - 1e-3) * k->own.mu_r * guess[0])
    return INFINITY;
  memcpy(x, guess, (size_t)d * sizeof *x);
  for (int it = 0; it < STEPS; it++) {
    double now = map(k, 0, q, x, F, J);
    if (!(now <= 0.1 * ns_norm((size_t)d, x)) || !ns_dense_eliminate(d, J, d, 1e-300, F))
      return INFINITY;
    for (int i = 0; i < d; i++) x[i] -= F[i];
    double e = now / ns_norm((size_t)d, x);
    if (it == 0) *enough = fmax(share * fmin(e, 1), good);
    /* the next one would be rounding, or more than is asked for */
    if (e <= 1e-7 || e * e <= *enough) break;
  }
  return worth(k, q, x);
}

/* share: see warm. */
static double solve(const ns_rolling *k, const double *given, double share, double *r)
{
  int d = k->own.d;
  double q[ROWS], x[ROWS], best[ROWS] = {0}, min, enough = good;
  if (given[0] >= 0) {
    memset(r, 0, (size_t)d * sizeof *r);
    return 0;
  }
  for (int i = 0; i < d; i++) {
    q[i] = k->unit[i] * given[i] * k->steps.rho_n;
    best[i] = r[i] / k->unit[i];
  }
  if (!((min = warm(k, q, best, share, x, &enough)) <= enough)) {
    enough = good;
    memset(x, 0, sizeof x);
    cases(k, q, x);
    min = worth(k, q, x);
  }
  if (min > enough) { /* not solved: the guess counts, too */
    double e = worth(k, q, best);
    if (min < e) memcpy(best, x, (size_t)d * sizeof *x);
    min = by_turns(k, q, fmin(min, e), best);
  } else {
    memcpy(best, x, (size_t)d * sizeof *x);
  }
  for (int i = 0; i < d; i++) r[i] = k->unit[i] * best[i];
  return min;
}

double ns_rolling_solve(const ns_rolling *k, const double *q, double *r)
{
  return solve(k, q, 0, r);
}
double ns_rolling_sweep(const ns_rolling *k, const double *q, double *r)
{
  return solve(k, q, 1e-3, r);
}
