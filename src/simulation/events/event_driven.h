/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven.h -- event-driven simulation: smooth motion between events, whose times are roots.
 *
 * Modes (Acary & Brogliato 2008, ch. 8): I_1 the closed contacts (y = 0), I_2 those of them that
 * last (also ydot = 0). In the flow the mode is constant and contacts of I_2 are equalities,
 *
 *   M vdot = F + H^T lambda,  H vdot + bias = 0 on I_2,  lambda = 0 elsewhere
 *                             (acceleration.h)
 *
 * whose solution remains smooth when a force becomes negative, so that root functions are smooth:
 *
 *   y falls to 0          a contact closes: impact
 *   lambda falls to 0     it opens
 *   ydot rises to 0       a gap has a minimum, so that two roots of y in one step are not missed
 *   stick, slip           event_driven_friction.c
 *
 * At an event, the contacts with a root count as closed, independent of rounding errors of y:
 *
 *   1. impact, while some closed contact approaches: 0 <= ydot+ + e ydot- _|_ P >= 0 on I_1
 *   2. accelerations: 0 <= yddot _|_ lambda >= 0 on { y = ydot = 0 }; contacts that accelerate
 *      away open, undecided ones keep their mode; with friction the same problem decides between
 *      stick and slip (event_driven_friction_rest.c)
 *   3. projection of I_2 onto y = ydot = 0 in the metric of the mass; the flow is restarted
 *
 * Step 1 is one problem for all closed contacts, or with impacts="sequential" one contact at a
 * time, the fastest first. In step 1, contacts that already separate have e = 0, because with e > 0
 * the law would make them approach again. A rebound slower than restSpeed is suppressed (e = 0): it
 * ends an accumulation of impacts, whose geometric series of flights is infinite. With
 * accumulation="time-stepping" another scheme continues before that (event_driven_hybrid.c).
 *
 * With MultipleImpactNSL, step 1 is the impact of problems/multiple_impact.h, on D without its
 * equalities (equality_rows.h). User conditions are also root functions, and the flow stops at
 * scheduled times (event_run.h).
 *
 * Rows: those of the grid t0 + k h by dense output, and two with the same time at each event,
 * before and after it. lambda is a force; the impulse of an event is in the row after it. */
#ifndef NS_SIMULATION_EVENTS_EVENT_DRIVEN_H
#define NS_SIMULATION_EVENTS_EVENT_DRIVEN_H

#include "simulation/events/event_run.h"

extern const ns_event_family ns_mechanics_events;

#endif
