/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_table.h -- the collected results of many runs, one row per run, in CSV and in HDF5.
 *
 * CSV: columns run, key, status, then the varied quantities, then the measures; name[0], name[1],
 * ... for an array. HDF5: /run, /key, /status (an enumeration) [runs]; /parameters/NAME [runs];
 * /measures/NAME [runs] or [runs x n], with attribute unit if it is known. Missing values are
 * NaN. */
#ifndef NS_IO_RESULTS_RUN_TABLE_H
#define NS_IO_RESULTS_RUN_TABLE_H

#include "base/context.h"

#include <stddef.h>

typedef enum ns_run_status { NS_RUN_MISSING, NS_RUN_COMPLETE, NS_RUN_FAILED } ns_run_status;
enum { NS_RUN_STATUSES = NS_RUN_FAILED + 1 };
const char *ns_run_status_text(ns_run_status s); /* "missing", ... */

typedef struct ns_run_column {
  const char *name, *unit; /* unit: NULL if unknown */
  int varied;              /* 1: of /parameters, 0: of /measures */
  int array;               /* [runs x n] even if n = 1 */
  size_t at, n;            /* position and length in a row */
  /* values are positions in this list of words [nwords], NaN: the value of the model; NULL: values
   * are numbers */
  const char *const *word;
  int nwords;
} ns_run_column;

typedef struct ns_run_table {
  const char *study, *model, *title; /* paths; title "" where none */
  const char *model_key;
  long long nruns;
  const char *const *key;    /* [nruns] */
  const signed char *status; /* ns_run_status [nruns] */
  int ncolumns;
  const ns_run_column *column;
  size_t width;
  const double *value; /* [nruns x width] */
} ns_run_table;

/* Write the table to a file that replaces the old one at once: a reader sees either. NS_NOCREATE,
 * NS_OUTPUT. */
int ns_run_table_csv(ns_ctx *c, const char *path, const ns_run_table *t);
int ns_run_table_h5(ns_ctx *c, const char *path, const ns_run_table *t);

#endif
