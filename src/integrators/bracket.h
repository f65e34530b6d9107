/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bracket.h -- roots of functions on an interpolant: which of many changes its sign first, and
 * when.
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
