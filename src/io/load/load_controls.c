/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_controls.c -- sampled blocks: one builder for all kinds, driven by the language table.
 *
 * Numbers and values of a kind's element are handed over in the order of its row; sizes are the
 * kind's to check (model/controls/control.h). A control is made anew at each visit: in a <repeat>
 * its names are those of other systems. */
#include "io/load/load_job.h"
#include "io/load/values.h"

#include "base/guard.h"
#include "expression/quote.h"
#include "model/controls/control.h"
#include "model/user_event.h"
#include "nssim/plugin.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct control_made {
  ns_template id;
  ns_refs systems;
  ns_elem *block; /* of a kind; NULL: <update> */
  const ns_control_kind *kind;
  ns_place at;
} made;

static int make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  made *m = e->made = ns_arena_zero(l->scratch, 1, sizeof *m);
  if (!m) return ns_nomem(&l->msg.c, "a control");
  const char *id = ns_elem_attr(e, "id");
  m->at = (ns_place){.file = e->file, .element = e->def->name, .line = e->line};
  m->block = ns_elem_group(e, NS_LANG_CONTROL);
  ns_elem *update = ns_elem_value(e, "update");
  m->kind = ns_control_kind_find(m->block ? m->block->name : "update");
  int bad = ns_template_make(l, e, "id", id, strlen(id), index, &m->id);
  if (bad != NS_NOMEM) bad |= ns_refs_make(l, e, "systems", index, &m->systems);
  if (l->msg.c.rc == NS_NOMEM) return NS_NOMEM;
  if (!m->block && !update)
    bad |= ns_elem_fail(
        &l->msg, e, NULL,
        "is empty, expected <update> or a block such as <PID>; `nssim explain` lists them");
  if (m->block && update)
    bad |= ns_elem_fail(&l->msg, e, NULL,
                        "contains <update> and <%s>, expected one of them; write two controls",
                        m->block->name);
  return bad || !m->kind || (m->block && m->block->bad) || (update && update->bad) ? NS_MODEL
                                                                                   : NS_OK;
}

/* ---- entries that are written ---------------------------------------------------------------- */

/* The entry of Z that one word of writes names. */
static int find_entry(ns_load *l, const ns_elem *e, ns_load_scope *s, const char *text, size_t len,
                      int *entry)
{
  ns_node f;
  ns_mark mark = ns_arena_mark(l->graphs);
  ns_graph *g = ns_graph_create(l->graphs);
  int rc = g ? ns_load_formula(l, g, s, &(ns_where){.e = e, .attribute = "writes"}, text, len, &f)
             : ns_nomem(&l->msg.c, "entries that a control writes");
  if (!rc && (*s->refused || ns_graph_variables(g, &f, 1, NS_BANK_Z, entry, 1) != 1 ||
              ns_graph_variable(g, NS_BANK_Z, *entry) != f))
    rc = ns_elem_fail(&l->msg, e, NULL,
                      "attribute writes: \"%s\" is not an entry of a user vector, expected a name "
                      "in inputs of its systems, or z[k]",
                      ns_quote(text, len, 0).text);
  ns_arena_release(l->graphs, mark);
  return rc;
}

static int get_writes(ns_load *l, const ns_elem *e, ns_load_scope *s, ns_control *k)
{
  const char *p = ns_elem_attr(e, "writes");
  int max = p ? (int)(strlen(p) / 2 + 1) : k->nZ,
      *w = ns_arena_get(l->m->arena, (size_t)max, sizeof *w), rc = NS_OK;
  if (!w) return ns_nomem(&l->msg.c, "entries that a control writes");
  k->writes = w;
  s->uses = 1u << NS_BANK_Z;
  for (; !p && k->nwrites < k->nZ; k->nwrites++) w[k->nwrites] = k->nwrites;
  while (p && !rc) {
    while (isspace((unsigned char)*p)) p++;
    size_t len = strcspn(p, " \t\r\n");
    if (!len) break;
    rc = find_entry(l, e, s, p, len, &w[k->nwrites++]);
    p += len;
  }
  if (!rc && p && !k->nwrites)
    rc = ns_elem_fail(
        &l->msg, e, NULL,
        "attribute writes is empty, expected names of entries; remove it for all of Z");
  return rc;
}

/* ---- numbers and values ---------------------------------------------------------------------- */

