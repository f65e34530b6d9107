/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event-driven runs of systems of several kinds that read each other: closed forms, the same
 * machine written in other ways, time-stepping that converges to it, and runs that are interrupted.
 */
#include "support/machines.h"

#define BY_STEPS STEPS("<EulerMoreauOSI theta='0.5'/><MoreauJeanOSI/>")

static double stepped(const char *systems, double T, int n, const char *label)
{
  run r = run_to(systems, BY_STEPS, T, n);
  double x = last(&r, label);
  run_end(&r);
  return x;
}

/* ---- a motor: V = 12, R = 2, L = 0.01, K = 0.05, J = 1e-4, dry friction of 0.05 N m ---------- */

#define COIL \
  "<netlist id='drive'>V1 s 0 12\nR1 s a 2\nL1 a b 0.01\nV2 b 0 0.05*rotor.v_phi\n</netlist>"
#define ROTOR \
  "<LagrangianLinearTIDS id='rotor' coordinates='phi'><q0>0</q0><mass>1e-4</mass>" \
  "<fExt>0.05*drive.i_L1</fExt></LagrangianLinearTIDS>"
#define BRAKE \
  "<interactions><interaction id='brake' systems='rotor'><LagrangianLinearTIR><H>1</H>" \
  "</LagrangianLinearTIR><RelayNSL lb='-0.05' ub='0.05'/></interaction></interactions>"
#define MOTOR "<systems>" COIL ROTOR "</systems>" BRAKE

/* As two first-order systems that read each other, and as one. */
static const char *const AS_SYSTEMS =
    "<systems><FirstOrderLinearTIDS id='rotor' states='w'><x0>0</x0><A>0</A><b>500*coil.i</b>"
    "</FirstOrderLinearTIDS><FirstOrderNonLinearDS id='coil' states='i'><x0>0</x0>"
    "<f>100*(12 - 2*i - 0.05*rotor.w)</f></FirstOrderNonLinearDS></systems>"
    "<interactions><interaction id='brake' systems='rotor'><FirstOrderLinearTIR><C>1</C><B>1e4</B>"
    "</FirstOrderLinearTIR><RelayNSL lb='-0.05' ub='0.05'/></interaction></interactions>";
static const char *const AS_ONE =
    "<systems><FirstOrderLinearTIDS id='m' states='i w'><x0>0 0</x0><A>-200 -5; 500 0</A>"
    "<b>1200 0</b></FirstOrderLinearTIDS></systems>"
    "<interactions><interaction id='brake' systems='m'><FirstOrderLinearTIR><C>0 1</C><B>0; 1e4</B>"
    "</FirstOrderLinearTIR><RelayNSL lb='-0.05' ub='0.05'/></interaction></interactions>";

/* From rest it sticks until i = 1: -(L/R) ln(1 - R tau/(K V)). Then two exponentials. */
static const double SLIPS = 9.11607784e-4, CURRENT = 5.30681800671, SPEED = 33.5906364989;

START_TEST(motor_is_its_closed_form)
{
  run r = events(MOTOR, 0.02, 20);
  ck_assert_double_eq_tol(last(&r, "drive.i_L1"), CURRENT, 1e-9);
  ck_assert_double_eq_tol(last(&r, "rotor.v_phi"), SPEED, 1e-8);
  double slips = -0.005 * log(1 - 2 * 0.05 / (0.05 * 12) * 1);
  ck_assert_double_eq_tol(event_of(&r, 0, NS_EVENT_SLIP, 0)->t, slips, 1e-11);
  ck_assert_double_eq_tol(slips, SLIPS, 1e-12);
  ck_assert_double_eq_tol(r.x->cert->work_friction, -0.05 * last(&r, "rotor.phi"), 1e-10);
  is_certified(&r);
  run_end(&r);
}
END_TEST

