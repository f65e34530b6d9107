/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The laws hold in every step of a run, whatever opens and closes within Newton's iteration;
 * redundant rows, a system that meets itself, and numbers that are none. */
#include "support/mechanics.h"

static double cell(const run *r, size_t i, size_t col)
{
  return r->got.rows[i * r->got.ncols + col];
}

/* Newton and Coulomb at four corners, from the recorded rows: which are active, U_N+ + e U_N- >= 0
 * against P_N >= 0, and P_T in the cone, on its edge against slip. Velocities are of the order of
 * 20 m/s. */
START_TEST(slider_crank_keeps_the_laws)
{
  static const char *const corner[] = {"corner1", "corner2", "corner3", "corner4"};
  run r = run_load("models/slider-crank/slider-crank.xml", NULL);
  double h = 1e-5, e = 0.4, mu = 0.01, tol = 1e-7, loaded = 0;
  r.m->out.every = 1;
  ck_assert_int_eq(run_keep(&r), NS_OK);
  for (int k = 0; k < 4; k++) {
    char name[6][64];
    size_t col[6];
    static const char *const what[] = {"y[0]",      "ydot[0]",   "ydot[1]",
                                       "lambda[0]", "lambda[1]", "y[1]"};
    for (int j = 0; j < 6; j++) {
      snprintf(name[j], sizeof name[j], "%s.%s", corner[k], what[j]);
      col[j] = capture_column(&r.got, name[j]);
    }
    for (size_t i = 1; i < r.got.nrows; i++) {
      double y = cell(&r, i - 1, col[0]), before = cell(&r, i - 1, col[1]);
      double un = cell(&r, i, col[1]), ut = cell(&r, i, col[2]), pn = cell(&r, i, col[3]),
             pt = cell(&r, i, col[4]);
      if (y + h * before / 2 > 0) {
        ck_assert(pn == 0 && pt == 0);
        continue;
      }
      ck_assert_double_ge(pn, 0);
      ck_assert_double_ge(un + e * before, -tol);
      ck_assert_double_le(fabs(pt), mu * pn * (1 + 1e-12));
      if (pn == 0) continue;
      loaded++;
      ck_assert_double_le(fabs(un + e * before), tol);
      if (fabs(ut) > tol) ck_assert_double_eq_tol(pt, -copysign(mu * pn, ut), 1e-12 * pn);
    }
  }
  ck_assert_double_ge(loaded, 1000);
  ck_assert_double_lt(r.x->cert->work_friction, 0);
  ck_assert_double_lt(r.x->cert->work_contact, 0);
  run_end(&r);
}
END_TEST

#define ROD(id, f) "<interaction id='" id "' " \
  "systems='m'><LagrangianScleronomousR><h>" f "*(x^2+z^2-1)</h></LagrangianScleronomousR>" \
                   "<EqualityConditionNSL/></interaction>"
#define FLOOR "<interaction id='f' systems='m'><LagrangianScleronomousR><h>z+0.5</h><H>0 1; 1 " \
  "0</H></LagrangianScleronomousR>" \
              "<NewtonImpactFrictionNSL en='0.3' mu='0.3'/></interaction>"

/* The same rod twice: the matrix is singular, the motion is that of one rod. With a floor of
 * friction, the mixed problem, and a rod whose gap is measured in other units. */
START_TEST(redundant_equalities_change_nothing)
{
  static const char *const text[] = {ROD("a", "1"), ROD("a", "1") ROD("b", "2"),
                                     ROD("a", "1") FLOOR, ROD("a", "2") FLOOR};
  double q[2][2], v[2][2];
  for (int k = 0; k < 2; k++) {
    run r = mechanics("<systems><LagrangianLinearTIDS id='m' coordinates='x z'><q0>1 0</q0><mass>1 "
                      "0; 0 1</mass><fExt>0 -9.81</fExt>"
                      "</LagrangianLinearTIDS></systems><interactions>%s</interactions><simulation "
                      "T='2'><TimeStepping h='0.005'>"
                      "<MoreauJeanOSI/></TimeStepping></simulation>",
                      text[2 * _i + k]);
    run_all(&r);
    memcpy(q[k], r.x->q, sizeof q[k]);
    memcpy(v[k], r.x->v, sizeof v[k]);
    run_end(&r);
  }
  near(q[1], q[0], 2, 1e-9);
  near(v[1], v[0], 2, 1e-8);
}
END_TEST

/* A system that stands twice in an interaction: its parts are added, whatever the relation. */
START_TEST(self_contact_is_the_sum_of_its_parts)
{
  static const char *const relation[] = {
      "<interaction id='c' systems='m'><LagrangianLinearTIR><H>1 -1</H></LagrangianLinearTIR>",
      "<interaction id='c' systems='m m'><LagrangianLinearTIR><H>1 0 0 "
      "-1</H></LagrangianLinearTIR>",
      "<interaction id='c' systems='m "
      "m'><LagrangianScleronomousR><h>q[0]-q[3]</h></LagrangianScleronomousR>"};
  double want[2] = {0}, scale = 0;
  for (int k = 0; k < 3; k++) {
    run r = mechanics(
        "<systems><LagrangianLinearTIDS id='m' coordinates='a b'><q0>1 0</q0><v0>-2 1</v0><mass>2 "
        "0.5; 0.5 1</mass>"
        "<K>3 -1; -1 2</K></LagrangianLinearTIDS></systems><interactions>%s<NewtonImpactNSL "
        "e='0.7'/></interaction>"
        "</interactions><simulation T='3'><TimeStepping "
        "h='1e-3'><MoreauJeanOSI/></TimeStepping></simulation>",
        relation[k]);
    run_all(&r);
    ck_assert_int_ge((int)r.x->cert->impacts, 2);
    if (k == 0) memcpy(want, r.x->v, sizeof want), scale = fmax(fabs(want[0]), fabs(want[1]));
    else near(r.x->v, want, 2, 1e-10 * scale);
    run_end(&r);
  }
}
END_TEST

/* h is the root of a negative number from x < 1/2 on. */
START_TEST(gap_that_is_no_number_is_an_error)
{
  run r = mechanics("<systems><LagrangianLinearTIDS id='m' "
                    "coordinates='x'><q0>1</q0><v0>-1</v0><mass>1</mass></LagrangianLinearTIDS>"
                    "</systems><interactions><interaction id='c' "
                    "systems='m'><LagrangianScleronomousR><h>0.1+sqrt(x-0.5)</h>"
                    "</LagrangianScleronomousR><NewtonImpactNSL "
                    "e='0.5'/></interaction></interactions><simulation T='1'>"
                    "<TimeStepping h='0.01'><MoreauJeanOSI/></TimeStepping></simulation>");
  r.c.report = NULL;
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), NS_NUMERIC);
  ck_assert_msg(strstr(r.c.msg, "\"c\"") && strstr(r.c.msg, "finite"), "%s", r.c.msg);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, slider_crank_keeps_the_laws);
  tcase_add_loop_test(t, redundant_equalities_change_nothing, 0, 2);
  tcase_add_test(t, self_contact_is_the_sum_of_its_parts);
  tcase_add_test(t, gap_that_is_no_number_is_an_error);
}

int main(void) { return suite_run("mechanics, laws", fill); }
