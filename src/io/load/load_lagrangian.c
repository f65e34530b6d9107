/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_lagrangian.c -- linear relations of mechanics: H, e, F and D are numbers. */
#include "io/load/load_job.h"
#include "io/load/values.h"

#include <stdio.h>

typedef struct linear_made {
  ns_value H, e, F, D;
} linear;

static int make_value(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                      int rows, int cols, ns_value *v)
{
  char why[48];
  snprintf(why, sizeof why, "m = %d, the number of rows of <H>", rows);
  return ns_value_constant(
      l, e, name, index, &(ns_wanted){.rows = rows, .cols = cols, .why = rows < 0 ? NULL : why}, v);
}

static int linear_make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  linear *m = e->made = ns_arena_zero(l->scratch, 1, sizeof *m);
  if (!m) return ns_nomem(&l->msg.c, "a relation");
  int bad = make_value(l, e, "H", index, -1, -1, &m->H), rc = NS_OK;
  int rows = bad ? -1 : m->H.op.rows;
  if (bad != NS_NOMEM) bad |= rc = make_value(l, e, "e", index, rows, 1, &m->e);
  if (rc != NS_NOMEM) bad |= rc = make_value(l, e, "F", index, rows, -1, &m->F);
  if (rc != NS_NOMEM && ns_lang_value(e->def, "D"))
    bad |= make_value(l, e, "D", index, rows, rows, &m->D);
  return bad ? ns_load_failed(l) : NS_OK;
}

static int linear_get(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id,
                      ns_interaction *it)
{
  const linear *m = e->made;
  ns_operator H, off, F, D;
  it->m = m->H.op.rows;
  const ns_elem *h = ns_elem_value(e, "H"), *f = ns_elem_value(e, "F"), *d = ns_elem_value(e, "D");
  if (m->H.op.cols != it->nQ)
    return ns_elem_fail(
        &l->msg, h, id,
        "has %d column%s, expected nQ = %d: one for each coordinate of its %d system%s",
        m->H.op.cols, m->H.op.cols == 1 ? "" : "s", it->nQ, it->nsystems,
        it->nsystems == 1 ? "" : "s");
  if (f && m->F.op.cols != it->nZ)
    return ns_elem_fail(
        &l->msg, f, id,
        "has %d column%s, expected %d: one for each entry of the user vectors <z> of its systems",
        m->F.op.cols, m->F.op.cols == 1 ? "" : "s", it->nZ);
  int rc = ns_value_get(l, h, &m->H, index, id, &H);
  if (!rc) rc = ns_value_get(l, m->e.each ? ns_elem_value(e, "e") : e, &m->e, index, id, &off);
  if (!rc) rc = ns_value_get(l, f ? f : e, &m->F, index, id, &F);
  if (!rc) rc = ns_value_get(l, d ? d : e, &m->D, index, id, &D);
  if (rc) return rc;
  it->H = H.value;
  it->e = off.value;
  it->F = F.value;
  it->D = D.value;
  return NS_OK;
}

const ns_load_builder ns_load_lagrangian[] = {
    {"LagrangianLinearTIR", linear_make, linear_get},
    {"LagrangianCompliantLinearTIR", linear_make, linear_get},
    {0},
};
