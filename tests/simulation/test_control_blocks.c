/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of controls against closed forms, against each other, and against systems of the model
 * that obey the same equations. */
#include "support/interrupted.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'>"
#define ZOH(T, h) \
  "<simulation T='" T "'><TimeStepping " \
  "h='" h "'><ZeroOrderHoldOSI/></TimeStepping></simulation></model>"

static double uniform(unsigned long *seed)
{
  return (double)next_random(seed) / 1073741824.0 - 1; /* [-1, 1) */
}

/* ---- state space and transfer functions ------------------------------------------------------ */

enum { N = 3, P = 2, M = 2 };

static int write_matrix(char *to, size_t size, const double *A, int rows, int cols)
{
  int n = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++)
      n += snprintf(to + n, size - (size_t)n, "%.17g%s", A[i * cols + j],
                    j + 1 < cols   ? " "
                    : i + 1 < rows ? "; "
                                   : "");
  return n;
}

/* Matrices by rows; x+ = A x + B u, given as such. */
START_TEST(sampled_state_space_is_its_recursion)
{
  double A[N * N], B[N * P], C[M * N], D[M * P], x[N] = {0.5, -1, 2};
  char text[4][400], model[3000];
  unsigned long seed = 100 + (unsigned long)_i;
  for (int i = 0; i < N * N; i++) A[i] = 0.5 * uniform(&seed);
  for (int i = 0; i < N * P; i++) B[i] = uniform(&seed);
  for (int i = 0; i < M * N; i++) C[i] = uniform(&seed);
  for (int i = 0; i < M * P; i++) D[i] = uniform(&seed);
  write_matrix(text[0], 400, A, N, N), write_matrix(text[1], 400, B, N, P);
  write_matrix(text[2], 400, C, M, N), write_matrix(text[3], 400, D, M, P);
  snprintf(model, sizeof model,
           HEAD "<systems><FirstOrderLinearTIDS id='s' states='c' inputs='v "
                "w'><x0>0</x0></FirstOrderLinearTIDS></systems>"
                "<controls><control id='k' systems='s' period='0.02'><StateSpace "
                "given='sampled'><A>%s</A><B>%s</B><C>%s</C><D>%s</D>"
                "<x0>0.5 -1 2</x0><u>sin(3*t), t^2</u></StateSpace></control></controls>" ZOH(
                    "1", "0.01"),
           text[0], text[1], text[2], text[3]);
  run r = run_whole(model);
  for (size_t k = 0; k < 50; k++) {
    double t = 0.02 * (double)k, u[P] = {sin(3 * t), t * t}, y[M], next[N];
    for (int i = 0; i < M; i++) {
      y[i] = 0;
      for (int j = 0; j < N; j++) y[i] += C[i * N + j] * x[j];
      for (int j = 0; j < P; j++) y[i] += D[i * P + j] * u[j];
    }
    for (int i = 0; i < N; i++) {
      next[i] = 0;
      for (int j = 0; j < N; j++) next[i] += A[i * N + j] * x[j];
      for (int j = 0; j < P; j++) next[i] += B[i * P + j] * u[j];
    }
    memcpy(x, next, sizeof x);
    ck_assert_double_eq_tol(run_at(&r, 2 * k + 1, "s.v"), y[0], 1e-13);
    ck_assert_double_eq_tol(run_at(&r, 2 * k + 2, "s.w"), y[1], 1e-13);
  }
  run_end(&r);
}
END_TEST

/* A continuous block beside a system of the model with the same matrices and an input that is held
 * over the same period: the scheme of the system is exact, and its steps are shorter than the
 * period. */
