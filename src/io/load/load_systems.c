/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_systems.c -- systems: one builder for all kinds, driven by the language table.
 *
 * Each value row of the kind's element goes to the operator that `slots` names for it; a new kind
 * needs rows in the tables alone. */
#include "base/text.h"
#include "io/load/load_blocks.h"
#include "io/load/load_frame.h"
#include "io/load/load_job.h"
#include "io/load/load_kept.h"
#include "io/load/load_rigid.h"
#include "io/load/load_shapes.h"
#include "io/load/values.h"
#include "model/check/given.h"

#include "expression/quote.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum extent {
  ONE,
  N,
  S,
  NQ,
  FORCE,
  MOMENT
} extent; /* 1, n, number of controls; of rigid bodies: coordinates, entries of a
           * force, of a moment */
enum { L = NS_FAMILY_LAGRANGIAN, F = NS_FAMILY_FIRST_ORDER, R = NS_FAMILY_RIGID };

static const struct slot {
  const char *name;
  size_t at;         /* of the operator in ns_system */
  int family;        /* they share their place */
  extent rows, cols; /* N x N also where the user gives a diagonal */
  const char *of;    /* derivative of this value, NULL: none */
  int bank;          /* by this bank */
} slots[] = {
    {"mass", offsetof(ns_system, mass), L, N, N, NULL, 0},
    {"K", offsetof(ns_system, stiffness), L, N, N, NULL, 0},
    {"C", offsetof(ns_system, damping), L, N, N, NULL, 0},
    {"fExt", offsetof(ns_system, fext), L, N, ONE, NULL, 0},
    {"fInt", offsetof(ns_system, fint), L, N, ONE, NULL, 0},
    {"fGyr", offsetof(ns_system, fgyr), L, N, ONE, NULL, 0},
    {"jacobianFIntq", offsetof(ns_system, dq_fint), L, N, N, "fInt", NS_BANK_Q},
    {"jacobianFIntqDot", offsetof(ns_system, dv_fint), L, N, N, "fInt", NS_BANK_V},
    {"jacobianFGyrq", offsetof(ns_system, dq_fgyr), L, N, N, "fGyr", NS_BANK_Q},
    {"jacobianFGyrqDot", offsetof(ns_system, dv_fgyr), L, N, N, "fGyr", NS_BANK_V},
    {"M", offsetof(ns_system, fo.M), F, N, N, NULL, 0},
    {"A", offsetof(ns_system, fo.A), F, N, N, NULL, 0},
    {"b", offsetof(ns_system, fo.b), F, N, ONE, NULL, 0},
    {"f", offsetof(ns_system, fo.f), F, N, ONE, NULL, 0},
    {"jacobianfx", offsetof(ns_system, fo.dx_f), F, N, N, "f", NS_BANK_Q},
    {"u", offsetof(ns_system, fo.u), F, S, ONE, NULL, 0},
    {"T", offsetof(ns_system, fo.T), F, N, S, NULL, 0},
    {"fExt", offsetof(ns_system, rigid.fext), R, FORCE, ONE, NULL, 0},
    {"mExt", offsetof(ns_system, rigid.mext), R, MOMENT, ONE, NULL, 0},
    {"fInt", offsetof(ns_system, rigid.fint), R, FORCE, ONE, NULL, 0},
    {"mInt", offsetof(ns_system, rigid.mint), R, MOMENT, ONE, NULL, 0},
    {"jacobianFIntq", offsetof(ns_system, rigid.dq_fint), R, FORCE, NQ, "fInt", NS_BANK_Q},
    {"jacobianFIntv", offsetof(ns_system, rigid.dv_fint), R, FORCE, N, "fInt", NS_BANK_V},
    {"jacobianMIntq", offsetof(ns_system, rigid.dq_mint), R, MOMENT, NQ, "mInt", NS_BANK_Q},
    {"jacobianMIntv", offsetof(ns_system, rigid.dv_mint), R, MOMENT, N, "mInt", NS_BANK_V},
};
enum { NSLOTS = sizeof slots / sizeof *slots };

