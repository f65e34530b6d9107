/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/journal.h"

#include "base/claim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(item) ((item)->lost = 1)
#include <uthash.h>

typedef struct entry {
  ns_outcome_of_run o;
  int lost;
  UT_hash_handle hh; /* by key, in the file */
} entry;

/* The text of a file. */
typedef struct page {
  char *text;
  size_t n;
  struct page *next;
} page;

struct ns_journal {
  ns_arena *arena;
  page *pages;
  entry *entries;
  long damaged;
};

/* ---- reading --------------------------------------------------------------------------------- */

static int add(ns_journal *j, ns_ctx *c, const char *key, const ns_outcome_of_run *o)
{
  entry *e = NULL;
  HASH_FIND(hh, j->entries, key, NS_STUDY_KEY - 1, e);
  if (e) {
    /* a later word on a failure; what is complete stays */
    if (e->o.failed || e->o.killed) e->o = *o;
    return NS_OK;
  }
  e = ns_arena_zero(j->arena, 1, sizeof *e);
  if (!e) return ns_nomem(c, "journal of the sweep");
  e->o = *o;
  HASH_ADD_KEYPTR(hh, j->entries, key, NS_STUDY_KEY - 1, e);
  return e->lost ? ns_nomem(c, "journal of the sweep") : NS_OK;
}

/* Fields of a record; 0 where it is none of ours. */
static int parse(const char *s, const char *end, const char **key, ns_outcome_of_run *o)
{
  const char *f = s, *next;
  if (ns_record_field(f, end, &next) != NS_STUDY_KEY - 1 || !next) return 0;
  *key = f;
  f = next;
  size_t n = ns_record_field(f, end, &next);
  if (!next) return 0;
  o->killed = n == 6 && !memcmp(f, "killed", 6);
  o->failed = !o->killed && !(n == 8 && !memcmp(f, "complete", 8));
  o->exit = atoi(next);
  ns_record_field(next, end, &next);
  if (!next) return 0;
  o->wall = strtod(next, NULL);
  ns_record_field(next, end, &next);
  if (!next) return 0;
  o->message = next;
  o->message_end = next + ns_record_field(next, end, &o->values);
  o->end = end;
  return 1;
}

static int slurp(ns_ctx *c, const char *path, page *p)
{
  struct stat st;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &st)) goto bad;
  p->text = malloc((size_t)st.st_size + 1);
  if (!p->text) {
    close(fd);
    return ns_nomem(c, "journal of the sweep");
  }
  while (p->n < (size_t)st.st_size) {
    ssize_t got = read(fd, p->text + p->n, (size_t)st.st_size - p->n);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) goto bad;
    if (got == 0) break;
    p->n += (size_t)got;
  }
  p->text[p->n] = 0;
  close(fd);
  return NS_OK;
bad:
  ns_fail(c, NS_NOINPUT, "%s: %s", path, strerror(errno));
  if (fd >= 0) close(fd);
  return NS_NOINPUT;
}

static int read_file(ns_journal *j, ns_ctx *c, const char *dir, const char *name)
{
  char path[4096];
  const char *s, *end, *key;
  size_t pos = 0;
  page *p = ns_arena_zero(j->arena, 1, sizeof *p);
  if (!p) return ns_nomem(c, "journal of the sweep");
  snprintf(path, sizeof path, "%s/%s", dir, name);
  p->next = j->pages;
  j->pages = p;
  int rc = slurp(c, path, p);
  while (!rc && (s = ns_record_next(p->text, p->n, &pos, &end, &j->damaged))) {
    ns_outcome_of_run o = {0};
    if (parse(s, end, &key, &o)) rc = add(j, c, key, &o);
    else j->damaged++;
  }
  return rc;
}

static int is_journal(const struct dirent *d) { return !strncmp(d->d_name, "journal-", 8); }

