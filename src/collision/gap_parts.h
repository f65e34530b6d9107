/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gap_parts.h -- private to gap*.c: the parts of two shapes to which a gap belongs.
 *
 *   gap.c           which gaps a pair has; points of one shape near the other
 *   gap_regions.c   regions about a shape: the nearest point of it, smooth in each region
 *   gap_corner.c    corners of polygons and polyhedra: the side that each is on
 *   gap_rim.c       rims of a cylinder or a cone over a plane, a face, a cap
 *   gap_circle.c    rims against lines, the side of a cone and other rims
 *   gap_mesh.c      points near triangles; the gaps of a body with edges and a mesh
 *   gap_crossing.c  axes, edges and sides of cones that cross
 *   gap_near.c      which gaps of a body and a mesh are near */
#ifndef NS_COLLISION_GAP_PARTS_H
#define NS_COLLISION_GAP_PARTS_H

#include "collision/gap.h"

#include <math.h>

/* What a rim of a cylinder or a cone meets, if the gap is of one. */
typedef enum ns_gap_rim {
  NS_RIM_NONE,
  NS_RIM_FACE,
  NS_RIM_LINE,
  NS_RIM_RIM,
  NS_RIM_SIDE /* of a cone */
} ns_gap_rim;

/* Part of the shape with the point, axis or edge; it is the second of the pair if `turned`. */
typedef struct ns_gap_part {
  int crosses; /* 1: an axis or edge; 0: a point */
  int turned;
  int index; /* index of the point or edge; 0 for an axis */
  /* link of the chain that is near, or whose corner it is; triangle of the mesh that is near, of
   * a crossing three times that and the side */
  int link;
  int colour;     /* crossings, rims and lines: colour of the edges of the other */
  ns_gap_rim rim; /* index: of faces as in gap_rim.c; else the rim, that of the other, the side */
} ns_gap_part;

/* A point of one shape about another. */
typedef struct ns_meeting {
  const ns_placed *first, *second; /* the first has the point */
  ns_gap_part part;
  int region;
  double x[3], radius, distance; /* of x, in the world, from the core of the second */
  double local[3];               /* x in the axes of the second */
} ns_meeting;

static inline int ns_is_polygon(const ns_shape *s) { return s->kind == NS_SHAPE_POLYGON; }
static inline int ns_is_mesh(const ns_shape *s) { return s->kind == NS_SHAPE_MESH; }
static inline int ns_is_cone(const ns_shape *s) { return s->kind == NS_SHAPE_CONE; }
/* It has rims and caps, as many. */
static inline int ns_is_revolved(const ns_shape *s)
{
  return s->kind == NS_SHAPE_CYLINDER || ns_is_cone(s);
}
static inline int ns_caps_of(const ns_shape *s) { return ns_is_cone(s) ? 1 : 2; }
/* Of the points of a cone (ns_gap_points_of) the one that is not of its rim. */
static inline int ns_is_tip(const ns_shape *s, int point) { return ns_is_cone(s) && point == 1; }
/* Index of the gaps of a rim, by cap and side, of those that a body has: two of each rim. */
static inline int ns_rim_index(const ns_shape *s, int which)
{
  return which % ns_caps_of(s) + 2 * (which / ns_caps_of(s));
}
static inline int ns_is_chain(const ns_shape *s) { return s->kind == NS_SHAPE_CHAIN; }
static inline int ns_chain_links(const ns_shape *s) { return s->ncorners - !s->closed; }
/* Length of the smaller of two. */
static inline double ns_gap_size(const ns_placed *a, const ns_placed *b)
{
  return fmin(a->shape->reach, b->shape->reach);
}
/* 1 where they cannot touch. */
static inline int ns_gap_are_far(const ns_placed *a, const ns_placed *b)
{
  double d[3];
  ns_sub3(a->at, b->at, d);
  return ns_norm3(d) > a->shape->reach + b->shape->reach;
}

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

/* ---- gap_regions.c: a point x about a shape, all in the axes of the shape ---- */

/* Number of regions; 0: the shape has no such gaps. */
int ns_regions_about(const ns_shape *s);
/* Region of x; which: the link of a chain, the triangle of a mesh. */
int ns_region_about(const ns_shape *s, int which, const double *x);
/* Distance from x to the end of a region; < 0 outside, inf where it has no end. */
double ns_region_clearance(const ns_shape *s, int which, int region, const double *x);
/* Nearest point y of the core of a shape, about which it has its radius, and the unit vector n from
 * there to x. */
void ns_region_nearest(const ns_shape *s, int which, int region, const double *x, double *y,
                       double *n);
