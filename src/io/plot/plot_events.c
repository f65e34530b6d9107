/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot_events.c -- a timeline of events: a lane for each row of an interaction that has some.
 *
 * Impacts are ticks as tall as their impulse, by the largest of the lane. Between events stands a
 * bar for the mode of the row: a contact that lasts, or where a multiplier of first order is in its
 * bounds. At most one mark of a kind is drawn in a column of pixels. */
#include "io/plot/gnuplot.h"
#include "io/plot/plot_page.h"
#include "io/results/info_modes.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_LANES = 40,
  LANE = 30,
  TOP = 84 /* pixels: a title, two rows of keys */,
  PIXELS = 1000,
  NAME_LETTERS = 24
};

typedef struct lane {
  const char *id;
  int index, row; /* of the interaction in the model, in it */
  double impulse; /* largest */
} lane;

typedef struct timeline {
  const ns_plot_options *o;
  const ns_result_meta *m;
  const ns_result_event *e;
  ns_arena *a;
  ns_plot_page page;
  lane *lanes; /* in the order of the model [nlanes] */
  size_t nlanes;
  lane **of; /* of each event, NULL: not drawn [m->nevents] */
  double t0, t1;
  /* datablocks that have marks; the last: kinds of other versions */
  int of_kind[NS_EVENT_KINDS + 1];
  int has[NS_ROW_MODES]; /* bars */
} timeline;

/* ---- lanes ----------------------------------------------------------------------------------- */

static int asked(const timeline *x, const char *id)
{
  for (int k = 0; k < x->o->n; k++)
    if (strcmp(x->o->quantities[k], id) == 0 || fnmatch(x->o->quantities[k], id, 0) == 0) return 1;
  return !x->o->n;
}

static int lane_order(const void *p, const void *q)
{
  const lane *a = p, *b = q;
  return a->index != b->index ? (a->index > b->index) - (a->index < b->index)
                              : (a->row > b->row) - (a->row < b->row);
}

static lane *lane_of(const timeline *x, const ns_result_event *e) { return x->of[e - x->e]; }

static void measure(timeline *x)
{
  for (size_t i = 0; i < x->m->nevents; i++) {
    const ns_result_event *e = &x->e[i];
    lane key = {.index = e->index, .row = e->row},
         *k = bsearch(&key, x->lanes, x->nlanes, sizeof *x->lanes, lane_order);
    x->of[i] = k;
    if (!k) continue;
    if (fabs(e->impulse) > k->impulse) k->impulse = fabs(e->impulse);
  }
}

static int find_lanes(timeline *x, ns_ctx *c, const ns_result *r)
{
  size_t n = x->m->nevents, k = 0;
  lane *all = x->lanes = ns_arena_zero(x->a, n, sizeof *all);
  x->of = ns_arena_zero(x->a, n, sizeof *x->of);
  if (!all || !x->of) return ns_nomem(c, "lanes of a timeline");
  for (size_t i = 0; i < n; i++)
    if (asked(x, x->e[i].interaction))
      all[k++] = (lane){.id = x->e[i].interaction, .index = x->e[i].index, .row = x->e[i].row};
  if (k) qsort(all, k, sizeof *all, lane_order);
  for (size_t i = 0; i < k; i++)
    if (!i || lane_order(&all[i], &all[x->nlanes - 1]) != 0) all[x->nlanes++] = all[i];
  if (!n) return ns_fail(c, NS_NOINPUT, "%s: it has no events to draw", ns_result_path(r));
  if (!k)
    return ns_fail(c, NS_USAGE, "%s: no events of '%s'; nssim info --events lists them",
                   ns_result_path(r), x->o->quantities[0]);
  if (x->nlanes > MOST_LANES)
    return ns_fail(c, NS_USAGE,
                   "%s: events of %zu rows of interactions, more than the %d that one picture has "
                   "lanes for; name some, such as '%s'",
                   ns_result_path(r), x->nlanes, MOST_LANES, x->lanes[0].id);
  measure(x);
  return NS_OK;
}

/* Height of the middle of a lane; the first is uppermost. */
static double level(const timeline *x, const lane *k)
{
  return (double)(x->nlanes - 1 - (size_t)(k - x->lanes));
}

/* ---- marks ----------------------------------------------------------------------------------- */

static int in_range(const timeline *x, double t) { return t >= x->t0 && t <= x->t1; }

static int drawn_kind(int kind)
{
  return kind >= 0 && kind < NS_EVENT_KINDS ? kind : NS_EVENT_KINDS;
}

