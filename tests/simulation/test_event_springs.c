/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compliant rows event-driven: closed forms, models whose springs are formulas, time-stepping as
 * its step goes to zero.
 *
 * RANDOM_MODELS=n runs that many random models (make check-long). */
#include "support/cloud.h"
#include "support/mechanics.h"

#define EVENTS(T, flow) "<simulation T='" T "'><EventDriven " \
  "h='0.01'>" flow "</EventDriven></simulation>"

/* A mass meets a one-sided spring anywhere at speed 1: it leaves at speed 1 after pi sqrt(m D). */
START_TEST(a_wall_gives_back_what_it_takes)
{
  static const double origin[] = {0, 0.1, -30, 1e4}, compliance[] = {1e-2, 1e-4, 1e-7};
  for (size_t i = 0; i < sizeof origin / sizeof *origin; i++)
    for (size_t k = 0; k < sizeof compliance / sizeof *compliance; k++) {
      double D = compliance[k], o = origin[i];
      run r = mechanics(
          "<systems><LagrangianLinearTIDS id='m' "
          "coordinates='x'><q0>%.17g</q0><v0>-1</v0><mass>1</mass></LagrangianLinearTIDS>"
          "</systems><interactions><interaction id='w' "
          "systems='m'><LagrangianCompliantLinearTIR><H>1</H><e>%.17g</e>"
          "<D>%.17g</D></LagrangianCompliantLinearTIR><ComplementarityConditionNSL/></"
          "interaction></interactions>" EVENTS("0.5", "<CVodeOSI/>"),
          0.1 + o, -o, D);
      ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
      ck_assert_double_eq_tol(r.x->v[0], 1, 1e-7);
      ck_assert_double_eq_tol(r.x->q[0], o + 0.5 - 0.1 - M_PI * sqrt(D), 1e-7 + 1e-11 * fabs(o));
      ck_assert_double_le(r.x->cert->defect_max, 1e-7);
      for (size_t row = 0; row < r.got.nrows; row++)
        ck_assert_double_ge(run_at(&r, row, "w.lambda"), 0);
      run_end(&r);
    }
}
END_TEST

/* Without bounds a compliant row is a spring of stiffness 1/D, beside an equality and a rigid stop.
 */
START_TEST(springs_stand_beside_equalities)
{
  static const char head[] =
      "<systems><LagrangianLinearTIDS id='m' coordinates='a b c'><q0>0.3 0.1 0.4</q0><v0>0 0 "
      "-1</v0>"
      "<mass diag='1 2 1.5'/>%s<fExt>1 + sin(5*t), -2, "
      "-9.81</fExt></LagrangianLinearTIDS></systems><interactions>"
      "<interaction id='bar' systems='m'><LagrangianLinearTIR><H>1 -1 "
      "0</H><e>-0.2</e></LagrangianLinearTIR>"
      "<EqualityConditionNSL/></interaction><interaction id='stop' "
      "systems='m'><LagrangianLinearTIR><H>0 0 1</H>"
      "</LagrangianLinearTIR><NewtonImpactNSL e='0.7'/></interaction>%s</interactions>";
  static const char *const flows[] = {"<CVodeOSI/>", "<CVodeOSI method='bdf'/>", "<IDAOSI/>",
                                      "<NewMarkAlphaOSI step='1e-3'/>"};
  double q[2][3], v[2][3];
  for (int as_row = 0; as_row < 2; as_row++) {
    char text[4096];
    size_t n = (size_t)snprintf(
        text, sizeof text, head, as_row ? "" : "<K>0 0 0; 0 100 -100; 0 -100 100</K>",
        as_row ? "<interaction id='k' systems='m'><LagrangianCompliantLinearTIR><H>0 1 "
                 "-1</H><D>0.01</D>"
                 "</LagrangianCompliantLinearTIR><EqualityConditionNSL/></interaction>"
               : "");
    snprintf(text + n, sizeof text - n,
             "<simulation T='2'><EventDriven h='0.01'>%s</EventDriven></simulation>", flows[_i]);
    run r = mechanics("%s", text);
    ck_assert_msg(run_keep(&r) == NS_OK, "%s: %s", flows[_i], r.c.msg);
    memcpy(q[as_row], r.x->q, sizeof *q);
    memcpy(v[as_row], r.x->v, sizeof *v);
    ck_assert_double_eq_tol(r.x->q[0] - r.x->q[1], 0.2, 1e-8);
    run_end(&r);
  }
  near(q[1], q[0], 3, _i == 3 ? 1e-4 : 1e-7);
  near(v[1], v[0], 3, _i == 3 ? 2e-3 : 1e-6);
}
END_TEST

