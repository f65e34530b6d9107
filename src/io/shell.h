/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell.h -- shapes as triangles, in their own axes, counterclockwise from outside. */
#ifndef NS_IO_SHELL_H
#define NS_IO_SHELL_H

#include "base/arena.h"
#include "io/result_scene.h"

typedef struct ns_shell {
  int nvertices, ntriangles;
  double *vertex; /* [3 nvertices] m */
  int *triangle;  /* [3 ntriangles] */
} ns_shell;

/* Round shapes have `around` segments about their axis; a plane is a square of this edge. Vertices are on the surface. Memory of
 * a. 0: out of memory. */
int ns_shell_of_shape(ns_arena *a, const ns_scene_shape *s, int around, double edge, ns_shell *m);

#endif
