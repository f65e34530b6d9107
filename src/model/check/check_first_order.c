/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_first_order.c -- numbers of first-order systems, relations and laws. */
#include "model/check/check_parts.h"

#include "algebra/dense.h"
#include "model/systems/first_order.h"
#include "model/systems/lagrangian.h" /* ns_operator_is_diagonal */

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Larger full masses are not factored for a check. */
enum { MASS_ROWS = 500 };

/* Fail for the first entry of a constant that is not finite. */
static void check_constant(const ns_operator *o, ns_ctx *c, const ns_place *p, const char *name)
{
  size_t n = (size_t)o->rows * (o->diagonal ? 1 : (size_t)o->cols);
  if (o->how == NS_OP_CONSTANT) ns_check_finite(p, c, o->value, n, name);
}

/* ---- systems --------------------------------------------------------------------------------- */

static int singular(const ns_system *s, ns_ctx *c, int k)
{
  char buf[32];
  return ns_fail_at(
      c, NS_MODEL, &s->at,
      "the matrix M is singular at t0 (component %s), expected every component to have a rate; "
      "write an algebraic equation as an interaction with EqualityConditionNSL",
      ns_system_coordinate(s, k, buf, sizeof buf));
}

/* Divide rows, then columns, by their largest entry; the row or column that has none, or -1. */
static int equilibrate(int n, double *M)
{
  for (int by_rows = 1; by_rows >= 0; by_rows--)
    for (int i = 0; i < n; i++) {
      double big = 0, *a = by_rows ? M + i : M + (size_t)i * (size_t)n;
      size_t step = by_rows ? (size_t)n : 1;
      for (int j = 0; j < n; j++) big = fmax(big, fabs(a[(size_t)j * step]));
      if (!(big > 0)) return i;
      for (int j = 0; j < n; j++) a[(size_t)j * step] /= big;
    }
  return -1;
}

/* M [n*n], x [n], piv [n] and work are scratch. Singular to rounding: |M^-1 x| eps n > 1 for an x
 * of order 1. */
static int check_mass(const ns_system *s, ns_ctx *c, double t0, double *z, double *M, double *x,
                      int *piv, double *work)
{
  int n = s->n;
  const ns_operator *o = &s->fo.M;
  if (!o->how) return NS_OK;
  if (ns_operator_is_diagonal(o)) {
    for (int i = 0; i < n; i++)
      if (ns_operator_entry(o, i, i) == 0) return singular(s, c, i);
    return NS_OK;
  }
  if (n > MASS_ROWS) return NS_OK;
  memset(x, 0, (size_t)n * sizeof *x);
  if (s->nz) memcpy(z, s->z0, (size_t)s->nz * sizeof *z);
  ns_point p = {.t = t0, .n = n, .q = s->q0, .v = x, .nz = s->nz, .z = z, .index = s->index};
  int rc = ns_first_order_mass(s, c, &p, work, M);
  for (int i = 0; i < n * n && !rc; i++)
    if (!isfinite(M[i])) {
      ns_check_bad(c, &s->at, "an entry of M is %g at t0, expected a finite number", M[i]);
      return NS_MODEL;
    }
  if (!rc) rc = ns_dense_prepare(c, n);
  if (rc) return rc;
  int k = equilibrate(n, M);
  if (k < 0) k = ns_dense_lu(n, M, n, piv) - 1;
  if (k >= 0) return singular(s, c, k);
  for (int i = 0; i < n; i++) x[i] = 1 + (double)i / n;
  ns_dense_lu_solve(n, M, n, piv, 1, x, n);
  for (int i = 0; i < n; i++)
    if (!(fabs(x[i]) * n * DBL_EPSILON < 1)) return singular(s, c, i);
  return NS_OK;
}

