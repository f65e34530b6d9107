/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_contact.c -- rows of contacts: relative velocity of two bodies at one point along its
 * normal and tangents, and their relative angular velocity along the tangents. */
#include "algebra/vector.h"
#include "model/systems/rigid_parts.h"

/* row [6] := (0, sign R^T d): the angular velocity along d. */
static void spin_row(const double *R, const double *d, double sign, double *row)
{
  memset(row, 0, 3 * sizeof *row);
  ns_mul3t(R, d, row + 3);
  ns_scale(3, sign, row + 3);
}

/* Columns of one body: G + 0 or G + 6. */
static void body_columns(int m, const double *q, const double *P, const double (*frame)[3],
                         double sign, double *G)
{
  ns_pose b;
  double a[3];
  ns_pose_of(q, &b);
  ns_sub3(P, b.x, a);
  for (int r = 0; r < m && r < 3; r++) ns_point_row(b.R, a, frame[r], sign, G + 12 * r);
  for (int r = 3; r < m; r++) spin_row(b.R, frame[r - 2], sign, G + 12 * r);
}

void ns_contact_rows(int m, const double *q1, const double *q2, const double *P, const double *n,
                     double *G)
{
  double frame[3][3];
  memcpy(frame[0], n, sizeof frame[0]);
  if (m > 1) ns_tangents3(n, frame[1], frame[2]);
  memset(G, 0, (size_t)m * 12 * sizeof *G);
  body_columns(m, q1, P, (const double(*)[3])frame, 1, G);
  if (q2) body_columns(m, q2, P, (const double(*)[3])frame, -1, G + 6);
}

static void planar_columns(int m, const double *q, const double *P, const double (*frame)[2],
                           double sign, double *G)
{
  double a[2] = {P[0] - q[0], P[1] - q[1]};
  for (int r = 0; r < m && r < 2; r++) {
    const double *d = frame[r];
    double row[3] = {sign * d[0], sign * d[1], sign * (a[0] * d[1] - a[1] * d[0])};
    memcpy(G + 6 * r, row, sizeof row);
  }
  if (m > 2) G[12 + 2] = sign;
}

void ns_contact_rows_planar(int m, const double *q1, const double *q2, const double *P,
                            const double *n, double *G)
{
  const double frame[2][2] = {{n[0], n[1]}, {-n[1], n[0]}};
  memset(G, 0, (size_t)m * 6 * sizeof *G);
  planar_columns(m, q1, P, frame, 1, G);
  if (q2) planar_columns(m, q2, P, frame, -1, G + 3);
}

void ns_contact_in_world(int planar, const double *n, int m, const double *x, double sign,
                         double *out)
{
  double t1[3] = {-n[1], n[0], 0}, t2[3] = {0};
  if (!planar) ns_tangents3(n, t1, t2);
  for (int i = 0; i < 3; i++) {
    out[i] = x[0] * n[i];
    if (m > 1) out[i] += x[1] * t1[i];
    if (m > 1 && !planar) out[i] += x[2] * t2[i];
    out[i] *= sign;
  }
}
