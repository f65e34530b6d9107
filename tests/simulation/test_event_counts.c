/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions of the state that change many times within one step of the integrator, against the
 * roots of closed forms: all of them, and their times; and measures of what changes so often,
 * against sums over these roots and integrals of closed forms. */
#include "simulation/record/measures.h"
#include "support/run.h"

#include <math.h>
#include <stdlib.h>

#define LAGRANGIAN(x0, v0, more) \
  "<LagrangianLinearTIDS id='s' coordinates='x'><q0>" x0 "</q0><v0>" v0 "</v0>" more \
  "</LagrangianLinearTIDS>"
#define MODEL(system, integrator, conditions) \
  "<model xmlns='urn:nssim:model:1' name='m'><systems>" system \
  "</systems><simulation T='10'><EventDriven h='10'><" integrator "/></EventDriven>" \
  "</simulation><events>" conditions "</events></model>"

/* How often event `id` happened; each is near one of the times [n]. */
static int count(const run *r, const char *id, const double *want, int n, double tol)
{
  int some = 0;
  for (size_t k = 0; k < r->got.nevents; k++) {
    const ns_event *e = &r->got.events[k];
    double nearest = INFINITY;
    if (e->kind != NS_EVENT_USER || strcmp(ns_event_id(r->m, e, NULL, 0), id) != 0) continue;
    for (int i = 0; i < n; i++) nearest = fmin(nearest, fabs(e->t - want[i]));
    if (nearest > tol) ck_abort_msg("%s at %.17g, off by %g of %d", id, e->t, nearest, n);
    some++;
  }
  return some;
}

#define FAST \
  "<event id='a' when='sin(20*x) &gt; 0' direction='both'/>" \
  "<event id='b' when='mod(x,1) - 0.5' direction='both'/>" \
  "<event id='c' when='abs(x - 3.7) &lt; 1e-6' direction='both'/>" \
  "<event id='d' when='(x-1.25)*(x-1.2501)*(x-6) &gt; 0' direction='both'/>" \
  "<event id='e' when='floor(3*x) == 4' direction='both'/>"

/* x = 0.013 + t, which integrators follow by steps as long as the run. */
START_TEST(none_is_lost_at_constant_speed)
{
  static const char *const MODELS[] = {
      MODEL(LAGRANGIAN("0.013", "1", ""), "CVodeOSI", FAST),
      MODEL(LAGRANGIAN("0.013", "1", ""), "IDAOSI", FAST),
      MODEL("<FirstOrderLinearTIDS id='s' states='x'><x0>0.013</x0><b>1</b></FirstOrderLinearTIDS>",
            "CVodeOSI", FAST)};
  const double c[] = {3.7 - 1e-6 - 0.013, 3.7 + 1e-6 - 0.013},
               d[] = {1.25 - 0.013, 1.2501 - 0.013, 6 - 0.013},
               e[] = {4 / 3. - 0.013, 5 / 3. - 0.013};
  double a[63], b[20];
  for (int k = 0; k < 63; k++) a[k] = (k + 1) * acos(-1) / 20 - 0.013;
  for (int k = 0; k < 20; k++) b[k] = (k + 1) / 2. - 0.013;
  for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS; i++) {
    run r = run_load(MODELS[i], NULL);
    ck_assert_int_eq(run_keep(&r), NS_OK);
    ck_assert_int_eq(count(&r, "a", a, 63, 1e-10), 63);
    ck_assert_int_eq(count(&r, "b", b, 20, 1e-10), 20);
    ck_assert_int_eq(count(&r, "c", c, 2, 1e-10), 2);
    ck_assert_int_eq(count(&r, "d", d, 3, 1e-8), 3);
    ck_assert_int_eq(count(&r, "e", e, 2, 1e-10), 2);
    run_end(&r);
  }
}
END_TEST

