/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hdf5/twin.h"

#include "base/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 18 };

static int put(int fd, const char *p, size_t n)
{
  while (n) {
    ssize_t k = write(fd, p, n);
    if (k < 0 && errno == EINTR) continue;
    if (k < 0) return -1;
    p += k;
    n -= (size_t)k;
  }
  return 0;
}

static int copy(int from, int to)
{
  if (ioctl(to, FICLONE, from) == 0) return 0;
  char *piece = malloc(PIECE);
  ssize_t n = piece ? 1 : -1;
  while (n > 0) {
    n = read(from, piece, PIECE);
    if (n < 0 && errno == EINTR) n = 1;
    else if (n > 0 && put(to, piece, (size_t)n) < 0) n = -1;
  }
  free(piece);
  return n < 0 ? -1 : 0;
}

char *ns_twin_make(const char *path)
{
  struct stat st;
  char *twin = ns_claim_beside(path, ".new");
  int from = twin ? open(path, O_RDONLY | O_CLOEXEC) : -1, to = -1, e;
  if (from >= 0 && fstat(from, &st) == 0) {
    unlink(twin);
    to = open(twin, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, st.st_mode & 0777);
  }
  int bad = to < 0 || copy(from, to) < 0;
  e = errno;
  if (from >= 0) close(from);
  if (to >= 0 && close(to) != 0 && !bad) bad = 1, e = errno;
  if (!bad) return twin;
  if (to >= 0) unlink(twin);
  free(twin);
  errno = e;
  return NULL;
}

int ns_twin_replace(const char *path, const char *twin, int *lock)
{
  int fd = open(twin, O_RDWR | O_CLOEXEC), bad = fd < 0 || fsync(fd) != 0, e = errno;
  if (!bad && flock(fd, LOCK_EX | LOCK_NB) != 0) errno = 0; /* a file system without locks */
  char *real = bad ? NULL : ns_claim_beside(path, "");
  if (!bad && (!real || rename(twin, real) != 0)) bad = 1, e = errno;
  free(real);
  if (!bad) {
    if (*lock >= 0) close(*lock);
    *lock = fd;
    return 0;
  }
  if (fd >= 0) close(fd);
  unlink(twin);
  errno = e;
  return -1;
}
