/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_plot.c -- both curves of a quantity in one picture, and what lies between them.
 *
 * Above the two curves as they stand in the files, without any mapping of time; below B - A at the
 * times of both, each interpolated at those of the other. */
#include "io/compare/compare.h"
#include "io/compare/compare_curve.h"
#include "io/plot/figure.h"
#include "io/plot/plot_curve.h"

#include <math.h>
#include <string.h>

enum { BINS = 1000 /* columns of pixels that a curve is drawn in */ };

typedef struct curve {
  double *t, *y;
  const char *unit;
  size_t n, hint, next;
} curve;

static int read_curve(ns_ctx *c, ns_result *r, const char *label, ns_arena *arena, curve *k)
{
  ns_column time, col;
  size_t n = ns_result_get_meta(r)->nrows;
  *k = (curve){
      .t = ns_arena_get(arena, n, sizeof *k->t), .y = ns_arena_get(arena, n, sizeof *k->y), .n = n};
  if (!k->t || !k->y) return ns_nomem(c, "curves of a comparison");
  int rc = ns_result_find(r, c, "time", &time);
  if (!rc) rc = ns_result_find(r, c, label, &col);
  if (!rc) rc = ns_result_read(r, c, &time, k->t);
  if (!rc) k->unit = col.unit;
  return rc ? rc : ns_result_read(r, c, &col, k->y);
}

/* B - A at all times of both where both are known; t, d [a->n + b->n]; their number. */
static size_t differences(curve *a, curve *b, double *t, double *d)
{
  size_t n = 0;
  while (a->next < a->n || b->next < b->n) {
    double ta = a->next < a->n ? a->t[a->next] : INFINITY,
           tb = b->next < b->n ? b->t[b->next] : INFINITY;
    double at = ta <= tb ? ta : tb;
    double ya = ta <= tb ? a->y[a->next] : ns_curve_at(a->t, a->y, a->n, at, &a->hint);
    double yb = tb <= ta ? b->y[b->next] : ns_curve_at(b->t, b->y, b->n, at, &b->hint);
    t[n] = at;
    d[n++] = yb - ya;
    a->next += ta <= tb;
    b->next += tb <= ta;
  }
  return n;
}

static int add_curve(ns_ctx *c, ns_figure *f, ns_panel *p, const char *key, const double *t,
                     const double *y, size_t n)
{
  char *keep = ns_arena_get(f->a, n, 1);
  if (!keep) return ns_nomem(c, "curves of a comparison");
  size_t kept = n ? ns_plot_thin_function(t, y, n, BINS, keep) : 0, k = 0;
  ns_series *s = ns_figure_add(c, f, p, NS_GLYPH_LINE, key, kept);
  if (!s) return c->rc;
  for (size_t i = 0; i < n; i++) {
    if (!keep[i]) continue;
    s->x[k] = t[i];
    s->y[k++] = y[i];
  }
  return NS_OK;
}

static int add_panels(ns_ctx *c, ns_figure *f, curve *a, curve *b, const char *label)
{
  ns_panel *both = ns_figure_panel(f), *between = ns_figure_panel(f);
  double *t = ns_arena_get(f->a, a->n + b->n, sizeof *t),
         *d = ns_arena_get(f->a, a->n + b->n, sizeof *d);
  if (!t || !d) return ns_nomem(c, "curves of a comparison");
  size_t n = differences(a, b, t, d);
  both->y.name = label;
  between->y.name = "B - A";
  both->y.unit = between->y.unit = a->unit;
  both->x.name = between->x.name = "time";
  both->x.unit = between->x.unit = "s";
  if (n && t[n - 1] > t[0]) {
    both->x.from = between->x.from = t[0];
    both->x.to = between->x.to = t[n - 1];
  }
  int rc = add_curve(c, f, both, "A", a->t, a->y, a->n);
  if (!rc) rc = add_curve(c, f, both, "B", b->t, b->y, b->n);
  return rc ? rc : add_curve(c, f, between, NULL, t, d, n);
}

static int plot(ns_ctx *c, ns_result *ra, ns_result *rb, const char *label_a, const char *label_b,
                ns_arena *arena, const ns_plot_options *o)
{
  curve a, b;
  char title[600];
  int rc = read_curve(c, ra, label_a, arena, &a);
  if (!rc) rc = read_curve(c, rb, label_b, arena, &b);
  if (rc) return rc;
  snprintf(title, sizeof title, "%.60s: A = %.240s, B = %.240s", label_b, ns_result_path(ra),
           ns_result_path(rb));
  ns_figure f = {.a = arena, .title = title, .linked = 1, .width = 900, .height = 560, .rows = 29};
  rc = add_panels(c, &f, &a, &b, label_b);
  return rc ? rc : ns_figure_draw(c, &f, o);
}

int ns_compare_plot(ns_ctx *c, ns_result *a, ns_result *b, const char *label_a, const char *label_b,
                    const ns_plot_options *o)
{
  ns_plot_format format;
  ns_arena *arena = ns_arena_create(0, 1);
  if (!arena) return ns_nomem(c, "curves of a comparison");
  int rc = strcmp(o->output, "-") == 0 ? NS_OK : ns_plot_format_of(c, o->output, &format);
  if (!rc) rc = plot(c, a, b, label_a, label_b, arena, o);
  ns_arena_destroy(arena);
  return rc;
}