START_TEST(zero_order_hold_is_the_exact_motion)
{
  double A[N * N], B[N], C[N];
  char text[3][400], model[3000];
  unsigned long seed = 300 + (unsigned long)_i;
  for (int i = 0; i < N * N; i++) A[i] = 3 * uniform(&seed) - (i % (N + 1) == 0 ? 2 : 0);
  for (int i = 0; i < N; i++) B[i] = uniform(&seed), C[i] = uniform(&seed);
  write_matrix(text[0], 400, A, N, N), write_matrix(text[1], 400, B, N, 1),
      write_matrix(text[2], 400, C, 1, N);
  snprintf(
      model, sizeof model,
      HEAD
      "<systems><FirstOrderLinearTIDS id='s' states='a b c' inputs='u y'><x0>1 0 -1</x0><A>%s</A>"
      "<b>%.17g*u, %.17g*u, %.17g*u</b></FirstOrderLinearTIDS></systems><controls>"
      "<control id='h' systems='s' period='0.2' writes='u'><update>cos(2*t)</update></control>"
      "<control id='k' systems='s' period='0.2' "
      "writes='y'><StateSpace><A>%s</A><B>%s</B><C>%s</C><x0>1 0 "
      "-1</x0><u>u</u></StateSpace></control>"
      "</controls>" ZOH("4", "0.05"),
      text[0], B[0], B[1], B[2], text[0], text[1], text[2]);
  run r = run_whole(model);
  for (size_t k = 0; k < 20; k++) {
    double y = C[0] * run_at(&r, 4 * k, "s.a") + C[1] * run_at(&r, 4 * k, "s.b") +
               C[2] * run_at(&r, 4 * k, "s.c");
    ck_assert_double_eq_tol(run_at(&r, 4 * k + 1, "s.y"), y, 1e-11 * fmax(1, fabs(y)));
  }
  run_end(&r);
}
END_TEST

/* b(s)/a(s) of degree 3 over 3 against the observable companion form as a system of the model. */
START_TEST(transfer_function_is_the_exact_motion)
{
  double a[4] = {0, 0, 0, 0}, b[4];
  char model[3000];
  unsigned long seed = 500 + (unsigned long)_i;
  double p[3]; /* poles: one real, a pair */
  for (int i = 0; i < 3; i++) p[i] = uniform(&seed);
  double lead = 2 + p[0], q = 1 + p[0] * p[0], c1 = 1.2 + p[1], c0 = 3 + p[2];
  a[0] = lead, a[1] = lead * (c1 + q), a[2] = lead * (c0 + c1 * q), a[3] = lead * c0 * q;
  for (int i = 0; i < 4; i++) b[i] = uniform(&seed);
  if (_i % 2) b[0] = 0; /* strictly proper, with a leading zero in the text */
  double d = b[0] / lead, g[3];
  for (int i = 0; i < 3; i++) g[i] = b[i + 1] / lead - a[i + 1] / lead * d;
  snprintf(
      model, sizeof model,
      HEAD
      "<systems><FirstOrderLinearTIDS id='s' states='a b c' inputs='u y'><x0>0 0 0</x0>"
      "<A>%.17g 1 0; %.17g 0 1; %.17g 0 0</A><b>%.17g*u, %.17g*u, "
      "%.17g*u</b></FirstOrderLinearTIDS></systems><controls>"
      "<control id='h' systems='s' period='0.1' writes='u'><update>1 + cos(5*t)</update></control>"
      "<control id='k' systems='s' period='0.1' writes='y'><TransferFunction><numerator>%.17g "
      "%.17g %.17g %.17g</numerator>"
      "<denominator>%.17g %.17g %.17g "
      "%.17g</denominator><u>u</u></TransferFunction></control></controls>" ZOH("5", "0.05"),
      -a[1] / lead, -a[2] / lead, -a[3] / lead, g[0], g[1], g[2], b[0], b[1], b[2], b[3], a[0],
      a[1], a[2], a[3]);
  run r = run_whole(model);
  for (size_t k = 0; k < 50; k++)
    ck_assert_double_eq_tol(run_at(&r, 2 * k + 1, "s.y"),
                            run_at(&r, 2 * k, "s.a") + d * run_at(&r, 2 * k + 1, "s.u"), 1e-11);
  run_end(&r);
}
END_TEST

