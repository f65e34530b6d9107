/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pivot -- friction in the plane as a linear complementarity problem, solved by Lemke's method
 * (Klarbring 1986; the form with r_T = r+ - mu r_N is that of Glocker & Pfeiffer 1996). Per contact
 * z = (r_N, r+, lambda), and
 *
 *   u_N                     W_NN - mu_j W_NT   W_NT   0
 *   u_T + lambda      =     W_TN - mu_j W_TT   W_TT   delta    z  +  (q_N, q_T, 0)
 *   mu r_N - r_T            2 mu_i delta      -delta  0
 *
 * where mu_j belongs to the column. 3 nc rows, dense: for small problems, whatever their rank. */
#include "problems/mechanical_work.h"

#include "base/arena.h"
#include "problems/lcp.h"

#include <math.h>
#include <string.h>

enum { CONTACTS = 200 };

typedef struct pivot {
  ns_arena *mem;
  ns_mechanical_options opt;
  int nb;
  void *lemke;
  double *M, *q, *z, *w; /* [9 nb^2], [3 nb] */
} pivot;

static const ns_lcp_solver_ops *lemke(void) { return ns_lcp_solver_find("lemke"); }

static void destroy(void *self)
{
  pivot *s = self;
  if (!s) return;
  lemke()->destroy(s->lemke);
  ns_arena_destroy(s->mem);
}

int ns_mechanical_is_planar(const ns_blocks *W, const unsigned char *kind)
{
  for (int a = 0; a < W->nb; a++)
    if (W->dim[a] != 2 || (kind && kind[a] != NS_BLOCK_FRICTION)) return 0;
  return 1;
}

static int refused(ns_ctx *c, const ns_mechanical_capacity *cap)
{
  if (!ns_mechanical_is_planar(cap->structure, cap->kind))
    return ns_fail(c, NS_MODEL,
                   "solver pivot: supports only contacts in the plane; expected solver \"auto\"");
  if (cap->structure->nb > CONTACTS)
    return ns_fail(c, NS_MODEL,
                   "solver pivot: %d contacts, expected at most %d; use solver \"auto\"",
                   cap->structure->nb, CONTACTS);
  return NS_OK;
}

static int create(ns_ctx *c, const ns_mechanical_capacity *cap, const ns_mechanical_options *opt,
                  void **self)
{
  *self = NULL;
  int rc = refused(c, cap);
  if (rc) return rc;
  pivot *s = NS_ARENA_OBJECT(pivot, mem);
  if (!s) return ns_nomem(c, "pivoting friction solver");
  *s = (pivot){
      .mem = s->mem, .opt = opt ? *opt : ns_mechanical_defaults(), .nb = cap->structure->nb};
  size_t n = 3 * (size_t)s->nb, d = sizeof(double);
  const ns_array want[] = {{&s->M, n * n, d}, {&s->q, n, d}, {&s->z, n, d}, {&s->w, n, d}};
  ns_lcp_options o = ns_lcp_defaults();
  ns_lcp_capacity size = {.n = (int)n, .nnz = n * n};
  o.max_iterations = s->opt.max_iterations;
  rc = ns_arena_arrays(s->mem, want, sizeof want / sizeof *want);
  if (rc) rc = ns_nomem(c, "pivoting friction solver");
  if (!rc) rc = lemke()->create(c, &size, &o, &s->lemke);
  if (rc) destroy(s);
  else *self = s;
  return rc;
}

static void translate(pivot *s, const ns_mechanical *p)
{
  int nb = p->W->nb, n = 3 * nb;
  memset(s->M, 0, (size_t)n * (size_t)n * sizeof *s->M);
  for (int a = 0; a < nb; a++) {
    for (int k = p->W->row[a]; k < p->W->row[a + 1]; k++) {
      const double *B = p->W->val + p->W->off[k];
      int b = p->W->col[k];
      double *M = s->M + (size_t)(3 * b) * (size_t)n + 3 * a;
      M[0] = B[0] - p->mu[b] * B[2];
      M[1] = B[1] - p->mu[b] * B[3];
      M[n] = B[2];
      M[n + 1] = B[3];
    }
    double *M = s->M + (size_t)(3 * a) * (size_t)n + 3 * a;
    M[2] = 2 * p->mu[a];
    M[n + 2] = -1;
    M[2 * n + 1] = 1;
    s->q[3 * a] = p->q[2 * a];
    s->q[3 * a + 1] = p->q[2 * a + 1];
    s->q[3 * a + 2] = 0;
  }
}

static int solve(void *self, ns_ctx *c, const ns_mechanical *p, const int *block, double *r,
                 double *u, ns_outcome *out)
{
  pivot *s = self;
  (void)block;
  if (p->W->nb > s->nb || !ns_mechanical_is_planar(p->W, p->kind))
    return ns_fail(
        c, NS_USAGE,
        "solver pivot: mechanical problem of %d blocks, expected at most %d, in the plane",
        p->W->nb, s->nb);
  double tol = ns_mechanical_tolerance(p, &s->opt), e = ns_mechanical_residual(p, r, u, NULL);
  if (e <= tol || !p->W->nb) {
    *out = (ns_outcome){.kind = NS_SOLVED, .solver = "pivot", .residual = e};
    return NS_OK;
  }
  translate(s, p);
  ns_lcp l = {.n = 3 * p->W->nb, .dense = s->M, .ld = 3 * p->W->nb, .q = s->q, .watch = p->watch};
  memset(s->z, 0, (size_t)l.n * sizeof *s->z);
  int rc = lemke()->solve(s->lemke, c, &l, NULL, s->z, s->w, out);
  if (rc) return rc;
  for (int a = 0; a < p->W->nb; a++) {
    r[2 * a] = s->z[3 * a];
    r[2 * a + 1] = s->z[3 * a + 1] - p->mu[a] * s->z[3 * a];
  }
  out->solver = "pivot";
  out->residual = ns_mechanical_residual(p, r, u, NULL);
  out->kind = out->residual <= tol ? NS_SOLVED : out->kind == NS_SOLVED ? NS_LIMIT : out->kind;
  return NS_OK;
}

const ns_mechanical_solver_ops ns_mechanical_pivot = {
    .name = "pivot",
    .help = "contacts in the plane as an LCP, by Lemke's method: small, exact",
    .create = create,
    .solve = solve,
    .destroy = destroy,
    .memory = &ns_memory_none};
