/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/vector.h"
#include "model/law_values.h"
#include "model/laws/problem.h"
#include "simulation/events/switching_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* most iterations for multipliers of nonlinear relations: exp(v/0.026 V) falls by e in each */
enum { NEWTON = 300 };
static const double SHORT = 1e-6; /* of a step of Newton's method, at which it has gone astray */
/* entries of D below it, rows having 1 as their largest, are rounding */
static const double RANK = 1e-11;
static const double GOOD = 1e-7; /* step of Newton's method after which rounding is left */

/* ---- relations at a point -------------------------------------------------------------------- */

/* Bounds at (t, x). */
static int renew_bounds(switching *o, double t, const double *x)
{
  const ns_event_host *host = o->run.host;
  const ns_state *s = o->x;
  int rc = host ? host->laws(host->of, t, x, NULL, o->still)
                : ns_law_values_at(o->m, o->run.c, t, x, s->v, s->z, o->still);
  if (!rc) ns_laws_bounds(o->m, 1, o->lb, o->ub);
  return rc;
}

/* lb + ub of all rows at the state and t, to `y`. */
static int bounds_at(switching *o, double t, double *y)
{
  int rc = renew_bounds(o, t, o->x->q);
  for (int r = 0; r < o->k->nrows; r++) y[r] = o->varies[r] ? o->lb[r] + o->ub[r] / 2 : 0;
  return rc;
}

static int relations(switching *o, const ns_relation_point *point)
{
  ns_relation_point others = *point, *at = &others;
  int changed = 0, rc = NS_OK;
  at->others = ns_sw_others(o, at->t, at->x);
  if (o->k->offset_varies) rc = ns_couplings_offsets(o->k, o->run.c, at, 0);
  if (!rc) rc = ns_couplings_values(o->k, o->run.c, at);
  if (!rc && !o->k->constant) rc = ns_couplings_tangents(o->k, o->run.c, at, 1, &changed);
  if (changed) ns_sw_forget(o);
  return rc;
}

/* Slope of y[0..4], a step apart each, at the one in the middle; smooth y differ little from a
 * cubic, and where they jump it is that of the side without. */
static double slope_of(const double *y, double size)
{
  double near = (y[3] - y[1]) / 2, far = (y[4] - y[0]) / 4, left = y[2] - y[1], right = y[3] - y[2];
  double odd = fabs(near - far) - 0.1 * fabs(right - left) - 0.01 * fabs(near) -
               64 * DBL_EPSILON * size;
  if (odd > 0) return fabs(left) < fabs(right) ? left : right;
  return (4 * near - far) / 3;
}

/* dy/dt at fixed x and lambda, by differences of fourth order. */
static int drift(switching *o, const ns_relation_point *p)
{
  size_t n = o->m->nrows;
  double step = 1e-2 * fmin(o->m->sim.ts.h, o->tau), *y = o->times;
  int rc = NS_OK;
  if (!o->timed) return NS_OK; /* it stays 0 */
  step = p->t + step - p->t;   /* as represented */
  o->differencing = 1;
  o->about = p->t;
  for (int k = 0; k < 5 && !rc; k++) {
    ns_relation_point at = *p;
    at.t += (k - 2) * step;
    rc = relations(o, &at);
    ns_couplings_output(o->k, p->x, p->lambda, o->stencil);
    for (size_t r = 0; r < n; r++) y[5 * r + (size_t)k] = o->stencil[r];
  }
  o->differencing = 0;
  for (size_t r = 0; r < n; r++)
    o->drift[r] = slope_of(y + 5 * r, fabs(y[5 * r]) + fabs(o->k->offset[r])) / step;
  return rc ? rc : relations(o, p);
}

int ns_sw_rows_at(switching *o, double t, double *y)
{
  const ns_relation_point at = {.t = t, .x = o->x->q, .z = o->x->z, .lambda = o->at[0].lambda};
  int rc = relations(o, &at);
  ns_couplings_output(o->k, at.x, at.lambda, y);
  return rc;
}

