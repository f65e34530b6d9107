/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expm.h -- exponential of a matrix, and the response of a linear system to a constant input.
 *
 * Scaling and squaring with the Pade approximant of degree 13 (Higham 2005, SIAM J. Matrix Anal.
 * Appl. 26:1179-1193). Matrices are dense, by columns. These functions allocate; they are for
 * initialisation. */
#ifndef NS_ALGEBRA_EXPM_H
#define NS_ALGEBRA_EXPM_H

#include "base/context.h"

/* E = exp(A), [n x n]; A and E may be the same. NS_NUMERIC if an entry is not finite, NS_NOMEM. */
int ns_expm(ns_ctx *c, int n, const double *A, double *E);

/* x' = A x + w with constant w over h seconds: x(h) = Phi x(0) + Psi w,
 *
 *   Phi = exp(h A),  Psi = int_0^h exp(s A) ds,  exp(h [A, I; 0, 0]) = [Phi, Psi; 0, I]
 *                                                                          (Van Loan 1978)
 *
 * A [n x n] may be singular. Phi, Psi [n x n]. Errors as above. */
int ns_expm_hold(ns_ctx *c, int n, const double *A, double h, double *Phi, double *Psi);

#endif
