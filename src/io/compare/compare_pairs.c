/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/compare/compare_pairs.h"

#include "io/compare/compare_contacts.h"
#include "io/compare/compare_measures.h"

#include <stdlib.h>
#include <string.h>

/* ---- kinds ----------------------------------------------------------------------------------- */

ns_quantity_kind ns_quantity_kind_of(const char *path, const char *label)
{
  static const struct {
    const char *name;
    ns_quantity_kind kind;
  } known[] = {
      {"v", NS_QUANTITY_V},           {"ydot", NS_QUANTITY_V},         {"p", NS_QUANTITY_P},
      {"lambda", NS_QUANTITY_LAMBDA}, {"impulse", NS_QUANTITY_LAMBDA}, {"force", NS_QUANTITY_FORCE},
      {"support", NS_QUANTITY_P},     {"xdot", NS_QUANTITY_V},         {"r", NS_QUANTITY_V}};
  const char *slash = strrchr(path, '/'), *dot = strrchr(label, '.'),
             *name = slash ? slash + 1
                     : dot ? dot + 1
                           : label;
  size_t n = slash ? strlen(name) : strcspn(name, "_[");
  if (strncmp(path, "diagnostics/", 12) == 0 || strncmp(label, "diagnostics.", 12) == 0)
    return NS_QUANTITY_V;
  if (slash && strcmp(name, "i") == 0) return NS_QUANTITY_V; /* of a diode, a switch */
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (strlen(known[k].name) == n && memcmp(known[k].name, name, n) == 0) return known[k].kind;
  return NS_QUANTITY_SMOOTH;
}

/* ---- what is asked for ----------------------------------------------------------------------- */

typedef struct table {
  ns_result *r;
  const ns_result_meta *m;
  char *only, *ignore; /* [ncols]: a pattern names the column */
  double *nominal;     /* by the options, 0: none [ncols] */
  size_t *partner;     /* column of the other side + 1 by --map, 0: none [ncols] */
  char *paired;        /* [ncols] */
  ns_column *cols;     /* in the order of the file [ncols] */
  size_t *by_label;    /* ascending label, of equal ones in the order of the file [ncols] */
} table;

static size_t flat(const table *t, const ns_column *col)
{
  return t->m->channels[col->channel].col + (size_t)col->component;
}

static int label_order(const void *x, const void *y, void *to)
{
  const table *t = to;
  size_t i = *(const size_t *)x, k = *(const size_t *)y;
  int order = strcmp(t->cols[i].label, t->cols[k].label);
  return order ? order : (i > k) - (i < k);
}

static void list_columns(table *t)
{
  size_t n = 0;
  for (int i = 0; i < t->m->nchannels; i++)
    for (int k = 0; k < t->m->channels[i].ncol; k++, n++) {
      t->cols[n] = (ns_column){i, k, t->m->channels[i].labels[k],
                               ns_channel_unit(&t->m->channels[i], k)};
      t->by_label[n] = n;
    }
  if (n) qsort_r(t->by_label, n, sizeof *t->by_label, label_order, t);
}

static int create(ns_ctx *c, ns_result *r, ns_arena *arena, table *t)
{
  const ns_result_meta *m = ns_result_get_meta(r);
  size_t n = m->ncols;
  *t = (table){r,
               m,
               ns_arena_zero(arena, n, 1),
               ns_arena_zero(arena, n, 1),
               ns_arena_zero(arena, n, sizeof *t->nominal),
               ns_arena_zero(arena, n, sizeof *t->partner),
               ns_arena_zero(arena, n, 1),
               ns_arena_get(arena, n, sizeof *t->cols),
               ns_arena_get(arena, n, sizeof *t->by_label)};
  if (!t->only || !t->ignore || !t->nominal || !t->partner || !t->paired || !t->cols ||
      !t->by_label)
    return ns_nomem(c, "quantities to compare");
  list_columns(t);
  return NS_OK;
}

/* The first column of that very label; ncols: none. */
static size_t labelled(const table *t, const char *label)
{
  size_t low = 0, high = t->m->ncols;
  while (low < high) {
    size_t mid = low + (high - low) / 2;
    if (strcmp(t->cols[t->by_label[mid]].label, label) < 0) low = mid + 1;
    else high = mid;
  }
  int is = low < t->m->ncols && strcmp(t->cols[t->by_label[low]].label, label) == 0;
  return is ? t->by_label[low] : t->m->ncols;
}

/* Mark what a pattern names; "ball" is "ball.*". *found: there is something. */
static int mark(ns_ctx *c, table *t, const char *pattern, ns_arena *arena, char *marks, int *found)
{
  ns_ctx quiet = {0};
  ns_column *cols;
  int n = 0, rc = ns_result_match(t->r, &quiet, pattern, arena, &cols, &n);
  char all[512];
  if (rc == NS_USAGE && !strchr(pattern, '.')) {
    snprintf(all, sizeof all, "%.500s.*", pattern);
    quiet = (ns_ctx){0};
    rc = ns_result_match(t->r, &quiet, all, arena, &cols, &n);
  }
  if (rc == NS_USAGE) return NS_OK;
  if (rc) return ns_fail(c, rc, "%s", quiet.msg);
  for (int k = 0; k < n; k++) marks[flat(t, &cols[k])] = 1;
  *found = 1;
  return NS_OK;
}

