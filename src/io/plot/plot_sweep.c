/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot_sweep.c -- pictures of many runs: measures over parameters.
 *
 * Each "X:Y" or "X:Y:Z" is a panel. Runs that failed or are not yet made, or that have no number in
 * one of its columns, are left out, and the title says how many there are. Where Y is an array
 * every sample is a dot; dots that fall into one cell of a grid of pixels are drawn once, and the
 * grid is made coarser until the picture is small enough. Colours of a plane fill cells between the
 * middles of neighbours where the runs stand on a grid, else each run is a coloured square. "Y"
 * with
 * --histogram is its distribution over the runs; "X:Y" with --quantiles are quantiles of Y over X,
 * of the runs with one X, or of bins with as many runs each where X is scattered. */
#include "io/plot/plot_page.h"
#include "io/plot/plot_transform.h"
#include "io/results/run_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_PANELS = 6,
  MAX_CURVES = 12,
  MAX_DOTS = 24000,
  MAX_CELLS = 40000,
  MARKED = 60,
  /* points with marks */ MANY = 2000 /* points of a cloud that are thinned */
};

typedef struct panel {
  ns_column x, z;
  ns_column *y;     /* samples, one for a scalar [ny] */
  int ny, plane;    /* plane: y[0] is the vertical axis, z the colour */
  int alone;        /* y has no x: a histogram */
  const char *name; /* of y */
  ns_panel *to;
} panel;

typedef struct sweep {
  ns_result *r;
  const ns_result_meta *m;
  const ns_plot_options *o;
  ns_arena *a;
  ns_figure figure;
  panel panels[MAX_PANELS];
  int npanels;
  ns_column by;
  size_t n;                  /* runs */
  size_t max_left;           /* runs left out, most of all panels */
  double *x, *y, *z, *group; /* columns [n] */
  size_t *order;             /* [n] */
} sweep;

/* ---- what is asked for ----------------------------------------------------------------------- */

/* "name", or all of name[0], name[1] ... */
static int find_samples(sweep *s, ns_ctx *c, const char *name, panel *p)
{
  ns_ctx quiet = {0};
  ns_column one;
  char label[512];
  p->name = name;
  if (!(p->y = ns_arena_get(s->a, s->m->ncols, sizeof *p->y)))
    return ns_nomem(c, "columns of a plot");
  for (p->ny = 0; (size_t)p->ny < s->m->ncols; p->ny++) {
    snprintf(label, sizeof label, "%.480s[%d]", name, p->ny);
    if (ns_result_find(s->r, &quiet, label, &p->y[p->ny])) break;
  }
  if (p->ny) return NS_OK;
  p->ny = 1;
  int rc = ns_result_find(s->r, c, name, &one);
  p->y[0] = one;
  return rc;
}

/* Of a histogram. */
static int add_alone(sweep *s, ns_ctx *c, const char *name, panel *p)
{
  if (strchr(name, ':'))
    return ns_fail(c, NS_USAGE, "'%s': --histogram plots one column of a sweep, not X:Y", name);
  p->alone = 1;
  int rc = find_samples(s, c, name, p);
  p->x = p->y[0];
  s->npanels += !rc;
  return rc;
}

static int add_panel(sweep *s, ns_ctx *c, const char *wish)
{
  char *text = ns_arena_text(s->a, wish), *y = text ? strchr(text, ':') : NULL,
       *z = y ? strchr(y + 1, ':') : NULL;
  panel *p = &s->panels[s->npanels];
  if (!text) return ns_nomem(c, "columns of a plot");
  if (s->npanels < MAX_PANELS && s->o->what == NS_PLOT_HISTOGRAM) return add_alone(s, c, text, p);
  if (!y || y == text || !y[1] || (z && !z[1]) || (z && strchr(z + 1, ':')))
    return ns_fail(c, NS_USAGE,
                   "'%s': for a sweep give X:Y, which plots Y over X, or X:Y:Z, which shows Z as "
                   "colours over both; each is a column of %s",
                   wish, ns_result_path(s->r));
  if (s->npanels == MAX_PANELS)
    return ns_fail(c, NS_USAGE, "more than %d panels: make two plots", MAX_PANELS);
  *y++ = 0;
  if (z) *z++ = 0;
  p->plane = z != NULL;
  int rc = ns_result_find(s->r, c, text, &p->x);
  if (!rc && z) rc = ns_result_find(s->r, c, z, &p->z);
  if (!rc) rc = find_samples(s, c, y, p);
  if (!rc && z && s->o->what == NS_PLOT_QUANTILES)
    rc = ns_fail(c, NS_USAGE, "'%s': --quantiles draws Y over X, expected X:Y", wish);
  if (!rc && z && p->ny > 1)
    rc = ns_fail(c, NS_USAGE, "'%s': %s is an array, expected a parameter", wish, y);
  s->npanels += !rc;
  return rc;
}

