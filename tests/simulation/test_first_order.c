/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First-order systems with relays and complementarity: closed forms that the scheme meets to
 * rounding, reference trajectories, jumps, and the record of what switched. */
#include "support/first_order.h"

/* ---- relays ---------------------------------------------------------------------------------- */

/* x' = a x + b + c lambda, lambda in -sgn x. */
static run relay(double a, double b, double c_, double x0, double h, double T)
{
  ns_ctx c;
  ns_model *m = fo_model(&c, h, T);
  fo_linear(m, &c, 1, &x0, &a, &b);
  double one = 1;
  fo_relation(m, &c, FO_RELAY, 1, -1, 1, fo_first, 1, &one, NULL, &c_, NULL);
  return fo_run(m, &c);
}

/* x' = -sgn x from 1.05, h = 0.1: x_k = 1.05 - 0.1 k, then exactly 0; lambda_11 = -1/2, then 0. */
START_TEST(a_relay_stops_at_zero_exactly)
{
  run r = relay(0, 0, 1, 1.05, 0.1, 2);
  for (size_t k = 0; k <= 20; k++) {
    double want = k <= 10 ? 1.05 - 0.1 * (double)k : 0;
    ck_assert_double_eq_tol(fo_at(&r, k, "system.x[0]"), want, k <= 10 ? 1e-15 : 1e-16);
    double lambda = k == 0 ? 0 : k <= 10 ? -1 : k == 11 ? -0.5 : 0;
    ck_assert_double_eq_tol(fo_at(&r, k, "law.lambda"), lambda, 1e-14);
  }
  ck_assert_uint_eq(r.got.nevents, 1);
  ck_assert_int_eq(r.got.events[0].kind, NS_EVENT_SWITCH);
  ck_assert_double_eq_tol(r.got.events[0].t, 1.1, 1e-15);
  ck_assert_double_eq(r.got.events[0].before, -1);
  ck_assert_double_eq_tol(r.got.events[0].after, -0.5, 1e-14);
  ck_assert_int_eq((int)r.x->cert->impacts, 1);
  run_end(&r);
}
END_TEST

/* x' = x/2 + 0.8 + 2 lambda from 1: zero at 2 ln(2.4/1.4), then x = 0 and lambda = -0.4. */
START_TEST(a_relay_balances_a_field)
{
  run r = relay(0.5, 0.8, 2, 1, 1e-3, 2);
  double hit = 2 * log(2.4 / 1.4);
  for (size_t k = 0; k < r.got.nrows; k++) {
    double t = fo_at(&r, k, "time");
    if (t < hit) continue;
    if (t < hit + 3e-3) continue; /* the step of the hit, order 1 */
    ck_assert_double_eq_tol(fo_at(&r, k, "system.x[0]"), 0, 1e-15);
    ck_assert_double_eq_tol(fo_at(&r, k, "law.lambda"), -0.4, 1e-14);
  }
  ck_assert_uint_eq(r.got.nevents, 1);
  ck_assert_double_eq_tol(r.got.events[0].t, hit, 2e-3);
  run_end(&r);
}
END_TEST

/* A gene that represses itself: x' = 3 s - x, s = 1 below the threshold 1: t* = ln 1.4, then x = 1,
 * lambda = 1/3. */
START_TEST(a_step_function_keeps_its_threshold)
{
  ns_ctx c;
  ns_model *m = fo_model(&c, 1e-3, 1);
  double x0 = 0.2, A = -1, C = 1, B = 3, e = -1;
  fo_linear(m, &c, 1, &x0, &A, NULL);
  fo_relation(m, &c, FO_RELAY, 1, 0, 1, fo_first, 1, &C, NULL, &B, &e);
  run r = fo_run(m, &c);
  for (size_t k = 0; k < r.got.nrows; k++) {
    double t = fo_at(&r, k, "time"), x = fo_at(&r, k, "system.x[0]");
    if (t < log(1.4) - 2e-3) ck_assert_double_eq_tol(x, 3 - 2.8 * exp(-t), 1.5e-3 * t + 1e-15);
    if (t < log(1.4) + 2e-3) continue;
    ck_assert_double_eq_tol(x, 1, 3e-16);
    ck_assert_double_eq_tol(fo_at(&r, k, "law.lambda"), 1. / 3, 1e-12);
  }
  run_end(&r);
}
END_TEST

