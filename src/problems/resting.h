/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resting.h -- of several solutions with friction, the one at rest. Private to src/problems.
 *
 * A body that is wedged between contacts may have two motions: it stays at rest, by forces that the
 * contacts exert against each other, or it slides, without them. Both solve u = W r + q with the
 * law of mechanical.h, and a solver may find either. Rest is preferred: where contacts that were at
 * rest at the beginning of the step move in the solution, the problem is solved without the term of
 * De Saxce,
 *
 *   K* contains u  _|_  r in K
 *
 * which are the conditions of a convex problem, min 1/2 r.W r + q.r over K (W symmetric), whose u
 * is unique (Acary, Cadoux, Lemarechal & Malick 2011). Where contacts that carry an impulse do not
 * slip in it, the term is zero, and it solves the problem with the term as well: if the bodies can
 * stay at rest at all, this is how.
 *
 * Supported are friction and one-sided rows, up to NS_RESTING_ROWS; solutions of other problems
 * remain as they are. */
#ifndef NS_PROBLEMS_RESTING_H
#define NS_PROBLEMS_RESTING_H

#include "base/arena.h"
#include "problems/mechanical.h"

enum { NS_RESTING_ROWS = 96 };

/* Relative to the largest |q| of contacts: up to the first a velocity at the beginning of the step
 * is none, above the second a contact moves. What slides is not brought to rest. */
static const double NS_AT_REST = 1e-3, NS_MOVES = 1e-4;
/* 1 if contacts with the speeds start at the beginning of the step and u at its end, and q without
 * impulses, leave rest. */
static inline int ns_leave_rest(double q, double start, double u)
{
  return u > NS_MOVES * q && start <= NS_AT_REST * q;
}

typedef struct ns_resting ns_resting;
/* For problems of up to n rows; *out is NULL on failure. */
int ns_resting_create(ns_ctx *c, int n, const ns_mechanical_options *opt, ns_resting **out);
void ns_resting_destroy(ns_resting *s); /* NULL-safe */
/* Keep the guess r [m] of a problem that is about to be solved. */
void ns_resting_begin(ns_resting *s, const ns_mechanical *p, const double *r);
/* r, u [m]: a solution of p; replaced by one at rest if contacts that rest at p->start move in it
 * and such a solution is found, with a residual of at most tol. */
void ns_resting_prefer(ns_resting *s, const ns_mechanical *p, double tol, double *r, double *u,
                       ns_outcome *out);

#endif
