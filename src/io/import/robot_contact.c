/* SPDX-License-Identifier: GPL-3.0-or-later */
/* robot_contact.c -- which shapes of a robot meet: layers, and materials by friction.
 *
 * Two shapes meet where the bits of one are in those of the other, either way round (contype,
 * conaffinity), where they are of two bodies that no joint joins, and where nothing excludes them.
 * In nssim two shapes meet where each is in a layer that the other is with. So shapes with the same
 * partners share a layer, and a layer is with all that its shapes meet. Bodies that joints join do
 * not meet in nssim either, but those of a link with several joints and of what it hangs on are to
 * be told. */
#include "io/import/robot.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LAYERS = 31, MOST_MATERIALS = 64 };

static int body_of(const ns_robot *r, const ns_robot_shape *s)
{
  return s->link < 0 ? NS_ROBOT_WORLD : r->link[s->link].body;
}

/* What the joints of body b's link hang it on, the ones between passed over. */
static int parent_of(const ns_robot *r, int b)
{
  int link = r->body[b].link, p = r->body[b].parent;
  while (p >= 0 && r->body[p].link == link) p = r->body[p].parent;
  return p;
}

static int excluded(const ns_robot *r, int a, int b)
{
  for (int k = 0; k < r->nexcludes; k++) {
    int one = r->link[r->exclude[k][0]].body, other = r->link[r->exclude[k][1]].body;
    if ((one == a && other == b) || (one == b && other == a)) return 1;
  }
  return 0;
}

static int are_paired(const ns_robot *r, const ns_robot_shape *x, const ns_robot_shape *y)
{
  for (int k = 0; k < r->npairs; k++) {
    const ns_robot_shape *one = &r->shape[r->pair[k].first], *other = &r->shape[r->pair[k].second];
    if ((one == x && other == y) || (one == y && other == x)) return 1;
  }
  return 0;
}

static int meet(const ns_robot *r, const ns_robot_shape *x, const ns_robot_shape *y)
{
  int a = body_of(r, x), b = body_of(r, y);
  if (a != b && are_paired(r, x, y)) return 1;
  int bits = (x->contype & y->conaffinity) || (y->contype & x->conaffinity);
  if (a == b || !bits || !r->inside) return 0;
  if (a < 0 || b < 0) return 1; /* the world is not exempt from its children */
  if (excluded(r, a, b)) return 0;
  return parent_of(r, a) != b && parent_of(r, b) != a;
}

/* Whether x and y, of two bodies, meet the same shapes of all others. */
static int same_partners(const ns_robot *r, const ns_robot_shape *x, const ns_robot_shape *y)
{
  int a = body_of(r, x), b = body_of(r, y);
  for (int k = 0; k < r->nshapes; k++) {
    const ns_robot_shape *z = &r->shape[k];
    int own = body_of(r, z) == a || body_of(r, z) == b;
    if ((a == b || !own) && meet(r, x, z) != meet(r, y, z)) return 0;
  }
  return 1;
}

/* Whether shape i may join a layer of those before it: there all bodies meet each other, or none
 * do. */
static int fits(const ns_robot *r, int i, int layer)
{
  const ns_robot_shape *x = &r->shape[i], *first = NULL;
  int inside = -1; /* shapes of the layer on two bodies meet */
  for (int k = 0; k < i; k++) {
    const ns_robot_shape *y = &r->shape[k];
    if (y->layer != layer) continue;
    if ((body_of(r, x) < 0) != (body_of(r, y) < 0) || !same_partners(r, x, y)) return 0;
    if (first && inside < 0 && body_of(r, first) != body_of(r, y)) inside = meet(r, first, y);
    if (body_of(r, x) != body_of(r, y)) {
      if (inside >= 0 && meet(r, x, y) != inside) return 0;
      inside = meet(r, x, y);
    }
    first = y;
  }
  return 1;
}

static int material_of(ns_robot *r, const ns_robot_shape *s)
{
  for (int k = 0; k < r->nmaterials && !s->paired; k++)
    if (r->material[k].friction >= s->friction && r->material[k].friction <= s->friction &&
        r->material[k].rolling >= s->rolling && r->material[k].rolling <= s->rolling &&
        r->material[k].condim == s->condim && r->material[k].priority == s->priority &&
        r->material[k].shape < 0)
      return k;
  if (r->nmaterials == MOST_MATERIALS) return -1;
  r->material[r->nmaterials].friction = s->friction;
  r->material[r->nmaterials].rolling = s->rolling;
  r->material[r->nmaterials].shape = s->paired ? (int)(s - r->shape) : -1;
  r->material[r->nmaterials].condim = s->condim;
  r->material[r->nmaterials].priority = s->priority;
  return r->nmaterials++;
}

static int find_layers(ns_robot *r)
{
  for (int i = 0; i < r->nshapes; i++) {
    ns_robot_shape *s = &r->shape[i];
    int k = 0;
    while (k < r->nlayers && !fits(r, i, k)) k++;
    if (k == MOST_LAYERS)
      return ns_robot_fail(r, s->node,
                           "it collides with other shapes than each of the %d previous groups, "
                           "expected fewer groups",
                           k);
    if (k == r->nlayers) r->nlayers++;
    s->layer = k;
    if ((s->material = material_of(r, s)) < 0)
      return ns_robot_fail(
          r, s->node, "has a different friction than the %d previous kinds, expected fewer kinds",
          MOST_MATERIALS);
  }
  return NS_OK;
}

int ns_robot_meet(ns_robot *r)
{
  int rc = find_layers(r);
  if (rc) return rc;
  if (!(r->with = ns_arena_zero(r->a, MOST_LAYERS, sizeof *r->with))) return ns_robot_nomem(r);
  for (int i = 0; i < r->nshapes; i++)
    for (int k = 0; k < r->nshapes; k++)
      if (meet(r, &r->shape[i], &r->shape[k])) {
        r->with[r->shape[i].layer] |= 1u << r->shape[k].layer;
        r->meets = 1;
      }
  return NS_OK;
}
