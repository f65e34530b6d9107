/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_measures.c -- <measures>: numbers that a run is asked for (model/measure.h). */
#include "io/load/load_dimensions.h"
#include "io/load/load_kept.h"

#include "base/suggest.h"
#include "expression/quote.h"
#include "model/measure.h"
#include "model/user_event.h"
#include "simulation/record/sink.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Attributes that only some kinds have. */
static const char *const special[] = {"when", "event", "every", "target",
                                      "band", "take",  "keep",  NULL};

static int check_attributes(ns_load *l, const ns_elem *e, const ns_measure_kind *k)
{
  int rc = NS_OK;
  for (int i = 0; special[i]; i++)
    if (ns_elem_attr(e, special[i]) && !ns_measure_takes(k, special[i]))
      rc = ns_elem_fail(&l->msg, e, NULL,
                        "attribute %s does not apply to kind=\"%s\" (%s), expected none; remove it "
                        "or use another kind",
                        special[i], k->name, k->help);
  if (*e->text && !(k->flags & NS_MEASURE_VALUE))
    rc = ns_elem_fail(
        &l->msg, e, NULL,
        "contains a formula, which kind=\"%s\" (%s) does not read, expected no text%s", k->name,
        k->help, k->flags & NS_MEASURE_CONDITION ? "; a condition belongs in when=" : "");
  if (!*e->text && k->flags & NS_MEASURE_VALUE)
    rc = ns_elem_fail(&l->msg, e, NULL,
                      "is empty, expected a formula for kind=\"%s\" (%s), such as x^2", k->name,
                      k->help);
  return rc;
}

