/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader.h -- what the readers of studies share: columns, and the model that names are looked up
 * in. */
#ifndef NS_STUDY_READER_H
#define NS_STUDY_READER_H

#include "base/suggest.h"
#include "study/study.h"

typedef struct ns_study_reader {
  ns_study *s;
  const ns_study_options *o;
  ns_base *base; /* of s->model */
  ns_plugins *plugins;
  ns_model *model;         /* made once, for the names of its parameters and for its files */
  ns_study_column *column; /* malloced [s->ncolumns of cap] */
  int cap;
} ns_study_reader;

/* Open the model at path s->model and make it with those settings [n]. */
int ns_study_open_model(ns_study_reader *r, ns_ctx *c, const char *const *set, int nset,
                        const char *const *option, int noption);
/* Index of the column of a name, which may be new. < 0: neither parameter nor option, *found says
 * what is near, or out of memory: reported in c. */
int ns_study_add_column(ns_study_reader *r, ns_ctx *c, const char *name, ns_base_found *found);
/* Whether the model has a parameter of that name. */
const ns_parameter *ns_study_parameter(const ns_study_reader *r, const char *name);

int ns_study_read_xml(ns_study_reader *r, ns_ctx *c);
int ns_study_read_csv(ns_study_reader *r, ns_ctx *c);

#endif
