/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/systems/rigid_armature.h"

#include "model/systems/rigid_parts.h"

int ns_interaction_has_armature(const ns_interaction *it)
{
  if (!(it->relation->flags & NS_REL_JOINT) || !it->drive) return 0;
  return it->drive->armature[0] > 0 || it->drive->armature[1] > 0;
}

void ns_armature_eval(const ns_model *m, const ns_interaction *it, const double *q, const double *v,
                      ns_armature *a)
{
  *a = (ns_armature){.width = it->nsystems * (it->joint.planar ? 3 : 6)};
  for (int slide = 0; slide < 2; slide++) {
    double J = it->drive->armature[slide];
    int k = a->n;
    if (!(J > 0) || !ns_joint_is_free(&it->joint, slide)) continue;
    ns_joint_motion(m, it, slide, q, v, 0, a->g[k], &a->rate[k]);
    a->inertia[k] = J;
    a->bias[k] = slide ? ns_joint_slide_bias(m, it, q, v) : 0;
    a->n++;
  }
}

void ns_armature_add_mass(const ns_armature *a, int dof, const int *at, int ld, double *M)
{
  int bodies = a->width / dof;
  for (int k = 0; k < a->n; k++)
    for (int e = 0; e < bodies * bodies; e++) {
      int row = e % bodies, col = e / bodies;
      const double *x = a->g[k] + dof * row, *y = a->g[k] + dof * col;
      if (at[row] < 0 || at[col] < 0) continue;
      for (int j = 0; j < dof; j++)
        for (int i = 0; i < dof; i++)
          M[at[row] + i + (at[col] + j) * ld] += x[i] * y[j] * a->inertia[k]; /* symmetric */
    }
}

double ns_armature_energy(const ns_armature *a)
{
  double T = 0;
  for (int k = 0; k < a->n; k++) T += a->inertia[k] * a->rate[k] * a->rate[k] / 2;
  return T;
}
