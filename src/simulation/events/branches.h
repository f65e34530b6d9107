/* SPDX-License-Identifier: GPL-3.0-or-later */
/* branches.h -- formulas that jump, in event-driven runs of any family.
 *
 * What model/frozen.h lists as switches changes here. In the flow all branches are constant, so
 * that rates are smooth and both sides of a jump go on beyond it; an event decides what comes next.
 *
 *   known    sigma is a function of t: its next zero is known before the flow begins. Affine ones
 *            in closed form from the index of the period, others isolated by intervals of sigma and
 *            its derivative and bisected to 2 units in the last place. The flow never evaluates
 *            rates beyond it; the new branch follows from the index, not from sigma at the rounded
 *            time.
 *   others   sigma is a root function. With a+, a- = d sigma/dt of the two branches (Filippov 1988,
 *            ch. 2):
 *              a+ a- > 0      the motion crosses
 *              a- > 0 > a+    it slides: f = (1 - B) f- + B f+, B = a-/(a- - a+), until B leaves
 *                             [0, 1]
 *              a- < 0 < a+    two motions go on: an error, unless the motion came from one side
 *            Several at one instant: the modes are those for which all of this holds, found by
 *            trial in sets that act on each other; more than one solution is an error. Sliding
 *            wants formulas affine in B, which is checked at the event: for others the limit of
 *            smoothed formulas and of switching with a delay differ (Utkin 1992, ch. 3).
 *
 * Stairs (floor, rows of a table) jump at each whole number of sigma. They go on by one where the
 * motion crosses; where both sides push back to the number, it slides there with a value between
 * the two, as along any other jump.
 *
 * A driver makes the module after its state, its flow by ns_branches_flow in place of the create of
 * the table, and deals with NS_FLOW_SWITCH by ns_branches_event. After it made the state jump
 * itself it calls ns_branches_jumped. b may be NULL wherever a driver calls: the model has no
 * switches.
 *
 * ns_state.branch holds [n] values B, [n] sides (0, 1; 2: it slides) and [n] next known times. */
#ifndef NS_SIMULATION_EVENTS_BRANCHES_H
#define NS_SIMULATION_EVENTS_BRANCHES_H

#include "integrators/flow.h"
#include "model/frozen.h"
#include "simulation/step/user_events.h"

typedef struct ns_branches ns_branches;

/* Branches of the copy z at t0 to z->none [3 nswitches], before there is a state. */
int ns_branches_prepare(ns_ctx *c, ns_frozen *z);
/* Of a model; *out NULL without failure: it has no switches. */
int ns_branches_create(ns_ctx *c, const ns_model *m, ns_state *x, ns_branches **out);
void ns_branches_destroy(ns_branches *b); /* NULL-safe */
/* A flow of the problem p; *ops becomes the table to call it by. b outlives it. */
int ns_branches_flow(ns_branches *b, ns_ctx *c, const ns_flow_problem *p, const ns_flow_ops **ops,
                     void **flow);

/* What that flow integrates: p itself where b is NULL, else p with the rates of what slides. */
const ns_flow_problem *ns_branches_problem(const ns_branches *b, const ns_flow_problem *p);

/* After NS_FLOW_SWITCH, at the state of the run: branches change, the driver goes on from there,
 * rows of both sides and a line for each switch are recorded. u: conditions that jump with them
 * happen, too; NULL: there are none. *stopped as ns_user_events_fired. NS_NUMERIC: no motion goes
 * on, or several do. */
int ns_branches_event(ns_branches *b, ns_ctx *c, const ns_user_driver *d, ns_user_events *u,
                      int *stopped);
/* The state was made to jump at its time: branches of what is clearly on another side. What has
 * come to 0 is decided when the flow goes on. */
int ns_branches_jumped(ns_branches *b, ns_ctx *c);
/* After NS_FLOW_SWITCH: 1 where formulas jump at a time that depends on the state. */
int ns_branches_undecided(const ns_branches *b);
/* The sentence that there are more of these than maxEvents between two points of the grid. */
int ns_branches_too_many(ns_branches *b, ns_ctx *c);
/* The next known time, +inf: none. */
double ns_branches_next(const ns_branches *b);

/* For a certificate: all known times of the run in order, as far as they do not depend on what the
 * state does: visit(to, t, k) with the index k of the switch; stops where it returns non-zero and
 * gives that back. Of the model, not of a run. */
int ns_branches_times(ns_ctx *c, const ns_frozen *z, int (*visit)(void *to, double t, int k),
                      void *to);

#endif
