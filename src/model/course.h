/* SPDX-License-Identifier: GPL-3.0-or-later */
/* course.h -- how a quantity goes from one state that a run comes to to the next.
 *
 *   continuous   linear, to the accuracy of results: positions, velocities, states of first order;
 *                in event-driven runs multipliers too, with both sides of an event in the file
 *   held         constant over the step that ended with a state, at the value that the state shows:
 *                commands of sampled blocks and, in time-stepping, multipliers of first order
 *   per step     an amount that belongs to the step, and to all steps since the row before where
 *                rows are further apart: impulses (their sum), forces of contacts (their mean),
 *                iterations (the most)
 *   per event    an amount that belongs to an event alone: its impulse in event-driven runs
 *   mixed        a formula of held and of continuous quantities: continuous within a step, jumping
 *                at its begin
 *
 * Measures integrate by it, results are compared by it, and each output tells it of each quantity.
 */
#ifndef NS_MODEL_COURSE_H
#define NS_MODEL_COURSE_H

#include "model/model.h"

typedef enum ns_course {
  NS_COURSE_CONTINUOUS,
  NS_COURSE_HELD,
  NS_COURSE_STEP,
  NS_COURSE_EVENT,
  NS_COURSE_MIXED
} ns_course;
enum { NS_COURSES = NS_COURSE_MIXED + 1 };
const char *ns_course_text(ns_course k); /* "continuous", ... */
/* Continuous where there is no such word: of files of earlier versions. */
ns_course ns_course_find(const char *text);

/* Of lambda and of the input of systems by it: held in time-stepping, but continuous in
 * event-driven runs, and where an input is the mean of both ends of a step (gamma < 1 of
 * Euler-Moreau). An impulse is that of a step. */
ns_course ns_course_of_multipliers(const ns_model *m);
/* Of what a formula, an operator of an observable, a measure or an event, reads: an observable
 * before it counts with all that observables read. */
ns_course ns_course_of_formula(const ns_model *m, const ns_operator *formula);

#endif
