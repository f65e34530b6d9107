/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Impact without collision. Where a contact slides and H_n M^-1 (H_n - mu sum s_t H_t)^T <= 0, a
 * normal force drives it into the ground (Painleve 1895): there is no force, or there are several.
 * As in the limit of a stiff ground, it jams: impulses at ydot_n = 0 that end the sliding (Lecornu
 * 1905; Genot & Brogliato 1999). They are the second solution, beside P = 0, of the problem of an
 * impact with e = 0, and the one that is left when the contact approaches a little.
 *
 * So such an approach tells which contacts stick and which slide; impulses and velocities are then
 * those of this pattern without an approach. */
#include "simulation/events/event_driven_modes.h"

#include <string.h>

static const double APPROACH = 1e-3; /* by the speed along the plane */
static const double CONE = 1e-6;     /* relative: friction that is at its bound */

/* What the impulses z of the contacts say of a disc of the unit whose first active row is i. */
static ns_ed_mode mode_of(event_driven *o, int disc, int i)
{
  const ns_contacts *k = o->s.k;
  int first = k->unit[ns_ed_unit_of(o, disc)].first, t = ns_ed_disc_first(o, disc);
  if (ns_ed_is_joint(o, first)) return NS_ED_CLOSED;
  if (!(k->z[i] > 0) || !ns_ed_is_unilateral(o, first)) return NS_ED_FREE;
  if (!(ns_ed_mu(o, disc) > 0)) return NS_ED_CLOSED;
  const double *z = k->z + i + (t - first);
  double along = fabs(z[0]);
  if (ns_ed_disc_end(o, disc) - t == 2) along = hypot(z[0], z[1]);
  ns_ed_friction_aim(o, disc, z, -1);
  return along < (1 - CONE) * ns_ed_mu(o, disc) * k->z[i] ? NS_ED_STICK : NS_ED_SLIP;
}

/* The impulses that end the velocities of the rows that the pattern holds. */
static int finish(event_driven *o)
{
  ns_contacts *k = o->s.k;
  ns_state *x = o->s.x;
  for (int u = 0; u < k->nunits; u++) {
    int i = k->position[k->unit[u].first];
    for (int d = u; d >= 0; d = ns_ed_next_disc(o, d))
      ns_ed_set(o, d, i < 0 ? NS_ED_FREE : mode_of(o, d, i));
  }
  int rc = ns_ed_hold(o, *x->t, x->q, x->v);
  if (rc) return rc;
  for (int i = 0; i < o->equal.n; i++) o->rhs[i] = -o->speed[o->equal.row[i]];
  ns_acceleration_solve(&o->hold, o->rhs);
  memset(k->z, 0, (size_t)k->n * sizeof *k->z);
  for (int i = 0; i < o->equal.n; i++) {
    int r = o->equal.row[i], at = k->position[r];
    const ns_unit *u = &k->unit[k->unit_of[r]];
    k->z[at] = o->rhs[i];
    for (int t = 1; t < u->rows && r == u->first; t++)
      if (o->slope[r + t] != 0) k->z[at + t] = o->slope[r + t] * o->rhs[i];
  }
  ns_ed_strike(o);
  return NS_OK;
}

static void warn(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  int u = 0;
  while (u + 1 < k->nunits && !o->friction.jams[u]) u++;
  const ns_interaction *it = &k->m->interactions[k->interaction[k->unit[u].first]];
  if (!o->friction.warned)
    ns_warn_at(
        o->run.c, &it->at,
        "at t = %.10g s no friction force allows the contact to continue sliding with mu = "
        "%g (Painleve): it jams, an impact without collision, of kind jam in the events; less "
        "friction avoids this",
        *o->s.x->t, ns_law_mu(&it->law));
  o->friction.warned = 1;
}

int ns_ed_jam(event_driven *o)
{
  ns_contacts *k = o->s.k;
  ns_state *x = o->s.x;
  warn(o);
  ns_ed_choose_closed(o);
  int rc = ns_ed_select_impulses(o, *x->t, x->q, x->v);
  if (rc) return rc;
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i], u = k->unit_of[r];
    o->friction.jammed[u] |= o->friction.jams[u];
    o->rhs[i] = o->speed[r];
    if (o->friction.jams[u] && r == k->unit[u].first)
      o->rhs[i] -= APPROACH * fabs(ns_ed_along(o, u, o->speed));
    k->z[i] = 0;
  }
  rc = ns_stepper_solve(&o->s, o->run.c, o->rhs, x->report);
  return rc ? rc : finish(o);
}
