/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published problems (tests/data/lcp): every solver on each, solved or said not to be. */
#include "problems/lcp_tools.h"

#include <stdio.h>

#define MAX 26

typedef struct problem {
  int n;
  double M[MAX * MAX], q[MAX];
} problem;

static int integer(FILE *f)
{
  int v = -1;
  ck_assert_int_eq(fscanf(f, "%d", &v), 1);
  return v;
}

static double number(FILE *f)
{
  double v = NAN;
  ck_assert_int_eq(fscanf(f, "%lf", &v), 1);
  return v;
}

static void read_dense(FILE *f, problem *p)
{
  ck_assert_int_eq(integer(f), p->n);
  ck_assert_int_eq(integer(f), p->n);
  for (int i = 0; i < p->n * p->n; i++) p->M[i] = number(f);
}

static void read_blocks(FILE *f, problem *p)
{
  int end[MAX + 1] = {0}, start[MAX + 1], col[MAX * MAX];
  int blocks = integer(f), nr = integer(f), nc = integer(f);
  ck_assert_int_eq(nr, nc);
  for (int i = 0; i < nr; i++) end[i + 1] = integer(f);
  for (int i = 0; i < nc; i++) ck_assert_int_eq(integer(f), end[i + 1]);
  ck_assert_int_eq(integer(f), nr + 1);
  ck_assert_int_eq(integer(f), blocks);
  for (int i = 0; i <= nr; i++) start[i] = integer(f);
  for (int k = 0; k < blocks; k++) col[k] = integer(f);
  for (int i = 0; i < nr; i++)
    for (int k = start[i]; k < start[i + 1]; k++) {
      ck_assert_int_eq(integer(f), k);
      for (int c = end[col[k]]; c < end[col[k] + 1]; c++)
        for (int r = end[i]; r < end[i + 1]; r++) p->M[r + c * p->n] = number(f);
    }
}

static problem read_problem(const char *name)
{
  char path[200];
  problem p = {0};
  snprintf(path, sizeof path, "tests/data/lcp/lcp_%s.dat", name);
  FILE *f = fopen(path, "r");
  ck_assert_msg(f != NULL, "%s: not found; run from the top folder", path);
  p.n = integer(f);
  ck_assert_int_le(p.n, MAX);
  int storage = integer(f);
  ck_assert_int_eq(integer(f), p.n);
  ck_assert_int_eq(integer(f), p.n);
  (storage ? read_blocks : read_dense)(f, &p);
  for (int i = 0; i < p.n; i++) p.q[i] = number(f);
  fclose(f);
  return p;
}

/* Letters: which solvers must solve it (a auto, l lemke, n newton-min, p pgs, f fischer-burmeister,
 * e enumeration). */
static const struct {
  const char *name, *must;
} row[] = {
    {"CPS_1", "alpfe"},
    {"CPS_2", "ale"},
    {"CPS_4", "ale"},
    {"CPS_5", "alpfe"},
    {"Pang_isolated_sol", "ae"},
    {"Pang_isolated_sol_perturbed", ""},
    {"deudeu", "alnpfe"},
    {"deudeu_block", "alnpfe"},
    {"exp_murty", "alfe"},
    {"mmc", "alf"},
    {"ortiz", "alnpfe"},
    {"ortiz_block", "alnpfe"},
    {"trivial", "alnpfe"},
    {"trivial_block", "alnpfe"},
};
#define ROWS (int)(sizeof row / sizeof *row)

START_TEST(published_problems)
{
  static const char letter[] = "alnpfe";
  problem t = read_problem(row[_i].name);
  sparse sp = sparse_of(t.n, t.M, t.n, NULL);
  for (int k = 0; ns_lcp_solvers[k]; k++) {
    const char *name = ns_lcp_solvers[k]->name;
    if (!strcmp(name, "enumeration") && t.n > 20) continue;
    for (int f = 0; f < 2; f++)
      for (int start = 0; start < 2; start++) {
        double z[MAX], guess[MAX], w[MAX];
        for (int i = 0; i < t.n; i++) guess[i] = z[i] = start;
        ns_lcp p = dense_lcp(t.n, t.M, t.q);
        if (f) p = (ns_lcp){.n = t.n, .blocks = &sp.A, .q = t.q};
        ns_outcome out = solve_once(name, &p, 0, z, w);
        check_claim(name, t.n, t.M, t.q, guess, z, w, &out);
        int must = strchr(row[_i].must, letter[k]) != NULL;
        ck_assert_msg(!must || out.kind == NS_SOLVED, "%s on %s: %s, residual %g", name,
                      row[_i].name, ns_outcome_text(out.kind), out.residual);
        if (!strcmp(row[_i].name, "Pang_isolated_sol_perturbed"))
          ck_assert_int_ne(out.kind, NS_SOLVED);
      }
  }
  sparse_free(&sp);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("lcp_files");
  TCase *t = tcase_create("lcp_files");
  tcase_add_loop_test(t, published_problems, 0, ROWS);
  suite_add_tcase(s, t);
  return suite_end(s);
}
