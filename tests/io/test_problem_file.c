/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problem files: what is written and read again has the same bits; storages of one matrix agree;
 * the published problems are solved; wrong files end in a sentence. */
#include "io/problemfile/problem_file.h"
#include "support/suite.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const published[] = {"lcp/lcp_CPS_1.dat",
                                        "lcp/lcp_CPS_2.dat",
                                        "lcp/lcp_CPS_4.dat",
                                        "lcp/lcp_CPS_5.dat",
                                        "lcp/lcp_Pang_isolated_sol.dat",
                                        "lcp/lcp_Pang_isolated_sol_perturbed.dat",
                                        "lcp/lcp_deudeu.dat",
                                        "lcp/lcp_deudeu_block.dat",
                                        "lcp/lcp_exp_murty.dat",
                                        "lcp/lcp_mmc.dat",
                                        "lcp/lcp_ortiz.dat",
                                        "lcp/lcp_ortiz_block.dat",
                                        "lcp/lcp_trivial.dat",
                                        "lcp/lcp_trivial_block.dat",
                                        "problems/BuckConverter_mlcp.dat.gz",
                                        "problems/BuckFirstStep_mlcp.dat.gz",
                                        "problems/PDSym_mlcp.dat",
                                        "problems/PD_mlcp.dat",
                                        "problems/RCD_mlcp.dat",
                                        "problems/Rectangular_mlcp.dat",
                                        "problems/deltasigma_mlcp.dat.gz",
                                        "problems/deudeu_mlcp.dat",
                                        "problems/diodeBridge20_mlcp.dat.gz",
                                        "problems/diodeBridge_mlcp.dat",
                                        "problems/m2n1_mlcp.dat",
                                        "problems/relay2_mlcp.dat",
                                        "problems/relay1.dat",
                                        "problems/relay_2x2.dat",
                                        "problems/relay_simple2.dat",
                                        "problems/step_1x1.dat",
                                        "problems/step_2x2.dat"};
enum { PUBLISHED = sizeof published / sizeof *published };

/* ---- tools ----------------------------------------------------------------------------------- */

static const ns_problem_family *family(const char *name)
{
  const ns_problem_family *f = ns_problem_family_find(name);
  ck_assert_msg(f != NULL, "no family %s", name);
  return f;
}

static ns_problem *parse(const char *of, const char *text)
{
  ns_ctx c = {0};
  ns_problem *p;
  ns_problem_parse(&c, "test.dat", text, strlen(text), family(of), &p);
  ck_assert_msg(p != NULL && c.rc == NS_OK, "%s", c.msg);
  return p;
}

/* Text of a file of tests/data, unpacked; to be freed. */
static char *content(const char *name, size_t *n)
{
  char cmd[1024];
  const char *top = getenv("TOP");
  snprintf(cmd, sizeof cmd, "gzip -cdf '%s/tests/data/%s'", top ? top : ".", name);
  FILE *f = popen(cmd, "r");
  ck_assert_ptr_nonnull(f);
  size_t cap = 4 << 20;
  char *s = malloc(cap);
  *n = fread(s, 1, cap - 1, f);
  s[*n] = 0;
  ck_assert_int_eq(pclose(f), 0);
  ck_assert_uint_gt(*n, 10);
  return s;
}

static ns_problem *read_published(const char *name)
{
  size_t n;
  const char *by;
  char *s = content(name, &n), base[64];
  snprintf(base, sizeof base, "%s", strrchr(name, '/') + 1);
  ns_ctx c = {0};
  ns_problem *p;
  ns_problem_parse(&c, name, s, n, ns_problem_family_guess(base, &by), &p);
  ck_assert_msg(p != NULL, "%s", c.msg);
  free(s);
  return p;
}

