/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plot/figure.h"

#include "expression/quote.h"
#include "io/plot/figure_draw.h"

#include <math.h>
#include <string.h>

ns_panel *ns_figure_panel(ns_figure *f)
{
  ns_panel *p = &f->panel[f->npanels++];
  *p = (ns_panel){
      .x = {.from = NAN, .to = NAN}, .y = {.from = NAN, .to = NAN}, .z = {.from = NAN, .to = NAN}};
  p->last = &p->series;
  return p;
}

ns_series *ns_figure_add(ns_ctx *c, ns_figure *f, ns_panel *p, ns_glyph glyph, const char *key,
                         size_t n)
{
  int corners = glyph == NS_GLYPH_SEGMENTS || glyph == NS_GLYPH_BOXES || glyph == NS_GLYPH_CELLS;
  int coloured = glyph == NS_GLYPH_CELLS || glyph == NS_GLYPH_SQUARES;
  ns_series *s = ns_arena_zero(f->a, 1, sizeof *s);
  int good = s != NULL;
  double **column[] = {&s->x, &s->y, &s->x2, &s->y2, &s->z};
  const int has[] = {1, 1, corners, corners, coloured};
  for (int k = 0; k < 5 && good; k++)
    if (has[k]) good = (*column[k] = ns_arena_get(f->a, n, sizeof(double))) != NULL;
  if (good && key) good = (s->key = ns_arena_text(f->a, key)) != NULL;
  if (!good) {
    ns_nomem(c, "data of a plot");
    return NULL;
  }
  s->glyph = glyph;
  s->n = n;
  s->colour = p->nseries++;
  p->has_colours |= coloured;
  *p->last = s;
  p->last = &s->next;
  return s;
}

/* ---- ranges ---------------------------------------------------------------------------------- */

static void reach(const double *v, size_t n, int logarithmic, double *low, double *high)
{
  for (size_t i = 0; v && i < n; i++) {
    if (!isfinite(v[i]) || (logarithmic && v[i] <= 0)) continue;
    *low = fmin(*low, v[i]);
    *high = fmax(*high, v[i]);
  }
}

/* As far as the data reach, and a part of that more: on a logarithmic axis of the decades. */
static void choose_range(ns_axis *a, double low, double high, double part)
{
  double capacity = a->tight ? 0 : part;
  if (a->logarithmic) {
    double decades = log10(high) - log10(low), more = decades > 0 ? capacity * decades : 0.3;
    if (isnan(a->from)) a->from = pow(10, log10(low) - more);
    if (isnan(a->to)) a->to = pow(10, log10(high) + more);
    return;
  }
  double span = high - low, more = capacity * span;
  if (!(span > 1e-12 * fmax(fabs(low), fabs(high)))) /* one value: rounding is not drawn large */
    more = low != 0 ? 0.1 * fabs(low) : 1;
  if (isnan(a->from)) a->from = low - more;
  if (isnan(a->to)) a->to = high + more;
}

static int axis_range(ns_ctx *c, const ns_panel *p, ns_axis *a, char which, double part)
{
  double low = INFINITY, high = -INFINITY;
  for (const ns_series *s = p->series; s; s = s->next) {
    reach(which == 'x' ? s->x : which == 'y' ? s->y : s->z, s->n, a->logarithmic, &low, &high);
    if (which != 'z') reach(which == 'x' ? s->x2 : s->y2, s->n, a->logarithmic, &low, &high);
  }
  int any = high >= low, given = !isnan(a->from) && !isnan(a->to);
  if (!any && !given && a->logarithmic && p->series)
    return ns_fail(c, NS_USAGE,
                   "--log %c: %s has no value above 0, which a logarithmic axis needs; remove %c, "
                   "or plot another quantity",
                   which, a->name, which);
  if (!any) low = a->logarithmic ? 1 : 0, high = 1;
  if (a->logarithmic && ((!isnan(a->from) && a->from <= 0) || (!isnan(a->to) && a->to <= 0)))
    return ns_fail(c, NS_USAGE,
                   "--log %c: the range %g to %g of %s reaches 0 or less, which has no logarithm; "
                   "expected two numbers above 0",
                   which, a->from, a->to, a->name);
  choose_range(a, low, high, part);
  if (a->from < a->to) return NS_OK;
  return ns_fail(c, NS_USAGE, "the range of %s is empty: %g to %g", a->name, a->from, a->to);
}

static void ask(ns_axis *a, int logarithmic, const double range[2])
{
  if (!a->nwords) a->logarithmic = logarithmic;
  /* A run from t = 0: without a wish the axis begins at the first value that has a logarithm. */
  if (a->logarithmic && a->from <= 0) a->from = NAN;
  if (!(range[0] < range[1])) return;
  a->from = range[0];
  a->to = range[1];
}

