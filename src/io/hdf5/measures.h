/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measures.h -- /measures of a file: one scalar per measure, with attributes kind, unit, help,
 * time, undefined; samples are [n], with their times in the dataset ID.time. */
#ifndef NS_IO_HDF5_MEASURES_H
#define NS_IO_HDF5_MEASURES_H

#include "io/hdf5/h5.h"
#include "io/results/result_meta.h"

/* Write the measures at the end of the run; no group if there are none. < 0 on failure, with the
 * reason on HDF5's error stack. */
int ns_h5_write_measures(hid_t file, const ns_result_meta *m);

/* Read all measures of a file to m, allocated in a. < 0 on failure. */
int ns_h5_read_measures(hid_t file, ns_arena *a, ns_result_meta *m);

#endif
