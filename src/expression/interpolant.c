/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "expression/interpolant.h"

#include "base/grow.h"
#include "expression/graph.h"
#include "expression/lookup.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_interp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* of a row: f = C0 + d (C1 + d (C2 + d C3)), d = x - KNOT */
enum { KNOT, C0, C1, C2, C3, COLUMNS };

struct ns_interpolant {
  const char *name;
  ns_interpolation how;
  ns_outside outside;
  int degree;           /* of the pieces */
  double low, high;     /* ends of the axis */
  double before, after; /* values outside, where pieces are smooth */
  const ns_lookup *of;  /* one argument */
  /* two: axes whose rows are their knots, and by x the factors of each y */
  const ns_lookup *x, *y, *cell;
  double low_y, high_y; /* ends of the second axis */
};

static const double FORGIVEN = 1e-9; /* of the range, at its ends, where nothing is given outside */

/* ---- pieces of one argument ------------------------------------------------------------------ */

typedef struct pieces {
  int n;
  const double *x, *y;
  double *row; /* [(n+1) x COLUMNS], that of piece -1 first */
} pieces;

static double *row_of(const pieces *p, int k) { return p->row + (size_t)(k + 1) * COLUMNS; }

static void linear(const pieces *p)
{
  for (int k = 0; k + 1 < p->n; k++)
    row_of(p, k)[C1] = (p->y[k + 1] - p->y[k]) / (p->x[k + 1] - p->x[k]);
}

/* Cubic pieces with slopes d at the knots (Hermite). */
static void hermite(const pieces *p, const double *d)
{
  for (int k = 0; k + 1 < p->n; k++) {
    double *c = row_of(p, k), h = p->x[k + 1] - p->x[k], slope = (p->y[k + 1] - p->y[k]) / h;
    c[C1] = d[k];
    c[C2] = (3 * slope - 2 * d[k] - d[k + 1]) / h;
    c[C3] = (d[k] + d[k + 1] - 2 * slope) / (h * h);
  }
}

/* The slope at the first of three knots, from there and back: that of the parabola, but of the sign
 * of the first piece and at most three times as steep (Moler 2004, section 3.6). h, s: widths and
 * slopes of the two pieces. */
