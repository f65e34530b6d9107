/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/vector.h"
#include "collision/gap_parts.h"
#include "collision/touch_parts.h"

#include <math.h>
#include <string.h>

enum { BACK = 1 << 28 }; /* region of a vertex of a mesh that the body has not before it */
/* Names of the lowest point of a rim, of a tip (touch_cylinder.c), of the first of those fixed. */
enum { LOWEST = 8, TIP = 16, FIXED = 64 };

/* ---- kinds ----------------------------------------------------------------------------------- */

static int is_ball(const ns_shape *s)
{
  return s->kind == NS_SHAPE_SPHERE || s->kind == NS_SHAPE_DISK;
}

int ns_gap_points_of(const ns_shape *s)
{
  switch (s->kind) {
  case NS_SHAPE_SPHERE:
  case NS_SHAPE_DISK: return 1;
  case NS_SHAPE_CAPSULE: return 2;
  case NS_SHAPE_CYLINDER: return 2 * (1 + NS_RIM_POINTS); /* of either rim the lowest; fixed ones */
  case NS_SHAPE_CONE: return 2 + NS_RIM_POINTS;           /* the same; its tip is one (ns_is_tip) */
  case NS_SHAPE_BOX:
  case NS_SHAPE_HULL: return s->polytope->nvertices;
  case NS_SHAPE_POLYGON: return s->ncorners;
  default: return 0;
  }
}

/* A cap may lie flat on the other. */
static int has_rims(const ns_shape *a, const ns_shape *b)
{
  return ns_is_revolved(a) && b->kind == NS_SHAPE_PLANE;
}

static int is_capsule(const ns_shape *s) { return s->kind == NS_SHAPE_CAPSULE; }

/* The second of a pair is what the first has points for. */
static int is_in_order(const ns_shape *a, const ns_shape *b)
{
  if (b->kind == NS_SHAPE_PLANE) return 1;
  return is_ball(a) && a->kind != NS_SHAPE_PLANE && (!is_ball(b) || b->kind == a->kind);
}

static int gaps_in_order(const ns_shape *a, const ns_shape *b)
{
  if (b->kind == NS_SHAPE_PLANE) return ns_gap_points_of(a);
  if (ns_is_chain(b)) return is_ball(a) ? ns_chain_links(b) : 0;
  if (b->kind == NS_SHAPE_MESH) return is_ball(a) ? b->mesh->ntriangles : 0;
  return is_ball(a) && ns_regions_about(b) ? 1 : 0;
}

/* ---- which parts of them --------------------------------------------------------------------- */

/* Both have points for the other, and some may have edges that cross. */
static int are_mutual(const ns_shape *a, const ns_shape *b)
{
  if (ns_is_polygon(a)) return ns_is_polygon(b) || ns_is_chain(b);
  if (ns_is_chain(a)) return ns_is_polygon(b);
  if (ns_gap_is_on_mesh(a, b)) return 1;
  return (is_capsule(a) || a->polytope) && (is_capsule(b) || b->polytope);
}

/* Gaps of the points of the one about the other: a corner has one for each link. */
static int points_about(const ns_shape *of, const ns_shape *other)
{
  if (ns_is_chain(of)) return of->ncorners;
  return ns_gap_points_of(of) * (ns_is_chain(other) ? ns_chain_links(other) : 1);
}

/* Axes or edges of a that cross edges of b, a gap for each of their colours. */
static int crossings_with(const ns_shape *a, const ns_shape *b)
{
  return ns_crossing_regions(a) * ns_crossing_colours(b);
}

/* Either way round, whichever takes fewer. */
static int second_crosses(const ns_shape *a, const ns_shape *b)
{
  return crossings_with(b, a) < crossings_with(a, b);
}

