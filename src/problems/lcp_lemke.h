/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lcp_lemke.h -- the tableau of Lemke's method, which lcp_lemke.c pivots in doubles and
 * lcp_lemke_twofold.c with twice their digits. Private to src/problems. */
#ifndef NS_PROBLEMS_LCP_LEMKE_H
#define NS_PROBLEMS_LCP_LEMKE_H

#include "problems/lcp_work.h"

/* Most rows that are pivoted with twice the digits. */
enum { NS_LEMKE_TWOFOLD = 200 };

struct ns_lemke {
  double *T;        /* n rows of n+2: nonbasic columns, z0's among them, then the constant */
  double *low;      /* what is left of each entry beyond a double, of up to NS_LEMKE_TWOFOLD rows */
  double *colscale; /* [n] */
  int *basic;       /* variable of row i: w_j is j, z_j is n+j, z0 is 2n [n] */
  int *nonbasic;    /* variable of column j [n+1] */
  int *where;       /* of w_j: its row, or -1 - its column [n] */
  int n, ld;        /* of this problem; ld = n+2 */
  int doubtful;     /* rounding may have decided which row blocks */
  double qscale;
};

/* The basic variable of row r and the nonbasic one of column c have changed places. */
void ns_lemke_exchange(ns_lemke *l, int r, int c);
/* Row at which z0 enters. */
int ns_lemke_first_row(const ns_lemke *l);
/* Column of a nonbasic variable. */
int ns_lemke_column(const ns_lemke *l, int variable);

/* Largest entry of row i of the inverse of the basis. */
double ns_lemke_inverse_size(const ns_lemke *l, int i);

/* From a tableau that has just been loaded, with l->low. */
ns_outcome_kind ns_lemke_twofold(ns_lemke *l, const ns_lcp *p, int limit, int *iterations);

#endif
