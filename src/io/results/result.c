/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/results/result.h"

#include "base/claim.h"
#include "base/grow.h"
#include "base/suggest.h"
#include "io/hdf5_module.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* uthash: memory that is not to be had leaves an entry out instead of ending the process */
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(e) (e)->hh.tbl = NULL
#include <uthash.h>

typedef struct entry {
  const char *label;
  int channel, component;
  UT_hash_handle hh;
} entry;

struct ns_result {
  char *path;
  const ns_result_ops *ops;
  void *self;
  ns_arena *a;
  ns_result_meta meta;
  entry *entries, *by_label; /* [ncols]; filled when first asked for */
  ns_result_event *events;
  ns_result_scene *scene;
  ns_contact_record *contacts; /* of one row [room] */
  size_t capacity;
  double *block; /* one channel, for reading a column of it */
  int block_channel;
};

/* ---- opening --------------------------------------------------------------------------------- */

/* A pipe would have to be read twice, and neither it nor a device need have an end. */
int ns_result_file(ns_ctx *c, const char *path)
{
  struct stat st;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 || fstat(fd, &st) != 0) {
    ns_fail(c, NS_NOINPUT, "%s: cannot read: %s", path, strerror(errno));
  } else if (S_ISDIR(st.st_mode)) {
    ns_fail(c, NS_NOINPUT,
            "%s: is a folder, expected a file (HDF5 or CSV); the table of a sweep is its file "
            "measures.csv",
            path);
  } else if (!S_ISREG(st.st_mode)) {
    ns_fail(c, NS_NOINPUT,
            "%s is a pipe or a device, not a file; write the results to a file first", path);
  } else {
    return fd;
  }
  if (fd >= 0) close(fd);
  return -1;
}

/* 1 HDF5, 0 something else, < 0 failure. */
static int is_hdf5(ns_ctx *c, const char *path)
{
  static const char magic[] = "\211HDF\r\n\032\n";
  char head[8];
  int fd = ns_result_file(c, path);
  if (fd < 0) return NS_NOINPUT;
  ssize_t n = read(fd, head, sizeof head);
  int e = errno;
  close(fd);
  if (n < 0) return ns_fail(c, NS_NOINPUT, "%s: cannot read: %s", path, strerror(e));
  return n == sizeof head && memcmp(head, magic, sizeof head) == 0;
}

static int choose(ns_ctx *c, const char *path, const ns_result_ops **ops)
{
  int h5 = is_hdf5(c, path);
  if (h5 < 0) return h5;
  *ops = &ns_csv_reader;
  if (!h5) return NS_OK;
  const ns_hdf5_module *m = ns_hdf5_module_load(c, NS_NOINPUT);
  if (!m) return c->rc;
  *ops = m->reader;
  return NS_OK;
}

int ns_result_open(ns_ctx *c, const char *path, ns_result **out)
{
  *out = NULL;
  const ns_result_ops *ops;
  int rc = choose(c, path, &ops);
  if (rc) return rc;
  ns_result *r = NS_ARENA_OBJECT(ns_result, a);
  if (!r) return ns_nomem(c, "result");
  r->ops = ops;
  r->block_channel = -1;
  r->path = strdup(path);
  rc = r->path ? ops->open(c, path, r->a, &r->meta, &r->self) : ns_nomem(c, "result");
  if (!rc) rc = ns_claim_read(c, path, "which is read");
  if (rc) ns_result_close(r);
  else *out = r;
  return rc;
}

int ns_result_open_folder(ns_ctx *c, const char *path, ns_result **r)
{
  ns_ctx quiet = {.claims = c->claims};
  size_t n = strlen(path), capacity = n + sizeof "/measures.csv";
  char *name = malloc(capacity);
  if (!name) return ns_nomem(c, "name of an output");
  while (n > 1 && path[n - 1] == '/') n--;
  snprintf(name, capacity, "%.*s/measures.h5", (int)n, path);
  int rc = access(name, F_OK) == 0 ? ns_result_open(&quiet, name, r) : NS_NOINPUT;
  if (rc == NS_NOMEM) {
    ns_nomem(c, "table of a sweep");
  } else if (rc) {
    snprintf(name, capacity, "%.*s/measures.csv", (int)n, path);
    rc = ns_result_open(c, name, r);
  }
  free(name);
  return rc;
}

