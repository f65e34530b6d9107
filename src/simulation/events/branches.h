/* SPDX-License-Identifier: GPL-3.0-or-later */
/* branches.h -- formulas that jump, in event-driven runs of any family.
 *
 * The switches listed by model/frozen.h change here. In the flow all branches are constant, so
 * that rates are smooth and each side of a jump is continued beyond it; an event decides the next
 * branch.
 *
 *   known    sigma is a function of t: its next zero is known before the flow begins. Zeros of
 *            affine functions follow in closed form from the index of the period; others are
 *            isolated by interval arithmetic on sigma and its derivative and bisected to 2 units in
 *            the last place. The flow never evaluates rates beyond the zero; the new branch follows
 *            from the index, not from sigma at the rounded time.
 *   others   sigma is a root function. With a+, a- = d sigma/dt of the two branches (Filippov 1988,
 *            ch. 2):
 *              a+ a- > 0      the motion crosses
 *              a- > 0 > a+    it slides: f = (1 - B) f- + B f+, B = a-/(a- - a+), until B leaves
 *                             [0, 1]
 *              a- < 0 < a+    two solutions exist: an error, unless the motion came from one side
 *            If several sigma are zero at the same time, all combinations of modes in sets of
 *            coupled switches are tried; more than one consistent combination is an error. Sliding
 *            requires formulas that are affine in B, which is checked at the event: for others the
 *            limits of smoothed formulas and of switching with a delay differ (Utkin 1992, ch. 3).
 *
 * Stairs (floor, rows of a table) jump at each integer value of sigma. The branch changes by one if
 * the motion crosses; if both sides push back to the integer, the motion slides there with a value
 * between the two, as at any other jump.
 *
 * A driver creates the module after its state, creates its flow by ns_branches_flow instead of
 * ns_flow_ops.create, and calls ns_branches_event after NS_FLOW_SWITCH. After a jump of the state
 * made by the driver itself it calls ns_branches_jumped. b may be NULL in all calls of a driver:
 * the model has no switches.
 *
 * ns_state.branch holds [n] values B, [n] sides (0, 1; 2: it slides) and [n] next known times. */
#ifndef NS_SIMULATION_EVENTS_BRANCHES_H
#define NS_SIMULATION_EVENTS_BRANCHES_H

#include "integrators/flow.h"
#include "model/frozen.h"
#include "simulation/step/user_events.h"

typedef struct ns_branches ns_branches;

/* Compute the branches of the copy z at t0 in z->none [3 nswitches], before a state exists. */
int ns_branches_prepare(ns_ctx *c, ns_frozen *z);
/* Create for a model; *out NULL without failure: the model has no switches. */
int ns_branches_create(ns_ctx *c, const ns_model *m, ns_state *x, ns_branches **out);
void ns_branches_destroy(ns_branches *b); /* NULL-safe */
/* Create a flow of the problem p; *ops becomes the table for calling it. b outlives it. */
int ns_branches_flow(ns_branches *b, ns_ctx *c, const ns_flow_problem *p, const ns_flow_ops **ops,
                     void **flow);

/* Its roots were evaluated elsewhere than on the way of the flow, which has just begun. */
void ns_branches_forget(ns_branches *b);
/* The problem that this flow integrates: p if b is NULL; otherwise p with the rates of sliding
 * motion. */
const ns_flow_problem *ns_branches_problem(const ns_branches *b, const ns_flow_problem *p);

/* Called after NS_FLOW_SWITCH, at the state of the run: changes branches, continues the driver from
 * there, records the rows before and after and an event for each switch. u: user events whose
 * conditions change with them are executed, too; may be NULL. *stopped as in ns_user_events_fired.
 * NS_NUMERIC: no solution continues, or several do. */
int ns_branches_event(ns_branches *b, ns_ctx *c, const ns_user_driver *d, ns_user_events *u,
                      int *stopped);
/* Called after a jump of the state: updates branches whose sigma is clearly on another side. Those
 * with sigma = 0 are decided when the flow continues. */
int ns_branches_jumped(ns_branches *b, ns_ctx *c);
/* After NS_FLOW_SWITCH: 1 if formulas jump at a time that depends on the state. */
int ns_branches_undecided(const ns_branches *b);
/* Failure: more than maxEvents such events between two points of the grid. */
int ns_branches_too_many(ns_branches *b, ns_ctx *c);
/* The next known time, +inf: none. */
double ns_branches_next(const ns_branches *b);

/* For a certificate: visit all known times of the run that do not depend on the state, in order:
 * visit(to, t, k), k: index of the switch. Stops at a nonzero result of visit and returns it.
 * Depends only on the model, not on a run. */
int ns_branches_times(ns_ctx *c, const ns_frozen *z, int (*visit)(void *to, double t, int k),
                      void *to);

#endif
