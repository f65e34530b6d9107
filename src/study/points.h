/* SPDX-License-Identifier: GPL-3.0-or-later */
/* points.h -- points of the unit cube: drawn at random, in a Latin hypercube, or of a sequence that
 * fills it evenly; and the quantiles of distributions that they are put through. Generators are
 * those of GSL. */
#ifndef NS_STUDY_POINTS_H
#define NS_STUDY_POINTS_H

#include "base/context.h"

typedef enum ns_points_kind {
  NS_POINTS_RANDOM,
  NS_POINTS_LATIN,
  NS_POINTS_SOBOL,
  NS_POINTS_HALTON
} ns_points_kind;

/* Most dimensions of a kind. */
int ns_points_dimensions(ns_points_kind k);
/* u [n x dim] by rows, each in (0, 1). seed: of the random kinds; skip: points left out, of the
 * sequences. dim is within bounds. NS_NOMEM. */
int ns_points_make(ns_ctx *c, ns_points_kind k, int dim, long n, unsigned long seed, long skip,
                   double *u);

/* Value below which a standard normal variable lies with probability u in (0, 1), and the reverse.
 */
double ns_points_normal_quantile(double u);
double ns_points_normal_probability(double x);

#endif
