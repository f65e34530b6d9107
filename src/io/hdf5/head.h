/* SPDX-License-Identifier: GPL-3.0-or-later */
/* head.h -- /model, /provenance, /certificate and the root attribute of a file. */
#ifndef NS_IO_HDF5_HEAD_H
#define NS_IO_HDF5_HEAD_H

#include "io/hdf5/h5.h"
#include "io/results/result_meta.h"

enum { NS_H5_STATUS_SIZE = 16 }; /* bytes of the status attribute: rewritten in place */

/* Before the run; < 0 on failure, the reason on HDF5's stack. */
int ns_h5_write_head(hid_t file, const ns_result_meta *m);
/* After it: certificate, end of provenance, but not yet the status. */
int ns_h5_write_tail(hid_t file, const ns_result_meta *m);
/* Who began the run, where and when, from the file of a run that goes on in another one; the head
 * of that is written. */
int ns_h5_copy_origin(hid_t from, hid_t to);
/* 1 where write_tail or another end of the run changes an object (attribute NULL) or an attribute
 * of one; paths as H5Ovisit gives them, "." is the file. */
int ns_h5_is_tail(const char *path, const char *attribute);
/* The last thing written. */
int ns_h5_write_status(hid_t file, const char *status);

#endif
