/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relations of rigid bodies: every row is the derivative of what it constrains, acts and reacts
 * alike, and turns the right way. */
#include "support/rigid_bodies.h"

static const double moments[] = {1, 1, 1};
static const int four[] = {0, 1, 2, 3};

typedef struct place {
  double q[4][7]; /* of up to 4 bodies, one after the other */
} place;

static place anywhere(unsigned seed)
{
  place p;
  for (int b = 0; b < 4; b++) any_pose(&seed, p.q[b]);
  return p;
}

/* A model of bodies at p [n], and an interaction between them. */
static ns_interaction *between(ns_model **m, const place *p, int n, const char *relation, int rows)
{
  *m = model_new(1, 1, 0);
  for (int b = 0; b < n; b++) rigid_system(*m, "NewtonEulerDS", p->q[b], 1, moments);
  return rigid_interaction(*m, relation, "EqualityConditionNSL", rows, n, four);
}

/* ---- joints ---------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  ns_joint_kind kind;
  int rows;
} joints[] = {{"KneeJointR", NS_JOINT_BALL, 3},
              {"PivotJointR", NS_JOINT_PIVOT, 5},
              {"PrismaticJointR", NS_JOINT_PRISMATIC, 5},
              {"CylindricalJointR", NS_JOINT_CYLINDRICAL, 4},
              {"FixedJointR", NS_JOINT_FIXED, 6}};
enum { JOINTS = 5 };

static void assemble(ns_joint *j, ns_joint_kind kind, const double *q1, const double *q2)
{
  static const double point[] = {0.3, -0.4, 0.5}, axis[] = {1, 2, -2};
  j->kind = kind;
  ns_joint_assemble(j, q1, q2, point, axis);
}

/* Satisfied as assembled; the rows are derivatives there and where it is violated, with a body and
 * with the world. */
START_TEST(joints_are_derivatives)
{
  int k = _i % JOINTS, n = 1 + _i / JOINTS;
  ns_model *m;
  place p = anywhere(3), off = anywhere(4);
  ns_interaction *it = between(&m, &p, n, joints[k].name, joints[k].rows);
  double y[6];
  ck_assert_int_eq(ns_joint_rows(joints[k].kind), joints[k].rows);
  assemble(&it->joint, joints[k].kind, p.q[0], n > 1 ? p.q[1] : NULL);
  rigid_rows(it, p.q[0], NULL, y, NULL, NULL);
  for (int i = 0; i < it->m; i++) ck_assert_double_le(fabs(y[i]), 1e-15);
  rows_are_derivatives(it, p.q[0], NULL, it->m, 1e-9);
  rows_are_derivatives(it, off.q[0], NULL, it->m, 1e-9);
  ns_model_destroy(m);
}
END_TEST

START_TEST(joints_act_and_react_alike)
{
  ns_model *m;
  place p = anywhere(5);
  ns_interaction *it = between(&m, &p, 2, joints[_i].name, joints[_i].rows);
  double y[6], G[72], lambda[6];
  unsigned seed = 6;
  assemble(&it->joint, joints[_i].kind, p.q[0], p.q[1]);
  any_vector(&seed, it->m, lambda);
  rigid_rows(it, p.q[0], NULL, y, G, NULL);
  wrench_is_balanced(it, p.q[0], G, lambda, 2e-15);
  ns_model_destroy(m);
}
END_TEST

/* -q is the same place as q: so are y and G. */
START_TEST(joints_see_rotations_alone)
{
  ns_model *m;
  place p = anywhere(7), off = anywhere(8);
  ns_interaction *it = between(&m, &p, 2, joints[_i].name, joints[_i].rows);
  double y[6], G[72], other[6], H[72];
  assemble(&it->joint, joints[_i].kind, p.q[0], p.q[1]);
  rigid_rows(it, off.q[0], NULL, y, G, NULL);
  for (int i = 3; i < 7; i++) off.q[1][i] = -off.q[1][i];
  rigid_rows(it, off.q[0], NULL, other, H, NULL);
  for (int i = 0; i < it->m; i++) ck_assert_double_eq(y[i], other[i]);
  for (int i = 0; i < 12 * it->m; i++) ck_assert_double_eq(G[i], H[i]);
  ns_model_destroy(m);
}
END_TEST