/* What all instances of one element share. */
typedef struct system_made {
  ns_template id;
  int id_bad, bad; /* reported */
  int family;
  ns_rigid_made *rigid; /* NULL in other families */
  int s;                /* controls, < 0: not known yet */
  char why_s[64];
  ns_value q0, v0, z0, part[NSLOTS];
  ns_system proto;
  int each;              /* something depends on the indices at run time */
  int given;             /* derivatives beside their functions are noted, of the first instance */
  ns_coordinate *sorted; /* names of state and inputs [nsorted] */
  int nsorted;
} made;

/* ---- coordinates ----------------------------------------------------------------------------- */

int ns_load_coordinate_check(ns_load *l, const ns_elem *e, const ns_indices *index,
                             const char *what, const char *name)
{
  const char *wrong = ns_load_bad_name(name, strlen(name));
  ns_quotation quoted = ns_quoted(name);
  if (wrong) return ns_elem_fail(&l->msg, e, NULL, "the %s \"%s\" %s", what, quoted.text, wrong);
  const ns_elem *p = ns_load_parameter_elem(l, name, strlen(name));
  if (p)
    return ns_elem_fail(
        &l->msg, e, NULL,
        "the %s %s has the name of a parameter (%s:%d), expected another; rename one", what,
        quoted.text, p->file, p->line);
  for (int k = 0; k < index->n; k++)
    if (!strcmp(index->name[k], name))
      return ns_elem_fail(&l->msg, e, NULL,
                          "the %s %s has the name of a repeat index, expected another; rename one",
                          what, quoted.text);
  return NS_OK;
}

static int is_input(const ns_coordinate *c) { return c->bank == NS_BANK_Z; }

/* x and v_x as coordinates: v_x would mean two things. Also the same name twice. */
static int check_clashes(ns_load *l, const ns_elem *e, const made *m, const char *what)
{
  for (int k = 0; k < m->nsorted; k++) {
    const ns_coordinate *a = &m->sorted[k], *b = k ? a - 1 : a;
    if (b != a && !strcmp(a->name, b->name)) {
      if (is_input(a) == is_input(b))
        return ns_elem_fail(&l->msg, e, NULL, "the %s %s appears twice, expected different names",
                            is_input(a) ? "input" : what, a->name);
      return ns_elem_fail(&l->msg, e, NULL,
                          "the input %s has the name of a %s, expected another; rename one",
                          a->name, what);
    }
    if (m->family == F || strncmp(a->name, "v_", 2)) continue;
    ns_coordinate key = {.name = a->name + 2}, *of = bsearch(&key, m->sorted, (size_t)m->nsorted,
                                                             sizeof key, ns_coordinate_order);
    if (of && of->v >= 0)
      return ns_elem_fail(
          &l->msg, e, NULL,
          "the %s %s has the name of the velocity of %s, expected another; rename it",
          is_input(a) ? "input" : what, a->name, of->name);
  }
  return NS_OK;
}

/* Split an attribute of names and add them to m->sorted; *out [*n], *n = 0 where absent. */
static int split_names(ns_load *l, const ns_elem *e, const ns_indices *index, made *m,
                       const char *attribute, const char *what, int input, const char *const **out,
                       int *n)
{
  const char *text = ns_elem_attr(e, attribute);
  *n = 0;
  if (!text) return NS_OK;
  char *s = ns_arena_text(l->m->arena, text), *save;
  const char **names = ns_arena_get(l->m->arena, strlen(text) / 2 + 1, sizeof *names);
  if (!s || !names) return ns_nomem(&l->msg.c, "coordinates");
  int rc = NS_OK;
  for (char *p = strtok_r(s, " \t\r\n", &save); p && !ns_messages_full(&l->msg);
       p = strtok_r(NULL, " \t\r\n", &save)) {
    if (ns_load_coordinate_check(l, e, index, what, p)) rc = NS_MODEL;
    m->sorted[m->nsorted++] = (ns_coordinate){
        .name = p, .bank = input ? NS_BANK_Z : NS_BANK_Q, .k = *n, .v = input ? -1 : *n};
    names[(*n)++] = p;
  }
  if (*n == 0 && !rc)
    return ns_elem_fail(&l->msg, e, NULL,
                        "attribute %s is empty, expected names; remove it or write \"%s\"",
                        attribute, input ? "u" : "x y");
  *out = *n ? names : NULL;
  return rc;
}

