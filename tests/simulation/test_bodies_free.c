/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rigid bodies without contact against closed forms: free rotation, a top on its tip, mechanisms on
 * joints. */
#include "support/rigid_runs.h"

#include <gsl/gsl_sf_ellint.h>
#include <gsl/gsl_sf_elljac.h>

/* ---- V1: a free body, inertia (1, 2, 3), Omega0 = (0, 1, 0.01) ------------------------------- */

/* Largest relative errors of energy and of angular momentum in the world over a run of 10 s; that
 * of Omega at its end, against (a1 cn, a2 sn, a3 dn)(w t + K). */
static void free_rotation(const char *gyroscopic, double theta, double h, double *err)
{
  static const double I[3] = {1, 2, 3}, end[3] = {-0.9473927097, -0.3200735127, 0.5470688398};
  run r = mechanics(
      "<systems><NewtonEulerDS id='top' gyroscopic='%s'><q0>0 0 0 1 0 0 0</q0><v0>0 0 0 0 1 "
      "0.01</v0><mass>1</mass>"
      "<inertia diag='1 2 3'/></NewtonEulerDS></systems><simulation T='10'><TimeStepping h='%.17g'>"
      "<MoreauJeanOSI theta='%.17g'/></TimeStepping></simulation>",
      gyroscopic, h, theta);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  double E0 = 2 + 3e-4, L0 = sqrt(4 + 9e-4);
  err[0] = err[1] = err[2] = 0;
  for (size_t k = 0; k < r.got.nrows; k++) {
    double L[3], R[9], q[7], v[6], E = 0, off = 0;
    body_at(&r, k, "top", q, v);
    for (int i = 0; i < 3; i++) E += I[i] * v[3 + i] * v[3 + i];
    ns_quaternion_matrix(q + 3, R);
    ns_mul3(R, (double[]){I[0] * v[3], I[1] * v[4], I[2] * v[5]}, L);
    off = hypot(hypot(L[0], L[1] - 2), L[2] - 0.03);
    err[1] = fmax(err[1], fabs(E / E0 - 1));
    err[2] = fmax(err[2], off / L0);
  }
  for (int i = 0; i < 3; i++) err[0] = hypot(err[0], r.x->v[3 + i] - end[i]);
  run_end(&r);
}

START_TEST(free_body_turns_over)
{
  /* errors at h = 0.01, each measured to two digits by an independent program */
  static const struct {
    const char *gyroscopic;
    double theta, omega, energy, momentum;
    int order;
  } row[] = {{"midpoint", 0.5, 4.9e-6, 0, 8.5e-6, 2},
             {"implicit", 0.5, 4.3e-6, 8.3e-6, 9.3e-6, 2},
             {"implicit", 1, 1.1e-2, 7.6e-3, 0, 1},
             {"explicit", 0.5, 1.1e-2, 0, 0, 1}};
  double a[3], b[3], two = pow(2, row[_i].order);
  free_rotation(row[_i].gyroscopic, row[_i].theta, 0.01, a);
  free_rotation(row[_i].gyroscopic, row[_i].theta, 0.005, b);
  ck_assert_double_eq_tol(a[0], row[_i].omega, 0.05 * row[_i].omega);
  ck_assert_double_eq_tol(a[0] / b[0], two, 0.05 * two);
  if (row[_i].energy > 0) ck_assert_double_eq_tol(a[1], row[_i].energy, 0.05 * row[_i].energy);
  if (strcmp(row[_i].gyroscopic, "midpoint") == 0) ck_assert_double_le(a[1], 1e-13);
  if (row[_i].momentum > 0)
    ck_assert_double_eq_tol(a[2], row[_i].momentum, 0.05 * row[_i].momentum);
}
END_TEST

