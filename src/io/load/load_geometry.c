/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_geometry.c -- corners and triangles of a file: STL in both forms, OBJ, tables of points.
 *
 * Corners of an STL stand there once for each facet. Sizes are checked before they are believed. */
#include "io/load/load_shapes.h"

#include "base/grow.h"
#include "io/load/values.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STL_HEADER = 84, STL_FACET = 50, MAX = 1 << 24 };

void ns_geometry_fini(ns_geometry *g)
{
  free(g->vertex);
  free(g->triangle);
  *g = (ns_geometry){0};
}

/* Lists of groups of three numbers. */
static int add_vertex(ns_geometry *g, const double *x)
{
  return ns_append_item(&g->vertex, &g->nvertices, x, 3 * sizeof *x) < 0 ? NS_NOMEM : NS_OK;
}

static int add_triangle(ns_geometry *g, const int *t)
{
  return ns_append_item(&g->triangle, &g->ntriangles, t, 3 * sizeof *t) < 0 ? NS_NOMEM : NS_OK;
}

/* ---- STL ------------------------------------------------------------------------------------- */

static float float_at(const char *p)
{
  const unsigned char *b = (const unsigned char *)p;
  uint32_t u = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
  float x;
  memcpy(&x, &u, sizeof x);
  return x;
}

static int facet(ns_geometry *g, double x[3][3])
{
  int n = g->nvertices, t[3] = {n, n + 1, n + 2};
  for (int k = 0; k < 3; k++)
    if (add_vertex(g, x[k])) return NS_NOMEM;
  return add_triangle(g, t);
}

static long binary_facets(const ns_text *text)
{
  const unsigned char *b = (const unsigned char *)text->text;
  if (text->n < STL_HEADER) return -1;
  uint32_t n = (uint32_t)b[80] | (uint32_t)b[81] << 8 | (uint32_t)b[82] << 16 |
               (uint32_t)b[83] << 24;
  return text->n == STL_HEADER + (size_t)n * STL_FACET ? (long)n : -1;
}

static int read_binary(const ns_text *text, long n, ns_geometry *g)
{
  double x[3][3];
  for (long k = 0; k < n; k++) {
    const char *p = text->text + STL_HEADER + k * STL_FACET + 12;
    for (int i = 0; i < 9; i++) x[i / 3][i % 3] = (double)float_at(p + 4 * i);
    if (facet(g, x)) return NS_NOMEM;
  }
  return NS_OK;
}

/* Number at *p, moved behind it; 0: there is none. */
static int next_number(const char **p, double *x)
{
  char *end;
  *x = strtod(*p, &end); /* numbers stay those of the C locale: cli/main.c */
  int found = end != *p;
  *p = end;
  return found;
}

/* Each facet has three lines "vertex x y z". */
static int read_ascii(const char *text, ns_geometry *g)
{
  double x[3][3];
  int k = 0;
  for (const char *p = strstr(text, "vertex"); p; p = strstr(p, "vertex")) {
    p += strlen("vertex");
    for (int i = 0; i < 3; i++)
      if (!next_number(&p, &x[k][i])) return NS_MODEL;
    if (++k < 3) continue;
    k = 0;
    if (facet(g, x)) return NS_NOMEM;
  }
  return k || !g->nvertices ? NS_MODEL : NS_OK;
}

/* ---- OBJ ------------------------------------------------------------------------------------- */

/* Corner "7", "7/1/3" or "-1" of a face; -1: none. */
static int corner_at(const char **p, const ns_geometry *g)
{
  char *end;
  long k = strtol(*p, &end, 10);
  if (end == *p) return -1;
  end += strcspn(end, " \t\r\n");
  *p = end;
  if (k < 0) k += g->nvertices + 1L;
  return k >= 1 && k <= g->nvertices ? (int)k - 1 : -2;
}

/* A polygon is a fan of triangles. */
static int face(const char *p, ns_geometry *g)
{
  int t[3], n = 0, k;
  while ((k = corner_at(&p, g)) >= 0) {
    if (n > 2) t[1] = t[2];
    t[n < 3 ? n : 2] = k;
    if (++n >= 3 && add_triangle(g, t)) return NS_NOMEM;
    p += strspn(p, " \t");
    if (*p == '\r' || *p == '\n' || !*p) break;
  }
  return n >= 3 && k >= 0 ? NS_OK : NS_MODEL;
}

