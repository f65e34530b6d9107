/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mesh.h -- shapes as triangles, in their own axes, counterclockwise from outside. */
#ifndef NS_IO_MESH_H
#define NS_IO_MESH_H

#include "base/arena.h"
#include "io/result_scene.h"

typedef struct ns_triangles {
  int nvertices, ntriangles;
  double *vertex; /* [3 nvertices] m */
  int *triangle;  /* [3 ntriangles] */
} ns_triangles;

/* Round shapes have `around` segments about their axis; a plane is a square of this edge. Vertices are on the surface. Memory of
 * a. 0: out of memory. */
int ns_mesh_of_shape(ns_arena *a, const ns_scene_shape *s, int around, double edge, ns_triangles *m);

#endif
