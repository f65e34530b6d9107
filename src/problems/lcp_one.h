/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lcp_one.h -- one row of an LCP: what it says of the residual, and the problem of one row in closed form. */
#ifndef NS_PROBLEMS_LCP_ONE_H
#define NS_PROBLEMS_LCP_ONE_H

#include <float.h>
#include <math.h>

/* What the rows seen so far say of the residual. A NaN is lost in a maximum, so `sum` collects it. */
typedef struct ns_lcp_tally {
  double worst, q, sum;
} ns_lcp_tally;

/* One row: s = max_j |M_ij|. Rows so small that 1/s overflows count as zero rows. */
static inline double ns_lcp_reciprocal(double s) { return s > 1e-300 ? 1 / s : 1; }

static inline void ns_lcp_tally_scaled(ns_lcp_tally *t, double z, double w, double q, double r)
{
  double v = w * r, a = fabs(z < v ? z : v), b = fabs(q * r);
  if (a > t->worst) t->worst = a;
  if (b > t->q) t->q = b;
  t->sum += fabs(z) + fabs(w);
}

static inline void ns_lcp_tally_row(ns_lcp_tally *t, double z, double w, double q, double s)
{
  ns_lcp_tally_scaled(t, z, w, q, ns_lcp_reciprocal(s));
}

static inline double ns_lcp_tally_end(const ns_lcp_tally *t)
{
  return t->sum <= DBL_MAX ? t->worst / (1 + t->q) : INFINITY;
}

/* w = m z + q for one unknown; *residual as ns_lcp_residual has it, to the bit. 0, and nothing is written, where there is no
 * solution, or none within tol. */
static inline int ns_lcp_one(double m, double q, double tol, double *z, double *w, double *residual)
{
  double x = q >= 0 ? 0 : -q / m;
  if (!(x >= 0)) return 0;
  double y = q + m * x;
  ns_lcp_tally t = {0, 0, 0};
  ns_lcp_tally_row(&t, x, y, q, fabs(m));
  double r = ns_lcp_tally_end(&t);
  if (!(r <= tol)) return 0;
  *z = x;
  *w = y;
  *residual = r;
  return 1;
}

#endif