/* ---- curves ---------------------------------------------------------------------------------- */

typedef struct sorting {
  const double *first, *second;
} sorting;

static int by_value(const void *p, const void *q, void *to)
{
  const sorting *s = to;
  size_t i = *(const size_t *)p, k = *(const size_t *)q;
  if (s->first[i] != s->first[k]) return s->first[i] < s->first[k] ? -1 : 1;
  if (s->second[i] != s->second[k]) return s->second[i] < s->second[k] ? -1 : 1;
  return (i > k) - (i < k);
}

/* Runs that have all numbers, by the first column, then the second; their number. */
static size_t sort_runs(sweep *s, const double *first, const double *second, const double *third)
{
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++)
    if (isfinite(first[i]) && isfinite(second[i]) && isfinite(third[i])) s->order[n++] = i;
  if (s->n - n > s->max_left) s->max_left = s->n - n;
  if (n) qsort_r(s->order, n, sizeof *s->order, by_value, &(sorting){first, second});
  return n;
}

/* Whether values stand on a grid: distances that are multiples of the least one, some runs may be
 * missing. */
static int is_even(const double *x, const size_t *order, size_t n, double (*scale)(double))
{
  double step = INFINITY, all = scale(x[order[n - 1]]) - scale(x[order[0]]);
  for (size_t i = 1; i < n; i++) step = fmin(step, scale(x[order[i]]) - scale(x[order[i - 1]]));
  if (!(step > 0) || all / step > 2.0 * (double)n) return 0;
  for (size_t i = 1; i < n; i++) {
    double k = (scale(x[order[i]]) - scale(x[order[i - 1]])) / step;
    if (fabs(k - round(k)) > 1e-3) return 0;
  }
  return 1;
}

static double same(double x) { return x; }

/* Points of one curve, of ascending x at equal distances or ratios: a line may join them. */
static int is_grid(const double *x, const size_t *order, size_t n)
{
  return n < 3 || is_even(x, order, n, same) || (x[order[0]] > 0 && is_even(x, order, n, log));
}

/* A value of the column --by. */
static const char *group_title(const sweep *s, double x, char *buf, size_t n)
{
  const ns_channel *ch = &s->m->channels[s->by.channel];
  if (x >= 0 && x < ch->nwords) snprintf(buf, n, "%.60s", ch->word[(int)x]);
  else snprintf(buf, n, "%.6g", x);
  return buf;
}

/* Runs of one value of --by, in the order of x. */
static int add_runs(sweep *s, ns_ctx *c, ns_panel *to, const size_t *order, size_t n)
{
  char title[200];
  int line = is_grid(s->x, order, n);
  ns_glyph glyph = line ? (n > MARKED ? NS_GLYPH_LINE : NS_GLYPH_LINEPOINTS) : NS_GLYPH_POINTS;
  const char *key = s->o->by ? group_title(s, s->group[order[0]], title, sizeof title) : NULL;
  ns_series *k = ns_figure_add(c, &s->figure, to, glyph, key, n);
  for (size_t i = 0; k && i < n; i++) {
    k->x[i] = s->x[order[i]];
    k->y[i] = s->y[order[i]];
  }
  return k ? NS_OK : c->rc;
}

/* ---- dots ------------------------------------------------------------------------------------ */

typedef struct dots {
  float *x, *y; /* cell or pixel coordinates are made of them [n] */
  size_t n;
  double x0, x1, y0, y1;
} dots;

static void extend(dots *d, double x, double y)
{
  d->x0 = fmin(d->x0, x), d->x1 = fmax(d->x1, x);
  d->y0 = fmin(d->y0, y), d->y1 = fmax(d->y1, y);
}

