/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_packing.c -- <repeat packing="...">: centres and radii of balls that do not overlap, in
 * space or, where corners have two coordinates, of disks in the plane.
 *
 * grid: places at a distance from each other, row by row. random: places are drawn until one is
 * free (random sequential addition, Widom 1966), the largest ball first; balls are entered in cells
 * as wide as the largest of them, so that a try looks at 27 cells. Such packings of equal balls end
 * at 0.38 of the volume, of equal disks at 0.547 of the area (Feder 1980). */
#include "algebra/vector.h"
#include "io/load/load_job.h"
#include "io/load/load_rigid.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 5000 };
/* A row: radius, centre [dim], orientation. */
enum { RADIUS, CENTRE };
static const char *const in_plane[] = {"radius", "x", "y", "angle"}, *const in_space[] = {
                                                                         "radius", "x",  "y",
                                                                         "z",      "p0", "p1",
                                                                         "p2",     "p3"};

typedef struct packing {
  ns_load *l;
  const ns_elem *e;
  gsl_rng *g;
  int dim, cols;
  double low[3], high[3], radius[2], spacing, jitter;
  int by_volume; /* sizes="volume" */
  long count;    /* 0: as many as fit */
  double *ball;  /* [count x cols] */
} packing;

static double *ball(const packing *p, long k) { return p->ball + k * p->cols; }
static const char *ball_word(const packing *p) { return p->dim == 2 ? "disk" : "ball"; }

/* ---- what is asked for ----------------------------------------------------------------------- */

static int vector(packing *p, const char *name, int n, double *x)
{
  static const ns_indices none;
  ns_vector3 v;
  int rc = ns_vector3_make(p->l, p->e, name, n, &none, &v);
  return rc || !v.s ? rc : ns_vector3_get(p->l, p->e, name, &v, &none, NULL, x);
}

/* Corners have two coordinates in the plane, three in space. */
static int corners(packing *p)
{
  static const ns_indices none;
  ns_vector3 v;
  int rc = ns_vector3_make(p->l, p->e, "high", 0, &none, &v);
  if (rc) return rc;
  if (!v.s) return ns_elem_missing(&p->l->msg, p->e, "high");
  if (v.n != 2 && v.n != 3)
    return ns_elem_fail(&p->l->msg, p->e, NULL,
                        "attribute high has %d entr%s, expected 2 in the plane or 3 in space", v.n,
                        v.n == 1 ? "y" : "ies");
  p->dim = v.n;
  p->cols = v.n == 2 ? sizeof in_plane / sizeof *in_plane : sizeof in_space / sizeof *in_space;
  rc = ns_vector3_get(p->l, p->e, "high", &v, &none, NULL, p->high);
  return rc ? rc : vector(p, "low", p->dim, p->low);
}

static int radii(packing *p)
{
  static const ns_indices none;
  ns_scalar *s;
  int n, rc = ns_load_attribute_list(p->l, p->e, "radius", &none, &s, &n);
  if (rc) return rc;
  if (n == 0) return ns_elem_missing(&p->l->msg, p->e, "radius");
  if (n > 2)
    return ns_elem_fail(
        &p->l->msg, p->e, NULL,
        "attribute radius has %d entries, expected one, or the smallest and the largest", n);
  for (int k = 0; k < 2; k++) p->radius[k] = ns_scalar_get(&s[k < n ? k : n - 1], &none);
  if (p->radius[0] > 0 && p->radius[0] <= p->radius[1] && isfinite(p->radius[1])) return NS_OK;
  return ns_elem_fail(&p->l->msg, p->e, NULL,
                      "attribute radius is %g to %g, expected positive numbers, the smaller first",
                      p->radius[0], p->radius[1]);
}

static int options(packing *p, int grid, double *seed)
{
  double count = 0;
  int rc = radii(p), choice = rc ? 0 : ns_load_word(p->l, p->e, "sizes", 0);
  if (choice < 0) return NS_MODEL;
  p->by_volume = choice > 0;
  if (!rc) rc = corners(p);
  p->spacing = 2 * p->radius[1];
  if (!rc) rc = ns_load_attribute(p->l, p->e, "count", NULL, &count);
  if (!rc) rc = ns_load_attribute(p->l, p->e, "spacing", NULL, &p->spacing);
  if (!rc) rc = ns_load_attribute(p->l, p->e, "jitter", NULL, &p->jitter);
  if (!rc) rc = ns_load_attribute(p->l, p->e, "seed", NULL, seed);
  if (rc) return rc;
  p->count = (long)count;
  if (!grid && !p->count) return ns_elem_missing(&p->l->msg, p->e, "count");
  for (int i = 0; i < p->dim; i++) {
    double capacity = p->high[i] - p->low[i];
    int endless = grid && i == p->dim - 1 && p->count;
    if (!(capacity >= 2 * p->radius[1]) || !(isfinite(capacity) || endless) || !isfinite(p->low[i]))
      return ns_elem_fail(
          &p->l->msg, p->e, NULL,
          "low is %g and high is %g in %c, expected enough space for a %s of diameter %g%s",
          p->low[i], p->high[i], 'x' + i, ball_word(p), 2 * p->radius[1],
          i == p->dim - 1 && grid ? "; high may be infinite only here, together with count=" : "");
  }
  if (grid && p->spacing < 2 * (p->radius[1] + p->jitter) * (1 - 1e-12))
    return ns_elem_fail(&p->l->msg, p->e, NULL,
                        "spacing is %g, expected at least %g, so that %ss of radius %g and "
                        "jitter %g do not overlap",
                        p->spacing, 2 * (p->radius[1] + p->jitter), ball_word(p), p->radius[1],
                        p->jitter);
  return NS_OK;
}

