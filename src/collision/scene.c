/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/scene.h"

#include "collision/broad.h"

#include <limits.h>
#include <stdlib.h>

/* What a contact is known by. */
typedef struct name {
  uint64_t feature;
  int a, b;
} name;

struct ns_scene {
  int n, planar;
  ns_collider *collider; /* [n] */
  ns_placed *placed;     /* [n] */
  double *at, *low, *high; /* places and bounding boxes [3 n] */
  ns_broad *broad;
  ns_scene_contact *now;
  int count, most;
  name *past;
  int npast, most_past;
  ns_touches touches;    /* of one pair */
};

/* ---- creation ------------------------------------------------------------------------------------------------------------------ */

void ns_scene_destroy(ns_scene *s)
{
  if (!s) return;
  void *all[] = {s->collider, s->placed, s->at, s->low, s->high, s->now, s->past};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  ns_broad_destroy(s->broad);
  ns_touches_fini(&s->touches);
  free(s);
}

int ns_scene_create(ns_ctx *c, int n, const ns_collider *colliders, ns_scene **out)
{
  ns_scene *s = *out = calloc(1, sizeof *s);
  size_t m = (size_t)n + 1;
  if (!s) return ns_nomem(c, "contact detection");
  s->n = n;
  s->collider = calloc(m, sizeof *s->collider);
  s->placed = calloc(m, sizeof *s->placed);
  s->at = calloc(3 * m, sizeof *s->at);
  s->low = calloc(3 * m, sizeof *s->low);
  s->high = calloc(3 * m, sizeof *s->high);
  if (s->collider && s->placed && s->at && s->low && s->high) {
    for (int i = 0; i < n; i++) {
      s->collider[i] = colliders[i];
      s->placed[i].shape = colliders[i].shape;
      s->at[i] = colliders[i].shape->reach; /* for the moment */
    }
    s->broad = ns_broad_create(n, s->at);
  }
  if (s->broad) return NS_OK;
  ns_scene_destroy(s);
  *out = NULL;
  return ns_nomem(c, "contact detection");
}

int ns_scene_create_planar(ns_ctx *c, int n, const ns_collider *colliders, ns_scene **out)
{
  int rc = ns_scene_create(c, n, colliders, out);
  if (!rc) (*out)->planar = 1;
  return rc;
}

size_t ns_scene_bytes(const ns_scene *s)
{
  size_t each = sizeof *s->collider + sizeof *s->placed + 9 * sizeof *s->at;
  return sizeof *s + (size_t)s->n * each + ns_broad_bytes(s->broad) + (size_t)s->most * sizeof *s->now +
         (size_t)s->most_past * sizeof *s->past;
}

/* ---- where the shapes are -------------------------------------------------------------------------------------------------------- */

/* Position and quaternion of body i. */
static void body_at(const ns_scene *s, const double *q, int i, double *x)
{
  if (!s->planar) {
    memcpy(x, q + 7 * (size_t)i, 7 * sizeof *x);
    return;
  }
  const double *p = q + 3 * (size_t)i;
  memcpy(x, (double[]){p[0], p[1], 0, cos(p[2] / 2), 0, 0, sin(p[2] / 2)}, 7 * sizeof *x);
}

static void place(ns_scene *s, const double *q, double margin)
{
  for (int i = 0; i < s->n; i++) {
    const ns_collider *k = &s->collider[i];
    ns_placed *p = &s->placed[i];
    if (k->body < 0) {
      memcpy(p->at, k->at, sizeof p->at);
      ns_quaternion_matrix(k->turn, p->R);
    } else {
      double x[7], R[9], r[4];
      body_at(s, q, k->body, x);
      ns_quaternion_matrix(x + 3, R);
      ns_mul3(R, k->at, p->at);
      ns_axpy3(p->at, 1, x, p->at);
      ns_quaternion_mul(x + 3, k->turn, r);
      ns_quaternion_matrix(r, p->R);
    }
    if (s->planar) p->at[2] = 0;
    memcpy(s->at + 3 * i, p->at, sizeof p->at);
    ns_placed_bounds(p, margin / 2, s->low + 3 * i, s->high + 3 * i);
  }
}

static int may_touch(const void *self, int a, int b)
{
  const ns_scene *s = self;
  const ns_collider *x = &s->collider[a], *y = &s->collider[b];
  return x->body != y->body && x->layers & y->with && y->layers & x->with; /* fixed ones: -1 and -1 */
}

/* Pairs of shapes that may touch; -1: out of memory. */
static int find_pairs(ns_scene *s, const double *q, double margin, const ns_pair **pairs)
{
  place(s, q, margin);
  return ns_broad_pairs(s->broad, s->at, s->low, s->high, margin, may_touch, s, pairs);
}

/* ---- contacts -------------------------------------------------------------------------------------------------------------------- */

static int by_feature(const void *a, const void *b)
{
  uint64_t x = ((const ns_touch *)a)->feature, y = ((const ns_touch *)b)->feature;
  return (x > y) - (x < y);
}