/* ---- jumps ----------------------------------------------------------------------------------- */

/* x' = -x + B lambda, 0 <= C x _|_ lambda >= 0, from C x < 0: x_1 = (0, -1/2 / (1 + h)), h lambda_1
 * = 3/2. */
START_TEST(an_inconsistent_state_jumps)
{
  static const double hs[] = {1e-1, 1e-3, 1e-6, 1e-9};
  ns_ctx c;
  double h = hs[_i], x0[] = {-1, 0}, A[] = {-1, 0, 0, -1}, C[] = {1, 0}, B[] = {2. / 3, -1. / 3};
  ns_model *m = fo_model(&c, h, 5 * h);
  fo_linear(m, &c, 2, x0, A, NULL);
  fo_relation(m, &c, FO_COMPLEMENTARITY, 1, 0, INFINITY, fo_first, 1, C, NULL, B, NULL);
  run r = fo_run(m, &c);
  ck_assert_double_eq_tol(fo_at(&r, 1, "system.x[0]"), 0, 1e-15);
  ck_assert_double_eq_tol(fo_at(&r, 1, "system.x[1]"), -0.5 / (1 + h), 1e-15);
  ck_assert_double_eq_tol(h * fo_at(&r, 1, "law.lambda"), 1.5, 1e-14);
  for (size_t k = 2; k < r.got.nrows; k++)
    ck_assert_double_eq_tol(h * fo_at(&r, k, "law.lambda"), 0, 1e-15);
  run_end(&r);
}
END_TEST

/* ---- circuits -------------------------------------------------------------------------------- */

static const double L = 1e-2, Cap = 1e-6, R = 1e3;

static void oscillator(ns_model *m, ns_ctx *c)
{
  double A[] = {0, -1 / Cap, 1 / L, 0}, x0[] = {10, 0};
  fo_linear(m, c, 2, x0, A, NULL);
}

static ns_model *rlcd(ns_ctx *c, double h, double T)
{
  ns_model *m = fo_model(c, h, T);
  double C[] = {-1, 0}, D = R, B[] = {-1 / Cap, 0};
  oscillator(m, c);
  fo_relation(m, c, FO_COMPLEMENTARITY, 1, 0, INFINITY, fo_first, 1, C, &D, B, NULL);
  return m;
}

static ns_model *bridge(ns_ctx *c, double h, double T)
{
  ns_model *m = fo_model(c, h, T);
  double C[] = {0, 0, 0, 0, -1, 0, 1, 0}, B[] = {0, 0, -1 / Cap, 1 / Cap, 0, 0, 0, 0},
         D[] = {1 / R, 1 / R, -1, 0, 1 / R, 1 / R, 0, -1, 1, 0, 0, 0, 0, 1, 0, 0};
  oscillator(m, c);
  fo_relation(m, c, FO_COMPLEMENTARITY, 4, 0, INFINITY, fo_first, 1, C, D, B, NULL);
  return m;
}

START_TEST(oscillator_with_diode_is_the_reference)
{
  ns_ctx c;
  ns_model *m = rlcd(&c, 1e-5, 4.99e-3);
  m->sim.em.theta = 0.5000000000001;
  run r = fo_run(m, &c);
  table t = table_read("tests/data/reference/circuit-rlcd.csv.gz");
  ck_assert_uint_eq(r.got.nrows, 500);
  /* of values of order 10 */
  ck_assert_double_lt(table_distance(&t, "vC", &r.got, "system.x[0]"), 1e-11);
  ck_assert_double_lt(table_distance(&t, "iL", &r.got, "system.x[1]"), 1e-10);
  ck_assert_double_lt(table_distance(&t, "lambda", &r.got, "law.lambda"), 1e-10);
  free(t.data);
  run_end(&r);
}
END_TEST

