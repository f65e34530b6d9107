/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_events.c -- <events>: conditions and schedules of the user, and what happens then
 * (model/user_event.h). */
#include "io/load/load_job.h"

#include "expression/quote.h"
#include "model/user_event.h"
#include "simulation/record/sink.h"

#include <math.h>
#include <string.h>

/* ---- <set> ----------------------------------------------------------------------------------- */

/* The bank and entry that a formula consists of, -1: it is another one. */
static int find_variable(ns_graph *g, ns_node f, int first_order, int *entry)
{
  for (int b = NS_BANK_Q; b <= NS_BANK_Z; b++) {
    if (b == NS_BANK_V && first_order) continue;
    if (ns_graph_variables(g, &f, 1, b, entry, 1) == 1 && ns_graph_variable(g, b, *entry) == f)
      return b;
  }
  return -1;
}

static int read_target(ns_load *l, const ns_elem *e, const ns_observable *o, ns_user_set *s)
{
  const char *name = ns_elem_attr(e, "name");
  const ns_where at = {.e = e, .attribute = "name"};
  ns_load_scope scope;
  ns_node f;
  int k = 0, rc = ns_load_scope_stack(l, o->systems, o->nsystems, &scope),
      first_order = ns_model_is_first_order(l->m);
  if (rc) return rc;
  scope.uses = ~0u;
  ns_quotation quoted = ns_quoted(name);
  if (ns_load_parameter(l, name, strlen(name)))
    return ns_elem_fail(
        &l->msg, e, NULL,
        "attribute name: %s is a parameter, which is constant during a run, expected an entry of "
        "the state; declare what an event changes by inputs= and <z> of a system",
        quoted.text);
  ns_mark mark = ns_arena_mark(l->graphs);
  ns_graph *g = ns_graph_create(l->graphs);
  rc = g ? ns_load_formula(l, g, &scope, &at, name, strlen(name), &f)
         : ns_nomem(&l->msg.c, "events");
  if (!rc && (s->bank = find_variable(g, f, first_order, &k)) < 0)
    rc = ns_elem_fail(
        &l->msg, e, NULL,
        "attribute name: %s is not an entry of the state, expected one such as %s", quoted.text,
        first_order ? "x, x[0], plant.x or z[0]" : "x, v_x, q[0], v[0], ball.x or z[0]");
  ns_arena_release(l->graphs, mark);
  /* the model has placed its systems */
  if (!rc) s->entry = ns_model_entry(l->m, o->systems, o->nsystems, s->bank, k);
  return rc;
}

static int read_set(ns_load *l, const ns_elem *e, const ns_observable *o, ns_user_set *s)
{
  const char *value = ns_elem_attr(e, "value");
  if (e->bad) return NS_MODEL;
  s->to = *o;
  int rc = read_target(l, e, o, s);
  if (rc != NS_NOMEM)
    rc |= ns_load_reading(l, &(ns_where){.e = e, .attribute = "value"}, value, 0, &s->to);
  return l->msg.c.rc == NS_NOMEM ? NS_NOMEM : rc;
}

static int read_sets(ns_load *l, const ns_elem *e, const ns_observable *o, ns_user_event *v)
{
  size_t max = 0;
  int rc = NS_OK;
  for (const ns_elem *k = e->first; k; k = k->next) max++;
  ns_user_set *s = ns_arena_zero(l->m->arena, max, sizeof *s);
  if (!s) return ns_nomem(&l->msg.c, "events");
  v->sets = s;
  for (const ns_elem *k = e->first; k && rc != NS_NOMEM; k = k->next)
    if (k->def) rc |= read_set(l, k, o, &s[v->nsets++]);
  return rc;
}

/* ---- when ------------------------------------------------------------------------------------ */

static int check_moments(ns_load *l, const ns_elem *e)
{
  const char *when = ns_elem_attr(e, "when"), *at = ns_elem_attr(e, "at"),
             *every = ns_elem_attr(e, "every");
  int n = (when != NULL) + (at != NULL) + (every != NULL);
  if (n != 1)
    return ns_elem_fail(&l->msg, e, NULL, "has %s of when=, at= and every=, expected one of them",
                        n ? "several" : "none");
  if (!when && ns_elem_attr(e, "direction"))
    return ns_elem_fail(
        &l->msg, e, NULL,
        "has direction= without when=, expected it only with a condition; remove it");
  return NS_OK;
}

