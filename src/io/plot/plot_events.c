/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot_events.c -- a timeline of events: a lane for each row of an interaction that has some.
 *
 * Impacts are ticks as tall as their impulse, by the largest of the lane. Between events stands a
 * bar for the mode of the row: a contact that lasts, or where a multiplier of first order is in its
 * bounds. At most one mark of a kind is drawn in a column of pixels. */
#include "io/plot/plot_page.h"
#include "io/results/info_modes.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_LANES = 40,
  LANE = 30,
  AROUND = 150, /* pixels: title, keys, axis */
  PIXELS = 1000
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
  ns_figure figure;
  ns_panel *panel;
  lane *lanes; /* in the order of the model [nlanes] */
  size_t nlanes;
  lane **of; /* of each event, NULL: not drawn [m->nevents] */
  double t0, t1;
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
  if (!n) return ns_fail(c, NS_NOINPUT, "%s: no events to draw", ns_result_path(r));
  if (!k)
    return ns_fail(c, NS_USAGE, "%s: no events of '%s'; nssim info --events lists them",
                   ns_result_path(r), x->o->quantities[0]);
  if (x->nlanes > MAX_LANES)
    return ns_fail(c, NS_USAGE,
                   "%s: events of %zu rows of interactions, at most %d fit into one picture; name "
                   "some, such as '%s'",
                   ns_result_path(r), x->nlanes, MAX_LANES, x->lanes[0].id);
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
static void put_ticks(const timeline *x, const lane *k, int kind, ns_series *to)
{
  double last = -INFINITY, gap = (x->t1 - x->t0) / PIXELS, y = level(x, k), tallest = 0;
  for (size_t i = 0; i < x->m->nevents; i++) {
    const ns_result_event *e = &x->e[i];
    if (drawn_kind(e->kind) != kind || lane_of(x, e) != k || !in_range(x, e->t)) continue;
    double part = kind == NS_EVENT_IMPACT && k->impulse > 0 ? fabs(e->impulse) / k->impulse : 1;
    if (e->t < last + gap && part <= tallest) continue;
    if (!(e->t < last + gap)) {
      last = e->t;
      tallest = 0;
    }
    tallest = fmax(tallest, part);
    to->x[to->n] = to->x2[to->n] = e->t;
    to->y[to->n] = y - 0.4;
    to->y2[to->n++] = y - 0.4 + 0.1 + 0.7 * part;
  }
}

/* A bar from t to u; what is shorter than a pixel is made one long. */
static void put_bar(const timeline *x, int mode, const lane *k, double t, double u, ns_series *to)
{
  double y = level(x, k), pixel = (x->t1 - x->t0) / PIXELS,
         half = mode == NS_ROW_CLOSED ? 0.22 : 0.34;
  if (u < x->t0 || t > x->t1) return;
  t = fmax(t, x->t0);
  u = fmin(fmax(u, t + pixel), x->t1);
  to->x[to->n] = t;
  to->x2[to->n] = u;
  to->y[to->n] = y - half;
  to->y2[to->n++] = y + half;
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
static void put_mode(const timeline *x, const lane *k, int mode, ns_series *to)
{
  double since = x->t0;
  int now = -1, first = 1;
  for (size_t i = 0; i < x->m->nevents; i++) {
    const ns_result_event *e = &x->e[i];
    if (lane_of(x, e) != k) continue;
    if (first) now = mode_before(e);
    first = 0;
    int next = mode_after(e);
    if (now == mode && next != mode) put_bar(x, mode, k, since, e->t, to);
    if (next != now) since = e->t;
    now = next;
  }
  if (now == mode) put_bar(x, mode, k, since, x->t1, to);
}

/* ---- figure ---------------------------------------------------------------------------------- */

static int add_bars(timeline *x, ns_ctx *c)
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
  int max = ns_info_is_event_driven(x->m) ? NS_ROW_MODES : NS_ROW_STICK;
  for (int mode = NS_ROW_CLOSED; mode < max; mode++) {
    if (!bar[mode].title) continue;
    ns_series *s = ns_figure_add(c, &x->figure, x->panel, NS_GLYPH_BOXES, bar[mode].title,
                                 x->m->nevents + x->nlanes);
    if (!s) return c->rc;
    s->rgb = bar[mode].colour;
    s->n = 0;
    for (size_t k = 0; k < x->nlanes; k++) put_mode(x, &x->lanes[k], mode, s);
    if (!s->n) s->key = NULL;
  }
  return NS_OK;
}

