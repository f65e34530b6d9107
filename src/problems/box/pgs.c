/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Projected Gauss-Seidel, with relaxation projected SOR (Cryer 1971):
 *
 *   for each row i:  z_i = proj_[lb_i,ub_i](z_i - omega w_i / M_ii),  w with the newest z.
 *
 * Converges for symmetric positive definite M with 0 < omega < 2 and for strictly diagonally
 * dominant ones with omega <= 1, slowly where M is ill conditioned. Needs M_ii > 0 where there is a
 * bound and M_ii != 0 elsewhere. A sweep costs one product with M. The residual is tested after
 * each of the first sweeps, then at every tenth. */
#include "problems/box/work.h"

#include <math.h>
#include <string.h>

#define DEFAULT_LIMIT 10000
#define BLUR 1e-14         /* of the largest z: rounding */
#define NS_PGS_AT_A_TIME 4 /* sweeps between two looks at the residual */
#define NS_PGS_QUICK 0.5   /* of the residual before: sweeps alone are quick enough */

static int sweep_dense(const ns_box_work *k, const ns_box *p, double omega, double *z, double *w)
{
  if (k->boxed) return ns_box_sweep(p->n, p->dense, p->ld, p->lb, p->ub, omega, p->n, z, w).columns;
  return ns_box_sweep(p->n, p->dense, p->ld, NULL, NULL, omega, p->n, z, w).columns;
}

/* Row r of block row i, times z. */
static double row_product(const ns_blocks *A, int i, int r, const double *z)
{
  double s = 0;
  int m = A->dim[i];
  for (int k = A->row[i]; k < A->row[i + 1]; k++) {
    int j = A->col[k];
    const double *b = A->val + A->off[k] + r, *x = z + A->first[j];
    for (int c = 0; c < A->dim[j]; c++, b += m) s += *b * x[c];
  }
  return s;
}

static void sweep_blocks(const ns_box *p, double omega, const double *diagonal, double *z)
{
  const ns_blocks *A = p->blocks;
  for (int i = 0; i < A->nb; i++)
    for (int r = 0; r < A->dim[i]; r++) {
      int at = A->first[i] + r;
      double to = z[at] - omega * (p->q[at] + row_product(A, i, r, z)) / diagonal[at];
      z[at] = to > 0 ? to : 0;
    }
}

/* The diagonal into k->b; 0 where it cannot be swept with. */
static int diagonal_fits(ns_box_work *k, const ns_box *p)
{
  const ns_blocks *A = p->blocks;
  int fits = 1;
  for (int i = 0; A && i < A->nb; i++) {
    const double *b = ns_blocks_at(A, i, i);
    for (int r = 0; r < A->dim[i]; r++) k->b[A->first[i] + r] = b ? b[r + r * A->dim[i]] : 0;
  }
  for (int i = 0; i < p->n; i++) {
    if (!A) k->b[i] = p->dense[(size_t)i * ((size_t)p->ld + 1)];
    fits &= ns_box_sweepable(k->b[i], ns_box_lower(k, p, i), ns_box_upper(k, p, i));
  }
  return fits;
}

ns_outcome_kind ns_pgs_run(ns_box_work *k, const ns_box *p, const double *z, double *w, int limit,
                           int *iterations, double *residual)
{
  memcpy(k->z, z, (size_t)p->n * sizeof *z);
  ns_box_clip(k, p, k->z);
  if (!diagonal_fits(k, p)) return NS_SINGULAR;
  *residual = ns_box_work_residual(k, p, k->z, w);
  for (int it = 1; it <= limit && !ns_solve_over(p->watch); it++) {
    if (*residual <= k->opt.tol) return NS_SOLVED;
    if (!isfinite(*residual)) return NS_LIMIT;
    ++*iterations;
    if (p->dense) sweep_dense(k, p, k->opt.omega, k->z, w);
    else sweep_blocks(p, k->opt.omega, k->b, k->z);
    if (it < 20 || it % 10 == 0 || it == limit) *residual = ns_box_work_residual(k, p, k->z, w);
  }
  return *residual <= k->opt.tol ? NS_SOLVED : NS_LIMIT;
}

/* ---- sweeps as a trial, with steps along what they change ------------------------------------ */

/* z_i by itself: row i, which is free, knows of no other free row, and z_i M_ii is what a direct
 * solve makes it. */
static int stands_alone(const ns_box_work *k, const ns_box *p, int i)
{
  const double *m = p->dense + i, *z = k->z;
  double sum = p->q[i];
  for (int j = 0; j < p->n; j++) {
    double entry = m[(size_t)j * (size_t)p->ld];
    if (j == i || z[j] == 0) continue;
    if (entry != 0 && z[j] > ns_box_lower(k, p, j) && z[j] < ns_box_upper(k, p, j)) return 0;
    sum += entry * z[j];
  }
  return z[i] * m[(size_t)i * (size_t)p->ld] == -sum;
}

