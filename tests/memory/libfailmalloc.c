/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libfailmalloc -- preloaded into a program, makes its k-th allocation fail.
 *
 * Counted from the beginning of main: every malloc, calloc, realloc, posix_memalign,
 * aligned_alloc and memalign of the program and of all its libraries, whoever calls.
 *   FAILMALLOC_AT    k >= 1: allocation that fails; 0 or unset: none
 *   FAILMALLOC_MODE  `after`: all later ones fail too; else that one alone
 *   FAILMALLOC_OWN   set: only those that the program's own code asks for count and fail
 *   FAILMALLOC_TRAP  set: SIGTRAP where the allocation fails, to see the place in a debugger
 *   FAILMALLOC_FD    descriptor for the report at the end of the process, one line:
 *                    calls N failed M blocks B sites 0x.. 0x..
 * blocks: those that the program's own code got (through malloc and its kin, strdup, strndup,
 * asprintf, vasprintf) and never freed; sites: offsets of the first callers in the program, for
 * addr2line. Its own code is the program and its modules (nssim-*.so). Blocks that libraries
 * keep for themselves are not counted. */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOTS (1u << 14) /* of the table of the program's own blocks */
static struct {
  void *(*malloc)(size_t);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void (*free)(void *);
  int (*posix_memalign)(void **, size_t, size_t);
} real;

static int ready, armed, fd = -1, keep_failing, trap, own_only;
static long fail_at;
static atomic_long calls, failed;
static uintptr_t base, text_from, text_to; /* the program's own code */

/* A lock of our own: a sanitizer's pthread_mutex_lock may not be ready when it first allocates. */
static atomic_flag lock = ATOMIC_FLAG_INIT;
/* Addresses are kept inverted: a leak checker must not take the table for a reference. */
enum { EMPTY = 0, GONE = 1 };
static struct {
  uintptr_t hidden;
  uintptr_t site;
} own[SLOTS];
static long overflow;

/* dlsym may allocate before its answer is there: a small store that is never freed. */
static _Alignas(16) char early[16384];
static size_t early_top;

static void *early_get(size_t n)
{
  size_t at = early_top;
  early_top = (at + n + 15) & ~(size_t)15;
  return early_top <= sizeof early ? early + at : NULL;
}

static int is_early(const void *p)
{
  return (const char *)p >= early && (const char *)p < early + sizeof early;
}

static int first_object(struct dl_phdr_info *info, size_t size, void *arg)
{
  (void)size;
  (void)arg;
  base = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = info->dlpi_phdr + i;
    if (p->p_type == PT_LOAD && (p->p_flags & PF_X)) {
      text_from = base + p->p_vaddr;
      text_to = text_from + p->p_memsz;
    }
  }
  return 1; /* the first one is the program */
}

static void prepare(void)
{
  if (ready) return;
  ready = 1; /* calls out of dlsym are served from the early store */
  void *f;
#define FIND(name) \
  f = dlsym(RTLD_NEXT, #name); \
  memcpy(&real.name, &f, sizeof f)
  FIND(calloc);
  FIND(realloc);
  FIND(free);
  FIND(posix_memalign);
  FIND(malloc);
#undef FIND
  dl_iterate_phdr(first_object, NULL);
}

/* Ends at the object of *arg, a site: 1 if it is a module of the program. dladdr would tell, too,
 * but looks at all symbols of the object, which took a third of the time of a run. */
static int is_of_module(struct dl_phdr_info *info, size_t size, void *arg)
{
  uintptr_t site = *(const uintptr_t *)arg;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = info->dlpi_phdr + i;
    if (p->p_type == PT_LOAD && site - info->dlpi_addr - p->p_vaddr < p->p_memsz)
      return strstr(info->dlpi_name, "nssim-") && strstr(info->dlpi_name, ".so") ? 1 : -1;
  }
  return 0;
}

/* Is the caller the program itself, or one of its modules? */
static int is_own(uintptr_t site)
{
  if (site >= text_from && site < text_to) return 1;
  return armed && dl_iterate_phdr(is_of_module, &site) == 1;
}

static size_t slot_of(uintptr_t hidden)
{
  return ((hidden >> 4) * 0x9E3779B97F4A7C15u >> 40) % SLOTS;
}

static void note(void *p, uintptr_t site)
{
  if (!p || !is_own(site)) return;
  uintptr_t hidden = ~(uintptr_t)p;
  while (atomic_flag_test_and_set(&lock)) {
  }
  size_t i = slot_of(hidden), n = 0;
  while (own[i].hidden > GONE && n < SLOTS) {
    i = (i + 1) % SLOTS;
    n++;
  }
  if (n < SLOTS) {
    own[i].hidden = hidden;
    own[i].site = site;
  } else {
    overflow++;
  }
  atomic_flag_clear(&lock);
}

/* The site of a block that the program owns, 0 for others; the entry goes. */
static uintptr_t forget(void *p)
{
  uintptr_t site = 0, hidden = ~(uintptr_t)p;
  if (!p) return 0;
  while (atomic_flag_test_and_set(&lock)) {
  }
  size_t i = slot_of(hidden);
  for (size_t n = 0; n < SLOTS && own[i].hidden != EMPTY; n++, i = (i + 1) % SLOTS)
    if (own[i].hidden == hidden) {
      site = own[i].site;
      own[i].hidden = GONE;
      break;
    }
  atomic_flag_clear(&lock);
  return site;
}

