/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/moreau_jean.h"

#include "algebra/dense.h"
#include "algebra/vector.h"
#include "integrators/moreau_jean_data.h"
#include "integrators/slopes.h"
#include "model/check/diagnose.h"
#include "model/systems/lagrangian.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- creation -------------------------------------------------------------------------------- */

static void destroy(void *self)
{
  moreau_jean *o = self;
  if (!o) return;
  for (int k = 0; k < o->nblocks; k++) ns_moreau_jean_sparse_end(o->blocks[k].sparse);
  ns_arena_destroy(o->mem);
}

static int create(ns_ctx *c, const ns_model *m, void **self)
{
  moreau_jean *o = *self = NS_ARENA_OBJECT(moreau_jean, mem);
  if (!o) return ns_nomem(c, "integrator");
  o->m = m;
  o->theta = m->sim.mj.theta;
  o->mass_gamma = m->sim.mj.mass_gamma;
  o->atol = m->sim.ts.newton_atol;
  o->rtol = m->sim.ts.newton_absolute ? 0 : m->sim.ts.newton_rtol;
  o->rounding = m->sim.ts.newton_absolute ? 0 : 16 * DBL_EPSILON;
  int rc = ns_moreau_jean_get_memory(o, c) ? ns_nomem(c, "integrator") : NS_OK;
  for (int k = 0; k < o->nblocks && !rc; k++)
    if (!o->blocks[k].sparse) rc = ns_dense_prepare(c, m->systems[o->blocks[k].s].n);
  if (rc) {
    destroy(o);
    *self = NULL;
  }
  return rc;
}

static void info(const void *self, ns_integrator_info *out)
{
  const moreau_jean *o = self;
  *out = (ns_integrator_info){.linear = 1, .symmetric = 1, .bytes = ns_arena_used(o->mem)};
  for (int i = 0; i < o->m->nsystems; i++) {
    out->diagonal += o->kind[i] == DIAGONAL;
    out->dense += o->kind[i] == DENSE && !o->blocks[o->block_of[i]].sparse;
    out->sparse += o->kind[i] == DENSE && o->blocks[o->block_of[i]].sparse;
    out->nonlinear += o->kind[i] == NONLINEAR;
    out->differenced += ns_lagrangian_differenced(&o->m->systems[i]);
  }
  for (int k = 0; k < o->nblocks; k++) out->symmetric = out->symmetric && o->blocks[k].symmetric;
  out->linear = out->nonlinear == 0;
}

/* ---- iteration matrix ------------------------------------------------------------------------ */

/* pivot: 1..n. */
static int singular(const moreau_jean *o, ns_ctx *c, const ns_system *s, int k)
{
  char name[32];
  return ns_fail_at(
      c, NS_NUMERIC, &s->at,
      "the iteration matrix M + h theta C + h^2 theta^2 K is singular at t = %.10g s (pivot "
      "%d, coordinate %s), h = %g s; check mass and stiffness there, or use a smaller h",
      o->t1, k, ns_system_coordinate(s, k - 1, name, sizeof name), o->h);
}

static int factor(moreau_jean *o, ns_ctx *c, block *b)
{
  const ns_system *s = &o->m->systems[b->s];
  if (b->nheld) ns_moreau_jean_hold_matrix(o, b);
  int k = b->symmetric ? ns_dense_cholesky(s->n, b->W, s->n)
                       : ns_dense_lu(s->n, b->W, s->n, b->piv);
  return k ? singular(o, c, s, k) : NS_OK;
}

/* The first diagonal system with an entry of W that has no inverse. */
static int check_diagonal(const moreau_jean *o, ns_ctx *c)
{
  for (int k = 0; k < o->m->nsystems; k++) {
    const ns_system *s = &o->m->systems[k];
    for (int i = 0; i < s->n && o->kind[k] == DIAGONAL; i++)
      if (!isfinite(o->winv[s->q + (size_t)i])) return singular(o, c, s, i + 1);
  }
  return NS_OK;
}