/* ---- free coordinates ------------------------------------------------------------------------ */

static ns_interaction *axis_between(ns_model **m, const place *p, int n, ns_joint *j,
                                    ns_joint_kind kind, int slide, int rows)
{
  ns_interaction *it = between(m, p, n, "JointStopR", rows);
  assemble(j, kind, p->q[0], n > 1 ? p->q[1] : NULL);
  it->axis = (ns_joint_axis){
      .use = NS_AXIS_STOP, .joint = {j}, .bodies = {n}, .slide = {slide}, .lower = -1, .upper = 2};
  return it;
}

/* Body 2 turned by +0.7 about the axis, or slid by +0.7 along it, has gone +0.7; the stops count
 * from both ends. */
START_TEST(free_coordinates_are_of_body_2)
{
  static const struct {
    ns_joint_kind kind;
    int slide;
  } row[] = {{NS_JOINT_PIVOT, 0},
             {NS_JOINT_CYLINDRICAL, 0},
             {NS_JOINT_CYLINDRICAL, 1},
             {NS_JOINT_PRISMATIC, 1}};
  ns_model *m;
  ns_joint j;
  place p = anywhere(9);
  ns_interaction *it = axis_between(&m, &p, 2, &j, row[_i].kind, row[_i].slide, 2);
  double R[9], A[3], P[3], y[2], angle = 0;
  ns_quaternion_matrix(p.q[0] + 3, R);
  ns_mul3(R, j.A, A);
  ns_mul3(R, j.c1, P);
  ns_axpy3(P, 1, p.q[0], P);
  if (row[_i].slide) ns_axpy3(p.q[1], 0.7, A, p.q[1]);
  else { /* about the axis through P */
    double turn[4], r[4], phi[3] = {0.7 * A[0], 0.7 * A[1], 0.7 * A[2]}, arm[3], T[9];
    ns_quaternion_exp(phi, turn);
    ns_quaternion_matrix(turn, T);
    ns_sub3(p.q[1], P, arm);
    ns_mul3(T, arm, r);
    ns_axpy3(P, 1, r, p.q[1]);
    ns_quaternion_mul(turn, p.q[1] + 3, r);
    memcpy(p.q[1] + 3, r, sizeof r);
  }
  rigid_rows(it, p.q[0], &angle, y, NULL, NULL);
  ck_assert_double_eq_tol(y[0], 1.7, 1e-15);
  ck_assert_double_eq_tol(y[1], 1.3, 1e-15);
  ns_joint_axis_angles(it, p.q[0], &angle);
  ck_assert_double_eq_tol(angle, 0.7, 1e-15);
  ns_model_destroy(m);
}
END_TEST

START_TEST(free_coordinates_are_derivatives)
{
  static const struct {
    ns_joint_kind kind;
    int slide;
  } row[] = {{NS_JOINT_PIVOT, 0},
             {NS_JOINT_CYLINDRICAL, 0},
             {NS_JOINT_CYLINDRICAL, 1},
             {NS_JOINT_PRISMATIC, 1}};
  ns_model *m;
  ns_joint j;
  int k = _i % 4, n = 1 + _i / 4;
  place p = anywhere(10), off = anywhere(11);
  ns_interaction *it = axis_between(&m, &p, n, &j, row[k].kind, row[k].slide, 2);
  double y[2], stops[48], friction[24], V[24];
  rows_are_derivatives(it, p.q[0], NULL, 2, 1e-9);
  rows_are_derivatives(it, off.q[0], NULL, 2, 1e-8);
  rigid_rows(it, off.q[0], NULL, y, stops, NULL);
  it->m = 1; /* friction: minus the rate, no gap */
  it->axis.use = NS_AXIS_FRICTION;
  rigid_rows(it, off.q[0], NULL, y, friction, V);
  ck_assert_double_eq(y[0], 0);
  ck_assert_double_eq(V[0], 0);
  for (int c = 0; c < it->nV; c++) {
    ck_assert_double_eq(friction[c], -stops[2 * c]);
    ck_assert_double_eq(stops[2 * c + 1], -stops[2 * c]);
  }
  ns_model_destroy(m);
}
END_TEST

