/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Euler-Moreau scheme by its operations: orders, the formulas of a step, groups. Norms are max-norms. */
#include "support/rate.h"

#include "algebra/dense.h"

/* ---- smooth motion ------------------------------------------------------------------------------- */

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
  ns_system *s = model_system(m, w == NONLINEAR || w == DIFFERENCED || w == CONTROLLED ? "FirstOrderNonLinearDS"
                              : w == LTV ? "FirstOrderLinearDS" : "FirstOrderLinearTIDS", 2, x0);
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
    s->fo.f = function_of(m, 2, 1, NS_SIG_F, (void (*)(void))oscillator_f, USES_T | USES_X | USES_Z);
    return 0;
  case WITH_MASS: s->fo.M = numbers(2, 2, M), s->fo.A = numbers(2, 2, MA), s->fo.b = numbers(2, 1, Mb); return 0;
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
    if (w == LTV && theta < 1) continue; /* f is not divided by M where it is weighted: another scheme */
    double tol = w == DIFFERENCED || w == CONTROLLED ? 1e-11 : 1e-14; /* newton_rtol, against one pass */
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
  static const struct { double theta, order; } row[] = {{1, 1}, {0.5, 2}, {0, 1}};
  for (size_t k = 0; k < 3; k++)
    for (int differenced = 0; differenced < 2; differenced++) {
      int it;
      double e1 = cubic_error(differenced, row[k].theta, 200, &it), e2 = cubic_error(differenced, row[k].theta, 400, &it);
      ck_assert_double_eq_tol(log2(e1 / e2), row[k].order, 0.02);
      ck_assert_int_le(it, 400 * 3); /* quadratic: two iterations and the test, also with differences */
    }
}
END_TEST

/* ---- inputs ----------------------------------------------------------------------------------------- */

