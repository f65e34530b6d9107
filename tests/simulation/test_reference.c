/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trajectories of published examples, all rows: max |a - ref| <= tol max(1, max |ref|). */
#include "support/run.h"

static const char ball[] =
    "<model xmlns='urn:nssim:model:1' name='ball'><systems>"
    "<LagrangianLinearTIDS id='ball' coordinates='x y phi'><q0>1 0 0</q0><v0>0 0 0</v0>"
    "<mass diag='1 1 2/5*0.1^2'/><fExt>-9.81 0 0</fExt></LagrangianLinearTIDS></systems>"
    "<interactions><interaction id='ground' systems='ball'><LagrangianLinearTIR><H>1 0 0</H>"
    "</LagrangianLinearTIR><NewtonImpactNSL e='0.9'/></interaction></interactions>"
    "<simulation T='10'><TimeStepping h='0.005'><MoreauJeanOSI/><LCP/></TimeStepping></simulation>"
    "</model>";

static void meets(const run *r, const table *t, const char *name, const char *label, double tol)
{
  double d = table_distance(t, name, &r->got, label);
  ck_assert_msg(d <= tol, "%s against %s: %g, want <= %g", label, name, d, tol);
}

START_TEST(bouncing_ball)
{
  table t = table_read("tests/data/reference/bouncing-ball-ts.csv.gz");
  run r = run_load(ball, NULL);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  ck_assert_uint_eq(r.got.nrows, 2001);
  meets(&r, &t, "q", "ball.x", 1e-10);
  meets(&r, &t, "v", "ball.v_x", 1e-10);
  meets(&r, &t, "p", "ball.p_x", 1e-10);
  meets(&r, &t, "lambda", "ground.lambda", 1e-10);
  ck_assert_double_eq_tol(r.x->cert->penetration_max, 7.4e-3, 5e-5);
  run_end(&r);
  free(t.data);
}
END_TEST

START_TEST(column_of_beads)
{
  table t = table_read("tests/data/reference/column-of-beads-ts.csv.gz");
  run r = run_load("models/bead-column/bead-column.xml", NULL);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  ck_assert_uint_eq(r.got.nrows, 4001);
  for (int i = 1; i <= 10; i++) {
    char name[8], label[16];
    snprintf(name, sizeof name, "q%d", i);
    snprintf(label, sizeof label, "bead%d.x", i);
    meets(&r, &t, name, label, 1e-9);
    snprintf(name, sizeof name, "v%d", i);
    snprintf(label, sizeof label, "bead%d.v_x", i);
    meets(&r, &t, name, label, 1e-9);
  }
  run_end(&r);
  free(t.data);
}
END_TEST

START_TEST(cam_follower)
{
  table t = table_read("tests/data/reference/cam-follower.csv.gz");
  run r = run_load("models/cam-follower/cam-follower.xml", NULL);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  ck_assert_uint_eq(r.got.nrows, 10001);
  meets(&r, &t, "q_osc", "follower.q", 1e-10);
  meets(&r, &t, "v_osc", "follower.v_q", 1e-10);
  meets(&r, &t, "lambda_osc", "stop.lambda", 1e-10);
  run_end(&r);
  free(t.data);
}
END_TEST

/* The same mass at rest on its stop: stays exactly, without an impulse. */
START_TEST(cam_follower_at_rest)
{
  const char *set[] = {"q0=0", "v0=0", NULL};
  run r = run_load("models/cam-follower/cam-follower.xml", set);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  for (size_t i = 0; i < r.got.nrows; i++) {
    ck_assert(r.got.rows[i * r.got.ncols + capture_column(&r.got, "follower.q")] == 0);
    ck_assert(r.got.rows[i * r.got.ncols + capture_column(&r.got, "stop.lambda")] == 0);
  }
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, bouncing_ball);
  tcase_add_test(t, column_of_beads);
  tcase_add_test(t, cam_follower);
  tcase_add_test(t, cam_follower_at_rest);
}

int main(void) { return suite_run("reference", fill); }
