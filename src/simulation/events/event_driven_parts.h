/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_parts.h -- private to event_driven*.c: the data of a run, and its functions that are
 * not of a part with a header of its own.
 *
 *   event_driven.c         memory, the step of the grid, rows
 *   event_driven_flow.c    the smooth motion and its roots
 *   event_driven_tolerances.c  tolerances of its unknowns
 *   event_driven_jacobian.c  its Jacobian
 *   event_driven_dae.c     constraints as equations of the flow
 *   event_driven_event.c   events: impacts, modes
 *   event_driven_multiple.c  simultaneous impacts (problems/multiple_impact.h)
 *   event_driven_laws.c    parameters of laws that are formulas
 *   event_driven_prescribed.c  coordinates whose velocities are functions of time
 *   event_driven_check.c   checks of rows, roots and states
 *   event_driven_certificate.c  laws and events, for the certificate
 *   event_driven_output.c  gaps, forces and energies of the state; rows and events
 *
 *   event_driven_gaps.h        when open gaps close
 *   event_driven_friction.h    friction and relays
 *   event_driven_compliance.h  springs, overlaps of shapes, bonds
 *   event_driven_shapes.h      contacts between shapes
 *   event_driven_hybrid.h      time-stepping through impacts that accumulate
 *   event_driven_modes.h       kinds of rows, and what their modes allow
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
#include "simulation/events/event_driven_compliance.h"
#include "simulation/events/event_driven_friction.h"
#include "simulation/events/event_driven_gaps.h"
#include "simulation/events/event_driven_hybrid.h"
#include "simulation/events/event_driven_shapes.h"
#include "simulation/events/event_run.h"
#include "simulation/events/step_roots.h"
#include "simulation/rows/acceleration.h"
#include "simulation/step/stepper.h"
#include "simulation/step/user_events.h"

#include <math.h>

typedef struct ns_ed_jacobian ns_ed_jacobian; /* memory of event_driven_jacobian.c */

/* Impacts of MultipleImpactNSL: D of the active rows, parameters of their laws, scratch. If there
 * are equalities, D is reduced by them (held). */
typedef struct ns_marching {
  int wanted, equalities;
  int *row, *col;
  size_t room; /* for entries of D, col and val */
  double *val, *law, *ydot, *P, *before, *work;
  ns_equality_rows held;
} ns_marching;

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

/* Data for the certificate. */
typedef struct ns_ed_certified {
  double energy;         /* the largest sum of energies and works, J */
  double *gap, *speed;   /* gaps and their velocities at the last check [nrows] */
  double *kept;          /* forces at the last check [nrows] */
  double *change;        /* change of velocities by impulses [nv] */
  double *accelerations; /* copy of o->a during a check [nv] */
  double *lever;         /* lever arm of rotations in rows with impacts, m; 1 for others [nv] */
} ns_ed_certified;

