/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export.h -- exports the numbers of a result: tables as CSV or JSON, moving points for ParaView.
 *
 * Tables are written to any stream. The owner of the stream checks for write errors
 * (export_file.h). */
#ifndef NS_IO_EXPORT_EXPORT_H
#define NS_IO_EXPORT_EXPORT_H

#include "io/results/result.h"

#include <stdio.h>

typedef enum ns_export_what {
  NS_EXPORT_ROWS,   /* quantities over time */
  NS_EXPORT_EVENTS, /* the table of events */
  NS_EXPORT_MEASURES,
  NS_EXPORT_ALL /* JSON: all of them; CSV: rows */
} ns_export_what;

typedef struct ns_export_options {
  ns_export_what what;
  const char *const *quantities; /* patterns of ns_result_match [n]; none: all */
  int n;
  double from, to; /* s; NaN: from the beginning and to the end */
  size_t every;    /* every n-th row, and the last; 0 or 1: all */
  /* NULL: systems by the names of their coordinates; else see export_points.h [npoints] */
  const char *const *points;
  int npoints;
  size_t frames; /* maximum number; 0: 1001, fewer in XDMF for many points */
} ns_export_options;

/* Rows selected by the options, ascending, allocated in a. NS_USAGE if there are none in the
 * interval but some outside. */
int ns_export_rows(ns_ctx *c, ns_result *r, const ns_export_options *o, ns_arena *a, size_t **rows,
                   size_t *n);

/* Write a header, then rows; time first. Events: the columns of out.events.csv. Measures: columns
 * measure, kind, unit, value, time, undefined (the reason), one row per measure, for samples one
 * row per value: name[0], name[1] ... */
int ns_export_csv(ns_ctx *c, ns_result *r, const ns_export_options *o, FILE *f);
/* Write one object: model, status, units, kinds (course.h), "columns" by label and "events" by
 * column, each an array over all rows, so that either can be converted to a data frame; "measures"
 * by name: a number, null or an array of samples. Non-finite values become null. */
int ns_export_json(ns_ctx *c, ns_result *r, const ns_export_options *o, FILE *f);

/* Size of an export, for the message. */
typedef struct ns_export_size {
  size_t frames, points, rows; /* rows: number of rows available */
  int bodies;                  /* points are rigid bodies */
  size_t spheres;              /* number of spheres drawn as points, too many for surfaces */
} ns_export_size;

/* Write a series of VTK XML files, path "out.pvd" and out/000000.vtp ...: points with velocity,
 * impulse, angle and index. For results with shapes, and without o->points: surfaces, and
 * out-bodies.pvd and out-contacts.pvd (export_vtk_bodies.c). */
int ns_export_vtk(ns_ctx *c, ns_result *r, const ns_export_options *o, const char *path,
                  ns_export_size *size);
/* Write "out.xmf", which refers to the points in the HDF5 file (XDMF 2). NS_USAGE for CSV. */
int ns_export_xdmf(ns_ctx *c, ns_result *r, const ns_export_options *o, const char *path,
                   ns_export_size *size);

#endif
