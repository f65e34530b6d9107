/* SPDX-License-Identifier: GPL-3.0-or-later */
/* observables.h -- quantities recorded in addition to the state, evaluated for each row.
 *
 * The model describes them (ns_observable); their values are stored in ns_state.observable, in
 * order, so that a formula may read those before it. They do not affect the dynamics. */
#ifndef NS_MODEL_OBSERVABLES_H
#define NS_MODEL_OBSERVABLES_H

#include "model/state.h"

typedef struct ns_observables {
  const ns_model *m;
  double *work;  /* owned: scratch of the operators */
  double *bank;  /* owned: Q, V, Z of systems that are not consecutive */
  double *force; /* owned: scratch of formulas of forces between bodies; NULL: no forces */
  /* quantities of the event that formulas read [NS_OF_EVENT], measure.h; NULL: none */
  const double *event;
} ns_observables;

int ns_observables_create(ns_ctx *c, const ns_model *m, ns_observables *o);
/* out [rows of b->value] at the state x, for a formula that is not in the model's list but known to
 * `create`: of measures and user events. Reads x->observable without updating it. */
int ns_observables_value(const ns_observables *o, ns_ctx *c, const ns_observable *b,
                         const ns_state *x, double *out);
/* Compute x->observable [nobservables], x->rate, and the results of forces between bodies at the
 * state x, with lambda of the last step. A plug-in that fails gives NS_PLUGIN. */
int ns_observables_eval(const ns_observables *o, ns_ctx *c, const ns_state *x);
void ns_observables_fini(ns_observables *o);

#endif
