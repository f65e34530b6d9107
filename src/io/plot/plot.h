/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.h -- plots of results, drawn by gnuplot.
 *
 * Quantities of the same kind and unit share a panel; panels are one above the other with the same
 * time axis. "x:y" plots y over x in a separate panel; with several components, each y over the x
 * of the same component, or all over a single x. Impacts and switches are ticks at the bottom of
 * each panel over time. Points that a pixel cannot resolve are left out: the first, minimum,
 * maximum and last value of each pixel column are drawn. gnuplot is a child process that reads its
 * script and writes the picture through memory files; no shell is used, and no name chosen by a
 * user is interpreted. */
#ifndef NS_IO_PLOT_PLOT_H
#define NS_IO_PLOT_PLOT_H

#include "io/results/result.h"

typedef enum ns_plot_format {
  NS_PLOT_TEXT,
  NS_PLOT_SVG,
  NS_PLOT_PNG,
  NS_PLOT_PDF,
  NS_PLOT_HTML
} ns_plot_format;

typedef enum ns_plot_theme { NS_PLOT_LIGHT, NS_PLOT_DARK, NS_PLOT_PRINT } ns_plot_theme;

/* Transformation of the quantities of a run before they are drawn (plot_transform.h). */
typedef enum ns_plot_what {
  NS_PLOT_CURVES,
  NS_PLOT_SPECTRUM,
  NS_PLOT_SECTION,
  NS_PLOT_HISTOGRAM,
  NS_PLOT_QUANTILES
} ns_plot_what;

typedef struct ns_plot_options {
  const char *const *quantities; /* patterns of ns_result_match, or two of them with a colon [n] */
  int n;
  const char *x;         /* horizontal axis of quantities without a colon; NULL: time */
  double from, to;       /* s; NaN: from the beginning and to the end */
  const char *title;     /* NULL: that of the model */
  const char *output;    /* .svg, .png, .pdf; "-": standard output; NULL: text on stdout */
  ns_plot_format format; /* for "-" */
  int width, height;     /* pixels, of text: characters; 0: a default */
  int fixed;             /* text: keep the height, however many panels */
  int no_events;
  const char *by;                /* sweeps: a curve for each value of this column; NULL: one */
  int log_x, log_y;              /* logarithmic axes */
  double x_range[2], y_range[2]; /* of all panels; both 0: the range of the data */
  int colour;                    /* text: with ANSI colours */
  ns_plot_theme theme;
  ns_plot_what what;   /* quantiles: only of sweeps; spectra and sections: only of runs */
  const char *section; /* "PERIOD", s, or "QUANTITY=VALUE": where it rises through a value */
  int bins;            /* of a histogram; 0: chosen from the data */
  const char *page;    /* path of plot.html, for output as .html */
} ns_plot_options;

/* Format by the suffix of a file name; NS_USAGE for another suffix. */
int ns_plot_format_of(ns_ctx *c, const char *path, ns_plot_format *f);
/* Plot the same quantities of one or several results, r [n]. The key shows the parameters in which
 * these differ, else their names. NS_USAGE: unknown quantity, empty range; NS_PLUGIN (exit 69): no
 * gnuplot; NS_NOCREATE, NS_OUTPUT. */
int ns_plot_runs(ns_ctx *c, ns_result *const *r, int n, const ns_plot_options *o);

/* Plot a timeline of events, with one lane for each row of an interaction. Quantities are ids of
 * interactions or patterns of them; none: all. NS_USAGE: too many lanes. */
int ns_plot_events(ns_ctx *c, ns_result *r, const ns_plot_options *o);
/* Plot a sweep: r is its table of measures, one row per run. A quantity is "X:Y" or "X:Y:Z", names
 * of columns: curves of Y over X; dots if Y is an array (columns Y[0], Y[1] ...); colours of Z over
 * the plane of X and Y. */
int ns_plot_sweep(ns_ctx *c, ns_result *r, const ns_plot_options *o);

#endif
