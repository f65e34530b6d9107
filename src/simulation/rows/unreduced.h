/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unreduced.h -- the one-step problem in saddle-point form, for large linear time-invariant
 * first-order systems.
 *
 *   [ W        -g B ] [ x+      ]   [ -b                           ]   [ 0 ]
 *   [ where C   D   ] [ lambda+ ] + [ C (1 - where) x_k + offset   ] = [ w ]
 *
 * with W, b, g of the integrator (theta.h). The reduced form requires W^-1 B, which is full
 * although W is sparse; this form is as sparse as the model, and its solver factors it once and
 * updates a row when a law switches. */
#ifndef NS_SIMULATION_ROWS_UNREDUCED_H
#define NS_SIMULATION_ROWS_UNREDUCED_H

#include "simulation/rows/couplings.h"
#include "simulation/rows/saddle.h"

typedef struct ns_unreduced {
  const ns_couplings *k;
  const ns_theta *theta;
  ns_arena *mem;
  ns_saddle s;
} ns_unreduced;

/* 1 if this form is used: linear time-invariant systems, linear relations, boxes, a system too
 * large and too sparse for dense algebra, and no user option for dense storage or for a solver of
 * reduced problems. */
int ns_unreduced_suits(const ns_model *m);
/* Name of its solver. */
const char *ns_unreduced_solver(const ns_model *m);

int ns_unreduced_create(ns_ctx *c, const ns_couplings *k, const ns_theta *theta, ns_unreduced **u);
void ns_unreduced_destroy(ns_unreduced *u); /* NULL-safe */
/* Set M from the current W. */
void ns_unreduced_refresh(ns_unreduced *u, double where);
/* The lower part of q; xk = (1 - where) x_k, NULL for zero. */
void ns_unreduced_q(const ns_unreduced *u, const double *xk, double *q);

#endif
