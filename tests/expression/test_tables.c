/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables in formulas: values by a search and arithmetic of their own here, splines by GSL,
 * derivatives by differences within a piece, frozen formulas by the branches of a point. */
#include "expression/freeze.h"
#include "expression/interpolant.h"

#include "expression/fixture.h"

#include <gsl/gsl_spline.h>

enum { MAX = 200, BRANCH = 3, SWITCHES = 64 };

static unsigned long long seed;

static double uniform(double a, double b)
{
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return a + (b - a) * (double)(seed >> 11) / 9007199254740992.0;
}

static int pick(int n) { return (int)uniform(0, n); }

typedef struct table {
  ns_interpolation how;
  ns_outside outside;
  int n;
  double x[MAX], y[MAX];
  const ns_interpolant *of;
} table;

/* Random knots: even, uneven by many orders of magnitude, far from 0. */
static table random_table(ns_interpolation how, ns_outside outside)
{
  table t = {.how = how, .outside = outside, .n = 2 + pick(pick(2) ? 6 : MAX - 2)};
  double at = pick(2) ? 0 : uniform(-1e3, 1e3);
  int kind = pick(3);
  for (int k = 0; k < t.n; k++) {
    t.x[k] = at;
    t.y[k] = uniform(-1, 1);
    at += kind == 0 ? 0.25 : kind == 1 ? uniform(0.01, 1) : pow(10, uniform(-6, 1));
  }
  if (outside == NS_OUTSIDE_PERIODIC) t.y[t.n - 1] = t.y[0];
  t.of = ns_interpolant_create(F.a, "t", how, outside, t.n, t.x, t.y);
  ck_assert_ptr_nonnull(t.of);
  return t;
}

static double random_argument(const table *t)
{
  double width = t->x[t->n - 1] - t->x[0];
  switch (pick(4)) {
  case 0: return t->x[pick(t->n)];
  case 1: return uniform(t->x[0] - 2 * width, t->x[t->n - 1] + 2 * width);
  default: return uniform(t->x[0], t->x[t->n - 1]);
  }
}

/* The piece by a walk from the left: -1 before, n - 1 behind. */
static int piece(const table *t, double x)
{
  int k = -1;
  while (k + 1 < t->n && t->x[k + 1] <= x) k++;
  return k;
}

/* Step and linear tables. */
static double by_hand(const table *t, double x)
{
  double low = t->x[0], high = t->x[t->n - 1], width = high - low, slack = 1e-9 * width;
  if (t->outside == NS_OUTSIDE_PERIODIC) x = low + (x - low) - width * floor((x - low) / width);
  int k = piece(t, x);
  if (k < 0) {
    if (t->outside == NS_OUTSIDE_ERROR && x < low - slack) return NAN;
    if (t->outside == NS_OUTSIDE_ERROR) k = 0;
    else return t->outside == NS_OUTSIDE_HOLD ? t->y[0] : 0;
  }
  if (k == t->n - 1) {
    if (t->outside == NS_OUTSIDE_ERROR) return x < high + slack ? t->y[k] : NAN;
    return t->outside == NS_OUTSIDE_HOLD ? t->y[k] : 0;
  }
  if (t->how == NS_INTERPOLATION_STEP) return t->y[k];
  return t->y[k] + (t->y[k + 1] - t->y[k]) * (x - t->x[k]) / (t->x[k + 1] - t->x[k]);
}

static double eval(const ns_node *f, int n, double *out)
{
  const ns_tape *tape;
  static double work[1000];
  double B[SWITCHES] = {0};
  const double *bank[] = {F.x, F.v, F.w, B};
  ck_assert_int_eq(ns_tape_compile(F.g, &F.c, F.a, f, n, &tape), NS_OK);
  ck_assert_uint_lt(ns_tape_work(tape), 1000);
  ns_tape_eval(tape, bank, work, out);
  return out[0];
}

