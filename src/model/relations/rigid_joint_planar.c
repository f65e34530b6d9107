/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_joint_planar.c -- joints of bodies in the plane, q = (x, y, angle), and their free
 * coordinates.
 *
 * With w = R1^T (x2 + R2 c2 - x1) and the turn d = angle2 - angle1, as assembled d0, the rows are
 *
 *   pivot         x1 + R1 c1 - x2 - R2 c2
 *   prismatic     V.(w - c1), d0 - d               V: the axis A, turned by +90 degrees
 *   fixed         w - c1, d0 - d
 *
 * and the free coordinates d - d0 and A.(w - c1); the point where there is none as in space. Angles
 * of the plane count their turns themselves. */
#include "model/systems/rigid_parts.h"

/* A body, or the world. */
typedef struct frame {
  double x[2], angle, c, s;
} frame;

static frame frame_of(const double *q)
{
  return q ? (frame){{q[0], q[1]}, q[2], cos(q[2]), sin(q[2])} : (frame){{0, 0}, 0, 1, 0};
}

static void out(const frame *b, const double *local, double *world)
{
  world[0] = b->c * local[0] - b->s * local[1];
  world[1] = b->s * local[0] + b->c * local[1];
}

static void in(const frame *b, const double *world, double *local)
{
  local[0] = b->c * world[0] + b->s * world[1];
  local[1] = -b->s * world[0] + b->c * world[1];
}

/* row [3] := sign times the velocity along d of the point at arm a from the centre. */
static void point_row(const double *a, const double *d, double sign, double *row)
{
  row[0] = sign * d[0];
  row[1] = sign * d[1];
  row[2] = sign * (a[0] * d[1] - a[1] * d[0]);
}

static void point_in_common(const ns_joint *j, const frame *b1, const frame *b2, double *y,
                            double (*G)[6])
{
  static const double e[2][2] = {{1, 0}, {0, 1}};
  double a1[2], a2[2];
  out(b1, j->c1, a1);
  out(b2, j->c2, a2);
  for (int i = 0; i < 2; i++) {
    y[i] = b1->x[i] + a1[i] - b2->x[i] - a2[i];
    if (!G) continue;
    point_row(a1, e[i], 1, G[i]);
    point_row(a2, e[i], -1, G[i] + 3);
  }
}

/* V.(w - c1): the point of body 2 as seen by body 1. */
static double slide(const ns_joint *j, const frame *b1, const frame *b2, const double *V,
                    double *row)
{
  double a1[2], a2[2], w[2], d[2];
  out(b2, j->c2, a2);
  for (int i = 0; i < 2; i++) a1[i] = b2->x[i] + a2[i] - b1->x[i];
  in(b1, a1, w);
  if (row) {
    out(b1, V, d);
    point_row(a1, d, -1, row);
    point_row(a2, d, 1, row + 3);
  }
  return V[0] * (w[0] - j->c1[0]) + V[1] * (w[1] - j->c1[1]);
}

static double turn(const ns_joint *j, const frame *b1, const frame *b2, double sign, double *row)
{
  for (int i = 0; i < 6 && row; i++) row[i] = i == 2 ? -sign : i == 5 ? sign : 0;
  return sign * (b2->angle - b1->angle - j->reference[0]);
}

int ns_planar_joint_rows(ns_joint_kind k)
{
  static const int rows[] = {[NS_JOINT_BALL] = 0,
                             [NS_JOINT_PIVOT] = 2,
                             [NS_JOINT_PRISMATIC] = 2,
                             [NS_JOINT_CYLINDRICAL] = 0,
                             [NS_JOINT_FIXED] = 3};
  return rows[k];
}

/* The world has no columns. */
static void leave_out_world(int rows, double (*G)[6])
{
  for (int r = 0; r < rows; r++) G[r][3] = G[r][4] = G[r][5] = 0;
}

void ns_planar_joint_eval(const ns_joint *j, const double *q1, const double *q2, double *y,
                          double (*G)[6])
{
  static const double e[2][2] = {{1, 0}, {0, 1}};
  frame b1 = frame_of(q1), b2 = frame_of(q2);
  int fixed = j->kind == NS_JOINT_FIXED, r = 0;
  if (j->kind == NS_JOINT_PIVOT) {
    point_in_common(j, &b1, &b2, y, G);
  } else {
    for (; r < 1 + fixed; r++) y[r] = slide(j, &b1, &b2, fixed ? e[r] : j->V1, G ? G[r] : NULL);
    y[r] = turn(j, &b1, &b2, -1, G ? G[r] : NULL);
  }
  if (G && !q2) leave_out_world(ns_planar_joint_rows(j->kind), G);
}

double ns_planar_joint_free(const ns_joint *j, int slides, const double *q1, const double *q2,
                            double *row)
{
  frame b1 = frame_of(q1), b2 = frame_of(q2);
  return slides ? slide(j, &b1, &b2, j->A, row) : turn(j, &b1, &b2, 1, row);
}

void ns_planar_joint_assemble(ns_joint *j, const double *q1, const double *q2, const double *point,
                              const double *axis)
{
  frame b1 = frame_of(q1), b2 = frame_of(q2);
  j->planar = 1;
  j->reference[0] = b2.angle - b1.angle;
  if (!point) point = q2 ? b2.x : b1.x;
  in(&b1, (double[]){point[0] - b1.x[0], point[1] - b1.x[1]}, j->c1);
  in(&b2, (double[]){point[0] - b2.x[0], point[1] - b2.x[1]}, j->c2);
  if (axis) {
    double length = hypot(axis[0], axis[1]);
    in(&b1, (double[]){axis[0] / length, axis[1] / length}, j->A);
    j->V1[0] = -j->A[1];
    j->V1[1] = j->A[0];
  }
}