int ns_sw_field(switching *o, double t, const double *x)
{
  int rc = NS_OK;
  ns_others others = ns_sw_others(o, t, x);
  for (int i = 0; i < o->m->nsystems && !rc; i++) {
    const ns_system *s = &o->m->systems[i];
    ns_point p = ns_system_point_among(s, t, x, o->zero, o->x->z, others);
    rc = ns_first_order_field(s, o->run.c, &p, o->base.work, o->f + s->q);
  }
  return rc;
}

/* Fields at the state and t, to `f`. */
static int fields_at(switching *o, double t, double *f)
{
  int rc = ns_sw_field(o, t, o->x->q);
  memcpy(f, o->f, o->m->nq * sizeof *f);
  return rc;
}

/* n functions of t over the run: their ranges, 0 where t does not move them; the time in which
 * the quickest goes through its range, INFINITY where none moves. `scratch` [4 n]. */
static int ranges(switching *o, size_t n, int (*at)(switching *o, double t, double *y),
                  double *scratch, double *range, double *tau)
{
  enum { TIMES = 32 };
  const double golden = 0.6180339887498949, t0 = o->m->sim.t0, length = o->m->sim.T - t0,
               apart = 1e-7 * length;
  double *low = scratch, *slope = low + n, *y = slope + n, *later = y + n;
  int rc = NS_OK;
  for (size_t i = 0; i < n; i++) low[i] = INFINITY, range[i] = -INFINITY, slope[i] = 0;
  for (int k = 0; k < TIMES && rc >= 0; k++) {
    double t = t0 + length * fmod(k * golden, 1);
    rc = at(o, t, y);
    if (!rc) rc = at(o, t + apart, later);
    for (size_t i = 0; i < n && !rc; i++) {
      double change = fabs(later[i] - y[i]),
             noise = 64 * DBL_EPSILON * fmax(fabs(y[i]), fabs(later[i]));
      if (!isfinite(y[i]) || !isfinite(later[i])) continue;
      low[i] = fmin(low[i], y[i]);
      range[i] = fmax(range[i], y[i]);
      if (change > noise) slope[i] = fmax(slope[i], change / apart);
    }
  }
  for (size_t i = 0; i < n; i++) {
    range[i] = slope[i] > 0 ? range[i] - low[i] : 0;
    if (range[i] > 0) *tau = fmin(*tau, range[i] / slope[i]);
  }
  return rc < 0 ? rc : NS_OK;
}

int ns_sw_time_ranges(switching *o)
{
  int rc = NS_OK;
  o->tau = o->tau_f = INFINITY;
  if (o->timed) rc = ranges(o, o->m->nrows, ns_sw_rows_at, o->times, o->range, &o->tau);
  if (!rc && o->laws_vary) {
    rc = ranges(o, o->m->nrows, bounds_at, o->times, o->law_range, &o->tau);
    if (!rc) rc = renew_bounds(o, *o->x->t, o->x->q);
  }
  if (!rc && o->forced) rc = ranges(o, o->m->nq, fields_at, o->times, o->field_range, &o->tau_f);
  return rc;
}

/* Weights that keep what moves in one way from being nothing together. */
static double weight(int i) { return 0.5 + fmod((i + 1) * 0.6180339887498949, 1); }

double ns_sw_moved_by_time(const switching *o, const ns_motion *p)
{
  double sum = 0;
  for (int r = 0; r < o->k->nrows; r++) {
    double range = o->range[r], c = weight(r), share = o->search.share[r];
    if (o->law_range[r] > 0) sum += c * (o->lb[r] + o->ub[r] / 2) / o->law_range[r];
    if (range <= 0) continue;
    sum += c * p->y[r] / range;
    if (ns_sw_is_equality(o, r) && share > 0) sum += c * p->lambda[r] / (share * range);
  }
  for (size_t i = 0; i < o->m->nq && o->forced; i++)
    if (o->field_range[i] > 0) sum += weight((int)i) * o->f[i] / o->field_range[i];
  return sum;
}

