/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_scope.c -- what names mean in formulas. */
#include "io/load/load_dimensions.h"

#include "base/suggest.h"
#include "model/law_values.h"
#include "model/measure.h"
#include "model/relations/rigid_relation.h"
#include "model/systems/rigid_force.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int same(const char *known, const char *name, size_t len)
{
  return !strncmp(known, name, len) && !known[len];
}

static ns_name variable(ns_load_scope *s, int bank, int index, const char *name, size_t len)
{
  if (bank != NS_BANK_INDEX && !(s->uses & 1u << bank) && !*s->refused)
    snprintf(s->refused, sizeof s->refused, "%.*s", (int)(len < 60 ? len : 60), name);
  return (ns_name){.kind = NS_NAME_VARIABLE, .bank = bank, .index = index};
}

typedef struct bank_name {
  const char *name;
  int bank;
} bank_name;
enum { BANK_NAMES = 4 };

static const bank_name *bank_names(const ns_load_scope *s)
{
  static const bank_name name[2][BANK_NAMES] = {
      {{"q", NS_BANK_Q}, {"v", NS_BANK_V}, {"z", NS_BANK_Z}, {"lambda", NS_BANK_LAMBDA}},
      {{"x", NS_BANK_Q}, {"xdot", NS_BANK_V}, {"z", NS_BANK_Z}, {"lambda", NS_BANK_LAMBDA}}};
  return name[s->first_order != 0];
}

static int entries(const ns_load_scope *s, int bank)
{
  return bank == NS_BANK_Z            ? s->nz
         : bank == NS_BANK_LAMBDA     ? s->m
         : bank == NS_BANK_V && s->nv ? s->nv
                                      : s->n;
}

static void hint_size(ns_load_scope *s, const bank_name *b)
{
  int n = entries(s, b->bank);
  if (n == 1) snprintf(s->hint, sizeof s->hint, "%s has one entry, %s[0]", b->name, b->name);
  else if (n > 1)
    snprintf(s->hint, sizeof s->hint, "%s has %d entries, %s[0] to %s[%d]", b->name, n, b->name,
             b->name, n - 1);
  else if (b->bank == NS_BANK_LAMBDA && s->multipliers)
    snprintf(s->hint, sizeof s->hint, "write id.lambda[0], ..., with the id of an interaction");
  else if (b->bank == NS_BANK_LAMBDA)
    snprintf(s->hint, sizeof s->hint,
             s->observables ? "several interactions have lambda; write id.lambda[0], ..."
                            : "formulas here cannot use lambda");
  else if (s->n > 0 && s->several)
    snprintf(s->hint, sizeof s->hint, "the systems have no user vector; give <z>");
  else if (s->n > 0) snprintf(s->hint, sizeof s->hint, "the system has no user vector; give <z>");
}

/* ground.lambda[k], in formulas of the run that are of no interaction or of that one. */
static ns_name multiplier_by_id(ns_load_scope *s, const char *name, size_t len, int k)
{
  const ns_name unknown = {.kind = NS_NAME_UNKNOWN};
  const ns_model *m = s->l->m;
  char id[NS_ID_MAX + 1];
  const char *dot = memchr(name, '.', len), *near;
  size_t n = dot ? (size_t)(dot - name) : 0;
  if (!s->observables || !n || n > NS_ID_MAX || !same("lambda", dot + 1, len - n - 1))
    return unknown;
  memcpy(id, name, n);
  id[n] = 0;
  int i = ns_load_id_interaction(s->l, id, &near);
  if (i < 0 || i >= m->ninteractions) return unknown;
  const ns_interaction *it = &m->interactions[i];
  if (s->m > 0)
    snprintf(s->hint, sizeof s->hint,
             "these formulas are of one interaction, whose multipliers are lambda[k]; remove "
             "interaction=");
  else if (k >= it->m)
    snprintf(s->hint, sizeof s->hint, "%.40s has %d row%s, lambda[0] to lambda[%d]", id, it->m,
             it->m == 1 ? "" : "s", it->m - 1);
  else return variable(s, NS_BANK_LAMBDA, (int)it->row + k, name, len);
  return unknown;
}

