/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hdf5_tree.h -- groups of any HDF5 file as a tree of numbers and texts in memory.
 *
 * It is meant for untrusted files of other programs. Sizes are checked before they are used. Links
 * that are not hard links, data in other files, and depths and sizes beyond the limits below are
 * errors. Objects that are neither numbers nor texts (opaque, compound, references) appear in the
 * tree with their name but without values. */
#ifndef NS_IO_HDF5_TREE_H
#define NS_IO_HDF5_TREE_H

#include <stddef.h>

enum {
  NS_HDF5_DEPTH = 8,         /* groups within groups */
  NS_HDF5_NODES = 2000000,   /* objects and attributes of a tree */
  NS_HDF5_ENTRIES = 30000000 /* numbers of a tree plus 1/8 of the bytes of its texts */
};

/* Value of an attribute or a dataset. */
typedef struct ns_hdf5_value {
  const char *name;
  /* n = rows cols entries; a scalar is 1 x 1, a vector rows x 1, more dimensions are multiplied
   * into cols */
  size_t rows, cols, n;
  const double *number;    /* [n]; NULL: none */
  const char *const *text; /* [n]; NULL: none */
  /* the file has 32-bit numbers, converted by way of their shortest decimals */
  int single;
} ns_hdf5_value;

/* A group or a dataset, with its attributes; both by name. */
typedef struct ns_hdf5_node {
  const char *name;
  int is_group;
  ns_hdf5_value data;             /* of a dataset */
  const ns_hdf5_value *attribute; /* [nattributes] */
  int nattributes;
  const struct ns_hdf5_node *child; /* [nchildren] */
  int nchildren;
} ns_hdf5_node;

#endif