START_TEST(values_between_knots_at_knots_and_outside)
{
  seed = 11;
  for (int n = 0; n < 2000; n++) {
    fixture_begin();
    table t = random_table((ns_interpolation)pick(2), (ns_outside)pick(4));
    ns_node x = ns_graph_variable(F.g, 0, 0), f = ns_interpolant_node(t.of, F.g, &x);
    for (int i = 0; i < 20; i++) {
      double got, want;
      F.x[0] = random_argument(&t);
      want = by_hand(&t, F.x[0]);
      eval(&f, 1, &got);
      /* at the seam either side, by rounding of the remainder */
      if (t.outside == NS_OUTSIDE_PERIODIC) {
        double r = fabs(remainder(F.x[0] - t.x[0], t.x[t.n - 1] - t.x[0]));
        if (r < 1e-9 || t.how == NS_INTERPOLATION_STEP) continue;
      }
      ck_assert_msg((isnan(want) && isnan(got)) ||
                        fabs(got - want) <=
                            (t.outside == NS_OUTSIDE_PERIODIC ? 1e-5 : 4e-15 * (1 + fabs(F.x[0]))),
                    "table %d: %.17g at %.17g, expected %.17g", n, got, F.x[0], want);
      ns_node c = ns_graph_constant(F.g, F.x[0]), folded = ns_interpolant_node(t.of, F.g, &c);
      ck_assert_int_eq(ns_graph_is_constant(F.g, folded, &want), 1);
      ck_assert(want == got || isnan(got));
    }
    ns_arena_destroy(F.a);
  }
}
END_TEST

START_TEST(splines_are_those_of_gsl)
{
  seed = 12;
  for (int n = 0; n < 500; n++) {
    fixture_begin();
    int periodic = pick(2);
    table t = random_table(NS_INTERPOLATION_CUBIC,
                           periodic ? NS_OUTSIDE_PERIODIC : NS_OUTSIDE_ERROR);
    if (t.n < 3) {
      ns_arena_destroy(F.a);
      continue;
    }
    gsl_spline *s = gsl_spline_alloc(periodic ? gsl_interp_cspline_periodic : gsl_interp_cspline,
                                     (size_t)t.n);
    gsl_spline_init(s, t.x, t.y, (size_t)t.n);
    ns_node x = ns_graph_variable(F.g, 0, 0), f[2] = {ns_interpolant_node(t.of, F.g, &x), -1};
    f[1] = ns_graph_diff(F.g, f[0], 0, 0);
    for (int i = 0; i < 20; i++) {
      double got[2];
      F.x[0] = uniform(t.x[0], t.x[t.n - 1]);
      eval(f, 2, got);
      double want = gsl_spline_eval(s, F.x[0], NULL),
             slope = gsl_spline_eval_deriv(s, F.x[0], NULL);
      ck_assert_msg(fabs(got[0] - want) <= 1e-7 * (1 + fabs(want)), "%.17g, GSL %.17g", got[0],
                    want);
      ck_assert_msg(fabs(got[1] - slope) <= 1e-6 * (1 + fabs(slope)) * 1e3,
                    "slope %.17g, GSL %.17g", got[1], slope);
    }
    gsl_spline_free(s);
    ns_arena_destroy(F.a);
  }
}
END_TEST

/* Between two knots pchip stays between their values, its slope is continuous, and 0 at extremes of
 * the rows. */
START_TEST(pchip_does_not_overshoot)
{
  seed = 13;
  for (int n = 0; n < 500; n++) {
    fixture_begin();
    table t = random_table(NS_INTERPOLATION_PCHIP, NS_OUTSIDE_HOLD);
    ns_node x = ns_graph_variable(F.g, 0, 0), f[2] = {ns_interpolant_node(t.of, F.g, &x), -1};
    f[1] = ns_graph_diff(F.g, f[0], 0, 0);
    for (int i = 0; i < 30; i++) {
      double got[2], left[2];
      F.x[0] = uniform(t.x[0], t.x[t.n - 1]);
      int k = piece(&t, F.x[0]);
      eval(f, 2, got);
      double low = fmin(t.y[k], t.y[k + 1]), high = fmax(t.y[k], t.y[k + 1]);
      ck_assert_msg(got[0] >= low - 1e-12 && got[0] <= high + 1e-12, "%.17g of %g to %g", got[0],
                    low, high);
      if (t.n < 3) continue;
      int m = 1 + pick(t.n - 2);
      double h = t.x[m] - t.x[m - 1],
             steepest = fmax(fabs(t.y[m] - t.y[m - 1]) / h,
                             fabs(t.y[m + 1] - t.y[m]) / (t.x[m + 1] - t.x[m]));
      F.x[0] = t.x[m];
      eval(f, 2, got);
      F.x[0] = t.x[m] - 1e-9 * h;
      if (piece(&t, F.x[0]) != m - 1) continue; /* far from 0 that is the knot itself */
      eval(f, 2, left);
      ck_assert_msg(fabs(got[1] - left[1]) <= 1e-5 * steepest, "slopes %.17g and %.17g", left[1],
                    got[1]);
      if ((t.y[m] - t.y[m - 1]) * (t.y[m + 1] - t.y[m]) <= 0)
        ck_assert_msg(fabs(got[1]) <= 1e-12 * steepest, "slope %g at an extreme", got[1]);
    }
    ns_arena_destroy(F.a);
  }
}
END_TEST