/* q[k], v[k], z[k]; x[k], xdot[k]; lambda[k]. */
static ns_name subscripted(ns_load_scope *s, const char *name, size_t len, int k)
{
  const bank_name *b = bank_names(s);
  for (int i = 0; i < BANK_NAMES; i++) {
    if (!same(b[i].name, name, len)) continue;
    if (k < entries(s, b[i].bank)) return variable(s, b[i].bank, k, name, len);
    hint_size(s, &b[i]);
  }
  int nvector;
  const double *vector = ns_load_vector(s->l, name, len, &nvector);
  if (vector && (k < nvector || !nvector))
    return (ns_name){.kind = NS_NAME_CONSTANT, .value = vector[nvector ? k : 0]};
  if (vector)
    snprintf(s->hint, sizeof s->hint, "the last entry of that <vector> is [%d]", nvector - 1);
  if (s->n > 0 && len == 1 && s->first_order && strchr("qv", *name))
    snprintf(s->hint, sizeof s->hint,
             *name == 'q' ? "the state of a first-order system is x[0], x[1], ..."
                          : "the rate of a first-order system is xdot[0], xdot[1], ...");
  else if (s->n > 0 && !s->first_order && (same("x", name, len) || same("xdot", name, len)))
    snprintf(s->hint, sizeof s->hint, "the state of a mechanical system is q[0], ..., v[0], ...");
  return (ns_name){.kind = NS_NAME_UNKNOWN};
}

/* Position of this name in s->sorted, -1 where there is none. */
static int position(const ns_load_scope *s, const char *name, size_t len)
{
  int low = 0, high = s->sorted ? s->nsorted : 0;
  while (low < high) {
    int mid = low + (high - low) / 2, d = strncmp(name, s->sorted[mid].name, len);
    if (!d && s->sorted[mid].name[len]) d = -1;
    if (!d) return mid;
    if (d < 0) high = mid;
    else low = mid + 1;
  }
  return -1;
}

/* x, ball.x; v_x, ball.v_x of mechanical systems; Omega_x of rigid bodies. */
static ns_name named_state(ns_load_scope *s, const char *name, size_t len)
{
  char buf[NS_ID_MAX + 80];
  const char *dot = memchr(name, '.', len);
  size_t id = dot ? (size_t)(dot - name) + 1 : 0;
  int rate = 0, i = s->only_by_id && !dot ? -1 : position(s, name, len);
  int may_be_rate = !s->first_order && (dot || !s->only_by_id);
  if (i < 0 && may_be_rate && len > id + 2 && len < sizeof buf && !memcmp(name + id, "v_", 2)) {
    memcpy(buf, name, id);
    memcpy(buf + id, name + id + 2, len - id - 2);
    i = position(s, buf, len - 2);
    rate = 1;
    if (i >= 0 && s->sorted[i].v < 0) i = -1;
  }
  if (i < 0) return (ns_name){.kind = NS_NAME_UNKNOWN};
  const ns_coordinate *c = &s->sorted[i];
  int bank = rate ? NS_BANK_V : c->bank;
  int of_state = bank == NS_BANK_Q || bank == NS_BANK_V;
  if (dot && s->foreign && of_state && !(s->uses & 1u << bank))
    return (ns_name){.kind = NS_NAME_UNKNOWN}; /* which it reads as that of another system */
  if (!c->ambiguous) {
    if (dot) s->by_id |= 1ULL << (c->of < 63 ? c->of : 63);
    return variable(s, bank, rate ? c->v : c->k, name, len);
  }
  const char *one = bank == NS_BANK_Z ? "z" : bank_names(s)->name;
  snprintf(s->hint, sizeof s->hint,
           dot ? "the system is named twice here; write %s[0], %s[1], ..."
               : "several systems here have it; write id.name or %s[0], %s[1], ...",
           one, one);
  return (ns_name){.kind = NS_NAME_UNKNOWN};
}

/* The system that the name "s.p" begins with, if these are formulas of several systems; -1. */
static int system_of(const ns_load_scope *s, const char *name, size_t len)
{
  char id[NS_ID_MAX + 1];
  const char *dot = memchr(name, '.', len);
  if (!s->several || !s->l || !dot || dot - name > NS_ID_MAX) return -1;
  snprintf(id, sizeof id, "%.*s", (int)(dot - name), name);
  return ns_load_id_system(s->l, id);
}

static int is_here(const ns_load_scope *s, int system)
{
  for (int k = 0; k < s->nstack; k++)
    if (s->stack[k] == system) return 1;
  return 0;
}

