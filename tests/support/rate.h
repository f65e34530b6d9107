/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rate.h -- for tests: first-order models made by hand, and integrators driven by hand.
 *
 * Operators are constants, formulas of t, x[k], v[k], z[k], l[k] (lambda), or C functions. */
#ifndef TESTS_SUPPORT_RATE_H
#define TESTS_SUPPORT_RATE_H

#include "integrators/theta.h"
#include "model/systems/first_order.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ns_system_kind *system_kind(const char *name)
{
  for (int k = 0; ns_system_kinds[k]; k++)
    if (!strcmp(ns_system_kinds[k]->name, name)) return ns_system_kinds[k];
  ck_abort_msg("no system kind %s", name);
  return NULL;
}

static const ns_relation_kind *relation_kind(const char *name)
{
  for (int k = 0; ns_relation_kinds[k]; k++)
    if (!strcmp(ns_relation_kinds[k]->name, name)) return ns_relation_kinds[k];
  ck_abort_msg("no relation kind %s", name);
  return NULL;
}

static const ns_law_ops *law_kind(const char *name)
{
  for (int k = 0; ns_law_kinds[k]; k++)
    if (!strcmp(ns_law_kinds[k]->name, name)) return ns_law_kinds[k];
  ck_abort_msg("no law kind %s", name);
  return NULL;
}

/* ---- operators ------------------------------------------------------------------------------- */

/* Numbers by columns; they must outlive the model. */
static inline ns_operator numbers(int rows, int cols, const double *v)
{
  return (ns_operator){.how = NS_OP_CONSTANT, .rows = rows, .cols = cols, .value = v};
}

static ns_name formula_name(const void *self, const char *name, size_t len, int k)
{
  (void)self;
  static const struct {
    char c;
    int bank;
  } banks[] = {{'x', NS_BANK_Q}, {'v', NS_BANK_V}, {'z', NS_BANK_Z}, {'l', NS_BANK_LAMBDA}};
  if (len == 1 && *name == 't' && k < 0)
    return (ns_name){.kind = NS_NAME_VARIABLE, .bank = NS_BANK_T};
  for (size_t i = 0; i < 4 && len == 1 && k >= 0; i++)
    if (banks[i].c == *name)
      return (ns_name){.kind = NS_NAME_VARIABLE, .bank = banks[i].bank, .index = k};
  return (ns_name){.kind = NS_NAME_UNKNOWN};
}

typedef struct formula_list {
  ns_graph *g;
  ns_ctx c;
  ns_scope scope;
  ns_node node[64];
  int n;
} formula_list;

static int formula_entry(void *to, int row, int col, const char *text, size_t len)
{
  formula_list *f = to;
  (void)row, (void)col;
  return ns_graph_parse(f->g, &f->c, "formula", text, len, &f->scope, &f->node[f->n++]);
}

static ns_operator formula_tape(ns_model *m, formula_list *f, int rows, int cols)
{
  ns_operator o = {.rows = rows, .cols = cols};
  ck_assert_int_eq(ns_operator_compile(&o, &f->c, f->g, m->arena, f->node, rows * cols), NS_OK);
  return o;
}

static formula_list formula_parse(ns_model *m, const char *text)
{
  formula_list f = {.g = ns_graph_create(m->arena), .scope = {.lookup = formula_name}};
  int rows, cols, rc = ns_split_entries(&f.c, "formula", text, formula_entry, &f, &rows, &cols);
  ck_assert_msg(rc == NS_OK, "%s", f.c.msg);
  return f;
}

/* Entries of a matrix are given by columns. */
static inline ns_operator formula(ns_model *m, int rows, int cols, const char *text)
{
  formula_list f = formula_parse(m, text);
  ck_assert_int_eq(f.n, rows * cols);
  return formula_tape(m, &f, rows, cols);
}

