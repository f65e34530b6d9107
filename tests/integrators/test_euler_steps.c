/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Euler-Moreau scheme by its operations: the unreduced kernel, large systems, residuals and
 * faults, what is carried from step to step. Norms are max-norms. */
#include "support/rate.h"

#include "algebra/dense.h"

/* ---- the unreduced kernel -------------------------------------------------------------------- */

/* W x+ = b + input_gain r and the reduced step give the same x+. */
START_TEST(unreduced_is_reduced)
{
  static const double x0[] = {1, -2, 0.5}, A[] = {0.3, -4, 0, 1, -0.4, 0, 0, 0, -2},
                      b[] = {0.5, 1, 0};
  static const double M[] = {2, 0, 0, 1, 3, 0, 0, 0, 1};
  int full = _i & 1, timed = _i >> 1;
  for (double theta = 0; theta <= 1; theta += 0.5) {
    double x[2][5], v[2][5];
    for (int unreduced = 0; unreduced < 2; unreduced++) {
      ns_model *m = model_new(theta, 0.5, full);
      ns_system *s = model_system(m, "FirstOrderLinearTIDS", 3, x0);
      s->fo.M = numbers(3, 3, M), s->fo.A = numbers(3, 3, A);
      s->fo.b = timed ? formula(m, 3, 1, "0.5 + t, 1, 0") : numbers(3, 1, b);
      s = model_system(m, "FirstOrderLinearTIDS", 2, x0);
      s->fo.A = numbers(2, 2, A + 3);
      drive d = drive_new(m, unreduced);
      for (int i = 0; i < 5; i++) d.r[i] = cos(i);
      drive_start(&d);
      for (int step = 1; step <= 3; step++) {
        double h = step < 3 ? 0.1 : 0.05, t1 = *d.x.t + h, gain, W[25], res;
        int piv[5], changed;
        if (!unreduced) {
          good(&d, drive_try(&d, t1, h));
          continue;
        }
        good(&d, drive_begin(&d, t1, h));
        good(&d, drive_linearise(&d, NULL, 0, &changed));
        ck_assert_int_eq(changed, step != 2);
        good(&d, drive_free(&d));
        ns_blocks_dense(ns_theta_matrix(d.osi, &gain), W, 5);
        double *xn = d.next;
        for (int i = 0; i < 5; i++) xn[i] = d.xfree[i] + gain * d.r[i];
        ck_assert_int_eq(ns_dense_lu(5, W, 5, piv), 0);
        ns_dense_lu_solve(5, W, 5, piv, 1, xn, 5);
        good(&d, drive_residual(&d, d.r, &res));
        ck_assert_double_le(res, 1);
        good(&d, drive_commit(&d, d.r));
      }
      memcpy(x[unreduced], d.x.q, sizeof x[0]);
      memcpy(v[unreduced], d.x.v, sizeof v[0]);
      drive_end(&d);
    }
    for (int i = 0; i < 5; i++) {
      ck_assert_double_eq_tol(x[0][i], x[1][i], 1e-14);
      ck_assert_double_eq_tol(v[0][i], v[1][i], 1e-13);
    }
  }
}
END_TEST

/* A chain of 300 unknowns, with and without a mass of the same bands: memory by the bands, not by
 * the square. The rate is M^-1 f. */
START_TEST(unreduced_is_sparse)
{
  enum { N = 300 };
  static double A[N * N], x0[N];
  for (int i = 0; i < N; i++) {
    A[i + i * N] = -2;
    if (i) A[i + (i - 1) * N] = A[i - 1 + i * N] = 1;
    x0[i] = i == 0;
  }
  ns_model *m = model_new(1, 1, 0);
  ns_system *s = model_system(m, "FirstOrderLinearTIDS", N, x0);
  s->fo.A = numbers(N, N, A);
  if (_i) s->fo.M = s->fo.A;
  drive d = drive_new(m, 1);
  drive_start(&d);
  for (int i = 0; i < N; i++)
    ck_assert_double_eq_tol(d.x.v[i], _i ? x0[i] : i == 0 ? -2 : i == 1, 1e-14 * N);
  double gain;
  ns_integrator_info info;
  ck_assert_int_eq(ns_theta_matrix(d.osi, &gain)->row[N], 3 * N - 2);
  ns_theta_info(d.osi, &info);
  ck_assert_uint_le(info.bytes, 600 * N);
  drive_end(&d);
}
END_TEST

/* A mode of the chain, sin(pi k i / (n + 1)), of more rows than the small kernels take: a step
 * multiplies it by (1 + h (1-theta) mu) / (1 - h theta mu), mu = -4 sin^2(pi k / 2 / (n + 1)). */
