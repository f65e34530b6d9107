/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Derivatives against closed forms, to rounding, at random points; every function of
 * NS_FUNCTION_LIST is in the table below, and a test proves that. */
#include "expression/fixture.h"

#include <stdio.h>

typedef struct row {
  const char *text;                 /* in x0 and x1 */
  double (*d0)(double x, double y); /* d/dx0 */
  double (*d1)(double x, double y); /* d/dx1, NULL: 0 */
  double lo, hi;                    /* range of x0 and x1 */
} row;

#define D(name, expression) \
  static double name(double x, double y) { (void)x, (void)y; return expression; }
D(d_sin, cos(x))
D(d_cos, -sin(x)) D(d_tan, 1 / (cos(x) * cos(x))) D(d_asin, 1 / sqrt((1 - x) * (1 + x)))
    D(d_acos, -1 / sqrt((1 - x) * (1 + x))) D(d_atan, 1 / (1 + x * x)) D(
        d_atan2_0, y / (x * x + y * y)) D(d_atan2_1, -x / (x * x + y * y)) D(d_sinh, cosh(x))
        D(d_cosh, sinh(x)) D(d_tanh, 1 / cosh(x) / cosh(x)) D(d_exp, exp(x)) D(d_log, 1 / x) D(
            d_log10, 1 / (x * 2.302585092994045684)) D(d_sqrt, 0.5 / sqrt(x))
            D(d_cbrt, pow(fabs(x), -2.0 / 3) / 3) D(d_abs, x > 0 ? 1 : -1) D(d_zero, 0) D(d_one, 1)
                D(d_mod_1, -floor(x / y)) D(d_min_0, x <= y) D(d_min_1, x > y) D(d_max_0, x >= y)
                    D(d_max_1,
                      x < y) D(d_hypot_0,
                               x / sqrt(x * x + y * y)) D(d_hypot_1, y / sqrt(x * x + y * y))
                        D(d_pow_0, y *pow(x, y - 1)) D(d_pow_1, pow(x, y) * log(x))
                            D(d_erf, 2 / sqrt(3.14159265358979323846) *
                                         exp(-x * x)) D(d_if_0, x < y ? 2 * x : 0)
                                D(d_if_1, x < y ? 0 : 3 * y * y) D(d_prod_0, y) D(d_prod_1, x)
                                    D(d_quot_0, 1 / y) D(d_quot_1, -x / (y * y))
                                        D(d_cube, 3 * x * x) D(d_p7, 7 * pow(x, 6))
                                            D(d_m3, -3 * pow(x, -4)) D(d_m1, -1 / (x * x))
                                                D(d_p15,
                                                  1.5 * sqrt(x)) D(d_m05, -0.5 * pow(x, -1.5))
                                                    D(d_pi,
                                                      3.7 * pow(x, 2.7)) D(d_p40, 40 * pow(x, 39))
                                                        D(d_2x, pow(2, x) * 0.693147180559945309417)
                                                            D(d_neg, -1) D(d_chain_0,
                                                                           cos(x *x *y) * 2 * x * y)
                                                                D(d_chain_1, cos(x *x *y) * x * x)
                                                                    D(d_pend, -9.81 / 2 * cos(x) +
                                                                                  30 * x * x)
                                                                        D(d_pend1, -10)
                                                                            D(d_mix0, 2 * x - 3)
                                                                                D(d_xx,
                                                                                  pow(x, x) *
                                                                                      (log(x) + 1))
                                                                                    D(d_sub1, -1)

                                                                                        static const
    row rows[] = {{"sin(x0)", d_sin, NULL, -5, 5},
                  {"cos(x0)", d_cos, NULL, -5, 5},
                  {"tan(x0)", d_tan, NULL, -1.5, 1.5},
                  {"asin(x0)", d_asin, NULL, -1, 1},
                  {"acos(x0)", d_acos, NULL, -1, 1},
                  {"atan(x0)", d_atan, NULL, -9, 9},
                  {"atan2(x0, x1)", d_atan2_0, d_atan2_1, -3, 3},
                  {"sinh(x0)", d_sinh, NULL, -9, 9},
                  {"cosh(x0)", d_cosh, NULL, -9, 9},
                  {"tanh(x0)", d_tanh, NULL, -20, 20},
                  {"exp(x0)", d_exp, NULL, -20, 20},
                  {"log(x0)", d_log, NULL, 0, 20},
                  {"log10(x0)", d_log10, NULL, 0, 20},
                  {"sqrt(x0)", d_sqrt, NULL, 0, 20},
                  {"cbrt(x0)", d_cbrt, NULL, -8, 8},
                  {"abs(x0)", d_abs, NULL, -8, 8},
                  {"sign(x0)", d_zero, NULL, -8, 8},
                  {"step(x0)", d_zero, NULL, -8, 8},
                  {"floor(x0)", d_zero, NULL, -8, 8},
                  {"ceil(x0)", d_zero, NULL, -8, 8},
                  {"mod(x0, x1)", d_one, d_mod_1, -8, 8},
                  {"min(x0, x1)", d_min_0, d_min_1, -8, 8},
                  {"max(x0, x1)", d_max_0, d_max_1, -8, 8},
                  {"hypot(x0, x1)", d_hypot_0, d_hypot_1, -8, 8},
                  {"pow(x0, x1)", d_pow_0, d_pow_1, 0.1, 5},
                  {"erf(x0)", d_erf, NULL, -4, 4},
                  {"if(x0 < x1, x0^2, x1^3)", d_if_0, d_if_1, -4, 4},
                  {"x0*x1", d_prod_0, d_prod_1, -8, 8},
                  {"x0/x1", d_quot_0, d_quot_1, -8, 8},
                  {"x0 - x1", d_one, d_sub1, -8, 8},
                  {"x0^3", d_cube, NULL, -8, 8},
                  {"x0^7", d_p7, NULL, -8, 8},
                  {"x0^-3", d_m3, NULL, -8, 8},
                  {"1/x0", d_m1, NULL, -8, 8},
                  {"x0^-1", d_m1, NULL, -8, 8},
                  {"x0^1.5", d_p15, NULL, 0, 8},
                  {"x0^-0.5", d_m05, NULL, 0, 8},
                  {"x0^3.7", d_pi, NULL, 0, 8},
                  {"x0^40", d_p40, NULL, 0, 2},
                  {"2^x0", d_2x, NULL, -8, 8},
                  {"-x0", d_neg, NULL, -8, 8},
                  {"x0^x0", d_xx, NULL, 0.5, 5},
                  {"sin(x0^2*x1)", d_chain_0, d_chain_1, -3, 3},
                  {"-9.81/2*sin(x0) - 10*x1 + k*x0^3", d_pend, d_pend1, -3, 3},
                  {"(x0 - 1)*(x0 - 2)", d_mix0, NULL, -8, 8},
                  {NULL, NULL, NULL, 0, 0}};

