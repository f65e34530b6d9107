/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_friction.h -- private to event-driven runs of mechanics: friction and relays.
 *
 *   event_driven_friction.c        sliding: directions, forces and roots in the flow
 *   event_driven_friction_loads.c  forces of sticking contacts that are not unique
 *   event_driven_friction_rest.c   at an event: which contacts stick and which slip
 *   event_driven_friction_jam.c    at an event: sliding without a consistent force (Painleve) */
#ifndef NS_SIMULATION_EVENTS_EVENT_DRIVEN_FRICTION_H
#define NS_SIMULATION_EVENTS_EVENT_DRIVEN_FRICTION_H

#include "algebra/blocks.h"
#include "base/context.h"
#include "simulation/rows/acceleration.h"

typedef struct event_driven event_driven;

/* Forces of sticking contacts that are not unique (event_driven_friction_loads.c). */
typedef struct ns_loads {
  /* of discs, at the last ns_ed_share_loads [2 nunits] */
  unsigned char *shared; /* ns_loads_kind */
  double *kappa;         /* 1: the end of sticking, of all that is shared with it */
  /* what then slides, in the direction `slip` [nrows]; normal forces that vanish */
  unsigned char *goes, *lifts;
  double *slip;
  /* of discs at the current event [2 nunits]: sticking ends so, ns_loads_kind; those that are tried
   * to stick */
  unsigned char *ended, *tried;
  double *z; /* forces near the limit [nrows] */
  int some;  /* 1: some are shared */
  /* the set of rows that hold and act on the same bodies in question: its number, and its rows */
  int current, rows;
  const int *member; /* places among the rows that hold [rows] */
  int coupled;       /* 1: its normal forces change with friction that moves nothing */
  double *sigma;     /* sizes of forces on a contact, N [2 nunits] */
  /* scratch of the rows of friction, normals and joints: units of their forces, N; what is
   * minimised, matrices and their columns; the normal of each disc among them [2 nunits] */
  double *unit, *xi, *last, *c, *trial, *step, *change, *g, *M, *N, *H;
  int *row, *column, *load, joints;
} ns_loads;

typedef enum ns_loads_kind {
  NS_LOADS_OWN,      /* the forces of the springs */
  NS_LOADS_ON_PLANE, /* others of the same normal forces, that friction does not change */
  NS_LOADS_WEDGED    /* any others */
} ns_loads_kind;

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
  int warned;   /* a warning that sliding has jammed was given */
  double *slow; /* speed of a disc that counts as none, m/s [2 nunits] */
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
  int assumed; /* how much of what is at rest is no part of the problem of accelerations */
  /* velocities of which friction in space has the direction, while derivatives for a fixed
   * direction are formed by differences; NULL: of those of the motion */
  const double *aimed_at;
  /* of units that slide, that of their island: 1 without friction; <= 0: nothing consistent holds
   * its forces (event_driven_friction_jam.c) [nunits] */
  double *lean;
  int leans_known, straight_known; /* for the matrix of what holds, as it was factored last */
  double *lean_before;             /* at the end of the last step, 0 at the beginning [nunits] */
  double *upright;                 /* leans below this jam [nunits] */
  ns_acceleration straight;        /* the same matrix without friction */
  int *slider;                     /* scratch: units of an island that slide [nunits] */
  double *pushed;                  /* forces that friction of one of them brings about [nrows] */
  double *C;                       /* their matrix and its inverse [2 n^2] */
  size_t room;                     /* of C */
  unsigned char *jams;             /* units for which no consistent sliding force exists [nunits] */
  unsigned char *jammed;           /* the same at any time in this event [nunits] */
  ns_blocks W;                     /* matrix of all blocks at creation, then of the problem */
  unsigned char *kind; /* ns_block_kind of all blocks at creation, then of the problem [nb] */
  int *block;          /* first block of a unit [nunits] */
  int *unit, *list;    /* units and blocks of the problem [nb] */
  int *at;             /* first position of a unit in the problem, -1: none [nunits] */
  unsigned char *part; /* alternative of a unit used in the problem [nunits] */
  double *mu, *mu_rolling, *lb, *ub; /* [nb], [nb], [m], [m] */
  double *q, *r, *u;                 /* [m] */
  double *own_unit;                  /* unit of these for each row (row_problem.h) [m] */
  double scale;                      /* by which the problem was divided (ns_ed_scale) */
  size_t pairs, values;              /* room in W */
  void *solver;                      /* of ns_mechanical_auto, */
  unsigned long layout;              /* for D as it was laid out then (contacts.h) */
  ns_loads loads;
} ns_ed_friction;

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
/* Compute forces of moving relays at their bounds at v in o->force, and add them to o->a along R:
 * H, or G for accelerations. */
