/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measures.h -- /measures of a file: a scalar each, attributes kind, unit, help, time, undefined;
 * samples [n], their times in the dataset ID.time beside them. */
#ifndef NS_IO_HDF5_MEASURES_H
#define NS_IO_HDF5_MEASURES_H

#include "io/hdf5/h5.h"
#include "io/results/result_meta.h"

/* At the end of the run; no group where there are none. < 0 on failure, the reason on HDF5's stack.
 */
int ns_h5_write_measures(hid_t file, const ns_result_meta *m);

/* All of a file to m; memory of a. No group: none. < 0 on failure. */
int ns_h5_read_measures(hid_t file, ns_arena *a, ns_result_meta *m);

#endif
