/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampled blocks: when they act, what they see, what each kind claims. Differences of numbers are
 * absolute and of order 1 unless said otherwise. */
#include "model/controls/control.h"
#include "simulation/step/controls.h"
#include "support/run.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define ZOH(T, h) \
  "<simulation T='" T "'><TimeStepping " \
  "h='" h "'><ZeroOrderHoldOSI/></TimeStepping></simulation></model>"
#define MECHANICS(T, h) \
  "<simulation T='" T "'><TimeStepping " \
  "h='" h "'><MoreauJeanOSI/></TimeStepping></simulation></model>"

static run play(const char *model, const char *const *set)
{
  run r = run_load(model, set);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  return r;
}

/* ---- when and what --------------------------------------------------------------------------- */

/* The counter says how often it was sampled, the clock when; both over 7 steps of 0.1, from t0 =
 * 0.3. */
START_TEST(samples_fall_on_multiples_of_the_period)
{
  run r = play(HEAD "<FirstOrderLinearTIDS id='s' states='x' inputs='clock count'><x0>0</x0><z>-1 "
                    "0</z></FirstOrderLinearTIDS>"
                    "</systems><controls><control id='k' systems='s' period='0.3'><update>t, count "
                    "+ 1</update></control></controls>"
                    "<simulation t0='0.3' T='1'><TimeStepping "
                    "h='0.1'><EulerMoreauOSI/></TimeStepping></simulation></model>",
               NULL);
  static const double count[] = {0, 1, 1, 1, 2, 2, 2, 3};
  ck_assert_uint_eq(r.got.nrows, 8);
  for (size_t i = 0; i < 8; i++) {
    ck_assert_double_eq(run_at(&r, i, "s.count"), count[i]);
    double clock = i ? 0.3 + (double)((i - 1) / 3 * 3) * 0.1 : -1;
    ck_assert_double_eq(run_at(&r, i, "s.clock"), clock);
  }
  run_end(&r);
}
END_TEST

/* A million steps: the sample is still where the step is, to the bit. */
START_TEST(no_drift)
{
  run r = run_load(HEAD "<FirstOrderLinearTIDS id='s' states='x' inputs='clock "
                        "count'><x0>0</x0></FirstOrderLinearTIDS>"
                        "</systems><controls><control id='k' systems='s' period='3e-7'><update>t, "
                        "count + 1</update></control></controls>"
                        "<simulation T='0.1'><TimeStepping "
                        "h='1e-7'><EulerMoreauOSI/></TimeStepping></simulation></model>",
                   NULL);
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), NS_OK);
  ck_assert_double_eq(r.x->z[0], 999999 * 1e-7); /* 333333 periods after t0 */
  ck_assert_double_eq(r.x->z[1], 333334);
  run_end(&r);
}
END_TEST

/* b sees what a wrote at the same instant; two systems, names by id. */
START_TEST(blocks_act_in_their_order)
{
  run r = play(
      HEAD "<FirstOrderLinearTIDS id='s' states='x' inputs='u'><x0>2</x0></FirstOrderLinearTIDS>"
           "<FirstOrderLinearTIDS id='p' states='x' inputs='u "
           "w'><x0>5</x0></FirstOrderLinearTIDS></systems><controls>"
           "<control id='a' systems='s p' writes='p.u s.u'><update>s.x + p.x, 1</update></control>"
           "<control id='b' systems='p' writes='w'><update>2*u</update></control></controls>" ZOH(
               "0.1", "0.1"),
      NULL);
  ck_assert_double_eq(run_at(&r, 1, "s.u"), 1);
  ck_assert_double_eq(run_at(&r, 1, "p.u"), 7);
  ck_assert_double_eq(run_at(&r, 1, "p.w"), 14);
  run_end(&r);
}
END_TEST

/* Stop after each step and go on, or go on from a copy of the state in another simulation: the same
 * bytes as a run in one piece. A controller with memory, a sensor with delay. */
#define LOOP \
  HEAD "<FirstOrderLinearTIDS id='s' states='x' inputs='u " \
       "y'><x0>1</x0><A>-1</A><b>u</b></FirstOrderLinearTIDS></systems>" \
       "<controls><control id='e' systems='s' period='0.03' writes='y'><Sensor delay='2' " \
       "quantum='1e-3'><y>x</y></Sensor></control>" \
       "<control id='k' systems='s' period='0.02' writes='u'><PID Kp='2' Ki='3' Kd='0.1' " \
       "filter='0.05'><y>y</y></PID></control>" \
       "</controls>" ZOH("1", "0.01")

