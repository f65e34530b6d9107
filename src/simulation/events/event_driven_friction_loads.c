/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sticking contacts whose forces are not unique: a box on its four corners, a finger of a hand.
 *
 * Forces of the flow are those of equal springs in all rows that hold (acceleration.h). The
 * friction of one corner may come to its bound long before the body slides, for the others can take
 * its load over, and the motion does not depend on that. So what sticks does so as long as some
 * forces of the same motion are within all bounds mu lambda_n; then all that slides begins at once,
 * in the directions of one motion. That is a convex problem,
 *
 *   minimise kappa over lambda_t, lambda_n of what sticks and lambda_j of joints:
 *      |lambda_t| <= mu lambda_n - w (1 - kappa) mu lambda_n0 of each disc,
 *      H_t^T lambda_t + H_n^T lambda_n + H_j^T lambda_j = that of the springs
 *
 * with lambda_n0 of the springs. Normal forces change only where friction makes them: on a plane
 * they do not, w is 1, and the bounds are kappa mu lambda_n0. Those of a finger on a round post go
 * with the friction across the plane of the finger, which its joints take over; w is then a number
 * of the size of lambda_t/(mu lambda_n0).
 *
 * kappa = 1 is the event, one for all contacts; where normal forces do not change it is the part of
 * friction that is needed, and multipliers of the equalities are the motion that begins, in its
 * dual (limit analysis; for bodies on a plane Goyal, Ruina & Papadopoulos 1991,
 * doi:10.1016/0043-1648(91)90104-3): contacts that have a velocity in it slide against their
 * friction at the limit; one that has none sticks, the body turns about it. Forces and directions
 * continue into the sliding that follows. Else that motion would lift contacts as it slides them,
 * and the problem of the event says how sliding begins.
 *
 * With lambda_t = mu lambda_n0 xi, lambda_n = lambda_n0 nu, and (xi, nu) = (xi, nu)_0 + N c by a
 * basis N of what moves nothing, the barrier
 *
 *   t kappa - sum log(a^2 - |xi|^2),   a = w (kappa - 1) + nu
 *
 * is minimised by Newton's method for growing t (Boyd & Vandenberghe 2004, ch. 11). kappa is
 * extrapolated from the last two t; its velocities are xi/(a^2 - |xi|^2). Where normal forces
 * change, what is wedged holds any load, by any forces: -log kappa keeps kappa above 0, and
 * SMALL |c/w|^2 the forces small, which has no part in the limit as t grows.
 *
 * It applies where no change of friction that moves nothing changes the normal forces of several
 * contacts: bodies wedged between them have the forces of the problem of their event
 * (event_driven_event.c).
 *
 * Forces that are output lie between those of the springs and those at the limit: the first ones
 * within all bounds. */
#include "simulation/events/event_driven_modes.h"

#include "algebra/dense.h"

#include <string.h>

enum {
  MAX = 96,         /* rows that hold: the problem is dense, and is solved some dozen times */
  NEWTON_STEPS = 40 /* of Newton's method for a t */
};
static const double USED = 0.5;       /* of friction by one contact: less is no question */
static const double DEPENDENT = 1e-9; /* pivots of rows that depend on others, relative */
static const double COUPLED = 1e-9;   /* normal forces in N by sizes: less is rounding */
/* of friction by a contact whose normal force can change: it would be from next to nothing */
static const double MOST = 1e6;
static const double SMALL = 1e-2; /* of |c/w|^2 in the barrier */
static const double GROWS = 10;   /* t from one to the next */
static const double LAST = 1e8;   /* t by what it begins with */
/* the same, from which on what rounding keeps from going on is good: what is wedged far off */
static const double ENOUGH = 1e4;
static const double CENTRED = 1e-4; /* decrement of the last step, which squares it */
static const double MOVES = 1e-3;   /* of the largest velocity: less is at rest */

/* ---- memory ---------------------------------------------------------------------------------- */

int ns_ed_loads_create(event_driven *o)
{
  size_t rows = (size_t)o->s.k->nrows, n = rows < MAX ? rows : MAX, units = 2 * (rows + 1);
  ns_loads *l = &o->friction.loads;
  const size_t d = sizeof(double);
  const ns_array want[] = {{&l->xi, n, d},
                           {&l->trial, n, d},
                           {&l->g, n + 1, d},
                           {&l->M, n * n, d},
                           {&l->N, n * n, d},
                           {&l->H, (n + 1) * (n + 1), d},
                           {&l->bound, units, d},
                           {&l->slip, rows, d},
                           {&l->z, rows, d},
                           {&l->step, n + 1, d},
                           {&l->unit, n, d},
                           {&l->change, n + 1, d},
                           {&l->c, n, d},
                           {&l->load, units, sizeof *l->load},
                           {&l->row, n, sizeof *l->row},
                           {&l->column, n, sizeof *l->column},
                           {&l->goes, units, 1},
                           {&l->tried, units, 1}};
  return ns_arena_arrays(o->run.mem, want, sizeof want / sizeof *want);
}

