/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Euler-Moreau scheme by its operations: orders, the formulas of a step, groups. Norms are
 * max-norms. */
#include "support/rate.h"

#include "algebra/dense.h"

/* ---- smooth motion --------------------------------------------------------------------------- */

/* x'' = -4 x - 0.4 x' + 1 + c cos t, x(0) = (1, 0): x = p + homogeneous, by complex amplitude. */
static double oscillator_exact(double c, double t)
{
  /* particular: 1/4 + Re(c e^{it} / (3 + 0.4 i)) */
  double re = 3 / (9 + 0.16), im = -0.4 / (9 + 0.16);
  double xp0 = 0.25 + c * re, vp0 = -c * im, s = 0.2, w = sqrt(4 - s * s);
  double a = 1 - xp0, b = (-vp0 + s * a) / w;
  return 0.25 + c * (re * cos(t) - im * sin(t)) + exp(-s * t) * (a * cos(w * t) + b * sin(w * t));
}

typedef enum way { LTI, LTI_TIMED, LTV, NONLINEAR, DIFFERENCED, WITH_MASS, CONTROLLED } way;

static void oscillator_f(double t, unsigned n, const double *x, double *out, unsigned nz, double *z)
{
  (void)n, (void)nz, (void)z, (void)t;
  out[0] = x[1];
  out[1] = -4 * x[0] - 0.4 * x[1] + 1;
}

/* The oscillator in one of the ways that a model may say it; 1: with cos t. */
static int say_oscillator(ns_model *m, way w)
{
  static const double x0[] = {1, 0}, A[] = {0, -4, 1, -0.4}, b[] = {0, 1};
  static const double M[] = {2, 0.5, 1, 3}, MA[] = {-4, -12, 2 - 0.4, 0.5 - 1.2}, Mb[] = {1, 3};
  ns_system *s = model_system(m,
                              w == NONLINEAR || w == DIFFERENCED || w == CONTROLLED
                                  ? "FirstOrderNonLinearDS"
                              : w == LTV ? "FirstOrderLinearDS"
                                         : "FirstOrderLinearTIDS",
                              2, x0);
  switch (w) {
  case LTI: s->fo.A = numbers(2, 2, A), s->fo.b = numbers(2, 1, b); return 0;
  case LTI_TIMED: s->fo.A = numbers(2, 2, A), s->fo.b = formula(m, 2, 1, "0, 1 + cos(t)"); return 1;
  case LTV: /* (1 + t) x' = (1 + t) (A x + b) */
    s->fo.M = formula(m, 2, 2, "1+t, 0, 0, 1+t");
    s->fo.A = formula(m, 2, 2, "0, -4*(1+t), 1+t, -0.4*(1+t)");
    s->fo.b = formula(m, 2, 1, "0, (1+t)*(1+cos(t))");
    return 1;
  case NONLINEAR:
    s->fo.f = formula(m, 2, 1, "x[1], -4*x[0] - 0.4*x[1] + 1 + cos(t)");
    s->fo.dx_f = derivative(m, 2, "x[1], -4*x[0] - 0.4*x[1] + 1 + cos(t)", NS_BANK_Q, 2);
    return 1;
  case DIFFERENCED:
    s->fo.f = function_of(m, 2, 1, NS_SIG_F, (void (*)(void))oscillator_f,
                          USES_T | USES_X | USES_Z);
    return 0;
  case WITH_MASS:
    s->fo.M = numbers(2, 2, M), s->fo.A = numbers(2, 2, MA), s->fo.b = numbers(2, 1, Mb);
    return 0;
  case CONTROLLED: /* spring and drive are a control of the state */
    s->fo.f = formula(m, 2, 1, "x[1], 1 - 0.4*x[1]");
    s->fo.dx_f = derivative(m, 2, "x[1], 1 - 0.4*x[1]", NS_BANK_Q, 2);
    s->fo.u = formula(m, 1, 1, "-4*x[0] + cos(t)");
    s->fo.T = numbers(2, 1, b);
    return 1;
  }
  return 0;
}

