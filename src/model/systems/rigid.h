/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid.h -- the rigid bodies of a model as data: mass, forces, joints, shapes and materials.
 *
 * A body in space has q = (x, p): its centre of mass x in world axes and a unit quaternion p,
 * scalar first, that rotates body axes to world axes; v = (dx/dt in world axes, Omega in body
 * axes). It has 7 coordinates and 6 velocities. A planar body has q = (x, y, angle) and v = dq/dt.
 * SI units, rad. */
#ifndef NS_MODEL_SYSTEMS_RIGID_H
#define NS_MODEL_SYSTEMS_RIGID_H

#include "collision/shape.h"
#include "model/laws/law.h"
#include "model/operator.h"

/* Where the torque -Omega x I Omega is evaluated in a step. */
typedef enum ns_gyroscopic {
  NS_GYROSCOPIC_IMPLICIT, /* theta rule, with its Jacobian */
  /* at the mean angular velocity: conserves the energy of rotation to rounding */
  NS_GYROSCOPIC_MIDPOINT,
  NS_GYROSCOPIC_EXPLICIT, /* at the beginning of the step */
  NS_GYROSCOPIC_NONE      /* omitted: exact for I = i identity */
} ns_gyroscopic;

/* Time in which a body or a shape exists: from its birth until before its death, and in each step
 * of time-stepping whose end is in that time. Otherwise it has no contacts and does not move; its
 * velocity is kept. Few have one: NULL means always. */
typedef struct ns_life {
  double birth, death; /* s; -inf, inf if there is none */
} ns_life;

/* 1 if it exists at t. */
static inline int ns_life_holds(const ns_life *l, double t)
{
  return !l || (l->birth <= t && t < l->death);
}

/* End of a step of length h at t1, as births and deaths are compared with it: with a tolerance for
 * rounding. */
static inline double ns_life_step_end(double t1, double h) { return t1 + 1e-9 * h; }

/* m dx'' = f,  I Omega' + Omega x I Omega = M;  f = fExt - fInt in world axes, M = mExt - mInt in
 * body axes. f and M have 3 entries each; in the plane 2 and 1. */
typedef struct ns_rigid_body {
  double mass;     /* kg */
  double *inertia; /* kg m^2 about the centre of mass in body axes [9]; in the plane [1] */
  ns_gyroscopic gyroscopic;
  ns_operator fext, mext; /* of t, z */
  const ns_life *life;
  int fext_in_body, mext_in_body; /* 1: given in body axes; 0: in world axes */
  ns_operator fint, mint;         /* of t, q, v, z, on the left; in world and in body axes */
  /* [3 x 7], [3 x 6]; ABSENT for a plug-in: by finite differences */
  ns_operator dq_fint, dv_fint, dq_mint, dv_mint;
} ns_rigid_body;

/* ---- joints ---------------------------------------------------------------------------------- */

typedef enum ns_joint_kind {
  NS_JOINT_BALL,
  NS_JOINT_PIVOT,
  NS_JOINT_PRISMATIC,
  NS_JOINT_CYLINDRICAL,
  NS_JOINT_FIXED
} ns_joint_kind;

/* Free coordinates of a joint and their rates at t0, its angle before its slide; NaN: not given. */
typedef struct ns_joint_start {
  double at[2], rate[2];
} ns_joint_start;

/* A joint between body 1 and body 2, or body 1 and the world (a body 2 at the origin without
 * rotation). It is satisfied at the configuration in which it was assembled. In the plane only the
 * first two entries of vectors are used, and the first of reference: angle 2 - angle 1. */
typedef struct ns_joint {
  ns_joint_kind kind;
  int planar;
  int collide; /* 1: shapes of its two bodies can touch */
  /* its point in axes of body 1 and of body 2, of joints without one that of rigid_joint.c */
  double c1[3], c2[3];
  /* its axis and two unit vectors across, right-handed, in axes of body 1 */
  double A[3], V1[3], V2[3];
  double reference[4];         /* p2* p1 at assembly */
  const ns_joint_start *start; /* NULL: initially as assembled */
} ns_joint;

/* Forces along the free coordinates of a joint, angle before slide: a torque about its axis, a
 * force along it, on body 2, with the reaction on body 1. Formulas of t, Z, and NS_BANK_JOINT, the
 * coordinates and their rates. */
