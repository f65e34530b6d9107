/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_frame.h -- <frame>: position, orientation and initial motion of its contents.
 *
 * A frame is walked like <repeat>: while its contents are visited, l->frame is the frame, composed
 * with those around it. Elements obtain their pose in the world from here. */
#ifndef NS_IO_LOAD_LOAD_FRAME_H
#define NS_IO_LOAD_LOAD_FRAME_H

#include "io/load/load_job.h"

/* Pose in the world (for a frame in a body: in the body): x = at + R(turn) X; velocity of its
 * origin, m/s, and angular velocity, rad/s. */
typedef struct ns_load_frame {
  const ns_elem *e;
  double at[3], turn[4];
  double velocity[3], spin[3];
  int planar; /* 1: it is given in the plane, 0: in space, -1: either */
  int moves;
} ns_load_frame;

/* Frame e at the values of the indices, in l->frame; NS_MODEL, reported. */
int ns_load_frame_get(ns_load *l, ns_elem *e, const ns_indices *index, ns_load_frame *f);
/* Transform a point and a direction [3] (either may be NULL) from l->frame to the world; unchanged
 * if there is no frame. */
void ns_load_frame_place(const ns_load *l, double *point, double *direction);
/* The same for a position and axes (quaternion). */
void ns_load_frame_pose(const ns_load *l, double *at, double *turn);
/* Position and axes of body s of element e, before its centre is known; and its velocity, once it
 * is. NS_MODEL, reported. */
int ns_load_frame_body(ns_load *l, const ns_elem *e, const char *id, ns_system *s);
int ns_load_frame_velocity(ns_load *l, ns_system *s);
/* Check that an element of the plane, or of space, is allowed in the frame. */
int ns_load_frame_check(ns_load *l, const ns_elem *e, const char *id, int planar);

#endif
