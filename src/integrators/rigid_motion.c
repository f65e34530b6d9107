/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/rigid_motion.h"

#include "algebra/dense.h"
#include "algebra/sparse_lu.h"
#include "algebra/vector.h"
#include "model/check/diagnose.h"
#include "model/systems/rigid_body.h"

#include <stdlib.h>
#include <string.h>

enum { MAX = 6, MANY = 500 }; /* velocities of a body; bodies that are worth threads */

/* How its W is made. */
typedef enum w_kind {
  W_REST, /* M */
  W_SPIN, /* M and the derivative of g */
  W_ALL,  /* with K and C, or prescribed velocities */
  W_AWAY  /* its inverse is zero: the body is not there */
} w_kind;

struct ns_rigid_part {
  const ns_system *s;
  unsigned char gyroscopic;       /* ns_gyroscopic; NONE where g vanishes */
  unsigned char kind, when_there; /* w_kind */
  unsigned char steady;           /* F is constant */
  unsigned char nheld;
  double m, *I;  /* I [9], in the plane [1] */
  double radius; /* of gyration k, m */
  double unit;   /* min(1, m k, 1/k) */
};

/* Numbers of I. */
static size_t inertia_size(const ns_rigid_motion *o) { return o->dof == 6 ? 9 : 1; }

/* Where the velocities and the coordinates of a body begin. Its number tells: a system is large,
 * and in scenes of many bodies each look at one is a miss of the cache. */
static inline size_t velocities_at(const ns_rigid_motion *o, const ns_rigid_part *p)
{
  return (size_t)(p - o->part) * (size_t)o->dof;
}
static inline size_t coordinates_at(const ns_rigid_motion *o, const ns_rigid_part *p)
{
  return (size_t)(p - o->part) * (o->dof == 6 ? 7 : 3);
}

/* ---- matrices [3 x 3] ------------------------------------------------------------------------ */

/* B = A^-1 by cofactors; 0 where A has none. */
static int inverse3(const double *A, double *B)
{
  double c[9];
  ns_cross3(A + 3, A + 6, c);
  ns_cross3(A + 6, A, c + 3);
  ns_cross3(A, A + 3, c + 6);
  double det = ns_dot3(A, c), over = 1 / det;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) B[i + 3 * j] = c[j + 3 * i] * over;
  return fabs(det) > DBL_MIN && isfinite(det);
}

/* ---- creation -------------------------------------------------------------------------------- */

/* I = i identity to rounding: then g is zero to rounding. */
static int is_ball(const double *I)
{
  for (int k = 0; k < 9; k++)
    if (fabs(I[k] - (k % 4 ? 0 : I[0])) > 8 * DBL_EPSILON * I[0]) return 0;
  return 1;
}

static int turns_alone(const ns_system *s)
{
  return ns_system_is_planar(s) || s->rigid.gyroscopic == NS_GYROSCOPIC_NONE ||
         is_ball(s->rigid.inertia);
}

/* Newton's equations of its spin are not linear. */
static int spins(const ns_rigid_part *p)
{
  return p->gyroscopic == NS_GYROSCOPIC_IMPLICIT || p->gyroscopic == NS_GYROSCOPIC_MIDPOINT;
}

static void describe(ns_rigid_motion *o, int k)
{
  const ns_system *s = &o->m->systems[k];
  const ns_rigid_body *b = &s->rigid;
  ns_rigid_part *p = &o->part[k];
  int driven = ns_rigid_drives_on(o->drives, k), is_free = ns_rigid_is_free(s) && !driven;
  *p = (ns_rigid_part){.s = s,
                       .m = b->mass,
                       .I = p->I,
                       .radius = ns_rigid_radius(s),
                       .steady = ns_rigid_is_steady(s) && !driven};
  p->unit = fmin(fmin(1, p->m * p->radius), 1 / p->radius);
  o->unit = fmin(o->unit, p->unit);
  memcpy(p->I, b->inertia, inertia_size(o) * sizeof *p->I);
  p->gyroscopic = (unsigned char)(turns_alone(s) ? NS_GYROSCOPIC_NONE : b->gyroscopic);
  int nheld = 0;
  for (int i = 0; i < s->n; i++) nheld += o->held[s->v + (size_t)i];
  p->nheld = (unsigned char)nheld;
  p->kind = !is_free || p->nheld ? W_ALL : spins(p) ? W_SPIN : W_REST;
  p->when_there = p->kind;
  o->one_pass = o->one_pass && is_free && !spins(p);
  o->steady = o->steady && p->steady;
  o->conservative = o->conservative && p->steady && !b->mext.how && !b->fint.how && !b->mint.how;
  if (b->fext.how == NS_OP_CONSTANT && !b->fext_in_body)
    for (int i = 0; i < b->fext.rows; i++)
      o->known[s->v + (size_t)i] = ns_operator_entry(&b->fext, i, 0);
}

/* M^-1 of a body, by columns. */
static void rest_of(const ns_rigid_motion *o, const ns_rigid_part *p, double *R)
{
  int n = o->dof, turn = n - (ns_system_is_planar(p->s) ? 1 : 3), k = n - turn;
  double inverse[9] = {1 / p->I[0]};
  if (k == 3) inverse3(p->I, inverse);
  for (int i = 0; i < turn; i++) R[i * (n + 1)] = 1 / p->m;
  for (int j = 0; j < k; j++)
    for (int i = 0; i < k; i++) R[turn + i + (turn + j) * n] = inverse[i + j * k];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (o->held[p->s->v + (size_t)i] || o->held[p->s->v + (size_t)j]) R[i + j * n] = 0;
}

/* Velocities of a group. */
static size_t velocities_of(const ns_rigid_motion *o, int g)
{
  return (size_t)(o->drives->from[g + 1] - o->drives->from[g]) * (size_t)o->dof;
}

/* Above so many velocities a group has sparse factors; with a problem its W^-1 up to so many, else
 * coupling is left to the passes. */
enum { GROUP_DENSE = 240, GROUP_WHOLE = 600 };

