/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event-driven runs of relations of first order that act on mechanics: the same equations as one
 * first-order system, closed forms, contacts beside them, time-stepping that converges to them. */
#include "support/interrupted.h"
#include "support/mixed.h"

/* ---- random relations ------------------------------------------------------------------------ */

#define LAWS 3
static const char *const laws[LAWS] = {"<ComplementarityConditionNSL/>",
                                       "<RelayNSL lb='-0.3' ub='0.4'/>",
                                       "<RelayNSL lb='-3' ub='2'/>"};
static const char *const names[][2] = {{"x.a", "s.a"}, {"x.b", "s.b"},   {"o.q", "s.q"},
                                       {"o.r", "s.r"}, {"o.v_q", "s.v"}, {"o.v_r", "s.w"}};
enum { NAMES = sizeof names / sizeof *names };

/* Outputs read states, positions and velocities; inputs turn with positions and states. D: that of
 * lambda in them, one or none: then what holds y is its rate, with accelerations in it. */
#define H(q, r, v, w, D) \
  "a + %.17g*sin(" q ") + %.17g*" v " + " D "*(0.7*lambda[0] + 0.2*lambda[1]), " \
  "%.17g*b*" r " - %.17g*" w " + 0.3*" v "*" v " + " D "*(0.1*lambda[0] + 0.9*lambda[1])"
#define INPUT "(1 + 0.3*q)*lambda[0], 0.4*lambda[1] - 0.2*a*lambda[0]"
#define FORCES "%.17g*cos(q)*lambda[0] + 0.1*lambda[1], %.17g*lambda[1]"
#define BOTH_SYSTEMS \
  "<systems><FirstOrderNonLinearDS id='x' states='a b'><x0>%.17g %.17g</x0>" \
  "<f>-a + sin(3*t), -2*b + o.v_q</f></FirstOrderNonLinearDS>" \
  "<LagrangianDS id='o' coordinates='q r'><q0>%.17g %.17g</q0><v0>%.17g %.17g</v0>" \
  "<mass diag='1.3 0.8'/><fInt>9*q + 2*sin(r) + 0.2*v_q, 7*r - x.a</fInt></LagrangianDS>" \
  "</systems><interactions><interaction id='i' systems='x o'><FirstOrderNonLinearR>"
#define ONE_SYSTEM \
  "<systems><FirstOrderNonLinearDS id='s' states='a b q r v w'><x0>%.17g %.17g %.17g %.17g " \
  "%.17g %.17g</x0><M diag='1 1 1 1 1.3 0.8'/><f>-a + sin(3*t), -2*b + v, v, w, " \
  "-9*q - 2*sin(r) - 0.2*v, -7*r + a</f></FirstOrderNonLinearDS></systems><interactions>" \
  "<interaction id='i' systems='s'><FirstOrderNonLinearR>"
#define END_RELATION "</FirstOrderNonLinearR>%s</interaction></interactions>" EVENTS

/* 1: both ran to the end; 0: neither did. */
static int try_both(run *a, run *b, const char *both, const char *one)
{
  run *r[] = {a, b};
  const char *text[] = {both, one};
  int ok[2];
  for (int k = 0; k < 2; k++) {
    ns_load_options o = {0};
    *r[k] = (run){0};
    ns_load_memory(&r[k]->c, "test.xml", text[k], strlen(text[k]), &o, NULL, &r[k]->m);
    ck_assert_msg(r[k]->m != NULL, "%s", r[k]->c.msg);
    r[k]->m->sim.T = 2;
    r[k]->m->sim.ts.h = 0.1;
    ok[k] = ns_simulation_create(&r[k]->c, r[k]->m, &r[k]->s) == NS_OK;
    ck_assert_msg(ok[k], "%s", r[k]->c.msg);
    r[k]->x = ns_simulation_state(r[k]->s);
    ok[k] = run_keep(r[k]) == NS_OK;
  }
  ck_assert_msg(ok[0] == ok[1], "%s%s", a->c.msg, b->c.msg);
  return ok[0];
}

/* Where both run, they are one motion with as many events. */
static void agree(const char *both, const char *one)
{
  run a, b;
  if (try_both(&a, &b, both, one)) {
    ends_alike(&a, &b, names, NAMES, 1e-9);
    ck_assert_int_eq(a.x->cert->impacts, b.x->cert->impacts);
    is_certified(&a);
  }
  run_end(&a), run_end(&b);
}

