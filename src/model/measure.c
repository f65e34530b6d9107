/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/measure.h"

#include <string.h>

const ns_measure_kind *ns_measure_kind_find(const char *name)
{
  for (int k = 0; ns_measure_kinds[k]; k++)
    if (!strcmp(ns_measure_kinds[k]->name, name)) return ns_measure_kinds[k];
  return NULL;
}

int ns_measure_takes(const ns_measure_kind *k, const char *attribute)
{
  static const struct { const char *name; unsigned flags; } special[] = {
      {"when", NS_MEASURE_CONDITION}, {"event", NS_MEASURE_EVENT}, {"every", NS_MEASURE_EVERY}, {"target", NS_MEASURE_BAND},
      {"band", NS_MEASURE_BAND},      {"take", NS_MEASURE_TAKE},   {"keep", NS_MEASURE_KEEP}};
  for (size_t i = 0; i < sizeof special / sizeof *special; i++)
    if (!strcmp(special[i].name, attribute)) return (k->flags & special[i].flags) != 0;
  return 1;
}

void ns_measures_prepare(ns_model *m)
{
  size_t top = NS_MEASURED_HEAD;
  for (int i = 0; i < m->nmeasures; i++) {
    m->measures[i].slots = top;
    top += NS_SLOTS + 2 * (size_t)m->measures[i].keep;
  }
  m->nmeasured = m->nmeasures ? top : 0;
}
