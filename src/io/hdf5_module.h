/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hdf5_module.h -- access to HDF5 through a module.
 *
 * Loading the HDF5 library takes 7 ms at start-up. It is therefore linked to a separate module,
 * nssim-hdf5.so, which is loaded only when an .h5 file is written or read. The module uses
 * functions of the program that loads it, and structures of its headers, so both must come from the
 * same build: the version and a checksum of all headers are compared when it is loaded. */
#ifndef NS_IO_HDF5_MODULE_H
#define NS_IO_HDF5_MODULE_H

#include "io/hdf5_dataset.h"
#include "io/hdf5_tree.h"
#include "io/problemfile/fclib.h"
#include "io/problemfile/problem_file_solution.h"
#include "io/results/result.h"
#include "io/results/run_table.h"
#include "simulation/record/sink.h"

#define NS_HDF5_ABI 10 /* of the first three members below, which any version finds */
/* Checksum of all headers; the Makefile defines it where it is read. */
#ifndef NS_HEADERS
#define NS_HEADERS ""
#endif
#define NS_HDF5_SYMBOL "ns_hdf5_module_get"

typedef struct ns_hdf5_module {
  int abi;             /* NS_HDF5_ABI when compiled */
  const char *version; /* of nssim when compiled */
  const char *headers; /* NS_HEADERS when compiled */
  const ns_sink_ops *sink;
  const ns_result_ops *reader;
  /* "HDF5 1.10.8" to buf [n]; returns buf. */
  const char *(*library)(char *buf, size_t n);
  /* NS_NOCREATE, NS_OUTPUT */
  int (*solution)(ns_ctx *c, const char *path, const ns_problem_solution *s);
  int (*fclib_read)(ns_ctx *c, const char *path, ns_arena *a, ns_fclib *f); /* NS_MODEL */
  /* NS_NOCREATE, NS_OUTPUT */
  int (*fclib_write)(ns_ctx *c, const char *path, const ns_fclib *f);
  int (*runs)(ns_ctx *c, const char *path, const ns_run_table *t); /* the same */
  /* A dataset as a table, allocated in `a`. NS_MODEL. */
  int (*dataset)(ns_ctx *c, const char *path, const char *dataset, ns_arena *a, ns_hdf5_dataset *t);
  /* Read the groups with these paths (ended by NULL) as children of *root, in this order; the
   * attributes of / become those of *root. A missing group becomes an empty node with is_group = 0.
   * Allocated in `a`. NS_MODEL. */
  int (*tree)(ns_ctx *c, const char *path, const char *const *groups, ns_arena *a,
              ns_hdf5_node *root);
  /* n bytes of a zlib stream, by the library that HDF5 uses, to exactly m bytes. NS_MODEL: they are
   * no such stream; NS_NOMEM; neither is reported. */
  int (*inflate)(const unsigned char *from, size_t n, unsigned char *to, size_t m);
} ns_hdf5_module;

/* Exported by the module. */
const ns_hdf5_module *ns_hdf5_module_get(void);
typedef const ns_hdf5_module *(*ns_hdf5_module_getter)(void);

/* Write the path of the module to path [n]: the first of $NSSIM_MODULE_PATH, modules/ next to the
 * program, ../lib/nssim, and the folder given to configure in which it exists. Returns 1 if
 * found. */
int ns_hdf5_module_path(char *path, size_t n);
/* Load the module (once per process, by the count of the dynamic linker). NULL, with `rc` in the
 * context, on failure. */
const ns_hdf5_module *ns_hdf5_module_load(ns_ctx *c, int rc);

#endif
