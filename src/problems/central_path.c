/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/central_path.h"

#include "algebra/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Steps without half the residual that end a run; a step that is none; the mean of the products is
 * held above FLOOR times that of |rho| r_N. */
enum { STALL = 25 };
static const double SHORT = 1e-8, FLOOR = 10;

/* ---- algebra of a cone ----------------------------------------------------------------------- */

static double size_of_tail(int n, const double *x)
{
  if (n == 1) return 0;
  return n == 2 ? fabs(x[1]) : sqrt(x[1] * x[1] + x[2] * x[2]);
}

/* x_0^2 - |x_T|^2 */
static double determinant(int n, const double *x)
{
  double t = size_of_tail(n, x);
  return (x[0] - t) * (x[0] + t);
}

/* p = x o y */
static void jordan(int n, const double *x, const double *y, double *p)
{
  p[0] = x[0] * y[0];
  for (int i = 1; i < n; i++) {
    p[0] += x[i] * y[i];
    p[i] = x[0] * y[i] + y[0] * x[i];
  }
}

/* g of l o g = b */
static void jordan_divide(int n, const double *l, const double *b, double *g)
{
  double dot = ns_dot((size_t)(n - 1), l + 1, b + 1);
  g[0] = (l[0] * b[0] - dot) / determinant(n, l);
  for (int i = 1; i < n; i++) g[i] = (b[i] - g[0] * l[i]) / l[0];
}

/* y = V x, where v = (w + e) / sqrt(2 (w_0 + 1)) */
static void scale(const ns_cone *c, const double *x, double *y)
{
  double size = sqrt(2 * (c->w[0] + 1)), v[NS_CONE] = {0}, dot = 0;
  for (int i = 0; i < c->n; i++) {
    v[i] = (c->w[i] + (i == 0)) / size;
    dot += v[i] * x[i];
  }
  for (int i = 0; i < c->n; i++) y[i] = c->beta * (2 * v[i] * dot + (i == 0 ? -x[i] : x[i]));
}

/* y = V^-1 x = J V J x / beta^2 */
static void scale_back(const ns_cone *c, const double *x, double *y)
{
  double b = c->beta * c->beta, Jx[NS_CONE] = {0};
  for (int i = 0; i < c->n; i++) Jx[i] = i == 0 ? x[i] : -x[i];
  scale(c, Jx, y);
  for (int i = 0; i < c->n; i++) y[i] *= (i == 0 ? 1 : -1) / b;
}

/* beta, w and l of x and z. */
static void set_scaling(ns_cone *c)
{
  double a = sqrt(determinant(c->n, c->x)), b = sqrt(determinant(c->n, c->z)), dot = 0;
  c->beta = sqrt(a / b);
  for (int i = 0; i < c->n; i++) dot += c->x[i] / a * (c->z[i] / b);
  double size = sqrt(2 * (1 + dot));
  for (int i = 0; i < c->n; i++) c->w[i] = (c->x[i] / a + (i == 0 ? c->z[i] : -c->z[i]) / b) / size;
  scale(c, c->z, c->l);
}

/* How far along d one stays in the cone from x. */
static double longest(int n, const double *x, const double *d)
{
  if (n == 1) return d[0] < 0 ? -x[0] / d[0] : INFINITY;
  double a = d[0] * d[0], b = x[0] * d[0], c = determinant(n, x);
  for (int i = 1; i < n; i++) {
    a -= d[i] * d[i];
    b -= x[i] * d[i];
  }
  double root = b * b - a * c;
  if (!(root > 0)) return INFINITY;
  double t = c / (-b + sqrt(root));
  return t > 0 ? t : INFINITY;
}

/* ---- cones of the laws ----------------------------------------------------------------------- */

static void add_cone(ns_central *o, int block, int n, int row, int tail, double factor,
                     double bound)
{
  o->cone[o->ncones++] = (ns_cone){
      .block = block, .n = n, .row = {row, tail, tail + 1}, .factor = factor, .bound = bound};
}

static void add_bounds(ns_central *o, int block, int row, double lb, double ub)
{
  if (lb == ub) return;
  if (lb > -INFINITY) add_cone(o, block, 1, row, row, 1, lb);
  if (ub < INFINITY) add_cone(o, block, 1, row, row, -1, ub);
}

/* Rows of a disc of a contact. */
static int disc_of(const ns_law *l) { return l->kind == NS_BLOCK_ROLLING ? l->d / 2 : l->d - 1; }

static void add_cones(ns_central *o, int k)
{
  const ns_law *l = &o->law[k];
  int at = o->first[k], n = disc_of(l);
  if (l->kind == NS_BLOCK_BOX) {
    for (int i = 0; i < l->d; i++) add_bounds(o, k, at + i, l->lb[i], l->ub[i]);
    return;
  }
  if (!(o->own[at] > 0)) return;
  add_cone(o, k, 1, at, at, 1, 0);
  if (l->mu > 0) add_cone(o, k, 1 + n, at, at + 1, l->mu, 0);
  if (l->kind == NS_BLOCK_ROLLING && l->mu_rolling > 0)
    add_cone(o, k, 1 + n, at, at + 1 + n, l->mu_rolling, 0);
}

