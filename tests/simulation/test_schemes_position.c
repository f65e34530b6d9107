/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schatzman-Paoli: the published trajectory, its equations row by row, rest, events, order,
 * restart. */
#include "support/run.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define BALL(q0, attributes, h, T) \
  HEAD "<LagrangianLinearTIDS id='ball' coordinates='x y phi'><q0>" q0 " 0 0</q0><v0>0 0 0</v0>" \
  "<mass diag='1 1 2/5*0.1^2'/><fExt>-9.81 0 0</fExt></LagrangianLinearTIDS></systems>" \
  "<interactions><interaction id='ground' systems='ball'><LagrangianLinearTIR><H>1 0 0</H>" \
  "</LagrangianLinearTIR><NewtonImpactNSL e='0.9'/></interaction></interactions><simulation " \
    "T='" T "'>" \
  "<TimeStepping h='" h "'><SchatzmanPaoliOSI " \
    "" attributes "/><LCP/></TimeStepping></simulation></model>"

/* The published multiplier is h P. Afterwards round-off decides in the last tiny bounces. */
START_TEST(bouncing_ball_reference)
{
  table t = table_read("tests/data/reference/bouncing-ball-ts-schatzman-paoli.csv.gz");
  run r = run_play(BALL("1", "start='velocity'", "0.005", "10"));
  ck_assert_uint_eq(r.got.nrows, 2001);
  int row = table_column(&t, "row"), q = table_column(&t, "q"), v = table_column(&t, "v"),
      l = table_column(&t, "lambda");
  for (size_t i = 0; i < t.nrows; i++) {
    const double *a = t.data + i * (size_t)t.ncols;
    size_t k = (size_t)a[row];
    int early = k <= 1500;
    ck_assert_double_le(fabs(a[q] - run_at(&r, k, "ball.x")), early ? 1e-9 : 1e-5);
    ck_assert_double_le(fabs(a[v] - run_at(&r, k, "ball.v_x")), early ? 1e-7 : 2e-3);
    ck_assert_double_le(fabs(a[l] - 0.005 * run_at(&r, k, "ground.lambda")), early ? 1e-9 : 1e-5);
  }
  ck_assert_double_le(fabs(run_at(&r, 2000, "ball.x")), 1e-6);
  ck_assert_double_eq_tol(run_at(&r, 2000, "ground.lambda"), 9.81 * 0.005, 1e-7);
  run_end(&r);
  free(t.data);
}
END_TEST

/* On the ground at t0: the contact's force is part of the start, nothing ever moves. */
START_TEST(rest_is_exact)
{
  run r = run_play(BALL("0", "", "0.005", "1"));
  for (size_t i = 1; i < r.got.nrows; i++) {
    ck_assert_double_le(fabs(run_at(&r, i, "ball.x")), 1e-17);
    ck_assert_double_eq_tol(run_at(&r, i, "ground.lambda"), 9.81 * 0.005, 1e-14);
  }
  run_end(&r);
}
END_TEST

/* One event an impact, with velocities of the flights before and after, 1 m down and e times as
 * fast up. */
START_TEST(an_impact_is_one_event)
{
  run r = run_play(BALL("1", "", "1e-4", "2"));
  size_t n = 0;
  double v = sqrt(2 * 9.81);
  for (size_t i = 0; i < r.got.nevents; i++) {
    const ns_event *e = &r.got.events[i];
    if (e->kind != NS_EVENT_IMPACT) continue;
    ck_assert_double_eq_tol(e->before, -v, 2e-3);
    ck_assert_double_eq_tol(e->after, 0.9 * v, 2e-3);
    ck_assert_double_eq_tol(e->impulse, 1.9 * v, 4e-3);
    v *= 0.9;
    n++;
  }
  ck_assert_uint_eq(n, 3); /* at 0.45 s, 1.26 s, 1.996 s */
  ck_assert_int_eq((int)r.x->cert->impacts, 3);
  /* no stiffness: it closes, to rounding of q over h */
  ck_assert_double_le(r.x->cert->defect_max, 5e-9);
  run_end(&r);
}
END_TEST

/* M (q+ - 2q + q-) + h^2 (K q_theta + C v_theta - F_theta) = 0, row by row, with theta K in the
 * matrix. */
#define OSCILLATOR(theta) \
  HEAD "<LagrangianLinearTIDS id='s' coordinates='a b'><q0>1 0</q0><v0>0.3 -0.2</v0><mass>2 " \
    "0.3; 0.3 1</mass>" \
  "<K>40 -15; -15 30</K><C>0.2 0.05; 0.05 0.1</C><fExt>sin(3*t) " \
    "0.5</fExt></LagrangianLinearTIDS></systems>" \
  "<simulation T='1'><TimeStepping h='0.01'><SchatzmanPaoliOSI " \
    "theta='" theta "'/></TimeStepping></simulation></model>"