/* Names of the state and of the inputs: their numbers, 0 where they have none. */
static int names(ns_load *l, const ns_elem *e, const ns_indices *index, made *m, int *n, int *nz)
{
  const char *attribute = m->family == F ? "states" : "coordinates",
             *what = m->family == F ? "state" : "coordinate";
  const char *a = ns_elem_attr(e, attribute), *b = ns_elem_attr(e, "inputs");
  *n = *nz = 0;
  if (!a && !b) return NS_OK;
  m->sorted = ns_arena_get(l->scratch, (a ? strlen(a) / 2 + 1 : 0) + (b ? strlen(b) / 2 + 1 : 0),
                           sizeof *m->sorted);
  if (!m->sorted) return ns_nomem(&l->msg.c, "coordinates");
  int bad = split_names(l, e, index, m, attribute, what, 0, &m->proto.names, n), rc;
  if (bad == NS_NOMEM) return bad;
  rc = split_names(l, e, index, m, "inputs", "input", 1, &m->proto.znames, nz);
  qsort(m->sorted, (size_t)m->nsorted, sizeof *m->sorted, ns_coordinate_order);
  bad |= rc;
  return bad ? rc == NS_NOMEM ? rc : NS_MODEL : check_clashes(l, e, m, what);
}

/* ---- once for an element --------------------------------------------------------------------- */

/* A vector of the initial state. rows: expected, -1: any. A missing one is `rows` zeros. */
static int initial(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                   int rows, const char *why, ns_value *v)
{
  int rc = ns_value_constant(l, e, name, index, &(ns_wanted){.rows = rows, .cols = 1, .why = why},
                             v);
  if (rc || v->op.how != NS_OP_ABSENT) return rc;
  v->op.how = NS_OP_CONSTANT;
  v->op.rows = rows < 0 ? 0 : rows;
  v->op.value = ns_arena_zero(l->m->arena, (size_t)v->op.rows, sizeof(double));
  return v->op.value ? NS_OK : ns_nomem(&l->msg.c, "initial state");
}

static int user_vector(ns_load *l, const ns_elem *e, const ns_indices *index, int inputs, made *m)
{
  int rc = initial(l, e, "z", index, inputs ? inputs : -1,
                   inputs ? "as many as there are names in inputs" : NULL, &m->z0);
  m->proto.nz = inputs ? inputs : m->z0.op.rows;
  return rc;
}

/* n, and why it is that. */
static int sizes(ns_load *l, const ns_elem *e, const ns_indices *index, made *m, char *why,
                 size_t size)
{
  const char *by = m->family == F ? "states" : "coordinates", *q0 = m->family == F ? "x0" : "q0";
  char as_many[64];
  int named, inputs, bad = names(l, e, index, m, &named, &inputs);
  if (bad == NS_NOMEM) return bad;
  snprintf(as_many, sizeof as_many, "as many as there are names in %s", by);
  int rc = initial(l, e, q0, index, named ? named : -1, named ? as_many : NULL, &m->q0);
  if (rc == NS_NOMEM) return rc;
  if (rc && !named) return rc;
  m->proto.n = named ? named : m->q0.op.rows;
  if (named) snprintf(why, size, "n = %d by %s", m->proto.n, by);
  else snprintf(why, size, "n = %d by <%s>", m->proto.n, q0);
  m->proto.nq = m->proto.n;
  bad |= rc;
  if (m->family != F && (rc = initial(l, e, "v0", index, m->proto.n, why, &m->v0)) == NS_NOMEM)
    return rc;
  bad |= rc;
  rc = user_vector(l, e, index, inputs, m);
  bad |= rc;
  if (rc != NS_NOMEM) rc = ns_load_units(l, e, "units", m->proto.n, &m->proto.units);
  bad |= rc;
  if (rc != NS_NOMEM) rc = ns_load_units(l, e, "inputUnits", m->proto.nz, &m->proto.zunits);
  return bad | rc ? rc == NS_NOMEM ? rc : NS_MODEL : NS_OK;
}