/* One step of both formulations against the formula, written out densely. */
START_TEST(step_with_input_is_the_formula)
{
  static const double x0[] = {1, -2}, A[] = {0.3, -4, 1, -0.4}, b[] = {0.5, 1}, M[] = {2, 0.5, 1, 3};
  int full = _i & 1, timed = _i >> 1 & 1, nonlinear = _i >> 2 & 1;
  for (double theta = 0; theta <= 1; theta += 0.5)
    for (double gamma = 0.25; gamma <= 1; gamma += 0.25) {
      ns_model *m = model_new(theta, gamma, full);
      ns_system *s = model_system(m, nonlinear ? "FirstOrderLinearDS" : "FirstOrderLinearTIDS", 2, x0);
      s->fo.M = numbers(2, 2, M);
      s->fo.A = numbers(2, 2, A);
      if (nonlinear) s->fo.A = formula(m, 2, 2, "0.3*(1 + t - t), -4, 1, -0.4");
      s->fo.b = timed ? formula(m, 2, 1, "0.5 + t, 1") : numbers(2, 1, b);
      drive d = drive_new(m, 0);
      double h = 0.1, r0[2] = {0.7, -0.3}, r1[2] = {-0.2, 0.9}, W[4], rhs[2], f0[2], f1b[2] = {b[0] + timed * h, b[1]};
      int piv[2];
      memcpy(d.r, r0, sizeof r0);
      drive_start(&d);
      memcpy(d.r, r1, sizeof r1);
      good(&d, drive_try(&d, h, h));
      for (int i = 0; i < 2; i++) f0[i] = A[i] * x0[0] + A[i + 2] * x0[1] + b[i];
      for (int i = 0; i < 4; i++) W[i] = M[i] - h * theta * A[i];
      for (int i = 0; i < 2; i++) {
        double input = full ? r1[i] : gamma * r1[i] + (1 - gamma) * r0[i];
        rhs[i] = M[i] * x0[0] + M[i + 2] * x0[1] + h * (theta * f1b[i] + (1 - theta) * f0[i] + input);
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
      ns_rate_point p = d.ops->point(d.osi);
      ck_assert_double_eq(p.where, full ? gamma : 1);
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
    good(&d, d.ops->begin(d.osi, &d.c, &d.x, 0.1, 0.1));
    ns_rate_point p = d.ops->point(d.osi);
    ck_assert_double_eq(p.t, full ? 0.25 * 0.1 : 0.1);
    ck_assert_double_eq(p.where, full ? 0.25 : 1);
    drive_end(&d);
  }
}
END_TEST

/* ---- groups ------------------------------------------------------------------------------------------- */

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
  ns_interaction *it = model_interaction(m, "FirstOrderNonLinearR", "ComplementarityConditionNSL", 1, 2, pair);
  it->fo.h = formula(m, 1, 1, "x[0]");
  it->fo.g = formula(m, 4, 1, "x[0]*l[0], x[1], x[2], x[3]");
  it->fo.K = numbers(4, 4, K);
  drive d = drive_new(m, 0);
  const ns_rate_groups *g = d.ops->groups(d.osi);
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
  good(&d, d.ops->begin(d.osi, &d.c, &d.x, h, h));
  good(&d, d.ops->linearise(d.osi, &d.c, &t, 1, &changed));
  ck_assert_int_eq(changed, 1);
  good(&d, d.ops->linearise(d.osi, &d.c, &t, 1, &changed));
  ck_assert_int_eq(changed, 0);
  double W[16] = {0}, B[8], want[8];
  for (int s = 0; s < 2; s++)
    for (int j = 0; j < 2; j++)
      for (int i = 0; i < 2; i++) W[2 * s + i + 4 * (2 * s + j)] = (i == j) - h * theta * A[i + 2 * j];
  for (int i = 0; i < 16; i++) W[i] -= h * gamma * K[i];
  for (int i = 0; i < 8; i++) B[i] = cos(i), want[i] = hr * B[i];
  ns_dense_lu(4, W, 4, piv);
  ns_dense_lu_solve(4, W, 4, piv, 2, want, 4);
  d.ops->gain(d.osi, 0, 2, B);
  for (int i = 0; i < 8; i++) ck_assert_double_eq_tol(B[i], want[i], 1e-15);
  /* the other group keeps its own */
  double b = 1;
  d.ops->gain(d.osi, 1, 1, &b);
  ck_assert_double_eq_tol(b, hr / (1 + 3 * h * theta), 1e-16);
  K[3] = 7; /* another tangent, another W */
  good(&d, d.ops->linearise(d.osi, &d.c, &t, 1, &changed));
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
  ns_interaction *it = model_interaction(m, "FirstOrderNonLinearR", "ComplementarityConditionNSL", 1, 1, first);
  it->fo.h = formula(m, 1, 1, "x[0]");
  it->fo.g = formula(m, 1, 1, "x[0]*l[0]");
  it->fo.K = numbers(1, 1, K);
  drive d = drive_new(m, 0);
  ns_integrator_info info;
  d.ops->info(d.osi, &info);
  ck_assert_int_eq(info.dense, 1);
  ck_assert_int_eq(info.nonlinear, 1);
  ck_assert_int_eq(info.linear, 1);
  ck_assert_int_eq(d.ops->groups(d.osi)->n, 2);
  drive_start(&d);
  int changed;
  double b = 1;
  good(&d, d.ops->begin(d.osi, &d.c, &d.x, 0.1, 0.1));
  good(&d, d.ops->linearise(d.osi, &d.c, &(ns_rate_tangent){0, K}, 1, &changed));
  d.ops->gain(d.osi, 1, 1, &b);
  ck_assert_double_eq_tol(b, 0.1 / (1 - 0.1 * 0.5), 1e-16);
  drive_end(&d);
}
END_TEST

/* V15: x' = x + r, y = 1 - x^2, r = -2 x lambda, 0 <= y _|_ lambda >= 0: C = B = -2x, K = -2 lambda. Newton by the
 * linearised formulas of a scalar problem; rests at x = 1, lambda = 1/2. Returns the most iterations of a step. */
