/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random first-order systems and circuits with fixed seeds, event-driven against time-stepping at h
 * and h/2, and against their laws at every recorded row.
 *
 *   passive   x' = A (x - s) + b(t) + B lambda, y = C (x - s) + D lambda + e, B = C^T, D >= 0: one
 *             motion from every state that the laws allow (Camlibel, Heemels & Schumacher 2002);
 *             complementarity, relays, or both; s is the origin of coordinates
 *   dominant  the same with any C and B, and D that is row-diagonally dominant, so that lambda is
 *             one function of x
 *   relay     C B is so, and D = 0: one motion (Filippov 1988), also from states on several
 *             surfaces
 *   decays    passive without inputs that move, to T = 1000: equilibria are reached exponentially
 *   circuits  resistors, capacitors, inductors, diodes and sources between random nodes
 *   parts     and diodes with resistances, Zener diodes, gyrators
 *   rails     followers with rails, finite and infinite gain, beside diodes with resistances and
 *             forward voltages
 *   latched   switches with thresholds of a voltage of the circuit
 *   crowd     equal disks that push towards a place of their own or of all: six around a seventh
 *             close the last of their contacts by themselves, so that rows depend on others
 *
 * RANDOM_MODELS=n runs n of each kind (make check-long), RANDOM_SHOW=1 prints a line for each,
 * RANDOM_ONLY=kind:seed that one with its model. */
#include "support/random_model.h"
#include "support/run.h"

static void put_matrix(generator *g, const char *name, int rows, int cols, const double *a)
{
  put(g, "<%s>", name);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) put(g, "%s%.17g", j ? " " : i ? "; " : "", a[i + j * rows]);
  put(g, "</%s>", name);
}

/* ---- passive linear systems ------------------------------------------------------------------ */

enum { STATES = 5, ROWS = 4 };
#define MIN_INDUCTANCE 0.05 /* H, of circuits */

