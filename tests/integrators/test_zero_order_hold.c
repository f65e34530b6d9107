/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The zero-order hold by its operations: nodes of linear systems are exact. */
#include "support/rate.h"

static ns_model *hold_model(double h)
{
  ns_model *m = model_new(1, 1, 0);
  m->sim.integrator = "ZeroOrderHoldOSI";
  m->sim.ts.h = h;
  return m;
}

/* x'' = -4 x - 0.4 x' + 1 from (0, 0). */
static double step_response(double t)
{
  double s = 0.2, w = sqrt(4 - s * s);
  return 0.25 * (1 - exp(-s * t) * (cos(w * t) + s / w * sin(w * t)));
}

/* V18: nodes exact at any step; with a mass, with a step that changes, for steps where keep = 0. */
START_TEST(nodes_are_exact)
{
  static const double x0[] = {0, 0}, A[] = {0, -4, 1, -0.4}, b[] = {0, 1},
                      steps[] = {0.3, 1e-3, 2.5};
  static const double M[] = {2, 0.5, 1, 3}, MA[] = {-4, -12, 2 - 0.4, 0.5 - 1.2}, Mb[] = {1, 3};
  static const double D[] = {2, 8}, DA[] = {0, -32, 2, -3.2}, Db[] = {0, 8};
  for (int mass = 0; mass < 3; mass++) {
    double h = steps[_i];
    int n = (int)(5 / h);
    ns_model *m = hold_model(h);
    ns_system *s = model_system(m, "FirstOrderLinearTIDS", 2, x0);
    s->fo.A = numbers(2, 2, mass == 2 ? DA : mass ? MA : A);
    s->fo.b = numbers(2, 1, mass == 2 ? Db : mass ? Mb : b);
    if (mass) s->fo.M = numbers(2, 2, mass == 2 ? D : M);
    if (mass == 2) s->fo.M.diagonal = 1;
    drive d = drive_new(m, 0);
    drive_start(&d);
    for (int k = 1; k <= n; k++) {
      good(&d, drive_try(&d, k * h, h));
      ck_assert_double_eq_tol(d.x.q[0], step_response(k * h), 2e-15 * fmax(1, 0.1 * sqrt(n)));
    }
    ck_assert_int_eq(d.changed, 1);
    good(&d, drive_try(&d, n * h + h / 2, h / 2));
    ck_assert_double_eq_tol(d.x.q[0], step_response(n * h + h / 2), 2e-15 * fmax(1, 0.1 * sqrt(n)));
    ck_assert_int_eq(d.changed, 2);
    drive_end(&d);
  }
}
END_TEST

/* x'' = r: A singular; Gain = [h, h^2/2; 0, h] M^-1. */
START_TEST(singular_A)
{
  static const double x0[] = {1, 2}, A[] = {0, 0, 1, 0}, M[] = {1, 0, 0, 4};
  ns_model *m = hold_model(0.25);
  ns_system *s = model_system(m, "FirstOrderLinearTIDS", 2, x0);
  s->fo.A = numbers(2, 2, A), s->fo.M = numbers(2, 2, M);
  drive d = drive_new(m, 0);
  drive_start(&d);
  d.r[1] = 3;
  good(&d, drive_try(&d, 0.25, 0.25));
  ck_assert_double_eq(d.x.q[0], 1 + 2 * 0.25 + 3 * 0.25 * 0.25 / 2 / 4);
  ck_assert_double_eq(d.x.q[1], 2 + 3 * 0.25 / 4);
  ck_assert_double_eq(d.x.v[1], 0.75);
  drive_end(&d);
}
END_TEST

/* What decays by more than eps a step: relative accuracy stays (6e-14 a step, by squaring the
 * approximant). */