/* ---- discs ----------------------------------------------------------------------------------- */

/* Calls for all discs that stick by friction: for (d = next(o, -1); d >= 0; d = next(o, d)). */
static int next(const event_driven *o, int d)
{
  const ns_contacts *k = o->s.k;
  const ns_unit *u = d < 0 ? NULL : &k->unit[ns_ed_unit_of(o, d)];
  int units = k->nunits, i = u ? k->position[u->first] + u->rows : 0;
  for (int rolling = d >= units; rolling < 2; rolling++, i = 0)
    for (; i < k->n; i += k->unit[k->unit_of[k->active[i]]].rows) {
      int of = k->unit_of[k->active[i]], disc = rolling ? units + of : of;
      if (rolling && !ns_ed_rolls(o, of)) continue;
      if (ns_ed_is_friction(o, of) && o->mode[disc] == NS_ED_STICK) return disc;
    }
  return -1;
}

static int normal_of(const event_driven *o, int disc)
{
  return o->s.k->unit[ns_ed_unit_of(o, disc)].first;
}

/* The largest part of its friction that a contact needs for the forces of the flow; 0 where one has
 * no normal force. */
static double largest_use(event_driven *o)
{
  double max = 0;
  for (int d = next(o, -1); d >= 0; d = next(o, d)) {
    int n = normal_of(o, d);
    double bound = o->friction.loads.bound[d] = ns_ed_mu(o, d) * (o->force[n] + o->slack[n]);
    if (!(bound > 0)) return 0;
    max = fmax(max, fabs(ns_ed_along(o, d, o->force)) / bound);
  }
  return max;
}

/* ---- what moves nothing ---------------------------------------------------------------------- */

static void swap_columns(ns_loads *l, int rows, int i, int j)
{
  int c = l->column[i];
  l->column[i] = l->column[j];
  l->column[j] = c;
  for (int k = 0; k < rows && i != j; k++) {
    double t = l->M[k + i * rows];
    l->M[k + i * rows] = l->M[k + j * rows];
    l->M[k + j * rows] = t;
  }
}

/* The largest of M [rows x cols], its rows from `rank` on, its columns from there to end - 1. */
static double find_pivot(const ns_loads *l, int rows, int rank, int end, int *p, int *q)
{
  double max = 0;
  for (int j = rank; j < end; j++)
    for (int i = rank; i < rows; i++)
      if (fabs(l->M[i + j * rows]) > max) max = fabs(l->M[i + j * rows]), *p = i, *q = j;
  return max;
}

/* M [rows x cols] to its reduced form with complete pivoting: the unit matrix in the first *rank
 * columns, whose numbers are in l->column. Called for first columns, up to `end`, and then for
 * more, with *rank and *first, the first pivot, that were left: both are 0 before. */
static void reduce(ns_loads *l, int rows, int cols, int end, int *rank, double *first)
{
  double *M = l->M;
  int p = 0, q = 0;
  for (; *rank < rows && *rank < end; ++*rank) {
    int k = *rank;
    double max = find_pivot(l, rows, k, end, &p, &q);
    if (k == 0) *first = max;
    if (!(max > DEPENDENT * *first)) return;
    swap_columns(l, rows, k, q);
    for (int j = 0; j < cols && p != k; j++) {
      double t = M[k + j * rows];
      M[k + j * rows] = M[p + j * rows];
      M[p + j * rows] = t;
    }
    for (int j = cols; j-- > k;) M[k + j * rows] /= M[k + k * rows];
    for (int i = 0; i < rows; i++) {
      double f = M[i + k * rows];
      for (int j = k; j < cols && i != k && f != 0; j++) M[i + j * rows] -= f * M[k + j * rows];
    }
  }
}

/* Places among the rows that hold, to l->row, of the rows of friction of sticking discs, disc by
 * disc, then of their normals and of joints; units of their forces to l->unit. l->load: where the
 * normal of a disc is in that list. *cols: of friction. Returns the number of all. */
