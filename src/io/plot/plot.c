/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plot/plot.h"

#include "io/plot/gnuplot.h"
#include "io/plot/plot_curve.h"
#include "io/plot/plot_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_RUNS = 16,
  MOST_CURVES = 64,
  MOST_PANELS = 8,
  BINS = 1000,   /* columns of pixels that a curve is drawn in */
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
  int phase; /* over a quantity, not over time */
  const char *key;
} curve;

typedef struct plot {
  const ns_plot_options *o;
  ns_arena *a;
  ns_plot_page page;
  FILE *f;           /* its script */
  int width, height; /* of the page */
  run runs[MOST_RUNS];
  curve curves[MOST_CURVES];
  int nruns, ncurves, npanels, phases; /* phases: panels over a quantity */
  double t0, t1;                       /* of all rows that are drawn, s */
  double *xs, *y;                      /* rows of the longest run */
  char *keep;
  size_t longest;
  size_t nticks;    /* events drawn */
  const char *tick; /* what they are */
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
  if (p->ncurves == MOST_CURVES)
    return ns_fail(c, NS_USAGE, "more than %d curves: name fewer quantities", MOST_CURVES);
  curve *new = &p->curves[p->ncurves];
  *new = (curve){
      .x = *x, .col = *col, .run = from, .phase = x->channel != p->runs[from].time.channel};
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

static int make_room(plot *p, ns_ctx *c)
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
  int rc = p->xs ? NS_OK : make_room(p, c);
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
  for (int i = 0; i < m->nparameters; i++)
    if (strcmp(m->parameters[i].name, name) == 0) return &m->parameters[i];
  return NULL;
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
    name_run(p, &p->runs[u->run], of_run, sizeof of_run);
    snprintf(key, sizeof key, "%s%s%s", one ? "" : u->col.label, one ? "" : ": ", of_run);
    if (!(u->key = ns_arena_text(p->a, key))) return ns_nomem(c, "names of curves");
  }
  return NS_OK;
}

/* ---- data ------------------------------------------------------------------------------------ */

static void put_point(FILE *f, double x, double y)
{
  if (isfinite(x) && isfinite(y)) fprintf(f, "%.12g %.7g\n", x, y);
  else fputs("\n", f); /* a gap */
}

static int put_curve(plot *p, ns_ctx *c, int i)
{
  const curve *u = &p->curves[i];
  const run *v = &p->runs[u->run];
  int rc = ns_result_read(v->r, c, &u->col, p->y);
  if (!rc && u->phase) rc = ns_result_read(v->r, c, &u->x, p->xs);
  if (rc) return rc;
  const double *x = (u->phase ? p->xs : v->t) + v->first, *y = p->y + v->first;
  size_t budget = POINTS / (size_t)p->ncurves, bins = budget / 4 < BINS ? budget / 4 : BINS;
  if (u->phase) {
    if (ns_plot_thin_path(x, y, v->n, 2 * BINS, p->keep) > budget)
      ns_plot_thin_evenly(v->n, budget, p->keep);
  } else {
    ns_plot_thin_function(x, y, v->n, bins ? bins : 1, p->keep);
  }
  fprintf(p->f, "$c%d << END\n", i);
  for (size_t k = 0; k < v->n; k++)
    if (p->keep[k]) put_point(p->f, x[k], y[k]);
  fputs("END\n", p->f);
  return NS_OK;
}

/* What ticks tell: impacts, of first-order systems switches. */
static int ticked(int kind) { return kind == NS_EVENT_IMPACT || kind == NS_EVENT_SWITCH; }

/* Times of events, at most one a column of pixels; of several runs nobody could tell whose they
 * are. */
static int put_ticks(plot *p, ns_ctx *c)
{
  const ns_result_event *e;
  double t0 = p->t0, t1 = p->t1, gap = (t1 - t0) / BINS, last = -INFINITY;
  int none = p->o->no_events || p->phases == p->npanels || p->nruns > 1;
  int rc = none ? NS_OK : ns_result_events(p->runs[0].r, c, &e);
  if (rc || none) return rc;
  fputs("$ticks << END\n", p->f);
  for (size_t i = 0; i < p->runs[0].m->nevents; i++) {
    if (!ticked(e[i].kind) || e[i].t < t0 || e[i].t > t1 || !(e[i].t >= last + gap)) continue;
    fprintf(p->f, "%.12g 0\n%.12g 0.025\n\n", e[i].t, e[i].t);
    p->tick = e[i].kind == NS_EVENT_SWITCH ? "switch" : "impact";
    last = e[i].t;
    p->nticks++;
  }
  fputs("END\n", p->f);
  return NS_OK;
}

