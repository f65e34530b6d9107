/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/contacts.h"

#include "model/laws/problem.h"
#include "model/relations/lagrangian_relation.h"
#include "model/relations/rigid_relation.h"
#include "model/relations/shape_gaps.h"
#include "simulation/record/events.h"
#include "simulation/rows/bonds.h"
#include "simulation/rows/contacts_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- structure of H and G -------------------------------------------------------------------- */

static int is_moving(const ns_interaction *it) { return !(it->relation->flags & NS_REL_LINEAR); }

/* Rows that have all degrees of freedom of their systems: H changes, or the rows of a unit are to
 * meet the same rows in D. */
static int is_full(const ns_contacts *k, const ns_interaction *it)
{
  return is_moving(it) || (!k->together && it->m > 1 && ns_law_has_cone(it->law.ops));
}

/* Entry (r, k) of H of an interaction's k-th stacked coordinate. */
static double entry(const ns_interaction *it, int r, int k)
{
  return is_moving(it) ? 0 : it->H[r + k * it->m];
}

/* Systems whose W is one with that of s: a row of G has all of them. Returns how many degrees of
 * freedom are listed. */
static int spread_over(const ns_contacts *k, int s, unsigned char *seen, int *dofs, int n)
{
  const int *list = &s;
  int many = k->ops->together ? k->ops->together(k->osi, s, &list) : 1;
  for (int a = 0; a < many && many > 1; a++) {
    const ns_system *sys = &k->m->systems[list[a]];
    for (int i = 0; i < sys->n; i++) {
      int d = (int)sys->v + i;
      if (seen[d]) continue;
      seen[d] = 1;
      dofs[n++] = d;
    }
  }
  return n;
}

/* Scatter row r over the degrees of freedom: a system that appears twice has its parts added
 * (self-contact). Lists what it touches, all of a system that is not diagonal if `spread`. */
static int scatter_row(const ns_contacts *k, const ns_interaction *it, int r, int spread,
                       unsigned char *seen, int *dofs)
{
  int n = 0, col = 0, full = is_full(k, it);
  for (int j = 0; j < it->nsystems; j++) {
    int s = it->systems[j];
    const ns_system *sys = &k->m->systems[s];
    int any = full, all = full || (spread && !k->ops->diagonal(k->osi, s));
    for (int i = 0; i < sys->n; i++) any = any || entry(it, r, col + i) != 0;
    for (int i = 0; i < sys->n; i++) {
      double h = entry(it, r, col + i);
      int d = (int)sys->v + i;
      if (h == 0 && !(any && all)) continue;
      k->scatter[d] += h;
      if (!seen[d]) {
        seen[d] = 1;
        dofs[n++] = d;
      }
    }
    col += sys->n;
    if (any && spread) n = spread_over(k, s, seen, dofs, n);
  }
  return n;
}

/* Most entries of the rows of an interaction. */
static size_t entries_of(const ns_contacts *k, const ns_interaction *it, int spread)
{
  size_t n = (size_t)it->nQ;
  for (int j = 0; j < it->nsystems && spread && k->ops->together; j++) {
    const int *list;
    int many = k->ops->together(k->osi, it->systems[j], &list);
    for (int a = 0; a < many && many > 1; a++) n += (size_t)k->m->systems[list[a]].n;
  }
  return (size_t)it->m * n;
}

/* Build H (spread = 0) or the structure of G (spread = 1). */
static int build_rows(ns_contacts *k, ns_rows *R, int spread)
{
  size_t cap = 0; /* at most NS_MODEL_H_MAX, see model/check/check.c */
  for (int i = 0; i < k->m->ninteractions; i++)
    cap += entries_of(k, &k->m->interactions[i], spread);
  unsigned char *seen = calloc(k->m->nv + 1, 1);
  int *dofs = malloc((k->m->nv + 1) * sizeof *dofs);
  int ok = !ns_rows_get(k->mem, k->nrows, cap, R) && seen && dofs, at = 0;
  for (int i = 0; i < k->m->ninteractions && ok; i++) {
    const ns_interaction *it = &k->m->interactions[i];
    for (int r = 0; r < it->m; r++) {
      R->ptr[it->row + (size_t)r] = at;
      int n = scatter_row(k, it, r, spread, seen, dofs);
      for (int j = 0; j < n; j++, at++) {
        R->dof[at] = dofs[j];
        R->val[at] = k->scatter[dofs[j]];
        k->scatter[dofs[j]] = 0;
        seen[dofs[j]] = 0;
      }
    }
  }
  if (ok) R->ptr[k->nrows] = at;
  free(seen);
  free(dofs);
  return ok ? NS_OK : NS_NOMEM;
}

