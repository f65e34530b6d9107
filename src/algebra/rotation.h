/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rotation.h -- vectors of space, rotation matrices and unit quaternions.
 *
 * A quaternion p = (p0, p1, p2, p3), scalar first, represents the rotation R(p) from body to world
 * axes, x = R X. Matrices are [3 x 3] by columns. Omega are angular velocities in body axes: pdot =
 * p (0, Omega)/2, so a step of them is a product from the right,
 *
 *   p (+) phi = p expq(phi),  expq(phi) = (cos |phi|/2, sin(|phi|/2) phi/|phi|)
 *                             (Iserles et al. 2000; Bruls & Cardona 2010)
 *
 * Results must not overlap arguments unless stated. Loops over three components are written out,
 * because compilers do not unroll them. */
#ifndef NS_ALGEBRA_ROTATION_H
#define NS_ALGEBRA_ROTATION_H

#include "algebra/vector.h"

#include <math.h>
#include <string.h>

/* ---- vectors [3] ----------------------------------------------------------------------------- */

static inline double ns_dot3(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline double ns_norm3(const double *a) { return sqrt(ns_dot3(a, a)); }

/* c = a + s b; c may be a or b. */
static inline void ns_axpy3(const double *a, double s, const double *b, double *c)
{
  c[0] = a[0] + s * b[0];
  c[1] = a[1] + s * b[1];
  c[2] = a[2] + s * b[2];
}

static inline void ns_sub3(const double *a, const double *b, double *c) { ns_axpy3(a, -1, b, c); }

static inline void ns_cross3(const double *a, const double *b, double *c)
{
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/* a := a/|a|; returns the previous |a|. a is unchanged if it is zero. */
static inline double ns_unit3(double *a)
{
  double d = ns_norm3(a);
  if (d > 0) ns_divide(3, d, a);
  return d;
}

/* Sign of the frame of a normal, which changes at n_z = -1e-6. It does not change at 0, where
 * normals of adjacent bodies often are and rounding would reverse their frames. */
static inline double ns_tangents3_sign(const double *n) { return n[2] < -1e-6 ? -1 : 1; }
/* Two unit vectors with n x t1 = t2, n a unit vector (Duff et al. 2017); continuous except at the
 * change of sign. */
static inline void ns_tangents3(const double *n, double *t1, double *t2)
{
  double s = ns_tangents3_sign(n), a = -1 / (s + n[2]), b = n[0] * n[1] * a;
  t1[0] = 1 + s * n[0] * n[0] * a;
  t1[1] = s * b;
  t1[2] = -s * n[0];
  t2[0] = b;
  t2[1] = s + n[1] * n[1] * a;
  t2[2] = -n[1];
}

/* Rates of these vectors for the rate dn of n. */
static inline void ns_tangents3_rate(const double *n, const double *dn, double *dt1, double *dt2)
{
  double s = ns_tangents3_sign(n), a = -1 / (s + n[2]), da = a * a * dn[2],
         db = (dn[0] * n[1] + n[0] * dn[1]) * a + n[0] * n[1] * da;
  dt1[0] = s * (2 * n[0] * dn[0] * a + n[0] * n[0] * da);
  dt1[1] = s * db;
  dt1[2] = -s * dn[0];
  dt2[0] = db;
  dt2[1] = 2 * n[1] * dn[1] * a + n[1] * n[1] * da;
  dt2[2] = -dn[1];
}

/* ---- matrices [3 x 3] ------------------------------------------------------------------------ */

/* y = A x */
static inline void ns_mul3(const double *A, const double *x, double *y)
{
  double a = x[0], b = x[1], c = x[2];
  y[0] = A[0] * a + A[3] * b + A[6] * c;
  y[1] = A[1] * a + A[4] * b + A[7] * c;
  y[2] = A[2] * a + A[5] * b + A[8] * c;
}

/* y = A^T x */
static inline void ns_mul3t(const double *A, const double *x, double *y)
{
  y[0] = ns_dot3(A, x);
  y[1] = ns_dot3(A + 3, x);
  y[2] = ns_dot3(A + 6, x);
}

/* C = A B */
static inline void ns_matmul3(const double *A, const double *B, double *C)
{
  for (int j = 0; j < 3; j++) ns_mul3(A, B + 3 * j, C + 3 * j);
}

/* ---- quaternions ----------------------------------------------------------------------------- */

static inline double ns_quaternion_norm(const double *p)
{
  return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
}

/* p := p/|p|, p not zero. */
static inline void ns_quaternion_unit(double *p)
{
  double d = ns_quaternion_norm(p);
  ns_divide(4, d, p);
}

/* r = p q; R(r) = R(p) R(q). */
static inline void ns_quaternion_mul(const double *p, const double *q, double *r)
{
  r[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
  r[1] = p[0] * q[1] + q[0] * p[1] + p[2] * q[3] - p[3] * q[2];
  r[2] = p[0] * q[2] + q[0] * p[2] + p[3] * q[1] - p[1] * q[3];
  r[3] = p[0] * q[3] + q[0] * p[3] + p[1] * q[2] - p[2] * q[1];
}

/* r = p*, the inverse of a unit quaternion. */
static inline void ns_quaternion_conjugate(const double *p, double *r)
{
  r[0] = p[0];
  for (int i = 1; i < 4; i++) r[i] = -p[i];
}

/* R of a unit quaternion. */
static inline void ns_quaternion_matrix(const double *p, double *R)
{
  double a = p[0], b = p[1], c = p[2], d = p[3];
  R[0] = a * a + b * b - c * c - d * d;
  R[1] = 2 * (b * c + a * d);
  R[2] = 2 * (b * d - a * c);
  R[3] = 2 * (b * c - a * d);
  R[4] = a * a - b * b + c * c - d * d;
  R[5] = 2 * (c * d + a * b);
  R[6] = 2 * (b * d + a * c);
  R[7] = 2 * (c * d - a * b);
  R[8] = a * a - b * b - c * c + d * d;
}

/* expq; its norm is 1 up to rounding for any phi. */
static inline void ns_quaternion_exp(const double *phi, double *p)
{
  double a2 = ns_dot3(phi, phi), a = sqrt(a2);
  double s = a < 1e-3 ? 0.5 - a2 / 48 + a2 * a2 / 3840 : sin(a / 2) / a;
  p[0] = cos(a / 2);
  for (int i = 0; i < 3; i++) p[i + 1] = s * phi[i];
}

/* The smallest rotation that maps z to n, a unit vector: its half vector is (1 + n_z, -n_y, n_x,
 * 0), normalised. */
static inline void ns_quaternion_from_z(const double *n, double *p)
{
  p[0] = 1 + n[2];
  p[1] = -n[1];
  p[2] = n[0];
  p[3] = 0;
  if (n[2] < -1 + 1e-12) { /* half a turn about any axis across z */
    p[0] = p[2] = 0;
    p[1] = 1;
  }
  ns_quaternion_unit(p);
}

/* p := p expq(phi), normalised. */
static inline void ns_quaternion_turn(double *p, const double *phi)
{
  double e[4], r[4];
  ns_quaternion_exp(phi, e);
  ns_quaternion_mul(p, e, r);
  ns_quaternion_unit(r);
  memcpy(p, r, sizeof r);
}

#endif
