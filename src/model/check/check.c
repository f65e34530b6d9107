/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/check/check.h"

#include "algebra/dense.h"
#include "model/check/check_parts.h"
#include "model/check/given.h"
#include "model/check/plugin_trial.h"
#include "model/systems/lagrangian.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ns_check_bad(ns_ctx *c, const ns_place *p, const char *fmt, double found)
{
  char what[256];
  snprintf(what, sizeof what, fmt, found);
  ns_fail_at(c, NS_MODEL, p, "%s", what);
}

/* Steps that move the time, at least one of them before T. */
static void check_grid(const ns_model *m, ns_ctx *c)
{
  const ns_simulation_options *o = &m->sim;
  double span = o->T - o->t0, h = o->ts.h;
  /* told */
  if (!(span > 0) || !isfinite(span) || !(h > 0) || !isfinite(h) || span / h > 9e15) return;
  if (span < 1e-6 * h)
    ns_fail_at(c, NS_MODEL, &o->at,
               "the step h is %g s, but T - t0 is %g s, expected a step that is not longer", h,
               span);
  else if (!(fabs(o->T) * 0x1p-52 <= 0.05 * h && fabs(o->t0) * 0x1p-52 <= 0.05 * h))
    ns_fail_at(c, NS_MODEL, &o->at,
               "the step h is %g s, but times near %g s are at least %g s apart in floating "
               "point: t would not advance correctly; expected a larger step, or times closer to 0",
               h, fmax(fabs(o->t0), fabs(o->T)), fmax(fabs(o->t0), fabs(o->T)) * 0x1p-52);
}

static void check_options(const ns_model *m, ns_ctx *c)
{
  const ns_simulation_options *o = &m->sim;
  const ns_place *at = &o->at;
  if (!isfinite(o->t0)) ns_check_bad(c, at, "t0 is %g, expected a finite time in s", o->t0);
  if (!(o->T > o->t0) || !isfinite(o->T))
    ns_check_bad(c, at, "T is %g s, expected a time after t0; set T on <simulation>", o->T);
  if (!(o->ts.h > 0) || !isfinite(o->ts.h))
    ns_check_bad(c, at, "the step h is %g s, expected a positive number; set h on <TimeStepping>",
                 o->ts.h);
  else if ((o->T - o->t0) / o->ts.h > 9e15)
    ns_check_bad(c, at, "the step h is %g s: more than 9e15 steps to T; give a larger h", o->ts.h);
  check_grid(m, c);
  if (!(o->osnsp.tol > 0) || !isfinite(o->osnsp.tol))
    ns_check_bad(c, at, "the tolerance of the one-step problem is %g, expected a positive number",
                 o->osnsp.tol);
  if (!(o->osnsp.omega > 0 && o->osnsp.omega < 2))
    ns_check_bad(c, at, "omega is %g, expected a number between 0 and 2 (1: plain Gauss-Seidel)",
                 o->osnsp.omega);
  if (!(o->ts.newton_atol >= 0 && o->ts.newton_rtol >= 0 &&
        o->ts.newton_atol + o->ts.newton_rtol > 0))
    ns_check_bad(c, at,
                 "the Newton tolerances are not positive (sum %g), expected at least one positive",
                 o->ts.newton_atol + o->ts.newton_rtol);
  if (o->ts.newton_max < 1)
    ns_check_bad(c, at, "newtonMaxIterations is %g, expected at least 1", o->ts.newton_max);
}

void ns_check_moreau_jean(const ns_model *m, ns_ctx *c)
{
  const ns_simulation_options *o = &m->sim;
  const ns_place *at = &o->at;
  if (!(o->mj.theta >= 0 && o->mj.theta <= 1))
    ns_check_bad(c, at, "theta is %g, expected a number in [0, 1]; 0.5 conserves energy",
                 o->mj.theta);
  if (!(o->mj.gamma >= 0 && o->mj.gamma <= 1))
    ns_check_bad(c, at, "gamma is %g, expected a number in [0, 1]; 0.5 is the default",
                 o->mj.gamma);
  if (!(o->mj.mass_gamma >= 0 && o->mj.mass_gamma <= 1))
    ns_check_bad(c, at, "massGamma is %g, expected a number in [0, 1]; 0.5 is the default",
                 o->mj.mass_gamma);
  if (!isfinite(o->mj.threshold))
    ns_check_bad(c, at, "activationThreshold is %g, expected a finite length", o->mj.threshold);
  if (o->mj.gamma != 0.5 && strcmp(o->integrator, "MoreauJeanCombinedProjectionOSI") == 0)
    ns_check_bad(c, at,
                 "gamma of <MoreauJeanCombinedProjectionOSI> is %g, expected none: the combined "
                 "projection determines the contacts of a step itself; remove gamma",
                 o->mj.gamma);
}

