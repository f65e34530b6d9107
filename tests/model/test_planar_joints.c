/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joints of bodies in the plane: every row is the derivative of what it constrains, acts and reacts
 * alike, and says what the same joint in space does. */
#include "support/rigid_bodies.h"

static const double moments[] = {1, 1, 1}, point[3] = {0.3, -0.4, 0}, axis[3] = {3, -4, 0},
                    normal[3] = {0, 0, 1};
static const int four[] = {0, 1, 2, 3};

static const struct {
  const char *name;
  ns_joint_kind kind;
  int rows;
} joints[] = {{"PivotJointR", NS_JOINT_PIVOT, 2},
              {"PrismaticJointR", NS_JOINT_PRISMATIC, 2},
              {"FixedJointR", NS_JOINT_FIXED, 3}};
enum { JOINTS = 3 };

typedef struct place {
  double q[4][3];
} place;

static place anywhere(unsigned seed)
{
  place p;
  any_vector(&seed, 12, p.q[0]);
  return p;
}

/* The same bodies in space. */
static void in_space(const place *p, double q[4][7])
{
  for (int b = 0; b < 4; b++) {
    const double *x = p->q[b];
    memcpy(q[b], (double[]){x[0], x[1], 0, cos(x[2] / 2), 0, 0, sin(x[2] / 2)}, sizeof q[b]);
  }
}

static ns_interaction *between(ns_model **m, const char *kind, const double *q, int width, int n,
                               const char *relation, int rows)
{
  *m = model_new(1, 1, 0);
  for (int b = 0; b < n; b++) rigid_system(*m, kind, q + width * b, 1, moments);
  return rigid_interaction(*m, relation, "EqualityConditionNSL", rows, n, four);
}

static ns_interaction *flat(ns_model **m, const place *p, int n, const char *relation, int rows)
{
  return between(m, "RigidBody2dDS", p->q[0], 3, n, relation, rows);
}

static void assemble(ns_joint *j, ns_joint_kind kind, const place *p, int n)
{
  j->kind = kind;
  ns_planar_joint_assemble(j, p->q[0], n > 1 ? p->q[1] : NULL, point, axis);
}

/* Satisfied as assembled; derivatives there and where it is violated, with a body and with the
 * world. */
START_TEST(joints_are_derivatives)
{
  int k = _i % JOINTS, n = 1 + _i / JOINTS;
  ns_model *m;
  place p = anywhere(3), off = anywhere(4);
  ns_interaction *it = flat(&m, &p, n, joints[k].name, joints[k].rows);
  double y[3];
  ck_assert_int_eq(ns_planar_joint_rows(joints[k].kind), joints[k].rows);
  assemble(&it->joint, joints[k].kind, &p, n);
  rigid_rows(it, p.q[0], NULL, y, NULL, NULL);
  for (int i = 0; i < it->m; i++) ck_assert_double_le(fabs(y[i]), 1e-15);
  rows_are_derivatives(it, p.q[0], NULL, it->m, 1e-9);
  rows_are_derivatives(it, off.q[0], NULL, it->m, 1e-9);
  ns_model_destroy(m);
}
END_TEST

/* Forces on the two bodies, and their moments about the origin, add up to nothing. */
START_TEST(joints_act_and_react_alike)
{
  ns_model *m;
  place p = anywhere(5);
  ns_interaction *it = flat(&m, &p, 2, joints[_i].name, joints[_i].rows);
  double y[3], G[18];
  assemble(&it->joint, joints[_i].kind, &p, 2);
  rigid_rows(it, p.q[0], NULL, y, G, NULL);
  for (int r = 0; r < it->m; r++) {
    double sum[3] = {0};
    for (int b = 0; b < 2; b++) {
      const double *q = p.q[b], w[3] = {G[r + 3 * b * it->m], G[r + (3 * b + 1) * it->m],
                                        G[r + (3 * b + 2) * it->m]};
      sum[0] += w[0];
      sum[1] += w[1];
      sum[2] += w[2] + q[0] * w[1] - q[1] * w[0];
    }
    for (int i = 0; i < 3; i++) ck_assert_double_le(fabs(sum[i]), 1e-15);
  }
  ns_model_destroy(m);
}
END_TEST

/* A hinge has its point where that in space has it; slides and angles are those in space, of which
 * the last row is half a sine. */
