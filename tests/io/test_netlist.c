/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Netlists run: against trajectories of another code, closed forms, and what their lines say. */
#include "support/run.h"

#define MODEL(netlist, T, h, scheme) \
  "<model xmlns='urn:nssim:model:1' name='m'><netlist id='k'>\n" netlist "</netlist><simulation " \
  "T='" T "'><TimeStepping h='" h "'>" scheme "</TimeStepping></simulation></model>"
#define IMPLICIT "<EulerMoreauOSI theta='1'/>"

static double last(const run *r, const char *label) { return run_at(r, r->got.nrows - 1, label); }

/* ---- trajectories of another code ------------------------------------------------------------ */

static double distance(const run *r, const char *label, const table *t, const char *column)
{
  int col = table_column(t, column), row = table_column(t, "row");
  double worst = 0;
  for (size_t i = 1; i < t->nrows; i++) { /* at t0 the table holds no multipliers */
    const double *x = t->data + i * (size_t)t->ncols;
    worst = fmax(worst, fabs(run_at(r, (size_t)x[row], label) - x[col]));
  }
  return worst;
}

START_TEST(oscillator_with_diode_is_the_reference)
{
  run r = run_whole(MODEL("C1 a 0 1e-6 ic=10\nL1 a 0 1e-2\nR1 a b 1e3\nD1 b 0\n", "4.99e-3", "1e-5",
                          "<EulerMoreauOSI theta='0.5000000000001'/>"));
  table t = table_read("tests/data/reference/circuit-rlcd.csv.gz");
  ck_assert_double_lt(distance(&r, "k.v_C1", &t, "vC"), 1e-10);
  ck_assert_double_lt(distance(&r, "k.i_L1", &t, "iL"), 1e-10);
  ck_assert_double_lt(distance(&r, "D1.i", &t, "lambda"), 1e-12);
  ck_assert_double_lt(distance(&r, "D1.v", &t, "minus_y"), 1e-10);
  free(t.data);
  run_end(&r);
}
END_TEST

START_TEST(diode_bridge_is_the_reference)
{
  run r = run_whole(
      MODEL("C1 a b 1e-6 ic=10\nL1 a b 1e-2\nD1 a p\nD2 b p\nD3 0 a\nD4 0 b\nR1 p 0 1e3\n",
            "4.999e-3", "1e-6", "<EulerMoreauOSI theta='0.5'/>"));
  table t = table_read("tests/data/reference/diode-bridge.csv.gz");
  ck_assert_double_lt(distance(&r, "k.v_C1", &t, "vC"), 1e-9);
  ck_assert_double_lt(distance(&r, "k.i_L1", &t, "iL"), 1e-9);
  ck_assert_double_lt(distance(&r, "R1.i", &t, "y1_plus_lambda3"), 1e-10);
  free(t.data);
  run_end(&r);
}
END_TEST

/* ---- closed forms ---------------------------------------------------------------------------- */

/* Half-wave rectifier with load R, L: i = V/Z (sin(w t - phi) + sin phi e^(-R t / L)) until it is
 * 0. */
static double rectifier_error(const char *h)
{
  char model[1000];
  snprintf(
      model, sizeof model,
      MODEL("V1 a 0 100*sin(100*pi*t)\nR1 a b 10\nL1 b c 0.05\nD1 c 0\n", "0.02", "%s", IMPLICIT),
      h);
  run r = run_whole(model);
  double w = 100 * acos(-1), Z = hypot(10, w * 0.05), phi = atan2(w * 0.05, 10), worst = 0;
  for (size_t k = 0; k < r.got.nrows; k++) {
    double t = run_at(&r, k, "time"), i = 100 / Z * (sin(w * t - phi) + sin(phi) * exp(-200 * t));
    worst = fmax(worst, fabs(run_at(&r, k, "k.i_L1") - (w * t < 4.20357477 ? i : 0)));
    if (w * t > 4.3 && w * t < 6.2)
      ck_assert_double_eq_tol(run_at(&r, k, "D1.v"), 100 * sin(w * t), 1e-9);
  }
  run_end(&r);
  return worst;
}

START_TEST(rectifier_has_first_order)
{
  double e1 = rectifier_error("2e-5"), e2 = rectifier_error("1e-5");
  ck_assert_double_lt(e2, 0.02);
  ck_assert_double_eq_tol(log2(e1 / e2), 1, 0.05);
}
END_TEST

