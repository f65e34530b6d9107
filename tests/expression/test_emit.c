/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Emitted C, compiled by cc and loaded, gives the bits of the tape. */
#include "expression/oracle.h"

#include <dlfcn.h>
#include <locale.h>
#include <unistd.h>

typedef void (*compiled)(const double *const *bank, double *out);

/* Compile the tape in a folder of its own, which is gone afterwards; the library stays loaded. */
static compiled load(const ns_tape *t)
{
  char dir[] = "/tmp/nssim-emit-XXXXXX", c[64], so[64], command[256];
  ck_assert_ptr_nonnull(mkdtemp(dir));
  snprintf(c, sizeof c, "%s/f.c", dir);
  snprintf(so, sizeof so, "%s/f.so", dir);
  FILE *to = fopen(c, "w");
  ck_assert_int_eq(ns_tape_emit_c(t, "formula", to), NS_OK);
  fclose(to);
  snprintf(command, sizeof command,
           "cc -std=c11 -Wall -Wextra -Wpedantic -Werror -O2 -ffp-contract=off -fPIC -shared -o %s "
           "%s -lm",
           so, c);
  ck_assert_msg(system(command) == 0, "%s", command);
  void *lib = dlopen(so, RTLD_NOW);
  ck_assert_msg(lib, "%s", dlerror());
  unlink(c);
  unlink(so);
  rmdir(dir);
  compiled f;
  *(void **)&f = dlsym(lib, "formula");
  ck_assert(f);
  return f;
}

static void compare(const ns_node *f, int n, int points)
{
  const double *bank[] = {F.x, F.v, F.w};
  const ns_tape *t;
  unsigned long long s = 5;
  ck_assert_int_eq(ns_tape_compile(F.g, &F.c, F.a, f, n, &t), NS_OK);
  ck_assert_int_eq(ns_tape_outputs(t), n);
  compiled native = load(t);
  double *work = malloc(ns_tape_work(t) * sizeof *work), *a = malloc((size_t)n * sizeof *a),
         *b = malloc((size_t)n * sizeof *b);
  for (int k = 0; k < points; k++) {
    for (int i = 0; i < 10; i++)
      F.x[i] = k % 10 == 9 ? (double)(rnd(&s) % 3) - 1 : (rnd(&s) % 6000 + 0.5) / 1000 - 3;
    ns_tape_eval(t, bank, work, a);
    native(bank, b);
    for (int i = 0; i < n; i++)
      ck_assert_msg(!memcmp(&a[i], &b[i], sizeof *a) || (isnan(a[i]) && isnan(b[i])),
                    "output %d at point %d: %.17g, compiled %.17g", i, k, a[i], b[i]);
  }
  free(work);
  free(a);
  free(b);
}

/* 60 random formulas and their derivatives; NaN counts as NaN, whatever its sign. */
START_TEST(random_formulas)
{
  enum { N = 60 };
  gen g = {.seed = 2024};
  ns_node f[5 * N];
  for (int i = 0; i < N; i++) {
    f[5 * i] = parse(gen_formula(&g, 5));
    for (int k = 0; k < 4; k++) f[5 * i + 1 + k] = ns_graph_diff(F.g, f[5 * i], 0, k);
  }
  compare(f, 5 * N, 500);
}
END_TEST

START_TEST(all_that_is_special)
{
  ns_node f[] = {parse("1/0"),
                 parse("-1/0"),
                 parse("0/0"),
                 parse("-0.0"),
                 parse("7"),
                 parse("-0.1"),
                 parse("1e300*x0"),
                 parse("1e-300*x0"),
                 parse("x0 - -3"),
                 parse("2^x0"),
                 parse("10^x0"),
                 parse("sin(x1)"),
                 parse("cos(x1)"),
                 parse("cos(x2)"),
                 parse("x0"),
                 parse("x0"),
                 parse("v[3]+a.b"),
                 parse("exp(log(abs(x0)))"),
                 parse("x0*x1 + x2*x3"),
                 parse("abs(x0)^0.3"),
                 parse("x0^2^0.5"),
                 parse("(x0+x1)^2"),
                 parse("(x0-x1)/(x0-x1)"),
                 parse("x2 - (x0*x1)*(x0*x1)")};
  compare(f, sizeof f / sizeof *f, 500);
}
END_TEST

/* In a locale that writes 0,5, made for the purpose where localedef is there. */
START_TEST(a_decimal_comma_changes_nothing)
{
  char dir[] = "/tmp/nssim-locale-XXXXXX", command[256], text[8];
  ck_assert_ptr_nonnull(mkdtemp(dir));
  snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>/dev/null", dir);
  int made = system(command) == 0 && setenv("LOCPATH", dir, 1) == 0 &&
             setlocale(LC_ALL, "de_DE.UTF-8");
  snprintf(text, sizeof text, "%.1f", 0.5);
  if (made) ck_assert_str_eq(text, "0,5");
  else fprintf(stderr, "no localedef: the decimal comma is not tested\n");
  double v;
  ck_assert(ns_graph_is_constant(F.g, parse("1.5e1"), &v) && v == 15);
  ns_node f[] = {parse("0.1*x0 - 1234567.75*x1 + 1e-20*x2"), parse("1e22*x0"), parse("3*x1"),
                 parse("0.25")};
  compare(f, 4, 50);
  setlocale(LC_ALL, "C");
  snprintf(command, sizeof command, "rm -rf %s", dir);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(no_inputs_or_no_outputs)
{
  ns_node f = parse("3");
  const ns_tape *t;
  compare(&f, 1, 1);
  ck_assert_int_eq(ns_tape_compile(F.g, &F.c, F.a, NULL, 0, &t), NS_OK);
  ck_assert_ptr_nonnull(load(t));
  ns_tape_eval(t, NULL, NULL, NULL);
}
END_TEST

START_TEST(a_full_disk_is_reported)
{
  FILE *to = fopen("/dev/full", "w");
  if (!to) return;
  ns_node f = parse("x0");
  const ns_tape *t;
  ck_assert_int_eq(ns_tape_compile(F.g, &F.c, F.a, &f, 1, &t), NS_OK);
  ck_assert_int_eq(ns_tape_emit_c(t, "f", to), NS_OUTPUT);
  fclose(to);
}
END_TEST

/* A node that is none (a failed derivative) is an allocation failure; the tape is none. */
START_TEST(missing_nodes_are_refused)
{
  ns_node f[] = {parse("x0"), -1};
  const ns_tape *t;
  ns_ctx c = {0};
  ck_assert_int_eq(ns_tape_compile(F.g, &c, F.a, f, 2, &t), NS_NOMEM);
  ck_assert_ptr_null(t);
  ns_arena *small = ns_arena_create(64, 0);
  ck_assert_int_eq(ns_tape_compile(F.g, &c, small, f, 1, &t), NS_NOMEM);
  ck_assert_int_eq(c.nerrors, 2);
  ns_arena_destroy(small);
}
END_TEST

int main(void)
{
  const TTest *const list[] = {
      random_formulas,         all_that_is_special,     a_decimal_comma_changes_nothing,
      no_inputs_or_no_outputs, a_full_disk_is_reported, missing_nodes_are_refused};
  return run_list("emit", list, sizeof list / sizeof *list);
}