/* A wheel turned three times forward and back again: its angle is counted, step by step. */
START_TEST(turns_are_counted)
{
  ns_model *m;
  ns_joint j;
  double angle = 0, y[1];
  place p = anywhere(12);
  ns_interaction *it = axis_between(&m, &p, 1, &j, NS_JOINT_PIVOT, 0, 1);
  it->axis.lower = -INFINITY;
  it->axis.upper = 20;
  for (int k = 1; k <= 400; k++) {
    /* body 1 turns: body 2 is the world */
    double by = (k <= 200 ? 0.1 : -0.1), phi[3] = {-by * j.A[0], -by * j.A[1], -by * j.A[2]};
    ns_quaternion_turn(p.q[0] + 3, phi);
    rigid_rows(it, p.q[0], &angle, y, NULL, NULL);
    ns_joint_axis_angles(it, p.q[0], &angle);
    ck_assert_double_eq_tol(angle, 0.1 * (k <= 200 ? k : 400 - k), 1e-12);
    ck_assert_double_eq_tol(y[0], 20 - angle, 1e-12);
  }
  ns_model_destroy(m);
}
END_TEST

/* A screw and a gear: y = d2 - ratio d1 - offset over four bodies, or over one twice. */
START_TEST(couplers_are_derivatives)
{
  ns_model *m;
  place p = anywhere(13), off = anywhere(14);
  ns_joint hinge, rail;
  ns_interaction *it = between(&m, &p, _i ? 4 : 2, "CouplerJointR", 1);
  assemble(&hinge, NS_JOINT_PIVOT, p.q[0], _i ? p.q[1] : NULL);
  assemble(&rail, NS_JOINT_PRISMATIC, p.q[_i ? 2 : 1], _i ? p.q[3] : NULL);
  it->axis = (ns_joint_axis){.use = NS_AXIS_COUPLER,
                             .joint = {&hinge, &rail},
                             .bodies = {1 + _i, 1 + _i},
                             .slide = {0, 1},
                             .ratio = -0.7,
                             .offset = 0.25};
  double y, angle[2] = {0};
  rigid_rows(it, off.q[0], NULL, &y, NULL, NULL);
  ns_joint_axis_angles(it, off.q[0], angle);
  ck_assert_double_eq_tol(y, angle[1] + 0.7 * angle[0] - 0.25, 1e-15);
  rows_are_derivatives(it, off.q[0], angle, 1, 1e-8);
  ns_model_destroy(m);
}
END_TEST

/* ---- contacts -------------------------------------------------------------------------------- */

typedef struct touch {
  double P[3], n[3], G[5][12];
} touch;

static touch any_touch(const place *p, int m, int bodies, unsigned seed)
{
  touch k;
  any_vector(&seed, 3, k.P);
  any_vector(&seed, 3, k.n);
  ns_unit3(k.n);
  ns_contact_rows(m, p->q[0], bodies > 1 ? p->q[1] : NULL, k.P, k.n, k.G[0]);
  return k;
}

/* Where the material point of body q that is at P goes with q (+) e V. */
static void carried(const double *q, const double *P, double e, const double *V, double *to)
{
  double R[9], d[3], c[3], p[4], phi[3] = {e * V[3], e * V[4], e * V[5]};
  ns_quaternion_matrix(q + 3, R);
  ns_sub3(P, q, d);
  ns_mul3t(R, d, c);
  memcpy(p, q + 3, sizeof p);
  ns_quaternion_turn(p, phi);
  ns_quaternion_matrix(p, R);
  ns_mul3(R, c, to);
  ns_axpy3(to, 1, q, to);
  ns_axpy3(to, e, V, to);
}

/* Rows give the relative velocity of the two material points at P, and the relative angular
 * velocity along the tangents. */
