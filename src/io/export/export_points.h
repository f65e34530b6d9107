/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_points.h -- selects the columns of a result that are points, and the rows that are frames.
 *
 * By default, a point is a mechanical system that has coordinates named x, y or z (any of them), or
 * two, three or seven coordinates without names: it is at x y z, or at the first three coordinates.
 * If coordinates have names and are fewer than seven, the first of the others is its angle. Its
 * velocities and impulses are those of the same coordinates. The user may instead define points as
 * "[NAME=]X,Y,Z": labels of columns, patterns of them, or numbers. */
#ifndef NS_IO_EXPORT_EXPORT_POINTS_H
#define NS_IO_EXPORT_EXPORT_POINTS_H

#include "io/export/export.h"

typedef struct ns_export_value {
  int channel; /* -1: a constant */
  int component;
  double constant;
} ns_export_value;

typedef struct ns_export_point {
  const char *name;
  ns_export_value x[3], v[3], p[3]; /* m, m/s, N s */
  ns_export_value angle;            /* rad */
} ns_export_point;

typedef struct ns_export_points {
  ns_export_point *point; /* [n] */
  size_t n;
  int has_v, has_p, has_angle; /* at least one point has them; else all are 0 */
  size_t *rows;                /* frames [nrows]; of rows at the same time, the last */
  double *t;                   /* their times [nrows], s */
  size_t nrows, asked;         /* asked: number before they were reduced to the number of frames */
} ns_export_points;

/* Points at all rows that the options select, allocated in a. NS_USAGE: no points, or unknown
 * names. */
int ns_export_points_make(ns_ctx *c, ns_result *r, const ns_export_options *o, ns_arena *a,
                          ns_export_points *p);
/* The rows only: p gets no points. */
int ns_export_points_rows(ns_ctx *c, ns_result *r, const ns_export_options *o, ns_arena *a,
                          ns_export_points *p);
/* Keep at most `max` frames, evenly spaced in rows, and the last. */
void ns_export_points_thin(ns_export_points *p, size_t max);
/* Columns of channel i, by rows [nrows x ncol]: read once and stored. NULL, and a failure in c, on
 * error. */
typedef struct ns_export_banks {
  double **bank; /* [nchannels] */
} ns_export_banks;
int ns_export_banks_read(ns_ctx *c, ns_result *r, const ns_export_points *p, ns_arena *a,
                         ns_export_banks *b);
double ns_export_value_at(const ns_export_banks *b, const ns_result_meta *m,
                          const ns_export_value *x, size_t row);

#endif
