/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders of convergence and invariants of the Moreau-Jean scheme, against closed forms.
 *
 * Smooth motion: ratio of errors at h and h/2. With impacts errors scatter with the place of the
 * impact in the grid, so slopes are least-squares fits over many step lengths; positions are
 * measured in the maximum norm, velocities in L1 (jump times are shifted by O(h)). */
#include "support/run.h"
#include "support/slope.h"

#include <complex.h>

#define G 9.81

static const char *setting(char *buf, size_t n, const char *name, double value)
{
  snprintf(buf, n, "%s=%.17g", name, value);
  return buf;
}

/* ---- smooth motion --------------------------------------------------------------------------- */

static const char oscillator[] =
    "<model xmlns='urn:nssim:model:1' name='oscillator'><parameters>"
    "<parameter name='h' value='0.01'/><parameter name='theta' value='0.5'/>"
    "<parameter name='k' value='1'/><parameter name='q' value='1'/><parameter name='v' value='0'/>"
    "<parameter name='T' value='1'/></parameters><systems>"
    "<LagrangianLinearTIDS id='mass'><q0>q</q0><v0>v</v0><mass>1</mass><K>k</K>"
    "</LagrangianLinearTIDS></systems><simulation T='T'><TimeStepping h='h'>"
    "<MoreauJeanOSI theta='theta'/></TimeStepping></simulation></model>";

/* Final (q, v) of q'' = -k q. */
static void oscillate(double theta, double k, double h, double T, double q0, double v0, double *qv)
{
  char b[6][64];
  const char *set[] = {setting(b[0], 64, "h", h),
                       setting(b[1], 64, "theta", theta),
                       setting(b[2], 64, "k", k),
                       setting(b[3], 64, "q", q0),
                       setting(b[4], 64, "v", v0),
                       setting(b[5], 64, "T", T),
                       NULL};
  run r = run_load(oscillator, set);
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), NS_OK);
  qv[0] = r.x->q[0];
  qv[1] = r.x->v[0];
  run_end(&r);
}

START_TEST(theta_has_its_order_on_an_oscillator)
{
  static const struct {
    double theta, order;
  } row[] = {{0.5, 2}, {0.75, 1}, {1, 1}};
  double err[2];
  for (int k = 0; k < 2; k++) {
    double qv[2];
    oscillate(row[_i].theta, 1, 1.0 / (400 << k), 1, 1, 0, qv);
    err[k] = fabs(qv[0] - cos(1.0));
  }
  ck_assert_double_eq_tol(log2(err[0] / err[1]), row[_i].order, 0.02);
}
END_TEST

/* Amplification matrix from two one-step runs: m = 1, k = 9, h = 0.1. */
START_TEST(spectrum_is_that_of_the_theta_method)
{
  static const struct {
    double theta, radius;
  } row[] = {{0.5, 1}, {0.7, 0.98260905}, {1, 0.95782629}};
  double theta = row[_i].theta, h = 0.1, w2 = 9, a[2], b[2];
  oscillate(theta, w2, h, h, 1, 0, a);
  oscillate(theta, w2, h, h, 0, 1, b);
  double trace = a[0] + b[1], det = a[0] * b[1] - a[1] * b[0];
  double formula = (1 + h * h * w2 * (1 - theta) * (1 - theta)) / (1 + h * h * w2 * theta * theta);
  ck_assert_double_eq_tol(det, formula, 2e-15);
  double complex root = (trace + csqrt(trace * trace - 4 * det)) / 2;
  ck_assert_double_eq_tol(cabs(root), row[_i].radius, 1e-8);
  if (theta == 0.5) {
    ck_assert_double_eq_tol(cabs(root), 1, 1e-15);
    ck_assert_double_eq_tol(carg(root) / h, 2.97779895219, 1e-11);
    ck_assert_double_eq_tol(carg(root) / h, 2 / h * atan(3 * h / 2), 1e-13);
  }
}
END_TEST

