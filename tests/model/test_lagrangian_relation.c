/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lagrangian relations: gaps, rows, bias by formulas, by C functions, by numbers; what the checks
 * say of them. */
#include "support/rate.h"

#include "model/relations/lagrangian_relation.h"
#include "model/state.h"

static const int first[] = {0};
static const double Q[] = {0.7, -1.3}, V[] = {0.4, 2.1}, L[] = {0.9, 0.2};

/* A relation of one system with two coordinates and z = [0.3], without a model around it. */
static ns_interaction relation(const char *kind, int m)
{
  return (ns_interaction){.relation = relation_kind(kind),
                          .law.ops = law_kind("NewtonImpactNSL"),
                          .m = m,
                          .nsystems = 1,
                          .systems = first,
                          .nQ = 2,
                          .nZ = 1};
}

static double z0[1];
static ns_point point(void)
{
  z0[0] = 0.3;
  return (ns_point){.t = 1.7, .n = 2, .q = Q, .v = V, .nz = 1, .z = z0, .m = 2, .lambda = L};
}

typedef struct rows {
  double y[2], H[4], ht[2], D[4], bias[2];
} rows;

static rows rows_of(const ns_interaction *it)
{
  rows r;
  ns_ctx c = {0};
  ns_point p = point();
  double work[300];
  ck_assert_uint_le(ns_lagrangian_relation_work(it), 300);
  ck_assert_int_eq(ns_lagrangian_gap(it, &c, &p, work, r.y), NS_OK);
  ck_assert_int_eq(ns_lagrangian_rows(it, &c, &p, work, r.H, r.ht, r.D), NS_OK);
  ck_assert_int_eq(ns_lagrangian_bias(it, &c, &p, work, r.bias), NS_OK);
  return r;
}

static void same(const double *a, const double *b, int n, double tol)
{
  for (int k = 0; k < n; k++) ck_assert_double_eq_tol(a[k], b[k], tol);
}

/* ---- a moving circle, with a slip row -------------------------------------------------------- */

static const char *const circle = "sqrt(x[0]^2 + (x[1] - sin(t))^2) - z[0], x[0]*x[1]*t";

static void circle_h(unsigned N, const double *x, double t, unsigned m, double *h, unsigned nz,
                     double *z)
{
  ck_assert(N == 2 && m == 2 && nz == 1);
  h[0] = hypot(x[0], x[1] - sin(t)) - z[0];
  h[1] = x[0] * x[1] * t;
}

/* h1 = r - z: H = (Q - c)/r; d/dt of ydot along the flow: |V - c'|^2/r - (n.(V - c'))^2/r + n.(0 -
 * c''); h2 = q0 q1 t. */
static void circle_by_hand(rows *r)
{
  double t = 1.7, dx = Q[0], dy = Q[1] - sin(t), s = hypot(dx, dy), nx = dx / s, ny = dy / s;
  double ux = V[0], uy = V[1] - cos(t), un = nx * ux + ny * uy;
  *r = (rows){.y = {s - 0.3, Q[0] * Q[1] * t},
              .H = {nx, Q[1] * t, ny, Q[0] * t},
              .ht = {-ny * cos(t), Q[0] * Q[1]},
              .bias = {(ux * ux + uy * uy - un * un) / s + ny * sin(t),
                       2 * V[0] * V[1] * t + 2 * (V[0] * Q[1] + V[1] * Q[0])}};
}

