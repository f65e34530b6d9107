/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/theta_data.h"

#include "algebra/dense.h"
#include "model/check/diagnose.h"
#include "model/systems/first_order.h"

#include <math.h>
#include <string.h>

const ns_theta_scheme ns_theta_schemes[] = {
    {"EulerMoreauOSI",
     "Euler-Moreau theta-gamma scheme for first-order systems, inputs and laws implicit"},
    {"ZeroOrderHoldOSI",
     "exact motion of linear first-order systems, inputs constant over each step"},
    {NULL, NULL}};

/* ---- creation -------------------------------------------------------------------------------- */

static int get_memory(ns_theta *o)
{
  size_t nq = o->m->nq, nv = o->m->nv, systems = (size_t)o->m->nsystems, d = sizeof(double);
  size_t work = 1, big = 1;
  const ns_array want[] = {{&o->q, nq, d},
                           {&o->v, nv, d},
                           {&o->terms, nv, d},
                           {&o->lever, nv, d},
                           {&o->after, nv, d},
                           {&o->F0, nv, d},
                           {&o->F1, nv, d},
                           {&o->gyr, nv, d},
                           {&o->R, nv, d},
                           {&o->target, nv, d},
                           {&o->potential, nv, d},
                           {&o->work0, nv, d},
                           {&o->work1, nv, d},
                           {&o->Mdu, nv, d},
                           {&o->shift, nv, d},
                           {&o->hold_free, nv, d},
                           {&o->there, nv, d},
                           {&o->noise, nv, d},
                           {&o->body, systems, sizeof *o->body},
                           {&o->place, systems, sizeof *o->place},
                           {&o->held, nv, 1},
                           {&o->target_work, ns_model_targets_work(o->m), d}};
  if (ns_arena_arrays(o->mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  ns_theta_hold_velocities(o);
  for (int i = 0; i < o->m->nsystems; i++) ns_theta_describe_part(o, i);
  for (int i = 0; i < o->m->nsystems; i++) {
    size_t w = ns_theta_work_of(o, &o->m->systems[i], &o->of[i]);
    work = w > work ? w : work;
  }
  if (ns_theta_make_groups(o)) return NS_NOMEM;
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
  int n = o->m->nsystems;
  o->of = ns_arena_zero(o->mem, (size_t)n, sizeof *o->of);
  int rc = o->of ? NS_OK : NS_NOMEM;
  if (!rc && sparse) rc = make_sparse(o);
  if (!rc) rc = get_memory(o);
  if (rc) rc = ns_nomem(c, "integrator");
  if (!rc) rc = ns_rate_base_init(&o->base, c, o->m);
  if (!rc) rc = ns_rate_base_masses(&o->base, c, sparse ? &o->sparse->M : NULL);
  for (int i = 0; i < n && !rc; i++) rc = ns_theta_make_step(o, c, i);
  for (int i = 0; i < n && !rc; i++)
    if (ns_theta_make_part(o, i)) rc = ns_nomem(c, "integrator");
  for (int g = 0; g < o->groups.n && !rc; g++) rc = ns_theta_make_group(o, c, g);
  if (!rc && o->bodies) lend(o);
  return rc;
}

static int create_as(ns_ctx *c, const ns_model *m, int sparse, ns_rigid_motion *bodies,
                     const ns_state *of_bodies, ns_theta **out)
{
  ns_theta *o = *out = NS_ARENA_OBJECT(ns_theta, mem);
  if (!o) return ns_nomem(c, "integrator");
  *o = (ns_theta){
      .mem = o->mem, .m = m, .bodies = bodies, .bodies_x = of_bodies, .where = 1, .dirty = 1};
  int rc = create(o, c, sparse);
  if (!rc) return NS_OK;
  ns_theta_destroy(o);
  *out = NULL;
  return rc;
}

int ns_theta_create(ns_ctx *c, const ns_model *m, ns_rigid_motion *bodies,
                    const ns_state *of_bodies, ns_theta **out)
{
  return create_as(c, m, 0, bodies, of_bodies, out);
}

int ns_theta_create_sparse(ns_ctx *c, const ns_model *m, ns_theta **out)
{
  return create_as(c, m, 1, NULL, NULL, out);
}

void ns_theta_destroy(ns_theta *o)
{
  if (!o) return;
  ns_rate_base_fini(&o->base);
  ns_arena_destroy(o->mem);
}

size_t ns_theta_bytes(const ns_theta *o)
{
  return ns_arena_used(o->mem) + ns_arena_used(o->base.mem) + sizeof *o;
}

static int is_linear(const ns_theta *o)
{
  int linear = 1;
  for (int i = 0; i < o->m->nsystems && linear; i++) {
    const theta_part *p = &o->of[i];
    linear = !p->second && (p->held || ns_first_order_is_linear(p->s));
    for (const ns_foreign_part *f = p->foreign; f->op && !p->held; f++)
      linear = linear && !ns_operator_foreign(f->op);
  }
  return linear;
}

void ns_theta_info(const ns_theta *o, ns_integrator_info *info)
{
  *info = (ns_integrator_info){.linear = is_linear(o), .bytes = ns_theta_bytes(o)};
  for (int i = 0; i < o->m->nsystems; i++) {
    const theta_part *p = &o->of[i];
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

/* Name what is not finite at the iterate. */
int ns_theta_blame(const ns_theta *o, ns_ctx *c)
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

/* ---- the step -------------------------------------------------------------------------------- */

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
    const theta_part *p = &o->of[i];
    for (int k = 0; k < p->n; k++)
      o->lever[p->s->v + (size_t)k] = p->second ? o->h * p->theta : o->where;
  }
}

/* Of systems that have something to begin: in each step, or in one of another length. */
static __attribute__((noinline)) int begin_parts(ns_theta *o, ns_ctx *c)
{
  int rc = NS_OK;
  for (int i = 0; i < o->m->nsystems && !rc; i++) {
    const theta_part *p = &o->of[i];
    if (p->second) rc = ns_theta_begin_motion(o, c, p);
    else if (p->step && (p->step->G || p->step->h != o->h)) rc = ns_theta_begin_step(o, c, p);
  }
  return rc;
}

/* Velocities that are known at t1: prescribed ones, and those of bodies that are not there. */
static int known_velocities(ns_theta *o, ns_ctx *c)
{
  const ns_rigid_motion *b = o->bodies;
  if (b && b->came_or_went) ns_theta_hold_velocities(o);
  int rc = o->nheld ? ns_model_targets(o->m, c, o->t1, o->target_work, o->target) : NS_OK;
  for (int k = 0; b && b->away && k < b->nbodies; k++) {
    size_t at = o->m->systems[o->body[k]].v;
    if (b->away[k]) memcpy(o->target + at, o->x->v + at, (size_t)b->dof * sizeof *o->target);
  }
  return rc;
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
  if (!rc && (o->nbusy || other)) rc = begin_parts(o, c);
  if (!rc && o->bodies) rc = ns_rigid_motion_begin(o->bodies, c, o->bodies_x, t1, h);
  if (!rc) rc = known_velocities(o, c);
  if (!rc && o->bodies && o->bodies->steady) ns_rigid_motion_place(o->bodies);
  o->bodies_fresh = !rc; /* its first iterate is that of the others */
  return rc;
}

/* What moves entry d from the iterate on. */
static double pushed_by(const ns_theta *o, const theta_part *p, const double *impulse, size_t d)
{
  if (o->held[d]) return o->shift[d];
  return theta_input_before(o, p, d) - o->R[d] - o->shift[d] + (impulse ? impulse[d] : 0);
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
    const theta_group *k = &o->group[g];
    double *w = o->scratch;
    if (k->only) {
      const ns_system *s = k->only->s;
      ns_linear_step_free(k->only, o->x->q + s->q, u + s->v);
      if (k->only->hold) memcpy(o->hold_free + s->v, u + s->v, (size_t)s->n * sizeof *u);
      continue;
    }
    for (int j = r->first[g]; j < r->first[g + 1]; j++) {
      const theta_part *p = &o->of[r->list[j]];
      for (int i = 0; i < p->n; i++) w[p->at + i] = pushed_by(o, p, impulse, p->s->v + (size_t)i);
    }
    ns_dense_lu_solve(k->n, k->LU, k->n, k->piv, 1, w, k->n);
    for (int j = r->first[g]; j < r->first[g + 1]; j++) {
      const theta_part *p = &o->of[r->list[j]];
      const double *was = theta_unknown(p, o->q, o->v);
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
    const theta_part *p = &o->of[k];
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

/* ---- the state ------------------------------------------------------------------------------- */

static int energies(ns_theta *o, ns_ctx *c, double t, const double *q, const double *v, double *z,
                    double *T, double *U)
{
  int rc = NS_OK;
  *T = 0;
  *U = o->bodies ? o->bodies->potential : 0; /* of what acts between them */
  for (int k = 0; k < o->m->nsystems && !rc; k++) {
    theta_part *p = &o->of[k];
    const double *at = q + p->s->q;
    if (!p->second) continue;
    for (int i = 0; i < p->n; i++) *U -= o->potential[p->s->v + (size_t)i] * at[i];
    if (p->body < 0) *U += ns_operator_form(&p->s->stiffness, at, at) / 2;
    rc = ns_theta_kinetic_of(o, c, p, t, q, v, z, T);
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
      rc = ns_theta_force(o, c, &o->of[i], *x->t, x->q, x->v, x->z, x->f, o->work1);
  if (!rc && o->nfirst) rc = ns_rate_base_start(&o->base, c, x);
  if (!rc) rc = energies(o, c, *x->t, x->q, x->v, x->z, &T, &U);
  if (rc) return rc;
  memcpy(o->F1, x->f, o->m->nv * sizeof *o->F1);
  memset(o->R, 0, o->m->nv * sizeof *o->R);
  double finite = T + U;
  for (size_t i = 0; i < o->m->nv; i++) finite += 0 * x->f[i];
  if (!isfinite(finite)) return ns_theta_blame(o, c);
  x->cert->kinetic = T;
  x->cert->potential = U;
  if (first) x->cert->energy0 = T + U;
  return NS_OK;
}

/* Of bodies work0 and work1 are what their forces are beyond the known ones: constant ones, and
 * those between bodies that have a potential. On a body that is not there they do none. */
static void working_on_bodies(ns_theta *o)
{
  const ns_rigid_motion *b = o->bodies;
  for (size_t i = b->m->part_v; i < o->m->nv; i++) {
    size_t k = i - b->m->part_v;
    o->work0[i] = o->work1[i] = 0;
    if (ns_rigid_motion_is_away(b, k)) continue;
    o->work0[i] = o->x->f[i] - o->potential[i] - (b->known0 ? b->known0[k] : 0);
    o->work1[i] = o->F1[i] - o->potential[i] - (b->known1 ? b->known1[k] : 0);
  }
}

/* Work of inputs on mechanics. */
static double work_of_inputs(const ns_theta *o, const double *r)
{
  double w = 0;
  for (int k = 0; k < o->m->nsystems; k++) {
    const theta_part *p = &o->of[k];
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
    const theta_part *p = &o->of[k];
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
  if (finite != 0) return ns_theta_blame(o, c);
  for (size_t i = 0; i < n; i++)
    x->q[i] = o->q[i], x->f[i] = o->F1[i], x->p[i] = r[i], x->v[i] = o->v[i];
  if (o->m->nz) memcpy(o->base.z, x->z, o->m->nz * sizeof *x->z);
  *x->t = o->t1;
  return NS_OK;
}

int ns_theta_commit(ns_theta *o, ns_ctx *c, ns_state *x, const double *p, const double *r)
{
  double T, U, finite = 0;
  int rc = ns_theta_evaluate(o, c);
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
  if (!isfinite(T + U + finite)) return ns_theta_blame(o, c);
  if (o->bodies) working_on_bodies(o);
  x->cert->work_force += work_of_forces(o) + work_of_inputs(o, r);
  if (x->support) x->cert->work_force += supports(o, x, p, r);
  x->cert->kinetic = T;
  x->cert->potential = U;
  for (int k = 0; k < o->m->nsystems; k++) {
    const theta_part *of = &o->of[k];
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