static void hint_unknown(ns_load_scope *s, const char *name, size_t len)
{
  int of = system_of(s, name, len);
  if (of >= 0 && of < s->l->m->nsystems && !is_here(s, of))
    snprintf(s->hint, sizeof s->hint,
             "%.40s is a system of the model, but not among those here: add it to systems=",
             s->l->m->systems[of].at.id);
  if (len > 3 && !s->first_order && !memcmp(name + len - 3, "dot", 3)) {
    int i = position(s, name, len - 3);
    if (i < 0 && name[len - 4] == '_') i = position(s, name, len - 4);
    if (i >= 0 && s->sorted[i].v >= 0)
      snprintf(s->hint, sizeof s->hint, "the velocity of %.50s is v_%.50s", s->sorted[i].name,
               s->sorted[i].name);
  }
  if ((s->time || s->n > 0) && same("time", name, len))
    snprintf(s->hint, sizeof s->hint, "the time is t");
  if (same("PI", name, len) || same("Pi", name, len)) snprintf(s->hint, sizeof s->hint, "write pi");
  if (len > 2 && s->first_order && !memcmp(name, "v_", 2)) {
    int i = position(s, name + 2, len - 2);
    if (i >= 0 && !s->sorted[i].ambiguous)
      snprintf(s->hint, sizeof s->hint, "the rate of %.50s is xdot[%d], which controls <u> may use",
               s->sorted[i].name, s->sorted[i].k);
  }
  if (s->n == 0 && len == 1 && strchr("tqvz", *name))
    snprintf(s->hint, sizeof s->hint, "formulas here may use only parameters and indices");
  const bank_name *b = bank_names(s);
  for (int i = 0; s->n > 0 && i < BANK_NAMES; i++) {
    int n = entries(s, b[i].bank);
    if (!same(b[i].name, name, len) || (b[i].bank == NS_BANK_LAMBDA && n == 0)) continue;
    if (s->first_order && n == 1) snprintf(s->hint, sizeof s->hint, "write %s[0]", b[i].name);
    else snprintf(s->hint, sizeof s->hint, "write %s[0], %s[1], ...", b[i].name, b[i].name);
  }
}

/* c.R1.v, where R1 is of one netlist alone and so called R1.v. */
static int names_with_netlist(const ns_model *m, const ns_observable *o, const char *name,
                              size_t len)
{
  if (!strcmp(o->group, "observables") || o->nsystems < 1 || strchr(o->id, '.')) return 0;
  const char *of = m->systems[*o->systems].at.id;
  size_t n = strlen(of), id = strlen(o->id);
  if (n + id + 2 >= len || strncmp(name, of, n) != 0 || name[n] != '.') return 0;
  const char *own = name + n + 1;
  return !strncmp(own, o->id, id) && own[id] == '.' &&
         same(o->name, own + id + 1, len - n - id - 2);
}

/* R1.v; `power` for power.value. */
static ns_name observable(ns_load_scope *s, const char *name, size_t len)
{
  const ns_model *m = s->l->m;
  for (int k = 0; s->observables && k < m->nobservables; k++) {
    const ns_observable *o = &m->observables[k];
    size_t id = strlen(o->id);
    int begins = id <= len && !strncmp(o->id, name, id),
        whole = begins && id == len && !strcmp(o->name, "value"),
        part = begins && id < len && name[id] == '.' && same(o->name, name + id + 1, len - id - 1);
    if (whole || part) return variable(s, NS_BANK_OBSERVABLE, k, name, len);
    if (names_with_netlist(m, o, name, len)) return variable(s, NS_BANK_OBSERVABLE, k, name, len);
    /* R1.v where there are c.R1.v and d.R1.v */
    const char *own = strchr(o->id, '.');
    size_t rest = own ? strlen(own + 1) : 0;
    if (own && rest < len && !strncmp(own + 1, name, rest) && name[rest] == '.')
      snprintf(s->hint, sizeof s->hint, "several netlists have it: write %.60s%.*s", o->id,
               (int)(len - rest), name + rest);
  }
  return (ns_name){.kind = NS_NAME_UNKNOWN};
}

static const char *const joint_names[] = {"angle", "slide", "v_angle", "v_slide"};

/* A free coordinate of a joint or its rate; `at` and `rate`: where those of this joint are. */
static ns_name of_joint(ns_load_scope *s, const ns_interaction *it, int at, int rate,
                        const char *name, size_t len)
{
  for (int k = 0; k < 4; k++) {
    int slide = k % 2;
    if (!same(joint_names[k], name, len)) continue;
    if (!ns_joint_is_free(&it->joint, slide)) {
      snprintf(s->hint, sizeof s->hint, "this joint has no %s", joint_names[slide]);
      break;
    }
    return variable(s, NS_BANK_JOINT,
                    (k < 2 ? at : rate) + (slide && ns_joint_is_free(&it->joint, 0)), name, len);
  }
  return (ns_name){.kind = NS_NAME_UNKNOWN};
}

/* hinge.angle, in formulas of the run. */
static ns_name joint_by_id(ns_load_scope *s, const char *name, size_t len)
{
  char id[NS_ID_MAX + 1];
  const char *dot = memchr(name, '.', len), *near;
  size_t n = dot ? (size_t)(dot - name) : 0;
  if (!s->observables || !n || n > NS_ID_MAX) return (ns_name){.kind = NS_NAME_UNKNOWN};
  memcpy(id, name, n);
  id[n] = 0;
  int at, rate, k = ns_load_id_interaction(s->l, id, &near);
  if (k < 0 || k >= s->l->m->ninteractions ||
      !(s->l->m->interactions[k].relation->flags & NS_REL_JOINT))
    return (ns_name){.kind = NS_NAME_UNKNOWN};
  ns_load_joint_place(s->l, k, &at, &rate);
  return of_joint(s, &s->l->m->interactions[k], at, rate, dot + 1, len - n - 1);
}

