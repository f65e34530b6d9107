/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dimension.h -- what a unit measures: exponents of kg, m, s, A, K, mol, cd. Angles have none.
 *
 * Read from the text of a unit without UDUNITS-2, whose database takes longer to load than most
 * models: what is not known here (feet, calories) has no dimension, and nothing is said about it.
 */
#ifndef NS_IO_DIMENSION_H
#define NS_IO_DIMENSION_H

#include <stddef.h>

enum { NS_DIMENSIONS = 7, NS_DIMENSION_TEXT = 96 };

typedef struct ns_dimension {
  double power[NS_DIMENSIONS];
} ns_dimension;

/* "N m/rad", "m/s^2", "kg*m2". 0: not known. */
int ns_dimension_of(const char *unit, ns_dimension *d);
/* 1: a product of powers of SI units without prefixes (but kg): "N.m/A", "kg m2", "1/s". UDUNITS-2
 * reads it too, with the factor 1. 0: something else, which may be in SI all the same. */
int ns_dimension_is_si(const char *unit);
/* a b^power */
ns_dimension ns_dimension_times(const ns_dimension *a, const ns_dimension *b, double power);
int ns_dimension_same(const ns_dimension *a, const ns_dimension *b);
int ns_dimension_is_number(const ns_dimension *d);
/* A unit of it, "N", "kg m/s", "1"; to buf [NS_DIMENSION_TEXT]; returns buf. */
const char *ns_dimension_text(const ns_dimension *d, char *buf);

#endif
