/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_relation.h -- relations of rigid bodies: joints, free axes of joints, contact points,
 * formulas of coordinates.
 *
 *   y = h(t, Q, Z),   ydot = G V + shift,   wrench on the bodies = G^T lambda
 *
 * Q [nQ], V [nV] of its bodies one after the other. G is by velocities: dx/dt in world axes, Omega
 * in body axes, so that the lower half of a body's wrench is a moment in its axes. A body that is
 * missing as the second one is the world: at the origin, unturned, at rest. */
#ifndef NS_MODEL_RELATIONS_RIGID_RELATION_H
#define NS_MODEL_RELATIONS_RIGID_RELATION_H

#include "collision/touch.h"
#include "model/model.h"

/* Doubles of scratch for ns_rigid_relation_rows. */
size_t ns_rigid_relation_work(const ns_interaction *it);
/* y [m]; G [m x nV] by columns and shift [m] (d/dt of h at rest) unless NULL. p: Q, V, Z, lambda;
 * p->angle: of joint axes, their angles when the last step was accepted (NULL: 0), from which turns
 * are counted. */
int ns_rigid_relation_rows(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                           double *y, double *G, double *shift);
/* The same of a joint by rows: y [rows], G [rows][12] unless NULL, the columns of body 1 at q1 [7],
 * then those of body 2 at q2, zero where that is the world, NULL. In the plane G is [rows][6], q1
 * and q2 [3]. */
void ns_joint_eval(const ns_joint *j, const double *q1, const double *q2, double *y, double *G);
/* The same of a contact point by rows: G [m][12], in the plane [m][6], zero for a second body that
 * is the world. */
int ns_contact_point_rows(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                          double *y, double *G, double *shift);
/* Of a gap of shapes, its bodies being at Q: ns_gap_touch of them; the region that is nearest;
 * ns_gap_room of its own. */
void ns_shape_gap_touch(const ns_interaction *it, const double *Q, ns_touch *t);
/* Where the force of such a touch acts: on the surface of a single body, midway between two. */
void ns_shape_gap_point(const ns_interaction *it, const ns_touch *t, double *point);
int ns_shape_gap_region(const ns_interaction *it, const double *Q);
double ns_shape_gap_room(const ns_interaction *it, const double *Q);
/* The touch of a gap of shapes while its bodies move, in the world. */
typedef struct ns_shape_meeting {
  ns_touch touch;
  double u[3];      /* velocity of body 1 where the force acts, against that of body 2 */
  double n_rate[3]; /* of the normal */
  double spin;      /* about it, the mean of both bodies, rad/s */
  double bend;      /* yddot = n . du/dt + bend, the bodies keeping their velocities, m/s2 */
} ns_shape_meeting;
/* Its bodies being at Q, moving at V. */
void ns_shape_gap_meet(const ns_interaction *it, const double *Q, const double *V,
                       ns_shape_meeting *m);
/* 1 where shapes of two bodies do not meet for an interaction: a joint of them, or a coupler of
 * joints that they have apart from a common carrier; pair [2]. */
int ns_interaction_keeps_apart(const ns_interaction *it, int *pair);
/* 1 where a joint is free to slide along its axis, or (slide = 0) to turn about it. */
int ns_joint_is_free(const ns_joint *j, int slide);
/* How many coordinates of an interaction ns_state.angle holds: of a joint its angle and its slide,
 * where it is free, of a joint axis those of its joints, of rows on a tendon those that it goes
 * over. */
int ns_interaction_angles(const ns_interaction *it);
/* These at Q, an angle by the turn nearest to what it was. */
void ns_joint_axis_angles(const ns_interaction *it, const double *Q, double *angle);
/* Rates of the free coordinates of a joint at q, v of the whole model. */
void ns_joint_axis_rates(const ns_model *m, const ns_interaction *it, const double *q,
                         const double *v, double *rate);
/* [m]: d/dt (G V + shift) at constant V, along the motion that V is: what yddot has beside G dV/dt.
 * By differences of fourth order along that motion: of joints its error is some 1e-12 of the terms,
 * as their rows turn with the bodies and with nothing else; of formulas, whose lengths are not
 * known, the step is the one of several that agrees best with the next. */
int ns_rigid_relation_bias(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                           double *bias);
size_t ns_rigid_relation_bias_work(const ns_interaction *it);
/* 1 where something of G or shift has to be differenced: of a plug-in, and the rate of points that
 * move with time. */
int ns_rigid_relation_differenced(const ns_interaction *it);
/* 1 where G is constant, as far as formulas and numbers tell. */
int ns_rigid_relation_is_linear(const ns_interaction *it);

/* Fill j (its kind is set) for bodies at q1 [7] and q2 [7] (NULL: the world), which assembles it:
 * point and axis [3] in world axes, axis not zero; where its kind needs them, otherwise NULL. */
void ns_joint_assemble(ns_joint *j, const double *q1, const double *q2, const double *point,
                       const double *axis);
/* Rows of a joint of this kind: 3, 5, 5, 4, 6. */
int ns_joint_rows(ns_joint_kind k);
/* The same in the plane, where q is [3], point and axis [2], the latter of prismatic joints alone;
 * 0 rows: there is no such joint. */
void ns_planar_joint_assemble(ns_joint *j, const double *q1, const double *q2, const double *point,
                              const double *axis);
int ns_planar_joint_rows(ns_joint_kind k);

/* G [m][12] by rows of a contact at the world point P with unit normal n from body 2 to body 1: 1
 * row (n), 3 (n, t1, t2) or 5 (and relative angular velocity along t1, t2); t1, t2 by ns_tangents3.
 * q1 [7], q2 [7] or NULL for fixed surroundings, whose 6 columns are zero. */
void ns_contact_rows(int m, const double *q1, const double *q2, const double *P, const double *n,
                     double *G);
/* The same in the plane, q [3]: 1 row (n), 2 (n, t) or 3 (and relative angular velocity), G [m][6];
 * t is n turned by +90 degrees. */
void ns_contact_rows_planar(int m, const double *q1, const double *q2, const double *P,
                            const double *n, double *G);

/* Components along n and its tangents, as those of these rows, of which m are there, as sign times
 * a vector of the world [3]. */
void ns_contact_in_world(int planar, const double *n, int m, const double *x, double sign,
                         double *out);

#endif
