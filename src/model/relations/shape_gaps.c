/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/relations/shape_gaps.h"

#include "collision/gap.h"
#include "model/law_values.h"
#include "model/measure.h"
#include "model/relations/rigid_relation.h"
#include "model/systems/rigid_parts.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- pairs ----------------------------------------------------------------------------------- */

static int are_kept_apart(const ns_model *m, int first, int second)
{
  for (int i = 0; i < m->ninteractions; i++) {
    int pair[2];
    if (!ns_interaction_keeps_apart(&m->interactions[i], pair)) continue;
    int both = pair[0] == first && pair[1] == second;
    if (both || (pair[0] == second && pair[1] == first)) return 1;
  }
  return 0;
}

static const ns_nonsmooth_law *law_of(const ns_model *m, int a, int b)
{
  const ns_contact_model *k = &m->contact;
  return &k->law[k->shape[a].material * k->nmaterials + k->shape[b].material];
}

/* Planes never meet, nor chains or meshes each other or planes. */
static int are_boundaries(const ns_shape *a, const ns_shape *b)
{
  const ns_shape *of[] = {a, b};
  for (int i = 0; i < 2; i++)
    if (of[i]->kind != NS_SHAPE_PLANE && of[i]->kind != NS_SHAPE_MESH &&
        of[i]->kind != NS_SHAPE_CHAIN)
      return 0;
  return 1;
}

/* 1 if two shapes of the model may touch: they are on different bodies, their layers match, no
 * joint disables contact, and there is a law for their materials. */
static int may_meet(const ns_model *m, int a, int b)
{
  const ns_body_shape *x = &m->contact.shape[a], *y = &m->contact.shape[b];
  if (x->system == y->system || !(x->layers & y->with) || !(y->layers & x->with)) return 0;
  if (are_boundaries(x->shape, y->shape) || !law_of(m, a, b)->ops) return 0;
  return x->system < 0 || y->system < 0 || !are_kept_apart(m, x->system, y->system);
}

/* ---- check ----------------------------------------------------------------------------------- */

static ns_place place_of(const ns_model *m, int shape)
{
  const ns_body_shape *s = &m->contact.shape[shape];
  return (ns_place){.file = m->sim.at.file, .element = "contacts", .id = s->id, .line = s->line};
}

static const char *name_of(const ns_shape *s)
{
  static const char *const names[NS_SHAPE_KINDS] = {
      [NS_SHAPE_PLANE] = "plane",     [NS_SHAPE_SPHERE] = "sphere",
      [NS_SHAPE_CAPSULE] = "capsule", [NS_SHAPE_CYLINDER] = "cylinder",
      [NS_SHAPE_BOX] = "box",         [NS_SHAPE_HULL] = "convex hull",
      [NS_SHAPE_MESH] = "mesh",       [NS_SHAPE_DISK] = "disk",
      [NS_SHAPE_POLYGON] = "polygon", [NS_SHAPE_CHAIN] = "line",
      [NS_SHAPE_CONE] = "cone"};
  return names[s->kind];
}

static int has_domain(const ns_contact_model *k)
{
  int some = 0;
  for (int i = 0; i < 3; i++) some |= isfinite(k->low[i]) || isfinite(k->high[i]);
  return some;
}

static int has_axis(const ns_shape *s)
{
  return s->kind == NS_SHAPE_CAPSULE || s->kind == NS_SHAPE_CYLINDER || s->kind == NS_SHAPE_CONE;
}

/* A force of overlap asks for an overlap that changes steadily, and for one of each place; on
 * triangles it is not built, not even on a single one. */
