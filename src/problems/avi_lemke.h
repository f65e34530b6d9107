/* SPDX-License-Identifier: GPL-3.0-or-later */
/* avi_lemke.h -- the two halves of Lemke's method for boxes: avi_lemke_free.c, the problem and the elimination of its free
 * unknowns; avi_lemke.c, the pivoting of the rest. Private to src/problems. */
#ifndef NS_PROBLEMS_AVI_LEMKE_H
#define NS_PROBLEMS_AVI_LEMKE_H

#include "problems/avi_work.h"

struct ns_avi_pivots {
  double *E;         /* the elimination: n rows of n+1, columns x_j and the constant */
  double *T;         /* m rows of m+2: nonbasic columns, z0's among them, then the constant */
  double *colscale, *start, *bound; /* of x_j: z_j = start_j + sign_j colscale_j x_j; U_j [n] */
  double *value;     /* of y_j and x_j at the end [2n] */
  double *unit;      /* of y_j and x_j in T [2n] */
  double *range;     /* U_j in T [n] */
  signed char *sign; /* +1, -1: start is the upper bound [n] */
  signed char *flip; /* 1: x_j stands for U_j - x_j [n] */
  /* elimination */
  int *row, *col;    /* what row i and column j of E hold; y_j is j, x_j is n+j [n] */
  int *top, *count;  /* of a row: the free column of its largest entry, -1: none; its entries [n] */
  int *order, done;  /* rows eliminated, in order [n] */
  int *since;        /* the rows eliminated before the column was exchanged [n] */
  unsigned char *gone_row, *gone_col, *open; /* open: column of a free unknown that is not yet basic [n] */
  double largest;    /* constant */
  /* pivoting */
  int *basic;     /* variable of row i; z0 is 2n [n] */
  int *nonbasic;  /* variable of column j [n+1] */
  int *where;     /* of a variable: its row, or -1 - its column [2n+1] */
  int *list;      /* columns of a pivot row [n+2] */
  int *first;     /* basic variable of row i at the start [n] */
  signed char *sigma; /* the sign it has taken since [n] */
  int n, m, ld;
  double qscale, small; /* small: z0 at which a candidate is tried next */
  ns_solve_watch *watch;
  int enters, leaving, limit, more; /* the next pivot; pivots left; more: there is a next one */
};

/* Row i of E. */
static inline double *ns_avi_lemke_line(const ns_avi_pivots *l, int i) { return l->E + (size_t)i * (size_t)(l->n + 1); }

/* Sizes become scales, powers of two that bring them to about 1: one for all where they differ by less than 1000, so that
 * ordinary problems keep their own covering vector. */
void ns_avi_lemke_scales(int n, double *size);
/* E, scaled, from the problem and a guess of its free unknowns. */
void ns_avi_lemke_load(ns_avi_pivots *l, const ns_avi_work *k, const ns_avi *p, const double *z);
/* NS_SOLVED: what is left of E has bounded rows and columns only. NS_RAY: an equation without unknowns is not met.
 * NS_SINGULAR: a free unknown could not be made basic. */
ns_outcome_kind ns_avi_lemke_eliminate(ns_avi_pivots *l, const ns_avi *p);
/* The free unknowns from l->value, into it and into z. */
void ns_avi_lemke_substitute(const ns_avi_pivots *l, double *z);

#endif