struct event_driven {
  ns_event_run run; /* first */
  ns_stepper s;
  /* options of the model, and a copy with tolerances scaled by the size of its motion */
  const ns_event_driven_options *opt;
  ns_event_driven_options own;
  double atol_speed;  /* absolute tolerance of velocities; that of opt is of positions */
  double atol_spin;   /* of angular velocities of bodies, rad/s */
  double *fastest_of; /* sizes of velocities as far as the motion has told them [nv] */
  /* of coordinates and velocities, without the part for their rounding [nq + nv] */
  double *atol_at;
  int untold;               /* 1: no gap at t0 told a size */
  double *becomes;          /* speed of a body with shapes by the forces at t0, m/s [nsystems] */
  double atol_work;         /* of the work of compliant contacts and of their friction, J */
  double energy;            /* of bodies with shapes, by the forces at t0 over their length, J */
  ns_ed_jacobian *jacobian; /* NULL: the flow does not use it */
  int *island;              /* scratch of ns_ed_parts [2 nsystems] */
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
  double *origin;       /* positions q0 at its beginning [nq] */
  double *gap0;         /* gaps at its beginning [nrows] */
  double *gap_at_root;  /* gaps at the root that ended it [nrows], valid if at_root */
  double *gap_sampling; /* gaps before controls act [nrows] */
  int at_root;
  unsigned char *departs; /* phases of open gaps, ns_ed_phase [nrows] */
  double *lead;           /* offset of the root of their ydot below zero, m/s [nrows] */
  double *below;          /* offsets of other roots below zero, ns_ed_lead [2 nrows] */
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
  int *bonds, nbonds;                   /* interactions with a tension */
  unsigned char *bond_mode, *bond_ends; /* scratch of event_driven_bonds.c [nbonds] */
  int gives_way;                        /* 1 if there is a compliant row, an overlap or a bond */
  ns_ed_regions regions;
  ns_ed_near near;
  ns_ed_far far;
  ns_ed_life life;
  /* constraints as equations of the flow */
  ns_flow_constraints constraints;
  int *equation;        /* rows, those that restrict positions first [equations] */
  unsigned char *asked; /* interactions that have one of these [interactions] */
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
};

/* ---- event_driven.c -------------------------------------------------------------------------- */
int ns_ed_changed(void *of); /* ns_event_family.changed */
/* Before controls sample, and after: *moved, the inputs that they wrote move gaps. Failures: those
 * of plug-ins. */
int ns_ed_sampling(event_driven *o);
int ns_ed_sampled(event_driven *o, int *moved);

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
/* y = offset + H q and ydot = H v of the rows from first to last, of linear relations. */
void ns_ed_linear_rows(const event_driven *o, int first, int last, const double *offset,
                       const double *q, const double *v, double *restrict gap,
                       double *restrict speed);
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
/* The same of the rows that are active already. */
int ns_ed_hold_selected(event_driven *o, const double *v);
/* Factor the matrix of the equality rows, unless it is already that of v. */
void ns_ed_factor(event_driven *o, const double *v);
/* List the equality rows among the active ones, with memory for their matrix. */
int ns_ed_list(event_driven *o);
/* Set the functions and directions of roots for the current modes. */
void ns_ed_look(event_driven *o);
/* Rates of work of obstacles and friction, and of force_at, to f; forces are those in o->force. */
void ns_ed_works(const event_driven *o, const double *v, double *f);
/* Restart the flow from the state. */
/* Roots of the flow that begins at the state, by the mode and the tolerances of now. Failures:
 * those of plug-ins. */
int ns_ed_begin_roots(event_driven *o);
int ns_ed_restart(void *of); /* ns_event_family.go_on */
/* Units in the last place to which coordinates, velocities, gaps and times are known. */
enum { NS_ED_ULPS = 16 };
/* Size of the terms of the gap of row r: distances by which it moves, and 1 for each rotation. */
double ns_ed_reach(const event_driven *o, int r);
/* m: what rounding of these makes of it. */
double ns_ed_gap_rounding(const event_driven *o, int r);
/* Copy the unknowns at t to the state, and back. */
void ns_ed_unpack(event_driven *o, double t);
void ns_ed_pack(event_driven *o);

/* ---- event_driven_tolerances.c --------------------------------------------------------------- */
/* Choose those that the model does not give, by the state at t0: o->opt and o->atol_speed, _spin,
 * _work. */
int ns_ed_tolerances_choose(event_driven *o, ns_ctx *c);
/* Once unknowns are numbered: those of coordinates and velocities. */
void ns_ed_tolerances_begin(event_driven *o);
/* Those of works, by the energy of the run. */
void ns_ed_tolerances_of_works(event_driven *o);
/* Those of coordinates and velocities of a flow that begins at the state. */
void ns_ed_tolerances_place(event_driven *o);
/* ns_event_family.forces. */
int ns_ed_forces(void *of, double t, const double *x, double *rate);
/* Speeds up to which discs are at rest, friction.slow, where the model gives no velocityTolerance:
 * at the start; for velocities of now, in an event; for sizes [nq + nv] of the motion that begins,
 * 0: not known, and with them the tolerances of gaps (ns_event_family.sized). */