/* ---- what holds ------------------------------------------------------------------------------ */

void ns_sw_forget(switching *o) { o->factored = 0; }

void ns_sw_begin_near(switching *o)
{
  memcpy(o->first, o->x->lambda, o->m->nrows * sizeof *o->first);
}

/* C_r a, and 0 where that is rounding of its terms. */
static double product(const ns_rows *C, int r, const double *a)
{
  double s = 0, size = 0;
  int n = C->ptr[r + 1] - C->ptr[r];
  for (int e = C->ptr[r]; e < C->ptr[r + 1]; e++) {
    double term = C->val[e] * a[C->dof[e]];
    s += term;
    size += fabs(term);
  }
  return fabs(s) <= 4 * n * DBL_EPSILON * size ? 0 : s;
}

/* Sum of what held rows have in `of` [nrows], as row i of the held combines them. */
static double combined(const switching *o, int i, const double *of)
{
  double s = 0;
  for (int j = 0; j < o->held.n; j++) s += o->combine[i + j * o->held.n] * of[o->holds[j]];
  return s;
}

/* The largest entry of each row of C, and that of each of its columns, rows divided by theirs:
 * elimination, which makes the rows of circuits, leaves errors of DBL_EPSILON by both in an entry,
 * however small that is. */
static void grain(switching *o)
{
  const ns_rows *C = &o->k->C;
  memset(o->grain_of_state, 0, o->m->nq * sizeof *o->grain_of_state);
  for (int r = 0; r < o->k->nrows; r++) {
    double max = 0;
    for (int e = C->ptr[r]; e < C->ptr[r + 1]; e++) max = fmax(max, fabs(C->val[e]));
    o->grain_of_row[r] = max;
    for (int e = C->ptr[r]; e < C->ptr[r + 1] && max > 0; e++)
      ns_keep_max(&o->grain_of_state[C->dof[e]], fabs(C->val[e]) / max);
  }
}

/* Errors of C in the gradient of combination i, by the grain of a state; of a row alone none: it is
 * what it is. */
static double grain_of(const switching *o, int i)
{
  double sum = 0;
  int terms = 0;
  for (int j = 0; j < o->held.n; j++) {
    double w = fabs(o->combine[i + j * o->held.n]);
    sum += w * o->grain_of_row[o->holds[j]];
    terms += w != 0;
  }
  return terms > 1 ? 16 * DBL_EPSILON * sum : 0;
}

/* Size of a by the grain of its entries. */
static double grains(const switching *o, const double *a)
{
  double sum = 0;
  for (size_t d = 0; d < o->m->nq; d++) sum += o->grain_of_state[d] * fabs(a[d]);
  return sum;
}

/* `combined` of the products of C with a, which the scratch `stencil` has; 0 where that is rounding
 * of its terms, or of C. */
static double combined_entry(const switching *o, int i, double grains_of_a)
{
  double s = 0, size = 0;
  for (int j = 0; j < o->held.n; j++) {
    double term = o->combine[i + j * o->held.n] * o->stencil[o->holds[j]];
    s += term;
    size += fabs(term);
  }
  return fabs(s) <= fmax(RANK * size, grain_of(o, i) * grains_of_a) ? 0 : s;
}

/* D of the held rows to A, rows divided by their largest entry; the rows as they are to `combine`.
 */
static void begin_combining(switching *o)
{
  const ns_rows *D = &o->k->D;
  int n = o->held.n;
  size_t bytes = (size_t)n * (size_t)n * sizeof(double);
  memset(o->held.A, 0, bytes);
  memset(o->combine, 0, bytes);
  for (int j = 0; j < n; j++) o->place[o->holds[j]] = j;
  for (int i = 0; i < n; i++) {
    int r = o->holds[i];
    double max = 0;
    for (int e = D->ptr[r]; e < D->ptr[r + 1]; e++)
      if (ns_sw_is_equality(o, D->dof[e])) max = fmax(max, fabs(D->val[e]));
    for (int e = D->ptr[r]; e < D->ptr[r + 1] && max > 0; e++)
      if (ns_sw_is_equality(o, D->dof[e]))
        o->held.A[i + o->place[D->dof[e]] * n] += D->val[e] / max;
    o->combine[i + i * n] = max > 0 ? 1 / max : 1;
    o->degree[r] = 1;
  }
}