START_TEST(motor_is_the_same_in_every_form)
{
  run a = events(MOTOR, 0.02, 7), b = events(AS_SYSTEMS, 0.02, 7), c = events(AS_ONE, 0.02, 7);
  run d = events("<systems>" ROTOR COIL "</systems>" BRAKE, 0.02, 7); /* the other way round */
  ck_assert_double_eq_tol(last(&a, "drive.i_L1"), last(&c, "m.i"), 1e-8);
  ck_assert_double_eq_tol(last(&a, "rotor.v_phi"), last(&c, "m.w"), 1e-8);
  ck_assert_double_eq_tol(last(&b, "coil.i"), last(&c, "m.i"), 1e-8);
  ck_assert_double_eq_tol(last(&b, "rotor.w"), last(&c, "m.w"), 1e-8);
  ck_assert_double_eq_tol(last(&d, "drive.i_L1"), last(&c, "m.i"), 1e-8);
  ck_assert_double_eq_tol(last(&d, "rotor.v_phi"), last(&c, "m.w"), 1e-8);
  is_certified(&b);
  run_end(&a), run_end(&b), run_end(&c), run_end(&d);
}
END_TEST

/* The back voltage by every source of a netlist that can have a formula, with names of another
 * system in each way in which it can name them. */
START_TEST(back_voltage_by_every_source)
{
  static const char *const same_source[] = {
      "E1 b 0 {0.05*rotor.v_phi}",
      "E1 b 0 0.05*rotor.v_phi",
      "E1 b 0 '0.05*rotor.v[0]'",
      "E1 b 0 VALUE={0.05*rotor.v_phi}",
      "E1 b 0 VALUE {0.05*rotor.v_phi}",
      "H1 b 0 {0.05*rotor.v_phi}",
      "B1 b 0 v={0.05*rotor.v_phi}",
      "V2 b 0 {seen*0.05}",
      "E1 b 0 {seen*0.05}",
      ".subckt emf p n k=1\nE1 p n {k*rotor.v_phi}\n.ends\nX1 b 0 emf k=0.05"};
  static const char *const norton[] = {"G1 0 b {0.05*rotor.v_phi/1e-3}",
                                       "F1 0 b {0.05*rotor.v_phi/1e-3}",
                                       "I1 0 b {0.05*rotor.v_phi/1e-3}"};
  static const char *const form =
      "<systems><netlist id='drive'>V1 s 0 12\nR1 s a 2\nL1 a b 0.01\n%s\n</netlist>" ROTOR
      "</systems>" BRAKE "<output><observe id='seen'>rotor.v_phi</observe></output>";
  enum { SAME = sizeof same_source / sizeof *same_source, ALL = SAME + 3 };
  char model[1200], first[1200];
  double of_steps = stepped(MOTOR, 0.02, 100, "drive.i_L1"), steps_norton = 0;
  run a = events(MOTOR, 0.02, 7), n = {0};
  for (int k = 0; k < ALL; k++) {
    int is_norton = k >= SAME;
    char source[200];
    if (is_norton) snprintf(source, sizeof source, "%s\nRb b 0 1e-3", norton[k - SAME]);
    else snprintf(source, sizeof source, "%s", same_source[k]);
    snprintf(model, sizeof model, form, source);
    run b = events(model, 0.02, 7);
    double i = stepped(model, 0.02, 100, "drive.i_L1");
    if (k == SAME) {
      memcpy(first, model, sizeof first);
      n = events(first, 0.02, 7);
      steps_norton = i;
    }
    run *like = is_norton ? &n : &a;
    ck_assert_msg(last(&b, "drive.i_L1") == last(like, "drive.i_L1"), "%s", source);
    ck_assert_msg(last(&b, "rotor.v_phi") == last(like, "rotor.v_phi"), "%s", source);
    ck_assert_msg(i == (is_norton ? steps_norton : of_steps), "%s: %.17g", source, i);
    run_end(&b);
  }
  ck_assert_double_eq_tol(last(&n, "drive.i_L1"), CURRENT, 0.01); /* 1 mohm more */
  run_end(&a), run_end(&n);
}
END_TEST

/* Time-stepping comes to the same with its order, in both forms. */
/* L = 1e-6 beside R = 1, K = 0.1, J = 0.01: an electrical time constant of 1 us beside a mechanical
 * one of 1 s. It is stiff, and after its first 2000 steps the implicit method takes over. Values of
 * the closed form at t = 1. */
