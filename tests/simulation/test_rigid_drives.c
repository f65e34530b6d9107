/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Springs, dampers and motors of joints against closed forms; what formulas and results know of
 * free coordinates. */
#include "support/random_model.h"
#include "support/rigid_runs.h"

#include "simulation/record/measures.h"

#define STEPS(h, T) \
  "<simulation T='" T "'><TimeStepping " \
  "h='" h "'><MoreauJeanOSI/></TimeStepping></simulation>"
#define AXLE(body, at, rate, J) \
  "<NewtonEulerDS id='" body "'><q0>0 0 " at " 1 0 0 0</q0><v0>0 0 0 0 0 " \
  "" rate "</v0><mass>1</mass><inertia diag='" J " " J " " J "'/>" \
  "</NewtonEulerDS>"

static void play(run *r) { ck_assert_int_eq(run_keep(r), NS_OK); }
static double last(const run *r, const char *label) { return run_at(r, r->got.nrows - 1, label); }

/* Two wheels on one axle, J = 2 and 4, relative rate -1.5; with the reduced inertia 4/3. */
static run wheels(const char *h, const char *T, const char *torque)
{
  return mechanics(
      "<systems>" AXLE("a", "0", "1", "2")
          AXLE("b", "1", "-0.5", "4") "</systems><interactions>"
                                      "<interaction id='j' systems='a b'><PivotJointR point='0 0 "
                                      "0' axis='0 0 1'><torque>%s</torque></PivotJointR>"
                                      "<EqualityConditionNSL/></interaction></interactions>"
                                      "<simulation T='%s'><TimeStepping "
                                      "h='%s'><MoreauJeanOSI/></TimeStepping></simulation>",
      torque, T, h);
}

/* k = 12: omega = 3. */
static double pendulum_error(const char *h)
{
  run r = wheels(h, "2", "-12*angle");
  play(&r);
  double e = fabs(last(&r, "j.angle") + 0.5 * sin(6.));
  /* what one gets the other loses */
  ck_assert_double_eq_tol(2 * last(&r, "a.Omega_z") + 4 * last(&r, "b.Omega_z"), 0, 1e-11);
  ck_assert_double_le(r.x->cert->defect_max, 1e-10);
  /* the trapezoidal rule is exact for a linear spring: its work is what its energy loses */
  double energy = 6 * last(&r, "j.angle") * last(&r, "j.angle");
  ck_assert_double_eq_tol(r.x->cert->work_force, -energy, 1e-10);
  run_end(&r);
  return e;
}

START_TEST(torsion_pendulum_is_of_second_order)
{
  double a = pendulum_error("2e-2"), b = pendulum_error("1e-2");
  ck_assert_double_eq_tol(log2(a / b), 2, 0.01);
  ck_assert_double_le(b, 6 * 27. / 12 * 1e-4 / 3); /* phase omega^3 h^2 t/12 */
}
END_TEST

/* rate' = -c rate/J: a step multiplies by (1 - x)/(1 + x), x = h c/(2 J), whatever the coupling of
 * the bodies. */
START_TEST(damper_decays_by_the_rule_of_the_scheme)
{
  run r = wheels("1e-2", "1", "-40*v_angle");
  play(&r);
  double x = 1e-2 * 40 / (2 * 4. / 3), want = -1.5;
  for (size_t k = 1; k < r.got.nrows; k++) {
    want *= (1 - x) / (1 + x);
    ck_assert_double_eq_tol(run_at(&r, k, "j.v_angle"), want, 1e-9);
    ck_assert_double_eq_tol(run_at(&r, k, "b.Omega_z") - run_at(&r, k, "a.Omega_z"),
                            run_at(&r, k, "j.v_angle"), 1e-14);
  }
  ck_assert_double_le(r.x->cert->defect_max, 1e-10);
  run_end(&r);
}
END_TEST

/* A motor turns a wheel on the world: tau = 3 cos(2 t) on the world as the wheel sees it. Its
 * torque is taken at both ends of a step, its power is work of forces. */
