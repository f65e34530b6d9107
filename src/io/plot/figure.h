/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.h -- a figure as data: panels one above the other, each with two axes and series.
 *
 * Code that makes a figure (curves, timelines, sweeps, comparisons) is independent of how it is
 * drawn: by gnuplot (figure_gnuplot.c), or as a web page that shows values and zooms
 * (figure_page.c). Ranges and the space for texts are computed here, so that both agree.
 *
 * All memory is in an arena of the caller, which outlives the figure. */
#ifndef NS_IO_PLOT_FIGURE_H
#define NS_IO_PLOT_FIGURE_H

#include "base/arena.h"
#include "io/plot/plot.h"

enum { NS_FIGURE_PANELS = 8 };

typedef enum ns_glyph {
  NS_GLYPH_LINE,
  NS_GLYPH_LINEPOINTS,
  NS_GLYPH_POINTS,
  NS_GLYPH_DOTS,     /* points of minimum size */
  NS_GLYPH_SEGMENTS, /* from (x, y) to (x2, y2) */
  NS_GLYPH_BOXES,    /* filled, corners (x, y) and (x2, y2) */
  NS_GLYPH_CELLS,    /* boxes with the colour of z */
  NS_GLYPH_SQUARES,  /* points with the colour of z */
  NS_GLYPHS
} ns_glyph;

typedef struct ns_series {
  struct ns_series *next;
  const char *key; /* NULL: not in the key */
  ns_glyph glyph;
  int colour;      /* index in the palette */
  const char *rgb; /* "#rrggbb" instead; NULL: that of the palette */
  int dashed;      /* lines */
  size_t n;
  double *x, *y, *x2, *y2, *z; /* [n]; the last three only if the glyph uses them; NaN: a gap */
} ns_series;

typedef struct ns_axis {
  const char *name, *unit; /* unit NULL or "1": none */
  double from, to;         /* NaN: the range of the data */
  int tight;               /* no margin beyond the data */
  const char *const *word; /* ticks at word_at, NULL: numbers */
  const double *word_at;   /* [nwords]; NULL: at 0, 1, 2 ... */
  int nwords;
  int logarithmic;
} ns_axis;

typedef struct ns_panel {
  ns_axis x, y, z;       /* z: colours of cells and squares */
  const char *key_title; /* above the key; NULL: none */
  const char *empty;     /* text shown if there is nothing to draw */
  double *rug;           /* ticks at the bottom, for events [nrug] */
  size_t nrug;
  const char *rug_name;
  ns_series *series, **last;
  int nseries, has_colours;
  int names_all; /* the key names the curve of a panel with only one, too */
} ns_panel;

typedef struct ns_figure {
  ns_arena *a;
  const char *title;
  ns_panel panel[NS_FIGURE_PANELS];
  int npanels;
  int linked;              /* all panels have the same horizontal axis */
  int width, height, rows; /* default size: pixels, lines of text */
} ns_figure;

/* Add a panel, initially empty; at most NS_FIGURE_PANELS. */
ns_panel *ns_figure_panel(ns_figure *f);
/* Add a series with space for n points to a panel; NULL and NS_NOMEM. Reduce n if fewer are filled
 * in. The key is copied. */
ns_series *ns_figure_add(ns_ctx *c, ns_figure *f, ns_panel *p, ns_glyph glyph, const char *key,
                         size_t n);
/* Draw the figure according to the options. NS_USAGE: an axis cannot have the requested range or
 * scale. */
int ns_figure_draw(ns_ctx *c, ns_figure *f, const ns_plot_options *o);

/* Width of a text in a sans-serif font of this size, pixels; an upper estimate. */
double ns_figure_text_width(const char *text, double size);
/* Copy the text, shortened with "..." if it is wider than width. Control characters become blanks,
 * invalid UTF-8 question marks. buf [n]; returns buf. */
const char *ns_figure_fit(const char *text, double size, double width, char *buf, size_t n);
/* The same with "..." in the middle: names of quantities mostly differ at their ends. */
const char *ns_figure_fit_middle(const char *text, double size, double width, char *buf, size_t n);

#endif
