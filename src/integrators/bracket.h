/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bracket.h -- roots of functions on an interpolant: which of them changes sign first, and when.
 *
 * For flows without their own root finder. A function that is exactly zero at the start of the
 * search is inactive until it becomes nonzero; a root is a change of sign in the required
 * direction, or a zero at the end. The bracket shrinks by false position with halved end values
 * (Illinois; Dowell & Jarratt 1971, doi:10.1007/BF01934364) for the function whose root appears to
 * be the first, and by bisection where that is slow, until t is exact to rounding: 5 evaluations
 * for a line, 20 for a smooth curve, 110 at worst. All functions that change sign in the last
 * bracket have a root. After a root they are evaluated there again, because their meaning may have
 * changed. */
#ifndef NS_INTEGRATORS_BRACKET_H
#define NS_INTEGRATORS_BRACKET_H

#include "base/arena.h"

typedef struct ns_bracket {
  int n;
  void *of;
  /* g [n]; returns 0, or a code that ends the search */
  int (*value)(void *of, double t, double *g);
  double t;               /* current time of the search, s */
  int at_root;            /* 1: t is a root */
  double *low;            /* g at t [n] */
  double *high, *middle;  /* scratch [n] */
  signed char *direction; /* +1 rising roots only, -1 falling, 0 both [n] */
  /* at the last root: +1 rising, -1 falling, 0 no root [n] */
  int *fired;
} ns_bracket;

/* Vectors for n functions, in the arena; NS_NOMEM without a message. */
int ns_bracket_init(ns_bracket *b, ns_arena *mem, int n);
/* Start the search at t. direction [n]; NULL: b->direction is kept (after _init: both directions).
 * Returns 0, or the nonzero code that `value` returned. */
int ns_bracket_start(ns_bracket *b, double t, const signed char *direction);
/* Search from b->t to `end`. If a root is found, *root = 1 and b->t is the root; otherwise *root =
 * 0 and b->t = end. Returns 0, or the nonzero code that `value` returned. */
int ns_bracket_search(ns_bracket *b, double end, int *root);

#endif