/* ---- rows and units -------------------------------------------------------------------------- */

static ns_unit_kind unit_kind(const ns_interaction *it)
{
  if (it->relation->flags & NS_REL_COMPLIANT || it->law.ops->compliant) return NS_UNIT_COMPLIANT;
  return ns_law_unit(it->law.ops);
}

static void add_unit(ns_contacts *k, const ns_interaction *it, int first, int rows,
                     ns_unit_kind kind)
{
  ns_unit *u = &k->unit[k->nunits];
  *u = (ns_unit){.first = first,
                 .rows = rows,
                 .kind = (unsigned char)kind,
                 .always = kind == NS_UNIT_BOX || kind == NS_UNIT_COMPLIANT};
  for (int r = first; r < first + rows; r++) k->unit_of[r] = k->nunits;
  u->block = ns_unit_block(&it->law, u->kind);
  if (u->block != NS_BLOCK_BOX) k->problem = NS_CONTACT_MECHANICAL;
  else if (k->problem == NS_CONTACT_LCP && !ns_law_is_unilateral(it->law.ops) &&
           !it->law.ops->compliant)
    k->problem = NS_CONTACT_AVI;
  k->nunits++;
}

/* Coefficients of friction of the units. */
static void frictions(ns_contacts *k)
{
  for (int a = 0; a < k->nunits; a++) {
    const ns_unit *u = &k->unit[a];
    const ns_nonsmooth_law *law = &k->m->interactions[k->interaction[u->first]].law;
    k->mu[a] = u->kind == NS_UNIT_FRICTION ? ns_law_mu(law) : 0;
    k->mu_rolling[a] = u->block == NS_BLOCK_ROLLING ? ns_law_mu_rolling(law) : 0;
  }
}

void ns_contacts_take_laws(ns_contacts *k, double h)
{
  ns_laws_restitution(k->m, k->restitution);
  frictions(k);
  if (!k->plain) ns_laws_bounds(k->m, h, k->lb, k->ub);
  k->gather = 1;
}

/* Nonlinear relations, compliant ones last. */
static void list_moving(ns_contacts *k)
{
  for (unsigned compliant = 0; compliant <= NS_REL_COMPLIANT; compliant += NS_REL_COMPLIANT) {
    for (int i = 0; i < k->m->ninteractions; i++) {
      const ns_interaction *it = &k->m->interactions[i];
      if (is_moving(it) && (it->relation->flags & NS_REL_COMPLIANT) == compliant)
        k->moving[k->nmoving++] = i;
    }
    if (!compliant) k->nrigid = k->nmoving;
  }
}

static void row_data(ns_contacts *k)
{
  size_t at = 0;
  list_moving(k);
  ns_laws_bounds(k->m, k->m->sim.ts.h, k->lb, k->ub);
  ns_laws_restitution(k->m, k->restitution);
  for (int i = 0; i < k->m->ninteractions; i++) {
    const ns_interaction *it = &k->m->interactions[i];
    ns_unit_kind kind = unit_kind(it);
    int together = kind == NS_UNIT_FRICTION || kind == NS_UNIT_COMPLIANT ||
                   ns_law_is_ball(&it->law);
    for (int r = 0; r < it->m; r++) {
      size_t row = it->row + (size_t)r;
      k->interaction[row] = i;
      k->factor[row] = 1;
      k->position[row] = -1;
      k->moves[row] = (unsigned char)is_moving(it);
      if (!is_moving(it)) k->offset[row] = it->e ? it->e[r] : 0;
      if (!together || r == 0) add_unit(k, it, (int)row, together ? it->m : 1, kind);
    }
    if (!is_moving(it)) k->has_F = k->has_F || it->F;
    if (!(it->relation->flags & NS_REL_COMPLIANT)) continue;
    k->compliant = 1;
    k->compliance_at[i] = at;
    if (!is_moving(it) && it->D)
      memcpy(k->compliance + at, it->D, (size_t)(it->m * it->m) * sizeof *it->D);
    at += (size_t)(it->m * it->m);
  }
  frictions(k);
  k->plain = k->problem == NS_CONTACT_LCP && !k->nmoving && !k->compliant;
}

