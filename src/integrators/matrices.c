/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/matrices.h"

#include "algebra/dense.h"
#include "algebra/vector.h"
#include "base/sets.h"
#include "integrators/groups.h"
#include "model/systems/lagrangian.h"
#include "model/systems/mechanics.h"
#include "model/systems/rigid_armature.h"
#include "model/systems/rigid_body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* JOINED: a body that has its matrix in common with others, that of their group. */
typedef enum kernel { DIAGONAL, DENSE, MOVING, JOINED } kernel;

/* Rigid bodies: M is constant, and diagonal in the plane and in principal axes. */
enum { BODY = 6 };

typedef struct block {
  kernel kind;
  int symmetric;
  double *W; /* factors [n x n]; diagonal: the inverse [n] */
  double *M; /* moving: the mass [n x n]; else that of W */
  int *piv;  /* [n] */
} block;

/* Bodies that armatures join. */
typedef struct team {
  int n, nsystems;
  const int *system; /* [nsystems] */
  double *W, *M;     /* Cholesky factors, and the mass [n x n] */
} team;

struct ns_matrices {
  const ns_model *m;
  ns_arena *mem;
  double b, c;
  block *block; /* [nsystems] */
  int nteams;
  team *team; /* [nteams] */
  /* of each system: -1; where it stands in the vector of its team [nsystems] */
  int *team_of, *place;
  double *together;     /* scratch of a team */
  double *inverse;      /* of all systems, where all are diagonal; else NULL [nv] */
  int moving;           /* some block is */
  unsigned char *fixed; /* coordinates that keep their place; NULL: none [nv] */
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
  if (o->nteams && o->team_of[s - o->m->systems] >= 0) {
    k->kind = JOINED;
    k->symmetric = 1;
    return;
  }
  if (ns_system_is_rigid(s)) {
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
                 (mass_only ||
                  (ns_operator_is_diagonal(&s->damping) && ns_operator_is_diagonal(&s->stiffness)));
  k->kind = diagonal ? DIAGONAL : DENSE;
  k->symmetric = ns_operator_is_symmetric(&s->mass) &&
                 (mass_only || (ns_operator_is_symmetric(&s->damping) &&
                                ns_operator_is_symmetric(&s->stiffness)));
}

/* Bodies that armatures join; a body that has one with the world alone is a team of its own. */
static int get_teams(ns_matrices *o)
{
  const ns_model *m = o->m;
  size_t ns = (size_t)m->nsystems, max = 0;
  ns_rate_groups g;
  int *up = ns_arena_get(o->mem, ns + 1, sizeof *up), any = 0;
  unsigned char *has = ns_arena_zero(o->mem, ns + 1, 1);
  if (!up || !has) return NS_NOMEM;
  ns_sets_begin(up, m->nsystems);
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (!it->relation || !ns_interaction_has_armature(it)) continue;
    any = has[it->systems[0]] = 1;
    if (it->nsystems > 1) ns_sets_join(up, it->systems[0], it->systems[1]);
    if (it->nsystems > 1) has[it->systems[1]] = 1;
  }
  if (!any) return NS_OK;
  o->team = ns_arena_zero(o->mem, ns, sizeof *o->team);
  o->team_of = ns_arena_get(o->mem, ns, sizeof *o->team_of);
  o->place = ns_arena_zero(o->mem, ns, sizeof *o->place);
  if (!o->team || !o->team_of || !o->place || ns_groups_make(o->mem, m, up, &g)) return NS_NOMEM;
  for (int s = 0; s < m->nsystems; s++) {
    o->team_of[s] = has[s] ? g.of[s] : -1;
    o->place[s] = g.at[s];
  }
  o->nteams = g.n;
  for (int k = 0; k < g.n; k++) {
    team *t = &o->team[k];
    size_t n = (size_t)g.size[k];
    *t = (team){
        .n = g.size[k], .nsystems = g.first[k + 1] - g.first[k], .system = g.list + g.first[k]};
    if (!has[t->system[0]]) continue;
    t->W = ns_arena_zero(o->mem, n * n, sizeof *t->W);
    t->M = ns_arena_zero(o->mem, n * n, sizeof *t->M);
    if (!t->W || !t->M) return NS_NOMEM;
    max = n > max ? n : max;
  }
  o->together = ns_arena_zero(o->mem, max, sizeof *o->together);
  return o->together ? NS_OK : NS_NOMEM;
}