/* Ticks of one kind in one lane. */
static void put_ticks(timeline *x, const lane *k, int kind)
{
  double last = -INFINITY, gap = (x->t1 - x->t0) / PIXELS, y = level(x, k), tallest = 0;
  for (size_t i = 0; i < x->m->nevents; i++) {
    const ns_result_event *e = &x->e[i];
    if (drawn_kind(e->kind) != kind || lane_of(x, e) != k || !in_range(x, e->t)) continue;
    double part = kind == NS_EVENT_IMPACT && k->impulse > 0 ? fabs(e->impulse) / k->impulse : 1;
    if (e->t < last + gap && part <= tallest) continue;
    if (!(e->t < last + gap)) last = e->t, tallest = 0;
    tallest = fmax(tallest, part);
    fprintf(x->page.f, "%.12g %g\n%.12g %.4g\n\n", e->t, y - 0.4, e->t, y - 0.4 + 0.1 + 0.7 * part);
    x->of_kind[kind]++;
  }
}

/* A bar from t to u; what is shorter than a pixel is made one long. */
static void put_bar(timeline *x, int mode, const lane *k, double t, double u)
{
  double y = level(x, k), pixel = (x->t1 - x->t0) / PIXELS,
         half = mode == NS_ROW_CLOSED ? 0.22 : 0.34;
  if (u < x->t0 || t > x->t1) return;
  t = fmax(t, x->t0);
  u = fmin(fmax(u, t + pixel), x->t1);
  if (x->page.format == NS_PLOT_TEXT) fprintf(x->page.f, "%.12g %g\n%.12g %g\n\n", t, y, u, y);
  else fprintf(x->page.f, "%.12g %g %.12g %.12g %g %g\n", t, y, t, u, y - half, y + half);
  x->has[mode]++;
}

/* Files of earlier versions do not know modes, but what contacts and releases mean. */
static int mode_before(const ns_result_event *e)
{
  return e->was >= 0 ? e->was : e->kind == NS_EVENT_RELEASE ? (int)NS_ROW_CLOSED : -1;
}
static int mode_after(const ns_result_event *e)
{
  return e->is >= 0 ? e->is : e->kind == NS_EVENT_CONTACT ? (int)NS_ROW_CLOSED : -1;
}

/* Bars of one mode in one lane: before the first event, between events, after the last one. */
static void put_mode(timeline *x, const lane *k, int mode)
{
  double since = x->t0;
  int now = -1, first = 1;
  for (size_t i = 0; i < x->m->nevents; i++) {
    const ns_result_event *e = &x->e[i];
    if (lane_of(x, e) != k) continue;
    if (first) now = mode_before(e);
    first = 0;
    int next = mode_after(e);
    if (now == mode && next != mode) put_bar(x, mode, k, since, e->t);
    if (next != now) since = e->t;
    now = next;
  }
  if (now == mode) put_bar(x, mode, k, since, x->t1);
}

static void put_data(timeline *x)
{
  for (int kind = 0; kind <= NS_EVENT_KINDS; kind++) {
    fprintf(x->page.f, "$ticks%d << END\n", kind);
    for (size_t k = 0; k < x->nlanes && kind != NS_EVENT_CONTACT && kind != NS_EVENT_RELEASE; k++)
      put_ticks(x, &x->lanes[k], kind);
    fputs("END\n", x->page.f);
  }
  for (int mode = NS_ROW_CLOSED; mode < NS_ROW_MODES; mode++) {
    fprintf(x->page.f, "$bars%d << END\n", mode);
    for (size_t k = 0; k < x->nlanes; k++) put_mode(x, &x->lanes[k], mode);
    fputs("END\n", x->page.f);
  }
}

/* ---- script ---------------------------------------------------------------------------------- */

/* "ground", "ground[1]" where its rows have lanes of their own. */
static void lane_name(const timeline *x, const lane *k, char *buf, size_t n)
{
  int several = k->index >= 0 &&
                ((k > x->lanes && k[-1].index == k->index) ||
                 (k + 1 < x->lanes + x->nlanes && k[1].index == k->index) || k->row > 0);
  size_t len = strlen(k->id);
  snprintf(buf, n, "%.*s%s", NAME_LETTERS, k->id, len > NAME_LETTERS ? "..." : "");
  if (several) snprintf(buf + strlen(buf), n - strlen(buf), "[%d]", k->row);
}

static int put_lanes(const timeline *x)
{
  char name[64];
  size_t longest = 0;
  fputs("set ytics (", x->page.f);
  for (size_t k = 0; k < x->nlanes; k++) {
    lane_name(x, &x->lanes[k], name, sizeof name);
    if (strlen(name) > longest) longest = strlen(name);
    fputs(k ? ", " : "", x->page.f);
    ns_gnuplot_quote(x->page.f, name);
    fprintf(x->page.f, " %g", level(x, &x->lanes[k]));
  }
  fprintf(x->page.f, ")\nset yrange [-0.6:%g]\n", (double)x->nlanes - 0.4);
  return longest > 10 ? 24 + 8 * (int)longest : NS_PLOT_LEFT;
}

static const char *between(int *n) { return (*n)++ ? ", " : "plot "; }

