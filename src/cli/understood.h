/* SPDX-License-Identifier: GPL-3.0-or-later */
/* understood.h -- summary of a model for `nssim check`: similar objects are grouped, sizes are
 * added. */
#ifndef NS_CLI_UNDERSTOOD_H
#define NS_CLI_UNDERSTOOD_H

#include "cli/job.h"
#include "model/check/posed.h"

enum { NS_GROUPS_MAX = 40 };

/* Systems of one kind and size, or interactions with the same relation, law, size and
 * restitution. */
typedef struct ns_group {
  int first, last; /* indices of the first and last member */
  long long count;
} ns_group;

typedef struct ns_groups {
  ns_group group[NS_GROUPS_MAX];
  int n;
  long long others; /* number of members of further groups, beyond NS_GROUPS_MAX */
} ns_groups;

typedef struct ns_understood {
  ns_groups systems, interactions;
  int nchannels;       /* quantities recorded */
  size_t ncols;        /* number of values per row */
  long long nrows;     /* number of rows when the run completes */
  double output_bytes; /* size of HDF5, without events */
  double model_bytes;
  /* bilateral rows of rigid bodies and the number of independent ones,
   * model/relations/rigid_rank.h */
  int constraints, rank;
  ns_posed *posed; /* of first-order models; owned by the command */
} ns_understood;

/* Summarize the model of an open job; a failure is reported in its context. */
int ns_understand(ns_job *s, ns_understood *u);

/* Names of the functions of a system whose Jacobians are computed by finite differences, "fInt,
 * fGyr"; "" if none. Returns buf. */
const char *ns_understood_differenced(const ns_system *y, char *buf, size_t n);

/* Report in c, as warnings, what is allowed but seldom intended. */
void ns_understood_warn(const ns_model *m, ns_ctx *c);
/* Warnings for event-driven runs: systems whose motion depends on a plug-in. */
void ns_understood_warn_plugins(const ns_model *m, ns_ctx *c);

#endif
