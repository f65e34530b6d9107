/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/contacts.h"

#include "algebra/dense.h"

#include <stdlib.h>
#include <string.h>

/* Up to so many rows a dense problem is smaller and faster than a sparse one, and needs no library. */
enum { DENSE_ROWS = NS_DENSE_SMALL };

/* ---- structure of H and G --------------------------------------------------------------------- */

/* Entry (r, k) of H of an interaction's k-th stacked coordinate. */
static double entry(const ns_interaction *it, int r, int k) { return it->H[r + k * it->m]; }

/* Scatter row r over the degrees of freedom: a system that appears twice has its parts added
 * (self-contact). Lists what it touches, all of a system that is not diagonal if `spread`. */
static int scatter_row(const ns_contacts *k, const ns_interaction *it, int r, int spread,
                       unsigned char *seen, int *dofs)
{
  int n = 0, col = 0;
  for (int j = 0; j < it->nsystems; j++) {
    int s = it->systems[j];
    const ns_system *sys = &k->m->systems[s];
    int any = 0, all = spread && !k->ops->diagonal(k->osi, s);
    for (int i = 0; i < sys->n; i++) any = any || entry(it, r, col + i) != 0;
    for (int i = 0; i < sys->n; i++) {
      double h = entry(it, r, col + i);
      int d = (int)sys->q + i;
      if (h == 0 && !(any && all)) continue;
      k->scatter[d] += h;
      if (!seen[d]) {
        seen[d] = 1;
        dofs[n++] = d;
      }
    }
    col += sys->n;
  }
  return n;
}

/* Build H (spread = 0) or the structure of G (spread = 1). */
static int build_rows(ns_contacts *k, ns_rows *R, int spread)
{
  size_t cap = 0; /* at most NS_MODEL_H_MAX, see model/check.c */
  for (int i = 0; i < k->m->ninteractions; i++)
    cap += (size_t)k->m->interactions[i].m * (size_t)k->m->interactions[i].nQ;
  unsigned char *seen = calloc(k->m->nv + 1, 1);
  int *dofs = malloc((k->m->nv + 1) * sizeof *dofs);
  R->ptr = ns_arena_get(k->mem, (size_t)k->nrows + 1, sizeof *R->ptr);
  R->dof = ns_arena_get(k->mem, cap, sizeof *R->dof);
  R->val = ns_arena_get(k->mem, cap, sizeof *R->val);
  int ok = seen && dofs && R->ptr && R->dof && R->val, at = 0;
  for (int i = 0; i < k->m->ninteractions && ok; i++) {
    const ns_interaction *it = &k->m->interactions[i];
    for (int r = 0; r < it->m; r++) {
      R->ptr[it->row + (size_t)r] = at;
      int n = scatter_row(k, it, r, spread, seen, dofs);
      for (int j = 0; j < n; j++, at++) {
        R->dof[at] = dofs[j];
        R->val[at] = k->scatter[dofs[j]];
        k->scatter[dofs[j]] = 0;
        seen[dofs[j]] = 0;
      }
    }
  }
  if (ok) R->ptr[k->nrows] = at;
  free(seen);
  free(dofs);
  return ok ? NS_OK : NS_NOMEM;
}

static void row_data(ns_contacts *k)
{
  for (int i = 0; i < k->m->ninteractions; i++) {
    const ns_interaction *it = &k->m->interactions[i];
    int fixed = 1;
    for (int j = 0; j < it->nsystems; j++)
      fixed = fixed && k->ops->constant(k->osi, it->systems[j]);
    for (int r = 0; r < it->m; r++) {
      size_t row = it->row + (size_t)r;
      k->interaction[row] = i;
      k->restitution[row] = it->restitution;
      k->offset[row] = it->e ? it->e[r] : 0;
      k->fixed[row] = (unsigned char)fixed;
      k->position[row] = -1;
    }
    k->has_F = k->has_F || it->F;
  }
}

/* ---- structure of D ------------------------------------------------------------------------------- */

/* Rows that share a system all meet each other: their number counts squared. */
static int too_many_pairs(const ns_contacts *k, ns_ctx *c, int r, size_t met)
{
  char at[512];
  return ns_fail(c, NS_MODEL, "%s: acts on the same systems as %zu other rows; with this one the rows that meet make "
                 "more than %d pairs, expected fewer; give a system fewer interactions",
                 ns_place_text(&k->m->interactions[k->interaction[r]].at, at, sizeof at), met - (met > 0), (int)NS_ROWS_PAIRS);
}

