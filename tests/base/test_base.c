/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arena.h"
#include "base/context.h"
#include "base/text_stream.h"
#include "support/suite.h"

#include <check.h>
#include <malloc.h>
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
    ck_assert_uint_eq((uintptr_t)p % (i * 7 < 16 ? 8 : i * 7 < 32 ? 16 : 32), 0);
    memset(p, i, (size_t)i * 7);
  }
  ns_arena_release(a, m);
  ck_assert_uint_eq(ns_arena_used(a), used);
  ck_assert_uint_gt(ns_arena_peak(a), used);
  ck_assert_ptr_null(ns_arena_get(a, SIZE_MAX / 2, 4));
  ns_arena_destroy(a);
}
END_TEST

/* Memory that was used before, that was not, and a block that has both. */
START_TEST(arena_gives_zeros)
{
  static const size_t sizes[] = {100, 1000, 3000, 64, 200000, 5000, 1};
  ns_arena *a = ns_arena_create(1 << 20, 1);
  for (int round = 0; round < 3; round++) {
    ns_mark m = ns_arena_mark(a);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      size_t n = sizes[k] << round, sum = 0;
      unsigned char *p = ns_arena_zero(a, n, 1);
      ck_assert_ptr_nonnull(p);
      for (size_t i = 0; i < n; i++) sum += p[i];
      ck_assert_uint_eq(sum, 0);
      memset(p, 0xff, n);
      p = ns_arena_get(a, n, 1);
      memset(p, 0xff, n);
    }
    ns_arena_release(a, m);
  }
  ns_arena_destroy(a);
}
END_TEST

static size_t allocated(void)
{
  struct mallinfo2 all = mallinfo2();
  return all.uordblks + all.hblkhd;
}

/* Scratch that was made as large as it was once needed: what is a little more takes a little more,
 * wherever it no longer fits. */
START_TEST(large_arena_grows_by_small_pieces)
{
  enum { MB = 1 << 20, SOME = 12 };
  ns_arena *a = ns_arena_create((size_t)40 << 20, 1);
  unsigned seed = 5;
  size_t before = allocated(), sum = 0;
  ck_assert_ptr_nonnull(ns_arena_get(a, 40, MB));
  for (int i = 0; i < SOME; i++) {
    size_t n = 1 + (size_t)(rand_r(&seed) % (3 * MB));
    ck_assert_ptr_nonnull(ns_arena_get(a, n, 1));
    sum += n;
  }
  if (allocated() > before) /* not where a sanitizer has replaced malloc */
    ck_assert_uint_le(allocated() - before, (size_t)8 * MB + 2 * sum);
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

/* Texts of 0 to 3000 bytes in pieces of 0 to 299: lengths about each power of two, where it
 * grows. */
START_TEST(text_streams_keep_all_that_is_written)
{
  char piece[300], whole[3301];
  for (size_t length = 0; length < 3000; length += 1 + length / 37) {
    ns_text_stream s;
    size_t n = 0;
    ck_assert_ptr_nonnull(ns_text_stream_open(&s));
    while (n < length) {
      size_t m = n * 131 % sizeof piece;
      for (size_t k = 0; k < m; k++) whole[n + k] = piece[k] = (char)('a' + (n + k) % 26);
      if (m) fwrite(piece, 1, m, s.to);
      else fputc(whole[n] = '#', s.to);
      n += m ? m : 1;
      if (n % 5 == 0) fflush(s.to);
    }
    whole[n] = 0;
    char *text = ns_text_stream_close(&s);
    ck_assert_ptr_nonnull(text);
    ck_assert_str_eq(text, whole);
    free(text);
    ck_assert_ptr_null(ns_text_stream_close(&s));
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("base");
  TCase *t = tcase_create("base");
  tcase_add_test(t, context_keeps_the_first_failure);
  tcase_add_test(t, arena_gives_aligned_memory_and_takes_it_back);
  tcase_add_test(t, arena_gives_zeros);
  tcase_add_test(t, large_arena_grows_by_small_pieces);
  tcase_add_test(t, fixed_arena_refuses_beyond_its_size);
  tcase_add_test(t, statuses_have_the_documented_exits);
  tcase_add_test(t, text_streams_keep_all_that_is_written);
  suite_add_tcase(s, t);
  return suite_end(s);
}
