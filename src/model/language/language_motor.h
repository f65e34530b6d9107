/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_motor.h -- rows of the language table that joints and forces between bodies share: a
 * motor, and numbers of springs. */
#ifndef NS_MODEL_LANGUAGE_LANGUAGE_MOTOR_H
#define NS_MODEL_LANGUAGE_LANGUAGE_MOTOR_H

#include "model/language/language_tables.h"

#define NOT_NEGATIVE(what, initially, unit_text, text) \
  { \
    .name = what, .type = NS_LANG_REAL, .initial = initially, .range = "[0, inf)", \
    .unit = unit_text, .example = "1", .help = text \
  }
#define MOTOR_NUMBER(what, initially, bounds, unit_text, text) \
  { \
    .name = what, .type = NS_LANG_REAL, .initial = initially, .range = bounds, .unit = unit_text, \
    .example = "1", .help = text \
  }
/* Units of what it drives: of its force, per unit of the coordinate, per unit of the rate, and of
 * the rate. */
#define TURNS "N m", "N m/rad", "N m s/rad", "rad/s"
#define SLIDES "N", "N/m", "N s/m", "m/s"
#define EITHER NULL, NULL, NULL, NULL
#define MOTOR(units, whose, ...) MOTOR_IN(units, whose, __VA_ARGS__)
#define MOTOR_IN(force, per_unit, per_rate, rate, whose, ...) \
  { \
    .name = "motor", .type = NS_LANG_VECTOR, .initial = "none", .rows = "1", .uses = T | J | Z, \
    .forms = NS_LANG_FORM_TEXT, .example = "1", \
    .help = "motor " whose ", with optional bounds; its text is the formula of the command", \
    .attributes = LIST( \
        {.name = "command", \
         .type = NS_LANG_ENUM, \
         .initial = "torque", \
         .choices = "position velocity torque", \
         .help = "meaning of the formula u. torque: the torque at the shaft; position: the " \
                 "torque is kp (u - gear d) - kv gear d'; velocity: the torque is kv (u - gear " \
                 "d')"}, \
        MOTOR_NUMBER("kp", "none", "[0, inf)", per_unit, \
                     "position gain: torque per unit of error"), \
        MOTOR_NUMBER("kv", "0", "[0, inf)", per_rate, \
                     "velocity gain, also for position: torque per unit of the rate"), \
        MOTOR_NUMBER("limit", "none", "(0, inf)", force, "largest magnitude of the torque"), \
        MOTOR_NUMBER("stall", "none", "(0, inf)", force, \
                     "largest torque at rest; at the speed w the torque is between -stall (1 + " \
                     "w/noLoad) and stall (1 - w/noLoad)"), \
        MOTOR_NUMBER("noLoad", "none", "(0, inf)", rate, \
                     "speed at which the torque is zero; above it the motor brakes"), \
        MOTOR_NUMBER( \
            "gear", "1", "(-inf, inf)", NULL, \
            "gear ratio: motion of the shaft per unit motion of the driven coordinate, on which " \
            "the motor acts with gear times its torque") __VA_ARGS__) \
  }

#endif
