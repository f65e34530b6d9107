/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_parts.h -- private to event_driven*.c.
 *
 *   event_driven.c         memory, the step of the grid, rows
 *   event_driven_flow.c    the smooth motion and its roots
 *   event_driven_gaps.c    its coordinates; gaps between events, by phases
 *   event_driven_far.c     gaps between shapes that are too far apart to close
 *   event_driven_inspect.c  roots in pairs within one step
 *   event_driven_jacobian.c  its Jacobian
 *   event_driven_dae.c     constraints as equations of the flow
 *   event_driven_event.c   events: impacts, modes
 *   event_driven_multiple.c  simultaneous impacts (problems/multiple_impact.h)
 *   event_driven_friction.c  sliding: directions, forces and roots in the flow
 *   event_driven_friction_loads.c  forces of sticking contacts that are not unique
 *   event_driven_friction_rest.c  at an event: which contacts stick and which slip
 *   event_driven_friction_jam.c   at an event: sliding without a consistent force (Painleve)
 *   event_driven_regions.c  contacts between shapes: their regions and results
 *   event_driven_springs.c  compliant rows: forces that depend on positions, with corners
 *   event_driven_bonds.c   contacts with a tension
 *   event_driven_laws.c    parameters of laws that are formulas
 *   event_driven_prescribed.c  coordinates whose velocities are functions of time
 *   event_driven_overlaps.c  compliant contacts between shapes: forces of overlap, slip and memory
 *   event_driven_hybrid.c  accumulating impacts by time-stepping
 *   event_driven_check.c   checks of rows, roots and states
 *   event_driven_certificate.c  laws and events, for the certificate
 *   event_driven_output.c  gaps, forces and energies of the state; rows and events
 *
 * The unknowns of a flow are displacements q - q0 since the last event [nq], v [nv], and the work
 * of forces without a known potential, moving obstacles and friction, if there are any. With
 * contacts there is one more unknown, the size of contact forces, only for the choice of steps: if
 * all contacts are at rest nothing moves, and the integrator would skip a short force.
 *
 * Bodies in space have q' = T(q) v with a unit quaternion in q (model/systems/mechanics.h). Its
 * four entries are unknowns of the flow; formulas, forces and gaps use them divided by their norm,
 * which is constant for the exact flow and has no effect. At events and rows it is normalised. */
#ifndef NS_SIMULATION_EVENTS_EVENT_DRIVEN_PARTS_H
#define NS_SIMULATION_EVENTS_EVENT_DRIVEN_PARTS_H

#include "integrators/flow.h"
#include "integrators/rigid_drives.h"
#include "model/check/diagnose.h"
#include "model/observables.h"
#include "model/relations/shape_gaps.h"
#include "problems/equality_rows.h"
#include "simulation/events/branches.h"
#include "simulation/events/event_certificate.h"
#include "simulation/events/event_run.h"
#include "simulation/events/step_roots.h"
#include "simulation/rows/acceleration.h"
#include "simulation/step/stepper.h"
#include "simulation/step/user_events.h"

#include <math.h>

/* Impacts of MultipleImpactNSL: D of the active rows, parameters of their laws, scratch. If there
 * are equalities, D is reduced by them (held). */
typedef struct ns_marching {
  int wanted, equalities;
  int *row, *col;
  double *val, *law, *ydot, *P, *before, *work;
  ns_equality_rows held;
} ns_marching;

/* A time-stepping scheme that continues an event-driven run, on the same state. */
typedef struct ns_hybrid_scheme {
  ns_model model;             /* the model of the scheme; borrows from that of the run */
  const ns_strategy_ops *ops; /* depends on the kind of systems; NULL: no scheme */
  void *self;
} ns_hybrid_scheme;

/* Time-stepping through accumulations of impacts (event_driven_hybrid.c). */
typedef struct ns_hybrid {
  int wanted;              /* accumulation="time-stepping" */
  int active;              /* 1 during such an interval */
  int settling;            /* the current event is the end of the interval */
  ns_hybrid_scheme scheme; /* none if not requested, or if the host has it */
  double longest, h;       /* hybridStep; current step size, s */
  double *last;            /* time of the last impact, -inf: none yet [nrows] */
  double *taken;           /* energy dissipated in this interval, J [nrows] */
  /* time since the last impact and since the last impulse of a row in this interval, s [nrows] */
  double *calm, *flown;
  unsigned char *was; /* modes before the return to events [2 nunits] */
  double *margin;     /* of conditions of the user before and after a step [2 nuser] */
} ns_hybrid;

/* Phase of an open gap (event_driven_gaps.c): above contact; opening since it was closed; or the
 * same with a flight that is high. */
typedef enum ns_ed_phase { NS_ED_ABOVE, NS_ED_DEPARTS, NS_ED_DEPARTS_HIGH } ns_ed_phase;

/* Values of root functions at the steps of the flow (event_driven_inspect.c). */
typedef struct ns_inspection {
  /* start: values at the beginning of the next step; before: at the beginning of the previous one,
   * whose length is given in s */
  int known;
  double length;
  double *before, *start, *end; /* [nroots] */
  double *value;                /* values in between [nroots] by parts */
  double *trial, *x;            /* scratch [nroots], [problem.n] */
  /* time of the last root found here inside a step, s; inf: none */
  double inside;
  int rest; /* the inspected interval is the rest of that step */
  /* or a part of a step before its end, whose signs the flow does not know */
  int inside_step;
  int found;  /* the last root of the flow was found here, */
  int *fired; /* with these functions [nroots] */
} ns_inspection;

typedef struct ns_ed_jacobian ns_ed_jacobian; /* memory of event_driven_jacobian.c */
/* Mode of a unit of contacts.h in the flow: constant during a flow, changed only by events. */
typedef enum ns_ed_mode {
  NS_ED_FREE,   /* open contact: no force */
  NS_ED_CLOSED, /* its row is an equality: a closed contact without friction, a joint */
  NS_ED_STICK,  /* all its rows are equalities: a closed contact that sticks, a relay at rest */
  /* its normal row is an equality, and friction mu lambda_n opposes the velocity; a relay whose
   * lambda is at a bound */
  NS_ED_SLIP
} ns_ed_mode;

/* Forces of sticking contacts that are not unique (event_driven_friction_loads.c), at the last
 * ns_ed_share_loads. */
