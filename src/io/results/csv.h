/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv.h -- results as CSV: RFC 4180, a header row, 17 significant digits, '.' and LF in every
 * locale.
 *
 * out.csv has the rows. Beside it stand out.events.csv (one row an event), out.contacts.csv (one
 * row a contact, where contacts are recorded) and out.json (model, provenance, certificate,
 * channels). For "-" there are only the rows, on standard output. */
#ifndef NS_IO_RESULTS_CSV_H
#define NS_IO_RESULTS_CSV_H

#include "simulation/record/sink.h"

extern const ns_sink_ops ns_csv_sink;

/* Path of a companion: "dir/out.csv" and ".json" give "dir/out.json"; malloc'ed, NULL when out of
 * memory. */
char *ns_csv_companion(const char *path, const char *suffix);

#endif
