/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.h -- loads and checks a model file.
 *
 * The XML is read safely: no DOCTYPE, no network, no entities, no includes outside the model's
 * folder. The loader checks it against the language table, evaluates parameters and expressions,
 * unrolls <repeat>, infers sizes and builds the model. All errors of the file are reported, each
 * with file and line. */
#ifndef NS_IO_LOAD_LOAD_H
#define NS_IO_LOAD_LOAD_H

#include "model/model.h"
#include "plugin/loader.h"

typedef struct ns_load_options {
  /* NAME=VALUE: values of parameters; if there is no such parameter, as option [nset] */
  const char *const *set;
  int nset;
  /* 1: VALUE is a number in SI units, 0: in the unit of the parameter [nset]; NULL: all 0 */
  const unsigned char *si;
  const char *const *
      option; /* NAME=VALUE of <simulation> and what is in it, T=5, LCP.tolerance=1e-9, solver=nsgs,
                 scheme=..., or PATH=VALUE of anything: #ball/q0=2 (load_settings.h) [noption] */
  int noption;
  /* further folders from which includes and file= may read [nallow] */
  const char *const *allow_include;
  int nallow;
  long max_instances; /* maximum number of systems and interactions; 0: 2000000 */
  /* for files of other programs (io/import/import.h); NULL: none */
  const struct ns_import_options *import;
  /* 1: contradictory units in formulas are reported (load_dimensions.h); 2: in all formulas, and
   * literals are pure numbers */
  int units;
  /* derivatives are not checked against their functions (model/check/given.h); for tests */
  int as_given;
} ns_load_options;

/* Report all options of the simulation, including defaults: attributes of its elements in the
 * language table, with their values as in a model. problem: the element of the one-step problem;
 * NULL: none. */
typedef void (*ns_option_fn)(void *to, const char *element, const char *attribute,
                             const char *value);
void ns_options_each(const ns_model *m, const char *problem, ns_option_fn fn, void *to);

/* Load a model file; "-" reads standard input. NS_NOINPUT, NS_MODEL, NS_PLUGIN, NS_NOMEM; NS_USAGE
 * if the first error is an override that cannot be understood (no such parameter, no formula,
 * unknown name or unit). A value that is invalid in the model is NS_MODEL, as in the file. */
int ns_load_file(ns_ctx *c, const char *path, const ns_load_options *opt, ns_plugins *plugins,
                 ns_model **m);
/* The same from memory; name is used for the file in messages, and its folder is the model's. If
 * plugins is NULL, a plug-in is an error. */
int ns_load_memory(ns_ctx *c, const char *name, const char *text, size_t n,
                   const ns_load_options *opt, ns_plugins *plugins, ns_model **m);

/* A model file that is read once and built several times, each time with other parameters and
 * options. opt: only allow_include and max_instances are used. ns_base_make reports the same errors
 * as ns_load_file. A model borrows from the base and is valid until the next one is built. Use it
 * from one thread at a time. */
typedef struct ns_base ns_base;
int ns_base_create(ns_ctx *c, const char *path, const ns_load_options *opt, ns_base **b);
int ns_base_make(ns_base *b, ns_ctx *c, const ns_load_options *opt, ns_plugins *plugins,
                 ns_model **m);
void ns_base_destroy(ns_base *b); /* NULL-safe */
/* Value of an option in a model built from the base; NaN if it is not known. */
double ns_base_option(const ns_base *b, const ns_model *m, const char *name);
/* 1 if NAME can be changed (load_options.option). */
typedef enum ns_setting_values {
  NS_SETTING_NUMBERS,
  NS_SETTING_WORDS,
  NS_SETTING_ANY
} ns_setting_values;
typedef struct ns_base_found {
  ns_setting_values values;
  const char *suggest; /* if it cannot: the nearest name, NULL for none */
  char why[600];       /* the error in a path, else "" */
} ns_base_found;
int ns_base_has_option(const ns_base *b, const char *name, ns_base_found *found);

#endif
