/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/scene.h"

#include "algebra/vector.h"

#include <limits.h>
#include <stdlib.h>

enum { LARGE = 4, CELLS = 2 }; /* times the median reach: beyond it a shape is not in the grid; cells a shape */

typedef struct list {
  ns_scene_contact *at;
  int count, most;
} list;

/* A shape where its cell's neighbours look for it. */
typedef struct member {
  double low[3], high[3];
  int index;
} member;

struct ns_scene {
  int n;
  ns_collider *collider;  /* [n] */
  ns_placed *placed;      /* [n] */
  double *low, *high;     /* bounding boxes [3 n] */
  int nlarge, *large;     /* not in the grid, ascending */
  unsigned char *is_large; /* [n] */
  double cell;            /* least width, without margin */
  /* of the last update: a grid of cells, x fastest; what is beyond its borders is in the cells there */
  int cells, size[3];     /* most cells; in each direction */
  double origin[3], width;
  int *first;             /* of each cell in `member` [cells + 1] */
  member *member;         /* those of the grid, by cells [n] */
  int *at;                /* cell of each shape [n] */
  int *near;              /* partners of one shape [n] */
  list now, past;
  ns_touches touches;     /* of one pair */
};

/* ---- creation ------------------------------------------------------------------------------------------------------------------ */

void ns_scene_destroy(ns_scene *s)
{
  if (!s) return;
  void *all[] = {s->collider, s->placed, s->low, s->high, s->large, s->is_large, s->first, s->member, s->at, s->near, s->now.at, s->past.at};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  ns_touches_fini(&s->touches);
  free(s);
}

static int by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Shapes far larger than most are not in the grid: its cells are as wide as the largest of the others. */
static int find_large(ns_scene *s)
{
  double *reach = malloc(((size_t)s->n + 1) * sizeof *reach), widest = 0;
  int finite = 0;
  if (!reach) return NS_NOMEM;
  for (int i = 0; i < s->n; i++)
    if (isfinite(s->collider[i].shape->reach)) reach[finite++] = s->collider[i].shape->reach;
  qsort(reach, (size_t)finite, sizeof *reach, by_size);
  double most = finite ? LARGE * reach[finite / 2] : 0;
  free(reach);
  for (int i = 0; i < s->n; i++) {
    double r = s->collider[i].shape->reach;
    s->is_large[i] = !(r <= most);
    if (s->is_large[i]) s->large[s->nlarge++] = i;
    else widest = fmax(widest, r);
  }
  s->cell = 2 * widest;
  return NS_OK;
}

int ns_scene_create(ns_ctx *c, int n, const ns_collider *colliders, ns_scene **out)
{
  ns_scene *s = *out = calloc(1, sizeof *s);
  size_t m = (size_t)n + 1;
  if (!s) return ns_nomem(c, "contact detection");
  s->n = n;
  s->cells = CELLS * n + 64;
  s->collider = calloc(m, sizeof *s->collider);
  s->placed = calloc(m, sizeof *s->placed);
  s->low = calloc(3 * m, sizeof *s->low);
  s->high = calloc(3 * m, sizeof *s->high);
  s->large = calloc(m, sizeof *s->large);
  s->is_large = calloc(m, 1);
  s->first = calloc((size_t)s->cells + 2, sizeof *s->first);
  s->member = calloc(m, sizeof *s->member);
  s->at = calloc(m, sizeof *s->at);
  s->near = calloc(m, sizeof *s->near);
  int got = s->collider && s->placed && s->low && s->high && s->large && s->is_large && s->first && s->member && s->at && s->near;
  for (int i = 0; got && i < n; i++) {
    s->collider[i] = colliders[i];
    s->placed[i].shape = colliders[i].shape;
  }
  if (got && !find_large(s)) return NS_OK;
  ns_scene_destroy(s);
  *out = NULL;
  return ns_nomem(c, "contact detection");
}

size_t ns_scene_bytes(const ns_scene *s)
{
  size_t each = sizeof *s->collider + sizeof *s->placed + 6 * sizeof *s->low + 3 * sizeof *s->large + sizeof *s->member + 1;
  return sizeof *s + (size_t)s->n * each + ((size_t)s->cells + 2) * sizeof *s->first +
         (size_t)(s->now.most + s->past.most) * sizeof *s->now.at;
}

/* ---- broad phase -------------------------------------------------------------------------------------------------------------- */