/* 1 if this allocation is to fail. */
static int fails(uintptr_t site)
{
  if (!armed || (own_only && !is_own(site))) return 0;
  long k = atomic_fetch_add(&calls, 1) + 1;
  if (fail_at == 0 || k < fail_at || (k > fail_at && !keep_failing)) return 0;
  atomic_fetch_add(&failed, 1);
  if (trap) raise(SIGTRAP);
  errno = ENOMEM;
  return 1;
}

#define SITE ((uintptr_t)__builtin_return_address(0))

static void *get(size_t n, uintptr_t site)
{
  prepare();
  if (!real.malloc) return early_get(n);
  if (fails(site)) return NULL;
  void *p = real.malloc(n);
  note(p, site);
  return p;
}

void *malloc(size_t n) { return get(n, SITE); }

void *calloc(size_t n, size_t size)
{
  uintptr_t site = SITE;
  prepare();
  if (!real.malloc) return early_get(n * size);
  if (fails(site)) return NULL;
  void *p = real.calloc(n, size);
  note(p, site);
  return p;
}

void *realloc(void *old, size_t n)
{
  uintptr_t site = SITE;
  prepare();
  if (!real.malloc || is_early(old)) {
    void *p = real.malloc ? real.malloc(n) : early_get(n);
    size_t max = old ? (size_t)(early + sizeof early - (char *)old) : 0;
    if (p && old) memcpy(p, old, n < max ? n : max);
    return p;
  }
  if (n > 0 && fails(site)) return NULL;
  uintptr_t had = forget(old);
  void *p = real.realloc(old, n);
  if (p) note(p, site);
  else if (n > 0) note(old, had);
  return p;
}

void free(void *p)
{
  if (!p || is_early(p)) return;
  prepare();
  forget(p);
  real.free(p);
}

static int get_aligned(void **out, size_t align, size_t n, uintptr_t site)
{
  prepare();
  if (fails(site)) return ENOMEM;
  int rc = real.posix_memalign(out, align < sizeof(void *) ? sizeof(void *) : align, n);
  if (rc == 0) note(*out, site);
  return rc;
}

int posix_memalign(void **out, size_t align, size_t n) { return get_aligned(out, align, n, SITE); }

void *aligned_alloc(size_t align, size_t n)
{
  void *p = NULL;
  return get_aligned(&p, align, n, SITE) ? NULL : p;
}

void *memalign(size_t align, size_t n)
{
  void *p = NULL;
  return get_aligned(&p, align, n, SITE) ? NULL : p;
}

/* The C library's functions that hand memory to their caller: noted as the caller's. */
char *strndup(const char *s, size_t max)
{
  size_t n = strnlen(s, max);
  char *p = get(n + 1, SITE);
  if (!p) return NULL;
  memcpy(p, s, n);
  p[n] = 0;
  return p;
}

char *strdup(const char *s)
{
  size_t n = strlen(s) + 1;
  char *p = get(n, SITE);
  return p ? memcpy(p, s, n) : NULL;
}

static int print(char **out, uintptr_t site, const char *format, va_list ap)
{
  va_list again;
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, format, again);
  va_end(again);
  *out = n < 0 ? NULL : get((size_t)n + 1, site);
  return *out ? vsnprintf(*out, (size_t)n + 1, format, ap) : -1;
}

int vasprintf(char **out, const char *format, va_list ap) { return print(out, SITE, format, ap); }

int asprintf(char **out, const char *format, ...)
{
  uintptr_t site = SITE;
  va_list ap;
  va_start(ap, format);
  int n = print(out, site, format, ap);
  va_end(ap);
  return n;
}

static int (*real_main)(int, char **, char **);

static int counted_main(int argc, char **argv, char **envp)
{
  const char *at = getenv("FAILMALLOC_AT"), *mode = getenv("FAILMALLOC_MODE");
  const char *to = getenv("FAILMALLOC_FD");
  fail_at = at ? atol(at) : 0;
  keep_failing = mode && strcmp(mode, "after") == 0;
  trap = getenv("FAILMALLOC_TRAP") != NULL;
  own_only = getenv("FAILMALLOC_OWN") != NULL;
  fd = to ? atoi(to) : -1;
  prepare();
  armed = 1;
  return real_main(argc, argv, envp);
}

typedef int start_fn(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                     void (*)(void), void *);
start_fn __libc_start_main;

int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void), void (*rtld_fini)(void), void *stack)
{
  void *f = dlsym(RTLD_NEXT, "__libc_start_main");
  start_fn *start;
  memcpy(&start, &f, sizeof f);
  real_main = program;
  return start(counted_main, argc, argv, init, fini, rtld_fini, stack);
}

__attribute__((destructor)) static void report(void)
{
  char line[512];
  long blocks = overflow;
  size_t at = 0;
  uintptr_t site[4];
  if (fd < 0 || !armed) return;
  armed = 0;
  for (size_t i = 0; i < SLOTS; i++)
    if (own[i].hidden > GONE) {
      int inside = own[i].site >= text_from && own[i].site < text_to;
      if (blocks < 4) site[blocks] = own[i].site - (inside ? base : 0) - 1; /* within the call */
      blocks++;
    }
  at = (size_t)snprintf(line, sizeof line, "calls %ld failed %ld blocks %ld sites",
                        atomic_load(&calls), atomic_load(&failed), blocks);
  for (long i = 0; i < blocks && i < 4; i++)
    at += (size_t)snprintf(line + at, sizeof line - at, " 0x%lx", (unsigned long)site[i]);
  line[at++] = '\n';
  if (write(fd, line, at) < 0) fd = -1;
}
