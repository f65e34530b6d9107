/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_modes.h -- private to event-driven runs of mechanics: the kinds of rows, the discs
 * of friction, their modes, and the forces that modes allow.
 *
 * A unit of contacts.h is a contact, a joint or a relay; its rows are consecutive. A disc is a set
 * of its rows whose length is bounded (event_driven_friction.h): disc u is the slip of unit u, disc
 * nunits + u its rolling. */
#ifndef NS_SIMULATION_EVENTS_EVENT_DRIVEN_MODES_H
#define NS_SIMULATION_EVENTS_EVENT_DRIVEN_MODES_H

#include "algebra/vector.h"
#include "simulation/events/event_driven_parts.h"

#include <string.h>

/* Mode of a unit or of its rolling in the flow: constant during a flow, changed only by events. */
typedef enum ns_ed_mode {
  NS_ED_FREE,   /* open contact: no force */
  NS_ED_CLOSED, /* its row is an equality: a closed contact without friction, a joint */
  NS_ED_STICK,  /* all its rows are equalities: a closed contact that sticks, a relay at rest */
  /* its normal row is an equality, and friction mu lambda_n opposes the velocity; a relay whose
   * lambda is at a bound */
  NS_ED_SLIP
} ns_ed_mode;

/* 1 if the system does not exist now. */
static inline int ns_ed_is_away(const event_driven *o, int system)
{
  return o->life.away && o->life.away[system];
}

/* ---- kinds of rows --------------------------------------------------------------------------- */

static inline int ns_ed_unit(const event_driven *o, int r) { return o->s.k->unit_of[r]; }

/* 1 for a gap that opens and closes: of a contact without friction, or the normal row with
 * friction. */
static inline int ns_ed_is_unilateral(const event_driven *o, int r)
{
  return ns_has_events(o->s.k, r);
}

/* 1 for an open gap that depends not only linearly on the motion: its relation is nonlinear or
 * depends on t. */
static inline int ns_ed_gap_moves(const event_driven *o, int r)
{
  return !o->held[r] && ns_ed_is_unilateral(o, r) && o->s.k->moves[r];
}

/* 1 for a row of a compliant relation, with any law: its force depends on positions. */
static inline int ns_ed_is_compliant(const event_driven *o, int r)
{
  return o->s.k->unit[ns_ed_unit(o, r)].kind == NS_UNIT_COMPLIANT;
}

/* 1 for a compliant contact between shapes, whose force also depends on its rate and memory. */
static inline int ns_ed_is_overlap(const event_driven *o, int r)
{
  return o->s.m->interactions[o->s.k->interaction[r]].law.ops->compliant;
}

/* 1 for a row of friction or of a relay, whose law involves velocities only. */
static inline int ns_ed_is_tangential(const event_driven *o, int r)
{
  return !ns_ed_is_compliant(o, r) && ns_contacts_is_tangential(o->s.k, r);
}

/* 1 for an equality of positions. */
static inline int ns_ed_is_joint(const event_driven *o, int r)
{
  return !ns_ed_is_unilateral(o, r) && !ns_ed_is_tangential(o, r) && !ns_ed_is_compliant(o, r);
}

static inline int ns_ed_is_friction(const event_driven *o, int u)
{
  return o->s.k->unit[u].kind == NS_UNIT_FRICTION;
}

static inline int ns_ed_is_relay(const event_driven *o, int u)
{
  const ns_unit *k = &o->s.k->unit[u];
  return k->kind == NS_UNIT_BOX && ns_ed_is_tangential(o, k->first);
}

/* Sizes of the motion are being looked for. */
static inline int ns_ed_looks_for_sizes(const event_driven *o)
{
  return o->run.host ? o->run.host->run->looking : o->run.looking;
}

/* Up to this speed a disc is at rest, m/s; exactly 0 where the motion is looked at for its size. */
static inline double ns_ed_slow(const event_driven *o, int disc)
{
  return ns_ed_looks_for_sizes(o) ? 0 : o->friction.slow[disc];
}

/* 1 if a relay moves against the direction in which its force has no bound, such as a freewheel
 * that turns backwards: an impulse stops it. */
static inline int ns_ed_is_against(const event_driven *o, int r, double speed)
{
  const ns_contacts *k = o->s.k;
  double tol = ns_ed_slow(o, k->unit_of[r]);
  int against_upper = speed < -tol && isinf(k->ub[r]),
      against_lower = speed > tol && isinf(k->lb[r]);
  return k->unit[k->unit_of[r]].kind == NS_UNIT_BOX && (against_upper || against_lower);
}

/* ---- discs ----------------------------------------------------------------------------------- */

static inline int ns_ed_rolls(const event_driven *o, int u)
{
  return o->s.k->unit[u].block == NS_BLOCK_ROLLING;
}

static inline int ns_ed_unit_of(const event_driven *o, int disc)
{
  return disc < o->s.k->nunits ? disc : disc - o->s.k->nunits;
}

/* The disc of rolling of the same unit; -1: none. */
static inline int ns_ed_next_disc(const event_driven *o, int disc)
{
  return disc < o->s.k->nunits && ns_ed_rolls(o, disc) ? disc + o->s.k->nunits : -1;
}

/* Its rows: the first, and the one after the last. */
static inline int ns_ed_disc_first(const event_driven *o, int disc)
{
  const ns_unit *k = &o->s.k->unit[ns_ed_unit_of(o, disc)];
  if (disc >= o->s.k->nunits) return k->first + 1 + k->rows / 2;
  return k->first + (k->kind == NS_UNIT_FRICTION);
}

