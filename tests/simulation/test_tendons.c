/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tendons over joints, with strands, limits and friction: against formulas of joints, closed forms,
 * and event-driven runs. */
#include "model/systems/rigid_force.h"
#include "support/rigid_bodies.h"
#include "support/rigid_runs.h"

#define STEPS(h, T) \
  "<simulation T='" T "'><TimeStepping h='" h \
  "'><MoreauJeanOSI theta='0.5'/></TimeStepping></simulation>"
#define EVENTS(T) \
  "<simulation T='" T "'><EventDriven h='0.05'><CVodeOSI relativeTolerance='1e-10' " \
  "absoluteTolerance='1e-11'/></EventDriven></simulation>"
#define BODY(id, q) \
  "<NewtonEulerDS id='" id "'><q0>" q "</q0><mass>2</mass><inertia diag='0.3 0.4 0.2'/>" \
  "<fExt>0 0 -19.62</fExt></NewtonEulerDS>"
#define DISK(id, q) \
  "<RigidBody2dDS id='" id "'><q0>" q "</q0><mass>2</mass><inertia>0.3</inertia>" \
  "<fExt>0 -19.62</fExt></RigidBody2dDS>"
#define JOINT(id, systems, joint) \
  "<interaction id='" id "' systems='" systems "'>" joint "<EqualityConditionNSL/></interaction>"

/* A body in the world and one on it, and a third one elsewhere: a hinge, a cylinder, a slide. %s:
 * what acts along the coordinates. */
#define IN_SPACE \
  "<systems>" BODY("a", "0.5 0 0 1 0 0 0") BODY("b", "1.2 0.1 0 1 0 0 0") \
      BODY("c", "3 0 0 1 0 0 0") "</systems><interactions>" JOINT( \
          "u", "a", "<PivotJointR point='0 0 0' axis='0 1 0.2'>%s</PivotJointR>") \
          JOINT("w", "a b", \
                "<CylindricalJointR point='1 0 0' axis='0.3 1 0'>%s</CylindricalJointR>") \
              JOINT("s", "c", \
                    "<PrismaticJointR axis='0.2 0 1'>%s</PrismaticJointR>") "%s</interactions>%s"
#define IN_PLANE \
  "<systems>" DISK("a", "0.5 0 0") DISK("b", "1.2 0.1 0") \
      DISK("c", "3 0 0") "</systems><interactions>" JOINT( \
          "u", "a", "<PivotJointR point='0 0'>%s</PivotJointR>") \
          JOINT("w", "a b", "<PivotJointR point='1 0'>%s</PivotJointR>") \
              JOINT("s", "c", \
                    "<PrismaticJointR axis='0.2 1'>%s</PrismaticJointR>") "%s</interactions>%s"

static void play(run *r) { ck_assert_msg(run_keep(r) == NS_OK, "%s", r->c.msg); }
static double last(const run *r, const char *label) { return run_at(r, r->got.nrows - 1, label); }

/* Largest difference of a column at the end. */
static double apart(const run *a, const run *b, const char *label)
{
  return fabs(last(a, label) - last(b, label));
}

/* ---- over joints ----------------------------------------------------------------------------- */

/* What a tendon L = 0.3 u + c angle(w) + d slide(w) - 0.4 s does, as a formula on each coordinate.
 */
#define TENDON_SPACE \
  "<tendon id='t' joints='u w w s' coordinates='auto angle slide auto' coefficients='0.3 0.2 " \
  "-0.5 " \
  "-0.4' pushes='true' stiffness='60' damping='1.5' restLength='0.05'/>"
#define RATE_SPACE(u, wa, ws, s) "1.5*(0.3*" u " + 0.2*" wa " - 0.5*" ws " - 0.4*" s ")"
#define PULL_SPACE(u, wa, ws, s) "60*(0.3*" u " + 0.2*" wa " - 0.5*" ws " - 0.4*" s " - 0.05)"
#define TENDON_PLANE \
  "<tendon id='t' joints='u w s' coefficients='0.3 0.2 -0.4' pushes='true' stiffness='60' " \
  "damping='1.5' restLength='0.05'/>"
