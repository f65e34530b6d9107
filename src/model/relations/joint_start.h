/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joint_start.h -- the initial state of bodies from free coordinates of their joints.
 *
 * Joints are assembled at the positions <q0> of their bodies, with coordinates 0. Initial
 * coordinates and rates of joints move the bodies from there, along a tree of joints that begins at
 * the world or, without joints to the world, at the first body. Each body has the motion of the
 * preceding one plus that of the joint between them,
 *
 *   T_2 = T_1 exp(joint),   V_2 = V_1 + a d' at the joint,
 *   or the inverse if body 2 is known first
 *
 * (Featherstone 2008, section 4.4). Joints that close a loop are then satisfied by Newton's method
 * on their rows and on the given coordinates, and their velocities by these rows and on the given
 * rates, both with the smallest change in the metric of the mass (as
 * simulation/rows/rigid_projection.h). Bodies of mechanisms without initial coordinates are
 * unchanged to the bit, and so are velocities without initial rates. A model with a mass that is
 * not positive is left to the checks. */
#ifndef NS_MODEL_RELATIONS_JOINT_START_H
#define NS_MODEL_RELATIONS_JOINT_START_H

#include "model/model.h"

/* Replace q0 and v0 of all bodies of m, in its arena. NS_MODEL, with a message: a loop cannot be
 * closed nearby. NS_NOMEM. */
int ns_joint_starts(ns_model *m, ns_ctx *c);

#endif