static void check_operators(const ns_system *s, ns_ctx *c)
{
  const struct {
    const ns_operator *o;
    const char *name;
  } all[] = {{&s->fo.M, "M"}, {&s->fo.f, "f"}, {&s->fo.dx_f, "jacobianfx"},
             {&s->fo.A, "A"}, {&s->fo.b, "b"}, {&s->fo.T, "T"},
             {&s->fo.u, "u"}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    check_constant(all[k].o, c, &s->at, all[k].name);
}

static int check_systems(const ns_model *m, ns_ctx *c)
{
  size_t n = 1, nn = 1, nz = 0, nw = 1;
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    if (!ns_system_is_first_order(s)) continue;
    size_t ni = (size_t)s->n, w = ns_first_order_work(s);
    if (ni > n) n = ni;
    if (ni <= MASS_ROWS && ni * ni > nn && s->fo.M.how && !ns_operator_is_diagonal(&s->fo.M))
      nn = ni * ni;
    if ((size_t)s->nz > nz) nz = (size_t)s->nz;
    if (w > nw) nw = w;
  }
  double *mem = malloc((nn + n + nz + nw) * sizeof *mem);
  int *piv = malloc(n * sizeof *piv);
  int rc = mem && piv ? NS_OK : ns_nomem(c, "check of the matrices M");
  for (int i = 0; i < m->nsystems && !rc; i++) {
    int before = c->nerrors;
    if (!ns_system_is_first_order(&m->systems[i])) continue;
    ns_check_initial(&m->systems[i], c);
    check_operators(&m->systems[i], c);
    if (c->nerrors == before)
      check_mass(&m->systems[i], c, m->sim.t0, mem + nn + n, mem, mem + nn, piv, mem + nn + n + nz);
  }
  free(mem);
  free(piv);
  return rc;
}

/* ---- interactions ---------------------------------------------------------------------------- */

static void check_relation(const ns_interaction *it, ns_ctx *c)
{
  const ns_first_order_relation *o = &it->fo;
  const struct {
    const ns_operator *o;
    const char *name;
  } all[] = {{&o->C, "C"}, {&o->D, "D"}, {&o->B, "B"}, {&o->F, "F"},
             {&o->e, "e"}, {&o->h, "h"}, {&o->g, "g"}, {&o->K, "K"}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    check_constant(all[k].o, c, &it->at, all[k].name);
}

/* ---- scheme ---------------------------------------------------------------------------------- */

static int has_zero_row(const ns_operator *D, int m)
{
  for (int i = 0; i < m && D->how == NS_OP_CONSTANT; i++) {
    int zero = 1;
    for (int j = 0; j < m; j++) zero = zero && ns_operator_entry(D, i, j) == 0;
    if (zero) return 1;
  }
  return D->how == NS_OP_ABSENT;
}

static void check_euler_moreau(const ns_model *m, ns_ctx *c)
{
  const ns_euler_moreau_options *o = &m->sim.em;
  if (!(o->theta >= 0 && o->theta <= 1))
    ns_check_bad(c, &m->sim.at, "theta is %g, expected a number in [0, 1]; 1 is the default",
                 o->theta);
  if (!(o->gamma >= 0 && o->gamma <= 1))
    ns_check_bad(c, &m->sim.at, "gamma is %g, expected a number in [0, 1]; 1 is the default",
                 o->gamma);
  for (int i = 0; i < m->ninteractions && o->gamma == 0; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (!(ns_relation_present(it) & NS_RELATION_D) || has_zero_row(&it->fo.D, it->m)) {
      ns_warn_at(c, &it->at,
                 "with gamma = 0 lambda of a step acts on y only through D, and D has a row of "
                 "zeros here: the one-step problem has no solution as soon as that y reaches its "
                 "bound; use gamma > 0");
      return;
    }
  }
}

static int is_held(const ns_model *m, const ns_system *s)
{
  const ns_integrator_use *u = ns_model_integrator(m, s);
  return ns_system_is_first_order(s) &&
         !strcmp(u ? u->name : m->sim.integrator, "ZeroOrderHoldOSI");
}

static void check_hold(const ns_model *m, ns_ctx *c)
{
  for (int i = 0; i < m->nsystems; i++)
    if (is_held(m, &m->systems[i]) && !(m->systems[i].kind->flags & NS_SYS_LINEAR))
      ns_fail_at(c, NS_MODEL, &m->systems[i].at,
                 "ZeroOrderHoldOSI integrates linear systems and this is a %s, expected "
                 "<EulerMoreauOSI theta=\"1\"/>, or a <FirstOrderLinearDS>",
                 m->systems[i].kind->name);
  int alone = ns_model_is_first_order(m) && !strcmp(m->sim.integrator, "ZeroOrderHoldOSI");
  for (int i = 0; i < m->ninteractions && alone; i++)
    if (!ns_relation_is_linear(&m->interactions[i]))
      ns_fail_at(c, NS_MODEL, &m->interactions[i].at,
                 "ZeroOrderHoldOSI supports linear relations and %s is not linear, expected "
                 "<EulerMoreauOSI theta=\"1\"/>, or a <FirstOrderLinearR>",
                 m->interactions[i].relation->name);
}

/* ---- relative degree ------------------------------------------------------------------------- */

/* acted[d]: some input acts on x[d]; with a full M on its whole system. */
static void mark_inputs(const ns_model *m, unsigned char *acted)
{
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (!ns_interaction_is_first_order(it)) continue;
    const ns_operator *B = &it->fo.B;
    for (int k = 0, row = 0; k < it->nsystems; k++) {
      const ns_system *s = &m->systems[it->systems[k]];
      int any = 0;
      for (int a = 0; a < s->n; a++, row++) {
        int acts = B->how != NS_OP_CONSTANT && ns_relation_present(it) & NS_RELATION_B;
        for (int j = 0; j < it->m && !acts && B->how == NS_OP_CONSTANT; j++)
          acts = ns_operator_entry(B, row, j) != 0;
        /* what pushes a coordinate changes its velocity, not its place */
        if (acts && ns_system_is_first_order(s)) acted[s->q + (size_t)a] = 1;
        any = any || acts;
      }
      int first = ns_system_is_first_order(s);
      if (any && first && !ns_operator_is_diagonal(&s->fo.M)) memset(acted + s->q, 1, (size_t)s->n);
    }
  }
}

