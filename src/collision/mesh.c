/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/mesh.h"

#include "algebra/vector.h"
#include "base/sets.h"
#include "collision/mesh_parts.h"
#include "collision/polytope.h"

#include <stdlib.h>

/* ---- what is given --------------------------------------------------------------------------- */

typedef struct given {
  ns_ctx *c;
  const char *at;
  ns_mesh *m;
  int *loose; /* edges that are no surface are counted, and are borders; NULL: they are faults */
} given;

static int check_corners(const given *g, int nvertices, const double *vertex, int ntriangles,
                         const int *corner)
{
  if (nvertices < 3 || ntriangles < 1)
    return ns_fail(g->c, NS_MODEL,
                   "%s: a mesh of %d vertices and %d triangles, expected at least 3 and 1", g->at,
                   nvertices, ntriangles);
  for (int i = 0; i < 3 * nvertices; i++)
    if (!isfinite(vertex[i]))
      return ns_fail(g->c, NS_MODEL,
                     "%s: coordinate %d of vertex %d is %g, expected finite numbers", g->at,
                     i % 3 + 1, i / 3, vertex[i]);
  for (int i = 0; i < 3 * ntriangles; i++)
    if (corner[i] < 0 || corner[i] >= nvertices)
      return ns_fail(g->c, NS_MODEL, "%s: triangle %d names vertex %d, expected 0 to %d", g->at,
                     i / 3 + 1, corner[i], nvertices - 1);
  return NS_OK;
}

typedef struct spot {
  double x[3];
  int v;
} spot;

static int by_place(const void *a, const void *b)
{
  const spot *p = a, *q = b;
  for (int i = 0; i < 3; i++)
    if (p->x[i] != q->x[i]) return p->x[i] < q->x[i] ? -1 : 1;
  return p->v - q->v;
}

/* Triangles name the first of the vertices at one place: files that list each triangle's own
 * corners have edges none the less. */
static int join_vertices(ns_mesh *m)
{
  spot *s = malloc((size_t)m->nvertices * sizeof *s);
  int *first = malloc((size_t)m->nvertices * sizeof *first);
  if (s && first) {
    for (int v = 0; v < m->nvertices; v++) {
      for (int i = 0; i < 3; i++) s[v].x[i] = m->vertex[3 * v + i] + 0.0; /* -0 is 0 */
      s[v].v = v;
    }
    qsort(s, (size_t)m->nvertices, sizeof *s, by_place);
    for (int i = 0; i < m->nvertices; i++) {
      int same = i > 0 && memcmp(s[i].x, s[i - 1].x, sizeof s[i].x) == 0;
      first[s[i].v] = same ? first[s[i - 1].v] : s[i].v;
    }
    for (int i = 0; i < 3 * m->ntriangles; i++) m->corner[i] = first[m->corner[i]];
  }
  free(first);
  int got = s && first;
  free(s);
  return got ? NS_OK : NS_NOMEM;
}

static int find_normals(const given *g)
{
  ns_mesh *m = g->m;
  for (int t = 0; t < m->ntriangles; t++) {
    const int *k = m->corner + 3 * t;
    double e[3][3], longest = 0, *n = m->normal + 3 * t;
    for (int i = 0; i < 3; i++) {
      ns_sub3(m->vertex + 3 * k[(i + 1) % 3], m->vertex + 3 * k[i], e[i]);
      longest = fmax(longest, ns_norm3(e[i]));
    }
    ns_cross3(e[0], e[1], n);
    if (!(ns_unit3(n) > 1e-9 * longest * longest))
      return ns_fail(g->c, NS_MODEL,
                     "%s: triangle %d (vertices %d, %d and %d) has no area; remove it", g->at,
                     t + 1, k[0], k[1], k[2]);
  }
  return NS_OK;
}

/* ---- edges ----------------------------------------------------------------------------------- */

typedef struct side {
  /* from the lower of two vertices to the higher, or back; 3 triangle + side */
  int low, high, back, at;
} side;

static int by_vertices(const void *a, const void *b)
{
  const side *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  if (x->high != y->high) return x->high < y->high ? -1 : 1;
  return x->at - y->at;
}

static int same_edge(const side *x, const side *y)
{
  return x->low == y->low && x->high == y->high;
}

