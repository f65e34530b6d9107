/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acceleration.h -- forces of active constraints: the linear system of the active rows that are
 * equalities in the current mode.
 *
 *   D z = b,   D = H M^-1 B^T,   B = H, or H_n - mu sum s_t H_t if a contact slides along s
 *
 * It is used for forces on closed contacts in smooth motion (b = -(H a_free + bias)), and for small
 * corrections of positions and velocities (b = -y, b = -ydot), without friction the smallest in the
 * metric of the mass. It is a linear system, not an LCP: in the flow its solution continues
 * smoothly to negative forces, so that root finding detects when they cross zero; events decide
 * what opens (event_driven_event.c).
 *
 * Linearly dependent rows (a table on four legs) are permitted if b is consistent. Without friction
 * D is symmetric and positive semidefinite; with the Cholesky factor of independent rows, D = P L
 * L^T P^T, L = (L1; L2) [n x rank], all forces are those of the pivot rows, and the others follow:
 * H_2 = W H_1, W = L2 L1^-1. The solution of minimum norm is
 *
 *   z = P (I; W) (I + W^T W)^-1 (L1 L1^T)^-1 (P^T b)_1             (Ben-Israel & Greville 2003,
 *       ch. 1, theorem 5, for D = (I; W) L1 L1^T (I; W)^T)
 *
 * so that equal legs carry equal loads: it is z = H u, the forces of equal springs in the rows at
 * displacements u. W is of size 1 where D is far from it, as with long levers: errors are those of
 * the factor L1, not of the square of D. Where contacts slide with friction D is not symmetric, the
 * motion depends on the distribution, and the rule stays that of equal springs: with the factor P L
 * of H M^-1 H^T,
 *
 *   z = P L y,  D P L y = b, of which the pivot rows are solved for y
 *
 * so that forces do not jump where sliding begins. Where this is singular, the solution of minimum
 * norm is used; with complete pivoting, D = P L U Q^T, L [n x rank], U [rank x n], it is
 *
 *   z = Q U^T (U U^T)^-1 (L^T L)^-1 L^T P^T b                             (Ben-Israel & Greville
 *       2003, ch. 1, theorem 5)
 *
 * An integrator that has only the forces of `rank` rows (the pivot columns) as unknowns uses the
 * forces of that rule with the same D z, as long as nearby states have the same rank.
 *
 * Rows are coupled where they act on the same bodies: D consists of blocks, one for each island of
 * bodies that what holds connects, and each of these is a system of its own. Small n: a block is
 * dense, and memory grows with what holds at once. */
#ifndef NS_SIMULATION_ROWS_ACCELERATION_H
#define NS_SIMULATION_ROWS_ACCELERATION_H

#include "simulation/rows/contacts.h"

/* The rows that are equalities; borrowed. */
typedef struct ns_equalities {
  int n;
  const int *row;   /* ascending, all active [n] */
  const int *place; /* of a row in `row`, -1 [nrows] */
  /* of rows of slip: their force per normal force, -mu s; 0 elsewhere [nrows]. NULL: nothing
   * slides, D is symmetric */
  const double *slope;
} ns_equalities;

typedef struct ns_acceleration ns_acceleration;

struct ns_acceleration {
  ns_arena *mem; /* of lists of rows; squares and blocks are malloced */
  int max;       /* max. number of rows */
  int room;      /* equalities that these are for */
  /* blocks, views of this object with numbers of rows of their own; its lists for all of them are
   * set from theirs. One where there is a limit */
  int nblocks;
  ns_acceleration *block; /* [nblocks] */
  int *member, *first;    /* rows of block p, ascending: from first[p] on [n], [nblocks + 1] */
  int *of, *place;        /* block of a row, its number there [n] */
  int n, rank;            /* of the last factorisation */
  int limit;              /* max. rank; `max`: no limit */
  int symmetric;
  /* [n x rank] by columns, ld n, in pivot order, where rank < n with W for L2; not symmetric: below
   * its diagonal L, the rest U, ld n */
  double *L;
  /* Cholesky factor of I + W^T W where rank < n; not symmetric: of L^T L [rank x rank] */
  double *G;
  double *UUt;   /* the same of U U^T */
  double *work;  /* [2 most] */
  double *size;  /* scale of each row, sqrt |D_ii| [n] */
  int *order;    /* pivots: rows [n] */
  int *column;   /* pivots: columns, if D is not symmetric [n] */
  double *D;     /* D where rank < n [n x n] */
  int elastic;   /* D is not symmetric, rank < n, and forces are those of equal springs: */
  double *basis; /* L of H M^-1 H^T [n x rank], ld n */
  double *S;     /* D L of its pivot rows, LU [rank x rank] */
  int *basis_order, *pivot; /* pivots of both [n] */
  double *rhs;              /* scratch [n] */
};

int ns_acceleration_create(ns_ctx *c, const ns_model *m, ns_acceleration *a);
/* Memory for n rows that are equalities, which may be much fewer than a model has; before they are
 * factored. There is some for hundreds from the beginning. */
int ns_acceleration_reserve(ns_ctx *c, ns_acceleration *a, int n);
void ns_acceleration_fini(ns_acceleration *a);
/* Factor D of the last assembly of the active rows. */
void ns_acceleration_factor(ns_acceleration *a, const ns_contacts *k, const ns_equalities *e);
/* D_ij, where rank < n. */
double ns_acceleration_entry(const ns_acceleration *a, int i, int j);
/* b := z [n]. */
void ns_acceleration_solve(const ns_acceleration *a, double *b);
/* 1 if some rows slide and some are dependent, so that the distribution of loads affects the
 * motion. */
int ns_acceleration_is_shared(const ns_acceleration *a);
/* If is_shared: _share: z [n] := the forces of equal springs with the same D z. _of_pivots: z :=
 * the forces of only the pivot columns with the same D z. */
void ns_acceleration_share(const ns_acceleration *a, double *z);
void ns_acceleration_of_pivots(const ns_acceleration *a, double *z);
/* 1 if an active row r that is not an equality depends on the equalities: H_r is a linear
 * combination of theirs. x [n] is scratch. */
int ns_acceleration_follows(const ns_acceleration *a, const ns_contacts *k, const ns_equalities *e,
                            int r, double *x);

#endif