/* The same of a rigid body, where the user vector alone can have any size. */
static int sizes_of_body(ns_load *l, const ns_elem *e, const ns_indices *index, made *m, char *why,
                         size_t size)
{
  ns_wanted w;
  ns_coordinate c;
  const char *inputs = ns_elem_attr(e, "inputs");
  int ninputs, rc = ns_rigid_make(l, e, index, &m->proto, &w, &m->rigid), bad = rc;
  if (rc == NS_NOMEM) return rc;
  snprintf(why, size, "a body in %s", ns_system_is_planar(&m->proto) ? "the plane" : "space");
  m->sorted = ns_arena_get(
      l->scratch, (size_t)(m->proto.nq + m->proto.n) + (inputs ? strlen(inputs) / 2 + 1 : 0),
      sizeof *m->sorted);
  if (!m->sorted) return ns_nomem(&l->msg.c, "coordinates");
  for (int j = 0; ns_load_name(&m->proto, j, &c); j++) m->sorted[m->nsorted++] = c;
  if ((rc = split_names(l, e, index, m, "inputs", "input", 1, &m->proto.znames, &ninputs)) ==
      NS_NOMEM)
    return rc;
  bad |= rc;
  qsort(m->sorted, (size_t)m->nsorted, sizeof *m->sorted, ns_coordinate_order);
  bad |= check_clashes(l, e, m, "coordinate");
  if ((rc = initial(l, e, "q0", index, w.rows, w.why, &m->q0)) == NS_NOMEM) return rc;
  bad |= rc;
  if ((rc = initial(l, e, "v0", index, m->proto.n, why, &m->v0)) == NS_NOMEM) return rc;
  bad |= rc;
  rc = user_vector(l, e, index, ninputs, m);
  bad |= rc;
  if (rc != NS_NOMEM) rc = ns_load_units(l, e, "inputUnits", m->proto.nz, &m->proto.zunits);
  return bad | rc ? rc == NS_NOMEM ? rc : NS_MODEL : NS_OK;
}

static const struct slot *slot_named(const made *m, const char *name)
{
  for (int k = 0; k < NSLOTS; k++)
    if (slots[k].family == m->family && !strcmp(slots[k].name, name)) return &slots[k];
  return NULL;
}

static int extent_of(const made *m, extent x)
{
  int planar = ns_system_is_planar(&m->proto);
  const int n[] = {1, m->proto.n, m->s, m->proto.nq, planar ? 2 : 3, planar ? 1 : 3};
  return n[x];
}

/* Jacobians of f that are not given come from its formula. */
static int derive(ns_load *l, const ns_elem *e, const ns_elem *f, ns_graph *g,
                  const ns_nodes *nodes, made *m)
{
  int rc = NS_OK;
  for (int k = 0; k < NSLOTS && !rc; k++)
    if (slots[k].family == m->family && slots[k].of && !strcmp(slots[k].of, f->name) &&
        !ns_elem_value(e, slots[k].name))
      rc = ns_value_derive(l, f, g, nodes, slots[k].bank, extent_of(m, slots[k].cols), &m->part[k]);
  return rc;
}

/* The value of element f and what was derived of it read other systems. */
static int attach(ns_load *l, const ns_elem *f, ns_graph *g, const ns_nodes *nodes,
                  const ns_load_foreign *foreign, made *m)
{
  int rc = ns_load_foreign_attach(l, g, nodes, foreign,
                                  &m->part[slot_named(m, f->name) - slots].op);
  for (int k = 0; k < NSLOTS && !rc; k++)
    if (slots[k].family == m->family && slots[k].of && !strcmp(slots[k].of, f->name))
      rc = ns_load_foreign_attach(l, g, NULL, foreign, &m->part[k].op);
  return rc;
}

