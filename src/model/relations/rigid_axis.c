/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_axis.c -- free coordinates of joints, and rows on them: stops, friction of a given torque,
 * couplers. */
#include "model/systems/rigid_force.h"
#include "model/systems/rigid_parts.h"

#include <string.h>

/* The body of n that is none of the others [m]; -1: all are. */
static int body_alone(const int *body, int n, const int *other, int m)
{
  for (int i = 0; i < n; i++) {
    int k = 0;
    while (k < m && other[k] != body[i]) k++;
    if (k == m) return body[i];
  }
  return -1;
}

int ns_interaction_keeps_apart(const ns_interaction *it, int *pair)
{
  int coupler = it->relation->flags & NS_REL_AXIS && it->axis.use == NS_AXIS_COUPLER &&
                it->axis.apart;
  if (coupler) {
    const int *first = it->systems, *second = first + it->axis.bodies[0];
    pair[0] = body_alone(first, it->axis.bodies[0], second, it->axis.bodies[1]);
    pair[1] = body_alone(second, it->axis.bodies[1], first, it->axis.bodies[0]);
    return pair[0] >= 0 && pair[1] >= 0;
  }
  if (!(it->relation->flags & NS_REL_JOINT) || it->nsystems != 2 || it->joint.collide) return 0;
  pair[0] = it->systems[0];
  pair[1] = it->systems[1];
  return 1;
}

int ns_joint_is_free(const ns_joint *j, int slide)
{
  return j->kind == NS_JOINT_CYLINDRICAL ||
         j->kind == (slide ? NS_JOINT_PRISMATIC : NS_JOINT_PIVOT);
}

/* Coordinates and velocities of a body. */
static int nq(const ns_joint *j) { return j->planar ? 3 : 7; }
static int nv(const ns_joint *j) { return j->planar ? 3 : 6; }

double ns_joint_coordinate(const ns_joint *j, int slide, const double *q1, const double *q2,
                           double last, double *row)
{
  double d = ns_joint_free(j, slide, q1, q2, row);
  return slide || j->planar ? d : d + 2 * M_PI * round((last - d) / (2 * M_PI));
}

/* The same of bodies that stand one after the other. */
static double coordinate(const ns_joint *j, int slide, int bodies, const double *q1, double last,
                         double *row)
{
  return ns_joint_coordinate(j, slide, q1, bodies == 2 ? q1 + nq(j) : NULL, last, row);
}

double ns_joint_motion(const ns_model *m, const ns_interaction *it, int slide, const double *q,
                       const double *v, double last, double *g, double *rate)
{
  const ns_system *b1 = &m->systems[it->systems[0]],
                  *b2 = it->nsystems == 2 ? &m->systems[it->systems[1]] : NULL;
  double d = ns_joint_coordinate(&it->joint, slide, q + b1->q, b2 ? q + b2->q : NULL, last, g),
         r = 0;
  int dof = nv(&it->joint);
  for (int j = 0; j < dof; j++) r += g[j] * v[b1->v + (size_t)j];
  for (int j = 0; b2 && j < dof; j++) r += g[dof + j] * v[b2->v + (size_t)j];
  *rate = r;
  return d;
}

/* Where a body of a joint is and how it moves, in space; NULL: the world. */
static void twist_of(const ns_system *b, const double *q, const double *v, ns_pose *at, double *dx,
                     double *Omega)
{
  int planar = b && ns_system_is_planar(b), lengths = planar ? 2 : 3;
  ns_pose_of(NULL, at);
  memset(dx, 0, 3 * sizeof *dx);
  memset(Omega, 0, 3 * sizeof *Omega);
  if (!b) return;
  memcpy(dx, v + b->v, (size_t)lengths * sizeof *dx);
  if (!planar) {
    ns_pose_of(q + b->q, at);
    memcpy(Omega, v + b->v + 3, 3 * sizeof *Omega);
    return;
  }
  memcpy(at->x, q + b->q, 2 * sizeof *q);
  at->R[0] = at->R[4] = cos(q[b->q + 2]);
  at->R[3] = -(at->R[1] = sin(q[b->q + 2]));
  Omega[2] = v[b->v + 2];
}

/* A.(w - c1) with w = R1^T (x2 + R2 c - x1) and s = w' + Omega1 x w, the velocity of the point of
 * body 2 less that of the centre of body 1 in axes of body 1: s' = R1^T R2 (Omega2 x (Omega2 x c))
 * - Omega1 x s, so that w'' = R1^T R2 (...) - Omega1 x (2 s - Omega1 x w). */
double ns_joint_slide_bias(const ns_model *m, const ns_interaction *it, const double *q,
                           const double *v)
{
  const ns_joint *j = &it->joint;
  const double *c = j->c2;
  ns_pose b1, b2;
  double v1[3], v2[3], O1[3], O2[3], a[3], w[3], s[3], swing[3], turn[3];
  twist_of(&m->systems[it->systems[0]], q, v, &b1, v1, O1);
  twist_of(it->nsystems > 1 ? &m->systems[it->systems[1]] : NULL, q, v, &b2, v2, O2);
  ns_mul3(b2.R, c, a);
  ns_axpy3(b2.x, 1, a, a);
  ns_sub3(a, b1.x, a);
  ns_mul3t(b1.R, a, w);
  ns_cross3(O2, c, turn);
  ns_mul3(b2.R, turn, a);
  ns_axpy3(v2, 1, a, a);
  ns_sub3(a, v1, a);
  ns_mul3t(b1.R, a, s);
  ns_cross3(O2, turn, swing);
  ns_mul3(b2.R, swing, a);
  ns_mul3t(b1.R, a, swing);
  ns_cross3(O1, w, turn);
  ns_axpy3(turn, -2, s, turn);
  ns_cross3(O1, turn, a);
  ns_axpy3(swing, 1, a, swing);
  return ns_dot3(j->A, swing);
}

