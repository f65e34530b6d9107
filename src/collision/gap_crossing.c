/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Axes, edges of polyhedra and sides of cones that cross: their lines come nearest at
 * c1 = x1 + s u1, c2 = x2 + t u2 with
 *
 *   s = (A e - d)/(1 - A^2),   t = e + s A,   A = u1.u2, d = u1.w, e = u2.w, w = x1 - x2
 *
 * (Ericson 2005, 5.1.9), along u1 x u2. A cone is met along one of the lines of its side: all of
 * that line has the same normal, which leans towards the tip by a fixed angle, of sine z, from what
 * is across the axis a. So the normal n, from the second to the first, has
 *
 *   n.a1 = -z1,   n.a2 = z2,   n = p a1 + q a2 + r (a1 x a2)
 *
 * and the lines are those with this normal; z = 0 for edges, and axes with a radius about them. The
 * sign of r is that of the side on which the first is. All lines of a cone meet at its tip, where
 * its axis goes over to the other side of an edge: there the line that has met ends, so that each
 * side has regions of its own.
 *
 * Where one of the nearest points is beyond the ends of its line the gap of an end is the nearest,
 * and this one is longer than any; so is it where the edge is on the far side of its body.
 *
 * Two edges of polyhedra have a gap < 0 where the bodies overlap. Both normals of the faces of
 * either edge are on the side from which the other comes. A distance > 0 then is one of two points
 * of the bodies. One < 0 may be that of edges at the backs of bodies that are apart, or touch
 * elsewhere: so its normal is to be between those of the faces of either edge, and it is to be no
 * more than the bodies overlap, or little more. (A step of the flow may overshoot a root, and is to
 * see its sign.) The same of the side of a cylinder or a cone and an edge just below its cap.
 *
 * An edge that lies on a face crosses two sides of it at once, which have different colours. Edges
 * of one colour are on different faces, so that a straight line touches one of them at a time. */
#include "collision/gap_parts.h"
#include "collision/touch_parts.h"

#include <math.h>

static const double AXES = 1e-9, EDGES = 1e-6; /* sine of the angle of what counts as parallel */
static const double SLACK = 1e-10; /* by the reach of a body: how near to its end a line ends */
static const double DEEPER = 4;    /* by the overlap of two bodies: that of edges that meet there */
static const double TILT =
    1e-6;                      /* by which a normal may be beyond those of the faces of an edge, */
static const double DEEP = 20; /* by the depth of a side of a mesh in a body: the same */
static const double TURN = 10; /* and by an overlap and the reach: of steps that go too far */

typedef ns_gap_rod rod;

enum { ENDS = 2 }; /* of a capsule: its axis is named behind them */

typedef struct crossing {
  rod p, q; /* the lines that meet: of cones those of their sides */
  double w[3], s, t, A, d, e;
  double sine; /* of the angle between them */
  double side; /* the sign of r */
  double n[3]; /* unit, from the second to the first */
} crossing;

static int is_polytope(const ns_shape *s) { return s->polytope != NULL; }

int ns_crossing_regions(const ns_shape *s) { return is_polytope(s) ? s->polytope->nedges : 1; }
int ns_crossing_colours(const ns_shape *s) { return is_polytope(s) ? s->polytope->ncolours : 1; }
int ns_crossing_colour_of(const ns_shape *s, int e)
{
  return is_polytope(s) ? s->polytope->colour[e] : 0;
}

static int is_mesh(const ns_shape *s) { return s->kind == NS_SHAPE_MESH; }

/* Side index % 3 of triangle index / 3: of a border the second normal goes out of the triangle. */
static void side_of_mesh(const ns_mesh *m, int index, rod *r)
{
  int k = index / 3, i = index % 3, corner[3], other = ns_mesh_across(m, k, i);
  double from[3], to[3];
  ns_mesh_corners(m, k, corner);
  ns_mesh_vertex(m, corner[i], from);
  ns_mesh_vertex(m, corner[(i + 1) % 3], to);
  ns_sub3(to, from, r->u);
  r->half = ns_unit3(r->u) / 2;
  ns_axpy3(from, r->half, r->u, r->x);
  ns_mesh_normal(m, k, r->n1);
  if (other < 0) ns_cross3(r->u, r->n1, r->n2);
  else ns_mesh_normal(m, other, r->n2);
}

