/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/touch_cylinder.h"

enum { RIM = 8 }; /* touches of a cap that lies flat; the next is that of its lowest point */

static void on_plane(const ns_placed *b, const double *x, double margin, int feature, ns_touches *t)
{
  double d[3], y[3];
  ns_sub3(x, b->at, d);
  ns_axpy3(x, -ns_dot3(b->R + 6, d), b->R + 6, y);
  ns_touch_add(t, x, y, b->R + 6, margin, (uint64_t)feature);
}

/* Eight points of the rim of a cap, fixed on it, where it is more flat than upright; and its lowest
 * point where it is tilted. What is too high is beyond the margin. Where the cap leans, fixed
 * points next to the lowest are left out: as the rim rolls over one of them, both would be a
 * contact for a step, and the fixed one would stop it. */
void ns_touch_cylinder_plane(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  const double *n = b->R + 6, *axis = a->R + 6, R = a->shape->radius;
  const double eighth = 0.78539816339744830962;  /* pi/4 */
  const double upright = 0.70710678118654752440; /* its sine */
  double r[3], c[3], x[3];
  ns_axpy3(n, -ns_dot3(n, axis), axis, r);
  double tilt = ns_unit3(r);
  for (int cap = 0; cap < 2; cap++) {
    ns_axpy3(a->at, (cap ? 1 : -1) * a->shape->half[2], axis, c);
    if (cap && a->shape->kind == NS_SHAPE_CONE) { /* its tip */
      on_plane(b, c, margin, 16, t);
      continue;
    }
    for (int k = 0; k < RIM && tilt < upright; k++) {
      double out[3] = {0};
      ns_axpy3(out, cos(k * eighth), a->R, out);
      ns_axpy3(out, sin(k * eighth), a->R + 3, out);
      int next_to_lowest = tilt > NS_RIM_LEANS && -ns_dot3(out, r) > NS_RIM_NEXT;
      ns_axpy3(c, R, out, x);
      if (!next_to_lowest) on_plane(b, x, margin, 16 * cap + k, t);
    }
    ns_axpy3(c, -R, r, x);
    if (tilt > 1e-5) on_plane(b, x, margin, 16 * cap + RIM, t);
  }
}

/* Of its side, a cap, or a rim. */
double ns_cylinder_nearest(const ns_shape *s, const double *x, double *y, double *n)
{
  double r = hypot(x[0], x[1]), side = r - s->radius, cap = fabs(x[2]) - s->half[2], d[3];
  memcpy(y, x, 3 * sizeof *y);
  memset(n, 0, 3 * sizeof *n);
  if (side > 0 || cap <= side) { /* the side is the nearest, or it is beyond the side */
    n[0] = r > 0 ? x[0] / r : 1;
    n[1] = r > 0 ? x[1] / r : 0;
    y[0] = s->radius * n[0];
    y[1] = s->radius * n[1];
  }
  if (cap > 0 || cap > side) {
    n[2] = copysign(1, x[2]);
    y[2] = s->half[2] * n[2];
  }
  if (side > 0 && cap > 0) ns_sub3(x, y, n); /* a rim */
  ns_unit3(n);
  ns_sub3(x, y, d);
  return ns_dot3(n, d);
}

void ns_touch_sphere_solid(const ns_placed *a, const ns_placed *b, ns_nearest *nearest,
                           double margin, ns_touches *t)
{
  double x[3], y[3], n[3], p1[3], p2[3], out[3];
  ns_placed_in(b, a->at, x);
  nearest(b->shape, x, y, n);
  ns_mul3(b->R, n, out);
  ns_placed_out(b, y, p2);
  ns_axpy3(a->at, -a->shape->radius, out, p1);
  ns_touch_add(t, p1, p2, out, margin, 0);
}

void ns_touch_sphere_cylinder(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  ns_touch_sphere_solid(a, b, ns_cylinder_nearest, margin, t);
}

void ns_rod_of(const ns_placed *a, const ns_placed *in, int round, ns_rod *r, double *R)
{
  ns_placed_in(in, a->at, r->c);
  for (int j = 0; j < 3; j++) ns_mul3t(in->R, a->R + 3 * j, R + 3 * j);
  memcpy(r->u, R + 6, sizeof r->u);
  r->L = a->shape->half[2];
  r->R = a->shape->radius;
  r->round = round;
}

static void duel_of(ns_duel *k)
{
  k->q = k->second->shape->polytope;
  k->size = fmin(k->first->shape->reach, k->second->shape->reach);
  ns_rod_of(k->first, k->second, 0, &k->a, k->Ra);
  if (k->q) return;
  ns_rod_of(k->second, k->second, k->second->shape->kind == NS_SHAPE_CAPSULE, &k->b, k->Rb);
}

double ns_cylinders_apart(const ns_placed *a, const ns_placed *b, double enough)
{
  ns_duel k = {.first = a, .second = b, .margin = enough};
  ns_parting flat, best;
  duel_of(&k);
  return ns_duel_part(&k, &flat, &best) ? best.s : enough;
}

void ns_touch_cylinders(const ns_placed *a, const ns_placed *b, double margin,
                        const ns_allowed *only, ns_touches *t)
{
  ns_duel k = {
      .first = a, .second = b, .only = only, .margin = margin, .t = t, .first_touch = t->count};
  ns_parting flat, best;
  double d[3], reach = a->shape->reach + b->shape->reach + margin;
  ns_sub3(a->at, b->at, d);
  if (ns_dot3(d, d) > reach * reach) return;
  duel_of(&k);
  if (ns_duel_part(&k, &flat, &best)) ns_duel_touch(&k, &flat, &best);
}

void ns_touch_cylinder(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  ns_touch_cylinders(a, b, margin, NULL, t);
}