/* Coordinates of all joints and, behind them, what forces show. */
static int count_angles(const ns_load *l)
{
  int n = NS_FORCE_SHOWN * l->m->nforces;
  for (int i = 0; i < l->m->ninteractions; i++) n += ns_interaction_angles(&l->m->interactions[i]);
  return n;
}

void ns_load_joint_place(const ns_load *l, int k, int *at, int *rate)
{
  *at = 0;
  for (int i = 0; i < k; i++) *at += ns_interaction_angles(&l->m->interactions[i]);
  *rate = *at + count_angles(l);
}

void ns_load_force_place(const ns_load *l, int k, int *at, int *rate)
{
  int n = count_angles(l);
  *at = n - NS_FORCE_SHOWN * (l->m->nforces - k);
  *rate = *at + n;
}

/* A coordinate of a force between bodies or its rate, in its own formulas. */
static ns_name of_force(ns_load_scope *s, const char *name, size_t len)
{
  int n = ns_body_force_coordinates(s->force);
  for (int k = 0; k < 2 * n; k++)
    if (same(ns_body_force_names(s->force, k >= n)[k % n], name, len))
      return variable(s, NS_BANK_JOINT, k, name, len);
  return (ns_name){.kind = NS_NAME_UNKNOWN};
}

/* spring.length, in formulas of the run. */
static ns_name force_by_id(ns_load_scope *s, const char *name, size_t len)
{
  static const char *const shown[] = {"length", "force", "rate", "power"};
  const char *dot = memchr(name, '.', len);
  size_t n = dot ? (size_t)(dot - name) : 0;
  for (int i = 0; s->observables && dot && i < s->l->m->nforces; i++) {
    if (!same(s->l->m->forces[i].at.id, name, n)) continue;
    int at, rate;
    ns_load_force_place(s->l, i, &at, &rate);
    for (int k = 0; k < 2 * NS_FORCE_SHOWN; k++)
      if (same(shown[k], dot + 1, len - n - 1))
        return variable(s, NS_BANK_JOINT, (k < NS_FORCE_SHOWN ? at : rate) + k % NS_FORCE_SHOWN,
                        name, len);
    snprintf(s->hint, sizeof s->hint, "a force has length, rate, force and power");
  }
  return (ns_name){.kind = NS_NAME_UNKNOWN};
}

/* event.impulse, in formulas of elements that events are selected for. A system of that id would
 * have been found before. */
static ns_name of_event(ns_load_scope *s, const char *name, size_t len)
{
  static const char prefix[] = "event.";
  const size_t n = sizeof prefix - 1;
  if (len <= n || memcmp(name, prefix, n) != 0) return (ns_name){.kind = NS_NAME_UNKNOWN};
  for (int k = 0; k < NS_OF_EVENT; k++) {
    if (!same(ns_of_event_names[k], name + n, len - n)) continue;
    if (s->event) return variable(s, NS_BANK_EVENT, k, name, len);
    snprintf(s->hint, sizeof s->hint,
             "numbers of an event are known in the formula of a <memory> or <measure> with event=");
  }
  if (s->event && !*s->hint)
    snprintf(s->hint, sizeof s->hint,
             "an event has impulse, energy_lost, velocity_before and velocity_after");
  return (ns_name){.kind = NS_NAME_UNKNOWN};
}

/* Index k: of a formula in another one it has its value there. */
static ns_name of_index(ns_load_scope *s, int k, const char *name, size_t len)
{
  return s->inlined ? (ns_name){.kind = NS_NAME_CONSTANT, .value = s->index->value[k]}
                    : variable(s, NS_BANK_INDEX, k, name, len);
}

/* What was named by its column in a table. */
static ns_name column(ns_load_scope *s, const char *name, size_t len)
{
  for (int k = 0; s->index && k < s->index->n; k++)
    if (s->index->column[k] && same(s->index->column[k], name, len))
      return of_index(s, k, name, len);
  return (ns_name){.kind = NS_NAME_UNKNOWN};
}

/* Names of bodies and joints are given: a parameter that has one would mean two things. Names that
 * a model gives are compared with its parameters where they stand (ns_load_coordinate_check). */
