/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random first-order systems and circuits with fixed seeds, event-driven against time-stepping at h
 * and h/2, and against their laws at every recorded row.
 *
 *   passive   x' = A (x - s) + b(t) + B lambda, y = C (x - s) + D lambda + e, B = C^T, D >= 0: one
 *             motion from every state that the laws allow (Camlibel, Heemels & Schumacher 2002);
 *             complementarity, relays, or both; s is the origin of coordinates
 *   decays    the same without inputs that move, to T = 1000: equilibria are reached exponentially
 *   circuits  resistors, capacitors, inductors, diodes and sources between random nodes
 *
 * RANDOM_MODELS=n runs n of each kind (make check-long), RANDOM_SHOW=1 prints a line for each,
 * RANDOM_ONLY=kind:seed that one with its model. */
#include "support/run.h"

#include <stdarg.h>

/* ---- random numbers and texts ---- */

typedef struct generator {
  unsigned long long state;
  size_t length;
  char text[32768]; /* of the model, without its simulation */
} generator;

/* Steele & Vigna 2021: splitmix64. Uniform in [0, 1). */
static double uniform(generator *g)
{
  unsigned long long z = g->state += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static double between(generator *g, double low, double high)
{
  return low + (high - low) * uniform(g);
}
static int pick(generator *g, int n) { return (int)(n * uniform(g)); }
static double spread(generator *g, double low, double high)
{
  return low * pow(high / low, uniform(g));
}

static void put(generator *g, const char *format, ...) NS_PRINTF(2, 3);
static void put(generator *g, const char *format, ...)
{
  va_list ap;
  va_start(ap, format);
  int n = vsnprintf(g->text + g->length, sizeof g->text - g->length, format, ap);
  va_end(ap);
  ck_assert_int_lt(n, (int)(sizeof g->text - g->length));
  g->length += (size_t)n;
}

static void put_matrix(generator *g, const char *name, int rows, int cols, const double *a)
{
  put(g, "<%s>", name);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) put(g, "%s%.17g", j ? " " : i ? "; " : "", a[i + j * rows]);
  put(g, "</%s>", name);
}

/* ---- passive linear systems ---- */

enum { STATES = 5, ROWS = 4 };

typedef struct linear {
  int n, m, moving;
  double A[STATES * STATES], B[STATES * ROWS], C[ROWS * STATES], D[ROWS * ROWS];
  double origin[STATES], x0[STATES], e[ROWS], lb[ROWS], ub[ROWS];
  double amplitude[STATES], rate[STATES], level[STATES];
  int phase[STATES]; /* 1: its sine begins at a random angle, else at zero */
} linear;

/* A = -S S^T - d I + skew, so that x'x decreases. */
static void fill_A(generator *g, linear *k)
{
  int n = k->n;
  double S[STATES * STATES];
  for (int i = 0; i < n * n; i++) S[i] = between(g, -1, 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = i == j ? 0.3 : 0, skew = i == j ? 0 : between(g, -3, 3);
      for (int l = 0; l < n; l++) sum += S[i + l * n] * S[j + l * n];
      k->A[i + j * n] = -sum + skew;
      k->A[j + i * n] = -sum - (i == j ? 0 : skew);
    }
}

/* B = C^T; D = 0, or positive definite, or of part of the rows. */
static void fill_rows(generator *g, linear *k, int relays)
{
  int n = k->n, m = k->m, kind = pick(g, 3);
  for (int r = 0; r < m; r++) {
    for (int j = 0; j < n; j++) {
      double entry = uniform(g) < 0.3 ? 0 : between(g, -1, 1);
      k->B[j + r * n] = k->C[r + j * m] = entry;
    }
    k->B[r % n + r * n] = k->C[r + r % n * m] = between(g, 0.5, 1.5);
    for (int s = 0; s < m; s++) k->D[r + s * m] = 0;
    if (kind && (kind == 1 || r % 2)) k->D[r + r * m] = between(g, 0.1, 1);
    int relay = relays == 2 ? pick(g, 2) : relays;
    k->lb[r] = relay ? -between(g, 0.2, 2) : 0;
    k->ub[r] = relay ? between(g, 0.2, 2) : INFINITY;
    k->e[r] = between(g, -0.5, 0.5);
  }
}