/* Omega(t) in closed form; the elliptic functions take the parameter m = k^2. */
static void euler_top(double t, double *Omega)
{
  const double I1 = 1, I2 = 2, I3 = 3, E2 = 2.0003, L2 = 4.0009;
  double w = sqrt((I3 - I2) * (L2 - E2 * I1) / (I1 * I2 * I3)),
         m = (I2 - I1) * (E2 * I3 - L2) / ((I3 - I2) * (L2 - E2 * I1)), sn, cn, dn;
  gsl_sf_elljac_e(w * t + gsl_sf_ellint_Kcomp(sqrt(m), GSL_PREC_DOUBLE), m, &sn, &cn, &dn);
  Omega[0] = sqrt((E2 * I3 - L2) / (I1 * (I3 - I1))) * cn;
  Omega[1] = sqrt((E2 * I3 - L2) / (I2 * (I3 - I2))) * sn;
  Omega[2] = sqrt((L2 - E2 * I1) / (I3 * (I3 - I1))) * dn;
}

/* Largest error of Omega over 40 s, in which it turns over twice. */
static double whole_motion(double h)
{
  run r = mechanics(
      "<systems><NewtonEulerDS id='top' gyroscopic='midpoint'><q0>0 0 0 1 0 0 0</q0><v0>0 0 0 0 1 "
      "0.01</v0><mass>1</mass>"
      "<inertia diag='1 2 3'/></NewtonEulerDS></systems><simulation T='40'><TimeStepping h='%.17g'>"
      "<MoreauJeanOSI theta='0.5'/></TimeStepping></simulation>",
      h);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  double worst = 0;
  for (size_t k = 0; k < r.got.nrows; k++) {
    double q[7], v[6], W[3];
    body_at(&r, k, "top", q, v);
    euler_top(run_at(&r, k, "time"), W);
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(v[3 + i] - W[i]));
  }
  run_end(&r);
  return worst;
}

START_TEST(free_body_follows_elliptic_functions)
{
  static const double at5[3] = {-0.1539375695, 0.9880805760, 0.0894367100},
                      at10[3] = {-0.9473927097, -0.3200735127, 0.5470688398};
  double W[3];
  euler_top(5, W);
  near(W, at5, 3, 1e-10);
  euler_top(10, W);
  near(W, at10, 3, 1e-10);
  euler_top(18.85103579, W); /* half a period: turned over */
  near(W, (double[]){0, -1, 0.01}, 3, 1e-7);
  double a = whole_motion(0.02), b = whole_motion(0.01);
  ck_assert_double_le(b, 2.5e-5);
  ck_assert_double_eq_tol(log2(a / b), 2, 0.05);
}
END_TEST

/* ---- V2: a heavy top in steady precession ---------------------------------------------------- */

/* Largest nutation, and the azimuth after one turn, from 0. */
static void top(const char *h, const char *rate, double *err)
{
  const char *set[] = {h, rate, NULL};
  run r = run_load("models/heavy-top/heavy-top.xml", set);
  r.m->out.every = 1;
  ck_assert_int_eq(run_keep(&r), NS_OK);
  err[0] = err[1] = 0;
  for (size_t k = 0; k < r.got.nrows; k++) {
    double q[7], v[6];
    body_at(&r, k, "top", q, v);
    err[0] = fmax(err[0], fabs(acos(q[2] / ns_norm3(q)) - M_PI / 3));
    err[1] = fabs(atan2(q[0], -q[1]));
  }
  run_end(&r);
}

START_TEST(top_precesses_with_both_rates)
{
  static const char *const rate[] = {NULL, "rate=21.227133899"};
  double a[2], b[2];
  top("steps=2048", rate[_i], a);
  top("steps=4096", rate[_i], b);
  ck_assert_double_eq_tol(log2(a[1] / b[1]), 2, 0.05);
  ck_assert_double_le(b[0], _i ? 1e-3 : 1e-4);
  ck_assert_double_ge(log2(a[0] / b[0]), 1.9);
}
END_TEST

/* ---- V9: a rod on a hinge -------------------------------------------------------------------- */

/* A quarter of the period, the speed at the bottom and the reaction there in weights; the largest
 * error of the hinge. */
