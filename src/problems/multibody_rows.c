/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a visit holds of its block: q and bounds, entries of K and L, and the block alone. */
#include "problems/multibody_sweep.h"

#include "algebra/dense.h"
#include "algebra/rotation.h"
#include "algebra/vector.h"

#include <float.h>
#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------ */

/* K and L of one row, on one side, whose body has the factor or inverse A. */
static void side(int dof, int symmetric, const double *h, const double *A, double *k, double *l)
{
  for (int j = 0; j < dof; j++)
    k[j] = symmetric ? ns_dot((size_t)(dof - j), h + j, A + j + j * dof) : h[j];
  if (!symmetric) ns_multibody_accelerate(dof, A, h, l);
}

/* K = H C and L = K, or H and H W^-T, by the factors or inverses of the bodies. */
static void scale(const ns_multibody *p, const double *factor, const ns_sweep *s, const ns_visit *x)
{
  size_t dof = (size_t)s->dof, dd = dof * dof;
  const double *h = p->H + 2 * dof * (size_t)p->row[x->block];
  double *k = s->K + x->from, *l = s->L + x->from;
  for (size_t i = 0; i < 2 * (size_t)x->d; i++)
    if (x->body[i % 2] >= 0)
      side(s->dof, p->symmetric, h + dof * i, factor + dd * (size_t)x->body[i % 2], k + dof * i,
           l + dof * i);
}

/* What turns a body less than that part of the slip does is parallel to the normal: the points of
 * contacts are rounded, 500 m from the origin by 1e-12 of a radius of 0.05 m. W is taken for
 * diagonal with off-diagonal entries ten times as large. */
static const double CENTRAL = 1e-11;

/* H of a visit. */
static const double *rows_of(const ns_multibody *p, const ns_visit *x)
{
  return p->H + 2 * (size_t)p->dof * (size_t)p->row[x->block];
}

/* ---- balls ----------------------------------------------------------------------------------- */

/* Its moving bodies. */
static int sides(const ns_visit *x) { return x->body[1] < 0 ? 1 : 2; }

/* Angular entries of t1 at its body e; those of t2 are 12 behind. h [3][12] */
static const double *arm_of(const double *h, int e) { return h + 15 + 6 * e; }

/* Length of its rows: a power of 2 to rounding. h [3][12] */
static double unit_of(const double *h)
{
  double square = ns_dot3(h, h);
  return fabs(square - 1) <= 1e-12 ? 1 : ldexp(1, ilogb(1.5 * sqrt(square)));
}

/* The normal does not turn the bodies, they are pushed apart with one force, and the rows are a
 * frame (n, t1, t2), its length a power of 2: the levers are parallel to the normal. h [3][12] */
static int is_central(const ns_visit *x, const double *h)
{
  const double *n = h, *a = h + 12, *b = h + 24;
  double turn = 0, apart = 0, arms = 0, c[3];
  if (x->law != NS_BLOCK_FRICTION || x->d != 3 || x->body[0] < 0) return 0;
  for (int e = 0; e < sides(x); e++)
    for (int j = 0; j < 3; j++) {
      turn += fabs(h[6 * e + 3 + j]);
      arms += fabs(h[12 + 6 * e + 3 + j]);
      for (int i = 0; i < 3 && e; i++) apart += fabs(h[12 * i + j] + h[12 * i + 6 + j]);
    }
  double size = unit_of(h), square = size * size;
  ns_cross3(n, a, c);
  double off = fabs(ns_dot3(n, n) - square) + fabs(ns_dot3(n, a)) + fabs(ns_dot3(a, a) - square) +
               fabs(c[0] - size * b[0]) + fabs(c[1] - size * b[1]) + fabs(c[2] - size * b[2]);
  return turn <= CENTRAL * arms && apart <= 1e-14 && off <= 1e-12 * square;
}

static const double *columns_of(const ns_sweep *s, int body)
{
  return s->y + NS_SWEEP_STRIDE * (size_t)body;
}

