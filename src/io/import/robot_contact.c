/* SPDX-License-Identifier: GPL-3.0-or-later */
/* robot_contact.c -- which shapes of a robot meet: layers, and materials by friction.
 *
 * Two shapes meet where the bits of one are in those of the other, either way round (contype,
 * conaffinity), where they are of two bodies that no joint joins, and where nothing excludes them.
 * In nssim two shapes meet where each is in a layer that the other is with. So shapes with the same
 * partners share a layer, and a layer is with all that its shapes meet. Bodies that a joint joins
 * do not meet in nssim whatever their layers, so that links of a chain have the same partners; but
 * a link with several joints and what it hangs on are to be told apart. */
#include "io/import/robot.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LAYERS = 31, MAX_MATERIALS = 64 };

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

enum { NEVER = -1 }; /* two shapes that do not meet whatever their layers are */

/* Whether x and y meet: 0, 1 or NEVER. */
static int meet(const ns_robot *r, const ns_robot_shape *x, const ns_robot_shape *y)
{
  int a = body_of(r, x), b = body_of(r, y);
  if (a == b) return NEVER;
  if (a >= 0 && b >= 0 && (r->body[a].parent == b || r->body[b].parent == a)) return NEVER;
  if (are_paired(r, x, y)) return 1;
  int bits = (x->contype & y->conaffinity) || (y->contype & x->conaffinity);
  if (!bits || !r->inside) return 0;
  if (a < 0 || b < 0) return 1; /* the world is not exempt from its children */
  if (excluded(r, a, b)) return 0;
  return parent_of(r, a) != b && parent_of(r, b) != a;
}

/* Whether x and y meet the same shapes, as far as layers decide it. */
static int same_partners(const ns_robot *r, const ns_robot_shape *x, const ns_robot_shape *y)
{
  for (int k = 0; k < r->nshapes; k++) {
    int one = meet(r, x, &r->shape[k]), other = meet(r, y, &r->shape[k]);
    if (one != NEVER && other != NEVER && one != other) return 0;
  }
  return 1;
}

/* Whether shapes of two layers meet: NEVER as long as nothing asks for it. */
typedef signed char layer_pairs[MAX_LAYERS][MAX_LAYERS];

/* Whether shape i may join a layer of those before it: it has the partners of its shapes, and meets
 * what they meet of the layers so far. */
static int fits(const ns_robot *r, int i, int layer, layer_pairs *pairs)
{
  const ns_robot_shape *x = &r->shape[i];
  for (int k = 0; k < i; k++) {
    const ns_robot_shape *y = &r->shape[k];
    int one = meet(r, x, y), all = (*pairs)[layer][y->layer];
    if (one != NEVER && all != NEVER && one != all) return 0;
    if (y->layer != layer) continue;
    if ((body_of(r, x) < 0) != (body_of(r, y) < 0) || !same_partners(r, x, y)) return 0;
  }
  return 1;
}

static void join(const ns_robot *r, int i, int layer, layer_pairs *pairs)
{
  r->shape[i].layer = layer;
  for (int k = 0; k < i; k++) {
    int one = meet(r, &r->shape[i], &r->shape[k]), other = r->shape[k].layer;
    if (one != NEVER) (*pairs)[layer][other] = (*pairs)[other][layer] = (signed char)one;
  }
}

static int material_of(ns_robot *r, const ns_robot_shape *s)
{
  for (int k = 0; k < r->nmaterials && !s->paired; k++)
    if (r->material[k].friction >= s->friction && r->material[k].friction <= s->friction &&
        r->material[k].rolling >= s->rolling && r->material[k].rolling <= s->rolling &&
        r->material[k].condim == s->condim && r->material[k].priority == s->priority &&
        r->material[k].shape < 0)
      return k;
  if (r->nmaterials == MAX_MATERIALS) return -1;
  r->material[r->nmaterials].friction = s->friction;
  r->material[r->nmaterials].rolling = s->rolling;
  r->material[r->nmaterials].shape = s->paired ? (int)(s - r->shape) : -1;
  r->material[r->nmaterials].condim = s->condim;
  r->material[r->nmaterials].priority = s->priority;
  return r->nmaterials++;
}

static int find_layers(ns_robot *r)
{
  layer_pairs pairs;
  memset(pairs, NEVER, sizeof pairs);
  for (int i = 0; i < r->nshapes; i++) {
    ns_robot_shape *s = &r->shape[i];
    int k = 0;
    while (k < r->nlayers && !fits(r, i, k, &pairs)) k++;
    if (k == MAX_LAYERS)
      return ns_robot_fail(r, s->node,
                           "it collides with other shapes than each of the %d previous groups, "
                           "expected fewer groups",
                           k);
    if (k == r->nlayers) r->nlayers++;
    join(r, i, k, &pairs);
    if ((s->material = material_of(r, s)) < 0)
      return ns_robot_fail(
          r, s->node, "has a different friction than the %d previous kinds, expected fewer kinds",
          MAX_MATERIALS);
  }
  return NS_OK;
}

int ns_robot_meet(ns_robot *r)
{
  int rc = find_layers(r);
  if (rc) return rc;
  if (!(r->with = ns_arena_zero(r->a, MAX_LAYERS, sizeof *r->with))) return ns_robot_nomem(r);
  for (int i = 0; i < r->nshapes; i++)
    for (int k = 0; k < r->nshapes; k++)
      if (meet(r, &r->shape[i], &r->shape[k]) == 1) {
        r->with[r->shape[i].layer] |= 1u << r->shape[k].layer;
        r->meets = 1;
      }
  return NS_OK;
}
