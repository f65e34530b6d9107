/* SPDX-License-Identifier: GPL-3.0-or-later */
/* result_scene.h -- what a result says of bodies, their shapes and contacts. Kinds and sizes of
 * shapes: collision/shape.h. */
#ifndef NS_IO_RESULTS_RESULT_SCENE_H
#define NS_IO_RESULTS_RESULT_SCENE_H

#include "collision/shape.h"

typedef struct ns_scene_body {
  const char *id;
  int coordinates; /* 7: x, y, z and a unit quaternion, scalar first; 3: x, y, angle */
} ns_scene_body;

typedef struct ns_scene_shape {
  const char *id; /* "" where it has none */
  ns_shape_kind kind;
  int body; /* -1: fixed in space */
  int material;
  double radius, half[3];             /* m; 0 where the kind has none */
  double position[3], orientation[4]; /* in axes of its body, or of the world */
  /* s: it is there from the one until before the other; -inf, inf where there is none */
  double birth, death;
  int nvertices, ntriangles; /* of hulls and meshes; of polygons and lines as prisms and beams */
  const double *vertex;      /* [3 nvertices] m, in its axes */
  const int *triangle;       /* [3 ntriangles], counterclockwise from outside */
} ns_scene_shape;

typedef struct ns_result_scene {
  int nbodies, nshapes, nmaterials;
  const ns_scene_body *body;
  const ns_scene_shape *shape;
  const char *const *material; /* names */
} ns_result_scene;

#endif