typedef struct ns_joint_drive {
  ns_operator force[2]; /* N m or N; ABSENT: none */
  ns_operator by[2];    /* their derivatives with respect to the coordinates, then the rates */
  /* inertia of the coordinate, kg m^2 or kg (rigid_armature.h) */
  double armature[2];
  /* of a ball joint: -stiffness phi - damping omega, of the rotation vector and the angular
   * velocity of body 2 relative to body 1, N m/rad and N m s/rad */
  double stiffness, damping;
} ns_joint_drive;

/* For ball joints: the swing, which is not an angle about a fixed axis; the angular velocity, which
 * is not a coordinate */
enum { NS_AXIS_SWING = 2, NS_AXIS_ALL = 3 };

typedef enum ns_axis_use { NS_AXIS_STOP, NS_AXIS_FRICTION, NS_AXIS_COUPLER } ns_axis_use;

/* Rows on free coordinates of joints: the angle (rad) or slide (m) of body 2 relative to body 1
 * along the axis; or on the length of a tendon.
 *   stop      y = d - lower, and y = upper - d: one row for each limit that is finite
 *   friction  ydot = -d', y = 0; for a ball joint with NS_AXIS_ALL, ydot = -omega, 3 rows in
 *             axes of body 1
 *   coupler   y = d2 - ratio d1 - offset; for a tendon, y = d - offset
 * The interaction's systems are those of the first joint, then those of the second. */
typedef struct ns_joint_axis {
  ns_axis_use use;
  /* d is the length of this tendon, without joints; NULL: d is of joints */
  const struct ns_body_force *line;
  const ns_joint *joint[2]; /* the second only for couplers, otherwise NULL */
  int bodies[2];            /* number of bodies of each joint: 1 (with the world) or 2 */
  /* 1: the slide, 0: the angle, of a ball joint its twist; NS_AXIS_SWING, NS_AXIS_ALL */
  int slide[2];
  double lower, upper;  /* of a stop; -inf, inf if there is none */
  double ratio, offset; /* of a coupler */
  int apart;            /* 1: shapes of the bodies of a coupler do not touch */
} ns_joint_axis;

/* A contact whose points and normal are given by formulas: P1 on body 1, P2 on body 2 (or fixed),
 * unit normal n from 2 to 1, all in world axes. Rows: gap n.(P1 - P2); with friction two rows of
 * slip; with rolling friction two more, of relative angular velocity. */
typedef struct ns_contact_point {
  ns_operator P1, P2, n; /* [3] of t, Q, Z */
} ns_contact_point;

/* A gap of two shapes (collision/gap.h) on body 1 and on body 2 or in the world: a contact between
 * shapes in event-driven runs. Rows as of ns_contact_point. */
typedef struct ns_shape_gap {
  const ns_shape *shape[2];
  double at[2][3], R[2][9]; /* their poses on their bodies */
  int which;                /* index of the gap among those of the two shapes */
  const int *region;        /* its current region, part of the run; -1: the nearest */
} ns_shape_gap;

/* ---- shapes and materials -------------------------------------------------------------------- */

/* A shape on a body or fixed in the world. */
typedef struct ns_body_shape {
  const char *id; /* NULL: none */
  int line;       /* line in the model file, for messages */
  int system;     /* -1: fixed */
  const ns_shape *shape;
  /* pose in the axes of its body, relative to the centre of mass; or in the world */
  double at[3], turn[4];
  /* bit sets; two shapes can touch if each is in a layer of the other's `with` */
  unsigned layers, with;
  int material;
  const ns_life *life; /* within that of its body */
} ns_body_shape;

typedef struct ns_contact_model {
  int nshapes;
  int mortal; /* 1: some shape does not always exist */
  const ns_body_shape *shape;
  int nmaterials;
  const char *const *material; /* names */
  /* laws of contacts between two materials [nmaterials x nmaterials], symmetric */
  const ns_nonsmooth_law *law;
  /* max. gap of contacts that are tracked, m; NaN: chosen from the shapes and the step */
  double margin;
  /* 1: overlaps at the start are removed; 0: above `overlap` they are an error */
  int separate;
  double overlap; /* max. accepted overlap at the start, m */
  /* fraction of an overlap that a step removes from the positions (rigid_projection.h); 0: none */
  double recover;
  /* the domain: a body whose centre leaves it ends the run; infinite: none */
  double low[3], high[3];
} ns_contact_model;

#endif
