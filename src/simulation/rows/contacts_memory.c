/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contacts_memory.c -- what contacts carry from step to step: rows of relations as they stood at
 * the end of the step and as they pushed in it, what counts as no gap, and the memory of the
 * solver. The active set, G, D and the problem follow from the state in the next step, to the same
 * bits. */
#include "simulation/rows/contacts_parts.h"

/* Tables of the solver in use; NULL: there is nothing to solve, or the solver does not say. */
static const ns_memory *solver_memory(const ns_contacts *k)
{
  return k->together ? &ns_memory_none : ns_row_solver_memory(&k->p.solver);
}

int ns_contacts_savable(const ns_contacts *k) { return solver_memory(k) != NULL; }

static void pass(ns_contacts *k, ns_blob *b, int restore)
{
  size_t rows = (size_t)k->nrows * sizeof(double),
         entries = (size_t)k->H.ptr[k->nrows] * sizeof(double);
  const ns_kept list[] = {{k->offset, rows},
                          {k->shift, rows},
                          {k->H.val, k->nmoving ? entries : 0},
                          {k->push, k->push ? entries : 0},
                          {&k->rounded, sizeof k->rounded},
                          {&k->begun, sizeof k->begun}};
  ns_blob_pass(b, restore, list, sizeof list / sizeof *list);
}

void ns_contacts_save(const ns_contacts *k, ns_blob *b)
{
  pass((ns_contacts *)k, b, 0);
  solver_memory(k)->save(k->p.solver.self, b);
}

void ns_contacts_restore(ns_contacts *k, ns_blob *b)
{
  pass(k, b, 1);
  solver_memory(k)->restore(k->p.solver.self, b);
}
