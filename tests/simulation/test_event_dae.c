/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constraints as equations of the integrator (IDAOSI): pendulums in Cartesian coordinates, a
 * mechanism with a loop, contacts that last, constraints that say the same twice; against closed
 * forms. */
#include "support/mechanics.h"

#define DAE(h, T, attributes) \
  "<simulation T='" T "'><EventDriven h='" h "'><IDAOSI " \
  "" attributes "/></EventDriven></simulation>"

/* ---- a pendulum (V13) ------------------------------------------------------------------------ */

static const double period = 2.36784194758; /* 4 K(1/2)/sqrt g */

/* Released from horizontal; rods times the same rod. */
static run pendulum(const char *flow, int rods, double h, double T)
{
  return mechanics("<systems><LagrangianLinearTIDS id='p' coordinates='x z'><q0>1 0</q0><mass "
                   "diag='1 1'/><fExt>0 -9.81</fExt>"
                   "</LagrangianLinearTIDS></systems><interactions><repeat index='i' from='1' "
                   "to='%d'><interaction id='rod{i}' systems='p'>"
                   "<LagrangianScleronomousR><h>x^2 + z^2 - "
                   "1</h></LagrangianScleronomousR><EqualityConditionNSL/></interaction></repeat>"
                   "</interactions><simulation T='%.17g'><EventDriven h='%.17g' "
                   "gapTolerance='1'><%s/></EventDriven></simulation>",
                   rods, T, h, flow);
}

/* Nothing mends it: gapTolerance is 1. One rod, or three of the same that share the tension. */
START_TEST(a_pendulum_keeps_its_period_and_its_rod)
{
  int rods = _i ? 3 : 1;
  run r = recorded(pendulum("IDAOSI relativeTolerance='1e-12' absoluteTolerance='1e-13'", rods,
                            period / 4, 5 * period));
  size_t n = r.got.nrows;
  ck_assert_double_eq_tol(run_at(&r, n - 1, "p.x"), 1, 1e-8);
  ck_assert_double_eq_tol(run_at(&r, n - 1, "p.z"), 0, 1e-8);
  for (int i = 1; i <= rods; i++) {
    char id[32];
    snprintf(id, sizeof id, "rod%d.lambda", i);
    ck_assert_double_eq_tol(run_at(&r, 1, id), -1.5 * G / rods, 1e-8);
  }
  for (size_t i = 0; i < n; i++) {
    ck_assert_double_le(fabs(run_at(&r, i, "rod1.y")), 1e-14);
    ck_assert_double_le(fabs(run_at(&r, i, "rod1.ydot")), 1e-14);
  }
  run_end(&r);
}
END_TEST

/* |y| at t = 50, where accelerations are restricted and nothing mends: growing with the square of
 * time. With equations of positions: rounding in the rows, whatever the tolerance. */
START_TEST(positions_do_not_drift)
{
  static const struct {
    const char *flow;
    double min, max;
  } c[] = {
      {"CVodeOSI relativeTolerance='1e-6' absoluteTolerance='1e-8'", 1e-7, 1},
      {"IDAOSI formulation='index1' relativeTolerance='1e-6' absoluteTolerance='1e-8'", 1e-7, 1},
      {"IDAOSI formulation='index1' stabilisation='10' relativeTolerance='1e-6' "
       "absoluteTolerance='1e-8'",
       0, 1e-5},
      {"IDAOSI relativeTolerance='1e-6' absoluteTolerance='1e-8'", 0, 1e-14},
      {"IDAOSI relativeTolerance='1e-9' absoluteTolerance='1e-11'", 0, 1e-14}};
  run r = pendulum(c[_i].flow, 1, 1, 50);
  run_all(&r);
  ck_assert_double_le(fabs(r.x->y[0]), c[_i].max);
  ck_assert_double_ge(fabs(r.x->y[0]), c[_i].min);
  run_end(&r);
}
END_TEST

/* Largest error of the position at quarters of the period, in three periods. */
static double quarters(const char *form, double tol)
{
  static const double exact[4][2] = {{1, 0}, {0, -1}, {-1, 0}, {0, -1}};
  char flow[160];
  double worst = 0;
  snprintf(flow, sizeof flow,
           "IDAOSI formulation='%s' relativeTolerance='%g' absoluteTolerance='%g'", form, tol,
           tol / 10);
  run r = recorded(pendulum(flow, 1, period / 4, 3 * period));
  for (size_t i = 0; i < r.got.nrows; i++)
    worst = fmax(worst, hypot(run_at(&r, i, "p.x") - exact[i % 4][0],
                              run_at(&r, i, "p.z") - exact[i % 4][1]));
  run_end(&r);
  return worst;
}

