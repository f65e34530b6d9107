/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_quaternion.h -- compares unit quaternions: q and -q are the same rotation.
 *
 * The last four of seven coordinates of a system, or four columns named by the options, are treated
 * as a quaternion if their norm is 1 in all rows of both results. Signs in A are chosen such that
 * the quaternion does not jump between rows, and signs in B, row by row, such that it is close to
 * A. Its components are then compared like all others. */
#ifndef NS_IO_COMPARE_COMPARE_QUATERNION_H
#define NS_IO_COMPARE_COMPARE_QUATERNION_H

#include "io/compare/compare_curve.h"
#include "io/compare/compare_pairs.h"

typedef struct ns_compare_quaternion {
  size_t pair[4];      /* indices into the pairs, ascending */
  double *a[4], *b[4]; /* columns with the chosen signs [rows of each result]; NULL: not read */
} ns_compare_quaternion;

typedef struct ns_compare_quaternions {
  ns_compare_quaternion *q; /* [n], ascending pair[0] */
  size_t n;
} ns_compare_quaternions;

/* Find the quaternions of which all four components are compared. Allocated in arena. NS_USAGE:
 * names of the options that are not compared. */
int ns_compare_quaternions_find(ns_ctx *c, const ns_result_meta *a, const ns_result_meta *b,
                                const ns_compare_pairs *p, const ns_compare_options *o,
                                ns_arena *arena, ns_compare_quaternions *all);
/* Read the columns and choose signs. *unit: 0 if the norm is not 1; nothing is then changed. */
int ns_compare_quaternion_read(ns_ctx *c, ns_result *a, ns_result *b, const ns_compare_pairs *p,
                               const ns_compare_grid *g, ns_arena *arena, ns_compare_quaternion *q,
                               int *unit);

#endif