/* Forces and right-hand sides may be formulas of other systems too. */
static int reads_others(const char *value)
{
  static const char *const list[] = {"fExt", "mExt", "fInt", "mInt", "fGyr", "f", "b"};
  return ns_word_index(list, sizeof list / sizeof *list, value) >= 0;
}

static int make_part(ns_load *l, const ns_elem *e, const ns_lang_item *i, const ns_indices *index,
                     const char *why, made *m)
{
  const struct slot *slot = slot_named(m, i->name);
  ns_elem *k = ns_elem_value(e, i->name);
  if (!slot || !k) return NS_OK;
  if (k->bad) return NS_MODEL;
  if (slot->of && !ns_elem_value(e, slot->of))
    return ns_elem_fail(&l->msg, k, NULL,
                        "is given without <%s>, of which it is the derivative; add <%s>", slot->of,
                        slot->of);
  ns_mark mark = ns_arena_mark(l->graphs);
  ns_graph *g = ns_graph_create(l->graphs);
  if (!g) return ns_nomem(&l->msg.c, "formulas of a system");
  int square = slot->rows == N && slot->cols == N;
  char reason[160];
  snprintf(reason, sizeof reason, "%s%s%s", slot->rows == S ? "" : why,
           slot->cols == S && m->s >= 0 ? ", " : "",
           slot->rows == S || slot->cols == S ? m->why_s : "");
  ns_load_foreign foreign = {0};
  ns_load_scope s = {.index = index,
                     .first_order = m->family == F,
                     .n = m->proto.nq,
                     .nv = m->proto.n,
                     .nz = m->proto.nz,
                     .sorted = m->sorted,
                     .nsorted = m->nsorted,
                     .foreign = reads_others(i->name) ? &foreign : NULL,
                     .one = &m->proto};
  s.multipliers = s.foreign != NULL;
  if (!strcmp(e->name, "integral")) ns_load_scope_of_run(&s);
  if (!strcmp(e->name, "integral")) s.of_interaction = ns_load_kept_interaction(l, e);
  ns_wanted w = {.rows = extent_of(m, slot->rows),
                 .cols = extent_of(m, slot->cols),
                 .diagonal = square && !i->cols,
                 .compact = square,
                 .why = reason};
  ns_nodes nodes = {0};
  ns_value *v = &m->part[slot - slots];
  int rc = ns_value_make(l, k, g, &s, &w, v, &nodes);
  if (!rc) rc = derive(l, e, k, g, &nodes, m);
  if (!rc && foreign.n) rc = attach(l, k, g, &nodes, &foreign, m);
  ns_arena_release(l->graphs, mark);
  free(nodes.node);
  return rc;
}

/* A theta of its own, where it has one. */
static int own_theta(ns_load *l, const ns_elem *e, const ns_indices *index, ns_system *s)
{
  if (!ns_elem_attr(e, "theta")) return NS_OK;
  s->own_theta = 1;
  return ns_load_attribute(l, e, "theta", index, &s->theta);
}

