/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Crashes inside what ns_guard_enter names come back as one sentence; others stay what they were.
 */
#include "base/guard.h"
#include "support/suite.h"

#include <check.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- ways to crash --------------------------------------------------------------------------- */

static int segv(void *arg)
{
  (void)arg;
  ns_guard_enter("P:segv");
  *(volatile int *)(volatile uintptr_t){24} = 1;
  ns_guard_leave();
  return NS_OK;
}

__attribute__((no_sanitize("undefined"))) static int fpe(void *arg)
{
  (void)arg;
  volatile int zero = 0, x = 1;
  ns_guard_enter("P:fpe");
#if defined __x86_64__
  x = x / zero;
#else
  (void)x, (void)zero, raise(SIGFPE);
#endif
  ns_guard_leave();
  return NS_OK;
}

static int aborts(void *arg)
{
  (void)arg;
  ns_guard_enter("P:abort");
  abort();
}

static int ill(void *arg)
{
  (void)arg;
  ns_guard_enter("P:ill");
  __builtin_trap();
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winfinite-recursion"
__attribute__((noinline)) static int deeper(volatile char *p)
{
  volatile char frame[1000];
  frame[0] = p ? p[0] : 0;
  return deeper(frame) + frame[0];
}
#pragma GCC diagnostic pop

static int overflow(void *arg)
{
  (void)arg;
  ns_guard_enter("P:overflow");
  int r = deeper(NULL);
  ns_guard_leave();
  return r;
}

static const struct {
  int (*fn)(void *);
  const char *who, *signal, *detail;
} crash[] = {
    {segv, "\"P:segv\"", "SIGSEGV", "address 0x18"},
    {fpe, "\"P:fpe\"", "SIGFPE", "division by zero"},
    {aborts, "\"P:abort\"", "SIGABRT", "abort"},
#if defined __x86_64__
    {ill, "\"P:ill\"", "SIGILL", "illegal instruction"},
    {overflow, "\"P:overflow\"", "SIGSEGV", "stack overflow"},
#endif
};
#define NCRASHES ((int)(sizeof crash / sizeof *crash))

static void expect_sentence(const ns_ctx *c, int k)
{
  ck_assert_int_eq(c->rc, NS_PLUGIN);
  ck_assert_int_eq(c->nerrors, 1);
  ck_assert_msg(strstr(c->msg, crash[k].who) && strstr(c->msg, crash[k].signal) &&
                    strstr(c->msg, crash[k].detail),
                "%s", c->msg);
}

START_TEST(crash_becomes_a_sentence)
{
  ns_ctx c = {0};
  ck_assert_int_eq(ns_guard_run(&c, crash[_i].fn, NULL), NS_PLUGIN);
  expect_sentence(&c, _i);
}
END_TEST

/* The handlers, the alternate stack and the signal mask are as before, so it works again. */
START_TEST(every_crash_can_be_survived_again_and_again)
{
  struct sigaction before, after;
  stack_t stack_before, stack_after;
  sigset_t blocked;
  sigaction(SIGSEGV, NULL, &before);
  sigaltstack(NULL, &stack_before);
  for (int round = 0; round < 20; round++)
    for (int k = 0; k < NCRASHES; k++) {
      ns_ctx c = {0};
      ck_assert_int_eq(ns_guard_run(&c, crash[k].fn, NULL), NS_PLUGIN);
      expect_sentence(&c, k);
    }
  sigaction(SIGSEGV, NULL, &after);
  sigaltstack(NULL, &stack_after);
  sigprocmask(SIG_BLOCK, NULL, &blocked);
  ck_assert(before.sa_handler == after.sa_handler);
  ck_assert_int_eq(after.sa_flags & (SA_SIGINFO | SA_ONSTACK),
                   before.sa_flags & (SA_SIGINFO | SA_ONSTACK));
  if (!(stack_before.ss_flags & SS_DISABLE))
    ck_assert_ptr_eq(stack_before.ss_sp, stack_after.ss_sp);
  ck_assert_int_eq(stack_before.ss_flags, stack_after.ss_flags);
  ck_assert_int_eq(sigismember(&blocked, SIGSEGV), 0);
  ck_assert_int_eq(sigismember(&blocked, SIGABRT), 0);
}
END_TEST

static int answers(void *arg)
{
  ns_guard_enter("P:fine");
  *(int *)arg = 42;
  ns_guard_leave();
  return NS_RETRY;
}

START_TEST(without_a_crash_the_result_is_handed_on)
{
  ns_ctx c = {0};
  int x = 0;
  ck_assert_int_eq(ns_guard_run(&c, answers, &x), NS_RETRY);
  ck_assert_int_eq(x, 42);
  ck_assert_int_eq(c.rc, NS_OK);
}
END_TEST

static int inner(void *arg)
{
  ns_ctx c = {0};
  ns_guard_enter("P:outer");
  ck_assert_int_eq(ns_guard_run(&c, segv, NULL), NS_PLUGIN); /* a plug-in that loads another */
  ck_assert(strstr(c.msg, "P:segv") != NULL);
  return fpe(arg);
}

START_TEST(runs_nest)
{
  ns_ctx c = {0};
  ck_assert_int_eq(ns_guard_run(&c, inner, NULL), NS_PLUGIN);
  expect_sentence(&c, 1);
}
END_TEST

static void *crash_often(void *arg)
{
  int k = *(int *)arg;
  for (int i = 0; i < 200; i++) {
    ns_ctx c = {0};
    if (ns_guard_run(&c, crash[k].fn, NULL) != NS_PLUGIN || !strstr(c.msg, crash[k].who))
      return arg;
  }
  return NULL;
}

START_TEST(threads_crash_each_for_itself)
{
  pthread_t t[NCRASHES];
  int k[NCRASHES];
  struct sigaction a;
  for (int i = 0; i < NCRASHES; i++) {
    k[i] = i;
    ck_assert_int_eq(pthread_create(&t[i], NULL, crash_often, &k[i]), 0);
  }
  for (int i = 0; i < NCRASHES; i++) {
    void *wrong;
    pthread_join(t[i], &wrong);
    ck_assert_ptr_null(wrong);
  }
  sigaction(SIGABRT, NULL, &a);
  ck_assert(a.sa_handler == SIG_DFL);
}
END_TEST

/* ---- what must still end the process: in a child of our own ---------------------------------- */

static int crash_in_our_code(void *arg)
{
  ns_guard_enter("P:fine");
  ns_guard_leave();
  (void)arg;
  raise(SIGABRT);
  return NS_OK;
}

static int crash_while_recovering(void *arg)
{
  ns_ctx c = {0};
  ns_guard_run(&c, segv, NULL);
  (void)arg;
  raise(SIGABRT);
  return NS_OK;
}

static int signalled_from_outside(void *arg)
{
  (void)arg;
  ns_guard_enter("P:busy");
  pid_t self = getpid(), sender = fork();
  if (sender == 0) {
    kill(self, SIGABRT);
    _exit(0);
  }
  pause();
  return NS_OK;
}

__attribute__((unused)) static int fault_in_our_code(void *arg)
{
  (void)arg;
  *(volatile int *)(volatile uintptr_t){24} = 1;
  return NS_OK;
}

static const struct {
  int (*fn)(void *);
  int sig;
} fatal[] = {
    {crash_in_our_code, SIGABRT},
    {crash_while_recovering, SIGABRT},
    {signalled_from_outside, SIGABRT},
#if !defined __SANITIZE_ADDRESS__ /* there AddressSanitizer reports it and exits */
    {fault_in_our_code, SIGSEGV},
#endif
};

START_TEST(other_crashes_end_the_process_as_ever)
{
  int status = 0;
  pid_t pid = fork();
  if (pid == 0) {
    ns_ctx c = {0};
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    ns_guard_run(&c, fatal[_i].fn, NULL);
    _exit(0);
  }
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == fatal[_i].sig, "status %#x", status);
}
END_TEST

