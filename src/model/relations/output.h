/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.h -- outputs of relations: y and ydot from q and v; y of first-order ones from x and
 * lambda. */
#ifndef NS_MODEL_RELATIONS_OUTPUT_H
#define NS_MODEL_RELATIONS_OUTPUT_H

#include "model/model.h"

/* Variables of the systems of an interaction, one after the other: Q [nQ], V [nV] and Z [nZ] from
 * the vectors of the model; v or z NULL: not these. */
void ns_interaction_gather(const ns_model *m, const ns_interaction *it, const double *q,
                           const double *v, const double *z, double *Q, double *V, double *Z);

/* Doubles of scratch for one interaction, in the functions below. */
size_t ns_interaction_output_work(const ns_interaction *it);
size_t ns_output_work_max(const ns_model *m); /* max. over all interactions */

/* Mechanics: y and ydot of one interaction at (t, q, v, lambda), written to its rows of y, ydot
 * [nrows]; lambda [nrows]. angle [nangles]: values near which angles of joints are taken (state.h);
 * NULL: near 0. ydot of a compliant relation is H V. Rows of slip without h have y = 0. User
 * vectors are copied: changes by plug-ins are discarded. */
int ns_interaction_output(const ns_model *m, ns_ctx *c, const ns_interaction *it, double t,
                          const double *q, const double *v, const double *z, const double *lambda,
                          const double *angle, double *work, double *y, double *ydot);

/* Rigid bodies: y [m], G [m x nV] by columns and shift [m] (rigid_relation.h) of one interaction at
 * (t, q, z). */
int ns_interaction_rows(const ns_model *m, ns_ctx *c, const ns_interaction *it, double t,
                        const double *q, const double *z, const double *angle, double *work,
                        double *y, double *G, double *shift);

/* Free coordinates of all joints and joint axes at q, written to angle [nangles]; in space, angles
 * are chosen within half a revolution of the previous values in angle. */
void ns_joint_angles(const ns_model *m, const double *q, double *work, double *angle);

/* Rates of the free coordinates of all joints; entries of joint axes are unchanged. */
void ns_joint_rates(const ns_model *m, const double *q, const double *v, double *rate);

/* D [m x m] of a compliant relation at (t, q, z, lambda). */
int ns_interaction_compliance(const ns_model *m, ns_ctx *c, const ns_interaction *it, double t,
                              const double *q, const double *z, const double *lambda, double *work,
                              double *D);

/* First order: y of one interaction at (t, x, lambda), written to its rows; v: of all systems, for
 * formulas that read other systems. */
int ns_interaction_output_first_order(const ns_model *m, ns_ctx *c, const ns_interaction *it,
                                      double t, const double *x, const double *v, const double *z,
                                      const double *lambda, double *work, double *y);

#endif