/* A spring that yields: no more force than its bounds, here by one of them a constant one. */
START_TEST(a_spring_with_bounds)
{
  run r = mechanics(
      "<systems><LagrangianLinearTIDS id='m' "
      "coordinates='x'><q0>0</q0><v0>2</v0><mass>1</mass></LagrangianLinearTIDS></systems>"
      "<interactions><interaction id='k' "
      "systems='m'><LagrangianCompliantLinearTIR><H>1</H><D>0.01</D>"
      "</LagrangianCompliantLinearTIR><RelayNSL lb='-5' "
      "ub='5'/></interaction></interactions>" EVENTS("0.6", "<CVodeOSI/>"));
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  /* to 0.05 on the spring, from there against 5 N */
  double t1 = asin(0.05 * 10 / 2) / 10, v1 = sqrt(4 - 100 * 0.05 * 0.05), t = 0.6 - t1;
  ck_assert_double_eq_tol(r.x->q[0], 0.05 + v1 * t - 2.5 * t * t, 1e-8);
  ck_assert_double_eq_tol(run_at(&r, r.got.nrows - 1, "k.lambda"), -5, 1e-12);
  run_end(&r);
}
END_TEST

/* ---- random models --------------------------------------------------------------------------- */

enum { DOFS = 3, MODELS = 24 };

typedef struct springs {
  int n;
  double q0[DOFS], v0[DOFS], mass[DOFS], k[DOFS], c[DOFS], push[DOFS], wave[DOFS], rate[DOFS],
      stiff[DOFS], at[DOFS], e;
} springs;

static springs draw(int seed)
{
  springs s = {0};
  cloud_seed = 4000 + (uint64_t)seed;
  for (int i = 0; i < 9; i++) uniform(0, 1);
  s.n = 1 + (int)uniform(0, DOFS);
  s.e = uniform(0, 0.9);
  for (int i = 0; i < s.n; i++) {
    s.q0[i] = uniform(0.05, 0.5), s.v0[i] = uniform(-1, 1), s.mass[i] = uniform(0.5, 2);
    s.k[i] = uniform(0, 1) < 0.3 ? 0 : uniform(5, 100), s.c[i] = uniform(0, 0.5);
    s.push[i] = uniform(-12, 0), s.wave[i] = uniform(0, 8), s.rate[i] = uniform(3, 20);
    s.stiff[i] = pow(10, uniform(1.5, 5)), s.at[i] = uniform(-0.1, 0.04);
  }
  return s;
}

/* The model; its springs are compliant rows, or formulas of the internal forces. */
static run build(const springs *s, int rows, const char *simulation)
{
  char text[8000];
  size_t n = 0;
#define ADD(...) n += (size_t)snprintf(text + n, sizeof text - n, __VA_ARGS__)
  ADD("<systems><LagrangianDS id='m'><q0>");
  for (int i = 0; i < s->n; i++) ADD("%.17g ", s->q0[i]);
  ADD("</q0><v0>");
  for (int i = 0; i < s->n; i++) ADD("%.17g ", s->v0[i]);
  ADD("</v0><mass diag='");
  for (int i = 0; i < s->n; i++) ADD("%.17g ", s->mass[i]);
  ADD("'/><fInt>");
  for (int i = 0; i < s->n; i++) {
    ADD("%s%.17g*q[%d] + %.17g*v[%d]", i ? ", " : "", s->k[i], i, s->c[i], i);
    if (!rows)
      ADD(" + (q[%d] &lt; %.17g ? %.17g*(q[%d] - %.17g) : 0)", i, s->at[i], s->stiff[i], i,
          s->at[i]);
  }
  ADD("</fInt><fExt>");
  for (int i = 0; i < s->n; i++)
    ADD("%s%.17g + %.17g*sin(%.17g*t)", i ? ", " : "", s->push[i], s->wave[i], s->rate[i]);
  ADD("</fExt></LagrangianDS></systems><interactions><interaction id='roof' "
      "systems='m'><LagrangianLinearTIR><H>");
  for (int i = 0; i < s->n; i++) ADD("%d ", -(i == 0));
  ADD("</H><e>0.6</e></LagrangianLinearTIR><NewtonImpactNSL e='%.17g'/></interaction>", s->e);
  if (rows) {
    ADD("<interaction id='k' systems='m'><LagrangianCompliantLinearTIR><H>");
    for (int i = 0; i < s->n; i++)
      for (int j = 0; j < s->n; j++)
        ADD("%d%s", i == j, j + 1 < s->n ? " " : i + 1 < s->n ? "; " : "");
    ADD("</H><e>");
    for (int i = 0; i < s->n; i++) ADD("%.17g ", -s->at[i]);
    ADD("</e><D>");
    for (int i = 0; i < s->n; i++)
      for (int j = 0; j < s->n; j++)
        ADD("%.17g%s", i == j ? 1 / s->stiff[i] : 0, j + 1 < s->n ? " " : i + 1 < s->n ? "; " : "");
    ADD("</D></LagrangianCompliantLinearTIR><ComplementarityConditionNSL/></interaction>");
  }
  ADD("</interactions>%s", simulation);
#undef ADD
  ck_assert_uint_lt(n, sizeof text);
  return mechanics("%s", text);
}