START_TEST(stiff_decay)
{
  static const double x0[] = {1}, A[] = {-50};
  ns_model *m = hold_model(1);
  model_system(m, "FirstOrderLinearTIDS", 1, x0)->fo.A = numbers(1, 1, A);
  drive d = drive_new(m, 0);
  drive_start(&d);
  for (int k = 1; k <= 5; k++) {
    good(&d, drive_try(&d, k, 1));
    ck_assert_double_eq_tol(d.x.q[0] * exp(50. * k), 1, 1e-12);
  }
  drive_end(&d);
}
END_TEST

/* x' = 2t/(1+t^2) x: x = 1 + t^2, over steps of 1/2 of the way to 2; also as (1+t^2) x' = 2 t x. */
START_TEST(time_varying_A)
{
  static const double x0[] = {1};
  ns_model *m = hold_model(0.5);
  ns_system *s = model_system(m, "FirstOrderLinearDS", 1, x0);
  s->fo.A = formula(m, 1, 1, _i ? "2*t" : "2*t/(1+t^2)");
  if (_i) s->fo.M = formula(m, 1, 1, "1+t^2");
  drive d = drive_new(m, 0);
  drive_start(&d);
  for (int k = 1; k <= 4; k++) {
    double t = 0.5 * k;
    good(&d, drive_try(&d, t, 0.5));
    ck_assert_double_eq_tol(d.x.q[0], 1 + t * t, 2e-12);
  }
  drive_end(&d);
}
END_TEST

/* Matrices of time agree with the exponential where they do not move; input and Gain too. */
START_TEST(integrated_is_exponential)
{
  static const double x0[] = {1, -1}, A[] = {0.3, -40, 1, -0.4}, b[] = {0.5, 1},
                      M[] = {1.5, 0, 0, 1.5};
  double x[2][2];
  for (int moving = 0; moving < 2; moving++) {
    ns_model *m = hold_model(0.4);
    ns_system *s = model_system(m, "FirstOrderLinearDS", 2, x0);
    s->fo.A = moving ? formula(m, 2, 2, "0.3*(1+t-t), -40, 1, -0.4") : numbers(2, 2, A);
    if (moving) s->fo.M = formula(m, 2, 2, "1+0.5*sin(t)^2+0.5*cos(t)^2, 0, 0, 1.5");
    else s->fo.M = numbers(2, 2, M);
    s->fo.b = numbers(2, 1, b);
    drive d = drive_new(m, 0);
    d.r[0] = 0.7, d.r[1] = -2;
    drive_start(&d);
    for (int k = 1; k <= 3; k++) good(&d, drive_try(&d, 0.4 * k, 0.4));
    memcpy(x[moving], d.x.q, sizeof x[0]);
    ck_assert_int_eq(d.changed, moving ? 3 : 1);
    drive_end(&d);
  }
  for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(x[0][i], x[1][i], 1e-12);
}
END_TEST

/* b that jumps at nodes alone is exact: a square wave of 10 steps; b that is smooth, order 2. */
static double square_wave(double t)
{
  return fmod(t, 2) < 1 ? t - floor(t / 2) * 2 : 2 - fmod(t, 2);
}

START_TEST(held_inputs)
{
  static const double x0[] = {0}, one[] = {1};
  double e[2];
  ns_model *m = hold_model(0.1);
  model_system(m, "FirstOrderLinearTIDS", 1, x0)->fo.b = formula(m, 1, 1,
                                                                 "if(mod(t, 2) < 1, 1, -1)");
  drive d = drive_new(m, 0);
  drive_start(&d);
  for (int k = 1; k <= 100; k++) {
    good(&d, drive_try(&d, k * 0.1, 0.1));
    ck_assert_double_eq_tol(d.x.q[0], square_wave(k * 0.1), 4e-15);
  }
  drive_end(&d);
  for (int k = 0; k < 2; k++) {
    m = hold_model(0.01);
    ns_system *s = model_system(m, "FirstOrderLinearTIDS", 1, one);
    s->fo.A = numbers(1, 1, (const double[]){-1});
    s->fo.b = formula(m, 1, 1, "cos(t) - sin(t)"); /* x = cos t */
    d = drive_new(m, 0);
    drive_run(&d, 1, k ? 200 : 100);
    e[k] = fabs(d.x.q[0] - cos(1));
    drive_end(&d);
  }
  ck_assert_double_eq_tol(log2(e[0] / e[1]), 2, 0.01);
}
END_TEST