static int build_D(ns_contacts *k, ns_ctx *c)
{
  int full = 0;
  size_t met = 0;
  ns_meeting in = {.n = k->nrows, .ndof = k->m->nv, .H = &k->H, .G = &k->G};
  int rc = ns_rows_meet(k->mem, &in, &k->D, &full, &met);
  return rc == NS_MODEL ? too_many_pairs(k, c, full, met) : rc;
}

/* ---- creation ---------------------------------------------------------------------------------------- */

static int get_problem(ns_contacts *k, ns_ctx *c)
{
  char at[512];
  const ns_problem_options *o = &k->m->sim.osnsp;
  size_t n = (size_t)k->nrows, nnz = n ? (size_t)k->D.row[n] : 0;
  k->dense = o->storage == NS_STORAGE_DENSE ||
             (o->storage == NS_STORAGE_AUTO && k->nrows <= DENSE_ROWS);
  int rc = NS_OK;
  if (k->dense && n * n > NS_ROWS_PAIRS)
    return ns_fail(c, NS_MODEL, "%s: a dense problem of %zu rows has more than %d entries, expected fewer; "
                   "remove storage=\"dense\"", ns_place_text(&k->m->sim.at, at, sizeof at), n, (int)NS_ROWS_PAIRS);
  if (!k->dense)
    rc = ns_rows_matrix(k->mem, k->nrows, nnz, &k->sub);
  else if (!(k->full = ns_arena_zero(k->mem, n * n, sizeof *k->full)))
    rc = NS_NOMEM;
  k->q = ns_arena_zero(k->mem, n, sizeof *k->q);
  k->z = ns_arena_zero(k->mem, n, sizeof *k->z);
  k->w = ns_arena_zero(k->mem, n, sizeof *k->w);
  return rc || !k->q || !k->z || !k->w ? NS_NOMEM : NS_OK;
}

static int get_solver(ns_contacts *k, ns_ctx *c, int symmetric)
{
  const ns_problem_options *o = &k->m->sim.osnsp;
  char at[512];
  k->solver_ops = ns_lcp_solver_find(o->solver);
  if (!k->solver_ops)
    return ns_fail(c, NS_MODEL, "%s: solver is \"%s\", expected one of those that `nssim list solvers` names",
                   ns_place_text(&k->m->sim.at, at, sizeof at), o->solver);
  ns_lcp_options opt = ns_lcp_defaults();
  opt.tol = o->tol;
  opt.max_iterations = o->max_iterations;
  opt.omega = o->omega;
  ns_lcp_capacity cap = {.n = k->nrows,
                         .nnz = k->nrows ? (size_t)k->D.row[k->nrows] : 0,
                         .structure = k->dense ? NULL : &k->D,
                         .symmetric = symmetric};
  if (k->dense) cap.nnz = (size_t)k->nrows * (size_t)k->nrows;
  return k->solver_ops->create(c, &cap, &opt, &k->solver);
}

static int get_memory(ns_contacts *k)
{
  size_t n = (size_t)k->nrows;
  int big = 1;
  for (int i = 0; i < k->m->nsystems; i++)
    if (k->m->systems[i].n > big) big = k->m->systems[i].n;
  k->offset = ns_arena_zero(k->mem, n, sizeof *k->offset);
  k->restitution = ns_arena_zero(k->mem, n, sizeof *k->restitution);
  k->interaction = ns_arena_zero(k->mem, n, sizeof *k->interaction);
  k->fixed = ns_arena_zero(k->mem, n, sizeof *k->fixed);
  k->active = ns_arena_zero(k->mem, n, sizeof *k->active);
  k->position = ns_arena_zero(k->mem, n, sizeof *k->position);
  k->scatter = ns_arena_zero(k->mem, k->m->nv, sizeof *k->scatter);
  k->rhs = ns_arena_zero(k->mem, (size_t)big, sizeof *k->rhs);
  k->touched = ns_arena_zero(k->mem, n, sizeof *k->touched);
  return k->offset && k->restitution && k->interaction && k->fixed && k->active && k->position &&
                 k->scatter && k->rhs && k->touched
             ? NS_OK
             : NS_NOMEM;
}

