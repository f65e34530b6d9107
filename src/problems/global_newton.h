/* SPDX-License-Identifier: GPL-3.0-or-later */
/* global_newton.h -- friction problems in saddle-point form (global.h) solved directly, without the
 * Delassus matrix.
 *
 * With F(u, r) the maps of Alart & Curnier (1991) of the friction blocks and r - P(r - rho u) of
 * the boxes, A = dF/du and B = dF/dr block by block, the next iterate (v, r) solves
 *
 *   [ M      -H ] [ v ]   [ q                               ]
 *   [ A H^T   B ] [ r ] = [ A (u_k - b) + B r_k - F(u_k, r_k) ],    u = H^T v + b
 *
 * (Acary, Bremond & Huber 2018, section 4) by a sparse LU factorisation. Memory and time grow with
 * the entries of M and H, while W = H^T M^-1 H is a full matrix if many contacts touch one flexible
 * body. The first rows are linear, so that every iterate satisfies the equations of motion to
 * rounding. In the plane F is piecewise linear: Newton's method ends with the exact solution, and
 * the factors are reused as long as no contact changes between open, stick and slip.
 *
 * If Newton's method stagnates, ADMM on the same matrix with A = 1, B = 1/rho (Acary, Bremond &
 * Huber 2018, section 5) provides another initial guess. If the Jacobian is singular because
 * contacts are linearly dependent, alpha A / rho is added to B in each block, which does not change
 * the solutions. */
#ifndef NS_PROBLEMS_GLOBAL_NEWTON_H
#define NS_PROBLEMS_GLOBAL_NEWTON_H

#include "problems/global.h"

typedef struct ns_global_newton ns_global_newton;

/* p is borrowed, and read now and at every solve; its structure (M, row, col, blocks, kind) must
 * not change. Every row of M stores its diagonal; a row of H^T has at most one entry per velocity.
 * Errors: NS_NOMEM; NS_NUMERIC (too large). */
int ns_global_newton_create(ns_ctx *c, const ns_global *p, const ns_mechanical_options *opt,
                            ns_global_newton **out);
void ns_global_newton_destroy(ns_global_newton *s); /* NULL-safe */
size_t ns_global_newton_bytes(const ns_global_newton *s);
size_t ns_global_newton_entries(const ns_global_newton *s);
/* Call this if values of M, H, mu, lb or ub have changed since the last solve. */
void ns_global_newton_renew(ns_global_newton *s);
/* Solve for the blocks with active[a] = 1 [nb] (NULL: all); the others have r = 0. r [m]: in, an
 * initial guess; out, the solution or the best iterate. u [m]: out, of active blocks. v [n]: out.
 * The residual of the outcome is that of global.h over the active blocks, with the contacts' part
 * divided by max(|b|, |u|, |r|). The result does not depend on previous solves. Does not
 * allocate. */
int ns_global_newton_solve(ns_global_newton *s, const unsigned char *active, double *r, double *u,
                           double *v, ns_outcome *out);

#endif
