/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dimension.h -- dimension of a unit: the exponents of kg, m, s, A, K, mol, cd. Angles are
 * dimensionless.
 *
 * Units are parsed here and not by UDUNITS-2, whose database takes longer to load than most models.
 * A unit that is unknown here (feet, calories) has no known dimension and is not checked. */
#ifndef NS_IO_DIMENSION_H
#define NS_IO_DIMENSION_H

#include <stddef.h>

enum { NS_DIMENSIONS = 7, NS_DIMENSION_TEXT = 96 };

typedef struct ns_dimension {
  double power[NS_DIMENSIONS];
} ns_dimension;

/* Dimension of a unit such as "N m/rad", "m/s^2", "kg*m2". Returns 0 if the unit is unknown. */
int ns_dimension_of(const char *unit, ns_dimension *d);
/* 1 if the unit is a product of powers of SI units without prefixes (except kg): "N.m/A", "kg m2",
 * "1/s"; UDUNITS-2 reads such a unit with the factor 1. 0: anything else, which may still be SI. */
int ns_dimension_is_si(const char *unit);
/* a b^power */
ns_dimension ns_dimension_times(const ns_dimension *a, const ns_dimension *b, double power);
int ns_dimension_same(const ns_dimension *a, const ns_dimension *b);
int ns_dimension_is_number(const ns_dimension *d);
/* An SI unit of this dimension: "N", "kg m/s", "1". */
typedef struct ns_dimension_words {
  char text[NS_DIMENSION_TEXT];
} ns_dimension_words;
ns_dimension_words ns_dimension_text(const ns_dimension *d);

#endif