static int list_rows(event_driven *o, int *cols)
{
  ns_loads *l = &o->friction.loads;
  const ns_acceleration *a = &o->hold;
  double largest = 0;
  int n = 0;
  for (int d = next(o, -1); d >= 0; d = next(o, d))
    for (int r = ns_ed_disc_first(o, d); r < ns_ed_disc_end(o, d); r++, n++) {
      l->row[n] = o->place[r];
      l->unit[n] = l->bound[d];
      largest = fmax(largest, a->size[l->row[n]] * l->unit[n]);
    }
  *cols = n;
  for (int d = next(o, -1); d >= 0; d = next(o, d)) {
    int r = normal_of(o, d), rolls = ns_ed_unit_of(o, d) != d;
    l->load[d] = rolls && o->mode[ns_ed_unit_of(o, d)] == NS_ED_STICK ? l->load[ns_ed_unit_of(o, d)]
                                                                      : n;
    if (l->load[d] < n) continue;
    l->row[n] = o->place[r];
    l->unit[n++] = fmax(0, o->force[r]); /* none: it does not change */
  }
  for (int i = 0; i < a->n; i++) {
    if (!ns_ed_is_joint(o, o->row[i])) continue;
    l->row[n] = i;
    l->unit[n++] = largest / a->size[i];
  }
  return n;
}

/* Columns of D in l->row, from..to - 1, to M from `at` on: of the rows that hold, by their sizes.
 */
static void put_columns(event_driven *o, int from, int to, int at)
{
  ns_loads *l = &o->friction.loads;
  const ns_acceleration *a = &o->hold;
  int n = a->n;
  for (int j = from; j < to; j++, at++) {
    l->column[at] = j;
    for (int i = 0; i < n; i++)
      l->M[i + at * n] = ns_acceleration_entry(a, i, l->row[j]) / (a->size[i] * a->size[l->row[j]]);
  }
}

/* Contacts whose normal force changes by a column of N. */
static int count_normals(const event_driven *o, const double *N)
{
  int n = 0, last = -1;
  for (int d = next(o, -1); d >= 0; d = next(o, d)) {
    int load = o->friction.loads.load[d];
    n += load != last && fabs(N[load]) > COUPLED;
    last = load;
  }
  return n;
}

/* A column of N from forces by the sizes of their rows to forces by their units, of which that of
 * `one` is 1. */
static void to_units(const event_driven *o, int all, int one, double *N)
{
  const ns_loads *l = &o->friction.loads;
  const double *size = o->hold.size;
  double by = size[l->row[one]] * l->unit[one];
  for (int i = 0; i < all; i++) {
    double unit = size[l->row[i]] * l->unit[i];
    N[i] = unit > 0 ? N[i] * by / unit : 0;
  }
}

/* N [all x k] and k, the number of ways in which friction can change, for what the others take
 * over: these are reduced first, and those that depend on others left as they are. 0: there are
 * none, or one changes several normal forces. */
static int find_basis(event_driven *o, int cols, int all, double use)
{
  ns_loads *l = &o->friction.loads;
  int n = o->hold.n, others = all - cols, rank = 0;
  double first = 0;
  put_columns(o, cols, all, 0);
  put_columns(o, 0, cols, others);
  reduce(l, n, all, others, &rank, &first);
  int kept = rank + cols;
  memmove(l->column + rank, l->column + others, (size_t)cols * sizeof *l->column);
  memmove(l->M + rank * n, l->M + others * n, (size_t)(cols * n) * sizeof *l->M);
  reduce(l, n, kept, kept, &rank, &first);
  int k = kept - rank;
  l->coupled = 0;
  for (int j = 0; j < k; j++) {
    double *N = l->N + j * all;
    memset(N, 0, (size_t)all * sizeof *N);
    for (int i = 0; i < rank; i++) N[l->column[i]] = -l->M[i + (rank + j) * n];
    N[l->column[rank + j]] = 1;
    int normals = count_normals(o, N);
    if (normals > 1 || (normals && use > MOST)) return 0;
    l->coupled |= normals;
    to_units(o, all, l->column[rank + j], N);
  }
  for (int j = 0; j < k && !l->coupled; j++)
    for (int d = next(o, -1); d >= 0; d = next(o, d)) l->N[l->load[d] + j * all] = 0;
  return k;
}

/* ---- the limit ------------------------------------------------------------------------------- */

/* a^2 - |xi|^2 of a disc with its rows from *at on, which is then behind them; and *a. */
static double room(const event_driven *o, int disc, double kappa, const double *xi, int *at,
                   double *a)
{
  const ns_loads *l = &o->friction.loads;
  *a = l->weight * (kappa - 1) + xi[l->load[disc]];
  double s = *a * *a;
  int rows = ns_ed_disc_end(o, disc) - ns_ed_disc_first(o, disc);
  for (int i = 0; i < rows; i++, ++*at) s -= xi[*at] * xi[*at];
  return s;
}

