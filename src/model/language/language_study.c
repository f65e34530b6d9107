/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_study.c -- rows of the language table: studies, which run one model many times. */
#include "model/language/language_tables.h"

#define VARIED \
  { \
    .name = "name", .type = NS_LANG_TEXT, .required = 1, .example = "e", \
    .help = "a parameter of the model; an attribute of its <simulation>, such as T, h, " \
            "LCP.tolerance, solver, scheme; or a path, such as #ball/q0" \
  }

#define COUNT \
  { \
    .name = "count", .type = NS_LANG_INTEGER, .required = 1, .range = "[1, 10000000]", \
    .example = "100", .help = "number of points" \
  }

#define SEED \
  { \
    .name = "seed", .type = NS_LANG_INTEGER, .initial = "1", .range = "[0, 2147483647]", \
    .help = "seed of the generator: the same seed gives the same points" \
  }

#define SKIP \
  { \
    .name = "skip", .type = NS_LANG_INTEGER, .initial = "0", .range = "[0, 1000000000]", \
    .help = "number of initial points of the sequence to skip" \
  }

#define AXES CHILDREN({"override", 0, 0, NS_LANG_MANY}, {NULL, NS_LANG_AXIS, 1, NS_LANG_MANY})
#define DISTRIBUTIONS CHILDREN({NULL, NS_LANG_DISTRIBUTION, 1, NS_LANG_MANY})

#define POINTS_TEXT "\n\nEach distribution inside is one dimension of the points."

