/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/compare/compare.h"

#include "base/plural.h"
#include "base/text.h"
#include "io/compare/compare_contacts.h"
#include "io/compare/compare_curve.h"
#include "io/compare/compare_findings.h"
#include "io/compare/compare_measures.h"
#include "io/compare/compare_quaternion.h"
#include "io/results/info.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct side {
  ns_result *r;
  const ns_result_meta *m;
  const char *name; /* "A" */
  double *t;        /* of all rows */
  size_t n;         /* rows up to the end that is compared */
  double spacing;   /* of rows, mean, s */
  double h;         /* step, s */
  const ns_result_event *e;
  double *y; /* one column */
} side;

typedef struct job {
  const ns_compare_options *o;
  ns_arena *arena; /* of this comparison */
  ns_compare_pen pen;
  ns_compare_report *rep;
  side s[2];
  double end, slack, window; /* s; window: half width of what is left out around an event */
  int same_grid, same_step;
  ns_event_match match;
  ns_time_map map;
  ns_compare_grid grid;
  ns_compare_quaternions quaternions;
  double first_stop; /* of all interactions, infinite: none */
} job;

/* ---- the runs -------------------------------------------------------------------------------- */

static void check_status(job *j, ns_ctx *c, const side *s)
{
  char buf[700];
  const char *status = s->m->provenance.status;
  if (!status || strcmp(status, "complete") == 0) return;
  ns_result_extent x = {.first = s->m->nrows ? s->t[0] : NAN,
                        .last = s->m->nrows ? s->t[s->m->nrows - 1] : NAN};
  ns_compare_find(&j->pen, c, NS_COMPARE_RUN, NULL, x.last, "the run of %s is not complete: %s",
                  s->name, ns_info_status(s->m, &x, buf, sizeof buf));
}

/* Rows that can be compared at all: some, in order of time. */
static int check_times(job *j, ns_ctx *c, const side *s)
{
  size_t n = s->m->nrows;
  if (!n) {
    ns_compare_find(&j->pen, c, NS_COMPARE_RUN, NULL, NAN, "%s has no rows", s->name);
    return 0;
  }
  for (size_t i = 0; i < n; i++) {
    if (isfinite(s->t[i]) && (i == 0 || s->t[i] >= s->t[i - 1])) continue;
    ns_compare_find(&j->pen, c, NS_COMPARE_RUN, NULL, i ? s->t[i - 1] : NAN,
                    "time of %s is %s at row %zu, after t = %.10g s", s->name,
                    isfinite(s->t[i]) ? "less than before" : "not a number", i + 1,
                    i ? s->t[i - 1] : NAN);
    return 0;
  }
  return 1;
}

static int read_side(job *j, ns_ctx *c, side *s)
{
  ns_column time;
  size_t n = s->m->nrows;
  s->t = ns_arena_get(j->arena, n + 1, sizeof *s->t);
  s->y = ns_arena_get(j->arena, n + 1, sizeof *s->y);
  if (!s->t || !s->y) return ns_nomem(c, "columns to compare");
  const char *name = "time";
  for (int k = 0; k < j->o->nmap; k++) /* a map may name the time */
    if (strcmp(s == &j->s[0] ? j->o->map[k].b : j->o->map[k].a, "time") == 0)
      name = s == &j->s[0] ? j->o->map[k].a : j->o->map[k].b;
  int rc = ns_result_find(s->r, c, name, &time);
  if (!rc) rc = ns_result_read(s->r, c, &time, s->t);
  return rc ? rc : ns_result_events(s->r, c, &s->e);
}

static void measure(side *s)
{
  size_t n = s->m->nrows;
  s->spacing = n > 1 ? (s->t[n - 1] - s->t[0]) / (double)(n - 1) : 0;
  s->h = s->m->h > 0 ? s->m->h : s->spacing;
}

