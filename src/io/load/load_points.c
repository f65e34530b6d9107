/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_points.c -- shapes that are made of points: in the model's text, where they may depend on
 * indices, or of a file. */
#include "io/load/load_shapes.h"

#include "expression/quote.h"
#include "io/load/load_rigid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The element, its compiled numbers, and the instance that is built. */
typedef struct points {
  ns_load *l;
  const ns_elem *e;
  ns_pointed *made;
  const ns_indices *index;
  const char *attribute; /* whose numbers are compiled */
  int n, cap;
} points;

static int on_coordinate(void *to, int row, int col, const char *text, size_t len)
{
  points *p = to;
  ns_scalar *s = p->made->x;
  (void)row, (void)col;
  if (p->n == p->cap) {
    p->cap = p->cap ? 2 * p->cap : 64;
    ns_scalar *more = ns_arena_get(p->l->scratch, (size_t)p->cap, sizeof *more);
    if (!more) return ns_nomem(&p->l->msg.c, "points of a shape");
    if (p->n) memcpy(more, s, (size_t)p->n * sizeof *more);
    p->made->x = s = more;
  }
  int rc = ns_scalar_make(p->l, &(ns_where){.e = p->e, .attribute = p->attribute}, text, len,
                          p->index, &s[p->n]);
  p->made->varies |= !rc && s[p->n].tape;
  p->n++;
  return rc;
}

static int compile(points *p, const char *attribute)
{
  ns_ctx quiet = {0};
  p->attribute = attribute;
  int rc = ns_split_entries(&quiet, "", ns_elem_attr(p->e, attribute), on_coordinate, p,
                            &p->made->rows, &p->made->cols);
  if (quiet.rc)
    return ns_fail(&p->l->msg.c, quiet.rc, "%s%s",
                   quiet.rc == NS_NOMEM
                       ? ""
                       : ns_where_text(&(ns_where){.e = p->e, .attribute = attribute}).text,
                   quiet.msg);
  return rc;
}

/* Numbers of an attribute, "x y z; x y z", for the instance; malloced, by rows. */
static int listed(points *p, const char *attribute, double **x, int *rows, int *cols)
{
  int rc = p->made->x ? NS_OK : compile(p, attribute);
  *x = NULL;
  *rows = p->made->rows;
  *cols = p->made->cols;
  if (rc) return rc;
  size_t n = (size_t)*rows * (size_t)*cols;
  if (!(*x = malloc((n + 1) * sizeof **x))) return ns_nomem(&p->l->msg.c, "points of a shape");
  for (size_t i = 0; i < n; i++) {
    (*x)[i] = ns_scalar_get(&p->made->x[i], p->index);
    if (isfinite((*x)[i])) continue;
    return ns_elem_fail(&p->l->msg, p->e, NULL,
                        "attribute %s: entry %d is %g, expected a finite number", attribute,
                        (int)i + 1, (*x)[i]);
  }
  return NS_OK;
}

static int listed_points(points *p, int columns, ns_geometry *g)
{
  int cols, rc = listed(p, "points", &g->vertex, &g->nvertices, &cols);
  if (rc || cols == columns) return rc;
  return ns_elem_fail(
      &p->l->msg, p->e, NULL,
      "attribute points is %d x %d, expected %s of each point, separated by semicolons",
      g->nvertices, cols, columns == 3 ? "three columns: x y z" : "two columns: x y");
}

/* A table of x and y. */
static int table(ns_load *l, const ns_elem *e, double scale, ns_geometry *g)
{
  int columns, rc = ns_load_numbers(l, e, scale, &columns, &g->nvertices, g);
  if (rc || columns == 2) return rc;
  return ns_elem_fail(&l->msg, e, NULL, "the table %s has %d column%s, expected two: x, y",
                      ns_elem_attr(e, "file"), columns, columns == 1 ? "" : "s");
}

/* points= or file=, the one that is given, in g->vertex. */
static int points_of(points *p, int columns, ns_geometry *g)
{
  ns_load *l = p->l;
  const ns_elem *e = p->e;
  const char *text = ns_elem_attr(e, "points"), *file = ns_elem_attr(e, "file");
  double scale = 1;
  if (text && file)
    return ns_elem_fail(
        &l->msg, e, NULL,
        "attributes points and file are given, expected one of them; remove the other");
  if (!text && !file)
    return ns_elem_fail(&l->msg, e, NULL, "has no points, expected points=\"%s; ...\" or file=",
                        columns == 3 ? "x y z" : "x y");
  int rc = ns_load_attribute(l, e, "scale", NULL, &scale);
  if (rc) return rc;
  if (text) return listed_points(p, columns, g);
  return columns == 3 ? ns_load_geometry(l, e, scale, g) : table(l, e, scale, g);
}

static int hull(points *p, ns_geometry *g, ns_shape *s)
{
  ns_polytope *h;
  int rc = points_of(p, 3, g);
  if (!rc)
    rc = ns_polytope_hull(&p->l->msg.c, ns_elem_at(p->e, NULL).text, p->l->m->arena, g->nvertices,
                          g->vertex, &h);
  if (!rc) ns_shape_hull(s, h);
  return rc;
}

