/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sticking contacts whose forces are not unique: a box on its four corners, a finger of a hand, a
 * body wedged between walls.
 *
 * Forces of the flow are those of equal springs in all rows that hold (acceleration.h). The
 * friction of one corner may come to its bound long before the body slides, for the others can take
 * its load over, and the motion does not depend on that. So what sticks does so as long as some
 * forces of the same motion are within all cones; then what cannot go on sticking begins to slide
 * at once. That is a convex problem, for each set of contacts and joints that act on the same
 * bodies,
 *
 *   minimise kappa over lambda_t, lambda_n of what sticks and lambda_j of joints:
 *      |lambda_t| <= mu (lambda_n + (kappa - 1) omega) of each disc,
 *      H_t^T lambda_t + H_n^T lambda_n + H_j^T lambda_j = that of the springs
 *
 * kappa = 1 is the event. Normal forces change only where friction makes them. On a plane they do
 * not: they are those of the springs, which are omega, and the bounds are kappa mu lambda_n. Where
 * friction across a guide or between walls changes them, they are free, and omega is a number of
 * the size sigma of the forces that act on the contact: all of them can be in their cones, or none.
 * What is wedged holds any load, by any forces. Contacts that hold without friction have the cone
 * lambda_n >= 0. Rigid contacts leave it open whether such forces are there: a wheel of radius R
 * and weight m g in a groove whose walls lean by b from the vertical, mu > tan b, is held against
 * any torque, but elastic contacts that only its weight presses let it turn at
 * mu m g R/((1 + mu^2) sin b), or where it rolls up a wall.
 *
 * Where normal forces do not change kappa is the part of friction that is needed, and multipliers
 * of the equalities are the motion that begins, in its dual (limit analysis; for bodies on a plane
 * Goyal, Ruina & Papadopoulos 1991, doi:10.1016/0043-1648(91)90104-3): contacts that have a
 * velocity in it slide against their friction at the limit; one that has none sticks, the body
 * turns about it. Forces and directions continue into the sliding that follows. Else that motion
 * would lift contacts as it slides them, and the problem of the event, with a little less friction,
 * says how the motion begins (event_driven_friction_rest.c).
 *
 * With lambda_t = mu sigma xi, lambda_n = sigma nu, and (xi, nu) = (xi, nu)_0 + N c by a basis N of
 * what moves nothing, the barrier
 *
 *   t kappa - sum log(a^2 - |xi|^2) - log kappa + SMALL |c|^2,   a = nu + (kappa - 1) omega/sigma
 *
 * is minimised by Newton's method for growing t (Boyd & Vandenberghe 2004, ch. 11). kappa is
 * extrapolated from the last two t; its velocities are xi/(a^2 - |xi|^2). The last terms, which
 * have no part in the limit as t grows, keep kappa and the forces of what is wedged finite.
 *
 * Where some contacts of a set slide, the motion depends on the normal forces of these: they are
 * those of the problem of the event, and what moves nothing between them stays
 * (event_driven_event.c).
 *
 * Forces that are output lie between those of the springs and those at the limit: the first ones
 * within all bounds. */
#include "algebra/vector.h"
#include "simulation/events/event_driven_modes.h"

#include "algebra/dense.h"

#include <string.h>

enum {
  MAX = 96,         /* rows of a set: the problem is dense, and is solved some dozen times */
  NEWTON_STEPS = 40 /* of Newton's method for a t */
};
static const double USED = 0.5;       /* of friction by one contact: less is no question */
static const double LIGHT = 0.05;     /* normal force, by sigma: more is no question */
static const double DEPENDENT = 1e-9; /* pivots of rows that depend on others, relative */
static const double COUPLED = 1e-9;   /* normal forces in N by sizes: less is rounding */
static const double BARE = 1e-9;      /* normal force, by sigma: less takes no friction */
static const double SMALL = 1e-2;     /* of |c|^2 in the barrier */
static const double GROWS = 10;       /* t from one to the next */
static const double LAST = 1e8;       /* t of kappa of the size of 1 */
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
                           {&l->last, n, d},
                           {&l->g, n + 1, d},
                           {&l->M, n * n, d},
                           {&l->N, n * n, d},
                           {&l->H, (n + 1) * (n + 1), d},
                           {&l->sigma, units, d},
                           {&l->kappa, units, d},
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
                           {&l->lifts, units, 1},
                           {&l->shared, units, 1},
                           {&l->ended, units, 1},
                           {&l->tried, units, 1}};
  return ns_arena_arrays(o->run.mem, want, sizeof want / sizeof *want);
}

