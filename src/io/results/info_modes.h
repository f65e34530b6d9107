/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info_modes.h -- the sequence of contact modes in an event-driven result, and their durations. */
#ifndef NS_IO_RESULTS_INFO_MODES_H
#define NS_IO_RESULTS_INFO_MODES_H

#include "io/results/result.h"

#include <stdio.h>

/* 1 if the result comes from an event-driven run. */
int ns_info_is_event_driven(const ns_result_meta *m);

/* Print lines such as "ground: free 1.35457 s (23 impacts), closed 1.64543 s", one for each row of
 * an interaction with events; all: however many. Prints nothing for runs that are not
 * event-driven, because their modes are not all known. */
int ns_info_modes(ns_result *r, ns_ctx *c, const ns_result_extent *x, int all, FILE *f);

#endif
