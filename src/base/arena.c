/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arena.h"

#include "base/status.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGN ((size_t)32)
#define FIRST_CHUNK ((size_t)16 * 1024)
#define MAX_CHUNK ((size_t)8 * 1024 * 1024)
/* Chunks from this size on come with zeros from the system, which cost nothing; pages of them that
 * are never written take no memory. Debug builds do without, so that valgrind sees what was never
 * set. */
#ifdef NS_ARENA_MALLOC
#define ZEROED SIZE_MAX
#else
#define ZEROED ((size_t)128 * 1024)
#endif

/* Chunks form a list, newest first; mem is the aligned start of the payload. From `clean` on it was
 * never handed out and is zero. */
typedef struct chunk {
  struct chunk *before;
  char *mem;
  size_t cap, top, clean;
} chunk;

struct ns_arena {
  chunk *now;
  size_t next; /* size of the next chunk */
  size_t used, peak;
  int grow;
};

static size_t round_up(size_t n, size_t align) { return (n + align - 1) & ~(align - 1); }

/* Of a block: short vectors and names, of which a model of many bodies has several each, are not
 * spread out. */
static size_t alignment(size_t bytes)
{
  if (bytes >= ALIGN) return ALIGN;
  return bytes >= ALIGN / 2 ? ALIGN / 2 : ALIGN / 4;
}

static chunk *chunk_new(chunk *before, size_t bytes)
{
  if (bytes > SIZE_MAX - sizeof(chunk) - ALIGN) return NULL;
  size_t size = sizeof(chunk) + bytes + ALIGN;
  chunk *k = bytes < ZEROED ? malloc(size) : calloc(1, size);
  if (!k) return NULL;
  uintptr_t p = ((uintptr_t)(k + 1) + ALIGN - 1) & ~(uintptr_t)(ALIGN - 1);
  *k = (chunk){.before = before,
               .mem = (char *)k + (p - (uintptr_t)k),
               .cap = bytes,
               .clean = bytes < ZEROED ? bytes : 0};
  return k;
}

ns_arena *ns_arena_create(size_t bytes, int grow)
{
  ns_arena *a = malloc(sizeof *a);
  if (!a) return NULL;
  size_t first = bytes ? round_up(bytes, ALIGN) : FIRST_CHUNK;
  /* scratch may begin as large as it was ever needed: what is beside it is a little more */
  *a = (ns_arena){.next = first < MAX_CHUNK / 2 ? 2 * first : MAX_CHUNK, .grow = grow};
  a->now = chunk_new(NULL, first);
  if (!a->now) {
    free(a);
    return NULL;
  }
  return a;
}

void ns_arena_destroy(ns_arena *a)
{
  if (!a) return;
  for (chunk *k = a->now, *before; k; k = before) {
    before = k->before;
    free(k);
  }
  free(a);
}

/* *used: so many bytes from the start of the block on may be other than zero. */
static void *get(ns_arena *a, size_t n, size_t size, size_t *used)
{
  if (size && n > (SIZE_MAX - 2 * ALIGN) / size) return NULL;
  size_t want = n * size;
  chunk *k = a->now;
  size_t at = round_up(k->top, alignment(want));
#ifdef NS_ARENA_MALLOC
  int fits = 0;
#else
  int fits = at <= k->cap && want <= k->cap - at;
#endif
  if (!fits) {
    if (!a->grow && (at > k->cap || want > k->cap - at)) return NULL;
#ifdef NS_ARENA_MALLOC
    size_t cap = want;
#else
    size_t cap = want > a->next ? want : a->next;
#endif
    k = chunk_new(a->now, cap);
    if (!k) return NULL;
    a->now = k;
    at = 0;
    if (a->next < MAX_CHUNK) a->next *= 2;
  }
  *used = k->clean > at ? k->clean - at : 0;
  a->used += at + want - k->top;
  if (a->used > a->peak) a->peak = a->used;
  k->top = at + want;
  if (k->top > k->clean) k->clean = k->top;
  return k->mem + at;
}

void *ns_arena_get(ns_arena *a, size_t n, size_t size)
{
  size_t used;
  return get(a, n, size, &used);
}

void *ns_arena_zero(ns_arena *a, size_t n, size_t size)
{
  size_t used;
  void *p = get(a, n, size, &used);
  if (p) memset(p, 0, n * size < used ? n * size : used);
  return p;
}

void *ns_arena_object(size_t size, size_t at)
{
  ns_arena *a = ns_arena_create(0, 1);
  char *object = a ? ns_arena_zero(a, 1, size) : NULL;
  if (object) memcpy(object + at, &a, sizeof a);
  else ns_arena_destroy(a);
  return object;
}

void *ns_arena_copy(ns_arena *a, const void *from, size_t n, size_t size)
{
  void *p = ns_arena_get(a, n, size);
  if (p && n && size) memcpy(p, from, n * size);
  return p;
}

int ns_arena_arrays(ns_arena *a, const ns_array *list, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    void *p = ns_arena_zero(a, list[i].n + 1, list[i].size);
    if (!p) return NS_NOMEM;
    memcpy(list[i].to, &p, sizeof p);
  }
  return NS_OK;
}

char *ns_arena_text(ns_arena *a, const char *s) { return ns_arena_copy(a, s, strlen(s) + 1, 1); }

char *ns_arena_part(ns_arena *a, const char *s, size_t n)
{
  char *copy = ns_arena_get(a, n + 1, 1);
  if (!copy) return NULL;
  copy[n] = 0;
  return memcpy(copy, s, n);
}

char *ns_arena_vformat(ns_arena *a, const char *fmt, va_list ap)
{
  va_list again;
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, ap);
  char *s = n < 0 ? NULL : ns_arena_get(a, (size_t)n + 1, 1);
  if (s) vsnprintf(s, (size_t)n + 1, fmt, again);
  va_end(again);
  return s;
}

char *ns_arena_format(ns_arena *a, const char *fmt, ...)
{
  va_list ap;
  va_start(ap, fmt);
  char *s = ns_arena_vformat(a, fmt, ap);
  va_end(ap);
  return s;
}

ns_mark ns_arena_mark(const ns_arena *a) { return (ns_mark){.chunk = a->now, .top = a->now->top}; }

void ns_arena_release(ns_arena *a, ns_mark m)
{
  while (a->now != m.chunk) {
    chunk *k = a->now;
    a->used -= k->top;
    a->now = k->before;
    free(k);
  }
  a->used -= a->now->top - m.top;
  a->now->top = m.top;
}

size_t ns_arena_used(const ns_arena *a) { return a->used; }
size_t ns_arena_peak(const ns_arena *a) { return a->peak; }