/* ---- a cylinder or a cone and a body with corners, edges or an axis ---- */
/* One of the two is a cylinder or a cone, the other that, too, or a capsule, a box or a hull. */
static int is_on_revolved(const ns_shape *a, const ns_shape *b)
{
  const ns_shape *other = ns_is_revolved(a) ? b : a;
  if (!ns_is_revolved(a) && !ns_is_revolved(b)) return 0;
  return is_capsule(other) || ns_is_revolved(other) || other->polytope;
}

enum { RIMS = 2, SIDES = 2 }; /* of a cylinder; of a line or rim that a rim crosses */

/* Gaps of the points of a cylinder or a cone over faces; over a capsule only those of a tip. */
static int faces_under(const ns_shape *s, const ns_shape *other)
{
  return is_capsule(other) ? ns_is_cone(s) : ns_gap_points_of(s);
}

/* Gaps of its rims and its tip with the other: over faces, and two of each rim for the lines of one
 * colour, or for the side of a cylinder or a cone. */
static int gaps_of_rims(const ns_shape *s, const ns_shape *other)
{
  return faces_under(s, other) + ns_caps_of(s) * SIDES * ns_crossing_colours(other);
}

/* How many gaps a cylinder or a cone `s` has with another shape: points of that about it; crossings
 * of its side with lines of that, of which those of one colour have one gap; those of its rims, and
 * of the rims of the other, if it has some; of pairs of rims. */
typedef struct on_revolved {
  const ns_shape *s, *other;
  int points, colours, rims, its, pairs, turned;
} on_revolved;

static on_revolved about_revolved(const ns_shape *a, const ns_shape *b)
{
  int turned = !ns_is_revolved(a);
  const ns_shape *s = turned ? b : a, *other = turned ? a : b;
  on_revolved k = {.s = s, .other = other, .turned = turned};
  k.colours = ns_crossing_colours(other);
  k.rims = gaps_of_rims(s, other);
  if (!ns_is_revolved(other)) {
    k.points = ns_gap_points_of(other);
    return k;
  }
  k.its = gaps_of_rims(other, s);
  k.pairs = ns_caps_of(s) * ns_caps_of(other) * SIDES;
  return k;
}

static int gaps_on_revolved(const ns_shape *a, const ns_shape *b)
{
  on_revolved k = about_revolved(a, b);
  return k.points + k.colours + k.rims + k.its + k.pairs;
}

static ns_gap_part rim_of(const ns_shape *s, const ns_shape *other, int turned, int which)
{
  int faces = faces_under(s, other), colours = ns_crossing_colours(other);
  ns_gap_part p = {.turned = turned, .rim = NS_RIM_FACE, .index = faces == 1 ? 1 : which};
  if (which < faces) {
    if (ns_is_tip(s, p.index)) p.rim = NS_RIM_NONE;
    return p;
  }
  which -= faces;
  p.rim = ns_is_cone(other) ? NS_RIM_SIDE : NS_RIM_LINE;
  p.colour = which % colours;
  p.index = ns_rim_index(s, which / colours);
  return p;
}

/* Numbered as if the cylinder or the cone was the first. */
static ns_gap_part part_on_revolved(const ns_shape *a, const ns_shape *b, int which)
{
  on_revolved k = about_revolved(a, b);
  int turned = k.turned, n = ns_caps_of(k.s);
  if (which < k.points) return (ns_gap_part){.turned = !turned, .index = which};
  which -= k.points;
  if (which < k.colours) return (ns_gap_part){.crosses = 1, .turned = turned, .colour = which};
  which -= k.colours;
  if (which < k.rims) return rim_of(k.s, k.other, turned, which);
  which -= k.rims;
  if (which < k.its) return rim_of(k.other, k.s, !turned, which);
  which -= k.its;
  int index = which % n + 2 * ns_rim_index(k.other, which / n);
  return (ns_gap_part){.turned = turned, .rim = NS_RIM_RIM, .index = index};
}

static int crossings_of(const ns_shape *a, const ns_shape *b)
{
  if (ns_is_polygon(a) || ns_is_polygon(b)) return 0;
  return second_crosses(a, b) ? crossings_with(b, a) : crossings_with(a, b);
}