typedef struct linear {
  int n, m, moving;
  double unit, time; /* of states and multipliers; s */
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

/* Any C, B; D dominant. */
static void fill_dominant(generator *g, linear *k)
{
  int n = k->n, m = k->m;
  for (int r = 0; r < m; r++) {
    double sum = 0;
    for (int j = 0; j < n; j++) {
      k->C[r + j * m] = between(g, -1, 1);
      k->B[j + r * n] = between(g, -1, 1);
    }
    for (int s = 0; s < m; s++) sum += fabs(k->D[r + s * m] = r == s ? 0 : between(g, -0.5, 0.5));
    k->D[r + r * m] = sum + between(g, 0.2, 1);
    int relay = pick(g, 2);
    k->lb[r] = relay ? -between(g, 0.2, 2) : 0;
    k->ub[r] = relay ? between(g, 0.2, 2) : INFINITY;
    k->e[r] = between(g, -0.5, 0.5);
  }
}

/* C of full rank with B that C B is dominant: relays that push towards their surfaces. */
static void fill_relays(generator *g, linear *k)
{
  int n = k->n, m = k->m;
  for (int r = 0; r < m; r++) {
    for (int j = 0; j < n; j++) {
      k->C[r + j * m] = j == r ? 1 : j < m ? 0 : between(g, -1, 1);
      k->B[j + r * n] = j == r ? between(g, 1, 3) : j < m ? between(g, -0.3, 0.3) : 0;
    }
    k->lb[r] = -between(g, 0.2, 2);
    k->ub[r] = between(g, 0.2, 2);
    k->e[r] = between(g, -0.5, 0.5);
  }
}

/* y of row r at lambda = 0, at the start. */
static double first_y(const linear *k, int r)
{
  double y = k->e[r];
  for (int j = 0; j < k->n; j++) y += k->C[r + j * k->m] * k->x0[j];
  return y;
}

/* Inputs, and a state that the laws allow: complementarity rows have y >= 0 at lambda = 0 there. */
static void fill_state(generator *g, linear *k, double shift)
{
  int n = k->n, on_surfaces = uniform(g) < 0.2;
  for (int i = 0; i < n; i++) {
    k->origin[i] = shift * between(g, -1, 1);
    k->x0[i] = between(g, -1, 1);
    k->amplitude[i] = k->moving ? between(g, 0, 2) : 0;
    k->rate[i] = between(g, 1, 6);
    k->level[i] = between(g, -1, 1);
    k->phase[i] = pick(g, 2);
  }
  for (int r = 0; r < k->m; r++) {
    double y = first_y(k, r);
    if (on_surfaces) k->e[r] -= y;
    else if (isinf(k->ub[r]) && y < 0) k->e[r] -= uniform(g) < 0.2 ? y : 1.5 * y;
  }
}

/* Rows by columns, times a factor. */
static void put_scaled(generator *g, const char *name, int rows, int cols, const double *a,
                       double by)
{
  double scaled[STATES * STATES];
  for (int i = 0; i < rows * cols; i++) scaled[i] = by * a[i];
  put_matrix(g, name, rows, cols, scaled);
}

static void put_inputs(generator *g, const linear *k)
{
  double speed = k->unit / k->time;
  put(g, "<b>");
  for (int i = 0; i < k->n; i++) {
    double constant = k->level[i];
    for (int j = 0; j < k->n; j++) constant -= k->A[i + j * k->n] * k->origin[j];
    put(g, "%s%.17g", i ? ", " : "", constant * speed);
    double rate = k->rate[i] / k->time, angle = k->phase[i] ? 0.7 : 0;
    if (k->moving) put(g, "+%.17g*sin(%.17g*t+%g)", k->amplitude[i] * speed, rate, angle);
  }
  put(g, "</b>");
}

static void put_law(generator *g, const linear *k, int r)
{
  double lb = k->lb[r] * k->unit, ub = k->ub[r] * k->unit;
  if (isinf(ub)) put(g, "<ComplementarityConditionNSL/></interaction>");
  else put(g, "<RelayNSL lb='%.17g' ub='%.17g'/></interaction>", lb, ub);
}

static void put_row(generator *g, const linear *k, int r)
{
  int n = k->n, m = k->m;
  double row[STATES], D[ROWS], e = k->e[r], any = 0;
  for (int j = 0; j < n; j++) e -= (row[j] = k->C[r + j * m]) * k->origin[j];
  for (int s = 0; s < m; s++) any += fabs(D[s] = k->D[r + s * m]);
  put(g, "<interaction id='r%d' systems='s'><FirstOrderLinearR>", r);
  put_matrix(g, "C", 1, n, row);
  if (any > 0) put(g, "<D>%.17g</D>", D[r]);
  put_scaled(g, "B", n, 1, k->B + r * n, 1 / k->time);
  put(g, "<e>%.17g</e></FirstOrderLinearR>", e * k->unit);
  put_law(g, k, r);
}

/* All rows as one interaction, whose laws are relays or complementarity. */
static void put_rows(generator *g, const linear *k)
{
  int n = k->n, m = k->m;
  put(g, "<interaction id='r' systems='s'><FirstOrderLinearR>");
  put_matrix(g, "C", m, n, k->C);
  put_matrix(g, "D", m, m, k->D);
  put_scaled(g, "B", n, m, k->B, 1 / k->time);
  put(g, "<e>");
  for (int r = 0; r < m; r++) {
    double e = k->e[r];
    for (int j = 0; j < n; j++) e -= k->C[r + j * m] * k->origin[j];
    put(g, "%.17g ", e * k->unit);
  }
  put(g, "</e></FirstOrderLinearR>");
  put_law(g, k, 0);
}

static void put_linear(generator *g, const linear *k, int together)
{
  int n = k->n;
  put(g, "<model xmlns='urn:nssim:model:1' name='m'><systems><FirstOrderLinearDS id='s'><x0>");
  for (int i = 0; i < n; i++) put(g, "%.17g ", (k->x0[i] + k->origin[i]) * k->unit);
  put(g, "</x0>");
  put_scaled(g, "A", n, n, k->A, 1 / k->time);
  put_inputs(g, k);
  put(g, "</FirstOrderLinearDS></systems><interactions>");
  if (together) put_rows(g, k);
  else
    for (int r = 0; r < k->m; r++) put_row(g, k, r);
  put(g, "</interactions>");
}

/* The units of the models that are made next: of time, and of states unless it is 0. */
static double seconds = 1, amount = 0;

static linear begin_linear(generator *g, int moving)
{
  static const double units[] = {1, 1, 1, 1e-6, 1e5};
  linear k = {
      .n = 1 + pick(g, STATES), .moving = moving, .unit = units[pick(g, 5)], .time = seconds};
  if (amount > 0) k.unit = amount;
  k.m = 1 + pick(g, k.n < ROWS ? k.n : ROWS);
  fill_A(g, &k);
  return k;
}

static void make_passive(generator *g)
{
  linear k = begin_linear(g, 1);
  fill_rows(g, &k, pick(g, 3));
  fill_state(g, &k, uniform(g) < 0.3 ? 0 : spread(g, 0.1, 1000));
  put_linear(g, &k, 0);
}

static void make_decay(generator *g)
{
  linear k = begin_linear(g, 0);
  fill_rows(g, &k, pick(g, 3));
  fill_state(g, &k, uniform(g) < 0.5 ? 0 : spread(g, 0.1, 1000));
  put_linear(g, &k, 0);
}

static void make_dominant(generator *g)
{
  linear k = begin_linear(g, 1);
  fill_dominant(g, &k);
  fill_state(g, &k, uniform(g) < 0.5 ? 0 : spread(g, 0.1, 100));
  for (int r = 1; r < k.m; r++) k.lb[r] = k.lb[0], k.ub[r] = k.ub[0];
  put_linear(g, &k, 1);
}

static void make_relay(generator *g)
{
  linear k = begin_linear(g, 1);
  fill_relays(g, &k);
  fill_state(g, &k, uniform(g) < 0.5 ? 0 : spread(g, 0.1, 100));
  put_linear(g, &k, 0);
}

/* ---- formulas -------------------------------------------------------------------------------- */

/* Nonlinear, with inputs that move, from rest or not; of odd seeds each component jumps at a
 * threshold. */
static void make_formulas(generator *g)
{
  int n = 1 + pick(g, STATES - 1), jumps = (int)(g->state & 1), rests = pick(g, 3) == 0;
  put(g, "<model xmlns='urn:nssim:model:1' name='m'><systems><FirstOrderNonLinearDS id='s'><x0>");
  for (int i = 0; i < n; i++) put(g, "%.17g ", rests ? 0 : between(g, -1, 1) * amount);
  put(g, "</x0><f>");
  for (int i = 0; i < n; i++) {
    put(g, "%s%.17g*x[%d]*(1+(x[%d]/%.17g)^2)", i ? ", " : "", -between(g, 4, 8), i, i, amount);
    for (int j = 0; j < n; j++)
      if (j != i) put(g, "+%.17g*x[%d]", between(g, -2, 2), j);
    put(g, "+%.17g*sin(%.17g*t)", between(g, -2, 2) * amount, between(g, 0.5, 3));
    if (jumps) put(g, "+%.17g*if(x[%d] &gt; %.17g, -1, 1)", amount, i, between(g, 0, 0.2) * amount);
  }
  put(g, "</f></FirstOrderNonLinearDS></systems>");
}

/* ---- circuits -------------------------------------------------------------------------------- */

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

/* Switches that move, in their own series resistor or in none. */
static void put_switches(generator *g, int nodes)
{
  int switches = 1 + pick(g, 2);
  for (int k = 0; k < switches; k++) {
    int hard = uniform(g) < 0.3;
    if (hard) put_between(g, "S", k, nodes);
    else {
      put_between(g, "Rz", k, nodes + 1);
      put(g, "%.6g\nS%d n%d n%d ", spread(g, 0.1, 10), k, nodes, pick(g, nodes));
    }
    put(g, "sin(%.6g*t%+.6g)", between(g, 2, 15), pick(g, 2) ? 0 : between(g, -3, 3));
  }
  put(g, "\nRx n%d 0 500", nodes);
}

/* devices: ideal diodes, and switches; those of resistances alone */
enum { IDEAL, GATED, RESISTIVE };

static int put_passive(generator *g, int devices)
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
    put(g, "%.6g", inductor ? spread(g, MIN_INDUCTANCE, 2) : spread(g, 0.01, 0.5));
    if (stores == 1 && uniform(g) < 0.5) put(g, " ic=%.6g", between(g, -1, 1));
  }
  for (int k = 0; k < diodes && devices != RESISTIVE; k++) {
    put_between(g, "D", k, nodes);
    if (uniform(g) < 0.3) put(g, "vf=%.3g", between(g, 0.1, 0.8));
    if (uniform(g) >= 0.2) continue;
    int to = pick(g, nodes), from = pick(g, nodes); /* two in series */
    put(g, "\nD1%d b%d n%d\nD2%d n%d b%d", k, k, to, k, from, k);
  }
  if (devices == GATED) put_switches(g, nodes);
  return nodes;
}

