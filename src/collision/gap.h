/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gap.h -- gaps of two shapes as functions that are smooth as long as the same parts of them are
 * nearest.
 *
 * Event-driven runs find roots of gaps and differentiate them twice. A pair of shapes has one gap
 * or several, `which` of them: of round shapes one; of a shape on a plane one for each corner, end
 * or rim, as each of them is nearest to it by itself. A round shape is nearest to another by its
 * centre x, whose nearest point lies in a side, on an edge or at a corner: the gap has continuous
 * first derivatives in x, and second ones within each of these regions (Voronoi regions; Ericson
 * 2005, 5.1). A region may be frozen: its side, edge or corner then goes on beyond its ends, and
 * ns_gap_room tells how far it is to them.
 *
 * Two polygons of the plane have a gap for each corner of either: its distance from the sides of
 * the other, the largest one, as it is inside where all of them are negative. Its region is a side;
 * where a closed corner leaves its side at an end it is no contact any more (ns_gap_is_sharp), and
 * the corner that it has passed may be one. Of sides that a corner is on alike the one counts that
 * parts the two polygons most, so boxes that are flush meet.
 *
 * Each rim of a cylinder has one to a plane for its lowest point, as long as its cap is tilted;
 * where that lies flat every point is the lowest, and eight that are fixed on it have gaps. They
 * begin at the point that was the lowest when the cap came down.
 *
 * A disk has a gap for each link of a chain, of which it stays on one side; a sphere one for each
 * triangle of a mesh, which holds from outside alone.
 *
 * Two capsules have one for each end of either, and one where their axes cross between their ends.
 * The gaps of the second's ends count where those are nearest to the side of the first, the last
 * where the axes do cross: elsewhere they are longer than the one that is nearer there.
 *
 * So have a capsule and a polyhedron: one for each end and each corner, and some where the axis
 * crosses edges. Two polyhedra have one for each corner of either, as polygons have, and for each
 * edge of the one some where it crosses edges of the other. An edge that lies on a face crosses two
 * of its sides, so there is one gap for each colour of the edges of the other (polytope.h): that of
 * the nearest edge of that colour.
 *
 * Where one of two polygons or polyhedra is rounded, corners are balls about those of its core, and
 * nearest to sides, edges or corners of the other as the centre of a ball is. Of two corners that
 * are nearest to each other the gap of the first's counts.
 *
 * A polygon and a chain have a gap for each corner of the polygon and each link, and for each
 * corner of the chain. */
#ifndef NS_COLLISION_GAP_H
#define NS_COLLISION_GAP_H

#include "collision/touch.h"

/* Gaps of a and b; 0: they have none of that kind. */
int ns_gaps_of(const ns_shape *a, const ns_shape *b);
/* Regions of each of them: 1 where it is smooth everywhere, 2 where it has several. */
int ns_gap_regions(const ns_shape *a, const ns_shape *b);
/* 1 for corners of polygons and polyhedra that are not rounded: their contacts end with their
 * regions. */
int ns_gap_is_sharp(const ns_shape *a, const ns_shape *b);
/* 1 of a cylinder and a plane: its gaps are in a region while they are open, too, and those fixed
 * on a rim where they were when the cap came to lie flat. The first two are those of the lowest
 * points of its rims, which in region 0 are that at any tilt. */
int ns_gaps_are_rims(const ns_shape *a, const ns_shape *b);
/* 1 where some contacts end with their regions; where that of gap `which` does. */
int ns_gap_may_end(const ns_shape *a, const ns_shape *b);
int ns_gap_ends(const ns_shape *a, const ns_shape *b, int which);
/* That of the nearest point; was: the one up to now, -1: none. */
int ns_gap_region(const ns_placed *a, const ns_placed *b, int which, int was);
/* m: how far it is to the end of a region; < 0 outside. inf of one that is all there is. */
double ns_gap_room(const ns_placed *a, const ns_placed *b, int which, int region);
/* Nearest points, in a region where one is given, -1: whichever. */
void ns_gap_touch(const ns_placed *a, const ns_placed *b, int which, int region, ns_touch *t);

/* How what carries a shape moves: x at the velocity v, turning at w, all in the world. */
typedef struct ns_twist {
  double x[3], v[3], w[3];
} ns_twist;

/* The same touch, and the rates of its normal and of the point of that shape which has the nearest
 * point fixed on it, or on a circle, or of a place where edges cross; `at` is that point. */
void ns_gap_rates(const ns_placed *a, const ns_placed *b, int which, int region,
                  const ns_twist *of_a, const ns_twist *of_b, ns_touch *t, double *at,
                  double *at_rate, double *n_rate);

#endif