/* Discontinuous conduction: up by (12 - 8)/L over 0.4 T, down by 8/L, then rest; without any
 * resistor. */
START_TEST(buck_converter_with_ideal_switch_is_exact)
{
  run r = run_whole(MODEL(
      "V1 in 0 12\nV2 out 0 8\nS1 in x mod(t - 0.5e-6, 1e-4) &lt; 0.4e-4\nD1 0 x\nL1 x out 1e-4\n",
      "4e-4", "1e-6", IMPLICIT));
  double mean = 0;
  for (size_t k = 1; k <= 400; k++) {
    double phase = fmod((double)k - 0.5, 100) + 0.5,
           i = phase <= 40 ? 0.04 * phase : fmax(1.6 - 0.08 * (phase - 40), 0);
    ck_assert_double_eq_tol(run_at(&r, k, "k.i_L1"), i, 1e-12);
    mean += i / 400;
    if (phase > 61) ck_assert_double_eq_tol(run_at(&r, k, "D1.v"), -8, 1e-9);
  }
  ck_assert_double_eq_tol(mean, 0.48, 1e-12);
  ck_assert_str_eq(r.m->interactions[0].relation->name, "FirstOrderLinearR");
  run_end(&r);
}
END_TEST

START_TEST(zener_clips_without_any_state)
{
  run r = run_whole(
      MODEL("V1 a 0 10*sin(t)\nR1 a b 100\nZ1 0 b 5.1 vf=0.7\n", "6", "0.01", IMPLICIT));
  for (size_t k = 1; k < r.got.nrows; k++) {
    double v = 10 * sin(run_at(&r, k, "time")), clipped = fmin(fmax(v, -0.7), 5.1);
    ck_assert_double_eq_tol(run_at(&r, k, "node_b.v"), clipped, 1e-13);
    ck_assert_double_eq_tol(run_at(&r, k, "Z1.i"), -(v - clipped) / 100, 1e-15);
  }
  run_end(&r);
}
END_TEST

START_TEST(rectifier_behind_transformer_shows_absolute_value)
{
  run r = run_whole(
      MODEL("V1 a 0 230*sin(t)\nT1 a 0 s g 23\nD1 s p\nD2 g p\nD3 0 s\nD4 0 g\nR1 p 0 5\n", "6",
            "0.01", IMPLICIT));
  for (size_t k = 1; k < r.got.nrows; k++) {
    double v = 10 * sin(run_at(&r, k, "time"));
    ck_assert_double_eq_tol(run_at(&r, k, "R1.v"), fabs(v), 1e-13);
    ck_assert_double_eq_tol(run_at(&r, k, "T1.i"), v / 5 / 23, 1e-15);
  }
  run_end(&r);
}
END_TEST

/* A switch between two capacitors: charge is kept, in one step and without a resistor. */
START_TEST(closing_switch_shares_charge)
{
  run r = run_whole(
      MODEL("C1 a 0 1e-6 ic=9\nC2 b 0 2e-6\nS1 a b t &gt; 0.5\n", "1", "0.1", IMPLICIT));
  ck_assert(run_at(&r, 5, "k.v_C1") == 9 && run_at(&r, 5, "k.v_C2") == 0);
  ck_assert_double_eq_tol(run_at(&r, 6, "k.v_C1"), 3, 1e-14);
  ck_assert_double_eq_tol(last(&r, "k.v_C2"), 3, 1e-14);
  ck_assert_double_eq_tol(0.1 * run_at(&r, 6, "S1.i"), 6e-6, 1e-18); /* the charge that flows */
  run_end(&r);
}
END_TEST

/* C beside a source: no state, its current is C V'. */
START_TEST(source_in_a_loop_of_capacitors_is_differentiated)
{
  run r = run_whole(MODEL("V1 a 0 sin(3*t)\nC1 a 0 0.5\nR1 a 0 1\n", "1", "0.01", IMPLICIT));
  for (size_t k = 0; k < r.got.nrows; k++)
    ck_assert_double_eq_tol(run_at(&r, k, "C1.i"), 1.5 * cos(3 * run_at(&r, k, "time")), 1e-14);
  ck_assert_str_eq(r.m->systems[0].names[0], "none");
  run_end(&r);
}
END_TEST