static double oscillator_error(way w, double theta, int n)
{
  ns_model *m = model_new(theta, 1, 0);
  int timed = say_oscillator(m, w);
  drive d = drive_new(m, 0);
  drive_run(&d, 2, n);
  double e = fabs(d.x.q[0] - oscillator_exact(timed, 2));
  drive_end(&d);
  return e;
}

START_TEST(smooth_motion_has_its_order)
{
  way w = (way)_i;
  double e1 = oscillator_error(w, 1, 400), e2 = oscillator_error(w, 1, 800);
  ck_assert_double_eq_tol(log2(e1 / e2), 1, 0.02);
  e1 = oscillator_error(w, 0.5, 200), e2 = oscillator_error(w, 0.5, 400);
  ck_assert_double_eq_tol(log2(e1 / e2), 2, 0.01);
}
END_TEST

/* All ways compute one step, to rounding. */
START_TEST(kernels_agree)
{
  way w = (way)_i;
  for (double theta = 0; theta <= 1; theta += 0.25) {
    double x[2][2], v[2][2];
    for (int k = 0; k < 2; k++) {
      ns_model *m = model_new(theta, 1, 0);
      say_oscillator(m, k ? w : w == LTI || w == DIFFERENCED || w == WITH_MASS ? LTI : LTI_TIMED);
      drive d = drive_new(m, 0);
      drive_run(&d, 0.5, 10);
      memcpy(x[k], d.x.q, sizeof x[k]);
      memcpy(v[k], d.x.v, sizeof v[k]);
      drive_end(&d);
    }
    /* f is not divided by M where it is weighted: another scheme */
    if (w == LTV && theta < 1) continue;
    /* newton_rtol, against one pass */
    double tol = w == DIFFERENCED || w == CONTROLLED ? 1e-11 : 1e-14;
    for (int i = 0; i < 2; i++) {
      ck_assert_double_eq_tol(x[0][i], x[1][i], tol);
      ck_assert_double_eq_tol(v[0][i], v[1][i], tol);
    }
  }
}
END_TEST

/* x' = -x^3, x = (1 + 2t)^(-1/2): Newton with a formula and with differences. */
static void cubic_f(double t, unsigned n, const double *x, double *out, unsigned nz, double *z)
{
  (void)t, (void)n, (void)nz, (void)z;
  *out = -x[0] * x[0] * x[0];
}

static double cubic_error(int differenced, double theta, int n, int *iterations)
{
  static const double x0[] = {1};
  ns_model *m = model_new(theta, 1, 0);
  ns_system *s = model_system(m, "FirstOrderNonLinearDS", 1, x0);
  s->fo.f = formula(m, 1, 1, "-x[0]^3");
  s->fo.dx_f = derivative(m, 1, "-x[0]^3", NS_BANK_Q, 1);
  if (differenced) {
    s->fo.f = function_of(m, 1, 1, NS_SIG_F, (void (*)(void))cubic_f, USES_T | USES_X | USES_Z);
    s->fo.dx_f = (ns_operator){0};
  }
  drive d = drive_new(m, 0);
  drive_run(&d, 2, n);
  double e = fabs(d.x.q[0] - 1 / sqrt(5));
  *iterations = d.iterations;
  drive_end(&d);
  return e;
}

START_TEST(nonlinear_motion_has_its_order)
{
  static const struct {
    double theta, order;
  } row[] = {{1, 1}, {0.5, 2}, {0, 1}};
  for (size_t k = 0; k < 3; k++)
    for (int differenced = 0; differenced < 2; differenced++) {
      int it;
      double e1 = cubic_error(differenced, row[k].theta, 200, &it),
             e2 = cubic_error(differenced, row[k].theta, 400, &it);
      ck_assert_double_eq_tol(log2(e1 / e2), row[k].order, 0.02);
      /* quadratic: two iterations and the test, also with differences */
      ck_assert_int_le(it, 400 * 3);
    }
}
END_TEST

/* ---- inputs ---------------------------------------------------------------------------------- */

