/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/claim.h"

#include "base/grow.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LINKS_MAX = 40, HEAD = 1 << 16 };

struct ns_claimed {
  char *path, *what;
  int is_output;
  dev_t device;  /* of the file, or of the folder that it would be in */
  ino_t inode;   /* likewise */
  char *pending; /* its name in that folder; NULL: it is there */
};

static void forget(ns_claimed *f) { NS_FREE(f->path, f->what, f->pending); }

void ns_claims_fini(ns_claims *f)
{
  for (int k = 0; k < f->n; k++) forget(&f->list[k]);
  free(f->list);
  *f = (ns_claims){0};
}

/* ---- which file ------------------------------------------------------------------------------ */

static void set_inode(ns_claimed *f, const struct stat *st)
{
  f->device = st->st_dev;
  f->inode = st->st_ino;
}

/* The folder of a path, "." where it names none; in buf [PATH_MAX]. */
static const char *folder_of(const char *path, char *buf)
{
  const char *slash = strrchr(path, '/');
  if (!slash) return ".";
  snprintf(buf, PATH_MAX, "%.*s", slash == path ? 1 : (int)(slash - path), path);
  return buf;
}

/* What a link leads to, as a path from here, in place [PATH_MAX]; 0 where it is no link. */
static int follow(char *path)
{
  char to[PATH_MAX], dir[PATH_MAX], whole[2 * PATH_MAX + 1];
  ssize_t n = readlink(path, to, sizeof to - 1);
  if (n < 0) return 0;
  to[n] = '\0';
  if (*to == '/') snprintf(whole, sizeof whole, "%s", to);
  else snprintf(whole, sizeof whole, "%s/%s", folder_of(path, dir), to);
  if (strlen(whole) >= PATH_MAX) return 0;
  strcpy(path, whole);
  return 1;
}

/* A file that is not there: the folder and the name that creating it would give it. */
static int identify_pending(ns_claimed *f, const char *path)
{
  char at[PATH_MAX], dir[PATH_MAX];
  struct stat st;
  if (strlen(path) >= sizeof at) return 0;
  strcpy(at, path);
  for (int k = 0; k < LINKS_MAX && follow(at); k++) continue;
  if (stat(folder_of(at, dir), &st) != 0) return 0;
  set_inode(f, &st);
  const char *slash = strrchr(at, '/');
  f->pending = strdup(slash ? slash + 1 : at);
  return f->pending ? 1 : -1;
}

/* 1: known; 0: a pipe, a device or a path that leads nowhere; -1: out of memory. */
static int identify(ns_claimed *f, const char *path)
{
  struct stat st;
  int is_stdin = !strcmp(path, "-");
  if ((is_stdin ? fstat(STDIN_FILENO, &st) : stat(path, &st)) != 0)
    return is_stdin ? 0 : identify_pending(f, path);
  if (!S_ISREG(st.st_mode)) return 0;
  set_inode(f, &st);
  return 1;
}

static int same(const ns_claimed *a, const ns_claimed *b)
{
  if (a->device != b->device || a->inode != b->inode) return 0;
  if (!a->pending || !b->pending) return !a->pending && !b->pending;
  return !strcmp(a->pending, b->pending);
}

/* ---- the list -------------------------------------------------------------------------------- */

static int keep(ns_ctx *c, const char *path, const char *what, ns_claimed *f)
{
  ns_claims *all = c->claims;
  f->path = strdup(path);
  f->what = strdup(what);
  if (f->path && f->what && ns_append(&all->list, &all->n, f) >= 0) return NS_OK;
  forget(f);
  return ns_nomem(c, "list of files");
}

int ns_claim_read(ns_ctx *c, const char *path, const char *what)
{
  ns_claimed f = {0};
  if (!c->claims) return NS_OK;
  int known = identify(&f, path);
  if (known < 0) return ns_nomem(c, "list of files");
  if (known && !f.pending) return keep(c, path, what, &f);
  forget(&f);
  return NS_OK;
}

static int refuse(ns_ctx *c, const char *path, const char *what, const ns_claimed *other)
{
  const char *name = strcmp(other->path, "-") ? other->path : "standard input", *comma = ", ";
  if (!other->is_output && strncmp(other->what, "which ", 6) != 0) name = comma = "";
  if (!other->is_output)
    return ns_fail(c, NS_NOCREATE,
                   "%s: writing it would destroy %s%s%s; give the output another name", path, name,
                   comma, other->what);
  if (strcmp(path, other->path) != 0 || !what)
    return ns_fail(
        c, NS_NOCREATE,
        "%s and %s are the same file, expected two files; remove the link or give another name",
        other->path, path);
  return ns_fail(c, NS_NOCREATE,
                 "%s: would be both %s and %s, expected two files; give one of them another name",
                 path, other->what, what);
}

/* Against inputs, and outputs where asked for. */
static int compare(ns_ctx *c, const char *path, const char *what, const ns_claimed *f, int outputs)
{
  for (int k = 0; k < c->claims->n; k++) {
    const ns_claimed *other = &c->claims->list[k];
    if ((outputs || !other->is_output) && same(f, other)) return refuse(c, path, what, other);
  }
  return NS_OK;
}

int ns_claim_write(ns_ctx *c, const char *path, const char *what)
{
  ns_claimed f = {.is_output = 1};
  if (!c->claims || !strcmp(path, "-")) return NS_OK;
  int known = identify(&f, path), rc = NS_OK;
  if (known < 0) return ns_nomem(c, "list of files");
  if (known) rc = compare(c, path, what, &f, 1);
  if (known && !rc) return keep(c, path, what, &f);
  forget(&f);
  return rc;
}

