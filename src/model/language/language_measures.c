/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_measures.c -- rows of the language table: what a run is asked for. */
#include "model/language/language_tables.h"

#define LIST(...) (const ns_lang_item[]) { __VA_ARGS__, { 0 } }
#define CHILDREN(...) (const ns_lang_child[]) { __VA_ARGS__, { 0 } }

#define FORMULA_USES \
  (1u << NS_BANK_T | 1u << NS_BANK_Q | 1u << NS_BANK_V | 1u << NS_BANK_Z | 1u << NS_BANK_LAMBDA)

/* When an event happens. */
#define MOMENTS \
  {.name = "help", .type = NS_LANG_TEXT, .initial = "none", .help = "what it means, for results"}, \
  {.name = "when", .type = NS_LANG_REAL, .initial = "none", .example = "t > 1", \
    .uses = FORMULA_USES, \
   .help = "condition: a comparison, or a formula that is above 0"}, \
  {.name = "direction", .type = NS_LANG_ENUM, .initial = "up", .choices = "up down both", \
   .help = "the change of the condition that counts: it begins to hold, it ends, or either"}, \
  {.name = "at", .type = NS_LANG_REAL, .initial = "none", .unit = "s", .example = "1 2", \
   .help = "times, ascending, parted by white space"}, \
  {.name = "every", .type = NS_LANG_REAL, .initial = "none", .range = "(0, inf)", .unit = "s", \
    .example = "2*pi", \
   .help = "time from one to the next; the first is at from, or after t0 by that time"}, \
  {.name = "from", .type = NS_LANG_REAL, .initial = "t0", .unit = "s", .example = "1", \
    .help = "not before that"}, \
  {.name = "until", .type = NS_LANG_REAL, .initial = "the end of the run", .unit = "s", \
    .example = "2", \
   .help = "not after that"}, \
  {.name = "systems", .type = NS_LANG_IDS, .initial = "those of the interaction, or all", \
   .help = "ids of the systems whose states its formulas read"}, \
  {.name = "interaction", .type = NS_LANG_ID, .initial = "none", \
    .help = "id of the interaction whose lambda its formulas read"}