/* x = cos(t): 20 x = k pi for |k| <= 6, twice in each period. */
START_TEST(none_is_lost_of_an_oscillator)
{
  const double pi = acos(-1);
  double want[100];
  int n = 0;
  for (int k = -6; k <= 6; k++)
    for (int turn = 0; turn < 3; turn++)
      for (int side = -1; side <= 1; side += 2) {
        double t = side * acos(k * pi / 20) + 2 * pi * turn;
        if (t > 0 && t < 10) want[n++] = t;
      }
  run r = run_load(MODEL(LAGRANGIAN("1", "0", "<K>1</K>"), "CVodeOSI",
                         "<event id='a' when='sin(20*x) &gt; 0' direction='both'/>"),
                   NULL);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  ck_assert_int_eq(count(&r, "a", want, n, 1e-6), n);
  run_end(&r);
}
END_TEST

/* ---- random conditions, on all kinds of systems ---------------------------------------------- */

static unsigned long long seed;
static double uniform(double a, double b)
{
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return a + (b - a) * (double)(seed >> 11) * 0x1p-53;
}

enum { KINDS = 7, CORNER = KINDS, GROWING, ENOUGH = 400 };

/* g of one kind at x, with numbers p [3]; its text. */
static double condition(int kind, const double *p, double x)
{
  double w = 40 * p[0], u = 40 * p[1];
  switch (kind) {
  case 0: return sin(w * x);
  case 1: return sin(w * x * x / 5);
  case 2: return sin(w * x) * sin(u * x + 1);
  case 3: return sin(w * x) + 0.9 * cos(u * x);
  case 4: return (x - 9 * p[0]) * (x - 9 * p[1]) * (x - 9 * p[2]);
  case 5: return fabs(sin(w * x)) - p[1];
  case CORNER: return fmin(w * (x - 9 * p[2]), u * (9 * p[2] - x));
  case GROWING: return (1 + 1e-4 * x) * sin(w * x);
  default: return fmax(exp(sin(w * x)) - 1.5, cos(u * x) - 0.5);
  }
}

static void write_condition(int kind, const double *p, char *to, size_t size)
{
  double w = 40 * p[0], u = 40 * p[1];
  switch (kind) {
  case 0: snprintf(to, size, "sin(%.17g*s.x)", w); break;
  case 1: snprintf(to, size, "sin(%.17g*s.x*s.x/5)", w); break;
  case 2: snprintf(to, size, "sin(%.17g*s.x)*sin(%.17g*s.x + 1)", w, u); break;
  case 3: snprintf(to, size, "sin(%.17g*s.x) + 0.9*cos(%.17g*s.x)", w, u); break;
  case 4:
    snprintf(to, size, "(s.x - %.17g)*(s.x - %.17g)*(s.x - %.17g)", 9 * p[0], 9 * p[1], 9 * p[2]);
    break;
  case 5: snprintf(to, size, "abs(sin(%.17g*s.x)) - %.17g", w, p[1]); break;
  case CORNER:
    snprintf(to, size, "min(%.17g*(s.x - %.17g), %.17g*(%.17g - s.x))", w, 9 * p[2], u, 9 * p[2]);
    break;
  case GROWING: snprintf(to, size, "(1 + 0.0001*s.x)*sin(%.17g*s.x)", w); break;
  default: snprintf(to, size, "max(exp(sin(%.17g*s.x)) - 1.5, cos(%.17g*s.x) - 0.5)", w, u);
  }
}

/* Where between a and b, which are on one side of 0, g is nearest to it or beyond. */
static double lowest(int kind, const double *p, double a, double b)
{
  double side = condition(kind, p, a) > 0 ? 1 : -1;
  for (int i = 0; i < 60; i++) {
    double l = a + 0.382 * (b - a), r = b - 0.382 * (b - a);
    if (side * condition(kind, p, l) < side * condition(kind, p, r)) b = r;
    else a = l;
  }
  return (a + b) / 2;
}

/* The change of sign between a and b. */
static double bisect(int kind, const double *p, double a, double b)
{
  int above = condition(kind, p, a) > 0;
  for (int i = 0; i < 60; i++) {
    double mid = (a + b) / 2;
    if ((condition(kind, p, mid) > 0) == above) a = mid;
    else b = mid;
  }
  return b;
}

