/* SPDX-License-Identifier: GPL-3.0-or-later */
/* user_event.h -- user events: a condition or a schedule, and the actions. */
#ifndef NS_MODEL_USER_EVENT_H
#define NS_MODEL_USER_EVENT_H

#include "model/model.h"

/* An assignment of an event to an entry of the state. */
typedef struct ns_user_set {
  int bank; /* NS_BANK_Q, _V or _Z: of the model's q, v, z */
  size_t entry;
  ns_observable to; /* evaluated at the state before the event, for all assignments */
} ns_user_set;

typedef enum ns_user_record { NS_USER_RECORD_EVENT, NS_USER_RECORD_ROW } ns_user_record;

/* A user event occurs when its condition begins (or ceases) to hold, or at given times. It has
 * NS_USER_SLOTS doubles in the state. */
typedef struct ns_user_event {
  ns_place at;
  const char *id, *help;
  /* condition [2] (expression.h: whether it holds, and its margin); ABSENT: at times */
  ns_observable when;
  int direction; /* 1: when it begins to hold, -1: when it ceases to, 0: both */
  int ntimes;
  const double *times; /* [ntimes] s, ascending */
  double start, every; /* start + k every, k = 0, 1, ...; every 0: none */
  double from, until;  /* it does not occur outside of this interval, s; -inf, +inf */
  int stop;            /* 1: ends the run; also if the condition holds at the start */
  /* 1: occurs whenever its condition holds, also at t0; the event ends the condition */
  int level;
  /* 1: resets a <memory>: `any` and `user` of measures and memories do not count it, and its
   * condition may hold at t0 */
  int resets_memory;
  ns_user_record record; /* ROW: also records a row with the state after it */
  int nsets;
  const ns_user_set *sets;
  /* first index in ns_state.user; set by ns_user_events_prepare */
  size_t slots;
} ns_user_event;

typedef enum ns_user_slot {
  NS_USER_MARGIN,
  NS_USER_HOLDS, /* 1: the condition held at the last state */
  NS_USER_COUNT, /* number of occurrences */
  NS_USER_LAST,  /* time of the last occurrence, s */
  NS_USER_TURN,  /* number of scheduled times that have passed */
  /* added to the margin by drivers that locate roots: a condition that has changed at a root stays
   * changed where rounding leaves it on the side before */
  NS_USER_SHIFT,
  NS_USER_SLOTS
} ns_user_slot;

/* Doubles common to all events: time of the last state, whether there was one (> 0); the event that
 * stopped the run, 1 + index, and its time. */
enum { NS_USER_TIME, NS_USER_BEGUN, NS_USER_STOPPED, NS_USER_STOPPED_T, NS_USER_HEAD };

/* Set offsets and m->nuser. */
void ns_user_events_prepare(ns_model *m);

#endif