/* A system's own theta is known to MoreauJeanOSI alone, and to no law or relation that takes means
 * over a step. */
static void check_own_theta(const ns_model *m, const ns_system *s, ns_ctx *c)
{
  if (!s->own_theta) return;
  if (strcmp(m->sim.integrator, "MoreauJeanOSI"))
    ns_check_bad(c, &s->at, "has its own theta, %g, which only <MoreauJeanOSI> supports; remove it",
                 s->theta);
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    int takes_means = (it->relation->flags & NS_REL_COMPLIANT) || it->law.ops->mean_slip;
    if (!takes_means) continue;
    ns_check_bad(c, &s->at,
                 "has its own theta, %g, in a model with an interaction whose relation or law "
                 "averages over a step, expected one theta for all; set it on <MoreauJeanOSI>",
                 s->theta);
    return;
  }
}

int ns_check_finite(const ns_place *at, ns_ctx *c, const double *x, size_t n, const char *name)
{
  char what[96];
  snprintf(what, sizeof what, "an entry of %s is %%g, expected finite numbers", name);
  for (size_t k = 0; x && k < n; k++)
    if (!isfinite(x[k])) {
      ns_check_bad(c, at, what, x[k]);
      return 0;
    }
  return 1;
}

void ns_check_initial(const ns_system *s, ns_ctx *c)
{
  const char *start = ns_system_is_first_order(s) ? "x0" : "q0";
  ns_check_finite(&s->at, c, s->q0, (size_t)s->nq, start);
  ns_check_finite(&s->at, c, s->v0, (size_t)s->n, "v0");
  ns_check_finite(&s->at, c, s->z0, (size_t)s->nz, "z");
}

static int not_definite(const ns_system *s, ns_ctx *c, int pivot)
{
  char buf[32];
  return ns_fail_at(
      c, NS_MODEL, &s->at,
      "the mass matrix is not positive definite at the initial position (pivot %d, coordinate "
      "%s), expected inertia in every direction; give that coordinate a positive mass",
      pivot, ns_system_coordinate(s, pivot - 1, buf, sizeof buf));
}

static double entry(const ns_operator *a, int i) { return a->how ? ns_operator_entry(a, i, i) : 0; }

/* Coordinate i has no mass, but a damper or a spring that holds it: M + h theta C + h^2 theta^2 K,
 * which is all that Moreau and Jean's scheme divides by, has an entry there. What a spring alone
 * leaves of its balance is multiplied by (theta - 1) / theta in each step. */
static int is_held_without_mass(const ns_model *m, const ns_system *s, int i, ns_ctx *c)
{
  char buf[32];
  int linear = (s->kind->flags & NS_SYS_LINEAR) != 0,
      stepping = !strcmp(m->sim.integrator, "MoreauJeanOSI");
  double theta = s->own_theta ? s->theta : m->sim.mj.theta;
  double damping = linear ? entry(&s->damping, i) : 0;
  double stiffness = linear ? entry(&s->stiffness, i) : 0;
  int held = stepping && theta > 0 && entry(&s->mass, i) == 0 && (damping > 0 || stiffness > 0);
  if (held && damping == 0 && theta <= 0.5)
    ns_warn_at(c, &s->at,
               "coordinate %s has neither mass nor damping: with theta = %g what its spring does "
               "not balance, at the start or where a force jumps, changes sign at each step and "
               "never decays, expected theta > 0.5; with 1 it is gone after one step",
               ns_system_coordinate(s, i, buf, sizeof buf), theta);
  return held;
}

/* A constant diagonal mass needs neither scratch nor factors. */
static int check_diagonal_mass(const ns_model *m, const ns_system *s, ns_ctx *c)
{
  for (int i = 0; i < s->n && s->mass.how; i++)
    if (!(entry(&s->mass, i) > 0) && !is_held_without_mass(m, s, i, c))
      return not_definite(s, c, i + 1);
  return NS_OK;
}

