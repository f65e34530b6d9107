/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/load/load_blocks.h"

#include "base/grow.h"
#include "base/text.h"
#include "io/load/values.h"
#include "model/laws/law.h"
#include "model/measure.h"
#include "model/user_event.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- elements that nobody wrote -------------------------------------------------------------- */

/* printf to a text of the scratch; NULL: out of memory, reported. */
static char *write_text(ns_load *l, const char *format, ...) NS_PRINTF(2, 3);
static char *write_text(ns_load *l, const char *format, ...)
{
  va_list ap;
  va_start(ap, format);
  char *s = ns_arena_vformat(l->scratch, format, ap);
  va_end(ap);
  if (!s) ns_nomem(&l->msg.c, "a block");
  return s;
}

static ns_elem *new_value(ns_load *l, ns_elem *parent, const char *name, const char *text)
{
  ns_elem *v = ns_arena_zero(l->scratch, 1, sizeof *v);
  const ns_lang_item *item = ns_lang_value(parent->def, name);
  size_t more = 0;
  while (item->attributes && item->attributes[more].name) more++;
  const char **attr = ns_arena_zero(l->scratch, NS_LANG_VALUE_ATTRIBUTES + more, sizeof *attr);
  if (!v || !attr || !text) return NULL;
  *v = (ns_elem){.value = item,
                 .name = item->name,
                 .file = parent->file,
                 .dir = parent->dir,
                 .line = parent->line,
                 .depth = parent->depth + 1,
                 .attr = attr,
                 .text = text,
                 .text_line = parent->line,
                 .parent = parent};
  if (parent->last) parent->last->next = v;
  else parent->first = v;
  parent->last = v;
  return v;
}

typedef struct setting {
  const char *attribute, *text; /* text NULL: not given */
} setting;

/* An element `kind` with these attributes, up to one without a name, that stands for element e,
 * whose name and line messages say. NULL: out of memory, reported. */
static ns_elem *new_element(ns_load *l, const ns_elem *e, const char *kind, const setting *g)
{
  const ns_lang_element *def = ns_lang_find(kind);
  size_t n = 0;
  while (def->attributes && def->attributes[n].name) n++;
  ns_elem *s = ns_arena_zero(l->nodes, 1, sizeof *s); /* ids refer to it */
  const char **attr = ns_arena_zero(l->scratch, n + 1, sizeof *attr);
  if (!s || !attr) {
    ns_nomem(&l->msg.c, "a block");
    return NULL;
  }
  for (; g->attribute; g++) attr[ns_lang_attribute(def, g->attribute) - def->attributes] = g->text;
  *s = (ns_elem){.def = def,
                 .name = e->name,
                 .file = e->file,
                 .dir = e->dir,
                 .line = e->line,
                 .depth = e->depth,
                 .attr = attr,
                 .text = "",
                 .parent = e->parent};
  return s;
}

/* A system of first order in the place of e; states and inputs: names, NULL none. NULL: out of
 * memory, reported. */
static ns_elem *new_system(ns_load *l, const ns_elem *e, const char *id, const char *states,
                           const char *inputs, const char *x0, const char *f)
{
  const setting own[] = {{"id", id}, {"states", states}, {"inputs", inputs}, {NULL, NULL}};
  ns_elem *s = x0 && f ? new_element(l, e, "FirstOrderNonLinearDS", own) : NULL;
  if (!s) return NULL;
  if (new_value(l, s, "x0", x0) && new_value(l, s, "f", f)) return s;
  ns_nomem(&l->msg.c, "a block");
  return NULL;
}

/* ---- integrals and memories that the dynamics read ------------------------------------------- */

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
  char *f = write_text(l, "(%s)", ns_elem_attr(e, "of"));
  if (f && from) f = write_text(l, "if(t < (%s), 0, %s)", from, f);
  if (f && until) f = write_text(l, "if(t < (%s), %s, 0)", until, f);
  return f ? new_system(l, e, id, "integral", NULL, "0", f) : NULL;
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
  const char *z = write_text(l, "0, (%s)%s", text_or(simulation, "t0", "0"), of ? ", 0" : ""),
             *inputs = of ? "held_count held_time held_value" : "held_count held_time";
  ns_elem *s = z ? new_system(l, e, id, "since", inputs, "0", "1") : NULL;
  return s && new_value(l, s, "z", z) ? s : NULL;
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
  return write_text(l, "%s.%s", k->id, k->held >= 0 ? held[k->held] : state);
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
  return write_text(l, "%s.held_value + (%s)", id, of);
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
  const char *when = located ? condition : write_text(l, "%s.count > %s.held_count", id, id),
             *since = located ? "0" : write_text(l, "t - %s.time", id),
             *count = write_text(l, located ? "%s.held_count + 1" : "%s.count", id),
             *time = located ? "t" : write_text(l, "%s.time", id),
             *value = located && of ? located_value(l, k->e, id, of)
                                    : write_text(l, "%s.value", id);
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