/* The number of controls, by attribute, u, the columns of T, or n. */
static int controls(ns_load *l, const ns_elem *e, const ns_indices *index, const char *why, made *m)
{
  const ns_elem *u = ns_elem_value(e, "u"), *T = ns_elem_value(e, "T");
  int n = u ? ns_value_count(u) : -1, rc = NS_OK;
  m->s = -1;
  if (m->family != F || (!u && !T)) return NS_OK;
  if (!u)
    return ns_elem_fail(&l->msg, T, NULL,
                        "is given without <u>, the controls that it multiplies; add <u>");
  double x = 0;
  if (ns_elem_attr(e, "controlSize") && (rc = ns_load_attribute(l, e, "controlSize", NULL, &x)))
    return rc;
  m->s = x > 0 ? (int)x : !T ? m->proto.n : n;
  const char *by = x > 0 ? "by controlSize" : !T ? "n, if there is no <T>" : "by <u>";
  if (m->s < 0 && ns_elem_attr(T, "plugin"))
    return ns_elem_fail(&l->msg, u, NULL,
                        "the number of controls is unknown: u and T are plug-ins; give "
                        "controlSize=\"1\" on <%s>, or another number",
                        e->name);
  if (m->s < 0) { /* T is tabled or written out */
    if ((rc = make_part(l, e, T->value, index, why, m))) return rc;
    m->s = m->part[slot_named(m, "T") - slots].op.cols;
    by = "by the columns of <T>";
  }
  snprintf(m->why_s, sizeof m->why_s, "s = %d %s", m->s, by);
  return NS_OK;
}

/* All values are looked at, so that all errors are told. */
static int make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  char why[64];
  made *m = e->made = ns_arena_zero(l->scratch, 1, sizeof *m);
  if (!m) return ns_nomem(&l->msg.c, "a system");
  const char *id = ns_elem_attr(e, "id");
  m->proto.kind = ns_system_kind_find(e->def->name);
  m->family = (int)ns_system_family(&m->proto);
  m->proto.at = (ns_place){.file = e->file, .element = e->name, .line = e->line};
  int bad = m->id_bad = ns_template_make(l, e, "id", id, strlen(id), index, &m->id);
  if (bad == NS_NOMEM) return bad;
  int rc = m->family == R ? sizes_of_body(l, e, index, m, why, sizeof why)
                          : sizes(l, e, index, m, why, sizeof why);
  if (rc == NS_NOMEM || m->proto.n == 0) return rc;
  bad |= rc;
  if ((rc = controls(l, e, index, why, m)) == NS_NOMEM) return rc;
  bad |= rc;
  int unsized = rc;
  for (const ns_lang_item *i = e->def->values; i->name; i++) {
    if (unsized && (!strcmp(i->name, "u") || !strcmp(i->name, "T"))) continue;
    if ((rc = make_part(l, e, i, index, why, m)) == NS_NOMEM) return rc;
    bad |= rc;
  }
  for (int k = 0; k < NSLOTS; k++) {
    ns_operator *op = &m->part[k].op;
    m->each |= (op->uses & 1u << NS_BANK_INDEX) != 0;
    if (op->how != NS_OP_ABSENT) continue;
    op->rows = m->s < 0 && slots[k].rows == S ? 0 : extent_of(m, slots[k].rows);
    op->cols = m->s < 0 && slots[k].cols == S ? 0 : extent_of(m, slots[k].cols);
  }
  return bad ? NS_MODEL : NS_OK;
}

/* ---- for each instance ----------------------------------------------------------------------- */

static int get_vector(ns_load *l, const ns_elem *e, const char *name, const ns_value *v,
                      const ns_indices *index, const char *id, const double **out)
{
  ns_operator op;
  const ns_elem *k = v->each ? ns_elem_value(e, name) : e;
  int rc = ns_value_get(l, k, v, index, id, &op);
  *out = op.value;
  return rc;
}

static int instance(ns_load *l, const ns_elem *e, const made *m, const ns_indices *index,
                    const char *id, ns_system *s)
{
  *s = m->proto;
  s->at.id = id;
  int bad_theta = own_theta(l, e, index, s);
  if (bad_theta) return bad_theta;
  int rc = m->each ? ns_indices_keep(l, index, &s->index) : NS_OK;
  if (!rc) rc = get_vector(l, e, m->family == F ? "x0" : "q0", &m->q0, index, id, &s->q0);
  if (!rc && m->rigid) rc = ns_rigid_get(l, e, m->rigid, index, id, s);
  if (!rc && m->family != F) rc = get_vector(l, e, "v0", &m->v0, index, id, &s->v0);
  if (!rc) rc = get_vector(l, e, "z", &m->z0, index, id, &s->z0);
  for (int k = 0; k < NSLOTS && !rc; k++) {
    if (slots[k].family != m->family) continue;
    const ns_value *v = &m->part[k];
    const ns_elem *part = !v->each ? e : ns_elem_value(e, slots[k].name);
    if (!part) part = ns_elem_value(e, slots[k].of);
    rc = ns_value_get(l, part, v, index, id, (ns_operator *)(void *)((char *)s + slots[k].at));
  }
  return rc;
}