/* Changes of sign of g within x0 < x < x1, by a fine grid and what it passes over, as times at the
 * speed v. */
static int roots_of(int kind, const double *p, double x0, double x1, double v, double *t)
{
  enum { GRID = 20000 };
  double x[3] = {x0, x0, x0}, g[3] = {0, 0, condition(kind, p, x0)};
  int n = 0;
  for (int i = 1; i <= GRID; i++) {
    x[0] = x[1], x[1] = x[2], g[0] = g[1], g[1] = g[2];
    x[2] = x0 + i * (x1 - x0) / GRID, g[2] = condition(kind, p, x[2]);
    if (n >= ENOUGH - 2) ck_abort_msg("more than %d roots", n);
    if (g[1] * g[2] <= 0) t[n++] = (bisect(kind, p, x[1], x[2]) - x0) / v;
    else if (g[0] * g[1] > 0 && fabs(g[1]) <= fmin(fabs(g[0]), fabs(g[2]))) {
      double at = lowest(kind, p, x[0], x[2]);
      if (condition(kind, p, at) * g[1] >= 0) continue;
      t[n++] = (bisect(kind, p, x[0], at) - x0) / v;
      t[n++] = (bisect(kind, p, at, x[2]) - x0) / v;
    }
  }
  return n;
}

static const struct {
  const char *system, *more, *flow;
} FORMS[] = {
    {"<LagrangianLinearTIDS id='s' coordinates='x'><q0>%.17g</q0><v0>%.17g</v0>"
     "</LagrangianLinearTIDS>",
     "", "CVodeOSI"},
    {"<LagrangianLinearTIDS id='s' coordinates='x'><q0>%.17g</q0><v0>%.17g</v0>"
     "</LagrangianLinearTIDS>",
     "", "IDAOSI"},
    {"<FirstOrderLinearTIDS id='s' states='x'><x0>%.17g</x0><b>%.17g</b></FirstOrderLinearTIDS>",
     "", "CVodeOSI"},
    {"<NewtonEulerDS id='s'><mass>1</mass><inertia diag='1 1 1'/><q0>%.17g 0 0 1 0 0 0</q0>"
     "<v0>%.17g 0 0 0 0 0</v0></NewtonEulerDS>",
     "", "CVodeOSI"},
    {"<LagrangianLinearTIDS id='s' coordinates='x'><q0>%.17g</q0><v0>%.17g</v0>"
     "</LagrangianLinearTIDS>",
     "<FirstOrderLinearTIDS id='w' states='z'><x0>0</x0><b>1</b></FirstOrderLinearTIDS>",
     "CVodeOSI"},
    {"<FirstOrderLinearTIDS id='s' states='x'><x0>%.17g</x0><b>%.17g</b></FirstOrderLinearTIDS>",
     "<LagrangianLinearTIDS id='w' coordinates='z'><q0>1</q0><v0>1</v0></LagrangianLinearTIDS>",
     "CVodeOSI"},
};
enum { NFORMS = sizeof FORMS / sizeof *FORMS };

static const char MEASURES[] =
    "<measure id='count' kind='count' when='%s &gt; 0'/>"
    "<measure id='sum' kind='sum' when='%s &gt; 0'>s.x</measure>"
    "<measure id='first' kind='first' when='%s &gt; 0'/>"
    "<measure id='last' kind='last' when='%s &gt; 0'/>"
    "<measure id='fraction' kind='fraction' when='%s &gt; 0'/>"
    "<measure id='kept' kind='sample' when='%s &gt; 0' keep='400'>s.x</measure>"
    "<measure id='mean' kind='mean'>%s</measure>"
    "<measure id='rms' kind='rms'>%s</measure>"
    "<measure id='max' kind='max'>%s</measure>"
    "<measure id='min' kind='min'>%s</measure>"
    "<measure id='every' kind='sample' every='%.17g' keep='1000'>%s</measure>"
    "<measure id='settled' kind='settling' target='0.1' band='0.3'>%s</measure>";