START_TEST(a_run_in_pieces_has_the_same_bytes)
{
  run a = run_load(LOOP, NULL), b = run_load(LOOP, NULL), d = run_load(LOOP, NULL);
  ck_assert_int_eq(ns_simulation_run(a.s, &a.c, NULL, NULL), NS_OK);
  for (int i = 0; i < 200 && *b.x->step < 100; i++) {
    ns_watch one = {.max_steps = 1};
    b.c = (ns_ctx){0};
    ns_simulation_run(b.s, &b.c, NULL, &one);
    /* between two samples of either block */
    if (*b.x->step == 53) memcpy(d.x->block, b.x->block, b.x->bytes);
  }
  ck_assert_int_eq(ns_simulation_run(d.s, &d.c, NULL, NULL), NS_OK);
  ck_assert(memcmp(d.x->block, b.x->block, b.x->bytes) == 0);
  ck_assert_uint_eq(a.x->bytes, b.x->bytes);
  ck_assert(memcmp(a.x->block, b.x->block, a.x->bytes) == 0);
  ck_assert_double_ne(a.x->memory[0], 0);
  run_end(&a);
  run_end(&b);
  run_end(&d);
}
END_TEST

/* Mechanics: a force that is switched at t = 0.5 acts from the first step after it, in f_k too: the
 * velocity gains h at once (with the stale force of theta = 1/2 it would gain h/2). */
START_TEST(mechanics_feel_a_new_force_at_once)
{
  run r = play(HEAD "<LagrangianLinearTIDS id='s' coordinates='x' "
                    "inputs='u'><q0>0</q0><fExt>u</fExt></LagrangianLinearTIDS>"
                    "</systems><controls><control id='k' systems='s' period='0.25'><update>step(t "
                    "- 0.5)</update></control></controls>" MECHANICS("1", "0.125"),
               NULL);
  for (size_t i = 0; i < 9; i++)
    ck_assert_double_eq(run_at(&r, i, "s.v_x"), i > 4 ? 0.125 * (double)(i - 4) : 0);
  ck_assert_double_eq(run_at(&r, 8, "s.x"), 0.125); /* t^2/2 from 0.5 on */
  ck_assert_double_le(r.x->cert->defect_max, 1e-16);
  run_end(&r);
}
END_TEST

/* The same through fInt of a nonlinear system. */
START_TEST(nonlinear_mechanics_too)
{
  run r = play(
      HEAD
      "<LagrangianDS id='s' coordinates='x' inputs='u'><q0>0</q0><fInt>-u</fInt></LagrangianDS>"
      "</systems><controls><control id='k' systems='s' period='0.25'><update>step(t - "
      "0.5)</update></control></controls>" MECHANICS("1", "0.125"),
      NULL);
  ck_assert_double_eq_tol(run_at(&r, 5, "s.v_x"), 0.125, 1e-15);
  ck_assert_double_eq_tol(run_at(&r, 8, "s.x"), 0.125, 1e-15);
  run_end(&r);
}
END_TEST

/* ---- failures -------------------------------------------------------------------------------- */

START_TEST(what_is_not_finite_stops_the_run_at_the_last_good_state)
{
  run r = run_load(
      HEAD "<FirstOrderLinearTIDS id='s' states='x' inputs='u "
           "w'><x0>1</x0></FirstOrderLinearTIDS></systems>"
           "<controls><control id='a' systems='s' writes='w'><update>w + 1</update></control>"
           "<control id='k' systems='s' writes='u'><update>sqrt(0.25 - "
           "t)</update></control></controls>" ZOH("1", "0.125"),
      NULL);
  r.c.report = NULL;
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), NS_NUMERIC);
  ck_assert_ptr_nonnull(strstr(
      r.c.msg, "<control id=\"k\">: wrote nan to u at t = 0.375 s, expected a finite number"));
  ck_assert_double_eq(*r.x->t, 0.375);
  /* a acted at 0, 0.125, 0.25; what it wrote at 0.375 was undone */
  ck_assert_double_eq(r.x->z[1], 3);
  run_end(&r);
}
END_TEST

