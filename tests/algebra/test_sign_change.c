/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sign changes of functions that rest but for rounding. */
#include "algebra/sign_change.h"
#include "base/status.h"
#include "support/cloud.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>

/* A function on a level, in steps of its rounding, which may fall through 0 from `from` on. */
typedef struct rest {
  double level, quantum, rate, from, slope;
  int asked;
} rest;

static int value(void *of, double t, double *g)
{
  rest *f = of;
  f->asked++;
  *g = f->level + f->quantum * round(3 * sin(f->rate * t) + 2 * sin(0.7 * f->rate * t + 1));
  if (t > f->from) *g -= f->slope * (t - f->from);
  return NS_OK;
}

static ns_sign_found search(rest *f, double low, double *t)
{
  ns_sign_search s = {.of = f, .value = value, .b = 1, .sign = 1, .low = low, .widest = 2};
  ns_sign_found found;
  ns_sign_told told;
  double g;
  value(f, s.a, &s.ga);
  value(f, s.b, &s.gb);
  ck_assert_int_eq(ns_sign_change(&s, &found, t, &g, &told), NS_OK);
  return found;
}

/* As the rate of a joint that friction holds: its steps are far below what is no change. It is
 * told by few values, and its fall is found where there is one. */
START_TEST(rest_is_told_and_a_fall_found)
{
  cloud_seed = (uint64_t)_i + 1;
  double low = pow(10, uniform(-16, -8)), t = NAN;
  rest f = {.level = low * uniform(0.2, 1.2),
            .quantum = low * pow(10, uniform(-4.5, -2.3)),
            .rate = pow(10, uniform(3, 6)),
            .from = 2};
  ck_assert_int_eq(search(&f, low, &t), NS_SIGN_KEPT);
  ck_assert_int_lt(f.asked, 20);
  f.from = uniform(0, 0.9);
  f.slope = 1e4 * low;
  ck_assert_int_eq(search(&f, low, &t), NS_SIGN_CHANGED);
  ck_assert_double_ge(t, f.from + f.level / f.slope);
}
END_TEST

static void fill(TCase *t) { tcase_add_loop_test(t, rest_is_told_and_a_fall_found, 0, 200); }

int main(void) { return suite_run("sign_change", fill); }
