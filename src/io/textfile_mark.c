/* SPDX-License-Identifier: GPL-3.0-or-later */
/* textfile_mark.c -- find the place again where a checkpoint left a text output. */
#include "io/textfile.h"

#include "base/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 14 };

typedef struct mark {
  unsigned long long size;
  unsigned char digest[SHA256_DIGEST_SIZE];
} mark;

/* The digest of f goes on over the bytes from its last mark to `size`; -1 with errno (0: the file
 * is shorter). */
static int digest_on(ns_textfile *f, int fd, unsigned long long size)
{
  unsigned char piece[PIECE];
  while (f->marked < size) {
    size_t want = size - f->marked < PIECE ? (size_t)(size - f->marked) : PIECE;
    ssize_t n = pread(fd, piece, want, (off_t)f->marked);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = 0;
    if (n <= 0) return -1;
    sha256_update(&f->digest, (size_t)n, piece);
    f->marked += (unsigned long long)n;
  }
  return 0;
}

/* The digest so far; it can still go on. */
static void digest_of(const ns_textfile *f, mark *m)
{
  struct sha256_ctx copy = f->digest;
  sha256_digest(&copy, sizeof m->digest, m->digest);
  m->size = f->marked;
}

int ns_textfile_mark(ns_textfile *f, ns_ctx *c, ns_blob *b)
{
  struct stat st;
  mark m = {0};
  int rc = ns_textfile_flush(f, c);
  if (rc) return rc;
  if (!f->ours || fstat(f->fd, &st) != 0 || !S_ISREG(st.st_mode))
    return ns_fail(
        c, NS_USAGE,
        "%s: not a file, so a run into it cannot be resumed; expected a name such as out.csv",
        f->ours ? f->path : "standard output");
  int fd = open(f->path, O_RDONLY | O_CLOEXEC);
  int bad = fd < 0 || digest_on(f, fd, (unsigned long long)st.st_size) || fsync(f->fd) != 0;
  if (bad)
    rc = ns_fail(c, NS_OUTPUT, "%s: cannot read it for a checkpoint: %s", f->path, strerror(errno));
  if (fd >= 0) close(fd);
  f->failed = rc;
  digest_of(f, &m);
  ns_blob_put(b, &m.size, sizeof m.size);
  ns_blob_put(b, m.digest, sizeof m.digest);
  return rc;
}

static int other(ns_ctx *c, const char *path, const char *why)
{
  return ns_fail(c, NS_NOINPUT, "%s: %s, expected the output that belongs to the checkpoint", path,
                 why);
}

static int check(ns_textfile *f, ns_ctx *c, int fd, const mark *want)
{
  struct stat st;
  mark have;
  if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) return other(c, f->path, "it is not a file");
  if ((unsigned long long)st.st_size < want->size)
    return other(c, f->path, "it is shorter than at the checkpoint");
  if (digest_on(f, fd, want->size))
    return other(c, f->path, errno ? strerror(errno) : "it has become shorter");
  digest_of(f, &have);
  if (memcmp(have.digest, want->digest, sizeof have.digest) == 0) return NS_OK;
  return other(c, f->path, "its content differs from that at the checkpoint");
}

int ns_textfile_resume(ns_ctx *c, const char *path, ns_blob *b, ns_textfile *f)
{
  mark want = {0};
  ns_blob_get(b, &want.size, sizeof want.size);
  ns_blob_get(b, want.digest, sizeof want.digest);
  int rc = ns_textfile_init(c, path, f), fd = -1;
  if (!rc) rc = ns_blob_status(b, c, path);
  if (!rc && (f->fd = ns_claim_open_existing(c, path)) < 0) rc = f->fd;
  if (rc == NS_NOINPUT && !c->rc) rc = other(c, path, strerror(ENOENT));
  if (!rc && (fd = open(path, O_RDONLY | O_CLOEXEC)) < 0) rc = other(c, path, strerror(errno));
  if (!rc) rc = check(f, c, fd, &want);
  if (fd >= 0) close(fd);
  if (rc) ns_textfile_abandon(f);
  return rc;
}

int ns_textfile_cut(ns_textfile *f, ns_ctx *c)
{
  off_t size = (off_t)f->marked;
  if (ftruncate(f->fd, size) == 0 && lseek(f->fd, 0, SEEK_END) == size) return NS_OK;
  return ns_fail(c, NS_NOCREATE, "%s: cannot go back to the checkpoint: %s", f->path,
                 strerror(errno));
}
