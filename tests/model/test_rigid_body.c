/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rigid bodies: wrenches in their axes, tangents against differences, motion on the group. */
#include "support/rigid_bodies.h"

static const double moments[] = {1.5, 2, 3};
static double pose[7], speed[6];

static ns_model *model(void)
{
  unsigned seed = 7;
  any_pose(&seed, pose);
  any_vector(&seed, 6, speed);
  return model_new(1, 1, 0);
}

static void force_at(const ns_system *s, const double *q, const double *v, double *F)
{
  ns_ctx c = {0};
  double work[1024], z[1] = {0};
  ns_point p = {.t = 0.3, .n = s->nq, .q = q, .v = v, .z = z};
  ck_assert_uint_le(ns_rigid_work(s), 1024);
  ck_assert_int_eq(ns_rigid_force(s, &c, &p, work, F), NS_OK);
}

static void rotated(const double *p, const double *a, int back, double *b)
{
  double R[9];
  ns_quaternion_matrix(p, R);
  (back ? ns_mul3t : ns_mul3)(R, a, b);
}

/* Large scenes have as many systems as grains: what most of them do not have takes no memory. */
START_TEST(a_body_of_a_model_is_small)
{
  ck_assert_uint_le(sizeof(ns_operator), 24);
  ck_assert_uint_le(sizeof(ns_system), 400);
  ck_assert_uint_le(sizeof(ns_body_shape), 104);
}
END_TEST

/* Forces are in world axes, moments in those of the body, however they are given; internal ones
 * count negative. */
START_TEST(wrenches_are_in_their_axes)
{
  static const double f[] = {1, -2, 3}, mo[] = {0.4, 0.5, -0.6}, g[] = {0.1, 0.2, 0.3};
  ns_model *m = model();
  ns_system *s = rigid_system(m, "NewtonEulerDS", pose, 2, moments);
  double F[6], want[6];
  s->rigid.fext = numbers(3, 1, f);
  s->rigid.mext = numbers(3, 1, mo);
  s->rigid.mint = numbers(3, 1, g);
  s->rigid.fext_in_body = _i & 1;
  s->rigid.mext_in_body = _i >> 1;
  memcpy(want, f, sizeof f);
  memcpy(want + 3, mo, sizeof mo);
  if (_i & 1) rotated(pose + 3, f, 0, want);
  if (!(_i >> 1)) rotated(pose + 3, mo, 1, want + 3);
  force_at(s, pose, speed, F);
  for (int i = 0; i < 6; i++)
    ck_assert_double_eq_tol(F[i], want[i] - (i < 3 ? 0 : g[i - 3]), 1e-15);
  ck_assert_int_eq(ns_rigid_is_steady(s), _i == 2);
  ck_assert_int_eq(ns_rigid_is_free(s), _i == 2);
  ns_model_destroy(m);
}
END_TEST

/* ---- tangents -------------------------------------------------------------------------------- */

static const char force_text[] =
    "x[0]*x[4] - v[3]^2, sin(x[5]*x[1]) + v[0]*v[4], x[3]*x[6] + x[2]*t";
static const char moment_text[] = "x[3]*v[5] + x[6]^3, cos(x[0] - x[5]), v[1]*x[4] + v[3]";

static void f_in_c(double t, const double *x, const double *v, double *f, unsigned nz, double *z)
{
  (void)nz, (void)z;
  f[0] = x[0] * x[4] - v[3] * v[3];
  f[1] = sin(x[5] * x[1]) + v[0] * v[4];
  f[2] = x[3] * x[6] + x[2] * t;
}

static void m_in_c(double t, const double *x, const double *v, double *f, unsigned nz, double *z)
{
  (void)t, (void)nz, (void)z;
  f[0] = x[3] * v[5] + x[6] * x[6] * x[6];
  f[1] = cos(x[0] - x[5]);
  f[2] = v[1] * x[4] + v[3];
}

static void by_formulas(ns_model *m, ns_rigid_body *b)
{
  b->fint = formula(m, 3, 1, force_text);
  b->dq_fint = derivative(m, 3, force_text, NS_BANK_Q, 7);
  b->dv_fint = derivative(m, 3, force_text, NS_BANK_V, 6);
  b->mint = formula(m, 3, 1, moment_text);
  b->dq_mint = derivative(m, 3, moment_text, NS_BANK_Q, 7);
  b->dv_mint = derivative(m, 3, moment_text, NS_BANK_V, 6);
}