/* Inputs, and a state that the laws allow: complementarity rows have y >= 0 at lambda = 0 there. */
static void fill_state(generator *g, linear *k, double shift)
{
  int n = k->n, m = k->m;
  for (int i = 0; i < n; i++) {
    k->origin[i] = shift * between(g, -1, 1);
    k->x0[i] = between(g, -1, 1);
    k->amplitude[i] = k->moving ? between(g, 0, 2) : 0;
    k->rate[i] = between(g, 1, 6);
    k->level[i] = between(g, -1, 1);
    k->phase[i] = pick(g, 2);
  }
  for (int r = 0; r < m; r++) {
    double y = k->e[r];
    for (int j = 0; j < n; j++) y += k->C[r + j * m] * k->x0[j];
    if (isinf(k->ub[r]) && y < 0) k->e[r] += uniform(g) < 0.2 ? -y : -1.5 * y;
  }
}

static void put_linear(generator *g, const linear *k)
{
  int n = k->n, m = k->m;
  put(g, "<model xmlns='urn:nssim:model:1' name='m'><systems><FirstOrderLinearDS id='s'><x0>");
  for (int i = 0; i < n; i++) put(g, "%.17g ", k->x0[i] + k->origin[i]);
  put(g, "</x0>");
  put_matrix(g, "A", n, n, k->A);
  put(g, "<b>");
  for (int i = 0; i < n; i++) {
    double constant = k->level[i];
    for (int j = 0; j < n; j++) constant -= k->A[i + j * n] * k->origin[j];
    put(g, "%s%.17g", i ? ", " : "", constant);
    if (k->moving)
      put(g, "+%.17g*sin(%.17g*t+%g)", k->amplitude[i], k->rate[i], k->phase[i] ? 0.7 : 0);
  }
  put(g, "</b></FirstOrderLinearDS></systems><interactions>");
  for (int r = 0; r < m; r++) {
    double row[STATES], e = k->e[r];
    for (int j = 0; j < n; j++) e -= (row[j] = k->C[r + j * m]) * k->origin[j];
    put(g, "<interaction id='r%d' systems='s'><FirstOrderLinearR>", r);
    put_matrix(g, "C", 1, n, row);
    if (k->D[r + r * m] != 0) put(g, "<D>%.17g</D>", k->D[r + r * m]);
    put_matrix(g, "B", n, 1, k->B + r * n);
    put(g, "<e>%.17g</e></FirstOrderLinearR>", e);
    if (isinf(k->ub[r])) put(g, "<ComplementarityConditionNSL/></interaction>");
    else put(g, "<RelayNSL lb='%.17g' ub='%.17g'/></interaction>", k->lb[r], k->ub[r]);
  }
  put(g, "</interactions>");
}

static void make_linear(generator *g, int moving, int relays, double shift)
{
  linear k = {.n = 1 + pick(g, STATES), .moving = moving};
  k.m = 1 + pick(g, k.n < ROWS ? k.n : ROWS);
  fill_A(g, &k);
  fill_rows(g, &k, relays);
  fill_state(g, &k, shift);
  put_linear(g, &k);
}

static void make_passive(generator *g)
{
  int relays = pick(g, 3);
  make_linear(g, 1, relays, uniform(g) < 0.3 ? 0 : spread(g, 0.1, 1000));
}

static void make_decay(generator *g)
{
  int relays = pick(g, 3);
  make_linear(g, 0, relays, uniform(g) < 0.5 ? 0 : spread(g, 0.1, 1000));
}

/* ---- circuits
 * ------------------------------------------------------------------------------------------------------
 * */

/* Two different nodes of those so far. */
static void put_between(generator *g, const char *letter, int k, int nodes)
{
  int a = pick(g, nodes), b = pick(g, nodes - 1);
  put(g, "\n%s%d n%d n%d ", letter, k, a, b + (b >= a));
}

static void put_sources(generator *g, int nodes)
{
  int sources = 1 + pick(g, 2);
  for (int k = 0; k < sources; k++) {
    int node = 1 + pick(g, nodes - 1);
    put(g, "\nRs%d n%d a%d %.6g\nV%d a%d 0 ", k, node, k, spread(g, 0.1, 10), k, k);
    if (uniform(g) < 0.7) put(g, "%.6g*sin(%.6g*t)", between(g, 2, 10), between(g, 1, 6));
    else put(g, "%.6g", between(g, -5, 5));
  }
}