static ns_measured measured(const run *r, const char *id, int *at)
{
  ns_measured got;
  for (int k = 0; k < ns_measures_count(r->m); k++) {
    ns_measures_get(r->m, r->x, k, &got);
    if (at) *at = k;
    if (!strcmp(got.id, id)) return got;
  }
  ck_abort_msg("no measure %s", id);
  return got;
}

static void same(const run *r, const char *id, double want, double tol, const char *text)
{
  ns_measured got = measured(r, id, NULL);
  if (isnan(want) && got.why) return;
  ck_assert_msg(fabs(got.value - want) <= tol, "%s: %.15g, expected %.15g\n%s", id, got.value, want,
                text);
}

/* The largest of sign g, by a fine grid and golden sections. */
static double max_of(int kind, const double *p, double x0, double x1, double sign)
{
  enum { GRID = 4000 };
  double max = -INFINITY, dx = (x1 - x0) / GRID;
  for (int i = 0; i <= GRID; i++) {
    double x = x0 + i * dx, g = sign * condition(kind, p, x);
    max = fmax(max, g);
    if (g < max - 0.1 || i == 0 || i == GRID) continue;
    double a = x - dx, b = x + dx;
    for (int k = 0; k < 60; k++) {
      double l = a + 0.382 * (b - a), u = b - 0.382 * (b - a);
      if (sign * condition(kind, p, l) > sign * condition(kind, p, u)) b = u;
      else a = l;
    }
    max = fmax(max, sign * condition(kind, p, (a + b) / 2));
  }
  return max;
}

/* Integrals of g and g^2 by Simpson's rule. */
static void integrate(int kind, const double *p, double x0, double x1, double *sum)
{
  enum { PANELS = 40000 };
  double dx = (x1 - x0) / PANELS;
  sum[0] = sum[1] = 0;
  for (int i = 0; i <= 2 * PANELS; i++) {
    double w = i == 0 || i == 2 * PANELS ? 1
               : i % 2                   ? 4
                                         : 2,
           g = condition(kind, p, x0 + i * dx / 2);
    sum[0] += w * dx / 6 * g;
    sum[1] += w * dx / 6 * g * g;
  }
}

/* The last time at which |g - 0.1| = 0.3, by a fine grid; NaN: it is outside at the end. */
static double settled(int kind, const double *p, double x0, double x1, double v)
{
  enum { GRID = 20000 };
  for (int i = GRID; i >= 0; i--) {
    double a = x0 + i * (x1 - x0) / GRID, b = a + (x1 - x0) / GRID;
    if (fabs(condition(kind, p, a) - 0.1) <= 0.3) continue;
    if (i == GRID) return NAN;
    for (int k = 0; k < 60; k++) {
      double mid = (a + b) / 2;
      if (fabs(condition(kind, p, mid) - 0.1) > 0.3) a = mid;
      else b = mid;
    }
    return (b - x0) / v;
  }
  return 0;
}

