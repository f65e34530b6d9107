/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formulas with jumps and corners, frozen: with the branches of a point they have its value and
 * stay smooth beyond it. */
#include "expression/freeze.h"

#include "expression/fixture.h"

enum { BRANCH = 3, SWITCHES = 64 };

static unsigned long long seed;

static double uniform(double a, double b)
{
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return a + (b - a) * (double)(seed >> 11) / 9007199254740992.0;
}

static int pick(int n) { return (int)uniform(0, n); }

/* A formula of x0, x1 with a few of each operation. */
static void random_formula(char *to, size_t size, int depth)
{
  static const char *const leaf[] = {"x0", "x1", "0.7", "k", "-1.3"};
  static const char *const one[] = {"abs(%s)",  "sign(%s)", "floor(%s)", "ceil(%s)",
                                    "step(%s)", "sin(%s)",  "-(%s)",     "!(%s > 0.1)"};
  static const char *const two[] = {"(%s + %s)",
                                    "(%s - %s)",
                                    "%s*%s",
                                    "min(%s, %s)",
                                    "max(%s, %s)",
                                    "(%s < %s)",
                                    "(%s >= %s)",
                                    "mod(%s, 0.5 + abs(%s))",
                                    "if(%s > 0.3, %s, 1)",
                                    "((%s > 0.2) && (%s < 1.1))",
                                    "((%s > 0.4) || (%s < -0.6))",
                                    "mod(%s, 1.7 + 0*%s)"};
  char a[4000], b[4000];
  if (depth == 0) {
    snprintf(to, size, "%s", leaf[pick(5)]);
    return;
  }
  random_formula(a, sizeof a, depth - 1);
  random_formula(b, sizeof b, depth - 1 - (depth > 1 && pick(2)));
  if (pick(3) == 0) snprintf(to, size, one[pick(8)], a);
  else snprintf(to, size, two[pick(12)], a, b);
}

typedef struct frozen {
  const ns_tape *was, *is, *sigma;
  ns_freezer z;
} frozen;

static int freeze(const char *text, frozen *f)
{
  ns_node node, is, sigma[SWITCHES];
  ck_assert_int_eq(ns_graph_parse(F.g, &F.c, "", text, strlen(text), &F.scope, &node), NS_OK);
  f->z = (ns_freezer){.g = F.g, .bank = BRANCH, .fixed = 1u << 1};
  ck_assert_int_eq(ns_freeze(&f->z, &node, 1, &is), NS_OK);
  if (f->z.n > SWITCHES) return 0;
  for (int k = 0; k < f->z.n; k++) sigma[k] = f->z.item[k].sigma;
  ck_assert_int_eq(ns_tape_compile(F.g, &F.c, F.a, &node, 1, &f->was), NS_OK);
  ck_assert_int_eq(ns_tape_compile(F.g, &F.c, F.a, &is, 1, &f->is), NS_OK);
  ck_assert_int_eq(ns_tape_compile(F.g, &F.c, F.a, sigma, f->z.n, &f->sigma), NS_OK);
  return 1;
}

/* Branches of the point F.x: those before a switch decide what its sigma is. Returns the least
 * |sigma|. */
static double branches(const frozen *f, double *B)
{
  const double *bank[] = {F.x, F.v, F.w, B};
  double work[4000], sigma[SWITCHES], min = INFINITY;
  memset(B, 0, SWITCHES * sizeof *B);
  for (int k = 0; k < f->z.n; k++) {
    ns_tape_eval(f->sigma, bank, work, sigma);
    int stairs = f->z.item[k].kind == NS_SWITCH_STAIRS;
    B[k] = stairs ? floor(sigma[k]) : sigma[k] > 0;
    min = fmin(min, fabs(stairs ? sigma[k] - round(sigma[k]) : sigma[k]));
  }
  return min;
}

