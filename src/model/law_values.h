/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law_values.h -- parameters of laws that are formulas: mu, bounds, restitution of t, z, the state.
 *
 * A run of a model that has such a parameter works on a copy of the model whose laws are its own;
 * drivers renew them and read them as they read numbers. A model without has no copy, and nothing
 * is asked in its steps.
 *
 * A step from t_k of length h takes the values at its middle: t_k + h/2, z, and the state
 * extrapolated there, s_k + (s_k - s_{k-1})/2. So the problem of the step keeps its symmetry and
 * its solvers, and the order of the scheme is 2 where values at t_k would make it 1. The first
 * step, and one after an impact or an event of the user, takes s_k. Beside names of the state
 * formulas know
 *
 *   slip      |U_T| of a contact with friction, |ydot| of a row of a relay of mechanics, at the
 *             middle
 *   approach  max(0, -U_N) as the step begins: what restitution is of, exactly
 *
 * Formulas read the whole model: its operator's banks are those of all systems. SI units. */
#ifndef NS_MODEL_LAW_VALUES_H
#define NS_MODEL_LAW_VALUES_H

#include "model/state.h"

enum { NS_SPEED_SLIP, NS_SPEED_APPROACH, NS_CONTACT_SPEEDS }; /* NS_BANK_LAW */
extern const char *const ns_law_speeds[NS_CONTACT_SPEEDS];    /* their names */

typedef struct ns_law_formula {
  ns_place at; /* of the law */
  const char *attribute, *text, *range;
  ns_operator value; /* [1] */
  /* where value is that of one side of a corner (frozen.h): of both; else NULL */
  const ns_operator *whole;
  size_t at_number; /* of a number: where in ns_nonsmooth_law; of a bound that of lb, ub */
  int bound, row;   /* it is a bound, of this row; row -1: of each */
  double high;      /* values are in [low, high], */
  double low;
  int open; /* ... without low */
} ns_law_formula;

typedef struct ns_law_values ns_law_values;

/* That of the number which stands there in the law; NULL: it is a number. */
const ns_law_formula *ns_law_formula_of(const ns_model *m, const ns_nonsmooth_law *l,
                                        size_t at_number);
/* Length of ns_state.past: 0 where no formula reads the state. */
size_t ns_law_values_past(const ns_model *m);

/* *out NULL: no parameter is a formula. Its model has the laws of t0. own: m, where it belongs to
 * the run alone and is taken as it is; else NULL. x: the state of the run, initial. NS_NUMERIC: a
 * value is out of its range there. */
int ns_law_values_create(ns_ctx *c, const ns_model *m, ns_model *own, ns_state *x,
                         ns_law_values **out);
void ns_law_values_destroy(ns_law_values *v); /* NULL-safe */
ns_model *ns_law_values_model(ns_law_values *v);

/* Laws of a step from *x->t of length h; notes the state for the next one. Does nothing where
 * m->values is NULL. NS_NUMERIC: a value is out of its range; names formula, law and value. */
int ns_law_values_step(const ns_model *m, ns_ctx *c, ns_state *x, double h);
/* Laws at t and this state, of event-driven runs; ydot [nrows]. */
int ns_law_values_at(const ns_model *m, ns_ctx *c, double t, const double *q, const double *v,
                     double *z, const double *ydot);
/* The velocities of the middle of the step that was last begun [nv]. */
const double *ns_law_values_velocity(const ns_model *m);
/* A law of shapes whose formulas read the speeds of a contact. */
int ns_law_values_of_contact(const ns_model *m, const ns_nonsmooth_law *l);
/* That law for a contact with these speeds, in the step that was last begun. */
int ns_law_values_contact(const ns_model *m, ns_ctx *c, const ns_nonsmooth_law *l,
                          const double speeds[NS_CONTACT_SPEEDS], double *z, ns_nonsmooth_law *out);
/* The state was set from outside: nothing is extrapolated over it. */
void ns_law_values_forget(ns_state *x, const ns_model *m);

#endif
