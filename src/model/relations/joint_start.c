/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/relations/joint_start.h"

#include "algebra/dense.h"
#include "algebra/vector.h"
#include "base/grow.h"
#include "base/sets.h"
#include "model/systems/mechanics.h"
#include "model/systems/rigid_parts.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* How a body has moved from where <q0> puts it, in the world: x -> R(p) x + d; and how fast: omega,
 * and v of the point at the origin. */
typedef struct motion {
  int known, moved;
  double p[4], d[3], omega[3], v[3];
} motion;

typedef struct mechanism {
  ns_model *m;
  int n;                         /* bodies */
  int *up;                       /* a forest over the bodies that joints join [n] */
  unsigned char *starts, *rated; /* of the root of a class: some joint has a start, or a rate [n] */
  motion *at;                    /* [n] */
  double *q, *v;                 /* of the whole model */
} mechanism;

static int is_joint(const ns_interaction *it)
{
  return it->relation && it->relation->flags & NS_REL_JOINT;
}

static int begins(const mechanism *k, const ns_interaction *it)
{
  return is_joint(it) && k->starts[ns_sets_root(k->up, it->systems[0])];
}

/* ---- along the tree -------------------------------------------------------------------------- */

/* Where the point and the axis of a joint are at q0, in space. */
static void place_of(const mechanism *k, const ns_interaction *it, double *point, double *axis)
{
  const ns_joint *j = &it->joint;
  const ns_system *s = &k->m->systems[it->systems[0]];
  ns_pose b;
  ns_pose_of(j->planar ? NULL : s->q0, &b);
  if (j->planar) {
    double c = cos(s->q0[2]), sine = sin(s->q0[2]);
    memcpy(b.R, (double[]){c, sine, 0, -sine, c, 0, 0, 0, 1}, sizeof b.R);
    memcpy(b.x, s->q0, 2 * sizeof *b.x);
  }
  ns_mul3(b.R, j->c1, point);
  ns_axpy3(b.x, 1, point, point);
  if (j->planar && j->kind == NS_JOINT_PIVOT) memcpy(axis, (double[]){0, 0, 1}, sizeof b.x);
  else ns_mul3(b.R, j->A, axis);
}

static double given(const double *x, int slide) { return isnan(x[slide]) ? 0 : x[slide]; }

/* to := the motion of a body that the joint holds to one that moves as `from`; sign -1: that one is
 * its second. */
static void pass_on(const mechanism *k, const ns_interaction *it, const motion *from, double sign,
                    motion *to)
{
  double p[3], a[3], turn[3], q[4], R[9], before[9], d[3], arm[3];
  const ns_joint_start *s = it->joint.start;
  *to = *from;
  to->known = 1;
  if (!s) return;
  place_of(k, it, p, a);
  ns_quaternion_matrix(from->p, before);
  double angle = sign * given(s->at, 0), slide = sign * given(s->at, 1);
  if (angle != 0 || slide != 0) {
    for (int i = 0; i < 3; i++) turn[i] = angle * a[i];
    ns_quaternion_exp(turn, q);
    ns_quaternion_matrix(q, R);
    ns_mul3(R, p, d); /* x -> R (x - p) + p + slide a */
    ns_sub3(p, d, d);
    ns_axpy3(d, slide, a, d);
    ns_mul3(before, d, arm);
    ns_axpy3(from->d, 1, arm, to->d);
    ns_quaternion_mul(from->p, q, to->p);
    to->moved = 1;
  }
  /* the axis is where the known body has it, through the point p there */
  double axis[3], at[3], rate = sign * given(s->rate, 0), speed = sign * given(s->rate, 1);
  ns_mul3(before, a, axis);
  ns_mul3(before, p, at);
  ns_axpy3(from->d, 1, at, at);
  ns_axpy3(from->omega, rate, axis, to->omega);
  ns_cross3(at, axis, arm); /* v of the origin: -rate axis x at */
  ns_axpy3(from->v, rate, arm, to->v);
  ns_axpy3(to->v, speed, axis, to->v);
}

