/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/contacts_parts.h"

#include "model/laws/problem.h"
#include "problems/box/row.h"

#include <float.h>
#include <math.h>

/* ---- creation -------------------------------------------------------------------------------- */

/* Velocities and impulses in one problem, or the rows alone. */
static int get_together(ns_contacts *k, ns_ctx *c)
{
  ns_lcp_options opt = ns_row_problem_options(k->m);
  if (k->rows_only) return NS_OK;
  return ns_unreduced_contacts_create(c, k->m, &k->H, k->lb, k->ub, &opt, &k->unreduced);
}

/* Arrays of the problem of the active rows, of which k->D has nnz entries. */
static int get_active(ns_contacts *k)
{
  ns_active_problem *o = k->few;
  size_t n = (size_t)k->n, nu = (size_t)k->na, d = sizeof(double);
  size_t nnz = (size_t)k->D.row[k->nrows];
  const ns_array want[] = {{&o->A.dim, n, sizeof(int)},
                           {&o->A.first, n, sizeof(int)},
                           {&o->A.row, n, sizeof(int)},
                           {&o->A.col, nnz, sizeof(int)},
                           {&o->A.off, nnz, sizeof *o->A.off},
                           {&o->unit, nu, sizeof *o->unit},
                           {&o->unit_of, n, sizeof(int)},
                           {&o->same, n, sizeof(int)},
                           {&o->lb, n, d},
                           {&o->ub, n, d},
                           {&o->mu, nu, d},
                           {&o->mu_rolling, nu, d}};
  ns_arena_destroy(o->mem);
  o->mem = ns_arena_create(0, 1);
  if (!o->mem || ns_arena_arrays(o->mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  o->A.nb = o->A.m = k->n;
  for (size_t e = 0; e < nnz; e++) {
    o->A.col[e] = k->position[k->D.col[e]];
    o->A.off[e] = e;
  }
  for (int i = 0; i < k->n; i++) {
    o->same[i] = o->A.first[i] = i;
    o->A.dim[i] = 1;
    o->A.row[i + 1] = k->D.row[k->active[i] + 1];
  }
  o->A.first[k->n] = k->n;
  for (int a = 0; a < k->na; a++) {
    o->unit[a] = k->unit[k->active_unit[a]];
    o->unit[a].first = k->position[o->unit[a].first];
    for (int r = 0; r < o->unit[a].rows; r++) o->unit_of[o->unit[a].first + r] = a;
  }
  return NS_OK;
}

static void take_values(ns_contacts *k)
{
  ns_active_problem *o = k->few;
  o->A.val = k->D.val;
  for (int i = 0; i < k->n; i++) {
    o->lb[i] = k->lb[k->active[i]];
    o->ub[i] = k->ub[k->active[i]];
  }
  for (int a = 0; a < k->na; a++) {
    o->mu[a] = k->mu[k->active_unit[a]];
    o->mu_rolling[a] = k->mu_rolling[k->active_unit[a]];
  }
}

/* The problem of the active rows, with a solver of its own. */
static int make_active(ns_contacts *k, ns_ctx *c)
{
  ns_active_problem *o = k->few;
  ns_row_solver_destroy(&k->p.solver);
  k->p = (ns_row_problem){.m = k->m};
  if (get_active(k)) return NS_NOMEM;
  take_values(k);
  o->layout = k->layouts;
  k->p = (ns_row_problem){.m = k->m,
                          .mem = o->mem,
                          .nrows = k->n,
                          .nunits = k->na,
                          .A = &o->A,
                          .unit = o->unit,
                          .unit_of = o->unit_of,
                          .lb = o->lb,
                          .ub = o->ub,
                          .mu = o->mu,
                          .mu_rolling = o->mu_rolling,
                          .lcp = k->problem == NS_CONTACT_LCP,
                          .symmetric = o->symmetric,
                          .mechanical = k->problem == NS_CONTACT_MECHANICAL};
  return ns_row_problem_create(&k->p, c);
}

static int begin_active(ns_contacts *k, ns_ctx *c, int symmetric)
{
  k->few = ns_arena_zero(k->mem, 1, sizeof *k->few);
  if (!k->few) return NS_NOMEM;
  k->few->symmetric = symmetric;
  return make_active(k, c);
}

void ns_contacts_free_problem(ns_contacts *k)
{
  ns_row_solver_destroy(&k->p.solver);
  if (k->few) ns_arena_destroy(k->few->mem);
}

int ns_contacts_get_problem(ns_contacts *k, ns_ctx *c, int symmetric)
{
  if (k->together) return get_together(k, c);
  if (k->by_active) return begin_active(k, c, symmetric);
  k->p = (ns_row_problem){.m = k->m,
                          .mem = k->mem,
                          .nrows = k->nrows,
                          .nunits = k->nunits,
                          .A = &k->D,
                          .unit = k->unit,
                          .unit_of = k->unit_of,
                          .lb = k->lb,
                          .ub = k->ub,
                          .mu = k->mu,
                          .mu_rolling = k->mu_rolling,
                          .lcp = k->problem == NS_CONTACT_LCP,
                          .symmetric = symmetric};
  int rc = ns_row_problem_create(&k->p, c);
  k->direct = k->plain && k->p.dense && k->p.solver.box == ns_lcp_solvers[0]; /* "auto" */
  return rc;
}

/* ---- the problem of a step ------------------------------------------------------------------- */

static inline ns_part_taken taking_part(const ns_contacts *k)
{
  const int *same = k->by_active ? k->few->same : NULL;
  if (same)
    return (ns_part_taken){.n = k->n, .nunits = k->na, .row = same, .position = same, .unit = same};
  return (ns_part_taken){.n = k->n,
                         .nunits = k->na,
                         .row = k->active,
                         .position = k->position,
                         .unit = k->active_unit};
}

static void gather(ns_contacts *k)
{
  ns_part_taken p = taking_part(k);
  if (k->by_active) k->few->posed = 0; /* where it is solved: in a motion it is not */
  else if (!k->together) ns_row_problem_gather(&k->p, &p);
  k->gather = 0;
}

static int pose(ns_contacts *k, ns_ctx *c)
{
  int rc = k->few->layout == k->layouts ? NS_OK : make_active(k, c);
  if (rc == NS_NOMEM) ns_nomem(c, "contacts: the problem of active rows");
  if (rc) return rc;
  ns_part_taken p = taking_part(k);
  take_values(k);
  ns_row_problem_gather(&k->p, &p);
  k->few->posed = 1;
  return NS_OK;
}

/* q that is rounding of its terms is zero: redundant rows would contradict each other in it, and a
 * residual relative to it would ask what no solver can give. */
static double without_rounding(const ns_contacts *k, int r, const ns_state *x, const double *vfree,
                               double q)
{
  double size = fabs(k->restitution[r] * x->ydot[r]) + fabs(k->shift[r]);
  const double *val = ns_contacts_push(k, r);
  for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++) size += fabs(val[e] * vfree[k->H.dof[e]]);
  return fabs(q) <= 16 * DBL_EPSILON * size ? 0 : q;
}

/* The matrix of the problem as W has changed, or the active set. */
static void renew(ns_contacts *k, int changed)
{
  if (changed & NS_W_CONSTANT || (changed && k->n > 0)) {
    if (!k->together) ns_contacts_refresh(k, changed & NS_W_CONSTANT);
    k->gather = 1;
  }
  if (k->gather && k->n > 0) gather(k);
}

/* Bonds: q of r + c, and the guess of it. */
static void pull(ns_contacts *k)
{
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    k->z[i] += k->tension[r];
    for (int b = k->D.row[r]; b < k->D.row[r + 1]; b++)
      if (k->position[k->D.col[b]] >= 0) k->q[i] -= k->D.val[b] * k->tension[k->D.col[b]];
  }
}