/* W of the systems whose matrices are constant. */
static int build_constant(moreau_jean *o, ns_ctx *c, double h)
{
  double ht, ht2;
  o->h = h;
  o->dirty = 1;
  for (int k = 0; k < o->nruns; k++) {
    ht = h * o->runs[k].theta;
    ht2 = ht * ht;
    for (size_t i = o->runs[k].a; i < o->runs[k].b; i++) {
      o->winv[i] = 1 / (o->mass[i] + ht * o->damping[i] + ht2 * o->stiffness[i]);
      o->gain[i] = o->winv[i] * (ht * o->fpot[i] + (h - ht) * o->fpot[i]);
    }
  }
  int rc = check_diagonal(o, c);
  if (rc) return rc;
  for (int k = 0; k < o->nheld; k++) o->winv[o->held[k]] = o->gain[o->held[k]] = 0;
  for (int k = 0; k < o->nblocks; k++) {
    block *b = &o->blocks[k];
    const ns_system *s = &o->m->systems[b->s];
    if (b->kind != DENSE) continue;
    ht = h * theta_of(o, s);
    ht2 = ht * ht;
    if (b->sparse) {
      int pivot = ns_moreau_jean_sparse_build(o, b, ht, ht2);
      if (pivot) return singular(o, c, s, pivot);
      continue;
    }
    double *w = b->W;
    for (int j = 0; j < s->n; j++)
      for (int i = 0; i < s->n; i++) *w++ = ns_lagrangian_entry(s, ht, ht2, i, j);
    if ((rc = factor(o, c, b))) return rc;
  }
  return NS_OK;
}

static void block_solve(const moreau_jean *o, const block *b, int nrhs, double *B)
{
  int n = o->m->systems[b->s].n;
  if (b->sparse)
    for (int j = 0; j < nrhs; j++) ns_moreau_jean_sparse_solve(b->sparse, B + j * n);
  else if (b->symmetric) ns_dense_cholesky_solve(n, b->W, n, nrhs, B, n);
  else ns_dense_lu_solve(n, b->W, n, b->piv, nrhs, B, n);
}

static void solve(const void *self, int s, int nrhs, double *B)
{
  const moreau_jean *o = self;
  if (o->kind[s] != DIAGONAL) {
    const block *b = &o->blocks[o->block_of[s]];
    for (int k = 0; k < b->nheld; k++)
      for (int j = 0; j < nrhs; j++)
        B[(size_t)o->held[b->held + k] - o->m->systems[s].q + (size_t)(j * o->m->systems[s].n)] = 0;
    block_solve(o, b, nrhs, B);
    return;
  }
  const ns_system *sys = &o->m->systems[s];
  for (int j = 0; j < nrhs; j++)
    for (int i = 0; i < sys->n; i++) B[i + j * sys->n] *= o->winv[sys->q + (size_t)i];
}

static int constant(const void *self, int s)
{
  return ((const moreau_jean *)self)->kind[s] != NONLINEAR;
}

static int diagonal(const void *self, int s)
{
  return ((const moreau_jean *)self)->kind[s] == DIAGONAL;
}

/* ---- nonlinear systems ----------------------------------------------------------------------- */

/* M(q*), q* = q_k + massGamma (q - q_k). */
static int mass_between(moreau_jean *o, ns_ctx *c, block *b, ns_point p)
{
  const ns_system *s = &o->m->systems[b->s];
  const double *q0 = o->x->q + s->q;
  if (b->moving && o->mass_gamma != 1) {
    for (int i = 0; i < s->n; i++) o->qm[i] = q0[i] + o->mass_gamma * (p.q[i] - q0[i]);
    p.q = o->qm;
  }
  return ns_lagrangian_mass(s, c, &p, o->work, b->value);
}

/* M, F, fGyr at the iterate, K_t and C_t too where they cost little more. */
static int values(moreau_jean *o, ns_ctx *c, block *b, int tangents)
{
  const ns_system *s = &o->m->systems[b->s];
  ns_point p = ns_system_point(s, o->t1, o->q, o->v, o->x->z);
  double *F = b->value + s->n * s->n;
  b->tangents = b->tapes.all && tangents;
  if (!b->tapes.all) {
    int rc = mass_between(o, c, b, p);
    return rc ? rc : ns_lagrangian_force(s, c, &p, o->work, F, F + s->n);
  }
  ns_lagrangian_tapes_eval(tangents ? b->tapes.all : b->tapes.smooth, &p, o->work,
                           b->tapes.with_mass ? b->value : F);
  return b->tapes.with_mass ? NS_OK : mass_between(o, c, b, p);
}

