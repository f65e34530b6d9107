/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rigid bodies among systems of other kinds: the same motion in other forms and alone, orders. */
#include "support/machines.h"

/* ---- a rotor as a body ----------------------------------------------------------------------- */

START_TEST(a_rotor_is_the_same_in_every_form)
{
  run r[3];
  for (int k = 0; k < 3; k++) r[k] = run_to(motors[k], STEPS(BOTH("0.5")), 0.05, 500);
  motors_agree(&r[0], &r[1], &r[2], 1e-11, 1e-9);
  ck_assert_double_le(fabs(r[1].x->cert->defect), 1e-8);
  for (int k = 0; k < 3; k++) run_end(&r[k]);
}
END_TEST

START_TEST(a_planar_body_is_a_lagrangian_system)
{
  seed = 20290000UL + (unsigned long)_i;
  double m = uniform(0.5, 3), I = uniform(0.1, 2), k[8], q[3], v[3];
  for (int i = 0; i < 8; i++) k[i] = uniform(-3, 6);
  for (int i = 0; i < 3; i++) q[i] = uniform(-1, 1), v[i] = uniform(-2, 2);
  two_forms f = planar_body(q, v, m, I, k);
  run a = run_to(f.one, STEPS(BOTH("0.5")), 1, 200), b = run_to(f.two, STEPS(BOTH("0.5")), 1, 200);
  planar_bodies_agree(&a, &b, 1e-9);
  run_end(&a), run_end(&b);
}
END_TEST

/* Slopes through quaternions are right, and few passes are enough. */
START_TEST(random_machines_with_bodies_are_of_second_order)
{
  char machine[MACHINE];
  seed = 20300000UL + (unsigned long)_i;
  random_bodies(machine);
  is_of_second_order(machine, body_labels, 6);
}
END_TEST

/* ---- rows of bodies beside others ------------------------------------------------------------ */

/* Contacts between shapes come and go: more at once than ever before, other pairs. */
START_TEST(contacts_between_shapes)
{
  static const char *const labels[] = {
      "ball.x", "ball.z", "ball.v_x", "ball.Omega_y", "box.x", "box.z", "box.p2", "box.v_z", NULL};
  is_alone("<NewtonEulerDS id='ball'><q0>0 0 0.4 1 0 0 0</q0><v0>1.5 0 0 0 0 "
           "0</v0><mass>1</mass><inertia diag='4e-3 4e-3 4e-3'/>"
           "<fExt>0 0 -9.81</fExt><Sphere radius='0.1' material='m'/></NewtonEulerDS>"
           "<NewtonEulerDS id='box'><q0>0.8 0 0.25 1 0 0 0</q0><mass>2</mass><inertia diag='0.02 "
           "0.02 0.02'/>"
           "<fExt>0 0 -19.62</fExt><Sphere radius='0.15' material='m'/></NewtonEulerDS>",
           "<contacts><Plane normal='0 0 1' at='0 0 0' material='m'/><NewtonImpactFrictionNSL "
           "en='0.4' mu='0.3'/></contacts>",
           1, 1000, labels, 1e-8);
}
END_TEST

/* ---- laws of contacts between shapes --------------------------------------------------------- */

#define GRAIN(id, q, v) \
  "<NewtonEulerDS id='" id "'><q0>" q "</q0><v0>" v \
  "</v0><mass>1</mass><inertia diag='0.004 0.004 0.004'/><fExt>0 0 -9.81</fExt>" \
  "<Sphere radius='0.1'/></NewtonEulerDS>"
#define GRAINS \
  GRAIN("a", "0 0 0.15 1 0 0 0", "0.8 0 -0.5 0 0 0") \
  GRAIN("b", "0.3 0.02 0.1 1 0 0 0", "-0.5 0 0 0 3 0") \
  GRAIN("c", "0.1 0 0.36 1 0 0 0", "0 0.3 0 0 0 0")
#define DISC(id, q, v) \
  "<RigidBody2dDS id='" id "'><q0>" q "</q0><v0>" v \
  "</v0><mass>1</mass><inertia>0.005</inertia><fExt>0 -9.81</fExt><Disk " \
  "radius='0.1'/></RigidBody2dDS>"
#define DISCS \
  DISC("a", "0 0.15 0", "0.8 -0.5 0") \
  DISC("b", "0.3 0.1 0", "-0.5 0 3") DISC("c", "0.1 0.36 0", "0 0 0")

