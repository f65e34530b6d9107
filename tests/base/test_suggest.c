/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/suggest.h"
#include "support/suite.h"

#include <check.h>
#include <string.h>

START_TEST(distances_of_known_pairs)
{
  static const struct {
    const char *a, *b;
    int d;
  } row[] = {{"", "", 0},           {"a", "", 1},      {"", "abc", 3},
             {"abc", "abc", 0},     {"abc", "acb", 1}, {"kitten", "sitting", 3},
             {"theta", "theat", 1}, {"ca", "abc", 3},  {"flaw", "lawn", 2},
             {"mass", "Mass", 1},   {NULL, NULL, 0}};
  for (size_t i = 0; row[i].a; i++) {
    ck_assert_int_eq(ns_edit_distance(row[i].a, strlen(row[i].a), row[i].b, strlen(row[i].b)),
                     row[i].d);
    ck_assert_int_eq(ns_edit_distance(row[i].b, strlen(row[i].b), row[i].a, strlen(row[i].a)),
                     row[i].d);
  }
  char longest[65];
  memset(longest, 'x', 65);
  ck_assert_int_eq(ns_edit_distance(longest, 65, longest, 65), 65);
  ck_assert_int_eq(ns_edit_distance(longest, 64, longest, 64), 0);
}
END_TEST

START_TEST(nearest_names)
{
  static const char *const known[] = {"theta", "theta_dot", "mass", "g", "MoreauJeanOSI"};
  static const struct {
    const char *name, *near;
  } row[] = {{"thata", "theta"},
             {"theta_dto", "theta_dot"},
             {"Mass", "mass"},
             {"MASS", "mass"},
             {"moreaujeanosi", "MoreauJeanOSI"},
             {"MoreauJean", "MoreauJeanOSI"},
             {"h", NULL},
             {"", NULL},
             {"velocity", NULL},
             {"G", "g"},
             {NULL, NULL}};
  for (size_t i = 0; row[i].name; i++) {
    ns_suggest s = ns_suggest_for(row[i].name, strlen(row[i].name));
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) ns_suggest_offer(&s, known[k]);
    if (row[i].near) ck_assert_str_eq(s.best, row[i].near);
    else ck_assert_ptr_null(s.best);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("suggest");
  TCase *t = tcase_create("suggest");
  tcase_add_test(t, distances_of_known_pairs);
  tcase_add_test(t, nearest_names);
  suite_add_tcase(s, t);
  return suite_end(s);
}
