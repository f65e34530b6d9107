/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lemke.h -- the parts of Lemke's method: lemke.c, the dictionary and its pivots in doubles;
 * lemke_twofold.c, pivots with twice their digits; lemke_free.c, the problem with bounds and the
 * elimination of its free unknowns. Private to src/problems. */
#ifndef NS_PROBLEMS_BOX_LEMKE_H
#define NS_PROBLEMS_BOX_LEMKE_H

#include "problems/box/work.h"

/* Most rows of an LCP that are pivoted with twice the digits. */
enum { NS_LEMKE_TWOFOLD = 200 };

struct ns_lemke {
  /* The dictionary: variables y_j are j, x_j n+j, z0 2n; of an LCP w_j and z_j. */
  double *T; /* m rows of ld = m+2: nonbasic columns, z0's last but one, then the constant */
  double *
      low; /* of LCPs: what is left of each entry beyond a double, of up to NS_LEMKE_TWOFOLD rows */
  int *basic;    /* variable of row i [n] */
  int *nonbasic; /* variable of column j [n+1] */
  int *where;    /* of a variable: its row, or -1 - its column [2n+1] */
  int n, m, ld;
  int boxed;    /* with bounds, else of an LCP: rows and columns are those of the problem */
  int doubtful; /* rounding may have decided which row blocks */
  double qscale;
  double *value; /* of y_j and x_j at the end [2n] */
  double *unit;  /* of y_j and x_j in T [2n] */
  ns_solve_watch *watch;
  /* The next pivot, leaving < 0: the entering variable goes to its other bound; pivots left. */
  int enters, leaving, limit;
  int more;     /* there is a next one */
  double small; /* z0 at which a candidate is tried next */

  /* With bounds: z_j = start_j + sign_j colscale_j x_j, 0 <= x_j <= bound_j. */
  double *start, *bound, *colscale;
  double *range;      /* bound_j in T [n] */
  signed char *sign;  /* +1, -1: start is the upper bound [n] */
  signed char *flip;  /* 1: x_j stands for bound_j - x_j [n] */
  int *list;          /* columns of a pivot row [n+2] */
  int *first;         /* basic variable of row i at the start [n] */
  signed char *sigma; /* the sign it has taken since [n] */
  /* Elimination of free unknowns. */
  double *E;        /* n rows of n+1, columns x_j and the constant */
  int *row, *col;   /* what row i and column j of E hold [n] */
  int *top, *count; /* of a row: the free column of its largest entry, -1: none; its entries [n] */
  int *order, done; /* rows eliminated, in order [n] */
  int *since;       /* the rows eliminated before the column was exchanged [n] */
  unsigned char *gone_row, *gone_col,
      *open;      /* open: column of a free unknown that is not yet basic [n] */
  double largest; /* constant */
};

/* What stops the increase of a column. */
typedef struct ns_lemke_block {
  int row;         /* -1: the entering variable reaches its own bound; -2: nothing blocks, a ray */
  double ratio, d; /* d < 0: the basic variable of the row reaches its upper bound */
} ns_lemke_block;

/* Pivots in some arithmetic. */
typedef struct ns_lemke_digits {
  void (*pivot)(ns_lemke *l, int r, int c);       /* exchange row r and column c */
  ns_lemke_block (*blocking)(ns_lemke *l, int c); /* lexicographic */
} ns_lemke_digits;
extern const ns_lemke_digits ns_lemke_twofold; /* of LCPs; l->low is 0 before the first pivot */

static inline double *ns_lemke_row(const ns_lemke *l, int i)
{
  return l->T + (size_t)i * (size_t)l->ld;
}
/* The basic variable of row r and the nonbasic one of column c have changed places. */
static inline void ns_lemke_exchange(ns_lemke *l, int r, int c)
{
  int leaves = l->basic[r], enters = l->nonbasic[c];
  l->basic[r] = enters;
  l->nonbasic[c] = leaves;
  l->where[enters] = r;
  l->where[leaves] = -1 - c;
}

/* Largest entry of row i of the inverse of the basis: what rounding is measured by, as entries that
 * are zero are nothing but rounding. */
double ns_lemke_inverse_size(const ns_lemke *l, int i);

/* Sizes become scales, powers of two that bring them to about 1: one for all where they differ by
 * less than 1000, so that ordinary problems keep their own covering vector. */
void ns_lemke_scales(int n, double *size);

/* Row i of E. */
static inline double *ns_lemke_line(const ns_lemke *l, int i)
{
  return l->E + (size_t)i * (size_t)(l->n + 1);
}
/* E, scaled, from the problem and a guess of its free unknowns; the others start at the bound where
 * `at` has them (NULL: the lower one, where it is finite). */
void ns_lemke_load(ns_lemke *l, ns_box_work *k, const ns_box *p, const signed char *at,
                   const double *z);
/* NS_SOLVED: what is left of E has bounded rows and columns only. NS_RAY: an equation without
 * unknowns is not met. NS_SINGULAR: a free unknown could not be made basic. */
ns_outcome_kind ns_lemke_eliminate(ns_lemke *l, const ns_box *p);
/* The free unknowns from l->value, into it and into z. */
void ns_lemke_substitute(const ns_lemke *l, double *z);

#endif
