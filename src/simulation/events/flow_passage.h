/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flow_passage.h -- what listeners see of the motion that a flow has just gone through.
 *
 * A driver whose flow ends each of its advances where a step does (ns_flow_problem.each_step) has
 * dense output all the way back. It hands over the way from the state before: any moment of it can
 * be shown, with all that follows from the unknowns there. Where dense output does not reach back,
 * as after many steps at once, the end alone is shown. The unknowns and the state are those of the
 * end again. */
#ifndef NS_SIMULATION_EVENTS_FLOW_PASSAGE_H
#define NS_SIMULATION_EVENTS_FLOW_PASSAGE_H

#include "base/arena.h"
#include "integrators/flow.h"
#include "simulation/record/recorder.h"

typedef struct ns_flow_passage {
  const ns_flow_ops *ops; /* borrowed, as are all */
  void *flow;
  const ns_flow_problem *problem;
  /* what slides is that of the last rate: it is evaluated where the motion is shown */
  int sliding;
  int forces; /* listeners read more than positions and velocities */
  double *x;  /* unknowns of the driver [problem->n] */
  /* the state and its outputs from x at t. The driver's codes, < 0 */
  int (*show)(void *of, double t);
  void (*come)(void *of, double t); /* the state alone */
  void *of;
  ns_ctx *c;          /* of the passage that is under way */
  double *end, *rate; /* x at its end; scratch [problem->n] */
  double from, to;    /* of dense output */
} ns_flow_passage;

/* Memory of p, whose other fields stand. NS_NOMEM, without a text. */
int ns_flow_passage_init(ns_flow_passage *p, ns_arena *mem);
/* The flow has come from the state at `since`, shown last, to x at t. rec may be NULL. */
int ns_flow_passed(ns_flow_passage *p, ns_ctx *c, ns_recorder *rec, double since, double t);
/* The first time after t at which a listener wants a passage to end. */
double ns_flow_passage_next(const ns_flow_passage *p, const ns_recorder *rec, double t);

#endif