/* ---- cones ----------------------------------------------------------------------------------- */

static int normal_of(const event_driven *o, int disc)
{
  return o->s.k->unit[ns_ed_unit_of(o, disc)].first;
}

/* The set of rows that hold and act on the same bodies that a disc is in. */
static int set_of(const event_driven *o, int disc)
{
  return o->hold.of[o->place[normal_of(o, disc)]];
}

/* What sticks by friction, or a contact that holds without. */
static int is_cone(const event_driven *o, int d)
{
  int units = o->s.k->nunits, u = ns_ed_unit_of(o, d), rolling = d >= units;
  if (rolling && !ns_ed_rolls(o, u)) return 0;
  if (o->mode[d] == NS_ED_STICK) return ns_ed_is_friction(o, u);
  return o->mode[d] == NS_ED_CLOSED && !rolling && ns_ed_is_unilateral(o, normal_of(o, d));
}

/* The same of the current set: for (d = next(o, -1); d >= 0; d = next(o, d)). */
static int next(const event_driven *o, int d)
{
  const ns_contacts *k = o->s.k;
  const ns_unit *u = d < 0 ? NULL : &k->unit[ns_ed_unit_of(o, d)];
  int units = k->nunits, i = u ? k->position[u->first] + u->rows : 0;
  for (int rolling = d >= units; rolling < 2; rolling++, i = 0)
    for (; i < k->n; i += k->unit[k->unit_of[k->active[i]]].rows) {
      int of = k->unit_of[k->active[i]], disc = rolling ? units + of : of;
      if (is_cone(o, disc) && set_of(o, disc) == o->friction.loads.current) return disc;
    }
  return -1;
}

/* Rows of its friction: the first, and the one after the last. */
static int first_of(const event_driven *o, int disc) { return ns_ed_disc_first(o, disc); }
static int end_of(const event_driven *o, int disc)
{
  return o->mode[disc] == NS_ED_STICK ? ns_ed_disc_end(o, disc) : ns_ed_disc_first(o, disc);
}

static double length_of(const event_driven *o, int disc, const double *x)
{
  int t = first_of(o, disc), n = end_of(o, disc) - t;
  return n > 0 ? ns_ed_length(n, x + t) : 0;
}

/* Size of the forces that act on the contact of a disc, by what they accelerate its gap, and of the
 * normal force that its friction asks for. */
static double find_sigma(const event_driven *o, int disc)
{
  const ns_acceleration *a = &o->hold;
  const ns_loads *l = &o->friction.loads;
  int u = ns_ed_unit_of(o, disc), i = o->place[normal_of(o, u)];
  double sum = 0, asked = 0;
  for (int j = 0; j < l->rows; j++)
    sum += fabs(ns_acceleration_entry(a, i, l->member[j]) * o->force[o->row[l->member[j]]]);
  for (int d = u; d >= 0; d = ns_ed_next_disc(o, d))
    if (o->mode[d] == NS_ED_STICK) asked = fmax(asked, length_of(o, d, o->force) / ns_ed_mu(o, d));
  return sum / ns_acceleration_entry(a, i, i) + asked;
}

