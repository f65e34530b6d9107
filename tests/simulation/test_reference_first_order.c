/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trajectories of published first-order examples, all stored rows. The norm of a claim is its
 * tolerance's: max |a - ref|, absolute, or over max |ref| of the column where it says so. */
#include "support/run.h"

/* max |mine - ref| over the stored rows from row `from`; the column's largest |ref| to *scale.
 * mine(row) = sum of factor * label, at most three of them. */
typedef struct term {
  double factor;
  const char *label;
} term;

static double distance(const table *t, const char *name, const capture *g, const term *sum,
                       long from, int every, double *scale)
{
  int col = table_column(t, name), row = table_column(t, "row");
  double worst = 0;
  *scale = 0;
  for (size_t i = 0; i < t->nrows; i++) {
    const double *ref = t->data + i * (size_t)t->ncols;
    long r = (long)ref[row];
    if (r < from || r % every) continue;
    ck_assert_uint_lt((size_t)(r / every), g->nrows);
    double mine = 0;
    for (const term *k = sum; k->label; k++)
      mine += k->factor * g->rows[(size_t)(r / every) * g->ncols + capture_column(g, k->label)];
    worst = fmax(worst, fabs(mine - ref[col]));
    *scale = fmax(*scale, fabs(ref[col]));
  }
  return worst;
}

#define SUM(...) (const term[]) { __VA_ARGS__, { 0, NULL } }

static void absolute(const run *r, const table *t, const char *name, const term *sum, long from,
                     double tol)
{
  double scale, d = distance(t, name, &r->got, sum, from, 1, &scale);
  ck_assert_msg(d <= tol, "%s: %g, want <= %g", name, d, tol);
}

static void relative(const run *r, const table *t, const char *name, const term *sum, long from,
                     double tol)
{
  double scale, d = distance(t, name, &r->got, sum, from, 1, &scale);
  ck_assert_msg(d <= tol * scale, "%s: %g, want <= %g * %g", name, d, tol, scale);
}

static run start(const char *model, const char *const *set, table *t, const char *reference)
{
  *t = table_read(reference);
  run r = run_load(model, set);
  r.m->out.every = 1;
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  return r;
}

static void end(run *r, table *t)
{
  run_end(r);
  free(t->data);
}

START_TEST(circuit_rlcd)
{
  const char *set[] = {"theta=0.5000000000001", NULL};
  table t;
  run r = start("models/rlc-diode/rlc-diode.xml", set, &t,
                "tests/data/reference/circuit-rlcd.csv.gz");
  absolute(&r, &t, "vC", SUM({1, "circuit.v_C"}), 0, 1e-10);
  absolute(&r, &t, "iL", SUM({1, "circuit.i_L"}), 0, 1e-10);
  absolute(&r, &t, "lambda", SUM({1, "diode.lambda"}), 0, 1e-10);
  absolute(&r, &t, "minus_y", SUM({-1, "diode.y"}), 0, 1e-10);
  end(&r, &t);
}
END_TEST

START_TEST(diode_bridge)
{
  table t;
  run r = start("models/diode-bridge/diode-bridge.xml", NULL, &t,
                "tests/data/reference/diode-bridge.csv.gz");
  absolute(&r, &t, "vC", SUM({1, "circuit.v_C"}), 0, 1e-9);
  absolute(&r, &t, "iL", SUM({1, "circuit.i_L"}), 0, 1e-9);
  absolute(&r, &t, "y1_plus_lambda3", SUM({1, "bridge.y[0]"}, {1, "bridge.lambda[2]"}), 1, 1e-9);
  absolute(&r, &t, "minus_lambda1", SUM({-1, "bridge.lambda[0]"}), 1, 1e-8);
  absolute(&r, &t, "lambda3", SUM({1, "bridge.lambda[2]"}), 1, 1e-8);
  end(&r, &t);
}
END_TEST

START_TEST(two_relays)
{
  table t;
  run r = start("models/two-relays/two-relays.xml", NULL, &t,
                "tests/data/reference/simple-example-relay.csv.gz");
  absolute(&r, &t, "x1", SUM({1, "integrators.x[0]"}), 0, 1e-10);
  absolute(&r, &t, "x2", SUM({1, "integrators.x[1]"}), 0, 1e-10);
  absolute(&r, &t, "lambda1", SUM({1, "relays.lambda[0]"}), 1, 1e-10);
  absolute(&r, &t, "lambda2", SUM({1, "relays.lambda[1]"}), 1, 1e-10);
  absolute(&r, &t, "y1", SUM({1, "relays.y[0]"}), 0, 1e-10);
  end(&r, &t);
}
END_TEST

START_TEST(relay_oscillator)
{
  table t;
  run r = start("models/relay-oscillator/relay-oscillator.xml", NULL, &t,
                "tests/data/reference/relay-oscillator-with-sliding.csv.gz");
  absolute(&r, &t, "x1", SUM({1, "plant.x1"}), 0, 1e-8);
  absolute(&r, &t, "x2", SUM({1, "plant.x2"}), 0, 1e-8);
  absolute(&r, &t, "x3", SUM({1, "plant.x3"}), 0, 1e-8);
  absolute(&r, &t, "lambda", SUM({1, "relay.lambda"}), 1, 1e-7);
  end(&r, &t);
}
END_TEST