/* At the iterate: M into value, F into f1, and the residual without contact
 *   r = M(q*) (v - v_k) - h theta F - h (1 - theta) F_k. */
static int evaluate(moreau_jean *o, ns_ctx *c, block *b, int tangents)
{
  const ns_system *s = &o->m->systems[b->s];
  int n = s->n, rc = values(o, c, b, tangents);
  if (rc) return rc;
  const double *M = b->value, *F = M + n * n, *v0 = o->x->v + s->q, *v = o->v + s->q,
               *F0 = o->x->f + s->q;
  double *f1 = o->f1 + s->q, *gyr = o->gyr + s->q, *r = o->r + s->q, theta = theta_of(o, s);
  double a = o->h * theta, a0 = o->h * (1 - theta);
  double momentum = 0;
  for (int i = 0; i < n; i++) {
    f1[i] = F[i];
    gyr[i] = F[n + i];
    r[i] = -(a * F[i] + a0 * F0[i]);
  }
  for (int j = 0; j < n; j++, M += n) {
    double vj = v[j], d = vj - v0[j], size = 0;
    for (int i = 0; i < n; i++) {
      r[i] += M[i] * d;
      size += fabs(M[i]);
    }
    momentum += size * fabs(vj);
  }
  b->momentum = momentum;
  return NS_OK;
}

/* Name what is not finite; x is the last good state. */
static int blame(moreau_jean *o, ns_ctx *c)
{
  const ns_state *x = o->x;
  return ns_fail_not_finite(c, o->m,
                            &(ns_moment){.from = *x->t,
                                         .t = o->t1,
                                         .q = o->q,
                                         .v = o->v,
                                         .z = x->z,
                                         .lambda = x->lambda,
                                         .force = o->f1,
                                         .q0 = x->q,
                                         .v0 = x->v});
}

static int tangents(moreau_jean *o, ns_ctx *c, block *b)
{
  const ns_system *s = &o->m->systems[b->s];
  ns_point p = ns_system_point(s, o->t1, o->q, o->v, o->x->z);
  double *Kt = b->value + s->n * s->n + 2 * s->n;
  b->tangents = 1;
  if (!b->tapes.all) return ns_lagrangian_tangents(s, c, &p, o->work, Kt, Kt + s->n * s->n);
  ns_lagrangian_tapes_eval(b->tapes.tangents, &p, o->work, Kt);
  return NS_OK;
}

/* vfree = v - W^-1 r with W = M + h theta C_t + h^2 theta^2 K_t at the iterate. */
static int newton_free(moreau_jean *o, ns_ctx *c, block *b)
{
  const ns_system *s = &o->m->systems[b->s];
  int n = s->n, nn = n * n;
  const double *M = b->value, *Kt = M + nn + 2 * n, *Ct = Kt + nn, *v0 = o->x->v + s->q;
  double ht = o->h * theta_of(o, s), *v = o->v + s->q, *r = o->r + s->q, *gain = o->free + s->q;
  for (int i = 0; i < n; i++)
    if (!isfinite(r[i])) return blame(o, c);
  int rc = ht > 0 && !b->tangents ? tangents(o, c, b) : NS_OK;
  if (rc) return rc;
  if (ht > 0) ns_finite_slopes(2 * (size_t)nn, b->value + nn + 2 * n);
  if (ht > 0)
    for (int i = 0; i < nn; i++) b->W[i] = M[i] + (ht * Ct[i] + ht * ht * Kt[i]);
  else memcpy(b->W, M, (size_t)nn * sizeof *M);
  b->push = 0;
  for (int j = 0; j < n && ht > 0; j++)
    for (int i = 0; i < n; i++)
      b->push += o->h * (fabs(Kt[i + j * n] * o->q[s->q + (size_t)j]) + fabs(Ct[i + j * n] * v[j]));
  rc = factor(o, c, b);
  if (rc) return rc;
  if (b->nheld) ns_moreau_jean_hold_residual(o, b, 1, v, r);
  block_solve(o, b, 1, r);
  for (int i = 0; i < n; i++) {
    v[i] -= r[i];
    gain[i] = v[i] - v0[i];
  }
  return NS_OK;
}

