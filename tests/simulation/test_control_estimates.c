/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters and observers against other ways to compute them: the Kalman filter against its matrices,
 * the extended one against a filter whose derivatives are differences, the sliding observer and the
 * controller of order two against closed forms. */
#include "algebra/expm.h"
#include "support/interrupted.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'>"
#define ZOH(T, h) \
  "<simulation T='" T "'><TimeStepping " \
  "h='" h "'><ZeroOrderHoldOSI/></TimeStepping></simulation></model>"

static double uniform(unsigned long *seed) { return (double)next_random(seed) / 1073741824.0 - 1; }

/* ---- a Kalman filter by rows, one measurement ------------------------------------------------ */

enum { N = 2 };

typedef struct filter {
  double x[N], P[N][N];
} filter;

static void predict(filter *k, double Phi[N][N], double Q[N][N])
{
  double T[N][N], R[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      T[i][j] = 0;
      for (int l = 0; l < N; l++) T[i][j] += Phi[i][l] * k->P[l][j];
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      R[i][j] = Q[i][j];
      for (int l = 0; l < N; l++) R[i][j] += T[i][l] * Phi[j][l];
    }
  memcpy(k->P, R, sizeof R);
}

/* The textbook's P = (I - K H) P. */
static void correct(filter *k, const double *H, double r, double innovation)
{
  double PH[N], S = r, P[N][N];
  for (int i = 0; i < N; i++) {
    PH[i] = 0;
    for (int j = 0; j < N; j++) PH[i] += k->P[i][j] * H[j];
  }
  for (int i = 0; i < N; i++) S += H[i] * PH[i];
  for (int i = 0; i < N; i++) k->x[i] += PH[i] / S * innovation;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) P[i][j] = k->P[i][j] - PH[i] * PH[j] / S;
  memcpy(k->P, P, sizeof P);
}

/* A random linear plant with a command that is held; sampled: its matrices are those of the filter,
 * else its rates. */
START_TEST(linear_plants)
{
  unsigned long seed = 40 + (unsigned long)_i;
  int sampled = _i % 2;
  double A[4], Phi[4], Psi[4], c[N], b[N], T = 0.1; /* A by columns */
  for (int i = 0; i < 4; i++) A[i] = 1.5 * uniform(&seed);
  for (int i = 0; i < N; i++) c[i] = uniform(&seed), b[i] = uniform(&seed);
  ns_ctx ctx = {0};
  ck_assert_int_eq(ns_expm_hold(&ctx, N, A, T, Phi, Psi), NS_OK);
  double G[N] = {Psi[0] * b[0] + Psi[2] * b[1], Psi[1] * b[0] + Psi[3] * b[1]};
  const double *F = sampled ? Phi : A, *B = sampled ? G : b;
  char model[3000];
  snprintf(model, sizeof model,
           HEAD
           "<systems><FirstOrderLinearTIDS id='s' states='x v' inputs='u a w'><x0>1 "
           "-0.5</x0><A>%.17g %.17g; %.17g %.17g</A>"
           "<b>%.17g*u, %.17g*u</b></FirstOrderLinearTIDS></systems><controls>"
           "<control id='h' systems='s' period='0.1' writes='u'><update>cos(3*t)</update></control>"
           "<control id='k' systems='s' period='0.1' writes='a w'><ExtendedKalmanFilter given='%s' "
           "substeps='%d'>"
           "<f>%.17g*a + %.17g*w + %.17g*u, %.17g*a + %.17g*w + %.17g*u</f><h>%.17g*a + %.17g*w</h>"
           "<y>%.17g*x + %.17g*v + 0.1*sin(1000*t^2)</y><Q>1e-3 2e-4; 2e-4 "
           "3e-3</Q><R>5e-3</R><P0>2 0.5; 0.5 1</P0></ExtendedKalmanFilter></control>"
           "</controls>" ZOH("4", "0.05"),
           A[0], A[2], A[1], A[3], b[0], b[1], sampled ? "sampled" : "continuous", sampled ? 1 : 40,
           F[0], F[2], B[0], F[1], F[3], B[1], c[0], c[1], c[0], c[1]);
  run r = run_whole(model);
  double M[N][N] = {{Phi[0], Phi[2]}, {Phi[1], Phi[3]}}, Q[N][N] = {{1e-3, 2e-4}, {2e-4, 3e-3}};
  filter k = {.P = {{2, 0.5}, {0.5, 1}}};
  for (size_t i = 0; i < 40; i++) {
    double t = 0.1 * (double)i, held = cos(3 * (t - 0.1)), x[N] = {k.x[0], k.x[1]};
    for (int j = 0; j < N && i; j++) k.x[j] = M[j][0] * x[0] + M[j][1] * x[1] + G[j] * held;
    if (i) predict(&k, M, Q);
    double y = c[0] * run_at(&r, 2 * i, "s.x") + c[1] * run_at(&r, 2 * i, "s.v") +
               0.1 * sin(1000 * t * t);
    correct(&k, c, 5e-3, y - c[0] * k.x[0] - c[1] * k.x[1]);
    double tol = 1e-9 * fmax(1, fabs(k.x[0]) + fabs(k.x[1]));
    ck_assert_double_eq_tol(run_at(&r, 2 * i + 1, "s.a"), k.x[0], tol);
    ck_assert_double_eq_tol(run_at(&r, 2 * i + 1, "s.w"), k.x[1], tol);
  }
  run_end(&r);
}
END_TEST

