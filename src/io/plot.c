/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plot.h"

#include "io/gnuplot.h"
#include "io/info.h"
#include "io/plot_curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_CURVES = 64,
  MOST_PANELS = 8,
  BINS = 1000,       /* columns of pixels that a curve is drawn in */
  POINTS = 14000     /* of all curves: keeps an SVG below 300 kB */
};

typedef struct curve {
  ns_column x, col;
  int panel;
  int phase;          /* over a quantity, not over time */
} curve;

typedef struct plot {
  ns_result *r;
  const ns_result_meta *m;
  const ns_plot_options *o;
  ns_arena *a;
  FILE *f;
  ns_plot_format format;
  curve curves[MOST_CURVES];
  int ncurves, npanels, phases; /* panels; those over a quantity */
  ns_column time;
  size_t first, n;    /* rows in the range */
  double *t, *xs, *y; /* all rows */
  char *keep;
  size_t nticks;      /* events drawn */
  const char *tick;   /* what they are */
  int width, height;  /* pixels or characters */
} plot;

/* ---- what is drawn where --------------------------------------------------------------------------- */

/* The last part of a channel's path: "q", "lambda". */
static const char *kind(const plot *p, const ns_column *col)
{
  const char *path = p->m->channels[col->channel].path, *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Curves that can share an axis: of one unit; without units, of one kind. */
static int alike(const plot *p, const ns_column *a, const ns_column *b)
{
  if (a->unit || b->unit) return a->unit && b->unit && strcmp(a->unit, b->unit) == 0;
  return p->m->format ? strcmp(kind(p, a), kind(p, b)) == 0 : 1;
}

static int share_panel(const plot *p, const curve *a, const curve *b)
{
  return a->phase == b->phase && alike(p, &a->col, &b->col) && (!a->phase || alike(p, &a->x, &b->x));
}

static int add_curve(plot *p, ns_ctx *c, const ns_column *x, const ns_column *col)
{
  int k = 0;
  if (p->ncurves == MOST_CURVES)
    return ns_fail(c, NS_USAGE, "more than %d curves: name fewer quantities", MOST_CURVES);
  curve *new = &p->curves[p->ncurves];
  *new = (curve){.x = *x, .col = *col, .phase = x->channel != p->time.channel};
  while (k < p->ncurves && !share_panel(p, &p->curves[k], new)) k++;
  int first = k == p->ncurves;
  new->panel = first ? p->npanels++ : p->curves[k].panel;
  p->phases += first && new->phase;
  if (p->npanels > MOST_PANELS)
    return ns_fail(c, NS_USAGE, "quantities of more than %d kinds: name fewer, or make two plots",
                   MOST_PANELS);
  p->ncurves++;
  return NS_OK;
}

/* The colon of "x:y"; NULL where there is none, or where a foreign table has such a heading. */
static const char *colon(const plot *p, const char *text)
{
  const char *at = strchr(text, ':');
  for (int i = 0; at && !p->m->format && i < p->m->nchannels; i++)
    for (int k = 0; k < p->m->channels[i].ncol; k++)
      if (strcmp(p->m->channels[i].labels[k], text) == 0) return NULL;
  return at;
}

/* "x:y": y over x, all components of both, or all of y over one of x. "y": over what -x says, or over time. */
static int add_quantity(plot *p, ns_ctx *c, const char *text)
{
  ns_column *x = NULL, *y;
  int nx = 1, ny = 0, rc = NS_OK;
  const char *at = colon(p, text), *of_y = at ? at + 1 : text;
  char of_x[512];
  snprintf(of_x, sizeof of_x, "%.*s", at ? (int)(at - text) : 0, text);
  if (at) rc = ns_result_match(p->r, c, of_x, p->a, &x, &nx);
  else if (p->o->x) rc = ns_result_match(p->r, c, p->o->x, p->a, &x, &nx);
  if (!rc) rc = ns_result_match(p->r, c, of_y, p->a, &y, &ny);
  if (!rc && nx != 1 && nx != ny)
    rc = ns_fail(c, NS_USAGE, "%s: the horizontal axis has %d components, expected %s; name one",
                 text, nx, ny == 1 ? "1" : "1, or as many as the vertical one");
  for (int k = 0; k < ny && !rc; k++) rc = add_curve(p, c, !x ? &p->time : nx == 1 ? x : &x[k], &y[k]);
  return rc;
}

static int choose(plot *p, ns_ctx *c)
{
  int rc = ns_result_find(p->r, c, "time", &p->time);
  for (int i = 0; i < p->o->n && !rc; i++) rc = add_quantity(p, c, p->o->quantities[i]);
  return rc;
}

static int read_axes(plot *p, ns_ctx *c)
{
  size_t n = p->m->nrows;
  p->t = ns_arena_get(p->a, n, sizeof *p->t);
  p->xs = ns_arena_get(p->a, n, sizeof *p->xs);
  p->y = ns_arena_get(p->a, n, sizeof *p->y);
  p->keep = ns_arena_get(p->a, n, 1);
  if (!p->t || !p->xs || !p->y || !p->keep) return ns_nomem(c, "columns of a plot");
  int rc = ns_result_read(p->r, c, &p->time, p->t);
  if (rc) return rc;
  size_t end = n;
  while (p->first < n && p->t[p->first] < p->o->from) p->first++;
  while (end > p->first && p->t[end - 1] > p->o->to) end--;
  p->n = end - p->first;
  if (p->n) return NS_OK;
  if (!n) return ns_fail(c, NS_NOINPUT, "%s: no rows to draw", ns_result_path(p->r));
  return ns_fail(c, NS_USAGE, "%s: no rows between --from and --to; it has t = %g s to %g s",
                 ns_result_path(p->r), p->t[0], p->t[n - 1]);
}

/* ---- data -------------------------------------------------------------------------------------------- */

static void put_point(FILE *f, double x, double y)
{
  if (isfinite(x) && isfinite(y)) fprintf(f, "%.12g %.7g\n", x, y);
  else fputs("\n", f); /* a gap */
}

static int put_curve(plot *p, ns_ctx *c, int i)
{
  const curve *u = &p->curves[i];
  int rc = ns_result_read(p->r, c, &u->col, p->y);
  if (!rc && u->phase) rc = ns_result_read(p->r, c, &u->x, p->xs);
  if (rc) return rc;
  const double *x = (u->phase ? p->xs : p->t) + p->first, *y = p->y + p->first;
  size_t budget = POINTS / (size_t)p->ncurves, bins = budget / 4 < BINS ? budget / 4 : BINS;
  if (u->phase) {
    if (ns_plot_thin_path(x, y, p->n, 2 * BINS, p->keep) > budget)
      ns_plot_thin_evenly(p->n, budget, p->keep);
  } else {
    ns_plot_thin_function(x, y, p->n, bins ? bins : 1, p->keep);
  }
  fprintf(p->f, "$c%d << END\n", i);
  for (size_t k = 0; k < p->n; k++)
    if (p->keep[k]) put_point(p->f, x[k], y[k]);
  fputs("END\n", p->f);
  return NS_OK;
}

/* What ticks tell: impacts, of first-order systems switches. */
static int ticked(int kind)
{
  return kind == NS_EVENT_IMPACT || kind == NS_EVENT_SWITCH;
}

/* Times of events, at most one a column of pixels. */
static int put_ticks(plot *p, ns_ctx *c)
{
  const ns_result_event *e;
  double t0 = p->t[p->first], t1 = p->t[p->first + p->n - 1], gap = (t1 - t0) / BINS, last = -INFINITY;
  int none = p->o->no_events || p->phases == p->npanels;
  int rc = none ? NS_OK : ns_result_events(p->r, c, &e);
  if (rc || none) return rc;
  fputs("$ticks << END\n", p->f);
  for (size_t i = 0; i < p->m->nevents; i++) {
    if (!ticked(e[i].kind) || e[i].t < t0 || e[i].t > t1 || !(e[i].t >= last + gap)) continue;
    fprintf(p->f, "%.12g 0\n%.12g 0.025\n\n", e[i].t, e[i].t);
    p->tick = e[i].kind == NS_EVENT_SWITCH ? "switch" : "impact";
    last = e[i].t;
    p->nticks++;
  }
  fputs("END\n", p->f);
  return NS_OK;
}

/* ---- script ---------------------------------------------------------------------------------------- */

static void set_size(plot *p)
{
  const ns_plot_options *o = p->o;
  int text = p->format == NS_PLOT_TEXT;
  p->width = o->width ? o->width : text ? 79 : 900;
  p->height = o->height ? o->height : text ? 24 : p->npanels == 1 ? (p->phases ? 700 : 480)
            : 120 + 220 * p->npanels + 160 * p->phases;
  if (text && !o->fixed && p->npanels > 1) p->height = 3 + 13 * p->npanels; /* a terminal scrolls */
}

static void put_terminal(plot *p)
{
  int w = p->width, h = p->height;
  switch (p->format) {
  case NS_PLOT_TEXT:
    fprintf(p->f, "set terminal dumb size %d,%d noenhanced %s\n", w, h, p->o->colour ? "ansi256" : "mono");
    break;
  case NS_PLOT_SVG:
    fprintf(p->f, "set terminal svg size %d,%d noenhanced font 'Helvetica,13' background '#ffffff'\n", w, h);
    break;
  case NS_PLOT_PNG: /* twice the pixels: sharp on today's screens and in print */
    fprintf(p->f, "set terminal pngcairo size %d,%d noenhanced font 'Sans,10' fontscale 2 linewidth 2\n",
            2 * w, 2 * h);
    break;
  case NS_PLOT_PDF:
    fprintf(p->f, "set terminal pdfcairo size %gin,%gin noenhanced font 'Sans,11'\n", w / 100.0, h / 100.0);
    break;
  }
}

static void put_style(plot *p)
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
  for (int k = 0; k < MOST_CURVES; k++) /* solid: dashes would hide short spikes */
    fprintf(p->f, "set linetype %d lc rgb '%s' lw 1.8 dt solid\n", k + 1, colour[k % N]);
  fputs("set border 3 lc rgb '#606060'\nset tics nomirror out scale 0.6 textcolor rgb '#303030'\n"
        "set grid lt 1 lc rgb '#dcdcdc' lw 0.8 dt solid\n", p->f);
}

