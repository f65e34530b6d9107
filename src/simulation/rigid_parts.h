/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_parts.h -- the driver of rigid bodies: its data, and what its files do for each other. */
#ifndef NS_SIMULATION_RIGID_PARTS_H
#define NS_SIMULATION_RIGID_PARTS_H

#include "base/team.h"
#include "integrators/integrator.h"
#include "integrators/rigid_motion.h"
#include "simulation/controls.h"
#include "simulation/failure.h"
#include "simulation/rigid_contacts.h"
#include "simulation/rigid_problem.h"
#include "simulation/rigid_projection.h"
#include "simulation/rigid_rows.h"
#include "simulation/strategy.h"

typedef struct ns_rigid_stepping {
  const ns_model *m;
  ns_state *x;
  double h;
  ns_rigid_motion *motion;
  ns_rigid_rows *rows;
  ns_rigid_problem problem; /* blocks: active units, then contacts between shapes */
  ns_multibody_solver *solver;
  ns_team *team;            /* NULL: one thread */
  ns_rigid_contacts *contacts; /* between shapes; NULL: no shapes */
  double overlap;           /* the deepest of them now */
  ns_rigid_projection *projection; /* NULL: none */
  ns_projecting projecting;
  ns_controls *controls;    /* NULL: none */
  int one_pass;
  int bonded;               /* some contacts of this step bear tension */
  int complying;            /* some give way by a force that is not linear in the velocity */
  ns_rolling rolling; /* of contacts of this step; rows that are foreseen are known */
  int foreseen;
  double *p;                /* impulses of the last solve on the bodies [nv] */
  double *bent;             /* their part (H_theta - H)^T r, r of the pass before [nv] */
  double *turned;           /* what the rows that moved with the iterate change in them [nv] */
  double *before;           /* ydot at the begin of the step [nrows] */
  size_t loaded;            /* gaps whose mode is not free */
  ns_shares shares;         /* of steps with many contacts */
  const ns_watch *w;        /* NULL: nobody looks at problems */
  ns_arena *shown;          /* memory of what is shown */
} ns_rigid_stepping;

/* Motion, rows, contacts, projection and the empty problem of a zeroed *o, for bodies of m with their state x; solver and
 * controls are left NULL. What was got before a failure goes with ns_rigid_parts_fini. */
int ns_rigid_parts_init(ns_rigid_stepping *o, ns_ctx *c, const ns_model *m, ns_state *x);
void ns_rigid_parts_fini(ns_rigid_stepping *o);

/* The state from outside: modes, angles, the list of contacts between shapes (rigid_stepping.c). */
int ns_rigid_begin_run(ns_rigid_stepping *o, ns_ctx *c);
/* Its forces are those of the state; contacts of the next step are found from it. */
int ns_rigid_find_contacts(ns_rigid_stepping *o, ns_ctx *c);
/* What overlaps at the start goes apart, joints held: x and its rows move. */
int ns_rigid_take_apart(ns_rigid_stepping *o, ns_ctx *c);
/* Who takes part in the step; nothing where rounds decide (NS_PROJECT_COMBINED). */
void ns_rigid_activate(ns_rigid_stepping *o);
/* Positions of the iterate to their constraints. */
int ns_rigid_project(ns_rigid_stepping *o, ns_ctx *c, int *moved);
/* The first iterate stands: which contacts the forces of the step may close. */
void ns_rigid_forecast(ns_rigid_stepping *o);
/* Blocks of the units and contacts that take part, behind each other in the problem; whether contacts follow their rolling. */
int ns_rigid_pose(ns_rigid_stepping *o, ns_ctx *c, int follow);

/* The clock, where there are contacts enough for their shares to matter; else 0. */
double ns_rigid_clock(const ns_rigid_stepping *o);

/* ---- one pass of Newton's method (rigid_newton.c) -------------------------------------------------------------------- */

/* Rows at the iterate, those that push among them. */
int ns_rigid_eval_rows(ns_rigid_stepping *o, ns_ctx *c);
/* H and b of the problem from them. */
void ns_rigid_fill(ns_rigid_stepping *o);
/* o->bent from the impulses of the pass before, where rows bend; or as it was. */
void ns_rigid_bend(ns_rigid_stepping *o, int as_it_was);
/* o->p from the impulses of the problem, and what bends. */
void ns_rigid_impulse(ns_rigid_stepping *o);
/* 1: rows follow the motion, and have to be looked at once it is known. */
static inline int ns_rigid_rows_move(const ns_rigid_stepping *o) { return (o->rows->moving && o->rows->na) || o->rolling || o->complying; }
/* How far impulses and velocities are from those of the rows at the new iterate, scaled so that <= 1 is converged: the change
 * of each row and, where they are unique, of impulses. */
double ns_rigid_unsettled(const ns_rigid_stepping *o, int unique);
/* Rows of interactions: how far each is from where it was solved. */
void ns_rigid_suspects(const ns_rigid_stepping *o, ns_suspect *w);
/* The last pass is done. */
void ns_rigid_end(ns_rigid_stepping *o);
/* Names the interaction or the shapes that block k of the problem is of. */
void ns_rigid_involve(const ns_rigid_stepping *o, int k, ns_involved *w);

/* How a step is tried: with rows that follow contacts that roll; with those of the begin; with impulses that stay those of the pass
 * before where they solve the next problem too. What ns_rigid_newton returns where another way is left: nothing is told. */
typedef enum ns_rigid_try { NS_RIGID_FOLLOW, NS_RIGID_BEGIN, NS_RIGID_LAST } ns_rigid_try;
enum { NS_RIGID_AGAIN = 1 };
/* One step's velocities and impulses from the problem as it is posed: passes of Newton's method (rigid_newton.c). */
int ns_rigid_newton(ns_rigid_stepping *o, ns_ctx *c, ns_rigid_try try, ns_step_report *report);
/* The problem was not solved: the sentence. */
int ns_rigid_unsolved(const ns_rigid_stepping *o, ns_ctx *c, const ns_outcome *out);

/* ---- what follows from a step (rigid_accept.c) ----------------------------------------------------------------------- */

/* The iterate becomes the state, and what follows from that: outputs, certificate, events to rec, which may be NULL. A
 * failure leaves the state as it was. */
int ns_rigid_accept(ns_rigid_stepping *o, ns_ctx *c, ns_recorder *rec);

/* The same in parts. Before the iterate becomes the state: rows and contacts at it; work of impulses. */
typedef struct ns_rigid_work_done {
  double contact, friction, driven;
  double potential; /* of springs of compliant contacts, at the end of the step */
} ns_rigid_work_done;
int ns_rigid_conclude(ns_rigid_stepping *o, ns_ctx *c, int recorded, ns_rigid_work_done *work);
/* Once it is: work, outputs, angles; returns the deepest penetration. */
double ns_rigid_publish(ns_rigid_stepping *o, const ns_rigid_work_done *work);
/* Events of the step. */
int ns_rigid_tell(ns_rigid_stepping *o, ns_ctx *c, ns_recorder *rec);

#endif