START_TEST(the_discrete_equations_hold)
{
  static const char *const text[] = {OSCILLATOR("0.5"), OSCILLATOR("0.7"), OSCILLATOR("1"),
                                     OSCILLATOR("0")};
  static const double theta[] = {0.5, 0.7, 1, 0};
  static const double M[2][2] = {{2, 0.3}, {0.3, 1}}, K[2][2] = {{40, -15}, {-15, 30}},
                      C[2][2] = {{0.2, 0.05}, {0.05, 0.1}};
  run r = run_play(text[_i]);
  double h = 0.01, th = theta[_i];
  const char *q[] = {"s.a", "s.b"}, *v[] = {"s.v_a", "s.v_b"};
  for (size_t k = 1; k + 1 < r.got.nrows; k++)
    for (int i = 0; i < 2; i++) {
      double s = 0, f0 = i ? 0.5 : sin(3 * h * (double)k),
             f1 = i ? 0.5 : sin(3 * h * (double)(k + 1));
      for (int j = 0; j < 2; j++) {
        s += M[i][j] *
             (run_at(&r, k + 1, q[j]) - 2 * run_at(&r, k, q[j]) + run_at(&r, k - 1, q[j])) /
             (h * h);
        s += K[i][j] * (th * run_at(&r, k + 1, q[j]) + (1 - th) * run_at(&r, k, q[j]));
        s += C[i][j] * (th * run_at(&r, k + 1, v[j]) + (1 - th) * run_at(&r, k, v[j]));
      }
      ck_assert_double_le(fabs(s - th * f1 - (1 - th) * f0), 5e-11); /* rounding of q over h^2 */
    }
  run_end(&r);
}
END_TEST

/* q'' = -9 q: |q(1) - cos 3|. One-sided K damps: order 1; at theta = 0 the scheme is that of
 * Stoermer, order 2. */
static double error(const char *theta, const char *h)
{
  char text[1024];
  snprintf(text, sizeof text,
           HEAD "<LagrangianLinearTIDS id='s' "
                "coordinates='a'><q0>1</q0><mass>1</mass><K>9</K></LagrangianLinearTIDS></systems>"
                "<simulation T='1'><TimeStepping h='%s'><SchatzmanPaoliOSI "
                "theta='%s'/></TimeStepping></simulation></model>",
           h, theta);
  run r = run_play(text);
  double e = fabs(r.x->q[0] - cos(3));
  run_end(&r);
  return e;
}

START_TEST(it_has_its_order)
{
  ck_assert_double_eq_tol(log2(error("0.5", "1e-3") / error("0.5", "5e-4")), 1, 0.05);
  ck_assert_double_eq_tol(log2(error("1", "1e-3") / error("1", "5e-4")), 1, 0.05);
  ck_assert_double_eq_tol(log2(error("0", "1e-3") / error("0", "5e-4")), 2, 0.05);
}
END_TEST

/* Two masses tied, then pulled apart: the tie holds in position. */
START_TEST(an_equality_holds_in_position)
{
  run r = run_play(
      HEAD "<LagrangianLinearTIDS id='s' coordinates='a b'><q0>0 1</q0><mass>1 0; 0 "
           "3</mass><fExt>-1 cos(5*t)</fExt>"
           "</LagrangianLinearTIDS></systems><interactions><interaction id='tie' "
           "systems='s'><LagrangianLinearTIR><H>-1 1</H>"
           "<e>-1</e></LagrangianLinearTIR><EqualityConditionNSL/></interaction></"
           "interactions><simulation T='1'>"
           "<TimeStepping h='1e-3'><SchatzmanPaoliOSI/></TimeStepping></simulation></model>");
  for (size_t i = 0; i < r.got.nrows; i++) ck_assert_double_le(fabs(run_at(&r, i, "tie.y")), 1e-13);
  run_end(&r);
}
END_TEST

/* q- is in the state: a copy of the block goes on to the bit, also between the two steps of an
 * impact (row 91). */
START_TEST(a_restart_is_exact)
{
  static const long long stop[] = {40, 91, 92};
  const char *text = BALL("1", "", "0.005", "1");
  run a = run_load(text, NULL), b = run_load(text, NULL);
  ns_watch w = {.max_steps = stop[_i]}, one = {.max_steps = 1};
  ck_assert_int_eq(ns_simulation_run(a.s, &a.c, NULL, &w), NS_STOPPED);
  ck_assert_int_eq(ns_simulation_run(b.s, &b.c, NULL, &one), NS_STOPPED);
  memcpy(b.x->block, a.x->block, a.x->bytes);
  a.c.rc = b.c.rc = NS_OK;
  ck_assert_int_eq(ns_simulation_run(a.s, &a.c, NULL, NULL), NS_OK);
  ck_assert_int_eq(ns_simulation_run(b.s, &b.c, NULL, NULL), NS_OK);
  ck_assert_mem_eq(b.x->block, a.x->block, a.x->bytes);
  run_end(&a);
  run_end(&b);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, bouncing_ball_reference);
  tcase_add_test(t, rest_is_exact);
  tcase_add_test(t, an_impact_is_one_event);
  tcase_add_loop_test(t, the_discrete_equations_hold, 0, 4);
  tcase_add_test(t, it_has_its_order);
  tcase_add_test(t, an_equality_holds_in_position);
  tcase_add_loop_test(t, a_restart_is_exact, 0, 3);
}

int main(void) { return suite_run("Schatzman-Paoli", fill); }
