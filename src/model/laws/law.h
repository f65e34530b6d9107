/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law.h -- nonsmooth laws as tables of operations.
 *
 *   -w in N_K(z),   w = U + E U_k of a contact with impacts, the output itself of all others
 *
 * w, z: outputs and multipliers of a block of rows; K: bounds row by row, a cone of friction (with
 * De Saxce's term), a polyhedron; E: restitution (Newton 1687; Moreau 1988). One file of this
 * folder holds a law, or those of one idea, and ends in its ns_law_ops; law.c has the list. Nobody
 * else asks which law it is: who loads, checks, steps or shows a model asks for what is below.
 *
 * Parameters are read by ns_law_mu, ns_law_bounds, ns_law_restitution alone in steps; where they
 * are formulas a run has laws of its own, whose numbers are renewed (model/law_values.h). What a
 * step needs of the tables is resolved where a run is created. */
#ifndef NS_MODEL_LAWS_LAW_H
#define NS_MODEL_LAWS_LAW_H

#include "base/arena.h"
#include "base/context.h"

#include <math.h>
#include <stddef.h>

struct ns_place;
struct ns_relation_kind;
struct ns_law_ops;
struct ns_law_formula;

/* K of a block. */
typedef enum ns_law_set {
  NS_SET_ROWS, /* [lb, ub] of each row: ns_law_bounds */
  /* Coulomb: row 0 >= 0, the rows of slip behind it are at most mu times as long */
  NS_SET_CONE,
  NS_SET_ROLLING,   /* and those of rolling behind them mu_rolling times */
  NS_SET_POLYHEDRON /* { z : N z >= k } */
} ns_law_set;

/* Rows that become active together, and when. */
typedef enum ns_unit_kind {
  NS_UNIT_UNILATERAL, /* one row, by its gap */
  NS_UNIT_FRICTION,   /* all rows of a cone, by the gap of the first */
  NS_UNIT_BOX,        /* rows with bounds: always */
  NS_UNIT_COMPLIANT /* rows of a compliant relation, whatever the law, or of a compliant law: always
                     */
} ns_unit_kind;

/* What a motion between events, or a scheme without a problem of its own, can make of a law. */
typedef enum ns_law_role {
  NS_ROLE_NONE,
  NS_ROLE_UNILATERAL,
  NS_ROLE_BILATERAL,
  NS_ROLE_FRICTION,
  NS_ROLE_RELAY
} ns_law_role;

/* What relations with a use of their own take: ns_relation_kind.laws, of which a law fits some. */
typedef enum ns_law_fit {
  NS_FIT_CONSTRAINT = 1, /* y = 0: joints, couplers */
  NS_FIT_STOP = 2,       /* impacts of single rows: limits, gaps */
  NS_FIT_TORQUE = 4,     /* friction of a given bound */
  NS_FIT_SLIP = 8,       /* a gap and rows of slip */
  NS_FIT_ROLLING = 16    /* and rows of rolling */
} ns_law_fit;

/* One-step problems that not every law stands in (problem.h). */
typedef enum ns_law_stands {
  NS_IN_LCP = 1,
  NS_IN_MLCP = 2,
  NS_IN_RELAY = 4,
  NS_IN_FRICTION = 8,
  NS_IN_ROLLING = 16
} ns_law_stands;

/* How its element says what it is. */
typedef enum ns_law_form {
  NS_FORM_NUMBERS,    /* ns_law_ops.numbers, by attributes */
  NS_FORM_BOUNDS,     /* lb, ub of each row, or those of the law */
  NS_FORM_POLYHEDRON, /* values H and k */
  NS_FORM_POINTS      /* pieces, each a row with bounds */
} ns_law_form;

/* A law with its parameters: of an interaction of m rows, or of the contacts between two materials.
 */
typedef struct ns_nonsmooth_law {
  const struct ns_law_ops *ops; /* NULL: no law */
  /* its parameters that are formulas: where in ns_model.law_formulas, how many (law_values.h) */
  int formula, nformulas;
  union {
    struct { /* NUMBERS */
      /* restitution of the gap, of the slip, in [0, 1]; with `march` energetic */
      double e, et;
      double mu, mu_rolling;                        /* >= 0; mu_rolling in m */
      double cohesion;                              /* N, `memory` */
      double stiffness, exponent;                   /* `march`, `compliant`: force K delta^eta */
      double damping, slip_stiffness, slip_damping; /* `compliant` */
      double more[4];                               /* `plugged`: as a plug-in takes them */
    };
    struct {                 /* BOUNDS, POINTS */
      const double *lb, *ub; /* [m], infinities allowed, lb <= ub */
      /* of Lagrangian relays: 1: bounds are forces, their impulses h times as much; 0: impulses */
      int forces;
      /* 1: the rows are one vector whose length is at most ub[0], lb = -ub, the same of each row */
      int ball;
    };
    struct { /* POLYHEDRON: N [np x m] by columns, k [np] */
      int np;
      const double *N, *k;
    };
  };
} ns_nonsmooth_law;

/* A parameter by the name of its attribute. */
typedef struct ns_law_number {
  const char *attribute, *key, *unit; /* key: in JSON; unit: NULL where none */
  double initial;                     /* where the attribute is not given */
  size_t at;                          /* in ns_nonsmooth_law */
} ns_law_number;

typedef struct ns_law_ops {
  const char *name, *help; /* XML element; one line, for `nssim list laws` */
  ns_law_set set;
  ns_law_form form;
  /* of velocities, while in contact, w = U + E U_k; otherwise of the output, always */
  int impact;
  /* impacts of all contacts at once (problems/multiple_impact.h), event-driven runs alone */
  int march;
  /* a force of the overlap of two shapes (compliant.c), of contacts between shapes alone */
  int compliant;
  /* its functions are those of a plug-in, which attribute `plugin` names (plugin.c) */
  int plugged;
  /* friction acts on the mean of the slip in each step, not on that after impacts alone */
  int mean_slip;
  unsigned fits, stands;        /* ns_law_fit, ns_law_stands */
  double lb, ub;                /* BOUNDS that are not given */
  const ns_law_number *numbers; /* NUMBERS; ends with a row without attribute */
  /* E of row r, of which 1 ... slip are slip; NULL: 0. theta: weight of the end of a step. */
  double (*restitution)(const ns_nonsmooth_law *l, int r, int slip, double theta);
  /* Why it cannot stand beside a relation, a sentence's end with one %s for its name; NULL: it can.
   */
  const char *(*refuses)(const struct ns_relation_kind *relation);
  /* A law with memory keeps that many numbers of a block from step to step: in ns_state.bond, of
   * contacts between shapes in their list (simulation/rows/rigid_contacts.h). By them row 0 bears a
   * tension, N: in a step of length h its set is K - (h tension, 0, ...). `keep` learns of an
   * accepted step what row 0 carried beyond its tension, N s: 0 where that was all it could bear.
   * NULL, where memory is 0. */
  int memory;
  void (*begin)(const ns_nonsmooth_law *l, double gap, double *memory);
  double (*tension)(const ns_nonsmooth_law *l, const double *memory);
  void (*keep)(const ns_nonsmooth_law *l, double pressed, double *memory);
  /* Report every fault of its parameters. */
  void (*check)(const ns_nonsmooth_law *l, int m, const struct ns_place *at, ns_ctx *c);
} ns_law_ops;

extern const ns_law_ops *const ns_law_kinds[];   /* ends with NULL */
const ns_law_ops *ns_law_find(const char *name); /* NULL: none */
/* The table of a law that a plug-in has, "Library:function" (borrowed), checked; in memory of `a`.
 * at: the element. NS_PLUGIN, NS_NOMEM. */
struct nssim_law;
int ns_law_of_plugin(ns_ctx *c, ns_arena *a, const char *at, const char *call,
                     const struct nssim_law *table, const ns_law_ops **out);
/* That of m rows, of which the first are equalities and the others complementarity conditions. */
const ns_law_ops *ns_law_mixes(int equalities, int m);
/* That of rows whose multipliers are between bounds of their own. */
const ns_law_ops *ns_law_between_bounds(void);

/* ---- its class ------------------------------------------------------------------------------- */

static inline int ns_law_has_cone(const ns_law_ops *o)
{
  return o->set == NS_SET_CONE || o->set == NS_SET_ROLLING;
}
/* Impacts of single rows. */
static inline int ns_law_is_unilateral(const ns_law_ops *o)
{
  return o->impact && o->set == NS_SET_ROWS;
}
/* Bounds of single rows, of outputs. */
static inline int ns_law_is_box(const ns_law_ops *o) { return !o->impact && o->set == NS_SET_ROWS; }
static inline int ns_law_is_polyhedron(const ns_law_ops *o) { return o->set == NS_SET_POLYHEDRON; }
/* Units that it makes of rows that are not compliant. */
static inline ns_unit_kind ns_law_unit(const ns_law_ops *o)
{
  if (ns_law_has_cone(o)) return NS_UNIT_FRICTION;
  return o->impact ? NS_UNIT_UNILATERAL : NS_UNIT_BOX;
}
/* Of the contacts between shapes. */
static inline int ns_law_is_of_shapes(const ns_law_ops *o) { return o->impact; }

/* ---- its parameters -------------------------------------------------------------------------- */

static inline double ns_law_mu(const ns_nonsmooth_law *l) { return l->mu; }
static inline double ns_law_mu_rolling(const ns_nonsmooth_law *l) { return l->mu_rolling; }
/* Bounds of the impulse of row r in a step of length h, or of lambda with h = 1. */
static inline void ns_law_bounds(const ns_nonsmooth_law *l, int r, double h, double *lb, double *ub)
{
  int box = ns_law_is_box(l->ops);
  double f = box && l->forces ? h : 1;
  *lb = box ? l->lb[r] * f : ns_law_is_polyhedron(l->ops) ? -INFINITY : 0;
  *ub = box ? l->ub[r] * f : INFINITY;
}
/* One vector of bounded length, not rows with bounds of their own. */
static inline int ns_law_is_ball(const ns_nonsmooth_law *l)
{
  return ns_law_is_box(l->ops) && l->ball;
}
/* Row r has no bounds, so that its output is 0; both bounds are finite. */
static inline int ns_law_is_free(const ns_nonsmooth_law *l, int r)
{
  return ns_law_is_box(l->ops) && isinf(l->lb[r]) && isinf(l->ub[r]);
}
static inline int ns_law_is_bounded(const ns_nonsmooth_law *l, int r)
{
  return ns_law_is_box(l->ops) && isfinite(l->lb[r]) && isfinite(l->ub[r]);
}
static inline double ns_law_restitution(const ns_nonsmooth_law *l, int r, int slip, double theta)
{
  return l->ops->restitution ? l->ops->restitution(l, r, slip, theta) : 0;
}
/* Of numbers in the order of ops->numbers. */
static inline double ns_law_get(const ns_nonsmooth_law *l, const ns_law_number *n)
{
  return *(const double *)(const void *)((const char *)l + n->at);
}
/* Rows of slip of m rows of such a law. */
int ns_law_slip(const ns_law_ops *o, int m);
/* Whether it acts on m rows: cones alone are particular. */
int ns_law_takes_rows(const ns_law_ops *o, int m);
/* Rows of a contact between shapes that its numbers, or formulas of the model, have a say in. */
int ns_law_shape_rows(const ns_nonsmooth_law *l, const struct ns_law_formula *formulas, int planar);
/* Of m rows of a relation that is not compliant. */
ns_law_role ns_law_role_of(const ns_nonsmooth_law *l, int m);
/* All rows are free: a constraint. */
int ns_law_is_equality(const ns_nonsmooth_law *l, int m);
/* The same law with the same numbers; those of rows are not compared. */
int ns_law_same(const ns_nonsmooth_law *x, const ns_nonsmooth_law *y);

#endif
