/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plot/plot_page.h"

#include "io/plot/figure_draw.h"
#include "io/plot/plot_transform.h"

#include <math.h>
#include <string.h>

int ns_plot_format_of(ns_ctx *c, const char *path, ns_plot_format *f)
{
  static const struct {
    const char *suffix;
    ns_plot_format format;
  } known[] = {{".svg", NS_PLOT_SVG},
               {".png", NS_PLOT_PNG},
               {".pdf", NS_PLOT_PDF},
               {".html", NS_PLOT_HTML},
               {".txt", NS_PLOT_TEXT}};
  size_t n = strlen(path);
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    size_t m = strlen(known[k].suffix);
    if (n <= m || strcmp(path + n - m, known[k].suffix) != 0) continue;
    *f = known[k].format;
    return NS_OK;
  }
  return ns_fail(c, NS_USAGE,
                 "picture \"%s\": cannot determine the format from the name; end it in .svg, .png, "
                 ".pdf, .html or .txt",
                 path);
}

/* Colours that the colour-blind can tell apart (Okabe and Ito, 2008); on a dark ground lighter. In
 * print greys, and dashes that tell curves apart. */
const ns_figure_theme *ns_figure_theme_of(ns_plot_theme t)
{
  static const ns_figure_theme theme[] = {
      [NS_PLOT_LIGHT] = {"#ffffff",
                         "#000000",
                         "#303030",
                         "#dcdcdc",
                         "#606060",
                         "#d00000",
                         {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
                          "#000000", NULL},
                         0},
      [NS_PLOT_DARK] = {"#161b22",
                        "#e7ecf2",
                        "#c2cad4",
                        "#323b47",
                        "#8894a3",
                        "#ff6b6b",
                        {"#56b4e9", "#ff9d57", "#3fd0a4", "#e7a3cb", "#f0c24b", "#8ab4ff",
                         "#ffffff", NULL},
                        0},
      [NS_PLOT_PRINT] = {"#ffffff",
                         "#000000",
                         "#000000",
                         "#e6e6e6",
                         "#000000",
                         "#000000",
                         {"#000000", "#808080", NULL},
                         1}};
  return &theme[t];
}

const char *ns_figure_axis(const ns_axis *a, char *buf, size_t n)
{
  static const char group[] = "diagnostics.";
  const char *name = a->name ? a->name : "", *unit = a->unit;
  if (strncmp(name, group, sizeof group - 1) == 0) name += sizeof group - 1;
  int known = unit && *unit && strcmp(unit, "1") != 0;
  snprintf(buf, n, "%s%s%s%s", name,
           known && *name ? " ["
           : known        ? "["
                          : "",
           known ? unit : "", known ? "]" : "");
  return buf;
}

const char *ns_plot_title(const ns_plot_options *o, const ns_result *r, char *buf, size_t n)
{
  const ns_result_meta *m = ns_result_get_meta(r);
  const char *title = o->title                ? o->title
                      : m->title && *m->title ? m->title
                      : m->name               ? m->name
                                              : ns_result_path(r);
  const char *status = m->provenance.status;
  if (status && strcmp(status, "complete") != 0)
    snprintf(buf, n, "%.500s  [%s]", title,
             strcmp(status, "running") == 0 ? "running or killed" : status);
  else snprintf(buf, n, "%s", title);
  return buf;
}

static int add_quantiles(ns_ctx *c, ns_figure *f, ns_panel *p, const double *sorted, size_t n,
                         double top)
{
  static const double part[] = {0.05, 0.5, 0.95};
  char key[80];
  for (int k = 0; k < 3; k++) {
    double at = ns_plot_quantile(sorted, n, part[k]);
    snprintf(key, sizeof key, "%g %%: %.4g", 100 * part[k], at);
    ns_series *s = ns_figure_add(c, f, p, NS_GLYPH_SEGMENTS, key, 1);
    if (!s) return c->rc;
    s->x[0] = s->x2[0] = at;
    s->y[0] = 0;
    s->y2[0] = top;
    s->dashed = 1;
  }
  return NS_OK;
}

int ns_plot_add_histogram(ns_ctx *c, ns_figure *f, ns_panel *p, int bins, const char *key,
                          const double *sorted, size_t n, int quantiles)
{
  int m = bins ? bins : ns_plot_bins(sorted, n);
  double *edge = ns_arena_get(f->a, (size_t)m + 1, sizeof *edge);
  double *count = ns_arena_get(f->a, (size_t)m, sizeof *count), top = 0;
  if (!edge || !count) return ns_nomem(c, "histogram");
  if (!n) return NS_OK;
  ns_series *s = ns_figure_add(c, f, p, NS_GLYPH_LINE, key, 2 * (size_t)m + 2);
  if (!s) return c->rc;
  ns_plot_histogram(sorted, n, m, edge, count);
  for (int k = 0; k <= m; k++) { /* up or down at each edge */
    s->x[2 * k] = s->x[2 * k + 1] = edge[k];
    s->y[2 * k] = k ? count[k - 1] : 0;
    s->y[2 * k + 1] = k < m ? count[k] : 0;
    if (k < m) top = fmax(top, count[k]);
  }
  p->y.from = 0;
  return quantiles ? add_quantiles(c, f, p, sorted, n, top) : NS_OK;
}
