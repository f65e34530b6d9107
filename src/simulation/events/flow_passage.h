/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flow_passage.h -- passes the motion since the last state to listeners, such as measures.
 *
 * If each advance of the flow ends at the end of a step (ns_flow_problem.each_step), dense output
 * covers the whole motion since the previous state: listeners can request the state, with all
 * quantities that follow from it, at any time in between. If dense output does not cover it, as
 * after several steps at once, listeners get only the end. Afterwards the unknowns and the state
 * are those of the end again. */
#ifndef NS_SIMULATION_EVENTS_FLOW_PASSAGE_H
#define NS_SIMULATION_EVENTS_FLOW_PASSAGE_H

#include "base/arena.h"
#include "integrators/flow.h"
#include "simulation/record/recorder.h"

typedef struct ns_flow_passage {
  const ns_flow_ops *ops; /* borrowed, as are all */
  void *flow;
  const ns_flow_problem *problem;
  /* 1: sliding values are those of the last rate, which is evaluated again at each point shown */
  int sliding;
  int listened; /* 1: some listener follows the motion, and not only its events and its end */
  int forces;   /* 1: listeners read more than positions and velocities */
  double *x;    /* unknowns of the driver [problem->n] */
  /* compute the state and its outputs from x at t. Return codes of the driver, < 0: fatal */
  int (*show)(void *of, double t);
  void (*come)(void *of, double t); /* compute only the state */
  void *of;
  ns_ctx *c;          /* of the passage that is under way */
  double *end, *rate; /* x at its end; scratch [problem->n] */
  double from, to;    /* of dense output */
} ns_flow_passage;

/* Allocate memory of p, whose other fields are set. NS_NOMEM, without a message. */
int ns_flow_passage_init(ns_flow_passage *p, ns_arena *mem);
/* Pass on the motion from the state at `since`, shown last, to x at t. rec may be NULL. */
int ns_flow_passed(ns_flow_passage *p, ns_ctx *c, ns_recorder *rec, double since, double t);
/* The first time after t at which a listener requests the end of a passage. */
double ns_flow_passage_next(const ns_flow_passage *p, const ns_recorder *rec, double t);

#endif
