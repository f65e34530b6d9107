/* SPDX-License-Identifier: GPL-3.0-or-later */
/* course.h -- how a quantity varies between two consecutive states of a run.
 *
 *   continuous   linear, to the accuracy of results: positions, velocities, first-order states;
 *                in event-driven runs multipliers too, with both sides of an event in the file
 *   held         constant during the step that ends with a state, with the value of that state:
 *                commands of sampled blocks and, in time-stepping, multipliers of first-order
 *                relations
 *   per step     belongs to the step; if rows are several steps apart, to all steps since the
 *                previous row: impulses (sum), forces of contacts (mean), iterations (maximum)
 *   per event    belongs to one event: its impulse in event-driven runs
 *   mixed        a formula of held and continuous quantities: continuous within a step, with
 *                jumps at its beginning
 *
 * It determines how measures integrate and how results are compared; each output contains it for
 * each quantity. */
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
/* The kind with this name; CONTINUOUS for an unknown name, as in files of earlier versions. */
ns_course ns_course_find(const char *text);

/* Kind of lambda and of the inputs from it: held in time-stepping; continuous in event-driven runs,
 * and if an input is the mean of both ends of a step (gamma < 1 of Euler-Moreau). Impulses are per
 * step. */
ns_course ns_course_of_multipliers(const ns_model *m);
/* Kind of a formula of an observable, a measure or an event, from the quantities that it reads; an
 * observable that it reads counts with all that observables read. */
ns_course ns_course_of_formula(const ns_model *m, const ns_operator *formula);

#endif