/* A body that others follow stays where it is and keeps its velocity. */
static void stand(const mechanism *k, int body, motion *to)
{
  const ns_system *s = &k->m->systems[body];
  double x[3] = {0}, R[9], drag[3];
  *to = (motion){.known = 1, .p = {1}};
  if (!s->v0) return;
  if (ns_system_is_planar(s)) {
    memcpy(to->v, s->v0, 2 * sizeof *to->v);
    memcpy(x, s->q0, 2 * sizeof *x);
    to->omega[2] = s->v0[2];
  } else {
    memcpy(to->v, s->v0, sizeof to->v);
    memcpy(x, s->q0, sizeof x);
    ns_quaternion_matrix(s->q0 + 3, R);
    ns_mul3(R, s->v0 + 3, to->omega);
  }
  ns_cross3(to->omega, x, drag);
  ns_sub3(to->v, drag, to->v);
}

/* Joints with a start first, so that loops are closed by the others. 1: some body was reached. */
static int reach(const mechanism *k, int with_start)
{
  static const motion world = {.known = 1, .p = {1}};
  for (int i = 0; i < k->m->ninteractions; i++) {
    const ns_interaction *it = &k->m->interactions[i];
    if (!begins(k, it) || (it->joint.start != NULL) != with_start) continue;
    motion *one = &k->at[it->systems[0]], *other = it->nsystems > 1 ? &k->at[it->systems[1]] : NULL;
    if (one->known == (other ? other->known : 1)) continue;
    if (one->known) pass_on(k, it, one, 1, other);
    else pass_on(k, it, other ? other : &world, -1, one);
    return 1;
  }
  return 0;
}

/* q and v of a body that moves so. */
static void take(const mechanism *k, int body)
{
  const ns_system *s = &k->m->systems[body];
  const motion *t = &k->at[body];
  int planar = ns_system_is_planar(s), lengths = planar ? 2 : 3;
  double *q = k->q + s->q, *v = k->v + s->v, x[3] = {0}, y[3], turn[3], old[4], R[9];
  memcpy(x, q, (size_t)lengths * sizeof *x);
  ns_quaternion_matrix(t->p, R);
  ns_mul3(R, x, y);
  ns_axpy3(y, 1, t->d, y);
  if (t->moved) memcpy(q, y, (size_t)lengths * sizeof *q);
  if (t->moved && planar) q[2] += 2 * atan2(t->p[3], t->p[0]);
  if (t->moved && !planar) {
    memcpy(old, q + 3, sizeof old);
    ns_quaternion_mul(t->p, old, q + 3);
    ns_quaternion_unit(q + 3);
  }
  if (!k->rated[ns_sets_root(k->up, body)]) return;
  ns_cross3(t->omega, y, turn);
  ns_linear_sum((size_t)lengths, t->v, 1, turn, v);
  if (planar) {
    v[2] = t->omega[2];
    return;
  }
  ns_quaternion_matrix(q + 3, R);
  ns_mul3t(R, t->omega, v + 3);
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* What the rows are for: the configuration, or its velocities. */
typedef enum { OF_POSITIONS, OF_RATES } stage;

/* Rows of all joints that begin, and of the coordinates that they begin with. */
typedef struct closure {
  const mechanism *k;
  size_t most;    /* rows there can be */
  int m, *row_of; /* rows of the last stage; interaction of each [m] */
  double *y, *b;  /* distances; rates that are wanted less those that are [m] */
  double *J;      /* [m x nv] by rows */
  double *N;      /* J M^-1 J^T [m x m] */
  double *step;   /* [nv] */
} closure;

/* A coordinate with a rate alone is free in the configuration. */
static int keeps(const ns_joint *j, int slide, stage of)
{
  return j->start &&
         (!isnan(j->start->at[slide]) || (of == OF_RATES && !isnan(j->start->rate[slide])));
}

/* A row over the bodies of a joint joins those of the whole model. */
static void spread(const closure *c, const ns_interaction *it, const double *row, int r)
{
  int dof = it->joint.planar ? 3 : 6;
  double *J = c->J + (size_t)r * c->k->m->nv;
  for (int b = 0; b < it->nsystems; b++)
    for (int i = 0; i < dof; i++)
      J[c->k->m->systems[it->systems[b]].v + (size_t)i] += row[dof * b + i];
}

static void evaluate(closure *c, stage of)
{
  const ns_model *m = c->k->m;
  int r = 0;
  memset(c->J, 0, c->most * m->nv * sizeof *c->J);
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    double G[6 * 12], y[6];
    if (!begins(c->k, it)) continue;
    const ns_joint *j = &it->joint;
    const double *q1 = c->k->q + m->systems[it->systems[0]].q;
    const double *q2 = it->nsystems > 1 ? c->k->q + m->systems[it->systems[1]].q : NULL;
    int width = j->planar ? 6 : 12;
    ns_joint_eval(j, q1, q2, y, G);
    for (int e = 0; e < it->m; e++, r++) {
      c->y[r] = y[e];
      c->b[r] = 0;
      c->row_of[r] = i;
      spread(c, it, G + width * e, r);
    }
    for (int slide = 0; slide < 2; slide++) {
      if (!keeps(j, slide, of)) continue;
      double at = given(j->start->at, slide);
      c->y[r] = ns_joint_coordinate(j, slide, q1, q2, at, G) - at;
      c->b[r] = given(j->start->rate, slide);
      c->row_of[r] = i;
      spread(c, it, G, r++);
    }
  }
  c->m = r;
}