/* Every sample of every run. A run without any is left out. */
static int read_dots(sweep *s, ns_ctx *c, const panel *p, dots *d)
{
  size_t left = 0;
  char *seen = ns_arena_zero(s->a, s->n, 1);
  *d = (dots){ns_arena_get(s->a, s->n * (size_t)p->ny, sizeof *d->x),
              ns_arena_get(s->a, s->n * (size_t)p->ny, sizeof *d->y),
              0,
              INFINITY,
              -INFINITY,
              INFINITY,
              -INFINITY};
  if (!d->x || !d->y || !seen) return ns_nomem(c, "dots of a plot");
  for (int k = 0; k < p->ny; k++) {
    int rc = ns_result_read(s->r, c, &p->y[k], s->y);
    if (rc) return rc;
    for (size_t i = 0; i < s->n; i++) {
      if (!isfinite(s->x[i]) || !isfinite(s->y[i])) continue;
      seen[i] = 1;
      extend(d, s->x[i], s->y[i]);
      d->x[d->n] = (float)s->x[i];
      d->y[d->n++] = (float)s->y[i];
    }
  }
  for (size_t i = 0; i < s->n; i++) left += !seen[i];
  if (left > s->max_left) s->max_left = left;
  return NS_OK;
}

/* The cell of a value among `cells`. */
static size_t cell(double v, double low, double high, size_t cells)
{
  double k = high > low ? (v - low) / (high - low) * (double)cells : 0;
  return k < 0 ? 0 : k >= (double)cells ? cells - 1 : (size_t)k;
}

/* Keep one dot a cell of a grid of nx x ny; the number that is left, d unchanged where keep is
 * NULL. */
static size_t thin_dots(dots *d, unsigned char *taken, size_t nx, size_t ny, int keep)
{
  size_t n = 0;
  memset(taken, 0, nx * ny);
  for (size_t i = 0; i < d->n; i++) {
    unsigned char *t = &taken[cell((double)d->x[i], d->x0, d->x1, nx) * ny +
                              cell((double)d->y[i], d->y0, d->y1, ny)];
    if (*t) continue;
    *t = 1;
    if (keep) d->x[n] = d->x[i], d->y[n] = d->y[i];
    n++;
  }
  return n;
}

static int add_dots(sweep *s, ns_ctx *c, const panel *p)
{
  dots d = {0};
  size_t nx = 2400, ny = 1600;
  unsigned char *taken = ns_arena_get(s->a, nx * ny, 1);
  int rc = taken ? read_dots(s, c, p, &d) : ns_nomem(c, "dots of a plot");
  if (rc) return rc;
  while (d.n && thin_dots(&d, taken, nx, ny, 0) > MAX_DOTS) {
    nx = 4 * nx / 5;
    ny = 4 * ny / 5;
  }
  d.n = thin_dots(&d, taken, nx, ny, 1);
  ns_glyph glyph = d.n > 3000 ? NS_GLYPH_DOTS : NS_GLYPH_POINTS;
  ns_series *k = ns_figure_add(c, &s->figure, p->to, glyph, NULL, d.n);
  for (size_t i = 0; k && i < d.n; i++) {
    k->x[i] = (double)d.x[i];
    k->y[i] = (double)d.y[i];
  }
  return k ? NS_OK : c->rc;
}

/* ---- all curves ------------------------------------------------------------------------------ */

static int add_curves(sweep *s, ns_ctx *c, const panel *p)
{
  int rc = ns_result_read(s->r, c, &p->y[0], s->y), curve = 0;
  if (rc) return rc;
  size_t n = sort_runs(s, s->group, s->x, s->y);
  /* a cloud */
  if (!s->o->by && n > MANY && !is_grid(s->x, s->order, n)) return add_dots(s, c, p);
  for (size_t i = 0, end; i < n && !rc; i = end, curve++) {
    for (end = i + 1; end < n && s->group[s->order[end]] == s->group[s->order[i]]; end++) continue;
    if (curve == MAX_CURVES)
      return ns_fail(c, NS_USAGE, "%s has more than %d values, too many curves for one picture",
                     s->by.label, MAX_CURVES);
    rc = add_runs(s, c, p->to, s->order + i, end - i);
  }
  return rc;
}

/* ---- distributions --------------------------------------------------------------------------- */

