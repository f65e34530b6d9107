/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/theta.h"

#include "algebra/dense.h"
#include "algebra/vector.h"
#include "integrators/groups.h"
#include "integrators/linear_step.h"
#include "integrators/rate_base.h"
#include "model/check/diagnose.h"
#include "model/foreign.h"
#include "model/systems/first_order.h"
#include "model/systems/lagrangian.h"
#include "model/systems/rigid_body.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const ns_theta_scheme ns_theta_schemes[] = {
    {"EulerMoreauOSI",
     "Euler-Moreau theta-gamma scheme for first-order systems, inputs and laws implicit"},
    {"ZeroOrderHoldOSI",
     "exact motion of linear first-order systems, inputs constant over each step"},
    {NULL, NULL}};

/* One system. Matrices by columns. */
typedef struct part {
  const ns_system *s;
  int n, second; /* of second order */
  int body;      /* its number among rigid bodies; -1: it is none */
  double theta, mass_gamma;
  double after, before; /* of first order: weights of the inputs r_k+1 and r_k in h r */
  int held, tangent;    /* zero-order hold; some relation with a K acts on it */
  ns_linear_step *step; /* of first order: by constant matrices, or held; NULL: neither */
  int group, at;        /* in the group's vector */
  int moving, has_mass; /* M depends on the state or on time; a constant one stands in M */
  double *M;            /* [n x n] */
  double *dq, *dv;      /* dF/dq, dF/dv, or dF/dx and NULL [n x n] */
  ns_foreign_part foreign[NS_FOREIGN_PARTS];
  double size; /* sum |W| |u| over its rows: of the terms whose rounding R keeps */
} part;

typedef struct group {
  int n, factored;
  int nheld, *held;      /* prescribed velocities: places in it */
  double *W, *last, *LU; /* [n x n] now, and as factored */
  int *piv;
  /* its only system, which has a step of its own and no W; NULL: it is not like that */
  const ns_linear_step *only;
  int holds; /* systems of zero-order hold, of a group with a W */
} group;

struct ns_theta {
  const ns_model *m;
  ns_rigid_motion *bodies; /* NULL: none */
  int nbodies;
  int *body;  /* the system of each [nbodies] */
  int *place; /* scratch: where the bodies of a group of drives stand in W [nbodies] */
  const ns_state *bodies_x;
  ns_arena *mem;
  part *of; /* [nsystems] */
  group *group;
  ns_rate_groups groups;
  double *lever;     /* of entries of u: how positions and states follow them, h theta or 1 [nv] */
  const ns_state *x; /* at the begin of the step */
  double t1, h;
  double *q, *v;           /* the iterate */
  rate_base base;          /* of systems of first order: f_k, rates */
  int nfirst, ngeneral;    /* how many are of first order; how many have no step of their own */
  int nbusy;               /* how many have something to begin in each step */
  double where;            /* weight of the end of the step where relations are evaluated */
  ns_sparse_step *sparse;  /* all systems, without a W of groups; NULL: groups have them */
  int dirty;               /* steps of systems have changed since the last linearise */
  double *after;           /* weights of inputs, of entries of u [nv] */
  double *F0, *F1;         /* at both ends [nv]; F0 of mechanics alone, see f_begin */
  double *hold_free;       /* x_free of held systems [nv] */
  double *gyr, *potential; /* of the last evaluation: fGyr; constant forces with a potential [nv] */
  double *work0, *work1;   /* forces that do work without a known potential, at both ends [nv] */
  double *R;               /* [nv] */
  double *Mdu;             /* [nv] */
  double *there, *noise;   /* of ns_theta_residual_to_rounding [nv] */
  int nheld;               /* prescribed velocities: */
  unsigned char *held;     /* [nv] */
  double *target, *shift;  /* their values at t1; W times their way there [nv] */
  double *target_work;
  double *scratch, *work;
  int fresh;        /* R and F1 are those of the iterate */
  int bodies_fresh; /* and those of bodies */
};

/* ---- groups ---------------------------------------------------------------------------------- */

/* A system with those that a variable which it reads depends on. */
static void join_variable(const ns_model *m, int *up, int system, const ns_foreign_variable *v)
{
  int systems[NS_FOREIGN_SYSTEMS];
  for (int k = 0, n = ns_foreign_systems(m, v, systems); k < n; k++)
    ns_groups_join(up, system, systems[k]);
}

/* Bodies with what acts between them, and with what its formulas read. */
static void join_drives(const ns_theta *o, int *up)
{
  const ns_rigid_drives *d = o->bodies ? o->bodies->drives : NULL;
  for (int g = 0; d && g < d->ngroups; g++)
    for (int k = d->from[g] + 1; k < d->from[g + 1]; k++)
      ns_groups_join(up, o->body[d->member[d->from[g]]], o->body[d->member[k]]);
  for (int k = 0; d && k < d->nreaders; k++) {
    const ns_drives_reader *r = &d->reader[k];
    const ns_foreign *f = r->by.op->foreign;
    for (int side = 0; side < d->at[r->drive].sides; side++)
      for (int j = 0; j < f->n && d->drive[r->drive].body[side] >= 0; j++)
        join_variable(o->m, up, o->body[d->drive[r->drive].body[side]], &f->of[j]);
  }
}

/* What a held system reads is that of the begin of the step. */
static void join_all(const ns_model *m, part *of, int *up)
{
  ns_groups_begin(up, m->nsystems);
  for (int i = 0; i < m->nsystems; i++)
    for (const ns_foreign_part *p = of[i].foreign; p->op && !of[i].held; p++)
      for (int j = 0; p->op->foreign && j < p->op->foreign->n; j++)
        join_variable(m, up, i, &p->op->foreign->of[j]);
  for (int k = 0; k < m->ninteractions; k++) {
    const ns_interaction *it = &m->interactions[k];
    if (ns_interaction_family(it) != NS_FAMILY_FIRST_ORDER ||
        !(ns_relation_present(it) & NS_RELATION_K))
      continue;
    for (int i = 0; i < it->nsystems; i++) {
      of[it->systems[i]].tangent = 1;
      ns_groups_join(up, it->systems[0], it->systems[i]);
    }
  }
}

static int make_groups(ns_theta *o)
{
  int *up = ns_arena_zero(o->mem, (size_t)o->m->nsystems + 1, sizeof *up);
  if (!up) return NS_NOMEM;
  join_all(o->m, o->of, up);
  join_drives(o, up);
  return ns_groups_make(o->mem, o->m, up, &o->groups);
}

/* ---- creation -------------------------------------------------------------------------------- */

/* Constant forces on a body in world axes have a potential. */
static void known_force(const ns_rigid_body *b, double *force)
{
  if (b->fext.how != NS_OP_CONSTANT || b->fext_in_body) return;
  for (int i = 0; i < b->fext.rows; i++) force[i] = ns_operator_entry(&b->fext, i, 0);
}

/* Weights of inputs: those of the scheme's standard form, or of the full one, where relations are
 * evaluated between the ends of the step. */
static void describe_first_order(ns_theta *o, part *p, const ns_integrator_use *use)
{
  o->nfirst++;
  p->held = !strcmp(use->name, "ZeroOrderHoldOSI");
  if (p->held) return;
  if (use->em.full) o->where = use->em.gamma;
  else p->after = use->em.gamma;
  p->before = 1 - p->after;
}

