/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/vector.h"
#include "collision/touch_parts.h"

#include <stdlib.h>

ns_touch *ns_touches_more(ns_touches *t)
{
  if (t->count == t->max) {
    int max = t->max ? 2 * t->max : 64;
    ns_touch *at = realloc(t->at, (size_t)max * sizeof *at);
    if (!at) {
      t->failed = 1;
      return NULL;
    }
    t->at = at;
    t->max = max;
  }
  return &t->at[t->count++];
}

void ns_touches_fini(ns_touches *t)
{
  free(t->at);
  *t = (ns_touches){0};
}

/* Functions for [first kind][second kind]; NULL: the other way round. */
static ns_touch_pair *const pairs[NS_SHAPE_KINDS][NS_SHAPE_KINDS] = {
    [NS_SHAPE_SPHERE] = {[NS_SHAPE_PLANE] = ns_touch_sphere_plane,
                         [NS_SHAPE_SPHERE] = ns_touch_sphere_sphere,
                         [NS_SHAPE_CAPSULE] = ns_touch_sphere_capsule,
                         [NS_SHAPE_CYLINDER] = ns_touch_sphere_cylinder,
                         [NS_SHAPE_CONE] = ns_touch_sphere_cone,
                         [NS_SHAPE_BOX] = ns_touch_sphere_polytope,
                         [NS_SHAPE_HULL] = ns_touch_sphere_polytope,
                         [NS_SHAPE_MESH] = ns_touch_mesh},
    [NS_SHAPE_CAPSULE] = {[NS_SHAPE_PLANE] = ns_touch_capsule_plane,
                          [NS_SHAPE_CAPSULE] = ns_touch_capsule_capsule,
                          [NS_SHAPE_BOX] = ns_touch_capsule_polytope,
                          [NS_SHAPE_HULL] = ns_touch_capsule_polytope,
                          [NS_SHAPE_MESH] = ns_touch_mesh},
    [NS_SHAPE_CYLINDER] = {[NS_SHAPE_PLANE] = ns_touch_cylinder_plane,
                           [NS_SHAPE_CAPSULE] = ns_touch_cylinder,
                           [NS_SHAPE_CYLINDER] = ns_touch_cylinder,
                           [NS_SHAPE_BOX] = ns_touch_cylinder,
                           [NS_SHAPE_HULL] = ns_touch_cylinder,
                           [NS_SHAPE_MESH] = ns_touch_mesh},
    [NS_SHAPE_CONE] = {[NS_SHAPE_PLANE] = ns_touch_cylinder_plane,
                       [NS_SHAPE_CAPSULE] = ns_touch_cone,
                       [NS_SHAPE_CYLINDER] = ns_touch_cone,
                       [NS_SHAPE_CONE] = ns_touch_cone,
                       [NS_SHAPE_BOX] = ns_touch_cone,
                       [NS_SHAPE_HULL] = ns_touch_cone,
                       [NS_SHAPE_MESH] = ns_touch_mesh},
    [NS_SHAPE_BOX] = {[NS_SHAPE_PLANE] = ns_touch_polytope_plane,
                      [NS_SHAPE_BOX] = ns_touch_polytope_polytope,
                      [NS_SHAPE_HULL] = ns_touch_polytope_polytope,
                      [NS_SHAPE_MESH] = ns_touch_mesh},
    [NS_SHAPE_HULL] = {[NS_SHAPE_PLANE] = ns_touch_polytope_plane,
                       [NS_SHAPE_HULL] = ns_touch_polytope_polytope,
                       [NS_SHAPE_MESH] = ns_touch_mesh},
};

/* A touch of (b, a) as one of (a, b). */
static void turn(ns_touch *c)
{
  double p[3];
  memcpy(p, c->p1, sizeof p);
  memcpy(c->p1, c->p2, sizeof p);
  memcpy(c->p2, p, sizeof p);
  ns_scale(3, -1, c->n);
}

/* From the cores to the skins about them. */
static void grow(ns_touch *c, double of_a, double of_b)
{
  ns_axpy3(c->p1, -of_a, c->n, c->p1);
  ns_axpy3(c->p2, of_b, c->n, c->p2);
  c->gap -= of_a + of_b;
}

void ns_touch_shapes(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  int first = t->count, turned = !pairs[a->shape->kind][b->shape->kind];
  double of_a = ns_shape_skin(a->shape), of_b = ns_shape_skin(b->shape), skins = of_a + of_b;
  const ns_placed *one = turned ? b : a, *other = turned ? a : b;
  ns_touch_pair *pair = pairs[one->shape->kind][other->shape->kind];
  const ns_touch *near = t->near;
  ns_touch other_way;
  if (near && turned) {
    other_way = *near;
    turn(&other_way);
    t->near = &other_way;
  }
  if (pair) pair(one, other, margin + skins, t);
  t->near = near;
  for (int i = first; i < t->count && turned; i++) turn(&t->at[i]);
  for (int i = first; i < t->count && skins > 0; i++) grow(&t->at[i], of_a, of_b);
}
