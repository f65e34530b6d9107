/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_gnuplot.c -- a figure as a script of gnuplot.
 *
 * Panels, labels and keys are placed in pixels, by the widths of their texts, so that nothing is
 * cut and a picture of another size has the same letters. A terminal has no pixels: there gnuplot
 * places panels, and what is drawn stands in a line above each of them. */
#include "io/plot/figure_draw.h"
#include "io/plot/gnuplot.h"

#include <math.h>
#include <string.h>

/* pixels */
enum {
  LEFT = 104,
  RIGHT = 24,
  TOP = 62,
  FOOT = 66,
  GAP = 34,     /* between panels that share an axis */
  X_LABEL = 46, /* of an axis below its panel */
  Y_LABEL = 16, /* from the left edge */
  KEY_LINE = 18,
  KEY_SAMPLE = 52, /* the line before a key, and distances */
  COLOUR_BAR = 136,
  LETTERS = 13, /* type size */
  TITLE_LETTERS = 14,
  PANEL_MIN = 60, /* height */
  MAX_STYLES = 64
};
#define WIDER 1.12 /* gnuplot's and other types' letters by those of Helvetica */
/* Of a title in PNG and PDF, where sizes are points: 16 to 17 pixels in DejaVu Sans. */
enum { TITLE_POINTS = 12 };
#define TITLE_PIXELS 19.4

typedef struct sheet {
  const ns_figure *f;
  const ns_plot_options *o;
  const ns_figure_theme *theme;
  ns_plot_format format;
  FILE *out; /* the script */
  int width, height, left, right, beside;
} sheet;

/* ---- page ------------------------------------------------------------------------------------ */

static void put_terminal(const sheet *s)
{
  int w = s->width, h = s->height;
  const char *paper = s->theme->paper;
  switch (s->format) {
  case NS_PLOT_SVG:
    fprintf(s->out, "set terminal svg size %d,%d noenhanced font 'Helvetica,%d' background '%s'\n",
            w, h, LETTERS, paper);
    break;
  case NS_PLOT_PNG: /* twice the pixels: sharp on today's screens and in print */
    fprintf(s->out,
            "set terminal pngcairo size %d,%d noenhanced font 'Sans,9' fontscale 2 linewidth 2 "
            "background rgb '%s'\n",
            2 * w, 2 * h, paper);
    break;
  case NS_PLOT_PDF:
    fprintf(s->out,
            "set terminal pdfcairo size %gin,%gin noenhanced font 'Sans,9' background rgb '%s'\n",
            w / 100.0, h / 100.0, paper);
    break;
  default:
    fprintf(s->out, "set terminal dumb size %d,%d noenhanced %s\n", w, h,
            s->o->colour ? "ansi256" : "mono");
    break;
  }
}

/* Colours of a plane: viridis (van der Walt, Smith 2015), at nine places: equal steps look equal,
 * also without colours. */
static void put_palette(const sheet *s)
{
  fputs("set palette defined (0 '#440154', 1 '#472d7b', 2 '#3b528b', 3 '#2c728e', 4 '#21918c', 5 "
        "'#28ae80', 6 '#5ec962', 7 '#addc30', 8 '#fde725')\nset cbtics out scale 0.6\n",
        s->out);
}

static void put_style(const sheet *s)
{
  static const char *const dash[] = {"solid", "'-'", "'.'", "'-.'", "'_'", "'_.'"};
  const ns_figure_theme *t = s->theme;
  int colours = 0;
  fputs(
      "set encoding utf8\nset datafile separator whitespace\nset y2range [0:1]\nset format '%g'\n",
      s->out);
  put_palette(s);
  if (s->format == NS_PLOT_TEXT) {
    fputs("set border 3\nset tics nomirror out\n", s->out);
    return;
  }
  while (t->palette[colours]) colours++;
  /* Dashed only where colours repeat: dashes can hide short spikes. */
  for (int k = 0; k < MAX_STYLES; k++)
    fprintf(s->out, "set linetype %d lc rgb '%s' lw %s dt %s\n", k + 1, t->palette[k % colours],
            t->dashes ? "1.5" : "1.8", dash[k / colours % 6]);
  fprintf(s->out,
          "set border 3 lc rgb '%s'\nset tics nomirror out scale 0.6 textcolor rgb '%s'\n"
          "set cbtics textcolor rgb '%s'\nset cblabel textcolor rgb '%s'\n"
          "set key textcolor rgb '%s'\nset grid lt 1 lc rgb '%s' lw 0.8 dt solid\n",
          t->border, t->tick, t->tick, t->ink, t->ink, t->grid);
}

