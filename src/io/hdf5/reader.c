/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader.c -- the HDF5 side of result.h.
 *
 * A file is read without a lock, so that one can look at a run while it writes. Datasets may then,
 * and after a kill, differ in length: what all of them have counts. */
#include "base/grow.h"
#include "io/hdf5/contacts.h"
#include "io/hdf5/events.h"
#include "io/hdf5/head.h"
#include "io/hdf5/journal.h"
#include "io/hdf5/measures.h"
#include "io/hdf5/shapes.h"
#include "io/results/result.h"
#include "simulation/record/channels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  ns_arena *a;
  char *path;
  hid_t file;
  ns_result_meta *meta;
  ns_channel *channels; /* = meta->channels; grows in malloc'ed memory */
  hsize_t nrows;        /* of the shortest dataset so far */
  ns_h5_contact_list contacts;
  const char *group, *id; /* where the walk is */
  ns_h5_reason reason;
} reader;

static int fail(reader *r, ns_ctx *c, const char *what)
{
  return ns_h5_fail(c, NS_NOINPUT, r->path, what, &r->reason);
}

static int nomem(ns_ctx *c) { return ns_nomem(c, "contents of an HDF5 file"); }

/* ---- attributes ------------------------------------------------------------------------------ */

static const char *text(reader *r, hid_t loc, const char *name)
{
  return ns_h5_get_text(r->a, loc, name, NULL, NULL);
}

/* Texts of the components, attribute `what`; NULL unless there are n. */
static const char *const *component_texts(reader *r, hid_t d, const char *what, int n)
{
  size_t len = 0;
  int count = 0;
  const char *all = ns_h5_get_text(r->a, d, what, &len, &count);
  return count == n ? ns_h5_part(r->a, all, len, n) : NULL;
}

/* ---- datasets -------------------------------------------------------------------------------- */

/* All rows of a dataset in the memory type `t`; NULL where there is none. Arena. */
static const char *read_table(reader *r, hid_t g, const char *name, hid_t t, int *n)
{
  int64_t count;
  const char *p = ns_h5_get_dataset(r->a, g, name, t, &count);
  *n = p ? (int)count : 0;
  return p;
}

/* ---- channels -------------------------------------------------------------------------------- */

static ns_channel *next_channel(reader *r)
{
  if (ns_grow(&r->channels, r->meta->nchannels)) return NULL;
  r->meta->channels = r->channels;
  return &r->channels[r->meta->nchannels];
}

static const char *join(ns_arena *a, const char *x, const char *y, const char *z)
{
  return ns_arena_format(a, "%s%s%s%s%s", x, *x ? "/" : "", y, *y ? "/" : "", z);
}

static const char **labels(reader *r, const ns_channel *ch, const char *quantity)
{
  const char **l = ns_arena_get(r->a, (size_t)ch->ncol, sizeof *l);
  for (int i = 0; l && i < ch->ncol; i++) {
    const char *id = *r->id ? r->id : r->group;
    l[i] = *r->group ? ns_channel_label(r->a, r->group, id, quantity, ch->names, ch->ncol, i)
                     : ns_arena_text(r->a, quantity);
    if (!l[i]) return NULL;
  }
  return l;
}

/* Texts of the columns of a table, from the dataset `<quantity>_names` or `_units` beside it. */
static const char **table_texts(reader *r, hid_t g, const char *quantity, const char *what, int n)
{
  char name[280];
  int count = 0;
  snprintf(name, sizeof name, "%s%s", quantity, what);
  hid_t d = ns_h5_find_dataset(g, name), type = d < 0 ? -1 : H5Dget_type(d);
  size_t len = type < 0 ? 0 : H5Tget_size(type) + 1;
  hid_t t = len ? ns_h5_text_type(len) : -1;
  const char *all = len ? read_table(r, g, name, t, &count) : NULL;
  ns_h5_close(t, type, d);
  return count == n ? ns_h5_part(r->a, all, len, n) : NULL;
}