START_TEST(stiff_motor_with_friction_chooses_bdf)
{
  run r = run_to("<systems><netlist id='drive'>V1 s 0 12*sin(3*t)\nR1 s a 1\nL1 a b 1e-6\nV2 b 0 "
                 "0.1*rotor.v_phi\n</netlist><LagrangianLinearTIDS id='rotor' coordinates='phi'>"
                 "<q0>0</q0><mass>0.01</mass><fExt>0.1*drive.i_L1</fExt></LagrangianLinearTIDS>"
                 "</systems><interactions><interaction id='brake' systems='rotor'>"
                 "<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><RelayNSL lb='-0.3' ub='0.3'/>"
                 "</interaction></interactions>",
                 EVENTS_BY("<CVodeOSI relativeTolerance='1e-8' absoluteTolerance='1e-10'/>"), 1,
                 20);
  ck_assert_double_eq_tol(event_of(&r, 0, NS_EVENT_SLIP, 0)->t, 0.0842277517144, 1e-9);
  ck_assert_double_eq_tol(last(&r, "drive.i_L1"), -1.51540681, 1e-7);
  ck_assert_double_eq_tol(last(&r, "rotor.v_phi"), 32.08878034, 2e-6);
  ck_assert_double_le(last(&r, "diagnostics.steps"), 4000); /* Adams: more than a million */
  is_certified(&r);
  run_end(&r);
}
END_TEST

START_TEST(motor_by_steps_converges_to_it)
{
  run r = events(MOTOR, 0.02, 4);
  double i = last(&r, "drive.i_L1"), w = last(&r, "rotor.v_phi");
  double ei[2], ew[2];
  for (int k = 0; k < 2; k++) {
    int n = k ? 6400 : 400;
    ei[k] = fabs(stepped(MOTOR, 0.02, n, "drive.i_L1") - i);
    ew[k] = fabs(stepped(MOTOR, 0.02, n, "rotor.v_phi") - w);
  }
  ck_assert_double_ge(log2(ei[0] / ei[1]) / 4, 1.8);
  ck_assert_double_ge(log2(ew[0] / ew[1]) / 4, 1.8);
  run_end(&r);
}
END_TEST

/* ---- impacts --------------------------------------------------------------------------------- */

/* Solenoid: flux psi in a coil whose inductance depends on the gap x, spring, stops at both ends
 * (case C4 of theory: release in closed form, impacts by an integrator of order 8 at 1e-13). */
START_TEST(solenoid_hits_its_stop)
{
  static const char *const solenoid =
      "<systems><FirstOrderNonLinearDS id='coil' states='psi'><x0>0</x0>"
      "<f>6 - 10*psi*(1 + plunger.x/1e-3)/0.5</f></FirstOrderNonLinearDS>"
      "<LagrangianDS id='plunger' coordinates='x'><q0>0.004</q0><mass>0.02</mass>"
      "<fInt>-200*(0.01 - x) + coil.psi^2/(2*0.5*1e-3)</fInt></LagrangianDS></systems>"
      "<interactions><interaction id='near' systems='plunger'><LagrangianLinearTIR><H>1</H>"
      "</LagrangianLinearTIR><NewtonImpactNSL e='0.3'/></interaction>"
      "<interaction id='far' systems='plunger'><LagrangianLinearTIR><H>-1</H><e>0.004</e>"
      "</LagrangianLinearTIR><NewtonImpactNSL e='0'/></interaction></interactions>";
  run r = events(solenoid, 1, 10);
  ck_assert_double_eq_tol(event_of(&r, 1, NS_EVENT_RELEASE, 0)->t, 0.00861211502516, 1e-12);
  const ns_event *first = event_of(&r, 0, NS_EVENT_IMPACT, 0);
  const ns_event *second = event_of(&r, 0, NS_EVENT_IMPACT, 1);
  ck_assert_double_eq_tol(first->t, 0.0233535958770, 1e-10);
  ck_assert_double_eq_tol(first->before, -0.817206629497, 1e-8);
  ck_assert_double_eq_tol(first->after, 0.3 * 0.817206629497, 1e-8);
  ck_assert_double_eq_tol(second->t, 0.0263601490741, 1e-10);
  ck_assert_double_eq_tol(second->before, -0.2930909075, 1e-8);
  ck_assert_double_eq_tol(last(&r, "near.lambda"), 90 - 2, 1e-6); /* magnet less spring */
  is_certified(&r);
  run_end(&r);
}
END_TEST