/* Fritsch & Butland's mean of slopes 1 and 3 over widths 1 and 2: 9/(5/1 + 4/3). */
START_TEST(slopes_of_pchip_are_the_weighted_mean)
{
  fixture_begin();
  const double x[] = {0, 1, 3}, y[] = {0, 1, 7};
  const ns_interpolant *p = ns_interpolant_create(F.a, "p", NS_INTERPOLATION_PCHIP,
                                                  NS_OUTSIDE_ERROR, 3, x, y);
  ns_node at = ns_graph_variable(F.g, 0, 0), f[2] = {ns_interpolant_node(p, F.g, &at), -1};
  double got[2];
  f[1] = ns_graph_diff(F.g, f[0], 0, 0);
  F.x[0] = 1;
  eval(f, 2, got);
  ck_assert_double_eq_tol(got[1], 9 / (5 + 4.0 / 3), 1e-14);
  F.x[0] = 0; /* ((2 h0 + h1) s0 - h0 s1)/(h0 + h1) = (4 - 3)/3 */
  eval(f, 2, got);
  ck_assert_double_eq_tol(got[1], 1.0 / 3, 1e-14);
  ns_arena_destroy(F.a);
}
END_TEST

START_TEST(derivatives_are_those_of_the_piece)
{
  seed = 14;
  for (int n = 0; n < 1000; n++) {
    fixture_begin();
    table t = random_table((ns_interpolation)pick(4), (ns_outside)pick(4));
    ns_node x = ns_graph_variable(F.g, 0, 0), f[2] = {ns_interpolant_node(t.of, F.g, &x), -1};
    f[1] = ns_graph_diff(F.g, f[0], 0, 0);
    for (int i = 0; i < 10; i++) {
      int k = pick(t.n - 1);
      double w = t.x[k + 1] - t.x[k], m = t.x[k] + w * uniform(0.2, 0.8), h = 1e-4 * w, a[2], b[2],
             got[2];
      if (h < 1e-9 * (1 + fabs(m))) continue;
      F.x[0] = m - h;
      eval(f, 2, a);
      F.x[0] = m + h;
      eval(f, 2, b);
      F.x[0] = m;
      eval(f, 2, got);
      double rounding = 1e-15 * (2 + fabs(m) * fabs(got[1])) / h,
             bend = fabs(a[1] + b[1] - 2 * got[1]) / 6;
      ck_assert_msg(fabs((b[0] - a[0]) / (2 * h) - got[1]) <= 2 * bend + 10 * rounding + 1e-12,
                    "%.17g, by differences %.17g", got[1], (b[0] - a[0]) / (2 * h));
    }
    ns_arena_destroy(F.a);
  }
}
END_TEST

