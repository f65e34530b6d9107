/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_draw.h -- private to figure*.c: drawing of figures whose ranges are known. */
#ifndef NS_IO_PLOT_FIGURE_DRAW_H
#define NS_IO_PLOT_FIGURE_DRAW_H

#include "io/plot/figure.h"

/* "ball.x", "impulse lambda [N s]"; buf [n]; returns buf. */
const char *ns_figure_axis(const ns_axis *a, char *buf, size_t n);
/* Whether both axes have a place for a point. */
int ns_figure_drawable(const ns_panel *p, double x, double y);
/* Draw by gnuplot: SVG, PNG, PDF, text. */
int ns_figure_gnuplot(ns_ctx *c, const ns_figure *f, const ns_plot_options *o,
                      ns_plot_format format);
/* Write as a web page. */
int ns_figure_page(ns_ctx *c, const ns_figure *f, const ns_plot_options *o);

/* Colours of a theme. */
typedef struct ns_figure_theme {
  const char *paper, *ink, *tick, *grid, *border, *rug;
  const char *palette[8]; /* ends with NULL */
  int dashes;             /* thin lines: few colours, mostly dashes */
} ns_figure_theme;
const ns_figure_theme *ns_figure_theme_of(ns_plot_theme t);

#endif
