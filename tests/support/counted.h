/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counted.h -- for tests of memory: the program's own malloc, in front of the C library's, counts
 * and fails on demand.
 *
 * To be included by one file of a program. Under AddressSanitizer, which has a malloc of its own,
 * COUNTED is 0 and the counters stand still. */
#ifndef TESTS_SUPPORT_COUNTED_H
#define TESTS_SUPPORT_COUNTED_H

#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) /* set by the Makefile for both compilers */
#define COUNTED 0
#else
#define COUNTED 1
#endif

/* Unused where nothing is counted. */
#define MAYBE __attribute__((unused))
static MAYBE long calls;        /* that asked for memory */
static MAYBE long live;         /* blocks that are not freed */
static MAYBE long fail_at = -1; /* that call and all later ones fail; -1: none */
static MAYBE long own_calls;    /* of the library that count_own names */
static MAYBE uintptr_t own_from, own_to;
#undef MAYBE

#if COUNTED
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

#define CALLER ((uintptr_t)__builtin_return_address(0))

static int refused(uintptr_t caller)
{
  calls++;
  own_calls += caller >= own_from && caller < own_to;
  if (fail_at < 0 || calls <= fail_at) return 0;
  errno = ENOMEM;
  return 1;
}
static void *counted(void *p)
{
  live += p != NULL;
  return p;
}
void *malloc(size_t n) { return refused(CALLER) ? NULL : counted(__libc_malloc(n)); }
void *calloc(size_t n, size_t size)
{
  return refused(CALLER) ? NULL : counted(__libc_calloc(n, size));
}
void *memalign(size_t a, size_t n)
{
  return refused(CALLER) ? NULL : counted(__libc_memalign(a, n));
}
void *aligned_alloc(size_t a, size_t n) { return memalign(a, n); }
int posix_memalign(void **p, size_t a, size_t n)
{
  *p = memalign(a, n);
  return *p ? 0 : ENOMEM;
}
void *realloc(void *p, size_t n)
{
  if (refused(CALLER)) return NULL;
  live += p == NULL;
  return __libc_realloc(p, n);
}
void free(void *p)
{
  live -= p != NULL;
  __libc_free(p);
}

static int find_own(struct dl_phdr_info *library, size_t size, void *name)
{
  (void)size;
  if (!strstr(library->dlpi_name, (const char *)name)) return 0;
  for (int i = 0; i < library->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = library->dlpi_phdr + i;
    if (p->p_type != PT_LOAD || !(p->p_flags & PF_X)) continue;
    own_from = library->dlpi_addr + p->p_vaddr;
    own_to = own_from + p->p_memsz;
  }
  return own_to > own_from;
}

/* From now on calls out of this library, "libnssim.so", are counted apart; 0: it is not loaded. */
__attribute__((unused)) static int count_own(const char *library)
{
  char name[64];
  strncpy(name, library, sizeof name - 1);
  name[sizeof name - 1] = 0;
  return dl_iterate_phdr(find_own, name);
}
#else
__attribute__((unused)) static int count_own(const char *library)
{
  (void)library;
  return 0;
}
#endif

#endif