/* With a guess, whether the file has one or not. */
static ns_problem *written_and_read(const ns_problem *p, const char *as)
{
  int n = as ? p->box.n : p->n;
  double *guess = calloc((size_t)n, sizeof *guess);
  ns_problem with = *p;
  for (int i = 0; i < n; i++) guess[i] = 1.0 / (i + 3);
  with.guess = guess;
  char path[] = "/tmp/nssim-problem-XXXXXX";
  ns_ctx c = {0};
  ns_problem *again = NULL;
  close(mkstemp(path));
  int rc = as ? ns_problem_write_box(&c, path, family(as), &p->box, guess, "t = 1 s")
              : ns_problem_write(&c, path, &with, "t = 1 s");
  ck_assert_msg(rc == NS_OK, "%s", c.msg);
  ns_problem_read(&c, path, as ? family(as) : p->family, &again);
  ck_assert_msg(again != NULL, "%s", c.msg);
  ck_assert(again->guess && !memcmp(again->guess, guess, (size_t)n * sizeof *guess));
  free(guess);
  unlink(path);
  return again;
}

static int same_bits(const double *a, const double *b, size_t n)
{
  return memcmp(a, b, n * sizeof *a) == 0;
}

static void same_blocks(const ns_blocks *a, const ns_blocks *b)
{
  ck_assert_int_eq(a->nb, b->nb);
  ck_assert_int_eq(a->m, b->m);
  for (int i = 0; i <= a->nb; i++) {
    ck_assert_int_eq(a->first[i], b->first[i]);
    ck_assert_int_eq(a->row[i], b->row[i]);
    if (i < a->nb) ck_assert_int_eq(a->dim[i], b->dim[i]);
  }
  for (int i = 0; i < a->nb; i++)
    for (int k = a->row[i]; k < a->row[i + 1]; k++) {
      ck_assert_int_eq(a->col[k], b->col[k]);
      ck_assert(same_bits(a->val + a->off[k], b->val + b->off[k],
                          (size_t)(a->dim[i] * a->dim[a->col[k]])));
    }
}

static void same_box(const ns_avi *a, const ns_avi *b)
{
  ck_assert_int_eq(a->n, b->n);
  size_t n = (size_t)a->n;
  ck_assert(same_bits(a->q, b->q, n));
  ck_assert(same_bits(a->lb, b->lb, n));
  ck_assert(same_bits(a->ub, b->ub, n));
  ck_assert_int_eq(a->dense != NULL, b->dense != NULL);
  for (size_t j = 0; a->dense && j < n; j++)
    ck_assert(same_bits(a->dense + j * (size_t)a->ld, b->dense + j * (size_t)b->ld, n));
  if (a->blocks) same_blocks(a->blocks, b->blocks);
}

/* M as dense, leading dimension n; to be freed. */
static double *dense_of(const ns_avi *p)
{
  size_t n = (size_t)p->n;
  double *d = calloc(n * n, sizeof *d);
  if (p->blocks) ns_blocks_dense(p->blocks, d, p->n);
  for (size_t j = 0; p->dense && j < n; j++)
    memcpy(d + j * n, p->dense + j * (size_t)p->ld, n * sizeof *d);
  return d;
}

static void expect_dense(const ns_avi *p, const double *want)
{
  double *d = dense_of(p);
  for (int k = 0; k < p->n * p->n; k++) ck_assert_double_eq(d[k], want[k]);
  free(d);
}

static unsigned long long seed = 12345;
static unsigned long long bits(void)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  return seed ^= seed << 17;
}
static int below(int n) { return (int)(bits() >> 33) % n; }

/* Any finite double: subnormals, -0, the largest. */
static double any(void)
{
  static const double odd[] = {0,       -0.0,         DBL_MAX,         -DBL_MAX,
                               DBL_MIN, DBL_TRUE_MIN, -DBL_TRUE_MIN,   1,
                               0.1,     1e22,         9007199254740993};
  if (below(4) == 0) return odd[below((int)(sizeof odd / sizeof *odd))];
  double x;
  do {
    unsigned long long b = bits();
    memcpy(&x, &b, sizeof x);
  } while (!isfinite(x));
  return x;
}

/* ---- published problems ---------------------------------------------------------------------- */

START_TEST(published_come_back)
{
  ns_problem *p = read_published(published[_i]), *again = written_and_read(p, NULL);
  same_box(&p->box, &again->box);
  ns_problem_destroy(again);
  again = written_and_read(p, "relay"); /* which can say all bounds */
  same_box(&p->box, &again->box);
  ns_problem_destroy(again);
  ns_problem_destroy(p);
}
END_TEST

