/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gap_parts.h -- private to gap*.c: the parts of two shapes to which a gap belongs.
 *
 *   gap.c           points of one shape near the other: centres, ends, corners, rims
 *   gap_mesh.c      points near triangles; the gaps of a body with edges and a mesh
 *   gap_crossing.c  axes and edges that cross
 *   gap_near.c      which gaps of a body and a mesh are near */
#ifndef NS_COLLISION_GAP_PARTS_H
#define NS_COLLISION_GAP_PARTS_H

#include "collision/gap.h"

/* Part of the shape with the point, axis or edge; it is the second of the pair if `turned`. */
typedef struct ns_gap_part {
  int crosses; /* 1: an axis or edge; 0: a point */
  int turned;
  int index; /* index of the point or edge; 0 for an axis */
  /* link of the chain that is near, or whose corner it is; triangle of the mesh that is near, of
   * a crossing three times that and the side */
  int link;
  int colour; /* crossings: colour of the edges of the other */
} ns_gap_part;

/* Touch for a gap that is not active because another one replaces it: along the line of the
 * centres, with a gap longer than any between the two shapes. */
void ns_gap_between_centres(const ns_placed *a, const ns_placed *b, ns_touch *t);
/* Rates of its p1 and its normal. */
void ns_gap_rates_between_centres(const ns_placed *a, const ns_placed *b, const ns_twist *of_a,
                                  const ns_twist *of_b, const ns_touch *t, double *at_rate,
                                  double *n_rate);
/* Points of a shape of which one is the nearest to a plane; point `which`, in the world, about
 * which it has *radius. */
int ns_gap_points_of(const ns_shape *s);
void ns_gap_point_of(const ns_placed *a, int which, double *x, double *radius);
/* Velocity of the point x of a body with this motion. */
void ns_twist_at(const ns_twist *of, const double *x, double *v);
/* Remove the component of v along the unit vector n. */
static inline void ns_without3(const double *n, double *v) { ns_axpy3(v, -ns_dot3(n, v), n, v); }

/* Normal n of the point y: straight from it to x; concentric ones are parted along z, in the plane
 * along y. */
void ns_gap_from_point(const ns_shape *s, const double *y, const double *x, double *n);
/* Nearest point y to x of the plane through a. */
void ns_gap_from_plane(const double *a, const double *normal, const double *x, double *y,
                       double *n);

/* ---- gap_mesh.c: all in the axes of the mesh ---- */

/* Regions about a triangle: its face, sides, corners, and this. */
enum { NS_BEHIND = 7, NS_ABOUT_TRIANGLE };
int ns_triangle_region(const ns_mesh *m, int triangle, const double *x);
double ns_triangle_clearance(const ns_mesh *m, int triangle, int region, const double *x);
void ns_triangle_nearest(const ns_shape *s, int triangle, int region, const double *x, double *y,
                         double *n);
/* 1 if the region is that of a side, with its direction u. */
int ns_triangle_side(const ns_mesh *m, int triangle, int region, double *u);

/* One of the two is a mesh, the other a capsule, a box or a hull. */
int ns_gap_is_on_mesh(const ns_shape *a, const ns_shape *b);
/* Gaps of such a pair, also those that are not used: `points` of the body, each with each
 * triangle; vertices; `rods` of the body, axis or edges, each with each side of each triangle. */
int ns_mesh_gaps_of(const ns_mesh *m, int points, int rods);
int ns_mesh_gaps_in_use(const ns_mesh *m, int points, int rods);
/* Part of one of them; `turned` if the mesh has the point. */
ns_gap_part ns_mesh_gap_part(const ns_mesh *m, int points, int rods, int which);
/* 1: the side is convex or a border, and the triangle the lower of its two. */
int ns_mesh_side_is_convex(const ns_mesh *m, int triangle, int side);
/* 0: of a vertex or side that is not convex. */
int ns_mesh_gap_is_used(const ns_mesh *m, const ns_gap_part *part);
/* Region of the point x of a body with its middle at `middle`: on the face of the triangle also
 * behind it, if the body passes through. sharp: the point has no radius, and the face is all that
 * it meets. size: reach of the body. */
int ns_mesh_point_region(const ns_mesh *m, int triangle, const double *x, const double *middle,
                         int sharp, double size);
/* 1 if x is before some triangle at vertex v. */
int ns_mesh_is_before(const ns_mesh *m, int v, const double *x);
/* A point within the body: its origin, the mean of the corners of a hull. In the world. */
void ns_gap_middle(const ns_placed *body, double *middle);

/* ---- gap_crossing.c: as the functions of gap.h, first having the axis or edge; n from the second
 * to it ---- */

/* Distance between an axis or edge of the first and one of the second, in the world; radii are not
 * included. */
double ns_crossing_apart(const ns_placed *first, int index, const ns_placed *second, int other);
/* Edges of a polytope; the axis of a capsule. */
int ns_crossing_regions(const ns_shape *s);
int ns_crossing_colours(const ns_shape *s);
int ns_crossing_region(const ns_placed *first, const ns_placed *second, const ns_gap_part *part);
double ns_crossing_clearance(const ns_placed *first, const ns_placed *second,
                             const ns_gap_part *part, int region);
void ns_crossing_touch(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                       int region, ns_touch *t);
/* Rates of p1 of t, and of its normal. */
void ns_crossing_rates(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                       int region, const ns_twist *of_first, const ns_twist *of_second,
                       const ns_touch *t, double *at_rate, double *n_rate);

#endif
