/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/export/export_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* of a system without names that is a point: x y z and a quaternion */
enum { MAX_COORDINATES = 7 };

typedef struct job {
  ns_ctx *c;
  ns_result *r;
  const ns_result_meta *m;
  ns_arena *a;
  ns_export_points *p;
  size_t cap, others; /* points there is room for; systems that are none */
} job;

static ns_export_value constant(double x) { return (ns_export_value){-1, 0, x}; }
static ns_export_value of_column(const ns_column *col)
{
  return (ns_export_value){col->channel, col->component, 0};
}

static int add_point(job *j, const ns_export_point *x)
{
  ns_export_points *p = j->p;
  if (p->n == j->cap) {
    size_t cap = j->cap ? 2 * j->cap : 64;
    ns_export_point *all = ns_arena_get(j->a, cap, sizeof *all);
    if (!all) return ns_nomem(j->c, "points to export");
    if (p->n) memcpy(all, p->point, p->n * sizeof *all);
    p->point = all;
    j->cap = cap;
  }
  p->point[p->n++] = *x;
  for (int k = 0; k < 3; k++) {
    p->has_v |= x->v[k].channel >= 0;
    p->has_p |= x->p[k].channel >= 0;
  }
  p->has_angle |= x->angle.channel >= 0;
  return NS_OK;
}

/* ---- systems --------------------------------------------------------------------------------- */

/* "ball.x" of kind "v" is "ball.v_x", "ball.q[1]" is "ball.v[1]"; a constant 0 where there is none.
 */
static ns_export_value partner(job *j, const ns_column *col, const char *kind)
{
  ns_ctx quiet = {0};
  ns_column other;
  char label[600];
  const char *dot = strrchr(col->label, '.'), *name = dot ? dot + 1 : col->label;
  int id = dot ? (int)(dot - col->label) + 1 : 0;
  if (strncmp(name, "q[", 2) == 0 || strcmp(name, "q") == 0)
    snprintf(label, sizeof label, "%.*s%s%s", id, col->label, kind, name + 1);
  else snprintf(label, sizeof label, "%.*s%s_%s", id, col->label, kind, name);
  return ns_result_lookup(j->r, &quiet, label, &other) ? of_column(&other) : constant(0);
}

/* 0 .. 2 for x, y, z; -1 for another name, -2 where the coordinate has none. */
static int axis_of(const char *label)
{
  const char *dot = strrchr(label, '.'), *name = dot ? dot + 1 : label;
  if (strncmp(name, "q[", 2) == 0) return -2;
  if (name[0] && !name[1] && strchr("xyzXYZ", name[0])) return (name[0] | 0x20) - 'x';
  return -1;
}

static void set_axis(job *j, ns_export_point *x, int axis, const ns_column *col)
{
  x->x[axis] = of_column(col);
  x->v[axis] = partner(j, col, "v");
  x->p[axis] = partner(j, col, "p");
}

/* Columns of one system, [n]. */
static int add_system(job *j, const ns_column *col, int n)
{
  int unnamed = axis_of(col[0].label) == -2,
      is = unnamed && (n == 2 || n == 3 || n == MAX_COORDINATES), angle = -1;
  const char *dot = strrchr(col[0].label, '.');
  char name[512];
  ns_export_point x = {.angle = constant(0)};
  for (int k = 0; k < 3; k++) x.x[k] = x.v[k] = x.p[k] = constant(0);
  for (int k = 0; k < n; k++) {
    int axis = unnamed ? (is && k < 3 ? k : -1) : axis_of(col[k].label);
    if (axis >= 0) set_axis(j, &x, axis, &col[k]);
    else if (angle < 0 && !unnamed && n < MAX_COORDINATES) angle = k; /* of seven: a quaternion */
    is |= axis >= 0;
  }
  if (!is) {
    j->others++;
    return NS_OK;
  }
  if (angle >= 0) x.angle = of_column(&col[angle]);
  snprintf(name, sizeof name, "%.*s", dot ? (int)(dot - col[0].label) : 500, col[0].label);
  if (!(x.name = ns_arena_text(j->a, name))) return ns_nomem(j->c, "points to export");
  return add_point(j, &x);
}

static int same_system(const char *a, const char *b)
{
  const char *da = strrchr(a, '.'), *db = strrchr(b, '.');
  return da && db && da - a == db - b && strncmp(a, b, (size_t)(da - a)) == 0;
}