START_TEST(published_are_solved)
{
  ns_ctx c = {0};
  ns_problem *p = read_published(published[_i]);
  ns_avi_capacity cap = {.n = p->n,
                         .structure = p->box.blocks,
                         .nnz = (size_t)(p->n * p->n),
                         .lb = p->box.lb,
                         .ub = p->box.ub};
  double *z = calloc((size_t)p->n, sizeof *z), *w = calloc((size_t)p->n, sizeof *w);
  ns_outcome out;
  void *s;
  const ns_avi_solver_ops *ops = ns_avi_solver_find("auto");
  ck_assert_int_eq(ops->create(&c, &cap, NULL, &s), NS_OK);
  for (int i = 0; i < p->n; i++) z[i] = fmin(fmax(0, p->box.lb[i]), p->box.ub[i]);
  ck_assert_int_eq(ops->solve(s, &c, &p->box, NULL, z, w, &out), NS_OK);
  /* it has none */
  if (strstr(published[_i], "isolated_sol_perturbed")) ck_assert_int_ne(out.kind, NS_SOLVED);
  else ck_assert_msg(ns_avi_residual(&p->box, z, w) <= 1e-10, "%s", published[_i]);
  ops->destroy(s);
  free(z), free(w);
  ns_problem_destroy(p);
}
END_TEST

/* Each of these stands twice in the data, dense and as blocks. */
START_TEST(blocks_are_the_dense_matrix)
{
  static const char *const twice[] = {"deudeu", "ortiz", "trivial"};
  char name[64];
  snprintf(name, sizeof name, "lcp/lcp_%s.dat", twice[_i]);
  ns_problem *a = read_published(name);
  snprintf(name, sizeof name, "lcp/lcp_%s_block.dat", twice[_i]);
  ns_problem *b = read_published(name);
  ck_assert_ptr_nonnull(b->box.blocks);
  double *d = dense_of(&a->box);
  expect_dense(&b->box, d);
  ck_assert(same_bits(a->box.q, b->box.q, (size_t)a->n));
  free(d);
  ns_problem_destroy(a);
  ns_problem_destroy(b);
}
END_TEST

/* ---- storages -------------------------------------------------------------------------------- */

/* 1 0 2
 * 3 4 0
 * 0 5 6 */
static const double small[9] = {1, 3, 0, 0, 4, 5, 2, 0, 6};

START_TEST(storages_of_one_matrix)
{
  static const char *const text[] = {
      "3 0 3 3 3 3  1 3 0  0 4 5  2 0 6  -1 -2 -3 trailing words nan",
      /* block rows 0-0, 1-2, columns alike; the blocks of a row in either order */
      "3 1 3 3 4 2 2  1 3  1 3  3 4  0 2 4  1 0 0 1  0 0 2  1 1  2 3 0  3 4 5 0 6  -1 -2 -3",
      /* other block columns than rows */
      "3 1 3 3 4 2 2  1 3  2 3  3 4  0 2 4  0 1 0 1  0 1 0  1 2  2 3 0 4 5  3 0 6  -1 -2 -3",
      "3 2 3 3 1 CSparse Version 3.1.9, May 4, 2016.  Copyright (c) Timothy A. Davis, 2006-2016\n"
      "triplet: 3-by-3, nzmax: 20 nnz: 7\n 2 2 : 6\n 0 0 : 0.25\n 0 0 : 0.75\n 1 0 : 3\n 1 1 : 4\n "
      "2 1 : 5\n 0 2 : 2\n-1 -2 -3",
      "3 2 3 3 2\nCSparse Version 3.2.0, Sept 12, 2017. x\n3-by-3, nzmax: 6 nnz: 6, 1-norm: 9\n"
      "    col 0 : locations 0 to 1\n 1 : 3\n 0 : 1\n    col 1 : locations 2 to 3\n 1 : 4\n 2 : 5\n"
      "    col 2 : locations 4 to 5\n 0 : 2\n 2 : 6\n-1 -2 -3",
      "3 2 3 3 3\nCSparse\ncsr: 3-by-3, nzmax: 6 nnz: 6, 1-norm: 9\n row 0 : locations 0 to 1\n 0 "
      ": 1\n 2 : 2\n"
      " row 1 : locations 2 to 3\n 0 : 3\n 1 : 4\n row 2 : locations 4 to 5\n 1 : 5\n 2 : 6\n-1 -2 "
      "-3",
  };
  static const int scalars[] = {0, 0, 1, 1, 1, 1};
  for (int k = 0; k < 6; k++) {
    ns_problem *p = parse("lcp", text[k]);
    ck_assert_int_eq(p->box.dense != NULL, k == 0);
    if (k) ck_assert_int_eq(p->box.blocks->nb, scalars[k] ? 3 : 2);
    expect_dense(&p->box, small);
    for (int i = 0; i < 3; i++) ck_assert_double_eq(p->box.q[i], -1 - i);
    ns_problem *again = written_and_read(p, NULL);
    same_box(&p->box, &again->box);
    ns_problem_destroy(again);
    ns_problem_destroy(p);
  }
}
END_TEST