static int get_numbers(ns_load *l, const ns_elem *e, const ns_indices *index, ns_control *k)
{
  const ns_lang_item *a = e->def->attributes;
  int n = 0, bad = 0;
  while (a && a[n].name) n++;
  double *x = ns_arena_get(l->m->arena, (size_t)n, sizeof *x);
  if (!x) return ns_nomem(&l->msg.c, "numbers of a control");
  k->number = x;
  for (int i = 0; i < n; i++) {
    const char *text = ns_elem_attr(e, a[i].name);
    x[i] = NAN;
    if (text && a[i].type == NS_LANG_ENUM) bad |= (x[i] = ns_load_choice(l, e, &a[i], text)) < 0;
    if ((a[i].type != NS_LANG_REAL && a[i].type != NS_LANG_INTEGER) || a[i].uses) continue;
    bad |= ns_load_attribute(l, e, a[i].name, index, &x[i]);
  }
  return bad ? ns_load_failed(l) : NS_OK;
}

/* jacobian: its derivative by Z, NULL: not wanted. */
static int get_value(ns_load *l, const ns_elem *e, const ns_lang_item *i, ns_load_scope *s,
                     const char *id, ns_operator *op, ns_operator *jacobian)
{
  ns_nodes nodes = {0};
  ns_value by;
  ns_elem *k = ns_elem_value(e, i->name);
  ns_wanted w = {.rows = strcmp(i->rows, "1") ? -1 : 1,
                 .cols = i->cols ? -1 : 1,
                 .why = strcmp(i->rows, "1") ? NULL : "it is a number"};
  ns_value v;
  *op = (ns_operator){.how = NS_OP_ABSENT, .rows = w.rows > 0 ? w.rows : 0, .cols = 1};
  if (!k) return NS_OK;
  if (k->bad) return NS_MODEL;
  ns_load_foreign others = {0};
  ns_load_scope own = *s;
  int of_state = (i->uses >> NS_BANK_Q & 1u) != 0;
  own.foreign = of_state ? &others : NULL;
  own.observables = of_state;
  ns_mark mark = ns_arena_mark(l->graphs);
  ns_graph *g = ns_graph_create(l->graphs);
  int rc = g ? ns_value_make(l, k, g, &own, &w, &v, jacobian ? &nodes : NULL)
             : ns_nomem(&l->msg.c, "formulas of a control");
  if (!rc) rc = ns_value_get(l, k, &v, s->index, id, op);
  if (!rc) rc = ns_load_foreign_attach(l, g, NULL, &others, op);
  if (!rc && jacobian) rc = ns_value_derive(l, k, g, &nodes, NS_BANK_Z, s->nz, &by);
  if (!rc && jacobian) rc = ns_value_get(l, k, &by, s->index, id, jacobian);
  free(nodes.node);
  ns_arena_release(l->graphs, mark);
  return rc;
}

/* Whether the kind of a block asks for the Jacobian of a value. */
static int is_derived(const ns_control_kind *kind, const char *value)
{
  size_t n = strlen(value);
  const char *p = kind->derived;
  while (p && (p = strstr(p, value)) && p[n] && p[n] != ' ') p++;
  return p != NULL;
}

/* A condition of what formulas of a control read. */
static int read_condition(ns_load *l, const ns_where *at, const char *text, const ns_load_scope *s,
                          ns_operator *op)
{
  ns_load_foreign others = {0};
  ns_load_scope own = *s;
  ns_node f[2];
  own.uses = ~0u;
  own.foreign = &others;
  own.observables = 1;
  ns_mark mark = ns_arena_mark(l->graphs);
  ns_graph *g = ns_graph_create(l->graphs);
  int rc = g ? ns_load_formula(l, g, &own, at, text, strlen(text), f)
             : ns_nomem(&l->msg.c, "formulas of a control");
  if (!rc) ns_graph_condition(g, f[0], &f[0], &f[1]);
  *op = (ns_operator){.rows = 2, .cols = 1};
  if (!rc) rc = ns_operator_compile(op, &l->msg.c, g, l->m->arena, f, 2);
  if (!rc) rc = ns_load_foreign_attach(l, g, NULL, &others, op);
  ns_arena_release(l->graphs, mark);
  return rc;
}

static int get_when(ns_load *l, const ns_elem *e, const ns_load_scope *s, ns_control *k)
{
  const char *text = ns_elem_attr(e, "when");
  return text ? read_condition(l, &(ns_where){.e = e, .attribute = "when"}, text, s, &k->when)
              : NS_OK;
}

