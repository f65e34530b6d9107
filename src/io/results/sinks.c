/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/results/sinks.h"

#include "io/hdf5_module.h"
#include "io/results/csv.h"

#include <string.h>

const ns_sink_kind ns_sink_kinds[] = {
    {"hdf5", ".h5", "HDF5, one dataset per quantity; also .hdf5"},
    {"csv", ".csv", "comma-separated text, with events and certificate in companion files"},
    {"stdout", "-", "the rows as CSV on standard output"},
    {0},
};

static int ends_with(const char *s, const char *tail)
{
  size_t n = strlen(s), k = strlen(tail);
  return n > k && s[n - k - 1] != '/' && strcmp(s + n - k, tail) == 0;
}

int ns_sink_find(ns_ctx *c, const char *path, const ns_sink_ops **ops)
{
  *ops = NULL;
  if (strcmp(path, "-") == 0 || ends_with(path, ".csv")) {
    *ops = &ns_csv_sink;
    return NS_OK;
  }
  if (!ends_with(path, ".h5") && !ends_with(path, ".hdf5"))
    return ns_fail(c, NS_USAGE,
                   "output \"%s\": cannot determine the format from the name; end it in .h5 or "
                   ".csv, or write \"-\" for CSV on standard output",
                   path);
  const ns_hdf5_module *m = ns_hdf5_module_load(c, NS_NOCREATE);
  if (!m) return c->rc;
  *ops = m->sink;
  return NS_OK;
}
