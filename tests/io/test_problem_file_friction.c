/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friction problems in files: what is written as text or FCLIB and read again is the same to the
 * bit; damaged files end with a sentence. */
#include "io/problemfile/fclib.h"
#include "io/problemfile/problem_file.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
/* The HDF5 library loses memory of its own over damaged files. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5"; }
#endif

static char work[] = "/tmp/nssim-friction-file-XXXXXX";

static const struct {
  const char *file, *family;
} published[] = {{"FrictionContact/Confeti-ex13-4contact-Fc3D-SBM.dat", "fc3d"},
                 {"FrictionContact/FrictionContactProblem00031.dat", "fc2d"},
                 {"FrictionContact/GFC3D_Example0_SBM.dat", "gfc"},
                 {"FrictionContact/GFC3D_OneContact.dat", "gfc"},
                 {"FrictionContact/gfc2d_granularflowonwall_00000_00117.dat", "gfc"},
                 {"FrictionContact/OneObject-i1028-138.hdf5.dat", "fc3d"},
                 {"FrictionContact/fc2d_granularflowonwall_00667_00000.dat", "fc2d"},
                 {"FrictionContact/Box_Stacks-i0122-82-5.hdf5", "gfc"},
                 {"GenericMechanical/GMP1.dat", "gmp"},
                 {"GenericMechanical/GMP5.dat", "gmp"},
                 {"RollingFrictionContact/RFC3D_cube_1.dat", "rfc3d"},
                 {"RollingFrictionContact/GRFC3D_Chute-ndof-768-nc-4-3.dat", "grfc"}};
enum { PUBLISHED = sizeof published / sizeof *published };

static void unpacked(const char *name, char *path, size_t size)
{
  const char *top = getenv("TOP"), *base = strrchr(name, '/') + 1;
  char cmd[4096];
  if (!top) top = ".";
  snprintf(path, size, "%s/%s", work, base);
  snprintf(cmd, sizeof cmd,
           "gzip -cdf '%s/tests/data/friction/%s' 2>/dev/null >'%s' || gzip -cd "
           "'%s/tests/data/friction/%s.gz' >'%s'",
           top, name, path, top, name, path);
  ck_assert_int_eq(system(cmd), 0);
}

static ns_problem *read_as(const char *path, const char *family)
{
  ns_ctx c = {0};
  ns_problem *p = NULL;
  ck_assert_msg(ns_problem_read(&c, path, family ? ns_problem_family_find(family) : NULL, &p) ==
                    NS_OK,
                "%s", c.msg);
  return p;
}

static void same(const void *a, const void *b, size_t n, size_t size)
{
  if (!a || !b) ck_assert(a == b);
  else ck_assert(!memcmp(a, b, n * size));
}

static void same_blocks(const ns_blocks *a, const ns_blocks *b)
{
  ck_assert(a->nb == b->nb && a->m == b->m);
  same(a->dim, b->dim, (size_t)a->nb, sizeof *a->dim);
  same(a->row, b->row, (size_t)a->nb + 1, sizeof *a->row);
  same(a->col, b->col, (size_t)a->row[a->nb], sizeof *a->col);
  for (int i = 0; i < a->nb; i++)
    for (int k = a->row[i]; k < a->row[i + 1]; k++)
      same(a->val + a->off[k], b->val + b->off[k], (size_t)a->dim[i] * (size_t)a->dim[a->col[k]],
           sizeof *a->val);
}

static void same_problem(const ns_problem *a, const ns_problem *b)
{
  const ns_mechanical *x = &a->mechanical, *y = &b->mechanical;
  const ns_global *g = &a->global, *h = &b->global;
  size_t n = (size_t)a->n;
  ck_assert(a->family->form == b->family->form && a->n == b->n);
  same(a->guess, b->guess, n, sizeof *a->guess);
  if (a->family->form == NS_PROBLEM_MECHANICAL) {
    same_blocks(x->W, y->W);
    same(x->q, y->q, n, sizeof *x->q);
    same(x->mu, y->mu, (size_t)x->W->nb, sizeof *x->mu);
    same(x->mu_rolling, y->mu_rolling, (size_t)x->W->nb, sizeof *x->mu_rolling);
    same(x->kind, y->kind, (size_t)x->W->nb, 1);
    same(x->lb, y->lb, n, sizeof *x->lb);
    same(x->ub, y->ub, n, sizeof *x->ub);
    return;
  }
  same_blocks(g->M, h->M);
  same(g->q, h->q, (size_t)g->M->m, sizeof *g->q);
  same(g->b, h->b, n, sizeof *g->b);
  same(g->mu, h->mu, (size_t)g->nb, sizeof *g->mu);
  same(g->mu_rolling, h->mu_rolling, (size_t)g->nb, sizeof *g->mu);
  same(g->kind, h->kind, (size_t)g->nb, 1);
  same(g->row, h->row, n + 1, sizeof *g->row);
  same(g->col, h->col, (size_t)g->row[n], sizeof *g->col);
  same(g->val, h->val, (size_t)g->row[n], sizeof *g->val);
  same(g->dim, h->dim, (size_t)g->nb, sizeof *g->dim);
}

/* A guess beside what the file has. */
static void guess_for(ns_problem *p)
{
  double *r = ns_arena_get(p->arena, (size_t)p->n + 1, sizeof *r);
  for (int i = 0; i < p->n; i++) r[i] = sin(i + 1.0);
  p->guess = r;
}

