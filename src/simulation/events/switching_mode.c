/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/vector.h"
#include "simulation/events/switching_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { CANDIDATES = 20000 }; /* most modes that are tried at one event, where rows are few */

int ns_sw_search_create(switching *o)
{
  ns_sw_search *s = &o->search;
  size_t rows = o->m->nrows, d = sizeof(double);
  const ns_array want[] = {
      {&s->ask, rows, 1},   {&s->drawn, rows, 1},   {&s->was, rows, 1},
      {&s->base, rows, 1},  {&s->best, rows, 1},    {&s->asked, rows, 1},
      {&s->kept, rows, 1},  {&s->outside, rows, 1}, {&s->row, rows, sizeof(int)},
      {&s->size, rows, d},  {&s->reach, rows, d},   {&s->slope, rows, d},
      {&s->force, rows, d}, {&s->share, rows, d},   {&s->move, NS_SW_BRANCHES * o->m->nq, d}};
  return ns_arena_arrays(o->run.mem, want, sizeof want / sizeof *want);
}

/* ---- the motion of a candidate --------------------------------------------------------------- */

static double norm1(size_t n, const double *x)
{
  double s = 0;
  for (size_t i = 0; i < n; i++) s += fabs(x[i]);
  return s;
}

/* s: so long that what it moves y by is far above rounding of its terms, which need not be small
 * where x is; above it, where nothing else has led to a mode: a diode between capacitors that
 * others keep at 0 may open for a microsecond. */
static double shortest_step(const switching *o, const ns_motion *p)
{
  double far = (o->search.wide ? 64 : 1e4) * DBL_EPSILON;
  double size = 0, speed = 0;
  for (int r = 0; r < o->k->nrows; r++) {
    size = fmax(size, ns_sw_size(o, r, o->x->q, p->lambda));
    speed = fmax(speed, ns_rows_size(&o->k->C, r, p->v));
  }
  return speed > 0 ? far * size / speed : 0;
}

/* Small to the motion, large to rounding. */
static double step_of(const switching *o, const ns_motion *p)
{
  double size = o->extent, speed = norm1(o->m->nq, p->v), h = o->m->sim.ts.h;
  double step = o->search.shorter * 1e-4 * (size > 0 && size < h * speed ? size / speed : h);
  return fmax(step, fmin(shortest_step(o, p), 1e-4 * h));
}

/* From p to q by the midpoint rule. */
static int go(switching *o, double t, double dt, const double *x, const ns_motion *p, ns_motion *q)
{
  ns_motion *mid = &o->at[NS_SW_POINTS - 1];
  size_t n = o->m->nq;
  for (size_t i = 0; i < n; i++) mid->x[i] = x[i] + dt / 2 * p->v[i];
  int rc = ns_sw_motion(o, t + dt / 2, mid->x, mid);
  ns_linear_sum(n, x, dt, mid->v, q->x);
  return rc ? rc : ns_sw_motion(o, t + dt, q->x, q);
}

/* What y is the sum of, and lambda of held rows: the most at this point and those before. */
static void add_sizes(switching *o, const double *x, const ns_motion *p)
{
  ns_sw_search *s = &o->search;
  for (int r = 0; r < o->k->nrows; r++) {
    double size = ns_sw_size(o, r, x, p->lambda) + fabs(p->y[r]);
    double by = o->degree[r] ? fabs(o->drift[r]) + ns_rows_size(&o->k->C, r, p->v) : size;
    s->size[r] = fmax(s->size[r], size);
    if (ns_sw_is_equality(o, r))
      s->force[r] = fmax(s->force[r], by * s->share[r] + fabs(p->lambda[r]));
  }
}

/* The motion at the state and after one and two steps. 1: it cannot be evaluated, or what is held
 * cannot be. */