/* W of a large group, its factors, and two vectors. */
typedef struct ns_group_sparse {
  ns_blocks W;
  ns_sparse_lu *factors; /* NULL: it is dense */
  double *b, *x;
} ns_group_sparse;

static int get_sparse(ns_rigid_motion *o, ns_ctx *c, int g, size_t n)
{
  ns_group_sparse *s = &o->sparse[g];
  s->b = ns_arena_zero(o->mem, n, sizeof *s->b);
  s->x = ns_arena_zero(o->mem, n, sizeof *s->x);
  if (!s->b || !s->x) return ns_nomem(c, "forces between bodies");
  int rc = ns_rigid_drives_structure(o->drives, c, g, o->mem, &s->W);
  return rc ? rc : ns_sparse_lu_create(c, &s->W, &s->factors);
}

/* W^-1 of each group, scratch of the largest. */
static int get_groups(ns_rigid_motion *o, ns_ctx *c)
{
  const ns_rigid_drives *d = o->drives;
  size_t max = 0, longest = 0, nv = o->m->nv;
  if (!d) return NS_OK;
  o->group_of = ns_arena_get(o->mem, (size_t)o->nbodies, sizeof *o->group_of);
  o->whole = ns_arena_zero(o->mem, (size_t)d->ngroups + 1, sizeof *o->whole);
  o->sparse = ns_arena_zero(o->mem, (size_t)d->ngroups + 1, sizeof *o->sparse);
  if (!o->group_of || !o->whole || !o->sparse) return ns_nomem(c, "forces between bodies");
  for (int g = 0; g < d->ngroups; g++) {
    size_t n = velocities_of(o, g);
    int rc = n > GROUP_DENSE ? get_sparse(o, c, g, n) : NS_OK;
    if (rc) return rc;
    longest = n > longest ? n : longest;
    if (n > GROUP_WHOLE) continue;
    max = n > max ? n : max;
    if (!(o->whole[g] = ns_arena_zero(o->mem, n * n, sizeof **o->whole)))
      return ns_nomem(c, "forces between bodies");
  }
  o->group = ns_arena_zero(o->mem, max * max + longest + 1, sizeof *o->group);
  o->pivots = ns_arena_zero(o->mem, max + 1, sizeof *o->pivots);
  if (d->elastic) o->known0 = ns_arena_zero(o->mem, nv, sizeof *o->known0);
  if (d->elastic) o->known1 = ns_arena_zero(o->mem, nv, sizeof *o->known1);
  if (!o->group || !o->pivots || (d->elastic && (!o->known0 || !o->known1)))
    return ns_nomem(c, "forces between bodies");
  o->groups = (ns_multibody_groups){.group = o->group_of,
                                    .place = d->place,
                                    .member = d->member,
                                    .from = d->from,
                                    .n = d->ngroups,
                                    .inverse = (const double *const *)o->whole,
                                    .work = o->group};
  return ns_dense_prepare(c, (int)max);
}