static void swing(const char *h, double *out)
{
  const char *set[] = {h, NULL};
  run r = run_load_until("models/pendulum-joint/pendulum-joint.xml", set, 0.6);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  size_t k = row_where(&r, "rod.x", 0);
  double s = part_of_step(&r, k, "rod.x", 0), H = run_at(&r, 1, "time");
  out[0] = (1 - s) * run_at(&r, k - 1, "time") + s * run_at(&r, k, "time");
  out[1] = (1 - s) * run_at(&r, k - 1, "rod.Omega_y") + s * run_at(&r, k, "rod.Omega_y");
  out[2] = (run_at(&r, k, "rod.v_z") - run_at(&r, k - 1, "rod.v_z")) / H / G + 1;
  out[3] = joint_error(&r, "hinge", 5);
  run_end(&r);
}

START_TEST(rod_swings_on_its_hinge)
{
  double a[4], b[4], T = 1.9333348544 / 4, w = 5.4249424;
  swing("h=2e-3", a);
  swing("h=1e-3", b);
  ck_assert_double_eq_tol(b[0], T, 1e-6);
  ck_assert_double_eq_tol(log2((a[0] - T) / (b[0] - T)), 2, 0.2);
  ck_assert_double_eq_tol(b[1], w, 1e-5);
  ck_assert_double_eq_tol(b[2], 2.5, 1e-4); /* the mean over the step */
  ck_assert_double_le(b[3], 1e-8);
}
END_TEST

/* Largest error of the energy in five periods. */
static double energy_error(const char *h)
{
  const char *set[] = {h, NULL};
  run r = run_load("models/pendulum-joint/pendulum-joint.xml", set);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  double worst = 0;
  for (size_t k = 0; k < r.got.nrows; k++) {
    double w = run_at(&r, k, "rod.Omega_y"),
           v = hypot(run_at(&r, k, "rod.v_x"), run_at(&r, k, "rod.v_z"));
    worst = fmax(worst, fabs(v * v / 2 + w * w / 24 + G * run_at(&r, k, "rod.z")));
  }
  ck_assert_double_le(joint_error(&r, "hinge", 5), 1e-8);
  run_end(&r);
  return worst;
}

START_TEST(rod_keeps_its_energy_to_second_order)
{
  double a = energy_error("h=2e-3"), b = energy_error("h=1e-3");
  ck_assert_double_le(b, 3e-5);
  ck_assert_double_eq_tol(log2(a / b), 2, 0.1);
}
END_TEST

/* From rest at 1e-3 rad beside the bottom: the first time at the bottom is a quarter of 2 pi sqrt(2
 * L/(3 g)). */
static double small_quarter(double h)
{
  run r = mechanics("<systems><NewtonEulerDS id='rod'><q0 axis='0 1 0' "
                    "angle='pi/2-1e-3'>0.5*sin(1e-3) 0 -0.5*cos(1e-3)</q0><mass>1</mass>"
                    "<inertia diag='1e-3 1/12 1/12'/><fExt>0 0 "
                    "-9.81</fExt></NewtonEulerDS></systems><interactions>"
                    "<interaction id='hinge' systems='rod'><PivotJointR point='0 0 0' axis='0 1 "
                    "0'/><EqualityConditionNSL/></interaction>"
                    "</interactions><simulation T='0.5'><TimeStepping "
                    "h='%.17g'><MoreauJeanDirectProjectionOSI/></TimeStepping></simulation>",
                    h);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  size_t k = row_where(&r, "rod.x", 0);
  double t = run_at(&r, k - 1, "time") + part_of_step(&r, k, "rod.x", 0) * h;
  run_end(&r);
  return t;
}

START_TEST(rod_swings_a_little)
{
  double a = small_quarter(2e-3), b = small_quarter(1e-3), T = 1.6379465859;
  ck_assert_double_eq_tol(4 * b, T, 3e-6);
  /* the next order of the step, and that of the amplitude */
  ck_assert_double_eq_tol(4 * (4 * b - a) / 3, T * (1 + 1e-6 / 16), 2e-8);
}
END_TEST