/* Times of at=, from the begin of the window on. */
static int read_times(ns_load *l, const ns_elem *e, ns_user_event *v)
{
  const ns_indices index = {0};
  ns_scalar *s;
  int n, rc = ns_load_attribute_list(l, e, "at", &index, &s, &n);
  if (rc || !n) return rc;
  double *t = ns_arena_get(l->m->arena, (size_t)n, sizeof *t), last = -INFINITY;
  if (!t) return ns_nomem(&l->msg.c, "events");
  for (int i = 0; i < n; i++) {
    double x = ns_scalar_get(&s[i], &index);
    if (!isfinite(x))
      return ns_elem_fail(&l->msg, e, NULL, "attribute at: time %d is %g, expected a finite number",
                          i + 1, x);
    if (!(x > last))
      return ns_elem_fail(&l->msg, e, NULL,
                          "attribute at: time %d is %.10g, after %.10g, expected ascending times",
                          i + 1, x, last);
    last = x;
    if (x >= v->from) t[v->ntimes++] = x;
  }
  v->times = t;
  return NS_OK;
}

static int read_moments(ns_load *l, const ns_elem *e, const ns_observable *o, ns_user_event *v)
{
  const char *when = ns_elem_attr(e, "when");
  static const int sign[] = {1, -1, 0};
  int rc = check_moments(l, e);
  v->from = -INFINITY;
  v->until = INFINITY;
  if (!rc) rc = ns_load_attribute(l, e, "from", NULL, &v->from);
  if (!rc) rc = ns_load_attribute(l, e, "until", NULL, &v->until);
  if (!rc && !(v->until > v->from))
    rc = ns_elem_fail(&l->msg, e, NULL,
                      "attribute until is %.10g, expected a time after from, which is %.10g",
                      v->until, v->from);
  int choice = rc ? 0 : ns_load_word(l, e, "direction", 0);
  if (choice < 0) rc = NS_MODEL;
  v->direction = sign[choice > 0 ? choice : 0];
  if (!rc) rc = ns_load_every(l, e, &v->every);
  v->start = isfinite(v->from) ? v->from : l->m->sim.t0 + v->every;
  if (!rc) rc = read_times(l, e, v);
  v->when = *o;
  if (!rc && when)
    rc = ns_load_reading(l, &(ns_where){.e = e, .attribute = "when"}, when, 1, &v->when);
  return rc;
}

/* ---- the elements ---------------------------------------------------------------------------- */

/* An id that measures would take for a kind of event. */
static int check_id(ns_load *l, const ns_elem *e, const char *id)
{
  int kind = !strcmp(id, "any");
  for (int k = 0; k < NS_EVENT_KINDS; k++) kind |= !strcmp(ns_event_text((ns_event_kind)k), id);
  return kind ? ns_elem_fail(&l->msg, e, NULL, "%s is a kind of event, expected another id", id)
              : NS_OK;
}

static int load_event(ns_load *l, ns_elem *e)
{
  ns_user_event v = {.at = {.file = e->file, .element = e->def->name, .line = e->line},
                     .stop = !strcmp(e->name, "stop")};
  ns_observable o = {.interaction = -1};
  if (e->bad) return NS_MODEL;
  int rc = ns_load_own_id(l, e, "stop", &v.id);
  v.at.id = v.id;
  o.at = v.at;
  if (!rc) rc = check_id(l, e, v.id);
  if (!rc) rc = ns_load_text(l, e, "help", &v.help);
  if (!rc) rc = ns_load_reader(l, e, &o);
  if (!rc) rc = read_moments(l, e, &o, &v);
  int choice = rc ? 0 : ns_load_word(l, e, "record", 0);
  if (choice < 0) rc = NS_MODEL;
  v.record = (ns_user_record)choice;
  if (!rc && !v.stop) rc = read_sets(l, e, &o, &v);
  if (rc) return l->msg.c.rc == NS_NOMEM ? NS_NOMEM : rc;
  return ns_model_add_user_event(l->m, &l->msg.c, &v) < 0 ? NS_NOMEM : NS_OK;
}

int ns_load_events(ns_load *l, ns_elem *events)
{
  for (ns_elem *k = events->first; k; k = k->next)
    if (k->def && load_event(l, k) == NS_NOMEM) return NS_NOMEM;
  return NS_OK;
}
