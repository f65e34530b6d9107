/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plot/plot.h"

#include "base/text.h"
#include "io/plot/plot_curve.h"
#include "io/plot/plot_page.h"
#include "io/plot/plot_transform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_RUNS = 16,
  MAX_CURVES = 64,
  MAX_PANELS = NS_FIGURE_PANELS,
  BINS = 1000,   /* columns of pixels that a curve is drawn in */
  PEAKS = 500,   /* of a spectrum: one for every second column of pixels */
  POINTS = 14000 /* of all curves: keeps an SVG below 300 kB */
};

typedef struct run {
  ns_result *r;
  const ns_result_meta *m;
  ns_column time;
  size_t first, n; /* rows in the range */
  double *t;       /* all rows */
} run;

typedef struct curve {
  ns_column x, col;
  int run, panel;
  int phase;  /* over a quantity, not over time */
  int by_run; /* the panel has one quantity: key and colour are those of the run */
  const char *key;
} curve;

typedef struct plot {
  const ns_plot_options *o;
  ns_arena *a;
  ns_figure figure;
  run runs[MAX_RUNS];
  curve curves[MAX_CURVES];
  int nruns, ncurves, npanels, phases; /* phases: panels over a quantity */
  double t0, t1;                       /* of all rows that are drawn, s */
  double *xs, *y;                      /* rows of the longest run */
  char *keep;
  size_t longest;
} plot;

/* ---- what is drawn where --------------------------------------------------------------------- */

static const ns_result_meta *meta(const plot *p, const curve *u) { return p->runs[u->run].m; }

