/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_tables.h -- the parts of the table of language.h, one file each, NULL-terminated, and
 * what they are written with. */
#ifndef NS_MODEL_LANGUAGE_LANGUAGE_TABLES_H
#define NS_MODEL_LANGUAGE_LANGUAGE_TABLES_H

#include "model/language/language.h"

/* Attributes or values, and children, of an element. */
#define LIST(...) \
  (const ns_lang_item[]) \
  { \
    __VA_ARGS__, { 0 } \
  }
#define CHILDREN(...) \
  (const ns_lang_child[]) \
  { \
    __VA_ARGS__, { 0 } \
  }

/* What formulas of a value may read, */
#define T (1u << NS_BANK_T)
#define Q (1u << NS_BANK_Q)
#define V (1u << NS_BANK_V)
#define Z (1u << NS_BANK_Z)
#define J (1u << NS_BANK_JOINT)
#define LAMBDA (1u << NS_BANK_LAMBDA)
/* and how it may be written. */
#define FIXED (NS_LANG_FORM_TEXT | NS_LANG_FORM_FILE)
#define SQUARE (FIXED | NS_LANG_FORM_DIAG | NS_LANG_FORM_BAND)
#define CALLED (NS_LANG_FORM_TEXT | NS_LANG_FORM_PLUGIN)

/* Children of mechanical systems: prescribed velocities. */
#define NS_LANG_BOUNDARIES \
  {"fixed", 0, 0, 1}, {"prescribed", 0, 0, 1}, { "harmonic", 0, 0, 1 }

/* Attributes for a rotation of axes in space, in several alternative forms (io/load/load_turn.c).
 * of: "its axes to those of the body". */
#define NS_LANG_TURN(of) \
  {.name = "turn", \
   .type = NS_LANG_TEXT, \
   .initial = "1 0 0 0", \
   .example = "1 0 0 0", \
   .help = "unit quaternion, scalar first: " of}, \
      {.name = "axis", \
       .type = NS_LANG_TEXT, \
       .initial = "none", \
       .example = "0 0 1", \
       .help = "instead of turn: axis of the rotation; without angle= a rotation vector, whose " \
               "length is the angle"}, \
      {.name = "angle", \
       .type = NS_LANG_REAL, \
       .initial = "none", \
       .unit = "rad", \
       .example = "0", \
       .help = "angle of the rotation about axis"}, \
      {.name = "euler", \
       .type = NS_LANG_TEXT, \
       .initial = "none", \
       .unit = "rad", \
       .example = "pi/6 0 pi/2", \
       .help = "instead of turn: an angle for each axis of sequence, in the same order"}, \
      {.name = "sequence", \
       .type = NS_LANG_TEXT, \
       .initial = "none; required with euler=", \
       .example = "zyx", \
       .help = "three axes, such as zyx: in lower case those after the preceding rotations " \
               "(intrinsic), in upper case fixed axes (extrinsic)"}, \
  { \
    .name = "rpy", .type = NS_LANG_TEXT, .initial = "none", .unit = "rad", .example = "0 0 pi/2", \
    .help = "instead of turn: roll, pitch and yaw as in URDF, the same as euler= with " \
            "sequence=\"XYZ\"" \
  }

extern const ns_lang_element ns_lang_parts[]; /* model, parameters, repeat, output, ... */
/* Banks of formulas that a run evaluates as parameters of its laws (law_values.h). */
enum {
  NS_LANG_OF_RUN = 1 << NS_BANK_T | 1 << NS_BANK_Q | 1 << NS_BANK_V | 1 << NS_BANK_Z |
                   1 << NS_BANK_LAW
};

extern const ns_lang_element ns_lang_mechanics[]; /* systems, relations, laws */
/* first-order systems, their relations, laws */
extern const ns_lang_element ns_lang_first_order[];
extern const ns_lang_element ns_lang_rigid[];        /* rigid bodies, contacts by formulas */
extern const ns_lang_element ns_lang_joints[];       /* joints and tendons as relations */
extern const ns_lang_element ns_lang_forces[];       /* forces between bodies */
extern const ns_lang_element ns_lang_shapes[];       /* shapes, contacts between them */
extern const ns_lang_element ns_lang_circuit[];      /* netlists */
extern const ns_lang_element ns_lang_control[];      /* sampled blocks */
extern const ns_lang_element ns_lang_measures[];     /* measures, events of the user */
extern const ns_lang_element ns_lang_event_driven[]; /* strategies and integrators of events */
extern const ns_lang_element ns_lang_schemes[]; /* strategies, integrators, one-step problems */
/* studies: a separate language with the root <study> */
extern const ns_lang_element ns_lang_study[];

/* When a body or a shape exists. */
#define NS_LANG_LIFE \
  {.name = "birth", \
   .type = NS_LANG_REAL, \
   .initial = "start", \
   .word = "start", \
   .unit = "s", \
   .example = "1", \
   .help = "time from which it exists, in <TimeStepping> from the first step that ends at or " \
           "after this time; before that it has no contacts, and a body keeps its initial state"}, \
  { \
    .name = "death", .type = NS_LANG_REAL, .initial = "never", .word = "never", .unit = "s", \
    .example = "2", \
    .help = "time until which it exists; from then on, in <TimeStepping> from the first step " \
            "that ends at or after this time, it has no contacts, and the state of a body is " \
            "constant" \
  }

#endif
