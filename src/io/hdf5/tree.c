/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree.c -- groups as a tree of numbers and texts (hdf5_tree.h). */
#include "base/arena.h"
#include "io/hdf5/h5.h"
#include "io/hdf5_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tree_job {
  ns_ctx *c;
  ns_arena *a;
  const char *path;
  hid_t file;
  size_t nodes, entries;
  ns_h5_reason reason;
} tree_job;

static int tree_refuse(tree_job *j, const char *object, const char *what)
{
  return ns_fail(j->c, NS_MODEL, "%.300s: %.200s %s", j->path, object, what);
}

static int tree_unread(tree_job *j, const char *object)
{
  char what[300];
  snprintf(what, sizeof what, "cannot read %.250s", object);
  return ns_h5_fail(j->c, NS_MODEL, j->path, what, &j->reason);
}

static int tree_nomem(tree_job *j) { return ns_nomem(j->c, "the tree of an HDF5 file"); }

/* Objects and entries so far, against their bounds. */
static int tree_count(tree_job *j, const char *object, size_t nodes, size_t entries)
{
  j->nodes += nodes;
  if (j->nodes > NS_HDF5_NODES)
    return tree_refuse(j, object, "is beyond the first 2e6 objects and attributes, expected fewer");
  if (entries > NS_HDF5_ENTRIES - j->entries)
    return tree_refuse(
        j, object, "makes more than 3e7 numbers, or 2.4e8 bytes of text, in all, expected fewer");
  j->entries += entries;
  return NS_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* An attribute or a dataset in hand. */
typedef struct tree_source {
  hid_t id;
  int is_attribute;
  const char *name; /* for sentences */
} tree_source;

static int read_as(const tree_source *s, hid_t type, void *to)
{
  if (s->is_attribute) return H5Aread(s->id, type, to) < 0;
  return H5Dread(s->id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) < 0;
}

/* Numbers of a type that HDF5 converts. The truth values of h5py are an enumeration of bytes, which
 * are read as they stand and converted from the type behind it. */
static int read_numbers(tree_job *j, const tree_source *s, hid_t type, ns_hdf5_value *v)
{
  double *x = ns_arena_zero(j->a, v->n, sizeof *x);
  hid_t base = H5Tget_class(type) == H5T_ENUM ? H5Tget_super(type) : -1;
  int bad = 0;
  if (!x) return tree_nomem(j);
  if (v->n && base >= 0)
    bad = H5Tget_size(base) > sizeof *x || read_as(s, type, x) ||
          H5Tconvert(base, H5T_NATIVE_DOUBLE, v->n, x, NULL, H5P_DEFAULT) < 0;
  else if (v->n) bad = read_as(s, H5T_NATIVE_DOUBLE, x);
  ns_h5_close(base);
  v->number = x;
  v->single = H5Tget_class(type) == H5T_FLOAT && H5Tget_size(type) == 4;
  return bad ? tree_unread(j, s->name) : NS_OK;
}

/* Texts whose length stands in the file beside them. */
static int read_long_texts(tree_job *j, const tree_source *s, hid_t space, const char **text,
                           size_t n)
{
  char **found = calloc(n + 1, sizeof *found);
  hid_t type = H5Tcopy(H5T_C_S1);
  int rc = NS_OK;
  if (!found || type < 0 || H5Tset_size(type, H5T_VARIABLE) < 0) rc = tree_nomem(j);
  /* h5py writes UTF-8 and ASCII alike, and HDF5 does not convert one to the other */
  hid_t own = rc ? -1 : (s->is_attribute ? H5Aget_type(s->id) : H5Dget_type(s->id));
  if (!rc && (own < 0 || H5Tset_cset(type, H5Tget_cset(own)) < 0)) rc = tree_unread(j, s->name);
  ns_h5_close(own);
  int read = !rc && n && !read_as(s, type, found);
  if (!rc && n && !read) rc = tree_unread(j, s->name);
  for (size_t k = 0; k < n && read && !rc; k++) {
    rc = tree_count(j, s->name, 0, found[k] ? strlen(found[k]) / 8 : 0);
    if (!rc && !(text[k] = ns_arena_text(j->a, found[k] ? found[k] : ""))) rc = tree_nomem(j);
  }
  if (read) H5Dvlen_reclaim(type, space, H5P_DEFAULT, found);
  ns_h5_close(type);
  free(found);
  return rc;
}

static int read_texts(tree_job *j, const tree_source *s, hid_t type, hid_t space, ns_hdf5_value *v)
{
  const char **text = ns_arena_zero(j->a, v->n + 1, sizeof *text);
  size_t size = H5Tget_size(type);
  int rc = NS_OK;
  if (!text) return tree_nomem(j);
  v->text = text;
  if (H5Tis_variable_str(type) > 0) return read_long_texts(j, s, space, text, v->n);
  if (size && v->n > NS_HDF5_ENTRIES / size)
    return tree_refuse(j, s->name, "contains texts of more than 3e7 bytes, expected fewer");
  rc = tree_count(j, s->name, 0, v->n * size / 8);
  char *all = rc ? NULL : ns_arena_zero(j->a, v->n * (size + 1) + 1, 1);
  if (rc || !all) return rc ? rc : tree_nomem(j);
  if (v->n && read_as(s, type, all)) return tree_unread(j, s->name);
  for (size_t k = v->n; k-- > 0;) { /* a 0 behind each, the last first */
    memmove(all + k * (size + 1), all + k * size, size);
    all[k * (size + 1) + size] = 0;
    text[k] = all + k * (size + 1);
  }
  return NS_OK;
}

static int read_extent(tree_job *j, const tree_source *s, hid_t space, ns_hdf5_value *v)
{
  hsize_t dims[H5S_MAX_RANK] = {0};
  int rank = H5Sget_simple_extent_type(space) == H5S_NULL
                 ? -1
                 : H5Sget_simple_extent_dims(space, dims, NULL);
  v->rows = v->cols = rank < 0 ? 0 : 1;
  for (int k = 0; k < rank; k++) {
    size_t *to = k ? &v->cols : &v->rows;
    if (dims[k] > NS_HDF5_ENTRIES || (dims[k] && *to > NS_HDF5_ENTRIES / dims[k]))
      return tree_refuse(j, s->name, "has more than 3e7 entries, expected fewer");
    *to *= (size_t)dims[k];
  }
  if (v->rows && v->cols > NS_HDF5_ENTRIES / v->rows)
    return tree_refuse(j, s->name, "has more than 3e7 entries, expected fewer");
  v->n = v->rows * v->cols;
  return tree_count(j, s->name, 0, v->n);
}

static int read_value(tree_job *j, const tree_source *s, ns_hdf5_value *v)
{
  hid_t type = s->is_attribute ? H5Aget_type(s->id) : H5Dget_type(s->id);
  hid_t space = s->is_attribute ? H5Aget_space(s->id) : H5Dget_space(s->id);
  int rc = type < 0 || space < 0 ? tree_unread(j, s->name) : read_extent(j, s, space, v);
  H5T_class_t k = rc ? H5T_NO_CLASS : H5Tget_class(type);
  if (k == H5T_FLOAT || k == H5T_INTEGER || k == H5T_ENUM) rc = read_numbers(j, s, type, v);
  else if (k == H5T_STRING) rc = read_texts(j, s, type, space, v);
  ns_h5_close(space, type);
  return rc;
}

/* ---- objects --------------------------------------------------------------------------------- */

static int read_attributes(tree_job *j, hid_t object, ns_hdf5_node *n)
{
  H5O_info_t info;
  int rc = H5Oget_info(object, &info) < 0 ? tree_unread(j, n->name)
                                          : tree_count(j, n->name, (size_t)info.num_attrs, 0);
  size_t count = rc ? 0 : (size_t)info.num_attrs;
  ns_hdf5_value *list = ns_arena_zero(j->a, count + 1, sizeof *list);
  if (!rc && !list) rc = tree_nomem(j);
  for (size_t k = 0; k < count && !rc; k++) {
    char name[256] = "", what[560];
    hid_t id = H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, (hsize_t)k, H5P_DEFAULT,
                              H5P_DEFAULT);
    if (id < 0 || H5Aget_name(id, sizeof name, name) < 0) rc = tree_unread(j, n->name);
    snprintf(what, sizeof what, "attribute %s of %s", name, n->name);
    if (!rc && !(list[k].name = ns_arena_text(j->a, name))) rc = tree_nomem(j);
    if (!rc) rc = read_value(j, &(tree_source){id, 1, what}, &list[k]);
    ns_h5_close(id);
  }
  n->attribute = list;
  n->nattributes = (int)count;
  return rc;
}

