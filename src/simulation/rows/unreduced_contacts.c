/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/unreduced_contacts.h"

#include "algebra/vector.h"
#include "model/systems/lagrangian.h"
#include "simulation/rows/saddle.h"
#include "simulation/rows/unreduced_friction.h"
#include "simulation/rows/unreduced_mass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char sparse_newton[] = "sparse-newton";

/* Up to so many unknowns a small dense operator is as good. */
enum { SMALL = 30 };

struct ns_unreduced_contacts {
  const ns_model *m;
  const ns_rows *H;
  ns_arena *mem;
  int nv, nrows;
  double h;    /* of which W and M are */
  ns_blocks W; /* scalar rows */
  ns_saddle s;
  double *q, *z, *w, *lb, *ub; /* [nv + nrows] */
  double *guess;               /* z before the last solve */
  int *active, n;              /* rows whose bounds stand in lb, ub [nrows] */
  unsigned long stamp;
  ns_avi problem;
  const ns_avi_solver_ops *ops;
  void *solver;
  ns_unreduced_friction *friction; /* in the place of all that but m, or NULL */
};

/* ---- when ------------------------------------------------------------------------------------ */

static int has_friction(const ns_interaction *it) { return ns_law_has_cone(it->law.ops); }

static int with_friction(const ns_model *m)
{
  for (int i = 0; i < m->ninteractions; i++)
    if (has_friction(&m->interactions[i])) return 1;
  return 0;
}

static int possible(const ns_model *m)
{
  const ns_problem_options *o = &m->sim.osnsp;
  if (!m->nrows || m->nboundaries || o->storage == NS_STORAGE_DENSE) return 0;
  if (strcmp(o->solver, "auto") != 0 && (with_friction(m) || strcmp(o->solver, sparse_newton) != 0))
    return 0;
  for (int i = 0; i < m->nsystems; i++)
    if (!ns_lagrangian_is_linear(&m->systems[i])) return 0;
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (!(it->relation->flags & NS_REL_LINEAR) || it->relation->flags & NS_REL_COMPLIANT ||
        it->law.ops->memory)
      return 0;
  }
  return 1;
}

/* Of an interaction in the whole matrix: H^T, and its rows, which friction mixes. */
static double entries_of(const ns_interaction *it)
{
  int n = 0, mixed = has_friction(it) ? it->m : 1;
  for (int e = 0; e < it->m * it->nQ; e++) n += it->H[e] != 0;
  return (1.0 + mixed) * n + mixed * it->m;
}

int ns_unreduced_contacts_suits(const ns_model *m)
{
  double pairs = 0, entries = 0;
  if (!possible(m) || m->nv + m->nrows <= SMALL) return 0;
  double *rows = calloc((size_t)m->nsystems + 1, sizeof *rows);
  if (!rows) return NS_NOMEM;
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    entries += entries_of(it);
    for (int j = 0; j < it->nsystems; j++) rows[it->systems[j]] += it->m;
  }
  for (int i = 0; i < m->nsystems; i++) {
    pairs += rows[i] * rows[i];
    entries += (double)ns_lagrangian_entries(&m->systems[i]);
  }
  free(rows);
  return pairs > entries;
}

/* ---- structure ------------------------------------------------------------------------------- */

static int build(ns_unreduced_contacts *u)
{
  size_t n = (size_t)(u->nv + u->nrows);
  int rc = ns_unreduced_mass_create(u->mem, u->m, &u->W);
  u->s = (ns_saddle){.n = u->nv, .nrows = u->nrows, .W = &u->W, .B = u->H, .C = u->H};
  if (!rc) rc = ns_saddle_create(&u->s, u->mem);
  double **vector[] = {&u->q, &u->z, &u->w, &u->lb, &u->ub, &u->guess};
  for (size_t k = 0; k < sizeof vector / sizeof *vector && !rc; k++)
    if (!(*vector[k] = ns_arena_zero(u->mem, n + 1, sizeof **vector))) rc = NS_NOMEM;
  if (!rc && !(u->active = ns_arena_zero(u->mem, (size_t)u->nrows + 1, sizeof *u->active)))
    rc = NS_NOMEM;
  return rc;
}

static void fill(ns_unreduced_contacts *u, double h)
{
  ns_blocks *M = &u->s.M;
  u->h = h;
  u->stamp++;
  ns_unreduced_mass_fill(u->m, h, &u->W);
  ns_saddle_fill(&u->s, 1, 1);
  for (int d = 0; d < u->nv; d++) {
    double w = M->val[u->s.diagonal[d]];
    for (int e = M->row[d]; e < M->row[d + 1]; e++) M->val[e] /= w;
  }
}

/* ---- creation -------------------------------------------------------------------------------- */

/* The problem on boxes. */
static int create_boxes(ns_unreduced_contacts *u, ns_ctx *c, const double *lb, const double *ub,
                        const ns_lcp_options *opt)
{
  size_t bytes = u->m->nrows * sizeof *lb;
  u->ops = ns_avi_solver_find(sparse_newton);
  if (build(u)) return ns_nomem(c, "unreduced problem");
  for (int d = 0; d < u->nv; d++) {
    u->lb[d] = -INFINITY;
    u->ub[d] = INFINITY;
  }
  memcpy(u->lb + u->nv, lb, bytes);
  memcpy(u->ub + u->nv, ub, bytes);
  ns_avi_capacity cap = {.n = u->s.M.nb,
                         .nnz = (size_t)u->s.M.row[u->s.M.nb],
                         .structure = &u->s.M,
                         .lb = u->lb,
                         .ub = u->ub,
                         .varies = u->m->values != NULL};
  int rc = u->ops->create(c, &cap, opt, &u->solver);
  memset(u->lb + u->nv, 0, bytes);
  memset(u->ub + u->nv, 0, bytes);
  return rc;
}

