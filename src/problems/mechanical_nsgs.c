/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nsgs -- nonsmooth Gauss-Seidel: block by block, each solved exactly with the others held (Jean & Touzot 1988;
 * Jourdan, Alart & Jean 1998). Box blocks go row by row.
 *
 * A sweep reads every block of W once and is bound by memory. What the sweep itself shows, the change of r, is compared with
 * the tolerance; only when it passes is the residual of the problem computed, and where that fails the working tolerance is
 * lowered in proportion. */
#include "problems/mechanical_work.h"

#include "base/arena.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SWEEPS = 10000 };

typedef struct nsgs {
  ns_arena *mem;
  ns_mechanical_options opt;
  int nb, m;
  ns_contact *k;       /* of friction blocks [nb] */
  double *diagonal;    /* W_ii of the rows of box blocks [m] */
  unsigned long stamp; /* of what k was prepared for; 0: none */
} nsgs;

static void destroy(void *self)
{
  nsgs *s = self;
  if (s) ns_arena_destroy(s->mem);
}

static int create(ns_ctx *c, const ns_mechanical_capacity *cap, const ns_mechanical_options *opt, void **self)
{
  ns_arena *mem = ns_arena_create(0, 1);
  nsgs *s = mem ? ns_arena_zero(mem, 1, sizeof *s) : NULL;
  *self = NULL;
  if (s) {
    *s = (nsgs){.mem = mem, .opt = opt ? *opt : ns_mechanical_defaults(), .nb = cap->structure->nb, .m = cap->structure->m};
    s->k = ns_arena_zero(mem, (size_t)s->nb + 1, sizeof *s->k);
    s->diagonal = ns_arena_zero(mem, (size_t)s->m + 1, sizeof *s->diagonal);
  }
  if (!s || !s->k || !s->diagonal) {
    ns_arena_destroy(mem);
    return ns_nomem(c, "nonsmooth Gauss-Seidel");
  }
  *self = s;
  return NS_OK;
}

/* Diagonal blocks; 1 where all of them are fit: a normal or a row without W_ii > 0 cannot be solved alone. */
static int prepare(nsgs *s, const ns_mechanical *p)
{
  if (p->stamp && p->stamp == s->stamp) return 1;
  s->stamp = 0;
  for (int a = 0; a < p->W->nb; a++) {
    const double *B = ns_blocks_at(p->W, a, a);
    int d = p->W->dim[a];
    if (!B) return 0;
    if (ns_mechanical_is_friction(p, a)) {
      if (ns_contact_prepare(d, B, p->mu[a], &s->k[a])) return 0;
      continue;
    }
    for (int i = 0; i < d; i++)
      if (!((s->diagonal[p->W->first[a] + i] = B[i + i * d]) > 0)) return 0;
  }
  s->stamp = p->stamp;
  return 1;
}

typedef struct tally {
  double change, size; /* squared norms of the change of r in a sweep, and of r */
} tally;

static void count(tally *t, int d, const double *was, const double *is)
{
  for (int i = 0; i < d; i++) {
    t->change += (is[i] - was[i]) * (is[i] - was[i]);
    t->size += is[i] * is[i];
  }
}

/* local q of block a of 2 rows: q_a + sum_{b != a} W_ab r_b; the same for 3 rows. All blocks of the row have d columns. */
static void gather2(const ns_mechanical *p, int a, const double *r, double *q)
{
  const ns_blocks *W = p->W;
  double q0 = p->q[W->first[a]], q1 = p->q[W->first[a] + 1];
  for (int b = W->row[a]; b < W->row[a + 1]; b++) {
    int j = W->col[b];
    if (j == a) continue;
    const double *B = W->val + W->off[b], *x = r + W->first[j];
    for (int c = 0; c < W->dim[j]; c++, B += 2) {
      q0 += B[0] * x[c];
      q1 += B[1] * x[c];
    }
  }
  q[0] = q0;
  q[1] = q1;
}

