/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.h -- numbers computed from a run: final value, mean, number of impacts, settling time,
 * ...
 *
 * A measure is updated at each state of a run and uses constant memory: a few doubles in the block
 * of the state (ns_state.measured), so that resumed runs are equal to the bit.
 *
 * Between two states, positions and velocities are linear in time, unless the driver provides the
 * motion in between (simulation/record/measures_motion.c). Held quantities (course.h), commands of
 * sampled blocks and, in time-stepping, multipliers and impulses, have during the step from t_k to
 * t_k+1 the value in the state at t_k+1. A formula of both kinds is therefore linear from f(x_k,
 * held_k+1) to f(x_k+1, held_k+1), and jumps between steps. The work of a held force, the integral
 * of lambda v, is that of the energy balance of the schemes, h lambda (v_k + v_k+1) / 2. Values of
 * held quantities in the initial state never act. A kind of measure is an entry of
 * ns_measure_kinds. It receives time spans, restricted to the measure's window, and ticks: times at
 * which a condition begins to hold, an event occurs or a sample is due. */
#ifndef NS_MODEL_MEASURE_H
#define NS_MODEL_MEASURE_H

#include "model/model.h"

/* Attributes and data that a kind uses. */
typedef enum ns_measure_flag {
  NS_MEASURE_VALUE = 1,      /* a formula */
  NS_MEASURE_CONDITION = 2,  /* a condition, when= */
  NS_MEASURE_EVENT = 4,      /* events, event= */
  NS_MEASURE_EVERY = 8,      /* a period, every=; one of these three is required */
  NS_MEASURE_BAND = 16,      /* target= and band= */
  NS_MEASURE_TAKE = 32,      /* take= */
  NS_MEASURE_KEEP = 64,      /* keep=: stores its last values */
  NS_MEASURE_SLIDING = 128,  /* an interaction with friction */
  NS_MEASURE_INTEGRAL = 256, /* uses the integral of the formula over a span */
  NS_MEASURE_SQUARE = 512,   /* uses the integral of its square */
  NS_MEASURE_MIN = 1024,     /* stores the minimum */
  NS_MEASURE_LARGEST = 2048  /* stores the maximum */
} ns_measure_flag;

/* A time span from a to b > a; a = b at the first state and at jumps of the state. */
typedef struct ns_span {
  double a, b;     /* s */
  double fa, fb;   /* formula at a, b */
  double sum;      /* twice its mean over the span: fa + fb if it is linear */
  double squares;  /* three times the mean of its square: fa^2 + fa fb + fb^2 if it is linear */
  int ha, hb;      /* condition at a, b */
  double switched; /* time of its change, in [a, b]; b if it did not change */
} ns_span;

/* Quantities of an event that formulas of measures of events read, as event.NAME. */
typedef enum ns_of_event {
  NS_OF_EVENT_BEFORE, /* velocities; for a switch, multipliers */
  NS_OF_EVENT_AFTER,
  NS_OF_EVENT_IMPULSE,
  NS_OF_EVENT_LOST, /* J */
  NS_OF_EVENT
} ns_of_event;
extern const char *const ns_of_event_names[NS_OF_EVENT]; /* names as in the table of events */

/* The doubles of a measure, all 0 before the run. */
typedef enum ns_measure_slot {
  NS_SLOT_VALUE,  /* formula at the previous state */
  NS_SLOT_MARGIN, /* margin of the condition there */
  NS_SLOT_HOLDS,  /* 1: the condition held */
  NS_SLOT_SEEN,   /* spans in the window so far */
  NS_SLOT_COUNT,  /* ticks, or another count of the kind */
  NS_SLOT_A,      /* for the kind; in kinds for <memory>, B is the time of the last tick */
  NS_SLOT_B,
  NS_SLOT_C,
  NS_SLOT_BAD,       /* 1: the formula was NaN */
  NS_SLOT_PENDING,   /* events since the last state */
  NS_SLOT_PENDING_T, /* time of the last of them, s */
  /* max. of |formula| over motion between states (simulation/record/measures_motion.c) */
  NS_SLOT_LARGEST,
  /* 1: the first state was evaluated; for formulas of held quantities, after the first step */
  NS_SLOT_BEGUN,
  NS_SLOTS /* then a ring buffer of keep= values and as many times */
} ns_measure_slot;

struct ns_measure;
typedef struct ns_measure_kind {
  const char *name; /* kind= */
  const char *help; /* one line */
  const char *unit; /* "s", "1"; NULL: that of the measure */
  unsigned flags;   /* ns_measure_flag */
  void (*span)(const struct ns_measure *m, double *slot, const ns_span *s);       /* may be NULL */
  void (*tick)(const struct ns_measure *m, double *slot, double t, double value); /* may be NULL */
  /* Current value. NaN: *why is the reason. *time: when it was attained, if known. */
  double (*value)(const struct ns_measure *m, const double *slot, const char **why, double *time);
} ns_measure_kind;

/* Registry; ends with NULL. */
extern const ns_measure_kind *const ns_measure_kinds[];
const ns_measure_kind *ns_measure_kind_find(const char *name); /* NULL if there is none */
/* 1 if measures of kind k have this attribute. */
int ns_measure_takes(const ns_measure_kind *k, const char *attribute);

/* A condition is an operator [2]: whether it holds (nonzero), and a margin that is positive if it
 * holds and negative otherwise, to locate its change. */
typedef struct ns_measure {
  const ns_measure_kind *kind;
  ns_place at;
  const char *id, *unit, *help; /* unit: of the number; NULL: unknown */
  ns_observable of, when;       /* formula and condition; value ABSENT: none */
  /* 1: measures events of the kind `event` (ns_event_kind; -1: any) at an interaction (-1: any) */
  int listens;
  int event, interaction;
  int user;           /* 1: `event` is an index into ns_model.events instead */
  double from, until; /* window, s; -inf, +inf: none */
  double target, band;
  double start, every; /* samples at start + k every, s; every 0: none */
  int last;            /* 1, take="last": the last period only; 0: the mean of all periods */
  int keep;            /* values kept, 0: none */
  /* 1: it reads held quantities (course.h); set by ns_measures_prepare */
  int held;
  int of_event; /* 1: its formula reads quantities of the event; set by ns_measures_prepare */
  /* first index in ns_state.measured; set by ns_measures_prepare */
  size_t slots;
} ns_measure;

/* Doubles common to all measures. */
enum { NS_MEASURED_TIME, NS_MEASURED_BEGUN, NS_MEASURED_HEAD };

/* Set offsets, `held`, and m->nmeasured. If some measure reads held quantities, the slots are
 * followed by q, v, lambda and angles of the previous state, and scratch for rates of angles. */
void ns_measures_prepare(ns_model *m);
/* 1 if some measure uses the motion between events and grid points. */
int ns_measures_of_motion(const ns_model *m);
/* 1 if some measure reads more than time, positions, velocities of mechanical systems, states and
 * z: forces, rates, slip. jumps: also forces between bodies. */
int ns_measures_of_forces(const ns_model *m, int jumps);

#endif