/* ---- blocks ---------------------------------------------------------------------------------- */

/* x' = A x + B u, y = C x + D u, by columns; u are formulas. A limiter has bounds beside them. */
typedef struct block {
  ns_elem *e; /* <StateSpace>, ... in the <block> */
  int n, p, m;
  double *A, *B, *C, *D, *x0;
  const char **u; /* [p] */
  int limits;
  double lower, upper, rate, fall, start;
} block;

int ns_load_is_block(const ns_elem *e) { return e->def && !strcmp(e->def->name, "block"); }

typedef struct lister {
  ns_load *l;
  const char **to;
  int n, cap;
} lister;

static int on_entry(void *to, int row, int col, const char *text, size_t len)
{
  lister *k = to;
  (void)row, (void)col;
  if (k->n == k->cap) return NS_OK;
  return (k->to[k->n++] = write_text(k->l, "%.*s", (int)len, text)) ? NS_OK : NS_NOMEM;
}

/* Entries of <u>. */
static int read_input(ns_load *l, block *b)
{
  const ns_elem *u = ns_elem_value(b->e, "u");
  int rows, cols;
  if (!u || u->bad) return NS_MODEL;
  lister k = {.l = l, .cap = (int)(strlen(u->text) / 2 + 1)};
  if (!(k.to = ns_arena_get(l->scratch, (size_t)k.cap, sizeof *k.to)))
    return ns_nomem(&l->msg.c, "a block");
  int rc = ns_split_entries(&l->msg.c, ns_elem_at(u, NULL).text, u->text, on_entry, &k, &rows,
                            &cols);
  b->u = k.to;
  b->p = k.n;
  return rc;
}

/* Constant value `name`, [rows x cols] where they are not negative; zeros where it is absent. */
static int read_matrix(ns_load *l, const block *b, const char *name, const ns_indices *index,
                       int *rows, int *cols, const char *why, double **to)
{
  const ns_wanted w = {.rows = *rows, .cols = *cols, .why = why};
  const ns_elem *e = ns_elem_value(b->e, name);
  ns_value v;
  ns_operator op;
  int rc = ns_value_constant(l, b->e, name, index, &w, &v);
  if (!rc && e) rc = ns_value_get(l, e, &v, index, NULL, &op);
  if (rc) return rc;
  if (*rows < 0) *rows = op.rows;
  if (*cols < 0) *cols = op.cols;
  *to = ns_arena_zero(l->scratch, (size_t)*rows * (size_t)*cols + 1, sizeof **to);
  if (!*to) return ns_nomem(&l->msg.c, "a block");
  for (int j = 0; e && j < *cols; j++)
    for (int i = 0; i < *rows; i++) (*to)[i + j * *rows] = ns_operator_entry(&op, i, j);
  return NS_OK;
}

static int read_state_space(ns_load *l, const ns_indices *index, block *b)
{
  int one = 1;
  b->n = b->m = -1;
  int rc = read_matrix(l, b, "C", index, &b->m, &b->n, NULL, &b->C);
  if (!rc) rc = read_matrix(l, b, "A", index, &b->n, &b->n, "as many as columns of <C>", &b->A);
  if (!rc)
    rc = read_matrix(l, b, "B", index, &b->n, &b->p, "columns of <C> by entries of <u>", &b->B);
  if (!rc) rc = read_matrix(l, b, "D", index, &b->m, &b->p, "rows of <C> by entries of <u>", &b->D);
  if (!rc) rc = read_matrix(l, b, "x0", index, &b->n, &one, "as many as columns of <C>", &b->x0);
  return rc;
}