static int try_motion(switching *o)
{
  const ns_state *x = o->x;
  ns_motion *a = &o->at[0], *b = &o->at[1], *c = &o->at[2];
  ns_sw_forget(o);
  int rc = ns_sw_motion(o, *x->t, x->q, a);
  if (!rc) rc = ns_sw_speed_sizes(o, *x->t, a->r, a->v);
  if (rc) return rc;
  memset(o->search.size, 0, o->m->nrows * sizeof *o->search.size);
  memset(o->search.force, 0, o->m->nrows * sizeof *o->search.force);
  add_sizes(o, x->q, a);
  for (int r = 0; r < o->k->nrows; r++)
    o->search.slope[r] = o->direct[r] ? 0 : ns_sw_slope(o, r, a);
  o->search.delta = step_of(o, a);
  if (o->loose > 1) return 1;
  rc = go(o, *x->t, o->search.delta, x->q, a, b);
  if (rc || o->loose > 1) return rc ? rc : 1;
  rc = go(o, *x->t + o->search.delta, o->search.delta, b->x, b, c);
  add_sizes(o, c->x, c);
  return rc || o->loose <= 1 ? rc : 1;
}

/* ---- signs ----------------------------------------------------------------------------------- */

/* Of what is g[0], g[1], g[2] now and after one and two steps: where it is 0 now, of its slope over
 * a step (0: not known), or of what it comes to first. */
static int sign_of(const double *g, double zero, double slope, double noise)
{
  if (fabs(g[0]) > zero) return g[0] > 0 ? 1 : -1;
  if (fabs(slope) > fmax(noise, 1e-3 * fabs(g[0] - 2 * g[1] + g[2]))) return slope > 0 ? 1 : -1;
  for (int k = 1; k < 3; k++)
    if (fabs(g[k] - g[0]) > k * noise) return g[k] > g[0] ? 1 : -1;
  return 0;
}

/* y at the point is 0 to its rounding, or because the row has come to it; in another mode, and
 * after a jump, it may be another one. */
static double zero_of(const switching *o, int r) { return ns_sw_touch(o, r) + o->search.reach[r]; }

/* What multipliers that are solved for add to y of a held row, all of them being as inexact as the
 * largest in its unit. */
static double solved_terms(const switching *o, int r)
{
  const ns_singular *h = &o->held;
  const ns_rows *D = &o->k->D;
  double max = 0, sum = 0;
  if (!ns_sw_is_equality(o, r)) return 0;
  for (int i = 0; i < h->n; i++)
    if (h->unit[i] > 0) max = fmax(max, fabs(o->at[0].lambda[o->holds[i]]) / h->unit[i]);
  for (int e = D->ptr[r]; e < D->ptr[r + 1]; e++)
    if (ns_sw_is_equality(o, D->dof[e])) sum += fabs(D->val[e]) * h->unit[o->place[D->dof[e]]];
  return sum * max;
}

/* Up to which y' of row r is 0. The tolerance is in the units of the model; of a row that was seen
 * to cross its surface, where the terms of all y are smaller by far, it goes with them: currents of
 * nanoamperes have slopes of nanoamperes a second. */
static double slope_noise(const switching *o, int r)
{
  static const double SMALL = 1e-4;
  double max = 0;
  for (int i = 0; i < o->k->nrows && o->fired[r] && o->search.sharp; i++)
    max = fmax(max, o->search.size[i]);
  return o->opt->speed_tol * (max > 0 ? fmin(1, max / SMALL) : 1);
}

static int sign_of_y(const switching *o, int r)
{
  double g[3];
  for (int k = 0; k < 3; k++) g[k] = o->at[k].y[r];
  double delta = o->search.delta;
  double noise = (slope_noise(o, r) + ns_sw_slope_rounding(o, r)) * delta +
                 64 * DBL_EPSILON * fmax(o->search.size[r], solved_terms(o, r));
  return sign_of(g, zero_of(o, r), o->search.slope[r] * delta, noise);
}

/* Size of what lambda of a held row is the sum of; how near to a bound it is on it. */
static double size_of_lambda(const switching *o, int r)
{
  double width = o->ub[r] - o->lb[r];
  return isfinite(width) ? fmax(o->search.force[r], width) : o->search.force[r];
}

/* `share`: of lambda in a unit of y. */
static double near_bound(const switching *o, int r, double share)
{
  double near = o->search.wide ? ns_sw_near(o, r, o->x->q, o->at[0].lambda) : o->opt->gap_tol;
  return (o->degree[r] ? o->opt->speed_tol : near) * share + 1e-9 * size_of_lambda(o, r);
}

