/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compliant contact at position level inside Moreau-Jean, and an elastic bar against a rigid wall.
 */
#include "support/run.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'>"

/* V18: mass 1 meets a one-sided spring of compliance 1e-4 at speed 1: contact for pi sqrt(m D),
 * leaves at 1 - O(h). */
static double rebound(double h, double *duration)
{
  char text[1024];
  snprintf(text, sizeof text,
           HEAD "<systems><LagrangianLinearTIDS id='m' "
                "coordinates='x'><q0>0.1</q0><v0>-1</v0><mass>1</mass></LagrangianLinearTIDS>"
                "</systems><interactions><interaction id='w' "
                "systems='m'><LagrangianCompliantLinearTIR><H>1</H><D>1e-4</D>"
                "</LagrangianCompliantLinearTIR><ComplementarityConditionNSL/></interaction></"
                "interactions><simulation T='0.3'>"
                "<TimeStepping h='%.17g'><MoreauJeanOSI/></TimeStepping></simulation></model>",
           h);
  run r = run_play(text);
  *duration = 0;
  for (size_t i = 0; i < r.got.nrows; i++) *duration += run_at(&r, i, "w.lambda") > 0 ? h : 0;
  double v = r.x->v[0];
  run_end(&r);
  return v;
}

START_TEST(a_compliant_wall)
{
  static const double want[] = {0.9257, 0.9617, 0.9806, 0.9902};
  double loss[4];
  for (int k = 0; k < 4; k++) {
    double h = 1e-3 / (1 << k), duration, v = rebound(h, &duration);
    /* the place of the impact in the grid moves the last digit */
    ck_assert_double_eq_tol(v, want[k], 5e-4);
    ck_assert_double_eq_tol(duration, 3.14159265 * 1e-2, 1.5 * h);
    loss[k] = 1 - v;
  }
  ck_assert_double_eq_tol(log2(loss[0] / loss[3]) / 3, 1, 0.05);
}
END_TEST

/* A ball between an elastic roof (e = 1) and a one-sided spring: |q - exact| until t. */
static double compliant_error(const char *h, int every, double until)
{
  char text[2048];
  snprintf(
      text, sizeof text,
      HEAD
      "<systems><LagrangianLinearTIDS id='ball' coordinates='x y phi'><q0>1 0 0</q0><mass diag='1 "
      "1 0.004'/>"
      "<fExt>-9.81 0 0</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='roof' "
      "systems='ball'>"
      "<LagrangianLinearTIR><H>-1 0 0</H><e>0.7</e></LagrangianLinearTIR><NewtonImpactNSL "
      "e='1'/></interaction>"
      "<interaction id='floor' systems='ball'><LagrangianCompliantLinearTIR><H>1 0 "
      "0</H><e>-0.1</e><D>0.01</D>"
      "</LagrangianCompliantLinearTIR><ComplementarityConditionNSL/></interaction></interactions>"
      "<simulation T='10'><TimeStepping "
      "h='%s'><MoreauJeanOSI/></TimeStepping></simulation></model>",
      h);
  table t = table_read("tests/data/reference/bouncing-ball-ts-compliant-contact-exact.csv.gz");
  run r = run_play(text);
  int row = table_column(&t, "row"), q = table_column(&t, "q"), time = table_column(&t, "t");
  double e = 0;
  for (size_t i = 0; i < t.nrows; i++) {
    const double *a = t.data + i * (size_t)t.ncols;
    if (a[time] <= until)
      e = fmax(e, fabs(a[q] - run_at(&r, (size_t)a[row] * (size_t)every, "ball.x")));
  }
  run_end(&r);
  free(t.data);
  return e;
}

START_TEST(ball_between_roof_and_spring)
{
  double a = compliant_error("5e-4", 1, 0.9), b = compliant_error("1.25e-4", 4, 0.9);
  double c = compliant_error("5e-4", 1, 2), d = compliant_error("1.25e-4", 4, 2);
  ck_assert_double_le(a, 0.01);
  ck_assert_double_ge(log2(a / b) / 2, 0.9);
  ck_assert_double_le(c, 0.1);
  ck_assert_double_ge(log2(c / d) / 2, 0.8);
}
END_TEST