/* Rows whose part of D never changes: constant W, and no moving row in their systems. */
static int fixed_rows(ns_contacts *k)
{
  unsigned char *varies = calloc((size_t)k->m->nsystems + 1, 1);
  if (!varies) return NS_NOMEM;
  for (int s = 0; s < k->m->nsystems; s++)
    varies[s] = !k->rows_only && !k->ops->constant(k->osi, s);
  for (int i = 0; i < k->nmoving; i++) {
    const ns_interaction *it = &k->m->interactions[k->moving[i]];
    for (int j = 0; j < it->nsystems; j++) varies[it->systems[j]] = 1;
  }
  for (int i = 0; i < k->m->ninteractions; i++) {
    const ns_interaction *it = &k->m->interactions[i];
    int fixed = 1;
    for (int j = 0; j < it->nsystems; j++) fixed = fixed && !varies[it->systems[j]];
    for (int r = 0; r < it->m; r++) k->fixed[it->row + (size_t)r] = (unsigned char)fixed;
  }
  free(varies);
  return NS_OK;
}

/* ---- creation -------------------------------------------------------------------------------- */

/* Nonlinear relations push along H_theta. */
static int get_push(ns_contacts *k)
{
  size_t n = k->nrows ? (size_t)k->H.ptr[k->nrows] : 0;
  if (!k->ngroups || !(ns_rows_gamma(&k->m->sim.mj) < 1)) return NS_OK;
  k->push = ns_arena_zero(k->mem, n + 1, sizeof *k->push);
  k->begin = ns_arena_zero(k->mem, n + 1, sizeof *k->begin);
  k->turn = ns_arena_zero(k->mem, (size_t)k->nrows + 1, sizeof *k->turn);
  return k->push && k->begin && k->turn ? NS_OK : NS_NOMEM;
}

/* D has no entries until rows are active. */
static int begin_D(ns_contacts *k)
{
  size_t n = (size_t)k->nrows;
  k->D = (ns_blocks){.nb = k->nrows, .m = k->nrows};
  k->D.row = ns_arena_zero(k->mem, n + 1, sizeof *k->D.row);
  k->met = ns_arena_zero(k->mem, n + 1, sizeof *k->met);
  k->acting_group = ns_arena_zero(k->mem, (size_t)k->ngroups + 1, sizeof *k->acting_group);
  k->acting = ns_arena_zero(k->mem, (size_t)k->nmoving + 1, sizeof *k->acting);
  memset(k->fixed, 0, n * sizeof *k->fixed);
  return k->D.row && k->met && k->acting_group && k->acting ? NS_OK : NS_NOMEM;
}

static int build_D(ns_contacts *k, ns_ctx *c)
{
  int full = 0;
  size_t met = 0;
  ns_meeting in = {.n = k->nrows, .ndof = k->m->nv, .H = &k->H, .G = &k->G};
  if (k->by_active) return begin_D(k);
  int rc = ns_rows_meet(k->mem, &in, &k->D, &full, &met);
  return rc == NS_MODEL ? ns_rows_too_many(c, &k->m->interactions[k->interaction[full]].at, met)
                        : rc;
}

int ns_contacts_meet(ns_contacts *k, ns_ctx *c)
{
  int full = 0;
  size_t met = 0, bytes = (size_t)k->n * sizeof *k->met;
  ns_meeting in = {
      .n = k->nrows, .ndof = k->m->nv, .H = &k->H, .G = &k->G, .some = k->active, .nsome = k->n};
  if (!k->by_active || (k->nmet == k->n && !memcmp(k->met, k->active, bytes))) return NS_OK;
  int rc = ns_rows_meet_some(&in, &k->D, &k->D_cap, &full, &met);
  if (rc == NS_MODEL) return ns_rows_too_many(c, &k->m->interactions[k->interaction[full]].at, met);
  if (rc) return ns_nomem(c, "contacts: the matrix of active rows");
  memcpy(k->met, k->active, bytes);
  k->nmet = k->n;
  ns_contacts_list_acting(k);
  k->layouts++;
  return NS_OK;
}

static size_t local_size(const ns_model *m)
{
  size_t max = 0;
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    size_t rows = (size_t)it->m, N = (size_t)it->nQ;
    size_t own = ns_interaction_is_rigid(it) ? ns_rigid_relation_bias_work(it)
                                             : ns_lagrangian_relation_work(it);
    size_t all = 2 * N + (size_t)it->nZ + 3 * rows + rows * N + rows * rows + own;
    max = all > max ? all : max;
  }
  return max + 1;
}