/* Energy does not drift: what it is off in the last of 40 s is what it is in the first 10. */
START_TEST(rod_keeps_its_energy_for_long)
{
  run r = run_load_until("models/pendulum-joint/pendulum-joint.xml", NULL, 40);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  double worst[2] = {0, 0};
  for (size_t k = 0; k < r.got.nrows; k++) {
    double w = run_at(&r, k, "rod.Omega_y"),
           v = hypot(run_at(&r, k, "rod.v_x"), run_at(&r, k, "rod.v_z")), t = run_at(&r, k, "time");
    int half = t < 10 ? 0 : t > 30 ? 1 : -1;
    if (half >= 0)
      worst[half] = fmax(worst[half], fabs(v * v / 2 + w * w / 24 + G * run_at(&r, k, "rod.z")));
  }
  ck_assert_double_le(worst[1], worst[0]);
  run_end(&r);
}
END_TEST

/* Turning over and over: rows of orientation change their sign each half turn, which may fall
 * inside of a step. */
START_TEST(rod_turns_over)
{
  double w0 = 50 + _i;
  run r = mechanics("<systems><NewtonEulerDS id='rod'><q0>0.5 0 0 1 0 0 0</q0><v0>0 0 %.17g 0 "
                    "%.17g 0</v0><mass>1</mass>"
                    "<inertia diag='1e-3 1/12 1/12'/><fExt>0 0 "
                    "-9.81</fExt></NewtonEulerDS></systems><interactions>"
                    "<interaction id='hinge' systems='rod'><PivotJointR point='0 0 0' axis='0 1 "
                    "0'/><EqualityConditionNSL/></interaction>"
                    "</interactions><simulation T='3'><TimeStepping "
                    "h='1e-3'><MoreauJeanOSI/></TimeStepping></simulation>",
                    -w0 / 2, w0);
  run_all(&r);
  const double *v = r.x->v;
  double E = (v[0] * v[0] + v[2] * v[2] + v[4] * v[4] / 12) / 2 + G * r.x->q[2];
  ck_assert_double_eq_tol(E, w0 * w0 / 6, 1e-2);
  ck_assert_int_le(r.x->cert->newton_max, 8);
  run_end(&r);
}
END_TEST

/* ---- V10: slider-crank ----------------------------------------------------------------------- */

/* Speed of the crank at a quarter of a turn, the slider's place there, and the time of a turn. */
static void crank(const char *h, double *out)
{
  const char *set[] = {h, NULL};
  run r = run_load_until("models/slider-crank-joints/slider-crank-joints.xml", set, 0.07);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  size_t k = row_where(&r, "crank.x", 0);
  double s = part_of_step(&r, k, "crank.x", 0);
  out[0] = (1 - s) * run_at(&r, k - 1, "crank.Omega_z") + s * run_at(&r, k, "crank.Omega_z");
  out[1] = (1 - s) * run_at(&r, k - 1, "slider.x") + s * run_at(&r, k, "slider.x");
  while (k < r.got.nrows && !(run_at(&r, k - 1, "crank.y") < 0 && run_at(&r, k, "crank.y") >= 0))
    k++;
  ck_assert_uint_lt(k, r.got.nrows);
  s = part_of_step(&r, k, "crank.y", 0);
  out[2] = (1 - s) * run_at(&r, k - 1, "time") + s * run_at(&r, k, "time");
  run_end(&r);
}

START_TEST(slider_crank_slows_down_and_turns)
{
  double a[3], b[3], end[3] = {71.10555, 0.26500377, 0.06788626631};
  crank("h=1e-4", a);
  crank("h=5e-5", b);
  for (int i = 0; i < 3; i++) {
    ck_assert_double_eq_tol(b[i], end[i], 1e-4 * end[i]);
    /* second order, but for interpolation */
    if (i != 1) ck_assert_double_ge(fabs(a[i] - end[i]) / fabs(b[i] - end[i]), 3);
  }
}
END_TEST

