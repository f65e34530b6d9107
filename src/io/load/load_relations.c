/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_relations.c -- relations of first-order systems and nonlinear ones of mechanics: one builder
 * for all kinds, driven by the language table.
 *
 * Formulas read the states of all systems of the interaction, so that values can only be made where
 * these are known: at the first visit of the element. They are made anew where a later visit finds
 * systems of other sizes or names, or other systems under an id that a formula names. */
#include "io/load/load_job.h"
#include "io/load/values.h"
#include "model/check/given.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 1, rows of the interaction, lengths of X and Z, 3 */
typedef enum extent { ONE, M, NQ, NZ, THREE } extent;
enum { L = NS_FAMILY_LAGRANGIAN, F = NS_FAMILY_FIRST_ORDER, R = NS_FAMILY_RIGID };

enum { FLOW = NS_BANKS }; /* twice along the motion */

/* Values of each family in the order in which they tell m. */
static const struct slot {
  const char *name;
  int family; /* they share their place */
  size_t at;  /* of the operator in ns_interaction */
  extent rows, cols;
  const char *of; /* derivative of this value, NULL: none */
  int bank;       /* by this bank */
} slots[] = {
    {"C", F, offsetof(ns_interaction, fo.C), M, NQ, NULL, 0},
    {"B", F, offsetof(ns_interaction, fo.B), NQ, M, NULL, 0},
    {"D", F, offsetof(ns_interaction, fo.D), M, M, NULL, 0},
    {"e", F, offsetof(ns_interaction, fo.e), M, ONE, NULL, 0},
    {"F", F, offsetof(ns_interaction, fo.F), M, NZ, NULL, 0},
    {"h", F, offsetof(ns_interaction, fo.h), M, ONE, NULL, 0},
    {"g", F, offsetof(ns_interaction, fo.g), NQ, ONE, NULL, 0},
    {"jachx", F, offsetof(ns_interaction, fo.C), M, NQ, "h", NS_BANK_Q},
    {"jachlambda", F, offsetof(ns_interaction, fo.D), M, M, "h", NS_BANK_LAMBDA},
    {"jacgx", F, offsetof(ns_interaction, fo.K), NQ, NQ, "g", NS_BANK_Q},
    {"jacglambda", F, offsetof(ns_interaction, fo.B), NQ, M, "g", NS_BANK_LAMBDA},
    {"H", L, offsetof(ns_interaction, lr.H), M, NQ, "h", NS_BANK_Q},
    {"h", L, offsetof(ns_interaction, lr.h), M, ONE, NULL, 0},
    {"hDot", L, offsetof(ns_interaction, lr.ht), M, ONE, "h", NS_BANK_T},
    {"D", L, offsetof(ns_interaction, lr.D), M, M, "h", NS_BANK_LAMBDA},
    {"HDot", L, offsetof(ns_interaction, lr.Hdot), M, NQ, NULL, 0},
    {"", L, offsetof(ns_interaction, lr.bias), M, ONE, "h", FLOW}, /* has no element of its own */
    {"H", R, offsetof(ns_interaction, lr.H), M, NQ, "h", NS_BANK_Q},
    {"h", R, offsetof(ns_interaction, lr.h), M, ONE, NULL, 0},
    {"hDot", R, offsetof(ns_interaction, lr.ht), M, ONE, "h", NS_BANK_T},
    {"P1", R, offsetof(ns_interaction, point.P1), THREE, ONE, NULL, 0},
    {"P2", R, offsetof(ns_interaction, point.P2), THREE, ONE, NULL, 0},
    {"n", R, offsetof(ns_interaction, point.n), THREE, ONE, NULL, 0},
};
enum { NSLOTS = sizeof slots / sizeof *slots };

typedef struct relation_made {
  int family;    /* of its values */
  int m, nQ, nZ; /* m < 0: not known yet, m = 0: nothing is made */
  /* 1: h is the gap of a contact with friction alone; else it has m entries */
  int gaps;
  char why_m[64];
  ns_value part[NSLOTS];
  int done[NSLOTS];
  int each;       /* something depends on the indices at run time */
  int given;      /* derivatives beside their functions are noted, of the first instance */
  int n, *system; /* whom it was made for [n] */
  unsigned long long by_id;
} made;

static int relation_make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  (void)index;
  e->made = ns_arena_zero(l->scratch, 1, sizeof(made));
  return e->made ? NS_OK : ns_nomem(&l->msg.c, "a relation");
}

/* ---- what it was made for -------------------------------------------------------------------- */

