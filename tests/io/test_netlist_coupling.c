/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inductors without leakage: random ones against ideal transformers beside inductors, in
 * time-stepping and event-driven runs, and closed forms. */
#include "support/random_model.h"
#include "support/run.h"

#define STEPS "<TimeStepping h='1e-5'><EulerMoreauOSI theta='1'/></TimeStepping>"
#define EVENTS \
  "<EventDriven h='1e-4'><CVodeOSI relativeTolerance='1e-9' " \
  "absoluteTolerance='1e-11'/></EventDriven>"

static run simulate(const char *netlist, double T, const char *scheme)
{
  char *model = malloc(strlen(netlist) + strlen(scheme) + 300);
  ck_assert_ptr_nonnull(model);
  sprintf(model,
          "<model xmlns='urn:nssim:model:1' name='m'><netlist id='k'>\n%s</netlist>"
          "<simulation T='%.17g'>%s</simulation></model>",
          netlist, T, scheme);
  run r = run_load(model, NULL);
  int rc = run_keep(&r);
  ck_assert_msg(rc == NS_OK, "%s\n%s", r.c.msg, netlist);
  free(model);
  return r;
}

/* ---- against ideal transformers -------------------------------------------------------------- */

enum { WINDINGS = 3, TEXT = 3000 };

typedef struct coils {
  int n, rank;
  double L[WINDINGS], u[WINDINGS][2]; /* couplings are products of these vectors, of length 1 */
} coils;

static double coupling(const coils *c, int i, int j)
{
  return c->u[i][0] * c->u[j][0] + c->u[i][1] * c->u[j][1];
}

static void make_coils(generator *g, coils *c, int kind)
{
  c->n = kind == 0 ? 2 : 3;
  c->rank = kind == 2 ? 2 : 1;
  for (int i = 0; i < c->n; i++) {
    double angle = between(g, 0, 6.28);
    c->L[i] = spread(g, 1e-3, 1e-1);
    c->u[i][0] = c->rank == 1 ? (pick(g, 2) ? 1 : -1) : cos(angle);
    c->u[i][1] = c->rank == 1 ? 0 : sin(angle);
  }
}

/* A source with a resistance on each winding that is not led, a resistor on the others, on the last
 * of them a diode with a capacitor and a resistor. */
static size_t write_load(generator *g, const coils *c, char *text)
{
  size_t at = 0;
  for (int i = 0; i < c->n; i++) {
    int is_driven = i < c->rank;
    if (is_driven)
      at += (size_t)sprintf(text + at, "V%d a%d 0 %.17g*sin(%.17g*t+%.17g)\nR%d a%d w%d %.17g\n", i,
                            i, between(g, 5, 10), between(g, 300, 900), between(g, 0, 3), i, i, i,
                            spread(g, 1, 10));
    else if (i < c->n - 1)
      at += (size_t)sprintf(text + at, "R%d w%d 0 %.17g\n", i, i, spread(g, 5, 50));
    else
      at += (size_t)sprintf(text + at, "D%d w%d b%d\nC%d b%d 0 %.17g\nR%d b%d 0 %.17g\n", i, i, i,
                            i, i, spread(g, 1e-5, 1e-4), i, i, spread(g, 5, 50));
  }
  return at;
}

static void write_couplings(const coils *c, char *text)
{
  size_t at = 0;
  for (int i = 0; i < c->n; i++)
    at += (size_t)sprintf(text + at, "L%d w%d 0 %.17g\n", i, i, c->L[i]);
  for (int i = 0; i < c->n; i++)
    for (int j = 0; j < i; j++)
      at += (size_t)sprintf(text + at, "K%d%d L%d L%d %.17g\n", i, j, j, i, coupling(c, i, j));
}

/* The first inductors, and a transformer from each of them to each other winding, whose voltages
 * add. */
