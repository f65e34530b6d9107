/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Height fields, and what triangles are made of: read from arrays, or from the grid. Corners of a
 * cell: a at (i, j), b at (i + 1, j), c at (i + 1, j + 1), d at (i, j + 1); its triangles are a b c
 * and a c d. */
#include "collision/mesh.h"
#include "collision/mesh_parts.h"

#include <limits.h>

int ns_mesh_field(ns_ctx *c, const char *at, ns_arena *a, int columns, int rows, double dx,
                  double dy, const double *height, ns_mesh **out)
{
  *out = NULL;
  if (columns < 2 || rows < 2 || columns > INT_MAX / 2 / rows)
    return ns_fail(
        c, NS_MODEL,
        "%s: a height field of %d x %d points, expected at least 2 x 2 and at most 2^30 in all", at,
        columns, rows);
  if (!(dx > 0 && dy > 0 && isfinite(dx) && isfinite(dy)))
    return ns_fail(c, NS_MODEL,
                   "%s: spacings %g and %g of the height field, expected positive lengths", at, dx,
                   dy);
  int n = columns * rows, cells = (columns - 1) * (rows - 1);
  for (int i = 0; i < n; i++)
    if (!isfinite(height[i]))
      return ns_fail(c, NS_MODEL,
                     "%s: the height in column %d, row %d is %g, expected finite numbers", at,
                     i % columns + 1, i / columns + 1, height[i]);
  ns_mesh *m = ns_arena_zero(a, 1, sizeof *m);
  if (!m) return ns_nomem(c, "height field");
  *m = (ns_mesh){.nvertices = n,
                 .ntriangles = 2 * cells,
                 .columns = columns,
                 .rows = rows,
                 .dx = dx,
                 .dy = dy};
  m->height = ns_arena_copy(a, height, (size_t)n, sizeof *height);
  m->patch = ns_arena_get(a, 2 * (size_t)cells, sizeof *m->patch);
  m->sharp = ns_arena_zero(a, (size_t)n, 1);
  if (!m->height || !m->patch || !m->sharp) return ns_nomem(c, "height field");
  ns_mesh_vertex(m, 0, m->low);
  ns_mesh_vertex(m, n - 1, m->high);
  for (int i = 0; i < n; i++) {
    m->low[2] = fmin(m->low[2], height[i]);
    m->high[2] = fmax(m->high[2], height[i]);
  }
  ns_mesh_find_patches(m);
  *out = m;
  return NS_OK;
}

void ns_mesh_vertex(const ns_mesh *m, int v, double *x)
{
  if (!m->columns) {
    memcpy(x, m->vertex + 3 * (size_t)v, 3 * sizeof *x);
    return;
  }
  x[0] = (v % m->columns - (m->columns - 1) / 2.0) * m->dx;
  x[1] = (v / m->columns - (m->rows - 1) / 2.0) * m->dy;
  x[2] = m->height[v];
}

void ns_mesh_corners(const ns_mesh *m, int t, int *corner)
{
  if (!m->columns) {
    memcpy(corner, m->corner + 3 * (size_t)t, 3 * sizeof *corner);
    return;
  }
  int cell = t / 2, a = cell % (m->columns - 1) + m->columns * (cell / (m->columns - 1)),
      d = a + m->columns;
  corner[0] = a;
  corner[1] = t % 2 ? d + 1 : a + 1;
  corner[2] = t % 2 ? d : d + 1;
}

void ns_mesh_normal(const ns_mesh *m, int t, double *n)
{
  if (!m->columns) {
    memcpy(n, m->normal + 3 * (size_t)t, 3 * sizeof *n);
    return;
  }
  int k[3];
  double x[3][3], u[3], v[3];
  ns_mesh_corners(m, t, k);
  for (int i = 0; i < 3; i++) ns_mesh_vertex(m, k[i], x[i]);
  ns_sub3(x[1], x[0], u);
  ns_sub3(x[2], x[0], v);
  ns_cross3(u, v, n);
  ns_unit3(n);
}

int ns_mesh_across(const ns_mesh *m, int t, int k)
{
  if (!m->columns) return m->across[3 * (size_t)t + (size_t)k];
  int width = m->columns - 1, cell = t / 2, i = cell % width, j = cell / width;
  if (t % 2 ? k == 0 : k == 2) return t ^ 1;
  if (t % 2 == 0) {
    if (k == 0) return j > 0 ? 2 * (cell - width) + 1 : -1;
    return i + 1 < width ? 2 * (cell + 1) + 1 : -1;
  }
  if (k == 1) return j + 2 < m->rows ? 2 * (cell + width) : -1;
  return i > 0 ? 2 * (cell - 1) : -1;
}

int ns_mesh_owner(const ns_mesh *m, int v)
{
  if (!m->columns) return m->owner[v];
  int width = m->columns - 1, i = v % m->columns, j = v / m->columns;
  if (j > 0) return i > 0 ? 2 * (i - 1 + width * (j - 1)) : 2 * width * (j - 1) + 1;
  return i > 0 ? 2 * (i - 1) : 0;
}

int ns_mesh_ring(const ns_mesh *m, int v, int *field_ring, const int **ring)
{
  static const int step[6][2] = {{-1, -1}, {0, -1}, {-1, 0}, {1, 0}, {0, 1}, {1, 1}};
  if (!m->columns) {
    *ring = m->ring + m->first[v];
    return m->first[v + 1] - m->first[v];
  }
  int n = 0, i = v % m->columns, j = v / m->columns;
  for (int k = 0; k < 6; k++) {
    int x = i + step[k][0], y = j + step[k][1];
    if (x >= 0 && x < m->columns && y >= 0 && y < m->rows) field_ring[n++] = x + m->columns * y;
  }
  *ring = field_ring;
  return n;
}