/* 1: some friction sticks, and some cone is so nearly used up that others are a question. */
static int is_tight(event_driven *o)
{
  ns_loads *l = &o->friction.loads;
  double largest = 0;
  int tight = 0, sticks = 0;
  for (int d = next(o, -1); d >= 0; d = next(o, d))
    largest = fmax(largest, l->sigma[d] = find_sigma(o, d));
  for (int d = next(o, -1); d >= 0; d = next(o, d)) {
    double normal = o->force[normal_of(o, d)];
    if (!(l->sigma[d] > 0)) l->sigma[d] = largest;
    tight |= normal < LIGHT * l->sigma[d] ||
             length_of(o, d, o->force) > USED * ns_ed_mu(o, d) * normal;
    sticks |= o->mode[d] == NS_ED_STICK;
  }
  return tight && sticks && largest > 0;
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

/* Places among the rows that hold, to l->row, of the rows of friction of the set, disc by disc,
 * then of its normals and of joints; units of their forces to l->unit. l->load: where the normal of
 * a disc is in that list; l->joints: where joints begin. *cols: of friction. Returns the number of
 * all. */
static int list_rows(event_driven *o, int *cols)
{
  ns_loads *l = &o->friction.loads;
  const ns_acceleration *a = &o->hold;
  double largest = 0;
  int n = 0;
  for (int d = next(o, -1); d >= 0; d = next(o, d))
    for (int r = first_of(o, d); r < end_of(o, d); r++, n++) {
      l->row[n] = o->place[r];
      l->unit[n] = ns_ed_mu(o, d) * l->sigma[d];
      largest = fmax(largest, a->size[l->row[n]] * l->unit[n]);
    }
  *cols = n;
  for (int d = next(o, -1); d >= 0; d = next(o, d)) {
    int u = ns_ed_unit_of(o, d), listed = u != d && is_cone(o, u);
    l->load[d] = listed ? l->load[u] : n;
    if (listed) continue;
    l->row[n] = o->place[normal_of(o, d)];
    l->unit[n++] = l->sigma[d];
  }
  l->joints = n;
  for (int j = 0; j < l->rows; j++) {
    int i = l->member[j];
    if (!ns_ed_is_joint(o, o->row[i])) continue;
    l->row[n] = i;
    l->unit[n++] = largest / a->size[i];
  }
  return n;
}

/* Columns of D in l->row, from..to - 1, to M [rows x ...] from `at` on: of the rows of the set, by
 * their sizes. */
static void put_columns(event_driven *o, int from, int to, int at)
{
  ns_loads *l = &o->friction.loads;
  const ns_acceleration *a = &o->hold;
  for (int j = from; j < to; j++, at++) {
    double *M = l->M + at * l->rows;
    l->column[at] = j;
    for (int i = 0; i < l->rows; i++)
      *M++ = ns_acceleration_entry(a, l->member[i], l->row[j]) /
             (a->size[l->member[i]] * a->size[l->row[j]]);
  }
}

static int changes_normals(const event_driven *o, const double *N)
{
  int some = 0;
  for (int d = next(o, -1); d >= 0; d = next(o, d))
    some |= fabs(N[o->friction.loads.load[d]]) > COUPLED;
  return some;
}

/* A column of N from forces by the sizes of their rows to forces by their units, of which that of
 * `one` is 1. */
static void to_units(const event_driven *o, int all, int one, double *N)
{
  const ns_loads *l = &o->friction.loads;
  const double *size = o->hold.size;
  double by = size[l->row[one]] * l->unit[one];
  for (int i = 0; i < all; i++) N[i] *= by / (size[l->row[i]] * l->unit[i]);
}

/* Some contact of the set slides: the motion depends on its normal force. */
static int some_slide(const event_driven *o)
{
  const ns_loads *l = &o->friction.loads;
  int some = 0;
  for (int j = 0; j < l->rows; j++)
    some |= o->mode[ns_ed_unit(o, o->row[l->member[j]])] == NS_ED_SLIP;
  return some;
}

/* A contact slides but does not roll: the set has its normal force, which is not free, and others
 * are not by it. */
static int some_roll(const event_driven *o)
{
  int some = 0;
  for (int d = next(o, -1); d >= 0; d = next(o, d))
    some |= o->mode[ns_ed_unit_of(o, d)] == NS_ED_SLIP;
  return some;
}

/* N [all x k] and k, the number of ways in which forces can change: of friction, for what the
 * others take over, which are reduced first. What of these depends on others is left as it is,
 * unless friction changes normal forces. */
static int find_basis(event_driven *o, int cols, int all)
{
  ns_loads *l = &o->friction.loads;
  int n = l->rows, from = some_roll(o) ? l->joints : cols, others = all - from, m = cols + others;
  int rank = 0;
  double first = 0;
  put_columns(o, from, all, 0);
  put_columns(o, 0, cols, others);
  reduce(l, n, m, others, &rank, &first);
  int left = others - rank, k = m - left;
  for (int i = 0; i < left && i < cols; i++) swap_columns(l, n, rank + i, m - 1 - i);
  reduce(l, n, m, k, &rank, &first);
  l->coupled = 0;
  for (int j = rank; j < m; j++) {
    double *N = l->N + (j - rank) * all;
    memset(N, 0, (size_t)all * sizeof *N);
    for (int i = 0; i < rank; i++) N[l->column[i]] = -l->M[i + j * n];
    N[l->column[j]] = 1;
    if (j < k) l->coupled |= changes_normals(o, N);
    to_units(o, all, l->column[j], N);
  }
  if (l->coupled) return m - rank;
  for (int j = 0; j < k - rank; j++)
    for (int d = next(o, -1); d >= 0; d = next(o, d)) l->N[l->load[d] + j * all] = 0;
  return k - rank;
}

/* ---- the limit ------------------------------------------------------------------------------- */

/* omega/sigma of a disc. */
static double weight(const ns_loads *l, const double *xi, int disc)
{
  return l->coupled ? 1 : xi[l->load[disc]];
}

/* a^2 - |xi|^2 of a disc with its rows from *at on, which is then behind them; and *a. */
static double room(const event_driven *o, int disc, double kappa, const double *xi, int *at,
                   double *a)
{
  const ns_loads *l = &o->friction.loads;
  *a = weight(l, xi, disc) * (kappa - 1) + xi[l->load[disc]];
  double s = *a * *a;
  for (int i = first_of(o, disc); i < end_of(o, disc); i++, ++*at) s -= xi[*at] * xi[*at];
  return s;
}

/* sum log(a^2 - |xi|^2), and log kappa; -inf: outside. */
static double logarithms(const event_driven *o, double kappa, const double *xi)
{
  double sum = 0, product = fmax(0, kappa), a;
  int at = 0;
  for (int d = next(o, -1); d >= 0; d = next(o, d)) {
    double s = room(o, d, kappa, xi, &at, &a);
    if (!(s > 0 && a > 0)) return -INFINITY;
    product *= s;
    if (product < 1e-200) sum += log(product), product = 1;
  }
  return product > 0 ? sum + log(product) : -INFINITY;
}

/* What a disc with its rows from *at adds to gradient and Hessian of the barrier by (c, kappa). Of
 * s = a^2 - |xi|^2 these are -ds/s and ds ds^T/s^2 - dds/s. */
static void add_disc(event_driven *o, int disc, int *at, int all, int k, double kappa)
{
  ns_loads *l = &o->friction.loads;
  int m = k + 1, from = *at, load = l->load[disc];
  double a, s = room(o, disc, kappa, l->xi, at, &a), *ds = l->change, w = weight(l, l->xi, disc);
  ds[k] = 2 * a * w;
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
      double dds = 2 * (i < k ? Ni[load] : w) * (j < k ? Nj[load] : w);
      for (int r = from; r < *at && i < k; r++) dds -= 2 * Ni[r] * Nj[r];
      l->H[i + j * m] += ds[i] * ds[j] / (s * s) - dds / s;
    }
  }
}