/* A gain alone; 1/(s + 2) by the trapezoidal rule; b(z)/a(z) of a moving mean. */
START_TEST(other_transfer_functions)
{
  run r = run_whole(
      HEAD
      "<systems><FirstOrderLinearTIDS id='s' states='x' inputs='gain lag "
      "mean'><x0>0</x0></FirstOrderLinearTIDS></systems><controls>"
      "<control id='a' systems='s' "
      "writes='gain'><TransferFunction><numerator>3</numerator><denominator>2</denominator><u>t</"
      "u></TransferFunction></control>"
      "<control id='b' systems='s' writes='lag'><TransferFunction "
      "method='tustin'><numerator>1</numerator><denominator>1 "
      "2</denominator><u>cos(t)</u></TransferFunction></control>"
      "<control id='c' systems='s' writes='mean'><TransferFunction given='sampled'><numerator>1 1 "
      "1</numerator><denominator>3 0 0</denominator><u>t</u></TransferFunction></control>"
      "</controls>" ZOH("2", "0.1"));
  double y = 0, before = 0;
  for (size_t k = 0; k < 20; k++) {
    double t = 0.1 * (double)k, u = cos(t), last = fmax(t - 0.1, 0), earlier = fmax(t - 0.2, 0);
    y = ((2 - 2 * 0.1) * y + 0.1 * (u + before)) / (2 + 2 * 0.1);
    before = u;
    ck_assert_double_eq_tol(run_at(&r, k + 1, "s.gain"), 1.5 * t, 1e-14);
    ck_assert_double_eq_tol(run_at(&r, k + 1, "s.lag"), y, 1e-14);
    ck_assert_double_eq_tol(run_at(&r, k + 1, "s.mean"), (t + last + earlier) / 3, 1e-14);
  }
  run_end(&r);
}
END_TEST

/* ---- PID ------------------------------------------------------------------------------------- */

/* From rest the sampled PID is a transfer function in z: Kp + Ki T z/(z-1) + Kd (z-1)/((Tf+T) z -
 * Tf). */
START_TEST(pid_is_a_transfer_function)
{
  unsigned long seed = 900 + (unsigned long)_i;
  double Kp = uniform(&seed), Ki = uniform(&seed), Kd = uniform(&seed),
         Tf = 0.1 + 0.05 * uniform(&seed), T = 0.05;
  double F = Tf + T; /* common denominator (z-1)(F z - Tf) = F z^2 - (F + Tf) z + Tf */
  double b0 = Kp * F + Ki * T * F + Kd, b1 = -Kp * (F + Tf) - Ki * T * Tf - 2 * Kd,
         b2 = Kp * Tf + Kd;
  char model[3000];
  snprintf(model, sizeof model,
           HEAD
           "<systems><FirstOrderLinearTIDS id='s' states='x' inputs='u "
           "y'><x0>0</x0></FirstOrderLinearTIDS></systems><controls>"
           "<control id='a' systems='s' writes='u'><PID Kp='%.17g' Ki='%.17g' Kd='%.17g' "
           "filter='%.17g' before='0'><reference>1 + sin(4*t)</reference><y>t</y></PID></control>"
           "<control id='b' systems='s' writes='y'><TransferFunction "
           "given='sampled'><numerator>%.17g %.17g %.17g</numerator>"
           "<denominator>%.17g %.17g %.17g</denominator><u>1 + sin(4*t) - "
           "t</u></TransferFunction></control></controls>" ZOH("5", "0.05"),
           Kp, Ki, Kd, Tf, b0, b1, b2, F, -F - Tf, Tf);
  run r = run_whole(model);
  for (size_t k = 1; k < r.got.nrows; k++)
    ck_assert_double_eq_tol(run_at(&r, k, "s.u"), run_at(&r, k, "s.y"), 1e-11);
  ck_assert_double_gt(fabs(run_at(&r, 1, "s.u")), 1e-3);
  run_end(&r);
}
END_TEST

/* Weight, derivative of the measurement, start, before, tracking: the recursion of the manual. */
START_TEST(pid_with_all_its_words)
{
  run r = run_whole(
      HEAD "<systems><FirstOrderLinearTIDS id='s' states='x' "
           "inputs='u'><x0>0</x0></FirstOrderLinearTIDS></systems><controls>"
           "<control id='a' systems='s' writes='u'><PID Kp='2' Ki='3' Kd='0.4' filter='0.2' "
           "weight='0.6' derivative='measurement' start='0.7' before='0.1' "
           "lower='-1' upper='1.5' antiwindup='tracking' tracking='0.5'><reference>2*step(t - "
           "0.45)</reference><y>sin(2*t)</y></PID></control>"
           "</controls>" ZOH("5", "0.1"));
  double I = 0.7, D = 0, last = -0.1, T = 0.1;
  int limited = 0;
  for (size_t k = 0; k < 50; k++) {
    double t = run_at(&r, k, "time"), ref = t >= 0.45 ? 2 : 0, y = sin(2 * t);
    I += 3 * T * (ref - y);
    D = (0.2 * D + 0.4 * (-y - last)) / (0.2 + T);
    last = -y;
    double u = 2 * (0.6 * ref - y) + I + D, w = fmin(fmax(u, -1), 1.5);
    I += T / 0.5 * (w - u);
    limited += u != w;
    ck_assert_double_eq_tol(run_at(&r, k + 1, "s.u"), w, 1e-12);
  }
  ck_assert(limited > 5 && limited < 45);
  run_end(&r);
}
END_TEST

