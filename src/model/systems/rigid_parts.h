/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_parts.h -- private to rigid_*.c: bodies of a relation, and rows with respect to their
 * velocities. */
#ifndef NS_MODEL_SYSTEMS_RIGID_PARTS_H
#define NS_MODEL_SYSTEMS_RIGID_PARTS_H

#include "model/relations/rigid_relation.h"

#include <string.h>

/* Pose of a body: its centre, and its rotation as quaternion and as matrix. */
typedef struct ns_pose {
  double x[3], p[4], R[9];
} ns_pose;

/* b := the pose of q [7]; NULL: the world, at the origin without rotation. */
static inline void ns_pose_of(const double *q, ns_pose *b)
{
  static const double world[7] = {[3] = 1};
  if (!q) q = world;
  memcpy(b->x, q, sizeof b->x);
  memcpy(b->p, q + 3, sizeof b->p);
  ns_quaternion_matrix(q + 3, b->R);
}

/* r [6] = g T(q): g [7] with respect to coordinates, r to velocities (dx/dt, Omega). */
static inline void ns_rigid_by_velocity(const double *q, const double *g, double *r)
{
  const double *p = q + 3, *d = g + 3;
  memcpy(r, g, 3 * sizeof *r);
  r[3] = (-p[1] * d[0] + p[0] * d[1] + p[3] * d[2] - p[2] * d[3]) / 2;
  r[4] = (-p[2] * d[0] - p[3] * d[1] + p[0] * d[2] + p[1] * d[3]) / 2;
  r[5] = (-p[3] * d[0] + p[2] * d[1] - p[1] * d[2] + p[0] * d[3]) / 2;
}

/* row [6] := sign times the velocity along d of the point at x + a of a body with rotation R, a and
 * d in world axes: d.(dx/dt + omega x a) = d.dx/dt + R^T(a x d).Omega. */
static inline void ns_point_row(const double *R, const double *a, const double *d, double sign,
                                double *row)
{
  double moment[3];
  ns_cross3(a, d, moment);
  ns_mul3t(R, moment, row + 3);
  for (int i = 0; i < 3; i++) {
    row[i] = sign * d[i];
    row[3 + i] *= sign;
  }
}

/* The slide of a joint, or the angle in (-pi, pi] of body 2 relative to body 1 along the axis; row
 * [12], in the plane [6], unless NULL. */
double ns_joint_free(const ns_joint *j, int slide, const double *q1, const double *q2, double *row);
/* For a ball joint, in axes of body 1: the rotation vector phi [3] of body 2 relative to body 1
 * since assembly, |phi| <= pi, and the rows [3][12] of its angular velocity relative to body 1. */
void ns_joint_turn(const ns_joint *j, const double *q1, const double *q2, double *phi,
                   double (*row)[12]);
/* The same as ns_joint_free; in space, an angle is chosen within half a revolution of `last`. */
double ns_joint_coordinate(const ns_joint *j, int slide, const double *q1, const double *q2,
                           double last, double *row);
/* One free coordinate of a joint at q, v of the whole model, its row g [12], in the plane [6], and
 * its rate g V. */
double ns_joint_motion(const ns_model *m, const ns_interaction *it, int slide, const double *q,
                       const double *v, double last, double *g, double *rate);
/* d/dt of the rate of the slide of a joint at q, v of the whole model, for constant velocities of
 * its bodies, m/s2. */
double ns_joint_slide_bias(const ns_model *m, const ns_interaction *it, const double *q,
                           const double *v);
/* ns_joint_eval and ns_joint_free in the plane, which call them. */
void ns_planar_joint_eval(const ns_joint *j, const double *q1, const double *q2, double *y,
                          double (*G)[6]);
double ns_planar_joint_free(const ns_joint *j, int slides, const double *q1, const double *q2,
                            double *row);
/* Rows of a joint axis at p (ns_rigid_relation_rows): y [m]; G [m x nV] by columns unless NULL. */
void ns_joint_axis_rows(const ns_interaction *it, const ns_point *p, double *y, double *G);

#endif
