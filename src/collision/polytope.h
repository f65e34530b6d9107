/* SPDX-License-Identifier: GPL-3.0-or-later */
/* polytope.h -- convex polyhedra by vertices, faces and edges.
 *
 * Faces are convex polygons: loops of vertices, counterclockwise from outside, with n.x = d on them
 * and n outwards. Each edge lies between two faces. Created as convex hull of points by Qhull
 * (Barber, Dobkin & Huhdanpaa 1996); coplanar facets are merged. */
#ifndef NS_COLLISION_POLYTOPE_H
#define NS_COLLISION_POLYTOPE_H

#include "base/arena.h"
#include "base/context.h"

enum { NS_POLYTOPE_CORNERS = 128 }; /* most of one face */

typedef struct ns_polytope {
  int nvertices, nfaces, nedges;
  double *vertex;    /* [3 nvertices] */
  double *normal;    /* outward unit vectors [3 nfaces] */
  double *offset;    /* [nfaces] */
  int *first, *loop; /* vertices of face f: loop[first[f] .. first[f+1]) */
  int *side;         /* edge from a vertex of a loop to the next [first[nfaces]] */
  int *edge;         /* vertex, vertex, face, face; the faces are left and right [4 nedges] */
  int ncolours;      /* of edges, so that those of one face have different ones */
  int *colour;       /* [nedges] */
} ns_polytope;

/* The box |x_i| <= half[i]. NULL: out of memory. */
ns_polytope *ns_polytope_box(ns_arena *a, const double *half);

/* Convex hull of n points [3 n], by Qhull: facets that are coplanar to about a millionth of the
 * size are one face; points on or in faces are not vertices; the others keep their coordinates.
 * Messages begin with `at`. NS_MODEL: fewer than 4 points, not finite, on a line or in a plane. */
int ns_polytope_hull(ns_ctx *c, const char *at, ns_arena *a, int n, const double *points,
                     ns_polytope **p);

/* Compute edges from loops; those without a second face are omitted. NS_NOMEM. */
int ns_polytope_connect(ns_polytope *p, ns_arena *a);

/* Vertex farthest along d. */
int ns_polytope_support(const ns_polytope *p, const double *d);

/* Integrals over a solid of 1, x and x x^T, added up over tetrahedra (0, a, b, c) on its faces
 * (Tonon 2004). */
typedef struct ns_moments {
  double volume, first[3], second[9];
} ns_moments;
void ns_moments_add(ns_moments *m, const double *a, const double *b, const double *c);
void ns_moments_solid(const ns_moments *m, double *volume, double *centre, double *inertia);

/* Volume, centre [3], and inertia about it for density 1 [3 x 3]. */
void ns_polytope_solid(const ns_polytope *p, double *volume, double *centre, double *inertia);

#endif
