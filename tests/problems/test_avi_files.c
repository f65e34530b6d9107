/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published problems (tests/data/problems, tests/data/lcp): every solver on each, solved or said not to be. */
#include "problems/avi_tools.h"

/* Letters: which solvers must solve it (a auto, l lemke, n newton-min, p pgs, f fischer-burmeister, e enumeration). */
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
  double *z = calloc((size_t)d.n, sizeof *z), *w = calloc((size_t)d.n, sizeof *w), *guess = calloc((size_t)d.n, sizeof *z);
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

int main(void)
{
  Suite *s = suite_create("avi_files");
  TCase *t = tcase_create("avi_files");
  tcase_add_loop_test(t, published_problems, 0, ROWS);
  suite_add_tcase(s, t);
  return suite_end(s);
}
