/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relays, switches and converters against trajectories of another code, see tests/data/reference/README. The norm is
 * max |difference| over the rows that are kept, in the units of the column unless a scale is said. */
#include "support/run.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define BETWEEN "</systems><interactions><interaction id='law' systems='s'>"
#define TAIL(T, h, scheme) "</interaction></interactions><simulation t0='0' T='" T "'><TimeStepping h='" h "'>" scheme \
  "</TimeStepping></simulation></model>"

/* max |factor * mine + shift - theirs| over the rows of the table; NaN of the table is passed over. */
static double distance(const table *t, const char *name, const run *r, const char *label, double factor, double shift)
{
  int col = table_column(t, name), row = table_column(t, "row");
  size_t mine = capture_column(&r->got, label);
  double worst = 0;
  for (size_t i = 0; i < t->nrows; i++) {
    const double *x = t->data + i * (size_t)t->ncols;
    ck_assert_uint_lt((size_t)x[row], r->got.nrows);
    double d = fabs(factor * r->got.rows[(size_t)x[row] * r->got.ncols + mine] + shift - x[col]);
    if (!isnan(x[col]) && !(d <= worst)) worst = d;
  }
  return worst;
}

/* The largest |entry| of a column. */
static double height(const table *t, const char *name)
{
  int col = table_column(t, name);
  double worst = 0;
  for (size_t i = 0; i < t->nrows; i++) worst = fmax(worst, fabs(t->data[i * (size_t)t->ncols + (size_t)col]));
  return worst;
}

static run simulate(const char *model)
{
  run r = run_load(model, NULL);
  int rc = run_keep(&r);
  ck_assert_msg(rc == NS_OK, "%s", r.c.msg);
  return r;
}

static void end(run *r, table *t)
{
  free(t->data);
  run_end(r);
}

/* ---- relays ------------------------------------------------------------------------------------------ */

START_TEST(two_relays)
{
  run r = simulate(HEAD "<FirstOrderLinearTIDS id='s' states='x1 x2'><x0>1 -1</x0></FirstOrderLinearTIDS>" BETWEEN
                   "<FirstOrderLinearTIR><C>1 0; 0 1</C><B>2 0; 0 2</B></FirstOrderLinearTIR><RelayNSL/>"
                   TAIL("0.799", "1e-3", "<EulerMoreauOSI theta='0.5'/>"));
  table t = table_read("tests/data/reference/simple-example-relay.csv.gz");
  ck_assert_double_lt(distance(&t, "x1", &r, "s.x1", 1, 0), 1e-14);
  ck_assert_double_lt(distance(&t, "x2", &r, "s.x2", 1, 0), 1e-14);
  ck_assert_double_lt(distance(&t, "lambda1", &r, "law.lambda[0]", 1, 0), 1e-10);
  ck_assert_double_lt(distance(&t, "y2", &r, "law.y[1]", 1, 0), 1e-14);
  end(&r, &t);
}
END_TEST

START_TEST(relay_oscillator_that_slides)
{
  run r = simulate(HEAD "<FirstOrderLinearTIDS id='s' states='x1 x2 x3'><x0>0 0.5 0</x0>"
                   "<A>1.35 1 0; -99.93 0 1; -5 0 0</A></FirstOrderLinearTIDS>" BETWEEN
                   "<FirstOrderLinearTIR><C>1 0 0</C><B>1; -2; 1</B></FirstOrderLinearTIR><RelayNSL/>"
                   TAIL("99.99", "1e-2", "<EulerMoreauOSI theta='0.5'/>"));
  table t = table_read("tests/data/reference/relay-oscillator-with-sliding.csv.gz");
  ck_assert_uint_eq(r.got.nrows, 10000);
  ck_assert_double_lt(distance(&t, "x1", &r, "s.x1", 1, 0), 1e-8);
  ck_assert_double_lt(distance(&t, "x2", &r, "s.x2", 1, 0), 1e-8);
  ck_assert_double_lt(distance(&t, "x3", &r, "s.x3", 1, 0), 1e-8);
  ck_assert_double_lt(distance(&t, "lambda", &r, "law.lambda", 1, 0), 1e-7);
  end(&r, &t);
}
END_TEST

