/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convex hulls by Qhull. It sees points about the origin of size 1, so that what it takes for
 * rounding is relative; vertices are the caller's own numbers. Planes are fitted again to the
 * loops: Qhull keeps that of one of the facets it has merged. */
#include "algebra/rotation.h"
#include "algebra/vector.h"
#include "collision/polytope.h"

#include <libqhull_r/qhull_ra.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* Heights, of the size, below which points are one, on a line or in a plane. */
static const double flat = 1e-9;

typedef struct cloud {
  ns_ctx *c;
  const char *at;
  ns_arena *a;
  int n;
  const double *x;
  double low[3], size; /* of its bounding box: corner, longest side */
} cloud;

/* ---- what is no solid ------------------------------------------------------------------------ */

static int measure(cloud *k)
{
  double high[3];
  if (k->n < 4)
    return ns_fail(k->c, NS_MODEL,
                   "%s: %d point%s given, a hull needs at least 4 that are not in one plane", k->at,
                   k->n, k->n == 1 ? " is" : "s are");
  for (int i = 0; i < 3 * k->n; i++)
    if (!isfinite(k->x[i]))
      return ns_fail(k->c, NS_MODEL, "%s: coordinate %d of point %d is %g, expected finite numbers",
                     k->at, i % 3 + 1, i / 3 + 1, k->x[i]);
  memcpy(k->low, k->x, sizeof k->low);
  memcpy(high, k->x, sizeof high);
  for (int i = 3; i < 3 * k->n; i++) {
    k->low[i % 3] = fmin(k->low[i % 3], k->x[i]);
    high[i % 3] = fmax(high[i % 3], k->x[i]);
  }
  for (int i = 0; i < 3; i++) k->size = fmax(k->size, high[i] - k->low[i]);
  return NS_OK;
}

/* The point farthest from x0 across the unit vectors u[nu], and the unit vector to it; how far that
 * is. */
static double farthest(const cloud *k, double u[][3], int nu)
{
  double max = 0, best[3] = {0};
  for (int i = 1; i < k->n; i++) {
    double d[3];
    ns_sub3(k->x + 3 * i, k->x, d);
    for (int j = 0; j < nu; j++) ns_axpy3(d, -ns_dot3(d, u[j]), u[j], d);
    double r = ns_norm3(d);
    if (!(r > max)) continue;
    max = r;
    memcpy(best, d, sizeof best);
  }
  memcpy(u[nu], best, sizeof best);
  ns_unit3(u[nu]);
  return max;
}

static int check_solid(const cloud *k)
{
  static const char *const are[] = {"are one point", "lie on a line", "lie in a plane"};
  double u[3][3];
  for (int i = 0; i < 3; i++) {
    double off = farthest(k, u, i);
    if (!(off > flat * k->size))
      return ns_fail(k->c, NS_MODEL,
                     "%s: the %d points %s (none is farther than %.3g from it), a hull needs a "
                     "volume; add a point outside or give a plane or a mesh",
                     k->at, k->n, are[i], off);
  }
  return NS_OK;
}

/* ---- Qhull ----------------------------------------------------------------------------------- */

/* Number of faces, and of their corners in all. */
static int count_corners(qhT *qh, int *corners)
{
  facetT *facet;
  *corners = 0;
  FORALLfacets *corners += qh_setsize(qh, facet->vertices);
  return qh->num_facets;
}

/* The loop of a facet, in either sense: qh_facet3vertex goes round it. */
static int loop_of(qhT *qh, facetT *facet, int *loop)
{
  vertexT *vertex, **vertexp;
  int n = 0;
  setT *ring = qh_facet3vertex(qh, facet);
  FOREACHvertex_(ring) loop[n++] = qh_pointid(qh, vertex->point);
  qh_settempfree(qh, &ring);
  return n;
}

static int collect(qhT *qh, cloud *k, ns_polytope *p)
{
  facetT *facet;
  int corners, max = count_corners(qh, &corners);
  p->first = ns_arena_get(k->a, (size_t)max + 1, sizeof *p->first);
  p->loop = ns_arena_get(k->a, (size_t)corners, sizeof *p->loop);
  p->normal = ns_arena_get(k->a, 3 * (size_t)max, sizeof *p->normal);
  p->offset = ns_arena_get(k->a, (size_t)max, sizeof *p->offset);
  if (!p->first || !p->loop || !p->normal || !p->offset) return NS_NOMEM;
  p->first[0] = 0;
  FORALLfacets
  {
    int f = p->nfaces++;
    p->first[f + 1] = p->first[f] + loop_of(qh, facet, p->loop + p->first[f]);
    memcpy(p->normal + 3 * f, facet->normal, 3 * sizeof *p->normal);
  }
  return NS_OK;
}

/* Runs Qhull on points of size 1 [3 n], which it may change. Its errors come back as jumps. */
static int run(qhT *qh, FILE *log, double *points, cloud *k, ns_polytope *p)
{
  /* facets are one where they are flat to about a millionth of the size */
  char command[] = "qhull C-0 C1e-6";
  int status = qh_new_qhull(qh, 3, k->n, points, False, command, NULL, log);
  if (!status && !(status = setjmp(qh->errexit))) {
    qh->NOerrexit = False;
    int rc = collect(qh, k, p);
    qh->NOerrexit = True;
    return rc;
  }
  qh->NOerrexit = True;
  if (status == qh_ERRmem) return NS_NOMEM;
  return ns_fail(k->c, NS_MODEL,
                 "%s: no hull of the %d points was found (Qhull failed with status %d: they are "
                 "nearly flat, or too many of them nearly coincide); give fewer or other points",
                 k->at, k->n, status);
}

