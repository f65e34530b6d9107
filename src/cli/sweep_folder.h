/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_folder.h -- status and results of the folder of a sweep. */
#ifndef NS_CLI_SWEEP_FOLDER_H
#define NS_CLI_SWEEP_FOLDER_H

#include "study/journal.h"
#include "study/manifest.h"

typedef struct ns_sweep_counts {
  long long runs, complete, failed, missing;
  long long killed; /* number of the missing runs that were killed */
  double wall;      /* wall clock of the steps of all finished runs, s */
} ns_sweep_counts;
/* Count the runs of one share. */
void ns_sweep_count(const ns_manifest *m, const ns_journal *j, int share, int shares,
                    ns_sweep_counts *n);

/* Summary of a sweep. */
typedef struct ns_sweep_summary {
  const char *dir;
  ns_sweep_counts n;
  long long done;     /* runs done by this command */
  double wall, loops; /* wall clock of the command; of the steps of those runs, s */
  int collected, stopped;
} ns_sweep_summary;
int ns_sweep_print(const ns_sweep_summary *y); /* NS_OK */
int ns_sweep_print_json(ns_ctx *c, const ns_sweep_summary *y);

int ns_cmd_sweep_status(int argc, char **argv);
int ns_cmd_sweep_collect(int argc, char **argv);

#endif
