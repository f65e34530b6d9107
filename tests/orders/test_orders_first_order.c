/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First-order systems against closed forms: exactness where the scheme is exact, orders of
 * convergence elsewhere.
 *
 * Errors are max-norms over the nodes of the grid. Where a switch falls anywhere in the grid errors
 * scatter, and the order is a least-squares slope over several step lengths. theta = gamma = 1
 * unless stated. */
#include "support/run.h"
#include "support/slope.h"

#define PI 3.14159265358979323846

/* A model of one system and one interaction. scheme: attributes of EulerMoreauOSI. */
#define MODEL(system, interaction, scheme) \
  "<model xmlns='urn:nssim:model:1' name='case'><parameters><parameter name='h' value='0.1'/>" \
  "<parameter name='T' value='1'/><parameter name='a' value='1'/></parameters><systems>" system \
  "</systems><interactions><interaction id='i' systems='s'>" interaction \
  "</interaction></interactions><simulation T='T'><TimeStepping h='h'>" scheme \
  "</TimeStepping></simulation></model>"
#define EULER "<EulerMoreauOSI/>"
#define LINEAR(x0, A, b) \
  "<FirstOrderLinearTIDS id='s'><x0>" x0 "</x0><A>" A "</A><b>" b "</b></FirstOrderLinearTIDS>"
#define VARYING(x0, A, b) \
  "<FirstOrderLinearDS id='s'><x0>" x0 "</x0><A>" A "</A><b>" b "</b></FirstOrderLinearDS>"

/* The whole run at step h to T, every row kept. */
static run solve(const char *model, double h, double T)
{
  char sh[64], sT[64];
  const char *set[] = {sh, sT, NULL};
  snprintf(sh, sizeof sh, "h=%.17g", h);
  snprintf(sT, sizeof sT, "T=%.17g", T);
  run r = run_load(model, set);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  return r;
}

static double time_of(const run *r, size_t row) { return run_at(r, row, "time"); }

/* max |component - exact| over the rows from `from`. */
static double error(const run *r, size_t from, const char *label, double (*exact)(double t, int k),
                    int k)
{
  double worst = 0;
  for (size_t i = from; i < r->got.nrows; i++)
    worst = fmax(worst, fabs(run_at(r, i, label) - exact(time_of(r, i), k)));
  return worst;
}

static double order(const char *model, double T, const int *steps, int n, const char *label,
                    double (*exact)(double t, int k), int k)
{
  double h[16], e[16];
  for (int i = 0; i < n; i++) {
    h[i] = T / steps[i];
    run r = solve(model, h[i], T);
    e[i] = error(&r, 1, label, exact, k);
    run_end(&r);
  }
  return slope(h, e, n);
}

static void near(double got, double want, double tol)
{
  ck_assert_msg(fabs(got - want) <= tol, "%.17g, want %.17g within %g", got, want, tol);
}

/* ---- V1: LC oscillator with a resistor behind a diode ---------------------------------------- */

enum { VC, IL };
#define RLCD(scheme) \
  MODEL(LINEAR("10 0", "0 -1e6; 100 0", "0 0"), \
        "<FirstOrderLinearTIR><C>-1 0</C><D>1e3</D><B>-1e6; 0</B></FirstOrderLinearTIR>" \
        "<ComplementarityConditionNSL/>", \
        scheme)

/* x(t) from x0 along v' = -v/(RC) - i/C, i' = v/L, damped or not. */
static void arc(int damped, double t, double *x)
{
  double a = damped ? 500 : 0, w = sqrt(1e8 - a * a), c = cos(w * t), s = sin(w * t) / w,
         f = exp(-a * t);
  double v = x[VC], i = x[IL];
  x[VC] = f * (c * v + s * ((a - 2 * a) * v - 1e6 * i));
  x[IL] = f * (c * i + s * (100 * v + a * i));
}

static double rlcd(double t, int k)
{
  double wd = sqrt(1e8 - 500 * 500), x[] = {10, 0}, left = t;
  for (int damped = 1, first = 1;; damped = !damped, first = 0) {
    double length = first ? atan(wd / 500) / wd : damped ? PI / wd : PI / 1e4;
    if (left <= length) {
      arc(damped, left, x);
      return x[k];
    }
    arc(damped, length, x);
    x[VC] = 0;
    left -= length;
  }
}

static const int fine[] = {1600, 2260, 3200, 4520, 6400, 9040, 12800};