/* "systems/ball/q", or "systems/q" of many. */
static int holds_coordinates(const char *path)
{
  size_t n = strlen(path);
  return strncmp(path, "systems/", 8) == 0 && strcmp(path + n - 2, "/q") == 0;
}

static int add_systems(job *j)
{
  int rc = NS_OK;
  for (int i = 0; i < j->m->nchannels && !rc; i++) {
    const ns_channel *ch = &j->m->channels[i];
    if (!j->m->format || !holds_coordinates(ch->path)) continue;
    ns_column *cols = ns_arena_get(j->a, (size_t)ch->ncol, sizeof *cols);
    if (!cols) return ns_nomem(j->c, "points to export");
    for (int k = 0; k < ch->ncol; k++)
      cols[k] = (ns_column){i, k, ch->labels[k], ns_channel_unit(ch, k)};
    for (int k = 0, end; k < ch->ncol && !rc; k = end) {
      for (end = k + 1; end < ch->ncol && same_system(ch->labels[k], ch->labels[end]); end++)
        continue;
      rc = add_system(j, &cols[k], end - k);
    }
  }
  return rc;
}

/* ---- wishes ---------------------------------------------------------------------------------- */

typedef struct axis {
  ns_column *cols; /* NULL: a number */
  int n;
  double number;
} axis;

static int parse_axis(job *j, const char *text, axis *x)
{
  char *end;
  *x = (axis){.n = 1, .number = strtod(text, &end)}; /* LC_NUMERIC is that of C */
  if (end != text && !*end && isfinite(x->number)) return NS_OK;
  return ns_result_match(j->r, j->c, text, j->a, &x->cols, &x->n);
}

static int bad_wish(job *j, const char *wish)
{
  return ns_fail(j->c, NS_USAGE,
                 "--points '%.200s': expected X,Y,Z or NAME=X,Y,Z, each a quantity or a number, "
                 "such as ball.x,ball.y,0",
                 wish);
}

/* The points of three axes; an axis with one column or number goes with all. */
static int add_axes(job *j, const char *wish, const char *name, const axis x[3])
{
  int n = 1, rc = NS_OK;
  for (int k = 0; k < 3; k++) n = x[k].n > n ? x[k].n : n;
  for (int k = 0; k < 3; k++)
    if (x[k].n != 1 && x[k].n != n)
      return ns_fail(
          j->c, NS_USAGE,
          "--points '%.200s': one axis has %d columns, another %d; expected as many, or one", wish,
          x[k].n, n);
  for (int i = 0; i < n && !rc; i++) {
    ns_export_point p = {.name = name, .angle = constant(0)};
    for (int k = 0; k < 3; k++) {
      p.x[k] = constant(x[k].number);
      p.v[k] = p.p[k] = constant(0);
      const ns_column *col = x[k].cols ? &x[k].cols[x[k].n == 1 ? 0 : i] : NULL;
      if (col) set_axis(j, &p, k, col);
      if (col && !p.name) p.name = col->label;
    }
    if (!p.name) p.name = "point";
    rc = add_point(j, &p);
  }
  return rc;
}

static int add_wish(job *j, const char *wish)
{
  char *text = ns_arena_text(j->a, wish), *eq = text ? strchr(text, '=') : NULL,
       *at = eq ? eq + 1 : text;
  axis x[3];
  if (!text) return ns_nomem(j->c, "points to export");
  if (eq) *eq = 0;
  for (int k = 0; k < 3; k++) {
    char *comma = strchr(at, ',');
    if ((k < 2) != (comma != NULL) || !*at || comma == at) return bad_wish(j, wish);
    if (comma) *comma = 0;
    int rc = parse_axis(j, at, &x[k]);
    if (rc) return rc;
    at = comma ? comma + 1 : at;
  }
  return add_axes(j, wish, eq && eq > text ? text : NULL, x);
}

