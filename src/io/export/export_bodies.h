/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_bodies.h -- positions of the rigid bodies of a result at its rows, and their contacts. */
#ifndef NS_IO_EXPORT_EXPORT_BODIES_H
#define NS_IO_EXPORT_EXPORT_BODIES_H

#include "io/export/export_points.h"

/* A position and an orientation in the world (unit quaternion, scalar first). */
typedef struct ns_pose {
  double x[3], p[4];
} ns_pose;

typedef struct ns_export_bodies {
  const ns_result_scene *scene;
  const ns_export_value *q; /* first coordinate of each body [scene->nbodies] */
  const ns_export_value *v; /* first velocity of each body; channel -1: not recorded */
  const ns_result_meta *m;
  ns_export_banks banks;
} ns_export_bodies;

/* Prepare, with memory of a. NS_USAGE: positions of a body were not recorded. */
int ns_export_bodies_make(ns_ctx *c, ns_result *r, ns_arena *a, ns_export_bodies *b);
void ns_export_body_at(const ns_export_bodies *b, int body, size_t row, ns_pose *at);
/* Velocity of a body in the world, m/s; 0 if it was not recorded. */
void ns_export_body_velocity(const ns_export_bodies *b, int body, size_t row, double *v);
/* Pose of a shape, which may be fixed in the world. */
void ns_export_shape_at(const ns_export_bodies *b, const ns_scene_shape *s, size_t row,
                        ns_pose *at);
/* Mean force of a contact over the step that ended, N: as recorded; in files of earlier versions,
 * which have none, the impulse divided by the h of the model, or by 1 s if h is unknown. */
void ns_export_contact_force(const ns_result_meta *m, const ns_contact_record *k, double *f);

#endif
