/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_table_file.c -- <repeat table=> on files that are no text: a dataset of HDF5, and the
 * systems of a result of a run. */
#include "io/load/values.h"

#include "io/hdf5_module.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Column `name` of the table. */
static int add_column(ns_load *l, const ns_elem *e, const char *shown, ns_table *r,
                      const char *name, size_t n)
{
  int rc = ns_load_column_check(l, e, shown, r, name, n);
  return rc ? rc : ns_load_column(l, r, ns_elem_attr(e, "index"), name, n);
}

/* ---- a dataset ------------------------------------------------------------------------------- */

/* What has the columns: "dataset /a of b.h5", or the file. */
static const char *source(const ns_elem *e, const char *shown, char *buf, size_t size)
{
  const char *dataset = ns_elem_attr(e, "dataset");
  if (dataset) snprintf(buf, size, "dataset %.200s of %.300s", dataset, shown);
  else snprintf(buf, size, "%.300s", shown);
  return buf;
}

int ns_load_given_columns(ns_load *l, const ns_elem *e, const char *shown, int cols, ns_table *r)
{
  const char *p = ns_elem_attr(e, "columns");
  char of[600];
  static const char space[] = " \t\r\n";
  int rc = NS_OK;
  if (!p)
    return ns_elem_fail(&l->msg, e, NULL,
                        "%s has %d column%s without names, expected columns=\"...\" with a name "
                        "for each",
                        source(e, shown, of, sizeof of), cols, cols == 1 ? "" : "s");
  for (p += strspn(p, space); *p && !rc; p += strspn(p, space)) {
    size_t n = strcspn(p, space);
    rc = add_column(l, e, shown, r, p, n);
    p += n;
  }
  if (rc || r->cols == cols) return rc;
  return ns_elem_fail(&l->msg, e, NULL,
                      "attribute columns has %d names, expected %d: one for each column of %s",
                      r->cols, cols, source(e, shown, of, sizeof of));
}

int ns_load_hdf5(ns_load *l, const ns_elem *e, const char *real, ns_hdf5_dataset *t)
{
  ns_ctx quiet = {0};
  const ns_hdf5_module *m = ns_hdf5_module_load(&quiet, NS_MODEL);
  int rc = m ? m->dataset(&quiet, real, ns_elem_attr(e, "dataset"), l->scratch, t) : quiet.rc;
  if (rc == NS_NOMEM) return ns_nomem(&l->msg.c, "a table");
  return rc ? ns_elem_fail(&l->msg, e, NULL, "%s", quiet.msg) : NS_OK;
}

/* A dataset as a matrix of its own. */
static int matrix_of_dataset(ns_load *l, const ns_elem *e, const char *real, double **value,
                             int *rows, int *cols, const char *shown)
{
  ns_hdf5_dataset t;
  int rc = ns_load_hdf5(l, e, real, &t);
  if (rc) return rc;
  size_t size = t.rows * (size_t)t.cols;
  if (!size)
    return ns_elem_fail(&l->msg, e, NULL, "dataset %s of %s contains no numbers, expected a matrix",
                        ns_elem_attr(e, "dataset"), shown);
  if (t.rows > NS_ENTRIES_MAX || size > NS_ENTRIES_MAX)
    return ns_elem_fail(&l->msg, e, NULL,
                        "dataset %s of %s has more than %d entries, expected fewer",
                        ns_elem_attr(e, "dataset"), shown, (int)NS_ENTRIES_MAX);
  if (!(*value = malloc(size * sizeof **value))) return ns_nomem(&l->msg.c, "numbers of a file");
  memcpy(*value, t.value, size * sizeof **value);
  *rows = (int)t.rows;
  *cols = t.cols;
  for (size_t i = 0; i < size; i++)
    if (!isfinite(t.value[i]))
      return ns_elem_fail(&l->msg, e, NULL,
                          "dataset %s of %s: row %zu, column %zu is %g, expected finite numbers",
                          ns_elem_attr(e, "dataset"), shown, i / (size_t)t.cols + 1,
                          i % (size_t)t.cols + 1, t.value[i]);
  return NS_OK;
}

int ns_load_matrix(ns_load *l, const ns_elem *e, double **value, int *rows, int *cols,
                   const char **shown)
{
  const char *real, *name = ns_elem_attr(e, "file");
  ns_text text;
  ns_elem_place at = ns_elem_at(e, NULL);
  *value = NULL;
  if (ns_elem_attr(e, "dataset")) {
    int rc = ns_files_find_named(&l->files, &l->msg.c, at.text, e->dir, name, shown, &real);
    return rc ? rc : matrix_of_dataset(l, e, real, value, rows, cols, *shown);
  }
  int rc = ns_files_read_named(&l->files, &l->msg.c, at.text, e->dir, name, &text, shown, &real);
  if (!rc && text.n > 8 && !memcmp(text.text, "\211HDF", 4))
    rc = ns_elem_fail(&l->msg, e, NULL,
                      "%s is an HDF5 file, expected dataset=\"...\" with a path in it", *shown);
  if (!rc)
    rc = ns_values_parse_file(&l->msg.c, at.text, *shown, text.text, text.n, value, rows, cols);
  return rc;
}