START_TEST(empty_columns_and_zero_matrices)
{
  static const double zero[4] = {0}, corner[4] = {0, 0, 0, 7};
  ns_problem *p = parse("lcp", "2 1 2 2 0  1 1");
  expect_dense(&p->box, zero);
  ns_problem *again = written_and_read(p, NULL);
  same_box(&p->box, &again->box);
  ns_problem_destroy(again);
  ns_problem_destroy(p);
  p = parse("lcp",
            "2 2 2 2 2 CSparse\n2-by-2, nzmax: 1 nnz: 1, 1-norm: 7\n col 0 : locations 0 to -1\n"
            " col 1 : locations 0 to 0\n 1 : 7\n 1 1");
  expect_dense(&p->box, corner);
  ns_problem_destroy(p);
}
END_TEST

/* ---- families -------------------------------------------------------------------------------- */

START_TEST(both_records_of_an_mlcp)
{
  /* M = [1 2 3; 4 5 6; 7 8 9], one equality */
  static const double M[9] = {1, 4, 7, 2, 5, 8, 3, 6, 9};
  ns_problem *p = parse("mlcp", "0 1 1 2  1  5 6 8 9  2 3  4 7  -1  -2 -3 old solution");
  expect_dense(&p->box, M);
  ck_assert_int_eq(ns_avi_classify(3, p->box.lb, p->box.ub), NS_AVI_MLCP);
  ck_assert_double_eq(p->box.lb[0], -INFINITY);
  ns_problem *again = written_and_read(p, NULL);
  same_box(&p->box, &again->box);
  ns_problem_destroy(again);
  ns_problem_destroy(p);
  /* the equality in the midst: the second record has it first */
  ns_ctx c = {0};
  static const char *const mixed = "1 1 1 2  0 1 2 3  1 0 1  0 3 3 3 3  5 2 8 4 1 7 6 3 9  -2 -1 -3"
                                   " 1  5 6 8 9  2 3  4 7  -1  -2 -3";
  ns_problem_parse(&c, "mixed", mixed, strlen(mixed), family("mlcp"), &p);
  ck_assert_ptr_nonnull(p);
  ck_assert_int_eq(c.nwarnings, 0); /* the records agree */
  ck_assert_double_eq(p->box.lb[1], -INFINITY);
  ck_assert_double_eq(p->box.lb[0], 0);
  again = written_and_read(p, NULL);
  same_box(&p->box, &again->box);
  ns_problem_destroy(again);
  ns_problem_destroy(p);
}
END_TEST

START_TEST(records_that_differ_are_told)
{
  ns_ctx c = {0};
  ns_problem *p;
  static const char *const text = "1 1 1 1  0 1 2  0 1  0 2 2 2 2  1 2 3 4  5 6   1 4.5 3 2  5 6";
  ns_problem_parse(&c, "x", text, strlen(text), family("mlcp"), &p);
  ck_assert_ptr_nonnull(p);
  ck_assert_int_eq(c.nwarnings, 1);
  ck_assert_double_eq(p->box.dense[3], 4);
  ns_problem_destroy(p);
}
END_TEST

START_TEST(infinite_bounds)
{
  ns_problem *p = parse("relay", "3 0 3 3 3 3 1 0 0 0 1 0 0 0 1  0 0 0  -inf 0 -inf  inf +inf 2");
  ck_assert_double_eq(p->box.lb[0], -INFINITY);
  ck_assert_double_eq(p->box.ub[1], INFINITY);
  ck_assert_double_eq(p->box.ub[2], 2);
  ns_problem_destroy(p);
}
END_TEST

