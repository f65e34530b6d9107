/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strategy.h -- drivers of a simulation as tables of operations: time-stepping, event-driven. */
#ifndef NS_SIMULATION_STEP_STRATEGY_H
#define NS_SIMULATION_STEP_STRATEGY_H

#include "base/blob.h"
#include "simulation/simulation.h"
#include "simulation/step/user_events.h"

typedef struct ns_strategy_ops {
  const char *name; /* XML element */
  const char *help;
  int (*create)(ns_ctx *c, const ns_model *m, ns_state *x, ns_plan *plan, void **self);
  /* Forces and energies at the state as it is; once before the first step. */
  int (*start)(void *self, ns_ctx *c);
  /* One step of the grid from the state; events go to rec (may be NULL). On failure the state is
   * the last good one. */
  int (*step)(void *self, ns_ctx *c, ns_recorder *rec);
  /* Bring to date what only a recorded row needs (p). */
  void (*report)(void *self);
  void (*destroy)(void *self); /* NULL-safe */
  ns_family family;            /* of systems that it is for */
  /* w->problem is to be called from now on; w outlives the run. */
  int (*watch)(void *self, ns_ctx *c, const ns_watch *w);
  /* The state was changed from outside (events of the user): y and ydot are those of it; forces,
   * energies and what else follows from q, v and z are to be brought to date. What the energy
   * changed by counts as work of forces. NULL: cannot. */
  int (*changed)(void *self, ns_ctx *c);
  /* It locates events of the user itself (user_events.h), those at the start apart; u outlives it.
   * NULL: they are looked for after each step. */
  void (*user_events)(void *self, ns_user_events *u);
  /* the one that it is for, help is that one's then; NULL: all that no other strategy is for */
  const char *integrator;
  /* What the driver, its integrator and its solvers carry from step to step and the state does not.
   * Restored instead of start, once the state is that of the checkpoint. */
  const ns_memory *memory;
  /* 0 where a part of it does not say what it remembers: then there are no checkpoints. NULL: all
   * parts say. */
  int (*savable)(const void *self);
  /* For integrators whose history cannot be saved: from now on take(to) is to be called whenever
   * the integrator has just been initialised from the state, at the end of start and also inside a
   * step. A checkpoint keeps the last such moment; a restart repeats what came after it without
   * recording it, and must come to the same state, which is checked. NULL: never needed. */
  void (*anchored)(void *self, void (*take)(void *to), void *to);
  /* Contacts between shapes at the end of the last step, for a row that is recorded; borrowed until
   * the next step. NULL: it has none. */
  const ns_contact_record *(*contacts)(const void *self, size_t *n);
  /* Wall clock of the parts of its steps, s, since it was made. NULL: it does not look at the
   * clock. */
  ns_shares (*shares)(const void *self);
} ns_strategy_ops;

/* Registry; ends with NULL. A name stands once for each family of systems and integrator. */
extern const ns_strategy_ops *const ns_strategies[];
/* ns_simulation_create with a given strategy; NULL: the one that the model names. */
int ns_simulation_create_as(ns_ctx *c, const ns_model *m, const ns_strategy_ops *ops,
                            ns_simulation **s);

#endif
