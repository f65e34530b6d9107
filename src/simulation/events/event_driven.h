/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven.h -- event-driven simulation: smooth motion between events, whose times are roots.
 *
 * Modes (Acary & Brogliato 2008, ch. 8): I_1 the closed contacts (y = 0), I_2 those of them that
 * stay (ydot = 0 too). In the flow the mode is constant and contacts of I_2 are equalities,
 *
 *   M vdot = F + H^T lambda,  H vdot + bias = 0 on I_2,  lambda = 0 elsewhere
 *                             (acceleration.h)
 *
 * which goes on smoothly where a force would turn negative, so that roots are found on smooth
 * functions:
 *
 *   y falls to 0          a contact closes: impact
 *   lambda falls to 0     it opens
 *   ydot rises to 0       a gap has its minimum: two roots of y in one step are not missed
 *   stick, slip           event_driven_friction.c
 *
 * At an event, contacts whose root it is count as closed whatever rounding made of y:
 *
 *   1. impact, while some closed contact approaches: 0 <= ydot+ + e ydot- _|_ P >= 0 on I_1
 *   2. accelerations: 0 <= yddot _|_ lambda >= 0 on { y = ydot = 0 }; what accelerates away opens,
 *   what is undecided stays;
 *      with friction the same says what sticks and what slips (event_driven_friction_rest.c)
 *   3. positions and velocities of I_2 to y = ydot = 0, by the mass; the flow is restarted
 *
 * 1. is one problem of all closed contacts, or with impacts="sequential" one contact at a time, the
 * fastest first. In 1. contacts that separate already have e = 0: the law would let them approach
 * again. A rebound slower than restSpeed is none (e = 0): the end of an accumulation of impacts, of
 * which the geometric series of flights has infinitely many. With accumulation="time-stepping"
 * another scheme takes over before that (event_driven_hybrid.c).
 *
 * Where the law is MultipleImpactNSL, 1. is the march of problems/multiple_impact.h, on D without
 * its equalities (held_rows.h). Conditions of the user are roots, too, and scheduled times halt the
 * flow (event_driven_user.c).
 *
 * Rows: those of the grid t0 + k h by dense output, and two at each event with the same time,
 * before and after. lambda is a force here; the impulse of an event stands in the row after it. */
#ifndef NS_SIMULATION_EVENTS_EVENT_DRIVEN_H
#define NS_SIMULATION_EVENTS_EVENT_DRIVEN_H

#include "simulation/step/strategy.h"

extern const ns_strategy_ops ns_event_driven;

#endif
