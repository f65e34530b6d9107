/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lagrangian.h -- mass, smooth force and tangents of a Lagrangian system at a point.
 *
 *   F(t, q, v) = fExt - fInt - fGyr - C v - K q,
 *   K_t = -dF/dq = K + d(fInt + fGyr)/dq,   C_t = -dF/dv = C + d(fInt + fGyr)/dv
 *
 * (Acary & Brogliato 2008, ch. 3). Jacobians that a plug-in does not provide are approximated by
 * central differences, relative step cbrt(eps), error O(eps^(2/3)). */
#ifndef NS_MODEL_SYSTEMS_LAGRANGIAN_H
#define NS_MODEL_SYSTEMS_LAGRANGIAN_H

#include "model/model.h"

/* Doubles of scratch for the functions below. */
size_t ns_lagrangian_work(const ns_system *s);
/* M [n x n] by columns; identity where absent. */
int ns_lagrangian_mass(const ns_system *s, ns_ctx *c, const ns_point *p, double *work, double *M);
/* F [n] at p; also gyr = fGyr [n] unless NULL (it does no work, see ns_integrator_ops.commit). */
int ns_lagrangian_force(const ns_system *s, ns_ctx *c, const ns_point *p, double *work, double *F,
                        double *gyr);
/* Kt, Ct [n x n] by columns, for systems of the nonlinear kind (which have no K, C). */
int ns_lagrangian_tangents(const ns_system *s, ns_ctx *c, const ns_point *p, double *work,
                           double *Kt, double *Ct);
/* 1 if a Jacobian is computed by finite differences. */
int ns_lagrangian_differenced(const ns_system *s);
/* 1 if M, K_t, C_t are constant: M, C, K constant and no other force that depends on the state. */
int ns_lagrangian_is_linear(const ns_system *s);
/* Entry (i, j) of M + a C + b K of a linear system. _couples: 1 on the diagonal, and where it is
 * not zero for some a and b; _entries: their number. */
double ns_lagrangian_entry(const ns_system *s, double a, double b, int i, int j);
int ns_lagrangian_couples(const ns_system *s, int i, int j);
size_t ns_lagrangian_entries(const ns_system *s);
/* 1 if the operator is absent, or constant with zero off-diagonal entries. */
int ns_operator_is_diagonal(const ns_operator *o);

#endif