/* Diodes that are not ideal. */
static void put_resistive(generator *g, int nodes, int always)
{
  int n = 1 + pick(g, 2);
  for (int k = 0; k < n; k++) {
    int zener = pick(g, 2);
    put_between(g, zener ? "Z" : "Dr", k, nodes);
    if (zener) put(g, "%.6g ", between(g, 0.5, 3));
    if (always || pick(g, 2)) put(g, "vf=%.3g ", between(g, 0.1, 0.8));
    if (always || pick(g, 2)) put(g, "ron=%.3g ", spread(g, 0.01, 10));
    if (pick(g, 2)) put(g, "roff=%.3g", spread(g, 20, 1000));
  }
}

static void put_gyrator(generator *g, int nodes)
{
  int a = pick(g, nodes), b = pick(g, nodes);
  put(g, "\nY0 n%d 0 y 0 %.4g\nRy y n%d %.4g", a, between(g, -0.2, 0.2), b, spread(g, 1, 30));
}

static void put_follower(generator *g, int nodes)
{
  int from = 1 + pick(g, nodes - 1), to = 1 + pick(g, nodes - 1);
  put(g, "\nO0 o 0 n%d o lo=%.4g hi=%.4g", from, between(g, -2, -0.1), between(g, 0.1, 2));
  if (pick(g, 2)) put(g, " gain=%.4g", spread(g, 1, 1e4));
  put(g, "\nRo o n%d %.4g", to, spread(g, 1, 30));
}

