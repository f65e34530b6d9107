/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_foreign.c -- id.name in formulas of other systems.
 *
 * Two systems may read each other, so one of them reads names of a system that is not made yet: all
 * systems are then declared in a walk of their own, which knows their ids, their order and the
 * names that their attributes say. Joints and forces between bodies are declared with them; their
 * numbers are found by their ids once all are made. */
#include "io/load/load_blocks.h"
#include "io/load/load_kept.h"
#include "io/load/load_rigid.h"
#include "io/load/values.h"

#include "model/foreign.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(item) ((item)->lost = 1)
#include <uthash.h>

typedef struct ns_load_declared {
  const char *id;
  const ns_elem *e;
  int k, lost;                     /* its index; -1: in <interactions>, or a block without state */
  const ns_indices *index;         /* of a block */
  const struct ns_load_kept *kept; /* of an integral or memory */
  UT_hash_handle hh;
} declared;

/* ---- declarations ---------------------------------------------------------------------------- */

static int declare_as(ns_load *l, ns_elem *e, const ns_indices *index, int is_system)
{
  ns_template t;
  char id[NS_ID_MAX + 1];
  const char *text = ns_elem_attr(e, "id");
  if (!text || !strcmp(e->name, "netlist")) return NS_OK;
  int rc = ns_template_make(l, e, "id", text, strlen(text), index, &t);
  if (!rc) rc = ns_template_write(l, e, &t, index, id);
  if (rc) return rc;
  declared *d = ns_arena_get(l->ids, 1, sizeof *d);
  if (!d || !(id[0] && (d->id = ns_arena_text(l->ids, id)))) return ns_nomem(&l->msg.c, "ids");
  if (is_system && ns_load_is_block(e)) is_system = ns_load_block_states(l, e, index) > 0;
  *d = (declared){.id = d->id, .e = e, .k = is_system ? l->ndeclared++ : -1};
  static const ns_indices none;
  if (ns_load_is_block(e))
    d->index = index->n ? ns_arena_copy(l->ids, index, 1, sizeof *index) : &none;
  if (ns_load_is_block(e) && !d->index) return ns_nomem(&l->msg.c, "ids");
  for (const ns_load_kept *k = l->kept; k; k = k->next)
    if (k->system == e) d->kept = k;
  HASH_ADD_KEYPTR(hh, l->declared, d->id, strlen(d->id), d);
  return d->lost ? ns_nomem(&l->msg.c, "ids") : NS_OK;
}

static int declare(ns_load *l, ns_elem *e, const ns_indices *index)
{
  return declare_as(l, e, index, 1);
}

static int declare_between(ns_load *l, ns_elem *e, const ns_indices *index)
{
  return declare_as(l, e, index, 0);
}

static int declare_all(ns_load *l)
{
  ns_elem *systems = ns_elem_child(l->tree.root, "systems");
  ns_elem *interactions = ns_elem_child(l->tree.root, "interactions");
  long visits = l->visits, instances = l->instances;
  ns_messages told = l->msg; /* faults of ids are told where the systems are made */
  if (l->has_declared || (!systems && !l->kept)) return NS_OK;
  l->has_declared = 1;
  l->ndeclared = l->nnetlists;
  const ns_indices none = {0};
  int rc = systems ? ns_load_walk(l, systems, declare) : NS_OK;
  for (const ns_load_kept *k = l->kept; k && !rc; k = k->next) rc = declare(l, k->system, &none);
  if (!rc && interactions) rc = ns_load_walk(l, interactions, declare_between);
  l->visits = visits;
  l->instances = instances;
  if (rc != NS_NOMEM) ns_messages_rewind(&l->msg, &told);
  return rc == NS_NOMEM ? rc : NS_OK;
}

void ns_load_declared_fini(ns_load *l)
{
  HASH_CLEAR(hh, l->declared);
  l->has_declared = l->ndeclared = 0;
}