/* The body has axes other than those of its rows. */
static int has_axes(const ns_sweep *s, int body)
{
  const double *y = columns_of(s, body);
  return y[0] != 0 || y[1] != 0 || y[2] != 0;
}

void ns_visit_take_axes(const ns_multibody *p, ns_sweep *s, const ns_visit *x)
{
  const double *h = rows_of(p, x);
  int known = 1;
  for (int e = 0; e < 2; e++) known &= x->body[e] < 0 || has_axes(s, x->body[e]);
  if (known || !is_central(x, h)) return;
  double size = ns_norm3(h);
  for (int e = 0; e < sides(x); e++) {
    const double *A1 = arm_of(h, e), *A2 = A1 + 12;
    double lever = ns_norm3(A1), N[3], *y = s->y + NS_SWEEP_STRIDE * (size_t)x->body[e];
    double off = fabs(ns_norm3(A2) - lever) + fabs(ns_dot3(A1, A2)) / lever;
    if (!(lever > 0 && off <= CENTRAL * lever) || has_axes(s, x->body[e])) continue;
    ns_cross3(A1, A2, N); /* the lever is towards the contact: t1 is A2 and t2 is -A1 there */
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < 3; i++)
        y[3 * k + i] = (N[i] * h[k] / lever + A2[i] * h[12 + k] - A1[i] * h[24 + k]) /
                       (lever * size);
  }
}

/* y = R x into the axes of the rows of a body, of which two columns are kept; x itself where there
 * are no others. */
static inline const double *to_rows(const ns_sweep *s, int body, const double *x, double *y)
{
  const double *R = columns_of(s, body);
  double third[3];
  if (!has_axes(s, body)) return x;
  ns_cross3(R, R + 3, third);
  for (int i = 0; i < 3; i++) y[i] = R[i] * x[0] + R[3 + i] * x[1] + third[i] * x[2];
  return y;
}

/* y = R^T x */
static void from_rows(const double *R, const double *x, double *y)
{
  double third[3];
  ns_cross3(R, R + 3, third);
  y[0] = ns_dot3(R, x);
  y[1] = ns_dot3(R + 3, x);
  y[2] = ns_dot3(third, x);
}

/* The lever of a body of a contact of balls. */
static double lever_of(const ns_sweep *s, const ns_visit *x, const double *h, int e)
{
  double y[3];
  if (e >= sides(x)) return 0;
  return ns_dot3(arm_of(h, e), to_rows(s, x->body[e], h + 24, y)) / ns_dot3(h, h);
}

/* Whether that is all that there is. */
static inline int is_lever(const ns_sweep *s, const ns_visit *x, const double *h, int e, double c)
{
  const double *A1 = arm_of(h, e), *A2 = A1 + 12;
  double a[3], b[3], off = 0, arms = 0;
  const double *t1 = to_rows(s, x->body[e], h + 12, a), *t2 = to_rows(s, x->body[e], h + 24, b);
  for (int i = 0; i < 3; i++) {
    off += fabs(A1[i] - c * t2[i]) + fabs(A2[i] + c * t1[i]);
    arms += fabs(A1[i]) + fabs(A2[i]);
  }
  return off <= CENTRAL * arms;
}

/* A contact of balls, where it is one: its W is diag(n, t, t). */
static int describe_balls(const ns_multibody *p, const ns_sweep *s, ns_visit *x)
{
  const double *h = rows_of(p, x);
  double n = 0, turn = 0, square = ns_dot3(h, h);
  if (s->contact || !is_central(x, h)) return 0;
  for (int e = 0; e < sides(x); e++) {
    const double *y = columns_of(s, x->body[e]);
    double c = lever_of(s, x, h, e);
    if (!is_lever(s, x, h, e, c)) return 0;
    n += y[NS_SWEEP_A];
    turn += y[NS_SWEEP_B] * c * c;
  }
  if (!(n * square > 0)) return 0;
  x->kind = NS_VISIT_BALL;
  x->own[0] = 1 / (n * square);
  x->own[1] = 1 / ((n + turn) * square);
  return 1;
}

