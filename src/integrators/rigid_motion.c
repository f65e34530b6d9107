/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/rigid_motion.h"

#include "algebra/vector.h"
#include "integrators/rigid_motion_parts.h"
#include "model/systems/mechanics.h"
#include "model/systems/rigid_body.h"

#include <string.h>

enum { MANY = 500 }; /* bodies that are worth threads */

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
  memcpy(p->I, b->inertia, ns_rigid_inertia_size(o) * sizeof *p->I);
  p->gyroscopic = (unsigned char)(turns_alone(s) ? NS_GYROSCOPIC_NONE : b->gyroscopic);
  int nheld = 0;
  for (int i = 0; i < s->n; i++) nheld += o->held[s->v + (size_t)i];
  p->nheld = (unsigned char)nheld;
  p->kind = !is_free || p->nheld ? NS_W_ALL : ns_rigid_spins(p) ? NS_W_SPIN : NS_W_REST;
  p->when_there = p->kind;
  o->one_pass = o->one_pass && is_free && !ns_rigid_spins(p);
  o->steady = o->steady && p->steady;
  o->conservative = o->conservative && p->steady && !b->mext.how && !b->fint.how && !b->mint.how;
  if (b->fext.how == NS_OP_CONSTANT && !b->fext_in_body)
    for (int i = 0; i < b->fext.rows; i++)
      o->known[s->v + (size_t)i] = ns_operator_entry(&b->fext, i, 0);
}

