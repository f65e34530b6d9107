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

int ns_resize_arrays(const ns_array *list, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    void *old, *more;
    if (!list[i].n) continue;
    memcpy(&old, list[i].to, sizeof old);
    if (!(more = realloc(old, list[i].n * list[i].size))) return NS_NOMEM;
    memcpy(list[i].to, &more, sizeof more);
  }
  return NS_OK;
}

void ns_free_all(void *const *list, size_t n)
{
  for (size_t i = 0; i < n; i++) free(list[i]);
}

int ns_reserve_list(void *list, size_t *cap, size_t n, size_t size)
{
  if (n <= *cap) return NS_OK;
  size_t more = n + n / 8 + 16;
  if (ns_resize_arrays(&(ns_array){list, more, size}, 1)) return NS_NOMEM;
  *cap = more;
  return NS_OK;
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
