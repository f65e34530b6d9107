/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study.h -- a study: one model, and a table of what each of its runs changes.
 *
 *   study.xml   elements of the language table below <study>: grids, lists, random points
 *               (study_xml.c)
 *   study.csv   a table, one run a line (study_csv.c)
 *
 * Row k of the table is run k + 1. A cell is a number, a text (an expression with perhaps a unit)
 * or empty: then the model decides. A run is known by its key, a hash of the model with all its
 * files and plug-ins and of what the run changes; the number of a run, the order of columns and the
 * way a study is written are not part of it. */
#ifndef NS_STUDY_STUDY_H
#define NS_STUDY_STUDY_H

#include "io/load/load.h"

enum {
  NS_STUDY_RUNS_MAX = 10000000,
  NS_STUDY_KEY = 33, /* bytes of a key with its NUL: 128 bits of SHA-256 in hex */
  NS_STUDY_CELLS_MAX = 100000000
};

/* What is varied. */
typedef struct ns_study_column {
  const char *name;         /* as the study calls it */
  int option;               /* of <simulation>, or a path in the model; not a parameter */
  ns_setting_values values; /* of its cells; NS_SETTING_ANY: some may be numbers */
  const char *unit;         /* of a parameter, NULL where none */
  double initial;           /* what the model says; NaN where it does not or is not known */
} ns_study_column;

typedef struct ns_study_cell {
  const char *text; /* NULL: the value */
  double value;     /* NaN beside text NULL: empty */
} ns_study_cell;

/* Of what its runs give. */
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
  const ns_study_unit *unit; /* in the model as it stands; of what has one [nunits] */
  long long nruns;
  const ns_study_cell *cell; /* [nruns x ncolumns] by rows */
} ns_study;

typedef struct ns_study_options {
  const char *model; /* of a table; NULL: none given */
  const char *const *allow_include, *const *plugin_path;
  int nallow, nplugin_path;
} ns_study_options;

/* Read a study by the suffix of its path, .csv or else XML, and hold it against its model. *base:
 * the model, for the runs. Errors are those of a model (load.h): all of the study, in the order of
 * lines. NS_NOINPUT, NS_MODEL, NS_USAGE, NS_PLUGIN, NS_NOMEM. Plug-ins are loaded to know them, and
 * run: call it inside ns_guard_run. */
int ns_study_read(ns_ctx *c, const char *path, const ns_study_options *o, ns_study **s,
                  ns_base **base);
void ns_study_destroy(ns_study *s); /* NULL-safe */

/* A cell that reads so: a plain number is kept as one, 0.5 and 0.50 are the same run; "" is an
 * empty cell. text is kept. */
ns_study_cell ns_study_cell_of(const char *text);
/* Text of a cell as it is given to the model: 17 digits of a number; NULL for an empty one. buf
 * [NS_NUMBER_SIZE]. */
const char *ns_study_cell_text(const ns_study_cell *k, char *buf);
/* Key of run k. */
void ns_study_key(const ns_study *s, long long k, char key[NS_STUDY_KEY]);
/* What run k changes: "e = 0.5, T = 5", for people; cut at n; returns buf. */
const char *ns_study_describe(const ns_study *s, long long k, char *buf, size_t n);

#endif