static double uniform(unsigned long long *s, double lo, double hi)
{
  return lo + (hi - lo) * (rnd(s) + 0.5) / 2147483648.0;
}

/* Relative 1e-13, of the larger of result and closed form; sums (whose terms may cancel) of 1. */
START_TEST(derivatives_are_the_closed_forms)
{
  unsigned long long s = 1;
  for (const row *r = rows; r->text; r++) {
    ns_node f = parse(r->text);
    ns_node d[2] = {ns_graph_diff(F.g, f, 0, 0), ns_graph_diff(F.g, f, 0, 1)};
    for (int i = 0; i < 300; i++) {
      double got[2], want[2];
      F.x[0] = uniform(&s, r->lo, r->hi);
      F.x[1] = uniform(&s, r->lo, r->hi);
      values(d, 2, got);
      want[0] = r->d0(F.x[0], F.x[1]);
      want[1] = r->d1 ? r->d1(F.x[0], F.x[1]) : 0;
      int sum = strchr(r->text, '(') && (strchr(r->text, 'k') || r->text[0] == '(');
      if (!strncmp(r->text, "x0^x0", 5)) sum = 1;
      for (int k = 0; k < 2; k++)
        ck_assert_msg(fabs(got[k] - want[k]) <= 1e-13 * (sum ? 1 + fabs(want[k]) : fabs(want[k])),
                      "d%d %s at %.17g, %.17g: %.17g, closed form %.17g", k, r->text, F.x[0],
                      F.x[1], got[k], want[k]);
    }
  }
}
END_TEST