/* theta = 1/2 keeps the energy of a linear system to rounding. */
START_TEST(midpoint_keeps_the_energy_of_an_oscillator)
{
  char b[2][64];
  const char *set[] = {setting(b[0], 64, "T", 1000), setting(b[1], 64, "h", 0.05), NULL};
  run r = run_load(oscillator, set);
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), NS_OK);
  ck_assert_int_eq((int)r.x->cert->steps, 20000);
  ck_assert_double_eq(r.x->cert->energy0, 0.5);
  ck_assert_double_le(r.x->cert->defect_max, 1e-12);
  run_end(&r);
}
END_TEST

/* Free double pendulum from the horizontal, error of (q, v) at t = 2 in the maximum norm; values
 * by DOP853 and Radau at tolerances 3e-14 and 1e-12, which agree to 2e-12. */
static double pendulum_error(double h, const char *theta, const char *mass_gamma)
{
  static const double want[] = {-0.482971534252, -1.3240487123, 3.06528819207, 2.94927154757};
  static const char pendulum[] =
      "<model xmlns='urn:nssim:model:1' name='p'><parameters><parameter name='h' value='1'/>"
      "<parameter name='theta' value='0.5'/><parameter name='mg' "
      "value='0.5'/></parameters><systems>"
      "<LagrangianDS id='arm' coordinates='a b'><q0>pi/2 pi/2</q0>"
      "<mass>2 cos(a-b); cos(a-b) 1</mass>"
      "<fGyr>sin(a-b)*v_b^2, -sin(a-b)*v_a^2</fGyr><fInt>2*9.81*sin(a), 9.81*sin(b)</fInt>"
      "</LagrangianDS></systems><simulation T='2'><TimeStepping h='h'>"
      "<MoreauJeanOSI theta='theta' massGamma='mg'/></TimeStepping></simulation></model>";
  char b[3][64];
  snprintf(b[1], sizeof b[1], "theta=%s", theta);
  snprintf(b[2], sizeof b[2], "mg=%s", mass_gamma);
  const char *set[] = {setting(b[0], 64, "h", h), b[1], b[2], NULL};
  run r = run_load(pendulum, set);
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), NS_OK);
  ck_assert_double_le(r.x->cert->newton_residual_max, 1);
  ck_assert_int_le(r.x->cert->newton_max, 4);
  double e = 0;
  for (int k = 0; k < 2; k++) {
    e = fmax(e, fabs(r.x->q[k] - want[k]));
    e = fmax(e, fabs(r.x->v[k] - want[2 + k]));
  }
  run_end(&r);
  return e;
}

START_TEST(nonlinear_systems_have_the_same_orders)
{
  static const struct {
    const char *theta, *mass_gamma;
    double order;
  } row[] = {{"0.5", "0.5", 2}, {"1", "0.5", 1}, {"0.5", "1", 1}};
  double a = pendulum_error(5e-4, row[_i].theta, row[_i].mass_gamma);
  double b = pendulum_error(2.5e-4, row[_i].theta, row[_i].mass_gamma);
  ck_assert_double_eq_tol(log2(a / b), row[_i].order, row[_i].order == 2 ? 0.005 : 0.05);
}
END_TEST

/* ---- with impacts ---------------------------------------------------------------------------- */

static const char ball[] =
    "<model xmlns='urn:nssim:model:1' name='ball'><parameters><parameter name='h' value='1e-3'/>"
    "<parameter name='T' value='1'/><parameter name='e' value='0.5'/>"
    "<parameter name='theta' value='0.5'/></parameters><systems>"
    "<LagrangianLinearTIDS id='ball' coordinates='x'><q0>1</q0><mass>1</mass><fExt>-9.81</fExt>"
    "</LagrangianLinearTIDS></systems><interactions><interaction id='ground' systems='ball'>"
    "<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e='e'/></interaction>"
    "</interactions><simulation T='T'><TimeStepping h='h'><MoreauJeanOSI theta='theta'/>"
    "</TimeStepping></simulation></model>";