/* A body and a mesh in any order, and how many points and rods the body has. */
typedef struct on_mesh {
  const ns_shape *body;
  const ns_mesh *mesh;
  int points, rods;
} on_mesh;

static on_mesh body_on_mesh(const ns_shape *a, const ns_shape *b)
{
  const ns_shape *body = ns_is_mesh(a) ? b : a;
  return (on_mesh){.body = body,
                   .mesh = (ns_is_mesh(a) ? a : b)->mesh,
                   .points = ns_gap_points_of(body),
                   .rods = ns_mesh_rods_of(body)};
}

/* Gaps of a body and a mesh are numbered as if the body was the first. */
static ns_gap_part part_on_mesh(const ns_shape *a, const ns_shape *b, int which)
{
  on_mesh k = body_on_mesh(a, b);
  ns_gap_part p = ns_mesh_gap_part(k.body, k.mesh, which);
  if (ns_is_mesh(a)) p.turned = !p.turned;
  return p;
}

static ns_gap_part part_of(const ns_shape *a, const ns_shape *b, int which)
{
  if (ns_gap_is_on_mesh(a, b)) return part_on_mesh(a, b, which);
  if (is_on_revolved(a, b)) return part_on_revolved(a, b, which);
  ns_gap_part p = {.turned = !is_in_order(a, b)};
  if (!are_mutual(a, b)) {
    p.index = p.link = which; /* of one of these the pair has several */
    return p;
  }
  int mine = points_about(a, b), its = points_about(b, a);
  p.crosses = which >= mine + its;
  p.turned = p.crosses ? second_crosses(a, b) : which >= mine;
  p.index = which - (p.crosses ? mine + its : p.turned ? mine : 0);
  if (p.crosses) {
    int colours = ns_crossing_colours(p.turned ? a : b);
    p.colour = p.index % colours;
    p.index /= colours;
  } else if (ns_is_chain(p.turned ? a : b)) {
    int n = ns_gap_points_of(p.turned ? b : a);
    p.link = p.index / n;
    p.index %= n;
  }
  return p;
}

int ns_gaps_of(const ns_shape *a, const ns_shape *b)
{
  if (ns_gap_is_on_mesh(a, b)) {
    on_mesh k = body_on_mesh(a, b);
    return ns_mesh_gaps_of(k.mesh, k.points, k.rods);
  }
  if (is_on_revolved(a, b)) return gaps_on_revolved(a, b);
  if (are_mutual(a, b)) return points_about(a, b) + points_about(b, a) + crossings_of(a, b);
  if (is_in_order(a, b)) return gaps_in_order(a, b);
  return is_in_order(b, a) ? gaps_in_order(b, a) : 0;
}

int ns_gap_is_used(const ns_shape *a, const ns_shape *b, int which)
{
  if (!ns_gap_is_on_mesh(a, b)) return 1;
  ns_gap_part p = part_on_mesh(a, b, which);
  return ns_mesh_gap_is_used(body_on_mesh(a, b).mesh, &p);
}

int ns_gaps_in_use(const ns_shape *a, const ns_shape *b)
{
  if (!ns_gap_is_on_mesh(a, b)) return ns_gaps_of(a, b);
  on_mesh k = body_on_mesh(a, b);
  return ns_mesh_gaps_in_use(k.mesh, k.points, k.rods);
}

static int is_rounded(const ns_shape *s)
{
  return (s->polytope || ns_is_polygon(s)) && s->radius > 0;
}

/* The tip of a cone, where that is a corner of its own. */
static int is_tip(const ns_shape *a, const ns_shape *b, const ns_gap_part *p)
{
  const ns_shape *of = p->turned ? b : a, *other = p->turned ? a : b;
  return ns_is_tip(of, p->index) && !p->crosses && !p->rim && !has_rims(of, other);
}

