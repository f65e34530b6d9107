/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/compare/compare_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- events, sorted into streams ------------------------------------------------------------- */

typedef struct sorted {
  const ns_result_event *e;
  size_t *at; /* by interaction, row, kind, time [n] */
  size_t n;
} sorted;

typedef struct matching {
  const ns_event_rule *rule;
  sorted side[2];
  ns_event_match *m;
} matching;

static int row_order(const ns_result_event *x, const ns_result_event *y)
{
  int k = strcmp(x->interaction, y->interaction);
  return k ? k : (x->row > y->row) - (x->row < y->row);
}

static int stream_order(const ns_result_event *x, const ns_result_event *y)
{
  int k = row_order(x, y);
  return k ? k : (x->kind > y->kind) - (x->kind < y->kind);
}

static int by_stream(const void *x, const void *y, void *to)
{
  const ns_result_event *e = ((const sorted *)to)->e;
  size_t i = *(const size_t *)x, j = *(const size_t *)y;
  int k = stream_order(&e[i], &e[j]);
  return k ? k : (i > j) - (i < j);
}

/* Of a corner, edge or face of a shape, whose name ends with ":1.3.0" (ns_event_id). */
static int is_of_corner(const ns_result_event *e)
{
  return e->index < 0 && !ns_event_is_own(e->kind) && strchr(e->interaction, ':') != NULL;
}

/* Of kinds that time-stepping does not record, or a slip that turns round. */
static int is_of_event_driven(const ns_result_event *e)
{
  return e->kind == NS_EVENT_FORMULA || e->kind == NS_EVENT_ACCUMULATION ||
         e->kind == NS_EVENT_BRANCH || e->kind == NS_EVENT_JAM ||
         (e->kind == NS_EVENT_SLIP && e->was == e->is);
}

static int sort_events(ns_ctx *c, ns_arena *arena, const ns_result_event *e, size_t n,
                       const ns_event_rule *rule, sorted *s)
{
  double end = rule->end + rule->slack;
  *s = (sorted){.e = e, .at = ns_arena_get(arena, n, sizeof *s->at)};
  if (!s->at) return ns_nomem(c, "events to compare");
  for (size_t i = 0; i < n; i++) /* a NaN is kept, and has no counterpart */
    if (!(e[i].t > end) && !is_of_corner(&e[i]) && !(rule->mixed && is_of_event_driven(&e[i])))
      s->at[s->n++] = i;
  if (s->n) qsort_r(s->at, s->n, sizeof *s->at, by_stream, s);
  return NS_OK;
}

static const ns_result_event *event(const sorted *s, size_t k) { return &s->e[s->at[k]]; }

/* ---- one stream ------------------------------------------------------------------------------ */

static size_t stream_end(const sorted *s, size_t from)
{
  size_t k = from;
  while (k < s->n && stream_order(event(s, k), event(s, from)) == 0) k++;
  return k;
}

static size_t row_end(const sorted *s, size_t from, const ns_result_event *e)
{
  while (from < s->n && row_order(event(s, from), e) == 0) from++;
  return from;
}

/* Time of the first event that follows one of its kind too closely; infinite where there is none.
 */
static double accumulation(const sorted *s, size_t from, size_t to, double gap)
{
  double t = INFINITY;
  for (size_t k = from + 1; k < to; k++) {
    const ns_result_event *before = event(s, k - 1), *e = event(s, k);
    if (e->kind == before->kind && e->t - before->t <= gap && e->t < t) t = e->t;
  }
  return t;
}

/* An event that the other side may have beyond the end, or in the accumulation, or with which that
 * begins: an event-driven run records a relay that leaves its initial mode at once. */
static int excused(const matching *x, const ns_result_event *e, double stop)
{
  const ns_event_rule *r = x->rule;
  return e->t >= stop || e->t > stop - r->tol || e->t > r->end - r->tol || e->t < r->start + r->tol;
}

static void leave_alone(matching *x, int side, size_t k, size_t first, double stop, double nearest)
{
  const sorted *s = &x->side[side];
  if (excused(x, event(s, k), stop)) {
    x->m->left++;
    return;
  }
  x->m->alone[x->m->nalone++] = (ns_event_alone){side, s->at[k], k - first + 1, nearest};
}

static void match_stream(matching *x, const size_t from[2], const size_t to[2], double stop)
{
  size_t i = from[0], j = from[1];
  double tol = x->rule->tol + x->rule->slack;
  while (i < to[0] || j < to[1]) {
    double ta = i < to[0] ? event(&x->side[0], i)->t : NAN,
           tb = j < to[1] ? event(&x->side[1], j)->t : NAN;
    if (fabs(ta - tb) <= tol && ta < stop && tb < stop) {
      x->m->pairs[x->m->npairs++] = (ns_event_pair){x->side[0].at[i++], x->side[1].at[j++]};
    } else if (j >= to[1] || (i < to[0] && !(ta > tb))) {
      leave_alone(x, 0, i++, from[0], stop, tb);
    } else {
      leave_alone(x, 1, j++, from[1], stop, ta);
    }
  }
}

