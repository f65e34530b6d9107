/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv.h -- results as CSV: RFC 4180, a header row, 17 significant digits, '.' and LF in every
 * locale.
 *
 * out.csv contains the rows. The companion files out.events.csv (one row per event),
 * out.contacts.csv (one row per contact, if contacts are recorded) and out.json (model, provenance,
 * certificate, channels) are in the same folder. With "-", only the rows are written, to standard
 * output. */
#ifndef NS_IO_RESULTS_CSV_H
#define NS_IO_RESULTS_CSV_H

#include "simulation/record/sink.h"

extern const ns_sink_ops ns_csv_sink;

/* Path of a companion file: "dir/out.csv" and ".json" give "dir/out.json"; malloced, NULL when out
 * of memory. */
char *ns_csv_companion(const char *path, const char *suffix);

#endif
