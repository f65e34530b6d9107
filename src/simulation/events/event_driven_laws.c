/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_laws.c -- parameters of laws that are formulas (model/law_values.h), event-driven.
 *
 * Friction, bounds and stiffness of a mode are functions of t, z and the state as forces are: the
 * laws are renewed wherever the motion or its roots are evaluated, so that the integrator sees them
 * at its own points and their bounds are met to its tolerance. An impact takes the values of the
 * state that it meets; what the certificate asks of it is by these, and not by those of afterwards.
 */
#include "model/law_values.h"
#include "simulation/events/event_driven_modes.h"

#include <string.h>

int ns_ed_laws_create(event_driven *o, ns_ctx *c)
{
  ns_ed_renewed *l = &o->laws;
  const ns_model *m = o->s.m;
  size_t rows = m->nrows + 1;
  l->host = o->run.host;
  if (l->host ? !l->host->laws : !m->values) return NS_OK;
  l->wanted = 1;
  for (int i = 0; i < m->ninteractions; i++)
    l->by_speeds |= ns_law_values_of_contact(m, &m->interactions[i].law);
  l->gap = ns_arena_zero(o->run.mem, 4 * rows, sizeof *l->gap);
  if (!l->gap) return ns_nomem(c, "laws of the run");
  l->speed = l->gap + rows;
  l->e = l->speed + rows;
  l->mu = l->e + rows;
  return NS_OK;
}

int ns_ed_renew_laws(event_driven *o, double t, const double *q, const double *v)
{
  ns_ed_renewed *l = &o->laws;
  int rc = NS_OK;
  if (!l->wanted) return NS_OK;
  if (l->by_speeds) rc = ns_ed_rows(o, t, q, v, l->gap, l->speed);
  if (rc) return rc;
  rc = l->host ? l->host->laws(l->host->of, t, q, v, l->speed)
               : ns_law_values_at(o->s.m, o->run.c, t, q, v, o->s.x->z, l->speed);
  if (rc) return rc;
  ns_contacts_take_laws(o->s.k, o->s.k->h);
  ns_ed_springs_bound(o);
  return NS_OK;
}

void ns_ed_note_struck(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  for (int i = 0; i < k->n && o->laws.wanted; i++) {
    int r = k->active[i];
    if (k->z[i] == 0) continue;
    o->laws.e[r] = k->restitution[r];
    o->laws.mu[r] = ns_ed_mu(o, ns_ed_disc_of(o, r));
  }
}

double ns_ed_struck_e(const event_driven *o, int r)
{
  return o->laws.wanted ? o->laws.e[r] : o->s.k->restitution[r];
}

double ns_ed_struck_mu(const event_driven *o, int disc)
{
  return o->laws.wanted ? o->laws.mu[ns_ed_disc_first(o, disc)] : ns_ed_mu(o, disc);
}