static int choose(job *j, const ns_export_options *o)
{
  int rc = NS_OK;
  for (int k = 0; k < o->npoints && !rc; k++) rc = add_wish(j, o->points[k]);
  if (!rc && !o->npoints) rc = add_systems(j);
  if (rc || j->p->n) return rc;
  return ns_fail(j->c, NS_USAGE,
                 "%s: no system has coordinates named x, y or z, so that the positions of points "
                 "are unknown%s; give them with --points X,Y,Z, each a quantity or a number",
                 ns_result_path(j->r),
                 j->others ? " (joint coordinates and angles are not positions)" : "");
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Of rows at one time the last one counts: the side after an event. */
static size_t last_of_each_time(const double *t, size_t *rows, size_t n)
{
  size_t k = 0;
  for (size_t i = 0; i < n; i++)
    if (i + 1 == n || t[rows[i + 1]] > t[rows[i]]) rows[k++] = rows[i];
  return k;
}

/* Each so many rows, and the last. Rows ascend: nothing is lost. */
void ns_export_points_thin(ns_export_points *p, size_t max)
{
  size_t last = p->nrows - 1, stride = max > 1 ? (last + max - 2) / (max - 1) : last, k = 0;
  if (p->nrows <= max) return;
  for (size_t i = max > 1 ? 0 : last; i <= last; i++) {
    if (i % stride && i < last) continue;
    p->rows[k] = p->rows[i];
    p->t[k++] = p->t[i];
  }
  p->nrows = k;
}

int ns_export_points_rows(ns_ctx *c, ns_result *r, const ns_export_options *o, ns_arena *a,
                          ns_export_points *p)
{
  ns_column time;
  int rc = ns_export_rows(c, r, o, a, &p->rows, &p->nrows);
  double *t = ns_arena_get(a, ns_result_get_meta(r)->nrows, sizeof *t);
  if (!rc) rc = ns_result_find(r, c, "time", &time);
  if (!rc && !t) rc = ns_nomem(c, "rows to export");
  if (!rc) rc = ns_result_read(r, c, &time, t);
  if (rc) return rc;
  if (!p->nrows) return ns_fail(c, NS_NOINPUT, "%s: no rows to export", ns_result_path(r));
  p->asked = p->nrows = last_of_each_time(t, p->rows, p->nrows);
  for (size_t i = 0; i < p->nrows; i++) t[i] = t[p->rows[i]];
  p->t = t;
  return NS_OK;
}

int ns_export_points_make(ns_ctx *c, ns_result *r, const ns_export_options *o, ns_arena *a,
                          ns_export_points *p)
{
  job j = {.c = c, .r = r, .m = ns_result_get_meta(r), .a = a, .p = p};
  *p = (ns_export_points){0};
  int rc = choose(&j, o);
  return rc ? rc : ns_export_points_rows(c, r, o, a, p);
}

/* ---- values ---------------------------------------------------------------------------------- */

static int read_bank(ns_ctx *c, ns_result *r, const ns_export_value *x, ns_arena *a,
                     ns_export_banks *b)
{
  const ns_result_meta *m = ns_result_get_meta(r);
  if (x->channel < 0 || b->bank[x->channel]) return NS_OK;
  double *y = ns_arena_get(a, m->nrows * (size_t)m->channels[x->channel].ncol, sizeof *y);
  if (!y) return ns_nomem(c, "points to export");
  b->bank[x->channel] = y;
  return ns_result_read_channel(r, c, x->channel, y);
}

int ns_export_banks_read(ns_ctx *c, ns_result *r, const ns_export_points *p, ns_arena *a,
                         ns_export_banks *b)
{
  int rc = NS_OK;
  b->bank = ns_arena_zero(a, (size_t)ns_result_get_meta(r)->nchannels, sizeof *b->bank);
  if (!b->bank) return ns_nomem(c, "points to export");
  for (size_t i = 0; i < p->n && !rc; i++) {
    const ns_export_point *x = &p->point[i];
    for (int k = 0; k < 3 && !rc; k++) {
      rc = read_bank(c, r, &x->x[k], a, b);
      if (!rc) rc = read_bank(c, r, &x->v[k], a, b);
      if (!rc) rc = read_bank(c, r, &x->p[k], a, b);
    }
    if (!rc) rc = read_bank(c, r, &x->angle, a, b);
  }
  return rc;
}

double ns_export_value_at(const ns_export_banks *b, const ns_result_meta *m,
                          const ns_export_value *x, size_t row)
{
  if (x->channel < 0) return x->constant;
  return b->bank[x->channel][row * (size_t)m->channels[x->channel].ncol + (size_t)x->component];
}