START_TEST(large_systems)
{
  enum { N = 60 };
  static double A[N * N], x0[N], zero[N];
  double h = 0.2, theta = 0.6, mu = -4 * pow(sin(M_PI * 7 / 2 / (N + 1)), 2);
  for (int i = 0; i < N; i++) {
    A[i + i * N] = -2;
    if (i) A[i + (i - 1) * N] = A[i - 1 + i * N] = 1;
    x0[i] = sin(M_PI * 7 * (i + 1) / (N + 1));
  }
  ns_model *m = model_new(theta, 1, 0);
  ns_system *s = model_system(m, _i ? "FirstOrderLinearDS" : "FirstOrderLinearTIDS", N, x0);
  s->fo.A = numbers(N, N, A);
  if (_i) s->fo.u = numbers(N, 1, zero); /* a control: the newton kernel */
  drive d = drive_new(m, 0);
  ns_integrator_info info;
  ns_theta_info(d.osi, &info);
  ck_assert_int_eq(info.nonlinear, _i);
  drive_start(&d);
  for (int k = 1; k <= 10; k++) good(&d, drive_try(&d, k * h, h));
  double want = pow((1 + h * (1 - theta) * mu) / (1 - h * theta * mu), 10);
  for (int i = 0; i < N; i++) ck_assert_double_eq_tol(d.x.q[i], want * x0[i], 1e-14);
  drive_end(&d);
}
END_TEST

/* ---- residual, faults ------------------------------------------------------------------------ */

/* At atol, rtol the residual of a state that is off by dx is |W dx| / (atol + rtol (...)). */
START_TEST(residual_is_scaled)
{
  static const double x0[] = {3}, A[] = {-2}, b[] = {10};
  int nonlinear = _i;
  ns_model *m = model_new(1, 1, 0);
  ns_system *s = model_system(m, nonlinear ? "FirstOrderNonLinearDS" : "FirstOrderLinearTIDS", 1,
                              x0);
  s->fo.A = numbers(1, 1, A), s->fo.b = numbers(1, 1, b);
  if (nonlinear) {
    s->fo.f = formula(m, 1, 1, "-2*x[0] + 10");
    s->fo.dx_f = numbers(1, 1, A);
  }
  m->sim.ts.newton_atol = 1e-9, m->sim.ts.newton_rtol = 1e-6;
  drive d = drive_new(m, 0);
  d.r[0] = 0.5;
  drive_start(&d);
  double h = 0.1, res, *x = d.next, exact = (3 + h * 10.5) / (1 + 2 * h), off = 1e-5;
  int changed;
  good(&d, drive_begin(&d, h, h));
  good(&d, drive_linearise(&d, NULL, 0, &changed));
  good(&d, drive_free(&d));
  *x = exact + off;
  good(&d, drive_residual(&d, d.r, &res));
  double scale = 1e-9 + 1e-6 * (fabs(*x - 3) + h * fabs(10 - 2 * *x) + h * 0.5);
  /* rounding allowed for: 16 eps |W x| */
  ck_assert_double_eq_tol(res * scale, (1 + 2 * h) * off, 1e-12);
  *x = exact;
  good(&d, drive_residual(&d, d.r, &res));
  ck_assert_double_le(res, 1e-7);
  drive_end(&d);
}
END_TEST

/* Rounding is no divergence: at an equilibrium far from zero with stiff A, and tolerances that
 * nothing reaches. */
START_TEST(residual_allows_for_rounding)
{
  static const double x0[] = {1e6 + 1}, A[] = {-1e7};
  ns_model *m = model_new(1, 1, 0);
  ns_system *s = model_system(m, "FirstOrderNonLinearDS", 1, x0);
  s->fo.f = formula(m, 1, 1, "-1e7*x[0] + 1e13");
  s->fo.dx_f = numbers(1, 1, A);
  m->sim.ts.newton_atol = 1e-300, m->sim.ts.newton_rtol = 0;
  drive d = drive_new(m, 0);
  drive_run(&d, 1, 10); /* drive_try fails where the residual stays above 1 */
  ck_assert_double_eq_tol(d.x.q[0], 1e6, 1e-9);
  drive_end(&d);
}
END_TEST

