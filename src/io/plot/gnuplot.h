/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gnuplot.h -- runs a gnuplot script.
 *
 * Script and picture are passed through memory files, so that neither process can block the other,
 * nothing is written to /tmp, and a picture is written to its file only when it is complete. */
#ifndef NS_IO_PLOT_GNUPLOT_H
#define NS_IO_PLOT_GNUPLOT_H

#include "base/context.h"

#include <stdio.h>

/* Memory file for the script; NULL when out of memory. */
FILE *ns_gnuplot_script(ns_ctx *c);
/* Write a text as a gnuplot string in single quotes, in which nothing is interpreted. A quote
 * becomes a typographic one, control characters become blanks. */
void ns_gnuplot_quote(FILE *script, const char *s);
/* Run the script and close it; the picture goes to path, "-": standard output. NS_PLUGIN if gnuplot
 * is missing or reports an error. */
int ns_gnuplot_run(ns_ctx *c, FILE *script, const char *path);

#endif
