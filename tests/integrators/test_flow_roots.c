/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Roots of every integrator between events, on one motion that all of them have exactly: x = t -
 * t^2/2 with its top at t = 1. It is that of one coordinate; and that of two that are kept
 * together, which tables that know constraints integrate as such. */
#include "integrators/flow.h"
#include "integrators/plugged_flow.h"
#include "support/run.h"

#include <float.h>

/* The methods of the example of a plug-in, compiled in. */
#include "../../plugins/IntegratorPlugin.c"

enum { COORDINATE, SPEED, MAX = 1000 };

/* g = sign (a - level), a the coordinate or the speed. */
typedef struct root {
  int of;
  double level, sign;
} root;

typedef struct motion {
  run model; /* for the options of the table, as a model has them */
  ns_event_driven_options options;
  ns_plugged plugged;
  const ns_flow_ops *ops;
  void *flow;
  ns_flow_problem problem;
  double atol[4];
  int nroots;
  root roots[MAX];
  double t, x[4]; /* coordinates, velocities */
} motion;

static int rate(void *of, double t, const double *x, double *f)
{
  const motion *m = of;
  size_t n = m->problem.ncoord;
  (void)t;
  for (size_t i = 0; i < n; i++) {
    f[i] = x[n + i];
    f[n + i] = -1;
  }
  return 0;
}

/* The first is pulled down with 2, the second not at all, and y = x_0 - x_1 stays zero: lambda = 1.
 */
static int hold(void *of, double t, const double *x, size_t *rows, size_t *positions,
                double *lambda, double *f)
{
  *rows = *positions = 1;
  *lambda = 1;
  return rate(of, t, x, f);
}

static int bound(void *of, double t, const double *x, const double *lambda, const double *mu,
                 double *f, double *y, double *ydot, double *yddot)
{
  (void)of, (void)t;
  double shift = mu ? *mu : 0;
  const double here[] = {x[2] + shift, x[3] - shift, -2 + *lambda, -*lambda};
  memcpy(f, here, sizeof here);
  *y = x[0] - x[1];
  *ydot = x[2] - x[3];
  if (yddot) *yddot = f[2] - f[3];
  return 0;
}

static const ns_flow_constraints together = {.max = 1, .hold = hold, .motion = bound};

static int roots(void *of, double t, const double *x, double *g)
{
  const motion *m = of;
  (void)t;
  for (int i = 0; i < m->nroots; i++)
    g[i] = m->roots[i].sign *
           (x[m->roots[i].of == SPEED ? m->problem.ncoord : 0] - m->roots[i].level);
  return 0;
}

static const char *name(void *of, size_t i, char *buf, size_t size)
{
  return (void)of, (void)buf, (void)size, i ? "v" : "x";
}

/* Variants: each table with Adams and BDF, which those that know neither ignore, plug-ins with an
 * explicit method that chooses its steps and an implicit one of fixed steps; and with two
 * coordinates in either form of their constraint. */
enum { WAYS = 4 };

static int variants(void)
{
  int n = 0;
  while (ns_flows[n]) n++;
  return WAYS * n;
}

