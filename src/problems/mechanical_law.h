/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanical_law.h -- the law of one block, for problems in any form. Private to src/problems. */
#ifndef NS_PROBLEMS_MECHANICAL_LAW_H
#define NS_PROBLEMS_MECHANICAL_LAW_H

#include "algebra/vector.h"
#include "problems/global.h"
#include "problems/mechanical_ball.h"
#include "problems/mechanical_rolling.h"
#include "problems/mechanical_work.h"
#include "problems/row_error.h"

#include <float.h>

typedef struct ns_law {
  int kind, d; /* ns_block_kind, rows */
  double mu, mu_rolling;
  const double *lb, *ub; /* bounds of its rows, in a box or a ball */
} ns_law;

/* Bounds of boxes of problems that have none. */
static const double ns_law_zero[6] = {0}, ns_law_infinity[6] = {INFINITY, INFINITY, INFINITY,
                                                                INFINITY, INFINITY, INFINITY};

/* The law of block a of a problem p (ns_mechanical, ns_global or ns_multibody) whose rows begin at
 * `at`. */
#define NS_LAW(p, a, d_, at) \
  ((ns_law){(p)->kind ? (p)->kind[a] : NS_BLOCK_FRICTION, d_, (p)->mu ? (p)->mu[a] : 0, \
            (p)->mu_rolling ? (p)->mu_rolling[a] : 0, (p)->lb ? (p)->lb + (at) : ns_law_zero, \
            (p)->ub ? (p)->ub + (at) : ns_law_infinity})
static inline ns_law ns_law_of(const ns_mechanical *p, int a)
{
  return NS_LAW(p, a, p->W->dim[a], p->W->first[a]);
}
static inline ns_law ns_law_of_global(const ns_global *p, int a)
{
  return NS_LAW(p, a, p->dim[a], p->first[a]);
}

/* fmin(fmax(x, lb), ub) without function calls. */
static inline double ns_clamped(double x, double lb, double ub)
{
  double above = x > lb ? x : lb;
  return above < ub ? above : ub;
}

/* Project r onto the K of the block, in place. */
static inline void ns_law_project(const ns_law *l, double *r)
{
  if (l->kind == NS_BLOCK_FRICTION) ns_contact_project(l->d, l->mu, r);
  else if (l->kind == NS_BLOCK_ROLLING) ns_mechanical_rolling_cone(l->d, l->mu, l->mu_rolling, r);
  else if (l->kind == NS_BLOCK_BALL) ns_ball_project(l->d, l->ub[0], r);
  else
    for (int i = 0; i < l->d; i++) r[i] = ns_clamped(r[i], l->lb[i], l->ub[i]);
}

/* The term g of u + g e_N. */
static inline double ns_law_lift(const ns_law *l, const double *u)
{
  if (l->kind == NS_BLOCK_FRICTION) return l->mu * ns_contact_slip(l->d, u);
  return l->kind == NS_BLOCK_ROLLING ? ns_rolling_lift(l->d, l->mu, l->mu_rolling, u) : 0;
}

/* Returns s + | r - P_K(r - u - g e_N) |^2. */
static inline double ns_law_add_defect(const ns_law *l, double s, const double *u, const double *r)
{
  if (l->kind == NS_BLOCK_FRICTION) return s + ns_contact_defect(l->d, l->mu, u, r);
  if (l->kind == NS_BLOCK_ROLLING) return s + ns_rolling_defect(l->d, l->mu, l->mu_rolling, u, r);
  if (l->kind == NS_BLOCK_BALL) {
    double F[NS_BALL_ROWS];
    ns_ball_map(l->d, l->ub[0], 1, r, u, F, NULL, NULL);
    for (int i = 0; i < l->d; i++) s += F[i] * F[i];
    return s;
  }
  for (int i = 0; i < l->d; i++) {
    double e = r[i] - ns_clamped(r[i] - u[i], l->lb[i], l->ub[i]);
    s += e * e;
  }
  return s;
}

