/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a cylinder and another shape meets along the direction that parts them most. Discs are
 * kept as the corners of what they have in common with a face, points where their rim crosses an
 * edge, and eight points of the rim as far as they are inside: of a whole disc an octagon is left,
 * whose wrenches are within 8 % of its own. */
#include "collision/touch_cylinder.h"

enum { RIM = 8, LOWEST = RIM, CROSSING = 1 << 20, END = 1 << 21 };

static double slack(const ns_duel *k) { return 1e-5 * k->size; }

/* A point that is there already: corners on a rim, crossings at corners. */
static int is_known(const ns_duel *k, const double *world)
{
  double d[3];
  for (int i = k->first_touch; i < k->t->count; i++) {
    ns_sub3(k->t->at[i].p1, world, d);
    if (ns_norm3(d) <= slack(k)) return 1;
  }
  return 0;
}

/* x on the first, gap along n. */
static void add(const ns_duel *k, const double *x, double gap, const double *n, uint64_t id)
{
  double y[3], from[3], to[3], out[3];
  ns_axpy3(x, -gap, n, y);
  ns_placed_out(k->second, x, from);
  ns_placed_out(k->second, y, to);
  ns_mul3(k->second->R, n, out);
  if (!is_known(k, from)) ns_touch_add(k->t, from, to, out, k->margin, id);
}

/* ---- planes seen along n: each face as a plane through c with normal m ----------------------- */

typedef struct sheet {
  double c[3], m[3];
} sheet;

/* Where the line through p along n meets the sheet. */
static void drop_on(const sheet *f, const double *n, const double *p, double *x)
{
  double d[3];
  ns_sub3(p, f->c, d);
  ns_axpy3(p, -ns_dot3(d, f->m) / ns_dot3(n, f->m), n, x);
}

/* The pair of points of both sheets on the line through p. */
static void add_between(const ns_duel *k, const sheet *first, const sheet *second, const double *n,
                        const double *p, uint64_t id)
{
  double x[3], y[3], d[3];
  drop_on(first, n, p, x);
  drop_on(second, n, p, y);
  ns_sub3(x, y, d);
  add(k, x, ns_dot3(n, d), n, id);
}

/* Cap of r that is farthest along n. */
static int cap_of(const ns_rod *r, const double *n, sheet *f)
{
  int e = ns_dot3(n, r->u) > 0 ? 1 : -1;
  ns_axpy3(r->c, e * r->L, r->u, f->c);
  for (int i = 0; i < 3; i++) f->m[i] = e * r->u[i];
  return e > 0;
}

/* Point i of the rim of a cap; the lowest is that farthest along n. */
static void rim_point(const ns_rod *r, const double *R, const sheet *f, const double *n, int i,
                      double *x)
{
  const double eighth = 0.78539816339744830962; /* pi/4 */
  if (i == LOWEST) {
    ns_rod_support(r, n, x);
    return;
  }
  ns_axpy3(f->c, r->R * cos(i * eighth), R, x);
  ns_axpy3(x, r->R * sin(i * eighth), R + 3, x);
}

/* A point of the rim stands for one that is nearer along n: the lowest, next to it. As the rim
 * rolls over a fixed point, both would be a contact for a step, and the fixed one would stop it. */
static int rim_point_is_spare(const ns_rod *r, const sheet *f, const double *n, int i,
                              const double *x)
{
  double lowest[3], to_lowest[3], to_x[3];
  if (i == LOWEST || ns_across(n, r->u) < NS_RIM_LEANS) return 0;
  ns_rod_support(r, n, lowest);
  ns_sub3(lowest, f->c, to_lowest);
  ns_sub3(x, f->c, to_x);
  return ns_dot3(to_lowest, to_x) > NS_RIM_NEXT * r->R * r->R;
}

/* The lowest point counts where the cap is tilted, and is then beside the fixed ones. */
static int rim_points(const ns_rod *r, const double *n)
{
  return ns_across(n, r->u) > 1e-5 ? RIM + 1 : RIM;
}

/* ---- disc and polygon ------------------------------------------------------------------------ */

