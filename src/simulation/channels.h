/* SPDX-License-Identifier: GPL-3.0-or-later */
/* channels.h -- the list of what can be recorded, and where each column is read.
 *
 * Order and meaning of the channels are described in recorder.h and nssim-output(5). A column is
 * one double of the state; its address is known once the state exists. */
#ifndef NS_SIMULATION_CHANNELS_H
#define NS_SIMULATION_CHANNELS_H

#include "model/state.h"
#include "simulation/sink.h"

/* Where the columns of a channel begin: a vector of the state and an offset in doubles. */
typedef enum ns_origin {
  NS_FROM_T,
  NS_FROM_Q,
  NS_FROM_V,
  NS_FROM_P,
  NS_FROM_Y,
  NS_FROM_YDOT,
  NS_FROM_LAMBDA,
  NS_FROM_REPORT, /* ns_step_report as doubles */
  NS_FROM_CERT    /* offset in bytes into ns_certificate */
} ns_origin;

typedef struct ns_channel_source {
  ns_origin from;
  size_t offset;
} ns_channel_source;

typedef struct ns_channels {
  ns_channel *channel;       /* [n] */
  ns_channel_source *source; /* [n] */
  int n;
  size_t ncols;
} ns_channels;

/* All channels whose `id.quantity` matches; memory of `a`. Errors as ns_channels_select. */
int ns_channels_list(ns_ctx *c, const ns_model *m, const char *const *patterns, int npatterns,
                     ns_arena *a, ns_channels *out);

/* Address of the first column of a source. report: the one to read diagnostics of steps from. */
const double *ns_channel_address(const ns_channel_source *s, const ns_state *x,
                                 const ns_step_report *report);

#endif