static int check_overlap(const ns_model *m, ns_ctx *c, int a, int b)
{
  const ns_shape *x = m->contact.shape[a].shape, *y = m->contact.shape[b].shape;
  ns_place place = place_of(m, a);
  int meshes = x->kind == NS_SHAPE_MESH || y->kind == NS_SHAPE_MESH;
  int links = meshes || x->kind == NS_SHAPE_CHAIN || y->kind == NS_SHAPE_CHAIN;
  int axes = has_axis(x) || has_axis(y);
  if (!meshes && ns_gaps_of(x, y) == 1) return NS_OK;
  if (!links && (!axes || !ns_gap_may_end(x, y))) return NS_OK;
  const char *why = "two segments or triangles would push at once at their common point";
  if (axes)
    why = "the nearest point, and with it the force, jumps from end to end when an axis becomes "
          "parallel to the surface below it";
  return ns_fail_at(
      c, NS_MODEL, &place,
      "<EventDriven> with %s between a %s and a %s, expected shapes whose overlap is a smooth "
      "function of their positions: %s; use <TimeStepping>, or NewtonImpactFrictionNSL",
      law_of(m, a, b)->ops->name, name_of(x), name_of(y), why);
}

static int check_pair(const ns_model *m, ns_ctx *c, int a, int b)
{
  return law_of(m, a, b)->ops->compliant ? check_overlap(m, c, a, b) : NS_OK;
}

/* Gaps of a pair: of a cylinder that pushes into a plane by a law of overlap those of its lowest
 * points alone, whatever its tilt is. */
static int gaps_of(const ns_model *m, int a, int b)
{
  const ns_shape *x = m->contact.shape[a].shape, *y = m->contact.shape[b].shape;
  return law_of(m, a, b)->ops->compliant && ns_gaps_are_rims(x, y) ? 2 : ns_gaps_of(x, y);
}

/* The places of a pair that has one only for near gaps; 0: each of its gaps has one. Overlaps and
 * bonds of a gap stay what they are, wherever it is. */
static int places_of(const ns_model *m, int a, int b)
{
  const ns_shape *x = m->contact.shape[a].shape, *y = m->contact.shape[b].shape;
  const ns_law_ops *law = law_of(m, a, b)->ops;
  int ball = x->kind == NS_SHAPE_SPHERE || y->kind == NS_SHAPE_SPHERE;
  int places = ball ? NS_MESH_PLACES_OF_BALL : NS_MESH_PLACES;
  if (!ns_gaps_are_local(x, y) || law->compliant || law->memory) return 0;
  return ns_gaps_in_use(x, y) > places ? places : 0;
}

static int count(const ns_model *m)
{
  double n = 0;
  for (int a = 0; a < m->contact.nshapes; a++)
    for (int b = a + 1; b < m->contact.nshapes; b++) {
      if (!may_meet(m, a, b)) continue;
      int all = gaps_of(m, a, b), places = places_of(m, a, b);
      if (!places) places = ns_gaps_in_use(m->contact.shape[a].shape, m->contact.shape[b].shape);
      n += fmin(all, places);
    }
  return n < INT_MAX ? (int)n : INT_MAX;
}

/* A shape in space, with the bodies at q. */
static ns_placed in_world(const ns_model *m, int shape, const double *q)
{
  const ns_body_shape *s = &m->contact.shape[shape];
  ns_placed p = {.shape = s->shape};
  ns_pose body;
  double R[9];
  ns_pose_of(s->system < 0 ? NULL : q + m->systems[s->system].q, &body);
  ns_mul3(body.R, s->at, p.at);
  ns_axpy3(body.x, 1, p.at, p.at);
  ns_quaternion_matrix(s->turn, R);
  ns_matmul3(body.R, R, p.R);
  return p;
}