/* The step after the sample fails: z goes back. */
START_TEST(a_failed_step_undoes_its_sample)
{
  run r = run_load(
      HEAD "<FirstOrderNonLinearDS id='s' states='x' "
           "inputs='u'><x0>1</x0><f>sqrt(u)</f></FirstOrderNonLinearDS></systems>"
           "<controls><control id='k' systems='s'><update>0.25 - t</update></control></controls>"
           "<simulation T='1'><TimeStepping "
           "h='0.125'><EulerMoreauOSI/></TimeStepping></simulation></model>",
      NULL);
  r.c.report = NULL;
  ck_assert_int_lt(ns_simulation_run(r.s, &r.c, NULL, NULL), 0);
  ck_assert_double_eq(*r.x->t, 0.375);
  ck_assert_double_eq(r.x->z[0], 0);
  run_end(&r);
}
END_TEST

/* ---- PID ------------------------------------------------------------------------------------- */

/* x' = -x + u under a PID with limits, step by step by hand: 1e-12 after 100 periods of 2 steps. */
START_TEST(pid_is_the_sampled_loop)
{
  run r = play(HEAD "<FirstOrderLinearTIDS id='s' states='x' "
                    "inputs='u'><x0>0</x0><A>-1</A><b>u</b></FirstOrderLinearTIDS></systems>"
                    "<controls><control id='k' systems='s' period='0.1'><PID Kp='2' Ki='5' "
                    "Kd='0.1' filter='0.05' lower='-0.5' upper='1.5'>"
                    "<reference>1 + 0.2*sin(t)</reference><y>x</y></PID></control></controls>" ZOH(
                        "10", "0.05"),
               NULL);
  double x = 0, I = 0, D = 0, was = 0, T = 0.1, worst = 0;
  int limited = 0;
  for (int i = 0; i < 100; i++) {
    double e = 1 + 0.2 * sin(T * i) - x, J = I + 5 * T * e;
    D = (0.05 * D + (i ? 0.1 * (e - was) : 0)) / (0.05 + T);
    was = e;
    double u = 2 * e + J + D;
    if ((u > 1.5 && e > 0) || (u < -0.5 && e < 0)) u = 2 * e + I + D;
    else I = J;
    limited += u > 1.5 || u < -0.5;
    u = fmin(fmax(u, -0.5), 1.5);
    x = exp(-T) * x + (1 - exp(-T)) * u;
    worst = fmax(worst, fabs(run_at(&r, (size_t)(2 * i + 2), "s.x") - x));
    worst = fmax(worst, fabs(run_at(&r, (size_t)(2 * i + 1), "s.u") - u));
  }
  ck_assert_double_le(worst, 1e-12);
  ck_assert_int_gt(limited, 1);
  run_end(&r);
}
END_TEST

/* After 2 s of a reference out of reach the integral is where it was: the command leaves its limit
 * in the very sample in which the reference comes back. */
START_TEST(the_integral_does_not_wind_up)
{
  run r = play(HEAD
               "<FirstOrderLinearTIDS id='s' states='x' "
               "inputs='u'><x0>0</x0><A>-1</A><b>u</b></FirstOrderLinearTIDS></systems>"
               "<controls><control id='k' systems='s'><PID Kp='1' Ki='10' lower='-1' upper='1'>"
               "<reference>if(t &lt; 2, 3, 0)</reference><y>x</y></PID></control></controls>" ZOH(
                   "4", "0.125"),
               NULL);
  ck_assert_double_eq(run_at(&r, 16, "s.u"), 1);
  ck_assert_double_lt(run_at(&r, 17, "s.u"), 0);
  run_end(&r);
}
END_TEST

/* ---- sensor ---------------------------------------------------------------------------------- */

START_TEST(sensor_rounds_and_is_late)
{
  run r = play(HEAD "<FirstOrderLinearTIDS id='s' states='x' "
                    "inputs='y'><x0>0</x0><z>-7</z><b>1</b></FirstOrderLinearTIDS></systems>"
                    "<controls><control id='e' systems='s' period='0.25'><Sensor quantum='0.5' "
                    "delay='3'><y>x</y></Sensor></control></controls>" ZOH("4", "0.125"),
               NULL);
  for (size_t i = 1; i <= 32; i++) {
    double k = floor((double)(i - 1) / 2) - 3; /* the sample that is shown */
    ck_assert_double_eq(run_at(&r, i, "s.y"), k < 0 ? -7 : 0.5 * round(k * 0.25 / 0.5));
  }
  run_end(&r);
}
END_TEST

