/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mechanical models: relations, laws, boundary conditions and problems become the formulas,
 * derivatives and numbers that the text describes. */
#include "support/run.h"

#include "model/relations/lagrangian_relation.h"

#include <float.h>

#define NS "xmlns=\"urn:nssim:model:1\""
#define STEPPING(problem) \
  "<simulation T=\"1\"><TimeStepping " \
  "h=\"0.5\"><MoreauJeanOSI/>" problem "</TimeStepping></simulation>"
#define MODEL(s, i) \
  "<model " NS "><parameters><parameter name=\"R\" " \
  "value=\"2\"/></parameters><systems>" s "</systems><interactions>" i \
  "</interactions>" STEPPING("") "</model>"
#define BALL "<LagrangianDS id=\"ball\" coordinates=\"x y\"><q0>3 4</q0><z>0.5</z></LagrangianDS>"
#define ON_BALL(relation, law) \
  MODEL(BALL, "<interaction id=\"i\" systems=\"ball\">" relation law "</interaction>")
#define SCLERONOMOUS(content) "<LagrangianScleronomousR>" content "</LagrangianScleronomousR>"
#define RHEONOMOUS(content) "<LagrangianRheonomousR>" content "</LagrangianRheonomousR>"
#define COMPLIANT(content) "<LagrangianCompliantR>" content "</LagrangianCompliantR>"
#define NEWTON "<NewtonImpactNSL e=\"0.5\"/>"
#define FRICTION "<NewtonImpactFrictionNSL en=\"0.5\" et=\"0.25\" mu=\"0.3\"/>"

static ns_model *load(const char *text)
{
  ns_ctx c = {.report = to_stderr};
  ns_model *m;
  int rc = ns_load_memory(&c, "test.xml", text, strlen(text), NULL, NULL, &m);
  ck_assert_msg(rc == NS_OK && m, "%s", c.msg);
  return m;
}

enum { MAX = 64 };
typedef struct rows {
  double y[MAX], H[MAX], ht[MAX], D[MAX];
} rows;

static const double Q[] = {1.1, 1.7, -0.4, 0.6}, V[] = {0.3, -2, 1, 0.5}, L[] = {0.7, 0.2};

static rows rows_of(const ns_interaction *it)
{
  rows r;
  ns_ctx c = {0};
  double z[] = {0.5, 0.25}, work[2000];
  ns_point p = {.t = 0.3,
                .n = it->nQ,
                .q = Q,
                .v = V,
                .nz = it->nZ,
                .z = z,
                .index = it->index,
                .m = it->m,
                .lambda = L};
  ck_assert_uint_le(ns_lagrangian_relation_work(it), 2000);
  ck_assert_int_eq(ns_lagrangian_gap(it, &c, &p, work, r.y), NS_OK);
  ck_assert_int_eq(ns_lagrangian_rows(it, &c, &p, work, r.H, r.ht, r.D), NS_OK);
  return r;
}

static void same(const double *a, const double *b, int n)
{
  for (int k = 0; k < n; k++)
    ck_assert_double_eq_tol(a[k], b[k], 4 * DBL_EPSILON * fmax(1, fabs(b[k])));
}

/* ---- relations ------------------------------------------------------------------------------- */