static const char *title(const plot *p)
{
  if (p->o->title) return p->o->title;
  if (p->m->title && *p->m->title) return p->m->title;
  return p->m->name ? p->m->name : ns_result_path(p->r);
}

/* Title; an output that is not complete is called so. */
static void put_title(plot *p)
{
  const char *status = p->m->provenance.status;
  char all[600];
  if (status && strcmp(status, "complete") != 0)
    snprintf(all, sizeof all, "%.500s  [%s]", title(p),
             strcmp(status, "running") == 0 ? "running or killed" : status);
  else snprintf(all, sizeof all, "%.590s", title(p));
  ns_gnuplot_quote(p->f, all);
}

/* "ball.x", "impulse lambda [N s]" */
static void put_axis(plot *p, const char *name, const char *unit)
{
  char all[300];
  static const char group[] = "diagnostics.";
  if (strncmp(name, group, sizeof group - 1) == 0) name += sizeof group - 1;
  int known = unit && strcmp(unit, "1") != 0;
  snprintf(all, sizeof all, "%s%s%s%s", name, known ? " [" : "", known ? unit : "", known ? "]" : "");
  ns_gnuplot_quote(p->f, all);
}

/* The first curve of a panel. */
static const curve *leader(const plot *p, int panel)
{
  int i = 0;
  while (p->curves[i].panel != panel) i++;
  return &p->curves[i];
}

