/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/scene.h"

#include "algebra/vector.h"

#include <limits.h>
#include <stdlib.h>

enum { LARGE = 4 }; /* times the median reach: beyond it a shape is not in the grid */

typedef struct list {
  ns_scene_contact *at;
  int count, most;
} list;

struct ns_scene {
  int n;
  ns_collider *collider;  /* [n] */
  ns_placed *placed;      /* [n] */
  double *low, *high;     /* bounding boxes [3 n] */
  int nlarge, *large;     /* not in the grid, ascending */
  unsigned char *is_large; /* [n] */
  double cell;            /* width, without margin */
  /* of the last update: shapes by buckets of cells */
  unsigned mask;          /* buckets - 1 */
  int *bucket;            /* first of each in `member` [buckets + 1] */
  int *member;            /* [n] */
  int *at;                /* cell of each shape [3 n] */
  int *near;              /* partners of one shape [n] */
  list now, past;
  ns_touches touches;     /* of one pair */
};

/* ---- creation ------------------------------------------------------------------------------------------------------------------ */

void ns_scene_destroy(ns_scene *s)
{
  if (!s) return;
  void *all[] = {s->collider, s->placed, s->low, s->high, s->large, s->is_large, s->bucket, s->member, s->at, s->near, s->now.at, s->past.at};
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
  size_t m = (size_t)n + 1, buckets = 1;
  if (!s) return ns_nomem(c, "contact detection");
  while (buckets < m) buckets *= 2;
  s->n = n;
  s->mask = (unsigned)buckets - 1;
  s->collider = calloc(m, sizeof *s->collider);
  s->placed = calloc(m, sizeof *s->placed);
  s->low = calloc(3 * m, sizeof *s->low);
  s->high = calloc(3 * m, sizeof *s->high);
  s->large = calloc(m, sizeof *s->large);
  s->is_large = calloc(m, 1);
  s->bucket = calloc(buckets + 1, sizeof *s->bucket);
  s->member = calloc(m, sizeof *s->member);
  s->at = calloc(3 * m, sizeof *s->at);
  s->near = calloc(m, sizeof *s->near);
  int got = s->collider && s->placed && s->low && s->high && s->large && s->is_large && s->bucket && s->member && s->at && s->near;
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
  size_t each = sizeof *s->collider + sizeof *s->placed + 6 * sizeof *s->low + 6 * sizeof *s->large + 1;
  return sizeof *s + (size_t)s->n * each + ((size_t)s->mask + 2) * sizeof *s->bucket +
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

/* Cell of a coordinate; what is too far away for an int shares the last. */
static int cell_of(double x, double width)
{
  double c = floor(x / width);
  return c < -1e9 ? -1000000000 : c > 1e9 ? 1000000000 : (int)c;
}

static unsigned bucket_of(const ns_scene *s, const int *cell)
{
  unsigned h = (unsigned)cell[0] * 73856093u ^ (unsigned)cell[1] * 19349663u ^ (unsigned)cell[2] * 83492791u; /* Teschner et al. 2003 */
  return (h ^ h >> 15) & s->mask;
}

/* Shapes of the grid sorted by buckets, those of one bucket ascending. */
static void sort_cells(ns_scene *s, double margin)
{
  double width = s->cell + margin;
  memset(s->bucket, 0, ((size_t)s->mask + 2) * sizeof *s->bucket);
  for (int i = 0; i < s->n; i++) {
    if (s->is_large[i]) continue;
    for (int k = 0; k < 3; k++) s->at[3 * i + k] = cell_of(s->placed[i].at[k], width);
    s->bucket[bucket_of(s, s->at + 3 * i) + 1]++;
  }
  for (unsigned b = 0; b <= s->mask; b++) s->bucket[b + 1] += s->bucket[b];
  for (int i = s->n; i-- > 0;)
    if (!s->is_large[i]) s->member[--s->bucket[bucket_of(s, s->at + 3 * i) + 1]] = i;
  /* each entry b + 1 is now where bucket b begins: move them down */
  for (unsigned b = 0; b <= s->mask; b++) s->bucket[b] = s->bucket[b + 1];
  s->bucket[s->mask + 1] = s->n - s->nlarge;
}

static int may_meet(const ns_scene *s, int a, int b)
{
  const ns_collider *x = &s->collider[a], *y = &s->collider[b];
  if (x->body == y->body || !(x->layers & y->with) || !(y->layers & x->with)) return 0; /* fixed ones: -1 and -1 */
  for (int k = 0; k < 3; k++)
    if (s->low[3 * a + k] > s->high[3 * b + k] || s->low[3 * b + k] > s->high[3 * a + k]) return 0;
  return 1;
}

static int same_cell(const int *a, const int *b) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

/* Partners b > a of shape a in the grid, from the 27 cells about it. */
static int look_around(const ns_scene *s, int a, int n)
{
  const int *at = s->at + 3 * a;
  for (int k = 0; k < 27; k++) {
    int cell[3] = {at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1};
    unsigned b = bucket_of(s, cell);
    for (int i = s->bucket[b]; i < s->bucket[b + 1]; i++) {
      int j = s->member[i];
      if (j > a && same_cell(cell, s->at + 3 * j) && may_meet(s, a, j)) s->near[n++] = j;
    }
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
  unsigned x = ((const ns_touch *)a)->feature, y = ((const ns_touch *)b)->feature;
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