/* ||r - p|| / (atol + rtol (||p|| + h ||F||) + 16 eps ||M v||_1), 2-norms of the system where not
 * said: the last term is what rounding leaves in r, below which no tolerance can go. atol is for
 * sums of terms of about 1 (ns_newton_unit); those of F are known by its derivatives. The absolute
 * criterion: atol alone. */
static double scaled_residual(const moreau_jean *o, const block *b, const double *p)
{
  const ns_system *s = &o->m->systems[b->s];
  double d = 0;
  const double *r = o->r + s->q, *pi = p + s->q;
  for (int i = 0; i < s->n; i++)
    if (!b->nheld || !o->is_held[s->q + (size_t)i]) /* supports take what stands there */
      d += (r[i] - pi[i]) * (r[i] - pi[i]);
  double scale = ns_norm((size_t)s->n, pi) + o->h * ns_norm((size_t)s->n, o->f1 + s->q);
  double unit = o->rtol > 0 ? ns_newton_unit(&o->m->sim.ts, scale + b->momentum + b->push) : 1;
  return sqrt(d) / (o->atol * unit + o->rtol * scale + o->rounding * b->momentum);
}

/* ---- the step -------------------------------------------------------------------------------- */

static int external(const moreau_jean *o, ns_ctx *c, int i, double t, const ns_state *x, double *f)
{
  const ns_system *s = &o->m->systems[i];
  ns_point p = ns_system_point(s, t, x->q, x->v, x->z);
  return ns_operator_eval(&s->fext, c, &p, o->work, f + s->q);
}

static int begin(void *self, ns_ctx *c, const ns_state *x, double t1, double h)
{
  moreau_jean *o = self;
  int rc = NS_OK;
  o->x = x;
  o->t1 = t1;
  if (h != o->h) rc = build_constant(o, c, h);
  if (o->steady) return rc;
  if (o->nheld && !rc) rc = ns_model_targets(o->m, c, o->t1, o->held_work, o->target);
  if (o->m->nz) memcpy(o->z, x->z, o->m->nz * sizeof *o->z);
  for (int k = 0; k < o->ntimed && !rc; k++) rc = external(o, c, o->timed[k], o->t1, x, o->f1);
  for (int k = 0; k < o->nblocks && !rc; k++) {
    if (o->blocks[k].kind != NONLINEAR) continue;
    const ns_system *s = &o->m->systems[o->blocks[k].s];
    double a = h * theta_of(o, s);
    for (size_t i = s->q; i < s->q + (size_t)s->n; i++) {
      o->v[i] = x->v[i] + o->drift[i];
      o->q[i] = x->q[i] + (a * o->v[i] + (h - a) * x->v[i]);
    }
    rc = evaluate(o, c, &o->blocks[k], 1);
  }
  return rc;
}

static inline void steady_free(const moreau_jean *o, size_t a, size_t b)
{
  const double *v0 = o->x->v, *restrict gain = o->gain;
  double *restrict vfree = o->v;
  ns_linear_sum(b - a, v0 + a, 1, gain + a, vfree + a);
}

/* Exact in one pass from v_k: vfree = v_k - W^-1 [h C v_k + h K q_k + h^2 theta K v_k - h
 * f(theta)]. */
static void run_free(const moreau_jean *o, run k)
{
  const double *v0 = o->x->v, *q0 = o->x->q, *f0 = o->x->f, *f1 = o->f1;
  double h = o->h, a = h * k.theta, b = h * (1 - k.theta), *restrict vfree = o->v;
  if (k.steady) {
    steady_free(o, k.a, k.b);
    return;
  }
  if (k.plain) {
    for (size_t i = k.a; i < k.b; i++) vfree[i] = v0[i] + o->winv[i] * (a * f1[i] + b * f0[i]);
    return;
  }
  for (size_t i = k.a; i < k.b; i++) {
    double r = h * o->damping[i] * v0[i] + h * o->stiffness[i] * (q0[i] + a * v0[i]) -
               (a * f1[i] + b * f0[i]);
    vfree[i] = v0[i] - o->winv[i] * r;
  }
}

