/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/multiple_impact.h"

#include "simulation/event_driven_parts.h"

#include <math.h>

enum { INCREMENTS = 50000000 }; /* most in one impact */

int ns_ed_multiple_create(event_driven *o, ns_ctx *c)
{
  const ns_contacts *k = o->s.k;
  size_t n = (size_t)k->nrows, nnz = n ? (size_t)k->D.row[n] : 0;
  ns_marching *m = &o->marching;
  for (int i = 0; i < o->s.m->ninteractions; i++) m->wanted |= (o->s.m->interactions[i].law->flags & NS_LAW_MULTIPLE) != 0;
  if (!m->wanted) return NS_OK;
  m->row = ns_arena_zero(o->mem, n + 1, sizeof *m->row);
  m->col = ns_arena_zero(o->mem, nnz + 1, sizeof *m->col);
  m->val = ns_arena_zero(o->mem, nnz + 1, sizeof *m->val);
  m->law = ns_arena_zero(o->mem, 3 * n + 1, sizeof *m->law);
  m->ydot = ns_arena_zero(o->mem, n + 1, sizeof *m->ydot);
  m->work = ns_arena_zero(o->mem, NS_MULTIPLE_IMPACT_WORK(n) + 1, sizeof *m->work);
  return m->row && m->col && m->val && m->law && m->ydot && m->work ? NS_OK : ns_nomem(c, "multiple impacts");
}

/* D of the active rows. */
static void gather(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  ns_marching *m = &o->marching;
  int at = 0;
  ns_contacts_assemble(o->s.k, o->s.x, o->s.x->v, o->s.changed);
  o->s.changed = 0;
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    m->row[i] = at;
    for (int b = k->D.row[r]; b < k->D.row[r + 1]; b++) {
      int j = k->position[k->D.col[b]];
      if (j < 0) continue;
      m->col[at] = j;
      m->val[at++] = k->D.val[b];
    }
  }
  m->row[k->n] = at;
}

/* Impulse that stops the contact of fastest approach: the scale of the increments. */
static double scale(const event_driven *o)
{
  const ns_contacts *k = o->s.k;
  const ns_marching *m = &o->marching;
  double most = 0;
  for (int i = 0; i < k->n; i++)
    for (int b = m->row[i]; b < m->row[i + 1]; b++)
      if (m->col[b] == i && m->val[b] > 0) most = fmax(most, -m->ydot[i] / m->val[b]);
  return most;
}

int ns_ed_march(event_driven *o, const double *e)
{
  ns_contacts *k = o->s.k;
  ns_marching *m = &o->marching;
  int n = k->n;
  gather(o);
  for (int i = 0; i < n; i++) {
    const ns_interaction *it = &o->s.m->interactions[k->interaction[k->active[i]]];
    m->law[i] = it->stiffness;
    m->law[n + i] = it->exponent;
    m->law[2 * n + i] = e[i];
    m->ydot[i] = o->speed[k->active[i]];
  }
  ns_multiple_impact p = {.n = n, .row = m->row, .col = m->col, .val = m->val, .K = m->law, .eta = m->law + n, .e = m->law + 2 * n,
                          .dP = o->opt->impulse_step > 0 ? o->opt->impulse_step : 1e-4 * scale(o), .mono = o->opt->mono,
                          .most = INCREMENTS};
  long steps = ns_multiple_impact_march(&p, m->work, m->ydot, k->z);
  if (steps < 0)
    return ns_fail(o->c, NS_NUMERIC, "the impact of %d contacts at t = %.10g s takes more than %d increments of %.3g N s; give <EventDriven> "
                   "a larger impulseStep", n, *o->s.x->t, (int)INCREMENTS, p.dP);
  o->s.x->report->iterations += (double)steps;
  ns_keep_max(&o->s.x->report->active, n);
  return NS_OK;
}
