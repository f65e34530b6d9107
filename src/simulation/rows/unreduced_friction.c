/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/unreduced_friction.h"

#include "problems/global_newton.h"
#include "simulation/rows/unreduced_mass.h"

#include <string.h>

struct ns_unreduced_friction {
  const ns_model *m;
  ns_arena *mem;
  double h;                     /* of which W is */
  ns_blocks W;                  /* scalar rows */
  int *dim, *first;             /* of the blocks [nb], [nb+1] */
  int *block;                   /* of each row [nrows] */
  unsigned char *kind, *active; /* [nb] */
  double *mu;                   /* [nb] */
  double *zero, *v;             /* [nv] */
  double *b, *lb, *ub, *r, *u;  /* [nrows] */
  ns_global problem;
  ns_global_newton *solver;
  ns_global shown; /* its active part, in memory of its own */
  struct part {
    int *row, *col, *dim, *first;
    double *val, *b, *mu, *lb, *ub;
    unsigned char *kind;
  } part;
};

/* ---- structure ------------------------------------------------------------------------------- */

static int get(ns_unreduced_friction *f)
{
  size_t nv = f->m->nv, n = f->m->nrows, d = sizeof(double), i = sizeof(int);
  const ns_array want[] = {
      {&f->zero, nv, d}, {&f->v, nv, d},   {&f->mu, n, d},    {&f->b, n, d},   {&f->lb, n, d},
      {&f->ub, n, d},    {&f->r, n, d},    {&f->u, n, d},     {&f->dim, n, i}, {&f->first, n, i},
      {&f->block, n, i}, {&f->kind, n, 1}, {&f->active, n, 1}};
  if (ns_unreduced_mass_create(f->mem, f->m, &f->W)) return NS_NOMEM;
  return ns_arena_arrays(f->mem, want, sizeof want / sizeof *want);
}

static int get_part(ns_unreduced_friction *f)
{
  struct part *p = &f->part;
  size_t n = f->m->nrows + 1, nnz = (size_t)f->problem.row[f->m->nrows], d = sizeof(double);
  size_t i = sizeof(int);
  const ns_array want[] = {{&p->b, n, d},     {&p->mu, n, d},  {&p->lb, n, d},    {&p->ub, n, d},
                           {&p->row, n, i},   {&p->dim, n, i}, {&p->first, n, i}, {&p->col, nnz, i},
                           {&p->val, nnz, d}, {&p->kind, n, 1}};
  return ns_arena_arrays(f->mem, want, sizeof want / sizeof *want);
}

/* Contacts with friction as a whole, rows of other laws on their own. */
static int list_blocks(ns_unreduced_friction *f)
{
  int nb = 0;
  for (int i = 0; i < f->m->ninteractions; i++) {
    const ns_interaction *it = &f->m->interactions[i];
    int friction = ns_law_has_cone(it->law.ops);
    for (int r = 0; r < it->m; r++) {
      int row = (int)it->row + r;
      if (friction && r > 0) {
        f->block[row] = nb - 1;
        continue;
      }
      f->kind[nb] = friction ? NS_BLOCK_FRICTION : NS_BLOCK_BOX;
      f->mu[nb] = friction ? ns_law_mu(&it->law) : 0;
      f->dim[nb] = friction ? it->m : 1;
      f->first[nb] = row;
      f->block[row] = nb++;
    }
  }
  f->first[nb] = (int)f->m->nrows;
  return nb;
}

/* ---- the object ------------------------------------------------------------------------------ */

int ns_unreduced_friction_create(ns_ctx *c, const ns_model *m, const ns_rows *H,
                                 const ns_lcp_options *opt, ns_unreduced_friction **out)
{
  ns_unreduced_friction *f = *out = NS_ARENA_OBJECT(ns_unreduced_friction, mem);
  ns_mechanical_options o = ns_mechanical_defaults();
  if (!f) return ns_nomem(c, "unreduced problem");
  *f = (ns_unreduced_friction){.m = m, .mem = f->mem};
  o.tol = opt->tol;
  o.max_iterations = opt->max_iterations;
  int rc = get(f) ? ns_nomem(c, "unreduced problem") : NS_OK;
  if (!rc) {
    int nb = list_blocks(f);
    f->problem = (ns_global){.M = &f->W,
                             .q = f->zero,
                             .row = H->ptr,
                             .col = H->dof,
                             .val = H->val,
                             .b = f->b,
                             .nb = nb,
                             .m = (int)m->nrows,
                             .dim = f->dim,
                             .first = f->first,
                             .kind = f->kind,
                             .mu = f->mu,
                             .lb = f->lb,
                             .ub = f->ub};
    rc = get_part(f) ? ns_nomem(c, "unreduced problem")
                     : ns_global_newton_create(c, &f->problem, &o, &f->solver);
  }
  if (rc) {
    ns_unreduced_friction_destroy(f);
    *out = NULL;
  }
  return rc;
}

