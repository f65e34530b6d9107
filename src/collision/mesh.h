/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mesh.h -- surfaces of triangles: meshes, and height fields on a grid.
 *
 * Triangles go round counterclockwise from outside: a surface is a boundary that holds from there
 * alone, closed or not. Edges are flat, convex or concave; triangles that flat edges join are one
 * patch, a plane to what touches it. Which triangles are near is asked of a tree of bounding boxes,
 * of a field from its grid: its triangles are not stored. Triangle 2 c is the one below the
 * diagonal of cell c, from its corner of lowest x and y, 2 c + 1 the one above. */
#ifndef NS_COLLISION_MESH_H
#define NS_COLLISION_MESH_H

#include "algebra/rotation.h"
#include "base/arena.h"
#include "base/context.h"

/* A box around triangles first .. first + count of `order`; count 0: around the nodes that follow,
 * up to `past`. */
typedef struct ns_mesh_node {
  double low[3], high[3];
  int first, count, past;
} ns_mesh_node;

typedef struct ns_mesh {
  int nvertices, ntriangles;
  double low[3], high[3]; /* around all */
  int *patch;             /* [ntriangles] */
  unsigned char *sharp;   /* vertices on a convex edge: 1, on a border: 2 [nvertices] */
  /* of a mesh */
  double *vertex; /* [3 nvertices] */
  /* vertices; the triangle across the side from each to the next, -1: a border [3 ntriangles] */
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

/* Copies. Vertices at the same place are one. `at` begins sentences. NS_MODEL: a coordinate that is
 * not finite, a vertex that is not there, a triangle without area, an edge of more than two
 * triangles or of two in the same sense: each with its number, from 1. */
int ns_mesh_create(ns_ctx *c, const char *at, ns_arena *a, int nvertices, const double *vertex,
                   int ntriangles, const int *corner, ns_mesh **m);
/* The same, but edges of more than two triangles, and those of two in the same sense, are borders
 * of each of them: what touches there is no smooth surface. *loose: how many there are. */
int ns_mesh_create_loose(ns_ctx *c, const char *at, ns_arena *a, int nvertices,
                         const double *vertex, int ntriangles, const int *corner, ns_mesh **m,
                         int *loose);
/* height[i + columns j]: x runs fastest; at least 2 x 2, dx and dy positive. NS_MODEL. */
int ns_mesh_field(ns_ctx *c, const char *at, ns_arena *a, int columns, int rows, double dx,
                  double dy, const double *height, ns_mesh **m);
/* What a closed mesh holds: volume, centre [3], and inertia about it for density 1 [3 x 3], by
 * tetrahedra over its triangles from a point on it, the theorem of divergence (Mirtich 1996; Tonon
 * 2004). NS_MODEL: not closed (says where), or inside out. */
int ns_mesh_solid(ns_ctx *c, const char *at, const ns_mesh *m, double *volume, double *centre,
                  double *inertia);

/* Nodes of the tree of boxes over triangles; NS_NOMEM. */
int ns_mesh_tree(ns_mesh *m, ns_arena *a);
/* Calls back for each triangle whose box meets low .. high, in an order that the mesh alone
 * decides. */
void ns_mesh_near(const ns_mesh *m, const double *low, const double *high,
                  void (*found)(void *to, int triangle), void *to);

/* ---- what triangles are made of, stored or not ----------------------------------------------- */

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
