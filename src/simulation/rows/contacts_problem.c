/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/contacts_parts.h"

#include "algebra/dense.h"
#include "model/laws/problem.h"
#include "problems/box/row.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Up to so many rows a dense problem is smaller and faster than a sparse one, and needs no library.
 */
enum { DENSE_ROWS = NS_DENSE_SMALL };

/* ---- memory ---------------------------------------------------------------------------------- */

/* Blocks by units: their structure follows from that of D, whose rows of one unit have the same
 * columns. */
static int unit_blocks(ns_contacts *k, ns_blocks *B)
{
  size_t nu = (size_t)k->nunits, pairs = 0;
  for (int a = 0; a < k->nunits; a++)
    for (int b = k->D.row[k->unit[a].first]; b < k->D.row[k->unit[a].first + 1]; b++)
      pairs += k->unit[k->unit_of[k->D.col[b]]].first == k->D.col[b];
  *B = (ns_blocks){.nb = k->nunits, .m = k->nrows};
  B->dim = ns_arena_get(k->mem, nu + 1, sizeof *B->dim);
  B->first = ns_arena_get(k->mem, nu + 1, sizeof *B->first);
  B->row = ns_arena_get(k->mem, nu + 1, sizeof *B->row);
  B->col = ns_arena_get(k->mem, pairs + 1, sizeof *B->col);
  B->off = ns_arena_get(k->mem, pairs + 1, sizeof *B->off);
  B->val = ns_arena_zero(k->mem, (nu ? (size_t)k->D.row[k->nrows] : 0) + 1, sizeof *B->val);
  return B->dim && B->first && B->row && B->col && B->off && B->val ? NS_OK : NS_NOMEM;
}

/* The units in list[0..n) with their values of D. */
static void gather_units(ns_contacts *k, ns_blocks *B, const int *list, int n)
{
  int at = 0, first = 0;
  size_t off = 0;
  for (int i = 0; i < n; i++) {
    B->dim[i] = k->unit[list[i]].rows;
    B->first[i] = first;
    k->place[list[i]] = i;
    first += B->dim[i];
  }
  for (int i = 0; i < n; i++) {
    const ns_unit *u = &k->unit[list[i]];
    int row = k->D.row[u->first], end = k->D.row[u->first + 1];
    B->row[i] = at;
    for (int b = row; b < end; b++) {
      int v = k->unit_of[k->D.col[b]], rows = k->unit[v].rows;
      if (k->unit[v].first != k->D.col[b] || k->place[v] < 0) continue;
      B->col[at] = k->place[v];
      B->off[at++] = off;
      for (int c = 0; c < rows; c++)
        for (int r = 0; r < u->rows; r++)
          B->val[off++] = k->D.val[k->D.row[u->first + r] + (b - row) + c];
    }
  }
  B->row[n] = at;
  B->first[n] = first;
  B->nb = n;
  B->m = first;
  for (int i = 0; i < n; i++) k->place[list[i]] = -1;
}

int ns_contacts_get_problem(ns_contacts *k, ns_ctx *c)
{
  char at[512];
  const ns_problem_options *o = &k->m->sim.osnsp;
  size_t n = (size_t)k->nrows, nnz = n && !k->together ? (size_t)k->D.row[n] : 0;
  int rc = NS_OK;
  k->dense = k->problem != NS_CONTACT_MECHANICAL && !k->together &&
             (o->storage == NS_STORAGE_DENSE ||
              (o->storage == NS_STORAGE_AUTO && k->nrows <= DENSE_ROWS));
  if (k->dense && n * n > NS_ROWS_PAIRS)
    return ns_fail(c, NS_MODEL,
                   "%s: a dense problem of %zu rows has more than %d entries, expected fewer; "
                   "remove storage=\"dense\"",
                   ns_place_text(&k->m->sim.at, at, sizeof at), n, (int)NS_ROWS_PAIRS);
  if (k->problem == NS_CONTACT_MECHANICAL && !k->together) rc = unit_blocks(k, &k->sub);
  else if (!k->dense) rc = ns_rows_matrix(k->mem, k->nrows, nnz, &k->sub);
  else if (!(k->full = ns_arena_zero(k->mem, n * n, sizeof *k->full))) rc = NS_NOMEM;
  k->q = ns_arena_zero(k->mem, n, sizeof *k->q);
  k->z = ns_arena_zero(k->mem, n, sizeof *k->z);
  k->w = ns_arena_zero(k->mem, n, sizeof *k->w);
  k->place = ns_arena_get(k->mem, n + 1, sizeof *k->place);
  for (size_t i = 0; k->place && i <= n; i++) k->place[i] = -1;
  return rc || !k->q || !k->z || !k->w || !k->place ? NS_NOMEM : NS_OK;
}

/* ---- solvers --------------------------------------------------------------------------------- */

