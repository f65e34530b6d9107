/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/plugged.h"

#include "base/guard.h"
#include "nssim/plugin.h"
#include "problems/mechanical_work.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* One problem as the plug-in sees it, with memory for the largest. */
typedef struct plugged {
  const ns_plugged *of;
  double tol;
  int max_iterations;
  ns_arena *mem; /* holds this */
  unsigned int *row, *column, *first;
  unsigned char *kind;
  double *value, *mu, *mu_rolling, *lb, *ub;
  double *r, *scratch; /* the answer, apart from the guess */
} plugged;

int ns_solver_is_plugged(const char *name) { return strchr(name, ':') != NULL; }

/* ---- the table of a plug-in ------------------------------------------------------------------ */

static const nssim_solver *table_of(const ns_plugged *p) { return p->table; }

int ns_plugged_check_solver(ns_ctx *c, const ns_plugged *p)
{
  if (table_of(p)->solve) return NS_OK;
  return ns_fail(c, NS_PLUGIN, "%s: plug-in \"%s\": its solver has no function solve, expected one",
                 p->at, p->call);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void destroy(void *self)
{
  plugged *o = self;
  if (o) ns_arena_destroy(o->mem);
}

/* For problems of n rows in nb blocks with nnz entries. */
static int create(ns_ctx *c, const ns_plugged *of, size_t n, size_t nb, size_t nnz, plugged **out)
{
  *out = NULL;
  if (!of)
    return ns_fail(c, NS_MODEL,
                   "solvers of plug-ins work only in runs of models, expected one of those that "
                   "`nssim list solvers` lists");
  plugged *o = NS_ARENA_OBJECT(plugged, mem);
  if (!o) return ns_nomem(c, "solver of a plug-in");
  *o = (plugged){.of = of, .mem = o->mem};
  size_t d = sizeof(double), i = sizeof(unsigned int);
  const ns_array want[] = {{&o->row, n + 1, i},
                           {&o->column, nnz, i},
                           {&o->first, nb + 1, i},
                           {&o->value, nnz, d},
                           {&o->mu, nb, d},
                           {&o->mu_rolling, nb, d},
                           {&o->lb, n, d},
                           {&o->ub, n, d},
                           {&o->r, n, d},
                           {&o->kind, nb, 1},
                           {&o->scratch, ns_plugged_scratch(of, table_of(of)->scratch, n), d}};
  if (ns_arena_arrays(o->mem, want, sizeof want / sizeof *want)) {
    destroy(o);
    return ns_nomem(c, "solver of a plug-in");
  }
  *out = o;
  return NS_OK;
}

/* ---- one problem ----------------------------------------------------------------------------- */

static void write_dense(plugged *o, int n, const double *M, int ld)
{
  unsigned int at = 0;
  for (int i = 0; i < n; i++) {
    o->row[i] = at;
    for (int j = 0; j < n; j++, at++) {
      o->column[at] = (unsigned int)j;
      o->value[at] = M[(size_t)i + (size_t)j * (size_t)ld];
    }
  }
  o->row[n] = at;
}

static void write_blocks(plugged *o, const ns_blocks *A)
{
  unsigned int at = 0;
  for (int i = 0; i < A->nb; i++)
    for (int r = 0; r < A->dim[i]; r++) {
      o->row[A->first[i] + r] = at;
      for (int k = A->row[i]; k < A->row[i + 1]; k++) {
        int j = A->col[k];
        const double *b = A->val + A->off[k] + r;
        for (int e = 0; e < A->dim[j]; e++, at++, b += A->dim[i]) {
          o->column[at] = (unsigned int)(A->first[j] + e);
          o->value[at] = *b;
        }
      }
    }
  o->row[A->m] = at;
}

/* Asks the plug-in; p has everything but the matrix and the blocks. The answer to o->r. */
static void ask(plugged *o, nssim_problem *p, const double *guess, ns_outcome *out)
{
  const ns_plugged *of = o->of;
  unsigned int iterations = 0;
  p->row = o->row;
  p->column = o->column;
  p->value = o->value;
  p->first = o->first;
  p->kind = o->kind;
  p->mu = o->mu;
  p->mu_rolling = o->mu_rolling;
  p->lb = o->lb;
  p->ub = o->ub;
  p->max_iterations = (unsigned int)o->max_iterations;
  memcpy(o->r, guess, p->n * sizeof *guess);
  ns_guard_enter_for(of->at, of->call);
  int failed = table_of(of)->solve(p, o->r, &iterations, o->scratch);
  ns_guard_leave();
  *out = (ns_outcome){.kind = failed ? NS_GAVE_UP : NS_REFUTED,
                      .iterations = iterations < INT_MAX ? (int)iterations : INT_MAX,
                      .solver = "plug-in"};
}

/* ---- boxes ----------------------------------------------------------------------------------- */

static int box_create(ns_ctx *c, const ns_box_capacity *cap, const ns_lcp_options *opt, void **self)
{
  ns_lcp_options given = opt ? *opt : ns_lcp_defaults();
  plugged *o;
  int rc = create(c, given.plugged, (size_t)cap->n, 1, cap->nnz, &o);
  *self = o;
  if (rc) return rc;
  o->tol = given.tol;
  o->max_iterations = given.max_iterations;
  return NS_OK;
}

static int box_solve(void *self, ns_ctx *c, const ns_box *p, const int *row, double *z, double *w,
                     ns_outcome *out)
{
  plugged *o = self;
  (void)c, (void)row;
  if (p->dense) write_dense(o, p->n, p->dense, p->ld);
  else write_blocks(o, p->blocks);
  o->first[0] = 0;
  o->first[1] = (unsigned int)p->n;
  o->kind[0] = NSSIM_BOX;
  for (int i = 0; i < p->n; i++) {
    o->lb[i] = p->lb ? p->lb[i] : 0;
    o->ub[i] = p->ub ? p->ub[i] : INFINITY;
  }
  nssim_problem shown = {.n = (unsigned int)p->n, .blocks = 1, .q = p->q, .tolerance = o->tol};
  ask(o, &shown, z, out);
  out->residual = ns_box_residual(p, o->r, w);
  if (!(out->residual <= o->tol)) {
    ns_solve_see(p->watch, p->q, out->residual, p->n, o->r);
    ns_box_residual(p, z, w);
    return NS_OK;
  }
  out->kind = NS_SOLVED;
  memcpy(z, o->r, (size_t)p->n * sizeof *z);
  return NS_OK;
}

const ns_box_solver_ops ns_box_plugged = {.name = "Library:function",
                                          .help = "a solver of a plug-in, nssim-plugin(7)",
                                          .create = box_create,
                                          .solve = box_solve,
                                          .destroy = destroy,
                                          .memory = &ns_memory_none};

/* ---- contacts -------------------------------------------------------------------------------- */

_Static_assert((int)NSSIM_FRICTION == (int)NS_BLOCK_FRICTION &&
                   (int)NSSIM_BOX == (int)NS_BLOCK_BOX &&
                   (int)NSSIM_ROLLING == (int)NS_BLOCK_ROLLING,
               "kinds of blocks are those of plug-ins");

static int mechanical_create(ns_ctx *c, const ns_mechanical_capacity *cap,
                             const ns_mechanical_options *opt, void **self)
{
  ns_mechanical_options given = opt ? *opt : ns_mechanical_defaults();
  const ns_blocks *A = cap->structure;
  plugged *o;
  *self = NULL;
  if (cap->kind && ns_mechanical_any(A, cap->kind, NS_BLOCK_BALL))
    return ns_fail(c, NS_MODEL,
                   "a solver of a plug-in supports boxes and cones, but the model has friction "
                   "with norm=\"euclidean\", expected another solver");
  int rc = create(c, given.plugged, (size_t)A->m, (size_t)A->nb, ns_blocks_entries(A), &o);
  *self = o;
  if (rc) return rc;
  o->tol = given.tol;
  o->max_iterations = given.max_iterations;
  return NS_OK;
}

static void write_laws(plugged *o, const ns_mechanical *p)
{
  const ns_blocks *W = p->W;
  for (int a = 0; a < W->nb; a++) {
    int kind = p->kind ? p->kind[a] : NS_BLOCK_FRICTION;
    o->first[a] = (unsigned int)W->first[a];
    o->kind[a] = (unsigned char)kind;
    o->mu[a] = kind != NS_BLOCK_BOX && p->mu ? p->mu[a] : 0;
    o->mu_rolling[a] = kind == NS_BLOCK_ROLLING && p->mu_rolling ? p->mu_rolling[a] : 0;
    for (int i = W->first[a]; i < W->first[a + 1]; i++) {
      o->lb[i] = kind == NS_BLOCK_BOX ? p->lb[i] : -INFINITY;
      o->ub[i] = kind == NS_BLOCK_BOX ? p->ub[i] : INFINITY;
    }
  }
  o->first[W->nb] = (unsigned int)W->m;
}

static int mechanical_solve(void *self, ns_ctx *c, const ns_mechanical *p, const int *block,
                            double *r, double *u, ns_outcome *out)
{
  plugged *o = self;
  double tol = p->tol > 0 ? p->tol : o->tol;
  (void)c, (void)block;
  write_blocks(o, p->W);
  write_laws(o, p);
  nssim_problem shown = {
      .n = (unsigned int)p->W->m, .blocks = (unsigned int)p->W->nb, .q = p->q, .tolerance = tol};
  ask(o, &shown, r, out);
  double before = ns_mechanical_residual(p, r, u, NULL);
  double e = ns_mechanical_residual(p, o->r, u, NULL);
  if (ns_mechanical_accepts(p, tol, e, o->r, u)) out->kind = NS_SOLVED;
  out->residual = e;
  if (out->kind == NS_SOLVED || e < before) {
    memcpy(r, o->r, (size_t)p->W->m * sizeof *r);
    return NS_OK;
  }
  out->residual = ns_mechanical_residual(p, r, u, NULL);
  return NS_OK;
}

const ns_mechanical_solver_ops ns_mechanical_plugged = {
    .name = "Library:function",
    .help = "a solver of a plug-in, nssim-plugin(7)",
    .create = mechanical_create,
    .solve = mechanical_solve,
    .destroy = destroy,
    .memory = &ns_memory_none};