/* With the branches of a point a frozen table has its value, and goes on along the same piece. */
START_TEST(frozen_tables_go_on_along_their_piece)
{
  seed = 15;
  int seen = 0;
  for (int n = 0; n < 1000; n++) {
    fixture_begin();
    table t = random_table((ns_interpolation)pick(4), (ns_outside)pick(4));
    ns_node x = ns_graph_variable(F.g, 0, 0), f = ns_interpolant_node(t.of, F.g, &x), is,
            all[SWITCHES];
    ns_freezer z = {.g = F.g, .bank = BRANCH};
    ck_assert_int_eq(ns_freeze(&z, &f, 1, &is), NS_OK);
    ck_assert_int_le(z.n, 4);
    int linear = t.how == NS_INTERPOLATION_LINEAR || t.how == NS_INTERPOLATION_STEP;
    ck_assert_int_eq(z.n, linear ? 1 + (t.outside == NS_OUTSIDE_PERIODIC)
                          : t.outside == NS_OUTSIDE_PERIODIC ? 1
                                                             : 2);
    for (int k = 0; k < z.n; k++) all[k] = z.item[k].sigma;
    const ns_tape *sigma, *frozen;
    ck_assert_int_eq(ns_tape_compile(F.g, &F.c, F.a, all, z.n, &sigma), NS_OK);
    ck_assert_int_eq(ns_tape_compile(F.g, &F.c, F.a, &is, 1, &frozen), NS_OK);
    ck_assert_int_eq(ns_tape_is_smooth(frozen), 1);
    for (int i = 0; i < 10; i++) {
      double B[SWITCHES] = {0}, work[200], s[SWITCHES], was, got;
      const double *bank[] = {F.x, F.v, F.w, B};
      int near = 0;
      F.x[0] = random_argument(&t);
      for (int k = 0; k < z.n; k++) {
        ns_tape_eval(sigma, bank, work, s);
        B[k] = z.item[k].kind == NS_SWITCH_STAIRS ? floor(s[k]) : s[k] > 0;
        near |= t.outside == NS_OUTSIDE_PERIODIC && fabs(s[0] - round(s[0])) < 1e-12;
      }
      if (near) continue;
      eval(&f, 1, &was);
      ns_tape_eval(frozen, bank, work, &got);
      ck_assert_msg((isnan(was) && isnan(got)) || fabs(was - got) <= 1e-9 * (1 + fabs(was)),
                    "%.17g, frozen %.17g at %.17g", was, got, F.x[0]);
      seen++;
    }
    ns_freeze_fini(&z);
    ns_arena_destroy(F.a);
  }
  ck_assert_int_gt(seen, 8000);
}
END_TEST

static double bilinear(int nx, const double *x, int ny, const double *y, const double *value,
                       double p, double q)
{
  int i = 0, j = 0;
  p = fmin(fmax(p, x[0]), x[nx - 1]);
  q = fmin(fmax(q, y[0]), y[ny - 1]);
  while (i + 2 < nx && x[i + 1] <= p) i++;
  while (j + 2 < ny && y[j + 1] <= q) j++;
  double u = (p - x[i]) / (x[i + 1] - x[i]), v = (q - y[j]) / (y[j + 1] - y[j]);
  return (1 - u) * ((1 - v) * value[i * ny + j] + v * value[i * ny + j + 1]) +
         u * ((1 - v) * value[(i + 1) * ny + j] + v * value[(i + 1) * ny + j + 1]);
}