static int get_values(ns_load *l, const ns_elem *e, ns_load_scope *s, ns_control *k)
{
  const ns_lang_item *a = e->def->values;
  int n = 0, bad = 0;
  while (a && a[n].name) n++;
  ns_operator *op = ns_arena_zero(l->m->arena, (size_t)n, sizeof *op);
  if (!op) return ns_nomem(&l->msg.c, "values of a control");
  k->value = op;
  ns_operator *by = k->kind->derived ? ns_arena_zero(l->m->arena, (size_t)n, sizeof *by) : NULL;
  if (k->kind->derived && !by) return ns_nomem(&l->msg.c, "values of a control");
  k->jacobian = by;
  for (int i = 0; i < n; i++)
    bad |= get_value(l, e, &a[i], s, k->at.id, &op[i],
                     is_derived(k->kind, a[i].name) ? &by[i] : NULL);
  return bad ? ns_load_failed(l) : NS_OK;
}

static const void *call_control(void (*fn)(void)) { return ((nssim_control_of *)fn)(); }

/* Of a block that is a plug-in: what it gives. */
static int get_plugin(ns_load *l, const ns_elem *block, ns_control *k)
{
  static const ns_plugin_kind kind = {"a control", "NSSIM_CONTROL", sizeof(nssim_control),
                                      call_control, "another block"};
  const ns_plugged *p;
  int has = ns_lang_attribute(block->def, "plugin") != NULL;
  int rc = ns_load_plugin_table(l, block, has ? ns_elem_attr(block, "plugin") : NULL, &kind, &p);
  if (rc || !p) return rc;
  k->plugin = p->table;
  k->plugin_name = p->call;
  return ns_control_check_plugin(&l->msg.c, p->at, k);
}

/* ---- controls -------------------------------------------------------------------------------- */

static int get_block(ns_load *l, const ns_elem *e, const made *m, const ns_indices *index,
                     ns_control *k)
{
  ns_load_scope s;
  const ns_elem *block = m->block ? m->block : e;
  int rc = ns_load_scope_stack(l, k->systems, k->nsystems, &s), bad;
  if (rc) return rc;
  s.index = index;
  struct {
    const char *name;
    double *to;
  } number[] = {{"period", &k->period},
                {"offset", &k->offset},
                {"from", &k->from},
                {"until", &k->until},
                {"otherwise", &k->otherwise}};
  bad = NS_OK;
  for (size_t i = 0; i < sizeof number / sizeof *number && rc != NS_NOMEM; i++)
    bad |= rc = ns_load_attribute(l, e, number[i].name, index, number[i].to);
  if (rc != NS_NOMEM) bad |= rc = get_when(l, e, &s, k);
  if (rc != NS_NOMEM) bad |= rc = get_writes(l, e, &s, k);
  if (rc != NS_NOMEM) bad |= rc = get_numbers(l, block, index, k);
  if (rc != NS_NOMEM) bad |= rc = get_plugin(l, block, k);
  if (rc != NS_NOMEM) bad |= get_values(l, block, &s, k);
  return bad ? ns_load_failed(l) : NS_OK;
}

/* The value of an entry of Z at t0. */
static int set_initial(ns_load *l, const ns_control *k, double value)
{
  int i = 0, j = k->writes[0];
  while (j >= l->m->systems[k->systems[i]].nz) j -= l->m->systems[k->systems[i++]].nz;
  ns_system *s = &l->m->systems[k->systems[i]];
  double *z = ns_arena_copy(l->m->arena, s->z0, (size_t)s->nz, sizeof *z);
  if (!z) return ns_nomem(&l->msg.c, "a control");
  z[j] = value;
  s->z0 = z;
  return NS_OK;
}

/* y beyond a threshold and the entry z[k] on the other side of the middle of on and off: the entry
 * becomes `value`. */