static int same_names(const ns_system *a, const ns_system *b)
{
  if (a->names == b->names) return 1;
  if (!a->names || !b->names) return 0;
  for (int k = 0; k < a->nq; k++)
    if (strcmp(a->names[k], b->names[k])) return 0;
  return 1;
}

/* What was made holds for the systems of this instance. */
static int holds(const ns_load *l, const made *m, const ns_interaction *it)
{
  if (m->m <= 0 || m->n != it->nsystems) return 0;
  for (int i = 0; i < m->n; i++) {
    if (m->system[i] == it->systems[i]) continue;
    const ns_system *a = &l->m->systems[m->system[i]], *b = &l->m->systems[it->systems[i]];
    if (a->n != b->n || a->nz != b->nz || m->by_id & 1ULL << (i < 63 ? i : 63) || !same_names(a, b))
      return 0;
  }
  return 1;
}

/* ---- values ---------------------------------------------------------------------------------- */

static int extent_of(const made *m, extent x)
{
  const int n[] = {1, m->m, m->nQ, m->nZ, 3};
  return n[x];
}

/* The value is of the family and of the kind. */
static ns_elem *part_of(const ns_elem *e, const made *m, int k)
{
  return slots[k].family == m->family ? ns_elem_value(e, slots[k].name) : NULL;
}

/* "m = 2 by <C>, nQ = 3 by the states of its systems": what fixes the shape of a slot. */
static void reason(const made *m, const struct slot *s, char *buf, size_t size)
{
  int with_m = m->m >= 0 && (s->rows == M || s->cols == M);
  const char *Q = s->rows == NQ || s->cols == NQ ? "nQ" : s->cols == NZ ? "nZ" : NULL;
  char last[80] = "";
  if (Q)
    snprintf(last, sizeof last, "%s%s = %d by the %s of its systems", with_m ? ", " : "", Q,
             Q[1] == 'Q' ? m->nQ : m->nZ,
             Q[1] == 'Z'      ? "vectors <z>"
             : m->family == F ? "states"
                              : "coordinates");
  snprintf(buf, size, "%s%s", with_m ? m->why_m : "", last);
}

static int derive(ns_load *l, const ns_elem *e, const ns_elem *f, ns_graph *g,
                  const ns_nodes *nodes, made *m)
{
  int rc = NS_OK;
  for (int k = 0; k < NSLOTS && !rc; k++)
    if (slots[k].bank == FLOW) {
      if (m->family == L && l->event_driven && !m->gaps && !strcmp(slots[k].of, f->name) &&
          !ns_elem_value(e, "H"))
        rc = ns_value_derive_flow(l, f, g, nodes, m->nQ, &m->part[k]);
    } else if (slots[k].family == m->family && slots[k].of && !strcmp(slots[k].of, f->name) &&
               ns_lang_value(e->def, slots[k].name) && !ns_elem_value(e, slots[k].name))
      rc = ns_value_derive(l, f, g, nodes, slots[k].bank, extent_of(m, slots[k].cols), &m->part[k]);
  return rc;
}

/* Outputs of first order may be formulas of mechanics too. */
static int reads_others(int k)
{
  return slots[k].family == F && (!strcmp(slots[k].name, "h") || !strcmp(slots[k].name, "e"));
}

/* The value of slot k and what was derived of it read other systems. */
static int attach(ns_load *l, const ns_elem *part, ns_graph *g, const ns_nodes *nodes,
                  const ns_load_foreign *others, int k, made *m)
{
  int rc = ns_load_foreign_attach(l, g, nodes, others, &m->part[k].op);
  for (int i = 0; i < NSLOTS && !rc; i++)
    if (slots[i].family == F && slots[i].of && !strcmp(slots[i].of, part->name))
      rc = ns_load_foreign_attach(l, g, NULL, others, &m->part[i].op);
  return rc;
}