/* The third body begins closed where the law has bonds, and is pulled up. */
static const char *const shape_laws[] = {
    "<CompliantFrictionNSL K='2e4' C='20' Kt='1e4' Ct='10' mu='0.4'/>",
    "<CompliantFrictionNSL K='2e5' eta='1.5' C='2' Kt='1e5' mu='0.4'/>",
    "<NewtonImpactRollingFrictionNSL en='0.2' mu='0.4' muRolling='0.01'/>",
    "<CohesiveFrictionNSL en='0' mu='0.4' sigma='30'/>"};
#define PULL(up) \
  "<interactions><force id='up' " \
  "systems='b'><vector>" up "</vector></force></interactions>"

START_TEST(laws_of_shapes)
{
  static const char *const labels[][7] = {{"a.x", "a.z", "a.Omega_y", "b.x", "b.v_z", "c.y", NULL},
                                          {"a.x", "a.y", "a.v_angle", "b.x", "b.v_y", "c.y", NULL}};
  char contacts[800];
  int planar = _i % 2;
  snprintf(contacts, sizeof contacts, "%s<contacts>%s%s</contacts>",
           planar ? PULL("0, 100*t") : PULL("0, 0, 100*t"),
           planar ? "<HalfPlane normal='0 1' at='0 0'/>" : "<Plane normal='0 0 1' at='0 0 0'/>",
           shape_laws[_i / 2]);
  is_alone(planar ? DISCS : GRAINS, contacts, 0.5, 1000, labels[planar], 1e-8);
}
END_TEST

/* ---- projections ----------------------------------------------------------------------------- */

static const char *const projections[] = {
    "<MoreauJeanDirectProjectionOSI/>", "<MoreauJeanCombinedProjectionOSI systems='g b a'/>",
    "<MoreauJeanDirectProjectionOSI theta='0.6' metric='identity' activation='1e-6'/>"};

/* Positions go back to joints and contacts: of a double pendulum with a ball that it meets. */
START_TEST(projections_of_bodies)
{
  static const char *const labels[] = {"a.x", "a.z", "b.x", "b.Omega_y", "g.x", "g.v_z", NULL};
  is_alone_by(
      "<NewtonEulerDS id='a'><q0>0.5 0 2 1 0 0 0</q0><mass>1</mass><inertia diag='0.01 0.09 "
      "0.09'/><fExt>0 0 -9.81</fExt></NewtonEulerDS>"
      "<NewtonEulerDS id='b'><q0>1.5 0 2 1 0 0 0</q0><mass>1</mass><inertia diag='0.01 0.09 "
      "0.09'/><fExt>0 0 -9.81</fExt>"
      "<Box size='1 0.1 0.1'/></NewtonEulerDS>" GRAIN("g", "1.4 0 0.2 1 0 0 0", "0.3 0 0 0 0 0"),
      "<interactions><interaction id='h1' systems='a'><PivotJointR point='0 0 2' axis='0 1 "
      "0'/><EqualityConditionNSL/></interaction>"
      "<interaction id='h2' systems='a b'><PivotJointR point='1 0 2' axis='0 1 "
      "0'/><EqualityConditionNSL/></interaction></interactions>"
      "<contacts><Plane normal='0 0 1' at='0 0 0'/><NewtonImpactFrictionNSL en='0.3' "
      "mu='0.3'/></contacts>",
      projections[_i], 1, 1000, labels, 1e-8);
}
END_TEST

/* What overlaps at the start is taken apart, what formulas read of it too. */
START_TEST(bodies_taken_apart)
{
  static const char *const labels[] = {"a.z", "b.z", "b.v_z", "c.x", NULL};
  is_alone(GRAIN("a", "0 0 0.08 1 0 0 0", "0 0 0 0 0 0")
               GRAIN("b", "0 0 0.25 1 0 0 0", "0 0 0 0 0 0")
                   GRAIN("c", "0.15 0 0.1 1 0 0 0", "0 0 0 0 0 0"),
           "<contacts separate='true'><Plane normal='0 0 1' at='0 0 0'/><NewtonImpactFrictionNSL "
           "en='0' mu='0.3'/></contacts>",
           0.5, 500, labels, 1e-8);
}
END_TEST

