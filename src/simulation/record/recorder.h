/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recorder.h -- select quantities to record, buffer rows, pass them to a sink.
 *
 * Channels are views of the state: recording a row gathers columns into a buffer of many rows (256
 * or more unless rows are wide), written when full and at least every 2 s of wall clock, so that a
 * killed run leaves a file with all rows up to then. */
#ifndef NS_SIMULATION_RECORD_RECORDER_H
#define NS_SIMULATION_RECORD_RECORDER_H

#include "model/state.h"
#include "simulation/record/sink.h"

typedef struct ns_recorder ns_recorder;

/* Channels of a model in the order of the output: time; systems/<id>/{q,v,p};
 * interactions/<id>/{y,ydot,lambda,force}; diagnostics/...; for first-order systems x, xdot, r, z,
 * and y, lambda. For thousands of objects there is one table per quantity instead, systems/q and so
 * on, see channels.h. Only channels whose `id.quantity` matches a pattern (NULL, 0: all), and
 * always time. A pattern without a dot selects all quantities of that id. A pattern without match
 * fails with NS_USAGE and a did-you-mean. Memory of `a`. *ncols: width of a row. */
int ns_channels_select(ns_ctx *c, const ns_model *m, const char *const *patterns, int npatterns,
                       ns_arena *a, const ns_channel **channels, int *nchannels, size_t *ncols);

/* The state must outlive the recorder. Opens the sink on path. every >= 1. */
int ns_recorder_create(ns_ctx *c, const ns_model *m, const ns_state *x, const ns_sink_ops *ops,
                       const char *path, const ns_run_info *info, const char *const *patterns,
                       int npatterns, int every, ns_recorder **r);
/* A smooth motion from the last state to the time `to`. place computes the state at t <= to with
 * all quantities that follow from it; its last call has t = to. */
typedef struct ns_passage {
  double to;
  int (*place)(void *of, double t);
  void *of;
} ns_passage;
/* A listener, which receives everything that is passed to a recorder, recorded or not. NULL members
 * are not called. */
typedef struct ns_listener {
  int (*event)(void *to, ns_ctx *c, const ns_event *e);     /* may be NULL */
  int (*state)(void *to, ns_ctx *c);                        /* may be NULL */
  int (*passage)(void *to, ns_ctx *c, const ns_passage *p); /* may be NULL */
  /* time at which a passage must end; may be NULL */
  double (*next)(const void *to, double t);
  void *to;
} ns_listener;
/* Resume the output of an earlier run from the point of ns_recorder_save. NS_NOINPUT: the output
 * differs, or is shorter. */
int ns_recorder_resume(ns_ctx *c, const ns_model *m, const ns_state *x, const ns_sink_ops *ops,
                       const char *path, const ns_run_info *info, const char *const *patterns,
                       int npatterns, int every, ns_blob *b, ns_recorder **r);
/* For a checkpoint: write rows and events so far to disk, and to b the data that _resume needs. */
int ns_recorder_save(ns_recorder *r, ns_ctx *c, ns_blob *b);
/* A recorder that records nothing and only passes data to listeners (ns_recorder_listen); close it
 * like any other. */
int ns_recorder_tap(ns_ctx *c, ns_recorder **r);
void ns_recorder_listen(ns_recorder *r, const ns_listener *l);
/* Pass a state within a step of the grid to listeners (measures.h), for drivers with events: just
 * before anything changes, and after everything has changed. Records nothing. */
int ns_recorder_state(ns_recorder *r, ns_ctx *c);
/* Pass a smooth motion to listeners, for drivers with dense output. A passage ends at events,
 * points of the grid, and ns_recorder_next, the first time after t requested by a listener (+inf:
 * none). */
int ns_recorder_passage(ns_recorder *r, ns_ctx *c, const ns_passage *p);
double ns_recorder_next(const ns_recorder *r, double t);
int ns_recorder_every(const ns_recorder *r);
/* Called after every step, before its row if there is one. With every > 1 it stores the maxima of
 * newton, newton_residual, iterations, residual, active and penetration since the last row, so that
 * rows show the worst step, and sums the impulses; with every = 1 it does nothing. */
void ns_recorder_step(ns_recorder *r);
/* 1 if ns_recorder_step reads p, which the driver must then update. */
int ns_recorder_gathers(const ns_recorder *r);
/* Called after each step with its contacts. With every > 1 impulses are summed, and contacts that
 * acted since the last row are contacts of the next row, at their last positions; with every = 1 it
 * does nothing. */
int ns_recorder_contacts_step(ns_recorder *r, ns_ctx *c, const ns_contact_record *k, size_t n);
/* Set the contacts of the next row, copied; without a call that row has none. NS_NOMEM. */
int ns_recorder_contacts(ns_recorder *r, ns_ctx *c, const ns_contact_record *k, size_t n);
/* Record the current state; no allocation, and no I/O except for full buffers and the flush every 2
 * s. */
int ns_recorder_row(ns_recorder *r, ns_ctx *c);
int ns_recorder_event(ns_recorder *r, ns_ctx *c, const ns_event *e);
/* Write the buffer, certificate and status; close the sink; free. NULL-safe. Also after
 * failures. */
int ns_recorder_close(ns_recorder *r, ns_ctx *c, const ns_run_result *res);

#endif