/* Measures of g along x = x0 + v t to x1, with its n changes of sign at the times t. */
static void check_measures(const run *r, int kind, const double *p, double x0, double x1, double v,
                           const double *t, int n, const char *text)
{
  int holds = condition(kind, p, x0) > 0, count = 0, at;
  double T = (x1 - x0) / v, since = 0, share = 0, sum = 0, first = holds ? 0 : NAN,
         last = holds ? 0 : NAN, integral[2], *kept, *every;
  static double up[ENOUGH];
  for (int k = 0; k <= n; k++, holds = !holds) {
    double until = k < n ? t[k] : T;
    if (holds) share += until - since, last = until;
    if (!holds && k < n) sum += x0 + v * t[k], up[count++] = x0 + v * t[k];
    if (!holds && k < n && isnan(first)) first = t[k];
    since = until;
  }
  same(r, "count", count, 0, text);
  same(r, "sum", sum, 1e-8 * (x1 - x0) * (count + 1), text);
  same(r, "first", first, 1e-8 * T, text);
  same(r, "last", last, 1e-8 * T, text);
  same(r, "fraction", share / T, 1e-8 * (n + 1), text);
  ck_assert_int_eq(measured(r, "kept", &at).samples, count);
  kept = calloc((size_t)count + 1, sizeof *kept);
  ns_measures_samples(r->m, r->x, at, kept, NULL);
  for (int k = 0; k < count; k++) ck_assert_double_eq_tol(kept[k], up[k], 1e-8 * (x1 - x0));
  free(kept);
  integrate(kind, p, x0, x1, integral);
  double high = max_of(kind, p, x0, x1, 1), low = -max_of(kind, p, x0, x1, -1),
         size = fmax(fabs(high), fabs(low));
  same(r, "mean", integral[0] / (x1 - x0), 1e-6 * size, text);
  same(r, "rms", sqrt(integral[1] / (x1 - x0)), 1e-6 * size, text);
  same(r, "max", high, 1e-6 * size, text);
  same(r, "min", low, 1e-6 * size, text);
  int samples = measured(r, "every", &at).samples;
  ck_assert_int_eq(samples, 334); /* begin and end belong to it */
  every = calloc((size_t)samples, sizeof *every);
  ns_measures_samples(r->m, r->x, at, every, NULL);
  for (int k = 0; k < samples; k++)
    ck_assert_double_eq_tol(every[k], condition(kind, p, x0 + k * (x1 - x0) / 333), 1e-7 * size);
  free(every);
  same(r, "settled", settled(kind, p, x0, x1, v), 1e-7 * T, text);
}

/* The largest value is at a corner, or in one of many waves of nearly the same height, wherever the
 * parts of a motion have their ends. */
START_TEST(largest_values_are_found_beside_ends_of_parts)
{
  for (int i = 0; i < some_of(200); i++) {
    seed = 880000 + (unsigned)_i * 1000 + (unsigned)i;
    for (int k = 0; k < 8; k++) uniform(0, 1);
    double x0 = uniform(-1, 1), x1 = x0 + uniform(8, 9), p[3];
    char text[2000], g[300];
    for (int j = 0; j < 3; j++) p[j] = uniform(0.1, 0.7);
    write_condition(CORNER + _i, p, g, sizeof g);
    snprintf(text, sizeof text,
             "<model xmlns='urn:nssim:model:1' name='m'><systems><FirstOrderLinearTIDS id='s' "
             "states='x'><x0>%.17g</x0><b>1</b></FirstOrderLinearTIDS></systems><simulation "
             "T='%.17g'><EventDriven h='%.17g'><CVodeOSI/></EventDriven></simulation><measures>"
             "<measure id='max' kind='max'>%s</measure></measures></model>",
             x0, x1 - x0, x1 - x0, g);
    run r = run_load(text, NULL);
    ck_assert_msg(ns_simulation_run(r.s, &r.c, NULL, NULL) == NS_OK, "%s\n%s", r.c.msg, text);
    same(&r, "max", max_of(CORNER + _i, p, x0, x1, 1),
         1e-6 * (1 + fabs(condition(CORNER + _i, p, x0))), text);
    run_end(&r);
  }
}
END_TEST

