/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hdf5/digest.h"

#include "io/hdf5/head.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
  PIECE = 1 << 18, /* bytes read at once, where a row is no longer */
  OTHER_TABLES = 3 /* besides channels: events, contacts, and where those of a row begin */
};

typedef struct sha256_ctx sum;

struct ns_h5_digest {
  size_t bytes;      /* of this block */
  ns_h5_extent done; /* summed so far */
  int has_fixed;
  sum fixed;
  int ntables;
  sum table[]; /* as ns_h5_table_of numbers them [ntables] */
};

ns_h5_digest *ns_h5_digest_create(int nchannels)
{
  int ntables = nchannels + OTHER_TABLES;
  size_t bytes = sizeof(ns_h5_digest) + (size_t)ntables * sizeof(sum);
  ns_h5_digest *d = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (d == MAP_FAILED) return NULL;
  d->bytes = bytes;
  d->ntables = ntables;
  sha256_init(&d->fixed);
  for (int k = 0; k < ntables; k++) sha256_init(&d->table[k]);
  return d;
}

void ns_h5_digest_forget_fixed(ns_h5_digest *d)
{
  d->has_fixed = 0;
  sha256_init(&d->fixed);
}

void ns_h5_digest_destroy(ns_h5_digest *d)
{
  if (d) munmap(d, d->bytes);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int add_rows(sum *s, const ns_h5_table *t, uint64_t from, uint64_t to)
{
  uint64_t max = PIECE / t->size + 1;
  if (from >= to) return 0;
  /* zero: a struct has gaps */
  unsigned char *piece = calloc(max < to - from ? max : to - from, t->size);
  int rc = piece ? 0 : -1;
  while (rc >= 0 && from < to) {
    uint64_t n = max < to - from ? max : to - from;
    rc = ns_h5_read_rows(t->set, t->type, t->rank, t->ncol, from, n, piece);
    if (rc >= 0) sha256_update(s, (size_t)n * t->size, piece);
    from += n;
  }
  free(piece);
  return rc;
}

int ns_h5_table_of(const ns_h5_writer *w, const ns_h5_extent *n, int k, ns_h5_table *t,
                   uint64_t *rows)
{
  const ns_h5_contacts *touch = &w->contacts;
  if (k < w->nchannels) {
    const ns_channel *ch = &w->channels[k];
    *t = (ns_h5_table){w->data[k], H5T_NATIVE_DOUBLE, ch->vector ? 2 : 1, ch->ncol,
                       (size_t)ch->ncol * sizeof(double)};
    *rows = n->rows;
    return 1;
  }
  switch (k - w->nchannels) {
  case 0:
    *t = (ns_h5_table){w->events, w->event_type, 1, 1, w->event_size};
    *rows = n->events;
    return 1;
  case 1:
    *t = (ns_h5_table){touch->data, touch->type, 1, 1, sizeof(ns_h5_contact)};
    *rows = n->contacts;
    return touch->buf != NULL;
  case 2:
    *t = (ns_h5_table){touch->rows, touch->row_type, 1, 1, sizeof(ns_h5_contact_row)};
    *rows = n->contact_rows;
    return touch->buf != NULL;
  default: return 0;
  }
}

static int add_tables(ns_h5_writer *w, const ns_h5_extent *n)
{
  ns_h5_digest *d = w->digest;
  ns_h5_table t;
  uint64_t from, to;
  for (int k = 0; ns_h5_table_of(w, n, k, &t, &to); k++) {
    ns_h5_table_of(w, &d->done, k, &t, &from);
    if (add_rows(&d->table[k], &t, from, to) < 0) return -1;
  }
  return 0;
}

/* ---- what does not grow ---------------------------------------------------------------------- */

/* Raw bytes of n items of a type; texts of varying length are none of ours. */
static int add_value(sum *s, hid_t type, hid_t space,
                     herr_t (*get)(hid_t from, hid_t type, void *to), hid_t from)
{
  hssize_t n = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
  size_t size = type < 0 ? 0 : H5Tget_size(type);
  if (n < 0 || !size || H5Tdetect_class(type, H5T_VLEN) > 0 || H5Tis_variable_str(type) > 0)
    return -1;
  if ((uint64_t)n > SIZE_MAX / size) return -1;
  unsigned char *value = calloc((size_t)n + 1, size);
  int rc = !value ? -1 : n ? get(from, type, value) : 0;
  if (rc >= 0) sha256_update(s, (size_t)n * size, value);
  free(value);
  return rc < 0 ? -1 : 0;
}

static herr_t get_attribute(hid_t a, hid_t type, void *to) { return H5Aread(a, type, to); }
static herr_t get_dataset(hid_t d, hid_t type, void *to)
{
  return H5Dread(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
}

static void add_name(sum *s, const char *name)
{
  sha256_update(s, strlen(name) + 1, (const unsigned char *)name);
}

typedef struct visited {
  sum *s;
  const char *path;
} visited;

static herr_t add_attribute(hid_t object, const char *name, const H5A_info_t *info, void *to)
{
  const visited *v = to;
  (void)info;
  /* a reference to time, of varying length */
  if (ns_h5_is_tail(v->path, name) || !strcmp(name, "DIMENSION_LIST")) return 0;
  hid_t a = H5Aopen(object, name, H5P_DEFAULT), type = a < 0 ? -1 : H5Aget_type(a),
        space = a < 0 ? -1 : H5Aget_space(a);
  add_name(v->s, name);
  int rc = add_value(v->s, type, space, get_attribute, a);
  ns_h5_close(space, type, a);
  return rc;
}

/* Of a dataset that grows its kind alone; its rows are summed elsewhere. */
static int add_dataset(sum *s, hid_t d)
{
  hsize_t now[H5S_MAX_RANK], max[H5S_MAX_RANK];
  hid_t space = H5Dget_space(d), type = H5Dget_type(d);
  int rank = space < 0 ? -1 : H5Sget_simple_extent_dims(space, now, max), grows = 0,
      rc = rank < 0 ? -1 : 0;
  for (int k = 0; k < rank; k++) grows |= max[k] == H5S_UNLIMITED;
  if (!rc && !grows) rc = add_value(s, type, space, get_dataset, d);
  ns_h5_close(type, space);
  return rc;
}

static herr_t add_object(hid_t file, const char *path, const H5O_info_t *info, void *to)
{
  visited v = {.s = to, .path = path};
  if (ns_h5_is_tail(path, NULL)) return 0;
  hid_t o = H5Oopen(file, path, H5P_DEFAULT);
  if (o < 0) return -1;
  add_name(v.s, path);
  int rc = H5Aiterate2(o, H5_INDEX_NAME, H5_ITER_INC, NULL, add_attribute, &v) < 0 ? -1 : 0;
  if (!rc && info->type == H5O_TYPE_DATASET) rc = add_dataset(v.s, o);
  H5Oclose(o);
  return rc;
}

static int add_fixed(ns_h5_writer *w)
{
  ns_h5_digest *d = w->digest;
  if (d->has_fixed) return 0;
  if (H5Ovisit1(w->file, H5_INDEX_NAME, H5_ITER_INC, add_object, &d->fixed) < 0) return -1;
  d->has_fixed = 1;
  return 0;
}

/* ---- all ------------------------------------------------------------------------------------- */

static void add_sum(sum *all, const sum *one)
{
  unsigned char digest[SHA256_DIGEST_SIZE];
  sum copy = *one; /* which can go on */
  sha256_digest(&copy, sizeof digest, digest);
  sha256_update(all, sizeof digest, digest);
}

int ns_h5_digest_to(ns_h5_writer *w, const ns_h5_extent *n,
                    unsigned char digest[SHA256_DIGEST_SIZE])
{
  ns_h5_digest *d = w->digest;
  sum all;
  if (add_fixed(w) < 0 || add_tables(w, n) < 0) return -1;
  d->done = *n;
  sha256_init(&all);
  add_sum(&all, &d->fixed);
  for (int k = 0; k < d->ntables; k++) add_sum(&all, &d->table[k]);
  sha256_digest(&all, SHA256_DIGEST_SIZE, digest);
  return 0;
}
