/* SPDX-License-Identifier: GPL-3.0-or-later */
/* observables.h -- numbers that results show beside the state, evaluated when a row is recorded.
 *
 * The model describes them (ns_observable); their values go to ns_state.observable, in order, so
 * that a formula may read those before it. They never enter the dynamics. */
#ifndef NS_MODEL_OBSERVABLES_H
#define NS_MODEL_OBSERVABLES_H

#include "model/state.h"

typedef struct ns_observables {
  const ns_model *m;
  double *work;  /* owned: scratch of the operators */
  double *bank;  /* owned: Q, V, Z of systems that do not stand one after the other */
  double *force; /* owned: scratch of formulas of forces between bodies; NULL: no forces */
  /* numbers of the event that formulas are of [NS_OF_EVENT], measure.h; NULL: of none */
  const double *event;
} ns_observables;

int ns_observables_create(ns_ctx *c, const ns_model *m, ns_observables *o);
/* out [rows of b->value] at the state x, for a formula that is not of the model's list, but that
 * `create` has seen: of measures and events of the user. It reads x->observable as it is. */
int ns_observables_value(const ns_observables *o, ns_ctx *c, const ns_observable *b,
                         const ns_state *x, double *out);
/* x->observable [nobservables] at the state x, with lambda of its last step, x->rate, and what
 * forces between bodies show. A plug-in that fails is NS_PLUGIN. */
int ns_observables_eval(const ns_observables *o, ns_ctx *c, const ns_state *x);
void ns_observables_fini(ns_observables *o);

#endif
