/* SPDX-License-Identifier: GPL-3.0-or-later */
/* minima.h -- minima of a distance round a circle, where its slope rises through zero.
 *
 * The slope is sampled. Two minima may be nearer to each other than two samples, with a maximum
 * between them: near the evolute of a rim, where all of it is about as far. They are looked for
 * where a curve through the samples comes near to zero without passing it, or is nearly flat where
 * it passes zero. */
#ifndef NS_COLLISION_MINIMA_H
#define NS_COLLISION_MINIMA_H

enum { NS_MINIMA = 8, NS_MINIMA_SAMPLES = 32 };

typedef double ns_slope(void *self, double angle);

/* The slope is < 0 at `low`, where it is `below`, and >= 0 at `high`, where it is `above`. */
typedef struct ns_minimum {
  double low, high, below, above;
} ns_minimum;

/* Intervals with a minimum each to m [NS_MINIMA], about in the order of their angles; their number.
 * samples <= NS_MINIMA_SAMPLES. */
int ns_minima_round(ns_slope *slope, void *self, int samples, ns_minimum *m);
/* Calls the slope last at the minimum, to rounding (regula falsi after Illinois). */
void ns_minimum_go_to(ns_slope *slope, void *self, const ns_minimum *m);

#endif