/* The controllable companion form, as that of control_state_space.c (Kailath 1980, ch. 2). */
static int companion(ns_load *l, block *b, const double *num, int nnum, const double *den, int nden)
{
  size_t n = (size_t)(nden - 1);
  b->n = nden - 1;
  b->m = 1;
  const ns_array want[] = {{&b->A, n * n, sizeof *b->A},
                           {&b->B, n, sizeof *b->B},
                           {&b->C, n, sizeof *b->C},
                           {&b->D, 1, sizeof *b->D},
                           {&b->x0, n, sizeof *b->x0}};
  if (ns_arena_arrays(l->scratch, want, sizeof want / sizeof *want))
    return ns_nomem(&l->msg.c, "a block");
  int shift = nden - nnum;
  b->D[0] = shift <= 0 ? num[-shift] / den[0] : 0;
  for (int j = 0; j < b->n; j++) {
    int i = b->n - j; /* coefficient of power j */
    double a = den[i] / den[0], c = i >= shift ? num[i - shift] / den[0] : 0;
    b->C[j] = c - a * b->D[0];
    b->A[(size_t)b->n - 1 + (size_t)j * n] = -a;
    if (j > 0) b->A[(size_t)j - 1 + (size_t)j * n] = 1;
  }
  if (b->n) b->B[b->n - 1] = 1;
  return NS_OK;
}

static int read_function(ns_load *l, const ns_indices *index, block *b)
{
  double *num, *den;
  int nnum = -1, nden = -1, one = 1, zeros = 0;
  int rc = read_matrix(l, b, "numerator", index, &nnum, &one, NULL, &num);
  if (!rc) rc = read_matrix(l, b, "denominator", index, &nden, &one, NULL, &den);
  if (rc) return rc;
  if (b->p != 1)
    return ns_elem_fail(&l->msg, ns_elem_value(b->e, "u"), NULL, "has %d entries, expected one",
                        b->p);
  if (den[0] == 0)
    return ns_elem_fail(&l->msg, b->e, NULL,
                        "<denominator> begins with 0, expected the coefficient of its highest "
                        "power; remove the zero");
  while (zeros < nnum - 1 && num[zeros] == 0) zeros++;
  if (nnum - zeros > nden)
    return ns_elem_fail(&l->msg, b->e, NULL,
                        "<numerator> is of degree %d, expected at most %d, that of <denominator>: "
                        "it would differentiate; add a fast pole to the denominator",
                        nnum - zeros - 1, nden - 1);
  return companion(l, b, num + zeros, nnum - zeros, den, nden);
}

static int read_limiter(ns_load *l, const ns_elem *e, const ns_indices *index, block *b)
{
  b->limits = 1;
  b->lower = -INFINITY;
  b->upper = INFINITY;
  b->rate = b->fall = NAN;
  b->m = b->p;
  int rc = ns_load_attribute(l, b->e, "lower", index, &b->lower);
  if (!rc) rc = ns_load_attribute(l, b->e, "upper", index, &b->upper);
  if (!rc) rc = ns_load_attribute(l, b->e, "rate", index, &b->rate);
  b->fall = b->rate;
  if (!rc) rc = ns_load_attribute(l, b->e, "fall", index, &b->fall);
  if (!rc) rc = ns_load_attribute(l, e, "start", index, &b->start);
  if (!rc && !(b->lower < b->upper))
    rc = ns_elem_fail(&l->msg, b->e, NULL, "has lower = %g, expected less than upper, which is %g",
                      b->lower, b->upper);
  if (!rc && isnan(b->rate) && !isnan(b->fall))
    rc = ns_elem_fail(&l->msg, b->e, NULL,
                      "has fall without rate, expected both; for an unlimited increase give a "
                      "large rate");
  b->n = isnan(b->rate) ? 0 : b->p;
  return rc;
}