static int is_parameter_too(ns_load_scope *s, const char *name, size_t len)
{
  const ns_elem *p = s->l->msg.c.rc ? NULL : ns_load_parameter_elem(s->l, name, len);
  if (p)
    snprintf(s->hint, sizeof s->hint,
             "%.*s is a variable of the system and a parameter (%.60s:%d): rename the parameter",
             (int)(len < 40 ? len : 40), name, p->file, p->line);
  return p != NULL;
}

/* Inner names first: columns of a table hide parameters, coordinates hide both. */
static ns_name lookup(const void *self, const char *name, size_t len, int subscript)
{
  ns_load_scope *s = (ns_load_scope *)(uintptr_t)self; /* our own: notes what it meets */
  if (subscript >= 0 && s->of_interaction && same("lambda", name, len))
    return ns_load_foreign_name(s, name, len, subscript);
  if (subscript >= 0) {
    ns_name entry = subscripted(s, name, len, subscript);
    if (entry.kind == NS_NAME_UNKNOWN) entry = multiplier_by_id(s, name, len, subscript);
    if (entry.kind != NS_NAME_UNKNOWN || *s->hint) return entry;
    return ns_load_foreign_name(s, name, len, subscript);
  }
  for (int k = 0; s->index && k < s->index->n; k++)
    if (same(s->index->name[k], name, len)) return of_index(s, k, name, len);
  ns_name found = s->joint ? of_joint(s, s->joint, s->joint_at, s->joint_rate, name, len)
                           : (ns_name){.kind = NS_NAME_UNKNOWN};
  if (s->force) found = of_force(s, name, len);
  if (found.kind == NS_NAME_UNKNOWN) found = named_state(s, name, len);
  if (found.kind != NS_NAME_UNKNOWN && !memchr(name, '.', len) && is_parameter_too(s, name, len))
    return (ns_name){.kind = NS_NAME_UNKNOWN};
  if (found.kind == NS_NAME_UNKNOWN) found = column(s, name, len);
  const double *p = found.kind == NS_NAME_UNKNOWN ? ns_load_parameter(s->l, name, len) : NULL;
  if (p) found = (ns_name){.kind = NS_NAME_CONSTANT, .value = *p};
  if (found.kind != NS_NAME_UNKNOWN) {
    *s->hint = 0;
    return found;
  }
  if (len == 1 && *name == 't' && (s->n > 0 || s->time))
    return variable(s, NS_BANK_T, 0, name, len);
  if (s->infinite && same("inf", name, len))
    return (ns_name){.kind = NS_NAME_CONSTANT, .value = INFINITY};
  for (int k = 0; s->law && k < NS_CONTACT_SPEEDS; k++)
    if (same(ns_law_speeds[k], name, len)) return variable(s, NS_BANK_LAW, k, name, len);
  found = observable(s, name, len);
  if (found.kind == NS_NAME_UNKNOWN) found = joint_by_id(s, name, len);
  if (found.kind == NS_NAME_UNKNOWN) found = force_by_id(s, name, len);
  if (found.kind == NS_NAME_UNKNOWN) found = ns_load_foreign_name(s, name, len, -1);
  if (found.kind == NS_NAME_UNKNOWN) found = of_event(s, name, len);
  int nvector;
  if (found.kind == NS_NAME_UNKNOWN && ns_load_vector(s->l, name, len, &nvector))
    snprintf(s->hint, sizeof s->hint, "it is a <vector>: write %.*s[0]", (int)(len < 60 ? len : 60),
             name);
  if (found.kind == NS_NAME_UNKNOWN && !*s->hint) hint_unknown(s, name, len);
  return found;
}

enum { OFFERS_MAX = 300 }; /* names compared with a mistyped one */

static const char *suggest(const void *self, const char *name, size_t len)
{
  const ns_load_scope *s = self;
  const char *known;
  if (*s->hint) return NULL; /* which says more */
  char unit[4];
  snprintf(unit, sizeof unit, "%.*s", (int)(len < 4 ? len : 3), name);
  if (len > 1 && len < 4 && ns_units_is_common(unit)) return NULL; /* kg is not g mistyped */
  ns_suggest g = ns_suggest_for(name, len);
  for (int k = 0; s->index && k < s->index->n; k++)
    ns_suggest_offer(&g, s->index->column[k] ? s->index->column[k] : s->index->name[k]);
  for (int k = 0; k < OFFERS_MAX && (known = ns_load_parameter_name(s->l, k)); k++)
    ns_suggest_offer(&g, known);
  for (int k = 0; s->joint && k < 4; k++)
    if (ns_joint_is_free(&s->joint->joint, k % 2)) ns_suggest_offer(&g, joint_names[k]);
  for (int k = 0; s->force && k < 2 * ns_body_force_coordinates(s->force); k++)
    ns_suggest_offer(&g, ns_body_force_names(s->force, k % 2)[k / 2]);
  for (int k = 0; s->sorted && k < s->nsorted && k < OFFERS_MAX; k++) {
    const char *q = s->sorted[k].name;
    int has_rate = !s->first_order && s->sorted[k].v >= 0;
    ns_suggest_offer(&g, q);
    if (!has_rate) continue;
    char *v = ns_arena_format(s->l->scratch, "v_%s", q);
    if (!v) break;
    ns_suggest_offer(&g, v);
  }
  return g.best;
}

