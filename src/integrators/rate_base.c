/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/rate_base.h"

#include "algebra/dense.h"
#include "algebra/vector.h"
#include "model/check/diagnose.h"
#include "model/systems/first_order.h"
#include "model/systems/lagrangian.h" /* ns_operator_is_diagonal */

#include <math.h>
#include <string.h>

/* The point of a system at rates v [nv] and states q [nq]. */
static ns_point point_of(const rate_base *o, const ns_system *s, double t, const double *q,
                         const double *v)
{
  double *z = o->x->z;
  return ns_system_point_among(s, t, q, v, z, (ns_others){q, v, z, o->x->angle});
}

/* ---- masses ---------------------------------------------------------------------------------- */

static int reads_z(const ns_system *s)
{
  const ns_operator *all[] = {&s->fo.f, &s->fo.A, &s->fo.b, &s->fo.T, &s->fo.u};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    const ns_foreign *others = ns_operator_foreign(all[k]);
    if (s->nz && all[k]->how > NS_OP_CONSTANT && all[k]->uses >> NS_BANK_Z & 1u) return 1;
    for (int j = 0; others && j < others->n; j++)
      if (others->of[j].bank == NS_BANK_Z) return 1;
  }
  return 0;
}

static int factor_mass(rate_base *o, ns_ctx *c, int s, double t)
{
  const ns_system *sys = &o->m->systems[s];
  rate_system *k = &o->sys[s];
  ns_point p = {.t = t, .n = sys->n, .nz = sys->nz, .index = sys->index};
  if (o->x) p = point_of(o, sys, t, o->q, o->v);
  int rc = ns_first_order_mass(sys, c, &p, o->work, k->LU);
  if (rc) return rc;
  int pivot = ns_dense_lu(sys->n, k->LU, sys->n, k->piv);
  return pivot ? ns_rate_base_singular(o, c, s, pivot, "the matrix M") : NS_OK;
}

static rate_mass kind_of(const ns_operator *M)
{
  if (!M->how) return MASS_IDENTITY;
  return M->how > NS_OP_CONSTANT      ? MASS_MOVING
         : ns_operator_is_diagonal(M) ? MASS_DIAGONAL
                                      : MASS_FULL;
}

static void classify(rate_base *o, int s)
{
  const ns_system *sys = &o->m->systems[s];
  rate_system *k = &o->sys[s];
  k->reads_z = reads_z(sys);
  o->reads_z |= k->reads_z;
  k->mass = kind_of(&sys->fo.M);
  if (k->mass > MASS_DIAGONAL) o->diagonal = 0;
  for (int i = 0; i < sys->n; i++)
    o->inverse[sys->v + (size_t)i] = k->mass == MASS_DIAGONAL
                                         ? 1 / ns_operator_entry(&sys->fo.M, i, i)
                                         : 1;
}

static int make_mass(rate_base *o, ns_ctx *c, int s)
{
  rate_system *k = &o->sys[s];
  size_t n = (size_t)o->m->systems[s].n;
  if (k->mass <= MASS_DIAGONAL) return NS_OK;
  k->LU = ns_arena_zero(o->mem, n * n, sizeof(double));
  k->piv = ns_arena_zero(o->mem, n, sizeof(int));
  if (!k->LU || !k->piv) return ns_nomem(c, "integrator");
  int rc = ns_dense_prepare(c, (int)n);
  return rc || k->mass == MASS_MOVING ? rc : factor_mass(o, c, s, o->m->sim.t0);
}

int ns_rate_base_masses(rate_base *o, ns_ctx *c, const ns_blocks *M)
{
  int rc = NS_OK;
  if (M && !o->diagonal) {
    if ((rc = ns_sparse_factor_create(c, M, 0, &o->sparse))) return rc;
    if (ns_sparse_factor_numeric(o->sparse, M, NULL, NULL, NULL, NULL) == 0) return NS_OK;
    ns_sparse_factor_destroy(o->sparse); /* it wants pivots */
    o->sparse = NULL;
  }
  for (int i = 0; i < o->m->nsystems && !rc; i++)
    if (ns_system_is_first_order(&o->m->systems[i])) rc = make_mass(o, c, i);
  return rc;
}

/* ---- life ------------------------------------------------------------------------------------ */

int ns_rate_base_init(rate_base *o, ns_ctx *c, const ns_model *m)
{
  size_t nw = 1;
  *o = (rate_base){.m = m, .mem = ns_arena_create(0, 1)};
  if (!o->mem) return ns_nomem(c, "integrator");
  for (int i = 0; i < m->nsystems; i++) {
    size_t w = ns_system_is_first_order(&m->systems[i]) ? ns_first_order_work(&m->systems[i]) : 0;
    if (w > nw) nw = w;
  }
  const ns_array want[] = {{&o->sys, (size_t)m->nsystems, sizeof *o->sys},
                           {&o->fz, m->nv, sizeof(double)},
                           {&o->z, m->nz, sizeof(double)},
                           {&o->zk, m->nz, sizeof(double)},
                           {&o->work, nw, sizeof(double)},
                           {&o->inverse, m->nv, sizeof(double)}};
  if (ns_arena_arrays(o->mem, want, sizeof want / sizeof *want)) return ns_nomem(c, "integrator");
  o->diagonal = 1;
  for (int i = 0; i < m->nsystems; i++) {
    if (ns_system_is_first_order(&m->systems[i])) classify(o, i);
    else o->diagonal = 0; /* the vectors have entries of others */
  }
  return NS_OK;
}

void ns_rate_base_fini(rate_base *o)
{
  ns_sparse_factor_destroy(o->sparse);
  ns_arena_destroy(o->mem);
}

/* ---- faults ---------------------------------------------------------------------------------- */