START_TEST(motor_of_the_world_turns_back)
{
  const double h = 1e-3;
  run r = mechanics("<systems>" AXLE(
      "a", "0", "0", "2") "</systems><interactions>"
                          "<interaction id='j' systems='a'><PivotJointR point='0 0 0' axis='0 0 "
                          "1'><torque>3*cos(2*t)</torque></PivotJointR>"
                          "<EqualityConditionNSL/></interaction></interactions>" STEPS("1e-3",
                                                                                       "1"));
  play(&r);
  double rate = last(&r, "a.Omega_z");
  ck_assert_double_eq_tol(rate, -0.75 * sin(2.), 0.75 * h * h); /* order 2 */
  ck_assert_double_eq_tol(last(&r, "j.v_angle"), -rate, 1e-14);
  ck_assert_double_eq_tol(r.x->cert->work_force, rate * rate, 1e-12);
  ck_assert_double_le(r.x->cert->defect_max, 1e-12);
  run_end(&r);
}
END_TEST

/* A sledge on a spring and a damper: x'' + 2 d x' + w^2 x = 0 with d = 1, w^2 = 10. */
START_TEST(sledge_swings_on_its_rail)
{
  run r = mechanics("<systems><NewtonEulerDS id='s'><q0>0 0 0 1 0 0 0</q0><v0>1 0 0 0 0 "
                    "0</v0><mass>2</mass><inertia diag='1 1 1'/>"
                    "</NewtonEulerDS></systems><interactions><interaction id='j' "
                    "systems='s'><PrismaticJointR axis='1 0 0'>"
                    "<force>-20*slide - "
                    "4*v_slide</force></PrismaticJointR><EqualityConditionNSL/></interaction></"
                    "interactions>" STEPS("1e-3", "1"));
  play(&r);
  ck_assert_double_eq_tol(last(&r, "s.x"), exp(-1.) * sin(3.) / 3, 2e-6);
  ck_assert_double_eq_tol(last(&r, "j.slide"), -last(&r, "s.x"), 1e-13);
  ck_assert_double_eq_tol(last(&r, "j.v_slide"), -last(&r, "s.v_x"), 1e-13);
  run_end(&r);
}
END_TEST

/* An elastic screw: energy K/2 (slide - p angle)^2; both of its forces know both coordinates. */
START_TEST(elastic_screw_keeps_its_energy)
{
  run r = mechanics("<systems><NewtonEulerDS id='s'><q0>0 0 0 1 0 0 0</q0><v0>0 0 1 0 0 "
                    "2</v0><mass>2</mass><inertia diag='1 1 0.5'/>"
                    "</NewtonEulerDS></systems><interactions><interaction id='j' "
                    "systems='s'><CylindricalJointR point='0 0 0' axis='0 0 1'>"
                    "<torque>50*0.3*(slide - 0.3*angle)</torque><force>-50*(slide - "
                    "0.3*angle)</force></CylindricalJointR>"
                    "<EqualityConditionNSL/></interaction></interactions>" STEPS("1e-2", "2"));
  play(&r);
  double e = last(&r, "j.slide") - 0.3 * last(&r, "j.angle");
  ck_assert_double_ge(fabs(e), 1e-3);
  ck_assert_double_eq_tol(r.x->cert->work_force, -25 * e * e, 1e-10);
  ck_assert_double_le(r.x->cert->defect_max, 1e-11);
  /* what the screw does not hold: p F + M = 0 */
  ck_assert_double_eq_tol(0.3 * 2 * (last(&r, "s.v_z") - 1) + 0.5 * (last(&r, "s.Omega_z") - 2), 0,
                          1e-10);
  run_end(&r);
}
END_TEST