static int make_part(ns_load *l, const ns_elem *e, int k, const ns_load_scope *stack, made *m)
{
  ns_elem *part = part_of(e, m, k);
  char why[200];
  if (!part || m->done[k]) return NS_OK;
  m->done[k] = 1;
  if (part->bad) return NS_MODEL;
  ns_mark mark = ns_arena_mark(l->graphs);
  ns_graph *g = ns_graph_create(l->graphs);
  if (!g) return ns_nomem(&l->msg.c, "formulas of a relation");
  reason(m, &slots[k], why, sizeof why);
  ns_load_scope s = *stack;
  s.m = m->m > 0 ? m->m : 0;
  ns_wanted w = {
      .rows = extent_of(m, slots[k].rows), .cols = extent_of(m, slots[k].cols), .why = why};
  if (m->family != F && !strcmp(slots[k].name, "h") && m->gaps == 1) w.rows = 1;
  ns_nodes nodes = {0};
  ns_load_foreign others = {0};
  s.foreign = reads_others(k) ? &others : NULL;
  s.mechanics = 1;
  int rc = ns_value_make(l, part, g, &s, &w, &m->part[k], &nodes);
  if (!rc && m->m > 0) rc = derive(l, e, part, g, &nodes, m);
  if (!rc && others.n) rc = attach(l, part, g, &nodes, &others, k, m);
  m->by_id |= s.by_id;
  ns_arena_release(l->graphs, mark);
  free(nodes.node);
  return rc;
}

static void rows_by(made *m, int rows, const char *by)
{
  m->m = rows;
  snprintf(m->why_m, sizeof m->why_m, "m = %d by %s", rows, by);
}

/* m of the first value that is no plug-in, which is made for it; NS_OK with m->m < 0 where there is
 * none. */
static int rows_of_values(ns_load *l, const ns_elem *e, const ns_load_scope *stack, made *m)
{
  char by[16];
  for (int k = 0; k < NSLOTS; k++) {
    const ns_elem *part = part_of(e, m, k);
    if (!part || ns_elem_attr(part, "plugin")) continue;
    if (m->family != F && strcmp(slots[k].name, "H")) continue;
    int rc = make_part(l, e, k, stack, m);
    if (rc) return rc;
    snprintf(by, sizeof by, "<%s>", slots[k].name);
    rows_by(m, slots[k].rows == M ? m->part[k].op.rows : m->part[k].op.cols, by);
    return NS_OK;
  }
  return NS_OK;
}

static int is_friction(const ns_elem *law) { return ns_law_has_cone(ns_law_find(law->name)); }

/* h is the gap alone: the rows of slip are those of H. */
static int is_gap_alone(const ns_elem *e, const ns_elem *law, int entries)
{
  return is_friction(law) && entries == 1 && ns_elem_value(e, "H");
}

/* Rows of a contact of two points: 1, 3 or 5, in the plane 1, 2 or 3; 0 of any other relation. */
static int points(const ns_elem *e)
{
  int m;
  char end[4];
  return sscanf(e->name, "NewtonEuler%1dD%3s", &m, end) == 2 && !strcmp(end, "R") ? m : 0;
}

/* m by the entries of h; by H, or by C, B, D, e, F; by the law. */
static int find_rows(ns_load *l, const ns_elem *e, const ns_load_scope *stack, made *m)
{
  const ns_elem *h = ns_elem_value(e, "h"), *law = ns_elem_group(e->parent, NS_LANG_LAW);
  int entries = h ? ns_value_count(h) : -1, of_law = ns_load_law_rows(law);
  m->m = -1;
  if (points(e)) rows_by(m, m->nQ == stack->nv ? (points(e) + 1) / 2 : points(e), "the relation");
  if (m->m > 0) return NS_OK;
  m->gaps = m->family == L && is_gap_alone(e, law, entries);
  if (entries > 0 && !m->gaps) rows_by(m, entries, "<h>");
  /* it is wrong, which will be told */
  else if (h && !m->gaps && !ns_elem_attr(h, "plugin")) return NS_OK;
  else if (of_law && (h || m->family != F)) rows_by(m, of_law, "the law");
  if (m->m > 0) return NS_OK;
  int rc = h && m->family == F ? NS_OK : rows_of_values(l, e, stack, m);
  if (rc || m->m > 0) return rc;
  rows_by(m, of_law, "the law");
  if (m->m > 0) return NS_OK;
  return ns_elem_fail(
      &l->msg, e, NULL, "the number of rows is unknown, as %s; give size=\"%s\" on <%s>, or %s",
      h ? "h is a plug-in" : "all operators are plug-ins", is_friction(law) ? "3" : "1", law->name,
      is_friction(law) ? "\"2\" with a single direction of slip" : "another number");
}