static void describe_part(ns_theta *o, int i)
{
  const ns_model *m = o->m;
  part *p = &o->of[i];
  const ns_system *s = p->s = &m->systems[i];
  const ns_integrator_use sim = {.name = m->sim.integrator, .mj = m->sim.mj, .em = m->sim.em},
                          *use = m->nintegrators ? &m->integrators[s->integrator] : &sim;
  p->n = s->n;
  p->second = ns_system_family(s) != NS_FAMILY_FIRST_ORDER;
  p->body = ns_system_family(s) == NS_FAMILY_RIGID ? o->nbodies++ : -1;
  if (p->body >= 0) o->body[p->body] = i;
  p->theta = p->second ? use->mj.theta : use->em.theta;
  if (s->own_theta) p->theta = s->theta;
  p->mass_gamma = use->mj.mass_gamma;
  p->after = 1;
  ns_foreign_parts(s, p->foreign);
  if (!p->second) describe_first_order(o, p, use);
  for (size_t k = s->v; k < s->v + (size_t)s->n; k++) o->after[k] = p->after;
  if (p->body >= 0) {
    known_force(&s->rigid, o->potential + s->v);
    return;
  }
  p->moving = (p->second ? &s->mass : &s->fo.M)->how > NS_OP_CONSTANT;
  for (int k = 0; k < s->n && p->second && s->fext.how == NS_OP_CONSTANT; k++)
    o->potential[s->v + (size_t)k] = s->fext.value[k];
}

/* A system alone in its group whose W stays as long as h does, or that is held. */
static int make_step(ns_theta *o, ns_ctx *c, int i)
{
  part *p = &o->of[i];
  group *g = &o->group[o->groups.of[i]];
  if (o->sparse) return NS_OK;
  int alone = !p->tangent && o->groups.size[o->groups.of[i]] == p->n, reads = 0, pivot = 0;
  for (const ns_foreign_part *f = p->foreign; f->op; f++) reads |= f->op->foreign != NULL;
  if (p->second || !(p->held || (alone && !reads && ns_first_order_is_lti(p->s)))) return NS_OK;
  p->step = ns_arena_zero(o->mem, 1, sizeof *p->step);
  int rc = !p->step  ? NS_NOMEM
           : p->held ? ns_linear_step_hold(p->step, o->mem, p->s)
                     : ns_linear_step_euler(p->step, o->mem, p->s, p->theta, p->before);
  if (rc) return ns_nomem(c, "integrator");
  if (alone) g->only = p->step;
  else g->holds++;
  if (p->held) rc = ns_linear_step_build(p->step, c, o->m->sim.ts.h, o->work, &pivot);
  return pivot ? ns_rate_base_singular(&o->base, c, i, pivot, "the matrix M") : rc;
}

static int make_part(ns_theta *o, int i)
{
  part *p = &o->of[i];
  size_t nn = (size_t)p->n * (size_t)p->n;
  p->group = o->groups.of[i];
  p->at = o->groups.at[i];
  if (o->sparse) return NS_OK;
  o->nbusy += p->second || (p->step && p->step->G);
  if (!p->step) o->ngeneral++;
  if (o->group[p->group].only) return NS_OK;
  p->M = ns_arena_zero(o->mem, nn, sizeof *p->M);
  p->dq = ns_arena_zero(o->mem, nn, sizeof *p->dq);
  p->dv = p->second ? ns_arena_zero(o->mem, nn, sizeof *p->dv) : p->dq;
  if (p->body >= 0 && p->M) ns_rigid_mass(p->s, p->M);
  p->has_mass = p->body >= 0;
  return p->M && p->dq && p->dv ? NS_OK : NS_NOMEM;
}

static int make_group(ns_theta *o, ns_ctx *c, int g)
{
  group *k = &o->group[g];
  size_t n = (size_t)(k->n = o->groups.size[g]);
  if (k->only || o->sparse) return NS_OK;
  k->W = ns_arena_zero(o->mem, n * n, sizeof *k->W);
  k->last = ns_arena_zero(o->mem, n * n, sizeof *k->last);
  k->LU = ns_arena_zero(o->mem, n * n, sizeof *k->LU);
  k->piv = ns_arena_zero(o->mem, n, sizeof *k->piv);
  k->held = ns_arena_zero(o->mem, n, sizeof *k->held);
  if (!k->W || !k->last || !k->LU || !k->piv || !k->held) return ns_nomem(c, "integrator");
  for (size_t i = 0; i < o->m->nv && o->nheld; i++)
    if (o->held[i] && o->groups.group[i] == g) k->held[k->nheld++] = o->groups.place[i];
  return ns_dense_prepare(c, k->n);
}

/* Doubles for one system: a derivative by others, a Jacobian, a vector, and what its functions
 * need. */
static size_t work_of(const ns_theta *o, const ns_system *s, const part *p)
{
  size_t max = 0, n = (size_t)s->n;
  for (const ns_foreign_part *f = p->foreign; f->op; f++)
    if (f->op->foreign && (size_t)f->op->foreign->n > max) max = (size_t)f->op->foreign->n;
  if (o->sparse) return ns_first_order_work(s);
  size_t own = p->body >= 0 ? ns_rigid_work(s)
               : p->second  ? ns_lagrangian_work(s)
                            : ns_linear_step_work(s, p->held);
  return n * max + n * n + 2 * n + own;
}

static int get_memory(ns_theta *o)
{
  size_t nv = o->m->nv, work = 1, big = 1;
  double **vec[] = {&o->v,     &o->lever,     &o->after,     &o->F0,    &o->F1,    &o->gyr,
                    &o->R,     &o->target,    &o->potential, &o->work0, &o->work1, &o->Mdu,
                    &o->shift, &o->hold_free, &o->there,     &o->noise};
  int ok = 1;
  for (size_t k = 0; k < sizeof vec / sizeof *vec; k++)
    ok = (*vec[k] = ns_arena_zero(o->mem, nv, sizeof(double))) && ok;
  o->q = ns_arena_zero(o->mem, o->m->nq, sizeof *o->q);
  o->body = ns_arena_zero(o->mem, (size_t)o->m->nsystems, sizeof *o->body);
  o->place = ns_arena_zero(o->mem, (size_t)o->m->nsystems, sizeof *o->place);
  o->held = ns_arena_zero(o->mem, nv, 1);
  o->target_work = ns_arena_zero(o->mem, ns_model_targets_work(o->m), sizeof *o->target_work);
  if (!ok || !o->q || !o->held || !o->target_work) return NS_NOMEM;
  if (!o->body || !o->place) return NS_NOMEM;
  ns_model_mark_held(o->m, o->held);
  o->nheld = ns_model_count_held(o->m);
  for (int i = 0; i < o->m->nsystems; i++) describe_part(o, i);
  for (int i = 0; i < o->m->nsystems; i++) {
    size_t w = work_of(o, &o->m->systems[i], &o->of[i]);
    work = w > work ? w : work;
  }
  if (make_groups(o)) return NS_NOMEM;
  for (int g = 0; g < o->groups.n; g++)
    big = (size_t)o->groups.size[g] > big ? (size_t)o->groups.size[g] : big;
  o->work = ns_arena_zero(o->mem, work > big ? work : big, sizeof *o->work);
  o->scratch = ns_arena_zero(o->mem, big, sizeof *o->scratch);
  o->group = ns_arena_zero(o->mem, (size_t)o->groups.n, sizeof *o->group);
  return o->work && o->scratch && o->group ? NS_OK : NS_NOMEM;
}

/* The motion of bodies works in the vectors of all. */
static void lend(ns_theta *o)
{
  size_t q = o->bodies->m->part_q, v = o->bodies->m->part_v;
  ns_rigid_motion_lend(o->bodies, o->q + q, o->v + v, o->F1 + v, o->R + v, o->target + v);
}

/* All systems in one sparse matrix, by the scheme of the model. */
static int make_sparse(ns_theta *o)
{
  o->sparse = ns_arena_zero(o->mem, 1, sizeof *o->sparse);
  if (!o->sparse) return NS_NOMEM;
  return ns_sparse_step_create(o->sparse, o->mem, o->m, o->m->sim.em.theta);
}

