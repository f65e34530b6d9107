/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_body.h -- wrenches on a rigid body, their tangents, and its motion.
 *
 *   m dx'' = fExt - fInt,   I Omega' = mExt - mInt - Omega x I Omega
 *
 * forces in world axes, moments about the centre of mass in body axes (rigid.h). Tangents are
 * derivatives with respect to the increments (dx, phi) of the position, x + dx and p expq(phi), and
 * to the velocities, with 6 columns each. The derivative of R(p) a with respect to phi is -R a~ and
 * of R(p)^T a it is (R^T a)~, with a~ b = a x b. A planar body has 3 where a body in space has
 * 6. */
#ifndef NS_MODEL_SYSTEMS_RIGID_BODY_H
#define NS_MODEL_SYSTEMS_RIGID_BODY_H

#include "model/model.h"

/* Doubles of scratch for the functions below. */
size_t ns_rigid_work(const ns_system *s);
/* F [n] at p: the right-hand sides without Omega x I Omega. */
int ns_rigid_force(const ns_system *s, ns_ctx *c, const ns_point *p, double *work, double *F);
/* 1 if F is constant. */
int ns_rigid_is_steady(const ns_system *s);
/* K = -dF/d(increment), C = -dF/dv [n x n] by columns. */
int ns_rigid_tangents(const ns_system *s, ns_ctx *c, const ns_point *p, double *work, double *K,
                      double *C);
/* F [n] that results from a change x of one of its terms, in the components of its formula (3
 * numbers, in the plane 2 or 1): op is fext, mext, fint or mint of s; axes and signs are those of F
 * at q. */
void ns_rigid_as_force(const ns_system *s, const ns_operator *op, const double *q, const double *x,
                       double *F);
/* d q_k / d(increment) [n]: row k of T(q). */
void ns_rigid_coordinate_rate(const ns_system *s, const double *q, int k, double *T);
/* 1 if K and C are zero. */
int ns_rigid_is_free(const ns_system *s);
/* 1 if a Jacobian is computed by finite differences. */
int ns_rigid_differenced(const ns_system *s);
/* g [3] = Omega x I Omega, and dg [3 x 3] by columns, its derivative; dg may be NULL. */
void ns_rigid_gyroscopic(const double *I, const double *Omega, double *g, double *dg);
/* q := q (+) h v: position x + h dx, orientation p expq(h Omega), normalised. */
void ns_rigid_move(const ns_system *s, double h, const double *v, double *q);
/* Radius of gyration of all directions about the centre of mass, sqrt(tr I / 2m), in the plane
 * sqrt(I/m): a moment divided by it compares with a force, whatever the unit of length. */
double ns_rigid_radius(const ns_system *s);
/* Weight of entry j of n velocities or forces of a body: 1 for translations, `turn` for
 * rotations. */
static inline double ns_rigid_weight(int n, int j, double turn)
{
  return j < (n == 6 ? 3 : 2) ? 1 : turn;
}
/* _momentum: x := M x with the mass matrix. _mass: M [n x n] by columns. */
void ns_rigid_momentum(const ns_system *s, double *x);
void ns_rigid_mass(const ns_system *s, double *M);

#endif
