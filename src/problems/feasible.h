/* SPDX-License-Identifier: GPL-3.0-or-later */
/* feasible.h -- whether any velocities satisfy the rows of a problem. Private to src/problems.
 *
 * Equalities require u = 0; rows that can only push (the normal of a contact, a row with one bound)
 * require u >= 0; other rows require nothing. By Farkas' lemma (1902) no velocities satisfy all
 * rows if and only if there are impulses z with W z = 0 (no effect on any body), z_i >= 0 in rows
 * that can only push, and z . q < 0: the rows of z are inconsistent. z is the direction in which
 * the solution of
 *
 *   min  1/2 r . (W + eps D) r + q . r,   D = diag W,
 *
 * grows without bound as eps goes to 0, while eps D r, the violation of the rows, tends to a
 * limit. */
#ifndef NS_PROBLEMS_FEASIBLE_H
#define NS_PROBLEMS_FEASIBLE_H

#include "problems/mechanical.h"

/* 1: the rows are inconsistent by more than sqrt(tol) max |q_i|; part [m], may be NULL, is set to 1
 * in these rows. 0: they are consistent, or the problem is too large: more than 48 rows with a
 * requirement, or more than 400 rows. */
int ns_mechanical_infeasible(const ns_mechanical *p, double tol, unsigned char *part);

#endif