static int check_attributes(ns_load *l, const ns_elem *e, const block *b)
{
  const char *given = ns_lang_attribute(b->e->def, "given") ? ns_elem_attr(b->e, "given") : NULL;
  const char *method = ns_lang_attribute(b->e->def, "method") ? ns_elem_attr(b->e, "method") : NULL;
  int limiter = !strcmp(b->e->name, "Limiter");
  if ((given && !strcmp(given, "sampled")) || method)
    return ns_elem_fail(&l->msg, b->e, NULL,
                        "has %s=\"%s\", which applies to samples, expected none in a <block>, "
                        "which is continuous; remove it, or write a <control> with a period",
                        method ? "method" : "given", method ? method : given);
  if (limiter || !ns_elem_attr(e, "start")) return NS_OK;
  return ns_elem_fail(&l->msg, e, NULL,
                      "has attribute start, which applies to a <Limiter>, expected none with <%s>; "
                      "its state at t0 is <x0> of a <StateSpace>",
                      b->e->name);
}

static int read_block(ns_load *l, ns_elem *e, const ns_indices *index, block *b)
{
  *b = (block){.e = ns_elem_group(e, NS_LANG_CONTROL)};
  int held = 0;
  for (const ns_elem *k = e->first; k; k = k->next) held += k->def != NULL;
  if (!e->bad && held != 1 && !e->stranger)
    return ns_elem_fail(
        &l->msg, e, NULL,
        "contains %s, expected one of <StateSpace>, <TransferFunction> and <Limiter>",
        held ? "several blocks" : "no block");
  if (e->bad || !b->e || b->e->bad) return NS_MODEL;
  int rc = check_attributes(l, e, b);
  if (!rc) rc = read_input(l, b);
  if (rc) return rc;
  if (!strcmp(b->e->name, "StateSpace")) return read_state_space(l, index, b);
  if (!strcmp(b->e->name, "TransferFunction")) return read_function(l, index, b);
  return read_limiter(l, e, index, b);
}

/* What was written, of the scratch. */
static const char *finish(ns_load *l, ns_buffer *g)
{
  const char *s = g->lost ? NULL : ns_arena_text(l->scratch, g->s ? g->s : "");
  free(g->s);
  if (!s) ns_nomem(&l->msg.c, "a block");
  return s;
}

/* Row i of M x + N u; state: what the names of the states begin with. */
static void append_row(ns_buffer *g, const block *b, const char *state, const double *M,
                       const double *N, int i, int rows)
{
  ns_buffer_printf(g, "0");
  for (int j = 0; j < b->n; j++)
    if (M[i + j * rows] != 0) ns_buffer_printf(g, " + (%.17g)*%s%d", M[i + j * rows], state, j);
  for (int j = 0; j < b->p; j++)
    if (N[i + j * rows] != 0) ns_buffer_printf(g, " + (%.17g)*(%s)", N[i + j * rows], b->u[j]);
}

static void append_limited(ns_buffer *g, const block *b, const char *state, int i)
{
  if (isfinite(b->upper)) ns_buffer_printf(g, "min(%.17g, ", b->upper);
  if (isfinite(b->lower)) ns_buffer_printf(g, "max(%.17g, ", b->lower);
  if (b->n) ns_buffer_printf(g, "%s%d", state, i);
  else ns_buffer_printf(g, "(%s)", b->u[i]);
  ns_buffer_printf(g, "%s%s", isfinite(b->upper) ? ")" : "", isfinite(b->lower) ? ")" : "");
}

/* The field of the state. */
static const char *field(ns_load *l, const block *b)
{
  ns_buffer g = {0};
  for (int i = 0; i < b->n; i++) {
    ns_buffer_printf(&g, i ? ", (" : "(");
    if (b->limits) ns_buffer_printf(&g, "0"); /* its law moves it */
    else append_row(&g, b, "x", b->A, b->B, i, b->n);
    ns_buffer_printf(&g, ")");
  }
  return finish(l, &g);
}

/* Names of the states: x0 x1 ... */
static const char *state_names(ns_load *l, const block *b)
{
  ns_buffer g = {0};
  for (int i = 0; i < b->n; i++) ns_buffer_printf(&g, "%sx%d", i ? " " : "", i);
  return finish(l, &g);
}

static const char *start(ns_load *l, const block *b)
{
  ns_buffer g = {0};
  for (int i = 0; i < b->n; i++)
    ns_buffer_printf(&g, "%s%.17g", i ? ", " : "", b->limits ? b->start : b->x0[i]);
  return finish(l, &g);
}

/* What <u> reads is known to it alone: the state is that of the block. others: variables of other
 * systems that it names, empty before. */
