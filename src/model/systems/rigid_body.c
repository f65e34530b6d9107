/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/systems/rigid_body.h"

#include "algebra/vector.h"
#include "model/difference.h"
#include "model/systems/rigid_parts.h"

#include <float.h>

/* a Jacobian, or a displaced point; scratch of formulas stands behind it */
enum { SCRATCH = 3 * 7 };

/* Entries of a moment; those of a force are the translations. */
static int nmoment(const ns_system *s) { return s->n - ns_system_translations(s); }

size_t ns_rigid_work(const ns_system *s)
{
  const ns_rigid_body *b = &s->rigid;
  const ns_operator *all[] = {&b->fext,    &b->mext,    &b->fint,    &b->mint,
                              &b->dq_fint, &b->dv_fint, &b->dq_mint, &b->dv_mint};
  return ns_operators_work(all, sizeof all / sizeof *all) + SCRATCH;
}

/* ---- wrench ---------------------------------------------------------------------------------- */

/* y := R x in world axes, in the plane turned by the angle. */
static void to_world(const ns_system *s, const double *q, const double *x, double *y)
{
  double R[9];
  if (ns_system_is_planar(s)) {
    double a = cos(q[2]), b = sin(q[2]);
    y[0] = a * x[0] - b * x[1];
    y[1] = b * x[0] + a * x[1];
    return;
  }
  ns_quaternion_matrix(q + 3, R);
  ns_mul3(R, x, y);
}

/* a := fExt in the axes of the body, or mExt in those of the world, as given; 0 where it is not
 * given so. */
static int turning(const ns_operator *o, int turns, ns_ctx *c, const ns_point *p, double *work,
                   double *a)
{
  memset(a, 0, 3 * sizeof *a);
  return turns && o->how ? ns_operator_eval(o, c, p, work, a) : NS_OK;
}

static int mext_turns(const ns_system *s)
{
  return !ns_system_is_planar(s) && !s->rigid.mext_in_body;
}

static int force(const ns_system *s, ns_ctx *c, const ns_point *p, double *work, double *f)
{
  double a[3] = {0};
  int rc = ns_operator_eval(&s->rigid.fext, c, p, work, a);
  if (s->rigid.fext_in_body) to_world(s, p->q, a, f);
  else memcpy(f, a, (size_t)ns_system_translations(s) * sizeof *f);
  return rc;
}

static int moment(const ns_system *s, ns_ctx *c, const ns_point *p, double *work, double *M)
{
  double a[3] = {0}, R[9];
  int rc = ns_operator_eval(&s->rigid.mext, c, p, work, a);
  if (mext_turns(s)) {
    ns_quaternion_matrix(p->q + 3, R);
    ns_mul3t(R, a, M);
  } else memcpy(M, a, (size_t)nmoment(s) * sizeof *M);
  return rc;
}

/* F [n] -= o(p) */
static int subtract(const ns_operator *o, int n, ns_ctx *c, const ns_point *p, double *work,
                    double *F)
{
  double a[3];
  if (!o->how) return NS_OK;
  int rc = ns_operator_eval(o, c, p, work, a);
  if (!rc) ns_axpy((size_t)n, -1, a, F);
  return rc;
}

int ns_rigid_force(const ns_system *s, ns_ctx *c, const ns_point *p, double *work, double *F)
{
  const ns_rigid_body *b = &s->rigid;
  double *M = F + ns_system_translations(s);
  memset(F, 0, (size_t)s->n * sizeof *F);
  int rc = b->fext.how ? force(s, c, p, work, F) : NS_OK;
  if (!rc && b->mext.how) rc = moment(s, c, p, work, M);
  if (!rc) rc = subtract(&b->fint, ns_system_translations(s), c, p, work, F);
  if (!rc) rc = subtract(&b->mint, nmoment(s), c, p, work, M);
  return rc;
}

static int is_constant(const ns_operator *o) { return o->how <= NS_OP_CONSTANT; }

int ns_rigid_is_free(const ns_system *s)
{
  const ns_rigid_body *b = &s->rigid;
  return is_constant(&b->fint) && is_constant(&b->mint) && !(b->fext.how && b->fext_in_body) &&
         !(b->mext.how && mext_turns(s));
}

int ns_rigid_is_steady(const ns_system *s)
{
  return ns_rigid_is_free(s) && is_constant(&s->rigid.fext) && is_constant(&s->rigid.mext);
}

/* ---- tangents -------------------------------------------------------------------------------- */

