/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switching_probe.c -- modes of all rows at once, by one short step of implicit time-stepping.
 *
 * Multipliers that are constant over a step h from the state, and a motion that is as at its end,
 * obey
 *
 *   w = y + h C v + M (lambda - lambda_0),   M = D + h C M^-1 B,   -w in N_[lb,ub](lambda)
 *
 * with y and v at lambda_0 and t + h,
 *
 * whose solution tells, for h short enough, the modes that follow (Camlibel, Heemels & Schumacher
 * 2002). It is a proposal: the search judges it by its own motion as it does all others.
 *
 * Rows have units of their own, and where nodes of a circuit float or rows depend on each other M
 * is singular. So rows and columns are divided by the same numbers, by which diagonal entries
 * become 1, or where these are 0 the largest entry of row and column; and REGULAR is added to the
 * diagonal: of all multipliers that solve the problem this takes the shortest (Tikhonov; Facchinei
 * & Pang 2003, 12.2), as held.h does in a mode. */
#include "algebra/vector.h"
#include "base/grow.h"
#include "simulation/events/switching_parts.h"

#include "algebra/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double REGULAR = 1e-12; /* below what parts of a model differ by, above rounding */
static const double TINY = 1e-13;    /* of the largest entry: a diagonal one below it is rounding */
static const double AT_BOUND = 1e-12; /* of the largest multiplier: nearer to a bound is on it */

int ns_sw_probe_create(switching *o, ns_ctx *c)
{
  ns_sw_problem *k = &o->probe;
  size_t n = o->m->nrows;
  if (!n) return NS_OK;
  int rc = ns_sw_problem_get(o, c, k, n, "modes of all rows");
  k->n = (int)n;
  k->coupled = 1;
  for (int r = 0; r < k->n && !rc; r++) k->row[r] = r;
  return rc ? rc : ns_sw_problem_solver(c, k, ns_lcp_defaults().tol, o->lb, o->ub);
}

int ns_sw_problem_matrix(switching *o, ns_sw_problem *k, double a, double d)
{
  const ns_rows *D = &o->k->D;
  int n = k->n, rc = NS_OK;
  for (int i = 0; i < n; i++) o->place[k->row[i]] = i + 1;
  for (int j = 0; j < n && !rc; j++) {
    rc = ns_sw_response(o, *o->x->t, o->x->q, k->row[j]);
    for (int i = 0; i < n; i++) k->M[i + j * n] = a * ns_rows_dot(&o->k->C, k->row[i], o->b);
  }
  for (int i = 0; i < n; i++)
    for (int e = D->ptr[k->row[i]]; e < D->ptr[k->row[i] + 1]; e++)
      if (o->place[D->dof[e]]) k->M[i + (o->place[D->dof[e]] - 1) * n] += d * D->val[e];
  for (int i = 0; i < n; i++) o->place[k->row[i]] = 0;
  return rc;
}

/* The problem of a step h from the motion p. */
static int pose(switching *o, const ns_motion *p, double h)
{
  ns_sw_problem *k = &o->probe;
  int n = k->n, rc = ns_sw_problem_matrix(o, k, h, 1);
  for (int i = 0; i < n; i++) k->q[i] = p->y[i] + h * ns_rows_dot(&o->k->C, i, p->v);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) k->q[i] -= k->M[i + j * n] * p->lambda[j];
  return rc;
}

/* Largest entry of row and column i, others being divided already where by[] is not 0 (NULL: none
 * is). */
static double largest(const ns_sw_problem *k, int i, const double *by)
{
  double max = 0;
  for (int j = 0; j < k->n; j++) {
    double entry = fmax(fabs(k->M[i + j * k->n]), fabs(k->M[j + i * k->n]));
    max = fmax(max, by ? entry * by[j] : entry);
  }
  return max;
}

/* Divide rows and columns; what the multipliers are to be multiplied by is left in `scale`. */
static void equilibrate(ns_sw_problem *k)
{
  int n = k->n;
  double *by = k->scale;
  for (int i = 0; i < n; i++) {
    double own = k->M[i + i * n];
    by[i] = own > TINY * largest(k, i, NULL) ? 1 / sqrt(own) : 0;
  }
  for (int i = 0; i < n; i++) {
    if (by[i] > 0) continue;
    double max = largest(k, i, by);
    k->w[i] = max > 0 ? 1 / max : 1;
  }
  for (int i = 0; i < n; i++)
    if (!(by[i] > 0)) by[i] = k->w[i];
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) k->M[i + j * n] *= by[i] * by[j];
}

/* Bounds of the scaled unknowns. Those of impulses, which are 0 or infinite, stay what they are. */
static void scale_bounds(ns_sw_problem *k, const double *lb, const double *ub)
{
  for (int i = 0; i < k->n; i++) {
    double by = k->scale[i] * k->size;
    k->lb[i] = lb[k->row[i]] / by;
    k->ub[i] = ub[k->row[i]] / by;
  }
}

/* Equations w = 0 of multipliers without bounds have either sign: that which makes M semidefinite
 * where the other rows are, as those of a passive circuit, whose switches take power. */
static void turn_equations(ns_sw_problem *k, const double *lb, const double *ub)
{
  int n = k->n;
  for (int i = 0; i < n; i++) {
    double low = lb ? lb[k->row[i]] : k->lb[i], high = ub ? ub[k->row[i]] : k->ub[i];
    double own = k->M[i + i * n], pairs = 0;
    if (isfinite(low) || isfinite(high)) continue;
    for (int j = 0; j < n; j++) pairs -= k->M[i + j * n] * k->M[j + i * n];
    if (own > 0 || (own == 0 && pairs >= 0)) continue;
    for (int j = 0; j < n; j++) k->M[i + j * n] = -k->M[i + j * n];
    k->q[i] = -k->q[i];
  }
}