/* Random structure, bounds and numbers of any size, in every storage: the bits survive. */
START_TEST(any_box_comes_back)
{
  enum { N = 9, LD = 11 };
  for (int trial = 0; trial < 60; trial++) {
    double M[LD * N], q[N], lb[N], ub[N], val[N * N];
    int n = 1 + below(N), dim[N], first[N + 1] = {0}, row[N + 1] = {0}, col[N * N], nb = 0, at = 0;
    size_t off[N * N], used = 0;
    for (int i = 0; i < LD * N; i++) M[i] = any();
    for (int i = 0; i < n; i++) {
      q[i] = any();
      double a = any(), b = any();
      lb[i] = trial % 3 == 0 ? 0 : below(2) ? -INFINITY : trial % 3 == 1 ? 0 : fmin(a, b);
      ub[i] = trial % 3 == 0 || lb[i] == 0 || below(2) || trial % 3 == 1 ? INFINITY : fmax(a, b);
    }
    for (int i = 0; i < n; i += dim[nb++]) {
      dim[nb] = trial % 2 ? 1 : 1 + below(n - i < 3 ? n - i : 3);
      first[nb + 1] = i + dim[nb];
    }
    for (int i = 0; i < nb; i++) {
      for (int j = 0; j < nb; j++) {
        if (below(2)) continue;
        col[at] = j;
        off[at++] = used;
        for (int k = 0; k < dim[i] * dim[j]; k++) val[used++] = any();
      }
      row[i + 1] = at;
    }
    ns_blocks A = {.nb = nb,
                   .m = n,
                   .dim = dim,
                   .first = first,
                   .row = row,
                   .col = col,
                   .off = off,
                   .val = val};
    ns_problem dense = {.box = {.n = n, .dense = M, .ld = LD, .q = q, .lb = lb, .ub = ub}};
    ns_problem blocks = {.box = {.n = n, .blocks = &A, .q = q, .lb = lb, .ub = ub}};
    static const char *const narrow[] = {"lcp", "mlcp", "relay"};
    for (int as = 0; as < 2; as++) {
      const char *f = as ? narrow[trial % 3] : "relay";
      ns_problem *again = written_and_read(&dense, f);
      same_box(&dense.box, &again->box);
      ns_problem_destroy(again);
      if (at == 0 && nb < n) continue; /* no blocks: their sizes are not kept */
      again = written_and_read(&blocks, f);
      same_box(&blocks.box, &again->box);
      ns_problem_destroy(again);
    }
  }
}
END_TEST

START_TEST(a_polyhedron_comes_back)
{
  enum { N = 4, P = 6 };
  double M[N * N], q[N], H[P * N], k[P];
  for (int i = 0; i < N * N; i++) M[i] = any();
  for (int i = 0; i < N; i++) q[i] = any();
  for (int i = 0; i < P * N; i++) H[i] = any();
  for (int i = 0; i < P; i++) k[i] = any();
  ns_problem a = {.family = family("avi"),
                  .n = N,
                  .polyhedron = {.n = N, .p = P, .M = M, .q = q, .H = H, .k = k}};
  ns_problem *b = written_and_read(&a, NULL);
  ck_assert_int_eq(b->n, N);
  ck_assert_int_eq(b->polyhedron.n, N);
  ck_assert_int_eq(b->polyhedron.p, P);
  ck_assert(same_bits(b->polyhedron.M, M, N * N) && same_bits(b->polyhedron.q, q, N));
  ck_assert(same_bits(b->polyhedron.H, H, P * N) && same_bits(b->polyhedron.k, k, P));
  ns_problem_destroy(b);
  /* sparse parts become dense ones */
  b = parse("avi", "2 2 2 2 1 CSparse\ntriplet: 2-by-2, nzmax: 2 nnz: 2\n0 0 : 3\n1 0 : 4\n -1 -2\n"
                   "1 2 1 2 1 CSparse\ntriplet: 1-by-2, nzmax: 1 nnz: 1\n0 1 : 5\n -7");
  ck_assert_double_eq(b->polyhedron.M[1], 4);
  ck_assert_double_eq(b->polyhedron.M[3], 0);
  ck_assert_double_eq(b->polyhedron.H[0], 0);
  ck_assert_double_eq(b->polyhedron.H[1], 5);
  ck_assert_double_eq(b->polyhedron.k[0], -7);
  ns_problem_destroy(b);
}
END_TEST