/* Radius about the core: the surfaces of a cylinder and of a cone are their own cores. */
double ns_core_radius(const ns_shape *s);
/* Regions of a cylinder: those of -z before those of z. A cone has the same side and first cap. */
enum { NS_CYLINDER_SIDE, NS_CYLINDER_CAPS, NS_CYLINDER_RIMS = NS_CYLINDER_CAPS + 2 };
/* How far x is beyond the side of a cylinder or a cone, and beyond its caps. */
void ns_beyond_revolved(const ns_shape *s, const double *x, double *side, double *cap);
/* Side or cap of a cylinder or a cone that the corner of a body, or its tip, at x in its axes, is
 * on: at a rim that which parts the two most. */
int ns_corner_on_revolved(const ns_placed *revolved, const ns_placed *body, int corner,
                          const double *x);
/* What the point nearest to x moves on, in a region: a line along u, a circle about the axis u. */
typedef enum ns_core { NS_CORE_FLAT, NS_CORE_LINE, NS_CORE_POINT, NS_CORE_CIRCLE } ns_core;
ns_core ns_core_of(const ns_shape *s, int which, int region, const double *x, double *u);
/* Distance from x to what its normal turns about, if `distance` is that from the core: the normals
 * of the sides of cylinders and cones turn about the axis. */
double ns_region_lever(const ns_shape *s, int region, const double *x, double distance);
/* Side k of a polygon or a chain: its begin a, unit vector u along it; returns its length. */
double ns_side_of(const ns_shape *s, int k, double *a, double *u);
/* Normal n of the point y: straight from it to x; concentric ones are parted along z, in the plane
 * along y. */
void ns_gap_from_point(const ns_shape *s, const double *y, const double *x, double *n);
/* Nearest point y to x of the plane through a. */
void ns_gap_from_plane(const double *a, const double *normal, const double *x, double *y,
                       double *n);

/* ---- gap_corner.c ---- */

/* How far a plane with the normal n in axes of the second, at `offset` along it, parts that from
 * the first: a polygon, a polyhedron or a cone, a mesh about its vertex `at`. */
double ns_gap_parts(const ns_placed *first, int at, const ns_placed *second, const double *n,
                    double offset);
/* Side of the second that its corner is the farthest from; if it is on several, one of them. */
int ns_corner_region(const ns_meeting *m);
/* A link as a polygon sees it, in the world: begin, unit vector along it, unit normal towards the
 * middle of the polygon. */
typedef struct ns_line {
  double a[3], u[3], n[3], length;
} ns_line;
void ns_link_line(const ns_placed *chain, int link, const ns_placed *polygon, ns_line *l);
/* 0: the corner x of the polygon, in the world, may be on the link; NS_BESIDE: another one is. */
enum { NS_BESIDE = 1 };
int ns_link_region(const ns_placed *polygon, const ns_line *l, const double *x);

/* ---- gap_rim.c: points of the rims of the cylinder a, or the rim and the tip of the cone, over
 * the plane b ---- */

/* Of either rim the lowest point, 0 and 1, and points that are fixed about it; the tip of a cone is
 * a rim without fixed ones. Regions of these are the directions in which they begin, as parts of a
 * turn; in region NS_RIM_BACK a point stands back. */
enum { NS_RIM_POINTS = 16, NS_RIM_BACK = 1 << 30 };
/* The lowest point has region 0 where the cap is tilted, the fixed ones have one where it lies
 * flat, that of before if they had one. */
int ns_rim_region(const ns_placed *a, const ns_placed *b, int which, int was);
double ns_rim_clearance(const ns_placed *a, const ns_placed *b, int which, int region);
/* Point `which`, in the world. The fixed ones are corners of a polygon about the rim: a cap that
 * tilts over a side of it goes on upon the rim without a step, and over a corner comes down on
 * that. */
void ns_rim_point(const ns_placed *a, const ns_placed *b, int which, int region, double *x);
/* Adds to `rate`, that of the point as one fixed on the body, what it is more for the lowest point,
 * which moves about the rim. n, n_rate: normal of the plane. */
void ns_rim_rate(const ns_meeting *m, const ns_twist *of, const double *n, const double *n_rate,
                 double *rate);

/* The same points of the cylinder `first` over faces of a polyhedron, caps of a cylinder, or a
 * triangle of a mesh. Regions of the lowest points are those of the faces (gap_regions.c), those of
 * the fixed ones as above, odd where the point is beside the face; over triangles these begin
 * within the first side of the polygon, so that each point is known to within a side. Where a gap
 * stands back, _touch and _rates return 0. */
int ns_rim_face_region(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                       int was);
double ns_rim_face_clearance(const ns_placed *first, const ns_placed *second,
                             const ns_gap_part *part, int region);
/* Points of a cap of the first that are nearer to triangle k of the mesh than a margin, or may come
 * to it while no point of the body moves by more; one of the fixed ones also where another is.
 * which [1 + NS_RIM_POINTS]; returns their number. */