typedef struct ns_loads {
  int shared;   /* 1: the end of sticking is kappa = 1, for all of them, */
  double kappa; /* the part of friction that is needed */
  /* discs that then slide [2 nunits]; the direction [nrows] */
  unsigned char *goes;
  double *slip;
  int ended;            /* sticking ends so at the current event */
  unsigned char *tried; /* discs that are tried to stick in an event [2 nunits] */
  double *bound;        /* mu lambda_n of sticking discs [2 nunits] */
  double *z;            /* forces near the limit [nrows] */
  /* scratch of the rows of friction: what is minimised, matrices and their columns */
  double *xi, *trial, *step, *g, *M, *N, *H;
  int *row, *column;
} ns_loads;

/* Friction and relays. A disc is a set of rows of a unit whose length is bounded, by a number or by
 * the normal force: disc u is the slip of unit u, disc nunits + u is its rolling, if its law has
 * rolling friction. Each disc has its own mode.
 *
 * In the problem of an event, each contact with friction has several alternative blocks, of which
 * one is used: the normal row with the rows of each disc that is at rest. */
typedef struct ns_ed_friction {
  int wanted; /* 1 if a law has friction or is a relay */
  /* number of sliding contacts whose friction changes during the flow: its direction in space, or
   * mu if it is a formula */
  int turning;
  int warned; /* a warning that sliding has jammed was given */
  /* discs that begin or cease to slide in space, whose direction s hardly turns at such speeds [2
   * nunits] */
  unsigned char *frozen;
  /* discs at their bound that are kept at rest by other constraints [2 nunits] */
  unsigned char *kept;
  /* direction s of sliding rows: fixed in the plane, in space that at the beginning of the flow;
   * for relays, the sign of the velocity that the bound opposes [nrows] */
  double *toward;
  double *toward_before; /* the same before the current event [nrows] */
  double *last;          /* direction of slip in space at the end of the last step [nrows] */
  double stepped_t;      /* end of the last step, s */
  int tries;             /* 1: the motion is evaluated beyond it */
  /* velocities of which friction in space has the direction, while derivatives for a fixed
   * direction are formed by differences; NULL: of those of the motion */
  const double *aimed_at;
  double *below;         /* offset of root functions that begin below zero [2 nrows] */
  unsigned char *jams;   /* units for which no consistent sliding force exists [nunits] */
  unsigned char *jammed; /* the same at any time in this event [nunits] */
  ns_blocks W;           /* matrix of all blocks at creation, then of the problem */
  unsigned char *kind;   /* ns_block_kind of all blocks at creation, then of the problem [nb] */
  int *block;            /* first block of a unit [nunits] */
  int *unit, *list;      /* units and blocks of the problem [nb] */
  int *at;               /* first position of a unit in the problem, -1: none [nunits] */
  unsigned char *part;   /* alternative of a unit used in the problem [nunits] */
  double *mu, *mu_rolling, *lb, *ub; /* [nb], [nb], [m], [m] */
  double *q, *r, *u;                 /* [m] */
  double *own_unit;                  /* unit of these for each row (row_problem.h) [m] */
  void *solver;                      /* of ns_mechanical_auto */
  ns_loads loads;
} ns_ed_friction;

/* Compliant rows (event_driven_springs.c). */
typedef struct ns_springs {
  int n;               /* number of interactions; 0: the pointers below are NULL */
  unsigned char *side; /* side of its law on which a row is [nrows] */
  double *w;           /* argument of the last evaluation of forces [nrows] */
  double *lb, *ub;     /* bounds of forces [nrows] */
  double *below;       /* offset of roots below zero [2 nrows] */
  double *gap, *A, *b; /* scratch [nrows], of one interaction */
} ns_springs;

/* Parameters of laws that are formulas (event_driven_laws.c). */
typedef struct ns_ed_renewed {
  int wanted;                /* 1 if there are any; 0: the pointers below are NULL */
  int by_speeds;             /* they depend on the velocity of their contact */
  double *gap, *speed;       /* arguments of the last evaluation [nrows] */
  double *e, *mu;            /* values used for impacts in this event [nrows] */
  const ns_event_host *host; /* evaluates them; NULL: this run */
} ns_ed_renewed;

/* Coordinates whose velocities are prescribed (event_driven_prescribed.c). */
typedef struct ns_prescribed {
  int n;     /* 0: what follows is NULL */
  int moves; /* 1 if some velocity is not 0 */
  int *dof;  /* the coordinates J, ascending [n] */
  /* forces at the last evaluation of accelerations, including those of contacts [nv] */
  double *pull;
  int pushed;
  double *at;      /* prescribed values, rates or jumps; 0 for other coordinates [nv] */
  double *was;     /* velocities before impulses [nv] */
  double *rest;    /* scratch [nv] */
  double *work;    /* of ns_model_targets */
  int failed;      /* error of a plug-in called in a function that cannot fail */
  int jumped;      /* V jumps at the current event */
  double *jump;    /* change of all velocities by that jump [nv] */
  double *impulse; /* impulses of the supports at that event [n] */
} ns_prescribed;

/* Compliant contacts between shapes (event_driven_overlaps.c). */
typedef struct ns_overlap ns_overlap;
typedef struct ns_overlaps {
  int n;               /* 0: what follows is NULL */
  int width;           /* components of a spring: 3 in space, 1 in the plane */
  int first;           /* index of the first unknown of the springs */
  ns_overlap *overlap; /* [n] */
  int *of;             /* index of the overlap of an interaction, -1: none [interactions] */
  double *spring;      /* elongations in the state, m [width n] */
  const double *now;   /* those used in evaluations: `spring`, or unknowns of the flow */
  double *below;       /* offset of roots below zero [2 nrows] */
} ns_overlaps;

/* Contacts between shapes (event_driven_regions.c). */
typedef struct ns_ed_regions {
  int root; /* index of the first of their roots, one for each */
  /* distance of the root beyond the end of its region, m; 0: open [gaps] */
  double *lead;
  int turned;                /* a closed one has entered another region at this event */
  ns_contact_record *record; /* from the last ns_ed_contacts [gaps] */
} ns_ed_regions;

/* Gaps of bodies and meshes, of which the near ones have rows (event_driven_near.c). */
typedef struct ns_ed_near {
  int root;             /* index of their root; -1: there are none */
  int *was;             /* scratch: indices of the gaps of shapes [gaps] */
  unsigned char *stays; /* scratch [gaps] */
} ns_ed_near;

/* Contacts between shapes that are far from each other (event_driven_far.c). */
typedef struct ns_ed_far {
  unsigned char *may; /* 1: the interaction may be one of them [interactions]; NULL: none */
  double from;        /* time at which the flow began, s */
  double *radius;     /* radius of the shapes of a system about its origin, m [nsystems] */
  double *fastest;    /* maximum velocity of their points when the flow began, m/s [nsystems] */
  /* upper bound of the distance that they have moved since then, m [nsystems] */
  double *path;
  double *speed; /* ydot when the flow began [nrows] */
} ns_ed_far;

