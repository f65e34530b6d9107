/* SPDX-License-Identifier: GPL-3.0-or-later */
/* failure.h -- error messages of failed steps, common to all drivers. The state is the last valid
 * one. */
#ifndef NS_SIMULATION_STEP_FAILURE_H
#define NS_SIMULATION_STEP_FAILURE_H

#include "base/context.h"
#include "model/check/diagnose.h"
#include "model/model.h"
#include "model/state.h"
#include "problems/lcp.h"

/* List of the first few interactions involved, "ground, press", each once even if several of its
 * rows follow each other. {0}: empty. */
typedef struct ns_involved {
  char text[256];
  size_t used;
  int some, last;
} ns_involved;
void ns_involved_add(ns_involved *w, const ns_model *m, int interaction);
void ns_involved_text(ns_involved *w, const char *name);

/* A one-step problem that was not solved. */
typedef struct ns_unsolved_problem {
  const char *problem; /* its element if the model names none, "LCP" */
  int rows;
  double t; /* beginning of the step, s */
  double tolerance;
  const ns_place *worst; /* place of the largest violation of a law; NULL: unknown */
  /* its description, "row 1", or for shapes "box on floor"; "" if the place is sufficient */
  const char *what;
  const char *fault;            /* circuits: why that row has no solution; NULL: unknown */
  const char *look_for, *whose; /* possible causes, and the elements involved */
} ns_unsolved_problem;
/* Advice if the problem is solvable without restitution of its contacts with friction. Newton's law
 * may require a velocity after the impact that no impulse in the cone produces: the tip of a rod
 * that would have to slide back is wedged if the tangent of its angle is below mu. Without
 * restitution it sticks. */
extern const char ns_is_wedged[];

/* Fails with NS_NUMERIC: the problem was not solved to its tolerance. */
int ns_fail_unsolved(ns_ctx *c, const ns_model *m, const ns_unsolved_problem *p,
                     const ns_outcome *out);
/* Fails with NS_NUMERIC: no velocities satisfy all these rows; held: together with prescribed
 * velocities. */
int ns_fail_infeasible(ns_ctx *c, const ns_unsolved_problem *p, int held);
/* Fails with NS_NUMERIC: Newton's method has this scaled residual after `passes` passes in the step
 * from t; w: the element with the largest contribution. */
int ns_fail_newton(ns_ctx *c, const ns_model *m, double t, double residual, const ns_suspect *w,
                   int passes);

/* For onUnsolved="accept": 1 if a step is accepted with this residual, of the one-step problem or
 * (scaled) of Newton's method. Warns the first time in a run. */
int ns_accept_unsolved(ns_ctx *c, const ns_model *m, const ns_state *x, const ns_outcome *out);
int ns_accept_newton(ns_ctx *c, const ns_model *m, const ns_state *x, double residual);

#endif
