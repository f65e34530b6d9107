/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mesh.h -- surfaces of triangles: meshes, and height fields on a grid.
 *
 * Vertices of triangles are counterclockwise as seen from outside: a surface, closed or not, acts
 * only from there. Edges are flat, convex or concave; triangles connected by flat edges form a
 * patch, which acts like a plane. Nearby triangles are found with a tree of bounding boxes; for a
 * height field, whose triangles are not stored, with its grid. Triangle 2 c is below the diagonal
 * of cell c, which begins at the corner with the smallest x and y, and 2 c + 1 is above it. */
#ifndef NS_COLLISION_MESH_H
#define NS_COLLISION_MESH_H

#include "algebra/rotation.h"
#include "base/arena.h"
#include "base/context.h"

/* A box around triangles first .. first + count - 1 of `order`; count 0: around the nodes that
 * follow, up to `past`. */
typedef struct ns_mesh_node {
  double low[3], high[3];
  int first, count, past;
} ns_mesh_node;

typedef struct ns_mesh {
  int nvertices, ntriangles;
  double low[3], high[3]; /* bounding box */
  int *patch;             /* [ntriangles] */
  unsigned char *sharp;   /* vertices on a convex edge: 1, on a border: 2 [nvertices] */
  /* of a mesh */
  double *vertex; /* [3 nvertices] */
  /* vertices; the triangle across the side from each to the next, -1: border [3 ntriangles] */
  int *corner, *across;
  double *normal;    /* [3 ntriangles] */
  int *owner;        /* one of its triangles [nvertices] */
  int *first, *ring; /* vertices joined to v: ring[first[v] .. first[v+1]) */
  ns_mesh_node *node;
  int nnodes, *order;
  /* of a field: vertex i + columns j at (i dx, j dy, height) from the middle of the grid */
  int columns, rows; /* 0: a mesh */
  double dx, dy;
  double *height; /* [columns rows] */
} ns_mesh;

/* Create a mesh; data are copied, and vertices at the same position are merged. Messages begin with
 * `at`. NS_MODEL, with the index from 1: a coordinate that is not finite, a missing vertex, a
 * triangle without area, an edge of more than two triangles or of two with the same orientation. */
int ns_mesh_create(ns_ctx *c, const char *at, ns_arena *a, int nvertices, const double *vertex,
                   int ntriangles, const int *corner, ns_mesh **m);
/* The same, but edges of more than two triangles, and of two with the same orientation, are borders
 * of each, where the surface is not smooth. *loose: their number. */
int ns_mesh_create_loose(ns_ctx *c, const char *at, ns_arena *a, int nvertices,
                         const double *vertex, int ntriangles, const int *corner, ns_mesh **m,
                         int *loose);
/* height[i + columns j]: x runs fastest; at least 2 x 2, dx and dy positive. NS_MODEL. */
int ns_mesh_field(ns_ctx *c, const char *at, ns_arena *a, int columns, int rows, double dx,
                  double dy, const double *height, ns_mesh **m);
/* Volume, centre [3] and inertia about it [3 x 3] of a closed mesh for density 1, by tetrahedra
 * from a point to its triangles (divergence theorem; Mirtich 1996; Tonon 2004). NS_MODEL: not
 * closed (with the position), or inside out. */
int ns_mesh_solid(ns_ctx *c, const char *at, const ns_mesh *m, double *volume, double *centre,
                  double *inertia);

/* Nodes of the tree of boxes over triangles; NS_NOMEM. */
int ns_mesh_tree(ns_mesh *m, ns_arena *a);
/* Call found for each triangle whose box overlaps low .. high, in an order that depends only on the
 * mesh. */
void ns_mesh_near(const ns_mesh *m, const double *low, const double *high,
                  void (*found)(void *to, int triangle), void *to);

/* ---- parts of triangles, stored or computed -------------------------------------------------- */

void ns_mesh_vertex(const ns_mesh *m, int v, double *x);
void ns_mesh_corners(const ns_mesh *m, int triangle, int *corner);
void ns_mesh_normal(const ns_mesh *m, int triangle, double *n);
/* The triangle across side k, -1: a border. */
int ns_mesh_across(const ns_mesh *m, int triangle, int k);
/* One triangle of each vertex. */
int ns_mesh_owner(const ns_mesh *m, int v);
/* Vertices joined to v; ring holds 6 for a field, borrowed for a mesh. */
int ns_mesh_ring(const ns_mesh *m, int v, int *field_ring, const int **ring);

/* > 0 convex, 0 flat, < 0 concave: sine of the angle between normals n of a triangle and m of that
 * across its side along the unit vector e; below 1e-7 it is flat. */
static inline double ns_mesh_fold(const double *n, const double *m, const double *e)
{
  double c[3], s;
  ns_cross3(n, m, c);
  s = ns_dot3(c, e);
  return fabs(s) < 1e-7 ? 0 : s;
}

#endif
