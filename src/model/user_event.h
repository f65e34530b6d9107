/* SPDX-License-Identifier: GPL-3.0-or-later */
/* user_event.h -- events that the user describes: a condition or a schedule, and what happens then.
 */
#ifndef NS_MODEL_USER_EVENT_H
#define NS_MODEL_USER_EVENT_H

#include "model/model.h"

/* An entry of the state that an event gives a new value. */
typedef struct ns_user_set {
  int bank; /* NS_BANK_Q, _V or _Z: of the model's q, v, z */
  size_t entry;
  ns_observable to; /* of the state before the event: all sets of an event read the same one */
} ns_user_set;

typedef enum ns_user_record { NS_USER_RECORD_EVENT, NS_USER_RECORD_ROW } ns_user_record;

/* It happens when its condition begins (or ends) to hold, or at times. In the state it has
 * NS_USER_SLOTS doubles. */
typedef struct ns_user_event {
  ns_place at;
  const char *id, *help;
  /* condition [2] (expression.h: whether it holds, and by how much); ABSENT: at times */
  ns_observable when;
  int direction; /* 1: it begins to hold, -1: it ends, 0: both */
  int ntimes;
  const double *times; /* [ntimes] s, ascending */
  double start, every; /* start + k every, k = 0, 1, ...; every 0: none */
  double from, until;  /* it does not happen before and after, s; -inf, +inf */
  int stop;            /* it ends the run; a condition that holds at the start does, too */
  /* its condition is a state that it ends: it happens whenever that holds, also at t0 */
  int level;
  /* it resets a <memory>: no event of the motion, that `any` and `user` of measures and memories
   * would count, and its condition may hold at t0 */
  int resets_memory;
  ns_user_record record; /* ROW: a row of the state after it, too */
  int nsets;
  const ns_user_set *sets;
  /* where its doubles begin in ns_state.user; set by ns_user_events_prepare */
  size_t slots;
} ns_user_event;

typedef enum ns_user_slot {
  NS_USER_MARGIN,
  NS_USER_HOLDS, /* of the condition at the last state */
  NS_USER_COUNT, /* how often it happened */
  NS_USER_LAST,  /* when it last did, s */
  NS_USER_TURN,  /* scheduled times that are over */
  NS_USER_SLOTS
} ns_user_slot;

/* The doubles that all share: time of the last state, whether there was one; the event that stopped
 * the run, 1 + index, and when. */
enum { NS_USER_TIME, NS_USER_BEGUN, NS_USER_STOPPED, NS_USER_STOPPED_T, NS_USER_HEAD };

/* Set offsets and m->nuser. */
void ns_user_events_prepare(ns_model *m);

#endif
