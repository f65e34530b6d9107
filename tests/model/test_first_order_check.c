/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What ns_model_finish refuses in first-order models, and what it says. */
#include "support/rate.h"

static const double one[] = {1, 1}, zero[] = {0, 0, 0, 0}, A[] = {0, -1, 1, 0};
static const double nan_first[] = {NAN, 1, 1, 1}, inf_last[] = {1, INFINITY}, ones[] = {1, 1, 1, 1};
static const double half[] = {1, 0, 0, 0};
static const int first[] = {0};

static ns_interaction *add_interaction(ns_model *m, const char *law)
{
  ns_interaction *it = model_interaction(m, "FirstOrderLinearTIR", law, 1, 1, first);
  it->fo.C = numbers(1, 2, one), it->fo.B = numbers(2, 1, one), it->fo.D = numbers(1, 1, one);
  return it;
}

static ns_system *add_lagrangian(ns_model *m)
{
  ns_system *s = model_system(m, "LagrangianLinearTIDS", 2, one);
  s->v0 = one;
  return s;
}

typedef struct fault {
  void (*make)(ns_model *m, ns_interaction *it);
  const char *says;
} fault;

#define FAULT(name) static void name(ns_model *m, ns_interaction *it)
FAULT(wrong_relation)
{
  (void)it;
  static const double H[] = {1, 0};
  ns_interaction *k = model_interaction(m, "LagrangianLinearTIR", "ComplementarityConditionNSL", 1,
                                        1, first);
  k->H = H;
}
FAULT(wrong_law)
{
  (void)m;
  it->law.ops = law_kind("NewtonImpactNSL");
  it->law.e = 0;
}
FAULT(wrong_integrator)
{
  (void)it;
  m->sim.integrator = "MoreauJeanOSI";
}
FAULT(problem_lcp)
{
  m->sim.problem = "LCP";
  it->law.ops = law_kind("RelayNSL");
}
FAULT(problem_lcp_equality)
{
  m->sim.problem = "LCP";
  it->law.ops = law_kind("EqualityConditionNSL");
}
FAULT(problem_mlcp)
{
  m->sim.problem = "MLCP";
  it->law.ops = law_kind("RelayNSL");
}
static void cone(ns_interaction *it, int np, const double *N, const double *k)
{
  it->law.ops = law_kind("NormalConeNSL");
  it->law.np = np, it->law.N = N, it->law.k = k;
}
FAULT(problem_relay)
{
  m->sim.problem = "Relay";
  cone(it, 1, one, zero);
}
FAULT(no_rows)
{
  (void)m;
  cone(it, 0, one, zero);
}
FAULT(empty_row)
{
  (void)m;
  cone(it, 1, zero, zero);
}
FAULT(empty_set)
{
  (void)m;
  cone(it, 1, zero, one);
}
FAULT(k_not_finite)
{
  (void)m;
  cone(it, 1, one, nan_first);
}
FAULT(singular_M)
{
  (void)it;
  m->systems[0].fo.M = numbers(2, 2, ones);
}
FAULT(singular_M_of_t)
{
  (void)it;
  m->systems[0].fo.M = formula(m, 2, 2, "1, 1, 1, 1+t");
}
FAULT(singular_to_rounding)
{
  (void)it;
  /* second column: 10/3 of the first, but for rounding */
  static const double M[] = {0.1, 0.3, 1. / 3, 1.};
  m->systems[0].fo.M = numbers(2, 2, M);
}
FAULT(singular_diagonal)
{
  (void)it;
  m->systems[0].fo.M = numbers(2, 2, half);
}
FAULT(A_not_finite)
{
  (void)it;
  m->systems[0].fo.A = numbers(2, 2, nan_first);
}
FAULT(C_not_finite)
{
  (void)m;
  it->fo.C = numbers(1, 2, inf_last);
}
FAULT(x0_not_finite)
{
  (void)it;
  m->systems[0].q0 = nan_first;
}
static void box(ns_interaction *it, const double *lb, const double *ub)
{
  it->law.ops = law_kind("RelayNSL");
  it->law.lb = lb, it->law.ub = ub;
}
FAULT(relay_crossed)
{
  (void)m;
  box(it, one, zero);
}
FAULT(relay_nan)
{
  (void)m;
  static const double n[] = {NAN};
  box(it, n, one);
}
FAULT(relay_inf)
{
  (void)m;
  static const double n[] = {INFINITY};
  box(it, n, n);
}
FAULT(theta_range)
{
  (void)it;
  m->sim.em.theta = 1.5;
}
FAULT(gamma_range)
{
  (void)it;
  m->sim.em.gamma = -1;
}
FAULT(hold_nonlinear)
{
  (void)it;
  m->sim.integrator = "ZeroOrderHoldOSI";
  m->systems[0].kind = system_kind("FirstOrderNonLinearDS");
}
FAULT(hold_relation)
{
  m->sim.integrator = "ZeroOrderHoldOSI";
  it->relation = relation_kind("FirstOrderNonLinearR");
  it->fo.h = formula(m, 1, 1, "x[0]^2");
  it->fo.C = derivative(m, 1, "x[0]^2", NS_BANK_Q, 2);
  it->fo.g = formula(m, 2, 1, "l[0], l[0]");
}

