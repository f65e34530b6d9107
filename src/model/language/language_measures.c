/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_measures.c -- rows of the language table: what a run is asked for. */
#include "model/language/language_tables.h"

#define FORMULA_USES \
  (1u << NS_BANK_T | 1u << NS_BANK_Q | 1u << NS_BANK_V | 1u << NS_BANK_Z | 1u << NS_BANK_LAMBDA)

/* When an event happens. */
#define MOMENTS \
  {.name = "help", .type = NS_LANG_TEXT, .initial = "none", .help = "description, for results"}, \
      {.name = "when", \
       .type = NS_LANG_REAL, \
       .initial = "none", \
       .example = "t > 1", \
       .uses = FORMULA_USES, \
       .help = "condition: a comparison, or a formula that is true if positive"}, \
      {.name = "direction", \
       .type = NS_LANG_ENUM, \
       .initial = "up", \
       .choices = "up down both", \
       .help = "change of the condition that counts: it becomes true, it becomes false, or both"}, \
      {.name = "at", \
       .type = NS_LANG_REAL, \
       .initial = "none", \
       .unit = "s", \
       .example = "1 2", \
       .help = "ascending times, separated by white space"}, \
      {.name = "every", \
       .type = NS_LANG_REAL, \
       .initial = "none", \
       .range = "(0, inf)", \
       .unit = "s", \
       .example = "2*pi", \
       .help = "interval; the first time is from, or t0 plus the interval"}, \
      {.name = "from", \
       .type = NS_LANG_REAL, \
       .initial = "t0", \
       .unit = "s", \
       .example = "1", \
       .help = "earliest time"}, \
      {.name = "until", \
       .type = NS_LANG_REAL, \
       .initial = "the end of the run", \
       .unit = "s", \
       .example = "2", \
       .help = "latest time"}, \
      {.name = "systems", \
       .type = NS_LANG_IDS, \
       .initial = "those of the interaction, or all", \
       .help = "ids of the systems whose states its formulas read"}, \
  { \
    .name = "interaction", .type = NS_LANG_ID, .initial = "none", \
    .help = "id of the interaction whose lambda its formulas read" \
  }

