/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices of netlists that are not all ideal, and active ones: closed forms, in time-stepping and
 * event-driven runs. Random circuits of them: tests/simulation/test_switching_random.c. */
#include "model/user_event.h"
#include "support/run.h"

#define STEPS(h) "<TimeStepping h='" h "'><EulerMoreauOSI theta='1'/></TimeStepping>"
#define EVENTS(h) \
  "<EventDriven h='" h "' certificate='on'><CVodeOSI relativeTolerance='1e-10' " \
  "absoluteTolerance='1e-12'/></EventDriven>"

/* The netlist run to T: `scheme` is STEPS or EVENTS. */
static run simulate(const char *netlist, double T, const char *scheme)
{
  char *model = malloc(strlen(netlist) + strlen(scheme) + 300);
  ck_assert_ptr_nonnull(model);
  sprintf(model,
          "<model xmlns='urn:nssim:model:1' name='m'><netlist id='k'>\n%s</netlist>"
          "<simulation T='%.17g'>%s</simulation></model>",
          netlist, T, scheme);
  run r = run_load(model, NULL);
  int rc = run_keep(&r);
  ck_assert_msg(rc == NS_OK, "%s", r.c.msg);
  free(model);
  return r;
}

static double last(const run *r, const char *label) { return run_at(r, r->got.nrows - 1, label); }

/* Value of `label` at T: event-driven. */
static double by_events(const char *netlist, double T, const char *label)
{
  run r = simulate(netlist, T, EVENTS("1e-3"));
  double x = last(&r, label);
  run_end(&r);
  return x;
}

/* ---- diodes and switches with resistances ---------------------------------------------------- */

/* i of the device by its characteristic, at 200 points of a sine. */
static void check_characteristic(const char *device, const char *label, double (*current)(double v))
{
  char netlist[200];
  snprintf(netlist, sizeof netlist, "V1 a 0 10*sin(2*pi*t)\n%s\n", device);
  run r = simulate(netlist, 1, STEPS("0.005"));
  for (size_t k = 1; k < r.got.nrows; k++) {
    double i = current(run_at(&r, k, "node_a.v"));
    ck_assert_double_eq_tol(run_at(&r, k, label), i, 1e-12 * (1 + fabs(i)));
  }
  run_end(&r);
}

static double diode(double v) { return v / 100 + fmax(0, v - 0.7) / 2; }
static double zener(double v) { return v / 1000 + fmax(0, v - 0.5) / 4 - fmax(0, -v - 5.1) / 4; }
static double half_closed(double v) { return v / 50 + (v > 0 ? v / 5 : 0); }

START_TEST(characteristics_are_piecewise_linear)
{
  check_characteristic("D1 a 0 vf=0.7 ron=2 roff=100", "D1.i", diode);
  check_characteristic("Z1 a 0 5.1 vf=0.5 ron=4 roff=1k", "Z1.i", zener);
  check_characteristic("S1 a 0 sin(2*pi*t) ron=5 roff=50", "S1.i", half_closed);
}
END_TEST

/* C v' = (V - vf - v)/ron + (V - v)/roff while the diode conducts. */
START_TEST(diode_with_resistance_charges_a_capacitor)
{
  static const char netlist[] = "V1 a 0 10\nD1 a b vf=0.7 ron=1 roff=1k\nC1 b 0 1m\n";
  double T = 3e-3, g = 1 + 1e-3, rest = (9.3 + 10e-3) / g, v = rest * (1 - exp(-T * g / 1e-3));
  ck_assert_double_eq_tol(by_events(netlist, T, "k.v_C1"), v, 1e-8);
}
END_TEST

/* ---- op-amps --------------------------------------------------------------------------------- */

