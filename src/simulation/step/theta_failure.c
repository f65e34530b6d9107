/* SPDX-License-Identifier: GPL-3.0-or-later */
/* theta_failure.c -- what is said where a one-step problem has no solution, or passes of Newton's
 * method do not end. */
#include "simulation/step/theta_parts.h"

#include "model/laws/problem.h"
#include "simulation/step/failure.h"

#include <math.h>
#include <stdio.h>

typedef ns_theta_stepping stepping;

/* The interaction of a row of the problem; NULL: of a contact between shapes. */
static const ns_interaction *interaction_of(const stepping *o, int r)
{
  if (r < o->nL) return &o->s.m->interactions[o->k->interaction[r]];
  if (r < o->nL + o->nF) return &o->s.m->interactions[o->f->interaction[r - o->nL]];
  const ns_rigid_rows *R = o->bodies->rows;
  for (int a = 0; a < R->nunits; a++) {
    int at = r - o->nL - o->nF - R->unit[a].first;
    if (at >= 0 && at < R->unit[a].rows) return &o->s.m->interactions[R->unit[a].interaction];
  }
  return NULL;
}

static ns_moment moment(const stepping *o)
{
  const ns_state *x = o->s.x;
  return (ns_moment){.from = *x->t,
                     .t = ns_theta_time(o->osi),
                     .q = o->view.q,
                     .v = o->view.v,
                     .z = x->z,
                     .lambda = o->alone ? o->lambda : x->lambda,
                     .q0 = x->q,
                     .v0 = x->v};
}

/* Its row has bounds, or a polyhedron; no friction. */
static int is_box(const stepping *o, int r)
{
  return o->alone || o->p.unit[o->p.unit_of[r]].block == NS_BLOCK_BOX;
}

static double distance_of(const stepping *o, int r)
{
  const ns_step_problem *p = &o->p;
  return p->p.solver.poly ? fabs(p->w[r]) : ns_law_distance(p->z[r], p->w[r], p->lb[r], p->ub[r]);
}

/* Who takes part in the problem, and which row is worst. */
static int list_involved(const stepping *o, ns_ctx *c, ns_involved *who, ns_suspect *worst)
{
  const ns_step_problem *p = &o->p;
  ns_moment at = moment(o);
  char numbers[40];
  for (int i = 0; i < p->n; i++) {
    int r = p->active[i];
    const ns_interaction *it = interaction_of(o, r);
    snprintf(numbers, sizeof numbers, "y = %g", p->b[r]);
    if (!isfinite(p->b[r]) && it) return ns_fail_row(c, o->s.m, &at, (size_t)r, numbers);
    if (!isfinite(p->b[r])) return ns_fail_not_finite(c, o->s.m, &at);
    if (it) ns_involved_add(who, o->s.m, (int)(it - o->s.m->interactions));
    if (it && is_box(o, r)) ns_suspect_row(worst, it, r - (int)it->row, distance_of(o, r));
  }
  int blocks = o->bodies ? o->bodies->problem.p.nblocks : 0;
  for (int k = o->bodies ? o->bodies->rows->na : 0; k < blocks; k++)
    ns_rigid_involve(o->bodies, k, who);
  return NS_OK;
}

int ns_th_unsolved(void *self, ns_ctx *c, const ns_outcome *out)
{
  const stepping *o = self;
  ns_suspect worst = {0};
  ns_involved who = {0};
  int rc = list_involved(o, c, &who, &worst);
  if (rc) return rc;
  ns_unsolved_problem said = {.problem = o->alone ? ns_model_problem(o->s.m)
                                                  : ns_step_problem_name(&o->p),
                              .rows = o->p.head + o->p.n,
                              .t = *o->s.x->t,
                              .tolerance = o->s.m->sim.osnsp.tol,
                              .worst = worst.at,
                              .what = worst.what,
                              .fault = worst.fault,
                              .whose = o->alone ? "" : who.text,
                              .look_for = o->alone ? "laws that contradict each other"
                                                   : "laws that contradict each other: "};
  return ns_fail_unsolved(c, o->s.m, &said, out);
}

/* Newton's method has not come to an end. */
int ns_th_diverged(void *self, ns_ctx *c, double residual, ns_suspect *w)
{
  stepping *o = self;
  double again;
  ns_moment at = moment(o);
  ns_relation_point p = ns_th_at_iterate(o);
  int rc = isnan(residual) ? ns_fail_not_finite(c, o->s.m, &at) : NS_OK;
  if (!rc && !o->view.linear) rc = ns_theta_residual(o->osi, c, o->impulse, o->input, 1, &again, w);
  if (rc) return rc;
  if (o->k->nmoving) ns_contacts_suspects(o->k, o->impulse, w);
  if (o->bodies && o->bodies->rows->moving) ns_rigid_suspects(o->bodies, w);
  if (!o->f->linear) ns_couplings_suspects(o->f, &p, o->p.w + o->nL, w);
  return NS_OK;
}
