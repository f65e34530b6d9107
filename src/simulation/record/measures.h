/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measures.h -- the measures of a model while it runs, and their numbers afterwards.
 *
 *   ns_measures_count, _get, _samples   the numbers of a state: during a run, after it, or before
 *       (then all are undefined)
 *   ns_measures_create ... destroy      what a simulation does: look at each state, hear of each
 *       event
 *
 * The numbers are a function of model and state alone: whoever has both, as a sink and a sweep do,
 * can ask. */
#ifndef NS_SIMULATION_RECORD_MEASURES_H
#define NS_SIMULATION_RECORD_MEASURES_H

#include "model/measure.h"
#include "model/observables.h"
#include "simulation/record/recorder.h"

typedef struct ns_measured {
  const char *id, *kind;
  const char *unit, *help; /* NULL where none; "1": a pure number */
  double value;            /* NaN: undefined */
  /* the reason then, a part of a sentence: "its condition never held"; NULL: defined */
  const char *why;
  double time; /* when it was taken, s: of final, min, max, sample; NaN of others */
  /* a kind that keeps its last values: how many there are; -1: it is a number alone */
  int samples;
} ns_measured;

int ns_measures_count(const ns_model *m);
/* Measure k. Texts are the model's or static. */
void ns_measures_get(const ns_model *m, const ns_state *x, int k, ns_measured *out);
/* The values that measure k keeps, oldest first, and their times; [samples] each, either may be
 * NULL. */
void ns_measures_samples(const ns_model *m, const ns_state *x, int k, double *value, double *time);

/* ---- for drivers ----------------------------------------------------------------------------- */

typedef struct ns_measures ns_measures;

/* o: of the same model, must outlive it. *out NULL without failure: the model has none. */
int ns_measures_create(ns_ctx *c, const ns_model *m, const ns_observables *o, ns_state *x,
                       ns_measures **out);
void ns_measures_destroy(ns_measures *s); /* NULL-safe */
/* Before the first step: shows the initial state, unless the run is one that goes on. s may be
 * NULL. */
int ns_measures_begin(ns_measures *s, ns_ctx *c);
/* The state is one that the run came to: at its beginning, after each step, and on both sides of a
 * jump. Times never go back. A plug-in that fails is NS_PLUGIN. */
int ns_measures_state(ns_measures *s, ns_ctx *c);
/* A smooth motion from the state that was shown last: integrals, extremes and moments of conditions
 * are those of the motion, to the relative tolerance of the run. */
int ns_measures_motion(ns_measures *s, ns_ctx *c, const ns_passage *p);
/* The first time after t at which a passage is to end: of windows and samples. +inf: none. */
double ns_measures_next(const ns_measures *s, double t);
/* An event happened, before the state after it is shown. */
int ns_measures_event(ns_measures *s, ns_ctx *c, const ns_event *e);

#endif