static int newton_step(drive *d, double t1, double h, double *lambda)
{
  double *x = d->ops->iterate(d->osi), xk = d->x.q[0], R = 0, out = 1, l = 0;
  int changed, it = 0;
  good(d, d->ops->begin(d->osi, &d->c, &d->x, t1, h));
  ns_rate_point p = d->ops->point(d->osi);
  for (; it < 20; it++) {
    double xr = (1 - p.where) * xk + p.where * *x, CB = -2 * xr, K = -2 * l, y = 1 - xr * xr, g = -2 * xr * l, G = 1;
    if (it && out <= 1 && fabs(R - g) <= 1e-13) break;
    good(d, d->ops->linearise(d->osi, &d->c, &(ns_rate_tangent){0, &K}, 1, &changed));
    good(d, d->ops->free(d->osi, &d->c, d->xfree));
    d->ops->gain(d->osi, 0, 1, &G);
    double xp = d->xfree[0] + G * (g - CB * l), q = y + CB * p.where * (xp - *x), M = p.where * CB * G * CB;
    double l1 = q < 0 ? -q / M : 0, x1 = xp + G * CB * l1;
    R = g + CB * (l1 - l) + K * p.where * (x1 - *x);
    *x = x1, l = l1;
    good(d, d->ops->residual(d->osi, &d->c, &R, &out));
  }
  good(d, d->ops->commit(d->osi, &d->c, &d->x, &R));
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
    ns_interaction *it = model_interaction(m, "FirstOrderNonLinearR", "ComplementarityConditionNSL", 1, 1, first);
    it->fo.h = formula(m, 1, 1, "1 - x[0]^2"), it->fo.C = derivative(m, 1, "1 - x[0]^2", NS_BANK_Q, 1);
    it->fo.g = formula(m, 1, 1, "-2*x[0]*l[0]"), it->fo.B = derivative(m, 1, "-2*x[0]*l[0]", NS_BANK_LAMBDA, 1);
    it->fo.K = derivative(m, 1, "-2*x[0]*l[0]", NS_BANK_Q, 1);
    drive d = drive_new(m, 0);
    drive_start(&d);
    int n = k ? 200 : 100, most = 0;
    double h = 1.0 / n, lambda = 0;
    for (int s = 1; s <= n; s++) {
      int used = newton_step(&d, s * h, h, &lambda);
      if (used > most) most = used;
      if (s * h == 0.5) e[k] = fabs(d.x.q[0] - 0.5 * exp(0.5));
    }
    ck_assert_int_le(most, full ? 5 : 4);
    ck_assert_double_eq_tol(d.x.q[0], 1, full ? 1e-9 : 1e-14);
    ck_assert_double_eq_tol(lambda, 0.5, full ? 1e-8 : 1e-12);
    drive_end(&d);
  }
  ck_assert_double_eq_tol(log2(e[0] / e[1]), 1, 0.02);
}
END_TEST

/* ---- the unreduced kernel --------------------------------------------------------------------------------- */

/* W x+ = b + input_gain r and the reduced step give the same x+. */
START_TEST(unreduced_is_reduced)
{
  static const double x0[] = {1, -2, 0.5}, A[] = {0.3, -4, 0, 1, -0.4, 0, 0, 0, -2}, b[] = {0.5, 1, 0};
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
        good(&d, d.ops->begin(d.osi, &d.c, &d.x, t1, h));
        good(&d, d.ops->linearise(d.osi, &d.c, NULL, 0, &changed));
        ck_assert_int_eq(changed, step != 2);
        good(&d, d.ops->free(d.osi, &d.c, d.xfree));
        ns_blocks_dense(d.ops->matrix(d.osi, &gain), W, 5);
        double *xn = d.ops->iterate(d.osi);
        for (int i = 0; i < 5; i++) xn[i] = d.xfree[i] + gain * d.r[i];
        ck_assert_int_eq(ns_dense_lu(5, W, 5, piv), 0);
        ns_dense_lu_solve(5, W, 5, piv, 1, xn, 5);
        good(&d, d.ops->residual(d.osi, &d.c, d.r, &res));
        ck_assert_double_le(res, 1);
        good(&d, d.ops->commit(d.osi, &d.c, &d.x, d.r));
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

/* A chain of 300 unknowns, with and without a mass of the same bands: memory by the bands, not by the square. The rate
 * is M^-1 f. */
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
  for (int i = 0; i < N; i++) ck_assert_double_eq_tol(d.x.v[i], _i ? x0[i] : i == 0 ? -2 : i == 1, 1e-14 * N);
  double gain;
  ns_integrator_info info;
  ck_assert_int_eq(d.ops->matrix(d.osi, &gain)->row[N], 3 * N - 2);
  d.ops->info(d.osi, &info);
  ck_assert_uint_le(info.bytes, 600 * N);
  drive_end(&d);
}
END_TEST

/* A mode of the chain, sin(pi k i / (n + 1)), of more rows than the small kernels take: a step multiplies it by
 * (1 + h (1-theta) mu) / (1 - h theta mu), mu = -4 sin^2(pi k / 2 / (n + 1)). */
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
  d.ops->info(d.osi, &info);
  ck_assert_int_eq(info.nonlinear, _i);
  ck_assert_int_eq(info.symmetric, !_i);
  drive_start(&d);
  for (int k = 1; k <= 10; k++) good(&d, drive_try(&d, k * h, h));
  double want = pow((1 + h * (1 - theta) * mu) / (1 - h * theta * mu), 10);
  for (int i = 0; i < N; i++) ck_assert_double_eq_tol(d.x.q[i], want * x0[i], 1e-14);
  drive_end(&d);
}
END_TEST

