/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot_page.h -- what those who fill figures have in common. */
#ifndef NS_IO_PLOT_PLOT_PAGE_H
#define NS_IO_PLOT_PLOT_PAGE_H

#include "io/plot/figure.h"

/* Title of the options, of the model, or its name; one that is not complete is called so. buf [n];
 * returns buf. */
const char *ns_plot_title(const ns_plot_options *o, const ns_result *r, char *buf, size_t n);

/* The outline of a histogram of n sorted values, bins 0: as many as suit them; with
 * `quantiles` dashed lines at 5, 50 and 95 %. */
int ns_plot_add_histogram(ns_ctx *c, ns_figure *f, ns_panel *p, int bins, const char *key,
                          const double *sorted, size_t n, int quantiles);

#endif