#define PULL_PLANE(u, w, s) "60*(0.3*" u " + 0.2*" w " - 0.4*" s " - 0.05)"
#define RATE_PLANE(u, w, s) "1.5*(0.3*" u " + 0.2*" w " - 0.4*" s ")"

START_TEST(tendon_is_its_torques)
{
  static const char *const space[] = {
      "<torque>-0.3*(" PULL_SPACE("angle", "w.angle", "w.slide", "s.slide") " + " RATE_SPACE(
          "v_angle", "w.v_angle", "w.v_slide", "s.v_slide") ")</torque>",
      "<torque>-0.2*(" PULL_SPACE("u.angle", "angle", "slide", "s.slide") " + " RATE_SPACE(
          "u.v_angle", "v_angle", "v_slide",
          "s.v_slide") ")</torque>"
                       "<force>0.5*(" PULL_SPACE(
                           "u.angle", "angle", "slide",
                           "s.slide") " + " RATE_SPACE("u.v_angle", "v_angle", "v_slide",
                                                       "s.v_slide") ")</force>",
      "<force>0.4*(" PULL_SPACE("u.angle", "w.angle", "w.slide", "slide") " + " RATE_SPACE(
          "u.v_angle", "w.v_angle", "w.v_slide", "v_slide") ")</force>"};
  static const char *const plane[] = {
      "<torque>-0.3*(" PULL_PLANE("angle", "w.angle", "s.slide") " + " RATE_PLANE(
          "v_angle", "w.v_angle", "s.v_slide") ")</torque>",
      "<torque>-0.2*(" PULL_PLANE("u.angle", "angle", "s.slide") " + " RATE_PLANE(
          "u.v_angle", "v_angle", "s.v_slide") ")</torque>",
      "<force>0.4*(" PULL_PLANE("u.angle", "w.angle", "slide") " + " RATE_PLANE(
          "u.v_angle", "w.v_angle", "v_slide") ")</force>"};
  static const char *const label[] = {"u.angle", "w.angle", "s.slide", "a.x", "b.x"};
  const char *how = _i / 2 ? EVENTS("1") : STEPS("1e-3", "1");
  run one, other;
  if (_i % 2) {
    one = mechanics(IN_PLANE, "", "", "", TENDON_PLANE, how);
    other = mechanics(IN_PLANE, plane[0], plane[1], plane[2], "", how);
  } else {
    one = mechanics(IN_SPACE, "", "", "", TENDON_SPACE, how);
    other = mechanics(IN_SPACE, space[0], space[1], space[2], "", how);
  }
  play(&one), play(&other);
  for (size_t k = 0; k < 5; k++)
    ck_assert_msg(apart(&one, &other, label[k]) <= 1e-8, "%s: %.12g as a tendon, %.12g by formulas",
                  label[k], last(&one, label[k]), last(&other, label[k]));
  double length = 0.3 * last(&one, "u.angle") + 0.2 * last(&one, "w.angle") -
                  0.4 * last(&one, "s.slide") - (_i % 2 ? 0 : 0.5 * last(&one, "w.slide"));
  ck_assert_double_eq_tol(last(&one, "t.length"), length, 1e-12);
  ck_assert_double_gt(fabs(length - 0.05), 1e-3);
  run_end(&one), run_end(&other);
}
END_TEST

/* Without a damper the energy stays; what is shown is the sum of its parts. */
START_TEST(spring_keeps_the_energy)
{
  run r = mechanics(IN_SPACE, "", "", "",
                    "<tendon id='t' joints='u s' coefficients='0.3 -0.4' pushes='true' "
                    "stiffness='90' preload='2' restLength='-0.1'/>",
                    EVENTS("2"));
  play(&r);
  double E[2];
  for (int k = 0; k < 2; k++) {
    size_t row = k ? r.got.nrows - 1 : 0;
    E[k] = run_at(&r, row, "diagnostics.kinetic") + run_at(&r, row, "diagnostics.potential") -
           run_at(&r, row, "diagnostics.work_force");
  }
  ck_assert_double_eq_tol(E[0], E[1], 1e-7);
  run_end(&r);
}
END_TEST

