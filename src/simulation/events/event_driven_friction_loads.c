/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sticking contacts whose forces are not unique: a box on its four corners.
 *
 * Forces of the flow are those of equal springs in all rows that hold (acceleration.h). The
 * friction of one corner may come to its bound long before the body slides, for the others can take
 * its load over, and the motion does not depend on that. So what sticks does so as long as some
 * friction of the same motion is within all bounds mu lambda_n, with the normal forces of the
 * springs; then all that slides begins at once, in the directions of one motion. That is a convex
 * problem,
 *
 *   minimise kappa over lambda_t:  |lambda_t| <= kappa mu lambda_n of each disc,
 *                                  H_t^T lambda_t = H_t^T (those of the springs)
 *
 * kappa is the part of friction that is needed, and kappa = 1 the event, one for all contacts.
 * Multipliers of the equalities are the motion that begins, in its dual (limit analysis; for bodies
 * on a plane Goyal, Ruina & Papadopoulos 1991, doi:10.1016/0043-1648(91)90104-3): contacts that
 * have a velocity in it slide against their friction at the limit; one that has none sticks, the
 * body turns about it. Forces and directions continue into the sliding that follows.
 *
 * With lambda_t = mu lambda_n xi, and xi = xi_0 + N c by a basis N of what moves nothing, the
 * barrier t kappa - sum log(kappa^2 - |xi|^2) is minimised by Newton's method for growing t (Boyd &
 * Vandenberghe 2004, ch. 11). kappa is extrapolated from the last two t; its velocities are
 * xi/(kappa^2 - |xi|^2).
 *
 * It applies where normal forces do not depend on how friction is shared, as on a plane: the rank
 * of all rows is that of the rows of friction and that of the others. Forces that are output lie
 * between those of the springs and those at the limit: the first ones within all bounds. */
#include "simulation/events/event_driven_modes.h"

#include "algebra/dense.h"

#include <string.h>

enum {
  MAX = 96,         /* rows that hold: the problem is dense, and is solved some dozen times */
  NEWTON_STEPS = 40 /* of Newton's method for a t */
};
static const double USED = 0.5;       /* of friction by one contact: less is no question */
static const double DEPENDENT = 1e-9; /* pivots of rows that depend on others, relative */
static const double GROWS = 10;       /* t from one to the next */
static const double LAST = 1e8;       /* t by what it begins with */
static const double CENTRED = 1e-4;   /* decrement of the last step, which squares it */
static const double MOVES = 1e-3;     /* of the largest velocity: less is at rest */

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
  int units = o->s.k->nunits;
  for (d++; d < 2 * units; d++) {
    int u = ns_ed_unit_of(o, d);
    if (d >= units && !ns_ed_rolls(o, u)) continue;
    if (ns_ed_is_friction(o, u) && o->mode[d] == NS_ED_STICK) return d;
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

/* M [rows x cols] to its reduced form with complete pivoting: the unit matrix in the first `rank`
 * columns, whose numbers are in l->column. The rank. */
static int reduce(ns_loads *l, int rows, int cols)
{
  double *M = l->M, first = 0;
  int rank = 0;
  for (int j = 0; j < cols; j++) l->column[j] = j;
  for (; rank < rows && rank < cols; rank++) {
    double max = 0;
    int p = rank, q = rank;
    for (int j = rank; j < cols; j++)
      for (int i = rank; i < rows; i++)
        if (fabs(M[i + j * rows]) > max) max = fabs(M[i + j * rows]), p = i, q = j;
    if (rank == 0) first = max;
    if (!(max > DEPENDENT * first)) break;
    swap_columns(l, rows, rank, q);
    for (int j = 0; j < cols && p != rank; j++) {
      double t = M[rank + j * rows];
      M[rank + j * rows] = M[p + j * rows];
      M[p + j * rows] = t;
    }
    for (int j = cols; j-- > rank;) M[rank + j * rows] /= M[rank + rank * rows];
    for (int i = 0; i < rows; i++) {
      double f = M[i + rank * rows];
      for (int j = rank; j < cols && i != rank && f != 0; j++)
        M[i + j * rows] -= f * M[rank + j * rows];
    }
  }
  return rank;
}

/* Places of the rows of friction of sticking discs among those that hold, disc by disc, to l->row;
 * their number. */
static int list_friction(event_driven *o)
{
  int n = 0;
  for (int d = next(o, -1); d >= 0; d = next(o, d))
    for (int r = ns_ed_disc_first(o, d); r < ns_ed_disc_end(o, d); r++)
      o->friction.loads.row[n++] = o->place[r];
  return n;
}

/* D of the rows that hold and of the columns in l->row, by the sizes of rows and the bounds of
 * friction, reduced; its rank. */
static int reduce_friction(event_driven *o, int cols)
{
  ns_loads *l = &o->friction.loads;
  const ns_acceleration *a = &o->hold;
  int n = a->n, j = 0;
  for (int d = next(o, -1); d >= 0; d = next(o, d))
    for (int r = ns_ed_disc_first(o, d); r < ns_ed_disc_end(o, d); r++, j++)
      for (int i = 0; i < n; i++)
        l->M[i + j * n] = a->D[i + l->row[j] * n] / a->size[i] * l->bound[d];
  return reduce(l, n, cols);
}

/* The rank of the rows that are not of sticking friction. */
static int rank_of_others(event_driven *o, int cols)
{
  ns_loads *l = &o->friction.loads;
  const ns_acceleration *a = &o->hold;
  int n = 0;
  for (int i = 0; i < a->n; i++) {
    int friction = 0;
    for (int j = 0; j < cols; j++) friction |= l->row[j] == i;
    if (!friction) l->column[n++] = i;
  }
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      int r = l->column[i], c = l->column[j];
      l->M[i + j * n] = a->D[r + c * a->n] / (a->size[r] * a->size[c]);
    }
  return reduce(l, n, n);
}