int ns_contacts_create(ns_ctx *c, const ns_model *m, const ns_integrator_ops *ops, const void *osi,
                       int symmetric, ns_contacts **out)
{
  ns_contacts *k = *out = calloc(1, sizeof *k);
  if (!k) return ns_nomem(c, "contacts");
  *k = (ns_contacts){.m = m, .ops = ops, .osi = osi, .nrows = (int)m->nrows};
  k->mem = ns_arena_create(0, 1);
  int rc = k->mem ? get_memory(k) : NS_NOMEM;
  if (!rc) {
    row_data(k);
    rc = build_rows(k, &k->H, 0);
  }
  if (!rc) rc = build_rows(k, &k->G, 1);
  if (!rc) rc = build_D(k, c);
  if (!rc) rc = get_problem(k, c);
  if (rc == NS_NOMEM)
    ns_nomem(c, "contacts: the matrix of all interactions");
  if (!rc)
    rc = get_solver(k, c, symmetric);
  if (rc) {
    ns_contacts_destroy(k);
    *out = NULL;
  }
  return rc;
}

void ns_contacts_destroy(ns_contacts *k)
{
  if (!k) return;
  if (k->solver_ops) k->solver_ops->destroy(k->solver);
  ns_arena_destroy(k->mem);
  free(k);
}

size_t ns_contacts_bytes(const ns_contacts *k) { return ns_arena_used(k->mem) + sizeof *k; }

/* ---- values of G and D ----------------------------------------------------------------------------------- */

/* G of row r: W^-1 times its part of H, system by system. */
static void refresh_G(ns_contacts *k, int r)
{
  const ns_interaction *it = &k->m->interactions[k->interaction[r]];
  for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++) k->scatter[k->H.dof[e]] = k->H.val[e];
  for (int j = 0; j < it->nsystems; j++) {
    int s = it->systems[j], twice = 0;
    for (int i = 0; i < j; i++) twice = twice || it->systems[i] == s;
    if (twice) continue;
    const ns_system *sys = &k->m->systems[s];
    memcpy(k->rhs, k->scatter + sys->q, (size_t)sys->n * sizeof *k->rhs);
    k->ops->solve(k->osi, s, 1, k->rhs);
    memcpy(k->scatter + sys->q, k->rhs, (size_t)sys->n * sizeof *k->rhs);
  }
  for (int e = k->G.ptr[r]; e < k->G.ptr[r + 1]; e++) {
    k->G.val[e] = k->scatter[k->G.dof[e]];
    k->scatter[k->G.dof[e]] = 0;
  }
  for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++) k->scatter[k->H.dof[e]] = 0;
}

/* Row r of D: H_r . G_j, for the active columns only unless `all`. */
static void refresh_D(ns_contacts *k, int r, int all)
{
  for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++) k->scatter[k->H.dof[e]] = k->H.val[e];
  for (int b = k->D.row[r]; b < k->D.row[r + 1]; b++) {
    int j = k->D.col[b];
    if (!all && k->position[j] < 0) continue;
    double s = 0;
    for (int e = k->G.ptr[j]; e < k->G.ptr[j + 1]; e++) s += k->scatter[k->G.dof[e]] * k->G.val[e];
    k->D.val[b] = s;
  }
  for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++) k->scatter[k->H.dof[e]] = 0;
}

/* Bring G and D up to date: rows of constant W once, the others where they are active. */
static void refresh(ns_contacts *k, int all)
{
  for (int pass = 0; pass < 2; pass++) {
    for (int r = 0; r < k->nrows && all; r++) {
      if (pass == 0)
        refresh_G(k, r); /* also of rows that vary: a fixed row may meet them in a fixed system */
      else if (k->fixed[r])
        refresh_D(k, r, 1);
    }
    for (int i = 0; i < k->n; i++) {
      int r = k->active[i];
      if (k->fixed[r]) continue;
      if (pass == 0)
        refresh_G(k, r);
      else
        refresh_D(k, r, 0);
    }
  }
}

/* ---- the problem of a step --------------------------------------------------------------------------------- */

void ns_contacts_activate(ns_contacts *k, const ns_state *x, double h)
{
  const ns_moreau_jean_options *o = &k->m->sim.mj;
  double gh = o->gamma * h, eps = o->threshold, vmax = o->velocity_threshold;
  const double *y = x->y, *ydot = x->ydot;
  int n = 0, same = 1;
  for (int r = 0; r < k->nrows; r++) {
    if (!(y[r] + gh * ydot[r] <= eps && ydot[r] <= vmax)) continue;
    same = same && n < k->n && k->active[n] == r;
    /* keep the old list while it agrees: position[] is still right then */
    if (!same && n < k->n) k->position[k->active[n]] = -1;
    k->active[n] = r;
    k->z[n++] = x->lambda[r];
  }
  if (same && n == k->n) return;
  for (int i = n; i < k->n; i++) k->position[k->active[i]] = -1;
  for (int i = 0; i < n; i++) k->position[k->active[i]] = i;
  k->n = n;
  k->lcp.stamp = 0; /* to be gathered anew */
}

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

