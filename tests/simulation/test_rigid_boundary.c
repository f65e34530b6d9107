/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rigid bodies whose velocities are prescribed: motion and support reactions against the equations
 * of motion; orientations that are set. */
#include "support/rigid_runs.h"

#define STEPS(h, T) \
  "<simulation T='" T "'><TimeStepping " \
  "h='" h "'><MoreauJeanOSI/></TimeStepping></simulation>"
#define SOLVED_STEPS(h, T) \
  "<simulation T='" T "'><TimeStepping h='" h "'><MoreauJeanOSI/>" \
  "<FrictionContact tolerance='1e-11'/></TimeStepping></simulation>"

static void play(run *r) { ck_assert_int_eq(run_keep(r), NS_OK); }

static double change(const run *r, size_t k, const char *label)
{
  return run_at(r, k, label) - run_at(r, k - 1, label);
}
static double mean(const run *r, size_t k, const char *label)
{
  return (run_at(r, k, label) + run_at(r, k - 1, label)) / 2;
}

/* ---- a body turned at a given rate ----------------------------------------------------------- */

/* About its axis z at w(t) = a + b cos(c t), with products of inertia: the support carries I w' e_z
 * + w^2 e_z x I e_z, which is (I13 w' - I23 w^2, I23 w' + I13 w^2, I33 w'), and the weight. */
START_TEST(turned_body_loads_its_support)
{
  const double h = 1e-3, I13 = 0.3, I23 = -0.2, I33 = 2;
  run r = mechanics(
      "<systems><NewtonEulerDS id='b'><q0>1 2 3 1 0 0 0</q0><v0>0 0 0 0 0 2</v0><mass>3</mass>"
      "<inertia>1.5 0.1 0.3; 0.1 1.7 -0.2; 0.3 -0.2 2</inertia><fExt>0 0 -30</fExt>"
      "<fixed coordinates='x y z Omega_x Omega_y'/><harmonic coordinates='Omega_z' a='0.5' b='1.5' "
      "omega='4'/>"
      "</NewtonEulerDS></systems>" STEPS("1e-3", "1"));
  play(&r);
  for (size_t k = 1; k < r.got.nrows; k++) {
    double w0 = run_at(&r, k - 1, "b.Omega_z"), w = run_at(&r, k, "b.Omega_z"),
           ww = (w * w + w0 * w0) / 2;
    ck_assert_double_eq_tol(w, 0.5 + 1.5 * cos(4 * run_at(&r, k, "time")), 1e-14);
    double want[] = {
        0, 0, 30 * h, I13 * (w - w0) - h * I23 * ww, I23 * (w - w0) + h * I13 * ww, I33 * (w - w0)};
    static const char *const label[] = {"b.support_x",       "b.support_y",
                                        "b.support_z",       "b.support_Omega_x",
                                        "b.support_Omega_y", "b.support_Omega_z"};
    for (int i = 0; i < 6; i++) ck_assert_double_eq_tol(run_at(&r, k, label[i]), want[i], 2e-15);
  }
  size_t n = r.got.nrows - 1;
  double angle = 0.5 + 1.5 / 4 * sin(4.);
  /* second order */
  ck_assert_double_eq_tol(2 * atan2(run_at(&r, n, "b.p3"), run_at(&r, n, "b.p0")), angle, h * h);
  ck_assert_double_eq(run_at(&r, n, "b.x"), 1);
  ck_assert_double_le(r.x->cert->defect_max, 1e-13); /* the work of the support is in the balance */
  ck_assert_double_ge(fabs(r.x->cert->work_force), 0.5);
  run_end(&r);
}
END_TEST

/* In the plane: a(t) of the angle, x and y by formulas. */
START_TEST(planar_body_loads_its_support)
{
  const double h = 1e-2;
  run r = mechanics("<systems><RigidBody2dDS id='b'><q0>0 0 0</q0><v0>0 1 "
                    "0</v0><mass>3</mass><inertia>0.4</inertia><fExt>0 -30</fExt>"
                    "<prescribed coordinates='x y angle'>sin(t), cos(t), "
                    "t^2</prescribed></RigidBody2dDS></systems>" STEPS("1e-2", "1"));
  play(&r);
  for (size_t k = 1; k < r.got.nrows; k++) {
    ck_assert_double_eq_tol(run_at(&r, k, "b.support_x"), 3 * change(&r, k, "b.v_x"), 1e-15);
    ck_assert_double_eq_tol(run_at(&r, k, "b.support_y"), 3 * change(&r, k, "b.v_y") + 30 * h,
                            1e-15);
    ck_assert_double_eq_tol(run_at(&r, k, "b.support_angle"), 0.4 * change(&r, k, "b.v_angle"),
                            1e-15);
  }
  ck_assert_double_le(r.x->cert->defect_max, 1e-13);
  run_end(&r);
}
END_TEST

