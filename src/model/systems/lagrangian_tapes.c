/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/systems/lagrangian_tapes.h"

#include <stdlib.h>

/* Bounds of the tapes made here: their number, and the size of a system, whose matrices are written
 * out in them. */
enum { KINDS = 256, SIZE = 32, OPERATORS = 10 };

typedef struct builder {
  ns_arena *scratch;
  ns_graph *g;
  ns_node *node; /* M, F, fGyr, K_t, C_t, and three matrices of scratch */
} builder;

static void operators(const ns_system *s, const ns_operator *o[OPERATORS])
{
  const ns_operator *all[OPERATORS] = {&s->mass,      &s->fext,    &s->fint,    &s->fgyr,
                                       &s->dq_fint,   &s->dv_fint, &s->dq_fgyr, &s->dv_fgyr,
                                       &s->stiffness, &s->damping};
  for (int k = 0; k < OPERATORS; k++) o[k] = all[k];
}

static int has_tapes(const ns_system *s)
{
  const ns_operator *o[OPERATORS];
  operators(s, o);
  for (int k = 0; k < OPERATORS; k++)
    if (o[k]->how == NS_OP_PLUGIN || o[k]->uses >> NS_BANK_BRANCH & 1u) return 0;
  return s->n <= SIZE && !s->stiffness.how && !s->damping.how; /* of the linear kinds */
}

static int alike(const ns_system *a, const ns_system *b)
{
  const ns_operator *p[OPERATORS], *q[OPERATORS];
  operators(a, p);
  operators(b, q);
  for (int k = 0; k < OPERATORS; k++)
    if (!ns_operator_same(p[k], q[k])) return 0;
  return a->n == b->n;
}

/* out (+= or -=) the operator [n x cols]; first: it becomes that. */
static int accumulate(builder *b, const ns_operator *o, int n, int cols, int sign, ns_node *out)
{
  ns_node *own = b->node + 5 * n * n + 2 * n;
  if (!o->how) return NS_OK;
  int rc = ns_operator_lift(o, b->g, n, cols, own);
  for (int i = 0; i < n * cols && !rc; i++)
    out[i] = sign > 0 ? ns_graph_add(b->g, out[i], own[i])
                      : ns_graph_subtract(b->g, out[i], own[i]);
  return rc;
}

static void zero(builder *b, int n, ns_node *out)
{
  for (int i = 0; i < n; i++) out[i] = ns_graph_constant(b->g, 0);
}

static int mass_nodes(builder *b, const ns_system *s, ns_node *M)
{
  int n = s->n;
  if (s->mass.how) return ns_operator_lift(&s->mass, b->g, n, n, M);
  for (int i = 0; i < n * n; i++) M[i] = ns_graph_constant(b->g, i % (n + 1) == 0);
  return NS_OK;
}

/* In the order of lagrangian.c, for the same bits. */
static int all_nodes(builder *b, const ns_system *s)
{
  int n = s->n, nn = n * n;
  ns_node *M = b->node, *F = M + nn, *gyr = F + n, *Kt = gyr + n, *Ct = Kt + nn;
  int rc = mass_nodes(b, s, M);
  if (!rc) rc = ns_operator_lift(&s->fext, b->g, n, 1, F);
  if (!rc) rc = accumulate(b, &s->fint, n, 1, -1, F);
  if (!rc) rc = accumulate(b, &s->fgyr, n, 1, -1, F);
  if (!rc) rc = ns_operator_lift(&s->fgyr, b->g, n, 1, gyr);
  zero(b, nn, Kt);
  zero(b, nn, Ct);
  if (!rc) rc = accumulate(b, &s->dq_fint, n, n, 1, Kt);
  if (!rc) rc = accumulate(b, &s->dq_fgyr, n, n, 1, Kt);
  if (!rc) rc = accumulate(b, &s->dv_fint, n, n, 1, Ct);
  if (!rc) rc = accumulate(b, &s->dv_fgyr, n, n, 1, Ct);
  return rc;
}

static int compile(ns_ctx *c, const ns_system *s, ns_arena *a, int with_mass,
                   ns_lagrangian_tapes *t)
{
  int n = s->n, nn = n * n, skip = with_mass ? 0 : nn, smooth = nn + 2 * n - skip;
  builder b = {.scratch = ns_arena_create(0, 1)};
  b.g = b.scratch ? ns_graph_create(b.scratch) : NULL;
  b.node = malloc((6 * (size_t)nn + 2 * (size_t)n) * sizeof *b.node);
  int rc = b.g && b.node ? all_nodes(&b, s) : NS_NOMEM;
  if (rc) ns_nomem(c, "formulas of a system");
  if (!rc) rc = ns_tape_compile(b.g, c, a, b.node + skip, smooth, &t->smooth);
  if (!rc) rc = ns_tape_compile(b.g, c, a, b.node + nn + 2 * n, 2 * nn, &t->tangents);
  if (!rc) rc = ns_tape_compile(b.g, c, a, b.node + skip, smooth + 2 * nn, &t->all);
  free(b.node);
  ns_arena_destroy(b.scratch);
  if (rc) return rc;
  t->work = ns_tape_work(t->all); /* of both others at min: it computes what they do */
  t->with_mass = with_mass;
  return NS_OK;
}

int ns_lagrangian_tapes_create(ns_ctx *c, const ns_model *m, const int *list, int n, int mass,
                               ns_arena *a, ns_lagrangian_tapes *out)
{
  int made[KINDS], nmade = 0, rc = NS_OK;
  for (int i = 0; i < n && !rc; i++) {
    const ns_system *s = &m->systems[list[i]];
    int k = nmade - 1;
    out[i] = (ns_lagrangian_tapes){0};
    if (!has_tapes(s)) continue;
    while (k >= 0 && !alike(&m->systems[list[made[k]]], s)) k--;
    if (k >= 0) out[i] = out[made[k]];
    else if (nmade < KINDS) {
      made[nmade++] = i;
      rc = compile(c, s, a, mass || s->mass.how <= NS_OP_CONSTANT, &out[i]);
    }
  }
  return rc;
}

void ns_lagrangian_tapes_eval(const ns_tape *t, const ns_point *p, double *work, double *out)
{
  const double *bank[NS_BANKS] = {[NS_BANK_T] = &p->t,
                                  [NS_BANK_Q] = p->q,
                                  [NS_BANK_V] = p->v,
                                  [NS_BANK_Z] = p->z,
                                  [NS_BANK_INDEX] = p->index};
  ns_tape_eval(t, bank, work, out);
}