static size_t compliance_size(const ns_model *m)
{
  size_t n = 0;
  for (int i = 0; i < m->ninteractions; i++)
    if (m->interactions[i].relation->flags & NS_REL_COMPLIANT)
      n += (size_t)(m->interactions[i].m * m->interactions[i].m);
  return n;
}

/* Groups of relations, and scratch for the greatest of them. */
static int get_groups(ns_contacts *k, ns_ctx *c)
{
  int rc = ns_lagrangian_groups_create(c, k->m, k->moving, k->nrigid, k->mem, &k->group,
                                       &k->ngroups);
  size_t max = local_size(k->m);
  for (int i = 0; i < k->ngroups && !rc; i++) {
    size_t w = ns_lagrangian_group_work(k->m, &k->group[i]);
    max = w > max ? w : max;
  }
  if (!rc && !(k->local = ns_arena_zero(k->mem, max, sizeof *k->local))) rc = NS_NOMEM;
  if (!rc && !(k->ends = ns_arena_zero(k->mem, max, sizeof *k->ends))) rc = NS_NOMEM;
  return rc;
}

/* Of a system and those that have their W in common with it. */
static size_t velocities_together(const ns_contacts *k, int s)
{
  const int *list = &s;
  int many = k->ops && k->ops->together ? k->ops->together(k->osi, s, &list) : 1;
  size_t n = 0;
  for (int a = 0; a < many; a++) n += (size_t)k->m->systems[list[a]].n;
  return n;
}

static int get_memory(ns_contacts *k)
{
  size_t n = (size_t)k->nrows, nv = k->m->nv, d = sizeof(double);
  size_t big = 1;
  for (int i = 0; i < k->m->nsystems; i++) {
    size_t own = velocities_together(k, i);
    big = own > big ? own : big;
  }
  const ns_array want[] = {{&k->offset, n, d},
                           {&k->restitution, n, d},
                           {&k->shift, n, d},
                           {&k->factor, n, d},
                           {&k->interaction, n, sizeof(int)},
                           {&k->fixed, n, 1},
                           {&k->unit, n, sizeof *k->unit},
                           {&k->unit_of, n, sizeof(int)},
                           {&k->moving, (size_t)k->m->ninteractions, sizeof(int)},
                           {&k->moves, n, 1},
                           {&k->ahead, 2 * n, d},
                           {&k->active, n, sizeof(int)},
                           {&k->position, n, sizeof(int)},
                           {&k->active_unit, n, sizeof(int)},
                           {&k->q, n, d},
                           {&k->z, n, d},
                           {&k->w, n, d},
                           {&k->lb, n, d},
                           {&k->ub, n, d},
                           {&k->mu, n, d},
                           {&k->mu_rolling, n, d},
                           {&k->scatter, nv, d},
                           {&k->rhs, big, d},
                           {&k->before, nv, d},
                           {&k->touched, n, sizeof(int)},
                           {&k->constant, n, d},
                           {&k->compliance, compliance_size(k->m), d},
                           {&k->compliance_at, (size_t)k->m->ninteractions, sizeof(size_t)},
                           {&k->speed, 3 * n, d},
                           {&k->pushed, n, d}};
  return ns_arena_arrays(k->mem, want, sizeof want / sizeof *want);
}

int ns_contacts_create(ns_ctx *c, const ns_model *m, const ns_integrator_ops *ops, const void *osi,
                       int symmetric, ns_contacts **out)
{
  ns_contacts *k = *out = NS_ARENA_OBJECT(ns_contacts, mem);
  if (!k) return ns_nomem(c, "contacts");
  *k = (ns_contacts){
      .mem = k->mem, .m = m, .ops = ops, .osi = osi, .nrows = (int)m->nrows, .rows_only = !ops};
  int rc = get_memory(k);
  if (!rc && m->nbonds && !(k->tension = ns_arena_zero(k->mem, m->nrows, sizeof *k->tension)))
    rc = NS_NOMEM;
  if (!rc) row_data(k);
  if (!rc) rc = get_groups(k, c);
  if (!rc) rc = fixed_rows(k);
  k->together = rc ? 0 : k->rows_only ? 1 : ops->unreduced ? ns_unreduced_contacts_suits(m) : 0;
  if (k->together < 0) rc = k->together;
  k->by_active = !k->together && m->gaps && m->gaps->n > 0;
  if (!rc) rc = build_rows(k, &k->H, 0);
  if (!rc) rc = get_push(k);
  if (!rc && !k->together) rc = build_rows(k, &k->G, 1);
  if (!rc && !k->together) rc = build_D(k, c);
  if (!rc) rc = ns_contacts_get_problem(k, c, symmetric && !k->compliant);
  if (rc == NS_NOMEM) ns_nomem(c, "contacts: the matrix of all interactions");
  if (rc) {
    ns_contacts_destroy(k);
    *out = NULL;
  }
  return rc;
}

