/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counted.h -- for tests of memory: the program's own malloc, in front of the C library's, counts
 * and fails on demand.
 *
 * To be included by one file of a program. Under AddressSanitizer, which has a malloc of its own,
 * COUNTED is 0 and the counters stand still. */
#ifndef TESTS_SUPPORT_COUNTED_H
#define TESTS_SUPPORT_COUNTED_H

#include <errno.h>
#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define COUNTED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COUNTED 0
#endif
#endif
#ifndef COUNTED
#define COUNTED 1
#endif

/* Unused where nothing is counted. */
#define MAYBE __attribute__((unused))
static MAYBE long calls;        /* that asked for memory */
static MAYBE long live;         /* blocks that are not freed */
static MAYBE long fail_at = -1; /* that call and all later ones fail; -1: none */
#undef MAYBE

#if COUNTED
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static int refused(void)
{
  calls++;
  if (fail_at < 0 || calls <= fail_at) return 0;
  errno = ENOMEM;
  return 1;
}
static void *counted(void *p)
{
  live += p != NULL;
  return p;
}
void *malloc(size_t n) { return refused() ? NULL : counted(__libc_malloc(n)); }
void *calloc(size_t n, size_t size) { return refused() ? NULL : counted(__libc_calloc(n, size)); }
void *memalign(size_t a, size_t n) { return refused() ? NULL : counted(__libc_memalign(a, n)); }
void *aligned_alloc(size_t a, size_t n) { return memalign(a, n); }
int posix_memalign(void **p, size_t a, size_t n)
{
  *p = memalign(a, n);
  return *p ? 0 : ENOMEM;
}
void *realloc(void *p, size_t n)
{
  if (refused()) return NULL;
  live += p == NULL;
  return __libc_realloc(p, n);
}
void free(void *p)
{
  live -= p != NULL;
  __libc_free(p);
}
#endif

#endif