START_TEST(op_amp_amplifies_between_its_rails)
{
  static const char netlist[] =
      "V1 a 0 2*sin(2*pi*t)\nR1 a m 1k\nR2 m o 10k\nO1 o 0 0 m lo=-15 hi=12\n";
  run r = simulate(netlist, 1, STEPS("0.005"));
  for (size_t k = 1; k < r.got.nrows; k++) {
    double a = run_at(&r, k, "node_a.v"), o = fmax(-15, fmin(12, -10 * a));
    ck_assert_double_eq_tol(run_at(&r, k, "O1.v"), o, 1e-11);
    ck_assert_double_eq_tol(run_at(&r, k, "node_m.v"), a + (o - a) / 11, 1e-11);
    ck_assert_double_eq_tol(run_at(&r, k, "O1.i"), -(o - a) / 11e3, 1e-14);
  }
  run_end(&r);
}
END_TEST

/* Of finite gain A the inverting amplifier has -10 A/(A + 11); a follower A/(A + 1). */
START_TEST(op_amp_of_finite_gain_has_an_error)
{
  static const char netlist[] = "V1 a 0 1\nR1 a m 1k\nR2 m o 10k\nO1 o 0 0 m gain=1000\n"
                                "O2 f 0 a f gain=50 lo=-9 hi=9\nR3 f 0 1k\n";
  ck_assert_double_eq_tol(by_events(netlist, 1e-3, "O1.v"), -1e4 / 1011, 1e-12);
  ck_assert_double_eq_tol(by_events(netlist, 1e-3, "O2.v"), 50.0 / 51, 1e-12);
}
END_TEST

/* Ramp -V t/(R C) down to the rail, then the capacitor goes on by itself. */
START_TEST(integrator_runs_into_its_rail)
{
  static const char netlist[] = "V1 a 0 1\nR1 a m 1k\nC1 m o 1u\nO1 o 0 0 m lo=-5 hi=5\n";
  ck_assert_double_eq_tol(by_events(netlist, 4e-3, "O1.v"), -4, 1e-9);
  double v = 6 - exp(-5); /* towards V - lo */
  ck_assert_double_eq_tol(by_events(netlist, 10e-3, "k.v_C1"), v, 1e-8);
  run r = simulate(netlist, 10e-3, STEPS("1e-5"));
  ck_assert_double_eq_tol(last(&r, "O1.v"), -5, 1e-12);
  ck_assert_double_eq_tol(last(&r, "k.v_C1"), v, 2e-4);
  run_end(&r);
}
END_TEST

START_TEST(op_amp_compares)
{
  static const char netlist[] = "V1 a 0 sin(2*pi*t)\nV2 b 0 0.3\nO1 o 0 a b lo=0 hi=5\n";
  run r = simulate(netlist, 1, STEPS("0.005"));
  for (size_t k = 1; k < r.got.nrows; k++)
    ck_assert_double_eq(run_at(&r, k, "O1.v"), run_at(&r, k, "node_a.v") > 0.3 ? 5 : 0);
  run_end(&r);
}
END_TEST

/* ---- gyrators -------------------------------------------------------------------------------- */

/* Behind a gyrator of g a capacitor is an inductor C/g^2; its v is i/g. */
START_TEST(gyrator_makes_an_inductor_of_a_capacitor)
{
  static const char real[] = "V1 s 0 sin(1e4*t)\nR1 s a 50\nC1 a 0 1u\nL1 a 0 10m\nD1 a 0 vf=0.4\n";
  static const char made[] =
      "V1 s 0 sin(1e4*t)\nR1 s a 50\nC1 a 0 1u\nY1 a 0 b 0 1m\nC2 b 0 10n\nD1 a 0 vf=0.4\n";
  double v = by_events(real, 2e-3, "k.v_C1"), i = by_events(real, 2e-3, "k.i_L1");
  ck_assert_double_gt(fabs(v), 0.01);
  ck_assert_double_eq_tol(by_events(made, 2e-3, "k.v_C1"), v, 1e-8);
  ck_assert_double_eq_tol(by_events(made, 2e-3, "Y1.i"), i, 1e-9);
}
END_TEST