START_TEST(every_function_is_in_the_table)
{
#define NAME(name, n, help) #name,
  static const char *const name[] = {NS_FUNCTION_LIST(NAME)};
  for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
    char call[32];
    size_t n = (size_t)snprintf(call, sizeof call, "%s(", name[i]);
    const row *r = rows;
    while (r->text && strncmp(r->text, call, n)) r++;
    ck_assert_msg(r->text, "no derivative of %s is tested", name[i]);
  }
}
END_TEST

/* Where the other branch, or a factor of the chain rule, is inf or NaN, or the function has a
 * corner. */
START_TEST(special_points)
{
  static const struct {
    const char *text;
    double x, y, d;
  } point[] = {{"abs(x0)", 0, 0, 0},
               {"hypot(x0, x1)", 0, 0, 0},
               {"hypot(x0, 0)", -2, 0, -1},
               {"x0 > 0 ? log(x0) : 0", -1, 0, 0},
               {"x0 > 0 ? sqrt(x0) : -x0", 0, 0, -1},
               {"if(x0 > 0, x0^1.5, 0)*x1", -1, 3, 0},
               {"x0^1.5", 0, 0, 0},
               {"x0^2", 0, 0, 0},
               {"x0^1", 0, 0, 1},
               {"x0^x1", 0, 2, 0},
               {"x0^x1", 0, 1, 1},
               {"pow(x0, 2.25)", 0, 0, 0},
               {"max(x0, 0)^1.5", -3, 0, 0},
               {"max(x0, 0)^1.5", 4, 0, 3},
               {"abs(x0)^1.5", 0, 0, 0},
               {"abs(x0)^1.5", -4, 0, -3},
               {"tanh(x0/1e-3)", 5, 0, 0},
               {"tanh(x0)", 800, 0, 0},
               {"min(x0, x1)", 1, 1, 1},
               {"max(x0, x1)", 1, 1, 1},
               {"sign(x0)*x0", 0, 0, 0},
               {"1/x1*0*x0", 1, 0, 0},
               {"cosh(x0) < 2 ? 5 : x0", 0, 0, 0},
               {"step(x0)*x0", 0, 0, 1},
               {"sqrt(max(x0, 0))", -1, 0, 0},
               {"sqrt(max(x0, 0))", 4, 0, 0.25},
               {"sqrt(x0^2)", 0, 0, 0},
               {"sqrt(x0^2 + x1^2)", 0, 0, 0},
               {"asin(min(x0, 1))", 2, 0, 0},
               {"max(x0, 0)^0.5", -1, 0, 0},
               {"max(x0, 0)^0.7", -1, 0, 0},
               {"cbrt(max(x0, 0))", -1, 0, 0},
               {"x1^max(x0, 1)", 0, -3, 0},
               {"sqrt(max(x0, 0))", 0, 0, INFINITY},
               {NULL, 0, 0, 0}};
  for (size_t i = 0; point[i].text; i++) {
    F.x[0] = point[i].x;
    F.x[1] = point[i].y;
    double d = value(ns_graph_diff(F.g, parse(point[i].text), 0, 0));
    ck_assert_msg(d == point[i].d, "%s at %g: %.17g, not %g", point[i].text, point[i].x, d,
                  point[i].d);
  }
}
END_TEST

/* The exponent's share of a^b at a = 0 is the limit 0. */
START_TEST(power_of_zero_in_the_exponent)
{
  F.x[0] = 0;
  F.x[1] = 2;
  ck_assert(value(ns_graph_diff(F.g, parse("x0^x1"), 0, 1)) == 0);
}
END_TEST

