/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources of SPICE that repeat, end, and overlap: random ones against their closed forms, in
 * time-stepping and event-driven runs. */
#include "support/random_model.h"
#include "support/run.h"

#define STEPS "<TimeStepping h='1e-3'><EulerMoreauOSI theta='1'/></TimeStepping>"
#define EVENTS "<EventDriven h='1e-3'><CVodeOSI/></EventDriven>"

/* Rows lie at multiples of 1 ms, corners between them. */
static double off_rows(generator *g, int max)
{
  return 1e-3 * ((int)(between(g, 0, max)) + between(g, 0.1, 0.9));
}

/* ---- closed forms ---------------------------------------------------------------------------- */

/* V1 V2 TD TR TF PW PER NP */
static double pulse(const double *x, double t)
{
  double u = t - x[2], end = x[7] > 0 ? x[7] * x[6] : INFINITY;
  if (u < 0 || u >= end) return x[0];
  u -= floor(u / x[6]) * x[6];
  if (u < x[3]) return x[0] + (x[1] - x[0]) * u / x[3];
  if (u < x[3] + x[5]) return x[1];
  if (u < x[3] + x[5] + x[4]) return x[1] + (x[0] - x[1]) * (u - x[3] - x[5]) / x[4];
  return x[0];
}

/* V1 V2 TD1 TAU1 TD2 TAU2 */
static double exponential(const double *x, double t)
{
  double rise = 1 - exp(-(t - x[2]) / x[3]), fall = 1 - exp(-(t - x[4]) / x[5]);
  if (t < x[2]) return x[0];
  return x[0] + (x[1] - x[0]) * (rise - (t < x[4] ? 0 : fall));
}

enum { POINTS = 4 };

/* T1 V1 ... T4 V4 r td; r < 0: once */
static double lines(const double *x, double t)
{
  double u = t - x[9], last = x[6], r = x[8];
  if (r >= 0 && u >= last) u -= floor((u - r) / (last - r)) * (last - r);
  if (u <= x[0]) return x[1];
  for (int k = 1; k < POINTS; k++)
    if (u < x[2 * k]) {
      const double *a = x + 2 * k - 2;
      return a[1] + (a[3] - a[1]) * (u - a[0]) / (a[2] - a[0]);
    }
  return x[7];
}

/* ---- random sources -------------------------------------------------------------------------- */

typedef struct wave {
  double x[10];
  double (*at)(const double *x, double t);
} wave;

static void write_wave(wave *w, generator *g, int kind, char *text, size_t size)
{
  double *x = w->x;
  for (int k = 0; k < 10; k++) x[k] = off_rows(g, 8);
  if (kind == 0) {
    x[0] = between(g, -5, 5), x[1] = between(g, -5, 5);
    x[6] = off_rows(g, 12) + 1e-3; /* may end before the pulse does */
    x[7] = (int)between(g, 0, 4);
    w->at = pulse;
    snprintf(text, size, "PULSE(%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g)", x[0], x[1], x[2],
             x[3], x[4], x[5], x[6], x[7]);
  } else if (kind == 1) {
    x[0] = between(g, -5, 5), x[1] = between(g, -5, 5);
    w->at = exponential;
    snprintf(text, size, "EXP(%.17g %.17g %.17g %.17g %.17g %.17g)", x[0], x[1], x[2], x[3], x[4],
             x[5]);
  } else {
    for (int k = 1; k < POINTS; k++) x[2 * k] = x[2 * k - 2] + off_rows(g, 4);
    for (int k = 0; k < POINTS; k++) x[2 * k + 1] = between(g, -5, 5);
    int repeat = (int)between(g, -1, POINTS - 1);
    x[8] = repeat < 0 ? -1 : x[2 * repeat];
    x[9] = off_rows(g, 3);
    w->at = lines;
    snprintf(text, size, "PWL(%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g) r=%.17g td=%.17g",
             x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9]);
  }
}

enum { WAVES = 9, ROWS = 50 };

START_TEST(random_sources_have_their_closed_forms)
{
  static const char *const scheme[] = {STEPS, EVENTS};
  char model[20000], text[400];
  wave w[WAVES];
  generator g = {.state = 19 + (unsigned long long)_i / 2};
  size_t at = (size_t)sprintf(model,
                              "<model xmlns='urn:nssim:model:1' name='m'><netlist id='k'>\n");
  for (int k = 0; k < WAVES; k++) {
    write_wave(&w[k], &g, k % 3, text, sizeof text);
    at += (size_t)sprintf(model + at, "V%d n%d 0 %s\nR%d n%d 0 1\n", k, k, text, k, k);
  }
  sprintf(model + at, "</netlist><simulation T='%g'>%s</simulation></model>", ROWS * 1e-3,
          scheme[_i % 2]);
  run r = run_load(model, NULL);
  int rc = run_keep(&r);
  ck_assert_msg(rc == NS_OK, "%s", r.c.msg);
  ck_assert_uint_ge(r.got.nrows, ROWS + 1);
  for (size_t row = 0; row < r.got.nrows; row++) {
    double t = run_at(&r, row, "time"), to_row = fabs(t * 1e3 - nearbyint(t * 1e3));
    if (to_row > 1e-9) continue; /* of an event, at which a source may jump */
    for (int k = 0; k < WAVES; k++) {
      char label[20];
      snprintf(label, sizeof label, "node_n%d.v", k);
      double got = run_at(&r, row, label), is = w[k].at(w[k].x, t);
      ck_assert_msg(fabs(got - is) <= 1e-9, "source %d at %.9g: %.12g, expected %.12g", k, t, got,
                    is);
    }
  }
  run_end(&r);
}
END_TEST

static void fill(TCase *t) { tcase_add_loop_test(t, random_sources_have_their_closed_forms, 0, 4); }

int main(void) { return suite_run("sources of netlists", fill); }