static int curves_in(const plot *p, int panel)
{
  int n = 0;
  for (int i = 0; i < p->ncurves; i++) n += p->curves[i].panel == panel;
  return n;
}

/* What the curves of a panel are: the one label, or the kind they share. */
static void put_y_text(plot *p, int panel)
{
  int same = 1;
  const ns_column *first = &leader(p, panel)->col;
  for (int k = 0; k < p->ncurves; k++)
    if (p->curves[k].panel == panel) same = same && strcmp(kind(p, first), kind(p, &p->curves[k].col)) == 0;
  if (curves_in(p, panel) == 1) put_axis(p, first->label, first->unit);
  else put_axis(p, same && p->m->format ? kind(p, first) : "", first->unit);
}

/* Letters of the longest key of a panel; of all keys in a row. */
static size_t key_letters(const plot *p, int panel, size_t *row)
{
  size_t longest = 0;
  *row = 0;
  for (int i = 0; i < p->ncurves; i++) {
    size_t n = strlen(p->curves[i].col.label);
    if (p->curves[i].panel != panel) continue;
    *row += n + 5;
    if (n > longest) longest = n;
  }
  return longest;
}

enum { LEFT = 104, RIGHT = 24, TOP = 62, FOOT = 58, GAP = 34, KEY_LINE = 18, Y_LABEL = 16 }; /* pixels */

