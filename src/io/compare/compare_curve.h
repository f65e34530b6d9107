/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_curve.h -- compares two columns on different time grids.
 *
 * For each row of B, the grid contains the position of its mapped time in A: between rows `at` and
 * `at` + 1, with a weight. It is computed once for all columns.
 *
 * If two rows have the same time, the first has the value before a jump and the second the value
 * after it; there is no interpolation between them. */
#ifndef NS_IO_COMPARE_COMPARE_CURVE_H
#define NS_IO_COMPARE_COMPARE_CURVE_H

#include "io/compare/compare.h"
#include "io/compare/compare_time.h"

typedef struct ns_compare_grid {
  const double *ta, *tb; /* times of rows [na], [nb], ascending */
  size_t na, nb;         /* number of rows up to the end of the comparison */
  /* number of all rows of A; those beyond the end are used for interpolation */
  size_t all_a;
  size_t *at;              /* row of A at or before each row of B [nb] */
  double *weight;          /* of row at + 1, 0 .. 1 [nb] */
  char *near;              /* an event is near: jumps are not compared [nb] */
  double *safe_a, *safe_b; /* corresponding times without an event near [nsafe], ascending */
  size_t nsafe;
} ns_compare_grid;

typedef struct ns_compare_rule {
  double rtol, atol;
  double nominal; /* lower bound of the scale */
  int jumps;      /* leave out rows near events */
  int exact_rows; /* leave out rows without a partner row: no interpolation */
  int held;       /* between rows the value is that of the later row (course.h), else linear */
  int mean;       /* in sums: value times the time since the previous row */
  double stop;    /* rows after this time are not compared, s */
} ns_compare_rule;

/* Compute at and weight; times that differ by up to slack are equal. */
void ns_compare_grid_place(ns_compare_grid *g, const ns_time_map *m, double slack);
/* Mark rows of B within (t - w, t + w). */
void ns_compare_grid_mark(ns_compare_grid *g, double t, double w);
/* Value of A at row i of B, interpolated linearly. */
double ns_compare_at(const ns_compare_grid *g, const double *ya, size_t i);

/* Linear interpolation of a column over ascending t at s; NaN outside. *hint: row at which the
 * search begins, 0 <= *hint < n; updated. */
double ns_curve_at(const double *t, const double *y, size_t n, double s, size_t *hint);

/* Compare ya [all_a] with yb [nb]. Sets rows, skipped, differ, first, worst of q. */
void ns_compare_rows(const ns_compare_grid *g, const double *ya, const double *yb,
                     const ns_compare_rule *r, ns_compare_quantity *q);
/* The same for impulses over the steps that end at the rows: their sums between safe times. */
void ns_compare_sums(const ns_compare_grid *g, const double *ya, const double *yb,
                     const ns_compare_rule *r, ns_compare_quantity *q);

#endif
