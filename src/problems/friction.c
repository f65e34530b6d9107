/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/friction.h"

#include "problems/friction_work.h"

#include <float.h>
#include <math.h>
#include <string.h>

const ns_friction_solver_ops *const ns_friction_solvers[] = {&ns_friction_nsgs, NULL};

const ns_friction_solver_ops *ns_friction_solver_find(const char *name)
{
  for (int k = 0; ns_friction_solvers[k]; k++)
    if (!strcmp(ns_friction_solvers[k]->name, name)) return ns_friction_solvers[k];
  return NULL;
}

ns_friction_options ns_friction_defaults(void) { return (ns_friction_options){.tol = 1e-8, .threads = 1}; }

void ns_friction_project(int d, double mu, double *r)
{
  double t = d == 2 ? fabs(r[1]) : hypot(r[1], r[2]);
  if (t <= mu * r[0]) return;
  double n = mu * t <= -r[0] ? 0 : (r[0] + mu * t) / (1 + mu * mu);
  if (!(n > 0)) n = 0;
  r[0] = n;
  for (int k = 1; k < d; k++) r[k] = n > 0 ? mu * n * r[k] / t : 0;
}

double ns_contact_defect(int d, double mu, const double *u, const double *r)
{
  double z[3] = {0}, s = 0, t = d == 2 ? fabs(u[1]) : hypot(u[1], u[2]);
  for (int k = 0; k < d; k++) z[k] = r[k] - u[k];
  z[0] -= mu * t;
  ns_friction_project(d, mu, z);
  for (int k = 0; k < d; k++) s += (r[k] - z[k]) * (r[k] - z[k]);
  return s;
}

static double norm(size_t n, const double *x)
{
  double s = 0;
  for (size_t i = 0; i < n; i++) s += x[i] * x[i];
  return sqrt(s);
}

double ns_friction_residual(const ns_friction *p, const double *r, double *u, double *over_q)
{
  size_t d = (size_t)p->d, n = d * (size_t)p->nc;
  double s = 0;
  memcpy(u, p->q, n * sizeof *u);
  ns_blocks_gemv(1, p->W, r, u);
  for (int a = 0; a < p->nc; a++) s += ns_contact_defect(p->d, p->mu[a], u + (size_t)a * d, r + (size_t)a * d);
  double e = sqrt(s), q = norm(n, p->q), scale = fmax(q, fmax(norm(n, r), norm(n, u)));
  if (over_q) *over_q = q > DBL_MIN ? e / q : e;
  if (!(e <= DBL_MAX) || !(scale <= DBL_MAX)) return INFINITY;
  return scale > DBL_EPSILON ? e / scale : e;
}
