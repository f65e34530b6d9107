/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/results/info_scene.h"

#include "base/plural.h"
#include "io/export/export_bodies.h"

#include <math.h>
#include <stdlib.h>

/* "3 spheres, 1 plane (fixed)". */
static void show_shapes(const ns_result_scene *s, FILE *f)
{
  static const char *const one[NS_SHAPE_KINDS] = {"plane",   "sphere", "capsule", "cylinder",
                                                  "box",     "hull",   "mesh",    "disk",
                                                  "polygon", "line",   "cone"};
  static const char *const many[NS_SHAPE_KINDS] = {"planes",   "spheres", "capsules", "cylinders",
                                                   "boxes",    "hulls",   "meshes",   "disks",
                                                   "polygons", "lines",   "cones"};
  size_t n[NS_SHAPE_KINDS] = {0}, fixed = 0;
  for (int i = 0; i < s->nshapes; i++) {
    n[s->shape[i].kind]++;
    fixed += s->shape[i].body < 0;
  }
  fprintf(f, "  %-13s%d", "shapes", s->nshapes);
  const char *before = ": ";
  for (int k = 0; k < NS_SHAPE_KINDS; k++) {
    if (n[k]) fprintf(f, "%s%zu %s", before, n[k], ns_plural(n[k], one[k], many[k]));
    if (n[k]) before = ", ";
  }
  if (fixed) fprintf(f, "; %zu fixed in space", fixed);
  fputc('\n', f);
}

/* The largest of all rows. */
typedef struct largest {
  size_t max, max_row, force_row;
  double force, overlap; /* N, m */
} largest;

static int look(ns_result *r, ns_ctx *c, largest *x)
{
  const ns_result_meta *m = ns_result_get_meta(r);
  int rc = NS_OK;
  *x = (largest){0};
  for (size_t i = 0; i < m->ncontact_rows && !rc; i++) {
    const ns_contact_record *k;
    size_t n;
    rc = ns_result_contacts(r, c, i, &k, &n);
    if (n > x->max) x->max = n, x->max_row = i;
    for (size_t j = 0; j < n && !rc; j++) {
      double force[3];
      ns_export_contact_force(m, &k[j], force);
      if (ns_norm3(force) > x->force) x->force = ns_norm3(force), x->force_row = i;
      x->overlap = fmax(x->overlap, -k[j].gap);
    }
  }
  return rc;
}

static int show_contacts(ns_result *r, ns_ctx *c, FILE *f)
{
  const ns_result_meta *m = ns_result_get_meta(r);
  largest x;
  ns_column time;
  double *t = malloc((m->nrows + 1) * sizeof *t);
  int rc = t ? ns_result_find(r, c, "time", &time) : ns_nomem(c, "times of the rows");
  if (!rc) rc = ns_result_read(r, c, &time, t);
  if (!rc) rc = look(r, c, &x);
  if (!rc) {
    fprintf(f, "  %-13s%zu in %zu %s", "contacts", m->ncontacts, m->ncontact_rows,
            ns_plural(m->ncontact_rows, "row", "rows"));
    if (x.max)
      fprintf(f, "; maximum %zu at t = %.10g s, largest force %.6g N at t = %.10g s", x.max,
              t[x.max_row], x.force, t[x.force_row]);
    if (x.overlap > 0) fprintf(f, ", deepest overlap %.3g m", x.overlap);
    fputc('\n', f);
  }
  free(t);
  return rc;
}

int ns_info_scene(ns_result *r, ns_ctx *c, FILE *f)
{
  const ns_result_scene *s;
  int rc = ns_result_get_scene(r, c, &s), planar = 0;
  if (rc) return rc;
  for (int i = 0; i < s->nbodies; i++) planar += s->body[i].coordinates == 3;
  if (s->nbodies)
    fprintf(f, "  %-13s%d%s\n", "bodies", s->nbodies, planar == s->nbodies ? " in the plane" : "");
  if (s->nshapes) show_shapes(s, f);
  return ns_result_get_meta(r)->ncontact_rows ? show_contacts(r, c, f) : NS_OK;
}
