/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forces between bodies among systems of other kinds: the same motion alone and in other forms,
 * formulas that read other systems, orders. */
#include "support/machines.h"

#define BODY(id, q, v) \
  "<NewtonEulerDS id='" id "'><q0>" q "</q0><v0>" v \
  "</v0><mass>2</mass><inertia diag='1 2 1.5'/><fExt>0 0 -3</fExt></NewtonEulerDS>"
#define DISK(id, q, v) \
  "<RigidBody2dDS id='" id "'><q0>" q "</q0><v0>" v \
  "</v0><mass>2</mass><inertia>1.5</inertia></RigidBody2dDS>"

/* ---- beside an idle system ------------------------------------------------------------------- */

#define SPACE \
  BODY("a", "0 0 0 1 0 0 0", "0 0.3 0 0.4 0.2 0.1") \
  BODY("b", "2 0.2 0 1 0 0 0", "0 0 0.5 0 -0.5 0.3") \
  BODY("c", "0.3 3 0 1 0 0 0", "-0.2 0 0 0.1 0 0.6")
#define PLANE DISK("a", "0 0 0", "0 0.3 0.4") DISK("b", "2 0.2 0.1", "0.2 0 -0.5")
#define FLOOR "<contacts><Plane/><NewtonImpactFrictionNSL en='0.4' mu='0.3'/></contacts>"
#define BALL(id, q, v) \
  "<NewtonEulerDS id='" id "'><q0>" q "</q0><v0>" v \
  "</v0><mass>1</mass><inertia diag='0.004 0.004 0.004'/><fExt>0 0 -9.81</fExt>" \
  "<Sphere radius='0.1'/></NewtonEulerDS>"

static const struct {
  const char *systems, *rest;
} lonely[] = {
    {SPACE, "<interactions><spring id='s' systems='a b' point1='0.3 -0.2 0.5' stiffness='70' "
            "damping='2' restLength='0.4' preload='3'/><spring id='w' systems='c world' "
            "point2='0 1 1' stiffness='20' restLength='0'/></interactions>"},
    /* stiff: periods of 4e-4 s, steps of 1e-2 s */
    {SPACE, "<interactions><spring id='s' systems='a b' point1='0.3 -0.2 0.5' stiffness='4e8' "
            "damping='1e3'/><damper id='v' systems='b c' damping='7'/></interactions>"},
    {SPACE, "<interactions><tendon id='s' systems='a world b c' points='0.3 -0.2 0.5 -1 0.7 0.2 "
            "0.1 0.1 0.1 0.3 0 0.2' stiffness='70' damping='0.2' restLength='5'/></interactions>"},
    {SPACE, "<interactions><force id='s' systems='a b' point1='0.3 -0.2 0.5' "
            "point2='-0.1 0.7 0.2'><along>-3*(length - 1) - rate</along>"
            "<vector>-x+v_y*z, -y-z*v_z, x*y-v_x</vector></force></interactions>"},
    {PLANE, "<interactions><force id='s' systems='a b' point1='0.3 -0.2' point2='-0.1 0.7'>"
            "<along>-5*(length - 1)*(2 + angle)</along><vector>-x+v_y*y, -y-v_angle</vector>"
            "<torque>-angle^3-v_angle</torque></force><spring id='w' systems='a world' "
            "stiffness='3'/></interactions>"},
    /* torques of a joint with friction and a stop, and a spring beside it */
    {PLANE, "<interactions><interaction id='h' systems='a b'><PivotJointR point='1 0'>"
            "<torque>-30*(angle - 0.4) - v_angle</torque></PivotJointR><EqualityConditionNSL/>"
            "</interaction><interaction id='rub'><JointFrictionR joint='h'/>"
            "<RelayNSL lb='-0.2' ub='0.2'/></interaction><spring id='w' systems='b world' "
            "stiffness='9' restLength='0.1'/></interactions>"},
    /* balls on springs that hit the floor and each other */
    {BALL("a", "0 0 0.4 1 0 0 0", "1 0 0 0 0 0") BALL("b", "0.5 0 0.5 1 0 0 0", "-1 0 0 0 0 0")
         BALL("c", "0.2 0.4 0.3 1 0 0 0", "0 -1 0 0 0 0"),
     "<interactions><spring id='s' systems='a b' stiffness='30' damping='0.2' restLength='0.3'/>"
     "<spring id='u' systems='b c' point1='0 0 0.1' point2='0 0.1 0' stiffness='3e3' "
     "damping='1'/></interactions>" FLOOR}};