/* Data for the certificate. */
typedef struct ns_ed_certified {
  double energy;         /* the largest sum of energies and works, J */
  double *gap, *speed;   /* gaps and their velocities at the last check [nrows] */
  double *kept;          /* forces at the last check [nrows] */
  double *change;        /* change of velocities by impulses [nv] */
  double *accelerations; /* copy of o->a during a check [nv] */
  double *lever;         /* lever arm of rotations in rows with impacts, m; 1 for others [nv] */
} ns_ed_certified;

typedef struct event_driven {
  ns_event_run run; /* first */
  ns_stepper s;
  /* options of the model, and a copy with tolerances scaled by the size of its motion */
  const ns_event_driven_options *opt;
  ns_event_driven_options own;
  double atol_speed;        /* absolute tolerance of velocities; that of opt is of positions */
  double atol_spin;         /* of angular velocities of bodies, rad/s */
  double *atol_at;          /* of coordinates, without the part for their rounding [nq] */
  double atol_work;         /* of the work of compliant contacts and of their friction, J */
  ns_ed_jacobian *jacobian; /* NULL: the flow does not use it */
  ns_acceleration hold;
  int begun;    /* the modes are known and the flow is ready */
  int starting; /* modes for the first row are being determined: no event may happen */
  /* indices of unknowns that are work of forces, of obstacles, of friction and of compliant rows;
   * -1: none */
  int work_at, drive_at, friction_at, spring_at;
  int linear;      /* all relations are linear: gaps follow from H */
  int asks_forces; /* some roots of this mode depend on forces */
  int gaps_move;   /* some open gap depends not only linearly on the coordinates */
  int curved;      /* q' = v does not hold for some system */
  double *turned;  /* scratch [nv] where curved */
  /* variables of all systems at the point of evaluation; only for a part of a model */
  ns_others others;
  ns_rigid_drives *drives; /* torques and forces of joints, forces between bodies; NULL: none */
  double *steady;          /* constant forces, of systems without other forces [nv] */
  int *lively, nlively;    /* the other systems [nsystems] */
  int force_at;            /* unknown of ns_ed_friction_size; -1: none */
  int varying;             /* 1 if some mass or relation depends on the state */
  int shares;              /* with constraints: forces of dependent rows act on the motion */
  int factored;            /* `hold` has been factored for the mode; only if nothing varies */
  /* infinitely many impacts at one instant: from now on without rebound */
  int plastic;
  int set;      /* positions were set from outside: contacts that they separate are open */
  double *rate; /* scratch [problem.n] */
  /* accelerations without and with forces of contacts; gyroscopic forces [nv] */
  double *a, *gyr;
  double *gap, *speed; /* y and ydot of the last evaluation of rows [nrows] */
  double *force;       /* lambda of the last evaluation of the motion [nrows] */
  double *bias;        /* yddot = H vdot + bias of active rows [nrows] */
  double *slack;       /* size below which a force is zero [nrows] */
  double *good;        /* admissible forces of active rows, in an event [nrows] */
  /* self-equilibrated forces of rows, in addition to the smallest forces of the flow [nrows] */
  double *stress;
  int stressed;        /* 1 if there are any */
  double *rhs;         /* right-hand side of a problem [nrows] */
  unsigned char *mode; /* ns_ed_mode of units, then of their rolling [2 nunits] */
  unsigned char *held; /* 1: the mode makes the row an equality [nrows] */
  int *row, *place;    /* active rows; position of a row among them, -1: none [nrows] */
  ns_equalities equal; /* of these */
  /* -mu s for sliding rows, s = ydot_t/|ydot_t|; else 0 [nrows] */
  double *slope;
  unsigned char *closing; /* rows whose gap closed at this event [nrows] */
  unsigned char *opening; /* rows whose force vanished [nrows] */
  /* roots of the flow: y or lambda [nrows], ydot [nrows], of the user [nuser], drift, others */
  /* data of the current flow (event_driven_gaps.c) */
  double *origin;      /* positions q0 at its beginning [nq] */
  double *gap0;        /* gaps at its beginning [nrows] */
  double *gap_at_root; /* gaps at the root that ended it [nrows], valid if at_root */
  int at_root;
  unsigned char *departs; /* phases of open gaps, ns_ed_phase [nrows] */
  double *lead;           /* offset of the root of their ydot below zero, m/s [nrows] */
  double drift;           /* maximum distance of constraints from zero, m */
  int drift_root;         /* the roots include one for a larger distance */
  int turns;              /* number of roots since the last row of the grid that were no events */
  ns_inspection inspection;
  double *trial_q, *trial_v, *yddot; /* scratch [nq], [nv], [nrows] */
  ns_marching marching;
  ns_ed_friction friction;
  ns_springs springs;
  ns_overlaps overlaps;
  ns_ed_renewed laws;
  ns_prescribed prescribed;
  int *bonds, nbonds; /* interactions with a tension */
  int gives_way;      /* 1 if there is a compliant row, an overlap or a bond */
  ns_ed_regions regions;
  ns_ed_near near;
  ns_ed_far far;
  /* constraints as equations of the flow */
  ns_flow_constraints constraints;
  int *equation; /* rows, those that restrict positions first [equations] */
  /* rows whose forces maintain them; the same rows unless contacts slide [equations] */
  int *pushing;
  size_t equations, positions;
  ns_hybrid hybrid;
  ns_ed_certified certified;
  /* data of the current event */
  double *speed_before, *lost; /* ydot before it; dissipated energy, J [nrows] */
  double *removed;             /* energy of rebounds slower than restSpeed, J [nrows] */
  unsigned char *mode_before;  /* [2 nunits] */
  int *flights;                /* number of impacts since the contact last rested [nrows] */
  double *fastest;             /* maximum approach velocity of these, m/s [nrows] */
  /* restSpeed is determined from the series of impacts, because the model gives none */
  int rest_by_series;
  long long events; /* in this run */
} event_driven;

/* ---- event_driven.c -------------------------------------------------------------------------- */
int ns_ed_changed(void *of); /* ns_event_family.changed */

