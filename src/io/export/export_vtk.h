/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_vtk.h -- private to export_vtk*.c: a series of PolyData files, and the .pvd file that
 * lists their times.
 *
 * Format: VTK User's Guide, "VTK File Formats", XML formats, ASCII data. The .pvd file is written
 * last, so that an interrupted export lists no missing frames. */
#ifndef NS_IO_EXPORT_EXPORT_VTK_H
#define NS_IO_EXPORT_EXPORT_VTK_H

#include "io/export/export_bodies.h"

enum { NS_VTK_FRAMES = 1001 }; /* default maximum */

typedef struct ns_vtk_series {
  ns_ctx *c;
  char *folder;     /* "dir/out" for "dir/out.pvd"; owned */
  const char *base; /* "out", within folder */
} ns_vtk_series;

/* Create the folder. The caller frees s->folder in any case. */
int ns_vtk_series_make(ns_ctx *c, const char *path, ns_vtk_series *s);
/* Write frame i to folder/PREFIX000000.vtp by calling put with a stream. */
int ns_vtk_frame(const ns_vtk_series *s, const char *prefix, size_t i,
                 int (*put)(const void *from, size_t i, FILE *f), const void *from);
/* Write the .pvd file at `path` for such frames at the times t [n]. */
int ns_vtk_times(const ns_vtk_series *s, const char *path, const char *prefix, const double *t,
                 size_t n);

void ns_vtk_begin(const char *name, const char *type, int components, FILE *f);
void ns_vtk_end(FILE *f);
/* Begin a file; verts: number of points that are cells. */
void ns_vtk_begin_piece(size_t points, size_t verts, size_t polys, FILE *f);
void ns_vtk_end_piece(FILE *f);
/* Write from, from + step ... [n] as an array of this name. */
void ns_vtk_count(const char *name, const char *type, size_t from, size_t step, size_t n, FILE *f);
/* Write n cells of one point each. */
void ns_vtk_verts(size_t n, FILE *f);

/* Write bodies as surfaces, path "out.pvd"; as points, "out-bodies.pvd"; their contacts,
 * "out-contacts.pvd". */
int ns_export_vtk_bodies(ns_ctx *c, ns_result *r, const ns_export_options *o, const char *path,
                         ns_export_size *size);

#endif
