/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rigid rod between two masses whose length is required twice, above a floor, with and without
 * friction: multipliers are not unique, the motion is. */
#include "support/run.h"

#include "problems/mechanical.h"

#define GAP "(x-a)^2+(z-b)^2-1.04"

static run play(const char *rows, int friction, double h)
{
  char text[2048];
  snprintf(text, sizeof text,
           "<model xmlns='urn:nssim:model:1' name='rod'><systems><LagrangianLinearTIDS id='p' "
           "coordinates='x z a b'><q0>0 1 1 1.2</q0>"
           "<v0>0.3 0 0.3 0</v0><mass diag='1 1 2 2'/><fExt>0 -9.81 0 "
           "-19.62</fExt></LagrangianLinearTIDS></systems><interactions>"
           "<interaction id='rod' "
           "systems='p'><LagrangianScleronomousR><h>%s</h></"
           "LagrangianScleronomousR><EqualityConditionNSL/>"
           "</interaction><interaction id='floor' "
           "systems='p'><LagrangianLinearTIR><H>%s</H></LagrangianLinearTIR>%s</interaction>"
           "</interactions><simulation T='1.2'><TimeStepping "
           "h='%.17g'><MoreauJeanOSI/></TimeStepping></simulation></model>",
           rows, friction ? "0 1 0 0; 1 0 0 0" : "0 1 0 0; 0 0 0 1",
           friction ? "<NewtonImpactFrictionNSL en='0.3' mu='0.3'/>" : "<NewtonImpactNSL e='0.3'/>",
           h);
  run r = run_load(text, NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  ck_assert_int_ge((int)r.x->cert->impacts, 2);
  ck_assert_double_le(r.x->cert->residual_max, 1e-10);
  return r;
}

static const char *const twice[] = {GAP ";" GAP, GAP "; 3*(" GAP ")",
                                    "1000*(" GAP "); -0.1*(" GAP ")"};

/* The impacts amplify what solvers leave (1e-10) a thousandfold. */
START_TEST(rows_that_say_the_same_change_nothing)
{
  static const double step[] = {1e-3, 5e-3, 7e-4};
  int friction = _i % 2;
  double h = step[_i / 2 % 3];
  run a = play(GAP, friction, h), b = play(twice[_i / 6], friction, h);
  ck_assert_uint_eq(a.got.nrows, b.got.nrows);
  for (const char *const *c = (const char *const[]){"p.x", "p.z", "p.a", "p.b", "p.v_x", NULL}; *c;
       c++) {
    size_t i = capture_column(&a.got, *c), j = capture_column(&b.got, *c);
    for (size_t k = 0; k < a.got.nrows; k++)
      ck_assert_double_eq_tol(a.got.rows[k * a.got.ncols + i], b.got.rows[k * b.got.ncols + j],
                              1e-7);
  }
  run_end(&a);
  run_end(&b);
}
END_TEST

/* W = (1 3; 3 9) does not see (3, -1): so much of it that u is lost in rounding is no solution. */
START_TEST(a_part_that_the_matrix_does_not_see_is_no_solution)
{
  int dim[] = {1, 1}, first[] = {0, 1, 2}, row[] = {0, 2, 4}, col[] = {0, 1, 0, 1};
  size_t off[] = {0, 1, 2, 3};
  double val[] = {1, 3, 3, 9}, q[] = {1, 3}, lb[] = {-INFINITY, -INFINITY},
         ub[] = {INFINITY, INFINITY}, u[2];
  ns_blocks W = {
      .nb = 2, .m = 2, .dim = dim, .first = first, .row = row, .col = col, .off = off, .val = val};
  ns_mechanical p = {.W = &W,
                     .q = q,
                     .kind = (const unsigned char[]){NS_BLOCK_BOX, NS_BLOCK_BOX},
                     .lb = lb,
                     .ub = ub};
  ck_assert_double_le(ns_mechanical_residual(&p, (double[]){-1, 0}, u, NULL), 0);
  ck_assert_double_le(ns_mechanical_residual(&p, (double[]){-1 + 3e3, -1e3}, u, NULL), 1e-12);
  ck_assert_double_ge(ns_mechanical_residual(&p, (double[]){-1 + 3e13, -1e13}, u, NULL), 1e-4);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, rows_that_say_the_same_change_nothing, 0, 18);
  tcase_add_test(t, a_part_that_the_matrix_does_not_see_is_no_solution);
}

int main(void) { return suite_run("redundant rows", fill); }