/* The largest entry of rows that are left; 0 where all are rounding. */
static int find_pivot(const switching *o, int *row, int *col)
{
  int n = o->held.n;
  double max = RANK;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (o->degree[o->holds[i]] && fabs(o->held.A[i + j * n]) > max)
        max = fabs(o->held.A[i + j * n]), *row = i, *col = j;
  return max > RANK;
}

/* a - b, and 0 where that is rounding of them: a row that rounding alone adds to a combination is
 * not part of it, but would be all of its gradient where those that are cancel. */
static double less(double a, double b)
{
  return fabs(a - b) <= RANK * (fabs(a) + fabs(b)) ? 0 : a - b;
}

/* Rows that multipliers act on themselves have degree 0. What D leaves of the others is 0:
 * combinations of rows, whose derivatives hold them. */
static void combine(switching *o)
{
  int n = o->held.n, r, c;
  double *A = o->held.A, *W = o->combine;
  for (begin_combining(o); find_pivot(o, &r, &c); o->degree[o->holds[r]] = 0)
    for (int i = 0; i < n; i++) {
      double f = A[i + c * n] / A[r + c * n];
      if (i == r || !o->degree[o->holds[i]] || fabs(A[i + c * n]) <= RANK) continue;
      for (int j = 0; j < n; j++) {
        A[i + j * n] -= f * A[r + j * n];
        W[i + j * n] = less(W[i + j * n], f * W[r + j * n]);
      }
      A[i + c * n] = 0;
    }
}

static void choose_held(switching *o)
{
  o->held.n = 0;
  for (int r = 0; r < o->k->nrows; r++)
    if (ns_sw_is_equality(o, r)) o->holds[o->held.n++] = r;
  combine(o);
}

/* v = M(t)^-1 (f + r) at x; rates of velocities of mechanical systems come from the host. > 0:
 * cannot be evaluated there. */
static int row_rates(switching *o, double t, const double *x, const double *f, const double *r,
                     double *v)
{
  size_t first = o->m->nq - o->nimages;
  int rc = ns_rate_base_rate(&o->base, o->run.c, t, f, r, v);
  if (rc || !o->nimages) return rc;
  const ns_event_host *host = o->run.host;
  return host->push(host->of, t, x, r + first, v + first);
}

/* What forces in o->b make of rates of images: less those without them, and 0 where that is
 * rounding. *alone: the latter are known. */
static int respond_images(switching *o, double t, const double *x, int *alone)
{
  const ns_event_host *host = o->run.host;
  double *b = o->b + o->m->nq - o->nimages;
  int some = 0;
  for (size_t i = 0; i < o->nimages; i++) some |= b[i] != 0;
  if (!some) return NS_OK;
  int rc = host->push(host->of, t, x, b, o->pushed);
  if (!rc && !*alone) rc = host->push(host->of, t, x, o->zero, o->unpushed);
  *alone = !rc;
  for (size_t i = 0; i < o->nimages; i++) {
    double size = fabs(o->pushed[i]) + fabs(o->unpushed[i]);
    b[i] = o->pushed[i] - o->unpushed[i];
    if (fabs(b[i]) <= 16 * DBL_EPSILON * size) b[i] = 0;
  }
  return rc;
}

/* Responses at one point share those without forces. */
static int respond_to(switching *o, double t, const double *x, int r, int *alone)
{
  memset(o->b, 0, o->m->nq * sizeof *o->b);
  ns_rows_add(&o->k->B, r, 1, o->b);
  int rc = o->nimages ? respond_images(o, t, x, alone) : NS_OK;
  return rc ? rc : ns_rate_base_rate(&o->base, o->run.c, t, o->b, o->zero, o->b);
}

