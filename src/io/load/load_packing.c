/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_packing.c -- <repeat packing="...">: centres and radii of balls that do not overlap.
 *
 * grid: places at a distance from each other, row by row. random: places are drawn until one is
 * free (random sequential addition, Widom 1966), the largest ball first; balls are entered in cells
 * as wide as the largest of them, so that a try looks at 27 cells. Such packings of equal balls end
 * at 0.38 of the volume. */
#include "io/load/load_job.h"
#include "io/load/load_rigid.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { X, Y, Z, RADIUS, P0, COLUMNS = P0 + 4, TRIES = 5000 };
static const char *const names[COLUMNS] = {"x", "y", "z", "radius", "p0", "p1", "p2", "p3"};

typedef struct packing {
  ns_load *l;
  const ns_elem *e;
  gsl_rng *g;
  double low[3], high[3], radius[2], spacing, jitter;
  long count;   /* 0: as many as fit */
  double *ball; /* [count x COLUMNS] */
} packing;

/* ---- what is asked for ----------------------------------------------------------------------- */

static int vector(packing *p, const char *name, int n, double *x)
{
  static const ns_indices none;
  ns_vector3 v;
  int rc = ns_vector3_make(p->l, p->e, name, n, &none, &v);
  return rc || !v.s ? rc : ns_vector3_get(p->l, p->e, name, &v, &none, NULL, x);
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
  int rc = radii(p);
  if (!rc) rc = vector(p, "low", 3, p->low);
  if (!rc) rc = vector(p, "high", 3, p->high);
  p->spacing = 2 * p->radius[1];
  if (!rc) rc = ns_load_attribute(p->l, p->e, "count", NULL, &count);
  if (!rc) rc = ns_load_attribute(p->l, p->e, "spacing", NULL, &p->spacing);
  if (!rc) rc = ns_load_attribute(p->l, p->e, "jitter", NULL, &p->jitter);
  if (!rc) rc = ns_load_attribute(p->l, p->e, "seed", NULL, seed);
  if (rc) return rc;
  p->count = (long)count;
  if (!ns_elem_attr(p->e, "high")) return ns_elem_missing(&p->l->msg, p->e, "high");
  if (!grid && !p->count) return ns_elem_missing(&p->l->msg, p->e, "count");
  for (int i = 0; i < 3; i++) {
    double room = p->high[i] - p->low[i];
    int endless = grid && i == 2 && p->count;
    if (!(room >= 2 * p->radius[1]) || !(isfinite(room) || endless) || !isfinite(p->low[i]))
      return ns_elem_fail(
          &p->l->msg, p->e, NULL,
          "low is %g and high is %g in %c, expected enough space for a ball of diameter %g%s",
          p->low[i], p->high[i], 'x' + i, 2 * p->radius[1],
          i == 2 && grid ? "; high may be infinite only in z, together with count=" : "");
  }
  if (grid && p->spacing < 2 * (p->radius[1] + p->jitter) * (1 - 1e-12))
    return ns_elem_fail(&p->l->msg, p->e, NULL,
                        "spacing is %g, expected at least %g, so that balls of radius %g and "
                        "jitter %g do not overlap",
                        p->spacing, 2 * (p->radius[1] + p->jitter), p->radius[1], p->jitter);
  return NS_OK;
}

static double between(packing *p, double low, double high)
{
  return low + gsl_rng_uniform(p->g) * (high - low);
}

/* A rotation of random direction (Shoemake 1992), and the radius of ball k. */
static void draw(packing *p, long k)
{
  double *b = p->ball + k * COLUMNS, u = gsl_rng_uniform(p->g),
         a = 2 * M_PI * gsl_rng_uniform(p->g), c = 2 * M_PI * gsl_rng_uniform(p->g);
  b[RADIUS] = p->radius[0] < p->radius[1] ? between(p, p->radius[0], p->radius[1]) : p->radius[0];
  b[P0] = sqrt(u) * cos(c);
  b[P0 + 1] = sqrt(1 - u) * sin(a);
  b[P0 + 2] = sqrt(1 - u) * cos(a);
  b[P0 + 3] = sqrt(u) * sin(c);
}

