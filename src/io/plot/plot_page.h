/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot_page.h -- what all pictures have in common: format, size, colours, titles, the script of
 * gnuplot. */
#ifndef NS_IO_PLOT_PLOT_PAGE_H
#define NS_IO_PLOT_PLOT_PAGE_H

#include "io/plot/plot.h"

#include <stdio.h>

typedef struct ns_plot_page {
  FILE *f; /* the script */
  ns_plot_format format;
  int width, height; /* pixels, of text: characters */
  const ns_plot_options *o;
} ns_plot_page;

/* pixels around a panel */
enum { NS_PLOT_LEFT = 104, NS_PLOT_RIGHT = 24, NS_PLOT_TOP = 62, NS_PLOT_FOOT = 66 };

/* Format by the name of the output, a script to write to. NS_USAGE, NS_NOMEM. */
int ns_plot_page_open(ns_ctx *c, const ns_plot_options *o, ns_plot_page *p);
/* Terminal and style; size in pixels where the options say none; text has rows lines. */
void ns_plot_page_begin(ns_plot_page *p, int width, int height, int rows);
/* Margins in pixels, the same in every size: of all four sides of one panel. */
void ns_plot_page_margins(const ns_plot_page *p, int left, int right, int top, int foot);
/* The title, left above the panels. */
void ns_plot_page_title(const ns_plot_page *p, const char *title);
/* A label in one line along the left side of the panel. */
void ns_plot_page_y_label(const ns_plot_page *p, const char *text);
/* Run gnuplot and close the script. */
int ns_plot_page_draw(ns_ctx *c, ns_plot_page *p);
/* Close the script after a failure. */
void ns_plot_page_drop(ns_plot_page *p);

/* "ball.x", "impulse lambda [N s]"; buf [n]; returns buf. */
const char *ns_plot_axis(const char *name, const char *unit, char *buf, size_t n);
/* Title of the options, of the model, or its name; one that is not complete is called so. buf [n];
 * returns buf. */
const char *ns_plot_title(const ns_plot_options *o, const ns_result *r, char *buf, size_t n);

#endif