START_TEST(formulas_and_functions_are_the_circle)
{
  ns_model *m = model_new(1, 1, 0);
  ns_interaction a = relation("LagrangianRheonomousR", 2), b = a;
  rows hand;
  circle_by_hand(&hand);
  a.lr.h = formula(m, 2, 1, circle);
  a.lr.H = derivative(m, 2, circle, NS_BANK_Q, 2);
  a.lr.ht = derivative(m, 2, circle, NS_BANK_T, 1);
  rows r = rows_of(&a);
  ck_assert_int_eq(ns_lagrangian_relation_differenced(&a), 0);
  same(r.y, hand.y, 2, 1e-15), same(r.H, hand.H, 4, 1e-15), same(r.ht, hand.ht, 2, 1e-15);
  same(r.bias, hand.bias, 2, 2e-9); /* eps^(2/3) times third derivatives below 50 */
  b.lr.h = function_of(m, 2, 1, NS_SIG_LRHEO, (void (*)(void))circle_h, USES_T | USES_X | USES_Z);
  r = rows_of(&b);
  ck_assert_int_eq(ns_lagrangian_relation_differenced(&b), 1);
  same(r.y, hand.y, 2, 1e-15), same(r.H, hand.H, 4, 2e-9), same(r.ht, hand.ht, 2, 2e-9);
  same(r.bias, hand.bias, 2, 2e-6); /* differences of differences: eps^(4/9), which is 1e-7 */
  same(r.D, (double[4]){0}, 4, 0x1p-1000);
  b.lr.H = a.lr.H;
  r = rows_of(&b);
  same(r.H, hand.H, 4, 1e-15), same(r.ht, hand.ht, 2, 2e-9);
  ns_model_destroy(m);
}
END_TEST

/* ---- other kinds ----------------------------------------------------------------------------- */

static void soft_h(unsigned N, const double *x, unsigned m, const double *l, double *h, unsigned nz,
                   double *z)
{
  ck_assert(N == 2 && m == 2 && nz == 1);
  h[0] = x[0] + l[0] * l[0] + z[0] * l[1];
  h[1] = x[1] * l[1];
}

START_TEST(compliances_are_derived_and_differenced)
{
  static const char *const text = "x[0] + l[0]^2 + z[0]*l[1], x[1]*l[1]";
  const double H[] = {1, 0, 0, L[1]}, D[] = {2 * L[0], 0, 0.3, Q[1]};
  ns_model *m = model_new(1, 1, 0);
  ns_interaction a = relation("LagrangianCompliantR", 2), b = a;
  a.lr.h = formula(m, 2, 1, text);
  a.lr.H = derivative(m, 2, text, NS_BANK_Q, 2);
  a.lr.D = derivative(m, 2, text, NS_BANK_LAMBDA, 2);
  b.lr.h = function_of(m, 2, 1, NS_SIG_LCOMP, (void (*)(void))soft_h, USES_X | USES_L | USES_Z);
  rows r = rows_of(&a), s = rows_of(&b);
  same(r.H, H, 4, 1e-15), same(r.D, D, 4, 1e-15), same(r.y, s.y, 2, 1e-15);
  same(s.H, H, 4, 1e-9), same(s.D, D, 4, 1e-9);
  same(r.ht, (double[2]){0}, 2, 0x1p-1000), same(s.ht, (double[2]){0}, 2, 0x1p-1000);
  ns_model_destroy(m);
}
END_TEST

/* A given dH/dt is used as it is. */
START_TEST(bias_by_HDot)
{
  static const char *const text = "x[0]^2, x[0]*x[1]";
  ns_model *m = model_new(1, 1, 0);
  ns_interaction a = relation("LagrangianScleronomousR", 2);
  a.lr.h = formula(m, 2, 1, text);
  a.lr.H = derivative(m, 2, text, NS_BANK_Q, 2);
  const double bias[] = {2 * V[0] * V[0], 2 * V[0] * V[1]};
  same(rows_of(&a).bias, bias, 2, 1e-9);
  a.lr.Hdot = formula(m, 2, 2, "2*v[0], v[1], 0, v[0]");
  same(rows_of(&a).bias, bias, 2, 1e-15);
  ns_model_destroy(m);
}
END_TEST

