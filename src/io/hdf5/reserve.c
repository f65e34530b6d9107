/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hdf5/reserve.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int open_beside(const char *path)
{
  char dir[PATH_MAX];
  const char *slash = strrchr(path, '/');
  if (!slash) return open(".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if ((size_t)(slash - path) + 2 > sizeof dir) return -1;
  snprintf(dir, sizeof dir, "%.*s", slash == path ? 1 : (int)(slash - path), path);
  return open(dir, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
}

int ns_reserve_keep(ns_reserve *r, const char *path, size_t bytes)
{
  if (r->off || bytes <= r->bytes) return 0;
  if (r->fd < 0) r->fd = open_beside(path);
  size_t want = bytes + bytes / 8; /* it grows seldom */
  if (r->fd >= 0 && fallocate(r->fd, 0, 0, (off_t)want) == 0) {
    r->bytes = want;
    return 0;
  }
  if (r->fd >= 0 && (errno == ENOSPC || errno == EDQUOT)) return -1;
  ns_reserve_give_up(r);
  r->off = 1;
  return 0;
}

int ns_reserve_give_up(ns_reserve *r)
{
  int had = r->fd >= 0;
  if (had) close(r->fd);
  r->fd = -1;
  r->bytes = 0;
  return had;
}