START_TEST(two_arguments)
{
  seed = 16;
  for (int n = 0; n < 500; n++) {
    fixture_begin();
    int nx = 2 + pick(9), ny = 2 + pick(9);
    ns_outside outside = (ns_outside)pick(3);
    double x[11], y[11], value[121];
    for (int i = 0; i < nx; i++) x[i] = (i ? x[i - 1] : uniform(-5, 5)) + uniform(0.1, 1);
    for (int j = 0; j < ny; j++) y[j] = (j ? y[j - 1] : uniform(-5, 5)) + uniform(0.1, 1);
    for (int k = 0; k < nx * ny; k++) value[k] = uniform(-1, 1);
    const ns_interpolant *t = ns_interpolant_create_2d(F.a, "t", NS_INTERPOLATION_LINEAR, outside,
                                                       nx, x, ny, y, value);
    const ns_node argument[] = {ns_graph_variable(F.g, 0, 0), ns_graph_variable(F.g, 0, 1)};
    ns_node f[3] = {ns_interpolant_node(t, F.g, argument)};
    f[1] = ns_graph_diff(F.g, f[0], 0, 0);
    f[2] = ns_graph_diff(F.g, f[0], 0, 1);
    for (int i = 0; i < 20; i++) {
      double got[3], h = 1e-7;
      F.x[0] = pick(4) ? uniform(x[0], x[nx - 1]) : uniform(x[0] - 1, x[nx - 1] + 1);
      F.x[1] = pick(4)   ? uniform(y[0], y[ny - 1])
               : pick(2) ? y[ny - 1]
                         : uniform(y[0] - 1, y[ny - 1] + 1);
      double p = F.x[0], q = F.x[1], want = bilinear(nx, x, ny, y, value, p, q);
      int beyond = p < x[0] || p > x[nx - 1] || q < y[0] || q > y[ny - 1];
      int behind = p >= x[nx - 1] || q >= y[ny - 1];
      eval(f, 3, got);
      if (outside == NS_OUTSIDE_ERROR && beyond) ck_assert(isnan(got[0]));
      else if (outside == NS_OUTSIDE_ZERO && (beyond || behind)) ck_assert(got[0] == 0);
      else
        ck_assert_msg(fabs(got[0] - want) <= 1e-13, "%.17g at %g, %g, expected %.17g", got[0], p, q,
                      want);
      if (beyond || behind) continue;
      double dx = bilinear(nx, x, ny, y, value, p + h, q) - want,
             dy = bilinear(nx, x, ny, y, value, p, q + h) - want;
      int i0 = 0, j0 = 0;
      while (x[i0 + 1] <= p) i0++;
      while (y[j0 + 1] <= q) j0++;
      if (x[i0 + 1] > p + h) ck_assert_double_eq_tol(got[1], dx / h, 1e-7);
      if (y[j0 + 1] > q + h) ck_assert_double_eq_tol(got[2], dy / h, 1e-7);
    }
    ns_arena_destroy(F.a);
  }
}
END_TEST

static double along(ns_outside outside, int n, const double *x, const double *y, double p)
{
  const ns_interpolant *t = ns_interpolant_create(F.a, "t", NS_INTERPOLATION_CUBIC, outside, n, x,
                                                  y);
  const ns_node argument = ns_graph_variable(F.g, 0, 0), f = ns_interpolant_node(t, F.g, &argument);
  double got, was = F.x[0];
  F.x[0] = p;
  eval(&f, 1, &got);
  F.x[0] = was;
  return got;
}

/* The spline of splines, which is the same whichever argument is first; beyond an end the value
 * there. */
static double spline_of_splines(int nx, const double *x, int ny, const double *y,
                                const double *value, double p, double q, int turned)
{
  double row[11], v[11];
  int n = turned ? ny : nx, m = turned ? nx : ny;
  p = fmin(fmax(p, x[0]), x[nx - 1]);
  q = fmin(fmax(q, y[0]), y[ny - 1]);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) row[j] = turned ? value[j * ny + i] : value[i * ny + j];
    v[i] = along(NS_OUTSIDE_HOLD, m, turned ? x : y, row, turned ? p : q);
  }
  return along(NS_OUTSIDE_HOLD, n, turned ? y : x, v, turned ? q : p);
}

