/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/results/checkpoint_file.h"

#include "base/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char MAGIC[8] = {'n', 's', 's', 'i', 'm', 'c', 'k', 'p'};
enum { FORMAT = 2 };
#define ORDER 0x01020304u

typedef struct head {
  char magic[8];
  uint32_t order, format;
  uint64_t length;
} head;

/* Of the content besides texts, digests and the body. */
typedef struct numbers {
  int64_t step;
  double t, wall;
  int32_t restarts, complete;
} numbers;

void ns_checkpoint_fini(ns_checkpoint *k)
{
  ns_blob_fini(&k->body);
  *k = (ns_checkpoint){0};
}

static char *with_suffix(const char *path, const char *suffix)
{
  size_t n = strlen(path) + strlen(suffix) + 1;
  char *s = malloc(n);
  if (s) snprintf(s, n, "%s%s", path, suffix);
  return s;
}

char *ns_checkpoint_previous(const char *path) { return with_suffix(path, ".prev"); }

/* ---- writing --------------------------------------------------------------------------------- */

static int cannot_write(ns_ctx *c, const char *path)
{
  int e = errno;
  return ns_fail(c, NS_NOCREATE, "%s: cannot write a checkpoint there: %s%s", path, strerror(e),
                 e == ENOENT ? "; create its folder first" : "");
}

/* NAME.new can be made beside a checkpoint that is there, and is gone again. */
static int probe(ns_ctx *c, const char *path, const char *name)
{
  int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return cannot_write(c, path);
  close(fd);
  unlink(name);
  return NS_OK;
}

/* One try: NS_RETRY where the file was replaced, or came to be, meanwhile. */
static int try_lock(ns_ctx *c, const char *path, const char *name, ns_checkpoint_lock *l)
{
  int there = 1, rc;
  l->fd = open(path, O_RDWR | O_CLOEXEC);
  /* it is replaced, not written */
  if (l->fd < 0 && errno != ENOENT) l->fd = open(path, O_RDONLY | O_CLOEXEC);
  if (l->fd < 0 && errno == ENOENT) {
    l->fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    there = 0;
  }
  if (l->fd < 0) return cannot_write(c, path);
  l->is_new = !there;
  rc = ns_claim_lock(c, l->fd, path);
  if (!rc && !ns_claim_leads_to(there ? path : name, l->fd)) rc = NS_RETRY;
  if (!rc && !there && access(path, F_OK) == 0) rc = NS_RETRY;
  if (!rc && there) rc = probe(c, path, name);
  if (rc) close(l->fd);
  if (rc) l->fd = -1;
  return rc;
}

/* A kill between the link of keep_previous and the rename leaves one checkpoint under both names.
 */
static void part_names(const char *path)
{
  struct stat a, b;
  char *previous = ns_checkpoint_previous(path);
  if (previous && stat(path, &a) == 0 && lstat(previous, &b) == 0 && a.st_dev == b.st_dev &&
      a.st_ino == b.st_ino)
    unlink(previous);
  free(previous);
}

int ns_checkpoint_lock_take(ns_ctx *c, const char *path, ns_checkpoint_lock *l)
{
  struct stat st;
  *l = (ns_checkpoint_lock){.fd = -1};
  if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
    return ns_fail(c, NS_NOCREATE, "%s: cannot write a checkpoint there: it is not a file", path);
  char *name = with_suffix(path, ".new");
  int rc = name ? NS_RETRY : ns_nomem(c, "name of a checkpoint");
  for (int k = 0; k < 100 && rc == NS_RETRY; k++) rc = try_lock(c, path, name, l);
  if (rc == NS_RETRY)
    rc = ns_fail(c, NS_NOCREATE, "%s: another process is writing it; wait for it", path);
  if (!rc) part_names(path);
  free(name);
  return rc;
}

void ns_checkpoint_lock_drop(const char *path, ns_checkpoint_lock *l)
{
  char *name = l->fd >= 0 && l->is_new ? with_suffix(path, ".new") : NULL;
  if (name) unlink(name); /* nothing was written */
  if (l->fd >= 0) close(l->fd);
  free(name);
  *l = (ns_checkpoint_lock){.fd = -1};
}

