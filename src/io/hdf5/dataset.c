/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dataset.c -- a dataset as a table of numbers (hdf5_dataset.h). */
#include "base/arena.h"
#include "io/hdf5/h5.h"
#include "io/hdf5_dataset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct job {
  ns_ctx *c;
  ns_arena *a;
  const char *path, *dataset;
  hid_t file, set, type, space;
  ns_hdf5_dataset *to;
  ns_h5_reason reason;
} job;

static int refuse(const job *j, const char *what)
{
  return ns_fail(j->c, NS_MODEL, "dataset %s of %s %s", j->dataset, j->path, what);
}

static int unread(job *j)
{
  char what[300];
  snprintf(what, sizeof what, "cannot read %.250s", j->dataset);
  return ns_h5_fail(j->c, NS_MODEL, j->path, what, &j->reason);
}

static int is_number(H5T_class_t k) { return k == H5T_FLOAT || k == H5T_INTEGER; }

/* ---- compound: members one after the other --------------------------------------------------- */

/* Numbers of a member: 1, those of an array, 0 where it is none. */
static int width(hid_t member)
{
  H5T_class_t k = H5Tget_class(member);
  if (is_number(k)) return 1;
  hid_t of = k == H5T_ARRAY ? H5Tget_super(member) : -1;
  size_t n = of >= 0 && is_number(H5Tget_class(of)) ? H5Tget_size(member) / H5Tget_size(of) : 0;
  ns_h5_close(of);
  return n <= NS_HDF5_COLUMNS ? (int)n : 0;
}

static char *column_name(ns_arena *a, const char *name, int k, int n)
{
  return n > 1 ? ns_arena_format(a, "%s_%d", name, k) : ns_arena_text(a, name);
}

/* Memory type of one member alone, n doubles. */
static hid_t member_type(const char *name, int n)
{
  hsize_t dim = (hsize_t)n;
  hid_t array = n > 1 ? H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &dim) : H5T_NATIVE_DOUBLE;
  const ns_h5_member m = {name, 0, array, n > 1};
  return ns_h5_compound_type((size_t)n * sizeof(double), &m, 1);
}

/* Member `name` of all rows to columns [at, at + n). */
static int read_member(job *j, const char *name, int at, int n, double *value)
{
  size_t rows = j->to->rows, cols = (size_t)j->to->cols, w = (size_t)n;
  double *part = malloc((rows * w + 1) * sizeof *part);
  hid_t t = member_type(name, n);
  int rc = !part ? ns_nomem(j->c, "a table of an HDF5 file") : NS_OK;
  if (!rc && (t < 0 || H5Dread(j->set, t, H5S_ALL, H5S_ALL, H5P_DEFAULT, part) < 0)) rc = unread(j);
  for (size_t i = 0; i < rows && !rc; i++)
    memcpy(value + i * cols + (size_t)at, part + i * w, w * sizeof *part);
  ns_h5_close(t);
  free(part);
  return rc;
}

/* Width of member k and, unless NULL, its name, of the library. */
static int member(const job *j, unsigned k, char **name)
{
  hid_t m = H5Tget_member_type(j->type, k);
  int n = m < 0 ? 0 : width(m);
  ns_h5_close(m);
  if (name) *name = H5Tget_member_name(j->type, k);
  return n;
}

