/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info_modes.h -- the sequence of modes of contacts in an event-driven result, and how long each of
 * them lasted. */
#ifndef NS_IO_RESULTS_INFO_MODES_H
#define NS_IO_RESULTS_INFO_MODES_H

#include "io/results/result.h"

#include <stdio.h>

/* 1: the result is that of an event-driven run. */
int ns_info_is_event_driven(const ns_result_meta *m);

/* "ground: free 1.35457 s (23 impacts), closed 1.64543 s", a line for each row of an interaction
 * that has events; all: however many. Nothing where events are not those of an event-driven run,
 * whose modes are not all known. */
int ns_info_modes(ns_result *r, ns_ctx *c, const ns_result_extent *x, int all, FILE *f);

#endif
