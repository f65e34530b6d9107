/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_event_driven.c -- rows of the language table: event-driven strategies and the integrators between events. */
#include "model/language_tables.h"

#define LIST(...) (const ns_lang_item[]) { __VA_ARGS__, { 0 } }
#define CHILDREN(...) (const ns_lang_child[]) { __VA_ARGS__, { 0 } }

#define CVODE_ATTRIBUTES \
  LIST({.name = "method", .type = NS_LANG_ENUM, .initial = "adams", .choices = "adams bdf", \
        .help = "adams: for motion that is not stiff; bdf: for stiff springs and dampers"}, \
       {.name = "linearSolver", .type = NS_LANG_ENUM, .initial = "auto", .choices = "auto dense klu", \
        .help = "of bdf: dense factors, sparse ones by KLU, or what suits the number of coordinates and of their couplings"}, \
       {.name = "relativeTolerance", .type = NS_LANG_REAL, .initial = "1e-10", .range = "(0, 1)", \
        .help = "of the local error of positions and velocities"}, \
       {.name = "absoluteTolerance", .type = NS_LANG_REAL, .initial = "1e-12", .range = "(0, inf)", \
        .help = "the same where they are near zero, in their units"}, \
       {.name = "maxStep", .type = NS_LANG_REAL, .initial = "none", .range = "(0, inf)", .word = "none", .unit = "s", \
        .help = "longest step; shorter than the shortest touch of a contact that is to be seen"})