const ns_lang_element ns_lang_measures[] = {
    {
        .name = "measures",
        .group = NS_LANG_OUTPUT,
        .help = "numbers computed from a run",
        .text = "They are computed during the run, at each step and in constant memory, whether or "
                "not results are written. The summary shows them, results contain them in "
                "/measures, and a sweep collects them.",
        .example =
            "<measures>\n"
            "  <measure id=\"top\" kind=\"max\" unit=\"m\" from=\"1\">ball.x</measure>\n"
            "  <measure id=\"hits\" kind=\"count\" event=\"impact\" interaction=\"ground\"/>\n"
            "</measures>",
        .children = CHILDREN({"measure", 0, 0, NS_LANG_MANY}),
    },
    {
        .name = "measure",
        .group = NS_LANG_OUTPUT,
        .help = "a number computed from a run",
        .text = "Kinds that evaluate a formula, the text of the element: final (value at the end), "
                "min, max, mean and rms (over time), integral, settling (the last time at which "
                "the distance of the value from target exceeds band), and sample (its values at "
                "the last keep instants).\n\n"
                "Kinds that use instants: count, sum (of the values of a formula), first, last, "
                "period, and sample. event= selects the instants of events, when= those at which a "
                "condition becomes true; with when=, first and last are the first and last time at "
                "which it is true. sample can have every= instead: one value per interval, from "
                "the beginning of the window.\n\n"
                "With event= the formula of sum and sample has the state after the event, and can "
                "use the numbers of the event in /events: event.impulse, event.energy_lost, "
                "event.velocity_before and event.velocity_after.\n\n"
                "Kinds that are a fraction of time, from 0 to 1: fraction, during which a "
                "condition is true, and sliding, during which the contact of an interaction slides "
                "(its impulse is on the cone and the slip velocity exceeds 1e-9 m/s).\n\n"
                "A condition is a comparison, or a formula that counts as true if it is positive. "
                "Formulas and conditions can use t, the states of the systems by their names (x, "
                "ball.x), lambda[k] of the interaction given, and observables: R1.v, and <observe> "
                "elements by their ids. A condition changes when the difference of the compared "
                "values is zero.\n\n"
                "In time-stepping states are linear in time between two steps. Quantities that are "
                "constant in a step (commands of controls, multipliers, impulses) have the value "
                "recorded at its end, so that the integral of such a force times a velocity is the "
                "work in the step. A condition that is true only within a step is not detected. "
                "Events have the time of the end of their step.\n\n"
                "In event-driven runs integrals, extremes, samples and the instants at which "
                "conditions change are those of the motion between events, to the relative "
                "tolerance of the run. They do not depend on the time grid of the output, and a "
                "condition can change many times within a step of the integrator. Only a peak of a "
                "function that is flat elsewhere can be missed, if it is narrower than a third of "
                "h. (During an accumulation of impacts that is computed by time-stepping, the "
                "motion is linear between rows.)\n\n"
                "A measure without a value (no such event, a condition that was never true, a "
                "window that was not reached) is NaN, with the reason.",
        .example =
            "<measure id=\"period\" kind=\"period\" when=\"x\" from=\"10\"/>\n"
            "<measure id=\"section\" kind=\"sample\" event=\"impact\" interaction=\"table\" "
            "from=\"100\" keep=\"128\">v_x</measure>\n"
            "<measure id=\"settled\" kind=\"settling\" target=\"1\" band=\"0.02\">y</measure>",
        .attributes = LIST(
            {.name = "id",
             .type = NS_LANG_ID,
             .required = 1,
             .example = "top",
             .help = "name, different from those of systems and interactions"},
            {.name = "kind",
             .type = NS_LANG_ENUM,
             .required = 1,
             .example = "max",
             .choices =
                 "final min max mean rms integral count sum first last settling period fraction "
                 "sliding sample",
             .help = "kind of the measure"},
            {.name = "unit",
             .type = NS_LANG_TEXT,
             .initial = "that of the formula; s for times, 1 for counts and fractions",
             .help = "unit of the number, for results; by default derived for quantities with a "
                     "unit and for their sums, products and powers, but not if a number is a "
                     "factor"},
            {.name = "help",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .help = "description, for results"},
            {.name = "systems",
             .type = NS_LANG_IDS,
             .initial = "those of the interaction, or all",
             .help = "ids of the systems whose states its formulas read"},
            {.name = "interaction",
             .type = NS_LANG_ID,
             .initial = "none",
             .help =
                 "id of the interaction whose events it counts and whose lambda its formulas read"},
            {.name = "from",
             .type = NS_LANG_REAL,
             .initial = "t0",
             .unit = "s",
             .example = "1",
             .help = "beginning of its window"},
            {.name = "until",
             .type = NS_LANG_REAL,
             .initial = "the end of the run",
             .unit = "s",
             .example = "2",
             .help = "end of its window"},
            {.name = "when",
             .type = NS_LANG_REAL,
             .initial = "none",
             .example = "t > 1",
             .uses = FORMULA_USES,
             .help = "condition: a comparison, or a formula that is true if positive"},
            {.name = "event",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .example = "impact",
             .help = "events that it uses, by their kind: impact contact release stick slip switch "
                     "accumulation user branch jam formula birth death velocity, or any; or the id "
                     "of an <event>"},
            {.name = "every",
             .type = NS_LANG_REAL,
             .initial = "none",
             .range = "(0, inf)",
             .unit = "s",
             .example = "2*pi",
             .help = "time from sample to sample"},
            {.name = "target",
             .type = NS_LANG_REAL,
             .initial = "0",
             .help = "for settling: final value"},
            {.name = "band",
             .type = NS_LANG_REAL,
             .initial = "none; required for settling",
             .range = "[0, inf)",
             .example = "0.02",
             .help = "for settling: distance from target within which the value counts as settled"},
            {.name = "take",
             .type = NS_LANG_ENUM,
             .initial = "mean",
             .choices = "mean last",
             .help = "for period: mean of all periods, or the last one"},
            {.name = "keep",
             .type = NS_LANG_INTEGER,
             .initial = "64",
             .range = "[1, 1000000]",
             .help = "for sample: number of values to keep"}),
        .content = &(const ns_lang_item){.name = "formula",
                                         .type = NS_LANG_REAL,
                                         .initial = "none; required for kinds that evaluate a "
                                                    "formula",
                                         .example = "x^2",
                                         .uses = FORMULA_USES,
                                         .help = "one formula"},
    },
    {
        .name = "events",
        .group = NS_LANG_OUTPUT,
        .help = "user events at conditions and times",
        .example =
            "<events>\n"
            "  <event id=\"kick\" at=\"1 2 3\"><set name=\"v_x\" value=\"v_x + 0.5\"/></event>\n"
            "  <stop when=\"y &lt; 0\"/>\n"
            "</events>",
        .children = CHILDREN({"event", 0, 0, NS_LANG_MANY}, {"stop", 0, 0, NS_LANG_MANY}),
    },
    {
        .name = "event",
        .group = NS_LANG_OUTPUT,
        .help = "sets entries of the state at a condition or at times",
        .text =
            "An event occurs when its condition becomes true (direction=\"up\"), becomes false "
            "(down) or both, or at the times of at= or every=. A condition is a comparison, or a "
            "formula that counts as true if it is positive. A condition that is true at the start "
            "does not trigger the event (with up there is a warning). Formulas can use the same "
            "variables as those of <measure>.\n\n"
            "Event-driven runs find all changes of a condition: by the motion, or by a jump, as of "
            "a velocity at an impact, of an entry that another event sets, or of the output of a "
            "control. Only a peak of a function that is flat elsewhere can be missed, if it is "
            "narrower than a third of h. At a jump, a condition whose two sides differ by at most "
            "gapTolerance before and after it has not changed. Events of one instant, such as "
            "those of two switches that change over, act in the order of the model before the "
            "motion continues, so that a current that one of them interrupts can flow through "
            "the other.\n\n"
            "Each occurrence is written to /events with kind user and its id, and its <set> "
            "elements are applied, all to the state before it. A measure refers to it by "
            "event=\"ID\".\n\n"
            "In time-stepping an event occurs in the step at whose end its condition has changed. "
            "Its time is interpolated linearly in the step, but its <set> elements are applied at "
            "the end of the step. Events of one step act in the order of their times. If an event "
            "makes another condition true at the end of a step, this is detected after the next "
            "step. Changes of the energy by <set> count as work of forces.",
        .example = "<event id=\"on\" when=\"x > 1.1\"><set name=\"u\" value=\"0\"/></event>\n"
                   "<event id=\"off\" when=\"0.9 > x\"><set name=\"u\" value=\"1\"/></event>",
        .attributes = LIST({.name = "id",
                            .type = NS_LANG_ID,
                            .required = 1,
                            .example = "kick",
                            .help = "name, different from those of systems and interactions"},
                           MOMENTS,
                           {.name = "record",
                            .type = NS_LANG_ENUM,
                            .initial = "event",
                            .choices = "event row",
                            .help = "event: write it to /events; row: also record the state after "
                                    "it if the step is not recorded"}),
        .children = CHILDREN({"set", 0, 0, NS_LANG_MANY}),
    },
    {
        .name = "set",
        .group = NS_LANG_OUTPUT,
        .help = "sets an entry of the state",
        .text = "Entries of the state are named as in formulas: x, ball.x, q[0]; v_x, v[0] in "
                "mechanics; z[0] or a name in inputs= for a variable parameter. Parameters "
                "themselves are constant during a run. With SchatzmanPaoliOSI, which stores two "
                "positions, only entries of z can be set. If entries p0 to p3 of a body are set, "
                "the quaternion is normalised.",
        .example = "<set name=\"ball.v_x\" value=\"-0.5*ball.v_x\"/>",
        .attributes = LIST({.name = "name",
                            .type = NS_LANG_TEXT,
                            .required = 1,
                            .example = "v_x",
                            .help = "entry of the state"},
                           {.name = "value",
                            .type = NS_LANG_REAL,
                            .required = 1,
                            .example = "0",
                            .uses = FORMULA_USES,
                            .help = "formula of the state before the event"}),
    },
    {
        .name = "stop",
        .group = NS_LANG_OUTPUT,
        .help = "ends the run at a condition or a time",
        .text = "The run ends with the step in which the condition becomes true, or before the "
                "first step if it is true at the start. The run is complete, and the summary "
                "states what stopped it.",
        .example = "<stop when=\"y &lt; 0\"/>",
        .attributes = LIST({.name = "id",
                            .type = NS_LANG_ID,
                            .initial = "stop",
                            .example = "fallen",
                            .help = "name, different from those of systems and interactions"},
                           MOMENTS),
    },
    {0},
};