/* ---- formulas that read the circuit ---------------------------------------------------------- */

/* The same circuit with elements and with formulas in their place, to 1e-9 in event-driven runs. */
static void check_same(const char *elements, const char *formulas, double T, const char *label)
{
  double a = by_events(elements, T, label), b = by_events(formulas, T, label);
  ck_assert_double_gt(fabs(a), 1e-3);
  ck_assert_msg(fabs(a - b) < 1e-9 * (1 + fabs(a)), "%s: %.17g and %.17g", label, a, b);
  run one = simulate(elements, T, STEPS("1e-5")), two = simulate(formulas, T, STEPS("1e-5"));
  ck_assert_double_eq_tol(last(&one, label), last(&two, label), 1e-9);
  run_end(&one);
  run_end(&two);
}

START_TEST(formulas_stand_for_elements)
{
#define SOURCE "V1 a 0 SIN(0 2 50)\nR1 a b 1\n"
  /* of a state alone; of what they act on themselves; of a current; of each other */
  check_same(SOURCE "C1 b 0 1m\nR2 b 0 3\n", SOURCE "C1 b 0 1m\nB1 b 0 i=v(b)/3\n", 0.0137,
             "k.v_C1");
  check_same(SOURCE "R2 b c 3\nC1 c 0 1m\n", SOURCE "B1 b c i=v(b,c)/3\nC1 c 0 1m\n", 0.0137,
             "k.v_C1");
  check_same(SOURCE "R2 b c 3\nC1 c 0 1m\n", SOURCE "B1 b c v=3*i(B1)\nC1 c 0 1m\n", 0.0137,
             "k.v_C1");
  check_same(SOURCE "C1 b 0 1m\nH1 c 0 R1 4\nR3 c d 1\nC2 d 0 1m\n",
             SOURCE "C1 b 0 1m\nV2 c 0 {4*i(R1)}\nR3 c d 1\nC2 d 0 1m\n", 0.0137, "k.v_C2");
  check_same(SOURCE "C1 b 0 1m\nE1 c 0 b 0 6\nR3 c d 1\nC2 d 0 1m\n",
             SOURCE "C1 b 0 1m\nB2 e 0 v=2*v(b)\nR4 e 0 1\nB1 c 0 v=3*v(e)\nR3 c d 1\nC2 d 0 1m\n",
             0.0137, "k.v_C2");
  check_same(SOURCE "D1 b 0 vf=0.5\nL1 b c 1m\nR2 c 0 1\n",
             SOURCE "D1 b 0 vf=0.5\nL1 b c 1m\nB1 c 0 v=i(L1)\n", 0.0137, "k.i_L1");
}
END_TEST

/* In a subcircuit v(a) and i(R1) are those of it. */
START_TEST(formulas_read_their_own_subcircuit)
{
  check_same(
      SOURCE "R2 b c 2\nC1 c 0 1m\n",
      SOURCE
      ".subckt load p q g=1\nR1 p m 1\nB1 m q i=g*v(m,q)+0*i(R1)\n.ends\nX1 b c load\nC1 c 0 1m\n",
      0.0137, "k.v_C1");
}
END_TEST

/* C v' = -k v^2: 1/v grows by k t/C. */
START_TEST(nonlinear_load_has_its_closed_form)
{
  double v = by_events("C1 a 0 1m ic=2\nB1 a 0 i=0.5*v(a)^2\n", 0.01, "k.v_C1");
  ck_assert_double_eq_tol(v, 1 / (0.5 + 0.5 * 0.01 / 1e-3), 1e-9);
}
END_TEST

/* ---- switches that keep their state ---------------------------------------------------------- */

/* Times at which event `id` happened, to t [most]; their number. */
static int times_of(const run *r, const char *id, double *t, int max)
{
  int n = 0;
  for (size_t k = 0; k < r->got.nevents; k++) {
    const ns_event *e = &r->got.events[k];
    if (e->kind == NS_EVENT_USER && !strcmp(r->m->user_events[e->row].id, id) && n < max)
      t[n++] = e->t;
  }
  return n;
}