/* ---- event_driven_flow.c --------------------------------------------------------------------- */
/* Callbacks of ns_flow_problem. */
int ns_ed_rate(void *self, double t, const double *x, double *f);
int ns_ed_roots(void *self, double t, const double *x, double *g); /* ns_event_family.roots */
const char *ns_ed_name(void *self, size_t i, char *buf, size_t size);
/* Power of forces without a known potential, for the forces of the last ns_ed_free. */
double ns_ed_power(event_driven *o, const double *q, const double *v);
/* 0 if the accelerations in f are finite; else 1, and run.bad is the index of one that is not. */
int ns_ed_finite(event_driven *o, const double *f, double t, const double *q, const double *v);
int ns_ed_point(void *of, const double *x, const double **q, const double **v);
/* Evaluate the motion at (t, q, v) in the current mode: f as for the flow [problem.n]; forces are
 * in o->force. */
int ns_ed_motion(event_driven *o, double t, const double *q, const double *v, double *f);
/* y and ydot of one interaction. */
int ns_ed_output_of(event_driven *o, const ns_interaction *it, double t, const double *q,
                    const double *v, double *gap, double *speed);
/* y and ydot of all rows there. */
int ns_ed_rows(event_driven *o, double t, const double *q, const double *v, double *gap,
               double *speed);
/* Compute accelerations without contact forces, o->a. */
int ns_ed_free(event_driven *o, double t, const double *q, const double *v);
/* The active set of the contacts is { chosen }, linearised at (q, v), for forces or for impulses: a
 * relay has none of these. */
int ns_ed_select(event_driven *o, double t, const double *q, const double *v);
int ns_ed_select_impulses(event_driven *o, double t, const double *q, const double *v);
/* Make the rows that are equalities or have forces in the current modes the active set, and
 * assemble its matrix. */
int ns_ed_hold(event_driven *o, double t, const double *q, const double *v);
/* Factor the matrix of the equality rows, unless it is already that of v. */
void ns_ed_factor(event_driven *o, const double *v);
/* List the equality rows among the active ones. */
void ns_ed_list(event_driven *o);
/* Set the functions and directions of roots for the current modes. */
void ns_ed_look(event_driven *o);
/* Rates of work of obstacles and friction, and of force_at, to f; forces are those in o->force. */
void ns_ed_works(const event_driven *o, const double *v, double *f);
/* Restart the flow from the state. */
int ns_ed_restart(void *of); /* ns_event_family.go_on */
/* Size of the terms of the gap of row r: distances by which it moves, and 1 for each rotation. */
double ns_ed_reach(const event_driven *o, int r);
/* Compute angles of joints, including full turns, from the state. */
void ns_ed_angles(event_driven *o);
/* Copy the unknowns at t to the state, and back. */
void ns_ed_unpack(event_driven *o, double t);
void ns_ed_pack(event_driven *o);

/* ---- event_driven_gaps.c --------------------------------------------------------------------- */
/* Positions of unknowns of the flow, in scratch that the next call uses again. */
const double *ns_ed_positions(event_driven *o, const double *x);
/* y and ydot of all rows at unknowns x of the flow. 1: some are not finite. */
int ns_ed_gaps(event_driven *o, double t, const double *x, double *gap, double *speed);
/* The flow is to begin at the state: where its coordinates begin, with all that follows. */
void ns_ed_gaps_place(event_driven *o);
int ns_ed_gaps_begin(event_driven *o);
/* Both roots of an open gap; that of drift. */
void ns_ed_gap_roots(const event_driven *o, int r, double *g, double *more);
double ns_ed_drift_root(const event_driven *o);
/* Called after a step of a flow that inspects: gaps that turned high above contact no longer
 * depart. */
void ns_ed_gaps_stepped(event_driven *o);
/* After a root: determine what closes and opens; *some: 1 if anything does. */
int ns_ed_gaps_fired(event_driven *o, const int *fired, int *some);
/* Go back to the first of the roots behind a minimum, if there are any; the event is then there. */
int ns_ed_look_back(event_driven *o, double since, double *t);

/* ---- event_driven_far.c ---------------------------------------------------------------------- */
int ns_ed_far_create(event_driven *o, ns_ctx *c);
/* A flow begins at the state. */
void ns_ed_far_place(event_driven *o);
/* It is looked at with positions q and velocities v. */
void ns_ed_far_look(event_driven *o, double t, const double *q, const double *v);
/* 1: interaction i is a gap that cannot have closed since the flow began, where it was last looked
 * at. */
int ns_ed_is_far(const event_driven *o, int i);

/* ---- event_driven_inspect.c ------------------------------------------------------------------ */
int ns_ed_inspect_create(event_driven *o);
/* ns_flow_problem.inspect. */
int ns_ed_inspect(void *self, double from, double to, double *root);
/* Whose root it is that the flow has come to: +1, -1, 0 [nroots]. */
const int *ns_ed_fired(const event_driven *o);

/* ---- event_driven_jacobian.c ----------------------------------------------------------------- */
/* 0 with rigid bodies, and if laws have formulas: flows then use finite differences. */
int ns_ed_jacobian_fits(const ns_model *m);
/* Set structure and function in o->run.problem. */
int ns_ed_jacobian_create(event_driven *o, ns_ctx *c);
int ns_ed_jacobian_eval(void *self, double t, const double *x, double *value, long long *rates);
/* ns_flow_problem.outdates. */
int ns_ed_jacobian_outdates(void *self, const double *x0, const double *x);

/* ---- event_driven_dae.c ---------------------------------------------------------------------- */
int ns_ed_dae_create(event_driven *o, ns_ctx *c);
/* Project a row of the grid, which comes from dense output, onto the constraints if the flow
 * maintains them. The flow itself is not changed, unless a dependent constraint is violated. */
int ns_ed_polish(event_driven *o);

/* ---- event_driven_event.c -------------------------------------------------------------------- */
/* Initial value of a force, or of a distance to a bound, that begins at 0: with it the function has
 * a root where it falls below 0. */
#define NS_ED_ABOVE_ZERO 1e-290
#define NS_ED_NOTHING 1e-11 /* relative size below which a force or an acceleration is rounding */
/* Perform the nonsmooth event at the state: o->closing and o->opening are its rows. The flow can be
 * continued afterwards. */
int ns_ed_event(event_driven *o);
void ns_ed_over(void *of); /* ns_event_family.over */
/* 1 if a closed contact at rest opens, according to its force and acceleration in the problem of
 * the event. If rounding leaves this undecided, the mode is kept: closed, unless its force has just
 * vanished, or open, unless it has just closed. */
int ns_ed_leaves(const event_driven *o, int r, double force, double acceleration, double nothing);
/* Correct constraints that have drifted by the tolerance of the flow; _mend: after a row of the
 * grid, if necessary. */