/* ---- disks and normal rows ------------------------------------------------------------------- */

/* The same of disks in the plane, whose W is diag(n, t). h [2][6] */
static int describe_disks(const ns_multibody *p, const ns_sweep *s, ns_visit *x)
{
  const double *h = rows_of(p, x);
  double n = 0, t = 0, turn = 0, arms = 0, other, square;
  if (s->contact || x->law != NS_BLOCK_FRICTION || x->d != 2 || x->body[0] < 0) return 0;
  other = fabs(h[6] + h[1]) + fabs(h[7] - h[0]);
  square = h[0] * h[0] + h[1] * h[1];
  for (int e = 0; e < sides(x); e++) {
    const double *y = s->y + NS_SWEEP_STRIDE * (size_t)x->body[e], arm = h[8 + 3 * e];
    turn += fabs(h[3 * e + 2]);
    arms += fabs(arm);
    n += y[NS_SWEEP_A] * square;
    t += y[NS_SWEEP_B] * arm * arm;
    for (int i = 0; i < 2 && e; i++)
      for (int j = 0; j < 2; j++) other += fabs(h[6 * i + j] + h[6 * i + 3 + j]);
  }
  if (!(turn <= CENTRAL * arms && other <= 1e-14 && n > 0)) return 0;
  x->kind = NS_VISIT_DISK;
  x->own[0] = 1 / n;
  x->own[1] = 1 / (n + t);
  return 1;
}

/* One row that turns no body but by 1e-11 of what it moves it, and pushes two of them apart with
 * one force. h [2 dof] */
static int is_normal(const ns_sweep *s, const ns_visit *x, const double *h)
{
  int dof = s->dof, lin = dof == 6 ? 3 : 2;
  double apart = 0;
  if (x->kind != NS_VISIT_ROW || x->body[0] < 0) return 0;
  for (int e = 0; e < sides(x); e++) {
    const double *y = s->y + NS_SWEEP_STRIDE * (size_t)x->body[e], *at = h + dof * e;
    double turn = ns_dot((size_t)(dof - lin), at + lin, at + lin);
    if (!(y[NS_SWEEP_B] * turn <= 1e-22 * y[NS_SWEEP_A])) return 0;
    for (int i = 0; i < lin && e; i++) apart += fabs(h[i] + at[i]);
  }
  return apart <= 1e-14;
}

static void shorten_disk(const ns_visit *x, const double *h, double *k)
{
  const double entries[NS_DISK_ENTRIES] = {h[0], h[1], h[8], x->body[1] < 0 ? 0 : h[11]};
  memcpy(k, entries, sizeof entries);
}

static void shorten_normal(int dof, const double *h, double *k)
{
  const double entries[NS_NORMAL_ENTRIES] = {h[0], h[1], dof == 6 ? h[2] : 0};
  memcpy(k, entries, sizeof entries);
}

/* ---- blocks alone ---------------------------------------------------------------------------- */

/* W of the block itself, whose d rows are k and l. */
static inline void own_matrix(size_t dof, int d, const ns_sweep *s, const ns_visit *x,
                              const double *k, const double *l, double *D)
{
  size_t lin = dof == 6 ? 3 : 2;
  memset(D, 0, (size_t)(d * d) * sizeof *D);
  for (int e = 0; e < 2; e++, k += dof, l += dof) {
    if (x->body[e] < 0) continue;
    double ab[2];
    memcpy(ab, s->y + NS_SWEEP_STRIDE * (size_t)x->body[e] + NS_SWEEP_A, sizeof ab);
    for (int j = 0; j < d; j++)
      for (int i = 0; i < d; i++) {
        const double *a = k + 2 * dof * (size_t)i, *b = l + 2 * dof * (size_t)j;
        D[i + j * d] += s->round ? ab[0] * ns_dot(lin, a, b) +
                                       ab[1] * ns_dot(dof - lin, a + lin, b + lin)
                                 : ns_dot(dof, a, b);
      }
  }
}

/* Inverse of D; of rows that follow from those before them, where D is a Gram matrix, zero. A = L D
 * L^T without roots. */
