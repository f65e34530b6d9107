/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published trajectories of rigid bodies with joints and contacts, every stored row. */
#include "support/bodies.h"

/* max over rows of |ours - stored|, column `name` of the table and coordinate k of the recorded
 * system. */
static double distance(const run *r, const table *t, const char *name, const char *system, int k)
{
  char label[64];
  snprintf(label, sizeof label, "%s.q[%d]", system, k);
  int col = table_column(t, name), row = table_column(t, "row");
  size_t mine = capture_column(&r->got, label);
  double worst = 0;
  for (size_t i = 0; i < t->nrows; i++) {
    const double *ref = t->data + i * (size_t)t->ncols;
    ck_assert_uint_lt((size_t)ref[row], r->got.nrows);
    worst = fmax(worst, fabs(r->got.rows[(size_t)ref[row] * r->got.ncols + mine] - ref[col]));
  }
  return worst;
}

static const char *const coordinates[7] = {"x", "y", "z", "p0", "p1", "p2", "p3"};

static void play(run *r)
{
  bodies_ready(r);
  ck_assert_msg(run_keep(r) == NS_OK, "%s", r->c.msg);
}

/* The coordinates of one body, within tol of the file. */
static void agrees(const run *r, const char *file, const char *system, double tol)
{
  table t = table_read(file);
  for (int k = 0; k < 7; k++) {
    double d = distance(r, &t, coordinates[k], system, k);
    ck_assert_msg(d <= tol, "%s: %s differs by %.3g, expected %.3g at most", file, coordinates[k],
                  d, tol);
  }
  free(t.data);
}

/* The published stop rule: an absolute residual of the equations of motion, rows as they were
 * solved. */
static void published_rule(run *r, double tol)
{
  r->m->sim.ts.newton_absolute = 1;
  r->m->sim.ts.newton_atol = tol;
}

/* A beam on a ball joint at the origin, thrown against it. */
static run knee(void)
{
  static const double I[9] = {0.1, 0.1, 0, 0.1, 1, 0, 0, 0, 1}, v[6] = {100},
                      weight[3] = {0, 0, -9.81}, origin[3] = {0};
  double q[7] = {0.5 / sqrt(2), 0, -0.5 / sqrt(2), cos(M_PI / 8), 0, sin(M_PI / 8), 0};
  run r = bodies_begin(0.01, 10, 1);
  ns_system s = body_of(&r, 1, I, q, v, weight);
  ns_model_add_system(r.m, &r.c, &s);
  add_ball(&r, 0, -1, origin);
  return r;
}

START_TEST(a_beam_on_a_ball_joint)
{
  run r = knee();
  published_rule(&r, 1e-6);
  play(&r);
  agrees(&r, "tests/data/reference/ne-1ds-1knee-mlcp.csv.gz", "body", 1e-10);
  run_end(&r);
}
END_TEST

START_TEST(the_same_with_a_tight_tolerance)
{
  run r = knee();
  published_rule(&r, 1e-12);
  play(&r);
  agrees(&r, "tests/data/reference/ne-1ds-1knee-mlcp-converged.csv.gz", "body", 1e-8);
  run_end(&r);
}
END_TEST

START_TEST(a_body_on_a_slide)
{
  static const double I[3] = {1, 1, 1}, x[3] = {1, 1, 1}, up[3] = {0, 0, 1},
                      weight[3] = {0, 0, -9.81};
  double s = sin(M_PI / 5) / sqrt(14), p[4] = {cos(M_PI / 5), 3 * s, 2 * s, s};
  run r = bodies_begin(1e-3, 2, 1);
  add_body(&r, "body", 1, I, x, p, NULL, weight);
  add_joint(&r, "PrismaticJointR", NS_JOINT_PRISMATIC, 0, -1, x, up);
  published_rule(&r, 5e-4);
  play(&r);
  agrees(&r, "tests/data/reference/prismatic-test.csv.gz", "body", 1e-10);
  double n = 2000;
  ck_assert_double_eq_tol(r.x->q[2], 1 - 9.81 * 1e-6 * n * (n + 1) / 2, 1e-11);
  run_end(&r);
}
END_TEST