/* A capacitor is charged to `on` and discharged to `off`: RC ln ratios. */
START_TEST(relaxation_oscillator_has_its_period)
{
  static const char netlist[] = "V1 a 0 10\nR1 a b 1k\nC1 b 0 1u\nS1 b 0 v(b) on=8 off=2 ron=100\n";
  run r = simulate(netlist, 0.02, EVENTS("1e-3"));
  double on[20], off[20], low = 10.0 * 100 / 1100, tau = 1e-6 * 1e5 / 1100;
  int n = times_of(&r, "S1_on", on, 20), m = times_of(&r, "S1_off", off, 20);
  ck_assert_int_gt(n, 5);
  ck_assert_int_gt(m, 5);
  ck_assert_double_eq_tol(on[0], 1e-3 * log(5), 1e-10);
  for (int k = 0; k + 1 < n && k < m; k++) {
    ck_assert_double_eq_tol(off[k] - on[k], tau * log((8 - low) / (2 - low)), 1e-10);
    ck_assert_double_eq_tol(on[k + 1] - off[k], 1e-3 * log(8.0 / 2), 1e-10);
  }
  run_end(&r);
}
END_TEST

/* A comparator with feedback b = 1/2: half a period is R C ln((1 + b)/(1 - b)), hyst small. */
START_TEST(comparator_oscillates)
{
  static const char netlist[] =
      "O1 o 0 p m lo=-5 hi=5 hyst=1e-9\nR1 o p 1k\nR2 p 0 1k\nR3 o m 10k\nC1 m 0 0.1u ic=0.1\n";
  run r = simulate(netlist, 0.01, EVENTS("1e-3"));
  double on[20];
  int n = times_of(&r, "O1_on", on, 20);
  ck_assert_int_gt(n, 3);
  for (int k = 1; k + 1 < n; k++) ck_assert_double_eq_tol(on[k + 1] - on[k], 2e-3 * log(3), 1e-9);
  run_end(&r);
  r = simulate(netlist, 0.01, STEPS("1e-6"));
  ck_assert_int_eq(times_of(&r, "O1_on", on, 20), n);
  run_end(&r);
}
END_TEST

/* Half-wave thyristor with R and L, fired at alpha: i = V/Z (sin(wt - phi) - sin(alpha - phi)
 * e^(-(wt - alpha)/tan phi)) until it is 0; then it blocks. */
START_TEST(thyristor_conducts_from_its_gate_to_zero_current)
{
  static const char netlist[] =
      "V1 a 0 SIN(0 100 50)\nP1 a b pulse(t-3m,20m,0.1m)\nR1 b c 10\nL1 c 0 20m\n";
  double w = 100 * acos(-1), alpha = 3e-3 * w, phi = atan(w * 0.02 / 10), Z = hypot(10, w * 0.02);
  double t = 10e-3, x = w * t;
  double i = 100 / Z * (sin(x - phi) - sin(alpha - phi) * exp(-(x - alpha) / tan(phi)));
  ck_assert_double_eq_tol(by_events(netlist, t, "k.i_L1"), i, 1e-7);
  ck_assert_double_eq_tol(by_events(netlist, 0.015, "P1.v"), -100, 1e-9);
  /* forward, without a gate */
  ck_assert_double_eq_tol(by_events(netlist, 0.022, "P1.i"), 0, 1e-12);
  ck_assert_double_eq_tol(by_events(netlist, 0.030, "k.i_L1"), i, 1e-6);
  run r = simulate(netlist, t, STEPS("1e-6"));
  ck_assert_double_eq_tol(last(&r, "k.i_L1"), i, 1e-3);
  run_end(&r);
}
END_TEST

