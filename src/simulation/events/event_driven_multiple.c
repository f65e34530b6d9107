/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/vector.h"
#include "problems/multiple_impact.h"

#include "base/grow.h"
#include "base/plural.h"
#include "simulation/events/event_driven_modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INCREMENTS = 50000000, STEPS = 2000000 }; /* most in one impact */
/* Increments by the impulse that stops the fastest contact: where the model says nothing, and at
 * most, as a weak impact in a run of strong ones would be thrown back by the first increment. */
static const double FINE = 1e-4, COARSE = 1e-2;
static const double SMALLEST = 1e-3; /* limit of the steps with a bounded error, likewise */
/* Kinetic energy that increments of one size may make, by that of the approach: their error is of
 * first order. */
static const double GAIN = 1e-4;

/* Rows of equalities. */
static size_t count_equalities(const event_driven *o)
{
  size_t n = 0;
  for (int r = 0; r < o->s.k->nrows; r++) n += !ns_ed_is_unilateral(o, r);
  return n;
}

/* Memory for D, which may have more entries than before (contacts.h). */
static int reserve(event_driven *o)
{
  ns_marching *m = &o->marching;
  size_t nnz = (size_t)o->s.k->D.row[o->s.k->nrows] + 1, room = m->room;
  return ns_reserve(&m->col, &room, nnz) || ns_reserve(&m->val, &m->room, nnz);
}

void ns_ed_multiple_fini(event_driven *o)
{
  free(o->marching.col);
  free(o->marching.val);
}

int ns_ed_multiple_create(event_driven *o, ns_ctx *c)
{
  const ns_contacts *k = o->s.k;
  size_t n = (size_t)k->nrows, held = count_equalities(o);
  ns_marching *m = &o->marching;
  for (int i = 0; i < o->s.m->ninteractions; i++)
    m->wanted |= o->s.m->interactions[i].law.ops->march;
  if (!m->wanted) return NS_OK;
  if (o->opt->sequential) {
    return ns_fail_at(c, NS_MODEL, &o->s.m->sim.at,
                      "impacts=\"sequential\" with MultipleImpactNSL, which has its own order of "
                      "impacts; expected NewtonImpactNSL, or remove impacts");
  }
  m->equalities = held > 0;
  const ns_array want[] = {
      {&m->row, n, sizeof *m->row},       {&m->law, 3 * n, sizeof *m->law},
      {&m->ydot, n, sizeof *m->ydot},     {&m->P, n, sizeof *m->P},
      {&m->before, n, sizeof *m->before}, {&m->work, NS_MULTIPLE_IMPACT_WORK(n), sizeof *m->work}};
  if (ns_arena_arrays(o->run.mem, want, sizeof want / sizeof *want) || reserve(o))
    return ns_nomem(c, "multiple impacts");
  return m->equalities && ns_equality_rows_create(o->run.mem, n - held, held, &m->held)
             ? ns_nomem(c, "multiple impacts")
             : NS_OK;
}

/* D of the active rows. */
static int gather(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  ns_marching *m = &o->marching;
  int at = 0;
  if (reserve(o)) return ns_nomem(o->run.c, "multiple impacts");
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
  return NS_OK;
}

/* Impulse that stops the contact of fastest approach: the scale of the increments. */
static double scale(const ns_multiple_impact *p, const double *ydot)
{
  double max = 0;
  for (int i = 0; i < p->n; i++)
    for (int b = p->row[i]; b < p->row[i + 1]; b++)
      if (p->col[b] == i && p->val[b] > 0) max = fmax(max, -ydot[i] / p->val[b]);
  return max;
}

/* D and velocities of the contacts, without the equalities. */
static void reduce(event_driven *o, ns_multiple_impact *p)
{
  const ns_contacts *k = o->s.k;
  ns_marching *m = &o->marching;
  for (int i = 0; i < k->n; i++) m->held.holds[i] = !ns_ed_is_unilateral(o, k->active[i]);
  ns_equality_rows_reduce(&m->held, k->n, m->row, m->col, m->val);
  ns_equality_rows_settle(&m->held, m->row, m->col, m->val, m->ydot);
  p->n = m->held.ncontacts, p->row = m->held.row, p->col = m->held.col, p->val = m->held.val;
}

/* What the model says of the contacts. */
static void laws(event_driven *o, const double *e, ns_multiple_impact *p)
{
  const ns_contacts *k = o->s.k;
  double *K = o->marching.law, *eta = K + p->n, *restitution = eta + p->n;
  for (int c = 0; c < p->n; c++) {
    int i = o->marching.equalities ? o->marching.held.contact[c] : c;
    const ns_interaction *it = &o->s.m->interactions[k->interaction[k->active[i]]];
    K[c] = it->law.stiffness;
    eta[c] = it->law.exponent;
    restitution[c] = e[i];
  }
  p->K = K, p->eta = eta, p->e = restitution;
}

