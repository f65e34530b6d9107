/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law.h -- nonsmooth laws as tables of operations.
 *
 *   -w in N_K(z),   w = U + E U_k for contacts with impacts; for all other laws w is the output
 *
 * w, z: outputs and multipliers of a block of rows; K: bounds row by row, a cone of friction (with
 * De Saxce's term), a polyhedron; E: restitution (Newton 1687; Moreau 1988). Each law, or group of
 * similar laws, has one file in this folder, which ends with its ns_law_ops; law.c has the list.
 * Code outside this folder never tests which law it has: it uses only the data and functions below.
 *
 * Steps read parameters only by ns_law_mu, ns_law_bounds and ns_law_restitution. If parameters are
 * formulas, a run has separate laws whose numbers are updated (model/law_values.h). Steps do not
 * search the tables: their entries are resolved when a run is created. */
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
  /* Coulomb: z_0 >= 0; the following rows of slip have a norm <= mu z_0 */
  NS_SET_CONE,
  NS_SET_ROLLING,   /* also rows of rolling, with a norm <= mu_rolling z_0 */
  NS_SET_POLYHEDRON /* { z : N z >= k } */
} ns_law_set;

/* Units of rows that become active together, and the condition. */
typedef enum ns_unit_kind {
  NS_UNIT_UNILATERAL, /* one row, by its gap */
  NS_UNIT_FRICTION,   /* all rows of a cone, by the gap of the first */
  NS_UNIT_BOX,        /* rows with bounds: always */
  NS_UNIT_COMPLIANT   /* rows of a compliant relation with any law, or of a compliant law: always */
} ns_unit_kind;

/* Role of a law for motion between events, and for schemes without a separate one-step problem. */
typedef enum ns_law_role {
  NS_ROLE_NONE,
  NS_ROLE_UNILATERAL,
  NS_ROLE_BILATERAL,
  NS_ROLE_FRICTION,
  NS_ROLE_RELAY
} ns_law_role;

/* Special uses of relations (ns_relation_kind.laws) for which a law is suitable. */
typedef enum ns_law_fit {
  NS_FIT_CONSTRAINT = 1, /* y = 0: joints, couplers */
  NS_FIT_STOP = 2,       /* impacts of single rows: limits, gaps */
  NS_FIT_TORQUE = 4,     /* friction of a given bound */
  NS_FIT_SLIP = 8,       /* a gap and rows of slip */
  NS_FIT_ROLLING = 16    /* and rows of rolling */
} ns_law_fit;

/* One-step problems that support a law (problem.h). */
typedef enum ns_law_stands {
  NS_IN_LCP = 1,
  NS_IN_MLCP = 2,
  NS_IN_RELAY = 4,
  NS_IN_FRICTION = 8,
  NS_IN_ROLLING = 16
} ns_law_stands;

/* Form of a law's element in the language. */
typedef enum ns_law_form {
  NS_FORM_NUMBERS,    /* ns_law_ops.numbers, by attributes */
  NS_FORM_BOUNDS,     /* lb, ub of each row, or fixed bounds of the law */
  NS_FORM_POLYHEDRON, /* values H and k */
  NS_FORM_POINTS      /* pieces, each a row with bounds */
} ns_law_form;

/* A law with its parameters, for an interaction of m rows or for contacts between two materials. */
typedef struct ns_nonsmooth_law {
  const struct ns_law_ops *ops; /* NULL: no law */
  /* its parameters that are formulas: first index in ns_model.law_formulas, number
   * (law_values.h) */
  int formula, nformulas;
  union {
    struct { /* NUMBERS */
      /* restitution of the gap and of the slip, in [0, 1]; with `march` energetic */
      double e, et;
      double mu, mu_rolling;                        /* >= 0; mu_rolling in m */
      double cohesion;                              /* N, `memory` */
      double stiffness, exponent;                   /* `march`, `compliant`: force K delta^eta */
      double damping, slip_stiffness, slip_damping; /* `compliant` */
      double more[4];                               /* `plugged`: parameters of the plug-in */
    };
    struct {                 /* BOUNDS, POINTS */
      const double *lb, *ub; /* [m], infinities allowed, lb <= ub */
      /* of Lagrangian relays: 1: bounds are forces, bounds of impulses h times as large; 0:
       * impulses */
      int forces;
      /* 1: the rows are one vector with norm <= ub[0]; lb = -ub, the same in each row */
      int ball;
    };
    struct { /* POLYHEDRON: N [np x m] by columns, k [np] */
      int np;
      const double *N, *k;
    };
  };
} ns_nonsmooth_law;

/* A numeric parameter and its attribute. */
typedef struct ns_law_number {
  const char *attribute, *key, *unit; /* key: in JSON; unit: NULL if none */
  double initial;                     /* default */
  size_t at;                          /* offset in ns_nonsmooth_law */
} ns_law_number;