static double zero_of_lambda(const switching *o, int r)
{
  return near_bound(o, r, o->search.share[r]);
}

/* The same by what a unit of y is of lambda while the other held rows stay at 0, the diagonal of
 * the inverse: where currents reach 0 together this may be many times what the largest entries of
 * their rows tell. */
static double zero_beside_others(const switching *o, int r)
{
  const ns_singular *h = &o->held;
  int i = o->place[r];
  memset(o->step, 0, (size_t)h->n * sizeof *o->step);
  o->step[i] = 1;
  ns_singular_solve(h, o->step);
  return near_bound(o, r, fmax(o->search.share[r], fabs(o->step[i])));
}

/* Of the distance from its lower bound (inwards 1), or the upper one (-1), positive inside. Of a
 * row with D it is inside as soon as y at the bound is none of that side. */
static int sign_of_lambda(const switching *o, int r, double inwards)
{
  static const double FAR = 1e4;
  double g[3], zero = zero_of_lambda(o, r);
  for (int k = 0; k < 3; k++) {
    double bound = inwards > 0 ? o->at[k].lb[r] : o->at[k].ub[r];
    if (!isfinite(bound)) return 1;
    g[k] = inwards * (o->at[k].lambda[r] - bound);
  }
  if (!o->degree[r] && g[0] > fmin(zero, zero_of(o, r) * o->search.share[r])) return 1;
  if (g[0] < -zero && g[0] > -FAR * zero) zero = zero_beside_others(o, r);
  return sign_of(g, zero, 0, 64 * DBL_EPSILON * size_of_lambda(o, r));
}

/* The motion obeys the law of row r for a while. */
static int suits(const switching *o, int r)
{
  if (ns_sw_is_given(o, r)) return 1;
  if (o->x->mode[r] == NS_SIDE_LOWER) return sign_of_y(o, r) >= 0;
  if (o->x->mode[r] == NS_SIDE_UPPER) return sign_of_y(o, r) <= 0;
  if (o->degree[r] ? fabs(o->at[0].y[r]) > zero_of(o, r) : sign_of_y(o, r) != 0) return 0;
  return sign_of_lambda(o, r, 1) >= 0 && sign_of_lambda(o, r, -1) >= 0;
}

/* All rows; those that do not suit and do not take part are noted. */
static int all_suit(switching *o)
{
  ns_sw_search *s = &o->search;
  int good = 1;
  for (int r = 0; r < o->k->nrows; r++) {
    if (suits(o, r)) continue;
    good = 0;
    if (!s->ask[r]) s->drawn[r] = 1;
  }
  return good;
}

/* ---- candidates ------------------------------------------------------------------------------ */

/* The motion is none of those found so far. */
static int is_new(switching *o)
{
  ns_sw_search *s = &o->search;
  size_t n = o->m->nq;
  const double *x = o->x->q, *to = o->at[2].x;
  for (int b = 0; b < s->branches && b < NS_SW_BRANCHES; b++) {
    const double *move = s->move + (size_t)b * n;
    double apart = 0, far = 0;
    for (size_t i = 0; i < n; i++) {
      apart = fmax(apart, fabs(to[i] - x[i] - move[i]));
      far = fmax(far, fmax(fabs(to[i] - x[i]), fabs(move[i])));
    }
    if (apart <= 1e-3 * far + 64 * DBL_EPSILON * o->extent) return 0;
  }
  if (s->branches < NS_SW_BRANCHES) ns_linear_sum(n, to, -1, x, s->move + (size_t)s->branches * n);
  return 1;
}

/* The present modes suit: keep them where they are better than the best so far. */
static void note(switching *o)
{
  ns_sw_search *s = &o->search;
  size_t rows = o->m->nrows;
  int rank[2] = {0, 0};
  for (size_t r = 0; r < rows; r++) {
    rank[0] += o->x->mode[r] != s->was[r];
    rank[1] += o->x->mode[r] == NS_SIDE_BETWEEN;
  }
  int first = s->branches == 0;
  s->branches += is_new(o);
  if (!first && (rank[0] > s->rank[0] || (rank[0] == s->rank[0] && rank[1] >= s->rank[1]))) return;
  memcpy(s->rank, rank, sizeof rank);
  memcpy(s->best, o->x->mode, rows);
}

