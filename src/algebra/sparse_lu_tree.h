/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse_lu_tree.h -- elimination order and dense fronts of a sparse matrix. Private to sparse_lu.
 *
 * The pattern of A + A^T is ordered by nested dissection (George 1973; separators are levels of a
 * breadth-first search, George & Liu 1978) or by AMD (Amestoy, Davis & Duff 1996), whichever is
 * cheaper. If the costs are close, dissection is preferred, because its tree is shallow and the
 * cost of a change is that of the path to the root. Columns are then combined into fronts (Duff &
 * Reid 1983), and a child is merged into its parent if that reduces the work.
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
  /* estimated cost of a complete factorisation, in nanoseconds on a reference machine */
  double cost;
} ns_lu_tree;

/* Compute the tree of a structure (every dim 1; val is not read) in memory of `to`. */
int ns_lu_tree_create(ns_ctx *c, const ns_blocks *structure, ns_arena *to, ns_lu_tree *t);

#endif
