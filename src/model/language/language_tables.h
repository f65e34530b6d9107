/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_tables.h -- the pieces of the table of language.h, a file each; NULL-ended. */
#ifndef NS_MODEL_LANGUAGE_LANGUAGE_TABLES_H
#define NS_MODEL_LANGUAGE_LANGUAGE_TABLES_H

#include "model/language/language.h"

/* Children of mechanical systems: prescribed velocities. */
#define NS_LANG_BOUNDARIES {"fixed", 0, 0, 1}, {"prescribed", 0, 0, 1}, {"harmonic", 0, 0, 1}

extern const ns_lang_element ns_lang_parts[];     /* model, parameters, repeat, output, ... */
/* Banks of what a run evaluates as its laws (law_values.h). */
enum {
  NS_LANG_OF_RUN = 1 << NS_BANK_T | 1 << NS_BANK_Q | 1 << NS_BANK_V | 1 << NS_BANK_Z | 1 << NS_BANK_LAW
};

extern const ns_lang_element ns_lang_mechanics[]; /* systems, relations, laws */
extern const ns_lang_element ns_lang_first_order[]; /* the same of first order */
extern const ns_lang_element ns_lang_rigid[];     /* rigid bodies, their relations, laws */
extern const ns_lang_element ns_lang_shapes[];    /* shapes, contacts between them */
extern const ns_lang_element ns_lang_circuit[];   /* netlists */
extern const ns_lang_element ns_lang_control[];   /* sampled blocks */
extern const ns_lang_element ns_lang_measures[];  /* measures, events of the user */
extern const ns_lang_element ns_lang_event_driven[]; /* strategies and integrators of events */
extern const ns_lang_element ns_lang_schemes[];   /* strategies, integrators, one-step problems */
extern const ns_lang_element ns_lang_study[];     /* studies: a language of its own, its root is <study> */

#endif
