/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/resting.h"

#include "problems/mechanical_work.h"
#include "problems/soclcp.h"

#include <math.h>
#include <string.h>

static const double NONE = 1e-3;   /* of the velocities of the solution that is replaced */
static const double TIGHTER = 0.1; /* tolerance of the convex problem, which has another residual */

struct ns_resting {
  ns_arena *mem;
  ns_soclcp_solver *cones;
  double *M;                       /* [n x n] */
  double *guess, *tau, *r, *u, *w; /* [n] */
  int *first;                      /* [n + 1] */
};

int ns_resting_create(ns_ctx *c, int n, const ns_mechanical_options *opt, ns_resting **out)
{
  size_t m = (size_t)n, d = sizeof(double);
  ns_resting *s = NS_ARENA_OBJECT(ns_resting, mem);
  *out = NULL;
  if (!s) return ns_nomem(c, "solver of contacts at rest");
  const ns_array want[] = {{&s->M, m * m, d},
                           {&s->guess, m, d},
                           {&s->tau, m, d},
                           {&s->r, m, d},
                           {&s->u, m, d},
                           {&s->w, m, d},
                           {&s->first, m + 1, sizeof(int)}};
  ns_lcp_options cones = ns_lcp_defaults();
  cones.tol = TIGHTER * opt->tol;
  int rc = ns_arena_arrays(s->mem, want, sizeof want / sizeof *want)
               ? ns_nomem(c, "solver of contacts at rest")
               : ns_soclcp_create(c, n, &cones, &s->cones);
  if (rc) ns_resting_destroy(s);
  else *out = s;
  return rc;
}

void ns_resting_destroy(ns_resting *s)
{
  if (!s) return;
  ns_soclcp_destroy(s->cones);
  ns_arena_destroy(s->mem);
}

/* Friction and one-sided rows alone. */
static int is_supported(const ns_mechanical *p)
{
  int friction = 0;
  for (int a = 0; a < p->W->nb; a++) {
    friction |= ns_mechanical_is_friction(p, a);
    for (int i = p->W->first[a]; i < p->W->first[a + 1] && !ns_mechanical_is_friction(p, a); i++)
      if (p->kind[a] != NS_BLOCK_BOX || p->lb[i] != 0 || p->ub[i] != INFINITY) return 0;
  }
  return friction;
}

/* Largest |x_i| in the rows of friction. */
static double largest(const ns_mechanical *p, const double *x)
{
  double max = 0;
  for (int a = 0; a < p->W->nb; a++)
    for (int i = p->W->first[a]; i < p->W->first[a + 1] && ns_mechanical_is_friction(p, a); i++)
      max = fmax(max, fabs(x[i]));
  return max;
}

/* Largest slip of a contact that is loaded. */
static double slip_of(const ns_mechanical *p, const double *r, const double *u)
{
  double max = 0;
  for (int a = 0; a < p->W->nb; a++) {
    int i = p->W->first[a];
    if (ns_mechanical_is_friction(p, a) && r[i] > 0)
      max = fmax(max, ns_contact_slip(p->W->dim[a], u + i));
  }
  return max;
}

/* W as full matrix, and the cones: of a row without friction a half-line. */
static void pose(ns_resting *s, const ns_mechanical *p, ns_soclcp *q)
{
  const ns_blocks *W = p->W;
  int n = 0;
  ns_blocks_dense(W, s->M, W->m);
  for (int a = 0; a < W->nb; a++) {
    int friction = ns_mechanical_is_friction(p, a), d = W->dim[a];
    for (int i = 0; i < d; i += friction ? d : 1) {
      s->tau[n] = friction ? p->mu[a] : 0;
      s->first[n++] = W->first[a] + i;
    }
  }
  s->first[n] = W->m;
  *q = (ns_soclcp){.n = W->m,
                   .nc = n,
                   .M = s->M,
                   .q = p->q,
                   .first = s->first,
                   .tau = s->tau,
                   .watch = p->watch};
}

void ns_resting_begin(ns_resting *s, const ns_mechanical *p, const double *r)
{
  if (s && p->start) memcpy(s->guess, r, (size_t)p->W->m * sizeof *r);
}

void ns_resting_prefer(ns_resting *s, const ns_mechanical *p, double tol, double *r, double *u,
                       ns_outcome *out)
{
  if (!s || !p->start || out->kind != NS_SOLVED || !is_supported(p)) return;
  double speed = largest(p, u);
  if (!ns_leave_rest(largest(p, p->q), largest(p, p->start), speed)) return;
  size_t bytes = (size_t)p->W->m * sizeof *r;
  ns_soclcp convex;
  ns_outcome found;
  pose(s, p, &convex);
  memcpy(s->r, s->guess, bytes);
  ns_soclcp_solve(s->cones, &convex, s->r, s->w, &found);
  double e = ns_mechanical_residual(p, s->r, s->u, NULL);
  if (!(e <= tol) || slip_of(p, s->r, s->u) > NONE * speed) return;
  for (int i = 0; i < p->W->m; i++) s->w[i] = s->u[i] - u[i];
  if (!(largest(p, s->w) > NONE * speed)) return; /* it is the same motion */
  memcpy(r, s->r, bytes);
  memcpy(u, s->u, bytes);
  out->iterations += found.iterations;
  out->residual = e;
  out->solver = "rest";
}