void ns_joint_axis_rates(const ns_model *m, const ns_interaction *it, const double *q,
                         const double *v, double *rate)
{
  double g[12];
  for (int slide = 0; slide < 2; slide++)
    if (ns_joint_is_free(&it->joint, slide)) ns_joint_motion(m, it, slide, q, v, 0, g, rate++);
}

static int joints(const ns_joint_axis *a)
{
  if (a->line) return a->line->njoints;
  if (a->slide[0] == NS_AXIS_ALL) return 0;
  return a->joint[1] ? 2 : 1;
}

int ns_interaction_angles(const ns_interaction *it)
{
  unsigned flags = it->relation ? it->relation->flags : 0; /* built without a kind: none */
  if (flags & NS_REL_JOINT)
    return ns_joint_is_free(&it->joint, 0) + ns_joint_is_free(&it->joint, 1);
  return flags & NS_REL_AXIS ? joints(&it->axis) : 0;
}

void ns_joint_axis_angles(const ns_interaction *it, const double *Q, double *angle)
{
  const ns_joint_axis *a = &it->axis;
  if (it->relation->flags & NS_REL_JOINT) {
    for (int slide = 0, k = 0; slide < 2; slide++)
      if (ns_joint_is_free(&it->joint, slide)) {
        angle[k] = coordinate(&it->joint, slide, it->nsystems, Q, angle[k], NULL);
        k++;
      }
    return;
  }
  if (a->line) ns_body_force_length(a->line, Q, angle, angle, NULL);
  for (int k = 0; k < joints(a) && !a->line; k++) {
    angle[k] = coordinate(a->joint[k], a->slide[k], a->bodies[k], Q, angle[k], NULL);
    Q += nq(a->joint[k]) * a->bodies[k];
  }
}

/* Row r of G [m x nV] += sign times a row [n] that begins at column `from`. */
static void add_row(double *G, int m, int r, int from, int n, double sign, const double *row)
{
  for (int j = 0; j < n; j++) G[r + (from + j) * m] += sign * row[j];
}

/* Of a coordinate d whose row [n] is by the first n velocities. */
static void stop_rows(const ns_joint_axis *a, int m, double d, const double *row, int n, double *y,
                      double *G)
{
  int r = 0;
  if (a->lower > -INFINITY) {
    y[r] = d - a->lower;
    if (G) add_row(G, m, r, 0, n, 1, row);
    r++;
  }
  if (a->upper < INFINITY) {
    y[r] = a->upper - d;
    if (G) add_row(G, m, r, 0, n, -1, row);
  }
}

/* Of all that a ball joint does: y = 0, ydot = -omega. */
static void all_rows(const ns_interaction *it, const double *q, double *y, double *G)
{
  const ns_joint_axis *a = &it->axis;
  double phi[3], row[3][12];
  memset(y, 0, 3 * sizeof *y);
  if (!G) return;
  ns_joint_turn(a->joint[0], q, a->bodies[0] == 2 ? q + nq(a->joint[0]) : NULL, phi, row);
  memset(G, 0, (size_t)it->m * (size_t)it->nV * sizeof *G);
  for (int i = 0; i < 3; i++) add_row(G, it->m, i, 0, it->nV, -1, row[i]);
}

void ns_joint_axis_rows(const ns_interaction *it, const ns_point *p, double *y, double *G)
{
  const ns_joint_axis *a = &it->axis;
  if (!a->line && a->slide[0] == NS_AXIS_ALL) {
    all_rows(it, p->q, y, G);
    return;
  }
  double row[2][NS_DRIVE_WIDTH], d[2] = {0};
  const double *q = p->q;
  int n[2] = {it->nV, 0};
  if (a->line) d[0] = ns_body_force_length(a->line, q, p->angle, NULL, G ? row[0] : NULL);
  for (int k = 0; k < joints(a) && !a->line; k++) {
    d[k] = coordinate(a->joint[k], a->slide[k], a->bodies[k], q, p->angle ? p->angle[k] : 0,
                      G ? row[k] : NULL);
    q += nq(a->joint[k]) * a->bodies[k];
    n[k] = nv(a->joint[k]) * a->bodies[k];
  }
  if (G) memset(G, 0, (size_t)it->m * (size_t)it->nV * sizeof *G);
  switch (a->use) {
  case NS_AXIS_STOP: stop_rows(a, it->m, d[0], row[0], n[0], y, G); break;
  case NS_AXIS_FRICTION:
    y[0] = 0;
    if (G) add_row(G, it->m, 0, 0, n[0], -1, row[0]);
    break;
  case NS_AXIS_COUPLER:
    if (a->line) {
      y[0] = d[0] - a->offset;
      if (G) add_row(G, it->m, 0, 0, n[0], 1, row[0]);
      break;
    }
    y[0] = d[1] - a->ratio * d[0] - a->offset;
    if (G) {
      add_row(G, it->m, 0, 0, n[0], -a->ratio, row[0]);
      add_row(G, it->m, 0, n[0], n[1], 1, row[1]);
    }
    break;
  }
}
