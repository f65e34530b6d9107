/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_drives.c -- <torque> and <force> of joints: formulas of their free coordinates. */
#include "io/load/load_rigid.h"

#include "model/relations/rigid_relation.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[2] = {"torque", "force"}; /* of what turns, of what slides */

struct ns_drive_made {
  ns_value force[2], by[2];
  const ns_system *body[2]; /* whom it was made for */
  int by_id;                /* and these alone */
};

/* Free coordinates of the joint; t and inputs of its bodies. */
static int scope(ns_load *l, const ns_interaction *it, const ns_indices *index, ns_load_scope *s)
{
  int rc = ns_load_scope_stack(l, it->systems, it->nsystems, s);
  s->index = index;
  s->joint = it;
  s->joint_rate = ns_interaction_angles(it);
  return rc;
}

static int make_one(ns_load *l, const ns_elem *part, int slide, ns_load_scope *s, ns_drive_made *m)
{
  const ns_wanted one = {.rows = 1, .cols = 1, .why = "along one coordinate"};
  ns_nodes nodes = {0};
  ns_load_foreign others = {0};
  ns_load_scope own = *s;
  own.foreign = &others;
  if (part->bad) return NS_MODEL;
  ns_mark mark = ns_arena_mark(l->graphs);
  ns_graph *g = ns_graph_create(l->graphs);
  int rc = g ? ns_value_make(l, part, g, &own, &one, &m->force[slide], &nodes) : ns_nomem(&l->msg.c, "formulas of a joint");
  if (!rc) rc = ns_value_derive(l, part, g, &nodes, NS_BANK_JOINT, 2 * s->joint_rate, &m->by[slide]);
  if (!rc) rc = ns_load_foreign_attach(l, g, &nodes, &others, &m->force[slide].op);
  if (!rc) rc = ns_load_foreign_attach(l, g, NULL, &others, &m->by[slide].op);
  m->by_id |= own.by_id != 0;
  ns_arena_release(l->graphs, mark);
  free(nodes.node);
  return rc;
}

static const ns_system *body(const ns_load *l, const ns_interaction *it, int i)
{
  return i < it->nsystems ? &l->m->systems[it->systems[i]] : NULL;
}

static int make(ns_load *l, const ns_elem *e, const ns_indices *index, const ns_interaction *it, ns_drive_made *m)
{
  ns_load_scope s;
  int rc = scope(l, it, index, &s), bad = rc;
  *m = (ns_drive_made){.body = {body(l, it, 0), body(l, it, 1)}};
  for (int slide = 0; slide < 2 && rc != NS_NOMEM; slide++) {
    const ns_elem *part = ns_elem_value(e, names[slide]);
    if (part) bad |= rc = make_one(l, part, slide, &s, m);
  }
  return rc == NS_NOMEM ? rc : bad ? NS_MODEL : NS_OK;
}

static int like(const ns_system *a, const ns_system *b) { return a == b || (a && b && a->nz == b->nz && a->znames == b->znames); }

/* What was made holds for the bodies of this instance. */
static int holds(const ns_load *l, const ns_drive_made *m, const ns_interaction *it)
{
  const ns_system *b[2] = {body(l, it, 0), body(l, it, 1)};
  if (b[0] == m->body[0] && b[1] == m->body[1]) return 1;
  return !m->by_id && like(b[0], m->body[0]) && like(b[1], m->body[1]);
}

/* ---- of one instance ------------------------------------------------------------------------------------------- */

int ns_drive_get(ns_load *l, const ns_elem *e, ns_drive_made **made, const ns_indices *index, const char *id, ns_interaction *it)
{
  int rc = NS_OK, first = !*made;
  unsigned uses = 0;
  if (!ns_elem_value(e, "torque") && !ns_elem_value(e, "force")) return NS_OK;
  if (first) *made = ns_arena_zero(l->scratch, 1, sizeof **made);
  ns_drive_made *m = *made;
  ns_joint_drive *d = ns_arena_zero(l->m->arena, 1, sizeof *d);
  if (!m || !d) return ns_nomem(&l->msg.c, "forces of a joint");
  if ((first || !holds(l, m, it)) && (rc = make(l, e, index, it, m))) return rc;
  for (int slide = 0; slide < 2 && !rc; slide++) {
    const ns_elem *part = ns_elem_value(e, names[slide]);
    if (!part) continue;
    rc = ns_value_get(l, part, &m->force[slide], index, id, &d->force[slide]);
    if (!rc) rc = ns_value_get(l, part, &m->by[slide], index, id, &d->by[slide]);
    uses |= d->force[slide].uses | d->by[slide].uses;
  }
  it->drive = d;
  if (!rc && uses >> NS_BANK_INDEX & 1u && !(it->index = ns_arena_copy(l->m->arena, index->value, (size_t)index->n, sizeof(double))))
    rc = ns_nomem(&l->msg.c, "indices of a joint");
  return rc;
}