START_TEST(a_frozen_formula_has_the_value_of_its_branches)
{
  fixture_begin();
  seed = 1;
  int seen = 0;
  for (int n = 0; n < 3000; n++) {
    char text[8000];
    frozen f = {0};
    double B[SWITCHES], work[4000], was, is;
    random_formula(text, sizeof text, 1 + pick(3));
    if (freeze(text, &f) && ns_tape_work(f.is) < 4000 && ns_tape_work(f.sigma) < 4000) {
      for (int i = 0; i < 20; i++) {
        const double *bank[] = {F.x, F.v, F.w, B};
        F.x[0] = uniform(-2, 2);
        F.x[1] = uniform(-2, 2);
        if (branches(&f, B) < 1e-9) continue; /* at a jump either side is right */
        ns_tape_eval(f.was, bank, work, &was);
        ns_tape_eval(f.is, bank, work, &is);
        ck_assert_msg(fabs(was - is) <= 1e-12 * (1 + fabs(was)),
                      "%s at %g, %g: %.17g, frozen %.17g", text, F.x[0], F.x[1], was, is);
        seen += f.z.n > 0;
      }
      ck_assert_int_eq(f.z.n == 0 || !ns_tape_is_smooth(f.was), 1);
    }
    ns_freeze_fini(&f.z);
  }
  ck_assert_int_gt(seen, 20000);
  ns_arena_destroy(F.a);
}
END_TEST

/* One switch for all that changes at x0 = 2; what compares constants is none. */
START_TEST(equal_functions_share_a_switch)
{
  fixture_begin();
  static const struct {
    const char *text;
    int n;
  } row[] = {{"(x0 > 2) + sign(x0 - 2) + abs(2 - x0) + max(x0, 2) + step(x0 - 2)", 1},
             {"floor(x0) + mod(x0, 1)", 1},
             {"abs(k) + min(k, 3) + (v[0] < 4)", 0},
             {"if(x0 == x1, 1, 2)", 0},
             {"(x0 > 1) && !(x1 > 1) || x0 > 3", 3}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    frozen f = {0};
    ck_assert_int_eq(freeze(row[i].text, &f), 1);
    ck_assert_msg(f.z.n == row[i].n, "%s: %d switches", row[i].text, f.z.n);
    ns_freeze_fini(&f.z);
  }
  ns_arena_destroy(F.a);
}
END_TEST

static double value_at(const ns_tape *t, double x0, double x1)
{
  double work[4000], value;
  const double *bank[] = {F.x, F.v, F.w, NULL};
  F.x[0] = x0;
  F.x[1] = x1;
  ns_tape_eval(t, bank, work, &value);
  return value;
}

/* No random formula that is called affine bends, along any line; those that are written so are
 * found. */
START_TEST(affine_formulas_do_not_bend)
{
  fixture_begin();
  static const struct {
    const char *text;
    int affine;
  } row[] = {{"3*x0 - x1/k + sin(k)*v[0]^2", 1},
             {"-(x0 + 2*(x1 - 1))*v[0] - k*x1", 1},
             {"x0*x1", 0},
             {"x0*(x1 - x1) + 1", 0},
             {"k/x0", 0},
             {"x0^2", 0},
             {"abs(x0)", 0},
             {"if(x0 > 1, x0, x0)", 1},
             {"if(x0 > 1, x0, 2*x0)", 0},
             {"exp(-k) - exp(v[0])*x0", 1},
             {"sin(x0) + cos(x0)", 0},
             {"sin(v[0])*x0 + cos(v[0])*x1", 1},
             {"k", 1}};
  const unsigned fixed = 1u << 1;
  const ns_tape *t;
  ns_node node;
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    ck_assert_int_eq(
        ns_graph_parse(F.g, &F.c, "", row[i].text, strlen(row[i].text), &F.scope, &node), NS_OK);
    ck_assert_int_eq(ns_tape_compile(F.g, &F.c, F.a, &node, 1, &t), NS_OK);
    ck_assert_msg(ns_tape_is_affine(t, fixed, -1) == row[i].affine, "%s", row[i].text);
  }
  seed = 11;
  int found = 0;
  for (int n = 0; n < 4000; n++) {
    char text[8000];
    random_formula(text, sizeof text, 1 + pick(3));
    ck_assert_int_eq(ns_graph_parse(F.g, &F.c, "", text, strlen(text), &F.scope, &node), NS_OK);
    ck_assert_int_eq(ns_tape_compile(F.g, &F.c, F.a, &node, 1, &t), NS_OK);
    if (ns_tape_work(t) >= 4000 || !ns_tape_is_affine(t, fixed, -1)) continue;
    found++;
    for (int i = 0; i < 20; i++) {
      double x = uniform(-2, 2), y = uniform(-2, 2), dx = uniform(-1, 1), dy = uniform(-1, 1);
      double ahead = value_at(t, x + dx, y + dy), behind = value_at(t, x - dx, y - dy);
      double bend = ahead + behind - 2 * value_at(t, x, y);
      ck_assert_msg(fabs(bend) <= 1e-12 * (1 + fabs(ahead)), "%s bends by %g", text, bend);
    }
  }
  ck_assert_int_gt(found, 300);
  ns_arena_destroy(F.a);
}
END_TEST

