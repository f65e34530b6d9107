/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/export/export_gather.h"

#include "io/compare/compare_pairs.h"

#include <math.h>

/* Rows after `from` up to `to`. */
static double sum_of(const double *x, size_t from, size_t to)
{
  double sum = 0;
  for (size_t i = from + 1; i <= to; i++) sum += x[i];
  return sum;
}

static double mean_of(const double *t, const double *x, size_t from, size_t to)
{
  double sum = 0, time = t[to] - t[from];
  for (size_t i = from + 1; i <= to; i++) sum += x[i] * (t[i] - t[i - 1]);
  return time > 0 ? sum / time : x[to];
}

static double max_of(const double *x, size_t from, size_t to)
{
  double max = x[to];
  for (size_t i = from + 1; i < to; i++)
    if (x[i] > max || isnan(x[i])) max = x[i];
  return max;
}

void ns_export_gather(const ns_result_meta *m, const ns_column *col, const double *t,
                      const size_t *rows, size_t n, double *x)
{
  const ns_channel *ch = &m->channels[col->channel];
  if (ch->course != NS_COURSE_STEP) return;
  ns_quantity_kind kind = ns_quantity_kind_of(ch->path, col->label);
  for (size_t i = n; i-- > 1;) { /* from the end: what stands before is still what it was */
    size_t from = rows[i - 1], to = rows[i];
    if (to - from < 2) continue;
    if (kind == NS_QUANTITY_P || kind == NS_QUANTITY_LAMBDA) x[to] = sum_of(x, from, to);
    else if (kind == NS_QUANTITY_FORCE) x[to] = mean_of(t, x, from, to);
    else x[to] = max_of(x, from, to);
  }
}
