/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h -- progress of a run, and of loading its model, on stderr: a bar on a terminal, lines
 * in a log, NDJSON for programs. */
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
  double t0, T;       /* initial and final time of the simulation, s */
  double begin, last; /* start of the current activity; last output; wall clock, s */
  const char *doing;  /* activity before the steps, such as loading; NULL: none yet, or the steps */
  double begin_fraction;
  long long begin_steps;
  int drawn; /* a bar is shown on the current line */
} ns_progress;

/* 1 if text is the name of a kind of output. */
int ns_progress_parse(const char *text, ns_progress_how *how);
/* Begin with work before the steps. */
void ns_progress_load(ns_progress *p, ns_progress_how how);
/* Reporter of such work, as ns_ctx.alive. */
void ns_progress_alive(ns_progress *p, const char *doing, long done, long of);
/* The run begins at state x. */
void ns_progress_begin(ns_progress *p, ns_progress_how how, const ns_state *x, double t0, double T);
/* Callback for ns_watch.progress. */
void ns_progress_show(void *to, const ns_state *x, double fraction);
/* Remove the bar, so that a message can be written. */
void ns_progress_clear(ns_progress *p);
/* The run ends at state x: remove the bar, or write the last JSON object. */
void ns_progress_end(ns_progress *p, const ns_state *x);

#endif