static int add_crossing(ns_load *l, const ns_elem *block, const ns_load_scope *s,
                        const ns_control *k, int rises, double threshold, double middle,
                        double value)
{
  const char *y = ns_elem_value(block, "y")->text;
  int was_below = value > middle;
  size_t size = strlen(y) + 120, id_size = strlen(k->at.id) + 5;
  char *text = ns_arena_get(l->scratch, size, 1), *id = ns_arena_get(l->m->arena, id_size, 1),
       number[40];
  ns_user_set *set = ns_arena_zero(l->m->arena, 1, sizeof *set);
  if (!text || !id || !set) return ns_nomem(&l->msg.c, "a control");
  snprintf(id, id_size, "%s_%s", k->at.id, rises ? "on" : "off");
  ns_observable o = {.at = k->at,
                     .interaction = -1,
                     .nsystems = k->nsystems,
                     .systems = k->systems,
                     .index = k->index};
  ns_user_event v = {.at = k->at,
                     .id = id,
                     .direction = 1,
                     .from = k->from,
                     .until = k->until,
                     .level = 1,
                     .nsets = 1,
                     .sets = set,
                     .when = o,
                     .help = rises ? "the relay switches on" : "the relay switches off"};
  v.at.id = id;
  set->bank = NS_BANK_Z;
  set->entry = ns_control_target(l->m, k, k->writes[0]);
  set->to = o;
  snprintf(text, size, "(%s) %s (%.17g) && z[%d] %s (%.17g)", y, rises ? ">=" : "<=", threshold,
           k->writes[0], was_below ? "<" : ">", middle);
  snprintf(number, sizeof number, "%.17g", value);
  int rc = read_condition(l, &(ns_where){.e = ns_elem_value(block, "y")}, text, s, &v.when.value);
  if (!rc) rc = ns_load_reading(l, &(ns_where){.e = block}, number, 0, &set->to);
  if (rc) return rc;
  return ns_model_add_user_event(l->m, &l->msg.c, &v) < 0 ? NS_NOMEM : NS_OK;
}

/* A relay without a period in an event-driven run is two events, each at the crossing itself. */
static int is_located(const ns_load *l, const ns_elem *e, const ns_control *k)
{
  return l->event_driven && k->kind == ns_control_kind_find("Hysteresis") &&
         !ns_elem_attr(e, "period") && !ns_elem_attr(e, "offset") && !ns_elem_attr(e, "when") &&
         !ns_elem_attr(e, "otherwise");
}

/* Controls before it that write its entry: what it does would be undone. */
static int check_other_writers(ns_load *l, const ns_control *k)
{
  char name[64];
  size_t entry = ns_control_target(l->m, k, k->writes[0]);
  for (int i = 0; i < l->m->ncontrols; i++) {
    const ns_control *o = &l->m->controls[i];
    for (int j = 0; j < o->nwrites; j++)
      if (ns_control_target(l->m, o, o->writes[j]) == entry)
        return ns_control_fail(
            k, &l->msg.c, "writes %s, which %s writes too, expected one writer for each entry",
            ns_control_entry(l->m, k, k->writes[0], name, sizeof name), o->at.id);
  }
  return NS_OK;
}

static int locate(ns_load *l, const ns_elem *block, const ns_indices *index, ns_control *k)
{
  ns_load_scope s;
  double lower = ns_control_number(k, "lower", 0), upper = ns_control_number(k, "upper", 0);
  double off = ns_control_number(k, "off", 0), on = ns_control_number(k, "on", 1);
  int starts_on = ns_control_number(k, "start", 0) > 0;
  ns_control check = *k;
  int rc = k->kind->prepare(l->m, &check, &l->msg.c);
  if (!rc) rc = check_other_writers(l, k);
  if (!rc) rc = ns_load_scope_stack(l, k->systems, k->nsystems, &s);
  s.index = index;
  if (!rc) rc = set_initial(l, k, starts_on ? on : off);
  if (!rc) rc = add_crossing(l, block, &s, k, 1, upper, (on + off) / 2, on);
  if (!rc) rc = add_crossing(l, block, &s, k, 0, lower, (on + off) / 2, off);
  return rc;
}

int ns_load_control(ns_load *l, ns_elem *e, const ns_indices *index)
{
  int rc = NS_OK;
  if (!e->made && (rc = make(l, e, index))) return rc;
  made *m = e->made;
  ns_control k = {.kind = m->kind,
                  .at = m->at,
                  .nsystems = m->systems.n,
                  .from = -INFINITY,
                  .until = INFINITY,
                  .otherwise = NAN};
  if ((rc = ns_template_id(l, e, &m->id, index, &k.at.id))) return rc;
  if ((rc = ns_indices_keep(l, index, &k.index))) return rc;
  if ((rc = ns_load_id_add(l, e, k.at.id, 0, l->m->ncontrols))) return rc;
  if (!k.nsystems)
    return ns_elem_fail(&l->msg, e, k.at.id, "attribute systems is empty, expected ids of systems");
  rc = ns_refs_get(l, e, &m->systems, index, k.at.id, &k.systems, &k.nQ, &k.nZ);
  if (!rc) rc = get_block(l, e, m, index, &k);
  if (rc) return rc;
  if (is_located(l, e, &k)) return locate(l, m->block, index, &k);
  return ns_model_add_control(l->m, &l->msg.c, &k) < 0 ? NS_NOMEM : NS_OK;
}