static void dense_free(const moreau_jean *o, const block *b)
{
  const ns_system *s = &o->m->systems[b->s];
  int n = s->n;
  size_t at = s->q;
  const double *v0 = o->x->v + at, *q0 = o->x->q + at, *f0 = o->x->f + at, *f1 = o->f1 + at;
  double h = o->h, ht = h * theta_of(o, s), *out = o->v + at, *shifted = o->work;
  for (int i = 0; i < n; i++) out[i] = ht * f1[i] + (h - ht) * f0[i];
  if (b->sparse) ns_blocks_gemv(-h, &b->sparse->C, v0, out);
  else ns_operator_gemv_add(-h, &s->damping, v0, out);
  if (s->stiffness.how) {
    ns_linear_sum((size_t)n, q0, ht, v0, shifted);
    if (b->sparse) ns_blocks_gemv(-h, &b->sparse->K, shifted, out);
    else ns_operator_gemv_add(-h, &s->stiffness, shifted, out);
  }
  if (b->nheld) ns_moreau_jean_hold_residual(o, b, -1, v0, out);
  block_solve(o, b, 1, out);
  ns_axpy((size_t)n, 1, v0, out);
}

static double *velocity(void *self) { return ((moreau_jean *)self)->v; }

static const double *predict(void *self)
{
  moreau_jean *o = self;
  for (int k = 0; k < o->m->nsystems; k++) {
    const ns_system *s = &o->m->systems[k];
    for (size_t i = s->q; i < s->q + (size_t)s->n && o->kind[k] != NONLINEAR; i++) {
      o->v[i] = o->x->v[i];
      o->q[i] = o->x->q[i] + o->h * o->x->v[i];
    }
  }
  return o->q;
}

static int vfree(void *self, ns_ctx *c, int *changed)
{
  moreau_jean *o = self;
  if (o->dirty) *changed |= NS_W_CONSTANT;
  o->dirty = 0;
  if (o->steady) {
    steady_free(o, 0, o->m->nv);
    return NS_OK;
  }
  for (int k = 0; k < o->nruns; k++) run_free(o, o->runs[k]);
  for (int k = 0; k < o->nblocks; k++) {
    block *b = &o->blocks[k];
    if (b->kind == DENSE) {
      dense_free(o, b);
      continue;
    }
    int rc = newton_free(o, c, b);
    if (rc) return rc;
    *changed |= NS_W_ITERATE;
  }
  for (int k = 0; k < o->nheld; k++) o->v[o->held[k]] = o->target[o->held[k]];
  return NS_OK;
}

/* q = q_k + h (theta v + (1 - theta) v_k) from coordinate `from` to before `to`. */
static inline void positions_between(const moreau_jean *o, double theta, size_t from, size_t to)
{
  double a = o->h * theta, b = o->h * (1 - theta), *restrict q = o->q;
  const double *restrict v = o->v, *restrict v0 = o->x->v, *restrict q0 = o->x->q;
  for (size_t i = from; i < to; i++) q[i] = q0[i] + (a * v[i] + b * v0[i]);
}

static inline void theta_positions(const moreau_jean *o)
{
  if (!o->mixed) {
    positions_between(o, o->theta, 0, o->m->nv);
    return;
  }
  for (int k = 0; k < o->m->nsystems; k++) {
    const ns_system *s = &o->m->systems[k];
    positions_between(o, theta_of(o, s), s->q, s->q + (size_t)s->n);
  }
}

