/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.h -- do something in a process of its own, which may die of it.
 *
 * For libraries that read what nobody has checked: a crash or an endless loop there ends the child,
 * not the run. The child is a fork, so it sees all memory as it is now; what it is to leave behind
 * stands in shared memory or in files. */
#ifndef NS_BASE_CHILD_H
#define NS_BASE_CHILD_H

#include "base/context.h"

/* The result of fn(arg, c) in a child, its first failure told in c as if it had happened here.
 * Where the child died, or took more than `limit` s of the processor: NS_RETRY, and nothing is
 * told. NS_NOMEM: it could not be started. */
int ns_child_run(ns_ctx *c, int (*fn)(void *arg, ns_ctx *c), void *arg, unsigned limit);

#endif