ns_where_place ns_where_text(const ns_where *w)
{
  ns_where_place p;
  if (!w->e) snprintf(p.text, sizeof p.text, "%s", w->text);
  else
    snprintf(p.text, sizeof p.text, "%s%s%s", ns_elem_at(w->e, NULL).text,
             w->attribute ? ": attribute " : "", w->attribute ? w->attribute : "");
  return p;
}

/* "plane.x", where plane is a system of the model that these formulas do not know, or no id: 1. */
static int hint_of_system(ns_load_scope *s, const char *sentence)
{
  char id[NS_ID_MAX + 1];
  const char *name = strstr(sentence, "unknown name \""), *dot;
  if (strstr(sentence, "did you mean")) return 0;
  if (!name || !s->l || !(dot = strchr(name += 14, '.')) || (size_t)(dot - name) > NS_ID_MAX ||
      strcspn(name, "\"") < (size_t)(dot - name))
    return 0;
  snprintf(id, sizeof id, "%.*s", (int)(dot - name), name);
  if (ns_load_id_system(s->l, id) < 0) {
    const char *near = ns_load_foreign_suggest(s->l, id);
    if (near && strcmp(near, id))
      snprintf(s->hint, sizeof s->hint, "nothing has the id %.40s, did you mean %.40s?", id, near);
    else if (!near && !s->suffixes)
      snprintf(s->hint, sizeof s->hint,
               "no system, interaction, netlist or element of a netlist is named %.40s", id);
    return *s->hint != 0;
  }
  int of = system_of(s, name, strcspn(name, "\""));
  if (of >= 0 && is_here(s, of)) ns_load_no_variable(s, &s->l->m->systems[of], NULL, id);
  else if (s->several)
    snprintf(s->hint, sizeof s->hint,
             "%.40s is a system of the model, but not among those here: add it to systems=", id);
  else
    snprintf(s->hint, sizeof s->hint,
             "%.40s is another system: these formulas may use only their own state, t and z", id);
  return 1;
}

/* The whole text is a number and this name. */
static int is_number_and(const char *text, const char *name)
{
  char *end;
  strtod(text, &end);
  if (end == text) return 0;
  end += strspn(end, " \t\r\n");
  size_t n = strlen(name);
  return !strncmp(end, name, n) && !end[n + strspn(end + n, " \t\r\n")];
}

/* The unknown name is a unit of two or three letters, or of one behind a number alone: others are
 * as often parameters. */
static int is_unit(const ns_load_scope *s, const ns_where *at, const char *sentence)
{
  char si[64], name[4];
  const char *from = strstr(sentence, "unknown name \"") + strlen("unknown name \"");
  size_t n = strcspn(from, "\"");
  if (n < 1 || n > 3 || isdigit((unsigned char)from[n - 1])) return 0;
  snprintf(name, sizeof name, "%.*s", (int)n, from);
  if (n == 1 && (at->attribute || !is_number_and(at->e->text, name))) return 0;
  return *ns_units_si_name(&s->l->units, name, si, sizeof si) != 0;
}

/* The unknown name is that of an element of <output> that formulas of this one cannot read. NULL:
 * it is not. */
static const char *hint_of_output(const ns_elem *e, const char *sentence)
{
  const char *name = strstr(sentence, "unknown name \"") + strlen("unknown name \"");
  size_t n = strcspn(name, "\"");
  if (!e->parent || strcmp(e->parent->name, "output") != 0) return NULL;
  for (const ns_elem *k = e; k; k = k->next) {
    const char *id = k->def ? ns_elem_attr(k, "id") : NULL;
    if (!id || strlen(id) != n || strncmp(id, name, n) != 0) continue;
    return k == e ? "it cannot read itself: write its rate as a first-order system"
                  : "it comes after this element: formulas of <output> can read only elements "
                    "before them; move it up";
  }
  return NULL;
}