START_TEST(zeros_are_structural)
{
  double v = 1;
  ns_node f = parse("sin(x0)*v[1] + a.b^2");
  ck_assert(ns_graph_is_constant(F.g, ns_graph_diff(F.g, f, 0, 1), &v) && v == 0);
  ck_assert(ns_graph_is_constant(F.g, ns_graph_diff(F.g, f, 1, 0), &v) && v == 0);
  ck_assert(ns_graph_is_constant(F.g, ns_graph_diff(F.g, f, 7, 7), &v) && v == 0);
  ck_assert(ns_graph_is_constant(F.g, ns_graph_diff(F.g, parse("3*x0 - x1"), 0, 0), &v) && v == 3);
  ck_assert_int_eq(ns_graph_diff(F.g, parse("x0^3"), 0, 0), parse("3*x0^2"));
  ck_assert_int_eq(ns_graph_diff(F.g, parse("k*x0^2"), 0, 0), parse("20*x0"));
  ck_assert_int_eq(ns_graph_diff(F.g, -1, 0, 0), -1);
}
END_TEST

START_TEST(second_derivatives)
{
  ns_node f = ns_graph_diff(F.g, ns_graph_diff(F.g, parse("sin(x0)*exp(2*x0)"), 0, 0), 0, 0);
  for (double x = -2; x < 2; x += 0.37) {
    F.x[0] = x;
    double want = exp(2 * x) * (3 * sin(x) + 4 * cos(x));
    ck_assert_double_eq_tol(value(f), want, 1e-13 * 7 * exp(2 * x));
  }
}
END_TEST

START_TEST(dependence_is_known)
{
  int index[4] = {-1, -1, -1, -1};
  ns_node f = parse("x3*v[4] + sin(x1)^2 - x3"), h = ns_graph_variable(F.g, 40, 3);
  ck_assert(ns_graph_uses(F.g, f, 0) && ns_graph_uses(F.g, f, 1) && !ns_graph_uses(F.g, f, 2));
  ck_assert(ns_graph_uses(F.g, h, 40) && !ns_graph_uses(F.g, h, 41) && !ns_graph_uses(F.g, h, 3));
  ck_assert_int_eq(ns_graph_variables(F.g, &f, 1, 0, index, 4), 2);
  ck_assert(index[0] == 1 && index[1] == 3 && index[2] == -1);
  ck_assert_int_eq(ns_graph_variables(F.g, (ns_node[]){f, h}, 2, 40, index, 4), 1);
  ck_assert_int_eq(ns_graph_variables(F.g, &f, 1, 0, index, 1), 2);
  ck_assert_int_eq(ns_graph_variables(F.g, (ns_node[]){-1}, 1, 0, index, 1), NS_NOMEM);
}
END_TEST

/* A sum and a product of 10^5 factors: parsed, differentiated and compiled without recursion
 * and in linear time (the time-out of the test is a thousand times what it takes). */
START_TEST(long_formulas)
{
  enum { N = 100000 };
  char *text = malloc(40 * (size_t)N), *p = text;
  double want = 0;
  for (int i = 0; i < N; i++) {
    p += sprintf(p, "%s%d.5*x%d*sin(x1)", i ? "+" : "", i % 977, i % 10);
    want += (i % 977 + 0.5) * (i % 10 == 0);
  }
  ns_node d = ns_graph_diff(F.g, parse(text), 0, 0);
  double got = value(d);
  ck_assert_double_eq_tol(got, want * sin(F.x[1]), 1e-9 * want);
  p = text;
  for (int i = 0; i < N; i++) p += sprintf(p, "%s(1 + x0/%d)", i ? "*" : "", N + i);
  F.x[0] = 0.5;
  double f = 1, slope = 0;
  for (int i = 0; i < N; i++) {
    f *= 1 + F.x[0] / (N + i);
    slope += 1 / (N + i + F.x[0]);
  }
  ck_assert_double_eq_tol(value(ns_graph_diff(F.g, parse(text), 0, 0)), f * slope,
                          1e-10 * f * slope);
  free(text);
}
END_TEST

int main(void)
{
  const TTest *const list[] = {derivatives_are_the_closed_forms,
                               every_function_is_in_the_table,
                               special_points,
                               power_of_zero_in_the_exponent,
                               zeros_are_structural,
                               second_derivatives,
                               dependence_is_known,
                               long_formulas};
  return run_list("diff", list, sizeof list / sizeof *list);
}
