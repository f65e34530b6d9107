/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interior points (central_path.h) on the velocities of the bodies: with y = L^T r, u = q + K y and
 * G = B^-1 A in each block a step is
 *
 *   (1 + L^T G K) dy = -L^T B^-1 F,   dr = -B^-1 F - G K dy
 *
 * whose matrix is that of multibody_augmented.h. */
#include "algebra/dense.h"
#include "problems/central_path.h"
#include "problems/multibody_augmented.h"

#include <string.h>

typedef struct inside {
  ns_augmented_part s;
  ns_sparse_lu *lu;
  ns_solve_watch *watch;
  ns_central o;
  double *D, *G;         /* factors of B, and G, from o.at[k] */
  int *piv;              /* [rows] */
  double *w, *du;        /* [rows] */
  double *y, *dy, *work; /* [nv] */
} inside;

static int get(ns_arena *a, inside *x)
{
  ns_augmented_part *s = &x->s;
  size_t n = (size_t)s->part.n, m = (size_t)s->rows, nv = (size_t)s->nv, all = 0,
         item = sizeof(double);
  ns_law *law = ns_arena_get(a, n, sizeof *law);
  size_t *at = ns_arena_get(a, n + 1, sizeof *at);
  x->piv = ns_arena_get(a, m, sizeof *x->piv);
  if (!law || !at || !x->piv) return 0;
  for (int k = 0; k < s->part.n; k++) {
    int b = s->part.block[k], d = s->first[k + 1] - s->first[k];
    law[k] = NS_LAW(s->p, b, d, s->p->row[b]);
    at[k] = all;
    all += (size_t)(d * d);
  }
  x->o = (ns_central){.nb = s->part.n,
                      .rows = s->rows,
                      .first = s->first,
                      .law = law,
                      .q = s->q,
                      .own = s->own,
                      .at = at};
  const ns_array want[] = {{&x->o.A, all, item}, {&x->o.B, all, item}, {&x->D, all, item},
                           {&x->G, all, item},   {&x->w, m, item},     {&x->du, m, item},
                           {&x->y, nv, item},    {&x->dy, nv, item},   {&x->work, nv, item}};
  return !ns_arena_arrays(a, want, sizeof want / sizeof *want) && ns_central_get(&x->o, a);
}

static void velocities(void *self, const double *r, double *u)
{
  inside *x = self;
  ns_augmented_push(&x->s, r, x->y);
  ns_augmented_velocities(&x->s, x->y, u);
}

static double residual(void *self, const double *r, const double *u)
{
  const inside *x = self;
  return ns_augmented_residual(&x->s, r, u);
}

static int factor(void *self)
{
  inside *x = self;
  const ns_central *o = &x->o;
  if (!ns_solve_afford(x->watch, ns_augmented_work(&x->s, x->lu))) return 0;
  for (int k = 0; k < o->nb; k++) {
    int d = o->law[k].d, *piv = x->piv + o->first[k];
    double *D = x->D + o->at[k], *G = x->G + o->at[k];
    memcpy(D, o->B + o->at[k], (size_t)(d * d) * sizeof *D);
    memcpy(G, o->A + o->at[k], (size_t)(d * d) * sizeof *G);
    if (ns_dense_lu(d, D, d, piv)) return 0;
    ns_dense_lu_solve(d, D, d, piv, d, G, d);
  }
  ns_augmented_matrix_of(&x->s, o->at, x->G);
  return !ns_sparse_lu_load(x->lu, &x->s.J, NULL) && !ns_sparse_lu_update(x->lu);
}

static void solve(void *self, const double *F, double *dr)
{
  inside *x = self;
  const ns_central *o = &x->o;
  for (int i = 0; i < o->rows; i++) dr[i] = -F[i];
  for (int k = 0; k < o->nb; k++) {
    int d = o->law[k].d, row = o->first[k];
    ns_dense_lu_solve(d, x->D + o->at[k], d, x->piv + row, 1, dr + row, d);
  }
  ns_augmented_push(&x->s, dr, x->y);
  ns_augmented_solve_matrix(x->lu, x->s.nv, x->y, x->work, x->dy);
  ns_augmented_velocities(&x->s, x->dy, x->du);
  for (int k = 0; k < o->nb; k++) {
    int d = o->law[k].d, row = o->first[k];
    const double *G = x->G + o->at[k];
    for (int j = 0; j < d; j++)
      for (int i = 0; i < d; i++) dr[row + i] -= G[i + j * d] * (x->du[row + j] - o->q[row + j]);
  }
}

int ns_interior_solve(ns_augmented *s, ns_ctx *c, double tol, int way, int limit,
                      ns_solve_watch *watch, const ns_multibody *p, ns_multibody_part part,
                      int *number, ns_arena *a, double *r, ns_outcome *out)
{
  inside x = {.watch = watch};
  if (!ns_augmented_load(p, part, number, a, &x.s) || !get(a, &x))
    return ns_nomem(c, "interior points on bodies");
  double *best = ns_arena_get(a, (size_t)x.s.rows, sizeof *best);
  if (!best) return ns_nomem(c, "interior points on bodies");
  int rc = ns_augmented_prepare(s, c, &x.s.J, &x.lu);
  if (rc) return rc;
  ns_central_system system = {&x, velocities, residual, factor, solve};
  ns_central_solve(&x.o, &system, way, tol, limit, watch, best, out);
  ns_augmented_copy(&x.s, best, r, 1);
  return NS_OK;
}