/* Exact height and velocity of the ball dropped from 1 with e = 1/2, before the accumulation. */
static void exact_ball(double t, double *x, double *v)
{
  double t1 = sqrt(2 / G), e = 0.5, begin = t1, v0 = e * G * t1;
  if (t < t1) {
    *x = 1 - G * t * t / 2;
    *v = -G * t;
    return;
  }
  while (t > begin + 2 * v0 / G) {
    begin += 2 * v0 / G;
    v0 *= e;
  }
  t -= begin;
  *x = v0 * t - G * t * t / 2;
  *v = v0 - G * t;
}

/* Impacts in (0, 1): errors of position (maximum) and velocity (L1). */
static void ball_errors(double h, double *eq, double *ev)
{
  char b[64];
  const char *set[] = {setting(b, 64, "h", h), NULL};
  run r = run_load(ball, set);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  size_t t = capture_column(&r.got, "time"), x = capture_column(&r.got, "ball.x"),
         v = capture_column(&r.got, "ball.v_x");
  *eq = *ev = 0;
  for (size_t i = 0; i < r.got.nrows; i++) {
    const double *row = r.got.rows + i * r.got.ncols;
    double xe, ve;
    exact_ball(row[t], &xe, &ve);
    *eq = fmax(*eq, fabs(row[x] - xe));
    *ev += h * fabs(row[v] - ve);
  }
  run_end(&r);
}

START_TEST(order_with_impacts_is_about_one)
{
  enum { N = 42 };
  double h[N], eq[N], ev[N];
  for (int i = 0; i < N; i++) {
    h[i] = 1 / floor(200 * pow(12500.0 / 200, i / (N - 1.0))); /* 5e-3 ... 8e-5, T on the grid */
    ball_errors(h[i], &eq[i], &ev[i]);
  }
  ck_assert_double_eq_tol(slope(h, eq, N), 0.9, 0.15);
  ck_assert_double_eq_tol(slope(h, ev, N), 0.9, 0.15);
}
END_TEST

START_TEST(ball_comes_to_rest_after_the_accumulation)
{
  const char *set[] = {"T=3", NULL};
  run r = run_load(ball, set);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  size_t last = (r.got.nrows - 1) * r.got.ncols;
  ck_assert_double_eq_tol(r.got.rows[last + capture_column(&r.got, "ground.lambda")] / 1e-3, G,
                          1e-12);
  ck_assert_double_le(fabs(r.got.rows[last + capture_column(&r.got, "ball.x")]), 1.3e-6);
  ck_assert_double_le(fabs(r.got.rows[last + capture_column(&r.got, "ball.v_x")]), 1e-15);
  ck_assert_double_eq_tol(r.x->cert->penetration_max, 3.2e-3, 1e-4);
  /* the first six impacts, found to within a step after their time */
  double t1 = sqrt(2 / G), at = t1, flight = t1;
  ck_assert_uint_ge(r.got.nevents, 7);
  for (int k = 0; k < 6; k++) {
    ck_assert_int_eq(r.got.events[k].kind, NS_EVENT_IMPACT);
    ck_assert_double_eq_tol(r.got.events[k].t, at, 5e-3); /* O(h) times the flights so far */
    ck_assert_double_eq_tol(r.got.events[k].after, -0.5 * r.got.events[k].before, 1e-14);
    at += flight;
    flight /= 2;
  }
  /* and then one lasting contact, never released; rebounds of less than two steps are no impacts */
  for (size_t k = 0; k + 1 < r.got.nevents; k++) {
    ck_assert_int_eq(r.got.events[k].kind, NS_EVENT_IMPACT);
    ck_assert_double_lt(r.got.events[k].before, -G * 1e-3);
  }
  ck_assert_int_eq(r.got.events[r.got.nevents - 1].kind, NS_EVENT_CONTACT);
  ck_assert_double_eq_tol(r.got.events[r.got.nevents - 1].t, 3 * t1, 0.02);
  run_end(&r);
}
END_TEST

/* Contact work of an impact is P (U+ + U-)/2 = -(1-e^2)/2 m U-^2; none for e = 1, theta = 1/2. */
START_TEST(elastic_impacts_keep_the_energy)
{
  const char *set[] = {"e=1", "T=10", NULL};
  run r = run_load(ball, set);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  ck_assert_int_ge((int)r.x->cert->impacts, 10);
  ck_assert_double_le(fabs(r.x->cert->work_contact), 1e-12);
  ck_assert_double_le(r.x->cert->defect_max, 1e-11);
  run_end(&r);
}
END_TEST