static int get_memory(ns_rigid_motion *o)
{
  size_t n = (size_t)o->nbodies, blocks = n * (size_t)(o->dof * o->dof), nv = o->m->nv,
         w = ns_rigid_work_max(o->m);
  size_t b = ns_model_targets_work(o->m);
  const size_t d = sizeof(double);
  double *I = NULL;
  const ns_array want[] = {{&o->q, o->m->nq, d},
                           {&o->within, o->m->nq, d},
                           {&o->v, nv, d},
                           {&o->f, nv, d},
                           {&o->r, nv, d},
                           {&o->vfree, nv, d},
                           {&o->known, nv, d},
                           {&o->target, nv, d},
                           {&o->inverse, blocks, d},
                           {&o->work, (w > b ? w : b) + 3 * MAX * MAX, d},
                           {&o->held, nv, 1},
                           {&o->part, n, sizeof *o->part},
                           {&I, n * inertia_size(o), d}};
  if (ns_arena_arrays(o->mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  for (size_t k = 0; k < n; k++) o->part[k].I = I + k * inertia_size(o);
  return NS_OK;
}

static void list_held(ns_rigid_motion *o)
{
  ns_model_mark_held(o->m, o->held);
  o->nheld = ns_model_count_held(o->m);
}

/* The torques of those that have them. */
static int get_spin(ns_rigid_motion *o)
{
  int any = 0;
  for (int k = 0; k < o->nbodies; k++) any = any || o->part[k].gyroscopic != NS_GYROSCOPIC_NONE;
  return any && !(o->spin = ns_arena_zero(o->mem, o->m->nv, sizeof *o->spin)) ? NS_NOMEM : NS_OK;
}

/* Where some body is not always there. */
static int get_away(ns_rigid_motion *o)
{
  int any = 0;
  for (int k = 0; k < o->nbodies; k++) any |= o->part[k].s->rigid.life.bounded;
  return any && !(o->away = ns_arena_zero(o->mem, (size_t)o->nbodies, 1)) ? NS_NOMEM : NS_OK;
}

/* Who is there in the step that ends at t1. */
static void let_live(ns_rigid_motion *o)
{
  size_t each = (size_t)(o->dof * o->dof);
  for (int k = 0; k < o->nbodies && o->away; k++) {
    ns_rigid_part *p = &o->part[k];
    int there = ns_life_holds(&p->s->rigid.life, o->t1, o->h);
    if (there == !o->away[k]) continue;
    double *rest = o->rest + (size_t)k * each, *inverse = o->inverse + (size_t)k * each;
    o->away[k] = !there;
    p->kind = there ? p->when_there : W_AWAY;
    memset(rest, 0, each * sizeof *rest);
    if (there) rest_of(o, p, rest);
    if (inverse != rest) memcpy(inverse, rest, each * sizeof *rest);
  }
}

/* M^-1 of all, which is W^-1 where nothing but M is in W. */
static int get_rest(ns_rigid_motion *o)
{
  size_t each = (size_t)(o->dof * o->dof), n = (size_t)o->nbodies;
  int same = 1;
  for (size_t k = 0; k < n; k++) same = same && o->part[k].kind == W_REST;
  o->rest = same ? o->inverse : ns_arena_zero(o->mem, n * each, sizeof *o->rest);
  for (size_t k = 0; k < n && o->rest; k++) rest_of(o, &o->part[k], o->rest + k * each);
  if (o->rest && !same) memcpy(o->inverse, o->rest, n * each * sizeof *o->rest);
  return o->rest ? NS_OK : NS_NOMEM;
}

int ns_rigid_motion_create(ns_ctx *c, const ns_model *m, ns_team *team, ns_rigid_motion **out)
{
  ns_rigid_motion *o = *out = calloc(1, sizeof *o);
  if (!o) return ns_nomem(c, "rigid bodies");
  *o = (ns_rigid_motion){.m = m,
                         .team = team,
                         .nbodies = m->nsystems,
                         .dof = m->systems[0].n,
                         .theta = m->sim.mj.theta,
                         .part_within = ns_rows_gamma(&m->sim.mj),
                         .one_pass = 1,
                         .steady = 1,
                         .conservative = 1,
                         .unit = 1};
  o->mem = ns_arena_create(0, 1);
  int rc = o->mem && !get_memory(o) ? NS_OK : ns_nomem(c, "rigid bodies");
  if (!rc) {
    list_held(o);
    rc = ns_rigid_drives_create(c, m, o->mem, &o->drives);
    if (!rc) rc = get_groups(o, c);
  }
  for (int k = 0; k < o->nbodies && !rc; k++) describe(o, k);
  if (!rc && (get_spin(o) || get_rest(o) || get_away(o))) rc = ns_nomem(c, "rigid bodies");
  if (!rc) return NS_OK;
  ns_rigid_motion_destroy(o);
  *out = NULL;
  return rc;
}

void ns_rigid_motion_destroy(ns_rigid_motion *o)
{
  if (!o) return;
  for (int g = 0; o->sparse && g < o->drives->ngroups; g++)
    ns_sparse_lu_destroy(o->sparse[g].factors);
  ns_arena_destroy(o->mem);
  free(o);
}

/* ---- the iterate ----------------------------------------------------------------------------- */

/* Torque of a step, times h. */
static void add_spin(const ns_rigid_motion *o, const ns_rigid_part *p, const double *v0,
                     const double *v, double *r)
{
  double g[3], mean[3], a = o->h * o->theta, b = o->h - a;
  int implicit = p->gyroscopic == NS_GYROSCOPIC_IMPLICIT;
  if (p->gyroscopic == NS_GYROSCOPIC_MIDPOINT) {
    for (int i = 0; i < 3; i++) mean[i] = (v0[i] + v[i]) / 2;
    ns_rigid_gyroscopic(p->I, mean, g, NULL);
    ns_axpy3(r, o->h, g, r);
    return;
  }
  ns_axpy3(r, implicit ? b : o->h, o->spin + p->s->v + 3, r);
  if (!implicit) return;
  ns_rigid_gyroscopic(p->I, v, g, NULL);
  ns_axpy3(r, a, g, r);
}

/* y = M x, n the constant 6 or 3. */
static inline void times_mass(const ns_rigid_part *p, int n, const double *x, double *y)
{
  int linear = n == 6 ? 3 : 2;
  for (int i = 0; i < linear; i++) y[i] = p->m * x[i];
  if (n == 6) ns_mul3(p->I, x + 3, y + 3);
  else y[2] = p->I[0] * x[2];
}

static inline void residual_by(ns_rigid_motion *o, const ns_rigid_part *p, int n)
{
  size_t at = velocities_at(o, p);
  const double *v0 = o->x->v + at, *v = o->v + at, *f = o->f + at, *f0 = o->x->f + at;
  double a = o->h * o->theta, b = o->h - a, *r = o->r + at, d[MAX];
  for (int i = 0; i < n; i++) d[i] = v[i] - v0[i];
  times_mass(p, n, d, r);
  for (int i = 0; i < n; i++) r[i] -= a * f[i] + b * f0[i];
  if (p->gyroscopic != NS_GYROSCOPIC_NONE) add_spin(o, p, v0 + 3, v + 3, r + 3);
}

/* Residual of one body. */
static void residual_of(ns_rigid_motion *o, const ns_rigid_part *p)
{
  if (o->dof == 6) residual_by(o, p, 6);
  else residual_by(o, p, 3);
  if (p->kind == W_AWAY) memset(o->r + velocities_at(o, p), 0, (size_t)o->dof * sizeof *o->r);
}

/* The point of a body, and behind it the vectors of the whole model. */
static ns_point point_of(const ns_rigid_motion *o, const ns_system *s, double t, const double *q,
                         const double *v)
{
  double *z = o->x->z;
  ns_others all = {q - o->m->part_q, v - o->m->part_v, z, o->x->angle};
  return ns_system_point_among(s, t, q, v, z, all);
}

static int force_of(ns_rigid_motion *o, ns_ctx *c, const ns_rigid_part *p, double t,
                    const double *q, const double *v, double *f)
{
  ns_point at = point_of(o, p->s, t, q, v);
  return ns_rigid_force(p->s, c, &at, o->work, f + p->s->v);
}

static void residuals(void *data, int from, int to)
{
  ns_rigid_motion *o = data;
  for (int k = from; k < to; k++) residual_of(o, &o->part[k]);
}

int ns_rigid_motion_moved(ns_rigid_motion *o, ns_ctx *c)
{
  int rc = NS_OK;
  for (int k = 0; k < o->nbodies && !rc && !o->steady; k++)
    if (!o->part[k].steady) rc = force_of(o, c, &o->part[k], o->t1, o->q, o->v, o->f);
  if (!rc && o->drives) rc = ns_rigid_drives_add(o->drives, c, o->x, o->t1, o->q, o->v, o->f);
  if (!rc && o->drives)
    ns_rigid_drives_hold_back(o->drives, o->h * o->theta * o->h * o->theta, o->rest);
  if (!rc) ns_team_each(o->team, o->nbodies, MANY, residuals, o);
  if (!rc) ns_rigid_drives_add_armature(o->drives, o->theta, o->r);
  return rc;
}

/* One body a part of its way through the step; q: where it was at the begin. */
static inline void move(const ns_rigid_motion *o, const ns_rigid_part *p, int n, double part,
                        double *q)
{
  double a = o->h * o->theta, b = o->h - a, step[MAX];
  const double *v = o->v + velocities_at(o, p), *v0 = o->x->v + velocities_at(o, p);
  q += coordinates_at(o, p);
  for (int i = 0; i < n; i++) step[i] = a * v[i] + b * v0[i];
  if (n == 3) ns_axpy3(q, part, step, q);
  else ns_rigid_move(p->s, part, step, q);
}

static void move_some(void *data, int from, int to)
{
  ns_rigid_motion *o = data;
  for (int k = from; k < to; k++)
    if (o->away && o->away[k]) continue;
    else if (o->dof == 6) move(o, &o->part[k], 6, 1, o->q);
    else move(o, &o->part[k], 3, 1, o->q);
}

static void move_some_within(void *data, int from, int to)
{
  const ns_rigid_motion *o = data;
  for (int k = from; k < to; k++)
    if (!o->away || !o->away[k]) move(o, &o->part[k], o->dof, o->part_within, o->within);
}

void ns_rigid_motion_place(ns_rigid_motion *o)
{
  memcpy(o->q, o->x->q, o->m->nq * sizeof *o->q);
  ns_team_each(o->team, o->nbodies, MANY, move_some, o);
}

void ns_rigid_motion_place_within(ns_rigid_motion *o)
{
  memcpy(o->within, o->x->q, o->m->nq * sizeof *o->within);
  ns_team_each(o->team, o->nbodies, MANY, move_some_within, o);
}

int ns_rigid_motion_iterate(ns_rigid_motion *o, ns_ctx *c)
{
  ns_rigid_motion_place(o);
  return ns_rigid_motion_moved(o, c);
}

int ns_rigid_motion_begin(ns_rigid_motion *o, ns_ctx *c, const ns_state *x, double t1, double h)
{
  o->x = x;
  o->t1 = t1;
  o->h = h;
  let_live(o);
  memcpy(o->v, x->v, o->m->nv * sizeof *o->v);
  memcpy(o->f, x->f, o->m->nv * sizeof *o->f); /* constant forces stay */
  for (int k = 0; k < o->nbodies && o->spin; k++) {
    const ns_rigid_part *p = &o->part[k];
    if (p->gyroscopic != NS_GYROSCOPIC_NONE)
      ns_rigid_gyroscopic(p->I, x->v + p->s->v + 3, o->spin + p->s->v + 3, NULL);
  }
  int rc = o->nheld && !o->lent ? ns_model_targets(o->m, c, t1, o->work, o->target) : NS_OK;
  if (!rc && o->drives && (o->m->nforces || o->drives->narmatures)) {
    /* o->r is written anew below */
    rc = ns_rigid_drives_add(o->drives, c, x, *x->t, x->q, x->v, o->r);
    ns_rigid_drives_begin(o->drives);
    if (o->known0) ns_rigid_drives_known(o->drives, o->known0);
  }
  if (o->drives) ns_rigid_drives_forget(o->drives, h * o->theta);
  return rc ? rc : o->steady ? ns_rigid_motion_moved(o, c) : ns_rigid_motion_iterate(o, c);
}

/* ---- what is not finite ---------------------------------------------------------------------- */

int ns_rigid_motion_blame(const ns_rigid_motion *o, ns_ctx *c)
{
  const ns_state *x = o->x;
  return ns_fail_not_finite(c, o->m,
                            &(ns_moment){.from = *x->t,
                                         .t = o->t1,
                                         .q = o->q,
                                         .v = o->v,
                                         .z = x->z,
                                         .lambda = x->lambda,
                                         .force = o->f,
                                         .q0 = x->q,
                                         .v0 = x->v,
                                         .angle = x->angle});
}

/* ---- iteration matrix ------------------------------------------------------------------------ */

static int singular(const ns_rigid_motion *o, ns_ctx *c, const ns_system *s)
{
  char at[512];
  return ns_fail(c, NS_NUMERIC,
                 "%s: its iteration matrix M + h theta C + h^2 theta^2 K is singular at t = %.10g "
                 "s, h = %g s; check the derivatives of its forces there, or use a smaller h",
                 ns_place_text(&s->at, at, sizeof at), o->t1, o->h);
}

/* Derivative of what add_spin adds [3 x 3], by columns. */
static void spin_tangent(const ns_rigid_motion *o, const ns_rigid_part *p, double *dg)
{
  double g[3], mean[3], by = o->h * o->theta;
  const double *v0 = o->x->v + p->s->v + 3, *v = o->v + p->s->v + 3;
  if (p->gyroscopic == NS_GYROSCOPIC_MIDPOINT) {
    for (int i = 0; i < 3; i++) mean[i] = (v0[i] + v[i]) / 2;
    v = mean;
    by = o->h / 2;
  }
  ns_rigid_gyroscopic(p->I, v, g, dg);
  for (int i = 0; i < 9; i++) dg[i] *= by;
}

/* Only its rotational part moves. */
static int spin_inverse(ns_rigid_motion *o, const ns_rigid_part *p, double *R)
{
  double A[9], B[9];
  spin_tangent(o, p, A);
  o->symmetric = o->symmetric && A[1] == A[3] && A[2] == A[6] && A[5] == A[7];
  for (int i = 0; i < 9; i++) A[i] += p->I[i];
  if (!inverse3(A, B)) return 0;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) R[3 + i + (3 + j) * 6] = B[i + 3 * j];
  return 1;
}

/* Prescribed velocities: their part of the residual goes to the other rows, and W decouples from
 * them. */
static void hold(ns_rigid_motion *o, const ns_rigid_part *p, double *W, double *r)
{
  int n = o->dof;
  size_t at = p->s->v;
  for (int j = 0; j < n; j++) {
    if (!o->held[at + (size_t)j]) continue;
    double d = o->target[at + (size_t)j] - o->v[at + (size_t)j];
    for (int i = 0; i < n; i++)
      if (!o->held[at + (size_t)i]) r[i] += W[i + j * n] * d;
  }
  for (int j = 0; j < n; j++) {
    if (!o->held[at + (size_t)j]) continue;
    ns_dense_isolate(n, W, j);
    r[j] = o->v[at + (size_t)j] - o->target[at + (size_t)j];
  }
}

/* W of a body with all derivatives, [dof x dof] by columns. */
static int matrix_of(ns_rigid_motion *o, ns_ctx *c, const ns_rigid_part *p, double *W)
{
  int nn = o->dof * o->dof;
  double *K = o->work, *C = K + MAX * MAX, *scratch = C + 2 * MAX * MAX, dg[9], a = o->h * o->theta;
  ns_point at = point_of(o, p->s, o->t1, o->q, o->v);
  int rc = ns_rigid_tangents(p->s, c, &at, scratch, K, C);
  if (rc) return rc;
  ns_rigid_drives_tangents(o->drives, (int)(p - o->part), K, C);
  ns_rigid_mass(p->s, W);
  for (int i = 0; i < nn; i++) W[i] += a * C[i] + a * a * K[i];
  ns_rigid_drives_mass(o->drives, (int)(p - o->part), W);
  if (!spins(p)) return NS_OK;
  spin_tangent(o, p, dg);
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) W[3 + i + (3 + j) * 6] += dg[i + 3 * j];
  return NS_OK;
}