/* Two texts that mean the same: derivatives left to nssim, and written by hand. */
START_TEST(derivatives_are_those_by_hand)
{
  static const struct {
    const char *derived, *by_hand;
  } pair[] = {
      {ON_BALL(SCLERONOMOUS("<h>sqrt(x^2 + y^2) - R*z[0]</h>"), NEWTON),
       ON_BALL(
           SCLERONOMOUS("<h>sqrt(x^2 + y^2) - R*z[0]</h><H>x/sqrt(x^2+y^2) y/sqrt(x^2+y^2)</H>"),
           NEWTON)},
      {ON_BALL(RHEONOMOUS("<h>x*y - sin(R*t), t^2*y</h>"), NEWTON),
       ON_BALL(RHEONOMOUS(
                   "<h>x*y - sin(R*t), t^2*y</h><H>y x; 0 t^2</H><hDot>-R*cos(R*t), 2*t*y</hDot>"),
               NEWTON)},
      {ON_BALL(COMPLIANT("<h>x + lambda[0]*(2 + y^2)</h>"), "<ComplementarityConditionNSL/>"),
       ON_BALL(COMPLIANT("<h>x + lambda[0]*(2 + y^2)</h><H>1 2*lambda[0]*y</H><D>2 + y^2</D>"),
               "<ComplementarityConditionNSL/>")},
      {ON_BALL(SCLERONOMOUS("<h>q[0] - 2*q[1]</h>"), NEWTON),
       ON_BALL(SCLERONOMOUS("<h>x - 2*y</h><H>1 -2</H>"), NEWTON)},
      {ON_BALL(SCLERONOMOUS("<h>x + 1, y*x</h>"), FRICTION),
       ON_BALL(SCLERONOMOUS("<h>x + 1, y*x</h><H>1 0; y x</H>"), FRICTION)}};
  ns_model *a = load(pair[_i].derived), *b = load(pair[_i].by_hand);
  const ns_interaction *i = a->interactions, *j = b->interactions;
  ck_assert_int_eq(i->m, j->m);
  rows r = rows_of(i), s = rows_of(j);
  same(r.y, s.y, i->m), same(r.H, s.H, i->m * i->nQ), same(r.ht, s.ht, i->m),
      same(r.D, s.D, i->m * i->m);
  ck_assert_int_eq(ns_lagrangian_relation_differenced(i), 0);
  ck_assert(s.H[0] != 0 || s.H[1] != 0);
  ns_model_destroy(a);
  ns_model_destroy(b);
}
END_TEST

/* A name that two systems have needs the id; positions are those of the stack. */
START_TEST(names_of_several_systems_are_stacked)
{
  ns_model *m = load(MODEL(
      "<LagrangianDS id=\"a\" coordinates=\"x u\" inputs=\"w\"><q0>0 0</q0></LagrangianDS>"
      "<LagrangianDS id=\"b\" coordinates=\"x s\"><q0>0 0</q0><z>0</z></LagrangianDS>",
      "<interaction id=\"i\" systems=\"b a\"><LagrangianScleronomousR>"
      "<h>b.x - 2*a.x, u*w, s + z[0], q[3]</h></LagrangianScleronomousR>" NEWTON "</interaction>"));
  const ns_interaction *it = m->interactions;
  ck_assert(it->m == 4 && it->nQ == 4 && it->nZ == 2);
  rows r = rows_of(it);
  const double y[] = {Q[0] - 2 * Q[2], Q[3] * 0.25, Q[1] + 0.5, Q[3]};
  const double H[] = {1, 0, 0, 0, 0, 0, 1, 0, -2, 0, 0, 0, 0, 0.25, 0, 1};
  same(r.y, y, 4), same(r.H, H, 16);
  ns_model_destroy(m);
}
END_TEST

/* The same system twice; an index of a <repeat> in a formula. */
START_TEST(instances_have_their_indices)
{
  ns_model *m = load(MODEL(
      "<repeat index=\"k\" from=\"1\" to=\"3\"><LagrangianDS id=\"b{k}\" "
      "coordinates=\"x\"><q0>9</q0>"
      "</LagrangianDS></repeat>",
      "<repeat index=\"k\" from=\"1\" to=\"2\"><interaction id=\"i{k}\" systems=\"b{k+1} b{k}\">"
      "<LagrangianScleronomousR><h>k*q[0]^2 - q[1]</h></LagrangianScleronomousR>"
      "<NewtonImpactNSL e=\"0.1*k\"/></interaction></repeat>"));
  for (int k = 0; k < 2; k++) {
    const ns_interaction *it = &m->interactions[k];
    rows r = rows_of(it);
    same(r.y, (double[]){(k + 1) * Q[0] * Q[0] - Q[1]}, 1);
    same(r.H, (double[]){2 * (k + 1) * Q[0], -1}, 2);
    ck_assert(it->systems[0] == k + 1 && it->systems[1] == k && it->law.e == 0.1 * (k + 1));
  }
  ns_model_destroy(m);
}
END_TEST