/* Lower, between, upper, in this order as far as the bounds allow it. 0: that was the last. */
static int next_side(const switching *o, int r, unsigned char *side)
{
  int at = *side;
  while (++at <= NS_SIDE_UPPER) {
    if (at == NS_SIDE_LOWER && !isfinite(o->lb[r])) continue;
    if (at == NS_SIDE_UPPER && !isfinite(o->ub[r])) continue;
    if (at > NS_SIDE_LOWER && ns_sw_is_given(o, r)) continue;
    *side = (unsigned char)at;
    return 1;
  }
  return 0;
}

static void first_side(const switching *o, int r, unsigned char *side)
{
  *side = NS_SIDE_UNKNOWN;
  next_side(o, r, side);
}

/* The next of all modes of the rows that take part; row 0 changes last. */
static int next_candidate(switching *o)
{
  const ns_sw_search *s = &o->search;
  for (int i = s->nrows - 1; i >= 0; i--) {
    unsigned char *side = &o->x->mode[s->row[i]];
    if (next_side(o, s->row[i], side)) return 1;
    first_side(o, s->row[i], side);
  }
  return 0;
}

static double candidates(const switching *o)
{
  double count = 1;
  for (int i = 0; i < o->search.nrows; i++) {
    int r = o->search.row[i];
    count *= ns_sw_is_given(o, r) ? 1 : 1 + isfinite(o->lb[r]) + isfinite(o->ub[r]);
  }
  return count;
}

/* So many are worth trying: each takes the time of a dense factorisation. */
static double worth(const switching *o)
{
  double size = o->k->nrows / 16.;
  return 300 + CANDIDATES / (1 + size * size);
}

static int too_many(switching *o)
{
  char at[512];
  return ns_fail(
      o->run.c, NS_NUMERIC,
      "%s: %d rows are active in the event at t = %.10g s, which makes %.3g modes, expected at "
      "most %.0f; <TimeStepping> supports any number of rows that switch together",
      ns_event_run_place(&o->run, o->search.row[0], at), o->search.nrows, *o->x->t, candidates(o),
      worth(o));
}

static void list(switching *o)
{
  ns_sw_search *s = &o->search;
  s->nrows = s->branches = 0;
  for (int r = 0; r < o->k->nrows; r++)
    if (s->ask[r]) s->row[s->nrows++] = r;
}

/* The present modes, if their motion obeys the laws. */
static int judge(switching *o)
{
  int rc = try_motion(o);
  o->search.moved = !rc;
  if (!rc && all_suit(o)) note(o);
  return rc < 0 ? rc : NS_OK;
}

/* Try all modes of the rows that are asked, where these are few enough. */
static int search(switching *o)
{
  ns_sw_search *s = &o->search;
  int rc = NS_OK;
  list(o);
  if (candidates(o) > fmax(worth(o), 3)) return NS_OK;
  memcpy(o->x->mode, s->base, o->m->nrows);
  for (int i = 0; i < s->nrows; i++) first_side(o, s->row[i], &o->x->mode[s->row[i]]);
  do rc = judge(o);
  while (!rc && next_candidate(o));
  return rc;
}

/* Row r is at the corner of its law in the motion that was tried last: what it does from there
 * is of higher order. */
static int is_at_corner(const switching *o, int r)
{
  const ns_motion *p = &o->at[0];
  double lambda = p->lambda[r], zero = zero_of_lambda(o, r);
  if (ns_sw_is_given(o, r) || fabs(o->at[0].y[r]) > zero_of(o, r)) return 0;
  return !ns_sw_is_equality(o, r) || fabs(lambda - p->lb[r]) <= zero ||
         fabs(lambda - p->ub[r]) <= zero;
}

/* All modes of the rows that are at their corners in the motion of the proposal, whose others
 * stay: a step tells the first order alone, as where a current divides among diodes that carry
 * none yet. */
