/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_parts.h -- the driver of rigid bodies: its data, and what its files do for each other. */
#ifndef NS_SIMULATION_RIGID_PARTS_H
#define NS_SIMULATION_RIGID_PARTS_H

#include "base/team.h"
#include "integrators/integrator.h"
#include "integrators/rigid_motion.h"
#include "simulation/controls.h"
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

/* The clock, where there are contacts enough for their shares to matter; else 0. */
double ns_rigid_clock(const ns_rigid_stepping *o);

/* How a step is tried: with rows that follow contacts that roll; with those of the begin; with impulses that stay those of the pass
 * before where they solve the next problem too. What ns_rigid_newton returns where another way is left: nothing is told. */
typedef enum ns_rigid_try { NS_RIGID_FOLLOW, NS_RIGID_BEGIN, NS_RIGID_LAST } ns_rigid_try;
enum { NS_RIGID_AGAIN = 1 };
/* One step's velocities and impulses from the problem as it is posed: passes of Newton's method (rigid_newton.c). */
int ns_rigid_newton(ns_rigid_stepping *o, ns_ctx *c, ns_rigid_try try, ns_step_report *report);
/* The problem was not solved: the sentence. */
int ns_rigid_unsolved(const ns_rigid_stepping *o, ns_ctx *c, const ns_outcome *out);

/* The iterate becomes the state, and what follows from that: outputs, certificate, events to rec, which may be NULL
 * (rigid_accept.c). A failure leaves the state as it was. */
int ns_rigid_accept(ns_rigid_stepping *o, ns_ctx *c, ns_recorder *rec);

#endif