static void make_circuit(generator *g)
{
  int nodes = 3 + pick(g, 3), diodes = 1 + pick(g, 4), stores = 1 + pick(g, 3);
  put(g, "<model xmlns='urn:nssim:model:1' name='m'><netlist id='s'>\nRg n0 0 1e-3");
  for (int k = 1; k < nodes; k++) { /* a tree, so that all hangs together */
    put(g, "\nRt%d n%d n%d %.6g", k, k, pick(g, k), spread(g, 1, 100));
    if (uniform(g) < 0.5) put(g, "\nRl%d n%d 0 %.6g", k, k, spread(g, 10, 1000));
  }
  put_sources(g, nodes);
  for (int k = 0; k < stores; k++) {
    int inductor = pick(g, 2);
    put_between(g, inductor ? "L" : "C", k, nodes);
    put(g, "%.6g", inductor ? spread(g, 0.05, 2) : spread(g, 0.01, 0.5));
    if (stores == 1 && uniform(g) < 0.5) put(g, " ic=%.6g", between(g, -1, 1));
  }
  for (int k = 0; k < diodes; k++) {
    put_between(g, "D", k, nodes);
    if (uniform(g) < 0.3) put(g, "vf=%.3g", between(g, 0.1, 0.8));
    if (uniform(g) >= 0.2) continue;
    int to = pick(g, nodes), from = pick(g, nodes); /* two in series */
    put(g, "\nD1%d b%d n%d\nD2%d n%d b%d", k, k, to, k, from, k);
  }
  put(g, "\n</netlist>");
}

/* ---- trials
 * ----------------------------------------------------------------------------------------------------------
 * */

typedef struct kind {
  const char *name;
  void (*make)(generator *g);
  double T, h, step; /* end; grid of the event-driven run; step of time-stepping, 0: none */
} kind;

static const kind kinds[] = {
    {"passive", make_passive, 4, 0.05, 2e-4},
    {"decay", make_decay, 1000, 1, 0},
    {"circuit", make_circuit, 4, 0.05, 2e-4},
};

static const double WITHIN = 1e-7; /* of laws at recorded rows */

typedef struct trial {
  int rc;
  double violation; /* of the laws at recorded rows, by the size of y and lambda */
  double apart;     /* final state from that of time-stepping */
  double bound;     /* what that is allowed to be */
  size_t events;
  char message[1024];
} trial;

static run load_with(const generator *g, const char *simulation)
{
  char *text = malloc(sizeof g->text + 600);
  ck_assert_ptr_nonnull(text);
  sprintf(text, "%s%s</model>", g->text, simulation);
  run r = run_load(text, NULL);
  free(text);
  r.c.report = NULL;
  return r;
}

/* The state at T by time-stepping, errors of first order. */
static int stepped(const generator *g, const kind *k, double h, double *x)
{
  char simulation[400];
  sprintf(simulation, "<simulation T='%g'><TimeStepping h='%.17g'><EulerMoreauOSI theta='1'/>"
          "</TimeStepping></simulation>", k->T, h);
  run r = load_with(g, simulation);
  int rc = ns_simulation_run(r.s, &r.c, NULL, NULL);
  memcpy(x, r.x->q, r.m->nq * sizeof *x);
  run_end(&r);
  return rc;
}

static void compare_with_steps(const generator *g, const kind *k, const run *r, trial *t)
{
  double one[64], half[64], far = 0;
  if (stepped(g, k, k->step, one) || stepped(g, k, k->step / 2, half)) {
    t->apart = 0, t->bound = 1; /* time-stepping says a sentence */
    return;
  }
  for (size_t i = 0; i < r->m->nq; i++) {
    far = fmax(far, fabs(one[i] - half[i]));
    t->apart = fmax(t->apart, fabs(2 * half[i] - one[i] - r->x->q[i]));
  }
  t->bound = far + 1e-5;
}

/* Column of y or lambda of row j. */
static size_t column_of(const run *r, const ns_interaction *it, int j, const char *what)
{
  char name[64];
  if (it->m > 1) sprintf(name, "%s.%s[%d]", it->at.id, what, j);
  else sprintf(name, "%s.%s", it->at.id, what);
  return capture_column(&r->got, name);
}

