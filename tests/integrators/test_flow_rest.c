/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decay to an equilibrium, and rest from the start: x' = -a (x - b), whose rate comes to be zero
 * exactly. Roots are looked for of the state and of its slope, which vanishes there for good. The
 * flow goes on for as long as it is asked to. */
#include "integrators/flow.h"
#include "support/cloud.h"
#include "support/run.h"

enum { STATES = 2, ROOTS = 2, MAX_CALLS = 5000 };

typedef struct decay {
  ns_flow_problem problem;
  ns_event_driven_options options;
  double atol[STATES], a[STATES], b[STATES];
} decay;

static int rate(void *of, double t, const double *x, double *f)
{
  const decay *d = of;
  (void)t;
  for (size_t i = 0; i < d->problem.n; i++) f[i] = -d->a[i] * (x[i] - d->b[i]);
  return 0;
}

static int roots(void *of, double t, const double *x, double *g)
{
  double f[STATES];
  rate(of, t, x, f);
  g[0] = x[0];
  g[1] = f[0];
  return 0;
}

static const char *name(void *of, size_t i, char *buf, size_t size)
{
  (void)of;
  snprintf(buf, size, "x[%zu]", i);
  return buf;
}

static decay decay_of(ns_flow_method method, size_t n)
{
  return (decay){.problem = {.n = n, .nroots = ROOTS, .rate = rate, .roots = roots, .name = name},
                 .options = {.rtol = 1e-8, .atol = 1e-10, .method = method, .max_step = INFINITY},
                 .atol = {1e-10, 1e-10}};
}

/* From x to t = end; a root is gone past as one that is no event. */
static void run_decay(decay *d, double end, double *x)
{
  ns_ctx c = {0};
  void *flow = NULL;
  ns_flow_end why = NS_FLOW_ROOT;
  double t = 0;
  const ns_flow_ops *ops = ns_flow_find("CVodeOSI");
  d->problem.of = d;
  d->problem.options = &d->options;
  d->problem.atol = d->atol;
  ck_assert_int_eq(ops->create(&c, &d->problem, &flow), NS_OK);
  ck_assert_int_eq(ops->restart(flow, &c, 0, x, (signed char[]){-1, 1}), NS_OK);
  for (int calls = 0; t < end; calls++) {
    ck_assert_msg(ops->advance(flow, &c, end, end, &t, x, &why) == NS_OK, "%s", c.msg);
    ck_assert_int_lt(calls, MAX_CALLS); /* rounding makes some roots */
  }
  ops->destroy(flow);
}

/* 120 decays, the same at any time: rates of 1e-3 to 1e3, equilibria at 0 and away from it, alone
 * and beside another one. */
START_TEST(an_equilibrium_that_is_reached_is_no_end)
{
  cloud_seed = 14;
  for (int k = 0; k < 120; k++) {
    decay d = decay_of(k % 2 ? NS_FLOW_BDF : NS_FLOW_ADAMS, k % 3 ? 1 : 2);
    double x[STATES];
    for (int i = 0; i < STATES; i++) {
      d.a[i] = i ? uniform(0.5, 2) * d.a[0] : pow(10, uniform(-3, 3));
      d.b[i] = k % 5 ? uniform(-0.5, 1.5) : 0;
      x[i] = d.b[i] + uniform(-2, 2);
    }
    run_decay(&d, 1000 / d.a[0], x);
    ck_assert_double_eq_tol(x[0], d.b[0], 1e-8 * fabs(d.b[0]) + 1e-9);
  }
}
END_TEST

START_TEST(what_does_not_move_stays)
{
  for (int k = 0; k < 8; k++) {
    decay d = decay_of(k & 1 ? NS_FLOW_BDF : NS_FLOW_ADAMS, k & 2 ? 2 : 1);
    double at = k & 4 ? 0.3 : 0, x[STATES] = {at, at};
    d.b[0] = at;
    run_decay(&d, 1e6, x);
    ck_assert_double_eq(x[0], at);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, an_equilibrium_that_is_reached_is_no_end);
  tcase_add_test(t, what_does_not_move_stays);
}

int main(void) { return suite_run("rest of flows", fill); }
