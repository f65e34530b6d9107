/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_xdmf.c -- where in an HDF5 output the points stand, for ParaView.
 *
 * Version 2 of XDMF, of which only what every reader knows is used: a temporal collection of
 * frames, each a spatial collection of clouds, each a Polyvertex whose coordinates are hyperslabs
 * of the datasets of the output: no number is copied but times and constants. Points whose columns
 * stand at equal distances in one dataset (outputs of very many objects) are one cloud. Source:
 * "XDMF Model and Format", xdmf.org. */
#include "io/export/export_file.h"
#include "io/export/export_points.h"
#include "io/number.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FRAMES = 1001, MAX_CLOUDS = 20000 }; /* of all frames: 25 MB of XML */

typedef struct cloud {
  size_t first, n; /* points */
  int stride;      /* columns between them */
} cloud;

typedef struct writer {
  const ns_result_meta *m;
  const ns_export_points *p;
  cloud *clouds;
  size_t nclouds;
  int bodies;       /* points are the rigid bodies in their order: /shapes/radius is theirs */
  int turned;       /* each with a quaternion behind its place */
  const char *data; /* name of the HDF5 file as it stands in the XML */
  FILE *f;
} writer;

/* ---- clouds ---------------------------------------------------------------------------------- */

static int follows(const ns_export_value *a, const ns_export_value *b, int stride)
{
  if (a->channel < 0 || b->channel < 0)
    return a->channel == b->channel && a->constant == b->constant;
  return a->channel == b->channel && b->component - a->component == stride;
}

static int point_follows(const ns_export_point *a, const ns_export_point *b, int stride)
{
  int is = follows(&a->angle, &b->angle, stride);
  for (int k = 0; k < 3 && is; k++)
    is = follows(&a->x[k], &b->x[k], stride) && follows(&a->v[k], &b->v[k], stride) &&
         follows(&a->p[k], &b->p[k], stride);
  return is;
}

static int stride_of(const ns_export_point *a, const ns_export_point *b)
{
  for (int k = 0; k < 3; k++)
    if (a->x[k].channel >= 0) return b->x[k].component - a->x[k].component;
  return 1;
}

static int find_clouds(ns_ctx *c, writer *w, ns_arena *a)
{
  const ns_export_points *p = w->p;
  w->clouds = ns_arena_get(a, p->n, sizeof *w->clouds);
  if (!w->clouds) return ns_nomem(c, "points to export");
  for (size_t i = 0; i < p->n; i += w->clouds[w->nclouds++].n) {
    cloud *k = &w->clouds[w->nclouds];
    *k = (cloud){i, 1, i + 1 < p->n ? stride_of(&p->point[i], &p->point[i + 1]) : 1};
    while (k->stride > 0 && i + k->n < p->n &&
           point_follows(&p->point[i + k->n - 1], &p->point[i + k->n], k->stride))
      k->n++;
    if (k->n == 1) k->stride = 1;
  }
  return NS_OK;
}

/* ---- XML ------------------------------------------------------------------------------------- */

static void put_constant(const writer *w, double x, size_t n)
{
  char s[NS_NUMBER_SIZE];
  ns_number_format(x, s);
  fprintf(w->f,
          "     <DataItem Dimensions=\"%zu\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">",
          n);
  for (size_t i = 0; i < n; i++) fprintf(w->f, "%s%s", i ? " " : "", s);
  fputs("</DataItem>\n", w->f);
}

/* One column of each point of a cloud, in one row. */
static void put_slab(const writer *w, const cloud *k, const ns_export_value *x, size_t row)
{
  if (x->channel < 0) {
    put_constant(w, x->constant, k->n);
    return;
  }
  const ns_channel *ch = &w->m->channels[x->channel];
  fprintf(w->f, "     <DataItem ItemType=\"HyperSlab\" Type=\"HyperSlab\" Dimensions=\"%zu\">\n",
          k->n);
  if (ch->vector || ch->ncol > 1)
    fprintf(w->f,
            "      <DataItem Dimensions=\"3 2\" NumberType=\"Int\" Format=\"XML\">%zu %d 1 %d 1 "
            "%zu</DataItem>\n"
            "      <DataItem Dimensions=\"%zu %d\"",
            row, x->component, k->stride, k->n, w->m->nrows, ch->ncol);
  else
    fprintf(
        w->f,
        "      <DataItem Dimensions=\"3 1\" NumberType=\"Int\" Format=\"XML\">%zu 1 1</DataItem>\n"
        "      <DataItem Dimensions=\"%zu\"",
        row, w->m->nrows);
  fputs(" NumberType=\"Float\" Precision=\"8\" Format=\"HDF\">", w->f);
  ns_export_put_attribute(w->data, w->f);
  fputs(":/", w->f);
  ns_export_put_attribute(ch->path, w->f);
  fputs("</DataItem>\n     </DataItem>\n", w->f);
}