static double between(packing *p, double low, double high)
{
  return low + gsl_rng_uniform(p->g) * (high - low);
}

/* Radii between a and b: uniform, or with their number falling as r^-dim, so that the balls of each
 * range of radii of the same length have the same volume together (Voivret et al. 2007). */
static double draw_radius(packing *p)
{
  double a = p->radius[0], b = p->radius[1], n = 1 - p->dim;
  if (!(a < b)) return a;
  if (!p->by_volume) return between(p, a, b);
  double r = pow(between(p, pow(b, n), pow(a, n)), 1 / n);
  return fmin(fmax(r, a), b);
}

/* A random orientation (in space: Shoemake 1992), and the radius of ball k. */
static void draw(packing *p, long k)
{
  double *b = ball(p, k), *turn = b + CENTRE + p->dim;
  if (p->dim == 2) {
    turn[0] = 2 * M_PI * gsl_rng_uniform(p->g);
  } else {
    double u = gsl_rng_uniform(p->g), a = 2 * M_PI * gsl_rng_uniform(p->g),
           c = 2 * M_PI * gsl_rng_uniform(p->g);
    turn[0] = sqrt(u) * cos(c);
    turn[1] = sqrt(1 - u) * sin(a);
    turn[2] = sqrt(1 - u) * cos(a);
    turn[3] = sqrt(u) * sin(c);
  }
  b[RADIUS] = draw_radius(p);
}

static int capacity_for(packing *p)
{
  if (p->count > p->l->max)
    return ns_elem_fail(&p->l->msg, p->e, NULL, "places %ld %ss, expected at most %ld", p->count,
                        ball_word(p), p->l->max);
  p->ball = ns_arena_zero(p->l->scratch, (size_t)p->count * (size_t)p->cols, sizeof *p->ball);
  return p->ball ? NS_OK : ns_nomem(&p->l->msg.c, "a packing");
}

/* ---- grid ------------------------------------------------------------------------------------ */

/* Places along an axis. */
static double places(const packing *p, int i)
{
  double free = p->high[i] - p->low[i] - 2 * (p->radius[1] + p->jitter);
  return free < 0 ? 0 : floor(free / p->spacing * (1 + 1e-12)) + 1;
}

static int grid(packing *p)
{
  double n[3] = {1, 1, 1}, fit = 1;
  for (int i = 0; i < p->dim; i++) fit *= n[i] = places(p, i);
  if ((double)p->count > fit) {
    char size[80];
    size_t end = 0;
    for (int i = 0; i < p->dim; i++)
      end += (size_t)snprintf(size + end, sizeof size - end, "%s%g", i ? " x " : "", n[i]);
    return ns_elem_fail(&p->l->msg, p->e, NULL,
                        "%ld %ss do not fit: the grid has %s places, expected a larger box, or a "
                        "smaller spacing",
                        p->count, ball_word(p), size);
  }
  if (!p->count) p->count = fit > (double)p->l->max ? p->l->max + 1 : (long)fit;
  int rc = capacity_for(p);
  for (long k = 0; k < p->count && !rc; k++) {
    double *x = ball(p, k) + CENTRE;
    long rest = k;
    for (int i = 0; i < p->dim; i++) {
      long at = i == p->dim - 1 ? rest : rest % (long)n[i];
      rest /= (long)n[i];
      x[i] = p->low[i] + p->radius[1] + p->jitter + p->spacing * (double)at;
      if (p->jitter > 0) x[i] += between(p, -p->jitter, p->jitter);
    }
    draw(p, k);
  }
  return rc;
}

/* ---- random ---------------------------------------------------------------------------------- */

typedef struct cells {
  long n[3];
  double width[3];
  int *first, *next; /* ball of each cell, and the one behind it; -1: none */
} cells;

static void cell_of(const packing *p, const cells *c, const double *x, long *at)
{
  at[2] = 0;
  for (int i = 0; i < p->dim; i++) {
    at[i] = (long)((x[i] - p->low[i]) / c->width[i]);
    if (at[i] >= c->n[i]) at[i] = c->n[i] - 1;
  }
}

static int *cell(const cells *c, const long *at)
{
  return &c->first[(at[2] * c->n[1] + at[1]) * c->n[0] + at[0]];
}