static int search_around(switching *o)
{
  ns_sw_search *s = &o->search;
  size_t rows = o->m->nrows;
  if (!s->moved) return NS_OK;
  memcpy(s->asked, s->ask, rows);
  memcpy(s->kept, s->base, rows);
  memcpy(s->base, o->x->mode, rows);
  for (size_t r = 0; r < rows; r++) s->ask[r] = (unsigned char)is_at_corner(o, (int)r);
  int rc = search(o);
  memcpy(s->base, s->kept, rows);
  memcpy(s->ask, s->asked, rows);
  if (!s->branches) list(o);
  return rc;
}

/* Modes of all rows by short steps, the first of several lengths whose own motion obeys the
 * laws, or some with rows at corners in others. */
static int propose(switching *o)
{
  static const double length[] = {1, 1e-2, 1e2};
  const ns_motion now = {.lambda = o->x->lambda, .v = o->x->v};
  ns_sw_search *s = &o->search;
  double step = step_of(o, &now);
  int rc = NS_OK, solved;
  for (size_t k = 0; k < sizeof length / sizeof *length && !rc && !s->branches; k++) {
    memcpy(o->x->mode, s->base, o->m->nrows);
    rc = ns_sw_probe(o, length[k] * step, &solved);
    if (!rc && solved) rc = judge(o);
    if (!rc && solved && !s->branches) rc = search_around(o);
  }
  return rc;
}

/* ---- pivots ---------------------------------------------------------------------------------- */

/* The side to which the law of a row changes it that does not suit in the motion that was tried. */
static unsigned char side_by_law(const switching *o, int r)
{
  double y = o->at[0].y[r];
  int above = isfinite(o->lb[r]) ? NS_SIDE_LOWER : NS_SIDE_BETWEEN,
      below = isfinite(o->ub[r]) ? NS_SIDE_UPPER : NS_SIDE_BETWEEN;
  int decides = !o->direct[r] && fabs(y) > zero_of(o, r); /* no lambda of this instant moves y */
  if (ns_sw_is_equality(o, r) && !decides && sign_of_lambda(o, r, 1) < 0)
    return (unsigned char)above;
  if (ns_sw_is_equality(o, r) && !decides && sign_of_lambda(o, r, -1) < 0)
    return (unsigned char)below;
  if (ns_sw_is_equality(o, r) || decides) return (unsigned char)(y > 0 ? above : below);
  return NS_SIDE_BETWEEN;
}

/* Rows that do not suit change, or the last of them alone; how many they are. */
static int change_sides(switching *o, int all)
{
  unsigned char *to = o->search.asked;
  int rows = o->k->nrows, count = 0;
  for (int r = 0; r < rows; r++) {
    int good = suits(o, r);
    to[r] = good ? o->x->mode[r] : side_by_law(o, r);
    count += !good;
  }
  for (int r = rows - 1; r >= 0; r--) {
    if (to[r] == o->x->mode[r]) continue;
    o->x->mode[r] = to[r];
    if (!all) break;
  }
  return count;
}

/* From the modes that there are: rows that do not suit change to the side that their laws tell, all
 * of them as long as they become fewer, else the last alone (block principal pivoting, Judice &
 * Pires 1994; Murty 1974). The work of many rows that switch together grows with their number. */
static int pivot(switching *o)
{
  enum { PATIENCE = 10 };
  int fewest = o->k->nrows + 1, patience = PATIENCE, rc = NS_OK;
  for (double tries = worth(o); tries > 0 && !rc && !o->search.branches; tries--) {
    rc = judge(o);
    if (rc || o->search.branches || !o->search.moved) break;
    int count = change_sides(o, patience > 0);
    patience = count < fewest ? PATIENCE : patience - 1;
    if (count < fewest) fewest = count;
  }
  return rc;
}

