/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rigid bodies in contact against closed forms: impact, rolling, jamming. */
#include "support/rigid_runs.h"

/* Load, override, run to the end. */
static run play(const char *model, const char *const *set)
{
  char path[128];
  snprintf(path, sizeof path, "models/%s/%s.xml", model, model);
  run r = run_load(path, set);
  run_all(&r);
  return r;
}

#define BALL(shape_and_inertia, q0, v0, force) \
  "<systems><NewtonEulerDS id='ball'><q0>" q0 " 1 0 0 " \
    "0</q0><v0>" v0 "</v0><mass>1</mass>" shape_and_inertia \
  "<fExt>" force "</fExt></NewtonEulerDS></systems>"
#define SPHERE "<inertia diag='0.004 0.004 0.004'/><Sphere radius='0.1'/>"
#define FLOOR(law) "<contacts>" law "<Plane normal='0 0 1'/></contacts>"
#define STEPS(h, T) "<simulation T='" T "'><TimeStepping h='" h "'><MoreauJeanOSI " \
  "theta='1'/></TimeStepping></simulation>"

/* ---- V3: impact with spin -------------------------------------------------------------------- */

/* One impact without gravity: exact but for rounding. */
START_TEST(sphere_bounces_with_spin)
{
  static const struct {
    double before[3], after[3];
  } row[] = {{{2, -3, 0}, {10. / 7, 2.4, 100. / 7}},
             {{0.5, -3, 0}, {2.5 / 7, 2.4, 25. / 7}},
             {{2, -3, -40}, {0.92, 2.4, -13}}};
  run r = mechanics(BALL(SPHERE, "0 0 0.101", "%g 0 %g 0 %g 0", "0 0 0")
                        FLOOR("<NewtonImpactFrictionNSL en='0.8' mu='0.2'/>") STEPS("1e-3", "0.01"),
                    row[_i].before[0], row[_i].before[1], row[_i].before[2]);
  run_all(&r);
  near((double[]){r.x->v[0], r.x->v[2], r.x->v[4] / 10},
       (double[]){row[_i].after[0], row[_i].after[1], row[_i].after[2] / 10}, 3, 1e-13);
  near((double[]){r.x->v[1], r.x->v[3], r.x->v[5]}, (double[3]){0}, 3, 1e-14);
  run_end(&r);
}
END_TEST

/* Times of a fall are first order: of the first impact, and of the end of bouncing; rolling does
 * not depend on the step. */
START_TEST(sphere_bounces_to_rest)
{
  static const char *const step[] = {"h=2e-3", "h=1e-3"};
  const char *set[] = {step[_i], NULL};
  double h = _i ? 1e-3 : 2e-3;
  run r = run_load("models/spinning-ball/spinning-ball.xml", set);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  /* the first row of ascent; at first it falls */
  size_t k = row_where(&r, "ball.v_z", 0), n = r.got.nrows - 1;
  ck_assert_double_eq_tol(run_at(&r, k, "time"), 0.451523641, 2 * h);
  /* flights of a few steps from there on */
  for (k = n; k > 0 && fabs(run_at(&r, k, "ball.v_z")) < 2 * G * h; k--) continue;
  ck_assert_double_eq_tol(run_at(&r, k, "time"), 4.063712769, 40 * h);
  ck_assert_double_eq_tol(run_at(&r, n, "ball.v_x"), 2. / 7, 1e-12);
  ck_assert_double_eq_tol(run_at(&r, n, "ball.Omega_y"), 20. / 7, 1e-11);
  run_end(&r);
}
END_TEST

/* ---- V4: from slip to roll ------------------------------------------------------------------- */

START_TEST(sliding_sphere_comes_to_roll)
{
  /* places at t = 0.8, by an independent program; the exact one is 1.901516570 */
  static const struct {
    const char *h;
    double step, x;
  } row[] = {{"h=1e-2", 1e-2, 1.89725}, {"h=1e-3", 1e-3, 1.90109}, {"h=1e-4", 1e-4, 1.90147}};
  const char *set[] = {row[_i].h, NULL};
  run r = run_load("models/slip-to-roll/slip-to-roll.xml", set);
  r.m->out.every = 1;
  ck_assert_int_eq(run_keep(&r), NS_OK);
  size_t k = 1, n = r.got.nrows - 1;
  while (k < n && fabs(run_at(&r, k, "ball.v_x") - 0.1 * run_at(&r, k, "ball.Omega_y")) > 1e-12)
    k++;
  ck_assert_double_eq_tol(run_at(&r, k, "time"), 0.4368719965, row[_i].step);
  ck_assert_double_eq_tol(run_at(&r, k, "ball.x"), 1.1233851339, 3 * row[_i].step);
  /* m v0^2/7 is lost */
  ck_assert_double_eq_tol(r.x->cert->work_friction, -9. / 7, 3 * row[_i].step);
  ck_assert_double_eq_tol(run_at(&r, n, "ball.v_x"), 15. / 7, 2e-13); /* that of the solver */
  ck_assert_double_eq_tol(run_at(&r, n, "ball.x"), row[_i].x, 5.1e-6);
  run_end(&r);
}
END_TEST

