/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_joint.c -- joints between two bodies, and their free coordinates.
 *
 * With w = R1^T (P - x1) for a point P of body 2, c = reference and the relative rotation, (1, 0)
 * as assembled,
 *
 *   delta = (p2 c)* p1 in axes of body 1,   ddelta_0  = (-delta.Omega1 + delta.u)/2
 *                                           ddelta    = ((delta_0 + delta~) Omega1 - (delta_0 -
 *                                               delta~) u)/2,  u = R(c)^T Omega2
 *   eps   = p1 (p2 c)* in world axes,       deps      = ((eps_0 - eps~) omega1 - (eps_0 + eps~)
 *         omega2)/2
 *
 * the rows are
 *
 *   ball          x1 + R1 c1 - x2 - R2 c2
 *   pivot         those, V_i.delta
 *   prismatic     V_i.(w - c1), eps                   P = x2 + R2 c2
 *   cylindrical   V_i.(w - c1), V_i.delta
 *   fixed         w - c1, eps
 *
 * and the free coordinates 2 atan2(-A.delta, delta_0), of a ball joint its twist about A, and A.(w
 * - c1); the swing of a ball joint is the angle between its axis in body 1 and in body 2. delta and
 * -delta are one rotation: the one with delta_0 >= 0 is taken, and of eps likewise.
 *
 * A joint without a point of its own has the centre of body 2; that of the world is anywhere, and
 * an arm that long leaves few digits to the rows: there it has the centre of body 1 as assembled.
 */
#include "algebra/vector.h"
#include "model/systems/rigid_parts.h"

#include <string.h>

typedef struct link {
  const ns_joint *j;
  ns_pose b1, b2;
  int alone;      /* body 2 is the world: it has no columns */
  double turn[4]; /* of body 2 as if it had the axes of body 1: p2 c */
} link;

static void link_of(const ns_joint *j, const double *q1, const double *q2, link *k)
{
  k->j = j;
  k->alone = q2 == NULL;
  ns_pose_of(q1, &k->b1);
  ns_pose_of(q2, &k->b2);
  ns_quaternion_mul(k->b2.p, j->reference, k->turn);
}

static void upright(double *p)
{
  if (p[0] < 0) ns_scale(4, -1, p);
}

static void relative_in_body(const link *k, double *delta)
{
  double inverse[4];
  ns_quaternion_conjugate(k->turn, inverse);
  ns_quaternion_mul(inverse, k->b1.p, delta);
  upright(delta);
}

