/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contacts.h -- contacts between shapes in an HDF5 output.
 *
 *   /contacts       one row a contact: time, a, b, point, normal, gap, velocity, impulse, moment,
 *                   force (ns_contact_record)
 *   /contact_rows   [N] first and count: the contacts of each row of /time
 *
 * Few contacts a row would be many small writes: they are gathered here until a chunk is full or
 * the file is flushed. */
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
  uint64_t n, nrows;                /* on file */
  size_t held, held_rows;           /* gathered */
  ns_h5_contact *buf;               /* [a chunk]; NULL: none are recorded */
  ns_h5_contact_row *row;           /* likewise */
} ns_h5_contacts;

/* Memory and types. < 0 on failure: fini it all the same. */
int ns_h5_contacts_init(ns_h5_contacts *k);
void ns_h5_contacts_fini(ns_h5_contacts *k); /* safe on one never begun, all zero */
/* Each < 0 on failure, and nothing where none are recorded. chunk: rows of one of each table. */
int ns_h5_contacts_create(ns_h5_contacts *k, hid_t file, hsize_t chunk);
int ns_h5_contacts_open(ns_h5_contacts *k, hid_t file);
void ns_h5_contacts_forget(ns_h5_contacts *k); /* the file was closed */
int ns_h5_contacts_put(ns_h5_contacts *k, double t, const ns_contact_record *list, size_t n);
/* What was gathered goes to the datasets. */
int ns_h5_contacts_write(ns_h5_contacts *k);

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct ns_h5_contact_list {
  hid_t data, type;
  ns_h5_contact_row *row; /* whose contacts are all there [n] */
  size_t n;
} ns_h5_contact_list;

/* Of at most `most` rows; n = 0 where there are none. < 0: out of memory; close it all the same. */
int ns_h5_contact_list_open(hid_t file, size_t most, ns_h5_contact_list *l);
/* safe on one all zero, before the file is closed */
void ns_h5_contact_list_close(ns_h5_contact_list *l);
/* Contacts of row i, k [row[i].count]; < 0 on failure. */
int ns_h5_contact_list_read(const ns_h5_contact_list *l, size_t i, ns_contact_record *k);

#endif
