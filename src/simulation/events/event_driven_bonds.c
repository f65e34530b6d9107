/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_bonds.c -- contacts that bear a tension (model/laws/cohesive.c) between events.
 *
 *   0 <= y _|_ lambda + c >= 0,   friction that of lambda + c;   c = beta sigma
 *
 * An intact bond, beta = 1, is of a contact that is closed. It pulls both sides together with c, a
 * force of the motion, and what is solved for is the pressure lambda + c under it: gaps, friction,
 * modes and roots are those of a contact without a bond. The pressure vanishes where the bond
 * carries sigma; where the contact then opens, by that or by an impact, its bond has broken, and
 * modes are decided anew without its pull. Bonds that carry sigma at one instant break together, as
 * those of a box that slides while it is pulled off: its friction, which shares the load unequally,
 * vanishes with the pressure of all. Of many contacts of one body those that the others hold closed
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
  o->bond_mode = ns_arena_get(o->run.mem, (size_t)n, 1);
  o->bond_ends = ns_arena_get(o->run.mem, (size_t)n, 1);
  if (!o->bonds || !o->bond_mode || !o->bond_ends) return ns_nomem(c, "bonds");
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

static const ns_interaction *bond(const event_driven *o, int i)
{
  return &o->s.m->interactions[o->bonds[i]];
}

static int unit_of(const event_driven *o, int i) { return ns_ed_unit(o, (int)bond(o, i)->row); }

static int is_free(const event_driven *o, int i)
{
  return o->mode[unit_of(o, i)] == NS_ED_FREE && tension_of(o, bond(o, i)) > 0;
}

/* Its pressure is 0 up to rounding of the accelerations, or to what the flow resolves. */
static int carries_all(const event_driven *o, int i)
{
  size_t r = bond(o, i)->row;
  double c = tension_of(o, bond(o, i)), nothing = fmax(10 * o->slack[r], o->opt->rtol * c);
  return is_free(o, i) || (c > 0 && o->force[r] <= nothing);
}

void ns_ed_bond_ends(const event_driven *o, int interaction)
{
  const ns_interaction *it = &o->s.m->interactions[interaction];
  if (it->law.ops->memory > 0) it->law.ops->keep(&it->law, 0, o->s.x->bond + it->bond);
}

static int rank_held(const event_driven *o) { return o->equal.n > 0 ? o->hold.rank : 0; }

/* It breaks if nothing else holds its contact closed: with its row, more is held than without. */
static int break_bond(event_driven *o, int i, int *some)
{
  const ns_state *x = o->s.x;
  const ns_interaction *it = bond(o, i);
  int rank = rank_held(o);
  ns_ed_set(o, unit_of(o, i), NS_ED_CLOSED);
  int rc = ns_ed_hold(o, *x->t, x->q, x->v);
  if (rank_held(o) > rank || o->speed[it->row] > o->opt->speed_tol) {
    ns_ed_bond_ends(o, o->bonds[i]);
    *some = 1;
  }
  ns_ed_set(o, unit_of(o, i), NS_ED_FREE);
  return rc ? rc : ns_ed_hold(o, *x->t, x->q, x->v);
}

/* All that carry sigma are let go, and those that open then have broken; modes are restored. */
static int break_bonds(event_driven *o, int *some)
{
  const ns_state *x = o->s.x;
  for (int i = 0; i < o->nbonds; i++) {
    o->bond_mode[i] = o->mode[unit_of(o, i)];
    o->bond_ends[i] = (unsigned char)carries_all(o, i);
  }
  for (int i = 0; i < o->nbonds; i++)
    if (o->bond_ends[i]) ns_ed_set(o, unit_of(o, i), NS_ED_FREE);
  int rc = ns_ed_hold(o, *x->t, x->q, x->v);
  for (int i = 0; i < o->nbonds && !rc; i++)
    if (o->bond_ends[i]) rc = break_bond(o, i, some);
  for (int i = 0; i < o->nbonds; i++) ns_ed_set(o, unit_of(o, i), o->bond_mode[i]);
  return rc ? rc : ns_ed_hold(o, *x->t, x->q, x->v);
}

int ns_ed_bonds_break(event_driven *o, int *some)
{
  int any_free = 0;
  *some = 0;
  for (int i = 0; i < o->nbonds; i++) any_free |= is_free(o, i);
  return any_free ? break_bonds(o, some) : NS_OK;
}