static int add_histogram(sweep *s, ns_ctx *c, const panel *p)
{
  double *all = ns_arena_get(s->a, s->n * (size_t)p->ny, sizeof *all);
  size_t n = 0, left = 0;
  if (!all) return ns_nomem(c, "histogram");
  for (int k = 0; k < p->ny; k++) {
    int rc = ns_result_read(s->r, c, &p->y[k], s->y);
    if (rc) return rc;
    for (size_t i = 0; i < s->n; i++) { /* x is not finite of a run that failed */
      int good = isfinite(s->y[i]) && (k > 0 || isfinite(s->x[i]));
      if (good) all[n++] = s->y[i];
      left += !good && k == 0;
    }
  }
  if (left > s->max_left) s->max_left = left;
  n = ns_plot_sort(all, n, all);
  return ns_plot_add_histogram(c, &s->figure, p->to, s->o->bins, p->name, all, n, 1);
}

/* The end of the group of runs that begins at i: those of one x; where x is scattered so many that
 * there are about as many groups as runs in each. */
static size_t group_end(const sweep *s, size_t i, size_t n, int scattered)
{
  size_t end = i + 1;
  if (scattered) {
    size_t many = (size_t)ceil(sqrt((double)n));
    return n - i < 2 * many ? n : i + many;
  }
  while (end < n && s->x[s->order[end]] == s->x[s->order[i]]) end++;
  return end;
}

static int add_quantiles(sweep *s, ns_ctx *c, const panel *p)
{
  static const double part[] = {0.95, 0.75, 0.5, 0.25, 0.05};
  enum { PARTS = sizeof part / sizeof *part };
  ns_series *line[PARTS];
  char key[24];
  int rc = ns_result_read(s->r, c, &p->y[0], s->y);
  double *some = ns_arena_get(s->a, s->n, sizeof *some);
  if (!some && !rc) rc = ns_nomem(c, "quantiles");
  if (rc) return rc;
  size_t n = sort_runs(s, s->x, s->y, s->y), distinct = n > 0;
  for (size_t i = 1; i < n; i++) distinct += s->x[s->order[i]] != s->x[s->order[i - 1]];
  int scattered = 2 * distinct > n;
  for (int k = 0; k < PARTS; k++) {
    snprintf(key, sizeof key, "%g %%", 100 * part[k]);
    if (!(line[k] = ns_figure_add(c, &s->figure, p->to, NS_GLYPH_LINE, key, n))) return c->rc;
    line[k]->colour = k < 3 ? 2 - k : k - 2; /* the same on both sides of the median */
    line[k]->dashed = k != 2;
    line[k]->n = 0;
  }
  for (size_t i = 0, end; i < n; i = end) {
    end = group_end(s, i, n, scattered);
    size_t m = end - i;
    double x = 0;
    for (size_t k = i; k < end; k++) {
      some[k - i] = s->y[s->order[k]];
      x += s->x[s->order[k]] / (double)m;
    }
    m = ns_plot_sort(some, m, some);
    for (int k = 0; k < PARTS; k++) {
      line[k]->x[line[k]->n] = x;
      line[k]->y[line[k]->n++] = ns_plot_quantile(some, m, part[k]);
    }
  }
  return NS_OK;
}

/* ---- colours of a plane ---------------------------------------------------------------------- */

typedef struct axis {
  double *v; /* distinct values, ascending [n] */
  size_t n;
} axis;

static int by_number(const void *p, const void *q)
{
  double a = *(const double *)p, b = *(const double *)q;
  return (a > b) - (a < b);
}

/* Values that differ by more than rounding. */
static int find_axis(sweep *s, ns_ctx *c, const double *x, axis *u)
{
  size_t n = 0;
  u->v = ns_arena_get(s->a, s->n, sizeof *u->v);
  u->n = 0;
  if (!u->v) return ns_nomem(c, "axis of a plot");
  for (size_t i = 0; i < s->n; i++)
    if (isfinite(x[i])) u->v[n++] = x[i];
  if (n) qsort(u->v, n, sizeof *u->v, by_number);
  double near = n ? 1e-9 * (u->v[n - 1] - u->v[0]) : 0;
  for (size_t i = 0; i < n; i++)
    if (!u->n || u->v[i] - u->v[u->n - 1] > near) u->v[u->n++] = u->v[i];
  return NS_OK;
}