START_TEST(text_and_fclib_keep_the_bits)
{
  char path[512], out[512];
  unpacked(published[_i].file, path, sizeof path);
  int told = strstr(path, "OneObject") || strstr(path, "Confeti"); /* else by its name */
  ns_problem *p = read_as(path, told ? published[_i].family : NULL);
  ck_assert_str_eq(p->family->name, published[_i].family);
  ns_ctx c = {0};
  guess_for(p);
  snprintf(out, sizeof out, "%s/again.dat", work);
  ck_assert_msg(ns_problem_write(&c, out, p, "a comment") == NS_OK, "%s", c.msg);
  ns_problem *q = read_as(out, published[_i].family);
  same_problem(p, q);
  ns_problem_destroy(q);
  snprintf(out, sizeof out, "%s/again.hdf5", work);
  int rc = ns_fclib_write(&c, out, p, NULL, NULL, NULL, NULL);
  if (!p->mechanical.kind) { /* FCLIB has its equalities behind the contacts, a row each */
    ck_assert_msg(rc == NS_OK, "%s", c.msg);
    q = read_as(out, NULL);
    same_problem(p, q);
    ns_problem_destroy(q);
  }
  ns_problem_destroy(p);
}
END_TEST

/* A contact and an equality, coupled: local, and global with the same reduction. */
START_TEST(equalities_in_fclib)
{
  char out[512];
  ns_ctx c = {0};
  double W[] = {2, 0, 0, 1, 0.5, 0.25, 0.5, 0.25, 3}, q[] = {-1, 0.5, 0.125}, mu[] = {0.5, 0},
         lb[] = {0, 0, -INFINITY}, ub[] = {0, 0, INFINITY};
  int dim[] = {2, 1}, first[] = {0, 2, 3}, row[] = {0, 2, 4}, col[] = {0, 1, 0, 1};
  size_t off[] = {0, 4, 6, 8};
  unsigned char kind[] = {NS_BLOCK_FRICTION, NS_BLOCK_BOX};
  ns_blocks B = {2, 3, dim, first, row, col, off, W};
  ns_problem p = {.family = ns_problem_family_find("fc2d"),
                  .n = 3,
                  .mechanical = {.W = &B, .q = q, .kind = kind, .mu = mu, .lb = lb, .ub = ub},
                  .guess = (const double[]){0.25, 0, -3}};
  snprintf(out, sizeof out, "%s/equality.hdf5", work);
  ck_assert_msg(ns_fclib_write(&c, out, &p, "one equality", q, q, NULL) == NS_OK, "%s", c.msg);
  ns_problem *again = read_as(out, NULL);
  ck_assert_int_eq(again->mechanical.W->nb, 2);
  ck_assert_int_eq(again->mechanical.kind[1], NS_BLOCK_BOX);
  ck_assert(again->mechanical.ub[2] == INFINITY && again->mechanical.lb[2] == -INFINITY);
  same_blocks(&B, again->mechanical.W);
  same(q, again->mechanical.q, 3, sizeof *q);
  same(p.guess, again->guess, 3, sizeof *q);
  ns_problem_destroy(again);
}
END_TEST

