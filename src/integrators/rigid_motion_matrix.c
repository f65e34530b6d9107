/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_motion_matrix.c -- the iteration matrix W of one body, W^-1, and its free velocity. */
#include "algebra/dense.h"
#include "algebra/vector.h"
#include "integrators/rigid_motion_parts.h"
#include "integrators/slopes.h"
#include "model/systems/rigid_body.h"

#include <string.h>

/* B = A^-1 by cofactors; 0 where A has none. */
static int inverse3(const double *A, double *B)
{
  double c[9];
  ns_cross3(A + 3, A + 6, c);
  ns_cross3(A + 6, A, c + 3);
  ns_cross3(A, A + 3, c + 6);
  double det = ns_dot3(A, c), over = 1 / det;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) B[i + 3 * j] = c[j + 3 * i] * over;
  return fabs(det) > DBL_MIN && isfinite(det);
}

void ns_rigid_motion_inertia(const ns_rigid_motion *o, const ns_rigid_part *p, double *R)
{
  int n = o->dof, turn = n - (ns_system_is_planar(p->s) ? 1 : 3), k = n - turn;
  double inverse[9] = {1 / p->I[0]};
  if (k == 3) inverse3(p->I, inverse);
  for (int i = 0; i < n && o->diagonal; i++)
    R[i] = i < turn ? 1 / p->m : inverse[(i - turn) * (k + 1)];
  if (o->diagonal) return; /* no velocity is prescribed */
  for (int i = 0; i < turn; i++) R[i * (n + 1)] = 1 / p->m;
  for (int j = 0; j < k; j++)
    for (int i = 0; i < k; i++) R[turn + i + (turn + j) * n] = inverse[i + j * k];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (o->held[p->s->v + (size_t)i] || o->held[p->s->v + (size_t)j]) R[i + j * n] = 0;
}

/* ---- iteration matrix ------------------------------------------------------------------------ */

int ns_rigid_motion_singular(const ns_rigid_motion *o, ns_ctx *c, const ns_system *s)
{
  return ns_fail_at(c, NS_NUMERIC, &s->at,
                    "its iteration matrix M + h theta C + h^2 theta^2 K is singular at t = %.10g "
                    "s, h = %g s; check the derivatives of its forces there, or use a smaller h",
                    o->t1, o->h);
}

/* Derivative of what add_spin adds [3 x 3], by columns. */
static void spin_tangent(const ns_rigid_motion *o, const ns_rigid_part *p, double *dg)
{
  double g[3], mean[3], by = o->h * o->theta;
  const double *v0 = o->x->v + p->s->v + 3, *v = o->v + p->s->v + 3;
  if (p->gyroscopic == NS_GYROSCOPIC_MIDPOINT) {
    for (int i = 0; i < 3; i++) mean[i] = (v0[i] + v[i]) / 2;
    v = mean;
    by = o->h / 2;
  }
  ns_rigid_gyroscopic(p->I, v, g, dg);
  ns_scale(9, by, dg);
}

/* Only its rotational part moves. */
static int spin_inverse(ns_rigid_motion *o, const ns_rigid_part *p, double *R)
{
  double A[9], B[9];
  spin_tangent(o, p, A);
  o->symmetric = o->symmetric && A[1] == A[3] && A[2] == A[6] && A[5] == A[7];
  ns_axpy(9, 1, p->I, A);
  if (!inverse3(A, B)) return 0;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) R[3 + i + (3 + j) * 6] = B[i + 3 * j];
  return 1;
}

/* Entry (i, j) of W; NULL: it is zero. */
static double *entry_of(const ns_group_matrix *W, int i, int j)
{
  return W->sparse ? ns_blocks_at(W->sparse, i, j) : W->W + i + (size_t)j * (size_t)W->n;
}

void ns_rigid_motion_hold(const ns_rigid_motion *o, const int *body, const ns_group_matrix *W,
                          double *r)
{
  for (int j = 0; j < W->n && o->nheld; j++) {
    size_t k = ns_rigid_velocity_of(o, body, j);
    if (!o->held[k]) continue;
    double change = o->target[k] - o->v[k];
    for (int i = 0; i < W->n; i++) {
      double *a = entry_of(W, i, j), *b = entry_of(W, j, i);
      if (!a || !b) continue;
      r[i] += *a * change;
      *a = *b = i == j;
    }
    r[j] = -change;
  }
}

int ns_rigid_motion_matrix(ns_rigid_motion *o, ns_ctx *c, int k, double *W)
{
  const ns_rigid_part *p = &o->part[k];
  int nn = o->dof * o->dof;
  double *K = o->work, *C = K + NS_RIGID_MAX * NS_RIGID_MAX,
         *scratch = C + 2 * NS_RIGID_MAX * NS_RIGID_MAX, dg[9], a = o->h * o->theta;
  ns_point at = ns_rigid_point_of(o, p->s, o->t1, o->q, o->v);
  int rc = ns_rigid_tangents(p->s, c, &at, scratch, K, C);
  if (rc) return rc;
  ns_rigid_drives_tangents(o->drives, k, K, C);
  ns_finite_slopes((size_t)nn, K);
  ns_finite_slopes((size_t)nn, C);
  ns_rigid_mass(p->s, W);
  for (int i = 0; i < nn; i++) W[i] += a * C[i] + a * a * K[i];
  ns_rigid_drives_mass(o->drives, k, W);
  if (!ns_rigid_spins(p)) return NS_OK;
  spin_tangent(o, p, dg);
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) W[3 + i + (3 + j) * 6] += dg[i + 3 * j];
  return NS_OK;
}

