/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/laws/law_rows.h"

#include "expression/expression.h"
#include "model/foreign.h"
#include "model/laws/laws.h"
#include "model/owned.h"

#include <string.h>

enum { ROWS = 2048 }; /* of a polyhedron and its faces: D is a matrix of them */

/* ---- formulas -------------------------------------------------------------------------------- */

/* One relation as formulas of X, lambda, Z, and of velocities as variables of other systems. */
typedef struct rows {
  ns_model *m;
  ns_ctx *c;
  ns_interaction *it;
  ns_arena *a; /* scratch, and g */
  ns_graph *g;
  ns_foreign_variable *of; /* what is read of other systems [n] */
  int n;
} rows;

static int begin(rows *r, ns_model *m, ns_ctx *c, ns_interaction *it)
{
  *r = (rows){.m = m, .c = c, .it = it, .a = ns_arena_create(1 << 14, 1)};
  r->g = r->a ? ns_graph_create(r->a) : NULL;
  return r->g ? NS_OK : NS_NOMEM;
}

static int end(rows *r, int rc)
{
  ns_arena_destroy(r->a);
  return rc == NS_NOMEM ? ns_nomem(r->c, "rows of a law") : rc;
}

static ns_node *nodes(rows *r, int n)
{
  ns_node *to = ns_arena_get(r->a, (size_t)n + 1, sizeof *to);
  for (int i = 0; to && i < n; i++) to[i] = ns_graph_constant(r->g, 0);
  return to;
}

static ns_node times(rows *r, ns_node a, int bank, int k)
{
  return ns_graph_multiply(r->g, a, ns_graph_variable(r->g, bank, k));
}

static void add_to(rows *r, ns_node *sum, ns_node a) { *sum = ns_graph_add(r->g, *sum, a); }

/* op: f [nrows x ncols]; bare: a derivative itself. */
static int make(rows *r, const ns_node *f, int nrows, int ncols, int bare, ns_operator *op)
{
  return ns_foreign_operator(r->m, r->c, r->g, f, nrows, ncols, r->of, r->n, bare, op);
}

static int has_plugin(rows *r)
{
  for (const ns_owned *k = ns_interaction_owned(r->it); k->name; k++) {
    if (ns_owned_of(k, r->it)->how != NS_OP_PLUGIN) continue;
    return ns_fail_at(r->c, NS_MODEL, &r->it->at,
                      "<%s> is a plug-in with the law %s, whose rows are composed with those of "
                      "the relation, expected formulas",
                      k->name, r->it->law.ops->name);
  }
  return NS_OK;
}

/* Variables of other systems that the operators of the relation read: one list for all of them. */
static int take_foreign(rows *r)
{
  int max = 0;
  const ns_owned *table = ns_interaction_owned(r->it);
  for (const ns_owned *k = table; k->name; k++) {
    const ns_foreign *f = ns_operator_foreign(ns_owned_of(k, r->it));
    if (f) max += f->n;
  }
  r->of = ns_arena_get(r->a, (size_t)max + 2 * (size_t)r->it->nQ + 1, sizeof *r->of);
  return r->of ? NS_OK : NS_NOMEM;
}

/* A variable of another system goes to the list r->of. */
static ns_node as_listed(void *of, const ns_foreign_variable *v)
{
  rows *r = of;
  r->of[r->n] = *v;
  return ns_graph_variable(r->g, NS_BANK_FOREIGN, r->n++);
}

/* Entries of an operator, zero in missing rows, whose variables of other systems are in r->of. */
static int lift(rows *r, ns_operator *op, int nrows, int ncols, ns_node *out)
{
  int rc = ns_foreign_lift(op, r->g, nrows, ncols, as_listed, r, out);
  const ns_foreign *f = ns_operator_foreign(op);
  if (rc || !f) return rc;
  ns_foreign_forget(r->m, f);
  return ns_operator_set_formula(op, r->m->arena, (ns_formula){.tape = op->formula->tape});
}

/* ---- mechanics ------------------------------------------------------------------------------- */

static ns_operator numbers(const double *value, int nrows, int ncols)
{
  return (ns_operator){
      .how = value ? NS_OP_CONSTANT : NS_OP_ABSENT, .rows = nrows, .cols = ncols, .value = value};
}

