/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events/event_driven_modes.h"

#include "algebra/vector.h"
#include "model/systems/mechanics.h"
#include "simulation/record/events.h"

#include <math.h>
#include <string.h>

/* ---- the state ------------------------------------------------------------------------------- */

static void energies(event_driven *o)
{
  const ns_model *m = o->s.m;
  ns_state *x = o->s.x;
  double U = 0;
  double *Mv = o->rate; /* scratch */
  memset(Mv, 0, m->nv * sizeof *Mv);
  ns_matrices_multiply(o->s.matrices, 1, x->v, Mv);
  for (int i = 0; i < m->nsystems; i++)
    U += ns_mechanics_potential(&m->systems[i], x->q + m->systems[i].q);
  x->cert->kinetic = ns_dot(m->nv, x->v, Mv) / 2;
  x->cert->potential = U + ns_ed_overlaps_energy(o);
}

static int not_finite(event_driven *o)
{
  char name[256], at[NS_FLOW_PLACE];
  int rc = ns_event_run_blame(o, o->run.c, *o->s.x->t, NULL, 0);
  if (rc) return rc;
  return ns_fail(o->run.c, NS_NUMERIC,
                 "%s: the acceleration of %s is not finite at t = %.10g s; look for a division by "
                 "zero or the root of a negative number in its mass and forces there",
                 ns_event_run_unknown_place(&o->run, (size_t)o->run.bad, at),
                 ns_event_run_name(&o->run, (size_t)o->run.bad, name, sizeof name), *o->s.x->t);
}

/* Below 0: how far row r is from what its contact or joint allows. */
static double violation(const event_driven *o, int r)
{
  double y = o->s.x->y[r];
  if (ns_ed_is_unilateral(o, r)) return y;
  return ns_ed_is_joint(o, r) ? -fabs(y) : 0;
}

int ns_ed_output(event_driven *o)
{
  ns_state *x = o->s.x;
  double deepest = 0;
  ns_ed_pack(o);
  int rc = ns_ed_rows(o, *x->t, x->q, x->v, x->y, x->ydot);
  if (!rc) rc = ns_ed_motion(o, *x->t, x->q, x->v, o->rate);
  if (rc > 0) rc = not_finite(o);
  if (rc) return rc;
  if (o->friction.wanted) ns_ed_share_loads(o);
  for (int r = 0; r < o->s.k->nrows; r++) {
    double y = violation(o, r);
    x->lambda[r] = ns_ed_force(o, r) - ns_ed_tension(o, r);
    if (ns_ed_is_compliant(o, r) && !ns_ed_is_overlap(o, r)) x->y[r] = o->springs.w[r];
    deepest = y < deepest ? y : deepest;
  }
  x->report->penetration = 0 - deepest;
  ns_ed_support(o);
  energies(o);
  ns_event_run_count_work(&o->run);
  return NS_OK;
}

int ns_ed_energy0(event_driven *o)
{
  ns_state *x = o->s.x;
  energies(o);
  x->cert->energy0 = x->cert->kinetic + x->cert->potential;
  return NS_OK;
}

enum { ACCUMULATION = 3 }; /* so many impacts without rest before the last one are a series */

/* ---- events ---------------------------------------------------------------------------------- */

static ns_row_mode shown(const event_driven *o, int u, unsigned char mode)
{
  if (mode == NS_ED_FREE) return NS_ROW_FREE;
  if (mode == NS_ED_CLOSED) return NS_ROW_CLOSED;
  return ns_ed_is_tangential(o, o->s.k->unit[u].first + o->s.k->unit[u].rows - 1) &&
                 mode == NS_ED_STICK
             ? NS_ROW_STICK
             : NS_ROW_SLIP;
}

/* What the rows of unit u took. */
static double lost(const event_driven *o, int u)
{
  double w = 0;
  for (int r = o->s.k->unit[u].first; r < o->s.k->unit[u].first + o->s.k->unit[u].rows; r++)
    w += o->lost[r];
  return w;
}

/* An event of a disc, or of its unit; of a contact its row is that of the normal, of its rolling
 * the first of that. */
static int tell(event_driven *o, int disc, ns_event_kind kind)
{
  const ns_state *x = o->s.x;
  int u = ns_ed_unit_of(o, disc);
  int r = disc == u ? o->s.k->unit[u].first : ns_ed_disc_first(o, disc);
  int i = o->s.k->interaction[r], hits = kind == NS_EVENT_IMPACT || kind == NS_EVENT_JAM;
  int slides = kind == NS_EVENT_STICK || kind == NS_EVENT_SLIP;
  if (!o->run.rec && !o->run.host) return NS_OK;
  double impulse = 0, energy = 0;
  if (hits) impulse = x->impulse[r];
  if (slides) impulse = ns_ed_along(o, disc, x->impulse);
  if (hits) energy = lost(o, u);
  if (kind == NS_EVENT_ACCUMULATION) energy = o->removed[r];
  ns_event e = {.t = *x->t,
                .kind = kind,
                .interaction = i,
                .row = r - (int)o->s.m->interactions[i].row,
                .before = slides ? ns_ed_along(o, disc, o->speed_before) : o->speed_before[r],
                .after = slides ? ns_ed_along(o, disc, x->ydot) : x->ydot[r],
                .impulse = impulse,
                .lost = energy,
                .was = shown(o, u, o->mode_before[disc]),
                .is = shown(o, u, o->mode[disc])};
  return ns_ed_report(o, &e);
}

