/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_rows.h -- interactions of rigid bodies in a step: rows at the iterate, activation, blocks
 * of the problem.
 *
 *   y = h(t, q, z),   ydot = H v + dh/dt,   p = H^T lambda    (model/relations/rigid_relation.h)
 *
 * Impulses of joints and contacts act along H at the configuration after the fraction theta of the
 * step, H_theta, while their laws apply to the velocity along H at its end: p = H_theta^T lambda.
 * With H at the end for both, a point on a circle would lose the fraction 1 - cos(angle of the
 * step) of its speed in each step, and a rolling body the power (h/2) lambda . dH/dt v, errors of
 * O(h). With H_theta they lose nothing at theta = 1/2, and the scheme has second order during
 * lasting contact (theta = 1: no difference).
 *
 * A row has entries for the velocities of two bodies; couplers, whose joints may have four bodies,
 * and tendons have the entries of further bodies in separate rows, which are absent in other
 * models. Rows become active in units: each row of a unilateral law separately; all rows of a
 * friction law, by the normal row; equalities and relays always. */
#ifndef NS_SIMULATION_ROWS_RIGID_ROWS_H
#define NS_SIMULATION_ROWS_RIGID_ROWS_H

#include "model/state.h"
#include "simulation/rows/rigid_problem.h"

/* Rows that become active together. */
typedef struct ns_rigid_unit {
  int interaction, first, rows; /* first: of all rows */
  /* friction: number of rows of slip after the normal, 1 or 2; those of rolling follow */
  int slip;
  unsigned char kind;     /* ns_unit_kind */
  unsigned char equality; /* BOX: without bounds */
} ns_rigid_unit;

typedef struct ns_rigid_rows {
  const ns_model *m;
  ns_arena *mem;
  int dof, nrows, nunits;
  ns_rigid_unit *unit;   /* [nunits] */
  int *body;             /* of each interaction [2 ninteractions]; second -1: the world */
  int further;           /* bodies of an interaction beyond its second, at most */
  int *body2;            /* these, then -1 [further ninteractions]; NULL: there are none */
  double *H2, *push2;    /* as H and push, [nrows][further dof] */
  double *H, *y, *shift; /* at the iterate: [nrows][2 dof] by rows, [nrows], [nrows] */
  double *ydot;          /* of ns_rigid_rows_speeds [nrows] */
  double *push;          /* H_theta of the active interactions with `bends`, as H */
  double *restitution;   /* [nrows] */
  double *tension;       /* of laws with memory, bonds.h [nrows]; zero for others */
  unsigned char *bends;  /* 1: H is not constant, and theta < 1 [ninteractions] */
  int bending;           /* number of active units of interactions with `bends` */
  /* number of the iterate; that of the rows of each interaction [ninteractions] */
  unsigned long now, *known;
  unsigned long pushed;  /* that of `push` */
  unsigned char *linear; /* H of the interaction is constant: 1, and known: 2 */
  unsigned char *takes;  /* 1: some of its units are active [ninteractions] */
  int moving;            /* 1: some H is not constant, or some row depends on time */
  int na, *active;       /* active units, ascending [na] */
  /* scratch of one relation; for unused y [nrows] */
  double *local, *aside;
} ns_rigid_rows;

/* Create. NS_MODEL: an interaction of more than 2 + NS_MULTIBODY_FURTHER bodies, or an unsupported
 * law. */
int ns_rigid_rows_create(ns_ctx *c, const ns_model *m, ns_rigid_rows **out);
void ns_rigid_rows_destroy(ns_rigid_rows *o); /* NULL-safe */

/* Convert impulses of the solved problem, which include tensions, to those without. */
void ns_rigid_rows_settle(const ns_rigid_rows *o, ns_rigid_problem *p);

/* Activate units for a step of length h from x: y + gamma h ydot <= threshold, and lasting contacts
 * with `bends`. */
void ns_rigid_rows_activate(ns_rigid_rows *o, const ns_state *x, double h);
/* Activate the units marked in `chosen` [nunits] and those that are always active. */
void ns_rigid_rows_select(ns_rigid_rows *o, const unsigned char *chosen);
/* Called after a change of the iterate: rows have to be evaluated again. */
static inline void ns_rigid_rows_moved(ns_rigid_rows *o) { o->now++; }
/* Evaluate rows at (t, q, v) of active interactions, or of all; rows already known are skipped. */
int ns_rigid_rows_eval(ns_rigid_rows *o, ns_ctx *c, const ns_state *x, double t, const double *q,
                       const double *v, int all);
/* Evaluate H_theta of interactions with `bends` at (t, q), after the fraction theta of the step. */
int ns_rigid_rows_eval_push(ns_rigid_rows *o, ns_ctx *c, const ns_state *x, double t,
                            const double *q, const double *v);
/* Direction of the impulse of row r of the model in this step, H_theta or H [2 dof]; _push2: for
 * further bodies, if any [further dof]. */
const double *ns_rigid_rows_push(const ns_rigid_rows *o, int interaction, int r);
const double *ns_rigid_rows_push2(const ns_rigid_rows *o, int interaction, int r);
/* impulse += (H_push - H)^T r, with H of the first blocks of the problem, and H_push the current
 * direction of impulses, H_theta or H. */
void ns_rigid_rows_bend(const ns_rigid_rows *o, const ns_rigid_problem *p, double *impulse);
/* Add the active units as first blocks of an empty problem, with lambda of x as guess, and bounds
 * for a step of length h. */
int ns_rigid_rows_pose(const ns_rigid_rows *o, ns_ctx *c, const ns_state *x, double h,
                       ns_rigid_problem *p);
/* Set their H and b from the current rows: b = dh/dt + E ydot_k. */
void ns_rigid_rows_fill(const ns_rigid_rows *o, const ns_state *x, ns_rigid_problem *p);
/* Compute ydot of all rows from the current H. */
void ns_rigid_rows_speeds(const ns_rigid_rows *o, const double *v);
/* Update the free coordinates of joint axes at q, with revolutions relative to those of x. */
void ns_rigid_rows_angles(const ns_rigid_rows *o, ns_state *x, const double *q);

/* 1 if the predicted gap is closed, and the gap does not open too fast. */
static inline int ns_rigid_closes(const ns_moreau_jean_options *mj, double h, double y, double ydot)
{
  return y + mj->gamma * h * ydot <= mj->threshold && ydot <= mj->velocity_threshold;
}

static inline int ns_rigid_has_gap(const ns_rigid_unit *u) { return u->kind != NS_UNIT_BOX; }

#endif