START_TEST(relations_over_both_are_those_of_one_system)
{
  char both[4000], one[4000];
  seed = 20470000UL + (unsigned long)_i;
  double h[4], f[2], x[6];
  for (int i = 0; i < 4; i++) h[i] = uniform(-1, 1);
  for (int i = 0; i < 2; i++) f[i] = uniform(-1, 1);
  for (int i = 0; i < 6; i++) x[i] = uniform(-1, 1);
  snprintf(both, sizeof both,
           HEAD BOTH_SYSTEMS "<h>" H("q", "r", "o.v_q", "o.v_r", "1") "</h><g>" INPUT ", " FORCES
                                                                      "</g>" END_RELATION,
           x[0], x[1], x[2], x[3], x[4], x[5], h[0], h[1], h[2], h[3], f[0], f[1], laws[_i % LAWS]);
  snprintf(one, sizeof one,
           HEAD ONE_SYSTEM "<h>" H("q", "r", "v", "w", "1") "</h><g>" INPUT ", 0, 0, " FORCES
                                                            "</g>" END_RELATION,
           x[0], x[1], x[2], x[3], x[4], x[5], h[0], h[1], h[2], h[3], f[0], f[1], laws[_i % LAWS]);
  agree(both, one);
}
END_TEST

/* Without D: two relays on combinations of a state, a velocity and a position, which hold them by
 * forces and inputs at once. */
START_TEST(what_holds_a_velocity_is_of_both)
{
  char both[4000], one[4000], text[2][600];
  seed = 20480000UL + (unsigned long)_i;
  double h[4], x[6];
  for (int i = 0; i < 4; i++) h[i] = uniform(-1, 1);
  for (int i = 0; i < 6; i++) x[i] = uniform(-1, 1);
  snprintf(text[0], sizeof text[0], "%.17g*a + %.17g*q + ", 1 + h[0], h[1]);
  snprintf(text[1], sizeof text[1], "%.17g*b + %.17g*r - ", 0.5 * h[2], h[3]);
  snprintf(both, sizeof both,
           HEAD BOTH_SYSTEMS
           "<h>%s0.8*o.v_q, %so.v_r</h><g>%s, -3*lambda[0], 4*lambda[1]</g>" END_RELATION,
           x[0], x[1], x[2], x[3], x[4], x[5], text[0], text[1], "lambda[0], 0",
           "<RelayNSL lb='-1.5' ub='1.2'/>");
  snprintf(one, sizeof one,
           HEAD ONE_SYSTEM
           "<h>%s0.8*v, %sw</h><g>%s, 0, 0, -3*lambda[0], 4*lambda[1]</g>" END_RELATION,
           x[0], x[1], x[2], x[3], x[4], x[5], text[0], text[1], "lambda[0], 0",
           "<RelayNSL lb='-1.5' ub='1.2'/>");
  agree(both, one);
}
END_TEST

/* ---- beside contacts ------------------------------------------------------------------------- */

/* What a stop does while a valve acts on the mass: as a coordinate, as a body in the plane, and by
 * steps that come to it. */
#define VALVE(rate, forces) \
  "<interaction id='valve' systems='p m'><FirstOrderType2R><h>p.y - lambda[1], lambda[0] + " \
  "2*" rate "</h><g>lambda[0]/0.5, " forces \
  "</g></FirstOrderType2R><ComplementarityConditionNSL/></interaction>"
#define TANK "<FirstOrderLinearTIDS id='p' states='y'><x0>0.1</x0><A>-1</A></FirstOrderLinearTIDS>"
#define MASS \
  "<systems>" TANK "<LagrangianLinearTIDS id='m' coordinates='x'><q0>0.2</q0><v0>-1</v0><K>4</K>" \
  "</LagrangianLinearTIDS></systems><interactions>" VALVE( \
      "m.v_x", "2*lambda[1]") "<interaction id='stop' " \
                              "systems='m'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>" \
                              "<NewtonImpactNSL e='0.8'/></interaction></interactions>"
#define BODY \
  "<systems>" TANK "<RigidBody2dDS id='m'><q0>0.2 0 0</q0><v0>-1 0 0</v0><mass>1</mass>" \
  "<inertia>1</inertia><fInt>4*x, 0</fInt></RigidBody2dDS></systems><interactions>" VALVE( \
      "m.v_x", "2*lambda[1], 0, 0") "<interaction id='stop' systems='m'><NewtonEuler1DR>" \
                                    "<P1>x y 0</P1><P2>0 y 0</P2><n>1 0 " \
                                    "0</n></NewtonEuler1DR><NewtonImpactNSL e='0.8'/>" \
                                    "</interaction></interactions>"