const ns_lang_element ns_lang_study[] = {
    {
        .name = "study",
        .group = NS_LANG_STUDY,
        .help = "runs one model many times with different values of its parameters",
        .text = "The root of a study file, for `nssim sweep`. Each axis in it is a block of runs; "
                "blocks follow each other, and runs are numbered from 1 in this order. Values that "
                "a block does not vary are those of the model.\n\n"
                "Numbers are expressions that can use the parameters of the model, except those "
                "that the study varies. They are in SI units, also if the parameter has another "
                "unit, and so are the tables of results.",
        .example = "<study xmlns=\"urn:nssim:model:1\" model=\"bouncing-ball.xml\">\n"
                   "  <override name=\"T\" value=\"5\"/>\n"
                   "  <grid>\n"
                   "    <list name=\"R\" values=\"0.05 0.1 0.2\"/>\n"
                   "    <range name=\"e\" from=\"0.5\" to=\"0.9\" count=\"41\"/>\n"
                   "  </grid>\n"
                   "</study>",
        .attributes = LIST({.name = "model",
                            .type = NS_LANG_FILE,
                            .required = 1,
                            .example = "model.xml",
                            .help = "the model, relative to the study and inside its folder"},
                           {.name = "name",
                            .type = NS_LANG_TEXT,
                            .initial = "",
                            .help = "short name, for titles"}),
        .values = LIST(
            {.name = "title", .type = NS_LANG_TEXT, .initial = "", .help = "one-line title"},
            {.name = "description",
             .type = NS_LANG_TEXT,
             .initial = "",
             .help = "description of the study"}),
        .children = AXES,
    },
    {
        .name = "override",
        .group = NS_LANG_STUDY,
        .help = "gives a parameter or option one expression in all runs of the study or block",
        .text = "A value in a block has priority over an <override> of the study. The value is "
                "read as in -p NAME=VALUE: it can have a unit, and it can use any parameter of the "
                "model, including varied ones: f=\"omega/(2*pi)\".",
        .example = "<override name=\"omega\" value=\"2*pi*f\"/>",
        .attributes = LIST(VARIED, {.name = "value",
                                    .type = NS_LANG_TEXT,
                                    .required = 1,
                                    .example = "0.5",
                                    .help = "expression, with a unit if the parameter has one"}),
    },
    {
        .name = "grid",
        .group = NS_LANG_AXIS,
        .help = "all combinations of its axes; the last one varies fastest",
        .example = "<grid>\n"
                   "  <list name=\"m\" values=\"1 2\"/>\n"
                   "  <range name=\"e\" from=\"0\" to=\"1\" count=\"11\"/>\n"
                   "</grid>",
        .children = AXES,
    },
    {
        .name = "zip",
        .group = NS_LANG_AXIS,
        .help = "its axes in parallel: point i consists of point i of each axis",
        .text = "The axes must have the same number of points.",
        .example = "<zip>\n"
                   "  <list name=\"m\" values=\"1 2 4\"/>\n"
                   "  <list name=\"k\" values=\"10 20 40\"/>\n"
                   "</zip>",
        .children = AXES,
    },
    {
        .name = "list",
        .group = NS_LANG_AXIS,
        .help = "explicit values",
        .text = "If the values of the quantity are words, list words: <list name=\"solver\" "
                "values=\"lemke pgs\"/>.",
        .example = "<list name=\"e\" values=\"0 1/2 0.9\"/>",
        .attributes = LIST(
            VARIED, {.name = "values",
                     .type = NS_LANG_TEXT,
                     .required = 1,
                     .example = "0.1 0.2",
                     .help = "numbers separated by white space or commas, in SI units, or words"}),
    },
    {
        .name = "range",
        .group = NS_LANG_AXIS,
        .help = "values with equal differences or equal ratios",
        .text = "The values include from and to. To halve a step four times, use count=\"5\" and "
                "scale=\"log\", with to=\"h0/16\".",
        .example = "<range name=\"k\" from=\"1e2\" to=\"1e6\" count=\"41\" scale=\"log\"/>",
        .attributes = LIST(
            VARIED,
            {.name = "from",
             .type = NS_LANG_REAL,
             .required = 1,
             .example = "0",
             .help = "first value"},
            {.name = "to",
             .type = NS_LANG_REAL,
             .required = 1,
             .example = "1",
             .help = "last value"},
            {.name = "count",
             .type = NS_LANG_INTEGER,
             .required = 1,
             .range = "[2, 10000000]",
             .example = "11",
             .help = "number of values"},
            {.name = "scale",
             .type = NS_LANG_ENUM,
             .choices = "linear log",
             .initial = "linear",
             .help = "equal differences, or equal ratios of values of the same sign"}),
    },
    {
        .name = "random",
        .group = NS_LANG_AXIS,
        .help = "points drawn at random, for Monte Carlo",
        .text = "The generator is mt19937 of the GNU Scientific Library." POINTS_TEXT,
        .example = "<random count=\"1000\" seed=\"7\">\n"
                   "  <normal name=\"m\" mean=\"1\" deviation=\"0.05\"/>\n"
                   "  <uniform name=\"e\" from=\"0.7\" to=\"0.9\"/>\n"
                   "</random>",
        .attributes = LIST(COUNT, SEED),
        .children = DISTRIBUTIONS,
    },
    {
        .name = "latinHypercube",
        .group = NS_LANG_AXIS,
        .help = "random points: each of count equally likely intervals of each dimension contains "
                "one point",
        .text = "After McKay, Beckman and Conover (1979)." POINTS_TEXT,
        .example = "<latinHypercube count=\"50\"><uniform name=\"e\" from=\"0.5\" "
                   "to=\"1\"/></latinHypercube>",
        .attributes = LIST(COUNT, SEED),
        .children = DISTRIBUTIONS,
    },
    {
        .name = "sobol",
        .group = NS_LANG_AXIS,
        .help = "points of the Sobol' sequence, which fill space evenly; at most 40 dimensions",
        .text = "They are those of the GNU Scientific Library, after Antonov and Saleev (1979). "
                "The first point is the middle of all distributions." POINTS_TEXT,
        .example = "<sobol count=\"256\">\n"
                   "  <uniform name=\"e\" from=\"0.5\" to=\"1\"/>\n"
                   "  <uniform name=\"R\" from=\"0.05\" to=\"0.2\"/>\n"
                   "</sobol>",
        .attributes = LIST(COUNT, SKIP),
        .children = DISTRIBUTIONS,
    },
    {
        .name = "halton",
        .group = NS_LANG_AXIS,
        .help = "points of the Halton sequence, which fill space evenly; at most 1229 dimensions",
        .text = "In many dimensions its first points lie on lines; use `sobol` there." POINTS_TEXT,
        .example = "<halton count=\"100\"><uniform name=\"e\" from=\"0.5\" to=\"1\"/></halton>",
        .attributes = LIST(COUNT, SKIP),
        .children = DISTRIBUTIONS,
    },
    {
        .name = "uniform",
        .group = NS_LANG_DISTRIBUTION,
        .help = "equally likely between two values, or between their logarithms",
        .example = "<uniform name=\"e\" from=\"0.7\" to=\"0.9\"/>",
        .attributes = LIST(VARIED,
                           {.name = "from",
                            .type = NS_LANG_REAL,
                            .required = 1,
                            .example = "0",
                            .help = "least value"},
                           {.name = "to",
                            .type = NS_LANG_REAL,
                            .required = 1,
                            .example = "1",
                            .help = "greatest value"},
                           {.name = "scale",
                            .type = NS_LANG_ENUM,
                            .choices = "linear log",
                            .initial = "linear",
                            .help = "whether the value or its logarithm is uniform"}),
    },
    {
        .name = "normal",
        .group = NS_LANG_DISTRIBUTION,
        .help = "normal distribution, truncated if from and to are given",
        .example = "<normal name=\"m\" mean=\"1\" deviation=\"0.05\" from=\"0\"/>",
        .attributes = LIST(
            VARIED,
            {.name = "mean",
             .type = NS_LANG_REAL,
             .required = 1,
             .example = "1",
             .help = "mean, before truncation"},
            {.name = "deviation",
             .type = NS_LANG_REAL,
             .required = 1,
             .range = "(0, inf)",
             .example = "0.1",
             .help = "standard deviation, before truncation"},
            {.name = "from", .type = NS_LANG_REAL, .initial = "none", .help = "least value"},
            {.name = "to", .type = NS_LANG_REAL, .initial = "none", .help = "greatest value"}),
    },
    {
        .name = "lognormal",
        .group = NS_LANG_DISTRIBUTION,
        .help = "the logarithm is normal",
        .example = "<lognormal name=\"k\" median=\"1e4\" deviation=\"0.2\"/>",
        .attributes = LIST(VARIED,
                           {.name = "median",
                            .type = NS_LANG_REAL,
                            .required = 1,
                            .range = "(0, inf)",
                            .example = "1",
                            .help = "median; the mean of the logarithm is its logarithm"},
                           {.name = "deviation",
                            .type = NS_LANG_REAL,
                            .required = 1,
                            .range = "(0, inf)",
                            .example = "0.1",
                            .help = "standard deviation of the logarithm"}),
    },
    {0},
};
