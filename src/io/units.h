/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.h -- from a unit to SI.
 *
 * Everyday mechanical units come from a small table, products of SI units stay as they are; all
 * others come from UDUNITS-2, whose database is read when the first of them is met (some 10 ms). */
#ifndef NS_IO_UNITS_H
#define NS_IO_UNITS_H

#include "base/context.h"

#include <stddef.h>

typedef struct ns_units ns_units; /* what has been loaded for the other units */

/* *si = the value in SI that is `value` in the unit. *u: NULL before the first call, freed with
 * ns_units_destroy. NS_MODEL with a sentence that begins with `at` for a text that is no unit or
 * has no fixed relation to SI (dates, logarithms). */
int ns_units_to_si(ns_units **u, ns_ctx *c, const char *at, const char *text, double value,
                   double *si);
/* 1: one of the small table. */
int ns_units_is_common(const char *text);
/* 1 if the unit is SI as it stands (m, kg, N/m, 1, ...): the value does not change. */
int ns_units_is_si(ns_units **u, const char *text);
/* 1: a and b measure the same quantity (both are known units), 0: not. */
int ns_units_same_quantity(ns_units **u, const char *a, const char *b);
/* Name of the SI unit of the same quantity, "" where unknown; static, text itself, or in buf. */
const char *ns_units_si_name(ns_units **u, const char *text, char *buf, size_t n);
void ns_units_destroy(ns_units *u); /* NULL-safe */

#endif
