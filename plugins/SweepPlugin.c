/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A solver of one-step problems: projected Gauss-Seidel, a block at a time, for boxes, friction and
 * rolling friction.
 *
 *     <FrictionContact solver="SweepPlugin:sweeps" tolerance="1e-8" maxIterations="100000"/>
 *
 * Each block takes a step against its velocity, u + g e_N with the friction term g of De Saxce and
 * Feng (1998), as long as its part of W allows, and is projected on what its law admits (Jourdan,
 * Alart & Jean 1998 solve the block exactly instead). It is slow and simple: something to begin
 * with. */
#include <nssim/plugin.h>

#include <math.h>

NSSIM_PLUGIN("SweepPlugin", NSSIM_PLUGIN_ABI);

enum { LIMIT = 10000 };

static double clamped(double x, double least, double most) { return fmin(fmax(x, least), most); }

static double norm(const double *x, int n)
{
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return sqrt(s);
}

/* Nearest (n, t) with |t| <= mu n: *n and the factor of t. */
static double project_cone(double mu, double *n, double size)
{
  if (size <= mu * *n) return 1;
  if (mu * size <= -*n) {
    *n = 0;
    return 0;
  }
  *n = (*n + mu * size) / (1 + mu * mu);
  return mu * *n / size;
}

/* Nearest r with |r_T| <= mu r_N and |r_R| <= nu r_N, by the multiplier of r_N: where it is r_N,
 * each part is cut to size. */
static void project_two_cones(double mu, double nu, double *n, double *t, int nt, double *r, int nr)
{
  double slip = norm(t, nt), size_r = norm(r, nr), best = INFINITY, at = 0;
  const double try[] = {*n, (*n + mu * slip) / (1 + mu * mu), (*n + nu * size_r) / (1 + nu * nu),
                        (*n + mu * slip + nu * size_r) / (1 + mu * mu + nu * nu)};
  for (int k = 0; k < 4; k++) {
    double x = fmax(try[k], 0), a = fmax(slip - mu * x, 0), b = fmax(size_r - nu * x, 0);
    double d = (x - *n) * (x - *n) + a * a + b * b;
    if (!(d < best)) continue;
    best = d;
    at = x;
  }
  for (int i = 0; i < nt; i++) t[i] *= slip > mu * at ? mu * at / slip : 1;
  for (int i = 0; i < nr; i++) r[i] *= size_r > nu * at ? nu * at / size_r : 1;
  *n = at;
}

static double row_times(const nssim_problem *p, unsigned int i, const double *r)
{
  double s = p->q[i];
  for (unsigned int k = p->row[i]; k < p->row[i + 1]; k++) s += p->value[k] * r[p->column[k]];
  return s;
}

/* The sum of |W_ij| in a row of the block: no eigenvalue of it is larger. */
static double largest(const nssim_problem *p, unsigned int from, unsigned int to)
{
  double most = 0;
  for (unsigned int i = from; i < to; i++) {
    double sum = 0;
    for (unsigned int k = p->row[i]; k < p->row[i + 1]; k++)
      if (p->column[k] >= from && p->column[k] < to) sum += fabs(p->value[k]);
    most = fmax(most, sum);
  }
  return most > 0 ? most : 1;
}

/* One visit of a block of contact; what its rows changed by. */
static double visit_contact(const nssim_problem *p, unsigned int a, double step, double *r)
{
  unsigned int at = p->first[a], d = p->first[a + 1] - at;
  int rolls = p->kind[a] == NSSIM_ROLLING, nt = rolls ? ((int)d - 1) / 2 : (int)d - 1;
  double x[5] = {0}, u[5] = {0}, change = 0;
  for (unsigned int i = 0; i < d; i++) u[i] = row_times(p, at + i, r);
  u[0] += p->mu[a] * norm(u + 1, nt) + (rolls ? p->mu_rolling[a] * norm(u + 1 + nt, nt) : 0);
  for (unsigned int i = 0; i < d; i++) x[i] = r[at + i] - step * u[i];
  if (rolls) project_two_cones(p->mu[a], p->mu_rolling[a], x, x + 1, nt, x + 1 + nt, nt);
  else {
    double factor = project_cone(p->mu[a], x, norm(x + 1, nt));
    for (int i = 1; i <= nt; i++) x[i] *= factor;
  }
  for (unsigned int i = 0; i < d; i++) {
    change = fmax(change, fabs(x[i] - r[at + i]) / step);
    r[at + i] = x[i];
  }
  return change;
}

static double visit_box(const nssim_problem *p, unsigned int a, double *r)
{
  double change = 0;
  for (unsigned int i = p->first[a]; i < p->first[a + 1]; i++) {
    double w = 0;
    for (unsigned int k = p->row[i]; k < p->row[i + 1]; k++)
      if (p->column[k] == i) w = p->value[k];
    if (!(w > 0)) continue;
    double x = clamped(r[i] - row_times(p, i, r) / w, p->lb[i], p->ub[i]);
    change = fmax(change, fabs(x - r[i]) * w);
    r[i] = x;
  }
  return change;
}

/* A step for each block. */
static size_t scratch(unsigned int n) { return n; }

static int solve(const nssim_problem *p, double *r, unsigned int *iterations, double *step)
{
  unsigned int limit = p->max_iterations ? p->max_iterations : LIMIT;
  double size = 0;
  for (unsigned int i = 0; i < p->n; i++) size = fmax(size, fabs(p->q[i]));
  for (unsigned int a = 0; a < p->blocks; a++)
    step[a] = 1 / largest(p, p->first[a], p->first[a + 1]);
  while (*iterations < limit) {
    double change = 0;
    ++*iterations;
    for (unsigned int a = 0; a < p->blocks; a++)
      change = fmax(change,
                    p->kind[a] == NSSIM_BOX ? visit_box(p, a, r) : visit_contact(p, a, step[a], r));
    /* nssim decides by its residual; a tenth of the tolerance is on the safe side */
    if (change <= 0.1 * p->tolerance * size) return 0;
  }
  return 1;
}

NSSIM_EXPORT nssim_solver_of sweeps;
const nssim_solver *sweeps(void)
{
  static const nssim_solver solver = NSSIM_SOLVER(scratch, solve);
  return &solver;
}
