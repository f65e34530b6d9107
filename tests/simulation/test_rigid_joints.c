/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mechanisms of rigid bodies on joints against closed forms: pendulum, slider-crank, four-bar with
 * redundant rows. */
#include "support/bodies.h"

#define G 9.81
static const double Z[3] = {0, 0, 1}, Y[3] = {0, 1, 0}, origin[3] = {0};

/* ---- a rod on a hinge, from rest at 90 degrees; angles about y ------------------------------- */

static run pendulum(double h, double T, double theta, const char *integrator)
{
  static const double I[3] = {1e-3, 1.0 / 12, 1.0 / 12}, x[3] = {0.5}, weight[3] = {0, 0, -G};
  run r = bodies_begin(h, T, theta);
  add_body(&r, "rod", 1, I, x, NULL, NULL, weight);
  add_hinge(&r, 0, -1, origin, Y);
  r.m->sim.integrator = integrator;
  return r;
}

/* |h| of all joints at the end. */
static double drift(const run *r)
{
  double max = 0;
  for (size_t i = 0; i < r->m->nrows; i++) max = fmax(max, fabs(r->x->y[i]));
  return max;
}

/* At a quarter of the period, 1.9333348544/4 s, it hangs down with sqrt(3 g/L). */
static double pendulum_error(int steps, double theta)
{
  double quarter = 1.9333348544 / 4;
  run r = pendulum(quarter / steps, quarter, theta, "MoreauJeanDirectProjectionOSI");
  bodies_run(&r);
  double e = fabs(fabs(r.x->v[4]) - 5.4249424);
  run_end(&r);
  return e;
}

START_TEST(a_pendulum_swings_at_second_order)
{
  double a = pendulum_error(100, 0.5), b = pendulum_error(200, 0.5);
  ck_assert_double_ge(log2(a / b), 1.9);
  ck_assert_double_le(b, 1e-3);
}
END_TEST

START_TEST(a_pendulum_stays_on_its_hinge)
{
  static const struct {
    const char *integrator;
    ns_metric metric;
  } row[] = {{"MoreauJeanDirectProjectionOSI", NS_METRIC_MASS},
             {"MoreauJeanDirectProjectionOSI", NS_METRIC_IDENTITY},
             {"MoreauJeanCombinedProjectionOSI", NS_METRIC_MASS}};
  run r = pendulum(1e-3, 10, 0.5, row[_i].integrator);
  r.m->sim.proj.metric = row[_i].metric;
  bodies_run(&r);
  ck_assert_double_le(drift(&r), 1e-8);
  ck_assert_double_le(fabs(ns_norm3(r.x->q) - 0.5), 1e-8);
  ck_assert_double_le(r.x->cert->defect_max, 3e-5); /* of 4.9 J */
  run_end(&r);
}
END_TEST

START_TEST(without_projection_it_drifts)
{
  run r = pendulum(1e-3, 10, 0.5, "MoreauJeanOSI");
  bodies_run(&r);
  ck_assert_double_gt(drift(&r), 1e-8);
  ck_assert_double_le(drift(&r), 1e-3);
  run_end(&r);
}
END_TEST

/* Unit of length: the same rod with numbers in m (1), mm (1e3), um (1e6), or km (1e-3). Passes of
 * Newton's method end by a test of forces and moments, which must not depend on it: less accurate
 * moments accumulate. Angles and times are the same, lengths are multiplied. */
typedef struct swing {
  double x, z, Omega;
} swing;

static swing swing_in(double unit)
{
  double I[3] = {1e-3 * unit * unit, unit * unit / 12, unit * unit / 12}, x[3] = {0.5 * unit},
         weight[3] = {0, 0, -G * unit};
  run r = bodies_begin(1e-2, 1, 0.5);
  add_body(&r, "rod", 1, I, x, NULL, NULL, weight);
  add_hinge(&r, 0, -1, origin, Y);
  r.m->sim.integrator = "MoreauJeanOSI"; /* tolerances of projections are lengths */
  bodies_run(&r);
  swing s = {r.x->q[0] / unit, r.x->q[2] / unit, r.x->v[4]};
  run_end(&r);
  return s;
}

START_TEST(a_pendulum_does_not_depend_on_the_unit_of_length)
{
  static const double unit[] = {1e-6, 1e-3, 1e3, 1e6};
  swing a = swing_in(1), b = swing_in(unit[_i]);
  ck_assert_double_le(fabs(a.x - b.x), 1e-9);
  ck_assert_double_le(fabs(a.z - b.z), 1e-9);
  ck_assert_double_le(fabs(a.Omega - b.Omega), 1e-9);
}
END_TEST

/* ---- slider-crank: data of Flores, Leine and Glocker (2010), without weight ------------------ */

enum { CRANK, ROD, SLIDER };