/* ---- residual, faults ---------------------------------------------------------------------------------------- */

/* At atol, rtol the residual of a state that is off by dx is |W dx| / (atol + rtol (...)). */
START_TEST(residual_is_scaled)
{
  static const double x0[] = {3}, A[] = {-2}, b[] = {10};
  int nonlinear = _i;
  ns_model *m = model_new(1, 1, 0);
  ns_system *s = model_system(m, nonlinear ? "FirstOrderNonLinearDS" : "FirstOrderLinearTIDS", 1, x0);
  s->fo.A = numbers(1, 1, A), s->fo.b = numbers(1, 1, b);
  if (nonlinear) {
    s->fo.f = formula(m, 1, 1, "-2*x[0] + 10");
    s->fo.dx_f = numbers(1, 1, A);
  }
  m->sim.ts.newton_atol = 1e-9, m->sim.ts.newton_rtol = 1e-6;
  drive d = drive_new(m, 0);
  d.r[0] = 0.5;
  drive_start(&d);
  double h = 0.1, res, *x = d.ops->iterate(d.osi), exact = (3 + h * 10.5) / (1 + 2 * h), off = 1e-5;
  int changed;
  good(&d, d.ops->begin(d.osi, &d.c, &d.x, h, h));
  good(&d, d.ops->linearise(d.osi, &d.c, NULL, 0, &changed));
  good(&d, d.ops->free(d.osi, &d.c, d.xfree));
  *x = exact + off;
  good(&d, d.ops->residual(d.osi, &d.c, d.r, &res));
  double scale = 1e-9 + 1e-6 * (fabs(*x - 3) + h * fabs(10 - 2 * *x) + h * 0.5);
  ck_assert_double_eq_tol(res * scale, (1 + 2 * h) * off, 1e-12); /* rounding allowed for: 16 eps |W x| */
  *x = exact;
  good(&d, d.ops->residual(d.osi, &d.c, d.r, &res));
  ck_assert_double_le(res, 1e-7);
  drive_end(&d);
}
END_TEST

/* Rounding is no divergence: at an equilibrium far from zero with stiff A, and tolerances that nothing reaches. */
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
  ck_assert_msg(strstr(d.c.msg, "component flow is not finite") != NULL, "%s", d.c.msg);
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
  ck_assert_msg(strstr(d.c.msg, "pivot 2, component q[1]") != NULL, "%s", d.c.msg);
  d.c = (ns_ctx){0};
  good(&d, drive_try(&d, 0.05, 0.05)); /* another h goes on */
  drive_end(&d);
}
END_TEST

/* ---- carrying over ------------------------------------------------------------------------------------------- */

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

/* u reads the rate of the step before; at t0 the rate without control. x' = 1 + 0.5 xdot: rates 1, 1.5, 1.75, ... */
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
  tcase_add_loop_test(t, smooth_motion_has_its_order, 0, 7);
  tcase_add_loop_test(t, kernels_agree, 0, 7);
  tcase_add_test(t, nonlinear_motion_has_its_order);
  tcase_add_loop_test(t, step_with_input_is_the_formula, 0, 8);
  tcase_add_test(t, point_of_the_relation);
  tcase_add_loop_test(t, tangents_couple_systems, 0, 2);
  tcase_add_test(t, tangent_of_one_system);
  tcase_add_loop_test(t, nonlinear_relation, 0, 2);
  tcase_add_loop_test(t, unreduced_is_reduced, 0, 4);
  tcase_add_loop_test(t, large_systems, 0, 2);
  tcase_add_loop_test(t, unreduced_is_sparse, 0, 2);
  tcase_add_loop_test(t, residual_is_scaled, 0, 2);
  tcase_add_test(t, residual_allows_for_rounding);
  tcase_add_loop_test(t, what_is_not_finite_is_named, 0, 2);
  tcase_add_loop_test(t, singular_W_is_named, 0, 2);
  tcase_add_test(t, step_may_change);
  tcase_add_loop_test(t, new_z_renews_f, 0, 2);
  tcase_add_loop_test(t, control_reads_the_lagged_rate, 0, 2);
  tcase_add_test(t, control_is_implicit);
}

int main(void) { return suite_run("Euler-Moreau", fill); }
