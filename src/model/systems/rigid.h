/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid.h -- the rigid bodies of a model as data: what they weigh, what acts on them, their joints,
 * shapes and materials.
 *
 * A body in space has q = (x, p): its centre of mass x in world axes and a unit quaternion p,
 * scalar first, that turns body axes to world axes; v = (dx/dt in world axes, Omega in body axes).
 * So it has 7 coordinates and 6 velocities. A planar body has q = (x, y, angle) and v = dq/dt. SI
 * units, rad. */
#ifndef NS_MODEL_SYSTEMS_RIGID_H
#define NS_MODEL_SYSTEMS_RIGID_H

#include "collision/shape.h"
#include "model/laws/law.h"
#include "model/operator.h"

/* Where the torque -Omega x I Omega is evaluated in a step. */
typedef enum ns_gyroscopic {
  NS_GYROSCOPIC_IMPLICIT, /* theta rule, with its Jacobian */
  /* at the mean angular velocity: keeps the energy of rotation to rounding */
  NS_GYROSCOPIC_MIDPOINT,
  NS_GYROSCOPIC_EXPLICIT, /* at the begin of the step */
  NS_GYROSCOPIC_NONE      /* left out: right for I = i identity */
} ns_gyroscopic;

/* When a body or a shape is there: in each step whose end t1 is at or after its birth and before
 * its death. Outside of that it meets nothing and stays where it is, with the velocity that it has.
 */
typedef struct ns_life {
  int bounded;         /* 0: always */
  double birth, death; /* s; -inf, inf where there is none */
} ns_life;

/* In a step of length h that ends at t1, whose rounding is no reason to miss it. */
static inline int ns_life_holds(const ns_life *l, double t1, double h)
{
  double t = t1 + 1e-9 * h;
  return !l->bounded || (l->birth <= t && t < l->death);
}

/* m dx'' = f,  I Omega' + Omega x I Omega = M;   f = fExt - fInt in world axes, M = mExt - mInt in
 *              body axes. Entries: 3 and 3, in
 * the plane 2 and 1. */
