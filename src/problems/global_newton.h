/* SPDX-License-Identifier: GPL-3.0-or-later */
/* global_newton.h -- global friction problems (global.h) solved as they stand, without the operator
 * of the contacts.
 *
 * With F(u, r) the maps of Alart & Curnier (1991) of the friction blocks and r - P(r - rho u) of
 * the boxes, A = dF/du and B = dF/dr block by block, the next iterate (v, r) solves
 *
 *   [ M      -H ] [ v ]   [ q                               ]
 *   [ A H^T   B ] [ r ] = [ A (u_k - b) + B r_k - F(u_k, r_k) ],    u = H^T v + b     (Acary,
 *             Bremond & Huber 2018, section 4)
 *
 * by a sparse LU: memory and time grow with the entries of M and H, where W = H^T M^-1 H is full as
 * soon as many contacts touch one flexible body. The first rows are linear, so that the dynamics
 * hold to rounding in every iterate. In the plane F is piecewise linear: steps end exactly, and as
 * long as no contact changes between open, stick and slip the factors serve again.
 *
 * Where Newton stalls, ADMM on the same matrix with A = 1, B = 1/rho (Acary, Bremond & Huber 2018,
 * section 5) leads to another start; a Jacobian that is singular (contacts that depend on others)
 * gets the diagonal alpha A in B, which moves no solution. */
#ifndef NS_PROBLEMS_GLOBAL_NEWTON_H
#define NS_PROBLEMS_GLOBAL_NEWTON_H

#include "problems/global.h"

typedef struct ns_global_newton ns_global_newton;

/* p is read now and at every solve; its structure (M, row, col, blocks, kind) stays. Every row of M
 * stores its diagonal; a row of H^T has a velocity once. Failures: NS_NOMEM; NS_NUMERIC where it is
 * too large. */
int ns_global_newton_create(ns_ctx *c, const ns_global *p, const ns_mechanical_options *opt,
                            ns_global_newton **out);
void ns_global_newton_destroy(ns_global_newton *s); /* NULL-safe */
size_t ns_global_newton_bytes(const ns_global_newton *s);
size_t ns_global_newton_entries(const ns_global_newton *s);
/* M, H, mu, lb or ub have other values than at the last solve. */
void ns_global_newton_renew(ns_global_newton *s);
/* The blocks with active[a] [nb] (NULL: all); the others have r = 0. r [m]: in, a guess; out, the
 * solution, or the best there is. u [m]: out, of active blocks. v [n]: out. The residual of the
 * outcome is that of global.h over the active blocks, the contacts' part over max(|b|, |u|, |r|).
 * What was solved before does not count. Does not allocate. */
int ns_global_newton_solve(ns_global_newton *s, const unsigned char *active, double *r, double *u,
                           double *v, ns_outcome *out);

#endif
