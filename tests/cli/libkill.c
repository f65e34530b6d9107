/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libkill -- preloaded into a program, kills it at the n-th change that it makes to a file.
 *
 * Counted are write, pwrite, ftruncate, rename, link and unlink on regular files, by the program,
 * its libraries and the processes that it forks, together.
 *   KILL_AT    n >= 1: the process group gets SIGKILL before the n-th of them; unset: never
 *   KILL_HALF  set: a write does its first half before the kill
 *   KILL_POWER seed: as if the machine lost its power: of what was written since the last fsync of
 *              a file, some is lost and some is kept, at random. Names are kept as they are. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A change since the last fsync of its file, and what undoes it. */
typedef struct change {
  dev_t device;
  ino_t inode;
  int fd;         /* of its own */
  off_t at, size; /* of the bytes; of the file before */
  size_t n, old;  /* bytes written; how many of them were there before */
  char *before;
  struct change *last;
} change;

static struct {
  ssize_t (*write)(int, const void *, size_t);
  ssize_t (*pwrite)(int, const void *, size_t, off_t);
  int (*ftruncate)(int, off_t);
  int (*rename)(const char *, const char *);
  int (*link)(const char *, const char *);
  int (*unlink)(const char *);
  int (*fsync)(int);
} real;
static long at;
static int half, power;
static unsigned seed;
static atomic_long *count; /* shared with children */
static change *changes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void prepare(void)
{
  void *f;
#define FIND(name) \
  f = dlsym(RTLD_NEXT, #name); \
  memcpy(&real.name, &f, sizeof f)
  FIND(write);
  FIND(pwrite);
  FIND(ftruncate);
  FIND(rename);
  FIND(link);
  FIND(unlink);
  FIND(fsync);
#undef FIND
  const char *n = getenv("KILL_AT"), *s = getenv("KILL_POWER");
  at = n ? atol(n) : 0;
  half = getenv("KILL_HALF") != NULL;
  power = s != NULL;
  seed = s ? (unsigned)atol(s) : 0;
  count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static int is_file(int fd, struct stat *st) { return fstat(fd, st) == 0 && S_ISREG(st->st_mode); }

/* Some of the changes since the last fsync never reached the disk. */
static void lose_power(void)
{
  for (change *k = changes; k; k = k->last) {
    struct stat st;
    if (rand_r(&seed) % 3 || fstat(k->fd, &st) != 0) continue;
    if (k->old) real.pwrite(k->fd, k->before, k->old, k->at);
    if (k->size < st.st_size && k->size <= k->at + (off_t)k->old) real.ftruncate(k->fd, k->size);
  }
}

static void die(void)
{
  if (power) lose_power();
  kill(0, SIGKILL);
  for (;;) pause();
}

/* 1: this is the one. */
static int is_due(void)
{
  return at > 0 && count != MAP_FAILED && atomic_fetch_add(count, 1) + 1 == at;
}

/* Before n bytes go to a file, or its size changes (n = 0). */
static void remember(int fd, off_t from, size_t n)
{
  struct stat st;
  char path[64];
  if (!power || !is_file(fd, &st)) return;
  change *k = calloc(1, sizeof *k);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  k->fd = open(path, O_RDWR | O_CLOEXEC);
  k->device = st.st_dev;
  k->inode = st.st_ino;
  k->at = from;
  k->size = st.st_size;
  k->n = n;
  k->before = malloc(n + 1);
  ssize_t had = pread(k->fd, k->before, n, from);
  k->old = had > 0 ? (size_t)had : 0;
  pthread_mutex_lock(&lock);
  k->last = changes;
  changes = k;
  pthread_mutex_unlock(&lock);
}

ssize_t write(int fd, const void *p, size_t n)
{
  struct stat st;
  if (!is_file(fd, &st)) return real.write(fd, p, n);
  int due = is_due();
  if (!due || half) {
    remember(fd, lseek(fd, 0, SEEK_CUR), n);
    ssize_t k = real.write(fd, p, due ? n / 2 : n);
    if (!due) return k;
  }
  die();
  return -1;
}

static ssize_t put(int fd, const void *p, size_t n, off_t from)
{
  struct stat st;
  int due = is_file(fd, &st) && is_due();
  if (!due || half) {
    remember(fd, from, n);
    ssize_t k = real.pwrite(fd, p, due ? n / 2 : n, from);
    if (!due) return k;
  }
  die();
  return -1;
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t from) { return put(fd, p, n, from); }
ssize_t pwrite64(int fd, const void *p, size_t n, off_t from) { return put(fd, p, n, from); }

static int resize(int fd, off_t n)
{
  struct stat st;
  if (is_file(fd, &st) && is_due()) die();
  if (fstat(fd, &st) == 0 && n < st.st_size) remember(fd, n, (size_t)(st.st_size - n));
  else remember(fd, n, 0);
  return real.ftruncate(fd, n);
}

int ftruncate(int fd, off_t n) { return resize(fd, n); }
int ftruncate64(int fd, off_t n) { return resize(fd, n); }

int rename(const char *a, const char *b)
{
  if (is_due()) die();
  return real.rename(a, b);
}

int link(const char *a, const char *b)
{
  if (is_due()) die();
  return real.link(a, b);
}

int unlink(const char *a)
{
  if (is_due()) die();
  return real.unlink(a);
}

int fsync(int fd)
{
  struct stat st;
  int rc = real.fsync(fd);
  if (rc != 0 || !power || fstat(fd, &st) != 0) return rc;
  pthread_mutex_lock(&lock);
  for (change **k = &changes; *k;) {
    change *one = *k;
    if (one->device != st.st_dev || one->inode != st.st_ino) {
      k = &one->last;
      continue;
    }
    *k = one->last;
    close(one->fd);
    free(one->before);
    free(one);
  }
  pthread_mutex_unlock(&lock);
  return 0;
}