/* sum log(a^2 - |xi|^2), and log kappa; -inf: outside. */
static double logarithms(const event_driven *o, double kappa, const double *xi)
{
  double sum = 0, product = 1, a;
  int at = 0;
  for (int d = next(o, -1); d >= 0; d = next(o, d)) {
    double s = room(o, d, kappa, xi, &at, &a);
    if (!(s > 0 && a > 0)) return -INFINITY;
    product *= s;
    if (product < 1e-200) sum += log(product), product = 1;
  }
  if (o->friction.loads.coupled) product *= fmax(0, kappa);
  return product > 0 ? sum + log(product) : -INFINITY;
}

/* What a disc with its rows from *at adds to gradient and Hessian of the barrier by (c, kappa). Of
 * s = a^2 - |xi|^2 these are -ds/s and ds ds^T/s^2 - dds/s. */
static void add_disc(event_driven *o, int disc, int *at, int all, int k, double kappa)
{
  ns_loads *l = &o->friction.loads;
  int m = k + 1, from = *at, load = l->load[disc];
  double a, s = room(o, disc, kappa, l->xi, at, &a), *ds = l->change;
  ds[k] = 2 * a * l->weight;
  for (int i = 0; i < k; i++) {
    const double *N = l->N + i * all;
    ds[i] = 2 * a * N[load];
    for (int r = from; r < *at; r++) ds[i] -= 2 * N[r] * l->xi[r];
  }
  for (int i = 0; i < m; i++) {
    const double *Ni = l->N + i * all;
    l->g[i] -= ds[i] / s;
    for (int j = 0; j <= i; j++) {
      const double *Nj = l->N + j * all;
      double dds = 2 * (i < k ? Ni[load] : l->weight) * (j < k ? Nj[load] : l->weight);
      for (int r = from; r < *at && i < k; r++) dds -= 2 * Ni[r] * Nj[r];
      l->H[i + j * m] += ds[i] * ds[j] / (s * s) - dds / s;
    }
  }
}

static double small(const ns_loads *l) { return SMALL / (l->weight * l->weight); }

/* The step of Newton's method for the barrier at t to l->step; its decrement; NAN: none. */
static double newton(event_driven *o, int all, int k, double t, double kappa)
{
  ns_loads *l = &o->friction.loads;
  int m = k + 1, at = 0;
  double decrement = 0;
  memset(l->g, 0, (size_t)m * sizeof *l->g);
  memset(l->H, 0, (size_t)(m * m) * sizeof *l->H);
  l->g[k] = t;
  for (int d = next(o, -1); d >= 0; d = next(o, d)) add_disc(o, d, &at, all, k, kappa);
  if (l->coupled) {
    l->g[k] -= 1 / kappa;
    l->H[k + k * m] += 1 / (kappa * kappa);
    for (int i = 0; i < k; i++) {
      l->g[i] += 2 * small(l) * l->c[i];
      l->H[i + i * m] += 2 * small(l);
    }
  }
  if (ns_dense_cholesky(m, l->H, m)) return NAN;
  for (int i = 0; i < m; i++) l->step[i] = -l->g[i];
  ns_dense_cholesky_solve(m, l->H, m, 1, l->step, m);
  for (int i = 0; i < m; i++) decrement -= l->g[i] * l->step[i];
  return sqrt(decrement);
}

/* l->trial := xi along the step. */
static void go(ns_loads *l, int all, int k, double part)
{
  for (int i = 0; i < all; i++) {
    l->trial[i] = l->xi[i];
    for (int j = 0; j < k; j++) l->trial[i] += part * l->step[j] * l->N[i + j * all];
  }
}

/* The term of |c|^2 along the step. */
static double smallness(const ns_loads *l, int k, double part)
{
  double sum = 0;
  for (int i = 0; i < k && l->coupled; i++) {
    double c = l->c[i] + part * l->step[i];
    sum += c * c;
  }
  return small(l) * sum;
}