/* ---- limits and relays ----------------------------------------------------------------------- */

START_TEST(limits_of_value_and_rate)
{
  run r = run_whole(HEAD
                    "<systems><FirstOrderLinearTIDS id='s' states='x' inputs='u "
                    "w'><x0>0</x0><z>0.3 0</z></FirstOrderLinearTIDS></systems><controls>"
                    "<control id='a' systems='s' period='0.2' writes='u w'><Limiter lower='-0.5' "
                    "upper='1' rate='2' fall='3'><u>3*sin(3*t), 0.1*t</u></Limiter></control>"
                    "</controls>" ZOH("6", "0.1"));
  double u = 0.3;
  int low = 0, high = 0;
  for (size_t k = 0; k < 30; k++) {
    double t = run_at(&r, 2 * k, "time");
    u = fmin(fmax(3 * sin(3 * t), u - 0.6), u + 0.4);
    u = fmin(fmax(u, -0.5), 1);
    low += u == -0.5, high += u == 1;
    ck_assert_double_eq_tol(run_at(&r, 2 * k + 1, "s.u"), u, 1e-15);
    ck_assert_double_eq_tol(run_at(&r, 2 * k + 1, "s.w"), 0.1 * t, 1e-15);
  }
  ck_assert(low > 0 && high > 0);
  run_end(&r);
}
END_TEST

/* Sampled: x' = 1 - 2 u turns at the first sample beyond a threshold. */
START_TEST(hysteresis_at_samples)
{
  run r = run_whole(HEAD
                    "<systems><FirstOrderLinearTIDS id='s' states='x' inputs='u'><x0>0</x0><b>1 - "
                    "2*u</b></FirstOrderLinearTIDS></systems><controls>"
                    "<control id='a' systems='s' period='0.1'><Hysteresis lower='-0.33' "
                    "upper='0.47'><y>x</y></Hysteresis></control></controls>" ZOH("8", "0.05"));
  double x = 0;
  int on = 0, turns = 0;
  for (size_t k = 0; k < 80; k++) {
    int was = on;
    if (x >= 0.47) on = 1;
    if (x <= -0.33) on = 0;
    turns += on != was;
    ck_assert_double_eq(run_at(&r, 2 * k + 1, "s.u"), on);
    x += 0.1 * (1 - 2 * on);
    ck_assert_double_eq_tol(run_at(&r, 2 * k + 2, "s.x"), x, 1e-12);
  }
  ck_assert_int_gt(turns, 6);
  run_end(&r);
}
END_TEST

/* Event-driven and without a period it switches at the crossing itself: x' = -x + 2 (1 - u) between
 * 0.5 and 1.5 has the period 2 ln 3, from x = 1 a first turn at ln 2. */
START_TEST(hysteresis_at_the_crossing)
{
  run r = run_whole(
      HEAD "<systems><FirstOrderLinearTIDS id='s' states='x' "
           "inputs='u'><x0>1</x0><A>-1</A><b>2*u</b></FirstOrderLinearTIDS></systems><controls>"
           "<control id='a' systems='s'><Hysteresis lower='0.5' upper='1.5' on='0' "
           "off='1'><y>x</y></Hysteresis></control></controls>"
           "<simulation T='10'><EventDriven h='0.1'><CVodeOSI relativeTolerance='1e-12' "
           "absoluteTolerance='1e-12'/></EventDriven></simulation></model>");
  size_t n = 0;
  for (size_t i = 0; i < r.got.nevents; i++) {
    const ns_event *e = &r.got.events[i];
    if (e->kind != NS_EVENT_USER) continue;
    ck_assert_double_eq_tol(e->t, log(2) + (double)n * log(3), 1e-9);
    n++;
  }
  ck_assert_uint_eq(n, 9);
  ck_assert_double_eq(run_at(&r, 1, "s.u"), 1); /* off, as start says */
  run_end(&r);
}
END_TEST

/* Relays of a <repeat>, each with its thresholds, that read another system: turns at x = i/4 of x'
 * = 1. */