static int models(void)
{
  const char *n = getenv("RANDOM_MODELS");
  return n ? atoi(n) : MODELS;
}

START_TEST(rows_are_the_springs_of_formulas)
{
  for (int k = 0; k < models(); k++) {
    springs s = draw(k);
    run row = build(&s, 1, EVENTS("2", "<CVodeOSI/>")),
        formula = build(&s, 0, EVENTS("2", "<CVodeOSI/>"));
    ck_assert_msg(run_keep(&row) == NS_OK, "model %d: %s", k, row.c.msg);
    ck_assert_msg(run_keep(&formula) == NS_OK, "model %d by formulas: %s", k, formula.c.msg);
    for (int i = 0; i < s.n; i++) {
      ck_assert_msg(fabs(row.x->q[i] - formula.x->q[i]) <= 1e-6,
                    "model %d: q[%d] = %.12g, %.12g by formulas", k, i, row.x->q[i],
                    formula.x->q[i]);
      ck_assert_msg(fabs(row.x->v[i] - formula.x->v[i]) <= 1e-4,
                    "model %d: v[%d] = %.12g, %.12g by formulas", k, i, row.x->v[i],
                    formula.x->v[i]);
    }
    ck_assert_double_le(row.x->cert->defect_max, 1e-5); /* of some J, many times over */
    run_end(&row);
    run_end(&formula);
  }
}
END_TEST

/* Rows of one interaction that act on each other, against steps of h and h/2: errors of first
 * order. */
START_TEST(small_steps_come_to_the_same_place)
{
  static const char model[] =
      "<systems><LagrangianLinearTIDS id='m' coordinates='x y'><q0>0.2 0.1</q0><v0>-1 "
      "-0.5</v0><mass diag='1 2'/>"
      "<fExt>-3, -4*sin(7*t)</fExt></LagrangianLinearTIDS></systems><interactions><interaction "
      "id='k' systems='m'>"
      "<LagrangianCompliantLinearTIR><H>1 0.2; -0.3 1</H><D>2e-3 1e-3; 5e-4 "
      "3e-3</D></LagrangianCompliantLinearTIR>"
      "<ComplementarityConditionNSL/></interaction></interactions>";
  double q[3][2];
  run r = mechanics("%s" EVENTS("1", "<CVodeOSI/>"), model);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  memcpy(q[2], r.x->q, sizeof *q);
  run_end(&r);
  for (int k = 0; k < 2; k++) {
    r = mechanics(
        "%s<simulation T='1'><TimeStepping h='%.17g'><MoreauJeanOSI/></TimeStepping></simulation>",
        model, k ? 1e-5 : 2e-5);
    run_all(&r);
    memcpy(q[k], r.x->q, sizeof *q);
    run_end(&r);
  }
  for (int i = 0; i < 2; i++) {
    double change = fabs(q[1][i] - q[0][i]);
    ck_assert_double_eq_tol(2 * q[1][i] - q[0][i], q[2][i], 0.2 * change + 1e-7);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, a_wall_gives_back_what_it_takes);
  tcase_add_loop_test(t, springs_stand_beside_equalities, 0, 4);
  tcase_add_test(t, a_spring_with_bounds);
  tcase_add_test(t, rows_are_the_springs_of_formulas);
  tcase_add_test(t, small_steps_come_to_the_same_place);
  tcase_set_timeout(t, 600);
}

int main(void) { return suite_run("springs between events", fill); }
