/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info.h -- describes a result as text or JSON. Its numbers are exported by export.h. */
#ifndef NS_IO_RESULTS_INFO_H
#define NS_IO_RESULTS_INFO_H

#include "io/results/result.h"

#include <stdio.h>

/* Time span and numbers of events. */
int ns_info_extent(ns_result *r, ns_ctx *c, ns_result_extent *x);
/* "complete"; "RUNNING OR KILLED: the file ends at t = 3 s of 10 s"; "FAILED (exit 70): why". buf
 * [n]; returns buf. */
const char *ns_info_status(const ns_result_meta *m, const ns_result_extent *x, char *buf, size_t n);
/* Begin a line of a description: what it tells of, and text as printf. */
void ns_info_row(FILE *f, const char *what, const char *fmt, ...) NS_PRINTF(3, 4);
/* Print a description. all: list every quantity, however many. */
int ns_info_text(ns_result *r, ns_ctx *c, int all, FILE *f);
/* The same as JSON. */
int ns_info_json(ns_result *r, ns_ctx *c, FILE *f);

#endif
