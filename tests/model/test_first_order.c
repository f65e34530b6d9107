/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluation of first-order systems and relations: formulas, C functions, differences against exact
 * Jacobians. */
#include "support/rate.h"

#include "model/relations/output.h"
#include "model/state.h"

static const double X[] = {0.7, -1.3}, V[] = {0.2, 0.4}, L[] = {0.9};

/* ---- systems --------------------------------------------------------------------------------- */

static const char *const pendulum = "x[1], -9.81*sin(x[0]) - 0.1*x[1]*abs(x[1]) + z[0]*t";

static void pendulum_f(double t, unsigned n, const double *x, double *f, unsigned nz, double *z)
{
  ck_assert_uint_eq(n, 2);
  ck_assert_uint_eq(nz, 1);
  f[0] = x[1];
  f[1] = -9.81 * sin(x[0]) - 0.1 * x[1] * fabs(x[1]) + z[0] * t;
}

static void control_u(double t, unsigned s, unsigned n, const double *x, const double *xdot,
                      double *u, unsigned nz, double *z)
{
  (void)t, (void)nz, (void)z;
  ck_assert_uint_eq(s, 1);
  ck_assert_uint_eq(n, 2);
  *u = -3 * x[0] * x[0] + 0.5 * xdot[1];
}

static void control_T(unsigned n, unsigned s, const double *x, double *T, unsigned nz, double *z)
{
  (void)n, (void)s, (void)nz, (void)z;
  T[0] = x[1];
  T[1] = 1 + x[0];
}

/* Largest difference of what two systems say of field and Jacobian at the point. */
static void compare_systems(const ns_system *a, const ns_system *b, double tol_f, double tol_A)
{
  ns_ctx c = {0};
  double z[1] = {0.3}, f[2][2], A[2][4], work[200];
  const ns_system *s[] = {a, b};
  for (int k = 0; k < 2; k++) {
    ns_point p = ns_system_point(s[k], 1.7, X, V, z);
    ck_assert_uint_le(ns_first_order_work(s[k]), 200);
    ck_assert_int_eq(ns_first_order_field(s[k], &c, &p, work, f[k]), NS_OK);
    ck_assert_int_eq(ns_first_order_jacobian(s[k], &c, &p, work, A[k]), NS_OK);
  }
  for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(f[0][i], f[1][i], tol_f);
  for (int i = 0; i < 4; i++) ck_assert_double_eq_tol(A[0][i], A[1][i], tol_A);
}

START_TEST(differenced_field_is_the_formulas)
{
  ns_model *m = model_new(1, 1, 0);
  ns_system a = {.kind = system_kind("FirstOrderNonLinearDS"), .n = 2, .nq = 2, .nz = 1}, b = a;
  a.fo.f = formula(m, 2, 1, pendulum);
  a.fo.dx_f = derivative(m, 2, pendulum, NS_BANK_Q, 2);
  b.fo.f = function_of(m, 2, 1, NS_SIG_F, (void (*)(void))pendulum_f, USES_T | USES_X | USES_Z);
  ck_assert_int_eq(ns_first_order_differenced(&a), 0);
  ck_assert_int_eq(ns_first_order_differenced(&b), 1);
  /* error of a central difference: eps^(2/3) |f'''|, |f'''| <= 10 */
  compare_systems(&a, &b, 1e-15, 2e-9);
  b.fo.dx_f = a.fo.dx_f;
  ck_assert_int_eq(ns_first_order_differenced(&b), 0);
  compare_systems(&a, &b, 1e-15, 0x1p-1000);
  ns_model_destroy(m);
}
END_TEST