static void place(ns_scene *s, const double *q, double margin)
{
  for (int i = 0; i < s->n; i++) {
    const ns_collider *k = &s->collider[i];
    ns_placed *p = &s->placed[i];
    if (k->body < 0) {
      memcpy(p->at, k->at, sizeof p->at);
      ns_quaternion_matrix(k->turn, p->R);
    } else {
      const double *x = q + 7 * (size_t)k->body;
      double R[9], r[4];
      ns_quaternion_matrix(x + 3, R);
      ns_mul3(R, k->at, p->at);
      ns_axpy3(p->at, 1, x, p->at);
      ns_quaternion_mul(x + 3, k->turn, r);
      ns_quaternion_matrix(r, p->R);
    }
    ns_placed_bounds(p, margin / 2, s->low + 3 * i, s->high + 3 * i);
  }
}

/* Middle and spread of the positions of the grid's shapes along axis k: half the width within which most of them are. */
static void spread(const ns_scene *s, int k, double *middle, double *half)
{
  double sum = 0, square = 0, low = INFINITY, high = -INFINITY;
  int n = s->n - s->nlarge;
  for (int i = 0; i < s->n; i++) {
    if (s->is_large[i]) continue;
    double x = s->placed[i].at[k];
    sum += x / n;
    low = fmin(low, x);
    high = fmax(high, x);
  }
  for (int i = 0; i < s->n; i++)
    if (!s->is_large[i]) square += (s->placed[i].at[k] - sum) * (s->placed[i].at[k] - sum) / n;
  double sigma = 3 * sqrt(square);
  *middle = sum;
  *half = isfinite(sigma) ? fmax(fmin(sum + sigma, high) - sum, sum - fmax(sum - sigma, low)) : 0;
}

/* The grid about most of the shapes, its cells wider where there would be too many. */
static void lay_out(ns_scene *s, double margin)
{
  double middle[3], half[3], count;
  for (int k = 0; k < 3; k++) spread(s, k, &middle[k], &half[k]);
  s->width = s->cell + margin;
  do {
    count = 1;
    for (int k = 0; k < 3; k++) count *= floor(2 * half[k] / s->width) + 1;
    if (count > s->cells) s->width *= fmax(1.01, 0.9 * cbrt(count / s->cells));
  } while (count > s->cells);
  for (int k = 0; k < 3; k++) {
    s->size[k] = (int)floor(2 * half[k] / s->width) + 1;
    s->origin[k] = middle[k] - s->size[k] * s->width / 2;
  }
}

/* Along one axis; positions that are not finite are at its end. */
static int cell_along(const ns_scene *s, int k, double x)
{
  double c = floor((x - s->origin[k]) / s->width);
  return c <= 0 ? 0 : c < s->size[k] - 1 ? (int)c : s->size[k] - 1;
}

/* Shapes of the grid sorted by cells, those of one cell ascending. */
static void sort_cells(ns_scene *s, double margin)
{
  lay_out(s, margin);
  int cells = s->size[0] * s->size[1] * s->size[2], *first = s->first;
  memset(first, 0, ((size_t)cells + 2) * sizeof *first);
  for (int i = 0; i < s->n; i++) {
    const double *x = s->placed[i].at;
    if (s->is_large[i]) continue;
    s->at[i] = cell_along(s, 0, x[0]) + s->size[0] * (cell_along(s, 1, x[1]) + s->size[1] * cell_along(s, 2, x[2]));
    first[s->at[i] + 2]++;
  }
  for (int k = 1; k <= cells; k++) first[k + 1] += first[k];
  for (int i = 0; i < s->n; i++) {
    if (s->is_large[i]) continue;
    member *m = &s->member[first[s->at[i] + 1]++]; /* begins at 1, ends as the entry of the next cell */
    m->index = i;
    memcpy(m->low, s->low + 3 * i, sizeof m->low);
    memcpy(m->high, s->high + 3 * i, sizeof m->high);
  }
}

static int boxes_meet(const double *low, const double *high, const double *l, const double *h)
{
  return low[0] <= h[0] && l[0] <= high[0] && low[1] <= h[1] && l[1] <= high[1] && low[2] <= h[2] && l[2] <= high[2];
}

static int may_touch(const ns_scene *s, int a, int b)
{
  const ns_collider *x = &s->collider[a], *y = &s->collider[b];
  return x->body != y->body && x->layers & y->with && y->layers & x->with; /* fixed ones: -1 and -1 */
}

static int may_meet(const ns_scene *s, int a, int b)
{
  return boxes_meet(s->low + 3 * a, s->high + 3 * a, s->low + 3 * b, s->high + 3 * b) && may_touch(s, a, b);
}

