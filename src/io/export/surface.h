/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surface.h -- shapes as triangles in axes of the shape, counterclockwise from outside. */
#ifndef NS_IO_EXPORT_SURFACE_H
#define NS_IO_EXPORT_SURFACE_H

#include "base/arena.h"
#include "io/results/result_scene.h"

typedef struct ns_surface {
  int nvertices, ntriangles;
  double *vertex; /* [3 nvertices] m */
  int *triangle;  /* [3 ntriangles] */
} ns_surface;

/* Triangulate a shape, with vertices on its surface. Round shapes have `around` segments about
 * their axis; a plane is a square with this edge, m. Allocated in a. 0: out of memory. */
int ns_surface_of_shape(ns_arena *a, const ns_scene_shape *s, int around, double edge,
                        ns_surface *m);

#endif