/* Nominal values: of columns of B alone, which is what differences are measured by. */
static int mark_nominal(ns_ctx *c, table *b, const ns_compare_options *o, ns_arena *arena)
{
  int rc = NS_OK;
  for (int i = 0; i < o->nnominal && !rc; i++) {
    int found = 0, n;
    ns_column *cols;
    char *marks = ns_arena_zero(arena, b->m->ncols, 1);
    if (!marks) return ns_nomem(c, "quantities to compare");
    rc = mark(c, b, o->nominal[i].quantity, arena, marks, &found);
    /* for its sentence */
    if (!rc && !found) rc = ns_result_match(b->r, c, o->nominal[i].quantity, arena, &cols, &n);
    for (size_t k = 0; k < b->m->ncols; k++)
      if (marks[k]) b->nominal[k] = o->nominal[i].value;
  }
  return rc;
}

static int mark_all(ns_ctx *c, table *a, table *b, const ns_compare_options *o, ns_arena *arena)
{
  int rc = NS_OK, found = 0;
  for (int i = 0; i < o->nonly && !rc; i++, found = 0) {
    ns_column *cols;
    int n;
    rc = mark(c, a, o->only[i], arena, a->only, &found);
    if (!rc) rc = mark(c, b, o->only[i], arena, b->only, &found);
    found |= ns_compare_names_measure(a->m, o->only[i]) ||
             ns_compare_names_measure(b->m, o->only[i]);
    found |= ns_compare_names_contacts(a->m, o->only[i]) ||
             ns_compare_names_contacts(b->m, o->only[i]);
    /* for its sentence */
    if (!rc && !found) rc = ns_result_match(b->r, c, o->only[i], arena, &cols, &n);
  }
  for (int i = 0; i < o->nignore && !rc; i++) {
    rc = mark(c, a, o->ignore[i], arena, a->ignore, &found);
    if (!rc) rc = mark(c, b, o->ignore[i], arena, b->ignore, &found);
  }
  return rc;
}

