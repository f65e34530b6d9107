/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader.h -- data shared by the readers of studies: columns, and the model in which names are
 * looked up. */
#ifndef NS_STUDY_READER_H
#define NS_STUDY_READER_H

#include "base/suggest.h"
#include "study/study.h"

typedef struct ns_study_reader {
  ns_study *s;
  const ns_study_options *o;
  ns_base *base; /* of s->model */
  ns_plugins *plugins;
  ns_model *model;         /* built once, for the names of its parameters and for its files */
  ns_study_column *column; /* malloced [s->ncolumns] */
} ns_study_reader;

/* Open the model at path s->model and build it with these settings [nset] and options [noption]. */
int ns_study_open_model(ns_study_reader *r, ns_ctx *c, const char *const *set, int nset,
                        const char *const *option, int noption);
/* Index of the column with this name at place `at`, which is added if it is new. < 0: the name is
 * neither a parameter nor an option, NS_MODEL, or memory ran out, NS_NOMEM; reported in c. */
int ns_study_add_column(ns_study_reader *r, ns_ctx *c, const char *at, const char *name);
/* The parameter of the model with this name; NULL: none. */
const ns_parameter *ns_study_parameter(const ns_study_reader *r, const char *name);

int ns_study_read_xml(ns_study_reader *r, ns_ctx *c);
int ns_study_read_csv(ns_study_reader *r, ns_ctx *c);

#endif