#define INVERTER                                                                                                       \
  "<model xmlns='urn:nssim:model:1' name='m'><parameters>"                                                             \
  "<parameter name='Cp' value='60e-6'/><parameter name='leq' value='0.385e-3'/><parameter name='Rl' value='5'/>"       \
  "<parameter name='L1' value='1.5e-3'/><parameter name='L2' value='1.22e-3'/><parameter name='L3' value='0.9e-3'/>"   \
  "<parameter name='r1' value='94e-3'/><parameter name='r2' value='116e-3'/><parameter name='r3' value='100e-3'/>"     \
  "<parameter name='E' value='70'/><parameter name='k' value='1/6e-5'/></parameters><systems>"                         \
  "<FirstOrderLinearTIDS id='s' states='v0 dv0 iL2 iL3'><x0>50 7 4 4</x0><A>0 1 0 0;"                                  \
  "-1/(Cp*leq)-r1/(Cp*L1*Rl) -r1/L1-1/(Cp*Rl) r1/(Cp*L1)-r2/(Cp*L2) r1/(Cp*L1)-r3/(Cp*L3);"                            \
  "-1/L2 0 -r2/L2 0; -1/L3 0 0 -r3/L3</A></FirstOrderLinearTIDS>" BETWEEN                                              \
  "<FirstOrderLinearR><C>Cp*k+2/Rl 3*Cp -3 -3; Cp*k-1/Rl 0 3 0; Cp*k-1/Rl 0 0 3</C>"                                   \
  "<B>0 0 0; E/Cp/L1 E/Cp/L2 E/Cp/L3; 0 E/L2 0; 0 0 E/L3</B>"                                                          \
  "<e>-55*sin(100*pi*t) -55*sin(100*pi*t) -55*sin(100*pi*t)</e></FirstOrderLinearR><RelayNSL/>"

START_TEST(three_inverters_that_slide)
{
  run r = simulate(INVERTER TAIL("0.019999", "1e-6", "<EulerMoreauOSI theta='0.5'/>"));
  table t = table_read("tests/data/reference/parallel-inverter.csv.gz");
  static const char *const state[] = {"v0", "dv0", "iL2", "iL3"};
  char label[32], name[24];
  ck_assert_uint_eq(r.got.nrows, 20000);
  for (int k = 0; k < 4; k++) {
    snprintf(label, sizeof label, "s.%s", state[k]);
    ck_assert_double_lt(distance(&t, state[k], &r, label, 1, 0), 1e-9 * height(&t, state[k]));
  }
  for (int k = 0; k < 3; k++) {
    snprintf(name, sizeof name, "lambda%d", k + 1);
    snprintf(label, sizeof label, "law.lambda[%d]", k);
    ck_assert_double_lt(distance(&t, name, &r, label, 1, 0), 1e-8);
    snprintf(name, sizeof name, "y%d", k + 1);
    snprintf(label, sizeof label, "law.y[%d]", k);
    ck_assert_double_lt(distance(&t, name, &r, label, 1, 0), 1e-8);
  }
  end(&r, &t);
}
END_TEST

/* ---- a converter with a comparator and transistors of straight pieces ------------------------------------ */