/* R = W^-1 with all derivatives; r: residual of the body, from which prescribed velocities are
 * eliminated. */
static int full_inverse(ns_rigid_motion *o, ns_ctx *c, int k, double *R, double *r)
{
  int n = o->dof, nn = n * n, piv[NS_RIGID_MAX];
  double *W = o->work + 2 * NS_RIGID_MAX * NS_RIGID_MAX;
  int rc = ns_rigid_motion_matrix(o, c, k, W);
  if (rc) return rc;
  if (o->part[k].nheld) ns_rigid_motion_hold(o, &k, &(ns_group_matrix){.n = n, .W = W}, r);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++) o->symmetric = o->symmetric && W[i + j * n] == W[j + i * n];
  for (int i = 0; i < nn; i++) R[i] = i % (n + 1) == 0;
  if (ns_dense_lu(n, W, n, piv)) return ns_rigid_motion_singular(o, c, o->part[k].s);
  ns_dense_lu_solve(n, W, n, piv, n, R, n);
  return NS_OK;
}

/* vfree of a body whose residual, with prescribed velocities eliminated, is r. */
static void free_of(ns_rigid_motion *o, const ns_rigid_part *p, double *R, const double *r)
{
  int n = o->dof;
  size_t at = p->s->v;
  const double *v = o->v + at;
  double *u = o->vfree + at;
  memcpy(u, v, (size_t)n * sizeof *v);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) u[i] -= R[i + j * n] * r[j];
  for (int j = 0; j < n; j++) {
    if (!p->nheld || !o->held[at + (size_t)j]) continue;
    u[j] = o->target[at + (size_t)j];
    for (int i = 0; i < n; i++) R[i + j * n] = R[j + i * n] = 0;
  }
}

/* The same where velocity and spin of the body are apart, and no velocity is prescribed. */
static void free_apart(ns_rigid_motion *o, const ns_rigid_part *p, const double *R, const double *r)
{
  const double *v = o->v + ns_rigid_velocities_at(o, p);
  double *u = o->vfree + ns_rigid_velocities_at(o, p), spin[3];
  if (o->diagonal) {
    for (int i = 0; i < o->dof; i++) u[i] = v[i] - R[i] * r[i];
    return;
  }
  for (int i = 0; i < 3; i++) u[i] = v[i] - R[i * (o->dof + 1)] * r[i];
  if (o->dof == 3) return;
  memcpy(spin, v + 3, 3 * sizeof *spin);
  for (int j = 3; j < 6; j++)
    for (int i = 0; i < 3; i++) spin[i] -= R[3 + i + j * 6] * r[j];
  memcpy(u + 3, spin, sizeof spin);
}

void ns_rigid_motion_loose(const ns_rigid_motion *o, double *v)
{
  int n = o->dof;
  for (int k = 0; k < o->nbodies; k++) {
    const double *B = o->rest + (size_t)k * ns_rigid_inverse_size(o), *r = o->r + k * n;
    for (int i = 0; i < n; i++) {
      v[k * n + i] = o->v[k * n + i];
      if (o->diagonal) v[k * n + i] -= B[i] * r[i];
      for (int j = 0; j < n && !o->diagonal; j++) v[k * n + i] -= B[i + n * j] * r[j];
    }
  }
}

static int is_finite(int n, const double *r)
{
  for (int i = 0; i < n; i++)
    if (!isfinite(r[i])) return 0;
  return 1;
}

/* W^-1 and vfree of one body, with all derivatives. */
static int free_by_all(ns_rigid_motion *o, ns_ctx *c, int k, double *R)
{
  const ns_rigid_part *p = &o->part[k];
  double r[NS_RIGID_MAX];
  memcpy(r, o->r + p->s->v, (size_t)o->dof * sizeof *r);
  int rc = full_inverse(o, c, k, R, r);
  if (!rc) free_of(o, p, R, r);
  return rc;
}

int ns_rigid_motion_free(ns_rigid_motion *o, ns_ctx *c)
{
  o->symmetric = 1;
  for (int k = 0; k < o->nbodies; k++) {
    const ns_rigid_part *p = &o->part[k];
    double *R = o->inverse + (size_t)k * ns_rigid_inverse_size(o),
           *r = o->r + ns_rigid_velocities_at(o, p);
    if (!is_finite(o->dof, r)) return ns_rigid_motion_blame(o, c);
    int rc = p->kind == NS_W_ALL ? free_by_all(o, c, k, R) : NS_OK;
    if (p->kind == NS_W_SPIN && !spin_inverse(o, p, R)) rc = ns_rigid_motion_singular(o, c, p->s);
    if (rc) return rc;
    if (p->kind != NS_W_ALL) free_apart(o, p, R, r);
  }
  return NS_OK;
}
