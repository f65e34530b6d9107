/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Systems of several kinds in one model, coupled by formulas: closed forms, orders, and the same
 * model written in other ways. */
#include "support/machines.h"

/* ---- a motor: V = 12, R = 2, L = 0.01, K = 0.05, J = 1e-4, load of dry friction 0.05 N m ----- */

#define COIL \
  "<netlist id='drive'>V1 s 0 12\nR1 s a 2\nL1 a b 0.01\nV2 b 0 " \
  "0.05*rotor.v_phi\n</netlist>"
#define ROTOR \
  "<LagrangianLinearTIDS id='rotor' coordinates='phi'><q0>0</q0><mass>1e-4</mass>" \
  "<fExt>0.05*drive.i_L1</fExt></LagrangianLinearTIDS>"
#define BRAKE \
  "<interactions><interaction id='brake' " \
  "systems='rotor'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>" \
  "<RelayNSL lb='-0.05' ub='0.05'/></interaction></interactions>"
#define MOTOR(theta) HEAD "<systems>" COIL ROTOR "</systems>" BRAKE STEPS(BOTH(theta))

/* From rest it sticks until 0.911607784e-3 s; values by matrix exponentials of both phases. */
static const double CURRENT = 5.30681800671, SPEED = 33.5906364989;

START_TEST(motor_with_dry_friction_is_of_second_order)
{
  double coarse = fabs(at_end(MOTOR("0.5"), 0.02, 200, "drive.i_L1") - CURRENT);
  double fine = fabs(at_end(MOTOR("0.5"), 0.02, 3200, "drive.i_L1") - CURRENT);
  ck_assert_double_le(coarse, 1.8e-5);
  ck_assert_double_le(fine, 7e-8);
  ck_assert_double_ge(log2(coarse / fine) / 4, 1.9);
  ck_assert_double_eq_tol(at_end(MOTOR("0.5"), 0.02, 3200, "rotor.v_phi"), SPEED, 1e-6);
  double one = fabs(at_end(MOTOR("1"), 0.02, 200, "drive.i_L1") - CURRENT),
         two = fabs(at_end(MOTOR("1"), 0.02, 400, "drive.i_L1") - CURRENT);
  ck_assert_double_ge(log2(one / two), 0.9);
  ck_assert_double_le(log2(one / two), 1.1);
}
END_TEST

/* Where the energy went: friction takes 0.05 N m times the angle. */
START_TEST(motor_balances_its_energy)
{
  run r = steps(MOTOR("0.5"), 0.02, 500);
  ck_assert_double_le(r.x->cert->defect_max, 1e-15);
  ck_assert_double_eq_tol(r.x->cert->work_friction, -0.05 * r.x->q[1], 1e-14);
  run_end(&r);
}
END_TEST

/* The same as two first-order systems that read each other, as one, and beside the order of
 * systems. */
START_TEST(motor_is_the_same_in_every_form)
{
  static const char *const as_systems = HEAD
      "<systems><FirstOrderLinearTIDS id='rotor' "
      "states='w'><x0>0</x0><A>0</A><b>500*coil.i</b></FirstOrderLinearTIDS>"
      "<FirstOrderNonLinearDS id='coil' states='i'><x0>0</x0><f>100*(12 - 2*i - "
      "0.05*rotor.w)</f></FirstOrderNonLinearDS></systems>"
      "<interactions><interaction id='brake' "
      "systems='rotor'><FirstOrderLinearTIR><C>1</C><B>1e4</B></FirstOrderLinearTIR>"
      "<RelayNSL lb='-0.05' ub='0.05'/></interaction></interactions>" STEPS(
          "<EulerMoreauOSI theta='0.5'/>");
  static const char *const as_one = HEAD
      "<systems><FirstOrderLinearTIDS id='m' states='i w'><x0>0 0</x0><A>-200 -5; 500 0</A><b>1200 "
      "0</b></FirstOrderLinearTIDS></systems>"
      "<interactions><interaction id='brake' systems='m'><FirstOrderLinearTIR><C>0 1</C><B>0; "
      "1e4</B></FirstOrderLinearTIR>"
      "<RelayNSL lb='-0.05' ub='0.05'/></interaction></interactions>" STEPS(
          "<EulerMoreauOSI theta='0.5'/>");
  static const char *const turned = HEAD
      "<systems>" ROTOR COIL
      "</systems>" BRAKE STEPS("<MoreauJeanOSI/><EulerMoreauOSI theta='0.5'/>");
  run a = steps(MOTOR("0.5"), 0.02, 300), b = steps(as_systems, 0.02, 300),
      c = steps(as_one, 0.02, 300), d = steps(turned, 0.02, 300);
  ck_assert_double_eq_tol(last(&a, "drive.i_L1"), last(&c, "m.i"), 1e-11);
  ck_assert_double_eq_tol(last(&a, "rotor.v_phi"), last(&c, "m.w"), 1e-10);
  ck_assert_double_eq_tol(last(&b, "coil.i"), last(&c, "m.i"), 1e-11);
  ck_assert_double_eq_tol(last(&b, "rotor.w"), last(&c, "m.w"), 1e-10);
  ck_assert_double_eq_tol(last(&a, "drive.i_L1"), last(&d, "drive.i_L1"), 1e-12);
  ck_assert_double_eq_tol(last(&a, "brake.force"), last(&b, "brake.lambda"), 1e-12);
  run_end(&a), run_end(&b), run_end(&c), run_end(&d);
}
END_TEST

