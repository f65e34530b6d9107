/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switching.h -- event-driven simulation of first-order systems: smooth motion between switches,
 * whose times are roots.
 *
 *   M x' = f(x,t) + R(x,lambda,t),   y = h(x,lambda,t),   -y in N_[lb,ub](lambda)
 *
 * A row of the laws is in one of three modes, constant in the flow:
 *
 *   lower     lambda = lb, y > 0
 *   upper     lambda = ub, y < 0
 *   between   lambda keeps y = 0: a diode that conducts, a relay that slides (Filippov 1988;
 *             Utkin 1992: equivalent control)
 *
 * The condition of a row between its bounds is y = 0 if a free multiplier acts on y itself
 * (relative degree 0), otherwise y' = 0,
 *
 *   C M^-1 B lambda + C M^-1 (f + ...) + dh/dt = 0        for all such rows together, held.h
 *
 * whose solution remains smooth when lambda leaves its bounds, so that root functions are smooth:
 *
 *   y reaches 0               the row crosses 0, begins to slide, or returns
 *   lambda reaches a bound    the row leaves y = 0
 *
 * Several roots of a function within a step of the integrator are found, too (step_roots.h). Rates
 * are not root functions: when a motion comes to rest they contain only rounding errors.
 *
 * At an event, the next mode is one whose motion satisfies the laws for some time: the first
 * nonzero of y, y', y'' (lambda - lb and its derivatives; ub - lambda) has the correct sign (van
 * der Schaft & Schumacher 1998; Heemels, Schumacher & Weiland 2000: rational complementarity).
 * Beyond y' the sign is determined from a short step. If the event involves few rows, all their
 * modes are tried; then the modes that solve the complementarity problem of all rows in a short
 * implicit step (switching_probe.c), so that coupled rows, such as those of floating nodes, change
 * together. Rows that fit no mode otherwise are added to the event. If multipliers are not unique,
 * those of smallest norm are used (held.h); all give the same motion. Rows of any relative degree
 * are treated in the same way; those of degree two and more cross if lambda cannot keep y = 0.
 *
 * A state that violates its laws, at t0 or after a jump of an input, first jumps to a state that
 * satisfies them (switching_jump.c).
 *
 * More than one solution may begin at a point, for example on a surface that repels on both sides.
 * The one chosen changes the fewest rows; among these it has the fewest rows between their bounds,
 * and then the most rows at their lower bound. The choice is reported and recorded in the table of
 * events (NS_EVENT_BRANCH). If no mode is possible the run ends with an error.
 *
 * Switches may accumulate (Zeno): a row with |y| <= gapTolerance is included in the events of other
 * rows, and so is kept at y = 0 at the end of its series (NS_EVENT_ACCUMULATION;
 * accumulation="stop" ends the run there); maxEvents limits the others.
 *
 * Rows: those of the grid t0 + k h by dense output, and two with the same time at each event,
 * before and after it. */
#ifndef NS_SIMULATION_EVENTS_SWITCHING_H
#define NS_SIMULATION_EVENTS_SWITCHING_H

#include "simulation/events/event_run.h"

extern const ns_event_family ns_switching;

#endif