/* Derivatives that the user gives, of system k: for the model's check. */
static int note_given(ns_load *l, const ns_elem *e, made *m, const char *id, int k)
{
  int rc = NS_OK;
  if (m->given || (l->opt && l->opt->as_given)) return NS_OK;
  for (int i = 0; i < NSLOTS && !rc; i++) {
    const ns_elem *part = slots[i].family == m->family && slots[i].of
                              ? ns_elem_value(e, slots[i].name)
                              : NULL;
    if (!part) continue;
    ns_given g = {
        .at = {.file = part->file, .element = m->proto.at.element, .id = id, .line = part->line},
        .value = slots[i].name,
        .of = slots[i].of,
        .k = k,
        .given = slots[i].at,
        .function = slot_named(m, slots[i].of)->at,
        .by = slots[i].bank};
    rc = ns_model_add_given(l->m, &l->msg.c, &g);
  }
  m->given = 1;
  return rc;
}

/* The id of this instance, kept; NULL and ids_unknown set where it cannot be made. */
static int make_id(ns_load *l, const ns_elem *e, const made *m, const ns_indices *index,
                   const char **id)
{
  *id = NULL;
  int rc = m->id_bad ? NS_MODEL : ns_template_id(l, e, &m->id, index, id);
  if (rc) l->ids_unknown = 1;
  return rc;
}

/* A bad one is known by its id, each of them in a <repeat>: what refers to it or to its state is no
 * fault, what refers to an id that nobody has is one. */
int ns_load_system(ns_load *l, ns_elem *e, const ns_indices *index)
{
  const char *id;
  ns_system s;
  int rc = NS_OK, bad = 0;
  int placed = l->frame != NULL;
  if (placed && !strcmp(e->name, "netlist"))
    return ns_elem_fail(&l->msg, e, NULL, "is in a <frame>, expected it in <systems> itself");
  if (!strcmp(e->name, "netlist")) return NS_OK; /* made before */
  if (ns_load_is_block(e)) return ns_load_block(l, e, index);
  if (!e->made && (bad = make(l, e, index)) == NS_NOMEM) return bad;
  made *m = e->made;
  if ((rc = make_id(l, e, m, index, &id))) return rc;
  if (!bad && !m->bad) bad = instance(l, e, m, index, id, &s);
  if (!bad && !m->bad && placed && !m->rigid)
    bad = ns_elem_fail(&l->msg, e, id,
                       "is in a <frame>, but has no position in space, expected <NewtonEulerDS> or "
                       "<RigidBody2dDS>");
  if (!bad && !m->bad && m->rigid) bad = ns_load_frame_body(l, e, id, &s);
  if (!bad && !m->bad && m->rigid) bad = ns_load_body_shapes(l, e, index, id, &s);
  if (!bad && !m->bad && m->rigid) bad = ns_load_frame_velocity(l, &s);
  if (bad == NS_NOMEM) return bad;
  if (bad) m->bad = l->names_unknown = 1;
  if ((rc = ns_load_id_add(l, e, id, 1, m->bad ? INT_MAX : l->m->nsystems))) {
    if (index->n) l->ids_unknown = 1; /* those after it will not be visited */
    return rc;
  }
  if (m->bad) return NS_OK;
  int k = ns_model_add_system(l->m, &l->msg.c, &s);
  if (k < 0 || note_given(l, e, m, id, k)) return NS_NOMEM;
  return ns_load_boundaries(l, e, index, k);
}