START_TEST(joints_are_those_in_space)
{
  int k = _i % JOINTS, n = 1 + _i / JOINTS, space = ns_joint_rows(joints[k].kind);
  ns_model *m, *s;
  place p = anywhere(11), off = anywhere(12);
  double at[4][7], moved[4][7], y[3], Y[6];
  in_space(&p, at);
  in_space(&off, moved);
  ns_interaction *it = flat(&m, &p, n, joints[k].name, joints[k].rows),
                 *solid = between(&s, "NewtonEulerDS", at[0], 7, n, joints[k].name, space);
  assemble(&it->joint, joints[k].kind, &p, n);
  solid->joint.kind = joints[k].kind;
  ns_joint_assemble(&solid->joint, at[0], n > 1 ? at[1] : NULL, point,
                    joints[k].kind == NS_JOINT_PIVOT ? normal : axis);
  rigid_rows(it, off.q[0], NULL, y, NULL, NULL);
  rigid_rows(solid, moved[0], NULL, Y, NULL, NULL);
  int lengths = joints[k].kind == NS_JOINT_PRISMATIC ? 1 : 2;
  if (lengths == 2)
    for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(y[i], Y[i], 1e-15);
  else ck_assert_double_eq_tol(fabs(y[0]), hypot(Y[0], Y[1]), 1e-15);
  if (it->m > lengths) ck_assert_double_eq_tol(sin(y[it->m - 1] / 2), Y[space - 1], 1e-15);
  ns_model_destroy(m);
  ns_model_destroy(s);
}
END_TEST

/* ---- free coordinates ------------------------------------------------------------------------ */

static double free_at(const ns_interaction *it, const place *p)
{
  double y[2];
  rigid_rows(it, p->q[0], NULL, y, NULL, NULL);
  return y[0];
}

/* What body 2 is turned by, or has gone along the axis, which body 1 carries; turns are counted. */
START_TEST(free_coordinates_are_of_body_2)
{
  ns_model *m;
  ns_joint j;
  place p = anywhere(9);
  ns_interaction *it = flat(&m, &p, 2, "JointStopR", 2);
  double y[2];
  assemble(&j, _i ? NS_JOINT_PRISMATIC : NS_JOINT_PIVOT, &p, 2);
  it->axis = (ns_joint_axis){
      .use = NS_AXIS_STOP, .joint = {&j}, .bodies = {2}, .slide = {_i}, .lower = -1, .upper = 9};
  ck_assert_double_eq_tol(free_at(it, &p), 1, 1e-15);
  if (_i) p.q[1][0] += 0.7 * 0.6, p.q[1][1] -= 0.7 * 0.8;
  else p.q[1][2] += 7;
  rigid_rows(it, p.q[0], NULL, y, NULL, NULL);
  ck_assert_double_eq_tol(y[0], _i ? 1.7 : 8, 1e-14);
  ck_assert_double_eq_tol(y[1], _i ? 8.3 : 2, 1e-14);
  rows_are_derivatives(it, p.q[0], NULL, 2, 1e-9);
  ns_model_destroy(m);
}
END_TEST

/* A rack: an angle of one joint and a slide of another. */
START_TEST(couplers_join_two_of_them)
{
  ns_model *m;
  ns_joint hinge, guide;
  place p = anywhere(13);
  ns_interaction *it = flat(&m, &p, 3, "CouplerJointR", 1);
  hinge.kind = NS_JOINT_PIVOT;
  guide.kind = NS_JOINT_PRISMATIC;
  ns_planar_joint_assemble(&hinge, p.q[0], NULL, point, NULL);
  ns_planar_joint_assemble(&guide, p.q[1], p.q[2], NULL, axis);
  it->axis = (ns_joint_axis){.use = NS_AXIS_COUPLER,
                             .joint = {&hinge, &guide},
                             .bodies = {1, 2},
                             .slide = {0, 1},
                             .ratio = 0.25,
                             .offset = 0.5};
  ck_assert_double_eq_tol(free_at(it, &p), -0.5, 1e-15);
  rows_are_derivatives(it, p.q[0], NULL, 1, 1e-9);
  p.q[0][2] -= 2; /* of body 1: the world turns by +2 relative to it */
  ck_assert_double_eq_tol(free_at(it, &p), -1, 1e-15);
  ns_model_destroy(m);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, joints_are_derivatives, 0, 2 * JOINTS);
  tcase_add_loop_test(t, joints_act_and_react_alike, 0, JOINTS);
  tcase_add_loop_test(t, joints_are_those_in_space, 0, 2 * JOINTS);
  tcase_add_loop_test(t, free_coordinates_are_of_body_2, 0, 2);
  tcase_add_test(t, couplers_join_two_of_them);
}

int main(void) { return suite_run("joints in the plane", fill); }