/* xi and kappa that minimise the barrier at t, from inside; 0: not found. */
static int centre(event_driven *o, int all, int k, double t, double *kappa)
{
  ns_loads *l = &o->friction.loads;
  for (int pass = 0; pass < NEWTON_STEPS; pass++) {
    double decrement = newton(o, all, k, t, *kappa), part = 1, f;
    if (isnan(decrement)) return 0;
    double f0 = -logarithms(o, *kappa, l->xi);
    for (;; part /= 2) {
      go(l, all, k, part);
      f = part * t * l->step[k] - logarithms(o, *kappa + part * l->step[k], l->trial) +
          smallness(l, k, part) - smallness(l, k, 0);
      int better = f <= f0 - part * decrement * decrement / 10 || decrement < 0.1;
      if (isfinite(f) && better) break;
      if (part < 1e-6) return 0;
    }
    memcpy(l->xi, l->trial, (size_t)all * sizeof *l->xi);
    for (int i = 0; i < k; i++) l->c[i] += part * l->step[i];
    *kappa += part * l->step[k];
    if (decrement <= CENTRED) return 1;
  }
  return 1;
}

/* The limit, for one contact needs `use` of its friction: kappa, and xi near it at the last t. */
static int find_limit(event_driven *o, int cols, int all, int k, double use, double *kappa)
{
  ns_loads *l = &o->friction.loads;
  l->weight = l->coupled ? fmax(1, use) : 1;
  double inside = l->coupled ? 2 : 1.5 * use, before = inside, first = cols / use;
  for (int j = 0; j < all; j++) l->xi[j] = o->force[o->row[l->row[j]]] / l->unit[j];
  for (int d = next(o, -1); d >= 0; d = next(o, d)) l->xi[l->load[d]] = 1;
  memset(l->c, 0, (size_t)k * sizeof *l->c);
  for (double t = first; t <= LAST * first; t *= GROWS) {
    double next_inside = inside;
    if (!centre(o, all, k, t, &next_inside)) {
      if (t < ENOUGH * first) return 0;
      break;
    }
    before = inside;
    inside = next_inside;
  }
  *kappa = (GROWS * inside - before) / (GROWS - 1); /* kappa(t) = kappa + a/t + ... */
  for (int j = 0; j < all; j++) {
    int r = o->row[l->row[j]];
    l->z[r] = l->unit[j] > 0 ? l->xi[j] * l->unit[j] : o->force[r];
  }
  double max = 0, a;
  int at = 0;
  for (int d = next(o, -1); d >= 0; d = next(o, d)) {
    int j = at;
    double s = room(o, d, inside, l->xi, &at, &a);
    for (int r = ns_ed_disc_first(o, d); j < at; r++, j++)
      l->slip[r] = -l->xi[j] / (s * l->bound[d]);
    max = fmax(max, fabs(ns_ed_along(o, d, l->slip)));
  }
  for (int d = next(o, -1); d >= 0; d = next(o, d))
    l->goes[d] = fabs(ns_ed_along(o, d, l->slip)) >= MOVES * max;
  return 1;
}

/* ---- forces ---------------------------------------------------------------------------------- */

/* How much of the way from the forces of the flow to those at the limit brings a disc within its
 * bound. */
static double way_within(const event_driven *o, int disc)
{
  const ns_loads *l = &o->friction.loads;
  double outside = 0, inside = 1;
  int n = normal_of(o, disc);
  for (int halving = 0; halving <= 52; halving++) {
    double part = halving ? (outside + inside) / 2 : 0, along = 0;
    for (int r = ns_ed_disc_first(o, disc); r < ns_ed_disc_end(o, disc); r++)
      along = hypot(along, o->force[r] + part * (l->z[r] - o->force[r]));
    double more = ns_ed_mu(o, disc) * part * (l->z[n] - o->force[n]);
    if (along > l->bound[disc] + more) outside = part;
    else inside = part;
    if (inside == 0) return 0;
  }
  return inside;
}

static void move_within(event_driven *o, int all)
{
  const ns_loads *l = &o->friction.loads;
  double part = 0;
  for (int d = next(o, -1); d >= 0; d = next(o, d)) part = fmax(part, way_within(o, d));
  for (int j = 0; j < all && part > 0; j++) {
    int r = o->row[l->row[j]];
    o->force[r] += part * (l->z[r] - o->force[r]);
  }
}

void ns_ed_share_loads(event_driven *o)
{
  ns_loads *l = &o->friction.loads;
  const ns_acceleration *a = &o->hold;
  double use, kappa;
  l->shared = 0;
  if (o->stressed || !o->equal.n || a->rank == a->n || a->n > MAX) return;
  if (!((use = largest_use(o)) >= USED)) return;
  int cols, all = list_rows(o, &cols), k = find_basis(o, cols, all, use);
  if (k == 0 || !find_limit(o, cols, all, k, use, &kappa)) return;
  l->shared = 1;
  l->kappa = kappa;
  move_within(o, all);
}