START_TEST(hysteresis_of_repeated_systems)
{
  run r = run_whole(
      HEAD "<systems><FirstOrderLinearTIDS id='p' "
           "states='x'><x0>0</x0><b>1</b></FirstOrderLinearTIDS><repeat index='i' from='1' to='3'>"
           "<FirstOrderLinearTIDS id='s{i}' states='x' "
           "inputs='u'><x0>0</x0></FirstOrderLinearTIDS></repeat></systems><controls><repeat "
           "index='i' from='1' to='3'>"
           "<control id='k{i}' systems='s{i}'><Hysteresis lower='-1' upper='1'><y>4*p.x/i + "
           "0*x</y></Hysteresis></control></repeat></controls>"
           "<simulation T='1'><EventDriven h='0.1'><CVodeOSI/></EventDriven></simulation></model>");
  ck_assert_uint_eq(r.got.nevents, 3);
  for (size_t i = 0; i < 3; i++)
    ck_assert_double_eq_tol(r.got.events[i].t, 0.25 * (double)(i + 1), 1e-9);
  for (size_t i = 0; i < 3; i++) ck_assert_double_eq(r.x->z[i], 1);
  run_end(&r);
}
END_TEST

/* Beyond a threshold at t0, and started on between both. */
START_TEST(hysteresis_at_the_start)
{
  static const struct {
    const char *x0, *start;
    double u;
  } row[] = {{"2", "off", 5}, {"-2", "on", -3}, {"0", "on", 5}, {"0", "off", -3}};
  char model[2000];
  for (size_t k = 0; k < 8; k++) {
    snprintf(model, sizeof model,
             HEAD "<systems><FirstOrderLinearTIDS id='s' states='x' inputs='w "
                  "u'><x0>%s</x0></FirstOrderLinearTIDS></systems><controls>"
                  "<control id='a' systems='s' writes='u'><Hysteresis lower='-1' upper='1' on='5' "
                  "off='-3' start='%s'><y>x</y></Hysteresis></control></controls>"
                  "<simulation T='1'>%s</simulation></model>",
             row[k / 2].x0, row[k / 2].start,
             k % 2 ? "<EventDriven h='0.1'><CVodeOSI/></EventDriven>"
                   : "<TimeStepping h='0.1'><ZeroOrderHoldOSI/></TimeStepping>");
    run r = run_whole(model);
    ck_assert_double_eq(run_at(&r, r.got.nrows - 1, "s.u"), row[k / 2].u);
    ck_assert_double_eq(run_at(&r, r.got.nrows - 1, "s.w"), 0);
    run_end(&r);
  }
}
END_TEST

/* ---- time-stepping and event-driven ---------------------------------------------------------- */

/* A linear plant under blocks of three periods: the steps of the one are exact, the other
 * integrates to 1e-12; both sample at the same times. Also with a window, and beside a relay whose
 * events fall between samples. */
#define LOOPS(inside, how) \
  HEAD "<systems><FirstOrderLinearTIDS id='s' states='x v' inputs='u f l'><x0>1 0</x0><A>0 1; " \
       "-3 -0.4</A><b>0, u</b></FirstOrderLinearTIDS></systems>" inside \
       "<controls><control id='f' systems='s' period='0.04' " \
       "writes='f'><TransferFunction><numerator>1 3</numerator><denominator>0.02 0.3 " \
       "3</denominator><u>x</u></TransferFunction></control>" \
       "<control id='k' systems='s' period='0.06' offset='0.02' from='0.3' writes='l'><PID " \
       "Kp='4' Ki='2' Kd='1' filter='0.1' " \
       "derivative='measurement'><reference>sin(t)</reference><y>f</y></PID></control>" \
       "<control id='l' systems='s' period='0.1' until='4' writes='u'><Limiter lower='-2' " \
       "upper='2' rate='30'><u>l</u></Limiter></control></controls>" \
       "<simulation T='5'>" how "</simulation></model>"
#define FINE \
  "<EventDriven h='0.02'><CVodeOSI relativeTolerance='1e-12' " \
  "absoluteTolerance='1e-13'/></EventDriven>"

