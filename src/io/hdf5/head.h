/* SPDX-License-Identifier: GPL-3.0-or-later */
/* head.h -- /model, /provenance, /certificate and the root attribute of a file. */
#ifndef NS_IO_HDF5_HEAD_H
#define NS_IO_HDF5_HEAD_H

#include "io/hdf5/h5.h"
#include "io/results/result_meta.h"

enum { NS_H5_STATUS_SIZE = 16 }; /* bytes of the status attribute: rewritten in place */

/* Rows of /model/parameters and /model/sources, their texts side by side in fields of so many
 * bytes. */
hid_t ns_h5_parameter_type(size_t name, size_t unit);
hid_t ns_h5_source_type(size_t path);

/* Call before the run; < 0 on failure, with the reason on HDF5's error stack. */
int ns_h5_write_head(hid_t file, const ns_result_meta *m);
/* Call after the run: writes the certificate and the end of the provenance, but not yet the
 * status. */
int ns_h5_write_tail(hid_t file, const ns_result_meta *m);
/* Copy version, command, host, user, date of the start and libraries from the file of a run that is
 * resumed in another file, whose head has been written. */
int ns_h5_copy_origin(hid_t from, hid_t to);
/* 1 if the end of a run changes this object (attribute NULL) or this attribute of it; paths as
 * given by H5Ovisit, "." is the file. */
int ns_h5_is_tail(const char *path, const char *attribute);
/* Write the status; this is the last write. */
int ns_h5_write_status(hid_t file, const char *status);

#endif