/* ---- other machines -------------------------------------------------------------------------- */

/* Voice coil: m = 0.01, k = 1000, c = 0.5, B = 5, R = 8, L = 1e-3, step of 10 V. */
START_TEST(voice_coil_is_of_second_order)
{
  static const char *const coil = HEAD
      "<systems><netlist id='amp'>V1 s 0 10\nR1 s a 8\nL1 a b 1e-3\nV2 b 0 5*mass.v_x\n</netlist>"
      "<LagrangianDS id='mass' coordinates='x'><q0>0</q0><mass>0.01</mass><fInt>1000*x + 0.5*v_x - "
      "5*amp.i_L1</fInt></LagrangianDS></systems>" STEPS(BOTH("0.5"));
  double coarse = fabs(at_end(coil, 0.01, 100, "mass.x") - 0.00670493410613),
         fine = fabs(at_end(coil, 0.01, 400, "mass.x") - 0.00670493410613);
  ck_assert_double_le(coarse, 2.2e-7);
  ck_assert_double_ge(log2(coarse / fine) / 2, 1.98);
  ck_assert_double_eq_tol(at_end(coil, 0.01, 1600, "mass.v_x"), 0.203888430034, 2e-7);
  ck_assert_double_eq_tol(at_end(coil, 0.01, 1600, "amp.i_L1"), 1.11260594575, 2e-7);
}
END_TEST

/* Solenoid: flux psi in a coil whose inductance depends on the gap x, spring, stops at both ends.
 */
START_TEST(solenoid_hits_its_stop)
{
  static const char *const solenoid = HEAD
      "<systems><FirstOrderNonLinearDS id='coil' states='psi'><x0>0</x0><f>6 - 10*psi*(1 + "
      "plunger.x/1e-3)/0.5</f></FirstOrderNonLinearDS>"
      "<LagrangianDS id='plunger' coordinates='x'><q0>0.004</q0><mass>0.02</mass><fInt>-200*(0.01 "
      "- x) + coil.psi^2/(2*0.5*1e-3)</fInt>"
      "</LagrangianDS></systems>"
      "<interactions><interaction id='near' "
      "systems='plunger'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL "
      "e='0.3'/></interaction>"
      "<interaction id='far' "
      "systems='plunger'><LagrangianLinearTIR><H>-1</H><e>0.004</e></"
      "LagrangianLinearTIR><NewtonImpactNSL e='0'/></interaction>"
      "</interactions>" STEPS(BOTH("0.5"));
  run r = steps(solenoid, 0.04, 3200);
  double h = 0.04 / 3200, first = 0, speed = 0, released = 0;
  for (size_t k = 0; k < r.got.nevents; k++) {
    const ns_event *e = &r.got.events[k];
    if (e->interaction == 0 && e->kind == NS_EVENT_IMPACT && !first)
      first = e->t, speed = e->before;
    if (e->interaction == 1 && e->kind == NS_EVENT_RELEASE) released = e->t;
  }
  ck_assert_double_eq_tol(released, 0.00861211502516, 2 * h);
  ck_assert_double_eq_tol(first, 0.0233535958770, 2 * h);
  ck_assert_double_eq_tol(speed, -0.817206629497, 2e-3);
  run_end(&r);
  /* held: 90 N of the magnet, less 2 N of the spring, where the gap is zero */
  r = steps(solenoid, 1, 8000);
  double x = last(&r, "plunger.x"), psi = last(&r, "coil.psi");
  ck_assert_double_eq_tol(last(&r, "near.force"), psi * psi / 1e-3 - 200 * (0.01 - x), 1e-9);
  ck_assert_double_eq_tol(last(&r, "near.force") * pow(1 + x / 1e-3, 2), 88, 0.1);
  run_end(&r);
}
END_TEST

