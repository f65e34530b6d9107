/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proximal points (Rockafellar 1976):  z+ solves the AVI of M + R, q - R z, with a small diagonal R, again until the
 * residual of the problem itself is met. For a semidefinite M each of them is definite, so it has one solution and the
 * sequence converges, also where free blocks and states of M are singular. Part of "auto", not a solver of its own. */
#include "problems/avi_work.h"

#define RHO 1e-6   /* of the largest entry of the row */
#define STEPS 30
#define NEWTON 20

struct ns_avi_proximal {
  double *M, *q, *z, *x; /* M + R [ndense^2], the others [ndense]; x: the solution of a step */
};

int ns_avi_proximal_create(ns_avi_work *k, ns_ctx *c, ns_avi_proximal **out)
{
  ns_avi_proximal *s = NULL;
  size_t n = (size_t)k->ndense;
  int rc = ns_avi_work_get(k, c, 1, sizeof *s, &s);
  if (rc) return rc;
  if ((rc = ns_avi_work_get(k, c, n * n, sizeof(double), &s->M)) || (rc = ns_avi_work_get(k, c, n, sizeof(double), &s->q)) ||
      (rc = ns_avi_work_get(k, c, n, sizeof(double), &s->z)) || (rc = ns_avi_work_get(k, c, n, sizeof(double), &s->x)))
    return rc;
  *out = s;
  return NS_OK;
}

/* R_i = RHO s_i; r holds 1/s_i of the problem itself. */
static void regularise(ns_avi_proximal *s, const ns_avi_work *k, int n)
{
  for (int j = 0; j < n; j++) {
    memcpy(s->M + (size_t)j * (size_t)n, k->M + (size_t)j * (size_t)k->ld, (size_t)n * sizeof *s->M);
    s->x[j] = RHO / k->r[j];
    s->M[(size_t)j * (size_t)(n + 1)] += s->x[j];
  }
}

static int step(ns_avi_proximal *s, ns_avi_newton *a, ns_avi_pivots *l, ns_avi_work *k, const ns_avi *p, double *w,
                int *iterations)
{
  double residual = INFINITY;
  ns_avi_begin(k, p);
  if (ns_avi_newton_run(a, k, p, s->z, w, 1, NEWTON, iterations, &residual) == NS_SOLVED &&
      ns_avi_accept_direct(k, p, w, &residual))
    return 1;
  return ns_avi_lemke_run(l, k, p, NULL, s->z, w, iterations, &residual) == NS_SOLVED;
}

ns_outcome_kind ns_avi_proximal_run(ns_avi_proximal *s, ns_avi_newton *a, ns_avi_pivots *l, ns_avi_work *k, const ns_avi *p,
                                    const double *z, double *w, int *iterations, double *residual)
{
  int n = p->n, worse = 0;
  double best = INFINITY;
  ns_avi sub = {.n = n, .dense = s->M, .ld = n, .q = s->q, .lb = p->lb, .ub = p->ub, .watch = p->watch};
  memcpy(s->z, z, (size_t)n * sizeof *z);
  ns_avi_clip(p, s->z);
  ns_avi_begin(k, p);
  regularise(s, k, n);
  for (int it = 0; it < STEPS && worse < 3 && !ns_solve_over(p->watch); it++) {
    for (int i = 0; i < n; i++) s->q[i] = p->q[i] - s->x[i] * s->z[i];
    if (!step(s, a, l, k, &sub, w, iterations)) break;
    memcpy(s->z, k->z, (size_t)n * sizeof *z);
    ns_avi_begin(k, p);
    if (ns_avi_accept(k, p, w, residual)) return NS_SOLVED;
    worse = *residual < 0.9 * best ? 0 : worse + 1;
    if (*residual < best) best = *residual;
  }
  ns_avi_begin(k, p);
  return NS_LIMIT;
}