/* The contact rests at the end of its series, or the run ends, as the model says. */
static int accumulated(event_driven *o, int u)
{
  int r = o->s.k->unit[u].first, rc = tell(o, u, NS_EVENT_ACCUMULATION);
  if (rc || o->opt->accumulation != NS_ACCUMULATION_STOP) return rc;
  return ns_fail_at(
      o->run.c, NS_NUMERIC, &o->s.m->interactions[o->s.k->interaction[r]].at,
      "impacts accumulate at t = %.10g s: %d since the contact last rested, the last at %.3g "
      "m/s; the results up to there are kept; accumulation=\"stick\" lets it rest and continues",
      *o->s.x->t, o->flights[r], -o->speed_before[r]);
}

static const double ROUNDING = 1e-10; /* of the largest impulse of the event */

static double largest_impulse(const event_driven *o)
{
  return ns_max_abs((size_t)o->s.k->nrows, o->s.x->impulse);
}

/* It approached, or was at rest and passes on the impulse of others; what jams has a line of its
 * own. */
static int strikes(const event_driven *o, int u, double impulse)
{
  double before = o->speed_before[o->s.k->unit[u].first];
  if (before < -o->opt->speed_tol) return impulse > 0;
  return impulse > 0 && !(o->friction.wanted && o->friction.jammed[u]) &&
         impulse > ROUNDING * largest_impulse(o);
}

/* A gap: impacts, jams, contact and release. */
static int tell_gap(event_driven *o, int u)
{
  ns_state *x = o->s.x;
  int rc = NS_OK, r = o->s.k->unit[u].first, held = o->mode[u] != NS_ED_FREE,
      held_before = o->mode_before[u] != NS_ED_FREE;
  if (strikes(o, u, x->impulse[r])) {
    ns_keep_max(&x->cert->approach_max, -o->speed_before[r]);
    x->cert->impacts++;
    rc = tell(o, u, NS_EVENT_IMPACT);
  }
  if (!rc && o->friction.wanted && o->friction.jammed[u]) rc = tell(o, u, NS_EVENT_JAM);
  if (x->impulse[r] > 0) o->flights[r]++;
  o->fastest[r] = fmax(o->fastest[r], -o->speed_before[r]);
  if (!rc && o->removed[r] > 0 && o->flights[r] >= ACCUMULATION) rc = accumulated(o, u);
  if (held) o->flights[r] = 0, o->fastest[r] = 0;
  if (!rc && held && (!held_before || !o->begun)) rc = tell(o, u, NS_EVENT_CONTACT);
  if (!rc && !held && held_before) rc = tell(o, u, NS_EVENT_RELEASE);
  x->mode[r] = held ? NS_MODE_LASTING : NS_MODE_FREE;
  return rc;
}

/* It stood still, and slides the other way now. */
static int turned(const event_driven *o, int disc)
{
  double s = 0;
  int first = ns_ed_disc_first(o, disc);
  if (!o->friction.wanted || o->mode[disc] != NS_ED_SLIP || o->mode_before[disc] != NS_ED_SLIP)
    return 0;
  if (!o->closing[first] && fabs(ns_ed_along(o, disc, o->speed_before)) > ns_ed_slow(o, disc))
    return 0;
  for (int r = first; r < ns_ed_disc_end(o, disc); r++)
    s += o->friction.toward[r] * o->friction.toward_before[r];
  return s < 0;
}

/* Friction or a relay: stick and slip of what was closed. */
static int tell_slide(event_driven *o, int disc)
{
  int rc = NS_OK, t = ns_ed_disc_first(o, disc), is = o->mode[disc], was = o->mode_before[disc];
  int begins = !o->begun && !ns_ed_is_friction(o, ns_ed_unit_of(o, disc));
  if (is == NS_ED_STICK && (was == NS_ED_SLIP || begins)) rc = tell(o, disc, NS_EVENT_STICK);
  if (!rc && is == NS_ED_SLIP && (was == NS_ED_STICK || begins || turned(o, disc)))
    rc = tell(o, disc, NS_EVENT_SLIP);
  o->s.x->mode[t] = NS_SLIDE_UNKNOWN;
  if (is == NS_ED_STICK) o->s.x->mode[t] = NS_SLIDE_STICK;
  if (is == NS_ED_SLIP) o->s.x->mode[t] = NS_SLIDE_SLIP;
  return rc;
}

static int changed(const event_driven *o)
{
  if (o->hybrid.settling || o->regions.turned || o->prescribed.jumped) return 1;
  for (int r = 0; r < o->s.k->nrows; r++)
    if (o->s.x->impulse[r] != 0) return 1;
  for (int u = 0; u < o->s.k->nunits; u++)
    for (int d = u; d >= 0; d = ns_ed_next_disc(o, d))
      if (o->mode[d] != o->mode_before[d] || turned(o, d)) return 1;
  return 0;
}

int ns_ed_decided(void *of, int *some)
{
  event_driven *o = of;
  int rc = ns_ed_output(o);
  ns_ed_regions_struck(o);
  *some = changed(o);
  if (!rc && !o->starting) rc = ns_ed_certify_event(o);
  if (!rc && !o->starting) rc = ns_ed_certify_row(o);
  if (!rc) ns_event_run_count(&o->run, *some);
  return rc;
}

int ns_ed_tell(void *of)
{
  event_driven *o = of;
  int rc = ns_ed_report_velocities(o);
  for (int u = 0; u < o->s.k->nunits && !rc; u++) {
    int first = o->s.k->unit[u].first, last = first + o->s.k->unit[u].rows - 1;
    if (ns_ed_is_unilateral(o, first)) rc = tell_gap(o, u);
    for (int d = u; d >= 0 && !rc && ns_ed_is_tangential(o, last); d = ns_ed_next_disc(o, d))
      rc = tell_slide(o, d);
  }
  return rc;
}