static const fault faults[] = {
    {wrong_relation,
     "the relation LagrangianLinearTIR with first-order systems, expected <FirstOrderLinearTIR>"},
    {wrong_law, "the law NewtonImpactNSL is a law of mechanical contacts, expected a law of "
                "first-order systems"},
    {wrong_integrator, "expected <EulerMoreauOSI theta=\"1\"/>"},
    {problem_lcp, "the one-step problem LCP does not support the law RelayNSL, expected <Relay/>"},
    {problem_lcp_equality,
     "the one-step problem LCP does not support the law EqualityConditionNSL, expected <MLCP/>"},
    {problem_mlcp,
     "the one-step problem MLCP does not support the law RelayNSL, expected <Relay/>"},
    {problem_relay,
     "the one-step problem Relay does not support the law NormalConeNSL, expected <AVI/>"},
    {no_rows, "H of the normal cone has no rows"},
    {empty_row, "row 0 of H is zero, expected a bound on lambda"},
    {empty_set, "row 0 of H is zero and k[0] is 1: no lambda"},
    {k_not_finite, "an entry of k is nan"},
    {singular_M, "the matrix M is singular at t0 (component x[1])"},
    {singular_M_of_t, "the matrix M is singular at t0 (component x[1])"},
    {singular_to_rounding, "the matrix M is singular at t0"},
    {singular_diagonal, "the matrix M is singular at t0 (component x[1])"},
    {A_not_finite, "an entry of A is nan"},
    {C_not_finite, "an entry of C is inf"},
    {x0_not_finite, "an entry of x0 is nan"},
    {relay_crossed, "the bounds of lambda[0] are [1, 0], expected lb <= ub"},
    {relay_nan, "the bounds of lambda[0] are [nan, 1]"},
    {relay_inf, "the bounds of lambda[0] are [inf, inf]"},
    {theta_range, "theta is 1.5"},
    {gamma_range, "gamma is -1"},
    {hold_nonlinear,
     "ZeroOrderHoldOSI integrates linear systems and this is a FirstOrderNonLinearDS"},
    {hold_relation,
     "ZeroOrderHoldOSI supports linear relations and FirstOrderNonLinearR is not linear"},
};
enum { FAULTS = sizeof faults / sizeof *faults };

START_TEST(fault_is_refused)
{
  ns_ctx c = {0};
  ns_model *m = model_new(1, 1, 0);
  model_system(m, "FirstOrderLinearTIDS", 2, one)->fo.A = numbers(2, 2, A);
  ns_interaction *it = add_interaction(m, "ComplementarityConditionNSL");
  ck_assert_msg(ns_model_finish(m, &c) == NS_OK, "%s", c.msg); /* sound without the fault */
  faults[_i].make(m, it);
  ck_assert_int_eq(ns_model_finish(m, &c), NS_MODEL);
  ck_assert_msg(strstr(c.msg, faults[_i].says) != NULL, "says: %s", c.msg);
  ck_assert_int_eq(c.nerrors, 1);
  ns_model_destroy(m);
}
END_TEST

/* Mechanics with what belongs to first order. */
START_TEST(mechanics_are_no_first_order)
{
  static const struct {
    const char *law, *integrator, *problem, *says;
  } row[] = {
      {"NewtonImpactNSL", "EulerMoreauOSI", "LCP", "expected <MoreauJeanOSI theta=\"0.5\"/>"},
      {"NewtonImpactNSL", "MoreauJeanOSI", "AVI",
       "the one-step problem AVI with Lagrangian systems, expected <LCP/>"},
      {"ComplementarityConditionNSL", "MoreauJeanOSI", "LCP",
       "is a law of compliant contacts, expected a law of rigid"},
      {"NewtonImpactNSL", "MoreauJeanOSI", "LCP", NULL}};
  static const double H[] = {1, 0};
  ns_ctx c = {0};
  ns_model *m = model_new(1, 1, 0);
  add_lagrangian(m);
  ns_interaction *it = model_interaction(m, "LagrangianLinearTIR", row[_i].law, 1, 1, first);
  it->H = H, it->law.e = 0;
  m->sim.integrator = row[_i].integrator, m->sim.problem = row[_i].problem;
  int rc = ns_model_finish(m, &c);
  ck_assert_int_eq(rc, row[_i].says ? NS_MODEL : NS_OK);
  ck_assert_msg(!row[_i].says || strstr(c.msg, row[_i].says), "says: %s", c.msg);
  ns_model_destroy(m);
}
END_TEST