int ns_sw_response(switching *o, double t, const double *x, int r)
{
  int alone = 0;
  return respond_to(o, t, x, r, &alone);
}

int ns_sw_leap(switching *o)
{
  const ns_event_host *host = o->run.host;
  double t = *o->x->t, *b = o->b + o->m->nq - o->nimages;
  int some = 0, rc = NS_OK;
  for (size_t i = 0; i < o->nimages; i++) some |= b[i] != 0;
  if (some) rc = host->strike(host->of, t, o->x->q, b, b);
  return rc ? rc : ns_rate_base_rate(&o->base, o->run.c, t, o->b, o->zero, o->b);
}

/* Column j of the matrix of rows of degree 1: what multiplier j does to the derivatives. */
static int slopes_of(switching *o, double t, const double *x, int j, int *alone)
{
  ns_singular *h = &o->held;
  int rc = respond_to(o, t, x, o->holds[j], alone);
  double size = grains(o, o->b);
  for (int i = 0; i < h->n; i++) o->stencil[o->holds[i]] = product(&o->k->C, o->holds[i], o->b);
  for (int i = 0; i < h->n; i++)
    if (o->degree[o->holds[i]]) h->A[i + j * h->n] = combined_entry(o, i, size);
  return rc;
}

/* The search for modes asks how much of lambda a unit of y is. */
static void shares(switching *o)
{
  const ns_singular *h = &o->held;
  for (int i = 0; i < h->n; i++) {
    double max = 0;
    for (int j = 0; j < h->n; j++) max = fmax(max, fabs(h->A[i + j * h->n]));
    o->search.share[o->holds[i]] = max > 0 ? 1 / max : 0;
  }
}

/* Mechanics, if rows act on it, takes forces in the same way wherever it is. */
static int responds_alike(const switching *o)
{
  return !o->nimages || o->run.host->responds_alike(o->run.host->of);
}

/* Matrix of the held rows in their multipliers. */
static int factor(switching *o, double t, const double *x)
{
  ns_singular *h = &o->held;
  const ns_rows *D = &o->k->D;
  int alone = 0, rc = NS_OK;
  if (o->factored && o->fixed && responds_alike(o)) return NS_OK;
  choose_held(o);
  grain(o);
  memset(h->A, 0, (size_t)h->n * (size_t)h->n * sizeof *h->A);
  for (int j = 0; j < h->n && !rc; j++) rc = slopes_of(o, t, x, j, &alone);
  for (int i = 0; i < h->n; i++) {
    int r = o->holds[i];
    for (int e = D->ptr[r]; e < D->ptr[r + 1] && !o->degree[r]; e++)
      if (ns_sw_is_equality(o, D->dof[e])) h->A[i + o->place[D->dof[e]] * h->n] += D->val[e];
  }
  shares(o);
  ns_singular_factor(h);
  o->factored = !rc;
  return rc;
}

double ns_sw_slope(const switching *o, int r, const ns_motion *p)
{
  return ns_rows_dot(&o->k->C, r, p->v) + o->drift[r];
}

int ns_sw_speed_sizes(switching *o, double t, const double *r, const double *v)
{
  size_t first = o->m->nq - o->nimages;
  int rc = ns_rate_base_rate(&o->base, o->run.c, t, o->zero, r, o->speed);
  for (size_t i = 0; i < o->m->nq; i++)
    o->speed[i] = fabs(v[i]) + (i < first ? 2 * fabs(o->speed[i]) : 0);
  return rc;
}

double ns_sw_slope_rounding(const switching *o, int r)
{
  return 64 * DBL_EPSILON * (fabs(o->drift[r]) + ns_rows_size(&o->k->C, r, o->speed));
}