static int check_input(ns_load *l, const ns_indices *index, const block *b, ns_load_foreign *others)
{
  const ns_elem *u = ns_elem_value(b->e, "u");
  int is_law = b->limits && b->n; /* a limited rate reads its input in a law */
  ns_load_scope s = {
      .index = index, .first_order = 1, .time = 1, .foreign = others, .multipliers = !is_law};
  ns_node f;
  int rc = NS_OK;
  for (int i = 0; i < b->p && rc != NS_NOMEM; i++) {
    ns_mark mark = ns_arena_mark(l->graphs);
    ns_graph *g = ns_graph_create(l->graphs);
    int one = g ? ns_load_formula(l, g, &s, &(ns_where){.e = u}, b->u[i], strlen(b->u[i]), &f)
                : ns_nomem(&l->msg.c, "a block");
    ns_arena_release(l->graphs, mark);
    if (one) rc = one;
  }
  return rc;
}

static int write_id(ns_load *l, const ns_elem *e, const ns_indices *index, const char **out)
{
  ns_template t;
  char id[NS_ID_MAX + 1];
  const char *text = ns_elem_attr(e, "id");
  int rc = ns_template_make(l, e, "id", text, strlen(text), index, &t);
  if (!rc) rc = ns_template_write(l, e, &t, index, id);
  if (!rc && strchr(id, '-'))
    rc = ns_elem_fail(&l->msg, e, id,
                      "has a - in its id, expected letters, digits and _: formulas read its output "
                      "by this name");
  if (!rc && !(*out = ns_arena_text(l->m->arena, id))) rc = ns_nomem(&l->msg.c, "ids");
  return rc;
}

int ns_load_block(ns_load *l, ns_elem *e, const ns_indices *index)
{
  block b;
  const char *id = "";
  l->has_blocks = 1;
  int rc = write_id(l, e, index, &id);
  if (!rc) rc = read_block(l, e, index, &b);
  ns_load_foreign others = {0};
  if (!rc) rc = check_input(l, index, &b, &others);
  if (rc) {
    l->ids_unknown = l->names_unknown = 1;
    return rc;
  }
  if (!b.n) return ns_load_id_add(l, e, id, 0, -1); /* its output is a formula */
  const char *x0 = start(l, &b), *f = field(l, &b), *states = state_names(l, &b);
  ns_elem *s = x0 && f && states ? new_system(l, e, id, states, NULL, x0, f) : NULL;
  return s ? ns_load_system(l, s, index) : NS_NOMEM;
}

/* Whether name j is the first one of a system of first order: its states are among those of a
 * relation, where mechanics is read beside them. */
static int is_first_order(const ns_load *l, const ns_load_foreign *others, int j)
{
  const ns_foreign_variable *v = &others->of[j];
  if (v->of != NS_OF_SYSTEM || v->system >= l->m->nsystems) return 0;
  for (int i = 0; i < j; i++)
    if (others->of[i].of == NS_OF_SYSTEM && others->of[i].system == v->system) return 0;
  return ns_system_is_first_order(&l->m->systems[v->system]);
}

/* The rate of a limiter, between -fall and rate, is the multiplier of a law: where the output is
 * below the input it is the largest, above it the least, and where they meet what keeps them equal,
 *
 *   x' = lambda,  y = x - u,  -lambda in the sign of y with the bounds -rate, fall (a relay).
 *
 * NULL: out of memory, reported. */