int ns_gap_is_sharp(const ns_shape *a, const ns_shape *b)
{
  int round = is_capsule(a) || is_capsule(b) || is_rounded(a) || is_rounded(b);
  return are_mutual(a, b) && !round;
}

/* Of two round ones, points of the second, and corners about a capsule: another gap stands in for
 * them where they are not beside an axis, or are nearest to a corner. */
static int may_stand_back(const ns_shape *a, const ns_shape *b, const ns_gap_part *p)
{
  const ns_shape *of = p->turned ? b : a, *other = p->turned ? a : b;
  if (!are_mutual(a, b) || p->crosses || ns_gap_is_sharp(a, b)) return 0;
  if (ns_is_chain(a) || ns_is_chain(b) || ns_is_mesh(other)) return 0;
  if (ns_is_mesh(of)) return 1;
  if (is_capsule(other)) return p->turned || of->polytope;
  return p->turned && !is_capsule(of);
}

/* A tip about a round shape: beyond the ends or corners of that these have the gaps. */
static int is_tip_beside(const ns_shape *a, const ns_shape *b, const ns_gap_part *p, int region)
{
  const ns_shape *other = p->turned ? a : b;
  if (!is_tip(a, b, p) || ns_is_mesh(other)) return 0;
  if (is_capsule(other)) return region != 0;
  return is_rounded(other) && region >= other->polytope->nfaces + other->polytope->nedges;
}

static int stands_back(const ns_shape *a, const ns_shape *b, const ns_gap_part *p, int region)
{
  const ns_shape *other = p->turned ? a : b;
  if (is_tip_beside(a, b, p, region)) return 1;
  if (ns_is_mesh(other) && are_mutual(a, b)) return region == NS_BEHIND;
  if (ns_is_mesh(p->turned ? b : a) && region == BACK) return 1;
  if (!may_stand_back(a, b, p)) return 0;
  if (is_capsule(other)) return region != 0;
  int corners = ns_is_polygon(other) ? other->ncorners
                                     : other->polytope->nfaces + other->polytope->nedges;
  return region >= corners;
}

/* A corner of a polygon and a link that it may be beside. */
static int is_about_link(const ns_shape *a, const ns_shape *b, const ns_gap_part *p)
{
  return are_mutual(a, b) && ns_is_chain(p->turned ? a : b);
}

int ns_gap_may_end(const ns_shape *a, const ns_shape *b)
{
  return are_mutual(a, b) || is_on_revolved(a, b);
}

int ns_gaps_are_rims(const ns_shape *a, const ns_shape *b)
{
  return has_rims(a, b) || has_rims(b, a);
}

int ns_gap_ends(const ns_shape *a, const ns_shape *b, int which)
{
  ns_gap_part p = part_of(a, b, which);
  if (is_on_revolved(a, b))
    return p.crosses || p.rim || is_tip(a, b, &p) || (p.turned ? b : a)->radius == 0;
  if (!are_mutual(a, b)) return ns_gaps_are_rims(a, b);
  return ns_gap_is_sharp(a, b) || p.crosses || may_stand_back(a, b, &p) || is_about_link(a, b, &p);
}

int ns_gap_lasts(const ns_shape *a, const ns_shape *b, int which)
{
  if (which == NS_NO_GAP) return 0;
  ns_gap_part p = part_of(a, b, which);
  return ns_gaps_are_rims(a, b) || (p.rim == NS_RIM_FACE && p.index >= RIMS);
}

int ns_gap_begins_as(const ns_shape *a, const ns_shape *b, int which, int other, int region)
{
  ns_gap_part p = part_of(a, b, which), q = part_of(a, b, other);
  if (region < 0 || region == NS_RIM_BACK) return 0;
  return (p.index - RIMS) / NS_RIM_POINTS == (q.index - RIMS) / NS_RIM_POINTS;
}

