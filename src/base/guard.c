/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/guard.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define NSIGNALS 5
#define STACK_BYTES ((size_t)64 * 1024)

static const struct {
  int sig;
  const char *name, *text;
} signals[NSIGNALS] = {
  {SIGSEGV, "SIGSEGV", "segmentation fault"},
  {SIGBUS, "SIGBUS", "bus error"},
  {SIGFPE, "SIGFPE", "arithmetic fault, such as an integer division by zero"},
  {SIGILL, "SIGILL", "illegal instruction"},
  {SIGABRT, "SIGABRT", "abort, such as a failed assert or an uncaught C++ exception"},
};

/* One ns_guard_run; lives on its stack. */
typedef struct frame {
  struct frame *before; /* the run around it */
  sigjmp_buf back;
  /* Written by the handler. */
  const char *what;
  int sig;
  int stack_overflow, has_addr;
  uintptr_t addr;
} frame;

/* Static state, an exception to the rule of the library: a signal handler has no argument, so what it
 * needs to know of the interrupted thread can only be found in the thread. */
static _Thread_local frame *volatile top;
static _Thread_local const char *volatile user_code;

/* What a signal does belongs to the whole process. So the count of the runs that need our
 * handlers, and what to put back after the last, belong to the process too. */
static pthread_mutex_t handlers_lock = PTHREAD_MUTEX_INITIALIZER;
static int handlers_users;
static struct sigaction handlers_old[NSIGNALS];

void ns_guard_enter(const char *what) { user_code = what; }
void ns_guard_leave(void) { user_code = NULL; }

/* A frame that does not fit touches memory near the stack pointer. */
static int near_stack_pointer(uintptr_t addr, const void *context)
{
  const ucontext_t *u = context;
#if defined __x86_64__
  uintptr_t sp = (uintptr_t)u->uc_mcontext.gregs[REG_RSP];
#elif defined __aarch64__
  uintptr_t sp = (uintptr_t)u->uc_mcontext.sp;
#else
  uintptr_t sp = 0;
  (void)u;
#endif
  return sp && addr >= sp - 65536 && addr < sp + 65536;
}

/* Sent by another process: not the fault of the code that happened to run. */
static int from_outside(const siginfo_t *info)
{
  return (info->si_code == SI_USER || info->si_code == SI_QUEUE) && info->si_pid != getpid();
}

/* Not ours: let what was installed before (mostly the default: core dump) have it. A fault
 * comes back by itself when the instruction is tried again; a sent signal has to be sent again. */
static void pass_on(int sig, const siginfo_t *info)
{
  for (int k = 0; k < NSIGNALS; k++)
    if (signals[k].sig == sig) sigaction(sig, &handlers_old[k], NULL);
  if (info->si_code <= 0) raise(sig);
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
  frame *f = top;
  if (!f || !user_code || from_outside(info)) {
    pass_on(sig, info);
    return;
  }
  f->what = user_code;
  user_code = NULL; /* from here on a fault is our own */
  f->sig = sig;
  f->has_addr = (sig == SIGSEGV || sig == SIGBUS) && info->si_code > 0 && info->si_code != SI_KERNEL;
  f->addr = (uintptr_t)info->si_addr;
  f->stack_overflow = sig == SIGSEGV && f->has_addr && near_stack_pointer(f->addr, context);
  siglongjmp(f->back, 1);
}

static void handlers_take(void)
{
  pthread_mutex_lock(&handlers_lock);
  if (handlers_users++ == 0) {
    struct sigaction a = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&a.sa_mask);
    for (int k = 0; k < NSIGNALS; k++) sigaddset(&a.sa_mask, signals[k].sig);
    for (int k = 0; k < NSIGNALS; k++) sigaction(signals[k].sig, &a, &handlers_old[k]);
  }
  pthread_mutex_unlock(&handlers_lock);
}

static void handlers_drop(void)
{
  pthread_mutex_lock(&handlers_lock);
  if (--handlers_users == 0)
    for (int k = 0; k < NSIGNALS; k++) sigaction(signals[k].sig, &handlers_old[k], NULL);
  pthread_mutex_unlock(&handlers_lock);
}

static int crashed(ns_ctx *c, const frame *f)
{
  const char *name = "?", *text = "signal";
  for (int k = 0; k < NSIGNALS; k++)
    if (signals[k].sig == f->sig) name = signals[k].name, text = signals[k].text;
  char where[48] = "";
  if (f->stack_overflow)
    snprintf(where, sizeof where, ", probably stack overflow");
  else if (f->has_addr)
    snprintf(where, sizeof where, ", address 0x%llx", (unsigned long long)f->addr);
  return ns_fail(c, NS_PLUGIN,
                 "plug-in \"%s\" crashed (%s, %s%s); the results up to here are kept; to see where it "
                 "crashed, compile it with -g and run nssim under gdb: gdb --args nssim ..., then run, bt",
                 f->what, text, name, where);
}

static int run(ns_ctx *c, int (*fn)(void *arg), void *arg)
{
  frame f = {.before = top};
  const char *outer = user_code;
  int rc;
  if (sigsetjmp(f.back, 1) == 0) {
    user_code = NULL;
    top = &f;
    rc = fn(arg);
  } else {
    rc = crashed(c, &f);
  }
  top = f.before;
  user_code = outer;
  return rc;
}

int ns_guard_run(ns_ctx *c, int (*fn)(void *arg), void *arg)
{
  stack_t mine = {.ss_size = STACK_BYTES}, old;
  long least = sysconf(_SC_SIGSTKSZ); /* wide vector registers need more */
  if (least > 0 && (size_t)least > mine.ss_size) mine.ss_size = (size_t)least;
  mine.ss_sp = malloc(mine.ss_size);
  if (!mine.ss_sp) return ns_nomem(c, "stack for signals");
  if (sigaltstack(&mine, &old)) {
    free(mine.ss_sp);
    return ns_fail(c, NS_PLUGIN, "cannot guard plug-ins: sigaltstack failed; this is a fault of nssim");
  }
  handlers_take();
  int rc = run(c, fn, arg);
  handlers_drop();
  sigaltstack(&old, NULL);
  free(mine.ss_sp);
  return rc;
}

/* exit() called by user code would end the run with a status of the plug-in's choice, 0 for
 * instance, as if it were done. This runs after the handlers of atexit, which may still close files. */
__attribute__((destructor)) static void left_by_exit(void)
{
  const char *what = user_code;
  if (!what) return;
  fflush(NULL);
  fprintf(stderr,
          "nssim: error: plug-in \"%s\" called exit(), which ends the run in the middle of a step; "
          "return a NaN to stop a run\n",
          what);
  _exit(ns_status_exit(NS_PLUGIN));
}