/* From the modes of short implicit steps, and from those before the event. */
static int pivots(switching *o)
{
  ns_sw_search *s = &o->search;
  const ns_motion now = {.lambda = o->x->lambda, .v = o->x->v};
  double step = step_of(o, &now);
  int rc = NS_OK, solved;
  for (int k = 0; k < 4 && !rc && !s->branches; k++) {
    memcpy(o->x->mode, s->base, o->m->nrows);
    if (k < 3) rc = ns_sw_probe(o, pow(1e-2, k) * step, &solved);
    if (!rc) rc = pivot(o);
  }
  return rc;
}

/* Rows that were drawn in take part; where there are none, all do. 0: all did. */
static int grow(switching *o)
{
  ns_sw_search *s = &o->search;
  int rows = o->k->nrows, grown = 0;
  for (int all = 0; all < 2 && !grown; all++)
    for (int r = 0; r < rows; r++) {
      if (s->ask[r] || !(all || s->drawn[r])) continue;
      s->ask[r] = 1;
      grown = 1;
    }
  return grown;
}

/* A short step has a solution if lambda of row r is 0 and its law says nothing. */
static int is_solved_without(switching *o, int r)
{
  const ns_motion now = {.lambda = o->x->lambda, .v = o->x->v};
  double lb = o->lb[r], ub = o->ub[r];
  int solved = 0;
  memcpy(o->x->mode, o->search.base, o->m->nrows);
  o->lb[r] = o->ub[r] = 0;
  int rc = ns_sw_probe(o, step_of(o, &now), &solved);
  o->lb[r] = lb;
  o->ub[r] = ub;
  return !rc && solved;
}

/* The row that says most of why: a device of a circuit without which the motion continues; else one
 * whose root it is. */
static int culprit(switching *o)
{
  const ns_sw_search *s = &o->search;
  for (int r = 0; r < o->k->nrows; r++)
    if (ns_sw_fault(o, r) && is_solved_without(o, r)) return r;
  for (int r = 0; r < o->k->nrows; r++)
    if (o->fired[r]) return r;
  return s->nrows ? s->row[0] : 0;
}

/* Short implicit steps from here have no solution either, whichever sides the rows are on. */
static int has_no_step(switching *o)
{
  static const double length[] = {1, 1e-2, 1e2};
  const ns_motion now = {.lambda = o->x->lambda, .v = o->x->v};
  double step = step_of(o, &now);
  int none = 1, rc = NS_OK, solved;
  for (size_t k = 0; k < sizeof length / sizeof *length && none && !rc; k++) {
    memcpy(o->x->mode, o->search.base, o->m->nrows);
    rc = ns_sw_probe(o, length[k] * step, &solved);
    none = !rc && !solved && ns_sw_probe_exhaust(o) == 0;
  }
  return none;
}

static int stuck(switching *o)
{
  char at[512];
  int r = culprit(o), own = r - (int)o->m->interactions[o->k->interaction[r]].row;
  const char *fault = ns_sw_fault(o, r);
  if (fault)
    return ns_fail(o->run.c, NS_NUMERIC,
                   "%s: the motion cannot continue from t = %.17g s: %s; the results up to there "
                   "are kept",
                   ns_event_run_place(&o->run, r, at), *o->x->t, fault);
  if (has_no_step(o))
    return ns_fail(
        o->run.c, NS_NUMERIC,
        "%s: the motion cannot continue from t = %.17g s: none of the %.0f modes of its rows has a "
        "motion that satisfies the laws, and a short implicit step has no solution (row %d, y = "
        "%.3g); the results up to there are kept; look for controlled sources that feed back "
        "through a diode or switch, and give these ron= and roff=",
        ns_event_run_place(&o->run, r, at), *o->x->t, candidates(o), own, o->x->y[r]);
  return ns_fail(o->run.c, NS_NUMERIC,
                 "%s: the motion cannot continue from t = %.17g s: lambda within its bounds cannot "
                 "keep row %d of y within its law (y = %.3g), and the state would have to jump, "
                 "expected a relative degree of 0 or 1 and inputs that oppose the motion of y; the "
                 "results up to there are kept; a mechanical stop is a <NewtonImpactNSL> of a "
                 "Lagrangian system, and <TimeStepping> supports jumps",
                 ns_event_run_place(&o->run, r, at), *o->x->t, own, o->x->y[r]);
}