static void put_circuit(generator *g, int devices)
{
  put_passive(g, devices);
  put(g, "\n</netlist>");
}

static void make_circuit(generator *g) { put_circuit(g, IDEAL); }
static void make_gated(generator *g) { put_circuit(g, GATED); }

static void make_parts(generator *g)
{
  int nodes = put_passive(g, IDEAL);
  put_gyrator(g, nodes);
  put_resistive(g, nodes, 0);
  put(g, "\n</netlist>");
}

/* Switches that read the circuit, with thresholds that differ. */
static void make_latched(generator *g)
{
  int nodes = put_passive(g, RESISTIVE), n = 1 + pick(g, 2);
  put_resistive(g, nodes, 1);
  for (int k = 0; k < n; k++) {
    double middle = between(g, -0.5, 0.5), half = between(g, 0.05, 0.3);
    put_between(g, "Sk", k, nodes);
    put(g, "v(k%d) on=%.4g off=%.4g ron=%.3g roff=%.3g", k, middle + half, middle - half,
        spread(g, 1, 20), spread(g, 30, 1000));
    /* what closes and opens it does not jump with it */
    put(g, "\nRk%d n%d k%d 1\nCk%d k%d 0 %.3g", k, 1 + pick(g, nodes - 1), k, k, k,
        spread(g, 0.01, 0.3));
  }
  put(g, "\n</netlist>");
}

static void make_rails(generator *g)
{
  int nodes = put_passive(g, RESISTIVE);
  put_resistive(g, nodes, 1);
  put_follower(g, nodes);
  put(g, "\n</netlist>");
}

/* ---- disks that push ------------------------------------------------------------------------- */

enum { DISKS = 9 };

/* Places of a triangular lattice, nearest to the origin first; the first seven are a hexagon. */
static void lattice(int k, double *x, double *y)
{
  static const int at[DISKS][2] = {{0, 0},  {1, 0},  {0, 1},  {-1, 1}, {-1, 0},
                                   {0, -1}, {1, -1}, {2, -1}, {-1, 2}};
  *x = at[k][0] + 0.5 * at[k][1];
  *y = sqrt(0.75) * at[k][1];
}

