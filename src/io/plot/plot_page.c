/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plot/plot_page.h"

#include "io/plot/gnuplot.h"

#include <string.h>

enum { MOST_STYLES = 64, Y_LABEL = 16 /* pixels */ };

int ns_plot_format_of(ns_ctx *c, const char *path, ns_plot_format *f)
{
  static const struct {
    const char *suffix;
    ns_plot_format format;
  } known[] = {
      {".svg", NS_PLOT_SVG}, {".png", NS_PLOT_PNG}, {".pdf", NS_PLOT_PDF}, {".txt", NS_PLOT_TEXT}};
  size_t n = strlen(path);
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    if (n <= 4 || strcmp(path + n - 4, known[k].suffix) != 0) continue;
    *f = known[k].format;
    return NS_OK;
  }
  return ns_fail(
      c, NS_USAGE,
      "picture \"%s\": cannot tell the format from the name; end it in .svg, .png, .pdf or .txt",
      path);
}

int ns_plot_page_open(ns_ctx *c, const ns_plot_options *o, ns_plot_page *p)
{
  *p = (ns_plot_page){.o = o, .format = o->output ? o->format : NS_PLOT_TEXT};
  int rc = o->output && strcmp(o->output, "-") != 0 ? ns_plot_format_of(c, o->output, &p->format)
                                                    : NS_OK;
  if (!rc && !(p->f = ns_gnuplot_script(c))) rc = NS_NOMEM;
  return rc;
}

static void put_terminal(const ns_plot_page *p)
{
  int w = p->width, h = p->height;
  switch (p->format) {
  case NS_PLOT_TEXT:
    fprintf(p->f, "set terminal dumb size %d,%d noenhanced %s\n", w, h,
            p->o->colour ? "ansi256" : "mono");
    break;
  case NS_PLOT_SVG:
    fprintf(p->f,
            "set terminal svg size %d,%d noenhanced font 'Helvetica,13' background '#ffffff'\n", w,
            h);
    break;
  case NS_PLOT_PNG: /* twice the pixels: sharp on today's screens and in print */
    fprintf(p->f,
            "set terminal pngcairo size %d,%d noenhanced font 'Sans,10' fontscale 2 linewidth 2\n",
            2 * w, 2 * h);
    break;
  case NS_PLOT_PDF:
    fprintf(p->f, "set terminal pdfcairo size %gin,%gin noenhanced font 'Sans,11'\n", w / 100.0,
            h / 100.0);
    break;
  }
}

static void put_style(const ns_plot_page *p)
{
  /* Colours that the colour-blind can tell apart (Okabe and Ito, 2008). */
  static const char *const colour[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                       "#e69f00", "#56b4e9", "#000000"};
  enum { N = sizeof colour / sizeof *colour };
  fputs("set encoding utf8\nset datafile separator whitespace\n", p->f);
  if (p->format == NS_PLOT_TEXT) {
    fputs("set border 3\nset tics nomirror out\n", p->f);
    return;
  }
  for (int k = 0; k < MOST_STYLES; k++) /* solid: dashes would hide short spikes */
    fprintf(p->f, "set linetype %d lc rgb '%s' lw 1.8 dt solid\n", k + 1, colour[k % N]);
  fputs("set border 3 lc rgb '#606060'\nset tics nomirror out scale 0.6 textcolor rgb '#303030'\n"
        "set grid lt 1 lc rgb '#dcdcdc' lw 0.8 dt solid\n",
        p->f);
}

void ns_plot_page_begin(ns_plot_page *p, int width, int height, int rows)
{
  int text = p->format == NS_PLOT_TEXT;
  p->width = p->o->width ? p->o->width : text ? 79 : width;
  p->height = text && rows && !p->o->fixed ? rows
              : p->o->height               ? p->o->height
              : text                       ? 24
                                           : height;
  put_terminal(p);
  put_style(p);
}

void ns_plot_page_margins(const ns_plot_page *p, int left, int right, int top, int foot)
{
  double w = p->width, h = p->height;
  if (p->format == NS_PLOT_TEXT) return;
  fprintf(p->f, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", left / w,
          1 - right / w);
  fprintf(p->f, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", 1 - top / h, foot / h);
}

void ns_plot_page_title(const ns_plot_page *p, const char *title)
{
  if (p->format == NS_PLOT_TEXT) fputs("set title ", p->f);
  else
    fprintf(p->f, "set label 2 at screen %.4f, screen %.4f left font ',14' ",
            NS_PLOT_LEFT / (double)p->width, 1 - 20.0 / p->height);
  ns_gnuplot_quote(p->f, title);
  fputc('\n', p->f);
}

void ns_plot_page_y_label(const ns_plot_page *p, const char *text)
{
  if (p->format == NS_PLOT_TEXT) fputs("set ylabel ", p->f);
  else
    fprintf(p->f, "set label 1 at screen %.4f, graph 0.5 center rotate ",
            Y_LABEL / (double)p->width);
  ns_gnuplot_quote(p->f, text);
  fputc('\n', p->f);
}

int ns_plot_page_draw(ns_ctx *c, ns_plot_page *p)
{
  FILE *f = p->f;
  p->f = NULL;
  return ns_gnuplot_run(c, f, p->o->output ? p->o->output : "-");
}

void ns_plot_page_drop(ns_plot_page *p)
{
  if (p->f) fclose(p->f);
  p->f = NULL;
}

const char *ns_plot_axis(const char *name, const char *unit, char *buf, size_t n)
{
  static const char group[] = "diagnostics.";
  if (strncmp(name, group, sizeof group - 1) == 0) name += sizeof group - 1;
  int known = unit && *unit && strcmp(unit, "1") != 0;
  snprintf(buf, n, "%s%s%s%s", name, known ? " [" : "", known ? unit : "", known ? "]" : "");
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
