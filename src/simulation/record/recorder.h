/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recorder.h -- choose what is recorded, buffer it, hand it to a sink.
 *
 * Channels are views of the state: recording a row gathers columns into a buffer of many rows
 * (256 or more unless rows are wide), written when full and at least every 2 s of wall clock, so
 * that a killed run leaves a file with everything up to there. */
#ifndef NS_SIMULATION_RECORD_RECORDER_H
#define NS_SIMULATION_RECORD_RECORDER_H

#include "model/state.h"
#include "simulation/record/sink.h"

typedef struct ns_recorder ns_recorder;

/* Channels of a model in the order of the output: time; systems/<id>/{q,v,p};
 * interactions/<id>/{y,ydot,lambda,force}; diagnostics/...; of first-order systems x, xdot, r, z
 * and y, lambda; for thousands of objects one table a quantity instead, systems/q and so on, see
 * channels.h. Only those whose `id.quantity` matches a pattern (NULL, 0: all); time always. A
 * pattern without a dot means all quantities of that id. A pattern that matches nothing is an
 * NS_USAGE failure with a did-you-mean. Memory of `a`. *ncols: width of a row. */
int ns_channels_select(ns_ctx *c, const ns_model *m, const char *const *patterns, int npatterns,
                       ns_arena *a, const ns_channel **channels, int *nchannels, size_t *ncols);

/* The state must outlive the recorder. Opens the sink on path. every >= 1. */
int ns_recorder_create(ns_ctx *c, const ns_model *m, const ns_state *x, const ns_sink_ops *ops,
                       const char *path, const ns_run_info *info, const char *const *patterns,
                       int npatterns, int every, ns_recorder **r);
/* A smooth motion to the time `to`, from the state that was shown last. place makes the state that
 * at t, in between or at `to`, with all that follows from it; the last call is of `to`. */
typedef struct ns_passage {
  double to;
  int (*place)(void *of, double t);
  void *of;
} ns_passage;
/* Who hears of all that is handed to a recorder, recorded or not. */
typedef struct ns_listener {
  int (*event)(void *to, ns_ctx *c, const ns_event *e);     /* NULL: nobody */
  int (*state)(void *to, ns_ctx *c);                        /* NULL: nobody */
  int (*passage)(void *to, ns_ctx *c, const ns_passage *p); /* NULL: nobody */
  /* a passage is to end there; NULL: nobody */
  double (*next)(const void *to, double t);
  void *to;
} ns_listener;
/* The same into the output that an earlier run left, from where ns_recorder_save stood. NS_NOINPUT:
 * it is another one, or shorter. */
int ns_recorder_resume(ns_ctx *c, const ns_model *m, const ns_state *x, const ns_sink_ops *ops,
                       const char *path, const ns_run_info *info, const char *const *patterns,
                       int npatterns, int every, ns_blob *b, ns_recorder **r);
/* For a checkpoint: rows and events so far to the disk, and to b what resume needs. */
int ns_recorder_save(ns_recorder *r, ns_ctx *c, ns_blob *b);
/* One that records nothing and only lets events be heard (ns_recorder_listen); closed as the others
 * are. */
int ns_recorder_tap(ns_ctx *c, ns_recorder **r);
void ns_recorder_listen(ns_recorder *r, const ns_listener *l);
/* The state is one that the run came to within a step of the grid: for drivers with events inside,
 * before anything of it changes and when all has changed. Records nothing: listeners look at it
 * (measures.h). */
int ns_recorder_state(ns_recorder *r, ns_ctx *c);
/* Smooth motion, for drivers that can show all of it: they end a passage at events, points of the
 * grid, and the first time after t that a listener waits for (+inf: none). */
int ns_recorder_passage(ns_recorder *r, ns_ctx *c, const ns_passage *p);
double ns_recorder_next(const ns_recorder *r, double t);
int ns_recorder_every(const ns_recorder *r);
/* After every step, before the row of that step if there is one. With every > 1 it keeps the
 * largest newton, newton_residual, iterations, residual, active and penetration since the last
 * row, so that no bad step hides between rows, and sums the impulses; with every = 1 it does
 * nothing. */
void ns_recorder_step(ns_recorder *r);
/* Whether it reads p in ns_recorder_step, which a driver has to bring to date then. */
int ns_recorder_gathers(const ns_recorder *r);
/* Contacts of a step, after each: with every > 1 their impulses are summed, and those that pushed
 * between rows are contacts of the next row, where they were last; with every = 1 it does nothing.
 */
int ns_recorder_contacts_step(ns_recorder *r, ns_ctx *c, const ns_contact_record *k, size_t n);
/* Contacts of the row that is recorded next, copied; without it that row has none. NS_NOMEM: they
 * are more than ever before. */
int ns_recorder_contacts(ns_recorder *r, ns_ctx *c, const ns_contact_record *k, size_t n);
/* Record the state as it is now; no allocation, no I/O but for full buffers and the 2 s flush. */
int ns_recorder_row(ns_recorder *r, ns_ctx *c);
int ns_recorder_event(ns_recorder *r, ns_ctx *c, const ns_event *e);
/* Write what is buffered, then certificate and status; close the sink; free. NULL-safe. Also after
 * failures. */
int ns_recorder_close(ns_recorder *r, ns_ctx *c, const ns_run_result *res);

#endif