/* The motion with these roots, from t = 0 and x = x0, in steps of this length at most. */
static motion *begin_with(int variant, const root *g, const signed char *direction, int n,
                          double x0, double longest)
{
  static const char text[] =
      "<model xmlns='urn:nssim:model:1' name='m'><systems><LagrangianLinearTIDS "
      "id='m'><q0>0</q0><mass>1</mass>"
      "</LagrangianLinearTIDS></systems><simulation T='2'><EventDriven "
      "h='0.1'><%s/></EventDriven></simulation>"
      "</model>";
  char model[1024];
  motion *m = calloc(1, sizeof *m);
  m->ops = ns_flows[variant / WAYS];
  int two = variant % WAYS >= 2;
  int plugged = m->ops == &ns_plugged_flow;
  snprintf(model, sizeof model, text, plugged ? "CVodeOSI" : m->ops->name);
  m->model = run_load(model, NULL);
  m->options = m->model.m->sim.ed;
  m->options.method = variant % 2 ? NS_FLOW_BDF : NS_FLOW_ADAMS;
  m->options.formulation = variant % 2 ? NS_DAE_INDEX1 : NS_DAE_GGL;
  m->options.max_step = longest;
  m->plugged = (ns_plugged){.table = variant % 2 ? implicit_midpoint() : dormand_prince(),
                            .call = "of the test"};
  if (plugged) m->options.plugged = &m->plugged;
  for (int i = 0; i < 4; i++) m->atol[i] = m->options.atol;
  m->nroots = n;
  memcpy(m->roots, g, (size_t)n * sizeof *g);
  m->problem = (ns_flow_problem){.of = m,
                                 .n = two ? 4 : 2,
                                 .nroots = n,
                                 .options = &m->options,
                                 .atol = m->atol,
                                 .min_step = DBL_EPSILON / 2,
                                 .rate = rate,
                                 .roots = roots,
                                 .name = name,
                                 .ncoord = two ? 2 : 1,
                                 .grid = 0.1,
                                 .constraints = two ? &together : NULL};
  for (size_t i = 0; i < m->problem.ncoord; i++) {
    m->x[i] = x0;
    m->x[m->problem.ncoord + i] = 1;
  }
  ck_assert_int_eq(m->ops->create(&m->model.c, &m->problem, &m->flow), NS_OK);
  ck_assert_int_eq(m->ops->restart(m->flow, &m->model.c, 0, m->x, direction), NS_OK);
  return m;
}

/* In steps of which none has two roots of a function: signs at their ends cannot tell two from
 * none. */
static motion *begin(int variant, const root *g, const signed char *direction, int n, double x0)
{
  return begin_with(variant, g, direction, n, x0, 0.3);
}

static void end(motion *m)
{
  m->ops->destroy(m->flow);
  run_end(&m->model);
  free(m);
}

/* To t1, or to a root before it: 1. */
static int go(motion *m, double t1)
{
  ns_flow_end why = NS_FLOW_REACHED;
  int rc = m->ops->advance(m->flow, &m->model.c, t1, 3, &m->t, m->x, &why);
  ck_assert_msg(rc == NS_OK, "%s: %s", m->ops->name, m->model.c.msg);
  if (why == NS_FLOW_REACHED) ck_assert_double_eq(m->t, t1);
  return why == NS_FLOW_ROOT;
}

static int fired(const motion *m, int i) { return m->ops->fired(m->flow)[i]; }

/* How exactly a root has its time where the speed is 1/2 or more: tolerances of the options, a few
 * steps. */
static const double exact = 1e-9;

/* The next root is at t, that of function i alone, with this sign. */
static void expect(motion *m, double t1, double t, int i, int sign)
{
  ck_assert_msg(go(m, t1), "%s: no root before %g, expected one at %g", m->ops->name, t1, t);
  ck_assert_double_eq_tol(m->t, t, exact);
  for (int k = 0; k < m->nroots; k++) ck_assert_int_eq(fired(m, k), k == i ? sign : 0);
}

static void expect_none(motion *m, double t1)
{
  ck_assert_msg(!go(m, t1), "%s: a root at %.17g", m->ops->name, m->t);
}

/* x = 3/8 is passed at t = 1/2 and 3/2: a direction has one of them, none has both, each with its
 * sign; the flow goes on behind a root without having it again. */
START_TEST(directions_choose_roots)
{
  const root g[] = {{COORDINATE, 0.375, 1}};
  for (int direction = -1; direction <= 1; direction++) {
    motion *m = begin(_i, g, &(signed char){(signed char)direction}, 1, 0);
    if (direction >= 0) expect(m, 1.9, 0.5, 0, 1);
    if (direction <= 0) expect(m, 1.9, 1.5, 0, -1);
    expect_none(m, 1.9);
    ck_assert_double_eq_tol(m->x[0], 1.9 - 1.9 * 1.9 / 2, exact);
    end(m);
  }
}
END_TEST