void ns_result_close(ns_result *r)
{
  if (!r) return;
  HASH_CLEAR(hh, r->by_label);
  if (r->self) r->ops->close(r->self);
  NS_FREE(r->entries, r->events, r->contacts, r->block, r->path);
  ns_arena_destroy(r->a);
}

const ns_result_meta *ns_result_get_meta(const ns_result *r) { return &r->meta; }
const char *ns_result_path(const ns_result *r) { return r->path; }

int ns_result_is_sweep(const ns_result_meta *m)
{
  static const char *const first[] = {"run", "key", "status"};
  if (m->format || m->nchannels < 4) return 0;
  for (int k = 0; k < 3; k++)
    if (strcmp(m->channels[k].labels[0], first[k]) != 0) return 0;
  return 1;
}

/* ---- names ----------------------------------------------------------------------------------- */

static ns_column column(const ns_result *r, int channel, int component)
{
  const ns_channel *ch = &r->meta.channels[channel];
  return (ns_column){channel, component, ch->labels[component], ns_channel_unit(ch, component)};
}

/* The first of equal labels counts. */
static int fill_table(ns_result *r, ns_ctx *c)
{
  if (r->entries) return NS_OK;
  entry *e = r->entries = calloc(r->meta.ncols + 1, sizeof *e);
  if (!e) return ns_nomem(c, "names of columns");
  for (int i = 0; i < r->meta.nchannels; i++) {
    for (int k = 0; k < r->meta.channels[i].ncol; k++, e++) {
      entry *old;
      *e = (entry){.label = r->meta.channels[i].labels[k], .channel = i, .component = k};
      HASH_FIND_STR(r->by_label, e->label, old);
      if (old) continue;
      HASH_ADD_KEYPTR(hh, r->by_label, e->label, strlen(e->label), e);
      if (!e->hh.tbl) return ns_nomem(c, "names of columns");
    }
  }
  return NS_OK;
}

static int by_label(const ns_result *r, const char *label, ns_column *col)
{
  entry *e;
  HASH_FIND_STR(r->by_label, label, e);
  if (e) *col = column(r, e->channel, e->component);
  return e != NULL;
}

/* "systems/ball/q" is also called "ball.q", "diagnostics/newton" "diagnostics.newton". */
static void short_name(const ns_channel *ch, char *buf, size_t n)
{
  const char *last = strrchr(ch->path, '/'), *id = ch->path;
  for (const char *s = ch->path; last && s < last; s++)
    if (*s == '/') id = s + 1;
  if (last) snprintf(buf, n, "%.*s.%s", (int)(last - id), id, last + 1);
  else snprintf(buf, n, "%s", ch->path);
}

/* The channel of a path or short name of `len` bytes; -1: none. */
static int channel_named(const ns_result *r, const char *name, size_t len)
{
  char own[512];
  for (int i = 0; i < r->meta.nchannels; i++) {
    const ns_channel *ch = &r->meta.channels[i];
    short_name(ch, own, sizeof own);
    if (strlen(own) == len && memcmp(own, name, len) == 0) return i;
    if (strlen(ch->path) == len && memcmp(ch->path, name, len) == 0) return i;
  }
  return -1;
}

/* "ball.q[1]", or a channel with one component. */
static int by_index(const ns_result *r, const char *label, ns_column *col)
{
  size_t len = strcspn(label, "[");
  int i = channel_named(r, label, len), end = 0;
  unsigned k = 0;
  if (i < 0) return 0;
  int n = r->meta.channels[i].ncol;
  if (label[len]) {
    if (sscanf(label + len, "[%9u]%n", &k, &end) != 1 || !end || label[len + (size_t)end]) return 0;
    if (k >= (unsigned)n) return 0;
  } else if (n != 1) {
    return 0;
  }
  *col = column(r, i, (int)k);
  return 1;
}