static double end_slope(double h0, double h1, double s0, double s1)
{
  double d = ((2 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
  if (d * s0 <= 0) return 0;
  return s0 * s1 <= 0 && fabs(d) > 3 * fabs(s0) ? 3 * s0 : d;
}

/* Weighted harmonic mean of the slopes on both sides, 0 at extremes. */
static double inner_slope(double h0, double h1, double s0, double s1)
{
  if (s0 * s1 <= 0) return 0;
  double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
  return (w0 + w1) / (w0 / s0 + w1 / s1);
}

static void pchip_slopes(const pieces *p, int periodic, double *d)
{
  const double *x = p->x, *y = p->y;
  int n = p->n, m = n - 1;
#define H(k) (x[(k) + 1] - x[k])
#define S(k) ((y[(k) + 1] - y[k]) / H(k))
  for (int k = 1; k < m; k++) d[k] = inner_slope(H(k - 1), H(k), S(k - 1), S(k));
  if (m == 1) d[0] = d[1] = S(0);
  else if (periodic) d[0] = d[m] = inner_slope(H(m - 1), H(0), S(m - 1), S(0));
  else {
    d[0] = end_slope(H(0), H(1), S(0), S(1));
    d[m] = end_slope(H(m - 1), H(m - 2), S(m - 1), S(m - 2));
  }
#undef H
#undef S
}

/* Slopes of the cubic spline. NS_NOMEM. */
static int spline_slopes(const pieces *p, int periodic, double *d)
{
  const gsl_interp_type *type = periodic ? gsl_interp_cspline_periodic : gsl_interp_cspline;
  gsl_error_handler_t *handler = gsl_set_error_handler_off();
  gsl_interp *s = gsl_interp_alloc(type, (size_t)p->n);
  int rc = s && gsl_interp_init(s, p->x, p->y, (size_t)p->n) == GSL_SUCCESS ? NS_OK : NS_NOMEM;
  for (int k = 0; k < p->n && !rc; k++) d[k] = gsl_interp_eval_deriv(s, p->x, p->y, p->x[k], NULL);
  gsl_interp_free(s);
  gsl_set_error_handler(handler);
  return rc;
}

static int cubic(const pieces *p, ns_interpolation how, int periodic)
{
  double *d = malloc((size_t)p->n * sizeof *d);
  int rc = d ? NS_OK : NS_NOMEM;
  if (!rc && (how == NS_INTERPOLATION_PCHIP || p->n < 3)) pchip_slopes(p, periodic, d);
  else if (!rc) rc = spline_slopes(p, periodic, d);
  if (!rc) hermite(p, d);
  free(d);
  return rc;
}

/* What holds outside of the knots, in the rows -1 and p->n - 1. */
static void ends(const pieces *p, const ns_interpolant *f)
{
  double *first = row_of(p, -1), *last = row_of(p, p->n - 1);
  if (f->outside == NS_OUTSIDE_PERIODIC) { /* met by rounding alone */
    memcpy(first, row_of(p, 0), COLUMNS * sizeof *first);
    memcpy(last, row_of(p, p->n - 2), COLUMNS * sizeof *last);
    return;
  }
  first[KNOT] = p->x[0]; /* those of their neighbours: affine between the rows */
  last[KNOT] = p->x[p->n - 2];
  first[C0] = f->before;
  last[C0] = f->after;
}

/* The axis of a lookup: the knots, and where nothing is given outside, ends that forgive rounding:
 * the first knot is moved outwards, and one is added behind the last. malloced [*count]; NULL: out
 * of memory. */
static double *axis_of(ns_outside outside, int n, const double *x, int *count)
{
  double slack = outside == NS_OUTSIDE_ERROR ? FORGIVEN * (x[n - 1] - x[0]) : 0,
         *axis = malloc(((size_t)n + 1) * sizeof *axis);
  if (!axis) return NULL;
  memcpy(axis, x, (size_t)n * sizeof *x);
  *count = n;
  if (outside != NS_OUTSIDE_ERROR) return axis;
  axis[0] -= slack;
  axis[(*count)++] = x[n - 1] + slack;
  return axis;
}

static const ns_lookup *lookup_of_pieces(ns_arena *a, const char *name, const pieces *p,
                                         ns_interpolation how, ns_outside outside)
{
  int count;
  double *axis = axis_of(outside, p->n, p->x, &count);
  if (!axis) return NULL;
  if (count > p->n) { /* the last value holds for a billionth of the range */
    double *last = row_of(p, p->n - 1);
    last[C0] = p->y[p->n - 1];
    memset(row_of(p, p->n), 0, COLUMNS * sizeof *last);
    row_of(p, p->n)[C0] = NAN;
  }
  const ns_lookup *t = ns_lookup_create(a, name, count, axis, COLUMNS, p->row,
                                        how == NS_INTERPOLATION_PCHIP);
  free(axis);
  return t;
}

const ns_interpolant *ns_interpolant_create(ns_arena *a, const char *name, ns_interpolation how,
                                            ns_outside outside, int n, const double *x,
                                            const double *y)
{
  ns_interpolant *f = ns_arena_zero(a, 1, sizeof *f);
  pieces p = {.n = n, .x = x, .y = y, .row = calloc(((size_t)n + 2) * COLUMNS, sizeof(double))};
  int rc = f && p.row ? NS_OK : NS_NOMEM;
  if (!rc) {
    *f = (ns_interpolant){
        .name = name, .how = how, .outside = outside, .low = x[0], .high = x[n - 1]};
    f->degree = how == NS_INTERPOLATION_STEP ? 0 : how == NS_INTERPOLATION_LINEAR ? 1 : 3;
    if (outside == NS_OUTSIDE_HOLD) f->before = y[0];
    if (outside == NS_OUTSIDE_HOLD) f->after = y[n - 1];
    if (outside == NS_OUTSIDE_ERROR) f->before = f->after = NAN;
    for (int k = 0; k < n; k++) row_of(&p, k)[KNOT] = x[k];
    for (int k = 0; k < n; k++) row_of(&p, k)[C0] = y[k];
    if (f->degree == 1) linear(&p);
    if (f->degree == 3) rc = cubic(&p, how, outside == NS_OUTSIDE_PERIODIC);
    ends(&p, f);
  }
  if (!rc && !(f->of = lookup_of_pieces(a, name, &p, how, outside))) rc = NS_NOMEM;
  free(p.row);
  return rc ? NULL : f;
}

/* ---- cells of two arguments ------------------------------------------------------------------ */

enum {
  CELL = 4,   /* f = c0 + c1 dx + c2 dy + c3 dx dy */
  POWERS = 4, /* of dx and of dy in a bicubic cell, */
  BICUBIC = POWERS * POWERS
}; /* f = sum c_(kl) dx^k dy^l, by k */

/* Knots as rows of one column: from the piece to its knot. */
static const ns_lookup *knots(ns_arena *a, const char *name, int n, const double *x, int count,
                              const double *axis)
{
  double *row = malloc(((size_t)count + 1) * sizeof *row);
  if (!row) return NULL;
  row[0] = x[0];
  memcpy(row + 1, x, (size_t)n * sizeof *x);
  if (count > n) row[count] = x[n - 1];
  const ns_lookup *t = ns_lookup_create(a, name, count, axis, 1, row, 0);
  free(row);
  return t;
}

typedef struct grid {
  int nx, ny; /* knots */
  int kx, ky; /* knots of the axes, with those of rounding */
  const double *x, *y, *value;
} grid;

static double at(const grid *t, int i, int j)
{
  return t->value[(size_t)i * (size_t)t->ny + (size_t)j];
}

/* Factors of cell (i, j); beyond an end the slope across it is 0. */
static void cell_factors(const ns_interpolant *f, const grid *t, int i, int j, double *c)
{
  int beyond_x = i < 0 || i >= t->kx - 1, beyond_y = j < 0 || j >= t->ky - 1;
  int left = i < 0 ? 0 : i < t->nx ? i : t->nx - 1, right = i < 0 || i >= t->nx - 1 ? left : i + 1;
  int low = j < 0 ? 0 : j < t->ny ? j : t->ny - 1, high = j < 0 || j >= t->ny - 1 ? low : j + 1;
  double hx = right > left ? t->x[right] - t->x[left] : 1,
         hy = high > low ? t->y[high] - t->y[low] : 1;
  memset(c, 0, CELL * sizeof *c);
  c[0] = at(t, left, low);
  if ((beyond_x || beyond_y) && f->outside == NS_OUTSIDE_ERROR) c[0] = NAN;
  if ((beyond_x || beyond_y) && f->outside == NS_OUTSIDE_ZERO) c[0] = 0;
  if (f->how == NS_INTERPOLATION_STEP || ((beyond_x || beyond_y) && f->outside != NS_OUTSIDE_HOLD))
    return;
  c[1] = (at(t, right, low) - c[0]) / hx;
  c[2] = (at(t, left, high) - c[0]) / hy;
  c[3] = (at(t, right, high) - at(t, right, low) - at(t, left, high) + c[0]) / (hx * hy);
}

static int make_cells(ns_interpolant *f, ns_arena *a, grid *t)
{
  double *x = axis_of(f->outside, t->nx, t->x, &t->kx),
         *y = axis_of(f->outside, t->ny, t->y, &t->ky), *cell = NULL;
  size_t width = y ? CELL * ((size_t)t->ky + 1) : 0;
  if (x && y && (cell = malloc(((size_t)t->kx + 1) * width * sizeof *cell))) {
    for (int i = -1; i < t->kx; i++)
      for (int j = -1; j < t->ky; j++)
        cell_factors(f, t, i, j, cell + (size_t)(i + 1) * width + (size_t)(j + 1) * CELL);
    f->x = knots(a, f->name, t->nx, t->x, t->kx, x);
    f->y = knots(a, f->name, t->ny, t->y, t->ky, y);
    f->cell = ns_lookup_create(a, f->name, t->kx, x, (int)width, cell, 0);
  }
  NS_FREE(x, y, cell);
  return f->x && f->y && f->cell ? NS_OK : NS_NOMEM;
}

/* Slopes of the cubic spline through n values, `stride` apart, to d, as far apart; room [2 n]. */
static int slopes_along(int n, const double *x, const double *value, int stride, double *d,
                        double *capacity)
{
  for (int k = 0; k < n; k++) capacity[k] = value[(size_t)k * (size_t)stride];
  const pieces p = {.n = n, .x = x, .y = capacity};
  int rc = n < 3 ? NS_OK : spline_slopes(&p, 0, capacity + n);
  if (n < 3) pchip_slopes(&p, 0, capacity + n);
  for (int k = 0; k < n && !rc; k++) d[(size_t)k * (size_t)stride] = capacity[n + k];
  return rc;
}

/* Powers of d in a piece of width h between values and slopes; without width the value alone. */
static void powers_of(double h, double y0, double y1, double d0, double d1, double *c)
{
  c[0] = y0;
  c[1] = c[2] = c[3] = 0;
  if (!(h > 0)) return;
  double slope = (y1 - y0) / h;
  c[1] = d0;
  c[2] = (3 * slope - 2 * d0 - d1) / h;
  c[3] = (d0 + d1 - 2 * slope) / (h * h);
}

/* Cell (i, j) of values and slopes of [4] grids: f, its slopes along x, along y, and along both.
 * The last ones, behind the ends, are edges without width. */
static void bicubic_factors(const grid *t, const double *const *of, int i, int j, double *c)
{
  int left = i < 0 ? 0 : i, right = left + 1 < t->nx ? left + 1 : left, low = j < 0 ? 0 : j,
      high = low + 1 < t->ny ? low + 1 : low;
  double hx = t->x[right] - t->x[left], hy = t->y[high] - t->y[low], at[2][2][POWERS];
#define OF(g, i, j) of[g][(size_t)(i) * (size_t)t->ny + (size_t)(j)]
  for (int side = 0; side < 2; side++)        /* at the lower and the upper edge */
    for (int slope = 0; slope < 2; slope++) { /* f, and its slope along y */
      int y = side ? high : low;
      powers_of(hx, OF(2 * slope, left, y), OF(2 * slope, right, y), OF(2 * slope + 1, left, y),
                OF(2 * slope + 1, right, y), at[side][slope]);
    }
#undef OF
  for (int k = 0; k < POWERS; k++)
    powers_of(hy, at[0][0][k], at[1][0][k], at[0][1][k], at[1][1][k], c + k * POWERS);
}

/* NS_NOMEM. */
static int make_bicubic(ns_interpolant *f, ns_arena *a, grid *t)
{
  size_t n = (size_t)t->nx * (size_t)t->ny, width = BICUBIC * ((size_t)t->ny + 1);
  double *slope = malloc(3 * n * sizeof *slope),
         *capacity = malloc(2 * ((size_t)t->nx + (size_t)t->ny) * sizeof *capacity);
  double *cell = malloc(((size_t)t->nx + 1) * width * sizeof *cell);
  int rc = slope && capacity && cell ? NS_OK : NS_NOMEM;
  const double *const of[] = {t->value, slope, slope + n, slope + 2 * n};
  for (int j = 0; j < t->ny && !rc; j++)
    rc = slopes_along(t->nx, t->x, t->value + j, t->ny, slope + j, capacity);
  for (int i = 0; i < t->nx && !rc; i++) {
    size_t row = (size_t)i * (size_t)t->ny;
    rc = slopes_along(t->ny, t->y, t->value + row, 1, slope + n + row, capacity);
    if (!rc) rc = slopes_along(t->ny, t->y, slope + row, 1, slope + 2 * n + row, capacity);
  }
  for (int i = -1; i < t->nx && !rc; i++)
    for (int j = -1; j < t->ny; j++)
      bicubic_factors(t, of, i, j, cell + (size_t)(i + 1) * width + (size_t)(j + 1) * BICUBIC);
  if (!rc) {
    f->x = knots(a, f->name, t->nx, t->x, t->nx, t->x);
    f->y = knots(a, f->name, t->ny, t->y, t->ny, t->y);
    f->cell = ns_lookup_create(a, f->name, t->nx, t->x, (int)width, cell, 0);
  }
  NS_FREE(slope, capacity, cell);
  return f->x && f->y && f->cell ? NS_OK : NS_NOMEM;
}

const ns_interpolant *ns_interpolant_create_2d(ns_arena *a, const char *name, ns_interpolation how,
                                               ns_outside outside, int nx, const double *x, int ny,
                                               const double *y, const double *value)
{
  ns_interpolant *f = ns_arena_zero(a, 1, sizeof *f);
  grid t = {.nx = nx, .ny = ny, .x = x, .y = y, .value = value};
  if (!f) return NULL;
  *f = (ns_interpolant){.name = name,
                        .how = how,
                        .outside = outside,
                        .low = x[0],
                        .high = x[nx - 1],
                        .low_y = y[0],
                        .high_y = y[ny - 1]};
  f->degree = how == NS_INTERPOLATION_STEP ? 0 : how == NS_INTERPOLATION_LINEAR ? 1 : 3;
  int rc = f->degree == 3 ? make_bicubic(f, a, &t) : make_cells(f, a, &t);
  return rc ? NULL : f;
}

/* ---- formulas -------------------------------------------------------------------------------- */

static ns_node number(ns_graph *g, double v) { return ns_graph_constant(g, v); }
static ns_node handle(ns_graph *g, const ns_lookup *t) { return number(g, ns_lookup_handle(t)); }

static ns_node entry(ns_graph *g, const ns_lookup *t, ns_node piece, int column)
{
  return ns_make_entry(g, piece, number(g, column), handle(g, t));
}

/* The piece of x, followed by events. */
static ns_node piece_of(ns_graph *g, const ns_lookup *t, ns_node x)
{
  return ns_make1(g, NS_OP_FLOOR, ns_make2(g, NS_OP_POSITION, x, handle(g, t)));
}

/* Pieces of one argument by Horner's rule. */
static ns_node polynomial(const ns_interpolant *f, ns_graph *g, ns_node x, ns_node piece)
{
  ns_node d = ns_graph_subtract(g, x, entry(g, f->of, piece, KNOT)),
          sum = entry(g, f->of, piece, C0 + f->degree);
  for (int k = f->degree - 1; k >= 0; k--)
    sum = ns_graph_add(g, entry(g, f->of, piece, C0 + k), ns_graph_multiply(g, d, sum));
  return sum;
}

/* Smooth pieces: what happens at the ends are switches of their own. */
static ns_node smooth(const ns_interpolant *f, ns_graph *g, ns_node x)
{
  double slack = f->outside == NS_OUTSIDE_ERROR ? FORGIVEN * (f->high - f->low) : 0;
  ns_node inside = polynomial(f, g, x, ns_make2(g, NS_OP_PIECE, x, handle(g, f->of)));
  if (f->outside == NS_OUTSIDE_PERIODIC) return inside;
  ns_node behind = ns_graph_select(g, ns_graph_less(g, number(g, f->high + slack), x),
                                   number(g, f->after), inside);
  return ns_graph_select(g, ns_graph_less(g, x, number(g, f->low - slack)), number(g, f->before),
                         behind);
}

static ns_node of_one(const ns_interpolant *f, ns_graph *g, ns_node x)
{
  if (f->outside == NS_OUTSIDE_PERIODIC) {
    ns_node low = number(g, f->low);
    x = ns_graph_add(g, low,
                     ns_make_mod(g, ns_graph_subtract(g, x, low), number(g, f->high - f->low)));
  }
  return f->degree == 3 ? smooth(f, g, x) : polynomial(f, g, x, piece_of(g, f->of, x));
}

/* Factor k of the cell in column j of lookup cell: size (j + 1) + k. */
static ns_node factor(const ns_interpolant *f, ns_graph *g, ns_node i, ns_node j, int k)
{
  const int size = f->degree == 3 ? BICUBIC : CELL;
  ns_node column = ns_graph_add(g, ns_graph_multiply(g, number(g, size), j), number(g, size + k));
  return ns_make_entry(g, i, column, handle(g, f->cell));
}

/* x within the ends of its axis, and outside of them, but for what is forgiven, `beyond` in the
 * place of f. */
static ns_node between(ns_graph *g, ns_node x, double low, double high)
{
  return ns_make2(g, NS_OP_MAX, ns_make2(g, NS_OP_MIN, x, number(g, high)), number(g, low));
}

static ns_node within(ns_graph *g, ns_node x, double low, double high, double slack, double beyond,
                      ns_node f)
{
  f = ns_graph_select(g, ns_graph_less(g, number(g, high + slack), x), number(g, beyond), f);
  return ns_graph_select(g, ns_graph_less(g, x, number(g, low - slack)), number(g, beyond), f);
}

/* Smooth cells: what happens at the ends are switches of their own. */
static ns_node smooth_cells(const ns_interpolant *f, ns_graph *g, ns_node x, ns_node y)
{
  ns_node p = between(g, x, f->low, f->high), q = between(g, y, f->low_y, f->high_y),
          sum = number(g, 0);
  ns_node i = ns_make2(g, NS_OP_PIECE, p, handle(g, f->x)),
          j = ns_make2(g, NS_OP_PIECE, q, handle(g, f->y));
  ns_node dx = ns_graph_subtract(g, p, entry(g, f->x, i, 0)),
          dy = ns_graph_subtract(g, q, entry(g, f->y, j, 0));
  for (int k = POWERS - 1; k >= 0; k--) {
    ns_node along = factor(f, g, i, j, k * POWERS + POWERS - 1);
    for (int l = POWERS - 2; l >= 0; l--)
      along = ns_graph_add(g, factor(f, g, i, j, k * POWERS + l), ns_graph_multiply(g, dy, along));
    sum = ns_graph_add(g, along, ns_graph_multiply(g, dx, sum));
  }
  if (f->outside == NS_OUTSIDE_HOLD) return sum;
  double part = f->outside == NS_OUTSIDE_ERROR ? FORGIVEN : 0,
         beyond = f->outside == NS_OUTSIDE_ERROR ? NAN : 0;
  sum = within(g, y, f->low_y, f->high_y, part * (f->high_y - f->low_y), beyond, sum);
  return within(g, x, f->low, f->high, part * (f->high - f->low), beyond, sum);
}

static ns_node of_two(const ns_interpolant *f, ns_graph *g, ns_node x, ns_node y)
{
  if (f->degree == 3) return smooth_cells(f, g, x, y);
  ns_node i = piece_of(g, f->x, x), j = piece_of(g, f->y, y), c0 = factor(f, g, i, j, 0);
  if (f->degree == 0) return c0;
  ns_node dx = ns_graph_subtract(g, x, entry(g, f->x, i, 0)),
          dy = ns_graph_subtract(g, y, entry(g, f->y, j, 0));
  ns_node across = ns_graph_add(g, factor(f, g, i, j, 1),
                                ns_graph_multiply(g, factor(f, g, i, j, 3), dy));
  ns_node along = ns_graph_multiply(g, factor(f, g, i, j, 2), dy);
  return ns_graph_add(g, ns_graph_add(g, c0, along), ns_graph_multiply(g, across, dx));
}

ns_node ns_interpolant_node(const ns_interpolant *f, ns_graph *g, const ns_node *argument)
{
  return f->of ? of_one(f, g, argument[0]) : of_two(f, g, argument[0], argument[1]);
}
