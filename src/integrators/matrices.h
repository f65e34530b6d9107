/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrices.h -- one factored matrix per system: the mass, or the iteration matrix of a linear
 * scheme.
 *
 *   W = M + b C + k K   with constant b (s) and k (s^2), all systems linear, or
 *   W = M(q)            of any systems
 *
 * for schemes that need nothing else of the smooth dynamics (Schatzman-Paoli, D1-minus, motion
 * between events). Bodies joined by armatures of joints (model/systems/rigid_armature.h) share one
 * matrix, which contains the rows g(q) of the joints. Coordinates that boundary conditions fix have
 * zero rows and columns in W^-1: no force or impulse moves them. ns_matrices_ops contains the
 * operations on W that contacts need (integrator.h): solve, constant, diagonal; the others are
 * NULL. */
#ifndef NS_INTEGRATORS_MATRICES_H
#define NS_INTEGRATORS_MATRICES_H

#include "integrators/integrator.h"

typedef struct ns_matrices ns_matrices;

extern const ns_integrator_ops ns_matrices_ops;

/* W = M + b C + k K; b = k = 0: the mass matrix, for nonlinear systems, too. Constant matrices are
 * factored here. */
int ns_matrices_create(ns_ctx *c, const ns_model *m, double b, double k, ns_matrices **out);
void ns_matrices_destroy(ns_matrices *o); /* NULL-safe */
void ns_matrices_info(const ns_matrices *o, ns_integrator_info *info);
/* _moving: 1 if some mass depends on the state. _given: 1 if one of these is given by a formula,
 * whose gyroscopic forces the model may lack. */
int ns_matrices_moving(const ns_matrices *o);
int ns_matrices_given(const ns_matrices *o);
/* Evaluate and factor the masses that depend on the state, at q; t, v and z are arguments of
 * plug-ins and for messages. */
int ns_matrices_move(ns_matrices *o, ns_ctx *c, double t, const double *q, const double *v,
                     double *z);
/* x := W^-1 x [nv], all systems. */
void ns_matrices_solve(const ns_matrices *o, double *x);
/* y += a M x [nv], with M of the last ns_matrices_move. */
void ns_matrices_multiply(const ns_matrices *o, double a, const double *x, double *y);
/* Save the masses of the last ns_matrices_move for a checkpoint; restoring factors them again. */
void ns_matrices_save(const ns_matrices *o, ns_blob *b);
void ns_matrices_restore(ns_matrices *o, ns_blob *b);

#endif