/* Joints, a stop, friction of a joint, a coupler: rows that bend and boxes of several rows. */
START_TEST(joints)
{
  static const char *const labels[] = {"a.x", "a.z", "a.Omega_y", "b.x", "b.z", "b.Omega_y", NULL};
  is_alone("<NewtonEulerDS id='a'><q0>0.5 0 0 1 0 0 0</q0><mass>1</mass><inertia diag='0.01 0.09 "
           "0.09'/><fExt>0 0 -9.81</fExt></NewtonEulerDS>"
           "<NewtonEulerDS id='b'><q0>1.5 0 0 1 0 0 0</q0><mass>1</mass><inertia diag='0.01 0.09 "
           "0.09'/><fExt>0 0 -9.81</fExt></NewtonEulerDS>",
           "<interactions><interaction id='h1' systems='a'><PivotJointR point='0 0 0' axis='0 1 "
           "0'/><EqualityConditionNSL/></interaction>"
           "<interaction id='h2' systems='a b'><PivotJointR point='1 0 0' axis='0 1 "
           "0'/><EqualityConditionNSL/></interaction>"
           "<interaction id='stop'><JointStopR joint='h2' lower='-0.8' "
           "upper='0.8'/><NewtonImpactNSL e='0.3'/></interaction>"
           "<interaction id='rub'><JointFrictionR joint='h1'/><RelayNSL lb='-0.2' "
           "ub='0.2'/></interaction></interactions>",
           2, 2000, labels, 1e-8);
}
END_TEST

/* Prescribed velocities of a body and of a Lagrangian system; what holds them. */
START_TEST(prescribed_velocities)
{
  static const char *const labels[] = {"b.x", "b.v_x", "b.y", "b.angle", NULL};
  is_alone("<RigidBody2dDS id='b'><q0>0 0 0</q0><v0>0 0 "
           "1</v0><mass>2</mass><inertia>0.3</inertia><fExt>3 -4</fExt><mInt>2*angle</mInt>"
           "<prescribed coordinates='x'>cos(3*t) - 1</prescribed></RigidBody2dDS>",
           "", 1, 200, labels, 1e-12);
  static const char *const model = HEAD
      "<systems>" DUMMY "<LagrangianDS id='a' coordinates='x y'><q0>0 0</q0><v0>0 1</v0><mass>2 "
      "0.5; 0.5 1</mass><fInt>5*x*y, 3*x + 2*y</fInt>"
      "<prescribed coordinates='x'>sin(2*t)</prescribed></LagrangianDS></systems>" STEPS(
          "<MoreauJeanOSI/><EulerMoreauOSI/>");
  static const char *const alone = HEAD
      "<systems><LagrangianDS id='a' coordinates='x y'><q0>0 0</q0><v0>0 1</v0><mass>2 0.5; 0.5 "
      "1</mass><fInt>5*x*y, 3*x + 2*y</fInt>"
      "<prescribed coordinates='x'>sin(2*t)</prescribed></LagrangianDS></systems>" STEPS(
          "<MoreauJeanOSI/>");
  run a = steps(alone, 1, 200), b = steps(model, 1, 200);
  ck_assert_double_eq_tol(last(&a, "a.y"), last(&b, "a.y"), 1e-12);
  ck_assert_double_eq_tol(last(&a, "a.v_y"), last(&b, "a.v_y"), 1e-12);
  ck_assert_double_eq_tol(a.x->support[0], b.x->support[b.m->systems[1].v], 1e-12);
  ck_assert_double_eq_tol(a.x->cert->defect, b.x->cert->defect, 1e-12);
  run_end(&a), run_end(&b);
}
END_TEST

/* An arm on a hinge that a coil turns, down onto a stop: as a body with a joint, and by its angle.
 */
START_TEST(coil_and_arm)
{
  static const char *const body = HEAD
      "<systems><netlist id='coil'>V1 s 0 6*sin(5*t)\nR1 s a 1\nL1 a b 0.05\nV2 b 0 "
      "0.8*arm.v_angle\n</netlist>"
      "<RigidBody2dDS id='arm'><q0>0.5 0 0</q0><mass>0.4</mass><inertia>0.0333</inertia><fExt>0 "
      "-3.924</fExt><mExt>0.8*coil.i_L1</mExt>"
      "</RigidBody2dDS></systems><interactions><interaction id='hinge' systems='arm'><PivotJointR "
      "point='0 0'/><EqualityConditionNSL/>"
      "</interaction></interactions>" STEPS(BOTH("0.5"));
  static const char *const angle = HEAD
      "<systems><netlist id='coil'>V1 s 0 6*sin(5*t)\nR1 s a 1\nL1 a b 0.05\nV2 b 0 "
      "0.8*arm.v_a\n</netlist>"
      "<LagrangianDS id='arm' coordinates='a'><q0>0</q0><mass>0.1333</mass><fInt>3.924*0.5*cos(a) "
      "- 0.8*coil.i_L1</fInt></LagrangianDS>"
      "</systems>" STEPS(BOTH("0.5"));
  double want = at_end(angle, 1, 8000, "arm.a"), e[2];
  for (int k = 0; k < 2; k++) e[k] = fabs(at_end(body, 1, 200 << k, "arm.angle") - want);
  ck_assert_double_le(e[1], 2e-4);
  ck_assert_double_ge(log2(e[0] / e[1]), 1.8);
}
END_TEST

