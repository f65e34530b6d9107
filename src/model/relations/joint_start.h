/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joint_start.h -- the initial state of bodies by free coordinates of their joints.
 *
 * Joints are assembled where <q0> puts their bodies, with coordinates 0. Coordinates and rates that
 * a joint begins with move its bodies from there: along a tree of joints from the world, or from
 * the first body where none is with the world, each body has the motion of the one before it and
 * that of the joint between them,
 *
 *   T_2 = T_1 exp(joint),   V_2 = V_1 + a d' at the joint,    backwards where body 2 is known first
 *
 * (Featherstone 2008, section 4.4). Joints that close a loop then are to hold, too: Newton's method
 * on their rows and on the coordinates that are given, with the least change by the mass (as
 * simulation/step/rigid_projection.h). Bodies of mechanisms no joint of which begins elsewhere are
 * left as they are, to the bit; velocities where no rate is given. */
#ifndef NS_MODEL_RELATIONS_JOINT_START_H
#define NS_MODEL_RELATIONS_JOINT_START_H

#include "model/model.h"

/* Of all bodies of m, whose q0 and v0 are replaced, in its arena. NS_MODEL, with a sentence: a loop
 * does not close near. NS_NOMEM. */
int ns_joint_starts(ns_model *m, ns_ctx *c);

#endif
