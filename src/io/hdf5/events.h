/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.h -- rows of /events in HDF5: the columns of event_columns.h one after the other, packed.
 *
 * Reals have 8 bytes, integers 4, kinds and modes 1, and ids `idlen` with their NUL, the same in
 * all rows of a file. */
#ifndef NS_IO_HDF5_EVENTS_H
#define NS_IO_HDF5_EVENTS_H

#include "io/results/event_columns.h"

#include <hdf5.h>

/* Bytes of a row. */
size_t ns_h5_event_size(size_t idlen);
/* Type of a row, closed by the caller; < 0 on failure. kinds: sum of 1 << ns_event_kind over the
 * kinds that can occur; for reading, all. */
hid_t ns_h5_event_type(size_t idlen, unsigned kinds);
/* An event to a row, and back; the id of the latter is that in the row. */
void ns_h5_event_pack(size_t idlen, const ns_result_event *e, char *row);
void ns_h5_event_unpack(size_t idlen, const char *row, ns_result_event *e);

#endif
