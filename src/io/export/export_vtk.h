/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_vtk.h -- private to export_vtk*.c: series of PolyData files and the .pvd that names their
 * times.
 *
 * Source of the format: VTK User's Guide, "VTK File Formats", XML formats, ASCII data. A .pvd is
 * written last: what an export that was cut short leaves names no frame that is not there. */
#ifndef NS_IO_EXPORT_EXPORT_VTK_H
#define NS_IO_EXPORT_EXPORT_VTK_H

#include "io/export/export_bodies.h"

enum { NS_VTK_FRAMES = 1001 }; /* at most, where nobody asks for more */

typedef struct ns_vtk_series {
  ns_ctx *c;
  char *folder;     /* "dir/out", of "dir/out.pvd"; owned */
  const char *base; /* "out", within folder */
} ns_vtk_series;

/* Make the folder. free(s->folder) in any case. */
int ns_vtk_series_make(ns_ctx *c, const char *path, ns_vtk_series *s);
/* Frame i to folder/PREFIX000000.vtp by put, which gets a stream. */
int ns_vtk_frame(const ns_vtk_series *s, const char *prefix, size_t i,
                 int (*put)(const void *from, size_t i, FILE *f), const void *from);
/* The .pvd at `path` of such frames at the times t [n]. */
int ns_vtk_times(const ns_vtk_series *s, const char *path, const char *prefix, const double *t,
                 size_t n);

void ns_vtk_begin(const char *name, const char *type, int components, FILE *f);
void ns_vtk_end(FILE *f);
/* Begin of a file; verts: each point is one cell. */
void ns_vtk_begin_piece(size_t points, size_t verts, size_t polys, FILE *f);
void ns_vtk_end_piece(FILE *f);
/* from, from + step ... [n] as an array of this name. */
void ns_vtk_count(const char *name, const char *type, size_t from, size_t step, size_t n, FILE *f);
/* Each point a cell. */
void ns_vtk_verts(size_t n, FILE *f);

/* Bodies as surfaces, path "out.pvd"; as points, "out-bodies.pvd"; what touches them,
 * "out-contacts.pvd". */
int ns_export_vtk_bodies(ns_ctx *c, ns_result *r, const ns_export_options *o, const char *path,
                         ns_export_size *size);

#endif
