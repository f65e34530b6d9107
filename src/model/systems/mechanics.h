/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanics.h -- second-order systems of any kind: Lagrangian ones, rigid bodies in space and in
 * the plane.
 *
 *   q' = T(q) v,   M(q) v' = F(t, q, v)
 *
 * q [nq] and v [n] of a system are parts of vectors q, v of the whole model. Lagrangian systems and
 * planar bodies have T = 1; for a body in space, T maps an angular velocity in body axes to the
 * rate of a unit quaternion (rigid.h). F of a body is its forces minus Omega x I Omega, evaluated
 * exactly: the option `gyroscopic` applies only to time-stepping. SI units; nothing allocates. */
#ifndef NS_MODEL_SYSTEMS_MECHANICS_H
#define NS_MODEL_SYSTEMS_MECHANICS_H

#include "model/model.h"

/* 1 for a body in space, for which q' is not v. */
static inline int ns_mechanics_is_curved(const ns_system *s)
{
  return ns_system_is_rigid(s) && !ns_system_is_planar(s);
}
/* 1 where some system of the model is curved. */
int ns_mechanics_any_curved(const ns_model *m);

/* Doubles of scratch for the force of any system. */
size_t ns_mechanics_work_max(const ns_model *m);
/* F [n] at p; gyr [n]: the gyroscopic forces in F with opposite sign, which do no work. */
int ns_mechanics_force(const ns_system *s, ns_ctx *c, const ns_point *p, double *work, double *F,
                       double *gyr);
/* 1 where F is constant. */
int ns_mechanics_is_steady(const ns_system *s);
/* _constant: the constant part f [n] of F. _known: the part of it that has the potential -f q. */
void ns_mechanics_constant(const ns_system *s, double *f);
void ns_mechanics_known(const ns_system *s, double *f);
/* The potential of these forces and of a stiffness at q [nq] of the system, J. */
double ns_mechanics_potential(const ns_system *s, const double *q);
/* 1 if forces other than these and those of a stiffness do work. */
int ns_mechanics_has_work(const ns_system *s);

/* dq := T(q) v [nq], all systems. */
void ns_mechanics_rate(const ns_model *m, const double *q, const double *v, double *dq);
/* q := q (+) h v for one system (_one) or all: motion with v for the time h; quaternions remain
 * normalised. */
void ns_mechanics_move_one(const ns_system *s, double h, const double *v, double *q);
void ns_mechanics_move(const ns_model *m, double h, const double *v, double *q);
/* Normalise the quaternions of all bodies. */
void ns_mechanics_normalise(const ns_model *m, double *q);

#endif