/* Ram on a chamber with a check valve: it opens at once, closes at 0.01 s; then a quarter of a
 * swing as a spring. */
START_TEST(check_valve_is_of_second_order)
{
  static const char *const ram = HEAD
      "<systems><FirstOrderNonLinearDS id='chamber' "
      "states='p'><x0>1e5</x0><f>-1e9*ram.v_x</f></FirstOrderNonLinearDS>"
      "<LagrangianDS id='ram' "
      "coordinates='x'><q0>0</q0><v0>0.2</v0><mass>10</mass><fExt>1e-3*chamber.p - "
      "300</fExt></LagrangianDS></systems>"
      "<interactions><interaction id='valve' "
      "systems='chamber'><FirstOrderLinearTIR><C>1</C><e>-1e5</e><B>1e12</B></FirstOrderLinearTIR>"
      "<ComplementarityConditionNSL/></interaction></interactions>" STEPS(BOTH("0.5"));
  /* half way back up: p as it rises through the mean */
  const double T = 0.01 + 0.00993458827 / 2, want = 3e5;
  double e1 = fabs(at_end(ram, T, 400, "chamber.p") - want),
         e2 = fabs(at_end(ram, T, 1600, "chamber.p") - want);
  ck_assert_double_le(e1, 20);
  ck_assert_double_ge(log2(e1 / e2) / 2, 1.7);
}
END_TEST

/* ---- systems that are parts of one ----------------------------------------------------------- */

/* Two masses with random stiffness and damping between all of them, over a ground with friction:
 * one system of two coordinates, or two that read each other. */
START_TEST(parts_of_a_lagrangian_system)
{
  int bonded = _i % 4 == 3; /* to the ground */
  seed = 20260000UL + (unsigned long)_i;
  double K[4], C[4], m[2] = {uniform(0.5, 3), uniform(0.5, 3)},
                     q[2] = {uniform(0, 0.5), uniform(-0.3, 0.3)},
                     v[2] = {uniform(-2, 2), uniform(-2, 2)};
  for (int k = 0; k < 4; k++) K[k] = uniform(-40, 80), C[k] = uniform(-0.2, 1);
  if (bonded) q[0] = v[0] = 0;
  two_forms f = two_masses(q, v, m, K, C,
                           bonded ? "CohesiveFrictionNSL sigma='25'" : "NewtonImpactFrictionNSL");
  run a = run_to(f.one, STEPS("<MoreauJeanOSI theta='0.5'/>"), 1, 500),
      b = run_to(f.two, STEPS("<MoreauJeanOSI theta='0.5'/>"), 1, 500);
  end_alike(&a, &b, "s.y", "a.y", 1e-9);
  end_alike(&a, &b, "s.x", "b.x", 1e-9);
  end_alike(&a, &b, "s.v_y", "a.v_y", 1e-8);
  end_alike(&a, &b, "s.v_x", "b.v_x", 1e-8);
  /* a bond at rest has an impulse that is zero but for rounding, and modes by it */
  if (!bonded) ck_assert_uint_eq(a.got.nevents, b.got.nevents);
  ck_assert_double_le(fabs(b.x->cert->defect), fabs(a.x->cert->defect) + 1e-9);
  run_end(&a), run_end(&b);
}
END_TEST

/* The same of first order, with rows that are complementary, a relay and an equality. */
START_TEST(parts_of_a_first_order_system)
{
  seed = 20270000UL + (unsigned long)_i;
  double x[2] = {uniform(0, 1), uniform(-1, 1)};
  two_forms f = two_states(x);
  run a = run_to(f.one, STEPS("<EulerMoreauOSI theta='0.6'/>"), 2, 400),
      b = run_to(f.two, STEPS("<EulerMoreauOSI theta='0.6'/>"), 2, 400);
  end_alike(&a, &b, "s.x", "a.x", 1e-8);
  end_alike(&a, &b, "s.y", "b.y", 1e-8);
  end_alike(&a, &b, "relay.lambda", "relay.lambda", 1e-7);
  end_alike(&a, &b, "diode.y", "diode.y", 1e-8);
  ck_assert_uint_eq(a.got.nevents, b.got.nevents);
  run_end(&a), run_end(&b);
}
END_TEST

/* A generator: the speed of a rotor stands in a loop with a diode, so a row of the circuit reads
 * it. */
