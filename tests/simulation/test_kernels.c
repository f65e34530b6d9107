/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same mechanics said in different ways gives the same motion: by kernel of the integrator
 * (diagonal, dense, nonlinear), by how coordinates are shared out to systems and interactions, by
 * storage of the one-step problem. */
#include "support/run.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'>"
#define SIM                                                                                        \
  "<simulation T='2'><TimeStepping h='1e-3'><MoreauJeanOSI/><LCP storage='%s'/></TimeStepping>" \
  "</simulation></model>"

/* Largest difference of recorded columns, over all rows. */
static double apart(const run *a, const char *la, const run *b, const char *lb)
{
  size_t ca = capture_column(&a->got, la), cb = capture_column(&b->got, lb);
  double worst = 0;
  ck_assert_uint_eq(a->got.nrows, b->got.nrows);
  for (size_t i = 0; i < a->got.nrows; i++)
    worst = fmax(worst,
                 fabs(a->got.rows[i * a->got.ncols + ca] - b->got.rows[i * b->got.ncols + cb]));
  return worst;
}

static run play(const char *body, const char *storage)
{
  char text[8192], sim[512];
  snprintf(sim, sizeof sim, SIM, storage);
  snprintf(text, sizeof text, HEAD "%s%s", body, sim);
  run r = run_load(text, NULL);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  ck_assert_int_gt((int)r.x->cert->impacts, 0);
  return r;
}

#define WALL                                                                                       \
  "<interactions><interaction id='wall' systems='s'><LagrangianLinearTIR><H>1 0</H>"             \
  "<e>0.1</e></LagrangianLinearTIR><NewtonImpactNSL e='0.6'/></interaction></interactions>"
#define DENSE_LINEAR                                                                               \
  "<systems><LagrangianLinearTIDS id='s' coordinates='a b'><q0>0.3 0</q0><v0>-1 2</v0>"          \
  "<mass>2 0.3; 0.3 1</mass><K>40 -15; -15 30</K><C>0.2 0.05; 0.05 0.1</C>"                        \
  "<fExt>sin(3*t) 0.5</fExt></LagrangianLinearTIDS></systems>" WALL
#define DENSE_NONLINEAR \
  "<systems><LagrangianDS id='s' coordinates='a b'><q0>0.3 0</q0><v0>-1 2</v0>" \
  "<mass>2 0.3; 0.3 1</mass><fInt>40*a - 15*b + 0.2*v_a + 0.05*v_b, -15*a + 30*b + 0.05*v_a + " \
    "0.1*v_b</fInt>" \
  "<fExt>sin(3*t) 0.5</fExt></LagrangianDS></systems>" WALL

START_TEST(nonlinear_kernel_agrees_with_the_dense_one)
{
  run a = play(DENSE_LINEAR, "dense"), b = play(DENSE_NONLINEAR, "dense");
  ck_assert_double_le(apart(&a, "s.a", &b, "s.a"), 1e-11);
  ck_assert_double_le(apart(&a, "s.v_b", &b, "s.v_b"), 1e-10);
  ck_assert_double_le(apart(&a, "wall.lambda", &b, "wall.lambda"), 1e-10);
  ck_assert_int_eq(b.x->cert->newton_max, 1); /* linear: the first iterate solves it */
  /* work of fInt against potential and damping work: the balance closes either way */
  ck_assert_double_le(a.x->cert->defect_max, 1e-12);
  ck_assert_double_le(b.x->cert->defect_max, 1e-4); /* K as a force: trapezoidal work, O(h^2) */
  run_end(&a);
  run_end(&b);
}
END_TEST

#define DIAGONAL(kind, mass, K, C)                                                                 \
  "<systems><" kind " id='s' coordinates='a b'><q0>0.3 0</q0><v0>-1 2</v0>"                    \
  "<mass>" mass "</mass><K>" K "</K><C>" C "</C><fExt>-2 cos(t)</fExt></" kind "></systems>" WALL

START_TEST(diagonal_kernel_agrees_with_the_dense_one)
{
  run a = play(DIAGONAL("LagrangianLinearDiagonalDS", "2 1", "40 30", "0.2 0.1"), "dense");
  run b = play(DIAGONAL("LagrangianLinearTIDS", "2 0; 0 1", "40 0; 0 30", "0.2 0; 0 0.1"), "dense");
  /* an entry of K off the diagonal, too small to act, forces the dense kernel */
  run c = play(DIAGONAL("LagrangianLinearTIDS", "2 0; 0 1", "40 1e-300; 1e-300 30", "0.2 0; 0 0.1"),
               "dense");
  ck_assert_int_eq(ns_simulation_plan(a.s)->systems_diagonal, 1);
  ck_assert_int_eq(ns_simulation_plan(b.s)->systems_diagonal, 1);
  ck_assert_int_eq(ns_simulation_plan(c.s)->systems_dense, 1);
  ck_assert_double_eq(apart(&a, "s.a", &b, "s.a"), 0);
  ck_assert_double_le(apart(&a, "s.a", &c, "s.a"), 1e-13);
  ck_assert_double_le(apart(&a, "s.v_b", &c, "s.v_b"), 1e-12);
  ck_assert_double_le(a.x->cert->defect_max, 1e-12);
  ck_assert_double_le(c.x->cert->defect_max, 1e-12);
  run_end(&a);
  run_end(&b);
  run_end(&c);
}
END_TEST

