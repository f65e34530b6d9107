/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_measures.h -- the measures of two results, by id.
 *
 * They are called measures.ID. A value differs by the same rule as rows, its scale is its magnitude
 * in the reference, of samples their range; one that is a time may differ by the tolerance of time,
 * too. One that is undefined on both sides is the same, on one a difference. They are of the whole
 * run: with an end before that they are not compared. */
#ifndef NS_IO_COMPARE_COMPARE_MEASURES_H
#define NS_IO_COMPARE_COMPARE_MEASURES_H

#include "io/compare/compare_findings.h"

/* Whether a pattern of the options means some measure of m. */
int ns_compare_names_measure(const ns_result_meta *m, const char *pattern);
/* Append to the quantities of the report, which have room for the measures of b, and to its
 * findings. */
void ns_compare_measures(ns_ctx *c, const ns_result_meta *a, const ns_result_meta *b,
                         const ns_compare_options *o, const ns_compare_pen *pen);

#endif
