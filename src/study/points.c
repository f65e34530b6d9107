/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/points.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_qrng.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <limits.h>
#include <stdlib.h>

static const gsl_qrng_type *sequence(ns_points_kind k)
{
  return k == NS_POINTS_SOBOL ? gsl_qrng_sobol : k == NS_POINTS_HALTON ? gsl_qrng_halton : NULL;
}

int ns_points_dimensions(ns_points_kind k)
{
  const gsl_qrng_type *t = sequence(k); /* beyond it GSL gives a generator of zeros */
  return t ? (int)t->max_dimension : INT_MAX;
}

static void random_points(gsl_rng *g, int dim, long n, double *u)
{
  for (size_t k = 0; k < (size_t)n * (size_t)dim; k++) u[k] = gsl_rng_uniform_pos(g);
}

/* In each dimension the n intervals of 1/n, in random order, a random point in each. */
static int latin_points(ns_ctx *c, gsl_rng *g, int dim, long n, double *u)
{
  long *order = malloc((size_t)n * sizeof *order);
  if (!order) return ns_nomem(c, "points of a Latin hypercube");
  for (int d = 0; d < dim; d++) {
    for (long k = 0; k < n; k++) order[k] = k;
    gsl_ran_shuffle(g, order, (size_t)n, sizeof *order);
    for (long k = 0; k < n; k++)
      u[(size_t)k * (size_t)dim + (size_t)d] = ((double)order[k] + gsl_rng_uniform_pos(g)) /
                                               (double)n;
  }
  free(order);
  return NS_OK;
}

static int sequence_points(ns_ctx *c, const gsl_qrng_type *t, int dim, long n, long skip, double *u)
{
  gsl_qrng *g = gsl_qrng_alloc(t, (unsigned)dim);
  if (!g) return ns_nomem(c, "points of a sequence");
  for (long k = 0; k < skip; k++) gsl_qrng_get(g, u);
  for (long k = 0; k < n; k++) gsl_qrng_get(g, u + (size_t)k * (size_t)dim);
  gsl_qrng_free(g);
  return NS_OK;
}

int ns_points_make(ns_ctx *c, ns_points_kind k, int dim, long n, unsigned long seed, long skip,
                   double *u)
{
  /* GSL's own handler would end the program. */
  gsl_error_handler_t *before = gsl_set_error_handler_off();
  int rc = NS_OK;
  if (sequence(k)) {
    rc = sequence_points(c, sequence(k), dim, n, skip, u);
  } else {
    gsl_rng *g = gsl_rng_alloc(gsl_rng_mt19937);
    if (g) gsl_rng_set(g, seed ? seed : 4357); /* what GSL takes 0 for */
    if (!g) rc = ns_nomem(c, "random points");
    else if (k == NS_POINTS_LATIN) rc = latin_points(c, g, dim, n, u);
    else random_points(g, dim, n, u);
    gsl_rng_free(g);
  }
  gsl_set_error_handler(before);
  return rc;
}

double ns_points_normal_quantile(double u) { return gsl_cdf_ugaussian_Pinv(u); }
double ns_points_normal_probability(double x) { return gsl_cdf_ugaussian_P(x); }
