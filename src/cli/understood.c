/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/understood.h"

#include "base/plural.h"
#include "model/check/unread.h"
#include "model/owned.h"
#include "model/relations/rigid_rank.h"
#include "model/systems/first_order.h"
#include "model/systems/rigid_body.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef int (*like)(const ns_model *m, int a, int b);

static int like_systems(const ns_model *m, int a, int b)
{
  return m->systems[a].kind == m->systems[b].kind && m->systems[a].n == m->systems[b].n;
}

static int like_interactions(const ns_model *m, int a, int b)
{
  const ns_interaction *x = &m->interactions[a], *y = &m->interactions[b];
  return x->relation == y->relation && x->m == y->m && ns_law_same(&x->law, &y->law);
}

static void put(ns_groups *g, const ns_model *m, like same, int k)
{
  /* Neighbours are mostly alike: the newest group first. */
  for (int j = g->n - 1; j >= 0; j--)
    if (same(m, g->group[j].first, k)) {
      g->group[j].last = k;
      g->group[j].count++;
      return;
    }
  if (g->n < NS_GROUPS_MAX) g->group[g->n++] = (ns_group){.first = k, .last = k, .count = 1};
  else g->others++;
}

int ns_understand(ns_job *s, ns_understood *u)
{
  const ns_model *m = s->model;
  const ns_channel *channels;
  int npatterns, every = ns_job_every(s);
  const char *const *pattern = ns_job_record(s, &npatterns);
  *u = (ns_understood){.model_bytes = (double)ns_arena_used(m->arena)};
  for (int k = 0; k < m->nsystems; k++) put(&u->systems, m, like_systems, k);
  for (int k = 0; k < m->ninteractions; k++) put(&u->interactions, m, like_interactions, k);
  int rc = ns_channels_select(&s->ctx, m, pattern, npatterns, s->arena, &channels, &u->nchannels,
                              &u->ncols);
  long long steps = ns_simulation_plan(s->sim)->steps;
  u->nrows = 1 + steps / every + (steps % every != 0);
  u->output_bytes = 8.0 * (double)u->nrows * (double)u->ncols;
  if (!rc && ns_model_family(m) == NS_FAMILY_RIGID)
    rc = ns_rigid_rank(m, &s->ctx, &u->constraints, &u->rank);
  return rc;
}

const char *ns_understood_differenced(const ns_system *y, char *buf, size_t n)
{
  if (ns_system_is_first_order(y)) {
    snprintf(buf, n, "%s", ns_first_order_differenced(y) ? "f" : "");
    return buf;
  }
  if (ns_system_is_rigid(y)) {
    snprintf(buf, n, "%s", ns_rigid_differenced(y) ? "fInt, mInt" : "");
    return buf;
  }
  int fint = y->fint.how == NS_OP_PLUGIN &&
             (y->dq_fint.how == NS_OP_ABSENT || y->dv_fint.how == NS_OP_ABSENT);
  int fgyr = y->fgyr.how == NS_OP_PLUGIN &&
             (y->dq_fgyr.how == NS_OP_ABSENT || y->dv_fgyr.how == NS_OP_ABSENT);
  snprintf(buf, n, "%s%s%s", fint ? "fInt" : "", fint && fgyr ? ", " : "", fgyr ? "fGyr" : "");
  return buf;
}

static void warn_first_order(const ns_model *m, ns_ctx *c)
{
  const ns_euler_moreau_options *o = &m->sim.em;
  if (strcmp(m->sim.integrator, "EulerMoreauOSI") == 0 && o->gamma == 0 && m->nrows)
    ns_warn_at(
        c, &m->sim.at,
        "gamma = 0: multipliers do not act in their own step, so that only laws whose output "
        "depends on lambda are satisfied; expected more than 0; with 1 all laws are satisfied");
}

/* Of the gap; -1: the law knows no impact. */
static double restitution(const ns_interaction *it) { return it->law.ops->impact ? it->law.e : -1; }

/* Formulas that jump are followed; of a plug-in nobody knows. */
void ns_understood_warn_plugins(const ns_model *m, ns_ctx *c)
{
  char others[48] = "";
  int n;
  const ns_place *first = m->sim.event_driven ? ns_moved_by_plugin(m, &n) : NULL;
  if (!first) return;
  if (n > 1)
    snprintf(others, sizeof others, ", and that of %d more %s", n - 1,
             ns_plural(n - 1, "system", "systems"));
  ns_warn_at(c, first,
             "its plug-in%s may jump or have a corner, which an event-driven run does not know in "
             "advance and can miss; if it does, write that part as a formula, or set a maxStep "
             "shorter than the pulse",
             others);
}

