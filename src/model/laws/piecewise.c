/* SPDX-License-Identifier: GPL-3.0-or-later */
/* piecewise.c -- lambda = phi(y) through points: each piece is a row with bounds
 * (io/load/load_piecewise.c makes them). */
#include "model/laws/laws.h"

const ns_law_ops ns_law_piecewise = {
    .name = "PiecewiseLinearNSL",
    .help = "lambda = phi(y), phi piecewise linear through points; composed of relays",
    .set = NS_SET_ROWS,
    .form = NS_FORM_POINTS,
    .stands = NS_IN_RELAY,
    .check = ns_law_check_bounds};