/* The balance of steps closes to second order: what a spring stores is exact, work is by steps. */
START_TEST(balance_closes)
{
  double defect[2];
  for (int k = 0; k < 2; k++) {
    run r = mechanics(IN_SPACE, "", "", "", TENDON_SPACE,
                      k ? STEPS("5e-4", "1") : STEPS("1e-3", "1"));
    play(&r);
    defect[k] = fabs(last(&r, "diagnostics.energy_defect"));
    run_end(&r);
  }
  ck_assert_double_le(defect[0], 1e-4);
  ck_assert_double_ge(log2(defect[0] / defect[1]), 1.9);
}
END_TEST

/* A winch: a drum of radius R turns several times, and its rope lifts a weight on a slide. A limit
 * makes the rope not stretch: J/R^2 + m carries m g. */
START_TEST(winch_turns_many_times)
{
  static const double J = 0.4, m = 2, R = 0.1, g = 9.81;
  const char *rope = "<tendon id='t' joints='u s' coefficients='0.1 1' stiffness='0'/>"
                     "<interaction id='e'><TendonStopR tendon='t' upper='0'/><NewtonImpactNSL "
                     "e='0'/></interaction>";
  for (int k = 0; k < 2; k++) {
    run r = mechanics(
        "<systems>" BODY("a", "0 0 0 1 0 0 0")
            BODY("c", "3 0 0 1 0 0 0") "</systems><interactions>" JOINT(
                "u", "a", "<PivotJointR point='0 0 0' axis='0 -1 0'/>")
                JOINT("s", "c", "<PrismaticJointR axis='0 0 1'/>") "%s</interactions>%s",
        rope, k ? EVENTS("2") : STEPS("1e-3", "2"));
    play(&r);
    double fall = m * g / (J / (R * R) + m) * 2; /* a t^2/2 at 2 s */
    /* of a joint with the world the coordinate is that of the world relative to the body */
    /* rounding may leave the rope slack for a step, which falls (g - a) h^2 */
    ck_assert_double_eq_tol(last(&r, "c.z"), -fall, k ? 1e-9 : 1e-5);
    ck_assert_double_eq_tol(fabs(last(&r, "u.angle")), fall / R, k ? 1e-8 : 1e-5);
    ck_assert_double_gt(fabs(last(&r, "u.angle")), 2 * acos(-1));
    ck_assert_double_eq_tol(last(&r, "t.length"), 0, k ? 1e-9 : 1e-5);
    run_end(&r);
  }
}
END_TEST

/* ---- through points -------------------------------------------------------------------------- */

/* A weight on one strand, another one on the two of a tackle. */
#define TACKLE(v) \
  "<systems><NewtonEulerDS id='a'><mass>1</mass><inertia diag='0.1 0.1 0.1'/><q0>0 0 -2 1 0 0 " \
  "0</q0><v0>" v " 0 0 0</v0><fExt>0 0 -9.81</fExt></NewtonEulerDS>" \
  "<NewtonEulerDS id='b'><mass>1.5</mass><inertia diag='0.1 0.12 0.1'/><q0>1 0 -2 1 0 0 0</q0>" \
  "<fExt>0 0 -14.715</fExt></NewtonEulerDS></systems><interactions>" \
  "<tendon id='s' systems='a world world b' points='0 0 0.1  0 0 0  1 0 0  0 0 0.2' strands='1 1 " \
  "2' stiffness='0'/>" \
  "<interaction id='e'><TendonStopR tendon='s' upper='6.5'/><NewtonImpactNSL " \
  "e='0.3'/></interaction></interactions>%s"