int ns_gap_regions(const ns_shape *a, const ns_shape *b)
{
  /* more than one */
  if (ns_gaps_are_rims(a, b) || is_on_revolved(a, b)) return 2;
  if (are_mutual(a, b) && !is_capsule(b)) return 2;
  return ns_regions_about(is_in_order(a, b) ? b : a);
}

/* ---- points of a shape ----------------------------------------------------------------------- */

void ns_gap_point_of(const ns_placed *a, int which, double *x, double *radius)
{
  const ns_shape *s = a->shape;
  const double *axis = a->R + 6;
  switch (s->kind) {
  case NS_SHAPE_BOX:
  case NS_SHAPE_HULL: ns_placed_out(a, s->polytope->vertex + 3 * which, x); break;
  case NS_SHAPE_POLYGON:
  case NS_SHAPE_CHAIN:
    ns_placed_out(a, (double[]){s->corner[2 * which], s->corner[2 * which + 1], 0}, x);
    break;
  case NS_SHAPE_CAPSULE: ns_axpy3(a->at, (2 * which - 1) * s->half[2], axis, x); break;
  case NS_SHAPE_CONE: ns_axpy3(a->at, s->half[2], axis, x); break; /* its tip */
  case NS_SHAPE_MESH: {
    double local[3];
    ns_mesh_vertex(s->mesh, which, local);
    ns_placed_out(a, local, x);
    break;
  }
  default: memcpy(x, a->at, 3 * sizeof *x);
  }
  *radius = ns_core_radius(s);
}

/* Of the end or corner of a body and a patch, or a vertex. */
static uint64_t name_on_mesh(const ns_shape *of, const ns_shape *other, const ns_gap_part *p)
{
  int kind = NS_MEET_CORNER_1, index = p->index;
  if (is_capsule(of)) kind = NS_MEET_RIM_1;
  int its = ns_is_mesh(of) ? 0 : other->mesh->patch[p->link];
  if (p->turned) return ns_feature(kind + 1, its, index);
  return ns_feature(kind, index, its);
}

/* As the touches of the pair are named. */
static uint64_t name_of(const ns_shape *of, const ns_shape *other, const ns_gap_part *p)
{
  if (ns_gap_is_on_mesh(of, other)) return name_on_mesh(of, other, p);
  if (is_on_revolved(of, other))
    return p->turned ? ns_feature(NS_MEET_CORNER_2, 0, p->index)
                     : ns_feature(NS_MEET_CORNER_1, p->index, 0);
  int corner = ns_is_polygon(of) || (ns_is_chain(of) && ns_is_polygon(other)) ||
               (of->polytope && other->polytope);
  if (corner)
    return p->turned ? ns_feature(NS_MEET_CORNER_2, 0, p->index)
                     : ns_feature(NS_MEET_CORNER_1, p->index, 0);
  if (ns_is_chain(other))
    return p->turned ? ns_feature(NS_MEET_CORNER_2, p->link + 1, 0)
                     : ns_feature(NS_MEET_CORNER_1, 0, p->link + 1);
  if (has_rims(of, other)) {
    if (p->index >= RIMS) return (uint64_t)(FIXED + p->index - RIMS);
    return p->index && of->kind == NS_SHAPE_CONE ? TIP : (uint64_t)(16 * p->index + LOWEST);
  }
  return (uint64_t)p->index;
}

/* ---- where a point is ------------------------------------------------------------------------ */

/* The polygon and link of it, if these are what meets. */
static int is_on_link(const ns_meeting *m)
{
  return ns_is_polygon(m->first->shape) && ns_is_chain(m->second->shape);
}

static int has_sides(const ns_meeting *m)
{
  const ns_shape *s = m->second->shape;
  if (ns_is_cone(m->first->shape)) return s->polytope && s->radius == 0;
  return ns_gap_is_sharp(m->first->shape, s) && !ns_is_chain(s) && !ns_is_mesh(s);
}

static int is_on_rim(const ns_meeting *m) { return has_rims(m->first->shape, m->second->shape); }

