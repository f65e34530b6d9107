/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/guard.h"

#include "base/clock.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
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

/* Why control came back. */
typedef enum how { CRASHED = 1, LEFT, NUMBER, STUCK } how;

enum { LIBC_RANGES = 8, TICK_US = 100000, SOON_US = 1000, TRIES = 2000 };

/* Code of the C library and its loader. */
typedef struct ranges {
  uintptr_t from[LIBC_RANGES], to[LIBC_RANGES];
  int n;
} ranges;

/* The timer of a limited run. */
typedef struct patience {
  ns_guard_limit *limit;
  ranges libc;
  double begin;       /* of the run */
  double call_since;  /* the call has been seen */
  double wanted;      /* the end of the run has been; 0: it is not */
  unsigned long call; /* which one */
  int tries;          /* ticks that found it in the C library */
} patience;

/* One ns_guard_run; lives on its stack. */
typedef struct frame {
  struct frame *before; /* the run around it */
  pid_t pid;            /* of the process: a fork is none of ours */
  patience *patience;   /* NULL: no limit */
  sigjmp_buf back;
  /* Written by the handler. */
  const char *what;
  const char *place; /* of the element it was called for; NULL: none */
  const char *call;  /* LEFT: of which function; NUMBER: what it computed */
  int sig;           /* or the status of exit() */
  double value;      /* NUMBER: the result */
  int stack_overflow, has_addr;
  uintptr_t addr;
} frame;

/* Static state, an exception to the rule of the library: a signal handler has no argument, so what
 * it needs to know of the interrupted thread can only be found in the thread. */
static _Thread_local frame *volatile top;
static _Thread_local const char *volatile user_code;
/* of the element it is called for, NULL: none */
static _Thread_local const char *volatile user_place;
static _Thread_local volatile unsigned long calls; /* of user code */
static volatile sig_atomic_t hurry;

/* What a signal does belongs to the whole process. So the count of the runs that need our
 * handlers, and what to put back after the last, belong to the process too. */
static pthread_mutex_t handlers_lock = PTHREAD_MUTEX_INITIALIZER;
static int handlers_users;
static struct sigaction handlers_old[NSIGNALS];
static pid_t handlers_pid;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
/* user code has forked this process, in the midst of a call */
static volatile sig_atomic_t is_copy;

static _Noreturn void end_now(int status)
{
  for (;;) syscall(SYS_exit_group, status);
}

void ns_guard_enter(const char *what)
{
  calls++;
  user_place = NULL;
  user_code = what;
}

void ns_guard_enter_for(const char *place, const char *what)
{
  calls++;
  user_place = place;
  user_code = what;
}

void ns_guard_leave(void)
{
  user_code = NULL;
  if (is_copy) end_now(0); /* a second run would write the same files */
}

size_t ns_plugged_scratch(const ns_plugged *p, size_t (*scratch)(unsigned int n), size_t n)
{
  if (!scratch) return 0;
  ns_guard_enter_for(p->at, p->call);
  size_t count = scratch((unsigned int)n);
  ns_guard_leave();
  return count < SIZE_MAX ? count : SIZE_MAX - 1;
}

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

static _Noreturn void come_back(frame *f, how why)
{
  f->what = user_code;
  f->place = user_place;
  user_code = NULL; /* from here on a fault is our own */
  siglongjmp(f->back, (int)why);
}

double ns_guard_number(double value, const char *what)
{
  frame *f = top;
  if (isfinite(value) || !f || !user_code) return value;
  f->call = what;
  f->value = value;
  come_back(f, NUMBER);
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
  frame *f = top;
  if (!f || !user_code || from_outside(info) || getpid() != f->pid) {
    pass_on(sig, info);
    return;
  }
  f->sig = sig;
  f->has_addr = (sig == SIGSEGV || sig == SIGBUS) && info->si_code > 0 &&
                info->si_code != SI_KERNEL;
  f->addr = (uintptr_t)info->si_addr;
  f->stack_overflow = sig == SIGSEGV && f->has_addr && near_stack_pointer(f->addr, context);
  come_back(f, CRASHED);
}