static int is_plain(const ns_box_work *k, const ns_box *p)
{
  for (int i = 0; i < p->n; i++) {
    double z = k->z[i];
    if (z > ns_box_lower(k, p, i) && z < ns_box_upper(k, p, i) && !stands_alone(k, p, i)) return 0;
  }
  return 1;
}

/* Is a z off its bound by nothing but rounding? Other methods tell that it is at it. */
static int is_blurred(const ns_box_work *k, const ns_box *p)
{
  double max = 0;
  int blurred = 0;
  for (int i = 0; i < p->n; i++) max = ns_box_larger(fabs(k->z[i]), max);
  for (int i = 0; i < p->n; i++) {
    double below = k->z[i] - ns_box_lower(k, p, i), above = ns_box_upper(k, p, i) - k->z[i];
    double apart = below < above ? below : above;
    blurred |= apart > 0 && apart <= BLUR * max;
  }
  return blurred;
}

static int settles_boxed(ns_box_work *k, const ns_box *p, double *w)
{
  int n = p->n;
  for (int i = 0; i < n; i++) k->z[i] = ns_box_project(0, p->lb[i], p->ub[i]);
  for (int j = 0; j < n; j++) {
    const double *m = p->dense + (size_t)j * (size_t)p->ld;
    for (int i = 0; k->z[j] != 0 && i < n; i++) w[i] += m[i] * k->z[j];
  }
  return ns_box_settles(n, p->dense, p->ld, p->lb, p->ub, k->z, w);
}

int ns_pgs_settles(ns_box_work *k, const ns_box *p, const int *row, double *w, double *residual)
{
  for (int i = 0; i < p->n; i++) {
    k->z[i] = 0;
    w[i] = p->q[i];
  }
  if (!(k->boxed ? settles_boxed(k, p, w)
                 : ns_box_settles(p->n, p->dense, p->ld, NULL, NULL, k->z, w)))
    return 0;
  if (is_blurred(k, p)) return 0;
  if (!is_plain(k, p)) return ns_box_try(k, p, row, w, residual);
  *residual = ns_box_work_residual(k, p, k->z, w);
  return *residual <= NS_PGS_CLOSER * k->opt.tol;
}

/* d = z - k->x is what the last sweep has changed, M d = w - k->w. The step t d in addition at
 * which z^T M z / 2 + q^T z is least, for a symmetric M, or at which a row ends: along the slowest
 * direction of the sweeps, or, where M is singular on the support, along the drift to the next row
 * that ends. 0 where the sweep has changed the support: sweeps still find it, and a long step would
 * take it elsewhere. */
static double length_of(const ns_box_work *k, const ns_box *p, const double *w)
{
  double slope = 0, curvature = 0, longest = INFINITY;
  for (int i = 0; i < p->n; i++) {
    double z = k->z[i], d = z - k->x[i];
    if ((z > 0) != (k->x[i] > 0)) return 0;
    slope += w[i] * d;
    curvature += (w[i] - k->w[i]) * d;
    if (z < -longest * d) longest = -z / d;
  }
  if (!(slope < 0)) return 0;
  return curvature > 0 ? fmin(longest, -slope / curvature) : longest;
}

static void extend(ns_box_work *k, const ns_box *p, double *w)
{
  double t = length_of(k, p, w);
  if (!(t < 1e30)) return;
  for (int i = 0; i < p->n; i++) {
    double to = k->z[i] + t * (k->z[i] - k->x[i]);
    k->z[i] = to > 0 ? to : 0;
    w[i] += t * (w[i] - k->w[i]);
  }
}

/* Sweeps until the next look at the residual; what they cost in columns. straight: nothing but
 * sweeps. */
static double sweeps_of_trial(ns_box_work *k, const ns_box *p, double *w, int straight)
{
  size_t bytes = (size_t)p->n * sizeof *w;
  double cost = 0;
  for (int sweep = 1; sweep <= NS_PGS_AT_A_TIME; sweep++) {
    int extends = !straight && (p->dense ? sweep % 2 == 0 : sweep == NS_PGS_AT_A_TIME);
    if (extends && !p->dense) ns_box_residual(p, k->z, w);
    if (extends) {
      memcpy(k->x, k->z, bytes);
      memcpy(k->w, w, bytes);
    }
    if (p->dense) cost += sweep_dense(k, p, 1, k->z, w);
    else sweep_blocks(p, 1, k->b, k->z);
    if (extends && !p->dense) ns_box_residual(p, k->z, w);
    if (extends) extend(k, p, w);
  }
  return p->dense ? cost : (NS_PGS_AT_A_TIME + 2.0) * p->n;
}