/* All kinds of one row of an interaction; moves at[] to the next row. */
static void match_row(matching *x, size_t at[2])
{
  const ns_result_event *e[2] = {NULL, NULL};
  for (int s = 0; s < 2; s++)
    if (at[s] < x->side[s].n) e[s] = event(&x->side[s], at[s]);
  const ns_result_event *row = !e[0] ? e[1] : !e[1] || row_order(e[0], e[1]) <= 0 ? e[0] : e[1];
  size_t end[2] = {row_end(&x->side[0], at[0], row), row_end(&x->side[1], at[1], row)};
  double stop = fmin(accumulation(&x->side[0], at[0], end[0], x->rule->gap),
                     accumulation(&x->side[1], at[1], end[1], x->rule->gap));
  int accumulates = isfinite(stop);
  if (!isnan(x->rule->stop) && x->rule->stop <= stop) accumulates = 0, stop = x->rule->stop;
  if (accumulates) x->m->stops[x->m->nstops++] = (ns_event_stop){row->interaction, row->row, stop};
  while (at[0] < end[0] || at[1] < end[1]) {
    int lead = at[0] >= end[0] || (at[1] < end[1] && event(&x->side[1], at[1])->kind <
                                                         event(&x->side[0], at[0])->kind);
    const ns_result_event *first = event(&x->side[lead], at[lead]);
    size_t to[2] = {at[0], at[1]};
    for (int s = 0; s < 2; s++)
      if (at[s] < end[s] && stream_order(event(&x->side[s], at[s]), first) == 0)
        to[s] = stream_end(&x->side[s], at[s]);
    match_stream(x, at, to, stop);
    at[0] = to[0];
    at[1] = to[1];
  }
}

static int pair_order(const void *p, const void *q, void *to)
{
  const matching *x = to;
  const ns_event_pair *u = p, *v = q;
  double tu = x->side[1].e[u->b].t, tv = x->side[1].e[v->b].t;
  return tu > tv ? 1 : tu < tv ? -1 : (u->b > v->b) - (u->b < v->b);
}

static int alone_order(const void *p, const void *q, void *to)
{
  const matching *x = to;
  const ns_event_alone *u = p, *v = q;
  double tu = x->side[u->side].e[u->index].t, tv = x->side[v->side].e[v->index].t;
  return tu > tv              ? 1
         : tu < tv            ? -1
         : u->side != v->side ? u->side - v->side
                              : (u->index > v->index) - (u->index < v->index);
}

int ns_event_match_all(ns_ctx *c, const ns_result_event *a, size_t na, const ns_result_event *b,
                       size_t nb, const ns_event_rule *rule, ns_arena *arena, ns_event_match *m)
{
  matching x = {.rule = rule, .m = m};
  size_t at[2] = {0, 0}, n = na + nb;
  *m = (ns_event_match){.pairs = ns_arena_get(arena, n, sizeof *m->pairs),
                        .alone = ns_arena_get(arena, n, sizeof *m->alone),
                        .stops = ns_arena_get(arena, n, sizeof *m->stops)};
  if (!m->pairs || !m->alone || !m->stops) return ns_nomem(c, "events to compare");
  int rc = sort_events(c, arena, a, na, rule, &x.side[0]);
  if (!rc) rc = sort_events(c, arena, b, nb, rule, &x.side[1]);
  if (rc) return rc;
  while (at[0] < x.side[0].n || at[1] < x.side[1].n) match_row(&x, at);
  if (m->npairs) qsort_r(m->pairs, m->npairs, sizeof *m->pairs, pair_order, &x);
  if (m->nalone) qsort_r(m->alone, m->nalone, sizeof *m->alone, alone_order, &x);
  return NS_OK;
}

/* ---- time ------------------------------------------------------------------------------------ */

int ns_time_map_create(ns_ctx *c, ns_arena *arena, size_t n, ns_time_map *m)
{
  *m = (ns_time_map){ns_arena_get(arena, n, sizeof *m->a), ns_arena_get(arena, n, sizeof *m->b), 0};
  return m->a && m->b ? NS_OK : ns_nomem(c, "common time of two results");
}

void ns_time_map_add(ns_time_map *m, double a, double b)
{
  if (m->n && !(a > m->a[m->n - 1] && b > m->b[m->n - 1])) return;
  m->a[m->n] = a;
  m->b[m->n++] = b;
}

static double map_time(const double *from, const double *to, size_t n, double t)
{
  if (n == 0) return t;
  if (!(t > from[0])) return to[0] + (t - from[0]);
  if (t >= from[n - 1]) return to[n - 1] + (t - from[n - 1]);
  size_t low = 0, high = n - 1; /* from[low] < t < from[high] */
  while (high - low > 1) {
    size_t mid = low + (high - low) / 2;
    if (from[mid] <= t) low = mid;
    else high = mid;
  }
  if (from[low] == to[low] && from[high] == to[high]) return t; /* exactly */
  return to[low] + (to[high] - to[low]) * ((t - from[low]) / (from[high] - from[low]));
}

double ns_time_map_to_a(const ns_time_map *m, double b) { return map_time(m->b, m->a, m->n, b); }
double ns_time_map_to_b(const ns_time_map *m, double a) { return map_time(m->a, m->b, m->n, a); }
