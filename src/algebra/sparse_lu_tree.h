/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse_lu_tree.h -- in which order, and in which dense fronts, a sparse matrix is eliminated.
 * Private to sparse_lu.
 *
 * The pattern of A + A^T is ordered by nested dissection (George 1973; separators are levels of a
 * breadth-first search, George & Liu 1978) or by AMD (Amestoy, Davis & Duff 1996), whichever is
 * cheaper. Dissection is preferred where they are close: its tree is shallow, and what changes in a
 * matrix costs the path from there to the root. Columns are then gathered into fronts (Duff & Reid
 * 1983), a child into its parent where that makes the work less.
 *
 * A front has `own` columns, which it eliminates, and a border: later columns that it changes. */
#ifndef NS_ALGEBRA_SPARSE_LU_TREE_H
#define NS_ALGEBRA_SPARSE_LU_TREE_H

#include "algebra/blocks.h"
#include "base/arena.h"
#include "base/context.h"

typedef struct ns_lu_tree {
  int n;
  int nf;       /* fronts; children stand before their parent */
  int *order;   /* row at each place of the elimination [n] */
  int *place;   /* its inverse [n] */
  int *first;   /* places first[f] .. first[f+1]-1 are the own columns of front f [nf+1] */
  int *front;   /* front of a place [n] */
  int *parent;  /* -1 at a root [nf] */
  int *child;   /* first child, -1: none [nf] */
  int *sibling; /* next child of the same parent, -1: none [nf] */
  int *border;  /* start of the border of a front in `at` and `into` [nf+1] */
  int *at;      /* places, ascending [border[nf]] */
  int *into;    /* the same as local index in the parent: own columns first, then its border */
  double cost;  /* estimate of one whole factorisation, in nanoseconds of some machine */
} ns_lu_tree;

/* Of the structure (every dim 1; val is not read). The tree lives in `to`. */
int ns_lu_tree_create(ns_ctx *c, const ns_blocks *structure, ns_arena *to, ns_lu_tree *t);

#endif