START_TEST(what_is_not_finite_is_named)
{
  static const double x0[] = {1, 0.5}, zero[4] = {0};
  ns_model *m = model_new(_i ? 1 : 0, 1, 0);
  static const char *const names[] = {"level", "flow"};
  ns_system *s = model_system(m, "FirstOrderNonLinearDS", 2, x0);
  s->names = names;
  s->fo.f = formula(m, 2, 1, "0, -1 + 0*sqrt(x[1]) - sqrt(x[1] - 0.3)*1e-3");
  s->fo.dx_f = numbers(2, 2, zero);
  drive d = drive_new(m, 0);
  drive_start(&d);
  int rc = NS_OK, k = 0;
  double before[2];
  while (!rc && k < 20) {
    memcpy(before, d.x.q, sizeof before);
    rc = drive_try(&d, ++k * 0.1, 0.1);
  }
  ck_assert_int_eq(rc, NS_NUMERIC);
  ck_assert_msg(strstr(d.c.msg, "<f> of flow is not finite") != NULL, "%s", d.c.msg);
  ck_assert_msg(strstr(d.c.msg, "<FirstOrderNonLinearDS id=\"one\">") != NULL, "%s", d.c.msg);
  ck_assert_mem_eq(before, d.x.q, sizeof before);
  drive_end(&d);
}
END_TEST

START_TEST(singular_W_is_named)
{
  static const double x0[] = {1, 1}, A[] = {-1, 0, 0, 10};
  ns_model *m = model_new(1, 1, 0);
  ns_system *s = model_system(m, _i ? "FirstOrderLinearDS" : "FirstOrderLinearTIDS", 2, x0);
  s->fo.A = _i ? formula(m, 2, 2, "-1 - 0.1*t, 0, 0, 10") : numbers(2, 2, A);
  drive d = drive_new(m, 0);
  drive_start(&d);
  ck_assert_int_eq(drive_try(&d, 0.1, 0.1), NS_NUMERIC);
  ck_assert_msg(strstr(d.c.msg, "pivot 2, component x[1]") != NULL, "%s", d.c.msg);
  d.c = (ns_ctx){0};
  good(&d, drive_try(&d, 0.05, 0.05)); /* another h goes on */
  drive_end(&d);
}
END_TEST

/* ---- carrying over --------------------------------------------------------------------------- */

/* W of linear systems is built for h, and once. */
START_TEST(step_may_change)
{
  static const double x0[] = {1}, A[] = {-1};
  ns_model *m = model_new(1, 1, 0);
  model_system(m, "FirstOrderLinearTIDS", 1, x0)->fo.A = numbers(1, 1, A);
  drive d = drive_new(m, 0);
  drive_start(&d);
  double want = 1, t = 0;
  static const double h[] = {0.1, 0.1, 0.2, 0.2, 0.1};
  for (size_t k = 0; k < 5; k++) {
    good(&d, drive_try(&d, t += h[k], h[k]));
    want /= 1 + h[k];
    ck_assert_double_eq_tol(d.x.q[0], want, 4e-16);
  }
  ck_assert_int_eq(d.changed, 3);
  drive_end(&d);
}
END_TEST

/* z changes between steps: f_k is that of the new z, as a run from there on would have it. */
START_TEST(new_z_renews_f)
{
  static const double x0[] = {1}, z0[] = {2}, z1[] = {-5};
  double x[2];
  for (int fresh = 0; fresh < 2; fresh++) {
    ns_model *m = model_new(0.5, 1, 0);
    ns_system *s = model_system(m, _i ? "FirstOrderNonLinearDS" : "FirstOrderLinearTIDS", 1, x0);
    s->nz = 1, s->z0 = fresh ? z1 : z0;
    s->fo.b = s->fo.f = formula(m, 1, 1, "z[0]");
    if (!_i) s->fo.f = (ns_operator){0};
    drive d = drive_new(m, 0);
    drive_start(&d);
    d.x.z[0] = z1[0];
    good(&d, drive_try(&d, 0.1, 0.1));
    x[fresh] = d.x.q[0];
    drive_end(&d);
  }
  ck_assert_double_eq(x[0], x[1]);
  ck_assert_double_eq_tol(x[0], 1 - 0.5, 1e-15);
}
END_TEST

/* u reads the rate of the step before; at t0 the rate without control. x' = 1 + 0.5 xdot: rates
 * 1, 1.5, 1.75, ... */
START_TEST(control_reads_the_lagged_rate)
{
  static const double x0[] = {0}, one[] = {1};
  ns_model *m = model_new(1, 1, 0);
  ns_system *s = model_system(m, _i ? "FirstOrderNonLinearDS" : "FirstOrderLinearTIDS", 1, x0);
  if (_i) s->fo.f = numbers(1, 1, one);
  else s->fo.b = numbers(1, 1, one);
  s->fo.u = formula(m, 1, 1, "0.5*v[0]");
  drive d = drive_new(m, 0);
  drive_start(&d);
  double rate = 1.5, x = 0;
  ck_assert_double_eq(d.x.v[0], rate);
  for (int k = 1; k <= 5; k++) {
    rate = 1 + 0.5 * rate;
    x += 0.1 * rate;
    good(&d, drive_try(&d, 0.1 * k, 0.1));
    ck_assert_double_eq_tol(d.x.v[0], rate, 1e-15);
    ck_assert_double_eq_tol(d.x.q[0], x, 1e-15);
  }
  ck_assert_int_eq(d.iterations, 5); /* one pass each */
  drive_end(&d);
}
END_TEST

