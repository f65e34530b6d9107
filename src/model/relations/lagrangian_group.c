/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/relations/lagrangian_group.h"

#include "model/relations/rigid_relation.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* MEMBERS: what is wanted of one costs little more for all. TAPES: bound of the tapes made here,
 * each some kB; groups beyond it that are like none before are evaluated by the tapes of their
 * values. */
enum { MEMBERS = 8, TAPES = 256 };

/* ---- who is together ------------------------------------------------------------------------- */

static int has_branches(const ns_operator *o)
{
  return o->how == NS_OP_TAPE && o->uses >> NS_BANK_BRANCH & 1u;
}
static int is_formula(const ns_operator *o) { return o->how != NS_OP_PLUGIN && !has_branches(o); }
static int is_indexed(const ns_operator *o)
{
  return o->how == NS_OP_TAPE && o->uses >> NS_BANK_INDEX & 1u;
}
static int is_timed(const ns_operator *o)
{
  return o->how > NS_OP_CONSTANT && o->uses >> NS_BANK_T & 1u;
}

static int is_of_formulas(const ns_interaction *it)
{
  const ns_lagrangian_relation *r = &it->lr;
  return !ns_interaction_is_rigid(it) && is_formula(&r->h) && is_formula(&r->H) &&
         is_formula(&r->ht);
}

static int is_shareable(const ns_interaction *it)
{
  const ns_lagrangian_relation *r = &it->lr;
  return is_of_formulas(it) && !is_indexed(&r->h) && !is_indexed(&r->H) && !is_indexed(&r->ht);
}

static int same_systems(const ns_interaction *a, const ns_interaction *b)
{
  return a->nsystems == b->nsystems &&
         !memcmp(a->systems, b->systems, (size_t)a->nsystems * sizeof *a->systems);
}

static int joins(const ns_model *m, const ns_lagrangian_group *g, const ns_interaction *it)
{
  const ns_interaction *first = &m->interactions[g->interaction[0]];
  return g->n < MEMBERS && is_shareable(first) && is_shareable(it) && same_systems(first, it);
}

/* ---- tapes ----------------------------------------------------------------------------------- */

static int alike(const ns_model *m, const ns_lagrangian_group *a, const ns_lagrangian_group *b)
{
  if (a->n != b->n || a->nQ != b->nQ || a->rows != b->rows) return 0;
  for (int i = 0; i < a->n; i++) {
    const ns_interaction *s = &m->interactions[a->interaction[i]],
                         *t = &m->interactions[b->interaction[i]];
    if (s->m != t->m || !ns_operator_same(&s->lr.h, &t->lr.h) ||
        !ns_operator_same(&s->lr.H, &t->lr.H) || !ns_operator_same(&s->lr.ht, &t->lr.ht))
      return 0;
  }
  return 1;
}

/* H by rows, by its nodes by columns. */
static int lift_rows(const ns_interaction *it, ns_graph *g, ns_node *own, ns_node *out)
{
  int rc = ns_operator_lift(&it->lr.H, g, it->m, it->nQ, own);
  for (int r = 0; r < it->m; r++)
    for (int i = 0; i < it->nQ; i++) *out++ = own[r + i * it->m];
  return rc;
}

static int compile(const ns_model *m, ns_ctx *c, ns_arena *a, ns_lagrangian_group *g)
{
  size_t rows = (size_t)g->rows, nQ = (size_t)g->nQ, size = rows * (nQ + (g->drives ? 2 : 1));
  ns_arena *scratch = ns_arena_create(0, 1);
  ns_graph *graph = scratch ? ns_graph_create(scratch) : NULL;
  ns_node *out = malloc((rows * (2 * nQ + 2) + 1) * sizeof *out), *own = out + rows * (nQ + 2);
  int rc = graph && out ? NS_OK : NS_NOMEM;
  size_t row = 0;
  for (int i = 0; i < g->n && !rc; i++) {
    const ns_interaction *it = &m->interactions[g->interaction[i]];
    rc = ns_operator_lift(&it->lr.h, graph, it->m, 1, out + row);
    if (!rc) rc = lift_rows(it, graph, own, out + rows + row * nQ);
    if (!rc) rc = ns_operator_lift(&it->lr.ht, graph, it->m, 1, out + rows * (nQ + 1) + row);
    row += (size_t)it->m;
  }
  if (!rc) rc = ns_tape_compile(graph, c, a, out, (int)size, &g->tape);
  free(out);
  ns_arena_destroy(scratch);
  return rc;
}

