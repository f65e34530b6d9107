/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.h -- a picture as data: panels one above the other, each with two axes and series.
 *
 * Who makes a picture (curves, timelines, sweeps, comparisons) fills a figure and does not know how
 * it is drawn. A figure is drawn by gnuplot (figure_gnuplot.c) or written as a page that shows
 * values and zooms in a browser (figure_page.c). Ranges and the room that texts need are computed
 * here, so that both show the same.
 *
 * All memory is that of an arena of the caller, which outlives the figure. */
#ifndef NS_IO_PLOT_FIGURE_H
#define NS_IO_PLOT_FIGURE_H

#include "base/arena.h"
#include "io/plot/plot.h"

enum { NS_FIGURE_PANELS = 8 };

typedef enum ns_glyph {
  NS_GLYPH_LINE,
  NS_GLYPH_LINEPOINTS,
  NS_GLYPH_POINTS,
  NS_GLYPH_DOTS,     /* points as small as can be seen */
  NS_GLYPH_SEGMENTS, /* from (x, y) to (x2, y2) */
  NS_GLYPH_BOXES,    /* filled, corners (x, y) and (x2, y2) */
  NS_GLYPH_CELLS,    /* such boxes in the colour of z */
  NS_GLYPH_SQUARES,  /* points in the colour of z */
  NS_GLYPHS
} ns_glyph;

typedef struct ns_series {
  struct ns_series *next;
  const char *key; /* NULL: not in the key */
  ns_glyph glyph;
  int colour;      /* place in the palette, from 0 */
  const char *rgb; /* "#rrggbb" instead; NULL: that of the palette */
  int dashed;      /* lines */
  size_t n;
  double *x, *y, *x2, *y2, *z; /* [n]; the last three where the glyph has them; NaN: a gap */
} ns_series;

typedef struct ns_axis {
  const char *name, *unit; /* unit NULL or "1": none */
  double from, to;         /* NaN: as the data reach */
  int tight;               /* no room beyond the data */
  const char *const *word; /* ticks at word_at, NULL: numbers */
  const double *word_at;   /* [nwords]; NULL: at 0, 1, 2 ... */
  int nwords;
  int logarithmic;
} ns_axis;

typedef struct ns_panel {
  ns_axis x, y, z;       /* z: colours of cells and squares */
  const char *key_title; /* above the key; NULL: none */
  const char *empty;     /* what is said where there is nothing to draw */
  double *rug;           /* ticks at the foot, for events [nrug] */
  size_t nrug;
  const char *rug_name;
  ns_series *series, **last;
  int nseries, has_colours;
} ns_panel;

typedef struct ns_figure {
  ns_arena *a;
  const char *title;
  ns_panel panel[NS_FIGURE_PANELS];
  int npanels;
  int linked;              /* all panels have the same horizontal axis */
  int width, height, rows; /* where no size is asked for: pixels, of text lines */
} ns_figure;

/* The next panel, empty; there must be room. */
ns_panel *ns_figure_panel(ns_figure *f);
/* A series with room for n points at the end of a panel; NULL and NS_NOMEM. What is filled in less
 * may be told by a smaller n. The key is copied. */
ns_series *ns_figure_add(ns_ctx *c, ns_figure *f, ns_panel *p, ns_glyph glyph, const char *key,
                         size_t n);
/* Draw it as the options say. NS_USAGE: an axis cannot have the range or the scale that is asked
 * for. */
int ns_figure_draw(ns_ctx *c, ns_figure *f, const ns_plot_options *o);

/* Width of a text in a sans-serif type of this size, pixels; rather more than less. */
double ns_figure_text_width(const char *text, double size);
/* The text, or its beginning and "..." where it is wider; control characters become blanks, what is
 * not UTF-8 question marks. buf [n]; returns buf. */
const char *ns_figure_fit(const char *text, double size, double width, char *buf, size_t n);

#endif