/* T u added to f, and its derivative to A; against one formula for all. */
START_TEST(control_is_part_of_the_field)
{
  static const char *const all = "x[1] + x[1]*(-3*x[0]^2 + 0.5*v[1]),"
                                 "-x[0] + (1+x[0])*(-3*x[0]^2 + 0.5*v[1])";
  ns_model *m = model_new(1, 1, 0);
  ns_system a = {.kind = system_kind("FirstOrderNonLinearDS"), .n = 2, .nq = 2, .nz = 1}, b = a;
  a.fo.f = formula(m, 2, 1, all);
  a.fo.dx_f = derivative(m, 2, all, NS_BANK_Q, 2);
  b.fo.f = formula(m, 2, 1, "x[1], -x[0]");
  b.fo.dx_f = derivative(m, 2, "x[1], -x[0]", NS_BANK_Q, 2);
  for (int k = 0; k < 4; k++) {
    b.fo.u = k & 1 ? formula(m, 1, 1, "-3*x[0]^2 + 0.5*v[1]")
                   : function_of(m, 1, 1, NS_SIG_U, (void (*)(void))control_u,
                                 USES_T | USES_X | USES_V | USES_Z);
    b.fo.T = k & 2 ? formula(m, 2, 1, "x[1], 1 + x[0]")
                   : function_of(m, 2, 1, NS_SIG_T, (void (*)(void))control_T, USES_X | USES_Z);
    compare_systems(&a, &b, 2e-15, 2e-9);
  }
  ck_assert_int_eq(ns_first_order_is_linear(&b), 0);
  ns_model_destroy(m);
}
END_TEST

/* T absent: u has the shape of f. A linear system with a control of time alone is linear, but its W
 * need not be constant. */
START_TEST(control_without_T)
{
  static const double A[] = {0, -1, 1, 0};
  ns_model *m = model_new(1, 1, 0);
  ns_system a = {.kind = system_kind("FirstOrderLinearDS"), .n = 2, .nq = 2, .nz = 1}, b = a;
  a.fo.A = b.fo.A = numbers(2, 2, A);
  a.fo.b = formula(m, 2, 1, "t, 3*v[0]");
  b.fo.u = formula(m, 2, 1, "t, 3*v[0]");
  compare_systems(&a, &b, 0x1p-1000, 0x1p-1000);
  ck_assert_int_eq(ns_first_order_is_linear(&b), 1);
  ck_assert_int_eq(ns_first_order_is_lti(&b), 0);
  ck_assert_int_eq(ns_first_order_is_lti(&a), 1);
  a.fo.A = formula(m, 2, 2, "0, -t, t, 0");
  ck_assert_int_eq(ns_first_order_is_lti(&a), 0);
  ns_model_destroy(m);
}
END_TEST

/* An A that is constant, diagonal, a formula or a function; an M that is absent, diagonal. */
static void some_A(double t, unsigned rows, unsigned cols, double *A, unsigned nz, double *z)
{
  (void)t, (void)nz, (void)z;
  ck_assert_uint_eq(rows, 2);
  ck_assert_uint_eq(cols, 2);
  A[0] = -2, A[1] = 0, A[2] = 0, A[3] = 5;
}

START_TEST(linear_fields)
{
  static const double full[] = {-2, 0, 0, 5}, d[] = {-2, 5}, b[] = {1, 2};
  ns_model *m = model_new(1, 1, 0);
  ns_system s[4];
  for (int k = 0; k < 4; k++) {
    s[k] = (ns_system){.kind = system_kind("FirstOrderLinearDS"), .n = 2, .nq = 2, .nz = 1};
    s[k].fo.b = numbers(2, 1, b);
  }
  s[0].fo.A = numbers(2, 2, full);
  s[1].fo.A = numbers(2, 2, d), s[1].fo.A.diagonal = 1;
  s[2].fo.A = formula(m, 2, 2, "-2, 0, 0, 4+t-0.7+z[0]-0.3");
  s[3].fo.A = function_of(m, 2, 2, NS_SIG_A, (void (*)(void))some_A, USES_T | USES_Z);
  compare_systems(&s[0], &s[1], 0x1p-1000, 0x1p-1000);
  compare_systems(&s[0], &s[2], 1e-14, 1e-14);
  compare_systems(&s[0], &s[3], 0x1p-1000, 0x1p-1000);
  ns_ctx c = {0};
  double M[4], work[100], z[1] = {0};
  ns_point p = ns_system_point(&s[0], 0, X, V, z);
  ck_assert_int_eq(ns_first_order_mass(&s[0], &c, &p, work, M), NS_OK);
  ck_assert(M[0] == 1 && M[1] == 0 && M[2] == 0 && M[3] == 1);
  s[0].fo.M = numbers(2, 2, b), s[0].fo.M.diagonal = 1;
  ck_assert_int_eq(ns_first_order_mass(&s[0], &c, &p, work, M), NS_OK);
  ck_assert(M[0] == 1 && M[1] == 0 && M[2] == 0 && M[3] == 2);
  ns_model_destroy(m);
}
END_TEST

/* ---- relations ------------------------------------------------------------------------------- */

