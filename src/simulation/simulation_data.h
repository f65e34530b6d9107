/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulation_data.h -- private to simulation.c and checkpoint.c. */
#ifndef NS_SIMULATION_SIMULATION_DATA_H
#define NS_SIMULATION_SIMULATION_DATA_H

#include "model/frozen.h"
#include "model/law_values.h"
#include "model/observables.h"
#include "model/relations/shape_gaps.h"
#include "simulation/record/measures.h"
#include "simulation/step/strategy.h"
#include "simulation/step/user_events.h"

struct ns_simulation {
  /* in event-driven runs a copy whose formulas are smooth between events, where there are others */
  const ns_model *m;
  ns_frozen *frozen; /* whose that is; NULL: there is none */
  /* parameters of laws that are formulas, whose copy it then is; NULL: there are none */
  ns_law_values *values;
  /* contacts between shapes as interactions, whose copy it is in event-driven runs; NULL: there are
   * none */
  ns_shape_gaps *gaps;
  const ns_strategy_ops *ops;
  void *self;
  ns_state x;
  ns_observables observables;
  ns_measures *measures; /* NULL: none */
  ns_user_events *user;  /* NULL: none */
  /* hears of events where nothing is recorded; NULL: there are no measures */
  ns_recorder *tap;
  ns_plan plan;
  int started, watched;
  /* of <TimeStepping> or <EventDriven>: what layers that know no elements work for */
  char place[512];
  int restored; /* it began at a checkpoint: the row of t0 is not its own */
  /* checkpoints */
  int kept;
  const ns_outside *outside; /* NULL: nothing */
  void *block;               /* of outside [outside->size] */
  /* of the last moment without history; used where ops->anchored is there */
  ns_blob anchor;
};

/* Measures hear of what goes to `heard` (NULL where there are no measures). */
void ns_simulation_listen(ns_simulation *s, ns_recorder *heard);
/* One step with its measures and events of the user; returns as ns_strategy_ops.step. */
int ns_simulation_advance(ns_simulation *s, ns_ctx *c, ns_recorder *heard, ns_user_outcome *o);

#endif
