/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/load/load_kept.h"

#include "base/text.h"
#include "io/load/load_made.h"
#include "model/measure.h"
#include "model/user_event.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Whether a formula has the name: as a whole word, not as part of another, nor behind a dot, nor as
 * a function that is called. */
static int names(const char *text, const char *id)
{
  size_t n = strlen(id);
  for (const char *p = text; p && (p = strstr(p, id)); p++) {
    int before = p > text && (isalnum((unsigned char)p[-1]) || strchr("_.", p[-1]));
    int after = isalnum((unsigned char)p[n]) || (p[n] && strchr("_.(", p[n]));
    if (!before && !after) return 1;
  }
  return 0;
}

/* Attributes that give names, or words for people: they read nothing. */
static int declares(const ns_elem *e, size_t k)
{
  static const char *const list[] = {"id", "coordinates", "states", "unit", "help"};
  const char *name = e->def && !e->value ? e->def->attributes[k].name : "";
  return ns_word_index(list, sizeof list / sizeof *list, name) >= 0;
}

/* The word id in an attribute of names of e, NULL: it has none. */
static const char *own_name(const ns_elem *e, const char *id)
{
  static const char *const list[] = {"coordinates", "states", "inputs"};
  for (size_t k = 0; e->def && !e->value && k < sizeof list / sizeof *list; k++)
    if (ns_lang_attribute(e->def, list[k]) && names(ns_elem_attr(e, list[k]), id)) return list[k];
  return NULL;
}

/* Whether an attribute or text of e, or of what it holds, has the name; a system's own names mean
 * what it has itself. */
static int element_names(const ns_elem *e, const char *id)
{
  if (own_name(e, id)) return 0;
  size_t n = e->value ? NS_LANG_VALUE_ATTRIBUTES : 0;
  const ns_lang_item *a = e->value ? e->value->attributes : e->def ? e->def->attributes : NULL;
  while (a && a->name) n++, a++;
  for (size_t k = 0; e->attr && k < n; k++)
    if (e->attr[k] && !declares(e, k) && names(e->attr[k], id)) return 1;
  if (e->text && names(e->text, id)) return 1;
  for (const ns_elem *k = e->first; k; k = k->next)
    if (element_names(k, id)) return 1;
  return 0;
}

static int dynamics_name(const ns_load *l, const char *id)
{
  static const char *const parts[] = {"systems", "interactions", "contacts", "netlist"};
  for (const ns_elem *e = l->tree.root->first; e; e = e->next)
    for (size_t k = 0; e->def && k < sizeof parts / sizeof *parts; k++)
      if (!strcmp(e->name, parts[k]) && element_names(e, id)) return 1;
  return 0;
}

static int is_output(const ns_elem *e)
{
  return e->def && ns_elem_attr(e, "id") &&
         (!strcmp(e->name, "integral") || !strcmp(e->name, "memory") ||
          !strcmp(e->name, "observe"));
}

/* Whether a formula of e has the name: its text, what it is of, or its condition. */
static int formulas_name(const ns_elem *e, const char *id)
{
  static const char *const list[] = {"of", "when"};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++)
    if (ns_lang_attribute(e->def, list[k]) && names(ns_elem_attr(e, list[k]), id)) return 1;
  return e->text && names(e->text, id);
}

/* What is known at rows alone: an observable, and the last value of a formula. */
static int is_of_rows(const ns_elem *e)
{
  const char *kind = !strcmp(e->name, "measure") ? ns_elem_attr(e, "kind") : NULL;
  return !strcmp(e->name, "observe") || (kind && !strcmp(kind, "final"));
}

static const char *text_or(const ns_elem *e, const char *attribute, const char *otherwise)
{
  const char *s = e ? ns_elem_attr(e, attribute) : NULL;
  return s ? s : otherwise;
}

/* The element whose formula has the name of e, where an event-driven run evaluates that within its
 * steps: a measure, an event or another running number. A running number is up to date at the ends
 * of motions alone, where all of the motion has been shown to its measure; a state is so at every
 * moment. Events come last. NULL: none. */