/* All kinds of blocks, bounds, mu and the guess. */
START_TEST(every_block_comes_back)
{
  char out[512];
  ns_ctx c = {0};
  enum { NB = 8, M = 20 };
  int dim[] = {2, 1, 3, 1, 2, 3, 5, 3}, first[NB + 1] = {0}, row[NB + 1] = {0}, col[NB];
  size_t off[NB], at = 0;
  double W[62] = {0}, q[M], guess[M], mu[] = {1.0 / 3, 0, 0.7, 0, 0, 0.1, 0.9, 0},
         mu_rolling[] = {0, 0, 0, 0, 0, 0.01, 1e-3, 0};
  double lb[M] = {0}, ub[M] = {0};
  unsigned char kind[] = {NS_BLOCK_FRICTION, NS_BLOCK_BOX,     NS_BLOCK_FRICTION, NS_BLOCK_BOX,
                          NS_BLOCK_BOX,      NS_BLOCK_ROLLING, NS_BLOCK_ROLLING,  NS_BLOCK_BALL};
  for (int a = 0; a < NB; a++) {
    first[a + 1] = first[a] + dim[a];
    row[a + 1] = a + 1;
    col[a] = a;
    off[a] = at;
    for (int i = 0; i < dim[a] * dim[a]; i++) W[at++] = 1.0 / (3 + a + i);
    for (int i = first[a]; i < first[a + 1]; i++) {
      q[i] = sin(i + 1.0);
      guess[i] = cos(i + 1.0);
      lb[i] = a == 1 ? 0 : a == 4 ? -1.0 / 7 - i : -INFINITY;
      ub[i] = a == 4 && i == 7 ? 1e-3 : INFINITY;
      if (a == 7) lb[i] = -2.0 / 3, ub[i] = 2.0 / 3;
    }
  }
  ns_blocks B = {NB, M, dim, first, row, col, off, W};
  ns_problem p = {
      .family = ns_problem_family_find("gmp"),
      .n = M,
      .guess = guess,
      .mechanical = {
          .W = &B, .q = q, .kind = kind, .mu = mu, .mu_rolling = mu_rolling, .lb = lb, .ub = ub}};
  ck_assert_str_eq(ns_problem_family_of_mechanical(&p.mechanical)->name, "gmp");
  snprintf(out, sizeof out, "%s/gmp.dat", work);
  ck_assert_msg(ns_problem_write(&c, out, &p, "t = 1 s") == NS_OK, "%s", c.msg);
  ns_problem *again = read_as(out, NULL);
  same_problem(&p, again);
  ns_problem_destroy(again);
}
END_TEST

static const char local[] = "3 1\n0 3 3 3 3\n15 -1 -2 -1 14 1 -2 1 16\n-1 2 3\n0.1\n";

START_TEST(sentences)
{
  static const struct {
    const char *family, *text, *says;
  } row[] = {
      {"fc3d", "2 1 0 2 2 2 2 1 0 0 1 1 1 1", "found \"2\", expected 3, d"},
      {"fc", "4 1", "expected d, the rows of a contact: a whole number from 2 to 3"},
      {"fc3d", "3 -1", "expected nc, the number of contacts"},
      {"fc3d", "3 99999999 1 1", "can contain at most 2 numbers"},
      {"fc2d", "2 1 0 2 2 2 2 1 0 0 1 -1 0 -0.5",
       "contact 0 has mu = -0.5, expected a number of at least 0"},
      {"fc3d", "3 1 0 3 4 3 4", "the number of columns of W"},
      {"gfc", "3 1 0 2 2 2 2 1 0 0 1 0 3 3", "the number of rows of H"},
      {"gfc", "3 1 0 2 2 2 2 1 0 0 x", "finite number"},
      {"gmp", "0 1 1 1 1 1 1 0", "M is not in square blocks"},
      {"gmp", "1 2 2 1 1 1 2 2 2 1 0 1 0 0 1 0 0 1 -1 -1 3",
       "block 0 is of type 3 (friction in the plane), for which the file has no mu"},
      {"gmp", "1 2 2 1 1 1 2 2 2 1 0 1 0 0 1 0 0 1 -1 -1 4 0.3",
       "block 0 is of type 4, a contact, and has 2 rows, expected 3"},
      {"gmp", "1 2 2 1 1 1 2 2 2 1 0 1 0 0 1 0 0 1 -1 -1 14 0.3 0.1",
       "block 0 is of type 14, a contact, and has 2 rows, expected 5"},
      {"gmp", "1 2 2 1 1 1 2 2 2 1 0 1 0 0 1 0 0 1 -1 -1 12",
       "13 rolling in the plane or 14 in space"},
      {"gmp", "1 2 2 1 1 1 2 2 2 1 0 1 0 0 1 0 0 1 -1 -1 100 nssim-laws -1 -1 -1 -1",
       "has 2 rows and the radius -1, expected 6 rows at most and no negative radius"},
      {"rfc", "4 1", "is 4, expected 3 in the plane or 5 in space"},
      {"rfc3d", "3 1 0 3 3 3 3", "found \"3\", expected 5, d"},
      {"rfc2d", "3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 0 0 0.5", "the 1 of mu_r"},
      {"rfc2d", "3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 0 0 0.5 -0.5",
       "contact 0 has mu_r = -0.5, expected a number of at least 0"},
      {"gmp", "1 2 2 1 1 1 2 2 2 1 0 1 0 0 1 0 0 1 -1 -1 3 # nssim-laws",
       "for which the file has no mu"},
      {"gmp", "1 2 2 1 1 1 2 2 2 1 0 1 0 0 1 0 0 1 -1 -1 3 nssim-laws x", "expected mu"},
      {"gmp", "1 2 2 1 1 1 2 2 2 1 0 1 0 0 1 0 0 1 -1 -1 9 nssim-laws 1 -1 0 2",
       "has the bounds 1 and 0, expected lb <= ub"},
      {"gmp", "1 2 2 1 1 1 2 2 2 1 0 1 0 0 1 0 0 1 -1 -1 2 nssim-guess 1", "the guess"},
      {"gmp", "1 2 2 1 1 1 2 2 2 1 0 1 0 0 1 0 0 1 -1 -1 7", "expected the type of block 0"},
  };
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    ns_ctx c = {0};
    ns_problem *p;
    int rc = ns_problem_parse(&c, "f", row[k].text, strlen(row[k].text),
                              ns_problem_family_find(row[k].family), &p);
    ck_assert_msg(rc == NS_MODEL && !p && strstr(c.msg, row[k].says) && !strncmp(c.msg, "f:1: ", 5),
                  "%s: %s", row[k].text, c.msg);
  }
}
END_TEST

