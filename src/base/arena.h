/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arena.h -- memory that is released all at once.
 *
 * Two uses. A growing arena contains a model: objects live until ns_arena_destroy. A fixed one
 * (ns_arena_create with bytes > 0 and grow = 0) is the scratch of a step: `mark` and `release`,
 * never malloc in the loop. Blocks are aligned to 32 bytes, below 32 to 16, below 16 to 8. Debug
 * builds (NS_ARENA_MALLOC) malloc each block, so that AddressSanitizer detects overruns. */
#ifndef NS_BASE_ARENA_H
#define NS_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct ns_arena ns_arena;
typedef struct ns_mark {
  void *chunk;
  size_t top;
} ns_mark;

/* bytes: size of the first chunk (0: a default). grow: more chunks when it is full.
 * NULL when out of memory. */
ns_arena *ns_arena_create(size_t bytes, int grow);
void ns_arena_destroy(ns_arena *a); /* NULL-safe */

/* An object of `size` bytes, zeroed, in a growing arena of its own, to which its member at `at`
 * points: ns_arena_destroy of that is the end of both. NULL when out of memory. */
void *ns_arena_object(size_t size, size_t at);
#define NS_ARENA_OBJECT(type, member) \
  ((type *)ns_arena_object(sizeof(type), offsetof(type, member)))

/* n items of `size` bytes, uninitialised / zeroed; NULL when full or out of memory.
 * n = 0 gives a valid pointer. */
void *ns_arena_get(ns_arena *a, size_t n, size_t size);
void *ns_arena_zero(ns_arena *a, size_t n, size_t size);
/* An array to be allocated: the address of its pointer, and how many items of which size. */
typedef struct ns_array {
  void *to;
  size_t n, size;
} ns_array;
/* All arrays of a list [count], zeroed, each with one item more than it says. NS_NOMEM without a
 * message: those behind are as they were. */
int ns_arena_arrays(ns_arena *a, const ns_array *list, size_t count);
/* Copies; NULL when out of memory. */
char *ns_arena_text(ns_arena *a, const char *s);
char *ns_arena_part(ns_arena *a, const char *s, size_t n); /* its first n bytes, as a text */
/* As printf; ap is used up. */
char *ns_arena_format(ns_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *ns_arena_vformat(ns_arena *a, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));
void *ns_arena_copy(ns_arena *a, const void *from, size_t n, size_t size);

/* Release everything allocated after the mark. */
ns_mark ns_arena_mark(const ns_arena *a);
void ns_arena_release(ns_arena *a, ns_mark m);

/* Bytes in use, and their maximum so far. */
size_t ns_arena_used(const ns_arena *a);
size_t ns_arena_peak(const ns_arena *a);

#endif
