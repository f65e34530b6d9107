/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shape.h -- shapes for contact: solids and surfaces in local axes.
 *
 *   plane      the half space z <= 0, its normal along z
 *   sphere     radius about the origin
 *   capsule    all within `radius` of the segment from -half[2] to half[2] on the z axis
 *   cylinder   radius about the z axis, from -half[2] to half[2]
 *   cone       of base radius `radius` at -half[2] of the z axis, with its tip at half[2]
 *   box        |x_i| <= half[i]
 *   hull       convex polyhedron (polytope.h)
 *              box, hull and polygon may be rounded: all points within `radius` of a core, whose
 *              faces are moved inwards by radius, so that the faces of the shape do not move
 *   mesh       surface of triangles or height field (mesh.h); touches all shapes except planes and
 *              meshes
 *
 * and in the plane z = 0, where a plane whose normal lies in it is a half plane,
 *
 *   disk       radius about the origin
 *   polygon    convex, its corners counterclockwise
 *   chain      segments from corner to corner: a two-sided surface; touches disks and polygons
 *
 * Read-only after creation; any number of bodies may have the same shape. Lengths in m. */
#ifndef NS_COLLISION_SHAPE_H
#define NS_COLLISION_SHAPE_H

#include "algebra/rotation.h"
#include "base/arena.h"
#include "collision/mesh.h"
#include "collision/polytope.h"

typedef enum ns_shape_kind {
  NS_SHAPE_PLANE,
  NS_SHAPE_SPHERE,
  NS_SHAPE_CAPSULE,
  NS_SHAPE_CYLINDER,
  NS_SHAPE_BOX,
  NS_SHAPE_HULL,
  NS_SHAPE_MESH,
  NS_SHAPE_DISK,
  NS_SHAPE_POLYGON,
  NS_SHAPE_CHAIN,
  NS_SHAPE_CONE,
  NS_SHAPE_KINDS
} ns_shape_kind;

typedef struct ns_shape {
  ns_shape_kind kind;
  double radius, half[3];      /* if the kind has them; otherwise 0 */
  const ns_polytope *polytope; /* of box and hull; the core of a rounded one */
  const ns_mesh *mesh;
  /* of polygon and chain, or of the core; closed: a segment goes from the last corner to the first
   */
  int ncorners, closed;
  const double *corner; /* [2 ncorners] */
  double reach;         /* of its farthest point from the origin; infinite for a plane */
} ns_shape;

/* A shape in the world: x = at + R X. */
typedef struct ns_placed {
  const ns_shape *shape;
  double at[3], R[9];
} ns_placed;

/* Solid angle of the triangle of unit vectors a b c, > 0 where a x b looks to the side of c (Van
 * Oosterom & Strackee 1983). */
double ns_solid_angle(const double *a, const double *b, const double *c);

/* Properties of the solid with mass 1: volume (m^3; in the plane area, m^2), centre [3], and
 * inertia about the centre [3 x 3], in its axes. Returns 0 for planes, and for meshes if
 * ns_mesh_solid fails. */
int ns_shape_solid(const ns_shape *s, double *volume, double *centre, double *inertia);

/* 0: out of memory. Sizes are positive; the caller has checked them. */
int ns_shape_plane(ns_shape *s);
int ns_shape_sphere(ns_shape *s, double radius);
int ns_shape_capsule(ns_shape *s, double radius, double half);
int ns_shape_cylinder(ns_shape *s, double radius, double half);
int ns_shape_cone(ns_shape *s, double radius, double half);
int ns_shape_box(ns_shape *s, ns_arena *a, const double *half);
/* Of a polytope that outlives it. */
int ns_shape_hull(ns_shape *s, const ns_polytope *p);
/* Of a mesh or field that outlives it. */
int ns_shape_mesh(ns_shape *s, const ns_mesh *m);

int ns_shape_disk(ns_shape *s, double radius);
/* Create from n corners [2 n], copied. Messages begin with `at`. NS_MODEL: fewer than 3 or more
 * than NS_POLYTOPE_CORNERS corners, not finite, two consecutive equal corners, clockwise, or not
 * convex. */
int ns_shape_polygon(ns_shape *s, ns_ctx *c, const char *at, ns_arena *a, int n,
                     const double *corner);
/* The same with at least 2 corners, or 3 if closed. */
int ns_shape_chain(ns_shape *s, ns_ctx *c, const char *at, ns_arena *a, int n, const double *corner,
                   int closed);

/* Round edges and corners of a box, a hull or a polygon by the radius r > 0, in place: the union of
 * all balls of that radius inside it (its opening). Messages begin with `at`. NS_MODEL: r is not
 * less than the depth of its centre. */
int ns_shape_round(ns_shape *s, ns_ctx *c, const char *at, ns_arena *a, double r);
/* Radius of rounding of a box or hull; otherwise 0. */
static inline double ns_shape_skin(const ns_shape *s) { return s->polytope ? s->radius : 0; }

/* Distance of the centre [3] of p from its nearest face. */
double ns_polytope_depth(const ns_polytope *p, double *centre);
/* The polyhedron that remains if the faces of p are moved inwards by r, < 0: outwards. NS_MODEL:
 * nothing remains around its centre. */
int ns_polytope_moved(ns_ctx *c, const char *at, ns_arena *a, const ns_polytope *p, double r,
                      ns_polytope **core);

/* For pictures of a rounded box or hull: a polyhedron with the faces of the shape and some points
 * of the rounding. */
int ns_shape_facets(const ns_shape *s, ns_ctx *c, ns_arena *a, ns_polytope **p);
/* Likewise of a polygon: its corners [2 n], n = ns_shape_outline(s, NULL), at most
 * NS_OUTLINE_CORNERS. */
enum { NS_OUTLINE_CORNERS = 5 * NS_POLYTOPE_CORNERS };
int ns_shape_outline(const ns_shape *s, double *corner);

/* Box around it in world axes, wider by margin. Infinite for planes. */
void ns_placed_bounds(const ns_placed *p, double margin, double *low, double *high);

/* _in: a point of the world in the axes of p; _out: the inverse. */
static inline void ns_placed_in(const ns_placed *p, const double *world, double *local)
{
  double d[3];
  ns_sub3(world, p->at, d);
  ns_mul3t(p->R, d, local);
}
static inline void ns_placed_out(const ns_placed *p, const double *local, double *world)
{
  ns_mul3(p->R, local, world);
  ns_axpy3(world, 1, p->at, world);
}

#endif
