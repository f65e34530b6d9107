/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rectifiers and dimmers with random firing angles, event-driven, against their closed forms.
 *
 * A valve is a switch in series with a diode; the node between them floats while both block. The
 * switch is closed for half a period from the firing angle on. Of the valves that are closed the
 * one with the highest voltage u conducts (0 V: the freewheeling diode), so that the load has
 *
 *   L i' + R i = u(t) = U sin(w t + p) while i > 0 or u > 0, else i = 0
 *
 * which is exponentials and sines between its events; those are isolated by bisection here. A
 * current that flows where the last valve opens ends at once.
 *
 * RANDOM_MODELS=n: that many (make check-long); RANDOM_ONLY=seed shows one. */
#include "support/random_model.h"
#include "support/run.h"

enum { VALVES = 3 };
typedef enum topology { HALF_WAVE, DIMMER, THREE_PHASES, BRIDGE, TOPOLOGIES } topology;

typedef struct circuit {
  topology kind;
  int valves, freewheel;
  double amplitude, rate, angle, R, L;
  double phase[VALVES]; /* of the voltage behind a valve */
  double sign[VALVES];  /* of the current that it lets through */
  int rows;             /* of the grid */
} circuit;

static circuit make(generator *g)
{
  static const int rows[] = {137, 137, 3, 1}; /* the grid has no say */
  circuit k = {.kind = (topology)pick(g, TOPOLOGIES)};
  k.amplitude = between(g, 1, 20);
  k.rate = spread(g, 1, 100);
  k.angle = between(g, 0.1, 3);
  k.R = spread(g, 0.3, 30);
  k.L = uniform(g) < 0.15 ? 0 : spread(g, 0.02, 5) * k.R / k.rate;
  k.freewheel = k.kind != DIMMER && pick(g, 2);
  k.valves = k.kind == HALF_WAVE ? 1 : k.kind == THREE_PHASES ? 3 : 2;
  double start = pick(g, 2) ? 0 : between(g, -3, 3);
  for (int i = 0; i < k.valves; i++) {
    k.phase[i] = start - (k.kind == DIMMER ? 0 : 2 * M_PI * i / k.valves);
    k.sign[i] = k.kind == DIMMER && i == 1 ? -1 : 1;
  }
  k.rows = rows[pick(g, 4)];
  return k;
}

/* ---- the closed form ------------------------------------------------------------------------- */

static double voltage(const circuit *k, int valve, double t)
{
  return valve < 0 ? 0 : k->amplitude * sin(k->rate * t + k->phase[valve]);
}

/* Where the gate of a valve is at t: above 0 it is closed. */
static double gate(const circuit *k, int valve, double t)
{
  double opposite = k->kind == DIMMER && valve == 1 ? M_PI : 0;
  return sin(k->rate * t + k->phase[valve] - opposite - k->angle);
}

typedef struct load {
  double t, i;
  int valve; /* that conducts; -1: freewheel; -2: none */
} load;

/* The current at time t where it flows by the same way since k->t. */
static double current(const circuit *k, const load *l, double t)
{
  if (l->valve == -2) return 0;
  if (k->L == 0) return voltage(k, l->valve, t) / k->R;
  double x = k->rate * k->L, z = k->R * k->R + x * x, forced[2] = {0, 0}, at[2] = {l->t, t};
  for (int e = 0; e < 2 && l->valve >= 0; e++) {
    double angle = k->rate * at[e] + k->phase[l->valve];
    forced[e] = k->amplitude * (k->R * sin(angle) - x * cos(angle)) / z;
  }
  return forced[1] + (l->i - forced[0]) * exp(-(t - l->t) * k->R / k->L);
}

/* The way that current takes at t + 0 from i: the closed valve of the highest voltage. `gates`:
 * which are closed. */
static int way(const circuit *k, const int *gates, double t, double i)
{
  int best = -2;
  double high = -INFINITY;
  for (int v = k->freewheel ? -1 : 0; v < k->valves; v++) {
    double sign = v < 0 ? 1 : k->sign[v], u = sign * voltage(k, v, t);
    int open = v >= 0 && !gates[v];
    if (open || sign * i < 0 || u <= high) continue;
    best = v, high = u;
  }
  return i == 0 && high <= 0 ? -2 : best;
}

static void gates_at(const circuit *k, double t, int *gates)
{
  for (int v = 0; v < k->valves; v++) gates[v] = gate(k, v, t) > 0;
}

/* Nothing has happened up to t. */
static int goes_on(const circuit *k, const load *l, const int *gates, double t)
{
  int now[VALVES];
  gates_at(k, t, now);
  for (int v = 0; v < k->valves; v++)
    if (now[v] != gates[v]) return 0;
  double i = current(k, l, t), sign = l->valve >= 0 ? k->sign[l->valve] : 1;
  if (l->valve != -2 && sign * i < 0) return 0;
  int next = way(k, gates, t, l->valve == -2 ? 0 : sign * fmax(sign * i, 1e-300));
  return next == l->valve;
}

