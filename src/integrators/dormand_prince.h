/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dormand_prince.h -- one step of the explicit Runge-Kutta method of order 8 of Dormand and Prince,
 * for x' = f(t, x).
 *
 * Twelve stages, embedded errors of order 5 and 3 that are combined into one of order 7
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
  /* f [n]; 0; else it cannot be evaluated there. */
  int (*rate)(void *of, double t, const double *x, double *f);
  /* rates of the stages [STAGES x n]; the first is that at (t, x), the caller's to set */
  double *k;
  double *point; /* scratch [n] */
} ns_dormand_prince;

/* From x at t to `to` [n] at t + h; *error by the weights [n]. What rate returned where it is not
 * 0. */
int ns_dormand_prince_step(const ns_dormand_prince *o, double t, double h, const double *x,
                           const double *weight, double *to, double *error);

#endif
