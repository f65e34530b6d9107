/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices of netlists that are not all ideal, and active ones: closed forms, in time-stepping and
 * event-driven runs. Random circuits of them: tests/simulation/test_switching_random.c. */
#include "support/run.h"

#define STEPS(h) "<TimeStepping h='" h "'><EulerMoreauOSI theta='1'/></TimeStepping>"
#define EVENTS(h)                                                                             \
  "<EventDriven h='" h "' certificate='on'><CVodeOSI relativeTolerance='1e-10' "              \
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

/* ---- diodes and switches with resistances ----------------------------------------------------- */

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

/* ---- op-amps ------------------------------------------------------------------------------------ */

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

/* ---- gyrators ------------------------------------------------------------------------------------ */

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
}

int main(void) { return suite_run("devices of netlists", fill); }