typedef struct ns_rigid_body {
  double mass; /* kg */
  /* kg m^2 about the centre of mass in body axes; planar: inertia[0] */
  double inertia[9];
  ns_gyroscopic gyroscopic;
  ns_operator fext, mext; /* of t, z */
  ns_life life;
  int fext_in_body, mext_in_body; /* in which axes they are given; 0: world */
  ns_operator fint, mint;         /* of t, q, v, z, on the left; in world and in body axes */
  /* [3 x 7], [3 x 6]; ABSENT beside a plug-in: differenced */
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

/* Between body 1 and body 2, or body 1 and the world (which then is a body 2 at the origin,
 * unturned). All are satisfied at the configuration in which the joint was assembled. In the plane
 * the first two of the entries count, and of reference the first: angle 2 - angle 1. */
typedef struct ns_joint {
  ns_joint_kind kind;
  int planar;
  int collide;         /* 1: shapes of its two bodies meet */
  double c1[3], c2[3]; /* its point in axes of body 1 and of body 2 */
  /* its axis and two unit vectors across, right-handed, in axes of body 1 */
  double A[3], V1[3], V2[3];
  double reference[4];         /* p2* p1 at assembly */
  double w0[3];                /* R1^T (x2 - x1) at assembly */
  const ns_joint_start *start; /* NULL: it begins as assembled */
} ns_joint;

/* What acts along the free coordinates of a joint, its angle before its slide: a torque about its
 * axis, a force along it, on body 2 and against it on body 1. Formulas of t, Z, and the coordinates
 * and their rates, NS_BANK_JOINT. */
typedef struct ns_joint_drive {
  ns_operator force[2]; /* N m or N; ABSENT: none */
  ns_operator by[2];    /* their derivatives by the coordinates, then by the rates */
  /* inertia of the coordinate itself, kg m^2 or kg (rigid_armature.h) */
  double armature[2];
  /* of a ball joint: -stiffness phi - damping omega, of the rotation vector and the angular
   * velocity of body 2 against body 1, N m/rad and N m s/rad */
  double stiffness, damping;
} ns_joint_drive;

/* Of a ball joint: its swing, no angle about one axis; the angular velocity, which is no coordinate
 */
enum { NS_AXIS_SWING = 2, NS_AXIS_ALL = 3 };

typedef enum ns_axis_use { NS_AXIS_STOP, NS_AXIS_FRICTION, NS_AXIS_COUPLER } ns_axis_use;

/* Rows on free coordinates of joints: the angle (rad) or slide (m) of body 2 relative to body 1
 * along the axis; or on the length of a line, a tendon's.
 *   stop      y = d - lower, and y = upper - d: one row for each limit that is finite
 *   friction  ydot = -d', y = 0; of all that a ball joint does, -omega, 3 rows in axes of body 1
 *   coupler   y = d2 - ratio d1 - offset; of a line, y = d - offset
 * The interaction's systems are those of the first joint, then those of the second. */
typedef struct ns_joint_axis {
  ns_axis_use use;
  const struct ns_body_force *line; /* d is its length, and no joint is named; NULL: of joints */
  const ns_joint *joint[2];         /* the second of a coupler, else NULL */
  int bodies[2];                    /* of each joint: 1 (with the world) or 2 */
  /* 1: the slide, 0: the angle, of a ball joint its twist; NS_AXIS_SWING, NS_AXIS_ALL */
  int slide[2];
  double lower, upper;  /* of a stop; -inf, inf where there is none */
  double ratio, offset; /* of a coupler */
  int apart;            /* shapes of the bodies that a coupler couples do not meet */
} ns_joint_axis;

/* A contact whose point and normal formulas give: P1 on body 1, P2 on body 2 (or fixed), unit
 * normal n from 2 to 1, all in world axes. Rows: gap n.(P1 - P2); with friction two of slip; with
 * rolling friction two more of relative angular velocity. */
typedef struct ns_contact_point {
  ns_operator P1, P2, n; /* [3] of t, Q, Z */
} ns_contact_point;

/* A gap of two shapes (collision/gap.h), on body 1 and on body 2 or in the world: what a contact
 * between shapes is in event-driven runs. Rows as those of a contact whose point formulas give. */
typedef struct ns_shape_gap {
  const ns_shape *shape[2];
  double at[2][3], R[2][9]; /* where they are on their bodies */
  int which;                /* of the gaps of the two */
  const int *region;        /* in which it is, -1: in whichever is the nearest; of the run */
} ns_shape_gap;

/* ---- shapes and materials -------------------------------------------------------------------- */

/* A shape on a body or fixed in space. */
typedef struct ns_body_shape {
  const char *id; /* NULL: none */
  int line;       /* of the model's text, for messages */
  int system;     /* -1: fixed */
  const ns_shape *shape;
  /* where it is in the axes of its body, from the centre of mass; or in the world */
  double at[3], turn[4];
  unsigned layers, with; /* two meet where each is in a layer that the other is with */
  int material;
  ns_life life; /* within that of its body */
} ns_body_shape;

typedef struct ns_contact_model {
  int nshapes;
  int mortal; /* some shape is not always there */
  const ns_body_shape *shape;
  int nmaterials;
  const char *const *material; /* names */
  /* of the contacts between two materials [nmaterials x nmaterials], symmetric */
  const ns_nonsmooth_law *law;
  /* m: gaps below it are followed; NaN: chosen from the shapes and the step */
  double margin;
  /* overlaps at the start are taken apart; otherwise they are an error above `overlap` */
  int separate;
  double overlap; /* m: the most that is accepted at the start */
  /* part of an overlap that a step takes out of the positions (rigid_recovery.h); 0: none */
  double recover;
  /* the domain: a body whose centre leaves it ends the run; infinite: none */
  double low[3], high[3];
} ns_contact_model;

#endif
