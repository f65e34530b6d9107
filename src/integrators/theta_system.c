/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/theta_data.h"

#include "algebra/vector.h"
#include "integrators/slopes.h"
#include "model/systems/first_order.h"
#include "model/systems/lagrangian.h"
#include "model/systems/rigid_body.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- creation -------------------------------------------------------------------------------- */

/* Constant forces on a body in world axes have a potential. */
static void known_force(const ns_rigid_body *b, double *force)
{
  if (b->fext.how != NS_OP_CONSTANT || b->fext_in_body) return;
  for (int i = 0; i < b->fext.rows; i++) force[i] = ns_operator_entry(&b->fext, i, 0);
}

/* Weights of inputs: those of the scheme's standard form, or of the full one, where relations are
 * evaluated between the ends of the step. */
static void describe_first_order(ns_theta *o, theta_part *p, const ns_integrator_use *use)
{
  o->nfirst++;
  p->held = !strcmp(use->name, "ZeroOrderHoldOSI");
  if (p->held) return;
  if (use->em.full) o->where = use->em.gamma;
  else p->after = use->em.gamma;
  p->before = 1 - p->after;
}

void ns_theta_describe_part(ns_theta *o, int i)
{
  const ns_model *m = o->m;
  theta_part *p = &o->of[i];
  const ns_system *s = p->s = &m->systems[i];
  const ns_integrator_use sim = {.name = m->sim.integrator, .mj = m->sim.mj, .em = m->sim.em},
                          *use = m->nintegrators ? &m->integrators[s->integrator] : &sim;
  p->n = s->n;
  p->second = !ns_system_is_first_order(s);
  p->body = ns_system_is_rigid(s) ? o->nbodies++ : -1;
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
int ns_theta_make_step(ns_theta *o, ns_ctx *c, int i)
{
  theta_part *p = &o->of[i];
  theta_group *g = &o->group[o->groups.of[i]];
  if (o->sparse) return NS_OK;
  int alone = !p->tangent && o->groups.size[o->groups.of[i]] == p->n, reads = 0, pivot = 0;
  for (const ns_foreign_part *f = p->foreign; f->op; f++)
    reads |= ns_operator_foreign(f->op) != NULL;
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

int ns_theta_make_part(ns_theta *o, int i)
{
  theta_part *p = &o->of[i];
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

/* Doubles for one system: a derivative by others, a Jacobian, a vector, and what its functions
 * need. */
size_t ns_theta_work_of(const ns_theta *o, const ns_system *s, const theta_part *p)
{
  size_t max = 0, n = (size_t)s->n;
  for (const ns_foreign_part *f = p->foreign; f->op; f++) {
    const ns_foreign *read = ns_operator_foreign(f->op);
    if (read && (size_t)read->n > max) max = (size_t)read->n;
  }
  if (o->sparse) return ns_first_order_work(s);
  size_t own = p->body >= 0 ? ns_rigid_work(s)
               : p->second  ? ns_lagrangian_work(s)
                            : ns_linear_step_work(s, p->held);
  return n * max + n * n + 2 * n + own;
}

/* ---- evaluation ------------------------------------------------------------------------------ */

/* F and what of it does work that no potential knows; fGyr does none. */
static int force(ns_theta *o, ns_ctx *c, const theta_part *p, double t, const double *q,
                 const double *v, double *z, double *F, double *working)
{
  const ns_system *s = p->s;
  ns_point at = theta_point(o, s, t, q, v, z);
  F += s->v;
  if (!p->second) return ns_first_order_field(s, c, &at, o->work, F);
  int rc = ns_lagrangian_force(s, c, &at, o->work, F, o->gyr + s->v);
  working += s->v;
  for (int i = 0; i < s->n; i++)
    working[i] = F[i] + o->gyr[s->v + (size_t)i] - o->potential[s->v + (size_t)i];
  ns_operator_gemv_add(1, &s->stiffness, at.q, working);
  return rc;
}

static int mass(ns_theta *o, ns_ctx *c, const theta_part *p, double t, const double *q,
                const double *v, double *z, double *M)
{
  ns_point at = theta_point(o, p->s, t, q, v, z);
  return p->second ? ns_lagrangian_mass(p->s, c, &at, o->work, M)
                   : ns_first_order_mass(p->s, c, &at, o->work, M);
}

/* M of the step: at q_k + massGamma (q - q_k), or at t_k + theta h. */
static int mass_of_step(ns_theta *o, ns_ctx *c, theta_part *p)
{
  const ns_system *s = p->s;
  const double *q0 = o->x->q + s->q, *q = o->q + s->q;
  double *between = o->work, *rest = o->work + s->n;
  if (!p->second) return mass(o, c, p, *o->x->t + p->theta * o->h, o->q, o->v, o->x->z, p->M);
  ns_point at = theta_point(o, s, o->t1, o->q, o->v, o->x->z);
  for (int i = 0; i < s->n; i++) between[i] = q0[i] + p->mass_gamma * (q[i] - q0[i]);
  at.q = between;
  return ns_lagrangian_mass(s, c, &at, rest, p->M);
}

static void product(int n, const double *A, const double *x, double *y)
{
  memset(y, 0, (size_t)n * sizeof *y);
  ns_gemv(n, n, 1, A, x, y);
}

/* Of a held system R is in units of its state. */
static void residual_of_held(ns_theta *o, const theta_part *p)
{
  size_t d = p->s->v;
  for (int i = 0; i < p->n; i++, d++) {
    o->R[d] = o->q[p->s->q + (size_t)i] - o->hold_free[d];
    o->Mdu[d] = o->hold_free[d] - o->x->q[p->s->q + (size_t)i];
  }
}

/* F1 and R of one system at the iterate, which has no linear step. */
static __attribute__((noinline)) int evaluate_one(ns_theta *o, ns_ctx *c, theta_part *p)
{
  size_t d = p->s->v;
  int rc = p->held || (p->has_mass && !p->moving) ? NS_OK : mass_of_step(o, c, p);
  if (p->held && !o->group[p->group].only) residual_of_held(o, p);
  p->has_mass = 1;
  if (!rc) rc = force(o, c, p, o->t1, o->q, o->v, o->x->z, o->F1, o->work1);
  if (rc || p->held) return rc;
  const double *u = theta_unknown(p, o->q, o->v), *u0 = theta_unknown(p, o->x->q, o->x->v);
  const double *F0 = theta_f_begin(o, p);
  double a = o->h * p->theta, b = o->h * (1 - p->theta);
  ns_linear_sum((size_t)p->n, u, -1, u0, o->scratch);
  product(p->n, p->M, o->scratch, o->Mdu + d);
  for (int i = 0; i < p->n; i++)
    o->R[d + (size_t)i] = o->Mdu[d + (size_t)i] - (a * o->F1[d + (size_t)i] + b * F0[i]);
  return NS_OK;
}

int ns_theta_evaluate(ns_theta *o, ns_ctx *c)
{
  int rc = NS_OK;
  if (o->fresh) return NS_OK;
  if (o->sparse) ns_sparse_step_field(o->sparse, o->q, o->F1);
  for (int i = 0; i < o->m->nsystems && !rc && !o->sparse; i++) {
    theta_part *p = &o->of[i];
    if (p->step && !p->held) ns_linear_step_field(p->step, o->q + p->s->q, o->F1 + p->s->v);
    else if (p->body < 0) rc = evaluate_one(o, c, p);
  }
  if (!rc && o->bodies && !o->bodies_fresh) rc = ns_rigid_motion_moved(o->bodies, c);
  o->fresh = o->bodies_fresh = !rc;
  if (rc) ns_rate_base_put_back(&o->base);
  return rc;
}

int ns_theta_force(ns_theta *o, ns_ctx *c, const theta_part *p, double t, const double *q,
                   const double *v, double *z, double *F, double *working)
{
  return force(o, c, p, t, q, v, z, F, working);
}

/* dF/dq and dF/dv, or dF/dx, of the system's own variables; of a body its W. */
int ns_theta_own_tangents(ns_theta *o, ns_ctx *c, theta_part *p)
{
  const ns_system *s = p->s;
  ns_point at = theta_point(o, s, o->t1, o->q, o->v, o->x->z);
  size_t nn = (size_t)p->n * (size_t)p->n;
  if (p->body >= 0) return ns_rigid_motion_matrix(o->bodies, c, p->body, p->dq);
  int rc = p->second ? ns_lagrangian_tangents(s, c, &at, o->work, p->dq, p->dv)
                     : ns_first_order_jacobian(s, c, &at, o->work, p->dq);
  ns_finite_slopes(nn, p->dq);
  if (!p->second) return rc;
  ns_finite_slopes(nn, p->dv);
  for (size_t i = 0; i < nn; i++) p->dq[i] = -p->dq[i], p->dv[i] = -p->dv[i];
  for (int j = 0; j < p->n; j++)
    for (int i = 0; i < p->n; i++) {
      if (s->stiffness.how) p->dq[i + j * p->n] -= ns_operator_entry(&s->stiffness, i, j);
      if (s->damping.how) p->dv[i + j * p->n] -= ns_operator_entry(&s->damping, i, j);
    }
  return rc;
}

/* ---- the step -------------------------------------------------------------------------------- */

/* The matrices of a step of another length, and what a system with a step of its own has in this
 * one. */
int ns_theta_begin_step(ns_theta *o, ns_ctx *c, const theta_part *p)
{
  const ns_state *x = o->x;
  int pivot = 0, i = (int)(p - o->of), rc = NS_OK;
  ns_linear_step *k = p->step;
  o->dirty |= k->h != o->h;
  if (k->h != o->h) rc = ns_linear_step_build(k, c, o->h, o->work, &pivot);
  if (!rc && (k->hold || k->G)) {
    ns_point at = theta_point(o, p->s, k->hold ? *x->t : o->t1, x->q, x->v, x->z);
    rc = ns_linear_step_begin(k, c, &at, theta_f_begin(o, p), x->p + p->s->v, o->work, &o->dirty,
                              &pivot);
  }
  if (!rc && p->held && !o->group[p->group].only)
    ns_linear_step_free(k, x->q + p->s->q, o->hold_free + p->s->v);
  if (!pivot) return rc;
  return ns_rate_base_singular(&o->base, c, i, pivot,
                               p->held ? "the matrix M" : "the iteration matrix M - h theta A");
}

/* Forces on mechanics at the begin, and where it is at first. */
int ns_theta_begin_motion(ns_theta *o, ns_ctx *c, const theta_part *p)
{
  const ns_state *x = o->x;
  size_t q = p->s->q, v = p->s->v;
  if (p->body >= 0) return NS_OK;
  int rc = force(o, c, p, *x->t, x->q, x->v, x->z, o->F0, o->work0);
  memcpy(o->F1 + v, o->F0 + v, (size_t)p->n * sizeof(double));
  for (int k = 0; k < p->n; k++, q++, v++) o->q[q] += o->h * x->v[v];
  return rc;
}

/* ---- residual -------------------------------------------------------------------------------- */

/* What the residual of entry d is to be: impulses and inputs of the step. */
static double p_of(const ns_theta *o, const theta_part *p, const double *impulse, const double *r,
                   size_t d)
{
  double input = o->h * p->after * r[d];
  return p->second ? impulse[d] + input : input + theta_input_before(o, p, d);
}

/* What the residual of a system is to be: impulses and inputs of the step; to in [n]. */
static void expected(const ns_theta *o, const theta_part *p, const double *impulse, const double *r,
                     double *in)
{
  size_t d = p->s->v;
  for (int i = 0; i < p->n; i++, d++) in[i] = p_of(o, p, impulse, r, d);
  if (p->held) ns_linear_step_gain(p->step, 1, in, o->work);
}

/* The size of the terms that cancel in a held system, in units of its state. */
static double size_of_held(const ns_theta *o, const theta_part *p)
{
  double size = 0;
  for (int i = 0; i < p->n; i++)
    size += fabs(o->q[p->s->q + (size_t)i]) + fabs(o->x->q[p->s->q + (size_t)i]);
  return size;
}

/* Sum of the terms that cancel in the equations of a system; moments on bodies count like forces
 * (rigid_motion.h). */
static double terms_of(const ns_theta *o, const theta_part *p)
{
  double sum = 0;
  for (int i = 0; i < p->n; i++) {
    double lever = p->body < 0 ? 1 : ns_rigid_motion_lever(o->bodies, p->body, i);
    sum += o->terms[p->s->v + (size_t)i] / lever;
  }
  return sum;
}

/* States of one system of first order may be volts and amperes, or pascals and metres: each of its
 * equations is compared with its own terms. */
static double worst_equation(const ns_theta *o, const theta_part *of, const double *p)
{
  const ns_time_stepping_options *t = &o->m->sim.ts;
  double worst = 0;
  for (int i = 0; i < of->n; i++) {
    size_t d = of->s->v + (size_t)i;
    double scale = fabs(p[i]) + fabs(o->Mdu[d]) + o->h * fabs(o->F1[d]);
    double e = fabs(o->R[d] - p[i]) /
               (t->newton_atol + t->newton_rtol * scale + 16 * DBL_EPSILON * o->terms[d]);
    if (!(e <= worst)) worst = e; /* a NaN stays */
  }
  return worst;
}

/* Distance of the equations of a system that is no rigid body from p [n], by the tolerance. Those
 * of a linear step are evaluated here. */
static double equation_of(ns_theta *o, const theta_part *of, const double *p, int apart)
{
  const ns_time_stepping_options *t = &o->m->sim.ts;
  size_t d0 = of->s->v, n = (size_t)of->n;
  if (apart && !of->second && !of->step && !of->held && !o->sparse) return worst_equation(o, of, p);
  double d = 0, size = 0, rounding = terms_of(o, of);
  for (size_t i = d0; i < d0 + n && o->sparse; i++)
    rounding += o->sparse->weight[i] * fabs(o->q[i]);
  if (of->held) {
    residual_of_held(o, of);
    rounding = size_of_held(o, of);
  } else if (of->step) {
    rounding = ns_linear_step_residual(of->step, o->q + of->s->q, o->x->q + of->s->q,
                                       theta_f_begin(o, of), o->F1 + d0, o->Mdu + d0, o->R + d0);
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
static double max_residual(ns_theta *o, const double *p, const double *r, int apart, ns_suspect *w)
{
  double max = 0;
  for (int k = 0; k < o->m->nsystems; k++) {
    const theta_part *of = &o->of[k];
    double *in = o->scratch;
    expected(o, of, p, r, in);
    double e = of->body < 0 ? equation_of(o, of, in, apart)
                            : ns_rigid_motion_equation(o->bodies, of->body, in, terms_of(o, of));
    if (w) ns_suspect_system(w, of->s, e);
    if (!(e <= max)) max = e; /* a NaN stays */
  }
  return max;
}

int ns_theta_residual(ns_theta *o, ns_ctx *c, const double *p, const double *r, int apart,
                      double *residual, ns_suspect *w)
{
  int rc = ns_theta_evaluate(o, c);
  *residual = 0;
  if (!rc && o->sparse)
    ns_sparse_step_residual(o->sparse, o->q, o->x->q, o->base.fk, o->F1, o->Mdu, o->R);
  if (!rc) *residual = max_residual(o, p, r, apart, w);
  return rc;
}

/* noise += |R(u) - R|, u next to the iterate, whose R is in `there`. */
static int add_noise(ns_theta *o, ns_ctx *c, const double *u)
{
  ns_theta_set(o, u);
  int rc = ns_theta_evaluate(o, c);
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
    const theta_part *of = &o->of[k];
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
  int rc = ns_theta_evaluate(o, c);
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
  if (!rc) rc = ns_theta_evaluate(o, c);
  if (rc) return rc;
  take_noise_away(o, p, r);
  *residual = max_residual(o, p, r, 1, NULL);
  ns_theta_moved(o);
  return NS_OK;
}

/* ---- the state ------------------------------------------------------------------------------- */

/* M of the state, in the scratch of a Jacobian. */
int ns_theta_kinetic_of(ns_theta *o, ns_ctx *c, theta_part *p, double t, const double *q,
                        const double *v, double *z, double *T)
{
  int rc = p->body >= 0 ? NS_OK : mass(o, c, p, t, q, v, z, p->dq);
  const double *M = p->body >= 0 ? p->M : p->dq;
  for (int j = 0; j < p->n && !rc; j++, M += p->n)
    *T += ns_dot((size_t)p->n, v + p->s->v, M) * v[p->s->v + (size_t)j] / 2;
  return rc;
}