/* Every beginning of a file, and every word replaced: a problem or a sentence. */
START_TEST(damaged_text)
{
  for (size_t n = 0; n < sizeof local - 1; n++) {
    ns_ctx c = {0};
    ns_problem *p;
    char text[sizeof local] = {0};
    memcpy(text, local, n);
    int rc = ns_problem_parse(&c, "f", text, n, ns_problem_family_find("fc3d"), &p);
    ck_assert((rc == NS_OK) == (p != NULL) && (rc == NS_OK || rc == NS_MODEL));
    ck_assert(n < sizeof local - 4 ? rc != NS_OK : 1);
    ns_problem_destroy(p);
  }
}
END_TEST

/* An FCLIB file with a byte changed, or cut off: never anything else than a problem or a sentence.
 */
START_TEST(damaged_fclib)
{
  char path[512], out[512];
  ns_ctx c = {0};
  ns_problem *p;
  ck_assert_int_eq(
      ns_problem_parse(&c, "f", local, sizeof local - 1, ns_problem_family_find("fc3d"), &p),
      NS_OK);
  snprintf(path, sizeof path, "%s/whole.hdf5", work);
  snprintf(out, sizeof out, "%s/damaged.hdf5", work);
  guess_for(p);
  ck_assert_int_eq(ns_fclib_write(&c, path, p, NULL, NULL, NULL, NULL), NS_OK);
  ns_problem_destroy(p);
  static unsigned char bytes[1 << 16];
  FILE *f = fopen(path, "rb");
  size_t n = fread(bytes, 1, sizeof bytes, f);
  fclose(f);
  ck_assert(n > 1000 && n < sizeof bytes);
  int problems = 0, refused = 0;
  for (size_t k = 8; k < n; k += 37) {
    unsigned char was = bytes[k];
    bytes[k] ^= (unsigned char)(1 + k % 255);
    f = fopen(out, "wb");
    fwrite(bytes, 1, k % 5 ? n : k, f);
    fclose(f);
    bytes[k] = was;
    ns_ctx e = {0};
    int rc = ns_problem_read(&e, out, ns_problem_family_find("fc3d"), &p);
    ck_assert((rc == NS_OK) == (p != NULL) && (rc == NS_OK || *e.msg));
    if (p) {
      problems++;
      for (int i = 0; i < p->n; i++)
        ck_assert(isfinite(p->mechanical.q[i]) && (!p->guess || isfinite(p->guess[i])));
    } else {
      refused++;
    }
    ns_problem_destroy(p);
  }
  ck_assert(problems > 10 && refused > 10);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, text_and_fclib_keep_the_bits, 0, PUBLISHED);
  tcase_add_test(t, every_block_comes_back);
  tcase_add_test(t, equalities_in_fclib);
  tcase_add_test(t, sentences);
  tcase_add_test(t, damaged_text);
  tcase_add_test(t, damaged_fclib);
}

int main(void)
{
  const char *build = getenv("BUILD");
  char text[1024];
  snprintf(text, sizeof text, "%s/modules", build ? build : "build");
  setenv("NSSIM_MODULE_PATH", text, 0);
  int status = !mkdtemp(work) || suite_run("problem_file_friction", fill);
  snprintf(text, sizeof text, "rm -rf '%s'", work);
  return system(text) ? 1 : status;
}