static void relative_in_world(const link *k, double *eps)
{
  double inverse[4];
  ns_quaternion_conjugate(k->turn, inverse);
  ns_quaternion_mul(k->b1.p, inverse, eps);
  upright(eps);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* P, its arms from both centres and w. */
typedef struct meeting {
  double a1[3], a2[3], w[3];
} meeting;

static void meeting_at(const link *k, meeting *p)
{
  double P[3];
  ns_mul3(k->b2.R, k->j->c2, p->a2);
  ns_axpy3(k->b2.x, 1, p->a2, P);
  ns_sub3(P, k->b1.x, p->a1);
  ns_mul3t(k->b1.R, p->a1, p->w);
}

/* Of V.w, V in axes of body 1: the velocity of body 2 relative to body 1 at P, along R1 V. */
static void slide_row(const link *k, const meeting *p, const double *V, double *row)
{
  double d[3];
  ns_mul3(k->b1.R, V, d);
  ns_point_row(k->b1.R, p->a1, d, -1, row);
  if (k->alone) memset(row + 6, 0, 6 * sizeof *row);
  else ns_point_row(k->b2.R, p->a2, d, 1, row + 6);
}

static double slide_of(const link *k, const meeting *p, const double *V)
{
  double d[3];
  ns_sub3(p->w, k->j->c1, d);
  return ns_dot3(V, d);
}

/* row := (0, a | 0, Rc b), Rc = R(c): what is b.u by Omega2; NULL where that is not wanted. */
static void turn_row(const double *Rc, const double *a, const double *b, double *row)
{
  memset(row, 0, 12 * sizeof *row);
  memcpy(row + 3, a, 3 * sizeof *a);
  if (Rc) ns_mul3(Rc, b, row + 9);
}

/* Of V.delta. */
static void body_row(const double *Rc, const double *delta, const double *V, double *row)
{
  double c[3], a[3], b[3];
  ns_cross3(V, delta + 1, c);
  for (int i = 0; i < 3; i++) {
    a[i] = (delta[0] * V[i] + c[i]) / 2;
    b[i] = (c[i] - delta[0] * V[i]) / 2;
  }
  turn_row(Rc, a, b, row);
}

/* Of component i of eps. */
static void world_row(const link *k, const double *eps, int i, double *row)
{
  double e[3] = {0}, c[3], a[3], b[3];
  e[i] = 0.5;
  ns_cross3(e, eps + 1, c);
  for (int r = 0; r < 3; r++) {
    a[r] = eps[0] * e[r] - c[r];
    b[r] = -eps[0] * e[r] - c[r];
  }
  memset(row, 0, 12 * sizeof *row);
  ns_mul3t(k->b1.R, a, row + 3);
  if (!k->alone) ns_mul3t(k->b2.R, b, row + 9);
}

/* ---- groups of rows: each writes its y and, unless NULL, its rows ---------------------------- */

/* Columns of one body, from column `from`: sign (1, -R c~), the velocity of its point c along the
 * axes of the world. */
static void point_block(const ns_pose *b, const double *c, double sign, double (*G)[12], int from)
{
  for (int i = 0; i < 3; i++) {
    const double *R = b->R + i; /* row i, at stride 3 */
    double *row = G[i] + from;
    row[0] = row[1] = row[2] = 0;
    row[i] = sign;
    row[3] = sign * (R[6] * c[1] - R[3] * c[2]);
    row[4] = sign * (R[0] * c[2] - R[6] * c[0]);
    row[5] = sign * (R[3] * c[0] - R[0] * c[1]);
  }
}

static void point_in_common(const link *k, double *y, double (*G)[12])
{
  double a1[3], a2[3];
  ns_mul3(k->b1.R, k->j->c1, a1);
  ns_mul3(k->b2.R, k->j->c2, a2);
  for (int i = 0; i < 3; i++) y[i] = k->b1.x[i] + a1[i] - k->b2.x[i] - a2[i];
  if (!G) return;
  point_block(&k->b1, k->j->c1, 1, G, 0);
  if (!k->alone) point_block(&k->b2, k->j->c2, -1, G, 6);
  for (int i = 0; i < 3 && k->alone; i++) memset(G[i] + 6, 0, 6 * sizeof **G);
}

static void axis_in_common(const link *k, double *y, double (*G)[12])
{
  const double *V[] = {k->j->V1, k->j->V2};
  double delta[4], Rc[9];
  relative_in_body(k, delta);
  if (G) ns_quaternion_matrix(k->j->reference, Rc);
  for (int i = 0; i < 2; i++) {
    y[i] = ns_dot3(V[i], delta + 1);
    if (G) body_row(k->alone ? NULL : Rc, delta, V[i], G[i]);
  }
}

static void same_orientation(const link *k, double *y, double (*G)[12])
{
  double eps[4];
  relative_in_world(k, eps);
  for (int i = 0; i < 3; i++) {
    y[i] = eps[i + 1];
    if (G) world_row(k, eps, i, G[i]);
  }
}

/* Point c2 of body 2 stays where c1 of body 1 is, but along directions that are not among V [n]. */
static void no_slide(const link *k, const double *const *V, int n, double *y, double (*G)[12])
{
  meeting p;
  meeting_at(k, &p);
  for (int i = 0; i < n; i++) {
    y[i] = slide_of(k, &p, V[i]);
    if (G) slide_row(k, &p, V[i], G[i]);
  }
}

/* ---- joints ---------------------------------------------------------------------------------- */

int ns_joint_rows(ns_joint_kind k)
{
  static const int rows[] = {[NS_JOINT_BALL] = 3,
                             [NS_JOINT_PIVOT] = 5,
                             [NS_JOINT_PRISMATIC] = 5,
                             [NS_JOINT_CYLINDRICAL] = 4,
                             [NS_JOINT_FIXED] = 6};
  return rows[k];
}

void ns_joint_eval(const ns_joint *j, const double *q1, const double *q2, double *y, double *H)
{
  static const double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double *across[] = {j->V1, j->V2}, *all[] = {e[0], e[1], e[2]};
  double(*G)[12] = (double(*)[12])H;
  link k;
  if (j->planar) {
    ns_planar_joint_eval(j, q1, q2, y, (double(*)[6])H);
    return;
  }
  link_of(j, q1, q2, &k);
  switch (j->kind) {
  case NS_JOINT_BALL: point_in_common(&k, y, G); break;
  case NS_JOINT_PIVOT:
    point_in_common(&k, y, G);
    axis_in_common(&k, y + 3, G ? G + 3 : NULL);
    break;
  case NS_JOINT_PRISMATIC:
    no_slide(&k, across, 2, y, G);
    same_orientation(&k, y + 2, G ? G + 2 : NULL);
    break;
  case NS_JOINT_CYLINDRICAL:
    no_slide(&k, across, 2, y, G);
    axis_in_common(&k, y + 2, G ? G + 2 : NULL);
    break;
  case NS_JOINT_FIXED:
    no_slide(&k, all, 3, y, G);
    same_orientation(&k, y + 3, G ? G + 3 : NULL);
    break;
  }
}

/* 2 atan2(s, d), s = -A.delta, d = delta_0; its row (d ds - s dd) 2/(s^2 + d^2). */
static double angle_of(const link *k, double *row)
{
  double delta[4], ds[12], dd[12], a[3], b[3], Rc[9];
  relative_in_body(k, delta);
  double s = -ns_dot3(k->j->A, delta + 1), d = delta[0];
  if (row) {
    ns_quaternion_matrix(k->j->reference, Rc);
    for (int i = 0; i < 3; i++) {
      b[i] = delta[i + 1] / 2;
      a[i] = -b[i];
    }
    body_row(k->alone ? NULL : Rc, delta, k->j->A, ds);
    turn_row(k->alone ? NULL : Rc, a, b, dd);
    for (int i = 0; i < 12; i++) row[i] = -2 * (d * ds[i] + s * dd[i]) / (s * s + d * d);
  }
  return 2 * atan2(s, d);
}

/* The angle between the axis of body 1 and that of body 2, which are one as assembled; its rate is
 * n.(omega2 - omega1), n across both. Where they are one n is any direction across. */
static double swing_of(const link *k, double *row)
{
  double R[9], a1[3], a2[3], n[3], t2[3];
  ns_quaternion_matrix(k->turn, R);
  ns_mul3(k->b1.R, k->j->A, a1);
  ns_mul3(R, k->j->A, a2);
  ns_cross3(a1, a2, n);
  double s = ns_norm3(n), swing = atan2(s, ns_dot3(a1, a2));
  if (!row) return swing;
  if (s > 0) ns_unit3(n);
  else ns_tangents3(a1, n, t2);
  memset(row, 0, 12 * sizeof *row);
  ns_mul3t(k->b1.R, n, row + 3);
  ns_scale(3, -1, row + 3);
  if (!k->alone) ns_mul3t(k->b2.R, n, row + 9);
  return swing;
}

void ns_joint_turn(const ns_joint *j, const double *q1, const double *q2, double *phi,
                   double (*row)[12])
{
  link k;
  double delta[4];
  link_of(j, q1, q2, &k);
  relative_in_body(&k, delta);
  double s = ns_norm3(delta + 1), angle = 2 * atan2(s, delta[0]);
  for (int i = 0; i < 3; i++) phi[i] = -delta[1 + i] * (s > 0 ? angle / s : 2);
  memset(row, 0, 3 * sizeof *row);
  for (int i = 0; i < 3; i++) {
    double axis[3];
    row[i][3 + i] = -1;
    memcpy(axis, k.b1.R + 3 * i, 3 * sizeof *axis);
    if (!k.alone) ns_mul3t(k.b2.R, axis, row[i] + 9);
  }
}

double ns_joint_free(const ns_joint *j, int slide, const double *q1, const double *q2, double *row)
{
  link k;
  if (j->planar) return ns_planar_joint_free(j, slide, q1, q2, row);
  link_of(j, q1, q2, &k);
  if (!slide) return angle_of(&k, row);
  if (slide == NS_AXIS_SWING) return swing_of(&k, row);
  meeting p;
  meeting_at(&k, &p);
  if (row) slide_row(&k, &p, j->A, row);
  return slide_of(&k, &p, j->A);
}

/* ---- assembly -------------------------------------------------------------------------------- */

/* c := the world point in axes of the body. */
static void in_body(const ns_pose *b, const double *point, double *c)
{
  double d[3];
  ns_sub3(point, b->x, d);
  ns_mul3t(b->R, d, c);
}

void ns_joint_assemble(ns_joint *j, const double *q1, const double *q2, const double *point,
                       const double *axis)
{
  ns_pose b1, b2;
  double inverse[4];
  j->planar = 0;
  ns_pose_of(q1, &b1);
  ns_pose_of(q2, &b2);
  if (!point) point = q2 ? b2.x : b1.x;
  in_body(&b1, point, j->c1);
  in_body(&b2, point, j->c2);
  if (axis) {
    ns_mul3t(b1.R, axis, j->A);
    ns_unit3(j->A);
    ns_tangents3(j->A, j->V1, j->V2);
  }
  ns_quaternion_conjugate(b2.p, inverse);
  ns_quaternion_mul(inverse, b1.p, j->reference);
}