static void h_full(double t, unsigned N, const double *x, unsigned m, const double *l, double *y,
                   unsigned nz, double *z)
{
  (void)t, (void)N, (void)m, (void)nz, (void)z;
  y[0] = x[0] * x[1] + exp(l[0]) + t;
}
static void g_full(double t, unsigned N, const double *x, unsigned m, const double *l, double *R,
                   unsigned nz, double *z)
{
  (void)t, (void)N, (void)m, (void)nz, (void)z;
  R[0] = -2 * x[0] * l[0];
  R[1] = l[0] * l[0];
}
static void h_type1(unsigned N, const double *x, unsigned m, double *y, unsigned nz, double *z)
{
  (void)nz, (void)z;
  ck_assert_uint_eq(N, 2);
  ck_assert_uint_eq(m, 1);
  y[0] = x[0] * x[1];
}
static void g_type1(unsigned m, const double *l, unsigned N, double *R, unsigned nz, double *z)
{
  (void)nz, (void)z;
  ck_assert_uint_eq(m, 1);
  ck_assert_uint_eq(N, 2);
  R[0] = sin(l[0]), R[1] = l[0] * l[0];
}
static void h_type2(unsigned N, const double *x, unsigned m, const double *l, unsigned rows,
                    double *y)
{
  (void)N, (void)m;
  ck_assert_uint_eq(rows, 1);
  y[0] = x[0] * x[1] + exp(l[0]);
}
static void g_type2(unsigned m, const double *l, unsigned N, double *R)
{
  (void)m, (void)N;
  R[0] = sin(l[0]), R[1] = l[0] * l[0];
}

typedef struct tangents {
  double y[1], R[2], C[2], D[1], B[2], K[4];
} tangents;

static tangents tangents_at(const ns_interaction *it)
{
  ns_ctx c = {0};
  tangents a;
  double work[200], z[1] = {0.3};
  ns_point p = {.t = 1.7, .n = 2, .q = X, .nz = 1, .z = z, .m = 1, .lambda = L};
  ck_assert_uint_le(ns_relation_work(it), 200);
  int rc = ns_relation_eval(it, &c, &p, work, a.y, a.R);
  if (!rc) rc = ns_relation_tangents(it, &c, &p, work, a.C, a.D, a.B, a.K);
  ck_assert_msg(rc == NS_OK, "%s", c.msg);
  return a;
}

static void compare_tangents(const ns_interaction *a, const ns_interaction *b, double tol)
{
  tangents u = tangents_at(a), v = tangents_at(b);
  const double *p = (const double *)&u, *q = (const double *)&v;
  for (size_t i = 0; i < sizeof u / sizeof *p; i++) ck_assert_double_eq_tol(p[i], q[i], tol);
}

static ns_interaction by_formulas(ns_model *m, const char *h, const char *g)
{
  ns_interaction it = {.relation = relation_kind("FirstOrderNonLinearR"), .m = 1, .nQ = 2, .nZ = 1};
  it.fo.h = formula(m, 1, 1, h), it.fo.g = formula(m, 2, 1, g);
  it.fo.C = derivative(m, 1, h, NS_BANK_Q, 2), it.fo.D = derivative(m, 1, h, NS_BANK_LAMBDA, 1);
  it.fo.K = derivative(m, 2, g, NS_BANK_Q, 2), it.fo.B = derivative(m, 2, g, NS_BANK_LAMBDA, 1);
  return it;
}

