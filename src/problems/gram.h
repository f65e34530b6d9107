/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gram.h -- systems with a Gram matrix of few rows, semidefinite: rows that follow from others
 * carry nothing. Private to src/problems. */
#ifndef NS_PROBLEMS_GRAM_H
#define NS_PROBLEMS_GRAM_H

enum { NS_GRAM_ROWS = 48 };

/* A = L D L^T in its own order, n <= NS_GRAM_ROWS; A(i, j) = A[i + j NS_GRAM_ROWS], its lower
 * triangle is read and overwritten: L below the diagonal, 1 / D on it, or 0 where a pivot is no
 * more than `vanished` of the entry that it came from. Then the row follows from those before it.
 */
static const double NS_GRAM_VANISHED = 1e-12; /* rounding */
void ns_gram_factor(int n, double vanished, double *A);
/* The same with the largest pivot first, each by the entry of A that it came from (Higham 2002,
 * section 10.3): rows that all but follow from others come last, where their small pivots meet no
 * further row. order [n]: the row of A that each is. Returns the largest pivot that vanished, by
 * its entry; 0 where none did. */
double ns_gram_factor_pivoted(int n, double vanished, double *A, int *order);
/* b := A^+ b, a solution that is 0 in the rows that carry nothing; where A x = b has none, what the
 * other rows say. */
void ns_gram_solve(int n, const double *L, double *b);

#endif
