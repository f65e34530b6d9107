/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runs.c -- the table of a sweep as HDF5. */
#include "io/hdf5/h5.h"
#include "io/results/run_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The same table gives the same bytes: objects carry no time. */
static hid_t timeless(hid_t class)
{
  hid_t p = H5Pcreate(class);
  if (p >= 0) H5Pset_obj_track_times(p, 0);
  return p;
}

/* A dataset [rows] or [rows x n]. */
static hid_t create(hid_t loc, const char *name, hid_t type, long long rows, size_t n, int matrix)
{
  hsize_t dim[2] = {(hsize_t)rows, n};
  hid_t space = H5Screate_simple(matrix ? 2 : 1, dim, NULL), how = timeless(H5P_DATASET_CREATE);
  hid_t d = ns_h5_create_dataset(loc, name, type, space, how);
  ns_h5_close(how);
  return d;
}

/* The same of one column with all of its data, in the memory type `memory`. */
static int put_whole(hid_t f, const char *name, hid_t type, hid_t memory, long long rows,
                     const void *data)
{
  hid_t d = data && type >= 0 ? create(f, name, type, rows, 1, 0) : -1;
  int rc = d < 0 ? -1 : H5Dwrite(d, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  if (d >= 0 && H5Dclose(d) < 0) rc = -1;
  return rc;
}

/* Words of a column as an enumeration of their positions; -1 is what the model says. */
static hid_t words_type(const ns_run_column *k)
{
  int none = -1;
  hid_t type = H5Tenum_create(H5T_NATIVE_INT);
  if (type >= 0) H5Tenum_insert(type, NS_H5_AS_MODEL, &none);
  for (int i = 0; type >= 0 && i < k->nwords; i++) H5Tenum_insert(type, k->word[i], &i);
  return type;
}

static int put_words(hid_t d, hid_t type, const ns_run_table *t, const ns_run_column *k)
{
  int *position = malloc((size_t)(t->nruns + 1) * sizeof *position);
  for (long long r = 0; r < t->nruns && position; r++) {
    double x = t->value[(size_t)r * t->width + k->at];
    position[r] = isnan(x) ? -1 : (int)x;
  }
  int rc = position && H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, position) >= 0 ? 0 : -1;
  free(position);
  return rc;
}

/* A path is no name of a dataset: its slashes become points, and it stands beside in `path`. */
static hid_t create_column(hid_t loc, const ns_run_table *t, const ns_run_column *k, hid_t type)
{
  char *name = strdup(k->name);
  for (size_t i = 0; name && name[i]; i++)
    if (name[i] == '/') name[i] = '.';
  if (name && !strcmp(name, ".")) *name = '_';
  hid_t d = name ? create(loc, name, type, t->nruns, k->n, k->array) : -1;
  int rc = d >= 0 && strcmp(name, k->name) ? ns_h5_put_text(d, "path", k->name) : 0;
  free(name);
  if (rc >= 0) return d;
  H5Dclose(d);
  return -1;
}

/* A column of the rows: memory is read with a stride of whole rows. */
static int put_column(hid_t loc, const ns_run_table *t, const ns_run_column *k)
{
  hsize_t all[2] = {(hsize_t)t->nruns, t->width}, from[2] = {0, k->at},
          count[2] = {(hsize_t)t->nruns, k->n};
  hid_t type = k->nwords ? words_type(k) : H5T_NATIVE_DOUBLE;
  hid_t d = type < 0 ? -1 : create_column(loc, t, k, type);
  hid_t memory = H5Screate_simple(2, all, NULL);
  int rc = d < 0 || memory < 0 ? -1 : 0;
  if (!rc && k->nwords) rc = put_words(d, type, t, k);
  else if (!rc && k->n && t->nruns) {
    if (H5Sselect_hyperslab(memory, H5S_SELECT_SET, from, NULL, count, NULL) < 0) rc = -1;
    if (!rc && H5Dwrite(d, H5T_NATIVE_DOUBLE, memory, H5S_ALL, H5P_DEFAULT, t->value) < 0) rc = -1;
  }
  if (!rc && k->unit && ns_h5_put_text(d, "unit", k->unit) < 0) rc = -1;
  if (!rc && k->unit && ns_h5_put_text(d, "units", k->unit) < 0) rc = -1;
  ns_h5_close(memory, k->nwords ? type : -1);
  if (d >= 0 && H5Dclose(d) < 0) rc = -1;
  return rc;
}

static int put_group(hid_t f, const char *name, const ns_run_table *t, int varied)
{
  hid_t how = timeless(H5P_GROUP_CREATE),
        g = how < 0 ? -1 : H5Gcreate2(f, name, H5P_DEFAULT, how, H5P_DEFAULT);
  ns_h5_close(how);
  int rc = g < 0 ? -1 : 0;
  for (int k = 0; k < t->ncolumns && !rc; k++)
    if (t->column[k].varied == varied) rc = put_column(g, t, &t->column[k]);
  if (g >= 0 && H5Gclose(g) < 0) rc = -1;
  return rc;
}

static int put_numbers(hid_t f, const ns_run_table *t)
{
  long long *number = malloc((size_t)(t->nruns + 1) * sizeof *number);
  for (long long k = 0; k < t->nruns && number; k++) number[k] = k + 1;
  int rc = put_whole(f, "run", H5T_NATIVE_INT64, H5T_NATIVE_LLONG, t->nruns, number);
  free(number);
  return rc;
}

static int put_keys(hid_t f, const ns_run_table *t)
{
  size_t len = t->nruns ? strlen(t->key[0]) + 1 : 1;
  char *all = calloc((size_t)t->nruns + 1, len);
  hid_t type = ns_h5_text_type(len);
  for (long long k = 0; k < t->nruns && all; k++)
    snprintf(all + (size_t)k * len, len, "%s", t->key[k]);
  int rc = put_whole(f, "key", type, type, t->nruns, all);
  ns_h5_close(type);
  free(all);
  return rc;
}

static int put_status(hid_t f, const ns_run_table *t)
{
  hid_t type = H5Tenum_create(H5T_NATIVE_INT8);
  for (int8_t k = 0; type >= 0 && k < NS_RUN_STATUSES; k++)
    H5Tenum_insert(type, ns_run_status_text((ns_run_status)k), &k);
  int rc = put_whole(f, "status", type, type, t->nruns, t->status);
  ns_h5_close(type);
  return rc;
}

static int put_all(hid_t f, const void *table)
{
  const ns_run_table *t = table;
  int bad = ns_h5_put_text(f, "format", NS_H5_RUNS_FORMAT) < 0 ||
            ns_h5_put_text(f, "study", t->study) < 0 || ns_h5_put_text(f, "model", t->model) < 0 ||
            ns_h5_put_text(f, "title", t->title) < 0 ||
            ns_h5_put_text(f, "sha256", t->model_key) < 0;
  bad = bad || put_numbers(f, t) < 0 || put_keys(f, t) < 0 || put_status(f, t) < 0;
  return bad || put_group(f, "parameters", t, 1) < 0 || put_group(f, "measures", t, 0) < 0 ? -1 : 0;
}

int ns_h5_runs(ns_ctx *c, const char *path, const ns_run_table *t)
{
  return ns_h5_write_whole(c, path, put_all, t);
}
