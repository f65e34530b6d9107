/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.h -- time that passes, for limits and reports of time. */
#ifndef NS_BASE_CLOCK_H
#define NS_BASE_CLOCK_H

#include <signal.h>
#include <time.h>

/* When long work is given up that is not done. */
typedef struct ns_stop {
  const volatile sig_atomic_t *signal; /* nonzero: now; NULL: no signal */
  double until;                        /* ns_clock, s; 0: no limit */
} ns_stop;

/* s since some moment, which does not jump as the time of day does. Also in a signal handler. */
static inline double ns_clock(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