void ns_contacts_destroy(ns_contacts *k)
{
  if (!k) return;
  ns_unreduced_contacts_destroy(k->unreduced);
  ns_contacts_free_problem(k);
  free(k->D_cap ? k->D.col : NULL);
  free(k->D_cap ? k->D.val : NULL);
  ns_arena_destroy(k->mem);
}

size_t ns_contacts_bytes(const ns_contacts *k)
{
  return ns_arena_used(k->mem) + sizeof *k + ns_unreduced_contacts_bytes(k->unreduced);
}

size_t ns_contacts_entries(const ns_contacts *k)
{
  if (k->unreduced) return ns_unreduced_contacts_entries(k->unreduced);
  return k->nrows ? (size_t)k->D.row[k->nrows] : 0;
}

/* ---- the active set -------------------------------------------------------------------------- */

/* One row a unit, all of them unilateral: nothing else is looked at. */
static void activate_plain(ns_contacts *k, const ns_state *x, double gh, double eps, double vmax)
{
  const double *y = x->y, *ydot = x->ydot;
  int n = 0, same = 1;
  for (int r = 0; r < k->nrows; r++) {
    if (!(y[r] + gh * ydot[r] <= eps && ydot[r] <= vmax)) continue;
    same = same && n < k->n && k->active[n] == r;
    /* keep the old list while it agrees: position[] is still right then */
    if (!same && n < k->n) k->position[k->active[n]] = -1;
    k->active[n] = r;
    k->z[n++] = x->lambda[r];
  }
  if (same && n == k->n) return;
  for (int i = n; i < k->n; i++) k->position[k->active[i]] = -1;
  for (int i = 0; i < n; i++) k->position[k->active[i]] = i;
  k->n = n;
  k->gather = 1;
}

/* Bonds that bear a tension, too. */
static inline int takes_always(const ns_contacts *k, const ns_unit *u)
{
  return u->always || (k->tension && k->tension[u->first] > 0);
}

/* The gap of a lasting contact drifts to either side; the law lets it go. */
static inline int lasts(const ns_contacts *k, const ns_state *x, int r)
{
  return k->push && k->moves[r] && x->mode[r] == NS_MODE_LASTING;
}

/* A contact with friction that moves no more than rounding in a step. */
static int rests(const ns_contacts *k, const ns_state *x, const ns_unit *u)
{
  int still = u->kind == NS_UNIT_FRICTION;
  for (int r = u->first; r < u->first + u->rows && still; r++)
    still = k->h * fabs(x->ydot[r]) <= k->rounded;
  return still;
}

/* Rows of unit a become the next active ones, with the impulses of the state. 1 if others were
 * active there before. */
static inline int take_unit(ns_contacts *k, const ns_state *x, int a, int *n, int *na)
{
  const ns_unit *u = &k->unit[a];
  int changed = 0;
  k->active_unit[(*na)++] = a;
  for (int r = u->first; r < u->first + u->rows; r++) {
    changed |= *n >= k->n || k->active[*n] != r;
    k->position[r] = *n;
    k->active[*n] = r;
    k->z[(*n)++] = x->lambda[r];
  }
  return changed;
}

static void activate_units(ns_contacts *k, const ns_state *x, double gh, double eps, double vmax)
{
  int n = 0, na = 0;
  if (k->tension) ns_bonds_pull(k->m, x, k->h, k->tension);
  for (int i = 0; i < k->n; i++) k->position[k->active[i]] = -1;
  for (int a = 0; a < k->nunits; a++) {
    const ns_unit *u = &k->unit[a];
    double gap = x->y[u->first] + gh * x->ydot[u->first] - eps;
    int closes = gap <= 0 || (gap <= k->rounded && rests(k, x, u));
    closes = closes && x->ydot[u->first] <= vmax;
    if (!closes && !takes_always(k, u) && !lasts(k, x, u->first)) continue;
    k->gather |= take_unit(k, x, a, &n, &na);
  }
  k->gather |= n != k->n;
  k->n = n;
  k->na = na;
}

