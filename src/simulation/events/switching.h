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
 *   between   y is held at 0 by lambda: a diode that conducts, a relay that slides (Filippov 1988;
 *             Utkin 1992: equivalent control)
 *
 * What holds a row is y = 0 where a multiplier that is free acts on y itself (relative degree 0),
 * else y' = 0:
 *
 *   C M^-1 B lambda + C M^-1 (f + ...) + dh/dt = 0        of rows that are held together, held.h
 *
 * which goes on smoothly where lambda would leave its bounds, so that roots are found on smooth
 * functions:
 *
 *   y comes to 0          its row crosses 0, begins to slide, or turns back
 *   lambda comes to a bound      it leaves
 *
 * Two roots of one of them within a step of the integrator are found, too (step_roots.h). No
 * root function is a rate, which is rounding alone where a motion comes to rest.
 *
 * At an event the next mode is one whose own motion obeys the laws for a while: the first of y, y',
 * y'' (lambda - lb, its derivatives; ub - lambda) that is not zero has the right sign (van der
 * Schaft & Schumacher 1998; Heemels, Schumacher & Weiland 2000: rational complementarity); beyond
 * y' it is told by what is come to in a short step. All modes of the rows that take part are tried,
 * where they are few; then those that the complementarity problem of all rows has in a short
 * implicit step (switching_probe.c), so that rows which depend on each other, as those of nodes
 * that float, change together; rows that no mode suits otherwise are drawn in. Multipliers that
 * nothing determines are the shortest that obey the rest (held.h): all of them have the same
 * motion. Rows of any relative degree are decided alike: those of two and more cross where lambda
 * cannot hold them.
 *
 * A state that contradicts its laws, at t0 or where an input jumps, jumps onto them first
 * (switching_jump.c).
 *
 * More than one motion may go on from a point, as from a surface that repels on both sides. The one
 * that is taken changes the fewest rows; of those that change as many, it holds the fewest, and
 * then has the most rows at their lower bound. It is told, and stands in the table of events
 * (NS_EVENT_BRANCH). Where no mode goes on the run ends with a sentence.
 *
 * Switches may accumulate (Zeno): a row with |y| <= gapTolerance takes part in the events of other
 * rows, and so comes to be held where its series ends (NS_EVENT_ACCUMULATION; accumulation="stop"
 * ends the run there); maxEvents bounds the rest.
 *
 * Rows: those of the grid t0 + k h by dense output, and two at each event with the same time,
 * before and after. */
#ifndef NS_SIMULATION_EVENTS_SWITCHING_H
#define NS_SIMULATION_EVENTS_SWITCHING_H

#include "simulation/step/strategy.h"

/* EventDriven where the systems are of first order. */
extern const ns_strategy_ops ns_switching;

#endif