/* ---- numbers on axes ------------------------------------------------------------------------- */

/* Significant digits that tell neighbouring numbers on an axis apart: 6 are enough for most, not
 * from 101325.0001 to 101325.0002. */
static int axis_digits(const ns_axis *a)
{
  double large = fmax(fabs(a->from), fabs(a->to)), step = (a->to - a->from) / 20;
  if (a->logarithmic || a->nwords || !(step > 0) || !isfinite(large)) return 6;
  int digits = (int)(floor(log10(large)) - floor(log10(step))) + 1;
  if (digits < 6) return 6;
  return digits < 15 ? digits : 15;
}

/* The least of 1, 2, 5, 10, 20 ... times a power of ten that is not below a number. */
static double round_step(double min)
{
  double power = pow(10, floor(log10(min))), k = min / power;
  static const double mantissa[] = {1, 2, 5};
  for (int i = 0; i < 3; i++)
    if (k <= mantissa[i] + 1e-6) return mantissa[i] * power;
  return 10 * power;
}

/* Letters of the widest number on an axis with this distance of its numbers. */
static int widest_number(const ns_axis *a, double step)
{
  int widest = 0, digits = axis_digits(a);
  double first = ceil(a->from / step - 1e-9);
  for (int k = 0; k < 60 && (first + k) * step <= a->to + 1e-9 * step; k++) {
    char buf[40];
    int n = snprintf(buf, sizeof buf, "%.*g", digits, (first + k) * step);
    if (n > widest) widest = n;
  }
  return widest;
}

/* A distance of the numbers on a horizontal axis of so many letters, at which they do not run into
 * each other; 0 where gnuplot's own does it, which puts up to ten of them. */
static double tick_step(const ns_axis *a, double letters)
{
  double span = a->to - a->from, step = round_step(span / 10);
  if (!(step > 0) || !isfinite(step)) return 0;
  if ((widest_number(a, step) + 2) * span / step <= letters) return 0;
  for (int max = 9; max > 1; max--) {
    step = round_step(span / max);
    if ((widest_number(a, step) + 2) * span / step <= letters) break;
  }
  return step;
}

/* ---- data ------------------------------------------------------------------------------------ */

static int drawn(const ns_panel *p, const ns_series *u, size_t i)
{
  return ns_figure_drawable(p, u->x[i], u->y[i]);
}

/* A point of a line between two gaps: a line alone does not show it. */
static int stands_alone(const ns_panel *p, const ns_series *u, size_t i)
{
  return u->glyph == NS_GLYPH_LINE && drawn(p, u, i) && !(i && drawn(p, u, i - 1)) &&
         !(i + 1 < u->n && drawn(p, u, i + 1));
}

static int has_lone_points(const sheet *s, const ns_panel *p, const ns_series *u)
{
  if (s->format == NS_PLOT_TEXT) return 0; /* where a line of one point is a letter */
  for (size_t i = 0; i < u->n; i++)
    if (stands_alone(p, u, i)) return 1;
  return 0;
}