int ns_law_rows_linear(ns_model *m, ns_ctx *c, ns_interaction *it)
{
  int compliant = (it->relation->flags & NS_REL_COMPLIANT) != 0, nrows = it->m, n = it->nQ;
  double *B = ns_arena_get(m->arena, (size_t)nrows * (size_t)n + 1, sizeof *B);
  if (!B) return ns_nomem(c, "rows of a law");
  for (int i = 0; i < nrows; i++)
    for (int j = 0; j < n; j++) B[j + i * n] = it->H[i + j * nrows];
  it->fo = (ns_first_order_relation){
      .C = numbers(it->H, nrows, n),
      .D = numbers(compliant ? it->D : NULL, nrows, nrows),
      .B = numbers(B, n, nrows),
      .F = numbers(compliant && it->nZ ? it->F : NULL, nrows, it->nZ),
      .e = numbers(compliant ? it->e : NULL, nrows, 1)};
  it->relation = ns_relation_named("FirstOrderLinearTIR");
  return NS_OK;
}

/* Positions or velocities of the systems, one after the other, as variables of other systems
 * [nQ]. */
static ns_node *variables(rows *r, ns_bank bank)
{
  const ns_interaction *it = r->it;
  int at = 0;
  ns_node *v = nodes(r, it->nQ);
  for (int j = 0; v && j < it->nsystems; j++)
    for (int i = 0; i < ns_system_entries(&r->m->systems[it->systems[j]], (int)bank); i++) {
      v[at++] = ns_graph_variable(r->g, NS_BANK_FOREIGN, r->n);
      r->of[r->n++] = (ns_foreign_variable){.system = it->systems[j], .bank = bank, .k = i};
    }
  return v;
}

int ns_law_rows_read_velocities(ns_model *m, ns_ctx *c, ns_interaction *it)
{
  rows r;
  int rc = begin(&r, m, c, it), n = it->m;
  if (!rc) rc = take_foreign(&r);
  ns_node *v = rc ? NULL : variables(&r, NS_BANK_V), *e = v ? nodes(&r, n) : NULL;
  if (!rc && !e) rc = NS_NOMEM;
  if (!rc) rc = lift(&r, &it->fo.e, n, 1, e);
  for (int i = 0; i < n && !rc; i++)
    for (int j = 0; j < it->nQ; j++)
      add_to(
          &r, &e[i],
          ns_graph_multiply(r.g, ns_graph_constant(r.g, ns_operator_entry(&it->fo.C, i, j)), v[j]));
  if (!rc) rc = make(&r, e, n, 1, 0, &it->fo.e);
  it->fo.C = (ns_operator){.rows = n, .cols = it->nQ};
  it->relation = ns_relation_named("FirstOrderLinearR");
  return end(&r, rc);
}

/* ---- bodies in space ------------------------------------------------------------------------- */

static int is_in_space(const rows *r)
{
  const ns_system *s = &r->m->systems[r->it->systems[0]];
  return s->nq > s->n;
}

/* f [n] reads these instead of X. */
static int read_positions(rows *r, const ns_node *q, ns_node *f, int n)
{
  for (int i = 0; i < n; i++)
    if ((f[i] = ns_graph_replace(r->g, f[i], NS_BANK_Q, q)) < 0) return NS_NOMEM;
  return NS_OK;
}

/* g [7], the derivative of an output by position and quaternion p, to that by the velocity v and
 * Omega in axes of the body: p' = 1/2 p (0, Omega). p0: index of the quaternion in Q. */
static void by_velocity(rows *r, const ns_node *g, int p0, ns_node *row)
{
  /* which entry of p multiplies Omega_j in that of 2 p'_k, and where with a minus */
  static const int of[4][3] = {{1, 2, 3}, {0, 3, 2}, {3, 0, 1}, {2, 1, 0}};
  static const int minus[4][3] = {{1, 1, 1}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  memcpy(row, g, 3 * sizeof *g);
  for (int j = 0; j < 3; j++) {
    row[3 + j] = ns_graph_constant(r->g, 0);
    for (int k = 0; k < 4; k++) {
      ns_node half = ns_graph_constant(r->g, minus[k][j] ? -0.5 : 0.5);
      ns_node by = ns_graph_multiply(r->g, half, g[3 + k]);
      add_to(r, &row[3 + j], times(r, by, NS_BANK_Q, p0 + of[k][j]));
    }
  }
}

/* H [m x nQ] of positions becomes that of velocities [m x nv]. */
static void turn_to_velocities(rows *r, ns_node *H)
{
  int m = r->it->m;
  ns_node g[7], row[6];
  for (int b = 0; b < r->it->nsystems; b++)
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < 7; j++) g[j] = H[i + (7 * b + j) * m];
      by_velocity(r, g, 7 * b + 3, row);
      for (int j = 0; j < 6; j++) H[i + (6 * b + j) * m] = row[j];
    }
}

/* ---- any relation of mechanics --------------------------------------------------------------- */

