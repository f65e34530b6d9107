/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mixed_events.h -- event-driven simulation of systems of several kinds that read each other.
 *
 * Mechanics (Lagrangian systems and rigid bodies with all that acts between them) and first-order
 * systems keep the engines that they have alone (event_driven.h, switching.h), each on its part of
 * the model (model/family_part.h): modes, roots, impacts and jumps are theirs. Here is what they
 * have in common: one smooth motion of all unknowns,
 *
 *   x = (q, v, works of mechanics, what first order adds),
 *
 * in which formulas of one part read variables of the other at the same instant (model/foreign.h);
 * one list of roots, formulas that jump, events of the user, one certificate and one table of
 * events. The unknowns of v that belong to first-order systems are 0 and stay there: so branches.h
 * finds q and v of the model where they are.
 *
 * Order at an event. Formulas read states, no rates and no multipliers of others. So impacts follow
 * from v- and the laws of mechanics alone, whatever first-order systems do at that instant; then
 * accelerations and modes of contacts from their states; then first-order systems, which see the
 * new velocities, and accelerations where the derivative of an output needs them:
 *
 *   y = C x + D lambda + e(t, q, v),   y' = C x' + de/dt + de/dq q' + de/dv v'
 *
 * Where their state jumps, forces on mechanics are others, and that is looked at again. Between
 * points at which the modes of first order are tried mechanics moves with constant accelerations.
 */
#ifndef NS_SIMULATION_EVENTS_MIXED_EVENTS_H
#define NS_SIMULATION_EVENTS_MIXED_EVENTS_H

#include "simulation/step/strategy.h"

extern const ns_strategy_ops ns_mixed_events;

#endif
