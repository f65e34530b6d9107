/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_dimensions.h -- units of formulas, told where they contradict each other
 * (load_dimensions.c). */
#ifndef NS_IO_LOAD_LOAD_DIMENSIONS_H
#define NS_IO_LOAD_LOAD_DIMENSIONS_H

#include "io/dimension.h"
#include "io/load/load_job.h"

/* What the value of a formula is in. */
typedef struct ns_expected {
  const char *unit; /* NULL: nothing is expected */
  double rate;      /* of that, so many times by s */
  int mass; /* it is one of coordinates without units: kg, kg m^2, but nothing with s in it */
  ns_dimension_words words; /* of it, where it has to be made */
} ns_expected;

/* Look at a formula that scope has read, s its own; a warning where units contradict each other.
 * expected may be NULL. Costs nothing where nobody asks or the model has no units, and stops after
 * some 2000 formulas unless all are asked for. */
void ns_load_dimensions(ns_load *l, const ns_scope *scope, ns_load_scope *s, const ns_where *at,
                        const char *text, size_t len, const ns_expected *expected);
/* Of an entry of the value e; NULL: not known. In out. */
const ns_expected *ns_load_expected(const ns_load_scope *s, const ns_elem *e, int row, int col,
                                    ns_expected *out);

/* The unit of a formula that has been read with s, node f of g, where it follows from what it
 * names: a quantity, its size, sums of such of one unit, products and powers. NULL: unknown, as
 * behind a factor, which may have a unit. guess: coordinates that are called x, phi have a unit
 * that nobody has written. Lasts with the model. */
const char *ns_load_unit_of(const ns_load_scope *s, const ns_graph *g, ns_node f, int guess);

#endif
