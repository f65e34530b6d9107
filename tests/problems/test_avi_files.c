/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published problems (tests/data/problems, tests/data/lcp): every solver on each, solved or said
 * not to be. */
#include "problems/avi_tools.h"

/* Letters: which solvers must solve it (a auto, l lemke, n newton-min, p pgs, f fischer-burmeister,
 * e enumeration). */
static const struct {
  const char *name, *must;
} row[] = {
    {"problems/BuckConverter_mlcp.dat.gz", "al"},
    {"problems/BuckFirstStep_mlcp.dat.gz", "al"},
    {"problems/PDSym_mlcp.dat", "al"},
    {"problems/PD_mlcp.dat", "al"},
    {"problems/RCD_mlcp.dat", "al"},
    {"problems/Rectangular_mlcp.dat", "al"},
    {"problems/deltasigma_mlcp.dat.gz", "al"},
    {"problems/deudeu_mlcp.dat", "al"},
    {"problems/diodeBridge20_mlcp.dat.gz", "al"},
    {"problems/diodeBridge_mlcp.dat", "al"},
    {"problems/m2n1_mlcp.dat", "al"},
    {"problems/relay2_mlcp.dat", "al"},
    {"problems/relay1.dat", "al"},
    {"problems/relay_2x2.dat", "al"},
    {"problems/relay_simple2.dat", "al"},
    {"problems/step_1x1.dat", "al"},
    {"problems/step_2x2.dat", "al"},
    {"lcp/lcp_CPS_4.dat", "al"},
    {"lcp/lcp_mmc.dat", "al"},
    {"lcp/lcp_Pang_isolated_sol.dat", "al"},
    {"lcp/lcp_Pang_isolated_sol_perturbed.dat", ""},
};
#define ROWS (int)(sizeof row / sizeof *row)

START_TEST(published_problems)
{
  static const char letter[] = "alnpfe";
  avi_data d = avi_read(row[_i].name);
  ns_avi p = avi_of(&d);
  double *z = calloc((size_t)d.n, sizeof *z), *w = calloc((size_t)d.n, sizeof *w),
         *guess = calloc((size_t)d.n, sizeof *z);
  for (int k = 0; avi_dense(k); k++) {
    const char *name = ns_avi_solvers[k]->name;
    if (!strcmp(name, "enumeration") && d.n > 14) continue; /* minutes */
    for (int start = 0; start < 2; start++) {
      for (int i = 0; i < d.n; i++) guess[i] = z[i] = start;
      ns_outcome out = avi_once(name, &p, 0, z, w);
      avi_check(name, &d, guess, z, w, &out);
      int must = strchr(row[_i].must, letter[k]) != NULL;
      ck_assert_msg(!must || out.kind == NS_SOLVED, "%s on %s: %s, residual %g", name, row[_i].name,
                    ns_outcome_text(out.kind), out.residual);
      if (!*row[_i].must) ck_assert_int_ne(out.kind, NS_SOLVED);
    }
  }
  free(z), free(w), free(guess);
  avi_free(&d);
}
END_TEST

/* From nothing, where a sweep of Gauss-Seidel is all it takes, auto takes no more: these are the
 * problems of tens of nanoseconds. */
START_TEST(auto_sweeps_where_a_sweep_is_all)
{
  static const char *const name[] = {"lcp/lcp_CPS_1.dat",      "lcp/lcp_CPS_5.dat",
                                     "lcp/lcp_exp_murty.dat",  "lcp/lcp_ortiz.dat",
                                     "lcp/lcp_trivial.dat",    "problems/m2n1_mlcp.dat",
                                     "problems/relay_2x2.dat", "problems/relay_simple2.dat",
                                     "problems/step_2x2.dat",  "problems/deudeu_mlcp.dat"};
  for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
    double z[16] = {0}, w[16];
    avi_data d = avi_read(name[k]);
    ns_avi p = avi_of(&d);
    ns_outcome out = avi_once("auto", &p, 0, z, w);
    ck_assert_int_eq(out.kind, NS_SOLVED);
    ck_assert_str_eq(out.solver, "pgs");
    ck_assert_int_eq(out.iterations, 1);
    ck_assert_double_le(out.residual, 1e-15);
    avi_free(&d);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("avi_files");
  TCase *t = tcase_create("avi_files");
  tcase_add_loop_test(t, published_problems, 0, ROWS);
  tcase_add_test(t, auto_sweeps_where_a_sweep_is_all);
  suite_add_tcase(s, t);
  return suite_end(s);
}
