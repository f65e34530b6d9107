/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_event_driven.c -- rows of the language table: event-driven strategies and the
 * integrators between events. */
#include "model/language/language_tables.h"

#define LIST(...) (const ns_lang_item[]) { __VA_ARGS__, { 0 } }
#define CHILDREN(...) (const ns_lang_child[]) { __VA_ARGS__, { 0 } }

#define FLOW_ATTRIBUTES \
  {.name = "method", .type = NS_LANG_ENUM, .initial = "adams", .choices = "adams bdf", \
        .help = "adams: for motion that is not stiff; bdf: for stiff springs and dampers"}, \
       {.name = "linearSolver", .type = NS_LANG_ENUM, .initial = "auto", \
         .choices = "auto dense klu", \
        .help = "of bdf: dense factors, sparse ones by KLU, or what suits the number of " \
          "coordinates and of their couplings"}, \
       {.name = "relativeTolerance", .type = NS_LANG_REAL, .initial = "1e-10", .range = "(0, 1)", \
        .help = "of the local error of positions and velocities"}, \
       {.name = "absoluteTolerance", .type = NS_LANG_REAL, .initial = "1e-12", \
         .range = "(0, inf)", \
        .help = "the same where they are near zero, in their units"}, \
       {.name = "maxStep", .type = NS_LANG_REAL, .initial = "none", .range = "(0, inf)", \
         .word = "none", .unit = "s", \
        .help = "longest step; shorter than the shortest touch of a contact that is to be seen"}

#define CVODE_ATTRIBUTES LIST(FLOW_ATTRIBUTES)
#define IDA_ATTRIBUTES \
  LIST(FLOW_ATTRIBUTES, \
       {.name = "formulation", .type = NS_LANG_ENUM, .initial = "ggl", .choices = "ggl index1", \
        .help = "ggl: constraints of positions and of velocities hold (stabilised index 2); " \
          "index1: those of accelerations"}, \
       {.name = "stabilisation", .type = NS_LANG_REAL, .initial = "0", .range = "[0, inf)", \
         .unit = "1/s", \
        .help = "with index1: a of yddot + 2 a ydot + a^2 y = 0, which draws drifting " \
          "constraints back"})

