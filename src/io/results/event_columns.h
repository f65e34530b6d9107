/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_columns.h -- the columns of events in CSV, HDF5 and JSON, in their order. */
#ifndef NS_IO_RESULTS_EVENT_COLUMNS_H
#define NS_IO_RESULTS_EVENT_COLUMNS_H

#include "io/number.h"
#include "io/results/result.h"
#include "simulation/record/sink.h"

enum {
  NS_EVENT_COLUMNS = 11,
  NS_EVENT_COLUMNS_OLD = 8 /* of files of earlier versions: up to the impulse */
};

typedef struct ns_event_column {
  const char *name;
  enum { NS_COLUMN_REAL, NS_COLUMN_INT, NS_COLUMN_ID, NS_COLUMN_KIND, NS_COLUMN_MODE } form;
  size_t at; /* in ns_result_event */
} ns_event_column;

extern const ns_event_column ns_event_columns[NS_EVENT_COLUMNS];

/* An event of a run of m as stored in files; its id may be in id [n], see ns_event_id. */
ns_result_event ns_event_told(const ns_model *m, const ns_event *e, char *id, size_t n);
/* The value of an event as text, of numbers in buf. */
const char *ns_event_field(const ns_event_column *col, const ns_result_event *e,
                           char buf[NS_NUMBER_SIZE]);

#endif
