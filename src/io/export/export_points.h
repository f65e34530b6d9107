/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_points.h -- which columns of a result are where points are, and at which rows they are
 * shown.
 *
 * Without a wish of the user each mechanical system whose coordinates are called x, y or z (any of
 * them), or that has two, three or seven without names, is a point: x y z, or the first three. What
 * else it has of coordinates gives its angle: the first one of them. Its velocities and impulses
 * are those of the same coordinates. A wish is "[NAME=]X,Y,Z": labels of columns, patterns of them,
 * or numbers. */
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
  int has_v, has_p, has_angle; /* some point has: else all are 0 */
  size_t *rows;                /* frames [nrows]; of rows at one time the last */
  double *t;                   /* their times [nrows], s */
  size_t nrows, asked;         /* asked: before they were thinned to the number of frames */
} ns_export_points;

/* All rows that the options ask for. Memory of a. NS_USAGE: no points, names that are not there. */
int ns_export_points_make(ns_ctx *c, ns_result *r, const ns_export_options *o, ns_arena *a,
                          ns_export_points *p);
/* The rows alone: p gets no points. */
int ns_export_points_rows(ns_ctx *c, ns_result *r, const ns_export_options *o, ns_arena *a,
                          ns_export_points *p);
/* Leave at most so many frames at equal distances in rows, and the last. */
void ns_export_points_thin(ns_export_points *p, size_t most);
/* Columns of channel i, by rows [nrows x ncol]: read once, kept. NULL and a failure in c. */
typedef struct ns_export_banks {
  double **bank; /* [nchannels] */
} ns_export_banks;
int ns_export_banks_read(ns_ctx *c, ns_result *r, const ns_export_points *p, ns_arena *a,
                         ns_export_banks *b);
double ns_export_value_at(const ns_export_banks *b, const ns_result_meta *m,
                          const ns_export_value *x, size_t row);

#endif