static int create(ns_theta *o, ns_ctx *c, int sparse)
{
  int n = o->m->nsystems, rc = o->mem ? NS_OK : NS_NOMEM;
  if (!rc && !(o->of = ns_arena_zero(o->mem, (size_t)n, sizeof *o->of))) rc = NS_NOMEM;
  if (!rc && sparse) rc = make_sparse(o);
  if (!rc) rc = get_memory(o);
  if (rc) rc = ns_nomem(c, "integrator");
  if (!rc) rc = ns_rate_base_init(&o->base, c, o->m);
  if (!rc) rc = ns_rate_base_masses(&o->base, c, sparse ? &o->sparse->M : NULL);
  for (int i = 0; i < n && !rc; i++) rc = make_step(o, c, i);
  for (int i = 0; i < n && !rc; i++)
    if (make_part(o, i)) rc = ns_nomem(c, "integrator");
  for (int g = 0; g < o->groups.n && !rc; g++) rc = make_group(o, c, g);
  if (!rc && o->bodies) lend(o);
  return rc;
}

static int create_as(ns_ctx *c, const ns_theta *as, int sparse, ns_theta **out)
{
  ns_theta *o = *out = calloc(1, sizeof *o);
  if (!o) return ns_nomem(c, "integrator");
  *o = *as;
  o->mem = ns_arena_create(0, 1);
  o->where = 1;
  o->dirty = 1;
  int rc = create(o, c, sparse);
  if (!rc) return NS_OK;
  ns_theta_destroy(o);
  *out = NULL;
  return rc;
}

int ns_theta_create(ns_ctx *c, const ns_model *m, ns_rigid_motion *bodies,
                    const ns_state *of_bodies, ns_theta **out)
{
  return create_as(c, &(ns_theta){.m = m, .bodies = bodies, .bodies_x = of_bodies}, 0, out);
}

int ns_theta_create_sparse(ns_ctx *c, const ns_model *m, ns_theta **out)
{
  return create_as(c, &(ns_theta){.m = m}, 1, out);
}

void ns_theta_destroy(ns_theta *o)
{
  if (!o) return;
  ns_rate_base_fini(&o->base);
  ns_arena_destroy(o->mem);
  free(o);
}

size_t ns_theta_bytes(const ns_theta *o)
{
  return ns_arena_used(o->mem) + ns_arena_used(o->base.mem) + sizeof *o;
}

static int is_linear(const ns_theta *o)
{
  int linear = 1;
  for (int i = 0; i < o->m->nsystems && linear; i++) {
    const part *p = &o->of[i];
    linear = !p->second && (p->held || ns_first_order_is_linear(p->s));
    for (const ns_foreign_part *f = p->foreign; f->op && !p->held; f++)
      linear = linear && !f->op->foreign;
  }
  return linear;
}

void ns_theta_info(const ns_theta *o, ns_integrator_info *info)
{
  *info = (ns_integrator_info){.linear = is_linear(o), .bytes = ns_theta_bytes(o)};
  for (int i = 0; i < o->m->nsystems; i++) {
    const part *p = &o->of[i];
    int constant = o->sparse || (p->step && !p->step->moving);
    info->dense += constant;
    info->nonlinear += !constant;
    info->differenced += !p->second && ns_first_order_differenced(p->s);
  }
}

ns_theta_view ns_theta_look(const ns_theta *o)
{
  return (ns_theta_view){.q = o->q,
                         .v = o->v,
                         .after = o->after,
                         .lever = o->lever,
                         .where = o->where,
                         .linear = is_linear(o),
                         .groups = &o->groups};
}

/* Of a joint or a line between bodies. */
static int moves_between(const ns_theta *o, const ns_foreign_variable *v, int *entry, double *by)
{
  int systems[NS_FOREIGN_SYSTEMS], n = 0;
  double by_v[NS_DRIVE_WIDTH];
  ns_foreign_between(o->m, v, o->q, o->v, NULL, by, by_v);
  for (int k = 0, m = ns_foreign_systems(o->m, v, systems); k < m; k++) {
    const part *p = &o->of[systems[k]];
    for (int i = 0; i < p->n; i++, n++) {
      entry[n] = (int)p->s->v + i;
      by[n] = by_v[n] + o->h * p->theta * by[n];
    }
  }
  return n;
}

/* Of an entry of a system. */
static int moves_of(const ns_theta *o, const ns_foreign_variable *v, int *entry, double *by)
{
  enum { TURN = 3 }; /* where coordinates and increments of orientations begin */
  const part *p = &o->of[v->system];
  double T[6];
  int first = (int)p->s->v;
  if (v->bank == NS_BANK_Z) return 0;
  entry[0] = first + v->k;
  by[0] = v->bank == NS_BANK_Q && p->second ? o->h * p->theta : 1;
  if (v->bank == NS_BANK_V || p->s->nq == p->n || v->k < TURN) return 1;
  ns_rigid_coordinate_rate(p->s, o->q + p->s->q, v->k, T);
  for (int i = 0; i < 3; i++) {
    entry[i] = first + TURN + i;
    by[i] = o->h * p->theta * T[TURN + i];
  }
  return 3;
}

int ns_theta_moves(const ns_theta *o, const ns_foreign_variable *v, int entry[NS_THETA_MOVES],
                   double by[NS_THETA_MOVES])
{
  return v->of == NS_OF_SYSTEM ? moves_of(o, v, entry, by) : moves_between(o, v, entry, by);
}

/* ---- evaluation ------------------------------------------------------------------------------ */

static ns_point point_of(const ns_theta *o, const ns_system *s, double t, const double *q,
                         const double *v, double *z)
{
  return ns_system_point_among(s, t, q, v, z, (ns_others){q, v, z, o->x->angle});
}

/* F and what of it does work that no potential knows; fGyr does none. */
static int force(ns_theta *o, ns_ctx *c, const part *p, double t, const double *q, const double *v,
                 double *z, double *F, double *working)
{
  const ns_system *s = p->s;
  ns_point at = point_of(o, s, t, q, v, z);
  F += s->v;
  if (!p->second) return ns_first_order_field(s, c, &at, o->work, F);
  int rc = ns_lagrangian_force(s, c, &at, o->work, F, o->gyr + s->v);
  working += s->v;
  for (int i = 0; i < s->n; i++)
    working[i] = F[i] + o->gyr[s->v + (size_t)i] - o->potential[s->v + (size_t)i];
  ns_operator_gemv_add(1, &s->stiffness, at.q, working);
  return rc;
}

static int mass(ns_theta *o, ns_ctx *c, const part *p, double t, const double *q, const double *v,
                double *z, double *M)
{
  ns_point at = point_of(o, p->s, t, q, v, z);
  return p->second ? ns_lagrangian_mass(p->s, c, &at, o->work, M)
                   : ns_first_order_mass(p->s, c, &at, o->work, M);
}

/* M of the step: at q_k + massGamma (q - q_k), or at t_k + theta h. */
static int mass_of_step(ns_theta *o, ns_ctx *c, part *p)
{
  const ns_system *s = p->s;
  const double *q0 = o->x->q + s->q, *q = o->q + s->q;
  double *between = o->work, *rest = o->work + s->n;
  if (!p->second) return mass(o, c, p, *o->x->t + p->theta * o->h, o->q, o->v, o->x->z, p->M);
  ns_point at = point_of(o, s, o->t1, o->q, o->v, o->x->z);
  for (int i = 0; i < s->n; i++) between[i] = q0[i] + p->mass_gamma * (q[i] - q0[i]);
  at.q = between;
  return ns_lagrangian_mass(s, c, &at, rest, p->M);
}

static void product(int n, const double *A, const double *x, double *y)
{
  for (int i = 0; i < n; i++) y[i] = 0;
  for (int j = 0; j < n; j++, A += n)
    for (int i = 0; i < n; i++) y[i] += A[i] * x[j];
}