/* Ram on a chamber with a check valve: it is open at once and closes as the ram turns, at 0.01 s;
 * then half a swing on the oil as a spring, at whose end the pressure is 5e5 Pa. */
START_TEST(check_valve_closes_where_the_ram_turns)
{
  static const char *const ram =
      "<systems><FirstOrderNonLinearDS id='chamber' states='p'><x0>1e5</x0><f>-1e9*ram.v_x</f>"
      "</FirstOrderNonLinearDS><LagrangianDS id='ram' coordinates='x'><q0>0</q0><v0>0.2</v0>"
      "<mass>10</mass><fExt>1e-3*chamber.p - 300</fExt></LagrangianDS></systems>"
      "<interactions><interaction id='valve' systems='chamber'><FirstOrderLinearTIR><C>1</C>"
      "<e>-1e5</e><B>1e12</B></FirstOrderLinearTIR><ComplementarityConditionNSL/></interaction>"
      "</interactions>";
  run r = events(ram, 0.01 + 0.00993458827, 5);
  const ns_event *closes = event_of(&r, 0, NS_EVENT_SWITCH, 0);
  ck_assert_double_eq_tol(closes->t, 0.01, 1e-12);
  ck_assert_int_eq((int)closes->was, (int)NS_ROW_BETWEEN);
  ck_assert_int_eq((int)closes->is, (int)NS_ROW_LOWER);
  ck_assert_double_eq_tol(last(&r, "chamber.p"), 5e5, 1e-3);
  ck_assert_double_eq_tol(last(&r, "ram.x"), 0.001 - 4e-4, 1e-11);
  is_certified(&r);
  run_end(&r);
}
END_TEST

/* A magnet that falls through a coil onto a floor: at the impact its velocity jumps, and with it
 * the voltage of the coil, whose current is continuous. Mass 0.1, e = 0.6, K = 2, R = 1, L = 0.5:
 * the same by time-stepping, extrapolated. */
START_TEST(bouncing_magnet_in_a_circuit)
{
  static const char *const magnet =
      "<systems><netlist id='coil'>V1 a 0 2*ball.v_y\nR1 a b 1\nL1 b 0 0.5\n</netlist>"
      "<LagrangianDS id='ball' coordinates='y'><q0>0.5</q0><mass>0.1</mass>"
      "<fExt>-0.981 - 2*coil.i_L1</fExt></LagrangianDS></systems>"
      "<interactions><interaction id='floor' systems='ball'><LagrangianLinearTIR><H>1</H>"
      "</LagrangianLinearTIR><NewtonImpactNSL e='0.6'/></interaction></interactions>";
  run r = events(magnet, 4, 40);
  ck_assert_uint_ge((unsigned)r.x->cert->impacts, 2);
  /* both rows of an event: the current does not jump */
  for (size_t k = 0; k + 1 < r.got.nrows; k++) {
    if (run_at(&r, k, "diagnostics.side") != 1) continue;
    ck_assert_double_eq_tol(run_at(&r, k + 1, "coil.i_L1"), run_at(&r, k, "coil.i_L1"), 1e-12);
    double before = run_at(&r, k, "ball.v_y"), after = run_at(&r, k + 1, "ball.v_y");
    if (before < -1e-3) ck_assert_double_eq_tol(after, -0.6 * before, 1e-9);
    double jump = 2 * (after - before); /* of L i' */
    double slope = run_at(&r, k + 1, "coil.xdot_i_L1") - run_at(&r, k, "coil.xdot_i_L1");
    ck_assert_double_eq_tol(0.5 * slope, jump, 1e-9);
  }
  is_certified(&r);
  run_end(&r);
}
END_TEST