/* x := M^-1 x, M the diagonal of the masses; a metric says which change is least, no more. */
static void by_mass(const ns_model *m, double *x)
{
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    if (!ns_system_is_rigid(s)) continue;
    int planar = ns_system_is_planar(s), lengths = planar ? 2 : 3;
    for (int k = 0; k < s->n; k++)
      x[s->v + (size_t)k] /= k < lengths ? s->rigid.mass
                                         : s->rigid.inertia[planar ? 0 : 4 * (k - 3)];
  }
}

/* Of full rank but for rows that follow from others, which so little on the diagonal lets pass. */
static const double RIDGE = 1e-11;

/* step := M^-1 J^T N^-1 x; x [m] is used. */
static int min_step(const closure *c, double *x)
{
  size_t nv = c->k->m->nv;
  double trace = 0;
  for (int i = 0; i < c->m; i++) {
    memcpy(c->step, c->J + (size_t)i * nv, nv * sizeof *c->step);
    by_mass(c->k->m, c->step);
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (size_t e = 0; e < nv; e++) sum += c->step[e] * c->J[(size_t)j * nv + e];
      c->N[(size_t)i + (size_t)j * (size_t)c->m] = sum;
    }
    trace += c->N[(size_t)i * ((size_t)c->m + 1)];
  }
  for (int i = 0; i < c->m; i++) c->N[(size_t)i * ((size_t)c->m + 1)] += RIDGE * trace;
  if (ns_dense_cholesky(c->m, c->N, c->m)) return 0;
  ns_dense_cholesky_solve(c->m, c->N, c->m, 1, x, c->m);
  memset(c->step, 0, nv * sizeof *c->step);
  for (int i = 0; i < c->m; i++)
    for (size_t e = 0; e < nv; e++) c->step[e] += x[i] * c->J[(size_t)i * nv + e];
  by_mass(c->k->m, c->step);
  return 1;
}

static double largest(const closure *c, const double *x, int *at)
{
  double max = 0;
  for (int i = 0; i < c->m; i++)
    if (!(fabs(x[i]) <= max)) {
      max = fabs(x[i]);
      *at = i;
    }
  return max;
}