/* A level just below the top is passed twice, at 1 -+ sqrt(2 d). What is so short that a step has
 * both is not missed where the top is a root, too: the first that is reported is one of these two.
 * From above the top there is nothing but the top. */
START_TEST(a_double_root_is_seen_by_its_maximum)
{
  static const double below[] = {1e-2, 1e-4, 1e-6, 1e-9, 0, -1e-9, -1e-2};
  for (size_t k = 0; k < sizeof below / sizeof *below; k++) {
    const root g[] = {{COORDINATE, 0.5 - below[k], 1}, {SPEED, 0, 1}};
    motion *m = begin_with(_i, g, (signed char[]){1, -1}, 2, 0, INFINITY);
    double d = fmax(below[k], 0);
    ck_assert(go(m, 1.9));
    if (fired(m, 0) && !fired(m, 1)) {
      ck_assert_double_ge(below[k], -exact);
      ck_assert_double_eq_tol(m->t, 1 - sqrt(2 * d), exact / sqrt(2 * d + exact));
    } else {
      ck_assert_int_eq(fired(m, 1), -1);
      ck_assert_double_eq_tol(m->t, 1, exact);
    }
    end(m);
  }
}
END_TEST

/* x = 0 at t = 0 is no root of the flow, in whatever direction, nor is what rounding made of it:
 * the next one is at t = 2. */
START_TEST(a_root_at_the_start_is_none)
{
  static const double x0[] = {0, 1e-15, -1e-15};
  const root g[] = {{COORDINATE, 0, 1}};
  for (int k = 0; k < 3; k++)
    for (int direction = -1; direction <= (k < 2 ? 1 : -1); direction++) {
      motion *m = begin(_i, g, &(signed char){(signed char)direction}, 1, x0[k]);
      expect_none(m, 1.75);
      if (direction > 0) expect_none(m, 2.25);
      else expect(m, 2.25, 2, 0, -1);
      end(m);
    }
}
END_TEST

/* After a restart at a root, as after an event, it is a root at the start. */
START_TEST(a_restart_at_a_root_has_it_behind)
{
  const root g[] = {{COORDINATE, 0.375, 1}};
  motion *m = begin(_i, g, (signed char[]){0}, 1, 0);
  expect(m, 1.9, 0.5, 0, 1);
  ck_assert_int_eq(m->ops->restart(m->flow, &m->model.c, m->t, m->x, (signed char[]){0}), NS_OK);
  expect(m, 1.9, 1.5, 0, -1);
  /* a rebound: up again */
  for (size_t i = m->problem.ncoord; i < m->problem.n; i++) m->x[i] = -m->x[i];
  ck_assert_int_eq(m->ops->restart(m->flow, &m->model.c, m->t, m->x, (signed char[]){-1}), NS_OK);
  expect(m, 2.9, 2.5, 0, -1);
  end(m);
}
END_TEST

/* One root of many functions: all of them have fired, each with its sign, but for those whose
 * direction it is not. */
START_TEST(simultaneous_roots_are_one)
{
  const root g[] = {{COORDINATE, 0.375, 1},
                    {COORDINATE, 0.375, 4},
                    {COORDINATE, 0.375, -1},
                    {COORDINATE, 0.375, 1},
                    {COORDINATE, 0.25, 1}};
  motion *m = begin(_i, g, (signed char[]){1, 0, -1, -1, -1}, 5, 0);
  const int want[2][5] = {{1, 1, -1, 0, 0}, {0, -1, 0, -1, 0}};
  for (int k = 0; k < 2; k++) {
    ck_assert(go(m, 1.6));
    ck_assert_double_eq_tol(m->t, k + 0.5, exact);
    for (int i = 0; i < 5; i++) ck_assert_int_eq(fired(m, i), want[k][i]);
  }
  expect_none(m, 1.6);
  end(m);
}
END_TEST

