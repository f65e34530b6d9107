/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_report.h -- what `nssim solve` says of a problem it has tried: a table, JSON, and why there
 * is no solution.
 *
 * A sentence claims no more than is known: that there is no solution only where a row proves it. */
#ifndef NS_CLI_SOLVE_REPORT_H
#define NS_CLI_SOLVE_REPORT_H

#include "cli/json.h"
#include "io/problemfile/problem_file_solution.h"

#include <stdio.h>

/* Table for a person; `most` rows of the solution are shown. */
void ns_solve_print(const ns_problem_solution *s, int most, FILE *f);
ns_json ns_solve_json(const ns_problem_solution *s);

/* Why the solver ended without a solution, to buf [n]; returns buf. */
const char *ns_solve_why(const ns_problem *p, const ns_outcome *out, double tol, char *buf,
                         size_t n);

/* A row that no z within the bounds can satisfy: w_i must be >= 0 (z_i has no upper bound) yet is
 * negative for all of them, or the other way round. Its number and the extreme of w there; -1 where
 * there is none. */
int ns_solve_contradiction(const ns_avi *p, double *w);

#endif