/* One step of both formulations against the formula, written out densely. */
START_TEST(step_with_input_is_the_formula)
{
  static const double x0[] = {1, -2}, A[] = {0.3, -4, 1, -0.4}, b[] = {0.5, 1},
                      M[] = {2, 0.5, 1, 3};
  int full = _i & 1, timed = _i >> 1 & 1, nonlinear = _i >> 2 & 1;
  for (double theta = 0; theta <= 1; theta += 0.5)
    for (double gamma = 0.25; gamma <= 1; gamma += 0.25) {
      ns_model *m = model_new(theta, gamma, full);
      ns_system *s = model_system(m, nonlinear ? "FirstOrderLinearDS" : "FirstOrderLinearTIDS", 2,
                                  x0);
      s->fo.M = numbers(2, 2, M);
      s->fo.A = numbers(2, 2, A);
      if (nonlinear) s->fo.A = formula(m, 2, 2, "0.3*(1 + t - t), -4, 1, -0.4");
      s->fo.b = timed ? formula(m, 2, 1, "0.5 + t, 1") : numbers(2, 1, b);
      drive d = drive_new(m, 0);
      double h = 0.1, r0[2] = {0.7, -0.3}, r1[2] = {-0.2, 0.9}, W[4], rhs[2], f0[2],
             f1b[2] = {b[0] + timed * h, b[1]};
      int piv[2];
      memcpy(d.r, r0, sizeof r0);
      drive_start(&d);
      memcpy(d.r, r1, sizeof r1);
      good(&d, drive_try(&d, h, h));
      for (int i = 0; i < 2; i++) f0[i] = A[i] * x0[0] + A[i + 2] * x0[1] + b[i];
      for (int i = 0; i < 4; i++) W[i] = M[i] - h * theta * A[i];
      for (int i = 0; i < 2; i++) {
        double input = full ? r1[i] : gamma * r1[i] + (1 - gamma) * r0[i];
        rhs[i] = M[i] * x0[0] + M[i + 2] * x0[1] +
                 h * (theta * f1b[i] + (1 - theta) * f0[i] + input);
      }
      ns_dense_lu(2, W, 2, piv);
      ns_dense_lu_solve(2, W, 2, piv, 1, rhs, 2);
      for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(d.x.q[i], rhs[i], 2e-15);
      /* what the state then says: f, p, M v = f + r */
      for (int i = 0; i < 2; i++) {
        double f = A[i] * d.x.q[0] + A[i + 2] * d.x.q[1] + f1b[i];
        ck_assert_double_eq_tol(d.x.f[i], f, 1e-14);
        ck_assert_double_eq(d.x.p[i], r1[i]);
        ck_assert_double_eq_tol(M[i] * d.x.v[0] + M[i + 2] * d.x.v[1], f + r1[i], 2e-14);
      }
      ck_assert_double_eq(*d.x.t, h);
      ck_assert_double_eq(d.view.where, full ? gamma : 1);
      drive_end(&d);
    }
}
END_TEST

/* The relation's point in the full scheme is at t_k + gamma h. */
START_TEST(point_of_the_relation)
{
  static const double x0[] = {1};
  for (int full = 0; full < 2; full++) {
    ns_model *m = model_new(0.5, 0.25, full);
    model_system(m, "FirstOrderLinearTIDS", 1, x0);
    drive d = drive_new(m, 0);
    drive_start(&d);
    good(&d, drive_begin(&d, 0.1, 0.1));
    ck_assert_double_eq(ns_theta_time(d.osi), full ? 0.25 * 0.1 : 0.1);
    ck_assert_double_eq(d.view.where, full ? 0.25 : 1);
    drive_end(&d);
  }
}
END_TEST

/* ---- groups ---------------------------------------------------------------------------------- */

