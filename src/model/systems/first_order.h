/* SPDX-License-Identifier: GPL-3.0-or-later */
/* first_order.h -- mass, field and Jacobians of a first-order system, outputs and inputs of its
 * relations.
 *
 *   M x' = f(x,t,z) + T(x,z) u(x,x',t,z) + r          systems (model.h, ns_first_order)
 *   y = h(X,t,lambda,Z),  R = g(X,t,lambda,Z)         relations (ns_first_order_relation)
 *
 * Jacobians that a plug-in does not provide are approximated: central differences, step cbrt(eps)
 * (1 + |x_j|). Matrices by columns. Functions of one system or interaction; nothing allocates. */
#ifndef NS_MODEL_SYSTEMS_FIRST_ORDER_H
#define NS_MODEL_SYSTEMS_FIRST_ORDER_H

#include "model/model.h"

/* ---- systems: p is the point of the system: n, q = x, v = lagged rate, z, index -------------- */

/* Doubles of scratch for the functions below. */
size_t ns_first_order_work(const ns_system *s);
/* M [n x n]; identity where absent. */
int ns_first_order_mass(const ns_system *s, ns_ctx *c, const ns_point *p, double *work, double *M);
/* f + T u, or A x + b [+ T u]; [n]. */
int ns_first_order_field(const ns_system *s, ns_ctx *c, const ns_point *p, double *work, double *f);
/* df/dx [n x n], including T u, whose derivative is computed by finite differences with the lagged
 * rate fixed. */
int ns_first_order_jacobian(const ns_system *s, ns_ctx *c, const ns_point *p, double *work,
                            double *A);
/* 1 if M and A are constant and there is no control term: W is constant as long as h is. */
int ns_first_order_is_lti(const ns_system *s);
/* 1 if f = A(t,z) x + b(t,z): one pass of Newton's method is exact for the system. */
int ns_first_order_is_linear(const ns_system *s);
int ns_first_order_differenced(const ns_system *s);

/* ---- relations: p is the point of the interaction: n = nQ, q = X, nz = nZ, z = Z, m, lambda,
 * index ---- */

enum { NS_RELATION_C = 1, NS_RELATION_D = 2, NS_RELATION_B = 4, NS_RELATION_K = 8 };
size_t ns_relation_work(const ns_interaction *it);
/* y [m] and R [nQ] at the point; either may be NULL. */
int ns_relation_eval(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                     double *y, double *R);
/* C [m x nQ], D [m x m], B [nQ x m], K [nQ x nQ]; NULL: not computed. Absent ones are zero. */
int ns_relation_tangents(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                         double *C, double *D, double *B, double *K);
/* NS_RELATION_ bits of the tangents that are not identically zero, and of those that are constant
 * during the run. */
unsigned ns_relation_present(const ns_interaction *it);
unsigned ns_relation_constant(const ns_interaction *it);
/* 1 if y and R are linear in (X, lambda) at fixed t, Z: one pass of Newton's method is exact for
 * the relation. */
int ns_relation_is_linear(const ns_interaction *it);
int ns_relation_differenced(const ns_interaction *it);
/* 1 if the formula of g, and thus dg/dX, is zero for zero multipliers. */
int ns_relation_rests_at_zero(const ns_interaction *it);

#endif