static void put_row(const sheet *s, const ns_panel *p, const ns_series *k, size_t i)
{
  FILE *f = s->out;
  int digits = axis_digits(&p->y) > 6 ? 12 : 7;
  if (!drawn(p, k, i)) {
    fputs("\n", f);
    return;
  }
  switch (k->glyph) {
  case NS_GLYPH_SEGMENTS:
    fprintf(f, "%.12g %.*g\n%.12g %.*g\n\n", k->x[i], digits, k->y[i], k->x2[i], digits, k->y2[i]);
    break;
  case NS_GLYPH_BOXES:
    if (s->format == NS_PLOT_TEXT)
      fprintf(f, "%.12g %.7g\n%.12g %.7g\n\n", k->x[i], (k->y[i] + k->y2[i]) / 2, k->x2[i],
              (k->y[i] + k->y2[i]) / 2);
    else
      fprintf(f, "%.12g %.7g %.12g %.12g %.7g %.7g\n", k->x[i], k->y[i], k->x[i], k->x2[i], k->y[i],
              k->y2[i]);
    break;
  case NS_GLYPH_CELLS:
    fprintf(f, "%.9g %.9g %.9g %.9g %.9g %.9g %.7g\n", (k->x[i] + k->x2[i]) / 2,
            (k->y[i] + k->y2[i]) / 2, k->x[i], k->x2[i], k->y[i], k->y2[i], k->z[i]);
    break;
  case NS_GLYPH_SQUARES: fprintf(f, "%.9g %.9g 0 0 0 0 %.7g\n", k->x[i], k->y[i], k->z[i]); break;
  default: fprintf(f, "%.12g %.*g\n", k->x[i], digits, k->y[i]); break;
  }
}

static void put_lone_points(const sheet *s, int panel, int at, const ns_series *u)
{
  const ns_panel *p = &s->f->panel[panel];
  if (!has_lone_points(s, p, u)) return;
  fprintf(s->out, "$p%dl%d << END\n", panel, at);
  for (size_t i = 0; i < u->n; i++)
    if (stands_alone(p, u, i)) fprintf(s->out, "%.12g %.12g\n", u->x[i], u->y[i]);
  fputs("END\n", s->out);
}

static void put_data(const sheet *s)
{
  for (int k = 0; k < s->f->npanels; k++) {
    const ns_panel *p = &s->f->panel[k];
    int at = 0;
    for (const ns_series *u = p->series; u; u = u->next) {
      fprintf(s->out, "$p%ds%d << END\n", k, at);
      for (size_t i = 0; i < u->n; i++) put_row(s, p, u, i);
      fputs("END\n", s->out);
      put_lone_points(s, k, at++, u);
    }
    fprintf(s->out, "$rug%d << END\n", k);
    for (size_t i = 0; i < p->nrug; i++)
      fprintf(s->out, "%.12g 0\n%.12g 0.025\n\n", p->rug[i], p->rug[i]);
    fputs("END\n", s->out);
  }
}

/* ---- places ---------------------------------------------------------------------------------- */

static int panel_gap(const sheet *s) { return s->f->linked ? GAP : GAP + FOOT - 18; }

static double panel_height(const sheet *s)
{
  int n = s->f->npanels;
  return (s->height - TOP - FOOT - panel_gap(s) * (n - 1.0)) / n;
}

/* The page has room for its panels; numbers and texts on an axis ask for some height. */
static int check_size(const sheet *s, ns_ctx *c)
{
  int n = s->f->npanels, w = 300, h = TOP + FOOT + panel_gap(s) * (n - 1) + PANEL_MIN * n;
  if (s->format == NS_PLOT_TEXT || (s->width >= w && s->height >= h)) return NS_OK;
  return ns_fail(c, NS_USAGE,
                 "--size %dx%d is too small for %d panel%s, expected at least %dx%d: a panel for "
                 "each unit; name fewer quantities or choose another size",
                 s->width, s->height, n, n == 1 ? "" : "s", w, h);
}

/* Upper edge of a panel, from the lower edge of the page. */
static double panel_top(const sheet *s, int at)
{
  return s->height - TOP - at * (panel_height(s) + panel_gap(s));
}

static int keys_of(const ns_panel *p)
{
  int n = p->nrug && p->rug_name;
  for (const ns_series *u = p->series; u; u = u->next) n += u->key != NULL;
  return n;
}

