/* SPDX-License-Identifier: GPL-3.0-or-later */
/* robot_place.c -- links and joints, placed at the start: which bodies they make.
 *
 * The pose of a link is that of its parent, the drawn one, and the motions of its joints one after
 * the other, each about the axis that those before have moved (MuJoCo, "Computation", kinematic
 * tree). Masses of links that move together are added by the theorem of parallel axes. */
#include "algebra/vector.h"
#include "base/text.h"
#include "io/import/robot.h"

#include "algebra/rotation.h"
#include "base/grow.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of its body: mass of one that stands between two joints. */
static const double share = 1e-4;

const ns_pose ns_pose_identity = {{0}, {1, 0, 0, 0}};

/* ---- lists ----------------------------------------------------------------------------------- */

enum { ROBOT_MAX = 10000 };

/* A copy of *item behind the others: its index, -1: reported. */
static int add(ns_robot *r, void *list, int *n, const void *item, size_t size)
{
  if (*n >= ROBOT_MAX) {
    ns_robot_fail(r, NULL, "has more than %d links, joints or shapes, expected fewer", ROBOT_MAX);
    return -1;
  }
  int k = ns_append_item(list, n, item, size);
  if (k < 0) ns_robot_nomem(r);
  return k;
}

#define ADD(list, count, item) add(r, &r->list, &r->count, item, sizeof *r->list)

int ns_robot_add_link(ns_robot *r, const xmlNode *x, const char *name, int parent)
{
  const ns_robot_link added = {.node = x,
                               .name = name,
                               .parent = parent,
                               .pose = ns_pose_identity,
                               .start = ns_pose_identity,
                               .body = NS_ROBOT_WORLD};
  return ADD(link, nlinks, &added);
}

int ns_robot_add_joint(ns_robot *r, const xmlNode *x, const char *name, ns_robot_joint_kind kind,
                       int link)
{
  const ns_robot_joint added = {.node = x,
                                .name = name,
                                .kind = kind,
                                .link = link,
                                .axis = {0, 0, 1},
                                .turn = {1},
                                .lower = -INFINITY,
                                .upper = INFINITY,
                                .force_lower = -INFINITY,
                                .force_upper = INFINITY};
  int k = ADD(joint, njoints, &added);
  if (k < 0) return -1;
  if (kind == NS_ROBOT_FREE) r->link[link].free = 1;
  r->link[link].njoints++;
  return k;
}

int ns_robot_add_shape(ns_robot *r, const xmlNode *x, const char *name, ns_robot_shape_kind kind,
                       int link)
{
  const ns_robot_shape added = {.node = x,
                                .name = name,
                                .kind = kind,
                                .link = link,
                                .pose = ns_pose_identity,
                                .scale = 1,
                                .contype = 1,
                                .conaffinity = 1,
                                .condim = 3,
                                .friction = 1};
  return ADD(shape, nshapes, &added);
}

int ns_robot_add_actuator(ns_robot *r, const xmlNode *x, const char *name, int joint)
{
  const ns_robot_actuator added = {.node = x,
                                   .name = name,
                                   .joint = joint,
                                   .tendon = -1,
                                   .gear = 1,
                                   .gain = 1,
                                   .low = -INFINITY,
                                   .high = INFINITY,
                                   .lag = 1,
                                   .act_low = -INFINITY,
                                   .act_high = INFINITY,
                                   .force_low = -INFINITY,
                                   .force_high = INFINITY};
  return ADD(actuator, nactuators, &added);
}

int ns_robot_add_equality(ns_robot *r, const xmlNode *x)
{
  const ns_robot_equality added = {.node = x, .first = NS_ROBOT_WORLD, .second = NS_ROBOT_WORLD};
  return ADD(equality, nequalities, &added);
}

int ns_robot_add_exclude(ns_robot *r, int link1, int link2)
{
  return ADD(exclude, nexcludes, ((const int[2]){link1, link2}));
}

int ns_robot_add_pair(ns_robot *r, int shape1, int shape2)
{
  const ns_robot_pair added = {.first = shape1, .second = shape2, .condim = 3};
  return ADD(pair, npairs, &added);
}

int ns_robot_add_tendon(ns_robot *r, const ns_robot_tendon *t) { return ADD(tendon, ntendons, t); }

int ns_robot_find_link(const ns_robot *r, const char *name)
{
  return NS_NAMED_INDEX(ns_robot_link, name, r->link, r->nlinks, name);
}

