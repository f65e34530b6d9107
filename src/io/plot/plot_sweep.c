/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot_sweep.c -- pictures of many runs: measures over parameters.
 *
 * Each "X:Y" or "X:Y:Z" is a panel. Runs that failed or are not yet made, or that have no number in
 * one of its columns, are left out, and the title says how many there are. Where Y is an array
 * every sample is a dot; dots that fall into one cell of a grid of pixels are drawn once, and the
 * grid is made coarser until the picture is small enough. Colours of a plane fill cells between the
 * middles of neighbours where the runs stand on a grid, else each run is a coloured square. */
#include "io/plot/gnuplot.h"
#include "io/plot/plot_page.h"
#include "io/results/run_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_PANELS = 6,
  MOST_CURVES = 12,
  MOST_DOTS = 24000,
  MOST_CELLS = 40000,
  MARKED = 60,
  /* points with marks */ MANY = 2000 /* points of a cloud that are thinned */
};

typedef struct panel {
  ns_column x, z;
  ns_column *y;     /* samples, one for a scalar [ny] */
  int ny, plane;    /* plane: y[0] is the vertical axis, z the colour */
  const char *name; /* of y */
} panel;

typedef struct sweep {
  ns_result *r;
  const ns_result_meta *m;
  const ns_plot_options *o;
  ns_arena *a;
  ns_plot_page page;
  panel panels[MOST_PANELS];
  int npanels;
  ns_column by;
  size_t n;                  /* runs */
  size_t most_left;          /* runs left out, most of all panels */
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

static int add_panel(sweep *s, ns_ctx *c, const char *wish)
{
  char *text = ns_arena_text(s->a, wish), *y = text ? strchr(text, ':') : NULL,
       *z = y ? strchr(y + 1, ':') : NULL;
  panel *p = &s->panels[s->npanels];
  if (!text) return ns_nomem(c, "columns of a plot");
  if (!y || y == text || !y[1] || (z && !z[1]) || (z && strchr(z + 1, ':')))
    return ns_fail(c, NS_USAGE,
                   "'%s': of a sweep X:Y is drawn, Y over X, or X:Y:Z, colours of Z over both; "
                   "each is a column of %s",
                   wish, ns_result_path(s->r));
  if (s->npanels == MOST_PANELS)
    return ns_fail(c, NS_USAGE, "more than %d panels: make two plots", MOST_PANELS);
  *y++ = 0;
  if (z) *z++ = 0;
  p->plane = z != NULL;
  int rc = ns_result_find(s->r, c, text, &p->x);
  if (!rc && z) rc = ns_result_find(s->r, c, z, &p->z);
  if (!rc) rc = find_samples(s, c, y, p);
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
  if (s->n - n > s->most_left) s->most_left = s->n - n;
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

static const char *between(int *n) { return (*n)++ ? ", " : "plot "; }

/* Curves are plotted together once their data stand in the script: so the commands are collected.
 */
typedef struct commands {
  char text[MOST_CURVES * 400];
  size_t at;
  int n;
} commands;

static void add_command(commands *k, const char *data, const char *style, const char *title)
{
  k->at += (size_t)snprintf(k->text + k->at, sizeof k->text - k->at,
                            "%s%s using 1:2 with %s title '%s'", between(&k->n), data, style,
                            title);
}

/* A value of the column --by as part of a string of gnuplot: no quote can be in it. */
static const char *group_title(const sweep *s, double x, char *buf, size_t n)
{
  const ns_channel *ch = &s->m->channels[s->by.channel];
  if (x >= 0 && x < ch->nwords) snprintf(buf, n, "%.60s", ch->word[(int)x]);
  else snprintf(buf, n, "%.6g", x);
  for (char *p = buf; (p = strchr(p, '\''));) *p = ' ';
  return buf;
}

static void put_curve(sweep *s, int at, int curve, const size_t *order, size_t n, commands *k)
{
  char data[32], style[80], title[200] = "";
  snprintf(data, sizeof data, "$p%dc%d", at, curve);
  fprintf(s->page.f, "%s << END\n", data);
  for (size_t i = 0; i < n; i++) fprintf(s->page.f, "%.12g %.9g\n", s->x[order[i]], s->y[order[i]]);
  fputs("END\n", s->page.f);
  int line = is_grid(s->x, order, n);
  if (line && n > MARKED) snprintf(style, sizeof style, "lines lt %d", curve + 1);
  else
    snprintf(style, sizeof style, "%s lt %d pt 7 ps %s", line ? "linespoints" : "points", curve + 1,
             n > 500 ? "0.2" : "0.45");
  if (s->o->by) group_title(s, s->group[order[0]], title, sizeof title);
  add_command(k, data, style, title);
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
  if (left > s->most_left) s->most_left = left;
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

static int put_dots(sweep *s, ns_ctx *c, int at, commands *k)
{
  dots d = {0};
  char data[32], style[60];
  size_t nx = 2400, ny = 1600;
  unsigned char *taken = ns_arena_get(s->a, nx * ny, 1);
  int rc = taken ? read_dots(s, c, &s->panels[at], &d) : ns_nomem(c, "dots of a plot");
  if (rc) return rc;
  while (d.n && thin_dots(&d, taken, nx, ny, 0) > MOST_DOTS) nx = 4 * nx / 5, ny = 4 * ny / 5;
  d.n = thin_dots(&d, taken, nx, ny, 1);
  snprintf(data, sizeof data, "$p%dc0", at);
  fprintf(s->page.f, "%s << END\n", data);
  for (size_t i = 0; i < d.n; i++)
    fprintf(s->page.f, "%.7g %.7g\n", (double)d.x[i], (double)d.y[i]);
  fputs("END\n", s->page.f);
  if (d.n > 3000) snprintf(style, sizeof style, "dots lc rgb '#0072b2'");
  else
    snprintf(style, sizeof style, "points lc rgb '#0072b2' pt 7 ps %s", d.n > 800 ? "0.2" : "0.25");
  if (d.n) add_command(k, data, style, "");
  return NS_OK;
}

/* ---- all curves ------------------------------------------------------------------------------ */

static int put_curves(sweep *s, ns_ctx *c, int at, commands *k)
{
  panel *p = &s->panels[at];
  int rc = ns_result_read(s->r, c, &p->y[0], s->y), curve = 0;
  if (rc) return rc;
  size_t n = sort_runs(s, s->group, s->x, s->y);
  /* a cloud */
  if (!s->o->by && n > MANY && !is_grid(s->x, s->order, n)) return put_dots(s, c, at, k);
  for (size_t i = 0, end; i < n; i = end, curve++) {
    for (end = i + 1; end < n && s->group[s->order[end]] == s->group[s->order[i]]; end++) continue;
    if (curve == MOST_CURVES)
      return ns_fail(c, NS_USAGE, "%s has more than %d values, too many curves for one picture",
                     s->by.label, MOST_CURVES);
    put_curve(s, at, curve, s->order + i, end - i, k);
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

static void put_cells(sweep *s, int at, const axis *u, const axis *v, size_t n)
{
  fprintf(s->page.f, "$p%dc0 << END\n", at);
  for (size_t i = 0; i < n; i++) {
    size_t run = s->order[i], a = index_on(u, s->x[run]), b = index_on(v, s->y[run]);
    fprintf(s->page.f, "%.9g %.9g %.9g %.9g %.9g %.9g %.7g\n", s->x[run], s->y[run],
            edge(u, a, 0, s->o->log_x), edge(u, a, 1, s->o->log_x), edge(v, b, 0, s->o->log_y),
            edge(v, b, 1, s->o->log_y), s->z[run]);
  }
  fputs("END\n", s->page.f);
}

/* viridis (van der Walt, Smith 2015), at nine places: equal steps look equal, also without colours.
 */
static void put_palette(const sweep *s)
{
  fputs("set palette defined (0 '#440154', 1 '#472d7b', 2 '#3b528b', 3 '#2c728e', 4 '#21918c', 5 "
        "'#28ae80', 6 '#5ec962', 7 '#addc30', 8 '#fde725')\nset cbtics out scale 0.6\n",
        s->page.f);
}

/* In the terminal: 0 for the least value, 9 for the greatest. */
static void put_digits(sweep *s, int at, size_t n, commands *k)
{
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < n; i++)
    low = fmin(low, s->z[s->order[i]]), high = fmax(high, s->z[s->order[i]]);
  k->at += (size_t)snprintf(k->text + k->at, sizeof k->text - k->at,
                            "%s$p%dc0 using 1:2:(sprintf('%%.0f', 9 * ($7 - (%.9g)) / %.9g)) with "
                            "labels title '0: %.4g, 9: %.4g'",
                            between(&k->n), at, low, high > low ? high - low : 1, low, high);
}

static int put_plane(sweep *s, ns_ctx *c, int at, commands *k)
{
  panel *p = &s->panels[at];
  axis u, v;
  int rc = ns_result_read(s->r, c, &p->y[0], s->y);
  if (!rc) rc = ns_result_read(s->r, c, &p->z, s->z);
  if (!rc) rc = find_axis(s, c, s->x, &u);
  if (!rc) rc = find_axis(s, c, s->y, &v);
  if (rc) return rc;
  size_t n = sort_runs(s, s->x, s->y, s->z);
  if (!n) return NS_OK;
  if (n > MOST_CELLS && s->page.format != NS_PLOT_PNG)
    return ns_fail(c, NS_USAGE,
                   "%zu runs in a plane make a picture of more than %d cells: draw it as .png", n,
                   MOST_CELLS);
  int grid = u.n * v.n <= 2 * s->n;
  put_cells(s, at, &u, &v, n);
  if (s->page.format == NS_PLOT_TEXT) put_digits(s, at, n, k);
  else if (!grid)
    k->at += (size_t)snprintf(k->text + k->at, sizeof k->text - k->at,
                              "%s$p%dc0 using 1:2:7 with points pt 5 ps %s lc palette notitle",
                              between(&k->n), at,
                              n > MANY  ? "0.25"
                              : n > 300 ? "0.5"
                                        : "0.8");
  else
    k->at += (size_t)snprintf(
        k->text + k->at, sizeof k->text - k->at,
        "%s$p%dc0 using 1:2:3:4:5:6:7 with boxxyerror fs solid 1 noborder lc palette notitle",
        between(&k->n), at);
  return NS_OK;
}

/* Words in the place of their positions; nothing where the axis has numbers. */
static void put_word_tics(const sweep *s, const char *which, const ns_column *col)
{
  const ns_channel *ch = &s->m->channels[col->channel];
  FILE *f = s->page.f;
  fprintf(f, "set %stics ", which);
  for (int k = 0; k < ch->nwords; k++) {
    fputs(k ? ", " : "(", f);
    ns_gnuplot_quote(f, ch->word[k]);
    fprintf(f, " %d", k);
  }
  fputs(ch->nwords ? ")\n" : "auto\n", f);
}

static int has_words(const sweep *s)
{
  for (int k = 0; k < s->npanels; k++)
    if (s->m->channels[s->panels[k].x.channel].nwords ||
        s->m->channels[s->panels[k].y[0].channel].nwords)
      return 1;
  return 0;
}

/* ---- script ---------------------------------------------------------------------------------- */

enum { GAP = 76, COLOUR_BAR = 136, KEYS = 110 }; /* pixels */

static void put_axes(const sweep *s, int at)
{
  const panel *p = &s->panels[at];
  FILE *f = s->page.f;
  char text[300];
  fputs("set xlabel ", f);
  ns_gnuplot_quote(f, ns_plot_axis(p->x.label, p->x.unit, text, sizeof text));
  fputc('\n', f);
  ns_plot_page_y_label(&s->page, ns_plot_axis(p->name, p->y[0].unit, text, sizeof text));
  if (!p->plane) {
    fputs(
        s->o->by
            ? "set key at graph 1.01,1 left top vertical Left reverse samplen 1.5 maxcols 1 title "
            : "unset key\n",
        f);
    if (s->o->by) ns_gnuplot_quote(f, ns_plot_axis(s->by.label, s->by.unit, text, sizeof text));
    fputs("\nunset colorbox\n", f);
    return;
  }
  fputs(s->page.format == NS_PLOT_TEXT ? "set key above\nunset colorbox\nset cblabel "
                                       : "unset key\nset colorbox\nset cblabel ",
        f);
  ns_gnuplot_quote(f, ns_plot_axis(p->z.label, p->z.unit, text, sizeof text));
  fputc('\n', f);
}

static void put_panel(const sweep *s, int at, const commands *k)
{
  int h = s->page.height - NS_PLOT_TOP - NS_PLOT_FOOT - GAP * (s->npanels - 1),
      each = h / s->npanels, plane = 0;
  int top = NS_PLOT_TOP + at * (each + GAP);
  for (int i = 0; i < s->npanels; i++) plane |= s->panels[i].plane;
  ns_plot_page_margins(&s->page, NS_PLOT_LEFT,
                       plane      ? COLOUR_BAR
                       : s->o->by ? KEYS
                                  : NS_PLOT_RIGHT,
                       top, s->page.height - top - each);
  put_axes(s, at);
  if (has_words(s)) {
    put_word_tics(s, "x", &s->panels[at].x);
    put_word_tics(s, "y", &s->panels[at].y[0]);
  }
  if (s->panels[at].plane)
    fputs("set xrange [*:*] noextend\nset yrange [*:*] noextend\nset offsets 0,0,0,0\nunset grid\n",
          s->page.f);
  else
    fputs("set xrange [*:*] noextend\nset yrange [*:*] noextend\nset offsets graph 0.02, graph "
          "0.02, graph 0.05, graph 0.05\n"
          "set grid\n",
          s->page.f);
  if (k->n) fprintf(s->page.f, "%s\n", k->text);
  else
    fputs("set label 3 'no run has a value here' at graph 0.5, graph 0.5 center\nset xrange "
          "[0:1]\nset yrange [0:1]\n"
          "plot -1 notitle\nunset label 3\nset xrange [*:*]\nset yrange [*:*]\n",
          s->page.f);
  fputs("unset label 2\n", s->page.f); /* the title */
}

/* "dir/study/measures.csv": study. */
static void folder_of(const char *path, char *buf, size_t n)
{
  const char *end = strrchr(path, '/'), *begin = end;
  while (begin && begin > path && begin[-1] != '/') begin--;
  if (!begin || begin == end || strncmp(begin, ".", (size_t)(end - begin)) == 0)
    snprintf(buf, n, "Sweep");
  else snprintf(buf, n, "%.*s", (int)(end - begin), begin);
}

static void put_title(const sweep *s)
{
  char title[600], all[700];
  ns_plot_title(s->o, s->r, title, sizeof title);
  if (!s->o->title && !(s->m->title && *s->m->title))
    folder_of(ns_result_path(s->r), title, sizeof title);
  if (s->most_left)
    snprintf(all, sizeof all, "%s  [%zu of %zu runs]", title, s->n - s->most_left, s->n);
  else snprintf(all, sizeof all, "%s", title);
  ns_plot_page_title(&s->page, all);
}

static int put_data(sweep *s, ns_ctx *c, int at, commands *k)
{
  const ns_column status = {.channel = 2, .component = 0};
  int rc = ns_result_read(s->r, c, &status, s->y);
  if (!rc) rc = ns_result_read(s->r, c, &s->panels[at].x, s->x);
  if (rc) return rc;
  for (size_t i = 0; i < s->n; i++) /* one that failed has the values of its last good state */
    if (s->y[i] != NS_RUN_COMPLETE) s->x[i] = NAN;
  if (s->panels[at].plane) return put_plane(s, c, at, k);
  return s->panels[at].ny > 1 ? put_dots(s, c, at, k) : put_curves(s, c, at, k);
}

static int put_script(sweep *s, ns_ctx *c)
{
  commands *all = ns_arena_zero(s->a, (size_t)s->npanels, sizeof *all);
  int rc = all ? NS_OK : ns_nomem(c, "plot"), text = s->page.format == NS_PLOT_TEXT;
  ns_plot_page_begin(&s->page, 900, s->npanels == 1 ? 560 : 120 + 340 * s->npanels,
                     s->npanels > 1 ? 3 + 16 * s->npanels : 0);
  put_palette(s);
  for (int k = 0; k < s->npanels && !rc; k++) rc = put_data(s, c, k, &all[k]);
  if (rc) return rc;
  if (s->o->log_x) fputs("set logscale x\n", s->page.f);
  if (s->o->log_y) fputs("set logscale y\n", s->page.f);
  if (s->npanels > 1)
    fprintf(s->page.f, text ? "set multiplot layout %d,1\n" : "set multiplot # %d\n", s->npanels);
  put_title(s);
  for (int k = 0; k < s->npanels; k++) put_panel(s, k, &all[k]);
  if (s->npanels > 1) fputs("unset multiplot\n", s->page.f);
  return NS_OK;
}

static int draw(sweep *s, ns_ctx *c)
{
  int rc = NS_OK;
  s->x = ns_arena_get(s->a, s->n, sizeof *s->x);
  s->y = ns_arena_get(s->a, s->n, sizeof *s->y);
  s->z = ns_arena_get(s->a, s->n, sizeof *s->z);
  s->group = ns_arena_zero(s->a, s->n, sizeof *s->group);
  s->order = ns_arena_get(s->a, s->n, sizeof *s->order);
  if (!s->x || !s->y || !s->z || !s->group || !s->order) return ns_nomem(c, "columns of a plot");
  for (int k = 0; k < s->o->n && !rc; k++) rc = add_panel(s, c, s->o->quantities[k]);
  if (!rc && s->o->by) rc = ns_result_find(s->r, c, s->o->by, &s->by);
  if (!rc && s->o->by) rc = ns_result_read(s->r, c, &s->by, s->group);
  if (!rc && !s->n) rc = ns_fail(c, NS_NOINPUT, "%s: no runs to draw", ns_result_path(s->r));
  if (!rc) rc = ns_plot_page_open(c, s->o, &s->page);
  if (!rc) rc = put_script(s, c);
  if (!rc) return ns_plot_page_draw(c, &s->page);
  ns_plot_page_drop(&s->page);
  return rc;
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