/* Two conditions of random kinds along x = x0 + v t, from 1e-4 to 1e4 m/s. */
START_TEST(none_is_lost_of_random_conditions)
{
  for (int i = 0; i < some_of(60); i++) {
    seed = 1000 + (unsigned)_i * 100 + (unsigned)i;
    for (int k = 0; k < 8; k++) uniform(0, 1);
    double v = pow(10, uniform(-4, 4)), x0 = uniform(-1, 1), x1 = x0 + uniform(3, 9), p[2][3];
    static double want[2][ENOUGH];
    char text[4000], system[800], g[2][300];
    int kind[2], n[2];
    for (int k = 0; k < 2; k++) {
      kind[k] = (int)uniform(0, KINDS);
      for (int j = 0; j < 3; j++) p[k][j] = uniform(0.1, 0.9);
      n[k] = roots_of(kind[k], p[k], x0, x1, v, want[k]);
      write_condition(kind[k], p[k], g[k], sizeof g[k]);
    }
    double T = (x1 - x0) / v;
    snprintf(system, sizeof system, FORMS[_i].system, x0, v);
    snprintf(text, sizeof text,
             "<model xmlns='urn:nssim:model:1' name='m'><systems>%s%s</systems><simulation "
             "T='%.17g'><EventDriven h='%.17g'><%s/></EventDriven></simulation><events>"
             "<event id='a' when='%s &gt; 0' direction='both'/>"
             "<event id='b' when='%s &gt; 0' direction='both'/></events></model>",
             system, FORMS[_i].more, T, T, FORMS[_i].flow, g[0], g[1]);
    run r = run_load(text, NULL);
    ck_assert_msg(run_keep(&r) == NS_OK, "%s\n%s", r.c.msg, text);
    for (int k = 0; k < 2; k++) {
      const char *id = k == 0 ? "a" : "b";
      int found = count(&r, id, want[k], n[k], 1e-8 * T);
      ck_assert_msg(found == n[k], "form %d seed %llu: %s %d of %d\n%s", _i, seed, id, found, n[k],
                    text);
    }
    run_end(&r);
  }
}
END_TEST

/* A peak of a function that is flat elsewhere, a third of h wide, anywhere in a run that
 * integrators follow by one step. */
START_TEST(peaks_as_wide_as_a_third_of_h_are_found)
{
  for (int i = 0; i < some_of(200); i++) {
    seed = 550000 + (unsigned)_i * 1000 + (unsigned)i;
    for (int k = 0; k < 8; k++) uniform(0, 1);
    double v = pow(10, uniform(-3, 3)), x0 = uniform(-1, 1), x1 = x0 + uniform(3, 9);
    double T = (x1 - x0) / v, h = T / floor(uniform(1, 50)), half = v * h / 6 * uniform(1, 2);
    double at = uniform(x0 + half, x1 - half), t[] = {(at - half - x0) / v, (at + half - x0) / v};
    char text[4000], system[800], g[300];
    snprintf(g, sizeof g, "exp(-log(2)*((s.x - %.17g)/%.17g)^8) - 0.5", at, half);
    snprintf(system, sizeof system, FORMS[_i].system, x0, v);
    snprintf(text, sizeof text,
             "<model xmlns='urn:nssim:model:1' name='m'><systems>%s%s</systems><simulation "
             "T='%.17g'><EventDriven h='%.17g'><%s/></EventDriven></simulation>"
             "<measures><measure id='n' kind='count' when='%s'/></measures><events>%s%s%s</events>"
             "</model>",
             system, FORMS[_i].more, T, h, FORMS[_i].flow, g, i % 2 ? "<event id='a' when='" : "",
             i % 2 ? g : "", i % 2 ? "' direction='both'/>" : "");
    run r = run_load(text, NULL);
    ck_assert_msg(run_keep(&r) == NS_OK, "%s\n%s", r.c.msg, text);
    int found = count(&r, "a", t, 2, 1e-8 * T);
    ck_assert_msg(found == i % 2 * 2, "form %d seed %llu: %d of 2\n%s", _i, seed, found, text);
    same(&r, "n", 1, 0, text);
    run_end(&r);
  }
}
END_TEST