int ns_rim_points_near(const ns_placed *first, const ns_placed *mesh, int cap, int k, double margin,
                       int *which);
int ns_rim_face_touch(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                      int region, ns_touch *t);
int ns_rim_face_rates(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                      int region, const ns_twist *of_first, const ns_twist *of_second,
                      double *at_rate, double *n_rate);

/* ---- gap_circle.c: as the functions of gap.h for parts with a rim, which the first has ---- */

int ns_circle_region(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                     int was);
double ns_circle_clearance(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                           int region);
void ns_circle_touch(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                     int region, ns_touch *t);
/* The gap, if it is < 0, is no deeper than a cylinder or a cone and another shape overlap, or
 * little more: those of parts at their backs are. */
int ns_gap_is_overlap(const ns_placed *first, const ns_placed *second, double gap);
/* Rates of p1 of t, and of its normal. */
void ns_circle_rates(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                     int region, const ns_twist *of_first, const ns_twist *of_second,
                     const ns_touch *t, double *at_rate, double *n_rate);

/* ---- gap_mesh.c: all in the axes of the mesh ---- */

/* Regions about a triangle: its face, sides, corners, and this. */
enum { NS_BEHIND = 7, NS_ABOUT_TRIANGLE };
int ns_triangle_region(const ns_mesh *m, int triangle, const double *x);
double ns_triangle_clearance(const ns_mesh *m, int triangle, int region, const double *x);
void ns_triangle_nearest(const ns_shape *s, int triangle, int region, const double *x, double *y,
                         double *n);
/* 1 if the region is that of a side, with its direction u. */
int ns_triangle_side(const ns_mesh *m, int triangle, int region, double *u);

/* One of the two is a mesh, the other a capsule, a cylinder, a cone, a box or a hull. */
int ns_gap_is_on_mesh(const ns_shape *a, const ns_shape *b);
/* Rods of the body in gaps with sides of a mesh: edges or the axis; then those of a cylinder or a
 * cone are its rims, at either side of the line. */
int ns_mesh_rods_of(const ns_shape *body);
/* Gaps of such a pair, also those that are not used: `points` of the body, each with each
 * triangle; vertices; `rods` of the body, axis or edges, each with each side of each triangle. */
int ns_mesh_gaps_of(const ns_mesh *m, int points, int rods);
int ns_mesh_gaps_in_use(const ns_mesh *m, int points, int rods);
/* Part of one of them; `turned` if the mesh has the point. */
ns_gap_part ns_mesh_gap_part(const ns_shape *body, const ns_mesh *m, int which);
/* 1: the side is convex or a border, and the triangle the lower of its two. */
int ns_mesh_side_is_convex(const ns_mesh *m, int triangle, int side);
/* Distance of the point x in axes of the mesh from the box around a triangle. */
double ns_mesh_from_box(const ns_mesh *m, int triangle, const double *x);
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

/* x + s u, |s| <= half, with a radius about it; of an edge the outward normals of its faces; of a
 * cone the sine of the angle by which the normals of its side lean along u. */
typedef struct ns_gap_rod {
  double x[3], u[3], half, radius, sine;
  int is_edge;
  double n1[3], n2[3];
} ns_gap_rod;
/* n, or its opposite with sign = -1, is between the normals of the faces of an edge, or beyond them
 * by a tilt. */
int ns_gap_is_between(const ns_gap_rod *r, const double *n, double sign, double tilt);
/* Edge `index`, or axis, in the world. */
void ns_gap_rod_in_world(const ns_placed *p, int index, ns_gap_rod *r);
/* Rate of the unit vector n along a vector of this length that changes at the rate dv. */
void ns_gap_direction_rate(const double *dv, const double *n, double length, double *rate);
/* Distance between an axis or edge of the first and one of the second, in the world; radii are not
 * included. */
double ns_crossing_apart(const ns_placed *first, int index, const ns_placed *second, int other);
/* The side q of a mesh, in the world, is near a body whose middle is before it. */
int ns_gap_faces_side(const ns_placed *body, const ns_gap_rod *q);
/* A gap of the body and that, if it is < 0, is no deeper than the side is in the body, or not by
 * much: those of parts at the back of the body are. */
int ns_gap_is_of_side(const ns_placed *body, const ns_gap_rod *q, double gap);
/* Edges of a polytope; the axis of a capsule, a cylinder or a cone; the one side of a mesh that a
 * part is of. */
int ns_crossing_regions(const ns_shape *s);
/* Index of that of a region, as ns_gap_rod_in_world takes it. */
int ns_crossing_rod(const ns_shape *s, const ns_gap_part *part, int region);
int ns_crossing_colours(const ns_shape *s);
int ns_crossing_colour_of(const ns_shape *s, int edge);
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