static int in_disc(const ns_duel *k, const sheet *cap, double R, const double *n, const double *p)
{
  double x[3];
  drop_on(cap, n, p, x);
  ns_sub3(x, cap->c, x);
  return ns_norm3(x) <= R + 1e-5 * k->size;
}

/* Parts from..until of p..q that are over the disc; 0 where none is, or less than slack deep. */
static int over_disc(const ns_duel *k, const sheet *cap, double R, const double *n, const double *p,
                     const double *q, double *from, double *until)
{
  double x[3], y[3], d[3];
  drop_on(cap, n, p, x);
  drop_on(cap, n, q, y);
  ns_sub3(y, x, d);
  ns_sub3(x, cap->c, x);
  double length = ns_unit3(d), b = -ns_dot3(x, d), beside = sqrt(fmax(ns_dot3(x, x) - b * b, 0));
  if (length == 0 || beside >= R - slack(k)) return 0;
  double half = sqrt(R * R - beside * beside);
  *from = fmax((b - half) / length, 0);
  *until = fmin((b + half) / length, 1);
  if (*from * length < slack(k)) *from = 0;
  if ((1 - *until) * length < slack(k)) *until = 1;
  return *from < *until;
}

static int in_polygon(const ns_polytope *q, int f, const double *y, double slack)
{
  for (int i = q->first[f]; i < q->first[f + 1]; i++) {
    const double *a = q->vertex + 3 * q->loop[i];
    double e[3], d[3], out[3];
    ns_sub3(q->vertex + 3 * q->loop[i + 1 < q->first[f + 1] ? i + 1 : q->first[f]], a, e);
    ns_cross3(e, q->normal + 3 * f, out);
    ns_unit3(out);
    ns_sub3(y, a, d);
    if (ns_dot3(out, d) > slack) return 0;
  }
  return 1;
}

/* The edge from v to w of a face: its first corner, and where it comes into the disc or leaves it.
 */
static void disc_and_edge(const ns_duel *k, const sheet *cap, const sheet *face, const double *n,
                          int v, int w, int edge)
{
  const double *a = k->q->vertex + 3 * v, *b = k->q->vertex + 3 * w;
  double part[2], x[3], d[3];
  if (in_disc(k, cap, k->a.R, n, a))
    add_between(k, cap, face, n, a, ns_feature(NS_MEET_CORNER_2, 0, v));
  if (!over_disc(k, cap, k->a.R, n, a, b, &part[0], &part[1])) return;
  ns_sub3(b, a, d);
  for (int j = 0; j < 2; j++) {
    if (part[j] == j) continue; /* a corner */
    ns_axpy3(a, part[j], d, x);
    add_between(k, cap, face, n, x, ns_feature(NS_MEET_EDGES, CROSSING + j, edge));
  }
}

/* Cap of the first that looks against n, and face f of the polytope. */
void ns_duel_disc_on_face(const ns_duel *k, const double *n, int f)
{
  const ns_polytope *q = k->q;
  double minus[3] = {-n[0], -n[1], -n[2]}, x[3], y[3];
  sheet cap, face;
  int e = cap_of(&k->a, minus, &cap), points = rim_points(&k->a, n);
  memcpy(face.c, q->vertex + 3 * q->loop[q->first[f]], sizeof face.c);
  memcpy(face.m, q->normal + 3 * f, sizeof face.m);
  for (int i = points - 1; i >= 0; i--) { /* the lowest before those beside it */
    rim_point(&k->a, k->Ra, &cap, minus, i, x);
    if (rim_point_is_spare(&k->a, &cap, minus, i, x)) continue;
    drop_on(&face, n, x, y);
    if (in_polygon(q, f, y, slack(k)))
      add_between(k, &cap, &face, n, x, ns_feature(NS_MEET_RIM_1, 16 * e + i, 0));
  }
  for (int i = q->first[f]; i < q->first[f + 1]; i++)
    disc_and_edge(k, &cap, &face, n, q->loop[i],
                  q->loop[i + 1 < q->first[f + 1] ? i + 1 : q->first[f]], q->side[i]);
}

/* ---- disc and disc --------------------------------------------------------------------------- */