START_TEST(contact_rows_are_velocities)
{
  place p = anywhere(15);
  touch k = any_touch(&p, 5, 2, 16);
  double V[12], t1[3], t2[3], e = 1e-5, W[3] = {0};
  unsigned seed = 17;
  any_vector(&seed, 12, V);
  ns_tangents3(k.n, t1, t2);
  const double *frame[] = {k.n, t1, t2};
  double slip[3] = {0};
  for (int b = 0; b < 2; b++) {
    double up[3], down[3], R[9], w[3];
    carried(p.q[b], k.P, e, V + 6 * b, up);
    carried(p.q[b], k.P, -e, V + 6 * b, down);
    ns_quaternion_matrix(p.q[b] + 3, R);
    ns_mul3(R, V + 6 * b + 3, w);
    for (int i = 0; i < 3; i++) {
      slip[i] += (b ? -1 : 1) * (up[i] - down[i]) / (2 * e);
      W[i] += (b ? -1 : 1) * w[i];
    }
  }
  for (int r = 0; r < 5; r++) {
    double u = 0;
    for (int j = 0; j < 12; j++) u += k.G[r][j] * V[j];
    ck_assert_double_eq_tol(u, r < 3 ? ns_dot3(frame[r], slip) : ns_dot3(frame[r - 2], W),
                            r < 3 ? 1e-9 : 1e-15);
  }
}
END_TEST

START_TEST(contacts_act_and_react_alike)
{
  ns_model *m;
  place p = anywhere(18);
  touch k = any_touch(&p, 5, 2, 19);
  ns_interaction *it = between(&m, &p, 2, "NewtonEuler5DR", 5);
  double G[60], lambda[5];
  unsigned seed = 20;
  any_vector(&seed, 5, lambda);
  for (int r = 0; r < 5; r++)
    for (int j = 0; j < 12; j++) G[r + 5 * j] = k.G[r][j];
  wrench_is_balanced(it, p.q[0], G, lambda, 2e-15);
  ns_model_destroy(m);
}
END_TEST

/* Bodies exchanged, with -n and its own tangents: the same impulse in the world moves them alike.
 */
START_TEST(exchanged_bodies_move_alike)
{
  place p = anywhere(21), swapped = p;
  touch k = any_touch(&p, 3, 2, 22);
  double back[3], other[3][12], t1[3], t2[3], s1[3], s2[3], impulse[3], w[12] = {0}, v[12] = {0};
  unsigned seed = 23;
  any_vector(&seed, 3, impulse); /* on body 1 of p */
  memcpy(swapped.q[0], p.q[1], sizeof p.q[0]);
  memcpy(swapped.q[1], p.q[0], sizeof p.q[0]);
  for (int i = 0; i < 3; i++) back[i] = -k.n[i];
  ns_contact_rows(3, swapped.q[0], swapped.q[1], k.P, back, other[0]);
  ns_tangents3(k.n, t1, t2);
  ns_tangents3(back, s1, s2);
  const double *frame[] = {k.n, t1, t2}, *behind[] = {back, s1, s2};
  for (int r = 0; r < 3; r++)
    for (int j = 0; j < 12; j++) {
      w[j] += k.G[r][j] * ns_dot3(frame[r], impulse);
      v[(j + 6) % 12] -= other[r][j] * ns_dot3(behind[r], impulse);
    }
  for (int j = 0; j < 12; j++) ck_assert_double_eq_tol(w[j], v[j], 1e-15);
}
END_TEST

/* Against fixed surroundings the columns of body 2 are zero and those of body 1 the same; fewer
 * rows are the first of more. */
START_TEST(fixed_surroundings_have_no_columns)
{
  place p = anywhere(24);
  touch two = any_touch(&p, 5, 2, 25);
  for (int m = 1; m <= 5; m += 2) {
    touch one = any_touch(&p, m, 1, 25);
    for (int r = 0; r < m; r++)
      for (int j = 0; j < 12; j++) ck_assert_double_eq(one.G[r][j], j < 6 ? two.G[r][j] : 0);
  }
}
END_TEST