/* All values are looked at, so that all errors are told. */
static int make_all(ns_load *l, const ns_elem *e, const ns_indices *index, const ns_interaction *it,
                    made *m)
{
  ns_load_scope stack;
  int rc = ns_load_scope_stack(l, it->systems, it->nsystems, &stack), bad;
  if (rc) return rc;
  stack.index = index;
  *m = (made){.nQ = it->nQ,
              .nZ = it->nZ,
              .n = it->nsystems,
              .family = (int)ns_relation_family(it->relation)};
  if (!(m->system = ns_arena_copy(l->scratch, it->systems, (size_t)m->n, sizeof(int))))
    return ns_nomem(&l->msg.c, "a relation");
  if ((bad = find_rows(l, e, &stack, m)) == NS_NOMEM) return bad;
  for (int k = 0; k < NSLOTS; k++) {
    const ns_elem *part = part_of(e, m, k);
    if (m->m <= 0 && part && ns_elem_attr(part, "plugin")) continue; /* needs its size */
    if ((rc = make_part(l, e, k, &stack, m)) == NS_NOMEM) return rc;
    bad |= rc;
    m->each |= (m->part[k].op.uses & 1u << NS_BANK_INDEX) != 0;
  }
  if (bad) m->m = 0;
  return bad ? NS_MODEL : NS_OK;
}

/* ---- for each instance ----------------------------------------------------------------------- */

static ns_operator *operator_of(ns_interaction *it, int k)
{
  return (ns_operator *)(void *)((char *)it + slots[k].at);
}

/* Where the function stands that slot i is the derivative of: HDot is that of H, whoever gave H. */
static const struct slot *function_of(const made *m, int i)
{
  const char *of = slots[i].of ? slots[i].of : "H";
  for (int k = 0; k < NSLOTS; k++)
    if (slots[k].family == m->family && !strcmp(slots[k].name, of)) return &slots[k];
  return NULL;
}

/* Derivatives that the user gives, of the interaction that is added next: for the model's check. */
static int note_given(ns_load *l, const ns_elem *e, made *m, const ns_interaction *it)
{
  int rc = NS_OK;
  if (m->given || (l->opt && l->opt->as_given)) return NS_OK;
  for (int i = 0; i < NSLOTS && !rc; i++) {
    int along = !strcmp(slots[i].name, "HDot");
    const ns_elem *part = slots[i].of || along ? part_of(e, m, i) : NULL;
    const struct slot *function = part ? function_of(m, i) : NULL;
    if (!function) continue;
    ns_given g = {
        .at = {.file = part->file, .element = it->at.element, .id = it->at.id, .line = part->line},
        .value = slots[i].name,
        .of = function->name,
        .of_interaction = 1,
        .k = l->m->ninteractions,
        .given = slots[i].at,
        .function = function->at,
        .by = along ? NS_GIVEN_ALONG : slots[i].bank};
    rc = ns_model_add_given(l->m, &l->msg.c, &g);
  }
  m->given = 1;
  return rc;
}

static int relation_get(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id,
                        ns_interaction *it)
{
  made *m = e->made;
  int rc = holds(l, m, it) ? NS_OK : make_all(l, e, index, it, m);
  if (rc) return rc;
  it->m = m->m;
  if (m->each && (rc = ns_indices_keep(l, index, &it->index))) return rc;
  for (int k = 0; k < NSLOTS; k++)
    if (slots[k].family == m->family && (m->family != R || ns_lang_value(e->def, slots[k].name)))
      *operator_of(it, k) = (ns_operator){.rows = extent_of(m, slots[k].rows),
                                          .cols = extent_of(m, slots[k].cols)};
  for (int k = 0; k < NSLOTS && !rc; k++) {
    const ns_value *v = &m->part[k];
    if (v->op.how == NS_OP_ABSENT) continue;
    const ns_elem *part = part_of(e, m, k);
    rc = ns_value_get(l, part ? part : ns_elem_value(e, slots[k].of), v, index, id,
                      operator_of(it, k));
  }
  return rc ? rc : note_given(l, e, m, it);
}

const ns_load_builder ns_load_relations[] = {
    {"FirstOrderLinearTIR", relation_make, relation_get},
    {"FirstOrderLinearR", relation_make, relation_get},
    {"FirstOrderNonLinearR", relation_make, relation_get},
    {"FirstOrderType1R", relation_make, relation_get},
    {"FirstOrderType2R", relation_make, relation_get},
    {"LagrangianScleronomousR", relation_make, relation_get},
    {"LagrangianRheonomousR", relation_make, relation_get},
    {"LagrangianCompliantR", relation_make, relation_get},
    {"NewtonEulerR", relation_make, relation_get},
    {"NewtonEuler1DR", relation_make, relation_get},
    {"NewtonEuler3DR", relation_make, relation_get},
    {"NewtonEuler5DR", relation_make, relation_get},
    {0},
};