static void put_scalar(const writer *w, const cloud *k, const char *name, const ns_export_value *x,
                       size_t row)
{
  fprintf(w->f, "    <Attribute Name=\"%s\" AttributeType=\"Scalar\" Center=\"Node\">\n", name);
  put_slab(w, k, x, row);
  fputs("    </Attribute>\n", w->f);
}

/* Of a dataset [one a body]. */
static void put_radius(const writer *w, const cloud *k)
{
  fprintf(
      w->f,
      "    <Attribute Name=\"radius\" AttributeType=\"Scalar\" Center=\"Node\">\n"
      "     <DataItem ItemType=\"HyperSlab\" Type=\"HyperSlab\" Dimensions=\"%zu\">\n"
      "      <DataItem Dimensions=\"3 1\" NumberType=\"Int\" Format=\"XML\">%zu 1 %zu</DataItem>\n"
      "      <DataItem Dimensions=\"%zu\" NumberType=\"Float\" Precision=\"8\" Format=\"HDF\">",
      k->n, k->first, k->n, w->p->n);
  ns_export_put_attribute(w->data, w->f);
  fputs(":/shapes/radius</DataItem>\n     </DataItem>\n    </Attribute>\n", w->f);
}

/* The four coordinates behind x, y, z. */
static void put_orientation(const writer *w, const cloud *k, const ns_export_value *x, size_t row)
{
  static const char *const names[] = {"orientation_w", "orientation_x", "orientation_y",
                                      "orientation_z"};
  for (int a = 0; a < 4; a++) {
    ns_export_value p = *x;
    p.component += 3 + a;
    put_scalar(w, k, names[a], &p, row);
  }
}

static void put_time(const writer *w, size_t i)
{
  char t[NS_NUMBER_SIZE];
  ns_number_format(w->p->t[i], t);
  fprintf(w->f, "   <Time Value=\"%s\"/>\n", t);
}

static void put_attributes(const writer *w, const cloud *k, size_t row)
{
  static const char *const velocity[] = {"velocity_x", "velocity_y", "velocity_z"};
  static const char *const impulse[] = {"impulse_x", "impulse_y", "impulse_z"};
  const ns_export_point *x = &w->p->point[k->first];
  for (int a = 0; a < 3 && w->p->has_v; a++) put_scalar(w, k, velocity[a], &x->v[a], row);
  for (int a = 0; a < 3 && w->p->has_p; a++) put_scalar(w, k, impulse[a], &x->p[a], row);
  if (w->p->has_angle) put_scalar(w, k, "angle", &x->angle, row);
  if (w->bodies) put_radius(w, k);
  if (w->turned) put_orientation(w, k, &x->x[0], row);
}

static void put_cloud(const writer *w, const cloud *k, size_t frame)
{
  const ns_export_point *x = &w->p->point[k->first];
  size_t row = w->p->rows[frame];
  fputs("   <Grid Name=\"", w->f);
  ns_export_put_attribute(x->name, w->f);
  fputs("\" GridType=\"Uniform\">\n", w->f);
  if (w->nclouds == 1) put_time(w, frame);
  fprintf(
      w->f,
      "    <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%zu\" NodesPerElement=\"1\"/>\n"
      "    <Geometry GeometryType=\"X_Y_Z\">\n",
      k->n);
  for (int a = 0; a < 3; a++) put_slab(w, k, &x->x[a], row);
  fputs("    </Geometry>\n", w->f);
  put_attributes(w, k, row);
  fputs("   </Grid>\n", w->f);
}

static void put_frame(const writer *w, size_t frame)
{
  if (w->nclouds > 1) {
    fprintf(w->f, "  <Grid Name=\"frame%zu\" GridType=\"Collection\" CollectionType=\"Spatial\">\n",
            frame);
    put_time(w, frame);
  }
  for (size_t i = 0; i < w->nclouds; i++) put_cloud(w, &w->clouds[i], frame);
  if (w->nclouds > 1) fputs("  </Grid>\n", w->f);
}