/* Place for n items, half more than there were at least: 0, or NS_NOMEM with the list as it was. */
static int make_room(void *list, int *most, int n, size_t size)
{
  void **at = list;
  if (n <= *most) return NS_OK;
  int more = *most > INT_MAX / 2 ? INT_MAX : *most + *most / 2 + 64;
  if (more < n) more = n;
  void *got = realloc(*at, (size_t)more * size);
  if (!got) return NS_NOMEM;
  *at = got;
  *most = more;
  return NS_OK;
}

/* Touches of two shapes in s->touches. */
static int touch_pair(ns_scene *s, const ns_pair *p, double margin)
{
  s->touches.count = 0;
  (s->planar ? ns_touch_planar : ns_touch_shapes)(&s->placed[p->a], &s->placed[p->b], margin, &s->touches);
  return s->touches.failed ? NS_NOMEM : NS_OK;
}

static int add_pair(ns_scene *s, const ns_pair *p, double margin)
{
  ns_touches *t = &s->touches;
  if (touch_pair(s, p, margin)) return NS_NOMEM;
  if (t->count > 1) qsort(t->at, (size_t)t->count, sizeof *t->at, by_feature);
  if (s->count > INT_MAX - t->count || make_room(&s->now, &s->most, s->count + t->count, sizeof *s->now)) return NS_NOMEM;
  for (int i = 0; i < t->count; i++) s->now[s->count++] = (ns_scene_contact){p->a, p->b, -1, 0, t->at[i]};
  return NS_OK;
}

static int compare(const name *x, const ns_scene_contact *y)
{
  if (x->a != y->a) return x->a < y->a ? -1 : 1;
  if (x->b != y->b) return x->b < y->b ? -1 : 1;
  return (x->feature > y->touch.feature) - (x->feature < y->touch.feature);
}

static int remember(ns_scene *s)
{
  s->npast = 0;
  if (make_room(&s->past, &s->most_past, s->count, sizeof *s->past)) return NS_NOMEM;
  for (int i = 0; i < s->count; i++) s->past[i] = (name){s->now[i].touch.feature, s->now[i].a, s->now[i].b};
  s->npast = s->count;
  return NS_OK;
}

/* Both lists are sorted: one walk. */
static void recognise(ns_scene *s)
{
  int j = 0;
  for (int i = 0; i < s->count; i++) {
    ns_scene_contact *k = &s->now[i];
    while (j < s->npast && compare(&s->past[j], k) < 0) j++;
    if (j < s->npast && compare(&s->past[j], k) == 0) k->was = j++;
  }
}

int ns_scene_update(ns_scene *s, ns_ctx *c, const double *q, double margin)
{
  const ns_pair *pair;
  int n = remember(s) ? -1 : find_pairs(s, q, margin, &pair), rc = n < 0;
  s->count = 0;
  for (int i = 0; i < n && !rc; i++) rc = add_pair(s, &pair[i], margin);
  if (rc) return ns_nomem(c, "contacts");
  recognise(s);
  return NS_OK;
}

int ns_scene_overlaps(ns_scene *s, ns_ctx *c, const double *q, double more_than, ns_scene_overlap **list, int *n)
{
  const ns_pair *pair;
  int most = 0, pairs = find_pairs(s, q, 0, &pair), rc = pairs < 0;
  *list = NULL;
  *n = 0;
  for (int i = 0; i < pairs && !rc; i++) {
    double amount = more_than;
    if ((rc = touch_pair(s, &pair[i], -more_than)) != NS_OK) break;
    for (int k = 0; k < s->touches.count; k++) amount = fmax(amount, -s->touches.at[k].gap);
    if (!(amount > more_than)) continue;
    if ((rc = make_room(list, &most, *n + 1, sizeof **list)) == NS_OK) (*list)[(*n)++] = (ns_scene_overlap){pair[i].a, pair[i].b, amount};
  }
  if (!rc) return NS_OK;
  free(*list);
  *list = NULL;
  *n = 0;
  return ns_nomem(c, "overlaps");
}

/* ---- what is asked ---------------------------------------------------------------------------------------------------------------- */

const ns_scene_contact *ns_scene_contacts(const ns_scene *s, int *n)
{
  *n = s->count;
  return s->now;
}

int ns_scene_before(const ns_scene *s) { return s->npast; }

const ns_placed *ns_scene_placed(const ns_scene *s, int collider) { return &s->placed[collider]; }

static void save(const void *self, ns_blob *b)
{
  const ns_scene *s = self;
  ns_blob_put(b, &s->npast, sizeof s->npast);
  ns_blob_put(b, &s->count, sizeof s->count);
  ns_blob_put(b, s->now, (size_t)s->count * sizeof *s->now);
}

static void restore(void *self, ns_blob *b)
{
  ns_scene *s = self;
  int count = 0;
  ns_blob_get(b, &s->npast, sizeof s->npast);
  ns_blob_get(b, &count, sizeof count);
  if (b->failed) return;
  if (count < 0 || make_room(&s->now, &s->most, count, sizeof *s->now)) {
    b->failed = count < 0 ? NS_NOINPUT : NS_NOMEM;
    return;
  }
  ns_blob_get(b, s->now, (size_t)count * sizeof *s->now);
  if (!b->failed) s->count = count;
}

const ns_memory ns_scene_memory = {save, restore};
