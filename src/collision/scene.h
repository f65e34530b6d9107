/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scene.h -- all shapes of a model, and the contacts between them as they move.
 *
 * Pairs of shapes with overlapping bounding boxes are found by grids (broad.h), so that the work is
 * proportional to the number of shapes, independent of their sizes.
 *
 * Contacts are sorted by shapes and features, so that equal positions give equal lists. Each
 * contact has its index in the previous list, so that its last impulse can be used as a guess.
 * Memory grows as needed and is kept: in a steady state nothing is allocated. The number of
 * contacts is not limited. */
#ifndef NS_COLLISION_SCENE_H
#define NS_COLLISION_SCENE_H

#include "base/context.h"
#include "base/team.h"
#include "collision/touch.h"

/* A shape on a body, or fixed in space. */
typedef struct ns_collider {
  int body;              /* -1: fixed */
  const ns_shape *shape; /* outlives the scene */
  double at[3], turn[4]; /* pose on the body: point and unit quaternion */
  /* bit sets: two can touch if each is in a layer of the other's `with`; 0 and 0: never */
  unsigned layers, with;
} ns_collider;

typedef struct ns_scene_contact {
  int a, b;       /* colliders, a < b */
  int was;        /* index in the previous list; -1: new */
  ns_touch touch; /* n from b to a */
} ns_scene_contact;

typedef struct ns_scene ns_scene;

/* Create; colliders are copied. Two colliders of the same body, or two fixed ones, never touch.
 * NS_NOMEM. */
int ns_scene_create(ns_ctx *c, int n, const ns_collider *colliders, ns_scene **s);
/* The same for planar bodies: q is [3 nbodies], with x, y and the angle about z of each; shapes are
 * those of the plane z = 0. */
int ns_scene_create_planar(ns_ctx *c, int n, const ns_collider *colliders, ns_scene **s);
void ns_scene_destroy(ns_scene *s); /* NULL-safe */

/* Exclude contacts between the bodies of each pair [n][2]; copied, called once. NS_NOMEM. */
int ns_scene_keep_apart(ns_scene *s, ns_ctx *c, int n, const int (*pair)[2]);
/* Set whether a collider is absent and has no contacts. Initially all are present. NS_NOMEM. */
int ns_scene_set_away(ns_scene *s, ns_ctx *c, int collider, int away);
/* Threads that the scene may use, borrowed, NULL: one. The list does not depend on their number. */
void ns_scene_lend(ns_scene *s, ns_team *team);

/* Find contacts with a gap < margin for bodies at q [7 nbodies]: position and unit quaternion of
 * each. NS_NOMEM: the list is incomplete and must not be used. */
int ns_scene_update(ns_scene *s, ns_ctx *c, const double *q, double margin);
/* The list of the last update; borrowed until the next. */
const ns_scene_contact *ns_scene_contacts(const ns_scene *s, int *n);
/* Add to t the contacts of two colliders with a gap < margin, for bodies at q, as an update there
 * would find them; with t->near at least the one that is looked for. The list of the scene is
 * unchanged. */
void ns_scene_touch(const ns_scene *s, int a, int b, const double *q, double margin, ns_touches *t);
/* Where a collider was at the last update. */
ns_placed ns_scene_placed(const ns_scene *s, int collider);

size_t ns_scene_bytes(const ns_scene *s);

#endif