/* T u of the state at the begin of the step: x' = -K x as a sampled controller would do it. */
START_TEST(sampled_feedback)
{
  static const double x0[] = {1}, A[] = {0.5}, T[] = {2};
  ns_model *m = hold_model(0.1);
  ns_system *s = model_system(m, "FirstOrderLinearDS", 1, x0);
  s->fo.A = numbers(1, 1, A), s->fo.T = numbers(1, 1, T), s->fo.u = formula(m, 1, 1, "-3*x[0]");
  drive d = drive_new(m, 0);
  drive_start(&d);
  double want = 1, e = exp(0.05);
  for (int k = 1; k <= 20; k++) {
    good(&d, drive_try(&d, k * 0.1, 0.1));
    want = e * want - 6 * want * (e - 1) / 0.5;
    ck_assert_double_eq_tol(d.x.q[0], want, 1e-15);
    ck_assert_double_eq_tol(d.x.v[0], 0.5 * want - 6 * want, 1e-14);
  }
  drive_end(&d);
}
END_TEST

/* V18: relay on x' = x + 2 lambda. Once x = 0 is within reach it is met exactly and kept. */
START_TEST(relay_slides)
{
  static const double x0[] = {0.5}, A[] = {1};
  ns_model *m = hold_model(0.1);
  model_system(m, "FirstOrderLinearTIDS", 1, x0)->fo.A = numbers(1, 1, A);
  drive d = drive_new(m, 0);
  drive_start(&d);
  int changed, held = 0;
  for (int k = 1; k <= 20; k++) {
    double *x = d.next, g = 2, lambda;
    good(&d, drive_begin(&d, k * 0.1, 0.1));
    good(&d, drive_linearise(&d, NULL, 0, &changed));
    good(&d, drive_free(&d));
    ns_theta_input_gain(d.osi, 0, 1, &g);
    lambda = fmax(-1, fmin(1, -d.xfree[0] / g));
    *x = d.xfree[0] + g * lambda;
    d.r[0] = 2 * lambda;
    good(&d, drive_commit(&d, d.r));
    if (fabs(lambda) == 1) continue;
    ck_assert_double_eq_tol(d.x.q[0], 0, 1e-17);
    held++;
  }
  ck_assert_int_ge(held, 15); /* 0 is reached at ln(4/3) = 0.29 */
  drive_end(&d);
}
END_TEST

START_TEST(poles_are_refused)
{
  static const double x0[] = {1};
  ns_model *m = hold_model(1);
  ns_system *s = model_system(m, "FirstOrderLinearDS", 1, x0);
  if (_i) s->fo.M = formula(m, 1, 1, "1 - 2*t"); /* 0 in the middle of the step */
  s->fo.A = formula(m, 1, 1, _i ? "1" : "1/(t-0.3)^2");
  drive d = drive_new(m, 0);
  drive_start(&d);
  ck_assert_int_eq(drive_try(&d, 1, 1), NS_NUMERIC);
  ck_assert_msg(strstr(d.c.msg, _i ? "the matrix M is singular" : "poles of A(t)"), "%s", d.c.msg);
  ck_assert_double_eq(d.x.q[0], 1);
  drive_end(&d);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, nodes_are_exact, 0, 3);
  tcase_add_test(t, singular_A);
  tcase_add_test(t, stiff_decay);
  tcase_add_loop_test(t, time_varying_A, 0, 2);
  tcase_add_test(t, integrated_is_exponential);
  tcase_add_test(t, held_inputs);
  tcase_add_test(t, sampled_feedback);
  tcase_add_test(t, relay_slides);
  tcase_add_loop_test(t, poles_are_refused, 0, 2);
}

int main(void) { return suite_run("zero-order hold", fill); }