#define BUCK                                                                                                           \
  "<model xmlns='urn:nssim:model:1' name='m'><parameters>"                                                             \
  "<parameter name='VI' value='3'/><parameter name='Vref' value='1.8'/><parameter name='Ts' value='1e-4'/>"            \
  "<parameter name='Rl' value='10'/><parameter name='C' value='22e-6'/><parameter name='L' value='10e-6'/>"            \
  "<parameter name='G' value='1e4'/><parameter name='R11' value='15.58e3'/><parameter name='R21' value='5.613e6'/>"    \
  "<parameter name='C11' value='20e-12'/><parameter name='R12' value='227.8e3'/><parameter name='C21' value='1.9e-12'/>"\
  "<parameter name='al' value='1/R11+1/R12+1/R21'/><parameter name='be' value='1/R11+1/R12'/>"                         \
  "<parameter name='t11' value='R11*C11'/><parameter name='t21' value='R21*C21'/>"                                     \
  "<parameter name='tA' value='1/(2*3.14159*30e6)'/><parameter name='a' value='(VI-2)/(2*(1+sqrt(2)))'/>"              \
  "<parameter name='v1' value='2*a'/><parameter name='v2' value='4*sqrt(2)*a'/><parameter name='l' value='0.5'/>"      \
  "<parameter name='k' value='5'/><parameter name='s' value='15'/></parameters><systems>"                              \
  "<FirstOrderLinearDS id='s' states='Vout iL v11 v21 Verr'><x0>0 0 0 0 0</x0><A>"                                     \
  "-(1/(Rl*C)+be/(C*al*R21)) 1/C 1/(C*al*R21*R11) -be/(C*al*R21) be/(C*al*R21); -1/L 0 0 0 0;"                         \
  "(1-be/al)/t11 0 (1/(al*R11)-1)/t11 1/(al*R21*t11) -1/(al*R21*t11);"                                                 \
  "-be/(al*t21) 0 1/(al*R11*t21) (1/(al*R21)-1)/t21 -(1/(al*R21)-1)/t21;"                                              \
  "-be*G/(al*tA) 0 G/(al*R11*tA) G/(al*R21*tA) -(G/(al*R21)+1)/tA</A>"                                                 \
  "<b>0 -0.8/L 0 0 G/tA*if(t&lt;Ts,Vref*t/Ts,if(t&lt;=2*Ts,Vref,-Vref*t/Ts+3*Vref))</b></FirstOrderLinearDS>" BETWEEN  \
  "<FirstOrderLinearR><C>0 0 0 0 1; 0 0 0 0 1; 0 0 0 0 0; 0 0 0 0 0; 0 0 0 0 0; 0 0 0 0 0; 0 0 0 0 0; 0 0 0 0 0;"      \
  "0 0 0 0 0; 0 0 0 0 0; 0 0 0 0 0; 0 1 0 0 0</C>"                                                                     \
  "<B>0 0 0 0 0 0 0 0 0 0 0 0; 0 0 0 0 0 0 0 0 0 0 0 1/L; 0 0 0 0 0 0 0 0 0 0 0 0; 0 0 0 0 0 0 0 0 0 0 0 0;"          \
  "0 0 0 0 0 0 0 0 0 0 0 0</B><D>"                                                                                     \
  "1 0 0 0 0 0 0 0 0 0 0 0; 0 1 0 0 0 0 0 0 0 0 0 0; s -s 1 0 0 0 0 0 0 0 0 0; s -s 0 1 0 0 0 0 0 0 0 0;"             \
  "s -s 0 0 1 0 0 0 0 0 0 -1; s -s 0 0 0 1 0 0 0 0 0 -1; -s s 0 0 0 0 1 0 0 0 0 0; -s s 0 0 0 0 0 1 0 0 0 0;"         \
  "-s s 0 0 0 0 0 0 1 0 0 1; -s s 0 0 0 0 0 0 0 1 0 1; 0 0 0 0 0 0 0 0 0 0 0 -1;"                                     \
  "0 0 -k*v1 -k*v2 k*v1 k*v2 k*v1 k*v2 -k*v1 -k*v2 1 0</D>"                                                            \
  "<e>-0.1-" RAMP " 0.1-" RAMP " -1 -1+l 2.8 2.8+l 2 2+l 1.2 1.2+l VI+1.6 0</e></FirstOrderLinearR>"                   \
  "<ComplementarityConditionNSL/>"
#define RAMP                                                                                                           \
  "if(mod(t,1.6667e-6)&lt;1.655e-6,2.25/1.655e-6*mod(t,1.6667e-6),if(mod(t,1.6667e-6)&lt;1.656e-6,2.25,"               \
  "if(mod(t,1.6667e-6)&lt;1.666e-6,2.25-2.25/1e-8*(mod(t,1.6667e-6)-1.656e-6),0)))"