/* ---- script ---------------------------------------------------------------------------------- */

/* Size of the page; a terminal scrolls. */
static void begin(plot *p)
{
  int rows = p->npanels > 1 ? 3 + 13 * p->npanels : 0;
  ns_plot_page_begin(
      &p->page, 900,
      p->npanels == 1 ? (p->phases ? 700 : 480) : 120 + 220 * p->npanels + 160 * p->phases, rows);
  p->f = p->page.f;
  p->width = p->page.width;
  p->height = p->page.height;
}

static void put_axis(plot *p, const char *name, const char *unit)
{
  char all[300];
  ns_gnuplot_quote(p->f, ns_plot_axis(name, unit, all, sizeof all));
}

static void put_title(plot *p)
{
  char all[600];
  ns_gnuplot_quote(p->f, ns_plot_title(p->o, p->runs[0].r, all, sizeof all));
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
  const curve *first = leader(p, panel);
  int same = 1, one = 1;
  for (int k = 0; k < p->ncurves; k++) {
    const curve *u = &p->curves[k];
    if (u->panel != panel) continue;
    same = same && strcmp(kind(meta(p, first), &first->col), kind(meta(p, u), &u->col)) == 0;
    one = one && strcmp(first->col.label, u->col.label) == 0;
  }
  if (one) put_axis(p, first->col.label, first->col.unit);
  else
    put_axis(p, same && meta(p, first)->format ? kind(meta(p, first), &first->col) : "",
             first->col.unit);
}

/* Letters of the longest key of a panel; of all keys in a row. */
static size_t key_letters(const plot *p, int panel, size_t *row)
{
  size_t longest = 0;
  *row = 0;
  for (int i = 0; i < p->ncurves; i++) {
    size_t n = strlen(p->curves[i].key);
    if (p->curves[i].panel != panel) continue;
    *row += n + 5;
    if (n > longest) longest = n;
  }
  return longest;
}

/* pixels */
enum {
  LEFT = NS_PLOT_LEFT,
  TOP = NS_PLOT_TOP,
  FOOT = NS_PLOT_FOOT,
  GAP = 34,
  KEY_LINE = 18,
  Y_LABEL = 16
};

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
  return *beside ? 58 + 15 * (int)longest / 2 : NS_PLOT_RIGHT;
}

/* Pixels between panels: room for the labels of an axis of their own, and the keys of the next
 * panel. */
static int gap(const plot *p) { return p->phases ? GAP + FOOT - 18 : GAP; }

static double panel_height(const plot *p)
{
  return (p->height - TOP - FOOT - gap(p) * (p->npanels - 1.0)) / p->npanels;
}

/* Margins in pixels, so that they are the same in every size; y labels in one line. */
static void put_place(plot *p, int panel)
{
  int beside, right = right_margin(p, &beside);
  double w = p->width, h = p->height, each = panel_height(p),
         top = h - TOP - panel * (each + gap(p));
  fprintf(p->f, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", LEFT / w,
          1 - right / w);
  fprintf(p->f, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", top / h,
          (top - each) / h);
  fprintf(p->f, "set label 1 at screen %.4f, graph 0.5 center rotate ", Y_LABEL / w);
  put_y_text(p, panel);
  fputs(beside ? "\nset key at graph 1.02,1 left top vertical Left reverse samplen 1.5 maxcols 1\n"
               : "\nset key at graph 1,1.01 right bottom horizontal samplen 1.5\n",
        p->f);
  fputs("unset label 2\n", p->f);
  if (panel) return;
  fprintf(p->f, "set label 2 at screen %.4f, screen %.4f left font ',14' ", LEFT / w, 1 - 20 / h);
  put_title(p);
  fputc('\n', p->f);
}