/* ---- a shaking table ------------------------------------------------------------------------- */

#define TABLE(omega, h, T) \
  "<systems><NewtonEulerDS id='table'><q0>0 0 0 1 0 0 0</q0><v0>1 0 0 0 0 " \
  "0</v0><mass>5</mass><Box size='4 1 0.1'/>" \
  "<fixed coordinates='y z Omega_x Omega_y Omega_z'/><harmonic coordinates='x' b='1' " \
  "omega='" omega "'/></NewtonEulerDS>" \
  "<NewtonEulerDS id='box'><q0>0 0 0.15 1 0 0 0</q0><v0>1 0 0 0 0 0</v0><mass>2</mass><Box " \
  "size='0.4 0.4 0.2'/>" \
  "<fExt>0 0 -2*9.81</fExt></NewtonEulerDS></systems><contacts><NewtonImpactFrictionNSL en='0' " \
  "mu='0.3'/></contacts>" SOLVED_STEPS(h, T)

static const double mu_g = 0.3 * G;

/* A box that sticks follows the table to the tolerance of the solver, here 1e-11 m/s, and the
 * impulse on the support is off by the box's part of that: some 2 kg of it. */
static const double known = 5e-12;

/* b omega = 2.9 < mu g = 2.943: the box stays where it stands, and the support moves both. */
START_TEST(gentle_table_takes_the_box_along)
{
  run r = mechanics(TABLE("2.9", "2e-3", "2"));
  play(&r);
  for (size_t k = 1; k < r.got.nrows; k++) {
    ck_assert_double_eq_tol(run_at(&r, k, "box.v_x"), run_at(&r, k, "table.v_x"), 1e-9);
    ck_assert_double_eq_tol(run_at(&r, k, "table.support_x"), 7 * change(&r, k, "table.v_x"),
                            known);
    ck_assert_double_eq_tol(run_at(&r, k, "table.support_z"), 2 * G * 2e-3, known);
  }
  ck_assert_double_le(r.x->cert->defect_max, 1e-9);
  run_end(&r);
}
END_TEST

/* b omega = 8: with v = cos(8 t) it slides from sin(8 t) = mu g/8 on, and slows down by mu g, until
 * the table is as fast again: cos(8 t) = cos(8 t1) - mu g (t - t1), after t = 0.5. Steps begin to
 * slide within one. */
START_TEST(rough_table_leaves_the_box_behind)
{
  const double h = 1e-3, t1 = asin(mu_g / 8) / 8, v1 = cos(8 * t1);
  run r = mechanics(TABLE("8", "1e-3", "0.5"));
  play(&r);
  for (size_t k = 1; k < r.got.nrows; k++) {
    double t = run_at(&r, k, "time");
    if (t < t1) continue;
    /* jerk 64 sin over one step */
    ck_assert_double_eq_tol(run_at(&r, k, "box.v_x"), v1 - mu_g * (t - t1), 16 * h * h);
    if (t < t1 + 2 * h) continue;
    ck_assert_double_eq_tol(change(&r, k, "box.v_x"), -mu_g * h, known);
    ck_assert_double_eq_tol(run_at(&r, k, "table.support_x"),
                            5 * change(&r, k, "table.v_x") - 2 * mu_g * h, known);
  }
  ck_assert_double_le(r.x->cert->work_friction, -0.5);
  ck_assert_double_le(r.x->cert->defect_max, 1e-9);
  run_end(&r);
}
END_TEST

/* ---- beside joints --------------------------------------------------------------------------- */

/* A rod of length 2 l on a hinge at the origin, turned at w = t: the hinge carries -m l w^2 along
 * the rod, the support (J + m l^2) w'. The hinge holds five velocities, of which the support leaves
 * all free but the sixth. */