/* A coordinate that is fixed is an unknown no longer: W of the others is solved with, and what
 * acts on it does nothing. */
static void fix_matrix(const ns_matrices *o, const ns_system *s, int at, int n, double *W)
{
  for (int k = 0; o->fixed && k < s->n; k++)
    if (o->fixed[s->v + (size_t)k]) ns_dense_isolate(n, W, at + k);
}

static void fix_vector(const ns_matrices *o, const ns_system *s, double *x)
{
  for (int k = 0; o->fixed && k < s->n; k++)
    if (o->fixed[s->v + (size_t)k]) x[k] = 0;
}

static int get_fixed(ns_matrices *o)
{
  if (!o->m->nboundaries) return NS_OK;
  o->fixed = ns_arena_zero(o->mem, o->m->nv, sizeof *o->fixed);
  if (!o->fixed) return NS_NOMEM;
  ns_model_mark_held(o->m, o->fixed);
  return NS_OK;
}

static int get_memory(ns_matrices *o)
{
  size_t work = 1;
  o->block = ns_arena_zero(o->mem, (size_t)o->m->nsystems, sizeof *o->block);
  double *inverse = o->inverse = ns_arena_zero(o->mem, o->m->nv + 1, sizeof *inverse);
  if (!o->block || !inverse || get_teams(o) || get_fixed(o)) return NS_NOMEM;
  for (int i = 0; i < o->m->nsystems; i++) {
    const ns_system *s = &o->m->systems[i];
    block *k = &o->block[i];
    size_t n = (size_t)s->n, w = ns_system_is_rigid(s) ? 0 : ns_lagrangian_work(s);
    classify(o, s, k);
    if (k->kind != DIAGONAL) o->inverse = NULL;
    if (k->kind == JOINED) continue;
    k->W = k->kind == DIAGONAL ? inverse + s->v : ns_arena_zero(o->mem, n * n, sizeof *k->W);
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
  char name[32];
  return ns_fail_at(c, NS_NUMERIC, &s->at,
                    "mass, or mass with damping and stiffness of a step, is singular at t = %.10g "
                    "s (pivot %d, coordinate %s); check them there, or use a smaller h",
                    t, k, ns_system_coordinate(s, k - 1, name, sizeof name));
}

static int decompose(const ns_matrices *o, const ns_system *s, const block *k)
{
  int n = s->n;
  fix_matrix(o, s, 0, n, k->W);
  return k->symmetric ? ns_dense_cholesky(n, k->W, n) : ns_dense_lu(n, k->W, n, k->piv);
}

static int factor(const ns_matrices *o, ns_ctx *c, const ns_system *s, const block *k, double t)
{
  int p = decompose(o, s, k);
  return p ? singular(s, c, t, p) : NS_OK;
}

/* Entry (i, j) of W of a constant system. */
static double entry(const ns_matrices *o, const ns_system *s, int i, int j)
{
  if (ns_system_is_rigid(s)) {
    double M[BODY * BODY];
    ns_rigid_mass(s, M);
    return M[i + j * s->n];
  }
  return ns_lagrangian_entry(s, o->b, o->c, i, j);
}

static int build(ns_matrices *o, ns_ctx *c)
{
  int rc = NS_OK, max = 0;
  for (int k = 0; k < o->nteams; k++) max = o->team[k].W && o->team[k].n > max ? o->team[k].n : max;
  if (max) rc = ns_dense_prepare(c, max);
  for (int i = 0; i < o->m->nsystems && !rc; i++) {
    const ns_system *s = &o->m->systems[i];
    block *k = &o->block[i];
    if (k->kind != DIAGONAL) rc = ns_dense_prepare(c, s->n);
    for (int a = 0; a < s->n && k->kind == DIAGONAL && !rc; a++) {
      k->W[a] = 1 / entry(o, s, a, a);
      if (!isfinite(k->W[a])) rc = singular(s, c, o->m->sim.t0, a + 1);
    }
    if (k->kind == DIAGONAL) fix_vector(o, s, k->W);
    if (k->kind != DENSE || rc) continue;
    for (int b = 0; b < s->n; b++)
      for (int a = 0; a < s->n; a++) k->W[a + b * s->n] = entry(o, s, a, b);
    rc = factor(o, c, s, k, o->m->sim.t0);
  }
  return rc;
}

int ns_matrices_create(ns_ctx *c, const ns_model *m, double b, double k, ns_matrices **out)
{
  ns_matrices *o = *out = NS_ARENA_OBJECT(ns_matrices, mem);
  if (!o) return ns_nomem(c, "matrices of the systems");
  *o = (ns_matrices){.m = m, .b = b, .c = k, .mem = o->mem};
  int rc = get_memory(o) ? ns_nomem(c, "matrices of the systems") : build(o, c);
  if (rc) {
    ns_matrices_destroy(o);
    *out = NULL;
  }
  return rc;
}

void ns_matrices_destroy(ns_matrices *o)
{
  if (o) ns_arena_destroy(o->mem);
}

void ns_matrices_info(const ns_matrices *o, ns_integrator_info *info)
{
  *info = (ns_integrator_info){
      .linear = 1, .symmetric = 1, .bytes = ns_arena_used(o->mem) + sizeof *o};
  for (int i = 0; i < o->m->nsystems; i++) {
    const block *k = &o->block[i];
    const ns_system *s = &o->m->systems[i];
    int linear = ns_system_is_rigid(s) ? ns_mechanics_is_steady(s) : ns_lagrangian_is_linear(s);
    linear = linear && k->kind != JOINED;
    info->diagonal += linear && k->kind == DIAGONAL;
    info->dense += linear && k->kind != DIAGONAL;
    info->nonlinear += !linear;
    info->linear = info->linear && linear;
    info->symmetric = info->symmetric && (k->kind == DIAGONAL || k->symmetric);
  }
}

int ns_matrices_moving(const ns_matrices *o) { return o->moving || o->nteams; }
int ns_matrices_given(const ns_matrices *o) { return o->moving; }

/* M of all teams at q. */
static void fill_teams(ns_matrices *o, const double *q, const double *v)
{
  const ns_model *m = o->m;
  double own[BODY * BODY];
  ns_armature a;
  for (int k = 0; k < o->nteams; k++) {
    const team *t = &o->team[k];
    if (!t->M) continue;
    memset(t->M, 0, (size_t)t->n * (size_t)t->n * sizeof *t->M);
    for (int i = 0; i < t->nsystems; i++) {
      const ns_system *s = &m->systems[t->system[i]];
      int at = o->place[t->system[i]];
      ns_rigid_mass(s, own);
      for (int c = 0; c < s->n; c++)
        for (int r = 0; r < s->n; r++) t->M[at + r + (at + c) * t->n] = own[r + c * s->n];
    }
  }
  for (int i = 0; i < m->ninteractions && o->nteams; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (!it->relation || !ns_interaction_has_armature(it)) continue;
    int at[2] = {o->place[it->systems[0]], it->nsystems > 1 ? o->place[it->systems[1]] : -1};
    const team *t = &o->team[o->team_of[it->systems[0]]];
    ns_armature_eval(m, it, q, v, &a);
    ns_armature_add_mass(&a, m->systems[it->systems[0]].n, at, t->n, t->M);
  }
}

/* Factors of a team; masses of bodies are positive definite, and armatures add to them. */
static int factor_team(const ns_matrices *o, const team *t)
{
  if (!t->M) return 0;
  memcpy(t->W, t->M, (size_t)t->n * (size_t)t->n * sizeof *t->W);
  for (int i = 0; i < t->nsystems; i++)
    fix_matrix(o, &o->m->systems[t->system[i]], o->place[t->system[i]], t->n, t->W);
  return ns_dense_cholesky(t->n, t->W, t->n);
}

static int factor_teams(ns_matrices *o, ns_ctx *c, double t)
{
  for (int k = 0; k < o->nteams; k++) {
    int p = factor_team(o, &o->team[k]), i = 0;
    if (!p) continue;
    const team *bad = &o->team[k];
    while (i + 1 < bad->nsystems && o->place[bad->system[i + 1]] < p) i++;
    return singular(&o->m->systems[bad->system[i]], c, t, p - o->place[bad->system[i]]);
  }
  return NS_OK;
}

int ns_matrices_move(ns_matrices *o, ns_ctx *c, double t, const double *q, const double *v,
                     double *z)
{
  int rc = NS_OK;
  for (int i = 0; i < o->m->nsystems && !rc; i++) {
    const ns_system *s = &o->m->systems[i];
    block *k = &o->block[i];
    if (k->kind != MOVING) continue;
    ns_point p = ns_system_point(s, t, q, v, z);
    rc = ns_lagrangian_mass(s, c, &p, o->work, k->M);
    memcpy(k->W, k->M, (size_t)(s->n * s->n) * sizeof *k->W);
    if (!rc) rc = factor(o, c, s, k, t);
  }
  if (rc || !o->nteams) return rc;
  fill_teams(o, q, v);
  return factor_teams(o, c, t);
}

void ns_matrices_save(const ns_matrices *o, ns_blob *b)
{
  for (int i = 0; i < o->m->nsystems; i++) {
    size_t n = (size_t)o->m->systems[i].n;
    if (o->block[i].kind == MOVING) ns_blob_put_reals(b, o->block[i].M, n * n);
  }
  for (int k = 0; k < o->nteams; k++) {
    size_t n = (size_t)o->team[k].n;
    if (o->team[k].M) ns_blob_put_reals(b, o->team[k].M, n * n);
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
    if (!b->failed && decompose(o, &o->m->systems[i], k)) b->failed = NS_NOINPUT;
  }
  for (int k = 0; k < o->nteams; k++) {
    team *t = &o->team[k];
    if (!t->M) continue;
    ns_blob_get_reals(b, t->M, (size_t)t->n * (size_t)t->n);
    if (!b->failed && factor_team(o, t)) b->failed = NS_NOINPUT;
  }
}

static void fix_team(const ns_matrices *o, const team *t, double *x)
{
  for (int i = 0; o->fixed && i < t->nsystems; i++)
    fix_vector(o, &o->m->systems[t->system[i]], x + o->place[t->system[i]]);
}

/* B of all systems that stand together with system i, one after the other. */
static void solve(const void *self, int i, int nrhs, double *B)
{
  const ns_matrices *o = self;
  const block *k = &o->block[i];
  const ns_system *s = &o->m->systems[i];
  int n = s->n;
  for (int j = 0; k->kind != JOINED && j < nrhs; j++) fix_vector(o, s, B + j * n);
  if (k->kind == DIAGONAL)
    for (int j = 0; j < nrhs; j++)
      for (int a = 0; a < n; a++) B[a + j * n] *= k->W[a];
  else if (k->kind == JOINED) {
    const team *t = &o->team[o->team_of[i]];
    for (int j = 0; j < nrhs; j++) fix_team(o, t, B + j * t->n);
    ns_dense_cholesky_solve(t->n, t->W, t->n, nrhs, B, t->n);
  } else if (k->symmetric) ns_dense_cholesky_solve(n, k->W, n, nrhs, B, n);
  else ns_dense_lu_solve(n, k->W, n, k->piv, nrhs, B, n);
}

static int together(const void *self, int i, const int **system)
{
  const ns_matrices *o = self;
  if (o->block[i].kind != JOINED) return 1;
  const team *t = &o->team[o->team_of[i]];
  *system = t->system;
  return t->nsystems;
}

/* x := W^-1 x of a team. */
static void solve_team(const ns_matrices *o, const team *t, double *x)
{
  for (int i = 0; i < t->nsystems; i++) {
    const ns_system *s = &o->m->systems[t->system[i]];
    memcpy(o->together + o->place[t->system[i]], x + s->v, (size_t)s->n * sizeof *x);
  }
  fix_team(o, t, o->together);
  ns_dense_cholesky_solve(t->n, t->W, t->n, 1, o->together, t->n);
  for (int i = 0; i < t->nsystems; i++) {
    const ns_system *s = &o->m->systems[t->system[i]];
    memcpy(x + s->v, o->together + o->place[t->system[i]], (size_t)s->n * sizeof *x);
  }
}

void ns_matrices_solve(const ns_matrices *o, double *x)
{
  for (size_t i = 0; o->inverse && i < o->m->nv; i++) x[i] *= o->inverse[i];
  for (int i = 0; i < o->m->nsystems && !o->inverse; i++)
    if (o->block[i].kind != JOINED) solve(o, i, 1, x + o->m->systems[i].v);
  for (int k = 0; k < o->nteams; k++)
    if (o->team[k].W) solve_team(o, &o->team[k], x);
}

/* y += a M x of a team. */
static void multiply_team(const ns_matrices *o, const team *t, double a, const double *x, double *y)
{
  for (int i = 0; i < t->nsystems; i++)
    for (int j = 0; j < t->nsystems; j++) {
      const ns_system *s = &o->m->systems[t->system[i]], *u = &o->m->systems[t->system[j]];
      const double *M = t->M + o->place[t->system[i]] + o->place[t->system[j]] * t->n;
      for (int c = 0; c < u->n; c++)
        for (int r = 0; r < s->n; r++)
          y[s->v + (size_t)r] += a * M[r + c * t->n] * x[u->v + (size_t)c];
    }
}

static void add_momentum(const ns_system *s, double a, const double *x, double *y)
{
  double p[BODY];
  memcpy(p, x, (size_t)s->n * sizeof *p);
  ns_rigid_momentum(s, p);
  ns_axpy((size_t)s->n, a, p, y);
}

void ns_matrices_multiply(const ns_matrices *o, double a, const double *x, double *y)
{
  for (int i = 0; i < o->m->nsystems; i++) {
    const ns_system *s = &o->m->systems[i];
    const double *xi = x + s->v, *M = o->block[i].M;
    double *yi = y + s->v;
    if (o->block[i].kind == JOINED) continue;
    if (ns_system_is_rigid(s)) add_momentum(s, a, xi, yi);
    else if (o->block[i].kind == MOVING)
      for (int j = 0; j < s->n; j++)
        for (int r = 0; r < s->n; r++) yi[r] += a * M[r + j * s->n] * xi[j];
    else if (s->mass.how) ns_operator_gemv_add(a, &s->mass, xi, yi);
    else ns_axpy((size_t)s->n, a, xi, yi);
  }
  for (int k = 0; k < o->nteams; k++)
    if (o->team[k].M) multiply_team(o, &o->team[k], a, x, y);
}

static int constant(const void *self, int s)
{
  kernel kind = ((const ns_matrices *)self)->block[s].kind;
  return kind != MOVING && kind != JOINED;
}

static int diagonal(const void *self, int s)
{
  return ((const ns_matrices *)self)->block[s].kind == DIAGONAL;
}

const ns_integrator_ops ns_matrices_ops = {.name = "",
                                           .help = "",
                                           .solve = solve,
                                           .constant = constant,
                                           .diagonal = diagonal,
                                           .together = together};