int ns_rigid_motion_matrix(ns_rigid_motion *o, ns_ctx *c, int k, double *W)
{
  return matrix_of(o, c, &o->part[k], W);
}

void ns_rigid_motion_lend(ns_rigid_motion *o, double *q, double *v, double *f, double *r,
                          double *target)
{
  o->lent = 1;
  o->target = target;
  o->q = q;
  o->v = v;
  o->f = f;
  o->r = r;
}

/* With all derivatives. */
static int full_inverse(ns_rigid_motion *o, ns_ctx *c, const ns_rigid_part *p, double *R, double *r)
{
  int n = o->dof, nn = n * n, piv[MAX];
  double *W = o->work + 2 * MAX * MAX;
  int rc = matrix_of(o, c, p, W);
  if (rc) return rc;
  if (p->nheld) hold(o, p, W, r);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++) o->symmetric = o->symmetric && W[i + j * n] == W[j + i * n];
  for (int i = 0; i < nn; i++) R[i] = i % (n + 1) == 0;
  if (ns_dense_lu(n, W, n, piv)) return singular(o, c, p->s);
  ns_dense_lu_solve(n, W, n, piv, n, R, n);
  return NS_OK;
}

/* vfree of a body whose residual, with prescribed velocities eliminated, is r. */
static void free_of(ns_rigid_motion *o, const ns_rigid_part *p, double *R, const double *r)
{
  int n = o->dof;
  size_t at = p->s->v;
  const double *v = o->v + at;
  double *u = o->vfree + at;
  for (int i = 0; i < n; i++) u[i] = v[i];
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) u[i] -= R[i + j * n] * r[j];
  for (int j = 0; j < n; j++) {
    if (!p->nheld || !o->held[at + (size_t)j]) continue;
    u[j] = o->target[at + (size_t)j];
    for (int i = 0; i < n; i++) R[i + j * n] = R[j + i * n] = 0;
  }
}