START_TEST(a_valve_and_a_stop)
{
  static const char *const of[][2] = {{"m.x", "m.x"}, {"m.v_x", "m.v_x"}, {"p.y", "p.y"}};
  run a = events(MASS, 4, 40), b = events(BODY, 4, 40);
  ends_alike(&a, &b, of, 3, 1e-9);
  ck_assert_int_ge(a.x->cert->impacts, 2);
  is_certified(&a), is_certified(&b);
  double error[2];
  for (int k = 0; k < 2; k++) {
    run r = run_to(MASS, STEPS(BOTH("0.5")), 4, k ? 32000 : 4000);
    error[k] = fabs(last(&r, "m.x") - last(&a, "m.x"));
    run_end(&r);
  }
  ck_assert_double_le(error[1], 2e-4);
  ck_assert_double_le(error[1], error[0] / 3);
  run_end(&a), run_end(&b);
}
END_TEST

/* A mass on a belt, on springs of random stiffness: its dry friction is a relay of mechanics, or
 * one of first order that acts on it, with a wall beside it that it strikes. */
START_TEST(a_relay_is_dry_friction)
{
  char systems[1000], relay[2][2000];
  seed = 20490000UL + (unsigned long)_i;
  double k = uniform(5, 40), belt = uniform(-0.5, 0.5), q = uniform(0.1, 0.5), v = uniform(-1, 1),
         limit = uniform(0.2, 2), e = uniform(0, 0.9);
  snprintf(systems, sizeof systems,
           "<systems>" DUMMY "<LagrangianDS id='m' coordinates='x'><q0>%.17g</q0><v0>%.17g</v0>"
           "<mass>1</mass><fInt>%.17g*(x - 0.2) - cos(3*t)</fInt></LagrangianDS></systems>"
           "<interactions><interaction id='wall' systems='m'><LagrangianLinearTIR><H>1</H>"
           "</LagrangianLinearTIR><NewtonImpactNSL e='%.17g'/></interaction>",
           q, v, k, e);
  snprintf(relay[0], sizeof relay[0],
           "%s<interaction id='dry' systems='m'><LagrangianRheonomousR><h>x - %.17g*t</h>"
           "</LagrangianRheonomousR><RelayNSL lb='%.17g' ub='%.17g'/></interaction></interactions>",
           systems, belt, -limit, limit);
  snprintf(relay[1], sizeof relay[1],
           "%s<interaction id='dry' systems='d m'><FirstOrderType2R><h>m.v_x - %.17g</h>"
           "<g>0, lambda[0]</g></FirstOrderType2R><RelayNSL lb='%.17g' ub='%.17g'/></interaction>"
           "</interactions>",
           systems, belt, -limit, limit);
  run a = events(relay[0], 3, 30), b = events(relay[1], 3, 30);
  static const char *const of[][2] = {{"m.x", "m.x"}, {"m.v_x", "m.v_x"}};
  ends_alike(&b, &a, of, 2, 1e-8);
  is_certified(&b);
  run_end(&a), run_end(&b);
}
END_TEST

/* A block on a rough floor, pressed and pushed by a row of first order, or by formulas that switch
 * with the same state: contacts stick, slip and lift off by the multiplier. */
START_TEST(a_row_pushes_a_block_with_friction)
{
  char model[2][2500];
  seed = 20520000UL + (unsigned long)_i;
  double push = uniform(1, 8), lift = uniform(-12, 12), mu = uniform(0.1, 0.8), w = uniform(2, 6),
         e = uniform(0, 0.6);
  for (int k = 0; k < 2; k++) {
    char by[2][200], row[400];
    snprintf(by[0], sizeof by[0], "%.17g*if(x.s > 0, -1, 1)", push);
    snprintf(by[1], sizeof by[1], "%.17g*if(x.s > 0, -1, 1)", lift);
    snprintf(row, sizeof row,
             "<interaction id='r' systems='x b'><FirstOrderType2R><h>x.s</h><g>0, %.17g*lambda[0], "
             "%.17g*lambda[0]</g></FirstOrderType2R><RelayNSL lb='-1' ub='1'/></interaction>",
             push, lift);
    snprintf(model[k], sizeof model[k],
             "<systems><FirstOrderNonLinearDS id='x' states='s'><x0>0.3</x0><f>%.17g*cos(%.17g*t)"
             "</f></FirstOrderNonLinearDS><LagrangianDS id='b' coordinates='q y'><q0>0 0</q0>"
             "<mass diag='1 1'/><fExt>%s, -9.81 + %s</fExt></LagrangianDS></systems><interactions>"
             "<interaction id='floor' systems='b'><LagrangianLinearTIR><H>0 1; 1 0</H>"
             "</LagrangianLinearTIR><NewtonImpactFrictionNSL en='%.17g' mu='%.17g'/>"
             "</interaction>%s</interactions>",
             w, w, k ? "0" : by[0], k ? "0" : by[1], e, mu, k ? row : "");
  }
  run a = events(model[0], 3, 30), b = events(model[1], 3, 30);
  static const char *const of[][2] = {
      {"b.q", "b.q"}, {"b.y", "b.y"}, {"b.v_q", "b.v_q"}, {"b.v_y", "b.v_y"}};
  ends_alike(&b, &a, of, 4, 1e-8);
  is_certified(&b);
  run_end(&a), run_end(&b);
}
END_TEST

