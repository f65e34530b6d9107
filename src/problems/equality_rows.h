/* SPDX-License-Identifier: GPL-3.0-or-later */
/* equality_rows.h -- elimination of bilateral constraints from an impact problem, by the Schur
 * complement.
 *
 * The rows of D = H M^-1 H^T are constraints (h), whose velocities do not change, and contacts (c):
 *
 *   d ydot_h = Dhh dP_h + Dhc dP_c = 0   =>   dP_h = -X dP_c,  X = Dhh^-1 Dhc,
 *   d ydot_c = S dP_c,                        S = Dcc - Dch X
 *
 * where S is the Delassus matrix of the contacts in coordinates that satisfy the constraints. If
 * constraints are violated at the beginning, the impulses P_h0 = -Dhh^-1 ydot_h correct this before
 * the contacts act. Constraints that depend on previous ones have no impulse.
 *
 * S has the entries of Dcc and those of pairs of contacts coupled by constraints; entries that
 * cancel are set to zero. */
#ifndef NS_PROBLEMS_EQUALITY_ROWS_H
#define NS_PROBLEMS_EQUALITY_ROWS_H

#include "base/arena.h"

typedef struct ns_equality_rows {
  int n, ncontacts, nheld; /* rows; contacts; independent constraints */
  int *contact, *hold;     /* their rows, ascending */
  int *place;              /* index of each row in `contact` or `hold` [n] */
  unsigned char *holds;    /* 1: the row is a constraint [n] */
  int *row, *col;          /* S by rows */
  double *val;
  double *X;      /* [nheld x ncontacts] by columns */
  double *factor; /* of Dhh [nheld x nheld] */
  double *P0;     /* [nheld] */
  double *work;   /* a row of S [ncontacts] */
} ns_equality_rows;

/* Allocate memory for up to `contacts` + `held` rows. Returns 0; 1: out of memory. */
int ns_equality_rows_create(ns_arena *mem, size_t contacts, size_t held, ns_equality_rows *r);
/* Compute S and X from D [n x n] by rows, entries row[i] .. row[i+1); r->holds marks the
 * constraints. */
void ns_equality_rows_reduce(ns_equality_rows *r, int n, const int *row, const int *col,
                             const double *val);
/* From ydot [n] of all rows, ydot of the contacts [ncontacts] after the correction of the
 * constraints, in place. */
void ns_equality_rows_settle(ns_equality_rows *r, const int *row, const int *col, const double *val,
                             double *ydot);
/* From the impulses P [ncontacts] of the contacts, those of all rows [n]. */
void ns_equality_rows_expand(const ns_equality_rows *r, const double *P, double *all);

#endif