int ns_journal_read(ns_ctx *c, const char *dir, ns_journal **out)
{
  struct dirent **name = NULL;
  ns_journal *j = *out = NS_ARENA_OBJECT(ns_journal, arena);
  int rc = j ? NS_OK : ns_nomem(c, "journal of the sweep");
  int n = rc ? 0 : scandir(dir, &name, is_journal, alphasort); /* in one order on every machine */
  if (n < 0 && errno != ENOENT) rc = ns_fail(c, NS_NOINPUT, "%s: %s", dir, strerror(errno));
  for (int k = 0; k < n; k++) {
    if (!rc) rc = read_file(j, c, dir, name[k]->d_name);
    free(name[k]);
  }
  free(name);
  if (!rc) return NS_OK;
  ns_journal_destroy(j);
  *out = NULL;
  return rc;
}

void ns_journal_destroy(ns_journal *j)
{
  if (!j) return;
  HASH_CLEAR(hh, j->entries);
  for (page *p = j->pages; p; p = p->next) free(p->text);
  ns_arena_destroy(j->arena);
}

static const ns_outcome_of_run *find(const ns_journal *j, const char *key)
{
  entry *e = NULL;
  HASH_FIND(hh, j->entries, key, NS_STUDY_KEY - 1, e);
  return e ? &e->o : NULL;
}

const ns_outcome_of_run *ns_journal_find(const ns_journal *j, const char *key)
{
  const ns_outcome_of_run *o = find(j, key);
  return o && !o->killed ? o : NULL;
}

const ns_outcome_of_run *ns_journal_killed(const ns_journal *j, const char *key)
{
  const ns_outcome_of_run *o = find(j, key);
  return o && o->killed ? o : NULL;
}

long ns_journal_damaged(const ns_journal *j) { return j->damaged; }

/* ---- writing --------------------------------------------------------------------------------- */

int ns_journal_open(ns_ctx *c, const char *dir, int share, int nshares, int *out)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/journal-%d-of-%d", dir, share, nshares);
  int fd = *out = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return ns_fail(c, NS_NOCREATE, "%s: %s", path, strerror(errno));
  /* the workers of a sweep that was killed hold its lock until they are gone, too */
  if (!ns_claim_is_locked(fd, 2)) return NS_OK;
  close(fd);
  *out = -1;
  return ns_fail(c, NS_NOCREATE,
                 "%s: another process is running share %d of %d; wait for it, or stop it first",
                 path, share, nshares);
}

/* 1: another process holds it. */
static int is_held(const char *dir, const char *name, int own)
{
  char path[4096];
  struct stat a, b;
  snprintf(path, sizeof path, "%s/%s", dir, name);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  int is_own = own >= 0 && fstat(own, &a) == 0 && fstat(fd, &b) == 0 && a.st_dev == b.st_dev &&
               a.st_ino == b.st_ino;
  int held = !is_own && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(fd);
  return held;
}

int ns_journal_others(const char *dir, int own)
{
  struct dirent **name = NULL;
  int n = scandir(dir, &name, is_journal, NULL), held = 0;
  for (int k = 0; k < n; k++) {
    held = held || is_held(dir, name[k]->d_name, own);
    free(name[k]);
  }
  free(name);
  return held;
}

void ns_journal_record(ns_record *r, const char *key, ns_run_end end, int exit, double wall,
                       const char *message)
{
  static const char *const words[] = {"complete", "failed", "killed"};
  ns_record_begin(r);
  ns_record_text(r, key);
  ns_record_text(r, words[end]);
  ns_record_integer(r, exit);
  ns_record_number(r, wall);
  ns_record_text(r, message);
}

int ns_journal_append(int fd, const ns_record *r)
{
  ssize_t n = write(fd, r->s, r->n);
  while (n < 0 && errno == EINTR) n = write(fd, r->s, r->n);
  if (n < 0) return errno;
  return (size_t)n == r->n ? 0 : ENOSPC; /* the rest would stand behind records of others */
}
