/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.h -- run a function in a separate process, which may crash.
 *
 * For libraries that read unchecked data: a crash or an endless loop ends the child, not the run.
 * The child is a fork, so it has a copy of all memory; results must be in shared memory or in
 * files. */
#ifndef NS_BASE_CHILD_H
#define NS_BASE_CHILD_H

#include "base/context.h"

/* Returns the result of fn(arg, c) in a child, with its first failure reported in c as if it had
 * happened here. If the child crashed, or used more than `limit` s of CPU time: NS_RETRY, without a
 * message. NS_NOMEM: it could not be started. */
int ns_child_run(ns_ctx *c, int (*fn)(void *arg, ns_ctx *c), void *arg, unsigned limit);

#endif
