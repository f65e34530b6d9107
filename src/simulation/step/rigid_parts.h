/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_parts.h -- private to rigid_*.c and theta_*.c: data and common functions of time-stepping
 * of rigid bodies. */
#ifndef NS_SIMULATION_STEP_RIGID_PARTS_H
#define NS_SIMULATION_STEP_RIGID_PARTS_H

#include "base/team.h"
#include "integrators/integrator.h"
#include "integrators/rigid_motion.h"
#include "simulation/rows/rigid_contacts.h"
#include "simulation/rows/rigid_problem.h"
#include "simulation/rows/rigid_projection.h"
#include "simulation/rows/rigid_rows.h"
#include "simulation/step/contact_events.h"
#include "simulation/step/failure.h"
#include "simulation/step/time_stepping.h"

/* Work and energy of a step, J. */
typedef struct ns_rigid_work_done {
  double contact, friction, driven;
  double potential; /* of springs of compliant contacts, at the end of the step */
} ns_rigid_work_done;

typedef struct ns_rigid_stepping {
  /* for bodies in a mixed model (theta_stepping.h) only model, state, memory and h are used */
  ns_time_stepping s;
  ns_rigid_motion *motion;
  ns_rigid_rows *rows;
  ns_rigid_problem problem; /* blocks: active units, then contacts between shapes */
  ns_multibody_solver *solver;
  ns_team *team;                   /* NULL: one thread */
  ns_rigid_contacts *contacts;     /* between shapes; NULL: no shapes */
  double overlap;                  /* current max. overlap, m */
  ns_rigid_projection *projection; /* NULL: none */
  ns_rigid_projection *recovery;   /* of overlaps; NULL: none */
  /* potential energy gained by bodies through recovery in this step, J */
  double raised;
  /* before the step: energy of springs, and what its impacts have changed in the certificate */
  ns_elastic elastic;
  double approach_max;
  long long impacts;
  ns_projecting projecting;
  int straight;       /* 1: one pass is exact if no contact rolls or is compliant */
  int bonded;         /* 1: some contacts of this step have a tension */
  int complying;      /* 1: some compliant force is not linear in the velocity */
  ns_rolling rolling; /* of contacts of this step; foreseen: predicted rows are known */
  int foreseen;
  double *p;      /* impulses of the last solve on the bodies [nv] */
  double *bent;   /* the part (H_theta - H)^T r of p, with r of the previous pass [nv] */
  double *turned; /* change of impulses due to rows that follow the iterate [nv] */
  ns_rigid_work_done work;
  ns_contact_history history; /* of gaps; ydot at the beginning of the step of all rows */
  ns_shares shares;           /* wall-clock time of steps with many contacts */
} ns_rigid_stepping;

/* Create motion, rows, contacts, projection and the empty problem of a zeroed *o, whose s has the
 * model of the bodies, their state, memory and h; no solver. After a failure, too, call
 * ns_rigid_parts_fini. */
int ns_rigid_parts_init(ns_rigid_stepping *o, ns_ctx *c);
void ns_rigid_parts_fini(ns_rigid_stepping *o);

/* Called for a new state: modes, angles, the list of contacts between shapes (rigid_stepping.c). */
int ns_rigid_begin_run(ns_rigid_stepping *o, ns_ctx *c);
/* Read the laws of the next step: of rows and of contacts between shapes. */
int ns_rigid_take_laws(void *self, ns_ctx *c);
/* Separate overlaps at the start while satisfying joints: changes x and its rows. */
int ns_rigid_take_apart(ns_rigid_stepping *o, ns_ctx *c);
/* Called when the first iterate of a step is known, in this round and attempt: activates rows and
 * creates their problem. */
int ns_rigid_begin(ns_rigid_stepping *o, ns_ctx *c, const ns_time_stepping *of);
/* Project positions of the iterate, if there is a projection; *again = 1: contacts were added.
 * Where there is none, the step is settled. */
int ns_rigid_project(ns_rigid_stepping *o, ns_ctx *c, const ns_time_stepping *of, int *moved,
                     int *again);
