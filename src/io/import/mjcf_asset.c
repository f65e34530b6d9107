/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mjcf_asset.c -- meshes and height fields of <asset>, by the names that geoms know them. */
#include "io/import/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of a file meshdir/a.stl: its name is a. */
static int names_asset(ns_mjcf *m, const xmlNode *x, const char *name)
{
  const char *own = ns_robot_attribute(m->r, x, "name"),
             *file = ns_robot_attribute(m->r, x, "file");
  if (own) return !strcmp(own, name);
  const char *slash = file ? strrchr(file, '/') : NULL, *base = slash ? slash + 1 : file;
  return base && strcspn(base, ".") == strlen(name) && !strncmp(base, name, strlen(name));
}

static const xmlNode *asset_named(ns_mjcf *m, const char *kind, const char *name)
{
  for (const xmlNode *a = ns_robot_first(m->root); name && a; a = ns_robot_next(a))
    for (const xmlNode *x = ns_robot_is(a, "asset") ? ns_robot_first(a) : NULL; x;
         x = ns_robot_next(x))
      if (!strcmp(ns_robot_element(x), kind) && names_asset(m, x, name) && ns_robot_is(x, kind))
        return x;
  return NULL;
}

static int mesh_points(ns_mjcf *m, const xmlNode *x, const char *text, const double *scale,
                       ns_robot_shape *s)
{
  int max = (int)(strlen(text) / 2 + 1);
  double *v = ns_arena_get(m->r->a, (size_t)max, sizeof *v);
  if (!v) return ns_robot_nomem(m->r);
  int n = ns_robot_numbers(m->r, x, "vertex", text, max, v);
  if (n < 0) return NS_MODEL;
  if (n < 12 || n % 3)
    return ns_robot_fail(
        m->r, x, "attribute vertex has %d numbers, expected x y z of four points or more", n);
  for (int k = 0; k < n; k++) v[k] *= scale[k % 3];
  s->points = v;
  s->npoints = n / 3;
  return NS_OK;
}

/* 1: the shape can be written; 0: it is left out, told; -1: reported. */
int ns_mjcf_read_mesh(ns_mjcf *m, const xmlNode *geom, const char *name, ns_robot_shape *s)
{
  ns_robot *r = m->r;
  const xmlNode *x = asset_named(m, "mesh", name);
  double scale[3] = {1, 1, 1};
  char path[700];
  if (!x)
    return ns_robot_fail(r, geom,
                         "names the mesh %.60s, which does not exist, expected one of <asset>",
                         name ? name : "")
               ? -1
               : 0;
  int class = ns_mjcf_class_of(m, x, 0);
  const char *file = ns_mjcf_get(m, x, class, "file"), *vertex = ns_robot_attribute(r, x, "vertex");
  if (ns_mjcf_vector(m, x, class, "scale", 3, scale) < 0) return -1;
  if (!file && !vertex)
    return ns_robot_fail(r, x, "has neither file nor vertex, expected one of them") ? -1 : 0;
  if (vertex) return mesh_points(m, x, vertex, scale, s) ? -1 : 1;
  snprintf(path, sizeof path, "%s%s%.500s", m->meshdir ? m->meshdir : "",
           m->meshdir && *m->meshdir ? "/" : "", file);
  if (ns_robot_mesh_file(r, x, path, &s->file)) return -1;
  if (!s->file) return 0;
  if (!(scale[0] > 0) || fabs(scale[1] - scale[0]) > 1e-12 || fabs(scale[2] - scale[0]) > 1e-12) {
    ns_robot_lost(r, x, "a mesh with a mirror image or another scale along each axis is ignored");
    return 0;
  }
  s->scale = scale[0];
  return 1;
}

/* Heights of nrow x ncol places, brought to 0 ... 1 and then to the third of size=; the text is a
 * map, the row of the greatest y first. 1, 0, -1 as read_mesh. */
int ns_mjcf_read_field(ns_mjcf *m, const xmlNode *geom, const char *name, ns_robot_shape *s)
{
  enum { FIELD_MAX = 1000 };
  ns_robot *r = m->r;
  const xmlNode *x = asset_named(m, "hfield", name);
  double size[4], low = INFINITY, high = -INFINITY;
  if (!x)
    return ns_robot_fail(r, geom,
                         "names the hfield %.60s, which does not exist, expected one of <asset>",
                         name ? name : "")
               ? -1
               : 0;
  const char *text = ns_robot_attribute(r, x, "elevation");
  int rows = ns_mjcf_integer(m, x, -1, "nrow", 0), cols = ns_mjcf_integer(m, x, -1, "ncol", 0),
      n = rows * cols;
  if (ns_robot_vector(r, x, "size", 4, size) < 1 || r->msg.c.nerrors)
    return r->msg.c.nerrors || ns_robot_fail(r, x, "attribute size is missing, expected 4 numbers")
               ? -1
               : 0;
  if (ns_robot_attribute(r, x, "file")) {
    ns_robot_left_out(r, x, "a height field of a file is ignored: write its heights as elevation=");
    return 0;
  }
  if (rows < 2 || cols < 2 || rows > FIELD_MAX || cols > FIELD_MAX || !(size[0] > 0) ||
      !(size[1] > 0))
    return ns_robot_fail(r, x,
                         "has %d rows and %d columns over %g and %g, expected 2 to %d of each, "
                         "over positive lengths",
                         rows, cols, size[0], size[1], FIELD_MAX)
               ? -1
               : 0;
  double *v = ns_arena_zero(r->a, 2 * (size_t)n, sizeof *v), *up = v ? v + n : NULL;
  if (!v) return ns_robot_nomem(r) ? -1 : 0;
  int found = text ? ns_robot_numbers(r, x, "elevation", text, n, v) : n;
  if (found != n)
    return found < 0 ||
                   ns_robot_fail(r, x, "attribute elevation has %d numbers, expected %d", found, n)
               ? -1
               : 0;
  for (int k = 0; k < n; k++) {
    low = fmin(low, v[k]);
    high = fmax(high, v[k]);
  }
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < cols; k++)
      up[i * cols + k] = high > low ? size[2] * (v[(rows - 1 - i) * cols + k] - low) / (high - low)
                                    : 0;
  s->points = up;
  s->npoints = cols;
  s->rows = rows;
  s->size[0] = 2 * size[0] / (cols - 1);
  s->size[1] = 2 * size[1] / (rows - 1);
  return 1;
}
