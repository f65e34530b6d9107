/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gnuplot.h -- run a script through gnuplot.
 *
 * The script goes in and the picture comes out through memory files, so that neither side can block
 * the other, nothing lies in /tmp, and a picture is written to its place only when it is whole. */
#ifndef NS_IO_PLOT_GNUPLOT_H
#define NS_IO_PLOT_GNUPLOT_H

#include "base/context.h"

#include <stdio.h>

/* Memory file for the script; NULL when out of memory. */
FILE *ns_gnuplot_script(ns_ctx *c);
/* A text as a gnuplot string in single quotes, where nothing is interpreted. A quote becomes a
 * typographic one, control characters become blanks. */
void ns_gnuplot_quote(FILE *script, const char *s);
/* Run the script (and close it); the picture to path, "-": standard output. NS_PLUGIN where gnuplot
 * is not there or refuses the script. */
int ns_gnuplot_run(ns_ctx *c, FILE *script, const char *path);

#endif
