/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/rigid_recovery.h"

#include "model/systems/rigid_body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the smallest shape, an overlap that stays. */
static const double SLACK = 1e-3;
/* Steps in which a contact that bounces may take out its overlap itself: restitution of 0.05 does.
 */
static const double STEPS_TO_OPEN = 10;
/* Gaps up to so many times the deepest overlap may close as bodies are moved. */
static const double NEAR = 3;
/* A tenth of the overlap may be left to the next step: sweeps past that cost more than they bring.
 */
static const double TOLERANCE = 1e-3;
enum { SWEEPS = 20 };

struct ns_rigid_recovery {
  const ns_rigid_motion *motion;
  ns_rigid_contacts *contacts;
  ns_rigid_problem problem;
  ns_multibody_solver *solver;
  double *inverse, *zero, *xi; /* M^-1 of each body, 0 where it stays; [nv] */
};

static void hold_bodies_of_interactions(ns_rigid_recovery *o)
{
  const ns_model *m = o->motion->m;
  size_t block = (size_t)(o->motion->dof * o->motion->dof);
  for (int i = 0; i < m->ninteractions; i++)
    for (int k = 0; k < m->interactions[i].nsystems; k++)
      memset(o->inverse + block * (size_t)m->interactions[i].systems[k], 0,
             block * sizeof *o->inverse);
}

int ns_rigid_recovery_create(ns_ctx *c, const ns_rigid_motion *motion, ns_rigid_contacts *contacts,
                             ns_rigid_recovery **out)
{
  size_t nv = motion->m->nv, blocks = (size_t)(motion->nbodies * motion->dof * motion->dof);
  ns_rigid_recovery *o = *out = calloc(1, sizeof *o);
  if (!o) return ns_nomem(c, "overlaps");
  *o = (ns_rigid_recovery){.motion = motion, .contacts = contacts};
  ns_rigid_problem_init(&o->problem, motion->nbodies, motion->dof, 0);
  o->inverse = calloc(blocks + 1, sizeof *o->inverse);
  o->zero = calloc(nv + 1, sizeof *o->zero);
  o->xi = calloc(nv + 1, sizeof *o->xi);
  int rc = o->inverse && o->zero && o->xi ? NS_OK : ns_nomem(c, "overlaps");
  const ns_multibody_options opt = {
      .solver = "nsgs", .tol = TOLERANCE, .max_iterations = SWEEPS, .team = motion->team};
  if (!rc) rc = ns_multibody_create(c, &opt, &o->solver);
  if (rc) {
    ns_rigid_recovery_destroy(o);
    *out = NULL;
    return rc;
  }
  memcpy(o->inverse, motion->rest, blocks * sizeof *o->inverse);
  hold_bodies_of_interactions(o);
  return NS_OK;
}

void ns_rigid_recovery_destroy(ns_rigid_recovery *o)
{
  if (!o) return;
  ns_rigid_problem_fini(&o->problem);
  ns_multibody_destroy(o->solver);
  free(o->inverse);
  free(o->zero);
  free(o->xi);
  free(o);
}

void ns_rigid_recovery_borrow(ns_rigid_recovery *o, ns_multibody_solver *lender)
{
  ns_multibody_borrow(o->solver, lender);
}

size_t ns_rigid_recovery_bytes(const ns_rigid_recovery *o)
{
  if (!o) return 0;
  size_t blocks = (size_t)(o->motion->nbodies * o->motion->dof * o->motion->dof);
  return sizeof *o + (blocks + 2 * o->motion->m->nv) * sizeof(double) +
         ns_rigid_problem_bytes(&o->problem) + ns_multibody_bytes(o->solver);
}

/* How far below its slack a gap is that the contact does not open by itself; H: its normal row. */
static double excess_of(const ns_rigid_recovery *o, const ns_rigid_touch *t, const double *H,
                        const double *v, double h, double slack)
{
  double opens = 0;
  if (ns_rigid_contacts_bounces(o->contacts, t))
    opens = fmax(ns_rigid_row_speed(o->motion->dof, 2, t->body, H, v), 0);
  return fmax(0, -t->gap - slack - STEPS_TO_OPEN * h * opens);
}