/* Whether the keys of curves say anything: of one curve the axis says it, but not its run. */
static int names_curves(const ns_panel *p)
{
  int curves = 0;
  for (const ns_series *u = p->series; u; u = u->next) curves += u->key != NULL;
  return p->key_title || curves > !p->names_all;
}

static int has_key(const ns_panel *p) { return names_curves(p) || (p->nrug && p->rug_name); }

static double widest_key(const ns_panel *p)
{
  double w = p->rug_name ? ns_figure_text_width(p->rug_name, LETTERS) : 0;
  for (const ns_series *u = p->series; u; u = u->next)
    if (u->key) w = fmax(w, ns_figure_text_width(u->key, LETTERS));
  return w;
}

/* Width of all keys of a panel in a row, as gnuplot reckons: each as wide as the longest, in
 * letters of one width. Where it finds no room it begins another row, which the page has no place
 * for. */
static double key_row(const ns_panel *p)
{
  size_t max = p->rug_name ? strlen(p->rug_name) : 0;
  for (const ns_series *u = p->series; u; u = u->next)
    if (u->key && strlen(u->key) > max) max = strlen(u->key);
  return keys_of(p) * (KEY_SAMPLE + 0.63 * LETTERS * (double)max);
}

/* Curves of a panel that its key has room for beside it; a last one then says how many more. */
static int keys_shown(const sheet *s)
{
  int capacity = s->format == NS_PLOT_TEXT ? s->height / s->f->npanels / 3
                                           : (int)(panel_height(s) / KEY_LINE);
  return capacity > 3 ? capacity - 2 : 2;
}

/* Room at the sides: for words along the vertical axis, for keys where they are too many to stand
 * in a row above a panel, and for the scale of colours. */
