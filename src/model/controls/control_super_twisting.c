/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_super_twisting.c -- super-twisting (Levant 1993): u = -k1 |s|^1/2 sgn(s) + v, v' = -k2
 * sgn(s), for a scalar s' = u + perturbation.
 *
 * Explicit: signs of the sampled s. Implicit (Brogliato, Polyakov & Efimov 2020, IEEE TAC
 * 65:3707-3713): with xi in Sgn(s+) and b = s + T v,
 *
 *   s+ = s + T u,  u = -k1 |s+|^1/2 xi + v+,  v+ = v - T k2 xi
 *
 * |b| <= T^2 k2: s+ = 0, xi = b / (T^2 k2); else xi = sgn(b) and r = |s+|^1/2 is the root of
 * r^2 + T k1 r + T^2 k2 - |b| = 0. Memory: v. */
#include "model/controls/control_kinds.h"

#include <math.h>
#include <stdlib.h>

typedef struct super_twisting {
  const ns_operator *sigma;
  double k1, k2;
  int is_explicit;
  double *work;
} super_twisting;

static int prepare(const ns_model *m, ns_control *k, ns_ctx *c)
{
  (void)m;
  k->nmemory = 1;
  if (k->nwrites == 1) return NS_OK;
  return ns_control_fail(
      k, c,
      "writes %d entries, expected one: the command of <SuperTwisting>; name it in writes=\"...\"",
      k->nwrites);
}

static int create(void *self, ns_ctx *c, const ns_model *m, const ns_control *k, double *work)
{
  (void)c, (void)m;
  *(super_twisting *)self = (super_twisting){.sigma = ns_control_value(k, "sigma"),
                                             .k1 = ns_control_number(k, "k1", 0),
                                             .k2 = ns_control_number(k, "k2", 0),
                                             .is_explicit = ns_control_number(k, "method", 0) > 0,
                                             .work = work};
  return NS_OK;
}

static int sample(void *self, ns_ctx *c, const ns_sample *s, double *w)
{
  super_twisting *o = self;
  double sigma, T = s->period, *v = s->memory;
  int rc = ns_operator_eval(o->sigma, c, &s->p, o->work, &sigma);
  if (rc) return rc;
  double b = sigma + T * *v, whole = T * T * o->k2, xi, root;
  if (o->is_explicit) {
    xi = (sigma > 0) - (sigma < 0);
    *w = -o->k1 * sqrt(fabs(sigma)) * xi + *v;
    *v -= T * o->k2 * xi;
    return NS_OK;
  }
  if (fabs(b) <= whole) {
    xi = b / whole;
    root = 0;
  } else {
    double p = T * o->k1, q = fabs(b) - whole;
    xi = b > 0 ? 1 : -1;
    root = 2 * q / (p + sqrt(p * p + 4 * q)); /* without cancellation */
  }
  *v -= T * o->k2 * xi;
  *w = -o->k1 * root * xi + *v;
  return NS_OK;
}

const ns_control_kind ns_control_super_twisting = {
    .name = "SuperTwisting",
    .help = "continuous command with a discontinuous rate, for a scalar sigma' = u",
    .prepare = prepare,
    .size = sizeof(super_twisting),
    .create = create,
    .sample = sample};