static const double *unknown_of(const part *p, const double *q, const double *v)
{
  return p->second ? v + p->s->v : q + p->s->q;
}

/* F at the begin of the step. */
static const double *f_begin(const ns_theta *o, const part *p)
{
  return (p->second ? o->F0 : o->base.fk) + p->s->v;
}

/* F1 of a system with a step of its own. */
static int evaluate_field(ns_theta *o, ns_ctx *c, part *p)
{
  if (p->held) return force(o, c, p, o->t1, o->q, o->v, o->x->z, o->F1, o->work1);
  ns_linear_step_field(p->step, o->q + p->s->q, o->F1 + p->s->v);
  return NS_OK;
}

/* Of a held system R is in units of its state. */
static void residual_of_held(ns_theta *o, const part *p)
{
  size_t d = p->s->v;
  for (int i = 0; i < p->n; i++, d++) {
    o->R[d] = o->q[p->s->q + (size_t)i] - o->hold_free[d];
    o->Mdu[d] = o->hold_free[d] - o->x->q[p->s->q + (size_t)i];
  }
}

/* F1 and R of one system at the iterate. */
static int evaluate_one(ns_theta *o, ns_ctx *c, part *p)
{
  size_t d = p->s->v;
  if (p->step) {
    if (p->held && !o->group[p->group].only) residual_of_held(o, p);
    return evaluate_field(o, c, p);
  }
  int rc = p->moving || !p->has_mass ? mass_of_step(o, c, p) : NS_OK;
  p->has_mass = 1;
  if (!rc) rc = force(o, c, p, o->t1, o->q, o->v, o->x->z, o->F1, o->work1);
  if (rc) return rc;
  const double *u = unknown_of(p, o->q, o->v), *u0 = unknown_of(p, o->x->q, o->x->v);
  const double *F0 = f_begin(o, p);
  double a = o->h * p->theta, b = o->h * (1 - p->theta);
  for (int i = 0; i < p->n; i++) o->scratch[i] = u[i] - u0[i];
  product(p->n, p->M, o->scratch, o->Mdu + d);
  for (int i = 0; i < p->n; i++)
    o->R[d + (size_t)i] = o->Mdu[d + (size_t)i] - (a * o->F1[d + (size_t)i] + b * F0[i]);
  return NS_OK;
}

static int evaluate(ns_theta *o, ns_ctx *c)
{
  int rc = NS_OK;
  if (o->fresh) return NS_OK;
  if (o->sparse) ns_sparse_step_field(o->sparse, o->q, o->F1);
  for (int i = 0; i < o->m->nsystems && !rc; i++)
    if (o->of[i].body < 0 && !o->sparse) rc = evaluate_one(o, c, &o->of[i]);
  if (!rc && o->bodies && !o->bodies_fresh) rc = ns_rigid_motion_moved(o->bodies, c);
  o->fresh = o->bodies_fresh = !rc;
  if (rc) ns_rate_base_put_back(&o->base);
  return rc;
}

/* ---- iteration matrix ------------------------------------------------------------------------ */

/* dF/dq and dF/dv, or dF/dx, of the system's own variables; of a body its W. */
static int own_tangents(ns_theta *o, ns_ctx *c, part *p)
{
  const ns_system *s = p->s;
  ns_point at = point_of(o, s, o->t1, o->q, o->v, o->x->z);
  size_t nn = (size_t)p->n * (size_t)p->n;
  if (p->body >= 0) return ns_rigid_motion_matrix(o->bodies, c, p->body, p->dq);
  if (!p->second) return ns_first_order_jacobian(s, c, &at, o->work, p->dq);
  int rc = ns_lagrangian_tangents(s, c, &at, o->work, p->dq, p->dv);
  for (size_t i = 0; i < nn; i++) p->dq[i] = -p->dq[i], p->dv[i] = -p->dv[i];
  for (int j = 0; j < p->n; j++)
    for (int i = 0; i < p->n; i++) {
      if (s->stiffness.how) p->dq[i + j * p->n] -= ns_operator_entry(&s->stiffness, i, j);
      if (s->damping.how) p->dv[i + j * p->n] -= ns_operator_entry(&s->damping, i, j);
    }
  return rc;
}

static void put_own(const ns_theta *o, const part *p, group *g)
{
  double a = o->h * p->theta;
  for (int j = 0; j < p->n; j++)
    for (int i = 0; i < p->n; i++) {
      int e = i + j * p->n;
      double dF = p->second ? p->dv[e] + a * p->dq[e] : p->dq[e];
      double own = p->body >= 0 ? p->dq[e] : p->M[e] - a * dF;
      g->W[(size_t)(p->at + i) + (size_t)(p->at + j) * (size_t)g->n] += own;
    }
}

/* Columns of the systems that a function of this one reads. */
static void put_foreign(ns_theta *o, const part *p, const ns_foreign_part *f, group *g)
{
  const ns_foreign *k = f->op->foreign;
  ns_point at = point_of(o, p->s, o->t1, o->q, o->v, o->x->z);
  int rows = f->op->rows * f->op->cols, entry[NS_THETA_MOVES];
  double *J = o->work, *F = J + (size_t)p->n * (size_t)k->n, by[NS_THETA_MOVES];
  ns_operator_eval_foreign(f->op, &at, F + p->n, J);
  for (int j = 0; j < k->n; j++, J += rows) {
    int moves = ns_theta_moves(o, &k->of[j], entry, by);
    if (p->body >= 0) ns_rigid_as_force(p->s, f->op, at.q, J, F);
    else
      for (int i = 0; i < p->n; i++) F[i] = f->sign * J[i];
    for (int e = 0; e < moves; e++) {
      double *column = g->W + (size_t)p->at + (size_t)o->groups.place[entry[e]] * (size_t)g->n;
      for (int i = 0; i < p->n; i++) column[i] -= o->h * p->theta * by[e] * F[i];
    }
  }
}

/* What acts between bodies: blocks of two of them. Those of one are in its own. */
static void put_drives(ns_theta *o)
{
  const ns_rigid_drives *d = o->bodies->drives;
  double a = o->h * o->bodies->theta;
  for (int g = 0; g < d->ngroups; g++) {
    const group *to = &o->group[o->groups.of[o->body[d->member[d->from[g]]]]];
    for (int k = d->from[g]; k < d->from[g + 1]; k++)
      o->place[k - d->from[g]] = o->groups.at[o->body[d->member[k]]];
    ns_group_matrix W = {.n = to->n, .W = to->W, .at = o->place};
    ns_rigid_drives_couple(d, g, a, a * a, a * a, &W);
  }
}

/* Columns of the systems that their formulas read. */
static void put_drives_by_others(ns_theta *o)
{
  ns_rigid_motion *b = o->bodies;
  int entry[NS_THETA_MOVES];
  double by[NS_THETA_MOVES];
  ns_rigid_drives_by_others(b->drives, o->bodies_x, o->t1, b->q, b->v);
  for (int k = 0; k < b->drives->nreaders; k++) {
    const ns_drives_reader *r = &b->drives->reader[k];
    const ns_foreign *f = r->by.op->foreign;
    int sides = b->drives->at[r->drive].sides;
    const double *J = r->J;
    for (int j = 0; j < f->n; j++, J += sides * b->dof) {
      int moves = ns_theta_moves(o, &f->of[j], entry, by);
      for (int e = 0; e < moves * sides; e++) {
        int side = e / moves, body = b->drives->drive[r->drive].body[side];
        if (body < 0) continue;
        const part *p = &o->of[o->body[body]];
        const group *g = &o->group[p->group];
        double *column = g->W + (size_t)p->at +
                         (size_t)o->groups.place[entry[e % moves]] * (size_t)g->n;
        for (int i = 0; i < b->dof; i++)
          column[i] -= o->h * p->theta * by[e % moves] * J[side * b->dof + i];
      }
    }
  }
}

