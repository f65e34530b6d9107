/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Projection of positions: the published trajectory, tolerances that hold, what a metric changes.
 */
#include "support/run.h"

#define BALL(integrator) \
  "<model xmlns='urn:nssim:model:1' name='ball'><systems>" \
  "<LagrangianLinearTIDS id='ball' coordinates='x y phi'><q0>1 0 0</q0><v0>0 0 0</v0>" \
  "<mass diag='1 1 2/5*0.1^2'/><fExt>-9.81 0 0</fExt></LagrangianLinearTIDS></systems>" \
  "<interactions><interaction id='ground' systems='ball'><LagrangianLinearTIR><H>1 0 0</H>" \
  "</LagrangianLinearTIR><NewtonImpactNSL e='0.9'/></interaction></interactions>" \
  "<simulation T='10'><TimeStepping h='0.005'>" integrator "<LCP/></TimeStepping></simulation>" \
  "</model>"

static void meets(const run *r, const table *t, const char *name, const char *label, double tol)
{
  double d = table_distance(t, name, &r->got, label);
  ck_assert_msg(d <= tol, "%s against %s: %g, want <= %g", label, name, d, tol);
}

START_TEST(combined_projection_follows_the_reference)
{
  static const char *const metric[] = {"mass", "identity"};
  char text[2048];
  snprintf(text, sizeof text,
           BALL("<MoreauJeanCombinedProjectionOSI tolerance='1e-10' equalityTolerance='1e-10' "
                "maxProjections='4' metric='%s'/>"),
           metric[_i]);
  table t = table_read("tests/data/reference/bouncing-ball-ts-combined-projection.csv.gz");
  run r = run_load(text, NULL);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  ck_assert_uint_eq(r.got.nrows, 2001);
  meets(&r, &t, "q", "ball.x", 1e-10);
  meets(&r, &t, "v", "ball.v_x", 1e-10);
  meets(&r, &t, "p1", "ball.p_x", 1e-10);
  meets(&r, &t, "lambda1", "ground.lambda", 1e-10);
  ck_assert_double_le(r.x->cert->penetration_max, 1e-10);
  run_end(&r);
  free(t.data);
}
END_TEST

/* Direct: q = 0 where the contact is active and q < -tol; 36 times within ten seconds, as the
 * published run of the same ball does it. */
START_TEST(direct_projection_by_its_formulas)
{
  run r = run_load(BALL("<MoreauJeanDirectProjectionOSI/>"), NULL);
  double q = 1, v = 0, worst = 0, h = 0.005;
  int projections = 0;
  ck_assert_int_eq(run_keep(&r), NS_OK);
  for (size_t i = 1; i < r.got.nrows; i++) {
    int active = q + 0.5 * h * v <= 0;
    double w = v - h * 9.81, p = active ? fmax(0, -(w + 0.9 * v)) : 0;
    q += h * (v + w + p) / 2;
    v = w + p;
    if (active && q < -1e-8) {
      q = 0;
      projections++;
    }
    worst = fmax(worst,
                 fmax(fabs(q - run_at(&r, i, "ball.x")), fabs(v - run_at(&r, i, "ball.v_x"))));
  }
  ck_assert_double_le(worst, 1e-12);
  ck_assert_int_ge(projections, 30);
  /* before contact is noticed: not of rows that were active */
  ck_assert_double_le(r.x->cert->penetration_max, h * 4.5);
  run_end(&r);
}
END_TEST

/* A resting contact stays active: no chatter between falling and standing. */
START_TEST(a_resting_contact_stays)
{
  static const char *const set[] = {NULL};
  run r = run_load(
      "<model xmlns='urn:nssim:model:1' name='m'><systems><LagrangianLinearTIDS id='a' "
      "coordinates='x'>"
      "<q0>0</q0><mass>2</mass><fExt>-2*9.81</fExt></LagrangianLinearTIDS></systems><interactions>"
      "<interaction id='g' systems='a'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>"
      "<NewtonImpactNSL e='0.5'/></interaction></interactions><simulation T='1'><TimeStepping "
      "h='1e-3'>"
      "<MoreauJeanDirectProjectionOSI/></TimeStepping></simulation></model>",
      set);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  for (size_t i = 1; i < r.got.nrows; i++)
    ck_assert_double_eq_tol(run_at(&r, i, "g.lambda"), 2 * 9.81e-3, 1e-15);
  run_end(&r);
}
END_TEST

/* Two floors for one mass, three equal rows: redundant constraints are no obstacle. */
#define REDUNDANT(integrator) \
  "<model xmlns='urn:nssim:model:1' name='m'><systems><LagrangianLinearTIDS id='a' " \
  "coordinates='x y'>" \
  "<q0>1 0</q0><mass>2 0; 0 1</mass><fExt>-20 " \
  "0</fExt></LagrangianLinearTIDS></systems><interactions>" \
  "<interaction id='g' systems='a'><LagrangianLinearTIR><H>1 0; 1 0; 1 0.5; 1 " \
  "-0.5</H></LagrangianLinearTIR>" \
  "<NewtonImpactNSL e='0.5'/></interaction></interactions><simulation T='3'><TimeStepping " \
  "h='7e-3'>" integrator "</TimeStepping></simulation></model>"

START_TEST(redundant_rows)
{
  static const char *const text[] = {
      REDUNDANT("<MoreauJeanCombinedProjectionOSI/>"),
      REDUNDANT("<MoreauJeanCombinedProjectionOSI metric='identity'/>"),
      REDUNDANT("<MoreauJeanDirectProjectionOSI/>"),
      REDUNDANT("<MoreauJeanDirectProjectionOSI metric='identity'/>")};
  run r = run_load(text[_i], NULL);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  size_t last = r.got.nrows - 1;
  ck_assert_double_ge(run_at(&r, last, "a.x"), -1e-8);
  /* direct: a position that was lifted has gained the energy of that, and may hop for ever below
   * the speed of one step */
  ck_assert_double_le(fabs(run_at(&r, last, "a.v_x")), _i < 2 ? 1e-6 : 10 * 7e-3);
  ck_assert_double_le(fabs(run_at(&r, last, "a.y")), 1e-10);
  run_end(&r);
}
END_TEST