/* A run that goes on from a copy of the state makes the same bytes. */
START_TEST(restart_is_identical)
{
  static const double x0[] = {1, -1}, z0[] = {2};
  drive d[2];
  for (int k = 0; k < 2; k++) {
    ns_model *m = model_new(0.5, 0.5, 0);
    ns_system *s = model_system(m, "FirstOrderNonLinearDS", 2, x0);
    s->nz = 1, s->z0 = z0;
    s->fo.f = formula(m, 2, 1, "x[1]*z[0], -x[0]^3 + sin(t)");
    s->fo.dx_f = derivative(m, 2, "x[1]*z[0], -x[0]^3 + sin(t)", NS_BANK_Q, 2);
    s->fo.u = formula(m, 2, 1, "0, -0.3*v[1]");
    d[k] = drive_new(m, 0);
    d[k].r[1] = 0.2;
  }
  drive_run(&d[0], 1, 10);
  memcpy(d[1].x.block, d[0].x.block, d[0].x.bytes);
  good(&d[1], ns_theta_start(d[1].osi, &d[1].c, &d[1].x, 1));
  for (int n = 11; n < 20; n++)
    for (int k = 0; k < 2; k++) {
      if (n == 15) d[k].x.z[0] = 1.5;
      good(&d[k], drive_try(&d[k], n * 0.1, 0.1));
    }
  ck_assert_mem_eq(d[0].x.block, d[1].x.block, d[0].x.bytes);
  drive_end(&d[0]);
  drive_end(&d[1]);
}
END_TEST

static void writes_z(double t, unsigned n, const double *x, double *f, unsigned nz, double *z)
{
  (void)n, (void)nz, (void)x;
  z[0] += 1;
  f[0] = t > 0.25 ? 1e200 * 1e108 * x[0] : 1;
}

/* What a C function wrote to z in a step that fails is undone. */
START_TEST(failed_step_leaves_z)
{
  static const double x0[] = {1}, z0[] = {0};
  ns_model *m = model_new(1, 1, 0);
  ns_system *s = model_system(m, "FirstOrderNonLinearDS", 1, x0);
  s->nz = 1, s->z0 = z0;
  s->fo.f = function_of(m, 1, 1, NS_SIG_F, (void (*)(void))writes_z, USES_T | USES_X | USES_Z);
  s->fo.dx_f = numbers(1, 1, z0);
  drive d = drive_new(m, 0);
  drive_start(&d);
  good(&d, drive_try(&d, 0.1, 0.1));
  good(&d, drive_try(&d, 0.2, 0.1));
  double z = d.x.z[0], x = d.x.q[0], *it = d.next;
  good(&d, drive_begin(&d, 0.3, 0.1));
  *it = 1e150;
  ck_assert_int_ge(z, 1);
  ck_assert_int_eq(drive_commit(&d, d.r), NS_PLUGIN);
  ck_assert_double_eq(d.x.z[0], z);
  ck_assert_double_eq(d.x.q[0], x);
  drive_end(&d);
}
END_TEST

/* Stiff control of the state: its derivative is in W, by differences. */
START_TEST(control_is_implicit)
{
  static const double x0[] = {1};
  ns_model *m = model_new(1, 1, 0);
  ns_system *s = model_system(m, "FirstOrderNonLinearDS", 1, x0);
  s->fo.u = formula(m, 1, 1, "-1000*x[0]");
  drive d = drive_new(m, 0);
  drive_start(&d);
  good(&d, drive_try(&d, 0.1, 0.1));
  ck_assert_double_eq_tol(d.x.q[0], 1 / 101., 1e-12);
  ck_assert_int_le(d.iterations, 3);
  drive_end(&d);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, unreduced_is_reduced, 0, 4);
  tcase_add_loop_test(t, unreduced_is_sparse, 0, 2);
  tcase_add_loop_test(t, large_systems, 0, 2);
  tcase_add_loop_test(t, residual_is_scaled, 0, 2);
  tcase_add_test(t, residual_allows_for_rounding);
  tcase_add_loop_test(t, what_is_not_finite_is_named, 0, 2);
  tcase_add_loop_test(t, singular_W_is_named, 0, 2);
  tcase_add_test(t, step_may_change);
  tcase_add_loop_test(t, new_z_renews_f, 0, 2);
  tcase_add_loop_test(t, control_reads_the_lagged_rate, 0, 2);
  tcase_add_test(t, restart_is_identical);
  tcase_add_test(t, failed_step_leaves_z);
  tcase_add_test(t, control_is_implicit);
}

int main(void) { return suite_run("Euler-Moreau, kernels and states", fill); }