/* V14: bar of n lumped linear elements, E = 900, rho = 1, L = 10, gap 5, v0 = -10, e = 0, CFL 1/2.
 */
static run bar(int n, const char *integrator)
{
  double dx = 10.0 / n, k = 900 / dx;
  size_t size = (size_t)(n + 1) * (size_t)(n + 1) * 8 + 4096, w = 0;
  char *text = malloc(size);
  w += (size_t)snprintf(text + w, size - w,
                        HEAD "<parameters><parameter name='k' value='%.17g'/></parameters><systems>"
                             "<LagrangianLinearTIDS id='bar'><q0>",
                        k);
  for (int i = 0; i <= n; i++) w += (size_t)snprintf(text + w, size - w, "0 ");
  w += (size_t)snprintf(text + w, size - w, "</q0><v0>");
  for (int i = 0; i <= n; i++) w += (size_t)snprintf(text + w, size - w, "-10 ");
  w += (size_t)snprintf(text + w, size - w, "</v0><mass diag='");
  for (int i = 0; i <= n; i++)
    w += (size_t)snprintf(text + w, size - w, "%g ", i == 0 || i == n ? dx / 2 : dx);
  w += (size_t)snprintf(text + w, size - w, "'/><K>");
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= n; j++)
      w += (size_t)snprintf(text + w, size - w, "%s%s",
                            abs(i - j) == 1    ? "-k"
                            : i != j           ? "0"
                            : i == 0 || i == n ? "k"
                                               : "2*k",
                            j < n   ? " "
                            : i < n ? ";"
                                    : "");
  w += (size_t)snprintf(
      text + w, size - w,
      "</K></LagrangianLinearTIDS></systems><interactions><interaction id='w' systems='bar'>"
      "<LagrangianLinearTIR><H>1");
  for (int i = 0; i < n; i++) w += (size_t)snprintf(text + w, size - w, " 0");
  snprintf(text + w, size - w,
           "</H><e>5</e></LagrangianLinearTIR><NewtonImpactNSL e='0'/></interaction></interactions>"
           "<simulation T='1.5'><TimeStepping h='%.17g'>%s</TimeStepping></simulation></model>",
           dx / 60, integrator);
  run r = run_play(text);
  free(text);
  return r;
}

START_TEST(elastic_bar)
{
  static const struct {
    int n;
    double off, speed, energy;
  } want[] = {{50, 1.1767, 9.749, 494.4}, {100, 1.1717, 9.845, 497.2}, {200, 1.1700, 9.904, 498.6}};
  run r = bar(want[_i].n, "<MoreauJeanOSI/>");
  int n = want[_i].n;
  double h = 10.0 / n / 60, on = 0, off = 0, sum = 0, p = 0;
  for (size_t i = 0; i < r.got.nrows; i++) {
    double l = run_at(&r, i, "w.lambda");
    if (!(l > 0)) continue;
    if (on == 0) on = run_at(&r, i, "time");
    off = run_at(&r, i, "time");
    if (off > 0.6 && off < 1.1) sum += l; /* the plateau: theta = 1/2 rings, the mean converges */
  }
  for (int i = 0; i <= n; i++) p += r.x->v[i] * (i == 0 || i == n ? 0.5 : 1) / n;
  ck_assert_double_eq_tol(on, 0.5, 2 * h);
  ck_assert_double_eq_tol(off, want[_i].off, 2 * h);
  ck_assert_double_eq_tol(sum / 0.5, 300, 300 * h / 0.5);
  ck_assert_double_eq_tol(p, want[_i].speed, 0.02);
  ck_assert_double_eq_tol(r.x->cert->kinetic + r.x->cert->potential, want[_i].energy, 0.3);
  run_end(&r);
}
END_TEST

/* ---- springs: compliant relations of equalities ---------------------------------------------- */