/* One of when=, event= and every= tells at which moments. */
static int check_moments(ns_load *l, const ns_elem *e, const ns_measure_kind *k)
{
  static const char *const way[] = {"when", "event", "every"};
  int n = 0, max = 0;
  for (int i = 0; i < 3; i++) {
    max += ns_measure_takes(k, way[i]);
    n += ns_measure_takes(k, way[i]) && ns_elem_attr(e, way[i]);
  }
  if (max == 0 || n == 1) return NS_OK;
  return ns_elem_fail(&l->msg, e, NULL, "has %s of %s, expected one of them for kind=\"%s\" (%s)",
                      n ? "several" : "none",
                      max == 1   ? "when="
                      : max == 2 ? "when= and event="
                                 : "when=, event= and every=",
                      k->name, k->help);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int read_window(ns_load *l, const ns_elem *e, ns_measure *s)
{
  s->from = -INFINITY;
  s->until = INFINITY;
  int rc = ns_load_attribute(l, e, "from", NULL, &s->from);
  if (rc != NS_NOMEM) rc |= ns_load_attribute(l, e, "until", NULL, &s->until);
  if (!rc && !(s->until > s->from))
    rc = ns_elem_fail(&l->msg, e, NULL,
                      "attribute until is %.10g, expected a time after from, which is %.10g",
                      s->until, s->from);
  return rc;
}

/* Values that all measures together keep are bounded: they are copied with each state. */
static int check_kept(ns_load *l, const ns_elem *e, const ns_measure *s)
{
  enum { MAX = 10000000 };
  double all = s->keep;
  if (s->keep <= 64) return NS_OK;
  for (int i = 0; i < l->m->nmeasures; i++) all += l->m->measures[i].keep;
  if (all <= MAX) return NS_OK;
  return ns_elem_fail(&l->msg, e, NULL,
                      "attribute keep: with it the measures keep %.0f values, expected at most %d",
                      all, MAX);
}

static int read_numbers(ns_load *l, const ns_elem *e, ns_measure *s)
{
  double keep = s->kind->flags & NS_MEASURE_KEEP ? 64 : 0;
  int rc = read_window(l, e, s);
  if (rc != NS_NOMEM) rc |= ns_load_attribute(l, e, "target", NULL, &s->target);
  if (rc != NS_NOMEM) rc |= ns_load_attribute(l, e, "band", NULL, &s->band);
  if (rc != NS_NOMEM) rc |= ns_load_every(l, e, &s->every);
  if (rc != NS_NOMEM) rc |= ns_load_attribute(l, e, "keep", NULL, &keep);
  if (rc) return ns_load_failed(l);
  s->keep = (int)keep;
  if (check_kept(l, e, s)) return NS_MODEL;
  s->last = ns_load_word(l, e, "take", s->last);
  if (s->kind->flags & NS_MEASURE_BAND && !ns_elem_attr(e, "band"))
    return ns_elem_fail(
        &l->msg, e, NULL,
        "attribute band is missing, expected the distance from target that counts as settled");
  return s->last < 0 ? NS_MODEL : NS_OK;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* "any, impact, contact, " */
static const char *kinds(char *buf, size_t size)
{
  int n = snprintf(buf, size, "any, ");
  for (int k = 0; k < NS_EVENT_KINDS && n < (int)size; k++)
    n += snprintf(buf + n, size - (size_t)n, "%s, ", ns_event_text((ns_event_kind)k));
  return buf;
}

/* The control of whose relay this would be an event; NULL: of none. Ids of a <repeat> are not
 * looked at. */
static const ns_elem *relay_of(const ns_load *l, const char *name)
{
  const ns_elem *controls = ns_elem_child(l->tree.root, "controls");
  const char *end = strrchr(name, '_');
  if (!end || (strcmp(end, "_on") && strcmp(end, "_off"))) return NULL;
  for (const ns_elem *e = controls ? controls->first : NULL; e; e = e->next) {
    const char *id = e->def ? ns_elem_attr(e, "id") : NULL;
    if (!id || !ns_elem_child(e, "Hysteresis")) continue;
    if (strlen(id) == (size_t)(end - name) && !strncmp(id, name, strlen(id))) return e;
  }
  return NULL;
}

/* It has no event here: where it is sampled, and to what is read before the controls. */
static int refuse_relay(ns_load *l, const ns_elem *e, const ns_elem *relay, const char *name)
{
  static const char *const sampled[] = {"period", "offset", "when", "otherwise"};
  int is_sampled = !l->event_driven;
  for (size_t k = 0; k < sizeof sampled / sizeof *sampled; k++)
    is_sampled |= ns_elem_attr(relay, sampled[k]) != NULL;
  return ns_elem_fail(&l->msg, e, NULL,
                      "attribute event: unknown event %s: the <Hysteresis> of <control id=\"%s\"> "
                      "%s; expected when= instead, a condition for %s, which the control writes",
                      name, ns_elem_attr(relay, "id"),
                      is_sampled ? "is sampled, and has this event only in an event-driven run, "
                                   "without period, offset, when and otherwise"
                                 : "has this event only for <measure>",
                      ns_elem_attr(relay, "writes"));
}

static int read_event(ns_load *l, const ns_elem *e, ns_measure *s)
{
  const char *name = ns_elem_attr(e, "event");
  char text[200];
  s->event = -1;
  if (!name) return NS_OK;
  s->listens = 1;
  if (!strcmp(name, "any")) return NS_OK;
  for (int k = 0; k < l->m->nuser_events; k++) {
    if (strcmp(l->m->user_events[k].id, name)) continue;
    s->user = 1;
    s->event = k;
    return NS_OK;
  }
  ns_suggest near = ns_suggest_for(name, strlen(name));
  for (int k = 0; k < l->m->nuser_events; k++) ns_suggest_offer(&near, l->m->user_events[k].id);
  for (int k = 0; k < NS_EVENT_KINDS; k++) {
    const char *known = ns_event_text((ns_event_kind)k);
    if (!strcmp(known, name)) s->event = k;
    ns_suggest_offer(&near, known);
  }
  if (s->event >= 0) return NS_OK;
  const ns_elem *relay = relay_of(l, name);
  if (relay) return refuse_relay(l, e, relay, name);
  ns_quotation quoted = ns_quoted(name);
  if (near.best)
    return ns_elem_fail(&l->msg, e, NULL, "attribute event: unknown event %s, did you mean %s?",
                        quoted.text, near.best);
  return ns_elem_fail(&l->msg, e, NULL,
                      "attribute event: unknown event %s, expected %sor the id of an <event>",
                      quoted.text, kinds(text, sizeof text));
}

static int check_sliding(ns_load *l, const ns_elem *e, const ns_measure *s)
{
  if (!(s->kind->flags & NS_MEASURE_SLIDING)) return NS_OK;
  if (s->interaction < 0)
    return ns_elem_fail(
        &l->msg, e, NULL,
        "attribute interaction is missing, expected the id of a contact with friction");
  if (ns_law_has_cone(l->m->interactions[s->interaction].law.ops)) return NS_OK;
  return ns_elem_fail(&l->msg, e, NULL,
                      "attribute interaction: %s has no friction, expected one with "
                      "NewtonImpactFrictionNSL; kind=\"fraction\" takes any condition",
                      ns_elem_attr(e, "interaction"));
}

/* ---- the element ----------------------------------------------------------------------------- */

/* u s in one form; NULL where u is or memory is out. */
static const char *unit_by_time(ns_load *l, const char *u)
{
  static const char *const known[][2] = {
      {"1", "s"},           {"1/s", "1"}, {"m/s", "m"}, {"m/s^2", "m/s"}, {"rad/s", "rad"},
      {"rad/s^2", "rad/s"}, {"V/s", "V"}, {"A/s", "A"}, {"W", "J"},       {"W/s", "W"}};
  char text[NS_DIMENSION_TEXT];
  for (size_t i = 0; u && i < sizeof known / sizeof *known; i++)
    if (!strcmp(known[i][0], u)) return known[i][1];
  if (!u || snprintf(text, sizeof text, "%s s", u) >= (int)sizeof text) return NULL;
  return ns_arena_text(l->m->arena, text);
}

/* The unit of a number that nobody has given one: by that of its formula. */
static void derive_unit(ns_load *l, ns_measure *s)
{
  if (s->unit || !s->of.unit) return;
  s->unit = strcmp(s->kind->name, "integral") ? s->of.unit : unit_by_time(l, s->of.unit);
}

static int read_formulas(ns_load *l, const ns_elem *e, ns_measure *s)
{
  const char *when = ns_elem_attr(e, "when"),
             *of = ns_lang_attribute(e->def, "of") ? ns_elem_attr(e, "of") : NULL;
  int rc = NS_OK;
  s->of = (ns_observable){.at = s->at, .interaction = -1};
  rc = ns_load_reader(l, e, &s->of);
  if (rc) return rc;
  s->when = s->of;
  s->interaction = s->of.interaction;
  if (*e->text) rc = ns_load_reading(l, &(ns_where){.e = e}, e->text, 0, &s->of);
  if (of) rc = ns_load_reading(l, &(ns_where){.e = e, .attribute = "of"}, of, 0, &s->of);
  if (rc != NS_NOMEM && when)
    rc |= ns_load_reading(l, &(ns_where){.e = e, .attribute = "when"}, when, 1, &s->when);
  return rc;
}

static int load_measure(ns_load *l, ns_elem *e)
{
  ns_measure s = {.at = {.file = e->file, .element = e->def->name, .line = e->line}};
  if (e->bad) return NS_MODEL;
  int kind = ns_load_choice(l, e, ns_lang_attribute(e->def, "kind"), ns_elem_attr(e, "kind"));
  int rc = ns_load_own_id(l, e, NULL, &s.id);
  s.at.id = s.id;
  if (rc == NS_NOMEM || kind < 0) return rc ? rc : NS_MODEL;
  s.kind = ns_measure_kinds[kind];
  rc |= check_attributes(l, e, s.kind);
  if (!rc) rc = check_moments(l, e, s.kind);
  if (!rc) rc = ns_load_text(l, e, "unit", &s.unit);
  if (s.kind->unit && !rc) s.unit = s.kind->unit;
  if (!rc) rc = ns_load_text(l, e, "help", &s.help);
  if (!rc) rc = read_numbers(l, e, &s);
  if (!rc) rc = read_event(l, e, &s);
  if (!rc) rc = read_formulas(l, e, &s);
  if (!rc) rc = check_sliding(l, e, &s);
  if (!rc) derive_unit(l, &s);
  s.start = isfinite(s.from) ? s.from : l->m->sim.t0;
  if (rc) return rc;
  return ns_model_add_measure(l->m, &l->msg.c, &s) < 0 ? NS_NOMEM : NS_OK;
}

/* ---- running numbers ------------------------------------------------------------------------- */

/* Index of the <event> of that id, which are made later, in the order of the file, behind those of
 * netlists; -1: none. */
static int event_to_come(const ns_load *l, const char *name)
{
  const ns_elem *events = ns_elem_child(l->tree.root, "events");
  int n = l->m->nuser_events;
  for (const ns_elem *e = events ? events->first : NULL; e; e = e->next) {
    if (!e->def) continue;
    const char *id = ns_elem_attr(e, "id");
    if (id && !strcmp(id, name)) return n;
    n++;
  }
  return -1;
}

static int read_moment(ns_load *l, const ns_elem *e, ns_measure *s)
{
  const char *event = ns_elem_attr(e, "event");
  int user = event ? event_to_come(l, event) : -1;
  if ((event != NULL) == (ns_elem_attr(e, "when") != NULL))
    return ns_elem_fail(&l->msg, e, NULL, "has %s of when= and event=, expected one of them",
                        event ? "both" : "none");
  if (user < 0) return read_event(l, e, s);
  s->listens = s->user = 1;
  s->event = user;
  return NS_OK;
}

/* Count and time of a memory beside what it gives: its system is set by them. */
static int add_beside(ns_load *l, const ns_observable *o)
{
  static const struct {
    const char *name, *unit, *help;
    ns_running_give give;
  } list[] = {{"count", "1", "number of its events", NS_RUNNING_COUNT},
              {"time", "s", "time of its last event", NS_RUNNING_TIME}};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    ns_observable more = *o;
    more.name = list[k].name;
    more.unit = list[k].unit;
    more.help = list[k].help;
    more.give = list[k].give;
    if (ns_model_add_observable(l->m, &l->msg.c, &more) < 0) return NS_NOMEM;
  }
  return NS_OK;
}

/* An integral that is a state: the observable shows it, the measure is its last value. */
static int load_state(ns_load *l, const ns_elem *e, ns_measure *s, ns_observable *o)
{
  char *text = ns_arena_format(l->scratch, "%s.integral", s->id);
  if (!text) return ns_nomem(&l->msg.c, "integrals");
  s->kind = ns_measure_kind_find("final");
  s->from = -INFINITY;
  s->until = INFINITY;
  s->interaction = -1;
  s->of = (ns_observable){.at = s->at, .interaction = -1};
  int *all = ns_arena_get(l->m->arena, (size_t)l->m->nsystems, sizeof *all);
  if (!all) return ns_nomem(&l->msg.c, "integrals");
  ns_model_order(l->m, all);
  s->of.systems = all;
  s->of.nsystems = l->m->nsystems;
  s->of.whole = 1;
  s->when = s->of;
  int rc = ns_load_reading(l, &(ns_where){.e = e}, text, 0, &s->of);
  o->value = s->of.value;
  o->whole = 1;
  o->running = 0;
  return rc;
}

/* What a running number is of, and what the observable shows of it: of an <integral> its value, of
 * a <memory> as give= says. */
static int read_give(ns_load *l, const ns_elem *e, ns_measure *s, ns_running_give *give)
{
  static const struct {
    const char *kind;
    int keep, of; /* of: it needs the formula */
    ns_running_give give;
  } gives[] = {{"count", 0, 0, NS_RUNNING_SINCE}, /* in the order of give= */
               {"count", 0, 0, NS_RUNNING_VALUE},
               {"count", 0, 0, NS_RUNNING_TIME},
               {"sum", 0, 1, NS_RUNNING_VALUE},
               {"sample", 1, 1, NS_RUNNING_VALUE}};
  const char *of = ns_elem_attr(e, "of");
  if (strcmp(e->name, "memory") != 0) {
    s->kind = ns_measure_kind_find("integral");
    *give = NS_RUNNING_VALUE;
    return NS_OK;
  }
  const char *text = ns_load_give(e);
  int k = ns_load_choice(l, e, ns_lang_attribute(e->def, "give"), text);
  if (k < 0) return NS_MODEL;
  if (gives[k].of && !of)
    return ns_elem_fail(&l->msg, e, NULL,
                        "has give=\"%s\" without a formula, expected of=\"...\", the quantity at "
                        "each event",
                        text);
  if (!gives[k].of && of)
    return ns_elem_fail(&l->msg, e, NULL,
                        "has the formula of=\"%.80s\", which give=\"%s\" does not read, expected "
                        "give=\"sum\" or give=\"last\"; remove one of them",
                        of, text);
  if (!of && ns_elem_attr(e, "unit"))
    return ns_elem_fail(&l->msg, e, NULL,
                        "has attribute unit, which applies to the formula of=, expected none with "
                        "give=\"%s\"; remove it",
                        text);
  s->kind = ns_measure_kind_find(gives[k].kind);
  s->keep = gives[k].keep;
  *give = gives[k].give;
  return NS_OK;
}

int ns_load_running(ns_load *l, ns_elem *e)
{
  const ns_load_kept *kept = ns_load_kept_of(l, e);
  ns_measure s = {.at = {.file = e->file, .element = e->def->name, .line = e->line}, .event = -1};
  ns_observable o = {
      .group = "observables", .name = "value", .interaction = -1, .running = l->m->nmeasures + 1};
  int is_memory = !strcmp(e->name, "memory");
  if (e->bad) return NS_MODEL;
  int rc = kept ? NS_OK : ns_load_own_id(l, e, NULL, &s.id);
  if (kept && !(s.id = ns_arena_text(l->m->arena, kept->id))) return ns_nomem(&l->msg.c, "ids");
  if (rc) return rc;
  s.at.id = s.id;
  rc = read_give(l, e, &s, &o.give);
  if (!rc) rc = ns_load_text(l, e, "unit", &s.unit);
  if (!rc) rc = ns_load_text(l, e, "help", &s.help);
  if (!rc && s.kind->unit) s.unit = s.kind->unit;
  if (!rc) rc = read_window(l, e, &s);
  if (!rc && is_memory) rc = read_moment(l, e, &s);
  if (!rc && kept && !is_memory) rc = load_state(l, e, &s, &o);
  else if (!rc) rc = read_formulas(l, e, &s);
  if (rc) return rc;
  derive_unit(l, &s);
  s.start = isfinite(s.from) ? s.from : l->m->sim.t0;
  o.at = s.at;
  o.id = s.id;
  o.unit = o.give == NS_RUNNING_VALUE ? s.unit : "s";
  o.help = s.help;
  o.systems = s.of.systems;
  o.nsystems = s.of.nsystems;
  if (ns_model_add_measure(l->m, &l->msg.c, &s) < 0) return NS_NOMEM;
  if (ns_model_add_observable(l->m, &l->msg.c, &o) < 0) return NS_NOMEM;
  return kept && is_memory ? add_beside(l, &o) : NS_OK;
}

int ns_load_measures(ns_load *l, ns_elem *measures)
{
  for (ns_elem *k = measures->first; k; k = k->next)
    if (k->def && load_measure(l, k) == NS_NOMEM) return NS_NOMEM;
  return NS_OK;
}
