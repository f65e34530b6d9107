/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_parts.h -- private to event_driven*.c.
 *
 *   event_driven.c         memory, the step of the grid, rows
 *   event_driven_flow.c    the smooth motion and its roots
 *   event_driven_jacobian.c  its Jacobian
 *   event_driven_event.c   what happens at a root: impacts, modes
 *   event_driven_multiple.c  impacts of many contacts by marching
 *   event_driven_user.c    events of the user
 *   event_driven_output.c  gaps, forces and energies of the state; rows and events
 *
 * The unknowns of a flow are q [nv], v [nv], and where there are forces without a known potential, or moving obstacles, their
 * work. */
#ifndef NS_SIMULATION_EVENT_DRIVEN_PARTS_H
#define NS_SIMULATION_EVENT_DRIVEN_PARTS_H

#include "integrators/flow.h"
#include "model/observables.h"
#include "problems/held_rows.h"
#include "simulation/acceleration.h"
#include "simulation/stepper.h"
#include "simulation/user_events.h"

/* The state at a point that the flow tries, for conditions of the user: all else is that of the run. */
typedef struct ns_user_trial {
  ns_state x;
  double t;
} ns_user_trial;

/* Impacts of MultipleImpactNSL: D of the active rows, numbers of their laws, scratch; where there are equalities, what is left of
 * D without them. */
typedef struct ns_marching {
  int wanted, equalities;
  int *row, *col;
  double *val, *law, *ydot, *P, *work;
  ns_held_rows held;
} ns_marching;

typedef struct ns_ed_jacobian ns_ed_jacobian; /* memory of event_driven_jacobian.c */
/* What the flow takes a unit of contacts.h for: constant in it, changed by events alone. */
typedef enum ns_ed_mode {
  NS_ED_FREE,  /* an open contact: no force */
  NS_ED_HELD,  /* its row is an equality: a contact without friction that is closed, a joint */
  NS_ED_STICK, /* all its rows are: closed and at rest along its plane; of a relay: at rest */
  NS_ED_SLIP   /* its normal is, and friction mu lambda_n is against the velocity; of a relay: lambda is at a bound */
} ns_ed_mode;

typedef struct event_driven {
  ns_stepper s;
  const ns_event_driven_options *opt;
  const ns_flow_ops *ops;
  void *flow;
  ns_flow_problem problem;
  ns_ed_jacobian *jacobian; /* NULL: the flow asks for none */
  ns_acceleration hold;
  ns_observables observables;
  ns_arena *mem;
  ns_ctx *c;               /* of the call that is under way */
  ns_recorder *rec;        /* of the step that is under way, may be NULL */
  int begun;               /* the modes stand, the flow is ready */
  int work_at, drive_at;   /* unknowns that are work of forces and of obstacles; -1: none */
  int varying;             /* some mass or relation changes with the state */
  int factored;            /* hold is that of the mode; only where nothing varies */
  int bad;                 /* unknown that was not finite when the motion was last evaluated, -1 */
  double *unknown, *atol;  /* [problem.n] */
  double *rate;            /* scratch [problem.n] */
  double *a, *gyr;         /* accelerations without and with forces of contacts; gyroscopic forces [nv] */
  double *gap, *speed;     /* y and ydot where rows were last evaluated [nrows] */
  double *force;           /* lambda where the motion was last evaluated [nrows] */
  double *bias;            /* yddot = H vdot + bias of active rows [nrows] */
  double *slack;           /* what counts as no force [nrows] */
  double *rhs;             /* of a problem [nrows] */
  double *relation;        /* scratch of one relation */
  double *work;            /* scratch of one system */
  unsigned char *mode;     /* ns_ed_mode [nunits] */
  unsigned char *held;     /* rows that the mode makes equalities [nrows] */
  double *slope;           /* of rows of slip that slide: -mu s, s = ydot_t/|ydot_t|; else 0 [nrows] */
  unsigned char *closing;  /* rows whose gap closed at this event [nrows] */
  unsigned char *opening;  /* rows whose force vanished [nrows] */
  signed char *direction;  /* of roots: y or lambda [nrows], ydot [nrows] */
  ns_marching marching;
  /* events of the user */
  ns_user_events *user;    /* borrowed; NULL: none */
  ns_user_trial trial;
  int nuser;               /* roots of theirs, behind those of the contacts */
  unsigned char *user_fired; /* [nuser] */
  int stopped;             /* one of them ended the run */
  /* of the event that is under way */
  void *before;            /* copy of the state [x->bytes] */
  double *speed_before, *lost; /* ydot before it; energy that it took, J [nrows] */
  double *removed;         /* energy of rebounds that were slower than restSpeed, J [nrows] */
  unsigned char *held_before;
  int *flights;            /* impacts since the contact last rested [nrows] */
  long long events;        /* in this run */
  long long sampled;       /* the step whose sample was taken last; -1: none */
  void (*take)(void *to);  /* of checkpoints: the flow has just been restarted; NULL: nobody asks */
  void *take_to;
} event_driven;

