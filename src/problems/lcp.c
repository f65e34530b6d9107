/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/lcp.h"

#include "problems/lcp_work.h"

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
  }
  return "unknown outcome";
}

ns_lcp_options ns_lcp_defaults(void)
{
  return (ns_lcp_options){.tol = 1e-10, .max_iterations = 0, .omega = 1};
}

/* `count` rows of a dense M from row i on: a strip that stays in registers. */
static inline void dense_strip(ns_lcp_tally *t, const ns_lcp *p, int i, int count, const double *z, double *w)
{
  double y[8], s[8];
  const double *m = p->dense + i;
  for (int k = 0; k < count; k++) y[k] = p->q[i + k];
  for (int k = 0; k < count; k++) s[k] = 0;
  for (int j = 0; j < p->n; j++, m += p->ld) {
    double f = z[j];
    for (int k = 0; k < count; k++) {
      double a = fabs(m[k]);
      y[k] += m[k] * f;
      s[k] = s[k] > a ? s[k] : a;
    }
  }
  for (int k = 0; k < count; k++) {
    w[i + k] = y[k];
    ns_lcp_tally_row(t, z[i + k], y[k], p->q[i + k], s[k]);
  }
}

static void dense_rows(ns_lcp_tally *t, const ns_lcp *p, const double *z, double *w)
{
  int i = 0;
  for (; i + 8 <= p->n; i += 8) dense_strip(t, p, i, 8, z, w);
  if (p->n - i >= 4) {
    dense_strip(t, p, i, 4, z, w);
    i += 4;
  }
  if (p->n - i == 3) dense_strip(t, p, i, 3, z, w);
  else if (p->n - i == 2) dense_strip(t, p, i, 2, z, w);
  else if (p->n - i == 1) dense_strip(t, p, i, 1, z, w);
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
  for (int i = 0; i < A->nb; i++) {
    int m = A->dim[i];
    for (int r = 0; r < m; r++) {
      int at = A->first[i] + r;
      double y = p->q[at], s = 0;
      for (int k = A->row[i]; k < A->row[i + 1]; k++) {
        const double *b = A->val + A->off[k] + r, *x = z + A->first[A->col[k]];
        for (int c = 0; c < A->dim[A->col[k]]; c++, b += m) {
          double a = fabs(*b);
          y += *b * x[c];
          s = s > a ? s : a;
        }
      }
      w[at] = y;
      ns_lcp_tally_row(t, z[at], y, p->q[at], s);
    }
  }
}

double ns_lcp_residual(const ns_lcp *p, const double *z, double *w)
{
  ns_lcp_tally t = {0, 0, 0};
  if (p->dense) dense_rows(&t, p, z, w);
  else if (p->blocks->nb == p->n) scalar_rows(&t, p, z, w);
  else block_rows(&t, p, z, w);
  return ns_lcp_tally_end(&t);
}
