/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot_page.h -- common functions for filling figures. */
#ifndef NS_IO_PLOT_PLOT_PAGE_H
#define NS_IO_PLOT_PLOT_PAGE_H

#include "io/plot/figure.h"

/* Title: that of the options, of the model, or the name of the result; marked if the run is not
 * complete. buf [n]; returns buf. */
const char *ns_plot_title(const ns_plot_options *o, const ns_result *r, char *buf, size_t n);

/* Add the outline of a histogram of n sorted values; bins 0: chosen from the data; with
 * `quantiles`, dashed lines at 5, 50 and 95 %. */
int ns_plot_add_histogram(ns_ctx *c, ns_figure *f, ns_panel *p, int bins, const char *key,
                          const double *sorted, size_t n, int quantiles);

#endif