int ns_load_dataset(ns_load *l, const ns_elem *e, const char *shown, const char *real, ns_table *r)
{
  ns_hdf5_dataset t;
  int rc = ns_load_hdf5(l, e, real, &t);
  if (rc) return rc;
  if (t.name && ns_elem_attr(e, "columns"))
    return ns_elem_fail(
        &l->msg, e, NULL,
        "attribute columns is given, but dataset %s of %s names its columns; remove it",
        ns_elem_attr(e, "dataset"), shown);
  for (int k = 0; t.name && k < t.cols && !rc; k++)
    rc = add_column(l, e, shown, r, t.name[k], strlen(t.name[k]));
  if (!t.name) rc = ns_load_given_columns(l, e, shown, t.cols, r);
  r->value = t.value;
  r->n = (long)t.rows;
  return rc;
}

/* ---- systems of a result --------------------------------------------------------------------- */

/* Coordinates, or velocities, of the systems that are wanted: entries one system after the other,
 * names of the first one. */
typedef struct part {
  long n;          /* systems */
  int width;       /* entries of each */
  const char **id; /* [n], lengths */
  size_t *length;
  const char *name[NS_REPEAT_COLUMNS];
  double *value; /* [n x width] */
} part;

typedef struct states {
  ns_load *l;
  const ns_elem *e;
  const char *shown, *select;
  ns_result *result;
  const ns_result_meta *meta;
  size_t row;
  part part[2];
  double *size; /* [systems x SIZES] of their shapes; NAN where they have none */
} states;

enum { RADIUS, LENGTH, SIZE_X, SIZE_Y, SIZE_Z, SIZES };
static const char *const size_name[SIZES] = {"radius", "length", "size_x", "size_y", "size_z"};

static int other_kind(const states *s, const part *p)
{
  return ns_elem_fail(&s->l->msg, s->e, NULL,
                      "system %.*s of %s has other coordinates than %.*s, expected systems of the "
                      "same kind; name them by select=",
                      (int)p->length[p->n - 1], p->id[p->n - 1], s->shown, (int)p->length[0],
                      p->id[0]);
}

/* Entry `at` of the newest system: label is ID.NAME. */
static int take(const states *s, part *p, const char *label, size_t id, double x, int *at)
{
  int same = p->n && p->length[p->n - 1] == id && !memcmp(p->id[p->n - 1], label, id);
  const char *name = label + id + 1;
  if (!same) {
    if (p->n && *at != p->width) return other_kind(s, p);
    p->id[p->n] = label;
    p->length[p->n++] = id;
    *at = 0;
  }
  if (p->n == 1 && p->width == NS_REPEAT_COLUMNS)
    return ns_elem_fail(&s->l->msg, s->e, NULL,
                        "systems of %s have more than %d coordinates, expected fewer", s->shown,
                        NS_REPEAT_COLUMNS);
  if (p->n == 1) p->name[p->width++] = name;
  if (*at >= p->width || strcmp(p->name[*at], name)) return other_kind(s, p);
  p->value[(p->n - 1) * p->width + (*at)++] = x;
  return NS_OK;
}

static int wanted(const states *s, const char *label, size_t id)
{
  char text[NS_ID_MAX + 1];
  if (id > NS_ID_MAX) return 0;
  memcpy(text, label, id);
  text[id] = 0;
  return fnmatch(s->select, text, 0) == 0;
}

static int take_channel(states *s, const ns_channel *ch, int k, part *p, int *at)
{
  double *x = malloc((size_t)ch->ncol * sizeof *x);
  int rc = x ? ns_result_read_row(s->result, &s->l->msg.c, k, s->row, x)
             : ns_nomem(&s->l->msg.c, "states of a result");
  for (int i = 0; i < ch->ncol && !rc; i++) {
    const char *dot = strrchr(ch->labels[i], '.');
    size_t id = dot ? (size_t)(dot - ch->labels[i]) : 0;
    if (id && wanted(s, ch->labels[i], id)) rc = take(s, p, ch->labels[i], id, x[i], at);
  }
  free(x);
  return rc;
}

