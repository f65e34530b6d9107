/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view_paint.c -- quantities that bodies can be coloured by: of each body its own columns. */
#include "io/view/view_scene.h"
#include "io/view/view_stream.h"
#include "io/webpage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Name of a body, of a point that of the system whose coordinates say where it is: n letters. */
static const char *id_of(const ns_view_scene *s, size_t body, size_t *n)
{
  const char *id = s->is_points ? s->points.point[body].name : s->bodies.scene->body[body].id;
  *n = strlen(id);
  for (int k = 0; s->is_points && k < 3; k++) {
    const ns_export_value *x = &s->points.point[body].x[k];
    const char *label = x->channel >= 0 ? s->m->channels[x->channel].labels[x->component] : NULL;
    const char *dot = label ? strrchr(label, '.') : NULL;
    if (!dot) continue;
    *n = (size_t)(dot - label);
    return label;
  }
  return id;
}

/* "ball.x" of the body ball alone; "diagnostics.kinetic" of the whole, which colours all. */
static int is_of(const ns_view_scene *s, const char *name, size_t body)
{
  for (size_t i = 0; i < s->nbodies; i++) {
    size_t n;
    const char *id = id_of(s, i, &n);
    if (strncmp(name, id, n) == 0 && name[n] == '.') return i == body;
  }
  return 1;
}

/* Columns of a name, of the value of an observable so named, or of the components; their number. */
static int look_up(const ns_view_scene *s, ns_ctx *c, const char *name, ns_column *col)
{
  char part[600];
  snprintf(part, sizeof part, "%.500s.value", name);
  int n = ns_result_lookup(s->r, c, name, col) || ns_result_lookup(s->r, c, part, col);
  for (int k = 0; !n && k < NS_VIEW_COMPONENTS; k++) {
    snprintf(part, sizeof part, "%.500s[%d]", name, k);
    if (!ns_result_lookup(s->r, c, part, &col[k])) return k;
  }
  return n ? n : NS_VIEW_COMPONENTS;
}

/* Columns of a body: * in the pattern stands for its name. */
static int columns_of(const ns_view_scene *s, ns_ctx *c, const char *pattern, size_t body,
                      ns_column *col)
{
  const char *star = strchr(pattern, '*');
  char name[512];
  size_t n;
  if (!star) return is_of(s, pattern, body) ? look_up(s, c, pattern, col) : 0;
  const char *id = id_of(s, body, &n);
  snprintf(name, sizeof name, "%.*s%.*s%s", (int)(star - pattern), pattern, (int)n, id, star + 1);
  return look_up(s, c, name, col);
}

static int same_unit(const char *a, const char *b)
{
  return a == b || (a && b && strcmp(a, b) == 0);
}

/* The length of what has several components is shown, and all bodies share one scale: they need one
 * unit, that of the first column. */
static int check_units(ns_ctx *c, const char *pattern, const ns_column *first, const ns_column *col,
                       int n)
{
  for (int k = 0; k < n; k++)
    if (!same_unit(col[k].unit, first->unit))
      return ns_fail(c, NS_USAGE,
                     "--colour '%s': %s is in %s and %s in %s, expected one unit; name one "
                     "component",
                     pattern, first->label, first->unit ? first->unit : "1", col[k].label,
                     col[k].unit ? col[k].unit : "1");
  return NS_OK;
}

static int make(ns_ctx *c, const ns_view_scene *s, const char *pattern, ns_arena *a,
                ns_view_paint *p)
{
  const ns_column *first = NULL;
  *p = (ns_view_paint){.name = pattern};
  p->col = ns_arena_zero(a, s->nbodies * NS_VIEW_COMPONENTS, sizeof *p->col);
  p->ncol = ns_arena_zero(a, s->nbodies, sizeof *p->ncol);
  if (!p->col || !p->ncol) return ns_nomem(c, "scene of a page");
  for (size_t i = 0; i < s->nbodies; i++) {
    ns_column *col = p->col + i * NS_VIEW_COMPONENTS;
    p->ncol[i] = columns_of(s, c, pattern, i, col);
    if (p->ncol[i] && !first) first = col;
    if (check_units(c, pattern, first, col, p->ncol[i])) return c->rc;
  }
  p->unit = first ? first->unit : NULL;
  if (first) return NS_OK;
  return ns_fail(c, NS_USAGE,
                 "--colour '%s': no body has this quantity, expected one such as '*.x', where * "
                 "stands for the name of each body; nssim info lists them",
                 pattern);
}

int ns_view_paints_make(ns_ctx *c, const char *const *pattern, int n, ns_arena *a, ns_view_scene *s)
{
  s->paints = ns_arena_zero(a, (size_t)n + 1, sizeof *s->paints);
  if (!s->paints) return ns_nomem(c, "scene of a page");
  if (n && !s->nbodies)
    return ns_fail(c, NS_USAGE,
                   "--colour '%s': no body or point is shown that could have a colour; draw the "
                   "quantity next to the scene with --curve",
                   pattern[0]);
  for (; s->npaints < n; s->npaints++) {
    int rc = make(c, s, pattern[s->npaints], a, &s->paints[s->npaints]);
    if (rc) return rc;
  }
  return NS_OK;
}

json_t *ns_view_paints_json(const ns_view_scene *s, int *bad)
{
  json_t *list = json_array();
  for (int k = 0; k < s->npaints; k++) {
    json_t *o = json_object();
    *bad |= json_object_set_new(o, "name", ns_webpage_text(s->paints[k].name)) != 0;
    const char *unit = s->paints[k].unit ? s->paints[k].unit : "";
    *bad |= json_object_set_new(o, "unit", ns_webpage_text(unit)) != 0;
    ns_webpage_append(list, o, bad);
  }
  return list;
}

/* Values of a body at all rows; the length of its components; NaN where it has none. */
static int read_body(ns_ctx *c, const ns_view_scene *s, const ns_view_paint *p, size_t body,
                     double *column, double *value)
{
  int n = p->ncol[body];
  for (size_t i = 0; i < s->m->nrows; i++) value[i] = n ? 0 : NAN;
  for (int k = 0; k < n; k++) {
    int rc = ns_result_read(s->r, c, &p->col[body * NS_VIEW_COMPONENTS + (size_t)k], column);
    if (rc) return rc;
    for (size_t i = 0; i < s->m->nrows; i++)
      value[i] = n > 1 ? hypot(value[i], column[i]) : column[i];
  }
  return NS_OK;
}

int ns_view_put_paints(ns_ctx *c, const ns_view_scene *s, FILE *f)
{
  ns_view_stream to = {.f = f};
  double *column = malloc((s->m->nrows + 1) * sizeof *column),
         *value = malloc((s->m->nrows + 1) * sizeof *value);
  int rc = column && value ? NS_OK : ns_nomem(c, "colours of a page");
  for (int k = 0; k < s->npaints && !rc; k++)
    for (size_t body = 0; body < s->nbodies && !rc; body++) {
      rc = read_body(c, s, &s->paints[k], body, column, value);
      for (size_t i = 0; i < s->points.nrows && !rc; i++)
        ns_view_stream_put(&to, value[s->points.rows[i]]);
    }
  ns_view_stream_end(&to);
  free(column);
  free(value);
  return rc;
}