/* Work that a row of first order does on mechanics stands in the balance of energy. */
START_TEST(work_of_rows_is_in_the_balance)
{
  run a = events(MASS, 4, 40);
  ck_assert_double_le(fabs(a.x->cert->defect), 1e-8);
  ck_assert_double_ge(fabs(a.x->cert->work_force), 1e-3);
  run_end(&a);
}
END_TEST

/* ---- a limited rate over mechanics ----------------------------------------------------------- */

/* A command that follows two oscillators, by positions or velocities, no faster than it may, and
 * drives both: by CVODE, IDA and its other name the same, and what steps converge to. */
START_TEST(a_limiter_follows_oscillators)
{
  char model[1500];
  seed = 20600000UL + (unsigned long)_i;
  const char *rate = _i % 2 ? "v_" : "";
  snprintf(model, sizeof model,
           "<systems><LagrangianDS id='a' coordinates='x'><q0>%.17g</q0><v0>0</v0><mass>1</mass>"
           "<fInt>%.17g*x + 0.3*cmd</fInt></LagrangianDS>"
           "<LagrangianDS id='b' coordinates='y'><q0>0.2</q0><v0>%.17g</v0><mass>2</mass>"
           "<fInt>3*y - 0.5*cmd + 0.1*v_y</fInt></LagrangianDS>"
           "<block id='cmd' start='%.17g'><Limiter rate='%.17g' fall='%.17g'>"
           "<u>a.x - 0.5*b.%sy</u></Limiter></block></systems>",
           uniform(0.5, 1.5), uniform(2, 6), uniform(-0.5, 0.5), uniform(-0.5, 0.5),
           uniform(0.3, 1), uniform(0.3, 1), rate);
  static const char *const flow[] = {
      EVENTS_BY("<IDAOSI relativeTolerance='1e-10' absoluteTolerance='1e-12'/>"),
      EVENTS_BY("<Hem5OSI relativeTolerance='1e-10' absoluteTolerance='1e-12'/>")};
  static const char *const label[] = {"a.x", "a.v_x", "b.y", "cmd.x0"};
  run r = events(model, 4, 8);
  is_certified(&r);
  ck_assert_int_ge((int)r.got.nevents, 2);
  for (int k = 0; k < 2; k++) {
    run o = run_to(model, flow[k], 4, 8);
    for (int j = 0; j < 4; j++)
      ck_assert_double_eq_tol(last(&o, label[j]), last(&r, label[j]), 1e-7);
    ck_assert_int_eq((int)o.got.nevents, (int)r.got.nevents);
    run_end(&o);
  }
  double error[2] = {0};
  for (int k = 0; k < 2; k++) {
    run s = run_to(model, STEPS(BOTH("0.5")), 4, k ? 16000 : 2000);
    for (int j = 0; j < 4; j++) error[k] += fabs(last(&s, label[j]) - last(&r, label[j]));
    run_end(&s);
  }
  /* first order in the step, in which switches fall anywhere: lucky ones are better */
  ck_assert_double_le(error[0], 4 * 2e-3);
  ck_assert_double_le(error[1], 4 * 2.5e-4);
  run_end(&r);
}
END_TEST

/* ---- rows across circuits -------------------------------------------------------------------- */

/* A diode, with and without a resistance, from a source that reads two states of another system to
 * a capacitor with a load: without one its voltage is that of the source while it conducts, and its
 * current has the rates of these states in it. */
