/* SPDX-License-Identifier: GPL-3.0-or-later */
/* propagator.h -- private to zero_order_hold.c: the motion of a linear system over a step with
 * constant input.
 *
 *   M(t) x' = A(t) x + w,  w constant:   x(t+h) = Phi x(t) + Gamma w
 *   Phi' = M^-1 A Phi, Phi(t) = I;   Gamma' = M^-1 (A Gamma + I), Gamma(t) = 0
 *
 * Constant M, A: the exponential (algebra/expm.h). Otherwise both are integrated together, by
 * Gragg's midpoint rule with extrapolation (Bulirsch & Stoer 1966; Hairer, Norsett & Wanner 1993,
 * II.9) to 1e-13 of their largest entries. */
#ifndef NS_INTEGRATORS_PROPAGATOR_H
#define NS_INTEGRATORS_PROPAGATOR_H

#include "base/arena.h"
#include "model/model.h"

typedef struct propagator propagator;

/* Create in memory of `a`; NULL: out of memory. */
propagator *ns_propagator_create(ns_arena *a, const ns_system *s);
/* Phi and Gamma [n x n] over [t, t+h]; p: the arguments of the system's operators except t.
 * NS_NUMERIC if 100,000 substeps are not sufficient, or, without a message and with *pivot in 1..n,
 * if M is singular. Does not allocate. */
int ns_propagator_run(propagator *k, ns_ctx *c, ns_point p, double t, double h, double *Phi,
                      double *Gamma, int *pivot);

#endif
