/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h -- texts and lists of words. */
#ifndef NS_BASE_TEXT_H
#define NS_BASE_TEXT_H

#include <string.h>

/* 1 if s ends in `end`, and is longer: the name of a file with this suffix. */
static inline int ns_ends_in(const char *s, const char *end)
{
  size_t n = strlen(s), m = strlen(end);
  return n > m && strcmp(s + n - m, end) == 0;
}

/* Index of a word in list [n]; -1: it is not there. */
static inline int ns_word_index(const char *const *list, size_t n, const char *word)
{
  for (size_t k = 0; k < n; k++)
    if (!strcmp(list[k], word)) return (int)k;
  return -1;
}

#endif
