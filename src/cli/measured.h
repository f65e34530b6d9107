/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measured.h -- prints the measures of a run as text or JSON. */
#ifndef NS_CLI_MEASURED_H
#define NS_CLI_MEASURED_H

#include "io/json.h"
#include "simulation/record/measures.h"

#include <stdio.h>

/* Lines such as "top = 0.83 m (max, at t = 0.86 s)", the first after `heading`. Prints nothing if
 * there are no measures. */
void ns_measured_text(const ns_model *m, const ns_state *x, const char *heading, FILE *f);
/* {"top": {"kind": "max", "value": 0.83, "unit": "m", "time": 0.86}, ...}; an undefined measure has
 * "value": null and its reason in "undefined"; a sample has "values" and "times". */
ns_json ns_measured_json(const ns_model *m, const ns_state *x);

#endif