START_TEST(v1_known_values)
{
  near(rlcd(2e-3, VC), 2.208187, 5e-7);
  near(rlcd(2e-3, IL), 0.053547, 5e-7);
  near(rlcd(5e-3, VC), 2.800403, 5e-7);
  near(rlcd(5e-3, IL), -0.00844, 5e-6);
}
END_TEST

START_TEST(v1_orders)
{
  static const struct {
    const char *model;
    double min, max;
  } row[] = {{RLCD(EULER), 0.93, 1.05},
             {RLCD("<EulerMoreauOSI theta='0.5'/>"), 0.95, 1.08},
             {RLCD("<EulerMoreauOSI theta='0.5' gamma='0.5'/>"), 1.9, 2.1},
             {RLCD("<EulerMoreauOSI theta='0.5' gamma='0.5' formulation='full'/>"), 1.9, 2.1}};
  double p = order(row[_i].model, 2e-3, fine, 7, "s.x[0]", rlcd, VC);
  ck_assert_msg(p > row[_i].min && p < row[_i].max, "case %d: order %g", _i, p);
}
END_TEST

static double energy(const run *r, size_t i)
{
  double v = run_at(r, i, "s.x[0]"), c = run_at(r, i, "s.x[1]");
  return 0.5 * 1e-6 * v * v + 0.5 * 1e-2 * c * c;
}

START_TEST(v1_energy)
{
  double h = 5e-6;
  run r = solve(RLCD("<EulerMoreauOSI theta='0.5' gamma='0.5' formulation='full'/>"), h, 2e-3);
  for (size_t i = 1; i < r.got.nrows; i++) {
    double l = run_at(&r, i, "i.lambda");
    near(energy(&r, i) - energy(&r, i - 1), -h * 1e3 * l * l, 1e-19); /* E0 = 5e-5 J */
  }
  run_end(&r);
  r = solve(RLCD(EULER), h, 2e-3);
  for (size_t i = 1; i < r.got.nrows; i++) ck_assert(energy(&r, i) <= energy(&r, i - 1));
  run_end(&r);
}
END_TEST

/* ---- V2: half-wave rectifier ----------------------------------------------------------------- */

#define W (100 * PI)
static const char half_wave[] = MODEL(VARYING("0", "-10/0.05", "100/0.05*sin(100*pi*t)"),
                                      "<FirstOrderLinearTIR><C>1</C><B>1/0.05</B></"
                                      "FirstOrderLinearTIR><ComplementarityConditionNSL/>",
                                      EULER);

static double half_wave_current(double t, int k)
{
  (void)k;
  double Z = hypot(10, W * 0.05), phi = atan2(W * 0.05, 10), s = fmod(t, 2 * PI / W);
  if (W * s >= 4.20357477 || t < 0) return 0;
  return 100 / Z * (sin(W * s - phi) + sin(phi) * exp(-10 * s / 0.05));
}

START_TEST(v2_rectifier)
{
  static const int steps[] = {400, 640, 1000, 1600, 2500};
  double p = order(half_wave, 0.04, steps, 5, "s.x[0]", half_wave_current, 0);
  ck_assert_msg(p > 0.95 && p < 1.05, "order %g", p);
  double mean = 0, h = 1e-6;
  run r = solve(half_wave, h, 0.02);
  for (size_t i = 1; i < r.got.nrows; i++)
    mean += run_at(&r, i, "s.x[0]") / (double)(r.got.nrows - 1);
  /* error of the scheme: h times 66 A/s */
  near(mean, 100 * (1 - cos(4.20357477)) / (2 * PI * 10), 2e-4);
  for (size_t i = 15000; i < r.got.nrows; i++) { /* blocked */
    near(run_at(&r, i, "s.x[0]"), 0, 1e-15);
    near(run_at(&r, i, "i.lambda"), -100 * sin(W * time_of(&r, i)), 1e-12);
  }
  run_end(&r);
}
END_TEST

/* ---- V3: diode bridge: the oscillator sees a plain resistor ---------------------------------- */

static const char bridge[] = MODEL(
    LINEAR("10 0", "0 -1e6; 100 0", "0 0"),
    "<FirstOrderLinearTIR><C>0 0; 0 0; -1 0; 1 0</C><D>1e-3 1e-3 -1 0; 1e-3 1e-3 0 -1; 1 0 0 0; 0 "
    "1 0 0</D>"
    "<B>0 0 -1e6 1e6; 0 0 0 0</B></FirstOrderLinearTIR><ComplementarityConditionNSL/>",
    EULER);

