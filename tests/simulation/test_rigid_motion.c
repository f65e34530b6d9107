/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The theta scheme of rigid bodies against closed forms: free rotation, the heavy top. */
#include "support/bodies.h"

/* ---- a free body that flips over: I = (1, 2, 3), Omega = (0, 1, 0.01) ------------------------ */

typedef struct outcome {
  double error, energy, momentum;
} outcome;

/* At t = 10: error of Omega, relative error of the energy, of the angular momentum in the world. */
static outcome flipping(ns_gyroscopic how, double theta, double h)
{
  static const double I[3] = {1, 2, 3}, x[3] = {0}, v[6] = {0, 0, 0, 0, 1, 0.01};
  static const double exact[3] = {-0.9473927097, -0.3200735127, 0.5470688398};
  run r = bodies_begin(h, 10, theta);
  add_body(&r, "body", 1, I, x, NULL, v, NULL);
  r.m->systems[0].rigid.gyroscopic = how;
  bodies_run(&r);
  const double *W = r.x->v + 3;
  double R[9], L[3], l[3] = {I[0] * W[0], I[1] * W[1], I[2] * W[2]}, first[3] = {0, 2, 0.03}, d[3],
                     e[3];
  ns_quaternion_matrix(r.x->q + 3, R);
  ns_mul3(R, l, L);
  ns_sub3(L, first, d);
  ns_sub3(W, exact, e);
  ck_assert_double_le(fabs(ns_quaternion_norm(r.x->q + 3) - 1), 1e-15);
  outcome o = {ns_norm3(e), fabs(2 * r.x->cert->kinetic / 2.0003 - 1),
               ns_norm3(d) / ns_norm3(first)};
  run_end(&r);
  return o;
}

START_TEST(a_flipping_body_has_the_order_of_its_scheme)
{
  /* measured with an independent program: errors at h = 0.01 */
  static const struct {
    ns_gyroscopic how;
    double theta, order, error, energy;
  } row[] = {{NS_GYROSCOPIC_MIDPOINT, 0.5, 2, 4.9e-6, 1e-13},
             {NS_GYROSCOPIC_IMPLICIT, 0.5, 2, 4.3e-6, 8.4e-6},
             {NS_GYROSCOPIC_IMPLICIT, 1, 1, 1.1e-2, 7.7e-3},
             {NS_GYROSCOPIC_EXPLICIT, 0.5, 1, 1.1e-2, 1e-2}};
  outcome a = flipping(row[_i].how, row[_i].theta, 0.01),
          b = flipping(row[_i].how, row[_i].theta, 0.005);
  ck_assert_double_eq_tol(log2(a.error / b.error), row[_i].order, 0.05);
  ck_assert_double_eq_tol(a.error, row[_i].error, 0.06 * row[_i].error);
  ck_assert_double_le(a.energy, row[_i].energy);
  if (row[_i].order == 2) ck_assert_double_eq_tol(log2(a.momentum / b.momentum), 2, 0.05);
}
END_TEST

START_TEST(the_midpoint_keeps_the_energy_to_rounding)
{
  ck_assert_double_le(flipping(NS_GYROSCOPIC_MIDPOINT, 0.5, 0.01).energy, 1e-13);
  ck_assert_double_le(flipping(NS_GYROSCOPIC_MIDPOINT, 1, 0.02).energy, 1e-13); /* whatever theta */
}
END_TEST

/* ---- the heavy symmetric top on a ball joint, steady precession ------------------------------ */

/* At t = 1: |tilt - 60 degrees| and the error of the azimuth. */
static outcome top(double rate, double h)
{
  const double I[3] = {0.02, 0.02, 0.03}, l = 0.3, tilt = M_PI / 3, weight[3] = {0, 0, -9.81},
               origin[3] = {0};
  double p[4] = {cos(tilt / 2), 0, sin(tilt / 2), 0}, R[9], w[3], W[3], v[6];
  ns_quaternion_matrix(p, R);
  const double *e3 = R + 6;
  double x[3] = {l * e3[0], l * e3[1], l * e3[2]}, spin = 40 - rate * cos(tilt);
  for (int i = 0; i < 3; i++) w[i] = spin * e3[i] + (i == 2 ? rate : 0);
  ns_cross3(w, x, v);
  ns_mul3t(R, w, W);
  memcpy(v + 3, W, sizeof W);
  run r = bodies_begin(h, 1, 0.5);
  add_body(&r, "top", 1, I, x, p, v, weight);
  add_ball(&r, 0, -1, origin);
  bodies_run(&r);
  const double *q = r.x->q;
  double azimuth = remainder(atan2(q[1], q[0]) - rate, 2 * M_PI);
  outcome o = {fabs(acos(q[2] / l) - tilt), fabs(azimuth), 0};
  run_end(&r);
  return o;
}

START_TEST(a_heavy_top_precesses_at_second_order)
{
  /* rates of J1 cos(tilt) rate^2 - J3 spin rate + m g l = 0, about the fixed point: J1 = 0.02 + l^2
   */
  double J1 = 0.11 * 0.5, L = 0.03 * 40, root = sqrt(L * L - 4 * J1 * 9.81 * 0.3),
         rate = (L + (_i ? root : -root)) / (2 * J1);
  outcome a = top(rate, 1e-3), b = top(rate, 5e-4);
  ck_assert_double_eq_tol(log2(a.energy / b.energy), 2, 0.1);
  ck_assert_double_ge(log2(a.error / b.error), 1.9);
  ck_assert_double_le(b.energy, 2e-3);
}
END_TEST

/* ---- prescribed velocities ------------------------------------------------------------------- */

/* A body turned about its axis 3 at the rate 2 + t, its height held: who holds it pushes with its
 * weight, and turns it with its moment of inertia times the angular acceleration. */
START_TEST(velocities_are_held)
{
  static const double I[3] = {1, 2, 2.5}, x[3] = {0, 0, 1}, v[6] = {1, 0, 0, 0, 0, 2},
                      weight[3] = {0, 0, -9.81};
  static const int dof[2] = {2, 5};
  const double h = 0.01;
  run r = bodies_begin(h, 1, 0.5);
  int body = add_body(&r, "body", 3, I, x, NULL, v, weight);
  ns_boundary b = {.at = {.file = "test", .element = "FixedBC"},
                   .system = body,
                   .n = 2,
                   .dof = dof,
                   .value = formula(r.m, 2, 1, "0, 2+t")};
  ns_model_add_boundary(r.m, &r.c, &b);
  bodies_run(&r);
  ck_assert_double_eq_tol(r.x->v[2], 0, 1e-14);
  ck_assert_double_eq_tol(r.x->q[2], 1, 1e-14);
  ck_assert_double_eq_tol(r.x->v[0], 1, 1e-13);
  ck_assert_double_eq_tol(r.x->v[5], 3, 1e-13);
  ck_assert_double_eq_tol(r.x->support[2], 9.81 * h, 1e-12);
  ck_assert_double_eq_tol(r.x->support[5], 2.5 * h, 1e-12);
  ck_assert_double_le(r.x->cert->defect_max, 1e-12);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, a_flipping_body_has_the_order_of_its_scheme, 0, 4);
  tcase_add_test(t, velocities_are_held);
  tcase_add_test(t, the_midpoint_keeps_the_energy_to_rounding);
  tcase_add_loop_test(t, a_heavy_top_precesses_at_second_order, 0, 2);
}

int main(void) { return suite_run("rigid motion", fill); }