/* Data of a dataset lie in the file itself: neither in other files nor in datasets of such. */
static int check_inside(tree_job *j, hid_t set, const char *name)
{
  hid_t plist = H5Dget_create_plist(set);
  int outside = plist < 0 || H5Pget_external_count(plist) != 0 ||
                H5Pget_layout(plist) == H5D_VIRTUAL;
  ns_h5_close(plist);
  return outside ? tree_refuse(j, name, "has its data in other files, expected them in this one")
                 : NS_OK;
}

static int read_object(tree_job *j, hid_t object, int depth, ns_hdf5_node *n);

static int read_child(tree_job *j, hid_t group, hsize_t k, int depth, ns_hdf5_node *child)
{
  H5L_info_t link;
  ssize_t len = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, NULL, 0, H5P_DEFAULT);
  char *name = len < 0 || len > 65536 ? NULL : ns_arena_zero(j->a, (size_t)len + 1, 1);
  if (len < 0 || len > 65536) return tree_unread(j, "a name");
  if (!name) return tree_nomem(j);
  child->name = name;
  if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, name, (size_t)len + 1,
                         H5P_DEFAULT) < 0 ||
      H5Lget_info_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, &link, H5P_DEFAULT) < 0)
    return tree_unread(j, "a link");
  if (link.type != H5L_TYPE_HARD)
    return tree_refuse(j, name, "is a link to another place or file, expected the object itself");
  hid_t object = H5Oopen(group, name, H5P_DEFAULT);
  int rc = object < 0 ? tree_unread(j, name) : read_object(j, object, depth + 1, child);
  ns_h5_close(object);
  return rc;
}