/* Modes of the rows that take part, and by short steps of all rows, in ever shorter times; with
 * slopes that are no noise, where no motion is found so with those that the tolerance leaves, and
 * if `last` with multipliers that are as near to their bounds as the certificate asks: two that
 * reach them together do so at times which errors of the state have parted. */
static int find(switching *o, int last)
{
  ns_sw_search *s = &o->search;
  size_t rows = o->m->nrows;
  int rc = NS_OK;
  memcpy(s->was, o->x->mode, rows);
  memcpy(s->base, o->x->mode, rows);
  memset(s->drawn, 0, rows);
  s->branches = 0;
  for (int level = 0; level < 2 + last && !rc && !s->branches; level++) {
    s->sharp = level == 0;
    s->wide = level == 2;
    for (int k = 0; k < 3 && !rc && !s->branches; k++) {
      s->shorter = pow(1e-2, k);
      rc = search(o);
      if (!rc && !s->branches && rows) rc = propose(o);
    }
  }
  s->sharp = s->wide = 0;
  if (!s->branches) s->shorter = 1;
  return rc;
}

/* The best of those found to the state; where none was the modes stay. */
static int take(switching *o, int rc)
{
  ns_sw_search *s = &o->search;
  int found = !rc && s->branches > 0;
  s->told = s->nrows ? s->row[0] : 0;
  memcpy(o->x->mode, found ? s->best : s->was, o->m->nrows);
  ns_sw_forget(o);
  if (found) rc = try_motion(o); /* sizes for the roots */
  return rc < 0 ? rc : NS_OK;
}

int ns_sw_goes_on(switching *o, int *found)
{
  int rc = take(o, find(o, 0));
  *found = o->search.branches > 0;
  return rc;
}

int ns_sw_decide(switching *o)
{
  ns_sw_search *s = &o->search;
  int rc = find(o, 1);
  while (!rc && !s->branches && grow(o)) rc = search(o);
  if (!rc && !s->branches) rc = pivots(o);
  if (!rc && !s->branches && candidates(o) > fmax(worth(o), 3)) rc = too_many(o);
  if (!rc && !s->branches) rc = stuck(o);
  return take(o, rc);
}

/* ---- by the sign of y ------------------------------------------------------------------------ */

static int contradicts(switching *o, int r)
{
  char at[512];
  const ns_interaction *it = &o->m->interactions[o->k->interaction[r]];
  const char *fault = ns_sw_fault(o, r);
  if (fault)
    return ns_fail(o->run.c, NS_MODEL, "%s: at t = %.10g s %s", ns_event_run_place(&o->run, r, at),
                   *o->x->t, fault);
  return ns_fail(o->run.c, NS_MODEL,
                 "%s: row %d of y is %.6g at t = %.10g s, which its law does not allow, and no "
                 "lambda of this instant changes it, expected %s for an event-driven run; correct "
                 "the state, or use <TimeStepping>, in which it jumps",
                 ns_event_run_place(&o->run, r, at), r - (int)it->row, o->x->y[r], *o->x->t,
                 isfinite(o->lb[r])   ? "y >= 0"
                 : isfinite(o->ub[r]) ? "y <= 0"
                                      : "y = 0");
}

int ns_sw_guess(switching *o)
{
  ns_state *x = o->x;
  for (int r = 0; r < o->k->nrows; r++) {
    double y = x->y[r];
    int lower = isfinite(o->lb[r]), upper = isfinite(o->ub[r]);
    int touches = fabs(y) <= zero_of(o, r); /* the same that is no jump */
    if (o->direct[r] || touches) {          /* a guess alone, which takes part */
      if (touches) o->search.ask[r] = 1;
      if (x->mode[r] == NS_SIDE_UNKNOWN)
        x->mode[r] = lower ? NS_SIDE_LOWER : upper ? NS_SIDE_UPPER : NS_SIDE_BETWEEN;
      continue;
    }
    if (y > 0 ? !lower : !upper) return contradicts(o, r);
    x->mode[r] = y > 0 ? NS_SIDE_LOWER : NS_SIDE_UPPER;
  }
  return NS_OK;
}