START_TEST(planar_contact_rows)
{
  static const double q1[] = {0.2, 0.5, 0.9}, q2[] = {-0.3, -0.4, 2}, P[] = {0.1, 0.05},
                      n[] = {0.6, 0.8};
  double G[3][6],
      want[3][6] = {{0.6, 0.8, -0.1 * 0.8 + 0.45 * 0.6, -0.6, -0.8, -(0.4 * 0.8 - 0.45 * 0.6)},
                    {-0.8, 0.6, -0.1 * 0.6 - 0.45 * 0.8, 0.8, -0.6, -(0.4 * 0.6 + 0.45 * 0.8)},
                    {0, 0, 1, 0, 0, -1}};
  ns_contact_rows_planar(3, q1, q2, P, n, G[0]);
  for (int r = 0; r < 3; r++)
    for (int j = 0; j < 6; j++) ck_assert_double_eq_tol(G[r][j], want[r][j], 1e-16);
  ns_contact_rows_planar(2, q1, NULL, P, n, G[0]);
  for (int r = 0; r < 2; r++)
    for (int j = 0; j < 6; j++) ck_assert_double_eq_tol(G[r][j], j < 3 ? want[r][j] : 0, 1e-16);
}
END_TEST

/* ---- formulas -------------------------------------------------------------------------------- */

/* A ball of radius 0.1 above a table that rises with 2 m/s, and two balls: the gap and its rate. */
START_TEST(points_by_formulas)
{
  static const char apart[] = "sqrt((x[0]-x[7])^2 + (x[1]-x[8])^2 + (x[2]-x[9])^2)";
  char P1[512], P2[512], n[512], d[3][128];
  ns_model *m;
  place p = anywhere(26);
  double y[5], G[60], shift[5];
  ns_interaction *it = between(&m, &p, 1, "NewtonEuler3DR", 3);
  it->point.P1 = formula(m, 3, 1, "x[0], x[1], x[2] - 0.1");
  it->point.P2 = formula(m, 3, 1, "x[0], x[1], 2*t");
  it->point.n = formula(m, 3, 1, "0, 0, 1");
  rigid_rows(it, p.q[0], NULL, y, G, shift);
  ck_assert_double_eq_tol(y[0], p.q[0][2] - 0.7, 1e-15);
  ck_assert(y[1] == 0 && y[2] == 0 && shift[1] == 0 && shift[2] == 0);
  ck_assert_double_eq_tol(shift[0], -2, 1e-10);
  rows_are_derivatives(it, p.q[0], NULL, 1, 1e-9);
  ns_model_destroy(m);

  it = between(&m, &p, 2, "NewtonEuler5DR", 5);
  for (int i = 0; i < 3; i++) snprintf(d[i], sizeof d[i], "(x[%d]-x[%d])/%s", i, i + 7, apart);
  snprintf(n, sizeof n, "%s, %s, %s", d[0], d[1], d[2]);
  snprintf(P1, sizeof P1, "x[0]-0.1*%s, x[1]-0.1*%s, x[2]-0.1*%s", d[0], d[1], d[2]);
  snprintf(P2, sizeof P2, "x[7]+0.3*%s, x[8]+0.3*%s, x[9]+0.3*%s", d[0], d[1], d[2]);
  it->point.P1 = formula(m, 3, 1, P1);
  it->point.P2 = formula(m, 3, 1, P2);
  it->point.n = formula(m, 3, 1, n);
  double between_them[3];
  ns_sub3(p.q[0], p.q[1], between_them);
  rigid_rows(it, p.q[0], NULL, y, G, shift);
  ck_assert_double_eq_tol(y[0], ns_norm3(between_them) - 0.4, 1e-15);
  rows_are_derivatives(it, p.q[0], NULL, 1, 1e-9);
  ns_model_destroy(m);
}
END_TEST

/* A normal of norm 1 but for rounding is made one of norm 1; another is refused, with its norm. */
START_TEST(normals_have_norm_1)
{
  static const char *const text[] = {"0, 0.6, 0.8000001", "0, 0.6, 0.9"};
  ns_model *m;
  ns_ctx c = {0};
  place p = anywhere(27);
  double work[64], y[1], G[6], z[1] = {0};
  ns_interaction *it = between(&m, &p, 1, "NewtonEuler1DR", 1);
  it->point.P1 = formula(m, 3, 1, "x[0], x[1], x[2]");
  it->point.n = formula(m, 3, 1, text[_i]);
  ns_point at = {.n = 7, .q = p.q[0], .z = z, .m = 1};
  int rc = ns_rigid_relation_rows(it, &c, &at, work, y, G, NULL);
  ck_assert_int_eq(rc, _i ? NS_MODEL : NS_OK);
  if (_i) ck_assert_msg(strstr(c.msg, "norm 1.0816653") != NULL, "%s", c.msg);
  else ck_assert_double_eq_tol(G[0] * G[0] + G[1] * G[1] + G[2] * G[2], 1, 4e-16);
  ns_model_destroy(m);
}
END_TEST

