/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/matrices.h"

#include "algebra/dense.h"
#include "model/systems/lagrangian.h"
#include "model/systems/mechanics.h"
#include "model/systems/rigid_body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum kernel { DIAGONAL, DENSE, MOVING } kernel;

/* Rigid bodies: M is constant, and diagonal in the plane and in principal axes. */
enum { BODY = 6 };

typedef struct block {
  kernel kind;
  int symmetric;
  double *W; /* factors [n x n]; diagonal: the inverse [n] */
  double *M; /* moving: the mass [n x n]; else that of W */
  int *piv;  /* [n] */
} block;

struct ns_matrices {
  const ns_model *m;
  ns_arena *mem;
  double b, c;
  block *block; /* [nsystems] */
  double *inverse; /* of all systems, where all are diagonal; else NULL [nv] */
  int moving;   /* some block is */
  double *work;
};

static int is_diagonal(int n, const double *M)
{
  for (int i = 0; i < n * n; i++)
    if (i % (n + 1) && M[i] != 0) return 0;
  return 1;
}

static void classify(const ns_matrices *o, const ns_system *s, block *k)
{
  int mass_only = o->b == 0 && o->c == 0;
  if (ns_mechanics_is_rigid(s)) {
    double M[BODY * BODY];
    ns_rigid_mass(s, M);
    k->kind = is_diagonal(s->n, M) ? DIAGONAL : DENSE;
    k->symmetric = 1;
    return;
  }
  if (s->mass.how > NS_OP_CONSTANT) {
    k->kind = MOVING;
    return;
  }
  int diagonal = ns_operator_is_diagonal(&s->mass) &&
                 (mass_only || (ns_operator_is_diagonal(&s->damping) && ns_operator_is_diagonal(&s->stiffness)));
  k->kind = diagonal ? DIAGONAL : DENSE;
  k->symmetric = ns_operator_is_symmetric(&s->mass) && (mass_only || (ns_operator_is_symmetric(&s->damping) && ns_operator_is_symmetric(&s->stiffness)));
}

static int get_memory(ns_matrices *o)
{
  size_t work = 1;
  o->block = ns_arena_zero(o->mem, (size_t)o->m->nsystems, sizeof *o->block);
  double *inverse = o->inverse = ns_arena_zero(o->mem, o->m->nv + 1, sizeof *inverse);
  if (!o->block || !inverse) return NS_NOMEM;
  for (int i = 0; i < o->m->nsystems; i++) {
    const ns_system *s = &o->m->systems[i];
    block *k = &o->block[i];
    size_t n = (size_t)s->n, w = ns_mechanics_is_rigid(s) ? 0 : ns_lagrangian_work(s);
    classify(o, s, k);
    k->W = k->kind == DIAGONAL ? inverse + s->v : ns_arena_zero(o->mem, n * n, sizeof *k->W);
    if (k->kind != DIAGONAL) o->inverse = NULL;
    o->moving |= k->kind == MOVING;
    k->M = k->kind == MOVING ? ns_arena_zero(o->mem, n * n, sizeof *k->M) : k->W;
    k->piv = k->kind == DIAGONAL ? NULL : ns_arena_zero(o->mem, n, sizeof *k->piv);
    if (!k->W || !k->M || (k->kind != DIAGONAL && !k->piv)) return NS_NOMEM;
    if (w > work) work = w;
  }
  o->work = ns_arena_zero(o->mem, work, sizeof *o->work);
  return o->work ? NS_OK : NS_NOMEM;
}

static int singular(const ns_system *s, ns_ctx *c, double t, int k)
{
  char at[512], name[32];
  return ns_fail(c, NS_NUMERIC, "%s: mass, or mass with damping and stiffness of a step, is singular at t = %.10g s (pivot %d, "
                 "coordinate %s); check them there, or take a smaller h", ns_place_text(&s->at, at, sizeof at), t, k,
                 ns_system_coordinate(s, k - 1, name, sizeof name));
}

static int decompose(int n, const block *k)
{
  return k->symmetric ? ns_dense_cholesky(n, k->W, n) : ns_dense_lu(n, k->W, n, k->piv);
}

static int factor(ns_ctx *c, const ns_system *s, block *k, double t)
{
  int p = decompose(s->n, k);
  return p ? singular(s, c, t, p) : NS_OK;
}

/* Entry (i, j) of W of a constant system. */
static double entry(const ns_matrices *o, const ns_system *s, int i, int j)
{
  if (ns_mechanics_is_rigid(s)) {
    double M[BODY * BODY];
    ns_rigid_mass(s, M);
    return M[i + j * s->n];
  }
  double w = s->mass.how ? ns_operator_entry(&s->mass, i, j) : i == j;
  if (o->b != 0 && s->damping.how) w += o->b * ns_operator_entry(&s->damping, i, j);
  if (o->c != 0 && s->stiffness.how) w += o->c * ns_operator_entry(&s->stiffness, i, j);
  return w;
}

static int build(ns_matrices *o, ns_ctx *c)
{
  int rc = NS_OK;
  for (int i = 0; i < o->m->nsystems && !rc; i++) {
    const ns_system *s = &o->m->systems[i];
    block *k = &o->block[i];
    if (k->kind != DIAGONAL) rc = ns_dense_prepare(c, s->n);
    for (int a = 0; a < s->n && k->kind == DIAGONAL && !rc; a++) {
      k->W[a] = 1 / entry(o, s, a, a);
      if (!isfinite(k->W[a])) rc = singular(s, c, o->m->sim.t0, a + 1);
    }
    if (k->kind != DENSE || rc) continue;
    for (int b = 0; b < s->n; b++)
      for (int a = 0; a < s->n; a++) k->W[a + b * s->n] = entry(o, s, a, b);
    rc = factor(c, s, k, o->m->sim.t0);
  }
  return rc;
}

