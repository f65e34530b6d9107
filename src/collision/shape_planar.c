/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/shape_planar.h"

#include "algebra/vector.h"

static double cross2(const double *a, const double *b) { return a[0] * b[1] - a[1] * b[0]; }
static double dot2(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1]; }

int ns_shape_disk(ns_shape *s, double radius)
{
  *s = (ns_shape){.kind = NS_SHAPE_DISK, .radius = radius, .reach = radius};
  return 1;
}

/* From corner i to the next. */
static void side(int n, const double *corner, int i, double *e)
{
  const double *a = corner + 2 * (i % n), *b = corner + 2 * ((i + 1) % n);
  e[0] = b[0] - a[0];
  e[1] = b[1] - a[1];
}

/* Finite, and none on the next of them; `sides` of them have a next. */
static int check_corners(ns_ctx *c, const char *at, int n, const double *corner, int sides)
{
  double e[2];
  for (int i = 0; i < 2 * n; i++)
    if (!isfinite(corner[i]))
      return ns_fail(c, NS_MODEL, "%s: point %d is (%g, %g), expected finite numbers", at,
                     i / 2 + 1, corner[i / 2 * 2], corner[i / 2 * 2 + 1]);
  for (int i = 0; i < sides; i++) {
    side(n, corner, i, e);
    if (e[0] == 0 && e[1] == 0)
      return ns_fail(c, NS_MODEL,
                     "%s: points %d and %d are the same, (%g, %g), expected different points; "
                     "remove one of them%s",
                     at, i + 1, (i + 1) % n + 1, corner[2 * i], corner[2 * i + 1],
                     i + 1 == n ? ": the last point is always connected to the first" : "");
  }
  return NS_OK;
}

/* Corners turn left, once around: less than that and more are stars. */
static int check_convex(ns_ctx *c, const char *at, int n, const double *corner)
{
  static const double around = 6.28318530717958647693;
  double e[2], f[2], area = 0, turned = 0, size = 0;
  for (int i = 0; i < n; i++) {
    double d[2] = {corner[2 * i] - corner[0], corner[2 * i + 1] - corner[1]};
    side(n, corner, i, e);
    area += cross2(d, e) / 2;
    size += dot2(e, e);
  }
  if (fabs(area) <= 1e-12 * size)
    return ns_fail(c, NS_MODEL,
                   "%s: the polygon has no area: its points lie on a line; expected three points "
                   "or more that are not collinear",
                   at);
  if (area < 0)
    return ns_fail(c, NS_MODEL,
                   "%s: the polygon is clockwise, expected counterclockwise; write its points in "
                   "the opposite order",
                   at);
  for (int i = 0; i < n; i++) {
    side(n, corner, i + n - 1, e);
    side(n, corner, i, f);
    double left = cross2(e, f), length = sqrt(dot2(e, e) * dot2(f, f));
    turned += atan2(left, dot2(e, f));
    if (left < -1e-9 * length || (left <= 0 && dot2(e, f) < 0))
      return ns_fail(c, NS_MODEL,
                     "%s: the polygon is not convex: it turns right at point %d, (%g, %g), "
                     "expected only left turns; split it into several <Polygon> of the same body",
                     at, i + 1, corner[2 * i], corner[2 * i + 1]);
  }
  if (turned < 1.5 * around) return NS_OK;
  return ns_fail(c, NS_MODEL,
                 "%s: the polygon intersects itself: it winds %.0f times, expected once", at,
                 turned / around);
}

static int keep_corners(ns_shape *s, ns_ctx *c, ns_arena *a, int n, const double *corner)
{
  s->ncorners = n;
  s->corner = ns_arena_copy(a, corner, 2 * (size_t)n, sizeof *corner);
  for (int i = 0; i < n; i++) s->reach = fmax(s->reach, hypot(corner[2 * i], corner[2 * i + 1]));
  return s->corner ? NS_OK : ns_nomem(c, "corners of a shape");
}

int ns_shape_polygon(ns_shape *s, ns_ctx *c, const char *at, ns_arena *a, int n,
                     const double *corner)
{
  *s = (ns_shape){.kind = NS_SHAPE_POLYGON, .closed = 1};
  if (n < 3 || n > NS_POLYTOPE_CORNERS)
    return ns_fail(c, NS_MODEL, "%s: the polygon has %d points, expected 3 to %d", at, n,
                   NS_POLYTOPE_CORNERS);
  int rc = check_corners(c, at, n, corner, n);
  if (!rc) rc = check_convex(c, at, n, corner);
  return rc ? rc : keep_corners(s, c, a, n, corner);
}

int ns_shape_chain(ns_shape *s, ns_ctx *c, const char *at, ns_arena *a, int n, const double *corner,
                   int closed)
{
  *s = (ns_shape){.kind = NS_SHAPE_CHAIN, .closed = closed};
  if (n < 2 + (closed != 0))
    return ns_fail(c, NS_MODEL, "%s: the line has %d point%s, expected %d or more", at, n,
                   n == 1 ? "" : "s", 2 + (closed != 0));
  int rc = check_corners(c, at, n, corner, closed ? n : n - 1);
  return rc ? rc : keep_corners(s, c, a, n, corner);
}

/* By triangles (o, a, b) with o the first corner: of second moments, the integral of x_i x_j is
 * their area / 12 times the sum of products of corners and of the sum of corners. */
void ns_polygon_solid(int n, const double *corner, double *area, double *centre, double *inertia)
{
  double A = 0, first[2] = {0}, xx = 0, yy = 0, xy = 0;
  for (int i = 1; i + 1 < n; i++) {
    const double *o = corner, *p = corner + 2 * i, a[2] = {p[0] - o[0], p[1] - o[1]},
                 b[2] = {p[2] - o[0], p[3] - o[1]};
    double part = cross2(a, b) / 2, s[2] = {a[0] + b[0], a[1] + b[1]};
    A += part;
    for (int k = 0; k < 2; k++) first[k] += part * s[k] / 3;
    xx += part * (a[0] * a[0] + b[0] * b[0] + s[0] * s[0]) / 12;
    yy += part * (a[1] * a[1] + b[1] * b[1] + s[1] * s[1]) / 12;
    xy += part * (a[0] * a[1] + b[0] * b[1] + s[0] * s[1]) / 12;
  }
  *area = A;
  for (int k = 0; k < 2; k++) centre[k] = first[k] / A;
  centre[2] = 0;
  xx = xx / A - centre[0] * centre[0];
  yy = yy / A - centre[1] * centre[1];
  xy = xy / A - centre[0] * centre[1];
  ns_axpy(2, 1, corner, centre);
  memcpy(inertia, (double[]){yy, -xy, 0, -xy, xx, 0, 0, 0, xx + yy}, 9 * sizeof *inertia);
}

void ns_corner_bounds(const ns_placed *p, double *low, double *high)
{
  for (int k = 0; k < 2; k++) low[k] = INFINITY, high[k] = -INFINITY;
  low[2] = high[2] = p->at[2];
  for (int i = 0; i < p->shape->ncorners; i++) {
    double x[2];
    ns_corner_at(p, i, x);
    for (int k = 0; k < 2; k++) {
      low[k] = fmin(low[k], x[k]);
      high[k] = fmax(high[k], x[k]);
    }
  }
}