/* Impulses by increments of one size; the number of increments, -1: more than there may be. */
static long by_increments(event_driven *o, ns_multiple_impact *p)
{
  ns_marching *m = &o->marching;
  double whole = scale(p, m->ydot), step = o->opt->impulse_step;
  p->dP = step > 0 ? fmin(step, COARSE * whole) : FINE * whole;
  p->max = INCREMENTS;
  if (whole > INCREMENTS * p->dP) return -1;
  /* 0: nothing that can move approaches */
  return whole > 0 ? ns_multiple_impact_march(p, m->work, m->ydot, m->P) : 0;
}

/* The same by steps with a bounded error, which very small ones would not make smaller. */
static long by_steps(event_driven *o, ns_multiple_impact *p)
{
  ns_marching *m = &o->marching;
  double step = o->opt->impulse_step;
  p->dP = step > 0 ? fmax(step, SMALLEST * scale(p, m->ydot)) : 0;
  p->max = STEPS;
  return ns_multiple_impact_solve(p, m->work, m->ydot, m->P);
}

/* The contact of the impact with the largest impulse; equalities are no part of p. */
static const char *place_of_hardest(const event_driven *o, const ns_multiple_impact *p, char *buf)
{
  const ns_contacts *k = o->s.k;
  const double *P = o->marching.P;
  int hardest = -1, row = k->active[0];
  for (int a = 0, i = 0; a < k->n && i < p->n; a++) {
    if (ns_ed_is_joint(o, k->active[a])) continue;
    if (hardest < 0 || P[i] > P[hardest]) {
      hardest = i;
      row = k->active[a];
    }
    i++;
  }
  return ns_place_text(&o->s.m->interactions[k->interaction[row]].at, buf, NS_FLOW_PLACE);
}

static int too_many(event_driven *o, const ns_multiple_impact *p)
{
  char at[NS_FLOW_PLACE];
  const char *contacts = ns_plural(p->n, "contact", "contacts");
  double t = *o->s.x->t;
  place_of_hardest(o, p, at);
  if (o->opt->fixed_increments)
    return ns_fail(o->run.c, NS_NUMERIC,
                   "%s: the impact of %d %s at t = %.10g s takes more than %ld increments of %.3g "
                   "N s; the results so far are kept; give <EventDriven> a larger impulseStep",
                   at, p->n, contacts, t, p->max, p->dP);
  return ns_fail(o->run.c, NS_NUMERIC,
                 "%s: the impact of %d %s at t = %.10g s does not end within %ld steps; the "
                 "results so far are kept; expected stiffnesses K and masses that differ less",
                 at, p->n, contacts, t, p->max);
}

/* Kinetic energies: approaching contacts, each alone, and what the impact made of all. */
static int check_energy(event_driven *o, const ns_multiple_impact *p, const double *before)
{
  char at[NS_FLOW_PLACE];
  const ns_marching *m = &o->marching;
  double brought = 0, gain = 0;
  for (int i = 0; i < p->n; i++) {
    gain += m->P[i] * (before[i] + m->ydot[i]) / 2;
    brought += m->P[i] * fmax(0, -before[i]);
  }
  if (gain <= GAIN * brought) return NS_OK;
  return ns_fail(
      o->run.c, NS_NUMERIC,
      "%s: the impact of %d %s at t = %.10g s gained %.3g J of energy, expected none: increments "
      "of %.3g N s are too large; the results so far are kept; use increments=\"adaptive\"",
      place_of_hardest(o, p, at), p->n, ns_plural(p->n, "contact", "contacts"), *o->s.x->t, gain,
      p->dP);
}

int ns_ed_march(event_driven *o, const double *e)
{
  ns_contacts *k = o->s.k;
  ns_marching *m = &o->marching;
  if (gather(o)) return o->run.c->rc;
  ns_multiple_impact p = {
      .n = k->n, .row = m->row, .col = m->col, .val = m->val, .mono = o->opt->mono};
  ns_gather((size_t)k->n, o->speed, k->active, m->ydot);
  if (m->equalities) reduce(o, &p);
  laws(o, e, &p);
  memset(m->P, 0, (size_t)p.n * sizeof *m->P);
  memcpy(m->before, m->ydot, (size_t)p.n * sizeof *m->before);
  long steps = o->opt->fixed_increments ? by_increments(o, &p) : by_steps(o, &p);
  if (steps < 0) return too_many(o, &p);
  if (check_energy(o, &p, m->before)) return o->run.c->rc;
  if (m->equalities) ns_equality_rows_expand(&m->held, m->P, k->z);
  else memcpy(k->z, m->P, (size_t)k->n * sizeof *k->z);
  o->s.x->report->iterations += (double)steps;
  ns_keep_max(&o->s.x->report->active, k->n);
  return NS_OK;
}