/* The error follows the tolerance over five decades, in both forms. */
START_TEST(the_error_follows_the_tolerance)
{
  for (int k = 5; k <= 10; k++) {
    double tol = pow(10, -k), err = quarters(_i ? "index1" : "ggl", tol);
    ck_assert_double_le(err, 1e3 * tol);
    ck_assert_double_ge(err, 1 * tol);
  }
}
END_TEST

/* ---- mechanisms ------------------------------------------------------------------------------ */

/* V12: two bobs on rods, each with two coordinates. */
START_TEST(double_pendulum_of_two_rods)
{
  static const double angles[] = {-0.482971534252, -1.3240487123},
                      speeds[] = {3.06528819207, 2.94927154757};
  run r = recorded(mechanics(
      "<systems><LagrangianLinearTIDS id='a' coordinates='x y'><q0>1 0</q0><mass diag='1 "
      "1'/><fExt>0 -9.81</fExt>"
      "</LagrangianLinearTIDS><LagrangianLinearTIDS id='b' coordinates='x y'><q0>2 0</q0><mass "
      "diag='1 1'/>"
      "<fExt>0 -9.81</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='r' "
      "systems='a'>"
      "<LagrangianScleronomousR><h>x^2 + y^2 - "
      "1</h></LagrangianScleronomousR><EqualityConditionNSL/></interaction>"
      "<interaction id='s' systems='a b'><LagrangianScleronomousR><h>(b.x - a.x)^2 + (b.y - a.y)^2 "
      "- 1</h>"
      "</LagrangianScleronomousR><EqualityConditionNSL/></interaction></interactions>" DAE(
          "0.1", "2", "relativeTolerance='1e-12' absoluteTolerance='1e-13'")));
  const double *q = r.x->q, *v = r.x->v;
  double x = q[2] - q[0], y = q[3] - q[1], u = v[2] - v[0], w = v[3] - v[1];
  near((double[]){atan2(q[0], -q[1]), atan2(x, -y)}, angles, 2, 1e-8);
  near((double[]){q[0] * v[1] - q[1] * v[0], x * w - y * u}, speeds, 2, 1e-7);
  ck_assert_double_le(r.x->cert->defect_max, 1e-8);
  ck_assert_double_le(r.x->cert->penetration_max, 1e-12);
  run_end(&r);
}
END_TEST

/* The slider-crank of V9 without clearance: crank and rod as rigid bodies with nine coordinates and
 * the slider, eight equations that close the loop. One revolution in 0.0678871257564 s, a quarter
 * in 0.0193753291818 s at 70.8345080261 rad/s. */
START_TEST(slider_crank_closes_its_loop)
{
  static const double quarter = 0.0193753291818, turn = 0.0678871257564;
  run r = recorded(
      mechanics("<parameters><parameter name='l' value='0.153'/><parameter name='L' "
                "value='0.306'/></parameters><systems>"
                "<LagrangianLinearTIDS id='crank' coordinates='x y a'><q0>l/2 0 0</q0><v0>0 "
                "150*l/2 150</v0><mass diag='0.038 0.038 7.4e-5'/>"
                "<fExt>0 -0.038*9.81 0</fExt></LagrangianLinearTIDS>"
                "<LagrangianLinearTIDS id='rod' coordinates='x y a'><q0>l+L/2 0 0</q0><v0>0 "
                "150*l-75*L/2 -75</v0><mass diag='0.038 0.038 5.9e-4'/>"
                "<fExt>0 -0.038*9.81 0</fExt></LagrangianLinearTIDS>"
                "<LagrangianLinearTIDS id='slider' coordinates='x y a'><q0>l+L 0 0</q0><mass "
                "diag='0.076 0.076 2.7e-6'/><fExt>0 -0.076*9.81 0</fExt>"
                "</LagrangianLinearTIDS></systems><interactions>"
                "<interaction id='pivot' systems='crank'><LagrangianScleronomousR><h>x - "
                "l/2*cos(a), y - l/2*sin(a)</h></LagrangianScleronomousR>"
                "<EqualityConditionNSL/></interaction>"
                "<interaction id='pin' systems='crank rod'><LagrangianScleronomousR><h>crank.x + "
                "l/2*cos(crank.a) - rod.x + L/2*cos(rod.a), "
                "crank.y + l/2*sin(crank.a) - rod.y + "
                "L/2*sin(rod.a)</h></LagrangianScleronomousR><EqualityConditionNSL/></interaction>"
                "<interaction id='wrist' systems='rod slider'><LagrangianScleronomousR><h>rod.x + "
                "L/2*cos(rod.a) - slider.x, "
                "rod.y + L/2*sin(rod.a) - "
                "slider.y</h></LagrangianScleronomousR><EqualityConditionNSL/></interaction>"
                "<interaction id='guide' systems='slider'><LagrangianLinearTIR><H>0 1 0; 0 0 "
                "1</H></LagrangianLinearTIR><EqualityConditionNSL/>"
                "</interaction></interactions><simulation T='%.17g'><EventDriven h='%.17g'><IDAOSI "
                "%s/></EventDriven></simulation>",
                _i ? turn : quarter, (_i ? turn : quarter) / 4,
                "relativeTolerance='1e-11' absoluteTolerance='1e-13'"));
  ck_assert_double_eq_tol(r.x->q[2], _i ? 2 * M_PI : M_PI / 2, 1e-8);
  if (!_i) ck_assert_double_eq_tol(r.x->v[2], 70.8345080261, 1e-6);
  ck_assert_double_le(r.x->cert->penetration_max, 1e-11);
  run_end(&r);
}
END_TEST