static void rims_within(const ns_duel *k, const double *n, const sheet *one, const sheet *two,
                        int second)
{
  const ns_rod *r = second ? &k->b : &k->a;
  double minus[3] = {-n[0], -n[1], -n[2]}, x[3];
  int points = rim_points(r, n), e = ns_dot3(second ? two->m : one->m, r->u) > 0;
  for (int i = points - 1; i >= 0; i--) { /* the lowest before those beside it */
    rim_point(r, second ? k->Rb : k->Ra, second ? two : one, second ? n : minus, i, x);
    if (rim_point_is_spare(r, second ? two : one, second ? n : minus, i, x)) continue;
    if (!in_disc(k, second ? one : two, second ? k->a.R : k->b.R, n, x)) continue;
    add_between(k, one, two, n, x,
                second ? ns_feature(NS_MEET_RIM_2, 0, 16 * e + i)
                       : ns_feature(NS_MEET_RIM_1, 16 * e + i, 0));
  }
}

void ns_duel_disc_on_disc(const ns_duel *k, const double *n)
{
  double minus[3] = {-n[0], -n[1], -n[2]}, d[3], side[3], x[3], A = k->a.R, B = k->b.R;
  sheet one, two;
  cap_of(&k->a, minus, &one);
  cap_of(&k->b, n, &two);
  ns_sub3(two.c, one.c, d);
  ns_axpy3(d, -ns_dot3(d, n), n, d);
  double off = ns_unit3(d);
  int first_in = off + A <= B + slack(k), second_in = off + B <= A + slack(k);
  if (!second_in || first_in) rims_within(k, n, &one, &two, 0);
  if (!first_in) rims_within(k, n, &one, &two, 1);
  /* tilted ones are nearest at one point */
  if (first_in || second_in || off >= A + B || ns_across(k->a.u, k->b.u) > 1e-3) return;
  double along = (off * off + A * A - B * B) / (2 * off),
         across = sqrt(fmax(A * A - along * along, 0));
  ns_cross3(n, d, side);
  for (int i = 0; i < 2; i++) {
    ns_axpy3(one.c, along, d, x);
    ns_axpy3(x, i ? across : -across, side, x);
    add_between(k, &one, &two, n, x, ns_feature(NS_MEET_EDGES, CROSSING + i, 0));
  }
}

/* ---- lines: sides of rods, edges ------------------------------------------------------------- */

/* The line of r's surface that is farthest along n. */
static void ridge(const ns_rod *r, const double *n, double *from, double *to)
{
  double m[3];
  ns_axpy3(n, -ns_dot3(n, r->u), r->u, m);
  if (r->round) memcpy(m, n, sizeof m);
  else ns_unit3(m);
  ns_axpy3(r->c, r->R, m, from);
  ns_axpy3(from, r->L, r->u, to);
  ns_axpy3(from, -r->L, r->u, from);
}

/* What is left of a line, x..y of from..until, that lies on a face or cap: ends of its own are the
 * lowest points of rims. */
typedef struct stretch {
  double x[2][3];
  /* ends of its own; edges that cut the others; the line is the second's */
  int own[2], cut[2], second;
} stretch;

static void add_ends(const ns_duel *k, const double *n, const sheet *one, const sheet *two,
                     const stretch *l)
{
  for (int i = 0; i < 2; i++) {
    int lowest = 16 * i + LOWEST;
    uint64_t rim = l->second ? ns_feature(NS_MEET_RIM_2, 0, lowest)
                             : ns_feature(NS_MEET_RIM_1, lowest, 0);
    add_between(k, one, two, n, l->x[i],
                l->own[i] ? rim : ns_feature(NS_MEET_EDGES, END + i, l->cut[i]));
  }
}

/* A line as a sheet: itself, seen along n. */
static void sheet_of_line(const double *x, const double *y, const double *n, sheet *f)
{
  double u[3], across[3];
  memcpy(f->c, x, sizeof f->c);
  ns_sub3(y, x, u);
  ns_unit3(u);
  ns_cross3(n, u, across);
  ns_cross3(u, across, f->m);
  ns_unit3(f->m);
}

static int same(const ns_duel *k, const double *x, const double *y)
{
  double d[3];
  ns_sub3(x, y, d);
  return ns_norm3(d) <= slack(k);
}