static void by_functions(ns_model *m, ns_rigid_body *b)
{
  b->fint = function_of(m, 3, 1, NS_SIG_BODY_FINT, (void (*)(void))f_in_c,
                        USES_T | USES_X | USES_V);
  b->mint = function_of(m, 3, 1, NS_SIG_BODY_FINT, (void (*)(void))m_in_c,
                        USES_T | USES_X | USES_V);
}

/* K, C [n x n] against central differences of F along increments and velocities. */
static void tangents_are_derivatives(const ns_system *s, const double *q, const double *v,
                                     double tol)
{
  ns_ctx c = {0};
  double work[1024], z[1] = {0}, K[36], C[36], up[6], down[6], e = 1e-5;
  int n = s->n;
  ns_point p = {.t = 0.3, .n = s->nq, .q = q, .v = v, .z = z};
  ck_assert_int_eq(ns_rigid_tangents(s, &c, &p, work, K, C), NS_OK);
  for (int j = 0; j < n; j++) {
    double d[6] = {0}, moved[7], faster[6];
    d[j] = 1;
    for (int side = 0; side < 2; side++) {
      memcpy(moved, q, (size_t)s->nq * sizeof *q);
      ns_rigid_move(s, side ? -e : e, d, moved);
      force_at(s, moved, v, side ? down : up);
    }
    for (int i = 0; i < n; i++)
      ck_assert_double_eq_tol(K[i + n * j], -(up[i] - down[i]) / (2 * e), tol);
    for (int side = 0; side < 2; side++) {
      memcpy(faster, v, (size_t)n * sizeof *v);
      faster[j] += side ? -e : e;
      force_at(s, q, faster, side ? down : up);
    }
    for (int i = 0; i < n; i++)
      ck_assert_double_eq_tol(C[i + n * j], -(up[i] - down[i]) / (2 * e), tol);
  }
}

START_TEST(tangents_of_turning_loads)
{
  static const double f[] = {1, -2, 3}, mo[] = {0.4, 0.5, -0.6};
  ns_model *m = model();
  ns_system *s = rigid_system(m, "NewtonEulerDS", pose, 2, moments);
  s->rigid.fext = numbers(3, 1, f);
  s->rigid.mext = numbers(3, 1, mo);
  s->rigid.fext_in_body = _i & 1;
  s->rigid.mext_in_body = _i >> 1;
  tangents_are_derivatives(s, pose, speed, 1e-9);
  ns_model_destroy(m);
}
END_TEST

START_TEST(tangents_of_formulas_and_functions)
{
  ns_model *m = model();
  ns_system *s = rigid_system(m, "NewtonEulerDS", pose, 2, moments);
  (_i ? by_functions : by_formulas)(m, &s->rigid);
  ck_assert_int_eq(ns_rigid_differenced(s), _i);
  ck_assert(!ns_rigid_is_free(s) && !ns_rigid_is_steady(s));
  tangents_are_derivatives(s, pose, speed, 1e-8);
  ns_model_destroy(m);
}
END_TEST

static void planar_in_c(double t, const double *x, const double *v, double *f, unsigned nz,
                        double *z)
{
  (void)t, (void)nz, (void)z;
  f[0] = x[0] * x[2] + v[1];
  f[1] = sin(x[1]) * v[2];
}

START_TEST(tangents_in_the_plane)
{
  static const char text[] = "x[0]*x[2] + v[1], sin(x[1])*v[2]", torque[] = "cos(x[2])*v[0]";
  static const double q[] = {0.3, -0.2, 0.8}, v[] = {1, 2, -0.5}, f[] = {1, -2};
  ns_model *m = model();
  ns_system *s = rigid_system(m, "RigidBody2dDS", q, 2, moments);
  ns_rigid_body *b = &s->rigid;
  double F[3];
  b->fext = numbers(2, 1, f);
  b->fext_in_body = 1;
  force_at(s, q, v, F);
  ck_assert_double_eq_tol(F[0], cos(0.8) + 2 * sin(0.8), 1e-15);
  ck_assert_double_eq_tol(F[1], sin(0.8) - 2 * cos(0.8), 1e-15);
  b->fint = formula(m, 2, 1, text);
  b->dq_fint = derivative(m, 2, text, NS_BANK_Q, 3);
  b->dv_fint = derivative(m, 2, text, NS_BANK_V, 3);
  if (_i) {
    b->fint = function_of(m, 2, 1, NS_SIG_BODY_FINT, (void (*)(void))planar_in_c, USES_X | USES_V);
    b->dq_fint = b->dv_fint = (ns_operator){0};
  }
  b->mint = formula(m, 1, 1, torque);
  b->dq_mint = derivative(m, 1, torque, NS_BANK_Q, 3);
  b->dv_mint = derivative(m, 1, torque, NS_BANK_V, 3);
  tangents_are_derivatives(s, q, v, 1e-8);
  ns_model_destroy(m);
}
END_TEST