/* W -= h after K, K by positions and states, which follow u by their levers. */
static void put_input(ns_theta *o, const ns_rate_tangent *t)
{
  const ns_interaction *it = &o->m->interactions[t->interaction];
  const double *K = t->K;
  int some = 0;
  for (int e = 0; e < it->nQ * it->nQ && !some; e++) some = K[e] != 0;
  if (!some) return; /* most of those without a multiplier */
  for (int a = 0; a < it->nsystems; a++) {
    const part *by = &o->of[it->systems[a]];
    double lever = by->n ? o->lever[by->s->v] : 0;
    for (int j = 0; j < by->n; j++)
      for (int e = 0; e < it->nsystems; e++) {
        const part *of = &o->of[it->systems[e]];
        group *g = &o->group[of->group];
        for (int i = 0; i < of->n; i++)
          g->W[(size_t)(of->at + i) + (size_t)(by->at + j) * (size_t)g->n] -= o->h * of->after *
                                                                              lever * *K++;
      }
  }
}

/* Rows of held systems: I + G/h times what inputs have put there. */
static void close_holds(ns_theta *o, int g)
{
  group *k = &o->group[g];
  const ns_rate_groups *r = &o->groups;
  size_t n = (size_t)k->n;
  for (int e = r->first[g]; e < r->first[g + 1]; e++) {
    const part *p = &o->of[r->list[e]];
    for (size_t j = 0; j < n && p->held; j++) {
      double *column = k->W + (size_t)p->at + j * n;
      ns_linear_step_gain(p->step, 1, column, o->work);
      if (j >= (size_t)p->at && j < (size_t)(p->at + p->n)) column[j - (size_t)p->at] += 1;
    }
  }
}

/* The system and entry of row k of a group. */
static int singular(const ns_theta *o, ns_ctx *c, int g, int k)
{
  char at[512], name[32];
  const ns_rate_groups *r = &o->groups;
  int i = r->first[g];
  while (i + 1 < r->first[g + 1] && r->at[r->list[i + 1]] <= k) i++;
  const ns_system *s = &o->m->systems[r->list[i]];
  if (o->nfirst == o->m->nsystems)
    return ns_rate_base_singular(&o->base, c, r->list[i], k - r->at[r->list[i]] + 1,
                                 "the iteration matrix M - h theta df/dx - h gamma dR/dX");
  return ns_fail(
      c, NS_NUMERIC,
      "%s: the iteration matrix of the systems that are coupled with it is singular at t = %.10g s "
      "(component %s), h = %g s; check its mass and derivatives there, or use another h",
      ns_place_text(&s->at, at, sizeof at), o->t1,
      ns_system_coordinate(s, k - r->at[r->list[i]], name, sizeof name), o->h);
}

static double *unknowns(const ns_theta *o, const part *p)
{
  return p->second ? o->v + p->s->v : o->q + p->s->q;
}

/* Moments on bodies count like forces (rigid_motion.h). */
static double lever(const ns_theta *o, const part *p, int i)
{
  return p->body < 0 ? 1 : ns_rigid_motion_lever(o->bodies, p->body, i);
}

/* How large the terms are that cancel in the rows of each system. */
static void measure(ns_theta *o, int g)
{
  const group *k = &o->group[g];
  const ns_rate_groups *r = &o->groups;
  for (int e = r->first[g]; e < r->first[g + 1]; e++) o->of[r->list[e]].size = 0;
  for (int e = r->first[g]; e < r->first[g + 1]; e++) {
    const part *by = &o->of[r->list[e]];
    const double *u = unknowns(o, by);
    for (int j = 0; j < by->n; j++) {
      const double *column = k->W + (size_t)(by->at + j) * (size_t)k->n;
      for (int f = r->first[g]; f < r->first[g + 1]; f++) {
        part *p = &o->of[r->list[f]];
        for (int i = 0; i < p->n; i++) p->size += fabs(column[p->at + i] * u[j]) / lever(o, p, i);
      }
    }
  }
}

/* Prescribed velocities of a group are known: what they do to the others goes to `shift`, of theirs
 * their way to the target. */
static void hold(ns_theta *o, int g)
{
  group *k = &o->group[g];
  const ns_rate_groups *r = &o->groups;
  size_t n = (size_t)k->n;
  double *way = o->scratch, *lack = o->work;
  memset(way, 0, n * sizeof *way);
  memset(lack, 0, n * sizeof *lack);
  for (int e = r->first[g]; e < r->first[g + 1]; e++) {
    const part *p = &o->of[r->list[e]];
    for (int i = 0; i < p->n; i++) {
      size_t d = p->s->v + (size_t)i;
      if (o->held[d]) way[p->at + i] = o->target[d] - unknowns(o, p)[i];
    }
  }
  for (int h = 0; h < k->nheld; h++) {
    double *column = k->W + (size_t)k->held[h] * n;
    for (size_t i = 0; i < n; i++) lack[i] += column[i] * way[k->held[h]];
  }
  for (int h = 0; h < k->nheld; h++) {
    size_t j = (size_t)k->held[h];
    ns_dense_isolate(k->n, k->W, k->held[h]);
    lack[j] = way[j];
  }
  for (int e = r->first[g]; e < r->first[g + 1]; e++) {
    const part *p = &o->of[r->list[e]];
    memcpy(o->shift + p->s->v, lack + p->at, (size_t)p->n * sizeof *lack);
  }
}

static int factor(ns_theta *o, ns_ctx *c, int g, int *changed)
{
  group *k = &o->group[g];
  size_t bytes = (size_t)k->n * (size_t)k->n * sizeof *k->W;
  if (k->factored && !memcmp(k->W, k->last, bytes)) return NS_OK;
  memcpy(k->LU, k->W, bytes);
  k->factored = 0;
  int pivot = ns_dense_lu(k->n, k->LU, k->n, k->piv);
  if (pivot) return singular(o, c, g, pivot - 1);
  memcpy(k->last, k->W, bytes);
  k->factored = *changed = 1;
  return NS_OK;
}

/* Name what is not finite at the iterate. */
static int blame(const ns_theta *o, ns_ctx *c)
{
  const ns_state *x = o->x;
  ns_moment at = {.from = *x->t,
                  .t = o->t1,
                  .q = o->q,
                  .v = o->v,
                  .z = x->z,
                  .lambda = x->lambda,
                  .force = o->F1,
                  .q0 = x->q,
                  .v0 = x->v,
                  .angle = x->angle};
  ns_rate_base_put_back(&o->base);
  return ns_fail_not_finite(c, o->m, &at);
}

int ns_theta_linearise(ns_theta *o, ns_ctx *c, const ns_rate_tangent *K, int nk, int *changed)
{
  double finite = 0;
  *changed |= o->dirty;
  o->dirty = 0;
  if (!o->ngeneral && !nk) return NS_OK;
  int rc = evaluate(o, c);
  for (size_t i = 0; i < o->m->nv; i++) finite += 0 * o->R[i];
  if (!rc && finite != 0) rc = blame(o, c);
  for (int g = 0; g < o->groups.n && !rc; g++)
    if (!o->group[g].only)
      memset(o->group[g].W, 0, (size_t)o->group[g].n * (size_t)o->group[g].n * sizeof(double));
  for (int i = 0; i < o->m->nsystems && !rc; i++) {
    part *p = &o->of[i];
    if (p->step) continue;
    rc = own_tangents(o, c, p);
    if (!rc) put_own(o, p, &o->group[p->group]);
    for (const ns_foreign_part *f = p->foreign; f->op && !rc; f++)
      if (f->op->foreign) put_foreign(o, p, f, &o->group[p->group]);
  }
  if (!rc && o->bodies && o->bodies->drives) {
    put_drives(o);
    put_drives_by_others(o);
  }
  for (int k = 0; k < nk && !rc; k++) put_input(o, &K[k]);
  for (int g = 0; g < o->groups.n && !rc; g++) {
    if (o->group[g].only) continue;
    if (o->group[g].holds) close_holds(o, g);
    measure(o, g);
    if (o->group[g].nheld) hold(o, g);
    rc = factor(o, c, g, changed);
  }
  return rc;
}

