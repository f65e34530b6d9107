/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard.h -- survive a crash inside user code.
 *
 * A plug-in runs in our process. Around each call the caller says what is being called; if a
 * fatal signal (SEGV, BUS, FPE, ILL, ABRT) arrives meanwhile, control returns to the nearest ns_guard_run of the
 * thread, which reports it, so that results so far can be written. A signal outside user code, or
 * a second one while recovering, ends the process as it would have without us. */
#ifndef NS_BASE_GUARD_H
#define NS_BASE_GUARD_H

#include "base/context.h"

/* Name what is being called (borrowed; NULL: back in our own code). Cheap. */
void ns_guard_enter(const char *what);
void ns_guard_leave(void);

/* Call fn(arg); its result, or NS_PLUGIN with the sentence in c when user code crashed in it.
 * Installs the handlers (on an alternate stack) for the time of the call. Not nested. */
int ns_guard_run(ns_ctx *c, int (*fn)(void *arg), void *arg);

#endif
