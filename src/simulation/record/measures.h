/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measures.h -- the measures of a model while it runs, and their numbers afterwards.
 *
 *   ns_measures_count, _get, _samples   values at a state: during a run, after it, or before
 *                                       (then all are undefined)
 *   ns_measures_create ... destroy      for simulations: process each state and each event
 *
 * The values are a function of model and state only, so that sinks and sweeps can compute them. */
#ifndef NS_SIMULATION_RECORD_MEASURES_H
#define NS_SIMULATION_RECORD_MEASURES_H

#include "model/measure.h"
#include "model/observables.h"
#include "simulation/record/recorder.h"

typedef struct ns_measured {
  const char *id, *kind;
  const char *unit, *help; /* NULL where none; "1": a pure number */
  double value;            /* NaN: undefined */
  /* the reason if undefined, a part of a sentence: "its condition never held"; NULL: defined */
  const char *why;
  double time; /* time at which it was attained, s, for final, min, max, sample; otherwise NaN */
  /* number of stored last values, for kinds that store them; -1: a single value */
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
/* Called before the first step: processes the initial state, except in a resumed run. s may be
 * NULL. */
int ns_measures_begin(ns_measures *s, ns_ctx *c);
/* Process a state: at the beginning, after each step, and on both sides of a jump. Times must not
 * decrease. A plug-in that fails gives NS_PLUGIN. */
int ns_measures_state(ns_measures *s, ns_ctx *c);
/* Process a smooth motion from the last state: integrals, extremes and times of conditions are
 * those of the motion, to the relative tolerance of the run. */
int ns_measures_motion(ns_measures *s, ns_ctx *c, const ns_passage *p);
/* First time after t at which a passage must end, for windows and samples. +inf: none. */
double ns_measures_next(const ns_measures *s, double t);
/* Process an event, before the state after it. */
int ns_measures_event(ns_measures *s, ns_ctx *c, const ns_event *e);

#endif