static int exits(void *arg)
{
  (void)arg;
  ns_guard_enter("P:exit");
  exit(0);
}

static int exits_at_once(void *arg)
{
  (void)arg;
  ns_guard_enter("P:exit");
  _exit(0);
  return 0;
}

static int exits_quickly(void *arg)
{
  (void)arg;
  ns_guard_enter("P:exit");
  quick_exit(0);
  return 0;
}

static int (*const ends[])(void *) = {exits, exits_at_once, exits_quickly};

static int never_returns(void *arg)
{
  static volatile unsigned n;
  (void)arg;
  ns_guard_enter("P:loop");
  for (;;) n++;
  return 0;
}

/* Half a second of short calls: none of them is to blame. */
static int many_calls(void *arg)
{
  struct timespec a, b;
  (void)arg;
  clock_gettime(CLOCK_MONOTONIC, &a);
  do {
    ns_guard_enter("P:short");
    clock_gettime(CLOCK_MONOTONIC, &b);
    ns_guard_leave();
  } while ((double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec) < 0.5);
  return 7;
}

/* In the main thread, and where the run was asked to end before. */
START_TEST(a_call_without_end_is_given_up)
{
  volatile sig_atomic_t stop = 1;
  ns_guard_limit by_stop = {.stop = &stop, .grace = 0.2}, by_time = {.deadline = 0.2, .grace = 0.1};
  ns_ctx c = {0};
  ck_assert_int_eq(ns_guard_run_limited(&c, never_returns, NULL, &by_stop), NS_STOPPED);
  ck_assert_str_eq(by_stop.stuck, "P:loop");
  ck_assert_ptr_nonnull(strstr(c.msg, "plug-in \"P:loop\" did not return"));
  c = (ns_ctx){0};
  ck_assert_int_eq(ns_guard_run_limited(&c, never_returns, NULL, &by_time), NS_STOPPED);
  ck_assert_str_eq(by_time.stuck, "P:loop");
  c = (ns_ctx){0};
  ck_assert_int_eq(ns_guard_run_limited(&c, many_calls, NULL, &by_stop), 7);
  ck_assert_ptr_null(by_stop.stuck);
}
END_TEST

