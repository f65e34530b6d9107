/* SPDX-License-Identifier: GPL-3.0-or-later */
/* feasible.h -- whether there are velocities at all that a problem allows. Private to src/problems.
 *
 * Equalities want u = 0, what can only push u >= 0 (the normal of a contact, a row with one bound),
 * other rows want nothing. By the lemma of Farkas (1902) no velocities do that iff impulses z exist
 * that act on no body, W z = 0, that push where they can only push, and for which z . q < 0: the
 * rows of z contradict each other. They are the direction in which the solution of
 *
 *   min  1/2 r . (W + eps D) r + q . r,   D = diag W,
 *
 * grows without bound as eps goes to 0, while eps D r, which is what the rows miss, stays. */
#ifndef NS_PROBLEMS_FEASIBLE_H
#define NS_PROBLEMS_FEASIBLE_H

#include "problems/mechanical.h"

/* 1: the rows contradict each other by more than sqrt(tol) of the largest |q_i|; part [m], may be
 * NULL: 1 in the rows that do. 0: they do not, or there are more than 48 rows that want something.
 */
int ns_mechanical_infeasible(const ns_mechanical *p, double tol, unsigned char *part);

#endif
