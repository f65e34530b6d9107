/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line's own arithmetic: bounds that hold, numbers read to their end, options not
 * mistaken. */
#include "cli/console.c"
#include "support/suite.h"

#include <check.h>

START_TEST(bound_is_an_upper_bound)
{
  unsigned long seed = 1;
  for (int k = 0; k < 20000; k++) {
    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
    double x = ldexp(1 + (double)(seed >> 12) / 4503599627370496.0, (int)(seed % 600) - 300);
    double y = strtod(ns_console_bound(x).text, NULL);
    ck_assert_msg(y >= x, "%s < %.17g", ns_console_bound(x).text, x);
    /* one unit of the second digit */
    ck_assert_msg(y <= x * 1.1000001, "%s is far above %.17g", ns_console_bound(x).text, x);
  }
}
END_TEST

START_TEST(bound_of_special_values)
{
  static const struct {
    double x;
    const char *text;
  } row[] = {{0, "0"},         {1, "1"},        {0.1, "0.1"},      {9.91, "10"},
             {1e-16, "1e-16"}, {99.5, "1e+02"}, {INFINITY, "inf"}, {NAN, "nan"}};
  ck_assert_str_eq(ns_console_bound(row[_i].x).text, row[_i].text);
}
END_TEST

START_TEST(durations)
{
  static const struct {
    double s;
    const char *text;
  } row[] = {{4.5e-9, "4.5 ns"}, {4.1e-4, "410 us"},  {0.0123, "12.3 ms"},     {12.34, "12.3 s"},
             {59.99, "60 s"},    {200, "3 min 20 s"}, {3599.9, "59 min 59 s"}, {7500, "2 h 5 min"}};
  ck_assert_str_eq(ns_console_duration(row[_i].s).text, row[_i].text);
}
END_TEST

START_TEST(bytes)
{
  static const struct {
    double b;
    const char *text;
  } row[] = {{0, "0 B"},         {512, "512 B"},   {999.4, "999 B"},  {1000, "1 kB"},
             {271999, "272 kB"}, {999600, "1 MB"}, {2.5e12, "2.5 TB"}};
  ck_assert_str_eq(ns_console_bytes(row[_i].b).text, row[_i].text);
}
END_TEST

START_TEST(numbers_are_read_whole)
{
  static const struct {
    const char *text;
    int integer, real;
  } row[] = {{"12", 1, 1},  {"12x", 0, 0}, {"", 0, 0},      {"1.5", 0, 1},
             {"1e3", 0, 1}, {"nan", 0, 0}, {"1e999", 0, 0}, {"99999999999999999999", 0, 1},
             {"0", 0, 1},   {"-1", 0, 1},  {"1 2", 0, 0},   {"2,5", 0, 0}};
  long long i;
  double x;
  ck_assert_int_eq(ns_console_integer(row[_i].text, 1, &i), row[_i].integer);
  ck_assert_int_eq(ns_console_real(row[_i].text, &x), row[_i].real);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("console");
  TCase *t = tcase_create("all");
  tcase_add_test(t, bound_is_an_upper_bound);
  tcase_add_loop_test(t, bound_of_special_values, 0, 8);
  tcase_add_loop_test(t, durations, 0, 8);
  tcase_add_loop_test(t, bytes, 0, 7);
  tcase_add_loop_test(t, numbers_are_read_whole, 0, 12);
  suite_add_tcase(s, t);
  return suite_end(s);
}