/* Systems of 2, 1 and 2 unknowns; K couples the first and the last. Gain B against the dense W. */
START_TEST(tangents_couple_systems)
{
  static const double x0[] = {0.1, 0.2}, A[] = {-1, 0.5, 0.25, -2}, one[] = {-3};
  static const int pair[] = {0, 2};
  static double K[16];
  double theta = 0.75, gamma = 0.5, h = 0.2, hr = _i ? h : h * gamma;
  ns_model *m = model_new(theta, gamma, _i);
  model_system(m, "FirstOrderLinearTIDS", 2, x0)->fo.A = numbers(2, 2, A);
  model_system(m, "FirstOrderLinearTIDS", 1, x0)->fo.A = numbers(1, 1, one);
  model_system(m, "FirstOrderLinearTIDS", 2, x0)->fo.A = numbers(2, 2, A);
  for (int i = 0; i < 16; i++) K[i] = sin(i + 1.0);
  ns_interaction *it = model_interaction(m, "FirstOrderNonLinearR", "ComplementarityConditionNSL",
                                         1, 2, pair);
  it->fo.h = formula(m, 1, 1, "x[0]");
  it->fo.g = formula(m, 4, 1, "x[0]*l[0], x[1], x[2], x[3]");
  it->fo.K = numbers(4, 4, K);
  drive d = drive_new(m, 0);
  const ns_rate_groups *g = d.view.groups;
  ck_assert_int_eq(g->n, 2);
  ck_assert_int_eq(g->size[0], 4);
  ck_assert_int_eq(g->size[1], 1);
  ck_assert_int_eq(g->of[0], 0);
  ck_assert_int_eq(g->of[2], 0);
  ck_assert_int_eq(g->at[2], 2);
  ck_assert_int_eq(g->list[1], 2);
  drive_start(&d);
  ns_rate_tangent t = {0, K};
  int changed = -1, piv[4];
  good(&d, drive_begin(&d, h, h));
  good(&d, drive_linearise(&d, &t, 1, &changed));
  ck_assert_int_eq(changed, 1);
  good(&d, drive_linearise(&d, &t, 1, &changed));
  ck_assert_int_eq(changed, 0);
  double W[16] = {0}, B[8], want[8];
  for (int s = 0; s < 2; s++)
    for (int j = 0; j < 2; j++)
      for (int i = 0; i < 2; i++)
        W[2 * s + i + 4 * (2 * s + j)] = (i == j) - h * theta * A[i + 2 * j];
  for (int i = 0; i < 16; i++) W[i] -= h * gamma * K[i];
  for (int i = 0; i < 8; i++) B[i] = cos(i), want[i] = hr * B[i];
  ns_dense_lu(4, W, 4, piv);
  ns_dense_lu_solve(4, W, 4, piv, 2, want, 4);
  ns_theta_input_gain(d.osi, 0, 2, B);
  for (int i = 0; i < 8; i++) ck_assert_double_eq_tol(B[i], want[i], 1e-15);
  /* the other group keeps its own */
  double b = 1;
  ns_theta_input_gain(d.osi, 1, 1, &b);
  ck_assert_double_eq_tol(b, hr / (1 + 3 * h * theta), 1e-16);
  K[3] = 7; /* another tangent, another W */
  good(&d, drive_linearise(&d, &t, 1, &changed));
  ck_assert_int_eq(changed, 1);
  drive_end(&d);
}
END_TEST

/* A K on one system alone makes no group, but W has it; systems without K keep their constant W. */
START_TEST(tangent_of_one_system)
{
  static const double x0[] = {0.1, 0.2}, A[] = {-1, 0.5, 0.25, -2}, K[] = {0.5};
  static const int first[] = {1};
  ns_model *m = model_new(1, 1, 0);
  model_system(m, "FirstOrderLinearTIDS", 2, x0)->fo.A = numbers(2, 2, A);
  model_system(m, "FirstOrderLinearTIDS", 1, x0);
  ns_interaction *it = model_interaction(m, "FirstOrderNonLinearR", "ComplementarityConditionNSL",
                                         1, 1, first);
  it->fo.h = formula(m, 1, 1, "x[0]");
  it->fo.g = formula(m, 1, 1, "x[0]*l[0]");
  it->fo.K = numbers(1, 1, K);
  drive d = drive_new(m, 0);
  ns_integrator_info info;
  ns_theta_info(d.osi, &info);
  ck_assert_int_eq(info.dense, 1);
  ck_assert_int_eq(info.nonlinear, 1);
  ck_assert_int_eq(info.linear, 1);
  ck_assert_int_eq(d.view.groups->n, 2);
  drive_start(&d);
  int changed;
  double b = 1;
  good(&d, drive_begin(&d, 0.1, 0.1));
  good(&d, drive_linearise(&d, &(ns_rate_tangent){0, K}, 1, &changed));
  ns_theta_input_gain(d.osi, 1, 1, &b);
  ck_assert_double_eq_tol(b, 0.1 / (1 - 0.1 * 0.5), 1e-16);
  drive_end(&d);
}
END_TEST

