/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrices.h -- one factored matrix per system: the mass, or the iteration matrix of a linear
 * scheme.
 *
 *   W = M + b C + c K   with b, c of a step length that does not change, all systems linear, or
 *   W = M(q)            of any systems
 *
 * for schemes that need nothing else of the smooth dynamics (Schatzman-Paoli, D1-minus, motion
 * between events). Bodies joined by armatures of joints (model/rigid_armature.h) share one matrix,
 * with rows g(q) of the joints. Coordinates that boundary conditions fix have zero rows and columns
 * in W^-1: no force or impulse moves them. ns_matrices_ops contains the operations on W that
 * contacts need (integrator.h): solve, constant, diagonal; the others are NULL. */
#ifndef NS_INTEGRATORS_MATRICES_H
#define NS_INTEGRATORS_MATRICES_H

#include "integrators/integrator.h"

typedef struct ns_matrices ns_matrices;

extern const ns_integrator_ops ns_matrices_ops;

/* W = M + b C + c K; b = c = 0: the mass, also of nonlinear systems. Constant ones are factored
 * here. */
int ns_matrices_create(ns_ctx *c, const ns_model *m, double b, double k, ns_matrices **out);
void ns_matrices_destroy(ns_matrices *o); /* NULL-safe */
void ns_matrices_info(const ns_matrices *o, ns_integrator_info *info);
/* 1 where some mass depends on the state; of these, some by a formula, which may lack the
 * gyroscopic forces that belong to it. */
int ns_matrices_moving(const ns_matrices *o);
int ns_matrices_given(const ns_matrices *o);
/* M(q) of those, factored, at t (for messages and plug-ins). */
int ns_matrices_move(ns_matrices *o, ns_ctx *c, double t, const double *q, const double *v,
                     double *z);
/* x := W^-1 x [nv], all systems. */
void ns_matrices_solve(const ns_matrices *o, double *x);
/* y += a M x [nv]; M of the last move. */
void ns_matrices_multiply(const ns_matrices *o, double a, const double *x, double *y);
/* The masses of the last move, for a checkpoint; factored again where restored. */
void ns_matrices_save(const ns_matrices *o, ns_blob *b);
void ns_matrices_restore(ns_matrices *o, ns_blob *b);

#endif