static int room_for(packing *p)
{
  if (p->count > p->l->most)
    return ns_elem_fail(&p->l->msg, p->e, NULL, "places %ld balls, expected at most %ld", p->count,
                        p->l->most);
  p->ball = ns_arena_zero(p->l->scratch, (size_t)p->count * COLUMNS, sizeof *p->ball);
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
  double n[3] = {places(p, X), places(p, Y), places(p, Z)}, fit = n[X] * n[Y] * n[Z];
  if ((double)p->count > fit)
    return ns_elem_fail(&p->l->msg, p->e, NULL,
                        "%ld balls do not fit: the grid has %g x %g x %g places, expected a larger "
                        "box, or a smaller spacing",
                        p->count, n[X], n[Y], n[Z]);
  if (!p->count) p->count = fit > (double)p->l->most ? p->l->most + 1 : (long)fit;
  int rc = room_for(p);
  for (long k = 0; k < p->count && !rc; k++) {
    double *b = p->ball + k * COLUMNS;
    long row = k / (long)n[X], at[3] = {k % (long)n[X], row % (long)n[Y], row / (long)n[Y]};
    for (int i = 0; i < 3; i++) {
      b[i] = p->low[i] + p->radius[1] + p->jitter + p->spacing * (double)at[i];
      if (p->jitter > 0) b[i] += between(p, -p->jitter, p->jitter);
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
  for (int i = 0; i < 3; i++) {
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
  cell_of(p, c, b, at);
  for (o[2] = at[2] - 1; o[2] <= at[2] + 1; o[2]++)
    for (o[1] = at[1] - 1; o[1] <= at[1] + 1; o[1]++)
      for (o[0] = at[0] - 1; o[0] <= at[0] + 1; o[0]++) {
        int inside = 1;
        for (int i = 0; i < 3; i++) inside &= o[i] >= 0 && o[i] < c->n[i];
        for (int k = inside ? *cell(c, o) : -1; k >= 0; k = c->next[k]) {
          const double *a = p->ball + (long)k * COLUMNS;
          double d2 = 0, r = a[RADIUS] + b[RADIUS];
          for (int i = 0; i < 3; i++) d2 += (a[i] - b[i]) * (a[i] - b[i]);
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
  double volume = 1, balls = 0;
  for (int i = 0; i < 3; i++) volume *= p->high[i] - p->low[i];
  for (long k = 0; k < placed; k++) balls += 4.0 / 3 * M_PI * pow(p->ball[k * COLUMNS + RADIUS], 3);
  return ns_elem_fail(&p->l->msg, p->e, NULL,
                      "%ld of %ld balls were placed, then %d attempts found no space: they fill "
                      "%.2g of the volume, and random packing reaches at most 0.38; expected a "
                      "larger box or smaller balls, or packing=\"grid\"",
                      placed, p->count, TRIES, balls / volume);
}

/* Ball k to a free place; 0: none was found. */
static int throw_ball(packing *p, cells *c, long k)
{
  double *b = p->ball + k * COLUMNS;
  long at[3];
  for (int tries = 0; tries < TRIES; tries++) {
    for (int i = 0; i < 3; i++) b[i] = between(p, p->low[i] + b[RADIUS], p->high[i] - b[RADIUS]);
    if (!is_free(p, c, b)) continue;
    cell_of(p, c, b, at);
    c->next[k] = *cell(c, at);
    *cell(c, at) = (int)k;
    return 1;
  }
  return 0;
}

static int random_places(packing *p)
{
  cells c = {0};
  double all = 1, most = 8 * (double)p->count + 64; /* cells: no more than memory for the balls */
  int rc = room_for(p);
  if (rc) return rc;
  for (long k = 0; k < p->count; k++) draw(p, k);
  if (p->radius[0] < p->radius[1])
    qsort(p->ball, (size_t)p->count, COLUMNS * sizeof *p->ball, by_radius);
  for (int i = 0; i < 3; i++) all *= c.width[i] = (p->high[i] - p->low[i]);
  double width = fmax(2 * p->radius[1], cbrt(all / most));
  for (int i = 0; i < 3; i++) {
    c.n[i] = (long)fmax(1, floor(fmin(c.width[i] / width, most)));
    c.width[i] /= (double)c.n[i];
  }
  size_t n = (size_t)c.n[0] * (size_t)c.n[1] * (size_t)c.n[2];
  c.first = malloc(n * sizeof *c.first);
  c.next = malloc((size_t)p->count * sizeof *c.next);
  if (!c.first || !c.next) rc = ns_nomem(&p->l->msg.c, "a packing");
  for (size_t k = 0; k < n && !rc; k++) c.first[k] = -1;
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
  for (int k = 0; k < COLUMNS && !rc; k++)
    rc = ns_load_column(l, r, ns_elem_attr(e, "index"), names[k], strlen(names[k]));
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