int ns_matrices_create(ns_ctx *c, const ns_model *m, double b, double k, ns_matrices **out)
{
  ns_matrices *o = *out = calloc(1, sizeof *o);
  if (!o) return ns_nomem(c, "matrices of the systems");
  *o = (ns_matrices){.m = m, .b = b, .c = k, .mem = ns_arena_create(0, 1)};
  int rc = o->mem && get_memory(o) == NS_OK ? build(o, c) : ns_nomem(c, "matrices of the systems");
  if (rc) {
    ns_matrices_destroy(o);
    *out = NULL;
  }
  return rc;
}

void ns_matrices_destroy(ns_matrices *o)
{
  if (!o) return;
  ns_arena_destroy(o->mem);
  free(o);
}

void ns_matrices_info(const ns_matrices *o, ns_integrator_info *info)
{
  *info = (ns_integrator_info){.linear = 1, .symmetric = 1, .bytes = ns_arena_used(o->mem) + sizeof *o};
  for (int i = 0; i < o->m->nsystems; i++) {
    const block *k = &o->block[i];
    const ns_system *s = &o->m->systems[i];
    int linear = ns_mechanics_is_rigid(s) ? ns_mechanics_is_steady(s) : ns_lagrangian_is_linear(s);
    info->diagonal += linear && k->kind == DIAGONAL;
    info->dense += linear && k->kind != DIAGONAL;
    info->nonlinear += !linear;
    info->linear = info->linear && linear;
    info->symmetric = info->symmetric && (k->kind == DIAGONAL || k->symmetric);
  }
}

int ns_matrices_moving(const ns_matrices *o) { return o->moving; }

int ns_matrices_move(ns_matrices *o, ns_ctx *c, double t, const double *q, const double *v, double *z)
{
  int rc = NS_OK;
  for (int i = 0; i < o->m->nsystems && !rc; i++) {
    const ns_system *s = &o->m->systems[i];
    block *k = &o->block[i];
    if (k->kind != MOVING) continue;
    ns_point p = ns_lagrangian_point(s, t, q, v, z);
    rc = ns_lagrangian_mass(s, c, &p, o->work, k->M);
    memcpy(k->W, k->M, (size_t)(s->n * s->n) * sizeof *k->W);
    if (!rc) rc = factor(c, s, k, t);
  }
  return rc;
}

void ns_matrices_save(const ns_matrices *o, ns_blob *b)
{
  for (int i = 0; i < o->m->nsystems; i++) {
    size_t n = (size_t)o->m->systems[i].n;
    if (o->block[i].kind == MOVING) ns_blob_put_reals(b, o->block[i].M, n * n);
  }
}

void ns_matrices_restore(ns_matrices *o, ns_blob *b)
{
  for (int i = 0; i < o->m->nsystems; i++) {
    const block *k = &o->block[i];
    int n = o->m->systems[i].n;
    if (k->kind != MOVING) continue;
    ns_blob_get_reals(b, k->M, (size_t)(n * n));
    memcpy(k->W, k->M, (size_t)(n * n) * sizeof *k->W);
    if (!b->failed && decompose(n, k)) b->failed = NS_NOINPUT;
  }
}

static void solve(const void *self, int i, int nrhs, double *B)
{
  const ns_matrices *o = self;
  const block *k = &o->block[i];
  int n = o->m->systems[i].n;
  if (k->kind == DIAGONAL)
    for (int j = 0; j < nrhs; j++)
      for (int a = 0; a < n; a++) B[a + j * n] *= k->W[a];
  else if (k->symmetric) ns_dense_cholesky_solve(n, k->W, n, nrhs, B, n);
  else ns_dense_lu_solve(n, k->W, n, k->piv, nrhs, B, n);
}

void ns_matrices_solve(const ns_matrices *o, double *x)
{
  for (size_t i = 0; o->inverse && i < o->m->nv; i++) x[i] *= o->inverse[i];
  for (int i = 0; i < o->m->nsystems && !o->inverse; i++) solve(o, i, 1, x + o->m->systems[i].v);
}

static void add_momentum(const ns_system *s, double a, const double *x, double *y)
{
  double p[BODY];
  memcpy(p, x, (size_t)s->n * sizeof *p);
  ns_rigid_momentum(s, p);
  for (int r = 0; r < s->n; r++) y[r] += a * p[r];
}

void ns_matrices_multiply(const ns_matrices *o, double a, const double *x, double *y)
{
  for (int i = 0; i < o->m->nsystems; i++) {
    const ns_system *s = &o->m->systems[i];
    const double *xi = x + s->v, *M = o->block[i].M;
    double *yi = y + s->v;
    if (ns_mechanics_is_rigid(s)) add_momentum(s, a, xi, yi);
    else if (o->block[i].kind == MOVING)
      for (int j = 0; j < s->n; j++)
        for (int r = 0; r < s->n; r++) yi[r] += a * M[r + j * s->n] * xi[j];
    else if (s->mass.how) ns_operator_gemv_add(a, &s->mass, xi, yi);
    else
      for (int r = 0; r < s->n; r++) yi[r] += a * xi[r];
  }
}

static int constant(const void *self, int s) { return ((const ns_matrices *)self)->block[s].kind != MOVING; }
static int diagonal(const void *self, int s) { return ((const ns_matrices *)self)->block[s].kind == DIAGONAL; }

const ns_integrator_ops ns_matrices_ops = {.size = sizeof ns_matrices_ops, .name = "", .help = "", .solve = solve,
                                           .constant = constant, .diagonal = diagonal};
