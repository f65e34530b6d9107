/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_time.h -- which event of one run is which of another, and the time that follows from it.
 *
 * Events of one kind, interaction and row are walked in order of time; two that are no further
 * apart than the tolerance are the same event, else the earlier one has no counterpart.
 *
 * Events of contacts between shapes with corners are left out: which of several corners carries a
 * body is not unique. Their impulses are compared by pairs of shapes (compare_contacts.h).
 *
 * Where impacts of a contact accumulate (Zeno), their number is a matter of the step. Where two
 * events of one kind follow each other on one row, in either run, within `gap`, matching ends for
 * that row. */
#ifndef NS_IO_COMPARE_COMPARE_TIME_H
#define NS_IO_COMPARE_COMPARE_TIME_H

#include "base/arena.h"
#include "io/results/result.h"

typedef struct ns_event_rule {
  double tol;   /* times of one event may differ by so much, s */
  double slack; /* rounding of times, s */
  double gap;   /* closer than this: an accumulation, s */
  double end;   /* later events do not count, s */
  double stop;  /* from here on no events are matched, s; NaN: nowhere */
  double start; /* an event less than tol after it, or before `end`, may be alone, s */
  /* 1: one run is event-driven, the other by time-stepping: kinds that only one records are left
   * out */
  int mixed;
} ns_event_rule;

typedef struct ns_event_pair {
  size_t a, b; /* indices of one event on both sides */
} ns_event_pair;

typedef struct ns_event_alone {
  int side;       /* 0: A, 1: B */
  size_t index;   /* on that side */
  size_t order;   /* which of its kind, interaction and row, from 1 */
  double nearest; /* time of the next one of the other side that is unmatched, NaN: none */
} ns_event_alone;

/* Matching ended for a row of an interaction. */
typedef struct ns_event_stop {
  const char *interaction;
  int row;
  double t; /* the earlier of both sides, s */
} ns_event_stop;

typedef struct ns_event_match {
  ns_event_pair *pairs;  /* [npairs], ascending time of B */
  ns_event_alone *alone; /* [nalone], ascending time: differences */
  ns_event_stop *stops;  /* [nstops] */
  size_t npairs, nalone, nstops;
  size_t left; /* neither matched nor a difference: accumulation, end */
} ns_event_match;

/* na, nb events in order of time. Memory of arena; NS_NOMEM. */
int ns_event_match_all(ns_ctx *c, const ns_result_event *a, size_t na, const ns_result_event *b,
                       size_t nb, const ns_event_rule *rule, ns_arena *arena, ns_event_match *m);

/* Piecewise affine, strictly increasing on both sides; beyond the ends it goes on with slope 1. */
typedef struct ns_time_map {
  double *a, *b; /* knots [n] */
  size_t n;
} ns_time_map;

/* Room for n knots in arena; NS_NOMEM. */
int ns_time_map_create(ns_ctx *c, ns_arena *arena, size_t n, ns_time_map *m);
/* Append a knot, unless it is not after the last one on both sides. */
void ns_time_map_add(ns_time_map *m, double a, double b);
double ns_time_map_to_a(const ns_time_map *m, double b);
double ns_time_map_to_b(const ns_time_map *m, double a);

#endif
