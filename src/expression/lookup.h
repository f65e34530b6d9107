/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lookup.h -- tables of numbers in formulas.
 *
 * A lookup has an axis of knots x_0 < ... < x_(n-1) and a row of entries for each piece: row k for
 * x_k <= x < x_(k+1), row -1 for x < x_0, row n-1 for x >= x_(n-1). A table in a formula is
 * expressed by arithmetic on three operations,
 *
 *   position(x)   k + (x - x_k)/(x_(k+1) - x_k): continuous and increasing, so that its floor is
 *                 the piece. Beyond the ends it is bounded within half a piece
 *   piece(x)      floor(position(x)) if the pieces join smoothly: not a switch (freeze.h), unless
 *                 second derivatives matter and those of the pieces jump
 *   entry(k, j)   column j of row k; for a k between two rows, in sliding motion along a jump,
 *                 their weighted mean
 *
 * For example, with the columns x_k, c0, c1 a linear table is c0 + c1 (x - x_k), k =
 * floor(position(x)). Derivatives, bounds, and events at knots then follow from the rules for
 * floor, sums and products.
 *
 * In a graph a lookup is a constant with its address as value, so that all passes over graphs
 * support it. Addresses of user space are below 2^53 on supported machines, so that a double
 * represents them exactly; ns_lookup_create refuses others. */
#ifndef NS_EXPRESSION_LOOKUP_H
#define NS_EXPRESSION_LOOKUP_H

#include "base/arena.h"

typedef struct ns_lookup ns_lookup;

/* Of the knots x [n >= 2], finite and ascending, and entry [(n+1) x cols] by rows, that of row -1
 * first; all are copied to `a`, which must outlive the formulas, and so must name. bends: 1 if
 * second derivatives of the pieces that piece(x) selects jump at knots. NULL: out of memory. */
const ns_lookup *ns_lookup_create(ns_arena *a, const char *name, int n, const double *x, int cols,
                                  const double *entry, int bends);
/* The constant that stands for it. */
double ns_lookup_handle(const ns_lookup *t);

const char *ns_lookup_name(double handle);
int ns_lookup_bends(double handle);

/* The operations; NaN of NaN. entry: k and j are cut to the rows and columns, j to a whole number.
 */
double ns_lookup_position(double handle, double x);
double ns_lookup_slope(double handle, double x); /* of position */
double ns_lookup_entry(double handle, double k, double j);

#endif
