/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_curve.h -- two columns over two grids of time.
 *
 * The grid holds, for each row of B, where in A its value is found: between rows at and at + 1 with
 * a weight, after the time was mapped. It is made once and serves all columns.
 *
 * Where two rows have the same time, the first is the value before a jump and the second that after
 * it: nothing is interpolated between them. */
#ifndef NS_IO_COMPARE_COMPARE_CURVE_H
#define NS_IO_COMPARE_COMPARE_CURVE_H

#include "io/compare/compare.h"
#include "io/compare/compare_time.h"

typedef struct ns_compare_grid {
  const double *ta, *tb;   /* times of rows [na], [nb], ascending */
  size_t na, nb;           /* rows up to the end that is compared */
  size_t all_a;            /* rows of A: those beyond the end serve interpolation */
  size_t *at;              /* row of A at or before each row of B [nb] */
  double *weight;          /* of row at + 1, 0 .. 1 [nb] */
  char *near;              /* an event is near: jumps are not compared [nb] */
  double *safe_a, *safe_b; /* corresponding times without an event near [nsafe], ascending */
  size_t nsafe;
} ns_compare_grid;

typedef struct ns_compare_rule {
  double rtol, atol;
  double nominal; /* least scale */
  int jumps;      /* leave out rows near events */
  int exact_rows; /* leave out rows that have no partner row: nothing to interpolate */
  int held;       /* between rows the value is that of the row after (course.h), else linear */
  int mean;       /* in sums: of an amount by the time since the row before */
  double stop;    /* later rows do not count, s */
} ns_compare_rule;

/* Fill at and weight; times within slack are the same. */
void ns_compare_grid_place(ns_compare_grid *g, const ns_time_map *m, double slack);
/* Mark rows of B within (t - w, t + w). */
void ns_compare_grid_mark(ns_compare_grid *g, double t, double w);
/* Value of A at row i of B, of what is linear between rows. */
double ns_compare_at(const ns_compare_grid *g, const double *ya, size_t i);
/* The same of what is held. */
double ns_compare_held_at(const ns_compare_grid *g, const double *ya, size_t i);

/* Linear interpolation of a column over ascending t at s, 0 <= *hint < n the row to begin at (in,
 * out); NaN outside. */
double ns_curve_at(const double *t, const double *y, size_t n, double s, size_t *hint);

/* ya [all_a], yb [nb]. Fill rows, skipped, differ, first, worst of q. */
void ns_compare_rows(const ns_compare_grid *g, const double *ya, const double *yb,
                     const ns_compare_rule *r, ns_compare_quantity *q);
/* The same for impulses over the steps that end at the rows: their sums between safe times. */
void ns_compare_sums(const ns_compare_grid *g, const double *ya, const double *yb,
                     const ns_compare_rule *r, ns_compare_quantity *q);

#endif
