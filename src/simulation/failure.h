/* SPDX-License-Identifier: GPL-3.0-or-later */
/* failure.h -- the sentences of a step that failed, the same whoever made it. The state is the last good one. */
#ifndef NS_SIMULATION_FAILURE_H
#define NS_SIMULATION_FAILURE_H

#include "base/context.h"
#include "model/model.h"
#include "model/state.h"
#include "problems/lcp.h"

/* "ground, press": the first few interactions that took part, each once however many of its rows follow each other. {0}: none. */
typedef struct ns_involved {
  char text[256];
  size_t used;
  int some, last;
} ns_involved;
void ns_involved_add(ns_involved *w, const ns_model *m, int interaction);
void ns_involved_text(ns_involved *w, const char *name);

/* NS_NUMERIC: the problem, an element of this name, was not solved to tol in the step from t; worst: what is farthest from its law, or NULL; look for: what may be wrong, and whose. */
int ns_fail_unsolved(ns_ctx *c, const ns_model *m, const char *problem, int rows, double t, const ns_outcome *out, double tol,
                     const char *worst, const char *look_for, const char *whose);
/* NS_NUMERIC: no velocities fulfil these at once; held: beside velocities that are prescribed. */
int ns_fail_infeasible(ns_ctx *c, int rows, double t, const char *whose, int held);
/* NS_NUMERIC: so many passes in the step from t; of: what the residual is of, as " of state and inputs", or "". */
int ns_fail_newton(ns_ctx *c, double t, double residual, const char *of, int passes);

/* onUnsolved="accept": whether a step goes on with the residual that was reached, of the one-step problem or of Newton's method, the
 * latter scaled. The first one of a run is warned of. */
int ns_accept_unsolved(ns_ctx *c, const ns_model *m, const ns_state *x, const ns_outcome *out);
int ns_accept_newton(ns_ctx *c, const ns_model *m, const ns_state *x, double residual);

#endif