static int add_marks(timeline *x, ns_ctx *c)
{
  static const char *const colour[] = {"#d00000", NULL,      "#808080", "#808080", "#7030a0",
                                       "#009e73", "#0050a0", "#e07b00", "#a05000", "#e0007a",
                                       "#009e73", "#009e73", "#404040"};
  enum { COLOURS = sizeof colour / sizeof *colour };
  char title[80];
  /* the last: kinds of other versions */
  for (int kind = 0; kind <= NS_EVENT_KINDS; kind++) {
    if (kind == NS_EVENT_CONTACT || kind == NS_EVENT_RELEASE) continue;
    snprintf(title, sizeof title, "%s%s",
             kind < NS_EVENT_KINDS ? ns_event_text((ns_event_kind)kind) : "event",
             kind == NS_EVENT_IMPACT ? " (height: impulse)" : "");
    ns_series *s = ns_figure_add(c, &x->figure, x->panel, NS_GLYPH_SEGMENTS, title, x->m->nevents);
    if (!s) return c->rc;
    s->rgb = colour[kind < COLOURS ? kind : COLOURS - 1];
    s->n = 0;
    for (size_t k = 0; k < x->nlanes; k++) put_ticks(x, &x->lanes[k], kind, s);
    if (!s->n) s->key = NULL;
  }
  return NS_OK;
}

/* "ground", "ground[1]" where its rows have lanes of their own. */
static const char *lane_name(const timeline *x, const lane *k)
{
  char name[300];
  int several = k->index >= 0 &&
                ((k > x->lanes && k[-1].index == k->index) ||
                 (k + 1 < x->lanes + x->nlanes && k[1].index == k->index) || k->row > 0);
  snprintf(name, sizeof name, several ? "%.260s[%d]" : "%.260s", k->id, k->row);
  return ns_arena_text(x->a, name);
}

static int name_lanes(timeline *x, ns_ctx *c)
{
  const char **word = ns_arena_get(x->a, x->nlanes, sizeof *word);
  double *at = ns_arena_get(x->a, x->nlanes, sizeof *at);
  if (!word || !at) return ns_nomem(c, "lanes of a timeline");
  for (size_t k = 0; k < x->nlanes; k++) {
    at[k] = level(x, &x->lanes[k]);
    if (!(word[k] = lane_name(x, &x->lanes[k]))) return ns_nomem(c, "lanes of a timeline");
  }
  ns_axis *y = &x->panel->y;
  y->word = word;
  y->word_at = at;
  y->nwords = (int)x->nlanes;
  y->from = -0.6;
  y->to = (double)x->nlanes - 0.4;
  y->name = "";
  return NS_OK;
}

static int make_figure(timeline *x, ns_ctx *c, const ns_result *r)
{
  char title[600];
  int height = AROUND + LANE * (int)x->nlanes;
  x->figure = (ns_figure){.a = x->a,
                          .linked = 1,
                          .width = 900,
                          .height = height < 260 ? 260 : height,
                          .rows = 8 + 2 * (int)x->nlanes};
  x->figure.title = ns_arena_text(x->a, ns_plot_title(x->o, r, title, sizeof title));
  if (!x->figure.title) return ns_nomem(c, "title of a plot");
  x->panel = ns_figure_panel(&x->figure);
  x->panel->empty = "no event is in this range";
  x->panel->x = (ns_axis){.name = "time", .unit = "s", .from = x->t0, .to = x->t1};
  int rc = name_lanes(x, c);
  if (!rc) rc = add_bars(x, c);
  return rc ? rc : add_marks(x, c);
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
  if (!rc) rc = make_figure(x, c, r);
  return rc ? rc : ns_figure_draw(c, &x->figure, x->o);
}

int ns_plot_events(ns_ctx *c, ns_result *r, const ns_plot_options *o)
{
  timeline x = {.o = o, .m = ns_result_get_meta(r), .a = ns_arena_create(0, 1)};
  if (!x.a) return ns_nomem(c, "timeline");
  int rc = draw(&x, c, r);
  ns_arena_destroy(x.a);
  return rc;
}