static int get_memory(ns_rigid_motion *o)
{
  size_t n = (size_t)o->nbodies, nv = o->m->nv, w = ns_mechanics_work_max(o->m);
  size_t b = ns_model_targets_work(o->m);
  const size_t d = sizeof(double);
  double *I = NULL;
  const ns_array want[] = {{&o->q, o->m->nq, d},
                           {&o->within, o->m->nq, d},
                           {&o->v, nv, d},
                           {&o->r, nv, d},
                           {&o->vfree, nv, d},
                           {&o->known, nv, d},
                           {&o->target, nv, d},
                           {&o->work, (w > b ? w : b) + 3 * NS_RIGID_MAX * NS_RIGID_MAX, d},
                           {&o->held, nv, 1},
                           {&o->part, n, sizeof *o->part},
                           {&I, n * ns_rigid_inertia_size(o), d}};
  if (ns_arena_arrays(o->mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  for (size_t k = 0; k < n; k++) o->part[k].I = I + k * ns_rigid_inertia_size(o);
  return NS_OK;
}

static void list_held(ns_rigid_motion *o)
{
  ns_model_mark_held(o->m, o->held);
  o->nheld = ns_model_count_held(o->m);
}

/* F where it is not just what is known. */
static int get_forces(ns_rigid_motion *o)
{
  o->f = o->known;
  if (o->conservative && o->steady && !o->drives) return NS_OK;
  return (o->f = ns_arena_zero(o->mem, o->m->nv, sizeof *o->f)) ? NS_OK : NS_NOMEM;
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
  for (int k = 0; k < o->nbodies; k++) any |= o->part[k].s->rigid.life != NULL;
  return any && !(o->away = ns_arena_zero(o->mem, (size_t)o->nbodies, 1)) ? NS_NOMEM : NS_OK;
}

/* Who is there in the step that ends at t1. */
static void let_live(ns_rigid_motion *o)
{
  size_t each = ns_rigid_inverse_size(o);
  o->came_or_went = 0;
  for (int k = 0; k < o->nbodies && o->away; k++) {
    ns_rigid_part *p = &o->part[k];
    int there = ns_life_holds(p->s->rigid.life, ns_life_step_end(o->t1, o->h));
    if (there == !o->away[k]) continue;
    double *rest = o->rest + (size_t)k * each, *inverse = o->inverse + (size_t)k * each;
    o->away[k] = !there;
    o->came_or_went = 1;
    p->kind = there ? p->when_there : NS_W_AWAY;
    memset(rest, 0, each * sizeof *rest);
    if (there) ns_rigid_motion_inertia(o, p, rest);
    if (inverse != rest) memcpy(inverse, rest, each * sizeof *rest);
  }
}

static int is_diagonal(const ns_rigid_motion *o, const ns_rigid_part *p)
{
  int all = 1;
  for (size_t i = 0; i < ns_rigid_inertia_size(o); i++) all = all && (i % 4 == 0 || p->I[i] == 0);
  return all;
}

/* M^-1 of all, which is W^-1 where nothing but M is in W. */
static int get_rest(ns_rigid_motion *o)
{
  size_t n = (size_t)o->nbodies, each;
  int same = 1;
  for (size_t k = 0; k < n; k++) same = same && o->part[k].kind == NS_W_REST;
  o->diagonal = same && !o->drives;
  for (size_t k = 0; k < n; k++) o->diagonal = o->diagonal && is_diagonal(o, &o->part[k]);
  each = ns_rigid_inverse_size(o);
  if (!(o->inverse = ns_arena_zero(o->mem, n * each, sizeof *o->inverse))) return NS_NOMEM;
  o->rest = same ? o->inverse : ns_arena_zero(o->mem, n * each, sizeof *o->rest);
  for (size_t k = 0; k < n && o->rest; k++)
    ns_rigid_motion_inertia(o, &o->part[k], o->rest + k * each);
  if (o->rest && !same) memcpy(o->inverse, o->rest, n * each * sizeof *o->rest);
  return o->rest ? NS_OK : NS_NOMEM;
}

int ns_rigid_motion_create(ns_ctx *c, const ns_model *m, ns_team *team, ns_rigid_motion **out)
{
  ns_rigid_motion *o = *out = NS_ARENA_OBJECT(ns_rigid_motion, mem);
  if (!o) return ns_nomem(c, "rigid bodies");
  *o = (ns_rigid_motion){.mem = o->mem,
                         .m = m,
                         .team = team,
                         .nbodies = m->nsystems,
                         .dof = m->systems[0].n,
                         .theta = m->sim.mj.theta,
                         .part_within = ns_rows_gamma(&m->sim.mj),
                         .one_pass = 1,
                         .steady = 1,
                         .conservative = 1,
                         .unit = 1};
  int rc = get_memory(o) ? ns_nomem(c, "rigid bodies") : NS_OK;
  if (!rc) {
    list_held(o);
    rc = ns_rigid_drives_create(c, m, o->mem, &o->drives);
    if (!rc) rc = ns_rigid_motion_groups_create(o, c);
  }
  for (int k = 0; k < o->nbodies && !rc; k++) describe(o, k);
  if (!rc && (get_forces(o) || get_spin(o) || get_rest(o) || get_away(o)))
    rc = ns_nomem(c, "rigid bodies");
  if (!rc) return NS_OK;
  ns_rigid_motion_destroy(o);
  *out = NULL;
  return rc;
}

void ns_rigid_motion_destroy(ns_rigid_motion *o)
{
  if (!o) return;
  ns_rigid_motion_groups_fini(o);
  ns_arena_destroy(o->mem);
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
  size_t at = ns_rigid_velocities_at(o, p);
  const double *v0 = o->x->v + at, *v = o->v + at, *f = o->f + at, *f0 = o->x->f + at;
  double a = o->h * o->theta, b = o->h - a, *r = o->r + at, d[NS_RIGID_MAX];
  ns_linear_sum((size_t)n, v, -1, v0, d);
  times_mass(p, n, d, r);
  for (int i = 0; i < n; i++) r[i] -= a * f[i] + b * f0[i];
  if (p->gyroscopic != NS_GYROSCOPIC_NONE) add_spin(o, p, v0 + 3, v + 3, r + 3);
}

/* Residual of one body. */
static void residual_of(ns_rigid_motion *o, const ns_rigid_part *p)
{
  if (o->dof == 6) residual_by(o, p, 6);
  else residual_by(o, p, 3);
  if (p->kind == NS_W_AWAY)
    memset(o->r + ns_rigid_velocities_at(o, p), 0, (size_t)o->dof * sizeof *o->r);
}

static int force_of(ns_rigid_motion *o, ns_ctx *c, const ns_rigid_part *p, double t,
                    const double *q, const double *v, double *f)
{
  ns_point at = ns_rigid_point_of(o, p->s, t, q, v);
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
  double a = o->h * o->theta, b = o->h - a, step[NS_RIGID_MAX];
  const double *v = o->v + ns_rigid_velocities_at(o, p),
               *v0 = o->x->v + ns_rigid_velocities_at(o, p);
  q += ns_rigid_coordinates_at(o, p);
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
  if (o->f != o->known) memcpy(o->f, x->f, o->m->nv * sizeof *o->f); /* constant forces stay */
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
  double y[NS_RIGID_MAX], size = 0;
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
    double e = wrench_norm(o, &o->part[k], x + ns_rigid_velocities_at(o, &o->part[k]));
    sum += e * e;
  }
  return sqrt(sum);
}

double ns_rigid_motion_equation(const ns_rigid_motion *o, int k, const double *p, double inertial)
{
  const ns_time_stepping_options *t = &o->m->sim.ts;
  const ns_rigid_part *b = &o->part[k];
  size_t at = ns_rigid_velocities_at(o, b), n = (size_t)o->dof;
  double d[NS_RIGID_MAX];
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
  return ns_rigid_motion_equation(o, k, p + ns_rigid_velocities_at(o, b), momentum_of(o, b));
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
  double y[NS_RIGID_MAX], sum = 0;
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
    const double *known = o->known + ns_rigid_velocities_at(o, p),
                 *x = q + ns_rigid_coordinates_at(o, p);
    for (int i = 0; i < moves; i++) U -= known[i] * x[i];
  }
  return U;
}

