/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/results/event_columns.h"

#include <stddef.h>
#include <stdio.h>

const ns_event_column ns_event_columns[NS_EVENT_COLUMNS] = {
    {"time", NS_COLUMN_REAL, offsetof(ns_result_event, t)},
    {"kind", NS_COLUMN_KIND, offsetof(ns_result_event, kind)},
    {"interaction", NS_COLUMN_ID, offsetof(ns_result_event, interaction)},
    {"index", NS_COLUMN_INT, offsetof(ns_result_event, index)},
    {"row", NS_COLUMN_INT, offsetof(ns_result_event, row)},
    {"velocity_before", NS_COLUMN_REAL, offsetof(ns_result_event, before)},
    {"velocity_after", NS_COLUMN_REAL, offsetof(ns_result_event, after)},
    {"impulse", NS_COLUMN_REAL, offsetof(ns_result_event, impulse)},
    {"energy_lost", NS_COLUMN_REAL, offsetof(ns_result_event, lost)},
    {"mode_before", NS_COLUMN_MODE, offsetof(ns_result_event, was)},
    {"mode_after", NS_COLUMN_MODE, offsetof(ns_result_event, is)},
};

ns_result_event ns_event_told(const ns_model *m, const ns_event *e, char *id, size_t n)
{
  return (ns_result_event){.t = e->t,
                           .kind = (int)e->kind,
                           .interaction = ns_event_id(m, e, id, n),
                           .index = e->interaction,
                           .row = e->row,
                           .before = e->before,
                           .after = e->after,
                           .impulse = e->impulse,
                           .lost = e->lost,
                           .was = (int)e->was,
                           .is = (int)e->is};
}

const char *ns_event_field(const ns_event_column *col, const ns_result_event *e,
                           char buf[NS_NUMBER_SIZE])
{
  const void *at = (const char *)e + col->at;
  int whole = col->form == NS_COLUMN_REAL || col->form == NS_COLUMN_ID ? 0 : *(const int *)at;
  switch (col->form) {
  case NS_COLUMN_REAL: ns_number_format(*(const double *)at, buf); return buf;
  case NS_COLUMN_INT: snprintf(buf, NS_NUMBER_SIZE, "%d", whole); return buf;
  case NS_COLUMN_KIND: return whole < 0 ? "unknown" : ns_event_text((ns_event_kind)whole);
  case NS_COLUMN_MODE: return ns_row_mode_text((ns_row_mode)whole);
  case NS_COLUMN_ID: break;
  }
  return *(const char *const *)at;
}