static double bridged(double t, int k)
{
  double x[] = {10, 0};
  arc(1, t, x);
  return x[k];
}

START_TEST(v3_bridge)
{
  double h = 1e-6, v = 10, i = 0;
  run r = solve(bridge, h, 2e-3);
  for (size_t n = 1; n < r.got.nrows; n++) {
    /* implicit Euler on v' = -i/C - v/(RC), i' = v/L */
    v = (v - h * 1e6 * i) / (1 + h * 1e3 + h * h * 1e8);
    i += h * 100 * v;
    near(run_at(&r, n, "s.x[0]"), v, 1e-12);
    near(run_at(&r, n, "s.x[1]"), i, 1e-14);
  }
  run_end(&r);
  near(bridged(2e-3, VC), 1.418583, 5e-7);
  near(bridged(2e-3, IL), 0.033241, 5e-7);
  double p = order(bridge, 2e-3, fine, 7, "s.x[0]", bridged, VC);
  ck_assert_msg(p > 0.9 && p < 1.05, "order %g", p);
}
END_TEST

/* ---- V4: relays ------------------------------------------------------------------------------ */

#define RELAY(lb, ub) "<RelayNSL lb='" lb "' ub='" ub "'/>"

START_TEST(v4_relay)
{
  run r = solve(
      MODEL(LINEAR("1.05", "0", "0"),
            "<FirstOrderLinearTIR><C>1</C><B>1</B></FirstOrderLinearTIR>" RELAY("-1", "1"), EULER),
      0.1, 2);
  for (size_t k = 0; k <= 10; k++) near(run_at(&r, k, "s.x[0]"), 1.05 - 0.1 * (double)k, 1e-15);
  for (size_t k = 11; k <= 20; k++) near(run_at(&r, k, "s.x[0]"), 0, 1e-16);
  near(run_at(&r, 11, "i.lambda"), -0.5, 1e-14);
  for (size_t k = 12; k <= 20; k++) near(run_at(&r, k, "i.lambda"), 0, 1e-14);
  run_end(&r);
  r = solve(MODEL(LINEAR("1", "0.5", "0.8"),
                  "<FirstOrderLinearTIR><C>1</C><B>2</B></FirstOrderLinearTIR>" RELAY("-1", "1"),
                  EULER),
            1e-3, 2);
  size_t first = 0;
  while (fabs(run_at(&r, first, "s.x[0]")) > 1e-14) first++;
  near(time_of(&r, first), 2 * log(2.4 / 1.4), 2e-3);
  for (size_t k = first + 1; k < r.got.nrows; k++) {
    near(run_at(&r, k, "s.x[0]"), 0, 1e-15);
    near(run_at(&r, k, "i.lambda"), -0.4, 1e-12);
  }
  run_end(&r);
}
END_TEST

/* ---- V5: twisting, a Zeno point in finite time ----------------------------------------------- */

START_TEST(v5_twisting)
{
  static const double h[] = {0.01, 0.005, 0.0025, 0.00125}, min[] = {1.7, 1.75, 1.85, 2.0};
  for (int k = 0; k < 4; k++) {
    run r = solve(
        MODEL(LINEAR("0 1", "0 1; 0 0", "0 0"),
              "<FirstOrderLinearTIR><C>1 0; 0 1</C><B>0 0; 2 1</B></FirstOrderLinearTIR>" RELAY(
                  "-1", "1"),
              EULER),
        h[k], 3);
    size_t n = r.got.nrows, last = n;
    while (last > 0 &&
           hypot(run_at(&r, last - 1, "s.x[0]"), run_at(&r, last - 1, "s.x[1]")) < 1e-12)
      last--;
    ck_assert_msg(last < n, "h = %g: does not settle", h[k]);
    double settled = time_of(&r, last), exact = 2.154700538;
    ck_assert_msg(settled > min[k] && settled < exact + h[k], "h = %g: settles at %g", h[k],
                  settled);
    run_end(&r);
  }
}
END_TEST

/* ---- V6: sliding mode in two dimensions ------------------------------------------------------ */

static const char sliding[] = MODEL(
    LINEAR("1 1", "0 1; 0 -1", "0 0"),
    "<FirstOrderLinearTIR><C>1 1</C><B>0; 2</B></FirstOrderLinearTIR>" RELAY("-1", "1"), EULER);

static double sliding_x1(double t, int k)
{
  (void)k;
  return t <= 1 ? 4 - 2 * t - 3 * exp(-t) : (2 - 3 * exp(-1.0)) * exp(1 - t);
}