static inline int ns_ed_disc_end(const event_driven *o, int disc)
{
  int rolling = ns_ed_next_disc(o, disc);
  if (rolling >= 0) return ns_ed_disc_first(o, rolling);
  const ns_unit *k = &o->s.k->unit[ns_ed_unit_of(o, disc)];
  return k->first + k->rows;
}

/* Disc of a row of friction. */
static inline int ns_ed_disc_of(const event_driven *o, int r)
{
  int u = ns_ed_unit(o, r), rolling = ns_ed_next_disc(o, u);
  return rolling >= 0 && r >= ns_ed_disc_first(o, rolling) ? rolling : u;
}

/* Ratio of the maximum force of a disc to its normal force, N/N; for rolling N m/N; 0 for
 * relays. */
static inline double ns_ed_mu(const event_driven *o, int disc)
{
  const ns_contacts *k = o->s.k;
  int u = ns_ed_unit_of(o, disc);
  const ns_nonsmooth_law *law = &k->m->interactions[k->interaction[k->unit[u].first]].law;
  if (!ns_ed_is_friction(o, u)) return 0;
  return disc == u ? ns_law_mu(law) : ns_law_mu_rolling(law);
}

/* ---- modes ----------------------------------------------------------------------------------- */

/* Set the mode of a disc, and from the modes of both discs of its unit which of its rows are
 * equalities. Friction of sliding rows is that of ns_ed_friction_slopes; until then it is 0. */
static inline void ns_ed_set(event_driven *o, int disc, ns_ed_mode mode)
{
  int u = ns_ed_unit_of(o, disc), rolling = ns_ed_next_disc(o, u);
  const ns_unit *k = &o->s.k->unit[u];
  int is_force = k->kind == NS_UNIT_COMPLIANT;
  o->mode[disc] = (unsigned char)(is_force ? NS_ED_FREE : mode);

  /* An open contact does not roll; one that closes rolls freely until its mode is determined. */
  if (rolling >= 0 && o->mode[u] == NS_ED_FREE) o->mode[rolling] = NS_ED_FREE;
  else if (rolling >= 0 && o->mode[rolling] == NS_ED_FREE) o->mode[rolling] = NS_ED_CLOSED;

  int sticks = o->mode[u] == NS_ED_STICK;
  /* A relay has no normal row: at a bound none of its rows is an equality. */
  int first_is_equality = o->mode[u] == NS_ED_CLOSED ||
                          (o->mode[u] == NS_ED_SLIP && k->kind != NS_UNIT_BOX);
  int rolling_first = rolling >= 0 ? ns_ed_disc_first(o, rolling) : k->first + k->rows;
  for (int r = k->first; r < rolling_first; r++)
    o->held[r] = sticks || (r == k->first && first_is_equality);
  for (int r = rolling_first; r < k->first + k->rows; r++)
    o->held[r] = o->mode[rolling] == NS_ED_STICK;
  memset(o->slope + k->first, 0, (size_t)k->rows * sizeof(double));
}

/* Initial mode without an impact: a gap is closed if it is at rest. */
static inline void ns_ed_guess(event_driven *o, int u, int rests)
{
  const ns_unit *k = &o->s.k->unit[u];
  int has_friction = ns_ed_is_tangential(o, k->first + k->rows - 1);
  if (ns_ed_is_unilateral(o, k->first) && !rests) ns_ed_set(o, u, NS_ED_FREE);
  else if (has_friction) ns_ed_friction_guess(o, u);
  else ns_ed_set(o, u, NS_ED_CLOSED);
}

/* ---- roots ---- */

/* A root function with the value g as a flow begins, where an event leaves it undecided up to
 * `near`, is looked for as far below zero again, and `min` at least. */
static inline double ns_ed_lead(double g, double near, double min)
{
  return g <= near ? min + 2 * fabs(g) : 0;
}

/* ---- problems ---- */

/* By what a problem with this right-hand side is to be divided, a power of 2: 1 unless all of it is
 * far from 1. */
static inline double ns_ed_scale(const double *rhs, int n)
{
  static const double SMALL = 1e-3, LARGE = 1e6;
  double max = ns_max_abs((size_t)n, rhs);
  int far = (max > 0 && max < SMALL) || (max > LARGE && isfinite(max));
  return far ? ldexp(1, ilogb(max)) : 1;
}

/* ---- forces ---------------------------------------------------------------------------------- */

/* Force of row r, or its pressure (event_driven_bonds.c), at the last evaluation of the motion. */
static inline double ns_ed_force(const event_driven *o, int r)
{
  int has_force = o->mode[ns_ed_unit(o, r)] != NS_ED_FREE || ns_ed_is_compliant(o, r);
  return has_force ? o->force[r] : 0;
}

/* x += z B_r^T, B_r the direction of the force of an equality r: R_r, and with it friction where
 * its contact slides, R_n - mu sum s_t R_t. R is H for forces, or G = H M^-1 for accelerations. */
static inline void ns_ed_add_force(const event_driven *o, const ns_rows *R, int r, double z,
                                   double *x)
{
  const ns_unit *u = &o->s.k->unit[ns_ed_unit(o, r)];
  ns_rows_add(R, r, z, x);
  for (int t = u->first + 1; t < u->first + u->rows && r == u->first; t++)
    if (o->slope[t] != 0) ns_rows_add(R, t, z * o->slope[t], x);
}

#endif