START_TEST(hinge_and_support_share_a_body)
{
  const double h = 1e-3, m = 2, l = 0.5, J = 0.3;
  run r = mechanics(
      "<systems><NewtonEulerDS id='rod'><q0>0.5 0 0 1 0 0 0</q0><mass>2</mass><inertia diag='0.1 "
      "0.3 0.3'/>"
      "<prescribed coordinates='Omega_z'>t</prescribed></NewtonEulerDS></systems><interactions>"
      "<interaction id='hinge' systems='rod'><PivotJointR point='0 0 0' axis='0 0 "
      "1'/><EqualityConditionNSL/></interaction>"
      "</interactions>" STEPS("1e-3", "2"));
  play(&r);
  for (size_t k = 1; k < r.got.nrows; k++) {
    double px = run_at(&r, k, "rod.p_x"), py = run_at(&r, k, "rod.p_y"),
           w = mean(&r, k, "rod.Omega_z");
    /* m l (w^2, w') */
    ck_assert_double_eq_tol(hypot(px, py), m * l * hypot(h * w * w, h), 2e-3 * h);
    ck_assert_double_eq_tol(run_at(&r, k, "rod.support_Omega_z"), (J + m * l * l) * h, 2e-3 * h);
  }
  /* second order, with the velocities of a step */
  ck_assert_double_le(joint_error(&r, "hinge", 5), 2e-6);
  /* of the world as the rod sees it */
  ck_assert_double_eq_tol(run_at(&r, r.got.nrows - 1, "hinge.angle"), -2, 1e-9);
  ck_assert_double_le(r.x->cert->defect_max, 1e-5);
  run_end(&r);
}
END_TEST

/* All that a joint asks for is held: nothing is left to solve, and no impulse is found. */
START_TEST(joint_of_a_held_body_is_redundant)
{
  run r = mechanics(
      "<systems><NewtonEulerDS id='b'><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag='1 1 "
      "1'/><fExt>1 2 3</fExt>"
      "<fixed coordinates='x y z Omega_x Omega_y Omega_z'/></NewtonEulerDS></systems><interactions>"
      "<interaction id='j' "
      "systems='b'><FixedJointR/><EqualityConditionNSL/></interaction></interactions>" STEPS(
          "0.01", "0.1"));
  play(&r);
  ck_assert_double_eq_tol(run_at(&r, 10, "b.support_z"), -0.03, 1e-16);
  ck_assert_double_eq(run_at(&r, 10, "j.lambda[0]"), 0);
  run_end(&r);
}
END_TEST

/* ---- orientations that events set ------------------------------------------------------------ */

#define TURNED_BY(set) \
  "<systems><NewtonEulerDS id='b'><q0>0 0 0 0.6 0 0.8 0</q0><v0>0 0 0 0 0 " \
  "0</v0><mass>2</mass><inertia diag='1 2 3'/>" \
  "<fExt axes='body'>0 4 0</fExt></NewtonEulerDS></systems>" STEPS( \
      "0.01", "1") "<events><event id='turn' at='0.5'>" set "</event></events>"

/* What is set is divided by its norm, with what is not set; a force in body axes turns with it. */
START_TEST(event_turns_a_body)
{
  static const struct {
    const char *set;
    double p[4], push[3];
  } row[] = {{TURNED_BY("<set name='p3' value='-3'/><set name='p0' value='3'/><set name='p1' "
                        "value='0'/><set name='p2' value='0'/>"),
              {M_SQRT1_2, 0, 0, -M_SQRT1_2},
              {1, 0, 0}}, /* by -90 degrees about z: 4 N along x */
             {TURNED_BY("<set name='p2' value='0'/>"), {1, 0, 0, 0}, {0, 1, 0}}};
  run r = mechanics("%s", row[_i].set);
  play(&r);
  size_t n = r.got.nrows - 1;
  double q[7], v[6];
  body_at(&r, n, "b", q, v);
  near(q + 3, row[_i].p, 4, 2e-16);
  /* before, 4 N along y for half a second: the turn of q0 is about y */
  near(v, (double[]){row[_i].push[0], 1 + row[_i].push[1], 0}, 3, 1e-13);
  ck_assert_double_le(r.x->cert->defect_max, 1e-12);
  run_end(&r);
}
END_TEST

START_TEST(event_cannot_take_the_orientation_away)
{
  run r = mechanics(
      TURNED_BY("<set name='z' value='7'/><set name='p0' value='0'/><set name='p2' value='0'/>"));
  ck_assert_int_eq(run_keep(&r), NS_NUMERIC);
  ck_assert_msg(
      strstr(r.c.msg,
             "makes the quaternion of b (0, 0, 0, 0) at t = 0.5 s, expected a nonzero one") != NULL,
      "%s", r.c.msg);
  near(r.x->q + 2, (double[]){0, 0.6, 0, 0.8, 0}, 5, 0); /* the last good state */
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, turned_body_loads_its_support);
  tcase_add_test(t, planar_body_loads_its_support);
  tcase_add_test(t, gentle_table_takes_the_box_along);
  tcase_add_test(t, rough_table_leaves_the_box_behind);
  tcase_add_test(t, hinge_and_support_share_a_body);
  tcase_add_test(t, joint_of_a_held_body_is_redundant);
  tcase_add_loop_test(t, event_turns_a_body, 0, 2);
  tcase_add_test(t, event_cannot_take_the_orientation_away);
}

int main(void) { return suite_run("prescribed velocities of rigid bodies", fill); }