/* The same where velocity and spin of the body are apart, and no velocity is prescribed. */
static void free_apart(ns_rigid_motion *o, const ns_rigid_part *p, const double *R, const double *r)
{
  const double *v = o->v + velocities_at(o, p);
  double *u = o->vfree + velocities_at(o, p), spin[3];
  for (int i = 0; i < 3; i++) u[i] = v[i] - R[i * (o->dof + 1)] * r[i];
  if (o->dof == 3) return;
  for (int i = 0; i < 3; i++) spin[i] = v[3 + i];
  for (int j = 3; j < 6; j++)
    for (int i = 0; i < 3; i++) spin[i] -= R[3 + i + j * 6] * r[j];
  memcpy(u + 3, spin, sizeof spin);
}

void ns_rigid_motion_loose(const ns_rigid_motion *o, double *v)
{
  int n = o->dof;
  for (int k = 0; k < o->nbodies; k++) {
    const double *B = o->rest + (size_t)k * (size_t)(n * n), *r = o->r + k * n;
    for (int i = 0; i < n; i++) {
      v[k * n + i] = o->v[k * n + i];
      for (int j = 0; j < n; j++) v[k * n + i] -= B[i + n * j] * r[j];
    }
  }
}

static int is_finite(int n, const double *r)
{
  for (int i = 0; i < n; i++)
    if (!isfinite(r[i])) return 0;
  return 1;
}

/* W^-1 and vfree of one body, with all derivatives. */
static int free_by_all(ns_rigid_motion *o, ns_ctx *c, const ns_rigid_part *p, double *R)
{
  double r[MAX];
  memcpy(r, o->r + p->s->v, (size_t)o->dof * sizeof *r);
  int rc = full_inverse(o, c, p, R, r);
  if (!rc) free_of(o, p, R, r);
  return rc;
}

int ns_rigid_motion_free(ns_rigid_motion *o, ns_ctx *c)
{
  o->symmetric = 1;
  for (int k = 0; k < o->nbodies; k++) {
    const ns_rigid_part *p = &o->part[k];
    double *R = o->inverse + (size_t)k * (size_t)(o->dof * o->dof), *r = o->r + velocities_at(o, p);
    if (!is_finite(o->dof, r)) return ns_rigid_motion_blame(o, c);
    int rc = p->kind == W_ALL ? free_by_all(o, c, p, R) : NS_OK;
    if (p->kind == W_SPIN && !spin_inverse(o, p, R)) rc = singular(o, c, p->s);
    if (rc) return rc;
    if (p->kind != W_ALL) free_apart(o, p, R, r);
  }
  return NS_OK;
}