/* ---- V11: four-bar linkage ------------------------------------------------------------------- */

/* Rows of all joints of the model at its initial state, and the number of those that count; of
 * joints between two bodies the first `of_pins` alone. */
static int joint_rank(const run *r, int of_pins, int *rows)
{
  double A[32 * 18] = {0};
  *rows = 0;
  for (int i = 0; i < r->m->ninteractions; i++) {
    const ns_interaction *it = &r->m->interactions[i];
    double Q[14], y[6], B[6 * 12], *work = malloc(ns_rigid_relation_work(it) * sizeof *work);
    for (int k = 0; k < it->nsystems; k++)
      memcpy(Q + 7 * k, r->x->q + r->m->systems[it->systems[k]].q, 7 * sizeof *Q);
    ns_ctx c = {0};
    ck_assert_int_eq(ns_rigid_relation_rows(it, &c, &(ns_point){.n = it->nQ, .q = Q, .m = it->m},
                                            work, y, B, NULL),
                     NS_OK);
    free(work);
    int m = it->nsystems > 1 ? of_pins : it->m;
    for (int j = 0; j < it->nV; j++)
      for (int k = 0; k < m; k++)
        A[(*rows + k) * 18 + (int)r->m->systems[it->systems[j / 6]].v + j % 6] = B[k + it->m * j];
    *rows += m;
  }
  return rank_of(A, *rows, 18);
}

START_TEST(four_bars_have_one_freedom)
{
  int rows = 0;
  run r = run_load("models/four-bar-joints/four-bar-joints.xml", NULL);
  ck_assert_int_eq(joint_rank(&r, 5, &rows), 17);
  ck_assert_int_eq(rows, 20);
  /* with ball joints in place of the pins the coupler may turn about itself */
  ck_assert_int_eq(joint_rank(&r, 3, &rows), 16);
  ck_assert_int_eq(rows, 16);
  const double *v = r.x->v;
  ck_assert_double_eq_tol(v[11] / v[5], -0.2065122628, 1e-9);
  ck_assert_double_eq_tol(v[17] / v[5], 0.3056181127, 1e-9);
  run_all(&r); /* two seconds later: the loop is closed, and rates are those of its shape */
  const double *q = r.x->q;
  double a[3]; /* angles of crank, coupler and rocker */
  for (int k = 0; k < 3; k++) a[k] = 2 * atan2(q[7 * k + 6], q[7 * k + 3]);
  ck_assert_double_eq_tol(0.2 * cos(a[0]) + 0.5 * cos(a[1]), 0.5 + 0.4 * cos(a[2]), 1e-8);
  ck_assert_double_eq_tol(0.2 * sin(a[0]) + 0.5 * sin(a[1]), 0.4 * sin(a[2]), 1e-8);
  ck_assert_double_eq_tol(v[11] / v[5], 0.2 * sin(a[2] - a[0]) / (0.5 * sin(a[1] - a[2])), 1e-6);
  ck_assert_double_eq_tol(v[17] / v[5], 0.2 * sin(a[0] - a[1]) / (0.4 * sin(a[2] - a[1])), 1e-6);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, free_body_turns_over, 0, 4);
  tcase_add_test(t, free_body_follows_elliptic_functions);
  tcase_add_loop_test(t, top_precesses_with_both_rates, 0, 2);
  tcase_add_test(t, rod_swings_on_its_hinge);
  tcase_add_test(t, rod_keeps_its_energy_to_second_order);
  tcase_add_test(t, rod_swings_a_little);
  tcase_add_test(t, rod_keeps_its_energy_for_long);
  tcase_add_loop_test(t, rod_turns_over, 0, 8);
  tcase_add_test(t, slider_crank_slows_down_and_turns);
  tcase_add_test(t, four_bars_have_one_freedom);
}

int main(void) { return suite_run("rigid bodies: free, and on joints", fill); }