int ns_contacts_is_spring(const ns_interaction *it)
{
  return it->relation->flags & NS_REL_COMPLIANT && ns_law_is_equality(&it->law, it->m);
}

/* What depends on the length of the step. */
static void new_step(ns_contacts *k, double h)
{
  k->h = h;
  if (!k->plain) ns_laws_bounds(k->m, h, k->lb, k->ub);
  for (int i = 0; i < k->m->ninteractions && !k->plain; i++) {
    const ns_interaction *it = &k->m->interactions[i];
    for (int r = 0; r < it->m; r++) {
      double theta = k->m->sim.mj.theta, part = ns_contacts_is_spring(it) ? theta : 1;
      if (it->relation->flags & NS_REL_COMPLIANT) k->factor[it->row + (size_t)r] = h * theta * part;
    }
  }
  k->gather = 1;
}

static inline void begin_step(ns_contacts *k, double t1, double h)
{
  k->t1 = t1;
  if (h != k->h) new_step(k, h);
  k->fresh = k->foreseen = k->begun = 0;
  if (k->compliant) memset(k->pushed, 0, (size_t)k->nrows * sizeof *k->pushed);
}

void ns_contacts_activate(ns_contacts *k, const ns_state *x, double t1, double h)
{
  const ns_moreau_jean_options *o = &k->m->sim.mj;
  double gh = o->gamma * h;
  begin_step(k, t1, h);
  if (k->plain) activate_plain(k, x, gh, o->threshold, o->velocity_threshold);
  else activate_units(k, x, gh, o->threshold, o->velocity_threshold);
}

void ns_contacts_select(ns_contacts *k, const ns_state *x, double t1, double h,
                        const unsigned char *chosen)
{
  int n = 0, na = 0;
  begin_step(k, t1, h);
  if (k->tension) ns_bonds_pull(k->m, x, h, k->tension);
  for (int i = 0; i < k->n; i++) k->position[k->active[i]] = -1;
  for (int a = 0; a < k->nunits; a++) {
    const ns_unit *u = &k->unit[a];
    if (!takes_always(k, u) && !chosen[a]) continue;
    k->gather |= take_unit(k, x, a, &n, &na);
  }
  k->gather |= n != k->n;
  k->n = n;
  k->na = na;
}

/* ---- impulses -------------------------------------------------------------------------------- */

void ns_contacts_apply(const ns_contacts *k, double *v)
{
  const int *ptr = k->G.ptr, *dof = k->G.dof;
  const double *val = k->G.val;
  if (k->unreduced) {
    if (k->n) ns_unreduced_contacts_apply(k->unreduced, v);
    return;
  }
  for (int i = 0, n = k->n; i < n; i++) {
    int r = k->active[i];
    double z = k->z[i];
    if (z == 0) continue;
    for (int e = ptr[r], end = ptr[r + 1]; e < end; e++) v[dof[e]] += val[e] * z;
  }
}

/* Clear what the last call wrote, then add row by row. */
static void clear_impulse(ns_contacts *k, double *p)
{
  for (int i = 0; i < k->ntouched; i++)
    for (int e = k->H.ptr[k->touched[i]]; e < k->H.ptr[k->touched[i] + 1]; e++) p[k->H.dof[e]] = 0;
  k->ntouched = 0;
}

static void add_impulse(ns_contacts *k, int r, double z, double *p)
{
  if (z == 0) return;
  const double *val = ns_contacts_push(k, r);
  k->touched[k->ntouched++] = r;
  for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++) p[k->H.dof[e]] += val[e] * z;
}

void ns_contacts_impulse(ns_contacts *k, double *p)
{
  clear_impulse(k, p);
  for (int i = 0; i < k->n; i++) add_impulse(k, k->active[i], k->z[i], p);
}

void ns_contacts_report(ns_contacts *k, ns_state *x)
{
  clear_impulse(k, x->p);
  k->bending = k->begun;
  for (int r = 0; r < k->nrows; r++) add_impulse(k, r, x->lambda[r], x->p);
}