int ns_ed_put_back(event_driven *o);
int ns_ed_correct_drift(event_driven *o);
/* Project positions and velocities of closed rows to y = ydot = 0, from the gaps and velocities of
 * the state. */
int ns_ed_project(event_driven *o);
/* H_r G_r. */
double ns_ed_diagonal(const ns_contacts *k, int r);
/* A gap that was closed is struck as a formula changes its branch: an obstacle whose path has a
 * corner there. Its relative velocity before is the one from the left (Moreau 1988, 3), which is
 * 0, so it does not rebound; that is the limit of obstacles that turn ever faster. */
int ns_ed_was_closed(const event_driven *o, int r);
/* 1 if the state of the last ns_ed_output needs an impact. */
int ns_ed_impact_at_start(event_driven *o);
/* 1 if, in the same state, an open gap closes within gapTolerance: at T there is no later time at
 * which the root could be found. */
int ns_ed_impact_at_end(const event_driven *o);

/* Closed contacts to s.chosen. */
void ns_ed_choose_closed(event_driven *o);
/* Apply impulses z of the active rows: velocities, work and dissipated energy. */
void ns_ed_strike(event_driven *o);
/* Size of the terms that the acceleration of a row is the sum of, without forces of contacts. */
double ns_ed_size_of(const event_driven *o, int r);
/* Sizes of the terms that the accelerations of the active rows are sums of: the largest. */
double ns_ed_size(const event_driven *o);

/* ---- event_driven_friction.c ----------------------------------------------------------------- */
/* 1 if some law has friction or is a relay. */
int ns_ed_friction_wanted(const event_driven *o);
int ns_ed_friction_create(event_driven *o, ns_ctx *c);
void ns_ed_friction_fini(event_driven *o);
/* Initial mode of unit u without an impact: that of a lasting contact. */
void ns_ed_friction_guess(event_driven *o, int u);
/* Set the direction of friction of a disc along s [its rows], normalised. */
void ns_ed_friction_aim(event_driven *o, int disc, const double *s, double sign);
/* At the beginning of a flow, fix the directions of discs that slide too slowly to define one. */
void ns_ed_friction_freeze(event_driven *o);
/* Then, once the constraints are factored, find discs that others keep from sliding: their velocity
 * is rounding, and their mode ends by their force. */
void ns_ed_friction_keep(event_driven *o);
/* The flow begins at the state, with the directions of the event. */
void ns_ed_friction_forget(event_driven *o);
/* A step has ended at t, with the speeds of the last root functions: directions of slip there. */
void ns_ed_friction_stepped(event_driven *o, double t);
/* Compute the slopes of sliding contacts at v. */
void ns_ed_friction_slopes(event_driven *o, const double *v);
/* Force of row r of a relay at its bound, opposing its direction. */
double ns_ed_friction_bound(const event_driven *o, int r);
/* _push: compute forces of moving relays at their bounds at v in o->force, and add them to o->a
 * along R: H, or G for accelerations. _rub: compute tangential forces of sliding contacts in
 * o->force, from the normal forces there. _power: power of friction and of relays, W. */
void ns_ed_friction_push(event_driven *o, const double *v, const ns_rows *R);
void ns_ed_friction_slide(event_driven *o);
double ns_ed_friction_power(const event_driven *o, const double *v);
/* At the point of the last evaluation of the motion, with velocities v: a += the derivative of the
 * accelerations, without that of constraint forces, by which v_dof turns the directions of friction
 * in space. */
void ns_ed_friction_turn(const event_driven *o, const double *v, int dof, double *a);
/* 1 if some direction, or the velocity that it depends on inversely, is so different at v from that
 * at v0 that these derivatives are, too. */
int ns_ed_friction_turned(const event_driven *o, const double *v0, const double *v);
/* 1 if friction of unit u has a direction in space, in some mode. */
int ns_ed_friction_turns(const event_driven *o, int u);
/* Size of the forces of closed contacts and constraints; logarithmic if it is large. */
double ns_ed_friction_size(const event_driven *o);
/* Roots of units with friction and of relays, which replace those of gaps and forces in g [2
 * nrows]; their directions. */
void ns_ed_friction_roots(event_driven *o, double *g);
void ns_ed_friction_directions(event_driven *o);
/* 1: a disc slides in space so slowly, and its direction turns, that the velocity across that
 * decays within microseconds. */
int ns_ed_friction_is_stiff(const event_driven *o);
/* Call when a flow begins at o->run.unknown. */
int ns_ed_friction_begin(event_driven *o);
/* After a root: 1 if it is one of these; closing and opening of the row of slip are then set. */
int ns_ed_friction_fired(event_driven *o, const int *fired);
/* Ratio of H_n G B_n to H_n G H_n of a sliding contact: if it is <= 0, no consistent friction force
 * exists (Painleve). */
double ns_ed_friction_lean(const event_driven *o, int u);
#define NS_ED_UPRIGHT 1e-6 /* lower bound of this ratio */
/* Norm of x [nrows] in the rows of a disc; for a single row the value with its sign. */
double ns_ed_along(const event_driven *o, int disc, const double *x);
/* Euclidean norm of x [n], n >= 1, without overflow. */
double ns_ed_length(int n, const double *x);

/* ---- event_driven_friction_loads.c ----------------------------------------------------------- */
int ns_ed_loads_create(event_driven *o);
/* After an evaluation of the motion: if forces of sticking contacts are not unique, those in
 * o->force become others of the same motion that are within the cones, if there are any. */
void ns_ed_share_loads(event_driven *o);

/* ---- event_driven_friction_rest.c ------------------------------------------------------------ */
int ns_ed_rest_create(event_driven *o, ns_ctx *c);
/* Modes of contacts at rest: forces and accelerations of the active rows to z and w of the
 * contacts; o->rhs [n] is w without forces. *jam: some contacts slide without a consistent force,
 * see rub.jams; the modes are then unchanged. */
int ns_ed_rest(event_driven *o, int *jam);

/* Then: what is at rest by several contacts sticks if forces of the flow and friction within all
 * bounds hold it (event_driven_friction_loads.c), and begins to slide where that has ended;
 * otherwise modes stay. */
int ns_ed_stick_together(event_driven *o);

/* ---- event_driven_friction_jam.c ------------------------------------------------------------- */
/* Impact without collision of the contacts in rub.jams. */
int ns_ed_jam(event_driven *o);

