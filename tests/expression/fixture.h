/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fixture.h -- a graph and a scope for the tests of formulas.
 *
 * Names: x0..x9 are bank 0, v[0..4] bank 1, a.b and a.b_2 bank 2, `step` bank 0 index 5; k = 10. */
#ifndef TESTS_EXPRESSION_FIXTURE_H
#define TESTS_EXPRESSION_FIXTURE_H

#include "base/suggest.h"
#include "expression/expression.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static struct {
  ns_arena *a;
  ns_graph *g;
  ns_ctx c;
  ns_scope scope;
  double x[10], v[5], w[2];
} F;

static ns_name fixture_lookup(const void *self, const char *name, size_t len, int subscript)
{
  (void)self;
  ns_name n = {.kind = NS_NAME_UNKNOWN};
  if (subscript >= 0) {
    if (len == 1 && *name == 'v' && subscript < 5)
      n = (ns_name){.kind = NS_NAME_VARIABLE, .bank = 1, .index = subscript};
  } else if (len == 2 && name[0] == 'x' && name[1] >= '0' && name[1] <= '9')
    n = (ns_name){.kind = NS_NAME_VARIABLE, .bank = 0, .index = name[1] - '0'};
  else if (len == 1 && *name == 'k') n = (ns_name){.kind = NS_NAME_CONSTANT, .value = 10};
  else if (len == 3 && !memcmp(name, "a.b", 3))
    n = (ns_name){.kind = NS_NAME_VARIABLE, .bank = 2, .index = 0};
  else if (len == 5 && !memcmp(name, "a.b_2", 5))
    n = (ns_name){.kind = NS_NAME_VARIABLE, .bank = 2, .index = 1};
  else if (len == 4 && !memcmp(name, "step", 4))
    n = (ns_name){.kind = NS_NAME_VARIABLE, .bank = 0, .index = 5};
  return n;
}

static const char *fixture_suggest(const void *self, const char *name, size_t len)
{
  (void)self;
  ns_suggest s = ns_suggest_for(name, len);
  ns_suggest_offer(&s, "a.b_2");
  ns_suggest_offer(&s, "step");
  return s.best;
}

static void fixture_begin(void)
{
  F.a = ns_arena_create(0, 1);
  F.g = ns_graph_create(F.a);
  F.c = (ns_ctx){0};
  F.scope = (ns_scope){.lookup = fixture_lookup, .suggest = fixture_suggest};
  for (int i = 0; i < 10; i++) F.x[i] = i + 2;
  for (int i = 0; i < 5; i++) F.v[i] = 10 * (i + 1);
  F.v[1] = 4;
  F.w[0] = 0.5;
  F.w[1] = 0.25;
}

static void fixture_end(void) { ns_arena_destroy(F.a); }

static inline ns_node parse(const char *text)
{
  ns_node f;
  ns_ctx c = {0};
  int rc = ns_graph_parse(F.g, &c, "test", text, strlen(text), &F.scope, &f);
  ck_assert_msg(rc == NS_OK, "%s", c.msg);
  return f;
}

/* Values of n nodes at F.x, F.v, F.w by a tape of their own. */
static inline void values(const ns_node *f, int n, double *out)
{
  const double *bank[] = {F.x, F.v, F.w};
  const ns_tape *t;
  ns_mark m = ns_arena_mark(F.a);
  ck_assert_int_eq(ns_tape_compile(F.g, &F.c, F.a, f, n, &t), NS_OK);
  double *work = malloc((ns_tape_work(t) + 1) * sizeof *work);
  ns_tape_eval(t, bank, work, out);
  free(work);
  ns_arena_release(F.a, m);
}

static inline double value(ns_node f)
{
  double v;
  values(&f, 1, &v);
  return v;
}

/* xorshift64*: the same numbers everywhere. */
static inline unsigned rnd(unsigned long long *s)
{
  *s ^= *s >> 12;
  *s ^= *s << 25;
  *s ^= *s >> 27;
  return (unsigned)(*s * 2685821657736338717ull >> 33);
}

static inline int run_list(const char *name, const TTest *const *list, size_t n)
{
  Suite *s = suite_create(name);
  TCase *t = tcase_create(name);
  tcase_add_checked_fixture(t, fixture_begin, fixture_end);
  tcase_set_timeout(t, 60);
  for (size_t i = 0; i < n; i++) tcase_add_test(t, list[i]);
  suite_add_tcase(s, t);
  return suite_end(s);
}

#endif