static void inverse_of(int d, const double *D, double *inverse)
{
  double A[36], b[6];
  int keep[6], n = 0;
  memset(inverse, 0, (size_t)(d * d) * sizeof *inverse);
  memcpy(A, D, (size_t)(d * d) * sizeof *A);
  for (int c = 0; c < d; c++) {
    double pivot = A[c + c * d];
    if (!(fabs(pivot) > 1e-12 * fabs(D[c + c * d]))) continue;
    keep[n++] = c;
    for (int i = c + 1; i < d; i++)
      for (int j = c + 1; j < d; j++) A[i + j * d] -= A[i + c * d] / pivot * A[c + j * d];
  }
  for (int c = 0; c < n; c++) {
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) A[i + j * d] = D[keep[i] + keep[j] * d];
    for (int i = 0; i < n; i++) b[i] = i == c;
    if (!ns_dense_eliminate(n, A, d, 0, b)) return;
    for (int i = 0; i < n; i++) inverse[keep[i] + keep[c] * d] = b[i];
  }
}

/* How the block is solved, by W alone. */
static ns_visit_kind kind_of(const ns_sweep *s, ns_visit *x, const double *D)
{
  ns_contact k;
  if (x->body[0] < 0 && x->body[1] < 0) return NS_VISIT_NONE;
  if (x->law == NS_BLOCK_BOX)
    return x->d > 1 ? NS_VISIT_BOX : D[0] > 0 ? NS_VISIT_ROW : NS_VISIT_NONE;
  if (x->law == NS_BLOCK_ROLLING)
    return D[0] > 0 && D[0] <= DBL_MAX ? NS_VISIT_ROLLING : NS_VISIT_NONE;
  if (x->d == 3 && !s->contact && ns_multibody_is_round(D)) return NS_VISIT_ROUND;
  if (ns_contact_prepare(x->d, D, x->mu, &k)) return NS_VISIT_NONE;
  if (x->d == 2 || s->dof != 6 || s->contact) return NS_VISIT_FRICTION;
  x->own[0] = k.rho_n;
  x->own[1] = k.rho_t;
  return NS_VISIT_POINT;
}

/* Numbers that hold so many bytes. */
#define NUMBERS(bytes) (((bytes) + sizeof(double) - 1) / sizeof(double))

size_t ns_visit_capacity(const ns_visit *x)
{
  size_t dd = (size_t)(x->d * x->d);
  if (x->kind == NS_VISIT_POINT) return 2;
  if (x->kind == NS_VISIT_BOX) return 2 * dd;
  if (x->kind == NS_VISIT_ROLLING) return dd + NUMBERS(sizeof(ns_rolling));
  return x->kind == NS_VISIT_FRICTION ? NUMBERS(sizeof(ns_contact)) : 0;
}

static void fill(const ns_visit *x, const double *D, double *local)
{
  size_t dd = (size_t)(x->d * x->d);
  if (x->kind == NS_VISIT_FRICTION) {
    ns_contact_prepare(x->d, D, x->mu, (void *)local);
    return;
  }
  if (x->kind == NS_VISIT_POINT) {
    memcpy(local, D + 1, 2 * sizeof *D);
    return;
  }
  memcpy(local, D, dd * sizeof *D);
  if (x->kind == NS_VISIT_BOX) inverse_of(x->d, D, local + dd);
  else ns_rolling_prepare(x->d, D, x->mu, x->own[1], (void *)(local + dd));
}

const double *ns_visit_rows(const ns_multibody *p, const ns_sweep *s, const ns_visit *x, double *k)
{
  const double *h = rows_of(p, x);
  if (!s->round) return s->K + x->from;
  if (s->dof < 6) return h;
  memcpy(k, h, 12 * x->d * sizeof *k);
  for (int e = 0; e < 2; e++)
    for (int i = 3 + 6 * e; x->body[e] >= 0 && has_axes(s, x->body[e]) && i < 12 * x->d; i += 12)
      from_rows(columns_of(s, x->body[e]), h + i, k + i);
  return k;
}