static int shown_on(const ns_axis *a, double v)
{
  return isfinite(v) && (!a->logarithmic || v > 0);
}

int ns_figure_drawable(const ns_panel *p, double x, double y)
{
  return shown_on(&p->x, x) && shown_on(&p->y, y);
}

/* A curve of which logarithmic axes show nothing is missing without a word in the picture. */
static void tell_missing(ns_ctx *c, const ns_panel *p)
{
  if (!p->x.logarithmic && !p->y.logarithmic) return;
  for (const ns_series *s = p->series; s; s = s->next) {
    size_t i = 0;
    while (i < s->n && !ns_figure_drawable(p, s->x[i], s->y[i])) i++;
    if (s->key && s->n && i == s->n)
      ns_warn(c, "%s has no value above 0, which a logarithmic axis needs: it is not drawn",
              s->key);
  }
}

static int find_ranges(ns_ctx *c, ns_figure *f, const ns_plot_options *o)
{
  int rc = NS_OK;
  for (ns_panel *p = f->panel; p < f->panel + f->npanels && !rc; p++) {
    ask(&p->x, o->log_x, o->x_range);
    ask(&p->y, o->log_y, o->y_range);
    rc = axis_range(c, p, &p->x, 'x', 0.03);
    if (!rc) rc = axis_range(c, p, &p->y, 'y', 0.06);
    if (!rc && p->has_colours) rc = axis_range(c, p, &p->z, 'z', 0);
    if (!rc) tell_missing(c, p);
  }
  return rc;
}

int ns_figure_draw(ns_ctx *c, ns_figure *f, const ns_plot_options *o)
{
  ns_plot_format format = o->output ? o->format : NS_PLOT_TEXT;
  int rc = o->output && strcmp(o->output, "-") != 0 ? ns_plot_format_of(c, o->output, &format)
                                                    : NS_OK;
  if (!rc) rc = find_ranges(c, f, o);
  if (rc) return rc;
  return format == NS_PLOT_HTML ? ns_figure_page(c, f, o) : ns_figure_gnuplot(c, f, o, format);
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* Advance widths of Helvetica in thousandths of the type size, from the blank on (Adobe's
 * published font metrics). */
static const short advance[] = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};

static double letter_width(const char *s, size_t bytes)
{
  unsigned char k = (unsigned char)*s;
  if (bytes == 1 && k >= ' ' && k < ' ' + sizeof advance / sizeof *advance)
    return advance[k - ' '] / 1000.0;
  return bytes > 2 ? 1 : 0.8; /* wide scripts; others beyond ASCII */
}

double ns_figure_text_width(const char *text, double size)
{
  double w = 0;
  size_t left = strlen(text);
  while (left) {
    size_t n = ns_utf8_length(text, left);
    if (!n) n = 1;
    w += letter_width(text, n);
    text += n;
    left -= n;
  }
  return size * w;
}

/* What stands for a byte that begins no longer sequence. */
static char single_letter(char s, size_t bytes)
{
  unsigned char k = (unsigned char)s;
  if (k < ' ' || k == 127) return ' ';
  return bytes ? s : '?';
}

const char *ns_figure_fit(const char *text, double size, double width, char *buf, size_t n)
{
  size_t left = strlen(text), at = 0, cut = 0; /* cut: where "..." still finds room */
  double w = 0, dots = 3 * letter_width(".", 1) * size;
  while (left && at + 8 < n) {
    size_t k = ns_utf8_length(text, left);
    if (k > 1) memcpy(buf + at, text, k);
    else buf[at] = single_letter(*text, k);
    if (!k) k = 1;
    w += size * letter_width(buf + at, k);
    at += k;
    if (w + dots <= width) cut = at;
    if (w > width) break;
    text += k;
    left -= k;
  }
  if (left) memcpy(buf + cut, "...", 3), at = cut + 3;
  buf[at] = 0;
  return buf;
}

static int continues(char s) { return ((unsigned char)s & 0xC0) == 0x80; }

const char *ns_figure_fit_middle(const char *text, double size, double width, char *buf, size_t n)
{
  char whole[600];
  ns_figure_fit(text, size, 1e9, whole, sizeof whole);
  const char *end = whole;
  double half = (width - 3 * letter_width(".", 1) * size) / 2;
  if (ns_figure_text_width(whole, size) <= width) return ns_figure_fit(text, size, width, buf, n);
  while (*end && ns_figure_text_width(end, size) > half) do
      end++;
    while (continues(*end));
  size_t tail = strlen(end);
  if (tail + 16 > n) return ns_figure_fit(text, size, width, buf, n);
  ns_figure_fit(whole, size, width - ns_figure_text_width(end, size), buf, n - tail);
  memcpy(buf + strlen(buf), end, tail + 1);
  return buf;
}