/* A linear one is a stiffness: the same motion as with <K>, whatever theta. */
START_TEST(a_linear_spring_is_a_stiffness)
{
  static const double theta[] = {0.5, 0.7, 1};
  static const char *const spring[] = {
      "<K>100 -100; -100 100</K></LagrangianLinearTIDS></systems>",
      "</LagrangianLinearTIDS></systems><interactions><interaction id='k' "
      "systems='m'><LagrangianCompliantLinearTIR><H>1 -1</H>"
      "<D>0.01</D></LagrangianCompliantLinearTIR><EqualityConditionNSL/></interaction></"
      "interactions>"};
  double x[2][2];
  for (int k = 0; k < 2; k++) {
    char text[2048];
    snprintf(text, sizeof text,
             HEAD "<systems><LagrangianLinearTIDS id='m' coordinates='x y'><q0>0.3 0</q0><v0>1 "
                  "-2</v0><mass diag='1 3'/>"
                  "<fExt>1 0.5</fExt>%s<simulation T='3'><TimeStepping h='0.01'><MoreauJeanOSI "
                  "theta='%g'/></TimeStepping></simulation>"
                  "</model>",
             spring[k], theta[_i]);
    run r = run_play(text);
    memcpy(x[k], r.x->q, sizeof x[k]);
    run_end(&r);
  }
  for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(x[0][i], x[1][i], 1e-12);
}
END_TEST

/* Two masses on a spring of stiffness k and length 1 in the plane: x of the second at t = 2; *gain:
 * of the energy. */
static double dumbbell(double h, double *gain, double *defect)
{
  char text[2048];
  snprintf(text, sizeof text,
           HEAD
           "<parameters><parameter name='k' value='100'/></parameters><systems>"
           "<LagrangianDS id='a' coordinates='x y'><q0>0 0</q0><mass>1 0;0 1</mass></LagrangianDS>"
           "<LagrangianDS id='b' coordinates='x y'><q0>1.5 0</q0><v0>0 0.5</v0><mass>2 0; 0 "
           "2</mass></LagrangianDS></systems>"
           "<interactions><interaction id='s' systems='a "
           "b'><LagrangianCompliantR><h>hypot(b.x-a.x,b.y-a.y)-1+lambda[0]/k</h>"
           "</LagrangianCompliantR><EqualityConditionNSL/></interaction></interactions>"
           "<simulation T='2'><TimeStepping "
           "h='%.17g'><MoreauJeanOSI/></TimeStepping></simulation></model>",
           h);
  run r = run_play(text);
  const double *q = r.x->q, *v = r.x->v;
  double stretch = hypot(q[2] - q[0], q[3] - q[1]) - 1;
  *gain = 50 * stretch * stretch + (v[0] * v[0] + v[1] * v[1]) / 2 + v[2] * v[2] + v[3] * v[3] -
          (12.5 + 0.25);
  *defect = r.x->cert->defect_max;
  double x = q[2];
  run_end(&r);
  return x;
}

START_TEST(a_spring_keeps_its_energy_and_is_of_second_order)
{
  double x[4], gain, defect;
  for (int k = 0; k < 4; k++) {
    x[k] = dumbbell(4e-3 / (1 << k), &gain, &defect);
    ck_assert_double_eq_tol(gain, 0, 1e-6);
    ck_assert_double_eq_tol(defect, 0, 1e-7);
  }
  for (int k = 0; k < 2; k++)
    ck_assert_double_eq_tol(log2((x[k + 1] - x[k]) / (x[k + 2] - x[k + 1])), 2, 0.1);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, a_compliant_wall);
  tcase_add_test(t, ball_between_roof_and_spring);
  tcase_add_loop_test(t, elastic_bar, 0, 3);
  tcase_add_loop_test(t, a_linear_spring_is_a_stiffness, 0, 3);
  tcase_add_test(t, a_spring_keeps_its_energy_and_is_of_second_order);
}

int main(void) { return suite_run("compliant contact and bar", fill); }
