/* SPDX-License-Identifier: GPL-3.0-or-later */
/* channels.h -- the list of quantities that can be recorded, and the source of each column.
 *
 * Order and meaning of the channels are described in recorder.h and nssim-output(5). A column is
 * one double of the state; its address is known once the state exists.
 *
 * One channel for each quantity of each system and interaction is convenient up to some number;
 * beyond NS_CHANNELS_MANY an HDF5 file would consist of headers, so each quantity becomes one table
 * with a column for every component of every object: systems/q, ..., interactions/lambda. The
 * labels of the columns are the same. */
#ifndef NS_SIMULATION_RECORD_CHANNELS_H
#define NS_SIMULATION_RECORD_CHANNELS_H

#include "model/state.h"
#include "simulation/record/sink.h"

enum { NS_CHANNELS_MANY = 2000 };

/* Source of a column: a vector of the state and an offset in doubles. */
typedef enum ns_origin {
  NS_FROM_T,
  NS_FROM_Q,
  NS_FROM_V,
  NS_FROM_P,
  NS_FROM_Z,
  NS_FROM_Y,
  NS_FROM_YDOT,
  NS_FROM_LAMBDA,
  NS_FROM_IMPULSE,
  NS_FROM_SIDE,
  NS_FROM_OBSERVABLE,
  NS_FROM_SUPPORT,
  NS_FROM_ANGLE,  /* free coordinates of joints */
  NS_FROM_RATE,   /* their rates */
  NS_FROM_REPORT, /* ns_step_report as doubles */
  NS_FROM_CERT    /* offset in bytes into ns_certificate */
} ns_origin;

/* What is recorded of a double of the state. */
typedef enum ns_column_take {
  NS_TAKE_NOW, /* current value */
  NS_TAKE_SUM, /* sum since the previous row, for quantities per step */
  NS_TAKE_MEAN /* this sum divided by the time since the previous row */
} ns_column_take;

typedef struct ns_column_source {
  ns_origin from;
  ns_column_take take;
  size_t offset;
} ns_column_source;

typedef struct ns_channels {
  ns_channel *channel;      /* [n] */
  ns_column_source *source; /* [ncols]; the caller frees it */
  int n;
  size_t ncols;
} ns_channels;

/* All channels whose `id.quantity` matches; memory of `a`, but for the sources, which nobody needs
 * once addresses are known. Errors as ns_channels_select, then without sources. */
int ns_channels_list(ns_ctx *c, const ns_model *m, const char *const *patterns, int npatterns,
                     ns_arena *a, ns_channels *out);

/* The label of component i of n: ball.x, ball.v_x, ball.q[0]; ground.y, ground.y[1];
 * diagnostics.newton; of a first-order system circuit.v_C, circuit.xdot_v_C, circuit.x[0]. group:
 * "systems", ...; names: of the coordinates or NULL. Memory of `a`. */
const char *ns_channel_label(ns_arena *a, const char *group, const char *id, const char *quantity,
                             const char *const *names, int n, int i);

/* Unit of the rate of a quantity with unit u, u/s in one form; NULL if u is NULL, or out of
 * memory. */
const char *ns_channel_rate_unit(ns_arena *a, const char *u);

/* Address of a column. report: the one to read diagnostics of steps from. */
const double *ns_column_address(const ns_column_source *s, const ns_state *x,
                                const ns_step_report *report);

#endif