static int read_children(tree_job *j, hid_t group, int depth, ns_hdf5_node *n)
{
  H5G_info_t info;
  if (depth >= NS_HDF5_DEPTH)
    return tree_refuse(
        j, n->name,
        "is nested more than 8 groups deep, expected fewer; do groups contain themselves?");
  int rc = H5Gget_info(group, &info) < 0 ? tree_unread(j, n->name) : NS_OK;
  if (!rc && info.nlinks > NS_HDF5_NODES)
    rc = tree_refuse(j, n->name, "contains more than 2e6 objects, expected fewer");
  if (!rc) rc = tree_count(j, n->name, (size_t)info.nlinks, 0);
  ns_hdf5_node *child = rc ? NULL : ns_arena_zero(j->a, (size_t)info.nlinks + 1, sizeof *child);
  if (!rc && !child) rc = tree_nomem(j);
  for (hsize_t k = 0; !rc && k < info.nlinks; k++) rc = read_child(j, group, k, depth, &child[k]);
  n->child = child;
  n->nchildren = rc ? 0 : (int)info.nlinks;
  return rc;
}

static int read_object(tree_job *j, hid_t object, int depth, ns_hdf5_node *n)
{
  H5I_type_t kind = H5Iget_type(object);
  int rc = kind == H5I_GROUP || kind == H5I_DATASET ? read_attributes(j, object, n) : NS_OK;
  n->is_group = kind == H5I_GROUP;
  if (!rc && kind == H5I_GROUP) rc = read_children(j, object, depth, n);
  if (!rc && kind == H5I_DATASET) rc = check_inside(j, object, n->name);
  n->data.name = n->name;
  if (!rc && kind == H5I_DATASET) rc = read_value(j, &(tree_source){object, 0, n->name}, &n->data);
  return rc;
}

/* A group of a path, link by link, so that none leads out of the file. 0: it is not there. */
static int is_there(tree_job *j, const char *path)
{
  char part[200];
  for (size_t n = 1; n <= strlen(path); n++) {
    H5L_info_t link;
    if (path[n] && path[n] != '/') continue;
    snprintf(part, sizeof part, "%.*s", (int)n, path);
    if (H5Lexists(j->file, part, H5P_DEFAULT) <= 0) return 0;
    if (H5Lget_info(j->file, part, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD) return 0;
  }
  return 1;
}

static int read_groups(tree_job *j, const char *const *groups, ns_hdf5_node *root)
{
  int n = 0, rc = NS_OK;
  while (groups[n]) n++;
  ns_hdf5_node *child = ns_arena_zero(j->a, (size_t)n + 1, sizeof *child);
  hid_t top = child ? H5Oopen(j->file, "/", H5P_DEFAULT) : -1;
  if (!child) return tree_nomem(j);
  *root = (ns_hdf5_node){.name = "/", .is_group = 1, .child = child, .nchildren = n};
  if (top < 0) return tree_unread(j, "/");
  rc = read_attributes(j, top, root);
  H5Oclose(top);
  for (int k = 0; k < n && !rc; k++) {
    child[k].name = groups[k];
    if (!is_there(j, groups[k])) continue;
    hid_t object = H5Oopen(j->file, groups[k], H5P_DEFAULT);
    rc = object < 0 ? tree_unread(j, groups[k]) : read_object(j, object, 1, &child[k]);
    ns_h5_close(object);
  }
  return rc;
}

int ns_h5_tree(ns_ctx *c, const char *path, const char *const *groups, ns_arena *a,
               ns_hdf5_node *root)
{
  tree_job j = {.c = c, .a = a, .path = path, .file = -1};
  int rc = ns_h5_start(c);
  if (rc) return rc;
  ns_h5_listen(&j.reason);
  j.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (j.file < 0) rc = ns_h5_fail(c, NS_MODEL, path, "cannot open", &j.reason);
  if (!rc) rc = read_groups(&j, groups, root);
  if (!rc && ns_h5_lacked_memory(&j.reason)) rc = tree_nomem(&j);
  ns_h5_close(j.file);
  ns_h5_listen(NULL);
  return rc;
}