/* Curves of a panel that its key has room for; the last one then stands for "and others". */
static int keys_shown(const plot *p)
{
  int room = p->page.format == NS_PLOT_TEXT ? p->height / p->npanels / 3
                                            : (int)(panel_height(p) / KEY_LINE);
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
  double t0 = p->t0, t1 = p->t1;
  int one = 1;
  if (u->phase || !(t1 > t0)) fputs("set xrange [*:*]\n", p->f);
  else fprintf(p->f, "set xrange [%.12g:%.12g]\n", t0, t1);
  fprintf(p->f, "set offsets graph %s, graph 0.06, graph 0.06\n",
          u->phase ? "0.03, graph 0.03" : "0, graph 0");
  if (panel + 1 < p->npanels && p->page.format != NS_PLOT_TEXT && !p->phases) {
    fputs("set format x ''\nunset xlabel\n", p->f);
    return;
  }
  for (const curve *k = u; k < p->curves + p->ncurves; k++)
    one = one && (k->panel != panel || strcmp(k->x.label, u->x.label) == 0);
  fputs("set format x\nset xlabel ", p->f);
  put_axis(p, one ? u->x.label : meta(p, u)->format ? kind(meta(p, u), &u->x) : "", u->x.unit);
  fputc('\n', p->f);
}

static void put_panel(plot *p, int panel)
{
  int n = curves_in(p, panel), text = p->page.format == NS_PLOT_TEXT;
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
    put_key(p, panel, k++, p->curves[i].key);
    before = ", ";
  }
  if (ticks)
    fprintf(p->f,
            ", $ticks using 1:2 axes x1y2 with lines lc rgb '#d00000' lw 1 dt solid title '%s'",
            key ? p->tick : "");
  fputc('\n', p->f);
}

static void put_script(plot *p)
{
  begin(p);
  fputs("set y2range [0:1]\nset yrange [*:*] noextend\n", p->f);
  if (p->npanels > 1 && p->page.format == NS_PLOT_TEXT)
    fprintf(p->f, "set multiplot layout %d,1\n", p->npanels);
  else if (p->npanels > 1) fputs("set multiplot\n", p->f);
  for (int k = 0; k < p->npanels; k++) put_panel(p, k);
  if (p->npanels > 1) fputs("unset multiplot\n", p->f);
}

/* ---- -------------------------------------------------------------------------------------------
 */

static int draw(plot *p, ns_ctx *c)
{
  int rc = choose(p, c);
  for (int k = 0; k < p->nruns && !rc; k++) rc = read_axis(p, c, &p->runs[k]);
  if (!rc) rc = name_curves(p, c);
  if (!rc) rc = ns_plot_page_open(c, p->o, &p->page);
  if (rc) return rc;
  p->f = p->page.f;
  for (int i = 0; i < p->ncurves && !rc; i++) rc = put_curve(p, c, i);
  if (!rc) rc = put_ticks(p, c);
  if (rc) {
    ns_plot_page_drop(&p->page);
    return rc;
  }
  put_script(p);
  return ns_plot_page_draw(c, &p->page);
}

int ns_plot_runs(ns_ctx *c, ns_result *const *r, int n, const ns_plot_options *o)
{
  ns_plot_format format;
  int rc = o->output && strcmp(o->output, "-") != 0 ? ns_plot_format_of(c, o->output, &format)
                                                    : NS_OK;
  if (!rc && n > MOST_RUNS)
    rc = ns_fail(c, NS_USAGE, "more than %d outputs in one picture: name fewer", MOST_RUNS);
  if (rc) return rc;
  plot *p = calloc(1, sizeof *p);
  if (!p || !(p->a = ns_arena_create(0, 1))) {
    free(p);
    return ns_nomem(c, "plot");
  }
  for (p->nruns = 0; p->nruns < n; p->nruns++)
    p->runs[p->nruns] = (run){.r = r[p->nruns], .m = ns_result_get_meta(r[p->nruns])};
  p->o = o;
  rc = draw(p, c);
  ns_arena_destroy(p->a);
  free(p);
  return rc;
}

int ns_plot(ns_ctx *c, ns_result *r, const ns_plot_options *o) { return ns_plot_runs(c, &r, 1, o); }