/* A dataset of rows becomes a channel; datasets of another kind are passed over. */
static int add_channel(reader *r, hid_t g, hid_t d, const char *quantity)
{
  hsize_t dims[2] = {0, 1};
  hid_t space = H5Dget_space(d), type = H5Dget_type(d);
  int rank = H5Sget_simple_extent_ndims(space), is = H5Tget_class(type) == H5T_FLOAT;
  if (rank == 1 || rank == 2) H5Sget_simple_extent_dims(space, dims, NULL);
  ns_h5_close(type, space);
  if ((rank != 1 && rank != 2) || !is || dims[1] < 1 || dims[1] > 100000000) return 0;
  ns_channel *ch = next_channel(r);
  if (!ch) return -1;
  const char *unit = text(r, d, "unit");
  *ch = (ns_channel){.path = join(r->a, r->group, r->id, quantity),
                     .help = text(r, d, "help"),
                     .col = r->meta->ncols,
                     .ncol = (int)dims[1],
                     .vector = rank == 2,
                     .unit = unit && *unit ? unit : NULL,
                     .course = ns_course_find(text(r, d, "kind"))};
  ch->labels = !*r->id && ch->vector ? table_texts(r, g, quantity, "_names", ch->ncol) : NULL;
  ch->units = ch->labels ? table_texts(r, g, quantity, "_units", ch->ncol)
                         : component_texts(r, d, "units", ch->ncol);
  if (ch->unit) ch->units = NULL;
  ch->names = ch->labels ? ch->labels : component_texts(r, d, "names", ch->ncol);
  if (!ch->labels) ch->labels = labels(r, ch, quantity);
  if (!ch->path || !ch->labels) return -1;
  if (dims[0] < r->nrows) r->nrows = dims[0];
  r->meta->ncols += dims[1];
  r->meta->nchannels++;
  return 0;
}

static herr_t visit_quantity(hid_t g, const char *name, const H5L_info_t *info, void *to)
{
  (void)info;
  reader *r = to;
  hid_t d = H5Oopen(g, name, H5P_DEFAULT);
  int rc = d < 0 ? -1 : H5Iget_type(d) == H5I_DATASET ? add_channel(r, g, d, name) : 0;
  ns_h5_close(d);
  return rc < 0 ? -1 : 0;
}

/* Links in the order of their creation, where the group knows it. */
static herr_t each(hid_t g, H5L_iterate_t fn, reader *r)
{
  unsigned order = 0;
  hid_t how = H5Gget_create_plist(g);
  int tracked = how >= 0 && H5Pget_link_creation_order(how, &order) >= 0 &&
                (order & H5P_CRT_ORDER_TRACKED);
  ns_h5_close(how);
  return H5Literate(g, tracked ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME, H5_ITER_INC, NULL, fn, r);
}

static herr_t visit_object(hid_t g, const char *name, const H5L_info_t *info, void *to)
{
  (void)info;
  reader *r = to;
  hid_t o = H5Oopen(g, name, H5P_DEFAULT);
  if (o < 0) return -1;
  int rc = 0;
  if (H5Iget_type(o) == H5I_DATASET) {
    rc = add_channel(r, g, o, name);
  } else {
    r->id = name;
    rc = each(o, visit_quantity, r);
    r->id = "";
  }
  H5Oclose(o);
  return rc;
}

static int read_group(reader *r, const char *group, H5L_iterate_t fn)
{
  if (H5Lexists(r->file, group, H5P_DEFAULT) <= 0) return 0;
  hid_t g = H5Gopen2(r->file, group, H5P_DEFAULT);
  if (g < 0) return -1;
  r->group = group;
  int rc = each(g, fn, r);
  r->group = "";
  H5Gclose(g);
  return rc;
}

/* ---- rows that a kill in the midst of a flush left without an index -------------------------- */

/* Whether element (row, col) of a dataset is missing; < 0: cannot be read. */
static int missing(hid_t d, hsize_t row, hsize_t col)
{
  hsize_t start[2] = {row, col}, one[2] = {1, 1};
  double x = 0;
  hid_t file, memory;
  int rc = ns_h5_select(d, 1, start, one, &file, &memory);
  if (rc >= 0) rc = H5Dread(d, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, &x);
  ns_h5_close(memory, file);
  return rc < 0 ? -1 : ns_h5_is_missing(x);
}

/* Rows before the first missing one of a column: missing rows stand at the end. */
static hsize_t rows_there(hid_t d, hsize_t col, hsize_t n)
{
  if (n == 0 || missing(d, n - 1, col) == 0) return n;
  hsize_t low = 0, high = n - 1; /* rows below low are there, row high is not */
  while (low < high) {
    hsize_t mid = low + (high - low) / 2;
    if (missing(d, mid, col) == 0) low = mid + 1;
    else high = mid;
  }
  return low;
}