/* ---- event_driven_flow.c ---- */
/* ns_flow_problem of it. */
int ns_ed_rate(void *self, double t, const double *x, double *f);
int ns_ed_roots(void *self, double t, const double *x, double *g);
const char *ns_ed_name(void *self, size_t i, char *buf, size_t size);
/* y and ydot of all rows there. */
int ns_ed_rows(event_driven *o, double t, const double *q, const double *v, double *gap, double *speed);
/* Accelerations without forces of contacts into o->a. */
int ns_ed_free(event_driven *o, double t, const double *q, const double *v);
/* The active set of the contacts is { chosen }, linearised at (q, v). */
int ns_ed_select(event_driven *o, double t, const double *q, const double *v);
/* Make I_2 the active set, and its matrix. */
int ns_ed_hold(event_driven *o, double t, const double *q, const double *v);
/* Begin the flow anew from the state. */
int ns_ed_restart(event_driven *o);
/* State from the unknowns at t, and back. */
void ns_ed_unpack(event_driven *o, double t);
void ns_ed_pack(event_driven *o);

/* ---- event_driven_jacobian.c ---- */
/* Structure and function go to o->problem. */
int ns_ed_jacobian_create(event_driven *o, ns_ctx *c);
int ns_ed_jacobian_eval(void *self, double t, const double *x, double *value, long long *rates);

/* ---- event_driven_event.c ---- */
/* The nonsmooth event at the state: o->closing and o->opening say whose root it is. The flow is ready for more after it. */
int ns_ed_event(event_driven *o);
/* After a row of the grid: put back what holds where it has drifted from its constraint. */
int ns_ed_mend(event_driven *o);
/* 1 where the state that ns_ed_output looked at last needs an impact. */
int ns_ed_impact_at_start(event_driven *o);

/* ---- event_driven_multiple.c ---- */
int ns_ed_multiple_create(event_driven *o, ns_ctx *c);
/* Impulses of the active rows to the contacts' z; e [n] of the active rows. */
int ns_ed_march(event_driven *o, const double *e);

/* ---- event_driven_user.c ---- */
int ns_ed_user_create(event_driven *o, ns_ctx *c);
/* g [nuser] at x; gaps, speeds and forces are those there already. */
int ns_ed_user_roots(event_driven *o, double t, const double *x, double *g);
int ns_ed_user_fired(event_driven *o);
int ns_ed_user_due(event_driven *o);
/* The state was changed from outside. */
int ns_ed_changed(event_driven *o);

/* ---- event_driven_output.c ---- */
/* The state as a row; side 0, 1 or 2. */
int ns_ed_row(event_driven *o, double side);
/* y, ydot, lambda and energies of the state. */
int ns_ed_output(event_driven *o);
/* Both rows of an event that changed something, and its lines in the table. */
int ns_ed_record(event_driven *o);
int ns_ed_energy0(event_driven *o);

/* x += z B_r^T, B_r the direction of the force of an equality r: R_r, and with it friction where its contact slides,
 * R_n - mu sum s_t R_t. R is H for forces, or G = H M^-1 for accelerations. */
static inline void ns_ed_add_force(const event_driven *o, const ns_rows *R, int r, double z, double *x)
{
  const ns_unit *u = &o->s.k->unit[o->s.k->unit_of[r]];
  ns_rows_add(R, r, z, x);
  for (int t = u->first + 1; t < u->first + u->rows && r == u->first; t++)
    if (o->slope[t] != 0) ns_rows_add(R, t, z * o->slope[t], x);
}

static inline int ns_ed_is_unilateral(const event_driven *o, int r)
{
  return o->s.k->unit[o->s.k->unit_of[r]].kind == NS_UNIT_UNILATERAL;
}

#endif
