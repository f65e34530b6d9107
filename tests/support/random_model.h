/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random_model.h -- for tests: texts of models with random numbers, the same for the same seed. */
#ifndef TESTS_SUPPORT_RANDOM_MODEL_H
#define TESTS_SUPPORT_RANDOM_MODEL_H

#include "base/context.h"

#include <check.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct generator {
  unsigned long long state;
  size_t length;
  char text[32768]; /* of the model, without its simulation */
} generator;

/* Steele & Vigna 2021: splitmix64. Uniform in [0, 1). */
static inline double uniform(generator *g)
{
  unsigned long long z = g->state += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static inline double between(generator *g, double low, double high)
{
  return low + (high - low) * uniform(g);
}
static inline int pick(generator *g, int n) { return (int)(n * uniform(g)); }
static inline double spread(generator *g, double low, double high)
{
  return low * pow(high / low, uniform(g));
}

static inline void put(generator *g, const char *format, ...) NS_PRINTF(2, 3);
static inline void put(generator *g, const char *format, ...)
{
  va_list ap;
  va_start(ap, format);
  int n = vsnprintf(g->text + g->length, sizeof g->text - g->length, format, ap);
  va_end(ap);
  ck_assert_int_lt(n, (int)(sizeof g->text - g->length));
  g->length += (size_t)n;
}

#endif