/* C functions of the three kinds, differenced, against formulas and their derivatives. */
START_TEST(differenced_relations)
{
  ns_model *m = model_new(1, 1, 0);
  ns_interaction f,
      p = {.relation = relation_kind("FirstOrderNonLinearR"), .m = 1, .nQ = 2, .nZ = 1};
  unsigned present = NS_RELATION_C | NS_RELATION_B;
  switch (_i) {
  case 0:
    f = by_formulas(m, "x[0]*x[1] + exp(l[0]) + t", "-2*x[0]*l[0], l[0]^2");
    p.fo.h = function_of(m, 1, 1, NS_SIG_HG, (void (*)(void))h_full,
                         USES_T | USES_X | USES_Z | USES_L);
    p.fo.g = function_of(m, 2, 1, NS_SIG_HG, (void (*)(void))g_full,
                         USES_T | USES_X | USES_Z | USES_L);
    present |= NS_RELATION_D | NS_RELATION_K;
    break;
  case 1:
    f = by_formulas(m, "x[0]*x[1]", "sin(l[0]), l[0]^2");
    p.relation = relation_kind("FirstOrderType1R");
    p.fo.h = function_of(m, 1, 1, NS_SIG_H1, (void (*)(void))h_type1, USES_X | USES_Z);
    p.fo.g = function_of(m, 2, 1, NS_SIG_G1, (void (*)(void))g_type1, USES_L | USES_Z);
    break;
  default:
    f = by_formulas(m, "x[0]*x[1] + exp(l[0])", "sin(l[0]), l[0]^2");
    p.relation = relation_kind("FirstOrderType2R");
    p.fo.h = function_of(m, 1, 1, NS_SIG_H2, (void (*)(void))h_type2, USES_X | USES_L);
    p.fo.g = function_of(m, 2, 1, NS_SIG_G2, (void (*)(void))g_type2, USES_L);
    present |= NS_RELATION_D;
  }
  compare_tangents(&f, &p, 1e-9);
  ck_assert_uint_eq(ns_relation_present(&p), present);
  ck_assert_uint_eq(ns_relation_constant(&p) & present, 0);
  ck_assert_int_eq(ns_relation_differenced(&p), 1);
  ck_assert_int_eq(ns_relation_differenced(&f), 0);
  ck_assert_int_eq(ns_relation_is_linear(&p), 0);
  ck_assert_int_eq(ns_relation_is_linear(&f), 0);
  ns_model_destroy(m);
}
END_TEST

/* y = C X + D lambda + e + F Z, R = B lambda, with operators constant or of t and z. */
START_TEST(linear_relations)
{
  static const double C[] = {1, 2}, D[] = {3}, B[] = {4, 5}, F[] = {6}, e[] = {7};
  ns_model *m = model_new(1, 1, 0);
  ns_interaction a = {.relation = relation_kind("FirstOrderLinearR"), .m = 1, .nQ = 2, .nZ = 1},
                 b = a;
  a.fo = (ns_first_order_relation){.C = numbers(1, 2, C),
                                   .D = numbers(1, 1, D),
                                   .B = numbers(2, 1, B),
                                   .F = numbers(1, 1, F),
                                   .e = numbers(1, 1, e)};
  b.fo = (ns_first_order_relation){.C = formula(m, 1, 2, "1, 2+0*t"),
                                   .D = formula(m, 1, 1, "1.3+t"),
                                   .B = formula(m, 2, 1, "2.3+t, 4.7+z[0]"),
                                   .F = formula(m, 1, 1, "4.3+t"),
                                   .e = formula(m, 1, 1, "6.7+z[0]")};
  tangents t = tangents_at(&a);
  ck_assert_double_eq_tol(t.y[0], 0.7 - 2.6 + 2.7 + 7 + 6 * 0.3, 1e-14);
  ck_assert_double_eq_tol(t.R[0], 4 * 0.9, 1e-15);
  ck_assert_double_eq_tol(t.R[1], 5 * 0.9, 1e-15);
  compare_tangents(&a, &b, 1e-14);
  const unsigned some = NS_RELATION_C | NS_RELATION_D | NS_RELATION_B;
  ck_assert_uint_eq(ns_relation_present(&a), some);
  ck_assert_uint_eq(ns_relation_present(&b), some);
  ck_assert_uint_eq(ns_relation_constant(&a), some | NS_RELATION_K);
  ck_assert_uint_eq(ns_relation_constant(&b) & (NS_RELATION_D | NS_RELATION_B), 0);
  ck_assert_int_eq(ns_relation_is_linear(&a) && ns_relation_is_linear(&b), 1);
  /* C and B alone */
  a.fo.D = (ns_operator){0}, a.fo.F = (ns_operator){0}, a.fo.e = (ns_operator){0};
  ck_assert_double_eq_tol(tangents_at(&a).y[0], 0.7 - 2.6, 1e-15);
  ck_assert_uint_eq(ns_relation_present(&a), NS_RELATION_C | NS_RELATION_B);
  ns_model_destroy(m);
}
END_TEST

/* The nonlinear kind with linear formulas is linear, whatever of t is in it; a product is not, nor
 * a C function. */