/* The residual by the w that sweeps have kept, which is that of z but for rounding. */
static double kept_residual(const ns_box_work *k, const ns_box *p, const double *w)
{
  ns_box_tally t = {0};
  for (int i = 0; i < p->n; i++) ns_box_tally_lcp(&t, k->z[i], w[i], p->q[i], k->r[i]);
  return ns_box_tally_end(&t);
}

/* The residual after a round of sweeps: of a dense matrix by w, and anew where that is within tol,
 * or where `anew` says so. */
static double residual_of_trial(ns_box_work *k, const ns_box *p, double *w, double tol, int anew,
                                double *cost)
{
  if (p->dense && k->scaled && !anew) {
    double residual = kept_residual(k, p, w);
    if (residual > tol) return residual;
  }
  *cost += p->n;
  return ns_box_work_residual(k, p, k->z, w);
}

/* Sweeps that the rate from e0 to e in `count` of them foretells until tol. */
static double foretold(double e0, double e, int count, double tol)
{
  if (!(e < e0) || !(e > 0)) return INFINITY;
  return count * log(tol / e) / log(e / e0);
}

ns_outcome_kind ns_pgs_trial(ns_box_work *k, const ns_box *p, const double *z, double *w,
                             ns_pgs_patience how, int *iterations, double *residual)
{
  enum { FEW = 8, MIN = 24 }; /* LEAST: sweeps by which the rate is judged */
  double n = p->n, tol = (how == NS_PGS_STUBBORN ? 1 : NS_PGS_CLOSER) * k->opt.tol;
  double budget = n * fmax(n, MIN); /* columns; worth three steps of newton-min */
  for (int i = 0; i < p->n; i++) k->z[i] = z[i] > 0 ? z[i] : 0;
  if (!diagonal_fits(k, p)) return NS_SINGULAR;
  double mark = *residual = ns_box_work_residual(k, p, k->z, w), since = budget;
  int straight = 1,
      within = 0; /* within: the last sweep at which the residual was above its tolerance */
  for (int it = NS_PGS_AT_A_TIME; budget > 0 && isfinite(*residual) && !ns_solve_over(p->watch);
       it += NS_PGS_AT_A_TIME) {
    double before = *residual, cost = sweeps_of_trial(k, p, w, straight);
    *iterations += NS_PGS_AT_A_TIME;
    *residual = residual_of_trial(k, p, w, tol, it % MIN == 0, &cost);
    budget -= cost;
    if (*residual <= tol) return NS_SOLVED;
    straight = *residual <= NS_PGS_QUICK * before;
    if (*residual > k->opt.tol) within = it;
    else if (it - within > MIN / 2)
      break; /* rounding lets no more digits come, or they come slowly */
    if (how == NS_PGS_FEW && it >= FEW) break;
    if (it % MIN || how == NS_PGS_STUBBORN) continue;
    int cheap = since - budget <
                MIN * n / 2; /* few rows move any more: these may take their time */
    if (!cheap && foretold(mark, *residual, 1, tol) * (since - budget) > 8 * budget) break;
    mark = *residual;
    since = budget;
  }
  *residual = ns_box_work_residual(k, p, k->z, w);
  return *residual <= k->opt.tol ? NS_SOLVED : NS_LIMIT;
}

/* ---- as a solver of its own ------------------------------------------------------------------ */

static ns_outcome_kind run(void *own, ns_box_work *k, const ns_box *p, const int *row,
                           const double *z, double *w, int *iterations, double *residual)
{
  int limit = k->opt.max_iterations;
  (void)own;
  (void)row;
  return ns_pgs_run(k, p, z, w, limit > 0 ? limit : DEFAULT_LIMIT, iterations, residual);
}

static int create(ns_ctx *c, const ns_box_capacity *cap, const ns_lcp_options *opt, void **self)
{
  static const ns_box_method of_lcps = {.name = "pgs", .any = 1, .run = run},
                             of_boxes = {.name = "pgs", .any = 1, .direct = 1, .run = run};
  *self = NULL;
  if (opt && !(opt->omega > 0 && opt->omega < 2))
    return ns_fail(c, NS_MODEL, "pgs: omega is %g, it must lie between 0 and 2", opt->omega);
  return ns_box_method_create(c, cap, opt, ns_box_is_boxed(cap) ? &of_boxes : &of_lcps, self);
}

const ns_box_solver_ops ns_box_pgs = {
    .name = "pgs",
    .help = "projected Gauss-Seidel (omega = 1) or SOR; any size, accurate only to its tolerance",
    .create = create,
    .solve = ns_box_method_solve,
    .destroy = ns_box_method_destroy,
    .memory = &ns_memory_none,
};