/* h is the gap alone: the row of slip reads 0, its H is what was given. */
START_TEST(slip_needs_no_h)
{
  ns_model *m = model_new(1, 1, 0);
  ns_interaction a = relation("LagrangianRheonomousR", 2);
  a.lr.h = formula(m, 1, 1, "x[1] - t");
  a.lr.ht = derivative(m, 1, "x[1] - t", NS_BANK_T, 1);
  a.lr.H = formula(m, 2, 2, "0, 1, 1, x[0]");
  rows r = rows_of(&a);
  same(r.y, (double[]){Q[1] - 1.7, 0}, 2, 0x1p-1000);
  same(r.ht, (double[]){-1, 0}, 2, 0x1p-1000);
  same(r.H, (double[]){0, 1, 1, Q[0]}, 4, 0x1p-1000);
  ns_model_destroy(m);
}
END_TEST

START_TEST(linear_kinds_are_their_numbers)
{
  static const double H[] = {1, 2, 3, 4}, e[] = {5, 6}, F[] = {7, 8}, D[] = {2, 1, 1, 3};
  ns_interaction a = relation("LagrangianLinearTIR", 2),
                 b = relation("LagrangianCompliantLinearTIR", 2);
  a.H = b.H = H, a.e = b.e = e, a.F = b.F = F, b.D = D;
  const double y[] = {Q[0] + 3 * Q[1] + 5 + 2.1, 2 * Q[0] + 4 * Q[1] + 6 + 2.4};
  const double soft[] = {y[0] + 2 * L[0] + L[1], y[1] + L[0] + 3 * L[1]};
  rows r = rows_of(&a), s = rows_of(&b);
  same(r.y, y, 2, 2e-15), same(s.y, soft, 2, 2e-15);
  same(r.H, H, 4, 0x1p-1000), same(s.H, H, 4, 0x1p-1000), same(s.D, D, 4, 0x1p-1000);
  same(r.D, (double[4]){0}, 4, 0x1p-1000), same(r.ht, (double[2]){0}, 2, 0x1p-1000),
      same(r.bias, (double[2]){0}, 2, 0x1p-1000);
}
END_TEST

/* ---- models ---------------------------------------------------------------------------------- */

static ns_model *mechanics(void)
{
  static const double q0[] = {3, 4}, v0[] = {1, 2}, z[] = {1};
  ns_model *m = model_new(1, 1, 0);
  m->sim.integrator = "MoreauJeanOSI";
  m->sim.t0 = 0.5;
  ns_system *s = model_system(m, "LagrangianDS", 2, q0);
  s->v0 = v0, s->nz = 1, s->z0 = z;
  s->mass = s->fext = s->fint = s->fgyr = s->stiffness = s->damping = (ns_operator){.rows = 2,
                                                                                    .cols = 1};
  s->mass.cols = 2;
  return m;
}

static ns_interaction *nonlinear(ns_model *m, const char *kind, const char *law, int n,
                                 const char *text)
{
  ns_interaction *it = model_interaction(m, kind, law, n, 1, first);
  it->lr.h = formula(m, n, 1, text);
  it->lr.H = derivative(m, n, text, NS_BANK_Q, 2);
  it->lr.ht = derivative(m, n, text, NS_BANK_T, 1);
  if (!strcmp(kind, "LagrangianCompliantR")) it->lr.D = derivative(m, n, text, NS_BANK_LAMBDA, n);
  return it;
}

START_TEST(initial_outputs_are_those_of_the_relation)
{
  ns_ctx c = {0};
  ns_state x;
  ns_model *m = mechanics();
  nonlinear(m, "LagrangianScleronomousR", "NewtonImpactNSL", 1, "sqrt(x[0]^2 + x[1]^2) - z[0]")
      ->law.e = 0;
  nonlinear(m, "LagrangianRheonomousR", "NewtonImpactNSL", 1, "x[0] + t^2")->law.e = 0;
  ck_assert_msg(ns_model_finish(m, &c) == NS_OK, "%s", c.msg);
  ck_assert_int_eq(ns_state_create(&c, m, &x), NS_OK);
  same(x.y, (double[]){4, 3.25}, 2, 1e-15);
  same(x.ydot, (double[]){(3 * 1 + 4 * 2) / 5., 2}, 2, 1e-15);
  ns_state_fini(&x);
  ns_model_destroy(m);
}
END_TEST