/* ---- sliding mode ---------------------------------------------------------------------------- */

static double sigma(const run *r, size_t i)
{
  return run_at(r, i, "plant.x1") + run_at(r, i, "plant.x2");
}

/* sigma = max(2 - 2 t, 0) and x1 in closed form at every node, inside periods too; |sigma| at
 * rounding once reached. */
START_TEST(implicit_sliding_is_exact)
{
  run r = play("models/sliding-mode-implicit/sliding-mode-implicit.xml", NULL);
  double off = 0, x1 = 0, held = 0;
  for (size_t i = 0; i < r.got.nrows; i++) {
    double t = run_at(&r, i, "time"), e = exp(-1.0);
    double want = t <= 1 ? 4 - 2 * t - 3 * exp(-t) : (2 - 3 * e) * exp(1 - t);
    off = fmax(off, fabs(sigma(&r, i) - fmax(2 - 2 * t, 0)));
    if (t >= 1) held = fmax(held, fabs(sigma(&r, i)));
    x1 = fmax(x1, fabs(run_at(&r, i, "plant.x1") - want));
  }
  ck_assert_double_le(off, 2e-14);
  ck_assert_double_le(x1, 2e-14);
  ck_assert_double_le(held, 4e-16);
  run_end(&r);
}
END_TEST

/* A surface that moves, x1 + x2 = sin(t)/2: sigma at rounding at every sample; the command follows
 * its closed form u = (sin t_i+1 - sin t_i) / (4 T), so it moves by O(T) from sample to sample. */
START_TEST(implicit_command_is_continuous)
{
  static const char *const set[] = {"amplitude=0.5", "substeps=1", NULL};
  run r = play("models/sliding-mode-implicit/sliding-mode-implicit.xml", set);
  double worst = 0, jump = 0, off = 0, T = 0.02;
  size_t n = r.got.nrows - 1, from = 60;
  for (size_t i = from; i <= n; i++) {
    double t = run_at(&r, i, "time"), u = run_at(&r, i, "plant.u");
    worst = fmax(worst, fabs(sigma(&r, i) - 0.5 * sin(t)));
    off = fmax(off, fabs(u - 0.25 * (sin(t) - sin(t - T)) / T));
    if (i > from) jump = fmax(jump, fabs(u - run_at(&r, i - 1, "plant.u")));
  }
  ck_assert_double_le(worst, 1e-15);
  ck_assert_double_le(off, 1e-13); /* rounding of sigma over the period */
  ck_assert_double_le(jump, 0.25 * T);
  run_end(&r);
}
END_TEST

/* Width of the band in which sigma chatters, and how often the command jumps. */
static double band(const char *period, int *jumps)
{
  const char *set[] = {period, NULL};
  run r = play("models/sliding-mode-explicit/sliding-mode-explicit.xml", set);
  double low = 9, high = -9;
  *jumps = 0;
  for (size_t i = 1; i < r.got.nrows; i++) {
    if (run_at(&r, i, "time") < 1.5) continue;
    low = fmin(low, sigma(&r, i));
    high = fmax(high, sigma(&r, i));
    *jumps += run_at(&r, i, "plant.u") * run_at(&r, i - 1, "plant.u") < 0;
  }
  run_end(&r);
  return high - low;
}

START_TEST(explicit_sliding_chatters_in_a_band_of_two_periods)
{
  int slow, fast;
  ck_assert_double_eq_tol(band("period=0.02", &slow), 0.04, 1e-13);
  ck_assert_double_eq_tol(band("period=0.01", &fast), 0.02, 1e-13);
  ck_assert_int_ge(slow, 124); /* at every sample of 2.5 s */
  ck_assert_int_ge(fast, 249);
}
END_TEST

/* Reached at 0.1 ms and kept; v - Vr shrinks by exp(-T/tau) (1 - (T/tau)^2/6 ...) a period, u by
 * its closed form. */