static void pendulum(double *x, double T)
{
  enum { STEPS = 10 };
  for (int s = 0; s < STEPS; s++) {
    double k[4][N], dt = T / STEPS, y[N];
    for (int i = 0; i < 4; i++) {
      double a = i == 0 ? 0 : i == 3 ? dt : dt / 2;
      for (int j = 0; j < N; j++) y[j] = x[j] + (i ? a * k[i - 1][j] : 0);
      k[i][0] = y[1];
      k[i][1] = -9.81 * sin(y[0]) - 0.1 * y[1];
    }
    for (int j = 0; j < N; j++) x[j] += dt / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
  }
}

/* A pendulum whose height is measured with noise, from a wrong guess: the filter by differences
 * says the same to 1e-6, and the estimate finds the motion. */
START_TEST(pendulum_by_differences)
{
  run r = run_whole(
      HEAD "<systems><LagrangianDS id='p' coordinates='phi' inputs='a w y'><q0>1</q0><z>0.8 0.5 "
           "0</z><mass>1</mass><fInt>9.81*sin(phi) + 0.1*v_phi</fInt></LagrangianDS></systems>"
           "<controls><control id='m' systems='p' period='0.05' writes='y'><update>sin(phi) + "
           "0.02*sin(777*t^2)</update></control>"
           "<control id='k' systems='p' period='0.05' writes='a w'><ExtendedKalmanFilter "
           "substeps='10'><f>w, -9.81*sin(a) - 0.1*w</f><h>sin(a)</h><y>y</y>"
           "<Q>1e-6 0; 0 1e-5</Q><R>4e-4</R></ExtendedKalmanFilter></control></controls>"
           "<simulation T='6'><TimeStepping "
           "h='0.001'><MoreauJeanOSI/></TimeStepping></simulation></model>");
  double Q[N][N] = {{1e-6, 0}, {0, 1e-5}}, e = 1e-5;
  filter k = {.x = {0.8, 0.5}, .P = {{1, 0}, {0, 1}}};
  for (size_t i = 0; i < 120; i++) {
    double M[N][N];
    for (int j = 0; j < N && i; j++) {
      double up[N] = {k.x[0], k.x[1]}, down[N] = {k.x[0], k.x[1]};
      up[j] += e, down[j] -= e;
      pendulum(up, 0.05), pendulum(down, 0.05);
      for (int l = 0; l < N; l++) M[l][j] = (up[l] - down[l]) / (2 * e);
    }
    if (i) {
      pendulum(k.x, 0.05);
      predict(&k, M, Q);
    }
    double H[N] = {cos(k.x[0]), 0}, y = run_at(&r, 50 * i + 1, "p.y");
    correct(&k, H, 4e-4, y - sin(k.x[0]));
    ck_assert_double_eq_tol(run_at(&r, 50 * i + 1, "p.a"), k.x[0], 1e-6);
    ck_assert_double_eq_tol(run_at(&r, 50 * i + 1, "p.w"), k.x[1], 1e-6);
    if (i < 40) continue;
    ck_assert_double_eq_tol(k.x[0], run_at(&r, 50 * i, "p.phi"), 0.03);
    ck_assert_double_eq_tol(k.x[1], run_at(&r, 50 * i, "p.v_phi"), 0.1);
  }
  run_end(&r);
}
END_TEST