START_TEST(tackle_falls_as_it_should)
{
  static const double ma = 1, mb = 1.5, g = 9.81;
  double tension = 3 * g / (1 / ma + 4 / mb);
  for (int k = 0; k < 2; k++) {
    run r = mechanics(TACKLE("0 0 0"), k ? EVENTS("1") : STEPS("1e-3", "1"));
    play(&r);
    ck_assert_double_eq_tol(last(&r, "a.z"), -2 + (tension / ma - g) / 2, 1e-9);
    ck_assert_double_eq_tol(last(&r, "b.z"), -2 + (2 * tension / mb - g) / 2, 1e-9);
    run_end(&r);
  }
}
END_TEST

/* Swinging, both ways of stepping agree to second order. */
START_TEST(tackle_swings_alike)
{
  run events = mechanics(TACKLE("1 0.5 0.2"), EVENTS("1"));
  double error[2] = {0};
  play(&events);
  for (int k = 0; k < 2; k++) {
    static const char *const label[] = {"a.x", "a.z", "b.z", "a.y"};
    run r = mechanics(TACKLE("1 0.5 0.2"), k ? STEPS("1e-3", "1") : STEPS("2e-3", "1"));
    play(&r);
    for (int i = 0; i < 4; i++) error[k] = fmax(error[k], apart(&r, &events, label[i]));
    run_end(&r);
  }
  ck_assert_double_le(error[1], 2e-5);
  ck_assert_double_ge(log2(error[0] / error[1]), 1.8);
  run_end(&events);
}
END_TEST

/* Stiffness times the square of the strands, and the length of a branch beside. */
START_TEST(strands_are_springs_side_by_side)
{
  run tackle = mechanics("<systems>" BODY("a", "0 0 -1 1 0 0 0") BODY(
                             "b", "1 0 -1 1 0 0 0") "</systems><interactions>"
                                                    "<tendon id='s' systems='a world world b' "
                                                    "points='0.1 0 0.1  0 0 0  1 0 0  0 0.1 0.2' "
                                                    "strands='3 0 0' stiffness='40' damping='0.5' "
                                                    "restLength='2.1' pushes='true'/>"
                                                    "</interactions>%s",
                         STEPS("1e-3", "1"));
  run spring = mechanics("<systems>" BODY("a", "0 0 -1 1 0 0 0") BODY(
                             "b", "1 0 -1 1 0 0 0") "</systems><interactions>"
                                                    "<spring id='s' systems='a world' point1='0.1 "
                                                    "0 0.1' stiffness='360' damping='4.5' "
                                                    "restLength='0.7'/></interactions>%s",
                         STEPS("1e-3", "1"));
  play(&tackle), play(&spring);
  static const char *const label[] = {"a.x", "a.z", "a.Omega_y", "b.z", "b.x"};
  for (int i = 0; i < 5; i++) ck_assert_double_le(apart(&tackle, &spring, label[i]), 1e-11);
  ck_assert_double_eq_tol(last(&tackle, "s.length"), 3 * last(&spring, "s.length"), 1e-11);
  run_end(&tackle), run_end(&spring);
}
END_TEST

/* ---- limits and friction --------------------------------------------------------------------- */

/* Limits of a tendon over one joint are those of the joint, friction too. */
START_TEST(rows_are_those_of_the_joint)
{
  static const char *const rows[][2] = {
      {"<JointStopR joint='u' lower='-0.1' upper='0.7'/><NewtonImpactNSL e='0.5'/>",
       "<TendonStopR tendon='t' lower='-0.7*0.4' upper='0.1*0.4'/><NewtonImpactNSL e='0.5'/>"},
      {"<JointFrictionR joint='u'/><RelayNSL lb='-1.2' ub='1.2'/>",
       "<TendonFrictionR tendon='t'/><RelayNSL lb='-3' ub='3'/>"}};
  for (int k = 0; k < 2; k++) {
    run r[2];
    for (int j = 0; j < 2; j++) {
      char text[512];
      snprintf(text, sizeof text, "<interaction id='e'>%s</interaction>%s", rows[_i][j],
               j ? "<tendon id='t' joints='u' coefficients='-0.4' stiffness='0'/>" : "");
      r[j] = mechanics(IN_SPACE, "", "", "", text, k ? EVENTS("1.5") : STEPS("1e-3", "1.5"));
      play(&r[j]);
    }
    ck_assert_double_le(apart(&r[0], &r[1], "u.angle"), 1e-8);
    ck_assert_double_le(apart(&r[0], &r[1], "b.z"), 1e-8);
    run_end(&r[0]), run_end(&r[1]);
  }
}
END_TEST