/* Three masses whose mean may not fall below 0, as one system and as three. */
#define ONE                                                                                        \
  "<systems><LagrangianLinearTIDS id='s' coordinates='a b c'><q0>1 2 0.5</q0>"                   \
  "<mass diag='1 2 3'/><fExt>-9 -18 -27</fExt></LagrangianLinearTIDS></systems><interactions>"    \
  "<interaction id='mean' systems='s'><LagrangianLinearTIR><H>1/3 1/3 1/3; 1 0 0</H>"             \
  "<e>0 0.5</e></LagrangianLinearTIR><NewtonImpactNSL e='0.4'/></interaction></interactions>"
#define MASS(id, q, m, f) \
  "<LagrangianLinearTIDS id='" id "' coordinates='x'><q0>" q "</q0><mass>" m "</mass><fExt>" f \
  "</fExt></LagrangianLinearTIDS>"
#define THREE                                                                                      \
  "<systems>" MASS("c", "0.5", "3", "-27") MASS("a", "1", "1", "-9") MASS("b", "2", "2", "-18")  \
  "</systems><interactions><interaction id='mean' systems='a b c'><LagrangianLinearTIR>"           \
  "<H>1/3 1/3 1/3</H></LagrangianLinearTIR><NewtonImpactNSL e='0.4'/></interaction>"               \
  "<interaction id='low' systems='a'><LagrangianLinearTIR><H>1</H><e>0.5</e>"                      \
  "</LagrangianLinearTIR><NewtonImpactNSL e='0.4'/></interaction></interactions>"

START_TEST(systems_may_be_shared_out_in_any_way)
{
  run a = play(ONE, "dense"), b = play(THREE, "dense"), c = play(THREE, "sparse");
  ck_assert_double_le(apart(&a, "s.a", &b, "a.x"), 1e-12);
  ck_assert_double_le(apart(&a, "s.c", &b, "c.x"), 1e-12);
  ck_assert_double_le(apart(&a, "mean.lambda[1]", &b, "low.lambda"), 1e-11);
  ck_assert_double_le(apart(&b, "a.x", &c, "a.x"), 1e-12);
  run_end(&a);
  run_end(&b);
  run_end(&c);
}
END_TEST

/* An interaction that names a system twice acts with the sum of both parts of H. */
#define TWICE                                                                                      \
  "<systems>" MASS("a", "1", "1", "-9") "</systems><interactions>"                                \
  "<interaction id='ground' systems='a a'><LagrangianLinearTIR><H>3 -2</H></LagrangianLinearTIR>"  \
  "<NewtonImpactNSL e='0.4'/></interaction></interactions>"
#define ONCE                                                                                       \
  "<systems>" MASS("a", "1", "1", "-9") "</systems><interactions>"                                \
  "<interaction id='ground' systems='a'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>"       \
  "<NewtonImpactNSL e='0.4'/></interaction></interactions>"

