/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_force.h -- forces between points of bodies (ns_body_force): springs, dampers, tendons, and
 * formulas of where two bodies are relative to each other.
 *
 * The line through the points P_1 ... P_n, each on its body or fixed, has
 *
 *   length = sum strands_k |P_k+1 - P_k|,   rate = its derivative
 *
 * (strands 1 but of tackles and branches: 0 where a branch ends and the next begins), a tendon
 * over joints length = sum coefficient_i d_i of their free coordinates. A force f along it does
 * the power f rate. Where it is positive it pushes the points apart: a spring has f = -(stiffness
 * (length - rest_length) + damping rate + preload), a tendon the same where that pulls, with
 * damping only while it is stretched. Of two points, x y z is the first relative to the second in
 * the axes of the second's body, and a vector of formulas acts at the first point on its body and,
 * at that place and against it, on the other: momentum and angular momentum of the two are kept.
 * In the plane a torque acts on both.
 *
 * Tangents are exact, with what lines and lever arms turn by (geometric stiffness). A line of two
 * points has no direction at length 0: a force that vanishes there, as that of a spring without
 * rest length, has a limit along the motion, which is taken; any other is NS_NUMERIC. */
#ifndef NS_MODEL_SYSTEMS_RIGID_FORCE_H
#define NS_MODEL_SYSTEMS_RIGID_FORCE_H

#include "model/systems/rigid_drive.h"

/* Rest lengths that are NaN become those of the initial configuration. */
void ns_body_forces_finish(const ns_model *m);
/* Doubles of scratch; the most of any of the model. */
size_t ns_body_force_work(const ns_model *m);
/* One of them at (t, q, v, z) of the whole model, angle: ns_state.angle. The sides of s are its
 * ends; those of the world have zeros. */
int ns_body_force_eval(const ns_model *m, ns_ctx *c, const ns_body_force *f, double t,
                       const double *q, const double *v, const double *z, const double *angle,
                       double *work, ns_drive_state *s);
/* Its coordinates and behind them their rates, to d; angle: ns_state.angle, from which turns of
 * joints are counted, NULL: 0. */
void ns_body_force_place(const ns_model *m, const ns_body_force *f, const double *q,
                         const double *v, const double *angle, double *d);
/* Length and rate of its line; g, b [sides x dof]: derivatives of the rate by velocities, which are
 * those of the length by increments, and by increments; b of joints is left out. */
void ns_body_force_line(const ns_model *m, const ns_body_force *f, const double *q, const double *v,
                        const double *angle, double *length, double *rate, double *g, double *b);
/* Length where its bodies, the world left out, stand one after the other in Q. Unless NULL: its row
 * by their velocities g [bodies x dof]; coordinates of its joints d [njoints], counted from the
 * turns nearest to `last` [njoints], NULL: 0. d may be last. */
double ns_body_force_length(const ns_body_force *f, const double *Q, const double *last, double *d,
                            double *g);
/* Its formulas that read other systems; returns their number. */
int ns_body_force_readers(const ns_body_force *f, ns_drive_reader by[NS_DRIVE_READERS]);
/* J of one of them (ns_drive_by_others), where _eval evaluates it. */
void ns_body_force_by_others(const ns_model *m, const ns_body_force *f, const ns_drive_reader *by,
                             double t, const double *q, const double *v, const double *z,
                             const double *angle, double *work, double *J);
/* What results show: length and force of each to angle, rate and power to rate, both as in
 * ns_state. */
int ns_body_force_show(const ns_model *m, ns_ctx *c, double t, const double *q, const double *v,
                       const double *z, double *work, double *angle, double *rate);
/* Names of its coordinates in formulas, and of their rates [NS_FORCE_COORDINATES]; those of the
 * line alone are the first. */
const char *const *ns_body_force_names(const ns_body_force *f, int rates);
int ns_body_force_coordinates(
    const ns_body_force *f); /* that its formulas know: 1 or NS_FORCE_COORDINATES */

#endif