/* "2": the second column of a table of other origin. */
static int by_number(const ns_result *r, const char *label, ns_column *col)
{
  size_t n = strlen(label);
  unsigned long k = n < 10 && strspn(label, "0123456789") == n ? strtoul(label, NULL, 10) : 0;
  if (r->meta.format || k < 1 || k > r->meta.ncols) return 0;
  for (int i = 0; i < r->meta.nchannels; i++) {
    size_t first = r->meta.channels[i].col;
    if (k - 1 >= first && k - 1 < first + (size_t)r->meta.channels[i].ncol)
      *col = column(r, i, (int)(k - 1 - first));
  }
  return 1;
}

static int by_other_name(const ns_result *r, const char *label, ns_column *col)
{
  char buf[512];
  if (by_index(r, label, col)) return 1;
  if (by_number(r, label, col)) return 1;
  snprintf(buf, sizeof buf, "diagnostics.%s", label);
  if (by_label(r, buf, col)) return 1;
  if (strcmp(label, "time") != 0 || !r->meta.nchannels) return 0;
  /* foreign tables: "t", else the first column */
  if (!by_label(r, "t", col)) *col = column(r, 0, 0);
  return 1;
}

static int unknown(ns_result *r, ns_ctx *c, const char *label)
{
  const char *without_id = NULL; /* the first ID.LABEL, node_LABEL */
  int whole = channel_named(r, label, strlen(label));
  if (whole >= 0) {
    const ns_channel *ch = &r->meta.channels[whole];
    return ns_fail(c, NS_USAGE, "%s: \"%s\" has %d components: give one, such as \"%s\"", r->path,
                   label, ch->ncol, ch->labels[0]);
  }
  ns_suggest s = ns_suggest_for(label, strlen(label));
  for (int i = 0; i < r->meta.nchannels; i++) {
    char own[512], *kept;
    for (int k = 0; k < r->meta.channels[i].ncol; k++) {
      const char *full = r->meta.channels[i].labels[k], *last = strrchr(full, '.');
      ns_suggest_offer(&s, full);
      if (!without_id && last && !strcmp(last + 1, label)) without_id = full;
      if (!strncmp(full, "node_", 5) && !strcmp(full + 5, label)) without_id = full;
    }
    short_name(&r->meta.channels[i], own, sizeof own);
    kept = ns_arena_text(r->a, own);
    if (kept) ns_suggest_offer(&s, kept);
  }
  if (!strcmp(label, "t")) without_id = "time";
  if (without_id || s.best)
    return ns_fail(c, NS_USAGE, "%s: no quantity \"%s\"; did you mean \"%s\"?", r->path, label,
                   without_id ? without_id : s.best);
  return ns_fail(c, NS_USAGE, "%s: no quantity \"%s\"; `nssim info %s` lists them", r->path, label,
                 r->path);
}

int ns_result_find(ns_result *r, ns_ctx *c, const char *label, ns_column *col)
{
  int rc = fill_table(r, c);
  if (rc) return rc;
  if (by_label(r, label, col) || by_other_name(r, label, col)) return NS_OK;
  return unknown(r, c, label);
}

int ns_result_lookup(ns_result *r, ns_ctx *c, const char *label, ns_column *col)
{
  return !fill_table(r, c) && (by_label(r, label, col) || by_other_name(r, label, col));
}

/* Whether a pattern means the whole channel / one label of it. */
static int means(const char *pattern, const char *name, const ns_channel *ch)
{
  return fnmatch(pattern, name, 0) == 0 || fnmatch(pattern, ch->path, 0) == 0;
}

static int match_all(const ns_result *r, const char *pattern, ns_column *to)
{
  int n = 0;
  char own[512];
  for (int i = 0; i < r->meta.nchannels; i++) {
    const ns_channel *ch = &r->meta.channels[i];
    short_name(ch, own, sizeof own);
    int whole = means(pattern, own, ch);
    for (int k = 0; k < ch->ncol; k++) {
      if (!whole && fnmatch(pattern, ch->labels[k], 0) != 0) continue;
      if (to) to[n] = column(r, i, k);
      n++;
    }
  }
  return n;
}