/* A body and a mesh: the first of them has the point. */
static int is_over_triangle(const ns_meeting *m)
{
  return ns_is_mesh(m->second->shape) && ns_gap_is_on_mesh(m->first->shape, m->second->shape);
}

static int region_over_triangle(const ns_meeting *m)
{
  const ns_shape *body = m->first->shape, *mesh = m->second->shape;
  double world[3], middle[3];
  ns_gap_middle(m->first, world);
  ns_placed_in(m->second, world, middle);
  return ns_mesh_point_region(mesh->mesh, m->part.link, m->local, middle,
                              ns_gap_is_sharp(body, mesh), body->reach);
}

/* A vertex of a mesh that is near a body whose middle is behind it is not met. */
static int is_vertex_behind(const ns_meeting *m)
{
  double world[3], middle[3];
  if (!ns_is_mesh(m->first->shape) || ns_norm3(m->local) > m->second->shape->reach) return 0;
  ns_gap_middle(m->second, world);
  ns_placed_in(m->first, world, middle);
  return !ns_mesh_is_before(m->first->shape->mesh, m->part.index, middle);
}

static int region_of(const ns_meeting *m, int was)
{
  ns_line l;
  if (is_over_triangle(m)) return region_over_triangle(m);
  if (is_vertex_behind(m)) return BACK;
  if (is_on_rim(m)) return ns_rim_region(m->first, m->second, m->part.index, was);
  if (ns_is_revolved(m->second->shape) && m->radius == 0)
    return ns_corner_on_revolved(m->second, m->first, m->part.index, m->local);
  if (has_sides(m)) return ns_corner_region(m);
  if (!is_on_link(m)) return ns_region_about(m->second->shape, m->part.link, m->local);
  ns_link_line(m->second, m->part.link, m->first, &l);
  return ns_link_region(m->first, &l, m->x);
}

/* Which shape has the point of a gap, where that is, and in which region: whichever, where that is
 * < 0. */
static void arrange(const ns_placed *a, const ns_placed *b, const ns_gap_part *part, int region,
                    ns_meeting *m)
{
  *m = (ns_meeting){.first = part->turned ? b : a,
                    .second = part->turned ? a : b,
                    .part = *part,
                    .region = region};
  if (!is_on_rim(m)) {
    ns_gap_point_of(m->first, part->index, m->x, &m->radius);
    ns_placed_in(m->second, m->x, m->local);
  }
  if (region < 0) m->region = region_of(m, 0);
  if (!is_on_rim(m)) return;
  ns_rim_point(m->first, m->second, part->index, m->region, m->x);
  ns_placed_in(m->second, m->x, m->local);
}

int ns_gap_region(const ns_placed *a, const ns_placed *b, int which, int was)
{
  if (which == NS_NO_GAP) return 0;
  ns_gap_part p = part_of(a->shape, b->shape, which);
  ns_meeting m;
  if (p.crosses) return ns_crossing_region(p.turned ? b : a, p.turned ? a : b, &p);
  if (p.rim) return ns_circle_region(p.turned ? b : a, p.turned ? a : b, &p, was);
  arrange(a, b, &p, 0, &m);
  return region_of(&m, was);
}

double ns_gap_clearance(const ns_placed *a, const ns_placed *b, int which, int region)
{
  if (which == NS_NO_GAP) return INFINITY;
  ns_gap_part p = part_of(a->shape, b->shape, which);
  ns_meeting m;
  if (p.crosses) return ns_crossing_clearance(p.turned ? b : a, p.turned ? a : b, &p, region);
  if (p.rim) return ns_circle_clearance(p.turned ? b : a, p.turned ? a : b, &p, region);
  arrange(a, b, &p, region, &m);
  if (is_on_rim(&m)) return ns_rim_clearance(m.first, m.second, p.index, region);
  if (is_on_link(&m) && region == NS_BESIDE) return INFINITY;
  if (region == BACK) return INFINITY;
  return ns_region_clearance(m.second->shape, p.link, region, m.local);
}