/* With H, h may be the gap alone where there is friction; m is that of H. */
START_TEST(rows_of_friction)
{
  ns_model *m = load(ON_BALL(RHEONOMOUS("<h>y - t^2</h><H>0 1; 1 R*y; 0 0</H>"), FRICTION));
  const ns_interaction *it = m->interactions;
  ck_assert_int_eq(it->m, 3);
  ck_assert_int_eq(it->lr.h.rows, 1);
  rows r = rows_of(it);
  same(r.y, (double[]){Q[1] - 0.09, 0, 0}, 3);
  same(r.H, (double[]){0, 1, 0, 1, 2 * Q[1], 0}, 6);
  same(r.ht, (double[]){-0.6, 0, 0}, 3);
  ck_assert(it->law.e == 0.5 && it->law.et == 0.25 && it->law.mu == 0.3);
  ns_model_destroy(m);
}
END_TEST

START_TEST(linear_compliance_is_its_numbers)
{
  ns_model *m = load(
      ON_BALL("<LagrangianCompliantLinearTIR><H>1 0; 0 1</H><e>5 6</e><F>7; 8</F><D>2 1; 0 3</D>"
              "</LagrangianCompliantLinearTIR>",
              "<MixedComplementarityConditionNSL equalitySize=\"1\"/>"));
  const ns_interaction *it = m->interactions;
  const double D[] = {2, 0, 1, 3};
  ck_assert(it->m == 2 && it->e[1] == 6 && it->F[0] == 7 && it->H[3] == 1);
  ck_assert_mem_eq(it->D, D, sizeof D);
  ck_assert(it->law.lb[0] == -INFINITY && it->law.ub[0] == INFINITY && it->law.lb[1] == 0 &&
            it->law.ub[1] == INFINITY);
  ns_model_destroy(m);
  m = load(ON_BALL("<LagrangianCompliantLinearTIR><H>1 0; 0 1</H><D diag=\"R "
                   "3\"/></LagrangianCompliantLinearTIR>",
                   "<ComplementarityConditionNSL/>"));
  const double diagonal[] = {2, 0, 0, 3};
  ck_assert_mem_eq(m->interactions->D, diagonal, sizeof diagonal);
  ck_assert_ptr_null(m->interactions->e);
  ns_model_destroy(m);
}
END_TEST

/* ---- laws and problems ----------------------------------------------------------------------- */

START_TEST(laws_of_mechanics)
{
  static const struct {
    const char *law;
    double lb, ub;
    int forces;
  } row[] = {{"<EqualityConditionNSL/>", -INFINITY, INFINITY, 1},
             {"<RelayNSL lb=\"-R\" ub=\"3\"/>", -2, 3, 1},
             {"<RelayNSL lb=\"-1\" ub=\"inf\" bounds=\"force\"/>", -1, INFINITY, 1},
             {"<RelayNSL bounds=\"impulse\"/>", -1, 1, 0}};
  char text[1000];
  snprintf(text, sizeof text,
           ON_BALL("<LagrangianLinearTIR><H>1 0</H><e>-3</e></LagrangianLinearTIR>", "%s"),
           row[_i].law);
  ns_model *m = load(text);
  const ns_interaction *it = m->interactions;
  ck_assert(it->law.lb[0] == row[_i].lb && it->law.ub[0] == row[_i].ub &&
            it->law.forces == row[_i].forces);
  ns_model_destroy(m);
}
END_TEST

START_TEST(fremond_has_no_tangential_restitution)
{
  ns_model *m = load(
      ON_BALL(SCLERONOMOUS("<h>x y</h>"), "<FremondImpactFrictionNSL en=\"0.1\" mu=\"R\"/>"));
  const ns_interaction *it = m->interactions;
  ck_assert(it->law.ops->mean_slip && it->law.e == 0.1 && it->law.et == 0 && it->law.mu == 2);
  ns_model_destroy(m);
}
END_TEST