static int iterate(void *self, ns_ctx *c, const double *p, double *residual)
{
  moreau_jean *o = self;
  *residual = 0;
  theta_positions(o);
  if (o->steady) return NS_OK;
  for (int k = 0; k < o->nblocks; k++) {
    if (o->blocks[k].kind != NONLINEAR) continue;
    int rc = evaluate(o, c, &o->blocks[k], 0);
    if (rc) return rc;
    double r = scaled_residual(o, &o->blocks[k], p);
    if (!(r <= *residual)) *residual = r; /* a NaN stays */
  }
  if (o->nheld) ns_moreau_jean_supports(o, p);
  return isnan(*residual) ? blame(o, c) : NS_OK;
}

static void suspects(const void *self, const double *p, ns_suspect *w)
{
  const moreau_jean *o = self;
  for (int k = 0; k < o->nblocks; k++) {
    const block *b = &o->blocks[k];
    if (b->kind == NONLINEAR) ns_suspect_system(w, &o->m->systems[b->s], scaled_residual(o, b, p));
  }
}

static double *position(void *self) { return ((moreau_jean *)self)->q; }

static int metric(void *self, ns_ctx *c)
{
  moreau_jean *o = self;
  int rc = NS_OK;
  for (int k = 0; k < o->nblocks && !rc; k++)
    if (o->blocks[k].kind == NONLINEAR) {
      block *b = &o->blocks[k];
      int n = o->m->systems[b->s].n;
      memcpy(b->W, b->value, (size_t)(n * n) * sizeof *b->W);
      rc = factor(o, c, b);
    }
  return rc;
}

static int moved(void *self, ns_ctx *c)
{
  moreau_jean *o = self;
  int rc = NS_OK;
  for (int k = 0; k < o->nblocks && !rc; k++)
    if (o->blocks[k].kind == NONLINEAR) rc = evaluate(o, c, &o->blocks[k], 0);
  return rc;
}

/* What the velocity will gain in the next step, for its first iterate: what it gained, extrapolated
 * from the last two steps, so that one Newton iteration is enough in smooth motion. An impact is no
 * part of it. */
static void foretell(moreau_jean *o, const ns_system *s)
{
  const double *v = o->v + s->q, *v0 = o->x->v + s->q, *smooth = o->free + s->q;
  double *rise = o->rise + s->q, *drift = o->drift + s->q, all = 0, without = 0;
  for (int i = 0; i < s->n; i++) {
    all += fabs(v[i] - v0[i]);
    without += fabs(smooth[i]);
  }
  int impact = all > 10 * without;
  /* a rule of others, who begin with v_k: where it stops depends on that */
  if (o->m->sim.ts.newton_absolute) return;
  for (int i = 0; i < s->n; i++) {
    double gain = impact ? smooth[i] : v[i] - v0[i];
    drift[i] = impact ? gain : 2 * gain - rise[i];
    rise[i] = gain;
  }
}

/* ---- accept ---------------------------------------------------------------------------------- */

static int commit(void *self, ns_ctx *c, ns_state *x)
{
  moreau_jean *o = self;
  size_t bytes = o->m->nv * sizeof(double);
  energy e;
  if (o->steady) {
    if (!ns_moreau_jean_keep_steady(o, x)) return blame(o, c);
    *x->t = o->t1;
    return NS_OK;
  }
  int rc = ns_moreau_jean_energy(o, c, o->q, o->v, &e);
  if (rc) return rc;
  if (!isfinite(e.kinetic + e.potential)) {
    if (o->m->nz) memcpy(x->z, o->z, o->m->nz * sizeof *o->z);
    return blame(o, c);
  }
  for (int k = 0; k < o->nblocks; k++)
    if (o->blocks[k].kind == NONLINEAR) foretell(o, &o->m->systems[o->blocks[k].s]);
  x->cert->work_force += ns_moreau_jean_work(o);
  if (o->nheld) {
    x->cert->work_force += ns_moreau_jean_support_work(o);
    memcpy(x->support, o->support, bytes);
  }
  x->cert->kinetic = e.kinetic;
  x->cert->potential = e.potential;
  memcpy(x->q, o->q, bytes);
  memcpy(x->v, o->v, bytes);
  for (int k = 0; k < o->ntimed; k++) {
    const ns_system *s = &o->m->systems[o->timed[k]];
    memcpy(x->f + s->q, o->f1 + s->q, (size_t)s->n * sizeof(double));
  }
  for (int k = 0; k < o->nblocks; k++) {
    const ns_system *s = &o->m->systems[o->blocks[k].s];
    if (o->blocks[k].kind != NONLINEAR) continue;
    memcpy(x->f + s->q, o->f1 + s->q, (size_t)s->n * sizeof(double));
    for (size_t i = s->q; i < s->q + (size_t)s->n; i++)
      o->wf[i] = ns_moreau_jean_working(o, i, o->f1);
  }
  *x->t = o->t1;
  return NS_OK;
}