void ns_ed_slow_begin(event_driven *o);
void ns_ed_slow_choose(event_driven *o);
int ns_ed_take_sizes(event_driven *o, const double *of, int *some);
int ns_ed_sized(void *of, int *some);
/* 1: a disc begins to slide of which no speed is known. */
int ns_ed_slow_is_unknown(const event_driven *o);

/* ---- event_driven_jacobian.c ----------------------------------------------------------------- */
/* 0 with rigid bodies, and if laws have formulas: flows then use finite differences. */
int ns_ed_jacobian_fits(const ns_model *m);
/* Set structure and function in o->run.problem. */
int ns_ed_jacobian_create(event_driven *o, ns_ctx *c);
/* ns_flow_problem.parts: islands of systems that are connected in the present mode. */
int ns_ed_parts(void *self, int *part);
/* ns_flow_problem.outdates. */
int ns_ed_jacobian_outdates(void *self, const double *x0, const double *x);

/* ---- event_driven_dae.c ---------------------------------------------------------------------- */
int ns_ed_dae_create(event_driven *o, ns_ctx *c);
/* Project a row of the grid, which comes from dense output, onto the constraints if the flow
 * maintains them. The flow itself is not changed, unless a dependent constraint is violated. */
int ns_ed_polish(event_driven *o);

/* ---- event_driven_event.c -------------------------------------------------------------------- */
/* Initial value of a force, or of a distance to a bound, that begins at 0: with it the function has
 * a root where it falls below 0. Integrators multiply values at both ends of a step: this by its
 * rounding must not be 0. */
#define NS_ED_ABOVE_ZERO 1e-140
#define NS_ED_NOTHING 1e-11 /* relative size below which a force or an acceleration is rounding */
/* Perform the nonsmooth event at the state: o->closing and o->opening are its rows. The flow can be
 * continued afterwards. */
int ns_ed_event(event_driven *o);
void ns_ed_over(void *of); /* ns_event_family.over */
/* 1 if a closed contact at rest opens, according to its force and acceleration in the problem of
 * the event. If rounding leaves this undecided, the mode is kept: closed, unless its force has just
 * vanished, or open, unless it has just closed. */
int ns_ed_leaves(const event_driven *o, int r, double force, double acceleration, double nothing);
/* Largest distance of what holds from zero by y [nrows], m; those of rotations by gapTolerance over
 * that of the model. */
double ns_ed_drifted(const event_driven *o, const double *y);
/* Correct constraints that have drifted by the tolerance of the flow; _mend: after a row of the
 * grid, if necessary. */
int ns_ed_put_back(event_driven *o);
int ns_ed_correct_drift(event_driven *o);
/* Project positions and velocities of closed rows to y = ydot = 0, from the gaps and velocities of
 * the state. _positions: these alone. */
int ns_ed_project(event_driven *o);
int ns_ed_project_positions(event_driven *o);
/* Velocities of what holds (ns_ed_hold) to 0, from o->speed there. */
void ns_ed_stop(event_driven *o);
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
/* Acceleration of a row, H_r a + bias_r, as the motion was evaluated last. */
double ns_ed_acceleration_of(const event_driven *o, int r);
/* Size of the terms that it is the sum of. */
double ns_ed_size_of(const event_driven *o, int r);
/* Sizes of the terms that the accelerations of the active rows are sums of: the largest. */
double ns_ed_size(const event_driven *o);

/* ---- event_driven_multiple.c ----------------------------------------------------------------- */
int ns_ed_multiple_create(event_driven *o, ns_ctx *c);
void ns_ed_multiple_fini(event_driven *o);
/* Compute impulses of the active rows in z of the contacts; e [n]: restitution of the active
 * rows. */
int ns_ed_march(event_driven *o, const double *e);

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

#endif