int ns_rigid_differenced(const ns_system *s)
{
  const ns_rigid_body *b = &s->rigid;
  return ns_difference_is_needed(&b->fint, &b->dq_fint, NS_BANK_Q) ||
         ns_difference_is_needed(&b->fint, &b->dv_fint, NS_BANK_V) ||
         ns_difference_is_needed(&b->mint, &b->dq_mint, NS_BANK_Q) ||
         ns_difference_is_needed(&b->mint, &b->dv_mint, NS_BANK_V);
}

/* x := the point displaced by step along increment or velocity j. */
static void displace(const ns_system *s, const ns_point *p, ns_bank bank, int j, double step,
                     double *x)
{
  double e[6] = {0};
  memcpy(x, bank == NS_BANK_Q ? p->q : p->v,
         (size_t)(bank == NS_BANK_Q ? s->nq : s->n) * sizeof *x);
  e[j] = 1;
  if (bank == NS_BANK_Q) ns_rigid_move(s, step, e, x);
  else x[j] += step;
}

/* J += df/d(increment) or df/dv, f [rows], by central differences: the rows from J of a matrix [n x
 * n]. */
static int difference(const ns_system *s, const ns_operator *f, int rows, ns_bank bank, ns_ctx *c,
                      const ns_point *p, double *work, double *J)
{
  double *x = work, *tape = work + SCRATCH, up[3], down[3];
  int rc = NS_OK;
  ns_point at = *p;
  *(bank == NS_BANK_Q ? &at.q : &at.v) = x;
  for (int j = 0; j < s->n && !rc; j++) {
    /* a turn has no size to compare with */
    double from = bank == NS_BANK_V ? p->v[j] : j < ns_system_translations(s) ? p->q[j] : 0;
    double step = ns_difference_step(from);
    volatile double hi = from + step, lo = from - step; /* as represented */
    displace(s, p, bank, j, hi - from, x);
    rc = ns_operator_eval(f, c, &at, tape, up);
    displace(s, p, bank, j, lo - from, x);
    if (!rc) rc = ns_operator_eval(f, c, &at, tape, down);
    for (int i = 0; i < rows && !rc; i++) J[i + j * s->n] += (up[i] - down[i]) / (hi - lo);
  }
  return rc;
}

/* row [n] at stride: += d [nq] at stride T(q), the change by the increments of what changes by d
 * with the coordinates. */
static void add_by_increments(const ns_system *s, const double *q, const double *d, int stride,
                              double *row)
{
  int n = s->n;
  if (ns_system_is_planar(s)) {
    for (int j = 0; j < n; j++) row[j * n] += d[j * stride];
    return;
  }
  double g[7], r[6];
  for (int j = 0; j < 7; j++) g[j] = d[j * stride];
  ns_rigid_by_velocity(q, g, r);
  for (int j = 0; j < n; j++) row[j * n] += r[j];
}

/* J += the Jacobian of f by increments or velocities, in its rows of a matrix [n x n]. */
static int add_jacobian(const ns_system *s, const ns_operator *f, const ns_operator *df, int rows,
                        ns_bank bank, ns_ctx *c, const ns_point *p, double *work, double *J)
{
  if (ns_difference_is_needed(f, df, bank)) return difference(s, f, rows, bank, c, p, work, J);
  if (!df->how) return NS_OK;
  int rc = ns_operator_eval(df, c, p, work + SCRATCH, work);
  for (int i = 0; i < rows && !rc; i++)
    if (bank == NS_BANK_Q) add_by_increments(s, p->q, work + i, rows, J + i);
    else
      for (int j = 0; j < s->n; j++) J[i + j * s->n] += work[i + j * rows];
  return rc;
}

/* K += a~ in the rows and columns from there. */
static void add_skew(const double *a, double *K)
{
  K[1] += a[2], K[2] -= a[1];
  K[6] -= a[2], K[8] += a[0];
  K[12] += a[1], K[13] -= a[0];
}

/* Of a force that turns with the body, f = R a, -df/dphi = R a~; of a moment m that does not,
 * -d(R^T m)/dphi = -(R^T m)~. */
static int add_turning(const ns_system *s, ns_ctx *c, const ns_point *p, double *work, double *K)
{
  double a[3], f[3], R[9], m[3];
  int rc = turning(&s->rigid.fext, s->rigid.fext_in_body, c, p, work, a);
  if (ns_system_is_planar(s)) {
    if (rc) return rc;
    to_world(s, p->q, a, f);
    K[6] += f[1], K[7] -= f[0];
    return NS_OK;
  }
  ns_quaternion_matrix(p->q + 3, R);
  for (int j = 0; j < 3; j++) { /* column j of R a~ is R (a x e_j) */
    double e[3] = {0}, ae[3], col[3];
    e[j] = 1;
    ns_cross3(a, e, ae);
    ns_mul3(R, ae, col);
    ns_axpy(3, 1, col, K + 6 * (3 + j));
  }
  if (!rc) rc = turning(&s->rigid.mext, mext_turns(s), c, p, work, a);
  ns_mul3t(R, a, m);
  ns_scale(3, -1, m);
  add_skew(m, K + 3 + 6 * 3);
  return rc;
}

