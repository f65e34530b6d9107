/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_hybrid.h -- private to event-driven runs: time-stepping through impacts that
 * accumulate, which event_driven_hybrid.c does for mechanics, and mixed_events_step.c for systems
 * of several kinds. */
#ifndef NS_SIMULATION_EVENTS_EVENT_DRIVEN_HYBRID_H
#define NS_SIMULATION_EVENTS_EVENT_DRIVEN_HYBRID_H

#include "simulation/events/event_run.h"
#include "simulation/step/strategy.h"

typedef struct event_driven event_driven;

/* A time-stepping scheme that continues an event-driven run, on the same state. */
typedef struct ns_hybrid_scheme {
  ns_model model;             /* the model of the scheme; borrows from that of the run */
  const ns_strategy_ops *ops; /* depends on the kind of systems; NULL: no scheme */
  void *self;
} ns_hybrid_scheme;

/* Time-stepping through accumulations of impacts (event_driven_hybrid.c). */
typedef struct ns_hybrid {
  int wanted;              /* accumulation="time-stepping" */
  int active;              /* 1 during such an interval */
  int settling;            /* the current event is the end of the interval */
  ns_hybrid_scheme scheme; /* none if not requested, or if the host has it */
  double longest, h;       /* hybridStep; current step size, s */
  double *last;            /* time of the last impact, -inf: none yet [nrows] */
  double *taken;           /* energy dissipated in this interval, J [nrows] */
  /* time since the last impact and since the last impulse of a row in this interval, s [nrows] */
  double *calm, *flown;
  double *mobility;   /* velocity of a row by its own impulse, as this interval begins [nrows] */
  unsigned char *was; /* modes before the return to events [2 nunits] */
  double *margin;     /* of conditions of the user before and after a step [2 nuser] */
} ns_hybrid;

/* ---- event_driven_hybrid.c ------------------------------------------------------------------- */
/* Create a scheme for the model m and its state x, with a maximum step size h. */
int ns_hybrid_scheme_create(ns_ctx *c, const ns_model *m, ns_state *x, const ns_strategy_ops *ops,
                            double h, ns_hybrid_scheme *s);
void ns_hybrid_scheme_fini(ns_hybrid_scheme *s); /* safe on a zeroed one */
/* Call when the state or its forces were changed. */
int ns_hybrid_scheme_refresh(const ns_hybrid_scheme *s, ns_ctx *c, ns_state *x);
/* Do a step of size h to t1. Neither the step nor its impacts are counted, because only steps of
 * the grid are. */
int ns_hybrid_scheme_step(const ns_hybrid_scheme *s, ns_ctx *c, ns_state *x, double t1, double h);
int ns_hybrid_scheme_savable(const ns_hybrid_scheme *s);
int ns_ed_hybrid_create(event_driven *o, ns_ctx *c);
void ns_ed_hybrid_fini(event_driven *o);
/* At an impact of the rows in o->closing, before it is computed: 1 if impacts of one of them
 * accumulate. */
int ns_ed_hybrid_due(event_driven *o);
/* Begin time-stepping from the state. */
int ns_ed_hybrid_begin(event_driven *o);
/* ns_event_family.stretch during time-stepping: at most one step, possibly the last one; all: the
 * run, of which o may be a part. */
int ns_ed_hybrid_stretch(event_driven *o, ns_event_run *all, double t1, double due, double *end,
                         ns_stretch *how);
/* Return to events from the state. _settle is called inside the event of the return: it projects
 * what is at rest, and writes the energy to o->removed. */
int ns_ed_hybrid_leave(event_driven *o);
int ns_ed_hybrid_settle(event_driven *o);
int ns_ed_hybrid_savable(const event_driven *o);
void ns_ed_hybrid_save(const event_driven *o, ns_blob *b);
void ns_ed_hybrid_restore(event_driven *o, ns_blob *b);

#endif