int ns_claim_check(ns_ctx *c, const char *path)
{
  ns_claimed f = {.is_output = 1};
  if (!c->claims || !strcmp(path, "-")) return NS_OK;
  int known = identify(&f, path), rc = NS_OK;
  if (known < 0) return ns_nomem(c, "list of files");
  if (known) rc = compare(c, path, NULL, &f, 1);
  forget(&f);
  return rc;
}

/* ---- opening --------------------------------------------------------------------------------- */

char *ns_claim_companion(const char *path, const char *suffix)
{
  char *real = realpath(path, NULL);
  const char *name = real ? real : path;
  size_t n = strlen(name) + strlen(suffix) + 1;
  char *s = malloc(n);
  if (s) snprintf(s, n, "%s%s", name, suffix);
  free(real);
  return s;
}

int ns_claim_is_aside(const char *path, const char *suffix)
{
  char *kept = ns_claim_companion(path, suffix);
  int is = kept ? access(kept, F_OK) == 0 : -1;
  free(kept);
  return is;
}

int ns_claim_set_aside(ns_ctx *c, const char *path, const char *suffix)
{
  char *real = ns_claim_companion(path, ""), *kept = ns_claim_companion(path, suffix);
  int rc = real && kept ? NS_OK : ns_nomem(c, "name of a file that is set aside");
  if (!rc && rename(real, kept) != 0 && errno != ENOENT)
    rc = ns_fail(c, NS_NOCREATE, "%s: cannot keep it as %s: %s", path, kept, strerror(errno));
  free(real);
  free(kept);
  return rc;
}

int ns_claim_is_locked(int fd, double patience)
{
  const double each = 0.01;
  int rc = flock(fd, LOCK_EX | LOCK_NB);
  for (double waited = 0; rc != 0 && errno == EWOULDBLOCK && waited < patience; waited += each) {
    nanosleep(&(struct timespec){.tv_nsec = (long)(each * 1e9)}, NULL);
    rc = flock(fd, LOCK_EX | LOCK_NB);
  }
  return rc != 0 && errno == EWOULDBLOCK;
}

int ns_claim_lock(ns_ctx *c, int fd, const char *path)
{
  if (!ns_claim_is_locked(fd, 0.5)) return NS_OK;
  return ns_fail(c, NS_NOCREATE,
                 "%s: another process is writing it; wait for it, or give the output another name",
                 path);
}

/* A model begins with a tag and names its language near its begin. */
static int is_model(const char *path)
{
  static const char language[] = "urn:nssim:model:";
  char head[HEAD];
  int fd = open(path, O_RDONLY | O_CLOEXEC), is = 0;
  ssize_t n = fd < 0 ? 0 : read(fd, head, HEAD);
  if (n > 0) {
    ssize_t k = 0;
    while (k < n && head[k] && strchr(" \t\r\n\357\273\277", head[k])) k++;
    is = k < n && head[k] == '<' && memmem(head, (size_t)n, language, sizeof language - 1) != NULL;
  }
  if (fd >= 0) close(fd);
  return is;
}

static int check_opened(ns_ctx *c, const char *path, const struct stat *st)
{
  ns_claimed f = {.is_output = 1};
  set_inode(&f, st);
  int rc = c->claims ? compare(c, path, NULL, &f, 0) : NS_OK;
  if (rc || !st->st_size || !is_model(path)) return rc;
  return ns_fail(c, NS_NOCREATE, "%s: is a model; remove it first, or give the output another name",
                 path);
}

static int cannot_create(ns_ctx *c, const char *path)
{
  int e = errno;
  return ns_fail(c, NS_NOCREATE, "%s: cannot create: %s%s", path, strerror(e),
                 e == ENOENT ? "; create its folder first" : "");
}

int ns_claim_leads_to(const char *path, int fd)
{
  struct stat a, b;
  return fstat(fd, &a) == 0 && stat(path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Checks and lock of a file just opened: NS_OK, NS_RETRY: it was replaced. */
static int take(ns_ctx *c, int fd, const char *path)
{
  struct stat st;
  if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) return NS_OK;
  int rc = check_opened(c, path, &st);
  if (!rc) rc = ns_claim_lock(c, fd, path);
  if (rc || ns_claim_leads_to(path, fd)) return rc;
  return NS_RETRY;
}

int ns_claim_open(ns_ctx *c, const char *path, int *made)
{
  for (int tries = 0;; tries++) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    *made = fd >= 0;
    if (fd < 0 && errno == EEXIST) fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return cannot_create(c, path);
    int rc = take(c, fd, path);
    if (rc == NS_OK || (rc == NS_RETRY && tries == LINKS_MAX)) return fd;
    if (*made && rc != NS_RETRY) unlink(path);
    close(fd);
    if (rc != NS_RETRY) return rc;
  }
}

int ns_claim_open_existing(ns_ctx *c, const char *path)
{
  for (int tries = 0;; tries++) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) return NS_NOINPUT;
    if (fd < 0) return cannot_create(c, path);
    int rc = take(c, fd, path);
    if (rc == NS_OK || (rc == NS_RETRY && tries == LINKS_MAX)) return fd;
    close(fd);
    if (rc != NS_RETRY) return rc;
  }
}
