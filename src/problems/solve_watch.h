/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_watch.h -- who looks on while a problem is solved: a limit of time or of work, a signal,
 * the best iterate so far.
 *
 * Work is counted, not measured, so that the same problem ends at the same iterate on a machine
 * that is busy: methods say what a factorisation or a sweep costs, in nanoseconds of some machine.
 *
 * A problem borrows its watch (NULL: nobody looks on). Each loop of a solver asks ns_solve_over
 * where it would ask for its own limit of iterations, and ends as at that limit; the methods that
 * would have followed end at once. Those that give the guess back where they fail show each iterate
 * of the problem itself, whose residual they know, to ns_solve_see. */
#ifndef NS_PROBLEMS_SOLVE_WATCH_H
#define NS_PROBLEMS_SOLVE_WATCH_H

#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>

typedef struct ns_solve_watch {
  const volatile sig_atomic_t *signal; /* not 0: stop; NULL: none is waited for */
  double until;                        /* CLOCK_MONOTONIC, s; INFINITY: no limit */
  double allowed, done;                /* work, ns of some machine; allowed 0: no limit */
  int over;                            /* one of them has come */
  const double *q;                     /* of the problem whose iterates count */
  double *best;                        /* the best of them [n] */
  double residual;                     /* of it; INFINITY at first */
} ns_solve_watch;

static inline int ns_solve_over(ns_solve_watch *w)
{
  if (!w) return 0;
  if (w->signal && *w->signal) w->over = 1;
  if (w->over || !(w->until < INFINITY)) return w->over;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if ((double)now.tv_sec + 1e-9 * (double)now.tv_nsec >= w->until) w->over = 1;
  return w->over;
}

/* Work that is about to be done. 0: there is not so much left, and the watch is over. */
static inline int ns_solve_afford(ns_solve_watch *w, double work)
{
  if (!w || !(w->allowed > 0)) return 1;
  w->done += work;
  if (w->done > w->allowed) w->over = 1;
  return !w->over;
}

/* z [n] of the problem with right-hand side q has this residual. */
static inline void ns_solve_see(ns_solve_watch *w, const double *q, double residual, int n,
                                const double *z)
{
  if (!w || q != w->q || !(residual < w->residual)) return;
  w->residual = residual;
  memcpy(w->best, z, (size_t)n * sizeof *z);
}

#endif