START_TEST(buck_converter_slides)
{
  run r = play("models/buck-sliding-mode/buck-sliding-mode.xml", NULL);
  double L = 1e-3, C = 1e-4, R = 10, tau = 5e-4, worst = 0, duty = 0;
  for (size_t i = 22; i < r.got.nrows; i++) {
    double v = run_at(&r, i, "converter.v"), ic = run_at(&r, i, "converter.i"),
           u = run_at(&r, i, "converter.u");
    worst = fmax(worst, fabs(tau / C * ic + (1 - tau / (R * C)) * v - 10));
    double vdot = (10 - v) / tau; /* on the surface */
    duty = fmax(duty, fabs(u - (v + L * vdot * (1 / R - C / tau)) / 20));
  }
  ck_assert_double_le(worst, 2e-14); /* volts, of terms of 10 V */
  ck_assert_double_le(duty, 1e-3);   /* O(T) */
  double ratio = (run_at(&r, 421, "converter.v") - 10) / (run_at(&r, 21, "converter.v") - 10);
  ck_assert_double_eq_tol(ratio, exp(-400 * 5e-6 / tau), 1e-4 * ratio * 100);
  ck_assert_double_gt(run_at(&r, 20, "converter.u"), 0.98); /* the last period before the surface */
  ck_assert_double_lt(run_at(&r, 21, "converter.u"), 0.38);
  run_end(&r);
}
END_TEST

/* A reached surface that cannot be held is crossed: v0 = 0. */
START_TEST(buck_converter_crosses_where_the_duty_does_not_suffice)
{
  static const char *const set[] = {"v0=0", NULL};
  run r = play("models/buck-sliding-mode/buck-sliding-mode.xml", set);
  double first = -1, beyond = 0;
  for (size_t i = 1; i < r.got.nrows; i++) {
    double s = 5 * run_at(&r, i, "converter.i") + 0.5 * run_at(&r, i, "converter.v") - 10;
    if (first < 0 && s >= 0) first = run_at(&r, i, "time");
    if (first >= 0) beyond = fmax(beyond, s);
  }
  ck_assert_double_gt(first, 0);
  ck_assert_double_gt(beyond, 0.01);
  ck_assert_double_eq(r.c.nerrors, 0);
  run_end(&r);
}
END_TEST

/* Two commands, two surfaces; A, B, b given, the state by a formula, a mechanical plant: sigma = v
 * of both masses. */
START_TEST(sliding_of_a_mechanical_plant)
{
  run r = play(HEAD "<LagrangianLinearTIDS id='m' coordinates='a b' inputs='f g'><q0>0 0</q0><v0>1 "
                    "-0.7</v0><mass diag='1 2'/>"
                    "<fExt>f g</fExt></LagrangianLinearTIDS></systems><controls><control id='k' "
                    "systems='m' period='0.125'>"
                    "<LinearSMC alpha='2'><S>1 0; 0 1</S><A>0 0; 0 0</A><B>1 0; 0 0.5</B><x>v_a "
                    "v_b</x></LinearSMC></control></controls>" MECHANICS("2", "0.0625"),
               NULL);
  for (size_t i = 0; i < r.got.nrows; i++) {
    double t = run_at(&r, i, "time");
    ck_assert_double_eq_tol(run_at(&r, i, "m.v_a"), fmax(1 - 2 * t, 0), 1e-15);
    if (t >= 0.75) ck_assert_double_eq_tol(run_at(&r, i, "m.v_b"), 0, 1e-15);
  }
  run_end(&r);
}
END_TEST

/* ---- twisting -------------------------------------------------------------------------------- */

/* Last time at which |x| + |v| is above tol. */
static double settled(const run *r, double tol)
{
  for (size_t i = r->got.nrows; i-- > 0;)
    if (fabs(run_at(r, i, "mass.x")) + fabs(run_at(r, i, "mass.v")) > tol)
      return run_at(r, i, "time");
  return 0;
}

/* Relays in the step: at the origin before 2.1547 s, nearer to it as h shrinks, and exactly there
 * ever after. */
START_TEST(twisting_in_the_step_reaches_the_origin)
{
  static const char *const set[] = {"h=0.01", NULL};
  run fine = play("models/twisting/twisting.xml", NULL),
      coarse = play("models/twisting/twisting.xml", set);
  ck_assert_double_eq_tol(settled(&fine, 0), 2.07, 0.01);
  ck_assert_double_eq_tol(settled(&coarse, 0), 1.77, 0.02);
  run_end(&fine);
  run_end(&coarse);
}
END_TEST

