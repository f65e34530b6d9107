/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hdf5_dataset.h -- a dataset of any HDF5 file as a table of numbers.
 *
 * A compound dataset gives one column for each numeric member, and NAME_0, NAME_1, ... for an
 * array; other members are ignored. A numeric dataset, [rows] or [rows x columns], takes the names
 * of its columns from its attribute `columns` or `names`, if it has one. */
#ifndef NS_IO_HDF5_DATASET_H
#define NS_IO_HDF5_DATASET_H

#include <stddef.h>

typedef struct ns_hdf5_dataset {
  size_t rows;
  int cols;
  const char *const *name; /* [cols]; NULL: none */
  const double *value;     /* [rows x cols] by rows */
} ns_hdf5_dataset;

enum { NS_HDF5_COLUMNS = 1000 }; /* at most */

#endif
