/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Impacts against closed forms: several at once, oblique, with compliance, without collision. One
 * step without forces is the impact law itself, to rounding. */
#include "support/mechanics.h"

#define ONE_STEP "<simulation T='1e-3'><TimeStepping " \
  "h='1e-3'><MoreauJeanOSI/></TimeStepping></simulation>"

/* ---- in line --------------------------------------------------------------------------------- */

/* Newton's law for all contacts at once: the solution of one LCP, found by hand. */
START_TEST(touching_balls_collide_together)
{
  static const struct {
    int n, ground;
    double mass[5], before[5], e, after[5];
  } row[] = {{2, 1, {1, 1}, {-1, -1}, 1, {1, 1}},
             {2, 1, {1, 1. / 3}, {-1, -1}, 1, {1, 1}},
             {3, 0, {1, 1, 1}, {1, 0, 0}, 1, {-1. / 3, 2. / 3, 2. / 3}},
             {3, 0, {1, 1, 1}, {1, 0, 0}, 0.5, {0, 0.5, 0.5}},
             {5, 0, {1, 1, 1, 1, 1}, {1, 0, 0, 0, 0}, 1, {-0.6, 0.4, 0.4, 0.4, 0.4}}};
  double v[5];
  balls_in_line(ONE_STEP, -1, 0, row[_i].n, row[_i].mass, row[_i].before, row[_i].e, row[_i].ground,
                v);
  near(v, row[_i].after, row[_i].n, 4e-16);
}
END_TEST

/* ---- oblique --------------------------------------------------------------------------------- */

/* A disk hits the ground: sticks where |v_x| <= 3 mu (1+e) v_n = 1.08, else slides. */
START_TEST(disk_hits_obliquely)
{
  static const struct {
    double vx, after[3];
  } row[] = {{0.5, {1. / 3, 0.8, -2. / 3}},
             {-0.5, {-1. / 3, 0.8, 2. / 3}},
             {1.08, {0.72, 0.8, -1.44}},
             {3, {2.64, 0.8, -1.44}}};
  run r = mechanics(
      "<systems><LagrangianLinearTIDS id='disk' coordinates='x y phi'><q0>0 0 0</q0><v0>%.17g -1 "
      "0</v0>"
      "<mass diag='1 1 1/8'/></LagrangianLinearTIDS></systems><interactions><interaction "
      "id='ground' "
      "systems='disk'><LagrangianLinearTIR><H>0 1 0; 1 0 1/2</H></LagrangianLinearTIR>"
      "<NewtonImpactFrictionNSL en='0.8' mu='0.2'/></interaction></interactions>" ONE_STEP,
      row[_i].vx);
  run_all(&r);
  near(r.x->v, row[_i].after, 3, 1e-15);
  run_end(&r);
}
END_TEST

/* ---- compliance ------------------------------------------------------------------------------ */

/* m = 1 against a spring of stiffness 1/D = 1e4 at unit speed: leaves at +1 after pi sqrt(m D). */
static double rebound(double h, double *last)
{
  run r = mechanics(
      "<systems><LagrangianLinearTIDS id='m' coordinates='x'><q0>0</q0><v0>-1</v0><mass>1</mass>"
      "</LagrangianLinearTIDS></systems><interactions><interaction id='wall' systems='m'>"
      "<LagrangianCompliantLinearTIR><H>1</H><D>1e-4</D></LagrangianCompliantLinearTIR>"
      "<ComplementarityConditionNSL/></interaction></interactions><simulation T='0.05'>"
      "<TimeStepping h='%.17g'><MoreauJeanOSI/></TimeStepping></simulation>",
      h);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  size_t l = capture_column(&r.got, "wall.lambda");
  for (size_t i = 0; i < r.got.nrows; i++)
    if (r.got.rows[i * r.got.ncols + l] > 0) *last = (double)i * h;
  double v = r.x->v[0];
  run_end(&r);
  return v;
}

