/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prescribed velocities: the other rows of the discrete equations hold exactly, the held ones are
 * what the support takes. */
#include "support/run.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define SIM(h, T) \
  "</systems><simulation T='" T "'><TimeStepping " \
  "h='" h "'><MoreauJeanOSI/></TimeStepping></simulation></model>"
#define PAIR(kind, forces) \
  "<" kind " id='s' coordinates='a b'><q0>0 0</q0><v0>0 " \
  "0.3</v0>" forces "</" kind ">"
static const char dense[] = HEAD PAIR("LagrangianLinearTIDS",
                                      "<mass>1 0; 0 1</mass><K>2 -1; -1 2</K>") SIM("0.05", "2");
static const char nonlinear[] = HEAD PAIR(
    "LagrangianDS", "<mass>1 0; 0 1</mass><fInt>2*a - b, 2*b - a</fInt>") SIM("0.05", "2");
static const char apart[] = HEAD PAIR("LagrangianLinearTIDS",
                                      "<mass>1 0; 0 1</mass><K>2 0; 0 2</K>") SIM("0.05", "2");

/* A model with v_a given: by a number, or as 0.7 cos(3 t) by a plug-in. */
static run load(const char *text, const ns_operator *value)
{
  static const int dof[] = {0};
  run r = {.c = {.report = to_stderr}};
  ns_load_options o = {0};
  ns_load_memory(&r.c, "test.xml", text, strlen(text), &o, NULL, &r.m);
  ck_assert_msg(r.m != NULL, "%s", r.c.msg);
  ns_boundary b = {.at = {.element = "boundary"}, .n = 1, .dof = dof, .value = *value};
  ck_assert_int_ge(ns_model_add_boundary(r.m, &r.c, &b), 0);
  ck_assert_int_eq(ns_simulation_create(&r.c, r.m, &r.s), NS_OK);
  r.x = ns_simulation_state(r.s);
  return r;
}

static const double steady = 0.7;
static const ns_operator constant = {.how = NS_OP_CONSTANT, .rows = 1, .cols = 1, .value = &steady};
static void swing(double t, unsigned n, double *v)
{
  (void)n;
  *v = 0.7 * cos(3 * t);
}
static const ns_plugin_call call = {
    .fn = (void (*)(void))swing, .sig = NS_SIG_BC, .name = "test:swing"};
static const ns_operator swinging = {.how = NS_OP_PLUGIN, .rows = 1, .cols = 1, .plugin = &call};

/* Row j of v+ - v + h K (q + q+)/2 with K = [2 -k; -k 2]. */
static double row(const run *r, size_t i, const char *v, const char *q, const char *other, double k)
{
  double h = 0.05;
  return run_at(r, i, v) - run_at(r, i - 1, v) +
         h *
             (2 * (run_at(r, i, q) + run_at(r, i - 1, q)) -
              k * (run_at(r, i, other) + run_at(r, i - 1, other))) /
             2;
}

static void holds(const char *text, const ns_operator *value, double k)
{
  run r = load(text, value);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  ck_assert_uint_eq(r.got.nrows, 41);
  double max = 0;
  for (size_t i = 1; i < r.got.nrows; i++) {
    double t = run_at(&r, i, "time"), want = value == &constant ? 0.7 : 0.7 * cos(3 * t);
    ck_assert_double_eq(run_at(&r, i, "s.v_a"), want);
    ck_assert_double_le(fabs(row(&r, i, "s.v_b", "s.b", "s.a", k)), 1e-15);
    ck_assert_double_eq_tol(run_at(&r, i, "s.support_a"), row(&r, i, "s.v_a", "s.a", "s.b", k),
                            1e-15);
    max = fmax(max, fabs(run_at(&r, i, "s.support_a")));
    ck_assert_double_eq(run_at(&r, i, "s.support_b"), 0);
  }
  ck_assert_double_ge(max, 0.1);
  /* the support's work is in the balance; K as a force of an otherwise unknown kind leaves no known
   * potential */
  ck_assert_double_le(r.x->cert->defect_max, text == nonlinear ? 1e-2 : 1e-15 * 50);
  run_end(&r);
}

START_TEST(the_free_row_holds_and_the_other_is_the_support)
{
  static const struct {
    const char *text;
    const ns_operator *value;
    double k;
  } c[] = {{dense, &constant, 1},     {dense, &swinging, 1}, {nonlinear, &constant, 1},
           {nonlinear, &swinging, 1}, {apart, &constant, 0}, {apart, &swinging, 0}};
  holds(c[_i].text, c[_i].value, c[_i].k);
}
END_TEST

/* A held coordinate is a moving obstacle: an impulse on the other body of a contact does not move
 * it. */
static const char contact[] = HEAD
    "<LagrangianLinearTIDS id='s' coordinates='a b'><q0>0 0</q0><v0>0.5 0</v0><mass>1 0; 0 "
    "3</mass></LagrangianLinearTIDS>"
    "</systems><interactions><interaction id='push' systems='s'><LagrangianLinearTIR><H>-1 "
    "1</H></LagrangianLinearTIR>"
    "<NewtonImpactNSL e='0'/></interaction></interactions>"
    "<simulation T='1'><TimeStepping h='0.1'><MoreauJeanOSI/></TimeStepping></simulation></model>";

START_TEST(a_held_body_pushes)
{
  run r = load(contact, &constant);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  ck_assert_double_eq(run_at(&r, 1, "s.v_a"), 0.7);
  ck_assert_double_eq_tol(run_at(&r, 1, "s.v_b"), 0.7, 1e-15); /* contact row: v_b >= v_a */
  ck_assert_double_eq_tol(run_at(&r, 1, "push.lambda"), 2.1, 1e-15);
  ck_assert_double_eq_tol(run_at(&r, 1, "s.support_a"), 0.2 + 2.1, 1e-15);
  ck_assert_double_le(r.x->cert->defect_max, 1e-15);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, the_free_row_holds_and_the_other_is_the_support, 0, 6);
  tcase_add_test(t, a_held_body_pushes);
}

int main(void) { return suite_run("boundary conditions", fill); }
