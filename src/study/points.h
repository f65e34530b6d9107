/* SPDX-License-Identifier: GPL-3.0-or-later */
/* points.h -- points of the unit cube (random, Latin hypercube, or low-discrepancy sequences), and
 * the quantile functions that transform them to distributions. The generators are those of GSL. */
#ifndef NS_STUDY_POINTS_H
#define NS_STUDY_POINTS_H

#include "base/context.h"

typedef enum ns_points_kind {
  NS_POINTS_RANDOM,
  NS_POINTS_LATIN,
  NS_POINTS_SOBOL,
  NS_POINTS_HALTON
} ns_points_kind;

/* Maximum number of dimensions of a kind. */
int ns_points_dimensions(ns_points_kind k);
/* Generate u [n x dim] by rows, with entries in (0, 1). seed: for the random kinds; skip: number of
 * initial points of a sequence that are left out. dim must not exceed ns_points_dimensions(k).
 * NS_NOMEM. */
int ns_points_make(ns_ctx *c, ns_points_kind k, int dim, long n, unsigned long seed, long skip,
                   double *u);

/* Quantile of the standard normal distribution for a probability u in (0, 1), and its inverse, the
 * distribution function. */
double ns_points_normal_quantile(double u);
double ns_points_normal_probability(double x);

#endif