/* ---- groups of bodies that forces join ------------------------------------------------------- */

/* Velocity i of a group. */
static size_t velocity_of(const ns_rigid_motion *o, int g, int i)
{
  const ns_rigid_drives *d = o->drives;
  return o->part[d->member[d->from[g] + i / o->dof]].s->v + (size_t)(i % o->dof);
}

/* Entry (i, j) of W; NULL: it is zero. */
static double *entry_of(const ns_group_matrix *W, int i, int j)
{
  return W->sparse ? ns_blocks_at(W->sparse, i, j) : W->W + i + (size_t)j * (size_t)W->n;
}

/* Prescribed velocities of a group: rows and columns of the identity, their part of r goes to the
 * others. */
static void hold_group(const ns_rigid_motion *o, int g, const ns_group_matrix *W, double *r)
{
  for (int j = 0; j < W->n && o->nheld; j++) {
    size_t k = velocity_of(o, g, j);
    if (!o->held[k]) continue;
    double change = o->target[k] - o->v[k];
    for (int i = 0; i < W->n; i++) {
      double *a = entry_of(W, i, j), *b = entry_of(W, j, i);
      if (!a || !b) continue;
      r[i] += *a * change;
      *a = *b = i == j;
    }
    r[j] = -change;
  }
}

/* W of group g and its residual [n], velocities that are prescribed taken out; turn 0: without the
 * geometric stiffness of forces between bodies. */
static int group_matrix(ns_rigid_motion *o, ns_ctx *c, int g, double turn, const ns_group_matrix *W,
                        double *r)
{
  const ns_rigid_drives *d = o->drives;
  int dof = o->dof;
  double *own = o->work + 2 * MAX * MAX, a = o->h * o->theta;
  size_t entries = W->sparse ? (size_t)W->sparse->row[W->n] : (size_t)W->n * (size_t)W->n;
  memset(W->sparse ? W->sparse->val : W->W, 0, entries * sizeof *own);
  for (int k = 0; k < W->n / dof; k++) {
    const ns_rigid_part *p = &o->part[d->member[d->from[g] + k]];
    int rc = matrix_of(o, c, p, own);
    if (rc) return rc;
    ns_group_matrix_add(W, dof, k, k, 1, own, dof);
    memcpy(r + k * dof, o->r + p->s->v, (size_t)dof * sizeof *r);
  }
  ns_rigid_drives_couple(d, g, a, a * a, turn * a * a, W);
  hold_group(o, g, W, r);
  return NS_OK;
}

/* vfree of its bodies, d = W^-1 r [n]. */
static void group_free(ns_rigid_motion *o, int g, int n, const double *d)
{
  for (int i = 0; i < n; i++) {
    size_t k = velocity_of(o, g, i);
    o->vfree[k] = o->nheld && o->held[k] ? o->target[k] : o->v[k] - d[i];
  }
}

static int group_singular(const ns_rigid_motion *o, ns_ctx *c, int g)
{
  return singular(o, c, o->part[o->drives->member[o->drives->from[g]]].s);
}

/* Without rows: one linear system. */
static int group_alone(ns_rigid_motion *o, ns_ctx *c, int g, int n)
{
  double *W = o->group, *r = W + (size_t)n * (size_t)n;
  int rc = group_matrix(o, c, g, 1, &(ns_group_matrix){.n = n, .W = W}, r);
  if (rc) return rc;
  if (ns_dense_lu(n, W, n, o->pivots)) return group_singular(o, c, g);
  ns_dense_lu_solve(n, W, n, o->pivots, 1, r, n);
  group_free(o, g, n, r);
  return NS_OK;
}

/* The same by sparse factors. */
static int group_large(ns_rigid_motion *o, ns_ctx *c, int g, int n)
{
  ns_group_sparse *s = &o->sparse[g];
  const int *place = ns_sparse_lu_place(s->factors);
  double *r = o->group;
  int rc = group_matrix(o, c, g, 1, &(ns_group_matrix){.n = n, .sparse = &s->W}, r);
  if (rc) return rc;
  if (ns_sparse_lu_load(s->factors, &s->W, NULL) || ns_sparse_lu_update(s->factors))
    return group_singular(o, c, g);
  for (int i = 0; i < n; i++) s->b[place[i]] = r[i] * ns_sparse_lu_scale(s->factors, i);
  ns_sparse_lu_solve(s->factors, s->b, s->x);
  for (int i = 0; i < n; i++) r[i] = s->x[place[i]];
  group_free(o, g, n, r);
  return NS_OK;
}

static void make_symmetric(size_t n, double *A)
{
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < j; i++) A[i + j * n] = A[j + i * n] = (A[i + j * n] + A[j + i * n]) / 2;
}

/* R = W^-1 of group g [n x n]. Its symmetric part is taken where that is positive definite, else
 * that without geometric stiffness, which pushing forces make negative: passes lose little by it,
 * the problem of contacts stays one that has a solution. *r: its residual. */
static int group_inverse(ns_rigid_motion *o, ns_ctx *c, int g, int n, double *R, double **r)
{
  size_t ld = (size_t)n;
  double *W = o->group;
  int definite = 0, rc = NS_OK;
  *r = W + ld * ld;
  for (size_t j = 0; j < ld; j++)
    for (size_t i = 0; i < ld; i++) R[i + j * ld] = i == j;
  for (int turn = 1; turn >= 0 && !definite; turn--) {
    if ((rc = group_matrix(o, c, g, turn, &(ns_group_matrix){.n = n, .W = W}, *r))) return rc;
    make_symmetric(ld, W);
    definite = !ns_dense_cholesky(n, W, n);
  }
  if (definite) {
    ns_dense_cholesky_solve(n, W, n, n, R, n);
    make_symmetric(ld, R); /* what rounding left */
    return NS_OK;
  }
  if ((rc = group_matrix(o, c, g, 1, &(ns_group_matrix){.n = n, .W = W}, *r))) return rc;
  if (ns_dense_lu(n, W, n, o->pivots)) return group_singular(o, c, g);
  ns_dense_lu_solve(n, W, n, o->pivots, n, R, n);
  o->symmetric = 0;
  return NS_OK;
}

