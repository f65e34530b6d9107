/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard.h -- protection against user code: crashes, exit(), exec(), fork(), calls that do not
 * return.
 *
 * A plug-in runs in this process. The caller names each call of user code; if a fatal signal (SEGV,
 * BUS, FPE, ILL, ABRT) arrives during it, control returns to the innermost ns_guard_run of the
 * thread, which reports it, so that results so far can be written. A signal outside user code, or a
 * second one during recovery, ends the process as usual.
 *
 * The program defines exit, _exit, _Exit, quick_exit, pthread_exit and the exec functions, which
 * precede those of the C library in symbol lookup of plug-ins: called in user code, they return
 * control in the same way. So does a timer if a stop of the run was requested and a call continues.
 * It waits while the call is in the C library, whose locks (malloc) are needed afterwards. A child
 * forked by a plug-in is not affected: it may crash, exit and execute programs; if it returns from
 * the call it is ended, because it must not continue the run of its parent. */
#ifndef NS_BASE_GUARD_H
#define NS_BASE_GUARD_H

#include "base/context.h"

#include <signal.h>

/* Name the user function that is called next (borrowed; NULL: none). Cheap. */
void ns_guard_enter(const char *what);
/* The same for an element of a model, with whose place (borrowed) messages begin. */
void ns_guard_enter_for(const char *place, const char *what);
void ns_guard_leave(void);
/* The result `value` of the user function entered, if it is finite. Otherwise the call counts as
 * failed, as after a crash: control returns to ns_guard_run, which reports the function and `what`
 * (borrowed) it computed. For functions whose callers have no status to return. */
double ns_guard_number(double value, const char *what);

/* A table of functions that a plug-in returned, such as an nssim_law, and the names under which its
 * functions are guarded. */
typedef struct ns_plugged {
  const void *table;
  const char *call, *at; /* "Library:function"; the element, for messages */
} ns_plugged;

/* Numbers of scratch memory that its function `scratch` asks for n unknowns; 0 if it is NULL. Less
 * than SIZE_MAX, so that callers can add one. */
size_t ns_plugged_scratch(const ns_plugged *p, size_t (*scratch)(unsigned int n), size_t n);

/* Limits for calls of user code. */
typedef struct ns_guard_limit {
  const volatile sig_atomic_t *stop; /* nonzero: a stop of the run was requested */
  /* or at this time after the beginning of the run, s; 0: none */
  double deadline;
  double grace;      /* max. duration of a call after that, s */
  const char *stuck; /* result: the call that was aborted; NULL: none */
} ns_guard_limit;

/* Call fn(arg); returns its result, or NS_PLUGIN with a message in c if user code crashed in it.
 * Installs the handlers (on an alternate stack) for the duration of the call. Not nested. */
int ns_guard_run(ns_ctx *c, int (*fn)(void *arg), void *arg);
/* The same with a limit, in the main thread: NS_STOPPED, reported in c, if a call was aborted. Uses
 * SIGALRM, which comes only after the deadline or ns_guard_watch. */
int ns_guard_run_limited(ns_ctx *c, int (*fn)(void *arg), void *arg, ns_guard_limit *l);
/* Called by the signal handler that sets *stop: from now on, calls of a limited run are limited. */
void ns_guard_watch(void);
/* Called by a signal handler: 1 if the thread is in user code of a limited run; the call is then
 * aborted at once. */
int ns_guard_hurry(void);

#endif
