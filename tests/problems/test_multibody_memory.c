/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems of many bodies: no memory is asked for once a size has been met, and running out of it
 * is an error without a leak. */
#include "algebra/lapack.h"
#include "problems/multibody_tools.h"
#include "support/counted.h"
#include "support/suite.h"

#include <check.h>

static const struct {
  int bodies, blocks;
  const char *solver;
} size[] = {{1, 1, "auto"},      {4, 6, "auto"},    {12, 30, "auto"},
            {12, 30, "reduced"}, {60, 150, "auto"}, {60, 150, "nsgs"}};
enum { SIZES = sizeof size / sizeof *size };

static many problem(int k)
{
  return many_random(size[k].bodies, 6, size[k].blocks, k % 2 ? ALL : FRICTION);
}

static int solve(ns_multibody_solver *s, ns_ctx *c, many *k)
{
  ns_outcome out;
  memset(k->r, 0, (size_t)k->row[k->p.nblocks] * sizeof *k->r);
  return ns_multibody_solve(s, c, &k->p, k->r, k->v, k->u, &out);
}

START_TEST(the_steady_state_does_not_allocate)
{
  ns_ctx c = {0};
  ns_multibody_solver *s;
  ns_multibody_options o = {
      .solver = size[_i].solver, .tol = 1e-6, .max_iterations = 30, .team = ns_team_create(2)};
  many k = problem(_i);
  ck_assert_int_eq(ns_multibody_create(&c, &o, &s), NS_OK);
  for (int t = 0; t < 2; t++) ck_assert_int_eq(solve(s, &c, &k), NS_OK);
  size_t bytes = ns_multibody_bytes(s);
  long before = calls;
  for (int t = 0; t < 3; t++) solve(s, &c, &k);
  long after = calls;
  ck_assert_int_eq(c.rc, NS_OK);
  ck_assert_int_eq(after, before);
  ck_assert_uint_eq(bytes, ns_multibody_bytes(s));
  ns_multibody_destroy(s);
  ns_team_destroy(o.team);
  many_free(&k);
}
END_TEST

/* The k-th request fails, and all after it; then there is memory again and the same object goes on.
 */
START_TEST(every_failure_is_survived)
{
#if COUNTED
  ns_multibody_options o = {.solver = size[_i].solver, .tol = 1e-6, .max_iterations = 5};
  many k = problem(_i);
  int done = 0;
  for (long at = 0; !done && at < 2000; at++) {
    ns_ctx c = {0};
    ns_multibody_solver *s = NULL;
    long before = live;
    fail_at = calls + at;
    int bad = ns_multibody_create(&c, &o, &s), rc = bad ? bad : solve(s, &c, &k);
    fail_at = -1;
    done = rc == NS_OK;
    ck_assert(done || rc == NS_NOMEM);
    ck_assert(!bad == (s != NULL));
    if (s) ck_assert_int_eq(solve(s, &c, &k), NS_OK);
    ns_multibody_destroy(s);
    ck_assert_int_eq(live, before);
  }
  ck_assert_int_eq(done, 1);
  many_free(&k);
#endif
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, the_steady_state_does_not_allocate, 0, SIZES);
  tcase_add_loop_test(t, every_failure_is_survived, 0, SIZES);
}

int main(void)
{
  ns_lapack_load();
  return suite_run("multibody_memory", fill);
}
