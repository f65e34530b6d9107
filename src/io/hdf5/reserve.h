/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reserve.h -- disk space reserved for the structure of a file.
 *
 * Rows are written as they come, but the structure that finds them (extents, indices) only at a
 * flush, and until then its place is a hole in the file. A full disk could therefore accept the
 * rows but not their structure. To avoid this, an unnamed file in the same folder occupies as many
 * bytes as the structure needs. It is released when the disk is full, for one more flush. File
 * systems without unnamed files get no reserve. */
#ifndef NS_IO_HDF5_RESERVE_H
#define NS_IO_HDF5_RESERVE_H

#include <stddef.h>

typedef struct ns_reserve {
  int fd;       /* -1: none */
  int off;      /* the file system does not support it */
  size_t bytes; /* reserved */
} ns_reserve;

#define NS_RESERVE_NONE ((ns_reserve){.fd = -1})

/* Reserve at least `bytes` bytes in the folder of the file at path. -1 with errno (ENOSPC, EDQUOT):
 * the disk is full. */
int ns_reserve_keep(ns_reserve *r, const char *path, size_t bytes);
/* Release the reserve. Returns 1 if there was one. */
int ns_reserve_give_up(ns_reserve *r);

#endif