START_TEST(impact_work_is_that_of_newtons_law)
{
  run r = run_load(ball, NULL);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  double work = 0;
  for (size_t k = 0; k < r.got.nevents; k++)
    work += r.got.events[k].impulse * (r.got.events[k].before + r.got.events[k].after) / 2;
  ck_assert_double_eq_tol(r.x->cert->work_contact, work, 1e-13);
  ck_assert_double_lt(work, -7);
  run_end(&r);
}
END_TEST

/* Impact oscillator, one impact a period of the force: speed of impact V (Shaw & Holmes 1983). */
static double oscillator_speed(double steps, const char *w, const char *e)
{
  static const char text[] =
      "<model xmlns='urn:nssim:model:1' name='o'><parameters><parameter name='w' value='2.2'/>"
      "<parameter name='r' value='0.8'/><parameter name='n' value='1000'/></parameters><systems>"
      "<LagrangianLinearTIDS id='mass'><q0>-0.5</q0><mass>1</mass><K>1</K><fExt>cos(w*t)</fExt>"
      "</LagrangianLinearTIDS></systems><interactions><interaction id='wall' systems='mass'>"
      "<LagrangianLinearTIR><H>-1</H></LagrangianLinearTIR><NewtonImpactNSL e='r'/></interaction>"
      "</interactions><simulation T='200*2*pi/w'><TimeStepping h='2*pi/w/n'><MoreauJeanOSI/>"
      "</TimeStepping></simulation><output every='1000000'/></model>";
  char b[3][64];
  snprintf(b[0], 64, "w=%s", w);
  snprintf(b[1], 64, "r=%s", e);
  const char *set[] = {b[0], b[1], setting(b[2], 64, "n", steps), NULL};
  run r = run_load(text, set);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  double v = 0;
  for (int k = 1; k <= 20; k++) v -= r.got.events[r.got.nevents - (size_t)k].before / 20;
  run_end(&r);
  return v;
}

START_TEST(impact_oscillator_has_its_speed)
{
  static const struct {
    const char *w, *r;
    double V;
  } row[] = {
      {"2.2", "0.8", 1.89874873831}, {"2.2", "0.6", 1.77624713545}, {"1.8", "0.7", 2.60327724637}};
  enum { N = 24 };
  double h[N], err[N], w = atof(row[_i].w), e = atof(row[_i].r);
  double closed = 2 / fabs(1 - w * w) / sqrt(pow((1 + e) / tan(M_PI / w), 2) + pow((1 - e) / w, 2));
  ck_assert_double_eq_tol(closed, row[_i].V, 1e-11);
  for (int i = 0; i < N; i++) {
    double n = floor(300 * pow(20, i / (N - 1.0)) + 0.37 * i);
    h[i] = 1 / n;
    err[i] = fabs(oscillator_speed(n, row[_i].w, row[_i].r) / closed - 1);
  }
  ck_assert_double_eq_tol(slope(h, err, N), 1, 0.2);
  ck_assert_double_le(err[N - 1], 2e-3);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, theta_has_its_order_on_an_oscillator, 0, 3);
  tcase_add_loop_test(t, spectrum_is_that_of_the_theta_method, 0, 3);
  tcase_add_test(t, midpoint_keeps_the_energy_of_an_oscillator);
  tcase_add_loop_test(t, nonlinear_systems_have_the_same_orders, 0, 3);
  tcase_add_test(t, order_with_impacts_is_about_one);
  tcase_add_test(t, ball_comes_to_rest_after_the_accumulation);
  tcase_add_test(t, elastic_impacts_keep_the_energy);
  tcase_add_test(t, impact_work_is_that_of_newtons_law);
  tcase_add_loop_test(t, impact_oscillator_has_its_speed, 0, 3);
}

int main(void) { return suite_run("orders", fill); }
