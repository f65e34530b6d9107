/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hdf5/h5.h"

#include "base/memory.h"
#include "io/hdf5_module.h"
#include "simulation/record/sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ns_h5_start(ns_ctx *c)
{
  /* After a full disk a file cannot be closed; at exit the library would try again and again. */
  H5dont_atexit();
  if (H5open() < 0 || H5Eset_auto2(H5E_DEFAULT, NULL, NULL) < 0)
    return ns_memory_is_short() ? ns_nomem(c, "HDF5 library")
                                : ns_fail(c, NS_OUTPUT, "the HDF5 library does not start");
  return NS_OK;
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* Innermost remark first; one that quotes the system wins. */
static herr_t look(unsigned n, const H5E_error2_t *e, void *to)
{
  char *reason = to;
  static const char quote[] = "error message = '";
  const char *s = e->desc ? strstr(e->desc, quote) : NULL;
  if (s) {
    s += sizeof quote - 1;
    const char *end = strchr(s, '\'');
    snprintf(reason, sizeof(ns_h5_reason), "%.*s", end ? (int)(end - s) : (int)strlen(s), s);
    return 1;
  }
  if (n == 0 && e->desc) snprintf(reason, sizeof(ns_h5_reason), "HDF5: %s", e->desc);
  return 0;
}

static herr_t look_for_memory(unsigned n, const H5E_error2_t *e, void *to)
{
  int *memory = to;
  (void)n;
  if (e->min_num == H5E_NOSPACE || e->min_num == H5E_CANTALLOC) *memory = 1;
  return 0;
}

/* HDF5 calls this when a call of its interface fails. */
static herr_t note(hid_t stack, void *to)
{
  ns_h5_reason *r = to;
  H5Ewalk2(stack, H5E_WALK_UPWARD, look_for_memory, &r->memory);
  if (!r->text[0]) H5Ewalk2(stack, H5E_WALK_UPWARD, look, r->text);
  return 0;
}

void ns_h5_listen(ns_h5_reason *r)
{
  if (r) *r = (ns_h5_reason){{0}, 0};
  H5Eset_auto2(H5E_DEFAULT, r ? note : NULL, r);
}

int ns_h5_lacked_memory(const ns_h5_reason *r)
{
  return ns_memory_is_short() || (r->memory && ns_memory_is_limited());
}

int ns_h5_fail(ns_ctx *c, int rc, const char *path, const char *what, const ns_h5_reason *r)
{
  if (ns_h5_lacked_memory(r)) return ns_fail(c, NS_NOMEM, "out of memory (%s: %s)", path, what);
  return ns_fail(c, rc, "%s: %s: %s", path, what, r->text[0] ? r->text : "out of memory");
}

/* ---- missing rows ---------------------------------------------------------------------------- */

static const uint64_t missing = 0x7ff86e6f726f7773u; /* quiet NaN, "norows" */

double ns_h5_missing(void)
{
  double x;
  memcpy(&x, &missing, sizeof x);
  return x;
}

int ns_h5_is_missing(double x) { return memcmp(&x, &missing, sizeof x) == 0; }

/* ---- attributes ------------------------------------------------------------------------------ */

hid_t ns_h5_text_type(size_t n)
{
  hid_t t = H5Tcopy(H5T_C_S1);
  if (t < 0) return t;
  if (H5Tset_size(t, n ? n : 1) < 0 || H5Tset_cset(t, H5T_CSET_UTF8) < 0) {
    H5Tclose(t);
    return -1;
  }
  return t;
}

static int put(hid_t loc, const char *name, hid_t type, hid_t space, const void *value)
{
  hid_t a = type < 0 || space < 0 ? -1
                                  : H5Acreate2(loc, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  int rc = a < 0 ? -1 : H5Awrite(a, type, value);
  if (a >= 0) H5Aclose(a);
  if (space >= 0) H5Sclose(space);
  return rc;
}

int ns_h5_put_text(hid_t loc, const char *name, const char *s)
{
  enum { MAX = 60000 }; /* an attribute has to fit into 64 kB; a longer command line is cut */
  if (!s) return 0;
  size_t n = strnlen(s, MAX);
  hid_t t = ns_h5_text_type(n + 1);
  char *copy = NULL;
  if (s[n] && (copy = strndup(s, n))) s = copy;
  int rc = s[n] ? -1 : put(loc, name, t, H5Screate(H5S_SCALAR), s);
  free(copy);
  if (t >= 0) H5Tclose(t);
  return rc;
}

/* Texts side by side in fields of *len bytes, to be freed; NULL when out of memory. */
static char *fields(const char *const *s, int n, size_t *len)
{
  *len = 1;
  for (int i = 0; i < n; i++)
    if (strlen(s[i]) + 1 > *len) *len = strlen(s[i]) + 1;
  char *all = calloc((size_t)n, *len);
  for (int i = 0; all && i < n; i++) strcpy(all + (size_t)i * *len, s[i]);
  return all;
}

int ns_h5_put_texts(hid_t loc, const char *name, const char *const *s, int n)
{
  size_t len;
  hsize_t dim = (hsize_t)n;
  char *all = fields(s, n, &len);
  if (!all) return -1;
  int fits = len * (size_t)n < 60000; /* else the columns stay without names */
  hid_t t = ns_h5_text_type(len);
  int rc = fits ? put(loc, name, t, H5Screate_simple(1, &dim, NULL), all) : 0;
  if (t >= 0) H5Tclose(t);
  free(all);
  return rc;
}

int ns_h5_put_text_table(hid_t loc, const char *name, const char *const *s, int n)
{
  size_t len;
  hsize_t dim = (hsize_t)n;
  char *all = fields(s, n, &len);
  if (!all) return -1;
  hid_t t = ns_h5_text_type(len), space = H5Screate_simple(1, &dim, NULL);
  hid_t d = t < 0 || space < 0
                ? -1
                : H5Dcreate2(loc, name, t, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int rc = d < 0 ? -1 : H5Dwrite(d, t, H5S_ALL, H5S_ALL, H5P_DEFAULT, all);
  if (d >= 0) H5Dclose(d);
  if (space >= 0) H5Sclose(space);
  if (t >= 0) H5Tclose(t);
  free(all);
  return rc;
}

int ns_h5_put_double(hid_t loc, const char *name, double x)
{
  return put(loc, name, H5T_NATIVE_DOUBLE, H5Screate(H5S_SCALAR), &x);
}

int ns_h5_put_integer(hid_t loc, const char *name, int64_t x)
{
  return put(loc, name, H5T_NATIVE_INT64, H5Screate(H5S_SCALAR), &x);
}

/* ---- rows of datasets ------------------------------------------------------------------------ */

int ns_h5_append(hid_t d, hid_t type, int rank, int ncol, hsize_t old, hsize_t n, const void *data)
{
  hsize_t size[2] = {old + n, (hsize_t)ncol}, start[2] = {old, 0}, count[2] = {n, (hsize_t)ncol};
  if (H5Dset_extent(d, size) < 0) return -1;
  hid_t file = H5Dget_space(d), mem = H5Screate_simple(rank, count, NULL);
  int rc = file < 0 || mem < 0 ||
                   H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, count, NULL) < 0
               ? -1
               : H5Dwrite(d, type, mem, file, H5P_DEFAULT, data);
  if (file >= 0) H5Sclose(file);
  if (mem >= 0) H5Sclose(mem);
  return rc;
}

int ns_h5_read_rows(hid_t d, hid_t type, int rank, int ncol, hsize_t from, hsize_t n, void *to)
{
  hsize_t start[2] = {from, 0}, size[2] = {n, (hsize_t)ncol};
  if (!n) return 0;
  hid_t file = H5Dget_space(d), mem = H5Screate_simple(rank, size, NULL);
  int rc = file < 0 || mem < 0 ||
                   H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, size, NULL) < 0
               ? -1
               : H5Dread(d, type, mem, file, H5P_DEFAULT, to);
  if (file >= 0) H5Sclose(file);
  if (mem >= 0) H5Sclose(mem);
  return rc;
}

/* ---- reading attributes ---------------------------------------------------------------------- */

char *ns_h5_get_text(ns_arena *a, hid_t loc, const char *name, size_t *len, int *n)
{
  char *s = NULL;
  hid_t at = H5Aexists(loc, name) > 0 ? H5Aopen(loc, name, H5P_DEFAULT) : -1;
  if (at < 0) return NULL;
  hid_t t = H5Aget_type(at), space = H5Aget_space(at), mem = -1;
  hssize_t count = H5Sget_simple_extent_npoints(space);
  size_t size = H5Tget_size(t);
  if (H5Tget_class(t) == H5T_STRING && H5Tis_variable_str(t) == 0 && count > 0) {
    mem = ns_h5_text_type(size + 1); /* always ends with NUL */
    s = ns_arena_zero(a, (size_t)count, size + 1);
    if (s && H5Aread(at, mem, s) < 0) s = NULL;
  }
  if (len) *len = size + 1;
  if (n) *n = (int)count;
  if (mem >= 0) H5Tclose(mem);
  H5Sclose(space);
  H5Tclose(t);
  H5Aclose(at);
  return s;
}

double ns_h5_get_number(hid_t loc, const char *name, double otherwise)
{
  double x = otherwise;
  hid_t at = H5Aexists(loc, name) > 0 ? H5Aopen(loc, name, H5P_DEFAULT) : -1;
  if (at < 0) return x;
  if (H5Aread(at, H5T_NATIVE_DOUBLE, &x) < 0) x = otherwise;
  H5Aclose(at);
  return x;
}

/* ---- events ---------------------------------------------------------------------------------- */

ns_h5_event_layout ns_h5_event_offsets(size_t idlen)
{
  ns_h5_event_layout l = {.idlen = idlen, .kind = 8, .id = 9};
  l.index = l.id + idlen;
  l.row = l.index + 4;
  l.before = l.row + 4;
  l.after = l.before + 8;
  l.impulse = l.after + 8;
  l.lost = l.impulse + 8;
  l.was = l.lost + 8;
  l.is = l.was + 1;
  l.size = l.is + 1;
  return l;
}

static hid_t kind_type(unsigned kinds)
{
  hid_t t = H5Tenum_create(H5T_NATIVE_INT8);
  for (int8_t k = 0; t >= 0 && k < NS_EVENT_KINDS; k++)
    if (kinds >> k & 1u) H5Tenum_insert(t, ns_event_text((ns_event_kind)k), &k);
  return t;
}

static hid_t mode_type(void)
{
  hid_t t = H5Tenum_create(H5T_NATIVE_INT8);
  for (int8_t k = 0; t >= 0 && k < NS_ROW_MODES; k++)
    H5Tenum_insert(t, ns_row_mode_text((ns_row_mode)k), &k);
  return t;
}

hid_t ns_h5_event_type(const ns_h5_event_layout *l, unsigned kinds)
{
  hid_t t = H5Tcreate(H5T_COMPOUND, l->size), kind = kind_type(kinds),
        id = ns_h5_text_type(l->idlen);
  hid_t mode = mode_type();
  int bad = t < 0 || kind < 0 || id < 0 || mode < 0;
  bad = bad || H5Tinsert(t, "time", 0, H5T_NATIVE_DOUBLE) < 0;
  bad = bad || H5Tinsert(t, "kind", l->kind, kind) < 0;
  bad = bad || H5Tinsert(t, "interaction", l->id, id) < 0;
  bad = bad || H5Tinsert(t, "index", l->index, H5T_NATIVE_INT32) < 0;
  bad = bad || H5Tinsert(t, "row", l->row, H5T_NATIVE_INT32) < 0;
  bad = bad || H5Tinsert(t, "velocity_before", l->before, H5T_NATIVE_DOUBLE) < 0;
  bad = bad || H5Tinsert(t, "velocity_after", l->after, H5T_NATIVE_DOUBLE) < 0;
  bad = bad || H5Tinsert(t, "impulse", l->impulse, H5T_NATIVE_DOUBLE) < 0;
  bad = bad || H5Tinsert(t, "energy_lost", l->lost, H5T_NATIVE_DOUBLE) < 0;
  bad = bad || H5Tinsert(t, "mode_before", l->was, mode) < 0;
  bad = bad || H5Tinsert(t, "mode_after", l->is, mode) < 0;
  if (mode >= 0) H5Tclose(mode);
  if (kind >= 0) H5Tclose(kind);
  if (id >= 0) H5Tclose(id);
  if (bad && t >= 0) H5Tclose(t);
  return bad ? -1 : t;
}

/* ---- the door -------------------------------------------------------------------------------- */

static const char *library(char *buf, size_t n)
{
  unsigned a = 0, b = 0, r = 0;
  H5get_libversion(&a, &b, &r);
  snprintf(buf, n, "HDF5 %u.%u.%u", a, b, r);
  return buf;
}

static const ns_hdf5_module module = {.abi = NS_HDF5_ABI,
                                      .version = NS_VERSION,
                                      .headers = NS_HEADERS,
                                      .sink = &ns_h5_sink,
                                      .reader = &ns_h5_reader,
                                      .library = library,
                                      .solution = ns_h5_solution,
                                      .fclib_read = ns_h5_fclib_read,
                                      .fclib_write = ns_h5_fclib_write,
                                      .runs = ns_h5_runs,
                                      .dataset = ns_h5_dataset,
                                      .tree = ns_h5_tree};

const ns_hdf5_module *ns_hdf5_module_get(void) { return &module; }