static int map_names(ns_ctx *c, table *a, table *b, const ns_compare_options *o)
{
  for (int i = 0; i < o->nmap; i++) {
    ns_column x, y;
    int rc = ns_result_find(a->r, c, o->map[i].a, &x);
    if (!rc) rc = ns_result_find(b->r, c, o->map[i].b, &y);
    if (rc) return rc;
    a->partner[flat(a, &x)] = flat(b, &y) + 1;
    b->partner[flat(b, &y)] = flat(a, &x) + 1;
  }
  return NS_OK;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static int is_diagnostic(const table *t, const ns_column *col)
{
  return strncmp(t->m->channels[col->channel].path, "diagnostics/", 12) == 0 ||
         strncmp(col->label, "diagnostics.", 12) == 0;
}

static ns_quantity_kind kind_of(const table *t, const ns_column *col)
{
  const ns_channel *ch = &t->m->channels[col->channel];
  /* outputs and multipliers of first-order systems have no unit: they are no gaps and impulses, and
   * jump */
  ns_quantity_kind kind = ns_quantity_kind_of(ch->path, col->label);
  size_t n = ch->unit ? strlen(ch->unit) : 0;
  /* with event-driven schemes p and lambda are forces: they jump, and are not summed */
  if ((kind == NS_QUANTITY_P || kind == NS_QUANTITY_LAMBDA) && n &&
      (n < 2 || strcmp(ch->unit + n - 2, " s") != 0))
    return NS_QUANTITY_V;
  /* an observable of that name */
  if (kind == NS_QUANTITY_FORCE && ch->course != NS_COURSE_STEP) return NS_QUANTITY_SMOOTH;
  int bare = t->m->format && !(ch->unit && *ch->unit) &&
             strncmp(ch->path, "interactions/", 13) == 0;
  return bare ? NS_QUANTITY_V : kind;
}

/* What is compared only where it is named: diagnostics, and forces, which say what impulses say. */
static int is_aside(const table *t, const ns_column *col)
{
  return is_diagnostic(t, col) || (t->m->format && kind_of(t, col) == NS_QUANTITY_FORCE);
}

static int asked(const table *t, const ns_column *col, const ns_compare_options *o)
{
  size_t k = flat(t, col);
  /* keys are text: those of sweeps differ with the model */
  if (t->ignore[k] || (col->channel == 1 && ns_result_is_sweep(t->m))) return 0;
  return o->nonly ? t->only[k] : !is_aside(t, col);
}

/* The column of A for one of B. 1 if there is one. */
static int partner(const table *a, const table *b, const ns_column *col, ns_column *other)
{
  size_t mapped = b->partner[flat(b, col)], k = mapped ? mapped - 1 : labelled(a, col->label);
  if (k == a->m->ncols || a->paired[k] || (!mapped && a->partner[k])) return 0;
  *other = a->cols[k];
  return 1;
}

static int is_impulse_of(const char *unit, const char *force)
{
  size_t n = force ? strlen(force) : 0;
  return n && unit && strncmp(unit, force, n) == 0 && strcmp(unit + n, " s") == 0;
}

/* Whether one side has forces and the other impulses; forces of an interaction go with its impulses
 * of events, which then are no quantity of their own. */
static void find_forces(table *a, table *b, ns_compare_pair *x)
{
  char label[512];
  x->forces = is_impulse_of(x->a.unit, x->b.unit)   ? 1
              : is_impulse_of(x->b.unit, x->a.unit) ? 0
                                                    : -1;
  if (x->forces < 0) return;
  table *t = x->forces ? b : a;
  const ns_column *col = x->forces ? &x->b : &x->a;
  const char *dot = strrchr(col->label, '.');
  x->kind = NS_QUANTITY_P;
  if (!dot || strncmp(dot, ".lambda", 7) != 0) return;
  x->kind = NS_QUANTITY_LAMBDA;
  snprintf(label, sizeof label, "%.*s.impulse%s", (int)(dot - col->label), col->label, dot + 7);
  size_t k = labelled(t, label);
  if (k == t->m->ncols) return;
  t->paired[k] = 1;
  x->has_jump = 1;
  x->jump = t->cols[k];
}

static int is_held(const table *t, const ns_column *col)
{
  return t->m->channels[col->channel].course == NS_COURSE_HELD;
}

static void add_of_b(table *a, table *b, const ns_column *col, const ns_compare_options *o,
                     ns_compare_pairs *p)
{
  ns_compare_pair x = {.b = *col,
                       .side = -1,
                       .forces = -1,
                       .kind = kind_of(b, col),
                       .nominal = b->nominal[flat(b, col)]};
  int is = asked(b, col, o);
  if (!partner(a, b, col, &x.a)) {
    x.side = 1;
  } else {
    size_t k = flat(a, &x.a);
    a->paired[k] = 1;
    is = a->ignore[k] || b->ignore[flat(b, col)] ? 0 : is || (o->nonly && a->only[k]);
    if (x.kind == NS_QUANTITY_SMOOTH) x.kind = kind_of(a, &x.a);
    x.held = is_held(a, &x.a) && is_held(b, col);
    find_forces(a, b, &x);
  }
  if (is) p->pair[p->n++] = x;
}

static void add_rest_of_a(const table *a, const ns_compare_options *o, ns_compare_pairs *p)
{
  for (size_t k = 0; k < a->m->ncols; k++) {
    const ns_column *col = &a->cols[k];
    if (a->paired[k] || !asked(a, col, o)) continue;
    p->pair[p->n++] = (ns_compare_pair){
        .a = *col, .side = 0, .forces = -1, .kind = kind_of(a, col)};
  }
}

/* The time, as compare.c finds it: by the map, else by its name. */
static int find_time(ns_ctx *c, const table *t, const ns_compare_options *o, int of_b, size_t *time)
{
  ns_column col;
  const char *name = "time";
  for (int k = 0; k < o->nmap; k++)
    if (strcmp(of_b ? o->map[k].a : o->map[k].b, "time") == 0)
      name = of_b ? o->map[k].b : o->map[k].a;
  int rc = ns_result_find(t->r, c, name, &col);
  *time = rc ? 0 : flat(t, &col);
  return rc;
}

int ns_compare_pairs_make(ns_ctx *c, ns_result *a, ns_result *b, const ns_compare_options *o,
                          ns_arena *arena, ns_compare_pairs *p)
{
  table ta, tb;
  size_t time_a = 0, time_b = 0;
  int rc = create(c, a, arena, &ta);
  if (!rc) rc = create(c, b, arena, &tb);
  if (!rc) rc = mark_all(c, &ta, &tb, o, arena);
  if (!rc) rc = mark_nominal(c, &tb, o, arena);
  if (!rc) rc = map_names(c, &ta, &tb, o);
  if (!rc) rc = find_time(c, &ta, o, 0, &time_a);
  if (!rc) rc = find_time(c, &tb, o, 1, &time_b);
  if (rc) return rc;
  *p = (ns_compare_pairs){.pair = ns_arena_get(arena, ta.m->ncols + tb.m->ncols, sizeof *p->pair)};
  if (!p->pair) return ns_nomem(c, "quantities to compare");
  ta.paired[time_a] = 1;
  for (size_t k = 0; k < tb.m->ncols; k++)
    if (k != time_b && !tb.paired[k]) add_of_b(&ta, &tb, &tb.cols[k], o, p);
  add_rest_of_a(&ta, o, p);
  return NS_OK;
}