const ns_lang_element ns_lang_event_driven[] = {
    {
        .name = "EventDriven",
        .group = NS_LANG_STRATEGY,
        .help = "smooth motion between events, whose times are found as roots",
        .text = "Between events the motion is integrated to tolerance, contacts that last being equalities. Events are roots: a gap "
                "closes, a contact force vanishes. There impacts are solved at velocity level, then accelerations say what stays in "
                "contact.\n\n"
                "Rows are recorded on the grid of h, and two for each event with its time, before and after (diagnostics.side is 1 and "
                "2 there). lambda is a force here; the impulse of an event stands in its second row.\n\n"
                "Impacts may accumulate, as those of a ball that comes to rest. Rebounds slower than restSpeed are none, so the ball "
                "rests from there on.\n\n"
                "For EqualityConditionNSL, and NewtonImpactNSL or MultipleImpactNSL in all contacts.",
        .example = "<EventDriven h=\"0.01\"><CVodeOSI relativeTolerance=\"1e-10\"/><LCP/></EventDriven>",
        .attributes = LIST({.name = "h", .type = NS_LANG_REAL, .required = 1, .range = "(0, inf)", .unit = "s",
                            .example = "0.01", .help = "distance of the rows of the output; has no say in the accuracy"},
                           {.name = "gapTolerance", .type = NS_LANG_REAL, .initial = "1e-10", .range = "(0, inf)", .unit = "m",
                            .help = "gaps up to it are closed where another contact has an event, and at t0"},
                           {.name = "velocityTolerance", .type = NS_LANG_REAL, .initial = "1e-8", .range = "(0, inf)",
                            .unit = "m/s", .help = "closed contacts up to it are at rest"},
                           {.name = "restSpeed", .type = NS_LANG_REAL, .initial = "1e-6", .range = "[0, inf)", .unit = "m/s",
                            .help = "rebounds slower than this are none"},
                           {.name = "accumulation", .type = NS_LANG_ENUM, .initial = "stick",
                            .choices = "stick stop",
                            .help = "where impacts accumulate: rest in contact, or end the run with a message"},
                           {.name = "maxEvents", .type = NS_LANG_INTEGER, .initial = "10000", .range = "[1, 2147483647]",
                            .help = "most events between two points of the grid; beyond it the run fails"},
                           {.name = "impulseStep", .type = NS_LANG_REAL, .initial = "0", .range = "[0, inf)", .unit = "N s",
                            .help = "increment of MultipleImpactNSL; 0: 1e-4 of what stops the fastest contact"},
                           {.name = "unloading", .type = NS_LANG_ENUM, .initial = "bi", .choices = "bi mono",
                            .help = "how MultipleImpactNSL loses energy: unloading is stiffer than loading, or ends early"}),
        .children = CHILDREN({NULL, NS_LANG_FLOW, 1, 1}, {NULL, NS_LANG_PROBLEM, 0, 1}),
    },
    {
        .name = "CVodeOSI",
        .group = NS_LANG_FLOW,
        .help = "CVODE of SUNDIALS between events: Adams or BDF, roots with directions",
        .text = "Steps and orders vary so that the local error of each unknown stays below relativeTolerance |x| + absoluteTolerance. "
                "After an event the integrator begins anew at order 1.\n\n"
                "Two contacts within one step of a gap that closes and opens again are seen by the minimum between them; what "
                "is shorter than that needs maxStep.",
        .example = "<CVodeOSI method=\"adams\" relativeTolerance=\"1e-10\" absoluteTolerance=\"1e-12\"/>",
        .attributes = CVODE_ATTRIBUTES,
    },
    {
        .name = "LsodarOSI",
        .group = NS_LANG_FLOW,
        .help = "another name for CVodeOSI, as models of Siconos have it",
        .example = "<LsodarOSI relativeTolerance=\"1e-10\"/>",
        .attributes = CVODE_ATTRIBUTES,
    },
    {
        .name = "NewMarkAlphaOSI",
        .group = NS_LANG_FLOW,
        .help = "generalised alpha method between events: fixed steps of order 2 that damp high frequencies",
        .text = "For stiff structures whose highest frequencies are those of the mesh, and no motion that is to be seen: steps need not "
                "resolve them, and what a step does not resolve is multiplied by -rhoInf in each. The method is implicit; Newton's "
                "iteration uses the exact Jacobian where the model has one.\n\n"
                "Steps have one length; after an event they begin anew from there. Rows and events within a step are on the cubic "
                "through both its ends, whose error is smaller than that of the step; the flight of a ball is exact. No tolerance "
                "watches the error of a step: halve it and compare.",
        .example = "<NewMarkAlphaOSI step=\"1e-3\" rhoInf=\"0.8\"/>",
        .attributes = LIST({.name = "step", .type = NS_LANG_REAL, .initial = "h", .range = "(0, inf)", .word = "h", .unit = "s",
                            .help = "length of the steps; h: distance of the rows"},
                           {.name = "rhoInf", .type = NS_LANG_REAL, .initial = "0.9", .range = "[0, 1]",
                            .help = "spectral radius at infinite frequency: 1 keeps all energy, 0 removes the highest frequencies at once"},
                           {.name = "variant", .type = NS_LANG_ENUM, .initial = "generalised", .choices = "generalised newmark",
                            .help = "parameters by rhoInf, or Newmark's method with beta and gamma"},
                           {.name = "beta", .type = NS_LANG_REAL, .initial = "0.25", .range = "[0, 1]",
                            .help = "of Newmark's method: part of the new acceleration in the new position, half of it being 1/4"},
                           {.name = "gamma", .type = NS_LANG_REAL, .initial = "0.5", .range = "(0, 1]",
                            .help = "of Newmark's method: part of the new acceleration in the new velocity; order 2 at 1/2 alone"},
                           {.name = "linearSolver", .type = NS_LANG_ENUM, .initial = "auto", .choices = "auto dense sparse",
                            .help = "of Newton's method: dense factors, sparse ones, or what suits the number of coordinates and of their "
                                    "couplings"},
                           {.name = "relativeTolerance", .type = NS_LANG_REAL, .initial = "1e-10", .range = "(0, 1)",
                            .help = "of Newton's method, on positions and velocities"},
                           {.name = "absoluteTolerance", .type = NS_LANG_REAL, .initial = "1e-12", .range = "(0, inf)",
                            .help = "the same where they are near zero, in their units"},
                           {.name = "maxIterations", .type = NS_LANG_INTEGER, .initial = "20", .range = "[1, 2147483647]",
                            .help = "of Newton's method in a step; beyond it the run fails"}),
    },
    {0},
};