int ns_shapes_check_inside(const ns_model *m, ns_ctx *c, const double *q, double t,
                           int (*passes)(const void *of, int a, int b), const void *of)
{
  const ns_body_shape *s = m->contact.shape;
  int n = m->contact.nshapes;
  for (int k = 0; k < n; k++) {
    if (s[k].shape->kind != NS_SHAPE_MESH || s[k].shape->mesh->columns) continue;
    ns_placed mesh = in_world(m, k, q);
    for (int i = 0; i < n; i++) {
      int a = i < k ? i : k, b = i < k ? k : i;
      if (i == k || !may_meet(m, a, b)) continue;
      if (!ns_model_shape_exists(m, a, t) || !ns_model_shape_exists(m, b, t)) continue;
      ns_placed other = in_world(m, i, q);
      double depth = ns_gap_depth_inside(&other, &mesh);
      if (depth == 0 || (passes && passes(of, a, b))) continue;
      ns_place place = place_of(m, i);
      char when[40] = "the start";
      if (t > m->sim.t0) snprintf(when, sizeof when, "t = %.10g s", t);
      return ns_fail_at(c, t > m->sim.t0 ? NS_NUMERIC : NS_MODEL, &place,
                        "the middle of this %s is inside the mesh of line %d at %s, %.3g m below "
                        "its surface, expected it outside, where meshes act; move them apart",
                        name_of(s[i].shape), s[k].line, when, depth);
    }
  }
  return NS_OK;
}

int ns_shape_gaps_check(const ns_model *m, ns_ctx *c)
{
  int n = m->contact.nshapes, gaps = 0, rc = NS_OK;
  for (int a = 0; a < n && !rc; a++)
    for (int b = a + 1; b < n && !rc; b++)
      if (may_meet(m, a, b)) rc = check_pair(m, c, a, b);
  if (!rc) gaps = count(m);
  if (gaps > NS_SHAPE_GAPS)
    return ns_fail_at(
        c, NS_MODEL, &m->sim.at,
        "<EventDriven> with shapes that have %d gaps, including those far apart, which require "
        "about %.3g GB, expected at most %d; use <TimeStepping>, or layers that separate shapes "
        "which never touch",
        gaps, 1e-9 * NS_SHAPE_GAP_BYTES * gaps, (int)NS_SHAPE_GAPS);
  if (rc || !n || !has_domain(&m->contact)) return rc;
  return ns_fail_at(
      c, NS_MODEL, &m->sim.at,
      "<EventDriven> with a domain, expected none; use an event, <stop when=\"z < -1\"/>");
}

/* ---- creation -------------------------------------------------------------------------------- */

/* The cone of slip alone, with the same impacts. */
static const ns_law_ops *without_rolling(const ns_law_ops *o)
{
  for (int k = 0; ns_law_kinds[k] && o->set == NS_SET_ROLLING; k++)
    if (ns_law_kinds[k]->set == NS_SET_CONE && ns_law_kinds[k]->restitution == o->restitution)
      return ns_law_kinds[k];
  return o;
}

/* Friction has all its rows, whatever mu is; rolling friction without its moment, or without
 * friction, is friction. */
static void take_law(const ns_model *m, const ns_nonsmooth_law *from, ns_interaction *it)
{
  int cone = ns_law_has_cone(from->ops), planar = ns_system_is_planar(ns_model_body(m));
  int rows = ns_law_shape_rows(from, m->law_formulas, planar);
  it->law = *from;
  it->m = cone ? 2 + !planar : 1;
  if (rows > it->m) it->m = rows;
  else it->law.ops = without_rolling(from->ops);
}

static void place_shape(const ns_body_shape *s, ns_shape_gap *g, int k)
{
  g->shape[k] = s->shape;
  memcpy(g->at[k], s->at, sizeof s->at);
  ns_quaternion_matrix(s->turn, g->R[k]);
}

/* "ball/ground": the ids of both, where there are some. */
static char *names_of(const ns_shape_gaps *g, int a, int b)
{
  const ns_model *m = &g->model;
  const char *id[2];
  for (int k = 0; k < 2; k++) {
    const ns_body_shape *s = &m->contact.shape[k ? b : a];
    id[k] = s->id ? s->id : s->system >= 0 ? m->systems[s->system].at.id : NULL;
    if (!id[k]) id[k] = "fixed";
  }
  return ns_arena_format(g->mem, "%s/%s", id[0], id[1]);
}

/* What is the same for all gaps of a pair. */
typedef struct pair {
  int a, b, swapped, lowest;
  const ns_body_shape *s[2];
  ns_interaction proto;
} pair;