/* From l to the next event, at most to `end`. */
static void advance(const circuit *k, load *l, const int *gates, double end)
{
  double step = 2 * M_PI / k->rate / 500, low = l->t, high = fmin(low + step, end);
  while (high < end && goes_on(k, l, gates, high)) low = high, high = fmin(low + step, end);
  if (high >= end && goes_on(k, l, gates, end)) low = end;
  for (int n = 0; n < 200 && low < high && low < end; n++) {
    double mid = low + (high - low) / 2;
    if (mid <= low || mid >= high) break;
    if (goes_on(k, l, gates, mid)) low = mid;
    else high = mid;
  }
  double to = low < end ? high : end, i = current(k, l, to);
  double sign = l->valve >= 0 ? k->sign[l->valve] : 1;
  l->i = sign * i < 1e-13 * k->amplitude / k->R ? 0 : i;
  l->t = to;
}

/* Just behind t. */
static void decide(const circuit *k, load *l, int *gates)
{
  double behind = l->t + 1e-11 / k->rate;
  gates_at(k, behind, gates);
  l->valve = way(k, gates, behind, l->i);
  if (l->valve == -2) l->i = 0;
}

/* A row was recorded at t, perhaps some rows before the next one. */
static int has_row(const run *r, size_t next, double t, double within)
{
  for (size_t row = next > 6 ? next - 6 : 0; row < r->got.nrows && row < next + 6; row++)
    if (fabs(r->got.rows[row * r->got.ncols] - t) < within) return 1;
  return 0;
}

/* The largest difference; 1 where a valve took over without an event. */
static int compare(const circuit *k, const run *r, double *worst, double *at)
{
  load l = {0};
  int gates[VALVES], events = 0;
  size_t i_at = capture_column(&r->got, "R1.i"), row = 0;
  decide(k, &l, gates);
  *worst = 0;
  for (; row < r->got.nrows && events < 1000; events++) {
    load from = l;
    advance(k, &l, gates, r->m->sim.T);
    for (; row < r->got.nrows; row++) {
      const double *x = r->got.rows + row * r->got.ncols;
      if (x[0] > l.t) break;
      int at_event = fmin(x[0] - from.t, l.t - x[0]) < 1e-8 / k->rate;
      if (at_event && x[0] < r->m->sim.T) continue;
      double apart = fabs(x[i_at] - current(k, &from, x[0])) * k->R / k->amplitude;
      if (apart > *worst) *worst = apart, *at = x[0];
    }
    if (l.t >= r->m->sim.T) break;
    decide(k, &l, gates);
    if (l.valve != from.valve && !has_row(r, row, l.t, 1e-6 / k->rate)) *worst = 1, *at = l.t;
  }
  return events;
}

/* ---- the model ------------------------------------------------------------------------------- */

static void put_valve(generator *g, const circuit *k, int v, const char *name, const char *from,
                      const char *to)
{
  double opposite = k->kind == DIMMER && v == 1 ? M_PI : 0;
  put(g, "\nS%s %s p%s sin(%.17g*t+%.17g)\nD%s p%s %s", name, from, name, k->rate,
      k->phase[v] - opposite - k->angle, name, name, to);
}

static void put_source(generator *g, const circuit *k, int v, const char *nodes)
{
  put(g, "\nV%d %s %.17g*sin(%.17g*t+%.17g)", v, nodes, k->amplitude, k->rate, k->phase[v]);
}

static void put_circuit(generator *g, const circuit *k)
{
  put(g, "<model xmlns='urn:nssim:model:1' name='m'><netlist id='s'>");
  if (k->kind == BRIDGE) {
    put_source(g, k, 0, "a0 a1");
    put_valve(g, k, 0, "1", "a0", "b");
    put_valve(g, k, 0, "2", "0", "a1");
    put_valve(g, k, 1, "3", "a1", "b");
    put_valve(g, k, 1, "4", "0", "a0");
  } else if (k->kind == DIMMER) {
    put_source(g, k, 0, "a0 0");
    put_valve(g, k, 0, "1", "a0", "b");
    put(g, "\nS2 a0 p2 sin(%.17g*t+%.17g)\nD2 b p2", k->rate, k->phase[1] - M_PI - k->angle);
  } else
    for (int v = 0; v < k->valves; v++) {
      char nodes[16], name[8], from[8];
      sprintf(nodes, "a%d 0", v), sprintf(name, "%d", v), sprintf(from, "a%d", v);
      put_source(g, k, v, nodes);
      put_valve(g, k, v, name, from, "b");
    }
  if (k->freewheel) put(g, "\nDf 0 b");
  if (k->L > 0) put(g, "\nR1 b c %.17g\nL1 c 0 %.17g", k->R, k->L);
  else put(g, "\nR1 b 0 %.17g", k->R);
  double period = 2 * M_PI / k->rate;
  put(g,
      "\n</netlist><simulation T='%.17g'><EventDriven h='%.17g' "
      "certificate='on'><CVodeOSI/></EventDriven>"
      "</simulation></model>",
      3.7 * period, 3.7 * period / k->rows);
}