static void rod_of(const ns_shape *s, int index, rod *r)
{
  if (is_mesh(s)) {
    *r = (rod){.is_edge = 1};
    side_of_mesh(s->mesh, index, r);
    return;
  }
  *r = (rod){.is_edge = is_polytope(s), .radius = s->radius, .half = s->half[2], .u = {0, 0, 1}};
  if (s->kind == NS_SHAPE_CONE) r->sine = s->radius / hypot(s->radius, 2 * s->half[2]);
  if (!r->is_edge) return;
  ns_edge k;
  ns_edge_of(s->polytope, index, NULL, &k);
  r->half = k.length / 2;
  memcpy(r->u, k.u, sizeof k.u);
  memcpy(r->n1, k.n1, sizeof k.n1);
  memcpy(r->n2, k.n2, sizeof k.n2);
  ns_axpy3(k.a, r->half, k.u, r->x);
}

/* R applied to it, or R^T. */
static void turn_rod(const double *R, void (*by)(const double *, const double *, double *), rod *r)
{
  double *const directions[] = {r->u, r->n1, r->n2};
  for (int i = 0; i < 3; i++) {
    double d[3];
    memcpy(d, directions[i], sizeof d);
    by(R, d, directions[i]);
  }
}

void ns_gap_rod_in_world(const ns_placed *p, int index, rod *r)
{
  double x[3];
  rod_of(p->shape, index, r);
  memcpy(x, r->x, sizeof x);
  ns_placed_out(p, x, r->x);
  turn_rod(p->R, ns_mul3, r);
}

/* ---- two of them ----------------------------------------------------------------------------- */

static double along_faces(const rod *r, const double *n)
{
  return ns_dot3(n, r->n1) + ns_dot3(n, r->n2);
}

/* Unit vector out of the axis of a cone where its side has this normal. */
static void out_of_axis(const rod *r, const double *u, double sign, const double *n, double *e)
{
  double cosine = sqrt(1 - r->sine * r->sine);
  for (int i = 0; i < 3; i++) e[i] = (sign * n[i] - r->sine * u[i]) / cosine;
}

/* In place of the axis of a cone the line of its side with this normal, from the rim to the tip. */
static void lean(rod *r, double sign, const double *n)
{
  double e[3], cosine = sqrt(1 - r->sine * r->sine);
  if (r->sine == 0) return;
  out_of_axis(r, r->u, sign, n, e);
  ns_axpy3(r->x, r->radius / 2, e, r->x);
  for (int i = 0; i < 3; i++) r->u[i] = cosine * r->u[i] - r->sine * e[i];
  r->half /= cosine;
  r->radius = 0;
}

/* n along u1 x u2, which is c of length `sine`, or against it; 0: the sides of cones have no normal
 * in common. */
static int normal_of(const rod *p, const rod *q, const double *c, double sine, double sign,
                     double *n)
{
  double A = ns_dot3(p->u, q->u), D = sine * sine;
  double a = -(p->sine + A * q->sine) / D, b = (q->sine + A * p->sine) / D;
  double left = 1 + a * p->sine - b * q->sine, across = (sign < 0 ? -1 : 1) * sqrt(fmax(left, 0));
  for (int i = 0; i < 3; i++) n[i] = across * c[i] / sine + a * p->u[i] + b * q->u[i];
  return left > 0;
}

/* side: that of the first, 0: where it is. 0: they are parallel, or are sides of cones that do not
 * meet. */
