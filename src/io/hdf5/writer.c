/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writer.c -- the HDF5 sink.
 *
 * A killed run must leave a file that can be read. So the structure changes in a flush alone, all
 * of it at once (journal.h): the metadata cache may not evict anything in between, and after a
 * failed write nothing of the new state is written any more; the file stays as the last flush left
 * it. Index nodes are few, as chunks are as large as what the recorder hands over. Rows go to the
 * file directly, without a chunk cache: they are whole columns of a chunk already. */
#include "io/hdf5/writer.h"
#include "algebra/vector.h"
#include "base/claim.h"
#include "base/grow.h"
#include "io/hdf5/digest.h"
#include "io/hdf5/events.h"
#include "io/hdf5/head.h"
#include "io/hdf5/journal.h"
#include "io/hdf5/shapes.h"
#include "io/results/result_meta.h"
#include "model/measure.h"
#include "model/user_event.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MIN_CHUNK = 64, DEFAULT_BATCH = 256, CHUNK_COLUMNS = 1024 };

int ns_h5_writer_fail(ns_h5_writer *w, ns_ctx *c, int rc, const char *what)
{
  return w->failed = ns_h5_fail(c, rc, w->path, what, &w->reason);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* A regular file that can be written, locked: said by the system, whose words are better than
 * HDF5's. */
static int probe(ns_h5_writer *w, ns_ctx *c)
{
  struct stat st;
  if (stat(w->path, &st) == 0 && !S_ISREG(st.st_mode))
    return ns_fail(c, NS_NOCREATE, "%s: cannot create: it is a %s; HDF5 needs a file", w->path,
                   S_ISDIR(st.st_mode) ? "folder" : "device or pipe");
  w->lock = ns_claim_open(c, w->path, &w->made);
  return w->lock < 0 ? w->lock : NS_OK;
}

/* No metadata leave the cache but by a flush. */
static int keep_metadata(hid_t fapl)
{
  H5AC_cache_config_t k = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
  if (H5Pget_mdc_config(fapl, &k) < 0) return -1;
  k.evictions_enabled = 0;
  k.incr_mode = H5C_incr__off;
  k.flash_incr_mode = H5C_flash_incr__off;
  k.decr_mode = H5C_decr__off;
  return H5Pset_mdc_config(fapl, &k);
}

/* What was flushed becomes the content of the file. Runs that can be resumed wait for the disk. */
static int commit(ns_h5_writer *w)
{
  if (w->aside || ns_h5_journal_commit(w->file, w->marked) == 0) return 0;
  if (!w->reason.text[0]) snprintf(w->reason.text, sizeof w->reason.text, "%s", strerror(errno));
  return -1;
}

hid_t ns_h5_writer_access(const ns_h5_writer *w)
{
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  if (fapl >= 0 &&
      (H5Pset_fclose_degree(fapl, H5F_CLOSE_STRONG) < 0 || keep_metadata(fapl) < 0 ||
       H5Pset_file_locking(fapl, 0, 1) <
           0 || /* the lock is ours: the library's would come after the file is emptied */
       H5Pset_meta_block_size(fapl, w->nchannels > 100 ? 1 << 20 : 1 << 12) < 0 ||
       (!w->aside && ns_h5_journal_write_by(fapl, w->info.model->out.compression > 0) < 0))) {
    H5Pclose(fapl);
    return -1;
  }
  return fapl;
}

static hid_t create_file(const ns_h5_writer *w)
{
  /* in half a node of an index, which takes its whole size on the disk: a run has some 50, a small
   * one 1 */
  enum { CHUNKS = 4 };
  hid_t fapl = ns_h5_writer_access(w), fcpl = H5Pcreate(H5P_FILE_CREATE), f = -1;
  if (fapl >= 0 && fcpl >= 0 && H5Pset_istore_k(fcpl, CHUNKS) >= 0)
    f = H5Fcreate(w->path, H5F_ACC_TRUNC, fcpl, fapl);
  ns_h5_close(fcpl, fapl);
  return f;
}

/* Groups remember the order of the model, which is not that of the alphabet. */
static hid_t ordered_groups(void)
{
  hid_t p = H5Pcreate(H5P_GROUP_CREATE);
  if (p >= 0 && H5Pset_link_creation_order(p, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) < 0) {
    H5Pclose(p);
    return -1;
  }
  return p;
}

/* Creation properties of a dataset [rows x ncol] (or [rows]): chunks of whole hand-overs, but of
 * MIN_CHUNK numbers where few wide rows make one. A missing row reads as NaN. */
static hid_t row_chunks(hsize_t batch, int rank, int ncol, int compression)
{
  hsize_t dims[2] = {batch, ncol < CHUNK_COLUMNS ? (hsize_t)ncol : CHUNK_COLUMNS};
  if (dims[0] * dims[1] < MIN_CHUNK) dims[0] = MIN_CHUNK / dims[1];
  double none = ns_h5_missing();
  hid_t p = H5Pcreate(H5P_DATASET_CREATE);
  int bad = p < 0 || H5Pset_chunk(p, rank, dims) < 0 ||
            H5Pset_fill_value(p, H5T_NATIVE_DOUBLE, &none) < 0;
  if (!bad && compression > 0)
    bad = H5Pset_shuffle(p) < 0 || H5Pset_deflate(p, (unsigned)compression) < 0;
  if (p >= 0 && bad) {
    H5Pclose(p);
    return -1;
  }
  return p;
}

/* Properties that datasets of the same width share. */
typedef struct shapes {
  hid_t dcpl, space, dapl;
  int ncol, vector;
} shapes;

static void close_shapes(shapes *s)
{
  ns_h5_close(s->dcpl, s->space);
  s->dcpl = s->space = -1;
}

static int shape_for(shapes *s, const ns_h5_writer *w, const ns_channel *ch)
{
  if (s->dcpl >= 0 && s->ncol == ch->ncol && s->vector == ch->vector) return 0;
  hsize_t now[2] = {0, (hsize_t)ch->ncol}, max[2] = {H5S_UNLIMITED, (hsize_t)ch->ncol};
  int rank = ch->vector ? 2 : 1;
  close_shapes(s);
  s->ncol = ch->ncol;
  s->vector = ch->vector;
  s->space = H5Screate_simple(rank, now, max);
  s->dcpl = row_chunks(w->info.batch ? w->info.batch : DEFAULT_BATCH, rank, ch->ncol,
                       w->info.model->out.compression);
  return s->space < 0 || s->dcpl < 0 ? -1 : 0;
}

/* Folder of a channel, kept open while the following channels are in it, too. */
typedef struct folder {
  char *path;
  size_t len;
  hid_t id;
} folder;

/* Open or create the folder `len` bytes of path, in which `up` is a folder already opened. */
static hid_t enter(folder *f, hid_t up, const char *path, size_t len, hid_t gcpl)
{
  if (f->id >= 0 && f->len == len && strncmp(f->path, path, len) == 0) return f->id;
  ns_h5_close(f->id);
  free(f->path);
  f->id = -1;
  f->len = len;
  f->path = strndup(path, len);
  if (!f->path) return -1;
  const char *slash = strrchr(f->path, '/');
  /* "elements" of a second netlist follow the "nodes" of the first */
  int known = slash ? 0 : H5Lexists(up, f->path, H5P_DEFAULT);
  f->id = known > 0 ? H5Gopen2(up, f->path, H5P_DEFAULT)
                    : H5Gcreate2(up, slash ? slash + 1 : f->path, H5P_DEFAULT, gcpl, H5P_DEFAULT);
  return f->id;
}

typedef struct tree {
  folder top, sub;
  hid_t gcpl;
} tree;

static void close_tree(tree *t)
{
  ns_h5_close(t->sub.id, t->top.id, t->gcpl);
  free(t->top.path);
  free(t->sub.path);
}

/* The group of a path of at most two folders, and its last name. */
static hid_t group_of(tree *t, hid_t file, const char *path, const char **name)
{
  const char *first = strchr(path, '/'), *last = strrchr(path, '/');
  *name = last ? last + 1 : path;
  if (!last) return file;
  hid_t top = enter(&t->top, file, path, (size_t)(first - path), t->gcpl);
  if (top < 0 || first == last) return top;
  return enter(&t->sub, top, path, (size_t)(last - path), t->gcpl);
}

/* Texts of the columns of a table, for which an attribute is too small: "q_names", "q_units" beside
 * "q". */
static int put_beside(hid_t g, const char *name, const char *what, const char *const *text,
                      int ncol)
{
  size_t n = strlen(name) + strlen(what) + 1;
  char *s = malloc(n);
  if (!s) return -1;
  snprintf(s, n, "%s%s", name, what);
  int rc = ns_h5_put_text_table(g, s, text, ncol);
  free(s);
  return rc;
}

/* `unit` of all columns, "" where they differ; `units` as others know it (CF conventions), one for
 * each where they differ. */
static int put_units(hid_t g, hid_t d, const char *name, const ns_channel *ch, int table)
{
  int rc = ns_h5_put_text(d, "unit", ch->unit ? ch->unit : "");
  if (rc < 0 || (!ch->unit && !ch->units)) return rc;
  if (!ch->units) return ns_h5_put_text(d, "units", ch->unit);
  const char **text = malloc((size_t)ch->ncol * sizeof *text);
  for (int i = 0; text && i < ch->ncol; i++) text[i] = ch->units[i] ? ch->units[i] : "";
  if (!text) rc = -1;
  else if (table) rc = put_beside(g, name, "_units", text, ch->ncol);
  else rc = ns_h5_put_texts(d, "units", text, ch->ncol);
  free(text);
  return rc;
}

static int create_channel(ns_h5_writer *w, tree *t, shapes *s, int i)
{
  const ns_channel *ch = &w->channels[i];
  const char *name;
  hid_t g = group_of(t, w->file, ch->path, &name);
  if (g < 0 || shape_for(s, w, ch) < 0) return -1;
  hid_t d = w->data[i] = H5Dcreate2(g, name, H5T_IEEE_F64LE, s->space, H5P_DEFAULT, s->dcpl,
                                    s->dapl);
  int table = ch->vector && strchr(ch->path, '/') == strrchr(ch->path, '/');
  int rc = d < 0 ? -1 : put_units(g, d, name, ch, table);
  if (rc >= 0 && table) rc = put_beside(g, name, "_names", ch->labels, ch->ncol);
  else if (rc >= 0 && ch->names) rc = ns_h5_put_texts(d, "names", ch->names, ch->ncol);
  if (rc >= 0) rc = ns_h5_put_text(d, "help", ch->help);
  return rc >= 0 ? ns_h5_put_text(d, "kind", ns_course_text(ch->course)) : rc;
}

/* ---- dimension scales ------------------------------------------------------------------------ */

/* What REFERENCE_LIST of a scale holds: a dataset and which of its dimensions. */
typedef struct scaled {
  hobj_ref_t dataset;
  int dimension;
} scaled;

/* The scales of a file, and the channels that go by them. Time is along the rows of all; a width
 * along the columns of those that are so wide: netCDF refuses a dataset of which only some
 * dimensions have a scale. */
typedef struct scales {
  hid_t list, pair; /* types of DIMENSION_LIST, REFERENCE_LIST */
  int n, nwidths;   /* n: channels but time */
  hobj_ref_t time;
  hobj_ref_t *channels; /* [n] */
  int *widths;          /* [nwidths] of room for n */
  hobj_ref_t *columns;  /* [nwidths] the scale of a width */
  scaled *back;         /* [n] of one scale */
} scales;

static int put_attribute(hid_t loc, const char *name, hid_t type, int n, const void *data)
{
  return ns_h5_put(loc, name, type, ns_h5_vector_space((size_t)n), data) < 0 ? -1 : 0;
}

/* Make dataset d a scale; along dimension k it is that of all channels of this width (0: of all).
 */
static int put_scale(const ns_h5_writer *w, scales *s, hid_t d, const char *name, int k, int width)
{
  int n = 0;
  for (int i = 0; i < s->n; i++) {
    const ns_channel *ch = &w->channels[i + 1];
    if (width && (!ch->vector || ch->ncol != width)) continue;
    s->back[n].dataset = s->channels[i];
    s->back[n++].dimension = k;
  }
  if (ns_h5_put_text(d, "CLASS", "DIMENSION_SCALE") < 0 || ns_h5_put_text(d, "NAME", name) < 0)
    return -1;
  return n ? put_attribute(d, "REFERENCE_LIST", s->pair, n, s->back) : 0;
}

/* The scale of the columns of channels so wide: a dataset without values, whose name netCDF takes
 * for "no variable". */
static int create_width(const ns_h5_writer *w, scales *s, int width)
{
  char path[32], name[80];
  snprintf(path, sizeof path, "columns_%d", width);
  snprintf(name, sizeof name, "This is a netCDF dimension but not a netCDF variable. %10d", width);
  hid_t d = ns_h5_create_dataset(w->file, path, H5T_IEEE_F32BE, ns_h5_vector_space((size_t)width),
                                 H5P_DEFAULT);
  int rc = d < 0 || H5Rcreate(&s->columns[s->nwidths], d, ".", H5R_OBJECT, -1) < 0
               ? -1
               : put_scale(w, s, d, name, 1, width);
  s->widths[s->nwidths++] = width;
  ns_h5_close(d);
  return rc;
}

static int width_index(const scales *s, int width)
{
  int i = 0;
  while (i < s->nwidths && s->widths[i] != width) i++;
  return i;
}

static int attach_scales(const ns_h5_writer *w, scales *s)
{
  int rc = 0;
  for (int i = 0; i < s->n && !rc; i++)
    rc = H5Rcreate(&s->channels[i], w->data[i + 1], ".", H5R_OBJECT, -1) < 0 ? -1 : 0;
  if (!rc) rc = put_scale(w, s, w->data[0], "time", 0, 0);
  for (int i = 0; i < s->n && !rc; i++) {
    const ns_channel *ch = &w->channels[i + 1];
    int k = width_index(s, ch->ncol);
    if (ch->vector && k == s->nwidths) rc = create_width(w, s, ch->ncol);
    hvl_t list[2] = {{1, &s->time}, {1, &s->columns[k]}};
    if (!rc)
      rc = put_attribute(w->data[i + 1], "DIMENSION_LIST", s->list, ch->vector ? 2 : 1, list);
  }
  return rc;
}

/* As the library of dimension scales would (HDF5 Dimension Scale Specification), which is not
 * linked: netCDF, h5py and xarray find time along the rows of all channels. */
static int scale_dimensions(const ns_h5_writer *w)
{
  size_t n = (size_t)w->nchannels; /* one more than there are channels beside time */
  scales s = {.list = H5Tvlen_create(H5T_STD_REF_OBJ),
              .pair = H5Tcreate(H5T_COMPOUND, sizeof *s.back),
              .n = w->nchannels - 1,
              .channels = calloc(n, sizeof *s.channels),
              .widths = calloc(n, sizeof *s.widths),
              /* zero: a struct has gaps */
              .columns = calloc(n, sizeof *s.columns),
              .back = calloc(n, sizeof *s.back)};
  int rc = -1;
  if (s.channels && s.widths && s.columns && s.back && s.list >= 0 && s.pair >= 0 &&
      H5Tinsert(s.pair, "dataset", HOFFSET(scaled, dataset), H5T_STD_REF_OBJ) >= 0 &&
      H5Tinsert(s.pair, "dimension", HOFFSET(scaled, dimension), H5T_NATIVE_INT) >= 0 &&
      H5Rcreate(&s.time, w->data[0], ".", H5R_OBJECT, -1) >= 0)
    rc = attach_scales(w, &s);
  ns_h5_close(s.list, s.pair);
  NS_FREE(s.channels, s.widths, s.columns, s.back);
  return rc;
}

static int create_channels(ns_h5_writer *w)
{
  tree t = {.top.id = -1, .sub.id = -1, .gcpl = ordered_groups()};
  shapes s = {.dcpl = -1, .space = -1, .dapl = H5Pcreate(H5P_DATASET_ACCESS)};
  int rc = t.gcpl < 0 || s.dapl < 0 || H5Pset_chunk_cache(s.dapl, 1, 0, 1) < 0 ? -1 : 0;
  for (int i = 0; i < w->nchannels && rc >= 0; i++) rc = create_channel(w, &t, &s, i);
  if (rc >= 0 && w->nchannels) rc = scale_dimensions(w);
  close_shapes(&s);
  ns_h5_close(s.dapl);
  close_tree(&t);
  return rc;
}

static unsigned kinds_of(const ns_model *m)
{
  unsigned contact = 1u << NS_EVENT_IMPACT | 1u << NS_EVENT_CONTACT | 1u << NS_EVENT_RELEASE;
  unsigned user = (m->nuser_events ? 1u << NS_EVENT_USER : 0) | (unsigned)m->sim.event_driven
                                                                    << NS_EVENT_FORMULA;
  unsigned located = m->sim.event_driven ? 1u << NS_EVENT_ACCUMULATION | 1u << NS_EVENT_BRANCH : 0;
  if (m->mixed) user |= 1u << NS_EVENT_SWITCH;
  if (ns_model_is_mortal(m)) user |= 1u << NS_EVENT_BIRTH | 1u << NS_EVENT_DEATH;
  if (m->sim.event_driven && m->nboundaries) user |= 1u << NS_EVENT_VELOCITY;
  if (ns_model_is_first_order(m)) return user | contact | 1u << NS_EVENT_SWITCH | located;
  if (m->sim.event_driven) contact |= 1u << NS_EVENT_ACCUMULATION;
  for (int i = 0; i < m->ninteractions; i++)
    if (m->sim.event_driven ? ns_interaction_has_friction(&m->interactions[i])
                            : ns_law_has_cone(m->interactions[i].law.ops))
      contact |= 1u << NS_EVENT_STICK | 1u << NS_EVENT_SLIP |
                 (unsigned)m->sim.event_driven << NS_EVENT_JAM;
  if (ns_contacts_have_events(m)) contact |= 1u << NS_EVENT_STICK | 1u << NS_EVENT_SLIP;
  return user | contact;
}

hid_t ns_h5_writer_event_type(const ns_h5_writer *w)
{
  return ns_h5_event_type(w->event_idlen, kinds_of(w->info.model));
}

/* Rows per chunk of a table of unknown length, for a run that delivers at most `batch` rows (0:
 * unknown). It is small for short runs, because a chunk takes its full size on disk however few
 * rows it contains. Divides NS_H5_EVENT_CHUNK. */
static hsize_t table_chunk(size_t batch)
{
  return batch && batch < DEFAULT_BATCH ? NS_H5_EVENT_CHUNK / 32 : NS_H5_EVENT_CHUNK;
}

static int create_events(ns_h5_writer *w)
{
  hsize_t now = 0, max = H5S_UNLIMITED, chunk = table_chunk(w->info.batch);
  double none = ns_h5_missing();
  memset(w->event_rows, 0, w->event_size);
  memcpy(w->event_rows, &none, 8);
  w->event_type = ns_h5_writer_event_type(w);
  hid_t space = H5Screate_simple(1, &now, &max), p = H5Pcreate(H5P_DATASET_CREATE);
  if (w->event_type >= 0 && space >= 0 && p >= 0 && H5Pset_chunk(p, 1, &chunk) >= 0 &&
      H5Pset_fill_value(p, w->event_type, w->event_rows) >= 0)
    w->events = H5Dcreate2(w->file, "events", w->event_type, space, H5P_DEFAULT, p, H5P_DEFAULT);
  ns_h5_close(p, space);
  return w->events < 0 ? -1 : 0;
}

/* Bytes of the longest id that an event has, with its NUL. */
static size_t id_length(const ns_model *m)
{
  size_t n = 1;
  for (int i = 0; i < m->ninteractions; i++) n = ns_h5_longer(n, m->interactions[i].at.id);
  for (int i = 0; i < m->nuser_events; i++) n = ns_h5_longer(n, m->user_events[i].id);
  if (ns_event_contact_id_bytes(m) > n) n = ns_event_contact_id_bytes(m);
  int mortal = ns_model_is_mortal(m);
  for (int i = 0; i < m->nsystems && (m->sim.event_driven || mortal); i++)
    n = ns_h5_longer(n, m->systems[i].at.id);
  for (int i = 0; i < m->contact.nshapes && mortal; i++)
    n = ns_h5_longer(n, m->contact.shape[i].id);
  for (int i = 0; i < m->nobservables && m->sim.event_driven; i++)
    n = ns_h5_longer(n, m->observables[i].at.id);
  for (int i = 0; i < m->nmeasures && m->sim.event_driven; i++) {
    n = ns_h5_longer(n, m->measures[i].of.at.id);
    n = ns_h5_longer(n, m->measures[i].when.at.id);
  }
  return n;
}

ns_h5_writer *ns_h5_writer_new(ns_ctx *c, const char *path, const ns_run_info *info,
                               const ns_channel *channels, int nchannels, size_t ncols)
{
  ns_h5_writer *w = calloc(1, sizeof *w);
  if (!w) goto nomem;
  w->file = w->events = w->event_type = w->lock = -1;
  w->reserve = NS_RESERVE_NONE;
  w->channels = channels;
  w->nchannels = nchannels;
  w->ncols = ncols;
  w->info = *info;
  w->event_idlen = id_length(info->model);
  w->event_size = ns_h5_event_size(w->event_idlen);
  w->path = strdup(path);
  w->data = malloc((size_t)nchannels * sizeof *w->data);
  w->event_rows = malloc(NS_H5_EVENT_CHUNK * w->event_size);
  w->event_id = malloc(w->event_idlen);
  if (!w->path || !w->data || !w->event_rows || !w->event_id) goto nomem;
  if (ns_contacts_recorded(info->model) && ns_h5_contacts_init(&w->contacts) < 0) goto nomem;
  for (int i = 0; i < nchannels; i++) w->data[i] = -1;
  return w;
nomem:
  ns_h5_writer_free(w);
  ns_nomem(c, "HDF5 output");
  return NULL;
}

void ns_h5_writer_free(ns_h5_writer *w)
{
  ns_h5_listen(NULL);
  if (!w) return;
  NS_FREE(w->path, w->data, w->event_rows, w->event_id, w->block);
  ns_h5_contacts_fini(&w->contacts);
  ns_h5_digest_destroy(w->digest);
  ns_reserve_give_up(&w->reserve);
  if (w->lock >= 0) close(w->lock);
  free(w);
}

int ns_h5_writer_fill(ns_h5_writer *w, ns_ctx *c)
{
  ns_result_meta m = ns_result_meta_of_run(&w->info, w->channels, w->nchannels, w->ncols, NULL);
  w->file = create_file(w);
  if (w->file < 0) return ns_h5_writer_fail(w, c, NS_NOCREATE, "cannot create");
  if (ns_h5_write_head(w->file, &m) < 0 || ns_h5_shapes_write(w->file, w->info.model) < 0 ||
      create_channels(w) < 0 || create_events(w) < 0 ||
      ns_h5_contacts_create(&w->contacts, w->file, table_chunk(w->info.batch)) < 0)
    return ns_h5_writer_fail(w, c, NS_OUTPUT, "cannot write the head of the output");
  if (H5Fflush(w->file, H5F_SCOPE_LOCAL) < 0 || commit(w) < 0)
    return ns_h5_writer_fail(w, c, NS_OUTPUT, "cannot write the head of the output");
  return NS_OK;
}

static int h5_open(ns_ctx *c, const char *path, const ns_run_info *info, const ns_channel *channels,
                   int nchannels, size_t ncols, void **self)
{
  *self = NULL;
  int rc = ns_h5_start(c);
  if (rc) return rc;
  ns_h5_writer *w = ns_h5_writer_new(c, path, info, channels, nchannels, ncols);
  if (!w) return NS_NOMEM;
  ns_h5_listen(&w->reason);
  rc = probe(w, c);
  if (!rc) ns_h5_journal_remove(path);
  if (!rc) rc = ns_h5_writer_fill(w, c);
  if (!rc) {
    *self = w;
    return NS_OK;
  }
  if (w->file >= 0) H5Fclose(w->file);
  if (w->made) unlink(path);
  ns_h5_writer_free(w);
  return rc;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int capacity(ns_h5_writer *w, ns_ctx *c, size_t nrows)
{
  size_t widest = 1;
  for (int i = 0; i < w->nchannels; i++)
    if ((size_t)w->channels[i].ncol > widest) widest = (size_t)w->channels[i].ncol;
  if (nrows * widest <= w->block_size) return NS_OK;
  double *p = realloc(w->block, nrows * widest * sizeof *p);
  if (!p) return w->failed = ns_nomem(c, "block of rows for HDF5");
  w->block = p;
  w->block_size = nrows * widest;
  return NS_OK;
}

static void gather(const ns_channel *ch, const double *rows, size_t ncols, size_t nrows, double *to)
{
  const double *from = rows + ch->col;
  if (ch->ncol == 1) {
    for (size_t i = 0; i < nrows; i++, from += ncols) to[i] = *from;
    return;
  }
  for (size_t i = 0; i < nrows; i++, from += ncols)
    for (int k = 0; k < ch->ncol; k++) *to++ = from[k];
}

/* ---- a full disk ----------------------------------------------------------------------------- */

/* ulimit -f: bytes of a chunk that is half behind the limit would stay in the way of all that
 * follows. */
static int is_too_large(const ns_h5_writer *w, size_t bytes)
{
  struct rlimit max;
  if (getrlimit(RLIMIT_FSIZE, &max) != 0 || max.rlim_cur == RLIM_INFINITY) return 0;
  errno = EFBIG;
  return ns_h5_journal_end(w->file) + bytes > max.rlim_cur;
}

/* Before so many bytes of rows, whole chunks. The structure goes to the file and, as it is to be
 * and as it was, to the journal; four times what it takes in memory, since parts of it begin blocks
 * of the disk that they do not fill. */
static int keep_reserve(ns_h5_writer *w, size_t bytes)
{
  enum { MIN = 1 << 16 };
  size_t now = 0;
  if (H5Fget_mdc_size(w->file, NULL, NULL, &now, NULL) < 0) return -1;
  if (!is_too_large(w, bytes + now) && ns_reserve_keep(&w->reserve, w->path, 4 * now + MIN) == 0)
    return 0;
  if (!w->reason.text[0]) snprintf(w->reason.text, sizeof w->reason.text, "%s", strerror(errno));
  return -1;
}

/* The disk took rows of some datasets and refused those of others: back to what all of them have,
 * and the structure of that to the disk, into the room that was kept for it. Where that fails too,
 * the file stays as the last flush left it. */
static void rescue(ns_h5_writer *w)
{
  ns_h5_reason first = w->reason;
  hsize_t events = w->nevents;
  ns_reserve_give_up(&w->reserve);
  int rc = H5Dset_extent(w->events, &events);
  for (int i = 0; i < w->nchannels; i++) {
    hsize_t size[2] = {w->nrows, (hsize_t)w->channels[i].ncol};
    int bad = H5Dset_extent(w->data[i], size);
    if (i == 0 && rc >= 0) rc = bad; /* what all have counts */
  }
  if (rc >= 0 && H5Fflush(w->file, H5F_SCOPE_LOCAL) >= 0) commit(w);
  w->reason = first;
}

static int cannot_write(ns_h5_writer *w, ns_ctx *c)
{
  rescue(w);
  return ns_h5_writer_fail(w, c, NS_OUTPUT, "cannot write");
}

/* ---- handing over ---------------------------------------------------------------------------- */

static int h5_rows(void *self, ns_ctx *c, const double *rows, size_t nrows)
{
  ns_h5_writer *w = self;
  if (w->failed) return w->failed;
  if (capacity(w, c, nrows)) return w->failed;
  ns_h5_listen(&w->reason);
  size_t chunk = nrows > w->info.batch ? nrows : w->info.batch;
  if (keep_reserve(w, chunk * w->ncols * sizeof(double)) < 0) return cannot_write(w, c);
  for (int i = 0; i < w->nchannels; i++) {
    const ns_channel *ch = &w->channels[i];
    gather(ch, rows, w->ncols, nrows, w->block);
    if (ns_h5_append(w->data[i], H5T_NATIVE_DOUBLE, ch->vector ? 2 : 1, ch->ncol, w->nrows, nrows,
                     w->block) < 0)
      return cannot_write(w, c);
  }
  w->nrows += nrows;
  return NS_OK;
}

static void pack(const ns_h5_writer *w, const ns_event *e, char *row)
{
  ns_result_event told = ns_event_told(w->info.model, e, w->event_id, w->event_idlen);
  ns_h5_event_pack(w->event_idlen, &told, row);
}

static int h5_events(void *self, ns_ctx *c, const ns_event *e, size_t n)
{
  ns_h5_writer *w = self;
  if (w->failed) return w->failed;
  ns_h5_listen(&w->reason);
  if (keep_reserve(w, (n + NS_H5_EVENT_CHUNK) * w->event_size) < 0) return cannot_write(w, c);
  while (n) {
    size_t k = n < NS_H5_EVENT_CHUNK ? n : NS_H5_EVENT_CHUNK;
    for (size_t i = 0; i < k; i++) pack(w, &e[i], w->event_rows + i * w->event_size);
    if (ns_h5_append(w->events, w->event_type, 1, 1, w->nevents, k, w->event_rows) < 0)
      return cannot_write(w, c);
    w->nevents += k;
    e += k;
    n -= k;
  }
  return NS_OK;
}

static int h5_contacts(void *self, ns_ctx *c, double t, const ns_contact_record *k, size_t n)
{
  ns_h5_writer *w = self;
  if (w->failed) return w->failed;
  ns_h5_listen(&w->reason);
  return ns_h5_contacts_put(&w->contacts, t, k, n) < 0 ? cannot_write(w, c) : NS_OK;
}

int ns_h5_writer_flush(ns_h5_writer *w)
{
  if (ns_h5_contacts_write(&w->contacts) < 0) return -1;
  if (H5Fflush(w->file, H5F_SCOPE_LOCAL) >= 0 && commit(w) == 0) return 0;
  if (!ns_reserve_give_up(&w->reserve)) return -1;
  ns_h5_reason first = w->reason;
  int rc = H5Fflush(w->file, H5F_SCOPE_LOCAL) < 0 ? -1 : commit(w);
  w->reason = first;
  return rc < 0 ? -1 : 0;
}

static int h5_flush(void *self, ns_ctx *c)
{
  ns_h5_writer *w = self;
  if (w->failed) return w->failed;
  ns_h5_listen(&w->reason);
  return ns_h5_writer_flush(w) < 0 ? cannot_write(w, c) : NS_OK;
}

/* ---- closing --------------------------------------------------------------------------------- */

static int write_end(ns_h5_writer *w, const ns_run_result *r)
{
  ns_result_meta m = ns_result_meta_of_run(&w->info, w->channels, w->nchannels, w->ncols, r);
  int rc = ns_h5_write_tail(w->file, &m) < 0 || ns_h5_writer_flush(w) < 0 ? -1 : 0;
  return rc < 0 || ns_h5_write_status(w->file, r->status) < 0 ? -1 : ns_h5_writer_flush(w);
}

static int finish(ns_h5_writer *w, ns_ctx *c, const ns_run_result *r)
{
  ns_h5_listen(&w->reason);
  return write_end(w, r) < 0
             ? ns_h5_writer_fail(w, c, NS_OUTPUT, "cannot write the end of the output")
             : NS_OK;
}

/* After a failure the file is not closed: closing would write an index of rows that never reached
 * the disk. It stays as the last flush left it, with the status "running", and with its journal;
 * the handles are given up. */
static int h5_close(void *self, ns_ctx *c, const ns_run_result *r)
{
  ns_h5_writer *w = self;
  int rc = w->failed ? w->failed : finish(w, c, r);
  if (!rc) {
    H5Tclose(w->event_type);
    if (ns_h5_writer_close(w) < 0) rc = ns_h5_writer_fail(w, c, NS_OUTPUT, "cannot close");
    else ns_h5_journal_remove(w->path);
  } else if (w->file >= 0) {
    ns_h5_journal_abandon(w->file);
  }
  ns_h5_writer_free(w);
  return rc;
}

const ns_sink_ops ns_h5_sink = {.size = sizeof(ns_sink_ops),
                                .name = "hdf5",
                                .help = "HDF5, one dataset per quantity",
                                .suffix = ".h5",
                                .open = h5_open,
                                .rows = h5_rows,
                                .events = h5_events,
                                .flush = h5_flush,
                                .close = h5_close,
                                .mark = ns_h5_writer_mark,
                                .resume = ns_h5_writer_resume,
                                .contacts = h5_contacts};
