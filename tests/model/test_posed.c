/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relative degrees, class of the one-step matrix and jumps at t0 against what is known of small
 * systems. */
#include "model/check/posed.h"
#include "support/run.h"

static ns_posed *diagnose(run *r, const char *model)
{
  ns_posed *p;
  *r = run_load(model, NULL);
  ck_assert_int_eq(ns_posed_create(&r->c, r->m, &p), NS_OK);
  ck_assert(p->known);
  return p;
}

static void end(run *r, ns_posed *p)
{
  ns_posed_destroy(p);
  run_end(r);
}

#define MODEL(x0, A, relation, law) \
  "<model xmlns='urn:nssim:model:1' name='m'><systems><FirstOrderLinearTIDS " \
    "id='s'><x0>" x0 "</x0><A>" A \
  "</A></FirstOrderLinearTIDS></systems><interactions><interaction id='i' systems='s'>" \
  "<FirstOrderLinearTIR>" relation "</FirstOrderLinearTIR>" law "</interaction></interactions>" \
  "<simulation T='1'><TimeStepping h='0.01'><EulerMoreauOSI/></TimeStepping></simulation></model>"
#define COMPLEMENTARITY "<ComplementarityConditionNSL/>"

/* A chain of integrators: the input of the last one reaches x[n-1-k] after k+1 of them. */
START_TEST(degree_counts_integrations)
{
  static const char *const model[] = {
      MODEL("1 0 0", "0 1 0; 0 0 1; 0 0 0", "<C>0 0 1</C><B>0; 0; 1</B>", COMPLEMENTARITY),
      MODEL("1 0 0", "0 1 0; 0 0 1; 0 0 0", "<C>0 1 0</C><B>0; 0; 1</B>", COMPLEMENTARITY),
      MODEL("1 0 0", "0 1 0; 0 0 1; 0 0 0", "<C>1 0 0</C><B>0; 0; 1</B>", COMPLEMENTARITY)};
  run r;
  ns_posed *p = diagnose(&r, model[_i]);
  ck_assert_int_eq(p->degree[0], _i + 1);
  end(&r, p);
}
END_TEST

START_TEST(degree_zero_and_none)
{
  run r;
  ns_posed *p = diagnose(
      &r,
      MODEL("1 0", "0 0; 0 0", "<C>1 0; 0 1</C><D>2 0; 0 0</D><B>1 0; 0 0</B>", COMPLEMENTARITY));
  ck_assert_int_eq(p->degree[0], 0);
  ck_assert_int_eq(p->degree[1], NS_POSED_NO_DEGREE);
  ck_assert_int_eq(p->singular_D, 1);
  end(&r, p);
}
END_TEST

START_TEST(classes)
{
  static const struct {
    const char *model;
    ns_posed_class want;
  } row[] = {
      {MODEL("1 1", "0 0; 0 0", "<C>1 0; 0 1</C><B>2 1; 1 2</B>", COMPLEMENTARITY),
       NS_POSED_DEFINITE},
      {MODEL("1 1", "0 0; 0 0", "<C>1 0; 0 1</C><B>1 -1; 1 -1</B>", "<RelayNSL/>"), NS_POSED_OTHER},
      {MODEL("1 1", "0 0; 0 0", "<C>1 0; 0 1</C><B>0 1; -1 0</B>", "<RelayNSL/>"),
       NS_POSED_SEMIDEFINITE},
      {MODEL("1 1", "0 0; 0 0", "<C>1 0; 0 1</C><B>1 10; 0 1</B>", COMPLEMENTARITY), NS_POSED_P},
      {MODEL("1 1", "0 0; 0 0", "<C>1 0; 0 1</C><B>1 0; 0 -1</B>", "<RelayNSL/>"), NS_POSED_OTHER},
      {MODEL("0 0", "0 0; 0 0", "<C>1 0; 0 1</C><B>1 0; 0 1</B>", "<EqualityConditionNSL/>"),
       NS_POSED_NONE},
      {MODEL("0 0", "0 0; 0 0", "<C>1 0; 0 1</C><D>0 1; 0 1</D><B>0 0; 0 0</B>",
             "<MixedComplementarityConditionNSL equalitySize='1'/>"),
       NS_POSED_EQUALITIES},
      /* the equality eliminated: w2 = (2 - 1*1/1) z2 */
      {MODEL("0 0", "0 0; 0 0", "<C>1 0; 0 1</C><D>1 1; 1 2</D><B>0 0; 0 0</B>",
             "<MixedComplementarityConditionNSL equalitySize='1'/>"),
       NS_POSED_DEFINITE}};
  run r;
  ns_posed *p = diagnose(&r, row[_i].model);
  ck_assert_msg(p->problem == row[_i].want, "case %d: %s", _i, ns_posed_text(p->problem));
  end(&r, p);
}
END_TEST

START_TEST(inconsistent_initial_values_jump)
{
  run r;
  ns_posed *p = diagnose(
      &r, MODEL("-1 0", "-1 0; 0 -1", "<C>1 0; 0 1</C><B>2 0; 0 1</B>", COMPLEMENTARITY));
  ck_assert_int_eq(p->jumps[0], 1);
  ck_assert_int_eq(p->jumps[1], 0);
  ck_assert_double_eq(p->y0[0], -1);
  end(&r, p);
  p = diagnose(&r, MODEL("-1 0", "-1 0; 0 -1", "<C>1 0; 0 1</C><B>2 0; 0 1</B>", "<RelayNSL/>"));
  ck_assert_int_eq(p->jumps[0], 0); /* a relay takes any y */
  end(&r, p);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, degree_counts_integrations, 0, 3);
  tcase_add_test(t, degree_zero_and_none);
  tcase_add_loop_test(t, classes, 0, 8);
  tcase_add_test(t, inconsistent_initial_values_jump);
}

int main(void) { return suite_run("posed", fill); }
