/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.h -- one sweep of projected Gauss-Seidel over a dense matrix. Private to src/problems.
 *
 *   for each row i:  z_i = proj_[lb_i,ub_i](z_i - omega w_i / M_ii)
 *   with w = M z + q of the newest z
 *
 * w is updated column by column. If lb and ub are the constant NULL, z >= 0 and the compiler drops
 * the code that reads bounds. */
#ifndef NS_PROBLEMS_BOX_SWEEP_H
#define NS_PROBLEMS_BOX_SWEEP_H

#include <math.h>
#include <stddef.h>

#define NS_BOX_INLINE static inline __attribute__((always_inline))

/* Changes of z below this, relative to z, are rounding. */
#define NS_BOX_UNMOVED 1e-15

typedef struct ns_box_moves {
  int columns; /* columns added to w: the work of the sweep */
  int real;    /* rows that moved by more than rounding */
} ns_box_moves;

NS_BOX_INLINE double ns_box_project(double z, double lb, double ub)
{
  double above = z > lb ? z : lb;
  return above < ub ? above : ub;
}

/* Ends early, with invalid z and w, if more than `max` rows move by more than rounding. */
NS_BOX_INLINE ns_box_moves ns_box_sweep(int n, const double *M, int ld, const double *lb,
                                        const double *ub, double omega, int max, double *z,
                                        double *w)
{
  ns_box_moves moves = {0, 0};
  for (int i = 0; i < n && moves.real <= max; i++) {
    const double *m = M + (size_t)i * (size_t)ld;
    if (lb && lb[i] == ub[i]) continue;
    double to = z[i] - omega * w[i] / m[i];
    if (lb) to = ns_box_project(to, lb[i], ub[i]);
    else to = to > 0 ? to : 0;
    double change = to - z[i];
    z[i] = to;
    if (change == 0) continue;
    for (int j = 0; j < n; j++) w[j] += m[j] * change;
    moves.columns++;
    moves.real += fabs(change) > NS_BOX_UNMOVED * fabs(to);
  }
  return moves;
}

/* 1 if a row can be swept: with a bound its diagonal must be positive, without bounds nonzero. */
NS_BOX_INLINE int ns_box_sweepable(double diagonal, double lb, double ub)
{
  int bounded = lb > -INFINITY || ub < INFINITY;
  return diagonal > 0 || (!bounded && diagonal != 0) || !(lb < ub);
}

/* From z = 0, or its projection onto the bounds, with w = M z + q: up to three sweeps. Returns 1,
 * with z solved to rounding, if the second sweep moves fewer rows than the first and the last sweep
 * none; this is so for triangular matrices and others with very weak coupling. 0: z and w are
 * invalid. */
NS_BOX_INLINE int ns_box_settles(int n, const double *M, int ld, const double *lb, const double *ub,
                                 double *z, double *w)
{
  for (int i = 0; i < n; i++)
    if (!ns_box_sweepable(M[(size_t)i * ((size_t)ld + 1)], lb ? lb[i] : 0, lb ? ub[i] : INFINITY))
      return 0;
  ns_box_moves moves = ns_box_sweep(n, M, ld, lb, ub, 1, n, z, w);
  int max = moves.real - 1;
  if (max >= 0) moves = ns_box_sweep(n, M, ld, lb, ub, 1, max, z, w);
  if (moves.real > 0 && moves.real <= max) moves = ns_box_sweep(n, M, ld, lb, ub, 1, 0, z, w);
  return moves.real == 0;
}

#endif