/* N [cols x k] and k; 0: friction is unique, or normal forces depend on it. */
static int find_basis(event_driven *o, int cols)
{
  ns_loads *l = &o->friction.loads;
  int others = rank_of_others(o, cols), rank = reduce_friction(o, cols), k = cols - rank,
      n = o->hold.n;
  if (others + rank != o->hold.rank) return 0;
  for (int j = 0; j < k; j++) {
    for (int i = 0; i < cols; i++) l->N[i + j * cols] = 0;
    for (int i = 0; i < rank; i++) l->N[l->column[i] + j * cols] = -l->M[i + (rank + j) * n];
    l->N[l->column[rank + j] + j * cols] = 1;
  }
  return k;
}

/* ---- the limit ------------------------------------------------------------------------------- */

/* sum log(kappa^2 - |xi|^2); -inf: outside. */
static double logarithms(const event_driven *o, double kappa, const double *xi)
{
  double sum = 0, product = 1;
  int at = 0;
  for (int d = next(o, -1); d >= 0; d = next(o, d)) {
    double s = kappa * kappa;
    for (int r = ns_ed_disc_first(o, d); r < ns_ed_disc_end(o, d); r++, at++) s -= xi[at] * xi[at];
    if (!(s > 0)) return -INFINITY;
    product *= s;
    if (product < 1e-200) sum += log(product), product = 1;
  }
  return sum + log(product);
}

/* What a disc with its rows from `at` adds to gradient and Hessian of the barrier by (c, kappa). */
static void add_disc(ns_loads *l, int at, int rows, int cols, int k, double kappa)
{
  const double *xi = l->xi + at;
  double s = kappa * kappa;
  int m = k + 1;
  for (int r = 0; r < rows; r++) s -= xi[r] * xi[r];
  for (int i = 0; i < k; i++) {
    const double *Ni = l->N + at + i * cols;
    double along = 0;
    for (int r = 0; r < rows; r++) along += Ni[r] * xi[r];
    l->g[i] += 2 * along / s;
    l->H[k + i * m] -= 4 * kappa * along / (s * s);
    for (int j = 0; j <= i; j++) {
      const double *Nj = l->N + at + j * cols;
      double both = 0, other = 0;
      for (int r = 0; r < rows; r++) both += Ni[r] * Nj[r], other += Nj[r] * xi[r];
      l->H[i + j * m] += 2 * both / s + 4 * along * other / (s * s);
    }
  }
  l->g[k] -= 2 * kappa / s;
  l->H[k + k * m] += 4 * kappa * kappa / (s * s) - 2 / s;
}

/* The step of Newton's method for the barrier at t to l->step; its decrement; NAN: none. */
static double newton(event_driven *o, int cols, int k, double t, double kappa)
{
  ns_loads *l = &o->friction.loads;
  int m = k + 1, at = 0;
  double decrement = 0;
  memset(l->g, 0, (size_t)m * sizeof *l->g);
  memset(l->H, 0, (size_t)(m * m) * sizeof *l->H);
  l->g[k] = t;
  for (int d = next(o, -1); d >= 0; d = next(o, d)) {
    int rows = ns_ed_disc_end(o, d) - ns_ed_disc_first(o, d);
    add_disc(l, at, rows, cols, k, kappa);
    at += rows;
  }
  if (ns_dense_cholesky(m, l->H, m)) return NAN;
  for (int i = 0; i < m; i++) l->step[i] = -l->g[i];
  ns_dense_cholesky_solve(m, l->H, m, 1, l->step, m);
  for (int i = 0; i < m; i++) decrement -= l->g[i] * l->step[i];
  return sqrt(decrement);
}