/* Each chunk is there or missing as a whole, so that one column of each tells. */
static void trim(reader *r, const ns_channel *ch)
{
  hid_t d = H5Dopen2(r->file, ch->path, H5P_DEFAULT), p = d < 0 ? -1 : H5Dget_create_plist(d);
  hsize_t dims[2] = {1, (hsize_t)ch->ncol}, n = r->meta->nrows;
  if (p >= 0) H5Pget_chunk(p, 2, dims);
  for (hsize_t k = 0; p >= 0 && k < (hsize_t)ch->ncol; k += dims[1] ? dims[1] : 1)
    n = rows_there(d, k, n);
  r->meta->nrows = (size_t)n;
  ns_h5_close(p, d);
}

static void trim_all(reader *r)
{
  const char *status = r->meta->provenance.status;
  if (status && strcmp(status, "complete") == 0) return;
  for (int i = 0; i < r->meta->nchannels; i++) trim(r, &r->channels[i]);
}

static int read_channels(reader *r)
{
  static const char *const groups[] = {"systems",  "interactions", "forces",
                                       "elements", "nodes",        "observables"};
  r->group = r->id = "";
  r->nrows = (hsize_t)-1;
  if (visit_quantity(r->file, "time", NULL, r) < 0) return -1;
  for (size_t k = 0; k < sizeof groups / sizeof *groups; k++)
    if (read_group(r, groups[k], visit_object) < 0) return -1;
  if (read_group(r, "diagnostics", visit_quantity) < 0) return -1;
  r->meta->nrows = r->nrows == (hsize_t)-1 ? 0 : (size_t)r->nrows;
  return 0;
}

/* ---- head ------------------------------------------------------------------------------------ */

enum { NAME = 256, UNIT = 64, PATH = 1024 };

static void read_parameters(reader *r, hid_t g)
{
  hid_t t = ns_h5_parameter_type(NAME, UNIT);
  int n;
  const char *row = read_table(r, g, "parameters", t, &n);
  ns_parameter *p = ns_arena_zero(r->a, (size_t)n, sizeof *p);
  for (int i = 0; p && i < n; i++, row += NAME + 8 + UNIT + 1) {
    p[i].name = row;
    memcpy(&p[i].value, row + NAME, 8);
    p[i].unit = row[NAME + 8] ? row + NAME + 8 : NULL;
    p[i].overridden = row[NAME + 8 + UNIT];
  }
  r->meta->parameters = p;
  r->meta->nparameters = p ? n : 0;
  ns_h5_close(t);
}

static void read_sources(reader *r, hid_t g)
{
  hid_t t = ns_h5_source_type(PATH);
  int n;
  const char *row = read_table(r, g, "sources", t, &n);
  ns_source *s = ns_arena_zero(r->a, (size_t)n, sizeof *s);
  for (int i = 0; s && i < n; i++, row += PATH + sizeof s->sha256) {
    s[i].path = row;
    memcpy(s[i].sha256, row + PATH, sizeof s->sha256);
  }
  r->meta->sources = s;
  r->meta->nsources = s ? n : 0;
  ns_h5_close(t);
}

static const char *read_xml(reader *r, hid_t g)
{
  hid_t d = ns_h5_find_dataset(g, "xml");
  if (d < 0) return NULL;
  hid_t t = H5Dget_type(d);
  char *s = H5Tget_class(t) == H5T_STRING && H5Tis_variable_str(t) == 0
                ? ns_arena_zero(r->a, H5Tget_size(t) + 1, 1)
                : NULL;
  if (s && H5Dread(d, t, H5S_ALL, H5S_ALL, H5P_DEFAULT, s) < 0) s = NULL;
  ns_h5_close(t, d);
  return s;
}

static void read_model(reader *r)
{
  hid_t g = H5Gopen2(r->file, "model", H5P_DEFAULT);
  if (g < 0) return;
  r->meta->name = text(r, g, "name");
  r->meta->title = text(r, g, "title");
  r->meta->t0 = ns_h5_get_number(g, "t0", NAN);
  r->meta->T = ns_h5_get_number(g, "T", NAN);
  r->meta->h = ns_h5_get_number(g, "h", NAN);
  r->meta->xml = read_xml(r, g);
  read_parameters(r, g);
  read_sources(r, g);
  H5Gclose(g);
}

static int read_provenance(reader *r)
{
  ns_provenance *p = &r->meta->provenance;
  hid_t g = H5Gopen2(r->file, "provenance", H5P_DEFAULT);
  if (g < 0) return -1;
  for (const ns_provenance_text *x = ns_provenance_texts; x->name; x++)
    ns_provenance_set(x, p, text(r, g, x->name));
  p->exit = (int)ns_h5_get_number(g, "exit", 0);
  p->wall = ns_h5_get_number(g, "wall", NAN);
  H5Gclose(g);
  return p->status ? 0 : -1;
}