static int cross(const rod *p, const rod *q, double side, crossing *k)
{
  const double parallel = p->is_edge || q->is_edge ? EDGES : AXES;
  double c[3];
  ns_sub3(p->x, q->x, k->w);
  ns_cross3(p->u, q->u, c);
  double sine = ns_norm3(c);
  if (side == 0) side = p->is_edge && q->is_edge ? along_faces(q, c) : ns_dot3(c, k->w);
  if (sine < parallel || !normal_of(p, q, c, sine, side, k->n)) return 0;
  k->p = *p, k->q = *q, k->side = side;
  lean(&k->p, -1, k->n);
  lean(&k->q, 1, k->n);
  ns_sub3(k->p.x, k->q.x, k->w);
  ns_cross3(k->p.u, k->q.u, c);
  k->sine = ns_norm3(c);
  k->A = ns_dot3(k->p.u, k->q.u), k->d = ns_dot3(k->p.u, k->w), k->e = ns_dot3(k->q.u, k->w);
  k->s = (k->A * k->e - k->d) / (k->sine * k->sine);
  k->t = k->e + k->s * k->A;
  return k->sine >= parallel;
}

static double clearance(const crossing *k)
{
  return fmin(k->p.half - fabs(k->s), k->q.half - fabs(k->t));
}

/* Without the radii; u1 and u2 are across it. */
static double distance(const crossing *k) { return ns_dot3(k->n, k->w); }

int ns_gap_is_between(const rod *r, const double *n, double sign, double tilt)
{
  double c = ns_dot3(r->n1, r->n2), a = sign * ns_dot3(n, r->n1), b = sign * ns_dot3(n, r->n2);
  double min = -tilt * (1 - c * c);
  return a - c * b >= min && b - c * a >= min;
}

/* The second comes from the side on which the faces of the edges are. */
static int faces(const crossing *k)
{
  if (k->p.is_edge && along_faces(&k->p, k->n) >= 0) return 0;
  return !k->q.is_edge || along_faces(&k->q, k->n) > 0;
}

/* The bodies overlap there, where edges say so. */
static int is_real(const ns_placed *first, const ns_placed *second, const crossing *k)
{
  const rod *p = &k->p, *q = &k->q;
  double size = ns_gap_size(first, second), slack = SLACK * size;
  double d = distance(k), tilt = TILT - TURN * d / size;
  if (ns_is_revolved(first->shape))
    return ns_gap_is_overlap(first, second, d - p->radius - q->radius);
  if (!p->is_edge || !q->is_edge || d >= -slack) return 1;
  if (!ns_gap_is_between(q, k->n, 1, tilt) || !ns_gap_is_between(p, k->n, -1, tilt)) return 0;
  return d >= DEEPER * ns_polytopes_apart(first, second, slack) - slack;
}

/* Ericson 2005, 5.1.9: the nearest points of two segments. */
double ns_crossing_apart(const ns_placed *first, int index, const ns_placed *second, int other)
{
  rod p, q;
  double w[3], d[3];
  ns_gap_rod_in_world(first, index, &p);
  ns_gap_rod_in_world(second, other, &q);
  ns_sub3(p.x, q.x, w);
  double A = ns_dot3(p.u, q.u), D = 1 - A * A, along = ns_dot3(p.u, w), e = ns_dot3(q.u, w);
  double s = D > EDGES * EDGES ? (A * e - along) / D : 0;
  s = fmax(-p.half, fmin(p.half, s));
  double t = fmax(-q.half, fmin(q.half, e + s * A));
  s = fmax(-p.half, fmin(p.half, A * t - along));
  for (int i = 0; i < 3; i++) d[i] = w[i] + s * p.u[i] - t * q.u[i];
  return ns_norm3(d);
}

/* ---- a body and a side of a mesh ------------------------------------------------------------- */

int ns_gap_faces_side(const ns_placed *body, const rod *q)
{
  double middle[3], d[3];
  ns_sub3(body->at, q->x, d);
  if (ns_norm3(d) > body->shape->reach + q->half) return 0;
  ns_gap_middle(body, middle);
  ns_sub3(middle, q->x, d);
  return ns_dot3(d, q->n1) >= 0 || ns_dot3(d, q->n2) >= 0;
}