/* For a problem: W^-1 of group g, zero where velocities are prescribed, its diagonal blocks to
 * those of the bodies; vfree. */
static int group_whole(ns_rigid_motion *o, ns_ctx *c, int g, int n)
{
  const int *body = o->drives->member + o->drives->from[g];
  size_t dof = (size_t)o->dof, ld = (size_t)n;
  double *R = o->whole[g], *r, *d = o->group;
  int rc = group_inverse(o, c, g, n, R, &r);
  if (rc) return rc;
  memset(d, 0, ld * sizeof *d); /* the factors are of no more use */
  for (size_t j = 0; j < ld; j++)
    for (size_t i = 0; i < ld; i++) d[i] += R[i + j * ld] * r[j];
  group_free(o, g, n, d);
  for (int j = 0; j < n && o->nheld; j++) {
    if (!o->held[velocity_of(o, g, j)]) continue;
    for (size_t i = 0, k = (size_t)j; i < ld; i++) R[i + k * ld] = R[k + i * ld] = 0;
  }
  for (size_t k = 0; k < ld / dof; k++) {
    double *own = o->inverse + (size_t)body[k] * dof * dof;
    o->group_of[body[k]] = g;
    for (size_t j = 0; j < dof; j++)
      for (size_t i = 0; i < dof; i++) own[i + j * dof] = R[dof * k + i + (dof * k + j) * ld];
  }
  return NS_OK;
}

int ns_rigid_motion_join(ns_rigid_motion *o, ns_ctx *c, int rows)
{
  static const double SOFT = 0.02; /* up to that the passes converge as quickly */
  double a = o->h * o->theta;
  o->joined = 0;
  for (int k = 0; k < o->nbodies && o->drives; k++) o->group_of[k] = -1;
  for (int g = 0; o->drives && g < o->drives->ngroups; g++) {
    int n = (int)velocities_of(o, g);
    if (rows && (!o->whole[g] || ns_rigid_drives_coupling(o->drives, g, a, a * a, o->rest) <= SOFT))
      continue;
    int rc;
    if (rows) rc = group_whole(o, c, g, n);
    else rc = o->sparse[g].factors ? group_large(o, c, g, n) : group_alone(o, c, g, n);
    if (rc) return rc;
    o->joined |= rows;
  }
  return NS_OK;
}

void ns_rigid_motion_push(ns_rigid_motion *o, const double *p)
{
  size_t dof = (size_t)o->dof;
  for (size_t k = 0; k < (size_t)o->nbodies; k++) {
    int g = o->joined ? o->group_of[k] : -1;
    if (g < 0) {
      for (size_t j = 0; j < dof; j++)
        for (size_t i = 0; i < dof; i++)
          o->vfree[k * dof + i] += o->inverse[(k * dof + j) * dof + i] * p[k * dof + j];
      continue;
    }
    size_t n = velocities_of(o, g), at = dof * (size_t)o->groups.place[k];
    const int *body = o->drives->member + o->drives->from[g];
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < dof; i++)
        o->vfree[k * dof + i] += o->whole[g][at + i + j * n] *
                                 p[(size_t)body[j / dof] * dof + j % dof];
  }
}

/* Norm of the forces on a body or of its impulse, see the header. */
static double wrench_norm(const ns_rigid_motion *o, const ns_rigid_part *p, const double *F)
{
  int linear = o->dof == 6 ? 3 : 2;
  double force = ns_dot((size_t)linear, F, F),
         moment = ns_dot((size_t)(o->dof - linear), F + linear, F + linear);
  return sqrt(force + moment / (p->radius * p->radius));
}

/* |M v|_1 of one body. */
static double momentum_of(const ns_rigid_motion *o, const ns_rigid_part *p)
{
  double y[MAX], size = 0;
  if (o->dof == 6) times_mass(p, 6, o->v + p->s->v, y);
  else times_mass(p, 3, o->v + p->s->v, y);
  for (int i = 0; i < o->dof; i++) size += fabs(y[i]) * ns_rigid_weight(o->dof, i, 1 / p->radius);
  return size;
}

double ns_rigid_motion_lever(const ns_rigid_motion *o, int body, int j)
{
  return ns_rigid_weight(o->dof, j, o->part[body].radius);
}

double ns_rigid_motion_norm(const ns_rigid_motion *o, const double *x)
{
  double sum = 0;
  for (int k = 0; k < o->nbodies; k++) {
    double e = wrench_norm(o, &o->part[k], x + velocities_at(o, &o->part[k]));
    sum += e * e;
  }
  return sqrt(sum);
}

double ns_rigid_motion_equation(const ns_rigid_motion *o, int k, const double *p, double inertial)
{
  const ns_time_stepping_options *t = &o->m->sim.ts;
  const ns_rigid_part *b = &o->part[k];
  size_t at = velocities_at(o, b), n = (size_t)o->dof;
  double d[MAX];
  for (size_t i = 0; i < n; i++) d[i] = o->held[at + i] ? 0 : o->r[at + i] - p[i];
  if (t->newton_absolute) return ns_norm(n, d) / t->newton_atol;
  ns_drive_sizes by = ns_rigid_drives_sizes(o->drives, k, b->radius);
  double force = fmax(wrench_norm(o, b, o->f + at), by.force),
         rounding = inertial + by.momentum +
                    o->h * (by.rounding + wrench_norm(o, b, o->known + at));
  return wrench_norm(o, b, d) /
         (t->newton_atol * b->unit + t->newton_rtol * (wrench_norm(o, b, p) + o->h * force) +
          16 * DBL_EPSILON * rounding);
}