START_TEST(bicubic)
{
  seed = 21;
  for (int n = 0; n < 200; n++) {
    fixture_begin();
    int nx = 2 + pick(9), ny = 2 + pick(9);
    ns_outside outside = (ns_outside)pick(3);
    double x[11], y[11], value[121];
    for (int i = 0; i < nx; i++) x[i] = (i ? x[i - 1] : uniform(-5, 5)) + uniform(0.1, 1);
    for (int j = 0; j < ny; j++) y[j] = (j ? y[j - 1] : uniform(-5, 5)) + uniform(0.1, 1);
    for (int k = 0; k < nx * ny; k++) value[k] = uniform(-1, 1);
    const ns_interpolant *t = ns_interpolant_create_2d(F.a, "t", NS_INTERPOLATION_CUBIC, outside,
                                                       nx, x, ny, y, value);
    const ns_node argument[] = {ns_graph_variable(F.g, 0, 0), ns_graph_variable(F.g, 0, 1)};
    ns_node f[4] = {ns_interpolant_node(t, F.g, argument)};
    f[1] = ns_graph_diff(F.g, f[0], 0, 0);
    f[2] = ns_graph_diff(F.g, f[0], 0, 1);
    f[3] = ns_graph_diff(F.g, f[1], 0, 1);
    for (int i = 0; i < 10; i++) {
      double got[4], side[2], d[2][3], h = 1e-5;
      F.x[0] = pick(4)   ? uniform(x[0] + h, x[nx - 1] - h)
               : pick(2) ? x[pick(nx)]
                         : uniform(x[0] - 1, x[nx - 1] + 1);
      F.x[1] = pick(4)   ? uniform(y[0] + h, y[ny - 1] - h)
               : pick(2) ? y[pick(ny)]
                         : uniform(y[0] - 1, y[ny - 1] + 1);
      double p = F.x[0], q = F.x[1], want = spline_of_splines(nx, x, ny, y, value, p, q, i % 2);
      int beyond = p < x[0] || p > x[nx - 1] || q < y[0] || q > y[ny - 1];
      eval(f, 4, got);
      if (outside == NS_OUTSIDE_ERROR && beyond) ck_assert(isnan(got[0]));
      else if (outside == NS_OUTSIDE_ZERO && beyond) ck_assert(got[0] == 0);
      else
        ck_assert_msg(fabs(got[0] - want) <= 1e-12, "%.17g at %g, %g, expected %.17g", got[0], p, q,
                      want);
      if (p <= x[0] || p >= x[nx - 1] || q <= y[0] || q >= y[ny - 1]) continue;
      for (int k = 0; k < 2; k++)
        for (int turn = 0; turn < 3; turn++) {
          F.x[0] = turn == 1 ? p : p + (k ? h : -h);
          F.x[1] = turn == 0 ? q : q + (k ? h : -h);
          eval(f, 2, side);
          d[k][turn] = side[turn == 2];
        }
      F.x[0] = p, F.x[1] = q;
      ck_assert_double_eq_tol(got[1], (d[1][0] - d[0][0]) / (2 * h), 1e-5);
      ck_assert_double_eq_tol(got[2], (d[1][1] - d[0][1]) / (2 * h), 1e-5);
      ck_assert(isfinite(got[3]));
    }
    ns_arena_destroy(F.a);
  }
}
END_TEST

/* A million knots, unevenly spread: each is found, and what is just below it. */
START_TEST(many_knots_are_found)
{
  fixture_begin();
  seed = 17;
  enum { N = 1000000 };
  double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
  for (int k = 0; k < N; k++) x[k] = (k ? x[k - 1] : 0) + uniform(1e-4, 2e-3);
  for (int k = 0; k < N; k++) y[k] = k;
  const ns_interpolant *t = ns_interpolant_create(F.a, "t", NS_INTERPOLATION_STEP, NS_OUTSIDE_HOLD,
                                                  N, x, y);
  ns_node at = ns_graph_variable(F.g, 0, 0), f = ns_interpolant_node(t, F.g, &at);
  const ns_tape *tape;
  ck_assert_int_eq(ns_tape_compile(F.g, &F.c, F.a, &f, 1, &tape), NS_OK);
  for (int i = 0; i < 200000; i++) {
    double work[20], got;
    const double *bank[] = {F.x};
    int k = pick(N);
    F.x[0] = pick(2) || k == N - 1 ? x[k] : nextafter(x[k + 1], 0);
    ns_tape_eval(tape, bank, work, &got);
    ck_assert_double_eq(got, k);
  }
  free(x);
  free(y);
  ns_arena_destroy(F.a);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, values_between_knots_at_knots_and_outside);
  tcase_add_test(t, splines_are_those_of_gsl);
  tcase_add_test(t, pchip_does_not_overshoot);
  tcase_add_test(t, slopes_of_pchip_are_the_weighted_mean);
  tcase_add_test(t, derivatives_are_those_of_the_piece);
  tcase_add_test(t, frozen_tables_go_on_along_their_piece);
  tcase_add_test(t, two_arguments);
  tcase_add_test(t, bicubic);
  tcase_add_test(t, many_knots_are_found);
}

int main(void) { return suite_run("tables", fill); }
