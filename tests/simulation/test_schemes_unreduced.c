/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MoreauJeanGOSI with friction: the velocities and impulses of the reduced problems, in one large
 * system and in several, with other laws beside friction; an interruption; a problem written and
 * solved again. */
#include "support/interrupted.h"

enum { N = 25, CAPACITY = 200000 };

static const double STEP = 1e-3;

static size_t row(char *to, int n, int one)
{
  size_t w = 0;
  for (int j = 0; j < n; j++) w += (size_t)sprintf(to + w, "%d ", j == one);
  return w;
}

/* A string of N masses, d directions each, the first of them up, falls on a floor and slides. */
static size_t add_string(char *to, int d, const char *id)
{
  char zeros[32] = "";
  size_t w = 0;
  for (int i = 1; i < d; i++) strcat(zeros, "0 ...;");
  w += (size_t)sprintf(to + w, "<LagrangianLinearTIDS id='%s'><q0>", id);
  for (int i = 0; i < N * d; i++)
    w += (size_t)sprintf(to + w, "%.17g ", i % d ? 0 : 0.01 + 0.008 * sin(i));
  w += (size_t)sprintf(to + w, "</q0><v0>");
  for (int i = 0; i < N * d; i++)
    w += (size_t)sprintf(to + w, "%.17g ", i % d ? 0.3 + 0.4 * sin(0.7 * i) : 0);
  w += (size_t)sprintf(to + w,
                       "</v0><mass band='%s 0 ...; 1 ...(%d); %s 0 ...'/><K band='-2000 ...; %s "
                       "4000 ...(%d); %s -2000 ...'/><fExt>",
                       zeros, N * d, zeros, zeros, N * d, zeros);
  for (int i = 0; i < N * d; i++) w += (size_t)sprintf(to + w, "%s ", i % d ? "0.5" : "-9.81");
  return w + (size_t)sprintf(to + w, "</fExt></LagrangianLinearTIDS>");
}

/* What is beneath mass i, by turns where `mixed`: friction, a unilateral contact, a relay, an
 * equality. */
static size_t add_contact(char *to, int d, const char *id, int i, int mixed)
{
  static const char *const law[] = {NULL, "<NewtonImpactNSL e='0.4'/>",
                                    "<RelayNSL lb='-0.002' ub='0.002'/>",
                                    "<EqualityConditionNSL/>"};
  const char *is = mixed && i % 5 == 4 ? law[1 + i / 5 % 3] : NULL;
  size_t w = (size_t)sprintf(to, "<interaction id='%s%d' systems='%s'><LagrangianLinearTIR><H>", id,
                             i, id);
  if (is) w += row(to + w, N * d, i * d + (i / 5 % 3 > 0));
  for (int a = 0; a < d && !is; a++) {
    w += row(to + w, N * d, i * d + a);
    w += (size_t)sprintf(to + w, a + 1 < d ? ";" : "");
  }
  return w + (size_t)sprintf(to + w, "</H></LagrangianLinearTIR>%s</interaction>",
                             is ? is : "<NewtonImpactFrictionNSL en='0.3' et='0.1' mu='0.4'/>");
}

static char *text_of(const char *scheme, int d, int systems, int mixed)
{
  char *text = malloc(CAPACITY), id[] = "a";
  size_t w = (size_t)sprintf(text, "<model xmlns='urn:nssim:model:1' name='m'><systems>");
  for (int s = 0; s < systems; s++) {
    id[0] = (char)('a' + s);
    w += add_string(text + w, d, id);
  }
  w += (size_t)sprintf(text + w, "</systems><interactions>");
  for (int s = 0; s < systems; s++) {
    id[0] = (char)('a' + s);
    for (int i = 0; i < N; i++) w += add_contact(text + w, d, id, i, mixed);
  }
  w += (size_t)sprintf(text + w,
                       "</interactions><simulation T='0.1'><TimeStepping "
                       "h='%g'><%s/></TimeStepping></simulation></model>",
                       STEP, scheme);
  ck_assert_uint_lt(w, CAPACITY);
  return text;
}

static run play(const char *scheme, int d, int systems, int mixed)
{
  char *text = text_of(scheme, d, systems, mixed);
  run r = run_play(text);
  free(text);
  return r;
}

/* Forces are impulses by the step: they are compared as the impulses are. */
static double unit_of(const char *label) { return strstr(label, ".force") ? STEP : 1; }

/* All columns but diagnostics, over all rows, to 1e-8. */
static void agree(const run *a, const run *b)
{
  double worst = 0, max = 0;
  ck_assert_uint_eq(a->got.nrows, b->got.nrows);
  for (size_t c = 0; c < a->got.ncols; c++) {
    if (!strchr(a->got.labels[c], '.') || !strncmp(a->got.labels[c], "diag", 4)) continue;
    double unit = unit_of(a->got.labels[c]);
    for (size_t i = 0; i < a->got.nrows; i++) {
      double x = unit * a->got.rows[i * a->got.ncols + c];
      double e = fabs(x - unit * b->got.rows[i * b->got.ncols + c]);
      worst = fmax(worst, e);
      max = fmax(max, fabs(x));
    }
  }
  ck_assert_msg(worst <= 1e-8 && max > 0.5, "%g apart, of %g", worst, max);
}

static const struct {
  int d, systems, mixed;
} kind[] = {{2, 1, 0}, {3, 1, 0}, {2, 2, 0}, {2, 1, 1}, {3, 2, 1}};

START_TEST(it_moves_as_the_reduced_problem_does)
{
  run a = play("MoreauJeanOSI", kind[_i].d, kind[_i].systems, kind[_i].mixed);
  run b = play("MoreauJeanGOSI", kind[_i].d, kind[_i].systems, kind[_i].mixed);
  ck_assert_str_ne(ns_simulation_plan(a.s)->storage, "unreduced");
  ck_assert_str_eq(ns_simulation_plan(b.s)->storage, "unreduced");
  ck_assert_uint_lt(ns_simulation_plan(b.s)->nnz * 2, ns_simulation_plan(a.s)->nnz);
  agree(&a, &b);
  ck_assert_double_lt(a.x->cert->work_friction, -0.1);
  ck_assert_double_eq_tol(a.x->cert->work_friction, b.x->cert->work_friction, 1e-8);
  ck_assert_double_eq_tol(a.x->cert->work_contact, b.x->cert->work_contact, 1e-8);
  ck_assert_double_le(b.x->cert->defect_max, 1e-10);
  ck_assert_double_le(b.x->cert->residual_max, 1e-10);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* Another solver than "auto" is one of reduced problems. */
START_TEST(a_solver_by_name_reduces)
{
  char *text = text_of("MoreauJeanGOSI/><FrictionContact solver='nsgs'", 2, 1, 0);
  run r = run_load(text, NULL);
  ck_assert_str_eq(ns_simulation_plan(r.s)->storage, "block-sparse");
  run_end(&r);
  free(text);
}
END_TEST

START_TEST(an_interrupted_run_goes_on_the_same)
{
  char *text = text_of("MoreauJeanGOSI", 2 + _i, 1, 1);
  ck_assert_int_eq(goes_on_the_same(text, &(change){0}, 3, 11), 1);
  free(text);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, it_moves_as_the_reduced_problem_does, 0, 5);
  tcase_add_test(t, a_solver_by_name_reduces);
  tcase_add_loop_test(t, an_interrupted_run_goes_on_the_same, 0, 2);
}

int main(void) { return suite_run("unreduced friction", fill); }