static const ns_elem *motion_reader(const ns_load *l, const ns_elem *output, const ns_elem *e)
{
  const ns_elem *root = l->tree.root;
  const ns_elem *const parts[] = {output, ns_elem_child(root, "measures"),
                                  ns_elem_child(root, "events")};
  const char *id = ns_elem_attr(e, "id");
  for (size_t k = 0; l->event_driven && k < sizeof parts / sizeof *parts; k++)
    for (const ns_elem *r = parts[k] ? parts[k]->first : NULL; r; r = r->next) {
      if (r == e || !r->def || (parts[k] == output && !is_output(r))) continue;
      if (!is_of_rows(r) && formulas_name(r, id)) return r;
    }
  return NULL;
}

/* Whether an element below e is the interaction of this name and relates systems of first order. */
static int relates_first_order(const ns_elem *e, const char *id, size_t n)
{
  for (const ns_elem *k = e ? e->first : NULL; k; k = k->next) {
    const char *own = k->def ? ns_elem_attr(k, "id") : NULL;
    int is_it = own && !strcmp(k->name, "interaction") && strlen(own) == n && !strncmp(own, id, n);
    for (const ns_elem *r = is_it ? k->first : NULL; r; r = r->next)
      if (!strncmp(r->name, "FirstOrder", strlen("FirstOrder"))) return 1;
    if (relates_first_order(k, id, n)) return 1;
  }
  return 0;
}

/* Whether a formula of e reads what no right-hand side can: multipliers of mechanics, which are
 * impulses at impacts, force or power of a force between bodies. */
static int reads_impulses(const ns_load *l, const ns_elem *output, const ns_elem *e, int depth)
{
  static const char *const list[] = {".force", ".power"};
  const char *f = ns_lang_attribute(e->def, "of") ? text_or(e, "of", "") : e->text;
  const ns_elem *all = ns_elem_child(l->tree.root, "interactions");
  for (size_t k = 0; k < sizeof list / sizeof *list; k++)
    for (const char *p = f; (p = strstr(p, list[k])); p++)
      if (!isalnum((unsigned char)p[strlen(list[k])]) && p[strlen(list[k])] != '_') return 1;
  for (const char *p = f; (p = strstr(p, "lambda[")); p++) {
    const char *id = text_or(e, "interaction", "");
    size_t n = strlen(id);
    if (p > f && p[-1] == '.') {
      for (id = p - 1; id > f && (isalnum((unsigned char)id[-1]) || id[-1] == '_'); id--) {
      }
      n = (size_t)(p - 1 - id);
    }
    if (!relates_first_order(all, id, n)) return 1;
  }
  for (const ns_elem *o = output->first; o && depth < 16; o = o->next)
    if (o != e && is_output(o) && formulas_name(e, ns_elem_attr(o, "id")) &&
        reads_impulses(l, output, o, depth + 1))
      return 1;
  return 0;
}

/* Whether the dynamics read e, or an element that they read does. */
static int is_read(const ns_load *l, const ns_elem *output, const ns_elem *e, int depth)
{
  const char *id = ns_elem_attr(e, "id");
  if (dynamics_name(l, id)) return 1;
  for (const ns_elem *o = output->first; o && depth < 16; o = o->next)
    if (o != e && is_output(o) && element_names(o, id) && is_read(l, output, o, depth + 1))
      return 1;
  return 0;
}

/* Whether e is read within steps of an event-driven run, itself or by an observable. */
static const ns_elem *reader_within(const ns_load *l, const ns_elem *output, const ns_elem *e,
                                    int depth)
{
  const ns_elem *r = motion_reader(l, output, e);
  for (const ns_elem *o = output->first; o && !r && depth < 16; o = o->next)
    if (o != e && o->def && !strcmp(o->name, "observe") && formulas_name(o, ns_elem_attr(e, "id")))
      r = reader_within(l, output, o, depth + 1);
  return r;
}