/* ---- formulas that jump with variables of others --------------------------------------------- */

/* A ball that falls from 1 m closes and opens a source as it passes 0.5 m: 10 V over R L until
 * t = sqrt(1/g), then none; the current is two exponentials. Also up again, after an impact. */
START_TEST(source_follows_a_ball)
{
  static const char *const ball =
      "<systems><netlist id='coil'>V1 a 0 if(ball.y > 0.5, 10, 0)\nR1 a b 2\nL1 b 0 0.4\n</netlist>"
      "<LagrangianDS id='ball' "
      "coordinates='y'><q0>1</q0><fExt>-9.81</fExt></LagrangianDS></systems>"
      "<interactions><interaction id='floor' systems='ball'><LagrangianLinearTIR><H>1</H>"
      "</LagrangianLinearTIR><NewtonImpactNSL e='0.9'/></interaction></interactions>";
  run r = events(ball, 0.9, 9);
  double g = 9.81, down = sqrt(1 / g), hit = sqrt(2 / g), v = 0.9 * g * hit;
  double up = hit + (v - sqrt(v * v - g)) / g; /* y = v t - g t^2/2 = 0.5 */
  double i = 5 * (1 - exp(-5 * down)) * exp(-5 * (up - down));
  i = 5 + (i - 5) * exp(-5 * (0.9 - up));
  ck_assert_double_eq_tol(event_of(&r, -1, NS_EVENT_FORMULA, 0)->t, down, 1e-12);
  ck_assert_double_eq_tol(last(&r, "coil.i_L1"), i, 1e-10);
  is_certified(&r);
  run_end(&r);
}
END_TEST

/* Two formulas of one system, each with a jump where another system passes: b = t, c = 2 t - 1. */
START_TEST(two_formulas_read_two_systems)
{
  static const char *const three =
      "<systems><LagrangianDS id='a' coordinates='x'><q0>0</q0><mass>1</mass>"
      "<fExt>b.x &gt; 0.3 ? 1 : 0</fExt><fInt>2*step(c.x + 0.2) - "
      "0.5*abs(c.x)</fInt></LagrangianDS>"
      "<LagrangianDS id='b' coordinates='x'><q0>0</q0><v0>1</v0></LagrangianDS>"
      "<FirstOrderNonLinearDS id='c' "
      "states='x'><x0>-1</x0><f>2*b.v_x</f></FirstOrderNonLinearDS></systems>";
  run r = events(three, 1, 3);
  /* c > -0.2 for t > 0.4; the integral of |2 t - 1| over [0, 1] is 1/2 */
  ck_assert_double_eq_tol(last(&r, "a.v_x"), 0.7 - 2 * 0.6 + 0.25, 1e-11);
  is_certified(&r);
  run_end(&r);
}
END_TEST

/* A buzzer: the armature, drawn by the coil, opens the contact of its circuit at 1 mm, and falls
 * back onto its stop. The force of the stop is zero at the start, and would be negative from there.
 */
START_TEST(buzzer_opens_its_own_contact)
{
  static const char *const buzzer =
      "<systems><netlist id='coil'>V1 s 0 12\nS1 s a 1e-3 - arm.x\nD1 0 a\nR1 a b 10\nL1 b 0 "
      "0.1\n</netlist>"
      "<LagrangianDS id='arm' coordinates='x'><q0>0</q0><mass>0.01</mass>"
      "<fInt>200*x + 0.2*v_x - 0.8*coil.i_L1</fInt></LagrangianDS></systems>"
      "<interactions><interaction id='stop' systems='arm'><LagrangianLinearTIR><H>1</H>"
      "</LagrangianLinearTIR><NewtonImpactNSL e='0.3'/></interaction></interactions>";
  run r = events(buzzer, 0.1, 10);
  const char *const labels[] = {"coil.i_L1", "arm.x", "arm.v_x"};
  const double scale[] = {1, 3e-3, 0.4};
  ck_assert_double_eq_tol(event_of(&r, 1, NS_EVENT_RELEASE, 0)->t, 0, 1e-9);
  ck_assert_double_ge(r.x->cert->events, 8);
  for (int k = 0; k < 2; k++)
    for (int j = 0; j < 3; j++) {
      /* h = 1e-5 and a sixteenth of it: times of events are known to h */
      int n = k ? 160000 : 10000;
      double e = fabs(stepped(buzzer, 0.1, n, labels[j]) - last(&r, labels[j])) / scale[j];
      ck_assert_double_le(e, 500 * 0.1 / n);
    }
  is_certified(&r);
  run_end(&r);
}
END_TEST

