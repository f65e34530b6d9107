/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench.h -- what programs that time the library have in common: a clock, and memory or an end. */
#ifndef NSSIM_BENCH_H
#define NSSIM_BENCH_H

#include <stdlib.h>
#include <time.h>

static inline double now(void) /* s */
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* n items and one more, zeroed. */
static inline void *need(size_t n, size_t size)
{
  void *p = calloc(n + 1, size);
  if (!p) exit(71);
  return p;
}

#endif
