/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_parts.h -- time-stepping of rigid bodies: its data, and what its files do for each other.
 */
#ifndef NS_SIMULATION_STEP_RIGID_PARTS_H
#define NS_SIMULATION_STEP_RIGID_PARTS_H

#include "base/team.h"
#include "integrators/integrator.h"
#include "integrators/rigid_motion.h"
#include "simulation/rows/rigid_contacts.h"
#include "simulation/rows/rigid_problem.h"
#include "simulation/rows/rigid_projection.h"
#include "simulation/rows/rigid_recovery.h"
#include "simulation/rows/rigid_rows.h"
#include "simulation/step/failure.h"
#include "simulation/step/time_stepping.h"

/* What a step did to energies, J. */
typedef struct ns_rigid_work_done {
  double contact, friction, driven;
  double potential; /* of springs of compliant contacts, at the end of the step */
} ns_rigid_work_done;

typedef struct ns_rigid_stepping {
  ns_time_stepping s; /* of bodies in a mixture (mixed_stepping.h) model, state and h alone */
  ns_rigid_motion *motion;
  ns_rigid_rows *rows;
  ns_rigid_problem problem; /* blocks: active units, then contacts between shapes */
  ns_multibody_solver *solver;
  ns_team *team;                   /* NULL: one thread */
  ns_rigid_contacts *contacts;     /* between shapes; NULL: no shapes */
  double overlap;                  /* the deepest of them now */
  ns_rigid_projection *projection; /* NULL: none */
  ns_rigid_recovery *recovery;     /* of overlaps; NULL: none */
  double raised;                   /* potential energy that it gave bodies in this step, J */
  ns_projecting projecting;
  int straight;       /* one pass is exact where no contact rolls or gives way */
  int bonded;         /* some contacts of this step bear tension */
  int complying;      /* some give way by a force that is not linear in the velocity */
  ns_rolling rolling; /* of contacts of this step; rows that are foreseen are known */
  int foreseen;
  double *p;      /* impulses of the last solve on the bodies [nv] */
  double *bent;   /* their part (H_theta - H)^T r, r of the pass before [nv] */
  double *turned; /* what the rows that moved with the iterate change in them [nv] */
  double *before; /* ydot at the begin of the step [nrows] */
  ns_rigid_work_done work;
  size_t loaded;    /* gaps whose mode is not free */
  ns_shares shares; /* of steps with many contacts */
  ns_arena *shown;  /* memory of what is shown to those who look at problems */
} ns_rigid_stepping;

/* Motion, rows, contacts, projection and the empty problem of a zeroed *o, whose s has the model of
 * the bodies, their state and h; no solver. What was got before a failure goes with
 * ns_rigid_parts_fini. */
int ns_rigid_parts_init(ns_rigid_stepping *o, ns_ctx *c);
void ns_rigid_parts_fini(ns_rigid_stepping *o);

/* The state from outside: modes, angles, the list of contacts between shapes (rigid_stepping.c). */
int ns_rigid_begin_run(ns_rigid_stepping *o, ns_ctx *c);
/* Its forces are those of the state; contacts of the next step are found from it. */
int ns_rigid_find_contacts(ns_rigid_stepping *o, ns_ctx *c);
/* What overlaps at the start goes apart, joints held: x and its rows move. */
int ns_rigid_take_apart(ns_rigid_stepping *o, ns_ctx *c);
/* The first iterate of a step, in this round and attempt, stands: who takes part, and their
 * problem. */
int ns_rigid_begin(ns_rigid_stepping *o, ns_ctx *c, const ns_time_stepping *of);
/* Positions of the iterate to their constraints, where there is a projection; *again = 1: contacts
 * joined. */
int ns_rigid_project(ns_rigid_stepping *o, ns_ctx *c, int *moved, int *again);
/* Contacts of the last step, as strategy.h has them. */
const ns_contact_record *ns_rigid_records(const void *self, size_t *n);
/* Energy of springs of compliant contacts between shapes, J. */
double ns_rigid_springs(const ns_rigid_stepping *o);

/* The clock, where there are contacts enough for their shares to matter; else 0. */
double ns_rigid_clock(const ns_rigid_stepping *o);

/* ---- one pass of Newton's method (rigid_newton.c) -------------------------------------------- */

/* Rows at the iterate, those that push among them. */
int ns_rigid_eval_rows(ns_rigid_stepping *o, ns_ctx *c);
/* H and b of the problem from them. */
void ns_rigid_fill(ns_rigid_stepping *o);
/* o->bent from the impulses of the pass before, where rows bend; or as it was. */
void ns_rigid_bend(ns_rigid_stepping *o, int as_it_was);
/* o->p from the impulses of the problem, and what bends. */
void ns_rigid_impulse(ns_rigid_stepping *o);
/* 1: rows follow the motion, and have to be looked at once it is known. */
static inline int ns_rigid_rows_move(const ns_rigid_stepping *o)
{
  return (o->rows->moving && o->rows->na) || o->rolling || o->complying;
}
/* How far impulses and velocities are from those of the rows at the new iterate, scaled so that <=
 * 1 is converged: the change of each row and, where they are unique, of impulses. */
double ns_rigid_unsettled(const ns_rigid_stepping *o, int unique);
/* Rows of interactions: how far each is from where it was solved. */
void ns_rigid_suspects(const ns_rigid_stepping *o, ns_suspect *w);
/* Names the interaction or the shapes that block k of the problem is of. */
void ns_rigid_involve(const ns_rigid_stepping *o, int k, ns_involved *w);

/* Attempts at a step: with rows that follow contacts that roll; the same, each problem from
 * impulses of zero: where joints and contacts leave several solutions, the path from those of the
 * pass before ends at another one each time; with rows of the begin, of first order; with impulses
 * that stay those of the pass before where they solve the next problem too. The last two with plain
 * Newton steps (ns_multibody.plain). */
typedef enum ns_rigid_attempt {
  NS_RIGID_FOLLOW,
  NS_RIGID_FROM_ZERO,
  NS_RIGID_BEGIN,
  NS_RIGID_LAST
} ns_rigid_attempt;
/* Operations of ns_step_ops. */
int ns_rigid_solve(void *self, ns_ctx *c, ns_pass *p);
int ns_rigid_advance(void *self, ns_ctx *c, ns_pass *p);
int ns_rigid_diverged(void *self, ns_ctx *c, double residual);
void ns_rigid_end(void *self); /* of bodies in mixtures, too */
/* The problem was not solved: the sentence. */
int ns_rigid_unsolved(void *self, ns_ctx *c, const ns_outcome *out);

/* ---- what follows from a step (rigid_accept.c) ----------------------------------------------- */

/* Before the iterate becomes the state: rows and contacts at it, work of impulses. */
int ns_rigid_conclude(ns_rigid_stepping *o, ns_ctx *c, int recorded);
/* Once it is: work, outputs, angles; returns the deepest penetration. */
double ns_rigid_publish(ns_rigid_stepping *o);
/* Events of the step. */
int ns_rigid_tell(ns_rigid_stepping *o, ns_ctx *c, ns_recorder *rec);

#endif
