/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bodies.h -- for tests: models of rigid bodies built by hand, run to the end, and looked at. */
#ifndef TESTS_SUPPORT_BODIES_H
#define TESTS_SUPPORT_BODIES_H

#include "algebra/rotation.h"
#include "model/relations/rigid_relation.h"
#include "support/rate.h"
#include "support/run.h"
#include "support/slope.h"

/* An empty model with these options. */
static inline run bodies_begin(double h, double T, double theta)
{
  run r = {.c = {.report = to_stderr}};
  r.m = ns_model_create(&r.c);
  r.m->name = "bodies";
  r.m->sim.at = (ns_place){.file = "test", .element = "TimeStepping"};
  r.m->sim.T = T;
  r.m->sim.ts.h = h;
  r.m->sim.mj.theta = theta;
  return r;
}

static inline const void *kept(const run *r, const void *from, size_t n, size_t size)
{
  return ns_arena_copy(r->m->arena, from, n, size);
}

/* Inertia of a body in the plane. */
static inline double *planar_inertia(const run *r, double x)
{
  return ns_arena_copy(r->m->arena, &x, 1, sizeof x);
}

/* In space, with full inertia. q [7], v [6] or NULL, force [3] in the world or NULL; copied. */
static inline ns_system body_of(const run *r, double mass, const double *inertia, const double *q,
                                const double *v, const double *force)
{
  ns_system s = {.at = {.file = "test", .element = "NewtonEulerDS", .id = "body"}, .n = 6};
  s.kind = system_kind("NewtonEulerDS");
  static const double rest[6] = {0};
  s.q0 = kept(r, q, 7, sizeof *q);
  s.v0 = kept(r, v ? v : rest, 6, sizeof *v);
  s.rigid.mass = mass;
  s.rigid.inertia = ns_arena_copy(r->m->arena, inertia, 9, sizeof *inertia);
  if (force) s.rigid.fext = numbers(3, 1, kept(r, force, 3, sizeof *force));
  return s;
}

static inline void diagonal3(double a, double b, double c, double *I)
{
  for (int i = 0; i < 9; i++) I[i] = 0;
  I[0] = a, I[4] = b, I[8] = c;
}

/* A body with principal inertia I, at x and p (NULL: unturned), with twist v (NULL: at rest) and
 * weight g along the axis. */
static inline int add_body(run *r, const char *id, double mass, const double *I3, const double *x,
                           const double *p, const double *v, const double *force)
{
  double I[9], q[7] = {x[0], x[1], x[2], 1};
  if (p) memcpy(q + 3, p, 4 * sizeof *p);
  diagonal3(I3[0], I3[1], I3[2], I);
  ns_system s = body_of(r, mass, I, q, v, force);
  s.at.id = id;
  return ns_model_add_system(r->m, &r->c, &s);
}

/* An interaction of body a and body b (-1: none) without its contents; equalities. */
static inline ns_interaction between(const run *r, const char *relation, const char *id, int a,
                                     int b, int m)
{
  double free_[2][6] = {{0}};
  int s[2] = {a, b};
  for (int i = 0; i < 6; i++) free_[0][i] = -INFINITY, free_[1][i] = INFINITY;
  ns_interaction it = {.relation = relation_kind(relation),
                       .law.ops = law_kind("EqualityConditionNSL"),
                       .m = m,
                       .nsystems = b < 0 ? 1 : 2};
  it.at = (ns_place){.file = "test", .element = relation, .id = id};
  it.systems = kept(r, s, 2, sizeof *s);
  it.law.lb = kept(r, free_[0], 6, sizeof(double));
  it.law.ub = kept(r, free_[1], 6, sizeof(double));
  it.nQ = 7 * it.nsystems;
  return it;
}

/* A joint of body a with body b (-1: the world) at a point, with an axis (NULL where it has none),
 * both in the world. */
