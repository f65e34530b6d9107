/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mechanisms in the plane: a pendulum, a slider-crank, and arms with stops, friction and gears as
 * in space. */
#include "support/rigid_runs.h"

#define STEPS(h, T, scheme) \
  "<simulation T='" T "'><TimeStepping " \
  "h='" h "'>" scheme "</TimeStepping></simulation>"
#define EQUAL "<EqualityConditionNSL/></interaction>"

/* ---- a rod on a hinge, from rest at 90 degrees ----------------------------------------------- */

static run rod(double h, double T)
{
  return mechanics(
      "<systems><RigidBody2dDS id='rod'><q0>0.5 0 "
      "0</q0><mass>2</mass><inertia>1/6</inertia><fExt>0 -2*9.81</fExt></RigidBody2dDS></systems>"
      "<interactions><interaction id='hinge' systems='rod'><PivotJointR point='0 0'/>" EQUAL
      "</interactions>" STEPS("%.17g", "%.17g", "<MoreauJeanDirectProjectionOSI theta='0.5'/>"),
      T, h);
}

/* It passes the lowest point at a quarter of 4 sqrt(2 L/3g) K(1/2) = 1.9333348544 s. */
START_TEST(pendulum_has_its_period)
{
  double late[2];
  for (int k = 0; k < 2; k++) {
    double T = 1.9333348544 / 4;
    run r = rod(T / (100 << k), T);
    run_all(&r);
    late[k] = fabs(r.x->q[2] + M_PI / 2);
    ck_assert_double_le(fabs(r.x->y[0]) + fabs(r.x->y[1]), 1e-8);
    run_end(&r);
  }
  ck_assert_double_ge(log2(late[0] / late[1]), 1.95);
  ck_assert_double_le(late[1], 1.2e-5);
}
END_TEST

/* Centripetal force and weight at the lowest point: 2.5 m g; the hinge's impulse over the step,
 * upwards on the rod. */
START_TEST(hinge_bears_the_swing)
{
  double h = 1e-3;
  run r = rod(h, 1);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  size_t k = row_where(&r, "rod.angle", -M_PI / 2);
  ck_assert_double_eq_tol(run_at(&r, k, "hinge.lambda[1]") / h, 2.5 * 2 * G, 1e-3);
  ck_assert_double_eq_tol(fabs(run_at(&r, k, "rod.v_angle")), 5.4249424, 1e-5);
  /* of the world relative to the rod */
  ck_assert_double_eq_tol(run_at(&r, k, "hinge.angle"), -run_at(&r, k, "rod.angle"), 1e-15);
  run_end(&r);
}
END_TEST

/* ---- slider-crank: data of Flores, Leine and Glocker (2010), without weight ------------------ */

static double revolution(int steps, double *quarter)
{
  double T = 0.06788626631;
  run r = mechanics(
      "<systems>"
      "<RigidBody2dDS id='crank'><q0>0.0765 0 0</q0><v0>0 150*0.0765 "
      "150</v0><mass>0.038</mass><inertia>7.4e-5</inertia></RigidBody2dDS>"
      "<RigidBody2dDS id='rod'><q0>0.306 0 0</q0><v0>0 150*0.0765 "
      "-75</v0><mass>0.038</mass><inertia>5.9e-4</inertia></RigidBody2dDS>"
      "<RigidBody2dDS id='slider'><q0>0.459 0 "
      "0</q0><mass>0.076</mass><inertia>1e-4</inertia></RigidBody2dDS></systems><interactions>"
      "<interaction id='bearing' systems='crank'><PivotJointR point='0 0'/>" EQUAL
      "<interaction id='pin' systems='crank rod'><PivotJointR point='0.153 0'/>" EQUAL
      "<interaction id='gudgeon' systems='rod slider'><PivotJointR point='0.459 0'/>" EQUAL
      "<interaction id='guide' systems='slider'><PrismaticJointR axis='1 0'/>" EQUAL
      "</interactions>" STEPS("%.17g", "%.17g", "<MoreauJeanDirectProjectionOSI theta='0.5'/>"),
      T, T / steps);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  size_t k = row_where(&r, "crank.angle", M_PI / 2);
  double a = run_at(&r, k - 1, "crank.v_angle"), b = run_at(&r, k, "crank.v_angle");
  *quarter = a + (b - a) * part_of_step(&r, k, "crank.angle", M_PI / 2);
  double e = fmax(fabs(r.x->v[2] - 150) / 150, fabs(r.x->q[2] - 2 * M_PI));
  for (size_t i = 0; i < r.m->nrows; i++) ck_assert_double_le(fabs(r.x->y[i]), 1e-8);
  run_end(&r);
  return e;
}

