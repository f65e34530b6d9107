/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that work on one thing: each item is worked on once, and a member that has no turn on a
 * processor costs next to nothing. */
#include "base/team.h"

#include "support/suite.h"

#include <check.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

enum { ITEMS = 1000 };

typedef struct job {
  atomic_int done[ITEMS];
  atomic_int pieces; /* that the items were in */
  int late;          /* 1: who does not begin at 0 has no turn for a while */
} job;

static void work(void *data, int from, int to)
{
  job *j = data;
  atomic_fetch_add(&j->pieces, 1);
  if (j->late && from > 0) nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
  for (int i = from; i < to; i++) atomic_fetch_add(&j->done[i], 1);
}

/* 1: the team did it, not the caller alone. */
static int is_shared(ns_team *t, job *j, int n)
{
  atomic_store(&j->pieces, 0);
  ns_team_each(t, n, 1, work, j);
  return atomic_load(&j->pieces) > 1;
}

START_TEST(each_item_is_worked_on_once)
{
  static job j;
  for (int size = 1; size <= 4; size++) {
    ns_team *t = ns_team_create(size);
    ck_assert_ptr_nonnull(t);
    for (int n = 0; n <= ITEMS; n += 1 + n / 3) {
      for (int i = 0; i < ITEMS; i++) atomic_store(&j.done[i], 0);
      is_shared(n % 2 ? t : NULL, &j, n);
      for (int i = 0; i < ITEMS; i++) ck_assert_int_eq(atomic_load(&j.done[i]), i < n);
    }
    ns_team_destroy(t);
  }
}
END_TEST

/* As beside a busy neighbour: two late runs, and the caller works alone, twice as long each time;
 * so of 4000 pieces of work a few wait for it, whatever a clock says. */
START_TEST(a_member_without_a_turn_is_left_alone)
{
  static job j = {.late = 1};
  int tried = 0;
  ns_team *t = ns_team_create(2);
  ck_assert_ptr_nonnull(t);
  if (ns_team_size(t) == 2) {
    for (int k = 0; k < 4000; k++) tried += is_shared(t, &j, ITEMS);
    ck_assert_int_ge(tried, 4); /* it looks again, now and then */
    ck_assert_int_le(tried, 40);
  }
  ns_team_destroy(t);
}
END_TEST

/* It comes back when the neighbour has gone: the longest pause has an end. */
START_TEST(a_member_is_asked_again)
{
  static job j = {.late = 1};
  int tried = 0;
  ns_team *t = ns_team_create(2);
  ck_assert_ptr_nonnull(t);
  if (ns_team_size(t) == 2) {
    for (int k = 0; k < 10000; k++) is_shared(t, &j, ITEMS);
    j.late = 0;
    for (int k = 0; k < 5000; k++) tried += is_shared(t, &j, ITEMS);
    ck_assert_int_ge(tried, 1);
  }
  ns_team_destroy(t);
}
END_TEST

/* A process that may run on some processors has as many threads; on one of them, one. */
START_TEST(threads_are_those_of_the_processors)
{
  cpu_set_t all, one;
  ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
  int processors = CPU_COUNT(&all), first = 0;
  while (!CPU_ISSET(first, &all)) first++;
  ck_assert_int_eq(ns_team_possible(1), 1);
  ck_assert_int_eq(ns_team_possible(NS_TEAM_MAX), processors);
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
  for (int threads = 1; threads <= 64; threads *= 2) ck_assert_int_eq(ns_team_possible(threads), 1);
  ck_assert_int_eq(sched_setaffinity(0, sizeof all, &all), 0);
  ck_assert_int_eq(ns_team_possible(2), processors < 2 ? processors : 2);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("team");
  TCase *t = tcase_create("team");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, each_item_is_worked_on_once);
  tcase_add_test(t, a_member_without_a_turn_is_left_alone);
  tcase_add_test(t, a_member_is_asked_again);
  tcase_add_test(t, threads_are_those_of_the_processors);
  suite_add_tcase(s, t);
  return suite_end(s);
}