/* ---- event_driven_springs.c ------------------------------------------------------------------ */
/* Number of interactions with compliant rows. */
int ns_ed_springs_count(const event_driven *o);
int ns_ed_springs_create(event_driven *o, ns_ctx *c);
/* Update the bounds from the laws. */
void ns_ed_springs_bound(event_driven *o);
/* _look: forces of compliant rows with these gaps [nrows] to o->force, outputs to springs.w. _push:
 * the same at q, and add the forces to o->a. */
void ns_ed_springs_look(event_driven *o, const double *gap);
void ns_ed_springs_push(event_driven *o, const double *q);
/* Power of the forces of compliant rows in o->force. */
double ns_ed_springs_power(const event_driven *o, const double *v);
/* Update the sides at the state: those of rows with a root change, others stay unless the state
 * contradicts them. */
int ns_ed_springs_decide(event_driven *o);
/* Roots at the gaps o->gap, which replace those in g [2 nrows]; beginning of a flow; after a root:
 * 1 if it is one of these; closing and opening are then set. */
void ns_ed_springs_roots(event_driven *o, double *g);
void ns_ed_springs_begin(event_driven *o);
int ns_ed_springs_fired(event_driven *o, const int *fired);

/* ---- event_driven_bonds.c -------------------------------------------------------------------- */
int ns_ed_bonds_create(event_driven *o, ns_ctx *c);
/* Add the tension of intact bonds at (t, q, v) to o->a. */
int ns_ed_bonds_pull(event_driven *o, double t, const double *q, const double *v);
/* Break the bonds of open contacts. Returns 1 if there were any. */
int ns_ed_bonds_break(event_driven *o);
/* Tension of row r, to be subtracted from o->force. */
double ns_ed_tension(const event_driven *o, int r);

/* ---- event_driven_laws.c --------------------------------------------------------------------- */
int ns_ed_laws_create(event_driven *o, ns_ctx *c);
/* Evaluate the laws at (t, q, v). Fails if a formula fails or a value is out of range. */
int ns_ed_renew_laws(event_driven *o, double t, const double *q, const double *v);
/* Record the laws used by the impact of the active rows. */
void ns_ed_note_struck(event_driven *o);
/* Values used for the impact of row r: restitution; friction of a disc. */
double ns_ed_struck_e(const event_driven *o, int r);
double ns_ed_struck_mu(const event_driven *o, int disc);

/* ---- event_driven_prescribed.c --------------------------------------------------------------- */
int ns_ed_prescribed_create(event_driven *o, ns_ctx *c);
/* Convert o->a from forces at t to accelerations; pushed: it includes the forces of contacts. */
int ns_ed_accelerate(event_driven *o, double t, int pushed);
/* Store the forces of the supports at the last evaluation in the state; their power, W. */
void ns_ed_support(event_driven *o);
double ns_ed_support_power(event_driven *o, const double *v);
/* Set the entries of v [nv] that are prescribed at t. */
void ns_ed_prescribe(event_driven *o, double t, double *v);
/* 1 if velocities of the state differ from the prescribed ones by more than rounding; the
 * differences are in prescribed.at. */
int ns_ed_velocities_jump(event_driven *o);
/* At an event: set the prescribed velocities, by impulses of the supports; update gaps and their
 * velocities. */
int ns_ed_take_velocities(event_driven *o);
/* Call before and after impulses of the active rows: computes impulses of the supports. */
void ns_ed_before_impulses(event_driven *o);
void ns_ed_after_impulses(event_driven *o);
/* Write the jumps to the table of events. */
int ns_ed_report_velocities(event_driven *o);

/* ---- event_driven_overlaps.c ----------------------------------------------------------------- */
/* Number the unknowns of springs after those of the motion; they are part of the error control. */
void ns_ed_overlaps_number(event_driven *o);
int ns_ed_overlaps_create(event_driven *o, ns_ctx *c);
/* Evaluate the motion at unknowns x of the flow; NULL: at the state. */
void ns_ed_overlaps_at(event_driven *o, const double *x);
/* Compute forces of overlaps and compliant rows at (t, q, v) in o->force; add them and the tension
 * of bonds to o->a. */
int ns_ed_give_way(event_driven *o, double t, const double *q, const double *v);
/* At the point of the last ns_ed_give_way, with accelerations in o->a: _rates writes the rates of
 * the springs to their entries of f [problem.n]; _power gives the power of contacts that is not
 * stored, normal and tangential, W. */
void ns_ed_overlaps_rates(event_driven *o, double *f);
void ns_ed_overlaps_power(const event_driven *o, const double *v, double *normal, double *friction);
/* 1 if some root depends on accelerations. */
int ns_ed_overlaps_query(const event_driven *o);
/* As ns_ed_springs_decide, _roots, _begin, _fired. If ns_ed_overlaps_query, roots require the
 * motion. */
int ns_ed_overlaps_decide(event_driven *o);
/* 1 if the interaction is compliant and overlaps. */
int ns_ed_overlap_lasts(const event_driven *o, int interaction);
int ns_ed_overlaps_roots(event_driven *o, double t, const double *x, double *g);
int ns_ed_overlaps_begin(event_driven *o);
int ns_ed_overlaps_fired(event_driven *o, const int *fired);
/* Energy stored in the state, J. */
double ns_ed_overlaps_energy(event_driven *o);
void ns_ed_overlaps_save(const event_driven *o, ns_blob *b);
void ns_ed_overlaps_restore(event_driven *o, ns_blob *b);

/* ---- event_driven_regions.c ------------------------------------------------------------------ */
/* Call after the other roots have been numbered. */
int ns_ed_regions_create(event_driven *o, ns_ctx *c);
/* At an event: choose the regions of all contacts, slightly ahead of the motion, except compliant
 * ones and those struck in it. Returns 1 if some have changed, with their rows. Beginning of a
 * flow: open contacts have no region. */
int ns_ed_regions_choose(event_driven *o);
void ns_ed_regions_begin(event_driven *o);
/* Remove all regions when time-stepping begins. */
void ns_ed_regions_free(event_driven *o);
/* Update the region of a gap with several regions to the one slightly ahead of the motion. Returns
 * 1 if it has changed. */
int ns_ed_region_turns(event_driven *o, int interaction);
/* Roots at unknowns x of the flow; after a root: 1 if it is one of these. */
void ns_ed_regions_roots(event_driven *o, const double *x, double *g);
int ns_ed_regions_fired(const event_driven *o, const int *fired);
/* Record an event of an interaction; for a contact between shapes with the names of the shapes and
 * the position. */
