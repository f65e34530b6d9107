/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_gather.h -- columns of an export that omits rows.
 *
 * What belongs to a step (course.h) must not be lost with the omitted rows: impulses are summed,
 * forces are averaged over time, and of iterations, residuals and the like the maximum is used. All
 * other values are those at the row. */
#ifndef NS_IO_EXPORT_EXPORT_GATHER_H
#define NS_IO_EXPORT_EXPORT_GATHER_H

#include "io/results/result.h"

/* Modify a column x [meta->nrows] in place, so that its values at rows [n] (ascending) represent
 * all rows since the previous one of the list. t [meta->nrows]: times. */
void ns_export_gather(const ns_result_meta *m, const ns_column *col, const double *t,
                      const size_t *rows, size_t n, double *x);

#endif
