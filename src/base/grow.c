/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ITEMS = 8, FIRST_BYTES = 256 };

int ns_grow_list(void *list, size_t n, size_t size)
{
  void *old, *more;
  if (n && (n < FIRST_ITEMS || (n & (n - 1)))) return NS_OK; /* between two capacities */
  memcpy(&old, list, sizeof old);                            /* whatever its items are */
  if (!(more = realloc(old, (n ? 2 * n : FIRST_ITEMS) * size))) return NS_NOMEM;
  memcpy(list, &more, sizeof more);
  return NS_OK;
}

int ns_append_item(void *list, int *n, const void *item, size_t size)
{
  char *all;
  if (ns_grow_list(list, (size_t)*n, size)) return NS_NOMEM;
  memcpy(&all, list, sizeof all);
  memcpy(all + (size_t)*n * size, item, size);
  return (*n)++;
}

/* Capacity for n more bytes and the final 0. */
static int has_room(ns_buffer *b, size_t n)
{
  if (b->lost || b->n + n < b->cap) return !b->lost;
  size_t cap = 2 * (b->n + n) + FIRST_BYTES;
  char *s = realloc(b->s, cap);
  b->lost = !s;
  if (!s) return 0;
  b->s = s;
  b->cap = cap;
  return 1;
}

void ns_buffer_put(ns_buffer *b, const char *s, size_t n)
{
  if (!has_room(b, n)) return;
  memcpy(b->s + b->n, s, n);
  b->n += n;
  b->s[b->n] = 0;
}

void ns_buffer_printf(ns_buffer *b, const char *fmt, ...)
{
  va_list ap, again;
  va_start(ap, fmt);
  va_copy(again, ap);
  size_t n = (size_t)vsnprintf(NULL, 0, fmt, ap);
  if (has_room(b, n)) b->n += (size_t)vsnprintf(b->s + b->n, n + 1, fmt, again);
  va_end(ap);
  va_end(again);
}