int ns_robot_find_tendon(const ns_robot *r, const char *name)
{
  return NS_NAMED_INDEX(ns_robot_tendon, name, r->tendon, r->ntendons, name);
}

int ns_robot_find_joint(const ns_robot *r, const char *name)
{
  return NS_NAMED_INDEX(ns_robot_joint, name, r->joint, r->njoints, name);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Letters, digits and _: so that formulas can read what it names. */
static void clean(char *s)
{
  for (; *s; s++)
    if ((unsigned char)*s > 127 || (!isalnum((unsigned char)*s) && *s != '_')) *s = '_';
}

/* stem, or stem_kind, or stem_kind_2, ...; of no name kind_1, ... */
static void make_id(const ns_robot *r, const char *stem, const char *kind, char *id, size_t size)
{
  int named = *stem != 0;
  snprintf(id, size, "%s%s", stem, named ? "" : kind);
  if (named && !ns_import_has_id(&r->text, id)) return;
  if (named) snprintf(id, size, "%s_%s", stem, kind);
  for (int k = named ? 2 : 1; !named || ns_import_has_id(&r->text, id); k++) {
    snprintf(id, size, "%s%s%s_%d", stem, named ? "_" : "", kind, k);
    if (!ns_import_has_id(&r->text, id)) return;
  }
}

const char *ns_robot_id(ns_robot *r, const char *name, const char *kind)
{
  char stem[120] = "", id[160];
  if (name && *name)
    snprintf(stem, sizeof stem, "%s%.100s",
             isalpha((unsigned char)*name) || *name == '_' ? "" : "_", name);
  clean(stem);
  make_id(r, stem, kind, id, sizeof id);
  return ns_import_add_id(&r->text, id);
}

/* ---- poses and masses ------------------------------------------------------------------------ */

void ns_pose_mul(const ns_pose *a, const ns_pose *b, ns_pose *c)
{
  double R[9];
  ns_pose out;
  ns_quaternion_matrix(a->turn, R);
  ns_mul3(R, b->at, out.at);
  ns_axpy3(out.at, 1, a->at, out.at);
  ns_quaternion_mul(a->turn, b->turn, out.turn);
  ns_quaternion_unit(out.turn);
  *c = out;
}

/* The quaternion of R, by its largest entry, whichever that is (Shepperd 1978). */
static void quaternion_of(const double *R, double *p)
{
  const double square[4] = {1 + R[0] + R[4] + R[8], 1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8],
                            1 - R[0] - R[4] + R[8]};
  const double both[3] = {R[5] - R[7], R[6] - R[2], R[1] - R[3]};
  int k = 0;
  for (int i = 1; i < 4; i++)
    if (square[i] > square[k]) k = i;
  p[k] = square[k];
  if (k == 0) memcpy(p + 1, both, 3 * sizeof *both);
  if (k > 0) {
    int a = k - 1, b = k % 3, c = (k + 1) % 3;
    p[0] = both[a];
    p[1 + b] = R[b + 3 * a] + R[a + 3 * b];
    p[1 + c] = R[c + 3 * a] + R[a + 3 * c];
  }
  ns_quaternion_unit(p);
}

int ns_robot_axes(ns_robot *r, const xmlNode *x, const double *v, double *p)
{
  double R[9];
  memcpy(R, v, 6 * sizeof *R);
  ns_unit3(R);
  ns_axpy3(R + 3, -ns_dot3(R, R + 3), R, R + 3);
  double across = ns_unit3(R + 3);
  if (!(across > 1e-12 * ns_norm3(v + 3)))
    return ns_robot_fail(r, x,
                         "attribute xyaxes has two parallel axes, expected an x and a y axis");
  ns_cross3(R, R + 3, R + 6);
  quaternion_of(R, p);
  return NS_OK;
}

/* J = R I R^T */
static void turn_inertia(const double *R, const double *I, double *J)
{
  double RI[9], RT[9];
  ns_matmul3(R, I, RI);
  for (int i = 0; i < 9; i++) RT[i] = R[3 * (i % 3) + i / 3];
  ns_matmul3(RI, RT, J);
}

/* I += m (d.d - d d^T) */
static void add_parallel(double *I, double mass, const double *d)
{
  double dd = ns_dot3(d, d);
  for (int i = 0; i < 9; i++) I[i] += mass * ((i % 4 ? 0 : dd) - d[i % 3] * d[i / 3]);
}

