/* SPDX-License-Identifier: GPL-3.0-or-later */
/* failure.h -- the sentences of a step that failed, the same whoever made it. The state is the last
 * good one. */
#ifndef NS_SIMULATION_STEP_FAILURE_H
#define NS_SIMULATION_STEP_FAILURE_H

#include "base/context.h"
#include "model/check/diagnose.h"
#include "model/model.h"
#include "model/state.h"
#include "problems/lcp.h"

#include <math.h>

/* "ground, press": the first few interactions that took part, each once however many of its rows
 * follow each other. {0}: none. */
typedef struct ns_involved {
  char text[256];
  size_t used;
  int some, last;
} ns_involved;
void ns_involved_add(ns_involved *w, const ns_model *m, int interaction);
void ns_involved_text(ns_involved *w, const char *name);

/* A one-step problem that was not solved. */
typedef struct ns_unsolved_problem {
  const char *problem; /* its element where the model gives none, "LCP" */
  int rows;
  double t; /* s: the step begins there */
  double tolerance;
  const ns_place *worst; /* of what is farthest from its law; NULL: not known */
  /* of that, "row 1", or of shapes "box on floor"; "" where the place says it all */
  const char *what;
  const char *fault;            /* of a circuit: why that row has no solution; NULL: not known */
  const char *look_for, *whose; /* what may be wrong, and the elements that took part */
} ns_unsolved_problem;
/* What to look for where the problem is solved once its contacts with friction do not rebound.
 * Newton's law wants a velocity after the impact that no impulse of the cone may give: the tip of a
 * rod that would have to slide back is wedged where the tangent of its angle is below mu. Without
 * restitution it sticks. */
extern const char ns_is_wedged[];

/* How far a row is from its law -w in N_[lb,ub](z): |z - proj(z - w)|. */
static inline double ns_law_distance(double z, double w, double lb, double ub)
{
  return fabs(z - fmin(fmax(z - w, lb), ub));
}

/* NS_NUMERIC: it was not solved to its tolerance. */
int ns_fail_unsolved(ns_ctx *c, const ns_model *m, const ns_unsolved_problem *p,
                     const ns_outcome *out);
/* NS_NUMERIC: no velocities fulfil these at once; held: beside velocities that are prescribed. */
int ns_fail_infeasible(ns_ctx *c, const ns_unsolved_problem *p, int held);
/* NS_NUMERIC: Newton's method at this scaled residual after so many passes in the step from t; w:
 * whose part of it is the largest. */
int ns_fail_newton(ns_ctx *c, const ns_model *m, double t, double residual, const ns_suspect *w,
                   int passes);

/* onUnsolved="accept": whether a step goes on with the residual that was reached, of the one-step
 * problem or of Newton's method, the latter scaled. The first one of a run is warned of. */
int ns_accept_unsolved(ns_ctx *c, const ns_model *m, const ns_state *x, const ns_outcome *out);
int ns_accept_newton(ns_ctx *c, const ns_model *m, const ns_state *x, double residual);

#endif