/* Rows that depend on others: what is left of their derivatives. */
static double loose(switching *o, const ns_motion *p)
{
  const ns_singular *h = &o->held;
  double max = 0;
  if (h->rank == h->n) return 0;
  for (int i = 0; i < h->n; i++) o->stencil[o->holds[i]] = ns_sw_slope(o, o->holds[i], p);
  for (int i = 0; i < h->n; i++) {
    double size = 0;
    for (int j = 0; j < h->n; j++)
      size += fabs(o->combine[i + j * h->n]) *
              (o->opt->speed_tol +
               1e-9 * (fabs(o->drift[o->holds[j]]) + ns_rows_size(&o->k->C, o->holds[j], p->v)));
    if (o->degree[o->holds[i]]) max = fmax(max, fabs(combined(o, i, o->stencil)) / size);
  }
  return max;
}

/* rhs = what is left of the held rows; the largest, each row by its largest entry in the factors
 * that there are. */
static double residual(switching *o, const ns_motion *p)
{
  const ns_singular *h = &o->held;
  double max = 0;
  for (int i = 0; i < h->n; i++) o->stencil[o->holds[i]] = ns_sw_slope(o, o->holds[i], p);
  for (int i = 0; i < h->n; i++) {
    int r = o->holds[i];
    o->rhs[i] = o->degree[r] ? -combined(o, i, o->stencil) : -p->y[r];
    max = fmax(max, fabs(o->rhs[i]) * h->scale[i]);
  }
  return max;
}

/* Newton's step of the held multipliers, to `step`; its size by that of lambda. */
static double newton_step(switching *o, const ns_motion *p)
{
  const ns_singular *h = &o->held;
  double size = 0;
  memcpy(o->step, o->rhs, (size_t)h->n * sizeof *o->step);
  ns_singular_solve(h, o->step);
  for (int i = 0; i < h->n; i++)
    size = fmax(size, fabs(o->step[i]) / (1 + fabs(p->lambda[o->holds[i]])));
  return size;
}

/* The step is rounding: of each multiplier, or of what they are all together and no longer less
 * than the one before. */
static int has_ended(const switching *o, const ns_motion *p, double size, double before)
{
  int all = 1;
  for (int i = 0; i < o->held.n; i++)
    all &= fabs(o->step[i]) <= GOOD * fabs(p->lambda[o->holds[i]]);
  return all || (size <= GOOD && size > before / 4);
}

static void add_step(switching *o, double part, ns_motion *p)
{
  for (int i = 0; i < o->held.n; i++) p->lambda[o->holds[i]] += part * o->step[i];
}

/* ---- the motion ------------------------------------------------------------------------------ */

/* Where lambda begins: at its bound; of held rows a fixed place, so that the motion is a function
 * of the point alone, or near: that of the last row of the grid, from which Newton's method has a
 * short way where relations are as steep as exp(v/0.026 V). */
static double first_lambda(const switching *o, int r, int near)
{
  double lb = o->lb[r], ub = o->ub[r];
  if (o->x->mode[r] == NS_SIDE_LOWER) return lb;
  if (o->x->mode[r] == NS_SIDE_UPPER) return ub;
  if (near) return o->first[r];
  if (isfinite(lb) && isfinite(ub)) return lb + (ub - lb) / 2;
  return fmin(fmax(0, lb), ub);
}

/* y, r and rate at lambda; `first`: of relations and their drift, too, where lambda does not change
 * them. */
static int respond(switching *o, const ns_relation_point *at, int first, ns_motion *p)
{
  int rc = NS_OK;
  if (first || !o->k->linear) rc = relations(o, at);
  if (!rc && (first || !o->k->linear)) rc = drift(o, at);
  if (rc) return rc;
  ns_couplings_output(o->k, at->x, p->lambda, p->y);
  ns_couplings_input(o->k, p->lambda, p->lambda, o->zero, p->r);
  return row_rates(o, at->t, at->x, o->f, p->r, p->v);
}

