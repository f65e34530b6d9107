/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for roots on an interpolant by itself: to rounding, in few evaluations, for functions
 * of all shapes. (Directions, starts, simultaneous roots: test_flow_roots, by the flows that use
 * it.) */
#include "integrators/bracket.h"
#include "support/suite.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef enum shape { LINE, TRIPLE, STEEP, FLAT, JUMP, ROOT, FRACTION, EARLY, LATE, SHAPES } shape;

typedef struct search {
  shape of;
  int calls, refuse; /* evaluations; the one that is refused, 0: none */
} search;

static const struct {
  double root;
  int calls;
} expected[SHAPES] = {[LINE] = {1.0 / 3, 6},  [TRIPLE] = {0.3, 100},    [STEEP] = {0.7, 40},
                      [FLAT] = {0.6, 20},     [JUMP] = {1 / M_PI, 110}, [ROOT] = {0.25, 52},
                      [FRACTION] = {0.8, 24}, [EARLY] = {1e-9, 10},     [LATE] = {1 - 1e-9, 10}};

static int value(void *self, double t, double *g)
{
  search *s = self;
  double d = t - expected[s->of].root;
  s->calls++;
  if (s->calls == s->refuse) return 7;
  switch (s->of) {
  case TRIPLE: *g = d * d * d; break;
  case STEEP: *g = expm1(80 * d); break;
  case FLAT: *g = tanh(200 * d); break;
  case JUMP: *g = d < 0 ? -1 : 1e-3; break;
  case ROOT: *g = cbrt(d); break;
  case FRACTION: *g = d / (1.001 - t); break;
  case LINE:
  case EARLY:
  case LATE:
  default: *g = 2 * d;
  }
  return 0;
}

START_TEST(roots_are_found_to_rounding_in_few_evaluations)
{
  ns_arena *mem = ns_arena_create(0, 1);
  for (int sign = -1; sign <= 1; sign += 2) {
    search s = {.of = (shape)_i};
    ns_bracket b = {.of = &s, .value = value};
    int root = 0;
    ck_assert_int_eq(ns_bracket_init(&b, mem, 1), 0);
    ck_assert_int_eq(ns_bracket_start(&b, 0, (signed char[]){(signed char)sign}), 0);
    ck_assert_int_eq(ns_bracket_search(&b, 1, &root), 0);
    ck_assert_int_eq(root, sign > 0);
    if (root) {
      ck_assert_double_eq_tol(b.t, expected[_i].root, 4 * DBL_EPSILON * expected[_i].root);
      ck_assert_int_eq(b.fired[0], 1);
    } else ck_assert_double_eq(b.t, 1);
    ck_assert_msg(s.calls <= expected[_i].calls, "%d evaluations, expected at most %d", s.calls,
                  expected[_i].calls);
  }
  ns_arena_destroy(mem);
}
END_TEST

/* Without functions the search is at its end at once; a function that refuses ends it with its
 * code. */
START_TEST(nothing_to_look_for_and_nothing_to_see)
{
  ns_arena *mem = ns_arena_create(0, 1);
  search s = {.of = LINE};
  ns_bracket b = {.of = &s, .value = value};
  int root = 1;
  ck_assert_int_eq(ns_bracket_init(&b, mem, 0), 0);
  ck_assert_int_eq(ns_bracket_start(&b, 0.5, NULL), 0);
  ck_assert_double_eq(b.t, 0.5);
  ck_assert_int_eq(ns_bracket_search(&b, 1, &root), 0);
  ck_assert_int_eq(root, 0);
  ck_assert_double_eq(b.t, 1);
  ck_assert_int_eq(s.calls, 0);
  for (int k = 1; k <= 3; k++) {
    s = (search){.of = STEEP, .refuse = k};
    b = (ns_bracket){.of = &s, .value = value};
    ck_assert_int_eq(ns_bracket_init(&b, mem, 1), 0);
    int rc = ns_bracket_start(&b, 0, NULL);
    if (!rc) rc = ns_bracket_search(&b, 1, &root);
    ck_assert_int_eq(rc, 7);
    ck_assert_double_eq(b.t, 0);
  }
  ns_arena_destroy(mem);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, roots_are_found_to_rounding_in_few_evaluations, 0, SHAPES);
  tcase_add_test(t, nothing_to_look_for_and_nothing_to_see);
}

int main(void) { return suite_run("bracket", fill); }
