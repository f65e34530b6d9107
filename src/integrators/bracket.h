/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bracket.h -- roots of functions on an interpolant: which of many changes its sign first, and
 * when.
 *
 * For flows that have no root finder of their own. A function that is exactly zero where the search
 * begins is inactive until it has moved; a root is a change of sign in a wanted direction, or a
 * zero at the end. The bracket shrinks by the rule of false position with halved ends (Illinois;
 * Dowell & Jarratt 1971, doi:10.1007/BF01934364) for the function that seems to be first, and by
 * halves where that is slow, down to rounding of t: 5 evaluations for a line, 20 for a smooth
 * curve, 110 at worst. All functions that change their sign in the last bracket have fired. After a
 * root they are evaluated there again: they may mean something else by then. */
#ifndef NS_INTEGRATORS_BRACKET_H
#define NS_INTEGRATORS_BRACKET_H

typedef struct ns_bracket {
  int n;
  void *of;
  int (*value)(void *of, double t, double *g); /* g [n]; 0, or a code that ends the search */
  double t;                                    /* where the search is */
  int at_root;                                 /* it has come to a root there */
  double *low;                                 /* g there [n] */
  double *high, *middle;                       /* scratch [n] */
  signed char *direction;                      /* +1 rising roots only, -1 falling, 0 both [n] */
  int *fired;                                  /* of the last root: +1, -1, 0 [n] */
} ns_bracket;

/* Memory for n functions; -1: out of memory, nothing is kept. */
int ns_bracket_init(ns_bracket *b, int n);
void ns_bracket_fini(ns_bracket *b);
/* Begin at t, with these directions (NULL: 0 for all). Returns what value returned. */
int ns_bracket_start(ns_bracket *b, double t, const signed char *direction);
/* From where it is to `end`. *root: 1 where there is one, at b->t; else b->t = end. Returns what
 * value returned. */
int ns_bracket_search(ns_bracket *b, double end, int *root);

#endif
