/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lookup.h -- tables of numbers in formulas.
 *
 * A lookup has an axis of knots x_0 < ... < x_(n-1) and a row of entries for each of its pieces:
 * row k is that of x_k <= x < x_(k+1), row -1 that of x < x_0, row n-1 that of x >= x_(n-1). A
 * table in a formula is ordinary arithmetic on three operations,
 *
 *   position(x)   k + (x - x_k)/(x_(k+1) - x_k): grows without jumps, so its floor is the piece.
 *                 Beyond the ends it stays within half a piece, however far x is
 *   piece(x)      floor(position(x)) where the pieces meet smoothly: no switch (freeze.h) is made
 *                 of it
 *   entry(k, j)   column j of row k; between two rows, where a motion slides along a jump, their
 *                 mean, weighted by k
 *
 * e.g. with the columns x_k, c0, c1 it is c0 + c1 (x - x_k) of k = floor(position(x)). So
 * derivatives, bounds, and the events at knots follow from the rules that there are for floor, sums
 * and products.
 *
 * In a graph a lookup is a constant, its address as a number: every pass carries constants along
 * already. Addresses of user space are below 2^53 on the machines that this runs on, where a double
 * holds them exactly; ns_lookup_create refuses others. */
#ifndef NS_EXPRESSION_LOOKUP_H
#define NS_EXPRESSION_LOOKUP_H

#include "base/arena.h"

typedef struct ns_lookup ns_lookup;

/* Of the knots x [n >= 2], finite and ascending, and entry [(n+1) x cols] by rows, that of row -1
 * first; all are copied to `a`, which must outlive the formulas, and so must name. NULL: out of
 * memory. */
const ns_lookup *ns_lookup_create(ns_arena *a, const char *name, int n, const double *x, int cols,
                                  const double *entry);
/* The constant that stands for it. */
double ns_lookup_handle(const ns_lookup *t);

const char *ns_lookup_name(double handle);

/* The operations; NaN of NaN. entry: k and j are cut to the rows and columns, j to a whole number.
 */
double ns_lookup_position(double handle, double x);
double ns_lookup_slope(double handle, double x); /* of position */
double ns_lookup_entry(double handle, double k, double j);

#endif
