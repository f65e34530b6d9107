/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.h -- conversion of units to SI.
 *
 * Common mechanical units are in a small table, and products of SI units need no conversion. All
 * others are converted by UDUNITS-2, whose database is read at the first such unit (about 10
 * ms). */
#ifndef NS_IO_UNITS_H
#define NS_IO_UNITS_H

#include "base/context.h"

#include <stddef.h>

typedef struct ns_units ns_units; /* the database of UDUNITS-2, once loaded */

/* Convert `value` in the unit `text` to SI, *si. *u is NULL before the first call and freed by
 * ns_units_destroy. NS_MODEL, with a message that begins with `at`, if the text is not a unit or
 * has no fixed relation to SI (dates, logarithms). */
int ns_units_to_si(ns_units **u, ns_ctx *c, const char *at, const char *text, double value,
                   double *si);
/* 1 if the unit is in the small table. */
int ns_units_is_common(const char *text);
/* 1 if the unit is an SI unit without a factor (m, kg, N/m, 1, ...): values do not change. */
int ns_units_is_si(ns_units **u, const char *text);
/* 1 if a and b are known units of the same quantity, else 0. */
int ns_units_same_quantity(ns_units **u, const char *a, const char *b);
/* Name of the SI unit of the same quantity, "" if unknown: a static string, text itself, or buf. */
const char *ns_units_si_name(ns_units **u, const char *text, char *buf, size_t n);
void ns_units_destroy(ns_units *u); /* NULL-safe */

#endif