/* Forces and energies at the state as it is. Also after a restart: all that is rebuilt here follows
 * from the state. */
static int start(void *self, ns_ctx *c, ns_state *x)
{
  moreau_jean *o = self;
  const ns_model *m = o->m;
  size_t bytes = m->nv * sizeof(double);
  memcpy(o->f1, o->fpot, bytes);
  memcpy(x->f, o->fpot, bytes);
  memcpy(o->q, x->q, bytes);
  memcpy(o->v, x->v, bytes);
  int rc = NS_OK;
  /* W stays that of h: a control that changes z in each step does not cost a factorisation */
  double h = o->h;
  for (int k = 0; k < o->ntimed && !rc; k++) rc = external(o, c, o->timed[k], *x->t, x, x->f);
  o->x = x;
  o->h = 0;
  o->t1 = *x->t;
  for (int k = 0; k < o->nblocks && !rc; k++) {
    if (o->blocks[k].kind != NONLINEAR) continue;
    const ns_system *s = &m->systems[o->blocks[k].s];
    rc = evaluate(o, c, &o->blocks[k], 0);
    memcpy(x->f + s->q, o->f1 + s->q, (size_t)s->n * sizeof(double));
    for (size_t i = s->q; i < s->q + (size_t)s->n; i++)
      o->wf[i] = ns_moreau_jean_working(o, i, o->f1);
  }
  o->h = h;
  if (rc) return rc;
  energy e;
  rc = ns_moreau_jean_energy(o, c, x->q, x->v, &e);
  if (rc) return rc;
  if (!isfinite(e.kinetic + e.potential)) return blame(o, c);
  x->cert->kinetic = e.kinetic;
  x->cert->potential = e.potential;
  x->cert->energy0 = e.kinetic + e.potential;
  return NS_OK;
}

static int steady(const void *self, ns_steady_motion *out)
{
  const moreau_jean *o = self;
  *out = (ns_steady_motion){
      .gain = o->gain, .mass = o->mass, .force = o->fpot, .v = o->v, .q = o->q};
  return o->steady;
}

#define OPERATIONS \
  .order = 2, .create = create, .info = info, .start = start, .begin = begin, \
  .velocity = velocity, .vfree = vfree, .solve = solve, .constant = constant, \
  .diagonal = diagonal, .iterate = iterate, .predict = predict, .commit = commit, \
  .destroy = destroy, .memory = &ns_moreau_jean_memory, .steady = steady, .suspects = suspects

const ns_integrator_ops ns_moreau_jean = {
    OPERATIONS, .name = "MoreauJeanOSI",
    .help = "Moreau-Jean theta scheme, impacts and contact at velocity level"};

const ns_integrator_ops ns_moreau_jean_global = {
    OPERATIONS, .name = "MoreauJeanGOSI",
    .help = "the same; contacts of large sparse systems are solved together with the velocities",
    .unreduced = 1};

#define PROJECTS(how) .projecting = how, .position = position, .metric = metric, .moved = moved

const ns_integrator_ops ns_moreau_jean_direct = {
    OPERATIONS, .name = "MoreauJeanDirectProjectionOSI",
    .help = "the same, then positions are projected onto active contacts and equalities",
    PROJECTS(NS_PROJECT_DIRECT)};

const ns_integrator_ops ns_moreau_jean_combined = {
    OPERATIONS, .name = "MoreauJeanCombinedProjectionOSI",
    .help = "the same, but the active contacts are those that the step would violate",
    PROJECTS(NS_PROJECT_COMBINED)};
