/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugged.h -- a solver of one-step problems that a plug-in has (nssim/plugin.h, nssim_solver).
 *
 * One table of a plug-in serves both statements of this folder: boxes (box/box.h) are one block of
 * box rows, contacts (mechanical.h) are blocks of friction, boxes and rolling friction. Here the
 * matrix is written out by rows, the plug-in called under guard, and its answer measured by the
 * residual of the problem: what a plug-in says of itself is not asked. It remembers nothing from
 * call to call, as far as nssim knows, and so there is nothing to save.
 *
 * Names of such solvers have a colon, "Library:function"; the tables below are found by it, and
 * `create` takes the plug-in from the options. */
#ifndef NS_PROBLEMS_PLUGGED_H
#define NS_PROBLEMS_PLUGGED_H

#include "problems/mechanical.h"

#include "base/arena.h"

struct nssim_solver;

typedef struct ns_plugged_solver {
  const struct nssim_solver *table;
  const char *call, *at; /* "Library:function"; the element, for messages */
} ns_plugged_solver;

/* What a plug-in returned, checked; to memory of `a`. `call` is borrowed, `at` copied. NS_PLUGIN:
 * NULL, another ABI, no function; NS_NOMEM. */
int ns_plugged_solver_of(ns_ctx *c, ns_arena *a, const char *at, const char *call,
                         const struct nssim_solver *table, const ns_plugged_solver **out);

/* Whether a solver's name is that of a plug-in. */
int ns_solver_is_plugged(const char *name);

/* What a solver's name with a colon finds. */
extern const ns_box_solver_ops ns_box_plugged;
extern const ns_mechanical_solver_ops ns_mechanical_plugged;

#endif
