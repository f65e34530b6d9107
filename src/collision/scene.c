/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/scene.h"

#include "base/arena.h"
#include "base/grow.h"
#include "collision/broad.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a contact is known by. */
typedef struct name {
  uint64_t feature;
  int a, b;
} name;

/* What one member of the team finds. */
typedef struct finder {
  ns_scene_contact *list; /* of the first member: all */
  int count, failed;
  size_t max;
  ns_touches touches; /* of one pair */
} finder;

/* What is kept of a collider; most are on their body as they are. */
typedef struct owner {
  const ns_shape *shape;
  int body;            /* -1: fixed */
  unsigned mount : 31; /* its pose on the body; 0: centre and axes of the body */
  unsigned plane : 1;  /* 1: it is one, which each pair asks */
  unsigned layers, with;
  int axes; /* index of its axes; 0: those of the world, as nobody asks for its own */
} owner;
typedef struct mount {
  double at[3], turn[4];
} mount;

struct ns_scene {
  ns_arena *mem; /* of what does not grow with the contacts */
  int n, planar;
  ns_team *team;
  owner *owner; /* [n] */
  mount *mount; /* [nmounts] */
  int nmounts;
  double *at; /* places [3 n] */
  /* axes by columns [naxes][9], the first those of the world: disks and spheres, of which large
   * scenes are made, have no others */
  double *axes;
  int naxes;
  /* bounding boxes, which rounding makes wider, never narrower [3 n] */
  float *low, *high;
  double margin; /* of the last update */
  ns_broad *broad;
  finder *finder; /* [members] */
  int members;
  name *past;
  int npast;
  size_t max_past;
  uint64_t *apart; /* pairs of bodies that never meet, ascending [napart] */
  int napart;
  unsigned char *away; /* colliders that are not there; NULL: none was ever away [n] */
};

enum { MANY = 500 }; /* shapes or pairs that are worth threads */

/* ---- creation -------------------------------------------------------------------------------- */

void ns_scene_destroy(ns_scene *s)
{
  if (!s) return;
  NS_FREE(s->past, s->apart, s->away);
  for (int k = 0; k < s->members; k++) {
    free(s->finder[k].list);
    ns_touches_fini(&s->finder[k].touches);
  }
  free(s->finder);
  ns_broad_destroy(s->broad);
  ns_arena_destroy(s->mem);
}

/* A finder for each member. */
static int hire(ns_scene *s)
{
  int size = ns_team_size(s->team);
  if (size <= s->members) return NS_OK;
  finder *f = realloc(s->finder, (size_t)size * sizeof *f);
  if (!f) return NS_NOMEM;
  s->finder = f;
  for (; s->members < size; s->members++) f[s->members] = (finder){0};
  return NS_OK;
}

/* It has the axes of its body, and its centre. */
static int is_centred(const ns_collider *k)
{
  int same = k->turn[0] == 1;
  for (int i = 0; i < 3; i++) same &= k->at[i] == 0 && k->turn[1 + i] == 0;
  return same;
}

/* It looks the same from all sides, and turns with its body about its centre. */
static int is_round(const ns_collider *k)
{
  int round = k->shape->kind == NS_SHAPE_DISK || k->shape->kind == NS_SHAPE_SPHERE;
  return round && k->body >= 0 && is_centred(k);
}

