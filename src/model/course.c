/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/course.h"

#include "base/text.h"

#include <string.h>

static const char *const words[NS_COURSES] = {[NS_COURSE_CONTINUOUS] = "continuous",
                                              [NS_COURSE_HELD] = "held",
                                              [NS_COURSE_STEP] = "per step",
                                              [NS_COURSE_EVENT] = "per event",
                                              [NS_COURSE_MIXED] = "mixed"};

const char *ns_course_text(ns_course k) { return words[k]; }

ns_course ns_course_find(const char *text)
{
  int k = text ? ns_word_index(words, NS_COURSES, text) : -1;
  return k < 0 ? NS_COURSE_CONTINUOUS : (ns_course)k;
}

/* The input of a step is gamma r_k+1 + (1 - gamma) r_k. */
static int input_is_mean(const ns_model *m)
{
  const ns_euler_moreau_options *em = &m->sim.em;
  return m->sim.integrator && strcmp(m->sim.integrator, "EulerMoreauOSI") == 0 && em->gamma < 1 &&
         !em->full;
}

ns_course ns_course_of_multipliers(const ns_model *m)
{
  if (m->sim.event_driven) return NS_COURSE_CONTINUOUS;
  if (!ns_model_is_first_order(m)) return NS_COURSE_STEP;
  return input_is_mean(m) ? NS_COURSE_CONTINUOUS : NS_COURSE_HELD;
}

static int reads(unsigned banks, ns_bank b) { return (banks >> b & 1u) != 0; }

ns_course ns_course_of_formula(const ns_model *m, const ns_operator *formula)
{
  unsigned banks = formula->uses;
  for (int k = 0; k < m->nobservables && reads(formula->uses, NS_BANK_OBSERVABLE); k++)
    banks |= m->observables[k].value.uses;
  int multipliers = reads(banks, NS_BANK_LAMBDA),
      held_multipliers = ns_course_of_multipliers(m) != NS_COURSE_CONTINUOUS;
  int held = reads(banks, NS_BANK_Z) || (multipliers && held_multipliers);
  int moving = reads(banks, NS_BANK_T) || reads(banks, NS_BANK_Q) || reads(banks, NS_BANK_V) ||
               reads(banks, NS_BANK_JOINT) || (multipliers && !held_multipliers);
  if (held && moving) return NS_COURSE_MIXED;
  return held ? NS_COURSE_HELD : NS_COURSE_CONTINUOUS;
}