/* ---- rows of circuits that read mechanics ---------------------------------------------------- */

/* From w = 100 with K w = 5 V into 3 V over 2 ohm, without inductance: i = (K w - 3)/2, J w' = -K
 * i. */
START_TEST(generator_behind_a_diode)
{
  static const char *const generator =
      "<systems><netlist id='load'>V1 a 0 0.05*rotor.v_phi\nD1 a b\nR1 b c 2\nL1 c d 0.01\nV2 d 0 "
      "3\n"
      "</netlist><LagrangianDS id='rotor' coordinates='phi'><q0>0</q0><v0>100</v0><mass>1e-3</mass>"
      "<fInt>0.05*load.i_L1 + 1e-4*v_phi</fInt></LagrangianDS></systems>";
  run r = events(generator, 4, 40);
  /* the diode stops when the speed has come to where the current vanishes, and the rotor runs down
   */
  const ns_event *stops = event_of(&r, 0, NS_EVENT_SWITCH, 0);
  double t = 0, w = 0;
  for (size_t k = 0; k < r.got.nrows; k++) {
    t = run_at(&r, k, "time");
    w = run_at(&r, k, "rotor.v_phi");
    if (t >= stops->t) break;
  }
  ck_assert_double_eq_tol(last(&r, "rotor.v_phi"), w * exp(-0.1 * (4 - t)), 1e-8);
  ck_assert_double_eq_tol(last(&r, "load.i_L1"), 0, 1e-12);
  is_certified(&r);
  run_end(&r);
}
END_TEST

/* ---- systems that are parts of one ----------------------------------------------------------- */

/* Two masses with random stiffness and damping between all of them over a ground with friction, and
 * a wall: one system of two coordinates, or two that read each other. */
START_TEST(parts_of_a_lagrangian_system)
{
  seed = 20261000UL + (unsigned long)_i;
  double K[4], C[4], m[2] = {uniform(0.5, 3), uniform(0.5, 3)};
  double q[2] = {uniform(0.05, 0.5), uniform(-0.3, 0.3)}, v[2] = {uniform(-2, 2), uniform(-2, 2)};
  for (int k = 0; k < 4; k++) K[k] = uniform(-20, 60), C[k] = uniform(-0.2, 1);
  two_forms f = two_masses(q, v, m, K, C, "NewtonImpactFrictionNSL");
  run a = events(f.one, 1, 10), b = events(f.two, 1, 10);
  end_alike(&a, &b, "s.y", "a.y", 1e-8);
  end_alike(&a, &b, "s.x", "b.x", 1e-8);
  end_alike(&a, &b, "s.v_y", "a.v_y", 1e-7);
  end_alike(&a, &b, "s.v_x", "b.v_x", 1e-7);
  ck_assert_double_eq(a.x->cert->impacts, b.x->cert->impacts);
  is_certified(&b);
  run_end(&a), run_end(&b);
}
END_TEST

/* The same of first order, with a diode and a relay. */
START_TEST(parts_of_a_first_order_system)
{
  seed = 20262000UL + (unsigned long)_i;
  double x[2] = {uniform(0, 1), uniform(-1, 1)};
  two_forms f = two_states(x);
  run a = events(f.one, 2, 10), b = events(f.two, 2, 10);
  end_alike(&a, &b, "s.x", "a.x", 1e-9);
  end_alike(&a, &b, "s.y", "b.y", 1e-9);
  end_alike(&a, &b, "relay.lambda", "relay.lambda", 1e-8);
  end_alike(&a, &b, "diode.y", "diode.y", 1e-9);
  ck_assert_uint_eq(a.got.nevents, b.got.nevents);
  is_certified(&b);
  run_end(&a), run_end(&b);
}
END_TEST