static size_t index_on(const axis *u, double x)
{
  size_t low = 0, high = u->n;
  double near = 1e-9 * (u->v[u->n - 1] - u->v[0]);
  while (low + 1 < high) {
    size_t mid = low + (high - low) / 2;
    if (u->v[mid] <= x + near) low = mid;
    else high = mid;
  }
  return low;
}

/* Edges of cell i: the middles between neighbours; of the outermost as far as on the other side. On
 * a logarithmic axis the middle is the geometric one. */
static double edge(const axis *u, size_t i, int upper, int logarithmic)
{
  size_t k = upper ? i + 1 : i; /* edge k lies between k - 1 and k */
  if (u->n == 1) return u->v[0] + (upper ? 0.5 : -0.5) * (u->v[0] != 0 ? fabs(u->v[0]) / 10 : 1);
  int log_here = logarithmic && u->v[0] > 0;
  size_t in = k == 0 ? 0 : k == u->n ? u->n - 2 : k - 1;
  double a = log_here ? log(u->v[in]) : u->v[in], b = log_here ? log(u->v[in + 1]) : u->v[in + 1];
  double at = k == 0 ? a - (b - a) / 2 : k == u->n ? b + (b - a) / 2 : (a + b) / 2;
  return log_here ? exp(at) : at;
}

static void fill_cells(const sweep *s, const axis *u, const axis *v, ns_series *to)
{
  for (size_t i = 0; i < to->n; i++) {
    size_t run = s->order[i], a = index_on(u, s->x[run]), b = index_on(v, s->y[run]);
    to->x[i] = edge(u, a, 0, s->o->log_x);
    to->x2[i] = edge(u, a, 1, s->o->log_x);
    to->y[i] = edge(v, b, 0, s->o->log_y);
    to->y2[i] = edge(v, b, 1, s->o->log_y);
    to->z[i] = s->z[run];
  }
}

static int add_plane(sweep *s, ns_ctx *c, const panel *p)
{
  axis u, v;
  int rc = ns_result_read(s->r, c, &p->y[0], s->y);
  if (!rc) rc = ns_result_read(s->r, c, &p->z, s->z);
  if (!rc) rc = find_axis(s, c, s->x, &u);
  if (!rc) rc = find_axis(s, c, s->y, &v);
  if (rc) return rc;
  size_t n = sort_runs(s, s->x, s->y, s->z);
  if (!n) return NS_OK;
  if (n > MAX_CELLS && s->o->format != NS_PLOT_PNG)
    return ns_fail(c, NS_USAGE,
                   "%zu runs in a plane make a picture of more than %d cells: write it as .png", n,
                   MAX_CELLS);
  int grid = u.n * v.n <= 2 * s->n;
  ns_series *k = ns_figure_add(c, &s->figure, p->to, grid ? NS_GLYPH_CELLS : NS_GLYPH_SQUARES, NULL,
                               n);
  if (!k) return c->rc;
  p->to->x.tight = p->to->y.tight = grid;
  if (grid) fill_cells(s, &u, &v, k);
  for (size_t i = 0; i < n && !grid; i++) {
    k->x[i] = s->x[s->order[i]];
    k->y[i] = s->y[s->order[i]];
    k->z[i] = s->z[s->order[i]];
  }
  return NS_OK;
}

/* ---- figure ---------------------------------------------------------------------------------- */

/* "dir/study/measures.csv": study. */
static void folder_of(const char *path, char *buf, size_t n)
{
  const char *end = strrchr(path, '/'), *begin = end;
  while (begin && begin > path && begin[-1] != '/') begin--;
  if (!begin || begin == end || strncmp(begin, ".", (size_t)(end - begin)) == 0)
    snprintf(buf, n, "Sweep");
  else snprintf(buf, n, "%.*s", (int)(end - begin), begin);
}

static int set_title(sweep *s, ns_ctx *c)
{
  char title[600], all[700];
  ns_plot_title(s->o, s->r, title, sizeof title);
  if (!s->o->title && !(s->m->title && *s->m->title))
    folder_of(ns_result_path(s->r), title, sizeof title);
  if (s->max_left)
    snprintf(all, sizeof all, "%s  [%zu of %zu runs]", title, s->n - s->max_left, s->n);
  else snprintf(all, sizeof all, "%s", title);
  return (s->figure.title = ns_arena_text(s->a, all)) ? NS_OK : ns_nomem(c, "title of a plot");
}

