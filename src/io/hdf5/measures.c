/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hdf5/measures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* n < 0: a scalar. The dataset, < 0 on failure. */
static hid_t put(hid_t g, const char *name, int n, const double *x)
{
  hid_t space = n < 0 ? H5Screate(H5S_SCALAR) : ns_h5_vector_space((size_t)n);
  hid_t d = ns_h5_create_dataset(g, name, H5T_IEEE_F64LE, space, H5P_DEFAULT);
  if (d < 0 || n == 0) return d;
  if (H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0) return d;
  H5Dclose(d);
  return -1;
}

static int describe(hid_t d, const ns_measured *s)
{
  int rc = ns_h5_put_text(d, "kind", s->kind);
  if (rc >= 0) rc = ns_h5_put_text(d, "unit", s->unit ? s->unit : "");
  if (rc >= 0 && s->unit) rc = ns_h5_put_text(d, "units", s->unit);
  if (rc >= 0) rc = ns_h5_put_text(d, "help", s->help);
  if (rc >= 0) rc = ns_h5_put_text(d, "undefined", s->why);
  if (rc >= 0 && !isnan(s->time)) rc = ns_h5_put_double(d, "time", s->time);
  return rc;
}

static int put_samples(hid_t g, const ns_result_meta *m, int k, const ns_measured *s)
{
  size_t n = (size_t)s->samples, len = strlen(s->id) + sizeof ".time";
  double *x = malloc((2 * n + 1) * sizeof *x);
  char *name = malloc(len);
  hid_t d = -1, t = -1;
  int rc = -1;
  if (x && name) {
    snprintf(name, len, "%s.time", s->id);
    ns_result_measure_samples(m, k, x, x + n);
    d = put(g, s->id, s->samples, x);
    rc = d < 0 ? -1 : describe(d, s);
    if (rc >= 0 && (t = put(g, name, s->samples, x + n)) < 0) rc = -1;
    if (rc >= 0) rc = ns_h5_put_text(t, "unit", "s");
    if (rc >= 0) rc = ns_h5_put_text(t, "units", "s");
  }
  ns_h5_close(d, t);
  free(name);
  free(x);
  return rc;
}

static int put_measure(hid_t g, const ns_result_meta *m, int k)
{
  ns_measured s;
  ns_result_measure_get(m, k, &s);
  if (s.samples >= 0) return put_samples(g, m, k, &s);
  hid_t d = put(g, s.id, -1, &s.value);
  int rc = d < 0 ? -1 : describe(d, &s);
  ns_h5_close(d);
  return rc;
}

int ns_h5_write_measures(hid_t file, const ns_result_meta *m)
{
  if (!m->nmeasures) return 0;
  hid_t order = H5Pcreate(H5P_GROUP_CREATE), g = -1;
  if (order >= 0 &&
      H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0)
    g = H5Gcreate2(file, "measures", H5P_DEFAULT, order, H5P_DEFAULT);
  int rc = g < 0 ? -1 : 0;
  for (int k = 0; k < m->nmeasures && rc >= 0; k++) rc = put_measure(g, m, k);
  ns_h5_close(g, order);
  return rc;
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct measures_reader {
  ns_arena *a;
  ns_result_measure *list;
  int n, cap;
} measures_reader;

static int is_times(const char *name)
{
  size_t n = strlen(name);
  return n > 5 && !strcmp(name + n - 5, ".time");
}

/* Numbers of a dataset, of the arena; *rank: 0 of a scalar. NULL: it cannot be read. */
static double *numbers(ns_arena *a, hid_t g, const char *name, int *rank, int *n)
{
  hid_t d = ns_h5_find_dataset(g, name);
  if (d < 0) return NULL;
  hid_t space = H5Dget_space(d);
  hssize_t count = H5Sget_simple_extent_npoints(space);
  *rank = H5Sget_simple_extent_ndims(space);
  *n = count > 0 ? (int)count : 0;
  double *x = ns_arena_zero(a, (size_t)*n + 1, sizeof *x);
  if (x && *n && H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) < 0) x = NULL;
  ns_h5_close(space, d);
  return x;
}

static int read_times(measures_reader *r, hid_t g, const char *name, ns_result_measure *s)
{
  char full[300];
  int rank, n = 0;
  snprintf(full, sizeof full, "%.280s.time", name);
  s->time = numbers(r->a, g, full, &rank, &n);
  return s->time && n == s->m.samples ? 0 : -1;
}

static herr_t visit(hid_t g, const char *name, const H5L_info_t *info, void *to)
{
  measures_reader *r = to;
  int rank = 0, n = 0;
  (void)info;
  if (is_times(name) || r->n == r->cap) return 0;
  ns_result_measure *s = &r->list[r->n];
  const double *x = numbers(r->a, g, name, &rank, &n);
  hid_t d = x ? H5Dopen2(g, name, H5P_DEFAULT) : -1;
  if (d < 0) return -1;
  const char *unit = ns_h5_get_text(r->a, d, "unit", NULL, NULL),
             *kind = ns_h5_get_text(r->a, d, "kind", NULL, NULL);
  *s = (ns_result_measure){.m = {.id = ns_arena_text(r->a, name),
                                 .kind = kind ? kind : "",
                                 .unit = unit && *unit ? unit : NULL,
                                 .help = ns_h5_get_text(r->a, d, "help", NULL, NULL),
                                 .why = ns_h5_get_text(r->a, d, "undefined", NULL, NULL),
                                 .time = ns_h5_get_number(d, "time", NAN),
                                 .samples = rank ? n : -1},
                           .sample = x};
  s->m.value = s->m.why ? NAN : rank == 0 ? *x : n ? x[n - 1] : NAN;
  H5Dclose(d);
  r->n++;
  if (!s->m.id) return -1;
  return rank ? read_times(r, g, name, s) : 0;
}

int ns_h5_read_measures(hid_t file, ns_arena *a, ns_result_meta *m)
{
  H5G_info_t info;
  if (H5Lexists(file, "measures", H5P_DEFAULT) <= 0) return 0;
  hid_t g = H5Gopen2(file, "measures", H5P_DEFAULT);
  if (g < 0) return -1;
  measures_reader r = {.a = a};
  int rc = H5Gget_info(g, &info) < 0 ? -1 : 0;
  if (rc >= 0) {
    r.cap = (int)info.nlinks;
    r.list = ns_arena_zero(a, (size_t)r.cap + 1, sizeof *r.list);
    rc = r.list ? H5Literate(g, H5_INDEX_CRT_ORDER, H5_ITER_INC, NULL, visit, &r) : -1;
    if (r.list && rc < 0 && !r.n) rc = H5Literate(g, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, &r);
  }
  H5Gclose(g);
  m->measures = r.list;
  m->nmeasures = rc < 0 ? 0 : r.n;
  return rc < 0 ? -1 : 0;
}
