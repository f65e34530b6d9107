/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinks.h -- selects the sink of a path: by suffix; "-" is CSV on standard output. */
#ifndef NS_IO_RESULTS_SINKS_H
#define NS_IO_RESULTS_SINKS_H

#include "simulation/record/sink.h"

/* One line of `nssim list sinks`. */
typedef struct ns_sink_kind {
  const char *name, *suffix, *help;
} ns_sink_kind;
extern const ns_sink_kind ns_sink_kinds[]; /* ends with name NULL */

/* Find the sink. NS_USAGE for an unknown suffix, NS_NOCREATE if the HDF5 module cannot be
 * loaded. */
int ns_sink_find(ns_ctx *c, const char *path, const ns_sink_ops **ops);

#endif
