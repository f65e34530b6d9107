/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of first-order integrators do not allocate; a creation that runs out of memory says so and
 * leaks nothing. */
#include "support/counted.h"
#include "support/rate.h"

/* Models that reach all kernels: linear, of time, nonlinear and coupled, unreduced, held, held with
 * A(t). */
enum { MODELS = 6 };

static ns_model *model_of(int k, int *unreduced)
{
  static const double x0[] = {1, -1}, A[] = {-1, -4, 1, -0.4}, M[] = {2, 1, 0, 1}, K[16] = {0.1};
  static const int both[] = {0, 1};
  ns_model *m = model_new(0.5, 0.5, 0);
  *unreduced = k == 3;
  if (k >= 4) m->sim.integrator = "ZeroOrderHoldOSI";
  ns_system *s = model_system(m, k == 2 ? "FirstOrderNonLinearDS" : "FirstOrderLinearDS", 2, x0);
  s->fo.M = numbers(2, 2, M);
  s->fo.A = k == 1 || k == 5 ? formula(m, 2, 2, "-1, -4, 1, -0.4 + t") : numbers(2, 2, A);
  if (k < 2) s->fo.b = formula(m, 2, 1, "sin(t), 1");
  if (k != 2) return m;
  s->fo.f = formula(m, 2, 1, "x[1], -x[0]^3");
  s->fo.dx_f = derivative(m, 2, "x[1], -x[0]^3", NS_BANK_Q, 2);
  model_system(m, "FirstOrderLinearTIDS", 2, x0)->fo.A = numbers(2, 2, A);
  ns_interaction *it = model_interaction(m, "FirstOrderNonLinearR", "ComplementarityConditionNSL",
                                         1, 2, both);
  it->fo.h = formula(m, 1, 1, "x[0]"), it->fo.g = formula(m, 4, 1, "x[0]*l[0], 0, 0, 0"),
  it->fo.K = numbers(4, 4, K);
  return m;
}

START_TEST(step_does_not_allocate)
{
  int unreduced, changed;
  ns_model *m = model_of(_i, &unreduced);
  drive d = drive_new(m, unreduced);
  drive_start(&d);
  double res, *x = d.next;
  long before = calls, good_steps = 0;
  for (int k = 1; k <= 20; k++) {
    /* also a new h; the exponential alone needs memory for it */
    double h = k > 10 && _i < 4 ? 0.05 : 0.1;
    int rc = drive_begin(&d, *d.x.t + h, h);
    if (!rc) rc = drive_linearise(&d, NULL, 0, &changed);
    if (!rc) rc = drive_free(&d);
    memcpy(x, d.xfree, m->nq * sizeof *x);
    if (!rc) rc = drive_residual(&d, d.r, &res);
    if (!rc) rc = drive_commit(&d, d.r);
    good_steps += rc == NS_OK;
  }
  long after = calls;
  ck_assert_int_eq(good_steps, 20);
  ck_assert_int_eq(after - before, 0);
  drive_end(&d);
}
END_TEST

START_TEST(failing_allocation_is_reported)
{
  int unreduced, seen = 0, rc = NS_NOMEM;
  ns_model *m = model_of(_i, &unreduced);
  ns_ctx c = {0};
  ck_assert_msg(ns_model_finish(m, &c) == NS_OK, "%s", c.msg);
  for (long k = 0; rc && COUNTED; k++) {
    ns_theta *osi = (ns_theta *)&c;
    c = (ns_ctx){0};
    long before = live;
    calls = 0;
    fail_at = k;
    rc = drive_create(&c, m, unreduced, &osi);
    fail_at = -1;
    if (!rc) ns_theta_destroy(osi);
    long lost = live - before;
    ck_assert_int_eq(lost, 0);
    if (!rc) break;
    seen++;
    ck_assert_int_eq(rc, NS_NOMEM);
    ck_assert_ptr_null(osi);
    ck_assert_msg(strstr(c.msg, "out of memory") != NULL, "%s", c.msg);
  }
  if (COUNTED) ck_assert_int_ge(seen, 2);
  ns_model_destroy(m);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, step_does_not_allocate, 0, MODELS);
  tcase_add_loop_test(t, failing_allocation_is_reported, 0, MODELS);
}

int main(void) { return suite_run("memory of first-order integrators", fill); }