int ns_ed_report(event_driven *o, ns_event *e);
/* Contacts with forces in the state; borrowed until the next call. */
const ns_contact_record *ns_ed_contacts(event_driven *o, size_t *n);
void ns_ed_regions_save(const event_driven *o, ns_blob *b);
void ns_ed_regions_restore(event_driven *o, ns_blob *b);

/* ---- event_driven_near.c --------------------------------------------------------------------- */
/* Call after the other roots have been numbered. */
int ns_ed_near_create(event_driven *o, ns_ctx *c);
/* At the state: give rows to what is near, of bodies that have moved by more than this part of
 * their margin. *changed |= 1 if some rows are those of other gaps: o->gap is then old. */
int ns_ed_near_look(event_driven *o, double part, int *changed);
#define NS_ED_NEAR_ENOUGH 0.5 /* this part, where the flow begins anew in any case */
/* Root at unknowns x of the flow, where a body has moved by its margin. */
void ns_ed_near_roots(event_driven *o, const double *x, double *g);
int ns_ed_near_fired(const event_driven *o, const int *fired);
/* After such a root: the flow begins anew. */
int ns_ed_near_renew(event_driven *o);
void ns_ed_near_save(const event_driven *o, ns_blob *b);
void ns_ed_near_restore(event_driven *o, ns_blob *b);

/* ---- event_driven_multiple.c ----------------------------------------------------------------- */
int ns_ed_multiple_create(event_driven *o, ns_ctx *c);
/* Compute impulses of the active rows in z of the contacts; e [n]: restitution of the active
 * rows. */
int ns_ed_march(event_driven *o, const double *e);

/* ---- event_driven_hybrid.c ------------------------------------------------------------------- */
/* Create a scheme for the model m and its state x, with a maximum step size h. */
int ns_hybrid_scheme_create(ns_ctx *c, const ns_model *m, ns_state *x, const ns_strategy_ops *ops,
                            double h, ns_hybrid_scheme *s);
void ns_hybrid_scheme_fini(ns_hybrid_scheme *s); /* safe on a zeroed one */
/* Call when the state or its forces were changed. */
int ns_hybrid_scheme_refresh(const ns_hybrid_scheme *s, ns_ctx *c, ns_state *x);
/* Do a step of size h to t1. Neither the step nor its impacts are counted, because only steps of
 * the grid are. */
int ns_hybrid_scheme_step(const ns_hybrid_scheme *s, ns_ctx *c, ns_state *x, double t1, double h);
int ns_hybrid_scheme_savable(const ns_hybrid_scheme *s);
int ns_ed_hybrid_create(event_driven *o, ns_ctx *c);
void ns_ed_hybrid_fini(event_driven *o);
/* At an impact of the rows in o->closing, before it is computed: 1 if impacts of one of them
 * accumulate. */
int ns_ed_hybrid_due(event_driven *o);
/* Begin time-stepping from the state. */
int ns_ed_hybrid_begin(event_driven *o);
/* ns_event_family.stretch during time-stepping: at most one step, possibly the last one; all: the
 * run, of which o may be a part. */
int ns_ed_hybrid_stretch(event_driven *o, ns_event_run *all, double t1, double due, double *end,
                         ns_stretch *how);
/* Return to events from the state. _settle is called inside the event of the return: it projects
 * what is at rest, and writes the energy to o->removed. */
int ns_ed_hybrid_leave(event_driven *o);
int ns_ed_hybrid_settle(event_driven *o);
int ns_ed_hybrid_savable(const event_driven *o);
void ns_ed_hybrid_save(const event_driven *o, ns_blob *b);
void ns_ed_hybrid_restore(event_driven *o, ns_blob *b);

/* ---- event_driven_check.c -------------------------------------------------------------------- */
/* Roots are accurate to rounding and drift is corrected: a gap beyond this number of gapTolerances
 * was not reached by the motion. */
#define NS_ED_JUMP 1e4
/* NS_NUMERIC, with a message: rows that are not finite at t; a root at which a gap is not 0; a
 * state set from outside whose positions violate constraints. */
int ns_ed_check_finite(event_driven *o, const ns_interaction *it, const ns_moment *at,
                       const double *gap, const double *speed);
int ns_ed_check_root(event_driven *o);
int ns_ed_check_changed(event_driven *o);
/* NS_NUMERIC: too many roots between two points of the grid; the message names them. */
int ns_ed_too_many(event_driven *o);
/* Warn of constraints whose velocities are violated at t0. */
void ns_ed_check_speeds(event_driven *o, ns_ctx *c);

/* ---- event_driven_certificate.c -------------------------------------------------------------- */
int ns_ed_certificate_create(event_driven *o, ns_ctx *c);
/* The certificate has come to the unknowns x: angles of joints are counted on to there
 * (ns_certified.passed). */
void ns_ed_passed(void *self, const double *x);
/* Check the laws of the mode at x, the point of the last ns_ed_rate; x has errors up to `error`. */
int ns_ed_laws(void *self, double t, const double *x, double error, ns_breach *worst);
/* The flow has reached the unknowns, and they agree with the state: at an event, or at a point of
 * the grid. */
int ns_ed_certify(event_driven *o, int event);
/* Check the laws of the last state that was output; the effect of the event that led to it. */
int ns_ed_certify_row(event_driven *o);
int ns_ed_certify_event(event_driven *o);

/* ---- event_driven_output.c ------------------------------------------------------------------- */
/* Compute y, ydot, lambda and energies of the state. */
int ns_ed_output(event_driven *o);
/* ns_event_family.decided, .tell. */
int ns_ed_decided(void *of, int *some);
int ns_ed_tell(void *of);
int ns_ed_energy0(event_driven *o);

/* x += z B_r^T, B_r the direction of the force of an equality r: R_r, and with it friction where
 * its contact slides, R_n - mu sum s_t R_t. R is H for forces, or G = H M^-1 for accelerations. */
static inline void ns_ed_add_force(const event_driven *o, const ns_rows *R, int r, double z,
                                   double *x)
{
  const ns_unit *u = &o->s.k->unit[o->s.k->unit_of[r]];
  ns_rows_add(R, r, z, x);
  for (int t = u->first + 1; t < u->first + u->rows && r == u->first; t++)
    if (o->slope[t] != 0) ns_rows_add(R, t, z * o->slope[t], x);
}

/* ---- discs ----------------------------------------------------------------------------------- */

