/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/signals.h"

#include "base/guard.h"
#include "base/memory.h"
#include "base/status.h"

#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A signal belongs to the process, and so do these: the only variables of the program. */
static volatile sig_atomic_t caught, asked, hurried;
static struct timespec when; /* it was caught; the handlers' alone */
static const char *reading;

static const int stopping[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU};
enum { NSTOPPING = sizeof stopping / sizeof *stopping };

/* timeout(1) and schedulers tell a process and then its group: what comes that soon is no second
 * wish. */
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
  if ((double)(now.tv_sec - when.tv_sec) + 1e-9 * (double)(now.tv_nsec - when.tv_nsec) < AT_ONCE)
    return;
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
  /* one after the other */
  for (size_t k = 0; k < NSTOPPING; k++) sigaddset(&a.sa_mask, stopping[k]);
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

int ns_signals_requested(void)
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

/* Past the program's own _exit, which a plug-in may be thought to have called. */
static _Noreturn void end_now(int code)
{
  for (;;) syscall(SYS_exit_group, ns_status_exit(code));
}

static void say_memory(void)
{
  say("nssim: error: out of memory: a library stopped; allow more (ulimit -v), or make the model "
      "smaller\n");
}

static void crash(int sig)
{
  (void)sig;
  if (ns_memory_is_short()) {
    say_memory();
    end_now(NS_NOMEM);
  }
  say("nssim: error: ");
  say(reading);
  say(": reading it crashed: the file is damaged; create it again, or try to recover it with "
      "h5dump\n");
  end_now(NS_NOINPUT);
}

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL};
enum { NFATAL = sizeof fatal / sizeof *fatal };
static struct sigaction fatal_before[NFATAL];

/* Libraries that do not look what malloc gave them; any other fault has its usual end: it comes
 * back when the instruction is tried again, a sent signal has to be sent again. */
static void want_of_memory(int sig, siginfo_t *info, void *context)
{
  (void)context;
  if (ns_memory_is_short()) {
    say_memory();
    end_now(NS_NOMEM);
  }
  for (size_t k = 0; k < NFATAL; k++)
    if (fatal[k] == sig) sigaction(sig, &fatal_before[k], NULL);
  if (info->si_code <= 0) raise(sig);
}

void ns_signals_memory(void)
{
  static char stack[1 << 16];
  const stack_t mine = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction a = {.sa_sigaction = want_of_memory, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&a.sa_mask);
  if (sigaltstack(&mine, NULL) != 0) return;
  for (size_t k = 0; k < NFATAL; k++) sigaction(fatal[k], &a, &fatal_before[k]);
}

void ns_signals_reading(const char *path)
{
  struct sigaction a = {.sa_handler = crash, .sa_flags = (int)(SA_RESETHAND | SA_ONSTACK)};
  sigemptyset(&a.sa_mask);
  reading = path;
  for (size_t k = 0; k < NFATAL; k++) sigaction(fatal[k], &a, NULL);
}

const volatile sig_atomic_t *ns_signals_caught(void) { return &caught; }