static int describe_pair(ns_shape_gaps *g, int a, int b, pair *p)
{
  const ns_model *m = &g->model;
  *p = (pair){.a = a, .b = b, .s = {&m->contact.shape[a], &m->contact.shape[b]}};
  p->swapped = p->s[0]->system < 0;
  p->lowest = gaps_of(m, a, b) < ns_gaps_of(p->s[0]->shape, p->s[1]->shape);
  int swapped = p->swapped, *systems = ns_arena_get(g->mem, 2, sizeof *systems);
  char *id = names_of(g, swapped ? b : a, swapped ? a : b);
  if (!systems || !id) return NS_NOMEM;
  systems[0] = p->s[swapped]->system;
  systems[1] = p->s[!swapped]->system;
  p->proto = (ns_interaction){.relation = &ns_relation_of_shapes,
                              .at = place_of(m, swapped ? b : a),
                              .nsystems = 1 + (systems[1] >= 0),
                              .systems = systems};
  ns_interaction *it = &p->proto;
  it->at.id = id;
  take_law(m, law_of(m, a, b), it);
  for (int k = 0; k < it->nsystems; k++) {
    const ns_system *of = &m->systems[systems[k]];
    it->nQ += of->nq, it->nV += of->n, it->nZ += of->nz;
  }
  for (int k = 0; k < 2; k++) place_shape(p->s[k ^ swapped], &it->gap, k);
  return NS_OK;
}

static void add_gap(ns_shape_gaps *g, const pair *p, int which)
{
  ns_model *m = &g->model;
  int i = g->n++, swapped = p->swapped;
  const ns_shape *one = p->s[swapped]->shape, *other = p->s[!swapped]->shape;
  ns_interaction it = p->proto;
  it.row = m->nrows;
  it.gap.which = which;
  it.gap.region = &g->region[i];
  g->region[i] = p->lowest ? 0 : -1;
  g->lasts[i] = !p->lowest && ns_gap_lasts(one, other, which);
  g->bends[i] = !p->lowest && ns_gap_regions(p->s[0]->shape, p->s[1]->shape) > 1;
  g->sharp[i] = which != NS_NO_GAP && ns_gap_ends(one, other, which);
  g->swapped[i] = (unsigned char)swapped;
  g->pair[i][0] = p->a;
  g->pair[i][1] = p->b;
  it.bond = m->nbonds;
  m->nbonds += (size_t)it.law.ops->memory;
  m->nrows += (size_t)it.m;
  m->interactions[m->ninteractions++] = it;
}

static int add_pair(ns_shape_gaps *g, int a, int b)
{
  pair p;
  int places = places_of(&g->model, a, b), gaps = gaps_of(&g->model, a, b);
  int rc = describe_pair(g, a, b, &p);
  if (rc) return rc;
  if (places) {
    ns_near_gaps *k = &g->near[g->nnear++];
    *k = (ns_near_gaps){.first = g->n, .n = places};
    k->which = ns_arena_get(g->mem, (size_t)places, sizeof *k->which);
    if (!k->which) return NS_NOMEM;
    for (int i = 0; i < places; i++) add_gap(g, &p, NS_NO_GAP);
    return NS_OK;
  }
  for (int which = 0; which < gaps; which++)
    if (ns_gap_is_used(p.s[p.swapped]->shape, p.s[!p.swapped]->shape, which)) add_gap(g, &p, which);
  return NS_OK;
}

static size_t count_near(const ns_model *m)
{
  size_t n = 0;
  for (int a = 0; a < m->contact.nshapes; a++)
    for (int b = a + 1; b < m->contact.nshapes; b++) n += may_meet(m, a, b) && places_of(m, a, b);
  return n;
}

