/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_page.c -- a figure as a page that shows values under the pointer and zooms.
 *
 * The page is view/plot.html, in which the words title and figure are replaced: the figure as JSON,
 * as its comment says. gnuplot takes no part. */
#include "io/export/export_file.h"
#include "io/plot/figure_draw.h"
#include "io/webpage.h"

#include <math.h>
#include <string.h>

typedef struct source {
  const ns_figure *f;
  const ns_plot_options *o;
} source;

static void set(json_t *o, const char *key, json_t *value, int *bad)
{
  *bad |= json_object_set_new(o, key, value) != 0;
}

/* Gaps are null. */
static json_t *reals(const double *x, size_t n, int *bad)
{
  json_t *v = json_array();
  for (size_t i = 0; i < n; i++)
    ns_webpage_append(v, isfinite(x[i]) ? json_real(x[i]) : json_null(), bad);
  return v;
}

/* Control characters and what is not UTF-8 made harmless. */
static json_t *text(const char *s)
{
  char buf[600];
  return ns_webpage_text(ns_figure_fit(s ? s : "", 1, 500, buf, sizeof buf));
}

static json_t *axis(const ns_axis *a, int *bad)
{
  json_t *o = json_object();
  char name[400];
  set(o, "name", text(ns_figure_axis(a, name, sizeof name)), bad);
  set(o, "from", json_real(a->from), bad);
  set(o, "to", json_real(a->to), bad);
  if (a->logarithmic) set(o, "log", json_true(), bad);
  if (!a->nwords) return o;
  json_t *words = json_array(), *at = json_array();
  for (int k = 0; k < a->nwords; k++) {
    ns_webpage_append(words, text(a->word[k]), bad);
    ns_webpage_append(at, json_real(a->word_at ? a->word_at[k] : k), bad);
  }
  set(o, "words", words, bad);
  set(o, "at", at, bad);
  return o;
}

static json_t *series(const ns_series *s, int *bad)
{
  static const char *const glyph[NS_GLYPHS] = {"line",     "linepoints", "points", "dots",
                                               "segments", "boxes",      "cells",  "squares"};
  json_t *o = json_object();
  set(o, "glyph", json_string(glyph[s->glyph]), bad);
  set(o, "colour", json_integer(s->colour), bad);
  if (s->key) set(o, "key", text(s->key), bad);
  if (s->rgb) set(o, "rgb", json_string(s->rgb), bad);
  if (s->dashed) set(o, "dashed", json_true(), bad);
  const struct {
    const char *key;
    const double *v;
  } column[] = {{"x", s->x}, {"y", s->y}, {"x2", s->x2}, {"y2", s->y2}, {"z", s->z}};
  for (int k = 0; k < 5; k++)
    if (column[k].v) set(o, column[k].key, reals(column[k].v, s->n, bad), bad);
  return o;
}

static json_t *panel(const ns_panel *p, int *bad)
{
  json_t *o = json_object(), *all = json_array();
  set(o, "x", axis(&p->x, bad), bad);
  set(o, "y", axis(&p->y, bad), bad);
  if (p->has_colours) set(o, "z", axis(&p->z, bad), bad);
  if (p->key_title) set(o, "keyTitle", text(p->key_title), bad);
  if (p->empty) set(o, "empty", json_string(p->empty), bad);
  if (p->nrug) set(o, "rug", reals(p->rug, p->nrug, bad), bad);
  if (p->nrug && p->rug_name) set(o, "rugName", json_string(p->rug_name), bad);
  for (const ns_series *s = p->series; s; s = s->next) ns_webpage_append(all, series(s, bad), bad);
  set(o, "series", all, bad);
  return o;
}

static json_t *theme(ns_plot_theme t, int *bad)
{
  const ns_figure_theme *k = ns_figure_theme_of(t);
  json_t *o = json_object(), *palette = json_array();
  set(o, "paper", json_string(k->paper), bad);
  set(o, "ink", json_string(k->ink), bad);
  set(o, "tick", json_string(k->tick), bad);
  set(o, "grid", json_string(k->grid), bad);
  set(o, "border", json_string(k->border), bad);
  set(o, "rug", json_string(k->rug), bad);
  for (const char *const *p = k->palette; *p; p++) ns_webpage_append(palette, json_string(*p), bad);
  set(o, "palette", palette, bad);
  return o;
}

static int put_figure(ns_ctx *c, const source *s, FILE *f)
{
  const ns_figure *k = s->f;
  int bad = 0;
  json_t *o = json_object(), *panels = json_array(), *themes = json_array();
  for (int i = 0; i < k->npanels; i++) ns_webpage_append(panels, panel(&k->panel[i], &bad), &bad);
  for (int t = NS_PLOT_LIGHT; t <= NS_PLOT_PRINT; t++)
    ns_webpage_append(themes, theme((ns_plot_theme)t, &bad), &bad);
  set(o, "title", text(k->title), &bad);
  set(o, "width", json_integer(s->o->width ? s->o->width : k->width), &bad);
  set(o, "height", json_integer(s->o->height ? s->o->height : k->height), &bad);
  if (k->linked) set(o, "linked", json_true(), &bad);
  set(o, "theme", json_integer(s->o->theme), &bad);
  set(o, "themes", themes, &bad);
  set(o, "panels", panels, &bad);
  return ns_webpage_json(c, o, bad, f);
}

static int put_part(ns_ctx *c, void *self, const char *word, size_t n, FILE *f)
{
  const source *s = self;
  if (ns_webpage_is("figure", word, n)) return put_figure(c, s, f);
  if (!ns_webpage_is("title", word, n))
    return ns_fail(c, NS_NOINPUT, "%s: contains the placeholder \"%.*s\", expected title or figure",
                   s->o->page, (int)n, word);
  ns_export_put_attribute(s->f->title, f);
  return NS_OK;
}

int ns_figure_page(ns_ctx *c, const ns_figure *f, const ns_plot_options *o)
{
  source s = {f, o};
  if (!o->page)
    return ns_fail(c, NS_NOINPUT,
                   "view/plot.html is missing, expected it next to nssim or in share/nssim; set "
                   "NSSIM_DATA_DIR to the folder that contains view/");
  return ns_webpage_write(c, o->page, o->output, put_part, &s);
}
