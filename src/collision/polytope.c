/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/polytope.h"

#include "algebra/rotation.h"
#include "algebra/vector.h"

#include <stdlib.h>
#include <string.h>

/* Vertex i of a box has the signs of the bits of i: bit 0 is x. Loops are counterclockwise from
 * outside. */
static const int box_loop[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

/* One face's side of an edge, from the lower of two vertices to the higher, or back. */
typedef struct side {
  int low, high, face, back, at; /* at: in the loops */
} side;

static int by_vertices(const void *a, const void *b)
{
  const side *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  if (x->high != y->high) return x->high < y->high ? -1 : 1;
  return x->back - y->back;
}

enum { TRIES = 20000 }; /* of colours, before one more is taken */

/* No other edge of its faces has this colour. */
static int fits(const ns_polytope *p, int e, int colour)
{
  for (int g = 0; g < e; g++) {
    const int *x = p->edge + 4 * e + 2, *y = p->edge + 4 * g + 2;
    int meet = x[0] == y[0] || x[0] == y[1] || x[1] == y[0] || x[1] == y[1];
    if (meet && p->colour[g] == colour) return 0;
  }
  return 1;
}

/* Edges in their order, each in the first colour that fits, and back where none does: as few
 * colours as the largest face has sides, or one more (Vizing 1964), or as many as are found in
 * time. */
static int paint(ns_polytope *p, int colours, int tries)
{
  int e = 0;
  p->ncolours = colours;
  ns_fill_ints((size_t)p->nedges, -1, p->colour);
  while (e >= 0 && e < p->nedges && tries-- > 0) {
    int c = p->colour[e] + 1;
    while (c < colours && !fits(p, e, c)) c++;
    p->colour[e] = c < colours ? c : -1;
    e += c < colours ? 1 : -1;
  }
  return e == p->nedges;
}

static int paint_edges(ns_polytope *p, ns_arena *a)
{
  int sides = 0;
  p->colour = ns_arena_zero(a, (size_t)p->nedges + 1, sizeof *p->colour);
  if (!p->colour) return NS_NOMEM;
  for (int f = 0; f < p->nfaces; f++)
    if (p->first[f + 1] - p->first[f] > sides) sides = p->first[f + 1] - p->first[f];
  for (int colours = sides; colours < 2 * sides; colours++)
    if (paint(p, colours, colours + 1 < 2 * sides ? TRIES : 2 * p->nedges)) return NS_OK;
  return NS_OK; /* with the last of them none has to go back */
}

int ns_polytope_connect(ns_polytope *p, ns_arena *a)
{
  int n = p->first[p->nfaces];
  p->nedges = 0;
  p->edge = ns_arena_get(a, 2 * (size_t)n, sizeof *p->edge);
  p->side = ns_arena_zero(a, (size_t)n, sizeof *p->side);
  side *s = p->edge && p->side ? malloc((size_t)n * sizeof *s) : NULL;
  if (!s) return NS_NOMEM;
  for (int f = 0; f < p->nfaces; f++)
    for (int i = p->first[f]; i < p->first[f + 1]; i++) {
      int v = p->loop[i], w = p->loop[i + 1 < p->first[f + 1] ? i + 1 : p->first[f]];
      s[i] = v < w ? (side){v, w, f, 0, i} : (side){w, v, f, 1, i};
    }
  qsort(s, (size_t)n, sizeof *s, by_vertices);
  for (int i = 0; i + 1 < n; i++) {
    if (s[i].low != s[i + 1].low || s[i].high != s[i + 1].high) continue;
    memcpy(p->edge + 4 * (size_t)p->nedges, (int[]){s[i].low, s[i].high, s[i].face, s[i + 1].face},
           4 * sizeof *p->edge);
    p->side[s[i].at] = p->side[s[i + 1].at] = p->nedges++;
  }
  free(s);
  return paint_edges(p, a);
}

ns_polytope *ns_polytope_box(ns_arena *a, const double *half)
{
  ns_polytope *p = ns_arena_zero(a, 1, sizeof *p);
  if (!p) return NULL;
  p->vertex = ns_arena_get(a, 24, sizeof *p->vertex);
  p->normal = ns_arena_zero(a, 18, sizeof *p->normal);
  p->offset = ns_arena_get(a, 6, sizeof *p->offset);
  p->first = ns_arena_get(a, 7, sizeof *p->first);
  p->loop = ns_arena_copy(a, box_loop, 24, sizeof *p->loop);
  if (!p->vertex || !p->normal || !p->offset || !p->first || !p->loop) return NULL;
  p->nvertices = 8;
  p->nfaces = 6;
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++) p->vertex[3 * i + k] = i >> k & 1 ? half[k] : -half[k];
  for (int f = 0; f < 6; f++) {
    p->normal[3 * f + f / 2] = f % 2 ? 1 : -1;
    p->offset[f] = half[f / 2];
    p->first[f] = 4 * f;
  }
  p->first[6] = 24;
  return ns_polytope_connect(p, a) ? NULL : p;
}

int ns_polytope_support(const ns_polytope *p, const double *d)
{
  int best = 0;
  double max = ns_dot3(p->vertex, d);
  for (int i = 1; i < p->nvertices; i++) {
    double s = ns_dot3(p->vertex + 3 * i, d);
    if (s > max) {
      max = s;
      best = i;
    }
  }
  return best;
}

void ns_moments_add(ns_moments *m, const double *a, const double *b, const double *c)
{
  double n[3], sum[3];
  ns_cross3(b, c, n);
  double v = ns_dot3(a, n) / 6;
  m->volume += v;
  for (int i = 0; i < 3; i++) {
    sum[i] = a[i] + b[i] + c[i];
    m->first[i] += v * sum[i] / 4;
  }
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      m->second[i + 3 * j] += v / 20 * (sum[i] * sum[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
}

void ns_moments_solid(const ns_moments *m, double *volume, double *centre, double *inertia)
{
  double v = *volume = m->volume, xx[9], trace = 0;
  for (int i = 0; i < 3; i++) centre[i] = m->first[i] / v;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) xx[i + 3 * j] = m->second[i + 3 * j] - v * centre[i] * centre[j];
  for (int i = 0; i < 3; i++) trace += xx[4 * i];
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) inertia[i + 3 * j] = (i == j ? trace : 0) - xx[i + 3 * j];
}

/* About one of the vertices: hulls far from the origin lose no digits. */
void ns_polytope_solid(const ns_polytope *p, double *volume, double *centre, double *inertia)
{
  ns_moments m = {0};
  for (int f = 0; f < p->nfaces; f++) {
    const int *loop = p->loop + p->first[f];
    int n = p->first[f + 1] - p->first[f];
    for (int i = 1; i + 1 < n; i++) {
      double x[3][3];
      for (int k = 0; k < 3; k++) ns_sub3(p->vertex + 3 * loop[k ? i + k - 1 : 0], p->vertex, x[k]);
      ns_moments_add(&m, x[0], x[1], x[2]);
    }
  }
  ns_moments_solid(&m, volume, centre, inertia);
  ns_axpy3(centre, 1, p->vertex, centre);
}