/* A parallelogram of two cranks and a coupler, without forces: cranks turn with 3 rad/s for ever,
 * through the positions in which all are in line and the three constraints are two. */
START_TEST(a_parallelogram_passes_its_dead_points)
{
  run r = recorded(mechanics(
      "<systems><LagrangianLinearTIDS id='a' coordinates='x y'><q0>cos(1) sin(1)</q0><v0>-3*sin(1) "
      "3*cos(1)</v0>"
      "<mass diag='1 1'/></LagrangianLinearTIDS><LagrangianLinearTIDS id='b' coordinates='x "
      "y'><q0>2+cos(1) sin(1)</q0>"
      "<v0>-3*sin(1) 3*cos(1)</v0><mass diag='1 1'/></LagrangianLinearTIDS></systems><interactions>"
      "<interaction id='ca' systems='a'><LagrangianScleronomousR><h>x^2 + y^2 - "
      "1</h></LagrangianScleronomousR>"
      "<EqualityConditionNSL/></interaction><interaction id='cb' "
      "systems='b'><LagrangianScleronomousR>"
      "<h>(x-2)^2 + y^2 - 1</h></LagrangianScleronomousR><EqualityConditionNSL/></interaction>"
      "<interaction id='rod' systems='a b'><LagrangianScleronomousR><h>(a.x-b.x)^2 + (a.y-b.y)^2 - "
      "4</h>"
      "</LagrangianScleronomousR><EqualityConditionNSL/></interaction></interactions>" DAE(
          "0.1", "5", "")));
  double turned = 1 + 3 * 5;
  near(r.x->q, (double[]){cos(turned), sin(turned), 2 + cos(turned), sin(turned)}, 4, 1e-4);
  ck_assert_double_le(r.x->cert->penetration_max, 1e-8);
  run_end(&r);
}
END_TEST

/* Without time to pass, and without a value: the time, the coordinate, what to do. */
START_TEST(failures_are_told)
{
  static const struct {
    const char *force, *say[3];
  } c[] = {{"-9.81/(1 - t)",
            {"IDA stopped at t = 1 s", "1 row of constraints enforced",
             "of p contributes most to the error"}},
           {"-9.81*sqrt(0.5 - t)",
            {"<fExt> of z is not finite at t = 0.5 s: sqrt(0.5 - t) is nan with t = 0.5",
             "last good state, at t = 0.5 s, is kept", "id=\"p\""}}};
  run r = mechanics(
      "<systems><LagrangianLinearTIDS id='p' coordinates='x z'><q0>1 0</q0><mass diag='1 "
      "1'/><fExt>0 %s</fExt>"
      "</LagrangianLinearTIDS></systems><interactions><interaction id='rod' "
      "systems='p'><LagrangianScleronomousR>"
      "<h>x^2 + z^2 - "
      "1</h></LagrangianScleronomousR><EqualityConditionNSL/></interaction></interactions>" DAE(
          "0.1", "2", ""),
      c[_i].force);
  ck_assert_int_eq(run_keep(&r), NS_NUMERIC);
  for (int k = 0; k < 3; k++)
    ck_assert_msg(strstr(r.c.msg, c[_i].say[k]) != NULL, "\"%s\" is not in: %s", c[_i].say[k],
                  r.c.msg);
  ck_assert_uint_ge(r.got.nrows, 5);
  run_end(&r);
}
END_TEST

/* ---- contacts -------------------------------------------------------------------------------- */

/* A cam follower (V10). */
#define CAM(w, h, T) \
  CAM_FOLLOWER(w) DAE(h, T, "relativeTolerance='1e-11' absoluteTolerance='1e-13'")

START_TEST(a_slow_follower_stays_on_its_cam)
{
  run r = recorded(mechanics(CAM("60", "1e-3", "1")));
  cam_is_followed(&r, 1e-13, 1e-9);
  run_end(&r);
}
END_TEST

