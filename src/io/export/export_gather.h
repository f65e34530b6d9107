/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_gather.h -- columns where rows between are left out.
 *
 * What belongs to a step (course.h) must not be lost with the rows that are not exported: impulses
 * are added up, of forces the mean over time is taken, of iterations, residuals and the like the
 * most. All else is what it is at the row. */
#ifndef NS_IO_EXPORT_EXPORT_GATHER_H
#define NS_IO_EXPORT_EXPORT_GATHER_H

#include "io/results/result.h"

/* x [meta->nrows], the values of a column, in place: those at rows [n], ascending, then stand for
 * all rows since the one before of the list. t [meta->nrows]: times. */
void ns_export_gather(const ns_result_meta *m, const ns_column *col, const double *t,
                      const size_t *rows, size_t n, double *x);

#endif