const ns_lang_element ns_lang_measures[] = {
    {
        .name = "measures",
        .group = NS_LANG_OUTPUT,
        .help = "numbers that a run is asked for",
        .text = "They are computed while the model runs, at each step and in constant memory, "
                "whether results are written or not; the summary shows them, results hold them in "
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
        .help = "a number that a run is asked for",
        .text =
            "Kinds that read a formula, the text of the element: final (value at the end), min, "
            "max, mean and rms (over time), integral, settling (the last time at which the value "
            "was further than band from target), and sample (its last values, as many as keep "
            "says). Kinds of moments: count, first, last, period; they and sample are told by "
            "event= or by a condition, when=: a moment is the one at which the condition begins to "
            "hold; first and last are the first and last time at which it holds. sample may have "
            "every= in their place: one value each so many seconds, from the begin of the window "
            "on. Shares of time, from 0 to 1: fraction, in which a condition holds, and sliding, "
            "in which the friction of an interaction slides (its impulse is on the cone and the "
            "contact moves along, faster than 1e-9 m/s).\n\n"
            "A condition is a comparison, or a formula, which holds where it is above 0. Formulas "
            "and conditions may use t, the states of the systems by their names (x, ball.x), "
            "lambda[k] where an interaction is named, and observables: R1.v, and <observe> "
            "elements by their ids. A condition changes where the difference of what it compares "
            "is zero.\n\n"
            "In time-stepping states are taken as linear in time between two steps; what is held "
            "over a step, commands of controls, multipliers and impulses, has in the step the "
            "value that is recorded at its end, so that the integral of a force that is held times "
            "a velocity is the work that the step did. A condition that comes and goes within a "
            "step is not seen. Events have the time of the end of their step.\n\n"
            "In event-driven runs they are those of the motion between events, to the relative "
            "tolerance of the run, whatever the grid of the output: integrals, extremes, samples, "
            "and the moments at which conditions change. A condition that comes and goes within a "
            "few hundredths of a step of the integrator is not seen. (Accumulating impacts by "
            "time-stepping are linear between rows.)\n\n"
            "A measure that has no value (no such event, a condition that never held, a window "
            "that was not reached) is NaN, with the reason beside it, never a number.",
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
             .help = "name, another one than those of systems and interactions"},
            {.name = "kind",
             .type = NS_LANG_ENUM,
             .required = 1,
             .example = "max",
             .choices = "final min max mean rms integral count first last settling period fraction "
                        "sliding sample",
             .help = "what is made of it"},
            {.name = "unit",
             .type = NS_LANG_TEXT,
             .initial = "none; s of times, 1 of counts and shares",
             .help = "unit of the number, for results"},
            {.name = "help",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .help = "what it means, for results"},
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
             .help = "begin of its window: what was before does not count"},
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
             .help = "condition: a comparison, or a formula that is above 0"},
            {.name = "event",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .example = "impact",
             .help = "events it looks at: impact, contact, release, stick, slip, switch, "
                     "accumulation, user, any, or the id of an <event>"},
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
             .help = "of settling: where the value goes"},
            {.name = "band",
             .type = NS_LANG_REAL,
             .initial = "none; settling needs it",
             .range = "[0, inf)",
             .example = "0.02",
             .help = "of settling: distance from target that counts as settled"},
            {.name = "take",
             .type = NS_LANG_ENUM,
             .initial = "mean",
             .choices = "mean last",
             .help = "of period: the mean of all, or the last"},
            {.name = "keep",
             .type = NS_LANG_INTEGER,
             .initial = "64",
             .range = "[1, 1000000]",
             .help = "of sample: number of values that are kept"}),
        .content = &(const ns_lang_item){.name = "formula",
                                         .type = NS_LANG_REAL,
                                         .initial = "none; kinds of values need it",
                                         .example = "x^2",
                                         .uses = FORMULA_USES,
                                         .help = "one formula"},
    },
    {
        .name = "events",
        .group = NS_LANG_OUTPUT,
        .help = "what happens at conditions and times of the user",
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
        .help = "gives entries of the state new values at a condition or at times",
        .text =
            "It happens when its condition begins to hold (direction=\"up\"; one that holds at the "
            "start already makes a warning), ends to hold (down) or either (both), or at the times "
            "of at= or every=. A condition is a comparison, or a formula, which holds where it is "
            "above 0; a condition that holds at the start has not begun to. Formulas may use what "
            "those of <measure> may.\n\n"
            "Each time it is written to /events as one of kind user, under its id, and its <set> "
            "elements act, all on the state before it. A measure looks at it by event=\"ID\".\n\n"
            "In time-stepping an event happens in the step in which its condition has changed at "
            "the end: its time is where the condition changes if what it compares is linear in the "
            "step, but its <set> elements act at the end of the step. Events of one step act in "
            "the order of their times. A condition that another event makes hold at the end of a "
            "step is seen after the next. What <set> changes of the energy counts as work of "
            "forces.",
        .example = "<event id=\"on\" when=\"x > 1.1\"><set name=\"u\" value=\"0\"/></event>\n"
                   "<event id=\"off\" when=\"0.9 > x\"><set name=\"u\" value=\"1\"/></event>",
        .attributes = LIST({.name = "id",
                            .type = NS_LANG_ID,
                            .required = 1,
                            .example = "kick",
                            .help = "name, another one than those of systems and interactions"},
                           MOMENTS,
                           {.name = "record",
                            .type = NS_LANG_ENUM,
                            .initial = "event",
                            .choices = "event row",
                            .help = "event: it is written to /events; row: the state after it is "
                                    "recorded, too, where the step is not"}),
        .children = CHILDREN({"set", 0, 0, NS_LANG_MANY}),
    },
    {
        .name = "set",
        .group = NS_LANG_OUTPUT,
        .help = "what an event gives a new value",
        .text =
            "An entry of the state, as formulas call it: x, ball.x, q[0]; v_x, v[0] of mechanics; "
            "z[0] or a name in inputs= for what is a parameter that changes. Parameters themselves "
            "are the same throughout a run. SchatzmanPaoliOSI, which remembers two positions, can "
            "go on from new entries of z alone. Entries p0 to p3 of a body are divided by the norm "
            "of the quaternion that they make with those that are not set.",
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
                            .help = "its new value: formula of the state before the event"}),
    },
    {
        .name = "stop",
        .group = NS_LANG_OUTPUT,
        .help = "ends the run at a condition or a time",
        .text = "The run ends with the step in which the condition has begun to hold, or before "
                "the first one where it holds at the start. It is complete, and the summary says "
                "what stopped it.",
        .example = "<stop when=\"y &lt; 0\"/>",
        .attributes = LIST({.name = "id",
                            .type = NS_LANG_ID,
                            .initial = "stop",
                            .example = "fallen",
                            .help = "name, another one than those of systems and interactions"},
                           MOMENTS),
    },
    {0},
};
