/* SPDX-License-Identifier: GPL-3.0-or-later */
/* some_of.h -- for tests: how many random cases are run. */
#ifndef TESTS_SUPPORT_SOME_OF_H
#define TESTS_SUPPORT_SOME_OF_H

#include <stdlib.h>

/* Of n random cases: all, or where each takes ten times as long, as under sanitizers (NSSIM_SLOW),
 * a quarter of them. */
static inline int some_of(int n) { return getenv("NSSIM_SLOW") && n > 8 ? (n + 3) / 4 : n; }

/* Of n random cases that take long: all where NSSIM_LONG is set, as `make check-long` does, else a
 * third. */
static inline int few_of(int n) { return some_of(getenv("NSSIM_LONG") ? n : (n + 2) / 3); }

#endif
