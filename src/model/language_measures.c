/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_measures.c -- rows of the language table: what a run is asked for. */
#include "model/language_tables.h"

#define LIST(...) (const ns_lang_item[]) { __VA_ARGS__, { 0 } }
#define CHILDREN(...) (const ns_lang_child[]) { __VA_ARGS__, { 0 } }

#define FORMULA_USES (1u << NS_BANK_T | 1u << NS_BANK_Q | 1u << NS_BANK_V | 1u << NS_BANK_Z | 1u << NS_BANK_LAMBDA)

const ns_lang_element ns_lang_measures[] = {
    {
        .name = "measures",
        .group = NS_LANG_OUTPUT,
        .help = "numbers that a run is asked for",
        .text = "They are computed while the model runs, at each step and in constant memory, whether results are written or not; "
                "the summary shows them, results hold them in /measures, and a sweep collects them.",
        .example = "<measures>\n"
                   "  <measure id=\"top\" kind=\"max\" unit=\"m\" from=\"1\">ball.x</measure>\n"
                   "  <measure id=\"hits\" kind=\"count\" event=\"impact\" interaction=\"ground\"/>\n"
                   "</measures>",
        .children = CHILDREN({"measure", 0, 0, NS_LANG_MANY}),
    },
    {
        .name = "measure",
        .group = NS_LANG_OUTPUT,
        .help = "a number that a run is asked for",
        .text = "Kinds that read a formula, the text of the element: final (value at the end), min, max, mean and rms (over time), integral, "
                "settling (the last time at which the value was further than band from target), and sample (its last values, as many as keep "
                "says). Kinds of moments: count, first, last, period; they and sample are told by event= or by a condition, when=: a moment is "
                "the one at which the condition begins to hold; first and last are the first and last time at which it holds. sample may "
                "have every= in their place: one value each so many seconds, from the begin of the window on. Shares of time, from 0 to 1: "
                "fraction, in which a condition holds, and sliding, in which the friction of an interaction slides (its impulse is on the "
                "cone and the contact moves along).\n\n"
                "A condition is a comparison, or a formula, which holds where it is above 0. Formulas and conditions may use t, the states of "
                "the systems by their names (x, ball.x), lambda[k] where an interaction is named, and observables: R1.v, and <observe> "
                "elements by their ids. Between two steps formulas are taken as linear in time; a condition changes where the difference of "
                "what it compares is zero. A condition that comes and goes within a step is not seen. Events of time-stepping have the time "
                "of the end of their step.\n\n"
                "A measure that has no value (no such event, a condition that never held, a window that was not reached) is "
                "NaN, with the reason beside it, never a number.",
        .example = "<measure id=\"period\" kind=\"period\" when=\"x\" from=\"10\"/>\n"
                   "<measure id=\"section\" kind=\"sample\" event=\"impact\" interaction=\"table\" from=\"100\" keep=\"128\">v_x</measure>\n"
                   "<measure id=\"settled\" kind=\"settling\" target=\"1\" band=\"0.02\">y</measure>",
        .attributes = LIST({.name = "id", .type = NS_LANG_ID, .required = 1, .example = "top",
                            .help = "name, another one than those of systems and interactions"},
                           {.name = "kind", .type = NS_LANG_ENUM, .required = 1, .example = "max",
                            .choices = "final min max mean rms integral count first last settling period fraction sliding sample",
                            .help = "what is made of it"},
                           {.name = "unit", .type = NS_LANG_TEXT, .initial = "none; s of times, 1 of counts and shares",
                            .help = "unit of the number, for results"},
                           {.name = "help", .type = NS_LANG_TEXT, .initial = "none", .help = "what it means, for results"},
                           {.name = "systems", .type = NS_LANG_IDS, .initial = "those of the interaction, or all",
                            .help = "ids of the systems whose states its formulas read"},
                           {.name = "interaction", .type = NS_LANG_ID, .initial = "none",
                            .help = "id of the interaction whose events it counts and whose lambda its formulas read"},
                           {.name = "from", .type = NS_LANG_REAL, .initial = "t0", .unit = "s", .example = "1",
                            .help = "begin of its window: what was before does not count"},
                           {.name = "until", .type = NS_LANG_REAL, .initial = "the end of the run", .unit = "s", .example = "2",
                            .help = "end of its window"},
                           {.name = "when", .type = NS_LANG_REAL, .initial = "none", .example = "t > 1", .uses = FORMULA_USES,
                            .help = "condition: a comparison, or a formula that is above 0"},
                           {.name = "event", .type = NS_LANG_NAME, .initial = "none", .example = "impact",
                            .help = "events it looks at: impact, contact, release, switch, or any"},
                           {.name = "every", .type = NS_LANG_REAL, .initial = "none", .range = "(0, inf)", .unit = "s", .example = "2*pi",
                            .help = "time from sample to sample"},
                           {.name = "target", .type = NS_LANG_REAL, .initial = "0", .help = "of settling: where the value goes"},
                           {.name = "band", .type = NS_LANG_REAL, .initial = "none; settling needs it", .range = "[0, inf)", .example = "0.02",
                            .help = "of settling: distance from target that counts as settled"},
                           {.name = "take", .type = NS_LANG_ENUM, .initial = "mean", .choices = "mean last",
                            .help = "of period: the mean of all, or the last"},
                           {.name = "keep", .type = NS_LANG_INTEGER, .initial = "64", .range = "[1, 1000000]",
                            .help = "of sample: number of values that are kept"}),
        .content = &(const ns_lang_item){.name = "formula", .type = NS_LANG_REAL, .initial = "none; kinds of values need it", .example = "x^2",
                                         .uses = FORMULA_USES, .help = "one formula"},
    },
    {0},
};