START_TEST(compliant_wall_gives_back_the_speed)
{
  static const double h[] = {1e-3, 5e-4, 2.5e-4, 1.25e-4},
                      want[] = {0.9257, 0.9617, 0.9806, 0.9902};
  double v[4], err[4], last[4];
  for (int k = 0; k < 4; k++) {
    v[k] = rebound(h[k], &last[k]);
    err[k] = 1 - v[k];
    ck_assert_double_eq_tol(last[k], acos(-1) * 1e-2, 1.5 * h[k]);
  }
  near(v, want, 4, 5e-5);
  ck_assert_double_eq_tol(slope(h, err, 4), 1, 0.05);
}
END_TEST

/* ---- the rod of Painleve --------------------------------------------------------------------- */

/* Half length 1, mass 1, tan theta = 2, theta' = 1; its lower tip touches the ground and slips at
 * s. */
static run rod(double mu, double s, double h)
{
  return mechanics(
      "<parameters><parameter name='th' value='atan(2)'/></parameters><systems><LagrangianDS "
      "id='rod' "
      "coordinates='x y a'><q0>0, sin(th), th</q0><v0>%.17g-sin(th), cos(th), 1</v0><mass>1 0 0; 0 "
      "1 0; 0 0 1/3"
      "</mass><fInt>0, 9.81, 0</fInt></LagrangianDS></systems><interactions><interaction id='tip' "
      "systems='rod'>"
      "<LagrangianScleronomousR><h>y-sin(a)</h><H>0, 1, -cos(a); 1, 0, "
      "sin(a)</H></LagrangianScleronomousR>"
      "<NewtonImpactFrictionNSL en='0' mu='%.17g'/></interaction></interactions><simulation "
      "T='%.17g'>"
      "<TimeStepping h='%.17g'><MoreauJeanOSI gamma='0'/></TimeStepping></simulation>",
      s, mu, h, h);
}

/* Sliding, mu = 1: the normal force is -beta/p, p = 1 + 3 cos^2 + 3 mu s sin cos (Genot & Brogliato
 * 1999). */
START_TEST(rod_slides_under_its_normal_force)
{
  static const struct {
    double s, force;
  } row[] = {{-1, 22.28893202}, {1, 3.18413315}};
  double h[3] = {1e-4, 5e-5, 2.5e-5}, err[3];
  for (int k = 0; k < 3; k++) {
    run r = rod(1, row[_i].s, h[k]);
    run_all(&r);
    ck_assert_double_eq_tol(r.x->lambda[1], -row[_i].s * r.x->lambda[0], 1e-15);
    err[k] = fabs(r.x->lambda[0] / h[k] - row[_i].force);
    run_end(&r);
  }
  ck_assert_double_le(err[2], 2e-3 * row[_i].force);
  ck_assert_double_eq_tol(slope(h, err, 3), 1, 0.05);
}
END_TEST

/* mu = 1.4 > 4/3, s = -1: no force does it. The tip is stopped by an impact without collision,
 * however short the step: it sticks, P = W^-1 (0, 1) with W_NN = 1.6, W_NT = -1.2, W_TT = 3.4, that
 * is (0.3, 0.4), |P_T| / P_N = 4/3 < mu. */
START_TEST(rod_jams_in_an_impact_without_collision)
{
  static const double want[] = {0.3, 0.4}, want_tip[] = {0, 0};
  double h[3] = {1e-3, 1e-4, 1e-5}, err[3];
  for (int k = 0; k < 3; k++) {
    run r = rod(1.4, -1, h[k]);
    run_all(&r);
    near(r.x->ydot, want_tip, 2, 1e-10); /* Newton's tolerance */
    err[k] = fmax(fabs(r.x->lambda[0] - want[0]), fabs(r.x->lambda[1] - want[1]));
    run_end(&r);
  }
  ck_assert_double_le(err[2], 1e-3);
  ck_assert_double_eq_tol(slope(h, err, 3), 1, 0.1);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, touching_balls_collide_together, 0, 5);
  tcase_add_loop_test(t, disk_hits_obliquely, 0, 4);
  tcase_add_test(t, compliant_wall_gives_back_the_speed);
  tcase_add_loop_test(t, rod_slides_under_its_normal_force, 0, 2);
  tcase_add_test(t, rod_jams_in_an_impact_without_collision);
}

int main(void) { return suite_run("mechanics, impacts", fill); }