static int unknown_solver(const ns_contacts *k, ns_ctx *c)
{
  char at[512];
  return ns_fail(c, NS_MODEL,
                 "%s: solver is \"%s\", which does not support %s, expected one of those that "
                 "`nssim list solvers` lists for it",
                 ns_place_text(&k->m->sim.at, at, sizeof at), k->m->sim.osnsp.solver,
                 ns_model_problem(k->m));
}

static int get_lcp(ns_contacts *k, ns_ctx *c, int symmetric, const ns_lcp_options *opt)
{
  ns_lcp_capacity cap = {.n = k->nrows,
                         .nnz = k->nrows ? (size_t)k->D.row[k->nrows] : 0,
                         .structure = k->dense ? NULL : &k->D,
                         .symmetric = symmetric};
  if (k->dense) cap.nnz = (size_t)k->nrows * (size_t)k->nrows;
  if (!(k->lcp_ops = ns_lcp_solver_find(k->m->sim.osnsp.solver))) return unknown_solver(k, c);
  k->direct = k->plain && k->dense && k->lcp_ops == ns_lcp_solvers[0]; /* "auto" */
  return k->lcp_ops->create(c, &cap, opt, &k->solver);
}

static int get_avi(ns_contacts *k, ns_ctx *c, int symmetric, const ns_lcp_options *opt)
{
  ns_avi_capacity cap = {.n = k->nrows,
                         .nnz = k->nrows ? (size_t)k->D.row[k->nrows] : 0,
                         .structure = k->dense ? NULL : &k->D,
                         .lb = k->lb,
                         .ub = k->ub,
                         .symmetric = symmetric,
                         .varies = k->m->values != NULL};
  if (k->dense) cap.nnz = (size_t)k->nrows * (size_t)k->nrows;
  if (!(k->avi_ops = ns_avi_solver_find(k->m->sim.osnsp.solver))) return unknown_solver(k, c);
  return k->avi_ops->create(c, &cap, opt, &k->solver);
}

static int get_mechanical(ns_contacts *k, ns_ctx *c, int symmetric, const ns_lcp_options *opt)
{
  ns_mechanical_options o = ns_mechanical_defaults();
  o.tol = opt->tol;
  o.max_iterations = opt->max_iterations;
  o.contact = ns_contact_solvers[k->m->sim.osnsp.contact];
  o.threads = k->m->sim.osnsp.threads;
  o.plugged = opt->plugged;
  for (int a = 0; a < k->nunits; a++) k->active_unit[a] = a;
  gather_units(k, &k->sub, k->active_unit, k->nunits);
  ns_mechanical_capacity cap = {
      .structure = &k->sub, .kind = k->block_kind + k->nrows, .symmetric = symmetric};
  if (!(k->mech_ops = ns_mechanical_solver_find(k->m->sim.osnsp.solver)))
    return unknown_solver(k, c);
  return k->mech_ops->create(c, &cap, &o, &k->solver);
}

int ns_contacts_get_solver(ns_contacts *k, ns_ctx *c, int symmetric)
{
  const ns_problem_options *o = &k->m->sim.osnsp;
  ns_lcp_options opt = ns_lcp_defaults();
  opt.tol = o->tol;
  opt.max_iterations = o->max_iterations;
  opt.omega = o->omega;
  opt.plugged = o->plugged;
  if (k->together)
    return ns_unreduced_contacts_create(c, k->m, &k->H, k->lb, k->ub, &opt, &k->unreduced);
  if (k->problem == NS_CONTACT_LCP) return get_lcp(k, c, symmetric, &opt);
  if (k->problem == NS_CONTACT_AVI) return get_avi(k, c, symmetric, &opt);
  return get_mechanical(k, c, symmetric, &opt);
}

void ns_contacts_end_solver(ns_contacts *k)
{
  ns_unreduced_contacts_destroy(k->unreduced);
  if (k->lcp_ops) k->lcp_ops->destroy(k->solver);
  if (k->avi_ops) k->avi_ops->destroy(k->solver);
  if (k->mech_ops) k->mech_ops->destroy(k->solver);
}

const char *ns_contacts_solver(const ns_contacts *k, const char **help)
{
  const char *name = k->lcp_ops    ? k->lcp_ops->name
                     : k->avi_ops  ? k->avi_ops->name
                     : k->mech_ops ? k->mech_ops->name
                                   : "none";
  *help = k->lcp_ops    ? k->lcp_ops->help
          : k->avi_ops  ? k->avi_ops->help
          : k->mech_ops ? k->mech_ops->help
                        : "";
  return name;
}

/* ---- the problem of a step ------------------------------------------------------------------- */