static void note_fork(void)
{
  if (user_code) is_copy = 1;
}

static void watch_forks(void) { pthread_atfork(NULL, NULL, note_fork); }

static void handlers_take(void)
{
  pthread_once(&fork_once, watch_forks);
  pthread_mutex_lock(&handlers_lock);
  if (handlers_users++ == 0) {
    handlers_pid = getpid();
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

/* ---- a call that does not return ------------------------------------------------------------- */

static int is_libc(const char *path)
{
  static const char *const names[] = {"/libc.so",    "/libc-",      "/ld-",
                                      "/libpthread", "/libasan.so", "/libubsan.so"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (strstr(path, names[k])) return 1;
  return 0;
}

static int find_libc(struct dl_phdr_info *info, size_t size, void *to)
{
  ranges *r = to;
  (void)size;
  for (int k = 0; k < info->dlpi_phnum && is_libc(info->dlpi_name); k++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[k];
    if (p->p_type != PT_LOAD || !(p->p_flags & PF_X) || r->n == LIBC_RANGES) continue;
    r->from[r->n] = info->dlpi_addr + p->p_vaddr;
    r->to[r->n] = r->from[r->n] + p->p_memsz;
    r->n++;
  }
  return 0;
}

static int in_libc(const ranges *r, const void *context)
{
  const ucontext_t *u = context;
#if defined __x86_64__
  uintptr_t at = (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
  uintptr_t at = (uintptr_t)u->uc_mcontext.pc;
#else
  uintptr_t at = 0;
  (void)u;
#endif
  for (int k = 0; k < r->n; k++)
    if (at >= r->from[k] && at < r->to[k]) return 1;
  return 0;
}

static void tick_every(long microseconds)
{
  const struct itimerval t = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_REAL, &t, NULL);
}

/* The first tick only then: one would end a sleep() of user code. */
static void tick_after(double seconds)
{
  long whole = seconds < 1e9 ? (long)seconds : 1000000000;
  const struct itimerval t = {{0, TICK_US},
                              {whole, (long)(1e6 * (seconds - (double)whole)) % 1000000 + 1}};
  setitimer(ITIMER_REAL, &t, NULL);
}

void ns_guard_watch(void)
{
  if (top && top->patience) tick_every(TICK_US);
}

/* 1: the same call has gone on for longer than it may. */
static int is_stuck(patience *p)
{
  const ns_guard_limit *l = p->limit;
  double t = ns_clock();
  int wanted = (l->stop && *l->stop) || (l->deadline > 0 && t - p->begin >= l->deadline);
  if (!wanted) p->wanted = 0;
  else if (p->wanted <= 0) p->wanted = t;
  if (calls != p->call) {
    p->call = calls;
    p->call_since = t;
    p->tries = 0;
    return 0;
  }
  return wanted && (hurry || (t - p->wanted >= l->grace && t - p->call_since >= l->grace));
}

static void on_tick(int sig, siginfo_t *info, void *context)
{
  frame *f = top;
  (void)sig;
  (void)info;
  if (!f || !f->patience || !user_code || !is_stuck(f->patience)) return;
  if (in_libc(&f->patience->libc, context) && f->patience->tries++ < TRIES) {
    tick_every(SOON_US);
    return;
  }
  come_back(f, STUCK);
}

int ns_guard_hurry(void)
{
  const frame *f = top;
  if (!f || !f->patience || !user_code) return 0;
  hurry = 1;
  return 1;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* How a sentence begins: the element, where one is known. */
static const char *place_of(const frame *f) { return f->place ? f->place : ""; }
static const char *separator_of(const frame *f) { return f->place ? ": " : ""; }

static int crashed(ns_ctx *c, const frame *f)
{
  const char *name = "?", *text = "signal";
  for (int k = 0; k < NSIGNALS; k++)
    if (signals[k].sig == f->sig) name = signals[k].name, text = signals[k].text;
  char where[48] = "";
  if (f->stack_overflow) snprintf(where, sizeof where, ", probably stack overflow");
  else if (f->has_addr)
    snprintf(where, sizeof where, ", address 0x%llx", (unsigned long long)f->addr);
  return ns_fail(
      c, NS_PLUGIN,
      "%s%splug-in \"%s\" crashed (%s, %s%s); the results up to here are kept; to see where it "
      "crashed, compile it with -g and run nssim under gdb: gdb --args nssim ..., then run, bt",
      place_of(f), separator_of(f), f->what, text, name, where);
}

static int left(ns_ctx *c, const frame *f)
{
  char with[32] = "";
  if (!strcmp(f->call, "exit")) snprintf(with, sizeof with, " with status %d", f->sig);
  return ns_fail(c, NS_PLUGIN,
                 "%s%splug-in \"%s\" called %s()%s, which would end the run in the middle of a "
                 "step; the results up to here are kept; return a NaN to stop a run",
                 place_of(f), separator_of(f), f->what, f->call, with);
}

static int failed(ns_ctx *c, const frame *f, how why)
{
  c->within = NULL; /* who set them is left */
  c->stop = NULL;
  switch (why) {
  case CRASHED: return crashed(c, f);
  case LEFT: return left(c, f);
  case NUMBER:
    return ns_fail(c, NS_PLUGIN,
                   "%s%splug-in \"%s\" computed %g as %s, expected a finite number; the results up "
                   "to here are kept",
                   place_of(f), separator_of(f), f->what, f->value, f->call);
  case STUCK: break;
  }
  f->patience->limit->stuck = f->what;
  return ns_fail(c, NS_STOPPED,
                 "%s%splug-in \"%s\" did not return for %.3g s after the run was requested to end",
                 place_of(f), separator_of(f), f->what, f->patience->limit->grace);
}

static int run(ns_ctx *c, int (*fn)(void *arg), void *arg, patience *p)
{
  frame f = {.before = top, .pid = getpid(), .patience = p};
  const char *outer = user_code;
  int rc, why = sigsetjmp(f.back, 1);
  if (why == 0) {
    user_code = NULL;
    top = &f;
    rc = fn(arg);
  } else {
    rc = failed(c, &f, (how)why);
  }
  top = f.before;
  user_code = outer;
  return rc;
}

static int run_on_stack(ns_ctx *c, int (*fn)(void *arg), void *arg, patience *p)
{
  stack_t mine = {.ss_size = STACK_BYTES}, old;
  long min = sysconf(_SC_SIGSTKSZ); /* wide vector registers need more */
  if (min > 0 && (size_t)min > mine.ss_size) mine.ss_size = (size_t)min;
  mine.ss_sp = malloc(mine.ss_size);
  if (!mine.ss_sp) return ns_nomem(c, "stack for signals");
  if (sigaltstack(&mine, &old)) {
    free(mine.ss_sp);
    return ns_fail(c, NS_PLUGIN,
                   "cannot guard plug-ins: sigaltstack failed; this is a fault of nssim");
  }
  handlers_take();
  int rc = run(c, fn, arg, p);
  handlers_drop();
  sigaltstack(&old, NULL);
  free(mine.ss_sp);
  return rc;
}

int ns_guard_run(ns_ctx *c, int (*fn)(void *arg), void *arg)
{
  return run_on_stack(c, fn, arg, NULL);
}

int ns_guard_run_limited(ns_ctx *c, int (*fn)(void *arg), void *arg, ns_guard_limit *l)
{
  patience p = {.limit = l, .begin = ns_clock()};
  struct sigaction a = {.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK},
                   old;
  sigemptyset(&a.sa_mask);
  l->stuck = NULL;
  dl_iterate_phdr(find_libc, &p.libc);
  sigaction(SIGALRM, &a, &old);
  if (l->deadline > 0) tick_after(l->deadline);
  if (l->stop && *l->stop) tick_every(TICK_US);
  int rc = run_on_stack(c, fn, arg, &p);
  tick_every(0);
  sigaction(SIGALRM, &old, NULL);
  return rc;
}

/* ---- exit() and exec() ----------------------------------------------------------------------- */

/* Back to the run where user code ends the process by a call; returns where it is not user code. */
static void leave(const char *call, int status)
{
  frame *f = top;
  if (!f || !user_code || getpid() != f->pid) return;
  f->call = call;
  f->sig = status;
  come_back(f, LEFT);
}

/* Another thread of a plug-in, or a way around the functions below, ends the process in the midst
 * of a run with a status of its choice, 0 for instance, as if it were done. */
static void check_end(const char *call)
{
  if ((!user_code && handlers_users == 0) || getpid() != handlers_pid) return;
  fflush(NULL);
  fprintf(stderr,
          "nssim: error: plug-in%s%s%s called %s() in a separate thread, which ends the run in the "
          "middle of a step; return a NaN to stop a run\n",
          user_code ? " \"" : "", user_code ? user_code : "", user_code ? "\"" : "", call);
  end_now(ns_status_exit(NS_PLUGIN));
}

/* The function of the C library, NULL: there is none. To a pointer of its type: ISO C has no cast
 * from object to function pointer. */
static void find_next(const char *name, void *function)
{
  void *sym = dlsym(RTLD_NEXT, name);
  memcpy(function, &sym, sizeof sym);
}

static _Noreturn void end_by(const char *name, int status)
{
  void (*end)(int);
  find_next(name, &end);
  if (end) end(status);
  end_now(status);
}

void exit(int status)
{
  leave("exit", status);
  end_by("exit", status);
}

void quick_exit(int status)
{
  leave("exit", status);
  check_end("exit");
  end_by("quick_exit", status);
}

void _exit(int status)
{
  leave("exit", status);
  check_end("exit");
  end_now(status);
}

void _Exit(int status) { _exit(status); }

void pthread_exit(void *result)
{
  void (*end)(void *);
  leave("pthread_exit", 0);
  find_next("pthread_exit", &end);
  if (end) end(result);
  end_now(ns_status_exit(NS_PLUGIN));
}

/* Another program in the place of this one. */
static void check_exec(void)
{
  leave("exec", 0);
  check_end("exec");
}

int execve(const char *path, char *const argv[], char *const envp[])
{
  check_exec();
  return (int)syscall(SYS_execve, path, argv, envp);
}

int execv(const char *path, char *const argv[]) { return execve(path, argv, environ); }

int fexecve(int fd, char *const argv[], char *const envp[])
{
  int (*exec)(int, char *const[], char *const[]);
  check_exec();
  find_next("fexecve", &exec);
  return exec ? exec(fd, argv, envp) : -1;
}

int execvpe(const char *file, char *const argv[], char *const envp[])
{
  int (*exec)(const char *, char *const[], char *const[]);
  check_exec();
  find_next("execvpe", &exec);
  return exec ? exec(file, argv, envp) : -1;
}

int execvp(const char *file, char *const argv[]) { return execvpe(file, argv, environ); }

enum { WORDS = 4096 }; /* most words of execl(), which lie on the stack */

/* Words up to NULL to argv [WORDS]; 0: there are more. */
static int words(char **argv, const char *first, va_list *more)
{
  int n = 0;
  for (const char *w = first; n < WORDS; w = va_arg(*more, const char *)) {
    memcpy(&argv[n++], &w, sizeof w); /* exec has no const, and does not write */
    if (!w) return 1;
  }
  errno = E2BIG;
  return 0;
}

int execl(const char *path, const char *arg, ...)
{
  char *argv[WORDS];
  va_list more;
  va_start(more, arg);
  int whole = words(argv, arg, &more);
  va_end(more);
  return whole ? execv(path, argv) : -1;
}

int execlp(const char *file, const char *arg, ...)
{
  char *argv[WORDS];
  va_list more;
  va_start(more, arg);
  int whole = words(argv, arg, &more);
  va_end(more);
  return whole ? execvp(file, argv) : -1;
}

int execle(const char *path, const char *arg, ...)
{
  char *argv[WORDS], *const *envp = environ;
  va_list more;
  va_start(more, arg);
  int whole = words(argv, arg, &more);
  if (whole) envp = va_arg(more, char *const *);
  va_end(more);
  return whole ? execve(path, argv, envp) : -1;
}

/* Runs after the handlers of atexit, which may still close files. */
__attribute__((destructor)) static void left_by_exit(void) { check_end("exit"); }