static double column_size(const run *r, size_t at)
{
  double most = 0;
  for (size_t k = 0; k < r->got.nrows; k++)
    most = fmax(most, fabs(r->got.rows[k * r->got.ncols + at]));
  return most;
}

/* |lambda - proj(lambda - y)| of row j, relative to y or lambda, whichever is smaller; where it is
 * the worst so far. */
static double row_violation(const run *r, const ns_interaction *it, int j, double worst,
                            char *where)
{
  size_t y_at = column_of(r, it, j, "y"), l_at = column_of(r, it, j, "lambda");
  double size = 1 + fmin(column_size(r, y_at), column_size(r, l_at));
  for (size_t k = 0; k < r->got.nrows; k++) {
    const double *row = r->got.rows + k * r->got.ncols;
    double y = row[y_at], l = row[l_at], to = fmin(fmax(l - y, it->lb[j]), it->ub[j]);
    if (!(fabs(l - to) / size > worst)) continue;
    worst = fabs(l - to) / size;
    sprintf(where, "(row %d of y = %.3g, lambda = %.3g at t = %.10g) ", j, y, l, row[0]);
  }
  return worst;
}

static double violation(const run *r, char *where)
{
  double worst = 0;
  for (int i = 0; i < r->m->ninteractions; i++)
    for (int j = 0; j < r->m->interactions[i].m; j++)
      worst = row_violation(r, &r->m->interactions[i], j, worst, where);
  return worst;
}

static trial try(const kind *k, unsigned seed, int show)
{
  generator *g = calloc(1, sizeof *g);
  trial t = {.bound = 1};
  char simulation[400];
  ck_assert_ptr_nonnull(g);
  g->state = 1000003ULL * seed + (unsigned)(k - kinds);
  k->make(g);
  if (show) printf("%s", g->text);
  sprintf(simulation, "<simulation T='%g'><EventDriven h='%g'><CVodeOSI/></EventDriven>"
          "</simulation>", k->T, k->h);
  if (show) printf("%s</model>\n", simulation);
  run r = load_with(g, simulation);
  t.rc = run_keep(&r);
  t.events = r.got.nevents;
  t.violation = violation(&r, t.message);
  if (t.violation <= WITHIN) *t.message = 0;
  size_t length = strlen(t.message);
  snprintf(t.message + length, sizeof t.message - length, "%s", r.c.msg);
  if (!t.rc && k->step > 0) compare_with_steps(g, k, &r, &t);
  run_end(&r);
  free(g);
  return t;
}

static int failed(const trial *t) { return t->rc || t->violation > WITHIN || t->apart > t->bound; }

static int models(void)
{
  const char *n = getenv("RANDOM_MODELS");
  return n ? atoi(n) : 20;
}

static void tell(const kind *k, unsigned seed, const trial *t)
{
  printf("%s:%u %s: %zu events, laws violated by %.2g, apart %.2g of %.2g %s\n", k->name, seed,
         failed(t) ? "FAILED" : "good", t->events, t->violation, t->apart, t->bound, t->message);
  fflush(stdout); /* what a failing test has printed would be lost with it */
}

/* All seeds of one kind. */
static void run_kind(const kind *k)
{
  const char *only = getenv("RANDOM_ONLY");
  char name[32];
  unsigned seed;
  int bad = 0;
  if (only && sscanf(only, "%30[a-z]:%u", name, &seed) == 2) {
    if (strcmp(name, k->name)) return;
    trial t = try(k, seed, 1);
    tell(k, seed, &t);
    return;
  }
  for (seed = 1; seed <= (unsigned)models(); seed++) {
    trial t = try(k, seed, 0);
    bad += failed(&t);
    if (failed(&t) || getenv("RANDOM_SHOW")) tell(k, seed, &t);
  }
  ck_assert_msg(!bad, "%d of %d models of the kind %s", bad, models(), k->name);
}

START_TEST(random_models_are_right) { run_kind(&kinds[_i]); }
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 3600);
  tcase_add_loop_test(t, random_models_are_right, 0, (int)(sizeof kinds / sizeof *kinds));
}

int main(void) { return suite_run("random switching", fill); }
