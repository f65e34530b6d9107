/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scene.h -- all shapes of a model, and the contacts between them as they move.
 *
 * Pairs of shapes whose bounding boxes meet come from grids by size (broad.h): the work grows with
 * the number of shapes, not of their pairs, nor with how different their sizes are.
 *
 * Contacts stand in the order of their shapes and features, whatever the order in which they were
 * found: the same positions give the same list. Each knows where it stood in the list before, so
 * that impulses are kept by its solver. The list grows where it must and keeps its memory: in the
 * steady state nothing is allocated. There is no bound on the number of contacts. */
#ifndef NS_COLLISION_SCENE_H
#define NS_COLLISION_SCENE_H

#include "base/context.h"
#include "base/team.h"
#include "collision/touch.h"

/* A shape on a body, or fixed in space. */
typedef struct ns_collider {
  int body;              /* -1: fixed */
  const ns_shape *shape; /* outlives the scene */
  double at[3], turn[4]; /* where it is on the body: point and unit quaternion */
  /* two meet where each is in a layer that the other is with; 0 and 0: never */
  unsigned layers, with;
} ns_collider;

typedef struct ns_scene_contact {
  int a, b;       /* colliders, a < b */
  int was;        /* index in the list before, -1: new */
  ns_touch touch; /* n from b to a */
} ns_scene_contact;

typedef struct ns_scene ns_scene;

/* Colliders are copied. Those of one body never meet, nor do fixed ones. NS_NOMEM. */
int ns_scene_create(ns_ctx *c, int n, const ns_collider *colliders, ns_scene **s);
/* Of planar bodies: q is [3 nbodies], x, y and angle about z each; shapes are those of the plane z
 * = 0. */
int ns_scene_create_planar(ns_ctx *c, int n, const ns_collider *colliders, ns_scene **s);
void ns_scene_destroy(ns_scene *s); /* NULL-safe */

/* Pairs of bodies whose shapes never meet, [n][2]; copied, once. NS_NOMEM. */
int ns_scene_keep_apart(ns_scene *s, ns_ctx *c, int n, const int (*pair)[2]);
/* A collider that is not there meets nothing until it is again. At first all are there. NS_NOMEM.
 */
int ns_scene_set_away(ns_scene *s, ns_ctx *c, int collider, int away);
/* Threads that it may use, NULL: one; they outlive it. The list does not depend on how many there
 * are. */
void ns_scene_lend(ns_scene *s, ns_team *team);

/* Contacts with a gap below margin, bodies being at q [7 nbodies]: position and unit quaternion
 * each. NS_NOMEM: the list is not whole and not to be used. */
int ns_scene_update(ns_scene *s, ns_ctx *c, const double *q, double margin);
/* The list of the last update; borrowed until the next. */
const ns_scene_contact *ns_scene_contacts(const ns_scene *s, int *n);
/* Touches of two colliders with a gap below margin, bodies being at q, added to t: those that an
 * update there would list. The list of the scene stays. */
void ns_scene_touch(const ns_scene *s, int a, int b, const double *q, double margin, ns_touches *t);
/* Where a collider was at the last update. */
const ns_placed *ns_scene_placed(const ns_scene *s, int collider);

size_t ns_scene_bytes(const ns_scene *s);

#endif