/* What held systems make of impulses, as rows of W; w [n x nrhs] in the order of the group. */
static void hold_impulses(const ns_theta *o, int g, int nrhs, double *w)
{
  const ns_rate_groups *r = &o->groups;
  for (int e = r->first[g]; e < r->first[g + 1]; e++) {
    const part *p = &o->of[r->list[e]];
    for (int j = 0; j < nrhs && p->held; j++)
      ns_linear_step_gain(p->step, 1, w + p->at + j * o->group[g].n, o->work);
  }
}

void ns_theta_gain(const void *of, int g, int nrhs, double *B)
{
  const ns_theta *o = of;
  const group *k = &o->group[g];
  if (k->only) {
    ns_linear_step_gain(k->only, nrhs, B, o->work);
    return;
  }
  if (k->holds) hold_impulses(o, g, nrhs, B);
  for (int j = 0; j < nrhs; j++)
    for (int h = 0; h < k->nheld; h++) B[k->held[h] + j * k->n] = 0;
  ns_dense_lu_solve(k->n, k->LU, k->n, k->piv, nrhs, B, k->n);
}

void ns_theta_input_gain(const void *of, int g, int nrhs, double *B)
{
  const ns_theta *o = of;
  const int *entry = o->groups.entry + o->groups.begin[g];
  for (int j = 0; j < nrhs; j++)
    for (int i = 0, n = o->groups.size[g]; i < n; i++) B[i + j * n] *= o->h * o->after[entry[i]];
  ns_theta_gain(o, g, nrhs, B);
}

void ns_theta_push(const ns_theta *o, const double *input, double *u)
{
  const ns_rate_groups *r = &o->groups;
  for (int g = 0; g < r->n; g++) {
    const int *entry = r->entry + r->begin[g];
    double *w = o->scratch;
    int some = 0;
    for (int i = 0; i < r->size[g]; i++) {
      w[i] = input[entry[i]];
      some |= w[i] != 0;
    }
    if (!some) continue;
    ns_theta_input_gain(o, g, 1, w);
    for (int i = 0; i < r->size[g]; i++) u[entry[i]] += w[i];
  }
}

const ns_blocks *ns_theta_matrix(const ns_theta *o, double *gain)
{
  *gain = o->h * o->of[0].after;
  return &o->sparse->W;
}

/* ---- the step -------------------------------------------------------------------------------- */

/* The matrices of a step of another length, and what a system with a step of its own has in this
 * one. */
static int begin_step(ns_theta *o, ns_ctx *c, const part *p)
{
  const ns_state *x = o->x;
  int pivot = 0, i = (int)(p - o->of), rc = NS_OK;
  ns_linear_step *k = p->step;
  o->dirty |= k->h != o->h;
  if (k->h != o->h) rc = ns_linear_step_build(k, c, o->h, o->work, &pivot);
  if (!rc && (k->hold || k->G)) {
    ns_point at = point_of(o, p->s, *x->t, x->q, x->v, x->z);
    rc = ns_linear_step_begin(k, c, &at, o->t1, f_begin(o, p), x->p + p->s->v, o->work, &o->dirty,
                              &pivot);
  }
  if (!rc && p->held && !o->group[p->group].only)
    ns_linear_step_free(k, x->q + p->s->q, o->hold_free + p->s->v);
  if (!pivot) return rc;
  return ns_rate_base_singular(&o->base, c, i, pivot,
                               p->held ? "the matrix M" : "the iteration matrix M - h theta A");
}

/* Forces on mechanics at the begin, and where it is at first. */
static int begin_motion(ns_theta *o, ns_ctx *c, const part *p)
{
  const ns_state *x = o->x;
  size_t q = p->s->q, v = p->s->v;
  if (p->body >= 0) return NS_OK;
  int rc = force(o, c, p, *x->t, x->q, x->v, x->z, o->F0, o->work0);
  memcpy(o->F1 + v, o->F0 + v, (size_t)p->n * sizeof(double));
  for (int k = 0; k < p->n; k++, q++, v++) o->q[q] += o->h * x->v[v];
  return rc;
}

/* The same of all systems together. */
static int begin_sparse(ns_theta *o, ns_ctx *c)
{
  o->dirty |= o->sparse->h != o->h;
  if (o->sparse->h != o->h) ns_sparse_step_build(o->sparse, o->h);
  return ns_sparse_step_begin(o->sparse, c, o->x, o->t1, o->work);
}

static void set_levers(ns_theta *o)
{
  for (int i = 0; i < o->m->nsystems; i++) {
    const part *p = &o->of[i];
    for (int k = 0; k < p->n; k++)
      o->lever[p->s->v + (size_t)k] = p->second ? o->h * p->theta : o->where;
  }
}

int ns_theta_begin(ns_theta *o, ns_ctx *c, const ns_state *x, double t1, double h)
{
  int rc = NS_OK, other = h != o->h;
  o->x = x;
  o->t1 = t1;
  o->h = h;
  o->fresh = 0;
  memcpy(o->q, x->q, o->m->nq * sizeof *o->q);
  memcpy(o->v, x->v, o->m->nv * sizeof *o->v);
  if (other) set_levers(o);
  if (o->nfirst) rc = ns_rate_base_begin(&o->base, c, x, t1, h);
  if (!rc && o->sparse) rc = begin_sparse(o, c);
  for (int i = 0; i < o->m->nsystems && !rc && (o->nbusy || other); i++) {
    const part *p = &o->of[i];
    if (p->second) rc = begin_motion(o, c, p);
    else if (p->step && (p->step->G || p->step->h != h)) rc = begin_step(o, c, p);
  }
  if (!rc && o->nheld) rc = ns_model_targets(o->m, c, t1, o->target_work, o->target);
  if (!rc && o->bodies) rc = ns_rigid_motion_begin(o->bodies, c, o->bodies_x, t1, h);
  if (!rc && o->bodies && o->bodies->steady) ns_rigid_motion_place(o->bodies);
  o->bodies_fresh = !rc; /* its first iterate is that of the others */
  return rc;
}

/* Inputs of first order at t_k: those of the state. */
static double input_before(const ns_theta *o, const part *p, size_t d)
{
  return p->second ? 0 : o->h * p->before * o->x->p[d];
}

/* What moves entry d from the iterate on. */
static double pushed_by(const ns_theta *o, const part *p, const double *impulse, size_t d)
{
  if (o->held[d]) return o->shift[d];
  return input_before(o, p, d) - o->R[d] - o->shift[d] + (impulse ? impulse[d] : 0);
}

static void free_sparse(ns_theta *o, double *b)
{
  double before = o->h * o->of[0].before;
  for (size_t i = 0; i < o->m->nv; i++) o->R[i] = before * o->x->p[i];
  ns_sparse_step_free(o->sparse, o->x->q, o->base.fk, o->R, b);
}

