/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.h -- from a model file to a checked model.
 *
 * Reads XML safely (no DOCTYPE, no network, no entity, no include outside the model's folder),
 * holds it against the language table, evaluates parameters and expressions, unrolls <repeat>,
 * infers sizes and builds the model. All errors of the file are reported, each with file and line.
 */
#ifndef NS_IO_LOAD_LOAD_H
#define NS_IO_LOAD_LOAD_H

#include "model/model.h"
#include "plugin/loader.h"

typedef struct ns_load_options {
  /* NAME=VALUE: of parameters; where there is none of the name, as option [nset] */
  const char *const *set;
  int nset;
  const char *const *
      option; /* NAME=VALUE of <simulation> and what is in it, T=5, LCP.tolerance=1e-9, solver=nsgs,
                 scheme=..., or PATH=VALUE of anything: #ball/q0=2 (load_settings.h) [noption] */
  int noption;
  const char *const *allow_include; /* further folders that includes and file= may read [nallow] */
  int nallow;
  long max_instances; /* most systems and interactions; 0: 2000000 */
  /* for files of other programs (import/import.h); NULL: nothing is said */
  const struct ns_import_options *import;
  int units; /* 1: units that contradict each other in formulas are told (load_dimensions.h), 2: in
                all, and literals are numbers */
  /* derivatives are not held against their functions (model/check/given.h): for tests of calls */
  int as_given;
} ns_load_options;

/* All options of the simulation that are in force, also those that nobody gave: attributes of its
 * elements in the language table, with their values as they would be written. problem: the element
 * of the one-step problem; NULL: there is none. */
typedef void (*ns_option_fn)(void *to, const char *element, const char *attribute,
                             const char *value);
void ns_options_each(const ns_model *m, const char *problem, ns_option_fn fn, void *to);

/* "-" reads standard input. NS_NOINPUT, NS_MODEL, NS_PLUGIN, NS_NOMEM; NS_USAGE for an override
 * that cannot be understood (no such parameter, no formula, unknown name or unit) beside no other
 * error before it; a value that the model cannot have is NS_MODEL, as in the file. */
int ns_load_file(ns_ctx *c, const char *path, const ns_load_options *opt, ns_plugins *plugins,
                 ns_model **m);
/* The same from memory; name stands for the file in messages, its folder for the model's. plugins
 * may be NULL: then a plug-in is an error. */
int ns_load_memory(ns_ctx *c, const char *name, const char *text, size_t n,
                   const ns_load_options *opt, ns_plugins *plugins, ns_model **m);

/* A model file that is read once and made many times, each time with other parameters and options.
 * opt: allow_include and max_instances alone count. ns_base_make says what ns_load_file would; a
 * model borrows from the base and lives until the next is made. For one thread at a time. */
typedef struct ns_base ns_base;
int ns_base_create(ns_ctx *c, const char *path, const ns_load_options *opt, ns_base **b);
int ns_base_make(ns_base *b, ns_ctx *c, const ns_load_options *opt, ns_plugins *plugins,
                 ns_model **m);
void ns_base_destroy(ns_base *b); /* NULL-safe */
/* Value of such an option in a model that the base made; NaN where it is not known. */
double ns_base_option(const ns_base *b, const ns_model *m, const char *name);
/* Whether NAME names what may be changed (load_options.option). */
typedef enum ns_setting_values {
  NS_SETTING_NUMBERS,
  NS_SETTING_WORDS,
  NS_SETTING_ANY
} ns_setting_values;
typedef struct ns_base_found {
  ns_setting_values values;
  const char *suggest; /* where it is none: the nearest name, NULL for none */
  char why[600];       /* what is wrong with a path, "" else */
} ns_base_found;
int ns_base_has_option(const ns_base *b, const char *name, ns_base_found *found);

#endif