/* Sampled and implicit: at rest to rounding, command included, from two initial states. */
START_TEST(sampled_twisting_comes_to_rest)
{
  run r = play("models/twisting/twisting-sampled.xml", NULL);
  size_t n = r.got.nrows - 1;
  ck_assert_double_le(settled(&r, 2e-3), 2.1547);
  ck_assert_double_le(settled(&r, 1e-15), 3);
  ck_assert_double_le(fabs(run_at(&r, n, "mass.u")), 1e-14);
  run_end(&r);
}
END_TEST

/* sigma' = u + d with d = sin(t)/2 unknown, after 5 s: the largest |sigma|, and how much the
 * command travels beyond -d. */
typedef struct disturbed {
  double sigma, lag, travel;
} disturbed;

static disturbed super(const char *method, const char *T)
{
  char text[2048];
  snprintf(text, sizeof text,
           HEAD "<FirstOrderLinearDS id='s' states='x' inputs='u'><x0>1</x0><b>u + "
                "0.5*sin(t)</b></FirstOrderLinearDS>"
                "</systems><controls><control id='k' systems='s' period='%s'><SuperTwisting k1='2' "
                "k2='1.5' method='%s'><sigma>x</sigma>"
                "</SuperTwisting></control></controls><simulation T='8'><TimeStepping "
                "h='%s/4'><ZeroOrderHoldOSI/></TimeStepping></simulation></model>",
           T, method, T);
  run r = play(text, NULL);
  disturbed d = {0};
  for (size_t i = 1; i < r.got.nrows; i++) {
    double t = run_at(&r, i, "time"), u = run_at(&r, i, "s.u");
    if (t < 5) continue;
    d.sigma = fmax(d.sigma, fabs(run_at(&r, i, "s.x")));
    d.lag = fmax(d.lag, fabs(u + 0.5 * sin(t)));
    d.travel += fabs(u - run_at(&r, i - 1, "s.u"));
  }
  run_end(&r);
  return d;
}

/* Implicit: sigma is what d does in one period, T max |d|; the command lags behind -d by O(T) and
 * travels as far as d itself, (2 - sin 5 - sin 8)/2 = 0.98477. Explicit: sigma is O(T^2), but the
 * command travels four times as far, at any period. */
START_TEST(super_twisting)
{
  disturbed a = super("implicit", "0.02"), b = super("implicit", "0.01"),
            c = super("explicit", "0.02"), d = super("explicit", "0.01");
  double travel = 0.5 * (1 - sin(5) + 1 - sin(8));
  ck_assert_double_eq_tol(a.sigma, 0.02 * 0.5, 1e-6);
  ck_assert_double_eq_tol(b.sigma, 0.01 * 0.5, 1e-6);
  ck_assert_double_eq_tol(a.lag / b.lag, 2, 0.01);
  ck_assert_double_eq_tol(a.travel, travel, 0.003);
  ck_assert_double_eq_tol(b.travel, travel, 0.0015);
  ck_assert_double_gt(c.travel, 4 * travel);
  ck_assert_double_gt(d.travel, 4 * travel);
  ck_assert_double_eq_tol(c.sigma / d.sigma, 4, 0.3);
}
END_TEST

/* ---- observer -------------------------------------------------------------------------------- */

/* The error of the estimate obeys e+ = (Phi - Psi L C) e to rounding, with the eigenvalues 0.8 and
 * 0.5 it was designed for. */
