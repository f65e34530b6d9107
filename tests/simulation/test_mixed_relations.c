/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relations over mechanics and first-order systems, with an input to each: the same equations as
 * one first-order system, whose states are positions and velocities too. */
#include "support/mixed.h"

/* ---- random relations ------------------------------------------------------------------------ */

#define LAWS 2
static const char *const laws[LAWS] = {"<ComplementarityConditionNSL/>",
                                       "<RelayNSL lb='-0.3' ub='0.4'/>"};
static const char *const names[][2] = {{"x.a", "s.a"}, {"x.b", "s.b"},   {"o.q", "s.q"},
                                       {"o.r", "s.r"}, {"o.v_q", "s.v"}, {"o.v_r", "s.w"}};
enum { NAMES = sizeof names / sizeof *names };

/* Outputs read states, positions and velocities; inputs turn with positions and states. */
#define H(q, r, v, w) \
  "a + %.17g*sin(" q ") + %.17g*" v " + 0.7*lambda[0] + 0.2*lambda[1], " \
  "%.17g*b*" r " - %.17g*" w " + 0.3*" v "*" v " + 0.1*lambda[0] + 0.9*lambda[1]"
#define INPUT "(1 + 0.3*q)*lambda[0], 0.4*lambda[1] - 0.2*a*lambda[0]"
#define FORCES "%.17g*cos(q)*lambda[0] + 0.1*lambda[1], %.17g*lambda[1]"

START_TEST(relations_over_both_are_those_of_one_system)
{
  char both[4000], one[4000];
  seed = 20330000UL + (unsigned long)_i;
  double h[4], f[2], x[6];
  for (int i = 0; i < 4; i++) h[i] = uniform(-1, 1);
  for (int i = 0; i < 2; i++) f[i] = uniform(-1, 1);
  for (int i = 0; i < 6; i++) x[i] = uniform(-1, 1);
  snprintf(
      both, sizeof both,
      HEAD
      "<systems><FirstOrderNonLinearDS id='x' states='a b'><x0>%.17g %.17g</x0>"
      "<f>-a + sin(3*t), -2*b + o.v_q</f></FirstOrderNonLinearDS>"
      "<LagrangianDS id='o' coordinates='q r'><q0>%.17g %.17g</q0><v0>%.17g %.17g</v0>"
      "<mass diag='1.3 0.8'/><fInt>9*q + 2*sin(r) + 0.2*v_q, 7*r - x.a</fInt></LagrangianDS>"
      "</systems><interactions><interaction id='i' systems='x o'><FirstOrderNonLinearR><h>" H(
          "q", "r", "o.v_q",
          "o.v_r") "</h><g>" INPUT ", " FORCES
                   "</g></FirstOrderNonLinearR>%s</interaction></interactions>" STEPS(BOTH("0.5")),
      x[0], x[1], x[2], x[3], x[4], x[5], h[0], h[1], h[2], h[3], f[0], f[1], laws[_i % LAWS]);
  snprintf(
      one, sizeof one,
      HEAD
      "<systems><FirstOrderNonLinearDS id='s' states='a b q r v w'><x0>%.17g %.17g %.17g %.17g "
      "%.17g %.17g</x0><M diag='1 1 1 1 1.3 0.8'/><f>-a + sin(3*t), -2*b + v, v, w, "
      "-9*q - 2*sin(r) - 0.2*v, -7*r + a</f></FirstOrderNonLinearDS></systems><interactions>"
      "<interaction id='i' systems='s'><FirstOrderNonLinearR><h>" H(
          "q", "r", "v", "w") "</h><g>" INPUT ", 0, 0, " FORCES
                              "</g></FirstOrderNonLinearR>%s</interaction>"
                              "</interactions>" STEPS("<EulerMoreauOSI theta='0.5'/>"),
      x[0], x[1], x[2], x[3], x[4], x[5], h[0], h[1], h[2], h[3], f[0], f[1], laws[_i % LAWS]);
  run a = steps(both, 2, 200), b = steps(one, 2, 200);
  ends_alike(&a, &b, names, NAMES, 1e-9);
  ck_assert_double_le((double)a.x->cert->newton, (double)b.x->cert->newton + 60);
  ck_assert_double_le(a.x->cert->defect_max, 1e-11);
  run_end(&a), run_end(&b);
}
END_TEST

