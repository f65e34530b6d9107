/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/signals.h"

#include "base/guard.h"
#include "base/status.h"

#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A signal belongs to the process, and so do these: the only variables of the program. */
static volatile sig_atomic_t caught, asked, hurried;
static struct timespec when; /* it was caught; the handlers' alone */
static const char *reading;

static const int stopping[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU};
enum { NSTOPPING = sizeof stopping / sizeof *stopping };

/* timeout(1) and schedulers tell a process and then its group: what comes that soon is no second wish. */
static const double AT_ONCE = 0.5; /* s */

static void stop(int sig)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!caught) {
    when = now;
    caught = sig;
    ns_guard_watch();
    return;
  }
  if (sig == SIGXCPU) return; /* the system says it again each second, until its hard limit */
  if ((double)(now.tv_sec - when.tv_sec) + 1e-9 * (double)(now.tv_nsec - when.tv_nsec) < AT_ONCE) return;
  if (!hurried && ns_guard_hurry()) {
    hurried = 1;
    return;
  }
  signal(sig, SIG_DFL);
  raise(sig);
}

void ns_signals_install(void)
{
  struct sigaction a = {.sa_handler = stop, .sa_flags = SA_RESTART}, old;
  sigemptyset(&a.sa_mask);
  for (size_t k = 0; k < NSTOPPING; k++) sigaddset(&a.sa_mask, stopping[k]); /* one after the other */
  for (size_t k = 0; k < NSTOPPING; k++)
    if (sigaction(stopping[k], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
      sigaction(stopping[k], &a, NULL);
}

static void ask(int sig)
{
  (void)sig;
  asked = 1;
}

void ns_signals_listen(void)
{
  struct sigaction a = {.sa_handler = ask, .sa_flags = SA_RESTART};
  sigemptyset(&a.sa_mask);
  sigaction(SIGUSR2, &a, NULL);
}

int ns_signals_asked(void)
{
  int was = asked != 0;
  asked = 0;
  return was;
}

void ns_signals_ignore(void)
{
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

static void say(const char *s)
{
  if (write(STDERR_FILENO, s, strlen(s)) < 0) return; /* nothing is left to be done */
}

static void crash(int sig)
{
  (void)sig;
  say("nssim: error: ");
  say(reading);
  say(": reading it crashed: the file is damaged; make it anew, or see what h5dump can save of it\n");
  _exit(ns_status_exit(NS_NOINPUT));
}

void ns_signals_reading(const char *path)
{
  static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
  struct sigaction a = {.sa_handler = crash, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&a.sa_mask);
  reading = path;
  for (size_t k = 0; k < sizeof fatal / sizeof *fatal; k++) sigaction(fatal[k], &a, NULL);
}

const volatile sig_atomic_t *ns_signals_caught(void) { return &caught; }