/* Formulas of the run read joints by name, and alone with interaction=; turns are counted. */
START_TEST(formulas_read_joints)
{
  run r = mechanics("<systems>" AXLE(
      "a", "0", "-7",
      "2") "</systems><interactions>"
           "<interaction id='other' systems='a'><CylindricalJointR point='0 0 0' axis='0 0 "
           "1'/><EqualityConditionNSL/></interaction>"
           "<interaction id='j' systems='a'><PivotJointR point='0 0 0' axis='0 0 "
           "1'/><EqualityConditionNSL/></interaction>"
           "</interactions><simulation T='2'><TimeStepping "
           "h='1e-2'><MoreauJeanOSI/></TimeStepping></simulation><output>"
           "<observe id='power' interaction='j'>3*angle*v_angle + other.slide</observe></output>"
           "<measures><measure id='fast' kind='max'>other.v_angle</measure>"
           "<measure id='turned' kind='first' when='j.angle - 10'/></measures>");
  play(&r);
  ck_assert_double_eq_tol(last(&r, "j.angle"), 14, 1e-12);
  ck_assert_double_eq_tol(last(&r, "power.value"), 3 * 14 * 7, 1e-9);
  ns_measured fast, turned;
  ns_measures_get(r.m, r.x, 0, &fast);
  ns_measures_get(r.m, r.x, 1, &turned);
  ck_assert_double_eq_tol(fast.value, 7, 1e-12);
  ck_assert_double_eq_tol(turned.value, 10. / 7, 1e-10); /* between steps */
  run_end(&r);
}
END_TEST

/* Very stiff between two bodies, k h^2/J = 7500: the bodies are solved together, in a few passes,
 * and keep their energy. */
START_TEST(what_is_very_stiff_is_implicit)
{
  run r = wheels("1e-2", "1", "-1e8*angle");
  play(&r);
  for (size_t k = 1; k < r.got.nrows; k++)
    ck_assert_double_le(run_at(&r, k, "diagnostics.newton"), 4);
  ck_assert_double_eq_tol(2 * last(&r, "a.Omega_z") + 4 * last(&r, "b.Omega_z"), 0, 1e-9);
  double rate = last(&r, "j.v_angle"), angle = last(&r, "j.angle");
  ck_assert_double_eq_tol(4. / 6 * rate * rate + 5e7 * angle * angle, 4. / 6 * 2.25, 1e-6);
  run_end(&r);
}
END_TEST

/* Two wheels a and b, or c and d, on one axle. */
static void add_wheels(generator *g, char first, double z, double rate, double J)
{
  put(g,
      "<NewtonEulerDS id='%c'><q0>0 0 %.17g 1 0 0 0</q0><v0>0 0 0 0 0 %.17g</v0><mass>1</mass>"
      "<inertia diag='1 1 %.17g'/></NewtonEulerDS><NewtonEulerDS id='%c'><q0>0 0 %.17g 1 0 0 0</q0>"
      "<mass>1</mass><inertia diag='1 1 %.17g'/></NewtonEulerDS>",
      first, z, rate, J, first + 1, z + 1, J / 3);
}

/* With a spring between them. */
static void add_axle(generator *g, char first, double z, double k)
{
  put(g,
      "<interaction id='%c%c' systems='%c %c'><PivotJointR point='0 0 %.17g' axis='0 0 1' "
      "stiffness='%.17g'/><EqualityConditionNSL/></interaction>",
      first, first + 1, first, first + 1, z, k);
}

/* A pair on a soft spring, whose bodies stay apart in the one-step problem, beside one on a stiff
 * spring, which are one group: each moves as it does alone. */
START_TEST(soft_and_stiff_groups_stand_side_by_side)
{
  generator g = {.state = (unsigned long long)_i};
  double soft = spread(&g, 0.1, 50), stiff = spread(&g, 1e4, 1e8), rate = between(&g, 1, 3),
         J = between(&g, 1, 4), k[2] = {_i % 2 ? stiff : soft, _i % 2 ? soft : stiff};
  run r[3];
  for (int n = 0; n < 3; n++) {
    g.length = 0;
    put(&g, "<systems>");
    if (n != 1) add_wheels(&g, 'a', 0, rate, J);
    if (n != 0) add_wheels(&g, 'c', 5, -rate, 2 * J);
    put(&g, "</systems><interactions>");
    if (n != 1) add_axle(&g, 'a', 0, k[0]);
    if (n != 0) add_axle(&g, 'c', 5, k[1]);
    r[n] = mechanics("%s</interactions>" STEPS("1e-2", "1"), g.text);
    play(&r[n]);
  }
  ck_assert_double_eq_tol(last(&r[2], "ab.angle"), last(&r[0], "ab.angle"), 1e-9);
  ck_assert_double_eq_tol(last(&r[2], "cd.angle"), last(&r[1], "cd.angle"), 1e-9);
  for (int n = 0; n < 3; n++) run_end(&r[n]);
}
END_TEST