/* IDA to the take-off, CVODE in flight, IDA again after the impacts. */
START_TEST(a_fast_follower_takes_off_and_lands)
{
  run r = recorded(mechanics(CAM(CAM_FAST, "1e-3", "0.3")));
  cam_is_left(&r);
  ck_assert_double_le(r.x->cert->penetration_max, 1e-9);
  run_end(&r);
}
END_TEST

/* V1: the ball bounces by CVODE and rests by IDA, on one ground or on two that are one. */
START_TEST(a_ball_comes_to_rest)
{
  run r = recorded(mechanics("<systems><LagrangianLinearTIDS id='b' "
                             "coordinates='z'><q0>1</q0><mass>1</mass><fExt>-9.81</fExt>"
                             "</LagrangianLinearTIDS></systems><interactions><repeat index='i' "
                             "from='1' to='%d'><interaction id='g{i}' systems='b'>"
                             "<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL "
                             "e='0.5'/></interaction></repeat></interactions>" DAE("0.1", "3", ""),
                             _i + 1));
  static const double t[] = {0.451523640986, 0.903047281971, 1.12880910246,
                             1.24169001271,  1.29813046783,  1.32635069540};
  size_t n = 0, last = r.got.nrows - 1;
  for (size_t k = 0; k < r.got.nevents && n < 6; k++) {
    if (r.got.events[k].kind != NS_EVENT_IMPACT || r.got.events[k].interaction) continue;
    ck_assert_double_eq_tol(r.got.events[k].t, t[n], 1e-9);
    n++;
  }
  ck_assert_uint_eq(n, 6);
  ck_assert_double_eq_tol(run_at(&r, last, "b.z"), 0, 1e-15);
  ck_assert_double_eq_tol(run_at(&r, last, "b.v_z"), 0, 1e-15);
  ck_assert_double_eq_tol(run_at(&r, last, "g1.lambda"), 9.81 / (_i + 1), 1e-12);
  run_end(&r);
}
END_TEST

/* A block on an incline (V7), tan alpha = 0.3 < mu = 0.5: it slides, an equation along its normal
 * whose force has friction with it, and sticks, with another one for its velocity. */
START_TEST(a_block_slides_and_sticks)
{
  double al = atan(0.3), stop = 1 / (G * (0.5 * cos(al) - sin(al)));
  run r = recorded(mechanics(
      "<systems><LagrangianLinearTIDS id='b' coordinates='s n'><q0>0 0</q0><v0>1 0</v0><mass "
      "diag='2 2'/>"
      "<fExt>2*9.81*sin(atan(0.3)), "
      "-2*9.81*cos(atan(0.3))</fExt></LagrangianLinearTIDS></systems><interactions>"
      "<interaction id='g' systems='b'><LagrangianLinearTIR><H>0 1; 1 0</H></LagrangianLinearTIR>"
      "<NewtonImpactFrictionNSL en='0' mu='0.5'/></interaction></interactions>" DAE("0.1", "2",
                                                                                    "")));
  size_t last = r.got.nrows - 1;
  double seen = 0;
  for (size_t k = 0; k < r.got.nevents; k++)
    if (r.got.events[k].t > 0) seen = r.got.events[k].t;
  ck_assert_double_eq_tol(seen, stop, 1e-9);
  ck_assert_double_eq_tol(run_at(&r, last, "b.s"), stop / 2, 1e-8);
  ck_assert_double_eq_tol(run_at(&r, last, "b.v_s"), 0, 1e-9);
  ck_assert_double_eq_tol(run_at(&r, last, "g.lambda[0]"), 2 * G * cos(al), 1e-9);
  ck_assert_double_eq_tol(run_at(&r, last, "g.lambda[1]"), -2 * G * sin(al), 1e-9);
  ck_assert_double_le(r.x->cert->defect_max, 1e-8);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, a_pendulum_keeps_its_period_and_its_rod, 0, 2);
  tcase_add_loop_test(t, positions_do_not_drift, 0, 5);
  tcase_add_loop_test(t, the_error_follows_the_tolerance, 0, 2);
  tcase_add_test(t, double_pendulum_of_two_rods);
  tcase_add_loop_test(t, slider_crank_closes_its_loop, 0, 2);
  tcase_add_test(t, a_parallelogram_passes_its_dead_points);
  tcase_add_loop_test(t, failures_are_told, 0, 2);
  tcase_add_test(t, a_slow_follower_stays_on_its_cam);
  tcase_add_test(t, a_fast_follower_takes_off_and_lands);
  tcase_add_loop_test(t, a_ball_comes_to_rest, 0, 2);
  tcase_add_test(t, a_block_slides_and_sticks);
}

int main(void) { return suite_run("constraints as equations", fill); }