static void line_and_face(const ns_duel *k, const double *n, int f)
{
  double minus[3] = {-n[0], -n[1], -n[2]}, x[3], y[3];
  sheet line, face;
  stretch l = {.second = 0};
  ridge(&k->a, minus, x, y);
  sheet_of_line(x, y, n, &line);
  memcpy(face.c, k->q->vertex + 3 * k->q->loop[k->q->first[f]], sizeof face.c);
  memcpy(face.m, n, sizeof face.m);
  memcpy(l.x[0], x, sizeof x);
  memcpy(l.x[1], y, sizeof y);
  if (!ns_clip_segment(k->q, f, slack(k), l.x[0], l.x[1], l.cut)) return;
  l.own[0] = l.cut[0] < 0 || same(k, l.x[0], x);
  l.own[1] = l.cut[1] < 0 || same(k, l.x[1], y);
  for (int i = 0; i < 2; i++) l.cut[i] = l.cut[i] < 0 ? 0 : k->q->side[l.cut[i]];
  add_ends(k, n, &line, &face, &l);
}

void ns_duel_line_on_disc(const ns_duel *k, const double *n, int cap_is_second)
{
  const ns_rod *of = cap_is_second ? &k->a : &k->b, *to = cap_is_second ? &k->b : &k->a;
  double minus[3] = {-n[0], -n[1], -n[2]}, x[3], y[3], d[3], from, until;
  sheet cap, line;
  stretch l = {.second = !cap_is_second};
  ridge(of, cap_is_second ? minus : n, x, y);
  sheet_of_line(x, y, n, &line);
  cap_of(to, cap_is_second ? n : minus, &cap);
  if (!over_disc(k, &cap, to->R, n, x, y, &from, &until)) return;
  l.own[0] = from == 0;
  l.own[1] = until == 1;
  ns_sub3(y, x, d);
  ns_axpy3(x, from, d, l.x[0]);
  ns_axpy3(x, until, d, l.x[1]);
  add_ends(k, n, cap_is_second ? &line : &cap, cap_is_second ? &cap : &line, &l);
}

/* Lines along each other: at both ends of what they have in common, each with its own normal; 0
 * where they pass or are apart. */
static int add_along(const ns_duel *k, const ns_rod *b, int edge)
{
  const ns_rod *a = &k->a;
  double d[3], c = ns_dot3(a->u, b->u), middle, reach = b->L * fabs(c), at[2];
  ns_sub3(b->c, a->c, d);
  middle = ns_dot3(d, a->u);
  if (1 - c * c > 1e-6 || middle - reach >= a->L || middle + reach <= -a->L) return 0;
  at[0] = fmax(middle - reach, -a->L);
  at[1] = fmin(middle + reach, a->L);
  for (int i = 0; i < 2; i++) {
    double p[3], y[3], n[3], m[3];
    ns_axpy3(a->c, at[i], a->u, p);
    ns_sub3(p, b->c, d);
    ns_axpy3(b->c, ns_clamp(ns_dot3(d, b->u), -b->L, b->L), b->u, y);
    ns_sub3(p, y, n);
    double apart = ns_unit3(n);
    ns_axpy3(n, -ns_dot3(n, a->u), a->u, m);
    ns_unit3(m);
    ns_axpy3(p, -a->R, m, y);
    add(k, y, apart - a->R * ns_across(n, a->u) - (b->round ? b->R : b->R * ns_across(n, b->u)), n,
        ns_feature(NS_MEET_EDGES, END + i, k->q ? edge : 0));
  }
  return 1;
}

/* The line of the second that meets: its axis, or an edge. */
static void line_of(const ns_duel *k, int edge, ns_rod *b)
{
  ns_edge e;
  *b = k->b;
  if (!k->q) return;
  ns_edge_of(k->q, edge, NULL, &e);
  *b = (ns_rod){.L = e.length / 2, .round = 1};
  memcpy(b->u, e.u, sizeof b->u);
  ns_axpy3(e.a, b->L, e.u, b->c);
}

