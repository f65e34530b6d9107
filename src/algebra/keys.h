/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keys.h -- numbers in the order of keys, and keys of points along a curve that fills space: what
 * is near in the order is near in space (Morton 1966). */
#ifndef NS_ALGEBRA_KEYS_H
#define NS_ALGEBRA_KEYS_H

#include <stddef.h>
#include <stdint.h>

typedef struct ns_keyed {
  uint64_t key;
  int index;
} ns_keyed;

/* Ascending by key, equal ones in their order before; x, work [n]. Linear in n. */
void ns_keys_sort(size_t n, ns_keyed *x, ns_keyed *work);
/* Keys of n points along the curve: the first `axes` coordinates, 2 or 3, of each point, `stride`
 * numbers from one to the next. Coordinates that are not finite count as the lowest. x [n] */
void ns_keys_of_points(size_t n, int axes, const double *at, size_t stride, ns_keyed *x);

#endif