void ns_theta_free(ns_theta *o, const double *impulse, double *u)
{
  if (o->sparse) {
    free_sparse(o, u);
    return;
  }
  for (int g = 0; g < o->groups.n; g++) {
    const ns_rate_groups *r = &o->groups;
    const group *k = &o->group[g];
    double *w = o->scratch;
    if (k->only) {
      const ns_system *s = k->only->s;
      ns_linear_step_free(k->only, o->x->q + s->q, u + s->v);
      if (k->only->hold) memcpy(o->hold_free + s->v, u + s->v, (size_t)s->n * sizeof *u);
      continue;
    }
    for (int j = r->first[g]; j < r->first[g + 1]; j++) {
      const part *p = &o->of[r->list[j]];
      for (int i = 0; i < p->n; i++) w[p->at + i] = pushed_by(o, p, impulse, p->s->v + (size_t)i);
    }
    ns_dense_lu_solve(k->n, k->LU, k->n, k->piv, 1, w, k->n);
    for (int j = r->first[g]; j < r->first[g + 1]; j++) {
      const part *p = &o->of[r->list[j]];
      const double *was = unknown_of(p, o->q, o->v);
      for (int i = 0; i < p->n; i++) u[p->s->v + (size_t)i] = was[i] + w[p->at + i];
    }
  }
}

double ns_theta_time(const ns_theta *o)
{
  return o->where == 1 ? o->t1 : *o->x->t + o->where * o->h;
}

void ns_theta_set(ns_theta *o, const double *u)
{
  int alone = o->nfirst == o->m->nsystems;
  if (alone) memcpy(o->q, u, o->m->nq * sizeof *u);
  for (int k = 0; k < o->m->nsystems && !alone; k++) {
    const part *p = &o->of[k];
    double a = o->h * p->theta, b = o->h * (1 - p->theta), *q = o->q + p->s->q, *v = o->v + p->s->v;
    const double *u1 = u + p->s->v, *q0 = o->x->q + p->s->q, *v0 = o->x->v + p->s->v;
    if (p->body >= 0) memcpy(v, u1, (size_t)p->n * sizeof *v);
    for (int i = 0; i < p->n && p->body < 0; i++) {
      if (p->second) v[i] = u1[i];
      q[i] = p->second ? q0[i] + (a * u1[i] + b * v0[i]) : u1[i];
    }
  }
  if (o->bodies) ns_rigid_motion_place(o->bodies);
  ns_theta_moved(o);
}

void ns_theta_moved(ns_theta *o) { o->fresh = o->bodies_fresh = 0; }

/* What the residual of entry d is to be: impulses and inputs of the step. */
static double p_of(const ns_theta *o, const part *p, const double *impulse, const double *r,
                   size_t d)
{
  double input = o->h * p->after * r[d];
  return p->second ? impulse[d] + input : input + input_before(o, p, d);
}

/* What the residual of a system is to be: impulses and inputs of the step; to in [n]. */
static void expected(const ns_theta *o, const part *p, const double *impulse, const double *r,
                     double *in)
{
  size_t d = p->s->v;
  for (int i = 0; i < p->n; i++, d++) in[i] = p_of(o, p, impulse, r, d);
  if (p->held) ns_linear_step_gain(p->step, 1, in, o->work);
}

/* The size of the terms that cancel in a held system, in units of its state. */
static double size_of_held(const ns_theta *o, const part *p)
{
  double size = 0;
  for (int i = 0; i < p->n; i++)
    size += fabs(o->q[p->s->q + (size_t)i]) + fabs(o->x->q[p->s->q + (size_t)i]);
  return size;
}

/* Distance of the equations of a system that is no rigid body from p [n], by the tolerance. Those
 * of a linear step are evaluated here. */
static double equation_of(ns_theta *o, const part *of, const double *p)
{
  const ns_time_stepping_options *t = &o->m->sim.ts;
  size_t d0 = of->s->v, n = (size_t)of->n;
  double d = 0, size = 0, rounding = of->size;
  for (size_t i = d0; i < d0 + n && o->sparse; i++)
    rounding += o->sparse->weight[i] * fabs(o->q[i]);
  if (of->held) {
    residual_of_held(o, of);
    rounding = size_of_held(o, of);
  } else if (of->step) {
    rounding = ns_linear_step_residual(of->step, o->q + of->s->q, o->x->q + of->s->q,
                                       f_begin(o, of), o->F1 + d0, o->Mdu + d0, o->R + d0);
  }
  for (size_t i = 0; i < n; i++) {
    if (o->held[d0 + i]) continue;
    d += (o->R[d0 + i] - p[i]) * (o->R[d0 + i] - p[i]);
    size += p[i] * p[i];
  }
  double scale = sqrt(size) + (of->second ? 0 : ns_norm(n, o->Mdu + d0));
  if (!of->held) scale += o->h * ns_norm(n, o->F1 + d0);
  return sqrt(d) / (t->newton_atol + t->newton_rtol * scale + 16 * DBL_EPSILON * rounding);
}

/* Of R as it stands. */
static double max_residual(ns_theta *o, const double *p, const double *r, ns_suspect *w)
{
  double max = 0;
  for (int k = 0; k < o->m->nsystems; k++) {
    const part *of = &o->of[k];
    double *in = o->scratch;
    expected(o, of, p, r, in);
    double e = of->body < 0 ? equation_of(o, of, in)
                            : ns_rigid_motion_equation(o->bodies, of->body, in, of->size);
    if (w) ns_suspect_system(w, of->s, e);
    if (!(e <= max)) max = e; /* a NaN stays */
  }
  return max;
}

int ns_theta_residual(ns_theta *o, ns_ctx *c, const double *p, const double *r, double *residual,
                      ns_suspect *w)
{
  int rc = evaluate(o, c);
  *residual = 0;
  if (!rc && o->sparse)
    ns_sparse_step_residual(o->sparse, o->q, o->x->q, o->base.fk, o->F1, o->Mdu, o->R);
  if (!rc) *residual = max_residual(o, p, r, w);
  return rc;
}

/* noise += |R(u) - R|, u next to the iterate, whose R is in `there`. */
static int add_noise(ns_theta *o, ns_ctx *c, const double *u)
{
  ns_theta_set(o, u);
  int rc = evaluate(o, c);
  for (size_t i = 0; i < o->m->nv && !rc; i++) {
    double d = fabs(o->R[i] - o->there[i]);
    if (isfinite(d)) o->noise[i] += d;
  }
  return rc;
}

/* What of R is beyond its noise stays. */
static void take_noise_away(ns_theta *o, const double *p, const double *r)
{
  for (int k = 0; k < o->m->nsystems; k++) {
    const part *of = &o->of[k];
    double *in = o->scratch;
    expected(o, of, p, r, in);
    for (int i = 0; i < of->n; i++) {
      size_t d = of->s->v + (size_t)i;
      double off = o->R[d] - in[i];
      o->R[d] = in[i] + copysign(fmax(fabs(off) - o->noise[d], 0), off);
    }
  }
}

int ns_theta_residual_to_rounding(ns_theta *o, ns_ctx *c, const double *u, double *near,
                                  const double *p, const double *r, double *residual)
{
  size_t n = o->m->nv;
  int rc = evaluate(o, c);
  memcpy(o->there, o->R, n * sizeof *near);
  memcpy(near, u, n * sizeof *near);
  memset(o->noise, 0, n * sizeof *o->noise);
  for (size_t i = 0; i < n && !rc; i++) {
    double at = near[i];
    near[i] = nextafter(at, INFINITY);
    rc = add_noise(o, c, near);
    near[i] = nextafter(at, -INFINITY);
    if (!rc) rc = add_noise(o, c, near);
    near[i] = at;
  }
  ns_theta_set(o, near);
  if (!rc) rc = evaluate(o, c);
  if (rc) return rc;
  take_noise_away(o, p, r);
  *residual = max_residual(o, p, r, NULL);
  ns_theta_moved(o);
  return NS_OK;
}

/* ---- the state ------------------------------------------------------------------------------- */