START_TEST(a_machine_beside_an_idle_system)
{
  static const char *const labels[][6] = {{"a.x", "a.v_y", "b.x", "b.v_y", "b.y"},
                                          {"a.x", "a.p1", "b.z", "b.Omega_y", "c.v_x"},
                                          {"a.x", "a.v_y", "a.angle", "b.v_angle", "b.y"}};
  int planar = strstr(lonely[_i].systems, "2d") != NULL;
  is_alone(lonely[_i].systems, lonely[_i].rest, 1, 100, labels[planar ? 2 : 1], 1e-8);
}
END_TEST

/* ---- formulas that read other systems -------------------------------------------------------- */

#define LAG \
  "<FirstOrderNonLinearDS id='n' states='y'><x0>0.3</x0><f>4*sin(5*t) - 2*y + (%.17g)*a.x</f>" \
  "</FirstOrderNonLinearDS>"

/* Two points on a line through a stiffness that a first-order system holds: as bodies, and as one
 * Lagrangian system. */
START_TEST(a_spring_reads_a_state)
{
  char one[3000], two[3000];
  seed = 20310000UL + (unsigned long)_i;
  double k = uniform(5, 50), c = uniform(0, 2), r = uniform(0.3, 1.5), g = uniform(-1, 1),
         u = uniform(-1, 1), w = uniform(-1, 1);
  snprintf(one, sizeof one,
           HEAD "<systems>" LAG "<RigidBody2dDS id='a'><q0>0 0.1 0</q0><v0>0 %.17g 0</v0>"
                "<mass>1.3</mass><inertia>1</inertia></RigidBody2dDS><RigidBody2dDS id='b'>"
                "<q0>1 -0.2 0</q0><v0>%.17g 0 0</v0><mass>0.6</mass><inertia>1</inertia>"
                "</RigidBody2dDS></systems><interactions><spring id='s' systems='a b'><along>"
                "-(%.17g + 3*n.y)*(length - %.17g) - %.17g*rate*(1 + n.y^2)</along></spring>"
                "</interactions>" STEPS(BOTH("0.5")),
           g, u, w, k, r, c);
#define L "sqrt((x - X)^2 + (y - Y)^2)"
#define FORCE \
  "((%.17g + 3*n.y)*(" L " - %.17g) + %.17g*(1 + n.y^2)*((x - X)*(v_x - v_X) + (y - " \
  "Y)*(v_y - v_Y))/" L ")/" L
  snprintf(two, sizeof two,
           HEAD "<systems>" LAG "<LagrangianDS id='a' coordinates='x y X Y'><q0>0 0.1 1 -0.2</q0>"
                "<v0>0 %.17g %.17g 0</v0><mass diag='1.3 1.3 0.6 0.6'/><fInt>" FORCE
                "*(x - X), " FORCE "*(y - Y), " FORCE "*(X - x), " FORCE
                "*(Y - y)</fInt></LagrangianDS>"
                "</systems>" STEPS(BOTH("0.5")),
           g, u, w, k, r, c, k, r, c, k, r, c, k, r, c);
  run a = steps(one, 1, 200), b = steps(two, 1, 200);
  static const char *const names[][2] = {
      {"a.x", "a.x"}, {"a.v_y", "a.v_y"}, {"b.x", "a.X"}, {"b.v_y", "a.v_Y"}, {"n.y", "n.y"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    ck_assert_double_eq_tol(last(&a, names[i][0]), last(&b, names[i][1]), 1e-9);
  run_end(&a), run_end(&b);
}
END_TEST

/* Springs, tendons, vectors and torques of joints that read circuits, mechanisms and orientations
 * of third bodies: slopes are right, so few passes are enough, and the scheme is of second order.
 */
START_TEST(random_machines_are_of_second_order)
{
  static const char *const labels[] = {"a.x",       "a.p1",   "b.p3",  "b.v_y",
                                       "c.Omega_z", "n.i_L1", "o.v_s", NULL};
  char machine[MACHINE] = "";
  seed = 20320000UL + (unsigned long)_i;
  append(machine,
         "<systems>" BODY("a", "0 0 0 1 0 0 0", "0 0.3 0 0.4 0.2 0.1")
             BODY("b", "2 0.2 0 1 0 0 0", "0 0 0.5 0 -0.5 0.3")
                 BODY("c", "0.3 3 0 1 0 0 0",
                      "-0.2 0 0 0.1 0 0.6") "<netlist id='n'>"
                                            "V1 s 0 %g*sin(3*t) + a.p0*b.p2 + %g*a.Omega_z\nR1 s "
                                            "c 1\nL1 c 0 %g\n</netlist>"
                                            "<LagrangianDS id='o' "
                                            "coordinates='s'><q0>0.1</q0><mass>1</mass><fInt>6*s "
                                            "- a.p3*b.x + "
                                            "%g*b.Omega_y - 0.2*u.length + "
                                            "0.1*u.rate*f.length</fInt></LagrangianDS></"
                                            "systems><interactions>"
                                            "<spring id='f' systems='a b' point1='0.3 -0.2 "
                                            "0.5'><along>-(9 + n.i_L1)*(length - 1 - o.s) "
                                            "+ %g*c.p2*rate</along></spring>"
                                            "<force id='g' systems='b c' point2='0 0.2 "
                                            "0.1'><vector>-x*(2 + %g*o.v_s), -y + n.i_L1, "
                                            "-z - a.Omega_x*a.p1</vector></force>"
                                            "<tendon id='u' systems='c a world' points='0.1 0 0 "
                                            "0 0.1 0 0 0 2'><along>-(3 + o.s)*length^2 "
                                            "- %g*b.v_y^2 - 0.1*f.rate*f.length</along></tendon>"
                                            "</interactions>",
         uniform(1, 4), uniform(-1, 1), uniform(0.2, 1), uniform(-1, 1), uniform(-1, 0),
         uniform(-1, 1), uniform(0, 1));
  is_of_second_order(machine, labels, 6);
}
END_TEST

/* The torque of a hinge is what a coil of hardly any inductance makes of its rate: as a joint's
 * formula, and as a torque on the body by its angle. */
START_TEST(a_torque_of_a_joint_reads_a_coil)
{
#define COIL \
  "<netlist id='n'>V1 s 0 5*sin(4*t)\nR1 s a 0.1\nL1 a b 1e-6\nV2 b 0 " \
  "0.5*r.v_angle\n</netlist>"
#define ARM(torque) \
  "<RigidBody2dDS id='r'><q0>0.5 0 " \
  "0</q0><mass>1</mass><inertia>0.2</inertia>" torque "</RigidBody2dDS>"
#define HINGE(torque) \
  "<interactions><interaction id='h' systems='r'><PivotJointR point='0 " \
  "0'>" torque "</PivotJointR><EqualityConditionNSL/></interaction></interactions>"
  /* the hinge counts the angle of the world from the body */
  run a = steps(HEAD "<systems>" COIL ARM("") "</systems>" HINGE("<torque>-0.5*n.i_L1</torque>")
                    STEPS(BOTH("1")),
                1, 200),
      b = steps(HEAD "<systems>" COIL ARM("<mExt>0.5*n.i_L1</mExt>") "</systems>" HINGE("")
                    STEPS(BOTH("1")),
                1, 200);
  ck_assert_double_eq_tol(last(&a, "r.angle"), last(&b, "r.angle"), 1e-9);
  ck_assert_double_eq_tol(last(&a, "n.i_L1"), last(&b, "n.i_L1"), 1e-7);
  ck_assert_int_le(a.x->cert->newton, 920); /* 4.6 a step */
  ck_assert_double_gt(fabs(last(&a, "r.angle")), 0.1);
  run_end(&a), run_end(&b);
}
END_TEST

/* Formulas that read the angle of a hinge, beyond a turn, against those that read the body's; a
 * slide and a line between bodies against coordinates. */
START_TEST(formulas_read_joints_and_lines)
{
#define DRIVE(angle, rate) \
  "<netlist id='n'>V1 s 0 40 - 2*(" angle ") - 0.1*(" rate ")\nR1 s a 1\nL1 a b 0.02\nV2 b 0 " \
  "0.5*(" rate ")\n</netlist><LagrangianDS id='o' coordinates='s'><q0>0</q0><fInt>9*s + v_s + " \
  "sin(" angle ") - 0.2*(" rate ")</fInt></LagrangianDS>"
#define TURN(moment) \
  "<RigidBody2dDS id='r'><q0>0.5 0 0</q0><mass>1</mass><inertia>0.2</inertia><mExt>" moment \
  "</mExt></RigidBody2dDS>"
#define SPIN(moment) \
  "<NewtonEulerDS id='r'><q0>0.5 0 0 1 0 0 0</q0><mass>1</mass><inertia diag='0.3 0.1 0.2'/>" \
  "<mExt>0, 0, " moment "</mExt></NewtonEulerDS>"
#define PIVOT(of) \
  "<interactions><interaction id='h' systems='r'><PivotJointR " of "/><EqualityConditionNSL/>" \
  "</interaction></interactions>"
  /* it counts the angle of the world from the body */
  run a = steps(HEAD "<systems>" DRIVE("r.angle", "r.v_angle")
                    TURN("0.5*n.i_L1 - o.s") "</systems>" PIVOT("point='0 0'") STEPS(BOTH("0.5")),
                2, 400);
  run b = steps(HEAD "<systems>" DRIVE("-h.angle", "-h.v_angle")
                    TURN("0.5*n.i_L1 - o.s") "</systems>" PIVOT("point='0 0'") STEPS(BOTH("0.5")),
                2, 400);
  run d = steps(HEAD "<systems>" DRIVE("-h.angle", "-h.v_angle")
                    SPIN("0.5*n.i_L1 - o.s") "</systems>" PIVOT("point='0 0 0' axis='0 0 1'")
                        STEPS(BOTH("0.5")),
                2, 400);
  ck_assert_double_gt(last(&a, "r.angle"), 7);
  ck_assert_double_eq_tol(last(&a, "r.angle"), last(&b, "r.angle"), 1e-9);
  ck_assert_double_eq_tol(last(&a, "n.i_L1"), last(&b, "n.i_L1"), 1e-8);
  /* another discretisation */
  ck_assert_double_eq_tol(last(&a, "r.v_angle"), last(&d, "r.Omega_z"), 2e-3);
  ck_assert_double_eq_tol(last(&a, "o.s"), last(&d, "o.s"), 2e-3);
  ck_assert_int_le(b.x->cert->newton, a.x->cert->newton + 100);
  run_end(&a), run_end(&b), run_end(&d);
#define RAIL(x, v) \
  HEAD "<systems><FirstOrderNonLinearDS id='n' states='y'><x0>0</x0><f>3*(" x ") - y + (" v ")^2" \
       "</f></FirstOrderNonLinearDS><RigidBody2dDS id='r'><q0>1 0 0</q0><v0>0.5 0 " \
       "0</v0><mass>1</mass>" \
       "<inertia>1</inertia><fExt>-4*n.y 0</fExt></RigidBody2dDS></systems><interactions>" \
       "<interaction id='h' systems='r'><PrismaticJointR axis='1 0'/><EqualityConditionNSL/>" \
       "</interaction><spring id='k' systems='r' point2='-1 0' " \
       "stiffness='0'/></interactions>" STEPS(BOTH("0.5"))
  run e = steps(RAIL("r.x - 1", "r.v_x"), 1, 100), f = steps(RAIL("-h.slide", "h.v_slide"), 1, 100),
      g = steps(RAIL("k.length - 2", "k.rate"), 1, 100);
  ck_assert_double_eq_tol(last(&e, "r.x"), last(&f, "r.x"), 1e-9);
  ck_assert_double_eq_tol(last(&e, "n.y"), last(&g, "n.y"), 1e-9);
  run_end(&e), run_end(&f), run_end(&g);
}
END_TEST

/* Bodies alone, whose springs read a third one and coordinates of their own. */
START_TEST(a_spring_reads_bodies)
{
  static const char *const model = HEAD "<systems>" PLANE DISK(
      "c", "0 2 0",
      "1 0 0") "</systems><interactions>"
               "<spring id='s' systems='a b'><along>-(4 + c.y + a.x^2)*(length - "
               "1)</along></spring>"
               "<spring id='w' systems='c world' point2='1 1' stiffness='5'/></interactions>" STEPS(
                   "<MoreauJeanOSI/>");
  double e[2], want = at_end(model, 1, 1600, "a.x");
  for (int k = 0; k < 2; k++) e[k] = fabs(at_end(model, 1, 50 << k, "a.x") - want);
  ck_assert_double_ge(log2(e[0] / e[1]), 1.8);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("mixed_forces");
  TCase *t = tcase_create("mixed_forces");
  tcase_add_loop_test(t, a_machine_beside_an_idle_system, 0, sizeof lonely / sizeof *lonely);
  tcase_add_loop_test(t, a_spring_reads_a_state, 0, 20);
  tcase_add_loop_test(t, random_machines_are_of_second_order, 0, 20);
  tcase_add_test(t, a_torque_of_a_joint_reads_a_coil);
  tcase_add_test(t, formulas_read_joints_and_lines);
  tcase_add_test(t, a_spring_reads_bodies);
  suite_add_tcase(s, t);
  return suite_end(s);
}
