/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mixed_events.h -- event-driven simulation of systems of several kinds that read each other.
 *
 * Mechanical systems (Lagrangian systems and rigid bodies with their interactions) and first-order
 * systems use the same engines as alone (event_driven.h, switching.h), each on its part of the
 * model (model/family_part.h), for modes, roots, impacts and jumps. This module provides the common
 * parts: one smooth motion of all unknowns,
 *
 *   x = (q, v, works of mechanics, what first order adds),
 *
 * in which formulas of one part read variables of the other at the same time (model/foreign.h);
 * one list of roots, formulas with jumps, user events; one certificate and one table of events. The
 * unknowns of v that belong to first-order systems are always 0, so that the layout of q and v is
 * that of the model, as branches.h requires.
 *
 * Order at an event. Formulas read states, but no rates or multipliers, of other systems. Therefore
 * impacts depend only on v- and the laws of mechanics. They are solved first; then accelerations
 * and modes of contacts; then the first-order systems, with the new velocities, and with the
 * accelerations if the derivative of an output depends on them:
 *
 *   y = C x + D lambda + e(t, q, v),   y' = C x' + de/dt + de/dq q' + de/dv v'
 *
 * If their state jumps, the forces on mechanical systems change and their modes are decided again.
 * Between the points at which modes of first-order systems are tried, mechanical systems move with
 * constant accelerations. */
#ifndef NS_SIMULATION_EVENTS_MIXED_EVENTS_H
#define NS_SIMULATION_EVENTS_MIXED_EVENTS_H

#include "simulation/events/event_run.h"

extern const ns_event_family ns_mixed_events;

#endif