static int get_memory(ns_shape_gaps *g, const ns_model *m)
{
  size_t n = (size_t)count(m), all = n + (size_t)m->ninteractions;
  const ns_array want[] = {{&g->model.interactions, all, sizeof *m->interactions},
                           {&g->pair, n, sizeof *g->pair},
                           {&g->region, n, sizeof *g->region},
                           {&g->swapped, n, 1},
                           {&g->bends, n, 1},
                           {&g->sharp, n, 1},
                           {&g->lasts, n, 1},
                           {&g->near, count_near(m), sizeof *g->near}};
  return ns_arena_arrays(g->mem, want, sizeof want / sizeof *want);
}

/* Near gaps at the beginning. */
static int begin_near(ns_shape_gaps *g, ns_ctx *c)
{
  int rc = NS_OK, changed = 0;
  for (int k = 0; k < g->nnear && !rc; k++) {
    const ns_interaction *it = &g->model.interactions[g->first + g->near[k].first];
    double Q[2 * 7], *to = Q;
    for (int j = 0; j < it->nsystems; j++) {
      const ns_system *s = &g->model.systems[it->systems[j]];
      memcpy(to, s->q0, (size_t)s->nq * sizeof *to);
      to += s->nq;
    }
    rc = ns_shape_gaps_renew(&g->model, c, k, Q, NULL, &changed);
  }
  return rc;
}

int ns_shape_gaps_create(ns_ctx *c, const ns_model *m, ns_shape_gaps **out)
{
  *out = NULL;
  if (!m->contact.nshapes) return NS_OK;
  ns_shape_gaps *g = *out = NS_ARENA_OBJECT(ns_shape_gaps, mem);
  if (!g) return ns_nomem(c, "contacts between shapes");
  g->model = *m;
  int rc = get_memory(g, m);
  if (!rc && m->ninteractions)
    memcpy(g->model.interactions, m->interactions,
           (size_t)m->ninteractions * sizeof *m->interactions);
  g->first = m->ninteractions;
  g->model.gaps = g;
  for (int a = 0; a < m->contact.nshapes && !rc; a++)
    for (int b = a + 1; b < m->contact.nshapes && !rc; b++)
      if (may_meet(m, a, b)) rc = add_pair(g, a, b);
  if (rc) rc = ns_nomem(c, "contacts between shapes");
  else rc = begin_near(g, c);
  if (rc) {
    ns_shape_gaps_destroy(g);
    *out = NULL;
    return rc;
  }
  /* parts of the state with a number for each row */
  g->model.npast = ns_law_values_past(&g->model);
  ns_measures_prepare(&g->model);
  return NS_OK;
}

/* ---- gaps of near parts ---------------------------------------------------------------------- */

static const double NEAR = 0.5; /* margin by the reach of a body, */
static const double MIN = 1e-6; /* and the least one */

typedef struct listing {
  int *which, n, capacity;
} listing;

static void add_to_list(void *of, int which)
{
  listing *l = of;
  if (l->n < l->capacity) l->which[l->n] = which;
  l->n++;
}

static int is_listed(const int *which, int n, int one)
{
  int i = 0;
  while (i < n && which[i] != one) i++;
  return i < n;
}

static ns_interaction *places(const ns_model *m, const ns_near_gaps *k)
{
  return &m->interactions[m->gaps->first + k->first];
}

static double reach_of_body(const ns_interaction *it)
{
  return it->gap.shape[it->gap.shape[0]->kind == NS_SHAPE_MESH]->reach;
}

/* A rotation R of a point at r moves it by |(R - 1) r| <= |r| 2 sin(angle/2), and the Frobenius
 * norm of R - 1 is 2 sqrt(2) sin(angle/2). */
double ns_shape_gaps_moved(const ns_model *m, int k, const double *Q)
{
  const ns_near_gaps *near = &m->gaps->near[k];
  const ns_interaction *it = places(m, near);
  double c[3], R[9], square = 0;
  ns_shape_gap_pose(it, Q, c, R);
  ns_sub3(c, near->c, c);
  for (int i = 0; i < 9; i++) square += (R[i] - near->R[i]) * (R[i] - near->R[i]);
  return (ns_norm3(c) + reach_of_body(it) * sqrt(square / 2)) / near->margin;
}