/* The tape of a group like it before, or a new one. */
static int find_tape(const ns_model *m, ns_ctx *c, ns_arena *a, ns_lagrangian_group *g,
                     const ns_lagrangian_group **made, int *nmade)
{
  if (!is_of_formulas(&m->interactions[g->interaction[0]])) return NS_OK;
  for (int i = *nmade - 1; i >= 0; i--)
    if (alike(m, made[i], g)) {
      g->tape = made[i]->tape;
      return NS_OK;
    }
  if (*nmade == TAPES) return NS_OK;
  made[(*nmade)++] = g;
  return compile(m, c, a, g);
}

/* ---- creation -------------------------------------------------------------------------------- */

/* Form the groups: members, sizes. Returns their number. */
static int form(const ns_model *m, const int *list, int n, ns_lagrangian_group *g)
{
  int count = 0;
  for (int i = 0; i < n; i++) {
    const ns_interaction *it = &m->interactions[list[i]];
    if (!count || !joins(m, &g[count - 1], it))
      g[count++] = (ns_lagrangian_group){
          .interaction = &list[i], .nQ = it->nQ, .nV = it->nV, .nZ = it->nZ};
    ns_lagrangian_group *to = &g[count - 1];
    to->n++;
    to->rows += it->m;
    if (ns_interaction_is_rigid(it)) {
      to->drives = ns_interaction_is_driven(it);
      to->timed = 1;
      continue;
    }
    to->drives = to->drives || it->lr.ht.how || (!is_formula(&it->lr.h) && is_timed(&it->lr.h));
    to->timed = to->timed || is_timed(&it->lr.h) || is_timed(&it->lr.H) || is_timed(&it->lr.ht);
  }
  return count;
}

static void number_rows(const ns_model *m, ns_lagrangian_group *g)
{
  int *to = g->row;
  for (int i = 0; i < g->n; i++) {
    const ns_interaction *it = &m->interactions[g->interaction[i]];
    for (int r = 0; r < it->m; r++) *to++ = (int)it->row + r;
  }
}

int ns_lagrangian_groups_create(ns_ctx *c, const ns_model *m, const int *list, int n, ns_arena *a,
                                ns_lagrangian_group **out, int *nout)
{
  const ns_lagrangian_group *made[TAPES];
  ns_lagrangian_group *g = *out = ns_arena_zero(a, (size_t)n, sizeof *g);
  int nmade = 0, rc = g ? NS_OK : NS_NOMEM;
  *nout = g ? form(m, list, n, g) : 0;
  for (int i = 0; i < *nout && !rc; i++) {
    size_t rows = (size_t)g[i].rows, nQ = (size_t)g[i].nQ, nV = (size_t)g[i].nV;
    g[i].h = ns_arena_zero(a, rows * (nV + 2), sizeof(double));
    g[i].at = ns_arena_zero(a, 1 + nQ + (size_t)g[i].nZ, sizeof(double));
    g[i].row = ns_arena_zero(a, rows, sizeof(int));
    if (!g[i].h || !g[i].at || !g[i].row) rc = NS_NOMEM;
    else {
      number_rows(m, &g[i]);
      g[i].H = g[i].h + rows;
      g[i].ht = g[i].H + rows * nV;
      rc = find_tape(m, c, a, &g[i], made, &nmade);
    }
  }
  return rc == NS_NOMEM ? ns_nomem(c, "relations that share their systems") : rc;
}

size_t ns_lagrangian_group_work(const ns_model *m, const ns_lagrangian_group *g)
{
  if (g->tape) return ns_tape_work(g->tape);
  const ns_interaction *it = &m->interactions[g->interaction[0]];
  size_t own = ns_interaction_is_rigid(it) ? ns_rigid_relation_work(it)
                                           : ns_lagrangian_relation_work(it);
  return (size_t)g->nZ + (size_t)g->rows * (size_t)g->nQ + own;
}

/* ---- evaluation ------------------------------------------------------------------------------ */

/* to := from; returns whether a bit was different. */
static uint64_t put(double *to, const double *from, int n)
{
  uint64_t changed = 0;
  for (int i = 0; i < n; i++) {
    uint64_t was, is;
    memcpy(&was, &to[i], sizeof was);
    memcpy(&is, &from[i], sizeof is);
    changed |= was ^ is;
    to[i] = from[i];
  }
  return changed;
}

/* Branches and the turns of joints do. */
static int changes_in_place(const ns_interaction *it)
{
  return ns_interaction_is_rigid(it) || has_branches(&it->lr.h) || has_branches(&it->lr.H);
}

