/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reserve.h -- room on the disk that is kept for the structure of a file.
 *
 * Rows reach the file as they come, the structure that finds them (extents, indices) only in a
 * flush, and where it will stand the file has holes so far. A full disk would take the rows and
 * refuse their structure. So as many bytes as the structure needs are kept by a nameless file in
 * the same folder, which is given up for the last flush. Where the file system cannot do that,
 * there is none. */
#ifndef NS_IO_HDF5_RESERVE_H
#define NS_IO_HDF5_RESERVE_H

#include <stddef.h>

typedef struct ns_reserve {
  int fd;       /* -1: none */
  int off;      /* the file system has none */
  size_t bytes; /* kept */
} ns_reserve;

#define NS_RESERVE_NONE ((ns_reserve){.fd = -1})

/* At least so many bytes beside the file at path. -1 with errno (ENOSPC, EDQUOT): the disk is full.
 */
int ns_reserve_keep(ns_reserve *r, const char *path, size_t bytes);
/* 1: there was one. */
int ns_reserve_give_up(ns_reserve *r);

#endif