static inline int add_joint(run *r, const char *relation, ns_joint_kind kind, int a, int b,
                            const double *point, const double *axis)
{
  ns_interaction it = between(r, relation, relation, a, b, ns_joint_rows(kind));
  it.joint.kind = kind;
  ns_joint_assemble(&it.joint, r->m->systems[a].q0, b < 0 ? NULL : r->m->systems[b].q0, point,
                    axis);
  return ns_model_add_interaction(r->m, &r->c, &it);
}
static inline int add_ball(run *r, int a, int b, const double *point)
{
  return add_joint(r, "KneeJointR", NS_JOINT_BALL, a, b, point, NULL);
}
static inline int add_hinge(run *r, int a, int b, const double *point, const double *axis)
{
  return add_joint(r, "PivotJointR", NS_JOINT_PIVOT, a, b, point, axis);
}

/* law [n x n] by pairs. */
static inline void materials(run *r, int n, const ns_nonsmooth_law *law)
{
  static const char *const name[] = {"first", "second"};
  ns_contact_model *k = &r->m->contact;
  k->nmaterials = n;
  k->material = name;
  k->law = kept(r, law, (size_t)(n * n), sizeof *law);
  k->margin = NAN;
  k->overlap = 1e-6;
  for (int i = 0; i < 3; i++) k->low[i] = -INFINITY, k->high[i] = INFINITY;
}

/* One material for all shapes. */
static inline void one_material(run *r, double e, double mu, double rolling)
{
  materials(r, 1,
            &(ns_nonsmooth_law){.ops = law_kind("NewtonImpactRollingFrictionNSL"),
                                .e = e,
                                .mu = mu,
                                .mu_rolling = rolling});
}

/* A shape on a body, or on the world (-1), at a point and turned (NULL: as it is). */
static inline void add_shape_of(run *r, const char *id, int material, int system,
                                const ns_shape *shape, const double *at, const double *turn)
{
  ns_contact_model *k = &r->m->contact;
  ns_body_shape *more = ns_arena_zero(r->m->arena, (size_t)k->nshapes + 1, sizeof *more);
  if (k->nshapes) memcpy(more, k->shape, (size_t)k->nshapes * sizeof *more);
  ns_body_shape *s = &more[k->nshapes++];
  *s = (ns_body_shape){.id = id,
                       .system = system,
                       .shape = kept(r, shape, 1, sizeof *shape),
                       .turn = {1},
                       .layers = 1,
                       .with = 1,
                       .material = material};
  if (at) memcpy(s->at, at, sizeof s->at);
  if (turn) memcpy(s->turn, turn, sizeof s->turn);
  k->shape = more;
}

static inline void add_shape(run *r, const char *id, int system, const ns_shape *shape,
                             const double *at, const double *turn)
{
  add_shape_of(r, id, 0, system, shape, at, turn);
}

static inline void add_floor(run *r)
{
  ns_shape plane;
  ck_assert(ns_shape_plane(&plane));
  add_shape(r, "floor", -1, &plane, NULL, NULL);
}

/* A solid ball of mass 1 on its own body. */
static inline int add_solid_ball(run *r, const char *id, double radius, const double *x,
                                 const double *v)
{
  static const double weight[3] = {0, 0, -9.81};
  double i = 0.4 * radius * radius, I[3] = {i, i, i};
  int body = add_body(r, id, 1, I, x, NULL, v, weight);
  ns_shape ball;
  ck_assert(ns_shape_sphere(&ball, radius));
  add_shape(r, id, body, &ball, NULL, NULL);
  return body;
}

/* All is said: checks and the simulation. */
static inline void bodies_ready(run *r)
{
  int rc = ns_model_finish(r->m, &r->c);
  ck_assert_msg(rc == NS_OK, "%s", r->c.msg);
  rc = ns_simulation_create(&r->c, r->m, &r->s);
  ck_assert_msg(rc == NS_OK, "%s", r->c.msg);
  r->x = ns_simulation_state(r->s);
}

/* To the end, nothing recorded. */
static inline void bodies_run(run *r)
{
  bodies_ready(r);
  int rc = ns_simulation_run(r->s, &r->c, NULL, NULL);
  ck_assert_msg(rc == NS_OK, "%s", r->c.msg);
}

#endif