static void gather3(const ns_mechanical *p, int a, const double *r, double *q)
{
  const ns_blocks *W = p->W;
  double q0 = p->q[W->first[a]], q1 = p->q[W->first[a] + 1], q2 = p->q[W->first[a] + 2];
  for (int b = W->row[a]; b < W->row[a + 1]; b++) {
    int j = W->col[b];
    if (j == a) continue;
    const double *B = W->val + W->off[b], *x = r + W->first[j];
    for (int c = 0; c < W->dim[j]; c++, B += 3) {
      q0 += B[0] * x[c];
      q1 += B[1] * x[c];
      q2 += B[2] * x[c];
    }
  }
  q[0] = q0;
  q[1] = q1;
  q[2] = q2;
}

static void friction(const nsgs *s, const ns_mechanical *p, int a, double *r, tally *t)
{
  double q[3], *x = r + p->W->first[a], was[3] = {0};
  int d = p->W->dim[a];
  memcpy(was, x, (size_t)d * sizeof *x);
  if (d == 2) {
    gather2(p, a, r, q);
    ns_contact_solve_plane(&s->k[a], q, x);
  } else {
    gather3(p, a, r, q);
    double e = ns_contact_solve_space(&s->k[a], q, x);
    if (!(e < 1)) memcpy(x, was, sizeof was); /* worse than nothing: next sweep */
  }
  count(t, d, was, x);
}

static void box(const nsgs *s, const ns_mechanical *p, int a, double *r, tally *t)
{
  const ns_blocks *W = p->W;
  int d = W->dim[a];
  for (int i = 0; i < d; i++) {
    int at = W->first[a] + i;
    double u = p->q[at], was = r[at];
    for (int b = W->row[a]; b < W->row[a + 1]; b++) {
      const double *B = W->val + W->off[b] + i, *x = r + W->first[W->col[b]];
      for (int c = 0; c < W->dim[W->col[b]]; c++) u += B[c * d] * x[c];
    }
    r[at] = fmin(fmax(was - u / s->diagonal[at], p->lb[at]), p->ub[at]);
    count(t, 1, &was, r + at);
  }
}

static int solve(void *self, ns_ctx *c, const ns_mechanical *p, const int *block, double *r, double *u, ns_outcome *out)
{
  nsgs *s = self;
  (void)block;
  if (p->W->nb > s->nb || p->W->m > s->m)
    return ns_fail(c, NS_USAGE, "mechanical problem of %d rows, expected at most %d", p->W->m, s->m);
  double tol = ns_mechanical_tolerance(p, &s->opt), work = tol;
  int limit = s->opt.max_iterations ? s->opt.max_iterations : SWEEPS;
  *out = (ns_outcome){.kind = NS_SINGULAR, .solver = "nsgs", .residual = ns_mechanical_residual(p, r, u, NULL)};
  if (out->residual <= tol) out->kind = NS_SOLVED;
  else if (prepare(s, p)) out->kind = NS_LIMIT;
  for (int it = 1; it <= limit && out->kind == NS_LIMIT; it++) {
    tally t = {0};
    for (int a = 0; a < p->W->nb; a++)
      if (ns_mechanical_is_friction(p, a)) friction(s, p, a, r, &t);
      else box(s, p, a, r, &t);
    out->iterations = it;
    double light = t.size > DBL_MIN ? sqrt(t.change / t.size) : 0;
    if (!(light <= work) && it < limit) continue;
    out->residual = ns_mechanical_residual(p, r, u, NULL);
    if (out->residual <= tol) out->kind = NS_SOLVED;
    else if (!(light <= DBL_MAX)) out->kind = NS_NOT_FINITE;
    else if (light > 0) work = fmax(fmin(work, tol * light / out->residual), 1e-6 * tol);
    else if (it > 1) out->kind = NS_STATIONARY;
  }
  return NS_OK;
}

const ns_mechanical_solver_ops ns_mechanical_nsgs = {.size = sizeof ns_mechanical_nsgs,
                                                     .name = "nsgs",
                                                     .help = "nonsmooth Gauss-Seidel, blocks solved exactly: robust, linear rate",
                                                     .create = create,
                                                     .solve = solve,
                                                     .destroy = destroy};
