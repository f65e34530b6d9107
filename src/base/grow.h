/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grow.h -- lists and texts that grow in malloced memory. */
#ifndef NS_BASE_GROW_H
#define NS_BASE_GROW_H

#include "base/arena.h"
#include "base/context.h"

#include <stddef.h>

/* Room for item n of a list that gets one item after the other: its capacity, 8 and then twice as
 * much, follows from n. ns_grow(&list, n) moves the list; NS_NOMEM, not reported, leaves it. */
int ns_grow_list(void *list, size_t n, size_t size);
#define ns_grow(list, n) ns_grow_list(list, (size_t)(n), sizeof **(list))
/* A copy of *item behind the *n items of such a list: its index; NS_NOMEM, not reported. */
int ns_append_item(void *list, int *n, const void *item, size_t size);
#define ns_append(list, n, item) \
  ns_append_item(list, n, 1 ? (item) : *(list), sizeof **(list)) /* ?: compares the types */

/* Room for n items of a list with a capacity, *cap: an eighth more than that where it has to grow.
 * NS_NOMEM, not reported, leaves it. */
int ns_reserve_list(void *list, size_t *cap, size_t n, size_t size);
#define ns_reserve(list, cap, n) ns_reserve_list(list, cap, n, sizeof **(list))
/* Arrays that grow together [count]: each gets memory for its n items; one of 0 stays as it is.
 * NS_NOMEM, not reported: those before have grown. */
int ns_resize_arrays(const ns_array *list, size_t count);

/* Free each of these; NULL is left out. */
void ns_free_all(void *const *list, size_t n);
#define NS_FREE(...) \
  ns_free_all((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))

/* A text to whose end is written; zeroed at first. */
typedef struct ns_buffer {
  char *s;       /* ends with a 0 that n does not count; NULL: nothing was written */
  size_t n, cap; /* bytes, and those there is memory for */
  int lost;      /* memory ended: what follows is left out */
} ns_buffer;
void ns_buffer_put(ns_buffer *b, const char *s, size_t n);
void ns_buffer_printf(ns_buffer *b, const char *fmt, ...) NS_PRINTF(2, 3);

/* The text of the variable arguments behind fmt, into an array of char. */
#define NS_FORMAT(array, fmt) \
  do { \
    va_list format_ap; \
    va_start(format_ap, fmt); \
    vsnprintf(array, sizeof(array), fmt, format_ap); \
    va_end(format_ap); \
  } while (0)

#endif