START_TEST(linear_formulas_are_linear)
{
  static const double C[] = {1, 2}, zero[] = {0, 0, 0, 0};
  ns_model *m = model_new(1, 1, 0);
  ns_interaction a = by_formulas(m, "x[0] + t*x[1] + z[0]*l[0]", "l[0], t*l[0]");
  ck_assert_int_eq(ns_relation_is_linear(&a), 1);
  a = by_formulas(m, "x[0] + x[1]*l[0]", "l[0], t*l[0]");
  ck_assert_int_eq(ns_relation_is_linear(&a), 0);
  a = by_formulas(m, "x[0]", "l[0], x[1]^2");
  ck_assert_int_eq(ns_relation_is_linear(&a), 0);
  a = by_formulas(m, "x[0]", "l[0], l[0]");
  a.fo.C = numbers(1, 2, C);
  a.fo.h = function_of(m, 1, 1, NS_SIG_H2, (void (*)(void))h_type2, USES_X | USES_L);
  ck_assert_int_eq(ns_relation_is_linear(&a), 0);
  a.fo.K = numbers(2, 2, zero); /* zeros written out are zero */
  ck_assert_uint_eq(ns_relation_present(&a) & NS_RELATION_K, 0);
  ns_model_destroy(m);
}
END_TEST

/* ---- state ----------------------------------------------------------------------------------- */

/* X of two systems in the order of the interaction, Z likewise; lambda 0. */
START_TEST(initial_outputs)
{
  static const double a[] = {1, 2}, b[] = {10}, z[] = {100}, C[] = {1, 2, 3}, F[] = {1},
                      B[] = {0, 0, 0};
  static const int both[] = {1, 0};
  ns_ctx c = {0};
  ns_state x;
  ns_model *m = model_new(1, 1, 0);
  model_system(m, "FirstOrderLinearTIDS", 2, a);
  ns_system *s = model_system(m, "FirstOrderLinearTIDS", 1, b);
  s->nz = 1, s->z0 = z;
  ns_interaction *it = model_interaction(m, "FirstOrderLinearTIR", "ComplementarityConditionNSL", 1,
                                         2, both);
  it->fo.C = numbers(1, 3, C), it->fo.B = numbers(3, 1, B), it->fo.F = numbers(1, 1, F);
  ck_assert_msg(ns_model_finish(m, &c) == NS_OK, "%s", c.msg);
  ck_assert_int_eq(ns_state_create(&c, m, &x), NS_OK);
  ck_assert_double_eq(x.y[0], 10 + 2 * 1 + 3 * 2 + 100);
  ck_assert_double_eq(x.v[0], 0);
  ck_assert_double_eq(x.q[2], 10);
  ns_state_fini(&x);
  ns_model_destroy(m);
}
END_TEST

static void h_bad(unsigned N, const double *x, unsigned m, double *y, unsigned nz, double *z)
{
  (void)N, (void)x, (void)m, (void)nz, (void)z;
  y[0] = NAN;
}

START_TEST(bad_output_ends_the_creation)
{
  static const double a[] = {1, 2}, B[] = {1, 0};
  static const int one[] = {0};
  ns_ctx c = {0};
  ns_state x;
  ns_model *m = model_new(1, 1, 0);
  model_system(m, "FirstOrderLinearTIDS", 2, a);
  ns_interaction *it = model_interaction(m, "FirstOrderType1R", "ComplementarityConditionNSL", 1, 1,
                                         one);
  it->fo.h = function_of(m, 1, 1, NS_SIG_H1, (void (*)(void))h_bad, USES_X | USES_Z);
  it->fo.g = formula(m, 2, 1, "l[0], 0"), it->fo.B = numbers(2, 1, B);
  ck_assert_msg(ns_model_finish(m, &c) == NS_OK, "%s", c.msg);
  ck_assert_int_eq(ns_state_create(&c, m, &x), NS_PLUGIN);
  ck_assert_ptr_null(x.block);
  ns_model_destroy(m);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, differenced_field_is_the_formulas);
  tcase_add_test(t, control_is_part_of_the_field);
  tcase_add_test(t, control_without_T);
  tcase_add_test(t, linear_fields);
  tcase_add_loop_test(t, differenced_relations, 0, 3);
  tcase_add_test(t, linear_relations);
  tcase_add_test(t, linear_formulas_are_linear);
  tcase_add_test(t, initial_outputs);
  tcase_add_test(t, bad_output_ends_the_creation);
}

int main(void) { return suite_run("first order", fill); }