static int never_closes(const closure *c, ns_ctx *x, int row, double off, stage of)
{
  const ns_interaction *it = &c->k->m->interactions[c->row_of[row]];
  const char *given = of == OF_RATES ? "rates" : "coordinates";
  return ns_fail_at(
      x, NS_MODEL, &it->at,
      "no %s nearby is consistent with the joints of its loop and their initial %s: "
      "the error is %.3g%s, expected 0; give other initial %s, or remove some of them",
      of == OF_RATES ? "velocity" : "configuration", given, off,
      of == OF_RATES ? " in its rows' rates" : "", given);
}

static const double CLOSED = 1e-12;
enum { STEPS = 60 };

static int close_positions(closure *c, ns_ctx *x)
{
  int worst = 0;
  for (int n = 0; n < STEPS; n++) {
    evaluate(c, OF_POSITIONS);
    if (largest(c, c->y, &worst) <= CLOSED) return NS_OK;
    ns_scale((size_t)c->m, -1, c->y);
    if (!min_step(c, c->y)) break;
    for (int i = 0; i < c->k->m->nsystems; i++) {
      const ns_system *s = &c->k->m->systems[i];
      if (ns_system_is_rigid(s)) ns_mechanics_move_one(s, 1, c->step + s->v, c->k->q + s->q);
    }
  }
  evaluate(c, OF_POSITIONS);
  double off = largest(c, c->y, &worst);
  return off <= 1e3 * CLOSED ? NS_OK : never_closes(c, x, worst, off, OF_POSITIONS);
}

/* What rates lack, to c->b; the largest. */
static double lack(const closure *c, int *worst)
{
  size_t nv = c->k->m->nv;
  for (int i = 0; i < c->m; i++)
    for (size_t e = 0; e < nv; e++) c->b[i] -= c->J[(size_t)i * nv + e] * c->k->v[e];
  return largest(c, c->b, worst);
}

static int close_rates(closure *c, ns_ctx *x)
{
  int worst = 0;
  for (int n = 0; n < 4; n++) {
    evaluate(c, OF_RATES);
    if (lack(c, &worst) <= CLOSED) return NS_OK;
    if (!min_step(c, c->b)) break;
    ns_axpy(c->k->m->nv, 1, c->step, c->k->v);
  }
  evaluate(c, OF_RATES);
  double off = lack(c, &worst);
  return off <= 1e4 * CLOSED ? NS_OK : never_closes(c, x, worst, off, OF_RATES);
}

