/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_bonds.c -- contacts that bear a tension (model/laws/cohesive.c) between events.
 *
 *   0 <= y _|_ lambda + c >= 0,   friction that of lambda + c;   c = beta sigma
 *
 * An intact bond, beta = 1, is of a contact that is closed. It pulls both sides together with c, a
 * force of the motion, and what is solved for is the pressure lambda + c under it: gaps, friction,
 * modes and roots are those of a contact without a bond. The pressure vanishes where the bond
 * carries sigma; where the contact then opens, by that or by an impact, its bond has broken, and
 * modes are decided anew without its pull. Of many contacts of one body those that stay closed
 * have not broken, however little of the load is theirs. */
#include "simulation/events/event_driven_modes.h"

#include "model/laws/law.h"

#include <math.h>

int ns_ed_bonds_create(event_driven *o, ns_ctx *c)
{
  const ns_model *m = o->s.m;
  int n = 0;
  for (int i = 0; i < m->ninteractions; i++) n += m->interactions[i].law.ops->memory > 0;
  if (n == 0) return NS_OK;
  o->bonds = ns_arena_get(o->run.mem, (size_t)n, sizeof *o->bonds);
  if (!o->bonds) return ns_nomem(c, "bonds");
  for (int i = 0; i < m->ninteractions; i++)
    if (m->interactions[i].law.ops->memory > 0) o->bonds[o->nbonds++] = i;
  o->s.k->tension = NULL; /* that is for problems of steps */
  return NS_OK;
}

/* c of an interaction. */
static double tension_of(const event_driven *o, const ns_interaction *it)
{
  return it->law.ops->tension(&it->law, o->s.x->bond + it->bond);
}

double ns_ed_tension(const event_driven *o, int r)
{
  const ns_interaction *it = &o->s.m->interactions[o->s.k->interaction[r]];
  int bears = o->nbonds > 0 && it->law.ops->memory > 0 && (size_t)r == it->row;
  return bears && !ns_ed_is_compliant(o, r) ? tension_of(o, it) : 0;
}

int ns_ed_bonds_pull(event_driven *o, double t, const double *q, const double *v)
{
  ns_contacts *k = o->s.k;
  int rc = NS_OK;
  for (int i = 0; i < o->nbonds && !rc; i++) {
    const ns_interaction *it = &o->s.m->interactions[o->bonds[i]];
    double c = tension_of(o, it);
    if (!(c > 0)) continue;
    if (k->moves[it->row]) rc = ns_contacts_linearise_alone(k, o->run.c, it, t, q, v, o->s.x->z);
    if (!rc) ns_rows_add(&k->H, (int)it->row, -c, o->a);
  }
  return rc;
}

int ns_ed_bonds_break(event_driven *o)
{
  int some = 0;
  for (int i = 0; i < o->nbonds; i++) {
    const ns_interaction *it = &o->s.m->interactions[o->bonds[i]];
    int open = o->mode[ns_ed_unit(o, (int)it->row)] == NS_ED_FREE;
    if (!open || !(tension_of(o, it) > 0)) continue;
    it->law.ops->keep(&it->law, 0, o->s.x->bond + it->bond);
    some = 1;
  }
  return some;
}