/* The step of Newton's method for the barrier at t to l->step; its decrement; NAN: none. */
static double newton(event_driven *o, int all, int k, double t, double kappa)
{
  ns_loads *l = &o->friction.loads;
  int m = k + 1, at = 0;
  double decrement = 0;
  memset(l->g, 0, (size_t)m * sizeof *l->g);
  memset(l->H, 0, (size_t)(m * m) * sizeof *l->H);
  l->g[k] = t - 1 / kappa;
  l->H[k + k * m] = 1 / (kappa * kappa);
  for (int i = 0; i < k; i++) {
    l->g[i] = 2 * SMALL * l->c[i];
    l->H[i + i * m] = 2 * SMALL;
  }
  for (int d = next(o, -1); d >= 0; d = next(o, d)) add_disc(o, d, &at, all, k, kappa);
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
  for (int i = 0; i < k; i++) {
    double c = l->c[i] + part * l->step[i];
    sum += c * c;
  }
  return SMALL * sum;
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
    ns_axpy((size_t)k, part, l->step, l->c);
    *kappa += part * l->step[k];
    if (decrement <= CENTRED) return 1;
  }
  return 1;
}

/* xi, nu of the forces of the flow. */
static void begin(event_driven *o, int all, int k)
{
  ns_loads *l = &o->friction.loads;
  for (int j = 0; j < all; j++) l->xi[j] = o->force[o->row[l->row[j]]] / l->unit[j];
  for (int d = next(o, -1); d >= 0 && !l->coupled; d = next(o, d))
    l->xi[l->load[d]] = fmax(BARE, l->xi[l->load[d]]);
  memset(l->c, 0, (size_t)k * sizeof *l->c);
}

/* A kappa with which they are inside. */
static double kappa_inside(const event_driven *o)
{
  const ns_loads *l = &o->friction.loads;
  double max = 0, a;
  int at = 0;
  for (int d = next(o, -1); d >= 0; d = next(o, d)) {
    double along = sqrt(-fmin(0, room(o, d, 1, l->xi, &at, &a) - a * a));
    max = fmax(max, (along - a) / weight(l, l->xi, d) + 1);
  }
  return 1.5 * max + 1;
}