static void choose_margins(sheet *s)
{
  double left = LEFT, right = RIGHT, max = s->width / 3.0;
  for (const ns_panel *p = s->f->panel; p < s->f->panel + s->f->npanels; p++) {
    for (int k = 0; k < p->y.nwords; k++)
      left = fmax(left, 30 + WIDER * ns_figure_text_width(p->y.word[k], LETTERS));
    if (axis_digits(&p->y) > 6) left = fmax(left, 48 + 0.63 * LETTERS * (axis_digits(&p->y) + 2));
    if (p->key_title || (has_key(p) && key_row(p) > s->width - LEFT - RIGHT)) s->beside = 1;
    if (axis_digits(&p->x) > 6) right = fmax(right, 0.32 * LETTERS * (axis_digits(&p->x) + 2));
    if (p->has_colours) right = fmax(right, COLOUR_BAR);
  }
  for (const ns_panel *p = s->f->panel; s->beside && p < s->f->panel + s->f->npanels; p++) {
    double w = widest_key(p);
    if (p->key_title) w = fmax(w, ns_figure_text_width(p->key_title, LETTERS));
    if (has_key(p)) right = fmax(right, KEY_SAMPLE + 12 + WIDER * w);
  }
  s->left = (int)fmin(left, max);
  s->right = (int)fmin(right, max);
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* A text, cut to a width in pixels. */
static void put_fitted(const sheet *s, const char *text, double size, double width)
{
  char buf[600];
  if (s->format == NS_PLOT_TEXT) size = 1 / 0.6, width = s->width - 2; /* letters of a terminal */
  ns_gnuplot_quote(s->out, ns_figure_fit(text, size, width, buf, sizeof buf));
}

static void put_axis_text(const sheet *s, const ns_axis *a, double width)
{
  char all[400];
  put_fitted(s, ns_figure_axis(a, all, sizeof all), WIDER * LETTERS, width);
}

static void put_key(const sheet *s, const char *key)
{
  char buf[600], apart[610];
  double width = s->beside ? s->right - KEY_SAMPLE - 8 : s->width - s->left - s->right - KEY_SAMPLE;
  if (s->format != NS_PLOT_TEXT) {
    ns_gnuplot_quote(s->out, ns_figure_fit_middle(key, WIDER * LETTERS, width, buf, sizeof buf));
    return;
  }
  /* Beside a sample of eight letters, and apart from the sample of the key before it. */
  ns_figure_fit_middle(key, 1 / 0.6, s->width - 28, buf, sizeof buf);
  snprintf(apart, sizeof apart, "%s%s", *buf ? "  " : "", buf);
  ns_gnuplot_quote(s->out, apart);
}

/* Words at their places instead of numbers. */
static void put_words(const sheet *s, const char *which, const ns_axis *a)
{
  if (!a->nwords) {
    fprintf(s->out, "set %stics autofreq\n", which);
    return;
  }
  for (int k = 0; k < a->nwords; k++) {
    fprintf(s->out, k ? ", " : "set %stics (", which);
    put_fitted(s, a->word[k], WIDER * LETTERS, *which == 'y' ? s->left - 28 : 160);
    fprintf(s->out, " %.12g", a->word_at ? a->word_at[k] : k);
  }
  fputs(")\n", s->out);
}

/* Of the horizontal axis; the vertical one has room for its numbers. */
static void put_numbers(const sheet *s, const ns_axis *a)
{
  int text = s->format == NS_PLOT_TEXT;
  if (a->nwords || a->logarithmic || (!text && axis_digits(a) == 6)) return;
  double letters = text ? s->width - 14 : (s->width - s->left - s->right) / (0.63 * LETTERS);
  double step = tick_step(a, letters);
  if (step > 0) fprintf(s->out, "set xtics %.15g\n", step);
}

static void put_axis(const sheet *s, const char *which, const ns_axis *a)
{
  fprintf(s->out, "%s logscale %s\n", a->logarithmic ? "set" : "unset", which);
  fprintf(s->out, "set %srange [%.12g:%.12g] noextend\n", which, a->from, a->to);
  put_words(s, which, a);
  if (*which == 'x') put_numbers(s, a);
}

static void put_title(const sheet *s)
{
  int points = s->format == NS_PLOT_PNG || s->format == NS_PLOT_PDF;
  fprintf(s->out, "set label 2 at screen %.4f, screen %.4f left font ',%d' tc rgb '%s' ",
          s->left / (double)s->width, 1 - 20.0 / s->height, points ? TITLE_POINTS : TITLE_LETTERS,
          s->theme->ink);
  put_fitted(s, s->f->title, points ? TITLE_PIXELS : WIDER * TITLE_LETTERS, s->width - s->left - 8);
  fputc('\n', s->out);
}

/* Margins in pixels, so that they are the same in every size. */
static void put_place(const sheet *s, int at)
{
  const ns_panel *p = &s->f->panel[at];
  double w = s->width, h = s->height, each = panel_height(s), top = panel_top(s, at);
  FILE *f = s->out;
  fprintf(f, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", s->left / w,
          1 - s->right / w);
  fprintf(f, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", top / h, (top - each) / h);
  fprintf(f, "set label 1 at screen %.4f, graph 0.5 center rotate tc rgb '%s' ", Y_LABEL / w,
          s->theme->ink);
  put_axis_text(s, &p->y, each + GAP);
  int labelled = !s->f->linked || at + 1 == s->f->npanels;
  fprintf(f, "\nset label 3 at graph 0.5, screen %.4f center tc rgb '%s' ",
          (top - each - X_LABEL) / h, s->theme->ink);
  if (labelled) put_axis_text(s, &p->x, w - s->left - s->right);
  else fputs("''", f);
  if (labelled) fprintf(f, "\nset format x '%%.%dg'\n", axis_digits(&p->x));
  else fputs("\nset format x ''\n", f);
  fprintf(f, "set format y '%%.%dg'\n", axis_digits(&p->y));
  fputs(s->beside
            ? "set key at graph 1.02,1 left top vertical Left reverse samplen 1.5 maxcols 1 title "
            : "set key at graph 1,1.01 right bottom horizontal samplen 1.5 title ",
        f);
  put_key(s, p->key_title ? p->key_title : "");
  fputc('\n', f);
  if (at) fputs("unset label 2\n", f);
  else put_title(s);
  fputs(p->has_colours ? "set colorbox\nunset grid\nset cblabel "
                       : "unset colorbox\nset grid\nset cblabel ",
        f);
  put_axis_text(s, &p->z, each);
  fputc('\n', f);
  if (p->has_colours) fprintf(f, "set cbrange [%.12g:%.12g]\n", p->z.from, p->z.to);
}

/* Of a terminal: title, then what stands upwards, in a line of its own. */
static void put_text_place(const sheet *s, int at)
{
  const ns_panel *p = &s->f->panel[at];
  char name[400], all[1100];
  ns_figure_axis(&p->y, name, sizeof name);
  fprintf(s->out, "set format x '%%.%dg'\nset format y '%%.%dg'\n", axis_digits(&p->x),
          axis_digits(&p->y));
  fputs("set key above\nunset colorbox\nset xlabel ", s->out);
  put_axis_text(s, &p->x, 0);
  fputs("\nset title ", s->out);
  snprintf(all, sizeof all, "%s%s%s", at ? "" : s->f->title, at || !*name ? "" : ": ", name);
  put_fitted(s, all, 1, s->width);
  fputc('\n', s->out);
}

/* ---- panels ---------------------------------------------------------------------------------- */

static int look_alike(const ns_series *u, const ns_series *v)
{
  return u->rgb && v->rgb && strcmp(u->rgb, v->rgb) == 0 && u->dashed == v->dashed;
}

/* In a terminal colours of their own are letters: the place in the key. */
static int letter_of(const ns_panel *p, const ns_series *u)
{
  int n = 1;
  for (const ns_series *v = p->series; v && !look_alike(u, v); v = v->next)
    n += v->key != NULL && v->n > 0;
  return n;
}

static void put_colour(const sheet *s, const ns_panel *p, const ns_series *u)
{
  if (u->rgb && s->format == NS_PLOT_TEXT) fprintf(s->out, " lt %d", letter_of(p, u));
  if (u->rgb) fprintf(s->out, " lc rgb '%s'", u->rgb);
  else fprintf(s->out, " lt %d", u->colour + 1);
  if (u->dashed) fputs(" dt '-'", s->out);
}

static const char *point_size(size_t n)
{
  if (n > 3000) return "0.15";
  if (n > 800) return "0.2";
  return n > 200 ? "0.3" : "0.45";
}

/* In the terminal: 0 for the least value, 9 for the greatest. */
static void put_digits(const sheet *s, int at, const ns_panel *p)
{
  double low = p->z.from, high = p->z.to;
  fprintf(s->out,
          "$p%ds0 using 1:2:(sprintf('%%.0f', 9 * ($7 - (%.9g)) / %.9g)) with labels title ", at,
          low, high - low);
  char text[80];
  snprintf(text, sizeof text, "0: %.4g, 9: %.4g", low, high);
  ns_gnuplot_quote(s->out, text);
}

static void put_glyph(const sheet *s, const ns_panel *p, const ns_series *u)
{
  FILE *f = s->out;
  int text = s->format == NS_PLOT_TEXT;
  switch (u->glyph) {
  case NS_GLYPH_LINE: fputs("using 1:2 with lines", f); break;
  case NS_GLYPH_SEGMENTS: fputs("using 1:2 with lines lw 1.2", f); break;
  case NS_GLYPH_LINEPOINTS:
    fprintf(f, "using 1:2 with linespoints pt 7 ps %s", point_size(u->n));
    break;
  case NS_GLYPH_POINTS: fprintf(f, "using 1:2 with points pt 7 ps %s", point_size(u->n)); break;
  case NS_GLYPH_DOTS: fputs("using 1:2 with dots", f); break;
  case NS_GLYPH_BOXES:
    fputs(text ? "using 1:2 with lines" : "using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder",
          f);
    break;
  case NS_GLYPH_CELLS:
    fputs("using 1:2:3:4:5:6:7 with boxxyerror fs solid 1 noborder lc palette", f);
    return;
  default: fprintf(f, "using 1:2:7 with points pt 5 ps %s lc palette", point_size(u->n)); return;
  }
  put_colour(s, p, u);
}

static void put_series(const sheet *s, int at)
{
  const ns_panel *p = &s->f->panel[at];
  int n = 0, keys = 0, all = keys_of(p) - (p->nrug && p->rug_name), shown = keys_shown(s);
  int cut = (s->beside || s->format == NS_PLOT_TEXT) && all > shown + 1;
  char more[64];
  for (const ns_series *u = p->series; u; u = u->next, n++) {
    fputs(n ? ", " : "plot ", s->out);
    if (p->has_colours && s->format == NS_PLOT_TEXT) {
      put_digits(s, at, p);
      continue;
    }
    fprintf(s->out, "$p%ds%d ", at, n);
    put_glyph(s, p, u);
    keys += u->key != NULL;
    snprintf(more, sizeof more, "... %d more", all - shown);
    fputs(" title ", s->out);
    if (!u->key || !names_curves(p) || (cut && keys > shown + 1)) fputs("''", s->out);
    else put_key(s, cut && keys == shown + 1 ? more : u->key);
    if (!has_lone_points(s, p, u)) continue;
    fprintf(s->out, ", $p%dl%d using 1:2 with points pt 7 ps 0.6", at, n);
    put_colour(s, p, u);
    fputs(" notitle", s->out);
  }
  if (p->nrug && s->format != NS_PLOT_TEXT) {
    fprintf(s->out, "%s$rug%d using 1:2 axes x1y2 with lines lc rgb '%s' lw 1 dt solid title ",
            n ? ", " : "plot ", at, s->theme->rug);
    put_key(s, p->rug_name ? p->rug_name : "");
  }
  fputc('\n', s->out);
}

static int has_points(const ns_panel *p)
{
  for (const ns_series *u = p->series; u; u = u->next)
    for (size_t i = 0; i < u->n; i++)
      if (drawn(p, u, i)) return 1;
  return 0;
}

static void put_panel(const sheet *s, int at)
{
  const ns_panel *p = &s->f->panel[at];
  if (s->format == NS_PLOT_TEXT) put_text_place(s, at);
  else put_place(s, at);
  put_axis(s, "x", &p->x);
  put_axis(s, "y", &p->y);
  if (has_points(p)) {
    put_series(s, at);
    return;
  }
  fprintf(s->out, "set label 4 at graph 0.5, graph 0.5 center tc rgb '%s' ", s->theme->ink);
  put_fitted(s, p->empty ? p->empty : "nothing to draw here", LETTERS, s->width);
  fputs("\nplot NaN notitle\nunset label 4\n", s->out);
}

int ns_figure_gnuplot(ns_ctx *c, const ns_figure *f, const ns_plot_options *o,
                      ns_plot_format format)
{
  int text = format == NS_PLOT_TEXT, multi = f->npanels > 1;
  sheet s = {.f = f, .o = o, .format = format, .theme = ns_figure_theme_of(o->theme)};
  s.width = text ? 79 : f->width;
  s.height = text ? f->rows : f->height;
  if (o->width) s.width = o->width;
  if (o->height && (!text || !multi || o->fixed)) s.height = o->height; /* a terminal scrolls */
  int rc = check_size(&s, c);
  if (rc) return rc;
  if (!(s.out = ns_gnuplot_script(c))) return NS_NOMEM;
  choose_margins(&s);
  put_terminal(&s);
  put_style(&s);
  put_data(&s);
  if (multi && text) fprintf(s.out, "set multiplot layout %d,1\n", f->npanels);
  else if (multi) fputs("set multiplot\n", s.out);
  for (int k = 0; k < f->npanels; k++) put_panel(&s, k);
  if (multi) fputs("unset multiplot\n", s.out);
  return ns_gnuplot_run(c, s.out, o->output ? o->output : "-");
}