/* A body on an axle that turns against a stop, or that dry friction holds, while it slides: the
 * torque, which depends on the slide and on a current, does not turn it. Newton's method needs no
 * more passes than for the slide alone. */
START_TEST(torque_at_a_coordinate_that_rests)
{
  generator g = {.state = (unsigned long long)_i};
  double a = between(&g, 0.3, 3), b = between(&g, -1, 1), c = between(&g, -4, -2),
         k = spread(&g, 20, 80), m = between(&g, 0.3, 3), J[3], axis[3], at[3],
         h = spread(&g, 2e-5, 5e-4);
  for (int i = 0; i < 3; i++) {
    J[i] = m * between(&g, 0.01, 0.04);
    axis[i] = between(&g, -1, 1);
    at[i] = pick(&g, 2) ? between(&g, -30, 30) : 0;
  }
  put(&g,
      "<systems><NewtonEulerDS id='a'><q0>%.17g %.17g %.17g 1 0 0 0</q0><mass>%.17g</mass><inertia "
      "diag='%.17g %.17g %.17g'/><fExt>0 0 -%.17g</fExt></NewtonEulerDS><FirstOrderLinearTIDS "
      "id='coil' "
      "states='i'><x0>1</x0><A>-3</A></FirstOrderLinearTIDS></systems><interactions>",
      at[0] + 0.1, at[1] - 0.2, at[2] + 0.1, m, J[0], J[1], J[2], 9.81 * m);
  put(&g,
      "<interaction id='j' systems='a'><CylindricalJointR point='%.17g %.17g %.17g' axis='%.17g "
      "%.17g "
      "%.17g'><torque>%.17g - %.17g*angle + %.17g*slide + 0.3*coil.i</torque><force>-%.17g*slide - "
      "0.5*angle</force></CylindricalJointR><EqualityConditionNSL/></interaction>",
      at[0], at[1], at[2], axis[0], axis[1], axis[2], c, a, b, k);
  if (_i % 2)
    put(&g, "<interaction id='rests'><JointStopR joint='j' coordinate='angle' lower='0'/>"
            "<NewtonImpactNSL e='0'/></interaction>");
  else
    put(&g, "<interaction id='rests'><JointFrictionR joint='j' coordinate='angle'/>"
            "<RelayNSL lb='-50' ub='50'/></interaction>");
  run r = mechanics("%s</interactions><simulation T='%.17g'><TimeStepping h='%.17g'>"
                    "<EulerMoreauOSI/><MoreauJeanOSI theta='%g'/></TimeStepping></simulation>",
                    g.text, 4000 * h, h, _i % 3 ? 0.5 : 0.7);
  play(&r);
  ck_assert_double_le(fabs(last(&r, "j.angle")), 1e-4); /* by the first step */
  ck_assert_int_le(r.x->cert->newton_max, 5);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, torsion_pendulum_is_of_second_order);
  tcase_add_test(t, damper_decays_by_the_rule_of_the_scheme);
  tcase_add_test(t, motor_of_the_world_turns_back);
  tcase_add_test(t, sledge_swings_on_its_rail);
  tcase_add_test(t, elastic_screw_keeps_its_energy);
  tcase_add_test(t, formulas_read_joints);
  tcase_add_test(t, what_is_very_stiff_is_implicit);
  tcase_add_loop_test(t, soft_and_stiff_groups_stand_side_by_side, 0, 8);
  tcase_add_loop_test(t, torque_at_a_coordinate_that_rests, 0, 24);
}

int main(void) { return suite_run("forces of joints", fill); }