void ns_ed_friction_push(event_driven *o, const double *v, const ns_rows *R);
/* Compute tangential forces of sliding contacts in o->force, from the normal forces there. */
void ns_ed_friction_slide(event_driven *o);
/* Power of friction and of relays, W. */
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
/* Normal forces that are free to change vanish only where sticking ends: no roots of them. */
void ns_ed_friction_skip_wedged(const event_driven *o, double *g);
void ns_ed_friction_directions(event_driven *o);
/* 1: a disc slides in space so slowly, and its direction turns, that the velocity across that
 * decays within microseconds. */
int ns_ed_friction_is_stiff(const event_driven *o);
/* Call when a flow begins at o->run.unknown. */
int ns_ed_friction_begin(event_driven *o);
/* After a root: 1 if it is one of these; closing and opening of the row of slip are then set. */
int ns_ed_friction_fired(event_driven *o, const int *fired);
/* Then: what is moved by others, and so ceases to stick, slides with its velocity. */
void ns_ed_friction_release(event_driven *o);
/* Norm of x [nrows] in the rows of a disc; for a single row the value with its sign. */
double ns_ed_along(const event_driven *o, int disc, const double *x);
/* Euclidean norm of x [n], n >= 1, without overflow. */
double ns_ed_length(int n, const double *x);

/* ---- event_driven_friction_loads.c ----------------------------------------------------------- */
int ns_ed_loads_create(event_driven *o);
/* After an evaluation of the motion: if forces of sticking contacts are not unique, those in
 * o->force become others of the same motion that are within the cones, if there are any. */
void ns_ed_share_loads(event_driven *o);
/* Then: sticking of both discs ends at once. */
int ns_ed_same_loads(const event_driven *o, int disc, int other);
/* Not NS_LOADS_OWN: some forces in all cones, of that kind, hold a disc and what shares its
 * loads. */
ns_loads_kind ns_ed_carries(const event_driven *o, int disc);
#define NS_LOADS_NEAR 1e-7 /* of kappa: rounding where the limit is 1 */

/* ---- event_driven_friction_rest.c ------------------------------------------------------------ */
int ns_ed_rest_create(event_driven *o, ns_ctx *c);
/* Modes of contacts at rest: forces and accelerations of the active rows to z and w of the
 * contacts; o->rhs [n] is w without forces. *jam: some contacts slide without a consistent force,
 * see friction.jams; the modes are then unchanged. */
int ns_ed_rest(event_driven *o, int *jam);

/* 1: forces of the motion as it was evaluated last hold a disc, and its contact on its surface.
 * They do not where a row that depends on others has an acceleration: at a dead point, where a
 * slider turns around, and of two regions of shapes that touch in one point, of which one is left
 * by a curve. */
int ns_ed_is_held(const event_driven *o, int disc);
/* Then: what begins to slide in space starts at rest, in the direction of the problem. *stopped: 1
 * if another disc has come to rest by that, for which the problem is not that of the motion. */
int ns_ed_slide_from_rest(event_driven *o, int *stopped);
/* Then: what is at rest by several contacts sticks if forces of the flow and friction within all
 * bounds hold it (event_driven_friction_loads.c), and begins to slide where that has ended;
 * otherwise modes stay. */
int ns_ed_stick_together(event_driven *o);

/* ---- event_driven_friction_jam.c ------------------------------------------------------------- */
/* Memory for the leans of what holds now. */
int ns_ed_leans_reserve(event_driven *o);
/* Find friction.lean, for the matrix that was factored last. */
void ns_ed_find_leans(event_driven *o);
/* That matrix without friction, factored. */
const ns_acceleration *ns_ed_straight(event_driven *o);
#define NS_ED_UPRIGHT 1e-6 /* lower bound of it in the flow, where time resolves it */
/* A flow begins, and a step of it has ended at t: which leans jam in the next step. */
void ns_ed_leans_begin(event_driven *o);
void ns_ed_leans_stepped(event_driven *o, double t);
/* Impact without collision of the contacts in friction.jams. */
int ns_ed_jam(event_driven *o);

#endif
