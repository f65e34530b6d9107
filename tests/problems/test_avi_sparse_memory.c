/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sparse solver of AVIs does not allocate in a solve, whatever becomes of it; a creation that
 * runs out of memory says so and leaks nothing. */
#include "../../bench/ladder.h"
#include "problems/box/sparse.h"
#include "problems/lcp_tools.h"
#include "support/counted.h"

static ns_avi_capacity allocated(const ladder *d)
{
  return (ns_avi_capacity){
      .n = d->n, .nnz = (size_t)d->A.row[d->n], .structure = &d->A, .lb = d->lb, .ub = d->ub};
}

/* Steps of a ladder; then singular, unsolvable and meaningless matrices. */
START_TEST(solving_does_not_allocate)
{
  ladder d = ladder_of(8, 1e3);
  ns_avi p = ladder_avi(&d);
  ns_avi_capacity cap = allocated(&d);
  ns_ctx c = {0};
  void *self;
  ck_assert_int_eq(ns_avi_sparse_newton.create(&c, &cap, NULL, &self), NS_OK);
  double *entry = ns_blocks_at(&d.A, 0, 0), keep = *entry;
  int unsolved = 0;
  for (int k = 0; k < 1000; k++) {
    ns_outcome out;
    if (k >= 900) {
      static const double bad[] = {0, -1, NAN, INFINITY, 1e300};
      *entry = bad[k % 5];
      p.stamp = 0;
    }
    ladder_next(&d);
    long before = calls;
    int rc = ns_avi_sparse_newton.solve(self, &c, &p, NULL, d.z, d.w, &out);
    long after = calls;
    ck_assert_int_eq(rc, NS_OK);
    ck_assert_msg(after == before, "step %d: %ld allocations", k, after - before);
    unsolved += out.kind != NS_SOLVED;
    ck_assert(k >= 900 || out.kind == NS_SOLVED);
  }
  ck_assert_int_gt(unsolved, 0);
  *entry = keep;
  ns_avi_sparse_newton.destroy(self);
  ladder_free(&d);
}
END_TEST

START_TEST(creation_survives_every_failure)
{
#if COUNTED
  ladder d = ladder_of(100, 1e3);
  ns_avi_capacity cap = allocated(&d);
  int done = 0;
  for (long at = 0; !done && at < 1000; at++) {
    ns_ctx c = {0};
    void *self = &c;
    long before = live;
    fail_at = calls + at;
    int rc = ns_avi_sparse_newton.create(&c, &cap, NULL, &self);
    fail_at = -1;
    if (rc == NS_OK) {
      done = 1;
      ns_avi_sparse_newton.destroy(self);
    } else {
      ck_assert_int_eq(rc, NS_NOMEM);
      ck_assert_ptr_null(self);
    }
    ck_assert_int_eq(live, before);
  }
  ck_assert_int_eq(done, 1);
  ladder_free(&d);
#endif
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_test(t, solving_does_not_allocate);
  tcase_add_test(t, creation_survives_every_failure);
}

int main(void) { return suite_run("avi_sparse_memory", fill); }
