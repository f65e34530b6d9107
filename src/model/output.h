/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.h -- outputs of relations: y and ydot from q and v. */
#ifndef NS_MODEL_OUTPUT_H
#define NS_MODEL_OUTPUT_H

#include "model/model.h"

/* y = H Q + e + F Z and ydot = H V of one interaction, written to its rows of y, ydot [nrows]. */
void ns_interaction_output(const ns_model *m, const ns_interaction *i, const double *q,
                           const double *v, const double *z, double *y, double *ydot);

#endif
