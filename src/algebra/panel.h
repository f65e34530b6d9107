/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panel.h -- what a panel of pivots does to the columns behind it: the step of a blocked LU
 * factorisation in which nearly all of its work is (Golub & Van Loan 2013, section 3.2.11).
 *
 * Elimination pivot by pivot reads and writes the whole matrix for each of them. A panel of pivots
 * is eliminated in its own columns alone, and then
 *
 *   U = L11^-1 A12,   A22 := A22 - L21 U
 *
 * in tiles that stay in registers. Each entry is changed by the pivots in their order, as
 * elimination one by one does, so that the result is the same to the bit (but for the sign of
 * zeros, and products with infinities). */
#ifndef NS_ALGEBRA_PANEL_H
#define NS_ALGEBRA_PANEL_H

/* Most pivots of a panel; matrices of fewer columns are eliminated pivot by pivot. */
enum { NS_PANEL = 32, NS_BLOCKED = 64 };

/* F [m x m] by rows. Rows and columns first .. first+count-1 are a panel of pivots: below its
 * diagonal and in its columns further down are multipliers (L, with a diagonal of 1). Columns from
 * `from` on, which is first+count or more, follow. */
void ns_panel_apply(double *F, int m, int first, int count, int from);

#endif