#define CASE(name) static void name(ns_model *m)
CASE(friction_of_one_row)
{
  nonlinear(m, "LagrangianScleronomousR", "NewtonImpactFrictionNSL", 1, "x[0]")->law.e = 0;
}
static ns_interaction *friction(ns_model *m, const char *law, double en, double et, double mu)
{
  ns_interaction *it = nonlinear(m, "LagrangianScleronomousR", law, 2, "x[0], x[1]");
  it->law.e = en, it->law.et = et, it->law.mu = mu;
  return it;
}
CASE(negative_mu) { friction(m, "NewtonImpactFrictionNSL", 0, 0, -0.1); }
CASE(infinite_mu) { friction(m, "NewtonImpactFrictionNSL", 0, 0, INFINITY); }
CASE(large_en) { friction(m, "NewtonImpactFrictionNSL", 1.5, 0, 0); }
CASE(negative_et) { friction(m, "NewtonImpactFrictionNSL", 0, -1, 0); }
CASE(fremond_et) { friction(m, "FremondImpactFrictionNSL", 0, 0.1, 0); }
CASE(sound_friction) { friction(m, "FremondImpactFrictionNSL", 1, 0, 0); }
CASE(no_gradient)
{
  nonlinear(m, "LagrangianScleronomousR", "NewtonImpactNSL", 1, "z[0]")->lr.H = (ns_operator){0};
}
CASE(not_finite)
{
  nonlinear(m, "LagrangianScleronomousR", "NewtonImpactNSL", 1, "sqrt(x[0] - 9)")->law.e = 0;
}
CASE(penetration)
{
  nonlinear(m, "LagrangianScleronomousR", "NewtonImpactNSL", 1, "x[0] - 5")->law.e = 0;
}
CASE(slip_is_no_gap)
{
  friction(m, "NewtonImpactFrictionNSL", 0, 0, 0)->lr.h = formula(m, 2, 1, "x[0], -x[1]");
}
static void bounds(ns_model *m, ns_interaction *it, double lb, double ub)
{
  double *b = ns_arena_get(m->arena, 2, sizeof *b);
  b[0] = lb, b[1] = ub;
  it->law.lb = b, it->law.ub = b + 1;
}
CASE(open_joint)
{
  bounds(m, nonlinear(m, "LagrangianScleronomousR", "EqualityConditionNSL", 1, "x[0] - 3.001"),
         -INFINITY, INFINITY);
}
CASE(closed_joint)
{
  bounds(m, nonlinear(m, "LagrangianScleronomousR", "EqualityConditionNSL", 1, "x[0] - 3"),
         -INFINITY, INFINITY);
}
CASE(relay_crossed)
{
  bounds(m, nonlinear(m, "LagrangianScleronomousR", "RelayNSL", 1, "x[0]"), 1, -1);
}
CASE(relay_elsewhere)
{
  bounds(m, nonlinear(m, "LagrangianScleronomousR", "RelayNSL", 1, "x[0]"), -1, 1);
}
CASE(stiff_contact)
{
  nonlinear(m, "LagrangianCompliantR", "ComplementarityConditionNSL", 1, "x[0] - 0.1*l[0]");
}
CASE(soft_contact)
{
  nonlinear(m, "LagrangianCompliantR", "ComplementarityConditionNSL", 1, "x[0] - 9 + 0.1*l[0]");
}
CASE(rigid_complementarity)
{
  nonlinear(m, "LagrangianScleronomousR", "ComplementarityConditionNSL", 1, "x[0]");
}
CASE(impact_of_a_soft_contact)
{
  nonlinear(m, "LagrangianCompliantR", "NewtonImpactNSL", 1, "x[0] + l[0]")->law.e = 0;
}
CASE(lcp_with_friction)
{
  m->sim.problem = "LCP";
  sound_friction(m);
}
CASE(lcp_with_a_joint)
{
  m->sim.problem = "LCP";
  closed_joint(m);
}
CASE(friction_with_a_relay)
{
  m->sim.problem = "FrictionContact";
  relay_elsewhere(m);
}
CASE(all_in_one)
{
  m->sim.problem = "GenericMechanical";
  sound_friction(m), relay_elsewhere(m), closed_joint(m);
}
CASE(twice_prescribed)
{
  static const int dof[] = {0, 1};
  ns_ctx c = {0};
  ns_boundary b = {.at = {.file = "test.xml", .element = "fixed", .line = 3}, .n = 2, .dof = dof};
  ns_model_add_boundary(m, &c, &b);
  b.dof = dof + 1, b.n = 1;
  ns_model_add_boundary(m, &c, &b);
}

