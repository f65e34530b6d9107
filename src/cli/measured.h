/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measured.h -- the measures of a run, for a person or a program. */
#ifndef NS_CLI_MEASURED_H
#define NS_CLI_MEASURED_H

#include "cli/json.h"
#include "simulation/record/measures.h"

#include <stdio.h>

/* "top = 0.83 m (max, at t = 0.86 s)" a line, the first after `heading`. Nothing where there are
 * none. */
void ns_measured_text(const ns_model *m, const ns_state *x, const char *heading, FILE *f);
/* {"top": {"kind": "max", "value": 0.83, "unit": "m", "time": 0.86}, ...}; an undefined one has
 * "value": null and "undefined", the reason; a sample "values" and "times". */
ns_json ns_measured_json(const ns_model *m, const ns_state *x);

#endif