/* Three beams hang from each other, the last one slides along its axis and meets a floor. */
START_TEST(three_beams_four_joints_and_a_floor)
{
  static const double I[3] = {0.1, 1, 1}, weight[3] = {0, 0, -9.81}, origin[3] = {0};
  double c = cos(M_PI / 8), s = sin(M_PI / 8), d = 0.5 / sqrt(2);
  double x[3][3] = {{d, 0, -d}, {d, 0, -3 * d}, {0, 0, -sqrt(2) - 0.5}};
  double p[3][4] = {{c, 0, s, 0}, {c, 0, -s, 0}, {sqrt(0.5), 0, sqrt(0.5), 0}},
         elbow[3] = {2 * d, 0, -2 * d}, hand[3] = {0, 0, -4 * d};
  double down[3] = {0, 0, -1};
  run r = bodies_begin(0.01, 10, 1);
  static const char *const id[] = {"b1", "b2", "b3"};
  for (int i = 0; i < 3; i++) add_body(&r, id[i], 1, I, x[i], p[i], NULL, weight);
  add_ball(&r, 0, -1, origin);
  add_ball(&r, 0, 1, elbow);
  add_ball(&r, 1, 2, hand);
  add_joint(&r, "PrismaticJointR", NS_JOINT_PRISMATIC, 2, -1, x[2], down);
  ns_interaction floor = between(&r, "NewtonEulerR", "floor", 2, -1, 1);
  floor.law.ops = law_kind("NewtonImpactNSL");
  floor.law.e = 0.9;
  floor.lr.h = formula(r.m, 1, 1, "x[2] + 2.3");
  floor.lr.H = derivative(r.m, 1, "x[2] + 2.3", NS_BANK_Q, 7);
  ns_model_add_interaction(r.m, &r.c, &floor);
  published_rule(&r, 5e-4);
  play(&r);
  table t = table_read("tests/data/reference/ne-3ds-3knee-1prism-mlcp.csv.gz");
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 7; k++) {
      char name[16];
      snprintf(name, sizeof name, k < 3 ? "%s%d" : "%s_%d", coordinates[k], i + 1);
      ck_assert_double_le(distance(&r, &t, name, id[i], k), 5e-9);
    }
  free(t.data);
  run_end(&r);
}
END_TEST

/* A ball bounces on a plane with friction; direct projection. */
START_TEST(a_ball_with_friction_and_projection)
{
  static const double I[3] = {1, 1, 1}, x[3] = {1}, v[6] = {2}, weight[3] = {-9.81},
                      n[3] = {1, 0, 0};
  run r = bodies_begin(0.005, 10, 0.5);
  add_body(&r, "ball", 1, I, x, NULL, v, weight);
  ns_interaction it = between(&r, "NewtonEuler3DR", "plane", 0, -1, 3);
  it.law.ops = law_kind("NewtonImpactFrictionNSL");
  it.law.e = it.law.et = 0.9;
  it.law.mu = 0.6;
  it.law.mu_rolling = 0;
  it.point = (ns_contact_point){.P1 = formula(r.m, 3, 1, "x[0]-0.1, x[1], x[2]"),
                                .P2 = formula(r.m, 3, 1, "0, x[1], x[2]"),
                                .n = numbers(3, 1, n)};
  ns_model_add_interaction(r.m, &r.c, &it);
  r.m->sim.integrator = "MoreauJeanDirectProjectionOSI";
  r.m->sim.proj.passes = 20;
  published_rule(&r, 1e-10);
  play(&r);
  table t = table_read("tests/data/reference/bouncing-ball-nets.csv.gz");
  ck_assert_double_le(distance(&r, &t, "x", "ball", 0), 1e-10);
  ck_assert_double_le(table_distance(&t, "p_x", &r.got, "plane.lambda[0]"), 1e-10);
  ck_assert_int_eq((int)r.x->cert->impacts, 53);
  free(t.data);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, a_beam_on_a_ball_joint);
  tcase_add_test(t, the_same_with_a_tight_tolerance);
  tcase_add_test(t, a_body_on_a_slide);
  tcase_add_test(t, a_ball_with_friction_and_projection);
  tcase_add_test(t, three_beams_four_joints_and_a_floor);
}

int main(void) { return suite_run("rigid reference", fill); }