START_TEST(observer_errors_shrink_by_their_poles)
{
  run r = play("models/observer/observer.xml", NULL);
  double T = 0.05, l2 = 0.2 * 0.5 / (T * T), l1 = 0.7 / T - l2 * T / 2, worst = 0;
  double a = 1 - (l1 * T + l2 * T * T / 2), c = -l2 * T; /* Phi - Psi L C = [a, T; c, 1] */
  ck_assert_double_eq_tol(a + 1, 1.3, 1e-14);
  ck_assert_double_eq_tol(a - c * T, 0.4, 1e-14);
  double e = 1, f = -0.5, g = 0;
  /* x at the sample; the estimate of then is what the next row holds */
  for (size_t i = 0; i < 100; i++) {
    g = run_at(&r, 5 * i, "mass.v") - run_at(&r, 5 * i + 1, "mass.vhat");
    worst = fmax(worst, fabs(run_at(&r, 5 * i, "mass.x") - run_at(&r, 5 * i + 1, "mass.xhat") - e) +
                            fabs(g - f));
    double next = a * e + T * f;
    f = c * e + f;
    e = next;
  }
  ck_assert_double_le(worst, 1e-13); /* of errors up to 3 */
  ck_assert_double_le(fabs(run_at(&r, r.got.nrows - 1, "mass.x")), 1e-2);
  run_end(&r);
}
END_TEST

/* The order of observer and controller is the user's: behind the controller, the observer still
 * knows the command that was held. */
START_TEST(observer_behind_the_controller)
{
  run r = play(
      HEAD "<FirstOrderLinearTIDS id='m' states='x' inputs='u e'><x0>1</x0><z>0 "
           "1</z><A>-1</A><b>u</b></FirstOrderLinearTIDS></systems>"
           "<controls><control id='k' systems='m' writes='u'><update>sin(20*t)</update></control>"
           "<control id='o' systems='m' "
           "writes='e'><LuenbergerObserver><C>1</C><L>1</L></LuenbergerObserver></control></"
           "controls>" ZOH("1", "0.0625"),
      NULL);
  for (size_t i = 0; i + 1 < r.got.nrows; i++) /* right from the first, right for ever */
    ck_assert_double_eq_tol(run_at(&r, i, "m.x"), run_at(&r, i + 1, "m.e"), 1e-15);
  run_end(&r);
}
END_TEST

/* ---- repeat ---------------------------------------------------------------------------------- */

START_TEST(controls_in_a_repeat)
{
  run r = play(HEAD "<repeat index='i' from='1' to='3'><FirstOrderLinearTIDS id='s{i}' states='x' "
                    "inputs='u'><x0>0</x0><b>u</b></FirstOrderLinearTIDS>"
                    "</repeat></systems><controls><repeat index='i' from='1' to='3'><control "
                    "id='k{i}' systems='s{i}' period='0.25*i'>"
                    "<update>i*t</update></control></repeat></controls>" ZOH("1.5", "0.25"),
               NULL);
  ck_assert_int_eq(r.m->ncontrols, 3);
  ck_assert_double_eq(run_at(&r, 6, "s1.u"), 1.25);
  ck_assert_double_eq(run_at(&r, 6, "s2.u"), 2 * 1.0);
  ck_assert_double_eq(run_at(&r, 6, "s3.u"), 3 * 0.75);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, samples_fall_on_multiples_of_the_period);
  tcase_add_test(t, no_drift);
  tcase_add_test(t, blocks_act_in_their_order);
  tcase_add_test(t, a_run_in_pieces_has_the_same_bytes);
  tcase_add_test(t, mechanics_feel_a_new_force_at_once);
  tcase_add_test(t, nonlinear_mechanics_too);
  tcase_add_test(t, what_is_not_finite_stops_the_run_at_the_last_good_state);
  tcase_add_test(t, a_failed_step_undoes_its_sample);
  tcase_add_test(t, pid_is_the_sampled_loop);
  tcase_add_test(t, the_integral_does_not_wind_up);
  tcase_add_test(t, sensor_rounds_and_is_late);
  tcase_add_test(t, implicit_sliding_is_exact);
  tcase_add_test(t, implicit_command_is_continuous);
  tcase_add_test(t, explicit_sliding_chatters_in_a_band_of_two_periods);
  tcase_add_test(t, buck_converter_slides);
  tcase_add_test(t, buck_converter_crosses_where_the_duty_does_not_suffice);
  tcase_add_test(t, sliding_of_a_mechanical_plant);
  tcase_add_test(t, twisting_in_the_step_reaches_the_origin);
  tcase_add_test(t, sampled_twisting_comes_to_rest);
  tcase_add_test(t, super_twisting);
  tcase_add_test(t, observer_errors_shrink_by_their_poles);
  tcase_add_test(t, observer_behind_the_controller);
  tcase_add_test(t, controls_in_a_repeat);
}

int main(void) { return suite_run("controls", fill); }