/* Rows of a law that may be between two bounds, each with an error in its own units (row_error.h).
 * A ball is one of them, whose bound is its radius. */
static inline int ns_law_own_rows(const ns_law *l)
{
  if (l->kind == NS_BLOCK_BOX) return l->d;
  return l->kind == NS_BLOCK_BALL;
}

/* Error of own row i; T: the size of the terms of u_i, of a ball the largest of its rows. */
static inline double ns_law_row_error(const ns_law *l, int i, const double *u, const double *r,
                                      double T)
{
  double F[NS_BALL_ROWS];
  if (l->kind == NS_BLOCK_BOX)
    return ns_row_is_between(l->lb[i], l->ub[i]) ? ns_row_error(r[i], u[i], l->lb[i], l->ub[i], T)
                                                 : 0;
  ns_ball_map(l->d, l->ub[0], ns_row_step(l->ub[0], T), r, u, F, NULL, NULL);
  return ns_row_part(ns_norm((size_t)l->d, F), l->ub[0]);
}

/* A bound of the same for own row i, with |q| + |u - q| for its terms. Mostly it is below
 * NS_ROW_FINE, and the terms need not be summed up. */
static inline double ns_law_row_bound(const ns_law *l, int i, const double *q, const double *u,
                                      const double *r)
{
  double T = fabs(q[i]) + fabs(u[i] - q[i]);
  for (int k = 1; k < l->d && l->kind == NS_BLOCK_BALL; k++)
    T = ns_larger(fabs(q[k]) + fabs(u[k] - q[k]), T);
  return ns_law_row_error(l, i, u, r, T);
}

/* Returns max(worst, errors of all own rows of a block with these q, u and r); terms: the size of
 * the terms of u_i, asked for where the bound does not do. */
static inline double ns_law_own_error(const ns_law *l, const double *q, const double *u,
                                      const double *r, double (*terms)(const void *of, int i),
                                      const void *of, double worst)
{
  for (int i = 0, n = ns_law_own_rows(l); i < n; i++) {
    double bound = ns_law_row_bound(l, i, q, u, r), T = 0;
    if (bound <= NS_ROW_FINE) worst = fmax(worst, bound);
    if (bound <= fmax(worst, NS_ROW_FINE)) continue;
    for (int k = i; k < (l->kind == NS_BLOCK_BALL ? l->d : i + 1); k++) T = fmax(T, terms(of, k));
    worst = fmax(worst, ns_law_row_error(l, i, u, r, T));
  }
  return worst;
}

/* Returns max(worst, those bounds of all own rows). */
static inline double ns_law_max_error(const ns_law *l, const double *q, const double *u,
                                      const double *r, double worst)
{
  for (int i = 0, n = ns_law_own_rows(l); i < n; i++)
    worst = ns_larger(ns_law_row_bound(l, i, q, u, r), worst);
  return worst;
}

/* Returns s + |.|^2 of the same map over the rows of a box, |u|^2 of equalities. */
static inline double ns_law_add_open(const ns_law *l, double s, const double *u, const double *r)
{
  return l->kind == NS_BLOCK_BOX ? ns_law_add_defect(l, s, u, r) : s;
}

/* Impulses hide velocities in the natural map where they are larger by this. */
#define NS_HIDING 1e4

/* Returns s + the square of the normal velocity of a block of friction that closes, as where no
 * impulse moves its bodies. */
static inline double ns_law_add_closing(const ns_law *l, double s, const double *u)
{
  int is_contact = l->kind == NS_BLOCK_FRICTION || l->kind == NS_BLOCK_ROLLING;
  return is_contact && u[0] < 0 ? s + u[0] * u[0] : s;
}

/* The residual e, but at least s / scale^2, where s is ns_law_add_open of all blocks and `scale`
 * the size of velocities. */
static inline double ns_law_with_open(double e, double s, double scale)
{
  return scale > DBL_EPSILON ? ns_larger(s / (scale * scale), e) : e;
}

#endif
