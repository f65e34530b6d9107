/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hdf5/h5.h"

#include "base/memory.h"
#include "io/hdf5_module.h"
#include "simulation/record/sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

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

/* ---- objects, types, spaces ------------------------------------------------------------------ */

void ns_h5_close_list(const hid_t *id, size_t n)
{
  static herr_t (*const close[H5I_NTYPES])(hid_t) = {
      [H5I_FILE] = H5Fclose,       [H5I_GROUP] = H5Gclose,   [H5I_DATATYPE] = H5Tclose,
      [H5I_DATASPACE] = H5Sclose,  [H5I_DATASET] = H5Dclose, [H5I_ATTR] = H5Aclose,
      [H5I_GENPROP_LST] = H5Pclose};
  for (size_t k = 0; k < n; k++)
    if (id[k] >= 0) close[H5Iget_type(id[k])](id[k]);
}

hid_t ns_h5_find_dataset(hid_t loc, const char *name)
{
  return H5Lexists(loc, name, H5P_DEFAULT) > 0 ? H5Dopen2(loc, name, H5P_DEFAULT) : -1;
}

hid_t ns_h5_find_group(hid_t loc, const char *name)
{
  return H5Lexists(loc, name, H5P_DEFAULT) > 0 ? H5Gopen2(loc, name, H5P_DEFAULT) : -1;
}