/* Its memory; qh_memfreeshort forgets these tables where memory ends while the library starts,
 * before it sets LASTsize. */
static void release(qhT *qh)
{
  int left, bytes;
  qh_freeqhull(qh, !qh_ALL);
  if (!qh->qhmem.LASTsize) {
    qh_free(qh->qhmem.sizetable);
    qh_free(qh->qhmem.freelists);
  }
  qh_memfreeshort(qh, &left, &bytes);
}

static int hull(cloud *k, ns_polytope *p)
{
  char text[256];
  int rc = NS_NOMEM;
  qhT *qh = calloc(1, sizeof *qh);
  double *points = malloc(3 * (size_t)k->n * sizeof *points);
  FILE *log = fmemopen(text, sizeof text, "w"); /* Qhull wants somewhere to write */
  if (qh && points && log) {
    for (int i = 0; i < 3 * k->n; i++) points[i] = (k->x[i] - k->low[i % 3]) / k->size - 0.5;
    qh_zero(qh, log);
    rc = run(qh, log, points, k, p);
    release(qh);
  }
  if (log) fclose(log);
  free(points);
  free(qh);
  return rc;
}

/* ---- faces ----------------------------------------------------------------------------------- */

/* Vertices that are used, once each, and loops that name them. */
static int number_vertices(const cloud *k, ns_polytope *p)
{
  int *number = calloc((size_t)k->n, sizeof *number), corners = p->first[p->nfaces];
  if (!number) return NS_NOMEM;
  for (int i = 0; i < corners; i++) number[p->loop[i]] = 1;
  for (int v = 0; v < k->n; v++) p->nvertices += number[v];
  p->vertex = ns_arena_get(k->a, 3 * (size_t)p->nvertices, sizeof *p->vertex);
  for (int v = 0, next = 0; p->vertex && v < k->n; v++) {
    if (!number[v]) continue;
    memcpy(p->vertex + 3 * next, k->x + 3 * v, 3 * sizeof *p->vertex);
    number[v] = next++;
  }
  for (int i = 0; i < corners; i++) p->loop[i] = number[p->loop[i]];
  free(number);
  return p->vertex ? NS_OK : NS_NOMEM;
}

static void reverse(int *loop, int n)
{
  for (int i = 0; i < n / 2; i++) {
    int v = loop[i];
    loop[i] = loop[n - 1 - i];
    loop[n - 1 - i] = v;
  }
}

/* The plane of a loop through its outermost vertex: the normal is that of its area (Newell), which
 * also says the sense. */
static void fit_plane(ns_polytope *p, int f)
{
  int *loop = p->loop + p->first[f], n = p->first[f + 1] - p->first[f];
  double area[3] = {0};
  for (int i = 1; i + 1 < n; i++) {
    double a[3], b[3], c[3];
    ns_sub3(p->vertex + 3 * loop[i], p->vertex + 3 * loop[0], a);
    ns_sub3(p->vertex + 3 * loop[i + 1], p->vertex + 3 * loop[0], b);
    ns_cross3(a, b, c);
    ns_axpy3(area, 1, c, area);
  }
  if (ns_dot3(area, p->normal + 3 * f) < 0) {
    reverse(loop, n);
    ns_scale(3, -1, area);
  }
  ns_unit3(area);
  memcpy(p->normal + 3 * f, area, sizeof area);
  p->offset[f] = -INFINITY;
  for (int i = 0; i < n; i++)
    p->offset[f] = fmax(p->offset[f], ns_dot3(area, p->vertex + 3 * loop[i]));
}

static int check_faces(const cloud *k, const ns_polytope *p)
{
  for (int f = 0; f < p->nfaces; f++)
    if (p->first[f + 1] - p->first[f] > NS_POLYTOPE_CORNERS)
      return ns_fail(k->c, NS_MODEL,
                     "%s: the hull of the %d points has a face of %d corners, at most %d are "
                     "possible; give fewer points around it",
                     k->at, k->n, p->first[f + 1] - p->first[f], NS_POLYTOPE_CORNERS);
  if (p->nvertices - p->nedges + p->nfaces != 2)
    return ns_fail(k->c, NS_MODEL,
                   "%s: the hull of the %d points does not close (%d vertices, %d edges, %d "
                   "faces); they are nearly flat, give fewer or other points",
                   k->at, k->n, p->nvertices, p->nedges, p->nfaces);
  return NS_OK;
}

int ns_polytope_hull(ns_ctx *c, const char *at, ns_arena *a, int n, const double *points,
                     ns_polytope **out)
{
  cloud k = {.c = c, .at = at, .a = a, .n = n, .x = points};
  ns_polytope *p = *out = NULL;
  int rc = measure(&k);
  if (!rc) rc = check_solid(&k);
  if (rc) return rc;
  p = ns_arena_zero(a, 1, sizeof *p);
  rc = p ? hull(&k, p) : NS_NOMEM;
  if (!rc) rc = number_vertices(&k, p);
  for (int f = 0; !rc && f < p->nfaces; f++) fit_plane(p, f);
  if (!rc) rc = ns_polytope_connect(p, a);
  if (rc == NS_NOMEM) return ns_nomem(c, "convex hull");
  if (!rc) rc = check_faces(&k, p);
  if (!rc) *out = p;
  return rc;
}
