/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h -- for tests: the text of a random model, written part by part. */
#ifndef TESTS_SUPPORT_TEXT_H
#define TESTS_SUPPORT_TEXT_H

#include "support/cloud.h"
#include "support/suite.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct text {
  char at[8192];
  size_t n;
} text;

static void add(text *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(text *s, const char *format, ...)
{
  va_list ap;
  va_start(ap, format);
  s->n += (size_t)vsnprintf(s->at + s->n, sizeof s->at - s->n, format, ap);
  va_end(ap);
  ck_assert_uint_lt(s->n, sizeof s->at);
}

static inline int odds(double p) { return uniform(0, 1) < p; }

#endif
