/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_progress.h -- how far a sweep is, on stderr: a bar on a terminal, lines in a log, NDJSON
 * for programs. */
#ifndef NS_CLI_SWEEP_PROGRESS_H
#define NS_CLI_SWEEP_PROGRESS_H

#include "cli/progress.h"
#include "study/pool.h"

typedef struct ns_sweep_progress {
  ns_progress_how how;
  double begin, last; /* wall clock, s */
  int drawn;          /* a bar stands on the current line */
} ns_sweep_progress;

void ns_sweep_progress_begin(ns_sweep_progress *p, ns_progress_how how);
/* As ns_pool.show. */
void ns_sweep_progress_show(void *to, const ns_pool_state *s);
/* Take the bar away, so that a message can be written. */
void ns_sweep_progress_clear(ns_sweep_progress *p);
/* The bar goes, JSON gets its last object. */
void ns_sweep_progress_end(ns_sweep_progress *p, const ns_pool_state *s);

#endif
