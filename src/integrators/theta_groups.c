/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/vector.h"
#include "integrators/theta_data.h"

#include "algebra/dense.h"
#include "base/sets.h"
#include "integrators/slopes.h"
#include "model/systems/first_order.h"
#include "model/systems/rigid_body.h"

#include <math.h>
#include <string.h>

/* ---- groups ---------------------------------------------------------------------------------- */

/* A system with those that a variable which it reads depends on. */
static void join_variable(const ns_model *m, int *up, int system, const ns_foreign_variable *v)
{
  int systems[NS_FOREIGN_SYSTEMS];
  for (int k = 0, n = ns_foreign_systems(m, v, systems); k < n; k++)
    ns_sets_join(up, system, systems[k]);
}

/* Bodies with what acts between them, and with what its formulas read. */
static void join_drives(const ns_theta *o, int *up)
{
  const ns_rigid_drives *d = o->bodies ? o->bodies->drives : NULL;
  for (int g = 0; d && g < d->ngroups; g++)
    for (int k = d->from[g] + 1; k < d->from[g + 1]; k++)
      ns_sets_join(up, o->body[d->member[d->from[g]]], o->body[d->member[k]]);
  for (int k = 0; d && k < d->nreaders; k++) {
    const ns_drives_reader *r = &d->reader[k];
    const ns_foreign *f = ns_operator_foreign(r->by.op);
    for (int side = 0; side < d->at[r->drive].sides; side++)
      for (int j = 0; j < f->n && d->drive[r->drive].body[side] >= 0; j++)
        join_variable(o->m, up, o->body[d->drive[r->drive].body[side]], &f->of[j]);
  }
}

/* What a held system reads is that of the begin of the step. */
static void join_all(const ns_model *m, theta_part *of, int *up)
{
  ns_sets_begin(up, m->nsystems);
  for (int i = 0; i < m->nsystems; i++)
    for (const ns_foreign_part *p = of[i].foreign; p->op && !of[i].held; p++) {
      const ns_foreign *f = ns_operator_foreign(p->op);
      for (int j = 0; f && j < f->n; j++) join_variable(m, up, i, &f->of[j]);
    }
  for (int k = 0; k < m->ninteractions; k++) {
    const ns_interaction *it = &m->interactions[k];
    if (!ns_interaction_is_first_order(it) || !(ns_relation_present(it) & NS_RELATION_K)) continue;
    for (int i = 0; i < it->nsystems; i++) {
      of[it->systems[i]].tangent = 1;
      ns_sets_join(up, it->systems[0], it->systems[i]);
    }
  }
}

int ns_theta_make_groups(ns_theta *o)
{
  int *up = ns_arena_zero(o->mem, (size_t)o->m->nsystems + 1, sizeof *up);
  if (!up) return NS_NOMEM;
  join_all(o->m, o->of, up);
  join_drives(o, up);
  return ns_groups_make(o->mem, o->m, up, &o->groups);
}

static void list_held(ns_theta *o, int g)
{
  theta_group *k = &o->group[g];
  k->nheld = 0;
  for (int e = o->groups.begin[g]; e < o->groups.begin[g + 1] && o->nheld; e++) {
    int i = o->groups.entry[e];
    if (o->held[i]) k->held[k->nheld++] = o->groups.place[i];
  }
}

int ns_theta_make_group(ns_theta *o, ns_ctx *c, int g)
{
  theta_group *k = &o->group[g];
  size_t n = (size_t)(k->n = o->groups.size[g]);
  if (k->only || o->sparse) return NS_OK;
  const ns_array want[] = {{&k->W, n * n, sizeof *k->W},
                           {&k->last, n * n, sizeof *k->last},
                           {&k->LU, n * n, sizeof *k->LU},
                           {&k->piv, n, sizeof *k->piv},
                           {&k->held, n, sizeof *k->held}};
  if (ns_arena_arrays(o->mem, want, sizeof want / sizeof *want)) return ns_nomem(c, "integrator");
  list_held(o, g);
  return ns_dense_prepare(c, k->n);
}

void ns_theta_hold_velocities(ns_theta *o)
{
  const ns_rigid_motion *b = o->bodies;
  memset(o->held, 0, o->m->nv);
  ns_model_mark_held(o->m, o->held);
  for (int k = 0; b && b->away && k < b->nbodies; k++)
    if (b->away[k]) memset(o->held + o->m->systems[o->body[k]].v, 1, (size_t)b->dof);
  o->nheld = 0;
  for (size_t i = 0; i < o->m->nv; i++) o->nheld += o->held[i];
  for (int g = 0; o->group && g < o->groups.n; g++)
    if (o->group[g].held) list_held(o, g);
}

/* ---- how u moves ----------------------------------------------------------------------------- */