/* Whether e has to be a state. What cannot be one is told where an integral over the motion would
 * read it; events are found with what is known of it, a line over the last step. */
static int is_state(ns_load *l, const ns_elem *output, const ns_elem *e)
{
  if (is_read(l, output, e, 0)) return 1;
  const ns_elem *r = reader_within(l, output, e, 0);
  if (!r || strcmp(e->name, "integral") != 0 || !reads_impulses(l, output, e, 0)) return r != NULL;
  if (strcmp(r->name, "event") != 0)
    ns_elem_fail(&l->msg, r, NULL,
                 "reads the integral %s of multipliers of mechanics, or of a force between bodies, "
                 "which is known only at the ends of steps, expected an integral of states; let a "
                 "<control> read it and write an input, and read that input",
                 ns_elem_attr(e, "id"));
  return 0;
}

/* integral' = the formula, in the window. */
static ns_elem *integral_system(ns_load *l, const ns_elem *e, const char *id)
{
  const char *from = ns_elem_attr(e, "from"), *until = ns_elem_attr(e, "until");
  char *f = ns_load_made_text(l, "(%s)", ns_elem_attr(e, "of"));
  if (f && from) f = ns_load_made_text(l, "if(t < (%s), 0, %s)", from, f);
  if (f && until) f = ns_load_made_text(l, "if(t < (%s), %s, 0)", until, f);
  return f ? ns_load_made_system(l, e, id, "integral", NULL, "0", f) : NULL;
}

const char *ns_load_give(const ns_elem *e)
{
  return text_or(e, "give", ns_elem_attr(e, "of") ? "sum" : "since");
}

/* since' = 1; an event sets it to zero. Of a formula the value is held beside count and time. */
static ns_elem *memory_system(ns_load *l, const ns_elem *e, const char *id)
{
  const ns_elem *simulation = ns_elem_child(l->tree.root, "simulation");
  int of = ns_elem_attr(e, "of") != NULL;
  const char *z = ns_load_made_text(l, "0, (%s)%s", text_or(simulation, "t0", "0"),
                                    of ? ", 0" : ""),
             *inputs = of ? "held_count held_time held_value" : "held_count held_time";
  ns_elem *s = z ? ns_load_made_system(l, e, id, "since", inputs, "0", "1") : NULL;
  return s && ns_load_made_value(l, s, "z", z) ? s : NULL;
}

/* Formulas of a system that name its input, which an element of the output is called as well: told,
 * but where that element shows the very input. */
static void warn_of_inputs(ns_load *l, const ns_elem *e, const ns_elem *output, const char *id)
{
  const char *own = own_name(e, id), *system = ns_elem_attr(e, "id"),
             *of = *output->text ? output->text : text_or(output, "of", "");
  int uses = 0;
  for (const ns_elem *k = e->first; k; k = k->next) {
    uses |= element_names(k, id);
    warn_of_inputs(l, k, output, id);
  }
  char path[2 * NS_ID_MAX + 2];
  if (!own || strcmp(own, "inputs") || !uses || !system) return;
  snprintf(path, sizeof path, "%s.%s", system, id);
  if (names(of, path)) return;
  ns_warn(&l->msg.c,
          "%s: an input of <%s id=\"%s\"> has this name, too, and its formulas read the input; "
          "rename one of them",
          ns_elem_at(output, NULL).text, e->name, system);
}

/* Names of the output that mean something else already. */
static int check_output_name(ns_load *l, const ns_elem *e, const char *id)
{
  const ns_elem *p = ns_load_parameter(l, id, strlen(id))
                         ? ns_load_parameter_elem(l, id, strlen(id))
                         : NULL;
  for (const ns_elem *k = l->tree.root->first; k; k = k->next)
    if (k->def && (!strcmp(k->name, "systems") || !strcmp(k->name, "netlist")))
      warn_of_inputs(l, k, e, id);
  if (!p) return NS_OK;
  return ns_elem_fail(&l->msg, e, NULL,
                      "has the name of the <%s> at %s:%d, which formulas would read; rename one of "
                      "them",
                      p->name, p->file, p->line);
}

