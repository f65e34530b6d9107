/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hdf5_dataset.h -- one dataset of any HDF5 file as a table of numbers.
 *
 * A compound dataset has a column for each member that is a number, NAME_0, NAME_1, ... for an
 * array of them; other members are left out. A dataset of numbers, [rows] or [rows x columns], has
 * the names of its attribute `columns` or `names`, or none. */
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