/* Restore the user vectors, and fail with a message that names the first entry that is not
 * finite. */
static int blame(const rate_base *o, ns_ctx *c, const double *q, const double *f, const double *v)
{
  const ns_state *x = o->x;
  ns_moment at = {.from = *x->t,
                  .t = o->t1,
                  .q = q,
                  .v = x->v,
                  .z = x->z,
                  .lambda = x->lambda,
                  .q0 = x->q,
                  .v0 = x->v};
  ns_rate_base_put_back(o);
  int rc = ns_fail_function(c, o->m, &at);
  at.v = v;
  at.force = f;
  if (!rc) rc = ns_fail_coordinate(c, o->m, &at);
  return rc ? rc : ns_fail_overflow(c, o->m, &at);
}

int ns_rate_base_singular(const rate_base *o, ns_ctx *c, int s, int pivot, const char *what)
{
  char name[32];
  const ns_system *sys = &o->m->systems[s];
  return ns_fail_at(c, NS_NUMERIC, &sys->at,
                    "%s is singular at t = %.10g s (pivot %d, component %s), h = %g s; check M "
                    "and the Jacobian there, or use another h",
                    what, o->x ? o->t1 : o->m->sim.t0, pivot,
                    ns_system_coordinate(sys, pivot - 1, name, sizeof name), o->h);
}

/* ---- the state ------------------------------------------------------------------------------- */

/* v = M(t)^-1 (f + r) of system s; vectors [nq]. */
static int rate_of(rate_base *o, ns_ctx *c, int s, double t, const double *f, const double *r,
                   double *v)
{
  const ns_system *sys = &o->m->systems[s];
  const rate_system *k = &o->sys[s];
  for (size_t i = sys->v; i < sys->v + (size_t)sys->n; i++) v[i] = o->inverse[i] * (f[i] + r[i]);
  if (k->mass <= MASS_DIAGONAL) return NS_OK;
  int rc = k->mass == MASS_MOVING ? factor_mass(o, c, s, t) : NS_OK;
  if (!rc) ns_dense_lu_solve(sys->n, k->LU, sys->n, k->piv, 1, v + sys->v, sys->n);
  return rc;
}

int ns_rate_base_rate(rate_base *o, ns_ctx *c, double t, const double *f, const double *r,
                      double *v)
{
  int rc = NS_OK;
  if (!o->diagonal && !o->sparse) {
    for (int i = 0; i < o->m->nsystems && !rc; i++)
      if (ns_system_is_first_order(&o->m->systems[i])) rc = rate_of(o, c, i, t, f, r, v);
    return rc;
  }
  if (o->sparse) {
    ns_linear_sum(o->m->nv, f, 1, r, v);
    ns_sparse_factor_solve(o->sparse, v);
    return NS_OK;
  }
  for (size_t i = 0; i < o->m->nv; i++) v[i] = o->inverse[i] * (f[i] + r[i]);
  return NS_OK;
}

static void take(rate_base *o, const ns_state *x)
{
  o->x = x;
  o->q = x->q;
  o->v = x->v;
}

static int field(rate_base *o, ns_ctx *c, const ns_system *s, const ns_state *x, double *f)
{
  ns_point p = point_of(o, s, *x->t, x->q, x->v);
  return ns_first_order_field(s, c, &p, o->work, f + s->v);
}

/* A control reads the rate: the first one is that without it. */
static int rate_without_control(rate_base *o, ns_ctx *c, int i, ns_state *x)
{
  ns_system bare = o->m->systems[i];
  if (!bare.fo.u.how) return NS_OK;
  bare.fo.u.how = NS_OP_ABSENT;
  int rc = field(o, c, &bare, x, x->f);
  return rc ? rc : rate_of(o, c, i, *x->t, x->f, x->p, x->v);
}

int ns_rate_base_start(rate_base *o, ns_ctx *c, ns_state *x)
{
  const ns_model *m = o->m;
  int rc = NS_OK;
  take(o, x);
  o->t1 = *x->t;
  o->h = 0;
  for (int i = 0; i < m->nsystems && !rc && *x->step == 0; i++) {
    if (!ns_system_is_first_order(&m->systems[i])) continue;
    rc = rate_without_control(o, c, i, x);
    if (!rc) rc = field(o, c, &m->systems[i], x, x->f);
  }
  if (!rc && *x->step == 0) rc = ns_rate_base_rate(o, c, *x->t, x->f, x->p, x->v);
  if (m->nz) memcpy(o->z, x->z, m->nz * sizeof *o->z);
  double sum = 0;
  for (size_t i = 0; i < m->nv; i++) sum += 0 * x->v[i];
  return rc ? rc : sum == 0 ? NS_OK : blame(o, c, x->q, x->f, x->v);
}

int ns_rate_base_begin(rate_base *o, ns_ctx *c, const ns_state *x, double t1, double h)
{
  const ns_model *m = o->m;
  take(o, x);
  o->t1 = t1;
  o->h = h;
  o->fk = x->f;
  if (m->nz) memcpy(o->zk, x->z, m->nz * sizeof *o->z);
  if (!o->reads_z || !memcmp(o->z, x->z, m->nz * sizeof *o->z)) return NS_OK;
  memcpy(o->fz, x->f, m->nv * sizeof *o->fz);
  o->fk = o->fz;
  int rc = NS_OK;
  for (int i = 0; i < m->nsystems && !rc; i++)
    if (o->sys[i].reads_z) rc = field(o, c, &m->systems[i], x, o->fz);
  return rc;
}

void ns_rate_base_put_back(const rate_base *o)
{
  if (o->m->nz && o->h > 0) memcpy(o->x->z, o->zk, o->m->nz * sizeof *o->zk);
}
