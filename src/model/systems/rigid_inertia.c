/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/systems/rigid_inertia.h"

#include "algebra/vector.h"

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
  ns_scale(9, s->mass, s->inertia);
  return 1;
}

/* I += mass (|d|^2 1 - d d^T) */
static void add_steiner(double mass, const double *d, double *I)
{
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) I[i + 3 * j] += mass * ((i == j ? ns_dot3(d, d) : 0) - d[i] * d[j]);
}

int ns_rigid_from_shapes(int n, const ns_solid_part *part, double *mass, double *centre,
                         double *inertia)
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
  ns_divide(3, *mass, centre);
  for (int k = 0; k < n; k++) {
    solid_of(&part[k], &s);
    ns_sub3(s.centre, centre, d);
    ns_axpy(9, 1, s.inertia, inertia);
    add_steiner(s.mass, d, inertia);
  }
  for (int j = 0; j < 3; j++) /* symmetric to the bit */
    for (int i = 0; i < j; i++)
      inertia[i + 3 * j] = inertia[j + 3 * i] = (inertia[i + 3 * j] + inertia[j + 3 * i]) / 2;
  return -1;
}

/* ---- principal moments ----------------------------------------------------------------------- */

/* A rotation in the plane (p, q) that makes A_pq zero; r is the third axis. A symmetric, both
 * halves are kept. */
static void rotate(double *A, int p, int q, int r)
{
  double *off = A + p + 3 * q;
  if (*off == 0) return;
  double theta = (A[4 * q] - A[4 * p]) / (2 * *off);
  double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1),
         s = t * c;
  double rp = A[r + 3 * p], rq = A[r + 3 * q];
  A[4 * p] -= t * *off;
  A[4 * q] += t * *off;
  *off = A[q + 3 * p] = 0;
  A[r + 3 * p] = A[p + 3 * r] = c * rp - s * rq;
  A[r + 3 * q] = A[q + 3 * r] = s * rp + c * rq;
}

static void ascend(double *a, double *b)
{
  double min = fmin(*a, *b), max = fmax(*a, *b);
  *a = min;
  *b = max;
}

void ns_principal_moments(const double *I, double *moment)
{
  enum { SWEEPS = 12 }; /* quadratic convergence: 5 or so are needed */
  double A[9];
  memcpy(A, I, sizeof A);
  for (int k = 0; k < SWEEPS; k++) {
    rotate(A, 0, 1, 2);
    rotate(A, 0, 2, 1);
    rotate(A, 1, 2, 0);
  }
  for (int i = 0; i < 3; i++) moment[i] = A[4 * i];
  ascend(moment, moment + 1);
  ascend(moment + 1, moment + 2);
  ascend(moment, moment + 1);
}