START_TEST(a_system_may_appear_twice)
{
  run a = play(ONCE, "dense"), b = play(TWICE, "dense");
  ck_assert_double_le(apart(&a, "a.x", &b, "a.x"), 1e-14);
  ck_assert_double_le(apart(&a, "ground.lambda", &b, "ground.lambda"), 1e-14);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* F z shifts the gap: the ground stands at height 0.25. */
#define SHIFTED                                                                                    \
  "<systems><LagrangianLinearTIDS id='a' coordinates='x'><q0>1.25</q0><z>0.25</z><mass>1</mass>"  \
  "<fExt>-9</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='ground' "        \
  "systems='a'><LagrangianLinearTIR><H>1</H><F>-1</F></LagrangianLinearTIR>"                       \
  "<NewtonImpactNSL e='0.4'/></interaction></interactions>"

START_TEST(user_vector_enters_the_gap)
{
  run a = play(ONCE, "dense"), b = play(SHIFTED, "dense");
  ck_assert_double_le(apart(&a, "ground.y", &b, "ground.y"), 1e-14);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* Both contacts of a cradle at rest share one load: two floors under one mass are redundant, their
 * impulses are not unique, the motion is. */
#define REDUNDANT                                                                                  \
  "<systems>" MASS("a", "1", "1", "-9") "</systems><interactions>"                                \
  "<interaction id='f1' systems='a'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>"           \
  "<NewtonImpactNSL e='0.4'/></interaction><interaction id='f2' systems='a'><LagrangianLinearTIR>" \
  "<H>1</H></LagrangianLinearTIR><NewtonImpactNSL e='0.4'/></interaction></interactions>"

START_TEST(redundant_contacts_change_nothing_but_their_share)
{
  static const char *storage[] = {"dense", "sparse"};
  run a = play(ONCE, "dense"), b = play(REDUNDANT, storage[_i]);
  ck_assert_double_le(apart(&a, "a.x", &b, "a.x"), 1e-9);
  ck_assert_double_le(b.x->cert->residual_max, 1e-10);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* Two runs of one model give the same bytes of state. */
START_TEST(a_run_is_reproducible)
{
  run a = play(THREE, "auto"), b = play(THREE, "auto");
  ck_assert_uint_eq(a.x->bytes, b.x->bytes);
  ck_assert_int_eq(memcmp(a.x->block, b.x->block, a.x->bytes), 0);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* A force that leaves the numbers is named; the state before it is kept. */
START_TEST(what_is_not_finite_is_named)
{
  static const char text[] = HEAD
      "<systems><LagrangianDS id='s' coordinates='x'><q0>1</q0><v0>-1</v0><mass>1</mass>"
      "<fInt>sqrt(x)</fInt></LagrangianDS></systems><simulation T='3'><TimeStepping h='1e-2'>"
      "<MoreauJeanOSI/></TimeStepping></simulation></model>";
  run r = run_load(text, NULL);
  r.c.report = NULL;
  ck_assert_int_eq(run_keep(&r), NS_NUMERIC);
  ck_assert_ptr_nonnull(strstr(r.c.msg, "<LagrangianDS id=\"s\">: <fInt> of x is not finite"));
  ck_assert(isfinite(r.x->q[0]) && isfinite(r.x->v[0]));
  ck_assert_double_gt(*r.x->t, 0.5);
  run_end(&r);
}
END_TEST

/* M + h^2 theta^2 K = 1 - 1 = 0, by each kernel that is linear. */
START_TEST(a_singular_iteration_matrix_is_called_so)
{
  static const char *const K[] = {"-4e4", "-4e4 0; 0 1", "-4e4 0; 1e-300 1"};
  char text[1024];
  snprintf(text, sizeof text,
           HEAD "<systems><LagrangianLinearTIDS id='s'><q0>%s</q0><mass>%s</mass><K>%s</K>"
                "</LagrangianLinearTIDS></systems><simulation T='3'><TimeStepping h='1e-2'>"
                "<MoreauJeanOSI/></TimeStepping></simulation></model>",
           _i ? "1 1" : "1", _i ? "1 0; 0 1" : "1", K[_i]);
  run r = run_load(text, NULL);
  r.c.report = NULL;
  ck_assert_int_eq(run_keep(&r), NS_NUMERIC);
  ck_assert_ptr_nonnull(
      strstr(r.c.msg, "the iteration matrix M + h theta C + h^2 theta^2 K is singular"));
  /* LU with row exchanges: the other */
  if (_i < 2) ck_assert_ptr_nonnull(strstr(r.c.msg, "coordinate q[0]"));
  run_end(&r);
}
END_TEST

START_TEST(a_newton_loop_at_its_limit_is_a_failure)
{
  static const char text[] = HEAD
      "<systems><LagrangianDS id='s' coordinates='x'><q0>1</q0><v0>5</v0><mass>1</mass>"
      "<fInt>1e4*x^3</fInt></LagrangianDS></systems><simulation T='3'>"
      "<TimeStepping h='1e-2' "
      "newtonMaxIterations='1'><MoreauJeanOSI/></TimeStepping></simulation></model>";
  run r = run_load(text, NULL);
  r.c.report = NULL;
  ck_assert_int_eq(run_keep(&r), NS_NUMERIC);
  ck_assert_ptr_nonnull(
      strstr(r.c.msg, "Newton's method did not converge in the step from t = 0 s"));
  ck_assert_double_eq(*r.x->t, 0);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, nonlinear_kernel_agrees_with_the_dense_one);
  tcase_add_test(t, diagonal_kernel_agrees_with_the_dense_one);
  tcase_add_test(t, systems_may_be_shared_out_in_any_way);
  tcase_add_test(t, a_system_may_appear_twice);
  tcase_add_test(t, user_vector_enters_the_gap);
  tcase_add_loop_test(t, redundant_contacts_change_nothing_but_their_share, 0, 2);
  tcase_add_test(t, a_run_is_reproducible);
  tcase_add_test(t, what_is_not_finite_is_named);
  tcase_add_loop_test(t, a_singular_iteration_matrix_is_called_so, 0, 3);
  tcase_add_test(t, a_newton_loop_at_its_limit_is_a_failure);
}

int main(void) { return suite_run("kernels", fill); }
