/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_relation.h -- relations of rigid bodies: joints, free axes of joints, contact points,
 * formulas of coordinates.
 *
 *   y = h(t, Q, Z),   ydot = G V + shift,   wrench on the bodies = G^T lambda
 *
 * Q [nQ], V [nV] of its bodies one after the other. Columns of G correspond to velocities: dx/dt in
 * world axes, Omega in body axes; the lower half of a body's wrench is therefore a moment in body
 * axes. If there is no second body, it is the world: at the origin, without rotation, at rest. */
#ifndef NS_MODEL_RELATIONS_RIGID_RELATION_H
#define NS_MODEL_RELATIONS_RIGID_RELATION_H

#include "collision/gap.h"
#include "model/model.h"

/* Doubles of scratch for ns_rigid_relation_rows. */
size_t ns_rigid_relation_work(const ns_interaction *it);
/* y [m]; G [m x nV] by columns and shift [m] (d/dt of h at rest) unless NULL. p: Q, V, Z, lambda;
 * p->angle: angles of joint axes at the end of the last step (NULL: 0), relative to which
 * revolutions are counted. */
int ns_rigid_relation_rows(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                           double *y, double *G, double *shift);
/* The same of a joint by rows: y [rows], G [rows][12] unless NULL, the columns of body 1 at q1 [7],
 * then those of body 2 at q2, zero where that is the world, NULL. In the plane G is [rows][6], q1
 * and q2 [3]. */
void ns_joint_eval(const ns_joint *j, const double *q1, const double *q2, double *y, double *G);
/* -1 if `row` of a joint [n, at this stride] has the other sign than the same row `like` at another
 * orientation, otherwise 1; dof: velocities of each body, 3 or 6. Rows of rotations alone can,
 * where the relative rotation passes half a turn, as delta and -delta are one (rigid_joint.c).
 * Those of points have translations too; their arms, which may be long, say nothing about it. */
double ns_joint_row_sign(int dof, int n, int stride, const double *row, const double *like);
/* The same of a contact point by rows: G [m][12], in the plane [m][6], zero for a second body that
 * is the world. */
int ns_contact_point_rows(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                          double *y, double *G, double *shift);
/* For a gap of shapes with its bodies at Q: ns_gap_touch; the nearest region; ns_gap_clearance of
 * its region. */
void ns_shape_gap_touch(const ns_interaction *it, const double *Q, ns_touch *t);
/* Point at which the force of such a contact acts: on the surface of a single body, midway between
 * two. */
void ns_shape_gap_point(const ns_interaction *it, const ns_touch *t, double *point);
int ns_shape_gap_region(const ns_interaction *it, const double *Q);
double ns_shape_gap_clearance(const ns_interaction *it, const double *Q);
/* The same of ns_gaps_near; of ns_gap_pose_on_mesh. */
void ns_shape_gap_near(const ns_interaction *it, const double *Q, double margin,
                       ns_gap_found *found, void *to);
void ns_shape_gap_pose(const ns_interaction *it, const double *Q, double *c, double *R);
/* Distance of its shapes at least: that of boxes around them; 0 for planes. */
double ns_shape_gap_apart(const ns_interaction *it, const double *Q);
/* A contact of a gap of shapes between moving bodies, in world axes. */
typedef struct ns_shape_meeting {
  ns_touch touch;
  double u[3];      /* velocity of body 1 at the point of force relative to body 2 */
  double n_rate[3]; /* rate of the normal */
  double spin;      /* mean angular velocity of both bodies about the normal, rad/s */
  double bend;      /* yddot = n . du/dt + bend for constant velocities of the bodies, m/s2 */
} ns_shape_meeting;
/* Compute it for bodies at Q with velocities V. */
void ns_shape_gap_meet(const ns_interaction *it, const double *Q, const double *V,
                       ns_shape_meeting *m);
/* 1 if the interaction disables contacts between shapes of two bodies, written to pair [2]: a joint
 * between them, or a coupler of joints with a common carrier. */
int ns_interaction_keeps_apart(const ns_interaction *it, int *pair);
/* 1 if a joint can slide along its axis or, with slide = 0, rotate about it. */
int ns_joint_is_free(const ns_joint *j, int slide);
/* Number of coordinates of an interaction in ns_state.angle: for a joint its angle and slide if
 * free; for a joint axis those of its joints; for rows on a tendon those of the joints over which
 * it runs. */
int ns_interaction_angles(const ns_interaction *it);
/* These coordinates at Q; in space, angles are chosen within half a revolution of their previous
 * values. */
void ns_joint_axis_angles(const ns_interaction *it, const double *Q, double *angle);
/* Rates of the free coordinates of a joint at q, v of the whole model. */
void ns_joint_axis_rates(const ns_model *m, const ns_interaction *it, const double *q,
                         const double *v, double *rate);
/* bias [m] = d/dt (G V + shift) at constant V, along the motion with velocity V: yddot = G dV/dt +
 * bias. Computed by finite differences of fourth order along that motion. For joints, whose rows
 * depend only on rotations of the bodies, its error is about 1e-12 of the terms; for formulas,
 * whose length scales are unknown, the step is chosen from several as the one that agrees best with
 * the next. */
int ns_rigid_relation_bias(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                           double *bias);
size_t ns_rigid_relation_bias_work(const ns_interaction *it);
/* 1 if part of G or shift is computed by finite differences: for plug-ins, and the rate of points
 * that move with time. */
int ns_rigid_relation_differenced(const ns_interaction *it);
/* 1 if G is constant as far as formulas and constants show. */
int ns_rigid_relation_is_linear(const ns_interaction *it);

/* Assemble j, whose kind is set, for bodies at q1 [7] and q2 [7] (NULL: the world). point and axis
 * [3] in world axes, axis nonzero; NULL if the kind does not need them. */
void ns_joint_assemble(ns_joint *j, const double *q1, const double *q2, const double *point,
                       const double *axis);
/* Rows of a joint of this kind: 3, 5, 5, 4, 6. */
int ns_joint_rows(ns_joint_kind k);
/* The same in the plane, with q [3], point and axis [2], the latter only for prismatic joints; 0
 * rows: there is no such joint. */
void ns_planar_joint_assemble(ns_joint *j, const double *q1, const double *q2, const double *point,
                              const double *axis);
int ns_planar_joint_rows(ns_joint_kind k);

/* G [m][12] by rows of a contact at the world point P with unit normal n from body 2 to body 1: 1
 * row (n), 3 (n, t1, t2) or 5 (and relative angular velocity along t1, t2); t1, t2 by ns_tangents3.
 * q1 [7], q2 [7] or NULL for the world, whose 6 columns are zero. */
void ns_contact_rows(int m, const double *q1, const double *q2, const double *P, const double *n,
                     double *G);
/* The same in the plane, q [3]: 1 row (n), 2 (n, t) or 3 (and relative angular velocity), G [m][6];
 * t is n rotated by +90 degrees. */
void ns_contact_rows_planar(int m, const double *q1, const double *q2, const double *P,
                            const double *n, double *G);

/* Sign times the vector in world axes [3] with the m components x along n and its tangents, as in
 * these rows. */
void ns_contact_in_world(int planar, const double *n, int m, const double *x, double sign,
                         double *out);

#endif