/* y = h [m], and R = g = H^T lambda, of a nonlinear relation; g has as many entries as there are
 * velocities. X of a relation of first order has as many: of bodies in space, whose positions have
 * more, it is not read. */
static int write_mechanics(rows *r, ns_node *h, ns_node *g)
{
  ns_interaction *it = r->it;
  int m = it->m, n = it->nQ, compliant = (it->relation->flags & NS_REL_COMPLIANT) != 0;
  int in_space = is_in_space(r), nv = in_space ? 6 * it->nsystems : n;
  ns_lagrangian_relation *o = &it->lr;
  ns_node *H = nodes(r, m * n), *v = variables(r, NS_BANK_V),
          *q = in_space ? variables(r, NS_BANK_Q) : v;
  int rc = H && v && q ? lift(r, &o->H, m, n, H) : NS_NOMEM;
  if (!rc) rc = lift(r, compliant ? &o->h : &o->ht, m, 1, h);
  if (!rc && in_space) turn_to_velocities(r, H);
  for (int i = 0; i < m && !rc; i++)
    for (int j = 0; j < nv; j++) {
      if (!compliant) add_to(r, &h[i], ns_graph_multiply(r->g, H[i + j * m], v[j]));
      add_to(r, &g[j], times(r, H[i + j * m], NS_BANK_LAMBDA, i));
    }
  if (rc || !in_space) return rc;
  it->nQ = nv;
  rc = read_positions(r, q, h, m);
  return rc ? rc : read_positions(r, q, g, nv);
}

/* Derivatives of f [n] with respect to `many` variables of a bank. */
static ns_node *derive(rows *r, const ns_node *f, int n, int bank, int many)
{
  ns_node *d = nodes(r, n * many);
  for (int j = 0; d && j < many; j++)
    for (int i = 0; i < n; i++) d[i + j * n] = ns_graph_diff(r->g, f[i], bank, j);
  return d;
}

static int nonlinear(rows *r, const ns_node *h, const ns_node *g)
{
  int m = r->it->m, n = r->it->nQ;
  ns_first_order_relation o = {.F = {.rows = m, .cols = r->it->nZ}, .e = {.rows = m, .cols = 1}};
  const ns_node *C = derive(r, h, m, NS_BANK_Q, n), *D = derive(r, h, m, NS_BANK_LAMBDA, m),
                *K = derive(r, g, n, NS_BANK_Q, n), *B = derive(r, g, n, NS_BANK_LAMBDA, m);
  int rc = C && D && K && B ? make(r, h, m, 1, 0, &o.h) : NS_NOMEM;
  if (!rc) rc = make(r, g, n, 1, 0, &o.g);
  if (!rc) rc = make(r, C, m, n, 1, &o.C);
  if (!rc) rc = make(r, D, m, m, 1, &o.D);
  if (!rc) rc = make(r, B, n, m, 1, &o.B);
  if (!rc) rc = make(r, K, n, n, 1, &o.K);
  if (rc) return rc;
  r->it->fo = o;
  r->it->relation = ns_relation_named("FirstOrderNonLinearR");
  return NS_OK;
}

int ns_law_rows_of_mechanics(ns_model *m, ns_ctx *c, ns_interaction *it)
{
  rows r;
  int compliant = (it->relation->flags & NS_REL_COMPLIANT) != 0;
  if (it->relation->flags & NS_REL_LINEAR) {
    int rc = ns_law_rows_linear(m, c, it);
    return rc || compliant ? rc : ns_law_rows_read_velocities(m, c, it);
  }
  int rc = begin(&r, m, c, it);
  ns_node *h = rc ? NULL : nodes(&r, it->m), *g = h ? nodes(&r, it->nQ) : NULL;
  if (!rc && !g) rc = NS_NOMEM;
  if (!rc) rc = has_plugin(&r);
  if (!rc) rc = take_foreign(&r);
  if (!rc) rc = write_mechanics(&r, h, g);
  if (!rc) rc = nonlinear(&r, h, g);
  return end(&r, rc);
}

/* ---- polyhedra ------------------------------------------------------------------------------- */

static ns_node face(rows *r, int i, int j)
{
  const ns_nonsmooth_law *l = &r->it->law;
  return ns_graph_constant(r->g, l->N[(size_t)i + (size_t)j * (size_t)l->np]);
}

/* The m columns of B, behind which there are p of zeros. */
static int widen(rows *r, ns_operator *B, int bare)
{
  int m = r->it->m, n = r->it->nQ, all = m + r->it->law.np;
  ns_node *f = nodes(r, n * all);
  int rc = f ? lift(r, B, n, m, f) : NS_NOMEM;
  return rc ? rc : make(r, f, n, all, bare, B);
}