static void put_disks(generator *g, int n)
{
  double apart = between(g, 1.02, 1.5), turn = between(g, 0, 6.3);
  double shaken = pick(g, 2) * 0.3 * (apart - 1), wish = pick(g, 2) * 0.3;
  double unit = spread(g, 1e-2, 1e2), speed = between(g, 0.5, 2);
  put(g,
      "<model xmlns='urn:nssim:model:1' name='m'><parameters><parameter name='d' "
      "value='%.17g'/><parameter name='U' value='%.17g'/>"
      "</parameters><systems>",
      unit, speed * unit);
  for (int k = 0; k < n; k++) {
    double x, y, a = wish * between(g, -1, 1), b = wish * between(g, -1, 1);
    lattice(k, &x, &y);
    double p = apart * (x * cos(turn) - y * sin(turn)) + shaken * between(g, -1, 1);
    double q = apart * (x * sin(turn) + y * cos(turn)) + shaken * between(g, -1, 1);
    put(g, "<FirstOrderNonLinearDS id='p%d' states='x y'><x0>%.17g*d %.17g*d</x0>", k, p, q);
    put(g, "<f>-U*(x-%.17g*d)/sqrt((0.3*d)^2+x^2+y^2),-U*(y-%.17g*d)/sqrt((0.3*d)^2+x^2+y^2)</f>",
        a, b);
    put(g, "</FirstOrderNonLinearDS>");
  }
}

static void make_crowd(generator *g)
{
  int n = 7 + pick(g, DISKS - 6);
  put_disks(g, n);
  put(g, "</systems><interactions>");
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      put(g, "<interaction id='c%d-%d' systems='p%d p%d'><FirstOrderNonLinearR>", i, j, i, j);
      put(g, "<h>hypot(x[2]-x[0],x[3]-x[1])-d</h><g>");
      for (int k = 0; k < 4; k++)
        put(g, "%s%s(x[%d]-x[%d])/hypot(x[2]-x[0],x[3]-x[1])*lambda[0]", k ? "," : "",
            k < 2 ? "-" : "", 2 + k % 2, k % 2);
      put(g, "</g></FirstOrderNonLinearR><ComplementarityConditionNSL/></interaction>");
    }
  put(g, "</interactions>");
}

/* ---- trials ---------------------------------------------------------------------------------- */

typedef struct kind {
  const char *name;
  void (*make)(generator *g);
  double T, h, step;    /* end; grid of the event-driven run; step of time-stepping, 0: none */
  double within;        /* of states: what steps leave, that meet gates to their length alone */
  double inductance;    /* H: the least; 0: none */
  const unsigned *also; /* seeds that are run as well, ends with 0; NULL: none */
} kind;

/* Jumps by rounding, jumps smaller than the motion of a short step, loops of ideal diodes and
 * closed switches. */
static const unsigned hard[] = {69,  120, 125, 179, 204, 211, 230,  231,
                                288, 309, 363, 392, 443, 460, 1224, 0};

/* At rest at zero between diodes: what solvers leave is all that there is. 436, 749: currents that
 * reach 0 together, as far as the state is known. 579, 1059 to 1787: zeros of D that elimination
 * leaves as rounding, behind a gyrator. */
static const unsigned still[] = {23, 43, 250, 251, 436, 579, 749, 1059, 1442, 1787, 0};