static void gather_dense(ns_contacts *k)
{
  int n = k->n;
  memset(k->full, 0, (size_t)n * (size_t)n * sizeof *k->full);
  for (int i = 0; i < n; i++) {
    int r = k->active[i];
    for (int b = k->D.row[r]; b < k->D.row[r + 1]; b++) {
      int j = k->position[k->D.col[b]];
      if (j >= 0) k->full[i + j * n] = k->D.val[b];
    }
  }
  k->lcp.dense = k->full;
  k->lcp.ld = n;
}

static void gather_sparse(ns_contacts *k)
{
  if (k->n == k->nrows) {
    k->lcp.blocks = &k->D;
    return;
  }
  ns_blocks *S = &k->sub;
  int at = 0;
  S->nb = S->m = k->n;
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    S->row[i] = at;
    for (int b = k->D.row[r]; b < k->D.row[r + 1]; b++) {
      int j = k->position[k->D.col[b]];
      if (j < 0) continue;
      S->col[at] = j;
      S->val[at++] = k->D.val[b];
    }
  }
  S->row[k->n] = at;
  k->lcp.blocks = S;
}

static void gather_bounds(ns_contacts *k)
{
  for (int i = 0; i < k->n; i++) {
    k->lb[k->nrows + i] = k->lb[k->active[i]];
    k->ub[k->nrows + i] = k->ub[k->active[i]];
  }
}

/* Bounds and coefficients of the active rows. */
static void gather_laws(ns_contacts *k)
{
  double *lb = k->lb + k->nrows, *ub = k->ub + k->nrows;
  gather_bounds(k);
  k->avi = (ns_avi){.n = k->n,
                    .dense = k->dense ? k->full : NULL,
                    .ld = k->n,
                    .blocks = k->dense ? NULL : k->lcp.blocks,
                    .q = k->q,
                    .lb = lb,
                    .ub = ub};
  if (k->problem != NS_CONTACT_MECHANICAL) return;
  for (int a = 0; a < k->na; a++) {
    int u = k->active_unit[a];
    k->block_kind[a] = k->block_kind[k->nrows + u];
    const ns_nonsmooth_law *law = &k->m->interactions[k->interaction[k->unit[u].first]].law;
    k->mu[a] = k->unit[u].kind == NS_UNIT_FRICTION ? ns_law_mu(law) : 0;
    k->mu_rolling[a] = k->block_kind[a] == NS_BLOCK_ROLLING ? ns_law_mu_rolling(law) : 0;
  }
  k->mech = (ns_mechanical){.W = &k->sub,
                            .q = k->q,
                            .kind = k->block_kind,
                            .mu = k->mu,
                            .mu_rolling = k->mu_rolling,
                            .lb = lb,
                            .ub = ub};
  if (ns_mechanical_is_granular(k->na, k->block_kind)) k->mech.tol = k->m->sim.osnsp.granular_tol;
}

void ns_contacts_gather(ns_contacts *k)
{
  if (k->together) gather_bounds(k);
  else if (k->problem == NS_CONTACT_MECHANICAL) gather_units(k, &k->sub, k->active_unit, k->na);
  else if (k->dense) gather_dense(k);
  else gather_sparse(k);
  if (k->problem != NS_CONTACT_LCP && !k->together) gather_laws(k);
  k->gather = 0;
  k->lcp.stamp = k->avi.stamp = k->mech.stamp = ++k->gathered;
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
  if (k->gather && k->n > 0) ns_contacts_gather(k);
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
  k->lcp.n = k->n;
  k->lcp.q = k->q;
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
  if (k->lcp_ops && k->n)
    return k->lcp_ops->solve(k->solver, c, &k->lcp, k->active, k->z, k->w, out);
  if (k->n == 0) {
    *out = (ns_outcome){.kind = NS_SOLVED, .solver = "none"};
    return NS_OK;
  }
  if (k->unreduced)
    return ns_unreduced_contacts_solve(k->unreduced, c, k->h, k->active, k->n, k->q,
                                       k->lb + k->nrows, k->ub + k->nrows, k->z, k->w, out);
  if (k->avi_ops) return k->avi_ops->solve(k->solver, c, &k->avi, k->active, k->z, k->w, out);
  int rc = k->mech_ops->solve(k->solver, c, &k->mech, k->active_unit, k->z, k->w, out);
  for (int i = 0; i < k->n && k->tension; i++) k->z[i] -= k->tension[k->active[i]];
  return rc;
}

/* One active row, as the solver would have it; 0 where that is not so easy. */
static inline int act_on_one(ns_contacts *k, const ns_state *x, double *v, ns_outcome *out)
{
  int r = k->active[0], begin = k->H.ptr[r], end = k->H.ptr[r + 1];
  double u = 0, z;
  for (int e = begin; e < end; e++) u += k->H.val[e] * v[k->H.dof[e]];
  k->q[0] = u + k->restitution[r] * x->ydot[r];
  if (!ns_lcp_one(k->full[0], k->q[0], k->m->sim.osnsp.tol, k->z, k->w, &out->residual)) return 0;
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