/* ---- rotation -------------------------------------------------------------------------------- */

/* Omega x I Omega does no work; its derivative is exact: for a quadratic function central
 * differences are, too. */
START_TEST(gyroscopic_torque)
{
  static const double I[] = {2, 0.1, -0.2, 0.1, 3, 0.3, -0.2, 0.3, 4}, e = 0.25;
  double W[3], g[3], dg[9], up[3], down[3];
  unsigned seed = 11;
  any_vector(&seed, 3, W);
  ns_rigid_gyroscopic(I, W, g, dg);
  ck_assert_double_le(fabs(ns_dot3(W, g)), 1e-15);
  for (int j = 0; j < 3; j++) {
    double near[3], far[3];
    memcpy(near, W, sizeof near);
    memcpy(far, W, sizeof far);
    near[j] -= e, far[j] += e;
    ns_rigid_gyroscopic(I, near, down, NULL);
    ns_rigid_gyroscopic(I, far, up, NULL);
    for (int i = 0; i < 3; i++)
      ck_assert_double_eq_tol(dg[i + 3 * j], (up[i] - down[i]) / (2 * e), 1e-14);
  }
}
END_TEST

/* q (+) h v keeps the norm in 10^5 steps, two halves are a whole about one axis, and its derivative
 * is T v. */
START_TEST(motion_stays_on_the_group)
{
  ns_model *m = model();
  ns_system *s = rigid_system(m, "NewtonEulerDS", pose, 2, moments);
  double q[7], half[7], p[7], e = 1e-5;
  memcpy(q, pose, sizeof q);
  for (int k = 0; k < 100000; k++) ns_rigid_move(s, 0.01, speed, q);
  ck_assert_double_le(fabs(ns_quaternion_norm(q + 3) - 1), 5e-16);
  memcpy(q, pose, sizeof q);
  memcpy(half, pose, sizeof half);
  ns_rigid_move(s, 0.8, speed, q);
  for (int k = 0; k < 2; k++) ns_rigid_move(s, 0.4, speed, half);
  for (int i = 0; i < 7; i++) ck_assert_double_eq_tol(q[i], half[i], 1e-15);
  memcpy(q, pose, sizeof q);
  memcpy(p, pose, sizeof p);
  ns_rigid_move(s, e, speed, q);
  ns_rigid_move(s, -e, speed, p);
  double W[4] = {0, speed[3], speed[4], speed[5]}, dp[4]; /* dp/dt = p (0, Omega)/2 */
  ns_quaternion_mul(pose + 3, W, dp);
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol((q[i] - p[i]) / (2 * e), speed[i], 1e-10);
  for (int i = 0; i < 4; i++)
    ck_assert_double_eq_tol((q[3 + i] - p[3 + i]) / (2 * e), dp[i] / 2, 1e-10);
  ns_model_destroy(m);
}
END_TEST

START_TEST(mass_and_momentum)
{
  ns_model *m = model();
  ns_system *s = rigid_system(m, "NewtonEulerDS", pose, 2, moments);
  s->rigid.inertia[1] = s->rigid.inertia[3] = 0.25;
  double M[36], p[6];
  ns_rigid_mass(s, M);
  memcpy(p, speed, sizeof p);
  ns_rigid_momentum(s, p);
  for (int i = 0; i < 6; i++) {
    double Mv = 0;
    for (int j = 0; j < 6; j++) Mv += M[i + 6 * j] * speed[j];
    ck_assert_double_eq_tol(p[i], Mv, 1e-15);
  }
  ck_assert_double_eq(M[3 + 6 * 4], 0.25);
  ck_assert_double_eq(M[0], 2);
  ns_model_destroy(m);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, wrenches_are_in_their_axes, 0, 4);
  tcase_add_loop_test(t, tangents_of_turning_loads, 0, 4);
  tcase_add_loop_test(t, tangents_of_formulas_and_functions, 0, 2);
  tcase_add_loop_test(t, tangents_in_the_plane, 0, 2);
  tcase_add_test(t, a_body_of_a_model_is_small);
  tcase_add_test(t, gyroscopic_torque);
  tcase_add_test(t, motion_stays_on_the_group);
  tcase_add_test(t, mass_and_momentum);
}

int main(void) { return suite_run("rigid bodies", fill); }
