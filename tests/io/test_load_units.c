/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units become SI; the table of common ones and UDUNITS-2 say the same. */
#include "support/run.h"

#include "io/units.h"

static double si(const char *unit, double x)
{
  ns_units *u = NULL;
  ns_ctx c = {0};
  double out = NAN;
  ck_assert_msg(ns_units_to_si(&u, &c, "here", unit, x, &out) == NS_OK, "%s", c.msg);
  ns_units_destroy(u);
  return out;
}

/* Values of the SI brochure and of the definitions of the units; 1e-15 relative is rounding. */
START_TEST(units_have_their_size)
{
  static const struct {
    const char *unit;
    double x, si;
  } row[] = {{"m", 2, 2},
             {"cm", 57, 0.57},
             {"mm", 3, 0.003},
             {"km", 1, 1000},
             {"deg", 180, 3.141592653589793},
             {"rpm", 60, 6.283185307179586},
             {"degC", 20, 293.15},
             {"kN/mm", 1, 1e6},
             {"inch", 1, 0.0254},
             {"lb", 1, 0.45359237},
             {"ft/s^2", 1, 0.3048},
             {"km/h", 36, 10},
             {"N*m/deg", 1, 57.29577951308232},
             {"bar", 1, 1e5},
             {"g/cm^3", 1, 1000},
             {"%", 50, 0.5},
             {"kJ", 1, 1000},
             {"ohm", 5, 5},
             {"uF", 2, 2e-6},
             {"arcmin", 60, 0.017453292519943295}};
  ck_assert_double_eq_tol(si(row[_i].unit, row[_i].x), row[_i].si, 2e-15 * fabs(row[_i].si));
}
END_TEST

/* Each unit that is answered without the database means what the database says: asked for in
 * parentheses, which the table does not hold. */
START_TEST(common_units_agree_with_udunits)
{
  static const char *const unit[] = {
      "nH",        "nF",     "pF",   "uA",     "kV",     "Mohm",  "S",     "mS",      "uS",
      "kW",        "mW",     "MHz",  "ns",     "1",      "rad",   "deg",   "%",       "m",
      "km",        "dm",     "cm",   "mm",     "um",     "m^2",   "m^3",   "kg",      "g",
      "mg",        "t",      "s",    "ms",     "us",     "min",   "h",     "Hz",      "kHz",
      "1/s",       "m/s",    "mm/s", "cm/s",   "m/s^2",  "rad/s", "deg/s", "rad/s^2", "N",
      "mN",        "kN",     "N/m",  "N/mm",   "kN/m",   "N*m",   "N*s",   "N*s/m",   "N*m/rad",
      "N*m*s/rad", "kg*m^2", "kg/s", "kg/m^3", "kg*m/s", "J",     "W",     "Pa",      "kPa",
      "MPa",       "GPa",    "V",    "mV",     "A",      "mA",    "ohm",   "kohm",    "F",
      "mF",        "uF",     "H",    "mH",     "uH",     "K"};
  for (size_t k = 0; k < sizeof unit / sizeof *unit; k++) {
    char same[32];
    snprintf(same, sizeof same, "(%s)", unit[k]);
    double a = si(unit[k], 7), b = si(same, 7);
    ck_assert_msg(fabs(a - b) <= 2e-15 * fabs(b), "%s: %.17g, UDUNITS-2: %.17g", unit[k], a, b);
  }
}
END_TEST

START_TEST(what_is_no_unit_is_refused)
{
  static const char *const bad[] = {"parrot", "m/", "kg m^^2", "seconds since 1970-01-01",
                                    "lg(re 1 mW)"};
  ns_units *u = NULL;
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    ns_ctx c = {0};
    double x;
    ck_assert_msg(ns_units_to_si(&u, &c, "here", bad[k], 1, &x) == NS_MODEL,
                  "%s is taken for a unit", bad[k]);
    ck_assert_msg(!strncmp(c.msg, "here: ", 6), "%s", c.msg);
  }
  ns_units_destroy(u);
}
END_TEST

START_TEST(quantities_are_told_apart)
{
  ns_units *u = NULL;
  ck_assert(ns_units_same_quantity(&u, "mm", "m") && !ns_units_same_quantity(&u, "mm", "kg"));
  ck_assert(ns_units_same_quantity(&u, "inch", "m") && ns_units_same_quantity(&u, "N*m", "J"));
  ck_assert(ns_units_is_si(&u, "m/s") && ns_units_is_si(&u, "kg.m2.s-2") &&
            !ns_units_is_si(&u, "cm"));
  ck_assert(!ns_units_is_si(&u, "degC")); /* factor 1, but an offset */
  char buf[80];
  ck_assert_str_eq(ns_units_si_name(&u, "cm", buf, sizeof buf), "m");
  ck_assert_str_eq(ns_units_si_name(&u, "degC", buf, sizeof buf), "K");
  ck_assert_str_eq(ns_units_si_name(&u, "N/m", buf, sizeof buf), "N/m");
  ck_assert_str_eq(ns_units_si_name(&u, "parrot", buf, sizeof buf), "");
  ns_units_destroy(u);
}
END_TEST

/* The database takes longer to read than a small model: it stays closed for common units. */
START_TEST(common_units_need_no_database)
{
  ns_units *u = NULL;
  ns_ctx c = {0};
  double x;
  ck_assert_int_eq(ns_units_to_si(&u, &c, "here", "N*s/m", 1, &x), NS_OK);
  ck_assert_int_eq(ns_units_to_si(&u, &c, "here", "deg", 1, &x), NS_OK);
  ck_assert(ns_units_is_si(&u, "kg") && ns_units_same_quantity(&u, "cm", "mm"));
  ck_assert_ptr_null(u);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, units_have_their_size, 0, 20);
  tcase_add_test(t, common_units_agree_with_udunits);
  tcase_add_test(t, what_is_no_unit_is_refused);
  tcase_add_test(t, quantities_are_told_apart);
  tcase_add_test(t, common_units_need_no_database);
}

int main(void) { return suite_run("units", fill); }
