/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switching_probe.c -- modes of many rows at once, by one short step of time-stepping.
 *
 * Where more rows take part in an event than can be tried, multipliers that are constant over a step h from the state obey
 *
 *   w = y + h y' + M (lambda - lambda_0),   M = D + h C M^-1 B,   -w in N_[lb,ub](lambda)
 *
 * whose solution tells, for h short enough, the modes that follow (Camlibel, Heemels & Schumacher 2002). They are only where the
 * search begins: it judges them by their own motion as it does all others. */
#include "simulation/switching_parts.h"

#include <math.h>
#include <string.h>

enum { FEW = 9 }; /* so many rows are always tried */

int ns_sw_probe_create(switching *o, ns_ctx *c)
{
  ns_sw_problem *k = &o->probe;
  size_t n = o->m->nrows;
  if (n <= FEW) return NS_OK;
  int rc = ns_sw_problem_get(o, c, k, n, "modes of many rows");
  return rc ? rc : ns_sw_problem_solver(c, k, n, o->lb, o->ub);
}

/* Rows that take part, that are held, or that multipliers act on themselves. */
static void choose(switching *o)
{
  ns_sw_problem *k = &o->probe;
  k->n = 0;
  for (int r = 0; r < o->k->nrows; r++) {
    if (!o->search.ask[r] && !o->direct[r] && !ns_sw_is_held(o, r)) continue;
    o->place[r] = k->n;
    k->lb[k->n] = o->lb[r];
    k->ub[k->n] = o->ub[r];
    k->row[k->n++] = r;
  }
}

/* Their problem for a step h from the motion p. */
static int pose(switching *o, const ns_motion *p, double h)
{
  ns_sw_problem *k = &o->probe;
  const ns_rows *D = &o->k->D;
  int n = k->n, rc = NS_OK;
  for (int i = 0; i < n; i++) k->q[i] = p->y[k->row[i]] + h * ns_sw_slope(o, k->row[i], p);
  for (int j = 0; j < n && !rc; j++) {
    rc = ns_sw_response(o, *o->x->t, k->row[j]);
    for (int i = 0; i < n; i++) k->M[i + j * n] = h * ns_rows_dot(&o->k->C, k->row[i], o->b);
  }
  for (int i = 0; i < n; i++)
    for (int e = D->ptr[k->row[i]]; e < D->ptr[k->row[i] + 1]; e++) k->M[i + o->place[D->dof[e]] * n] += D->val[e];
  for (int j = 0; j < n; j++) {
    k->p[j] = p->lambda[k->row[j]];
    for (int i = 0; i < n; i++) k->q[i] -= k->M[i + j * n] * k->p[j];
  }
  return rc;
}

/* Where its solution is in the bounds. */
static void read_modes(switching *o)
{
  const ns_sw_problem *k = &o->probe;
  double most = 0;
  for (int i = 0; i < k->n; i++) most = fmax(most, fabs(k->p[i]));
  for (int i = 0; i < k->n; i++) {
    double width = k->ub[i] - k->lb[i];
    o->x->mode[k->row[i]] = (unsigned char)ns_events_side(k->lb[i], k->ub[i], k->p[i], 1e-9 * (isfinite(width) ? width : most));
  }
}

int ns_sw_probe(switching *o, double h)
{
  ns_sw_problem *k = &o->probe;
  ns_motion *p = &o->at[0];
  ns_outcome out;
  ns_sw_forget(o);
  int rc = ns_sw_motion(o, *o->x->t, o->x->q, p);
  if (rc) return rc < 0 ? rc : NS_OK;
  choose(o);
  rc = pose(o, p, h);
  if (rc) return rc;
  ns_avi problem = {.n = k->n, .dense = k->M, .ld = k->n, .q = k->q, .lb = k->lb, .ub = k->ub};
  rc = k->ops->solve(k->solver, o->c, &problem, k->row, k->p, k->w, &out);
  if (!rc && out.kind == NS_SOLVED) read_modes(o);
  return rc;
}