static int is_quantity(const ns_channel *ch, const char *quantity)
{
  const char *last = strrchr(ch->path, '/');
  return !strncmp(ch->path, "systems/", 8) && last && !strcmp(last + 1, quantity);
}

static int gather(states *s, const char *quantity, part *p)
{
  size_t max = s->meta->ncols + 1;
  int rc = NS_OK, at = 0;
  const ns_array want[] = {{&p->id, max, sizeof *p->id},
                           {&p->length, max, sizeof *p->length},
                           {&p->value, max, sizeof *p->value}};
  if (ns_arena_arrays(s->l->scratch, want, sizeof want / sizeof *want))
    return ns_nomem(&s->l->msg.c, "states of a result");
  for (int k = 0; k < s->meta->nchannels && !rc; k++)
    if (is_quantity(&s->meta->channels[k], quantity))
      rc = take_channel(s, &s->meta->channels[k], k, p, &at);
  return rc || !p->n || at == p->width ? rc : other_kind(s, p);
}

static int same_systems(const part *a, const part *b)
{
  if (a->n != b->n) return 0;
  for (long i = 0; i < a->n; i++)
    if (a->length[i] != b->length[i] || memcmp(a->id[i], b->id[i], a->length[i])) return 0;
  return 1;
}

/* The last row that is not after time=; without it the last one. */
static int find_row(states *s)
{
  double at = INFINITY, *t;
  ns_column time;
  size_t n = s->meta->nrows;
  int rc = ns_elem_attr(s->e, "time") ? ns_load_attribute(s->l, s->e, "time", NULL, &at) : NS_OK;
  if (rc) return rc;
  if (!s->meta->format || !n)
    return ns_elem_fail(&s->l->msg, s->e, NULL, "%s %s, expected a result of nssim run", s->shown,
                        n ? "is not a result of a run" : "has no rows");
  if (!(t = malloc(n * sizeof *t))) return ns_nomem(&s->l->msg.c, "times of a result");
  rc = ns_result_find(s->result, &s->l->msg.c, "time", &time);
  if (!rc) rc = ns_result_read(s->result, &s->l->msg.c, &time, t);
  s->row = n;
  while (!rc && s->row > 0 && !(t[s->row - 1] <= at * (1 + 1e-12))) s->row--;
  if (!rc && !s->row)
    rc = ns_elem_fail(
        &s->l->msg, s->e, NULL,
        "attribute time is %.10g, expected a time not before the first row of %s, %.10g", at,
        s->shown, t[0]);
  s->row--;
  free(t);
  return rc;
}

/* ---- sizes of their shapes ------------------------------------------------------------------- */

/* Sides of a rectangle about its origin, whose prism has the corners (+-a, +-b). */
static void rectangle_sizes(const ns_scene_shape *k, double *x)
{
  double a = fabs(k->nvertices ? k->vertex[0] : 0), b = fabs(k->nvertices ? k->vertex[1] : 0);
  if (k->nvertices != 8) return;
  for (int i = 0; i < k->nvertices; i++) {
    const double *at = k->vertex + 3L * i;
    if (!(fabs(fabs(at[0]) - a) <= 1e-12 * a && fabs(fabs(at[1]) - b) <= 1e-12 * b)) return;
  }
  x[SIZE_X] = 2 * a;
  x[SIZE_Y] = 2 * b;
}

/* Attributes of the one shape of a body. */
static void sizes_of(const ns_scene_shape *k, double *x)
{
  switch (k->kind) {
  case NS_SHAPE_CAPSULE:
  case NS_SHAPE_CYLINDER:
  case NS_SHAPE_CONE: x[LENGTH] = 2 * k->half[2]; /* fallthrough */
  case NS_SHAPE_SPHERE:
  case NS_SHAPE_DISK: x[RADIUS] = k->radius; return;
  case NS_SHAPE_BOX:
    for (int i = 0; i < 3; i++) x[SIZE_X + i] = 2 * k->half[i];
    return;
  case NS_SHAPE_POLYGON: rectangle_sizes(k, x); return;
  default: return;
  }
}

/* Of systems that have one shape each. Bodies stand in the order of systems, so that the search
 * for the next one begins behind the last one. */
