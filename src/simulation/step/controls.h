/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controls.h -- sampled blocks in a run: when they act, and what happens where one fails.
 *
 * A driver calls ns_controls_sample before each step. Samples that are whole numbers of steps
 * apart are counted in steps, so they never drift from the grid: block k acts where the number
 * of the step is a multiple of its period. Others act before the first step that begins at
 * their time or after it; an event-driven run stops at their times (ns_controls_next). At one
 * instant blocks act in the order of the model; a block sees what those before it wrote. Z and
 * the memory of the blocks are in the state, and the number of the sample follows from the
 * time: a restarted run goes on as if it had never stopped. */
#ifndef NS_SIMULATION_STEP_CONTROLS_H
#define NS_SIMULATION_STEP_CONTROLS_H

#include "model/model.h"
#include "model/state.h"

typedef struct ns_controls ns_controls;

/* *out = NULL where the model has no controls: the driver then has nothing to call. */
int ns_controls_create(ns_ctx *c, const ns_model *m, ns_controls **out);
void ns_controls_destroy(ns_controls *o); /* NULL-safe */
/* At *x->t, before the step that begins there. *acted = 1 where a block was sampled: forces that
 * the state carries over are those of another z then. NS_NUMERIC, z and memory as before: a result
 * is not finite (names control, entry and time), or a block cannot compute one. Does not allocate.
 */
int ns_controls_sample(ns_controls *o, ns_ctx *c, ns_state *x, int *acted);
/* When a block acts next after t between the points of the grid, of event-driven runs; +inf: none
 * does. o may be NULL. */
double ns_controls_next(const ns_controls *o, double t);
/* The step after the sample failed: z and memory as they were before, so that the state is the last
 * good one. */
void ns_controls_undo(ns_controls *o, ns_state *x);
size_t ns_controls_bytes(const ns_controls *o); /* 0 for NULL */

#endif
