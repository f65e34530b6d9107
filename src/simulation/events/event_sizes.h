/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_sizes.h -- how large the unknowns of a flow become, and the absolute tolerances that follow
 * from it where the model gives none.
 *
 * Default tolerances are for unknowns of about 1 in their unit. Those of a group of unknowns
 * whose size is less than 1e-2 of it are in proportion to this size. A group is the positions
 * or the velocities of a Lagrangian system, the same of the centre of a body, its spin or, in a
 * model without rows of first order, the states of a system of first order. Its size is the
 * largest value that one of it has had after events, or in a motion that is looked for roughly,
 * from the beginning of the run to the first root behind a thousandth of it, or to the end, by
 * some steps with an error of a quarter of the sizes so far; of coordinates that are measured
 * from a point (ns_flow_problem.origin) the largest way from there. The size of a group that
 * does not move is not known: it has the default tolerances until an event moves it. What is
 * rounding of rates, whose terms are looked for at each of these steps, is no motion. Of bodies
 * events tell sizes only where the motion has told some, or they are no longer small:
 * velocities that contacts hold are rounding of impulses after them. */
#ifndef NS_SIMULATION_EVENTS_EVENT_SIZES_H
#define NS_SIMULATION_EVENTS_EVENT_SIZES_H

#include "base/arena.h"
#include "base/blob.h"
#include "integrators/flow.h"

typedef struct ns_event_sizes {
  const ns_flow_problem *problem;
  const ns_model *m;
  int ngroups;          /* 0: nothing follows sizes, as the model gives the tolerances */
  int asked;            /* 1: they are to be looked for from where the flow begins next */
  int *group;           /* of each unknown; -1: none [n] */
  int *mover;           /* group of the velocities of positions; -1: they are none [ngroups] */
  unsigned char *rigid; /* 1: of a body [ngroups] */
  double *size;         /* 0: not known yet [ngroups] */
  double *terms;        /* of rates: sizes of what they are sums of [ngroups] */
  double *after;        /* scratch [ngroups] */
  double begun, now;    /* time of the first look; of the beginning of the flow */
  double looked;        /* how far, s */
  int looks;            /* how often they were looked for */
  /* the same before the flow began: a resumed run begins with them, and looks again */
  struct {
    double *size, *terms, begun, looked;
    int looks;
  } before;
  /* Sizes of what rates at x are sums of, where they were asked for last, to rate [n], which is 0;
   * NULL: not known. */
  int (*forces)(void *of, double t, const double *x, double *rate);
  void *of;
  const unsigned char *passing; /* roots that are no event [nevents]; those behind are events */
  int nevents;
  double *from; /* where coordinates were at first, as far as there is an origin [ncoord] */
  double *x, *stage, *error, *k[4]; /* scratch [n] */
  double *g, *g0;                   /* scratch [problem->nroots] */
} ns_event_sizes;

/* Vectors of the arena, for a problem whose unknowns and roots are numbered. NS_NOMEM. */
int ns_event_sizes_init(ns_event_sizes *o, ns_arena *a, const ns_model *m,
                        const ns_flow_problem *p);
/* The flow begins at (t, x), which may add to what is known of them. 0: some are to be looked for.
 */
int ns_event_sizes_are_known(ns_event_sizes *o, double t, const double *x);
/* Lower tolerances in atol [n] as far as sizes are known, but not below `least` [n], what is left
 * of them by rounding. 1: some are lower. */
int ns_event_sizes_apply(const ns_event_sizes *o, const double *least, double *atol);
/* That of unknown i, in its unit; 0: not known. */
double ns_event_sizes_of(const ns_event_sizes *o, size_t i);
/* Look for them from (t, x). < 0: fatal, as of ns_flow_problem.rate. */
int ns_event_sizes_look(ns_event_sizes *o, double t, const double *x);
void ns_event_sizes_save(const ns_event_sizes *o, ns_blob *b);
void ns_event_sizes_restore(ns_event_sizes *o, ns_blob *b);

#endif