/* A coil of hardly any inductance: the iteration matrix knows it. */
START_TEST(stiff_couplings_take_few_passes)
{
  static const char *const model = HEAD
      "<systems><netlist id='n'>V1 s 0 5\nR1 s a 0.1\nL1 a b 1e-6\nV2 b 0 0.5*r.Omega_z\n</netlist>"
      "<NewtonEulerDS id='r'><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag='2e-3 3e-3 "
      "1e-3'/><mExt>0, 0, 0.5*n.i_L1</mExt></NewtonEulerDS>"
      "</systems>" STEPS(BOTH("1"));
  run r = steps(model, 0.1, 100);
  ck_assert_int_le(r.x->cert->newton, 300);
  ck_assert_double_eq_tol(last(&r, "r.Omega_z"), 10, 1e-5);
  run_end(&r);
}
END_TEST

/* A torque of a hinge that reads others changes with them from pass to pass, which is no slope by
 * the rate of the hinge: where that hardly changes in a step, such a slope was any number. */
START_TEST(torques_by_others_take_few_passes)
{
  seed = 20330000UL + (unsigned long)_i;
  double l = uniform(0.05, 0.2), k = uniform(5, 20), R = uniform(0.1, 0.3), c = uniform(20, 60);
  int n = 400 + 50 * (_i % 4);
  char text[3000];
  snprintf(text, sizeof text,
           HEAD
           "<systems><NewtonEulerDS id='a'><q0>%.17g 0 0 1 0 0 0</q0><v0>0 %.17g 0 0 0 -1</v0>"
           "<mass>1</mass><inertia diag='0.02 0.02 %.17g'/></NewtonEulerDS>"
           "<LagrangianDS id='b' coordinates='x'><q0>0.1</q0><mass>0.5</mass>"
           "<fInt>%.17g*x - %.17g*(-%.17g*ja.angle - x) - s.p</fInt></LagrangianDS>"
           "<FirstOrderNonLinearDS id='s' states='p'><x0>0.1</x0>"
           "<f>4*(sin(9*t) - b.x + 0.2*ja.v_angle - p)</f></FirstOrderNonLinearDS></systems>"
           "<interactions><interaction id='ja' systems='a'><PivotJointR point='0 0 0' axis='0 0 1'>"
           "<torque>-(%.17g*(b.x + %.17g*angle) + 0.5*sin(angle) + 0.05*s.p)</torque></PivotJointR>"
           "<EqualityConditionNSL/></interaction></interactions>"
           "<simulation T='1'><TimeStepping h='1' newtonMaxIterations='6'>" BOTH(
               "0.5") "</TimeStepping></simulation></model>",
           l, -l, uniform(0.005, 0.02), c, k, R, k * R, R);
  run r = steps(text, 1.2, n);
  run_end(&r);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("mixed_bodies");
  TCase *t = tcase_create("mixed_bodies");
  tcase_add_test(t, a_rotor_is_the_same_in_every_form);
  tcase_add_loop_test(t, a_planar_body_is_a_lagrangian_system, 0, 20);
  tcase_add_loop_test(t, random_machines_with_bodies_are_of_second_order, 0, 20);
  tcase_add_test(t, contacts_between_shapes);
  tcase_add_loop_test(t, laws_of_shapes, 0, 2 * sizeof shape_laws / sizeof *shape_laws);
  tcase_add_loop_test(t, projections_of_bodies, 0, sizeof projections / sizeof *projections);
  tcase_add_test(t, bodies_taken_apart);
  tcase_add_test(t, joints);
  tcase_add_test(t, prescribed_velocities);
  tcase_add_test(t, coil_and_arm);
  tcase_add_test(t, stiff_couplings_take_few_passes);
  tcase_add_loop_test(t, torques_by_others_take_few_passes, 0, 40);
  suite_add_tcase(s, t);
  return suite_end(s);
}
