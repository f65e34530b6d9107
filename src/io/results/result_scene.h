/* SPDX-License-Identifier: GPL-3.0-or-later */
/* result_scene.h -- bodies and shapes of a result. Kinds and sizes of shapes: collision/shape.h. */
#ifndef NS_IO_RESULTS_RESULT_SCENE_H
#define NS_IO_RESULTS_RESULT_SCENE_H

#include "collision/shape.h"

typedef struct ns_scene_body {
  const char *id;
  int coordinates; /* 7: x, y, z and a unit quaternion, scalar first; 3: x, y, angle */
} ns_scene_body;

typedef struct ns_scene_shape {
  const char *id; /* "" if none */
  ns_shape_kind kind;
  int body; /* -1: fixed in space */
  int material;
  double radius, half[3];             /* m; 0 if not used by the kind */
  double position[3], orientation[4]; /* relative to its body or to the world */
  /* s: it exists from birth until before death; -inf, inf if always */
  double birth, death;
  /* of hulls and meshes, and of polygons and lines extended to prisms and beams */
  int nvertices, ntriangles;
  const double *vertex; /* [3 nvertices] m, in axes of the shape */
  const int *triangle;  /* [3 ntriangles], counterclockwise from outside */
} ns_scene_shape;

typedef struct ns_result_scene {
  int nbodies, nshapes, nmaterials;
  const ns_scene_body *body;
  const ns_scene_shape *shape;
  const char *const *material; /* names */
} ns_result_scene;

#endif
