/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.h -- outputs of relations: y and ydot from q and v; y of first-order ones from x and lambda. */
#ifndef NS_MODEL_OUTPUT_H
#define NS_MODEL_OUTPUT_H

#include "model/model.h"

/* y = H Q + e + F Z and ydot = H V of one interaction, written to its rows of y, ydot [nrows]. */
void ns_interaction_output(const ns_model *m, const ns_interaction *i, const double *q,
                           const double *v, const double *z, double *y, double *ydot);

/* First order. y of one interaction at (t, x, lambda), written to its rows of y [nrows]; lambda [nrows]. work:
 * ns_interaction_output_work(it) doubles. User vectors are copied: what a plug-in writes to them is lost. */
size_t ns_interaction_output_work(const ns_interaction *it);
int ns_interaction_output_first_order(const ns_model *m, ns_ctx *c, const ns_interaction *it, double t, const double *x,
                                      const double *z, const double *lambda, double *work, double *y);

#endif