START_TEST(steps_and_events_agree)
{
  run a = run_whole(LOOPS("", "<TimeStepping h='0.02'><ZeroOrderHoldOSI/></TimeStepping>")),
      b = run_whole(LOOPS("", FINE));
  ck_assert_uint_eq(a.got.nrows, b.got.nrows);
  for (size_t i = 0; i < a.got.nrows; i++) {
    ck_assert_double_eq_tol(run_at(&a, i, "s.x"), run_at(&b, i, "s.x"), 1e-9);
    ck_assert_double_eq_tol(run_at(&a, i, "s.u"), run_at(&b, i, "s.u"), 1e-7);
  }
  ck_assert_double_gt(fabs(run_at(&a, 150, "s.u")), 0.01);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* Grids of 0.02 and 0.01: where samples fall does not depend on the grid, nor do the events between
 * them. */
START_TEST(samples_do_not_depend_on_the_grid)
{
#define RELAY \
  "<interactions><interaction id='r' systems='s'><FirstOrderLinearTIR><C>0 " \
  "1</C><B>0; 0.3</B></FirstOrderLinearTIR><RelayNSL/></interaction></interactions>"
  run a = run_whole(LOOPS(RELAY, FINE));
  run b = run_whole(LOOPS(RELAY, "<EventDriven h='0.01'><CVodeOSI relativeTolerance='1e-12' "
                                 "absoluteTolerance='1e-13'/></EventDriven>"));
  ck_assert_double_eq_tol(a.x->q[0], b.x->q[0], 1e-8);
  ck_assert_double_eq_tol(a.x->q[1], b.x->q[1], 1e-8);
  ck_assert_uint_eq(a.got.nevents, b.got.nevents);
  ck_assert_uint_gt(a.got.nevents, 2);
  for (size_t i = 0; i < a.got.nevents; i++)
    ck_assert_double_eq_tol(a.got.events[i].t, b.got.events[i].t, 1e-7);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* ---- checkpoints ----------------------------------------------------------------------------- */

#define ALL(how) \
  HEAD "<systems><LagrangianLinearTIDS id='m' coordinates='x' inputs='u y n s " \
       "f'><q0>1</q0><K>4</K><fExt>u - 0.3*n + s</fExt></LagrangianLinearTIDS>" \
       "</systems><controls>" \
       "<control id='f' systems='m' period='0.02' " \
       "writes='f'><TransferFunction><numerator>1</numerator><denominator>0.01 0.1 " \
       "1</denominator><u>x</u></TransferFunction></control>" \
       "<control id='k' systems='m' period='0.05' writes='y'><PID Kp='2' Ki='3' Kd='0.2' " \
       "filter='0.1' lower='-2' upper='2' antiwindup='tracking' " \
       "tracking='0.3'><y>f</y></PID></control>" \
       "<control id='l' systems='m' period='0.03' writes='u'><Limiter " \
       "rate='6'><u>y</u></Limiter></control>" \
       "<control id='h' systems='m' writes='n'><Hysteresis lower='-0.1' " \
       "upper='0.1'><y>x</y></Hysteresis></control>" \
       "<control id='s' systems='m' period='0.04' writes='s'><StateSpace method='tustin'><A>0 " \
       "1; -9 -1</A><B>0; 1</B><C>1 0</C><x0>0.1 0</x0><u>x</u></StateSpace></control>" \
       "</controls><simulation T='3'>" how "</simulation></model>"

START_TEST(interrupted_runs)
{
  static const char *const models[] = {
      ALL("<TimeStepping h='0.01'><MoreauJeanOSI/></TimeStepping>"),
      ALL("<EventDriven h='0.01'><CVodeOSI/></EventDriven>")};
  const change none = {0};
  ck_assert_int_eq(goes_on_the_same(models[_i], &none, 6, 31 + (unsigned long)_i), 1);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, sampled_state_space_is_its_recursion, 0, 5);
  tcase_add_loop_test(t, zero_order_hold_is_the_exact_motion, 0, 10);
  tcase_add_loop_test(t, transfer_function_is_the_exact_motion, 0, 10);
  tcase_add_test(t, other_transfer_functions);
  tcase_add_loop_test(t, pid_is_a_transfer_function, 0, 10);
  tcase_add_test(t, pid_with_all_its_words);
  tcase_add_test(t, limits_of_value_and_rate);
  tcase_add_test(t, hysteresis_at_samples);
  tcase_add_test(t, hysteresis_at_the_crossing);
  tcase_add_test(t, hysteresis_of_repeated_systems);
  tcase_add_test(t, hysteresis_at_the_start);
  tcase_add_test(t, steps_and_events_agree);
  tcase_add_test(t, samples_do_not_depend_on_the_grid);
  tcase_add_loop_test(t, interrupted_runs, 0, 2);
}

int main(void) { return suite_run("control blocks", fill); }