/* A tendon of constant length over two joints is their coupler. */
START_TEST(constant_length_is_a_coupler)
{
  static const char *const text[] = {
      "<interaction id='e'><CouplerJointR joints='u s' ratio='0.7'/><EqualityConditionNSL/>"
      "</interaction>",
      "<tendon id='t' joints='u s' coefficients='-0.7 1' stiffness='0'/><interaction id='e'>"
      "<TendonLengthR tendon='t' length='0'/><EqualityConditionNSL/></interaction>"};
  for (int k = 0; k < 2; k++) {
    run r[2];
    for (int j = 0; j < 2; j++) {
      r[j] = mechanics(IN_SPACE, "", "", "", text[j], k ? EVENTS("1.5") : STEPS("1e-3", "1.5"));
      play(&r[j]);
    }
    ck_assert_double_le(apart(&r[0], &r[1], "u.angle"), 1e-8);
    ck_assert_double_le(apart(&r[0], &r[1], "s.slide"), 1e-8);
    ck_assert_double_ge(fabs(last(&r[1], "u.angle")), 0.1);
    ck_assert_double_eq_tol(0.7 * last(&r[1], "u.angle"), last(&r[1], "s.slide"), 1e-4);
    run_end(&r[0]), run_end(&r[1]);
  }
}
END_TEST

START_TEST(both_ways_of_stepping_meet_limits)
{
  static const char *const rows[] = {
      "<TendonStopR tendon='t' lower='-0.02' upper='0.15'/><NewtonImpactNSL e='0.6'/>",
      "<TendonFrictionR tendon='t'/><RelayNSL lb='-1.5' ub='1.5'/>"};
  char text[512];
  snprintf(text, sizeof text, "%s<interaction id='e'>%s</interaction>", TENDON_SPACE, rows[_i]);
  run steps = mechanics(IN_SPACE, "", "", "", text, STEPS("1e-4", "1")),
      events = mechanics(IN_SPACE, "", "", "", text, EVENTS("1"));
  play(&steps), play(&events);
  ck_assert_double_le(apart(&steps, &events, "u.angle"), 1e-3);
  ck_assert_double_le(apart(&steps, &events, "s.slide"), 1e-3);
  ck_assert_double_le(fabs(last(&events, "diagnostics.energy_defect")), 1e-6);
  for (size_t k = 0; k < events.got.nrows && !_i; k++)
    ck_assert_double_ge(run_at(&events, k, "t.length"), -0.02 - 1e-8);
  run_end(&steps), run_end(&events);
}
END_TEST

/* ---- motors ---------------------------------------------------------------------------------- */

/* A motor of the length of a tendon over one joint is that of the joint with the lever arm as its
 * gear, in all its words; springs of both too. */
