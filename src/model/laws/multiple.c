/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multiple.c -- impacts of many contacts at once: springs at their instant
 * (problems/multiple_impact.h). */
#include "model/laws/laws.h"

static const ns_law_number springs[] = {
    {"e", "e", NULL, 1, offsetof(ns_nonsmooth_law, e)},
    {"K", "K", NULL, 1, offsetof(ns_nonsmooth_law, stiffness)},
    {"eta", "eta", NULL, 1, offsetof(ns_nonsmooth_law, exponent)},
    {0}};

const ns_law_ops ns_law_multiple_impact = {
    .name = "MultipleImpactNSL",
    .help = "impacts of many contacts at once: springs K delta^eta with energetic restitution, "
            "event-driven",
    .set = NS_SET_ROWS,
    .impact = 1,
    .march = 1,
    .fits = NS_FIT_STOP,
    .stands = NS_IN_LCP | NS_IN_MLCP,
    .numbers = springs,
    .restitution = ns_law_newton_rows,
    .refuses = ns_law_refuses_impact,
    .check = ns_law_check_impact};
