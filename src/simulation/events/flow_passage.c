/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events/flow_passage.h"

#include <float.h>
#include <math.h>
#include <string.h>

int ns_flow_passage_init(ns_flow_passage *p, ns_arena *mem)
{
  size_t n = p->problem->n;
  p->end = ns_arena_zero(mem, 2 * n + 1, sizeof *p->end);
  p->rate = p->end ? p->end + n : NULL;
  return p->end ? NS_OK : NS_NOMEM;
}

static int place(void *of, double t)
{
  ns_flow_passage *p = of;
  size_t bytes = p->problem->n * sizeof *p->x;
  int inside = t < p->to, rc = NS_OK;
  if (inside) rc = p->ops->dense(p->flow, p->c, fmax(t, p->from), 0, p->x);
  else memcpy(p->x, p->end, bytes);
  if (inside && !p->forces) {
    if (!rc) p->come(p->of, t);
    return rc;
  }
  if (!rc && p->sliding) rc = p->problem->rate(p->problem->of, t, p->x, p->rate);
  return rc < 0 ? rc : p->show(p->of, t);
}

/* Whether dense output is there from `since` to t. A step may lead far beyond the event that ends
 * it, as the last one of a flight: where it began is known to rounding of where it leads. */
static int reaches(ns_flow_passage *p, double since, double t)
{
  double from, to;
  p->ops->span(p->flow, &from, &to);
  double rounding = 8 * DBL_EPSILON * fmax(fmax(fabs(since), fabs(t)), fmax(fabs(from), fabs(to)));
  p->from = from;
  p->to = t;
  return from <= since + rounding && t <= to + rounding && from < t;
}

int ns_flow_passed(ns_flow_passage *p, ns_ctx *c, ns_recorder *rec, double since, double t)
{
  if (!rec || !p->listened || !(t > since)) return NS_OK;
  size_t bytes = p->problem->n * sizeof *p->x;
  memcpy(p->end, p->x, bytes);
  p->c = c;
  int whole = reaches(p, since, t);
  int rc = whole ? ns_recorder_passage(rec, c, &(ns_passage){t, place, p}) : place(p, t);
  if (!rc && !whole) rc = ns_recorder_state(rec, c);
  memcpy(p->x, p->end, bytes);
  return rc;
}

double ns_flow_passage_next(const ns_flow_passage *p, const ns_recorder *rec, double t)
{
  return rec && p->listened ? ns_recorder_next(rec, t) : INFINITY;
}
