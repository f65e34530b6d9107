/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contacts between shapes against closed forms: impact with spin, slip to roll, rolling friction, blocks and stacks. */
#include "support/bodies.h"

#include "simulation/strategy.h"

#define R_BALL 0.1
#define G 9.81

static run ball(double h, double T, double theta, double e, double mu, double rolling, double z, const double *v)
{
  run r = bodies_begin(h, T, theta);
  one_material(&r, e, mu, rolling);
  add_floor(&r);
  add_solid_ball(&r, "ball", R_BALL, (double[]){0, 0, z}, v);
  return r;
}

/* ---- impact ----------------------------------------------------------------------------------------------------------- */

/* One step without weight, from contact. */
START_TEST(a_spinning_ball_bounces)
{
  static const struct {
    double vx, wy, vx1, vz1, wy1;
  } row[] = {{2, 0, 1.42857142857142857, 2.4, 14.2857142857142857}, {0.5, 0, 0.357142857142857143, 2.4, 3.57142857142857143},
             {2, -40, 0.92, 2.4, -13}};
  double v[6] = {row[_i].vx, 0, -3, 0, row[_i].wy, 0};
  run r = ball(1e-6, 1e-6, 0.5, 0.8, 0.2, 0, R_BALL, v);
  r.m->systems[0].rigid.fext.how = NS_OP_ABSENT;
  bodies_run(&r);
  double got[3] = {r.x->v[0], r.x->v[2], r.x->v[4]}, want[3] = {row[_i].vx1, row[_i].vz1, row[_i].wy1};
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(got[i], want[i], 1e-10);
  run_end(&r);
}
END_TEST

/* ---- sliding and rolling ------------------------------------------------------------------------------------------------ */

START_TEST(slip_turns_to_rolling)
{
  double v[6] = {3};
  run r = ball(1e-3, 0.8, 1, 0, 0.2, 0, R_BALL, v);
  bodies_run(&r);
  ck_assert_double_eq_tol(r.x->v[0], 15.0 / 7, 1e-11);
  ck_assert_double_eq_tol(r.x->v[4], 15.0 / 7 / R_BALL, 1e-10);
  ck_assert_double_eq_tol(r.x->q[0], 1.90109, 5e-6);
  ck_assert_double_le(fabs(r.x->cert->work_friction + 9.0 / 7), 2e-3);
  run_end(&r);
}
END_TEST

START_TEST(a_rolling_ball_comes_to_rest)
{
  double v[6] = {1, 0, 0, 0, 1 / R_BALL, 0};
  run r = ball(1e-3, 2, 0.5, 0, 0.5, 0.01, R_BALL, v);
  bodies_run(&r);
  ck_assert_double_eq_tol(r.x->q[0], 0.7135575943, 1e-3); /* O(h) */
  ck_assert_double_le(ns_norm3(r.x->v), 1e-9);            /* and it does not roll back */
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, a_spinning_ball_bounces, 0, 3);
  tcase_add_test(t, slip_turns_to_rolling);
  tcase_add_test(t, a_rolling_ball_comes_to_rest);
}

int main(void) { return suite_run("rigid contacts", fill); }
