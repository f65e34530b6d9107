/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_axis.c -- rows on free coordinates of joints: stops, friction of a given torque, couplers. */
#include "model/rigid_parts.h"

/* Its free coordinate, an angle counted from the turn nearest to `last`; row [12] unless NULL. */
static double coordinate(const ns_joint_axis *a, int k, const double *q1, double last, double *row)
{
  double d = ns_joint_free(a->joint[k], a->slide[k], q1, a->bodies[k] == 2 ? q1 + 7 : NULL, row);
  return a->slide[k] ? d : d + 2 * M_PI * round((last - d) / (2 * M_PI));
}

static int joints(const ns_joint_axis *a) { return a->joint[1] ? 2 : 1; }

void ns_joint_axis_angles(const ns_interaction *it, const double *Q, double *angle)
{
  const ns_joint_axis *a = &it->axis;
  for (int k = 0; k < joints(a); k++) {
    angle[k] = coordinate(a, k, Q, angle[k], NULL);
    Q += 7 * a->bodies[k];
  }
}

/* Row r of G [m x nV] += sign times the row [6 bodies] from column `from`. */
static void add_row(double *G, int m, int r, int from, int bodies, double sign, const double *row)
{
  for (int j = 0; j < 6 * bodies; j++) G[r + (from + j) * m] += sign * row[j];
}

static void stop_rows(const ns_joint_axis *a, int m, double d, const double *row, double *y, double *G)
{
  int r = 0;
  if (a->lower > -INFINITY) {
    y[r] = d - a->lower;
    if (G) add_row(G, m, r, 0, a->bodies[0], 1, row);
    r++;
  }
  if (a->upper < INFINITY) {
    y[r] = a->upper - d;
    if (G) add_row(G, m, r, 0, a->bodies[0], -1, row);
  }
}

void ns_joint_axis_rows(const ns_interaction *it, const ns_point *p, double *y, double *G)
{
  const ns_joint_axis *a = &it->axis;
  double row[2][12], d[2] = {0};
  const double *q = p->q;
  for (int k = 0; k < joints(a); k++) {
    d[k] = coordinate(a, k, q, p->angle ? p->angle[k] : 0, G ? row[k] : NULL);
    q += 7 * a->bodies[k];
  }
  if (G) memset(G, 0, (size_t)it->m * (size_t)it->nV * sizeof *G);
  switch (a->use) {
  case NS_AXIS_STOP: stop_rows(a, it->m, d[0], row[0], y, G); break;
  case NS_AXIS_FRICTION:
    y[0] = 0;
    if (G) add_row(G, it->m, 0, 0, a->bodies[0], -1, row[0]);
    break;
  case NS_AXIS_COUPLER:
    y[0] = d[1] - a->ratio * d[0] - a->offset;
    if (G) {
      add_row(G, it->m, 0, 0, a->bodies[0], -a->ratio, row[0]);
      add_row(G, it->m, 0, 6 * a->bodies[0], a->bodies[1], 1, row[1]);
    }
    break;
  }
}
