/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rigid bodies among systems of other kinds: the same motion in other forms and alone, orders. */
#include "support/mixed.h"

/* ---- a rotor as a body ----------------------------------------------------------------------- */

#define MOTOR(speed, rotor)                                                                        \
  HEAD "<systems><netlist id='drive'>V1 s 0 12\nR1 s a 2\nL1 a b 0.01\nV2 b 0 0.05*rotor." speed   \
       "\n</netlist>" rotor "</systems>" STEPS(BOTH("0.5"))

START_TEST(a_rotor_is_the_same_in_every_form)
{
  static const char *const lagrangian = MOTOR(
      "v_a", "<LagrangianDS id='rotor' coordinates='a'><q0>0</q0><mass>1e-4</mass>"
             "<fInt>0.01*sin(a) - 0.05*drive.i_L1</fInt></LagrangianDS>");
  static const char *const planar = MOTOR(
      "v_angle", "<RigidBody2dDS id='rotor'><q0>3 -2 0</q0><mass>0.7</mass><inertia>1e-4</inertia>"
                 "<mInt>0.01*sin(angle)</mInt><mExt>0.05*drive.i_L1</mExt></RigidBody2dDS>");
  static const char *const space = MOTOR(
      "Omega_z",
      "<NewtonEulerDS id='rotor'><q0>5 0 1 1 0 0 0</q0><mass>2</mass><inertia diag='2e-4 3e-4 "
      "1e-4'/>"
      "<mInt>0, 0, 0.01*2*p0*p3</mInt><mExt>0, 0, 0.05*drive.i_L1</mExt></NewtonEulerDS>");
  run a = steps(lagrangian, 0.05, 500), b = steps(planar, 0.05, 500), c = steps(space, 0.05, 500);
  ck_assert_double_eq_tol(last(&a, "drive.i_L1"), last(&b, "drive.i_L1"), 1e-11);
  ck_assert_double_eq_tol(last(&a, "rotor.v_a"), last(&b, "rotor.v_angle"), 1e-9);
  ck_assert_double_eq_tol(last(&a, "drive.i_L1"), last(&c, "drive.i_L1"), 1e-11);
  ck_assert_double_eq_tol(last(&a, "rotor.v_a"), last(&c, "rotor.Omega_z"), 1e-9);
  ck_assert_double_eq(last(&b, "rotor.x"), 3);
  ck_assert_double_le(fabs(b.x->cert->defect), 1e-8);
  run_end(&a), run_end(&b), run_end(&c);
}
END_TEST

/* Forces of other systems, among them of a body that comes later in the file; linear and turning.
 */