static int add(ns_rigid_recovery *o, ns_ctx *c, const ns_rigid_touch *t, const double *H, double b)
{
  ns_rigid_problem *p = &o->problem;
  int at = ns_rigid_problem_add(p, NS_BLOCK_BOX, 1, t->body[0], t->body[1]);
  if (at < 0) return ns_nomem(c, "overlaps");
  size_t width = 2 * (size_t)p->p.dof;
  memcpy(p->H + width * (size_t)at, H, width * sizeof *H);
  p->b[at] = b;
  return NS_OK;
}

/* Rows of all gaps up to `near`; the deepest excess, 0: nothing is to be done. */
static int pose(ns_rigid_recovery *o, ns_ctx *c, const double *v, double h, double near,
                double slack, double *deepest)
{
  double H[12], part = o->motion->m->contact.recover;
  int n, rc = NS_OK;
  ns_rigid_problem_clear(&o->problem);
  *deepest = 0;
  const ns_rigid_touch *t = ns_rigid_contacts_list(o->contacts, &n);
  for (int i = 0; i < n && !rc; i++) {
    if (!(t[i].gap <= near) || ns_rigid_contacts_keeps_overlap(o->contacts, &t[i])) continue;
    ns_rigid_contacts_gap_row(o->contacts, &t[i], H);
    double excess = excess_of(o, &t[i], H, v, h, slack);
    *deepest = fmax(*deepest, excess);
    rc = add(o, c, &t[i], H, excess > 0 ? -part * excess : fmax(t[i].gap + slack, 0));
  }
  return rc;
}

/* xi; lengths are scaled to 1, or a solver would take them for zero. */
static int solve(ns_rigid_recovery *o, ns_ctx *c, double scale)
{
  ns_rigid_problem *p = &o->problem;
  ns_outcome out;
  for (int i = 0; i < ns_rigid_problem_rows(p); i++) p->b[i] /= scale;
  p->p.inverse = o->inverse;
  p->p.symmetric = 1;
  p->p.vfree = o->zero;
  int rc = ns_rigid_problem_solve(p, o->solver, c, o->xi, &out);
  for (size_t i = 0; i < o->motion->m->nv; i++) o->xi[i] *= scale;
  return rc;
}

/* The deepest gap of those that do not keep it. */
static double deepest_gap(const ns_rigid_recovery *o)
{
  double deepest = 0;
  int n;
  const ns_rigid_touch *t = ns_rigid_contacts_list(o->contacts, &n);
  for (int i = 0; i < n; i++)
    if (t[i].gap < deepest && !ns_rigid_contacts_keeps_overlap(o->contacts, &t[i]))
      deepest = t[i].gap;
  return deepest;
}

int ns_rigid_recovery_apply(ns_rigid_recovery *o, ns_ctx *c, double *q, const double *v, double h,
                            int *moved)
{
  double slack = SLACK * ns_rigid_contacts_smallest(o->contacts), deepest;
  const ns_model *m = o->motion->m;
  *moved = 0;
  ns_rigid_contacts_gaps(o->contacts, q);
  double overlap = -deepest_gap(o);
  if (!(overlap > slack)) return NS_OK;
  int rc = pose(o, c, v, h, NEAR * overlap, slack, &deepest);
  if (rc || !(deepest > 0)) return rc;
  rc = solve(o, c, deepest);
  for (size_t i = 0; i < m->nq && !rc && o->motion->dof == 3; i++) q[i] += o->xi[i];
  for (int i = 0; i < m->nsystems && !rc && o->motion->dof == 6; i++)
    ns_rigid_move(&m->systems[i], 1, o->xi + m->systems[i].v, q + m->systems[i].q);
  *moved = !rc;
  return rc;
}