START_TEST(bounds_that_a_family_cannot_say)
{
  ns_ctx c = {0};
  double one = 1, zero = 0;
  ns_avi box = {.n = 1, .dense = &one, .ld = 1, .q = &one, .lb = &zero, .ub = &one};
  ck_assert_int_eq(ns_problem_write_box(&c, "/nowhere/x", family("lcp"), &box, NULL, NULL),
                   NS_MODEL);
  ck_assert_str_eq(c.msg, "/nowhere/x: the bounds of the problem make it a relay problem, which "
                          "cannot be written as LCP");
}
END_TEST

START_TEST(family_by_the_name)
{
  static const struct {
    const char *path, *family;
  } row[] = {{"lcp_mmc.dat", "lcp"},
             {"a/LCP-1", "lcp"},
             {"BuckConverter_mlcp.dat", "mlcp"},
             {"mlcp.dat", "mlcp"},
             {"relay2_mlcp.dat", "mlcp"},
             {"relay1.dat", "relay"},
             {"step_1x1.dat", "relay"},
             {"avi_1.dat", "avi"},
             {"aviation.dat", NULL},
             {"/nowhere/mlcp/x.dat", NULL},
             {"nowhere.dat", NULL},
             {"-", NULL}};
  const char *by;
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    const ns_problem_family *f = ns_problem_family_guess(row[k].path, &by);
    ck_assert_msg(!f == !row[k].family && (!f || !strcmp(f->name, row[k].family)), "%s",
                  row[k].path);
  }
  /* the folder, which has to be there */
  char dir[] = "/tmp/nssim-XXXXXX", path[64];
  ck_assert_ptr_nonnull(mkdtemp(dir));
  static const struct {
    const char *folder, *family;
  } in[] = {{"MLCP", "mlcp"},
            {"lcp", "lcp"},
            {"Relay", "relay"},
            {"AVI_old", "avi"},
            {"navigation", NULL}};
  for (size_t k = 0; k < sizeof in / sizeof *in; k++) {
    snprintf(path, sizeof path, "mkdir %s/%s", dir, in[k].folder);
    ck_assert_int_eq(system(path), 0);
    snprintf(path, sizeof path, "%s/%s/x.dat", dir, in[k].folder);
    const ns_problem_family *f = ns_problem_family_guess(path, &by);
    ck_assert_msg(!f == !in[k].family && (!f || !strcmp(f->name, in[k].family)), "%s", path);
    if (f) ck_assert_str_eq(by, "by its folder");
  }
  snprintf(path, sizeof path, "rm -r %s", dir);
  ck_assert_int_eq(system(path), 0);
}
END_TEST

/* ---- wrong files ----------------------------------------------------------------------------- */

