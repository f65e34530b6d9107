/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_drives.c -- <torque> and <force> of joints: formulas of their free coordinates. */
#include "io/load_rigid.h"

#include "model/rigid_relation.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[2][2] = {{"torque", "angle"}, {"force", "slide"}}; /* of what turns, of what slides */

struct ns_drive_made {
  ns_value force[2], by_d[2], by_rate[2];
  const ns_system *body[2]; /* whom it was made for */
  int by_id;                /* and these alone */
};

/* ---- names --------------------------------------------------------------------------------------------------- */

static void insert(ns_coordinate *list, int *n, ns_coordinate c)
{
  int i = (*n)++;
  for (; i > 0 && strcmp(list[i - 1].name, c.name) > 0; i--) list[i] = list[i - 1];
  list[i] = c;
}

/* Free coordinates of the joint as q and v, inputs of its bodies as z. */
static int scope(ns_load *l, const ns_interaction *it, const ns_indices *index, ns_load_scope *s)
{
  int rc = ns_load_scope_stack(l, it->systems, it->nsystems, s), n = 0, known = s->nsorted;
  const ns_coordinate *from = s->sorted;
  ns_coordinate *list = ns_arena_get(l->scratch, (size_t)known + 2, sizeof *list);
  if (rc || !list) return ns_nomem(&l->msg.c, "names of a joint");
  s->sorted = list;
  s->n = s->nv = 0;
  s->index = index;
  for (int slide = 0; slide < 2; slide++) {
    if (!ns_joint_is_free(&it->joint, slide)) continue;
    insert(list, &n, (ns_coordinate){.name = names[slide][1], .bank = NS_BANK_Q, .k = s->n, .v = s->n});
    s->n = s->nv = s->n + 1;
  }
  for (int k = 0; k < known; k++)
    if (from[k].bank == NS_BANK_Z && strcmp(from[k].name, "angle") && strcmp(from[k].name, "slide")) insert(list, &n, from[k]);
  s->nsorted = n;
  return NS_OK;
}

/* ---- formulas -------------------------------------------------------------------------------------------------- */

static int make_one(ns_load *l, const ns_elem *part, int slide, ns_load_scope *s, ns_drive_made *m)
{
  const ns_wanted one = {.rows = 1, .cols = 1, .why = "along one coordinate"};
  ns_nodes nodes = {0};
  if (part->bad) return NS_MODEL;
  ns_mark mark = ns_arena_mark(l->graphs);
  ns_graph *g = ns_graph_create(l->graphs);
  int rc = g ? ns_value_make(l, part, g, s, &one, &m->force[slide], &nodes) : ns_nomem(&l->msg.c, "formulas of a joint");
  if (!rc) rc = ns_value_derive(l, part, g, &nodes, NS_BANK_Q, s->n, &m->by_d[slide]);
  if (!rc) rc = ns_value_derive(l, part, g, &nodes, NS_BANK_V, s->n, &m->by_rate[slide]);
  m->by_id |= s->by_id != 0;
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
    const ns_elem *part = ns_elem_value(e, names[slide][0]);
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
    const ns_elem *part = ns_elem_value(e, names[slide][0]);
    if (!part) continue;
    rc = ns_value_get(l, part, &m->force[slide], index, id, &d->force[slide]);
    if (!rc) rc = ns_value_get(l, part, &m->by_d[slide], index, id, &d->by_d[slide]);
    if (!rc) rc = ns_value_get(l, part, &m->by_rate[slide], index, id, &d->by_rate[slide]);
    uses |= d->force[slide].uses | d->by_d[slide].uses | d->by_rate[slide].uses;
  }
  it->drive = d;
  if (!rc && uses >> NS_BANK_INDEX & 1u && !(it->index = ns_arena_copy(l->m->arena, index->value, (size_t)index->n, sizeof(double))))
    rc = ns_nomem(&l->msg.c, "indices of a joint");
  return rc;
}