static int write_all(int fd, struct sha256_ctx *h, const void *bytes, size_t n)
{
  const unsigned char *p = bytes;
  if (h) sha256_update(h, n, p);
  while (n) {
    ssize_t k = write(fd, p, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return -1;
    p += k;
    n -= (size_t)k;
  }
  return 0;
}

/* Its folder knows the new name. Not every file system can do that: then it has to do without. */
static void sync_folder(const char *path)
{
  char *s = strdup(path), *slash = s ? strrchr(s, '/') : NULL;
  if (!s) return;
  if (slash) slash[slash == s] = '\0';
  int fd = open(slash ? s : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    if (fsync(fd) != 0) errno = 0;
    close(fd);
  }
  free(s);
}

/* The one before gets a second name, so that there is one under the first at every moment. */
static void keep_previous(const char *path, const char *previous)
{
  if (access(path, F_OK) != 0) return;
  unlink(previous);
  if (link(path, previous) != 0 && rename(path, previous) != 0) errno = 0; /* then there is none */
}

static int write_file(int fd, const ns_blob *content)
{
  head h = {.order = ORDER, .format = FORMAT, .length = content->n};
  struct sha256_ctx sum;
  unsigned char digest[SHA256_DIGEST_SIZE];
  memcpy(h.magic, MAGIC, sizeof MAGIC);
  sha256_init(&sum);
  if (write_all(fd, &sum, &h, sizeof h) || write_all(fd, &sum, content->bytes, content->n))
    return -1;
  sha256_digest(&sum, sizeof digest, digest);
  return write_all(fd, NULL, digest, sizeof digest) || fsync(fd) != 0 ? -1 : 0;
}

static void put_content(const ns_checkpoint *k, ns_blob *b)
{
  numbers n;
  memset(&n, 0, sizeof n);
  n.step = k->step;
  n.t = k->t;
  n.wall = k->wall;
  n.restarts = k->restarts;
  n.complete = k->complete;
  ns_blob_put_text(b, k->version);
  ns_blob_put_text(b, k->cpu);
  ns_blob_put_text(b, k->started);
  ns_blob_put(b, &k->id, sizeof k->id);
  ns_blob_put(b, &n, sizeof n);
  ns_blob_put(b, k->body.bytes, k->body.n);
}

/* NAME.new, empty and locked. The lock of a run that has not written one yet is that of this very
 * file. */
static int open_new(const char *name, const ns_checkpoint_lock *l)
{
  if (l && l->fd >= 0 && l->is_new)
    return ftruncate(l->fd, 0) == 0 && lseek(l->fd, 0, SEEK_SET) == 0 ? l->fd : -1;
  int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  /* a file system without locks */
  if (fd >= 0 && l && flock(fd, LOCK_EX | LOCK_NB) != 0) errno = 0;
  return fd;
}

/* The new file has taken its place: so does its descriptor that of the lock. */
static void move_lock(ns_checkpoint_lock *l, int fd)
{
  if (l->fd >= 0 && l->fd != fd) close(l->fd);
  *l = (ns_checkpoint_lock){.fd = fd};
}

/* The content to the new file and that to its place: 0 or errno. Without a lock the descriptor is
 * closed. */
static int put_in_place(const char *path, const char *name, const char *previous,
                        const ns_blob *content, ns_checkpoint_lock *l)
{
  int fd = open_new(name, l), bad = fd < 0 || write_file(fd, content) != 0, e = errno;
  if (fd >= 0 && !l && close(fd) != 0 && !bad) bad = 1, e = errno;
  if (!bad) keep_previous(path, previous);
  if (!bad && rename(name, path) != 0) bad = 1, e = errno;
  if (!bad && l) move_lock(l, fd);
  if (!bad) return 0;
  /* stays, as the lock does */
  if (fd >= 0 && l && fd == l->fd) return ftruncate(fd, 0) == 0 || e ? e : EIO;
  if (fd >= 0 && l) close(fd);
  if (fd >= 0) unlink(name);
  return e ? e : EIO;
}

int ns_checkpoint_write(ns_ctx *c, const char *path, const ns_checkpoint *k)
{
  ns_blob content = {0};
  put_content(k, &content);
  char *name = with_suffix(path, ".new"), *previous = ns_checkpoint_previous(path);
  int rc = !name || !previous ? ns_nomem(c, "checkpoint")
                              : ns_blob_status(&content, c, "checkpoint");
  int e = rc ? 0 : put_in_place(path, name, previous, &content, k->lock);
  if (e) rc = ns_fail(c, NS_OUTPUT, "%s: the checkpoint cannot be written: %s", path, strerror(e));
  if (!rc) sync_folder(path);
  free(name);
  free(previous);
  ns_blob_fini(&content);
  return rc;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int refuse(ns_ctx *c, const char *name, const char *why)
{
  return ns_fail(c, NS_NOINPUT, "%s: %s", name, why);
}

static int check(ns_ctx *c, const char *name, const unsigned char *bytes, size_t n)
{
  head h;
  struct sha256_ctx sum;
  unsigned char digest[SHA256_DIGEST_SIZE];
  if (n < sizeof h) return refuse(c, name, "truncated: shorter than the head of a checkpoint");
  memcpy(&h, bytes, sizeof h);
  if (memcmp(h.magic, MAGIC, sizeof MAGIC) != 0)
    return refuse(c, name, "this is not a checkpoint of nssim");
  if (h.order != ORDER)
    return refuse(c, name, "written on a machine with a different byte order, or damaged");
  if (h.format != FORMAT)
    return ns_fail(c, NS_NOINPUT, "%s: a checkpoint of format %u, but this program reads format %d",
                   name, h.format, FORMAT);
  if (n < sizeof h + sizeof digest || h.length > n - sizeof h - sizeof digest)
    return ns_fail(c, NS_NOINPUT, "%s: truncated: %zu bytes, fewer than its head states", name, n);
  if (h.length < n - sizeof h - sizeof digest)
    return refuse(c, name, "damaged: longer than its head states");
  sha256_init(&sum);
  sha256_update(&sum, n - sizeof digest, bytes);
  sha256_digest(&sum, sizeof digest, digest);
  if (memcmp(digest, bytes + n - sizeof digest, sizeof digest) != 0)
    return refuse(c, name, "damaged: its content does not match the SHA-256 at its end");
  return NS_OK;
}

static void get_text(ns_blob *b, char *to)
{
  const char *s = ns_blob_next_text(b);
  snprintf(to, NS_CHECKPOINT_TEXT, "%s", s);
}

static int get_content(ns_ctx *c, const char *name, ns_blob *b, ns_checkpoint *k)
{
  numbers n;
  size_t bytes;
  memset(&n, 0, sizeof n);
  get_text(b, k->version);
  get_text(b, k->cpu);
  get_text(b, k->started);
  ns_blob_get(b, &k->id, sizeof k->id);
  ns_blob_get(b, &n, sizeof n);
  const void *body = ns_blob_next(b, &bytes);
  if (b->failed || b->at != b->n || n.step < 0)
    return refuse(c, name, "damaged: its parts do not match");
  k->step = n.step;
  k->t = n.t;
  k->wall = n.wall;
  k->restarts = n.restarts;
  k->complete = n.complete;
  if (!(k->body.bytes = malloc(bytes + 1))) return ns_nomem(c, "checkpoint");
  memcpy(k->body.bytes, body, bytes);
  k->body.n = bytes;
  k->body.capacity = bytes + 1;
  return NS_OK;
}

int ns_checkpoint_parse(ns_ctx *c, const char *name, const unsigned char *bytes, size_t n,
                        ns_checkpoint *k)
{
  *k = (ns_checkpoint){0};
  int rc = check(c, name, bytes, n);
  if (rc) return rc;
  ns_blob content = {.n = n - sizeof(head) - SHA256_DIGEST_SIZE};
  content.bytes = malloc(content.n + 1);
  if (!content.bytes) return ns_nomem(c, "checkpoint");
  memcpy(content.bytes, bytes + sizeof(head), content.n);
  rc = get_content(c, name, &content, k);
  ns_blob_fini(&content);
  if (rc) ns_checkpoint_fini(k);
  return rc;
}

int ns_checkpoint_read(ns_ctx *c, const char *path, ns_checkpoint *k)
{
  struct stat st;
  *k = (ns_checkpoint){0};
  int fd = open(path, O_RDONLY | O_CLOEXEC), rc = NS_OK;
  if (fd < 0) return refuse(c, path, strerror(errno));
  if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
    rc = refuse(c, path, "not a file, expected a checkpoint");
  size_t n = rc ? 0 : (size_t)st.st_size, done = 0;
  unsigned char *bytes = rc ? NULL : malloc(n + 1);
  if (!rc && !bytes) rc = ns_nomem(c, "checkpoint");
  while (!rc && done < n) {
    ssize_t k1 = read(fd, bytes + done, n - done);
    if (k1 < 0 && errno == EINTR) continue;
    if (k1 < 0) rc = refuse(c, path, strerror(errno));
    if (k1 <= 0) break;
    done += (size_t)k1;
  }
  close(fd);
  if (!rc) rc = ns_checkpoint_parse(c, path, bytes, done, k);
  free(bytes);
  return rc;
}
