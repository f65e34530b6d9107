/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_forces.c -- rows of the language table: springs, dampers, tendons and forces by formulas
 * between rigid bodies. */
#include "model/language/language_motor.h"

#define FORCE_ENDS \
  {.name = "id", \
   .type = NS_LANG_ID, \
   .required = 1, \
   .example = "s1", \
   .help = "name, unique among systems and interactions"}, \
      {.name = "systems", \
       .type = NS_LANG_IDS, \
       .required = 1, \
       .example = "ball", \
       .help = "two bodies, or a body and the world, which is omitted or written as world"}, \
      {.name = "point1", \
       .type = NS_LANG_TEXT, \
       .initial = "0 0 0, the centre of mass", \
       .unit = "m", \
       .example = "0 0 0", \
       .help = "point on the first body, in its axes and relative to its centre of mass; in the " \
               "plane two numbers"}, \
  { \
    .name = "point2", .type = NS_LANG_TEXT, .initial = "0 0 0", .unit = "m", .example = "0 0 0", \
    .help = "point on the second body in the same way, or in the world" \
  }
#define PRELOAD \
  { \
    .name = "preload", .type = NS_LANG_REAL, .initial = "0", .unit = "N", .example = "0", \
    .help = "tension at the rest length" \
  }
#define LINEAR_SPRING \
  NOT_NEGATIVE("stiffness", "none", "N/m", \
               "tension per metre of elongation; give this or a formula <along>"), \
      NOT_NEGATIVE("damping", "0", "N s/m", "tension per m/s of the rate of the length"), \
      NOT_NEGATIVE("restLength", "the length at the initial configuration", "m", \
                   "length at which the spring has no force"), \
      PRELOAD
#define ALONG(text) \
  { \
    .name = "along", .type = NS_LANG_VECTOR, .initial = "none", .rows = "1", .unit = "N", \
    .uses = T | J | Z, .forms = NS_LANG_FORM_TEXT, .example = "-length", .help = text \
  }
#define ALONG_LINE \
  ALONG("force along the line, positive if it pushes the points apart: a formula of length, " \
        "rate, t and inputs of the bodies")
#define FORCE_TEXT \
  "\n\n" \
  "The force along the line is positive if it pushes the points apart, and negative for a " \
  "stretched spring; its power is force times rate. It acts on both bodies at their points, so " \
  "that momentum and angular momentum are conserved. Steps treat it implicitly, with exact " \
  "derivatives: bodies coupled by forces are solved together, and a step can be much longer than " \
  "the period of a stiff spring. Results contain length, rate, force and power of each; " \
  "<observe>, measures and events read them as s1.length, where s1 is its id. The energy of " \
  "linear springs is part of the potential energy, the energy of all other forces counts as " \
  "their work. Formulas can read variables of other systems as id.name, for example the current " \
  "coil.i_L1 in the constant of a damper; so can <torque> and <force> of joints."