static int is_finite(switching *o, const ns_relation_point *at, const ns_motion *p)
{
  o->run.bad = -1;
  double outputs = 0;
  for (size_t i = 0; i < o->m->nq; i++)
    if (!isfinite(p->v[i])) o->run.bad = (int)i;
  for (int r = 0; r < o->k->nrows; r++) outputs += 0 * p->y[r]; /* NaN where one is not finite */
  if (o->run.bad < 0 && outputs == 0) return 1;
  ns_event_run_lapse(&o->run, at->t, at->x, o->x->v, at->lambda);
  return 0;
}

static int all_finite(const switching *o, const ns_motion *p)
{
  double sum = 0; /* NaN where one is not finite */
  for (size_t i = 0; i < o->m->nq; i++) sum += 0 * p->v[i];
  for (int r = 0; r < o->k->nrows; r++) sum += 0 * p->y[r];
  return sum == 0;
}

/* Newton's method; a step that leaves more than there was is halved, as those of an exponential
 * that begin where it is flat. The motion is always asked for behind the last step, of 0, too: the
 * factors leave mechanics with the forces of one multiplier. */
static int multipliers(switching *o, const ns_relation_point *at, int near, ns_motion *p)
{
  int done = 0, rc = NS_OK;
  double size = INFINITY, left = 0, part = 1;
  for (int r = 0; r < o->k->nrows; r++) p->lambda[r] = first_lambda(o, r, near);
  o->loose = 0;
  for (int it = 0; it < NEWTON && !rc; it++) {
    rc = respond(o, at, it == 0, p);
    if (rc) return rc;
    if (it > 0 && !done && part > SHORT && (!all_finite(o, p) || residual(o, p) > left)) {
      part /= 2;
      add_step(o, -part, p);
      continue;
    }
    if (!is_finite(o, at, p)) return 1;
    if (done) {
      o->loose = loose(o, p);
      return NS_OK;
    }
    rc = factor(o, at->t, at->x);
    if (rc || !o->held.n) return rc;
    double before = size;
    left = residual(o, p);
    size = newton_step(o, p);
    part = 1;
    add_step(o, part, p);
    done = o->k->linear || has_ended(o, p, size, before);
  }
  return rc ? rc : 1;
}

int ns_sw_motion(switching *o, double t, const double *x, ns_motion *p)
{
  const ns_relation_point at = {.t = t, .x = x, .z = o->x->z, .lambda = p->lambda};
  const int near = !o->k->linear;
  int rc = o->laws_vary ? renew_bounds(o, t, x) : NS_OK;
  if (rc) return rc;
  if (o->laws_vary) {
    memcpy(p->lb, o->lb, o->m->nrows * sizeof *p->lb);
    memcpy(p->ub, o->ub, o->m->nrows * sizeof *p->ub);
  }
  rc = ns_sw_field(o, t, x);
  if (!rc) rc = multipliers(o, &at, near, p);
  return rc == 1 && near ? multipliers(o, &at, 0, p) : rc;
}

/* ---- back to the surface --------------------------------------------------------------------- */

/* o->b = the gradient of combination i of the held rows; entries that are rounding of their terms
 * or of C are 0, as those of rows that follow from others. */
static void gradient(switching *o, int i)
{
  size_t n = o->m->nq;
  const ns_rows *C = &o->k->C;
  double *b = o->b, *size = o->run.unknown; /* scratch */
  double errors = grain_of(o, i);
  memset(b, 0, n * sizeof *b);
  memset(size, 0, n * sizeof *size);
  for (int j = 0; j < o->held.n; j++) {
    double w = o->combine[i + j * o->held.n];
    int r = o->holds[j];
    for (int e = C->ptr[r]; e < C->ptr[r + 1] && w != 0; e++) {
      b[C->dof[e]] += w * C->val[e];
      size[C->dof[e]] += fabs(w * C->val[e]);
    }
  }
  for (size_t d = 0; d < n; d++)
    if (fabs(b[d]) <= fmax(RANK * size[d], errors * o->grain_of_state[d])) b[d] = 0;
}

/* A = gradients of the combinations of degree 1 with each other, 1 for the others; rhs: less what
 * is left of y. */
