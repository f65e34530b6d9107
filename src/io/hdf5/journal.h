/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal.h -- a file driver of HDF5 whose changes reach the file all at once, whatever moment a
 * kill chooses.
 *
 * HDF5 1.10 writes the structure of a file (superblock, object headers, indices) in place and in
 * many writes. A process that ends between two of them leaves indices of two different states. So
 * this driver distinguishes what the last commit refers to from what lies behind its end:
 *
 *   behind the end of the file at the last commit   written at once, nothing refers to it yet
 *   rows that are only appended                     likewise: the extent of the last commit ends
 *                                                   before them
 *   anything else                                   kept in memory until the next commit
 *
 * A commit writes what was kept to PATH.journal, and then to the file. The journal contains, for
 * each stretch of bytes, what is to stand there and what stood there before, and a SHA-256 of all.
 * A kill while it is written leaves one that does not match its SHA-256, beside a file that was not
 * touched; a kill after that leaves one that says how the file is completed, as often as one likes.
 * It is valid until the next commit begins. In a file that is not the one it was written for, bytes
 * differ both from the old and from the new ones: it is then ignored.
 *
 *   "nssimjnl", byte order mark, format, size of the file, stretches, their bytes    40 bytes
 *   for each stretch where it begins and its length                                  16 bytes each
 *   new bytes of all stretches, old bytes of all stretches
 *   SHA-256 of all before
 *
 * With `sync` each part reaches the disk before the next one begins, so that the same holds where
 * the machine crashes. */
#ifndef NS_IO_HDF5_JOURNAL_H
#define NS_IO_HDF5_JOURNAL_H

#include <hdf5.h>

/* Use the driver for files that are written. rewrites: rows may move, as those of compressed
 * chunks do, so they are kept until the next commit, too. < 0 on failure. */
int ns_h5_journal_write_by(hid_t fapl, int rewrites);
/* Use it for reading a file with what its journal adds, if there is a valid one; nothing is
 * changed. < 0 on failure. */
int ns_h5_journal_read_by(hid_t fapl, const char *path);

/* Of a file that is written by this driver, after H5Fflush: make what was written since the last
 * commit the content of the file. A new file has its first content by this. sync: wait for the
 * disk. < 0 on failure, with the reason in errno; the file has its old content, or the journal has
 * its new one. */
int ns_h5_journal_commit(hid_t file, int sync);
/* Where the file ends, with what waits for the next commit. */
haddr_t ns_h5_journal_end(hid_t file);
/* After a failure: nothing more is written, whatever the library does with the file. */
void ns_h5_journal_abandon(hid_t file);

/* Before a file that was left by another process is opened: complete it by its journal, and remove
 * that. < 0: failed, see errno. */
int ns_h5_journal_replay(const char *path);
/* Remove the journal of a file that is complete, or will be written from the beginning. */
void ns_h5_journal_remove(const char *path);

#endif