/* The input of the system of a memory that has what it gives; -1: its state has. */
static int held_entry(const char *give)
{
  static const struct {
    const char *give;
    int entry;
  } list[] = {{"count", 0}, {"time", 1}, {"sum", 2}, {"last", 2}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (!strcmp(list[i].give, give)) return list[i].entry;
  return -1;
}

int ns_load_kept_find(ns_load *l)
{
  const ns_elem *output = ns_elem_child(l->tree.root, "output");
  ns_load_kept **last = &l->kept;
  for (const ns_elem *e = output ? output->first : NULL; e; e = e->next) {
    if (!is_output(e) || e->bad) continue;
    const char *id = ns_elem_attr(e, "id"), *give = ns_load_give(e);
    if (check_output_name(l, e, id) || !strcmp(e->name, "observe")) continue;
    if (strpbrk(id, "-{") || !is_state(l, output, e)) continue;
    ns_load_kept *k = ns_arena_zero(l->scratch, 1, sizeof *k);
    if (!k) return ns_nomem(&l->msg.c, "integrals");
    *k = (ns_load_kept){.e = e, .id = id, .held = -1, .is_memory = !strcmp(e->name, "memory")};
    if (k->is_memory) k->held = held_entry(give);
    k->system = k->is_memory ? memory_system(l, e, id) : integral_system(l, e, id);
    if (!k->system) return NS_NOMEM;
    *last = k;
    last = &k->next;
  }
  return NS_OK;
}

const ns_load_kept *ns_load_kept_of(const ns_load *l, const ns_elem *e)
{
  const ns_load_kept *k = l->kept;
  while (k && k->e != e) k = k->next;
  return k;
}

const char *ns_load_kept_name(ns_load *l, const ns_load_kept *k)
{
  static const char *const held[] = {"held_count", "held_time", "held_value"};
  const char *state = k->is_memory ? "since" : "integral";
  return ns_load_made_text(l, "%s.%s", k->id, k->held >= 0 ? held[k->held] : state);
}

void ns_load_kept_entry(const ns_load_kept *k, ns_bank *bank, int *entry)
{
  *bank = k->held >= 0 ? NS_BANK_Z : NS_BANK_Q;
  *entry = k->held >= 0 ? k->held : 0;
}

const char *ns_load_kept_interaction(const ns_load *l, const ns_elem *system)
{
  const ns_load_kept *k = l->kept;
  while (k && k->system != system) k = k->next;
  return k ? ns_elem_attr(k->e, "interaction") : NULL;
}

int ns_load_kept_systems(ns_load *l)
{
  const ns_indices none = {0};
  for (const ns_load_kept *k = l->kept; k; k = k->next)
    if (ns_load_system(l, k->system, &none) == NS_NOMEM) return NS_NOMEM;
  return NS_OK;
}

/* An entry of the system of a memory becomes the value of the formula. */
static int set_entry(ns_load *l, const ns_load_kept *k, const ns_system *s, int bank, int entry,
                     const char *text, ns_user_set *set)
{
  set->bank = bank;
  set->entry = ns_system_place(s, bank) + (size_t)entry;
  return ns_load_reading(l, &(ns_where){.e = k->e}, text, 0, &set->to);
}

/* The value that a condition, found by the run itself, adds or takes. */
static const char *located_value(ns_load *l, const ns_elem *e, const char *id, const char *of)
{
  if (!strcmp(ns_load_give(e), "last")) return of;
  return ns_load_made_text(l, "%s.held_value + (%s)", id, of);
}

/* Whose variables its formulas read where it names them: those of interaction= or systems=, and
 * behind them, for a sum, the system `last` that keeps it, -1: none. */
static int take_reader(ns_load *l, const ns_load_kept *k, int last, ns_observable *o)
{
  if (!ns_elem_attr(k->e, "interaction") && !ns_elem_attr(k->e, "systems")) return NS_OK;
  o->whole = 0;
  int rc = ns_load_reader(l, k->e, o), n = o->nsystems;
  if (rc || last < 0) return rc;
  int *systems = ns_arena_get(l->m->arena, (size_t)n + 1, sizeof *systems);
  if (!systems) return ns_nomem(&l->msg.c, "a memory");
  for (int j = 0; j < n; j++) systems[j] = o->systems[j];
  systems[n] = last;
  o->systems = systems;
  o->nsystems = n + 1;
  return NS_OK;
}

/* What happens: the measure behind the memory has counted more than its system knows. Where an
 * event-driven run can find the moment itself by the condition, that is what happens. */
static int add_event(ns_load *l, const ns_load_kept *k)
{
  int i = ns_load_id_system(l, k->id);
  ns_user_set *set = ns_arena_zero(l->m->arena, 4, sizeof *set);
  ns_observable all = {.at = {.file = k->e->file, .element = "memory", .line = k->e->line},
                       .interaction = -1,
                       .nsystems = l->m->nsystems,
                       .whole = 1};
  int *order = ns_arena_get(l->m->arena, (size_t)l->m->nsystems, sizeof *order);
  const char *id = ns_arena_text(l->m->arena, k->id), *condition = ns_elem_attr(k->e, "when");
  int located = condition && l->event_driven;
  const char *of = ns_elem_attr(k->e, "of");
  if (!set || !order || !id) return ns_nomem(&l->msg.c, "a memory");
  if (i < 0 || i >= l->m->nsystems) return NS_MODEL; /* told where it could not be made */
  const ns_system *s = &l->m->systems[i];
  ns_model_order(l->m, order);
  all.systems = order;
  all.at.id = id;
  ns_user_event v = {.at = all.at,
                     .id = id,
                     .direction = 1,
                     .from = -INFINITY,
                     .until = INFINITY,
                     .level = !located,
                     .resets_memory = 1,
                     .nsets = of ? 4 : 3,
                     .sets = set,
                     .when = all,
                     .help = "an event of the memory has occurred"};
  const char *when = located ? condition : ns_load_made_text(l, "%s.count > %s.held_count", id, id),
             *since = located ? "0" : ns_load_made_text(l, "t - %s.time", id),
             *count = ns_load_made_text(l, located ? "%s.held_count + 1" : "%s.count", id),
             *time = located ? "t" : ns_load_made_text(l, "%s.time", id),
             *value = located && of ? located_value(l, k->e, id, of)
                                    : ns_load_made_text(l, "%s.value", id);
  for (int j = 0; j < 4; j++) set[j].to = all;
  if (!when || !since || !count || !time || !value) return NS_NOMEM;
  int rc = ns_load_attribute(l, k->e, "from", NULL, &v.from);
  if (!rc) rc = ns_load_attribute(l, k->e, "until", NULL, &v.until);
  if (!located) v.from = -INFINITY, v.until = INFINITY; /* the measure knows its window */
  if (!rc && located) rc = take_reader(l, k, -1, &v.when);
  if (!rc && located && of) rc = take_reader(l, k, i, &set[3].to);
  if (!rc) rc = ns_load_reading(l, &(ns_where){.e = k->e}, when, 1, &v.when);
  if (!rc) rc = set_entry(l, k, s, NS_BANK_Q, 0, since, &set[0]);
  if (!rc) rc = set_entry(l, k, s, NS_BANK_Z, 0, count, &set[1]);
  if (!rc) rc = set_entry(l, k, s, NS_BANK_Z, 1, time, &set[2]);
  if (!rc && of) rc = set_entry(l, k, s, NS_BANK_Z, 2, value, &set[3]);
  if (rc) return rc;
  return ns_model_add_user_event(l->m, &l->msg.c, &v) < 0 ? NS_NOMEM : NS_OK;
}

int ns_load_kept_events(ns_load *l)
{
  for (const ns_load_kept *k = l->kept; k; k = k->next)
    if (k->is_memory && add_event(l, k) == NS_NOMEM) return NS_NOMEM;
  return NS_OK;
}
