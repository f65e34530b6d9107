/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_progress.h -- progress of a sweep on stderr: a bar on a terminal, lines in a log, NDJSON
 * for programs. */
#ifndef NS_CLI_SWEEP_PROGRESS_H
#define NS_CLI_SWEEP_PROGRESS_H

#include "cli/progress.h"
#include "study/pool.h"

typedef struct ns_sweep_progress {
  ns_progress_how how;
  double begin, last; /* wall clock, s */
  int drawn;          /* a bar is shown on the current line */
} ns_sweep_progress;

void ns_sweep_progress_begin(ns_sweep_progress *p, ns_progress_how how);
/* Callback for ns_pool.show. */
void ns_sweep_progress_show(void *to, const ns_pool_state *s);
/* Remove the bar, so that a message can be written. */
void ns_sweep_progress_clear(ns_sweep_progress *p);
/* Remove the bar, or write the last JSON object. */
void ns_sweep_progress_end(ns_sweep_progress *p, const ns_pool_state *s);

#endif
