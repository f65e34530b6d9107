/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hdf5/head.h"

#include "base/arena.h"
#include "io/hdf5/measures.h"
#include "io/hdf5_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One dataset written whole. */
static int put_dataset(hid_t loc, const char *name, hid_t type, hid_t space, const void *data)
{
  hid_t d = type < 0 || space < 0
                ? -1
                : H5Dcreate2(loc, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int rc = d < 0 ? -1 : H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  if (d >= 0) H5Dclose(d);
  if (space >= 0) H5Sclose(space);
  return rc;
}

static hid_t table_space(int n)
{
  hsize_t dim = (hsize_t)n;
  return H5Screate_simple(1, &dim, NULL);
}

static size_t longer(size_t n, const char *s)
{
  size_t k = s ? strlen(s) + 1 : 1;
  return k > n ? k : n;
}

/* Text into a field of len bytes that was zero. */
static void field(char *to, const char *s)
{
  if (s) strcpy(to, s);
}

static int put_xml(hid_t model, const char *xml)
{
  if (!xml) return 0;
  hid_t t = ns_h5_text_type(strlen(xml) + 1);
  int rc = put_dataset(model, "xml", t, H5Screate(H5S_SCALAR), xml);
  if (t >= 0) H5Tclose(t);
  return rc;
}

static hid_t parameter_type(size_t name, size_t unit)
{
  hid_t t = H5Tcreate(H5T_COMPOUND, name + 8 + unit + 1);
  hid_t tn = ns_h5_text_type(name), tu = ns_h5_text_type(unit);
  int bad = t < 0 || tn < 0 || tu < 0 || H5Tinsert(t, "name", 0, tn) < 0 ||
            H5Tinsert(t, "value", name, H5T_NATIVE_DOUBLE) < 0 ||
            H5Tinsert(t, "unit", name + 8, tu) < 0 ||
            H5Tinsert(t, "overridden", name + 8 + unit, H5T_NATIVE_INT8) < 0;
  H5Tclose(tn);
  H5Tclose(tu);
  return bad ? -1 : t;
}

static int put_parameters(hid_t model, const ns_result_meta *m)
{
  size_t name = 1, unit = 1;
  for (int i = 0; i < m->nparameters; i++) {
    name = longer(name, m->parameters[i].name);
    unit = longer(unit, m->parameters[i].unit);
  }
  size_t size = name + 8 + unit + 1;
  char *all = calloc((size_t)m->nparameters + 1, size);
  if (!all) return -1;
  for (int i = 0; i < m->nparameters; i++) {
    const ns_parameter *p = &m->parameters[i];
    char *row = all + (size_t)i * size;
    field(row, p->name);
    memcpy(row + name, &p->value, 8);
    field(row + name + 8, p->unit);
    row[size - 1] = (char)(p->overridden != 0);
  }
  hid_t t = parameter_type(name, unit);
  int rc = put_dataset(model, "parameters", t, table_space(m->nparameters), all);
  if (t >= 0) H5Tclose(t);
  free(all);
  return rc;
}

static int put_sources(hid_t model, const ns_result_meta *m)
{
  size_t path = 1, sha = sizeof m->sources->sha256;
  for (int i = 0; i < m->nsources; i++) path = longer(path, m->sources[i].path);
  char *all = calloc((size_t)m->nsources + 1, path + sha);
  if (!all) return -1;
  for (int i = 0; i < m->nsources; i++) {
    char *row = all + (size_t)i * (path + sha);
    field(row, m->sources[i].path);
    memcpy(row + path, m->sources[i].sha256, sha);
  }
  hid_t t = H5Tcreate(H5T_COMPOUND, path + sha), tp = ns_h5_text_type(path),
        ts = ns_h5_text_type(sha);
  int rc = H5Tinsert(t, "path", 0, tp) < 0 || H5Tinsert(t, "sha256", path, ts) < 0
               ? -1
               : put_dataset(model, "sources", t, table_space(m->nsources), all);
  H5Tclose(tp);
  H5Tclose(ts);
  H5Tclose(t);
  free(all);
  return rc;
}

static int put_model(hid_t file, const ns_result_meta *m)
{
  hid_t g = H5Gcreate2(file, "model", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (g < 0) return -1;
  int rc = ns_h5_put_text(g, "name", m->name);
  if (rc >= 0) rc = ns_h5_put_text(g, "title", m->title);
  if (rc >= 0) rc = ns_h5_put_double(g, "t0", m->t0);
  if (rc >= 0) rc = ns_h5_put_double(g, "T", m->T);
  if (rc >= 0) rc = ns_h5_put_double(g, "h", m->h);
  if (rc >= 0) rc = put_xml(g, m->xml);
  if (rc >= 0) rc = put_parameters(g, m);
  if (rc >= 0) rc = put_sources(g, m);
  H5Gclose(g);
  return rc;
}

/* "libxml2 2.9.14, HDF5 1.10.8" */
static int put_libraries(hid_t g, const char *others)
{
  char own[32];
  ns_hdf5_module_get()->library(own, sizeof own);
  if (!others || !*others) return ns_h5_put_text(g, "libraries", own);
  size_t n = strlen(others) + sizeof own + 3;
  char *s = malloc(n);
  if (!s) return -1;
  snprintf(s, n, "%s, %s", others, own);
  int rc = ns_h5_put_text(g, "libraries", s);
  free(s);
  return rc;
}

static int put_status(hid_t g, const char *status)
{
  char s[NS_H5_STATUS_SIZE] = "";
  snprintf(s, sizeof s, "%s", status);
  hid_t t = ns_h5_text_type(sizeof s), space = H5Screate(H5S_SCALAR);
  hid_t a = H5Aexists(g, "status") > 0
                ? H5Aopen(g, "status", H5P_DEFAULT)
                : H5Acreate2(g, "status", t, space, H5P_DEFAULT, H5P_DEFAULT);
  int rc = a < 0 ? -1 : H5Awrite(a, t, s);
  if (a >= 0) H5Aclose(a);
  H5Sclose(space);
  H5Tclose(t);
  return rc;
}

static int put_provenance(hid_t file, const ns_provenance *p)
{
  hid_t g = H5Gcreate2(file, "provenance", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (g < 0) return -1;
  int rc = put_status(g, "running");
  if (rc >= 0) rc = ns_h5_put_text(g, "version", p->version);
  if (rc >= 0) rc = ns_h5_put_text(g, "command", p->command);
  if (rc >= 0) rc = ns_h5_put_text(g, "host", p->host);
  if (rc >= 0) rc = ns_h5_put_text(g, "user", p->user);
  if (rc >= 0) rc = ns_h5_put_text(g, "started", p->started);
  if (rc >= 0) rc = put_libraries(g, p->libraries);
  H5Gclose(g);
  return rc;
}

int ns_h5_write_head(hid_t file, const ns_result_meta *m)
{
  int rc = ns_h5_put_text(file, "format", m->format);
  if (rc >= 0) rc = put_model(file, m);
  return rc >= 0 ? put_provenance(file, &m->provenance) : rc;
}

static int put_certificate(hid_t file, const ns_result_meta *m)
{
  hid_t g = H5Gcreate2(file, "certificate", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int rc = g < 0 ? -1 : 0;
  for (const ns_cert_field *f = ns_cert_fields(m->first_order); rc >= 0 && f->name; f++) {
    double x = ns_cert_get(f, &m->certificate);
    if (!ns_cert_shown(f, &m->certificate)) continue;
    rc = f->kind == NS_CERT_DOUBLE ? ns_h5_put_double(g, f->name, x)
                                   : ns_h5_put_integer(g, f->name, (int64_t)x);
  }
  if (g >= 0) H5Gclose(g);
  return rc;
}

int ns_h5_write_tail(hid_t file, const ns_result_meta *m)
{
  int rc = m->has_certificate ? put_certificate(file, m) : 0;
  if (rc >= 0) rc = ns_h5_write_measures(file, m);
  hid_t g = rc < 0 ? -1 : H5Gopen2(file, "provenance", H5P_DEFAULT);
  if (g < 0) return -1;
  rc = ns_h5_put_text(g, "finished", m->provenance.finished);
  if (rc >= 0) rc = ns_h5_put_text(g, "message", m->provenance.message);
  if (rc >= 0) rc = ns_h5_put_integer(g, "exit", m->provenance.exit);
  if (rc >= 0) rc = ns_h5_put_double(g, "wall", m->provenance.wall);
  H5Gclose(g);
  return rc;
}

/* Attributes of /provenance. */
static const char *const tail[] = {"finished", "message", "exit", "wall"};
enum { NTAIL = sizeof tail / sizeof *tail };

static int begins(const char *path, const char *group)
{
  size_t n = strlen(group);
  return strncmp(path, group, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

int ns_h5_is_tail(const char *path, const char *attribute)
{
  if (begins(path, "certificate") || begins(path, "measures")) return 1;
  if (!attribute) return 0;
  if (strcmp(path, "model") == 0) return strcmp(attribute, "T") == 0;
  if (strcmp(path, "provenance") != 0) return 0;
  for (int k = 0; k < NTAIL; k++)
    if (strcmp(attribute, tail[k]) == 0) return 1;
  return strcmp(attribute, "status") == 0;
}

int ns_h5_copy_origin(hid_t from, hid_t to)
{
  static const char *const names[] = {"version", "command", "host", "user", "started", "libraries"};
  ns_arena *a = ns_arena_create(0, 1);
  hid_t p = H5Gopen2(from, "provenance", H5P_DEFAULT), q = H5Gopen2(to, "provenance", H5P_DEFAULT);
  int rc = !a || p < 0 || q < 0 ? -1 : 0;
  for (size_t k = 0; k < sizeof names / sizeof *names && rc >= 0; k++) {
    const char *text = ns_h5_get_text(a, p, names[k], NULL, NULL);
    if (H5Aexists(q, names[k]) > 0) rc = H5Adelete(q, names[k]);
    if (rc >= 0) rc = ns_h5_put_text(q, names[k], text);
  }
  if (p >= 0) H5Gclose(p);
  if (q >= 0) H5Gclose(q);
  ns_arena_destroy(a);
  return rc;
}

int ns_h5_write_status(hid_t file, const char *status)
{
  hid_t g = H5Gopen2(file, "provenance", H5P_DEFAULT);
  int rc = g < 0 ? -1 : put_status(g, status);
  if (g >= 0) H5Gclose(g);
  return rc;
}