int ns_rigid_tangents(const ns_system *s, ns_ctx *c, const ns_point *p, double *work, double *K,
                      double *C)
{
  const ns_rigid_body *b = &s->rigid;
  int nf = ns_system_translations(s), nm = nmoment(s);
  memset(K, 0, (size_t)(s->n * s->n) * sizeof *K);
  memset(C, 0, (size_t)(s->n * s->n) * sizeof *C);
  int rc = add_turning(s, c, p, work, K);
  if (!rc) rc = add_jacobian(s, &b->fint, &b->dq_fint, nf, NS_BANK_Q, c, p, work, K);
  if (!rc) rc = add_jacobian(s, &b->mint, &b->dq_mint, nm, NS_BANK_Q, c, p, work, K + nf);
  if (!rc) rc = add_jacobian(s, &b->fint, &b->dv_fint, nf, NS_BANK_V, c, p, work, C);
  if (!rc) rc = add_jacobian(s, &b->mint, &b->dv_mint, nm, NS_BANK_V, c, p, work, C + nf);
  return rc;
}

/* ---- what other systems move ----------------------------------------------------------------- */

void ns_rigid_as_force(const ns_system *s, const ns_operator *op, const double *q, const double *x,
                       double *F)
{
  const ns_rigid_body *b = &s->rigid;
  int nf = ns_system_translations(s), is_moment = op == &b->mext || op == &b->mint;
  int n = is_moment ? nmoment(s) : nf;
  double sign = op == &b->fint || op == &b->mint ? -1 : 1, a[3] = {0}, y[3], R[9];
  memset(F, 0, (size_t)s->n * sizeof *F);
  memcpy(a, x, (size_t)n * sizeof *a);
  memcpy(y, a, sizeof y);
  if (op == &b->fext && b->fext_in_body) to_world(s, q, a, y);
  if (op == &b->mext && mext_turns(s)) {
    ns_quaternion_matrix(q + 3, R);
    ns_mul3t(R, a, y);
  }
  for (int i = 0; i < n; i++) F[(is_moment ? nf : 0) + i] = sign * y[i];
}

void ns_rigid_coordinate_rate(const ns_system *s, const double *q, int k, double *T)
{
  double e[7] = {0};
  e[k] = 1;
  if (ns_system_is_planar(s)) memcpy(T, e, (size_t)s->n * sizeof *T);
  else ns_rigid_by_velocity(q, e, T);
}

/* ---- inertia and motion ---------------------------------------------------------------------- */

void ns_rigid_gyroscopic(const double *I, const double *Omega, double *g, double *dg)
{
  double L[3];
  ns_mul3(I, Omega, L);
  ns_cross3(Omega, L, g);
  if (!dg) return;
  for (int j = 0; j < 3; j++) ns_cross3(Omega, I + 3 * j, dg + 3 * j); /* Omega x I e_j */
  dg[1] -= L[2], dg[2] += L[1];                                        /* e_j x I Omega */
  dg[3] += L[2], dg[5] -= L[0];
  dg[6] -= L[1], dg[7] += L[0];
}

void ns_rigid_move(const ns_system *s, double h, const double *v, double *q)
{
  if (ns_system_is_planar(s)) {
    ns_axpy3(q, h, v, q);
    return;
  }
  double phi[3] = {h * v[3], h * v[4], h * v[5]};
  ns_axpy3(q, h, v, q);
  ns_quaternion_turn(q + 3, phi);
}

void ns_rigid_momentum(const ns_system *s, double *x)
{
  double L[3];
  int nf = ns_system_translations(s);
  ns_scale((size_t)nf, s->rigid.mass, x);
  if (ns_system_is_planar(s)) {
    x[2] *= s->rigid.inertia[0];
    return;
  }
  ns_mul3(s->rigid.inertia, x + 3, L);
  memcpy(x + 3, L, sizeof L);
}

void ns_rigid_mass(const ns_system *s, double *M)
{
  memset(M, 0, (size_t)(s->n * s->n) * sizeof *M);
  for (int j = 0; j < s->n; j++) {
    M[j + j * s->n] = 1;
    ns_rigid_momentum(s, M + j * s->n);
  }
}

double ns_rigid_radius(const ns_system *s)
{
  const double *I = s->rigid.inertia;
  double moment = ns_system_is_planar(s) ? I[0] : (I[0] + I[4] + I[8]) / 2;
  return sqrt(moment / s->rigid.mass);
}