int ns_central_get(ns_central *o, ns_arena *a)
{
  size_t m = (size_t)o->rows + 1;
  double **const v[] = {&o->r, &o->dr, &o->u, &o->F};
  o->cone = ns_arena_get(a, 2 * m, sizeof *o->cone);
  for (size_t i = 0; i < sizeof v / sizeof *v; i++)
    if (!(*v[i] = ns_arena_zero(a, m, sizeof(double)))) return 0;
  return o->cone != NULL;
}

/* z of r, or dz of dr where bound is 0. */
static void impulse_of(const ns_cone *c, const double *r, double bound, double *z)
{
  z[0] = c->factor * (r[c->row[0]] - bound);
  ns_gather((size_t)(c->n - 1), r, c->row + 1, z + 1);
}

/* How far inside of its cones the way-th way begins: the first ones everywhere alike, others by the
 * fractional parts of multiples of the golden ratio. */
static double depth(int way, int cone)
{
  static const double far[] = {10, 1, 100};
  if (way < 3) return far[way];
  double part = (way * 1000.0 + cone) * 0.6180339887498949;
  return pow(10, 3 * (part - floor(part)) - 1);
}

/* x = depth |q| e and r in proportion; between two bounds, half way. */
static void enter(ns_central *o, int way)
{
  double size = DBL_MIN;
  for (int i = 0; i < o->rows; i++) size += o->q[i] * o->q[i];
  size = sqrt(size / (o->rows + 1));
  o->ncones = 0;
  for (int k = 0; k < o->nb; k++) add_cones(o, k);
  memset(o->r, 0, (size_t)o->rows * sizeof *o->r);
  for (int k = 0; k < o->ncones; k++) {
    ns_cone *c = &o->cone[k];
    int row = c->row[0], second = k > 0 && o->cone[k - 1].row[0] == row;
    double own = o->own[row] > 0 ? o->own[row] : 1, in = size * depth(way, k);
    c->x[0] = in;
    if (c->n == 1 && second) o->r[row] = (o->cone[k - 1].bound + c->bound) / 2;
    else if (c->n == 1) o->r[row] = c->bound + c->factor * in / own;
  }
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* Row i of block k carries what is given: of bounds that are one; 0 of a contact of bodies that
 * nothing moves, of a disc of radius 0. */
static int is_given(const ns_central *o, int k, int i)
{
  const ns_law *l = &o->law[k];
  if (l->kind == NS_BLOCK_BOX) return l->lb[i] == l->ub[i];
  if (!(o->own[o->first[k]] > 0)) return 1;
  if (i == 0) return 0;
  return !((i <= disc_of(l) ? l->mu : l->mu_rolling) > 0);
}

/* A, B and F without cones: u = 0, or r = what is given. SHIFT: equalities may follow from
 * others. */
static void set_rows(ns_central *o)
{
  static const double SHIFT = 1e-10;
  for (int k = 0; k < o->nb; k++) {
    const ns_law *l = &o->law[k];
    int d = l->d, box = l->kind == NS_BLOCK_BOX;
    double *A = o->A + o->at[k], *B = o->B + o->at[k];
    memset(A, 0, (size_t)(d * d) * sizeof *A);
    memset(B, 0, (size_t)(d * d) * sizeof *B);
    for (int i = 0; i < d; i++) {
      int row = o->first[k] + i, given = is_given(o, k, i);
      A[i + i * d] = !given;
      B[i + i * d] = given ? 1 : SHIFT * o->own[row] * box;
      o->F[row] = given ? o->r[row] - (box ? l->lb[i] : 0) : o->u[row];
    }
  }
}

/* What a cone adds to them. */
static void set_cone(ns_central *o, const ns_cone *c)
{
  int at = o->first[c->block], d = o->law[c->block].d;
  double *B = o->B + o->at[c->block], Vg[NS_CONE], b = c->beta * c->beta;
  scale(c, c->g, Vg);
  if (c->n == 1) {
    o->F[c->row[0]] -= c->factor * (c->x[0] + Vg[0]);
    B[(c->row[0] - at) * (d + 1)] += b;
    return;
  }
  for (int i = 1; i < c->n; i++) {
    o->F[c->row[i]] -= c->x[i] + Vg[i];
    for (int j = 0; j < c->n; j++) {
      double v = b * (2 * c->w[i] * c->w[j] + (i == j));
      B[c->row[i] - at + (c->row[j] - at) * d] += j == 0 ? c->factor * v : v;
    }
  }
}

/* g: x o z becomes mean e; correct: less what the predictor adds to it to second order. */
static void aim(ns_cone *c, double mean, int correct)
{
  double b[NS_CONE], p[NS_CONE], Vx[NS_CONE], Vz[NS_CONE];
  jordan(c->n, c->l, c->l, b);
  for (int i = 0; i < c->n; i++) b[i] = (i == 0 ? mean : 0) - b[i];
  if (correct) {
    scale_back(c, c->dx, Vx);
    scale(c, c->dz, Vz);
    jordan(c->n, Vx, Vz, p);
    ns_axpy((size_t)c->n, -1, p, b);
  }
  jordan_divide(c->n, c->l, b, c->g);
}

/* dz of dr, and dx = V (g - V dz). */
static void complete(ns_central *o)
{
  for (int k = 0; k < o->ncones; k++) {
    ns_cone *c = &o->cone[k];
    double y[NS_CONE];
    impulse_of(c, o->dr, 0, c->dz);
    scale(c, c->dz, y);
    ns_linear_sum((size_t)c->n, c->g, -1, y, y);
    scale(c, y, c->dx);
  }
}

/* dr, dx, dz towards products of that mean; the predictor factors. 0: singular. */
static int direction(ns_central *o, const ns_central_system *s, double mean, int correct)
{
  for (int k = 0; k < o->ncones; k++) aim(&o->cone[k], mean, correct);
  set_rows(o);
  for (int k = 0; k < o->ncones; k++) set_cone(o, &o->cone[k]);
  if (!correct && !s->factor(s->self)) return 0;
  s->solve(s->self, o->F, o->dr);
  complete(o);
  return 1;
}

static double longest_step(const ns_central *o)
{
  double t = INFINITY;
  for (int k = 0; k < o->ncones; k++) {
    const ns_cone *c = &o->cone[k];
    t = fmin(t, fmin(longest(c->n, c->x, c->dx), longest(c->n, c->z, c->dz)));
  }
  return t;
}

/* Mean of x^T z after a step t. */
static double mean_product(const ns_central *o, double t)
{
  double s = 0;
  for (int k = 0; k < o->ncones; k++) {
    const ns_cone *c = &o->cone[k];
    for (int i = 0; i < c->n; i++) s += (c->x[i] + t * c->dx[i]) * (c->z[i] + t * c->dz[i]);
  }
  return s / (o->ncones ? o->ncones : 1);
}

/* Mean of |rho| r_N. */
static double mean_defect(const ns_central *o)
{
  double s = 0;
  for (int k = 0; k < o->ncones; k++) {
    const ns_cone *c = &o->cone[k];
    double size = fabs(o->r[c->row[0]]);
    if (c->n == 1) s += size * fabs(c->factor * c->x[0] - o->u[c->row[0]]);
    for (int i = 1; i < c->n; i++) s += size * fabs(c->x[i] - o->u[c->row[i]]);
  }
  return s / (o->ncones ? o->ncones : 1);
}

/* The length of the step, 0 where there is none. */
static double step(ns_central *o, const ns_central_system *s)
{
  for (int k = 0; k < o->ncones; k++) {
    ns_cone *c = &o->cone[k];
    impulse_of(c, o->r, c->bound, c->z);
    memset(c->dx, 0, sizeof c->dx);
    memset(c->dz, 0, sizeof c->dz);
    set_scaling(c);
  }
  double mean = mean_product(o, 0), min = FLOOR * mean_defect(o);
  if (!direction(o, s, 0, 0)) return 0;
  double t = fmin(1, longest_step(o)), left = fmin(1, mean_product(o, t) / mean);
  double sigma = pow(left, fmax(1, 3 * t * t));
  direction(o, s, fmax(sigma * mean, min), 1);
  t = longest_step(o);
  t = fmin(1, (0.9 + 0.09 * fmin(1, t)) * t);
  if (!(t > SHORT)) return 0;
  ns_axpy((size_t)o->rows, t, o->dr, o->r);
  for (int k = 0; k < o->ncones; k++)
    for (int i = 0; i < o->cone[k].n; i++) o->cone[k].x[i] += t * o->cone[k].dx[i];
  return t;
}

void ns_central_solve(ns_central *o, const ns_central_system *s, int way, double tol, int limit,
                      ns_solve_watch *watch, double *r, ns_outcome *out)
{
  size_t bytes = (size_t)o->rows * sizeof *r;
  double mark = INFINITY;
  enter(o, way);
  *out = (ns_outcome){.kind = NS_LIMIT, .residual = INFINITY, .solver = "interior"};
  for (int k = 0, marked = 0; out->kind == NS_LIMIT; k++) {
    s->velocities(s->self, o->r, o->u);
    double e = s->residual(s->self, o->r, o->u);
    if (e < out->residual) {
      memcpy(r, o->r, bytes);
      out->residual = e;
    }
    if (out->residual < mark / 2) {
      mark = out->residual;
      marked = k;
    }
    if (e <= tol) out->kind = NS_SOLVED;
    else if (k - marked >= STALL) out->kind = NS_STATIONARY;
    else if (k == limit || ns_solve_over(watch)) break;
    else if (!(step(o, s) > 0)) out->kind = NS_STATIONARY;
    out->iterations = k;
  }
}
