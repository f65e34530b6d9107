/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_report.h -- the report of `nssim solve`: a table, JSON, and the reason of a failure.
 *
 * It claims that no solution exists only if a row proves it. */
#ifndef NS_CLI_SOLVE_REPORT_H
#define NS_CLI_SOLVE_REPORT_H

#include "io/json.h"
#include "io/problemfile/problem_file_solution.h"

#include <stdio.h>

/* Print a table with at most `max` rows of the solution. */
void ns_solve_print(const ns_problem_solution *s, int max, FILE *f);
ns_json ns_solve_json(const ns_problem_solution *s);

/* Write the reason why the solver found no solution to buf [n]; returns buf. */
const char *ns_solve_why(const ns_problem *p, const ns_outcome *out, double tol, char *buf,
                         size_t n);

#endif