START_TEST(exit_in_user_code_is_not_success)
{
  int status = 0, fd[2];
  char text[512] = "";
  ck_assert_int_eq(pipe(fd), 0);
  pid_t pid = fork();
  if (pid == 0) {
    ns_ctx c = {0};
    dup2(fd[1], STDERR_FILENO);
    int rc = ns_guard_run(&c, ends[_i], NULL);
    fprintf(stderr, "%s", c.msg); /* the caller lives to tell */
    _exit(ns_status_exit(rc));
  }
  close(fd[1]);
  ck_assert_int_gt(read(fd[0], text, sizeof text - 1), 0);
  close(fd[0]);
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  ck_assert_int_eq(WEXITSTATUS(status), ns_status_exit(NS_PLUGIN));
  ck_assert_msg(strstr(text, "P:exit") != NULL, "%s", text);
}
END_TEST

/* The child is killed at its first call into the kernel other than read, write and exit. */
START_TEST(naming_makes_no_system_call)
{
  int status = 0;
  pid_t pid = fork();
  if (pid == 0) {
    ns_guard_enter("P:first"); /* what a first use sets up is no cost of a call */
    ns_guard_leave();
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT)) _exit(77); /* a kernel without it */
    for (int i = 0; i < 1000; i++) {
      ns_guard_enter("P:cost");
      ns_guard_leave();
    }
    syscall(SYS_exit, 0);
  }
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  ck_assert_msg(WIFEXITED(status), "killed by signal %d", WTERMSIG(status));
  ck_assert(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77);
}
END_TEST

static TCase *crashes(void)
{
  TCase *t = tcase_create("crashes");
  tcase_add_loop_test(t, crash_becomes_a_sentence, 0, NCRASHES);
  tcase_add_test(t, every_crash_can_be_survived_again_and_again);
  tcase_add_test(t, runs_nest);
  tcase_add_test(t, threads_crash_each_for_itself);
  tcase_add_loop_test(t, other_crashes_end_the_process_as_ever, 0,
                      (int)(sizeof fatal / sizeof *fatal));
  tcase_add_loop_test(t, exit_in_user_code_is_not_success, 0, 3);
  tcase_add_test(t, a_call_without_end_is_given_up);
  tcase_add_test(t, naming_makes_no_system_call);
  return t;
}

int main(void)
{
  Suite *s = suite_create("guard");
  TCase *t = tcase_create("guard");
  tcase_add_test(t, without_a_crash_the_result_is_handed_on);
  suite_add_tcase(s, t);
  if (getenv("NSSIM_VALGRIND")) /* it reports the faults made on purpose */
    printf("SKIP guard: crashes and times are not tested under valgrind\n");
  else suite_add_tcase(s, crashes());
  return suite_end(s);
}
