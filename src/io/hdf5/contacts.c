/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hdf5/contacts.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1024 };
#define DATA "contacts"
#define ROWS "contact_rows"

/* ---- types ----------------------------------------------------------------------------------- */

/* In memory. */
static hid_t contact_type(void)
{
#define OF(member) offsetof(ns_h5_contact, k) + offsetof(ns_contact_record, member)
  hsize_t three = 3;
  hid_t vector = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &three);
  const ns_h5_member m[] = {{"time", offsetof(ns_h5_contact, t), H5T_NATIVE_DOUBLE, 0},
                            {"a", OF(a), H5T_NATIVE_INT, 0},
                            {"b", OF(b), H5T_NATIVE_INT, 0},
                            {"gap", OF(gap), H5T_NATIVE_DOUBLE, 0},
                            {"point", OF(point), vector, 0},
                            {"normal", OF(normal), vector, 0},
                            {"velocity", OF(velocity), vector, 0},
                            {"impulse", OF(impulse), vector, 0},
                            {"moment", OF(moment), vector, 0},
                            {"force", OF(force), vector, 1}};
#undef OF
  return ns_h5_compound_type(sizeof(ns_h5_contact), m, sizeof m / sizeof *m);
}

static hid_t row_type(void)
{
  const ns_h5_member m[] = {{"first", offsetof(ns_h5_contact_row, first), H5T_NATIVE_UINT64, 0},
                            {"count", offsetof(ns_h5_contact_row, count), H5T_NATIVE_UINT32, 0}};
  return ns_h5_compound_type(sizeof(ns_h5_contact_row), m, sizeof m / sizeof *m);
}

int ns_h5_contacts_init(ns_h5_contacts *k)
{
  *k = (ns_h5_contacts){.data = -1, .rows = -1, .type = contact_type(), .row_type = row_type()};
  k->buf = malloc(CHUNK * sizeof *k->buf);
  k->row = calloc(CHUNK, sizeof *k->row);
  return k->type < 0 || k->row_type < 0 || !k->buf || !k->row ? -1 : 0;
}

void ns_h5_contacts_fini(ns_h5_contacts *k)
{
  if (k->type > 0) H5Tclose(k->type);
  if (k->row_type > 0) H5Tclose(k->row_type);
  free(k->buf);
  free(k->row);
  *k = (ns_h5_contacts){0};
}

/* ---- datasets -------------------------------------------------------------------------------- */

/* Rows that never came read as `fill`; nothing is padded on the disk. */
static hid_t create(hid_t file, const char *name, hid_t memory, const void *fill, hsize_t chunk)
{
  hsize_t now = 0, max = H5S_UNLIMITED;
  hid_t type = H5Tcopy(memory), space = H5Screate_simple(1, &now, &max),
        p = H5Pcreate(H5P_DATASET_CREATE), d = -1;
  if (type >= 0 && space >= 0 && p >= 0 && H5Tpack(type) >= 0 && H5Pset_chunk(p, 1, &chunk) >= 0 &&
      H5Pset_fill_value(p, memory, fill) >= 0)
    d = H5Dcreate2(file, name, type, space, H5P_DEFAULT, p, H5P_DEFAULT);
  ns_h5_close(p, space, type);
  return d;
}

int ns_h5_contacts_create(ns_h5_contacts *k, hid_t file, hsize_t chunk)
{
  if (!k->buf) return 0;
  ns_h5_contact none;
  ns_h5_contact_row never;
  memset(&none, 0, sizeof none);
  memset(&never, 0, sizeof never);
  none.t = ns_h5_missing();
  never.first = UINT64_MAX;
  k->data = create(file, DATA, k->type, &none, chunk);
  k->rows = create(file, ROWS, k->row_type, &never, chunk);
  if (k->data < 0 || k->rows < 0) return -1;
  int rc = ns_h5_put_text(
      k->data, "help",
      "contacts between shapes: a, b are rows of /shapes/table; all in world axes; the impulse "
      "acts on the body of a since the previous row, force is its mean over that time");
  return rc < 0 ? rc : ns_h5_put_text(k->rows, "help", "contacts of each row of /time");
}

