/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/step/failure.h"

#include "model/frozen.h"

#include <stdio.h>
#include <string.h>

enum { FEW = 6 };

const char ns_is_wedged[] =
    "an impact in which friction jams, so that no impulse gives a rebound: without restitution "
    "this step has a solution; use en=\"0\" or a smaller mu; these are active: ";

void ns_involved_text(ns_involved *w, const char *name)
{
  if (w->some > FEW) return;
  if (w->some == FEW) name = "...";
  if (w->used < sizeof w->text)
    w->used += (size_t)snprintf(w->text + w->used, sizeof w->text - w->used, "%s%s",
                                w->some ? ", " : "", name);
  w->some++;
}

void ns_involved_add(ns_involved *w, const ns_model *m, int interaction)
{
  const char *id = m->interactions[interaction].at.id;
  if (w->some && interaction == w->last) return;
  ns_involved_text(w, id ? id : "one without id");
  w->last = interaction;
}

/* The integrator of a system of first order whose multipliers act later than its rates: the matrix
 * of a stiff passive system, D + gamma h C (M - theta h A)^-1 B, tends to D - gamma/theta C A^-1 B,
 * which is not positive where D - C A^-1 B is small. NULL: none, or a model built in C. */
static const ns_integrator_use *may_be_active(const ns_model *m)
{
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    const ns_integrator_use *u = ns_model_integrator(m, s);
    if (!u || !ns_system_is_first_order(s)) continue;
    if (!strcmp(u->name, "EulerMoreauOSI") && u->em.theta < u->em.gamma) return u;
  }
  return NULL;
}

int ns_fail_unsolved(ns_ctx *c, const ns_model *m, const ns_unsolved_problem *p,
                     const ns_outcome *out)
{
  char by[512], advice[768];
  const ns_integrator_use *u = may_be_active(m);
  if (p->fault && !u)
    return ns_fail_at(c, NS_NUMERIC, p->worst ? p->worst : &m->sim.at,
                      "in the step from t = %.10g s %s; the last good state is kept", p->t,
                      p->fault);
  if (u)
    snprintf(advice, sizeof advice,
             "%s: use gamma=\"%g\", as theta, or theta=\"%g\": with theta < gamma the step of a "
             "stiff passive system may have no solution",
             ns_place_text(&u->at, by, sizeof by), u->em.theta, u->em.gamma);
  else
    snprintf(advice, sizeof advice, "try another solver or tolerance on <%s>, or look for %s%s",
             m->sim.problem ? m->sim.problem : p->problem, p->look_for, p->whose);
  const char *is_worst = !p->worst ? "" : *p->what ? ", worst here, at " : ", worst here";
  return ns_fail_at(
      c, NS_NUMERIC, p->worst ? p->worst : &m->sim.at,
      "the one-step problem of %d row%s in the step from t = %.10g s was not "
      "solved: %s (%s, %d iterations, residual %.3g, tolerance %.3g%s%s); the last good "
      "state is kept; %s",
      p->rows, p->rows == 1 ? "" : "s", p->t, ns_outcome_text(out->kind), out->solver,
      out->iterations, out->residual, p->tolerance, is_worst, p->worst ? p->what : "", advice);
}

int ns_fail_infeasible(ns_ctx *c, const ns_unsolved_problem *p, int held)
{
  return ns_fail_at(c, NS_NUMERIC, p->worst,
                    "the one-step problem of %d rows in the step from t = %.10g s has no "
                    "solution: no velocities of the bodies satisfy all of these%s at once: %s; the "
                    "last good state is kept; make one of them compliant, or end the run earlier",
                    p->rows, p->t, held ? " and the velocities that are prescribed" : "", p->whose);
}

static int is_same_place(const ns_place *a, const ns_place *b)
{
  int same_id = a->id && b->id ? !strcmp(a->id, b->id) : a->id == b->id;
  return same_id && a->line == b->line && !strcmp(a->element, b->element);
}

/* The surface in the state where a formula of this element may jump, to text; empty: none. That
 * sign(x) |x|^0.3 does not jump at its switch is not found out. */
static void find_jump(const ns_model *m, const ns_place *at, char *text, size_t size)
{
  ns_ctx quiet = {0};
  ns_frozen *z = NULL;
  *text = 0;
  if (!at || ns_frozen_create(&quiet, m, &z) || !z) return;
  for (int i = 0; i < z->nowners && !*text; i++)
    for (int k = 0; is_same_place(z->owner[i].at, at) && k < z->owner[i].of->n && !*text; k++) {
      const ns_frozen_switch *s = &z->owner[i].of->item[k];
      if (s->kind == NS_SWITCH_JUMP && !s->known) snprintf(text, size, "%s", s->text);
    }
  ns_frozen_destroy(z);
}

int ns_fail_newton(ns_ctx *c, const ns_model *m, double t, double residual, const ns_suspect *w,
                   int passes)
{
  char jump[160];
  find_jump(m, w->at, jump, sizeof jump);
  if (*jump)
    return ns_fail_at(
        c, NS_NUMERIC, w->at ? w->at : &m->sim.at,
        "Newton's method did not converge in the step from t = %.10g s: scaled "
        "residual %.3g after %d iterations, expected <= 1; %s contributes most to it, "
        "and a formula of it switches where %s = 0; if it jumps there, a step that ends "
        "there, as in motion along this surface, has no solution; the last good state "
        "is kept; write the jump as a <RelayNSL>, make it a steep slope, or use "
        "<EventDriven>",
        t, residual, passes, w->what, jump);
  return ns_fail_at(
      c, NS_NUMERIC, w->at ? w->at : &m->sim.at,
      "Newton's method did not converge in the step from t = %.10g s: scaled residual %.3g "
      "after %d iterations, expected <= 1; %s contributes most to it; the last good state is kept; "
      "use a smaller h, check the Jacobians of this element, or raise newtonMaxIterations",
      t, residual, passes, w->at ? w->what : "no element alone");
}

static void warn_first(ns_ctx *c, const ns_model *m, const ns_state *x, const char *what,
                       double residual)
{
  if (x->cert->unsolved || x->report->unsolved) return;
  x->report->unsolved = 1;
  ns_warn(c,
          "the step from t = %.10g s was not solved: %s, residual %.3g, accepted as it is within "
          "the unsolvedBound of %.3g; further ones are counted but not reported",
          *x->t, what, residual, m->sim.osnsp.accepted);
}

int ns_accept_unsolved(ns_ctx *c, const ns_model *m, const ns_state *x, const ns_outcome *out)
{
  if (!m->sim.osnsp.accept || !(out->residual <= m->sim.osnsp.accepted)) return 0;
  warn_first(c, m, x, "its one-step problem", out->residual);
  return 1;
}

int ns_accept_newton(ns_ctx *c, const ns_model *m, const ns_state *x, double residual)
{
  residual *= m->sim.ts.newton_rtol;
  if (!m->sim.osnsp.accept || !(residual <= m->sim.osnsp.accepted)) return 0;
  warn_first(c, m, x, "Newton's method", residual);
  return 1;
}