START_TEST(v6_sliding)
{
  for (int n = 10; n <= 1000; n *= 10) {
    run r = solve(sliding, 1.0 / n, 2);
    for (size_t k = 0; k < r.got.nrows; k++) {
      near(run_at(&r, k, "s.x[0]") + run_at(&r, k, "s.x[1]"), fmax(2 - 2.0 * (double)k / n, 0),
           4e-15 * n);
      if (k > (size_t)n + 1) near(run_at(&r, k, "i.lambda"), 0, 1e-12);
    }
    run_end(&r);
  }
  static const int steps[] = {100, 200, 400, 800, 1600};
  double p = order(sliding, 2, steps, 5, "s.x[0]", sliding_x1, 0);
  ck_assert_msg(p > 0.95 && p < 1.05, "order %g", p);
}
END_TEST

/* ---- V7: two relays that turn about the origin ----------------------------------------------- */

START_TEST(v7_filippov)
{
  static const double h[] = {0.01, 0.001};
  for (int k = 0; k < 2; k++) {
    run r = solve(
        MODEL(LINEAR("1 1", "0 0; 0 0", "0 0"),
              "<FirstOrderLinearTIR><C>1 0; 0 1</C><B>1 -2; 2 1</B></FirstOrderLinearTIR>" RELAY(
                  "-1", "1"),
              EULER),
        h[k], 1.2);
    for (size_t i = 0; i < r.got.nrows; i++) {
      double t = time_of(&r, i), V = fabs(run_at(&r, i, "s.x[0]")) + fabs(run_at(&r, i, "s.x[1]"));
      near(V, fmax(2 - 2 * t, 0), 9 * h[k]);
      if (t > 1 + 10 * h[k]) near(V, 0, 1e-15);
    }
    run_end(&r);
  }
}
END_TEST

/* ---- V8: play operator ----------------------------------------------------------------------- */

START_TEST(v8_play)
{
  double rho = 0.3, x = 0, area = 0, u0 = 0;
  run r = run_load("models/play-operator/play-operator.xml", NULL);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  ck_assert_uint_eq(r.got.nrows, 801);
  for (size_t k = 1; k < r.got.nrows; k++) {
    double u = sin(time_of(&r, k)), old = x;
    x = fmin(fmax(x, u - rho), u + rho);
    near(run_at(&r, k, "play.x"), x, 2e-15);
    if (k > 400) area += (x + old) / 2 * (u - u0);
    u0 = u;
  }
  near(fabs(area), 0.839967, 5e-7); /* 4 rho (1 - rho) = 0.84 as h -> 0 */
  run_end(&r);
}
END_TEST

/* ---- V9, V10: initial jumps; relative degree 2 ----------------------------------------------- */

START_TEST(v9_jump)
{
  double h = 1e-3;
  run r = solve(MODEL(LINEAR("-1 0", "-1 0; 0 -1", "0 0"),
                      "<FirstOrderLinearTIR><C>1 0</C><B>2/3; "
                      "-1/3</B></FirstOrderLinearTIR><ComplementarityConditionNSL/>",
                      EULER),
                h, 1);
  near(run_at(&r, 1, "s.x[0]"), 0, 1e-15);
  near(run_at(&r, 1, "s.x[1]"), -0.5 / (1 + h), 1e-15);
  near(h * run_at(&r, 1, "i.lambda"), 1.5, 1e-14);
  for (size_t k = 2; k < r.got.nrows; k++) near(run_at(&r, k, "i.lambda"), 0, 1e-12);
  run_end(&r);
}
END_TEST

#define DEGREE2(x0) \
  MODEL(LINEAR(x0, "0 1; 0 0", "0 0"), \
        "<FirstOrderLinearTIR><C>1 0</C><B>0; " \
        "1</B></FirstOrderLinearTIR><ComplementarityConditionNSL/>", \
        EULER)

START_TEST(v10_degree_two)
{
  for (double h = 0.1; h > 5e-4; h /= 10) {
    run r = solve(DEGREE2("-1 0"), h, 2 * h);
    near(run_at(&r, 1, "s.x[1]") * h, 1, 1e-13);
    near(run_at(&r, 1, "i.lambda") * h * h, 1, 1e-13);
    run_end(&r);
  }
  run r = solve(DEGREE2("0.5 -1"), 0.1, 1);
  for (size_t k = 6; k < r.got.nrows; k++) {
    near(run_at(&r, k, "s.x[0]"), 0, 1e-15);
    if (k > 6) near(run_at(&r, k, "s.x[1]"), 0, 1e-14);
  }
  run_end(&r);
}
END_TEST