static const struct {
  void (*make)(ns_model *m);
  int wrong;
  const char *says; /* NULL: nothing */
} cases[] = {
    {friction_of_one_row, 1, "whose number of rows is 1, expected 2 or 3"},
    {negative_mu, 1, "mu is -0.1, expected a finite number >= 0"},
    {infinite_mu, 1, "mu is inf"},
    {large_en, 1, "restitution en is 1.5, expected a number in [0, 1]"},
    {negative_et, 1, "restitution et is -1"},
    {fremond_et, 1, "et is 0.1 with the law of Fremond, expected 0"},
    {sound_friction, 0, NULL},
    {no_gradient, 1, "h does not depend on the coordinates"},
    {not_finite, 1, "at t0, expected a finite gap"},
    {penetration, 0, "the gap is -2 m at t0"},
    {slip_is_no_gap, 0, NULL},
    {open_joint, 0, "the constraint y[0] is -0.001 at t0, expected 0"},
    {closed_joint, 0, NULL},
    {relay_crossed, 1, "the bounds of lambda[0] are [1, -1], expected lb <= ub"},
    {relay_elsewhere, 0, NULL},
    {stiff_contact, 0, "the compliance D is not positive definite at t0 (row 0)"},
    {soft_contact, 0, NULL},
    {rigid_complementarity, 1, "is a law of compliant contacts"},
    {impact_of_a_soft_contact, 1, "is a law of impacts, expected <ComplementarityConditionNSL/>"},
    {lcp_with_friction, 1,
     "LCP does not support the law FremondImpactFrictionNSL, expected <FrictionContact/>"},
    {lcp_with_a_joint, 1, "LCP does not support the law EqualityConditionNSL, expected <MLCP/>"},
    {friction_with_a_relay, 1,
     "FrictionContact does not support the law RelayNSL, expected <Relay/>"},
    {all_in_one, 0, NULL},
    {twice_prescribed, 1, "the velocity of q[1] of one is prescribed twice"},
};
enum { CASES = sizeof cases / sizeof *cases };

static char said[1000];
static void note(void *to, ns_severity severity, const char *text)
{
  (void)to, (void)severity;
  strncat(said, text, sizeof said - strlen(said) - 1);
}

START_TEST(checks_say_what_is_wrong)
{
  ns_ctx c = {.report = note};
  ns_model *m = mechanics();
  *said = 0;
  cases[_i].make(m);
  int rc = ns_model_finish(m, &c);
  ck_assert_msg(rc == (cases[_i].wrong ? NS_MODEL : NS_OK), "case %d: %d, %s", _i, rc, said);
  if (cases[_i].says)
    ck_assert_msg(strstr(said, cases[_i].says) != NULL, "case %d says: %s", _i, said);
  else ck_assert_str_eq(said, "");
  ns_model_destroy(m);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, formulas_and_functions_are_the_circle);
  tcase_add_test(t, compliances_are_derived_and_differenced);
  tcase_add_test(t, bias_by_HDot);
  tcase_add_test(t, slip_needs_no_h);
  tcase_add_test(t, linear_kinds_are_their_numbers);
  tcase_add_test(t, initial_outputs_are_those_of_the_relation);
  tcase_add_loop_test(t, checks_say_what_is_wrong, 0, CASES);
}

int main(void) { return suite_run("Lagrangian relations", fill); }