/* Planes have no end. */
static double finite_reach(const ns_placed *p)
{
  return isfinite(p->shape->reach) ? p->shape->reach : 0;
}

void ns_gap_between_centres(const ns_placed *a, const ns_placed *b, ns_touch *t)
{
  memcpy(t->p1, a->at, sizeof t->p1);
  memcpy(t->p2, b->at, sizeof t->p2);
  ns_sub3(t->p1, t->p2, t->n);
  double apart = ns_unit3(t->n);
  if (apart == 0) t->n[b->shape->ncorners ? 1 : 2] = 1;
  t->gap = apart + finite_reach(a) + finite_reach(b);
}

static void exchange(double *p, double *q)
{
  double t[3];
  memcpy(t, p, sizeof t);
  memcpy(p, q, sizeof t);
  memcpy(q, t, sizeof t);
}

/* Normal and nearest point of the link, which the corner of a polygon may be behind. */
static void onto_link(const ns_meeting *m, ns_touch *t)
{
  ns_line l;
  ns_link_line(m->second, m->part.link, m->first, &l);
  memcpy(t->n, l.n, sizeof t->n);
  double d[3];
  ns_sub3(m->x, l.a, d);
  ns_axpy3(m->x, -ns_dot3(l.n, d), l.n, t->p2);
}

static void onto_core(const ns_meeting *m, ns_touch *t)
{
  double y[3], n[3];
  ns_region_nearest(m->second->shape, m->part.link, m->region, m->local, y, n);
  ns_placed_out(m->second, y, t->p2);
  ns_mul3(m->second->R, n, t->n);
}

/* As if the first were that of the pair: n from the second to the first. */
static void meet(const ns_placed *a, const ns_placed *b, const ns_gap_part *part, int region,
                 ns_meeting *m, ns_touch *t)
{
  double d[3];
  arrange(a, b, part, region, m);
  if (m->region == BACK) {
    ns_gap_between_centres(m->first, m->second, t);
    t->feature = name_of(m->first->shape, m->second->shape, part);
    return;
  }
  (is_on_link(m) ? onto_link : onto_core)(m, t);
  ns_sub3(m->x, t->p2, d);
  m->distance = ns_dot3(t->n, d);
  ns_axpy3(m->x, -m->radius, t->n, t->p1);
  ns_axpy3(t->p2, ns_core_radius(m->second->shape), t->n, t->p2);
  ns_sub3(t->p1, t->p2, d);
  t->gap = ns_dot3(t->n, d);
  int back = stands_back(a->shape, b->shape, part, m->region);
  int behind = ns_is_mesh(m->second->shape) && m->region == NS_BEHIND;
  if (back || behind || (is_on_link(m) && m->region == NS_BESIDE)) {
    ns_sub3(a->at, b->at, d);
    t->gap = ns_norm3(d) + a->shape->reach + b->shape->reach;
  }
  if (is_on_rim(m) && m->region == NS_RIM_BACK) t->gap = fabs(t->gap) + 4 * m->first->shape->reach;
  t->feature = name_of(m->first->shape, m->second->shape, part);
}

/* So that n goes from b to a. */
static void put_in_order(const ns_gap_part *part, ns_touch *t)
{
  if (!part->turned) return;
  exchange(t->p1, t->p2);
  ns_scale(3, -1, t->n);
}

void ns_gap_touch(const ns_placed *a, const ns_placed *b, int which, int region, ns_touch *t)
{
  if (which == NS_NO_GAP) {
    ns_gap_between_centres(a, b, t);
    t->feature = 0;
    return;
  }
  ns_gap_part p = part_of(a->shape, b->shape, which);
  const ns_placed *first = p.turned ? b : a, *second = p.turned ? a : b;
  ns_meeting m;
  if (p.crosses && region < 0) region = ns_crossing_region(first, second, &p);
  if (p.rim && region < 0) region = ns_circle_region(first, second, &p, region);
  if (p.crosses) ns_crossing_touch(first, second, &p, region, t);
  else if (p.rim) ns_circle_touch(first, second, &p, region, t);
  else meet(a, b, &p, region, &m, t);
  put_in_order(&p, t);
}