START_TEST(parallel_inverter)
{
  table t;
  run r = start("models/parallel-inverter/parallel-inverter.xml", NULL, &t,
                "tests/data/reference/parallel-inverter.csv.gz");
  relative(&r, &t, "v0", SUM({1, "inverter.v0"}), 0, 1e-9);
  relative(&r, &t, "dv0", SUM({1, "inverter.dv0"}), 0, 1e-9);
  relative(&r, &t, "iL2", SUM({1, "inverter.i_L2"}), 0, 1e-9);
  relative(&r, &t, "iL3", SUM({1, "inverter.i_L3"}), 0, 1e-9);
  absolute(&r, &t, "lambda1", SUM({1, "control.lambda[0]"}), 1, 1e-8);
  absolute(&r, &t, "lambda2", SUM({1, "control.lambda[1]"}), 1, 1e-8);
  absolute(&r, &t, "lambda3", SUM({1, "control.lambda[2]"}), 1, 1e-8);
  absolute(&r, &t, "y1", SUM({1, "control.y[0]"}), 0, 1e-8);
  absolute(&r, &t, "y3", SUM({1, "control.y[2]"}), 0, 1e-8);
  end(&r, &t);
}
END_TEST

START_TEST(buck_converter)
{
  table t;
  run r = start("models/buck-converter/buck-converter.xml", NULL, &t,
                "tests/data/reference/buck-converter.csv.gz");
  absolute(&r, &t, "i_L", SUM({1, "converter.i_L"}), 0, 1e-9);
  absolute(&r, &t, "V_out", SUM({1, "converter.V_out"}), 0, 1e-9);
  absolute(&r, &t, "V_err", SUM({1, "converter.V_err"}), 0, 1e-9);
  absolute(&r, &t, "V_gate", SUM({15, "switch.lambda[0]"}, {-15, "switch.lambda[1]"}), 1, 1e-8);
  absolute(&r, &t, "i_DP", SUM({1, "switch.lambda[10]"}), 1, 1e-8);
  absolute(&r, &t, "i_DN", SUM({1, "switch.y[11]"}), 1, 1e-8);
  double worst = 0, a = 0.5 / (1 + sqrt(2)),
         s[] = {2 * a, 4 * sqrt(2) * a, -2 * a, -4 * sqrt(2) * a};
  int drain = table_column(&t, "V_drain"), row = table_column(&t, "row"),
      p = table_column(&t, "i_sd_P"), n = table_column(&t, "i_ds_N");
  size_t first = capture_column(&r.got, "switch.lambda[0]");
  for (size_t i = 1; i < t.nrows; i++) {
    const double *ref = t.data + i * (size_t)t.ncols,
                 *lambda = r.got.rows + (size_t)ref[row] * r.got.ncols + first;
    double ip = 0, in = 0;
    for (int k = 0; k < 4; k++) {
      ip += 5 * s[k] * lambda[2 + k];
      in += 5 * s[k] * lambda[6 + k];
    }
    worst = fmax(worst, fabs(lambda[11] - 0.8 - ref[drain]));
    worst = fmax(worst, fmax(fabs(ip - ref[p]), fabs(in - ref[n])));
  }
  ck_assert_msg(worst <= 1e-8, "V_drain and currents of the transistors: %g", worst);
  end(&r, &t);
}
END_TEST

START_TEST(gene_steps)
{
  table t;
  run r = start("models/gene-two/gene-two.xml", NULL, &t,
                "tests/data/reference/step-system.csv.gz");
  static const char *const names[] = {"lambda1", "lambda2", "lambda3", "lambda4"};
  static const char *const labels[] = {"thresholds.lambda[0]", "thresholds.lambda[1]",
                                       "thresholds.lambda[2]", "thresholds.lambda[3]"};
  absolute(&r, &t, "x1", SUM({1, "genes.a"}), 0, 1e-8);
  absolute(&r, &t, "x2", SUM({1, "genes.b"}), 0, 1e-8);
  for (int k = 0; k < 4; k++) absolute(&r, &t, names[k], SUM({1, labels[k]}), 1, 1e-8);
  relative(&r, &t, "rhs1", SUM({1, "genes.xdot_a"}), 1, 1e-6);
  relative(&r, &t, "rhs2", SUM({1, "genes.xdot_b"}), 1, 1e-6);
  end(&r, &t);
}
END_TEST

START_TEST(ideal_switch)
{
  table t;
  run r = start("models/ideal-switch/ideal-switch.xml", NULL, &t,
                "tests/data/reference/ideal-switch.csv.gz");
  relative(&r, &t, "x", SUM({1, "coil.i"}), 1, 2e-9);
  for (int k = 0; k < 6; k++) {
    char name[16], label[32];
    snprintf(name, sizeof name, "lambda%d", k + 1);
    snprintf(label, sizeof label, "circuit.lambda[%d]", k);
    relative(&r, &t, name, SUM({1, label}), 1, 2e-9);
  }
  end(&r, &t);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, circuit_rlcd);
  tcase_add_test(t, diode_bridge);
  tcase_add_test(t, two_relays);
  tcase_add_test(t, relay_oscillator);
  tcase_add_test(t, parallel_inverter);
  tcase_add_test(t, buck_converter);
  tcase_add_test(t, gene_steps);
  tcase_add_test(t, ideal_switch);
}

int main(void) { return suite_run("reference, first order", fill); }