/* A formula of x, at constant speed, decides the sign of the rate of another state. */
START_TEST(none_is_lost_of_random_formulas)
{
  for (int i = 0; i < some_of(40); i++) {
    seed = 77000 + (unsigned)i;
    for (int k = 0; k < 8; k++) uniform(0, 1);
    double v = pow(10, uniform(-2, 2)), x0 = uniform(-1, 1), x1 = x0 + uniform(3, 9), p[3];
    static double at[ENOUGH];
    char text[4000], g[300];
    for (int j = 0; j < 3; j++) p[j] = uniform(0.1, 0.9);
    int kind = (int)uniform(0, 5), n = roots_of(kind, p, x0, x1, v, at);
    double T = (x1 - x0) / v, sign = condition(kind, p, x0) > 0 ? 1 : -1, want = 0, since = 0;
    for (int k = 0; k <= n; k++) {
      double until = k < n ? at[k] : T;
      want += sign * (until - since) * v;
      since = until, sign = -sign;
    }
    write_condition(kind, p, g, sizeof g);
    snprintf(text, sizeof text,
             "<model xmlns='urn:nssim:model:1' name='m'><systems>"
             "<FirstOrderNonLinearDS id='s' states='x y'><x0>%.17g 0</x0>"
             "<f>%.17g; if(%s &gt; 0, %.17g, %.17g)</f></FirstOrderNonLinearDS></systems>"
             "<simulation T='%.17g'><EventDriven h='%.17g'><CVodeOSI/></EventDriven></simulation>"
             "</model>",
             x0, v, g, v, -v, T, T);
    run r = run_load(text, NULL);
    ck_assert_msg(run_keep(&r) == NS_OK, "%s\n%s", r.c.msg, text);
    ck_assert_msg(fabs(r.x->q[1] - want) <= 1e-6 * (x1 - x0),
                  "seed %llu: %.15g, expected %.15g\n%s", seed, r.x->q[1], want, text);
    run_end(&r);
  }
}
END_TEST

/* A mass and a state that move at constant speed past a formula of a random kind, in steps as long
 * as the run. */
START_TEST(measures_see_all_in_long_steps)
{
  for (int i = 0; i < some_of(30); i++) {
    seed = 330000 + (unsigned)_i * 1000 + (unsigned)i;
    for (int k = 0; k < 8; k++) uniform(0, 1);
    double v = pow(10, uniform(-3, 3)), x0 = uniform(-1, 1), x1 = x0 + uniform(3, 9), p[3];
    static double t[ENOUGH];
    char text[8000], system[800], measures[6000], g[300];
    for (int j = 0; j < 3; j++) p[j] = uniform(0.1, 0.9);
    int kind = (int)uniform(0, KINDS), n = roots_of(kind, p, x0, x1, v, t);
    double T = (x1 - x0) / v;
    write_condition(kind, p, g, sizeof g);
    snprintf(system, sizeof system, FORMS[_i].system, x0, v);
    snprintf(measures, sizeof measures, MEASURES, g, g, g, g, g, g, g, g, g, g, T / 333, g, g);
    snprintf(text, sizeof text,
             "<model xmlns='urn:nssim:model:1' name='m'><systems>%s%s</systems><simulation "
             "T='%.17g'><EventDriven h='%.17g'><%s/></EventDriven></simulation>"
             "<measures>%s</measures></model>",
             system, FORMS[_i].more, T, T, FORMS[_i].flow, measures);
    run r = run_load(text, NULL);
    ck_assert_msg(ns_simulation_run(r.s, &r.c, NULL, NULL) == NS_OK, "%s\n%s", r.c.msg, text);
    check_measures(&r, kind, p, x0, x1, v, t, n, text);
    run_end(&r);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("event counts");
  TCase *t = tcase_create("event counts");
  tcase_add_test(t, none_is_lost_at_constant_speed);
  tcase_add_test(t, none_is_lost_of_an_oscillator);
  tcase_add_loop_test(t, none_is_lost_of_random_conditions, 0, NFORMS);
  tcase_add_test(t, none_is_lost_of_random_formulas);
  tcase_add_loop_test(t, measures_see_all_in_long_steps, 0, NFORMS);
  tcase_add_loop_test(t, largest_values_are_found_beside_ends_of_parts, 0, 2);
  tcase_add_loop_test(t, peaks_as_wide_as_a_third_of_h_are_found, 0, NFORMS);
  suite_add_tcase(s, t);
  return suite_end(s);
}