/* The derivative of a vector of formulas by the first n entries of a bank. */
static inline ns_operator derivative(ns_model *m, int rows, const char *text, int bank, int n)
{
  formula_list f = formula_parse(m, text), d = {.g = f.g};
  ck_assert_int_eq(f.n, rows);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < rows; i++) d.node[d.n++] = ns_graph_diff(f.g, f.node[i], bank, j);
  return formula_tape(m, &d, rows, n);
}

static inline ns_operator function_of(ns_model *m, int rows, int cols, ns_signature sig,
                                      void (*fn)(void), unsigned uses)
{
  ns_plugin_call *k = ns_arena_zero(m->arena, 1, sizeof *k);
  *k = (ns_plugin_call){.fn = fn, .sig = sig, .name = "test:function"};
  return (ns_operator){.how = NS_OP_PLUGIN, .rows = rows, .cols = cols, .uses = uses, .plugin = k};
}

enum {
  USES_T = 1 << NS_BANK_T,
  USES_X = 1 << NS_BANK_Q,
  USES_V = 1 << NS_BANK_V,
  USES_Z = 1 << NS_BANK_Z,
  USES_L = 1 << NS_BANK_LAMBDA
};

/* ---- models ---------------------------------------------------------------------------------- */

/* Kept open to the end of the test program. */
static inline ns_model *model_new(double theta, double gamma, int full)
{
  ns_ctx c = {0};
  ns_model *m = ns_model_create(&c);
  ck_assert_ptr_nonnull(m);
  m->sim.integrator = "EulerMoreauOSI";
  m->sim.problem = NULL;
  m->sim.em = (ns_euler_moreau_options){theta, gamma, full};
  m->sim.ts.h = 0.1;
  m->sim.T = 1;
  m->name = "test";
  return m;
}

static inline ns_system *model_system(ns_model *m, const char *kind, int n, const double *x0)
{
  static const char *const ids[] = {"one", "two", "three", "four"};
  ns_ctx c = {0};
  ns_system s = {
      .kind = system_kind(kind),
      .n = n,
      .q0 = x0,
      .at = {.file = "test.xml", .element = kind, .id = ids[m->nsystems & 3], .line = 1}};
  int k = ns_model_add_system(m, &c, &s);
  ck_assert_int_ge(k, 0);
  return &m->systems[k];
}

/* On systems[0..n). */
static inline ns_interaction *model_interaction(ns_model *m, const char *relation, const char *law,
                                                int rows, int n, const int *systems)
{
  ns_ctx c = {0};
  ns_interaction it = {.relation = relation_kind(relation),
                       .law.ops = law_kind(law),
                       .m = rows,
                       .nsystems = n,
                       .systems = systems,
                       .at = {.file = "test.xml", .element = "interaction", .id = "it", .line = 2}};
  for (int k = 0; k < n; k++) {
    it.nQ += m->systems[systems[k]].n;
    it.nZ += m->systems[systems[k]].nz;
  }
  double *lb = ns_arena_zero(m->arena, (size_t)rows, sizeof *lb),
         *ub = ns_arena_zero(m->arena, (size_t)rows, sizeof *ub);
  for (int k = 0; k < rows; k++) ub[k] = INFINITY;
  it.law.lb = lb, it.law.ub = ub;
  int k = ns_model_add_interaction(m, &c, &it);
  ck_assert_int_ge(k, 0);
  return &m->interactions[k];
}

/* ---- runs ------------------------------------------------------------------------------------ */

typedef struct drive {
  ns_ctx c;
  ns_model *m;
  ns_state x;
  ns_theta *osi;
  ns_theta_view view;
  double *xfree, *r, *next;
  int iterations, changed; /* of all steps */
} drive;

static inline int drive_create(ns_ctx *c, const ns_model *m, int sparse, ns_theta **osi)
{
  return sparse ? ns_theta_create_sparse(c, m, osi) : ns_theta_create(c, m, NULL, NULL, osi);
}