int ns_sw_problem_solve(switching *o, ns_sw_problem *k, const double *lb, const double *ub)
{
  int n = k->n;
  double size = 0;
  ns_outcome out;
  turn_equations(k, lb, ub);
  equilibrate(k);
  for (int i = 0; i < n; i++) {
    if (k->coupled) k->M[i + i * n] += REGULAR;
    size = fmax(size, fabs(k->q[i] *= k->scale[i]));
    k->p[i] = 0;
  }
  k->size = size > 0 ? size : 1;
  ns_divide((size_t)n, k->size, k->q);
  if (lb) scale_bounds(k, lb, ub);
  ns_avi problem = {.n = n, .dense = k->M, .ld = n, .q = k->q, .lb = k->lb, .ub = k->ub};
  int rc = k->ops->solve(k->solver, o->run.c, &problem, NULL, k->p, k->w, &out);
  /* a proximal step takes away what the diagonal has changed (Rockafellar 1976) */
  if (!rc && out.kind == NS_SOLVED && k->coupled) {
    ns_axpy((size_t)n, -REGULAR, k->p, k->q);
    rc = k->ops->solve(k->solver, o->run.c, &problem, NULL, k->p, k->w, &out);
  }
  k->solved = !rc && out.kind == NS_SOLVED;
  return rc;
}

/* Where its solution is in the bounds. */
static void read_modes(switching *o)
{
  const ns_sw_problem *k = &o->probe;
  double max = ns_max_abs((size_t)k->n, k->p);
  for (int i = 0; i < k->n; i++)
    if (k->lb[i] < k->ub[i])
      o->x->mode[i] = (unsigned char)ns_events_side(k->lb[i], k->ub[i], k->p[i], AT_BOUND * max);
}

int ns_sw_probe(switching *o, double h, int *solved)
{
  ns_motion *p = &o->at[0];
  *solved = 0;
  ns_sw_forget(o);
  int rc = ns_sw_motion(o, *o->x->t + h, o->x->q, p);
  if (!rc) rc = pose(o, p, h);
  if (!rc) rc = ns_sw_problem_solve(o, &o->probe, o->lb, o->ub);
  if (rc) return rc < 0 ? rc : NS_OK;
  *solved = o->probe.solved;
  if (*solved) read_modes(o);
  return NS_OK;
}

/* ---- whether there is a solution at all ------------------------------------------------------ */

enum { SIDES = 3, MAX_CHOICES = 20000 };
static const double SLACK = 1e-8; /* of multipliers and w of size 1 */

/* The next choice of a side for each row, of those whose bounds are finite. 0: that was the last.
 */
static int next_choice(const ns_sw_problem *k, unsigned char *side)
{
  for (int i = 0; i < k->n; i++) {
    while (++side[i] < SIDES)
      if (side[i] == 1 ? isfinite(k->lb[i]) : isfinite(k->ub[i]) && k->lb[i] < k->ub[i]) return 1;
    side[i] = 0;
  }
  return 0;
}

static double bound_of(const ns_sw_problem *k, int side, int i)
{
  return side == 1 ? k->lb[i] : k->ub[i];
}

/* The problem with the rows of side 1 at lb, of side 2 at ub, and w = 0 in the others; A [n x n],
 * p, w [n]. */
static int choice_solves(const ns_sw_problem *k, const unsigned char *side, double *A, double *p,
                         double *w, int *pivot)
{
  int n = k->n;
  double max = 1;
  for (int i = 0; i < n; i++) p[i] = side[i] ? bound_of(k, side[i], i) : -k->q[i];
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      A[i + j * n] = side[i] || side[j] ? (double)(i == j) : k->M[i + j * n];
      if (!side[i] && side[j]) p[i] -= k->M[i + j * n] * bound_of(k, side[j], j);
    }
  if (ns_dense_lu(n, A, n, pivot)) return 0;
  ns_dense_lu_solve(n, A, n, pivot, 1, p, n);
  max = fmax(max, ns_max_abs((size_t)n, p));
  for (int i = 0; i < n; i++) {
    w[i] = k->q[i];
    for (int j = 0; j < n; j++) w[i] += k->M[i + j * n] * p[j];
    double slack = SLACK * max;
    if (p[i] < k->lb[i] - slack || p[i] > k->ub[i] + slack) return 0;
    if ((side[i] != 1 && w[i] > slack) || (side[i] != 2 && w[i] < -slack)) return 0;
  }
  return 1;
}

int ns_sw_probe_exhaust(const switching *o)
{
  const ns_sw_problem *k = &o->probe;
  size_t n = (size_t)k->n;
  double choices = 1, *A = malloc((n * n + 2 * n) * sizeof *A);
  unsigned char *side = calloc(n, 1);
  int *pivot = malloc(n * sizeof *pivot), solves = 0;
  for (int i = 0; i < k->n; i++) choices *= 1 + isfinite(k->lb[i]) + isfinite(k->ub[i]);
  if (!A || !side || !pivot || choices > MAX_CHOICES) solves = -1;
  else do
      solves = choice_solves(k, side, A, A + n * n, A + n * n + n, pivot);
    while (!solves && next_choice(k, side));
  NS_FREE(A, side, pivot);
  return solves;
}