hid_t ns_h5_create_group(hid_t loc, const char *name)
{
  return H5Gcreate2(loc, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

hid_t ns_h5_vector_space(size_t n)
{
  hsize_t dim = n;
  return H5Screate_simple(1, &dim, NULL);
}

hid_t ns_h5_text_type(size_t n)
{
  hid_t t = H5Tcopy(H5T_C_S1);
  if (t >= 0 && H5Tset_size(t, n ? n : 1) >= 0 && H5Tset_cset(t, H5T_CSET_UTF8) >= 0) return t;
  ns_h5_close(t);
  return -1;
}

size_t ns_h5_longer(size_t n, const char *s) { return s && strlen(s) + 1 > n ? strlen(s) + 1 : n; }

hid_t ns_h5_compound_type(size_t size, const ns_h5_member *m, size_t n)
{
  hid_t t = H5Tcreate(H5T_COMPOUND, size);
  int bad = t < 0;
  for (size_t i = 0; i < n; i++) {
    bad = bad || m[i].type < 0 || H5Tinsert(t, m[i].name, m[i].at, m[i].type) < 0;
    if (m[i].owned) ns_h5_close(m[i].type);
  }
  if (!bad) return t;
  ns_h5_close(t);
  return -1;
}

/* ---- attributes ------------------------------------------------------------------------------ */

int ns_h5_put(hid_t loc, const char *name, hid_t type, hid_t space, const void *value)
{
  hid_t a = type < 0 || space < 0 ? -1
                                  : H5Acreate2(loc, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  int rc = a < 0 ? -1 : H5Awrite(a, type, value);
  ns_h5_close(a, space);
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
  int rc = s[n] ? -1 : ns_h5_put(loc, name, t, H5Screate(H5S_SCALAR), s);
  free(copy);
  ns_h5_close(t);
  return rc;
}

/* Texts side by side in fields of *len bytes, to be freed; NULL when out of memory. */
static char *fields(const char *const *s, int n, size_t *len)
{
  *len = 1;
  for (int i = 0; i < n; i++) *len = ns_h5_longer(*len, s[i]);
  char *all = calloc((size_t)n, *len);
  for (int i = 0; all && i < n; i++) strcpy(all + (size_t)i * *len, s[i]);
  return all;
}

int ns_h5_put_texts(hid_t loc, const char *name, const char *const *s, int n)
{
  size_t len;
  char *all = fields(s, n, &len);
  if (!all) return -1;
  int fits = len * (size_t)n < 60000; /* else the columns stay without names */
  hid_t t = ns_h5_text_type(len);
  int rc = fits ? ns_h5_put(loc, name, t, ns_h5_vector_space((size_t)n), all) : 0;
  ns_h5_close(t);
  free(all);
  return rc;
}

int ns_h5_put_text_table(hid_t loc, const char *name, const char *const *s, int n)
{
  size_t len;
  char *all = fields(s, n, &len);
  if (!all) return -1;
  hid_t t = ns_h5_text_type(len);
  int rc = ns_h5_put_dataset(loc, name, t, ns_h5_vector_space((size_t)n), all);
  ns_h5_close(t);
  free(all);
  return rc;
}

int ns_h5_put_double(hid_t loc, const char *name, double x)
{
  return ns_h5_put(loc, name, H5T_NATIVE_DOUBLE, H5Screate(H5S_SCALAR), &x);
}

int ns_h5_put_integer(hid_t loc, const char *name, int64_t x)
{
  return ns_h5_put(loc, name, H5T_NATIVE_INT64, H5Screate(H5S_SCALAR), &x);
}

/* ---- rows of datasets ------------------------------------------------------------------------ */

int ns_h5_select(hid_t d, int rank, const hsize_t *from, const hsize_t *count, hid_t *file,
                 hid_t *memory)
{
  *file = H5Dget_space(d);
  *memory = H5Screate_simple(rank, count, NULL);
  if (*file < 0 || *memory < 0) return -1;
  return H5Sselect_hyperslab(*file, H5S_SELECT_SET, from, NULL, count, NULL);
}

int ns_h5_append(hid_t d, hid_t type, int rank, int ncol, hsize_t old, hsize_t n, const void *data)
{
  hsize_t size[2] = {old + n, (hsize_t)ncol}, start[2] = {old, 0}, count[2] = {n, (hsize_t)ncol};
  hid_t file, memory;
  if (H5Dset_extent(d, size) < 0) return -1;
  int rc = ns_h5_select(d, rank, start, count, &file, &memory);
  if (rc >= 0) rc = H5Dwrite(d, type, memory, file, H5P_DEFAULT, data);
  ns_h5_close(file, memory);
  return rc;
}

int ns_h5_read_rows(hid_t d, hid_t type, int rank, int ncol, hsize_t from, hsize_t n, void *to)
{
  hsize_t start[2] = {from, 0}, size[2] = {n, (hsize_t)ncol};
  hid_t file, memory;
  if (!n) return 0;
  int rc = ns_h5_select(d, rank, start, size, &file, &memory);
  if (rc >= 0) rc = H5Dread(d, type, memory, file, H5P_DEFAULT, to);
  ns_h5_close(file, memory);
  return rc;
}

/* ---- whole datasets -------------------------------------------------------------------------- */

hid_t ns_h5_create_dataset(hid_t loc, const char *name, hid_t type, hid_t space, hid_t how)
{
  hid_t d = type < 0 || space < 0 || how < 0
                ? -1
                : H5Dcreate2(loc, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
  ns_h5_close(space);
  return d;
}

int ns_h5_put_dataset(hid_t loc, const char *name, hid_t type, hid_t space, const void *data)
{
  hssize_t n = space < 0 ? 0 : H5Sget_simple_extent_npoints(space);
  hid_t d = ns_h5_create_dataset(loc, name, type, space, H5P_DEFAULT);
  int rc = d < 0 || (n && H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) ? -1 : 0;
  if (d >= 0 && H5Dclose(d) < 0) rc = -1;
  return rc;
}

void *ns_h5_get_dataset(ns_arena *a, hid_t loc, const char *name, hid_t type, int64_t *n)
{
  hid_t d = ns_h5_find_dataset(loc, name);
  *n = 0;
  if (d < 0) return NULL;
  hid_t space = H5Dget_space(d);
  hssize_t count = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
  void *all = count > 0 && type >= 0 ? ns_arena_zero(a, (size_t)count, H5Tget_size(type)) : NULL;
  *n = count;
  if (count > 0 && (!all || H5Dread(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) < 0)) *n = -1;
  ns_h5_close(space, d);
  return *n > 0 ? all : NULL;
}

const char **ns_h5_part(ns_arena *a, const char *all, size_t len, int n)
{
  const char **part = all && n > 0 ? ns_arena_get(a, (size_t)n, sizeof *part) : NULL;
  for (int i = 0; part && i < n; i++) part[i] = all + (size_t)i * len;
  return part;
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
  ns_h5_close(mem, space, t, at);
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

/* ---- the door -------------------------------------------------------------------------------- */

static const char *library(char *buf, size_t n)
{
  unsigned a = 0, b = 0, r = 0;
  H5get_libversion(&a, &b, &r);
  snprintf(buf, n, "HDF5 %u.%u.%u", a, b, r);
  return buf;
}

static int inflate_bytes(const unsigned char *from, size_t n, unsigned char *to, size_t m)
{
  uLongf size = m;
  int rc = uncompress(to, &size, from, n);
  if (rc == Z_MEM_ERROR) return NS_NOMEM;
  return rc == Z_OK && size == m ? NS_OK : NS_MODEL;
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
                                      .tree = ns_h5_tree,
                                      .inflate = inflate_bytes};

const ns_hdf5_module *ns_hdf5_module_get(void) { return &module; }