/* ---- V11, V12: genes ------------------------------------------------------------------------- */

START_TEST(v11_gene)
{
  run r = run_load("models/gene-switch/gene-switch.xml", NULL);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  double hit = log(1.4), h = 1e-3;
  for (size_t k = 1; k < r.got.nrows; k++) {
    double t = time_of(&r, k);
    if (t < hit) near(run_at(&r, k, "gene.c"), 3 - 2.8 * exp(-t), 2 * h);
    if (t > hit + 2 * h) {
      near(run_at(&r, k, "gene.c"), 1, 1e-15);
      near(run_at(&r, k, "repression.lambda"), 1.0 / 3, 1e-12);
    }
  }
  run_end(&r);
}
END_TEST

/* On the n-th quarter turn from (A, 0): along an axis to the next by x' = -x - s, each component on
 * its own. */
static double loop(double t, int k)
{
  double a = 1, x[2] = {1, 0};
  double sx = 1; /* quarter: (a, 0) -> (0, -+a') */
  for (int n = 0;; n++) {
    double length = log(1 + a); /* to the next axis */
    double s = fmin(t, length), f = exp(-s);
    /* the component that falls to zero, and the one that grows: in a frame that turns */
    double falls = (a + 1) * f - 1, grows = 1 - f;
    if (t <= length) {
      switch (n % 4) {
      case 0: x[0] = falls, x[1] = grows; break;
      case 1: x[1] = falls, x[0] = -grows; break;
      case 2: x[0] = -falls, x[1] = -grows; break;
      default: x[1] = -falls, x[0] = grows; break;
      }
      return sx * x[k];
    }
    t -= length;
    a = a / (1 + a);
  }
}

START_TEST(v12_loop)
{
  run r = run_load("models/gene-negative-loop/gene-negative-loop.xml", NULL);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  ck_assert_double_le(fmax(error(&r, 0, "genes.a", loop, 0), error(&r, 0, "genes.b", loop, 1)),
                      2e-3);
  run_end(&r);
}
END_TEST

/* ---- V13: buck converter in discontinuous conduction ----------------------------------------- */

START_TEST(v13_discontinuous)
{
  /* the source on a step is its value inside: half a step before its end */
  run r = solve(MODEL(VARYING("0", "0", "(mod(t-h/2, 1e-4) &lt; 0.4e-4 ? 12 : 0)/1e-4 - 8/1e-4"),
                      "<FirstOrderLinearTIR><C>1</C><B>1e4</B></"
                      "FirstOrderLinearTIR><ComplementarityConditionNSL/>",
                      EULER),
                1e-6, 3e-4);
  double mean = 0;
  for (size_t k = 0; k < r.got.nrows; k++) {
    double s = fmod((double)k, 100) * 1e-6;
    double i = s <= 0.4e-4 ? 4e4 * s : fmax(1.6 - 8e4 * (s - 0.4e-4), 0);
    near(run_at(&r, k, "s.x[0]"), i, 1e-13);
    if (k > 0 && k <= 100) mean += run_at(&r, k, "s.x[0]") / 100;
  }
  near(mean, 0.48, 1e-13);
  run_end(&r);
}
END_TEST

/* ---- V14: buck converter under sliding-mode control ------------------------------------------ */

#define V14(x0) \
  MODEL(LINEAR(x0, "0 -1/1e-3; 1/1e-4 -1/(10*1e-4)", "0 0"), \
        "<FirstOrderLinearTIR><C>5, 1-5e-4/(10*1e-4)</C><e>-10</e><B>20/1e-3; " \
        "0</B></FirstOrderLinearTIR>" RELAY("0", "1"), \
        EULER)

START_TEST(v14_sliding_buck)
{
  double h = 5e-6, tau = 5e-4;
  run r = solve(V14("0 8"), h, 4e-3);
  size_t first = 0;
  while (fabs(run_at(&r, first, "i.y")) > 1e-11) first++;
  near(time_of(&r, first), 1e-4, 2 * h);
  for (size_t k = first + 1; k < r.got.nrows; k++) {
    double v0 = run_at(&r, k - 1, "s.x[1]"), v = run_at(&r, k, "s.x[1]");
    near(run_at(&r, k, "i.y"), 0, 1e-11);
    if (k > first + 1) near(v - 10, (v0 - 10) / (1 + h / tau), 1e-12);
  }
  near(run_at(&r, r.got.nrows - 1, "i.lambda"), 0.5, 1e-3);
  run_end(&r);
  /* from v = 0 the first hit would need u outside of [0, 1]: crossed, not kept */
  r = solve(V14("0 0"), h, 1e-3);
  size_t hit = 0;
  while (run_at(&r, hit, "i.y") < 0) hit++;
  ck_assert_msg(run_at(&r, hit + 3, "i.y") > 1e-6, "slides, y = %g", run_at(&r, hit + 3, "i.y"));
  run_end(&r);
}
END_TEST