/* The last part of a channel's path: "q", "lambda". */
static const char *kind(const ns_result_meta *m, const ns_column *col)
{
  const char *path = m->channels[col->channel].path, *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Columns that can share an axis: of one unit; without units, of one kind. */
static int alike(const ns_result_meta *ma, const ns_column *a, const ns_result_meta *mb,
                 const ns_column *b)
{
  if (a->unit || b->unit) return a->unit && b->unit && strcmp(a->unit, b->unit) == 0;
  return ma->format && mb->format ? strcmp(kind(ma, a), kind(mb, b)) == 0 : 1;
}

static int share_panel(const plot *p, const curve *a, const curve *b)
{
  const ns_result_meta *ma = meta(p, a), *mb = meta(p, b);
  return a->phase == b->phase && alike(ma, &a->col, mb, &b->col) &&
         (!a->phase || alike(ma, &a->x, mb, &b->x));
}

static int add_curve(plot *p, ns_ctx *c, int from, const ns_column *x, const ns_column *col)
{
  int k = 0;
  if (p->ncurves == MAX_CURVES)
    return ns_fail(c, NS_USAGE, "more than %d curves: give fewer quantities", MAX_CURVES);
  curve *new = &p->curves[p->ncurves];
  *new = (curve){
      .x = *x, .col = *col, .run = from, .phase = x->channel != p->runs[from].time.channel};
  while (k < p->ncurves && !share_panel(p, &p->curves[k], new)) k++;
  int first = k == p->ncurves;
  new->panel = first ? p->npanels++ : p->curves[k].panel;
  p->phases += first && new->phase;
  if (p->npanels > MAX_PANELS)
    return ns_fail(c, NS_USAGE, "quantities with more than %d units: give fewer, or make two plots",
                   MAX_PANELS);
  p->ncurves++;
  return NS_OK;
}

/* The colon of "x:y"; NULL where there is none, or where a foreign table has such a heading. */
static const char *colon(const ns_result_meta *m, const char *text)
{
  const char *at = strchr(text, ':');
  for (int i = 0; at && !m->format && i < m->nchannels; i++)
    for (int k = 0; k < m->channels[i].ncol; k++)
      if (strcmp(m->channels[i].labels[k], text) == 0) return NULL;
  return at;
}

/* "x:y": y over x, all components of both, or all of y over one of x. "y": over what -x says, or
 * over time. */
static int add_quantity(plot *p, ns_ctx *c, int from, const char *text)
{
  const run *u = &p->runs[from];
  ns_column *x = NULL, *y;
  int nx = 1, ny = 0, rc = NS_OK;
  const char *at = colon(u->m, text), *of_y = at ? at + 1 : text;
  char of_x[512];
  snprintf(of_x, sizeof of_x, "%.*s", at ? (int)(at - text) : 0, text);
  if (at) rc = ns_result_match(u->r, c, of_x, p->a, &x, &nx);
  else if (p->o->x) rc = ns_result_match(u->r, c, p->o->x, p->a, &x, &nx);
  if (!rc) rc = ns_result_match(u->r, c, of_y, p->a, &y, &ny);
  if (!rc && nx != 1 && nx != ny)
    rc = ns_fail(c, NS_USAGE, "%s: the horizontal axis has %d components, expected %s; name one",
                 text, nx, ny == 1 ? "1" : "1, or as many as the vertical one");
  for (int k = 0; k < ny && !rc; k++)
    rc = add_curve(p, c, from, !x ? &u->time : nx == 1 ? x : &x[k], &y[k]);
  return rc;
}

/* Quantity by quantity, so that the runs of one stand side by side in the key. */
static int choose(plot *p, ns_ctx *c)
{
  int rc = NS_OK;
  for (int k = 0; k < p->nruns && !rc; k++)
    rc = ns_result_find(p->runs[k].r, c, "time", &p->runs[k].time);
  for (int i = 0; i < p->o->n && !rc; i++)
    for (int k = 0; k < p->nruns && !rc; k++) rc = add_quantity(p, c, k, p->o->quantities[i]);
  return rc;
}

static int ensure_capacity(plot *p, ns_ctx *c)
{
  for (int k = 0; k < p->nruns; k++)
    if (p->runs[k].m->nrows > p->longest) p->longest = p->runs[k].m->nrows;
  p->xs = ns_arena_get(p->a, p->longest, sizeof *p->xs);
  p->y = ns_arena_get(p->a, p->longest, sizeof *p->y);
  p->keep = ns_arena_get(p->a, p->longest, 1);
  p->t0 = INFINITY;
  p->t1 = -INFINITY;
  return p->xs && p->y && p->keep ? NS_OK : ns_nomem(c, "columns of a plot");
}

static int read_axis(plot *p, ns_ctx *c, run *u)
{
  size_t n = u->m->nrows, end = n;
  int rc = p->xs ? NS_OK : ensure_capacity(p, c);
  u->t = ns_arena_get(p->a, n, sizeof *u->t);
  if (!rc && !u->t) rc = ns_nomem(c, "columns of a plot");
  if (!rc) rc = ns_result_read(u->r, c, &u->time, u->t);
  if (rc) return rc;
  while (u->first < n && u->t[u->first] < p->o->from) u->first++;
  while (end > u->first && u->t[end - 1] > p->o->to) end--;
  u->n = end - u->first;
  if (!n) return ns_fail(c, NS_NOINPUT, "%s: no rows to draw", ns_result_path(u->r));
  if (!u->n)
    return ns_fail(c, NS_USAGE, "%s: no rows between --from and --to; it has t = %g s to %g s",
                   ns_result_path(u->r), u->t[0], u->t[n - 1]);
  p->t0 = fmin(p->t0, u->t[u->first]);
  p->t1 = fmax(p->t1, u->t[end - 1]);
  return NS_OK;
}

/* ---- names of curves ------------------------------------------------------------------------- */

static const ns_parameter *parameter(const ns_result_meta *m, const char *name)
{
  int k = NS_NAMED_INDEX(ns_parameter, name, m->parameters, m->nparameters, name);
  return k < 0 ? NULL : &m->parameters[k];
}

/* Whether a parameter has another value in some other run, or is not there. */
static int varies(const plot *p, const ns_parameter *x)
{
  for (int k = 0; k < p->nruns; k++) {
    const ns_parameter *y = parameter(p->runs[k].m, x->name);
    if (!y || y->value != x->value) return 1;
  }
  return 0;
}

/* What is special about a run: the parameters that vary, else the name of its file. */
static void name_run(const plot *p, const run *u, char *buf, size_t n)
{
  size_t at = 0;
  const char *path = ns_result_path(u->r), *slash = strrchr(path, '/');
  buf[0] = 0;
  for (int i = 0; i < u->m->nparameters && at < n; i++) {
    const ns_parameter *x = &u->m->parameters[i];
    if (varies(p, x))
      at += (size_t)snprintf(buf + at, n - at, "%s%s = %.6g", at ? ", " : "", x->name, x->value);
  }
  /* one name in two folders: the whole path */
  for (const run *v = p->runs; v < p->runs + p->nruns && slash; v++) {
    const char *other = strrchr(ns_result_path(v->r), '/');
    if (v != u && strcmp(other ? other + 1 : ns_result_path(v->r), slash + 1) == 0) slash = NULL;
  }
  if (!at) snprintf(buf, n, "%s", slash ? slash + 1 : path);
}

/* The label; of several runs what is special about each, and the label where there are several of
 * them. */
static int name_curves(plot *p, ns_ctx *c)
{
  char of_run[200], key[400];
  for (int i = 0; i < p->ncurves; i++) {
    curve *u = &p->curves[i];
    int one = 1;
    u->key = u->col.label;
    if (p->nruns == 1) continue;
    for (int k = 0; k < p->ncurves; k++)
      one = one &&
            (p->curves[k].panel != u->panel || strcmp(p->curves[k].col.label, u->col.label) == 0);
    u->by_run = one;
    name_run(p, &p->runs[u->run], of_run, sizeof of_run);
    snprintf(key, sizeof key, "%s%s%s", one ? "" : u->col.label, one ? "" : ": ", of_run);
    if (!(u->key = ns_arena_text(p->a, key))) return ns_nomem(c, "names of curves");
  }
  return NS_OK;
}

/* ---- data ------------------------------------------------------------------------------------ */

/* The rows of a curve in the range: *x, *y [n of its run]. */
static int read_rows(plot *p, ns_ctx *c, const curve *u, const double **x, const double **y)
{
  const run *v = &p->runs[u->run];
  int rc = ns_result_read(v->r, c, &u->col, p->y);
  if (!rc && u->phase) rc = ns_result_read(v->r, c, &u->x, p->xs);
  *x = (u->phase ? p->xs : v->t) + v->first;
  *y = p->y + v->first;
  return rc;
}

/* A panel of several runs says which run each curve is of, by its key and, with one quantity, by
 * the colour that the run has in all panels. */
static void mark_run(plot *p, const curve *u, ns_series *s)
{
  if (p->nruns > 1) p->figure.panel[u->panel].names_all = 1;
  if (u->by_run) s->colour = u->run;
}

/* The points that are kept, as a series of the curve's panel. */
static int add_points(plot *p, ns_ctx *c, const curve *u, ns_glyph glyph, const double *x,
                      const double *y, size_t n)
{
  size_t k = 0;
  for (size_t i = 0; i < n; i++) k += (size_t)p->keep[i];
  ns_series *s = ns_figure_add(c, &p->figure, &p->figure.panel[u->panel], glyph, u->key, k);
  if (!s) return c->rc;
  mark_run(p, u, s);
  k = 0;
  for (size_t i = 0; i < n; i++) {
    if (!p->keep[i]) continue;
    s->x[k] = x[i];
    s->y[k++] = y[i];
  }
  return NS_OK;
}

/* Points that one curve may have. */
static size_t budget(const plot *p) { return POINTS / (size_t)p->ncurves; }

/* A function of ascending x. */
static int add_function(plot *p, ns_ctx *c, const curve *u, const double *x, const double *y,
                        size_t n)
{
  size_t bins = budget(p) / 4 < BINS ? budget(p) / 4 : BINS;
  ns_plot_thin_function(x, y, n, bins ? bins : 1, p->keep);
  return add_points(p, c, u, NS_GLYPH_LINE, x, y, n);
}

static int add_curve_rows(plot *p, ns_ctx *c, const curve *u)
{
  const double *x, *y;
  size_t n = p->runs[u->run].n;
  int rc = read_rows(p, c, u, &x, &y);
  if (rc) return rc;
  if (!u->phase) return add_function(p, c, u, x, y, n);
  if (ns_plot_thin_path(x, y, n, 2 * BINS, p->keep) > budget(p))
    ns_plot_thin_evenly(n, budget(p), p->keep);
  return add_points(p, c, u, NS_GLYPH_LINE, x, y, n);
}

static int add_spectrum(plot *p, ns_ctx *c, const curve *u)
{
  const double *x, *y;
  double *frequency, *amplitude;
  size_t n;
  int rc = read_rows(p, c, u, &x, &y);
  if (!rc) rc = ns_plot_spectrum(c, p->a, x, y, p->runs[u->run].n, &frequency, &amplitude, &n);
  if (rc) return rc;
  /* at 0 stands the mean, which was taken off */
  frequency++, amplitude++, n--;
  if (n <= 2 * PEAKS) return add_function(p, c, u, frequency, amplitude, n);
  int given = p->o->x_range[0] < p->o->x_range[1], log_axis = p->o->log_x;
  double from = given ? p->o->x_range[0] : frequency[0];
  double to = given ? p->o->x_range[1] : frequency[n - 1];
  if (log_axis && !(from > 0)) from = frequency[0];
  ns_plot_thin_peaks(frequency, amplitude, n, from, to, log_axis, PEAKS, p->keep);
  return add_points(p, c, u, NS_GLYPH_LINE, frequency, amplitude, n);
}

static int read_number(const char *text, double *x)
{
  char *end;
  *x = strtod(text, &end);
  return end != text && !*end && isfinite(*x);
}

/* "PERIOD" or "QUANTITY=VALUE": where the rows of a run lie on the section. */
static int find_section(plot *p, ns_ctx *c, const run *v, ns_plot_places *at)
{
  const char *text = p->o->section, *equals = strrchr(text, '=');
  ns_column col;
  double value, *g;
  char name[512];
  if (!equals && read_number(text, &value) && value > 0)
    return ns_plot_section_period(c, p->a, v->t + v->first, v->n, value, at);
  if (!equals || equals == text || !read_number(equals + 1, &value))
    return ns_fail(c, NS_USAGE,
                   "--section '%s': expected a period in seconds above 0, or QUANTITY=VALUE such "
                   "as ball.v_x=0, where the quantity rises through the value",
                   text);
  snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
  if (!(g = ns_arena_get(p->a, v->m->nrows, sizeof *g))) return ns_nomem(c, "section");
  int rc = ns_result_find(v->r, c, name, &col);
  if (!rc) rc = ns_result_read(v->r, c, &col, g);
  return rc ? rc : ns_plot_section_rise(c, p->a, g + v->first, v->n, value, at);
}

static double between(const double *v, const ns_plot_places *at, size_t k)
{
  size_t i = at->row[k];
  return v[i] + at->part[k] * (v[i + 1] - v[i]);
}

static int add_section(plot *p, ns_ctx *c, const curve *u)
{
  const double *x, *y;
  ns_plot_places at;
  int rc = read_rows(p, c, u, &x, &y);
  if (!rc) rc = find_section(p, c, &p->runs[u->run], &at);
  if (rc) return rc;
  size_t step = at.n / budget(p) + 1;
  ns_series *s = ns_figure_add(c, &p->figure, &p->figure.panel[u->panel], NS_GLYPH_POINTS, u->key,
                               at.n / step + 1);
  if (!s) return c->rc;
  mark_run(p, u, s);
  s->n = 0;
  for (size_t k = 0; k < at.n; k += step) {
    s->x[s->n] = between(x, &at, k);
    s->y[s->n++] = between(y, &at, k);
  }
  return NS_OK;
}

static int add_histogram(plot *p, ns_ctx *c, const curve *u)
{
  const double *x, *y;
  int rc = read_rows(p, c, u, &x, &y);
  double *sorted = ns_arena_get(p->a, p->runs[u->run].n, sizeof *sorted);
  if (!rc && !sorted) rc = ns_nomem(c, "histogram");
  if (rc) return rc;
  size_t n = ns_plot_sort(y, p->runs[u->run].n, sorted);
  int others = 0;
  for (int k = 0; k < p->ncurves; k++) others += p->curves[k].panel == u->panel;
  return ns_plot_add_histogram(c, &p->figure, &p->figure.panel[u->panel], p->o->bins, u->key,
                               sorted, n, others == 1);
}

/* Times of events, at most one a column of pixels; of several runs nobody could tell whose they
 * are. */
static int add_rug(plot *p, ns_ctx *c, ns_panel *to)
{
  const ns_result_event *e;
  double gap = (p->t1 - p->t0) / BINS, last = -INFINITY;
  int rc = ns_result_events(p->runs[0].r, c, &e);
  if (rc) return rc;
  if (!(to->rug = ns_arena_get(p->a, BINS + 2, sizeof *to->rug))) return ns_nomem(c, "events");
  for (size_t i = 0; i < p->runs[0].m->nevents && to->nrug < BINS + 2; i++) {
    /* impacts, of first-order systems switches */
    int marked = e[i].kind == NS_EVENT_IMPACT || e[i].kind == NS_EVENT_SWITCH;
    if (!marked || e[i].t < p->t0 || e[i].t > p->t1 || !(e[i].t >= last + gap)) continue;
    to->rug[to->nrug++] = last = e[i].t;
    to->rug_name = e[i].kind == NS_EVENT_SWITCH ? "switch" : "impact";
  }
  return NS_OK;
}

/* ---- panels ---------------------------------------------------------------------------------- */

/* The first curve of a panel. */
static const curve *leader(const plot *p, int panel)
{
  int i = 0;
  while (p->curves[i].panel != panel) i++;
  return &p->curves[i];
}

/* What the curves of a panel have along an axis: the one label, or the kind that they share. */
static void name_axis(const plot *p, int panel, int vertical, ns_axis *a)
{
  const curve *first = leader(p, panel);
  const ns_column *col = vertical ? &first->col : &first->x;
  int same = 1, one = 1;
  for (const curve *u = p->curves; u < p->curves + p->ncurves; u++) {
    const ns_column *k = vertical ? &u->col : &u->x;
    if (u->panel != panel) continue;
    same = same && strcmp(kind(meta(p, first), col), kind(meta(p, u), k)) == 0;
    one = one && strcmp(col->label, k->label) == 0;
  }
  a->unit = col->unit;
  if (one) a->name = col->label;
  else a->name = same && meta(p, first)->format ? kind(meta(p, first), col) : "";
}

static int prefix(plot *p, ns_ctx *c, const char *what, ns_axis *a)
{
  char text[400];
  snprintf(text, sizeof text, *a->name ? "%s of %.300s" : "%s", what, a->name);
  return (a->name = ns_arena_text(p->a, text)) ? NS_OK : ns_nomem(c, "names of axes");
}

static int make_panel(plot *p, ns_ctx *c, int k)
{
  ns_panel *to = ns_figure_panel(&p->figure);
  int rc = NS_OK, over_time = !leader(p, k)->phase && p->o->what == NS_PLOT_CURVES;
  name_axis(p, k, 1, &to->y);
  if (p->o->what == NS_PLOT_SPECTRUM) {
    to->x.name = "frequency";
    to->x.unit = "Hz";
    rc = prefix(p, c, "amplitude", &to->y);
  } else if (p->o->what == NS_PLOT_HISTOGRAM) {
    to->x = to->y;
    to->y = (ns_axis){.name = "number of rows", .from = NAN, .to = NAN};
  } else {
    name_axis(p, k, 0, &to->x);
  }
  if (p->o->what == NS_PLOT_SECTION) to->empty = "no row is on the section";
  if (over_time && p->t1 > p->t0) to->x.from = p->t0, to->x.to = p->t1;
  int marks = over_time && p->nruns == 1 && !p->o->no_events;
  return !rc && marks ? add_rug(p, c, to) : rc;
}

/* Of several panels over time the uppermost tells what the ticks are. */
static void name_rug_once(ns_figure *f)
{
  int named = 0;
  for (int k = 0; k < f->npanels; k++) {
    if (named) f->panel[k].rug_name = NULL;
    named |= f->panel[k].rug_name != NULL;
  }
}

static int make_figure(plot *p, ns_ctx *c)
{
  static int (*const add[])(plot *, ns_ctx *,
                            const curve *) = {[NS_PLOT_CURVES] = add_curve_rows,
                                              [NS_PLOT_SPECTRUM] = add_spectrum,
                                              [NS_PLOT_SECTION] = add_section,
                                              [NS_PLOT_HISTOGRAM] = add_histogram};
  int rc = NS_OK, n = p->npanels, own_axes = p->phases || p->o->what == NS_PLOT_HISTOGRAM;
  char title[600];
  p->figure = (ns_figure){.a = p->a,
                          .linked = !own_axes,
                          .width = 900,
                          .height = n > 1      ? 120 + 220 * n + 160 * (own_axes ? n : 0)
                                    : own_axes ? 700
                                               : 480,
                          .rows = n > 1 ? 3 + 13 * n : 24};
  p->figure.title = ns_arena_text(p->a, ns_plot_title(p->o, p->runs[0].r, title, sizeof title));
  if (!p->figure.title) return ns_nomem(c, "title of a plot");
  for (int k = 0; k < n && !rc; k++) rc = make_panel(p, c, k);
  name_rug_once(&p->figure);
  for (int i = 0; i < p->ncurves && !rc; i++) rc = add[p->o->what](p, c, &p->curves[i]);
  return rc;
}

static int check_what(const plot *p, ns_ctx *c)
{
  int alone = p->o->what == NS_PLOT_SPECTRUM || p->o->what == NS_PLOT_HISTOGRAM;
  if (alone && p->phases)
    return ns_fail(c, NS_USAGE, "--%s applies to single quantities over time, not to X:Y",
                   p->o->what == NS_PLOT_SPECTRUM ? "spectrum" : "histogram");
  return NS_OK;
}

static int draw(plot *p, ns_ctx *c)
{
  int rc = choose(p, c);
  if (!rc) rc = check_what(p, c);
  for (int k = 0; k < p->nruns && !rc; k++) rc = read_axis(p, c, &p->runs[k]);
  if (!rc) rc = name_curves(p, c);
  if (!rc) rc = make_figure(p, c);
  return rc ? rc : ns_figure_draw(c, &p->figure, p->o);
}

int ns_plot_runs(ns_ctx *c, ns_result *const *r, int n, const ns_plot_options *o)
{
  ns_plot_format format;
  int rc = o->output && strcmp(o->output, "-") != 0 ? ns_plot_format_of(c, o->output, &format)
                                                    : NS_OK;
  if (!rc && n > MAX_RUNS)
    rc = ns_fail(c, NS_USAGE, "more than %d outputs in one picture: give fewer", MAX_RUNS);
  if (rc) return rc;
  plot *p = NS_ARENA_OBJECT(plot, a);
  if (!p) return ns_nomem(c, "plot");
  for (p->nruns = 0; p->nruns < n; p->nruns++)
    p->runs[p->nruns] = (run){.r = r[p->nruns], .m = ns_result_get_meta(r[p->nruns])};
  p->o = o;
  rc = draw(p, c);
  ns_arena_destroy(p->a);
  return rc;
}