/* Whether the unknown name is a node: one of the two words behind the name of an element. */
static int is_node(const ns_elem *netlist, const char *sentence)
{
  static const char blank[] = " \t";
  const char *name = strstr(sentence, "unknown name \"") + strlen("unknown name \"");
  size_t n = strcspn(name, "\"");
  for (const char *line = netlist->text; *line; line += strcspn(line, "\n"), line += *line != 0) {
    const char *word = line + strspn(line, blank);
    if (!isalpha((unsigned char)*word)) continue;
    for (int k = 0; k < 2; k++) {
      word += strcspn(word, " \t\n");
      word += strspn(word, blank);
      if (strcspn(word, " \t\n") == n && strncmp(word, name, n) == 0) return 1;
    }
  }
  return 0;
}

static const char *hint_of_names(const ns_load_scope *s, const ns_where *at, const char *sentence)
{
  if (!at->e) return "expected numbers and parameters of the model";
  const char *of_output = hint_of_output(at->e, sentence);
  if (of_output) return of_output;
  if (at->attribute && !strcmp(at->attribute, "writes"))
    return "name it in inputs= of one of its systems";
  int is_netlist = s->suffixes;
  if (!is_netlist && !strcmp(at->e->name, "mass") && strstr(sentence, "\"N\"") &&
      is_unit(s, at, sentence))
    return "that is a unit of force, and numbers are in SI units, without their names: a weight "
           "divided by g is a mass, in kg";
  if (!is_netlist && is_unit(s, at, sentence))
    return "that is a unit: numbers are in SI units, without their names";
  if (is_netlist && is_node(at->e, sentence))
    return "it is a node: write v() around it for its voltage, in values of V, I, B, S and P";
  return is_netlist ? "declare it as a <parameter> or by .param" : "declare it as a <parameter>";
}

/* "1 k": the suffix of a number stands behind a blank. */
static int has_loose_suffix(const char *text, size_t len)
{
  size_t n = 0;
  while (n < len && (isdigit((unsigned char)text[n]) || text[n] == '.')) n++;
  size_t blank = n;
  while (n && n < len && text[n] == ' ') n++;
  return n > blank && n < len && strchr("TGMKkmunpf", text[n]);
}

/* Of the number that stands here; NULL: it is not known. */
static const char *expected_unit(const ns_where *at)
{
  const ns_lang_item *item = !at->attribute ? at->e->value
                             : at->e->def   ? ns_lang_attribute(at->e->def, at->attribute)
                                            : NULL;
  return item ? item->unit : NULL;
}

/* What to do about the sentence, where the formula's reader could not know. */
static void add_hint(ns_load_scope *s, const ns_where *at, const char *text, size_t len,
                     const char *sentence)
{
  if (*s->hint) return;
  if (s->suffixes && strstr(sentence, "expected an operator") && has_loose_suffix(text, len)) {
    snprintf(s->hint, sizeof s->hint, "a suffix follows its number without a blank: 1k, 10u");
    return;
  }
  if (at->e && strstr(sentence, ": found \"") &&
      ns_load_unit_advice(s->l, at->e, text, len, expected_unit(at), s->hint, sizeof s->hint))
    return;
  if (hint_of_system(s, sentence)) return;
  if (strstr(sentence, "unknown function \"") &&
      (strstr(sentence, ".v\"") || strstr(sentence, ".i\"")))
    snprintf(s->hint, sizeof s->hint,
             "outside of netlists their quantities are named as in results: c.node_a.v, c.R1.i");
  else if (s->suffixes && (strstr(sentence, "unknown function \"v\"") ||
                           strstr(sentence, "unknown function \"i\"")))
    snprintf(s->hint, sizeof s->hint,
             "v(a,b) and i(R1) name nodes and elements of the same netlist; of another one, c, "
             "write c.v(a,b), c.i(R1)");
  else if (strstr(sentence, "unknown name") && !strstr(sentence, "did you mean"))
    snprintf(s->hint, sizeof s->hint, "%s", hint_of_names(s, at, sentence));
}

static int arguments(const void *self, const char *name, size_t len)
{
  return ns_load_function_arguments(((const ns_load_scope *)self)->l, name, len);
}

static ns_node call(const void *self, ns_graph *g, const char *name, size_t len,
                    const ns_node *argument)
{
  return ns_load_function_call(((const ns_load_scope *)self)->l, g, name, len, argument);
}

static ns_node entry(const void *self, ns_graph *g, const char *name, size_t len, ns_node subscript)
{
  return ns_load_vector_entry(((const ns_load_scope *)self)->l, g, name, len, subscript);
}

static const char *offer(const void *self, int k)
{
  return ns_load_function_name(((const ns_load_scope *)self)->l, k);
}

static ns_scope scope_of(const ns_load_scope *s)
{
  return (ns_scope){.lookup = lookup,
                    .suggest = suggest,
                    .self = s,
                    .arguments = arguments,
                    .call = call,
                    .offer = offer,
                    .entry = entry,
                    .suffixes = s->suffixes};
}

enum { INLINED_MAX = 32 }; /* formulas in each other */