START_TEST(slider_crank_turns_at_second_order)
{
  double speed[2], a = revolution(400, &speed[0]), b = revolution(800, &speed[1]);
  ck_assert_double_ge(log2(a / b), 1.9);
  ck_assert_double_le(b, 1e-3);
  ck_assert_double_eq_tol(speed[1], 71.10555, 0.01);
  ck_assert_double_ge(log2(fabs(speed[0] - 71.10555) / fabs(speed[1] - 71.10555)), 1.8);
}
END_TEST

/* ---- as in space ----------------------------------------------------------------------------- */

#define FLAT_BODY(id, x, v) \
  "<RigidBody2dDS id='" id "'><q0>" x " 0 " \
  "0</q0><v0>" v "</v0><mass>1</mass><inertia>0.09</inertia><fExt>0 -9.81</fExt></RigidBody2dDS>"
#define SOLID_BODY(id, x, v) \
  "<NewtonEulerDS id='" id "'><q0>" x " 0 0 1 0 0 0</q0><v0>" v "</v0><mass>1</mass><inertia " \
  "diag='0.01 0.09 0.09'/><fExt>0 -9.81 0</fExt></NewtonEulerDS>"
#define ALIKE(at0, at1, along) \
  "<interactions><interaction id='shoulder' systems='arm'><PivotJointR " at0 "><torque>-2*angle " \
  "- 0.1*v_angle</torque></PivotJointR>" EQUAL \
  "<interaction id='elbow' systems='arm hand'><PivotJointR " at1 "/>" EQUAL \
  "<interaction id='guide' systems='cart'><PrismaticJointR axis='" along "'><force>3*sin(t) - " \
  "slide</force></PrismaticJointR>" EQUAL \
  "<interaction id='stop'><JointStopR joint='elbow' lower='-0.5' upper='0.3'/><NewtonImpactNSL " \
  "e='0.4'/></interaction>" \
  "<interaction id='rub'><JointFrictionR joint='shoulder'/><RelayNSL lb='-0.2' " \
  "ub='0.2'/></interaction>" \
  "<interaction id='rack'><CouplerJointR joints='shoulder guide' ratio='0.5'/>" EQUAL \
  "<interaction id='weld' systems='hand " \
  "lamp'><FixedJointR/>" EQUAL \
  "</interactions>" STEPS("2e-3", "1.5", "<MoreauJeanOSI theta='0.5'/>")

/* An arm with an elbow that stops, rubs in its shoulder, on a spring, and moves a driven cart by a
 * rack; a lamp is welded to its hand. */
START_TEST(arms_move_as_in_space)
{
  run p = mechanics("<systems>" FLAT_BODY("arm", "0.5", "0 0 0") FLAT_BODY("hand", "1.5", "0 0 0")
                        FLAT_BODY("cart", "3", "0 0 0")
                            FLAT_BODY("lamp", "2.2", "0 0 0") "</systems>" ALIKE(
                                "point='0 0'", "point='1 0'", "1 0"));
  run s = mechanics("<systems>" SOLID_BODY("arm", "0.5", "0 0 0 0 0 0") SOLID_BODY(
      "hand", "1.5", "0 0 0 0 0 0") SOLID_BODY("cart", "3", "0 0 0 0 0 0")
                        SOLID_BODY("lamp", "2.2", "0 0 0 0 0 0") "</systems>" ALIKE(
                            "point='0 0 0' axis='0 0 1'", "point='1 0 0' axis='0 0 1'", "1 0 0"));
  ck_assert_int_eq(run_keep(&p), NS_OK);
  ck_assert_int_eq(run_keep(&s), NS_OK);
  double max = 0, min = 0;
  for (size_t k = 0; k < p.got.nrows; k++) {
    double elbow = run_at(&p, k, "elbow.angle");
    max = fmax(max, elbow), min = fmin(min, elbow);
    ck_assert_double_eq_tol(elbow, run_at(&s, k, "elbow.angle"), 1e-7);
    ck_assert_double_eq_tol(run_at(&p, k, "shoulder.angle"), run_at(&s, k, "shoulder.angle"), 1e-7);
    ck_assert_double_eq_tol(run_at(&p, k, "guide.slide"), run_at(&s, k, "guide.slide"), 1e-7);
    ck_assert_double_eq_tol(run_at(&p, k, "lamp.x"), run_at(&s, k, "lamp.x"), 1e-7);
    ck_assert_double_eq_tol(run_at(&p, k, "lamp.v_y"), run_at(&s, k, "lamp.v_y"), 1e-6);
  }
  ck_assert(max > 0.29 && min < -0.49); /* both stops */
  run_end(&p);
  run_end(&s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_test(t, pendulum_has_its_period);
  tcase_add_test(t, hinge_bears_the_swing);
  tcase_add_test(t, slider_crank_turns_at_second_order);
  tcase_add_test(t, arms_move_as_in_space);
}

int main(void) { return suite_run("joints in the plane, simulated", fill); }
