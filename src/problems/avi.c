/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/avi.h"

#include "problems/avi_sparse.h"
#include "problems/avi_work.h"

#include <math.h>
#include <string.h>

const ns_avi_solver_ops *const ns_avi_solvers[] = {
    &ns_avi_auto, &ns_avi_lemke, &ns_avi_newton_min, &ns_avi_pgs, &ns_avi_fischer_burmeister, &ns_avi_enumerate,
    &ns_avi_sparse_newton, NULL};

const ns_avi_solver_ops *ns_avi_solver_find(const char *name)
{
  for (int k = 0; ns_avi_solvers[k]; k++)
    if (!strcmp(ns_avi_solvers[k]->name, name)) return ns_avi_solvers[k];
  return NULL;
}

ns_avi_class ns_avi_classify(int n, const double *lb, const double *ub)
{
  int free_rows = 0, signed_rows = 0;
  for (int i = 0; i < n; i++) {
    free_rows += lb[i] == -INFINITY && ub[i] == INFINITY;
    signed_rows += lb[i] == 0 && ub[i] == INFINITY;
  }
  if (free_rows == n && n) return NS_AVI_LINEAR;
  if (signed_rows == n) return NS_AVI_LCP;
  return free_rows + signed_rows == n ? NS_AVI_MLCP : NS_AVI_BOX;
}

/* `count` rows of a dense M from row i on: a strip that stays in registers. */
static inline void dense_strip(ns_lcp_tally *t, const ns_avi *p, int i, int count, const double *z, double *w)
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
    ns_avi_tally_row(t, z[i + k], y[k], p->q[i + k], ns_avi_reciprocal(s[k]), p->lb[i + k], p->ub[i + k]);
  }
}

static void block_rows(ns_lcp_tally *t, const ns_avi *p, const double *z, double *w)
{
  const ns_blocks *A = p->blocks;
  for (int i = 0; i < A->nb; i++)
    for (int at = A->first[i]; at < A->first[i + 1]; at++) {
      double s;
      w[at] = ns_lcp_block_row(A, i, at, p->q[at], z, &s);
      ns_avi_tally_row(t, z[at], w[at], p->q[at], ns_avi_reciprocal(s), p->lb[at], p->ub[at]);
    }
}

double ns_avi_residual(const ns_avi *p, const double *z, double *w)
{
  ns_lcp_tally t = {0, 0, 0};
  int i = 0;
  if (p->dense) {
    for (; i + 4 <= p->n; i += 4) dense_strip(&t, p, i, 4, z, w);
    for (; i < p->n; i++) dense_strip(&t, p, i, 1, z, w);
  } else block_rows(&t, p, z, w);
  return ns_lcp_tally_end(&t);
}