/* Both half waves: i(t + T/2) = -i(t). */
START_TEST(triac_conducts_both_ways)
{
  static const char netlist[] =
      "V1 a 0 SIN(0 100 50)\nP1 a b pulse(t-3m,10m,0.1m) triac=1\nR1 b c 10\nL1 c 0 20m\n";
  double i = by_events(netlist, 9e-3, "P1.i");
  ck_assert_double_gt(i, 6);
  ck_assert_double_eq_tol(by_events(netlist, 19e-3, "P1.i"), -i, 1e-6);
  ck_assert_double_eq_tol(by_events(netlist, 29e-3, "P1.i"), i, 1e-6);
  ck_assert_double_eq_tol(by_events(netlist, 12.5e-3, "P1.v"), -100 * sin(2.5e-3 * 100 * acos(-1)),
                          1e-6);
}
END_TEST

/* roff= is a resistor beside them, which is no part of the current that holds them. */
START_TEST(thyristors_leak)
{
#define LEAKY "V1 a 0 SIN(0 100 50)\nR1 b c 10\nL1 c 0 20m\n"
  static const char *const kind[2] = {"pulse(t-3m,20m,0.1m)", "pulse(t-3m,10m,0.1m) triac=1"};
  for (int i = 0; i < 2; i++) {
    char one[200], two[200];
    snprintf(one, sizeof one, LEAKY "P1 a b %s roff=500 ron=0.1 vf=0.7\n", kind[i]);
    snprintf(two, sizeof two, LEAKY "P1 a b %s ron=0.1 vf=0.7\nR2 a b 500\n", kind[i]);
    check_same(one, two, 0.027, "k.i_L1");
    check_same(one, two, 0.009, "P1.i");
    check_same(one, two, 0.019, "P1.v");
  }
}
END_TEST

/* A transistor driven from a node is the switch of that function of time beside a diode. */
START_TEST(transistor_is_a_switch_and_a_diode)
{
#define BUCK "V1 a 0 10\nL1 b c 1m\nR1 c 0 5\nC1 c 0 10u\n"
  check_same(BUCK "S1 b 0 pulse(t,1m,0.4m)-0.5 ron=0.1\nD1 0 b ron=0.1 vf=0.5\nR2 a b 1\n",
             BUCK "Vg g 0 PULSE(0 5 0 0 0 0.4m 1m)\nM1 b g 0 2 ron=0.1 vf=0.5\nR2 a b 1\n", 0.0053,
             "k.i_L1");
  check_same(BUCK "S1 a b pulse(t,1m,0.4m)-0.5\nD1 0 b\n",
             BUCK "Vg a g PULSE(0 5 0 0 0 0.4m 1m)\nM1 b g a -2\nD1 0 b\n", 0.0053, "k.i_L1");
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_test(t, characteristics_are_piecewise_linear);
  tcase_add_test(t, diode_with_resistance_charges_a_capacitor);
  tcase_add_test(t, op_amp_amplifies_between_its_rails);
  tcase_add_test(t, op_amp_of_finite_gain_has_an_error);
  tcase_add_test(t, integrator_runs_into_its_rail);
  tcase_add_test(t, op_amp_compares);
  tcase_add_test(t, gyrator_makes_an_inductor_of_a_capacitor);
  tcase_add_test(t, formulas_stand_for_elements);
  tcase_add_test(t, formulas_read_their_own_subcircuit);
  tcase_add_test(t, nonlinear_load_has_its_closed_form);
  tcase_add_test(t, relaxation_oscillator_has_its_period);
  tcase_add_test(t, comparator_oscillates);
  tcase_add_test(t, thyristor_conducts_from_its_gate_to_zero_current);
  tcase_add_test(t, triac_conducts_both_ways);
  tcase_add_test(t, thyristors_leak);
  tcase_add_test(t, transistor_is_a_switch_and_a_diode);
}

int main(void) { return suite_run("devices of netlists", fill); }