/* Partners b > a of shape a in the cells from..to of a row. */
static int look_along(const ns_scene *s, int a, int from, int to, int n)
{
  const double *low = s->low + 3 * a, *high = s->high + 3 * a;
  for (int i = s->first[from]; i < s->first[to + 1]; i++) {
    const member *m = &s->member[i];
    if (m->index > a && boxes_meet(low, high, m->low, m->high) && may_touch(s, a, m->index)) s->near[n++] = m->index;
  }
  return n;
}

/* The same in the 27 cells about it. */
static int look_around(const ns_scene *s, int a, int n)
{
  const int *size = s->size;
  int x = s->at[a] % size[0], y = s->at[a] / size[0] % size[1], z = s->at[a] / size[0] / size[1];
  int from = x > 0 ? x - 1 : 0, to = x + 1 < size[0] ? x + 1 : x;
  for (int k = z > 0 ? z - 1 : 0; k <= z + 1 && k < size[2]; k++)
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < size[1]; j++) {
      int row = size[0] * (j + size[1] * k);
      n = look_along(s, a, row + from, row + to, n);
    }
  return n;
}

/* Partners b > a in s->near, ascending. */
static int partners(const ns_scene *s, int a)
{
  int n = 0;
  if (s->is_large[a]) {
    for (int b = a + 1; b < s->n; b++)
      if (may_meet(s, a, b)) s->near[n++] = b;
    return n;
  }
  for (int i = 0; i < s->nlarge; i++)
    if (s->large[i] > a && may_meet(s, a, s->large[i])) s->near[n++] = s->large[i];
  n = look_around(s, a, n);
  for (int i = 1; i < n; i++) { /* few */
    int b = s->near[i], j = i;
    for (; j > 0 && s->near[j - 1] > b; j--) s->near[j] = s->near[j - 1];
    s->near[j] = b;
  }
  return n;
}

/* ---- contacts -------------------------------------------------------------------------------------------------------------------- */

static int by_feature(const void *a, const void *b)
{
  uint64_t x = ((const ns_touch *)a)->feature, y = ((const ns_touch *)b)->feature;
  return (x > y) - (x < y);
}

static int add_pair(ns_scene *s, int a, int b, double margin)
{
  ns_touches *t = &s->touches;
  list *l = &s->now;
  t->count = 0;
  ns_touch_shapes(&s->placed[a], &s->placed[b], margin, t);
  if (t->failed) return NS_NOMEM;
  if (t->count > 1) qsort(t->at, (size_t)t->count, sizeof *t->at, by_feature);
  if (l->count > INT_MAX - t->count) return NS_NOMEM;
  if (l->count + t->count > l->most) {
    int most = l->most > INT_MAX / 2 ? INT_MAX : 2 * l->most + 64;
    while (most < l->count + t->count) most *= 2;
    ns_scene_contact *more = realloc(l->at, (size_t)most * sizeof *more);
    if (!more) return NS_NOMEM;
    l->at = more;
    l->most = most;
  }
  for (int i = 0; i < t->count; i++) l->at[l->count++] = (ns_scene_contact){a, b, -1, t->at[i]};
  return NS_OK;
}

static int compare(const ns_scene_contact *x, const ns_scene_contact *y)
{
  if (x->a != y->a) return x->a < y->a ? -1 : 1;
  if (x->b != y->b) return x->b < y->b ? -1 : 1;
  return (x->touch.feature > y->touch.feature) - (x->touch.feature < y->touch.feature);
}

/* Both lists are sorted: one walk. */
static void recognise(ns_scene *s)
{
  int j = 0;
  for (int i = 0; i < s->now.count; i++) {
    ns_scene_contact *k = &s->now.at[i];
    while (j < s->past.count && compare(&s->past.at[j], k) < 0) j++;
    if (j < s->past.count && compare(&s->past.at[j], k) == 0) k->was = j++;
  }
}

int ns_scene_update(ns_scene *s, ns_ctx *c, const double *q, double margin)
{
  list swap = s->past;
  s->past = s->now;
  s->now = swap;
  s->now.count = 0;
  place(s, q, margin);
  sort_cells(s, margin);
  for (int a = 0; a < s->n; a++) {
    int n = partners(s, a);
    for (int i = 0; i < n; i++)
      if (add_pair(s, a, s->near[i], margin)) return ns_nomem(c, "contacts");
  }
  recognise(s);
  return NS_OK;
}

const ns_scene_contact *ns_scene_contacts(const ns_scene *s, int *n)
{
  *n = s->now.count;
  return s->now.at;
}

int ns_scene_before(const ns_scene *s) { return s->past.count; }

const ns_placed *ns_scene_placed(const ns_scene *s, int collider) { return &s->placed[collider]; }
