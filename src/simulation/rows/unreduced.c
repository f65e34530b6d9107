/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/unreduced.h"

#include "problems/avi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char sparse_newton[] = "sparse-newton";

/* A system of up to so many states, or a problem of so many rows, is a small dense matrix; above
 * it, a system whose entries fill less than a DENSITY-th of the matrix is sparse. Problems of up to
 * FALLBACK rows can afford the dense methods of "auto" where the sparse one finds nothing.
 * bench/ladder.xml: both kernels are equally fast at 5 cells, 10 states and 20 multipliers. */
enum { SMALL = 10, SMALL_ROWS = 30, DENSITY = 4, FALLBACK = 128 };

/* ---- when ------------------------------------------------------------------------------------ */

static size_t entries(const ns_operator *o)
{
  size_t n = 0, all = (size_t)o->rows * (size_t)(o->diagonal ? 1 : o->cols);
  if (o->how != NS_OP_CONSTANT) return 0;
  for (size_t i = 0; i < all; i++) n += o->value[i] != 0;
  return n;
}

static int large_and_sparse(const ns_model *m)
{
  int big = 0;
  double nnz = 0, full = 0;
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    if (!ns_first_order_is_lti(s)) return 0;
    big = s->n > big ? s->n : big;
    nnz += (double)(entries(&s->fo.A) + entries(&s->fo.M)) + s->n;
    full += (double)s->n * s->n;
  }
  return big > SMALL && nnz * DENSITY < full;
}

int ns_unreduced_suits(const ns_model *m)
{
  const ns_problem_options *o = &m->sim.osnsp;
  if (strcmp(m->sim.integrator, "EulerMoreauOSI") != 0 || o->storage == NS_STORAGE_DENSE ||
      !ns_avi_solver_find(sparse_newton))
    return 0;
  if (strcmp(o->solver, "auto") != 0 && strcmp(o->solver, sparse_newton) != 0) return 0;
  for (int i = 0; i < m->ninteractions; i++)
    if (!(m->interactions[i].relation->flags & NS_REL_LINEAR) ||
        ns_law_is_polyhedron(m->interactions[i].law.ops))
      return 0;
  return m->nrows > 0 && m->nq + m->nrows > SMALL_ROWS && large_and_sparse(m);
}

const char *ns_unreduced_solver(const ns_model *m)
{
  return m->nq + m->nrows <= FALLBACK ? m->sim.osnsp.solver : sparse_newton;
}

/* ---- creation -------------------------------------------------------------------------------- */

int ns_unreduced_create(ns_ctx *c, const ns_couplings *k, const ns_theta *theta, ns_unreduced **out)
{
  ns_unreduced *u = *out = calloc(1, sizeof *u);
  if (!u) return ns_nomem(c, "unreduced problem");
  double gain;
  *u = (ns_unreduced){.k = k, .theta = theta, .mem = ns_arena_create(0, 1)};
  u->s = (ns_saddle){.n = (int)k->m->nq,
                     .nrows = k->nrows,
                     .W = ns_theta_matrix(theta, &gain),
                     .B = &k->B,
                     .C = &k->C,
                     .D = &k->D};
  if (u->mem && !ns_saddle_create(&u->s, u->mem)) return NS_OK;
  ns_unreduced_destroy(u);
  *out = NULL;
  return ns_nomem(c, "unreduced problem");
}

void ns_unreduced_destroy(ns_unreduced *u)
{
  if (!u) return;
  ns_arena_destroy(u->mem);
  free(u);
}

/* ---- values ---------------------------------------------------------------------------------- */

void ns_unreduced_refresh(ns_unreduced *u, double where)
{
  double gain;
  u->s.W = ns_theta_matrix(u->theta, &gain);
  ns_saddle_fill(&u->s, gain, where);
}

void ns_unreduced_q(const ns_unreduced *u, const double *xk, double *q)
{
  const ns_couplings *k = u->k;
  for (int r = 0; r < k->nrows; r++)
    q[u->s.n + r] = k->offset[r] + (xk ? ns_rows_dot(&k->C, r, xk) : 0);
}