static int read_obj(const char *p, ns_geometry *g)
{
  double x[3];
  for (int rc = NS_OK; *p; p += strcspn(p, "\n"), p += *p == '\n') {
    if (*p == 'v' && isspace((unsigned char)p[1])) {
      const char *q = p + 1;
      rc = next_number(&q, &x[0]) && next_number(&q, &x[1]) && next_number(&q, &x[2])
               ? add_vertex(g, x)
               : NS_MODEL;
    } else if (*p == 'f' && isspace((unsigned char)p[1])) rc = face(p + 1, g);
    if (rc) return rc;
  }
  return g->nvertices ? NS_OK : NS_MODEL;
}

/* ---- any ------------------------------------------------------------------------------------- */

static int ends_with(const char *name, const char *end)
{
  size_t n = strlen(name), m = strlen(end);
  if (n < m) return 0;
  for (size_t i = 0; i < m; i++)
    if (tolower((unsigned char)name[n - m + i]) != end[i]) return 0;
  return 1;
}

static int read_table(ns_load *l, const ns_elem *e, const char **shown, ns_geometry *g)
{
  int rows, cols, rc = ns_load_matrix(l, e, &g->vertex, &rows, &cols, shown);
  g->nvertices = rc ? 0 : rows;
  if (rc || cols == 3) return rc;
  return ns_elem_fail(&l->msg, e, NULL, "the table %s has %d columns, expected three: x, y, z",
                      *shown, cols);
}

static int read_known(ns_load *l, const ns_elem *e, const char *name, const char *shown,
                      const ns_text *text, ns_geometry *g)
{
  int stl = ends_with(name, ".stl"), rc;
  long n = stl ? binary_facets(text) : -1;
  if (n > MAX)
    return ns_elem_fail(&l->msg, e, NULL, "%s has %ld triangles, expected at most %d", shown, n,
                        MAX);
  rc = !stl     ? read_obj(text->text, g)
       : n >= 0 ? read_binary(text, n, g)
                : read_ascii(text->text, g);
  if (rc == NS_NOMEM) return ns_nomem(&l->msg.c, "corners of a shape");
  if (rc)
    return ns_elem_fail(&l->msg, e, NULL, "%s cannot be read after %d corners, expected %s", shown,
                        g->nvertices,
                        stl ? "an STL, in text or binary" : "an OBJ with lines v and f");
  return NS_OK;
}

/* The file= of e. */
static int open_file(ns_load *l, const ns_elem *e, ns_elem_place *at, const char **shown,
                     ns_text *text)
{
  const char *real;
  *at = ns_elem_at(e, NULL);
  return ns_files_read_named(&l->files, &l->msg.c, at->text, e->dir, ns_elem_attr(e, "file"), text,
                             shown, &real);
}

static int scale_by(ns_load *l, const ns_elem *e, const char *shown, double scale, double *x,
                    size_t n)
{
  for (size_t i = 0; i < n; i++) {
    x[i] *= scale;
    if (!isfinite(x[i]))
      return ns_elem_fail(&l->msg, e, NULL, "a coordinate of %s is %g, expected finite numbers",
                          shown, x[i]);
  }
  return NS_OK;
}

int ns_load_geometry(ns_load *l, const ns_elem *e, double scale, ns_geometry *g)
{
  const char *name = ns_elem_attr(e, "file"), *shown;
  ns_elem_place at;
  ns_text text;
  *g = (ns_geometry){0};
  int rc, known = ends_with(name, ".stl") || ends_with(name, ".obj");
  if (known) rc = open_file(l, e, &at, &shown, &text);
  else rc = read_table(l, e, &shown, g);
  if (!rc && known) rc = read_known(l, e, name, shown, &text, g);
  return rc ? rc : scale_by(l, e, shown, scale, g->vertex, 3 * (size_t)g->nvertices);
}

int ns_load_numbers(ns_load *l, const ns_elem *e, double scale, int *columns, int *rows,
                    ns_geometry *g)
{
  const char *shown;
  *g = (ns_geometry){0};
  int rc = ns_load_matrix(l, e, &g->vertex, rows, columns, &shown);
  return rc ? rc : scale_by(l, e, shown, scale, g->vertex, (size_t)*rows * (size_t)*columns);
}
