/* SPDX-License-Identifier: GPL-3.0-or-later */
/* twin.h -- change the structure of a file so that a kill at any moment leaves the old file or the
 * new one.
 *
 * HDF5 1.10 keeps no journal: a flush that is killed half way may leave groups that nobody can
 * read. Rows are safe, see ns_h5_writer_flush; what adds or removes objects is done in a copy
 * beside the file, which takes its place when it is whole. */
#ifndef NS_IO_HDF5_TWIN_H
#define NS_IO_HDF5_TWIN_H

/* PATH.new beside the file that PATH leads to, a copy of it, which shares its blocks where the file
 * system can. To be freed; NULL: there is none, errno tells why. One that a killed run left is
 * replaced. */
char *ns_twin_make(const char *path);
/* The twin reaches the disk and takes the place of the file, and *lock becomes its own
 * (base/claim.h); < 0: errno tells why, the twin is gone. */
int ns_twin_replace(const char *path, const char *twin, int *lock);

#endif