/* With mounts and axes of all, behind the first ones. */
static int get_memory(ns_scene *s, int n, const ns_collider *colliders)
{
  size_t mounts = 1, axes = 1, m = (size_t)n;
  for (int i = 0; i < n; i++) {
    mounts += !is_centred(&colliders[i]);
    axes += !is_round(&colliders[i]);
  }
  const ns_array want[] = {
      {&s->owner, m, sizeof *s->owner},      {&s->at, 3 * m, sizeof *s->at},
      {&s->low, 3 * m, sizeof *s->low},      {&s->high, 3 * m, sizeof *s->high},
      {&s->mount, mounts, sizeof *s->mount}, {&s->axes, 9 * axes, sizeof *s->axes}};
  if (ns_arena_arrays(s->mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  s->mount[s->nmounts++] = (mount){.turn = {1}};
  for (int k = 0; k < 3; k++) s->axes[4 * k] = 1;
  s->naxes = 1;
  return NS_OK;
}

static void keep(ns_scene *s, int i, const ns_collider *k)
{
  s->owner[i] = (owner){.shape = k->shape,
                        .body = k->body,
                        .plane = k->shape->kind == NS_SHAPE_PLANE,
                        .layers = k->layers,
                        .with = k->with,
                        .axes = is_round(k) ? 0 : s->naxes++};
  if (is_centred(k)) return;
  mount *m = &s->mount[s->nmounts];
  memcpy(m->at, k->at, sizeof m->at);
  memcpy(m->turn, k->turn, sizeof m->turn);
  s->owner[i].mount = (unsigned)s->nmounts++ & INT_MAX;
}

int ns_scene_create(ns_ctx *c, int n, const ns_collider *colliders, ns_scene **out)
{
  ns_scene *s = *out = NS_ARENA_OBJECT(ns_scene, mem);
  if (!s) return ns_nomem(c, "contact detection");
  s->n = n;
  if (!get_memory(s, n, colliders)) {
    for (int i = 0; i < n; i++) {
      keep(s, i, &colliders[i]);
      s->at[i] = colliders[i].shape->reach; /* for the moment */
    }
    s->broad = hire(s) ? NULL : ns_broad_create(n, s->at);
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

void ns_scene_lend(ns_scene *s, ns_team *team) { s->team = team; }

size_t ns_scene_bytes(const ns_scene *s)
{
  size_t found = 0;
  for (int k = 0; k < s->members; k++) found += s->finder[k].max;
  return ns_arena_used(s->mem) + ns_broad_bytes(s->broad) + found * sizeof(ns_scene_contact) +
         s->max_past * sizeof *s->past;
}

/* ---- where the shapes are -------------------------------------------------------------------- */

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

/* What is looked for. */
typedef struct task {
  ns_scene *s;
  const double *q;
  double margin;
  const ns_pair *pair;
  int n; /* pairs */
} task;

/* Collider i, bodies being at q. */
static void place_one(const ns_scene *s, const double *q, int i, ns_placed *p)
{
  int body = s->owner[i].body;
  const mount *k = &s->mount[s->owner[i].mount];
  p->shape = s->owner[i].shape;
  if (!s->owner[i].axes) {
    const double *x = q + (s->planar ? 3 : 7) * (size_t)body;
    for (int e = 0; e < 3; e++) p->at[e] = 0 + x[e];
    memcpy(p->R, s->axes, sizeof p->R);
  } else if (body < 0) {
    memcpy(p->at, k->at, sizeof p->at);
    ns_quaternion_matrix(k->turn, p->R);
  } else {
    double x[7], R[9], r[4];
    body_at(s, q, body, x);
    ns_quaternion_matrix(x + 3, R);
    ns_mul3(R, k->at, p->at);
    ns_axpy3(p->at, 1, x, p->at);
    ns_quaternion_mul(x + 3, k->turn, r);
    ns_quaternion_matrix(r, p->R);
  }
  if (s->planar) p->at[2] = 0;
}

/* Bounding box of a disk in the plane, as ns_placed_bounds but for rounding. */
static void disk_bounds(const ns_placed *p, double margin, double *low, double *high)
{
  double e = p->shape->radius + margin;
  for (int i = 0; i < 3; i++) {
    low[i] = p->at[i] - (i < 2 ? e : margin);
    high[i] = p->at[i] + (i < 2 ? e : margin);
  }
}

/* Floats that are not above x, and not below it. */
static float not_above(double x) { return (float)(x - FLT_EPSILON * fabs(x) - FLT_MIN); }
static float not_below(double x) { return (float)(x + FLT_EPSILON * fabs(x) + FLT_MIN); }

static void place(void *data, int from, int to)
{
  const task *t = data;
  ns_scene *s = t->s;
  for (int i = from; i < to; i++) {
    double low[3], high[3];
    ns_placed p;
    place_one(s, t->q, i, &p);
    memcpy(s->at + 3 * i, p.at, sizeof p.at);
    if (s->owner[i].axes) memcpy(s->axes + 9 * (size_t)s->owner[i].axes, p.R, sizeof p.R);
    int is_disk = s->planar && p.shape->kind == NS_SHAPE_DISK;
    (is_disk ? disk_bounds : ns_placed_bounds)(&p, t->margin / 2, low, high);
    for (int k = 0; k < 3; k++) {
      s->low[3 * i + k] = not_above(low[k]);
      s->high[3 * i + k] = not_below(high[k]);
    }
  }
}

ns_placed ns_scene_placed(const ns_scene *s, int collider)
{
  const owner *k = &s->owner[collider];
  ns_placed p = {.shape = k->shape};
  memcpy(p.at, s->at + 3 * collider, sizeof p.at);
  memcpy(p.R, s->axes + 9 * (size_t)k->axes, sizeof p.R);
  return p;
}

void ns_scene_touch(const ns_scene *s, int a, int b, const double *q, double margin, ns_touches *t)
{
  ns_placed first, second;
  place_one(s, q, a, &first);
  place_one(s, q, b, &second);
  (s->planar ? ns_touch_planar : ns_touch_shapes)(&first, &second, margin, t);
}

/* One number for two bodies, whatever their order. */
static uint64_t pair_of(int a, int b)
{
  return a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
}

static int by_value(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

int ns_scene_keep_apart(ns_scene *s, ns_ctx *c, int n, const int (*pair)[2])
{
  if (!n) return NS_OK;
  if (!(s->apart = calloc((size_t)n, sizeof *s->apart))) return ns_nomem(c, "contact detection");
  for (int i = 0; i < n; i++) s->apart[i] = pair_of(pair[i][0], pair[i][1]);
  qsort(s->apart, (size_t)n, sizeof *s->apart, by_value);
  s->napart = n;
  return NS_OK;
}

int ns_scene_set_away(ns_scene *s, ns_ctx *c, int collider, int away)
{
  if (!s->away && !(s->away = calloc((size_t)s->n, 1))) return ns_nomem(c, "contact detection");
  s->away[collider] = away != 0;
  return NS_OK;
}

static int is_apart(const ns_scene *s, int a, int b)
{
  if (!s->napart || a < 0 || b < 0) return 0;
  uint64_t key = pair_of(a, b);
  return bsearch(&key, s->apart, (size_t)s->napart, sizeof key, by_value) != NULL;
}

/* All of the box of collider i is farther from a plane than the margin. The box has half of the
 * margin about it, which covers rounding. */
static int is_far_from_plane(const ns_scene *s, int plane, int i)
{
  const double *n = s->axes + 9 * (size_t)s->owner[plane].axes + 6;
  double nearest = -ns_dot3(n, s->at + 3 * plane);
  for (int k = 0; k < 3; k++) nearest += n[k] * (double)(n[k] > 0 ? s->low : s->high)[3 * i + k];
  return nearest > s->margin;
}

static int may_touch(const void *self, int a, int b)
{
  const ns_scene *s = self;
  const owner *x = &s->owner[a], *y = &s->owner[b];
  if (x->body == y->body) return 0; /* fixed ones: -1 and -1 */
  if (s->away && (s->away[a] || s->away[b])) return 0;
  /* planes have no box */
  if (x->plane && is_far_from_plane(s, a, b)) return 0;
  if (y->plane && is_far_from_plane(s, b, a)) return 0;
  return x->layers & y->with && y->layers & x->with && !is_apart(s, x->body, y->body);
}

/* ---- contacts -------------------------------------------------------------------------------- */

static int by_feature(const void *a, const void *b)
{
  uint64_t x = ((const ns_touch *)a)->feature, y = ((const ns_touch *)b)->feature;
  return (x > y) - (x < y);
}

static int add_pair(finder *f, const ns_scene *s, const ns_pair *p, double margin)
{
  ns_touches *t = &f->touches;
  ns_placed a = ns_scene_placed(s, p->a), b = ns_scene_placed(s, p->b);
  t->count = 0;
  (s->planar ? ns_touch_planar : ns_touch_shapes)(&a, &b, margin, t);
  if (t->count > 1) qsort(t->at, (size_t)t->count, sizeof *t->at, by_feature);
  if (t->failed || f->count > INT_MAX - t->count ||
      ns_reserve_list(&f->list, &f->max, (size_t)(f->count + t->count), sizeof *f->list))
    return NS_NOMEM;
  for (int i = 0; i < t->count; i++)
    f->list[f->count++] = (ns_scene_contact){p->a, p->b, -1, t->at[i]};
  return NS_OK;
}

static void touch(void *data, int me)
{
  const task *t = data;
  int size = ns_team_size(t->s->team), to = ns_team_share(t->n, me + 1, size);
  /* on its own stack: those of two members would share lines of the cache */
  finder f = t->s->finder[me];
  f.count = f.failed = f.touches.failed = 0;
  for (int i = ns_team_share(t->n, me, size); i < to && !f.failed; i++)
    f.failed = add_pair(&f, t->s, &t->pair[i], t->margin);
  t->s->finder[me] = f;
}

/* What all have found, in the order of the pairs, to the list of the first. */
static int gather(ns_scene *s)
{
  finder *all = s->finder;
  int failed = all->failed;
  for (int k = 1; k < ns_team_size(s->team); k++) {
    const finder *f = &s->finder[k];
    failed |= f->failed || all->count > INT_MAX - f->count ||
              ns_reserve_list(&all->list, &all->max, (size_t)(all->count + f->count),
                              sizeof *f->list);
    if (failed) break;
    if (f->count) memcpy(all->list + all->count, f->list, (size_t)f->count * sizeof *f->list);
    all->count += f->count;
  }
  if (failed) all->count = 0;
  return failed ? NS_NOMEM : NS_OK;
}

static int compare(const name *x, const ns_scene_contact *y)
{
  if (x->a != y->a) return x->a < y->a ? -1 : 1;
  if (x->b != y->b) return x->b < y->b ? -1 : 1;
  return (x->feature > y->touch.feature) - (x->feature < y->touch.feature);
}

static void take_names(void *data, int from, int to)
{
  const ns_scene *s = ((const task *)data)->s;
  const ns_scene_contact *k = s->finder->list;
  for (int i = from; i < to; i++) s->past[i] = (name){k[i].touch.feature, k[i].a, k[i].b};
}

static int remember(task *t)
{
  ns_scene *s = t->s;
  s->npast = 0;
  if (ns_reserve_list(&s->past, &s->max_past, (size_t)s->finder->count, sizeof *s->past))
    return NS_NOMEM;
  s->npast = s->finder->count;
  ns_team_each(s->team, s->npast, MANY, take_names, t);
  return NS_OK;
}

/* The first of the past that is not before k. */
static int find(const ns_scene *s, const ns_scene_contact *k)
{
  int low = 0, high = s->npast;
  while (low < high) {
    int mid = low + (high - low) / 2;
    if (compare(&s->past[mid], k) < 0) low = mid + 1;
    else high = mid;
  }
  return low;
}

/* Both lists are sorted: one walk. */
static void recognise(void *data, int from, int to)
{
  const ns_scene *s = ((const task *)data)->s;
  ns_scene_contact *k = s->finder->list + from, *end = s->finder->list + to;
  for (int j = find(s, k); k < end; k++) {
    while (j < s->npast && compare(&s->past[j], k) < 0) j++;
    if (j < s->npast && compare(&s->past[j], k) == 0) k->was = j++;
  }
}

int ns_scene_update(ns_scene *s, ns_ctx *c, const double *q, double margin)
{
  task t = {.s = s, .q = q, .margin = margin};
  s->margin = margin;
  if (hire(s) || remember(&t)) return ns_nomem(c, "contacts");
  ns_team_each(s->team, s->n, MANY, place, &t);
  t.n = ns_broad_pairs(s->broad, s->team, s->at, s->low, s->high, margin, may_touch, s, &t.pair);
  s->finder->count = 0;
  if (t.n >= 0) ns_team_run(s->team, touch, &t);
  if (t.n < 0 || gather(s)) return ns_nomem(c, "contacts");
  ns_team_each(s->team, s->finder->count, MANY, recognise, &t);
  return NS_OK;
}

/* ---- what is asked --------------------------------------------------------------------------- */

const ns_scene_contact *ns_scene_contacts(const ns_scene *s, int *n)
{
  *n = s->finder->count;
  return s->finder->list;
}