/* The same with the size of inertial terms outside of mixed steps. */
static double equation_of(const ns_rigid_motion *o, int k, const double *p)
{
  const ns_rigid_part *b = &o->part[k];
  return ns_rigid_motion_equation(o, k, p + velocities_at(o, b), momentum_of(o, b));
}

double ns_rigid_motion_residual(const ns_rigid_motion *o, const double *p)
{
  double worst = 0;
  for (int k = 0; k < o->nbodies; k++) {
    double e = equation_of(o, k, p);
    if (!(e <= worst)) worst = e; /* a NaN stays */
  }
  return worst;
}

void ns_rigid_motion_suspects(const ns_rigid_motion *o, const double *p, ns_suspect *w)
{
  for (int k = 0; k < o->nbodies; k++) ns_suspect_system(w, o->part[k].s, equation_of(o, k, p));
}

/* ---- accept ---------------------------------------------------------------------------------- */

/* Twice the kinetic energy of a body. */
static inline double twice_kinetic(const ns_rigid_part *p, int n, const double *v)
{
  double y[MAX], sum = 0;
  times_mass(p, n, v, y);
  for (int i = 0; i < n; i++) sum += y[i] * v[i];
  return sum;
}

/* Of constant forces, J. */
static double known_potential(const ns_rigid_motion *o, const double *q)
{
  double U = 0;
  int moves = o->dof == 6 ? 3 : 2;
  for (const ns_rigid_part *p = o->part; p < o->part + o->nbodies; p++) {
    const double *known = o->known + velocities_at(o, p), *x = q + coordinates_at(o, p);
    for (int i = 0; i < moves; i++) U -= known[i] * x[i];
  }
  return U;
}

static void energy(const ns_rigid_motion *o, const double *q, const double *v, double *kinetic,
                   double *potential)
{
  double T = 0;
  for (const ns_rigid_part *p = o->part; p < o->part + o->nbodies; p++)
    T += o->dof == 6 ? twice_kinetic(p, 6, v + velocities_at(o, p))
                     : twice_kinetic(p, 3, v + velocities_at(o, p));
  *kinetic = T / 2 + ns_rigid_drives_kinetic(o->drives);
  *potential = known_potential(o, q) + o->potential;
}

/* Of forces without a known potential, and of supports. */
static double work_of(const ns_rigid_motion *o, const double *p)
{
  double w = 0, a = o->h * o->theta, b = o->h - a;
  const double *v0 = o->x->v, *v = o->v, *f0 = o->x->f, *f = o->f;
  if (o->conservative && !o->nheld) return 0;
  for (size_t i = 0; i < o->m->nv && !(o->steady && !o->nheld); i++) {
    if (o->away && o->away[i / (size_t)o->dof]) continue;
    w += (a * (f[i] - o->known[i]) + b * (f0[i] - o->known[i])) * (v[i] + v0[i]) / 2;
    if (o->held[i]) w += (o->r[i] - p[i]) * (v[i] + v0[i]) / 2;
  }
  for (size_t i = 0; i < o->m->nv && o->known1; i++)
    w -= (a * o->known1[i] + b * o->known0[i]) * (v[i] + v0[i]) / 2;
  for (size_t i = 0; i < o->m->nv && o->steady && !o->nheld; i++)
    if (!o->away || !o->away[i / (size_t)o->dof])
      w += o->h * (f[i] - o->known[i]) * (v[i] + v0[i]) / 2;
  return w;
}

static void take_supports(const ns_rigid_motion *o, ns_state *x, const double *p)
{
  for (size_t i = 0; i < o->m->nv; i++)
    x->support[i] = o->held[i] && !(o->away && o->away[i / (size_t)o->dof]) ? o->r[i] - p[i] : 0;
}

void ns_rigid_motion_store(ns_rigid_motion *o)
{
  if (o->known1) o->potential = ns_rigid_drives_known(o->drives, o->known1);
}

double ns_rigid_motion_potential(ns_rigid_motion *o)
{
  ns_rigid_motion_store(o);
  return known_potential(o, o->q) + o->potential;
}

int ns_rigid_motion_commit(ns_rigid_motion *o, ns_ctx *c, ns_state *x, const double *p)
{
  double kinetic, potential;
  ns_rigid_motion_store(o);
  double work = work_of(o, p);
  energy(o, o->q, o->v, &kinetic, &potential);
  if (!isfinite(kinetic + potential + work)) return ns_rigid_motion_blame(o, c);
  x->cert->kinetic = kinetic;
  x->cert->potential = potential;
  x->cert->work_force += work;
  if (o->nheld) take_supports(o, x, p);
  memcpy(x->q, o->q, o->m->nq * sizeof *x->q);
  memcpy(x->v, o->v, o->m->nv * sizeof *x->v);
  if (!o->steady) memcpy(x->f, o->f, o->m->nv * sizeof *x->f);
  *x->t = o->t1;
  return NS_OK;
}

int ns_rigid_motion_start(ns_rigid_motion *o, ns_ctx *c, ns_state *x)
{
  int rc = NS_OK;
  o->x = x;
  o->t1 = *x->t;
  for (int k = 0; k < o->nbodies && !rc; k++) {
    const ns_rigid_part *p = &o->part[k];
    if (!ns_system_is_planar(p->s)) ns_quaternion_unit(x->q + p->s->q + 3);
    rc = force_of(o, c, p, *x->t, x->q, x->v, x->f);
  }
  if (!rc) rc = ns_rigid_drives_add(o->drives, c, x, *x->t, x->q, x->v, x->f);
  if (rc) return rc;
  ns_rigid_motion_store(o);
  memcpy(o->v, x->v, o->m->nv * sizeof *o->v);
  memcpy(o->f, x->f, o->m->nv * sizeof *o->f);
  energy(o, x->q, x->v, &x->cert->kinetic, &x->cert->potential);
  x->cert->energy0 = x->cert->kinetic + x->cert->potential;
  return isfinite(x->cert->energy0) ? NS_OK : ns_rigid_motion_blame(o, c);
}
