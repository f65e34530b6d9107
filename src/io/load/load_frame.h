/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_frame.h -- <frame>: where what it holds is placed, and how it moves at the beginning.
 *
 * A frame is walked as <repeat> is: while its content is visited, l->frame is where it is. Frames
 * in frames are composed. What is visited asks here for its own place in the world. */
#ifndef NS_IO_LOAD_LOAD_FRAME_H
#define NS_IO_LOAD_LOAD_FRAME_H

#include "io/load/load_job.h"

/* In the world, of a body in the body: x = at + R(turn) X; velocity of its origin and angular
 * velocity there. */
typedef struct ns_load_frame {
  const ns_elem *e;
  double at[3], turn[4];
  double velocity[3], spin[3];
  int planar; /* 1: it is given in the plane, 0: in space, -1: either */
  int moves;
} ns_load_frame;

/* Frame e at the values of the indices, in l->frame; NS_MODEL, reported. */
int ns_load_frame_get(ns_load *l, ns_elem *e, const ns_indices *index, ns_load_frame *f);
/* A point and a direction [3] (either may be NULL) from l->frame to the world; alone where there is
 * none. */
void ns_load_frame_place(const ns_load *l, double *point, double *direction);
/* The same of a place with axes. */
void ns_load_frame_pose(const ns_load *l, double *at, double *turn);
/* Position and axes of body s of element e, before its centre is known; and its velocity, once it
 * is. NS_MODEL, reported. */
int ns_load_frame_body(ns_load *l, const ns_elem *e, const char *id, ns_system *s);
int ns_load_frame_velocity(ns_load *l, ns_system *s);
/* Whether what lies in the plane, or in space, may stand in the frame. */
int ns_load_frame_check(ns_load *l, const ns_elem *e, const char *id, int planar);

#endif
