/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_armature.h -- inertia of free coordinates of joints: what moves with a coordinate and with
 * nothing else, as the rotor of a motor behind a gear, whose inertia counts by the square of the
 * gear's ratio.
 *
 *   T += sum_k J_k (g_k V)^2 / 2,   M += sum_k J_k g_k^T g_k,   F -= sum_k J_k b_k g_k^T
 *
 * with the row g_k of the coordinate, d' = g V, and its bias b = d(g V)/dt at constant V:
 * Lagrange's equations of such a T give d/dt (J d') along g, as g is the derivative of a coordinate
 * (Featherstone 2008, section 9.6, of geared motors). The bias of an angle is 0 where the joint
 * holds: its axis keeps its place in both bodies. What turns about an axis in space also has
 * gyroscopic torques across it; they are those of a body, and left out here. */
#ifndef NS_MODEL_SYSTEMS_RIGID_ARMATURE_H
#define NS_MODEL_SYSTEMS_RIGID_ARMATURE_H

#include "model/model.h"

enum { NS_ARMATURE_WIDTH = 12 };

/* Of a joint at a state: n coordinates that have inertia, rows over the velocities of its bodies,
 * one body after the other. */
typedef struct ns_armature {
  int n, width;
  double inertia[2]; /* J: kg m^2, kg */
  double rate[2], bias[2];
  double g[2][NS_ARMATURE_WIDTH];
} ns_armature;

/* 1 where some free coordinate of the interaction, a joint, has inertia. */
int ns_interaction_has_armature(const ns_interaction *it);
/* At q, v of the whole model. */
void ns_armature_eval(const ns_model *m, const ns_interaction *it, const double *q, const double *v,
                      ns_armature *a);
/* M [.. x ld] by columns += sum J g^T g: body k of the joint at rows and columns at[k], -1: it has
 * none. */
void ns_armature_add_mass(const ns_armature *a, int dof, const int *at, int ld, double *M);
/* T, J. */
double ns_armature_energy(const ns_armature *a);

#endif
