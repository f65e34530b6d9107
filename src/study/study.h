/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study.h -- a study: a model, and a table of what each of its runs changes.
 *
 *   study.xml   elements of the language table below <study>: grids, lists, random points
 *               (study_xml.c)
 *   study.csv   a table, one run per line (study_csv.c)
 *
 * Row k of the table is run k + 1. A cell is a number, a text (an expression, which may have a
 * unit), or empty, in which case the model's value is used. A run is identified by its key, a hash
 * of the model with all its files and plug-ins and of the changes of the run. The key does not
 * depend on the number of the run, the order of columns or the format of the study. */
#ifndef NS_STUDY_STUDY_H
#define NS_STUDY_STUDY_H

#include "io/load/load.h"

enum {
  NS_STUDY_RUNS_MAX = 10000000,
  NS_STUDY_KEY = 33, /* bytes of a key with its NUL: 128 bits of SHA-256 in hex */
  NS_STUDY_CELLS_MAX = 100000000
};

/* A quantity that is varied. */
typedef struct ns_study_column {
  const char *name; /* name in the study */
  /* 1: an option of <simulation> or a path in the model; 0: a parameter */
  int option;
  ns_setting_values values; /* of its cells; NS_SETTING_ANY: some may be numbers */
  const char *unit;         /* of a parameter, NULL where none */
  double initial;           /* value in the model; NaN if it has none or it is not known */
} ns_study_column;

typedef struct ns_study_cell {
  const char *text; /* NULL: the value */
  double value;     /* NaN and text NULL: the cell is empty */
} ns_study_cell;

/* Unit of a result of the runs. */
typedef struct ns_study_unit {
  const char *name, *unit;
} ns_study_unit;

typedef struct ns_study {
  ns_arena *arena;
  const char *path, *name, *title; /* name, title: "" where none */
  const char *model;               /* path that opens it */
  char model_key[65];              /* SHA-256 of the sums of all its files and plug-ins */
  int uses_plugins;
  int ncolumns;
  const ns_study_column *column;
  int nunits;
  const ns_study_unit *unit; /* units in the unmodified model, of results that have one [nunits] */
  long long nruns;
  const ns_study_cell *cell; /* [nruns x ncolumns] by rows */
} ns_study;

typedef struct ns_study_options {
  const char *model; /* model of a table; NULL: none given */
  const char *const *allow_include, *const *plugin_path;
  int nallow, nplugin_path;
} ns_study_options;

/* Read a study, in CSV if its path ends in .csv and else in XML, and check it against its model.
 * *base: the model, for the runs. All errors of the study are reported, as for models (load.h), in
 * the order of lines. NS_NOINPUT, NS_MODEL, NS_USAGE, NS_PLUGIN, NS_NOMEM. Plug-ins are loaded,
 * which runs their code: call it inside ns_guard_run. */
int ns_study_read(ns_ctx *c, const char *path, const ns_study_options *o, ns_study **s,
                  ns_base **base);
void ns_study_destroy(ns_study *s); /* NULL-safe */

/* Cell with this text. A plain number is stored as a number, so that 0.5 and 0.50 give the same
 * run; "" gives an empty cell. The text is borrowed. */
ns_study_cell ns_study_cell_of(const char *text);
/* Text of a cell as passed to the model: a number with 17 digits; NULL for an empty cell. buf
 * [NS_NUMBER_SIZE]. */
const char *ns_study_cell_text(const ns_study_cell *k, char *buf);
/* Key of run k. */
void ns_study_key(const ns_study *s, long long k, char key[NS_STUDY_KEY]);
/* The changes of run k for messages: "e = 0.5, T = 5"; cut at n; returns buf. */
const char *ns_study_describe(const ns_study *s, long long k, char *buf, size_t n);

#endif