/* Roots that are as close as 1e-8 s are two. */
START_TEST(close_roots_keep_their_order)
{
  const root g[] = {{COORDINATE, 0.375 + 1e-8, 1}, {COORDINATE, 0.375, 1}};
  motion *m = begin(_i, g, (signed char[]){1, 1}, 2, 0);
  expect(m, 1.9, 0.5, 1, 1);
  double first = m->t;
  expect(m, 1.9, 0.5 + 2e-8, 0, 1);
  ck_assert_double_eq_tol(m->t - first, 2e-8, 1e-12);
  expect_none(m, 1.9);
  end(m);
}
END_TEST

/* A root at the very time to which the flow is asked to go: reported once, before or behind it. So
 * is one just before and just behind. */
START_TEST(a_root_on_an_output_time_is_reported_once)
{
  static const double off[] = {0, 1e-15, -1e-15, 1e-12, -1e-12};
  for (int k = 0; k < 5; k++) {
    const root g[] = {{COORDINATE, 0.375 + off[k], 1}};
    motion *m = begin(_i, g, (signed char[]){1}, 1, 0);
    int count = 0;
    for (int i = 1; i <= 8; i++) /* t = 1/8, 2/8 ... 1, exact in binary */
      while (go(m, i / 8.0)) {
        count++;
        ck_assert_double_eq_tol(m->t, 0.5, exact);
        ck_assert_int_eq(fired(m, 0), 1);
      }
    ck_assert_int_eq(count, 1);
    end(m);
  }
}
END_TEST

/* A thousand functions, of which two have a root. */
START_TEST(of_a_thousand_functions_two_fire)
{
  root g[MAX];
  signed char direction[MAX];
  for (int i = 0; i < MAX; i++) {
    g[i] = (root){i % 2 ? COORDINATE : SPEED, i % 2 ? -1 - i : 2 + i, i % 3 ? 1 : -1};
    direction[i] = (signed char)(i % 3 - 1);
  }
  g[17] = (root){COORDINATE, 0.375, 1}, direction[17] = -1; /* at 3/2 */
  g[900] = (root){SPEED, 0.25, 1}, direction[900] = -1;     /* at 3/4 */
  motion *m = begin(_i, g, direction, MAX, 0);
  expect(m, 1.9, 0.75, 900, -1);
  expect(m, 1.9, 1.5, 17, -1);
  expect_none(m, 1.9);
  end(m);
}
END_TEST

/* Inside the step that a root ended in, both sides of it included, the dense output is the motion.
 */
START_TEST(dense_output_reaches_to_the_root)
{
  const root g[] = {{COORDINATE, 0.375, 1}};
  motion *m = begin(_i, g, (signed char[]){1}, 1, 0);
  expect(m, 1.9, 0.5, 0, 1);
  double from, to, x[4];
  m->ops->span(m->flow, &from, &to);
  ck_assert_double_le(from, m->t);
  ck_assert_double_ge(to, m->t);
  for (int k = 0; k <= 4; k++) {
    double t = k == 4 ? to : from + k * (to - from) / 4;
    ck_assert_int_eq(m->ops->dense(m->flow, &m->model.c, t, 0, x), NS_OK);
    ck_assert_double_eq_tol(x[0], t - t * t / 2, exact);
    ck_assert_double_eq_tol(x[m->problem.ncoord], 1 - t, exact);
  }
  end(m);
}
END_TEST

static void fill(TCase *t)
{
  int n = variants();
  tcase_add_loop_test(t, directions_choose_roots, 0, n);
  tcase_add_loop_test(t, a_double_root_is_seen_by_its_maximum, 0, n);
  tcase_add_loop_test(t, a_root_at_the_start_is_none, 0, n);
  tcase_add_loop_test(t, a_restart_at_a_root_has_it_behind, 0, n);
  tcase_add_loop_test(t, simultaneous_roots_are_one, 0, n);
  tcase_add_loop_test(t, close_roots_keep_their_order, 0, n);
  tcase_add_loop_test(t, a_root_on_an_output_time_is_reported_once, 0, n);
  tcase_add_loop_test(t, of_a_thousand_functions_two_fire, 0, n);
  tcase_add_loop_test(t, dense_output_reaches_to_the_root, 0, n);
}

int main(void) { return suite_run("roots of flows", fill); }