void ns_contacts_assemble(ns_contacts *k, const ns_state *x, const double *vfree, int changed)
{
  if (k->nmoving && k->n > 0) changed |= NS_W_ITERATE;
  if (changed || k->gather) renew(k, changed);
  const int *ptr = k->H.ptr, *dof = k->H.dof;
  for (int i = 0, n = k->n; i < n; i++) {
    int r = k->active[i];
    const double *val = ns_contacts_push(k, r);
    double u = val == k->H.val ? 0 : k->turn[r];
    for (int e = ptr[r], end = ptr[r + 1]; e < end; e++) u += val[e] * vfree[dof[e]];
    k->q[i] = u + k->restitution[r] * x->ydot[r];
  }
  if (k->plain) return;
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    if (k->unit[k->unit_of[r]].kind == NS_UNIT_COMPLIANT)
      k->q[i] = k->constant[r] + k->factor[r] * k->q[i];
    else k->q[i] = without_rounding(k, r, x, vfree, k->q[i] + k->shift[r]);
  }
  if (k->tension && !k->rows_only) pull(k);
}

int ns_contacts_solve(ns_contacts *k, ns_ctx *c, ns_outcome *out)
{
  if (k->n == 0) {
    *out = (ns_outcome){.kind = NS_SOLVED, .solver = "none"};
    return NS_OK;
  }
  if (k->unreduced)
    return ns_unreduced_contacts_solve(k->unreduced, c, k->h, k->active, k->n, k->q, k->lb, k->ub,
                                       k->z, k->w, out);
  int rc = k->by_active && !k->few->posed ? pose(k, c) : NS_OK;
  if (rc) return rc;
  ns_part_taken p = taking_part(k);
  rc = ns_row_problem_solve(&k->p, c, &p, k->q, k->z, k->w, out);
  for (int i = 0; i < k->n && k->tension; i++) k->z[i] -= k->tension[k->active[i]];
  return rc;
}

int ns_contacts_solve_other(ns_contacts *k, ns_ctx *c, const double *q, double *z, double *w,
                            ns_outcome *out)
{
  ns_part_taken p = taking_part(k);
  return ns_row_problem_solve(&k->p, c, &p, q, z, w, out);
}

/* One active row, as the solver would have it; 0 where that is not so easy. */
static inline int act_on_one(ns_contacts *k, const ns_state *x, double *v, ns_outcome *out)
{
  int r = k->active[0], begin = k->H.ptr[r], end = k->H.ptr[r + 1];
  double u = 0, z;
  for (int e = begin; e < end; e++) u += k->H.val[e] * v[k->H.dof[e]];
  k->q[0] = u + k->restitution[r] * x->ydot[r];
  if (!ns_lcp_one(k->p.full[0], k->q[0], k->m->sim.osnsp.tol, k->z, k->w, &out->residual)) return 0;
  out->kind = NS_SOLVED;
  out->iterations = 0;
  if ((z = k->z[0]) == 0) return 1;
  for (int e = k->G.ptr[r], last = k->G.ptr[r + 1]; e < last; e++)
    v[k->G.dof[e]] += k->G.val[e] * z;
  return 1;
}

int ns_contacts_act(ns_contacts *k, ns_ctx *c, const ns_state *x, double *v, ns_outcome *out)
{
  if (k->gather) renew(k, 0);
  if (k->direct && k->n == 1 && act_on_one(k, x, v, out)) return NS_OK;
  ns_contacts_assemble(k, x, v, 0);
  int rc = ns_contacts_solve(k, c, out);
  if (!rc && out->kind == NS_SOLVED) ns_contacts_apply(k, v);
  return rc;
}
