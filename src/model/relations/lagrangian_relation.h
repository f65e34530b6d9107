/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lagrangian_relation.h -- gaps, their derivatives and the bias of a Lagrangian relation at a
 * point.
 *
 *   y = h(Q, t, lambda, Z),  ydot = H V + ht,  p = H^T lambda,
 *   H = dh/dQ,  ht = dh/dt,  D = dh/dlambda,
 *   yddot = H Vdot + bias,   bias = d/dt (H V + ht) at constant V
 *
 * The functions apply to all kinds; for LagrangianLinearTIR and LagrangianCompliantLinearTIR, H, e,
 * F and D are the constants of the interaction. Derivatives that a plug-in does not provide are
 * approximated: central differences, step cbrt(eps) (1 + |x|), error O(eps^(2/3)). Matrices by
 * columns.
 *
 * p is the point of the interaction: n = nQ, q = Q, v = V, t, nz = nZ, z = Z, m, lambda, index.
 * Only compliant relations read lambda, and only the bias reads v; otherwise they may be NULL.
 * Nothing allocates. */
#ifndef NS_MODEL_RELATIONS_LAGRANGIAN_RELATION_H
#define NS_MODEL_RELATIONS_LAGRANGIAN_RELATION_H

#include "model/model.h"

/* Doubles of scratch for the functions below. */
size_t ns_lagrangian_relation_work(const ns_interaction *it);
/* y = h [m]; rows of slip without h are 0. */
int ns_lagrangian_gap(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                      double *y);
/* H [m x nQ], ht [m], D [m x m]; NULL: not computed. */
int ns_lagrangian_rows(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                       double *H, double *ht, double *D);
/* bias [m] = sum_k dH/dQ_k V_k V + 2 dH/dt V + d2h/dt2 (Acary & Brogliato 2008, ch. 3): by its
 * operator; by Hdot if given and h does not depend on time; otherwise by finite differences along
 * the flow. */
int ns_lagrangian_bias(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                       double *bias);
/* 1 if H, ht or D is computed by finite differences. */
int ns_lagrangian_relation_differenced(const ns_interaction *it);

#endif
