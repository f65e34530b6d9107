/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/export/surface.h"

#include <math.h>
#include <string.h>

enum { MAX_RINGS = 66 };

static int make(ns_arena *a, int nvertices, int ntriangles, ns_surface *m)
{
  *m = (ns_surface){.nvertices = nvertices, .ntriangles = ntriangles};
  m->vertex = ns_arena_get(a, 3 * (size_t)nvertices, sizeof *m->vertex);
  m->triangle = ns_arena_get(a, 3 * (size_t)ntriangles, sizeof *m->triangle);
  return m->vertex && m->triangle;
}

static void put(int **t, int i, int j, int k)
{
  *(*t)++ = i;
  *(*t)++ = j;
  *(*t)++ = k;
}

static void put_vertex(double *v, double x, double y, double z)
{
  v[0] = x;
  v[1] = y;
  v[2] = z;
}

/* ---- round ones ------------------------------------------------------------------------------ */

/* Half of a section: radius and height of each ring, upwards; the first and the last are the poles,
 * radius 0. */
typedef struct section {
  double r[MAX_RINGS], z[MAX_RINGS];
  int n;
} section;

static void add(section *s, double r, double z)
{
  s->r[s->n] = r;
  s->z[s->n++] = z;
}

/* Turned about the z axis. Ring k, 1 <= k <= n - 2, has the vertices 1 + (k-1) around + i; 0 is the
 * pole below, the last that above. */
static int turn(ns_arena *a, const section *s, int around, ns_surface *m)
{
  int rings = s->n - 2, top = 1 + rings * around;
  if (!make(a, top + 1, 2 * around * rings, m)) return 0;
  int *t = m->triangle;
  put_vertex(m->vertex, 0, 0, s->z[0]);
  put_vertex(m->vertex + 3 * top, 0, 0, s->z[s->n - 1]);
  for (int k = 0; k < rings; k++)
    for (int i = 0; i < around; i++) {
      double phi = 2 * M_PI * i / around;
      int next = (i + 1) % around, below = 1 + (k - 1) * around, ring = 1 + k * around;
      put_vertex(m->vertex + 3 * (ring + i), s->r[k + 1] * cos(phi), s->r[k + 1] * sin(phi),
                 s->z[k + 1]);
      if (k == 0) put(&t, 0, ring + next, ring + i);
      if (k > 0) put(&t, below + i, below + next, ring + next);
      if (k > 0) put(&t, below + i, ring + next, ring + i);
      if (k == rings - 1) put(&t, ring + i, ring + next, top);
    }
  return 1;
}

/* A quarter circle of a ball about height z, from its pole below (up = 0) or to that above, without
 * the pole. */
static void add_quarter(section *s, double radius, double z, int steps, int up)
{
  for (int k = 0; k < steps; k++) {
    double phi = M_PI / 2 * (up ? k : k + 1) / steps;
    if (up) add(s, radius * cos(phi), z + radius * sin(phi));
    else add(s, radius * sin(phi), z - radius * cos(phi));
  }
}

static int capsule(ns_arena *a, double radius, double half, int around, ns_surface *m)
{
  section s = {0};
  int steps = around / 4 < 2 ? 2 : around / 4 > 30 ? 30 : around / 4;
  add(&s, 0, -half - radius);
  add_quarter(&s, radius, -half, steps, 0);
  if (half > 0) add_quarter(&s, radius, half, steps, 1);
  else
    for (int k = 1; k < steps; k++)
      add(&s, radius * cos(M_PI / 2 * k / steps), radius * sin(M_PI / 2 * k / steps));
  add(&s, 0, half + radius);
  return turn(a, &s, around, m);
}

static int cylinder(ns_arena *a, double radius, double half, int around, ns_surface *m)
{
  section s = {.r = {0, radius, radius, 0}, .z = {-half, -half, half, half}, .n = 4};
  return turn(a, &s, around, m);
}

static int cone(ns_arena *a, double radius, double half, int around, ns_surface *m)
{
  section s = {.r = {0, radius, 0}, .z = {-half, -half, half}, .n = 3};
  return turn(a, &s, around, m);
}

/* ---- flat ones ------------------------------------------------------------------------------- */

static int box(ns_arena *a, const double *half, ns_surface *m)
{
  static const int triangles[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                    2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  if (!make(a, 8, 12, m)) return 0;
  for (int i = 0; i < 8; i++)
    put_vertex(m->vertex + 3 * i, i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1],
               i & 4 ? half[2] : -half[2]);
  memcpy(m->triangle, triangles, sizeof triangles);
  return 1;
}

static int square(ns_arena *a, double edge, ns_surface *m)
{
  static const int triangles[6] = {0, 1, 2, 2, 1, 3};
  if (!make(a, 4, 2, m)) return 0;
  for (int i = 0; i < 4; i++)
    put_vertex(m->vertex + 3 * i, i & 1 ? edge / 2 : -edge / 2, i & 2 ? edge / 2 : -edge / 2, 0);
  memcpy(m->triangle, triangles, sizeof triangles);
  return 1;
}

static int given(ns_arena *a, const ns_scene_shape *s, ns_surface *m)
{
  if (!make(a, s->nvertices, s->ntriangles, m)) return 0;
  if (s->nvertices) memcpy(m->vertex, s->vertex, 3 * (size_t)s->nvertices * sizeof *m->vertex);
  if (s->ntriangles)
    memcpy(m->triangle, s->triangle, 3 * (size_t)s->ntriangles * sizeof *m->triangle);
  return 1;
}

int ns_surface_of_shape(ns_arena *a, const ns_scene_shape *s, int around, double edge,
                        ns_surface *m)
{
  switch (s->kind) {
  case NS_SHAPE_PLANE: return square(a, edge, m);
  case NS_SHAPE_SPHERE: return capsule(a, s->radius, 0, around, m);
  case NS_SHAPE_CAPSULE: return capsule(a, s->radius, s->half[2], around, m);
  case NS_SHAPE_DISK:
  case NS_SHAPE_CYLINDER: return cylinder(a, s->radius, s->half[2], around, m);
  case NS_SHAPE_CONE: return cone(a, s->radius, s->half[2], around, m);
  case NS_SHAPE_BOX: return s->nvertices ? given(a, s, m) : box(a, s->half, m);
  case NS_SHAPE_HULL:
  case NS_SHAPE_POLYGON:
  case NS_SHAPE_CHAIN:
  case NS_SHAPE_MESH: return given(a, s, m);
  default: return make(a, 0, 0, m);
  }
}
