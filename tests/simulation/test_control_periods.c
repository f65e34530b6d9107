/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Controls whose periods are no whole numbers of steps: event-driven runs stop at each sample, held
 * against the exact map from sample to sample; time-stepping takes them at the next step. */
#include "support/mixed.h"

#define FIRST \
  "<FirstOrderNonLinearDS id='a' states='x' inputs='u n'><x0>1</x0><z>0 0</z>" \
  "<f>-x + u</f></FirstOrderNonLinearDS>"
#define SECOND \
  "<LagrangianDS id='a' coordinates='q' inputs='u n'><q0>0</q0><v0>1</v0><z>0 0</z>" \
  "<mass>1</mass><fInt>v_q - u</fInt></LagrangianDS>"
#define CONTROL(y) \
  "<controls><control id='k' systems='a' period='%.17g' offset='%.17g' writes='u n'>" \
  "<update>0.4 - 3*" y ", n + 1</update></control>%s</controls>"

static const struct {
  const char *systems, *control, *x, *integrators;
} kinds[] = {
    {FIRST, CONTROL("x"), "a.x", "<EulerMoreauOSI theta='0.5'/>"},
    {SECOND, CONTROL("v_q"), "a.v_q", "<MoreauJeanOSI theta='0.5'/>"},
    {SECOND DUMMY, CONTROL("v_q"), "a.v_q",
     "<EulerMoreauOSI theta='0.5'/><MoreauJeanOSI theta='0.5'/>"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* x' = u - x, u = 0.4 - 3 x at the samples before T. */
static double mapped(double T, double period, double offset, int *n)
{
  double t = 0, x = 1, u = 0;
  for (*n = 0; offset + *n * period < T; ++*n) {
    double at = offset + *n * period;
    x = u + (x - u) * exp(-(at - t));
    u = 0.4 - 3 * x;
    t = at;
  }
  return u + (x - u) * exp(-(T - t));
}

static run run_with(int kind, double period, double offset, int by_events, double T, int steps)
{
  char text[6000], control[1500], simulation[500];
  snprintf(control, sizeof control, kinds[kind].control, period, offset, "");
  snprintf(simulation, sizeof simulation,
           "<simulation T='%.17g'><TimeStepping h='%.17g'>%s</TimeStepping></simulation></model>",
           T, T / steps, kinds[kind].integrators);
  snprintf(text, sizeof text, "<systems>%s</systems>%s", kinds[kind].systems, control);
  return by_events ? events(text, T, steps) : run_to(text, simulation, T, steps);
}

START_TEST(event_driven_stops_at_each_sample)
{
  seed = 700 + (unsigned long)_i;
  double period = uniform(0.02, 0.3), offset = _i % 3 ? uniform(0, 0.4) : 0;
  int n;
  double x = mapped(2, period, offset, &n);
  for (int k = 0; k < KINDS; k++) {
    run r = run_with(k, period, offset, 1, 2, 8);
    ck_assert_double_eq_tol(last(&r, kinds[k].x), x, 1e-9);
    ck_assert_double_eq(last(&r, "a.n"), n);
    is_certified(&r);
    run_end(&r);
  }
}
END_TEST

/* Late by less than a step, and as many as there are: the error is of first order. */
START_TEST(steps_take_samples_at_the_next_step)
{
  seed = 700 + (unsigned long)_i;
  double period = uniform(0.02, 0.3), offset = _i % 3 ? uniform(0, 0.4) : 0;
  int n;
  double x = mapped(2, period, offset, &n);
  for (int k = 0; k < KINDS; k++) {
    double error[2];
    for (int j = 0; j < 2; j++) {
      int steps = j ? 64000 : 1000;
      run r = run_with(k, period, offset, 0, 2, steps);
      error[j] = fabs(last(&r, kinds[k].x) - x);
      ck_assert_double_eq(last(&r, "a.n"), n);
      run_end(&r);
    }
    ck_assert_double_le(error[0], 0.02);
    ck_assert_double_le(error[1], 0.02 / 32);
  }
}
END_TEST

/* A period of whole steps is the same by either rule: offset off the grid by next to nothing. */
START_TEST(whole_steps_are_the_limit)
{
  for (int k = 0; k < KINDS; k++) {
    run a = run_with(k, 0.05, 0, 0, 2, 200), b = run_with(k, 0.05 * (1 - 1e-7), 0, 0, 2, 200);
    ck_assert_double_eq_tol(last(&a, kinds[k].x), last(&b, kinds[k].x), 1e-6);
    ck_assert_double_eq(last(&a, "a.n"), last(&b, "a.n"));
    run_end(&a), run_end(&b);
  }
}
END_TEST

/* Two blocks of different periods, one in whole steps, and rows that are far apart. */
START_TEST(blocks_of_several_periods)
{
  char control[1500], text[4000];
  snprintf(control, sizeof control, kinds[0].control, 0.07, 0.0,
           "<control id='l' systems='b' period='0.25' writes='w'><update>w + a.x</update></control>"
           "<control id='o' systems='b' period='0.0314' writes='m'><update>m + 1</update>"
           "</control>");
  snprintf(text, sizeof text,
           "<systems>" FIRST "<FirstOrderNonLinearDS id='b' states='y' inputs='w m'><x0>0</x0>"
           "<z>0 0</z><f>w</f></FirstOrderNonLinearDS></systems>%s",
           control);
  run r = events(text, 1, 4);
  int n, m = 0;
  double sum = 0, w = 0;
  for (int i = 0; i < 4; i++) {
    double x = mapped(0.25 * i, 0.07, 0, &n);
    w += i ? x : 1;
    sum += 0.25 * w;
  }
  while (0.0314 * m < 1) m++;
  ck_assert_double_eq_tol(last(&r, "b.y"), sum, 1e-9);
  ck_assert_double_eq(last(&r, "b.m"), m);
  run_end(&r);
}
END_TEST

/* A reference that steps in a formula of t at sample `a`, and one that a user event sets at sample
 * `b`: x' = u - x, u = r - x. */
static double stepped(double period, int a, int b, double end)
{
  double x = 1, u = 0;
  for (int k = 0; k < end; k++) {
    u = 0.4 + 0.7 * (k >= a) + 0.5 * (k >= b) - x;
    x = u + (x - u) * exp(-period * fmin(1, end - k));
  }
  return x;
}

/* Times as they are written: 0.9 for 3 samples of 0.3, whose sum in numbers is less than that, on
 * grids that meet the samples, that do not, and from any t0. All of it has happened then. */
START_TEST(what_happens_at_a_sample_is_seen_by_it)
{
  seed = 900 + (unsigned long)_i;
  int kind = _i % 2, by_events = _i % 4 < 2, digits = 1 + (int)uniform(0, 3);
  double unit = pow(10, -digits),
         period = (1 + floor(uniform(0, 12))) * unit * (digits > 1 ? 3 : 1);
  int n = 10 + (int)uniform(0, 30), a = 1 + (int)uniform(0, n), b = 1 + (int)uniform(0, n);
  double t0 = _i % 3 == 0 ? 0 : floor(uniform(-50, 1000)), end = n + 0.37;
  double length = period * (n + 1); /* the run ends before that */
  int each = by_events ? (int)(1 + uniform(0, 3)) : 40;
  char text[6000];
  snprintf(text, sizeof text,
           "%s<systems>%s</systems><controls><control id='k' systems='a' period='%.12g' "
           "writes='u'><update>n + 0.4 + 0.7*step(t - (%.12g)) - %s</update></control></controls>"
           "<events><event id='e' at='%.12g'><set name='a.n' value='0.5'/></event></events>"
           "<simulation t0='%.12g' T='%.17g'>",
           HEAD, kind ? SECOND : FIRST, period, t0 + a * period, kind ? "v_q" : "x",
           t0 + b * period, t0, t0 + end * period);
  size_t at = strlen(text);
  if (by_events)
    snprintf(text + at, sizeof text - at,
             "<EventDriven h='%.17g'><CVodeOSI relativeTolerance='1e-11' "
             "absoluteTolerance='1e-13'/></EventDriven></simulation></model>",
             _i % 8 < 4 ? period / each : length / (7 + 13 * each));
  else
    snprintf(text + at, sizeof text - at,
             "<TimeStepping h='%.17g'>%s</TimeStepping></simulation></model>", period / each,
             kinds[kind].integrators);
  run r = run_whole(text);
  ck_assert_double_eq_tol(last(&r, kinds[kind].x), stepped(period, a, b, end),
                          by_events ? 1e-8 : 0.05 * period);
  run_end(&r);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("control periods");
  TCase *tc = tcase_create("control periods");
  tcase_set_timeout(tc, 120);
  tcase_add_loop_test(tc, event_driven_stops_at_each_sample, 0, 6);
  tcase_add_loop_test(tc, steps_take_samples_at_the_next_step, 0, 4);
  tcase_add_test(tc, whole_steps_are_the_limit);
  tcase_add_test(tc, blocks_of_several_periods);
  tcase_add_loop_test(tc, what_happens_at_a_sample_is_seen_by_it, 0, 400);
  suite_add_tcase(s, tc);
  return suite_end(s);
}