START_TEST(diode_bridge_is_the_reference)
{
  ns_ctx c;
  ns_model *m = bridge(&c, 1e-6, 4.999e-3);
  m->sim.em.theta = 0.5;
  run r = fo_run(m, &c);
  table t = table_read("tests/data/reference/diode-bridge.csv.gz");
  ck_assert_uint_eq(r.got.nrows, 5000);
  ck_assert_double_lt(table_distance(&t, "vC", &r.got, "system.x[0]"), 1e-10);
  ck_assert_double_lt(table_distance(&t, "iL", &r.got, "system.x[1]"), 1e-9);
  ck_assert_double_lt(table_distance(&t, "y1", &r.got, "law.y[0]"), 1e-9);
  ck_assert_double_lt(table_distance(&t, "lambda3", &r.got, "law.lambda[2]"), 1e-9);
  free(t.data);
  run_end(&r);
}
END_TEST

/* The load sees |v_C|: the discrete solution is implicit Euler on the linear RLC circuit, to
 * rounding. */
START_TEST(diode_bridge_is_a_linear_circuit_on_its_source_side)
{
  ns_ctx c;
  double h = 1e-6, v = 10, i = 0;
  ns_model *m = bridge(&c, h, 2e-3);
  run r = fo_run(m, &c);
  for (size_t k = 1; k < r.got.nrows; k++) {
    /* v+ = v - h (i+ / C + v+ / RC), i+ = i + h v+ / L */
    v = (v - h / Cap * i) / (1 + h / (R * Cap) + h * h / (L * Cap));
    i += h / L * v;
    ck_assert_double_eq_tol(fo_at(&r, k, "system.x[0]"), v, 1e-11);
    ck_assert_double_eq_tol(fo_at(&r, k, "system.x[1]"), i, 1e-13);
  }
  ck_assert_double_lt(r.x->cert->penetration_max, 1e-12);
  ck_assert_double_lt(r.x->cert->residual_max, 1e-13);
  run_end(&r);
}
END_TEST

/* ---- a polyhedral law ------------------------------------------------------------------------ */

/* x' = lambda, -x in N_P(lambda), P a hexagon of apothem 1: from (1, 0.2) lambda is a vertex until
 * x_y = 0, then (-1, 0) until x = 0, then 0. Beside it a relay of the box kind, whose bounds become
 * faces. */
START_TEST(a_hexagon_of_inputs)
{
  ns_ctx c;
  double h = 0.01, x0[] = {1, 0.2}, z0 = 0.3, eye[] = {1, 0, 0, 1}, one = 1;
  static const int second[] = {1};
  ns_model *m = fo_model(&c, h, 1.5);
  fo_linear(m, &c, 2, x0, NULL, NULL);
  fo_linear(m, &c, 1, &z0, NULL, NULL)->at.id = "other";
  ns_interaction *it = fo_relation(m, &c, "NormalConeNSL", 2, 0, 0, fo_first, 1, eye, NULL, eye,
                                   NULL);
  double *N = ns_arena_get(m->arena, 12, sizeof *N), *k = ns_arena_get(m->arena, 6, sizeof *k);
  for (int f = 0; f < 6; f++) {
    N[f] = -cos(f * M_PI / 3);
    N[f + 6] = -sin(f * M_PI / 3);
    k[f] = -1;
  }
  it->law.np = 6;
  it->law.N = N;
  it->law.k = k;
  fo_relation(m, &c, FO_RELAY, 1, -1, 1, second, 1, &one, NULL, &one, NULL)->at.id = "relay";
  run r = fo_run(m, &c);
  ck_assert_str_eq(ns_simulation_plan(r.s)->problem, "AVI");
  for (size_t i = 1; i < r.got.nrows; i++) {
    double t = (double)i * h, x = fo_at(&r, i, "system.x[0]"), y = fo_at(&r, i, "system.x[1]"),
           z = fo_at(&r, i, "other.x[0]");
    ck_assert_double_eq_tol(x, fmax(1 - t, 0), 1e-13);
    ck_assert_double_eq_tol(y, fmax(0.2 - t / sqrt(3), 0), 1e-13);
    ck_assert_double_eq_tol(z, fmax(0.3 - t, 0), 1e-13);
    if (t > 0.37) ck_assert_double_eq_tol(fo_at(&r, i, "law.lambda[1]"), 0, 1e-12);
  }
  ck_assert_double_lt(r.x->cert->penetration_max, 1e-11);
  run_end(&r);
}
END_TEST

