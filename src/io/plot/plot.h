/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.h -- curves of a result, drawn by gnuplot.
 *
 * Quantities of one kind and unit share a panel; panels stand one above the other over the same
 * time. "x:y" is y over x, in a panel of its kinds; with several components each over its own, or
 * all over one. Impacts and switches are ticks at the foot of each panel over time. What a pixel
 * cannot show is left out: of each column of pixels the first, least, greatest and last value are
 * drawn. gnuplot is a child that reads its script and writes the picture through memory files; no
 * shell, no name chosen by a user is interpreted. */
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

/* What is made of the quantities of a run before they are drawn (plot_transform.h). */
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
  const char *x;         /* horizontal axis of those without a colon; NULL: time */
  double from, to;       /* s; NaN: from the beginning, to the end */
  const char *title;     /* NULL: that of the model */
  const char *output;    /* .svg, .png, .pdf; "-": standard output; NULL: text on stdout */
  ns_plot_format format; /* of "-" */
  int width, height;     /* pixels, of text: characters; 0: a default */
  int fixed;             /* text: keep the height, however many panels */
  int no_events;
  const char *by;                /* sweeps: a curve for each value of this column; NULL: one */
  int log_x, log_y;              /* logarithmic axes */
  double x_range[2], y_range[2]; /* of all panels; both 0: as the data reach */
  int colour;                    /* text: with ANSI colours */
  ns_plot_theme theme;
  ns_plot_what what;   /* quantiles: of sweeps alone; spectra and sections: of runs alone */
  const char *section; /* "PERIOD", s, or "QUANTITY=VALUE": where it rises through a value */
  int bins;            /* of a histogram; 0: by the data */
  const char *page;    /* path of plot.html, for output as .html */
} ns_plot_options;

/* Format that a file name asks for; NS_USAGE for another suffix. */
int ns_plot_format_of(ns_ctx *c, const char *path, ns_plot_format *f);
/* NS_USAGE: unknown quantity, empty range; NS_PLUGIN (exit 69): no gnuplot; NS_NOCREATE, NS_OUTPUT.
 */
int ns_plot(ns_ctx *c, ns_result *r, const ns_plot_options *o);
/* The same quantities of several outputs, r [n]: the key says in which parameters they differ, else
 * their names. */
int ns_plot_runs(ns_ctx *c, ns_result *const *r, int n, const ns_plot_options *o);

/* A timeline of events, a lane for each row of an interaction; quantities are ids of interactions
 * or patterns of them, none: all. NS_USAGE: too many lanes. */
int ns_plot_events(ns_ctx *c, ns_result *r, const ns_plot_options *o);
/* Pictures of a sweep: r is its table of measures, a row a run. A quantity is "X:Y" or "X:Y:Z",
 * names of columns: curves of Y over X; dots where Y is an array (columns Y[0], Y[1] ...); colours
 * of Z over the plane of X and Y. */
int ns_plot_sweep(ns_ctx *c, ns_result *r, const ns_plot_options *o);

#endif