/* Pixels at the right; the keys stand there where they are too many for a row above a panel. */
static int right_margin(const plot *p, int *beside)
{
  size_t longest = 0, row;
  *beside = 0;
  for (int k = 0; k < p->npanels; k++) {
    size_t n = key_letters(p, k, &row);
    if (curves_in(p, k) > 1 && row > 80) *beside = 1;
    if (curves_in(p, k) > 1 && n > longest) longest = n;
  }
  if (longest > 40) longest = 40;
  return *beside ? 58 + 15 * (int)longest / 2 : RIGHT;
}

/* Pixels between panels: room for the labels of an axis of their own, and the keys of the next panel. */
static int gap(const plot *p)
{
  return p->phases ? GAP + FOOT - 10 : GAP;
}

static double panel_height(const plot *p)
{
  return (p->height - TOP - FOOT - gap(p) * (p->npanels - 1.0)) / p->npanels;
}

/* Margins in pixels, so that they are the same in every size; y labels in one line. */
static void put_place(plot *p, int panel)
{
  int beside, right = right_margin(p, &beside);
  double w = p->width, h = p->height, each = panel_height(p), top = h - TOP - panel * (each + gap(p));
  fprintf(p->f, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", LEFT / w, 1 - right / w);
  fprintf(p->f, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", top / h, (top - each) / h);
  fprintf(p->f, "set label 1 at screen %.4f, graph 0.5 center rotate ", Y_LABEL / w);
  put_y_text(p, panel);
  fputs(beside ? "\nset key at graph 1.02,1 left top vertical Left reverse samplen 1.5 maxcols 1\n"
               : "\nset key at graph 1,1.01 right bottom horizontal samplen 1.5\n", p->f);
  fputs("unset label 2\n", p->f);
  if (panel) return;
  fprintf(p->f, "set label 2 at screen %.4f, screen %.4f left font ',14' ", LEFT / w, 1 - 20 / h);
  put_title(p);
  fputc('\n', p->f);
}

/* Curves of a panel that its key has room for; the last one then stands for "and others". */
static int keys_shown(const plot *p)
{
  int room = p->format == NS_PLOT_TEXT ? p->height / p->npanels / 3 : (int)(panel_height(p) / KEY_LINE);
  return room > 2 ? room - 1 : 2;
}

static void put_key(plot *p, int panel, int k, const char *label)
{
  char more[64];
  int n = curves_in(p, panel), shown = keys_shown(p);
  snprintf(more, sizeof more, "... %d more", n - shown);
  ns_gnuplot_quote(p->f, n == 1 || k > shown ? "" : n > shown + 1 && k == shown ? more : label);
}

static void put_text_place(plot *p, int panel)
{
  fputs("set key above\nset ylabel ", p->f);
  put_y_text(p, panel);
  fputs(panel ? "\nunset title\n" : "\nset title ", p->f);
  if (!panel) put_title(p);
  fputc('\n', p->f);
}

/* Panels over time share the labels of the last one, unless others stand between them. */
static void put_x_axis(plot *p, int panel)
{
  const curve *u = leader(p, panel);
  double t0 = p->t[p->first], t1 = p->t[p->first + p->n - 1];
  int one = 1;
  if (u->phase || !(t1 > t0)) fputs("set xrange [*:*]\n", p->f);
  else fprintf(p->f, "set xrange [%.12g:%.12g]\n", t0, t1);
  fprintf(p->f, "set offsets graph %s, graph 0.06, graph 0.06\n", u->phase ? "0.03, graph 0.03" : "0, graph 0");
  if (panel + 1 < p->npanels && p->format != NS_PLOT_TEXT && !p->phases) {
    fputs("set format x ''\nunset xlabel\n", p->f);
    return;
  }
  for (const curve *k = u; k < p->curves + p->ncurves; k++)
    one = one && (k->panel != panel || strcmp(k->x.label, u->x.label) == 0);
  fputs("set format x\nset xlabel ", p->f);
  put_axis(p, one ? u->x.label : p->m->format ? kind(p, &u->x) : "", u->x.unit);
  fputc('\n', p->f);
}

static void put_panel(plot *p, int panel)
{
  int n = curves_in(p, panel), text = p->format == NS_PLOT_TEXT;
  int ticks = p->nticks && !text && !leader(p, panel)->phase, key = ticks;
  for (int k = 0; k < panel; k++) key = key && leader(p, k)->phase;
  const char *before = "plot ";
  if (text) put_text_place(p, panel);
  else put_place(p, panel);
  put_x_axis(p, panel);
  if (n == 1 && !key) fputs("unset key\n", p->f);
  for (int i = 0, k = 0; i < p->ncurves; i++) {
    if (p->curves[i].panel != panel) continue;
    fprintf(p->f, "%s$c%d using 1:2 with lines lt %d title ", before, i, k + 1);
    put_key(p, panel, k++, p->curves[i].col.label);
    before = ", ";
  }
  if (ticks)
    fprintf(p->f, ", $ticks using 1:2 axes x1y2 with lines lc rgb '#d00000' lw 1 dt solid title '%s'",
            key ? p->tick : "");
  fputc('\n', p->f);
}

static void put_script(plot *p)
{
  set_size(p);
  put_terminal(p);
  put_style(p);
  fputs("set y2range [0:1]\nset yrange [*:*] noextend\n", p->f);
  if (p->npanels > 1 && p->format == NS_PLOT_TEXT)
    fprintf(p->f, "set multiplot layout %d,1\n", p->npanels);
  else if (p->npanels > 1) fputs("set multiplot\n", p->f);
  for (int k = 0; k < p->npanels; k++) put_panel(p, k);
  if (p->npanels > 1) fputs("unset multiplot\n", p->f);
}

/* ---- ------------------------------------------------------------------------------------------- */

int ns_plot_format_of(ns_ctx *c, const char *path, ns_plot_format *f)
{
  static const struct {
    const char *suffix;
    ns_plot_format format;
  } known[] = {{".svg", NS_PLOT_SVG}, {".png", NS_PLOT_PNG}, {".pdf", NS_PLOT_PDF}, {".txt", NS_PLOT_TEXT}};
  size_t n = strlen(path);
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    if (n <= 4 || strcmp(path + n - 4, known[k].suffix) != 0) continue;
    *f = known[k].format;
    return NS_OK;
  }
  return ns_fail(c, NS_USAGE, "picture \"%s\": cannot tell the format from the name; end it in .svg, "
                 ".png, .pdf or .txt", path);
}

static int draw(plot *p, ns_ctx *c)
{
  int rc = choose(p, c);
  if (!rc) rc = read_axes(p, c);
  if (rc) return rc;
  if (!(p->f = ns_gnuplot_script(c))) return NS_NOMEM;
  for (int i = 0; i < p->ncurves && !rc; i++) rc = put_curve(p, c, i);
  if (!rc) rc = put_ticks(p, c);
  if (rc) {
    fclose(p->f);
    return rc;
  }
  put_script(p);
  return ns_gnuplot_run(c, p->f, p->o->output ? p->o->output : "-");
}

int ns_plot(ns_ctx *c, ns_result *r, const ns_plot_options *o)
{
  plot *p = calloc(1, sizeof *p);
  if (!p || !(p->a = ns_arena_create(0, 1))) {
    free(p);
    return ns_nomem(c, "plot");
  }
  p->r = r;
  p->m = ns_result_get_meta(r);
  p->o = o;
  p->format = o->output ? o->format : NS_PLOT_TEXT;
  int rc = o->output && strcmp(o->output, "-") != 0 ? ns_plot_format_of(c, o->output, &p->format) : NS_OK;
  if (!rc) rc = draw(p, c);
  ns_arena_destroy(p->a);
  free(p);
  return rc;
}