static void read_certificate(reader *r)
{
  hid_t g = ns_h5_find_group(r->file, "certificate");
  if (g < 0) return;
  r->meta->first_order = H5Aexists(g, "switches") > 0;
  for (const ns_cert_field *f = ns_cert_fields(r->meta->first_order); f->name; f++) {
    double x = ns_h5_get_number(g, f->name, f->optional ? 0 : NAN);
    if (isfinite(x) || f->kind == NS_CERT_DOUBLE) ns_cert_set(f, &r->meta->certificate, x);
  }
  r->meta->has_certificate = 1;
  H5Gclose(g);
}

/* The times of events, with those that are missing at the end left out. */
static void trim_events(reader *r, hid_t d)
{
  size_t n = r->meta->nevents;
  hid_t t = H5Tcreate(H5T_COMPOUND, sizeof(double));
  double *time = n ? malloc(n * sizeof *time) : NULL;
  if (time && t >= 0 && H5Tinsert(t, "time", 0, H5T_NATIVE_DOUBLE) >= 0) {
    if (H5Dread(d, t, H5S_ALL, H5S_ALL, H5P_DEFAULT, time) < 0) n = 0;
    while (n && ns_h5_is_missing(time[n - 1])) n--;
    r->meta->nevents = n;
  }
  free(time);
  ns_h5_close(t);
}

static void count_events(reader *r)
{
  hid_t d = ns_h5_find_dataset(r->file, "events");
  if (d < 0) return;
  hid_t space = H5Dget_space(d);
  hssize_t n = H5Sget_simple_extent_npoints(space);
  r->meta->nevents = n > 0 ? (size_t)n : 0;
  trim_events(r, d);
  ns_h5_close(space, d);
}

static int count_contacts(reader *r)
{
  ns_result_meta *m = r->meta;
  int rc = ns_h5_contact_list_open(r->file, m->nrows, &r->contacts);
  m->ncontact_rows = r->contacts.n;
  for (size_t i = 0; i < m->ncontact_rows; i++) m->ncontacts += r->contacts.row[i].count;
  return rc;
}

/* ---- operations ------------------------------------------------------------------------------ */

static void h5_close(void *self)
{
  reader *r = self;
  if (!r) return;
  ns_h5_listen(NULL);
  ns_h5_contact_list_close(&r->contacts);
  if (r->file >= 0) H5Fclose(r->file);
  NS_FREE(r->channels, r->path, r);
}

static hid_t open_file(const char *path)
{
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), f = -1;
  if (fapl < 0) return -1;
  if (H5Pset_file_locking(fapl, 0, 1) >= 0 && H5Pset_fclose_degree(fapl, H5F_CLOSE_STRONG) >= 0 &&
      ns_h5_journal_read_by(fapl, path) >= 0)
    f = H5Fopen(path, H5F_ACC_RDONLY, fapl);
  H5Pclose(fapl);
  return f;
}

static int read_all(reader *r, ns_ctx *c)
{
  r->file = open_file(r->path);
  if (r->file < 0)
    return fail(r, c,
                "cannot open; its run was killed while creating the file, or the file is damaged");
  r->meta->format = text(r, r->file, "format");
  if (r->meta->format && strcmp(r->meta->format, NS_H5_RUNS_FORMAT) == 0)
    return ns_h5_runs_list(r->file, r->a, r->meta, &r->channels) < 0
               ? fail(r, c, "cannot read the table of a sweep")
               : NS_OK;
  if (!r->meta->format || strcmp(r->meta->format, NS_OUTPUT_FORMAT) != 0)
    return ns_fail(c, NS_NOINPUT,
                   "%s: an HDF5 file, but not an output of nssim: its attribute \"format\" is "
                   "%s%s%s, expected \"" NS_OUTPUT_FORMAT "\"",
                   r->path, r->meta->format ? "\"" : "",
                   r->meta->format ? r->meta->format : "missing", r->meta->format ? "\"" : "");
  if (read_provenance(r) < 0)
    return fail(r, c,
                "cannot read /provenance; its run was killed while creating the file, or the file "
                "is damaged");
  if (read_channels(r) < 0) return fail(r, c, "cannot read its quantities");
  trim_all(r);
  read_model(r);
  read_certificate(r);
  if (ns_h5_read_measures(r->file, r->a, r->meta) < 0) return fail(r, c, "cannot read /measures");
  count_events(r);
  if (count_contacts(r) < 0) return nomem(c);
  return NS_OK;
}