static inline int ns_ed_rolls(const event_driven *o, int u)
{
  return o->s.k->unit[u].block == NS_BLOCK_ROLLING;
}
static inline int ns_ed_unit_of(const event_driven *o, int disc)
{
  return disc < o->s.k->nunits ? disc : disc - o->s.k->nunits;
}
/* The disc of rolling of the same unit; -1: none. */
static inline int ns_ed_next_disc(const event_driven *o, int disc)
{
  return disc < o->s.k->nunits && ns_ed_rolls(o, disc) ? disc + o->s.k->nunits : -1;
}
/* Its rows: the first, and the one after the last. */
static inline int ns_ed_disc_first(const event_driven *o, int disc)
{
  const ns_unit *k = &o->s.k->unit[ns_ed_unit_of(o, disc)];
  if (disc >= o->s.k->nunits) return k->first + 1 + k->rows / 2;
  return k->first + (k->kind == NS_UNIT_FRICTION);
}
static inline int ns_ed_disc_end(const event_driven *o, int disc)
{
  int next = ns_ed_next_disc(o, disc);
  const ns_unit *k = &o->s.k->unit[ns_ed_unit_of(o, disc)];
  return next < 0 ? k->first + k->rows : ns_ed_disc_first(o, next);
}
/* Disc of a row of friction. */
static inline int ns_ed_disc_of(const event_driven *o, int r)
{
  int u = o->s.k->unit_of[r], next = ns_ed_next_disc(o, u);
  return next >= 0 && r >= ns_ed_disc_first(o, next) ? next : u;
}

/* Set the mode of a disc, and the equality rows of its unit. A contact that closes rolls freely
 * until its mode is determined. */
static inline void ns_ed_set(event_driven *o, int disc, ns_ed_mode mode)
{
  int u = ns_ed_unit_of(o, disc), rolling = ns_ed_next_disc(o, u);
  const ns_unit *k = &o->s.k->unit[u];
  if (k->kind == NS_UNIT_COMPLIANT) mode = NS_ED_FREE; /* it is a force */
  o->mode[disc] = (unsigned char)mode;
  if (rolling >= 0 && (o->mode[u] == NS_ED_FREE || o->mode[rolling] == NS_ED_FREE))
    o->mode[rolling] = o->mode[u] == NS_ED_FREE ? NS_ED_FREE : NS_ED_CLOSED;
  mode = (ns_ed_mode)o->mode[u];
  for (int r = k->first; r < k->first + k->rows; r++) {
    o->slope[r] = 0;
    o->held[r] = mode == NS_ED_STICK || (r == k->first && mode != NS_ED_FREE &&
                                         (mode == NS_ED_CLOSED || k->kind != NS_UNIT_BOX));
    if (rolling >= 0 && r >= ns_ed_disc_first(o, rolling))
      o->held[r] = o->mode[rolling] == NS_ED_STICK;
  }
}

static inline int ns_ed_unit(const event_driven *o, int r) { return o->s.k->unit_of[r]; }
/* 1 for a gap that opens and closes: of a contact without friction, or the normal row with
 * friction. */
static inline int ns_ed_is_unilateral(const event_driven *o, int r)
{
  return ns_has_events(o->s.k, r);
}
/* 1 for an open gap that depends not only linearly on the motion: its relation is nonlinear or
 * depends on t. */
static inline int ns_ed_gap_moves(const event_driven *o, int r)
{
  return !o->held[r] && ns_ed_is_unilateral(o, r) && o->s.k->moves[r];
}
/* 1 for a row of a compliant relation, with any law: its force depends on positions. */
static inline int ns_ed_is_compliant(const event_driven *o, int r)
{
  return o->s.k->unit[o->s.k->unit_of[r]].kind == NS_UNIT_COMPLIANT;
}
/* 1 for a compliant contact between shapes, whose force also depends on its rate and memory. */
static inline int ns_ed_is_overlap(const event_driven *o, int r)
{
  return o->s.m->interactions[o->s.k->interaction[r]].law.ops->compliant;
}
/* 1 for a row of friction or of a relay, whose law involves velocities only. */
static inline int ns_ed_is_tangential(const event_driven *o, int r)
{
  return !ns_ed_is_compliant(o, r) && ns_contacts_is_tangential(o->s.k, r);
}
/* 1 for an equality of positions. */
static inline int ns_ed_is_joint(const event_driven *o, int r)
{
  return !ns_ed_is_unilateral(o, r) && !ns_ed_is_tangential(o, r) && !ns_ed_is_compliant(o, r);
}
/* 1 if a relay moves against the direction in which its force has no bound, such as a freewheel
 * that turns backwards: an impulse stops it. */
static inline int ns_ed_is_against(const event_driven *o, int r, double speed)
{
  const ns_contacts *k = o->s.k;
  double tol = o->opt->speed_tol;
  return k->unit[k->unit_of[r]].kind == NS_UNIT_BOX &&
         ((speed < -tol && isinf(k->ub[r])) || (speed > tol && isinf(k->lb[r])));
}
static inline int ns_ed_is_friction(const event_driven *o, int u)
{
  return o->s.k->unit[u].kind == NS_UNIT_FRICTION;
}
static inline int ns_ed_is_relay(const event_driven *o, int u)
{
  return o->s.k->unit[u].kind == NS_UNIT_BOX && ns_ed_is_tangential(o, o->s.k->unit[u].first);
}
/* Ratio of the maximum force of a disc to its normal force, N/N; for rolling N m/N; 0 for
 * relays. */
static inline double ns_ed_mu(const event_driven *o, int disc)
{
  const ns_contacts *k = o->s.k;
  int u = ns_ed_unit_of(o, disc);
  const ns_nonsmooth_law *law = &k->m->interactions[k->interaction[k->unit[u].first]].law;
  if (!ns_ed_is_friction(o, u)) return 0;
  return disc == u ? ns_law_mu(law) : ns_law_mu_rolling(law);
}
/* Force of row r, or its pressure (event_driven_bonds.c), at the last evaluation of the motion. */
static inline double ns_ed_force(const event_driven *o, int r)
{
  return o->mode[ns_ed_unit(o, r)] == NS_ED_FREE && !ns_ed_is_compliant(o, r) ? 0 : o->force[r];
}

/* Initial mode without an impact: a gap is closed if it is at rest. */
static inline void ns_ed_guess(event_driven *o, int u, int rests)
{
  int first = o->s.k->unit[u].first, open = ns_ed_is_unilateral(o, first) && !rests;
  if (open || !ns_ed_is_tangential(o, first + o->s.k->unit[u].rows - 1))
    ns_ed_set(o, u, open ? NS_ED_FREE : NS_ED_CLOSED);
  else ns_ed_friction_guess(o, u);
}

#endif
