/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h -- texts, lists of words, and lists of things that have a name. */
#ifndef NS_BASE_TEXT_H
#define NS_BASE_TEXT_H

#include <stddef.h>
#include <string.h>

/* 1 if s ends in `end`, and is longer: the name of a file with this suffix. */
static inline int ns_ends_in(const char *s, const char *end)
{
  size_t n = strlen(s), m = strlen(end);
  return n > m && strcmp(s + n - m, end) == 0;
}

/* The text that stands `at` bytes from the begin of a thing. */
static inline const char *ns_text_in(const void *thing, size_t at)
{
  const char *s;
  memcpy(&s, (const char *)thing + at, sizeof s);
  return s;
}

static inline int ns_named_index(const void *list, size_t n, size_t size, size_t at,
                                 const char *name)
{
  for (size_t k = 0; name && k < n; k++) {
    const char *s = ns_text_in((const char *)list + k * size, at);
    if (s && !strcmp(s, name)) return (int)k;
  }
  return -1;
}

static inline const void *ns_named_kind(const void *list, size_t at, const char *name)
{
  const void *kind;
  for (size_t k = 0;; k++) {
    memcpy(&kind, (const char *)list + k * sizeof kind, sizeof kind);
    if (!kind || !strcmp(ns_text_in(kind, at), name)) return kind;
  }
}

/* Index of the first thing of `list` [n], of this type, whose text `member` is a word; -1: there is
 * none, or the word is NULL. */
#define NS_NAMED_INDEX(type, member, list, n, word) \
  ns_named_index((list), (size_t)(n), sizeof(type), offsetof(type, member), (word))

/* The kind that has this word as name, in a list of pointers to them that ends with NULL; NULL:
 * there is none. */
#define NS_NAMED_KIND(type, list, word) \
  ((const type *)ns_named_kind((list), offsetof(type, name), (word)))

/* Index of a word in list [n]; -1: it is not there. */
static inline int ns_word_index(const char *const *list, size_t n, const char *word)
{
  for (size_t k = 0; k < n; k++)
    if (!strcmp(list[k], word)) return (int)k;
  return -1;
}

#endif