START_TEST(a_planar_body_is_a_lagrangian_system)
{
  char one[3000], two[3000];
  seed = 20290000UL + (unsigned long)_i;
  double m = uniform(0.5, 3), I = uniform(0.1, 2), k[8], q[3], v[3];
  for (int i = 0; i < 8; i++) k[i] = uniform(-3, 6);
  for (int i = 0; i < 3; i++) q[i] = uniform(-1, 1), v[i] = uniform(-2, 2);
  const char *lag =
      "<FirstOrderNonLinearDS id='lag' states='y'><x0>0.3</x0><f>-2*y + (%.17g)*b.x + "
      "(%.17g)*sin(b.%s) + (%.17g)*b.v_%s</f></FirstOrderNonLinearDS>"
      "<LagrangianDS id='o' coordinates='s'><q0>0.2</q0><fInt>9*s + (%.17g)*b.v_y</fInt>"
      "</LagrangianDS>";
  int n = snprintf(one, sizeof one, HEAD "<systems>");
  n += snprintf(one + n, sizeof one - (size_t)n, lag, k[0], k[1], "angle", k[2], "angle", k[3]);
  snprintf(
      one + n, sizeof one - (size_t)n,
      "<RigidBody2dDS id='b'><q0>%.17g %.17g %.17g</q0><v0>%.17g %.17g %.17g</v0><mass>%.17g</mass>"
      "<inertia>%.17g</inertia><fExt>(%.17g)*lag.y, (%.17g)*o.v_s - 9.81</fExt>"
      "<mExt>(%.17g)*lag.y*o.s</mExt><fInt>4*x + 0.3*v_x, 5*y</fInt><mInt>(%.17g)*angle</mInt>"
      "</RigidBody2dDS></systems>" STEPS(BOTH("0.5")),
      q[0], q[1], q[2], v[0], v[1], v[2], m, I, k[4], k[5], k[6], fabs(k[7]));
  n = snprintf(two, sizeof two,
               HEAD
               "<systems><LagrangianDS id='b' coordinates='x y a'><q0>%.17g %.17g %.17g</q0>"
               "<v0>%.17g %.17g %.17g</v0><mass diag='%.17g %.17g %.17g'/><fInt>4*x + 0.3*v_x - "
               "(%.17g)*lag.y, 5*y - (%.17g)*o.v_s + 9.81, (%.17g)*a - (%.17g)*lag.y*o.s</fInt>"
               "</LagrangianDS>",
               q[0], q[1], q[2], v[0], v[1], v[2], m, m, I, k[4], k[5], fabs(k[7]), k[6]);
  n += snprintf(two + n, sizeof two - (size_t)n, lag, k[0], k[1], "a", k[2], "a", k[3]);
  snprintf(two + n, sizeof two - (size_t)n, "</systems>" STEPS(BOTH("0.5")));
  run a = steps(one, 1, 200), b = steps(two, 1, 200);
  static const char *const names[][2] = {{"b.x", "b.x"},     {"b.y", "b.y"},
                                         {"b.angle", "b.a"}, {"b.v_angle", "b.v_a"},
                                         {"lag.y", "lag.y"}, {"o.s", "o.s"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    ck_assert_double_eq_tol(last(&a, names[i][0]), last(&b, names[i][1]), 1e-9);
  run_end(&a), run_end(&b);
}
END_TEST

/* Bodies in space, a circuit and a mechanism that read orientations, positions and velocities of
 * each other, with random numbers: the scheme is of second order, so slopes through quaternions are
 * right, and few passes are enough. */
START_TEST(random_machines_with_bodies_are_of_second_order)
{
  static const char *const labels[] = {"a.x",   "a.p1",   "a.Omega_z", "b.p3",
                                       "b.v_y", "n.i_L1", "o.v_s"};
  char model[4000];
  double e[2] = {0, 0}, passes = 0;
  seed = 20300000UL + (unsigned long)_i;
  snprintf(model, sizeof model,
           HEAD "<systems><NewtonEulerDS id='a'><q0 axis='1 2 %g' angle='%g'>0 0 0</q0><v0>0 %g 0 "
                "%g 0.3 0.2</v0><mass>%g</mass>"
                "<inertia diag='1 1.3 1.6'/><fExt>%g*b.p3 - 2*o.s, %g*n.i_L1, 0</fExt><mExt "
                "axes='world'>%g*b.p1, n.i_L1, %g*o.v_s</mExt>"
                "<fInt>8*x, 8*y + v_y, 8*z</fInt></NewtonEulerDS>"
                "<NewtonEulerDS id='b'><q0 axis='0 1 1' angle='%g'>1 0 0</q0><v0>0 0 0 0.1 %g "
                "0.4</v0><mass>%g</mass>"
                "<inertia diag='0.8 1.1 1.2'/><fExt axes='body'>%g*a.p2, -n.i_L1, "
                "a.Omega_x</fExt><mExt>a.p1, %g*a.y, 0</mExt>"
                "<fInt>5*x, 5*y, 5*z</fInt><mInt>0.1*Omega_x, %g*p2, 0</mInt></NewtonEulerDS>"
                "<netlist id='n'>V1 s 0 %g*sin(3*t) + a.p0*b.p2 + %g*a.Omega_z\nR1 s c 1\nL1 c 0 "
                "%g\n</netlist>"
                "<LagrangianDS id='o' coordinates='s'><q0>0.1</q0><mass>%g</mass><fInt>6*s - "
                "a.p3*b.x + %g*b.Omega_y</fInt></LagrangianDS>"
                "</systems>" STEPS(BOTH("0.5")),
           uniform(0, 2), uniform(-2, 2), uniform(-1, 1), uniform(-1, 1), uniform(0.5, 2),
           uniform(-2, 2), uniform(-2, 2), uniform(-2, 2), uniform(-1, 1), uniform(-2, 2),
           uniform(-1, 1), uniform(0.5, 2), uniform(-2, 2), uniform(-2, 2), uniform(-1, 1),
           uniform(1, 4), uniform(-1, 1), uniform(0.2, 1), uniform(0.5, 2), uniform(-1, 1));
  run fine = steps(model, 1, 800);
  for (int k = 0; k < 2; k++) {
    run r = steps(model, 1, k ? 100 : 50);
    passes = (double)r.x->cert->newton / (k ? 100 : 50);
    for (size_t j = 0; j < sizeof labels / sizeof *labels; j++)
      e[k] = fmax(e[k], fabs(last(&r, labels[j]) - last(&fine, labels[j])));
    run_end(&r);
  }
  ck_assert_double_ge(log2(e[0] / e[1]), 1.8);
  ck_assert_double_le(log2(e[0] / e[1]), 2.4);
  ck_assert_double_le(passes, 6);
  run_end(&fine);
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

#define GRAIN(id, q, v)                                                                            \
  "<NewtonEulerDS id='" id "'><q0>" q "</q0><v0>" v                                                \
  "</v0><mass>1</mass><inertia diag='0.004 0.004 0.004'/><fExt>0 0 -9.81</fExt>"                   \
  "<Sphere radius='0.1'/></NewtonEulerDS>"
#define GRAINS \
  GRAIN("a", "0 0 0.15 1 0 0 0", "0.8 0 -0.5 0 0 0") \
  GRAIN("b", "0.3 0.02 0.1 1 0 0 0", "-0.5 0 0 0 3 0") GRAIN("c", "0.1 0 0.36 1 0 0 0", \
    "0 0.3 0 0 0 0")
#define DISC(id, q, v) \
  "<RigidBody2dDS id='" id "'><q0>" q "</q0><v0>" v \
  "</v0><mass>1</mass><inertia>0.005</inertia><fExt>0 -9.81</fExt><Disk " \
    "radius='0.1'/></RigidBody2dDS>"
#define DISCS DISC("a", "0 0.15 0", "0.8 -0.5 0") DISC("b", "0.3 0.1 0", "-0.5 0 3") DISC("c", \
  "0.1 0.36 0", "0 0 0")

/* The third body begins closed where the law has bonds, and is pulled up. */
static const char *const shape_laws[] = {
    "<CompliantFrictionNSL K='2e4' C='20' Kt='1e4' Ct='10' mu='0.4'/>",
    "<CompliantFrictionNSL K='2e5' eta='1.5' C='2' Kt='1e5' mu='0.4'/>",
    "<NewtonImpactRollingFrictionNSL en='0.2' mu='0.4' muRolling='0.01'/>",
    "<CohesiveFrictionNSL en='0' mu='0.4' sigma='30'/>"};
#define PULL(up) "<interactions><force id='up' " \
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
  suite_add_tcase(s, t);
  return suite_end(s);
}