static void energy(const ns_rigid_motion *o, const double *q, const double *v, double *kinetic,
                   double *potential)
{
  double T = 0;
  for (const ns_rigid_part *p = o->part; p < o->part + o->nbodies; p++)
    T += o->dof == 6 ? twice_kinetic(p, 6, v + ns_rigid_velocities_at(o, p))
                     : twice_kinetic(p, 3, v + ns_rigid_velocities_at(o, p));
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
    if (ns_rigid_motion_is_away(o, i)) continue;
    w += (a * (f[i] - o->known[i]) + b * (f0[i] - o->known[i])) * (v[i] + v0[i]) / 2;
    if (o->held[i]) w += (o->r[i] - p[i]) * (v[i] + v0[i]) / 2;
  }
  for (size_t i = 0; i < o->m->nv && o->known1; i++)
    w -= (a * o->known1[i] + b * o->known0[i]) * (v[i] + v0[i]) / 2;
  for (size_t i = 0; i < o->m->nv && o->steady && !o->nheld; i++)
    if (!ns_rigid_motion_is_away(o, i)) w += o->h * (f[i] - o->known[i]) * (v[i] + v0[i]) / 2;
  return w;
}

static void take_supports(const ns_rigid_motion *o, ns_state *x, const double *p)
{
  for (size_t i = 0; i < o->m->nv; i++)
    x->support[i] = o->held[i] && !ns_rigid_motion_is_away(o, i) ? o->r[i] - p[i] : 0;
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
  if (o->f != o->known) memcpy(o->f, x->f, o->m->nv * sizeof *o->f);
  energy(o, x->q, x->v, &x->cert->kinetic, &x->cert->potential);
  x->cert->energy0 = x->cert->kinetic + x->cert->potential;
  return isfinite(x->cert->energy0) ? NS_OK : ns_rigid_motion_blame(o, c);
}
