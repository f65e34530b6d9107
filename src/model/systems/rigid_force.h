/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_force.h -- forces between points of bodies (ns_body_force): springs, dampers, tendons, and
 * formulas of the relative position of two bodies.
 *
 * The line through the points P_1 ... P_n, each on its body or fixed, has
 *
 *   length = sum strands_k |P_k+1 - P_k|,   rate = its derivative
 *
 * (strands are 1 except in tackles and branches; 0 between the end of a branch and the beginning of
 * the next); a tendon over joints has length = sum coefficient_i d_i of their free coordinates. A
 * force f along the line has the power f rate and pushes the points apart if it is positive. A
 * spring has f = -(stiffness (length - rest_length) + damping rate + preload); a tendon the same if
 * that pulls, with damping only while it is stretched. For two points, x, y, z is the first
 * relative to the second in the axes of the second's body. A vector given by formulas acts on the
 * first body at the first point, and its reaction on the other body at the same point, so that
 * momentum and angular momentum are conserved. In the plane a torque acts on both.
 *
 * Tangents are exact and include the geometric stiffness, from the rotation of lines and lever
 * arms. A line of two points has no direction at length 0: if the force vanishes there, as for a
 * spring without rest length, its limit along the motion is used; otherwise evaluation fails with
 * NS_NUMERIC. */
#ifndef NS_MODEL_SYSTEMS_RIGID_FORCE_H
#define NS_MODEL_SYSTEMS_RIGID_FORCE_H

#include "model/systems/rigid_drive.h"

/* Rest lengths that are NaN become those of the initial configuration. */
void ns_body_forces_finish(const ns_model *m);
/* Doubles of scratch; maximum over all forces of the model. */
size_t ns_body_force_work(const ns_model *m);
/* Evaluate a force at (t, q, v, z) of the whole model, angle: ns_state.angle. The sides of s are
 * its ends; sides in the world are zero. */
int ns_body_force_eval(const ns_model *m, ns_ctx *c, const ns_body_force *f, double t,
                       const double *q, const double *v, const double *z, const double *angle,
                       double *work, ns_drive_state *s);
/* Its coordinates, then their rates, to d; angle: ns_state.angle, relative to which revolutions of
 * joints are counted, NULL: 0. */
void ns_body_force_place(const ns_model *m, const ns_body_force *f, const double *q,
                         const double *v, const double *angle, double *d);
/* Length and rate of its line; g, b [sides x dof]: derivatives of the rate with respect to
 * velocities (equal to those of the length with respect to increments), and to increments; b of
 * joints is omitted. */
void ns_body_force_line(const ns_model *m, const ns_body_force *f, const double *q, const double *v,
                        const double *angle, double *length, double *rate, double *g, double *b);
/* Length for its bodies, without the world, at Q, one after the other. Unless NULL: g [bodies x
 * dof], its row with respect to their velocities; d [njoints], coordinates of its joints, with
 * revolutions relative to `last` [njoints], NULL: 0. d may be last. */
double ns_body_force_length(const ns_body_force *f, const double *Q, const double *last, double *d,
                            double *g);
/* Its formulas that read other systems; returns their number. */
int ns_body_force_readers(const ns_body_force *f, ns_drive_reader by[NS_DRIVE_READERS]);
/* J of one of them (ns_drive_by_others), where _eval evaluates it. */
void ns_body_force_by_others(const ns_model *m, const ns_body_force *f, const ns_drive_reader *by,
                             double t, const double *q, const double *v, const double *z,
                             const double *angle, double *work, double *J);
/* Results: length and force of each to angle, rate and power to rate, as in ns_state. */
int ns_body_force_show(const ns_model *m, ns_ctx *c, double t, const double *q, const double *v,
                       const double *z, double *work, double *angle, double *rate);
/* Names of its coordinates in formulas, or of their rates [NS_FORCE_COORDINATES]; the first is that
 * of the line. */
const char *const *ns_body_force_names(const ns_body_force *f, int rates);
/* Number of coordinates that its formulas can read: 1 or NS_FORCE_COORDINATES. */
int ns_body_force_coordinates(const ns_body_force *f);

#endif