/* Between its values a branch goes through both sides: what slides is a mixture. */
START_TEST(what_is_between_is_a_mixture)
{
  fixture_begin();
  frozen f = {0};
  double B[SWITCHES] = {0.25}, work[100], value;
  const double *bank[] = {F.x, F.v, F.w, B};
  F.x[0] = 0;
  F.x[1] = 5;
  ck_assert_int_eq(freeze("x1 - 2*sign(x0) + if(x0 > 0, 8, 4)", &f), 1);
  ns_tape_eval(f.is, bank, work, &value);
  ck_assert_double_eq_tol(value, 5 + 1 + 5, 1e-15);
  ns_freeze_fini(&f.z);
  ns_arena_destroy(F.a);
}
END_TEST

/* Also of roots of what is continuous, as of the level of a tank: B root(1) + (1 - B) root(0). */
START_TEST(what_is_between_roots_is_a_mixture)
{
  fixture_begin();
  static const struct {
    const char *text;
    double low, high; /* at x0 = 0.04, x1 = 0.09 */
  } row[] = {{"sign(x0)*sqrt(abs(x0))", -0.2, 0.2},
             {"sqrt(max(x0, 0) + x1)", 0.3, 0.36055512754639893},
             {"max(x0, 0)^1.5", 0, 0.008},
             {"pow(abs(x0), x1 + 0.41)", 0.2, 0.2},
             {"sqrt(min(max(x0, x1), 4))", 2, 2}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    for (double b = 0; b <= 1; b += 0.25) {
      frozen f = {0};
      double B[SWITCHES] = {b, 0}, work[200], value;
      const double *bank[] = {F.x, F.v, F.w, B};
      F.x[0] = 0.04;
      F.x[1] = 0.09;
      ck_assert_int_eq(freeze(row[i].text, &f), 1);
      ns_tape_eval(f.is, bank, work, &value);
      ck_assert_msg(fabs(value - (row[i].low + b * (row[i].high - row[i].low))) < 1e-15,
                    "%s at %g: %.17g", row[i].text, b, value);
      ns_freeze_fini(&f.z);
    }
  ns_arena_destroy(F.a);
}
END_TEST

/* A root that is always defined is so beyond the zero of its switch, too; another is not. */
START_TEST(a_root_is_defined_beyond_its_switch)
{
  fixture_begin();
  static const struct {
    const char *text;
    int defined;
  } row[] = {{"sqrt(abs(x0))", 1},
             {"sqrt(2*max(x0, 0)/3 + x1^2)", 1},
             {"max(x0, 0)^1.5", 1},
             {"abs(x0)^0.3", 1},
             {"sqrt(abs(x0) + x0)", 1},
             {"sqrt(max(x0, 0) - x0/3)", 1},
             {"sqrt(abs(x0) + x0 - 0.01)", 0},
             {"sqrt(abs(x0) - 0.1)", 0},
             {"sqrt(max(x0, -1))", 0},
             {"sqrt(mod(x0, 0.3))", 1},
             {"if(x0 > 0, x0*log(x0), 0)", 1},
             {"if(x0 > 0.3, sqrt(3*x0 - 0.9), 0)", 1},
             {"if(x0 > 0.3, sqrt(3*x0 - 0.8), 0)", 1},
             {"if(x0 > 0.3, sqrt(3*x0 - 1), 0)", 0},
             {"if(x0 > 0.3, sqrt(1 - x0), log(x1))", 1},
             {"if(x0 < 0.3, sqrt(x0), 0)", 0}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    frozen f = {0};
    double B[SWITCHES] = {1}, work[100], value;
    const double *bank[] = {F.x, F.v, F.w, B};
    ck_assert_int_eq(freeze(row[i].text, &f), 1);
    F.x[0] = -0.05;
    F.x[1] = 0;
    ns_tape_eval(f.is, bank, work, &value);
    ck_assert_msg((value == value) == row[i].defined, "%s: %g", row[i].text, value);
    ns_freeze_fini(&f.z);
  }
  ns_arena_destroy(F.a);
}
END_TEST

/* Values at points of an interval lie within its bounds. */
START_TEST(bounds_hold_all_values)
{
  fixture_begin();
  seed = 5;
  static const char *const text[] = {"sin(3*x0) - x0^2",
                                     "exp(x0)*cos(5*x0 + 1) - 1",
                                     "x0/(2 + cos(x0))",
                                     "sqrt(4 + x0)*tanh(x0) - log(3 + x0)",
                                     "abs(x0)*hypot(x0, 1) + min(x0, 0.3) - max(x0, x0^3)",
                                     "cosh(x0) - atan(7*x0) + erf(x0)",
                                     "tan(x0) + 1",
                                     "atan2(sin(4*x0), cos(4*x0))",
                                     "atan2(x0 - 1, x0^2 - 2)",
                                     "acos(sin(3*x0))",
                                     "pow(x0 + 2.5, 1.7)",
                                     "pow(2, x0)",
                                     "pow(x0, 7)",
                                     "pow(x0 - 1, -3) + pow(x0, -2)",
                                     "cbrt(x0)"};
  enum { TEXTS = sizeof text / sizeof *text };
  for (int n = 0; n < 2000; n++) {
    ns_node node;
    const ns_tape *tape;
    double work[400], low, high, value, lo = uniform(-2, 2), hi = lo + pow(10, uniform(-12, 0.4));
    const char *t = text[n % TEXTS];
    ck_assert_int_eq(ns_graph_parse(F.g, &F.c, "", t, strlen(t), &F.scope, &node), NS_OK);
    ck_assert_int_eq(ns_tape_compile(F.g, &F.c, F.a, &node, 1, &tape), NS_OK);
    const double *a[] = {&lo, F.v, F.w}, *b[] = {&hi, F.v, F.w};
    ns_tape_bounds(tape, a, b, work, &low, &high);
    for (int i = 0; i <= 20; i++) {
      F.x[0] = lo + (hi - lo) * i / 20;
      const double *bank[] = {F.x, F.v, F.w};
      ns_tape_eval(tape, bank, work, &value);
      ck_assert_msg(isnan(value) || (low <= value && value <= high),
                    "%s at %.17g: %.17g is not in [%.17g, %.17g]", t, F.x[0], value, low, high);
    }
  }
  ns_arena_destroy(F.a);
}
END_TEST

static const ns_tape *tape_of(const char *text)
{
  ns_node node;
  const ns_tape *tape;
  ck_assert_int_eq(ns_graph_parse(F.g, &F.c, "", text, strlen(text), &F.scope, &node), NS_OK);
  ck_assert_int_eq(ns_tape_compile(F.g, &F.c, F.a, &node, 1, &tape), NS_OK);
  return tape;
}

/* What is said to vanish with v does so whatever x is; what is said of products, quotients and sums
 * of them is known. */
START_TEST(a_formula_vanishes_with_its_factors)
{
  static const struct {
    const char *text;
    int vanishes;
  } row[] = {{"x0*v[0]", 1},
             {"-(x1 - x0)/hypot(x1, x0)*v[0]", 1},
             {"v[0] + x0*v[1] - v[2]/3", 1},
             {"if(x0 > 1, v[0], 2*v[1])", 1},
             {"sin(v[0])*x0 + abs(v[1])", 1},
             {"v[0] + x0", 0},
             {"cos(v[0])", 0},
             {"x0/(1 + v[0])", 0},
             {"v[0]*x0 + 1e-300", 0},
             {"if(v[0] > 0, x0, v[1])", 0},
             {"x0 - v[0]*x1", 0},
             {"x0*v[0] - v[1]*x1", 1}};
  fixture_begin();
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    ck_assert_msg(ns_tape_vanishes(tape_of(row[i].text), 1) == row[i].vanishes, "%s", row[i].text);
  seed = 9;
  int seen = 0;
  for (int n = 0; n < 3000; n++) {
    char text[8000];
    double work[4000], value;
    const double *bank[] = {F.x, F.v, F.w};
    random_formula(text, sizeof text, 1 + pick(3));
    const ns_tape *tape = tape_of(text);
    if (!ns_tape_vanishes(tape, 0) || ns_tape_work(tape) > 4000) continue;
    F.x[0] = F.x[1] = 0;
    ns_tape_eval(tape, bank, work, &value);
    ck_assert_msg(value == 0, "%s: %g", text, value);
    seen++;
  }
  ck_assert_int_gt(seen, 300);
  ns_arena_destroy(F.a);
}
END_TEST

static void name(void *to, int bank, int index, char *buf, size_t size)
{
  (void)to;
  snprintf(buf, size, "%c%d", bank ? 'v' : 'x', index);
}

START_TEST(a_formula_is_told_as_it_was_written)
{
  fixture_begin();
  static const struct {
    const char *text, *want;
  } row[] = {{"x0 - (x1 + 2)*sin(x2)", "x0 - (x1 + 2)*sin(x2)"},
             {"-x0/(x1 - x2)", "-(x0/(x1 - x2))"},
             {"x0 < 1 && x1 > 2", "x0 < 1 && 2 < x1"},
             {"max(x0, hypot(x1, v[0]))", "max(x0, hypot(x1, v0))"}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    ns_node node;
    char buf[100];
    ck_assert_int_eq(
        ns_graph_parse(F.g, &F.c, "", row[i].text, strlen(row[i].text), &F.scope, &node), NS_OK);
    ck_assert_str_eq(ns_graph_text(F.g, node, name, NULL, buf, sizeof buf), row[i].want);
    ck_assert_uint_lt(strlen(ns_graph_text(F.g, node, name, NULL, buf, 12)), 12);
  }
  ns_arena_destroy(F.a);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("freeze");
  TCase *t = tcase_create("freeze");
  tcase_add_test(t, a_frozen_formula_has_the_value_of_its_branches);
  tcase_add_test(t, equal_functions_share_a_switch);
  tcase_add_test(t, affine_formulas_do_not_bend);
  tcase_add_test(t, what_is_between_is_a_mixture);
  tcase_add_test(t, what_is_between_roots_is_a_mixture);
  tcase_add_test(t, a_root_is_defined_beyond_its_switch);
  tcase_add_test(t, bounds_hold_all_values);
  tcase_add_test(t, a_formula_vanishes_with_its_factors);
  tcase_add_test(t, a_formula_is_told_as_it_was_written);
  suite_add_tcase(s, t);
  return suite_end(s);
}