/* Times of rows that rounding cannot tell apart: far below a step. */
static double slack_of(const side *a, const side *b)
{
  double max = fmax(fabs(a->t[a->m->nrows - 1]), fabs(b->t[b->m->nrows - 1]));
  double step = fmin(a->spacing, b->spacing);
  max = fmax(max, fmax(fabs(a->t[0]), fabs(b->t[0])));
  return fmax(16 * DBL_EPSILON * max, fmin(1e-9 * max, 1e-3 * step));
}

static double last(const side *s) { return s->t[s->m->nrows - 1]; }

static void check_extent(job *j, ns_ctx *c)
{
  double tol = j->o->time_tol + j->slack, until = j->o->until;
  double want = isnan(until) ? fmax(last(&j->s[0]), last(&j->s[1])) : until;
  if (fabs(j->s[0].t[0] - j->s[1].t[0]) > tol)
    ns_compare_find(&j->pen, c, NS_COMPARE_RUN, NULL, fmax(j->s[0].t[0], j->s[1].t[0]),
                    "A begins at t = %.10g s, B at t = %.10g s", j->s[0].t[0], j->s[1].t[0]);
  for (int k = 0; k < 2; k++) {
    const side *s = &j->s[k];
    if (last(s) >= want - tol) continue;
    if (isnan(until))
      ns_compare_find(&j->pen, c, NS_COMPARE_RUN, NULL, last(s),
                      "%s ends at t = %.10g s, %s continues to t = %.10g s", s->name, last(s),
                      j->s[1 - k].name, want);
    else
      ns_compare_find(&j->pen, c, NS_COMPARE_RUN, NULL, last(s),
                      "%s ends at t = %.10g s, before t = %.10g s (--until)", s->name, last(s),
                      until);
  }
  j->end = fmin(want, fmin(last(&j->s[0]), last(&j->s[1])));
  j->rep->end = j->end;
}

static size_t rows_until(const side *s, double end)
{
  size_t n = s->m->nrows;
  while (n && s->t[n - 1] > end) n--;
  return n;
}

/* Without a tolerance of time the rows have to stand at the same times. */
static void check_grid(job *j, ns_ctx *c)
{
  const side *a = &j->s[0], *b = &j->s[1];
  size_t n = a->n < b->n ? a->n : b->n, k = 0;
  while (k < n && fabs(a->t[k] - b->t[k]) <= j->slack) k++;
  j->same_grid = k == a->n && k == b->n;
  j->same_step = fabs(a->h - b->h) <= 1e-9 * fmax(a->h, b->h) ||
                 (j->same_grid && !(a->m->h > 0 && b->m->h > 0));
  if (j->same_grid || j->o->time_tol > 0) return;
  if (k < n)
    ns_compare_find(&j->pen, c, NS_COMPARE_GRID, "time", fmin(a->t[k], b->t[k]),
                    "row %zu is at t = %.10g s in A, at t = %.10g s in B; for runs with different "
                    "steps give --time-tol",
                    k + 1, a->t[k], b->t[k]);
  else
    ns_compare_find(
        &j->pen, c, NS_COMPARE_GRID, "time", k < a->n ? a->t[k] : b->t[k],
        "%zu %s in A, %zu in B up to t = %.10g s; for runs with different steps give --time-tol",
        a->n, ns_plural(a->n, "row", "rows"), b->n, j->end);
}

/* ---- events ---------------------------------------------------------------------------------- */

static int have_events(const job *j) { return j->s[0].m->format && j->s[1].m->format; }

static const char *kind_text(int kind)
{
  return kind < 0 ? "event" : ns_event_text((ns_event_kind)kind);
}

static void tell_alone(job *j, ns_ctx *c, const ns_event_alone *x)
{
  const side *s = &j->s[x->side], *other = &j->s[1 - x->side];
  const ns_result_event *e = &s->e[x->index];
  char near[120] = "";
  if (isfinite(x->nearest))
    snprintf(near, sizeof near, "; the next one there is at t = %.10g s, --time-tol is %g s",
             x->nearest, j->o->time_tol);
  ns_compare_find(&j->pen, c, NS_COMPARE_EVENT, e->interaction, e->t,
                  "%s %zu of %s (row %d) at t = %.10g s is in %s, not in %s%s", kind_text(e->kind),
                  x->order, e->interaction, e->row, e->t, s->name, other->name, near);
}