static int read_compound(job *j)
{
  int members = H5Tget_nmembers(j->type), cols = 0, at = 0, rc = NS_OK;
  for (int k = 0; k < members; k++) cols += member(j, (unsigned)k, NULL);
  if (!cols || cols > NS_HDF5_COLUMNS)
    return refuse(j, "has no members that are numbers, or too many, expected 1 to 1000");
  const char **names = ns_arena_zero(j->a, (size_t)cols, sizeof *names);
  double *value = ns_arena_zero(j->a, j->to->rows * (size_t)cols + 1, sizeof *value);
  if (!names || !value) return ns_nomem(j->c, "a table of an HDF5 file");
  j->to->cols = cols;
  for (int k = 0; k < members && !rc; k++) {
    char *name;
    int n = member(j, (unsigned)k, &name);
    for (int i = 0; i < n && !rc; i++)
      if (!name || !(names[at + i] = column_name(j->a, name, i, n)))
        rc = ns_nomem(j->c, "a table of an HDF5 file");
    if (n && !rc) rc = read_member(j, name, at, n, value);
    at += n;
    H5free_memory(name);
  }
  j->to->name = names;
  j->to->value = value;
  return rc;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Names in an attribute: an array of texts, or one of words. */
static const char *const *names_of(job *j, const char *attribute, int cols)
{
  size_t len;
  int n;
  char *save, *all = ns_h5_get_text(j->a, j->set, attribute, &len, &n);
  if (all && n == cols && cols > 1) return ns_h5_part(j->a, all, len, cols);
  const char **names = all ? ns_arena_zero(j->a, (size_t)cols, sizeof *names) : NULL;
  if (!names) return NULL;
  int k = 0;
  for (char *w = strtok_r(all, " ,\t\n", &save); w; w = strtok_r(NULL, " ,\t\n", &save), k++)
    if (k < cols) names[k] = w;
  return k == cols ? names : NULL;
}

static int read_numbers(job *j, int rank)
{
  hsize_t dims[2] = {0, 1};
  if (rank > 2)
    return refuse(j, "has more than two dimensions, expected rows, or rows and columns");
  if (rank > 0) H5Sget_simple_extent_dims(j->space, dims, NULL);
  if (!dims[1] || dims[1] > NS_HDF5_COLUMNS)
    return refuse(j, "has no columns, or too many, expected 1 to 1000");
  double *value = ns_arena_zero(j->a, (size_t)dims[0] * (size_t)dims[1] + 1, sizeof *value);
  if (!value) return ns_nomem(j->c, "a table of an HDF5 file");
  if (dims[0] && H5Dread(j->set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0)
    return unread(j);
  *j->to = (ns_hdf5_dataset){.rows = (size_t)dims[0], .cols = (int)dims[1], .value = value};
  j->to->name = names_of(j, "columns", j->to->cols);
  if (!j->to->name) j->to->name = names_of(j, "names", j->to->cols);
  return NS_OK;
}

static int read_table(job *j)
{
  H5T_class_t k = H5Tget_class(j->type);
  hssize_t n = H5Sget_simple_extent_npoints(j->space);
  if (n < 0 || n > 100000000) return refuse(j, "has more than 1e8 entries, expected fewer");
  if (is_number(k)) return read_numbers(j, H5Sget_simple_extent_ndims(j->space));
  if (k != H5T_COMPOUND)
    return refuse(j, "contains no numbers, expected numbers or a compound with numbers");
  j->to->rows = (size_t)n;
  return read_compound(j);
}

static int is_dataset(hid_t file, const char *name)
{
  /* < 0 where a group on the way is missing */
  return H5Oexists_by_name(file, name, H5P_DEFAULT) > 0;
}

int ns_h5_dataset(ns_ctx *c, const char *path, const char *dataset, ns_arena *a, ns_hdf5_dataset *t)
{
  job j = {.c = c,
           .a = a,
           .path = path,
           .dataset = dataset,
           .set = -1,
           .type = -1,
           .space = -1,
           .to = t};
  *t = (ns_hdf5_dataset){0};
  int rc = ns_h5_start(c);
  if (rc) return rc;
  ns_h5_listen(&j.reason);
  j.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (j.file < 0) rc = ns_h5_fail(c, NS_MODEL, path, "cannot open", &j.reason);
  else if (!is_dataset(j.file, dataset))
    rc = refuse(&j, "does not exist, expected the path of a dataset, such as /bodies");
  else j.set = H5Oopen(j.file, dataset, H5P_DEFAULT);
  if (!rc && (j.set < 0 || H5Iget_type(j.set) != H5I_DATASET))
    rc = refuse(&j, "is a group, expected the path of a dataset in it");
  if (!rc && ((j.type = H5Dget_type(j.set)) < 0 || (j.space = H5Dget_space(j.set)) < 0))
    rc = unread(&j);
  if (!rc) rc = read_table(&j);
  ns_h5_close(j.space, j.type, j.set, j.file);
  ns_h5_listen(NULL);
  return rc;
}