static int h5_open(ns_ctx *c, const char *path, ns_arena *a, ns_result_meta *meta, void **self)
{
  *self = NULL;
  int rc = ns_h5_start(c);
  if (rc) return rc;
  reader *r = calloc(1, sizeof *r);
  if (!r) return nomem(c);
  ns_h5_listen(&r->reason);
  r->file = -1;
  r->a = a;
  r->meta = meta;
  if (!(r->path = strdup(path))) rc = nomem(c);
  if (!rc) rc = read_all(r, c);
  /* as if it were not there */
  if (!rc && r->reason.text[0] && ns_h5_lacked_memory(&r->reason)) rc = fail(r, c, "cannot read");
  if (rc) h5_close(r);
  else *self = r;
  return rc;
}

static int is_text(hid_t d)
{
  hid_t t = d < 0 ? -1 : H5Dget_type(d);
  int is = t >= 0 && H5Tget_class(t) == H5T_STRING;
  ns_h5_close(t);
  return is;
}

static int h5_read_rows(void *self, ns_ctx *c, int channel, size_t from, size_t n, double *out)
{
  reader *r = self;
  const ns_channel *ch = &r->channels[channel];
  if (!n) return NS_OK;
  ns_h5_listen(&r->reason);
  hid_t d = H5Dopen2(r->file, ch->path, H5P_DEFAULT);
  int rc = NS_OK;
  if (is_text(d)) /* as in CSV */
    for (size_t i = 0; i < n * (size_t)ch->ncol; i++) out[i] = NAN;
  else if (ns_h5_read_rows(d, H5T_NATIVE_DOUBLE, ch->vector ? 2 : 1, ch->ncol, from, n, out) < 0)
    rc = fail(r, c, "cannot read");
  for (size_t i = 0; ch->nwords && !rc && i < n; i++)
    if (out[i] < 0) out[i] = NAN;
  ns_h5_close(d);
  return rc;
}

/* Bytes of the member `interaction` in the file. */
static size_t id_length(hid_t d)
{
  hid_t t = H5Dget_type(d), id = -1;
  int k = H5Tget_member_index(t, "interaction");
  if (k >= 0) id = H5Tget_member_type(t, (unsigned)k);
  size_t n = id < 0 ? 1 : H5Tget_size(id);
  ns_h5_close(id, t);
  return n;
}

static int h5_events(void *self, ns_ctx *c, ns_result_event *e)
{
  reader *r = self;
  ns_h5_listen(&r->reason);
  hid_t d = H5Dopen2(r->file, "events", H5P_DEFAULT);
  if (d < 0) return fail(r, c, "cannot read /events");
  size_t idlen = id_length(d), size = ns_h5_event_size(idlen);
  H5Dclose(d);
  hid_t t = ns_h5_event_type(idlen, ~0u);
  int n = 0;
  const char *rows = t < 0 ? NULL : read_table(r, r->file, "events", t, &n);
  ns_h5_close(t);
  if (!rows || (size_t)n < r->meta->nevents) return fail(r, c, "cannot read /events");
  for (size_t i = 0; i < r->meta->nevents; i++) ns_h5_event_unpack(idlen, rows + i * size, &e[i]);
  return NS_OK;
}

static int h5_scene(void *self, ns_ctx *c, ns_result_scene *s)
{
  reader *r = self;
  ns_h5_listen(&r->reason);
  return ns_h5_shapes_read(r->file, r->a, s) < 0 ? fail(r, c, "cannot read /shapes") : NS_OK;
}

static int h5_contacts(void *self, ns_ctx *c, size_t row, size_t *n, ns_contact_record *k)
{
  reader *r = self;
  *n = r->contacts.row[row].count;
  if (!k) return NS_OK;
  ns_h5_listen(&r->reason);
  return ns_h5_contact_list_read(&r->contacts, row, k) < 0 ? fail(r, c, "cannot read /contacts")
                                                           : NS_OK;
}

const ns_result_ops ns_h5_reader = {.size = sizeof(ns_result_ops),
                                    .open = h5_open,
                                    .read_rows = h5_read_rows,
                                    .events = h5_events,
                                    .close = h5_close,
                                    .scene = h5_scene,
                                    .contacts = h5_contacts};
