/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gap.h -- gaps of two shapes as functions that are smooth while the same parts of the shapes are
 * nearest.
 *
 * Event-driven runs find roots of gaps and differentiate them twice. A pair of shapes has one or
 * several gaps, with the index `which`: two round shapes have one; a shape on a plane has one for
 * each corner, end or rim. For a round shape with centre x, the point of the other shape nearest to
 * x is on a side, an edge or a corner: the gap has continuous first derivatives in x, and second
 * ones within each of these regions (Voronoi regions; Ericson 2005, 5.1). A region may be frozen:
 * its side, edge or corner is then extended beyond its ends, and ns_gap_clearance is the distance
 * to them.
 *
 * Two polygons in the plane have a gap for each corner of either: its largest signed distance from
 * the sides of the other, because the corner is inside if all distances are negative. Its region is
 * a side. If a closed corner leaves its side at an end the contact ends (ns_gap_is_sharp), and the
 * corner that it has passed may become one. If a corner is at the same distance from several sides,
 * the side that separates the two polygons most counts, so that flush boxes touch.
 *
 * Each rim of a cylinder has a gap to a plane for its lowest point while its cap is tilted. When
 * the cap lies flat every point is lowest, and 16 corners of a polygon about the rim have gaps,
 * beginning with a side at the point that was lowest when the cap came down. The same of a cone,
 * and a gap of its tip.
 *
 * A disk has a gap for each link of a chain, and remains on one side of it; a sphere has one for
 * each triangle of a mesh, which acts only from outside.
 *
 * Two capsules have a gap for each end of either, and one for the crossing of their axes. The gaps
 * of the second's ends are active if they are nearest to the side of the first, and the last one if
 * the axes cross between their ends; otherwise these are longer than the nearest one.
 *
 * Similarly, a capsule and a polyhedron have a gap for each end and each corner, and some for
 * crossings of the axis with edges. Two polyhedra have one for each corner of either, like
 * polygons, and for each edge of the first some for crossings with edges of the second. An edge
 * that lies on a face crosses two of its sides, so there is one gap for each colour of the edges of
 * the second (polytope.h): that of the nearest edge of the colour.
 *
 * If one of two polygons or polyhedra is rounded, its corners are balls around the corners of its
 * core, whose gaps are those of round shapes. If two corners are nearest to each other, the gap of
 * the corner of the first counts.
 *
 * A capsule, a box or a hull has a gap to a mesh for each end or corner and each triangle, for each
 * vertex of the mesh on a convex edge, and for each edge, or axis, and each convex edge of the mesh
 * (gap_mesh.c). A cylinder or a cone has the same, with the points of its rims that it has over a
 * plane, or its tip, for corners, and two gaps of each rim and each convex edge.
 *
 * A polygon and a chain have a gap for each corner of the polygon and each link, and for each
 * corner of the chain.
 *
 * A cylinder and a capsule, a box, a hull or another cylinder have a gap for each end or corner of
 * that about the cylinder, some for crossings of its axis with the axis or the edges, two for each
 * rim and these, of which that of the nearest edge of a colour counts (gap_circle.c), and over
 * faces and caps those of a rim over a plane, over the face that they are nearest to. A cone has
 * the same, and one of its tip. Two of them have these both ways round, and two for each pair of
 * rims; a rim and the side of a cone have two, too.
 *
 * A gap with index NS_NO_GAP is one that is never active: what stands in for a gap of parts that
 * are far from each other. */
#ifndef NS_COLLISION_GAP_H
#define NS_COLLISION_GAP_H

#include "collision/touch.h"

enum { NS_NO_GAP = -1 };

/* Number of gaps of a and b; 0: not supported. */
int ns_gaps_of(const ns_shape *a, const ns_shape *b);
/* 0 for gaps that are never active: of vertices and edges of a mesh that are flat or concave. */
int ns_gap_is_used(const ns_shape *a, const ns_shape *b, int which);
/* Number of the others. */
int ns_gaps_in_use(const ns_shape *a, const ns_shape *b);
/* Number of regions of each gap: 1 if it is smooth everywhere, 2 if it has several. */
int ns_gap_regions(const ns_shape *a, const ns_shape *b);
/* Gaps with a mesh of which those of near parts are enough: call `found` for each of those in use
 * whose parts are nearer to each other than margin, in an order that depends only on the shapes;
 * some farther ones are among them. */
typedef void ns_gap_found(void *to, int which);
int ns_gaps_are_local(const ns_shape *a, const ns_shape *b);
void ns_gaps_near(const ns_placed *a, const ns_placed *b, double margin, ns_gap_found *found,
                  void *to);
/* Where the other shape is in axes of the mesh: centre c, rotation R. */
void ns_gap_pose_on_mesh(const ns_placed *a, const ns_placed *b, double *c, double *R);
/* 1 for corners of polygons and polyhedra that are not rounded: their contacts end with their
 * regions. */
int ns_gap_is_sharp(const ns_shape *a, const ns_shape *b);
/* 1 for a cylinder or a cone and a plane: its gaps have a region also while they are open, and
 * those of points fixed on a rim have the region in which the cap came to lie flat. The first two
 * gaps are those of the lowest points of the rims, or of rim and tip, in region 0 at any tilt. */
int ns_gaps_are_rims(const ns_shape *a, const ns_shape *b);
/* 1 if the gap has a region also while it is open: those of rims over planes, and those of points
 * fixed on a rim over faces. */
int ns_gap_lasts(const ns_shape *a, const ns_shape *b, int which);
/* Of two that last on a mesh: 1 if `which` begins as `other` did, which has this region: fixed
 * points of a cap that lies flat are the same over all triangles. */
int ns_gap_begins_as(const ns_shape *a, const ns_shape *b, int which, int other, int region);
/* _may_end: 1 if some contacts end with their regions. _ends: 1 if that of gap `which` does. */
int ns_gap_may_end(const ns_shape *a, const ns_shape *b);
int ns_gap_ends(const ns_shape *a, const ns_shape *b, int which);
/* Region of the nearest point; was: the previous region, -1: none. */
int ns_gap_region(const ns_placed *a, const ns_placed *b, int which, int was);
/* Distance to the end of a region, m; < 0 outside; inf if there is only one region. */
double ns_gap_clearance(const ns_placed *a, const ns_placed *b, int which, int region);
/* Nearest points, in a given region; -1: in any. */
void ns_gap_touch(const ns_placed *a, const ns_placed *b, int which, int region, ns_touch *t);

/* How far the middle of a, a body in space, is below the surface of b, a closed mesh, m; 0: it is
 * outside, or b is none. There it is behind all triangles, which hold from outside. */
double ns_gap_depth_inside(const ns_placed *a, const ns_placed *b);

/* Motion of the body with a shape: point x with velocity v, angular velocity w, in world axes. */
typedef struct ns_twist {
  double x[3], v[3], w[3];
} ns_twist;

/* The same touch, with the rates of its normal and of the point `at`: the nearest point of the
 * shape on which this point is fixed, or lies on a fixed circle; or the crossing of edges. */
void ns_gap_rates(const ns_placed *a, const ns_placed *b, int which, int region,
                  const ns_twist *of_a, const ns_twist *of_b, ns_touch *t, double *at,
                  double *at_rate, double *n_rate);

#endif
