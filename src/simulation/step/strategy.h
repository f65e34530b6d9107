/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strategy.h -- drivers of a simulation as tables of operations: time-stepping, event-driven. */
#ifndef NS_SIMULATION_STEP_STRATEGY_H
#define NS_SIMULATION_STEP_STRATEGY_H

#include "base/blob.h"
#include "simulation/simulation.h"
#include "simulation/step/user_events.h"

typedef struct ns_strategy_ops ns_strategy_ops;

struct ns_strategy_ops {
  const char *name; /* XML element */
  const char *help;
  /* ops: this table */
  int (*create)(const ns_strategy_ops *ops, ns_ctx *c, const ns_model *m, ns_state *x,
                ns_plan *plan, void **self);
  /* Compute forces and energies at the state; called once before the first step. */
  int (*start)(void *self, ns_ctx *c);
  /* One step of the grid from the state; events go to rec (may be NULL). After a failure the state
   * is the last valid one. */
  int (*step)(void *self, ns_ctx *c, ns_recorder *rec);
  /* Update quantities needed only by recorded rows (p). NULL: they are up to date. */
  void (*report)(void *self);
  void (*destroy)(void *self); /* NULL-safe */
  ns_family family;            /* family of systems that it supports */
  /* From now on, w->problem is called; w outlives the run. */
  int (*watch)(void *self, ns_ctx *c, const ns_watch *w);
  /* Called after the state was changed by user events: y and ydot have been updated; updates
   * forces, energies and everything else that follows from q, v and z. The change of energy counts
   * as work of forces. NULL: not supported. */
  int (*changed)(void *self, ns_ctx *c);
  /* Set for strategies that locate user events themselves (user_events.h), except those at the
   * start; u outlives it. NULL: user events are detected after each step. */
  void (*user_events)(void *self, ns_user_events *u);
  /* integrator that it implements, whose help is `help`; NULL: all integrators without a separate
   * strategy */
  const char *integrator;
  /* Data of the driver, its integrator and its solvers that pass from step to step and are not in
   * the state. Restored instead of calling start, after the state of the checkpoint was
   * restored; as in ns_memory (blob.h). */
  void (*save)(const void *self, ns_blob *b);
  void (*restore)(void *self, ns_blob *b);
  /* 0 if some part has no table for saving its data, so that there are no checkpoints. NULL: all
   * parts have one. */
  int (*savable)(const void *self);
  /* For integrators whose history cannot be saved: from now on, take(to) is called whenever the
   * integrator has just been initialised from the state, at the end of start and also inside a
   * step. A checkpoint contains the last such point; resuming repeats the motion from there without
   * recording it, and must reach the same state, which is checked. NULL: not needed. */
  void (*anchored)(void *self, void (*take)(void *to), void *to);
  /* Contacts between shapes at the end of the last step, for a recorded row; borrowed until the
   * next step. NULL: none. */
  const ns_contact_record *(*contacts)(const void *self, size_t *n);
  /* Wall-clock time of the parts of its steps since creation, s. NULL: not measured. */
  ns_shares (*shares)(const void *self);
  /* of time-stepping: operations of a step (time_stepping.h) */
  const struct ns_step_ops *steps;
};

/* Registry; ends with NULL. A name occurs once for each family of systems and integrator. */
extern const ns_strategy_ops *const ns_strategies[];

#endif