static inline drive drive_new(ns_model *m, int sparse)
{
  drive d = {.m = m};
  int rc = ns_model_finish(m, &d.c);
  ck_assert_msg(rc == NS_OK, "%s", d.c.msg);
  rc = ns_state_create(&d.c, m, &d.x);
  if (!rc) rc = drive_create(&d.c, m, sparse, &d.osi);
  ck_assert_msg(rc == NS_OK, "%s", d.c.msg);
  d.view = ns_theta_look(d.osi);
  d.xfree = calloc(m->nq, sizeof *d.xfree);
  d.r = calloc(m->nq, sizeof *d.r);
  d.next = calloc(m->nq, sizeof *d.next);
  return d;
}

static inline int drive_begin(drive *d, double t1, double h)
{
  memcpy(d->next, d->x.q, d->m->nq * sizeof *d->next);
  return ns_theta_begin(d->osi, &d->c, &d->x, t1, h);
}

/* *changed: 1 if W has changed, else 0. */
static inline int drive_linearise(drive *d, const ns_rate_tangent *K, int nk, int *changed)
{
  *changed = 0;
  return ns_theta_linearise(d->osi, &d->c, K, nk, changed);
}

static inline int drive_free(drive *d)
{
  ns_theta_free(d->osi, NULL, d->xfree);
  return NS_OK;
}

/* At the iterate d->next. */
static inline int drive_residual(drive *d, const double *r, double *out)
{
  ns_theta_set(d->osi, d->next);
  return ns_theta_residual(d->osi, &d->c, NULL, r, 1, out, NULL);
}

static inline int drive_commit(drive *d, const double *r)
{
  ns_theta_set(d->osi, d->next);
  return ns_theta_commit(d->osi, &d->c, &d->x, NULL, r);
}

static inline void drive_end(drive *d)
{
  ns_theta_destroy(d->osi);
  ns_state_fini(&d->x);
  ns_model_destroy(d->m);
  free(d->xfree);
  free(d->r);
  free(d->next);
}

static inline void good(drive *d, int rc) { ck_assert_msg(rc == NS_OK, "%s", d->c.msg); }

static inline void drive_start(drive *d)
{
  memcpy(d->x.p, d->r, d->m->nq * sizeof *d->r);
  good(d, ns_theta_start(d->osi, &d->c, &d->x, 1));
}

/* x+ = xfree + Gain r, r given: constant over the run. */
static inline void apply_input(drive *d, double *x)
{
  const ns_rate_groups *g = d->view.groups;
  double b[64];
  memcpy(x, d->xfree, d->m->nq * sizeof *x);
  for (int k = 0; k < g->n; k++) {
    for (int i = g->first[k]; i < g->first[k + 1]; i++) {
      const ns_system *s = &d->m->systems[g->list[i]];
      memcpy(b + g->at[g->list[i]], d->r + s->q, (size_t)s->n * sizeof *b);
    }
    ns_theta_input_gain(d->osi, k, 1, b);
    for (int i = g->first[k]; i < g->first[k + 1]; i++) {
      const ns_system *s = &d->m->systems[g->list[i]];
      for (int e = 0; e < s->n; e++) x[s->q + (size_t)e] += b[g->at[g->list[i]] + e];
    }
  }
}

/* One step with the input d->r; Newton until the residual is <= 1. The code of what failed. */
static inline int drive_try(drive *d, double t1, double h)
{
  double res = INFINITY;
  int rc = drive_begin(d, t1, h);
  for (int k = 0; k < 30 && !rc && !(res <= 1); k++) {
    int changed;
    rc = drive_linearise(d, NULL, 0, &changed);
    if (!rc) rc = drive_free(d);
    if (rc) return rc;
    apply_input(d, d->next);
    rc = drive_residual(d, d->r, &res);
    d->iterations++;
    d->changed += changed;
  }
  if (!rc) ck_assert_msg(res <= 1, "Newton did not converge: %g", res);
  return rc ? rc : drive_commit(d, d->r);
}

/* n equal steps to T. */
static inline void drive_run(drive *d, double T, int n)
{
  double t0 = d->m->sim.t0, h = (T - t0) / n;
  drive_start(d);
  for (int k = 1; k <= n; k++) {
    good(d, drive_try(d, t0 + k * h, h));
    ++*d->x.step;
  }
}

#endif