/* Lines that cross. */
static void add_crossing(const ns_duel *k, const ns_parting *p, const ns_rod *b)
{
  double d[3], s, r, x[3];
  ns_sub3(b->c, k->a.c, d);
  ns_nearest_lines(d, k->a.u, k->a.L, b->u, b->L, &s, &r);
  ns_axpy3(k->a.c, s, k->a.u, x);
  ns_axpy3(x, -k->a.R, p->n, x);
  add(k, x, p->s, p->n, ns_feature(NS_MEET_EDGES, END, k->q ? p->which : 0));
}

/* ---- points ---------------------------------------------------------------------------------- */

/* Both shapes at one point: that of the second where the first has a line there, else that of the
 * first. */
static void add_point(const ns_duel *k, const ns_parting *p)
{
  double minus[3] = {-p->n[0], -p->n[1], -p->n[2]}, x[3];
  if (p->kind == NS_ON_POINT) {
    if (k->q) memcpy(x, k->q->vertex + 3 * p->which, sizeof x);
    else ns_rod_support(&k->b, p->n, x);
    ns_axpy3(x, p->s, p->n, x);
  } else {
    ns_rod_support(&k->a, minus, x);
  }
  int rim = (ns_dot3(p->n, k->a.u) < 0 ? 16 : 0) + LOWEST;
  add(k, x, p->s, p->n,
      k->q && p->kind == NS_ON_POINT ? ns_feature(NS_MEET_CORNER_2, 0, p->which)
                                     : ns_feature(NS_MEET_RIM_1, rim, 0));
}

/* An edge at corner v that runs along the cylinder, -1: none. */
static int edge_along(const ns_duel *k, int v)
{
  for (int i = 0; i < k->q->nedges; i++) {
    ns_edge e;
    if (k->q->edge[4 * i] != v && k->q->edge[4 * i + 1] != v) continue;
    ns_edge_of(k->q, i, NULL, &e);
    if (ns_across(e.u, k->a.u) < 1e-3) return i;
  }
  return -1;
}

/* Face of the polytope at its corner farthest along n that looks most along n. */
int ns_duel_facing(const ns_duel *k, const double *n)
{
  const ns_polytope *q = k->q;
  const double *v = q->vertex + 3 * ns_polytope_support(q, n);
  int best = 0;
  double max = -INFINITY;
  for (int f = 0; f < q->nfaces; f++) {
    double c = ns_dot3(q->normal + 3 * f, n);
    if (c <= max || ns_dot3(q->normal + 3 * f, v) < q->offset[f] - 1e-5 * k->size) continue;
    best = f;
    max = c;
  }
  return best;
}

static int is_steep(const double *n, const double *u)
{
  return fabs(ns_dot3(n, u)) < 0.70710678118654752440;
}

static void meet_flat(const ns_duel *k, const ns_parting *p)
{
  switch (p->kind) {
  case NS_ON_FACE:
    if (is_steep(p->n, k->a.u)) line_and_face(k, p->n, p->which);
    else ns_duel_disc_on_face(k, p->n, p->which);
    break;
  case NS_ON_CAP_1:
    if (k->q) ns_duel_disc_on_face(k, p->n, ns_duel_facing(k, p->n));
    else if (is_steep(p->n, k->b.u)) ns_duel_line_on_disc(k, p->n, 0);
    else if (!k->b.round) ns_duel_disc_on_disc(k, p->n);
    break;
  default:
    if (is_steep(p->n, k->a.u)) ns_duel_line_on_disc(k, p->n, 1);
    else ns_duel_disc_on_disc(k, p->n);
  }
}

static void meet_curved(const ns_duel *k, const ns_parting *p)
{
  int edge = k->q && p->kind == NS_ON_POINT ? edge_along(k, p->which) : p->which;
  ns_rod b = {0};
  if (edge >= 0 || !k->q) {
    line_of(k, edge, &b);
    if (add_along(k, &b, edge)) return;
  }
  if (p->kind == NS_ON_LINES) add_crossing(k, p, &b);
  else add_point(k, p);
}

void ns_duel_touch(const ns_duel *k, const ns_parting *flat, const ns_parting *best)
{
  int tilted = fabs(ns_dot3(flat->n, best->n)) < 1 - 1e-6;
  if (!tilted) meet_flat(k, flat);
  if (k->t->count > k->first_touch || k->t->failed) return;
  if (tilted) meet_curved(k, best);
  else if (!k->only) add_point(k, best);
}