/* Joins the two triangles of each edge. */
static int join_sides(const given *g, const side *s, int n)
{
  for (int i = 0, next; i < n; i = next) {
    for (next = i + 1; next < n && same_edge(&s[i], &s[next]);) next++;
    int surface = next - i < 2 || (next - i == 2 && s[i].back != s[i + 1].back);
    if (!surface && g->loose) {
      ++*g->loose;
      continue;
    }
    if (next - i > 2)
      return ns_fail(
          g->c, NS_MODEL,
          "%s: the edge between vertices %d and %d belongs to %d triangles (%d, %d and %d among "
          "them), a surface has at most two at an edge; edges=\"any\" treats such edges as borders",
          g->at, s[i].low, s[i].high, next - i, s[i].at / 3 + 1, s[i + 1].at / 3 + 1,
          s[i + 2].at / 3 + 1);
    if (next - i < 2) continue;
    if (s[i].back == s[i + 1].back)
      return ns_fail(
          g->c, NS_MODEL,
          "%s: triangles %d and %d go along the edge between vertices %d and %d in the same "
          "direction; reverse one of them: all must be counterclockwise seen from outside",
          g->at, s[i].at / 3 + 1, s[i + 1].at / 3 + 1, s[i].low, s[i].high);
    g->m->across[s[i].at] = s[i + 1].at / 3;
    g->m->across[s[i + 1].at] = s[i].at / 3;
  }
  return NS_OK;
}

/* Vertices at the other ends of the edges at each. */
static int make_rings(ns_mesh *m, const side *s, int n, ns_arena *a)
{
  int edges = 0;
  for (int i = 0; i < n; i++)
    if (i == 0 || !same_edge(&s[i], &s[i - 1])) {
      m->first[s[i].low + 1]++;
      m->first[s[i].high + 1]++;
      edges++;
    }
  ns_prefix_sums((size_t)m->nvertices, m->first);
  m->ring = ns_arena_get(a, 2 * (size_t)edges, sizeof *m->ring);
  int *fill = calloc((size_t)m->nvertices + 1, sizeof *fill);
  for (int i = 0; m->ring && fill && i < n; i++)
    if (i == 0 || !same_edge(&s[i], &s[i - 1])) {
      m->ring[m->first[s[i].low] + fill[s[i].low]++] = s[i].high;
      m->ring[m->first[s[i].high] + fill[s[i].high]++] = s[i].low;
    }
  free(fill);
  return m->ring && fill ? NS_OK : NS_NOMEM;
}

static int find_edges(const given *g, ns_arena *a)
{
  ns_mesh *m = g->m;
  int n = 3 * m->ntriangles;
  side *s = malloc((size_t)n * sizeof *s);
  if (!s) return NS_NOMEM;
  for (int i = 0; i < n; i++) {
    int v = m->corner[i], w = m->corner[i % 3 == 2 ? i - 2 : i + 1];
    s[i] = v < w ? (side){v, w, 0, i} : (side){w, v, 1, i};
    m->across[i] = -1;
  }
  qsort(s, (size_t)n, sizeof *s, by_vertices);
  int rc = join_sides(g, s, n);
  if (!rc) rc = make_rings(m, s, n, a);
  free(s);
  return rc;
}

/* ---- patches --------------------------------------------------------------------------------- */

/* Which vertices are on folds or borders, which triangles are in one plane: the lowest names the
 * patch. */
void ns_mesh_find_patches(ns_mesh *m)
{
  ns_sets_begin(m->patch, m->ntriangles);
  for (int t = 0; t < m->ntriangles; t++) {
    int k[3];
    double n[3], o[3], x[2][3], e[3];
    ns_mesh_corners(m, t, k);
    ns_mesh_normal(m, t, n);
    for (int i = 0; i < 3; i++) {
      int other = ns_mesh_across(m, t, i), flat = 0;
      if (other >= 0) {
        ns_mesh_normal(m, other, o);
        ns_mesh_vertex(m, k[i], x[0]);
        ns_mesh_vertex(m, k[(i + 1) % 3], x[1]);
        ns_sub3(x[1], x[0], e);
        ns_unit3(e);
        double fold = ns_mesh_fold(n, o, e);
        flat = fold == 0 && ns_dot3(n, o) > 0;
        if (fold < 0) continue; /* concave: its vertices are not to be met there */
      }
      for (int j = 0; j < 2 && !flat; j++) {
        unsigned char *sharp = &m->sharp[k[(i + j) % 3]];
        if (other < 0) *sharp = 2;
        else if (!*sharp) *sharp = 1;
      }
      if (flat && other > t) ns_sets_join(m->patch, t, other);
    }
  }
  for (int t = 0; t < m->ntriangles; t++) m->patch[t] = ns_sets_root(m->patch, t);
}

