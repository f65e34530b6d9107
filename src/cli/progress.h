/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h -- how far a run is, and before it the loading of its model, on stderr: a bar on a
 * terminal, lines in a log, NDJSON for programs. */
#ifndef NS_CLI_PROGRESS_H
#define NS_CLI_PROGRESS_H

#include "model/state.h"

typedef enum ns_progress_how {
  NS_PROGRESS_AUTO, /* bar on a terminal, else lines */
  NS_PROGRESS_NONE,
  NS_PROGRESS_BAR,
  NS_PROGRESS_LINES,
  NS_PROGRESS_JSON
} ns_progress_how;

typedef struct ns_progress {
  ns_progress_how how;
  double t0, T;       /* of the simulation, s */
  double begin, last; /* of what goes on; of the last sign of life; wall clock, s */
  const char *doing;  /* what goes on before the steps; NULL: nothing yet, or the steps */
  double begin_fraction;
  long long begin_steps;
  int drawn; /* a bar stands on the current line */
} ns_progress;

/* 1 if text names a way. */
int ns_progress_parse(const char *text, ns_progress_how *how);
/* Work begins now that makes no steps yet. */
void ns_progress_load(ns_progress *p, ns_progress_how how);
/* As ns_ctx.alive, of such work. */
void ns_progress_alive(ns_progress *p, const char *doing, long done, long of);
/* The run begins now at state x. */
void ns_progress_begin(ns_progress *p, ns_progress_how how, const ns_state *x, double t0, double T);
/* As ns_watch.progress. */
void ns_progress_show(void *to, const ns_state *x, double fraction);
/* Take the bar away, so that a message can be written. */
void ns_progress_clear(ns_progress *p);
/* The run has ended at x: the bar goes, JSON gets its last object. */
void ns_progress_end(ns_progress *p, const ns_state *x);

#endif
