/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strategy.h -- drivers of a simulation as tables of operations: time-stepping, event-driven. */
#ifndef NS_SIMULATION_STRATEGY_H
#define NS_SIMULATION_STRATEGY_H

#include "simulation/simulation.h"
#include "simulation/user_events.h"

typedef struct ns_strategy_ops {
  size_t size;      /* sizeof *this where compiled: new fields go last */
  const char *name; /* XML element */
  const char *help;
  int (*create)(ns_ctx *c, const ns_model *m, ns_state *x, ns_plan *plan, void **self);
  /* Forces and energies at the state as it is; once before the first step. */
  int (*start)(void *self, ns_ctx *c);
  /* One step of the grid from the state; events go to rec (may be NULL). On failure the state is the
   * last good one. */
  int (*step)(void *self, ns_ctx *c, ns_recorder *rec);
  /* Bring to date what only a recorded row needs (p). */
  void (*report)(void *self);
  void (*destroy)(void *self); /* NULL-safe */
  int first_order;  /* family of systems that it is for */
  /* w->problem is to be called from now on; w outlives the run. */
  int (*watch)(void *self, ns_ctx *c, const ns_watch *w);
  /* The state was changed from outside (events of the user): y and ydot are those of it; forces, energies and what else follows
   * from q, v and z are to be brought to date. What the energy changed by counts as work of forces. NULL: cannot. */
  int (*changed)(void *self, ns_ctx *c);
  /* Before start: the strategy finds the events of the user itself, at their times, and applies them (user_events.h). u outlives
   * the run. NULL: they are looked for after each step. */
  int (*own)(void *self, ns_ctx *c, ns_user_events *u);
  const char *integrator; /* the one that it is for, help is that one's then; NULL: all that no other strategy is for */
} ns_strategy_ops;

/* Registry; ends with NULL. A name stands once for each family of systems and integrator. */
extern const ns_strategy_ops *const ns_strategies[];

#endif
