/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hdf5/measures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* n < 0: a scalar. The dataset, < 0 on failure. */
static hid_t put(hid_t g, const char *name, int n, const double *x)
{
  hsize_t dim = n > 0 ? (hsize_t)n : 0;
  hid_t space = n < 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &dim, NULL);
  hid_t d = space < 0 ? -1 : H5Dcreate2(g, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (space >= 0) H5Sclose(space);
  if (d >= 0 && n != 0 && H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) < 0) {
    H5Dclose(d);
    return -1;
  }
  return d;
}

static int describe(hid_t d, const ns_measured *s)
{
  int rc = ns_h5_put_text(d, "kind", s->kind);
  if (rc >= 0) rc = ns_h5_put_text(d, "unit", s->unit ? s->unit : "");
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
  }
  if (d >= 0) H5Dclose(d);
  if (t >= 0) H5Dclose(t);
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
  if (d >= 0) H5Dclose(d);
  return rc;
}

int ns_h5_write_measures(hid_t file, const ns_result_meta *m)
{
  if (!m->nmeasures) return 0;
  hid_t order = H5Pcreate(H5P_GROUP_CREATE), g = -1;
  if (order >= 0 && H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0)
    g = H5Gcreate2(file, "measures", H5P_DEFAULT, order, H5P_DEFAULT);
  int rc = g < 0 ? -1 : 0;
  for (int k = 0; k < m->nmeasures && rc >= 0; k++) rc = put_measure(g, m, k);
  if (g >= 0) H5Gclose(g);
  if (order >= 0) H5Pclose(order);
  return rc;
}
