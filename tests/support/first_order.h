/* SPDX-License-Identifier: GPL-3.0-or-later */
/* first_order.h -- for tests: models of first-order systems built in C, run in this process.
 *
 * Matrices are written by rows, as on paper. Functions of the state are C functions behind the
 * signatures of plug-ins. */
#ifndef TESTS_SUPPORT_FIRST_ORDER_H
#define TESTS_SUPPORT_FIRST_ORDER_H

#include "support/run.h"

typedef void (*any_function)(void);

static inline ns_model *fo_model(ns_ctx *c, double h, double T)
{
  *c = (ns_ctx){.report = to_stderr};
  ns_model *m = ns_model_create(c);
  ck_assert_ptr_nonnull(m);
  m->sim.integrator = "EulerMoreauOSI";
  m->sim.problem = NULL;
  m->sim.ts.h = h;
  m->sim.T = T;
  return m;
}

/* A constant, rows by rows; NULL: absent. */
static inline ns_operator fo_matrix(ns_model *m, int rows, int cols, const double *by_rows)
{
  if (!by_rows) return (ns_operator){0};
  double *v = ns_arena_get(m->arena, (size_t)rows * (size_t)cols, sizeof *v);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) v[i + j * rows] = by_rows[i * cols + j];
  return (ns_operator){.how = NS_OP_CONSTANT, .rows = rows, .cols = cols, .value = v};
}

static inline ns_operator fo_function(ns_model *m, int rows, int cols, any_function fn,
                                      ns_signature sig, unsigned uses)
{
  ns_plugin_call call = {.fn = fn, .sig = sig, .name = "test:function"};
  return (ns_operator){.how = NS_OP_PLUGIN,
                       .rows = rows,
                       .cols = cols,
                       .uses = uses,
                       .plugin = ns_arena_copy(m->arena, &call, 1, sizeof call)};
}

static inline const void *fo_kind(const void *const *list, const char *name)
{
  for (; *list; list++) /* the name is the first member of every kind */
    if (strcmp(*(const char *const *)*list, name) == 0) return *list;
  ck_abort_msg("no kind %s", name);
  return NULL;
}

static inline ns_system *fo_system(ns_model *m, ns_ctx *c, const char *kind, int n,
                                   const double *x0)
{
  ns_system s = {.kind = fo_kind((const void *const *)ns_system_kinds, kind),
                 .n = n,
                 .q0 = ns_arena_copy(m->arena, x0, (size_t)n, sizeof *x0),
                 .at = {.file = "test.xml", .element = kind, .id = "system", .line = 1}};
  int i = ns_model_add_system(m, c, &s);
  ck_assert_int_ge(i, 0);
  return &m->systems[i];
}

/* x' = A x + b + r; A, b may be NULL. */
static inline ns_system *fo_linear(ns_model *m, ns_ctx *c, int n, const double *x0, const double *A,
                                   const double *b)
{
  ns_system *s = fo_system(m, c, "FirstOrderLinearTIDS", n, x0);
  s->fo.A = fo_matrix(m, n, n, A);
  s->fo.b = fo_matrix(m, n, 1, b);
  return s;
}

/* Between systems [nsystems], m rows, lb and ub in all rows. */
static inline ns_interaction *fo_interaction(ns_model *m, ns_ctx *c, const char *relation,
                                             const char *law, int rows, double lb, double ub,
                                             const int *systems, int nsystems)
{
  ns_interaction it = {
      .relation = fo_kind((const void *const *)ns_relation_kinds, relation),
      .law.ops = fo_kind((const void *const *)ns_law_kinds, law),
      .m = rows,
      .nsystems = nsystems,
      .at = {.file = "test.xml", .element = "interaction", .id = "law", .line = 2}};
  it.systems = ns_arena_copy(m->arena, systems, (size_t)nsystems, sizeof *systems);
  for (int k = 0; k < nsystems; k++) {
    it.nQ += m->systems[systems[k]].n;
    it.nZ += m->systems[systems[k]].nz;
  }
  double *lo = ns_arena_get(m->arena, (size_t)rows, sizeof *lo),
         *up = ns_arena_get(m->arena, (size_t)rows, sizeof *up);
  for (int r = 0; r < rows; r++) {
    lo[r] = lb;
    up[r] = ub;
  }
  it.law.lb = lo;
  it.law.ub = up;
  int i = ns_model_add_interaction(m, c, &it);
  ck_assert_int_ge(i, 0);
  return &m->interactions[i];
}

/* The same with y = C X + D lambda + e, R = B lambda; D, e may be NULL. */
static inline ns_interaction *fo_relation(ns_model *m, ns_ctx *c, const char *law, int rows,
                                          double lb, double ub, const int *systems, int nsystems,
                                          const double *C, const double *D, const double *B,
                                          const double *e)
{
  ns_interaction *it = fo_interaction(m, c, "FirstOrderLinearTIR", law, rows, lb, ub, systems,
                                      nsystems);
  it->fo.C = fo_matrix(m, rows, it->nQ, C);
  it->fo.D = fo_matrix(m, rows, rows, D);
  it->fo.B = fo_matrix(m, it->nQ, rows, B);
  it->fo.e = fo_matrix(m, rows, 1, e);
  return it;
}

static const int fo_first[] = {0};
#define FO_RELAY "RelayNSL"
#define FO_COMPLEMENTARITY "ComplementarityConditionNSL"

/* Finish the model and make its simulation. */
static inline run fo_ready(ns_model *m, ns_ctx *c)
{
  run r = {.m = m};
  int rc = ns_model_finish(m, c);
  ck_assert_msg(rc == NS_OK, "%s", c->msg);
  r.c = *c;
  rc = ns_simulation_create(&r.c, m, &r.s);
  ck_assert_msg(rc == NS_OK, "%s", r.c.msg);
  r.x = ns_simulation_state(r.s);
  return r;
}

/* Run and keep all rows. */
static inline run fo_run(ns_model *m, ns_ctx *c)
{
  run r = fo_ready(m, c);
  int rc = run_keep(&r);
  ck_assert_msg(rc == NS_OK, "%s", r.c.msg);
  return r;
}

/* Value of a column in a row; label as "system.x[0]". */
static inline double fo_at(const run *r, size_t row, const char *label)
{
  return r->got.rows[row * r->got.ncols + capture_column(&r->got, label)];
}

#endif
