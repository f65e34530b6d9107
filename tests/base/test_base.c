/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arena.h"
#include "base/context.h"
#include "support/suite.h"

#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

START_TEST(context_keeps_the_first_failure)
{
  ns_ctx c = {0};
  ck_assert_int_eq(ns_fail(&c, NS_MODEL, "first %d", 1), NS_MODEL);
  ck_assert_int_eq(ns_fail(&c, NS_PLUGIN, "second"), NS_PLUGIN);
  ck_assert_int_eq(c.rc, NS_MODEL);
  ck_assert_str_eq(c.msg, "first 1");
  ck_assert_int_eq(c.nerrors, 2);
}
END_TEST

START_TEST(arena_gives_aligned_memory_and_takes_it_back)
{
  ns_arena *a = ns_arena_create(64, 1);
  ns_mark m = ns_arena_mark(a);
  size_t used = ns_arena_used(a);
  for (int i = 1; i < 200; i++) {
    char *p = ns_arena_get(a, (size_t)i, 7);
    ck_assert_ptr_nonnull(p);
    ck_assert_uint_eq((uintptr_t)p % 32, 0);
    memset(p, i, (size_t)i * 7);
  }
  ns_arena_release(a, m);
  ck_assert_uint_eq(ns_arena_used(a), used);
  ck_assert_uint_gt(ns_arena_peak(a), used);
  ck_assert_ptr_null(ns_arena_get(a, SIZE_MAX / 2, 4));
  ns_arena_destroy(a);
}
END_TEST

START_TEST(fixed_arena_refuses_beyond_its_size)
{
  ns_arena *a = ns_arena_create(128, 0);
  ck_assert_ptr_nonnull(ns_arena_get(a, 96, 1));
  ck_assert_ptr_null(ns_arena_get(a, 64, 1));
  ns_arena_destroy(a);
}
END_TEST

START_TEST(statuses_have_the_documented_exits)
{
  ck_assert_int_eq(ns_status_exit(NS_OK), 0);
  ck_assert_int_eq(ns_status_exit(NS_MODEL), 65);
  ck_assert_int_eq(ns_status_exit(NS_STOPPED), 75);
  ck_assert_int_eq(ns_status_exit(12345), 70);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("base");
  TCase *t = tcase_create("base");
  tcase_add_test(t, context_keeps_the_first_failure);
  tcase_add_test(t, arena_gives_aligned_memory_and_takes_it_back);
  tcase_add_test(t, fixed_arena_refuses_beyond_its_size);
  tcase_add_test(t, statuses_have_the_documented_exits);
  suite_add_tcase(s, t);
  return suite_end(s);
}
