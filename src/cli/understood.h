/* SPDX-License-Identifier: GPL-3.0-or-later */
/* understood.h -- a model in few words, for nssim check: like things grouped, sizes added up. */
#ifndef NS_CLI_UNDERSTOOD_H
#define NS_CLI_UNDERSTOOD_H

#include "cli/job.h"
#include "model/check/posed.h"

enum { NS_GROUPS_MAX = 40 };

/* Systems of one kind and size, or interactions of one relation, law, size and restitution. */
typedef struct ns_group {
  int first, last; /* indices of the first and last member */
  long long count;
} ns_group;

typedef struct ns_groups {
  ns_group group[NS_GROUPS_MAX];
  int n;
  long long others; /* members of further groups, beyond NS_GROUPS_MAX */
} ns_groups;

typedef struct ns_understood {
  ns_groups systems, interactions;
  int nchannels;       /* quantities recorded */
  size_t ncols;        /* numbers in a row */
  long long nrows;     /* rows when the run completes */
  double output_bytes; /* of HDF5, without events */
  double model_bytes;
  /* bilateral rows of rigid bodies and how many are independent, model/relations/rigid_rank.h */
  int constraints, rank;
  ns_posed *posed; /* of first-order models; owned by the command */
} ns_understood;

/* Of an open job; a failure is told in its context. */
int ns_understand(ns_job *s, ns_understood *u);

/* Names of the functions of a system whose Jacobians are differenced, "fInt, fGyr"; "" for none.
 * Returns buf. */
const char *ns_understood_differenced(const ns_system *y, char *buf, size_t n);

/* Tell in c, as warnings, what is allowed but seldom meant. */
void ns_understood_warn(const ns_model *m, ns_ctx *c);
/* Of event-driven runs: systems that a plug-in moves. */
void ns_understood_warn_plugins(const ns_model *m, ns_ctx *c);

#endif
