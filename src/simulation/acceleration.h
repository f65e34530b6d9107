/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acceleration.h -- constraints that hold: the equality system of the active rows of contacts.
 *
 *   D z = b,   D = H M^-1 H^T of the active rows, symmetric and at least semidefinite
 *
 * Forces on closed contacts in smooth motion (b = -(H a_free + bias)), and the smallest corrections, by the mass, of positions
 * and velocities (b = -y, b = -ydot). An equality system, no LCP: in the flow its solution goes on smoothly to negative forces,
 * so a root finder sees them cross zero; what opens is decided at events (event_driven_event.c).
 *
 * Rows that depend on others (a table on four legs) are allowed where b agrees with them: with the Cholesky factor of the
 * rows that count, D = P L L^T P^T, L [n x rank], the solution of least norm is
 *
 *   z = P L (L^T L)^-2 L^T P^T b                                         (Courrieu 2005, arXiv:0804.4809, eq. 6)
 *
 * so that equal legs carry equal loads. Small n: everything is dense. */
#ifndef NS_SIMULATION_ACCELERATION_H
#define NS_SIMULATION_ACCELERATION_H

#include "simulation/contacts.h"

enum { NS_ACCELERATION_ROWS = 4096 }; /* most rows of a model */

typedef struct ns_acceleration {
  int most;      /* rows it has memory for */
  int n, rank;   /* of the last factorisation */
  double *L;     /* [n x rank] by columns, ld n, in pivot order */
  double *LtL;   /* its Cholesky factor where rank < n [rank x rank] */
  double *work;  /* [n] */
  int *order;    /* pivots [n] */
} ns_acceleration;

/* NS_MODEL at more than NS_ACCELERATION_ROWS rows. */
int ns_acceleration_create(ns_ctx *c, const ns_model *m, ns_acceleration *a);
void ns_acceleration_fini(ns_acceleration *a);
/* D of the active rows, as the last assembly left it. */
void ns_acceleration_factor(ns_acceleration *a, const ns_contacts *k);
/* b := z [n]. */
void ns_acceleration_solve(const ns_acceleration *a, double *b);

#endif
