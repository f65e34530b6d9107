/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of SI units are read without UDUNITS-2; it reads them alike. */
#include "io/dimension.h"

#include "support/suite.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <udunits2.h>

static unsigned long long seed = 3;

static int pick(int n)
{
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return (int)((seed >> 33) % (unsigned)n);
}

static const char *const symbol[] = {"rad", "N", "J", "W", "Pa", "V",  "ohm", "S",   "F",  "H", "C",
                                     "Wb",  "T", "m", "s", "A",  "kg", "K",   "mol", "cd", "Hz"};
enum { SYMBOLS = sizeof symbol / sizeof *symbol };

static void random_product(char *to, size_t size)
{
  static const char *const power[] = {"", "", "", "2", "^2", "^-1", "^-3"};
  static const char *const join[] = {".", "*", " ", "/"};
  int n = 1 + pick(4);
  size_t at = (size_t)snprintf(to, size, "%s", pick(5) ? "" : "1/");
  for (int i = 0; i < n; i++) {
    const char *between = at && isdigit((unsigned char)to[at - 1]) ? join[1 + pick(3)]
                                                                   : join[pick(4)];
    at += (size_t)snprintf(to + at, size - at, "%s%s%s", i ? between : "", symbol[pick(SYMBOLS)],
                           power[pick(7)]);
  }
}

/* The unit in base units, whose text each reader can be given. */
static void base_text(const ns_dimension *d, char *to, size_t size)
{
  static const char *const base[] = {"kg", "m", "s", "A", "K", "mol", "cd"};
  size_t at = (size_t)snprintf(to, size, "1");
  for (int k = 0; k < NS_DIMENSIONS; k++)
    if (d->power[k]) at += (size_t)snprintf(to + at, size - at, " %s^%g", base[k], d->power[k]);
}

START_TEST(udunits_reads_products_of_si_units_alike)
{
  ut_set_error_message_handler(ut_ignore);
  ut_system *system = ut_read_xml(NULL);
  ck_assert_ptr_nonnull(system);
  for (int i = 0; i < 3000; i++) {
    char text[200], base[200];
    ns_dimension d;
    random_product(text, sizeof text);
    ck_assert_msg(ns_dimension_is_si(text), "%s", text);
    ck_assert_msg(ns_dimension_of(text, &d), "%s", text);
    base_text(&d, base, sizeof base);
    ut_unit *a = ut_parse(system, text, UT_UTF8), *b = ut_parse(system, base, UT_UTF8);
    ck_assert_msg(a && b, "%s, %s", text, base);
    cv_converter *k = ut_get_converter(a, b);
    ck_assert_msg(k && cv_convert_double(k, 1) == 1 && cv_convert_double(k, 0) == 0, "%s is not %s",
                  text, base);
    cv_free(k);
    ut_free(a);
    ut_free(b);
  }
  ut_free_system(system);
}
END_TEST

START_TEST(other_texts_are_left_to_udunits)
{
  static const char *const text[] = {
      "",    "mm",   "g",    "deg", "%",     "bar",  "2 m",        "11",    "1.5",   "m..s", "m.",
      "/s",  "m s ", " m",   "m^",  "m^-",   "m^22", "m22",        "m^0.5", "x",     "kN.m", "m-1",
      "min", "h",    "degC", "m/1", "1/1/s", "m s/", "N\xc2\xb7m", "1//s",  "m^2.s", "m+s"};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++)
    ck_assert_msg(!ns_dimension_is_si(text[i]), "\"%s\"", text[i]);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("dimension");
  TCase *t = tcase_create("dimension");
  tcase_add_test(t, udunits_reads_products_of_si_units_alike);
  tcase_add_test(t, other_texts_are_left_to_udunits);
  suite_add_tcase(s, t);
  return suite_end(s);
}
