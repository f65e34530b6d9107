/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard.h -- survive what user code does: a crash, exit(), exec(), fork(), a call that does not
 * return.
 *
 * A plug-in runs in our process. Around each call the caller says what is being called; if a
 * fatal signal (SEGV, BUS, FPE, ILL, ABRT) arrives meanwhile, control returns to the nearest
 * ns_guard_run of the thread, which reports it, so that results so far can be written. A signal
 * outside user code, or a second one while recovering, ends the process as it would have without
 * us.
 *
 * The program's own exit, _exit, _Exit, quick_exit, pthread_exit and functions of exec stand before
 * those of the C library in the search of a plug-in's symbols: called in user code they return
 * control in the same way. So does a timer where a run has been asked to end and one call goes on
 * all the same. It waits while the call is in the C library, whose locks (malloc) we need
 * afterwards. A child that a plug-in forks is none of ours: it crashes, exits and runs other
 * programs as it would without us; where it comes back from the call it ends, for it would go on
 * with a run, and files, that are not its own. */
#ifndef NS_BASE_GUARD_H
#define NS_BASE_GUARD_H

#include "base/context.h"

#include <signal.h>

/* Name what is being called (borrowed; NULL: back in our own code). Cheap. */
void ns_guard_enter(const char *what);
/* The same for an element of a model, whose place (borrowed) begins the sentence. */
void ns_guard_enter_for(const char *place, const char *what);
void ns_guard_leave(void);

/* When a call of user code is given up. */
typedef struct ns_guard_limit {
  const volatile sig_atomic_t *stop; /* non-zero: the run is asked to end */
  /* and at this time from the begin of the run on, s; 0: never by that */
  double deadline;
  double grace;      /* how long one call may go on then, s */
  const char *stuck; /* result: what was given up; NULL: nothing */
} ns_guard_limit;

/* Call fn(arg); its result, or NS_PLUGIN with the sentence in c when user code crashed in it.
 * Installs the handlers (on an alternate stack) for the time of the call. Not nested. */
int ns_guard_run(ns_ctx *c, int (*fn)(void *arg), void *arg);
/* The same with a limit, in the main thread: NS_STOPPED, told in c, where a call was given up. Uses
 * SIGALRM, which comes only after the deadline or ns_guard_watch. */
int ns_guard_run_limited(ns_ctx *c, int (*fn)(void *arg), void *arg, ns_guard_limit *l);
/* Of the signal handler that sets *stop: from now on the calls of a limited run are watched. */
void ns_guard_watch(void);
/* Of a signal handler: 1 where the thread is in user code of a limited run, whose call is then
 * given up at once. */
int ns_guard_hurry(void);

#endif