/* Contacts of the last step, see ns_strategy_ops.contacts. */
const ns_contact_record *ns_rigid_records(const void *self, size_t *n);
/* Energy of springs of compliant contacts between shapes, J. */
double ns_rigid_springs(const ns_rigid_stepping *o);
/* Contacts between shapes at the start of a run: overlaps are told, bonds and springs begin, whose
 * energy goes to the potential and, of the first state, to energy0. */
int ns_rigid_start_contacts(ns_rigid_stepping *o, ns_ctx *c, ns_certificate *cert, int first);

/* Wall-clock time, s, if there are enough contacts for ns_shares; otherwise 0. What has passed
 * since, however many there are now; 0 since 0. */
double ns_rigid_clock(const ns_rigid_stepping *o);
double ns_rigid_since(double start);

/* ---- one pass of Newton's method (rigid_newton.c) -------------------------------------------- */

/* Evaluate rows at the iterate, including directions of impulses. */
int ns_rigid_eval_rows(ns_rigid_stepping *o, ns_ctx *c);
/* Set H and b of the problem from these rows. */
void ns_rigid_fill(ns_rigid_stepping *o);
/* Update o->bent from the impulses of the previous pass; as_it_was: keep it. */
void ns_rigid_bend(ns_rigid_stepping *o, int as_it_was);
/* Compute o->p from the impulses of the problem and o->bent. */
void ns_rigid_impulse(ns_rigid_stepping *o);
/* 1 if rows follow the motion and have to be checked after it is known. */
static inline int ns_rigid_rows_move(const ns_rigid_stepping *o)
{
  return (o->rows->moving && o->rows->na) || o->rolling || o->complying;
}
/* Change of impulses and velocities with the rows at the new iterate, scaled so that <= 1 means
 * convergence: of each row and, if `unique`, of impulses. */
double ns_rigid_unsettled(const ns_rigid_stepping *o, int unique);
/* Contribution of each row of interactions to it. */
void ns_rigid_suspects(const ns_rigid_stepping *o, ns_suspect *w);
/* Add the interaction or the shapes of block k of the problem to w. */
void ns_rigid_involve(const ns_rigid_stepping *o, int k, ns_involved *w);

/* Attempts at a step: FOLLOW: with rows that follow rolling contacts. FROM_ZERO: the same, with
 * zero impulses as guess of each problem; if joints and contacts have several solutions, a guess
 * from the previous pass leads to a different one each time. BEGIN: with rows at the beginning of
 * the step, which has first order. LAST: impulses of the previous pass are kept if they solve the
 * next problem, too. The last two use plain Newton steps (ns_multibody.plain). */
typedef enum ns_rigid_attempt {
  NS_RIGID_FOLLOW,
  NS_RIGID_FROM_ZERO,
  NS_RIGID_BEGIN,
  NS_RIGID_LAST
} ns_rigid_attempt;
/* Operations of ns_step_ops. */
int ns_rigid_solve(void *self, ns_ctx *c, ns_pass *p);
int ns_rigid_advance(void *self, ns_ctx *c, ns_pass *p);
int ns_rigid_diverged(void *self, ns_ctx *c, double residual, ns_suspect *w);
void ns_rigid_end(void *self); /* also for bodies in mixed models */
/* Failure: the problem was not solved. */
int ns_rigid_unsolved(void *self, ns_ctx *c, const ns_outcome *out);

/* ---- what follows from a step (rigid_accept.c) ----------------------------------------------- */

/* Called when velocities and impulses stand: impacts, guesses of the next step, records and work.
 * Recovery of overlaps may overwrite the problem afterwards, if it has no rows of interactions. */
int ns_rigid_settle(ns_rigid_stepping *o, ns_ctx *c, const ns_time_stepping *of);
/* Called before the iterate becomes the state: rows and contacts at it. */
int ns_rigid_conclude(ns_rigid_stepping *o, ns_ctx *c, const ns_time_stepping *of);
/* Called after it: work, outputs, angles; returns the max. penetration. */
double ns_rigid_publish(ns_rigid_stepping *o);
/* Max. speed of a row of the problem without contacts (ns_contact_history). */
double ns_rigid_fastest(const void *self);
/* Record the events of the step. */
int ns_rigid_report(ns_rigid_stepping *o, ns_ctx *c, ns_recorder *rec);

#endif
