/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/rigid_inertia.h"

/* One part in the axes of all: mass, centre, inertia about it. */
typedef struct solid {
  double mass, centre[3], inertia[9];
} solid;

static int solid_of(const ns_solid_part *p, solid *s)
{
  double volume, c[3], J[9], R[9], RJ[9], Rt[9];
  if (!ns_shape_solid(p->shape, &volume, c, J)) return 0;
  s->mass = p->density * volume;
  ns_quaternion_matrix(p->turn, R);
  ns_mul3(R, c, s->centre);
  ns_axpy3(s->centre, 1, p->at, s->centre);
  for (int i = 0; i < 9; i++) Rt[i] = R[i / 3 + 3 * (i % 3)];
  ns_matmul3(R, J, RJ);
  ns_matmul3(RJ, Rt, s->inertia);
  for (int i = 0; i < 9; i++) s->inertia[i] *= s->mass;
  return 1;
}

/* I += mass (|d|^2 1 - d d^T) */
static void add_steiner(double mass, const double *d, double *I)
{
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) I[i + 3 * j] += mass * ((i == j ? ns_dot3(d, d) : 0) - d[i] * d[j]);
}

int ns_rigid_from_shapes(int n, const ns_solid_part *part, double *mass, double *centre, double *inertia)
{
  solid s;
  double d[3];
  *mass = 0;
  memset(centre, 0, 3 * sizeof *centre);
  memset(inertia, 0, 9 * sizeof *inertia);
  for (int k = 0; k < n; k++) {
    if (!solid_of(&part[k], &s)) return k;
    *mass += s.mass;
    ns_axpy3(centre, s.mass, s.centre, centre);
  }
  if (!(*mass > 0)) {
    memset(centre, 0, 3 * sizeof *centre);
    return -1;
  }
  for (int i = 0; i < 3; i++) centre[i] /= *mass;
  for (int k = 0; k < n; k++) {
    solid_of(&part[k], &s);
    ns_sub3(s.centre, centre, d);
    for (int i = 0; i < 9; i++) inertia[i] += s.inertia[i];
    add_steiner(s.mass, d, inertia);
  }
  for (int j = 0; j < 3; j++) /* symmetric to the bit */
    for (int i = 0; i < j; i++) inertia[i + 3 * j] = inertia[j + 3 * i] = (inertia[i + 3 * j] + inertia[j + 3 * i]) / 2;
  return -1;
}

static double determinant(const double *A)
{
  double c[3];
  ns_cross3(A + 3, A + 6, c);
  return ns_dot3(A, c);
}

void ns_principal_moments(const double *I, double *moment)
{
  double mean = (I[0] + I[4] + I[8]) / 3, spread = 0, B[9];
  for (int i = 0; i < 9; i++) {
    B[i] = I[i] - (i % 4 ? 0 : mean);
    spread += B[i] * B[i];
  }
  spread = sqrt(spread / 6);
  double r = spread > 0 ? determinant(B) / (2 * spread * spread * spread) : 1;
  double angle = acos(fmax(-1, fmin(1, r))) / 3;
  moment[2] = mean + 2 * spread * cos(angle);
  moment[0] = mean + 2 * spread * cos(angle + 2 * M_PI / 3);
  moment[1] = 3 * mean - moment[0] - moment[2];
}
