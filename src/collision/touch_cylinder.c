/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/touch_parts.h"

enum { RIM = 8 }; /* touches of a cap that lies flat */

/* The unit direction across the axis that goes farthest against n; along x of the cylinder where n is along the axis. */
static double lowest(const ns_placed *a, const double *n, double *r)
{
  const double *axis = a->R + 6;
  ns_axpy3(n, -ns_dot3(n, axis), axis, r);
  double tilt = ns_norm3(r);
  if (tilt < 1e-9) memcpy(r, a->R, 3 * sizeof *r);
  else
    for (int i = 0; i < 3; i++) r[i] = -r[i] / tilt;
  return tilt;
}

/* The rim of each cap: its lowest point first, then round it. Those of a cap that is up, or tilted, are too far for margin. */
void ns_touch_cylinder_plane(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  const double *n = b->R + 6, *axis = a->R + 6;
  const double eighth = 0.78539816339744830962; /* pi/4 */
  double r[3], s[3];
  lowest(a, n, r);
  ns_cross3(axis, r, s);
  for (unsigned cap = 0; cap < 2; cap++)
    for (unsigned k = 0; k < RIM; k++) {
      double x[3], d[3], y[3];
      ns_axpy3(a->at, (cap ? 1 : -1) * a->shape->half[2], axis, x);
      ns_axpy3(x, a->shape->radius * cos(k * eighth), r, x);
      ns_axpy3(x, a->shape->radius * sin(k * eighth), s, x);
      ns_sub3(x, b->at, d);
      ns_axpy3(x, -ns_dot3(n, d), n, y);
      ns_touch_add(t, x, y, n, margin, cap * RIM + k);
    }
}

/* The nearest point of the cylinder to the centre: of its side, a cap, or a rim. */
void ns_touch_sphere_cylinder(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  double x[3], y[3], n[3], p1[3], p2[3], out[3], R = b->shape->radius, L = b->shape->half[2];
  ns_placed_in(b, a->at, x);
  double r = hypot(x[0], x[1]), side = r - R, cap = fabs(x[2]) - L;
  memcpy(y, x, sizeof y);
  memset(n, 0, sizeof n);
  if (side > 0 || cap <= side) { /* the side is the nearest, or it is beyond the side */
    n[0] = r > 0 ? x[0] / r : 1;
    n[1] = r > 0 ? x[1] / r : 0;
    y[0] = R * n[0];
    y[1] = R * n[1];
  }
  if (cap > 0 || cap > side) {
    n[2] = copysign(1, x[2]);
    y[2] = L * n[2];
  }
  if (side > 0 && cap > 0) ns_sub3(x, y, n); /* a rim */
  ns_unit3(n);
  ns_mul3(b->R, n, out);
  ns_placed_out(b, y, p2);
  ns_axpy3(a->at, -a->shape->radius, out, p1);
  ns_touch_add(t, p1, p2, out, margin, 0);
}
