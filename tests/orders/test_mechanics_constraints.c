/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Equalities, moving obstacles and mechanisms against closed forms. */
#include "support/mechanics.h"

static double pi(void) { return acos(-1); }

static double cell(const run *r, size_t i, const char *label)
{
  return r->got.rows[i * r->got.ncols + capture_column(&r->got, label)];
}

/* ---- pendulum by an equality ----------------------------------------------------------------- */

/* From the horizontal; the period is 4 K(1/2) / sqrt(g) = 2.36784194758. H v = 0 in every step,
 * the drift of the position is O(h^2). The impulse acts along the mean of H of both ends, so
 * that it does no work; after a period the errors of both halves cancel but for O(h^4). At the
 * bottom the multiplier of x^2 + z^2 - 1 carries 3 m g / 2. */
START_TEST(pendulum_by_an_equality)
{
  const double period = 2.36784194758;
  double h[4], drift[4], err[4], force[4];
  for (int k = 0; k < 4; k++) {
    int n = 400 << k;
    h[k] = period / n;
    run r = mechanics(
        "<systems><LagrangianLinearTIDS id='m' coordinates='x z'><q0>1 0</q0><mass>1 0; 0 "
        "1</mass><fExt>0 -9.81"
        "</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='rod' systems='m'>"
        "<LagrangianScleronomousR><h>x^2+z^2-1</h></LagrangianScleronomousR><EqualityConditionNSL/"
        "></interaction>"
        "</interactions><simulation T='%.17g'><TimeStepping "
        "h='%.17g'><MoreauJeanOSI/></TimeStepping></simulation>",
        period, h[k]);
    ck_assert_int_eq(run_keep(&r), NS_OK);
    drift[k] = 0;
    for (size_t i = 1; i < r.got.nrows; i++) {
      drift[k] = fmax(drift[k], fabs(cell(&r, i, "rod.y")));
      ck_assert_double_le(fabs(cell(&r, i, "rod.ydot")), 1e-9);
    }
    err[k] = fmax(fabs(r.x->q[0] - 1), fabs(r.x->q[1]));
    /* lowest point, between two steps: the mean of two of their impulses */
    size_t low = (size_t)(n / 4);
    force[k] = fabs((fabs(cell(&r, low, "rod.lambda")) + fabs(cell(&r, low + 1, "rod.lambda"))) /
                        2 / h[k] -
                    1.5 * G);
    ck_assert_double_le(r.x->cert->defect_max, 1e-9);
    ck_assert_double_le(fabs(r.x->cert->work_contact), 1e-9);
    run_end(&r);
  }
  ck_assert_double_eq_tol(slope(h, drift, 4), 2, 0.05);
  ck_assert_double_ge(slope(h, err, 4), 1.9);
  ck_assert_double_le(err[0], 1e-8);
  ck_assert_double_eq_tol(slope(h, force, 4), 2, 0.2);
  ck_assert_double_le(force[3], 1e-3);
}
END_TEST

/* ---- slider-crank ---------------------------------------------------------------------------- */

/* Without clearance and friction one equality holds the slider: energy gives omega(theta1), its
 * integral the first revolution: 0.0678871257564 s. */
START_TEST(slider_crank_without_clearance)
{
  double h[3] = {4e-5, 2e-5, 1e-5}, err[3];
  for (int k = 0; k < 3; k++) {
    run r = mechanics(
        "<parameters><parameter name='l1' value='0.153'/><parameter name='l2' "
        "value='0.306'/><parameter name='k' "
        "value='(0.019+0.076)*l1*l2'/></parameters><systems><LagrangianDS id='m' coordinates='a "
        "b'><q0>0 0</q0><v0>150 -75</v0>"
        "<mass>7.4e-5+(0.038/4+0.038+0.076)*l1^2, k*cos(b-a); k*cos(b-a), "
        "5.9e-4+(0.038/4+0.076)*l2^2</mass>"
        "<fGyr>k*sin(a-b)*v_b^2, -k*sin(a-b)*v_a^2</fGyr>"
        "<fInt>(0.019+0.038+0.076)*9.81*l1*cos(a), "
        "(0.019+0.076)*9.81*l2*cos(b)</fInt></LagrangianDS></systems><interactions>"
        "<interaction id='guide' "
        "systems='m'><LagrangianScleronomousR><h>l1*sin(a)+l2*sin(b)</h></LagrangianScleronomousR>"
        "<EqualityConditionNSL/></interaction></interactions><simulation T='0.07'><TimeStepping "
        "h='%.17g'><MoreauJeanOSI/>"
        "</TimeStepping></simulation>",
        h[k]);
    ck_assert_int_eq(run_keep(&r), NS_OK);
    double at = 0;
    for (size_t i = 1; i < r.got.nrows && at == 0; i++) {
      double a = cell(&r, i - 1, "m.a") - 2 * pi(), b = cell(&r, i, "m.a") - 2 * pi();
      ck_assert_double_le(fabs(cell(&r, i, "guide.ydot")), 1e-7); /* of speeds of 23 m/s */
      if (b >= 0) at = cell(&r, i - 1, "time") - h[k] * a / (b - a);
    }
    err[k] = fabs(at - 0.0678871257564);
    run_end(&r);
  }
  ck_assert_double_le(err[2], 1e-7);
  ck_assert_double_eq_tol(slope(h, err, 3), 2, 0.1);
}
END_TEST

