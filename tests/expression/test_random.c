/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random formulas at random points against the oracle. */
#include "expression/oracle.h"

#define FORMULAS 20000
#define TAME 1e3 /* points where an intermediate value or slope is beyond are left out */

static void random_point(unsigned long long *s)
{
  for (int i = 0; i < 4; i++) F.x[i] = (rnd(s) % 6000 + 0.5) / 1000 - 3;
}

/* The values are those of the same C, bit for bit; with powers, which multiply, to 1e-11
 * (64 roundings, amplified by at most 1e3). */
START_TEST(values_agree)
{
  gen g = {.seed = 42};
  int exact = 0, rounded = 0;
  for (int i = 0; i < FORMULAS; i++) {
    ns_node f = parse(gen_formula(&g, 5));
    for (int k = 0; k < 3; k++) {
      random_point(&g.seed);
      oracle o = {.p = g.text, .step = -1};
      number want = o_expression(&o);
      ck_assert_msg(*o.p == '\0', "the oracle stops at %s in %s", o.p, g.text);
      if (!isfinite(o.largest)) continue;
      double got = value(f);
      if (!o.powers) {
        exact++;
        ck_assert_msg(got == want.v, "%s: %.17g, not %.17g", g.text, got, want.v);
      } else if (o.largest < TAME) {
        rounded++;
        ck_assert_msg(fabs(got - want.v) <= 1e-11 * (1 + fabs(want.v)), "%s: %.17g, not %.17g",
                      g.text, got, want.v);
      }
    }
  }
  ck_assert_int_gt(exact, FORMULAS / 2);
  ck_assert_int_gt(rounded, FORMULAS / 10);
}
END_TEST

START_TEST(derivatives_agree)
{
  gen g = {.seed = 4711};
  int compared = 0, nonzero = 0;
  for (int i = 0; i < FORMULAS; i++) {
    ns_node f = parse(gen_formula(&g, 4)), d[4];
    double got[4];
    for (int k = 0; k < 4; k++) d[k] = ns_graph_diff(F.g, f, 0, k);
    random_point(&g.seed);
    values(d, 4, got);
    for (int k = 0; k < 4; k++) {
      oracle o = {.p = g.text, .step = k};
      double want = cimag(o_expression(&o).z) / STEP;
      if (o.largest > TAME) continue;
      compared++;
      nonzero += want != 0;
      ck_assert_msg(fabs(got[k] - want) <= 1e-10 * (1 + fabs(want)), "d/dx%d %s: %.17g, not %.17g",
                    k, g.text, got[k], want);
    }
  }
  ck_assert_int_gt(compared, FORMULAS);
  ck_assert_int_gt(nonzero, FORMULAS / 2);
}
END_TEST

/* Many outputs in one tape (shared terms, fused products, one sincos) give the bits that each
 * gives alone. */
START_TEST(one_tape_is_many)
{
  enum { N = 40 };
  gen g = {.seed = 99};
  for (int round = 0; round < 100; round++) {
    ns_node f[N];
    double all[N];
    for (int i = 0; i < N; i++) f[i] = parse(gen_formula(&g, 4));
    random_point(&g.seed);
    values(f, N, all);
    for (int i = 0; i < N; i++) {
      double alone = value(f[i]);
      ck_assert(alone == all[i] || (isnan(alone) && isnan(all[i])));
    }
  }
}
END_TEST

/* Tapes of their own, lifted into one graph: the same bits, and what several have is there once. */
START_TEST(lifted_tapes_are_one)
{
  enum { N = 40 };
  gen g = {.seed = 7};
  for (int round = 0; round < 100; round++) {
    ns_node f[2 * N];
    double all[2 * N];
    ns_graph *own = F.g, *joint = ns_graph_create(F.a);
    size_t work = 0;
    for (int i = 0; i < N; i++) f[i] = parse(gen_formula(&g, 4));
    random_point(&g.seed);
    for (int i = 0; i < N; i++) {
      const ns_tape *t;
      ck_assert_int_eq(ns_tape_compile(own, &F.c, F.a, &f[i], 1, &t), NS_OK);
      work = ns_tape_work(t);
      ck_assert_int_eq(ns_tape_lift(t, joint, &f[N + i]), NS_OK);
    }
    values(f, N, all);
    F.g = joint;
    values(f + N, N, all + N);
    for (int i = 0; i < N; i++)
      ck_assert(!memcmp(&all[i], &all[N + i], sizeof *all) || (isnan(all[i]) && isnan(all[N + i])));
    const ns_tape *twice;
    ns_node both[] = {f[2 * N - 1], f[2 * N - 1]};
    ck_assert_int_eq(ns_tape_compile(joint, &F.c, F.a, both, 2, &twice), NS_OK);
    ck_assert_uint_eq(ns_tape_work(twice), work);
    F.g = own;
  }
}
END_TEST

int main(void)
{
  const TTest *const list[] = {values_agree, derivatives_agree, one_tape_is_many,
                               lifted_tapes_are_one};
  return run_list("random", list, sizeof list / sizeof *list);
}