/* v0 = NULL is rest. */
START_TEST(no_initial_velocity_is_rest)
{
  ns_ctx c = {0};
  ns_state x;
  ns_model *m = model_new(1, 1, 0);
  add_lagrangian(m)->v0 = NULL;
  m->sim.integrator = "MoreauJeanOSI";
  ck_assert_msg(ns_model_finish(m, &c) == NS_OK, "%s", c.msg);
  ck_assert_int_eq(ns_state_create(&c, m, &x), NS_OK);
  ck_assert(x.v[0] == 0 && x.v[1] == 0);
  ns_state_fini(&x);
  ns_model_destroy(m);
}
END_TEST

/* Sound, though it looks odd: a fixed lambda, half-lines, a badly scaled but regular M. */
START_TEST(odd_models_are_sound)
{
  static const double inf[] = {INFINITY}, minus[] = {-INFINITY}, M[] = {1e-12, 1e-9, 2e3, 1e7};
  ns_ctx c = {0};
  ns_model *m = model_new(0, 1, 0);
  ns_system *s = model_system(m, "FirstOrderLinearTIDS", 2, one);
  s->fo.M = numbers(2, 2, M);
  ns_interaction *it = add_interaction(m, "RelayNSL");
  it->law.lb = _i == 0 ? one : _i == 1 ? minus : zero;
  it->law.ub = _i == 0 ? one : _i == 1 ? zero : inf;
  ck_assert_msg(ns_model_finish(m, &c) == NS_OK, "%s", c.msg);
  ck_assert_int_eq(c.nwarnings, 0);
  ns_model_destroy(m);
}
END_TEST

/* gamma = 0 leaves D alone; a warning where it has a row of zeros. */
START_TEST(explicit_input_warns)
{
  ns_ctx c = {0};
  ns_model *m = model_new(1, 0, 0);
  model_system(m, "FirstOrderLinearTIDS", 2, one);
  ns_interaction *it = add_interaction(m, "ComplementarityConditionNSL");
  if (_i == 1) it->fo.D = (ns_operator){0};
  if (_i == 2) it->fo.D = numbers(1, 1, zero);
  ck_assert_msg(ns_model_finish(m, &c) == NS_OK, "%s", c.msg);
  ck_assert_int_eq(c.nwarnings, _i > 0);
  ns_model_destroy(m);
}
END_TEST

/* y = x1, x1' = x2, x2' = lambda: degree 2; a warning where lambda has no bound, none with D or
 * with y = x2. */
START_TEST(degree_two_warns)
{
  static const double chain[] = {0, 0, 1, 0}, C[] = {1, 0}, B[] = {0, 1}, minus[] = {-1},
                      full[] = {2, 1, 1, 2};
  static const struct {
    int D, see_x2, relay, full_mass, warnings;
  } row[] = {{0, 0, 0, 0, 1}, {1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 0, 1, 0}};
  ns_ctx c = {0};
  ns_model *m = model_new(1, 1, 0);
  ns_system *s = model_system(m, "FirstOrderLinearTIDS", 2, one);
  s->fo.A = numbers(2, 2, chain);
  if (row[_i].full_mass) s->fo.M = numbers(2, 2, full);
  ns_interaction *it = add_interaction(m,
                                       row[_i].relay ? "RelayNSL" : "ComplementarityConditionNSL");
  it->fo.C = numbers(1, 2, row[_i].see_x2 ? B : C), it->fo.B = numbers(2, 1, B);
  if (!row[_i].D) it->fo.D = (ns_operator){0};
  if (row[_i].relay) it->law.lb = minus, it->law.ub = one;
  ck_assert_msg(ns_model_finish(m, &c) == NS_OK, "%s", c.msg);
  ck_assert_int_eq(c.nwarnings, row[_i].warnings);
  ns_model_destroy(m);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, fault_is_refused, 0, FAULTS);
  tcase_add_loop_test(t, mechanics_are_no_first_order, 0, 4);
  tcase_add_test(t, no_initial_velocity_is_rest);
  tcase_add_loop_test(t, odd_models_are_sound, 0, 3);
  tcase_add_loop_test(t, explicit_input_warns, 0, 3);
  tcase_add_loop_test(t, degree_two_warns, 0, 5);
}

int main(void) { return suite_run("checks of first-order models", fill); }
