/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runs_reader.c -- the table of a sweep as a result: a row a run, columns as in its CSV. */
#include "io/hdf5/h5.h"
#include "io/results/result_meta.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct list {
  ns_arena *a;
  ns_result_meta *m;
  ns_channel *channels; /* [cap] */
  size_t cap;
  const char *group; /* "" or "parameters", "measures" */
} list;

/* "top", of an array "top[0]", "top[1]" ... */
static const char *const *labels(const list *x, const char *name, int n, int array)
{
  const char **l = ns_arena_get(x->a, (size_t)n, sizeof *l);
  for (int i = 0; l && i < n; i++) {
    l[i] = array ? ns_arena_format(x->a, "%s[%d]", name, i) : ns_arena_text(x->a, name);
    if (!l[i]) return NULL;
  }
  return l;
}

/* Words of a parameter that is an enumeration: [*n], NULL where it is none. */
static const char *const *words(list *x, hid_t d, int *n)
{
  hid_t type = H5Dget_type(d);
  int members = type >= 0 && H5Tget_class(type) == H5T_ENUM && *x->group ? H5Tget_nmembers(type)
                                                                         : 0;
  const char **w = members > 0 ? ns_arena_zero(x->a, (size_t)members, sizeof *w) : NULL;
  *n = w ? members - 1 : 0;
  for (int k = 0; w && k < members; k++) {
    int at = -1;
    char *name = H5Tget_member_name(type, (unsigned)k);
    if (H5Tget_member_value(type, (unsigned)k, &at) >= 0 && name && at >= 0 && at < *n)
      w[at] = ns_arena_text(x->a, name);
    H5free_memory(name);
  }
  for (int k = 0; k < *n; k++)
    if (!w[k]) *n = 0;
  ns_h5_close(type);
  return *n ? w : NULL;
}

static int add(list *x, hid_t d, const char *name)
{
  hsize_t dims[2] = {0, 1};
  hid_t space = H5Dget_space(d);
  int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
  if (rank == 1 || rank == 2) H5Sget_simple_extent_dims(space, dims, NULL);
  ns_h5_close(space);
  if ((rank != 1 && rank != 2) || !dims[1] || dims[1] > 100000000 ||
      (size_t)x->m->nchannels == x->cap)
    return 0;
  ns_channel *ch = &x->channels[x->m->nchannels];
  const char *path = ns_arena_format(x->a, "%s%s%s", x->group, *x->group ? "/" : "", name);
  const char *called = ns_h5_get_text(x->a, d, "path", NULL, NULL);
  const char *unit = ns_h5_get_text(x->a, d, "unit", NULL, NULL);
  *ch = (ns_channel){
      .path = path,
      .col = x->m->ncols,
      .ncol = (int)dims[1],
      .vector = rank == 2,
      .labels = labels(x, called && *called ? called : name, (int)dims[1], rank == 2),
      .unit = unit && *unit ? unit : NULL};
  if (!path || !ch->labels) return -1;
  ch->word = words(x, d, &ch->nwords);
  if (!x->m->nchannels || dims[0] < x->m->nrows) x->m->nrows = dims[0];
  x->m->ncols += dims[1];
  x->m->nchannels++;
  return 0;
}

static herr_t visit(hid_t g, const char *name, const H5L_info_t *info, void *to)
{
  (void)info;
  hid_t d = H5Oopen(g, name, H5P_DEFAULT);
  int rc = d < 0 ? -1 : H5Iget_type(d) == H5I_DATASET ? add(to, d, name) : 0;
  ns_h5_close(d);
  return rc < 0 ? -1 : 0;
}

static size_t members(hid_t file, const char *group)
{
  H5G_info_t info;
  return H5Gget_info_by_name(file, group, &info, H5P_DEFAULT) < 0 ? 0 : (size_t)info.nlinks;
}

int ns_h5_runs_list(hid_t file, ns_arena *a, ns_result_meta *m, ns_channel **channels)
{
  static const char *const head[] = {"run", "key", "status"}, *const group[] = {"parameters",
                                                                                "measures"};
  list x = {
      .a = a, .m = m, .cap = 3 + members(file, group[0]) + members(file, group[1]), .group = ""};
  int rc = 0;
  m->format = NULL;
  m->title = ns_h5_get_text(a, file, "title", NULL, NULL);
  m->channels = x.channels = *channels = calloc(x.cap, sizeof *x.channels);
  if (!x.channels) return -1;
  for (int k = 0; k < 3 && rc >= 0; k++) rc = visit(file, head[k], NULL, &x);
  for (int k = 0; k < 2 && rc >= 0; k++) {
    x.group = group[k];
    rc = H5Literate_by_name(file, group[k], H5_INDEX_NAME, H5_ITER_INC, NULL, visit, &x,
                            H5P_DEFAULT) < 0
             ? -1
             : 0;
  }
  return rc;
}
