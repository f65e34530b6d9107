/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law_values.h -- parameters of laws that are formulas: mu, bounds, restitution of t, z, the state.
 *
 * A run of a model with such parameters uses a copy of the model with separate laws. Drivers update
 * these and read them like constant parameters. Models without such parameters have no copy, and
 * their steps no overhead.
 *
 * A step from t_k of length h uses the values at its middle: t_k + h/2, z, and the extrapolated
 * state s_k + (s_k - s_{k-1})/2. Thus the one-step problem remains symmetric and its solvers apply,
 * and the order of the scheme is 2, while values at t_k would reduce it to 1. The first step, and
 * each step after an impact or a user event, uses s_k. In addition to variables of the state,
 * formulas may read
 *
 *   slip      |U_T| of a contact with friction, |ydot| of a row of a relay of mechanics, at the
 *             middle
 *   approach  max(0, -U_N) at the beginning of the step: the exact argument of restitution
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
  /* if `value` is one branch of a corner (frozen.h): the whole formula; otherwise NULL */
  const ns_operator *whole;
  size_t at_number; /* offset of the parameter in ns_nonsmooth_law; for a bound, that of lb or ub */
  int bound, row;   /* 1: it is a bound of this row; row -1: of every row */
  double high;      /* values are in [low, high] */
  double low;
  int open; /* 1: low is excluded */
} ns_law_formula;

typedef struct ns_law_values ns_law_values;

/* The formula of the parameter at this offset of the law; NULL: it is a number. */
const ns_law_formula *ns_law_formula_of(const ns_model *m, const ns_nonsmooth_law *l,
                                        size_t at_number);
/* Length of ns_state.past; 0 if no formula reads the state. */
size_t ns_law_values_past(const ns_model *m);

/* Create. *out NULL: no parameter is a formula. The model of *out has the laws at t0. own: m, if it
 * belongs only to this run and is used without a copy; otherwise NULL. x: the initial state of the
 * run. NS_NUMERIC: a value is out of its range there. */
int ns_law_values_create(ns_ctx *c, const ns_model *m, ns_model *own, ns_state *x,
                         ns_law_values **out);
void ns_law_values_destroy(ns_law_values *v); /* NULL-safe */
ns_model *ns_law_values_model(ns_law_values *v);

/* Update the laws for a step from *x->t of length h, and store the state for the next one. Does
 * nothing if m->values is NULL. NS_NUMERIC: a value is out of its range; the message names formula,
 * law and value. */
int ns_law_values_step(const ns_model *m, ns_ctx *c, ns_state *x, double h);
/* Update the laws for event-driven runs at t and this state; ydot [nrows]. */
int ns_law_values_at(const ns_model *m, ns_ctx *c, double t, const double *q, const double *v,
                     double *z, const double *ydot);
/* The velocities at the middle of the current step [nv]. */
const double *ns_law_values_velocity(const ns_model *m);
/* 1 for a law of contacts between shapes whose formulas read the speeds of a contact. */
int ns_law_values_of_contact(const ns_model *m, const ns_nonsmooth_law *l);
/* Write such a law for a contact with these speeds in the current step to *out. */
int ns_law_values_contact(const ns_model *m, ns_ctx *c, const ns_nonsmooth_law *l,
                          const double speeds[NS_CONTACT_SPEEDS], double *z, ns_nonsmooth_law *out);
/* Called after the state was changed by an event: the next step does not extrapolate from before
 * it. */
void ns_law_values_forget(ns_state *x, const ns_model *m);

#endif