static int close_loops(const mechanism *k, ns_ctx *x)
{
  size_t nv = k->m->nv, m = 0;
  int worst = 0, rated = 0, rc = NS_OK;
  for (int i = 0; i < k->m->ninteractions; i++) {
    const ns_interaction *it = &k->m->interactions[i];
    if (begins(k, it))
      m += (size_t)(it->m + keeps(&it->joint, 0, OF_RATES) + keeps(&it->joint, 1, OF_RATES));
  }
  for (int i = 0; i < k->n; i++) rated |= k->rated[i];
  closure c = {.k = k,
               .most = m,
               .row_of = calloc(m + 1, sizeof(int)),
               .y = calloc(2 * m + nv + 1, sizeof(double)),
               .J = calloc(m * nv + 1, sizeof(double)),
               .N = calloc(m * m + 1, sizeof(double))};
  if (c.row_of && c.y && c.J && c.N) {
    c.b = c.y + m;
    c.step = c.b + m;
    rc = ns_dense_prepare(x, (int)m);
    evaluate(&c, OF_POSITIONS);
    if (!rc && largest(&c, c.y, &worst) > 1e-10) rc = close_positions(&c, x);
    evaluate(&c, OF_RATES);
    if (!rc && rated && lack(&c, &worst) > 1e-10) rc = close_rates(&c, x);
  } else {
    rc = ns_nomem(x, "the initial state of joints");
  }
  NS_FREE(c.row_of, c.y, c.J, c.N);
  return rc;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Classes of bodies that joints join, and which of them begin elsewhere. 1: some does. */
static int classes(mechanism *k)
{
  int any = 0;
  ns_sets_begin(k->up, k->n);
  for (int i = 0; i < k->m->ninteractions; i++) {
    const ns_interaction *it = &k->m->interactions[i];
    if (!is_joint(it) || it->nsystems < 2) continue;
    ns_sets_join(k->up, it->systems[0], it->systems[1]);
  }
  for (int i = 0; i < k->m->ninteractions; i++) {
    const ns_interaction *it = &k->m->interactions[i];
    if (!is_joint(it) || !it->joint.start) continue;
    int root = ns_sets_root(k->up, it->systems[0]);
    any = k->starts[root] = 1;
    const double *rate = it->joint.start->rate;
    if (!isnan(rate[0]) || !isnan(rate[1])) k->rated[root] = 1;
  }
  return any;
}

/* The motions of all bodies of classes that begin. */
static void walk(mechanism *k)
{
  for (int body = 0; body <= k->n; body++) {
    while (reach(k, 1) || reach(k, 0)) continue;
    while (body < k->n && (k->at[body].known || !k->starts[ns_sets_root(k->up, body)])) body++;
    if (body < k->n) stand(k, body, &k->at[body]);
  }
}

/* To q0 and v0 of its bodies. */
static int keep(const mechanism *k, ns_ctx *c)
{
  for (int i = 0; i < k->n; i++) {
    ns_system *s = &k->m->systems[i];
    if (!ns_system_is_rigid(s) || !k->starts[ns_sets_root(k->up, i)]) continue;
    const double *q0 = ns_arena_copy(k->m->arena, k->q + s->q, (size_t)s->nq, sizeof *q0);
    const double *v0 = ns_arena_copy(k->m->arena, k->v + s->v, (size_t)s->n, sizeof *v0);
    if (!q0 || !v0) return ns_nomem(c, "the initial state of joints");
    s->q0 = q0;
    s->v0 = v0;
  }
  return NS_OK;
}

static int start(mechanism *k, ns_ctx *c)
{
  if (!classes(k)) return NS_OK;
  k->q = calloc(k->m->nq + 1, sizeof *k->q);
  k->v = calloc(k->m->nv + 1, sizeof *k->v);
  if (!k->q || !k->v) return ns_nomem(c, "the initial state of joints");
  for (int i = 0; i < k->n; i++) {
    const ns_system *s = &k->m->systems[i];
    if (!ns_system_is_rigid(s)) continue;
    ns_system_start(s, k->q + s->q);
    if (s->v0) memcpy(k->v + s->v, s->v0, (size_t)s->n * sizeof *k->v);
  }
  walk(k);
  for (int i = 0; i < k->n; i++)
    if (ns_system_is_rigid(&k->m->systems[i]) && k->starts[ns_sets_root(k->up, i)]) take(k, i);
  int rc = close_loops(k, c);
  return rc ? rc : keep(k, c);
}

/* Its mass and moments of inertia are positive, so that they say which change is least. */
static int has_metric(const ns_system *s)
{
  int positive = s->rigid.mass > 0;
  for (int i = 0; i < (ns_system_is_planar(s) ? 1 : 3); i++)
    positive &= s->rigid.inertia[4 * i] > 0;
  return positive;
}

int ns_joint_starts(ns_model *m, ns_ctx *c)
{
  size_t n = (size_t)m->nsystems;
  int any = 0;
  for (int i = 0; i < m->ninteractions; i++)
    any |= is_joint(&m->interactions[i]) && m->interactions[i].joint.start;
  for (int i = 0; i < m->nsystems; i++)
    any &= !ns_system_is_rigid(&m->systems[i]) || has_metric(&m->systems[i]);
  if (!any) return NS_OK;
  mechanism k = {.m = m,
                 .n = m->nsystems,
                 .up = calloc(n + 1, sizeof(int)),
                 .starts = calloc(2 * n + 2, 1),
                 .at = calloc(n + 1, sizeof(motion))};
  k.rated = k.starts + n + 1;
  int rc = k.up && k.starts && k.at ? start(&k, c) : ns_nomem(c, "the initial state of joints");
  NS_FREE(k.up, k.starts, k.at, k.q, k.v);
  return rc;
}