/* Names of the system that reads are not meant. */
static void own_nothing(ns_load_scope *s)
{
  s->time = 1;
  s->n = s->nv = s->nz = s->m = s->nsorted = 0;
  s->sorted = NULL;
  s->joint = NULL;
  s->force = NULL;
}

void ns_load_scope_of_run(ns_load_scope *s)
{
  own_nothing(s);
  s->of_run = 1;
}

ns_name ns_load_formula_inside(ns_load_scope *s, const char *text, const ns_indices *index,
                               int of_run)
{
  ns_load_scope inner = *s;
  ns_scope scope = scope_of(&inner);
  ns_ctx quiet = {0};
  ns_node value;
  inner.index = index;
  inner.suffixes = 0;
  inner.time = 1;
  inner.of_run |= of_run;
  if (!s->observables && !s->law && !s->mechanics) own_nothing(&inner);
  inner.only_by_id |= of_run && s->mechanics;
  if (++inner.inlined > INLINED_MAX) {
    snprintf(s->hint, sizeof s->hint,
             "blocks whose output depends directly on the input (D is not zero) form a loop, which "
             "may have no solution; give one of them a state");
    return (ns_name){.kind = NS_NAME_UNKNOWN};
  }
  int rc = ns_graph_parse(s->graph, &quiet, "", text, strlen(text), &scope, &value);
  if (*inner.refused) memcpy(s->refused, inner.refused, sizeof s->refused);
  s->by_id |= inner.by_id;
  if (!rc) return (ns_name){.kind = NS_NAME_NODE, .node = value};
  snprintf(s->hint, sizeof s->hint, "%.190s", *inner.hint ? inner.hint : quiet.msg);
  return (ns_name){.kind = NS_NAME_UNKNOWN};
}

/* An unknown name that may be of what could not be made: that has been reported. Formulas of the
 * run know the states of all systems by their names, those of a system others by id.name alone. */
static int may_be_of_faulty(const ns_load *l, const ns_load_scope *s, const char *sentence)
{
  const char *name = strstr(sentence, "unknown name \"");
  if (ns_load_calls_faulty(l, sentence, NULL)) return 1;
  if (!name) return 0;
  if ((s->observables || s->law) && l->names_unknown) return 1;
  name += strlen("unknown name \"");
  size_t n = strcspn(name, "\"");
  int by_id = memchr(name, '.', n) != NULL && (s->foreign || s->observables || s->law);
  return s->told || (by_id && (l->ids_unknown || l->names_unknown));
}

int ns_load_formula(ns_load *l, ns_graph *g, ns_load_scope *s, const ns_where *at, const char *text,
                    size_t len, ns_node *out)
{
  ns_ctx quiet = {0};
  ns_scope scope = scope_of(s);
  s->l = l;
  s->graph = g;
  *s->refused = *s->hint = 0;
  s->told = 0;
  int rc = ns_graph_parse(g, &quiet, "", text, len, &scope, out);
  if (!rc) {
    if (l->has_units) ns_load_dimensions(l, &scope, s, at, text, len, s->expected);
    return NS_OK;
  }
  if (rc == NS_MODEL && !at->e) rc = NS_USAGE; /* the text came from the command line */
  if (rc == NS_MODEL && may_be_of_faulty(l, s, quiet.msg)) return rc;
  add_hint(s, at, text, len, quiet.msg);
  return ns_fail(&l->msg.c, rc, "%s%s%s%s", rc == NS_NOMEM ? "" : ns_where_text(at).text, quiet.msg,
                 *s->hint ? "; " : "", s->hint);
}

/* ---- names that may be given ----------------------------------------------------------------- */

const char *ns_load_bad_name(const char *name, size_t len)
{
#define FUNCTION_NAME(f, n, help) #f,
  static const char *const taken[] = {"t", "pi", NS_FUNCTION_LIST(FUNCTION_NAME)};
#undef FUNCTION_NAME
  if (len == 0) return "is empty, expected letters, digits and _";
  if (len > 64) return "is longer than 64 characters, expected fewer";
  if (memchr(name, ',', len)) return "is not a name; names are separated by white space";
  if ((unsigned char)name[0] > 127)
    return "has other letters than a to z, expected a to z, digits and _; write alpha, mu, ...";
  if (!isalpha((unsigned char)name[0]) && name[0] != '_')
    return "does not begin with a letter, expected letters, digits and _";
  for (size_t i = 0; i < len; i++)
    if ((unsigned char)name[i] > 127 || (!isalnum((unsigned char)name[i]) && name[i] != '_'))
      return "is not a name, expected letters, digits and _";
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
    if (same(taken[i], name, len))
      return "is the name of a function, of time t or of pi, expected another";
  return NULL;
}