static const struct {
  const char *family, *text, *sentence;
} wrong[] = {
    {"lcp", "", "f:1: the file ends, expected n, the number of unknowns: a whole number from 1"},
    {"lcp", "\n\n",
     "f:3: the file ends, expected n, the number of unknowns: a whole number from 1"},
    {"lcp", "x", "f:1: found \"x\", expected n, the number of unknowns: a whole number from 1"},
    {"lcp", "0 1", "f:1: found \"0\", expected n, the number of unknowns: a whole number from 1"},
    {"lcp", "1.5", "f:1: found \"1.5\", expected n, the number of unknowns: a whole number from 1"},
    {"lcp", "99999999999999999999",
     "f:1: found \"99999999999999999999\", expected n, the number of unknowns: a whole number from "
     "1"},
    {"lcp", "2000000000\n0 2000000000 2000000000",
     "f:1: the rest of the file can contain at most 12 numbers, expected the 2000000000 of q; the "
     "file is truncated, or belongs to a different family"},
    {"lcp", "1\n3 1 1",
     "f:2: found \"3\", expected the storage of M (0 dense, 1 blocks, 2 sparse): a whole number "
     "from 0 to 2"},
    {"lcp", "2 0 2 3 2 3 1 2 3 4 5 6 1 1",
     "f:1: found \"3\", expected 2, the number of columns of M"},
    {"lcp", "2 0 2 2 2 1 1 2 3 4 1 1",
     "f:1: found \"1\", expected 2, the number of columns of M again"},
    {"lcp", "2 0 2 2 2 2\n1 2 3",
     "f:1: the rest of the file can contain at most 3 numbers, expected the 2 x 2 of M; the file "
     "is truncated, or belongs to a different family"},
    {"lcp", "2 0 2 2 2 2\n1 2\n3 4e 5 6",
     "f:3: found \"4e\", expected number 4 of the 4 of M: a finite number"},
    {"lcp", "1 0 1 1 1 1 nan 1",
     "f:1: found \"nan\", expected number 1 of the 1 of M: a finite number"},
    {"lcp", "1 0 1 1 1 1 1e999 1",
     "f:1: found \"1e999\", expected number 1 of the 1 of M: a finite number"},
    {"lcp", "1 0 1 1 1 1 0x1 1",
     "f:1: found \"0x1\", expected number 1 of the 1 of M: a finite number"},
    {"lcp", "1 0 1 1 1 1 1 inf",
     "f:1: found \"inf\", expected number 1 of the 1 of q: a finite number"},
    {"lcp", "1 0 1 1 1 1 1 1,5",
     "f:1: found \"1,5\", expected number 1 of the 1 of q: a finite number"},
    {"relay", "1 0 1 1 1 1 1 0 nan 1",
     "f:1: found \"nan\", expected number 1 of the 1 of lb: a number, inf or -inf"},
    {"relay", "1 0 1 1 1 1 1 0 inf inf",
     "f:1: row 0 has the bounds inf and inf, expected a number between them"},
    {"relay", "1 0 1 1 1 1 1 0\n1 0",
     "f:2: row 0 has the lower bound 1 above its upper bound 0, expected it below"},
    {"relay", "1 0 1 1 1 1 1 0 0",
     "f:1: the rest of the file can contain at most 0 numbers, expected the 1 of ub; the file is "
     "truncated, or belongs to a different family"},
    {"lcp", "1 0 1 1 1 1 1 1 nssim-guess x",
     "f:1: found \"x\", expected number 1 of the 1 of the guess: a finite number"},
    {"mlcp", "2",
     "f:1: found \"2\", expected the flag of the first record (M, q): a whole number from 0 to 1"},
    {"mlcp", "0 0 1 1 1 1 1",
     "f:1: found \"0\", expected 1, the flag of the second record (A, B, C, D, a, b)"},
    {"mlcp", "1 0 0 0 1 1 1",
     "f:1: found \"0\", expected the number of complementarities: a whole number from 1"},
    {"mlcp", "1 0 1 1\n1 2", "f:2: found \"1\", expected 0, the beginning of the first block"},
    {"mlcp", "1 0 1 1\n0 1 3", "f:2: found \"3\", expected 2, the end of a block"},
    {"mlcp", "1 0 1 1\n0 1 2\n1 1 0 2 2",
     "f:3: the kinds of the blocks give a different number of equalities than the head of the "
     "file, expected the same"},
    {"mlcp", "1 0 1 1 0 1 2 0 1\n0 3 2 3 2",
     "f:2: found \"3\", expected 2, the number of rows of M"},
    {"avi", "1 0 1 1 1 1 1 1",
     "f:1: the file ends, expected p, the number of rows of H (without the polyhedron: --family "
     "lcp): a "
     "whole number from 1"},
    {"lcp", "2 1 2 2 1 3 1 1 2",
     "f:1: found \"3\", expected the number of block rows: a whole number from 1 to 2"},
    {"lcp", "2 1 2 2 1 2 1 1 1", "f:1: found \"1\", expected 2, the end of a block row"},
    {"lcp", "2 1 2 2 1 1 1 2 2 3 1",
     "f:1: found \"3\", expected 2, one more than the number of block rows"},
    {"lcp", "2 1 2 2 1 1 1 2 2 2 1 0 1 1 0 1 2 3 4 1 1",
     "f:1: found \"1\", expected 0, the block column of a block"},
    {"lcp", "2 1 2 2 1 1 1 2 2 2 1 0 1 0 1 1 2 3 4 1 1",
     "f:1: found \"1\", expected 0, the number of the block that follows"},
    {"lcp", "1 1 1 1 2 1 1 1 1 2 2 0 2 0 0 0 5 1 6 1",
     "f:1: block row 0 has two blocks in block column 0, expected one"},
    {"lcp", "1 2 1 1 4 CSparse",
     "f:1: found \"4\", expected the storage of the sparse matrix (1 triplets, 2 columns, 3 rows): "
     "a whole number from 1 to 3"},
    {"lcp", "1 2 1 1 1 CSparse\ntriplet: 1-by-2, nzmax: 1 nnz: 1",
     "f:2: found \"1-by-2,\", expected \"1-by-1,\""},
    {"lcp", "1 2 1 1 1 CSparse\ntriplet: 1-by-1, nzmax: 1 nnz: 900000000\n0 0 : 1 1",
     "f:2: the rest of the file can contain at most 5 numbers, expected the 900000000 x 3 of the "
     "entries; the file is truncated, or belongs to a different family"},
    {"lcp", "1 2 1 1 1 CSparse\ntriplet: 1-by-1, nzmax: 1 nnz: 1\n1 0 : 1 1",
     "f:3: found \"1\", expected 0, the row of an entry"},
};

