/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_armature.h -- inertia of free coordinates of joints, of parts that move only with the
 * coordinate, such as the rotor of a geared motor, whose inertia is multiplied by the square of the
 * gear ratio.
 *
 *   T += sum_k J_k (g_k V)^2 / 2,   M += sum_k J_k g_k^T g_k,   F -= sum_k J_k b_k g_k^T
 *
 * with the row g_k of the coordinate, d' = g V, and its bias b = d(g V)/dt at constant V:
 * Lagrange's equations of such a T give d/dt (J d') along g, as g is the derivative of a coordinate
 * (Featherstone 2008, section 9.6, of geared motors). The bias of an angle is 0 if the joint is
 * satisfied, because its axis is fixed in both bodies. Gyroscopic torques of the rotating part
 * perpendicular to its axis are not included; they belong to a body. */
#ifndef NS_MODEL_SYSTEMS_RIGID_ARMATURE_H
#define NS_MODEL_SYSTEMS_RIGID_ARMATURE_H

#include "model/model.h"

enum { NS_ARMATURE_WIDTH = 12 };

/* Armature of a joint at a state: n coordinates with inertia, rows over the velocities of its
 * bodies, one body after the other. */
typedef struct ns_armature {
  int n, width;
  double inertia[2]; /* J: kg m^2, kg */
  double rate[2], bias[2];
  double g[2][NS_ARMATURE_WIDTH];
} ns_armature;

/* 1 if some free coordinate of a joint has inertia. */
int ns_interaction_has_armature(const ns_interaction *it);
/* Evaluate at q, v of the whole model. */
void ns_armature_eval(const ns_model *m, const ns_interaction *it, const double *q, const double *v,
                      ns_armature *a);
/* M [.. x ld] by columns += sum J g^T g; body k of the joint has the rows and columns at[k]; -1:
 * none. */
void ns_armature_add_mass(const ns_armature *a, int dof, const int *at, int ld, double *M);
/* Kinetic energy T, J. */
double ns_armature_energy(const ns_armature *a);

#endif