const ns_lang_element ns_lang_forces[] = {
    {
        .name = "spring",
        .group = NS_LANG_FORCE,
        .help = "spring and damper between points of two rigid bodies, or of a body and the world",
        .text = "  f = k (l - l_0) + c l' + f_0: tension, from stiffness, restLength, damping, "
                "preload and the length l\n\n"
                "Its tension is stiffness (length - restLength) + damping rate + preload, or the "
                "formula <along> gives its force: <along>-k*(length - L)^3</along>. A spring with "
                "restLength=\"0\" and no preload is smooth when its points coincide; any other "
                "spring then has no direction, and the run ends with a message." FORCE_TEXT,
        .example = "<spring id=\"s1\" systems=\"wheel chassis\" point2=\"0.3 0 -0.2\" "
                   "stiffness=\"2e4\" damping=\"1e3\" restLength=\"0.4\"/>",
        .attributes = LIST(FORCE_ENDS, LINEAR_SPRING),
        .values = LIST(ALONG_LINE),
    },
    {
        .name = "damper",
        .group = NS_LANG_FORCE,
        .help = "damper between points of two rigid bodies, or of a body and the world",
        .text = "  f = c l': tension, from damping and the length l\n\n"
                "Its tension is damping times rate, or the formula <along> gives its force: "
                "<along>-c*rate*abs(rate)</along>." FORCE_TEXT,
        .example =
            "<damper id=\"d1\" systems=\"wheel chassis\" point2=\"0.3 0 -0.2\" damping=\"1e3\"/>",
        .attributes = LIST(
            FORCE_ENDS,
            NOT_NEGATIVE(
                "damping", "none", "N s/m",
                "tension per m/s of the rate of the length; give this or a formula <along>")),
        .values = LIST(ALONG_LINE),
    },
    {
        .name = "tendon",
        .group = NS_LANG_FORCE,
        .help =
            "cable through points of rigid bodies or over joints, which pulls but does not push",
        .text =
            "  f = max(k (l - l_0) + c l' + f_0, 0): tension, from stiffness, restLength, damping, "
            "preload and the length l\n\n"
            "Its tension is stiffness (length - restLength) + damping rate + preload, or 0 if this "
            "is negative; the damper acts only if the sum of the other terms is positive. Instead, "
            "the formula <along> can give the force, which acts only if it is negative. With "
            "pushes=\"true\" a tendon can also push, as a <spring> does.\n\n"
            "A tendon can run through up to 16 points without friction, one on each of systems in "
            "this order. Its length is the sum of the distances between consecutive points, each "
            "times its entry of strands. strands=\"1 2\" is a cable whose second segment is a "
            "tackle with two strands; an entry 0.5 is a branch after a pulley, which moves half as "
            "far, and 0 is the gap between the end of a branch and the next branch.\n\n"
            "A tendon can also run over joints. Its length is then the sum of the coordinates of "
            "the joints times coefficients, with angles in rad and slides in m, as in results; the "
            "coefficient of an angle is a lever arm. Such a tendon couples joints that have no "
            "body in common. Its torque on a joint is the coefficient times its force.\n\n"
            "Limits and friction of the length are those of <TendonStopR> and <TendonFrictionR>; "
            "<TendonLengthR> keeps it constant.\n\n"
            "<motor> drives the length as the motor of a joint drives its coordinate: its force "
            "counts as <along>, positive if it pushes the points apart, and adds to <along> or to "
            "stiffness, damping and preload. If pushes=\"false\" the tendon is slack unless this "
            "sum is a tension, so that the motor is a winch: with command=\"position\" it keeps "
            "the length by pulling alone." FORCE_TEXT,
        .example = "<tendon id=\"s1\" systems=\"arm world hand\" points=\"0 0 0.1  0 0 1  0 0.1 "
                   "0\" stiffness=\"1e4\"/>",
        .attributes = LIST(
            {.name = "id",
             .type = NS_LANG_ID,
             .required = 1,
             .example = "s1",
             .help = "name, unique among systems and interactions"},
            {.name = "systems",
             .type = NS_LANG_IDS,
             .initial = "those of joints=",
             .example = "ball world",
             .help = "body of each point; world: a point fixed in the world; with a single body "
                     "the other point is fixed in the world"},
            {.name = "points",
             .type = NS_LANG_TEXT,
             .initial = "0 0 0 of each",
             .unit = "m",
             .example = "0 0 0 0 0 0",
             .help = "points in the axes of their bodies, relative to the centres "
                     "of mass: three numbers each, in the plane two; one point after the other, "
                     "or each in a row: points=\"0 0 0; 0 0 1\""},
            {.name = "strands",
             .type = NS_LANG_TEXT,
             .initial = "1 of each",
             .example = "1",
             .help = "factors of the segments between consecutive points in the length: one fewer "
                     "than points, none negative"},
            {.name = "joints",
             .type = NS_LANG_IDS,
             .initial = "none",
             .example = "hinge1 hinge2",
             .help = "instead of systems: ids of 1 to 16 interactions with joints, but not ball "
                     "joints, over which the tendon runs"},
            {.name = "coefficients",
             .type = NS_LANG_TEXT,
             .initial = "required with joints=",
             .example = "0.02 -0.015",
             .help = "length per unit of the coordinate of each joint: m/rad of an "
                     "angle, 1 of a slide"},
            {.name = "coordinates",
             .type = NS_LANG_TEXT,
             .initial = "auto of each",
             .example = "angle slide",
             .help = "coordinate of each joint: angle, slide, or auto, as for "
                     "CouplerJointR"},
            {.name = "pushes",
             .type = NS_LANG_ENUM,
             .initial = "false",
             .choices = "false true",
             .help = "true: it is never slack and can also push"},
            NOT_NEGATIVE("stiffness", "none", "N/m",
                         "tension per metre of elongation; give this or a formula "
                         "<along>"),
            NOT_NEGATIVE("damping", "0", "N s/m", "tension per m/s of the rate of the length"),
            {.name = "restLength",
             .type = NS_LANG_REAL,
             .initial = "the length at the initial configuration",
             .range = "(-inf, inf)",
             .unit = "m",
             .example = "1",
             .help = "length at which it has no force; over joints it can be negative"},
            PRELOAD),
        .values = LIST(ALONG_LINE, MOTOR(SLIDES, "of the length", )),
    },
    {
        .name = "force",
        .group = NS_LANG_FORCE,
        .help = "force between points of two rigid bodies, or of a body and the world, by formulas",
        .text =
            "Formulas can use t, inputs of the bodies, length and rate of the line between the "
            "points, and the position x y z of the first point relative to the second, in the axes "
            "of the second body or of the world, with its rates v_x v_y v_z. In the plane these "
            "are x y, v_x v_y, and angle, v_angle of the first body relative to the other. <along> "
            "acts along the line, <vector> on the first body at its point, with the reaction on "
            "the other body at the same place, <torque> on both bodies in the plane. Give at least "
            "one of them. Gravity between two bodies is "
            "<along>-G*m1*m2/length^2</along>." FORCE_TEXT,
        .example =
            "<force id=\"bushing\" systems=\"arm frame\" point1=\"0.1 0 0\" point2=\"0 0 0.5\">\n"
            "  <vector>-kx*x - c*v_x  -kx*y - c*v_y  -kz*z - c*v_z</vector>\n"
            "</force>",
        .attributes = LIST(FORCE_ENDS),
        .values = LIST(ALONG("force along the line, positive if it pushes the points apart: a "
                             "formula of the coordinates above"),
                       {.name = "vector",
                        .type = NS_LANG_VECTOR,
                        .initial = "none",
                        .rows = "3",
                        .unit = "N",
                        .uses = T | J | Z,
                        .forms = NS_LANG_FORM_TEXT,
                        .example = "-x -y -z",
                        .help = "force on the first body, in the axes of the second body or of the "
                                "world; in the plane two formulas"},
                       {.name = "torque",
                        .type = NS_LANG_VECTOR,
                        .initial = "none",
                        .rows = "1",
                        .unit = "N m",
                        .uses = T | J | Z,
                        .forms = NS_LANG_FORM_TEXT,
                        .example = "-angle",
                        .help = "torque on the first body, in the plane"}),
    },
    {0},
};
