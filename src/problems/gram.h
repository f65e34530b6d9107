/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gram.h -- linear systems with a semidefinite Gram matrix of few rows; unknowns of linearly
 * dependent rows are 0. Private to src/problems. */
#ifndef NS_PROBLEMS_GRAM_H
#define NS_PROBLEMS_GRAM_H

enum { NS_GRAM_ROWS = 48 };

/* A = L D L^T without pivoting, n <= NS_GRAM_ROWS; A(i, j) = A[i + j NS_GRAM_ROWS]. The lower
 * triangle is read and overwritten by L below the diagonal and, on it, 1 / D, or 0 if the pivot is
 * <= `vanished` times the diagonal entry of A: the row then depends on those before it. */
static const double NS_GRAM_VANISHED = 1e-12; /* rounding */
void ns_gram_factor(int n, double vanished, double *A);
/* The same with pivoting: the largest pivot first, relative to the diagonal entry of A (Higham
 * 2002, section 10.3), so that nearly dependent rows come last, where their small pivots affect no
 * other row. order [n]: index of each row in A. Returns the largest relative pivot treated as 0; 0
 * if there is none. */
double ns_gram_factor_pivoted(int n, double vanished, double *A, int *order);
/* b := a solution of A x = b that is 0 in dependent rows; if there is none, the solution of the
 * other rows. */
void ns_gram_solve(int n, const double *L, double *b);

#endif