static run slider_crank(double h, double T)
{
  static const double a = 0.153, l = 0.306;
  double Ic[3] = {5e-5, 5e-5, 7.4e-5}, Ir[3] = {4e-4, 4e-4, 5.9e-4}, Is[3] = {1e-4, 1e-4, 1e-4};
  double vc[6] = {0, 150 * a / 2, 0, 0, 0, 150}, vr[6] = {0, 150 * a - 75 * l / 2, 0, 0, 0, -75},
         vs[6] = {0};
  run r = bodies_begin(h, T, 0.5);
  add_body(&r, "crank", 0.038, Ic, (double[]){a / 2, 0, 0}, NULL, vc, NULL);
  add_body(&r, "rod", 0.038, Ir, (double[]){a + l / 2, 0, 0}, NULL, vr, NULL);
  add_body(&r, "slider", 0.076, Is, (double[]){a + l, 0, 0}, NULL, vs, NULL);
  add_hinge(&r, CRANK, -1, origin, Z);
  add_hinge(&r, CRANK, ROD, (double[]){a, 0, 0}, Z);
  add_ball(&r, ROD, SLIDER, (double[]){a + l, 0, 0});
  add_joint(&r, "PrismaticJointR", NS_JOINT_PRISMATIC, SLIDER, -1, (double[]){a + l, 0, 0},
            (double[]){1, 0, 0});
  r.m->sim.integrator = "MoreauJeanDirectProjectionOSI";
  return r;
}

/* After one revolution, 0.06788626631 s, it is where it was, as fast as it was. */
static double revolution(int steps)
{
  double T = 0.06788626631;
  run r = slider_crank(T / steps, T);
  bodies_run(&r);
  double e = fmax(fabs(r.x->v[5] - 150) / 150, fabs(atan2(r.x->q[1], r.x->q[0])));
  ck_assert_double_le(drift(&r), 1e-8);
  run_end(&r);
  return e;
}

START_TEST(a_slider_crank_turns_at_second_order)
{
  double a = revolution(400), b = revolution(800);
  ck_assert_double_ge(log2(a / b), 1.9);
  ck_assert_double_le(b, 1e-3);
}
END_TEST

/* ---- four-bar: four hinges about z, 20 rows of rank 17 --------------------------------------- */

START_TEST(a_four_bar_runs_on_redundant_rows)
{
  /* crank 0.2, coupler 0.5, rocker 0.4, ground 0.5; angles of crank, coupler, rocker */
  double A[2] = {0.2 * cos(1), 0.2 * sin(1)}, B[2] = {0.5529555, 0.3964791}, O[2] = {0.5, 0};
  double angle[3] = {1, atan2(B[1] - A[1], B[0] - A[0]), atan2(B[1] - O[1], B[0] - O[0])};
  double rate[3] = {1, -0.2065122628, 0.3056181127},
         from[3][2] = {{0, 0}, {A[0], A[1]}, {O[0], O[1]}}, length[3] = {0.2, 0.5, 0.4};
  static const char *const id[] = {"crank", "coupler", "rocker"};
  run r = bodies_begin(1e-3, 10, 0.5);
  for (int i = 0; i < 3; i++) {
    double I[3] = {1e-3, length[i] * length[i] / 12, length[i] * length[i] / 12},
           p[4] = {cos(angle[i] / 2), 0, 0, sin(angle[i] / 2)};
    double d[2] = {cos(angle[i]) * length[i] / 2, sin(angle[i]) * length[i] / 2},
           x[3] = {from[i][0] + d[0], from[i][1] + d[1], 0};
    double base[2] = {i == 1 ? -0.2 * sin(1) : 0, i == 1 ? 0.2 * cos(1) : 0};
    double v[6] = {base[0] - rate[i] * d[1], base[1] + rate[i] * d[0], 0, 0, 0, rate[i]};
    add_body(&r, id[i], 1, I, x, p, v, NULL);
  }
  add_hinge(&r, 0, -1, origin, Z);
  add_hinge(&r, 0, 1, (double[]){A[0], A[1], 0}, Z);
  add_hinge(&r, 1, 2, (double[]){B[0], B[1], 0}, Z);
  add_hinge(&r, 2, -1, (double[]){O[0], O[1], 0}, Z);
  r.m->sim.integrator = "MoreauJeanDirectProjectionOSI";
  ck_assert_uint_eq((bodies_ready(&r), r.m->nrows), 20);
  int rc = ns_simulation_run(r.s, &r.c, NULL, NULL);
  ck_assert_msg(rc == NS_OK, "%s", r.c.msg);
  ck_assert_double_le(drift(&r), 1e-8);
  ck_assert_double_eq_tol(r.x->cert->kinetic / r.x->cert->energy0, 1, 1e-5);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, a_pendulum_swings_at_second_order);
  tcase_add_loop_test(t, a_pendulum_stays_on_its_hinge, 0, 3);
  tcase_add_test(t, without_projection_it_drifts);
  tcase_add_loop_test(t, a_pendulum_does_not_depend_on_the_unit_of_length, 0, 4);
  tcase_add_test(t, a_slider_crank_turns_at_second_order);
  tcase_add_test(t, a_four_bar_runs_on_redundant_rows);
}

int main(void) { return suite_run("rigid joints", fill); }