/* Part from .. to of the line x + s u where the slope s + at < 0, < 0 on one side of a plane. */
static void clip(double at, double slope, double *from, double *to)
{
  if (slope > 0) *to = fmin(*to, -at / slope);
  else if (slope < 0) *from = fmax(*from, -at / slope);
  else if (at > 0) *to = -INFINITY;
}

/* In axes of a cylinder or a cone, of a radius that falls by `narrows` along the axis: a line that
 * is steeper than the side of a cone passes through that once. */
static double depth_in_revolved(const ns_shape *s, double from, double to, double *x,
                                const double *u)
{
  double narrows = s->kind == NS_SHAPE_CONE ? s->radius / (2 * s->half[2]) : 0, side, cap;
  double r = s->radius - narrows * (x[2] + s->half[2]), slope = narrows * u[2];
  double a = u[0] * u[0] + u[1] * u[1] - slope * slope, b = u[0] * x[0] + u[1] * x[1] + r * slope;
  double c = x[0] * x[0] + x[1] * x[1] - r * r, D = b * b - a * c;
  clip(x[2] - s->half[2], u[2], &from, &to);
  clip(-x[2] - s->half[2], -u[2], &from, &to);
  if (a == 0 ? c > 0 : D <= 0) return 0;
  if (a > 0 || (a < 0 && slope < 0)) from = fmax(from, (-b - sqrt(D)) / a);
  if (a > 0 || (a < 0 && slope > 0)) to = fmin(to, (-b + sqrt(D)) / a);
  if (from >= to) return 0;
  ns_axpy3(x, (from + to) / 2, u, x);
  ns_beyond_revolved(s, x, &side, &cap);
  return fmin(-side, -cap);
}

/* How deep in the body the middle of what the side of the mesh has in it is (Cyrus & Beck 1978);
 * 0: it does not pass through. */
static double depth_within(const ns_placed *body, const rod *q)
{
  const ns_polytope *of = body->shape->polytope;
  double from = -q->half, to = q->half, depth = INFINITY, x[3], u[3];
  ns_placed_in(body, q->x, x);
  ns_mul3t(body->R, q->u, u);
  if (!of) return depth_in_revolved(body->shape, from, to, x, u);
  for (int f = 0; f < of->nfaces; f++) {
    double out = ns_dot3(of->normal + 3 * f, x) - of->offset[f];
    clip(out, ns_dot3(of->normal + 3 * f, u), &from, &to);
  }
  if (from >= to) return 0;
  ns_axpy3(x, (from + to) / 2, u, x);
  for (int f = 0; f < of->nfaces; f++)
    depth = fmin(depth, of->offset[f] - ns_dot3(of->normal + 3 * f, x));
  return depth;
}

int ns_gap_is_of_side(const ns_placed *body, const rod *q, double gap)
{
  return gap >= -SLACK * body->shape->reach || gap >= -DEEP * depth_within(body, q);
}

/* Two edges have a distance < 0 only where the two bodies overlap, and not an edge at the back. So
 * has the axis of a cylinder, whose side it is not where a side of the mesh is just below a cap. */
static int is_inside(const ns_placed *body, const crossing *k)
{
  const rod *p = &k->p, *q = &k->q;
  double d = distance(k), size = body->shape->reach, tilt = TILT - TURN * d / size;
  if (ns_is_revolved(body->shape)) return ns_gap_is_of_side(body, q, d - p->radius);
  if (!p->is_edge || d >= -SLACK * size) return 1;
  if (!ns_gap_is_between(q, k->n, 1, tilt) || !ns_gap_is_between(p, k->n, -1, tilt)) return 0;
  return ns_gap_is_of_side(body, q, d);
}

/* Regions are line i of n of the second, n where the gap stands back, and n + 1 + i of a cone with
 * that on the other side. */
static int region_of(int i, int n, const crossing *k)
{
  int leans = k->p.sine > 0 || k->q.sine > 0;
  return leans && k->side < 0 ? n + 1 + i : i;
}

/* Its line, which is that of a side of a mesh whatever the region. */
static int line_of(int region, int n) { return region > n ? region - n - 1 : region; }

