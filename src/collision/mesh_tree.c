/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which triangles are near: a tree of bounding boxes, halved at the median of the longest side, in
 * the order in which it is walked; a field knows from its grid. */
#include "collision/mesh.h"

#include <stdlib.h>

enum { LEAF = 4 };

typedef struct item {
  double low[3], high[3];
  int triangle, axis; /* along which they are compared */
} item;

static void bound(const ns_mesh *m, int t, double *low, double *high)
{
  int k[3];
  double x[3];
  ns_mesh_corners(m, t, k);
  ns_mesh_vertex(m, k[0], low);
  memcpy(high, low, 3 * sizeof *high);
  for (int i = 1; i < 3; i++) {
    ns_mesh_vertex(m, k[i], x);
    for (int j = 0; j < 3; j++) {
      low[j] = fmin(low[j], x[j]);
      high[j] = fmax(high[j], x[j]);
    }
  }
}

static int by_middle(const void *a, const void *b)
{
  const item *p = a, *q = b;
  double x = p->low[p->axis] + p->high[p->axis], y = q->low[q->axis] + q->high[q->axis];
  return x != y ? (x < y ? -1 : 1) : p->triangle - q->triangle;
}

static void build(ns_mesh *m, item *s, int first, int count)
{
  ns_mesh_node *k = &m->node[m->nnodes++];
  int axis = 0;
  *k = (ns_mesh_node){.low = {INFINITY, INFINITY, INFINITY},
                      .high = {-INFINITY, -INFINITY, -INFINITY},
                      .first = first};
  for (int i = first; i < first + count; i++)
    for (int j = 0; j < 3; j++) {
      k->low[j] = fmin(k->low[j], s[i].low[j]);
      k->high[j] = fmax(k->high[j], s[i].high[j]);
    }
  for (int j = 1; j < 3; j++)
    if (k->high[j] - k->low[j] > k->high[axis] - k->low[axis]) axis = j;
  if (count <= LEAF) k->count = count;
  else {
    for (int i = first; i < first + count; i++) s[i].axis = axis;
    qsort(s + first, (size_t)count, sizeof *s, by_middle);
    build(m, s, first, count / 2);
    build(m, s, first + count / 2, count - count / 2);
  }
  k->past = m->nnodes;
}

int ns_mesh_tree(ns_mesh *m, ns_arena *a)
{
  size_t n = (size_t)m->ntriangles;
  m->order = ns_arena_get(a, n, sizeof *m->order);
  m->node = ns_arena_get(a, n + 1, sizeof *m->node); /* leaves hold two at least, but one of one */
  item *s = malloc(n * sizeof *s);
  if (m->order && m->node && s) {
    for (int t = 0; t < m->ntriangles; t++) {
      s[t].triangle = t;
      bound(m, t, s[t].low, s[t].high);
    }
    build(m, s, 0, m->ntriangles);
    for (int t = 0; t < m->ntriangles; t++) m->order[t] = s[t].triangle;
  }
  free(s);
  return m->order && m->node && s ? NS_OK : NS_NOMEM;
}

static int meet(const double *low, const double *high, const double *l, const double *h)
{
  for (int i = 0; i < 3; i++)
    if (low[i] > h[i] || l[i] > high[i]) return 0;
  return 1;
}

/* Cells of a row that low .. high covers. */
static void cells_between(double low, double high, double width, int vertices, int *from, int *to)
{
  double middle = (vertices - 1) / 2.0, a = floor(low / width + middle),
         b = floor(high / width + middle);
  *from = a < 0 ? 0 : a < vertices ? (int)a : vertices;
  *to = b > vertices - 2 ? vertices - 2 : b < -1 ? -1 : (int)b;
}

static void near_in_field(const ns_mesh *m, const double *low, const double *high,
                          void (*found)(void *, int), void *to)
{
  int i0, i1, j0, j1;
  cells_between(low[0], high[0], m->dx, m->columns, &i0, &i1);
  cells_between(low[1], high[1], m->dy, m->rows, &j0, &j1);
  for (int j = j0; j <= j1; j++)
    for (int i = i0; i <= i1; i++)
      for (int half = 0; half < 2; half++) {
        int t = 2 * (i + (m->columns - 1) * j) + half;
        double l[3], h[3];
        bound(m, t, l, h);
        if (meet(low, high, l, h)) found(to, t);
      }
}

void ns_mesh_near(const ns_mesh *m, const double *low, const double *high,
                  void (*found)(void *, int), void *to)
{
  if (m->columns) {
    near_in_field(m, low, high, found, to);
    return;
  }
  for (int i = 0; i < m->nnodes;) {
    const ns_mesh_node *k = &m->node[i];
    int in = meet(low, high, k->low, k->high);
    for (int j = 0; in && j < k->count; j++) found(to, m->order[k->first + j]);
    i = in ? i + 1 : k->past;
  }
}