/* The last step of the grid ends behind T; event-driven runs make it shorter. */
static void warn_grid(const ns_model *m, ns_ctx *c)
{
  double n = (m->sim.T - m->sim.t0) / m->sim.ts.h, steps = ceil(n - 1e-6);
  if (m->sim.event_driven || steps - n <= 1e-6) return;
  ns_warn_at(c, &m->sim.at,
             "T - t0 = %.10g s is not a whole number of steps of h = %.10g s: the run ends at t = "
             "%.10g s, with the step that reaches T",
             m->sim.T - m->sim.t0, m->sim.ts.h, m->sim.t0 + steps * m->sim.ts.h);
}

/* How long the shortest contact of a shape by a linear spring lasts, pi sqrt(m/K), s; INFINITY: it
 * has none. */
static double duration(const ns_model *m, const ns_body_shape *s)
{
  const ns_contact_model *k = &m->contact;
  double stiffest = 0;
  for (int j = 0; j < k->nmaterials; j++) {
    const ns_nonsmooth_law *law = &k->law[s->material * k->nmaterials + j];
    int linear = law->ops && law->ops->compliant && law->nformulas == 0 && law->exponent == 1;
    if (linear) stiffest = fmax(stiffest, law->stiffness);
  }
  return stiffest > 0 ? M_PI * sqrt(m->systems[s->system].rigid.mass / stiffest) : INFINITY;
}

/* A body that meets a stiff spring in one step, at any depth, leaves with the energy of that depth:
 * up to 13 times that with which it came for theta = 1/2, none that it did not have from 0.7 on. */
static void warn_short_contacts(const ns_model *m, ns_ctx *c)
{
  static const double RESOLVED = 5, DAMPED = 0.7;
  const ns_contact_model *k = &m->contact;
  double shortest = INFINITY;
  int whose = -1;
  if (m->sim.event_driven || m->sim.mj.theta >= DAMPED || !k->law) return;
  for (int i = 0; i < k->nshapes; i++) {
    double lasts = k->shape[i].system < 0 ? INFINITY : duration(m, &k->shape[i]);
    if (lasts < shortest) shortest = lasts, whose = k->shape[i].system;
  }
  if (whose < 0 || shortest >= RESOLVED * m->sim.ts.h) return;
  ns_warn_at(c, &m->systems[whose].at,
             "its compliant contacts last %.2g s, pi sqrt(m/K), expected at least %g steps of h = "
             "%g s: with theta = %g it may rebound with more energy than it had; use h = %.1g, a "
             "smaller K, or theta = 1, which only takes energy",
             shortest, RESOLVED, m->sim.ts.h, m->sim.mj.theta, shortest / (2 * RESOLVED));
}

/* Work of a contact over a step is P U_k (1 - theta (1 + e)) with U_k <= 0: it takes energy out
 * exactly when theta <= 1/(1 + e) (Acary 2016). Below 1/2 the free motion of an undamped oscillator
 * grows. */
void ns_understood_warn(const ns_model *m, ns_ctx *c)
{
  warn_grid(m, c);
  warn_short_contacts(m, c);
  ns_unread_warn(m, c);
  double theta = m->sim.mj.theta;
  int worst = -1;
  if (ns_model_is_first_order(m)) {
    warn_first_order(m, c);
    return;
  }
  for (int k = 0; k < m->ninteractions; k++)
    if (worst < 0 || restitution(&m->interactions[k]) > restitution(&m->interactions[worst]))
      worst = k;
  double e = worst < 0 ? 0 : restitution(&m->interactions[worst]);
  if (e < 0) worst = -1;
  if (worst >= 0 && theta * (1 + e) > 1 + 1e-12)
    ns_warn_at(c, &m->interactions[worst].at,
               "impacts with e = %g may gain energy, as theta = %g is above 1/(1 + e) = %.4g; "
               "theta = 0.5 never does",
               e, theta, 1 / (1 + e));
  if (theta < 0.5)
    ns_warn_at(c, &m->sim.at,
               "theta = %g is below 1/2: oscillations grow by themselves; expected 0.5 to 1",
               theta);
}