static int region_on_mesh(const ns_placed *first, const ns_placed *second, const ns_gap_part *part)
{
  double slack = SLACK * first->shape->reach;
  rod p, q;
  crossing k;
  ns_gap_rod_in_world(second, part->link, &q);
  if (!ns_gap_faces_side(first, &q)) return 1;
  ns_gap_rod_in_world(first, part->index, &p);
  if (!cross(&p, &q, 0, &k) || !(clearance(&k) > slack) || !faces(&k)) return 1;
  return is_inside(first, &k) ? region_of(0, 1, &k) : 1;
}

/* ---- which of them --------------------------------------------------------------------------- */

int ns_crossing_rod(const ns_shape *s, const ns_gap_part *part, int region)
{
  return is_mesh(s) ? part->link : region;
}

int ns_crossing_region(const ns_placed *first, const ns_placed *second, const ns_gap_part *part)
{
  if (is_mesh(second->shape)) return region_on_mesh(first, second, part);
  int n = ns_crossing_regions(second->shape), best = n;
  double min = INFINITY, x[3];
  double slack = SLACK * ns_gap_size(first, second);
  rod p, q;
  if (is_polytope(second->shape) && ns_gap_are_far(first, second)) return n;
  /* in the axes of the second */
  ns_gap_rod_in_world(first, part->index, &p);
  memcpy(x, p.x, sizeof x);
  ns_placed_in(second, x, p.x);
  turn_rod(second->R, ns_mul3t, &p);
  for (int i = 0; i < n; i++) {
    crossing k;
    if (ns_crossing_colour_of(second->shape, i) != part->colour) continue;
    rod_of(second->shape, i, &q);
    if (!cross(&p, &q, 0, &k) || !(clearance(&k) > slack)) continue;
    double d = distance(&k);
    if (d >= min || !faces(&k) || !is_real(first, second, &k)) continue;
    min = d;
    best = region_of(i, n, &k);
  }
  return best;
}

/* 0: it stands back. */
static int find(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                int region, rod *p, rod *q, crossing *k)
{
  int n = ns_crossing_regions(second->shape), line = line_of(region, n);
  if (region == n) return 0;
  ns_gap_rod_in_world(first, part->index, p);
  ns_gap_rod_in_world(second, ns_crossing_rod(second->shape, part, line), q);
  double side = region > n ? -1 : 1;
  return cross(p, q, p->sine > 0 || q->sine > 0 ? side : 0, k);
}

double ns_crossing_clearance(const ns_placed *first, const ns_placed *second,
                             const ns_gap_part *part, int region)
{
  rod p, q;
  crossing k;
  return find(first, second, part, region, &p, &q, &k) ? clearance(&k) : INFINITY;
}

static uint64_t name_of(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                        int region)
{
  if (is_mesh(second->shape)) {
    int mine = is_polytope(first->shape) ? part->index : ENDS;
    return part->turned ? ns_feature(NS_MEET_EDGES, part->link, mine)
                        : ns_feature(NS_MEET_EDGES, mine, part->link);
  }
  int one = is_polytope(first->shape), other = is_polytope(second->shape);
  region = line_of(region, ns_crossing_regions(second->shape));
  if (!one && !other) return 4; /* behind the four ends */
  int mine = part->turned ? region : part->index, its = part->turned ? part->index : region;
  return ns_feature(NS_MEET_EDGES, mine, its);
}

void ns_crossing_touch(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                       int region, ns_touch *t)
{
  rod p, q;
  crossing k;
  double d[3];
  if (!find(first, second, part, region, &p, &q, &k)) {
    ns_gap_between_centres(first, second, t);
    t->feature = name_of(first, second, part, 0);
    return;
  }
  memcpy(t->n, k.n, sizeof t->n);
  ns_axpy3(k.p.x, k.s, k.p.u, t->p1);
  ns_axpy3(k.q.x, k.t, k.q.u, t->p2);
  ns_axpy3(t->p1, -k.p.radius, t->n, t->p1);
  ns_axpy3(t->p2, k.q.radius, t->n, t->p2);
  ns_sub3(t->p1, t->p2, d);
  t->gap = ns_dot3(t->n, d);
  t->feature = name_of(first, second, part, region);
}