/* A polygon, or a chain where the element tells whether it is closed. */
static int corners(points *p, ns_geometry *g, ns_shape *s)
{
  ns_load *l = p->l;
  const ns_elem *e = p->e;
  int closed = ns_load_word(l, e, "closed", 0), rc = closed < 0 ? NS_MODEL : points_of(p, 2, g);
  if (rc) return rc;
  ns_elem_place at = ns_elem_at(e, NULL);
  if (ns_elem_item(e, "closed"))
    return ns_shape_chain(s, &l->msg.c, at.text, l->m->arena, g->nvertices, g->vertex, closed);
  return ns_shape_polygon(s, &l->msg.c, at.text, l->m->arena, g->nvertices, g->vertex);
}

/* One distance, or two. */
static int spacings(ns_load *l, const ns_elem *e, double *d)
{
  static const ns_indices none;
  ns_scalar *s;
  int n, rc = ns_load_attribute_list(l, e, "spacing", &none, &s, &n);
  if (rc) return rc;
  if (n > 2)
    return ns_elem_fail(&l->msg, e, NULL,
                        "attribute spacing has %d entries, expected one, or two along x and y", n);
  for (int k = 0; k < 2; k++) d[k] = ns_scalar_get(&s[k < n ? k : n - 1], &none);
  if (d[0] > 0 && d[1] > 0 && isfinite(d[0] + d[1])) return NS_OK;
  return ns_elem_fail(&l->msg, e, NULL,
                      "attribute spacing is %g along x and %g along y, expected positive lengths",
                      d[0], d[1]);
}

/* heights= or file=, the one that is given. */
static int heights_of(points *p, double scale, ns_geometry *g, int *columns, int *rows)
{
  ns_load *l = p->l;
  const ns_elem *e = p->e;
  int text = ns_elem_attr(e, "heights") != NULL, file = ns_elem_attr(e, "file") != NULL;
  if (text && file)
    return ns_elem_fail(
        &l->msg, e, NULL,
        "attributes heights and file are given, expected one of them; remove the other");
  if (!text && !file)
    return ns_elem_fail(&l->msg, e, NULL,
                        "has no heights, expected heights=\"0 0 1; 0 1 2\" or file=");
  return text ? listed(p, "heights", &g->vertex, rows, columns)
              : ns_load_numbers(l, e, scale, columns, rows, g);
}

static int field(points *p, double scale, ns_geometry *g, ns_mesh **out)
{
  double d[2] = {1, 1};
  int columns, rows, rc = spacings(p->l, p->e, d);
  if (!rc) rc = heights_of(p, scale, g, &columns, &rows);
  return rc ? rc
            : ns_mesh_field(&p->l->msg.c, ns_elem_at(p->e, NULL).text, p->l->m->arena, columns,
                            rows, d[0], d[1], g->vertex, out);
}

static int triangles(const points *p, double scale, ns_geometry *g, ns_mesh **out)
{
  ns_load *l = p->l;
  const ns_elem *e = p->e;
  int rc = ns_load_geometry(l, e, scale, g);
  if (rc) return rc;
  if (!g->ntriangles)
    return ns_elem_fail(&l->msg, e, NULL,
                        "%s has no triangles, expected an .stl or .obj with faces",
                        ns_elem_attr(e, "file"));
  int any = ns_load_word(l, e, "edges", 0), loose = 0;
  if (any < 0) return NS_MODEL;
  ns_elem_place at = ns_elem_at(e, NULL);
  rc = ns_mesh_create_loose(&l->msg.c, at.text, l->m->arena, g->nvertices, g->vertex, g->ntriangles,
                            g->triangle, out, any ? &loose : NULL);
  if (!rc && loose)
    ns_warn(&l->msg.c,
            "%s: %d edge%s of more than two triangles, or of two with opposite orientation, "
            "treated as borders: the mesh is not a surface there, and has no volume",
            at.text, loose, loose == 1 ? "" : "s");
  return rc;
}

static int surface(points *p, ns_geometry *g, ns_shape *s)
{
  ns_mesh *mesh;
  double scale = 1;
  int rc = ns_load_attribute(p->l, p->e, "scale", NULL, &scale);
  if (!rc && ns_elem_item(p->e, "spacing")) rc = field(p, scale, g, &mesh);
  else if (!rc) rc = triangles(p, scale, g, &mesh);
  if (!rc) ns_shape_mesh(s, mesh);
  return rc;
}

int ns_load_pointed(ns_load *l, const ns_elem *e, ns_shape_kind kind, const ns_indices *index,
                    ns_pointed *made, ns_shape *s)
{
  points p = {.l = l, .e = e, .made = made, .index = index};
  ns_geometry g = {0};
  int rc;
  if (kind == NS_SHAPE_HULL) rc = hull(&p, &g, s);
  else if (kind == NS_SHAPE_MESH) rc = surface(&p, &g, s);
  else rc = corners(&p, &g, s);
  ns_geometry_fini(&g);
  return rc;
}