static int find_sizes(states *s)
{
  const part *q = &s->part[0];
  const ns_result_scene *all;
  int rc = ns_result_get_scene(s->result, &s->l->msg.c, &all);
  if (rc || !all->nbodies) return rc;
  const ns_scene_shape **only = ns_arena_zero(s->l->scratch, (size_t)all->nbodies, sizeof *only);
  int *shapes = ns_arena_zero(s->l->scratch, (size_t)all->nbodies, sizeof *shapes);
  s->size = ns_arena_get(s->l->scratch, (size_t)q->n * SIZES, sizeof *s->size);
  if (!only || !shapes || !s->size) return ns_nomem(&s->l->msg.c, "sizes of shapes of a result");
  for (int k = 0; k < all->nshapes; k++)
    if (all->shape[k].body >= 0) {
      only[all->shape[k].body] = &all->shape[k];
      shapes[all->shape[k].body]++;
    }
  int b = 0;
  for (long i = 0; i < q->n; i++) {
    double *x = s->size + i * SIZES;
    int tried = 0;
    for (int j = 0; j < SIZES; j++) x[j] = NAN;
    while (tried < all->nbodies && (strlen(all->body[b].id) != q->length[i] ||
                                    memcmp(all->body[b].id, q->id[i], q->length[i]))) {
      b = (b + 1) % all->nbodies;
      tried++;
    }
    if (tried < all->nbodies && shapes[b] == 1) sizes_of(only[b], x);
  }
  return NS_OK;
}

/* Columns that all systems have, behind those of their states. */
static int add_sizes(states *s, ns_table *r)
{
  long n = s->part[0].n, old = r->cols;
  int which[SIZES], more = 0, rc = NS_OK;
  for (int j = 0; j < SIZES; j++) {
    int all = 1;
    for (long i = 0; i < n && all; i++) all = !isnan(s->size[i * SIZES + j]);
    if (all) which[more++] = j;
  }
  for (int j = 0; j < more && !rc; j++)
    rc = add_column(s->l, s->e, s->shown, r, size_name[which[j]], strlen(size_name[which[j]]));
  double *value = rc ? NULL
                     : ns_arena_get(s->l->scratch, (size_t)n * (size_t)r->cols, sizeof *value);
  if (rc || !value) return rc ? rc : ns_nomem(&s->l->msg.c, "sizes of shapes of a result");
  for (long i = 0; i < n; i++) {
    double *to = value + i * r->cols;
    memcpy(to, r->value + i * old, (size_t)old * sizeof *to);
    for (int j = 0; j < more; j++) to[old + j] = s->size[i * SIZES + which[j]];
  }
  r->value = value;
  return NS_OK;
}

static int fill(states *s, ns_table *r)
{
  const part *q = &s->part[0], *v = &s->part[1];
  int rc = NS_OK, cols = q->width + v->width;
  for (int k = 0; k < cols && !rc; k++) {
    const char *name = k < q->width ? q->name[k] : v->name[k - q->width];
    rc = add_column(s->l, s->e, s->shown, r, name, strlen(name));
  }
  double *value = rc ? NULL
                     : ns_arena_get(s->l->scratch, (size_t)q->n * (size_t)cols, sizeof *value);
  if (rc || !value) return rc ? rc : ns_nomem(&s->l->msg.c, "states of a result");
  r->value = value;
  r->n = q->n;
  for (long i = 0; i < q->n; i++, value += cols) {
    memcpy(value, q->value + i * q->width, (size_t)q->width * sizeof *value);
    memcpy(value + q->width, v->value + i * v->width, (size_t)v->width * sizeof *value);
  }
  return NS_OK;
}

static int read_states(states *s, ns_table *r)
{
  s->meta = ns_result_get_meta(s->result);
  int rc = find_row(s);
  if (!rc) rc = gather(s, "q", &s->part[0]);
  if (!rc) rc = gather(s, "v", &s->part[1]);
  if (rc) return rc;
  if (!s->part[0].n)
    return ns_elem_fail(&s->l->msg, s->e, NULL,
                        "attribute select is \"%s\", which no mechanical system of %s matches, "
                        "expected a pattern of ids such as ball*",
                        s->select, s->shown);
  if (!same_systems(&s->part[0], &s->part[1]))
    return ns_elem_fail(&s->l->msg, s->e, NULL,
                        "%s contains coordinates and velocities of different systems, expected "
                        "both of each; record q and v",
                        s->shown);
  if (!rc) rc = find_sizes(s);
  if (!rc) rc = fill(s, r);
  return rc || !s->size ? rc : add_sizes(s, r);
}

int ns_load_states(ns_load *l, const ns_elem *e, const char *shown, const char *real, ns_table *r)
{
  states s = {.l = l, .e = e, .shown = shown, .select = ns_elem_attr(e, "select")};
  ns_ctx quiet = {0};
  int rc = ns_result_open(&quiet, real, &s.result);
  if (rc == NS_NOMEM) return ns_nomem(&l->msg.c, "a result");
  if (rc) return ns_elem_fail(&l->msg, e, NULL, "%s", quiet.msg);
  rc = read_states(&s, r);
  ns_result_close(s.result);
  return rc;
}