const char *ns_load_foreign_suggest(ns_load *l, const char *id)
{
  int is_interaction, left = 3000;
  const char *near = ns_load_id_suggest(l, id, &is_interaction);
  if (is_interaction) return id;
  ns_suggest s = ns_suggest_for(id, strlen(id));
  if (near) ns_suggest_offer(&s, near);
  if (declare_all(l)) return NULL;
  for (const declared *d = l->declared; d && left-- > 0; d = d->hh.next)
    ns_suggest_offer(&s, d->id);
  return s.best;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Position of a word in a list of an attribute; -1. */
static int word_in(const char *list, const char *name, size_t len)
{
  int k = 0;
  for (const char *p = list; p && *p; k++) {
    while (isspace((unsigned char)*p)) p++;
    size_t n = strcspn(p, " \t\r\n");
    if (!n) break;
    if (n == len && !strncmp(p, name, n)) return k;
    p += n;
  }
  return -1;
}

static int same(const char *known, const char *name, size_t len)
{
  return !strncmp(known, name, len) && !known[len];
}

/* x, v_x or an input of a system that is not made yet. */
static int declared_name(const ns_elem *e, const char *name, size_t len, ns_foreign_variable *v)
{
  const char *coordinates = ns_elem_attr(e, "coordinates"), *states = ns_elem_attr(e, "states");
  const char *list = coordinates ? coordinates : states;
  if ((v->k = word_in(list, name, len)) >= 0) v->bank = NS_BANK_Q;
  else if (coordinates && len > 2 && !strncmp(name, "v_", 2) &&
           (v->k = word_in(list, name + 2, len - 2)) >= 0)
    v->bank = NS_BANK_V;
  else if ((v->k = word_in(ns_elem_attr(e, "inputs"), name, len)) >= 0) v->bank = NS_BANK_Z;
  return v->k >= 0;
}

/* The same of one that is made. */
static int made_name(const ns_system *s, const char *name, size_t len, ns_foreign_variable *v)
{
  ns_coordinate c;
  int rates = !ns_system_is_first_order(s) && len > 2 && !strncmp(name, "v_", 2);
  for (int j = 0; ns_load_name(s, j, &c); j++) {
    if (same(c.name, name, len)) {
      v->bank = (ns_bank)c.bank;
      v->k = c.k;
      return 1;
    }
    if (!rates || c.v < 0 || !same(c.name, name + 2, len - 2)) continue;
    v->bank = NS_BANK_V;
    v->k = c.v;
    return 1;
  }
  return 0;
}

/* The same of a body that is not made yet: names of its kind, and its inputs. */
static int declared_body(const ns_elem *e, const char *name, size_t len, ns_foreign_variable *v)
{
  ns_system s = {.kind = ns_system_kind_find(e->name)};
  if (!ns_system_is_rigid(&s)) return 0;
  s.n = s.kind->flags & NS_SYS_PLANAR ? 3 : 6;
  s.nq = ns_system_coordinates(&s);
  s.names = ns_load_rigid_names(&s);
  return made_name(&s, name, len, v);
}

/* x0, x1, ... of a block. */
static int block_name(const declared *d, const char *name, size_t len, ns_foreign_variable *v)
{
  if (!d->index || len < 2 || len > 8 || *name != 'x') return 0;
  v->bank = NS_BANK_Q;
  v->k = 0;
  for (size_t i = 1; i < len; i++) {
    if (!isdigit((unsigned char)name[i])) return 0;
    v->k = 10 * v->k + name[i] - '0';
  }
  return 1;
}

/* What formulas can read of an interaction that has no such name. can: coordinates of a joint. */
static const char *hint_of_interaction(const ns_load_scope *s, unsigned can, const char *name,
                                       size_t len)
{
  int multiplier = same("lambda", name, len);
  if (multiplier && s->multipliers)
    return "multipliers of mechanics are impulses, at impacts, too; let a <control> read their "
           "<integral> and write an input that these formulas read";
  if (multiplier) return "only right-hand sides of systems can read multipliers";
  if (can)
    return "formulas of systems can read the free coordinates of a joint, angle, v_angle or slide, "
           "v_slide";
  return "formulas of systems can read states, inputs, angles of joints, and lambda[k] of "
         "relations of first order";
}

/* A coordinate of a joint or of a line, or its rate; *hint: where it has none. */
static int between_name(const ns_load_scope *s, const declared *d, const char *name, size_t len,
                        ns_foreign_variable *v, const char **hint)
{
  static const char *const of_line[] = {"length", "rate"};
  static const char *const of_joint[] = {"angle", "slide", "v_angle", "v_slide"};
  static const char *const joints[] = {"PivotJointR", "PrismaticJointR", "CylindricalJointR"};
  unsigned can = 0; /* bit of each coordinate */
  v->system = -1;
  v->id = d->id;
  for (int k = 0; k < 3; k++)
    if (ns_elem_child(d->e, joints[k])) can = k == 2 ? 3u : 1u << k;
  if (strcmp(d->e->name, "interaction")) {
    *hint = "formulas of systems can read length and rate of a force between bodies";
    v->of = NS_OF_LINE;
    for (int k = 0; k < 2; k++)
      if (same(of_line[k], name, len)) v->bank = k ? NS_BANK_V : NS_BANK_Q;
    return v->bank != NS_BANK_T;
  }
  *hint = hint_of_interaction(s, can, name, len);
  v->of = NS_OF_JOINT;
  for (int k = 0; k < 4; k++) {
    if (!same(of_joint[k], name, len) || !(can >> k % 2 & 1u)) continue;
    v->bank = k < 2 ? NS_BANK_Q : NS_BANK_V;
    v->k = k % 2;
    return 1;
  }
  return 0;
}

/* q[k], v[k], x[k], z[k]. */
static int entry(const char *name, size_t len, int k, ns_foreign_variable *v)
{
  static const struct {
    const char *name;
    ns_bank bank;
  } list[] = {{"q", NS_BANK_Q}, {"x", NS_BANK_Q}, {"v", NS_BANK_V}, {"z", NS_BANK_Z}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (same(list[i].name, name, len)) {
      v->bank = list[i].bank;
      v->k = k;
      return 1;
    }
  return 0;
}

/* Number of a variable in the list, which lives as long as the model: a netlist fills it line by
 * line and gives back its scratch after each. < 0: NS_NOMEM. */
static int place(ns_load *l, ns_load_foreign *f, const ns_foreign_variable *v)
{
  for (int j = 0; j < f->n; j++)
    if (f->of[j].system == v->system && f->of[j].bank == v->bank && f->of[j].k == v->k &&
        f->of[j].of == v->of && f->of[j].id == v->id)
      return j;
  if (f->n == f->cap) {
    int cap = f->cap ? 2 * f->cap : 8;
    ns_foreign_variable *p = ns_arena_get(l->m->arena, (size_t)cap, sizeof *p);
    if (!p) return NS_NOMEM;
    if (f->n) memcpy(p, f->of, (size_t)f->n * sizeof *p);
    f->of = p;
    f->cap = cap;
  }
  f->of[f->n] = *v;
  return f->n++;
}

/* Entry j of the list, < 0: there is no such. */
static ns_name entry_of(int j)
{
  return (ns_name){.kind = j < 0 ? NS_NAME_UNKNOWN : NS_NAME_VARIABLE,
                   .bank = NS_BANK_FOREIGN,
                   .index = j < 0 ? 0 : j};
}

/* The relation of an interaction that is declared is of first order. */
static int is_first_order_relation(const ns_elem *e)
{
  const ns_elem *relation = strcmp(e->name, "interaction") ? NULL
                                                           : ns_elem_group(e, NS_LANG_RELATION);
  return relation && !strncmp(relation->name, "FirstOrder", strlen("FirstOrder"));
}

static ns_name between(ns_load_scope *s, const declared *d, const char *name, size_t len,
                       int subscript)
{
  ns_foreign_variable v = {.bank = NS_BANK_T};
  const char *hint;
  if (s->multipliers && subscript >= 0 && same("lambda", name, len) &&
      is_first_order_relation(d->e)) {
    v = (ns_foreign_variable){
        .system = -1, .bank = NS_BANK_LAMBDA, .k = subscript, .of = NS_OF_MULTIPLIER, .id = d->id};
    return entry_of(place(s->l, s->foreign, &v));
  }
  int found = between_name(s, d, name, len, &v, &hint) && subscript < 0;
  if (!found) snprintf(s->hint, sizeof s->hint, "%s", hint);
  return entry_of(found ? place(s->l, s->foreign, &v) : -1);
}

/* What a block gives, or an <integral> or <memory> keeps: named by its id alone, or y[k]. */
static ns_name named_whole(ns_load_scope *s, const declared *d, int k)
{
  ns_foreign_variable v = {.system = d->k};
  if (d->kept && s->foreign) {
    ns_load_kept_entry(d->kept, &v.bank, &v.k);
    return entry_of(place(s->l, s->foreign, &v));
  }
  if (d->kept && s->law)
    return ns_load_formula_inside(s, ns_load_kept_name(s->l, d->kept), NULL, 0);
  if (!d->index) return (ns_name){.kind = NS_NAME_UNKNOWN};
  const char *text = ns_load_block_output(s->l, (ns_elem *)(uintptr_t)d->e, d->index, d->id, k);
  if (text) return ns_load_formula_inside(s, text, d->index, 0);
  if (d->e->bad) snprintf(s->hint, sizeof s->hint, "the block of that name has errors itself");
  else snprintf(s->hint, sizeof s->hint, "the block has no output %d", k);
  return (ns_name){.kind = NS_NAME_UNKNOWN};
}

/* A name of the state of one system alone, whichever. */
static ns_name named_anywhere(ns_load_scope *s, const char *name, size_t len)
{
  ns_load *l = s->l;
  ns_foreign_variable v = {.k = -1}, found = {.system = -1};
  int many = 0;
  for (int i = 0; i < l->m->nsystems && !many; i++) {
    v.system = i;
    if (!made_name(&l->m->systems[i], name, len, &v)) continue;
    many = found.system >= 0;
    found = v;
  }
  for (const declared *d = l->declared; d && !many; d = d->hh.next) {
    v.system = d->k;
    if (d->k < l->m->nsystems || d->kept) continue;
    if (!declared_name(d->e, name, len, &v) && !declared_body(d->e, name, len, &v)) continue;
    many = found.system >= 0;
    found = v;
  }
  if (many) snprintf(s->hint, sizeof s->hint, "several systems have it; write id.name");
  int made = !many && found.system >= 0 && found.system < l->m->nsystems;
  if (made && s->mechanics && ns_system_is_first_order(&l->m->systems[found.system])) {
    char own[2 * NS_ID_MAX + 2]; /* a state of the relation's own systems */
    snprintf(own, sizeof own, "%s.%.*s", l->m->systems[found.system].at.id, (int)len, name);
    return ns_load_formula_inside(s, own, NULL, 0);
  }
  return entry_of(many || found.system < 0 ? -1 : place(l, s->foreign, &found));
}

/* What a <measure> gives depends on the whole run so far. */
static void measured(ns_load_scope *s, const char *name, size_t len)
{
  const ns_elem *measures = ns_elem_child(s->l->tree.root, "measures");
  for (const ns_elem *e = measures ? measures->first : NULL; e; e = e->next) {
    const char *id = e->def && !strcmp(e->name, "measure") ? ns_elem_attr(e, "id") : NULL;
    if (!id || !same(id, name, len)) continue;
    snprintf(s->hint, sizeof s->hint,
             "it is a <measure>, which controls can read; formulas of systems read <observe>, "
             "<integral>, <memory>, and inputs that a control sets");
  }
}

/* An <observe> without an interaction is a formula that may stand in others. */
static const ns_elem *observed(ns_load_scope *s, const char *name, size_t len)
{
  const ns_elem *output = ns_elem_child(s->l->tree.root, "output");
  for (const ns_elem *e = output ? output->first : NULL; e; e = e->next) {
    const char *id = e->def && !strcmp(e->name, "observe") ? ns_elem_attr(e, "id") : NULL;
    if (!id || !same(id, name, len)) continue;
    if (e->bad) s->told = 1;
    else if (!ns_elem_attr(e, "interaction")) return e;
  }
  return NULL;
}

/* Formulas of laws have all states of the model in their scope, others name them as foreign. */
static ns_name undotted(ns_load_scope *s, const char *name, size_t len, int subscript)
{
  const ns_name unknown = {.kind = NS_NAME_UNKNOWN};
  char id[NS_ID_MAX + 1];
  declared *d = NULL;
  if (subscript >= 0 || len > NS_ID_MAX || declare_all(s->l)) return unknown;
  memcpy(id, name, len);
  id[len] = 0;
  HASH_FIND_STR(s->l->declared, id, d);
  ns_name found = d ? named_whole(s, d, 0) : unknown;
  if (found.kind != NS_NAME_UNKNOWN || *s->hint) return found;
  if (s->of_run && s->foreign) found = named_anywhere(s, name, len);
  const ns_elem *e = found.kind == NS_NAME_UNKNOWN && !*s->hint ? observed(s, name, len) : NULL;
  if (!s->foreign && !s->law) return found;
  if (e) return ns_load_formula_inside(s, e->text, NULL, 1);
  if (found.kind == NS_NAME_UNKNOWN && !*s->hint) measured(s, name, len);
  return found;
}

/* ---- quantities of netlists ------------------------------------------------------------------ */

/* node_a.v, R1.i of the netlist that is a system; NULL: it has none of that name. */
static const ns_observable *of_netlist(const ns_model *m, int system, const char *name, size_t len)
{
  const char *id = m->systems[system].at.id;
  size_t of = strlen(id);
  for (int k = 0; k < m->nobservables; k++) {
    const ns_observable *o = &m->observables[k];
    const char *own = o->id; /* R1, or c.R1 where several netlists have one */
    if (o->nsystems < 1 || *o->systems != system) continue;
    if (!strncmp(own, id, of) && own[of] == '.') own += of + 1;
    size_t n = strlen(own);
    if (n < len && !strncmp(own, name, n) && name[n] == '.' &&
        same(o->name, name + n + 1, len - n - 1))
      return o;
  }
  return NULL;
}

/* Variables of a bank in *f as entries of the list, `of` them in their order there, or states and
 * inputs of a system, or multipliers of an interaction. NS_NOMEM. */
static int named_in_list(ns_load_scope *s, ns_node *f, int bank, const ns_foreign *of, int system)
{
  ns_foreign_of whose = bank == NS_BANK_LAMBDA ? NS_OF_MULTIPLIER : NS_OF_SYSTEM;
  int n = ns_graph_variables(s->graph, f, 1, bank, NULL, 0);
  int *index = n < 0 ? NULL : ns_arena_get(s->l->scratch, (size_t)n + 1, sizeof *index);
  if (!index || ns_graph_variables(s->graph, f, 1, bank, index, n) != n) return NS_NOMEM;
  int top = n ? index[n - 1] + 1 : 0;
  ns_node *by = ns_arena_zero(s->l->scratch, (size_t)top + 1, sizeof *by);
  if (!by) return NS_NOMEM;
  for (int i = 0; i < n; i++) {
    const ns_foreign_variable own = {
        .system = system, .bank = (ns_bank)bank, .k = index[i], .of = whose};
    int at = place(s->l, s->foreign, of ? &of->of[index[i]] : &own);
    by[index[i]] = at < 0 ? -1 : ns_graph_variable(s->graph, NS_BANK_FOREIGN, at);
    if (by[index[i]] < 0) return NS_NOMEM;
  }
  *f = ns_graph_replace(s->graph, *f, bank, by);
  return *f < 0 ? NS_NOMEM : NS_OK;
}

/* A quantity of a netlist is a formula of its states, of t, of what its sources read, and of the
 * multipliers of its interaction, which right-hand sides of systems can read. */
static ns_name of_circuit(ns_load_scope *s, const ns_observable *o, const char *name, size_t len)
{
  const ns_operator *op = &o->value;
  ns_node f = op->how == NS_OP_TAPE ? 0 : ns_graph_constant(s->graph, op->value ? *op->value : 0);
  int rc = op->how == NS_OP_TAPE ? ns_tape_lift(op->formula->tape, s->graph, &f) : NS_OK;
  if (!s->multipliers && op->how == NS_OP_TAPE && op->uses >> NS_BANK_LAMBDA & 1u) {
    snprintf(s->hint, sizeof s->hint,
             "%.30s depends at the same instant on multipliers of the circuit's diodes, switches "
             "or sources, which only netlists and right-hand sides of systems can read; write it "
             "there",
             o->id);
    return (ns_name){.kind = NS_NAME_UNKNOWN};
  }
  const ns_foreign *read = ns_operator_foreign(op);
  if (!rc && read) rc = named_in_list(s, &f, NS_BANK_FOREIGN, read, -1);
  if (!rc) rc = named_in_list(s, &f, NS_BANK_Q, NULL, *o->systems);
  if (!rc) rc = named_in_list(s, &f, NS_BANK_Z, NULL, *o->systems);
  if (!rc) rc = named_in_list(s, &f, NS_BANK_LAMBDA, NULL, o->interaction);
  if (rc) return (ns_name){.kind = NS_NAME_UNKNOWN};
  int moves = ns_graph_uses(s->graph, f, NS_BANK_T) && !(s->uses >> NS_BANK_T & 1u);
  if (moves && !*s->refused)
    snprintf(s->refused, sizeof s->refused, "%.*s", (int)(len < 60 ? len : 60), name);
  return (ns_name){.kind = NS_NAME_NODE, .node = f};
}

/* R1.v, in formulas of the run, where one netlist alone has it. */
static ns_name of_any_netlist(ns_load_scope *s, const char *name, size_t len)
{
  const ns_model *m = s->l->m;
  for (int k = 0; k < m->nobservables; k++) {
    const ns_observable *o = &m->observables[k];
    size_t n = strlen(o->id);
    if (o->nsystems < 1 || !strcmp(o->group, "observables") || n >= len) continue;
    if (!strncmp(o->id, name, n) && name[n] == '.' && same(o->name, name + n + 1, len - n - 1))
      return of_circuit(s, o, name, len);
  }
  return (ns_name){.kind = NS_NAME_UNKNOWN};
}

/* Names of variables: x, v_x, y, v_y, ... */
typedef struct variable_list {
  char text[96];
  size_t n;
} variable_list;

/* Returns whether the list has place for another one; long names end it. */
static int append_variable(variable_list *to, const char *name, size_t len, int has_rate)
{
  if (!len || len > 20) return 0;
  to->n += (size_t)snprintf(to->text + to->n, sizeof to->text - to->n, "%s%.*s%s%.*s",
                            to->n ? ", " : "", (int)len, name, has_rate ? ", v_" : "",
                            has_rate ? (int)len : 0, name);
  return to->n < sizeof to->text / 2;
}

/* The first variables of a system. */
static void list_variables(const ns_system *s, variable_list *to)
{
  ns_coordinate c;
  int has_rates = !ns_system_is_first_order(s), more = 1;
  for (int j = 0; more && ns_load_name(s, j, &c); j++)
    more = append_variable(to, c.name, strlen(c.name), has_rates && c.v >= 0);
}

/* Of a system that is not made yet: those that its element names, or those of a body. */
static void list_declared_variables(const ns_elem *e, variable_list *to)
{
  static const char space[] = " \t\r\n";
  const char *coordinates = ns_elem_attr(e, "coordinates");
  const char *name = coordinates ? coordinates : ns_elem_attr(e, "states");
  ns_system body = {.kind = ns_system_kind_find(e->name)};
  if (!name && body.kind && ns_system_is_rigid(&body)) {
    body.n = body.kind->flags & NS_SYS_PLANAR ? 3 : 6;
    body.nq = ns_system_coordinates(&body);
    body.names = ns_load_rigid_names(&body);
    list_variables(&body, to);
  }
  for (int more = name != NULL; more; name += strcspn(name, space)) {
    name += strspn(name, space);
    more = append_variable(to, name, strcspn(name, space), coordinates != NULL);
  }
}

void ns_load_no_variable(ns_load_scope *s, const ns_system *made, const ns_elem *e, const char *id)
{
  int is_netlist = made && !strcmp(made->at.element, "netlist");
  const char *state = is_netlist && strcmp(made->names[0], "none") ? made->names[0] : NULL;
  if (is_netlist)
    snprintf(s->hint, sizeof s->hint,
             "of netlist %.20s others read %.20s%s%.30s%sits nodes and elements as in results: "
             "%.20s.node_a.v, %.20s.R1.i",
             id, state ? id : "", state ? "." : "", state ? state : "", state ? ", and " : "", id,
             id);
  if (is_netlist) return;
  variable_list names = {0};
  if (made) list_variables(made, &names);
  else list_declared_variables(e, &names);
  snprintf(s->hint, sizeof s->hint, "system %.40s has no variable of this name%s%s", id,
           names.n ? "; its variables are " : "", names.text);
}

ns_name ns_load_foreign_name(ns_load_scope *s, const char *name, size_t len, int subscript)
{
  const ns_name unknown = {.kind = NS_NAME_UNKNOWN};
  ns_load *l = s->l;
  char id[NS_ID_MAX + 1];
  const char *dot = memchr(name, '.', len);
  size_t n = dot ? (size_t)(dot - name) : 0, rest = dot ? len - n - 1 : 0;
  if (subscript >= 0 && s->of_interaction && same("lambda", name, len)) {
    int whole = snprintf(id, sizeof id, "%s", s->of_interaction);
    declared *of = NULL;
    if (whole <= NS_ID_MAX && !declare_all(l)) HASH_FIND_STR(l->declared, id, of);
    return of && of->k < 0 && !of->index ? between(s, of, name, len, subscript) : unknown;
  }
  if (!dot && (s->foreign || s->observables || s->law)) return undotted(s, name, len, subscript);
  if ((!s->foreign && !s->observables) || !n || n > NS_ID_MAX) return unknown;
  memcpy(id, name, n);
  id[n] = 0;
  ns_foreign_variable v = {.system = ns_load_id_system(l, id), .k = -1};
  declared *d = NULL;
  int is_output = subscript >= 0 && same("y", dot + 1, rest); /* of a block, made or not */
  if (v.system < 0 || v.system >= l->m->nsystems || is_output) {
    if (declare_all(l)) return unknown;
    HASH_FIND_STR(l->declared, id, d);
    if (!d) return s->of_run && s->foreign ? of_any_netlist(s, name, len) : unknown;
    v.system = d->k;
  }
  if (d && d->index && subscript >= 0 && same("y", dot + 1, rest))
    return named_whole(s, d, subscript);
  if (!s->foreign) return unknown;
  if (d && d->k < 0 && d->index) {
    snprintf(s->hint, sizeof s->hint, "the block has no state; its id is its output");
    return unknown;
  }
  if (d && d->k < 0) return between(s, d, dot + 1, rest, subscript);
  if (s->mechanics && !d && ns_system_is_first_order(&l->m->systems[v.system])) return unknown;
  int found = subscript >= 0 ? entry(dot + 1, rest, subscript, &v)
              : d            ? declared_name(d->e, dot + 1, rest, &v) ||
                        declared_body(d->e, dot + 1, rest, &v) || block_name(d, dot + 1, rest, &v)
                  : made_name(&l->m->systems[v.system], dot + 1, rest, &v);
  const ns_observable *o = found || d || subscript >= 0 ? NULL
                                                        : of_netlist(l->m, v.system, dot + 1, rest);
  if (o) return of_circuit(s, o, name, len);
  if (!found) ns_load_no_variable(s, d ? NULL : &l->m->systems[v.system], d ? d->e : NULL, id);
  return entry_of(found ? place(l, s->foreign, &v) : -1);
}

const ns_elem *ns_load_declared_element(const ns_load *l, int k)
{
  const declared *d = l->declared;
  while (d && d->k != k) d = d->hh.next;
  return d ? d->e : NULL;
}

/* The number of a force between bodies. */
static int line_named(const ns_load *l, const char *id)
{
  int i = l->m->nforces - 1;
  while (i >= 0 && strcmp(l->m->forces[i].at.id, id)) i--;
  return i;
}

/* ---- operators ------------------------------------------------------------------------------- */

int ns_load_foreign_attach(ns_load *l, ns_graph *g, const ns_nodes *f, const ns_load_foreign *names,
                           ns_operator *op)
{
  size_t n = (size_t)op->rows * (size_t)op->cols;
  int bare = !f || !f->node;
  if (op->how != NS_OP_TAPE || !(op->uses >> NS_BANK_FOREIGN & 1u)) return NS_OK;
  return ns_foreign_make(l->m, &l->msg.c, g, bare ? NULL : f->node, (int)n, names->of, names->n,
                         bare, op);
}

static int check_row(ns_load *l, const ns_foreign_variable *v)
{
  const ns_interaction *it = &l->m->interactions[v->system];
  if (v->k < it->m) return NS_OK;
  return ns_fail_at(&l->msg.c, NS_MODEL, &it->at,
                    "a formula reads its lambda[%d], and it has %d row%s, lambda[0] to "
                    "lambda[%d]",
                    v->k, it->m, it->m == 1 ? "" : "s", it->m - 1);
}

int ns_load_foreign_resolve(ns_load *l)
{
  for (const ns_foreign *k = l->m->foreign; k && !l->msg.n; k = k->next)
    for (int j = 0; j < k->n; j++) {
      ns_foreign_variable *v = &k->of[j];
      const char *near;
      if (v->of == NS_OF_SYSTEM || !v->id) continue;
      v->system = v->of != NS_OF_LINE ? ns_load_id_interaction(l, v->id, &near)
                                      : line_named(l, v->id);
      if (v->system < 0) return NS_MODEL; /* it could not be made: told there */
      if (v->of == NS_OF_MULTIPLIER && check_row(l, v)) return NS_MODEL;
    }
  return l->msg.n ? NS_OK : ns_load_foreign_check(l);
}

/* Entries that were named by numbers are known to be there only now. */
int ns_load_foreign_check(ns_load *l)
{
  if (l->msg.n) return NS_OK; /* systems that could not be made have no number */
  for (const ns_foreign *k = l->m->foreign; k; k = k->next)
    for (int j = 0; j < k->n; j++) {
      const ns_foreign_variable *v = &k->of[j];
      if (v->of != NS_OF_SYSTEM) continue;
      const ns_system *s = v->system < l->m->nsystems ? &l->m->systems[v->system] : NULL;
      int size = s ? ns_system_entries(s, (int)v->bank) : 0;
      int rate = s && v->bank == NS_BANK_V && ns_system_is_first_order(s);
      if (v->k < size && !rate) continue;
      if (!s) return NS_MODEL; /* it could not be made: told there */
      if (rate)
        return ns_fail_at(&l->msg.c, NS_MODEL, &s->at,
                          "a formula of another system reads its rate v[%d], expected its state: "
                          "a first-order system has x[0], x[1], ...",
                          v->k);
      return ns_fail_at(&l->msg.c, NS_MODEL, &s->at,
                        "a formula of another system reads entry %d of its %s, which has %d; "
                        "entries count from 0",
                        v->k, v->bank == NS_BANK_Z ? "z" : "state", size);
    }
  return NS_OK;
}
