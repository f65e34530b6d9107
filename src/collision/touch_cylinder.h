/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touch_cylinder.h -- private to touch_cylinder*.c: a cylinder against a polytope, a capsule or
 * another cylinder.
 *
 * First, the direction n from the other shape to the cylinder with the largest separation
 *
 *   s(n) = -h1(-n) - h2(n),   h the support functions,
 *
 * is found: the distance if they are apart, and minus the smallest displacement that separates them
 * if they overlap. It is the largest of finitely many stationary values: on normals of faces and
 * caps, on products of axis and edge, and from axis to corner in closed form; for a rim on an edge
 * or on a side, by a root on an arc; for a rim on a rim, by Newton's method on the sphere. Then the
 * contact points along n: for faces and caps, the corners of their common area; for parallel lines,
 * both ends; otherwise one point.
 *
 * Measured against libccd 2.1 (tolerances 1e-12) on logs, coins and blocks of size 1 that overlap
 * by 1e-3, 1e-6 and 1e-9, 300 poses each: MPR has depths to 1e-11 but normals off by 1e-6 to 1e-5,
 * of parallel logs by 5e-3 at 1e-6 and by 1.3 at 1e-9; EPA fails below 1e-6 (errors of depths up to
 * 2). Neither gives gaps of separate shapes, or more than one point. Here errors of gaps and
 * normals are below 1e-14 in all these cases (tests/collision/test_rest), at any gap. */
#ifndef NS_COLLISION_TOUCH_CYLINDER_H
#define NS_COLLISION_TOUCH_CYLINDER_H

#include "collision/touch_parts.h"

/* A cylinder, or the axis of a capsule with a radius all round. */
typedef struct ns_rod {
  double c[3], u[3], L, R; /* centre, unit axis, half length, radius */
  int round;
} ns_rod;

/* The cylinder, or with `round` the capsule, that is `a`, in the axes of another, and its own axes
 * R there; of a cone the cylinder about it. */
void ns_rod_of(const ns_placed *a, const ns_placed *in, int round, ns_rod *r, double *R);

/* In the axes of the second. */
typedef struct ns_duel {
  const ns_placed *first, *second;
  ns_rod a;
  double Ra[9], Rb[9];  /* of the cylinders' own axes, for points of rims */
  const ns_polytope *q; /* the second, or NULL and: */
  ns_rod b;
  const ns_allowed *only; /* of q; NULL: all normals */
  double size, margin;
  ns_touches *t;
  int first_touch; /* of this pair in t */
} ns_duel;

typedef enum ns_encounter {
  NS_ON_FACE,  /* of the second polytope: which */
  NS_ON_CAP_1, /* of the first */
  NS_ON_CAP_2,
  NS_ON_LINES, /* side against side, or against an edge: which */
  /* side or rim of the first at a point of the second: corner `which`, or the rim or end of a rod
   */
  NS_ON_POINT,
  NS_ON_RIM /* rim of the first against the second: edge `which`, or a rod */
} ns_encounter;

typedef struct ns_parting {
  double s, n[3];
  ns_encounter kind;
  int which;
} ns_parting;

/* Largest s, of normals of faces and caps and of all; 0 where it is at least the margin. */
int ns_duel_part(const ns_duel *k, ns_parting *flat, ns_parting *best);
/* Touches along it. What is along the normal of a face but for a tilt below 1.4e-3 is taken to lie
 * on it, each point with its gap. */
void ns_duel_touch(const ns_duel *k, const ns_parting *flat, const ns_parting *best);

/* Parts of it, for cones, whose base is a cap of the cylinder about them: the cap of the first that
 * looks against n on face f of the second, on the cap of the second; the line of one rod over the
 * cap of the other; the face of the second that looks most along n. */
void ns_duel_disc_on_face(const ns_duel *k, const double *n, int f);
void ns_duel_disc_on_disc(const ns_duel *k, const double *n);
void ns_duel_line_on_disc(const ns_duel *k, const double *n, int cap_is_second);
int ns_duel_facing(const ns_duel *k, const double *n);

/* Directions cos f1 + sin f2 across a line; the difference of the points of both shapes that are
 * farthest along one, of which the part across it is the gradient of s on the sphere; what is done
 * with a top of s. */
typedef struct ns_arc {
  double f1[3], f2[3];
  void (*difference)(const void *self, const double *n, double *d);
  void (*top)(const void *self, const double *n);
  const void *self;
} ns_arc;

/* All tops between two angles that some of the pieces rise to and fall from. */
void ns_arc_tops(const ns_arc *g, double from, double to, int pieces);
/* Normals of an edge, between those of its faces: f1, f2; returns the angle, from 0. */
double ns_arc_of_edge(const ns_edge *e, ns_arc *g);

/* A cap that leans by more than this, rad, has no fixed points of its rim as contacts that are next
 * to the lowest one: the cosine of the angle between them, seen from the axis, is above
 * NS_RIM_NEXT. */
#define NS_RIM_LEANS 1e-3
#define NS_RIM_NEXT 0.7072

/* Farthest point of a rod along n; on a rim or an end where it is not one, that of the middle. */
static inline void ns_rod_support(const ns_rod *r, const double *n, double *x)
{
  double along = ns_dot3(n, r->u), m[3];
  ns_axpy3(n, -along, r->u, m);
  if (r->round) memcpy(m, n, sizeof m);
  else ns_unit3(m);
  ns_axpy3(r->c, along > 0 ? r->L : along < 0 ? -r->L : 0, r->u, x);
  ns_axpy3(x, r->R, m, x);
}

/* |n x u| without the cancellation of 1 - (n.u)^2 */
static inline double ns_across(const double *n, const double *u)
{
  double c[3];
  ns_cross3(n, u, c);
  return ns_norm3(c);
}

static inline double ns_rod_reach(const ns_rod *r, const double *n)
{
  return r->L * fabs(ns_dot3(n, r->u)) + (r->round ? r->R : r->R * ns_across(n, r->u));
}

#endif
