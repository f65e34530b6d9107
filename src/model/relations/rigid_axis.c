/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_axis.c -- free coordinates of joints, and rows on them: stops, friction of a given torque, couplers. */
#include "model/systems/rigid_parts.h"

int ns_interaction_keeps_apart(const ns_interaction *it)
{
  return it->relation->flags & NS_REL_JOINT && it->nsystems == 2 && !it->joint.collide;
}

int ns_joint_is_free(const ns_joint *j, int slide)
{
  return j->kind == NS_JOINT_CYLINDRICAL || j->kind == (slide ? NS_JOINT_PRISMATIC : NS_JOINT_PIVOT);
}

/* Coordinates and velocities of a body. */
static int nq(const ns_joint *j) { return j->planar ? 3 : 7; }
static int nv(const ns_joint *j) { return j->planar ? 3 : 6; }

double ns_joint_coordinate(const ns_joint *j, int slide, const double *q1, const double *q2, double last, double *row)
{
  double d = ns_joint_free(j, slide, q1, q2, row);
  return slide || j->planar ? d : d + 2 * M_PI * round((last - d) / (2 * M_PI));
}

/* The same of bodies that stand one after the other. */
static double coordinate(const ns_joint *j, int slide, int bodies, const double *q1, double last, double *row)
{
  return ns_joint_coordinate(j, slide, q1, bodies == 2 ? q1 + nq(j) : NULL, last, row);
}

double ns_joint_motion(const ns_model *m, const ns_interaction *it, int slide, const double *q, const double *v, double last, double *g,
                       double *rate)
{
  const ns_system *b1 = &m->systems[it->systems[0]], *b2 = it->nsystems == 2 ? &m->systems[it->systems[1]] : NULL;
  double d = ns_joint_coordinate(&it->joint, slide, q + b1->q, b2 ? q + b2->q : NULL, last, g), r = 0;
  int dof = nv(&it->joint);
  for (int j = 0; j < dof; j++) r += g[j] * v[b1->v + (size_t)j];
  for (int j = 0; b2 && j < dof; j++) r += g[dof + j] * v[b2->v + (size_t)j];
  *rate = r;
  return d;
}

void ns_joint_axis_rates(const ns_model *m, const ns_interaction *it, const double *q, const double *v, double *rate)
{
  double g[12];
  for (int slide = 0; slide < 2; slide++)
    if (ns_joint_is_free(&it->joint, slide)) ns_joint_motion(m, it, slide, q, v, 0, g, rate++);
}

static int joints(const ns_joint_axis *a) { return a->joint[1] ? 2 : 1; }

int ns_interaction_angles(const ns_interaction *it)
{
  unsigned flags = it->relation ? it->relation->flags : 0; /* built without a kind: none */
  if (flags & NS_REL_JOINT) return ns_joint_is_free(&it->joint, 0) + ns_joint_is_free(&it->joint, 1);
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
  for (int k = 0; k < joints(a); k++) {
    angle[k] = coordinate(a->joint[k], a->slide[k], a->bodies[k], Q, angle[k], NULL);
    Q += nq(a->joint[k]) * a->bodies[k];
  }
}

/* Row r of G [m x nV] += sign times the row of joint k. */
static void add_row(const ns_joint_axis *a, int k, double *G, int m, int r, double sign, const double *row)
{
  int n = nv(a->joint[0]), from = k * n * a->bodies[0];
  for (int j = 0; j < n * a->bodies[k]; j++) G[r + (from + j) * m] += sign * row[j];
}

static void stop_rows(const ns_joint_axis *a, int m, double d, const double *row, double *y, double *G)
{
  int r = 0;
  if (a->lower > -INFINITY) {
    y[r] = d - a->lower;
    if (G) add_row(a, 0, G, m, r, 1, row);
    r++;
  }
  if (a->upper < INFINITY) {
    y[r] = a->upper - d;
    if (G) add_row(a, 0, G, m, r, -1, row);
  }
}

void ns_joint_axis_rows(const ns_interaction *it, const ns_point *p, double *y, double *G)
{
  const ns_joint_axis *a = &it->axis;
  double row[2][12], d[2] = {0};
  const double *q = p->q;
  for (int k = 0; k < joints(a); k++) {
    d[k] = coordinate(a->joint[k], a->slide[k], a->bodies[k], q, p->angle ? p->angle[k] : 0, G ? row[k] : NULL);
    q += nq(a->joint[k]) * a->bodies[k];
  }
  if (G) memset(G, 0, (size_t)it->m * (size_t)it->nV * sizeof *G);
  switch (a->use) {
  case NS_AXIS_STOP: stop_rows(a, it->m, d[0], row[0], y, G); break;
  case NS_AXIS_FRICTION:
    y[0] = 0;
    if (G) add_row(a, 0, G, it->m, 0, -1, row[0]);
    break;
  case NS_AXIS_COUPLER:
    y[0] = d[1] - a->ratio * d[0] - a->offset;
    if (G) {
      add_row(a, 0, G, it->m, 0, -a->ratio, row[0]);
      add_row(a, 1, G, it->m, 0, 1, row[1]);
    }
    break;
  }
}