/* ---- repetition ------------------------------------------------------------------------------ */

START_TEST(same_model_same_bytes)
{
  ns_ctx c;
  run a = fo_run(bridge(&c, 1e-6, 1e-3), &c), b = fo_run(bridge(&c, 1e-6, 1e-3), &c);
  ck_assert_uint_eq(a.got.nrows, b.got.nrows);
  ck_assert_mem_eq(a.got.rows, b.got.rows, a.got.nrows * a.got.ncols * sizeof(double));
  ck_assert_mem_eq(a.x->block, b.x->block, a.x->bytes);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* A run that is stopped goes on to the same state, to the bit. */
START_TEST(stopped_and_continued_is_the_same)
{
  ns_ctx c;
  run a = fo_ready(bridge(&c, 1e-6, 1e-3), &c), b = fo_ready(bridge(&c, 1e-6, 1e-3), &c);
  ns_watch w = {.max_steps = 377};
  a.c.report = NULL;
  ck_assert_int_eq(ns_simulation_run(a.s, &a.c, NULL, &w), NS_STOPPED);
  ck_assert_int_eq((int)*a.x->step, 377);
  ck_assert_int_eq(ns_simulation_run(a.s, &a.c, NULL, NULL), NS_OK);
  ck_assert_int_eq(ns_simulation_run(b.s, &b.c, NULL, NULL), NS_OK);
  ck_assert_mem_eq(a.x->block, b.x->block, a.x->bytes);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* Zero-order hold: nodes of x' = x + 2 lambda are exact, x_k = 2 - 1.5 e^(t) from 0.5, and x is 0
 * once it was reached. */
START_TEST(a_relay_under_the_zero_order_hold)
{
  ns_ctx c;
  double h = 0.05, x0 = 0.5, A = 1, C = 1, B = 2;
  ns_model *m = fo_model(&c, h, 1);
  m->sim.integrator = "ZeroOrderHoldOSI";
  fo_linear(m, &c, 1, &x0, &A, NULL);
  fo_relation(m, &c, FO_RELAY, 1, -1, 1, fo_first, 1, &C, NULL, &B, NULL);
  run r = fo_run(m, &c);
  for (size_t k = 0; k < r.got.nrows; k++) {
    double t = (double)k * h, want = 2 - 1.5 * exp(t);
    ck_assert_double_eq_tol(fo_at(&r, k, "system.x[0]"), want > 0 ? want : 0, 1e-14);
  }
  ck_assert_uint_eq(r.got.nevents, 1);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_test(t, a_relay_stops_at_zero_exactly);
  tcase_add_test(t, a_relay_balances_a_field);
  tcase_add_test(t, a_step_function_keeps_its_threshold);
  tcase_add_loop_test(t, an_inconsistent_state_jumps, 0, 4);
  tcase_add_test(t, oscillator_with_diode_is_the_reference);
  tcase_add_test(t, diode_bridge_is_the_reference);
  tcase_add_test(t, diode_bridge_is_a_linear_circuit_on_its_source_side);
  tcase_add_test(t, a_hexagon_of_inputs);
  tcase_add_test(t, same_model_same_bytes);
  tcase_add_test(t, stopped_and_continued_is_the_same);
  tcase_add_test(t, a_relay_under_the_zero_order_hold);
}

int main(void) { return suite_run("first order", fill); }
