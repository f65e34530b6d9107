/* SPDX-License-Identifier: GPL-3.0-or-later */
/* difference.h -- Jacobians that nobody gives: central differences of a function of the point.
 *
 * A plug-in may come without its derivatives. Each variable x is displaced by +-s and the width is
 * that of the numbers as represented, so that
 *
 *   J_j = (f(x + s e_j) - f(x - s e_j)) / (2 s),   s = eps^(1/3) (1 + |x_j|),
 *
 * which balances truncation, of order s^2, with rounding, of order eps/s. */
#ifndef NS_MODEL_DIFFERENCE_H
#define NS_MODEL_DIFFERENCE_H

#include "model/operator.h"

#include <float.h>
#include <math.h>

typedef struct ns_difference {
  /* the function: at p to out [rows] */
  int (*f)(const void *of, ns_ctx *c, const ns_point *p, double *work, double *out);
  const void *of;
  ns_bank bank; /* Q, V or LAMBDA, of length cols */
  int rows, cols;
} ns_difference;

static inline double ns_difference_step(double x) { return cbrt(DBL_EPSILON) * (1 + fabs(x)); }

/* 1 if the derivative df of f by a bank is to be differenced: f is a plug-in that may depend on
 * it, and df is not given. */
int ns_difference_is_needed(const ns_operator *f, const ns_operator *df, ns_bank bank);
/* ns_difference.f of an ns_operator. */
int ns_difference_of_operator(const void *of, ns_ctx *c, const ns_point *p, double *work,
                              double *out);
/* Doubles of scratch, without those of the function. */
size_t ns_difference_work(int rows, int cols);
/* J [rows x cols] by columns += the derivative at p. work: those of the function behind. */
int ns_difference_add(const ns_difference *d, ns_ctx *c, const ns_point *p, double *work,
                      double *J);

#endif