/* Four corners with clearance c, no friction, e = 0: the first revolution tends to that of the
 * limit. */
START_TEST(slider_crank_as_its_clearance_closes)
{
  static const struct {
    const char *c;
    double revolution, tol;
  } row[] = {{"c=1e-3", 0.068215, 1e-6}, {"c=1e-4", 0.067914, 4e-6}, {"c=1e-5", 0.067888, 4e-6}};
  const char *set[] = {"mg=0.5", row[_i].c, "en=0", "mu=0", NULL};
  run r = run_load_until("models/slider-crank/slider-crank.xml", set, 0.07);
  double at = 0, a = 0;
  r.m->out.every = 1;
  ck_assert_int_eq(run_keep(&r), NS_OK);
  for (size_t i = 1; i < r.got.nrows && at == 0; i++) {
    double b = cell(&r, i, "mechanism.theta1") - 2 * pi(), t = cell(&r, i - 1, "time");
    if (b >= 0) at = t + 1e-5 * a / (a - b);
    a = b;
  }
  ck_assert_double_eq_tol(at, row[_i].revolution, row[_i].tol);
  run_end(&r);
}
END_TEST

/* ---- ball on a vibrating table --------------------------------------------------------------- */

/* e = 1/2, table A sin(w t), Gamma = A w^2/g. One impact each period above Gamma_1 = pi/3, take-off
 * at cos(phase) = Gamma_1/Gamma with V = pi g/w; period doubling at sqrt(Gamma_1^2 + (10/9)^2)
 * = 1.52682370052 (Luck & Mehta 1993). */
static run table_run(double gamma, int n, int periods)
{
  double w = 2 * pi(), A = gamma * G / (w * w), phase = acos(pi() / 3 / gamma);
  return mechanics("<systems><LagrangianLinearTIDS id='ball' "
                   "coordinates='x'><q0>%.17g</q0><v0>%.17g</v0><mass>1</mass>"
                   "<fExt>-9.81</fExt></LagrangianLinearTIDS></systems><interactions><interaction "
                   "id='table' systems='ball'>"
                   "<LagrangianRheonomousR><h>x-%.17g*sin(2*pi*t+%.17g)</h></"
                   "LagrangianRheonomousR><NewtonImpactNSL e='0.5'/>"
                   "</interaction></interactions><simulation T='%d'><TimeStepping "
                   "h='1/%d'><MoreauJeanOSI/></TimeStepping>"
                   "</simulation><output every='1000000000'/>",
                   A * sin(phase), pi() * G / w, A, phase, periods, n);
}

/* Take-off speeds relative to the table of even and odd impacts, of the last 100. */
static double doubling(double gamma, int n, double *mean)
{
  run r = table_run(gamma, n, 200);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  double sum[2] = {0};
  ck_assert_uint_ge(r.got.nevents, 190);
  for (size_t k = r.got.nevents - 100; k < r.got.nevents; k++)
    sum[k % 2] += r.got.events[k].after / 50;
  *mean = (sum[0] + sum[1]) / 2;
  run_end(&r);
  return fabs(sum[0] - sum[1]);
}

START_TEST(vibrating_table_doubles_its_period)
{
  static const struct {
    double gamma;
    int twice;
  } row[] = {{1.3, 0}, {1.51, 0}, {1.545, 1}};
  double mean, w = 2 * pi(), d = doubling(row[_i].gamma, 5000, &mean);
  double take_off = pi() * G / w - row[_i].gamma * G / w * (pi() / 3 / row[_i].gamma);
  ck_assert_double_eq_tol(mean, take_off, 1e-3);
  if (row[_i].twice) ck_assert_double_ge(d, 0.1);
  else ck_assert_double_le(d, 2e-4);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, pendulum_by_an_equality);
  tcase_add_test(t, slider_crank_without_clearance);
  tcase_add_loop_test(t, slider_crank_as_its_clearance_closes, 0, 3);
  tcase_add_loop_test(t, vibrating_table_doubles_its_period, 0, 3);
}

int main(void) { return suite_run("mechanics, constraints", fill); }