void ns_mass_add(ns_mass *a, const ns_mass *b, const ns_pose *by)
{
  double R[9], centre[3], d[3];
  ns_mass moved = {.mass = b->mass}, sum = {.mass = a->mass + b->mass};
  ns_quaternion_matrix(by->turn, R);
  ns_mul3(R, b->centre, moved.centre);
  ns_axpy3(moved.centre, 1, by->at, moved.centre);
  turn_inertia(R, b->inertia, moved.inertia);
  for (int i = 0; i < 3; i++) {
    centre[i] = sum.mass > 0 ? (a->mass * a->centre[i] + b->mass * moved.centre[i]) / sum.mass
                             : moved.centre[i];
    sum.centre[i] = centre[i];
  }
  const ns_mass *const part[2] = {a, &moved};
  for (int k = 0; k < 2; k++) {
    ns_axpy(9, 1, part[k]->inertia, sum.inertia);
    ns_sub3(part[k]->centre, centre, d);
    add_parallel(sum.inertia, part[k]->mass, d);
  }
  *a = sum;
}

/* m (b^2 + c^2)/5 about each axis */
static int ellipsoid(const double *a, double *volume, ns_mass *unit)
{
  *volume = 4 * acos(-1) / 3 * a[0] * a[1] * a[2];
  *unit = (ns_mass){.mass = 1};
  for (int i = 0; i < 3; i++) unit->inertia[4 * i] = (ns_dot3(a, a) - a[i] * a[i]) / 5;
  return 1;
}

int ns_robot_solid(ns_robot *r, const ns_robot_shape *s, double *volume, ns_mass *unit)
{
  ns_shape shape = {0};
  ns_polytope *hull = NULL;
  int ok = 0;
  *unit = (ns_mass){.mass = 1};
  switch (s->kind) {
  case NS_ROBOT_SPHERE: ok = ns_shape_sphere(&shape, s->size[0]); break;
  case NS_ROBOT_BOX: ok = ns_shape_box(&shape, r->a, s->size); break;
  case NS_ROBOT_CYLINDER: ok = ns_shape_cylinder(&shape, s->size[0], s->size[1]); break;
  case NS_ROBOT_CAPSULE: ok = ns_shape_capsule(&shape, s->size[0], s->size[1]); break;
  case NS_ROBOT_ELLIPSOID: return ellipsoid(s->size, volume, unit);
  case NS_ROBOT_MESH:
    if (!s->npoints ||
        ns_polytope_hull(&r->msg.c, r->source->path, r->a, s->npoints, s->points, &hull))
      return 0;
    ok = ns_shape_hull(&shape, hull);
    break;
  case NS_ROBOT_FIELD:
  case NS_ROBOT_PLANE: return 0;
  }
  return ok && ns_shape_solid(&shape, volume, unit->centre, unit->inertia);
}

/* ---- motions --------------------------------------------------------------------------------- */

/* at := at * (the motion of joint j by its start), in axes of the link. */
static void move(const ns_robot_joint *j, ns_pose *at)
{
  ns_pose by = ns_pose_identity;
  double phi[3], R[9], d[3], q = j->q - j->ref;
  for (int i = 0; i < 3; i++) phi[i] = q * j->axis[i];
  if (j->kind == NS_ROBOT_SLIDE) {
    memcpy(by.at, phi, sizeof phi);
    ns_pose_mul(at, &by, at);
    return;
  }
  if (j->kind == NS_ROBOT_HINGE) ns_quaternion_exp(phi, by.turn);
  else memcpy(by.turn, j->turn, sizeof by.turn);
  ns_quaternion_matrix(by.turn, R);
  ns_mul3(R, j->anchor, d);
  ns_sub3(j->anchor, d, by.at); /* its anchor stays */
  ns_pose_mul(at, &by, at);
}

/* Anchor and axis in the world, of a joint whose link is at `at` before its motion; what it adds to
 * the twist. */
static void place_joint(ns_robot_joint *j, const ns_pose *at, double *twist)
{
  double R[9], w[3] = {0}, v[3] = {0}, c[3];
  ns_quaternion_matrix(at->turn, R);
  ns_mul3(R, j->anchor, j->point);
  ns_axpy3(j->point, 1, at->at, j->point);
  ns_mul3(R, j->axis, j->direction);
  if (j->kind == NS_ROBOT_SLIDE) ns_axpy3(v, j->rate, j->direction, v);
  if (j->kind == NS_ROBOT_HINGE) ns_axpy3(w, j->rate, j->direction, w);
  if (j->kind == NS_ROBOT_BALL) {
    double T[9], spin[3];
    ns_quaternion_matrix(j->turn, T);
    ns_mul3(T, j->spin, spin); /* axes of the link behind the motion to those before */
    ns_mul3(R, spin, w);
  }
  ns_cross3(j->point, w, c);
  ns_axpy3(v, 1, c, v);
  ns_axpy3(twist, 1, v, twist);
  ns_axpy3(twist + 3, 1, w, twist + 3);
}