/* What slides and what lifts in the motion that begins: l->slip, goes, lifts. */
static void find_motion(event_driven *o, double kappa)
{
  ns_loads *l = &o->friction.loads;
  double fastest = 0, most = 0, a;
  int at = 0;
  for (int d = next(o, -1); d >= 0; d = next(o, d)) {
    int j = at;
    double s = room(o, d, kappa, l->xi, &at, &a);
    most = fmax(most, a / s);
    for (int r = first_of(o, d); j < at; r++, j++) l->slip[r] = -l->xi[j] / (s * l->unit[j]);
    fastest = fmax(fastest, length_of(o, d, l->slip));
  }
  at = 0;
  for (int d = next(o, -1); d >= 0; d = next(o, d)) {
    double s = room(o, d, kappa, l->xi, &at, &a), along = sqrt(fmax(0, a * a - s));
    l->goes[d] = length_of(o, d, l->slip) >= MOVES * fastest;
    l->lifts[d] = l->coupled && 1 / (a + along) >= MOVES * most;
  }
}

/* The limit: kappa, forces l->z, and what moves. Where t grows both go with 1/t. */
static int find_limit(event_driven *o, int cols, int all, int k, double *kappa)
{
  ns_loads *l = &o->friction.loads;
  begin(o, all, k);
  double inside = kappa_inside(o), before = inside, first = cols / inside;
  for (double t = first; t <= LAST * cols; t *= GROWS) {
    double next_inside = inside;
    memcpy(l->last, l->xi, (size_t)all * sizeof *l->xi);
    if (!centre(o, all, k, t, &next_inside)) {
      memcpy(l->xi, l->last, (size_t)all * sizeof *l->xi);
      if (t < ENOUGH * cols) return 0;
      break;
    }
    before = inside;
    inside = next_inside;
    for (int j = 0; j < all; j++)
      l->z[o->row[l->row[j]]] = l->unit[j] * (l->xi[j] + (l->xi[j] - l->last[j]) / (GROWS - 1));
  }
  *kappa = inside + (inside - before) / (GROWS - 1);
  for (int d = next(o, -1); d >= 0 && !l->coupled; d = next(o, d))
    l->z[normal_of(o, d)] = o->force[normal_of(o, d)];
  find_motion(o, inside);
  return 1;
}

/* ---- forces ---------------------------------------------------------------------------------- */

/* How much of the way from the forces of the flow to those at the limit brings a disc within its
 * cone. */
static double way_within(const event_driven *o, int disc)
{
  const ns_loads *l = &o->friction.loads;
  double outside = 0, inside = 1;
  int n = normal_of(o, disc);
  for (int halving = 0; halving <= 52; halving++) {
    double part = halving ? (outside + inside) / 2 : 0, along = 0;
    for (int r = first_of(o, disc); r < end_of(o, disc); r++)
      along = hypot(along, o->force[r] + part * (l->z[r] - o->force[r]));
    double normal = o->force[n] + o->slack[n] + part * (l->z[n] - o->force[n]);
    if (along > ns_ed_mu(o, disc) * normal || (l->coupled && normal < 0)) outside = part;
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

/* ---- sets ------------------------------------------------------------------------------------ */

static void share(event_driven *o)
{
  ns_loads *l = &o->friction.loads;
  double kappa;
  int cols;
  const ns_acceleration *a = &o->hold.block[l->current];
  l->rows = a->n;
  l->member = a->member;
  if (a->rank == a->n || a->n > MAX || (o->stressed && some_slide(o)) || !is_tight(o)) return;
  int all = list_rows(o, &cols), k = find_basis(o, cols, all);
  if (k == 0 || !find_limit(o, cols, all, k, &kappa)) return;
  for (int d = next(o, -1); d >= 0; d = next(o, d)) {
    l->shared[d] = l->coupled ? NS_LOADS_WEDGED : NS_LOADS_ON_PLANE;
    l->kappa[d] = kappa;
    l->some = 1;
  }
  move_within(o, all);
}

void ns_ed_share_loads(event_driven *o)
{
  ns_loads *l = &o->friction.loads;
  if (l->some) memset(l->shared, NS_LOADS_OWN, 2 * (size_t)o->s.k->nunits);
  l->some = 0;
  if (!o->equal.n || o->hold.rank == o->hold.n) return;
  for (l->current = 0; l->current < o->hold.nblocks; l->current++) share(o);
}

int ns_ed_same_loads(const event_driven *o, int disc, int other)
{
  const ns_loads *l = &o->friction.loads;
  return l->shared[disc] && l->shared[other] && set_of(o, disc) == set_of(o, other);
}

ns_loads_kind ns_ed_carries(const event_driven *o, int disc)
{
  const ns_loads *l = &o->friction.loads;
  if (!o->friction.wanted || !(l->shared[disc] && l->kappa[disc] < 1 + NS_LOADS_NEAR))
    return NS_LOADS_OWN;
  return l->shared[disc];
}