/* ---- rates ----------------------------------------------------------------------------------- */

void ns_gap_direction_rate(const double *dv, const double *n, double length, double *rate)
{
  for (int i = 0; i < 3; i++) rate[i] = length > 0 ? dv[i] / length : 0;
  ns_without3(n, rate);
}

void ns_gap_rates_between_centres(const ns_placed *a, const ns_placed *b, const ns_twist *of_a,
                                  const ns_twist *of_b, const ns_touch *t, double *at_rate,
                                  double *n_rate)
{
  double v[3], between[3], apart[3];
  ns_twist_at(of_a, a->at, at_rate);
  ns_twist_at(of_b, b->at, v);
  ns_sub3(at_rate, v, between);
  ns_sub3(a->at, b->at, apart);
  ns_gap_direction_rate(between, t->n, ns_norm3(apart), n_rate);
}

/* Of the middle and the direction of the line that meets, as its normal turns at the rate dn. */
static void rod_rates(const rod *axis, const ns_twist *of, double sign, const double *dn,
                      double *dx, double *du)
{
  double de[3], cosine = sqrt(1 - axis->sine * axis->sine);
  ns_twist_at(of, axis->x, dx);
  ns_cross3(of->w, axis->u, du);
  if (axis->sine == 0) return;
  out_of_axis(axis, du, sign, dn, de);
  ns_axpy3(dx, axis->radius / 2, de, dx);
  for (int i = 0; i < 3; i++) du[i] = cosine * du[i] - axis->sine * de[i];
}

/* n' from n.a1' + n'.a1 = n.a2' + n'.a2 = 0. */
static void turn_of_normal(const rod *p, const rod *q, const ns_twist *of_first,
                           const ns_twist *of_second, const double *n, double *rate)
{
  double da1[3], da2[3], c[3], second_n[3], n_first[3];
  ns_cross3(of_first->w, p->u, da1);
  ns_cross3(of_second->w, q->u, da2);
  ns_cross3(p->u, q->u, c);
  ns_cross3(q->u, n, second_n);
  ns_cross3(n, p->u, n_first);
  double by = -1 / ns_dot3(n, c), first = by * ns_dot3(n, da1), second = by * ns_dot3(n, da2);
  for (int i = 0; i < 3; i++) rate[i] = first * second_n[i] + second * n_first[i];
}

/* s' u1 + s u1', and n', from the rates of what they are made of. */
void ns_crossing_rates(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                       int region, const ns_twist *of_first, const ns_twist *of_second,
                       const ns_touch *t, double *at_rate, double *n_rate)
{
  rod p, q;
  crossing k;
  double v1[3], v2[3], dw[3], du1[3], du2[3];
  if (!find(first, second, part, region, &p, &q, &k)) {
    ns_gap_rates_between_centres(first, second, of_first, of_second, t, at_rate, n_rate);
    return;
  }
  turn_of_normal(&p, &q, of_first, of_second, k.n, n_rate);
  rod_rates(&p, of_first, -1, n_rate, v1, du1);
  rod_rates(&q, of_second, 1, n_rate, v2, du2);
  ns_sub3(v1, v2, dw);
  double dA = ns_dot3(du1, k.q.u) + ns_dot3(k.p.u, du2), D = k.sine * k.sine;
  double dd = ns_dot3(du1, k.w) + ns_dot3(k.p.u, dw), de = ns_dot3(du2, k.w) + ns_dot3(k.q.u, dw);
  double ds = (dA * k.e + k.A * de - dd + 2 * k.A * dA * k.s) / D;
  ns_axpy3(v1, ds, k.p.u, at_rate);
  ns_axpy3(at_rate, k.s, du1, at_rate);
  ns_axpy3(at_rate, -k.p.radius, n_rate, at_rate);
}