/* Of a joint or a line between bodies. */
static int moves_between(const ns_theta *o, const ns_foreign_variable *v, int *entry, double *by)
{
  int systems[NS_FOREIGN_SYSTEMS], n = 0;
  double by_v[NS_DRIVE_WIDTH];
  ns_foreign_between(o->m, v, o->q, o->v, NULL, by, by_v);
  for (int k = 0, m = ns_foreign_systems(o->m, v, systems); k < m; k++) {
    const theta_part *p = &o->of[systems[k]];
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
  const theta_part *p = &o->of[v->system];
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

/* ---- iteration matrix ------------------------------------------------------------------------ */

static void put_own(const ns_theta *o, const theta_part *p, theta_group *g)
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
static void put_foreign(ns_theta *o, const theta_part *p, const ns_foreign_part *f, theta_group *g)
{
  const ns_foreign *k = ns_operator_foreign(f->op);
  ns_point at = theta_point(o, p->s, o->t1, o->q, o->v, o->x->z);
  int rows = f->op->rows * f->op->cols, entry[NS_THETA_MOVES];
  double *J = o->work, *F = J + (size_t)p->n * (size_t)k->n, by[NS_THETA_MOVES];
  ns_operator_eval_foreign(f->op, &at, F + p->n, J);
  ns_finite_slopes((size_t)rows * (size_t)k->n, J);
  for (int j = 0; j < k->n; j++, J += rows) {
    int moves = ns_theta_moves(o, &k->of[j], entry, by);
    if (p->body >= 0) ns_rigid_as_force(p->s, f->op, at.q, J, F);
    else
      for (int i = 0; i < p->n; i++) F[i] = f->sign * J[i];
    for (int e = 0; e < moves; e++) {
      double *column = g->W + (size_t)p->at + (size_t)o->groups.place[entry[e]] * (size_t)g->n;
      ns_axpy((size_t)p->n, -o->h * p->theta * by[e], F, column);
    }
  }
}

/* What acts between bodies: blocks of two of them. Those of one are in its own. */
static void put_drives(ns_theta *o)
{
  const ns_rigid_drives *d = o->bodies->drives;
  double a = o->h * o->bodies->theta;
  for (int g = 0; g < d->ngroups; g++) {
    const theta_group *to = &o->group[o->groups.of[o->body[d->member[d->from[g]]]]];
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
    const ns_foreign *f = ns_operator_foreign(r->by.op);
    int sides = b->drives->at[r->drive].sides;
    const double *J = r->J;
    for (int j = 0; j < f->n; j++, J += sides * b->dof) {
      int moves = ns_theta_moves(o, &f->of[j], entry, by);
      for (int e = 0; e < moves * sides; e++) {
        int side = e / moves, body = b->drives->drive[r->drive].body[side];
        if (body < 0) continue;
        const theta_part *p = &o->of[o->body[body]];
        const theta_group *g = &o->group[p->group];
        double *column = g->W + (size_t)p->at +
                         (size_t)o->groups.place[entry[e % moves]] * (size_t)g->n;
        ns_axpy((size_t)b->dof, -o->h * p->theta * by[e % moves], J + side * b->dof, column);
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
    const theta_part *by = &o->of[it->systems[a]];
    double lever = by->n ? o->lever[by->s->v] : 0;
    for (int j = 0; j < by->n; j++)
      for (int e = 0; e < it->nsystems; e++) {
        const theta_part *of = &o->of[it->systems[e]];
        theta_group *g = &o->group[of->group];
        for (int i = 0; i < of->n; i++)
          g->W[(size_t)(of->at + i) + (size_t)(by->at + j) * (size_t)g->n] -= o->h * of->after *
                                                                              lever * *K++;
      }
  }
}

/* Rows of held systems: I + G/h times what inputs have put there. */
static void close_holds(ns_theta *o, int g)
{
  theta_group *k = &o->group[g];
  const ns_rate_groups *r = &o->groups;
  size_t n = (size_t)k->n;
  for (int e = r->first[g]; e < r->first[g + 1]; e++) {
    const theta_part *p = &o->of[r->list[e]];
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
  char name[32];
  const ns_rate_groups *r = &o->groups;
  int i = r->first[g];
  while (i + 1 < r->first[g + 1] && r->at[r->list[i + 1]] <= k) i++;
  const ns_system *s = &o->m->systems[r->list[i]];
  if (o->nfirst == o->m->nsystems)
    return ns_rate_base_singular(&o->base, c, r->list[i], k - r->at[r->list[i]] + 1,
                                 "the iteration matrix M - h theta df/dx - h gamma dR/dX");
  return ns_fail_at(
      c, NS_NUMERIC, &s->at,
      "the iteration matrix of the systems that are coupled with it is singular at t = %.10g s "
      "(component %s), h = %g s; check its mass and derivatives there, or use another h",
      o->t1, ns_system_coordinate(s, k - r->at[r->list[i]], name, sizeof name), o->h);
}

/* How large the terms are that cancel in the rows of each system. */
static void measure(ns_theta *o, int g)
{
  const theta_group *k = &o->group[g];
  const ns_rate_groups *r = &o->groups;
  for (int e = r->first[g]; e < r->first[g + 1]; e++) {
    const theta_part *p = &o->of[r->list[e]];
    memset(o->terms + p->s->v, 0, (size_t)p->n * sizeof *o->terms);
  }
  for (int e = r->first[g]; e < r->first[g + 1]; e++) {
    const theta_part *by = &o->of[r->list[e]];
    const double *u = theta_iterate(o, by);
    for (int j = 0; j < by->n; j++) {
      const double *column = k->W + (size_t)(by->at + j) * (size_t)k->n;
      for (int f = r->first[g]; f < r->first[g + 1]; f++) {
        const theta_part *p = &o->of[r->list[f]];
        for (int i = 0; i < p->n; i++)
          o->terms[p->s->v + (size_t)i] += fabs(column[p->at + i] * u[j]);
      }
    }
  }
}

/* Prescribed velocities of a group are known: what they do to the others goes to `shift`, of theirs
 * their way to the target. */
static void hold(ns_theta *o, int g)
{
  theta_group *k = &o->group[g];
  const ns_rate_groups *r = &o->groups;
  size_t n = (size_t)k->n;
  double *way = o->scratch, *lack = o->work;
  memset(way, 0, n * sizeof *way);
  memset(lack, 0, n * sizeof *lack);
  for (int e = r->first[g]; e < r->first[g + 1]; e++) {
    const theta_part *p = &o->of[r->list[e]];
    for (int i = 0; i < p->n; i++) {
      size_t d = p->s->v + (size_t)i;
      if (o->held[d]) way[p->at + i] = o->target[d] - theta_iterate(o, p)[i];
    }
  }
  for (int h = 0; h < k->nheld; h++) {
    double *column = k->W + (size_t)k->held[h] * n;
    ns_axpy(n, way[k->held[h]], column, lack);
  }
  for (int h = 0; h < k->nheld; h++) {
    size_t j = (size_t)k->held[h];
    ns_dense_isolate(k->n, k->W, k->held[h]);
    lack[j] = way[j];
  }
  for (int e = r->first[g]; e < r->first[g + 1]; e++) {
    const theta_part *p = &o->of[r->list[e]];
    memcpy(o->shift + p->s->v, lack + p->at, (size_t)p->n * sizeof *lack);
  }
}

static int factor(ns_theta *o, ns_ctx *c, int g, int *changed)
{
  theta_group *k = &o->group[g];
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

int ns_theta_linearise(ns_theta *o, ns_ctx *c, const ns_rate_tangent *K, int nk, int *changed)
{
  double finite = 0;
  *changed |= o->dirty;
  o->dirty = 0;
  if (!o->ngeneral && !nk) return NS_OK;
  int rc = ns_theta_evaluate(o, c);
  for (size_t i = 0; i < o->m->nv; i++) finite += 0 * o->R[i];
  if (!rc && finite != 0) rc = ns_theta_blame(o, c);
  for (int g = 0; g < o->groups.n && !rc; g++)
    if (!o->group[g].only)
      memset(o->group[g].W, 0, (size_t)o->group[g].n * (size_t)o->group[g].n * sizeof(double));
  for (int i = 0; i < o->m->nsystems && !rc; i++) {
    theta_part *p = &o->of[i];
    if (p->step) continue;
    rc = ns_theta_own_tangents(o, c, p);
    if (!rc) put_own(o, p, &o->group[p->group]);
    for (const ns_foreign_part *f = p->foreign; f->op && !rc; f++)
      if (ns_operator_foreign(f->op)) put_foreign(o, p, f, &o->group[p->group]);
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

/* ---- gains ----------------------------------------------------------------------------------- */

/* What held systems make of impulses, as rows of W; w [n x nrhs] in the order of the group. */
static void hold_impulses(const ns_theta *o, int g, int nrhs, double *w)
{
  const ns_rate_groups *r = &o->groups;
  for (int e = r->first[g]; e < r->first[g + 1]; e++) {
    const theta_part *p = &o->of[r->list[e]];
    for (int j = 0; j < nrhs && p->held; j++)
      ns_linear_step_gain(p->step, 1, w + p->at + j * o->group[g].n, o->work);
  }
}

void ns_theta_gain(const void *of, int g, int nrhs, double *B)
{
  const ns_theta *o = of;
  const theta_group *k = &o->group[g];
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