static const kind kinds[] = {
    {"passive", make_passive, 4, 0.05, 2e-4, 5e-5, 0, NULL},
    {"decay", make_decay, 1000, 1, 0, 0, 0, NULL},
    {"circuit", make_circuit, 4, 0.05, 2e-4, 5e-5, MIN_INDUCTANCE, NULL},
    {"parts", make_parts, 4, 0.05, 2e-4, 5e-5, MIN_INDUCTANCE, still},
    {"rails", make_rails, 4, 0.05, 2e-4, 5e-5, MIN_INDUCTANCE, NULL},
    {"latched", make_latched, 4, 0.05, 2e-4, 2e-3, MIN_INDUCTANCE, NULL},
    {"dominant", make_dominant, 4, 0.05, 2e-4, 5e-5, 0, NULL},
    {"relay", make_relay, 4, 0.05, 2e-4, 5e-5, 0, NULL},
    {"crowd", make_crowd, 2, 0.05, 1e-3, 5e-5, 0, NULL},
    {"gated", make_gated, 4, 0.05, 2e-4, 2e-3, MIN_INDUCTANCE, hard},
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

/* The state at T by time-stepping, errors of first order: what its problems leave adds up over the
 * steps, an inductor between diodes integrates it. */
static int stepped_to(const generator *g, const kind *k, double h, double tol, double *x)
{
  char simulation[400];
  sprintf(simulation,
          "<simulation T='%g'><TimeStepping h='%.17g'><EulerMoreauOSI theta='1'/>"
          "<AVI tolerance='%g'/></TimeStepping></simulation>",
          k->T, h, tol);
  run r = load_with(g, simulation);
  int rc = ns_simulation_run(r.s, &r.c, NULL, NULL);
  memcpy(x, r.x->q, r.m->nq * sizeof *x);
  run_end(&r);
  return rc;
}

/* To rounding, where that can be had. */
static int stepped(const generator *g, const kind *k, double h, double *x)
{
  return stepped_to(g, k, h, 1e-14, x) && stepped_to(g, k, h, 1e-10, x);
}

static void compare_with_steps(const generator *g, const kind *k, const run *r, trial *t)
{
  double one[64], half[64], far = 0, size = 0; /* of the state at any time */
  for (size_t row = 0; row < r->got.nrows; row++)
    for (size_t i = 0; i < r->m->nq; i++)
      size = fmax(size, fabs(r->got.rows[row * r->got.ncols + 1 + i]));
  if (stepped(g, k, k->step, one) || stepped(g, k, k->step / 2, half)) {
    t->apart = 0, t->bound = 1; /* time-stepping says a sentence */
    return;
  }
  for (size_t i = 0; i < r->m->nq; i++) {
    far = fmax(far, fabs(one[i] - half[i]));
    t->apart = fmax(t->apart, fabs(2 * half[i] - one[i] - r->x->q[i]));
  }
  /* where all is at rest at zero: an inductor across a row that is on its law to the tolerance */
  double drift = k->inductance > 0 ? r->m->sim.ed.gap_tol * k->T / k->inductance : 0;
  t->bound = 2 * far + k->within * size + 1e-10 + drift;
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
  double max = 0;
  for (size_t k = 0; k < r->got.nrows; k++)
    max = fmax(max, fabs(r->got.rows[k * r->got.ncols + at]));
  return max;
}

/* |lambda - proj(lambda - y)| of row j, relative to y or lambda, whichever is smaller; where it is
 * the worst so far. */
static double row_violation(const run *r, const ns_interaction *it, int j, double worst,
                            char *where)
{
  size_t y_at = column_of(r, it, j, "y"), l_at = column_of(r, it, j, "lambda");
  double size = fmin(column_size(r, y_at), column_size(r, l_at));
  for (int k = 0; k < it->m; k++) /* rows that are rounding of others have no size of their own */
    for (int which = 0; which < 2; which++)
      size = fmax(size, 1e-4 * column_size(r, column_of(r, it, k, which ? "y" : "lambda")));
  for (size_t k = 0; k < r->got.nrows; k++) {
    const double *row = r->got.rows + k * r->got.ncols;
    double y = row[y_at], l = row[l_at], to = fmin(fmax(l - y, it->law.lb[j]), it->law.ub[j]);
    if (fabs(l - to) <= 2 * r->m->sim.ed.gap_tol || !(fabs(l - to) / size > worst)) continue;
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
  sprintf(simulation,
          "<simulation T='%g'><EventDriven h='%g' certificate='on'><CVodeOSI/></EventDriven>"
          "</simulation>",
          k->T, k->h);
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

static int fails(const kind *k, unsigned seed)
{
  trial t = try(k, seed, 0);
  if (failed(&t) || getenv("RANDOM_SHOW")) tell(k, seed, &t);
  return failed(&t);
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
  for (seed = 1; seed <= (unsigned)models(); seed++) bad += fails(k, seed);
  for (const unsigned *also = k->also; also && *also; also++)
    if (*also > (unsigned)models()) bad += fails(k, *also);
  ck_assert_msg(!bad, "%d of %d models of the kind %s", bad, models(), k->name);
}

START_TEST(random_models_are_right) { run_kind(&kinds[_i]); }
END_TEST

/* The same model in units of 1e-15 to 1e9 s: the same states at its end. Those of 1e-6 have no
 * longer seconds, for velocityTolerance is in the unit of the model. */
START_TEST(any_unit_of_time_gives_the_same_states)
{
  static void (*const make[])(generator * g) = {make_passive, make_dominant, make_relay};
  generator *g = calloc(1, sizeof *g);
  double x[2][STATES], extent = 0;
  char simulation[300];
  size_t events[2], n = 0;
  ck_assert_ptr_nonnull(g);
  for (int k = 0; k < 2; k++) {
    *g = (generator){.state = 1000003ULL * (unsigned)(700 + _i)};
    seconds = k ? pow(10, -15 + 4 * (_i % 7)) : 1;
    if (extent > 0 && extent < 1e-3) seconds = fmin(seconds, 1);
    make[_i % 3](g);
    snprintf(simulation, sizeof simulation,
             "<simulation T='%.17g'><EventDriven h='%.17g'><CVodeOSI/></EventDriven></simulation>",
             4 * seconds, 0.05 * seconds);
    run r = load_with(g, simulation);
    int rc = run_keep(&r);
    ck_assert_msg(rc == NS_OK, "%g s: %s", seconds, r.c.msg);
    n = r.m->nq;
    memcpy(x[k], r.x->q, n * sizeof *x[k]);
    events[k] = r.got.nevents;
    run_end(&r);
    for (size_t i = 0; i < n && k == 0; i++) extent = fmax(extent, fabs(x[0][i]));
  }
  for (size_t i = 0; i < n; i++)
    ck_assert_msg(fabs(x[0][i] - x[1][i]) <= 1e-7 * extent,
                  "%g s: x[%zu] ends at %.12g and %.12g, after %zu and %zu events", seconds, i,
                  x[0][i], x[1][i], events[0], events[1]);
  free(g);
}
END_TEST

/* The same model in units of 1e-12 to 1e3 of its states: the same motion, with as many events. */
START_TEST(any_unit_of_states_gives_the_same_motion)
{
  static void (*const make[])(generator * g) = {make_formulas, make_formulas, make_relay,
                                                make_passive, make_dominant};
  static const double units[] = {1, 1e-12, 1e-9, 1e-6, 1e-3, 1e3};
  enum { UNITS = sizeof units / sizeof *units };
  generator *g = calloc(1, sizeof *g);
  double x[2][STATES], extent = 0;
  size_t events[2];
  ck_assert_ptr_nonnull(g);
  for (int k = 0; k < UNITS; k++) {
    int to = k > 0;
    *g = (generator){.state = 1000003ULL * (unsigned)(900 + _i)};
    amount = units[k];
    make[_i % 5](g);
    run r = load_with(
        g, "<simulation T='4'><EventDriven h='0.05'><CVodeOSI/></EventDriven></simulation>");
    int rc = run_keep(&r);
    ck_assert_msg(rc == NS_OK, "unit %g: %s", amount, r.c.msg);
    for (size_t i = 0; i < r.m->nq; i++) {
      x[to][i] = r.x->q[i] / amount;
      if (!to) extent = fmax(extent, fabs(x[0][i]));
    }
    events[to] = r.got.nevents;
    for (size_t i = 0; i < r.m->nq; i++)
      ck_assert_msg(fabs(x[0][i] - x[to][i]) <= 1e-7 * extent,
                    "unit %g: x[%zu] ends at %.12g and %.12g, after %zu and %zu events", amount, i,
                    x[0][i], x[to][i], events[0], events[to]);
    ck_assert_msg(events[0] == events[to], "unit %g: %zu and %zu events", amount, events[0],
                  events[to]);
    run_end(&r);
  }
  free(g);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 3600);
  tcase_add_loop_test(t, random_models_are_right, 0, (int)(sizeof kinds / sizeof *kinds));
  tcase_add_loop_test(t, any_unit_of_time_gives_the_same_states, 0, 84);
  tcase_add_loop_test(t, any_unit_of_states_gives_the_same_motion, 0, 60);
}

int main(void) { return suite_run("random switching", fill); }
