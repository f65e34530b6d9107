/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h -- questions about texts. */
#ifndef NS_BASE_TEXT_H
#define NS_BASE_TEXT_H

#include <string.h>

/* 1 if s ends in `end`, and is longer: the name of a file with this suffix. */
static inline int ns_ends_in(const char *s, const char *end)
{
  size_t n = strlen(s), m = strlen(end);
  return n > m && strcmp(s + n - m, end) == 0;
}

#endif
