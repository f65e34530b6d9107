/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dormand_prince.h -- one step of the explicit Runge-Kutta method of order 8 of Dormand and Prince,
 * for x' = f(t, x).
 *
 * Twelve stages; embedded error estimates of orders 5 and 3 are combined into one of order 7
 * [Hairer1993, II.5 and II.10, DOP853]:
 *
 *   err = h e5^2 / sqrt(e5^2 + e3^2/100),   e = max |sum e_i k_i| / weight
 *
 * It shares no code with the flows (flow.h), because it verifies their results
 * (simulation/events/event_certificate.h).
 *
 * [Hairer1993] Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, 2nd ed.,
 *              Springer, doi:10.1007/978-3-540-78862-1 */
#ifndef NS_INTEGRATORS_DORMAND_PRINCE_H
#define NS_INTEGRATORS_DORMAND_PRINCE_H

#include <stddef.h>

enum { NS_DORMAND_PRINCE_STAGES = 12, NS_DORMAND_PRINCE_ORDER = 8 };

typedef struct ns_dormand_prince {
  void *of;
  size_t n;
  /* f [n]. Returns 0, or another code if f cannot be evaluated at (t, x). */
  int (*rate)(void *of, double t, const double *x, double *f);
  /* rates of the stages [STAGES x n]; the caller sets the first one to f(t, x) */
  double *k;
  double *point; /* scratch [n] */
} ns_dormand_prince;

/* Step from x at t to `to` [n] at t + h. *error: the estimated error, scaled by weight [n]; the
 * step is accurate if it is <= 1. Returns 0, or the nonzero code of `rate`. */
int ns_dormand_prince_step(const ns_dormand_prince *o, double t, double h, const double *x,
                           const double *weight, double *to, double *error);

#endif