/* V13: a pendulum in Cartesian coordinates, and two links: |y| <= tolerance after every step,
 * energy near. */
static run pendulum(const char *integrator, const char *h)
{
  char text[1024];
  snprintf(
      text, sizeof text,
      "<model xmlns='urn:nssim:model:1' name='m'><systems><LagrangianLinearTIDS id='p' "
      "coordinates='x z'><q0>1 0</q0>"
      "<mass>1 0; 0 1</mass><fExt>0 -9.81</fExt></LagrangianLinearTIDS></systems><interactions>"
      "<interaction id='rod' systems='p'><LagrangianScleronomousR><h>x^2 + z^2 - "
      "1</h></LagrangianScleronomousR>"
      "<EqualityConditionNSL/></interaction></interactions><simulation T='10'>"
      "<TimeStepping h='%s'><%s/></TimeStepping></simulation></model>",
      h, integrator);
  run r = run_load(text, NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  return r;
}

/* Largest |x^2 + z^2 - 1| of all rows. */
static double drift(const run *r)
{
  double max = 0;
  for (size_t i = 0; i < r->got.nrows; i++) {
    double x = run_at(r, i, "p.x"), z = run_at(r, i, "p.z");
    max = fmax(max, fabs(x * x + z * z - 1));
  }
  return max;
}

START_TEST(equalities_do_not_drift)
{
  static const char *const integrator[] = {
      "MoreauJeanDirectProjectionOSI equalityTolerance='1e-12'",
      "MoreauJeanCombinedProjectionOSI equalityTolerance='1e-12'",
      "MoreauJeanDirectProjectionOSI equalityTolerance='1e-12' metric='identity'"};
  run r = pendulum(integrator[_i], "1e-3");
  ck_assert_double_le(drift(&r), 1e-12);
  /* the scheme takes energy, O(h); what the projections do, O(h^3) in each step, is next to nothing
   * beside it */
  run plain = pendulum("MoreauJeanOSI", "1e-3");
  ck_assert_double_le(fabs(plain.x->cert->defect), 1);
  ck_assert_double_le(fabs(r.x->cert->defect - plain.x->cert->defect), 1e-4);
  run_end(&plain);
  run_end(&r);
}
END_TEST

START_TEST(without_projection_they_drift_by_h_squared)
{
  run a = pendulum("MoreauJeanOSI", "2e-3"), b = pendulum("MoreauJeanOSI", "1e-3");
  double order = log2(drift(&a) / drift(&b));
  ck_assert_double_ge(drift(&b), 1e-8);
  ck_assert_double_ge(order, 1.8);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* Direct: the projection moves no velocity, but a contact at y = 0 that leaves is not held: what
 * remains of a bouncing mass is a hop of the speed of one step. A loaded contact that stays active
 * up to more than its height comes to rest. */
static double rest_speed(double e, double h, double activation, double *height)
{
  char text[1024];
  snprintf(text, sizeof text,
           "<model xmlns='urn:nssim:model:1' name='m'><systems><LagrangianLinearTIDS id='a' "
           "coordinates='x'><q0>1</q0><mass>2</mass>"
           "<fExt>-20</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='g' "
           "systems='a'><LagrangianLinearTIR>"
           "<H>1</H></LagrangianLinearTIR><NewtonImpactNSL "
           "e='%g'/></interaction></interactions><simulation T='8'><TimeStepping h='%g'>"
           "<MoreauJeanDirectProjectionOSI activation='%g'/></TimeStepping></simulation></model>",
           e, h, activation);
  run r = run_load(text, NULL);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  double speed = *height = 0;
  for (size_t i = 0; i < r.got.nrows; i++) {
    if (run_at(&r, i, "time") < 7) continue;
    speed = fmax(speed, fabs(run_at(&r, i, "a.v_x")));
    *height = fmax(*height, run_at(&r, i, "a.x"));
  }
  run_end(&r);
  return speed;
}

START_TEST(a_hop_is_below_the_speed_of_one_step)
{
  static const struct {
    double e, h;
  } row[] = {{0.3, 7e-3}, {0.3, 1e-3}, {0.5, 7e-3}, {0.5, 1e-3}, {0.8, 7e-3}, {0.8, 1e-3}};
  double g = 10, e = row[_i].e, h = row[_i].h, height, speed = rest_speed(e, h, 1e-7, &height);
  ck_assert_double_le(speed, 2 * g * h);
  ck_assert_double_le(height, g * h * h);
  if (e > 0.5) return;
  ck_assert_double_gt(speed, g * h / 2); /* it does hop */
  ck_assert_double_le(rest_speed(e, h, g * h * h, &height), 1e-15);
  ck_assert_double_le(height, g * h * h);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, a_hop_is_below_the_speed_of_one_step, 0, 6);
  tcase_add_loop_test(t, combined_projection_follows_the_reference, 0, 2);
  tcase_add_test(t, direct_projection_by_its_formulas);
  tcase_add_test(t, a_resting_contact_stays);
  tcase_add_loop_test(t, redundant_rows, 0, 4);
  tcase_add_loop_test(t, equalities_do_not_drift, 0, 3);
  tcase_add_test(t, without_projection_they_drift_by_h_squared);
}

int main(void) { return suite_run("projection", fill); }