START_TEST(problems_have_their_solvers)
{
  static const struct {
    const char *problem, *name, *solver;
  } row[] = {{"", NULL, "auto"},
             {"<FrictionContact solver=\"nsgs\" tolerance=\"1e-7\"/>", "FrictionContact", "nsgs"},
             {"<GenericMechanical/>", "GenericMechanical", "auto"}};
  char text[1200];
  snprintf(text, sizeof text,
           "<model " NS "><systems>" BALL
           "</systems><interactions><interaction id=\"i\" systems=\"ball\">" SCLERONOMOUS(
               "<h>x y</h>") FRICTION "</interaction></interactions>" STEPPING("%s") "</model>",
           row[_i].problem);
  ns_model *m = load(text);
  if (row[_i].name) ck_assert_str_eq(m->sim.problem, row[_i].name);
  else ck_assert_ptr_null(m->sim.problem);
  ck_assert_str_eq(m->sim.osnsp.solver, row[_i].solver);
  ns_model_destroy(m);
}
END_TEST

/* ---- boundary conditions --------------------------------------------------------------------- */

START_TEST(velocities_are_prescribed)
{
  ns_model *m = load(
      "<model " NS "><parameters><parameter name=\"R\" value=\"2\"/></parameters><systems>"
      "<LagrangianLinearTIDS id=\"a\"><q0>0</q0></LagrangianLinearTIDS>"
      "<repeat index=\"k\" from=\"1\" to=\"2\"><LagrangianDS id=\"b{k}\" coordinates=\"u v w "
      "s\"><q0>0 0 0 0</q0>"
      "<fixed coordinates=\"v\"/><prescribed coordinates=\"u q[3]\">k*sin(t), R</prescribed>"
      "<harmonic coordinates=\"w\" a=\"1\" b=\"R - k\" omega=\"3\" phi=\"k\"/>"
      "</LagrangianDS></repeat></systems>" STEPPING("") "</model>");
  ck_assert_int_eq(m->nboundaries, 6);
  for (int k = 1; k <= 2; k++) {
    const ns_boundary *b = &m->boundaries[3 * (k - 1)];
    double v[2], work[200];
    ns_ctx c = {0};
    for (int i = 0; i < 3; i++) ck_assert_int_eq(b[i].system, k);
    ck_assert(b[0].n == 1 && b[0].dof[0] == 1 && b[0].value.how == NS_OP_ABSENT);
    ck_assert(b[1].n == 2 && b[1].dof[0] == 0 && b[1].dof[1] == 3 && b[1].value.rows == 2 &&
              b[1].value.cols == 1);
    ck_assert(b[2].n == 1 && b[2].dof[0] == 2);
    ns_point p = {.t = 0.7, .index = b[1].index};
    ck_assert_int_eq(ns_operator_eval(&b[1].value, &c, &p, work, v), NS_OK);
    same(v, (double[]){k * sin(0.7), 2}, 2);
    p.index = b[2].index;
    ck_assert_int_eq(ns_operator_eval(&b[2].value, &c, &p, work, v), NS_OK);
    same(v, (double[]){1 + (2 - k) * cos(2.1 + k)}, 1);
  }
  ns_model_destroy(m);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, derivatives_are_those_by_hand, 0, 5);
  tcase_add_test(t, names_of_several_systems_are_stacked);
  tcase_add_test(t, instances_have_their_indices);
  tcase_add_test(t, rows_of_friction);
  tcase_add_test(t, linear_compliance_is_its_numbers);
  tcase_add_loop_test(t, laws_of_mechanics, 0, 4);
  tcase_add_test(t, fremond_has_no_tangential_restitution);
  tcase_add_loop_test(t, problems_have_their_solvers, 0, 3);
  tcase_add_test(t, velocities_are_prescribed);
}

int main(void) { return suite_run("mechanical models", fill); }