START_TEST(diode_on_a_generator)
{
  /* from w = 100 with K w = 5 V into 3 V over 2 ohm; no inductance: i = (K w - 3)/2 while it is
   * positive, J w' = -K i */
  static const char *const generator = HEAD
      "<systems><netlist id='load'>V1 a 0 0.05*rotor.v_phi\nD1 a b\nR1 b c 2\nV2 c 0 3\n</netlist>"
      "<LagrangianDS id='rotor' "
      "coordinates='phi'><q0>0</q0><v0>100</v0><mass>1e-3</mass><fInt>0.05*(0.05*v_phi > 3 ? "
      "(0.05*v_phi - 3)/2 : 0)</fInt>"
      "</LagrangianDS></systems>" STEPS(BOTH("0.5"));
  run r = steps(generator, 0.4, 400);
  double w = 60 + 40 * exp(-0.05 * 0.05 / 2 / 1e-3 * 0.4);
  ck_assert_double_eq_tol(last(&r, "rotor.v_phi"), w, 2e-6);
  ck_assert_double_eq_tol(last(&r, "R1.i"), (0.05 * last(&r, "rotor.v_phi") - 3) / 2, 1e-12);
  run_end(&r);
}
END_TEST

/* Two circuits, two mechanisms and a state that all read each other, with random numbers: the
 * scheme is of second order. */
START_TEST(random_machines_are_of_second_order)
{
  char machine[MACHINE];
  seed = 20280000UL + (unsigned long)_i;
  random_circuits(machine);
  is_of_second_order(machine, circuit_labels, INFINITY);
}
END_TEST

/* A circuit without a state of its own reads another one in the row of its diode, and nowhere else.
 */
START_TEST(circuit_without_states_reads_another)
{
  static const char *const two = HEAD
      "<systems><netlist id='g'>V1 s 0 12\nR1 s a 1\nL1 a 0 0.1\n</netlist>"
      "<netlist id='h'>V1 s 0 3*g.i_L1\nR1 s a 1\nD1 a 0\n</netlist></systems>" STEPS(
          "<EulerMoreauOSI theta='0.5'/>");
  run r = steps(two, 1, 200);
  ck_assert_double_eq_tol(last(&r, "h-devices.lambda"), 3 * last(&r, "g.i_L1"), 1e-9);
  ck_assert_double_ge(last(&r, "g.i_L1"), 11.9);
  run_end(&r);
}
END_TEST

/* Several integrators: each system by its own theta. */
START_TEST(integrators_name_their_systems)
{
  static const char *const model = HEAD
      "<systems><LagrangianLinearTIDS id='a' coordinates='x'><q0>1</q0><K "
      "diag='100'/></LagrangianLinearTIDS>"
      "<LagrangianLinearTIDS id='b' coordinates='x'><q0>1</q0><K "
      "diag='100'/></LagrangianLinearTIDS></systems>" STEPS(
          "<MoreauJeanOSI theta='1' systems='b'/><MoreauJeanOSI theta='0.5'/>");
  run r = steps(model, 1, 100);
  double a = at_end(
      HEAD "<systems><LagrangianLinearTIDS id='a' coordinates='x'><q0>1</q0><K "
           "diag='100'/></LagrangianLinearTIDS></systems>" STEPS("<MoreauJeanOSI theta='0.5'/>"),
      1, 100, "a.x");
  double b = at_end(
      HEAD "<systems><LagrangianLinearTIDS id='a' coordinates='x'><q0>1</q0><K "
           "diag='100'/></LagrangianLinearTIDS></systems>" STEPS("<MoreauJeanOSI theta='1'/>"),
      1, 100, "a.x");
  ck_assert_double_eq_tol(last(&r, "a.x"), a, 1e-12);
  ck_assert_double_eq_tol(last(&r, "b.x"), b, 1e-12);
  ck_assert_double_ge(fabs(a - b), 0.1);
  run_end(&r);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("mixed");
  TCase *t = tcase_create("mixed");
  tcase_add_test(t, motor_with_dry_friction_is_of_second_order);
  tcase_add_test(t, motor_balances_its_energy);
  tcase_add_test(t, motor_is_the_same_in_every_form);
  tcase_add_test(t, voice_coil_is_of_second_order);
  tcase_add_test(t, solenoid_hits_its_stop);
  tcase_add_test(t, check_valve_is_of_second_order);
  tcase_add_loop_test(t, parts_of_a_lagrangian_system, 0, 40);
  tcase_add_loop_test(t, parts_of_a_first_order_system, 0, 40);
  tcase_add_loop_test(t, random_machines_are_of_second_order, 0, 30);
  tcase_add_test(t, diode_on_a_generator);
  tcase_add_test(t, circuit_without_states_reads_another);
  tcase_add_test(t, integrators_name_their_systems);
  suite_add_tcase(s, t);
  return suite_end(s);
}
