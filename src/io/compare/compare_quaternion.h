/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_quaternion.h -- unit quaternions: q and -q are one rotation.
 *
 * The last four of seven coordinates of a system, or four columns that the options name, are a
 * quaternion if its norm is 1 in all rows of both sides. Its signs in A are chosen so that it does
 * not jump from row to row, those in B by row so that it is on the side of A; then its components
 * are compared as any others. */
#ifndef NS_IO_COMPARE_COMPARE_QUATERNION_H
#define NS_IO_COMPARE_COMPARE_QUATERNION_H

#include "io/compare/compare_curve.h"
#include "io/compare/compare_pairs.h"

typedef struct ns_compare_quaternion {
  size_t pair[4];      /* indices into the pairs, ascending */
  double *a[4], *b[4]; /* columns, signs chosen [rows of each side]; NULL: not read */
} ns_compare_quaternion;

typedef struct ns_compare_quaternions {
  ns_compare_quaternion *q; /* [n], ascending pair[0] */
  size_t n;
} ns_compare_quaternions;

/* Those of which all four components are compared. Memory of arena. NS_USAGE: names of the options
 * that are not compared. */
int ns_compare_quaternions_find(ns_ctx *c, const ns_result_meta *a, const ns_result_meta *b,
                                const ns_compare_pairs *p, const ns_compare_options *o,
                                ns_arena *arena, ns_compare_quaternions *all);
/* Read its columns and choose signs. *unit: 0 where its norm is not 1, then nothing is changed. */
int ns_compare_quaternion_read(ns_ctx *c, ns_result *a, ns_result *b, const ns_compare_pairs *p,
                               const ns_compare_grid *g, ns_arena *arena, ns_compare_quaternion *q,
                               int *unit);

#endif
