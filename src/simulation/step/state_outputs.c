/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/step/state_outputs.h"

#include "algebra/vector.h"
#include "model/relations/output.h"
#include "simulation/record/events.h"

#include <string.h>

size_t ns_state_outputs_work(const ns_model *m)
{
  int rows = 0;
  for (int i = 0; i < m->ninteractions; i++)
    if (m->interactions[i].m > rows) rows = m->interactions[i].m;
  return ns_output_work_max(m) + (size_t)rows;
}

/* Lasting contacts that are open by more than rounding of positions, and were not at `before`. */
static void part(const ns_model *m, const ns_interaction *it, const double *before, ns_state *x)
{
  static const double ROUNDED = 1e-12;
  ns_unit_kind kind = ns_law_unit(it->law.ops);
  int gaps = kind == NS_UNIT_FRICTION ? 1 : it->m;
  double size = 0;
  if (kind == NS_UNIT_BOX) return;
  for (int j = 0; j < it->nsystems; j++) {
    const ns_system *s = &m->systems[it->systems[j]];
    ns_keep_max(&size, ns_max_abs((size_t)s->nq, x->q + s->q));
  }
  for (size_t i = 0, r = it->row; i < (size_t)gaps; i++, r++)
    if (x->mode[r] == NS_MODE_LASTING && x->y[r] > 0 && x->y[r] - before[i] > ROUNDED * size)
      x->mode[r] = NS_MODE_PARTED;
}

static int mechanical(const ns_model *m, ns_ctx *c, const ns_interaction *it, ns_state *x,
                      double *work)
{
  double *before = work + ns_interaction_output_work(it);
  memcpy(before, x->y + it->row, (size_t)it->m * sizeof *before);
  int rc = ns_interaction_output(m, c, it, *x->t, x->q, x->v, x->z, x->lambda, x->angle, work, x->y,
                                 x->ydot);
  if (!rc) part(m, it, before, x);
  return rc;
}

/* 1 where y depends on z and is not part of a force. */
static int reads_inputs(const ns_interaction *it)
{
  if (ns_interaction_is_first_order(it) || it->relation->flags & NS_REL_COMPLIANT) return 0;
  return it->nZ > 0 && (it->F || !(it->relation->flags & NS_REL_LINEAR));
}

int ns_state_outputs(const ns_model *m, ns_ctx *c, ns_state *x, int inputs, double *work)
{
  int rc = NS_OK;
  for (int i = 0; i < m->ninteractions && !rc; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (inputs && !reads_inputs(it)) continue;
    rc = ns_interaction_is_first_order(it)
             ? ns_interaction_output_first_order(m, c, it, *x->t, x->q, x->v, x->z, x->lambda, work,
                                                 x->y)
             : mechanical(m, c, it, x, work);
  }
  return rc;
}