/* ---- sliding --------------------------------------------------------------------------------- */

/* x' = v of a double integrator, E = (1, g): once C xhat = x, the error of the velocity shrinks by
 * (1 - T g/2)/(1 + T g/2). */
START_TEST(sliding_observer_of_a_double_integrator)
{
  run r = run_whole(
      HEAD "<systems><FirstOrderLinearTIDS id='m' states='x v' inputs='u xh vh'><x0>1 "
           "-0.5</x0><z>0 1 2.5</z><A>0 1; 0 0</A><b>0 u</b></FirstOrderLinearTIDS></systems>"
           "<controls><control id='o' systems='m' period='0.05' writes='xh "
           "vh'><SlidingReducedOrderObserver alpha='20'><C>1 0</C><E>1; 4</E>"
           "</SlidingReducedOrderObserver></control><control id='f' systems='m' period='0.05' "
           "writes='u'><update>-4*xh - 3*vh</update></control>"
           "</controls>" ZOH("3", "0.025"));
  double ratio = (1 - 0.05 * 4 / 2) / (1 + 0.05 * 4 / 2), e = 3;
  for (size_t i = 0; i < 60; i++) {
    ck_assert_double_eq_tol(run_at(&r, 2 * i + 1, "m.xh"), run_at(&r, 2 * i, "m.x"), 1e-13);
    ck_assert_double_eq_tol(run_at(&r, 2 * i + 1, "m.vh") - run_at(&r, 2 * i, "m.v"), e, 1e-12);
    e *= ratio;
  }
  run_end(&r);
}
END_TEST

/* From far away |v| is at its bound, then the estimate slides whatever disturbs the plant along E.
 */
START_TEST(sliding_observer_reaches_and_keeps)
{
  run r = run_whole(
      HEAD "<systems><FirstOrderLinearDS id='m' states='x v' inputs='xh vh'><x0>1 0</x0><z>0 "
           "0</z><A>0 1; -4 -1</A>"
           "<b>0.5*sin(7*t), sin(7*t)</b></FirstOrderLinearDS></systems><controls>"
           "<control id='o' systems='m' period='0.01' writes='xh "
           "vh'><SlidingReducedOrderObserver alpha='5'><C>1 0</C><E>1; 2</E><A>0 1; -4 -1</A>"
           "</SlidingReducedOrderObserver></control></controls>"
           "<simulation T='5'><TimeStepping h='0.01'><EulerMoreauOSI "
           "theta='0.5'/></TimeStepping></simulation></model>");
  size_t reached = 0;
  for (size_t i = 0; i + 1 < r.got.nrows; i++) {
    double error = fabs(run_at(&r, i + 1, "m.xh") - run_at(&r, i, "m.x"));
    if (!reached && error < 1e-12) reached = i;
    if (reached) ck_assert_double_lt(error, 1e-12);
  }
  ck_assert(reached > 10 && reached < 60);
  /* b = E sin(7t)/2 is what v takes over: the velocity is found in spite of it */
  ck_assert_double_eq_tol(run_at(&r, 500, "m.vh"), run_at(&r, 499, "m.v"), 0.02);
  run_end(&r);
}
END_TEST