START_TEST(a_diode_follows_another_system)
{
  char model[1200];
  seed = 20500000UL + (unsigned long)_i;
  double a = uniform(1, 3), w = uniform(2, 6), load = uniform(0.5, 3), c = uniform(0.1, 0.5);
  snprintf(model, sizeof model,
           "<systems><FirstOrderNonLinearDS id='a' states='p q'><x0>0 0.3</x0>"
           "<f>-p + 2*q + 3*sin(%.17g*t), -2*p - q</f></FirstOrderNonLinearDS>"
           "<netlist id='h'>V1 s 0 %.17g*a.p + sin(a.q)\n%s c\nC1 c 0 %.17g\nR1 c 0 %.17g\n"
           "</netlist></systems>",
           w, a, _i % 2 ? "R2 s d 0.3\nD1 d" : "D1 s", c, load);
  run r = events(model, 4, 40);
  is_certified(&r);
  ck_assert_int_ge(r.x->cert->impacts, 2);
  double error[2];
  for (int k = 0; k < 2; k++) {
    run s = run_to(model, STEPS("<EulerMoreauOSI theta='1'/>"), 4, k ? 40000 : 5000);
    error[k] = fabs(last(&s, "h.v_C1") - last(&r, "h.v_C1"));
    run_end(&s);
  }
  ck_assert_double_le(error[1], 1e-3);
  ck_assert_double_le(error[1], error[0] / 5 + 1e-8);
  run_end(&r);
}
END_TEST

/* A diode whose circuit is fed by the current of another: that current rises as an exponential. */
START_TEST(a_diode_fed_by_another_circuit)
{
  run r = events("<systems><netlist id='g'>V1 s 0 12\nR1 s a 1\nL1 a 0 0.1\n</netlist>"
                 "<netlist id='h'>V1 s 0 12*g.i_L1 - 70\nR1 s a 1\nD1 a 0\n</netlist></systems>",
                 0.5, 10);
  const ns_event *e = event_of(&r, 0, NS_EVENT_SWITCH, 0);
  ck_assert_double_eq_tol(e->t, -0.1 * log(1 - 70. / 144), 1e-10);
  ck_assert_double_eq_tol(last(&r, "h-devices.lambda"), 144 * (1 - exp(-5)) - 70, 1e-7);
  is_certified(&r);
  run_end(&r);
}
END_TEST

/* ---- runs that are interrupted --------------------------------------------------------------- */

/* Relations that are nonlinear, with any tolerance: Newton's method for their multipliers begins
 * where it did in the run that was not stopped, however often the state was looked at since. */
START_TEST(nonlinear_relations_go_on_the_same)
{
  char model[4000], flow[200];
  seed = 20610000UL + (unsigned long)_i;
  snprintf(flow, sizeof flow, "<CVodeOSI relativeTolerance='1e-9' absoluteTolerance='%.3g'/>",
           pow(10, uniform(-12, -6)));
  snprintf(model, sizeof model,
           HEAD
           "<systems><FirstOrderNonLinearDS id='k' states='v' inputs='on'><x0>1.5</x0>"
           "<f>on - %.17g*v</f>"
           "</FirstOrderNonLinearDS><LagrangianDS id='a' coordinates='phi'><q0>-0.2</q0>"
           "<v0>%.17g</v0><mass>0.08</mass><fInt>0.03*v_phi - 0.2*k.v + 4*phi</fInt></LagrangianDS>"
           "</systems><interactions><interaction id='d' systems='k'><FirstOrderNonLinearR>"
           "<h>v - 5*abs(sin(%.17g*t)) + 0.3*a.v_phi + %.17g*lambda[0] + 0.1*lambda[0]^3</h>"
           "<g>lambda[0]/0.03</g></FirstOrderNonLinearR><ComplementarityConditionNSL/>"
           "</interaction></interactions><simulation T='1'><EventDriven h='0.01'>%s</EventDriven>"
           "</simulation><events><event id='E' when='a.phi &gt; 0' direction='both'><set "
           "name='k.on' value='0.5 - k.on'/></event></events></model>",
           uniform(2, 6), uniform(-2, 2), uniform(5, 20), uniform(1, 3), flow);
  ck_assert(goes_on_the_same(model, &(change){0}, 4, 4713 + (unsigned long)_i));
}
END_TEST

int main(void)
{
  Suite *s = suite_create("mixed_events_relations");
  TCase *t = tcase_create("mixed_events_relations");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, relations_over_both_are_those_of_one_system, 0, 30);
  tcase_add_loop_test(t, what_holds_a_velocity_is_of_both, 0, 30);
  tcase_add_test(t, a_valve_and_a_stop);
  tcase_add_loop_test(t, a_relay_is_dry_friction, 0, 30);
  tcase_add_loop_test(t, a_limiter_follows_oscillators, 0, some_of(20));
  tcase_add_loop_test(t, a_diode_follows_another_system, 0, 12);
  tcase_add_test(t, a_diode_fed_by_another_circuit);
  tcase_add_loop_test(t, a_row_pushes_a_block_with_friction, 0, 30);
  tcase_add_test(t, work_of_rows_is_in_the_balance);
  tcase_add_loop_test(t, nonlinear_relations_go_on_the_same, 0, 20);
  suite_add_tcase(s, t);
  return suite_end(s);
}
