/* SPDX-License-Identifier: GPL-3.0-or-later */
/* failure.h -- the sentences of a step that failed, the same whoever made it. The state is the last good one. */
#ifndef NS_SIMULATION_FAILURE_H
#define NS_SIMULATION_FAILURE_H

#include "base/context.h"
#include "model/model.h"
#include "problems/lcp.h"

/* "ground, press": the first few interactions that took part, each once however many of its rows follow each other. {0}: none. */
typedef struct ns_involved {
  char text[256];
  size_t used;
  int some, last;
} ns_involved;
void ns_involved_add(ns_involved *w, const ns_model *m, int interaction);

/* NS_NUMERIC: the problem, an element of this name, was not solved in the step from t; look for: what may be wrong, and whose. */
int ns_fail_unsolved(ns_ctx *c, const ns_model *m, const char *problem, int rows, double t, const ns_outcome *out,
                     const char *look_for, const char *whose);
/* NS_NUMERIC: so many passes in the step from t; of: what the residual is of, as " of state and inputs", or "". */
int ns_fail_newton(ns_ctx *c, double t, double residual, const char *of, int passes);

#endif