static void distances(switching *o)
{
  ns_singular *h = &o->held;
  int n = h->n;
  memset(h->A, 0, (size_t)n * (size_t)n * sizeof *h->A);
  for (int i = 0; i < n; i++) {
    h->A[i + i * n] = 1;
    o->rhs[i] = 0;
    if (!o->degree[o->holds[i]]) continue;
    gradient(o, i);
    double size = grains(o, o->b);
    for (int j = 0; j < n; j++) o->stencil[o->holds[j]] = product(&o->k->C, o->holds[j], o->b);
    for (int j = 0; j < n; j++)
      if (o->degree[o->holds[j]]) h->A[j + i * n] = combined_entry(o, j, size);
    o->rhs[i] = -combined(o, i, o->x->y);
  }
}

int ns_sw_depends(switching *o, int r)
{
  static const double LEFT = 1e-6; /* of its own gradient */
  ns_singular *h = &o->held;
  const ns_rows *C = &o->k->C;
  size_t n = o->m->nq;
  double own = 0, left = 0;
  for (int i = 0; i < h->n; i++) {
    memset(o->b, 0, n * sizeof *o->b);
    ns_rows_add(C, o->holds[i], 1, o->b);
    for (int j = 0; j < h->n; j++) h->A[j + i * h->n] = product(C, o->holds[j], o->b);
    o->rhs[i] = product(C, r, o->b);
  }
  o->factored = 0;
  if (h->n) {
    ns_singular_factor(h);
    ns_singular_solve(h, o->rhs);
  }
  memset(o->b, 0, n * sizeof *o->b);
  ns_rows_add(C, r, 1, o->b);
  own = fmax(own, ns_max_abs(n, o->b));
  for (int i = 0; i < h->n; i++) ns_rows_add(C, o->holds[i], -o->rhs[i], o->b);
  left = fmax(left, ns_max_abs(n, o->b));
  return left <= LEFT * own;
}

int ns_sw_project(switching *o)
{
  ns_state *x = o->x;
  ns_motion *p = &o->at[0];
  int rc = NS_OK;
  for (int pass = 0; pass < 3 && !rc; pass++) {
    rc = ns_sw_motion(o, *x->t, x->q, p);
    if (rc) break;
    memcpy(x->y, p->y, o->m->nrows * sizeof *x->y);
    distances(o);
    double max = ns_max_abs((size_t)o->held.n, o->rhs);
    o->factored = 0;
    if (max == 0) break;
    ns_singular_factor(&o->held);
    ns_singular_solve(&o->held, o->rhs);
    for (int i = 0; i < o->held.n; i++) {
      if (!o->degree[o->holds[i]] || o->rhs[i] == 0) continue;
      gradient(o, i);
      ns_axpy(o->m->nq, o->rhs[i], o->b, x->q);
    }
    if (o->k->linear) break;
  }
  return rc < 0 ? rc : NS_OK;
}

/* ---- impulses -------------------------------------------------------------------------------- */

int ns_sw_strike(switching *o, double *impulse)
{
  ns_state *x = o->x;
  ns_motion *p = &o->at[0];
  ns_singular *h = &o->held;
  int rc = ns_sw_motion(o, *x->t, x->q, p);
  if (rc) return rc < 0 ? rc : NS_OK;
  for (int i = 0; i < h->n; i++) o->rhs[i] = o->degree[o->holds[i]] ? -combined(o, i, p->y) : 0;
  if (h->n) ns_singular_solve(h, o->rhs);
  memset(impulse, 0, o->m->nrows * sizeof *impulse);
  memset(o->b, 0, o->m->nq * sizeof *o->b);
  for (int i = 0; i < h->n; i++) {
    impulse[o->holds[i]] = o->rhs[i];
    ns_rows_add(&o->k->B, o->holds[i], o->rhs[i], o->b);
  }
  rc = ns_sw_leap(o);
  if (!rc) ns_axpy(o->m->nq, 1, o->b, x->q);
  return rc;
}
