/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/state.h"

#include "model/relations/output.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Hand out n items of the block, or count them where there is none yet. */
static void *take(ns_state *x, size_t *top, size_t n, size_t size)
{
  size_t at = *top;
  *top = (at + n * size + 63) & ~(size_t)63;
  return x->block ? (char *)x->block + at : NULL;
}

static size_t lay_out(const ns_model *m, ns_state *x)
{
  size_t top = 0, d = sizeof(double);
  x->t = take(x, &top, 1, d);
  x->step = take(x, &top, 1, sizeof *x->step);
  x->report = take(x, &top, 1, sizeof *x->report);
  x->cert = take(x, &top, 1, sizeof *x->cert);
  x->q = take(x, &top, m->nq, d);
  x->v = take(x, &top, m->nv, d);
  x->z = take(x, &top, m->nz, d);
  x->p = take(x, &top, m->nv, d);
  x->f = take(x, &top, m->nv, d);
  x->y = take(x, &top, m->nrows, d);
  x->ydot = take(x, &top, m->nrows, d);
  x->lambda = take(x, &top, m->nrows, d);
  x->impulse = m->sim.event_driven ? take(x, &top, m->nrows, d) : NULL;
  x->side = m->sim.event_driven ? take(x, &top, 1, d) : NULL;
  x->observable = take(x, &top, (size_t)m->nobservables, d);
  x->support = m->nboundaries ? take(x, &top, m->nv, d) : NULL;
  x->previous = m->sim.two_steps ? take(x, &top, m->nq + 2 * m->nrows, d) : NULL;
  x->angle = take(x, &top, 2 * m->nangles, d);
  x->rate = x->block ? x->angle + m->nangles : NULL;
  x->past = take(x, &top, m->npast, d);
  x->bond = take(x, &top, m->nbonds, d);
  x->measured = take(x, &top, m->nmeasured, d);
  x->user = take(x, &top, m->nuser, d);
  x->branch = take(x, &top, 3 * m->nbranches, d);
  x->memory = take(x, &top, m->nmemory, d);
  x->mode = take(x, &top, m->nrows, 1);
  return top;
}

/* y and ydot of the relations at the initial state, lambda = 0. */
static int first_outputs(ns_ctx *c, const ns_model *m, ns_state *x)
{
  double *work = calloc(1 + ns_output_work_max(m), sizeof *work);
  if (!work) return ns_nomem(c, "initial outputs");
  int rc = NS_OK;
  ns_joint_angles(m, x->q, work, x->angle);
  for (int i = 0; i < m->ninteractions && !rc; i++) {
    const ns_interaction *it = &m->interactions[i];
    rc = ns_interaction_is_first_order(it)
             ? ns_interaction_output_first_order(m, c, it, *x->t, x->q, x->v, x->z, x->lambda, work,
                                                 x->y)
             : ns_interaction_output(m, c, it, *x->t, x->q, x->v, x->z, x->lambda, x->angle, work,
                                     x->y, x->ydot);
  }
  free(work);
  return rc;
}

void ns_state_initial(const ns_model *m, double *q, double *v, double *z)
{
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    ns_system_start(s, q + s->q);
    if (v && s->v0) memcpy(v + s->v, s->v0, (size_t)s->n * sizeof *v);
    if (s->nz) memcpy(z + s->z, s->z0, (size_t)s->nz * sizeof *z);
  }
}

int ns_state_create(ns_ctx *c, const ns_model *m, ns_state *x)
{
  *x = (ns_state){0};
  x->bytes = lay_out(m, x);
  if (posix_memalign(&x->block, 64, x->bytes)) {
    x->block = NULL;
    return ns_nomem(c, "state of the run");
  }
  memset(x->block, 0, x->bytes);
  lay_out(m, x);
  *x->t = m->sim.t0;
  ns_state_initial(m, x->q, x->v, x->z);
  int rc = first_outputs(c, m, x);
  for (int i = 0; i < m->ninteractions && !rc; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (it->law.ops && it->law.ops->memory)
      it->law.ops->begin(&it->law, x->y[it->row], x->bond + it->bond);
  }
  if (rc) ns_state_fini(x);
  return rc;
}

void ns_state_fini(ns_state *x)
{
  free(x->block);
  *x = (ns_state){0};
}