/* Ball b, not yet there, overlaps none that is. */
static int is_free(const packing *p, const cells *c, const double *b)
{
  long at[3], o[3];
  cell_of(p, c, b + CENTRE, at);
  for (o[2] = at[2] - 1; o[2] <= at[2] + 1; o[2]++)
    for (o[1] = at[1] - 1; o[1] <= at[1] + 1; o[1]++)
      for (o[0] = at[0] - 1; o[0] <= at[0] + 1; o[0]++) {
        int inside = 1;
        for (int i = 0; i < 3; i++) inside &= o[i] >= 0 && o[i] < c->n[i];
        for (int k = inside ? *cell(c, o) : -1; k >= 0; k = c->next[k]) {
          const double *a = ball(p, k);
          double d2 = 0, r = a[RADIUS] + b[RADIUS];
          for (int i = CENTRE; i < CENTRE + p->dim; i++) d2 += (a[i] - b[i]) * (a[i] - b[i]);
          if (d2 < r * r) return 0;
        }
      }
  return 1;
}

static int by_radius(const void *a, const void *b)
{
  double x = ((const double *)a)[RADIUS], y = ((const double *)b)[RADIUS];
  return x > y ? -1 : x < y;
}

static int full(packing *p, long placed)
{
  double capacity = 1, balls = 0;
  int flat = p->dim == 2;
  for (int i = 0; i < p->dim; i++) capacity *= p->high[i] - p->low[i];
  for (long k = 0; k < placed; k++)
    balls += (flat ? M_PI : 4.0 / 3 * M_PI) * pow(ball(p, k)[RADIUS], p->dim);
  return ns_elem_fail(&p->l->msg, p->e, NULL,
                      "%ld of %ld %ss were placed, then %d attempts found no space: they fill "
                      "%.2g of the %s, and random packing of equal %ss reaches at most %s; "
                      "expected a larger box or smaller %ss, or packing=\"grid\"",
                      placed, p->count, ball_word(p), TRIES, balls / capacity,
                      flat ? "area" : "volume", ball_word(p), flat ? "0.547" : "0.38",
                      ball_word(p));
}

/* Ball k to a free place; 0: none was found. */
static int throw_ball(packing *p, cells *c, long k)
{
  double *b = ball(p, k), *x = b + CENTRE;
  long at[3];
  for (int tries = 0; tries < TRIES; tries++) {
    for (int i = 0; i < p->dim; i++)
      x[i] = between(p, p->low[i] + b[RADIUS], p->high[i] - b[RADIUS]);
    if (!is_free(p, c, b)) continue;
    cell_of(p, c, x, at);
    c->next[k] = *cell(c, at);
    *cell(c, at) = (int)k;
    return 1;
  }
  return 0;
}

static int random_places(packing *p)
{
  cells c = {.n = {1, 1, 1}};
  double all = 1, max = 8 * (double)p->count + 64; /* cells: no more than memory for the balls */
  int rc = capacity_for(p);
  if (rc) return rc;
  for (long k = 0; k < p->count; k++) draw(p, k);
  if (p->radius[0] < p->radius[1])
    qsort(p->ball, (size_t)p->count, (size_t)p->cols * sizeof *p->ball, by_radius);
  for (int i = 0; i < p->dim; i++) all *= c.width[i] = p->high[i] - p->low[i];
  double width = fmax(2 * p->radius[1], pow(all / max, 1.0 / p->dim));
  for (int i = 0; i < p->dim; i++) {
    c.n[i] = (long)fmax(1, floor(fmin(c.width[i] / width, max)));
    c.width[i] /= (double)c.n[i];
  }
  size_t n = (size_t)c.n[0] * (size_t)c.n[1] * (size_t)c.n[2];
  c.first = malloc(n * sizeof *c.first);
  c.next = malloc((size_t)p->count * sizeof *c.next);
  if (!c.first || !c.next) rc = ns_nomem(&p->l->msg.c, "a packing");
  if (!rc) ns_fill_ints(n, -1, c.first);
  for (long k = 0; k < p->count && !rc; k++)
    if (!throw_ball(p, &c, k)) rc = full(p, k);
  free(c.first);
  free(c.next);
  return rc;
}

int ns_load_packing(ns_load *l, const ns_elem *e, ns_table *r)
{
  packing p = {.l = l, .e = e};
  double seed = 1;
  int is_grid = !strcmp(ns_elem_attr(e, "packing"), "grid"), rc = options(&p, is_grid, &seed);
  *r = (ns_table){0};
  for (int k = 0; k < p.cols && !rc; k++) {
    const char *name = p.dim == 2 ? in_plane[k] : in_space[k];
    rc = ns_load_column(l, r, ns_elem_attr(e, "index"), name, strlen(name));
  }
  if (rc) return rc;
  gsl_error_handler_t *before = gsl_set_error_handler_off(); /* GSL's own would end the program */
  p.g = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_set_error_handler(before);
  if (!p.g) return ns_nomem(&l->msg.c, "a packing");
  gsl_rng_set(p.g, (unsigned long)seed);
  rc = is_grid ? grid(&p) : random_places(&p);
  gsl_rng_free(p.g);
  r->n = p.count;
  r->value = p.ball;
  return rc;
}
