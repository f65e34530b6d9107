/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proximal points (Rockafellar 1976):  z+ solves the problem of M + R, q - R z, with a small
 * diagonal R, again until the residual of the problem itself is met. For a semidefinite M each of
 * them is definite, so it has one solution and the sequence converges, also where free blocks and
 * states of M are singular. Part of "auto", not a solver of its own. */
#include "problems/box/work.h"

#define RHO 1e-7       /* of the largest entry of the row: of an LCP */
#define RHO_BOXED 1e-6 /* and with bounds */
#define STEPS 30

struct ns_proximal {
  double *R, *q, *z; /* q: of a step [n] */
  double *M;         /* M + R, dense or its blocks */
  size_t capacity;   /* entries there */
  ns_blocks A;
};

int ns_proximal_create(ns_box_work *k, ns_ctx *c, const ns_box_capacity *cap, ns_proximal **out)
{
  ns_proximal own = {0}, *s = NULL;
  size_t n = (size_t)k->n, nd = (size_t)k->ndense, item = sizeof(double);
  own.capacity = nd * nd;
  if (cap->structure && cap->nnz > own.capacity) own.capacity = cap->nnz;
  const ns_array want[] = {{&s, 1, sizeof *s},
                           {&own.R, n, item},
                           {&own.q, n, item},
                           {&own.z, n, item},
                           {&own.M, own.capacity, item}};
  int rc = NS_BOX_GET(k, c, want);
  if (rc) return rc;
  *s = own;
  *out = s;
  return NS_OK;
}

/* M + R of blocks into *sub; 0 where a block of the diagonal is missing. */
static int regularise_blocks(ns_proximal *s, const ns_box *p, ns_box *sub)
{
  const ns_blocks *A = p->blocks;
  size_t entries = 0;
  for (int i = 0; i < A->nb; i++)
    for (int e = A->row[i]; e < A->row[i + 1]; e++) {
      size_t end = A->off[e] + (size_t)A->dim[i] * (size_t)A->dim[A->col[e]];
      entries = end > entries ? end : entries;
    }
  if (entries > s->capacity) return 0;
  memcpy(s->M, A->val, entries * sizeof *s->M);
  for (int i = 0; i < A->nb; i++) {
    const double *b = ns_blocks_at(A, i, i);
    if (!b) return 0;
    for (int r = 0; r < A->dim[i]; r++)
      s->M[(b - A->val) + r * (A->dim[i] + 1)] += s->R[A->first[i] + r];
  }
  s->A = *A;
  s->A.val = s->M;
  sub->blocks = &s->A;
  return 1;
}

static int regularise(ns_proximal *s, const ns_box *p, ns_box *sub)
{
  size_t n = (size_t)p->n;
  *sub = (ns_box){.n = p->n, .q = s->q, .lb = p->lb, .ub = p->ub, .watch = p->watch};
  if (p->blocks) return regularise_blocks(s, p, sub);
  for (size_t j = 0; j < n; j++) {
    memcpy(s->M + j * n, p->dense + j * (size_t)p->ld, n * sizeof *s->M);
    s->M[j * (n + 1)] += s->R[j];
  }
  sub->dense = s->M;
  sub->ld = p->n;
  return 1;
}

/* The solution of a step into k->z; 0 where there is none. */
static int step(ns_proximal *s, ns_newton *a, ns_lemke *l, ns_box_work *k, const ns_box *sub,
                const int *row, double *w, int limit, int *iterations)
{
  ns_newton_guard guard = k->boxed ? NS_NEWTON_GUARDED : NS_NEWTON_PATIENT;
  double residual = INFINITY;
  ns_box_begin(k, sub);
  if (ns_newton_run(a, k, sub, row, s->z, w, guard, limit, iterations, &residual) == NS_SOLVED &&
      ns_box_accept_direct(k, sub, row, w, &residual))
    return 1;
  return k->boxed &&
         ns_lemke_run(l, k, sub, row, NULL, s->z, w, iterations, &residual) == NS_SOLVED;
}

/* The candidate k->z of the problem itself: is it the answer? */
static int is_answer(ns_box_work *k, const ns_box *p, const int *row, double *w, double *residual)
{
  ns_box_begin(k, p);
  if (k->boxed) return ns_box_accept(k, p, row, w, residual);
  *residual = ns_box_work_residual(k, p, k->z, w);
  return *residual <= k->opt.tol && ns_box_accept(k, p, row, w, residual);
}

ns_outcome_kind ns_proximal_run(ns_proximal *s, ns_newton *a, ns_lemke *l, ns_box_work *k,
                                const ns_box *p, const int *row, const double *z, double *w,
                                int limit, int *iterations, double *residual)
{
  int n = p->n, worse = 0;
  double best = INFINITY;
  ns_box sub;
  memcpy(s->z, z, (size_t)n * sizeof *z);
  ns_box_clip(k, p, s->z);
  ns_box_scales(k, p);
  for (int i = 0; i < n; i++) s->R[i] = (k->boxed ? RHO_BOXED : RHO) / k->r[i];
  if (!regularise(s, p, &sub)) return NS_LIMIT;
  for (int it = 0; it < STEPS && worse < 3 && !ns_solve_over(p->watch); it++) {
    for (int i = 0; i < n; i++) s->q[i] = p->q[i] - s->R[i] * s->z[i];
    if (!step(s, a, l, k, &sub, row, w, limit, iterations)) break;
    memcpy(s->z, k->z, (size_t)n * sizeof *z);
    if (is_answer(k, p, row, w, residual)) return NS_SOLVED;
    worse = *residual < 0.9 * best ? 0 : worse + 1;
    best = fmin(best, *residual);
  }
  ns_box_begin(k, p);
  return NS_LIMIT;
}