/* l->trial := xi along the step. */
static void go(ns_loads *l, int cols, int k, double part)
{
  for (int i = 0; i < cols; i++) {
    l->trial[i] = l->xi[i];
    for (int j = 0; j < k; j++) l->trial[i] += part * l->step[j] * l->N[i + j * cols];
  }
}

/* xi and kappa that minimise the barrier at t, from inside; 0: not found. */
static int centre(event_driven *o, int cols, int k, double t, double *kappa)
{
  ns_loads *l = &o->friction.loads;
  for (int pass = 0; pass < NEWTON_STEPS; pass++) {
    double decrement = newton(o, cols, k, t, *kappa), part = 1, f;
    if (isnan(decrement)) return 0;
    double f0 = -logarithms(o, *kappa, l->xi);
    for (;; part /= 2) {
      go(l, cols, k, part);
      f = part * t * l->step[k] - logarithms(o, *kappa + part * l->step[k], l->trial);
      int better = f <= f0 - part * decrement * decrement / 10 || decrement < 0.1;
      if (*kappa + part * l->step[k] > 0 && isfinite(f) && better) break;
      if (part < 1e-6) return 0;
    }
    memcpy(l->xi, l->trial, (size_t)cols * sizeof *l->xi);
    *kappa += part * l->step[k];
    if (decrement <= CENTRED) return 1;
  }
  return 1;
}

/* The limit, for one contact needs `use` of its friction: kappa, and xi near it at the last t. */
static int find_limit(event_driven *o, int cols, int k, double use, double *kappa)
{
  ns_loads *l = &o->friction.loads;
  double inside = 1.5 * use, before = inside, first = cols / use;
  int i = 0;
  for (int d = next(o, -1); d >= 0; d = next(o, d))
    for (int r = ns_ed_disc_first(o, d); r < ns_ed_disc_end(o, d); r++)
      l->xi[i++] = o->force[r] / l->bound[d];
  for (double t = first; t <= LAST * first; t *= GROWS) {
    before = inside;
    if (!centre(o, cols, k, t, &inside)) return 0;
  }
  *kappa = (GROWS * inside - before) / (GROWS - 1); /* kappa(t) = kappa + a/t + ... */
  /* velocities, and forces there */
  double max = 0;
  i = 0;
  for (int d = next(o, -1); d >= 0; d = next(o, d)) {
    int from = i;
    double s = inside * inside, size = 0;
    for (int r = ns_ed_disc_first(o, d); r < ns_ed_disc_end(o, d); r++, i++) {
      s -= l->xi[i] * l->xi[i];
      size = hypot(size, l->xi[i]);
      l->z[r] = l->xi[i] * l->bound[d];
    }
    for (int r = ns_ed_disc_first(o, d), j = from; j < i; r++, j++)
      l->slip[r] = -l->xi[j] / (s * l->bound[d]);
    max = fmax(max, size / (s * l->bound[d]));
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
  for (int halving = 0; halving <= 52; halving++) {
    double part = halving ? (outside + inside) / 2 : 0, along = 0;
    for (int r = ns_ed_disc_first(o, disc); r < ns_ed_disc_end(o, disc); r++)
      along = hypot(along, o->force[r] + part * (l->z[r] - o->force[r]));
    if (along > l->bound[disc]) outside = part;
    else inside = part;
    if (inside == 0) return 0;
  }
  return inside;
}

static void move_within(event_driven *o)
{
  const ns_loads *l = &o->friction.loads;
  double part = 0;
  for (int d = next(o, -1); d >= 0; d = next(o, d)) part = fmax(part, way_within(o, d));
  for (int d = next(o, -1); d >= 0 && part > 0; d = next(o, d))
    for (int r = ns_ed_disc_first(o, d); r < ns_ed_disc_end(o, d); r++)
      o->force[r] += part * (l->z[r] - o->force[r]);
}

void ns_ed_share_loads(event_driven *o)
{
  ns_loads *l = &o->friction.loads;
  const ns_acceleration *a = &o->hold;
  double use, kappa;
  l->shared = 0;
  if (o->stressed || !o->equal.n || a->rank == a->n || a->n > MAX) return;
  if (!((use = largest_use(o)) >= USED)) return;
  int cols = list_friction(o), k = find_basis(o, cols);
  if (k == 0 || !find_limit(o, cols, k, use, &kappa)) return;
  l->shared = 1;
  l->kappa = kappa;
  move_within(o);
}