/* D of the relation, and N of the faces. */
static int widen_D(rows *r, int bare)
{
  int m = r->it->m, p = r->it->law.np, all = m + p;
  ns_operator *D = &r->it->fo.D;
  ns_node *own = nodes(r, m * m), *f = nodes(r, all * all);
  int rc = own && f ? lift(r, D, m, m, own) : NS_NOMEM;
  for (int j = 0; j < m && !rc; j++) {
    memcpy(f + j * all, own + j * m, (size_t)m * sizeof *own);
    for (int i = 0; i < p; i++) {
      f[m + i + j * all] = face(r, i, j);
      f[j + (m + i) * all] = ns_graph_subtract(r->g, ns_graph_constant(r->g, 0), face(r, i, j));
    }
  }
  return rc ? rc : make(r, f, all, all, bare, D);
}

/* More rows of an operator: zeros. */
static int lengthen(rows *r, ns_operator *op, int cols, int bare)
{
  int all = r->it->m + r->it->law.np;
  ns_node *f = nodes(r, all * cols);
  int rc = f ? lift(r, op, all, cols, f) : NS_NOMEM;
  return rc ? rc : make(r, f, all, cols, bare, op);
}

/* y - N^T mu and N lambda - k, as the output h; of linear relations D has the terms of lambda and
 * mu. */
static int outputs(rows *r, ns_operator *op, int linear)
{
  const ns_nonsmooth_law *l = &r->it->law;
  int m = r->it->m, p = l->np, all = m + p;
  ns_node *f = nodes(r, all);
  int rc = f ? lift(r, op, all, 1, f) : NS_NOMEM;
  for (int i = 0; i < p && !rc; i++) {
    add_to(r, &f[m + i], ns_graph_constant(r->g, -l->k[i]));
    for (int j = 0; j < m && !linear; j++) {
      add_to(r, &f[m + i], times(r, face(r, i, j), NS_BANK_LAMBDA, j));
      f[j] = ns_graph_subtract(r->g, f[j], times(r, face(r, i, j), NS_BANK_LAMBDA, m + i));
    }
  }
  return rc ? rc : make(r, f, all, 1, 0, op);
}

/* Its parameters, which the rows do not show. */
static int check_law(rows *r)
{
  int before = r->c->nerrors, n = r->it->m + r->it->law.np;
  if (n > ROWS)
    return ns_fail_at(r->c, NS_MODEL, &r->it->at,
                      "its law has %d rows with those of its faces, expected at most %d", n,
                      (int)ROWS);
  r->it->law.ops->check(&r->it->law, r->it->m, &r->it->at, r->c);
  return r->c->nerrors > before ? NS_MODEL : NS_OK;
}

static int polyhedron(rows *r)
{
  ns_interaction *it = r->it;
  ns_first_order_relation *o = &it->fo;
  int m = it->m, p = it->law.np, linear = (it->relation->flags & NS_REL_LINEAR) != 0;
  double *low = ns_arena_get(r->m->arena, 2 * (size_t)(m + p), sizeof *low), *high = low + m + p;
  int rc = low ? check_law(r) : NS_NOMEM;
  if (!rc) rc = has_plugin(r);
  if (!rc) rc = take_foreign(r);
  if (!rc) rc = outputs(r, linear ? &o->e : &o->h, linear);
  if (!rc) rc = lengthen(r, &o->C, it->nQ, !linear);
  if (!rc && linear && it->nZ) rc = lengthen(r, &o->F, it->nZ, 0);
  if (!rc) rc = widen_D(r, !linear);
  if (!rc) rc = widen(r, &o->B, !linear);
  if (rc) return rc;
  for (int i = 0; i < m + p; i++) {
    low[i] = i < m ? -INFINITY : 0;
    high[i] = INFINITY;
  }
  if (!linear) it->relation = ns_relation_named("FirstOrderNonLinearR");
  it->law = (ns_nonsmooth_law){.ops = &ns_law_normal_cone_rows, .lb = low, .ub = high};
  it->m = m + p;
  return NS_OK;
}

int ns_law_rows_of_polyhedra(ns_model *m, ns_ctx *c)
{
  int rc = NS_OK;
  for (int i = 0; i < m->ninteractions && !rc; i++) {
    rows r;
    if (!ns_law_is_polyhedron(m->interactions[i].law.ops)) continue;
    rc = begin(&r, m, c, &m->interactions[i]);
    if (!rc) rc = polyhedron(&r);
    rc = end(&r, rc);
  }
  return rc;
}