/* M [n*n] and work [ns_lagrangian_work] are scratch of the caller. */
static int check_mass(const ns_model *m, const ns_system *s, ns_ctx *c, double *z, double *M,
                      double *work)
{
  int n = s->n;
  if (ns_operator_is_diagonal(&s->mass)) return check_diagonal_mass(m, s, c);
  ns_point p = {.t = 0, .n = n, .q = s->q0, .v = s->v0, .nz = s->nz, .z = z, .index = s->index};
  if (s->nz) memcpy(z, s->z0, (size_t)s->nz * sizeof *z);
  int rc = ns_lagrangian_mass(s, c, &p, work, M);
  if (rc) return rc;
  double big = 0, skew = 0;
  int row = 0, col = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      double a = M[i + j * n];
      if (!isfinite(a))
        return ns_fail_at(c, NS_MODEL, &s->at,
                          "mass[%d,%d] is %g at the initial position, expected a finite number",
                          i + 1, j + 1, a);
      big = fmax(big, fabs(a));
      if (!(fabs(a - M[j + i * n]) > skew)) continue;
      skew = fabs(a - M[j + i * n]);
      row = i, col = j;
    }
  if (skew > 1e-9 * big)
    return ns_fail_at(c, NS_MODEL, &s->at,
                      "<mass>[%d,%d] is %.10g at the initial position, but <mass>[%d,%d] is "
                      "%.10g; expected a symmetric matrix",
                      row + 1, col + 1, M[row + col * n], col + 1, row + 1, M[col + row * n]);
  if ((rc = ns_dense_prepare(c, n))) return rc;
  int k = ns_dense_cholesky(n, M, n);
  return k ? not_definite(s, c, k) : NS_OK;
}

static int is_lagrangian(const ns_system *s) { return ns_system_family(s) == NS_FAMILY_LAGRANGIAN; }

static int check_systems(const ns_model *m, ns_ctx *c)
{
  size_t nn = 0, nz = 0, nw = 0;
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    if (!is_lagrangian(s)) continue;
    size_t n = (size_t)s->n, w = ns_lagrangian_work(s);
    if (n * n > nn && !ns_operator_is_diagonal(&s->mass)) nn = n * n;
    if ((size_t)s->nz > nz) nz = (size_t)s->nz;
    if (w > nw) nw = w;
  }
  double *mem = malloc((nn + nz + nw + 1) * sizeof *mem);
  if (!mem) return ns_nomem(c, "check of the mass matrices");
  for (int i = 0; i < m->nsystems; i++) {
    if (!is_lagrangian(&m->systems[i])) continue;
    ns_check_initial(&m->systems[i], c);
    check_own_theta(m, &m->systems[i], c);
    check_mass(m, &m->systems[i], c, mem + nn, mem, mem + nn + nz);
  }
  free(mem);
  return c->rc;
}

/* Before any of them is read: many interactions of large systems take hours. */
static int check_extent(const ns_model *m, ns_ctx *c)
{
  size_t n = 0;
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    n += (size_t)it->m * (size_t)it->nQ;
    if (n > NS_MODEL_H_MAX)
      return ns_fail_at(c, NS_MODEL, &it->at,
                        "with this interaction the matrices H have more than %d entries, expected "
                        "fewer; split large systems into smaller ones",
                        (int)NS_MODEL_H_MAX);
  }
  return NS_OK;
}

static int check_lagrangian(const ns_model *m, ns_ctx *c)
{
  int before = c->nerrors, rc = NS_OK;
  ns_check_moreau_jean(m, c);
  rc = check_systems(m, c);
  for (int i = 0; i < m->ninteractions; i++)
    if (ns_interaction_family(&m->interactions[i]) == NS_FAMILY_LAGRANGIAN)
      ns_check_contact(&m->interactions[i], c);
  if (!rc) rc = ns_model_body(m) ? ns_check_bodies(m, c) : ns_check_boundaries(m, c);
  if (c->nerrors == before && rc == NS_OK) rc = ns_check_gaps(m, c);
  return rc;
}

static int check_mixed(const ns_model *m, ns_ctx *c)
{
  int rc = check_lagrangian(m, c);
  return rc < 0 ? rc : ns_check_first_order(m, c);
}

int ns_model_check(const ns_model *m, ns_ctx *c)
{
  int before = c->nerrors;
  if (m->nsystems == 0)
    ns_fail(c, NS_MODEL, "%s: the model has no system, expected at least one in <systems>",
            m->name && *m->name ? m->name : "model");
  check_options(m, c);
  int rc = check_extent(m, c);
  if (!rc) rc = ns_check_family(m, c);
  if (!rc) rc = ns_try_old_plugins(m, c);
  /* what follows reads each element as its family's */
  if (rc) return c->nerrors > before ? c->rc : rc;
  static int (*const of[])(const ns_model *,
                           ns_ctx *) = {[NS_FAMILY_LAGRANGIAN] = check_lagrangian,
                                        [NS_FAMILY_FIRST_ORDER] = ns_check_first_order,
                                        [NS_FAMILY_RIGID] = ns_check_rigid,
                                        [NS_FAMILY_MIXED] = check_mixed};
  rc = of[ns_model_family(m)](m, c);
  /* where all that they read is sound */
  if (rc >= 0 && c->nerrors == before) rc = ns_check_given(m, c);
  return c->nerrors > before ? c->rc : rc;
}