START_TEST(motor_is_that_of_the_joint)
{
  static const char *const words[] = {
      "command='position' kp='90' kv='4'",
      "command='position' kp='300' kv='2' limit='5'",
      "command='velocity' kv='20' limit='8'",
      "limit='6'",
      "stall='9' noLoad='0.7'",
      "command='position' kp='200' stall='20' noLoad='0.4' limit='11'"};
  static const char *const command[] = {"0.3*sin(3*t)", "0.2 + 0.1*a.z", "0.5*cos(4*t)",
                                        "9*sin(5*t)",   "7 - 3*t",       "0.4*cos(2*t)"};
  for (int k = 0; k < 2; k++) {
    run r[2];
    for (int j = 0; j < 2; j++) {
      char own[512] = "", tendon[512] = "";
      snprintf(j ? tendon : own, 512,
               j ? "<tendon id='t' joints='u' coefficients='-0.4' pushes='true' stiffness='25' "
                   "damping='0.5' restLength='0.1'><motor %s>%s</motor></tendon>"
                 : "<motor gear='-0.4' %s>%s</motor><torque>-0.4*(-25*(-0.4*angle - 0.1) + "
                   "0.5*0.4*v_angle)</torque>",
               words[_i], command[_i]);
      r[j] = mechanics(IN_SPACE, own, "", "", tendon, k ? EVENTS("1.5") : STEPS("1e-3", "1.5"));
      play(&r[j]);
    }
    ck_assert_double_le(apart(&r[0], &r[1], "u.angle"), 1e-8);
    ck_assert_double_le(apart(&r[0], &r[1], "b.z"), 1e-8);
    ck_assert_double_le(fabs(last(&r[1], "diagnostics.energy_defect")), 1e-5);
    run_end(&r[0]), run_end(&r[1]);
  }
}
END_TEST

/* Through points, pulling alone: the formula that its words and numbers stand for. */
START_TEST(winch_is_its_formula)
{
  static const char *const ways[] = {
      "stiffness='15' damping='2' restLength='2' preload='1'><motor command='position' kp='60' "
      "kv='5' limit='30' gear='2'>2.2 + 0.4*sin(4*t)</motor>",
      "><along>-15*(length - 2) - 2*rate - 1 + 2*max(min(60*(2.2 + 0.4*sin(4*t) - 2*length) - "
      "10*rate, 30), -30)</along>"};
  for (int k = 0; k < 2; k++) {
    run r[2];
    for (int j = 0; j < 2; j++) {
      char text[512];
      snprintf(text, sizeof text,
               "<tendon id='t' systems='b world' points='0.2 0 0.1  2 1 1.5' "
               "pushes='%s' %s</tendon>",
               _i ? "true" : "false", ways[j]);
      r[j] = mechanics(IN_SPACE, "", "", "", text, k ? EVENTS("1.5") : STEPS("1e-3", "1.5"));
      play(&r[j]);
    }
    int slack = 0, pushes = 0;
    for (size_t row = 0; row < r[0].got.nrows; row++) {
      slack |= fabs(run_at(&r[0], row, "t.force")) <= 0;
      pushes |= run_at(&r[0], row, "t.force") > 0;
    }
    ck_assert_int_eq(slack, !_i);
    ck_assert_int_eq(pushes, _i);
    ck_assert_double_le(apart(&r[0], &r[1], "u.angle"), 1e-8);
    ck_assert_double_le(apart(&r[0], &r[1], "b.z"), 1e-8);
    ck_assert_double_le(fabs(last(&r[0], "diagnostics.energy_defect")), 1e-4);
    run_end(&r[0]), run_end(&r[1]);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, tendon_is_its_torques, 0, 4);
  tcase_add_test(t, spring_keeps_the_energy);
  tcase_add_test(t, balance_closes);
  tcase_add_test(t, winch_turns_many_times);
  tcase_add_test(t, tackle_falls_as_it_should);
  tcase_add_test(t, tackle_swings_alike);
  tcase_add_test(t, strands_are_springs_side_by_side);
  tcase_add_loop_test(t, rows_are_those_of_the_joint, 0, 2);
  tcase_add_test(t, constant_length_is_a_coupler);
  tcase_add_loop_test(t, both_ways_of_stepping_meet_limits, 0, 2);
  tcase_add_loop_test(t, motor_is_that_of_the_joint, 0, 6);
  tcase_add_loop_test(t, winch_is_its_formula, 0, 2);
}

int main(void) { return suite_run("tendons", fill); }