/* ---- random machines ------------------------------------------------------------------------- */

START_TEST(random_machines_are_what_steps_converge_to)
{
  char machine[MACHINE];
  seed = 20263000UL + (unsigned long)_i;
  random_circuits(machine);
  steps_converge_to_events(machine, BY_STEPS, circuit_labels, 1e-8);
}
END_TEST

/* An arm with dry friction and a stop, driven by a coil behind a diode, with random numbers: times
 * of events in time-stepping are known to a step, so that its error is at most a constant times h.
 */
START_TEST(random_machines_with_rows)
{
  static const char *const labels[] = {"arm.a", "arm.v_a", "drive.i_L1"};
  char model[4000];
  seed = 20264000UL + (unsigned long)_i;
  snprintf(model, sizeof model,
           "<systems><netlist id='drive'>V1 s 0 %.6g*sin(%.6g*t + %.6g)\nD1 s a\nR1 a b %.6g\nL1 b "
           "c %.6g\n"
           "V2 c 0 %.6g*arm.v_a\n</netlist>"
           "<LagrangianDS id='arm' coordinates='a'><q0>%.6g</q0><mass>%.6g</mass>"
           "<fInt>%.6g*a + %.6g*v_a - %.6g*drive.i_L1</fInt></LagrangianDS></systems>"
           "<interactions><interaction id='brake' systems='arm'><LagrangianLinearTIR><H>1</H>"
           "</LagrangianLinearTIR><RelayNSL lb='-%.6g' ub='%.6g'/></interaction>"
           "<interaction id='stop' systems='arm'><LagrangianLinearTIR><H>-1</H><e>%.6g</e>"
           "</LagrangianLinearTIR><NewtonImpactNSL e='0'/></interaction></interactions>",
           uniform(6, 12), uniform(3, 9), uniform(0, 1), uniform(0.5, 2), uniform(0.05, 0.3),
           uniform(0.2, 0.6), uniform(-0.1, 0.1), uniform(0.05, 0.2), uniform(1, 6),
           uniform(0.02, 0.2), uniform(0.2, 0.6), uniform(0.1, 0.3), uniform(0.1, 0.3),
           uniform(0.3, 0.8));
  run r = events(model, 3, 30);
  for (int n = 3000; n <= 48000; n *= 16) {
    run s = run_to(model, BY_STEPS, 3, n);
    for (int j = 0; j < 3; j++)
      ck_assert_double_le(fabs(last(&s, labels[j]) - last(&r, labels[j])), 40 * 3. / n);
    run_end(&s);
  }
  ck_assert_double_ge(r.x->cert->events, 8);
  is_certified(&r);
  run_end(&r);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("mixed_events");
  TCase *t = tcase_create("mixed_events");
  tcase_add_test(t, motor_is_its_closed_form);
  tcase_add_test(t, stiff_motor_with_friction_chooses_bdf);
  tcase_add_test(t, motor_is_the_same_in_every_form);
  tcase_add_test(t, back_voltage_by_every_source);
  tcase_add_test(t, motor_by_steps_converges_to_it);
  tcase_add_test(t, solenoid_hits_its_stop);
  tcase_add_test(t, check_valve_closes_where_the_ram_turns);
  tcase_add_test(t, bouncing_magnet_in_a_circuit);
  tcase_add_test(t, source_follows_a_ball);
  tcase_add_test(t, two_formulas_read_two_systems);
  tcase_add_test(t, buzzer_opens_its_own_contact);
  tcase_add_test(t, generator_behind_a_diode);
  tcase_add_loop_test(t, parts_of_a_lagrangian_system, 0, some_of(30));
  tcase_add_loop_test(t, parts_of_a_first_order_system, 0, some_of(30));
  tcase_add_loop_test(t, random_machines_are_what_steps_converge_to, 0, some_of(30));
  tcase_add_loop_test(t, random_machines_with_rows, 0, some_of(30));
  suite_add_tcase(s, t);
  return suite_end(s);
}