static int write_all(ns_ctx *c, writer *w, const char *path)
{
  ns_export_file to;
  int rc = ns_export_file_open(c, path, &to);
  if (rc) return rc;
  w->f = to.f;
  fputs("<?xml version=\"1.0\" ?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<Xdmf "
        "Version=\"2.0\">\n <Domain>\n"
        "  <Grid Name=\"",
        w->f);
  ns_export_put_attribute(w->m->name ? w->m->name : "nssim", w->f);
  fputs("\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", w->f);
  for (size_t i = 0; i < w->p->nrows && !ferror(w->f); i++) put_frame(w, i);
  fputs("  </Grid>\n </Domain>\n</Xdmf>\n", w->f);
  return ns_export_file_close(&to);
}

/* ---- -------------------------------------------------------------------------------------------
 */

/* Name of the data as seen from the XML: alone where both are in one folder, else from the root. */
static int name_data(ns_ctx *c, const char *data, const char *path, ns_arena *a, const char **name)
{
  const char *sd = strrchr(data, '/'), *sp = strrchr(path, '/');
  size_t nd = sd ? (size_t)(sd - data) : 0, np = sp ? (size_t)(sp - path) : 0;
  char whole[PATH_MAX];
  if ((sd != NULL) == (sp != NULL) && nd == np && strncmp(data, path, nd) == 0)
    *name = sd ? sd + 1 : data;
  else if (realpath(data, whole)) *name = ns_arena_text(a, whole);
  else *name = data;
  if (!*name) return ns_nomem(c, "name of the output");
  if (strchr(*name, ':'))
    return ns_fail(c, NS_USAGE,
                   "%s: its name has a colon, which ends the name of a file in XDMF; rename it",
                   *name);
  return NS_OK;
}

static int is_hdf5(const ns_result *r)
{
  const char *path = ns_result_path(r), *dot = strrchr(path, '.');
  return dot && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0);
}

/* Whether the points are the bodies of the result. */
static int look_for_bodies(ns_ctx *c, ns_result *r, const ns_export_options *o, writer *w)
{
  const ns_result_scene *s;
  int rc = ns_result_get_scene(r, c, &s);
  if (rc || !s->nshapes || o->npoints || (size_t)s->nbodies != w->p->n) return rc;
  w->bodies = w->turned = 1;
  for (int i = 0; i < s->nbodies; i++) {
    w->bodies &= !strcmp(s->body[i].id, w->p->point[i].name);
    w->turned &= s->body[i].coordinates == 7;
  }
  w->turned &= w->bodies;
  return NS_OK;
}

static int export(ns_ctx *c, ns_result *r, const ns_export_options *o, const char *path,
                  ns_arena *a, ns_export_size *size)
{
  ns_export_points p;
  writer w = {.m = ns_result_get_meta(r), .p = &p};
  int rc = ns_export_points_make(c, r, o, a, &p);
  if (!rc) rc = look_for_bodies(c, r, o, &w);
  if (!rc) rc = find_clouds(c, &w, a);
  if (!rc) rc = name_data(c, ns_result_path(r), path, a, &w.data);
  if (rc) return rc;
  size_t max = o->frames                             ? o->frames
               : MAX_CLOUDS / w.nclouds < MAX_FRAMES ? MAX_CLOUDS / w.nclouds
                                                     : MAX_FRAMES;
  ns_export_points_thin(&p, max > 2 ? max : 2);
  *size = (ns_export_size){.frames = p.nrows, .points = p.n, .rows = p.asked};
  return write_all(c, &w, path);
}

int ns_export_xdmf(ns_ctx *c, ns_result *r, const ns_export_options *o, const char *path,
                   ns_export_size *size)
{
  if (!is_hdf5(r))
    return ns_fail(c, NS_USAGE,
                   "%s: XDMF refers to the numbers of an HDF5 file; run the model with -o out.h5, "
                   "or export with --vtk",
                   ns_result_path(r));
  ns_arena *a = ns_arena_create(0, 1);
  if (!a) return ns_nomem(c, "points to export");
  int rc = export(c, r, o, path, a, size);
  ns_arena_destroy(a);
  return rc;
}