int ns_result_match(ns_result *r, ns_ctx *c, const char *pattern, ns_arena *a, ns_column **cols,
                    int *ncols)
{
  ns_column one;
  int rc = fill_table(r, c), n = 0, glob = strpbrk(pattern, "*?") != NULL;
  *ncols = 0;
  if (rc) return rc;
  /* A label as it stands comes first: "ball.q[0]" would be a set of characters to fnmatch. */
  int single = by_label(r, pattern, &one) || (!glob && by_other_name(r, pattern, &one));
  if (!single && !(n = match_all(r, pattern, NULL))) return unknown(r, c, pattern);
  *cols = ns_arena_get(a, single ? 1 : (size_t)n, sizeof **cols);
  if (!*cols) return ns_nomem(c, "columns");
  if (single) **cols = one;
  else match_all(r, pattern, *cols);
  *ncols = single ? 1 : n;
  return NS_OK;
}

/* ---- numbers --------------------------------------------------------------------------------- */

int ns_result_read_channel(ns_result *r, ns_ctx *c, int channel, double *out)
{
  return r->ops->read_rows(r->self, c, channel, 0, r->meta.nrows, out);
}

int ns_result_read_row(ns_result *r, ns_ctx *c, int channel, size_t row, double *out)
{
  return r->ops->read_rows(r->self, c, channel, row, 1, out);
}

int ns_result_read(ns_result *r, ns_ctx *c, const ns_column *col, double *out)
{
  size_t n = r->meta.nrows, width = (size_t)r->meta.channels[col->channel].ncol;
  if (width == 1) return ns_result_read_channel(r, c, col->channel, out);
  if (r->block_channel != col->channel) {
    double *p = realloc(r->block, (n * width + 1) * sizeof *p);
    if (!p) return ns_nomem(c, "a channel of the result");
    r->block = p;
    r->block_channel = -1;
    int rc = ns_result_read_channel(r, c, col->channel, p);
    if (rc) return rc;
    r->block_channel = col->channel;
  }
  for (size_t i = 0; i < n; i++) out[i] = r->block[i * width + (size_t)col->component];
  return NS_OK;
}

int ns_result_events(ns_result *r, ns_ctx *c, const ns_result_event **events)
{
  if (!r->events) {
    ns_result_event *e = calloc(r->meta.nevents + 1, sizeof *e);
    if (!e) return ns_nomem(c, "events of the result");
    int rc = r->meta.nevents ? r->ops->events(r->self, c, e) : NS_OK;
    if (rc) {
      free(e);
      return rc;
    }
    r->events = e;
  }
  *events = r->events;
  return NS_OK;
}

/* ---- bodies and contacts --------------------------------------------------------------------- */

int ns_result_get_scene(ns_result *r, ns_ctx *c, const ns_result_scene **s)
{
  *s = r->scene;
  if (r->scene) return NS_OK;
  ns_result_scene *own = ns_arena_zero(r->a, 1, sizeof *own);
  if (!own) return ns_nomem(c, "shapes of the result");
  int rc = r->ops->scene ? r->ops->scene(r->self, c, own) : NS_OK;
  if (!rc) *s = r->scene = own;
  return rc;
}

int ns_result_contacts(ns_result *r, ns_ctx *c, size_t row, const ns_contact_record **k, size_t *n)
{
  *k = r->contacts;
  *n = 0;
  if (row >= r->meta.ncontact_rows) return NS_OK;
  int rc = r->ops->contacts(r->self, c, row, n, NULL);
  if (rc || !*n) return rc;
  if (ns_reserve(&r->contacts, &r->capacity, *n)) return ns_nomem(c, "contacts of the result");
  *k = r->contacts;
  return r->ops->contacts(r->self, c, row, n, r->contacts);
}
