/* SPDX-License-Identifier: GPL-3.0-or-later */
/* twin.h -- changes the structure of a file so that a kill at any time leaves either the old or the
 * new file.
 *
 * HDF5 1.10 has no journal: a flush that is killed can leave groups that are unreadable. Rows are
 * safe (ns_h5_writer_flush). Changes that add or remove objects are made in a copy next to the
 * file, which replaces it when it is complete. */
#ifndef NS_IO_HDF5_TWIN_H
#define NS_IO_HDF5_TWIN_H

/* Create a copy PATH.new of the file to which path resolves; it shares the blocks of the file if
 * the file system can do so. Returns its path, freed by the caller; NULL: failed, see errno. A
 * PATH.new left by a killed run is replaced. */
char *ns_twin_make(const char *path);
/* Flush the copy to disk and replace the file by it; *lock becomes the lock of the new file
 * (base/claim.h). < 0: failed, see errno; the copy is removed. */
int ns_twin_replace(const char *path, const char *twin, int *lock);

#endif