void ns_unreduced_friction_destroy(ns_unreduced_friction *f)
{
  if (!f) return;
  ns_global_newton_destroy(f->solver);
  ns_arena_destroy(f->mem);
}

size_t ns_unreduced_friction_bytes(const ns_unreduced_friction *f)
{
  return ns_arena_used(f->mem) + sizeof *f + ns_global_newton_bytes(f->solver);
}

size_t ns_unreduced_friction_entries(const ns_unreduced_friction *f)
{
  return ns_global_newton_entries(f->solver);
}
const double *ns_unreduced_friction_change(const ns_unreduced_friction *f) { return f->v; }

/* ---- one problem ----------------------------------------------------------------------------- */

int ns_unreduced_friction_solve(ns_unreduced_friction *f, double h, const int *active, int n,
                                const double *q, const double *lb, const double *ub, double *z,
                                double *w, ns_outcome *out)
{
  if (f->m->values) list_blocks(f); /* mu of this step */
  size_t bytes = f->m->nrows * sizeof(double);
  if (h != f->h) {
    f->h = h;
    ns_unreduced_mass_fill(f->m, h, &f->W);
    ns_global_newton_renew(f->solver);
  }
  memset(f->active, 0, (size_t)f->problem.nb);
  double *of_rows[] = {f->b, f->lb, f->ub, f->r};
  for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; k++) memset(of_rows[k], 0, bytes);
  for (int i = 0; i < n; i++) {
    int r = active[i];
    f->active[f->block[r]] = 1;
    f->b[r] = q[i];
    f->lb[r] = lb[r];
    f->ub[r] = ub[r];
    f->r[r] = z[i];
  }
  int rc = ns_global_newton_solve(f->solver, f->active, f->r, f->u, f->v, out);
  for (int i = 0; i < n; i++) {
    z[i] = f->r[active[i]];
    w[i] = f->u[active[i]];
  }
  return rc;
}

/* Row r becomes row m of the part. */
static void copy_row(ns_unreduced_friction *f, int r, int m)
{
  const ns_global *g = &f->problem;
  struct part *p = &f->part;
  int from = g->row[r], at = p->row[m];
  size_t count = (size_t)(g->row[r + 1] - from);
  memcpy(p->col + at, g->col + from, count * sizeof *p->col);
  memcpy(p->val + at, g->val + from, count * sizeof *p->val);
  p->row[m + 1] = at + (int)count;
  p->b[m] = g->b[r];
  p->lb[m] = g->lb[r];
  p->ub[m] = g->ub[r];
}

const ns_global *ns_unreduced_friction_problem(ns_unreduced_friction *f)
{
  const ns_global *g = &f->problem;
  struct part *p = &f->part;
  int nb = 0, m = 0, alike = 1;
  for (int a = 0; a < g->nb; a++) {
    if (!f->active[a]) continue;
    alike = alike && g->kind[a] == NS_BLOCK_FRICTION && (nb == 0 || g->dim[a] == p->dim[0]);
    p->first[nb] = m;
    p->dim[nb] = g->dim[a];
    p->mu[nb] = g->mu[a];
    p->kind[nb++] = g->kind[a];
    for (int r = g->first[a]; r < g->first[a + 1]; r++) copy_row(f, r, m++);
  }
  p->first[nb] = m;
  f->shown = (ns_global){.M = g->M,
                         .q = g->q,
                         .row = p->row,
                         .col = p->col,
                         .val = p->val,
                         .b = p->b,
                         .nb = nb,
                         .m = m,
                         .dim = p->dim,
                         .first = p->first,
                         .kind = alike ? NULL : p->kind,
                         .mu = p->mu,
                         .lb = p->lb,
                         .ub = p->ub};
  return &f->shown;
}
