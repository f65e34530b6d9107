/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cloud.h -- random numbers and directions for tests of shapes: the same in every run. */
#ifndef TESTS_SUPPORT_CLOUD_H
#define TESTS_SUPPORT_CLOUD_H

#include "algebra/rotation.h"

#include <stdint.h>

static uint64_t cloud_seed;

static inline double uniform(double a, double b)
{
  cloud_seed = cloud_seed * 6364136223846793005u + 1442695040888963407u;
  return a + (b - a) * (double)(cloud_seed >> 11) / 9007199254740992.0;
}

static inline void direction(double *n)
{
  do
    for (int i = 0; i < 3; i++) n[i] = uniform(-1, 1);
  while (ns_dot3(n, n) > 1 || ns_unit3(n) < 0.1);
}

#endif
