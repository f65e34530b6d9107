/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/lcp.h"

#include "problems/lcp_work.h"
#include "problems/strip.h"

#include <math.h>
#include <string.h>

const ns_lcp_solver_ops *const ns_lcp_solvers[] = {
    &ns_lcp_auto, &ns_lcp_lemke, &ns_lcp_newton_min, &ns_lcp_pgs, &ns_lcp_fischer_burmeister, &ns_lcp_enumerate, NULL};

const ns_lcp_solver_ops *ns_lcp_solver_find(const char *name)
{
  for (const ns_lcp_solver_ops *const *s = ns_lcp_solvers; *s; s++)
    if (!strcmp((*s)->name, name)) return *s;
  return NULL;
}

const char *ns_outcome_text(ns_outcome_kind k)
{
  switch (k) {
  case NS_SOLVED: return "solved";
  case NS_LIMIT: return "iteration limit reached";
  case NS_RAY: return "secondary ray: no solution where M is copositive-plus";
  case NS_SINGULAR: return "singular: a zero diagonal or a dependent support";
  case NS_STATIONARY: return "stationary point of the merit function, no solution";
  case NS_NOT_FINITE: return "a NaN or an infinity in the problem";
  case NS_EXHAUSTED: return "every support was tried, none is a solution";
  case NS_INFEASIBLE: return "it has no solution: no velocities fulfil all of its rows";
  }
  return "unknown outcome";
}

ns_lcp_options ns_lcp_defaults(void)
{
  return (ns_lcp_options){.tol = 1e-10, .max_iterations = 0, .omega = 1};
}

/* Of a dense problem: reciprocals of the row scales that are known, or where they are kept; NULL: neither. */
typedef struct scales {
  const double *known;
  double *keep;
} scales;

/* `count` rows of a dense M from row i on: a strip that stays in registers. */
static inline __attribute__((always_inline)) void dense_strip(ns_lcp_tally *t, const ns_lcp *p, int i, int count,
                                                              const scales *r, const double *z, double *w)
{
  double y[8], s[8];
  ns_strip(count, p->n, p->dense + i, p->ld, p->q + i, z, y, r->known ? NULL : s);
  for (int k = 0; k < count; k++) {
    double a = r->known ? r->known[i + k] : ns_lcp_reciprocal(s[k]);
    if (r->keep) r->keep[i + k] = a;
    w[i + k] = y[k];
    ns_lcp_tally_scaled(t, z[i + k], y[k], p->q[i + k], a);
  }
}

static inline __attribute__((always_inline)) double dense_rows(const ns_lcp *p, scales r, const double *z, double *w)
{
  ns_lcp_tally t = {0, 0, 0};
  int i = 0;
  for (; i + 8 <= p->n; i += 8) dense_strip(&t, p, i, 8, &r, z, w);
  if (p->n - i >= 4) {
    dense_strip(&t, p, i, 4, &r, z, w);
    i += 4;
  }
  if (p->n - i == 3) dense_strip(&t, p, i, 3, &r, z, w);
  else if (p->n - i == 2) dense_strip(&t, p, i, 2, &r, z, w);
  else if (p->n - i == 1) dense_strip(&t, p, i, 1, &r, z, w);
  return ns_lcp_tally_end(&t);
}

double ns_lcp_residual_first(const ns_lcp *p, double *r, const double *z, double *w)
{
  return dense_rows(p, (scales){.keep = r}, z, w);
}

double ns_lcp_residual_kept(const ns_lcp *p, const double *r, const double *z, double *w)
{
  return dense_rows(p, (scales){.known = r}, z, w);
}

static void scalar_rows(ns_lcp_tally *t, const ns_lcp *p, const double *z, double *w)
{
  const ns_blocks *A = p->blocks;
  ns_lcp_tally u = *t;
  for (int i = 0; i < p->n; i++) {
    double y = p->q[i], s = 0;
    for (int k = A->row[i]; k < A->row[i + 1]; k++) {
      double m = A->val[k], a = fabs(m);
      y += m * z[A->col[k]];
      s = s > a ? s : a;
    }
    w[i] = y;
    ns_lcp_tally_row(&u, z[i], y, p->q[i], s);
  }
  *t = u;
}

static void block_rows(ns_lcp_tally *t, const ns_lcp *p, const double *z, double *w)
{
  const ns_blocks *A = p->blocks;
  for (int i = 0; i < A->nb; i++)
    for (int at = A->first[i]; at < A->first[i + 1]; at++) {
      double s;
      w[at] = ns_lcp_block_row(A, i, at, p->q[at], z, &s);
      ns_lcp_tally_row(t, z[at], w[at], p->q[at], s);
    }
}

double ns_lcp_residual(const ns_lcp *p, const double *z, double *w)
{
  ns_lcp_tally t = {0, 0, 0};
  if (p->dense) return dense_rows(p, (scales){0}, z, w);
  if (p->blocks->nb == p->n) scalar_rows(&t, p, z, w);
  else block_rows(&t, p, z, w);
  return ns_lcp_tally_end(&t);
}