static void place_free(ns_robot_link *l)
{
  double R[9], c[3];
  if (l->placed) l->at = l->start;
  ns_quaternion_matrix(l->at.turn, R);
  ns_mul3(R, l->velocity + 3, l->twist + 3); /* in place of that of its parent */
  ns_cross3(l->at.at, l->twist + 3, c);
  ns_axpy3(l->velocity, 1, c, l->twist);
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static int add_body(ns_robot *r, int link, int parent, int between)
{
  const ns_robot_body added = {.link = link, .parent = parent, .between = between};
  return ADD(body, nbodies, &added);
}

/* A body of link i for each of its joints, at[k] where it is behind joint k; the last one is the
 * link itself. */
static int place_joints(ns_robot *r, int i, ns_pose *at)
{
  ns_robot_link *l = &r->link[i];
  int before = l->parent < 0 ? NS_ROBOT_WORLD : r->link[l->parent].body, left = l->njoints;
  for (int k = 0; k < r->njoints; k++) {
    ns_robot_joint *j = &r->joint[k];
    if (j->link != i) continue;
    place_joint(j, at, l->twist);
    move(j, at);
    int body = add_body(r, i, before, --left > 0);
    if (body < 0) return NS_MODEL;
    ns_robot_body *b = &r->body[body];
    memcpy(b->turn, at->turn, sizeof b->turn);
    memcpy(b->at, at->at, sizeof b->at);
    memcpy(b->velocity, l->twist, sizeof b->velocity);
    if (!(b->id = left ? ns_robot_id(r, j->name, "body") : l->id)) return NS_NOMEM;
    j->first = before;
    j->second = before = body;
  }
  l->body = before;
  return NS_OK;
}

static int place_link(ns_robot *r, int i)
{
  ns_robot_link *l = &r->link[i];
  const ns_robot_link *parent = l->parent < 0 ? NULL : &r->link[l->parent];
  ns_pose_mul(parent ? &parent->at : &ns_pose_identity, &l->pose, &l->at);
  if (parent) memcpy(l->twist, parent->twist, sizeof l->twist);
  if (l->free) {
    place_free(l);
    int body = add_body(r, i, NS_ROBOT_WORLD, 0);
    if (body < 0) return NS_MODEL;
    l->body = body;
    memcpy(r->body[body].turn, l->at.turn, sizeof l->at.turn);
    memcpy(r->body[body].velocity, l->twist, sizeof l->twist);
    r->body[body].id = l->id;
    return NS_OK;
  }
  if (!l->njoints) {
    l->body = parent ? parent->body : NS_ROBOT_WORLD;
    return NS_OK;
  }
  return place_joints(r, i, &l->at);
}

/* What is given in the world to a body with the axes of b. */
static void fill_body(ns_robot_body *b, const ns_mass *world, double by)
{
  double R[9], RT[9], c[3], twist[6];
  ns_quaternion_matrix(b->turn, R);
  for (int i = 0; i < 9; i++) RT[i] = R[3 * (i % 3) + i / 3];
  turn_inertia(RT, world->inertia, b->inertia);
  ns_scale(9, by, b->inertia);
  b->mass = by * world->mass;
  memcpy(b->at, world->centre, sizeof b->at);
  memcpy(twist, b->velocity, sizeof twist);
  ns_cross3(twist + 3, b->at, c);
  ns_axpy3(twist, 1, c, b->velocity);
  ns_mul3t(R, twist + 3, b->velocity + 3);
}

/* Pivots of Cholesky's factor, relative to the trace. */
static int is_positive(const double *I)
{
  double trace = I[0] + I[4] + I[8], a = I[0], b, d;
  if (!(trace > 0) || !(a > 1e-12 * trace)) return 0;
  b = I[4] - I[1] * I[1] / a;
  d = I[5] - I[1] * I[2] / a;
  return b > 1e-12 * trace && I[8] - I[2] * I[2] / a - d * d / b > 1e-12 * trace;
}

/* Mass of body i by its links, in the world. */
static ns_mass mass_of(const ns_robot *r, int i)
{
  ns_mass sum = {0};
  for (int k = 0; k < r->nlinks; k++)
    if (r->link[k].body == i && r->link[k].mass.mass > 0)
      ns_mass_add(&sum, &r->link[k].mass, &r->link[k].at);
  return sum;
}

/* All that hangs on body i, which has no mass of its own. */
static ns_mass mass_carried(const ns_robot *r, int i)
{
  ns_mass sum = {0};
  for (int k = 0; k < r->nlinks; k++) {
    int b = r->link[k].body;
    while (b >= 0 && b != i) b = r->body[b].parent;
    if (b == i && r->link[k].mass.mass > 0) ns_mass_add(&sum, &r->link[k].mass, &r->link[k].at);
  }
  return sum;
}

static int weigh(ns_robot *r, int i)
{
  ns_robot_body *b = &r->body[i];
  const ns_robot_link *l = &r->link[b->link];
  ns_mass m = mass_of(r, l->body);
  double by = 1;
  if (!(m.mass > 0)) {
    m = mass_carried(r, l->body);
    if (!(m.mass > 0))
      return ns_robot_fail(r, l->node,
                           "moves, but neither it nor any link attached to it has a mass, expected "
                           "<inertial> with mass and inertia");
    if (!b->between)
      ns_robot_lost(r, l->node,
                    "a moving link without mass gets a ten-thousandth of the mass that it carries");
    by = share;
  }
  if (l->njoints > 1 && by >= 1) by = b->between ? share : 1 - share * (l->njoints - 1);
  if (!is_positive(m.inertia)) {
    double min = 1e-6 * fmax(m.mass * 1e-2, m.inertia[0] + m.inertia[4] + m.inertia[8]);
    for (int k = 0; k < 3; k++) m.inertia[4 * k] = fmax(m.inertia[4 * k], 0) + min;
    ns_robot_lost(r, l->node,
                  "an inertia is not positive definite; its diagonal is increased by a millionth");
    if (!is_positive(m.inertia))
      return ns_robot_fail(r, l->node,
                           "has an inertia that is not positive definite, expected that of a body");
  }
  fill_body(b, &m, by);
  return NS_OK;
}

/* Links and joints keep their names where they can. */
static int name_all(ns_robot *r)
{
  for (int i = 0; i < r->nlinks; i++)
    if (r->link[i].njoints && !(r->link[i].id = ns_robot_id(r, r->link[i].name, "link")))
      return NS_NOMEM;
  for (int k = 0; k < r->njoints; k++)
    if (r->joint[k].kind != NS_ROBOT_FREE &&
        !(r->joint[k].id = ns_robot_id(r, r->joint[k].name, "joint")))
      return NS_NOMEM;
  for (int k = 0; k < r->nactuators; k++) {
    char name[120];
    const ns_robot_actuator *a = &r->actuator[k];
    const char *own = a->name         ? a->name
                      : a->tendon < 0 ? r->joint[a->joint].name
                                      : r->tendon[a->tendon].name;
    snprintf(name, sizeof name, "u_%.100s", own ? own : "");
    if (!(r->actuator[k].input = ns_robot_id(r, own ? name : NULL, "u"))) return NS_NOMEM;
    if (a->activation == NS_ROBOT_DIRECT) continue;
    snprintf(name, sizeof name, "act_%.100s", own ? own : "");
    if (!(r->actuator[k].state = ns_robot_id(r, own ? name : NULL, "act"))) return NS_NOMEM;
  }
  return NS_OK;
}

/* The first body that a tendon moves. */
static int body_of(const ns_robot *r, const ns_robot_tendon *t)
{
  if (!t->points) return r->joint[t->member[0]].second;
  for (int k = 0; k < t->n; k++)
    if (t->member[k] >= 0 && r->link[t->member[k]].body >= 0) return r->link[t->member[k]].body;
  return -1;
}

int ns_robot_place(ns_robot *r)
{
  int rc = name_all(r);
  for (int i = 0; i < r->nlinks && !rc; i++) rc = place_link(r, i); /* parents come first */
  for (int k = 0; k < r->ntendons && !rc; k++) r->tendon[k].body = body_of(r, &r->tendon[k]);
  for (int i = 0; i < r->nbodies && !rc; i++) rc = weigh(r, i);
  return rc;
}