/* Row r of a relation with constant C and D sees neither lambda nor an x that an input acts on. */
static int out_of_reach(const ns_model *m, const ns_interaction *it, int r,
                        const unsigned char *acted)
{
  const ns_operator *C = &it->fo.C, *D = &it->fo.D;
  if (C->how != NS_OP_CONSTANT || D->how > NS_OP_CONSTANT || !ns_relation_is_linear(it) ||
      ns_operator_foreign(&it->fo.e))
    return 0;
  for (int j = 0; j < it->m && D->how; j++)
    if (ns_operator_entry(D, r, j) != 0) return 0;
  for (int k = 0, col = 0; k < it->nsystems; k++) {
    const ns_system *s = &m->systems[it->systems[k]];
    for (int a = 0; a < s->n; a++, col++)
      if (ns_operator_entry(C, r, col) != 0 && acted[s->q + (size_t)a]) return 0;
  }
  return 1;
}

/* A row whose lambda is not bounded has to keep y at its bound, and cannot within a step: relative
 * degree 2 or more. */
static int check_degree(const ns_model *m, ns_ctx *c)
{
  unsigned char *acted = calloc(m->nq + 1, 1);
  if (!acted) return ns_nomem(c, "check of the relations");
  mark_inputs(m, acted);
  for (int i = 0, said = 0; i < m->ninteractions && said < 5; i++) {
    const ns_interaction *it = &m->interactions[i];
    for (int r = 0;
         r < it->m && ns_interaction_is_first_order(it) && ns_law_is_box(it->law.ops) && said < 5;
         r++) {
      if (ns_law_is_bounded(&it->law, r) || !out_of_reach(m, it, r, acted)) continue;
      said++;
      ns_warn_at(c, &it->at,
                 "no lambda acts on y[%d], nor on its rate, expected a relative degree of 0 or 1: "
                 "when y reaches its bound the state jumps, and the jump grows as h decreases; a "
                 "mechanical stop is a <NewtonImpactNSL> of a Lagrangian system",
                 r);
    }
  }
  free(acted);
  return NS_OK;
}

int ns_check_first_order(const ns_model *m, ns_ctx *c)
{
  int before = c->nerrors, rc = check_systems(m, c);
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (!ns_interaction_is_first_order(it)) continue;
    check_relation(it, c);
    it->law.ops->check(&it->law, it->m, &it->at, c);
  }
  if (!strcmp(m->sim.integrator, "EulerMoreauOSI")) check_euler_moreau(m, c);
  if (!m->sim.event_driven) check_hold(m, c);
  if (!rc && c->nerrors == before) rc = check_degree(m, c);
  return rc;
}