int ns_h5_contacts_open(ns_h5_contacts *k, hid_t file)
{
  if (!k->buf) return 0;
  k->data = H5Dopen2(file, DATA, H5P_DEFAULT);
  k->rows = H5Dopen2(file, ROWS, H5P_DEFAULT);
  return k->data < 0 || k->rows < 0 ? -1 : 0;
}

void ns_h5_contacts_forget(ns_h5_contacts *k) { k->data = k->rows = -1; }

/* ---- writing --------------------------------------------------------------------------------- */

int ns_h5_contacts_write(ns_h5_contacts *k)
{
  if (k->held && ns_h5_append(k->data, k->type, 1, 1, k->n, k->held, k->buf) < 0) return -1;
  k->n += k->held;
  k->held = 0;
  if (k->held_rows && ns_h5_append(k->rows, k->row_type, 1, 1, k->nrows, k->held_rows, k->row) < 0)
    return -1;
  k->nrows += k->held_rows;
  k->held_rows = 0;
  return 0;
}

int ns_h5_contacts_put(ns_h5_contacts *k, double t, const ns_contact_record *list, size_t n)
{
  if (!k->buf) return 0;
  if (k->held_rows == CHUNK && ns_h5_contacts_write(k) < 0) return -1;
  ns_h5_contact_row *row = &k->row[k->held_rows++];
  row->first = k->n + k->held;
  row->count = (uint32_t)n;
  for (size_t i = 0; i < n; i++) {
    if (k->held == CHUNK && (ns_h5_append(k->data, k->type, 1, 1, k->n, CHUNK, k->buf) < 0))
      return -1;
    if (k->held == CHUNK) k->n += CHUNK, k->held = 0;
    k->buf[k->held++] = (ns_h5_contact){t, list[i]};
  }
  return 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

static hid_t open_table(hid_t file, const char *name, hsize_t *n)
{
  hid_t d = ns_h5_find_dataset(file, name);
  hid_t space = d < 0 ? -1 : H5Dget_space(d);
  hssize_t count = space < 0 ? 0 : H5Sget_simple_extent_npoints(space);
  *n = count > 0 ? (hsize_t)count : 0;
  ns_h5_close(space);
  return d;
}

/* Whether the last contact of a row is on the disk: a kill in the midst of a flush may have left
 * its chunk out. */
static int is_there(hid_t data, hid_t type, hsize_t n, const ns_h5_contact_row *r)
{
  ns_h5_contact last;
  if (r->first > n || r->count > n - r->first) return 0;
  if (!r->count) return 1;
  return ns_h5_read_rows(data, type, 1, 1, r->first + r->count - 1, 1, &last) >= 0 &&
         !ns_h5_is_missing(last.t);
}

int ns_h5_contact_list_open(hid_t file, size_t max, ns_h5_contact_list *l)
{
  hsize_t n = 0, contacts = 0;
  hid_t rows = open_table(file, ROWS, &n), type = row_type();
  *l = (ns_h5_contact_list){.data = rows < 0 ? -1 : open_table(file, DATA, &contacts),
                            .type = contact_type()};
  if (n > max) n = max;
  if (l->data >= 0 && type >= 0 && l->type >= 0 && n) l->row = malloc((size_t)n * sizeof *l->row);
  int rc = l->row || !n || l->data < 0 ? 0 : -1;
  if (l->row && ns_h5_read_rows(rows, type, 1, 1, 0, n, l->row) < 0) n = 0;
  while (l->row && n && !is_there(l->data, l->type, contacts, &l->row[n - 1])) n--;
  l->n = l->row ? (size_t)n : 0;
  ns_h5_close(rows, type);
  return rc;
}

void ns_h5_contact_list_close(ns_h5_contact_list *l)
{
  if (l->data > 0) H5Dclose(l->data);
  if (l->type > 0) H5Tclose(l->type);
  free(l->row);
  *l = (ns_h5_contact_list){0};
}

int ns_h5_contact_list_read(const ns_h5_contact_list *l, size_t i, ns_contact_record *k)
{
  const ns_h5_contact_row *r = &l->row[i];
  /* files of earlier versions have no force */
  ns_h5_contact *all = calloc(r->count + (size_t)1, sizeof *all);
  int rc = all ? ns_h5_read_rows(l->data, l->type, 1, 1, r->first, r->count, all) : -1;
  for (uint32_t j = 0; j < r->count && rc >= 0; j++) k[j] = all[j].k;
  free(all);
  return rc;
}
