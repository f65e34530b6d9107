/* SPDX-License-Identifier: GPL-3.0-or-later */
/* held_rows.h -- an impact problem without its bilateral constraints: Schur complement of the rows
 * that hold.
 *
 * Of the rows of D = H M^-1 H^T some (h) are constraints, which any impulse leaves as they are, and
 * the others (c) contacts:
 *
 *   d ydot_h = Dhh dP_h + Dhc dP_c = 0   =>   dP_h = -X dP_c,  X = Dhh^-1 Dhc,
 *   d ydot_c = S dP_c,                        S = Dcc - Dch X
 *
 * which is D of the contacts in coordinates that obey the constraints. Constraints that do not hold
 * to begin with are made to before the contacts do anything, by P_h0 = -Dhh^-1 ydot_h. Constraints
 * that depend on those before them carry nothing.
 *
 * S has the entries of Dcc and those of contacts that meet the same constraints; what cancels is
 * zero. */
#ifndef NS_PROBLEMS_HELD_ROWS_H
#define NS_PROBLEMS_HELD_ROWS_H

#include "base/arena.h"

typedef struct ns_held_rows {
  int n, ncontacts, nheld; /* rows; those of contacts; constraints that count */
  int *contact, *hold;     /* their rows, ascending */
  int *place;              /* of each row in contact or in hold [n] */
  unsigned char *holds;    /* of each row [n] */
  int *row, *col;          /* S by rows */
  double *val;
  double *X;      /* [nheld x ncontacts] by columns */
  double *factor; /* of Dhh [nheld x nheld] */
  double *P0;     /* [nheld] */
  double *work;   /* a row of S [ncontacts] */
} ns_held_rows;

/* Memory for matrices of up to `contacts` + `held` rows; 0, or 1: there is none. */
int ns_held_rows_create(ns_arena *mem, size_t contacts, size_t held, ns_held_rows *r);
/* S and X of D [n x n] by rows, entries row[i] .. row[i+1), of which r->holds says what is a
 * constraint. */
void ns_held_rows_reduce(ns_held_rows *r, int n, const int *row, const int *col, const double *val);
/* ydot [n] of all rows to that of the contacts [ncontacts] when the constraints hold. */
void ns_held_rows_settle(ns_held_rows *r, const int *row, const int *col, const double *val,
                         double *ydot);
/* Impulses P [ncontacts] of the contacts to those of all rows [n]. */
void ns_held_rows_expand(const ns_held_rows *r, const double *P, double *all);

#endif