/* ---- creation -------------------------------------------------------------------------------- */

static int get_arrays(ns_mesh *m, ns_arena *a, const double *vertex, const int *corner)
{
  size_t nv = (size_t)m->nvertices, nt = (size_t)m->ntriangles;
  m->vertex = ns_arena_copy(a, vertex, 3 * nv, sizeof *m->vertex);
  m->corner = ns_arena_copy(a, corner, 3 * nt, sizeof *m->corner);
  m->across = ns_arena_get(a, 3 * nt, sizeof *m->across);
  m->normal = ns_arena_get(a, 3 * nt, sizeof *m->normal);
  m->patch = ns_arena_get(a, nt, sizeof *m->patch);
  m->sharp = ns_arena_zero(a, nv, 1);
  m->owner = ns_arena_zero(a, nv, sizeof *m->owner);
  m->first = ns_arena_zero(a, nv + 1, sizeof *m->first);
  return m->vertex && m->corner && m->across && m->normal && m->patch && m->sharp && m->owner &&
                 m->first
             ? NS_OK
             : NS_NOMEM;
}

int ns_mesh_create(ns_ctx *c, const char *at, ns_arena *a, int nvertices, const double *vertex,
                   int ntriangles, const int *corner, ns_mesh **out)
{
  return ns_mesh_create_loose(c, at, a, nvertices, vertex, ntriangles, corner, out, NULL);
}

int ns_mesh_create_loose(ns_ctx *c, const char *at, ns_arena *a, int nvertices,
                         const double *vertex, int ntriangles, const int *corner, ns_mesh **out,
                         int *loose)
{
  given g = {c, at, ns_arena_zero(a, 1, sizeof *g.m), loose};
  ns_mesh *m = g.m;
  *out = NULL;
  int rc = check_corners(&g, nvertices, vertex, ntriangles, corner);
  if (rc) return rc;
  if (!m) return ns_nomem(c, "mesh");
  m->nvertices = nvertices;
  m->ntriangles = ntriangles;
  rc = get_arrays(m, a, vertex, corner);
  if (!rc) rc = join_vertices(m);
  if (!rc) rc = find_normals(&g);
  if (!rc) rc = find_edges(&g, a);
  if (!rc) rc = ns_mesh_tree(m, a);
  if (rc == NS_NOMEM) return ns_nomem(c, "mesh");
  if (rc) return rc;
  for (int i = 3 * ntriangles - 1; i >= 0; i--) m->owner[m->corner[i]] = i / 3;
  memcpy(m->low, m->node[0].low, sizeof m->low);
  memcpy(m->high, m->node[0].high, sizeof m->high);
  ns_mesh_find_patches(m);
  *out = m;
  return NS_OK;
}

/* ---- what it holds --------------------------------------------------------------------------- */

int ns_mesh_solid(ns_ctx *c, const char *at, const ns_mesh *m, double *volume, double *centre,
                  double *inertia)
{
  ns_moments sum = {0};
  if (m->columns)
    return ns_fail(c, NS_MODEL, "%s: a height field has no volume; give its body mass and inertia",
                   at);
  for (int i = 0; i < 3 * m->ntriangles; i++)
    if (m->across[i] < 0)
      return ns_fail(
          c, NS_MODEL,
          "%s: the mesh is not closed (triangle %d has no neighbour across the edge between "
          "vertices %d and %d), so it has no volume; close it, or give its body mass and inertia",
          at, i / 3 + 1, m->corner[i], m->corner[i % 3 == 2 ? i - 2 : i + 1]);
  const double *o = m->vertex + 3 * m->corner[0]; /* on the mesh, wherever that is */
  for (int t = 0; t < m->ntriangles; t++) {
    double x[3][3];
    for (int i = 0; i < 3; i++) ns_sub3(m->vertex + 3 * m->corner[3 * t + i], o, x[i]);
    ns_moments_add(&sum, x[0], x[1], x[2]);
  }
  if (!(sum.volume > 0))
    return ns_fail(c, NS_MODEL,
                   "%s: the mesh encloses a volume of %g m^3: it is inside out; give the vertices "
                   "of each triangle counterclockwise from outside",
                   at, sum.volume);
  ns_moments_solid(&sum, volume, centre, inertia);
  ns_axpy3(centre, 1, o, centre);
  return NS_OK;
}
