/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_drives.h -- torques and forces of joints (model/rigid_drive.h) as parts of the forces on bodies.
 *
 * In the iteration matrix of a body stand the tangents by its own motion; those by the motion of the other body would couple the
 * blocks and are left to the passes of Newton's method. With a = h theta c + h^2 theta^2 k over the inertia about the axis, a pass
 * then leaves a/(1 + a) of the error at most. */
#ifndef NS_INTEGRATORS_RIGID_DRIVES_H
#define NS_INTEGRATORS_RIGID_DRIVES_H

#include "model/rigid_drive.h"
#include "model/state.h"

typedef struct ns_rigid_drives {
  const ns_model *m;
  int n, *interaction;    /* joints with a drive [n] */
  ns_drive_state *at;     /* of the last evaluation [n] */
  int *first, *next;      /* ends of them at each body: 2 i + side [nbodies], [2 n]; -1: no more */
  double *work;
} ns_rigid_drives;

/* In memory of `mem`; NULL where no joint has a drive. NS_NOMEM. */
int ns_rigid_drives_create(ns_ctx *c, const ns_model *m, ns_arena *mem, ns_rigid_drives **out);
/* 1 where one acts on the body; o may be NULL. */
static inline int ns_rigid_drives_on(const ns_rigid_drives *o, int body) { return o && o->first[body] >= 0; }
/* f [nv] += what they do at (t, q, v), turns and user vectors by x; o may be NULL. */
int ns_rigid_drives_add(ns_rigid_drives *o, ns_ctx *c, const ns_state *x, double t, const double *q, const double *v, double *f);
/* K, C [6 x 6], in the plane [3 x 3], of a body += tangents of the last evaluation by its own motion; o may be NULL. */
void ns_rigid_drives_tangents(const ns_rigid_drives *o, int body, double *K, double *C);

#endif