static const char distance[] =
    "(x[0] + 2*(x[4]*x[6] + x[3]*x[5]) - x[7])^2 + x[2]*x[9]*t, x[1] - x[8]*x[10]";

static void distance_in_c(unsigned N, const double *x, double t, unsigned rows, double *out,
                          unsigned nz, double *z)
{
  (void)N, (void)rows, (void)nz, (void)z;
  double d = x[0] + 2 * (x[4] * x[6] + x[3] * x[5]) - x[7];
  out[0] = d * d + x[2] * x[9] * t;
  out[1] = x[1] - x[8] * x[10];
}

/* NewtonEulerR: H T, of derived formulas and of functions that are differenced. */
START_TEST(formulas_of_coordinates)
{
  ns_model *m;
  place p = anywhere(28);
  double y[2], G[24], shift[2];
  ns_interaction *it = between(&m, &p, 2, "NewtonEulerR", 2);
  it->lr.h = formula(m, 2, 1, distance);
  it->lr.H = derivative(m, 2, distance, NS_BANK_Q, 14);
  it->lr.ht = derivative(m, 2, distance, NS_BANK_T, 1);
  if (_i) {
    it->lr.h = function_of(m, 2, 1, NS_SIG_LRHEO, (void (*)(void))distance_in_c, USES_T | USES_X);
    it->lr.H = it->lr.ht = (ns_operator){0};
  }
  rows_are_derivatives(it, p.q[0], NULL, 2, 1e-8);
  rigid_rows(it, p.q[0], NULL, y, G, shift);
  ck_assert_double_eq_tol(shift[0], p.q[0][2] * p.q[1][2], _i ? 1e-9 : 1e-15);
  ck_assert(!ns_rigid_relation_is_linear(it));
  it->lr.h = formula(m, 2, 1, "x[0] - 2*x[7], x[2]");
  it->lr.H = formula(m, 2, 14, "1 0 0 0 0 1 0 0 0 0 0 0 0 0 -2 0 0 0 0 0 0 0 0 0 0 0 0 0");
  ck_assert(!ns_rigid_relation_is_linear(it)); /* not known to be constant */
  static const double H[28] = {[0] = 1, [5] = 1, [14] = -2};
  it->lr.H = numbers(2, 14, H);
  ck_assert(ns_rigid_relation_is_linear(it));
  static const double turned[28] = {[0] = 1, [8] = 1};
  it->lr.H = numbers(2, 14, turned);
  ck_assert(!ns_rigid_relation_is_linear(it));
  ns_model_destroy(m);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, joints_are_derivatives, 0, 2 * JOINTS);
  tcase_add_loop_test(t, joints_act_and_react_alike, 0, JOINTS);
  tcase_add_loop_test(t, joints_see_rotations_alone, 0, JOINTS);
  tcase_add_loop_test(t, free_coordinates_are_of_body_2, 0, 4);
  tcase_add_loop_test(t, free_coordinates_are_derivatives, 0, 8);
  tcase_add_test(t, turns_are_counted);
  tcase_add_loop_test(t, couplers_are_derivatives, 0, 2);
  tcase_add_test(t, contact_rows_are_velocities);
  tcase_add_test(t, contacts_act_and_react_alike);
  tcase_add_test(t, exchanged_bodies_move_alike);
  tcase_add_test(t, fixed_surroundings_have_no_columns);
  tcase_add_test(t, planar_contact_rows);
  tcase_add_test(t, points_by_formulas);
  tcase_add_loop_test(t, normals_have_norm_1, 0, 2);
  tcase_add_loop_test(t, formulas_of_coordinates, 0, 2);
}

int main(void) { return suite_run("relations of rigid bodies", fill); }
