/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.h -- numbers that a run is asked for: final, mean, count of impacts, settling time, ...
 *
 * A measure looks at each state that a run comes to, in constant memory: what it keeps are a few
 * doubles in the block of the state (ns_state.measured), so a restart gives the same bytes.
 *
 * Between two states positions and velocities are taken as linear in time, or the motion in between
 * is shown (simulation/record/measures_motion.c). What is held over a step, commands of sampled
 * blocks and, in time-stepping, multipliers and impulses, has in the step from t_k to t_k+1 the
 * value that the state at t_k+1 shows: there it was in force. A formula of both is therefore taken
 * as linear from f(x_k, held_k+1) to f(x_k+1, held_k+1), and jumps between steps. The work of a
 * force that is held, the integral of lambda v, is that of the balance of energy of the schemes, h
 * lambda (v_k + v_k+1) / 2. What a state shows of held quantities before the first step was never
 * in force. A kind is a row of ns_measure_kinds; it sees spans of time, cut to the measure's
 * window, and ticks: moments at which a condition begins to hold, an event happens or a sample is
 * due. */
#ifndef NS_MODEL_MEASURE_H
#define NS_MODEL_MEASURE_H

#include "model/model.h"

/* What a kind is made of. */
typedef enum ns_measure_flag {
  NS_MEASURE_VALUE = 1,      /* a formula */
  NS_MEASURE_CONDITION = 2,  /* a condition, when= */
  NS_MEASURE_EVENT = 4,      /* events, event= */
  NS_MEASURE_EVERY = 8,      /* a period, every=; of the three one is needed */
  NS_MEASURE_BAND = 16,      /* target= and band= */
  NS_MEASURE_TAKE = 32,      /* take= */
  NS_MEASURE_KEEP = 64,      /* keep=: it keeps its last values */
  NS_MEASURE_SLIDING = 128,  /* an interaction with friction */
  NS_MEASURE_INTEGRAL = 256, /* it asks a span for the integral of the formula, */
  NS_MEASURE_SQUARE = 512,   /* or of its square */
  NS_MEASURE_LEAST = 1024,   /* it keeps the least value, */
  NS_MEASURE_LARGEST = 2048  /* or the largest */
} ns_measure_flag;

/* From a to b, a < b, or a = b: at the first state and where the state jumps. */
typedef struct ns_span {
  double a, b;     /* s */
  double fa, fb;   /* the formula there */
  double sum;      /* twice its mean over the span: fa + fb where it is linear */
  double squares;  /* three times the mean of its square: fa^2 + fa fb + fb^2 where it is linear */
  int ha, hb;      /* the condition there */
  double switched; /* when it changed, in [a, b]; b where it did not */
} ns_span;

/* What formulas of a measure that listens read of the event, as event.NAME. */
typedef enum ns_of_event {
  NS_OF_EVENT_BEFORE, /* velocities, of a switch multipliers */
  NS_OF_EVENT_AFTER,
  NS_OF_EVENT_IMPULSE,
  NS_OF_EVENT_LOST, /* J */
  NS_OF_EVENT
} ns_of_event;
extern const char *const ns_of_event_names[NS_OF_EVENT]; /* as the table of events has them */

/* The doubles of a measure, all 0 before the run. */
typedef enum ns_measure_slot {
  NS_SLOT_VALUE,  /* of the formula at the state before */
  NS_SLOT_MARGIN, /* of the condition there */
  NS_SLOT_HOLDS,  /* 1: it held */
  NS_SLOT_SEEN,   /* spans in the window so far */
  NS_SLOT_COUNT,  /* ticks, or whatever the kind counts */
  NS_SLOT_A, /* the kind's own; of those that a <memory> shows B is the time of the last tick */
  NS_SLOT_B,
  NS_SLOT_C,
  NS_SLOT_BAD,       /* 1: the formula was no number */
  NS_SLOT_PENDING,   /* events since the last state */
  NS_SLOT_PENDING_T, /* time of the last of them, s */
  /* of |its function|, where motion was shown (simulation/record/measures_motion.c) */
  NS_SLOT_LARGEST,
  /* 1: the first state was looked at; of formulas of held quantities at the first step */
  NS_SLOT_BEGUN,
  NS_SLOTS /* then keep= values and as many times, a ring */
} ns_measure_slot;

struct ns_measure;
typedef struct ns_measure_kind {
  const char *name; /* kind= */
  const char *help; /* one line */
  const char *unit; /* "s", "1"; NULL: that of the measure */
  unsigned flags;   /* ns_measure_flag */
  void (*span)(const struct ns_measure *m, double *slot, const ns_span *s);       /* may be NULL */
  void (*tick)(const struct ns_measure *m, double *slot, double t, double value); /* may be NULL */
  /* The number so far. NaN: *why tells the reason. *time: when it was taken, where it is known. */
  double (*value)(const struct ns_measure *m, const double *slot, const char **why, double *time);
} ns_measure_kind;

/* Registry; ends with NULL. */
extern const ns_measure_kind *const ns_measure_kinds[];
const ns_measure_kind *ns_measure_kind_find(const char *name); /* NULL where there is none */
/* Whether measures of a kind have this attribute of their element. */
int ns_measure_takes(const ns_measure_kind *k, const char *attribute);

/* A condition is an operator [2]: whether it holds (not 0), and a margin that is above 0 where it
 * holds and below where it does not, for the moment of its change. */
typedef struct ns_measure {
  const ns_measure_kind *kind;
  ns_place at;
  const char *id, *unit, *help; /* unit: of the number, NULL where unknown */
  ns_observable of, when;       /* formula and condition; value ABSENT: none */
  /* 1: to events of the kind `event` (ns_event_kind; -1: any) at an interaction (-1: any) */
  int listens;
  int event, interaction;
  int user;           /* 1: `event` is an index into ns_model.events instead */
  double from, until; /* window, s; -inf, +inf: none */
  double target, band;
  double start, every; /* samples at start + k every, s; every 0: none */
  int last;            /* take="last": of the last only, else the mean */
  int keep;            /* values kept, 0: none */
  /* 1: it reads what is held over a step (course.h); set by ns_measures_prepare */
  int held;
  int of_event; /* 1: its formula reads numbers of the event; likewise */
  /* where its doubles begin in ns_state.measured; set by ns_measures_prepare */
  size_t slots;
} ns_measure;

/* The doubles that all measures share. */
enum { NS_MEASURED_TIME, NS_MEASURED_BEGUN, NS_MEASURED_HEAD };

/* Set offsets, what reads held quantities, and m->nmeasured. Behind the slots of all, where some
 * do, stand q, v, lambda and the angles of the state that was looked at last, and scratch for rates
 * of angles. */
void ns_measures_prepare(ns_model *m);
/* 1: some measure tells of the motion between events and points of the grid. */
int ns_measures_of_motion(const ns_model *m);
/* 1: some measure reads more than time, positions, velocities of mechanics, states and z: forces,
 * rates, what slides. jumps: so do forces between bodies. */
int ns_measures_of_forces(const ns_model *m, int jumps);

#endif