/* Whatever it begins with, it ends with (5 v0 + 2 R w0)/7. */
START_TEST(sphere_ends_as_its_momentum_about_the_ground_says)
{
  static const double start[][2] = {{3, 0}, {1, 100}, {-2, 60}, {0, -50}, {2, -50}};
  double v0 = start[_i][0], w0 = start[_i][1], end = (5 * v0 + 0.2 * w0) / 7;
  run r = mechanics(BALL(SPHERE, "0 0 0.1", "%.17g 0 0 0 %.17g 0", "0 0 -9.81")
                        FLOOR("<NewtonImpactFrictionNSL en='0' mu='0.2'/>") STEPS("1e-3", "2"),
                    v0, w0);
  run_all(&r);
  near((double[]){r.x->v[0], 0.1 * r.x->v[4]}, (double[]){end, end}, 2, 1e-12);
  run_end(&r);
}
END_TEST

/* ---- V14: rolling friction ------------------------------------------------------------------- */

START_TEST(rolling_friction_stops_a_sphere)
{
  static const char *const step[] = {"h=2e-3", "h=1e-3", "h=5e-4"};
  const char *set[] = {step[_i], NULL};
  double h = 2e-3 / (1 << _i);
  run r = run_load("models/rolling-decay/rolling-decay.xml", set);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  size_t n = r.got.nrows - 1, k = n;
  while (k > 0 && fabs(run_at(&r, k, "ball.v_x")) < 1e-9) k--;
  ck_assert_double_eq_tol(run_at(&r, k, "time"), 1.4271151886, h);
  ck_assert_double_eq_tol(run_at(&r, n, "ball.x"), 0.7135575943, h);
  /* it does not turn back */
  for (k = 0; k <= n; k++) ck_assert_double_ge(run_at(&r, k, "ball.v_x"), -1e-12);
  run_end(&r);
}
END_TEST

/* On a slope it rolls iff tan alpha > mu_r/R = 0.1. */
START_TEST(rolling_friction_holds_on_a_slope)
{
  static const double tangent[] = {0.1 * (1 - 1e-6), 0.1 * (1 + 1e-6)};
  double a = atan(tangent[_i]);
  run r = mechanics(BALL(SPHERE, "0 0 0.1", "0 0 0 0 0 0", "%.17g 0 %.17g")
                        FLOOR("<NewtonImpactRollingFrictionNSL en='0' mu='0.5' muRolling='0.01'/>")
                            STEPS("1e-3", "0.5"),
                    G * sin(a), -G * cos(a));
  run_all(&r);
  ck_assert_double_eq_tol(r.x->v[0], _i ? 5. / 7 * G * (sin(a) - 0.1 * cos(a)) * 0.5 : 0, 1e-10);
  run_end(&r);
}
END_TEST

/* ---- V17: Painleve's rod --------------------------------------------------------------------- */

/* Beyond mu = 4/3 at tan a = 2 the step has a solution, without and with an impulse that stops the
 * tip at once. */
START_TEST(painleve_rod_has_a_step)
{
  static const char *const mu[] = {"mu=1.2", "mu=1.4", "mu=2", "mu=5"};
  const char *set[] = {mu[_i], "a=26.565051177078", NULL};
  run r = play("painleve-rod-3d", set);
  ck_assert_double_le(r.x->cert->residual_max, 1e-8);
  for (int k = 0; k < 6; k++) ck_assert_double_le(fabs(r.x->v[k]), 50);
  ck_assert_double_le(r.x->cert->penetration_max, 2e-3);
  run_end(&r);
}
END_TEST

/* The normal impulse of the first step; the rod has the angle of tangent 2 with the ground. */
static double first_impulse(const char *mu)
{
  const char *set[] = {mu, "a=26.565051177078", "h=1e-8", "T=1e-8", NULL};
  run r = play("painleve-rod-3d", set);
  double p = r.x->p[2];
  run_end(&r);
  return p;
}

/* W_NN = 1 + 3 c^2 = 1.6, |W_NT| = 3 s c = 1.2 there, W_TT = 3.4. Up to 4/3 it slides on, pressed
 * by g h/(W_NN - mu |W_NT|); beyond, no force can do that however short the step: the tip stops at
 * once, by the impulse v0 |W_NT|/(W_NN W_TT - W_NT^2) = 1.5. */
START_TEST(painleve_rod_jams_beyond_four_thirds)
{
  ck_assert_double_eq_tol(first_impulse("mu=0.3"), G * 1e-8 / (1.6 - 1.2 * 0.3), 1e-13);
  ck_assert_double_eq_tol(first_impulse("mu=1.332"), G * 1e-8 / 1.6e-3, 1e-8);
  ck_assert_double_eq_tol(first_impulse("mu=1.334"), 1.5, 1e-6);
  ck_assert_double_eq_tol(first_impulse("mu=5"), 1.5, 1e-6);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 240);
  tcase_add_loop_test(t, sphere_bounces_with_spin, 0, 3);
  tcase_add_loop_test(t, sphere_bounces_to_rest, 0, 2);
  tcase_add_loop_test(t, sliding_sphere_comes_to_roll, 0, 3);
  tcase_add_loop_test(t, sphere_ends_as_its_momentum_about_the_ground_says, 0, 5);
  tcase_add_loop_test(t, rolling_friction_stops_a_sphere, 0, 3);
  tcase_add_loop_test(t, rolling_friction_holds_on_a_slope, 0, 2);
  tcase_add_loop_test(t, painleve_rod_has_a_step, 0, 4);
  tcase_add_test(t, painleve_rod_jams_beyond_four_thirds);
}

int main(void) { return suite_run("rigid bodies in contact", fill); }