/* 1: something is wrong with that model. */
static int try(unsigned seed, int show)
{
  generator *g = calloc(1, sizeof *g);
  double worst = 0, at = 0;
  ck_assert_ptr_nonnull(g);
  g->state = 7919ULL * seed;
  circuit k = make(g);
  put_circuit(g, &k);
  if (show) printf("%s\n", g->text);
  run r = run_load(g->text, NULL);
  r.c.report = NULL;
  int rc = run_keep(&r), events = rc ? 0 : compare(&k, &r, &worst, &at);
  int bad = rc || worst > 1e-6 || r.x->cert->penetration_max > 1e-6 * k.amplitude;
  if (bad || show)
    printf(
        "seed %u %s, topology %d, freewheel %d, angle %.3g, w L/R %.3g: %d events, %zu by nssim, "
        "apart %.2g at %.6g, laws %.2g %s\n",
        seed, bad ? "FAILED" : "good", (int)k.kind, k.freewheel, k.angle, k.rate * k.L / k.R,
        events, r.got.nevents, worst, at, r.x->cert->penetration_max, r.c.msg);
  fflush(stdout);
  run_end(&r);
  free(g);
  return bad;
}

START_TEST(valves_fire_at_their_angles)
{
  const char *n = getenv("RANDOM_MODELS"), *only = getenv("RANDOM_ONLY");
  int models = n ? atoi(n) : 50, bad = 0;
  if (only) {
    try((unsigned)atoi(only), 1);
    return;
  }
  for (int seed = 1; seed <= models; seed++) bad += try((unsigned)seed, 0);
  ck_assert_msg(!bad, "%d of %d rectifiers and dimmers", bad, models);
}
END_TEST

/* ---- no state at all: t alone moves the rows ------------------------------------------------- */

/* A source, one diode or two, a resistor: i = max(u, 0) / R, with a row at each zero of u. 1:
 * something is wrong. */
static int try_source(unsigned seed)
{
  static const int rows[] = {1, 1, 2, 7, 50};
  generator *g = calloc(1, sizeof *g);
  ck_assert_ptr_nonnull(g);
  g->state = 104729ULL * seed;
  double w = spread(g, 1e-2, 1e6), U = spread(g, 1e-3, 1e5), R = spread(g, 1e-2, 1e4),
         p = between(g, -3, 3);
  double offset = pick(g, 2) ? 0 : between(g, -0.99, 0.99), T = between(g, 0.3, 40) * 2 * M_PI / w,
         worst = 0;
  put(g,
      "<model xmlns='urn:nssim:model:1' name='m'><netlist id='s'>\nV1 a 0 %.17g*(%.17g + "
      "sin(%.17g*t+%.17g))\nD1 a b%s\nR1 b 0 %.17g",
      U, offset, w, p, pick(g, 2) ? "\nD2 0 b" : "", R);
  put(g,
      "\n</netlist><simulation T='%.17g'><EventDriven "
      "h='%.17g'><CVodeOSI/></EventDriven></simulation></model>",
      T, T / rows[pick(g, 5)]);
  run r = run_load(g->text, NULL);
  r.c.report = NULL;
  int rc = run_keep(&r), zeros = 0, seen = 0;
  size_t i_at = rc ? 0 : capture_column(&r.got, "R1.i");
  for (size_t k = 0; k < r.got.nrows && !rc; k++) {
    const double *x = r.got.rows + k * r.got.ncols, u = offset + sin(w * x[0] + p);
    worst = fmax(worst, fabs(x[i_at] * R / U - fmax(u, 0)));
    seen += k > 0 && x[0] == x[-(ptrdiff_t)r.got.ncols];
  }
  for (int k = -2; k < 50; k++) /* sin = -offset, twice a turn */
    for (int side = 0; side < 2; side++) {
      double angle = 2 * M_PI * k + (side ? M_PI + asin(offset) : -asin(offset)),
             at = (angle - p) / w;
      zeros += at > 1e-9 * T && at < T * (1 - 1e-9);
    }
  int bad = rc || seen != zeros || worst > 1e-6;
  if (bad)
    printf("source %u: %d of %d zeros, apart %.2g %s\n%s\n", seed, seen, zeros, worst, r.c.msg,
           g->text);
  run_end(&r);
  free(g);
  return bad;
}

START_TEST(rows_that_time_alone_moves_switch_whatever_the_grid)
{
  const char *n = getenv("RANDOM_MODELS");
  int models = n ? atoi(n) : 60, bad = 0;
  for (int seed = 1; seed <= models; seed++) bad += try_source((unsigned)seed);
  ck_assert_msg(!bad, "%d of %d sources", bad, models);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 3600);
  tcase_add_test(t, valves_fire_at_their_angles);
  tcase_add_test(t, rows_that_time_alone_moves_switch_whatever_the_grid);
}

int main(void) { return suite_run("valves", fill); }