/* ---- rates ----------------------------------------------------------------------------------- */

void ns_twist_at(const ns_twist *of, const double *x, double *v)
{
  double arm[3], turn[3];
  ns_sub3(x, of->x, arm);
  ns_cross3(of->w, arm, turn);
  ns_axpy3(of->v, 1, turn, v);
}

/* On a circle about the axis u the nearest point goes along as x goes round: what is left of its
 * velocity past is as if it did not. */
static void slide_round(const ns_meeting *m, const double *u, double *past)
{
  double arm[3], round[3];
  ns_sub3(m->x, m->second->at, arm);
  ns_without3(u, arm);
  double across = ns_unit3(arm);
  ns_cross3(u, arm, round);
  ns_axpy3(past, -ns_dot3(round, past) * m->second->shape->radius / across, round, past);
}

/* Of the unit vector from the core of the second to x, which moves at v: it turns with the second,
 * and as x moves past that. */
static void normal_rate(const ns_meeting *m, const ns_twist *of, const double *n, const double *v,
                        double *rate)
{
  double local[3], u[3], carried[3], past[3];
  ns_core on = is_on_link(m)
                   ? NS_CORE_FLAT
                   : ns_core_of(m->second->shape, m->part.link, m->region, m->local, local);
  ns_cross3(of->w, n, rate);
  if (on == NS_CORE_FLAT) return;
  ns_mul3(m->second->R, local, u);
  ns_twist_at(of, m->x, carried);
  ns_sub3(v, carried, past);
  if (on == NS_CORE_LINE) ns_without3(u, past);
  if (on == NS_CORE_CIRCLE) slide_round(m, u, past);
  ns_without3(n, past);
  ns_axpy3(rate, 1 / ns_region_lever(m->second->shape, m->region, m->local, m->distance), past,
           rate);
}

void ns_gap_rates(const ns_placed *a, const ns_placed *b, int which, int region,
                  const ns_twist *of_a, const ns_twist *of_b, ns_touch *t, double *at,
                  double *at_rate, double *n_rate)
{
  if (which == NS_NO_GAP) {
    ns_gap_touch(a, b, which, region, t);
    ns_gap_rates_between_centres(a, b, of_a, of_b, t, at_rate, n_rate);
    memcpy(at, t->p1, sizeof t->p1);
    return;
  }
  ns_gap_part p = part_of(a->shape, b->shape, which);
  const ns_placed *first = p.turned ? b : a, *second = p.turned ? a : b;
  const ns_twist *of_first = p.turned ? of_b : of_a, *of_second = p.turned ? of_a : of_b;
  ns_meeting m;
  if (p.crosses) {
    if (region < 0) region = ns_crossing_region(first, second, &p);
    ns_crossing_touch(first, second, &p, region, t);
    ns_crossing_rates(first, second, &p, region, of_first, of_second, t, at_rate, n_rate);
  } else if (p.rim) {
    if (region < 0) region = ns_circle_region(first, second, &p, region);
    ns_circle_touch(first, second, &p, region, t);
    ns_circle_rates(first, second, &p, region, of_first, of_second, t, at_rate, n_rate);
  } else {
    meet(a, b, &p, region, &m, t);
    ns_twist_at(of_first, m.x, at_rate);
    normal_rate(&m, of_second, t->n, at_rate, n_rate);
    if (is_on_rim(&m) && p.index < RIMS) ns_rim_rate(&m, of_first, t->n, n_rate, at_rate);
    ns_axpy3(at_rate, -m.radius, n_rate, at_rate);
  }
  memcpy(at, t->p1, sizeof t->p1);
  put_in_order(&p, t);
  if (p.turned) ns_scale(3, -1, n_rate);
}