const ns_lang_element ns_lang_event_driven[] = {
    {
        .name = "EventDriven",
        .group = NS_LANG_STRATEGY,
        .help = "smooth motion between events, whose times are found as roots",
        .text =
            "Between events the motion is integrated to tolerance, contacts that last being "
            "equalities. Events are roots: a gap closes, a contact force vanishes. There impacts "
            "are solved at velocity level, then accelerations say what stays in contact.\n\n"
            "Rows are recorded on the grid of h, and two for each event with its time, before and "
            "after (diagnostics.side is 1 and 2 there). lambda is a force here; the impulse of an "
            "event stands in its second row.\n\n"
            "Tolerances left at their defaults are for motions of 1 cm to 1 km and 5 cm/s to 1 "
            "km/s, by the gaps at t0 and the length of the run; of smaller and larger ones they "
            "are the same part, so that units of length and time have no say.\n\n"
            "Impacts may accumulate, as those of a ball that comes to rest. Rebounds slower than "
            "restSpeed are none, so the ball rests from there on. With "
            "accumulation=\"time-stepping\" steps of MoreauJeanOSI take over once flights get "
            "shorter than 8 hybridStep, until each contact rests or flies for longer: the time of "
            "rest is then exact to hybridStep, and what the impacts took in between is in the line "
            "of the accumulation in the table of events.\n\n"
            "Where an impact meets several closed contacts, impacts=\"simultaneous\" takes them by "
            "one problem, which shares the impulse among all: of balls in a line that touch, all "
            "move on together. "
            "impacts=\"sequential\" takes one at a time, that which approaches fastest, of equals "
            "the first in the model, until none approaches: as if there were small gaps, the last "
            "ball alone leaves. MultipleImpactNSL has its own rule.\n\n"
            "Contacts with friction stick or slip between events, a relay holds or is at a bound; "
            "where they change is an event, too, and the velocity along the plane up to "
            "velocityTolerance counts as rest; what begins to slide in space keeps its direction "
            "up to 100 times that. Where friction would need a force that there is not (Painleve), "
            "sliding jams: an impact without collision, of kind jam, with a warning.\n\n"
            "For EqualityConditionNSL, RelayNSL with finite forces, NewtonImpactNSL, "
            "NewtonImpactFrictionNSL and CohesiveFrictionNSL, or MultipleImpactNSL in all "
            "contacts; for compliant rows. Of shapes: <contacts>.\n\n"
            "First-order systems switch. Each row of RelayNSL, ComplementarityConditionNSL and the "
            "other laws with bounds is at its lower bound (y > 0), at its upper bound (y < 0), or "
            "between: y is held at 0, a relay slides, a diode conducts. At an event the modes of "
            "the rows that take part are tried, then those of all rows by a short implicit step; "
            "one whose own motion obeys the laws for a while goes on. Where several do, the one "
            "that changes the fewest rows is taken, of those the one that holds the fewest; a "
            "warning and the event branch tell. Where none does the run ends. A state outside of "
            "its laws, at t0 or where an input jumps, is put onto them by impulses of lambda "
            "first, and a warning tells. Rows with |y| up to gapTolerance take part in events of "
            "others, so that series of ever shorter switches end there (accumulation). lambda and "
            "y have the units of the model.\n\n"
            "Formulas may jump and have corners: if, ?:, comparisons, &&, ||, !, step, sign, "
            "floor, ceil, mod, abs, min, max. Between events each is taken as it is on one side. "
            "Where that depends on t alone, as of if(t > 1, F, 0) or of a modulated width mod(t*f, "
            "1) < D, its times are known ahead and hit exactly, however short the pulse. Where it "
            "depends on the state its zero is found as a root; there the motion crosses or, where "
            "both sides push against each other, slides along it: what jumps takes the value in "
            "between that keeps it there (Filippov), so that -mu*N*sign(v) sticks. Sliding wants "
            "formulas in which what jumps enters as a term or factor of its own; where there is no "
            "such motion, or more than one, the run ends with a sentence that names the formula. "
            "Both rows of such an event are recorded, of kind formula in the events; nssim check "
            "tells all places and times. What a plug-in does is not known ahead: its jumps are "
            "stepped over where they are short; maxStep helps. In <TimeStepping> formulas are "
            "sampled at points of the grid: a pulse shorter than h may be missed or taken for a "
            "whole step.",
        .example =
            "<EventDriven h=\"0.01\"><CVodeOSI relativeTolerance=\"1e-10\"/><LCP/></EventDriven>",
        .attributes = LIST(
            {.name = "h",
             .type = NS_LANG_REAL,
             .required = 1,
             .range = "(0, inf)",
             .unit = "s",
             .example = "0.01",
             .help = "distance of the rows of the output; has no say in the accuracy"},
            {.name = "gapTolerance",
             .type = NS_LANG_REAL,
             .initial = "1e-10",
             .range = "(0, inf)",
             .unit = "m",
             .help = "gaps up to it are closed where another contact has an event, at t0 and at T"},
            {.name = "velocityTolerance",
             .type = NS_LANG_REAL,
             .initial = "1e-8",
             .range = "(0, inf)",
             .unit = "m/s",
             .help = "closed contacts up to it are at rest, and so is what slides"},
            {.name = "restSpeed",
             .type = NS_LANG_REAL,
             .initial = "1e-6",
             .range = "[0, inf)",
             .unit = "m/s",
             .help = "rebounds slower than this are none, by default in proportion where a series "
                     "of impacts begins below 4 m/s; unless it is 0, after 300 impacts without "
                     "rest neither are those lower than tolerances resolve"},
            {.name = "accumulation",
             .type = NS_LANG_ENUM,
             .initial = "stick",
             .choices = "stick time-stepping stop",
             .help = "where impacts accumulate: rest in contact, leave them to MoreauJeanOSI, or "
                     "end the run with a message"},
            {.name = "hybridStep",
             .type = NS_LANG_REAL,
             .initial = "auto",
             .range = "(0, inf)",
             .word = "auto",
             .unit = "s",
             .help = "longest step of that scheme; flights shorter than 8 of it accumulate; auto: "
                     "h/10"},
            {.name = "impacts",
             .type = NS_LANG_ENUM,
             .initial = "simultaneous",
             .choices = "simultaneous sequential",
             .help = "of several contacts at one instant: by one problem, or one by one, the "
                     "fastest first"},
            {.name = "maxEvents",
             .type = NS_LANG_INTEGER,
             .initial = "10000",
             .range = "[1, 2147483647]",
             .help = "most events between two points of the grid; beyond it the run fails"},
            {.name = "impulseStep",
             .type = NS_LANG_REAL,
             .initial = "0",
             .range = "[0, inf)",
             .unit = "N s",
             .help = "largest increment of MultipleImpactNSL, at least 1e-3 of what stops the "
                     "fastest contact; 0: by the error alone. Of fixed ones: at most 1e-2 of that "
                     "impulse; 0: 1e-4"},
            {.name = "increments",
             .type = NS_LANG_ENUM,
             .initial = "adaptive",
             .choices = "adaptive fixed",
             .help =
                 "of MultipleImpactNSL: steps with a bounded error (1e-10), or all of one size, "
                 "the published scheme of first order, which makes energy where they are large"},
            {.name = "unloading",
             .type = NS_LANG_ENUM,
             .initial = "bi",
             .choices = "bi mono",
             .help = "how MultipleImpactNSL loses energy: unloading is stiffer than loading, or "
                     "ends early"},
            {.name = "certificate",
             .type = NS_LANG_ENUM,
             .initial = "on",
             .choices = "on off laws",
             .help = "check motion, laws and events by a rule of its own, which fails a run that "
                     "it finds wrong; nothing; or laws and events alone"}),
        .children = CHILDREN({NULL, NS_LANG_FLOW, 1, 1}, {NULL, NS_LANG_PROBLEM, 0, 1}),
    },
    {
        .name = "CVodeOSI",
        .group = NS_LANG_FLOW,
        .help = "CVODE of SUNDIALS between events: Adams or BDF, roots with directions",
        .text = "Steps and orders vary so that the local error of each unknown stays below "
                "relativeTolerance |x| + absoluteTolerance. After an event the integrator begins "
                "anew at order 1.\n\n"
                "Two contacts within one step of a gap that closes and opens again are seen by the "
                "minimum between them; what is shorter than that needs maxStep.",
        .example =
            "<CVodeOSI method=\"adams\" relativeTolerance=\"1e-10\" absoluteTolerance=\"1e-12\"/>",
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
        .name = "IDAOSI",
        .group = NS_LANG_FLOW,
        .help = "IDA of SUNDIALS between events: joints and closed contacts as equations, which "
                "long motions keep, too",
        .text =
            "Where constraints hold - equalities, contacts that last - they are equations of the "
            "integrator, and positions and velocities obey them however long the run. Where none "
            "holds, and method has its say there alone, the motion is that of CVodeOSI; events "
            "change from one to the other.\n\n"
            "For mechanisms with joints or loops, long runs, and constraints that CVodeOSI would "
            "have to put back every so often: it has constraints of accelerations, from which "
            "positions drift by its tolerance. A step costs more, and its order is 5 at most: "
            "where there are few constraints and tolerances are tight, CVodeOSI is "
            "faster. Constraints that follow from others are left out while they do; in a position "
            "where a mechanism branches the motion is that of CVodeOSI up to the next event or "
            "correction.\n\nThe same holds for rigid bodies: the quaternions of those in space are "
            "unknowns, of norm 1 in each row, and joints are constraints. JointStopR, "
            "JointFrictionR, CouplerJointR, springs and motors of joints, NewtonEulerR, "
            "NewtonEuler1DR and NewtonEuler3DR are those of <TimeStepping>; shapes do not meet.\n\n"
            "Systems of first order have no such constraints: for them it is CVodeOSI.",
        .example =
            "<IDAOSI relativeTolerance=\"1e-8\" absoluteTolerance=\"1e-10\" formulation=\"ggl\"/>",
        .attributes = IDA_ATTRIBUTES,
    },
    {
        .name = "Hem5OSI",
        .group = NS_LANG_FLOW,
        .help = "another name for IDAOSI, as models of Siconos have it",
        .example = "<Hem5OSI relativeTolerance=\"1e-8\"/>",
        .attributes = IDA_ATTRIBUTES,
    },
    {
        .name = "NewMarkAlphaOSI",
        .group = NS_LANG_FLOW,
        .help = "generalised alpha method between events: fixed steps of order 2 that damp high "
                "frequencies",
        .text = "For stiff structures whose highest frequencies are those of the mesh, and no "
                "motion that is to be seen: steps need not resolve them, and what a step does not "
                "resolve is multiplied by -rhoInf in each. The method is implicit; Newton's "
                "iteration uses the exact Jacobian where the model has one.\n\n"
                "Steps have one length; after an event they begin anew from there. Rows and events "
                "within a step are on the cubic through both its ends, whose error is smaller than "
                "that of the step; the flight of a ball is exact. No tolerance watches the error "
                "of a step: halve it and compare.",
        .example = "<NewMarkAlphaOSI step=\"1e-3\" rhoInf=\"0.8\"/>",
        .attributes = LIST(
            {.name = "step",
             .type = NS_LANG_REAL,
             .initial = "h",
             .range = "(0, inf)",
             .word = "h",
             .unit = "s",
             .help = "length of the steps; h: distance of the rows"},
            {.name = "rhoInf",
             .type = NS_LANG_REAL,
             .initial = "0.9",
             .range = "[0, 1]",
             .help = "spectral radius at infinite frequency: 1 keeps all energy, 0 removes the "
                     "highest frequencies at once"},
            {.name = "variant",
             .type = NS_LANG_ENUM,
             .initial = "generalised",
             .choices = "generalised newmark",
             .help = "parameters by rhoInf, or Newmark's method with beta and gamma"},
            {.name = "beta",
             .type = NS_LANG_REAL,
             .initial = "0.25",
             .range = "[0, 1]",
             .help = "of Newmark's method: part of the new acceleration in the new position, half "
                     "of it being 1/4"},
            {.name = "gamma",
             .type = NS_LANG_REAL,
             .initial = "0.5",
             .range = "(0, 1]",
             .help = "of Newmark's method: part of the new acceleration in the new velocity; order "
                     "2 at 1/2 alone"},
            {.name = "linearSolver",
             .type = NS_LANG_ENUM,
             .initial = "auto",
             .choices = "auto dense sparse",
             .help = "of Newton's method: dense factors, sparse ones, or what suits the number of "
                     "coordinates and of their couplings"},
            {.name = "relativeTolerance",
             .type = NS_LANG_REAL,
             .initial = "1e-10",
             .range = "(0, 1)",
             .help = "of Newton's method, on positions and velocities"},
            {.name = "absoluteTolerance",
             .type = NS_LANG_REAL,
             .initial = "1e-12",
             .range = "(0, inf)",
             .help = "the same where they are near zero, in their units"},
            {.name = "maxIterations",
             .type = NS_LANG_INTEGER,
             .initial = "20",
             .range = "[1, 2147483647]",
             .help = "of Newton's method in a step; beyond it the run fails"}),
    },
    {0},
};