/* Largest impulse of each interaction in the reference. */
typedef struct scales {
  const char **id;
  double *largest;
  size_t n;
} scales;

static double *scale_for(const scales *s, const char *id)
{
  size_t low = 0, high = s->n; /* ids ascending */
  while (low < high) {
    size_t mid = low + (high - low) / 2;
    if (strcmp(s->id[mid], id) < 0) low = mid + 1;
    else high = mid;
  }
  return low < s->n && strcmp(s->id[low], id) == 0 ? &s->largest[low] : NULL;
}

static int by_text(const void *x, const void *y)
{
  return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static int scales_create(job *j, ns_ctx *c, scales *s)
{
  const side *b = &j->s[1];
  size_t n = b->m->nevents, k = 0;
  *s = (scales){ns_arena_get(j->arena, n, sizeof *s->id),
                ns_arena_zero(j->arena, n, sizeof *s->largest), 0};
  if (!s->id || !s->largest) return ns_nomem(c, "impulses to compare");
  for (size_t i = 0; i < n; i++) s->id[i] = b->e[i].interaction;
  if (n) qsort(s->id, n, sizeof *s->id, by_text);
  for (size_t i = 0; i < n; i++)
    if (!i || strcmp(s->id[i], s->id[k - 1]) != 0) s->id[k++] = s->id[i];
  s->n = k;
  for (size_t i = 0; i < n; i++) {
    double *x = scale_for(s, b->e[i].interaction);
    if (x && fabs(b->e[i].impulse) > *x) *x = fabs(b->e[i].impulse);
  }
  return NS_OK;
}

/* The impulse of a contact that lasts is that of one step: it says nothing where steps differ. */
static void check_impulse(job *j, ns_ctx *c, const scales *s, const ns_event_pair *p)
{
  const ns_result_event *a = &j->s[0].e[p->a], *b = &j->s[1].e[p->b];
  const double *largest = scale_for(s, b->interaction);
  double tol = j->o->atol + j->o->rtol * (largest ? *largest : 0),
         d = fabs(a->impulse - b->impulse);
  if (d <= tol || (!j->same_step && b->kind != NS_EVENT_IMPACT)) return;
  size_t before = j->rep->nfindings;
  ns_compare_find(&j->pen, c, NS_COMPARE_EVENT, b->interaction, b->t,
                  "impulse of the %s of %s (row %d) at t = %.10g s: %.10g N s in A, %.10g N s in "
                  "B, difference %.3g, tolerance %.3g",
                  kind_text(b->kind), b->interaction, b->row, b->t, a->impulse, b->impulse, d, tol);
  if (j->rep->nfindings == before) return;
  ns_compare_finding *f = &j->rep->findings[before];
  f->a = a->impulse;
  f->b = b->impulse;
  f->difference = d;
  f->tolerance = tol;
  if (isfinite(d) && tol > 0) f->ratio = d / tol;
}

/* In order of time: the first ones are kept. */
static void tell_events(job *j, ns_ctx *c, const scales *s)
{
  const ns_event_match *m = &j->match;
  for (size_t i = 0, k = 0; i < m->nalone || k < m->npairs;) {
    double alone = i < m->nalone ? j->s[m->alone[i].side].e[m->alone[i].index].t : INFINITY;
    if (k == m->npairs || (i < m->nalone && !(alone > j->s[1].e[m->pairs[k].b].t)))
      tell_alone(j, c, &m->alone[i++]);
    else check_impulse(j, c, s, &m->pairs[k++]);
  }
}

/* "events" may be ignored; who asks for measures alone does not ask for events. */
static int events_asked(const ns_compare_options *o)
{
  int measures = 0;
  if (ns_word_index(o->ignore, (size_t)o->nignore, "events") >= 0) return 0;
  for (int k = 0; k < o->nonly; k++) measures += strncmp(o->only[k], "measures", 8) == 0;
  return !measures || measures < o->nonly;
}

/* Its rows say on which side of an event they are. */
static int is_event_driven(const side *s)
{
  ns_ctx none = {0};
  ns_column col;
  return ns_result_lookup(s->r, &none, "diagnostics.side", &col);
}

static int compare_events(job *j, ns_ctx *c)
{
  const side *a = &j->s[0], *b = &j->s[1];
  double steps = 2 * fmax(fmax(a->h, b->h), fmax(a->spacing, b->spacing)) * (1 + 1e-6);
  ns_event_rule rule = {.tol = j->o->time_tol,
                        .slack = j->slack,
                        .gap = fmax(2 * j->o->time_tol, steps),
                        .start = fmax(a->t[0], b->t[0]),
                        .end = j->end,
                        .stop = j->o->events_until,
                        .mixed = is_event_driven(a) != is_event_driven(b)};
  scales s;
  if (!events_asked(j->o)) {
    rule.stop = -INFINITY;
    ns_compare_note(&j->pen, c, "events are not compared (--ignore events, or --only measures)");
  } else if (!isnan(j->o->events_until)) {
    j->first_stop = j->o->events_until;
    ns_compare_note(&j->pen, c, "from t = %.10g s on (--events-until) events are not matched",
                    j->o->events_until);
  }
  if (!have_events(j)) {
    if (a->m->format || b->m->format)
      ns_compare_note(
          &j->pen, c,
          "events are not compared: one file is a table of another program without them");
    return NS_OK;
  }
  int rc = ns_event_match_all(c, a->e, a->m->nevents, b->e, b->m->nevents, &rule, j->arena,
                              &j->match);
  if (!rc) rc = scales_create(j, c, &s);
  if (rc) return rc;
  j->rep->events = j->match.npairs;
  j->rep->events_left = j->match.left;
  tell_events(j, c, &s);
  for (size_t k = 0; k < j->match.nstops; k++)
    j->first_stop = fmin(j->first_stop, j->match.stops[k].t);
  for (size_t k = 0; k < j->match.nstops; k++)
    ns_compare_note(
        &j->pen, c,
        "events of %s (row %d) accumulate at t = %.10g s: they are not matched after that",
        j->match.stops[k].interaction, j->match.stops[k].row, j->match.stops[k].t);
  return NS_OK;
}

/* ---- common time ----------------------------------------------------------------------------- */

static int make_map(job *j, ns_ctx *c)
{
  int rc = ns_time_map_create(c, j->arena, j->match.npairs + 2, &j->map);
  if (rc) return rc;
  double a0 = j->s[0].t[0], b0 = j->s[1].t[0];
  if (fabs(a0 - b0) > j->o->time_tol + j->slack) a0 = b0 = fmax(a0, b0);
  ns_time_map_add(&j->map, a0, b0);
  for (size_t k = 0; k < j->match.npairs; k++) {
    double a = j->s[0].e[j->match.pairs[k].a].t, b = j->s[1].e[j->match.pairs[k].b].t;
    if (fabs(a - b) <= j->slack) a = b;
    if (a < j->end && b < j->end) ns_time_map_add(&j->map, a, b);
  }
  ns_time_map_add(&j->map, j->end, j->end);
  return NS_OK;
}

/* Each event of both sides, in the time of B. Those that came at the same row need no room. */
static void mark_events(job *j)
{
  for (int k = 0; k < 2; k++) {
    const side *s = &j->s[k];
    for (size_t i = 0; i < s->m->nevents && s->e[i].t <= j->end + j->window; i++)
      ns_compare_grid_mark(&j->grid, k ? s->e[i].t : ns_time_map_to_b(&j->map, s->e[i].t),
                           j->window);
  }
}

static int map_is_identity(const ns_time_map *m)
{
  for (size_t i = 0; i < m->n; i++)
    if (m->a[i] != m->b[i]) return 0;
  return 1;
}

static void add_safe(job *j, double t)
{
  ns_compare_grid *g = &j->grid;
  if (g->nsafe && t <= g->safe_b[g->nsafe - 1]) return;
  g->safe_b[g->nsafe] = t;
  g->safe_a[g->nsafe++] = ns_time_map_to_a(&j->map, t);
}

/* An event at the end of one run may be beyond that of the other. */
static int event_at_end(const job *j)
{
  for (int k = 0; k < 2; k++)
    for (size_t n = j->s[k].m->nevents; n-- > 0 && j->s[k].e[n].t > j->end - j->window;)
      if (j->s[k].e[n].t <= j->end + j->window) return 1;
  return 0;
}

/* Both ends, and the middle between events that are not close: what happened between two of these
 * times happened between them in both runs. */
static void choose_safe(job *j)
{
  const double *b = j->map.b;
  size_t n = j->map.n;
  add_safe(j, b[0]);
  for (size_t i = 2; i + 1 < n; i++) /* b[0], b[n - 1] are no events */
    if (b[i] - b[i - 1] > 2 * j->window) add_safe(j, (b[i] + b[i - 1]) / 2);
  if (!event_at_end(j)) add_safe(j, b[n - 1]);
}

static int make_grid(job *j, ns_ctx *c)
{
  side *a = &j->s[0], *b = &j->s[1];
  ns_compare_grid *g = &j->grid;
  *g = (ns_compare_grid){.ta = a->t,
                         .tb = b->t,
                         .na = a->n,
                         .nb = b->n,
                         .all_a = a->m->nrows,
                         .at = ns_arena_get(j->arena, b->n, sizeof *g->at),
                         .weight = ns_arena_get(j->arena, b->n, sizeof *g->weight),
                         .near = ns_arena_zero(j->arena, b->n, 1),
                         .safe_a = ns_arena_get(j->arena, j->map.n + 1, sizeof *g->safe_a),
                         .safe_b = ns_arena_get(j->arena, j->map.n + 1, sizeof *g->safe_b)};
  if (!g->at || !g->weight || !g->near || !g->safe_a || !g->safe_b)
    return ns_nomem(c, "rows to compare");
  ns_compare_grid_place(g, &j->map, j->slack);
  int direct = j->same_grid && map_is_identity(&j->map);
  for (size_t i = 0; direct && i < g->nb; i++) {
    g->at[i] = i;
    g->weight[i] = 0;
  }
  j->window = direct && !j->match.left
                  ? 0
                  : fmax(j->o->time_tol, fmax(a->spacing, b->spacing)) + j->slack;
  if (j->o->time_tol > 0 && j->window > 0) mark_events(j);
  choose_safe(j);
  return NS_OK;
}

/* ---- quantities ------------------------------------------------------------------------------ */

/* The first stop of an interaction: stops are in the order of their names. */
static double stop_of_id(const job *j, const char *id, size_t len)
{
  size_t low = 0, high = j->match.nstops;
  double t = INFINITY;
  while (low < high) {
    size_t mid = low + (high - low) / 2;
    const char *name = j->match.stops[mid].interaction;
    int order = strncmp(name, id, len);
    if (order < 0) low = mid + 1;
    else high = mid;
  }
  for (; low < j->match.nstops && strncmp(j->match.stops[low].interaction, id, len) == 0; low++)
    if (!j->match.stops[low].interaction[len]) t = fmin(t, j->match.stops[low].t);
  return t;
}

/* Time from which impulses of a quantity are not compared: its contact accumulates; p: any contact.
 */
static double stop_of(const job *j, const ns_compare_pair *p)
{
  const char *dot = strrchr(p->b.label, '.');
  double t = INFINITY;
  if (p->kind == NS_QUANTITY_P) t = j->first_stop;
  else if (dot) t = stop_of_id(j, p->b.label, (size_t)(dot - p->b.label));
  return fmin(t, isnan(j->o->events_until) ? INFINITY : j->o->events_until) - j->window;
}

static int thinned(const side *s) { return s->spacing > 1.5 * s->h; }

/* Rows whose impulses are not those of one step. */
static int is_thin(const job *j, const ns_compare_pair *p)
{
  return (p->forces != 0 && thinned(&j->s[0])) || (p->forces != 1 && thinned(&j->s[1]));
}

static void compare_column(job *j, ns_ctx *c, const ns_compare_pair *p, ns_compare_quantity *q)
{
  ns_compare_rule r = {.rtol = j->o->rtol,
                       .atol = j->o->atol,
                       .jumps = p->kind != NS_QUANTITY_SMOOTH,
                       .stop = INFINITY,
                       .nominal = p->nominal,
                       .held = p->held,
                       .mean = p->kind == NS_QUANTITY_FORCE};
  int impulse = p->kind == NS_QUANTITY_P || p->kind == NS_QUANTITY_LAMBDA ||
                p->kind == NS_QUANTITY_FORCE;
  int thin = is_thin(j, p), sums = impulse && (!j->same_step || p->forces >= 0);
  if (impulse && j->o->time_tol > 0) r.stop = stop_of(j, p);
  r.exact_rows = impulse && thin;
  if (sums && thin) {
    q->how = NS_COMPARE_NOT;
    ns_compare_note(&j->pen, c,
                    "%s is not compared: steps differ, and rows represent several steps (--every): "
                    "the time of an impulse in between is not known",
                    q->label);
  } else if (sums) {
    q->how = NS_COMPARE_SUMS;
    ns_compare_sums(&j->grid, j->s[0].y, j->s[1].y, &r, q);
  } else {
    ns_compare_rows(&j->grid, j->s[0].y, j->s[1].y, &r, q);
  }
  if (q->how != NS_COMPARE_NOT && !q->rows && !q->differ) {
    ns_compare_note(
        &j->pen, c,
        q->how == NS_COMPARE_SUMS
            ? "%s is not compared: all times before contacts accumulate are close to events"
            : "%s is not compared: an event is near every row",
        q->label);
    q->how = NS_COMPARE_NOT;
  }
}

/* The columns of pair i to the buffers: of a quaternion with the signs that were chosen. */
static int load_pair(job *j, ns_ctx *c, const ns_compare_pairs *pairs, size_t i)
{
  for (size_t n = 0; n < j->quaternions.n; n++) {
    ns_compare_quaternion *q = &j->quaternions.q[n];
    for (int k = 0, unit = 1, rc; k < 4; k++) {
      if (q->pair[k] != i) continue;
      if (!q->a[0] && (rc = ns_compare_quaternion_read(c, j->s[0].r, j->s[1].r, pairs, &j->grid,
                                                       j->arena, q, &unit)))
        return rc;
      memcpy(j->s[0].y, q->a[k], j->s[0].m->nrows * sizeof *j->s[0].y);
      memcpy(j->s[1].y, q->b[k], j->s[1].m->nrows * sizeof *j->s[1].y);
      return NS_OK;
    }
  }
  int rc = ns_result_read(j->s[0].r, c, &pairs->pair[i].a, j->s[0].y);
  return rc ? rc : ns_result_read(j->s[1].r, c, &pairs->pair[i].b, j->s[1].y);
}

/* Forces over time become impulses of the rows, by the trapezoidal rule, with those of events,
 * which stand at their second rows. */
static int sum_forces(job *j, ns_ctx *c, const ns_compare_pair *p)
{
  const side *s = &j->s[p->forces];
  double *jump = ns_arena_get(j->arena, s->m->nrows, sizeof *jump), before = 0;
  if (!jump) return ns_nomem(c, "impulses to compare");
  int rc = ns_result_read(s->r, c, &p->jump, jump);
  for (size_t i = 0; i < s->m->nrows && !rc; i++) {
    double force = s->y[i], step = i ? s->t[i] - s->t[i - 1] : 0;
    s->y[i] = (before + force) / 2 * step + jump[i];
    before = force;
  }
  return rc;
}

/* Forces on one side, without the impulses of its events, and impulses on the other. */
static void tell_forces(job *j, ns_ctx *c, const ns_compare_pair *p)
{
  ns_compare_note(&j->pen, c,
                  "%s is not compared: it is a force in %s, which is event-driven, and the impulse "
                  "of a step in %s",
                  p->b.label, p->forces ? "B" : "A", p->forces ? "A" : "B");
}

static int compare_pair(job *j, ns_ctx *c, const ns_compare_pairs *pairs, size_t i)
{
  const ns_compare_pair *p = &pairs->pair[i];
  ns_compare_report *r = j->rep;
  if (p->side >= 0) {
    ns_compare_find(&j->pen, c, NS_COMPARE_MISSING, p->side ? p->b.label : p->a.label, NAN,
                    "%s is in %s, not in %s", p->side ? p->b.label : p->a.label,
                    p->side ? "B" : "A", p->side ? "A" : "B");
    return NS_OK;
  }
  if (p->forces >= 0 && !p->has_jump) {
    tell_forces(j, c, p);
    return NS_OK;
  }
  if (p->forces < 0 && p->a.unit && p->b.unit && strcmp(p->a.unit, p->b.unit) != 0) {
    ns_compare_find(&j->pen, c, NS_COMPARE_UNIT, p->b.label, NAN, "%s is in %s in A, in %s in B",
                    p->b.label, p->a.unit, p->b.unit);
    return NS_OK;
  }
  ns_compare_quantity *q = &r->quantities[r->nquantities++];
  *q = (ns_compare_quantity){
      .label = ns_compare_keep(&j->pen, c, p->b.label),
      .label_a = ns_compare_keep(&j->pen, c, p->a.label),
      .unit = ns_compare_keep(&j->pen, c, p->b.unit && p->forces != 1 ? p->b.unit : p->a.unit)};
  int rc = load_pair(j, c, pairs, i);
  if (!rc && p->forces >= 0) rc = sum_forces(j, c, p);
  if (rc) return rc;
  compare_column(j, c, p, q);
  r->ncompared += q->how != NS_COMPARE_NOT;
  r->ndiffer += q->differ > 0;
  return NS_OK;
}

/* Without rows that can be compared the quantities are only paired. */
static int compare_quantities(job *j, ns_ctx *c, int values)
{
  ns_compare_pairs pairs;
  int rc = ns_compare_pairs_make(c, j->s[0].r, j->s[1].r, j->o, j->arena, &pairs);
  if (!rc)
    rc = ns_compare_quaternions_find(c, j->s[0].m, j->s[1].m, &pairs, j->o, j->arena,
                                     &j->quaternions);
  if (rc) return rc;
  j->rep->quantities = ns_arena_zero(
      j->pen.kept, pairs.n + (size_t)j->s[1].m->nmeasures + NS_COMPARE_CONTACT_QUANTITIES,
      sizeof *j->rep->quantities);
  if (!j->rep->quantities) return ns_nomem(c, "quantities to compare");
  for (size_t i = 0; i < pairs.n && !rc; i++)
    if (values || pairs.pair[i].side >= 0) rc = compare_pair(j, c, &pairs, i);
  if (!rc) ns_compare_measures(c, j->s[0].m, j->s[1].m, j->o, &j->pen);
  if (!rc && values)
    rc = ns_compare_contacts(c, j->s[0].r, j->s[1].r, &j->grid, j->same_step, j->o, &j->pen);
  return rc;
}

/* ---- verdict --------------------------------------------------------------------------------- */

static double time_of(const ns_compare_finding *f) { return isnan(f->t) ? -INFINITY : f->t; }

/* First: the earliest; a finding without a time comes before all, a measure, which is of the whole
 * run, after all. Worst: of values, the largest ratio. */
static void conclude(job *j)
{
  ns_compare_report *r = j->rep;
  for (size_t i = 0; i < r->nfindings; i++) {
    const ns_compare_finding *f = &r->findings[i];
    if (!r->first || time_of(f) < time_of(r->first)) r->first = f;
    if (isfinite(f->difference) && (!r->worst || f->ratio > r->worst->ratio)) r->worst = f;
  }
  for (size_t i = 0; i < r->nquantities; i++) {
    const ns_compare_quantity *q = &r->quantities[i];
    if (q->differ && (!r->first || (!isnan(q->first.t) && time_of(&q->first) < time_of(r->first))))
      r->first = &q->first;
    if (q->worst.quantity && (!r->worst || q->worst.ratio > r->worst->ratio)) r->worst = &q->worst;
  }
  r->same = !r->nfindings_all && !r->ndiffer;
}

static int compare(job *j, ns_ctx *c)
{
  int rc = read_side(j, c, &j->s[0]), good;
  if (!rc) rc = read_side(j, c, &j->s[1]);
  if (rc) return rc;
  for (int k = 0; k < 2; k++) check_status(j, c, &j->s[k]);
  good = check_times(j, c, &j->s[0]);
  good = check_times(j, c, &j->s[1]) && good;
  if (!good) return compare_quantities(j, c, 0);
  for (int k = 0; k < 2; k++) measure(&j->s[k]);
  j->slack = slack_of(&j->s[0], &j->s[1]);
  check_extent(j, c);
  for (int k = 0; k < 2; k++) j->s[k].n = rows_until(&j->s[k], j->end + j->slack);
  j->rep->rows = j->s[1].n;
  if (!j->s[0].n || !j->s[1].n) {
    ns_compare_find(&j->pen, c, NS_COMPARE_RUN, NULL, j->end,
                    "no rows to compare up to t = %.10g s", j->end);
    return compare_quantities(j, c, 0);
  }
  check_grid(j, c);
  rc = compare_events(j, c);
  if (!rc) rc = make_map(j, c);
  if (!rc) rc = make_grid(j, c);
  if (!rc) rc = compare_quantities(j, c, 1);
  if (!rc && !j->rep->ncompared && !j->rep->nfindings_all)
    ns_compare_find(&j->pen, c, NS_COMPARE_RUN, NULL, NAN, "no quantity could be compared");
  return rc;
}

int ns_compare(ns_ctx *c, ns_result *a, ns_result *b, const ns_compare_options *o, ns_arena *arena,
               ns_compare_report *rep)
{
  job j = {.o = o,
           .arena = ns_arena_create(0, 1),
           .pen = {arena, rep},
           .rep = rep,
           .first_stop = INFINITY,
           .s = {{.r = a, .m = ns_result_get_meta(a), .name = "A"},
                 {.r = b, .m = ns_result_get_meta(b), .name = "B"}}};
  *rep = (ns_compare_report){.a = ns_arena_text(arena, ns_result_path(a)),
                             .b = ns_arena_text(arena, ns_result_path(b)),
                             .end = NAN,
                             .rows_a = j.s[0].m->nrows,
                             .rows_b = j.s[1].m->nrows,
                             .findings = ns_arena_get(arena, NS_COMPARE_MAX, sizeof *rep->findings),
                             .notes = ns_arena_get(arena, NS_COMPARE_MAX, sizeof *rep->notes)};
  int rc = j.arena && rep->a && rep->b && rep->findings && rep->notes
               ? compare(&j, c)
               : ns_nomem(c, "report of a comparison");
  ns_arena_destroy(j.arena);
  if (!rc) rc = c->rc; /* a sentence that found no memory */
  if (!rc) conclude(&j);
  return rc;
}