void ns_contacts_assemble(ns_contacts *k, const ns_state *x, const double *vfree, int changed)
{
  if (changed & NS_W_CONSTANT || (changed && k->n > 0)) {
    refresh(k, changed & NS_W_CONSTANT);
    k->lcp.stamp = 0;
  }
  if (k->lcp.stamp == 0 && k->n > 0) {
    if (k->dense)
      gather_dense(k);
    else
      gather_sparse(k);
    k->lcp.stamp = ++k->gathered;
  }
  k->lcp.n = k->n;
  k->lcp.q = k->q;
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    double u = 0;
    for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++) u += k->H.val[e] * vfree[k->H.dof[e]];
    k->q[i] = u + k->restitution[r] * x->ydot[r];
  }
}

int ns_contacts_solve(ns_contacts *k, ns_ctx *c, ns_outcome *out)
{
  if (k->n == 0) {
    *out = (ns_outcome){.kind = NS_SOLVED, .solver = "none"};
    return NS_OK;
  }
  return k->solver_ops->solve(k->solver, c, &k->lcp, k->active, k->z, k->w, out);
}

void ns_contacts_apply(const ns_contacts *k, double *v)
{
  const int *ptr = k->G.ptr, *dof = k->G.dof;
  const double *val = k->G.val;
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    double z = k->z[i];
    if (z == 0) continue;
    for (int e = ptr[r]; e < ptr[r + 1]; e++) v[dof[e]] += val[e] * z;
  }
}

/* Clear what the last call wrote, then add row by row. */
static void clear_impulse(ns_contacts *k, double *p)
{
  for (int i = 0; i < k->ntouched; i++)
    for (int e = k->H.ptr[k->touched[i]]; e < k->H.ptr[k->touched[i] + 1]; e++) p[k->H.dof[e]] = 0;
  k->ntouched = 0;
}

static void add_impulse(ns_contacts *k, int r, double z, double *p)
{
  if (z == 0) return;
  k->touched[k->ntouched++] = r;
  for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++) p[k->H.dof[e]] += k->H.val[e] * z;
}

void ns_contacts_impulse(ns_contacts *k, double *p)
{
  clear_impulse(k, p);
  for (int i = 0; i < k->n; i++) add_impulse(k, k->active[i], k->z[i], p);
}

void ns_contacts_report(ns_contacts *k, ns_state *x)
{
  clear_impulse(k, x->p);
  for (int r = 0; r < k->nrows; r++) add_impulse(k, r, x->lambda[r], x->p);
}

/* e + F z of the rows that have F. */
static void refresh_offsets(ns_contacts *k, const double *z)
{
  for (int i = 0; i < k->m->ninteractions; i++) {
    const ns_interaction *it = &k->m->interactions[i];
    if (!it->F) continue;
    for (int r = 0; r < it->m; r++) {
      double s = it->e ? it->e[r] : 0;
      int col = 0;
      for (int j = 0; j < it->nsystems; j++) {
        const ns_system *sys = &k->m->systems[it->systems[j]];
        for (int a = 0; a < sys->nz; a++) s += it->F[r + (col + a) * it->m] * z[sys->z + (size_t)a];
        col += sys->nz;
      }
      k->offset[it->row + (size_t)r] = s;
    }
  }
}

void ns_contacts_output(ns_contacts *k, ns_state *x)
{
  if (k->has_F) refresh_offsets(k, x->z);
  double deepest = 0, work = 0;
  for (int r = 0; r < k->nrows; r++) x->lambda[r] = 0;
  for (int i = 0; i < k->n; i++) {
    x->lambda[k->active[i]] = k->z[i];
    work += k->z[i] * x->ydot[k->active[i]];
  }
  for (int r = 0; r < k->nrows; r++) {
    double y = k->offset[r], u = 0;
    for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++) {
      y += k->H.val[e] * x->q[k->H.dof[e]];
      u += k->H.val[e] * x->v[k->H.dof[e]];
    }
    x->y[r] = y;
    x->ydot[r] = u;
    deepest = y < deepest ? y : deepest;
  }
  for (int i = 0; i < k->n; i++) work += k->z[i] * x->ydot[k->active[i]];
  x->cert->work_contact += work / 2;
  x->report->penetration = 0 - deepest; /* not -0 */
}
