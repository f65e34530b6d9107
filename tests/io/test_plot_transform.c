/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is made of rows before they are drawn, against closed forms. */
#include "io/plot/figure.h"
#include "io/plot/plot_transform.h"
#include "support/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 1000 };

static ns_arena *a;
static ns_ctx c;
static void enter(void)
{
  a = ns_arena_create(0, 1);
  c = (ns_ctx){0};
}
static void leave(void) { ns_arena_destroy(a); }

/* A sine whose frequency is one of the transform's has its amplitude there, half of it beside (that
 * is what Hann's window makes), nothing elsewhere. */
START_TEST(spectrum_of_a_sine)
{
  double t[ROWS], y[ROWS], *f, *amplitude;
  size_t n;
  for (int i = 0; i < ROWS; i++) {
    t[i] = 5 + i / 200.0;
    y[i] = -3 + 1.5 * sin(2 * M_PI * 20 * t[i] + 0.3);
  }
  ck_assert_int_eq(ns_plot_spectrum(&c, a, t, y, ROWS, &f, &amplitude, &n), NS_OK);
  ck_assert_uint_eq(n, ROWS / 2 + 1);
  for (size_t k = 0; k < n; k++) {
    double far = fabs(f[k] - 20) / 0.2, expected = far < 0.5 ? 1.5 : far < 1.5 ? 0.75 : 0;
    ck_assert_double_eq_tol(f[k], 0.2 * (double)k, 1e-9);
    ck_assert_double_eq_tol(amplitude[k], expected, 1e-9);
  }
}
END_TEST

/* Rows at uneven times, two of them at one time: interpolated, the peak stays where it is. */
START_TEST(spectrum_of_uneven_rows)
{
  double t[4 * ROWS], y[4 * ROWS], *f, *amplitude;
  size_t n, best = 1;
  for (int i = 0; i < 4 * ROWS; i++) {
    double s = (double)(i / 2 * 2) / (4 * ROWS);
    t[i] = 10 * (s + 0.01 * sin(20 * s));
    y[i] = 2 * cos(2 * M_PI * 3 * t[i]);
  }
  ck_assert_int_eq(ns_plot_spectrum(&c, a, t, y, 4 * ROWS, &f, &amplitude, &n), NS_OK);
  for (size_t k = 1; k < n; k++)
    if (amplitude[k] > amplitude[best]) best = k;
  ck_assert_double_eq_tol(f[best], 3, f[1]);
  ck_assert_double_eq_tol(amplitude[best], 2, 0.3);
}
END_TEST

START_TEST(spectrum_refuses)
{
  double t[16], y[16], *f, *amplitude;
  size_t n;
  for (int i = 0; i < 16; i++) t[i] = y[i] = i;
  ck_assert_int_eq(ns_plot_spectrum(&c, a, t, y, 7, &f, &amplitude, &n), NS_USAGE);
  c = (ns_ctx){0};
  y[3] = NAN;
  ck_assert_int_eq(ns_plot_spectrum(&c, a, t, y, 16, &f, &amplitude, &n), NS_USAGE);
}
END_TEST

/* Of x = t a section each period lies at multiples of it, whatever the rows are. */
START_TEST(section_by_period)
{
  double t[] = {1, 1.3, 1.9, 2, 2, 3.7, 5.1};
  enum { N = sizeof t / sizeof *t };
  ns_plot_places at;
  ck_assert_int_eq(ns_plot_section_period(&c, a, t, N, 0.5, &at), NS_OK);
  ck_assert_uint_eq(at.n, 9);
  for (size_t k = 0; k < at.n; k++) {
    size_t i = at.row[k];
    ck_assert_double_eq_tol(t[i] + at.part[k] * (t[i + 1] - t[i]), 1 + 0.5 * (double)k, 1e-12);
  }
  ck_assert_int_eq(ns_plot_section_period(&c, a, t, N, 1e-9, &at), NS_USAGE);
}
END_TEST

START_TEST(section_where_a_value_rises)
{
  double g[] = {-1, 1, 3, -1, 0, 0, -2, NAN, 4, -4, 4};
  static const double expected[] = {0.5, 3 + 1, 9.5};
  ns_plot_places at;
  ck_assert_int_eq(ns_plot_section_rise(&c, a, g, sizeof g / sizeof *g, 0, &at), NS_OK);
  ck_assert_uint_eq(at.n, 3);
  for (size_t k = 0; k < at.n; k++)
    ck_assert_double_eq_tol((double)at.row[k] + at.part[k], expected[k], 1e-12);
}
END_TEST

START_TEST(histogram_counts_all)
{
  double v[ROWS], sorted[ROWS], edge[201], count[200], all = 0;
  for (int i = 0; i < ROWS; i++) v[i] = i % 10 == 9 ? NAN : (double)(i % 7);
  size_t n = ns_plot_sort(v, ROWS, sorted);
  ck_assert_uint_eq(n, ROWS - ROWS / 10);
  int bins = ns_plot_bins(sorted, n);
  ck_assert_int_ge(bins, 5);
  ck_assert_int_le(bins, 200);
  ns_plot_histogram(sorted, n, bins, edge, count);
  for (int k = 0; k < bins; k++) all += count[k];
  ck_assert_double_eq(all, (double)n);
  ck_assert_double_eq(edge[0], 0);
  ck_assert_double_eq(edge[bins], 6);
  double one = 3;
  ns_plot_histogram(&one, 1, 1, edge, count);
  ck_assert_double_eq(count[0], 1);
  ck_assert_double_lt(edge[0], edge[1]);
  ck_assert_double_eq(ns_plot_quantile(&one, 1, 0.95), 3);
}
END_TEST

START_TEST(texts_are_fitted)
{
  char buf[64];
  ck_assert_str_eq(ns_figure_fit("ball.x", 13, 200, buf, sizeof buf), "ball.x");
  const char *cut = ns_figure_fit("a very long name of a quantity", 13, 80, buf, sizeof buf);
  ck_assert_ptr_nonnull(strstr(cut, "..."));
  ck_assert_double_le(ns_figure_text_width(cut, 13), 80);
  ck_assert_str_eq(ns_figure_fit("\xc3\xa4\xff\x01z", 13, 200, buf, sizeof buf), "\xc3\xa4? z");
  char lots[400];
  memset(lots, 'm', sizeof lots);
  lots[sizeof lots - 1] = 0;
  ck_assert_uint_lt(strlen(ns_figure_fit(lots, 1, 1e9, buf, sizeof buf)), sizeof buf);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_checked_fixture(t, enter, leave);
  tcase_add_test(t, spectrum_of_a_sine);
  tcase_add_test(t, spectrum_of_uneven_rows);
  tcase_add_test(t, spectrum_refuses);
  tcase_add_test(t, section_by_period);
  tcase_add_test(t, section_where_a_value_rises);
  tcase_add_test(t, histogram_counts_all);
  tcase_add_test(t, texts_are_fitted);
}

int main(void) { return suite_run("plot transforms", fill); }