/* Words stand in the place of their positions. */
static ns_axis axis_of(const sweep *s, const ns_column *col, const char *name)
{
  const ns_channel *ch = &s->m->channels[col->channel];
  return (ns_axis){.name = name,
                   .unit = col->unit,
                   .from = NAN,
                   .to = NAN,
                   .word = (const char *const *)ch->word,
                   .nwords = ch->nwords};
}

static void name_axes(const sweep *s, panel *p)
{
  ns_panel *to = p->to;
  to->empty = "no run has a value here";
  to->x = axis_of(s, &p->x, p->alone ? p->name : p->x.label);
  if (p->alone) to->y = (ns_axis){.name = "number of runs", .from = NAN, .to = NAN};
  else to->y = axis_of(s, &p->y[0], p->name);
  if (p->alone && p->ny > 1) to->y.name = "number of samples";
  if (p->plane) to->z = axis_of(s, &p->z, p->z.label);
}

static int key_title(const sweep *s, ns_ctx *c, ns_panel *to)
{
  char text[300];
  int known = s->by.unit && *s->by.unit && strcmp(s->by.unit, "1") != 0;
  snprintf(text, sizeof text, known ? "%.200s [%.60s]" : "%.200s", s->by.label, s->by.unit);
  return (to->key_title = ns_arena_text(s->a, text)) ? NS_OK : ns_nomem(c, "title of a key");
}

static int add_data(sweep *s, ns_ctx *c, panel *p)
{
  const ns_column status = {.channel = 2, .component = 0};
  p->to = ns_figure_panel(&s->figure);
  name_axes(s, p);
  int rc = ns_result_read(s->r, c, &status, s->y);
  if (!rc) rc = ns_result_read(s->r, c, &p->x, s->x);
  if (!rc && s->o->by && !p->plane) rc = key_title(s, c, p->to);
  if (rc) return rc;
  for (size_t i = 0; i < s->n; i++) /* one that failed has the values of its last good state */
    if (s->y[i] != NS_RUN_COMPLETE) s->x[i] = NAN;
  if (p->alone) return add_histogram(s, c, p);
  if (p->plane) return add_plane(s, c, p);
  if (s->o->what == NS_PLOT_QUANTILES) return add_quantiles(s, c, p);
  return p->ny > 1 ? add_dots(s, c, p) : add_curves(s, c, p);
}

static int make_figure(sweep *s, ns_ctx *c)
{
  int n = s->npanels, rc = NS_OK;
  s->figure = (ns_figure){.a = s->a,
                          .width = 900,
                          .height = n == 1 ? 560 : 120 + 340 * n,
                          .rows = n > 1 ? 3 + 16 * n : 24};
  for (int k = 0; k < n && !rc; k++) rc = add_data(s, c, &s->panels[k]);
  return rc ? rc : set_title(s, c);
}

static int draw(sweep *s, ns_ctx *c)
{
  int rc = NS_OK;
  const ns_array want[] = {{&s->x, s->n, sizeof *s->x},
                           {&s->y, s->n, sizeof *s->y},
                           {&s->z, s->n, sizeof *s->z},
                           {&s->group, s->n, sizeof *s->group},
                           {&s->order, s->n, sizeof *s->order}};
  if (ns_arena_arrays(s->a, want, sizeof want / sizeof *want))
    return ns_nomem(c, "columns of a plot");
  for (int k = 0; k < s->o->n && !rc; k++) rc = add_panel(s, c, s->o->quantities[k]);
  if (!rc && s->o->by) rc = ns_result_find(s->r, c, s->o->by, &s->by);
  if (!rc && s->o->by) rc = ns_result_read(s->r, c, &s->by, s->group);
  if (!rc && !s->n) rc = ns_fail(c, NS_NOINPUT, "%s: no runs to draw", ns_result_path(s->r));
  if (!rc) rc = make_figure(s, c);
  return rc ? rc : ns_figure_draw(c, &s->figure, s->o);
}

int ns_plot_sweep(ns_ctx *c, ns_result *r, const ns_plot_options *o)
{
  sweep s = {.r = r, .m = ns_result_get_meta(r), .o = o, .a = ns_arena_create(0, 1)};
  s.n = s.m->nrows;
  if (!s.a) return ns_nomem(c, "plot");
  int rc = draw(&s, c);
  ns_arena_destroy(s.a);
  return rc;
}