START_TEST(wrong_files)
{
  ns_ctx c = {0};
  ns_problem *p;
  int rc = ns_problem_parse(&c, "f", wrong[_i].text, strlen(wrong[_i].text),
                            family(wrong[_i].family), &p);
  ck_assert_int_eq(rc, NS_MODEL);
  ck_assert_ptr_null(p);
  ck_assert_str_eq(c.msg, wrong[_i].sentence);
}
END_TEST

/* Whatever is cut off or changed: a problem or a sentence that names the file. */
START_TEST(damaged_files)
{
  static const char *const whole[] = {"lcp/lcp_ortiz_block.dat", "problems/m2n1_mlcp.dat",
                                      "problems/relay_2x2.dat", "problems/Rectangular_mlcp.dat"};
  static const char odd[] = "0 19-.e\n\0x\377:";
  size_t n, good = 0, bad = 0;
  char *s = content(whole[_i], &n), *copy = malloc(n + 1);
  const char *by;
  const ns_problem_family *f = ns_problem_family_guess(strrchr(whole[_i], '/') + 1, &by);
  for (size_t trial = 0; trial < 4 * n; trial++) {
    ns_ctx c = {0};
    ns_problem *p;
    size_t len = trial < n ? trial : n;
    memcpy(copy, s, len);
    copy[len] = 0;
    for (int k = below(4); trial >= n && k >= 0; k--)
      copy[below((int)n)] = odd[below((int)sizeof odd - 1)];
    int rc = ns_problem_parse(&c, "damaged", copy, len, f, &p);
    ck_assert_int_eq(rc == NS_OK, p != NULL);
    ck_assert(rc == NS_OK || (rc == NS_MODEL && !strncmp(c.msg, "damaged:", 8)));
    good += rc == NS_OK;
    bad += rc != NS_OK;
    ns_problem_destroy(p);
  }
  ck_assert_uint_gt(good, 0);
  ck_assert_uint_gt(bad, n / 4);
  free(copy), free(s);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("problem_file");
  TCase *t = tcase_create("problem_file");
  tcase_set_timeout(t, 30);
  tcase_add_loop_test(t, published_come_back, 0, PUBLISHED);
  tcase_add_loop_test(t, published_are_solved, 0, PUBLISHED);
  tcase_add_loop_test(t, blocks_are_the_dense_matrix, 0, 3);
  tcase_add_test(t, storages_of_one_matrix);
  tcase_add_test(t, empty_columns_and_zero_matrices);
  tcase_add_test(t, both_records_of_an_mlcp);
  tcase_add_test(t, records_that_differ_are_told);
  tcase_add_test(t, infinite_bounds);
  tcase_add_test(t, any_box_comes_back);
  tcase_add_test(t, a_polyhedron_comes_back);
  tcase_add_test(t, bounds_that_a_family_cannot_say);
  tcase_add_test(t, family_by_the_name);
  tcase_add_loop_test(t, wrong_files, 0, (int)(sizeof wrong / sizeof *wrong));
  tcase_add_loop_test(t, damaged_files, 0, 4);
  suite_add_tcase(s, t);
  return suite_end(s);
}