/* The band of sigma under a smooth disturbance that the controller does not know. */
static double band(const char *period, int steps)
{
  char model[2000];
  snprintf(model, sizeof model,
           HEAD "<systems><FirstOrderLinearDS id='p' states='x v' inputs='u'><x0>1 1</x0><A>0 1; 0 "
                "-1</A><b>0, u + sin(2*t)</b></FirstOrderLinearDS></systems>"
                "<controls><control id='k' systems='p' period='%s'><LinearSMCOT2 alpha='8'><S>1 "
                "1</S><A>0 1; 0 -1</A><B>0; 1</B></LinearSMCOT2></control></controls>"
                "<simulation T='6'><TimeStepping h='%s/%d'><EulerMoreauOSI "
                "theta='0.5'/></TimeStepping></simulation></model>",
           period, period, steps);
  run r = run_whole(model);
  double max = 0;
  for (size_t i = 0; i < r.got.nrows; i++)
    if (run_at(&r, i, "time") > 2)
      max = fmax(max, fabs(run_at(&r, i, "p.x") + run_at(&r, i, "p.v")));
  run_end(&r);
  return max;
}

START_TEST(a_band_of_the_square_of_the_period)
{
  double a = band("0.08", 16), b = band("0.04", 16), c = band("0.02", 16);
  ck_assert_double_eq_tol(a / b, 4, 0.3);
  ck_assert_double_eq_tol(b / c, 4, 0.15);
  ck_assert_double_lt(a, 2 * 2 * 0.08 * 0.08);
}
END_TEST

/* A plant that is known is on the surface after one period, to rounding, and stays there. */
START_TEST(a_known_plant_is_on_the_surface_at_once)
{
  run r = run_whole(HEAD
                    "<systems><FirstOrderLinearTIDS id='p' states='x v' inputs='u'><x0>1 "
                    "1</x0><A>0 1; 2 -1</A><b>0, 3*u + sin(2)</b></FirstOrderLinearTIDS></systems>"
                    "<controls><control id='k' systems='p' period='0.1'><LinearSMCOT2 "
                    "alpha='100'><S>1 1</S></LinearSMCOT2></control></controls>" ZOH("3", "0.05"));
  for (size_t i = 1; i <= 30; i++)
    ck_assert_double_eq_tol(run_at(&r, 2 * i, "p.x") + run_at(&r, 2 * i, "p.v"), 0, 1e-12);
  run_end(&r);
}
END_TEST

/* ---- checkpoints ----------------------------------------------------------------------------- */

#define ALL(how) \
  HEAD "<systems><FirstOrderLinearTIDS id='p' states='x v' inputs='u a w xh vh'><x0>1 " \
       "1</x0><A>0 1; 2 -1</A><b>0, 3*u</b></FirstOrderLinearTIDS></systems>" \
       "<controls><control id='e' systems='p' period='0.02' writes='a " \
       "w'><ExtendedKalmanFilter><f>w, 2*a - w + 3*u</f><h>a</h><y>x + " \
       "0.01*sin(999*t^2)</y><Q>1e-4 0; 0 1e-4</Q><R>1e-4</R></ExtendedKalmanFilter></control>" \
       "<control id='o' systems='p' period='0.03' writes='xh vh'><SlidingReducedOrderObserver " \
       "alpha='3'><C>1 0</C><E>1; 4</E></SlidingReducedOrderObserver></control>" \
       "<control id='k' systems='p' period='0.05' writes='u'><LinearSMCOT2 alpha='9'><S>1 " \
       "1</S><x>a w</x><A>0 1; 2 -1</A><B>0; 3</B></LinearSMCOT2></control></controls>" \
       "<simulation T='2'>" how "</simulation></model>"

START_TEST(interrupted_runs)
{
  static const char *const models[] = {
      ALL("<TimeStepping h='0.01'><ZeroOrderHoldOSI/></TimeStepping>"),
      ALL("<EventDriven h='0.01'><CVodeOSI/></EventDriven>")};
  const change none = {0};
  ck_assert_int_eq(goes_on_the_same(models[_i], &none, 6, 51 + (unsigned long)_i), 1);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, linear_plants, 0, 10);
  tcase_add_test(t, pendulum_by_differences);
  tcase_add_test(t, sliding_observer_of_a_double_integrator);
  tcase_add_test(t, sliding_observer_reaches_and_keeps);
  tcase_add_test(t, a_band_of_the_square_of_the_period);
  tcase_add_test(t, a_known_plant_is_on_the_surface_at_once);
  tcase_add_loop_test(t, interrupted_runs, 0, 2);
}

int main(void) { return suite_run("control estimates", fill); }
