/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acceleration.h -- constraints that hold: the equality system of those active rows of contacts
 * that the mode makes equalities.
 *
 *   D z = b,   D = H M^-1 B^T,   B = H, or H_n - mu sum s_t H_t where a contact slides along s
 *
 * Forces on closed contacts in smooth motion (b = -(H a_free + bias)), and small corrections of
 * positions and velocities (b = -y, b = -ydot), without friction the smallest by the mass. An
 * equality system, no LCP: in the flow its solution goes on smoothly to negative forces, so a root
 * finder sees them cross zero; what opens is decided at events (event_driven_event.c).
 *
 * Rows that depend on others (a table on four legs) are allowed where b agrees with them. Without
 * friction D is symmetric and at least semidefinite; with the Cholesky factor of the rows that
 * count, D = P L L^T P^T, L [n x rank], the solution of least norm is
 *
 *   z = P L (L^T L)^-2 L^T P^T b                                         (Courrieu 2005,
 *       arXiv:0804.4809, eq. 6)
 *
 * so that equal legs carry equal loads. Where contacts slide with friction D is not symmetric; with
 * complete pivoting, D = P L U Q^T, L [n x rank], U [rank x n], it is
 *
 *   z = Q U^T (U U^T)^-1 (L^T L)^-1 L^T P^T b                             (Ben-Israel & Greville
 *       2003, ch. 1, theorem 5)
 *
 * There the motion depends on how a load is shared, because friction does: an integrator that has
 * forces of `rank` rows alone as unknowns (the pivots' columns) means by them the least forces with
 * the same D z. While it does, nearby states have the same rank.
 *
 * Small n: everything is dense. */
#ifndef NS_SIMULATION_ROWS_ACCELERATION_H
#define NS_SIMULATION_ROWS_ACCELERATION_H

#include "simulation/rows/contacts.h"

enum { NS_ACCELERATION_ROWS = 8192 }; /* most rows of a model */

/* The rows that hold; borrowed. */
typedef struct ns_equalities {
  int n;
  const int *row;      /* ascending, all active [n] */
  const int *place;    /* of a row in `row`, -1 [nrows] */
  const double *slope; /* of rows of slip: what they add to the force of their normal, -mu s; 0
                        * elsewhere [nrows]. NULL: nothing slides, D is symmetric */
} ns_equalities;

typedef struct ns_acceleration {
  int most;    /* rows it has memory for */
  int n, rank; /* of the last factorisation */
  int limit;   /* no larger rank; `most`: as many as count */
  int symmetric;
  /* [n x rank] by columns, ld n, in pivot order; not symmetric: below its diagonal L, the rest U,
   * ld n */
  double *L;
  double *LtL;  /* Cholesky factor of L^T L where rank < n [rank x rank] */
  double *UUt;  /* the same of U U^T */
  double *work; /* [2 most] */
  double *size; /* sqrt |D_ii|, by which rows are compared [n] */
  int *order;   /* pivots: rows [n] */
  int *column;  /* and columns where D is not symmetric [n] */
} ns_acceleration;

/* NS_MODEL at more than NS_ACCELERATION_ROWS rows. */
int ns_acceleration_create(ns_ctx *c, const ns_model *m, ns_acceleration *a);
void ns_acceleration_fini(ns_acceleration *a);
/* D, as the last assembly of the active rows left it. */
void ns_acceleration_factor(ns_acceleration *a, const ns_contacts *k, const ns_equalities *e);
/* b := z [n]. */
void ns_acceleration_solve(const ns_acceleration *a, double *b);
/* Some rows slide and some depend on others: how these share a load changes the motion. */
int ns_acceleration_is_shared(const ns_acceleration *a);
/* Of such: z [n] := the least of all with the same D z, or that of the pivots' columns alone. */
void ns_acceleration_share(const ns_acceleration *a, double *z);
void ns_acceleration_of_pivots(const ns_acceleration *a, double *z);
/* Row r, active, not among those that hold, moves as they do: H_r is a sum of theirs. x [n] is
 * scratch. */
int ns_acceleration_follows(const ns_acceleration *a, const ns_contacts *k, const ns_equalities *e,
                            int r, double *x);

#endif