/* M of the state, in the scratch of a Jacobian. */
static int kinetic_of(ns_theta *o, ns_ctx *c, part *p, double t, const double *q, const double *v,
                      double *z, double *T)
{
  int rc = p->body >= 0 ? NS_OK : mass(o, c, p, t, q, v, z, p->dq);
  const double *M = p->body >= 0 ? p->M : p->dq;
  for (int j = 0; j < p->n && !rc; j++, M += p->n)
    *T += ns_dot((size_t)p->n, v + p->s->v, M) * v[p->s->v + (size_t)j] / 2;
  return rc;
}

static int energies(ns_theta *o, ns_ctx *c, double t, const double *q, const double *v, double *z,
                    double *T, double *U)
{
  int rc = NS_OK;
  *T = 0;
  *U = o->bodies ? o->bodies->potential : 0; /* of what acts between them */
  for (int k = 0; k < o->m->nsystems && !rc; k++) {
    part *p = &o->of[k];
    const double *at = q + p->s->q;
    if (!p->second) continue;
    for (int i = 0; i < p->n; i++) *U -= o->potential[p->s->v + (size_t)i] * at[i];
    if (p->body < 0) *U += ns_operator_form(&p->s->stiffness, at, at) / 2;
    rc = kinetic_of(o, c, p, t, q, v, z, T);
  }
  return rc;
}

/* Forces on bodies; energies are those of all. */
static int start_bodies(ns_theta *o, ns_ctx *c, ns_certificate *cert)
{
  ns_certificate keep = *cert;
  ns_state x = *o->bodies_x;
  int rc = ns_rigid_motion_start(o->bodies, c, &x);
  *cert = keep;
  return rc;
}

int ns_theta_start(ns_theta *o, ns_ctx *c, ns_state *x, int first)
{
  double T, U;
  int rc = o->bodies ? start_bodies(o, c, x->cert) : NS_OK;
  o->x = x;
  o->t1 = *x->t;
  o->h = 0;
  memcpy(o->q, x->q, o->m->nq * sizeof *o->q);
  memcpy(o->v, x->v, o->m->nv * sizeof *o->v);
  for (int i = 0; i < o->m->nsystems && !rc; i++)
    if (o->of[i].body < 0 && o->of[i].second)
      rc = force(o, c, &o->of[i], *x->t, x->q, x->v, x->z, x->f, o->work1);
  if (!rc && o->nfirst) rc = ns_rate_base_start(&o->base, c, x);
  if (!rc) rc = energies(o, c, *x->t, x->q, x->v, x->z, &T, &U);
  if (rc) return rc;
  memcpy(o->F1, x->f, o->m->nv * sizeof *o->F1);
  memset(o->R, 0, o->m->nv * sizeof *o->R);
  double finite = T + U;
  for (size_t i = 0; i < o->m->nv; i++) finite += 0 * x->f[i];
  if (!isfinite(finite)) return blame(o, c);
  x->cert->kinetic = T;
  x->cert->potential = U;
  if (first) x->cert->energy0 = T + U;
  return NS_OK;
}

/* Of bodies work0 and work1 are what their forces are beyond the known ones: constant ones, and
 * those between bodies that have a potential. */
static void working_on_bodies(ns_theta *o)
{
  const ns_rigid_motion *b = o->bodies;
  for (size_t i = b->m->part_v; i < o->m->nv; i++) {
    size_t k = i - b->m->part_v;
    o->work0[i] = o->x->f[i] - o->potential[i] - (b->known0 ? b->known0[k] : 0);
    o->work1[i] = o->F1[i] - o->potential[i] - (b->known1 ? b->known1[k] : 0);
  }
}

/* Work of inputs on mechanics. */
static double work_of_inputs(const ns_theta *o, const double *r)
{
  double w = 0;
  for (int k = 0; k < o->m->nsystems; k++) {
    const part *p = &o->of[k];
    size_t d = p->s->v;
    for (size_t i = d; i < d + (size_t)p->n && p->second; i++)
      w += r[i] * (o->v[i] + o->x->v[i]) / 2;
  }
  return w * o->h;
}

/* What holds prescribed velocities, by p and inputs r what pushes them; its work. */
static double supports(ns_theta *o, ns_state *x, const double *p, const double *r)
{
  double w = 0;
  for (size_t i = 0; i < o->m->nv; i++) {
    x->support[i] = o->held[i] ? o->R[i] - p[i] - o->h * r[i] : 0;
    w += x->support[i] * (o->v[i] + x->v[i]) / 2;
  }
  return w;
}

static double work_of_forces(const ns_theta *o)
{
  double w = 0;
  for (int k = 0; k < o->m->nsystems; k++) {
    const part *p = &o->of[k];
    size_t d = p->s->v;
    for (size_t i = d; i < d + (size_t)p->n && p->second; i++)
      w += (p->theta * o->work1[i] + (1 - p->theta) * o->work0[i]) * (o->v[i] + o->x->v[i]) / 2;
  }
  return w * o->h;
}

/* Of first-order systems alone: no energies. */
static int commit_alone(ns_theta *o, ns_ctx *c, ns_state *x, const double *r)
{
  size_t n = o->m->nv;
  double finite = 0;
  for (size_t i = 0; i < n; i++) finite += 0 * (o->q[i] + o->v[i]); /* NaN: one is not finite */
  if (finite != 0) return blame(o, c);
  for (size_t i = 0; i < n; i++)
    x->q[i] = o->q[i], x->f[i] = o->F1[i], x->p[i] = r[i], x->v[i] = o->v[i];
  if (o->m->nz) memcpy(o->base.z, x->z, o->m->nz * sizeof *x->z);
  *x->t = o->t1;
  return NS_OK;
}

int ns_theta_commit(ns_theta *o, ns_ctx *c, ns_state *x, const double *p, const double *r)
{
  double T, U, finite = 0;
  int rc = evaluate(o, c);
  if (!rc && o->bodies) ns_rigid_motion_store(o->bodies);
  o->base.q = o->q;
  o->base.v = o->v;
  if (!rc && o->nfirst) rc = ns_rate_base_rate(&o->base, c, o->t1, o->F1, r, o->v);
  if (rc) ns_rate_base_put_back(&o->base);
  if (!rc && o->nfirst == o->m->nsystems) return commit_alone(o, c, x, r);
  if (!rc) rc = energies(o, c, o->t1, o->q, o->v, x->z, &T, &U);
  if (rc) return rc;
  for (size_t i = 0; i < o->m->nv; i++) finite += 0 * (o->v[i] + o->F1[i]);
  for (size_t i = 0; i < o->m->nq; i++) finite += 0 * o->q[i];
  if (!isfinite(T + U + finite)) return blame(o, c);
  if (o->bodies) working_on_bodies(o);
  x->cert->work_force += work_of_forces(o) + work_of_inputs(o, r);
  if (o->nheld) x->cert->work_force += supports(o, x, p, r);
  x->cert->kinetic = T;
  x->cert->potential = U;
  for (int k = 0; k < o->m->nsystems; k++) {
    const part *of = &o->of[k];
    for (size_t i = of->s->v; i < of->s->v + (size_t)of->n; i++)
      x->p[i] = of->second ? p[i] + o->h * r[i] : r[i];
  }
  memcpy(x->q, o->q, o->m->nq * sizeof *o->q);
  memcpy(x->v, o->v, o->m->nv * sizeof *o->v);
  memcpy(x->f, o->F1, o->m->nv * sizeof *o->F1);
  if (o->m->nz) memcpy(o->base.z, x->z, o->m->nz * sizeof *x->z);
  *x->t = o->t1;
  return NS_OK;
}

void ns_theta_save(const ns_theta *o, ns_blob *b) { ns_blob_put_reals(b, o->base.z, o->m->nz); }

void ns_theta_restore(ns_theta *o, ns_blob *b) { ns_blob_get_reals(b, o->base.z, o->m->nz); }
