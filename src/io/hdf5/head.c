/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hdf5/head.h"

#include "base/arena.h"
#include "io/hdf5/measures.h"
#include "io/hdf5_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text into a field of len bytes that was zero. */
static void field(char *to, const char *s)
{
  if (s) strcpy(to, s);
}

static int put_xml(hid_t model, const char *xml)
{
  if (!xml) return 0;
  hid_t t = ns_h5_text_type(strlen(xml) + 1);
  int rc = ns_h5_put_dataset(model, "xml", t, H5Screate(H5S_SCALAR), xml);
  ns_h5_close(t);
  return rc;
}

hid_t ns_h5_parameter_type(size_t name, size_t unit)
{
  const ns_h5_member m[] = {{"name", 0, ns_h5_text_type(name), 1},
                            {"value", name, H5T_NATIVE_DOUBLE, 0},
                            {"unit", name + 8, ns_h5_text_type(unit), 1},
                            {"overridden", name + 8 + unit, H5T_NATIVE_INT8, 0}};
  return ns_h5_compound_type(name + 8 + unit + 1, m, sizeof m / sizeof *m);
}

hid_t ns_h5_source_type(size_t path)
{
  enum { SHA = sizeof((ns_source *)0)->sha256 };
  const ns_h5_member m[] = {{"path", 0, ns_h5_text_type(path), 1},
                            {"sha256", path, ns_h5_text_type(SHA), 1}};
  return ns_h5_compound_type(path + SHA, m, sizeof m / sizeof *m);
}

static int put_parameters(hid_t model, const ns_result_meta *m)
{
  size_t name = 1, unit = 1;
  for (int i = 0; i < m->nparameters; i++) {
    name = ns_h5_longer(name, m->parameters[i].name);
    unit = ns_h5_longer(unit, m->parameters[i].unit);
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
  hid_t t = ns_h5_parameter_type(name, unit);
  int rc = ns_h5_put_dataset(model, "parameters", t, ns_h5_vector_space((size_t)m->nparameters),
                             all);
  ns_h5_close(t);
  free(all);
  return rc;
}

static int put_sources(hid_t model, const ns_result_meta *m)
{
  size_t path = 1, sha = sizeof m->sources->sha256;
  for (int i = 0; i < m->nsources; i++) path = ns_h5_longer(path, m->sources[i].path);
  char *all = calloc((size_t)m->nsources + 1, path + sha);
  if (!all) return -1;
  for (int i = 0; i < m->nsources; i++) {
    char *row = all + (size_t)i * (path + sha);
    field(row, m->sources[i].path);
    memcpy(row + path, m->sources[i].sha256, sha);
  }
  hid_t t = ns_h5_source_type(path);
  int rc = ns_h5_put_dataset(model, "sources", t, ns_h5_vector_space((size_t)m->nsources), all);
  ns_h5_close(t);
  free(all);
  return rc;
}

static int put_model(hid_t file, const ns_result_meta *m)
{
  hid_t g = ns_h5_create_group(file, "model");
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

/* "libxml2 2.9.14, HDF5 1.10.8", malloced; NULL when out of memory. */
static char *all_libraries(const char *others)
{
  char own[32];
  ns_hdf5_module_get()->library(own, sizeof own);
  int any = others && *others;
  size_t n = (any ? strlen(others) : 0) + sizeof own + 3;
  char *s = malloc(n);
  if (s) snprintf(s, n, "%s%s%s", any ? others : "", any ? ", " : "", own);
  return s;
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
  ns_h5_close(a, space, t);
  return rc;
}

static int put_provenance(hid_t file, const ns_provenance *p)
{
  hid_t g = ns_h5_create_group(file, "provenance");
  if (g < 0) return -1;
  ns_provenance own = *p;
  char *libraries = all_libraries(p->libraries);
  own.libraries = libraries;
  int rc = libraries ? put_status(g, "running") : -1;
  for (const ns_provenance_text *x = ns_provenance_texts; x->name && rc >= 0; x++)
    if (x->of_start) rc = ns_h5_put_text(g, x->name, ns_provenance_get(x, &own));
  free(libraries);
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
  hid_t g = ns_h5_create_group(file, "certificate");
  int rc = g < 0 ? -1 : 0;
  for (const ns_cert_field *f = ns_cert_fields(m->first_order); rc >= 0 && f->name; f++) {
    double x = ns_cert_get(f, &m->certificate);
    if (!ns_cert_shown(f, &m->certificate)) continue;
    rc = f->kind == NS_CERT_DOUBLE ? ns_h5_put_double(g, f->name, x)
                                   : ns_h5_put_integer(g, f->name, (int64_t)x);
  }
  ns_h5_close(g);
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
  for (const ns_provenance_text *x = ns_provenance_texts; x->name; x++)
    if (!x->of_start && strcmp(attribute, x->name) == 0) return 1;
  return strcmp(attribute, "exit") == 0 || strcmp(attribute, "wall") == 0;
}

int ns_h5_copy_origin(hid_t from, hid_t to)
{
  ns_arena *a = ns_arena_create(0, 1);
  hid_t p = H5Gopen2(from, "provenance", H5P_DEFAULT), q = H5Gopen2(to, "provenance", H5P_DEFAULT);
  int rc = !a || p < 0 || q < 0 ? -1 : 0;
  for (const ns_provenance_text *x = ns_provenance_texts; x->name && rc >= 0; x++) {
    if (!x->of_start) continue;
    const char *text = ns_h5_get_text(a, p, x->name, NULL, NULL);
    if (H5Aexists(q, x->name) > 0) rc = H5Adelete(q, x->name);
    if (rc >= 0) rc = ns_h5_put_text(q, x->name, text);
  }
  ns_h5_close(p, q);
  ns_arena_destroy(a);
  return rc;
}

int ns_h5_write_status(hid_t file, const char *status)
{
  hid_t g = H5Gopen2(file, "provenance", H5P_DEFAULT);
  int rc = g < 0 ? -1 : put_status(g, status);
  ns_h5_close(g);
  return rc;
}