/* Those that are near, as many as have a place beside those that stay. */
static int list_near(const ns_model *m, ns_ctx *c, ns_near_gaps *near, const double *Q,
                     const unsigned char *stays, listing *l)
{
  const ns_interaction *it = places(m, near);
  double reach = reach_of_body(it);
  for (near->margin = NEAR * reach; near->margin > MIN * reach; near->margin /= 2) {
    *l = (listing){.which = near->which, .capacity = near->n};
    ns_shape_gap_near(it, Q, near->margin, add_to_list, l);
    int kept = 0;
    for (int i = 0; i < near->n && stays && l->n <= l->capacity; i++)
      kept += stays[near->first + i] && !is_listed(l->which, l->n, it[i].gap.which);
    if (l->n + kept <= near->n) return NS_OK;
  }
  return ns_fail_at(
      c, NS_NUMERIC, &it->at,
      "<EventDriven> where more than %d pairs of a point or an edge of one and a "
      "triangle, a vertex or an edge of a mesh are within %.3g m of each other, expected "
      "a coarser mesh; use <TimeStepping>",
      near->n, MIN * reach);
}

void ns_shape_gaps_give(const ns_model *m, int gap, int which)
{
  ns_shape_gaps *g = m->gaps;
  ns_interaction *it = &m->interactions[g->first + gap];
  it->gap.which = which;
  if (g->bends[gap] || g->lasts[gap]) g->region[gap] = -1;
  g->sharp[gap] = which != NS_NO_GAP && ns_gap_ends(it->gap.shape[0], it->gap.shape[1], which);
  g->lasts[gap] = g->bends[gap] && ns_gap_lasts(it->gap.shape[0], it->gap.shape[1], which);
}

/* The region that place i has from now on, if its gap lasts. */
static void begin_region(const ns_model *m, const ns_near_gaps *near, int i, const double *Q)
{
  const ns_interaction *it = places(m, near), *new = &it[i];
  const unsigned char *lasts = m->gaps->lasts + near->first;
  int *region = m->gaps->region + near->first;
  if (!lasts[i]) return;
  for (int j = 0; j < near->n && region[i] < 0; j++)
    if (lasts[j] && ns_gap_begins_as(new->gap.shape[0], new->gap.shape[1], new->gap.which,
                                     it[j].gap.which, region[j]))
      region[i] = region[j];
  region[i] = ns_shape_gap_region(new, Q);
}

int ns_shape_gaps_renew(const ns_model *m, ns_ctx *c, int k, const double *Q,
                        const unsigned char *stays, int *changed)
{
  ns_near_gaps *near = &m->gaps->near[k];
  ns_interaction *it = places(m, near);
  listing l;
  int next = 0, rc = list_near(m, c, near, Q, stays, &l);
  if (rc) return rc;
  ns_shape_gap_pose(it, Q, near->c, near->R);
  for (int i = 0; i < near->n; i++) {
    int which = it[i].gap.which, listed = 0;
    while (listed < l.n && l.which[listed] != which) listed++;
    if (which != NS_NO_GAP && listed < l.n) l.which[listed] = NS_NO_GAP; /* it has its place */
    else if (which != NS_NO_GAP && !(stays && stays[near->first + i]))
      ns_shape_gaps_give(m, near->first + i, NS_NO_GAP), *changed = 1;
  }
  for (int i = 0; i < near->n; i++) {
    if (it[i].gap.which != NS_NO_GAP) continue;
    while (next < l.n && l.which[next] == NS_NO_GAP) next++;
    if (next == l.n) break;
    ns_shape_gaps_give(m, near->first + i, l.which[next++]);
    begin_region(m, near, i, Q);
    *changed = 1;
  }
  return NS_OK;
}

void ns_shape_gaps_destroy(ns_shape_gaps *g)
{
  if (g) ns_arena_destroy(g->mem);
}
