/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row.h -- one row of a problem on a box: its contribution to the residual, and the LCP of one row
 * in closed form. */
#ifndef NS_PROBLEMS_BOX_ROW_H
#define NS_PROBLEMS_BOX_ROW_H

#include "problems/row_error.h"

#include <float.h>
#include <math.h>

/* Contributions of the rows so far to the residual: max |part|, max |q/s|, sum |z|. A maximum
 * ignores a NaN, so `sum` collects it. coarse: the error of a row may not be small beside the terms
 * of that row, see ns_box_residual. */
typedef struct ns_box_tally {
  double worst, q, z, sum;
  int coarse;
} ns_box_tally;

/* Errors below this part of |z|, |q/s| and |w/s| of their row are no part of any residual. */
#define NS_BOX_FINE 1e-10

/* 1/s of a row with s = max_j |M_ij|; 1 for rows so small that 1/s overflows, as for zero rows. */
static inline double ns_box_reciprocal(double s) { return s > 1e-300 ? 1 / s : 1; }

static inline void ns_box_count_row(ns_box_tally *t, double z, double w, double q, double r,
                                    double part)
{
  double a = fabs(part), b = fabs(q * r);
  if (a > t->worst) t->worst = a;
  t->coarse |= a > NS_BOX_FINE * (fabs(z) + b + fabs(w * r));
  if (b > t->q) t->q = b;
  t->z += fabs(z);
  t->sum += fabs(w);
}

/* Add one row, r = 1/s: _lcp for z >= 0, _row for lb <= z <= ub. With lb = 0, ub = inf both give
 * the same to the bit. */
static inline void ns_box_tally_lcp(ns_box_tally *t, double z, double w, double q, double r)
{
  double v = w * r;
  ns_box_count_row(t, z, w, q, r, z < v ? z : v);
}

static inline void ns_box_tally_row(ns_box_tally *t, double z, double w, double q, double r,
                                    double lb, double ub)
{
  double v = w * r, below = z - lb, above = z - ub;
  double d = above > v ? above : v, part = below < d ? below : d;
  ns_box_count_row(t, z, w, q, r, part);
  double rounding = NS_ROUNDING * fabs(z), of_q = NS_ROUNDING * fabs(q * r), a = fabs(part);
  t->coarse |= ns_row_is_between(lb, ub) & ((a > rounding) | (a > of_q));
}

/* Absolute unit of the residual for data and unknowns of this size: 1, or 1e6 times the size if
 * that is less. Numbers below DBL_MIN have lost digits: their errors are not measured beside
 * themselves, for states that slide to an equilibrium come there. */
static inline double ns_residual_unit(double size)
{
  return size < 1e-6 ? 1e6 * fmax(size, DBL_MIN) : 1;
}

static inline double ns_box_tally_end(const ns_box_tally *t)
{
  if (!(t->sum + t->z <= DBL_MAX)) return INFINITY;
  return t->worst > 0 ? t->worst / (ns_residual_unit(t->q + t->z) + t->q) : 0;
}

/* Solve w = m z + q for one unknown; *residual equals ns_box_residual to the bit. Returns 1; or 0,
 * with nothing written, if there is no solution, or none within tol. */
static inline int ns_lcp_one(double m, double q, double tol, double *z, double *w, double *residual)
{
  double x = q >= 0 ? 0 : -q / m;
  if (!(x >= 0)) return 0;
  double y = q + m * x;
  ns_box_tally t = {0};
  ns_box_tally_lcp(&t, x, y, q, ns_box_reciprocal(fabs(m)));
  double r = ns_box_tally_end(&t);
  if (!(r <= tol)) return 0;
  *z = x;
  *w = y;
  *residual = r;
  return 1;
}

#endif