static void put_bars(const timeline *x, int *n)
{
  static const struct {
    const char *colour, *title;
  } bar[NS_ROW_MODES] = {[NS_ROW_CLOSED] = {"#9ecae1", "lasting contact"},
                         [NS_ROW_LOWER] = {"#d9d9d9", "lambda at its lower bound"},
                         [NS_ROW_BETWEEN] = {"#f0c060", "between its bounds"},
                         [NS_ROW_UPPER] = {"#8dc5e8", "at its upper bound"},
                         [NS_ROW_STICK] = {"#9ecae1", "stick"},
                         [NS_ROW_SLIP] = {"#fdd0a2", "slip"}};
  /* elsewhere stick and slip do not tell where the contact opens */
  int most = ns_info_is_event_driven(x->m) ? NS_ROW_MODES : NS_ROW_STICK;
  const char *style = x->page.format == NS_PLOT_TEXT
                          ? "using 1:2 with lines"
                          : "using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder";
  for (int mode = NS_ROW_CLOSED; mode < most; mode++)
    if (x->has[mode] && bar[mode].title)
      fprintf(x->page.f, "%s$bars%d %s lc rgb '%s' title '%s'", between(n), mode, style,
              bar[mode].colour, bar[mode].title);
}

static void put_marks(const timeline *x, int *n)
{
  static const char *const colour[] = {"#d00000", "#000000", "#606060", "#303030",
                                       "#7030a0", "#009e73", "#0050a0", "#e07b00",
                                       "#a05000", "#e0007a", "#009e73"};
  enum { COLOURS = sizeof colour / sizeof *colour };
  for (int kind = 0; kind <= NS_EVENT_KINDS; kind++) {
    const char *name = kind < NS_EVENT_KINDS ? ns_event_text((ns_event_kind)kind) : "event";
    if (x->of_kind[kind])
      fprintf(x->page.f, "%s$ticks%d using 1:2 with lines lc rgb '%s' lw 1.2 title '%s%s'",
              between(n), kind, colour[kind < COLOURS ? kind : COLOURS - 1], name,
              kind == NS_EVENT_IMPACT ? " (height: impulse)" : "");
  }
}

static void put_script(timeline *x, const ns_result *r)
{
  char title[600];
  int height = TOP + NS_PLOT_FOOT + LANE * (int)x->nlanes, n = 0;
  ns_plot_page_begin(&x->page, 900, height < 260 ? 260 : height, 8 + 2 * (int)x->nlanes);
  put_data(x);
  fprintf(x->page.f, "set xrange [%.12g:%.12g]\nset xlabel 'time [s]'\n", x->t0, x->t1);
  ns_plot_page_margins(&x->page, put_lanes(x), NS_PLOT_RIGHT, TOP, NS_PLOT_FOOT);
  ns_plot_page_title(&x->page, ns_plot_title(x->o, r, title, sizeof title));
  fputs(x->page.format == NS_PLOT_TEXT
            ? "set key below\n"
            : "set key at graph 1,1.01 right bottom horizontal samplen 1.5\n",
        x->page.f);
  put_bars(x, &n);
  put_marks(x, &n);
  if (!n) fprintf(x->page.f, "plot [][] -9 notitle"); /* nothing between --from and --to */
  fputc('\n', x->page.f);
}

static int set_range(timeline *x, ns_ctx *c, ns_result *r)
{
  ns_column time;
  size_t n = x->m->nrows;
  double *t = ns_arena_get(x->a, n, sizeof *t);
  int rc = t ? ns_result_find(r, c, "time", &time) : ns_nomem(c, "times of the rows");
  if (!rc) rc = ns_result_read(r, c, &time, t);
  if (rc) return rc;
  x->t0 = isnan(x->o->from) ? n ? t[0] : x->e[0].t : x->o->from;
  x->t1 = isnan(x->o->to) ? n ? t[n - 1] : x->e[x->m->nevents - 1].t : x->o->to;
  if (x->t1 > x->t0) return NS_OK;
  return ns_fail(c, NS_USAGE, "%s: nothing to draw between t = %g s and t = %g s",
                 ns_result_path(r), x->t0, x->t1);
}

static int draw(timeline *x, ns_ctx *c, ns_result *r)
{
  int rc = ns_result_events(r, c, &x->e);
  if (!rc) rc = find_lanes(x, c, r);
  if (!rc) rc = set_range(x, c, r);
  if (!rc) rc = ns_plot_page_open(c, x->o, &x->page);
  if (rc) return rc;
  put_script(x, r);
  return ns_plot_page_draw(c, &x->page);
}

int ns_plot_events(ns_ctx *c, ns_result *r, const ns_plot_options *o)
{
  timeline x = {.o = o, .m = ns_result_get_meta(r), .a = ns_arena_create(0, 1)};
  if (!x.a) return ns_nomem(c, "timeline");
  int rc = draw(&x, c, r);
  ns_arena_destroy(x.a);
  return rc;
}