/* Go there: nothing is known of another point. */
static void move(ns_lagrangian_group *g, const ns_model *m, double t, const double *q,
                 const double *z)
{
  const ns_interaction *it = &m->interactions[g->interaction[0]];
  double *Q = g->at + 1, *Z = Q + g->nQ;
  uint64_t changed = g->timed ? put(g->at, &t, 1) : 0;
  for (int j = 0; j < it->nsystems; j++) {
    const ns_system *s = &m->systems[it->systems[j]];
    changed |= put(Q, q + s->q, s->nq);
    if (s->nz) changed |= put(Z, z + s->z, s->nz);
    Q += s->nq, Z += s->nz;
  }
  g->at[0] = t; /* messages of plug-ins tell it */
  if (changed || changes_in_place(it)) g->have = 0;
}

static void by_tape(ns_lagrangian_group *g, const ns_interaction *it, double *work)
{
  const double *bank[NS_BANKS] = {[NS_BANK_T] = g->at,
                                  [NS_BANK_Q] = g->at + 1,
                                  [NS_BANK_Z] = g->at + 1 + g->nQ,
                                  [NS_BANK_INDEX] = it->index};
  ns_tape_eval(g->tape, bank, work, g->h);
}

static int gaps_by_functions(ns_lagrangian_group *g, const ns_interaction *it, ns_ctx *c,
                             const ns_point *p, double *work)
{
  const ns_operator *h = &it->lr.h;
  return h->how && h->rows == it->m ? ns_operator_eval(h, c, p, work, g->h)
                                    : ns_lagrangian_gap(it, c, p, work, g->h);
}

static int rows_by_functions(ns_lagrangian_group *g, const ns_interaction *it, ns_ctx *c,
                             const ns_point *p, double *work)
{
  const ns_operator *o = &it->lr.H;
  double *own = work, *rest = own + g->rows * g->nQ, *H = g->H;
  int rc = o->how && !g->drives
               ? ns_operator_eval(o, c, p, rest, own)
               : ns_lagrangian_rows(it, c, p, rest, own, g->drives ? g->ht : NULL, NULL);
  for (int r = 0, rows = g->rows, n = g->nQ; r < rows; r++) {
    const double *from = own + r;
    for (int i = 0; i < n; i++, from += rows) *H++ = *from;
  }
  return rc;
}

/* A row block of rigid bodies, gaps and all. */
static int rigid_by_functions(ns_lagrangian_group *g, const ns_interaction *it, ns_ctx *c,
                              unsigned need, const ns_point *p, double *work)
{
  int rows = g->rows, n = g->nV;
  double *own = need & NS_GROUP_ROWS ? work : NULL, *shift = own && g->drives ? g->ht : NULL;
  int rc = ns_rigid_relation_rows(it, c, p, work + rows * n, g->h, own, shift);
  for (int r = 0; own && r < rows; r++)
    for (int i = 0; i < n; i++) g->H[r * n + i] = own[r + i * rows];
  return rc;
}

/* What a plug-in writes to z stays in work. */
static int by_functions(ns_lagrangian_group *g, const ns_interaction *it, ns_ctx *c,
                        const double *angle, unsigned need, double *work)
{
  ns_point p = {.t = g->at[0],
                .n = g->nQ,
                .q = g->at + 1,
                .nz = g->nZ,
                .z = work,
                .index = it->index,
                .m = it->m};
  memcpy(work, g->at + 1 + g->nQ, (size_t)g->nZ * sizeof *work);
  if (angle) p.angle = angle + it->angle;
  if (ns_interaction_is_rigid(it)) return rigid_by_functions(g, it, c, need, &p, work + g->nZ);
  int rc = need & NS_GROUP_GAPS ? gaps_by_functions(g, it, c, &p, work + g->nZ) : NS_OK;
  return !rc && need & NS_GROUP_ROWS ? rows_by_functions(g, it, c, &p, work + g->nZ) : rc;
}

int ns_lagrangian_group_eval(ns_lagrangian_group *g, ns_ctx *c, const ns_model *m, double t,
                             const double *q, const double *z, const double *angle, unsigned want,
                             double *work, unsigned *fresh)
{
  move(g, m, t, q, z);
  unsigned need = want & ~g->have;
  if (!need) return NS_OK;
  const ns_interaction *it = &m->interactions[g->interaction[0]];
  if (g->tape) {
    by_tape(g, it, work);
    need = NS_GROUP_GAPS | NS_GROUP_ROWS;
  } else {
    int rc = by_functions(g, it, c, angle, need, work);
    if (rc) return rc;
  }
  g->have |= need;
  *fresh |= need;
  return NS_OK;
}