START_TEST(controlled_sources_amplify)
{
  run r = run_whole(MODEL("V1 a 0 2\nR1 a 0 4\nE1 b 0 a 0 3\nR2 b 0 1\nG1 0 c a 0 0.5\nR3 c 0 "
                          "10\nF1 0 d R1 2\nR4 d 0 1\n"
                          "H1 e 0 R1 8\nR5 e 0 1\n",
                          "1", "0.5", IMPLICIT));
  ck_assert_double_eq(last(&r, "R2.v"), 6);
  ck_assert_double_eq(last(&r, "R3.v"), 10);
  ck_assert_double_eq(last(&r, "R4.v"), 1);
  ck_assert_double_eq(last(&r, "R5.v"), 4);
  ck_assert_double_eq(last(&r, "V1.i"), -0.5);
  run_end(&r);
}
END_TEST

/* ---- lines ----------------------------------------------------------------------------------- */

START_TEST(lines_may_be_written_in_many_ways)
{
  run r = run_whole(
      "<model xmlns='urn:nssim:model:1'><parameters><parameter name='n' value='3'/><parameter "
      "name='R' value='2'/>"
      "</parameters><netlist id='k'><!-- a comment\n over lines -->\n"
      "* a comment\n# another\n\n  v1 k0 0 { 6 } ; behind\nr0 k3\n+ 0\n+  R \n"
      ".repeat i 1 n\n  R{i} k{ i - 1 } k{i} R*i - (i-1)*R\n.repeat j 0 0\nC{i}_{j} k{i} 0 1e-3 IC "
      "= i*0\n.endrepeat\n"
      ".endrepeat\n.end\nnonsense</netlist><simulation T='1'><TimeStepping h='0.01'>" IMPLICIT
      "</TimeStepping></simulation><output><observe id='heat' unit='W'>R1.v*R1.i + "
      "r0.v*r0.i</observe>"
      "<observe id='twice'>2*heat + v_C3_0 - k.v_C3_0</observe></output></model>");
  ck_assert_int_eq(r.m->systems[0].n, 3);
  ck_assert_double_eq_tol(last(&r, "k.v_C3_0"), 1.5, 1e-6); /* four equal resistors */
  ck_assert_double_eq_tol(last(&r, "heat.value"), 2 * 1.5 * 0.75, 1e-5);
  ck_assert_double_eq(last(&r, "twice.value"), 2 * last(&r, "heat.value"));
  run_end(&r);
}
END_TEST

/* Cells of a line with a bridge each: the matrices stay as sparse as the line. */
START_TEST(long_line_stays_sparse)
{
  static const char model[] = MODEL(
      "V0 a0 0 sin(t)\n.repeat i 1 100\nL{i} a{i-1} a{i} 1e-4\nC{i} a{i} 0 1e-6\nD{i}_1 a{i} "
      "p{i}\nD{i}_2 0 p{i}\n"
      "D{i}_3 m{i} a{i}\nD{i}_4 m{i} 0\nC{i}_load p{i} m{i} 1e-5\nR{i} p{i} m{i} 1e3\n.endrepeat\n",
      "1", "0.1", IMPLICIT);
  run r = run_load(model, NULL);
  const ns_system *s = &r.m->systems[0];
  const ns_first_order_relation *k = &r.m->interactions[0].fo;
  const ns_operator *o[] = {&s->fo.A, &k->B, &k->C, &k->D};
  ck_assert_int_eq(s->n, 300);
  ck_assert_int_eq(r.m->interactions[0].m, 400);
  int nonzero = 0;
  for (int i = 0; i < 4; i++)
    for (int e = 0; e < o[i]->rows * o[i]->cols; e++) nonzero += o[i]->value[e] != 0;
  ck_assert_int_le(nonzero, 100 * 30);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_test(t, oscillator_with_diode_is_the_reference);
  tcase_add_test(t, diode_bridge_is_the_reference);
  tcase_add_test(t, rectifier_has_first_order);
  tcase_add_test(t, buck_converter_with_ideal_switch_is_exact);
  tcase_add_test(t, zener_clips_without_any_state);
  tcase_add_test(t, rectifier_behind_transformer_shows_absolute_value);
  tcase_add_test(t, closing_switch_shares_charge);
  tcase_add_test(t, source_in_a_loop_of_capacitors_is_differentiated);
  tcase_add_test(t, controlled_sources_amplify);
  tcase_add_test(t, lines_may_be_written_in_many_ways);
  tcase_add_test(t, long_line_stays_sparse);
}

int main(void) { return suite_run("netlist", fill); }