START_TEST(buck_converter)
{
  run r = simulate(BUCK TAIL("2e-6", "5e-11", "<EulerMoreauOSI theta='1'/>"));
  table t = table_read("tests/data/reference/buck-converter.csv.gz");
  ck_assert_uint_eq(r.got.nrows, 40001);
  ck_assert_double_lt(distance(&t, "i_L", &r, "s.iL", 1, 0), 1e-9);
  ck_assert_double_lt(distance(&t, "V_out", &r, "s.Vout", 1, 0), 1e-9);
  ck_assert_double_lt(distance(&t, "V_err", &r, "s.Verr", 1, 0), 1e-9);
  ck_assert_double_lt(distance(&t, "V_drain", &r, "law.lambda[11]", 1, -0.8), 1e-8);
  ck_assert_double_lt(distance(&t, "i_DP", &r, "law.lambda[10]", 1, 0), 1e-8);
  ck_assert_double_lt(distance(&t, "i_DN", &r, "law.y[11]", 1, 0), 1e-8);
  end(&r, &t);
}
END_TEST

/* ---- nonlinear relations --------------------------------------------------------------------------------- */

START_TEST(gene_network_of_step_functions)
{
  run r = simulate(HEAD "<FirstOrderLinearTIDS id='s' states='x1 x2'><x0>1 6</x0><A>-4.5 0; 0 -1.5</A>"
                   "</FirstOrderLinearTIDS>" BETWEEN
                   "<FirstOrderType2R><h>4-s.x1, 4-s.x2, 8-s.x1, 8-s.x2</h>"
                   "<g>40*(1-lambda[2])*lambda[1], 40*lambda[0]*(1-lambda[3])</g></FirstOrderType2R>"
                   "<RelayNSL lb='0' ub='1'/>" TAIL("2.999", "1e-3", "<EulerMoreauOSI theta='0.5'/>"));
  table t = table_read("tests/data/reference/step-system.csv.gz");
  char name[24], label[32];
  ck_assert_double_lt(distance(&t, "x1", &r, "s.x1", 1, 0), 1e-12);
  ck_assert_double_lt(distance(&t, "x2", &r, "s.x2", 1, 0), 1e-12);
  for (int k = 0; k < 4; k++) {
    snprintf(name, sizeof name, "lambda%d", k + 1);
    snprintf(label, sizeof label, "law.lambda[%d]", k);
    ck_assert_double_lt(distance(&t, name, &r, label, 1, 0), 1e-8);
  }
  ck_assert_double_lt(r.x->cert->penetration_max, 1e-9);
  end(&r, &t);
}
END_TEST

/* Switch and diode as resistors that a complementarity turns on and off: equalities and bilinear terms. */
START_TEST(ideal_switch)
{
  run r = simulate(HEAD "<FirstOrderLinearTIDS id='s' states='x'><x0>0</x0></FirstOrderLinearTIDS>" BETWEEN
                   "<FirstOrderType2R><h>lambda[4]-(7.5-10/20e-6*t+10*floor(t/20e-6)), x-lambda[3],"
                   "lambda[2]-20+lambda[0]*(lambda[6]+0.001), lambda[2]+lambda[1]*(lambda[8]+0.001),"
                   "x-lambda[0]-lambda[1], 1000-lambda[6]-0.001, 100*(lambda[4]-lambda[3])+lambda[5],"
                   "1000-lambda[8]-0.001, -lambda[2]+lambda[7]</h><g>(lambda[2]-lambda[3])/200e-6</g></FirstOrderType2R>"
                   "<MixedComplementarityConditionNSL equalitySize='5'/>"
                   TAIL("2e-4", "1e-7", "<EulerMoreauOSI theta='0.5'/>"));
  table t = table_read("tests/data/reference/ideal-switch.csv.gz");
  char name[24], label[32];
  ck_assert_double_lt(distance(&t, "x", &r, "s.x", 1, 0), 2e-9 * height(&t, "x"));
  for (int k = 0; k < 6; k++) {
    snprintf(name, sizeof name, "lambda%d", k + 1);
    snprintf(label, sizeof label, "law.lambda[%d]", k);
    ck_assert_double_lt(distance(&t, name, &r, label, 1, 0), 2e-9 * height(&t, name));
  }
  end(&r, &t);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_test(t, two_relays);
  tcase_add_test(t, relay_oscillator_that_slides);
  tcase_add_test(t, three_inverters_that_slide);
  tcase_add_test(t, buck_converter);
  tcase_add_test(t, gene_network_of_step_functions);
  tcase_add_test(t, ideal_switch);
}

int main(void) { return suite_run("first order, references", fill); }