static ns_elem *rate_law(ns_load *l, const ns_elem *e, const char *id, const block *b,
                         const ns_load_foreign *others)
{
  ns_buffer h = {0}, g = {0}, of_systems = {0};
  ns_buffer_printf(&of_systems, "%s", id);
  for (int i = 0; i < b->p; i++) {
    ns_buffer_printf(&h, "%s(%s.x%d - (%s))", i ? ", " : "", id, i, b->u[i]);
    ns_buffer_printf(&g, "%slambda[%d]", i ? ", " : "", i);
  }
  for (int j = 0; j < others->n; j++) {
    if (!is_first_order(l, others, j)) continue;
    const ns_system *s = &l->m->systems[others->of[j].system];
    ns_buffer_printf(&of_systems, " %s", s->at.id);
    for (int i = 0; i < s->nq; i++) ns_buffer_printf(&g, ", 0");
  }
  const char *y = finish(l, &h), *input = finish(l, &g), *name = write_text(l, "%s_limit", id),
             *systems = finish(l, &of_systems), *lower = write_text(l, "%.17g", -b->fall),
             *upper = write_text(l, "%.17g", b->rate);
  if (!systems) return NULL;
  const setting none = {0}, own[] = {{"id", name}, {"systems", systems}, none},
                bounds[] = {{"lb", lower}, {"ub", upper}, none};
  ns_elem *of = new_element(l, e, "interaction", own),
          *relation = new_element(l, e, "FirstOrderNonLinearR", &none),
          *law = new_element(l, e, ns_law_between_bounds()->name, bounds);
  if (!y || !input || !name || !lower || !upper || !of || !relation || !law) return NULL;
  relation->name = relation->def->name;
  law->name = law->def->name;
  relation->parent = law->parent = of;
  of->first = relation;
  relation->next = of->last = law;
  if (new_value(l, relation, "h", y) && new_value(l, relation, "g", input)) return of;
  ns_nomem(&l->msg.c, "a block");
  return NULL;
}

int ns_load_block_law(ns_load *l, ns_elem *e, const ns_indices *index)
{
  const char *id;
  block b;
  if (!ns_load_is_block(e)) return NS_OK;
  ns_messages told = l->msg;
  int rc = write_id(l, e, index, &id);
  if (!rc) rc = read_block(l, e, index, &b);
  ns_load_foreign others = {0};
  if (!rc && b.limits && b.n) rc = check_input(l, index, &b, &others);
  if (rc && rc != NS_NOMEM) ns_messages_rewind(&l->msg, &told);
  if (rc || !b.limits || !b.n) return rc == NS_NOMEM ? rc : NS_OK;
  ns_elem *of = rate_law(l, e, id, &b, &others);
  return of ? ns_load_interaction(l, of, index) : NS_NOMEM;
}

int ns_load_block_states(ns_load *l, ns_elem *e, const ns_indices *index)
{
  block b;
  ns_messages told = l->msg;
  int rc = read_block(l, e, index, &b);
  if (rc && rc != NS_NOMEM) ns_messages_rewind(&l->msg, &told);
  return rc ? 0 : b.n;
}

const char *ns_load_block_output(ns_load *l, ns_elem *e, const ns_indices *index, const char *id,
                                 int k)
{
  block b;
  ns_buffer g = {0};
  ns_messages told = l->msg;
  char *state = write_text(l, "%s.x", id);
  if (!state) return NULL;
  int rc = read_block(l, e, index, &b);
  if (rc && rc != NS_NOMEM) ns_messages_rewind(&l->msg, &told);
  if (rc || k < 0 || k >= b.m) return NULL;
  if (b.limits) append_limited(&g, &b, state, k);
  else append_row(&g, &b, state, b.C, b.D, k, b.m);
  return finish(l, &g);
}

int ns_load_block_outputs(ns_load *l, ns_elem *e, const ns_indices *index)
{
  const char *id;
  block b;
  if (!ns_load_is_block(e)) return NS_OK;
  int rc = write_id(l, e, index, &id);
  if (!rc) rc = read_block(l, e, index, &b);
  for (int k = 0; k < (rc ? 0 : b.m) && !rc; k++) {
    ns_observable o = {.at = {.file = e->file, .element = e->name, .line = e->line, .id = id},
                       .id = id,
                       .group = "observables",
                       .interaction = -1,
                       .nsystems = l->m->nsystems,
                       .help = "output of the block",
                       .whole = 1};
    int *order = ns_arena_get(l->m->arena, (size_t)l->m->nsystems, sizeof *order);
    char name[32];
    snprintf(name, sizeof name, b.m > 1 ? "y%d" : "value", k);
    o.name = ns_arena_text(l->m->arena, name);
    o.systems = order;
    const char *text = write_text(l, "%s.y[%d]", id, k);
    if (!order || !o.name || !text) return ns_nomem(&l->msg.c, "outputs of a block");
    ns_model_order(l->m, order);
    rc = ns_load_reading(l, &(ns_where){.e = e}, text, 0, &o);
    if (!rc && ns_model_add_observable(l->m, &l->msg.c, &o) < 0) rc = NS_NOMEM;
  }
  return rc;
}