/* Matrices: C over states and coordinates, B with forces. */
START_TEST(linear_relations_over_both)
{
  char both[4000], one[4000], C[200], B[200], C6[200], B6[200];
  seed = 20340000UL + (unsigned long)_i;
  double c[4], x[6];
  for (int i = 0; i < 4; i++) c[i] = uniform(-1, 1);
  for (int i = 0; i < 6; i++) x[i] = uniform(-1, 1);
  snprintf(C, sizeof C, "1 %.17g %.17g 0.2; 0 1 %.17g 0.4", c[0], c[1], c[2]);
  snprintf(C6, sizeof C6, "1 %.17g %.17g 0.2 0 0; 0 1 %.17g 0.4 0 0", c[0], c[1], c[2]);
  snprintf(B, sizeof B, "1 0; 0 1; %.17g 0.1; 0.2 -0.3", c[3]);
  snprintf(B6, sizeof B6, "1 0; 0 1; 0 0; 0 0; %.17g 0.1; 0.2 -0.3", c[3]);
  snprintf(
      both, sizeof both,
      HEAD
      "<systems><FirstOrderLinearTIDS id='x' states='a b'><x0>%.17g %.17g</x0>"
      "<A>-1 0.4; 0 -2</A></FirstOrderLinearTIDS><LagrangianLinearTIDS id='o' coordinates='q r'>"
      "<q0>%.17g %.17g</q0><v0>%.17g %.17g</v0><mass diag='1.3 0.8'/><K>9 1; 1 7</K>"
      "</LagrangianLinearTIDS></systems><interactions><interaction id='i' systems='x o'>"
      "<FirstOrderLinearTIR><C>%s</C><B>%s</B><D>0.5 0.1; -0.1 0.6</D></FirstOrderLinearTIR>%s"
      "</interaction></interactions>" STEPS(BOTH("0.5")),
      x[0], x[1], x[2], x[3], x[4], x[5], C, B, laws[_i % LAWS]);
  snprintf(
      one, sizeof one,
      HEAD
      "<systems><FirstOrderLinearTIDS id='s' states='a b q r v w'><x0>%.17g %.17g %.17g "
      "%.17g %.17g %.17g</x0><M diag='1 1 1 1 1.3 0.8'/><A>-1 0.4 0 0 0 0; 0 -2 0 0 0 0; "
      "0 0 0 0 1 0; 0 0 0 0 0 1; 0 0 -9 -1 0 0; 0 0 -1 -7 0 0</A></FirstOrderLinearTIDS></systems>"
      "<interactions><interaction id='i' systems='s'><FirstOrderLinearTIR><C>%s</C><B>%s</B>"
      "<D>0.5 0.1; -0.1 0.6</D></FirstOrderLinearTIR>%s</interaction></interactions>" STEPS(
          "<EulerMoreauOSI theta='0.5'/>"),
      x[0], x[1], x[2], x[3], x[4], x[5], C6, B6, laws[_i % LAWS]);
  run a = steps(both, 2, 200), b = steps(one, 2, 200);
  ends_alike(&a, &b, names, NAMES, 1e-10);
  run_end(&a), run_end(&b);
}
END_TEST

/* ---- devices --------------------------------------------------------------------------------- */

/* A diode between a rotor that generates and a capacitor: the rotor as a Lagrangian system, as a
 * body in the plane, and as a body on a hinge whose rate the diode reads. */
