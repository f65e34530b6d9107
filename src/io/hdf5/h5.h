/* SPDX-License-Identifier: GPL-3.0-or-later */
/* h5.h -- common part of the writer and the reader of the HDF5 module: initialization, error
 * messages, attributes, types.
 *
 * HDF5 itself prints nothing. The reason in a message is that of the system if there is one ("No
 * space left on device"), else the innermost message of the library. The library forgets the reason
 * at its next call, so it is stored when a call fails. */
#ifndef NS_IO_HDF5_H5_H
#define NS_IO_HDF5_H5_H

#include "base/context.h"

#include <hdf5.h>
#include <stddef.h>
#include <stdint.h>

extern const struct ns_sink_ops ns_h5_sink;
extern const struct ns_result_ops ns_h5_reader;
struct ns_problem_solution;
struct ns_fclib;
struct ns_arena;
struct ns_run_table;
int ns_h5_fclib_read(ns_ctx *c, const char *path, struct ns_arena *a, struct ns_fclib *f);
int ns_h5_fclib_write(ns_ctx *c, const char *path, const struct ns_fclib *f);
/* Write a file by one call of put, which returns < 0 on failure. A file that did not exist before
 * is then removed. */
int ns_h5_write_whole(ns_ctx *c, const char *path, int (*put)(hid_t file, const void *data),
                      const void *data);
int ns_h5_runs(ns_ctx *c, const char *path, const struct ns_run_table *t);
/* Channels of such a table, malloced; rows and title go to m. It is treated as a foreign table
 * whose status has the values of ns_run_status. < 0 on failure. */
#define NS_H5_RUNS_FORMAT "nssim-sweep-1"
#define NS_H5_AS_MODEL "(as the model)" /* a word that a run of a sweep leaves to its model */
struct ns_result_meta;
struct ns_channel;
int ns_h5_runs_list(hid_t file, struct ns_arena *a, struct ns_result_meta *m,
                    struct ns_channel **channels);
struct ns_hdf5_dataset;
int ns_h5_dataset(ns_ctx *c, const char *path, const char *dataset, struct ns_arena *a,
                  struct ns_hdf5_dataset *t);
struct ns_hdf5_node;
int ns_h5_tree(ns_ctx *c, const char *path, const char *const *groups, struct ns_arena *a,
               struct ns_hdf5_node *root);
int ns_h5_solution(ns_ctx *c, const char *path, const struct ns_problem_solution *s);

/* Reason of the first failed call since ns_h5_listen; "" if none failed. */
typedef struct ns_h5_reason {
  char text[256];
  int memory; /* an allocation failed in some call */
} ns_h5_reason;

/* Call before any other function; may be called again. */
int ns_h5_start(ns_ctx *c);
/* Store failures in r from now on; NULL: nowhere. Every operation begins with this call. */
void ns_h5_listen(ns_h5_reason *r);
/* 1 if an allocation failed since ns_h5_listen; the failure may have been reported as another
 * one. */
int ns_h5_lacked_memory(const ns_h5_reason *r);
/* Report "path: what: reason"; NS_NOMEM if memory ran out. */
int ns_h5_fail(ns_ctx *c, int rc, const char *path, const char *what, const ns_h5_reason *r);

/* The fill value of rows: a NaN that no computation produces. A reader finds it if a run was killed
 * during a flush, after a dataset but before its index had grown. */
double ns_h5_missing(void);
int ns_h5_is_missing(double x);

/* Close objects of any kind; ids < 0 are passed over. */
void ns_h5_close_list(const hid_t *id, size_t n);
#define ns_h5_close(...) \
  ns_h5_close_list((const hid_t[]){__VA_ARGS__}, sizeof((hid_t[]){__VA_ARGS__}) / sizeof(hid_t))
/* < 0 where there is none. */
hid_t ns_h5_find_dataset(hid_t loc, const char *name);
hid_t ns_h5_find_group(hid_t loc, const char *name);
hid_t ns_h5_create_group(hid_t loc, const char *name);

/* Fixed-length UTF-8 string of n bytes with its NUL; < 0 on failure. */
hid_t ns_h5_text_type(size_t n);
size_t ns_h5_longer(size_t n, const char *s); /* bytes of a field that takes s (or NULL), too */
/* Compound of n members, each at a place of its own; < 0 on failure, or if a type is. */
typedef struct ns_h5_member {
  const char *name;
  size_t at;
  hid_t type;
  int owned; /* the type is closed, whatever happens */
} ns_h5_member;
hid_t ns_h5_compound_type(size_t size, const ns_h5_member *m, size_t n);
hid_t ns_h5_vector_space(size_t n);

/* A dataset of `space`, which is closed; < 0 on failure, or if another id is. how: its creation
 * properties, or H5P_DEFAULT. */
hid_t ns_h5_create_dataset(hid_t loc, const char *name, hid_t type, hid_t space, hid_t how);
/* The same with all of its data, closed; < 0 on failure. */
int ns_h5_put_dataset(hid_t loc, const char *name, hid_t type, hid_t space, const void *data);
/* All *n elements of a dataset in the memory type `type`, in the arena; NULL with *n = 0 where
 * there are none, with *n < 0 on failure. */
void *ns_h5_get_dataset(struct ns_arena *a, hid_t loc, const char *name, hid_t type, int64_t *n);
/* n texts of `len` bytes side by side as a list, in the arena; NULL: none, or out of memory. */
const char **ns_h5_part(struct ns_arena *a, const char *all, size_t len, int n);

/* Attributes of an object. Each returns < 0 on failure. A NULL text is left out; `space` is
 * closed. */
int ns_h5_put(hid_t loc, const char *name, hid_t type, hid_t space, const void *value);
int ns_h5_put_text(hid_t loc, const char *name, const char *s);
int ns_h5_put_texts(hid_t loc, const char *name, const char *const *s, int n);
/* Write texts as a dataset [n]. */
int ns_h5_put_text_table(hid_t loc, const char *name, const char *const *s, int n);
int ns_h5_put_double(hid_t loc, const char *name, double x);
int ns_h5_put_integer(hid_t loc, const char *name, int64_t x);

/* Spaces of `count` elements of a dataset from `from` on, and of as many in memory; to be closed
 * even on failure, < 0. */
int ns_h5_select(hid_t d, int rank, const hsize_t *from, const hsize_t *count, hid_t *file,
                 hid_t *memory);
/* Append n rows [n x ncol] of memory type `type` to a dataset of `old` rows; rank 1: [n]. */
int ns_h5_append(hid_t d, hid_t type, int rank, int ncol, hsize_t old, hsize_t n, const void *data);
/* Read rows [from, from + n) of it. */
int ns_h5_read_rows(hid_t d, hid_t type, int rank, int ncol, hsize_t from, hsize_t n, void *to);

/* Read a text, or an array of *n texts of `*len` bytes each, into the arena; len, n may be NULL.
 * NULL if there is none. */
char *ns_h5_get_text(struct ns_arena *a, hid_t loc, const char *name, size_t *len, int *n);
double ns_h5_get_number(hid_t loc, const char *name, double otherwise);

#endif
