/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contacts.h -- contacts between shapes in an HDF5 output.
 *
 *   /contacts       one row per contact: time, a, b, point, normal, gap, velocity, impulse,
 *                   moment, force (ns_contact_record)
 *   /contact_rows   [N] first and count: the contacts of each row of /time
 *
 * To avoid many small writes when rows have few contacts, contacts are buffered until a chunk is
 * full or the file is flushed. */
#ifndef NS_IO_HDF5_CONTACTS_H
#define NS_IO_HDF5_CONTACTS_H

#include "io/hdf5/h5.h"
#include "simulation/record/sink.h"

typedef struct ns_h5_contact {
  double t;
  ns_contact_record k;
} ns_h5_contact;

typedef struct ns_h5_contact_row {
  uint64_t first;
  uint32_t count;
} ns_h5_contact_row;

typedef struct ns_h5_contacts {
  hid_t data, rows, type, row_type; /* -1: not open */
  uint64_t n, nrows;                /* number in the file */
  size_t held, held_rows;           /* number in the buffers */
  ns_h5_contact *buf;               /* [one chunk]; NULL: contacts are not recorded */
  ns_h5_contact_row *row;           /* likewise */
} ns_h5_contacts;

/* Allocate memory and types. < 0 on failure; call ns_h5_contacts_fini in any case. */
int ns_h5_contacts_init(ns_h5_contacts *k);
void ns_h5_contacts_fini(ns_h5_contacts *k); /* safe on a zeroed struct */
/* These return < 0 on failure, and do nothing if contacts are not recorded. chunk: rows per chunk
 * of each table. */
int ns_h5_contacts_create(ns_h5_contacts *k, hid_t file, hsize_t chunk);
int ns_h5_contacts_open(ns_h5_contacts *k, hid_t file);
void ns_h5_contacts_forget(ns_h5_contacts *k); /* the file was closed */
int ns_h5_contacts_put(ns_h5_contacts *k, double t, const ns_contact_record *list, size_t n);
/* Write the buffered contacts to the datasets. */
int ns_h5_contacts_write(ns_h5_contacts *k);

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct ns_h5_contact_list {
  hid_t data, type;
  ns_h5_contact_row *row; /* rows whose contacts are all in the file [n] */
  size_t n;
} ns_h5_contact_list;

/* Open the contacts of at most `max` rows; n = 0 if there are none. < 0: out of memory; close it
 * in any case. */
int ns_h5_contact_list_open(hid_t file, size_t max, ns_h5_contact_list *l);
/* call before the file is closed; safe on a zeroed struct */
void ns_h5_contact_list_close(ns_h5_contact_list *l);
/* Contacts of row i, k [row[i].count]; < 0 on failure. */
int ns_h5_contact_list_read(const ns_h5_contact_list *l, size_t i, ns_contact_record *k);

#endif