START_TEST(a_diode_on_a_generator)
{
#define CAP \
  "<FirstOrderLinearTIDS id='cap' " \
  "states='v'><x0>0.2</x0><A>-0.3</A></FirstOrderLinearTIDS>"
#define DIODE(on, rate, forces) \
  "<interaction id='diode' systems='cap " on \
  "'><FirstOrderType2R><h>cap.v + 0.4*lambda[0] - 0.9*" rate "</h><g>lambda[0]/0.5, " \
  "" forces "</g></FirstOrderType2R><ComplementarityConditionNSL/></interaction>"
  static const char *const angle = HEAD
      "<systems>" CAP "<LagrangianDS id='r' coordinates='a'><q0>0</q0><v0>2</v0><mass>0.7</mass>"
      "<fInt>3*a</fInt></LagrangianDS></systems><interactions>" DIODE(
          "r", "r.v_a", "-0.9*lambda[0]") "</interactions>" STEPS(BOTH("0.5"));
  static const char *const plane = HEAD
      "<systems>" CAP
      "<RigidBody2dDS id='r'><q0>1 2 0</q0><v0>0 0 2</v0><mass>2</mass><inertia>0.7</inertia>"
      "<mInt>3*angle</mInt></RigidBody2dDS></systems><interactions>" DIODE(
          "r", "r.v_angle", "0, 0, -0.9*lambda[0]") "</interactions>" STEPS(BOTH("0.5"));
  static const char *const hinge = HEAD
      "<systems>" CAP
      "<RigidBody2dDS id='r'><q0>1 2 0</q0><v0>0 0 2</v0><mass>2</mass><inertia>0.7</inertia>"
      "<mInt>3*angle</mInt></RigidBody2dDS></systems><interactions>" DIODE(
          "r", "(-h.v_angle)",
          "0, 0, -0.9*lambda[0]") "<interaction id='h' systems='r'>"
                                  "<PivotJointR point='1 "
                                  "2'/><EqualityConditionNSL/></interaction></interactions>" STEPS(
                                      BOTH("0.5"));
  run a = steps(angle, 3, 300), b = steps(plane, 3, 300), c = steps(hinge, 3, 300);
  static const char *const of[][2] = {
      {"r.angle", "r.a"}, {"r.v_angle", "r.v_a"}, {"cap.v", "cap.v"}};
  ends_alike(&b, &a, of, 3, 1e-11);
  ends_alike(&c, &a, of, 3, 1e-10);
  ck_assert_double_gt(last(&a, "cap.v"), 0.5); /* it was charged */
  ck_assert_double_le(a.x->cert->defect_max, 1e-12);
  ck_assert_double_le(c.x->cert->defect_max, 1e-12);
  run_end(&a), run_end(&b), run_end(&c);
}
END_TEST

/* What an impact of a body leaves in a step with a relation on it: order 1, the same in both forms.
 */
START_TEST(a_valve_and_a_stop)
{
#define VALVE(rate, forces) \
  "<interaction id='valve' systems='p m'><FirstOrderType2R><h>p.y - lambda[1], lambda[0] + " \
  "2*" rate "</h><g>lambda[0]/0.5, " \
  "" forces "</g></FirstOrderType2R><ComplementarityConditionNSL/></interaction>"
#define TANK "<FirstOrderLinearTIDS id='p' states='y'><x0>0.1</x0><A>-1</A></FirstOrderLinearTIDS>"
  run a = steps(HEAD
                "<systems>" TANK
                "<LagrangianLinearTIDS id='m' coordinates='x'><q0>0.2</q0><v0>-1</v0>"
                "<K>4</K></LagrangianLinearTIDS></systems><interactions>" VALVE(
                    "m.v_x",
                    "2*lambda[1]") "<interaction id='stop' "
                                   "systems='m'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>"
                                   "<NewtonImpactNSL e='0.8'/></interaction></interactions>" STEPS(
                                       BOTH("0.5")),
                4, 400),
      b = steps(
          HEAD
          "<systems>" TANK "<RigidBody2dDS id='m'><q0>0.2 0 0</q0><v0>-1 0 0</v0><mass>1</mass>"
          "<inertia>1</inertia><fInt>4*x, 0</fInt></RigidBody2dDS></systems><interactions>" VALVE(
              "m.v_x", "2*lambda[1], 0, 0") "<interaction id='stop' systems='m'><NewtonEuler1DR>"
                                            "<P1>x y 0</P1><P2>0 y 0</P2><n>1 0 "
                                            "0</n></NewtonEuler1DR><NewtonImpactNSL e='0.8'/>"
                                            "</interaction></interactions>" STEPS(BOTH("0.5")),
          4, 400);
  static const char *const of[][2] = {{"m.x", "m.x"}, {"m.v_x", "m.v_x"}, {"p.y", "p.y"}};
  ends_alike(&a, &b, of, 3, 1e-10);
  ck_assert_int_ge(a.x->cert->impacts, 1);
  ck_assert_int_eq(a.x->cert->impacts, b.x->cert->impacts);
  ck_assert_double_le(a.x->cert->defect_max, 1e-12);
  run_end(&a), run_end(&b);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("mixed_relations");
  TCase *t = tcase_create("mixed_relations");
  tcase_add_loop_test(t, relations_over_both_are_those_of_one_system, 0, 20);
  tcase_add_loop_test(t, linear_relations_over_both, 0, 20);
  tcase_add_test(t, a_diode_on_a_generator);
  tcase_add_test(t, a_valve_and_a_stop);
  suite_add_tcase(s, t);
  return suite_end(s);
}
