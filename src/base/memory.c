/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/memory.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

int ns_memory_is_short(void)
{
  const size_t some = (size_t)16 << 20;
  int e = errno;
  void *p = mmap(NULL, some, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
  if (p != MAP_FAILED) munmap(p, some);
  errno = e;
  return p == MAP_FAILED;
}

int ns_memory_is_blamed(const char *text)
{
  static const char *const words[] = {"Cannot allocate memory", "cannot allocate",
                                      "cannot map zero-fill", "cannot create", "out of memory"};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (strstr(text, words[k])) return 1;
  /* that is a folder mounted without exec */
  return strstr(text, "failed to map segment") && !strstr(text, "not permitted");
}

int ns_memory_is_limited(void)
{
  struct rlimit space, data;
  if (getrlimit(RLIMIT_AS, &space) != 0 || getrlimit(RLIMIT_DATA, &data) != 0) return 0;
  return space.rlim_cur != RLIM_INFINITY || data.rlim_cur != RLIM_INFINITY;
}