int ns_unreduced_contacts_create(ns_ctx *c, const ns_model *m, const ns_rows *H, const double *lb,
                                 const double *ub, const ns_lcp_options *opt,
                                 ns_unreduced_contacts **out)
{
  ns_unreduced_contacts *u = *out = NS_ARENA_OBJECT(ns_unreduced_contacts, mem);
  if (!u) return ns_nomem(c, "unreduced problem");
  *u = (ns_unreduced_contacts){
      .mem = u->mem, .m = m, .H = H, .nv = (int)m->nv, .nrows = (int)m->nrows};
  int rc = with_friction(m) ? ns_unreduced_friction_create(c, m, H, opt, &u->friction)
                            : create_boxes(u, c, lb, ub, opt);
  if (rc) {
    ns_unreduced_contacts_destroy(u);
    *out = NULL;
  }
  return rc;
}

void ns_unreduced_contacts_destroy(ns_unreduced_contacts *u)
{
  if (!u) return;
  if (u->solver) u->ops->destroy(u->solver);
  ns_unreduced_friction_destroy(u->friction);
  ns_arena_destroy(u->mem);
}

size_t ns_unreduced_contacts_bytes(const ns_unreduced_contacts *u)
{
  if (!u) return 0;
  return sizeof *u +
         (u->friction ? ns_unreduced_friction_bytes(u->friction) : ns_arena_used(u->mem));
}

size_t ns_unreduced_contacts_entries(const ns_unreduced_contacts *u)
{
  return u->friction ? ns_unreduced_friction_entries(u->friction) : (size_t)u->s.M.row[u->s.M.nb];
}

const char *ns_unreduced_contacts_note(const ns_unreduced_contacts *u)
{
  return u->friction
             ? "velocities and impulses together, sparse nonsmooth Newton, ADMM if it stalls"
             : "velocities and impulses together, sparse active set (Newton-min)";
}

/* ---- one problem ----------------------------------------------------------------------------- */

/* Rows that take no part have the impulse 0. */
static void set_bounds(ns_unreduced_contacts *u, const int *active, int n, const double *lb,
                       const double *ub)
{
  double *l = u->lb + u->nv, *b = u->ub + u->nv;
  int same = n == u->n && !memcmp(active, u->active, (size_t)n * sizeof *active);
  for (int i = 0; i < n && same; i++)
    same = l[active[i]] == lb[active[i]] && b[active[i]] == ub[active[i]];
  if (same) return;
  for (int i = 0; i < u->n; i++) l[u->active[i]] = b[u->active[i]] = 0;
  for (int i = 0; i < n; i++) {
    l[active[i]] = lb[active[i]];
    b[active[i]] = ub[active[i]];
  }
  memcpy(u->active, active, (size_t)n * sizeof *active);
  u->n = n;
  u->stamp++;
}

int ns_unreduced_contacts_solve(ns_unreduced_contacts *u, ns_ctx *c, double h, const int *active,
                                int n, const double *q, const double *lb, const double *ub,
                                double *z, double *w, ns_outcome *out)
{
  if (u->friction)
    return ns_unreduced_friction_solve(u->friction, h, active, n, q, lb, ub, z, w, out);
  double *qr = u->q + u->nv, *zr = u->z + u->nv, *wr = u->w + u->nv;
  if (h != u->h) fill(u, h);
  memset(u->z, 0, (size_t)u->nv * sizeof *u->z); /* nothing but the arguments counts */
  for (int i = 0; i < u->n; i++) qr[u->active[i]] = zr[u->active[i]] = 0;
  set_bounds(u, active, n, lb, ub);
  for (int i = 0; i < n; i++) {
    qr[active[i]] = q[i];
    zr[active[i]] = z[i];
  }
  u->problem = (ns_avi){
      .n = u->s.M.nb, .blocks = &u->s.M, .q = u->q, .lb = u->lb, .ub = u->ub, .stamp = u->stamp};
  memcpy(u->guess, u->z, (size_t)u->s.M.nb * sizeof *u->guess);
  int rc = u->ops->solve(u->solver, c, &u->problem, NULL, u->z, u->w, out);
  for (int i = 0; i < n && !rc; i++) {
    z[i] = zr[active[i]];
    w[i] = wr[active[i]];
  }
  return rc;
}

const ns_avi *ns_unreduced_contacts_boxes(const ns_unreduced_contacts *u, const double **guess)
{
  *guess = u->friction ? NULL : u->guess;
  return u->friction ? NULL : &u->problem;
}

const ns_global *ns_unreduced_contacts_global(ns_unreduced_contacts *u)
{
  return u->friction ? ns_unreduced_friction_problem(u->friction) : NULL;
}

void ns_unreduced_contacts_apply(const ns_unreduced_contacts *u, double *v)
{
  const double *dv = u->friction ? ns_unreduced_friction_change(u->friction) : u->z;
  ns_axpy((size_t)u->nv, 1, dv, v);
}
