/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nsgs -- nonsmooth Gauss-Seidel: contact by contact, each solved exactly with the others held (Jean & Touzot 1988;
 * Jourdan, Alart & Jean 1998).
 *
 * A sweep reads every block of W once and is bound by memory. What the sweep itself shows, the change of r, is compared with
 * the tolerance; only when it passes is the residual of the problem computed, and where that fails the working tolerance is
 * lowered in proportion. */
#include "problems/friction_work.h"

#include "base/arena.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SWEEPS = 10000 };

typedef struct nsgs {
  ns_arena *mem;
  ns_friction_options opt;
  int d, nc;
  ns_contact *k;       /* [nc] */
  unsigned long stamp; /* of what k was prepared for; 0: none */
} nsgs;

static void destroy(void *self)
{
  nsgs *s = self;
  if (s) ns_arena_destroy(s->mem);
}

static int create(ns_ctx *c, const ns_friction_capacity *cap, const ns_friction_options *opt, void **self)
{
  ns_arena *mem = ns_arena_create(0, 1);
  nsgs *s = mem ? ns_arena_zero(mem, 1, sizeof *s) : NULL;
  *self = NULL;
  if (s) {
    *s = (nsgs){.mem = mem, .opt = opt ? *opt : ns_friction_defaults(), .d = cap->d, .nc = cap->nc};
    s->k = ns_arena_zero(mem, (size_t)cap->nc + 1, sizeof *s->k);
  }
  if (!s || !s->k) {
    ns_arena_destroy(mem);
    return ns_nomem(c, "nonsmooth Gauss-Seidel");
  }
  *self = s;
  return NS_OK;
}

/* Contacts with their diagonal blocks; the first whose normal block is not positive, -1: none. */
static int prepare(nsgs *s, const ns_friction *p)
{
  if (p->stamp && p->stamp == s->stamp) return -1;
  s->stamp = 0;
  for (int a = 0; a < p->nc; a++) {
    const double *B = ns_blocks_at(p->W, a, a);
    if (!B || ns_contact_prepare(p->d, B, p->mu[a], &s->k[a])) return a;
  }
  s->stamp = p->stamp;
  return -1;
}

/* One sweep over the plane; the squared change of r, and its square, for the test. */
static void sweep_plane(const nsgs *s, const ns_friction *p, double *r, double *change, double *size)
{
  const ns_blocks *W = p->W;
  double ds = 0, rs = 0;
  for (int a = 0; a < p->nc; a++) {
    double q0 = p->q[2 * a], q1 = p->q[2 * a + 1];
    for (int b = W->row[a]; b < W->row[a + 1]; b++) {
      int j = W->col[b];
      if (j == a) continue;
      const double *B = W->val + W->off[b], *x = r + 2 * j;
      q0 += B[0] * x[0] + B[2] * x[1];
      q1 += B[1] * x[0] + B[3] * x[1];
    }
    double q[2] = {q0, q1}, *x = r + 2 * a, was[2] = {x[0], x[1]};
    ns_contact_solve_plane(&s->k[a], q, x);
    ds += (x[0] - was[0]) * (x[0] - was[0]) + (x[1] - was[1]) * (x[1] - was[1]);
    rs += x[0] * x[0] + x[1] * x[1];
  }
  *change = ds;
  *size = rs;
}

static void sweep_space(const nsgs *s, const ns_friction *p, double *r, double *change, double *size)
{
  const ns_blocks *W = p->W;
  double ds = 0, rs = 0;
  for (int a = 0; a < p->nc; a++) {
    double q[3] = {p->q[3 * a], p->q[3 * a + 1], p->q[3 * a + 2]};
    for (int b = W->row[a]; b < W->row[a + 1]; b++) {
      int j = W->col[b];
      if (j == a) continue;
      const double *B = W->val + W->off[b], *x = r + 3 * j;
      q[0] += B[0] * x[0] + B[3] * x[1] + B[6] * x[2];
      q[1] += B[1] * x[0] + B[4] * x[1] + B[7] * x[2];
      q[2] += B[2] * x[0] + B[5] * x[1] + B[8] * x[2];
    }
    double *x = r + 3 * a, was[3] = {x[0], x[1], x[2]};
    double e = ns_contact_solve_space(&s->k[a], q, x);
    if (!(e < 1)) memcpy(x, was, sizeof was); /* worse than nothing: next sweep */
    for (int i = 0; i < 3; i++) {
      ds += (x[i] - was[i]) * (x[i] - was[i]);
      rs += x[i] * x[i];
    }
  }
  *change = ds;
  *size = rs;
}

static int solve(void *self, ns_ctx *c, const ns_friction *p, const int *contact, double *r, double *u, ns_outcome *out)
{
  nsgs *s = self;
  (void)contact;
  if (p->d != s->d || p->nc > s->nc)
    return ns_fail(c, NS_USAGE, "friction problem of %d contacts in %d dimensions, expected at most %d in %d", p->nc, p->d,
                   s->nc, s->d);
  *out = (ns_outcome){.kind = NS_SINGULAR, .solver = "nsgs"};
  double tol = s->opt.tol, work = tol;
  int limit = s->opt.max_iterations ? s->opt.max_iterations : SWEEPS;
  out->residual = ns_friction_residual(p, r, u, NULL);
  if (prepare(s, p) >= 0) return NS_OK;
  out->kind = out->residual <= tol ? NS_SOLVED : NS_LIMIT;
  for (int it = 1; it <= limit && out->kind == NS_LIMIT; it++) {
    double change, size;
    if (p->d == 2) sweep_plane(s, p, r, &change, &size);
    else sweep_space(s, p, r, &change, &size);
    out->iterations = it;
    double light = size > DBL_MIN ? sqrt(change / size) : 0;
    if (!(light <= work) && it < limit) continue;
    out->residual = ns_friction_residual(p, r, u, NULL);
    if (out->residual <= tol) out->kind = NS_SOLVED;
    else if (!(light <= DBL_MAX)) out->kind = NS_NOT_FINITE;
    else if (light > 0) work = fmax(fmin(work, tol * light / out->residual), 1e-6 * tol);
    else if (it > 1) out->kind = NS_STATIONARY;
  }
  return NS_OK;
}

const ns_friction_solver_ops ns_friction_nsgs = {.size = sizeof ns_friction_nsgs,
                                                 .name = "nsgs",
                                                 .help = "nonsmooth Gauss-Seidel with exact contacts: robust, linear rate",
                                                 .create = create,
                                                 .solve = solve,
                                                 .destroy = destroy};