static void write_transformers(const coils *c, char *text)
{
  size_t at = 0;
  for (int i = 0; i < c->rank; i++)
    at += (size_t)sprintf(text + at, "L%d w%d 0 %.17g\n", i, i, c->L[i]);
  double k = coupling(c, 0, 1);
  if (c->rank == 2) at += (size_t)sprintf(text + at, "K1 L0 L1 %.17g\n", k);
  for (int i = c->rank; i < c->n; i++) {
    double a = coupling(c, i, 0), b = coupling(c, i, 1), scale = sqrt(c->L[i] / c->L[0]);
    if (c->rank == 1) at += (size_t)sprintf(text + at, "T%d w%d 0 w0 0 %.17g\n", i, i, a * scale);
    else
      at += (size_t)sprintf(text + at, "T%d w%d m 0 w0 %.17g\nT%d1 m 0 w1 0 %.17g\n", i, i,
                            -(a - k * b) / (1 - k * k) * scale, i,
                            (b - k * a) / (1 - k * k) * sqrt(c->L[i] / c->L[1]));
  }
}

/* Largest difference of a quantity between rows of the same times, by the size of it. */
static double difference(const run *a, const run *b, const char *label)
{
  double size = 1e-3, worst = 0;
  size_t j = 0;
  for (size_t i = 0; i < a->got.nrows; i++) {
    double t = run_at(a, i, "time");
    while (j + 1 < b->got.nrows && run_at(b, j, "time") < t - 1e-9) j++;
    if (fabs(run_at(b, j, "time") - t) > 1e-9) continue;
    size = fmax(size, fabs(run_at(a, i, label)));
    worst = fmax(worst, fabs(run_at(a, i, label) - run_at(b, j, label)));
  }
  return worst / size;
}

START_TEST(full_couplings_are_ideal_transformers)
{
  static const char *const scheme[] = {STEPS, EVENTS};
  char load[TEXT], by_couplings[2 * TEXT], by_transformers[2 * TEXT];
  generator g = {.state = 70 + (unsigned long long)_i};
  coils c;
  make_coils(&g, &c, _i % 3);
  size_t n = write_load(&g, &c, load);
  memcpy(by_couplings, load, n);
  memcpy(by_transformers, load, n);
  write_couplings(&c, by_couplings + n);
  write_transformers(&c, by_transformers + n);
  run of[4];
  for (int k = 0; k < 4; k++)
    of[k] = simulate(k % 2 ? by_transformers : by_couplings, 0.01, scheme[k / 2]);
  for (int i = 0; i < c.n; i++) {
    char label[20];
    snprintf(label, sizeof label, "node_w%d.v", i);
    double by_steps = difference(&of[0], &of[1], label);
    ck_assert_msg(by_steps < 1e-9, "steps: %s differs by %g\n%s", label, by_steps, by_couplings);
  }
  char label[20];
  snprintf(label, sizeof label, "node_b%d.v", c.n - 1);
  double by_events = difference(&of[2], &of[3], label), both = difference(&of[0], &of[2], label);
  ck_assert_msg(by_events < 1e-5, "events: %g\n%s", by_events, by_couplings);
  ck_assert_msg(both < 0.03, "steps against events: %g\n%s", both, by_couplings);
  for (int k = 0; k < 4; k++) run_end(&of[k]);
}
END_TEST

/* ---- closed forms ---------------------------------------------------------------------------- */

/* The field that the current of one coil leaves is taken over by the other one, both ways round. */
START_TEST(fields_go_from_one_coil_to_the_other)
{
  static const char *const way[] = {"", "-"};
  char netlist[300];
  snprintf(
      netlist, sizeof netlist,
      "I1 0 a if(t&lt;1m,2,0)\nR1 a 0 1e6\nL1 a 0 4m ic=2\nL2 b 0 1m\nR2 b 0 1\nK1 L1 L2 %s1\n",
      way[_i % 2]);
  run r = simulate(netlist, 3e-3,
                   _i < 2 ? "<TimeStepping h='1e-6'><EulerMoreauOSI theta='0.5'/></TimeStepping>"
                          : EVENTS);
  size_t end = r.got.nrows - 1;
  double sign = _i % 2 ? -1 : 1, i2 = sign * 4 * exp(-2);
  ck_assert_double_eq_tol(run_at(&r, end, "L2.i"), i2, 1e-2 * fabs(i2));
  ck_assert_double_eq_tol(run_at(&r, end, "L1.i"), 0, 1e-5);
  ck_assert_double_eq_tol(run_at(&r, end, "k.x_L1"), 2 * exp(-2), 1e-2);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, full_couplings_are_ideal_transformers, 0, 6);
  tcase_add_loop_test(t, fields_go_from_one_coil_to_the_other, 0, 4);
}

int main(void) { return suite_run("couplings of netlists", fill); }
