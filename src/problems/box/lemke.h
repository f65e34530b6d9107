/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lemke.h -- the parts of Lemke's method: lemke.c, the dictionary and its pivots in doubles;
 * lemke_twofold.c, pivots with twice their digits; lemke_free.c, the problem with bounds and the
 * elimination of its free unknowns. Private to src/problems. */
#ifndef NS_PROBLEMS_BOX_LEMKE_H
#define NS_PROBLEMS_BOX_LEMKE_H

#include "problems/box/work.h"

/* Max. number of rows of an LCP for pivots with twice the digits. */
enum { NS_LEMKE_TWOFOLD = 200 };

struct ns_lemke {
  /* The dictionary: variables y_j are j, x_j n+j, z0 2n; of an LCP w_j and z_j. */
  /* m rows of ld = m+2: the nonbasic columns, that of z0 last but one, then the constant */
  double *T;
  /* LCPs with up to NS_LEMKE_TWOFOLD rows: the low part of each entry, beyond a double */
  double *low;
  int *basic;    /* variable of row i [n] */
  int *nonbasic; /* variable of column j [n+1] */
  int *where;    /* of each variable: its row, or -1 - its column [2n+1] */
  int n, m, ld;
  int boxed;    /* 1: with bounds; rows and columns are those of the problem. 0: LCP */
  int doubtful; /* 1: a rounding error may have decided which row blocks */
  double qscale;
  double *value; /* values of y_j and x_j at the end [2n] */
  double *unit;  /* scales of y_j and x_j in T [2n] */
  ns_solve_watch *watch;
  /* The next pivot, and the number of pivots left; leaving < 0: the entering variable goes to its
   * other bound. */
  int enters, leaving, limit;
  int more;     /* 1: there is a next pivot */
  double small; /* z0 at which a candidate is tried next */

  /* With bounds: z_j = start_j + sign_j colscale_j x_j, 0 <= x_j <= bound_j. */
  double *start, *bound, *colscale;
  double *range;      /* bound_j in T [n] */
  signed char *sign;  /* +1, -1: start is the upper bound [n] */
  signed char *flip;  /* 1: x_j stands for bound_j - x_j [n] */
  int *list;          /* columns of a pivot row [n+2] */
  int *first;         /* basic variable of row i at the start [n] */
  signed char *sigma; /* the sign it has had since then [n] */
  /* Elimination of free unknowns. */
  double *E;        /* n rows of n+1, columns x_j and the constant */
  int *row, *col;   /* variables of row i and column j of E [n] */
  int *top, *count; /* of a row: the free column of its largest entry, -1: none; its entries [n] */
  int *order, done; /* rows eliminated, in order [n] */
  int *since;       /* the rows eliminated before the column was exchanged [n] */
  unsigned char *gone_row, *gone_col,
      *open;      /* open: column of a free unknown that is not yet basic [n] */
  double largest; /* constant */
};

/* What blocks the increase of the entering variable of a column. */
typedef struct ns_lemke_block {
  int row;         /* -1: the entering variable reaches its own bound; -2: nothing blocks, a ray */
  double ratio, d; /* d < 0: the basic variable of the row reaches its upper bound */
} ns_lemke_block;

/* Pivots in a given arithmetic. */
typedef struct ns_lemke_digits {
  void (*pivot)(ns_lemke *l, int r, int c);       /* exchange row r and column c */
  ns_lemke_block (*blocking)(ns_lemke *l, int c); /* lexicographic */
} ns_lemke_digits;
extern const ns_lemke_digits ns_lemke_twofold; /* of LCPs; l->low is 0 before the first pivot */

static inline double *ns_lemke_row(const ns_lemke *l, int i)
{
  return l->T + (size_t)i * (size_t)l->ld;
}
/* Exchange the basic variable of row r and the nonbasic one of column c. */
static inline void ns_lemke_exchange(ns_lemke *l, int r, int c)
{
  int leaves = l->basic[r], enters = l->nonbasic[c];
  l->basic[r] = enters;
  l->nonbasic[c] = leaves;
  l->where[enters] = r;
  l->where[leaves] = -1 - c;
}

/* Largest entry of row i of the inverse of the basis. Rounding errors are compared with it, because
 * entries of T that should be zero contain only rounding. */
double ns_lemke_inverse_size(const ns_lemke *l, int i);

/* Replace sizes [n] by scales, powers of two that bring them near 1. If the sizes differ by less
 * than a factor of 1000 all get the same scale, which keeps the covering vector of well-scaled
 * problems. */
void ns_lemke_scales(int n, double *size);

/* Row i of E. */
static inline double *ns_lemke_line(const ns_lemke *l, int i)
{
  return l->E + (size_t)i * (size_t)(l->n + 1);
}
/* Set E, scaled, from the problem and a guess of its free unknowns. The other unknowns start at the
 * bound given by `at` (NULL: the lower one if it is finite). */
void ns_lemke_load(ns_lemke *l, ns_box_work *k, const ns_box *p, const signed char *at,
                   const double *z);
/* NS_SOLVED: the remaining rows and columns of E are bounded. NS_RAY: an equation without unknowns
 * is inconsistent. NS_SINGULAR: a free unknown could not be made basic. */
ns_outcome_kind ns_lemke_eliminate(ns_lemke *l, const ns_box *p);
/* Compute the free unknowns from l->value, and write them to it and to z. */
void ns_lemke_substitute(const ns_lemke *l, double *z);

#endif
