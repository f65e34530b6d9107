/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_measures.h -- compares the measures of two results, by id.
 *
 * They are called measures.ID. Tolerances are those of rows; the scale is the magnitude in the
 * reference, for samples the larger of their largest magnitude and their range. A measure that is a
 * time is also allowed the tolerance of time. Measures that are undefined in both results agree; if
 * only one is undefined, they differ. They describe the whole run, so they are not compared if the
 * comparison ends earlier. */
#ifndef NS_IO_COMPARE_COMPARE_MEASURES_H
#define NS_IO_COMPARE_COMPARE_MEASURES_H

#include "io/compare/compare_findings.h"

/* 1 if a pattern of the options refers to a measure of m. */
int ns_compare_names_measure(const ns_result_meta *m, const char *pattern);
/* Append to the quantities of the report, whose array must have space for the measures of b, and to
 * its findings. */
void ns_compare_measures(ns_ctx *c, const ns_result_meta *a, const ns_result_meta *b,
                         const ns_compare_options *o, const ns_compare_pen *pen);

#endif
