/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controls.h -- sampled blocks in a run: sampling times and failures.
 *
 * A driver calls ns_controls_sample before each step. If the period is a whole number of steps,
 * samples are counted in steps and do not drift from the grid. Otherwise a block acts before the
 * first step that begins at or after its time; event-driven runs stop at these times
 * (ns_controls_next). Blocks sampled at the same time act in the order of the model; each reads
 * what those before it wrote. Z and the memory of blocks are in the state, and the index of a
 * sample follows from the time, so that a resumed run equals an uninterrupted one. */
#ifndef NS_SIMULATION_STEP_CONTROLS_H
#define NS_SIMULATION_STEP_CONTROLS_H

#include "model/model.h"
#include "model/state.h"

typedef struct ns_controls ns_controls;

/* Create; *out = NULL if the model has no controls: the driver then calls nothing. */
int ns_controls_create(ns_ctx *c, const ns_model *m, ns_controls **out);
void ns_controls_destroy(ns_controls *o); /* NULL-safe */
/* Sample at *x->t, before the step that begins there. *acted = 1 if a block was sampled: forces
 * stored in the state then belong to the previous z. NS_NUMERIC, with z and memory unchanged: a
 * result is not finite (the message names control, entry and time), or a block cannot compute one.
 * Does not allocate. */
int ns_controls_sample(ns_controls *o, ns_ctx *c, ns_state *x, int *acted);
/* Next sampling time after t between the points of the grid, for event-driven runs; +inf: none. o
 * may be NULL. */
double ns_controls_next(const ns_controls *o, double t);
/* Called if the step after the sample failed: restores z and memory, so that the state is the last
 * valid one. */
void ns_controls_undo(ns_controls *o, ns_state *x);
size_t ns_controls_bytes(const ns_controls *o); /* 0 for NULL */

#endif