/* ---- V15: nonlinear relation, input that depends on the state -------------------------------- */

static const char curved[] = MODEL(
    "<FirstOrderNonLinearDS id='s'><x0>0.5</x0><f>x[0]</f></FirstOrderNonLinearDS>",
    "<FirstOrderNonLinearR><h>1-x[0]^2</h><g>-2*x[0]*lambda[0]</g></FirstOrderNonLinearR>"
    "<ComplementarityConditionNSL/>",
    EULER);

static double curved_x(double t, int k)
{
  (void)k;
  return fmin(0.5 * exp(t), 1);
}

START_TEST(v15_nonlinear)
{
  static const int steps[] = {100, 141, 200, 283, 400, 566, 800};
  double p = order(curved, 2, steps, 7, "s.x[0]", curved_x, 0);
  ck_assert_msg(p > 0.9 && p < 1.1, "order %g", p);
  run r = solve(curved, 0.02, 2);
  near(run_at(&r, r.got.nrows - 1, "s.x[0]"), 1, 1e-12);
  near(run_at(&r, r.got.nrows - 1, "i.lambda"), 0.5, 1e-12);
  ck_assert_int_le(r.x->cert->newton_max, 4);
  run_end(&r);
}
END_TEST

/* ---- V18: zero-order hold -------------------------------------------------------------------- */

START_TEST(v18_zero_order_hold)
{
  double h = 0.3;
  run r = run_load("<model xmlns='urn:nssim:model:1' name='zoh'><systems>"
                   "<FirstOrderLinearTIDS id='s'><x0>1 -1</x0><A>0 1; -4 -0.4</A><b>0 "
                   "1</b></FirstOrderLinearTIDS>"
                   "</systems><simulation T='30'><TimeStepping "
                   "h='0.3'><ZeroOrderHoldOSI/></TimeStepping></simulation>"
                   "</model>",
                   NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  double w = sqrt(4 - 0.04), c0 = 1 - 0.25;
  for (size_t k = 0; k < r.got.nrows; k++) {
    double t = (double)k * h, f = exp(-0.2 * t), a = c0, b = (-1 + 0.2 * c0) / w;
    near(run_at(&r, k, "s.x[0]"), 0.25 + f * (a * cos(w * t) + b * sin(w * t)), 2e-14);
  }
  run_end(&r);
  r = solve(MODEL(LINEAR("1", "1", "0"),
                  "<FirstOrderLinearTIR><C>1</C><B>2</B></FirstOrderLinearTIR>" RELAY("-1", "1"),
                  "<ZeroOrderHoldOSI/>"),
            0.05, 2);
  size_t first = 0;
  while (fabs(run_at(&r, first, "s.x[0]")) > 1e-14) first++;
  ck_assert_double_lt(time_of(&r, first), log(2) + 0.1);
  for (size_t k = first; k < r.got.nrows; k++) near(run_at(&r, k, "s.x[0]"), 0, 1e-15);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 120);
  tcase_add_test(t, v1_known_values);
  tcase_add_loop_test(t, v1_orders, 0, 4);
  tcase_add_test(t, v1_energy);
  tcase_add_test(t, v2_rectifier);
  tcase_add_test(t, v3_bridge);
  tcase_add_test(t, v4_relay);
  tcase_add_test(t, v5_twisting);
  tcase_add_test(t, v6_sliding);
  tcase_add_test(t, v7_filippov);
  tcase_add_test(t, v8_play);
  tcase_add_test(t, v9_jump);
  tcase_add_test(t, v10_degree_two);
  tcase_add_test(t, v11_gene);
  tcase_add_test(t, v12_loop);
  tcase_add_test(t, v13_discontinuous);
  tcase_add_test(t, v14_sliding_buck);
  tcase_add_test(t, v15_nonlinear);
  tcase_add_test(t, v18_zero_order_hold);
}

int main(void) { return suite_run("orders, first order", fill); }
