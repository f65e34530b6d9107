/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export.h -- the numbers of a result for other programs: tables as CSV or JSON, moving points for
 * ParaView.
 *
 * Tables go to any stream; whether all of it could be written is known to its owner
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
  double from, to; /* s; NaN: from the beginning, to the end */
  size_t every;    /* each so many rows, and the last; 0 or 1: all */
  /* NULL: systems by the names of their coordinates; else see export_points.h [npoints] */
  const char *const *points;
  int npoints;
  size_t frames; /* at most so many; 0: 1001, of XDMF fewer for many points */
} ns_export_options;

/* Rows that the options ask for, ascending; memory of a. NS_USAGE where there are none but rows
 * elsewhere. */
int ns_export_rows(ns_ctx *c, ns_result *r, const ns_export_options *o, ns_arena *a, size_t **rows,
                   size_t *n);

/* A header, then rows; time first. Of events: the columns of out.events.csv. Of measures: measure,
 * kind, unit, value, time, undefined (why), a row each, of samples one a sample: name[0], name[1]
 * ... */
int ns_export_csv(ns_ctx *c, ns_result *r, const ns_export_options *o, FILE *f);
/* One object: model, status, units, kinds (course.h), "columns" by label and "events" by column,
 * each an array over all rows, so that a data frame is made of either at once; "measures" by name:
 * a number, null or an array of samples. What is not finite is null. */
int ns_export_json(ns_ctx *c, ns_result *r, const ns_export_options *o, FILE *f);

/* Frames drawn and points in each, for the message. */
typedef struct ns_export_size {
  size_t frames, points, rows; /* rows: what there was to choose from */
  int bodies;                  /* points are rigid bodies */
  size_t spheres;              /* so many that they are no surfaces */
} ns_export_size;

/* A series of VTK XML files, path "out.pvd" and out/000000.vtp ...: points with velocity, impulse,
 * angle and index. Of results with shapes and without o->points: surfaces, and out-bodies.pvd and
 * out-contacts.pvd (export_vtk_bodies.c). */
int ns_export_vtk(ns_ctx *c, ns_result *r, const ns_export_options *o, const char *path,
                  ns_export_size *size);
/* "out.xmf", which says where in the HDF5 file the points stand (XDMF 2). NS_USAGE for CSV. */
int ns_export_xdmf(ns_ctx *c, ns_result *r, const ns_export_options *o, const char *path,
                   ns_export_size *size);

#endif
