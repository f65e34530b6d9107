/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/child.h"

#include "base/claim.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the child says at its end. */
typedef struct word {
  int rc, told;
  char msg[sizeof((ns_ctx *)0)->msg];
} word;

static void speak(int fd, const word *w)
{
  const char *p = (const char *)w;
  size_t n = sizeof *w;
  while (n) {
    ssize_t k = write(fd, p, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return;
    p += k;
    n -= (size_t)k;
  }
}

/* 1: all of it came. */
static int listen(int fd, word *w)
{
  char *p = (char *)w;
  size_t n = sizeof *w;
  while (n) {
    ssize_t k = read(fd, p, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return 0;
    p += k;
    n -= (size_t)k;
  }
  return 1;
}

static void be_child(int fd, int (*fn)(void *arg, ns_ctx *c), void *arg, unsigned limit,
                     ns_claims *claims)
{
  static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU};
  ns_ctx c = {.claims = claims};
  word w;
  for (size_t k = 0; k < sizeof fatal / sizeof *fatal; k++) signal(fatal[k], SIG_DFL);
  setrlimit(RLIMIT_CPU, &(struct rlimit){limit, limit + 1}); /* of a fork, which begins at 0 */
  memset(&w, 0, sizeof w);
  w.rc = fn(arg, &c);
  w.told = c.nerrors > 0;
  snprintf(w.msg, sizeof w.msg, "%s", c.msg);
  speak(fd, &w);
  _exit(0);
}

int ns_child_run(ns_ctx *c, int (*fn)(void *arg, ns_ctx *c), void *arg, unsigned limit)
{
  int ends[2], status;
  word w;
  if (pipe(ends) != 0) return ns_fail(c, NS_NOMEM, "cannot start a process: %s", strerror(errno));
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    be_child(ends[1], fn, arg, limit, c->claims);
  }
  int e = errno;
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return ns_fail(c, NS_NOMEM, "cannot start a process: %s", strerror(e));
  }
  int said = listen(ends[0], &w);
  close(ends[0]);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (!said) return NS_RETRY;
  return w.told ? ns_fail(c, w.rc, "%s", w.msg) : w.rc;
}