/* V15: x' = x + r, y = 1 - x^2, r = -2 x lambda, 0 <= y _|_ lambda >= 0: C = B = -2x, K = -2
 * lambda. Newton by the linearised formulas of a scalar problem; rests at x = 1, lambda = 1/2.
 * Returns the most iterations of a step. */
static int newton_step(drive *d, double t1, double h, double *lambda)
{
  double *x = d->next, xk = d->x.q[0], R = 0, out = 1, l = 0;
  int changed, it = 0;
  good(d, drive_begin(d, t1, h));
  double where = d->view.where;
  for (; it < 20; it++) {
    double xr = (1 - where) * xk + where * *x, CB = -2 * xr, K = -2 * l, y = 1 - xr * xr,
           g = -2 * xr * l, G = 1;
    if (it && out <= 1 && fabs(R - g) <= 1e-13) break;
    good(d, drive_linearise(d, &(ns_rate_tangent){0, &K}, 1, &changed));
    good(d, drive_free(d));
    ns_theta_input_gain(d->osi, 0, 1, &G);
    double xp = d->xfree[0] + G * (g - CB * l), q = y + CB * where * (xp - *x),
           M = where * CB * G * CB;
    double l1 = q < 0 ? -q / M : 0, x1 = xp + G * CB * l1;
    R = g + CB * (l1 - l) + K * where * (x1 - *x);
    *x = x1, l = l1;
    good(d, drive_residual(d, &R, &out));
  }
  good(d, drive_commit(d, &R));
  *lambda = l;
  return it;
}

START_TEST(nonlinear_relation)
{
  static const double x0[] = {0.5}, one[] = {1};
  static const int first[] = {0};
  int full = _i;
  double e[2];
  for (int k = 0; k < 2; k++) {
    ns_model *m = model_new(1, full ? 0.75 : 1, full);
    model_system(m, "FirstOrderLinearTIDS", 1, x0)->fo.A = numbers(1, 1, one);
    ns_interaction *it = model_interaction(m, "FirstOrderNonLinearR", "ComplementarityConditionNSL",
                                           1, 1, first);
    it->fo.h = formula(m, 1, 1, "1 - x[0]^2"),
    it->fo.C = derivative(m, 1, "1 - x[0]^2", NS_BANK_Q, 1);
    it->fo.g = formula(m, 1, 1, "-2*x[0]*l[0]"),
    it->fo.B = derivative(m, 1, "-2*x[0]*l[0]", NS_BANK_LAMBDA, 1);
    it->fo.K = derivative(m, 1, "-2*x[0]*l[0]", NS_BANK_Q, 1);
    drive d = drive_new(m, 0);
    drive_start(&d);
    int n = k ? 200 : 100, max = 0;
    double h = 1.0 / n, lambda = 0;
    for (int s = 1; s <= n; s++) {
      int used = newton_step(&d, s * h, h, &lambda);
      if (used > max) max = used;
      if (s * h == 0.5) e[k] = fabs(d.x.q[0] - 0.5 * exp(0.5));
    }
    ck_assert_int_le(max, full ? 5 : 4);
    ck_assert_double_eq_tol(d.x.q[0], 1, full ? 1e-9 : 1e-14);
    ck_assert_double_eq_tol(lambda, 0.5, full ? 1e-8 : 1e-12);
    drive_end(&d);
  }
  ck_assert_double_eq_tol(log2(e[0] / e[1]), 1, 0.02);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, smooth_motion_has_its_order, 0, 7);
  tcase_add_loop_test(t, kernels_agree, 0, 7);
  tcase_add_test(t, nonlinear_motion_has_its_order);
  tcase_add_loop_test(t, step_with_input_is_the_formula, 0, 8);
  tcase_add_test(t, point_of_the_relation);
  tcase_add_loop_test(t, tangents_couple_systems, 0, 2);
  tcase_add_test(t, tangent_of_one_system);
  tcase_add_loop_test(t, nonlinear_relation, 0, 2);
}

int main(void) { return suite_run("Euler-Moreau", fill); }
