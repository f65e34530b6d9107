/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_rows.h -- interactions of rigid bodies in a step: rows at the iterate, which of them take
 * part, their laws as blocks.
 *
 *   y = h(t, q, z),  ydot = H v + dh/dt,   p = H^T lambda        (model/relations/rigid_relation.h)
 *
 * Joints and contacts push along H of the configuration theta of the way through the step, H_theta,
 * while their laws hold for the velocity along H of its end: p = H_theta^T lambda. With H of the
 * end for both, a point on a circle loses 1 - cos(angle of the step) of its speed in each step, and
 * a body that rolls (h/2) lambda . dH/dt v of its power, errors O(h); this way they lose nothing at
 * theta = 1/2, and the scheme is of second order as long as contacts last (theta = 1: no
 * difference).
 *
 * A row has entries at the velocities of two bodies at most; of couplers, whose joints may have
 * four bodies, and of tendons those at the third and further ones stand apart, in rows as wide as
 * the widest of them, which models without them do not have. Rows become active together in units:
 * each row of a unilateral law on its own, those of friction by their normal, equalities and relays
 * always. */
#ifndef NS_SIMULATION_ROWS_RIGID_ROWS_H
#define NS_SIMULATION_ROWS_RIGID_ROWS_H

#include "model/state.h"
#include "simulation/rows/rigid_problem.h"

/* Rows that become active together. */
typedef struct ns_rigid_unit {
  int interaction, first, rows; /* first: of all rows */
  /* friction: rows of slip behind the normal, 1 or 2; those of rolling follow */
  int slip;
  unsigned char kind;     /* ns_unit_kind */
  unsigned char equality; /* BOX: no bound at all */
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
  double *push;          /* H_theta of the interactions that bend and take part, as H */
  double *restitution;   /* [nrows] */
  double *tension;       /* of laws with memory, bonds.h [nrows]; zero of others */
  unsigned char *bends;  /* those whose H is not constant, with theta < 1 [ninteractions] */
  int bending;           /* active units that bend */
  /* number of the iterate; that of which the rows of each interaction are [ninteractions] */
  unsigned long now, *known;
  unsigned long pushed;  /* and that of `push` */
  unsigned char *linear; /* H of the interaction is constant: 1, and known: 2 */
  unsigned char *takes;  /* some of its units are active */
  int moving;            /* some H is not constant, or some row depends on time */
  int na, *active;       /* active units, ascending [na] */
  /* scratch of one relation; its y where that is not wanted [nrows] */
  double *local, *aside;
} ns_rigid_rows;

/* NS_MODEL: an interaction of more bodies than 2 + NS_MULTIBODY_FURTHER, a law without a rule. */
int ns_rigid_rows_create(ns_ctx *c, const ns_model *m, ns_rigid_rows **out);
void ns_rigid_rows_destroy(ns_rigid_rows *o); /* NULL-safe */

/* Impulses of the problem, solved for with tensions, without them. */
void ns_rigid_rows_settle(const ns_rigid_rows *o, ns_rigid_problem *p);

/* Where m->values is there: laws of a step of length h from x (model/law_values.h). */
int ns_rigid_rows_renew_laws(ns_rigid_rows *o, ns_ctx *c, ns_state *x, double h);
/* Laws as they stand in the model. */
void ns_rigid_rows_take_laws(ns_rigid_rows *o);
/* Units for a step of length h from x: y + gamma h ydot <= threshold, and contacts that bend and
 * last. */
void ns_rigid_rows_activate(ns_rigid_rows *o, const ns_state *x, double h);
/* Those of `chosen` [nunits] and those that are always active. */
void ns_rigid_rows_select(ns_rigid_rows *o, const unsigned char *chosen);
/* The iterate has moved: rows are to be found anew. */
static inline void ns_rigid_rows_moved(ns_rigid_rows *o) { o->now++; }
/* Rows at (t, q, v) of interactions that take part, or of all; those that are known are left. */
int ns_rigid_rows_eval(ns_rigid_rows *o, ns_ctx *c, const ns_state *x, double t, const double *q,
                       const double *v, int all);
/* H_theta of those that bend, at (t, q) theta of the way through the step. */
int ns_rigid_rows_eval_push(ns_rigid_rows *o, ns_ctx *c, const ns_state *x, double t,
                            const double *q, const double *v);
/* Row r of the model as it pushes in this step, H_theta or H [2 dof]; and what it does to further
 * bodies, where there are some [further dof]. */
const double *ns_rigid_rows_push(const ns_rigid_rows *o, int interaction, int r);
const double *ns_rigid_rows_push2(const ns_rigid_rows *o, int interaction, int r);
/* impulse += (H_push - H)^T r: H of the first blocks of the problem, H_push by which the rows as
 * they stand push, H_theta or H. */
void ns_rigid_rows_bend(const ns_rigid_rows *o, const ns_rigid_problem *p, double *impulse);
/* Active units as the first blocks of an empty problem, with lambda of x as the guess; bounds for a
 * step of length h. */
int ns_rigid_rows_pose(const ns_rigid_rows *o, ns_ctx *c, const ns_state *x, double h,
                       ns_rigid_problem *p);
/* Their H and b as the rows stand: b = dh/dt + E ydot_k. */
void ns_rigid_rows_fill(const ns_rigid_rows *o, const ns_state *x, ns_rigid_problem *p);
/* ydot of all rows as they stand. */
void ns_rigid_rows_speeds(const ns_rigid_rows *o, const double *v);
/* Free coordinates of joint axes at q, counted from those of x. */
void ns_rigid_rows_angles(const ns_rigid_rows *o, ns_state *x, const double *q);

/* A gap that a forecast over gamma h sees closed, and that does not open. */
static inline int ns_rigid_closes(const ns_moreau_jean_options *mj, double h, double y, double ydot)
{
  return y + mj->gamma * h * ydot <= mj->threshold && ydot <= mj->velocity_threshold;
}

static inline int ns_rigid_has_gap(const ns_rigid_unit *u) { return u->kind != NS_UNIT_BOX; }

#endif