void ns_visit_matrix(const ns_multibody *p, const ns_sweep *s, const ns_visit *x, double *D)
{
  const double *k = s->round ? rows_of(p, x) : s->K + x->from, *l = s->round ? k : s->L + x->from;
  /* with constant sizes all of it is unrolled */
  if (s->dof == 6 && x->d == 3) own_matrix(6, 3, s, x, k, l, D);
  else if (s->dof == 6 && x->d == 1) own_matrix(6, 1, s, x, k, l, D);
  else if (s->dof == 3 && x->d == 2) own_matrix(3, 2, s, x, k, l, D);
  else if (s->dof == 3 && x->d == 1) own_matrix(3, 1, s, x, k, l, D);
  else own_matrix((size_t)s->dof, x->d, s, x, k, l, D);
}

/* ---- visits ---------------------------------------------------------------------------------- */

int ns_visit_describe(const ns_multibody *p, const double *factor, ns_sweep *s, ns_visit *x)
{
  double D[36];
  x->mu = p->mu ? p->mu[x->block] : 0;
  x->own[1] = p->mu_rolling ? p->mu_rolling[x->block] : 0;
  for (int i = 0; i < x->d; i++) {
    int of = p->row[x->block] + i;
    s->q[x->at + i] = ns_multibody_row(p, x->block, of, p->vfree);
    if (s->lb) s->lb[x->at + i] = p->lb[of];
    if (s->ub) s->ub[x->at + i] = p->ub[of];
  }
  if (s->round && s->dof == 3 && describe_disks(p, s, x)) return 0;
  if (s->round && s->dof == 6 && describe_balls(p, s, x)) return unit_of(rows_of(p, x)) != 1;
  if (!s->round) scale(p, factor, s, x);
  ns_visit_matrix(p, s, x, D);
  x->own[0] = 1 / D[0];
  x->kind = (unsigned char)kind_of(s, x, D);
  if (x->kind == NS_VISIT_ROUND) x->own[1] = 2 / (D[4] + D[8]);
  if (s->round && is_normal(s, x, rows_of(p, x))) x->kind = NS_VISIT_NORMAL;
  return 0;
}

size_t ns_visit_entries(const ns_sweep *s, const ns_visit *x)
{
  if (x->kind == NS_VISIT_DISK) return NS_DISK_ENTRIES;
  if (x->kind == NS_VISIT_NORMAL) return NS_NORMAL_ENTRIES;
  return x->kind == NS_VISIT_BALL ? NS_BALL_ENTRIES : 2 * (size_t)s->dof * x->d;
}

void ns_visit_shorten(const ns_multibody *p, const ns_sweep *s, const ns_visit *x, double *k)
{
  const double *h = rows_of(p, x);
  if (x->kind == NS_VISIT_BALL) {
    memcpy(k, h, 3 * sizeof *k);
    memcpy(k + 3, h + 12, 3 * sizeof *k);
    for (int e = 0; e < 2; e++) k[NS_BALL_LEVER + e] = lever_of(s, x, h, e);
    k[NS_BALL_UNIT] = 1 / unit_of(h);
  } else if (x->kind == NS_VISIT_DISK) shorten_disk(x, h, k);
  else shorten_normal(p->dof, h, k);
}

void ns_visit_fill(const ns_multibody *p, const ns_sweep *s, const ns_visit *x)
{
  double D[36], rows[72];
  if (x->pack) ns_sweep_pack_fill(p, s, x);
  if (x->packed) return;
  if (x->kind == NS_VISIT_BALL || x->kind == NS_VISIT_DISK || x->kind == NS_VISIT_NORMAL)
    ns_visit_shorten(p, s, x, s->K + x->from);
  else if (s->round)
    memcpy(s->K + x->from, ns_visit_rows(p, s, x, rows), ns_visit_entries(s, x) * sizeof *s->K);
  if (ns_visit_capacity(x) == 0) return;
  ns_visit_matrix(p, s, x, D);
  fill(x, D, s->local + x->local);
}