typedef struct ns_law_ops {
  const char *name, *help; /* XML element; one line, for `nssim list laws` */
  ns_law_set set;
  ns_law_form form;
  /* 1: law of velocities while in contact, w = U + E U_k; 0: law of the output, always */
  int impact;
  /* 1: simultaneous impacts (problems/multiple_impact.h), only in event-driven runs */
  int march;
  /* 1: a force that depends on the overlap (compliant.c), only for contacts between shapes */
  int compliant;
  /* 1: its functions are those of a plug-in, named by the attribute `plugin` (plugin.c) */
  int plugged;
  /* 1: friction acts on the mean slip of a step, not on the slip after impacts */
  int mean_slip;
  unsigned fits, stands;        /* ns_law_fit, ns_law_stands */
  double lb, ub;                /* default BOUNDS */
  const ns_law_number *numbers; /* NUMBERS; ends with an entry whose attribute is NULL */
  /* E of row r; rows 1 ... slip are rows of slip. NULL: 0. theta: weight of the end of a step. */
  double (*restitution)(const ns_nonsmooth_law *l, int r, int slip, double theta);
  /* Reason why the law is not permitted with a relation: the end of a sentence with one %s for the
   * name of the relation; NULL: permitted. */
  const char *(*refuses)(const struct ns_relation_kind *relation);
  /* A law with memory stores this many numbers per block from step to step: in ns_state.bond, for
   * contacts between shapes in their list (simulation/rows/rigid_contacts.h). They determine a
   * tension (N) that row 0 can carry: in a step of length h the set is K - (h tension, 0, ...).
   * `keep` is called after an accepted step in which row 0 had a tension, with the impulse of row 0
   * above its lower bound, N s; 0: the contact opens under its full tension. NULL if memory is
   * 0. */
  int memory;
  void (*begin)(const ns_nonsmooth_law *l, double gap, double *memory);
  double (*tension)(const ns_nonsmooth_law *l, const double *memory);
  void (*keep)(const ns_nonsmooth_law *l, double pressed, double *memory);
  /* Report every fault of its parameters. */
  void (*check)(const ns_nonsmooth_law *l, int m, const struct ns_place *at, ns_ctx *c);
} ns_law_ops;

extern const ns_law_ops *const ns_law_kinds[];   /* ends with NULL */
const ns_law_ops *ns_law_find(const char *name); /* NULL: none */
/* Check the functions of a plug-in's nssim_law and create its ns_law_ops in memory of `a`; the
 * names are borrowed. NS_PLUGIN, NS_NOMEM. */
struct ns_plugged;
int ns_law_of_plugin(ns_ctx *c, ns_arena *a, const struct ns_plugged *from, const ns_law_ops **out);
/* The law of m rows, of which the first `equalities` are equalities and the others complementarity
 * conditions. */
const ns_law_ops *ns_law_mixes(int equalities, int m);
/* The law of rows whose multipliers have separate bounds. */
const ns_law_ops *ns_law_between_bounds(void);

/* ---- class of a law -------------------------------------------------------------------------- */

static inline int ns_law_has_cone(const ns_law_ops *o)
{
  return o->set == NS_SET_CONE || o->set == NS_SET_ROLLING;
}
/* 1 for impacts of single rows. */
static inline int ns_law_is_unilateral(const ns_law_ops *o)
{
  return o->impact && o->set == NS_SET_ROWS;
}
/* 1 for bounds of single rows of outputs. */
static inline int ns_law_is_box(const ns_law_ops *o) { return !o->impact && o->set == NS_SET_ROWS; }
static inline int ns_law_is_polyhedron(const ns_law_ops *o) { return o->set == NS_SET_POLYHEDRON; }
/* Kind of the units of rows that are not compliant. */
static inline ns_unit_kind ns_law_unit(const ns_law_ops *o)
{
  if (ns_law_has_cone(o)) return NS_UNIT_FRICTION;
  return o->impact ? NS_UNIT_UNILATERAL : NS_UNIT_BOX;
}
/* 1 if it is permitted for contacts between shapes. */
static inline int ns_law_is_of_shapes(const ns_law_ops *o) { return o->impact; }

/* ---- parameters of a law --------------------------------------------------------------------- */

static inline double ns_law_mu(const ns_nonsmooth_law *l) { return l->mu; }
static inline double ns_law_mu_rolling(const ns_nonsmooth_law *l) { return l->mu_rolling; }
/* Bounds of the impulse of row r in a step of length h; of lambda with h = 1. */
static inline void ns_law_bounds(const ns_nonsmooth_law *l, int r, double h, double *lb, double *ub)
{
  int box = ns_law_is_box(l->ops);
  double f = box && l->forces ? h : 1;
  *lb = box ? l->lb[r] * f : ns_law_is_polyhedron(l->ops) ? -INFINITY : 0;
  *ub = box ? l->ub[r] * f : INFINITY;
}
/* 1 if the rows are one vector of bounded length, not rows with separate bounds. */
static inline int ns_law_is_ball(const ns_nonsmooth_law *l)
{
  return ns_law_is_box(l->ops) && l->ball;
}
/* _is_free: row r has no bounds, so that its output is 0. _is_bounded: both bounds are finite. */
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
/* Value of an entry n of ops->numbers. */
static inline double ns_law_get(const ns_nonsmooth_law *l, const ns_law_number *n)
{
  return *(const double *)(const void *)((const char *)l + n->at);
}
/* Number of rows of slip among m rows of such a law. */
int ns_law_slip(const ns_law_ops *o, int m);
/* 1 if the law can act on m rows; only cones restrict m. */
int ns_law_takes_rows(const ns_law_ops *o, int m);
/* Number of rows of a contact between shapes that its numbers, or formulas of the model, affect. */
int ns_law_shape_rows(const ns_nonsmooth_law *l, const struct ns_law_formula *formulas, int planar);
/* Role of the law for m rows of a relation that is not compliant. */
ns_law_role ns_law_role_of(const ns_nonsmooth_law *l, int m);
/* 1 if all rows are free: a constraint. */
int ns_law_is_equality(const ns_nonsmooth_law *l, int m);
/* 1 if both are the same law with equal numbers; parameters of single rows are not compared. */
int ns_law_same(const ns_nonsmooth_law *x, const ns_nonsmooth_law *y);

#endif
