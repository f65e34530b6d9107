/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_watch.h -- limits of a solve: time, work, a signal; and the best iterate so far.
 *
 * Work is counted, not measured, so that a solve ends at the same iterate on a busy machine:
 * methods state the cost of a factorisation or a sweep, in nanoseconds on a reference machine.
 *
 * A problem borrows its watch (NULL: no limits). Each loop of a solver calls ns_solve_over where it
 * checks its limit of iterations, and ends as at that limit; methods that would follow also end at
 * once. Methods that return the guess when they fail pass each iterate with its residual to
 * ns_solve_see. */
#ifndef NS_PROBLEMS_SOLVE_WATCH_H
#define NS_PROBLEMS_SOLVE_WATCH_H

#include "base/clock.h"

#include <math.h>
#include <signal.h>
#include <string.h>

typedef struct ns_solve_watch {
  const volatile sig_atomic_t *signal; /* nonzero: stop; NULL: no signal */
  double until;                        /* ns_clock, s; INFINITY: no limit */
  double allowed, done;                /* work, ns on a reference machine; allowed 0: no limit */
  int over;                            /* 1: a limit has been reached */
  /* right-hand side of the problem whose iterates are stored */
  const double *q;
  double *best;    /* best iterate [n] */
  double residual; /* residual of `best`; initially INFINITY */
} ns_solve_watch;

static inline int ns_solve_over(ns_solve_watch *w)
{
  if (!w) return 0;
  if (w->signal && *w->signal) w->over = 1;
  if (w->over || !(w->until < INFINITY)) return w->over;
  if (ns_clock() >= w->until) w->over = 1;
  return w->over;
}

/* Count work that is about to be done. Returns 0, and the limit is reached, if it exceeds the
 * remaining work, or another limit has been reached. */
static inline int ns_solve_afford(ns_solve_watch *w, double work)
{
  if (!w) return 1;
  w->done += work;
  if (w->allowed > 0 && w->done > w->allowed) w->over = 1;
  return !ns_solve_over(w);
}

/* Report the residual of the iterate z [n] of the problem with right-hand side q; stored if it is
 * the best. */
static inline void ns_solve_see(ns_solve_watch *w, const double *q, double residual, int n,
                                const double *z)
{
  if (!w || q != w->q || !(residual < w->residual)) return;
  w->residual = residual;
  memcpy(w->best, z, (size_t)n * sizeof *z);
}

#endif
