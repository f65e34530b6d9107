/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trajectories of published examples with friction and elasticity: max |a - ref| over the stored
 * rows, relative to the largest |ref| of the column. */
#include "support/run.h"

static double relative(const table *t, const char *name, const capture *g, const char *label,
                       long to)
{
  int col = table_column(t, name), row = table_column(t, "row");
  size_t mine = capture_column(g, label);
  double worst = 0, scale = 0;
  for (size_t i = 0; i < t->nrows; i++) {
    const double *r = t->data + i * (size_t)t->ncols;
    scale = fmax(scale, fabs(r[col]));
    if (to >= 0 && (long)r[row] > to) continue;
    ck_assert_uint_lt((size_t)r[row], g->nrows);
    worst = fmax(worst, fabs(g->rows[(size_t)r[row] * g->ncols + mine] - r[col]));
  }
  return worst / scale;
}

static void meets(const run *r, const table *t, const char *name, const char *label, long to,
                  double tol)
{
  double d = relative(t, name, &r->got, label, to);
  ck_assert_msg(d <= tol, "%s against %s: %g, want <= %g", label, name, d, tol);
}

static run start(const char *model, const char *const *set, const char *reference, table *t)
{
  *t = table_read(reference);
  run r = run_load(model, set);
  r.m->out.every = 1;
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  return r;
}

static void end(run *r, table *t)
{
  run_end(r);
  free(t->data);
}

START_TEST(woodpecker)
{
  table t;
  run r = start("models/woodpecker/woodpecker.xml", NULL, "tests/data/reference/woodpecker.csv.gz",
                &t);
  meets(&r, &t, "y", "bird.y", -1, 1e-8);
  meets(&r, &t, "phi_M", "bird.phi_M", -1, 1e-8);
  meets(&r, &t, "phi_S", "bird.phi_S", -1, 1e-8);
  meets(&r, &t, "v_y", "bird.v_y", -1, 1e-8);
  meets(&r, &t, "omega_M", "bird.v_phi_M", -1, 1e-8);
  meets(&r, &t, "omega_S", "bird.v_phi_S", -1, 1e-8);
  end(&r, &t);
}
END_TEST

/* The converged solution, up to the first impact: later ones fall in other steps for differences of
 * 1e-7. */
START_TEST(slider_crank)
{
  const char *set[] = {"v3=-0.01", NULL};
  table t;
  run r = start("models/slider-crank/slider-crank.xml", set,
                "tests/data/reference/slider-crank-converged.csv.gz", &t);
  meets(&r, &t, "q1", "mechanism.theta1", 269, 1e-8);
  meets(&r, &t, "q2", "mechanism.theta2", 269, 1e-8);
  meets(&r, &t, "q3", "mechanism.theta3", 269, 1e-8);
  meets(&r, &t, "v1", "mechanism.v_theta1", 269, 1e-8);
  meets(&r, &t, "v2", "mechanism.v_theta2", 269, 1e-8);
  meets(&r, &t, "v3", "mechanism.v_theta3", 269, 1e-8);
  meets(&r, &t, "v1", "mechanism.v_theta1", 2000, 2e-6);
  meets(&r, &t, "v2", "mechanism.v_theta2", 2000, 2e-6);
  end(&r, &t);
}
END_TEST

/* The model with other options of <TimeStepping> until T, all rows kept. */
static run with_options(const char *options, const char *const *set, double T)
{
  char text[16384] = {0}, path[4096], *at;
  const char *top = getenv("TOP"), begin[] = "<TimeStepping h=\"1e-5\"";
  snprintf(path, sizeof path, "%s/models/slider-crank/slider-crank.xml", top ? top : ".");
  FILE *f = fopen(path, "r");
  ck_assert_ptr_nonnull(f);
  size_t n = fread(text, 1, sizeof text / 2, f), more = strlen(options);
  fclose(f);
  ck_assert_ptr_nonnull(at = strstr(text, begin));
  memmove(at + strlen("<TimeStepping ") + more, at + strlen(begin),
          n - (size_t)(at - text) - strlen(begin) + 1);
  memcpy(at + strlen("<TimeStepping "), options, more);
  run r = run_load_until(strstr(text, "<model"), set, T);
  r.m->out.every = 1;
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  return r;
}

/* The published run itself: |r| <= 1e-10 ends its Newton loop, after one pass in 16631 steps and
 * two in 3369. */
START_TEST(slider_crank_by_the_absolute_criterion)
{
  static const char *const columns[][2] = {
      {"q1", "mechanism.theta1"},       {"q2", "mechanism.theta2"},
      {"q3", "mechanism.theta3"},       {"v1", "mechanism.v_theta1"},
      {"v2", "mechanism.v_theta2"},     {"v3", "mechanism.v_theta3"},
      {"lambda1", "corner1.lambda[0]"}, {"lambda2", "corner2.lambda[0]"},
      {"lambda3", "corner3.lambda[0]"}, {"lambda4", "corner4.lambda[0]"}};
  const char *set[] = {"v3=-0.01", "mg=1", NULL};
  table t = table_read("tests/data/reference/slider-crank-absolute.csv.gz");
  run r = with_options(
      "h='1e-5' newtonCriterion='absolute' newtonTolerance='1e-10' newtonMaxIterations='200'", set,
      0.2);
  ck_assert_int_eq((int)r.x->cert->newton, 16631 + 2 * 3369);
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
    meets(&r, &t, columns[k][0], columns[k][1], -1, 1e-8);
  end(&r, &t);
}
END_TEST

/* Before the first impact nothing but M(q*) can change the energy: the defect is -h/2 int v^T dM/dt
 * a dt with the mass at the end of the step, and of second order with the mass in the middle. */
START_TEST(energy_by_where_the_mass_is_taken)
{
  static const struct {
    const char *mg;
    double order;
  } row[] = {{"mg=1", 1}, {"mg=0.5", 2}};
  const char *set[] = {row[_i].mg, NULL};
  run a = with_options("h='2e-5'", set, 0.0026), b = with_options("h='1e-5'", set, 0.0026);
  double da = a.x->cert->defect, db = b.x->cert->defect;
  ck_assert_int_eq((int)b.x->cert->impacts, 0);
  ck_assert_double_eq_tol(log2(fabs(da / db)), row[_i].order, 0.03);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* n = 100, consistent mass matrix. */
START_TEST(impacting_bar)
{
  static const char *const columns[][2] = {{"q_0", "bar.q[0]"},      {"v_0", "bar.v[0]"},
                                           {"q_last", "bar.q[99]"},  {"v_last", "bar.v[99]"},
                                           {"q_mid", "bar.q[50]"},   {"v_mid", "bar.v[50]"},
                                           {"lambda", "wall.lambda"}};
  table t;
  run r = start("models/impacting-bar/impacting-bar.xml", NULL,
                "tests/data/reference/impacting-bar.csv.gz", &t);
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
    meets(&r, &t, columns[k][0], columns[k][1], -1, 1e-11);
  end(&r, &t);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, impacting_bar);
  tcase_add_test(t, woodpecker);
  tcase_add_test(t, slider_crank);
  tcase_add_test(t, slider_crank_by_the_absolute_criterion);
  tcase_add_loop_test(t, energy_by_where_the_mass_is_taken, 0, 2);
}

int main(void) { return suite_run("reference, friction", fill); }
